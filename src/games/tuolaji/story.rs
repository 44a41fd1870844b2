//! What a traveller tells of a board of tuolaji.

use super::SEAT_NAMES;
use super::state::State;
use crate::games::story::{Fact, Told};

/// Banker, level, who called and what is trump, the defenders' small points, by how much the bottom counted, and the
/// side that the big points go to.
pub(super) fn story(state: &State) -> Vec<Fact> {
    let called = state.calls.last().and_then(|call| SEAT_NAMES.get(call.seat.index()).copied());
    let mut story = vec![
        Fact::new("banker", Told::Seat(SEAT_NAMES.get(state.banker.index()).copied())),
        Fact::new("level", Told::Rank(state.level.to_string())),
    ];
    if let Some(ladder) = &state.ladder {
        story.push(Fact::new("call", Told::Seat(called)));
        story.push(Fact::new("trump", Told::Trump(ladder.trump().to_string())));
    }
    // Where nobody has written the bottom down, the points are not known.
    if let Some(big) = state.big() {
        let side = match big.signum() {
            1 => "defence",
            -1 => "banker",
            _ => "level",
        };
        story.push(Fact::new("points", Told::Number(state.small())));
        story.push(Fact::new("multiplier", Told::Number(state.multiplier)));
        story.push(Fact::new("winner", Told::Side(side)));
    }
    story
}
