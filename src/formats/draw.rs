//! The seat draw (抽签): which entrant has which plan number, by lot and replayable.
//!
//! The draw knows entrants only by their place in the list it is given; the list and the seed must be fixed and
//! published before anybody knows the result, or the lot can be chosen.

use crate::chance::Chance;

/// The result of a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    numbers: Vec<u32>,
}

impl Draw {
    /// The plan number, from 1, of the entrant at a place of the list, from 0.
    #[must_use]
    pub fn number_of(&self, place: usize) -> Option<u32> {
        self.numbers.get(place).copied()
    }

    /// Plan numbers in list order.
    #[must_use]
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The places of the list in order of their plan numbers.
    #[must_use]
    pub fn places(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.numbers.len()).collect();
        places.sort_unstable_by_key(|place| self.numbers.get(*place).copied());
        places
    }
}

/// Draws plan numbers 1 to `entrants`: the numbers in order, shuffled with the stream of the purpose
/// `fushi-draw/1` and the seed's bytes ([`Chance::of`], [`Chance::shuffle`]).
#[must_use]
pub fn draw(entrants: u32, seed: &[u8]) -> Draw {
    let mut numbers: Vec<u32> = (1..=entrants).collect();
    Chance::of("fushi-draw/1", seed).shuffle(&mut numbers);
    Draw { numbers }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_gives_each_number_once_and_is_replayable() {
        let first = draw(60, b"venue dice 4 2 6");
        assert_eq!(first, draw(60, b"venue dice 4 2 6"));
        assert_ne!(first, draw(60, b"venue dice 4 2 5"));
        let mut sorted = first.numbers().to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (1..=60).collect::<Vec<_>>());
        for (number, place) in (1..).zip(first.places()) {
            assert_eq!(first.number_of(place), Some(number));
        }
        assert_eq!(draw(0, b"").numbers(), &[] as &[u32]);
    }

    #[test]
    fn the_lot_is_frozen() {
        assert_eq!(draw(6, b"fushi").numbers(), FROZEN);
    }

    const FROZEN: [u32; 6] = [5, 3, 1, 2, 4, 6];
}
