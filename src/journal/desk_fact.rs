//! Facts of the desk: what a referee or an organizer may need a week later and no format knows of.
//!
//! Words of persons stand beside the chain under their SHA-256, so that they can be erased and the chain still holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bundle::model::{Revision, Signed};
use crate::canonical::{Hash, sha256};
use crate::formats::Competition;
use crate::words::{Message, message};

/// A fact of the desk; in a line it is an object with one key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeskFact {
    /// Results were published.
    Published(Box<Signed<Revision>>),
    /// The standings that spectators see stand still, or go on.
    Frozen(bool),
    /// An entrant was warned.
    Warned(Warned),
    /// A player called the referee.
    Called(Called),
    /// A referee has seen a call.
    Seen(Answered),
    /// A referee has dealt with a call.
    Done(Answered),
    /// Something that a referee wants to remember.
    Incident(Incident),
    /// What somebody said about a ruling or an incident.
    Statement(Statement),
    /// An entrant appealed against a ruling.
    Appeal(Appeal),
    /// The desk has ended the event.
    Ended(Ended),
}

/// An entrant was warned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warned {
    /// Who.
    pub entrant: String,
    /// What for: a code.
    pub code: String,
    /// SHA-256 of the referee's words, 64 hexadecimal digits.
    pub words: String,
}

/// A player called the referee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Called {
    /// At which sitting.
    pub sitting: u32,
    /// The line of the board's journal that says it: with the sitting it names the call.
    pub line: u32,
    /// From which seat.
    pub seat: String,
    /// SHA-256 of the player's words, 64 hexadecimal digits.
    pub words: String,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The sitting of the call.
    pub sitting: u32,
    /// The line of the board's journal that says it.
    pub line: u32,
}

/// Something that a referee wants to remember.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Incident {
    /// The sitting, where it was at one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sitting: Option<u32>,
    /// SHA-256 of the referee's words, 64 hexadecimal digits.
    pub words: String,
}

/// What somebody said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The entrant, where it is one's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entrant: Option<String>,
    /// About which ruling, by its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<u32>,
    /// SHA-256 of the words, 64 hexadecimal digits.
    pub words: String,
}

/// An appeal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Appeal {
    /// The entrant.
    pub entrant: String,
    /// Against which ruling, by its number.
    pub ruling: u32,
    /// SHA-256 of the words, 64 hexadecimal digits.
    pub words: String,
}

/// The desk has ended the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {}

impl DeskFact {
    /// The key of every kind of fact.
    pub const NAMES: [&str; 10] = [
        "published",
        "frozen",
        "warned",
        "called",
        "seen",
        "done",
        "incident",
        "statement",
        "appeal",
        "ended",
    ];
}

/// Under which hash words of persons stand beside the chain: SHA-256, 64 hexadecimal digits.
#[must_use]
pub fn words_hash(words: &str) -> String {
    hex::encode(sha256(words.as_bytes()))
}

/// Why a fact of the desk cannot stand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeskRefused {
    /// Publications are counted from 1, and each rests on all rulings that were made.
    #[error("this is not the next publication")]
    Publication,
    /// It is so already.
    #[error("it is so already")]
    Already,
    /// There is no such entrant.
    #[error("there is no entrant `{0}`")]
    NoEntrant(String),
    /// There is no such sitting.
    #[error("there is no sitting {0}")]
    NoSitting(u32),
    /// There is no such call.
    #[error("there is no call at line {1} of sitting {0}")]
    NoCall(u32, u32),
    /// There is no such ruling.
    #[error("there is no ruling {0}")]
    NoRuling(u32),
    /// What stands in place of somebody's words is no hash.
    #[error("no hash of words")]
    Words,
}

impl DeskRefused {
    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            DeskRefused::Publication => message!("verify-revision-order"),
            DeskRefused::Already => message!("event-already"),
            DeskRefused::NoEntrant(entrant) => message!("ruling-no-entrant", entrant),
            DeskRefused::NoSitting(sitting) => message!("event-no-sitting", sitting),
            DeskRefused::NoCall(sitting, line) => message!("event-no-call", sitting, line),
            DeskRefused::NoRuling(ruling) => message!("ruling-not-in-force", number = ruling),
            DeskRefused::Words => message!("event-words"),
        }
    }
}

/// How far a call has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallStage {
    /// It was sent.
    #[default]
    Sent,
    /// A referee has seen it.
    Seen,
    /// A referee has dealt with it.
    Done,
}

/// What the facts of the desk have come to.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    published: Vec<Signed<Revision>>,
    frozen: bool,
    calls: BTreeMap<(u32, u32), (Called, CallStage)>,
    warnings: BTreeMap<String, u32>,
    ended: bool,
}

impl Desk {
    /// Whether a fact can stand here.
    pub(super) fn check(&self, fact: &DeskFact, competition: &Competition) -> Result<(), DeskRefused> {
        let rulings = u32::try_from(competition.rulings().len()).unwrap_or(u32::MAX);
        let entrant = |id: &String| {
            let known = competition.entrants().any(|(known, _)| known == id);
            if known { Ok(()) } else { Err(DeskRefused::NoEntrant(id.clone())) }
        };
        let sitting = |id: u32| match competition.sitting(id) {
            Some(_) => Ok(()),
            None => Err(DeskRefused::NoSitting(id)),
        };
        let ruling = |number: u32| {
            if (1..=rulings).contains(&number) { Ok(()) } else { Err(DeskRefused::NoRuling(number)) }
        };
        match fact {
            DeskFact::Published(signed) => {
                let last = self.published.last().map(|last| &last.body);
                let body = &signed.body;
                let next = last.map_or(0, |last| last.number).checked_add(1) == Some(body.number);
                if next && body.rulings == rulings { Ok(()) } else { Err(DeskRefused::Publication) }
            }
            DeskFact::Frozen(frozen) if *frozen == self.frozen => Err(DeskRefused::Already),
            DeskFact::Warned(warned) => entrant(&warned.entrant).and_then(|()| words(&warned.words)),
            DeskFact::Called(called) => {
                if self.calls.contains_key(&(called.sitting, called.line)) {
                    return Err(DeskRefused::Already);
                }
                let seat = |sitting: &crate::formats::Sitting| sitting.seats.contains_key(&called.seat);
                if !competition.sitting(called.sitting).is_some_and(seat) {
                    return Err(DeskRefused::NoSitting(called.sitting));
                }
                words(&called.words)
            }
            DeskFact::Seen(answered) => self.answer(*answered, CallStage::Seen),
            DeskFact::Done(answered) => self.answer(*answered, CallStage::Done),
            DeskFact::Incident(incident) => {
                incident.sitting.map_or(Ok(()), sitting).and_then(|()| words(&incident.words))
            }
            DeskFact::Statement(statement) => {
                statement.entrant.as_ref().map_or(Ok(()), entrant)?;
                statement.ruling.map_or(Ok(()), ruling)?;
                words(&statement.words)
            }
            DeskFact::Appeal(appeal) => {
                entrant(&appeal.entrant)?;
                ruling(appeal.ruling)?;
                words(&appeal.words)
            }
            DeskFact::Ended(_) if self.ended => Err(DeskRefused::Already),
            DeskFact::Frozen(_) | DeskFact::Ended(_) => Ok(()),
        }
    }

    /// A call only goes on: who was first stands.
    fn answer(&self, answered: Answered, to: CallStage) -> Result<(), DeskRefused> {
        match self.calls.get(&(answered.sitting, answered.line)) {
            None => Err(DeskRefused::NoCall(answered.sitting, answered.line)),
            Some((_, stage)) if *stage >= to => Err(DeskRefused::Already),
            Some(_) => Ok(()),
        }
    }

    /// Takes a fact that [`Desk::check`] allows.
    pub(super) fn apply(&mut self, fact: &DeskFact) {
        match fact {
            DeskFact::Published(signed) => self.published.push((**signed).clone()),
            DeskFact::Frozen(frozen) => self.frozen = *frozen,
            DeskFact::Warned(warned) => *self.warnings.entry(warned.entrant.clone()).or_default() += 1,
            DeskFact::Called(called) => {
                self.calls.insert((called.sitting, called.line), (called.clone(), CallStage::Sent));
            }
            DeskFact::Seen(answered) => self.advance(*answered, CallStage::Seen),
            DeskFact::Done(answered) => self.advance(*answered, CallStage::Done),
            DeskFact::Incident(_) | DeskFact::Statement(_) | DeskFact::Appeal(_) => {}
            DeskFact::Ended(_) => self.ended = true,
        }
    }

    fn advance(&mut self, answered: Answered, to: CallStage) {
        if let Some((_, stage)) = self.calls.get_mut(&(answered.sitting, answered.line)) {
            *stage = to;
        }
    }

    /// The publications of the results, in order.
    #[must_use]
    pub fn published(&self) -> &[Signed<Revision>] {
        &self.published
    }

    /// Whether the standings that spectators see stand still.
    #[must_use]
    pub const fn frozen(&self) -> bool {
        self.frozen
    }

    /// The calls to the referee by sitting and line of the board's journal, and how far each has come.
    #[must_use]
    pub const fn calls(&self) -> &BTreeMap<(u32, u32), (Called, CallStage)> {
        &self.calls
    }

    /// How often each warned entrant was warned.
    #[must_use]
    pub const fn warnings(&self) -> &BTreeMap<String, u32> {
        &self.warnings
    }

    /// Whether the desk has ended the event.
    #[must_use]
    pub const fn ended(&self) -> bool {
        self.ended
    }
}

fn words(hash: &str) -> Result<(), DeskRefused> {
    let mut bytes: Hash = [0; 32];
    let lower = hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if lower && hex::decode_to_slice(hash, &mut bytes).is_ok() { Ok(()) } else { Err(DeskRefused::Words) }
}
