//! Stations: which sitting is next, when its table opens, and what happens when it is over, lost, or cannot open.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::absent::Absence;
use super::{Hall, Member, Seated, Status, Work};
use crate::event::EventError;
use crate::event::answer::Answer;
use crate::event::ledger::Write;
use crate::event::live::Pace;
use crate::formats::{Fact, Finished, Sitting, Venue};
use crate::games::Seat;
use crate::journal::control::{ControlEntry, ControlKind};
use crate::journal::{Author, By, EventFact};
use crate::tables::game::{Opened, TableOver, ToOpen};
use crate::tables::task::{Command, Handle};

/// How long a table is left alone after it was lost or could not open.
const RETRY: Duration = Duration::from_secs(1);
/// How often a table that is lost or cannot open is tried again before its board counts as not played.
const TRIES: u32 = 2;
/// How often a table is asked again to stop or to go on.
const HOLD_AGAIN: Duration = Duration::from_millis(500);

/// What a station is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StationKey {
    /// At the players' own pace: an entrant.
    Entrant(u32),
    /// By rounds: a table of a round of a stage.
    Table(u32, u32, u32),
}

/// A place where sittings are played one after the other.
pub(super) struct Station {
    pub key: StationKey,
    /// In ascending order.
    pub sittings: Vec<u32>,
    /// The place in `sittings` of the first that is not over.
    pub next: usize,
    /// The sitting whose table is open or being opened.
    pub open: Option<u32>,
    /// When it opens its next board without those who are not there.
    pub force_at: Option<Instant>,
    /// Since when its next board waits for its players.
    pub due_since: Instant,
    pub members: BTreeSet<Member>,
    /// Number of sittings up to the last one that its persons have played themselves.
    pub own: usize,
    pub absence: Option<Absence>,
}

impl Station {
    /// The sitting that is played next.
    pub fn next(&self) -> Option<u32> {
        self.sittings.get(self.next).copied()
    }
}

impl Hall {
    pub(super) fn own_pace(&self) -> bool {
        self.live.pace == Pace::Own && self.settings.own_seat().is_some()
    }

    /// Takes in a sitting that was ordered.
    pub(super) fn sit(&mut self, sitting: &Sitting) {
        if sitting.venue != Venue::Server || self.seated.contains_key(&sitting.sitting) {
            return;
        }
        let number = sitting.sitting;
        let members: BTreeSet<Member> = self.members_of(sitting).into_keys().collect();
        let key = if self.own_pace() {
            let entrants = self.settings.positions.iter().flatten();
            StationKey::Entrant(entrants.clone().find_map(|seat| self.entrant_at(sitting, seat)).unwrap_or(0))
        } else {
            StationKey::Table(sitting.stage, sitting.round, sitting.table)
        };
        let known = self.stations.iter_mut().find(|station| station.key == key);
        #[allow(clippy::single_match_else, reason = "two cases of one question")]
        match known {
            Some(station) => {
                station.sittings.push(number);
                station.sittings.sort_unstable();
                station.members.extend(members);
            }
            None => {
                let late = Duration::from_secs(u64::from(self.live.late_s));
                self.stations.push(Station {
                    key,
                    sittings: vec![number],
                    next: 0,
                    open: None,
                    force_at: matches!(key, StationKey::Table(..)).then(|| Instant::now() + late),
                    due_since: Instant::now(),
                    members,
                    own: 0,
                    absence: None,
                });
            }
        }
        self.boards.entry(sitting.deal.clone()).or_default().left.insert(number);
        self.seated.insert(
            number,
            Seated {
                sitting: sitting.clone(),
                play: self.log.play(number),
                status: Status::Waiting,
                stood_in: false,
                handle: None,
                unfinished: false,
                scores: std::collections::BTreeMap::new(),
                failures: 0,
                given_up: false,
            },
        );
    }

    /// How many boards the persons of each station have played themselves, from what was over when the hall was opened.
    pub(super) fn count_own(&mut self) {
        for station in &mut self.stations {
            let own = |number: &u32| {
                self.seated.get(number).is_some_and(|at| at.status == Status::Over && !at.stood_in)
            };
            station.own = station.sittings.iter().rposition(own).map_or(0, |last| last + 1);
        }
    }

    fn station_of(&mut self, sitting: u32) -> Option<usize> {
        self.stations.iter().position(|station| station.sittings.binary_search(&sitting).is_ok())
    }

    pub(super) fn feed_all(&mut self) {
        for station in 0..self.stations.len() {
            self.feed(station);
        }
    }

    pub(super) fn feed_member(&mut self, member: Member) {
        for station in 0..self.stations.len() {
            if self.stations.get(station).is_some_and(|one| one.members.contains(&member)) {
                self.feed(station);
            }
        }
    }

    /// Opens the next board of a station if it is time. One that was begun before the server came up goes on at once, even
    /// while everything stands.
    pub(super) fn feed(&mut self, station: usize) {
        let Some(at) = self.stations.get(station) else { return };
        let Some(next) = at.next().filter(|_| at.open.is_none()) else { return };
        if !self.begun.contains(&next) {
            let ready = |member: &Member| {
                self.participants.get(member).is_some_and(super::participants::Participant::is_ready)
            };
            let forced = at.force_at.is_some_and(|at| at <= Instant::now());
            if self.paused || self.under_way.bell || !(forced || at.members.iter().all(ready)) {
                return;
            }
        }
        self.open_sitting(station, next, Duration::ZERO);
    }

    /// Opens the table of a sitting, beside the hall.
    pub(super) fn open_sitting(&mut self, station: usize, number: u32, after: Duration) {
        let Some(at) = self.seated.get_mut(&number) else { return };
        at.status = Status::Opening;
        let fresh = at.failures == 0 && after.is_zero() && !self.begun.contains(&number);
        let order = ToOpen { sitting: at.sitting.clone(), stand_in: at.stood_in, live: self.live, fresh };
        if let Some(at) = self.stations.get_mut(station) {
            at.open = Some(number);
            at.force_at = None;
        }
        let (tables, openers) = (Arc::clone(&self.tables), Arc::clone(&self.openers));
        self.work.spawn(async move {
            if !after.is_zero() {
                tokio::time::sleep(after).await;
            }
            // The semaphore is never closed.
            let _permit = openers.acquire_owned().await;
            let opened = tokio::task::spawn_blocking(move || tables.open(&order)).await;
            Work::Opened(
                number,
                opened.unwrap_or_else(|error| {
                    tracing::error!(%error, sitting = number, "the opening of a table has failed");
                    Err(EventError::Damaged("the table could not be opened".to_owned()))
                }),
            )
        });
    }

    /// A table was opened, or not.
    pub(super) fn opened(&mut self, number: u32, result: Result<Opened, EventError>) {
        match result {
            Ok(Opened::Table { handle, stood_in }) => {
                if self.seated.get(&number).is_none_or(|at| at.status != Status::Opening) {
                    tokio::spawn(async move { handle.deliver(Command::Close).await });
                    return;
                }
                self.begun.remove(&number);
                tokio::spawn(hold(handle.clone(), self.holds.subscribe()));
                let Some(at) = self.seated.get_mut(&number) else { return };
                at.status = Status::Open;
                at.handle = Some(handle);
                at.stood_in = stood_in;
                if !stood_in {
                    self.seat_members(number);
                }
                self.moved = true;
                if let Some(over) = self.lost_early.remove(&number) {
                    self.table_over(over);
                }
            }
            // The event's line of it is missing: it is written now.
            Ok(Opened::Over(finished)) => self.write_end(number, move |_| Ok((finished, Vec::new()))),
            Err(EventError::Archive(error)) => {
                tracing::warn!(%error, sitting = number, "a table could not be opened; it is tried again");
                self.reopen(number);
            }
            Err(error) => self.failed(number, error.to_string()),
        }
    }

    fn seat_members(&mut self, number: u32) {
        let Some(at) = self.seated.get(&number) else { return };
        let seats: Vec<(Member, Seat)> = self
            .members_of(&at.sitting)
            .into_iter()
            .filter_map(|(member, seat)| Some((member, self.tables.seat_named(&seat)?)))
            .collect();
        for (member, seat) in seats {
            if let Some(one) = self.participants.get_mut(&member) {
                one.seated = Some((number, seat));
                one.ready = false;
            }
            self.seat(member, None);
        }
    }

    fn reopen(&mut self, number: u32) {
        if let Some(station) = self.station_of(number) {
            self.open_sitting(station, number, RETRY);
        }
    }

    /// A table was lost or cannot open: it is tried again, and after that its board counts as not played.
    fn failed(&mut self, number: u32, reason: String) {
        let Some(at) = self.seated.get_mut(&number) else { return };
        at.failures += 1;
        at.handle = None;
        let (play, tries) = (at.play, at.failures);
        tracing::error!(play = play.0, tries, reason, "a table cannot go on");
        if tries <= TRIES {
            self.reopen(number);
            return;
        }
        Arc::make_mut(&mut self.damaged).insert(play.0, reason);
        at_given_up(self.seated.get_mut(&number));
        self.progress();
    }

    /// Writes the ends of boards that are given up, and sees to tables that are gone without a word.
    pub(super) fn watch_tables(&mut self) {
        let mut gone = Vec::new();
        let mut given_up = Vec::new();
        for (number, at) in &self.seated {
            match at.status {
                Status::Open | Status::Over if at.handle.as_ref().is_some_and(Handle::gone) => {
                    gone.push(*number);
                }
                Status::Opening | Status::Open if at.given_up => given_up.push(*number),
                _ => {}
            }
        }
        for number in gone {
            let over = self.seated.get(&number).is_some_and(|at| at.status == Status::Over);
            let lost = (!over).then(|| "the table is gone".to_owned());
            self.table_over(TableOver { sitting: number, lost });
        }
        for number in given_up {
            let Some(sitting) = self.seated.get(&number).map(|at| at.sitting.clone()) else { continue };
            self.write_end(number, move |tables| tables.give_up(&sitting));
        }
    }

    /// Writes the event's line of a board that no table ends, with the lines that belong to it.
    fn write_end(
        &mut self,
        number: u32,
        end: impl FnOnce(
            &dyn crate::tables::game::GameTables,
        ) -> Result<(Finished, Vec<crate::event::archive::EntryRow>), EventError>
        + Send
        + 'static,
    ) {
        if let Some(at) = self.seated.get_mut(&number) {
            // Until it is known whether it was written.
            at.given_up = false;
        }
        let (log, tables) = (Arc::clone(&self.log), Arc::clone(&self.tables));
        self.work.spawn_blocking(move || {
            let written =
                end(tables.as_ref()).map_err(|error| error.to_string()).and_then(|(finished, rows)| {
                    let write = Write { rows, ..Write::default() };
                    let fact = EventFact::Play(Fact::Finished(finished));
                    log.append_durably(Author::Server, fact, write).map_err(|error| error.to_string())
                });
            if let Err(error) = &written {
                tracing::warn!(
                    error,
                    sitting = number,
                    "the end of a board was not written; it is tried again"
                );
            }
            Work::GaveUp(number, written.is_ok())
        });
    }

    /// A sitting is over: its station goes on. Where a table is open, it goes on once the table has told its players.
    pub(super) fn over_taken(&mut self, number: u32) {
        self.begun.remove(&number);
        let waits = self.seated.get(&number).is_some_and(|at| at.handle.is_some());
        if let Some(at) = self.station_of(number).and_then(|station| self.stations.get_mut(station)) {
            let over = |number: &u32| self.seated.get(number).is_some_and(|at| at.status == Status::Over);
            at.next += at.sittings.iter().skip(at.next).take_while(|number| over(number)).count();
            if at.open == Some(number) && !waits {
                at.open = None;
            }
            if !self.seated.get(&number).is_some_and(|at| at.stood_in) {
                at.own = at.next;
            }
        }
        self.board_over(number);
        if !waits {
            self.rest(number);
        }
    }

    /// A table is over, or lost.
    pub(super) fn table_over(&mut self, over: TableOver) {
        let number = over.sitting;
        if over.lost.is_some() && self.seated.get(&number).is_some_and(|at| at.status == Status::Opening) {
            // It was lost before the hall knew that it is open: its handle comes first.
            self.lost_early.insert(number, over);
            return;
        }
        let handle = self.seated.get_mut(&number).and_then(|at| at.handle.take());
        if let Some(handle) = handle
            && !handle.send(Command::Close)
        {
            // Its queue is full: it is told as soon as there is room.
            tokio::spawn(async move { handle.deliver(Command::Close).await });
        }
        let done = self.seated.get(&number).is_none_or(|at| at.status == Status::Over);
        if let (Some(reason), false) = (over.lost, done) {
            self.unseat(number);
            self.failed(number, reason);
            return;
        }
        if let Some(at) = self.station_of(number).and_then(|station| self.stations.get_mut(station))
            && at.open == Some(number)
        {
            at.open = None;
        }
        self.rest(number);
        self.feed_all();
        self.rounds_go_on();
        self.moved = true;
    }

    /// The station of a sitting that is over has a rest before its next board.
    fn rest(&mut self, number: u32) {
        let between = Instant::now() + Duration::from_secs(u64::from(self.live.between_s));
        if let Some(at) = self.station_of(number).and_then(|station| self.stations.get_mut(station)) {
            at.due_since = Instant::now();
            at.force_at = matches!(at.key, StationKey::Table(..)).then_some(between);
        }
        self.unseat(number);
    }

    /// Nobody sits at a table any more.
    fn unseat(&mut self, number: u32) {
        let members: Vec<Member> = self
            .participants
            .iter()
            .filter(|(_, one)| one.seated.is_some_and(|(at, _)| at == number))
            .map(|(member, _)| *member)
            .collect();
        for member in members {
            if let Some(one) = self.participants.get_mut(&member) {
                one.leave_table();
            }
            self.tell_waiting(member);
        }
    }

    /// Marks a board that every table has finished.
    fn board_over(&mut self, number: u32) {
        let Some(deal) = self.seated.get(&number).map(|at| at.sitting.deal.clone()) else { return };
        let Some(at) = self.boards.get_mut(&deal) else { return };
        at.left.remove(&number);
        if at.left.is_empty() {
            self.tables.forget(&deal);
            if !at.heads.is_empty() {
                self.unsigned.insert(deal);
            }
        }
    }
}

fn at_given_up(at: Option<&mut Seated>) {
    if let Some(at) = at {
        at.given_up = true;
    }
}

/// Sees to it that a table stands while everything stands, and goes on with the others. What a referee has decided about
/// the table is another matter: the board keeps the two apart.
async fn hold(handle: Handle, mut holds: watch::Receiver<bool>) {
    // A board that goes on after the server was away may still be held.
    let mut told = None;
    loop {
        let wanted = *holds.borrow_and_update();
        while told != Some(wanted) && *holds.borrow() == wanted {
            let kind = if wanted { ControlKind::Stop } else { ControlKind::Go };
            match handle.note(ControlEntry::new(kind, By::Server)).await {
                None => return,
                Some(Answer::Accepted(_)) => told = Some(wanted),
                // It is so already; or the database holds the table up.
                Some(Answer::Refused(why)) if why.code == "wrong_phase" => told = Some(wanted),
                Some(Answer::Refused(why)) if why.code == "over" => return,
                Some(Answer::Refused(_)) => tokio::time::sleep(HOLD_AGAIN).await,
            }
        }
        tokio::select! {
            changed = holds.changed() => if changed.is_err() { return },
            () = handle.cleared() => return,
        }
    }
}
