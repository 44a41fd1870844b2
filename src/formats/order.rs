//! What a format decides: orders, as they stand in the event's journal beside the fact that they follow from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use crate::canonical::Setup;

/// One order. Those of a line apply in the order in which they stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// A group is formed.
    Group(Group),
    /// Somebody sits out a round.
    Bye(Bye),
    /// A board is to be played at a table.
    Sit(Sitting),
    /// Somebody takes part in a stage.
    Advance(Advance),
    /// The event is played.
    End(End),
}

/// A group is formed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The stage.
    pub stage: u32,
    /// Its name: `A`, `B` …
    pub group: String,
    /// Its entrants in the order of their drawn numbers.
    pub entrants: Vec<String>,
}

/// Somebody sits out a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bye {
    /// The stage.
    pub stage: u32,
    /// The group, where the stage has groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The round.
    pub round: u32,
    /// Who.
    pub entrant: String,
}

/// The cards of a sitting: a board of a set. Several sittings may share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DealRef {
    /// The set's id, as announced.
    pub set: String,
    /// The board's number.
    pub board: u32,
}

/// Where a board is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Venue {
    /// On the server.
    #[default]
    Server,
    /// With real cards at a real table; its result comes in on a slip.
    Slip,
}

impl Venue {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    const fn is_server(&self) -> bool {
        matches!(self, Venue::Server)
    }
}

/// A board that is to be played at a table by certain people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sitting {
    /// Counted from 1 over the whole event.
    pub sitting: u32,
    /// The stage.
    pub stage: u32,
    /// The group, where the stage has groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The round, from 1 in each stage.
    pub round: u32,
    /// The table, from 1 in each round.
    pub table: u32,
    /// The cards.
    pub deal: DealRef,
    /// Who sits where: seat name → entrant id, `stand-in:N` or `ai:LEVEL`; `null` for an empty seat.
    pub seats: BTreeMap<String, Option<String>>,
    /// What the board begins with.
    pub setup: Setup,
    /// Where it is played.
    #[serde(default, skip_serializing_if = "Venue::is_server")]
    pub venue: Venue,
}

/// How somebody came into a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdvancedBy {
    /// By the place in the group.
    Quota,
    /// As one of the best of the others.
    Wild,
}

/// Somebody takes part in a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Advance {
    /// The stage in which they take part.
    pub stage: u32,
    /// Who, in the order of their seeding.
    pub entrants: Vec<String>,
    /// How each of them came in.
    pub by: BTreeMap<String, AdvancedBy>,
}

/// The event is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {}
