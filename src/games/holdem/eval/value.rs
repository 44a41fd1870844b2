//! Values of hands: their order, their numbers, and what a number means.
//!
//! The order of hands is written down here once, as the list of all 7462 values, best first; everything else,
//! lookup tables and names, follows from it.

use std::cmp::Ordering;
use std::fmt;
use std::sync::LazyLock;

use serde::{Serialize, Serializer};

use crate::cards::Rank;

/// The class of a hand, worst first, so that a greater class is a better one. A royal flush is the highest straight
/// flush, not a class of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// High card (高牌).
    HighCard,
    /// One pair (一对).
    Pair,
    /// Two pair (两对).
    TwoPair,
    /// Three of a kind (三条).
    ThreeOfAKind,
    /// Straight (顺子): the ace is high in A K Q J T, low in 5 4 3 2 A, and nowhere else.
    Straight,
    /// Flush (同花).
    Flush,
    /// Full house (葫芦).
    FullHouse,
    /// Four of a kind (四条).
    FourOfAKind,
    /// Straight flush (同花顺).
    StraightFlush,
}

impl Category {
    /// Every class, worst first.
    pub const ALL: [Category; 9] = [
        Category::HighCard,
        Category::Pair,
        Category::TwoPair,
        Category::ThreeOfAKind,
        Category::Straight,
        Category::Flush,
        Category::FullHouse,
        Category::FourOfAKind,
        Category::StraightFlush,
    ];
}

/// The value of five cards, held as its usual number. Greater is better; equal values split.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HandValue(pub(super) u16);

impl Ord for HandValue {
    /// The better hand, which has the lower number, is the greater.
    #[inline]
    fn cmp(&self, other: &HandValue) -> Ordering {
        other.0.cmp(&self.0)
    }
}

impl PartialOrd for HandValue {
    #[inline]
    fn partial_cmp(&self, other: &HandValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl HandValue {
    /// How many different values five cards can have.
    pub const COUNT: u16 = 7462;
    /// The royal flush.
    pub const BEST: HandValue = HandValue(1);
    /// 7 5 4 3 2 of several suits.
    pub const WORST: HandValue = HandValue(HandValue::COUNT);

    /// The usual number: 1 for a royal flush to 7462 for the worst high card.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The value with a number from 1 (best) to 7462.
    #[must_use]
    pub const fn from_number(number: u16) -> Option<HandValue> {
        if number >= 1 && number <= HandValue::COUNT { Some(HandValue(number)) } else { None }
    }

    /// The class of the hand.
    #[must_use]
    pub fn category(self) -> Category {
        self.entry().0
    }

    /// The ranks of the five cards in the order in which they are compared: the larger group first, then by rank.
    /// `K K K T T` is kings over tens, `5 4 3 2 A` the lowest straight.
    #[must_use]
    pub fn ranks(self) -> [Rank; 5] {
        self.entry().1
    }

    fn entry(self) -> Entry {
        let index = usize::from(self.number()).wrapping_sub(1);
        // A value is only made by this module and always in the list.
        ORDER.get(index).copied().unwrap_or((Category::HighCard, [Rank::Two; 5]))
    }
}

impl fmt::Debug for HandValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HandValue({})", self.number())
    }
}

impl Serialize for HandValue {
    /// Written as its number.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.number())
    }
}

type Entry = (Category, [Rank; 5]);

/// Every value, best first.
static ORDER: LazyLock<Vec<Entry>> = LazyLock::new(order);

/// The highest card of each possible straight with its ranks, as a bit set.
fn straights() -> impl Iterator<Item = ([Rank; 5], u16)> {
    let ace_low = [Rank::Five, Rank::Four, Rank::Three, Rank::Two, Rank::Ace];
    let others = (0..9).map(|low| {
        let mut ranks = [Rank::Two; 5];
        ranks.copy_from_slice(&Rank::ALL[low..low + 5]);
        ranks.reverse();
        ranks
    });
    std::iter::once(ace_low).chain(others).map(|ranks| (ranks, bits(&ranks)))
}

fn bits(ranks: &[Rank]) -> u16 {
    ranks.iter().fold(0, |set, &rank| set | 1 << rank as u16)
}

#[allow(clippy::many_single_char_names)] // five ranks, highest first
fn order() -> Vec<Entry> {
    let mut all = Vec::with_capacity(usize::from(HandValue::COUNT));
    let runs: Vec<u16> = straights().map(|(_, set)| set).collect();
    for (ranks, _) in straights() {
        all.push((Category::StraightFlush, ranks));
        all.push((Category::Straight, ranks));
    }
    for set in 0u16..1 << 13 {
        let ranks: Vec<Rank> =
            Rank::ALL.into_iter().rev().filter(|&rank| set >> rank as u16 & 1 == 1).collect();
        match *ranks {
            [a, b, c, d, e] if !runs.contains(&set) => {
                all.push((Category::Flush, [a, b, c, d, e]));
                all.push((Category::HighCard, [a, b, c, d, e]));
            }
            [a, b, c, d] => {
                for (pair, [x, y, z]) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
                    all.push((Category::Pair, [pair, pair, x, y, z]));
                }
            }
            [a, b, c] => {
                for (one, [x, y]) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
                    all.push((Category::ThreeOfAKind, [one, one, one, x, y]));
                    all.push((Category::TwoPair, [x, x, y, y, one]));
                }
            }
            [a, b] => {
                for (x, y) in [(a, b), (b, a)] {
                    all.push((Category::FourOfAKind, [x, x, x, x, y]));
                    all.push((Category::FullHouse, [x, x, x, y, y]));
                }
            }
            _ => {}
        }
    }
    all.sort_unstable_by(|a, b| b.cmp(a));
    all
}

fn value_of(category: Category, ranks: [Rank; 5]) -> HandValue {
    let wanted = (category, ranks);
    let index = ORDER.binary_search_by(|entry| wanted.cmp(entry)).unwrap_or_default();
    // The list has 7462 entries.
    HandValue(u16::try_from(index + 1).unwrap_or_default())
}

/// The best straight among ranks given as a bit set.
fn best_straight(set: u16) -> Option<[Rank; 5]> {
    straights().filter(|&(_, run)| set & run == run).map(|(ranks, _)| ranks).last()
}

/// The ranks of a bit set, highest first.
fn descending(set: u16) -> impl Iterator<Item = Rank> {
    Rank::ALL.into_iter().rev().filter(move |&rank| set >> rank as u16 & 1 == 1)
}

/// The value of five or more cards of one suit, by their ranks as a bit set.
pub(super) fn best_of_suit(set: u16) -> HandValue {
    if let Some(ranks) = best_straight(set) {
        return value_of(Category::StraightFlush, ranks);
    }
    value_of(Category::Flush, fill([], set))
}

/// `first`, then the highest of the others up to five cards.
fn fill<const N: usize>(first: [Rank; N], others: u16) -> [Rank; 5] {
    let mut ranks = [Rank::Two; 5];
    for (place, rank) in ranks.iter_mut().zip(first.into_iter().chain(descending(others))) {
        *place = rank;
    }
    ranks
}

/// The value of five to seven cards without a flush, which hold rank `i` `counts[i]` times.
pub(super) fn best_of_counts(counts: &[u8; 13]) -> HandValue {
    let at_least =
        |wanted: u8| (0..13).filter(|&rank| counts[rank] >= wanted).fold(0u16, |set, rank| set | 1 << rank);
    let (any, twos, threes, fours) = (at_least(1), at_least(2), at_least(3), at_least(4));
    let without = |set: u16, rank: Rank| set & !(1 << rank as u16);
    if let Some(four) = descending(fours).next() {
        return value_of(Category::FourOfAKind, fill([four; 4], without(any, four)));
    }
    let three = descending(threes).next();
    if let Some(three) = three
        && let Some(two) = descending(without(twos, three)).next()
    {
        return value_of(Category::FullHouse, [three, three, three, two, two]);
    }
    if let Some(ranks) = best_straight(any) {
        return value_of(Category::Straight, ranks);
    }
    if let Some(three) = three {
        return value_of(Category::ThreeOfAKind, fill([three; 3], without(any, three)));
    }
    let mut pairs = descending(twos);
    match (pairs.next(), pairs.next()) {
        (Some(high), Some(low)) => {
            let others = without(without(any, high), low);
            value_of(Category::TwoPair, fill([high, high, low, low], others))
        }
        (Some(pair), _) => value_of(Category::Pair, fill([pair; 2], without(any, pair))),
        _ => value_of(Category::HighCard, fill([], any)),
    }
}
