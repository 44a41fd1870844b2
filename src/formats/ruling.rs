//! Rulings as entries: what was decided, by whom, why; chained, never changed, at most withdrawn by a later one.
//!
//! A ruling says what a result *is*; what it is worth follows from the whole comparison group when the results are
//! rebuilt. Nothing here computes a score.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::canonical;
use crate::scoring::{Amount, Penalty, PenaltyFault, Score, Standing, Status, Weighted};
use crate::words::{Message, is_hidden, message};

/// What a ruling decides. Boards are the event's board numbers; an entrant plays a board once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Decision {
    /// Adjusted score: the result counts with this raw score.
    Score {
        /// The board.
        board: u32,
        /// The entrant.
        entrant: String,
        /// The raw score.
        score: Score,
    },
    /// Artificial score, absence or disqualification from one board: the result counts with this status.
    Status {
        /// The board.
        board: u32,
        /// The entrant.
        entrant: String,
        /// `A+`, `A`, `A-`, `not-played`, `absent` or `disqualified`.
        #[serde(deserialize_with = "status")]
        status: Status,
    },
    /// Weighted ruling (F5): several outcomes with probabilities.
    Weighted {
        /// The board.
        board: u32,
        /// The entrant.
        entrant: String,
        /// The outcomes; their weights add up to 1.
        outcomes: Vec<Weighted>,
    },
    /// Procedural penalty (F6) on a board's value.
    Penalty {
        /// The board.
        board: u32,
        /// The entrant.
        entrant: String,
        /// How much.
        amount: Amount,
    },
    /// The board counts for nobody.
    Void {
        /// The board.
        board: u32,
    },
    /// The entrant leaves the ranking: `withdrawn` or `disqualified`; finished boards stay in the comparison.
    Standing {
        /// The entrant.
        entrant: String,
        /// The new standing.
        #[serde(deserialize_with = "standing")]
        standing: Standing,
    },
    /// An earlier ruling no longer holds, after an appeal for instance.
    Withdraw {
        /// Its number.
        ruling: u32,
    },
}

/// What a decision reaches: the larger, the higher the right that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// One result of one entrant.
    Result,
    /// A ruling that holds: it is withdrawn or replaced.
    Ruling,
    /// A board, for everybody.
    Board,
    /// Whether an entrant takes part in the ranking.
    Ranking,
}

/// What becomes of a result by a ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Becomes {
    /// It is compared with others.
    Compared,
    /// It counts as an artificial score, and is compared with nothing.
    Awarded,
    /// It counts for nothing.
    Struck,
}

impl Decision {
    /// What the decision reaches by its kind; it may reach further by what it does to an event's results.
    #[must_use]
    pub const fn reach(&self) -> Reach {
        match self {
            Decision::Score { .. }
            | Decision::Status { .. }
            | Decision::Weighted { .. }
            | Decision::Penalty { .. } => Reach::Result,
            Decision::Void { .. } => Reach::Board,
            Decision::Standing { .. } => Reach::Ranking,
            Decision::Withdraw { .. } => Reach::Ruling,
        }
    }

    /// The result that counts otherwise by this decision: its board, its entrant, and what becomes of it.
    /// A penalty leaves the result as it is.
    #[must_use]
    pub fn settles(&self) -> Option<(u32, &str, Becomes)> {
        match self {
            Decision::Score { board, entrant, .. } | Decision::Weighted { board, entrant, .. } => {
                Some((*board, entrant, Becomes::Compared))
            }
            Decision::Status { board, entrant, status } => {
                let becomes = if status.is_award() { Becomes::Awarded } else { Becomes::Struck };
                Some((*board, entrant, becomes))
            }
            Decision::Penalty { .. }
            | Decision::Void { .. }
            | Decision::Standing { .. }
            | Decision::Withdraw { .. } => None,
        }
    }
}

/// The statuses that a ruling can give one result.
pub const GIVEN: [Status; 6] = [
    Status::AwardPlus,
    Status::Award,
    Status::AwardMinus,
    Status::NotPlayed,
    Status::Absent,
    Status::Disqualified,
];

/// The standings that a ruling can give an entrant.
const TAKEN: [Standing; 3] = [Standing::Withdrawn, Standing::Disqualified, Standing::Ranked];

/// Reads a status. A word that is none is answered with those that a ruling can give, so that no other is suggested.
fn status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Status, D::Error> {
    const WORDS: &[&str] =
        &[GIVEN[0].id(), GIVEN[1].id(), GIVEN[2].id(), GIVEN[3].id(), GIVEN[4].id(), GIVEN[5].id()];
    let word = String::deserialize(deserializer)?;
    word.parse().map_err(|_| D::Error::unknown_variant(&word, WORDS))
}

/// Reads a standing in the same way.
fn standing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Standing, D::Error> {
    const WORDS: &[&str] = &[TAKEN[0].id(), TAKEN[1].id(), TAKEN[2].id()];
    let word = String::deserialize(deserializer)?;
    word.parse().map_err(|_| D::Error::unknown_variant(&word, WORDS))
}

/// A ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// Counted from 1 within the event.
    pub number: u32,
    /// When, µs since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// Who ruled.
    pub by: String,
    /// Why; published with the result.
    pub reason: String,
    /// What was decided.
    pub decision: Decision,
}

/// Why a ruling cannot stand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulingFault {
    /// Numbers are consecutive from 1.
    #[error("this should be ruling {0}")]
    Number(u32),
    /// Nobody ruled, or without a reason; or a text longer than 1,000 characters.
    #[error("a ruling needs a name and a reason of 1 to 1000 characters")]
    NoReason,
    /// A name or a reason with characters that are not seen or turn the direction of writing.
    #[error(
        "the name or the reason of a ruling has hidden characters (control or direction): leave them out"
    )]
    Hidden,
    /// The board is not played in the event.
    #[error("there is no board {0} in the event")]
    NoBoard(u32),
    /// The entrant is not in the event.
    #[error("there is no entrant `{0}` in the event")]
    NoEntrant(String),
    /// The entrant does not play the board.
    #[error("entrant `{0}` has no result on board {1}")]
    NoResult(String, u32),
    /// The status cannot be given by a ruling.
    #[error(
        "the status `{0}` cannot be given to one result: use `A+`, `A`, `A-`, `not-played`, `absent` or \
         `disqualified`; a score is given by `score`, a whole board is voided by `void`"
    )]
    BadStatus(&'static str),
    /// A standing that no ruling gives.
    #[error("the standing `{0}` cannot be given by a ruling: use withdrawn or disqualified")]
    BadStanding(&'static str),
    /// A score for somebody who sat out: nobody held those cards.
    #[error("entrant `{0}` sits out board {1}: there is no play to score; give an artificial score")]
    Bye(String, u32),
    /// A penalty that is none, or beyond the scale of the method.
    #[error(transparent)]
    Penalty(#[from] PenaltyFault),
    /// The weights of a weighted ruling.
    #[error("the outcomes of a weighted ruling need weights above 0 that add up to 1")]
    BadWeights,
    /// A withdrawal of something that does not hold.
    #[error("ruling {0} is not there or does not hold any more")]
    NotInForce(u32),
}

impl RulingFault {
    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            RulingFault::Number(number) => message!("ruling-number", number),
            RulingFault::NoReason => message!("ruling-no-reason"),
            RulingFault::Hidden => message!("ruling-hidden"),
            RulingFault::NoBoard(board) => message!("ruling-no-board", board),
            RulingFault::NoEntrant(entrant) => message!("ruling-no-entrant", entrant),
            RulingFault::NoResult(entrant, board) => message!("ruling-no-result", entrant, board),
            RulingFault::BadStatus(status) => message!("ruling-bad-status", status),
            RulingFault::BadStanding(standing) => message!("ruling-bad-standing", standing),
            RulingFault::Bye(entrant, board) => message!("ruling-bye", entrant, board),
            RulingFault::Penalty(fault) => fault.message(),
            RulingFault::BadWeights => message!("ruling-bad-weights"),
            RulingFault::NotInForce(number) => message!("ruling-not-in-force", number),
        }
    }
}

impl Ruling {
    /// The canonical bytes.
    #[must_use]
    pub fn canonical(&self) -> String {
        // Texts, integers and exact fractions always have a canonical form.
        canonical::to_string(self).unwrap_or_default()
    }

    /// Checks what can be checked without the event.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self, number: u32) -> Result<(), RulingFault> {
        if self.number != number {
            return Err(RulingFault::Number(number));
        }
        for text in [&self.by, &self.reason] {
            if text.trim().is_empty() || text.chars().count() > 1000 {
                return Err(RulingFault::NoReason);
            }
            if text.chars().any(|letter| is_hidden(letter) && !matches!(letter, '\n' | '\r' | '\t')) {
                return Err(RulingFault::Hidden);
            }
        }
        match &self.decision {
            Decision::Status { status, .. } if !GIVEN.contains(status) => {
                Err(RulingFault::BadStatus(status.id()))
            }
            Decision::Standing { standing: Standing::StandIn, .. } => {
                Err(RulingFault::BadStanding(Standing::StandIn.id()))
            }
            Decision::Penalty { amount, .. } => {
                Penalty { ruling: self.number.to_string(), amount: amount.clone() }.check()?;
                Ok(())
            }
            Decision::Weighted { outcomes, .. } => {
                let entry = crate::scoring::Entry::weighted(
                    "check",
                    outcomes.iter().map(|one| (one.weight.clone(), one.score.clone())),
                );
                if outcomes.is_empty() || entry.check().is_err() {
                    return Err(RulingFault::BadWeights);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The rulings that hold: those that no later one withdraws, withdrawals themselves left out.
///
/// # Errors
/// A withdrawal of a ruling that does not hold.
pub fn in_force(rulings: &[Ruling]) -> Result<Vec<&Ruling>, RulingFault> {
    let mut holding: Vec<&Ruling> = Vec::with_capacity(rulings.len());
    for ruling in rulings {
        if let Decision::Withdraw { ruling: number } = ruling.decision {
            let before = holding.len();
            holding.retain(|earlier| earlier.number != number);
            if holding.len() == before {
                return Err(RulingFault::NotInForce(number));
            }
        } else {
            holding.push(ruling);
        }
    }
    Ok(holding)
}
