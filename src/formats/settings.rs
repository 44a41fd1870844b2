//! What the organizer decided about an event, and its entrants.

use serde::{Deserialize, Serialize};

use super::{Fill, Format, MovementRules, Request, Stage, StageFormat};
use crate::scoring::{self, said};
use crate::words::{Message, message};

/// Which number of a finished board is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The raw score of the position's first seat.
    #[default]
    Score,
    /// Tuolaji's small points: the defenders' points, counted against the banker's side.
    SmallPoints,
}

/// What the organizer decided about the event beside ruleset and deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The event's name for people.
    pub title: String,
    /// The seats of each position by name: one seat each, or both seats of a direction for pairs.
    pub positions: Vec<Vec<String>>,
    /// The AI level of opponents and stand-ins.
    pub opponents: Option<String>,
    /// Which number of a finished board is compared.
    pub measure: Measure,
    /// Method, equalising, ranks and ties.
    pub scoring: scoring::Rules,
    /// The stages in order; at least one.
    pub stages: Vec<Stage>,
}

impl Settings {
    /// The rules of the movement, where the event is one.
    #[must_use]
    pub fn movement(&self) -> Option<&MovementRules> {
        match &self.stages.first()?.format {
            StageFormat::Movement(rules) => Some(rules),
            StageFormat::RoundRobin(_) => None,
        }
    }

    /// The rules of the movement, to be changed.
    pub fn movement_mut(&mut self) -> Option<&mut MovementRules> {
        match &mut self.stages.first_mut()?.format {
            StageFormat::Movement(rules) => Some(rules),
            StageFormat::RoundRobin(_) => None,
        }
    }

    /// The entrants' seat of a human–AI event, counted from 0: everybody plays at an own table.
    #[must_use]
    pub fn own_seat(&self) -> Option<u8> {
        match self.movement()?.kind {
            Format::HumanAi { seat } => Some(seat),
            Format::Individual | Format::Pairs => None,
        }
    }

    /// Whether an entrant is a pair: every position has two seats.
    #[must_use]
    pub fn pairs(&self) -> bool {
        !self.positions.is_empty() && self.positions.iter().all(|seats| seats.len() == 2)
    }

    /// Whether AI players take part beside those that play for entrants: opponents, stand-ins, seats that are left over.
    #[must_use]
    pub fn plays_software(&self) -> bool {
        match self.movement() {
            Some(rules) => matches!(rules.kind, Format::HumanAi { .. }) || rules.fill == Fill::StandIn,
            None => self.positions.len() > 2,
        }
    }

    /// The name of the kind of event in interfaces: `human-ai`, `individual`, `pairs` or `round-robin`.
    #[must_use]
    pub fn format_name(&self) -> &'static str {
        match self.movement() {
            Some(rules) => rules.kind.name(),
            None => "round-robin",
        }
    }

    /// The order for the planner, where the event is a movement. The seed decides nothing but the order of what is equal.
    #[must_use]
    pub fn movement_request(&self, entrants: u32, seed: &str) -> Option<Request> {
        let seats = u8::try_from(self.positions.iter().flatten().count()).unwrap_or(u8::MAX);
        Some(self.movement()?.request(seats, entrants, seed))
    }

    /// Number of boards of all stages, those of reserve sets left out.
    #[must_use]
    pub fn boards(&self) -> u32 {
        self.stages.iter().fold(0, |sum, stage| sum.saturating_add(stage.format.boards()))
    }

    /// Number of boards of a full round of the first stage.
    #[must_use]
    pub fn boards_per_round(&self) -> u32 {
        self.stages.first().map_or(0, |stage| stage.format.boards_per_round())
    }

    /// The largest number of results that are compared with one another on a board: one for each table.
    #[must_use]
    pub fn compared(&self, entrants: usize) -> u32 {
        let tables =
            if self.own_seat().is_some() { entrants } else { entrants.div_ceil(self.positions.len().max(1)) };
        u32::try_from(tables).unwrap_or(u32::MAX)
    }

    /// Everything about the scoring that cannot be applied to an event that is played here, in words.
    #[must_use]
    pub fn scoring_faults(&self) -> Vec<Message> {
        let mut faults = self.scoring.check().err().unwrap_or_default();
        if self.scoring.method.is_teams() {
            faults
                .push(message!("scoring-teams", method = Message::plain(said::method(self.scoring.method))));
        }
        faults
    }
}

/// An entrant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// Identifier; equal names are different entrants.
    pub id: String,
    /// The number, given at the entry and kept: the movement says it, too.
    pub number: u32,
    /// The name as given, or as corrected.
    pub name: String,
    /// The AI level that plays for the entrant; `null` for a person.
    pub level: Option<String>,
    /// The club; absent where none was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub club: Option<String>,
    /// The region; absent where none was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
}

impl Entrant {
    /// Club and region, as far as given: what stands beside a name that several have.
    #[must_use]
    pub fn origin(&self) -> Option<String> {
        let parts: Vec<&str> = [&self.club, &self.region].into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// The entrant with a number among entrants in rising order of their numbers.
    #[must_use]
    pub fn numbered(entrants: &[Entrant], number: u32) -> Option<&Entrant> {
        entrants.binary_search_by_key(&number, |entrant| entrant.number).ok().and_then(|at| entrants.get(at))
    }
}
