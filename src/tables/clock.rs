//! The clock of a table: until when each seat must decide.
//!
//! A clock is a function of the journal alone: the same lines at the same times give the same deadlines, after a
//! restart, too. Times are µs since the board opened at this table.

use crate::games::{Seat, Waiting};
use crate::journal::{Hold, Holds};

/// Deadlines of the seats that must decide now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Why the clock stands.
    holds: Holds,
    /// While the clock stands: the instant up to which the time that nobody is charged for is in `due`. `None` while it
    /// runs.
    stopped_at: Option<u64>,
    /// When each seat's present decision is due.
    due: Vec<Option<u64>>,
    phase: &'static str,
}

/// What a journal line means for the clocks of those who go on deciding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A seat acted: its decision is over, the others' go on.
    Acted(Seat),
    /// The seat acted, and everybody's decision begins anew.
    ActedAnew,
    /// The dealer took a step: a new occasion for everybody.
    Dealt,
    /// A hold is set: the clock stands.
    Stop(Hold),
    /// A hold is lifted: the clock runs if no other is left.
    Go(Hold),
    /// A seat gets more time, µs.
    Give(Seat, u64),
    /// The server came back: decisions begin anew.
    Restart,
    /// Nothing.
    Nothing,
}

impl Clock {
    /// The clock of a board that opens.
    #[must_use]
    pub fn open(seats: u8, waiting: &Waiting) -> Clock {
        let due = vec![None; usize::from(seats)];
        let mut clock = Clock { holds: Holds::NONE, stopped_at: None, due, phase: waiting.phase };
        clock.begin(0, waiting, |_| true);
        clock
    }

    fn begin(&mut self, at: u64, waiting: &Waiting, anew: impl Fn(Seat) -> bool) {
        let limit = u64::from(waiting.limit_ms).saturating_mul(1000);
        for (seat, due) in (0..).map(Seat).zip(&mut self.due) {
            if !waiting.seats.contains(seat) {
                *due = None;
            } else if due.is_none() || anew(seat) {
                *due = Some(at.saturating_add(limit));
            }
        }
        self.phase = waiting.phase;
    }

    /// Follows a journal line; `waiting` is whom the board waits for after it.
    pub fn follow(&mut self, step: Step, at: u64, waiting: &Waiting) {
        let other_phase = self.phase != waiting.phase;
        self.settle(at);
        match step {
            Step::Acted(seat) => self.begin(at, waiting, |other| other_phase || other == seat),
            Step::ActedAnew | Step::Dealt | Step::Restart => self.begin(at, waiting, |_| true),
            Step::Stop(hold) => {
                self.holds = self.holds.with(hold);
                self.stopped_at = Some(at);
            }
            Step::Go(hold) => {
                self.holds = self.holds.without(hold);
                self.stopped_at = self.stopped_at.filter(|_| self.holds.any());
            }
            Step::Give(seat, more) => {
                if let Some(Some(due)) = self.due.get_mut(seat.index()) {
                    *due = due.saturating_add(more);
                }
            }
            Step::Nothing => {}
        }
    }

    /// Adds the time that the clock has stood so far to every deadline: nobody is charged for it.
    fn settle(&mut self, at: u64) {
        let Some(since) = self.stopped_at else { return };
        let stood = at.saturating_sub(since);
        for due in self.due.iter_mut().flatten() {
            *due = due.saturating_add(stood);
        }
        self.stopped_at = Some(since.max(at));
    }

    /// Why it stands.
    #[must_use]
    pub const fn holds(&self) -> Holds {
        self.holds
    }

    /// Whether it runs.
    #[must_use]
    pub const fn runs(&self) -> bool {
        self.stopped_at.is_none()
    }

    /// The earliest deadline; `None` while the clock stands or nobody must decide.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        if self.runs() { self.due.iter().flatten().min().copied() } else { None }
    }

    /// Whether a seat's time is over.
    #[must_use]
    pub fn over(&self, seat: Seat, now: u64) -> bool {
        self.runs() && self.due.get(seat.index()).copied().flatten().is_some_and(|due| due <= now)
    }

    /// The time that a seat has left, ms; `None` when it need not decide.
    #[must_use]
    pub fn left_ms(&self, seat: Seat, now: u64) -> Option<u64> {
        let due = self.due.get(seat.index()).copied().flatten()?;
        Some(due.saturating_sub(self.stopped_at.unwrap_or(now)) / 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Seats;

    const SECOND: u64 = 1_000_000;

    fn waiting(seats: &[u8], phase: &'static str, limit_s: u32) -> Waiting {
        let seats: Seats = seats.iter().map(|seat| Seat(*seat)).collect();
        Waiting { seats, simultaneous: seats.len() > 1, phase, limit_ms: limit_s * 1000 }
    }

    #[test]
    fn others_keep_their_deadline_when_one_of_several_has_chosen() {
        let mut clock = Clock::open(3, &waiting(&[0, 1, 2], "show", 20));
        clock.follow(Step::Acted(Seat(1)), 5 * SECOND, &waiting(&[0, 2], "show", 20));
        assert_eq!(clock.left_ms(Seat(0), 5 * SECOND), Some(15_000));
        assert_eq!(clock.left_ms(Seat(1), 5 * SECOND), None);
        clock.follow(Step::Acted(Seat(0)), 6 * SECOND, &waiting(&[2], "show", 20));
        clock.follow(Step::Acted(Seat(2)), 7 * SECOND, &waiting(&[2], "bid", 15));
        assert_eq!(clock.left_ms(Seat(2), 7 * SECOND), Some(15_000), "another phase is another decision");
    }

    #[test]
    fn a_seat_that_leads_again_has_its_whole_time() {
        let mut clock = Clock::open(3, &waiting(&[0], "play", 30));
        clock.follow(Step::Acted(Seat(0)), 29 * SECOND, &waiting(&[0], "play", 30));
        assert_eq!(clock.next(), Some(59 * SECOND));
    }

    #[test]
    fn nobody_is_charged_while_the_clock_stands() {
        let mut clock = Clock::open(3, &waiting(&[0], "play", 30));
        clock.follow(Step::Stop(Hold::Referee), 10 * SECOND, &waiting(&[0], "play", 30));
        assert_eq!((clock.next(), clock.left_ms(Seat(0), 500 * SECOND)), (None, Some(20_000)));
        assert!(!clock.over(Seat(0), 500 * SECOND));
        clock.follow(Step::Give(Seat(0), 5 * SECOND), 400 * SECOND, &waiting(&[0], "play", 30));
        clock.follow(Step::Go(Hold::Referee), 500 * SECOND, &waiting(&[0], "play", 30));
        assert_eq!(clock.left_ms(Seat(0), 500 * SECOND), Some(25_000));
    }

    #[test]
    fn a_decision_that_begins_while_the_clock_stands_is_whole() {
        let mut clock = Clock::open(2, &waiting(&[0], "play", 30));
        clock.follow(Step::Stop(Hold::Referee), 10 * SECOND, &waiting(&[0], "play", 30));
        clock.follow(Step::Acted(Seat(0)), 100 * SECOND, &waiting(&[1], "play", 30));
        assert_eq!(clock.left_ms(Seat(1), 150 * SECOND), Some(30_000));
        clock.follow(Step::Go(Hold::Referee), 200 * SECOND, &waiting(&[1], "play", 30));
        assert_eq!(clock.left_ms(Seat(1), 200 * SECOND), Some(30_000));
    }

    #[test]
    fn the_clock_stands_until_the_last_hold_is_lifted_and_nobody_is_charged() {
        let waiting = waiting(&[0], "play", 30);
        let mut clock = Clock::open(3, &waiting);
        for (step, at) in [
            (Step::Stop(Hold::Event), 10),
            (Step::Stop(Hold::Referee), 100),
            (Step::Go(Hold::Event), 200),
            (Step::Nothing, 250),
        ] {
            clock.follow(step, at * SECOND, &waiting);
            assert!(!clock.runs());
            assert_eq!((clock.next(), clock.left_ms(Seat(0), 1000 * SECOND)), (None, Some(20_000)));
        }
        clock.follow(Step::Go(Hold::Referee), 300 * SECOND, &waiting);
        assert_eq!((clock.runs(), clock.left_ms(Seat(0), 300 * SECOND)), (true, Some(20_000)));
    }

    /// An action may be made up while the clock stands: the decisions of the others go on where they were.
    #[test]
    fn others_are_not_charged_when_one_of_several_chooses_while_the_clock_stands() {
        let mut clock = Clock::open(3, &waiting(&[0, 1], "show", 20));
        clock.follow(Step::Stop(Hold::Referee), 5 * SECOND, &waiting(&[0, 1], "show", 20));
        clock.follow(Step::Acted(Seat(1)), 100 * SECOND, &waiting(&[0], "show", 20));
        assert_eq!(clock.left_ms(Seat(0), 100 * SECOND), Some(15_000));
        clock.follow(Step::Go(Hold::Referee), 200 * SECOND, &waiting(&[0], "show", 20));
        assert_eq!(clock.left_ms(Seat(0), 200 * SECOND), Some(15_000));
    }

    #[test]
    fn a_restart_gives_the_whole_time_again() {
        let mut clock = Clock::open(2, &waiting(&[0], "play", 30));
        clock.follow(Step::Restart, 25 * SECOND, &waiting(&[0], "play", 30));
        assert_eq!(clock.left_ms(Seat(0), 25 * SECOND), Some(30_000));
    }
}
