//! Calling (叫主) and overcalling (反主): which cards call what, and what beats what (TL 3.3, TL 3.4, TL 3.5).

use serde::Serialize;

use super::bag::Bag;
use super::ladder::{Level, Trump};
use super::refusal::Illegal;
use super::rules::{NoTrumpCall, Rules};
use crate::cards::{Card, Suit};
use crate::games::Seat;

/// How strong a call is; greater overcalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// One level card.
    Single,
    /// A pair of level cards.
    Pair,
    /// No trump.
    NoTrump,
}

/// Which jokers call no trump at a level, for the sentences of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jokers {
    /// No trump may not be called.
    Barred,
    /// Two equal ones.
    Equal,
    /// Any two.
    AnyTwo,
}

impl Jokers {
    fn of(rules: &Rules, level: Level) -> Jokers {
        match rules.no_trump_call {
            _ if rules.bars_no_trump(level) => Jokers::Barred,
            NoTrumpCall::IdenticalJokers => Jokers::Equal,
            NoTrumpCall::AnyTwoJokers => Jokers::AnyTwo,
        }
    }

    /// The word in sentences.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Jokers::Barred => "barred",
            Jokers::Equal => "equal",
            Jokers::AnyTwo => "any",
        }
    }
}

/// An accepted call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Who called.
    pub seat: Seat,
    /// How many cards had been drawn.
    pub after: u8,
    /// The cards shown.
    pub cards: Bag,
    /// What they call.
    pub trump: Trump,
    /// How strong that is.
    pub strength: Strength,
}

/// What a set of cards calls at a level; `None` if it is no call.
#[must_use]
pub fn meaning(rules: &Rules, level: Level, cards: Bag) -> Option<(Trump, Strength)> {
    let first = cards.first()?;
    if first.is_joker() {
        let identical = cards.pair_count() == 1;
        let shows = cards.len() == 2 && (identical || rules.no_trump_call == NoTrumpCall::AnyTwoJokers);
        return shows.then_some((Trump::None, Strength::NoTrump));
    }
    let strength = match (cards.len(), cards.pair_count()) {
        (1, 0) => Strength::Single,
        (2, 1) => Strength::Pair,
        _ => return None,
    };
    let suit = first.suit().filter(|_| first.rank() == Some(level.rank()))?;
    Some((Trump::Suit(suit), strength))
}

/// Judges a call by a seat that holds the cards, with `standing` the call that stands.
///
/// # Errors
/// `not_a_call`, `no_trump_barred`, `own_call`, `call_too_low`, in this order.
pub fn judge(
    rules: &Rules,
    level: Level,
    standing: Option<&Call>,
    seat: Seat,
    cards: Bag,
) -> Result<(Trump, Strength), Illegal> {
    let (trump, strength) = meaning(rules, level, cards)
        .ok_or_else(|| Illegal::NotACall { level, jokers: Jokers::of(rules, level) })?;
    if strength == Strength::NoTrump && rules.bars_no_trump(level) {
        return Err(Illegal::NoTrumpBarred(level));
    }
    let Some(standing) = standing else {
        return if strength == Strength::NoTrump && !rules.no_trump_may_open {
            Err(Illegal::NoTrumpMayNotOpen)
        } else {
            Ok((trump, strength))
        };
    };
    if standing.seat == seat {
        let reinforces = rules.allow_reinforce
            && (standing.strength, strength) == (Strength::Single, Strength::Pair)
            && standing.trump == trump;
        return if reinforces { Ok((trump, strength)) } else { Err(Illegal::OwnCall) };
    }
    if strength <= standing.strength {
        let jokers = Jokers::of(rules, level);
        return Err(Illegal::CallTooLow { stands: standing.cards, strength: standing.strength, jokers });
    }
    Ok((trump, strength))
}

/// Every set of cards that calls something at a level, in the order in which they are offered.
#[must_use]
pub fn candidates(level: Level) -> Vec<Bag> {
    let mut calls = Vec::with_capacity(11);
    for suit in Suit::ALL {
        let card = Card::new(suit, level.rank());
        calls.push(Bag::from_iter([card]));
        calls.push(Bag::from_iter([card, card]));
    }
    for (one, other) in [
        (Card::SMALL_JOKER, Card::SMALL_JOKER),
        (Card::SMALL_JOKER, Card::BIG_JOKER),
        (Card::BIG_JOKER, Card::BIG_JOKER),
    ] {
        calls.push(Bag::from_iter([one, other]));
    }
    calls
}

/// Whether any seat but the caller could still overcall: what everybody can see of the calls.
#[must_use]
pub fn is_final(rules: &Rules, level: Level, standing: Option<&Call>) -> bool {
    match standing.map(|call| call.strength) {
        None | Some(Strength::Single) => false,
        Some(Strength::Pair) => rules.bars_no_trump(level),
        Some(Strength::NoTrump) => true,
    }
}

/// How far a seat sits after the seat that drew the card, 0 to 3; the drawing seat itself comes last.
#[must_use]
pub const fn step_distance(drawing: Seat, seat: Seat) -> u8 {
    (seat.0 + 7 - drawing.0 % 4) % 4
}

/// The answer that wins a step of stepped calling: of the seats that answered, the one nearest after the seat that
/// drew the card, which itself comes last.
#[must_use]
pub fn step_winner(drawing: Seat, answers: impl IntoIterator<Item = Seat>) -> Option<Seat> {
    answers.into_iter().min_by_key(|seat| step_distance(drawing, *seat))
}
