//! Why an action is refused: the reasons of the record format with what a player needs to hear.

use super::SEAT_NAMES;
use super::bag::Bag;
use super::call::{Jokers, Strength};
use super::follow::Lack;
use super::ladder::Level;
use super::shape::{Kind, Runs};
use super::state::Phase;
use crate::cards::Card;
use crate::games::{Refusal, Seat};
use crate::words::{Message, terms};

/// A typed reason for refusing an action. The order of the variants is the order of the checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// `wrong_phase`: nothing of this kind can be done now.
    WrongPhase(Phase),
    /// `wrong_phase`: a call said to be made earlier than the draw has come.
    TooLate {
        /// The call's `after`.
        after: u8,
        /// How many cards have been drawn.
        drawn: u8,
    },
    /// `wrong_phase`: a call said to be made later than the dealer has drawn.
    TooEarly {
        /// The call's `after`.
        after: u8,
        /// How many cards have been drawn.
        drawn: u8,
    },
    /// `not_your_turn`: another seat is to act.
    NotYourTurn(Seat),
    /// `card_named_twice`: a face named more often than there are copies.
    NamedTooOften(Card),
    /// `not_in_hand`: these cards are not held (or not yet drawn).
    NotInHand(Bag),
    /// `wrong_number`: not as many cards as must be played or laid away.
    WrongNumber {
        /// How many there must be.
        need: u8,
        /// How many there are.
        given: usize,
    },
    /// `not_in_hand`: a position does not list the hand, but both copies of these cards lie elsewhere.
    LiesElsewhere(Bag),
    /// `not_in_hand`: a position does not list the hand, but no hand has so many cards.
    MoreThanAHand {
        /// How many the seat has played.
        played: usize,
        /// How many it names.
        given: usize,
    },
    /// `not_a_call`: these cards call nothing at this level.
    NotACall {
        /// The level.
        level: Level,
        /// What calls no trump.
        jokers: Jokers,
    },
    /// `no_trump_barred`: no trump may not be called at this level.
    NoTrumpBarred(Level),
    /// `not_a_call`: under this ruleset the first call is of a suit.
    NoTrumpMayNotOpen,
    /// `own_call`: the seat's own call stands.
    OwnCall,
    /// `call_too_low`: the call that stands cannot be overcalled with this.
    CallTooLow {
        /// The cards that show the call that stands.
        stands: Bag,
        /// How strong it is.
        strength: Strength,
        /// What calls no trump.
        jokers: Jokers,
    },
    /// `two_groups`: a lead has cards of one group only.
    TwoGroups,
    /// `must_follow`: something that is held and owed is missing.
    MustFollow(Lack),
    /// `not_an_option`: this kind is not among those to choose from.
    NotAnOption {
        /// The kinds to choose from.
        kinds: Vec<Kind>,
    },
}

impl Refusal for Illegal {
    fn code(&self) -> &'static str {
        match self {
            Illegal::WrongPhase(_) | Illegal::TooLate { .. } | Illegal::TooEarly { .. } => "wrong_phase",
            Illegal::NotYourTurn(_) => "not_your_turn",
            Illegal::NamedTooOften(_) => "card_named_twice",
            Illegal::NotInHand(_) | Illegal::LiesElsewhere(_) | Illegal::MoreThanAHand { .. } => {
                "not_in_hand"
            }
            Illegal::WrongNumber { .. } => "wrong_number",
            Illegal::NotACall { .. } | Illegal::NoTrumpMayNotOpen => "not_a_call",
            Illegal::NoTrumpBarred(_) => "no_trump_barred",
            Illegal::OwnCall => "own_call",
            Illegal::CallTooLow { .. } => "call_too_low",
            Illegal::TwoGroups => "two_groups",
            Illegal::MustFollow(_) => "must_follow",
            Illegal::NotAnOption { .. } => "not_an_option",
        }
    }

    fn message(&self) -> Message {
        match self {
            Illegal::WrongPhase(phase) => Message::plain("wrong-phase").with("phase", phase.name()),
            Illegal::TooLate { after, drawn } => {
                Message::plain("tuolaji-call-too-late").with("after", after).with("drawn", drawn)
            }
            Illegal::TooEarly { after, drawn } => {
                Message::plain("tuolaji-call-too-early").with("after", after).with("drawn", drawn)
            }
            Illegal::NotYourTurn(seat) => Message::plain("not-your-turn")
                .with("turn", terms::position(SEAT_NAMES.get(seat.index()).copied().unwrap_or("?"))),
            Illegal::NamedTooOften(card) => Message::plain("card-named-twice").with("card", card),
            Illegal::NotInHand(cards) => Message::plain("not-in-hand").with("cards", cards),
            Illegal::LiesElsewhere(cards) => Message::plain("tuolaji-lies-elsewhere").with("cards", cards),
            Illegal::MoreThanAHand { played, given } => {
                Message::plain("tuolaji-more-than-a-hand").with("played", played).with("given", given)
            }
            Illegal::WrongNumber { need, given } => {
                Message::plain("tuolaji-wrong-number").with("need", need).with("given", given)
            }
            Illegal::NotACall { level, jokers } => {
                Message::plain("tuolaji-not-a-call").with("level", level).with("jokers", jokers.word())
            }
            Illegal::NoTrumpMayNotOpen => Message::plain("tuolaji-no-trump-may-not-open"),
            Illegal::NoTrumpBarred(level) => Message::plain("tuolaji-no-trump-barred").with("level", level),
            Illegal::OwnCall => Message::plain("tuolaji-own-call"),
            Illegal::CallTooLow { stands, strength: Strength::NoTrump, .. } => {
                Message::plain("tuolaji-no-trump-stands").with("stands", stands)
            }
            Illegal::CallTooLow { stands, strength: Strength::Pair, jokers } => {
                Message::plain("tuolaji-pair-stands").with("stands", stands).with("jokers", jokers.word())
            }
            Illegal::CallTooLow { stands, strength: Strength::Single, jokers } => {
                Message::plain("tuolaji-single-stands").with("stands", stands).with("jokers", jokers.word())
            }
            Illegal::TwoGroups => Message::plain("tuolaji-two-groups"),
            Illegal::MustFollow(lack) => lack_message(lack),
            Illegal::NotAnOption { kinds } => Message::plain("tuolaji-not-an-option")
                .with("kinds", kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")),
        }
    }
}

fn lack_message(lack: &Lack) -> Message {
    match *lack {
        Lack::Cards { group, need, held } if usize::from(need) == held.len() => {
            Message::plain("tuolaji-follow-all").with("group", group.letter()).with("held", held)
        }
        Lack::Cards { group, need, held } => Message::plain("tuolaji-follow-cards")
            .with("group", group.letter())
            .with("need", need)
            .with("held", held.len()),
        Lack::Pairs { group, need: 1, held } => {
            Message::plain("tuolaji-follow-pair").with("group", group.letter()).with("held", pairs_text(held))
        }
        Lack::Pairs { group, need, held } => Message::plain("tuolaji-follow-pairs")
            .with("group", group.letter())
            .with("need", need)
            .with("held", pairs_text(held)),
        Lack::Run { group, owed, paid, held } => {
            let message = match (owed.iter().next(), owed.iter().nth(1)) {
                (Some(only), None) => Message::plain("tuolaji-follow-run").with("need", only),
                _ => Message::plain("tuolaji-follow-runs")
                    .with("need", lengths(owed))
                    .with("paid", if paid.is_empty() { "none".to_owned() } else { lengths(paid) }),
            };
            message.with("group", group.letter()).with("held", pairs_text(held))
        }
    }
}

/// Lengths of tractors, in pairs: `3 + 2`.
fn lengths(runs: Runs) -> String {
    runs.iter().map(|length| length.to_string()).collect::<Vec<_>>().join(" + ")
}

/// Pairs as players write them: `H44 H88`, `sj sj`.
fn pairs_text(pairs: Bag) -> String {
    Bag::singles_of(pairs.pairs())
        .cards()
        .map(|card| match card.rank() {
            Some(rank) => format!("{card}{rank}"),
            None => format!("{card} {card}"),
        })
        .collect::<Vec<_>>()
        .join(" ")
}
