//! The seat draw (抽签): which entrant has which plan number, by lot and replayable.
//!
//! The draw knows entrants only by their place in the list it is given; the list and the seed must be fixed and
//! published before anybody knows the result, or the lot can be chosen.

use super::{Occupant, Round};
use crate::rng::GameRng;

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

    /// The rounds of a plan for the entrants of the list, who have these numbers in list order: instead of each plan
    /// number stands the number of the entrant that has drawn it. A plan number that nobody has drawn stays.
    #[must_use]
    pub fn seat(&self, rounds: Vec<Round>, numbers: &[u32]) -> Vec<Round> {
        let mut drawn: Vec<u32> = (1..).zip(&self.numbers).map(|(plan, _)| plan).collect();
        for (plan, own) in self.numbers.iter().zip(numbers) {
            if let Some(place) = (*plan as usize).checked_sub(1).and_then(|place| drawn.get_mut(place)) {
                *place = *own;
            }
        }
        let own = |plan: u32| {
            (plan as usize).checked_sub(1).and_then(|place| drawn.get(place)).map_or(plan, |own| *own)
        };
        let mut rounds = rounds;
        for round in &mut rounds {
            for who in round.tables.iter_mut().flat_map(|table| table.sittings.iter_mut().flatten()) {
                if let Occupant::Entrant(number) = who {
                    *number = own(*number);
                }
            }
            for bye in &mut round.byes {
                *bye = own(*bye);
            }
            round.byes.sort_unstable();
        }
        rounds
    }
}

/// Draws plan numbers 1 to `entrants`: the numbers in order, shuffled with the stream of the purpose
/// `fushi-draw/1` and the seed's bytes ([`GameRng::of`], [`GameRng::shuffle`]).
#[must_use]
pub fn draw(entrants: u32, seed: &[u8]) -> Draw {
    let mut numbers: Vec<u32> = (1..=entrants).collect();
    GameRng::of("fushi-draw/1", seed).shuffle(&mut numbers);
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
    fn everybody_keeps_the_own_number_at_the_place_that_was_drawn() {
        let draw = Draw { numbers: vec![3, 1, 2] };
        let sitting = vec![Occupant::Entrant(1), Occupant::Entrant(3), Occupant::StandIn(1), Occupant::Ai];
        let table = super::super::Table { table: 1, sittings: vec![sitting] };
        let round = Round { round: 1, boards: vec![1], tables: vec![table], byes: vec![2, 3] };
        // Numbers 4, 7 and 9 drew the plan's 3, 1 and 2.
        let seated = draw.seat(vec![round], &[4, 7, 9]).remove(0);
        let expected = [Occupant::Entrant(7), Occupant::Entrant(4), Occupant::StandIn(1), Occupant::Ai];
        assert_eq!(seated.tables[0].sittings[0], expected);
        assert_eq!(seated.byes, [4, 9]);
    }

    #[test]
    fn the_lot_is_frozen() {
        assert_eq!(draw(6, b"fushi").numbers(), FROZEN);
    }

    const FROZEN: [u32; 6] = [5, 3, 1, 2, 4, 6];
}
