//! What an organizer asks of the planner, and every contradiction in it.

use std::fmt;
use std::str::FromStr;

use crate::words::{Lang, Message, message, say};
use serde::{Deserialize, Serialize};

/// The most entrants a plan is made for.
pub const ENTRANTS_MAX: u32 = 10_000;
/// The most entrants of a movement; a human–AI event may have more.
pub const MOVEMENT_MAX: u32 = 4_000;
/// The most boards a plan is made for.
pub const BOARDS_MAX: u32 = 1_000;
/// The most places (entrants × boards) a plan is made for.
pub const PLACES_MAX: u64 = 2_000_000;

/// The kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Human–AI event (人机赛): every entrant takes the same seat, each at an own table, AI players take the others.
    HumanAi {
        /// The entrants' seat, counted from 0 in playing order.
        seat: u8,
    },
    /// Duplicate individual (复式个人赛): entrants meet at tables and take every seat equally often.
    Individual,
    /// Duplicate pairs (复式双人赛): seats 0 and 2 against seats 1 and 3; an entrant is a pair.
    Pairs,
}

impl Format {
    /// The name in flags, files and interfaces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::HumanAi { .. } => "human-ai",
            Format::Individual => "individual",
            Format::Pairs => "pairs",
        }
    }
}

/// What happens when the entrants do not fill the last table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// AI stand-ins fill the table; their own results are not ranked. Every entrant plays every board.
    #[default]
    StandIn,
    /// Those who are left over sit out, a different one each round: not played, no score.
    Bye,
}

impl Fill {
    /// The name in flags and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fill::StandIn => "stand-in",
            Fill::Bye => "bye",
        }
    }
}

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Fill {
    type Err = String;

    fn from_str(text: &str) -> Result<Fill, String> {
        [Fill::StandIn, Fill::Bye]
            .into_iter()
            .find(|fill| fill.name() == text)
            .ok_or_else(|| format!("unknown filling `{text}`: use stand-in or bye"))
    }
}

/// An order for a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The kind of event.
    pub format: Format,
    /// Seats of a table of the game, 2 to 10; 4 for pairs.
    pub seats: u8,
    /// How many entrants (players, or pairs).
    pub entrants: u32,
    /// How many boards the event has.
    pub boards: u32,
    /// How many boards a round has; the last round has what is left.
    pub boards_per_round: u32,
    /// What happens when the entrants do not fill the last table.
    pub fill: Fill,
    /// Any text; another text gives another plan of the same quality.
    pub seed: String,
}

/// A contradiction in a request, or why it cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestFault {
    /// Stable code: `bad_seats`, `bad_boards`, `bad_round`, `bad_entrants`, `too_large`, `disconnected`,
    /// `uneven_comparisons`, or a code of the audit.
    pub code: &'static str,
    /// What is wrong and what to do, one line, in English.
    pub message: String,
    /// The same for a reader of any language.
    pub told: Message,
}

impl RequestFault {
    /// A fault with its code and sentence.
    pub(super) fn new(code: &'static str, told: Message) -> RequestFault {
        RequestFault { code, message: say(Lang::En, &told), told }
    }
}

impl Request {
    /// How many entrants sit at a full table: 1 in a human–AI event, 2 pairs, else the seats.
    #[must_use]
    pub const fn table_size(&self) -> u32 {
        match self.format {
            Format::HumanAi { .. } => 1,
            Format::Individual => self.seats as u32,
            Format::Pairs => 2,
        }
    }

    /// Every contradiction; empty when the planner will try.
    #[must_use]
    pub fn faults(&self) -> Vec<RequestFault> {
        let mut faults = Vec::new();
        let mut fault = |code, told: Message| faults.push(RequestFault::new(code, told));
        if !(2..=10).contains(&self.seats) {
            fault("bad_seats", message!("request-seats", seats = self.seats));
        }
        match self.format {
            Format::Pairs if self.seats != 4 => {
                fault("bad_seats", message!("request-pairs", seats = self.seats));
            }
            Format::HumanAi { seat } if seat >= self.seats => {
                fault("bad_seats", message!("request-seat"));
            }
            _ => {}
        }
        if self.boards == 0 || self.boards > BOARDS_MAX {
            fault("bad_boards", message!("request-boards", boards_max = BOARDS_MAX, boards = self.boards));
        }
        if self.boards_per_round == 0 || self.boards_per_round > self.boards {
            fault("bad_round", message!("request-round", boards = self.boards));
        }
        let least = self.least_entrants();
        if self.entrants < least || self.entrants > self.most_entrants() {
            fault("bad_entrants", self.entrants_sentence(least));
        } else if u64::from(self.entrants) * u64::from(self.boards) > PLACES_MAX {
            fault("too_large", message!("request-too-large", places_max = PLACES_MAX));
        }
        faults
    }

    /// The fewest entrants. One table compares nobody with anybody: byes need two full tables, stand-ins can make up
    /// the second.
    #[must_use]
    pub const fn least_entrants(&self) -> u32 {
        match (self.format, self.fill) {
            (Format::HumanAi { .. }, _) => 1,
            (_, Fill::Bye) => 2 * self.table_size(),
            (_, Fill::StandIn) => 2,
        }
    }

    /// The most entrants of such an event, with however few boards.
    #[must_use]
    pub const fn most_entrants(&self) -> u32 {
        match self.format {
            Format::HumanAi { .. } => ENTRANTS_MAX,
            _ => MOVEMENT_MAX,
        }
    }

    fn entrants_sentence(&self, least: u32) -> Message {
        if self.entrants < least && self.fill == Fill::Bye {
            message!("request-byes", entrants = self.entrants)
        } else {
            message!("request-entrants", least, most = self.most_entrants(), entrants = self.entrants)
        }
    }
}
