//! What a traveller tells of a hand of hold'em.

use super::start::seat_name;
use super::state::State;
use crate::games::Seats;
use crate::games::story::{Fact, Told};

fn names(seats: Seats) -> Told {
    Told::Seats(seats.iter().map(seat_name).collect())
}

/// How far the betting came, the pots, who showed, who took chips.
pub(super) fn story(state: &State) -> Vec<Fact> {
    let mut winners = Seats::NONE;
    for pot in &state.pots {
        for seat in pot.winners.iter() {
            winners = winners.with(seat);
        }
    }
    let shown = state.order.iter().filter(|(_, shown)| *shown).map(|(seat, _)| seat_name(seat)).collect();
    vec![
        Fact::new("street", Told::Street(state.last_betting.word())),
        Fact::new("pots", Told::Amounts(state.pots.iter().map(|pot| pot.amount).collect())),
        Fact::new("showdown", Told::Seats(shown)),
        Fact::new("winner", names(winners)),
    ]
}
