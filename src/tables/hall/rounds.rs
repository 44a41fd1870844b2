//! Rounds: how they begin, how much time they have left, and the bell; the pause of everything.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::handle::{Command, HallRefused};
use super::stations::StationKey;
use super::{Hall, Status, Work};
use crate::event::ledger::EventWrite;
use crate::event::live::Live;
use crate::event::log::{EventLog, LogError};
use crate::formats::{Bell, Fact, RoundStarted};
use crate::journal::{Author, EventFault};

const MINUTE_US: u64 = 60_000_000;

/// How much time a round has left, by the event's own time: it stands while everything stands, and never counts the time
/// without a server. It follows from the lines of the event's journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RoundClock {
    left_us: u64,
    /// Since when it runs; `None` while everything stands.
    since: Option<u64>,
}

impl RoundClock {
    /// The clock of a round of so many minutes that starts at an instant.
    pub const fn new(minutes: u32, at: u64, runs: bool) -> RoundClock {
        RoundClock { left_us: minutes as u64 * MINUTE_US, since: if runs { Some(at) } else { None } }
    }

    /// How much is left at an instant, µs.
    pub fn left_us(self, now: u64) -> u64 {
        self.since.map_or(self.left_us, |since| self.left_us.saturating_sub(now.saturating_sub(since)))
    }

    /// The clock from an instant on at which it stops or goes on.
    pub fn run(self, runs: bool, at: u64) -> RoundClock {
        RoundClock { left_us: self.left_us(at), since: runs.then_some(at) }
    }
}

/// Why a round could not be started.
fn refused(error: &LogError) -> HallRefused {
    match error {
        LogError::Refused(EventFault::Refused(refused)) => match refused.code() {
            "unknown_round" => HallRefused::NoRound,
            "round_started" => HallRefused::Started,
            "ended" => HallRefused::Over,
            _ => HallRefused::Earlier,
        },
        _ => HallRefused::Unwritten,
    }
}

/// How long a round with so many boards lasts, minutes; 0 for no limit. A round with fewer boards than a full one has its
/// share of the time, rounded up.
fn minutes(live: &Live, full_round: u32, boards: usize) -> u32 {
    let full = u64::from(full_round.max(1));
    let boards = u64::try_from(boards).unwrap_or(u64::MAX).min(full);
    u32::try_from((u64::from(live.round_minutes) * boards).div_ceil(full)).unwrap_or(u32::MAX)
}

impl Hall {
    /// Starts a round, counted over the whole event; at the players' own pace round 1 starts all of them. The work is done
    /// beside the hall.
    pub(super) fn start(
        &mut self,
        ordinal: u32,
        who: &str,
        answer: Option<oneshot::Sender<Result<(), HallRefused>>>,
    ) {
        if let Err(why) = self.may_start(ordinal) {
            if let Some(answer) = answer {
                let _ = answer.send(Err(why));
            }
            return;
        }
        self.under_way.start = true;
        let by = if who.is_empty() { Author::Clock } else { Author::Account(who.to_owned()) };
        let own = self.own_pace();
        let (log, tables, commands) =
            (Arc::clone(&self.log), Arc::clone(&self.tables), self.commands.clone());
        self.work.spawn_blocking(move || {
            let started = match tables.live() {
                Ok((live, full_round)) => {
                    // What the desk decided about live play since the hall was opened holds from this round on.
                    if let Some(commands) = commands.upgrade() {
                        let _ = commands.blocking_send(Command::Live(live, full_round));
                    }
                    append_starts(&log, &by, ordinal, own, &live, full_round)
                }
                Err(error) => Err(LogError::Event(error)),
            };
            if let Err(error) = &started {
                tracing::warn!(%error, round = ordinal, "a round was not started");
            }
            Work::Started(answer.map(|answer| (answer, started.map_err(|error| refused(&error)))))
        });
    }

    fn may_start(&self, ordinal: u32) -> Result<(), HallRefused> {
        if self.ended {
            return Err(HallRefused::Over);
        }
        let known =
            self.schedule.iter().find(|round| round.plan.round == ordinal).ok_or(HallRefused::NoRound)?;
        let own = self.own_pace();
        if own && ordinal != 1 {
            return Err(HallRefused::NoRound);
        }
        if self.rounds.contains(&(known.stage, known.round)) {
            return Err(HallRefused::Started);
        }
        if self.under_way.start {
            return Err(HallRefused::Unwritten);
        }
        if !own && self.rounds.iter().any(|(stage, round)| !self.round_over(*stage, *round)) {
            return Err(HallRefused::Earlier);
        }
        Ok(())
    }

    /// A round has started: its line is durable.
    pub(super) fn round_taken(&mut self, start: RoundStarted, at: u64) {
        self.rounds.push((start.stage, start.round));
        self.round_clock = (start.minutes > 0).then(|| RoundClock::new(start.minutes, at, !self.paused));
        self.send_away();
        self.tell_all_waiting();
    }

    /// Whether every sitting of a round is over.
    pub(super) fn round_over(&self, stage: u32, round: u32) -> bool {
        let of_round = |at: &&super::Seated| (at.sitting.stage, at.sitting.round) == (stage, round);
        self.seated.values().filter(of_round).all(|at| at.status == Status::Over && at.handle.is_none())
    }

    /// What follows when the last round that was started is over; the rest of the rounds of an event at the players' own
    /// pace.
    pub(super) fn rounds_go_on(&mut self) {
        let Some((stage, round)) = self.rounds.last().copied() else { return };
        let over = self.round_over(stage, round);
        if over && !self.own_pace() {
            self.round_clock = None;
        }
        let goes_on = if self.own_pace() { true } else { self.live.auto_rounds && over };
        if self.paused || self.ended || !goes_on || self.under_way.start {
            return;
        }
        // A board from a reserve set is ordered with the referee's decision.
        let next = |known: &&crate::formats::ScheduledRound| {
            known.replays.is_none() && !self.rounds.contains(&(known.stage, known.round))
        };
        let Some(ordinal) = self.schedule.iter().find(next).map(|known| known.plan.round) else { return };
        self.under_way.start = true;
        let own = self.own_pace();
        let (log, tables) = (Arc::clone(&self.log), Arc::clone(&self.tables));
        self.work.spawn_blocking(move || {
            let started = tables.live().map_err(LogError::Event).and_then(|(live, full_round)| {
                append_starts(&log, &Author::Clock, ordinal, own, &live, full_round)
            });
            if let Err(error) = &started {
                tracing::warn!(%error, round = ordinal, "a round was not started; it is tried again");
            }
            Work::Started(None)
        });
    }

    /// Stations that wait no longer; the end of a round.
    pub(super) fn timers(&mut self) {
        let now = Instant::now();
        for station in 0..self.stations.len() {
            if self.stations.get(station).is_some_and(|one| one.force_at.is_some_and(|at| at <= now)) {
                self.feed(station);
            }
        }
        self.stand_in();
        let rung = self.round_clock.is_some_and(|clock| clock.left_us(self.log.now()) == 0);
        if rung && !self.paused && !self.under_way.bell && !self.log.is_stale() {
            self.ring();
        }
        if !self.under_way.start {
            self.rounds_go_on();
        }
    }

    /// The round's time is over: what was not begun is not played. Boards in play go on until they are finished or a
    /// referee ends them.
    fn ring(&mut self) {
        let Some((stage, round)) = self.rounds.last().copied() else { return };
        if self.round_over(stage, round) {
            self.round_clock = None;
            return;
        }
        let mut unplayed = Vec::new();
        for station in &mut self.stations {
            if station.key != StationKey::Table(stage, round, station_table(station.key)) {
                continue;
            }
            for number in station.sittings.iter().skip(station.next) {
                let begun = self.begun.contains(number)
                    || self.seated.get(number).is_none_or(|at| at.status != Status::Waiting);
                if !begun {
                    unplayed.push(*number);
                }
            }
            // Nothing of it opens while the bell is written.
            station.force_at = None;
        }
        unplayed.sort_unstable();
        self.under_way.bell = true;
        let log = Arc::clone(&self.log);
        self.work.spawn_blocking(move || {
            let bell = Fact::Bell(Bell { stage, round, unplayed });
            if let Err(error) = log.append_durably(Author::Clock, bell, EventWrite::default()) {
                tracing::warn!(%error, stage, round, "the bell of a round was not written; it is tried again");
            }
            Work::Rung
        });
    }

    /// Lets everything stand or go on; the work is done beside the hall.
    pub(super) fn pause(&mut self, paused: bool, who: &str, answer: oneshot::Sender<()>) {
        if self.paused == paused {
            let _ = answer.send(());
            return;
        }
        let (log, by) = (Arc::clone(&self.log), Author::Account(who.to_owned()));
        self.work.spawn_blocking(move || {
            if let Err(error) = log.append_durably(by, Fact::Pause(paused), EventWrite::default()) {
                tracing::warn!(%error, paused, "the pause was not written");
            }
            Work::Paused((answer, ()))
        });
    }

    /// Everything stands or goes on: the line is durable.
    pub(super) fn pause_taken(&mut self, paused: bool, at: u64) {
        self.paused = paused;
        self.round_clock = self.round_clock.map(|clock| clock.run(!paused, at));
        self.holds.send_replace(paused);
        if !paused {
            // Nobody has waited while everything stood.
            for station in &mut self.stations {
                station.due_since = Instant::now();
            }
        }
        self.tell_all_waiting();
    }

    /// Whether everything of a round is over, as pages say it.
    pub(super) fn is_over(&self, (stage, round): (u32, u32)) -> bool {
        self.round_over(stage, round)
    }
}

const fn station_table(key: StationKey) -> u32 {
    match key {
        StationKey::Table(_, _, table) => table,
        StationKey::Entrant(_) => 0,
    }
}

/// Writes the start of a round, or of every round of the stage at the players' own pace.
fn append_starts(
    log: &EventLog,
    by: &Author,
    ordinal: u32,
    own: bool,
    live: &Live,
    full_round: u32,
) -> Result<(), LogError> {
    log.recover()?;
    let schedule = log.look(|journal| journal.competition().schedule().to_vec());
    let started = schedule.iter().find(|known| known.plan.round == ordinal).map_or(1, |known| known.stage);
    for known in schedule {
        let wanted = known.plan.round == ordinal
            || (own && known.plan.round > ordinal && known.stage == started && known.replays.is_none());
        if !wanted {
            continue;
        }
        let minutes = if own { 0 } else { minutes(live, full_round, known.plan.boards.len()) };
        let fact = Fact::Round(RoundStarted { stage: known.stage, round: known.round, minutes });
        log.append_durably(by.clone(), fact, EventWrite::default())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_round_stands_while_everything_stands() {
        let clock = RoundClock::new(10, 5 * MINUTE_US, true);
        assert_eq!(clock.left_us(7 * MINUTE_US), 8 * MINUTE_US);
        let stands = clock.run(false, 9 * MINUTE_US);
        assert_eq!(stands.left_us(500 * MINUTE_US), 6 * MINUTE_US);
        let runs = stands.run(true, 500 * MINUTE_US);
        assert_eq!(runs.left_us(505 * MINUTE_US), MINUTE_US);
        assert_eq!(runs.left_us(600 * MINUTE_US), 0);
    }
}
