//! What a seat can do, and why it may not.

use super::start::seat_name;
use crate::games::{ActionText, Refusal, Seat};
use crate::words::{Message, message, terms};

/// What a seat can do. Amounts are the total of the seat's bet on the street, in chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// `fold` (弃牌), facing a bet.
    Fold,
    /// `check` (过牌), facing none.
    Check,
    /// `call` (跟注), with the whole stack if it is short.
    Call,
    /// `bet N` (下注): the first bet of a street after the flop.
    Bet(u64),
    /// `raise N` (加注): to N in all; before the flop the blind is the first bet.
    Raise(u64),
    /// `all-in` (全押): a bet or raise if one is open, else the call.
    AllIn,
    /// `dead`: an official's word that the hand is dead. From the clock when the seat's time is up and it faces no bet
    /// (PK-59), from a referee about any live hand as long as the hand is played, whoever's turn it is (PK-62, PK-106,
    /// PK-112, PK-115, PK-116). Never listed among a seat's legal actions.
    Dead,
}

/// Reads an action; any run of digits is an amount, one beyond 64 bits counts as the largest there is.
pub(super) fn read(text: &ActionText) -> Result<Action, Message> {
    if text.after.is_some() {
        return Err(message!("holdem-no-after"));
    }
    let word = text.text.as_str();
    let action = match word {
        "fold" => Action::Fold,
        "check" => Action::Check,
        "call" => Action::Call,
        "all-in" => Action::AllIn,
        "dead" => Action::Dead,
        _ => match word.split_once(' ') {
            Some(("bet", amount)) => Action::Bet(read_amount(amount)?),
            Some(("raise", amount)) => Action::Raise(read_amount(amount)?),
            _ => {
                let shown: String = word.chars().take(40).collect();
                return Err(message!("holdem-no-action", shown = shown.escape_debug()));
            }
        },
    };
    Ok(action)
}

fn read_amount(text: &str) -> Result<u64, Message> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || (text.len() > 1 && text.starts_with('0')) {
        let shown: String = text.chars().take(40).collect();
        return Err(message!("holdem-no-amount", shown = shown.escape_debug()));
    }
    Ok(text.parse().unwrap_or(u64::MAX))
}

/// Writes an action.
pub(super) fn write(action: Action) -> ActionText {
    ActionText::plain(match action {
        Action::Fold => "fold".to_owned(),
        Action::Check => "check".to_owned(),
        Action::Call => "call".to_owned(),
        Action::Bet(to) => format!("bet {to}"),
        Action::Raise(to) => format!("raise {to}"),
        Action::AllIn => "all-in".to_owned(),
        Action::Dead => "dead".to_owned(),
    })
}

/// Why an action is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// Another seat is to act.
    NotYourTurn {
        /// The seat on turn.
        turn: Seat,
    },
    /// The hand is over, or waits for nobody.
    Over,
    /// `bet` where a bet is open: it would be a raise.
    BetIsOpen,
    /// `raise` where no bet is open: it would be a bet.
    NoBetOpen,
    /// `fold` or `call` with nothing to call (PK-106).
    NothingToCall {
        /// Whether a bet is open, so that a seat that adds to it raises.
        open: bool,
    },
    /// `dead` about a seat that has folded or was not dealt in.
    NotLive {
        /// The seat.
        seat: Seat,
    },
    /// `dead` from a player: only the clock or a referee says that a hand is dead.
    OnlyOfficials {
        /// Whether checking is free.
        free: bool,
    },
    /// `check` facing a bet.
    CannotCheck {
        /// Chips still to put in.
        call: u64,
        /// Whether the seat may raise.
        raise: bool,
    },
    /// The amount is below the minimum, beyond the stack, or no multiple of the smallest chip.
    BadAmount {
        /// The least total.
        min: u64,
        /// The greatest total.
        max: u64,
        /// The smallest chip.
        unit: u64,
    },
    /// The seat has acted, and only less than a full raise was added since (PK-92).
    NotReopened,
    /// Nobody could call more.
    NobodyToRaise,
}

impl Refusal for Illegal {
    fn code(&self) -> &'static str {
        match self {
            Illegal::NotYourTurn { .. } => "not_your_turn",
            Illegal::Over | Illegal::BetIsOpen | Illegal::NotLive { .. } => "wrong_phase",
            Illegal::NoBetOpen | Illegal::NothingToCall { .. } | Illegal::OnlyOfficials { .. } => {
                "nothing_to_call"
            }
            Illegal::CannotCheck { .. } => "cannot_check",
            Illegal::BadAmount { .. } => "bad_amount",
            Illegal::NotReopened | Illegal::NobodyToRaise => "not_reopened",
        }
    }

    fn message(&self) -> Message {
        match *self {
            Illegal::NotYourTurn { turn } => {
                Message::plain("not-your-turn").with("turn", terms::position(seat_name(turn)))
            }
            Illegal::Over => Message::plain("holdem-over"),
            Illegal::BetIsOpen => Message::plain("holdem-bet-is-open"),
            Illegal::NoBetOpen => Message::plain("holdem-no-bet-open"),
            Illegal::NothingToCall { open: true } => Message::plain("holdem-nothing-to-call-raise"),
            Illegal::NothingToCall { open: false } => Message::plain("holdem-nothing-to-call"),
            Illegal::NotLive { seat } => Message::plain("holdem-not-live").with("seat", seat_name(seat)),
            Illegal::OnlyOfficials { free: true } => Message::plain("holdem-dead-free"),
            Illegal::OnlyOfficials { free: false } => Message::plain("holdem-dead-facing"),
            Illegal::CannotCheck { call, raise: true } => {
                Message::plain("holdem-cannot-check").with("call", call)
            }
            Illegal::CannotCheck { call, raise: false } => {
                Message::plain("holdem-cannot-check-or-raise").with("call", call)
            }
            Illegal::BadAmount { min, max, unit } => {
                Message::plain("holdem-bad-amount").with("min", min).with("max", max).with("unit", unit)
            }
            Illegal::NotReopened => Message::plain("holdem-not-reopened"),
            Illegal::NobodyToRaise => Message::plain("holdem-nobody-to-raise"),
        }
    }
}
