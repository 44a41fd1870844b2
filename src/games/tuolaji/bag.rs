//! A bag of cards: each face none, once or twice. Two packs hold every face twice and the copies cannot be told
//! apart, so a hand, a play and the bottom are bags, and two plays that show the same cards are one play.
//!
//! Nothing here knows a level or a trump suit, and no bag ever holds a face three times.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cards::{Card, CardSet, Rank, Suit, parse_cards, write_cards};

/// Bits of one rank in all four suits, ace of spades upwards of the card index.
const fn rank_mask(rank: Rank) -> u64 {
    let bit = rank as u64;
    1 << bit | 1 << (13 + bit) | 1 << (26 + bit) | 1 << (39 + bit)
}

const FIVES: u64 = rank_mask(Rank::Five);
const TENS: u64 = rank_mask(Rank::Ten) | rank_mask(Rank::King);

/// A bag of cards of two packs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bag {
    /// Faces held at least once, bit = card index.
    once: u64,
    /// Faces held twice; always a part of `once`.
    twice: u64,
}

impl Bag {
    /// No card.
    pub const EMPTY: Bag = Bag { once: 0, twice: 0 };

    /// The bag of a list and the cards that were named a third time or more often.
    ///
    /// ```
    /// use fushi::cards::parse_cards;
    /// use fushi::games::tuolaji::bag::Bag;
    ///
    /// let (bag, excess) = Bag::of(parse_cards("H5 H5 H5 HK").unwrap());
    /// assert_eq!((bag.len(), bag.points(), excess.len()), (3, 20, 1));
    /// ```
    #[must_use]
    pub fn of(cards: impl IntoIterator<Item = Card>) -> (Bag, Vec<Card>) {
        let mut bag = Bag::EMPTY;
        let excess = cards.into_iter().filter(|card| !bag.add(*card)).collect();
        (bag, excess)
    }

    /// The faces of a mask, each once.
    #[must_use]
    pub(crate) const fn singles_of(mask: u64) -> Bag {
        Bag { once: mask, twice: 0 }
    }

    /// The faces of a mask, each twice.
    #[must_use]
    pub(crate) const fn pairs_of(mask: u64) -> Bag {
        Bag { once: mask, twice: mask }
    }

    /// How many cards.
    #[must_use]
    pub const fn len(self) -> usize {
        (self.once.count_ones() + self.twice.count_ones()) as usize
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.once == 0
    }

    /// How often a face is held: 0, 1 or 2.
    #[must_use]
    pub const fn count(self, card: Card) -> u8 {
        (self.once >> card.index() & 1) as u8 + (self.twice >> card.index() & 1) as u8
    }

    /// Adds a card; `false`, and nothing changes, if both copies were there.
    pub fn add(&mut self, card: Card) -> bool {
        let bit = 1 << card.index();
        if self.twice & bit != 0 {
            return false;
        }
        self.twice |= self.once & bit;
        self.once |= bit;
        true
    }

    /// Whether every card of `other` is here, as often as there.
    #[must_use]
    pub const fn contains_all(self, other: Bag) -> bool {
        other.once & !self.once == 0 && other.twice & !self.twice == 0
    }

    /// Both bags together; a face can never exceed two.
    #[must_use]
    pub const fn plus(self, other: Bag) -> Bag {
        Bag { once: self.once | other.once, twice: self.twice | other.twice | (self.once & other.once) }
    }

    /// This bag without the cards of the other.
    #[must_use]
    pub const fn minus(self, other: Bag) -> Bag {
        Bag { once: (self.once & !other.once) | (self.twice & !other.twice), twice: self.twice & !other.once }
    }

    /// Each face as often as in the bag that has more of it.
    #[must_use]
    pub(crate) const fn union(self, other: Bag) -> Bag {
        Bag { once: self.once | other.once, twice: self.twice | other.twice }
    }

    /// The cards whose faces are in the mask.
    #[must_use]
    pub(crate) const fn masked(self, mask: u64) -> Bag {
        Bag { once: self.once & mask, twice: self.twice & mask }
    }

    /// The faces held at least once, bit = card index.
    #[must_use]
    pub(crate) const fn faces(self) -> u64 {
        self.once
    }

    /// The faces held twice, bit = card index.
    #[must_use]
    pub(crate) const fn pairs(self) -> u64 {
        self.twice
    }

    /// How many pairs.
    #[must_use]
    pub const fn pair_count(self) -> u32 {
        self.twice.count_ones()
    }

    /// Card points: 5 for a five, 10 for a ten or a king (TL 3.1).
    #[must_use]
    pub const fn points(self) -> u32 {
        5 * ((self.once & FIVES).count_ones() + (self.twice & FIVES).count_ones())
            + 10 * ((self.once & TENS).count_ones() + (self.twice & TENS).count_ones())
    }

    /// The cards in canonical order, the copies of a face side by side.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        CardSet::from_bits(self.once)
            .into_iter()
            .flat_map(move |card| std::iter::repeat_n(card, usize::from(self.count(card))))
    }

    /// The first card of the bag in canonical order.
    #[must_use]
    pub fn first(self) -> Option<Card> {
        CardSet::from_bits(self.once).into_iter().next()
    }
}

/// The points of one card: 5, 10 or 0.
#[must_use]
pub const fn card_points(card: Card) -> u32 {
    Bag::singles_of(1 << card.index()).points()
}

/// The order of equal tiers: diamonds, clubs, hearts, spades, jokers (TL 5.2).
pub(crate) const SUITS_UPWARDS: [Suit; 4] = [Suit::Diamonds, Suit::Clubs, Suit::Hearts, Suit::Spades];

/// The place of a card's suit in the order D C H S, jokers last.
#[must_use]
pub(crate) const fn suit_order(card: Card) -> u8 {
    match card.suit() {
        Some(Suit::Diamonds) => 0,
        Some(Suit::Clubs) => 1,
        Some(Suit::Hearts) => 2,
        Some(Suit::Spades) => 3,
        None => 4,
    }
}

impl FromIterator<Card> for Bag {
    /// A face named more than twice counts twice; [`Bag::of`] tells.
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Bag {
        Bag::of(cards).0
    }
}

impl fmt::Display for Bag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write_cards(self.cards()))
    }
}

impl fmt::Debug for Bag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

impl Serialize for Bag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bag, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        match Bag::of(parse_cards(&text).map_err(D::Error::custom)?) {
            (bag, excess) if excess.is_empty() => Ok(bag),
            _ => Err(D::Error::custom("a card is named more than twice")),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bag(text: &str) -> Bag {
        let (bag, excess) = Bag::of(parse_cards(text).unwrap());
        assert!(excess.is_empty());
        bag
    }

    #[test]
    fn a_third_copy_is_handed_back() {
        let (held, excess) = Bag::of(parse_cards("H444 sj").unwrap());
        assert_eq!(held, bag("H44 sj"));
        assert_eq!(excess, parse_cards("H4").unwrap());
    }

    #[test]
    fn points_are_fives_tens_and_kings() {
        assert_eq!(bag("S55 HT DKK C4A sj").points(), 40);
        let whole: Bag = crate::cards::Pack::TwoWithJokers.cards().into_iter().collect();
        assert_eq!((whole.points(), whole.len()), (200, 108));
        assert_eq!(card_points("DK".parse().unwrap()), 10);
    }

    proptest! {
        #[test]
        fn sums_and_differences_count_every_face(counts in proptest::collection::vec((0u8..3, 0u8..3), 54)) {
            let mut whole = Bag::EMPTY;
            let mut part = Bag::EMPTY;
            for (index, (held, wanted)) in counts.iter().enumerate() {
                let card = Card::from_index(u8::try_from(index).unwrap()).unwrap();
                for _ in 0..*held { whole.add(card); }
                for _ in 0..*wanted.min(held) { part.add(card); }
            }
            let rest = whole.minus(part);
            prop_assert!(whole.contains_all(part) && whole.contains_all(rest));
            prop_assert_eq!(rest.plus(part), whole);
            prop_assert_eq!(rest.len() + part.len(), whole.len());
            prop_assert_eq!(whole.cards().count(), whole.len());
        }
    }
}
