//! Seats to which nobody has come: after the event's patience a computer player decides for them, a board at a time, so
//! that those who do play have somebody to be compared with. Whoever comes has the seat from the next board on.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{Hall, Lane};
use crate::games::Seat;
use crate::journal::By;
use crate::journal::control::{ControlEntry, ControlKind};
use crate::players::Levels;
use crate::tables::task::{Command, Handle};

/// Boards that are played for absent seats though nobody else has come so far. More follow those who play, never lead
/// them: whoever comes late still finds boards.
const AHEAD: usize = 4;
/// How long a lane waits between two boards that are played for its absent seats.
const AGAIN: Duration = Duration::from_secs(5);
/// A seat whose player has played before and is away is waited for so many times longer.
const FORMER: u32 = 10;

/// How long nobody has been there, and whether a computer player has decided meanwhile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Absence {
    since: Instant,
    stood_in: bool,
}

impl<G: Levels> Hall<G> {
    fn anybody(&self, lane: &Lane) -> bool {
        let there = |member| self.people.get(member).is_some_and(|person| person.sink.is_some());
        lane.members.iter().any(there)
    }

    /// How many boards the furthest person has begun.
    fn led(&self) -> usize {
        let stood_in = |place: usize| self.places.get(place).is_some_and(|at| at.stood_in);
        let begun = |lane: &Lane| match lane.open {
            Some(place) if !stood_in(place) => lane.next + 1,
            _ => lane.own,
        };
        self.lanes.iter().map(begun).max().unwrap_or(0)
    }

    /// Opens boards for seats that nobody has taken.
    pub(super) fn stand_in(&mut self) {
        let patience = Duration::from_secs(u64::from(self.setup.event.live.absent_s));
        if patience.is_zero() || !self.own_pace() || self.paused {
            return;
        }
        let wanted = self.led().max(AHEAD);
        for lane in 0..self.lanes.len() {
            let Some(at) = self.lanes.get(lane) else { continue };
            let idle = at.active && at.open.is_none() && !at.members.is_empty() && !self.anybody(at);
            let (next, own) = (at.places.get(at.next).copied(), at.own);
            let (Some(place), true) = (next, idle) else {
                if let Some(at) = self.lanes.get_mut(lane)
                    && at.open.is_none()
                {
                    at.absence = None;
                }
                continue;
            };
            let Some(at) = self.lanes.get_mut(lane) else { continue };
            let absence = *at.absence.get_or_insert(Absence { since: Instant::now(), stood_in: false });
            let wait = match (absence.stood_in, own) {
                (true, _) => AGAIN.min(patience),
                (false, 0) => patience,
                (false, _) => patience.saturating_mul(FORMER),
            };
            if at.next >= wanted || absence.since.elapsed() < wait {
                continue;
            }
            at.absence = Some(Absence { since: Instant::now(), stood_in: true });
            if let Some(at) = self.places.get_mut(place) {
                at.stood_in = true;
            }
            self.open_next(lane, place);
        }
    }
}

/// Writes into the journal of a board for which seats a computer player decides.
pub(super) fn note_stand_ins(handle: &Handle, seats: impl IntoIterator<Item = Seat>) {
    for seat in seats {
        let note = ControlEntry { seat: Some(seat), ..ControlEntry::new(ControlKind::StandIn, By::Server) };
        let (answer, _) = oneshot::channel();
        handle.send(Command::Control { note, answer });
    }
}
