//! What happened on a board at a table, from its journal.

use crate::games::story::Fact;
use crate::games::{Game, Seat};
use crate::journal::{Board, Header};

/// What a traveller tells of a board at a table beside the compared results.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Told {
    /// What happened.
    pub story: Vec<Fact>,
    /// The raw score of each seat; nothing where the board was ended unfinished.
    pub scores: Option<Vec<(&'static str, i64)>>,
}

impl Told {
    /// What a board at a table tells.
    pub(super) fn of<G: Game>(header: &Header<G>, board: &Board<G>) -> Told {
        let scores = G::finished(board.state()).then(|| {
            let scores = G::scores(board.state());
            let of = |seat: Seat| Some((G::seat_name(seat)?, *scores.get(seat.index())?));
            G::seated(&header.start).iter().filter_map(of).collect()
        });
        Told { story: G::story(board.state()), scores }
    }
}
