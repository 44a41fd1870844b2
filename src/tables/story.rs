//! What may be told of a board line by line: which choices are kept from whom, and when they become known.

use super::message::followed;
use super::table::Shown;
use crate::games::Game;
use crate::journal::control::Line;
use crate::journal::{Board, Entry, Header};

/// Until when an action is kept from everybody but its own seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Until everybody who chooses at the same time has chosen (Wakeng rulebook, phases 1 and 6).
    Choice,
    /// Until the board is finished: the bottom that is laid away (Tuolaji rulebook §3.9).
    Board,
}

/// Until when an action is kept from the others; `None` for what everybody sees. `before` is the state that it met,
/// `after` the one that it led to.
#[must_use]
pub fn kept_from<G: Game>(before: &G::State, after: &G::State, entry: &Entry<G::Action>) -> Option<Kept> {
    if G::keeps_secret(before, &entry.action) {
        return Some(Kept::Board);
    }
    let (waiting, still) = (G::waiting_for(before), G::waiting_for(after));
    let choice = waiting.simultaneous
        && still.simultaneous
        && waiting.phase == still.phase
        && G::timeout(before, entry.seat).is_some();
    choice.then_some(Kept::Choice)
}

/// A line as the board goes on.
#[derive(Clone, Debug)]
pub struct Disclosure<G: Game> {
    /// Its number, from 1.
    pub n: u32,
    /// The state that it met.
    pub before: G::State,
    /// Earlier actions, with the numbers of their lines, that everybody may know from this line on.
    pub opened: Vec<(u32, Entry<G::Action>)>,
}

/// How far a board has been told: the state that the next line meets, and the actions of which only their own seats know
/// yet what they were.
#[derive(Clone, Debug)]
pub struct Story<G: Game> {
    n: u32,
    now: G::State,
    sealed: Vec<Sealed<G>>,
}

#[derive(Clone, Debug)]
struct Sealed<G: Game> {
    n: u32,
    entry: Entry<G::Action>,
    kept: Kept,
    /// The phase in which it was chosen.
    phase: &'static str,
}

impl<G: Game> Story<G> {
    /// An untouched board.
    #[must_use]
    pub fn open(board: &Board<G>) -> Story<G> {
        Story { n: 0, now: board.state().clone(), sealed: Vec::new() }
    }

    /// A board that has gone so far.
    #[must_use]
    pub fn after(header: &Header<G>, lines: &[Shown<G>]) -> Story<G> {
        let mut board = Board::open(header);
        let mut story = Story::open(&board);
        for shown in lines {
            if !followed(&mut board, &shown.line) {
                break;
            }
            story.follow(&shown.line, &board);
        }
        story
    }

    /// Takes the next line in; `board` is the board after it.
    pub fn follow(&mut self, line: &Line<G::Action>, board: &Board<G>) -> Disclosure<G> {
        let before = std::mem::replace(&mut self.now, board.state().clone());
        self.n = self.n.saturating_add(1);
        let waiting = G::waiting_for(&self.now);
        let finished = G::finished(&self.now);
        let closed = |one: &Sealed<G>| match one.kept {
            Kept::Choice => waiting.simultaneous && waiting.phase == one.phase,
            Kept::Board => !finished,
        };
        let (sealed, opened) = std::mem::take(&mut self.sealed).into_iter().partition(closed);
        self.sealed = sealed;
        if let Line::Action(entry) = line
            && let Some(kept) = kept_from::<G>(&before, &self.now, entry)
        {
            let phase = G::waiting_for(&before).phase;
            self.sealed.push(Sealed { n: self.n, entry: entry.clone(), kept, phase });
        }
        let opened: Vec<Sealed<G>> = opened;
        Disclosure { n: self.n, before, opened: opened.into_iter().map(|one| (one.n, one.entry)).collect() }
    }
}
