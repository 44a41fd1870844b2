//! The log of an event: the one way to add a line to its journal while the event lives.
//!
//! A line is proposed to the event's state, queued at the [`Ledger`] and accepted at once, under one lock that is held for
//! microseconds and never while a database is asked: so the order of the queue is the order of the chain. What is accepted
//! is not durable yet. Nobody is shown it: readers replay what is in the database. When a write fails, the log is stale
//! and takes nothing until it has been replayed from the database ([`EventLog::recover`]).
//!
//! Architecture invariants: no line is queued that the state refuses; nothing is asked of a database while the state is
//! locked; a stale log adds nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::archive::{Archive, ArchiveError, EventLineRow, NewPlay, PlayId, PlayRow, SITTINGS_MAX};
use super::error::EventError;
use super::ledger::{Done, EventWrite, Ledger, LedgerError, Write};
use super::model::Event;
use crate::canonical::{Hash, to_string};
use crate::dealing::Announcement;
use crate::formats::{Fact, Order, Sitting};
use crate::games::holdem::Holdem;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::games::{Game, GameKind, rulesets};
use crate::journal::{Author, ChainedLine, EventFact, EventFault, EventJournal, EventLine, Lots};
use crate::words::{Message, message};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The wall clock, µs since 1970: for instants that are stored, never for anybody's time.
pub type Wall = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Why nothing was added to an event's journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// The event does not allow it.
    #[error("{0}")]
    Refused(#[from] EventFault),
    /// A write has failed before: the log must be replayed first.
    #[error("an earlier write failed: the event's journal is read again")]
    Stale,
    /// The event has as many sittings as it can have.
    #[error("an event has at most {SITTINGS_MAX} boards at tables")]
    Full,
    /// Another process owns the event.
    #[error("the event is with another server")]
    Elsewhere,
    /// Something that was looked at before has changed meanwhile.
    #[error("it has changed in the meantime: look again")]
    Changed,
    /// Boards are still played.
    #[error("not every board is over")]
    NotOver,
    /// The ledger.
    #[error("{0}")]
    Ledger(#[from] LedgerError),
    /// The event cannot be read.
    #[error("{0}")]
    Event(#[from] EventError),
}

impl LogError {
    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            LogError::Refused(fault) => fault.message(),
            LogError::Event(error) => error.message(),
            LogError::Stale | LogError::Ledger(LedgerError::Busy) => message!("store-busy"),
            LogError::Full => message!("log-full", most = SITTINGS_MAX),
            LogError::Elsewhere => message!("log-elsewhere"),
            LogError::Changed => message!("archive-changed", what = ""),
            LogError::NotOver => message!("web-not-over"),
            LogError::Ledger(error) => message!("archive-failed", what = error.to_string()),
        }
    }

    /// The same as an error of the desk.
    #[must_use]
    pub fn into_event(self) -> EventError {
        match self {
            LogError::Event(error) => error,
            LogError::Refused(EventFault::Refused(refused)) => EventError::Refused(refused),
            other => EventError::Said(other.message()),
        }
    }

    /// Whether the same may be accepted in a moment.
    #[must_use]
    pub const fn passes(&self) -> bool {
        matches!(self, LogError::Stale | LogError::Ledger(LedgerError::Busy | LedgerError::Failed(_)))
    }
}

/// What was added.
#[derive(Clone, Debug)]
pub struct Appended {
    /// The place of the line in the journal, from 1.
    pub seq: u64,
    /// What follows from it, in the order in which it applies. Not to be shown before the line is durable.
    pub orders: Vec<Order>,
}

/// The right to add to an event's journal: one process has it at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The process.
    pub owner: String,
    /// Counts the owners of the event.
    pub epoch: u64,
}

/// Says which process owns an event.
pub trait Owner: Send + Sync {
    /// The lease of this process; `None` while another one has it.
    fn lease(&self, event: &str) -> Option<Lease>;
}

/// One process for one database: every event is its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnlyOwner;

impl Owner for OnlyOwner {
    fn lease(&self, _: &str) -> Option<Lease> {
        Some(Lease { owner: "server".to_owned(), epoch: 1 })
    }
}

/// What a log needs beside its journal.
#[derive(Clone)]
pub struct Ports {
    /// Where the event is read.
    pub archive: Arc<dyn Archive + Send + Sync>,
    /// Where lines become durable.
    pub ledger: Arc<dyn Ledger>,
    /// The wall clock.
    pub wall: Wall,
}

/// The log of one event. See [the module](self).
pub struct EventLog {
    event: String,
    number: u32,
    ports: Ports,
    lease: Lease,
    state: Mutex<EventJournal>,
    stale: Arc<AtomicBool>,
    followers: Arc<Followers>,
    /// One replay at a time.
    recovery: Mutex<()>,
    /// The event's own time when the log was opened, µs.
    base_us: u64,
    since: Instant,
}

impl EventLog {
    /// Opens the log of an event: replays its journal. Not for an async task's thread.
    ///
    /// # Errors
    /// There is no such event, it is not announced, or its journal is damaged.
    pub fn open(event: &str, ports: Ports, lease: Lease) -> Result<EventLog, EventError> {
        let number = ports.archive.event_number(event)?;
        let journal = replayed(ports.archive.as_ref(), event)?;
        // The clock is kept while nothing is added; a line may be later than it.
        let base_us = ports.archive.event_clock(event)?.max(journal.at());
        let followers = Arc::new(Followers::after(journal.seq()));
        Ok(EventLog {
            event: event.to_owned(),
            followers,
            number,
            ports,
            lease,
            state: Mutex::new(journal),
            stale: Arc::default(),
            recovery: Mutex::default(),
            base_us,
            since: Instant::now(),
        })
    }

    /// The event.
    #[must_use]
    pub fn event(&self) -> &str {
        &self.event
    }

    /// The board at a table that a sitting is.
    #[must_use]
    pub const fn play(&self, sitting: u32) -> PlayId {
        PlayId::of(self.number, sitting)
    }

    /// The lease under which lines are added.
    #[must_use]
    pub const fn lease(&self) -> &Lease {
        &self.lease
    }

    /// µs of the event's own time, which runs while a server has the event open.
    #[must_use]
    pub fn now(&self) -> u64 {
        let gone = u64::try_from(self.since.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.base_us.saturating_add(gone)
    }

    fn locked(&self) -> MutexGuard<'_, EventJournal> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the event as it is going to be when everything that is queued is durable: to decide what comes next,
    /// never to show it to anybody. `look` must be short: nobody can add a line meanwhile.
    pub fn look<T>(&self, look: impl FnOnce(&EventJournal) -> T) -> T {
        look(&self.locked())
    }

    /// Every line that becomes durable from here on, in order.
    #[must_use]
    pub fn follow(&self) -> UnboundedReceiver<Arc<ChainedLine>> {
        self.followers.join()
    }

    /// Whether a write has failed and the log must be replayed.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.stale.load(Ordering::SeqCst)
    }

    /// Replays the journal from the database, if a write has failed. Not for an async task's thread.
    ///
    /// # Errors
    /// The archive; the journal is damaged.
    pub fn recover(&self) -> Result<(), EventError> {
        let _alone = self.recovery.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_stale() {
            return Ok(());
        }
        // What is still queued follows a line that is not durable, and is refused there.
        let mut journal = begun(self.ports.archive.as_ref(), &self.event)?;
        for row in self.ports.archive.event_lines(&self.event, 0)? {
            let line = take(&mut journal, &row)?;
            // A line may be durable though its write has failed: after it the file could not be found.
            self.followers.tell(&Arc::new(ChainedLine { line, bytes: row.body, hash: *journal.chain() }));
        }
        let mut state = self.locked();
        *state = journal;
        self.stale.store(false, Ordering::SeqCst);
        Ok(())
    }

    /// Adds a line with everything that becomes durable with it; never blocks and never waits for the database. `done` is
    /// called from any thread when all of it is durable or has failed; on an error here it is not called.
    ///
    /// # Errors
    /// Why nothing was added.
    pub fn append(
        &self,
        by: Author,
        fact: impl Into<EventFact>,
        write: Write,
        done: Done,
    ) -> Result<Appended, LogError> {
        let fact = fact.into();
        self.append_decided(by, |_| Ok(fact), write, done)
    }

    /// As [`EventLog::append`], for a fact that is decided upon while nobody else can add a line.
    fn append_decided(
        &self,
        by: Author,
        decide: impl FnOnce(&EventJournal) -> Result<EventFact, LogError>,
        mut write: Write,
        done: Done,
    ) -> Result<Appended, LogError> {
        let wall_us = (self.ports.wall)();
        let mut state = self.locked();
        if self.is_stale() {
            return Err(LogError::Stale);
        }
        let fact = decide(&state)?;
        let chained = state.propose(by, self.now(), wall_us, fact)?;
        let event = write.event.get_or_insert_default();
        event.event.clone_from(&self.event);
        for sitting in chained.line.orders.iter().filter_map(sat) {
            event.plays.push(self.play_row(sitting)?);
        }
        event.lines.push(row_of(&chained));
        write.wall_us = wall_us;
        let chained = Arc::new(chained);
        let (broken, followers, line) =
            (Arc::clone(&self.stale), Arc::clone(&self.followers), Arc::clone(&chained));
        let told = move |result: Result<(), LedgerError>| {
            match result {
                Ok(()) => followers.tell(&line),
                Err(_) => broken.store(true, Ordering::SeqCst),
            }
            done(result);
        };
        self.ports.ledger.write(write, Box::new(told))?;
        state.accept(&chained);
        Ok(Appended { seq: chained.line.seq, orders: chained.line.orders.clone() })
    }

    /// Adds a line and waits until it is durable. Not for an async task's thread.
    ///
    /// # Errors
    /// Why nothing was added.
    pub fn append_durably(
        &self,
        by: Author,
        fact: impl Into<EventFact>,
        write: impl Into<Write>,
    ) -> Result<Appended, LogError> {
        let fact = fact.into();
        self.decide_durably(by, write, |_| Ok(fact))
    }

    /// Decides upon a line while nobody else can add one, and waits until it is durable. `decide` is given the event as it
    /// will be when everything that is queued is durable; tables wait for it. Not for an async task's thread.
    ///
    /// # Errors
    /// Those of `decide`; why nothing was added.
    pub fn decide_durably(
        &self,
        by: Author,
        write: impl Into<Write>,
        decide: impl FnOnce(&EventJournal) -> Result<EventFact, LogError>,
    ) -> Result<Appended, LogError> {
        self.recover()?;
        let (durable, wait) = sync_channel(1);
        let appended = self.append_decided(
            by,
            decide,
            write.into(),
            Box::new(move |result| drop(durable.send(result))),
        )?;
        wait.recv().unwrap_or(Err(LedgerError::Busy))?;
        Ok(appended)
    }

    /// Makes every draw that is due, one line each; answers how many were made. Not for an async task's thread.
    ///
    /// # Errors
    /// Why a line was not added; those before stay.
    pub fn make_due_draws(&self, lots: &Lots<'_>) -> Result<u32, LogError> {
        let mut made = 0;
        loop {
            self.recover()?;
            let Some(due) = self.look(|journal| journal.competition().due_draw()) else { return Ok(made) };
            self.append_durably(Author::Server, Fact::Draw(lots.draw(due)), EventWrite::default())?;
            made += 1;
        }
    }

    /// Keeps how far the event's own time has come. Not for an async task's thread.
    ///
    /// # Errors
    /// The archive.
    pub fn keep_clock(&self) -> Result<(), EventError> {
        Ok(self.ports.archive.keep_event_clock(&self.event, self.now())?)
    }

    fn play_row(&self, sitting: &Sitting) -> Result<PlayRow, LogError> {
        if sitting.sitting > SITTINGS_MAX {
            return Err(LogError::Full);
        }
        Ok(PlayRow {
            id: self.play(sitting.sitting),
            play: NewPlay {
                set_id: sitting.deal.set.clone(),
                number: i64::from(sitting.deal.board),
                round: i64::from(sitting.round),
                table_number: i64::from(sitting.table),
                // Names of seats and ids always have a canonical form.
                seating: to_string(&sitting.seats).unwrap_or_default(),
            },
        })
    }
}

/// Who follows the durable lines of an event.
struct Followers(Mutex<Following>);

struct Following {
    /// The last line that was told.
    seq: u64,
    queues: Vec<UnboundedSender<Arc<ChainedLine>>>,
}

impl Followers {
    const fn after(seq: u64) -> Followers {
        Followers(Mutex::new(Following { seq, queues: Vec::new() }))
    }

    fn join(&self) -> UnboundedReceiver<Arc<ChainedLine>> {
        let (queue, lines) = unbounded_channel();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).queues.push(queue);
        lines
    }

    /// Tells a line once.
    fn tell(&self, line: &Arc<ChainedLine>) {
        let mut following = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if line.line.seq <= following.seq {
            return;
        }
        following.seq = line.line.seq;
        following.queues.retain(|queue| queue.send(Arc::clone(line)).is_ok());
    }
}

/// The log as the ledger of the event's tables: the write that ends a board holds the event's line of it, too.
impl Ledger for EventLog {
    fn write(&self, mut write: Write, done: Done) -> Result<(), LedgerError> {
        let Some(finished) = write.finished.take() else { return self.ports.ledger.write(write, done) };
        match self.append(Author::Table, Fact::Finished(finished), write, done) {
            Ok(_) => Ok(()),
            Err(LogError::Ledger(error)) => Err(error),
            // The hall has it replayed; the table tries again.
            Err(error @ LogError::Stale) => Err(LedgerError::Failed(error.to_string())),
            Err(error) => Err(LedgerError::Lost(error.to_string())),
        }
    }

    fn keep_incidents(
        &self,
        event: &str,
        incidents: Vec<super::ledger::Incident>,
        done: Done,
    ) -> Result<(), LedgerError> {
        self.ports.ledger.keep_incidents(event, incidents, done)
    }

    fn answer(
        &self,
        play: PlayId,
        seat: crate::games::Seat,
        id: &super::answer::CommandId,
    ) -> Result<Option<super::answer::Answered>, LedgerError> {
        self.ports.ledger.answer(play, seat, id)
    }

    fn answers(&self, play: PlayId) -> Result<Vec<super::ledger::Given>, LedgerError> {
        self.ports.ledger.answers(play)
    }

    fn calls(&self, event: &str) -> Result<Vec<super::ledger::RefereeCall>, LedgerError> {
        self.ports.ledger.calls(event)
    }
}

const fn sat(order: &Order) -> Option<&Sitting> {
    match order {
        Order::Sit(sitting) => Some(sitting),
        _ => None,
    }
}

fn row_of(chained: &ChainedLine) -> EventLineRow {
    EventLineRow {
        seq: i64::try_from(chained.line.seq).unwrap_or(i64::MAX),
        at_us: i64::try_from(chained.line.at).unwrap_or(i64::MAX),
        wall_us: chained.line.wall,
        body: chained.bytes.clone(),
        hash: chained.hash.to_vec(),
    }
}

/// The journal of an event before its first line: what its announcement and its settings say.
///
/// # Errors
/// There is no such event, it is not announced, or it is damaged.
pub fn begun(archive: &dyn Archive, event: &str) -> Result<EventJournal, EventError> {
    let row = archive.event(event)?;
    match GameKind::ALL.into_iter().find(|kind| kind.name() == row.game) {
        Some(GameKind::Wakeng) => begun_of::<Wakeng>(archive, event),
        Some(GameKind::Tuolaji) => begun_of::<Tuolaji>(archive, event),
        Some(GameKind::Holdem) => begun_of::<Holdem>(archive, event),
        None => {
            let known = GameKind::ALL.map(GameKind::name);
            Err(EventError::Damaged(rulesets::unknown("game", &row.game, &known)))
        }
    }
}

fn begun_of<G: Game>(archive: &dyn Archive, id: &str) -> Result<EventJournal, EventError> {
    let event = Event::<G>::load(archive, id)?;
    let announcement = announcement(archive, id)?;
    Ok(EventJournal::begin(announcement.hash(), event.competition(&announcement)))
}

/// The announcement of an event.
///
/// # Errors
/// It is not announced, or damaged.
pub fn announcement(archive: &dyn Archive, event: &str) -> Result<Announcement, EventError> {
    let row = archive
        .announcement(event)?
        .ok_or_else(|| EventError::Said(message!("desk-not-announced", id = event)))?;
    let announcement = Announcement::parse_canonical(&row.body)?;
    if announcement.hash().as_slice() != row.hash {
        return Err(EventError::Damaged("the announcement is not the one whose hash was stored".to_owned()));
    }
    Ok(announcement)
}

/// The journal of an event as it is in the database. Readers use it, too.
///
/// # Errors
/// The archive; the event is not announced; a line that does not fit.
pub fn replayed(archive: &dyn Archive, event: &str) -> Result<EventJournal, EventError> {
    let mut journal = begun(archive, event)?;
    for row in archive.event_lines(event, 0)? {
        take(&mut journal, &row)?;
    }
    Ok(journal)
}

/// Replays one more line of an event's journal.
///
/// # Errors
/// It does not fit.
pub fn take(journal: &mut EventJournal, row: &EventLineRow) -> Result<EventLine, EventError> {
    let damaged =
        |what: String| EventError::Damaged(format!("line {} of the event's journal: {what}", row.seq));
    let hash: Hash = row.hash.as_slice().try_into().map_err(|_| damaged("no hash".to_owned()))?;
    journal.replay(&row.body, &hash).map_err(|fault| damaged(fault.to_string()))
}

/// The logs of a process: one for each event that lives here. Clones share them.
#[derive(Clone)]
pub struct EventLogs(Arc<Directory>);

/// The place of one log; it is locked while the log is opened, so that two requests open one log.
type Cell = Arc<Mutex<Option<Arc<EventLog>>>>;

struct Directory {
    /// Never locked while a journal is replayed: each event has a place of its own.
    cells: Mutex<BTreeMap<String, Cell>>,
    ports: Ports,
    owner: Arc<dyn Owner>,
}

impl EventLogs {
    /// No log yet.
    #[must_use]
    pub fn new(ports: Ports, owner: Arc<dyn Owner>) -> EventLogs {
        EventLogs(Arc::new(Directory { cells: Mutex::default(), ports, owner }))
    }

    /// The log of an event; opens it if it is not open. Replays a journal: not for an async task's thread.
    ///
    /// # Errors
    /// As [`EventLog::open`]; the event belongs to another process.
    pub fn open(&self, event: &str) -> Result<Arc<EventLog>, LogError> {
        let cell = {
            let mut cells = self.0.cells.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.entry(event.to_owned()).or_default())
        };
        let mut place = cell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(log) = place.as_ref() {
            return Ok(Arc::clone(log));
        }
        let lease = self.0.owner.lease(event).ok_or(LogError::Elsewhere)?;
        let log = Arc::new(EventLog::open(event, self.0.ports.clone(), lease)?);
        *place = Some(Arc::clone(&log));
        Ok(log)
    }

    /// Forgets the log of an event; whoever asks next replays its journal.
    pub fn forget(&self, event: &str) {
        self.0.cells.lock().unwrap_or_else(PoisonError::into_inner).remove(event);
    }
}

impl From<ArchiveError> for LogError {
    fn from(error: ArchiveError) -> LogError {
        LogError::Event(EventError::Archive(error))
    }
}
