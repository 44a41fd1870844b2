//! A movement as data: rounds, tables, and who sits in which position on which board.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Format;

/// Who takes a position. Plan numbers count from 1; the seat draw says which entrant has which number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Occupant {
    /// The entrant with a plan number. In JSON the number.
    Entrant(u32),
    /// A stand-in (补位电脑) that fills the last table; its results are not ranked. In JSON `"S1"`, `"S2"`…
    StandIn(u32),
    /// An AI opponent of a human–AI event. In JSON `"AI"`.
    Ai,
}

impl Occupant {
    /// The plan number of an entrant.
    #[must_use]
    pub const fn entrant(self) -> Option<u32> {
        match self {
            Occupant::Entrant(number) => Some(number),
            _ => None,
        }
    }
}

impl fmt::Display for Occupant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Occupant::Entrant(number) => write!(f, "{number}"),
            Occupant::StandIn(number) => write!(f, "S{number}"),
            Occupant::Ai => f.write_str("AI"),
        }
    }
}

impl FromStr for Occupant {
    type Err = String;

    fn from_str(text: &str) -> Result<Occupant, String> {
        let number = |digits: &str| digits.parse::<u32>().ok().filter(|number| *number > 0);
        match text.strip_prefix('S') {
            _ if text == "AI" => Some(Occupant::Ai),
            Some(digits) => number(digits).map(Occupant::StandIn),
            None => number(text).map(Occupant::Entrant),
        }
        .ok_or_else(|| {
            let shown: String = text.chars().take(20).collect();
            format!("`{shown}` is nobody: write a plan number, S1 for a stand-in or AI")
        })
    }
}

impl Serialize for Occupant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Occupant::Entrant(number) => serializer.serialize_u32(*number),
            _ => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Occupant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Occupant, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(u32),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Number(number) => number.to_string().parse(),
            Form::Text(text) => text.parse(),
        }
        .map_err(serde::de::Error::custom)
    }
}

/// A table in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Number of the table, from 1 in each round.
    pub table: u32,
    /// For each board of the round, in the round's order: who takes each position.
    pub sittings: Vec<Vec<Occupant>>,
}

/// A round: every table plays the same boards, with the same people, changing seats between boards; pairs keep their
/// direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Number of the round, from 1.
    pub round: u32,
    /// Numbers of the boards, from 1 over the whole event.
    pub boards: Vec<u32>,
    /// The tables.
    pub tables: Vec<Table>,
    /// Plan numbers that sit out (轮空): not played, no score.
    pub byes: Vec<u32>,
}

/// A movement from the first round to the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// What kind of event it is for.
    pub format: Format,
    /// The seats that each position stands for, counted from 0 in playing order: one seat each, or for pairs both
    /// seats of a direction.
    pub positions: Vec<Vec<u8>>,
    /// How many entrants: plan numbers 1 to this.
    pub entrants: u32,
    /// How many stand-ins: `S1` to this.
    pub stand_ins: u32,
    /// The rounds in order.
    pub rounds: Vec<Round>,
}

impl Plan {
    /// How many boards the event has.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.rounds.iter().map(|round| round.boards.len()).sum()
    }

    /// Every single sitting: (round, table, board, position, occupant), in that order.
    pub fn sittings(&self) -> impl Iterator<Item = (u32, u32, u32, usize, Occupant)> + '_ {
        self.rounds.iter().flat_map(|round| {
            round.tables.iter().flat_map(move |table| {
                round.boards.iter().zip(&table.sittings).flat_map(move |(board, sitting)| {
                    sitting
                        .iter()
                        .enumerate()
                        .map(move |(position, who)| (round.round, table.table, *board, position, *who))
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occupants_are_read_back_from_their_text() {
        for who in [Occupant::Entrant(17), Occupant::StandIn(2), Occupant::Ai] {
            assert_eq!(who.to_string().parse(), Ok(who));
            let json = serde_json::to_string(&who).unwrap();
            assert_eq!(serde_json::from_str::<Occupant>(&json).unwrap(), who);
        }
        for bad in ["", "0", "S", "S0", "AI1", "-1", "x"] {
            assert!(bad.parse::<Occupant>().is_err(), "{bad}");
        }
    }
}
