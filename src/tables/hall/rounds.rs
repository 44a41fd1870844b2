//! When a board opens, when a round begins and ends.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::handle::HallRefused;
use super::{Hall, KEPT_EVERY, Member};
use crate::event::archive::{EntryRow, HallRow, PlayId, RoundStart};
use crate::event::live::Live;
use crate::journal::control::{ControlEntry, ControlKind};
use crate::journal::{Board, By};
use crate::players::Levels;
use crate::tables::answer::Answer;
use crate::tables::ledger::{Ledger, LedgerError, Write};
use crate::tables::task::Over;

/// How long the database is left alone after it failed.
const RETRY: Duration = Duration::from_secs(1);

/// How much time a round has left. It runs by the monotonic clock, stands while the event stands, and never counts the
/// time without a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundClock {
    left: Duration,
    since: Option<Instant>,
}

impl RoundClock {
    pub fn new(left: Duration, runs: bool) -> RoundClock {
        RoundClock { left, since: runs.then(Instant::now) }
    }

    fn left(self) -> Duration {
        self.since.map_or(self.left, |since| self.left.saturating_sub(since.elapsed()))
    }

    pub fn left_ms(self) -> u64 {
        u64::try_from(self.left().as_millis()).unwrap_or(u64::MAX)
    }

    fn run(self, runs: bool) -> RoundClock {
        RoundClock::new(self.left(), runs)
    }
}

impl<G: Levels> Hall<G> {
    pub(super) fn start_round(&mut self, round: u32) -> Result<(), HallRefused> {
        let known =
            if self.own_pace() { round == 1 } else { self.lanes.iter().any(|lane| lane.round == round) };
        if !known {
            return Err(HallRefused::NoRound);
        }
        if self.rounds.contains(&round) {
            return Err(HallRefused::Started);
        }
        let earlier = self
            .lanes
            .iter()
            .any(|lane| lane.round != 0 && lane.round < round && lane.next < lane.places.len());
        if earlier {
            return Err(HallRefused::Earlier);
        }
        let archive = Arc::clone(&self.setup.archive);
        let (event, at) = (self.setup.event.id.clone(), (self.setup.wall)());
        // What the desk decided about live play since the hall was opened holds from this round on.
        let live = crate::event::Event::<G>::load(archive.as_ref(), &event).map(|event| event.live);
        let minutes = match live {
            Ok(live) => {
                // Its lanes are those of the pace with which the hall was opened.
                self.setup.event.live = Live { pace: self.setup.event.live.pace, ..live };
                if self.own_pace() { 0 } else { self.minutes_of(round) }
            }
            Err(error) => {
                tracing::warn!(%error, round, "the event could not be read");
                return Err(HallRefused::Unwritten);
            }
        };
        // The start of a round is written before anything opens. It is one row; the hall waits for it.
        let start = RoundStart { round, at, minutes };
        if let Err(error) = archive.start_round(&event, start) {
            tracing::warn!(%error, round, "the start of a round was not written");
            return Err(HallRefused::Unwritten);
        }
        self.activate(start);
        self.keep();
        self.send_away();
        self.pump_all();
        self.tell_all_waiting();
        self.progress();
        Ok(())
    }

    pub(super) fn activate(&mut self, start: RoundStart) {
        let RoundStart { round, minutes, .. } = start;
        self.rounds.push(round);
        self.started = Some(start);
        let own = self.own_pace();
        let late = Instant::now() + Duration::from_secs(u64::from(self.setup.event.live.late_s));
        for lane in &mut self.lanes {
            if own || lane.round == round {
                lane.active = true;
                lane.due_since = Instant::now();
                lane.force_at = (!own).then_some(late);
            }
        }
        if !own && minutes > 0 {
            let length = Duration::from_secs(u64::from(minutes) * 60);
            self.round_clock = Some(RoundClock::new(length, !self.paused));
        }
    }

    /// How long a round lasts, minutes; 0 for no limit.
    fn minutes_of(&self, round: u32) -> u32 {
        let planned = self.setup.event.rounds.iter().find(|planned| planned.round == round);
        self.setup.event.round_minutes(planned.map_or(usize::MAX, |planned| planned.boards.len()))
    }

    pub(super) fn pump_all(&mut self) {
        for lane in 0..self.lanes.len() {
            self.pump(lane);
        }
    }

    pub(super) fn pump_member(&mut self, member: Member) {
        for lane in 0..self.lanes.len() {
            if self.lanes.get(lane).is_some_and(|lane| lane.active && lane.members.contains(&member)) {
                self.pump(lane);
            }
        }
    }

    /// Opens the next board of a lane if it is time.
    pub(super) fn pump(&mut self, lane: usize) {
        let Some(at) = self.lanes.get(lane) else { return };
        if !at.active || at.open.is_some() || self.paused {
            return;
        }
        let Some(place) = at.places.get(at.next).copied() else { return };
        let everybody = at.members.iter().all(|member| {
            self.people.get(member).is_some_and(|person| person.ready && person.sink.is_some())
        });
        let forced = at.force_at.is_some_and(|at| at <= Instant::now());
        if !everybody && !forced {
            return;
        }
        self.open_next(lane, place);
    }

    /// Opens a board of a lane.
    pub(super) fn open_next(&mut self, lane: usize, place: usize) {
        let event = self.setup.event.id.clone();
        if let Some(at) = self.places.get(place) {
            let (set, board) = (at.set.clone(), i64::from(at.board));
            let archive = Arc::clone(&self.setup.archive);
            tokio::task::spawn_blocking(move || {
                if let Err(error) = archive.open_board(&event, &set, board) {
                    tracing::warn!(%error, board, "the board's state was not written");
                }
            });
        }
        if let Some(at) = self.lanes.get_mut(lane) {
            at.open = Some(place);
            at.force_at = None;
        }
        if let Err(error) = self.start_table(place, None) {
            tracing::error!(%error, place, "a board could not be opened");
        }
    }

    /// Marks a board that every table has finished.
    pub(super) fn board_over(&mut self, place: usize) {
        let Some(at) = self.places.get(place) else { return };
        let Some(left) = self.left.get_mut(&at.board) else { return };
        *left = left.saturating_sub(1);
        if *left > 0 {
            return;
        }
        if self.headers.remove(&at.board).is_some() {
            self.setup.deps.counters.deals.fetch_sub(1, Ordering::Relaxed);
        }
        self.unsigned.insert(at.board);
        let archive = Arc::clone(&self.setup.archive);
        let (event, set, board) = (self.setup.event.id.clone(), at.set.clone(), i64::from(at.board));
        tokio::task::spawn_blocking(move || {
            if let Err(error) = archive.set_board_state(&event, &set, board, "finished") {
                tracing::error!(%error, board, "the board's state was not written");
            }
        });
    }

    pub(super) fn round_over(&self, round: u32) -> bool {
        self.lanes.iter().filter(|lane| lane.round == round).all(|lane| lane.next >= lane.places.len())
    }

    pub(super) fn rounds_go_on(&mut self) {
        let Some(round) = self.rounds.last().copied() else { return };
        if self.own_pace() || !self.round_over(round) {
            return;
        }
        self.round_clock = None;
        if self.setup.event.live.auto_rounds && self.lanes.iter().any(|lane| lane.round > round) {
            let _ = self.start_round(round + 1);
        }
    }

    /// Tables that wait no longer; the end of a round.
    pub(super) fn timers(&mut self) {
        let now = Instant::now();
        for lane in 0..self.lanes.len() {
            if self.lanes.get(lane).is_some_and(|lane| lane.force_at.is_some_and(|at| at <= now)) {
                self.pump(lane);
            }
        }
        self.stand_in();
        if self.round_clock.is_some_and(|clock| clock.left().is_zero()) && !self.paused {
            self.round_clock = None;
            self.keep();
            self.close_round();
        }
        if self.round_clock.is_some() && !self.paused && self.kept_at.elapsed() >= KEPT_EVERY {
            self.keep();
        }
        self.rounds_go_on();
    }

    /// The round's time is over: boards that are not begun are opened and ended at once, so that their journals say
    /// so; boards in play go on until they are finished or a referee ends them.
    pub(super) fn close_round(&mut self) {
        let Some(round) = self.rounds.last().copied() else { return };
        let mut not_begun = Vec::new();
        for lane in self.lanes.iter_mut().filter(|lane| lane.round == round) {
            let begun = lane.next + usize::from(lane.open.is_some());
            not_begun.extend(lane.places.drain(begun.min(lane.places.len())..));
        }
        for place in not_begun {
            let Some(board) = self.places.get(place).map(|at| at.board) else { continue };
            let Ok(header) = self.header(board) else { continue };
            let Some(at) = self.places.get(place) else { continue };
            let play = at.play;
            // A wall clock that was set back must not make the end older than the round's time.
            let due = self.started.and_then(|start| start.over_at()).unwrap_or(i64::MIN);
            let wall = (self.setup.wall)().max(due);
            let mut ended = Board::open(&header);
            let receipt = *ended.chain();
            let note = ControlEntry { at: Some(0), ..ControlEntry::new(ControlKind::End, By::Clock) };
            let Ok(hash) = ended.note(&note) else { continue };
            let rows = vec![
                EntryRow::new(play, 0, wall, header.receipt(), receipt),
                EntryRow::new(play, 1, 0, ended.last_bytes().to_owned(), hash),
            ];
            let over = Over { play, board: ended, lost: None };
            tokio::spawn(end_unplayed(
                Arc::clone(&self.setup.deps.ledger),
                play,
                rows,
                over,
                self.over.clone(),
            ));
        }
    }

    pub(super) fn pause(&mut self, paused: bool, who: &str) {
        if self.paused == paused {
            return;
        }
        self.paused = paused;
        self.round_clock = self.round_clock.map(|clock| clock.run(!paused));
        self.keep();
        let kind = if paused { ControlKind::Stop } else { ControlKind::Go };
        let held = std::mem::take(&mut *self.held.lock().unwrap_or_else(PoisonError::into_inner));
        for at in &self.places {
            // After a restart nobody knows any more which tables a referee had stopped: all of them go on.
            let Some(handle) =
                at.handle.clone().filter(|_| paused || held.is_empty() || held.contains(&at.play))
            else {
                continue;
            };
            let note = ControlEntry { who: Some(who.to_owned()), ..ControlEntry::new(kind, By::Referee) };
            let held = Arc::clone(&self.held);
            tokio::spawn(async move {
                // A table that a referee has stopped refuses, and is not let go with the others.
                let stopped = matches!(handle.note(note).await, Some(Answer::Accepted(_)));
                if paused && stopped {
                    held.lock().unwrap_or_else(PoisonError::into_inner).insert(handle.play);
                }
            });
        }
        if !paused {
            // Nobody has waited while everything stood.
            for lane in &mut self.lanes {
                lane.due_since = Instant::now();
            }
            self.pump_all();
        }
        self.tell_all_waiting();
        self.progress();
    }

    /// Says to everybody without a table what they wait for.
    fn tell_all_waiting(&self) {
        let without = self.people.iter().filter(|(_, person)| person.seated.is_none());
        for (member, _) in without {
            self.tell_waiting(*member);
        }
    }

    /// Writes down how much time the round has left and whether everything stands. It is one row; the hall waits.
    pub(super) fn keep(&mut self) {
        self.kept_at = Instant::now();
        let Some(round) = self.rounds.last().copied() else { return };
        let left_ms = self.round_clock.map(RoundClock::left_ms);
        let row = HallRow { round, left_ms, paused: self.paused };
        if let Err(error) = self.setup.archive.keep_hall(&self.setup.event.id, row) {
            tracing::warn!(%error, "the round's time was not written");
        }
    }

    pub(super) fn is_over(&self, round: u32) -> bool {
        if self.own_pace() {
            self.lanes.iter().all(|lane| lane.next >= lane.places.len())
        } else {
            self.round_over(round)
        }
    }
}

/// Writes the journal of a board that is not played and says that it is over; as long as the database fails it is
/// tried again.
async fn end_unplayed<G: Levels>(
    ledger: Arc<dyn Ledger>,
    play: PlayId,
    rows: Vec<EntryRow>,
    over: Over<G>,
    overs: mpsc::UnboundedSender<Over<G>>,
) {
    loop {
        let (stored, wait) = oneshot::channel();
        let write = Write { rows: rows.clone(), ..Write::default() };
        let queued = ledger.write(write, Box::new(move |result| drop(stored.send(result))));
        let result = match queued {
            Ok(()) => wait.await.unwrap_or(Err(LedgerError::Busy)),
            Err(error) => Err(error),
        };
        match result {
            Ok(()) => break,
            Err(LedgerError::Lost(reason)) => {
                tracing::error!(play = play.0, reason, "a board that was not played was not written");
                return;
            }
            Err(error) => {
                tracing::warn!(play = play.0, %error, "a board that was not played is written later");
                tokio::time::sleep(RETRY).await;
            }
        }
    }
    let _ = overs.send(over);
}
