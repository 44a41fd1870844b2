//! Starting hands from best to worst, and how strong hands are on a board.

use std::sync::LazyLock;

use crate::cards::{Card, CardSet};
use crate::games::holdem::eval::{Evaluator, Hand, HandValue};

/// Share of the pot against one unknown hand in thousandths, from a sample of 400,000 each. Rows and columns from ace
/// to two; suited hands right of the diagonal.
#[rustfmt::skip]
const AGAINST_ANY: [[u16; 13]; 13] = [
    [852, 671, 662, 655, 647, 627, 619, 610, 599, 600, 590, 581, 573],
    [653, 824, 636, 625, 618, 600, 584, 574, 567, 558, 550, 540, 532],
    [643, 615, 799, 602, 594, 576, 560, 540, 536, 529, 518, 511, 500],
    [635, 606, 582, 776, 575, 558, 541, 523, 506, 499, 491, 481, 475],
    [627, 597, 574, 552, 750, 540, 522, 506, 490, 473, 466, 457, 449],
    [608, 577, 554, 533, 515, 722, 508, 491, 474, 459, 438, 433, 424],
    [598, 559, 537, 514, 498, 481, 691, 480, 463, 446, 429, 407, 404],
    [589, 552, 518, 498, 478, 464, 452, 663, 455, 436, 419, 399, 383],
    [578, 541, 510, 478, 460, 445, 432, 423, 632, 431, 413, 394, 376],
    [578, 534, 500, 473, 442, 427, 414, 405, 400, 602, 415, 398, 378],
    [568, 523, 491, 462, 435, 407, 395, 387, 381, 382, 570, 387, 369],
    [559, 515, 483, 453, 427, 400, 375, 366, 362, 363, 351, 537, 359],
    [551, 505, 473, 444, 416, 392, 368, 345, 342, 344, 332, 322, 503],
];

/// For each starting hand, how many thousandths of all hands are better.
static BETTER: LazyLock<[[u16; 13]; 13]> = LazyLock::new(|| {
    let ways = |row: usize, column: usize| match row.cmp(&column) {
        std::cmp::Ordering::Less => 4,
        std::cmp::Ordering::Equal => 6,
        std::cmp::Ordering::Greater => 12,
    };
    let mut better = [[0; 13]; 13];
    for (row, places) in better.iter_mut().enumerate() {
        for (column, place) in places.iter_mut().enumerate() {
            let mut hands = 0;
            for (other, shares) in AGAINST_ANY.iter().enumerate() {
                for (another, &share) in shares.iter().enumerate() {
                    if share > AGAINST_ANY[row][column] {
                        hands += ways(other, another);
                    }
                }
            }
            *place = u16::try_from(hands * 1000 / 1326).unwrap_or(1000);
        }
    }
    better
});

/// How many thousandths of all starting hands are better than this one.
pub(super) fn better_starts(hole: [Card; 2]) -> u16 {
    let (row, column) = place(hole);
    BETTER.get(row).and_then(|shares| shares.get(column)).copied().unwrap_or(1000)
}

/// The share of the pot that a starting hand wins against one unknown hand, in thousandths.
pub(super) fn share_against_any(hole: [Card; 2]) -> u64 {
    let (row, column) = place(hole);
    AGAINST_ANY.get(row).and_then(|shares| shares.get(column)).copied().map_or(0, u64::from)
}

/// Row and column of a starting hand in the tables.
fn place(hole: [Card; 2]) -> (usize, usize) {
    let [first, second] = hole.map(|card| 12 - card.rank().map_or(0, |rank| rank as usize));
    let (high, low) = (first.min(second), first.max(second));
    let suited = hole[0].suit() == hole[1].suit();
    if suited { (high, low) } else { (low, high) }
}

/// The values of all hands on a board of three to five cards, best first.
pub(super) struct Ladder {
    board: Hand,
    values: Vec<HandValue>,
}

impl Ladder {
    /// The ladder of a board; `unseen` are the cards that others may hold.
    pub(super) fn new(board: &[Card], unseen: CardSet) -> Ladder {
        let evaluator = Evaluator::get();
        let board: Hand = board.iter().copied().collect();
        let cards: Vec<Card> = unseen.iter().collect();
        let mut values = Vec::with_capacity(cards.len() * cards.len() / 2);
        for (place, &first) in cards.iter().enumerate() {
            let one = board.with(first);
            values.extend(cards.iter().take(place).filter_map(|&second| evaluator.value(one.with(second))));
        }
        values.sort_unstable_by(|a, b| b.cmp(a));
        Ladder { board, values }
    }

    /// How many thousandths of all hands are better than this one, and how many are equal.
    pub(super) fn better_and_equal(&self, hole: [Card; 2]) -> (u64, u64) {
        let value = Evaluator::get().value(hole.into_iter().fold(self.board, Hand::with));
        let (Some(value), false) = (value, self.values.is_empty()) else { return (1000, 0) };
        let better = self.values.partition_point(|other| *other > value);
        let equal = self.values.partition_point(|other| *other >= value) - better;
        let part = |count: usize| (count * 1000 / self.values.len()) as u64;
        (part(better), part(equal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::parse_cards;

    fn better(text: &str) -> u16 {
        better_starts(parse_cards(text).unwrap().try_into().unwrap())
    }

    #[test]
    fn starting_hands_are_ordered() {
        assert_eq!(better("SA HA"), 0);
        assert!(better("SK HK") < better("SA SK") && better("SA SK") < better("SA HK"));
        assert_eq!(better("H2 S7"), better("S7 D2"));
        assert!(better("S3 H2") > 980);
    }

    #[test]
    fn the_ladder_counts_better_hands() {
        let board = parse_cards("SA HA DA CA SK").unwrap();
        let hole: [Card; 2] = parse_cards("S2 H3").unwrap().try_into().unwrap();
        let seen: CardSet = board.iter().chain(&hole).copied().collect();
        let ladder = Ladder::new(&board, CardSet::FIFTY_TWO.difference(seen));
        assert_eq!(ladder.better_and_equal(hole), (0, 1000));
    }
}
