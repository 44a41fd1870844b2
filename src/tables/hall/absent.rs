//! Seats to which nobody has come: after the event's patience a computer player decides for them, a board at a time, so
//! that those who do play have somebody to be compared with. Whoever comes has the seat from the next board on.

use std::time::Duration;

use tokio::time::Instant;

use super::Hall;
use super::stations::Station;

/// Number of boards that are played for absent seats though nobody else has come so far. More follow those who play, never lead
/// them: whoever comes late still finds boards.
const AHEAD: usize = 4;
/// How long a station waits between two boards that are played for its absent seats.
const AGAIN: Duration = Duration::from_secs(5);
/// A seat whose player has played before and is away is waited for so many times longer.
const FORMER: u32 = 10;

/// How long nobody has been there, and whether a computer player has decided meanwhile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Absence {
    since: Instant,
    stood_in: bool,
}

impl Hall {
    fn anybody(&self, station: &Station) -> bool {
        let there = |member| self.participants.get(member).is_some_and(|one| one.sink.is_some());
        station.members.iter().any(there)
    }

    /// Number of boards that the furthest person has begun.
    fn led(&self) -> usize {
        let stood_in = |number: u32| self.seated.get(&number).is_some_and(|at| at.stood_in);
        let begun = |station: &Station| match station.open {
            Some(number) if !stood_in(number) => station.next + 1,
            _ => station.own,
        };
        self.stations.iter().map(begun).max().unwrap_or(0)
    }

    /// Opens boards for seats that nobody has taken.
    pub(super) fn stand_in(&mut self) {
        let patience = Duration::from_secs(u64::from(self.live.absent_s));
        if patience.is_zero() || !self.own_pace() || self.paused {
            return;
        }
        let wanted = self.led().max(AHEAD);
        for station in 0..self.stations.len() {
            let Some(at) = self.stations.get(station) else { continue };
            let idle = at.open.is_none() && !at.members.is_empty() && !self.anybody(at);
            let (next, own) = (at.next(), at.own);
            let (Some(number), true) = (next, idle) else {
                if let Some(at) = self.stations.get_mut(station)
                    && at.open.is_none()
                {
                    at.absence = None;
                }
                continue;
            };
            let Some(at) = self.stations.get_mut(station) else { continue };
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
            if let Some(at) = self.seated.get_mut(&number) {
                at.stood_in = true;
            }
            self.open_sitting(station, number, Duration::ZERO);
        }
    }
}
