//! What a traveller tells of a board of wakeng.

use super::score::Side;
use super::state::State;
use super::{SEATS, name_of};
use crate::games::Seat;
use crate::games::story::{Fact, Told};

/// The seats of a set, bit per seat.
fn seats(set: u8) -> Told {
    let seats = u8::try_from(SEATS).unwrap_or_default();
    Told::Seats((0..seats).filter(|seat| set >> seat & 1 == 1).map(|seat| name_of(Seat(seat))).collect())
}

/// Banker, bid, who showed and doubled, bombs, who went out first; nothing as long as nobody is banker.
pub(super) fn story(state: &State) -> Vec<Fact> {
    let outcome = state.outcome();
    let Some((banker, bid)) = outcome.banker.zip(outcome.bid) else { return Vec::new() };
    let mut story = vec![
        Fact::new("banker", Told::Seat(Some(banker))),
        Fact::new("bid", Told::Number(i64::from(bid))),
        Fact::new("show", seats(state.shown)),
        Fact::new("double", seats(state.doubled)),
        Fact::new("bombs", Told::Number(i64::from(outcome.bombs))),
    ];
    if let Some(winner) = outcome.winner {
        let side = match winner {
            Side::Banker => "banker",
            Side::Defence => "defence",
        };
        story.push(Fact::new("winner", Told::Side(side)));
    }
    story
}
