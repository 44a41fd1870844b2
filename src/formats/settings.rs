//! What the organizer decided about an event, and its entrants.

use serde::{Deserialize, Serialize};

use super::{Fill, Format};
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
    /// The kind of event.
    pub format: Format,
    /// The seats of each position by name: one seat each, or both seats of a direction for pairs.
    pub positions: Vec<Vec<String>>,
    /// What happens when the entrants do not fill the last table.
    pub fill: Fill,
    /// The AI level of opponents and stand-ins.
    pub opponents: Option<String>,
    /// Which number of a finished board is compared.
    pub measure: Measure,
    /// Method, equalising, ranks and ties.
    pub scoring: scoring::Rules,
}

impl Settings {
    /// The largest number of results that are compared with one another on a board: one for each table.
    #[must_use]
    pub fn compared(&self, entrants: usize) -> u32 {
        let tables = match self.format {
            Format::HumanAi { .. } => entrants,
            Format::Individual | Format::Pairs => entrants.div_ceil(self.positions.len().max(1)),
        };
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
