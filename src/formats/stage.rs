//! The stages of an event: each with a format, and a rule for who advances to the next one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Fill, Format};

/// A stage of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// How it is played.
    pub format: StageFormat,
    /// Who advances to the next stage; absent in the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advance: Option<Advancement>,
}

/// The closed list of formats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageFormat {
    /// A movement, planned before the first card.
    Movement(MovementRules),
    /// Groups in which everybody meets everybody.
    RoundRobin(RoundRobinRules),
}

impl StageFormat {
    /// The name in flags, files and journals.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            StageFormat::Movement(_) => "movement",
            StageFormat::RoundRobin(_) => "round-robin",
        }
    }

    /// Number of rounds of a round-robin with a full group; of a movement as many as its boards need at least.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        match self {
            StageFormat::Movement(rules) => rules.boards.div_ceil(rules.boards_per_round.max(1)),
            StageFormat::RoundRobin(rules) => rules.rounds(),
        }
    }

    /// Number of boards, each played at every table of its round.
    #[must_use]
    pub fn boards(&self) -> u32 {
        match self {
            StageFormat::Movement(rules) => rules.boards,
            StageFormat::RoundRobin(rules) => rules.rounds().saturating_mul(rules.deals),
        }
    }

    /// Number of boards of a full round.
    #[must_use]
    pub const fn boards_per_round(&self) -> u32 {
        match self {
            StageFormat::Movement(rules) => rules.boards_per_round,
            StageFormat::RoundRobin(rules) => rules.deals,
        }
    }
}

impl RoundRobinRules {
    /// Number of rounds of a full group: everybody meets everybody once, in an odd group one sits out each round.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        let even = self.group_size.saturating_add(self.group_size % 2);
        even.saturating_sub(1)
    }
}

/// A movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovementRules {
    /// Its kind.
    pub kind: Format,
    /// Number of boards.
    pub boards: u32,
    /// Number of boards of a full round; the last round has what is left.
    pub boards_per_round: u32,
    /// What happens when the entrants do not fill the last table.
    pub fill: Fill,
}

/// A round-robin (循环赛).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRobinRules {
    /// Maximum number of entrants of a group. The groups of a stage are as even as they can be; an odd one has byes.
    pub group_size: u32,
    /// Number of deals of a round: of a meeting of two entrants.
    pub deals: u32,
    /// Round points (轮次分) of a meeting.
    pub points: RoundPoints,
}

/// Round points of a meeting by its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundPoints {
    /// Of the winner.
    pub win: u32,
    /// Of each, if nobody wins.
    pub draw: u32,
    /// Of the loser.
    pub loss: u32,
}

impl Default for RoundPoints {
    /// The points of the Tuolaji rulebook (TL §8.1).
    fn default() -> RoundPoints {
        RoundPoints { win: 2, draw: 1, loss: 0 }
    }
}

/// Who advances to the next stage, and what is taken along.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Advancement {
    /// How many of each group advance by their place.
    pub quota: u32,
    /// How many more advance as the best of the others over all groups (外卡).
    #[serde(default)]
    pub wild: u32,
    /// What is taken along into the next stage.
    #[serde(default)]
    pub carry: CarryOver,
    /// How the places of the next stage are given.
    #[serde(default)]
    pub seeding: Seeding,
    /// Entrants that have a group of this stage without a draw, by entrant id: the group's name. Set before the entries
    /// are locked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pins: BTreeMap<String, String>,
}

/// What entrants take along into the next stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CarryOver {
    /// Nothing: everybody begins anew.
    #[default]
    None,
    /// Round points and net points.
    Points,
}

/// How the places of the next stage are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// By a draw.
    #[default]
    Draw,
    /// By the places in the stage before: the groups are filled in serpentine order.
    Places,
}
