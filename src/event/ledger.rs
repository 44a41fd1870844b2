//! The port through which everything that happens while an event lives becomes durable.

use serde::Serialize;

use super::answer::{Answered, CommandId};
use super::archive::{AuditRow, EntryRow, EventLineRow, EventRow, PlayId, PlayRow, WordsRow};
use crate::formats::Finished;
use crate::games::Seat;

/// A command's answer, kept with the lines it made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The board at a table.
    pub play: PlayId,
    /// Who asked.
    pub seat: Seat,
    /// The client's id.
    pub id: CommandId,
    /// µs since the board opened.
    pub at_us: i64,
    /// The action as written, so that a referee sees what was tried.
    pub text: String,
    /// The answer.
    pub answered: Answered,
}

/// Refused commands of a seat at a board that are counted and not kept one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The board at a table.
    pub play: PlayId,
    /// The seat.
    pub seat: Seat,
    /// How many.
    pub count: u64,
    /// The first of them, µs since the board opened.
    pub first_us: i64,
    /// The last of them, µs since the board opened.
    pub last_us: i64,
}

/// What a connection shows of its player: evidence for a referee, never a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// The connection is there.
    Connected,
    /// The connection is gone.
    Disconnected,
    /// Another connection has taken the seat.
    Replaced,
    /// The page with the table was left.
    Left,
    /// The page with the table is in front again.
    Returned,
}

impl Evidence {
    /// All of them.
    pub const ALL: [Evidence; 5] =
        [Evidence::Connected, Evidence::Disconnected, Evidence::Replaced, Evidence::Left, Evidence::Returned];

    /// The word in interfaces and in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Evidence::Connected => "connected",
            Evidence::Disconnected => "disconnected",
            Evidence::Replaced => "replaced",
            Evidence::Left => "left",
            Evidence::Returned => "returned",
        }
    }
}

/// Something a referee may want to know of one person at one board, as often as it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// The entrant's id.
    pub entrant: String,
    /// Which of a pair, 0 or 1.
    pub member: u8,
    /// What.
    pub what: Evidence,
    /// The board at a table where the person sat.
    pub play: Option<PlayId>,
    /// How often.
    pub count: u64,
    /// The first time, µs since 1970.
    pub first_us: i64,
    /// The last time, µs since 1970.
    pub last_us: i64,
}

impl Incident {
    /// Takes in the same one of another time.
    pub fn join(&mut self, other: &Incident) {
        self.count = self.count.saturating_add(other.count);
        self.first_us = self.first_us.min(other.first_us);
        self.last_us = self.last_us.max(other.last_us);
    }
}

/// What has become of a call of the referee; it only goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallState {
    /// It stands in the journal; no referee has seen it yet.
    Sent,
    /// A referee has seen it.
    Seen,
    /// A referee has dealt with it.
    Done,
}

impl CallState {
    /// All of them, in order.
    pub const ALL: [CallState; 3] = [CallState::Sent, CallState::Seen, CallState::Done];

    /// The word in interfaces.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            CallState::Sent => "sent",
            CallState::Seen => "seen",
            CallState::Done => "done",
        }
    }
}

/// A call of the referee, and what has become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefereeCall {
    /// The board at a table.
    pub play: PlayId,
    /// The line of the board's journal, from 1.
    pub line: u32,
    /// Who called.
    pub seat: Seat,
    /// When, µs since the board opened at this table.
    pub at_us: i64,
    /// When, µs since 1970.
    pub called_us: i64,
    /// In the player's words.
    pub words: String,
    /// When a referee saw it, µs since 1970, and who that was.
    pub seen: Option<(i64, String)>,
    /// When a referee had dealt with it, µs since 1970, and who that was.
    pub done: Option<(i64, String)>,
}

impl RefereeCall {
    /// What has become of it.
    #[must_use]
    pub const fn state(&self) -> CallState {
        match (&self.done, &self.seen) {
            (Some(_), _) => CallState::Done,
            (None, Some(_)) => CallState::Seen,
            (None, None) => CallState::Sent,
        }
    }
}

/// What is to become durable in one piece: all of it or nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Write {
    /// Journal lines in order.
    pub rows: Vec<EntryRow>,
    /// The answer to the command that made them.
    pub given: Option<Given>,
    /// Refusals since the last write that are counted only; they add up.
    pub counted: Vec<Counted>,
    /// The wall clock when it was handed over, µs since 1970.
    pub wall_us: i64,
    /// What the board came to, where the last of the lines is its end. The event's log turns it into a line of the event's
    /// journal ([`super::log::EventLog`]); a ledger does not read it.
    pub finished: Option<Finished>,
    /// What becomes durable of the event.
    pub event: Option<EventWrite>,
}

/// What becomes durable of an event in one piece with the lines of a board, or alone.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct EventWrite {
    /// The event.
    pub event: String,
    /// Lines of its journal. The first one follows the last one that is durable; a ledger refuses any other.
    pub lines: Vec<EventLineRow>,
    /// The boards at tables that the lines order.
    pub plays: Vec<PlayRow>,
    /// Words of persons that the lines name by their hash.
    pub words: Vec<WordsRow>,
    /// The state of the event from here on.
    pub state: Option<&'static str>,
    /// The event as it was read, and the number of its entrants: the write is refused where they have changed.
    pub unchanged: Option<(EventRow, usize)>,
    /// The settings of the event from here on.
    pub settings: Option<String>,
    /// Acts of rights that belong to it.
    pub audit: Vec<AuditRow>,
}

impl From<EventWrite> for Write {
    fn from(event: EventWrite) -> Write {
        Write { event: Some(event), ..Write::default() }
    }
}

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// Too much is waiting.
    #[error("the database is busy")]
    Busy,
    /// Another server has written the line, or the database is damaged: the table must not go on.
    #[error("{0}")]
    Lost(String),
    /// Anything else: full, slow, away. It may work later.
    #[error("{0}")]
    Failed(String),
}

/// Called once, from any thread, when the write is durable or has failed.
pub type Done = Box<dyn FnOnce(Result<(), LedgerError>) + Send>;

/// A keeper of live journals.
pub trait Ledger: Send + Sync {
    /// Queues a write and never blocks. `done` is called after it is durable; on an error here it is not called.
    ///
    /// # Errors
    /// [`LedgerError::Busy`] when the queue is full.
    fn write(&self, write: Write, done: Done) -> Result<(), LedgerError>;
    /// Queues incidents of an event and never blocks; those of the same person, kind and board add up. `done` is called
    /// after they are durable; on an error here it is not called.
    ///
    /// # Errors
    /// [`LedgerError::Busy`] when the queue is full.
    fn keep_incidents(&self, event: &str, incidents: Vec<Incident>, done: Done) -> Result<(), LedgerError>;
    /// The answer that was given to one command, if it is kept.
    ///
    /// # Errors
    /// Those of the database.
    fn answer(&self, play: PlayId, seat: Seat, id: &CommandId) -> Result<Option<Answered>, LedgerError>;
    /// Every answer that is kept of a board at a table: bounded, the table limits refusals and calls.
    ///
    /// # Errors
    /// Those of the database.
    fn answers(&self, play: PlayId) -> Result<Vec<Given>, LedgerError>;
    /// Every call of the referee in an event, the oldest first.
    ///
    /// # Errors
    /// Those of the database.
    fn calls(&self, event: &str) -> Result<Vec<RefereeCall>, LedgerError>;
}

/// A ledger that keeps nothing: a line is as durable as its table.
#[derive(Clone, Copy, Debug)]
pub struct Unkept;

impl Ledger for Unkept {
    fn write(&self, _: Write, done: Done) -> Result<(), LedgerError> {
        done(Ok(()));
        Ok(())
    }

    fn keep_incidents(&self, _: &str, _: Vec<Incident>, done: Done) -> Result<(), LedgerError> {
        done(Ok(()));
        Ok(())
    }

    fn answer(&self, _: PlayId, _: Seat, _: &CommandId) -> Result<Option<Answered>, LedgerError> {
        Ok(None)
    }

    fn answers(&self, _: PlayId) -> Result<Vec<Given>, LedgerError> {
        Ok(Vec::new())
    }

    fn calls(&self, _: &str) -> Result<Vec<RefereeCall>, LedgerError> {
        Ok(Vec::new())
    }
}
