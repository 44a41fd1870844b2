//! The rulesets of no-limit hold'em: every switch of the rulebook that the engine uses is a field.
//!
//! Nothing here plays; a ruleset is data that an announcement commits to. What only a referee at a live table needs
//! (chips pushed silently, unclear bets) is not here.

use serde::{Deserialize, Serialize};

use super::start::{CHIPS_MAX, SEATS_MAX};
use crate::games::{Clause, Fault, Ruleset};
use crate::words::{Message, message};

/// How all-ins that are each short of a full raise count for a seat that has acted (PK-92).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShortAllIns {
    /// The seat may raise again as soon as it faces a full raise altogether.
    AddUp,
    /// Only a single full raise opens the betting again.
    EachAlone,
}

/// Where the odd chips of a pot go (PK-40, PK-41).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OddChips {
    /// One to each winner, clockwise from the button.
    OneEach,
    /// All to the first winner left of the button.
    AllToFirst,
}

/// Which the big blind posts first when it also posts the ante for the table (PK-73).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BigBlindAnte {
    /// The blind, then the ante from what is left.
    BlindFirst,
    /// The ante, then the blind from what is left.
    AnteFirst,
}

/// What happens to the cards when somebody is all-in and the betting is finished (PK-33).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AllInCards {
    /// All live hands are turned up at once and nobody may muck.
    FaceUp,
    /// Hands are shown in turn after the last card, as without an all-in.
    InTurn,
}

/// Who shows first without an all-in (PK-34).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShowFirst {
    /// The last seat that bet or raised on the last round of betting; without one, the first left of the button.
    LastAggressor,
    /// The first live seat left of the button.
    LeftOfButton,
}

/// How large a bet or raise may be before the flop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreflopBetting {
    /// Up to the whole stack (无限注).
    NoLimit,
    /// Up to the pot as it is after the call (底池限注); from the flop on there is no limit.
    PotLimit,
}

/// What the clock does to a hand that faces no bet (PK-59).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FacingNoBet {
    /// The hand is dead.
    Dead,
    /// The hand is checked.
    Check,
}

/// Who posts antes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnteKind {
    /// Nobody.
    None,
    /// Every seat, before the blinds.
    All,
    /// The big blind, for the whole table.
    Bb,
}

impl AnteKind {
    /// The word in records, setups and rulesets.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            AnteKind::None => "none",
            AnteKind::All => "all",
            AnteKind::Bb => "bb",
        }
    }
}

/// Times of a decision, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Time to decide once the clock runs.
    pub decide_ms: u32,
    /// The countdown after it.
    pub countdown_ms: u32,
    /// What becomes of a hand that faces no bet when both are used up; one that faces a bet is folded.
    pub facing_no_bet: FacingNoBet,
}

/// The settings of every board of a duplicate event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duplicate {
    /// Seats at the table, 2 to 10.
    pub seats: u8,
    /// Everybody's stack at the start of the hand, in chips.
    pub stack: u64,
    /// The small blind, in chips.
    pub small_blind: u64,
    /// The big blind, in chips.
    pub big_blind: u64,
    /// Who posts antes.
    pub ante_kind: AnteKind,
    /// The ante, in chips.
    pub ante: u64,
    /// The smallest chip in play.
    pub unit: u64,
}

/// A ruleset of no-limit hold'em.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The name printed on every result.
    pub name: String,
    /// PK-92.
    pub short_all_ins: ShortAllIns,
    /// PK-41.
    pub odd_chips: OddChips,
    /// PK-73.
    pub big_blind_ante: BigBlindAnte,
    /// PK-33.
    pub all_in_cards: AllInCards,
    /// PK-34.
    pub show_first: ShowFirst,
    /// The greatest bet or raise before the flop.
    pub preflop_betting: PreflopBetting,
    /// PK-102.
    pub pot_shown: bool,
    /// PK-59.
    pub clock: Clock,
    /// Boards dealt by number.
    pub duplicate: Duplicate,
}

impl Ruleset for Rules {
    fn name(&self) -> &str {
        &self.name
    }

    fn clauses(&self) -> Vec<Clause> {
        super::clauses::clauses(self)
    }

    fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut fault = |code, message: Message| faults.push(Fault::new(code, message));
        if self.name.is_empty() || self.name.chars().count() > 60 {
            fault("bad_name", message!("holdem-name-60"));
        }
        // In pot-limit everybody may know the pot (TDA 43).
        if self.preflop_betting == PreflopBetting::PotLimit && !self.pot_shown {
            fault("bad_pot", message!("holdem-pot-limit-shown"));
        }
        if self.clock.decide_ms == 0 {
            fault("bad_clock", message!("holdem-clock-zero"));
        }
        if self.clock.decide_ms.checked_add(self.clock.countdown_ms).is_none() {
            fault("bad_clock", message!("holdem-clock-long"));
        }
        let board = &self.duplicate;
        if !(2..=SEATS_MAX).contains(&usize::from(board.seats)) {
            fault("bad_seats", message!("holdem-seats-range", seats_max = SEATS_MAX));
        }
        for (field, value) in [("stack", board.stack), ("big_blind", board.big_blind), ("unit", board.unit)] {
            if value == 0 {
                fault("too_small", message!("holdem-at-least-1", field));
            }
        }
        let amounts = [
            ("stack", board.stack),
            ("small_blind", board.small_blind),
            ("big_blind", board.big_blind),
            ("ante", board.ante),
            ("unit", board.unit),
        ];
        for (field, value) in amounts {
            if value > CHIPS_MAX {
                fault("too_large", message!("holdem-at-most", field, chips_max = CHIPS_MAX));
            } else if board.unit > 0 && value % board.unit != 0 {
                let unit = board.unit;
                fault("not_a_multiple", message!("holdem-unit-multiple", field, unit));
            }
        }
        if board.small_blind > board.big_blind {
            fault("bad_blinds", message!("holdem-duplicate-blinds"));
        }
        if board.ante_kind == AnteKind::None && board.ante != 0 {
            fault("bad_ante", message!("holdem-duplicate-ante"));
        }
        faults
    }
}
