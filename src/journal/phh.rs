//! PHH files as records, so that `replay` and `legal` treat them like any other.
//!
//! Only translation: what a hand may be and what is legal is decided by the game.

use serde_json::{Map, Value};

use super::record::{ActionLine, Content, Numbered, RawRecord, Unreadable};
use super::replay::Failure;
use crate::games::holdem::phh::{self, Hand, Line};
use crate::games::holdem::{Holdem, SEATS_MAX};
use crate::games::{Game, Ruleset as _, Seat};

/// The largest file that is read, in bytes.
pub const FILE_MAX: u64 = 256 << 20;

/// The hands of a `.phh` or `.phhs` file, each with its number in the file, as records or with everything that is
/// wrong with them.
#[must_use]
pub fn records(text: &str) -> Vec<(usize, Result<RawRecord, Box<Failure>>)> {
    (1..)
        .zip(phh::read(text))
        .map(|(number, (line, hand))| {
            let record =
                hand.map(|hand| record(number, line, hand)).map_err(|error| Failure::of_start(line, error));
            (number, record)
        })
        .collect()
}

fn record(number: usize, line: usize, hand: Hand) -> RawRecord {
    let mut header = Map::new();
    let mut put = |key: &str, value: Value| header.insert(key.to_owned(), value);
    put("fushi", 1.into());
    put("game", Holdem::KIND.name().into());
    put("ruleset", hand.rules.name().into());
    if let Some(name) = hand.name {
        put("board", name.into());
    }
    header.extend(Holdem::write_start(&hand.start));
    RawRecord { number, line, header: Ok(header), actions: hand.lines.into_iter().map(numbered).collect() }
}

fn numbered(line: Line) -> Numbered {
    let name = |seat: Seat| {
        debug_assert!(seat.index() < SEATS_MAX, "PHH has ten players at most");
        Holdem::seat_name(seat).unwrap_or_default().to_owned()
    };
    let Line { line, seat, written, action } = line;
    let content = match (action, seat) {
        (Ok(action), Some(seat)) => {
            Ok(Content::Action(ActionLine { seat: name(seat), action, at: None, by: None, hash: None }))
        }
        (Ok(_), None) => Err(Unreadable {
            text: Some(written),
            message: "a player is missing".to_owned(),
            ..Unreadable::default()
        }),
        (Err(message), seat) => Err(Unreadable { seat: seat.map(name), text: Some(written), message }),
    };
    Numbered { line, content }
}
