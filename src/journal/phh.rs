//! PHH files as records, so that `replay` and `legal` treat them like any other.
//!
//! Only translation: what a hand may be and what is legal is decided by the game.

use serde_json::{Map, Value};

use super::entry::By;
use super::record::{self, ActionLine, Content, RawRecord, Unreadable};
use super::replay::Failure;
use crate::games::holdem::phh::{self, Hand, Line, Remark};
use crate::games::holdem::{Holdem, SEATS_MAX};
use crate::games::{Game, Ruleset as _, Seat, rulesets};
use crate::words::message;

/// The largest file that is read, in bytes.
pub const FILE_MAX: u64 = 256 << 20;

/// The hands of a `.phh` or `.phhs` file, each with its number in the file, as records or with everything that is
/// wrong with them.
#[must_use]
pub fn records(text: &str) -> Vec<(usize, Result<RawRecord, Box<Failure>>)> {
    hands(text).into_iter().map(|(number, record, _)| (number, record)).collect()
}

/// What the record of a hand cannot say.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Notes {
    /// The decimal places of the file's amounts: the record counts in units of the last of them.
    pub places: u32,
    /// What the winners of a cash hand paid out of the pots, in the record's units.
    pub rake: u64,
    /// What is written otherwise than the rules have it and was read all the same.
    pub remarks: Vec<Remark>,
    /// The first thing that is refused: which action of the file it is (0: what is compared after the last), and its text.
    pub refused: Option<(usize, String)>,
}

impl Notes {
    /// The unit of the record's amounts, as a number of the file: `0.01`; `None` if it is 1.
    #[must_use]
    pub fn unit(&self) -> Option<String> {
        (self.places > 0).then(|| format!("0.{:0>width$}", 1, width = self.places as usize))
    }

    /// An amount of the record as a number of the file.
    #[must_use]
    pub fn amount(&self, amount: u64) -> String {
        phh::shown(amount, self.places)
    }
}

/// A hand with its number in the file, as a record or with everything that is wrong with it, and what the record cannot
/// say.
pub type Numbered = (usize, Result<RawRecord, Box<Failure>>, Notes);

/// The hands of a `.phh` or `.phhs` file in its order.
#[must_use]
pub fn hands(bytes: impl AsRef<[u8]>) -> Vec<Numbered> {
    (1..)
        .zip(phh::read_bytes(bytes.as_ref()))
        .map(|(number, (line, hand))| match hand {
            Ok(hand) => {
                let notes = Notes {
                    places: hand.places,
                    rake: hand.rake,
                    remarks: hand.remarks.clone(),
                    refused: hand.refused.clone(),
                };
                (number, Ok(record(number, line, hand)), notes)
            }
            Err(error) => (number, Err(Failure::of_start(line, error)), Notes::default()),
        })
        .collect()
}

fn record(number: usize, line: usize, hand: Hand) -> RawRecord {
    let mut header = Map::new();
    let mut put = |key: &str, value: Value| header.insert(key.to_owned(), value);
    put("fushi", 1.into());
    put("game", Holdem::KIND.name().into());
    match rulesets::overrides::<Holdem>(&hand.rules) {
        Ok(Some(changes)) => put("rules", Value::Object(changes)),
        _ => put("ruleset", hand.rules.name().into()),
    };
    if let Some(name) = hand.name {
        put("board", name.into());
    }
    header.extend(Holdem::write_start(&hand.start));
    RawRecord { number, line, header: Ok(header), actions: hand.lines.into_iter().map(line_of).collect() }
}

fn line_of(line: Line) -> record::Numbered {
    let name = |seat: Seat| {
        debug_assert!(seat.index() < SEATS_MAX, "PHH has ten players at most");
        Holdem::seat_name(seat).unwrap_or_default().to_owned()
    };
    let Line { line, seat, written, action, official, .. } = line;
    // PHH does not say which official; what the clock may do depends on the ruleset, a referee's word does not.
    let by = official.then_some(By::Referee);
    let content = match (action, seat) {
        (Ok(action), Some(seat)) => {
            Ok(Content::Action(ActionLine { seat: name(seat), action, at: None, by, hash: None }))
        }
        (Ok(_), None) => {
            Err(Unreadable { text: Some(written), message: message!("phh-player-missing"), seat: None })
        }
        (Err(message), seat) => Err(Unreadable { seat: seat.map(name), text: Some(written), message }),
    };
    record::Numbered { line, content }
}
