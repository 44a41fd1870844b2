//! The lookup tables and how they are built: once, from nothing but the order of hands.
//!
//! Nothing outside of `eval` sees them; no table ever depends on input.

use super::value::{best_of_counts, best_of_suit};
use super::{COUNT_SHIFT, ROW_SHIFT, SUITS_SHIFT};

/// One number per rank, two first: the smallest ones, chosen one after the other, such that no two hands of the same
/// size up to seven cards have the same sum.
const RANK_KEYS: [u32; 13] = [0, 1, 5, 22, 98, 453, 2031, 8698, 22_854, 83_661, 262_349, 636_345, 1_479_181];

/// An odd factor that scatters hands over rows; one of many with which every row finds its place.
const SCATTER: u32 = 0xa494_65e1;

/// What each rank adds to the row sum, modulo 2¹⁶.
const ROW_KEYS: [u16; 13] = {
    let mut keys = [0; 13];
    let mut rank = 0;
    while rank < 13 {
        keys[rank] = (RANK_KEYS[rank].wrapping_mul(SCATTER) >> 16) as u16;
        rank += 1;
    }
    keys
};

/// What each card adds to a hand's key: rank and row, suit counter, one card. The jokers add nothing, and there are
/// no cards behind them; the length spares the check of an index.
pub(super) const CARD_KEYS: [u64; 256] = {
    let mut keys = [0; 256];
    let mut index = 0;
    while index < 52 {
        keys[index] = RANK_KEYS[index % 13] as u64
            + ((ROW_KEYS[index % 13] as u64) << ROW_SHIFT)
            + (1 << (SUITS_SHIFT as usize + 4 * (index / 13)))
            + (1 << COUNT_SHIFT);
        index += 1;
    }
    keys
};

/// The lowest bits of a row sum are dropped: 2¹³ rows remain.
const ROW_CUT: u32 = 3;
const ROWS: usize = 1 << 13;
const SEVEN_SLOTS: usize = 1 << 16;
const FEWER_SLOTS: usize = 1 << 15;
/// Moves hands of five cards to other rows than the same cards and one of the lowest rank would have.
const FIVE_OFFSET: u64 = 0x5555 << ROW_SHIFT;
const SUIT_PATTERNS: usize = 1 << 13;

/// Everything that is looked up. Values are numbers, 1 best; 0 where no hand is.
pub(super) struct Tables {
    seven_rows: [u16; ROWS],
    seven: [u16; SEVEN_SLOTS],
    fewer_rows: [u16; ROWS],
    fewer: [u16; FEWER_SLOTS],
    flush: [u16; SUIT_PATTERNS],
}

// Masks and narrowing conversions below cut a key to the part that is meant.
#[allow(clippy::cast_possible_truncation)]
impl Tables {
    /// Seven cards without a flush, by their key.
    #[inline]
    pub(super) fn seven(&self, key: u64) -> u16 {
        self.seven[(key as u16).wrapping_add(self.seven_rows[row_of(key)]) as usize]
    }

    /// Five or six cards without a flush, by their key.
    pub(super) fn fewer(&self, key: u64, count: usize) -> u16 {
        let key = if count == 5 { key.wrapping_add(FIVE_OFFSET) } else { key };
        self.fewer[(key as u16).wrapping_add(self.fewer_rows[row_of(key)]) as usize & (FEWER_SLOTS - 1)]
    }

    /// Five or more cards of one suit, by their ranks in the lower 13 bits.
    #[inline]
    pub(super) fn flush(&self, ranks: u64) -> u16 {
        self.flush[ranks as usize & (SUIT_PATTERNS - 1)]
    }

    /// Values every set of ranks and finds a place for it.
    #[allow(clippy::large_stack_arrays)] // once, a fraction of any thread's stack; a box of arrays has no other way
    pub(super) fn build() -> Box<Tables> {
        let mut tables = Box::new(Tables {
            seven_rows: [0; ROWS],
            seven: [0; SEVEN_SLOTS],
            fewer_rows: [0; ROWS],
            fewer: [0; FEWER_SLOTS],
            flush: [0; SUIT_PATTERNS],
        });
        for ranks in 0..SUIT_PATTERNS as u16 {
            if ranks.count_ones() >= 5 {
                tables.flush[ranks as usize] = best_of_suit(ranks).0;
            }
        }
        let valued = |size, offset| {
            let mut entries = Vec::new();
            for_each_count(size, &mut |counts| {
                entries.push((key_of(counts).wrapping_add(offset), best_of_counts(counts).0));
            });
            entries
        };
        let mut fewer = valued(6, 0);
        fewer.extend(valued(5, FIVE_OFFSET));
        place(fewer, &mut tables.fewer_rows, &mut tables.fewer);
        place(valued(7, 0), &mut tables.seven_rows, &mut tables.seven);
        tables
    }
}

/// The row of a key.
#[inline]
#[allow(clippy::cast_possible_truncation)] // 13 bits
const fn row_of(key: u64) -> usize {
    (key >> (ROW_SHIFT + ROW_CUT)) as usize
}

/// Rank and row sum of a hand that holds rank `i` `counts[i]` times; the key of its cards without the suits.
fn key_of(counts: &[u8; 13]) -> u64 {
    let keys =
        RANK_KEYS.iter().zip(ROW_KEYS).map(|(&rank, row)| u64::from(rank) + (u64::from(row) << ROW_SHIFT));
    counts
        .iter()
        .zip(keys)
        .fold(0, |sum: u64, (&count, key)| sum.wrapping_add(u64::from(count).wrapping_mul(key)))
}

/// Calls `take` with every way to hold `size` cards by rank, at most four of each.
pub(super) fn for_each_count(size: u8, take: &mut impl FnMut(&[u8; 13])) {
    fn fill(rank: usize, left: u8, counts: &mut [u8; 13], take: &mut impl FnMut(&[u8; 13])) {
        if rank == counts.len() {
            if left == 0 {
                take(counts);
            }
            return;
        }
        for count in 0..=left.min(4) {
            counts[rank] = count;
            fill(rank + 1, left - count, counts, take);
        }
        counts[rank] = 0;
    }
    fill(0, size, &mut [0; 13], take);
}

/// Row displacement: gives each row, fullest first, the first displacement from a scattered start at which all its
/// entries fall on free slots.
#[allow(clippy::cast_possible_truncation)] // slots are at most 2^16, keys are cut to the slot's bits
fn place(mut entries: Vec<(u64, u16)>, rows: &mut [u16], slots: &mut [u16]) {
    entries.sort_unstable_by_key(|entry| (row_of(entry.0), entry.0));
    let mut groups: Vec<&[(u64, u16)]> = entries.chunk_by(|a, b| row_of(a.0) == row_of(b.0)).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mask = slots.len() - 1;
    let slot = |key: u64, shift: usize| (key as usize).wrapping_add(shift) & mask;
    for group in groups {
        let Some(row) = group.first().map(|entry| row_of(entry.0)) else { continue };
        let start = row * 40_503;
        let found = (start..start + slots.len())
            .map(|shift| shift & mask)
            .find(|&shift| group.iter().all(|&(key, _)| slots[slot(key, shift)] == 0));
        // There always is one: the tables never change, and a test reads every entry back.
        if let Some(shift) = found {
            rows[row] = shift as u16;
            for &(key, value) in group {
                slots[slot(key, shift)] = value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tables_stay_within_350_kb() {
        assert!(super::super::Evaluator::table_bytes() <= 350_000);
    }

    #[test]
    fn rank_sums_are_unique_and_every_entry_is_read_back() {
        let tables = Tables::build();
        for (size, sets) in [(5, 6175), (6, 18_395), (7, 49_205)] {
            let mut keys = BTreeSet::new();
            for_each_count(size, &mut |counts| {
                let key = key_of(counts);
                keys.insert(key & 0xff_ffff);
                let found = match size {
                    7 => tables.seven(key),
                    _ => tables.fewer(key, size.into()),
                };
                assert_eq!(found, best_of_counts(counts).0, "{counts:?}");
            });
            assert_eq!(keys.len(), sets);
        }
    }
}
