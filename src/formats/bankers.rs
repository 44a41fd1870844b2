//! The audit's count of who is the banker's side in an event for pairs.
//!
//! The banker's seat is not chosen: it goes on by one seat each board (TL 2.3), so seats 0 and 2 have the
//! banker on odd boards and seats 1 and 3 on even ones.

use std::collections::BTreeMap;

/// What a pair has been.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    /// Boards on the banker's side.
    pub banker: u32,
    /// Boards on the other.
    pub defender: u32,
    /// How many rounds it played that give seats 0 and 2 so many boards more on the banker's side.
    rounds: BTreeMap<i64, u32>,
}

impl Sides {
    /// A board in a direction, 0 or 1.
    pub(super) fn board(&mut self, number: u32, direction: usize) {
        let banker = (direction == 0) != number.is_multiple_of(2);
        if banker {
            self.banker += 1;
        } else {
            self.defender += 1;
        }
    }

    /// A round that the pair played, with its boards.
    pub(super) fn round(&mut self, boards: &[u32]) {
        let odd: i64 = boards.iter().map(|number| if number.is_multiple_of(2) { -1 } else { 1 }).sum();
        *self.rounds.entry(odd).or_default() += 1;
    }

    /// Whether the sides are equal where the rounds allow it. Rounds with equally many boards for both sides change
    /// nothing. Two alike ones of the others make up for each other, the pair sitting once in each direction; of each
    /// kind one can be left over.
    pub(super) fn even(&self) -> bool {
        let left: u64 =
            self.rounds.iter().map(|(odd, rounds)| odd.unsigned_abs() * u64::from(rounds % 2)).sum();
        u64::from(self.banker.abs_diff(self.defender)) <= left
    }
}
