//! The number of a finished board that scoring compares, and the side of a position.

use serde_json::Value;

use super::Header;
use crate::formats::settings::Measure;
use crate::games::{Game, Seat};
use crate::scoring::{Role, Score};

/// The number of a finished board that is compared, for the position that these seats are. A board that was ended
/// unfinished has none.
#[must_use]
pub fn measured<G: Game>(
    header: &Header<G>,
    state: &G::State,
    measure: Measure,
    seats: &[Seat],
) -> Option<i64> {
    let first = seats.first().filter(|_| G::finished(state))?;
    match measure {
        Measure::Score => G::scores(state).get(first.index()).copied(),
        Measure::SmallPoints => {
            let small = outcome::<G>(state).get("small")?.as_i64()?;
            match role(header, state, seats)? {
                Role::Defender => Some(small),
                Role::Banker => small.checked_neg(),
            }
        }
    }
}

/// Whether some legal play of a board gives the position this number; known from the rules and the board's settings alone,
/// never from its cards.
#[must_use]
pub fn possible<G: Game>(header: &Header<G>, measure: Measure, seats: &[Seat], score: &Score) -> bool {
    let (Some(seat), Some(points)) = (seats.first(), score.int()) else { return false };
    match measure {
        Measure::Score => G::possible_score(&header.rules, &header.start, *seat, points),
        Measure::SmallPoints => G::possible_small(&header.rules, points),
    }
}

fn outcome<G: Game>(state: &G::State) -> Value {
    serde_json::to_value(G::outcome(state)).unwrap_or_default()
}

/// The side of a position, in games that have a banker: the outcome or the start of the board names the seat.
#[must_use]
pub fn role<G: Game>(header: &Header<G>, state: &G::State, seats: &[Seat]) -> Option<Role> {
    let outcome = outcome::<G>(state);
    let banker = match outcome.get("banker") {
        Some(banker) => G::seat_named(banker.as_str()?)?,
        None => G::seat_named(G::write_start(&header.start).get("banker")?.as_str()?)?,
    };
    Some(if seats.contains(&banker) { Role::Banker } else { Role::Defender })
}
