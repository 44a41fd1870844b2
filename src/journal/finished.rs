//! From a board that is over to the line that says so in the event's journal.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Board, Header};
use crate::canonical::Hash;
use crate::formats::{Finished, Setup};
use crate::games::{Game, GameKind, Seat};
use crate::scoring::Role;

/// What the event's journal says of a board that is over at a sitting: its scores, sides and carry, or none where it was
/// ended unfinished, and the end of the board's journal.
#[must_use]
pub fn finished<G: Game>(sitting: u32, header: &Header<G>, board: &Board<G>) -> Finished {
    of_state(sitting, header, board.state(), (board.lines(), board.chain()))
}

/// As [`finished`], of a state and the end of its journal: number of lines after the receipt, and the chain after them.
pub(super) fn of_state<G: Game>(
    sitting: u32,
    header: &Header<G>,
    state: &G::State,
    (lines, head): (u32, &Hash),
) -> Finished {
    let mut finished = Finished {
        sitting,
        scores: BTreeMap::new(),
        roles: BTreeMap::new(),
        small: None,
        carry: Setup::default(),
        lines,
        head: hex::encode(head),
    };
    if !G::finished(state) {
        return finished;
    }
    let outcome = serde_json::to_value(G::outcome(state)).unwrap_or_default();
    let banker = banker(header, &outcome);
    let scores = G::scores(state);
    for (seat, score) in G::seated(&header.start).iter().map(|seat| (seat, scores.get(seat.index()))) {
        let (Some(name), Some(score)) = (G::seat_name(seat), score) else { continue };
        finished.scores.insert(name.to_owned(), *score);
        if let Some(banker) = banker {
            let role = if beside::<G>(banker, seat) { Role::Banker } else { Role::Defender };
            finished.roles.insert(name.to_owned(), role);
        }
    }
    finished.small = outcome.get("small").and_then(Value::as_i64);
    finished.carry = G::carry(state);
    finished
}

/// The banker, in games that have one: the outcome or the start of the board names the seat.
fn banker<G: Game>(header: &Header<G>, outcome: &Value) -> Option<Seat> {
    let named = |value: &Value| value.as_str().and_then(G::seat_named);
    match outcome.get("banker") {
        Some(banker) => named(banker),
        None => G::write_start(&header.start).get("banker").and_then(named),
    }
}

/// Whether a seat is on the banker's side: tuolaji is played by partners who sit opposite each other.
fn beside<G: Game>(banker: Seat, seat: Seat) -> bool {
    match G::KIND {
        GameKind::Tuolaji => banker.0 % 2 == seat.0 % 2,
        GameKind::Wakeng | GameKind::Holdem => banker == seat,
    }
}
