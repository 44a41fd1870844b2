//! The course of a stage: what its format decides. The closed list of formats, one file each.

use super::movement::Movement;
use super::round_robin::RoundRobin;
use super::{DrawPurpose, Occupant, Refused, StageFormat};

/// Somebody who takes part in a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// The entrant's id.
    pub id: String,
    /// The entrant's number.
    pub number: u32,
}

/// A draw that a format needs.
pub(super) struct Wanted {
    pub purpose: DrawPurpose,
    pub group: Option<String>,
    pub among: Vec<String>,
}

/// A round as its format plans it: boards count from 1 in the stage.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub boards: Vec<u32>,
    /// For each board the place in the cycle of setups, from 0.
    pub setups: Vec<usize>,
    pub tables: Vec<PlannedTable>,
    /// Numbers of entrants.
    pub byes: Vec<u32>,
}

/// A table of a planned round.
#[derive(Clone, Debug)]
pub(super) struct PlannedTable {
    pub group: Option<String>,
    /// For each board who takes each position, by the entrants' own numbers.
    pub sittings: Vec<Vec<Occupant>>,
}

/// The course of a stage by its format.
#[derive(Clone, Debug)]
pub(super) enum Course {
    Movement(Movement),
    RoundRobin(RoundRobin),
}

impl Course {
    /// Which draw is due before the rounds are known.
    pub fn due(&self) -> Option<Wanted> {
        match self {
            Course::Movement(movement) => movement.due(),
            Course::RoundRobin(groups) => groups.due(),
        }
    }

    /// What follows from a draw that was due: the groups that it forms, with their entrants by drawn number.
    pub fn draw(
        &mut self,
        group: Option<&str>,
        order: &[String],
        seed: &str,
    ) -> Result<Vec<(String, Vec<String>)>, Refused> {
        match self {
            Course::Movement(movement) => movement.draw(seed).map(|()| Vec::new()),
            Course::RoundRobin(groups) => Ok(groups.draw(group, order)),
        }
    }

    /// The rounds, once every draw is made.
    pub fn rounds(&self) -> Option<Vec<Planned>> {
        match self {
            Course::Movement(movement) => movement.rounds(),
            Course::RoundRobin(groups) => groups.rounds(),
        }
    }

    /// Whether a round begins only when the one before is over.
    pub const fn one_round_at_a_time(&self) -> bool {
        matches!(self, Course::RoundRobin(_))
    }

    /// The names of the groups and who is in them, in order; nothing without groups.
    pub fn groups(&self) -> Vec<(String, Vec<String>)> {
        match self {
            Course::Movement(_) => Vec::new(),
            Course::RoundRobin(groups) => groups.groups(),
        }
    }

    /// The group of an entrant.
    pub fn group_of(&self, number: u32) -> Option<String> {
        match self {
            Course::Movement(_) => None,
            Course::RoundRobin(groups) => groups.group_of(number),
        }
    }
}

impl StageFormat {
    /// Number of boards of a stage with so many entrants, and the sizes of its groups.
    ///
    /// # Errors
    /// The entrants cannot be split into groups.
    pub(super) fn extent(&self, stage: u32, entrants: u32) -> Result<(u32, Vec<u32>), Refused> {
        match self {
            StageFormat::Movement(rules) => Ok((rules.boards, vec![entrants])),
            StageFormat::RoundRobin(rules) => {
                super::round_robin::extent(rules, entrants).ok_or(Refused::Groups { stage, entrants })
            }
        }
    }
}
