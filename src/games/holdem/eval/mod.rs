//! Hand values: the best five of five, six or seven cards (hand ranks of the hold'em rulebook).
//!
//! Three ways in, fastest last:
//!
//! - [`evaluate`]: any slice of five to seven cards, checked;
//! - [`Evaluator::value`]: an accumulated [`Hand`] of five to seven cards, checked;
//! - [`Evaluator::seven`]: a [`Hand`] known to have seven cards; [`Evaluator::each_seventh`]: one hand of six cards with
//!   many last cards.
//!
//! How it works. Each rank has a number such that the sum over a hand tells which ranks it holds how often (see
//! `tables`), and another one whose sum scatters hands over rows. A table of 16-bit values is looked up by row
//! displacement: the row's displacement is added to the lower bits of the first sum. Suits are counted beside the
//! sums, in the same 64-bit word, from 3 upwards, so that five of a suit set the top bit of a nibble; such a hand
//! cannot hold four of a kind or a full house and is looked up by the ranks of its suit instead.
//!
//! This room knows no bets and no seats. It never compares suits: equal ranks split.

use std::fmt;
use std::sync::LazyLock;

use crate::cards::{Card, CardSet};

mod names;
mod tables;
mod value;

pub use value::{Category, HandValue};

use tables::{CARD_KEYS, Tables};

/// Bits of a hand's key: rank sum in 0–23, suit counters from 3 upwards in 24–39, number of cards in 40–47, row sum in
/// 48–63.
const SUITS_SHIFT: u32 = 24;
const COUNT_SHIFT: u32 = 40;
const ROW_SHIFT: u32 = 48;
const NO_CARDS: u64 = 0x3333 << SUITS_SHIFT;
/// Set in a suit's counter from five cards of the suit on.
const FLUSH: u64 = 0x8888 << SUITS_SHIFT;
/// A suit counter of a hand plus this sets the flush bit if one more card of the suit would.
const ONE_MORE: u64 = 0x1111 << SUITS_SHIFT;

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(Tables::build);

/// Cards added up for evaluation. Adding a card is two additions, so enumerations keep the hand of the cards dealt so
/// far and extend copies of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hand {
    key: u64,
    cards: u64,
}

impl Default for Hand {
    fn default() -> Hand {
        Hand::EMPTY
    }
}

impl Hand {
    /// No cards.
    pub const EMPTY: Hand = Hand { key: NO_CARDS, cards: 0 };

    /// The hand of a list of cards.
    ///
    /// # Errors
    /// A joker, or a card that is named twice.
    pub fn of(cards: &[Card]) -> Result<Hand, EvalError> {
        let mut hand = Hand::EMPTY;
        for &card in cards {
            if card.is_joker() {
                return Err(EvalError::Joker);
            }
            if hand.cards >> card.index() & 1 == 1 {
                return Err(EvalError::Twice(card));
            }
            hand = hand.with(card);
        }
        Ok(hand)
    }

    /// The hand with one more card. A card it holds already, or a joker, makes it a hand without value.
    #[inline]
    #[must_use]
    pub const fn with(self, card: Card) -> Hand {
        Hand { key: self.key.wrapping_add(CARD_KEYS[card.index() as usize]), cards: self.cards | bit(card) }
    }

    /// The cards of both hands, which must have none in common.
    #[inline]
    #[must_use]
    pub const fn joined(self, other: Hand) -> Hand {
        Hand { key: self.key.wrapping_add(other.key).wrapping_sub(NO_CARDS), cards: self.cards | other.cards }
    }

    /// The cards.
    #[must_use]
    pub const fn cards(self) -> CardSet {
        CardSet::from_bits(self.cards)
    }

    /// How many cards were added.
    #[must_use]
    pub const fn len(self) -> usize {
        (self.key >> COUNT_SHIFT & 0xff) as usize
    }

    /// Whether no card was added.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// The card's bit in a set. Indices end at 53; the mask says so to the compiler.
const fn bit(card: Card) -> u64 {
    1 << (card.index() & 63)
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Hand {
        cards.into_iter().fold(Hand::EMPTY, Hand::with)
    }
}

impl From<CardSet> for Hand {
    fn from(cards: CardSet) -> Hand {
        cards.into_iter().collect()
    }
}

/// Why cards have no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// Fewer than five or more than seven cards.
    #[error("a hand is valued from five to seven cards, not from {0}: add or remove cards")]
    Count(usize),
    /// A card is named twice.
    #[error("{0} is named twice: name every card once")]
    Twice(Card),
    /// Hold'em is played without jokers.
    #[error("hold'em has no jokers: remove sj and bj")]
    Joker,
}

/// The tables, ready for use: get it once outside of loops, it is a pointer.
#[derive(Clone, Copy)]
pub struct Evaluator(&'static Tables);

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Evaluator")
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::get()
    }
}

impl Evaluator {
    /// The evaluator of this program. The first call builds the tables (a few milliseconds), later ones return at
    /// once.
    #[must_use]
    pub fn get() -> Evaluator {
        Evaluator(&TABLES)
    }

    /// Size of the tables in bytes.
    #[must_use]
    pub const fn table_bytes() -> usize {
        size_of::<Tables>() + size_of_val(&CARD_KEYS)
    }

    /// The value of five to seven different cards; `None` for any other hand.
    #[must_use]
    pub fn value(self, hand: Hand) -> Option<HandValue> {
        let count = hand.len();
        if hand.cards & !CardSet::FIFTY_TWO.bits() != 0 || hand.cards.count_ones() as usize != count {
            return None;
        }
        match count {
            5 | 6 => Some(self.fewer(hand, count)),
            7 => Some(self.seven(hand)),
            _ => None,
        }
    }

    /// The value of a hand that the caller knows to hold seven different cards. Any other hand gets a value without
    /// meaning: [`Evaluator::value`] checks.
    #[inline]
    #[must_use]
    pub fn seven(self, hand: Hand) -> HandValue {
        let flush = hand.key & FLUSH;
        if flush != 0 {
            return self.flush(flush, hand.cards);
        }
        HandValue(self.0.seven(hand.key))
    }

    /// The values of a hand of six cards with each of several seventh cards, in their order. The hand must not hold
    /// any of them; what [`Evaluator::seven`] says about other hands applies.
    #[inline]
    pub fn each_seventh(self, six: Hand, lasts: &[Card], mut take: impl FnMut(HandValue)) {
        if six.key.wrapping_add(ONE_MORE) & FLUSH == 0 {
            // No suit can reach five: ranks alone decide.
            for last in lasts {
                take(HandValue(self.0.seven(six.key.wrapping_add(CARD_KEYS[last.index() as usize]))));
            }
        } else {
            for &last in lasts {
                take(self.seven(six.with(last)));
            }
        }
    }

    /// The value of seven cards that the caller knows to be different; what [`Evaluator::seven`] says about other
    /// hands applies.
    #[inline]
    #[must_use]
    pub fn seven_cards(self, cards: &[Card; 7]) -> HandValue {
        let mut key = NO_CARDS;
        for card in cards {
            key = key.wrapping_add(CARD_KEYS[card.index() as usize]);
        }
        let flush = key & FLUSH;
        if flush != 0 {
            let set = cards.iter().fold(0, |set, &card| set | bit(card));
            return self.flush(flush, set);
        }
        HandValue(self.0.seven(key))
    }

    #[inline]
    fn flush(self, flush: u64, cards: u64) -> HandValue {
        let suit = (flush.trailing_zeros() - SUITS_SHIFT) / 4;
        HandValue(self.0.flush(cards >> (13 * suit)))
    }

    fn fewer(self, hand: Hand, count: usize) -> HandValue {
        let flush = hand.key & FLUSH;
        if flush != 0 {
            return self.flush(flush, hand.cards);
        }
        HandValue(self.0.fewer(hand.key, count))
    }
}

/// The value of the best five of five, six or seven cards.
///
/// ```
/// use fushi::cards::parse_cards;
/// use fushi::games::holdem::eval::{HandValue, evaluate};
///
/// let royal = parse_cards("SA SK SQ SJ ST H2 D3").unwrap();
/// assert_eq!(evaluate(&royal), Ok(HandValue::BEST));
/// assert!(evaluate(&royal[..4]).is_err());
/// ```
///
/// # Errors
/// Another number of cards, a card named twice, a joker.
pub fn evaluate(cards: &[Card]) -> Result<HandValue, EvalError> {
    let hand = Hand::of(cards)?;
    Evaluator::get().value(hand).ok_or(EvalError::Count(cards.len()))
}

/// The value of two hole cards with a complete board.
///
/// # Errors
/// A card named twice, a joker.
pub fn evaluate7(hole: [Card; 2], board: [Card; 5]) -> Result<HandValue, EvalError> {
    let mut cards = [board[0]; 7];
    cards[..2].copy_from_slice(&hole);
    cards[2..].copy_from_slice(&board);
    evaluate(&cards)
}
