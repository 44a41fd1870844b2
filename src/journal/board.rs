//! A board in play with its chain: actions and notes go in, in the order of its journal.
//!
//! Nothing here knows a clock or a database. What a note means for the clock of a table is the table's business;
//! here it is checked that the note fits, that slow play is noted only when the times of the lines show it, and the note
//! is chained like an action.

use super::Header;
use super::control::{ControlEntry, ControlKind, ControlRefused};
use super::entry::{Entry, write_canonical};
use super::hold::{Hold, Holds};
use super::pace::Pace;
use crate::canonical::{Hash, link, link_parts};
use crate::games::{Game, Seats};

/// A board in play: the state of the game, the hash chain up to it, the numbers of actions and notes.
#[derive(Clone, Debug)]
pub struct Board<G: Game> {
    state: G::State,
    seated: Seats,
    chain: Hash,
    entries: u32,
    notes: u32,
    dealt: bool,
    holds: Holds,
    ended: bool,
    pace: Pace,
    scratch: String,
}

impl<G: Game> Board<G> {
    /// The board at its opening; the chain holds the receipt.
    #[must_use]
    pub fn open(header: &Header<G>) -> Board<G> {
        Board::opened(header, link(&[0; 32], header.receipt().as_bytes()))
    }

    /// As [`Board::open`], for a header whose receipt has been written and hashed before.
    pub(super) fn opened(header: &Header<G>, chain: Hash) -> Board<G> {
        Board {
            state: G::open(&header.rules, &header.start),
            seated: G::seated(&header.start),
            chain,
            entries: 0,
            notes: 0,
            dealt: false,
            holds: Holds::NONE,
            ended: false,
            pace: Pace::OPEN,
            scratch: String::new(),
        }
    }

    /// The state of the game.
    pub const fn state(&self) -> &G::State {
        &self.state
    }

    /// The hash of the last line.
    pub const fn chain(&self) -> &Hash {
        &self.chain
    }

    /// The canonical bytes of the last line; empty after the receipt.
    pub fn last_bytes(&self) -> &str {
        &self.scratch
    }

    /// Gives up the chain and keeps the state.
    pub fn into_state(self) -> G::State {
        self.state
    }

    /// How many actions have been accepted.
    pub const fn entries(&self) -> u32 {
        self.entries
    }

    /// How many notes have been accepted.
    pub const fn notes(&self) -> u32 {
        self.notes
    }

    /// How many lines follow the receipt: actions and notes together. The number of the last line, and its place in
    /// the journal.
    pub const fn lines(&self) -> u32 {
        self.entries.saturating_add(self.notes)
    }

    /// Whether a note `end` has ended the board unfinished.
    pub const fn ended(&self) -> bool {
        self.ended
    }

    /// Whether nothing more is to be played: the game is finished, or the board was ended.
    pub fn over(&self) -> bool {
        self.ended || G::finished(&self.state)
    }

    /// Why the clock stands still: the event's pause, a referee's stop, both or neither.
    pub const fn holds(&self) -> Holds {
        self.holds
    }

    /// Whether the clock stands still.
    pub const fn stopped(&self) -> bool {
        self.holds.any()
    }

    /// Whether the journal has the dealer's steps: a note `deal` has come.
    pub const fn dealt(&self) -> bool {
        self.dealt
    }

    /// Checks and carries out an action; on refusal nothing changes. Returns the hash of the new line.
    ///
    /// # Errors
    /// The game's reason.
    pub fn play(&mut self, entry: &Entry<G::Action>) -> Result<Hash, G::Illegal> {
        if self.ended {
            return Err(G::over());
        }
        let effect = G::check(&self.state, entry.seat, &entry.action)?;
        self.may_act(entry)?;
        G::apply(&mut self.state, effect);
        self.scratch.clear();
        write_canonical::<G>(entry, &mut self.scratch);
        self.chain = link(&self.chain, self.scratch.as_bytes());
        self.entries += 1;
        self.pace.begin(entry.at);
        Ok(self.chain)
    }

    /// What only the clock or a referee does is refused from a player.
    fn may_act(&self, entry: &Entry<G::Action>) -> Result<(), G::Illegal> {
        let own = entry.by.is_none();
        match G::officials_only(&self.state, entry.seat, &entry.action).filter(|_| own) {
            Some(illegal) => Err(illegal),
            None => Ok(()),
        }
    }

    /// As [`Board::play`], for an action whose canonical bytes are at hand in two parts: it is not written again.
    pub(super) fn play_written(
        &mut self,
        entry: &Entry<G::Action>,
        (before, behind): (&str, &str),
    ) -> Result<Hash, G::Illegal> {
        if self.ended {
            return Err(G::over());
        }
        let effect = G::check(&self.state, entry.seat, &entry.action)?;
        self.may_act(entry)?;
        G::apply(&mut self.state, effect);
        self.chain = link_parts(&self.chain, before.as_bytes(), behind.as_bytes());
        self.entries += 1;
        self.pace.begin(entry.at);
        Ok(self.chain)
    }

    /// Checks a note and chains it, and takes the dealer's step for `deal`; on refusal nothing changes. Returns the
    /// hash of the new line.
    ///
    /// # Errors
    /// The note does not say what its kind says, or does not fit here.
    pub fn note(&mut self, note: &ControlEntry) -> Result<Hash, ControlRefused> {
        note.check()?;
        if self.ended || (G::finished(&self.state) && !note.kind.outlives_the_board()) {
            return Err(ControlRefused::Over);
        }
        if note.seat.is_some_and(|seat| !self.seated.contains(seat)) {
            return Err(ControlRefused::NoSeat);
        }
        match note.kind {
            ControlKind::Deal => {
                let effect = G::advance(&self.state).ok_or(ControlRefused::NothingDue)?;
                G::apply(&mut self.state, effect);
                self.dealt = true;
                self.pace.begin(note.at);
            }
            ControlKind::Stop => self.stop(note)?,
            ControlKind::Go => self.go(note)?,
            ControlKind::Give { ms } => {
                self.waits_for(note)?;
                self.pace.give(ms);
            }
            ControlKind::Slow => {
                self.waits_for(note)?;
                let after_ms = G::slow_after_ms(&self.state).filter(|_| !self.stopped());
                if !after_ms.is_some_and(|ms| self.pace.is_slow(ms, note.at)) {
                    return Err(ControlRefused::NotSlow);
                }
                self.pace.note();
            }
            ControlKind::End => self.ended = true,
            ControlKind::Restart => self.pace.begin(note.at),
            ControlKind::Call | ControlKind::Look | ControlKind::StandIn => {}
        }
        self.scratch.clear();
        note.write_canonical::<G>(&mut self.scratch);
        self.chain = link(&self.chain, self.scratch.as_bytes());
        self.notes += 1;
        Ok(self.chain)
    }

    /// Sets the hold of the maker of a `stop`. The clock stands from the first hold on.
    fn stop(&mut self, note: &ControlEntry) -> Result<(), ControlRefused> {
        let hold = Hold::of(note.by).filter(|hold| !self.holds.contains(*hold));
        let hold = hold.ok_or(ControlRefused::Stands)?;
        if !self.holds.any() {
            self.pace.stop(note.at);
        }
        self.holds = self.holds.with(hold);
        Ok(())
    }

    /// Lifts the hold of the maker of a `go`. The clock runs once no hold is left.
    fn go(&mut self, note: &ControlEntry) -> Result<(), ControlRefused> {
        let hold = Hold::of(note.by).filter(|hold| self.holds.contains(*hold));
        let hold = hold.ok_or(ControlRefused::Runs)?;
        self.holds = self.holds.without(hold);
        if !self.holds.any() {
            self.pace.go(note.at);
        }
        Ok(())
    }

    /// The seat of a note has a decision to make.
    fn waits_for(&self, note: &ControlEntry) -> Result<(), ControlRefused> {
        let waiting = G::waiting_for(&self.state).seats;
        if note.seat.is_some_and(|seat| waiting.contains(seat)) {
            Ok(())
        } else {
            Err(ControlRefused::NotWaiting)
        }
    }

    /// When the decision of the seat on turn becomes slow play, µs since the board opened; `None` while the clock
    /// stands, once it was noted, and where the rules set no such limit.
    pub fn slow_at(&self) -> Option<u64> {
        self.pace.due(G::slow_after_ms(&self.state).filter(|_| !self.stopped() && !self.ended)?)
    }

    /// How long the seat on turn may still take without being slow, µs; as [`Board::slow_at`], but it also answers
    /// while the clock stands.
    pub fn slow_left(&self, now: u64) -> Option<u64> {
        let due = self.pace.due(G::slow_after_ms(&self.state).filter(|_| !self.ended)?)?;
        Some(due.saturating_sub(self.pace.instant(now)))
    }

    /// Lets the dealer take the next step that is due and that no seat decides, without a line in the journal. A
    /// board that was ended has none.
    pub fn advance(&mut self) -> bool {
        match G::advance(&self.state) {
            Some(effect) if !self.ended => {
                G::apply(&mut self.state, effect);
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Pack;
    use crate::games::tuolaji::Tuolaji;
    use crate::games::wakeng::Wakeng;
    use crate::games::{Refusal as _, Seat, deal_board, rulesets};
    use crate::journal::{By, Line, scan_line};

    fn header<G: Game>() -> Header<G> {
        let rules = rulesets::default::<G>().unwrap();
        let start = deal_board::<G>(&rules, 1, &Pack::cards(G::PACK)).unwrap();
        Header::new("t/1", rules, start)
    }

    fn note(kind: ControlKind, by: By) -> ControlEntry {
        let who = (by == By::Referee).then(|| "r1".to_owned());
        ControlEntry { who, ..ControlEntry::new(kind, by) }
    }

    fn of_seat(kind: ControlKind, by: By, seat: u8) -> ControlEntry {
        ControlEntry { seat: Some(Seat(seat)), ..ControlEntry::new(kind, by) }
    }

    /// Plays what the clock would, up to `most` actions or the end.
    fn play<G: Game>(board: &mut Board<G>, most: usize) {
        for _ in 0..most {
            if G::finished(board.state()) {
                return;
            }
            let mut acted = false;
            for seat in G::waiting_for(board.state()).seats.iter() {
                if let Some(action) = G::timeout(board.state(), seat) {
                    board.play(&Entry { seat, action, at: None, by: Some(By::Clock) }).unwrap();
                    acted = true;
                    break;
                }
            }
            assert!(acted || board.advance());
        }
    }

    #[test]
    fn actions_and_notes_are_links_of_one_chain() {
        let mut board = Board::open(&header::<Wakeng>());
        let mut chain = *board.chain();
        let mut lines = Vec::new();
        let mut keep = |board: &Board<Wakeng>| {
            chain = link(&chain, board.last_bytes().as_bytes());
            assert_eq!(*board.chain(), chain);
            lines.push(board.last_bytes().to_owned());
        };
        board.note(&note(ControlKind::Stop, By::Referee)).unwrap();
        keep(&board);
        play(&mut board, 1);
        keep(&board);
        board.note(&note(ControlKind::Go, By::Referee)).unwrap();
        keep(&board);
        board.note(&note(ControlKind::Restart, By::Server)).unwrap();
        keep(&board);
        play(&mut board, 1);
        keep(&board);
        board.note(&of_seat(ControlKind::Call, By::Player, 2)).unwrap();
        keep(&board);
        assert_eq!((board.entries(), board.notes(), board.lines()), (2, 4, 6));
        let mut again = Board::open(&header::<Wakeng>());
        for line in &lines {
            match scan_line::<Wakeng>(line).unwrap() {
                Line::Action(entry) => again.play(&entry).unwrap(),
                Line::Control(note) => again.note(&note).unwrap(),
            };
        }
        assert_eq!(again.chain(), board.chain());
    }

    #[test]
    fn a_note_that_does_not_fit_is_refused_and_changes_nothing() {
        let mut board = Board::open(&header::<Wakeng>());
        let refuse = |board: &mut Board<Wakeng>, note: ControlEntry, expected: ControlRefused| {
            let before = (*board.chain(), board.lines(), board.holds(), board.ended());
            assert_eq!(board.note(&note), Err(expected), "{note:?}");
            assert_eq!((*board.chain(), board.lines(), board.holds(), board.ended()), before);
        };
        let give = ControlKind::Give { ms: 30_000 };
        refuse(&mut board, note(ControlKind::Deal, By::Dealer), ControlRefused::NothingDue);
        refuse(&mut board, note(ControlKind::Go, By::Server), ControlRefused::Runs);
        refuse(&mut board, of_seat(ControlKind::Call, By::Player, 3), ControlRefused::NoSeat);
        assert_eq!(board.note(&note(ControlKind::Call, By::Player)).unwrap_err().code(), "malformed");
        board.note(&of_seat(give, By::Clock, 0)).unwrap();
        board.note(&note(ControlKind::Stop, By::Server)).unwrap();
        refuse(&mut board, note(ControlKind::Stop, By::Server), ControlRefused::Stands);
        refuse(&mut board, note(ControlKind::Go, By::Referee), ControlRefused::Runs);
        board.note(&note(ControlKind::Restart, By::Server)).unwrap();
        assert!(board.stopped(), "a restart leaves the clock as it was");
        // Seat A shows or not, and has nothing more to decide until the others have.
        let action = Wakeng::timeout(board.state(), Seat(0)).unwrap();
        board.play(&Entry::new(Seat(0), action)).unwrap();
        refuse(&mut board, of_seat(give, By::Referee, 0), ControlRefused::NotWaiting);
    }

    /// The event's pause and a referee's stop are independent, whichever comes and goes first.
    #[test]
    fn each_hold_is_lifted_by_its_own_maker_only_and_the_clock_runs_without_any() {
        let makers = [By::Server, By::Referee];
        for (first, second) in [makers, [By::Referee, By::Server]].map(|[a, b]| (a, b)) {
            for (sooner, later) in [(first, second), (second, first)] {
                let mut board = Board::open(&header::<Tuolaji>());
                for (by, kind, after) in [
                    (first, ControlKind::Stop, 1),
                    (second, ControlKind::Stop, 2),
                    (sooner, ControlKind::Go, 1),
                    (later, ControlKind::Go, 0),
                ] {
                    board.note(&note(kind, by)).unwrap();
                    assert_eq!((board.holds().iter().count(), board.stopped()), (after, after > 0));
                    let again = board.note(&note(kind, by)).unwrap_err();
                    let expected =
                        if kind == ControlKind::Stop { ControlRefused::Stands } else { ControlRefused::Runs };
                    assert_eq!(again, expected, "each hold is set and lifted once");
                }
            }
        }
    }

    /// A decision is not slow for the time during which any hold stood, counted once.
    #[test]
    fn slow_play_does_not_count_the_time_under_either_hold() {
        const SECOND: u64 = 1_000_000;
        let mut board = Board::open(&header::<Tuolaji>());
        let at = |seconds: u64, note: ControlEntry| ControlEntry { at: Some(seconds * SECOND), ..note };
        while board.note(&at(0, note(ControlKind::Deal, By::Dealer))).is_ok() {}
        let due = board.slow_at().unwrap();
        for (seconds, kind, by) in [
            (10, ControlKind::Stop, By::Server),
            (100, ControlKind::Stop, By::Referee),
            (200, ControlKind::Go, By::Server),
        ] {
            board.note(&at(seconds, note(kind, by))).unwrap();
            assert_eq!(board.slow_at(), None);
            assert_eq!(board.slow_left(seconds * SECOND), Some(due - 10 * SECOND));
        }
        board.note(&at(310, note(ControlKind::Go, By::Referee))).unwrap();
        assert_eq!(board.slow_at(), Some(due + 300 * SECOND));
    }

    #[test]
    fn after_the_end_of_the_game_somebody_may_look_or_call_and_nothing_else() {
        let mut board = Board::open(&header::<Wakeng>());
        play(&mut board, usize::MAX);
        assert!(board.over() && !board.ended());
        board.note(&note(ControlKind::Look, By::Referee)).unwrap();
        board.note(&of_seat(ControlKind::Call, By::Player, 0)).unwrap();
        for kind in [ControlKind::Stop, ControlKind::Restart, ControlKind::End] {
            let by = if kind == ControlKind::End { By::Referee } else { By::Server };
            let refused = board.note(&note(kind, by)).unwrap_err();
            assert_eq!((refused.code(), refused), ("wrong_phase", ControlRefused::Over));
        }
    }

    #[test]
    fn after_the_note_end_everything_is_refused() {
        let mut board = Board::open(&header::<Tuolaji>());
        board.note(&note(ControlKind::Deal, By::Dealer)).unwrap();
        board.note(&note(ControlKind::End, By::Referee)).unwrap();
        assert!(board.ended() && board.over() && !Tuolaji::finished(board.state()));
        assert!(!board.advance());
        for (kind, by) in [
            (ControlKind::Deal, By::Dealer),
            (ControlKind::Look, By::Referee),
            (ControlKind::End, By::Clock),
            (ControlKind::Go, By::Server),
        ] {
            assert_eq!(board.note(&note(kind, by)), Err(ControlRefused::Over));
        }
        let chain = *board.chain();
        let action = Tuolaji::read_action(&crate::games::ActionText::plain("play H4")).unwrap();
        assert_eq!(board.play(&Entry::new(Seat(0), action)).unwrap_err().code(), "wrong_phase");
        assert_eq!(*board.chain(), chain);
    }

    #[test]
    fn a_note_deal_is_one_step_of_the_dealer() {
        let (mut noted, mut silent) = (Board::open(&header::<Tuolaji>()), Board::open(&header::<Tuolaji>()));
        assert!(!noted.dealt());
        for _ in 0..3 {
            noted.note(&note(ControlKind::Deal, By::Dealer)).unwrap();
            assert!(silent.advance());
        }
        let view = |board: &Board<Tuolaji>| Tuolaji::view(board.state(), crate::games::Viewer::Seat(Seat(0)));
        assert_eq!(view(&noted), view(&silent));
        assert!(noted.dealt() && !silent.dealt());
        assert_ne!(noted.chain(), silent.chain());
        while noted.note(&note(ControlKind::Deal, By::Dealer)).is_ok() {}
        assert_eq!(noted.note(&note(ControlKind::Deal, By::Dealer)), Err(ControlRefused::NothingDue));
    }
}
