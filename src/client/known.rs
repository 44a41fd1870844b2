//! What a finished board's view says about its scores.

use crate::games::holdem::Holdem;
use crate::games::tuolaji::{SEAT_NAMES, Tuolaji, defends, seat_named};
use crate::games::wakeng::Wakeng;
use crate::games::{Game, Seat};
use crate::players::Levels;

/// A game whose scores can be worked out from what a player sees.
pub(super) trait Known: Levels {
    /// The scores by seat name in the order of seats; `None` where the view does not settle them.
    fn final_scores(rules: &Self::Rules, view: &Self::View) -> Option<Vec<(&'static str, i64)>>;
}

impl Known for Wakeng {
    fn final_scores(_: &Self::Rules, view: &Self::View) -> Option<Vec<(&'static str, i64)>> {
        let scores = view.scores?.into_iter().zip(0..);
        scores.map(|(score, seat)| Some((Wakeng::seat_name(Seat(seat))?, score))).collect()
    }
}

impl Known for Tuolaji {
    fn final_scores(rules: &Self::Rules, view: &Self::View) -> Option<Vec<(&'static str, i64)>> {
        let banker = seat_named(view.banker)?;
        if view.phase != "over" || view.bottom.is_none() {
            return None;
        }
        let big = rules.big_points.of(view.small);
        let score = |seat| if defends(seat, banker) { big } else { -big };
        Some(SEAT_NAMES.into_iter().zip((0..).map(|seat| score(Seat(seat)))).collect())
    }
}

impl Known for Holdem {
    /// On a duplicate board everybody begins with the ruleset's stack.
    fn final_scores(rules: &Self::Rules, view: &Self::View) -> Option<Vec<(&'static str, i64)>> {
        view.outcome.as_ref()?;
        let stack = rules.duplicate.stack;
        let total: u64 = view.seats.iter().map(|seat| seat.stack).sum();
        let duplicate = view.seats.len() == usize::from(rules.duplicate.seats)
            && u64::try_from(view.seats.len()).ok()?.checked_mul(stack) == Some(total);
        if !duplicate {
            return None;
        }
        let change = |now: u64| Some(i64::try_from(now).ok()? - i64::try_from(stack).ok()?);
        view.seats.iter().map(|seat| Some((seat.seat, change(seat.stack)?))).collect()
    }
}
