//! What happens to an event: the facts that a format is given, as they stand in the event's journal.
//!
//! A fact is an object with one key. Nothing but facts changes a [`super::Competition`], and the same facts lead to the
//! same orders on every machine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Setup;
use super::ruling::Ruling;
use crate::scoring::Role;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fact {
    /// The entries are closed.
    Locked(Locked),
    /// A draw was made.
    Draw(DrawMade),
    /// A round has started.
    Round(RoundStarted),
    /// A board is over at a table.
    Finished(Finished),
    /// The time of a round is over: what was not begun is not played.
    Bell(Bell),
    /// A stage is closed: its places are final, whoever advances is known as soon as nothing is left to be drawn.
    Closed(Closed),
    /// A board from a reserve set is played in place of one that was made void.
    Replay(Replay),
    /// A referee has ruled, or has withdrawn a ruling.
    Ruling(Ruling),
    /// Everything stands, or goes on.
    Pause(bool),
}

/// The entries are closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    /// The entrants' ids in order of their numbers: a pair is one entrant.
    pub entrants: Vec<String>,
    /// Their numbers, in rising order; empty where they are 1, 2, 3 …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<u32>,
    /// The stages as they are going to be played, for readers; they are those of the settings.
    pub stages: Vec<StageLine>,
}

/// What a reader of the journal needs to know of a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageLine {
    /// Number of the stage, from 1.
    pub stage: u32,
    /// Name of its format: `movement`, `round-robin`.
    pub format: String,
    /// How many of each group advance by their place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota: Option<u32>,
    /// How many more advance as the best of the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wild: Option<u32>,
}

/// What a draw is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawPurpose {
    /// Who has which place: of a movement, or in which group.
    Seats,
    /// Who has which number in the programme of a group, and with it who meets whom when.
    Opponents,
    /// The order of entrants that nothing else separates.
    Lot,
    /// The order of entrants of different groups that nothing else separates.
    Wild,
}

impl DrawPurpose {
    /// The name in journals, and the purpose that enters the seed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DrawPurpose::Seats => "seats",
            DrawPurpose::Opponents => "opponents",
            DrawPurpose::Lot => "lot",
            DrawPurpose::Wild => "wild",
        }
    }
}

/// A draw that is to be made: everything about it but its seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawDue {
    /// What for.
    pub purpose: DrawPurpose,
    /// Counted from 1 for each purpose over the whole event.
    pub number: u32,
    /// For which stage.
    pub stage: u32,
    /// For which group, where it is for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Who takes part, in the order of the list that enters the seed.
    pub among: Vec<String>,
}

/// A draw as it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawMade {
    /// What was drawn.
    #[serde(flatten)]
    pub due: DrawDue,
    /// The seed, 64 hexadecimal digits. It follows from the event's draw key and the list
    /// ([`crate::dealing::draw_seed`]).
    pub seed: String,
    /// Whether the delayed value was known and entered the seed.
    pub delayed: bool,
    /// Who took part, in the order that the seed gives.
    pub order: Vec<String>,
}

/// A round has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundStarted {
    /// The stage.
    pub stage: u32,
    /// The round, from 1 in each stage.
    pub round: u32,
    /// How long it lasts, minutes; 0 without a limit.
    pub minutes: u32,
}

/// A board is over at a table: played to its end, or ended unfinished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finished {
    /// The sitting.
    pub sitting: u32,
    /// The raw score of each seat; empty where the board was ended unfinished.
    pub scores: BTreeMap<String, i64>,
    /// The side of each seat, where the game has sides.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, Role>,
    /// Tuolaji: the defenders' points with the board's own penalties.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub small: Option<i64>,
    /// What the board hands on, as the game says it.
    #[serde(default, skip_serializing_if = "Setup::is_empty")]
    pub carry: Setup,
    /// How many lines the board's journal has after its receipt.
    pub lines: u32,
    /// The chain of the board's journal after the last of them, 64 hexadecimal digits.
    pub head: String,
}

/// The time of a round is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bell {
    /// The stage.
    pub stage: u32,
    /// The round.
    pub round: u32,
    /// The sittings that were not begun, in ascending order: they are not played.
    pub unplayed: Vec<u32>,
}

/// A stage is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closed {
    /// The stage.
    pub stage: u32,
}

/// A board from a reserve set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The board that was made void.
    pub board: u32,
    /// The board of a reserve set that is played in its place.
    pub instead: u32,
    /// The number of the ruling that made it void.
    pub ruling: u32,
}
