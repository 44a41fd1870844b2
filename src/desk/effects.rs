//! What a ruling does beyond what it says: which right it needs for that, and what should be asked about before it is made.

use std::collections::BTreeMap;

use crate::event::EventError;
use crate::event::model::Event;
use crate::formats::Occupant;
use crate::formats::ruling::{Becomes, Decision, Reach, Ruling, in_force};
use crate::formats::tally::{Played, ResultLine, Tally};
use crate::games::Game;
use crate::journal::{Header, measure};
use crate::scoring::{Method, Score};
use crate::words::{Message, message, terms};

/// What a ruling about one result does to others, or to a whole board or place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It replaces what somebody else ruled about the same result.
    Replaces,
    /// The result of another entrant, by id, was compared with others and is compared with nobody afterwards.
    Uncompared(String),
    /// Of the results of the board that were played, or may still be, fewer than half count afterwards.
    Emptied,
    /// The entrant is left fewer results that count, or may come to, than a place needs.
    Unplaced,
}

impl Effect {
    /// What it reaches.
    const fn reach(&self) -> Reach {
        match self {
            Effect::Replaces => Reach::Ruling,
            Effect::Uncompared(_) | Effect::Emptied => Reach::Board,
            Effect::Unplaced => Reach::Ranking,
        }
    }
}

/// A result as far as it matters for what a ruling does.
struct State {
    /// The position, in the order of the event's.
    position: usize,
    /// Whether it is an entrant's and no stand-in's.
    entrant: bool,
    /// Whether the board was played, or may still be.
    open: bool,
    becomes: Becomes,
}

/// Results by board and by who has them.
struct Results(BTreeMap<(u32, String), State>);

impl Results {
    /// Every result that was played or may come to be, after the rulings that hold.
    fn of<G: Game>(event: &Event<G>, played: &[Played], holding: &[&Ruling]) -> Results {
        let mut all = BTreeMap::new();
        for sitting in event.sittings() {
            for (position, occupant) in sitting.who.iter().enumerate() {
                let entrant = matches!(occupant, Occupant::Entrant(_));
                if entrant || matches!(occupant, Occupant::StandIn(_)) {
                    let state = State { position, entrant, open: true, becomes: Becomes::Compared };
                    all.insert((sitting.board, event.who(*occupant)), state);
                }
            }
        }
        let mut results = Results(all);
        for played in played.iter().filter(|played| played.score.is_none()) {
            // Who sits out has no sitting, but may get an artificial score.
            let entrant = !played.entrant.starts_with("stand-in:");
            let nobody = State { position: usize::MAX, entrant, open: false, becomes: Becomes::Struck };
            let state = results.0.entry((played.board, played.entrant.clone())).or_insert(nobody);
            (state.open, state.becomes) = (false, Becomes::Struck);
        }
        for (board, who, becomes) in holding.iter().filter_map(|ruling| ruling.decision.settles()) {
            results.settle(board, who, becomes);
        }
        results
    }

    /// What becomes of a result; answers what it was before.
    fn settle(&mut self, board: u32, who: &str, becomes: Becomes) -> Option<Becomes> {
        let state = self.0.get_mut(&(board, who.to_owned()))?;
        Some(std::mem::replace(&mut state.becomes, becomes))
    }

    fn on(&self, board: u32) -> impl Iterator<Item = (&str, &State)> {
        self.0.iter().filter(move |one| one.0.0 == board).map(|(key, state)| (key.1.as_str(), state))
    }

    /// The one result that is left to be compared at a position of a board, if there is exactly one.
    fn alone(&self, board: u32, position: usize) -> Option<(&str, &State)> {
        let mut left =
            self.on(board).filter(|one| one.1.position == position && one.1.becomes == Becomes::Compared);
        left.next().filter(|_| left.next().is_none())
    }
}

/// What a ruling does in an event beside what it says. `played` are the results before rulings, `earlier` the rulings made
/// so far.
#[must_use]
pub fn effects<G: Game>(
    event: &Event<G>,
    played: &[Played],
    earlier: &[Ruling],
    ruling: &Ruling,
) -> Vec<Effect> {
    let Some((board, entrant, becomes)) = ruling.decision.settles() else { return Vec::new() };
    let mut found = Vec::new();
    let holding = in_force(earlier).unwrap_or_default();
    let same =
        |other: &&&Ruling| other.decision.settles().is_some_and(|one| (one.0, one.1) == (board, entrant));
    if holding.iter().rev().find(same).is_some_and(|other| other.by != ruling.by) {
        found.push(Effect::Replaces);
    }
    let mut results = Results::of(event, played, &holding);
    let Some(before) = results.settle(board, entrant, becomes) else { return found };
    let compares = event.settings.scoring.method != Method::Total;
    if compares && before == Becomes::Compared && becomes != Becomes::Compared {
        let position = results.0.get(&(board, entrant.to_owned())).map(|state| state.position);
        let alone = position.and_then(|position| results.alone(board, position));
        found.extend(
            alone.filter(|(_, state)| state.entrant).map(|(id, _)| Effect::Uncompared(id.to_owned())),
        );
    }
    if before != Becomes::Struck && becomes == Becomes::Struck {
        let counts = |state: &State| state.becomes != Becomes::Struck;
        let of_board = || results.on(board).map(|(_, state)| state).filter(|state| state.entrant);
        let all = of_board().filter(|state| state.open || counts(state)).count();
        let left = of_board().filter(|state| counts(state)).count();
        // The one that is struck out counted until now, also where its board was not played.
        let all = all.max(left.saturating_add(1));
        if left.saturating_mul(2) < all {
            found.push(Effect::Emptied);
        }
        let least = (event.settings.scoring.min_boards as usize).max(1);
        let own = results.0.iter().filter(|one| one.0.1 == entrant && counts(one.1)).count();
        if own + 1 == least {
            found.push(Effect::Unplaced);
        }
    }
    found
}

/// What a ruling reaches in an event: at least what its kind reaches, more where its effects do.
#[must_use]
pub fn reach(effects: &[Effect], ruling: &Ruling) -> Reach {
    effects.iter().map(Effect::reach).fold(ruling.decision.reach(), Reach::max)
}

/// What is legal about a ruling and yet hardly meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Stable code: `impossible_score`, `penalty_without_effect`, `board_void`, `others_uncompared`, `board_emptied`,
    /// `place_lost`.
    pub code: &'static str,
    /// The sentence for any reader.
    pub told: Message,
}

/// A ruling that is looked at: what was played, what has been ruled, what the ruling does, and the tally with it.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// The results before rulings.
    pub played: &'a [Played],
    /// The rulings made so far.
    pub earlier: &'a [Ruling],
    /// The ruling.
    pub ruling: &'a Ruling,
    /// What it does beside what it says.
    pub effects: &'a [Effect],
    /// The tally with it.
    pub after: &'a Tally,
}

/// What should be asked about before a ruling is made: a raw score that no legal play of the board gives, a penalty on a
/// result that has no value, a ruling about a board that is void, and whatever takes something from others, from a whole
/// board or from a place.
///
/// # Errors
/// The board cannot be dealt.
pub fn doubts<G: Game>(
    event: &Event<G>,
    header: &dyn Fn(u32) -> Result<Header<G>, EventError>,
    look: &Look<'_>,
) -> Result<Vec<Doubt>, EventError> {
    let mut doubts: Vec<Doubt> = void(look).into_iter().collect();
    match &look.ruling.decision {
        Decision::Score { board, entrant, score } => {
            doubts.extend(impossible(event, header, look, (*board, entrant.as_str()), [score])?);
        }
        Decision::Weighted { board, entrant, outcomes } => {
            let scores = outcomes.iter().map(|one| &one.score);
            doubts.extend(impossible(event, header, look, (*board, entrant.as_str()), scores)?);
        }
        Decision::Penalty { board, entrant, .. } => {
            let valued =
                |line: &ResultLine| line.board == *board && line.entrant == *entrant && line.value.is_some();
            if !look.after.results.iter().any(valued) {
                let told = message!("ruling-penalty-idle", board, entrant);
                doubts.push(Doubt { code: "penalty_without_effect", told });
            }
        }
        Decision::Status { .. }
        | Decision::Void { .. }
        | Decision::Standing { .. }
        | Decision::Withdraw { .. } => {}
    }
    if let Some((board, entrant, _)) = look.ruling.decision.settles() {
        doubts.extend(look.effects.iter().filter_map(|effect| {
            let (code, told) = match effect {
                // Who ruled what before is shown with the ruling that would go.
                Effect::Replaces => return None,
                Effect::Uncompared(other) => {
                    ("others_uncompared", message!("ruling-uncompared", board, entrant = other))
                }
                Effect::Emptied => ("board_emptied", message!("ruling-emptied", board)),
                Effect::Unplaced => ("place_lost", message!("ruling-unplaced", entrant)),
            };
            Some(Doubt { code, told })
        }));
    }
    Ok(doubts)
}

/// A ruling about a board that is void already changes nothing while that holds. Of a penalty it is said that it has no
/// effect.
fn void(look: &Look<'_>) -> Option<Doubt> {
    let board = match &look.ruling.decision {
        Decision::Score { board, .. }
        | Decision::Status { board, .. }
        | Decision::Weighted { board, .. }
        | Decision::Void { board } => *board,
        Decision::Penalty { .. } | Decision::Standing { .. } | Decision::Withdraw { .. } => return None,
    };
    let is_void = |ruling: &&Ruling| ruling.decision == Decision::Void { board };
    let by = in_force(look.earlier).unwrap_or_default().into_iter().find(is_void)?.number;
    Some(Doubt { code: "board_void", told: message!("ruling-board-void", board, by) })
}

/// Raw scores that no legal play of the board gives.
fn impossible<'a, G: Game>(
    event: &Event<G>,
    header: &dyn Fn(u32) -> Result<Header<G>, EventError>,
    look: &Look<'_>,
    (board, entrant): (u32, &str),
    scores: impl IntoIterator<Item = &'a Score>,
) -> Result<Vec<Doubt>, EventError> {
    let Some(row) = look.played.iter().find(|row| row.board == board && row.entrant == entrant) else {
        return Ok(Vec::new());
    };
    let positions = event.positions();
    let Some((_, seats)) = positions.iter().find(|(name, _)| *name == row.seat) else {
        return Ok(Vec::new());
    };
    let header = header(board)?;
    let impossible = |score: &&Score| !measure::possible(&header, event.settings.measure, seats, score);
    let doubt = |score: &Score| Doubt {
        code: "impossible_score",
        told: message!("ruling-impossible-score", score, board, seat = terms::position(&row.seat)),
    };
    Ok(scores.into_iter().filter(impossible).map(doubt).collect())
}
