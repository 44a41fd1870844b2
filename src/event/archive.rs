//! Where an event is kept: the rows that the desk writes and reads, and the [`Archive`] that keeps them.
//!
//! The desk knows no database; the store implements [`Archive`]. Instants are µs since 1970-01-01T00:00:00Z unless
//! said otherwise, hashes 32 bytes. Every write is durable when the call returns, and all of it or none is written.

use super::EventState;
use crate::canonical::Hash;
use crate::formats::settings::Entrant;
use crate::journal::ControlKind;
use crate::words::{Message, message};

/// Maximum number of sittings of an event.
pub const SITTINGS_MAX: u32 = 999_999;

/// A board at a table: what a journal belongs to. The number follows from the event's number and the sitting, so that
/// nobody has to ask a database for it; no other event of the database has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayId(pub i64);

impl PlayId {
    /// The play of a sitting, of at most [`SITTINGS_MAX`].
    #[must_use]
    pub const fn of(event_number: u32, sitting: u32) -> PlayId {
        // Lossless: `From` is not const.
        PlayId(event_number as i64 * (SITTINGS_MAX as i64 + 1) + sitting as i64)
    }

    /// The sitting in its event.
    #[must_use]
    pub fn sitting(self) -> u32 {
        u32::try_from(self.0.rem_euclid(i64::from(SITTINGS_MAX) + 1)).unwrap_or(0)
    }
}

/// A line of an event's journal as it is chained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventLineRow {
    /// Its place in the journal, from 1.
    pub seq: i64,
    /// µs of the event's own time.
    pub at_us: i64,
    /// Instant.
    pub wall_us: i64,
    /// The canonical bytes.
    pub body: String,
    /// `SHA-256(previous hash ‖ body)`.
    pub hash: Vec<u8>,
}

/// Words of a person, beside the chain: they can be erased, the chain stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordsRow {
    /// SHA-256 of the words.
    pub hash: Vec<u8>,
    /// The words.
    pub words: String,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRow {
    /// Identifier, unique in the database.
    pub id: String,
    /// Name of the game.
    pub game: String,
    /// Canonical JSON of all settings.
    pub settings: String,
    /// How far it has come.
    pub state: EventState,
    /// Instant of creation.
    pub created_us: i64,
    /// Whether one account may be organizer and referee.
    pub one_account: bool,
}

/// What was announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnouncementRow {
    /// The event.
    pub event_id: String,
    /// The announced bytes.
    pub body: String,
    /// SHA-256 of them.
    pub hash: Vec<u8>,
    /// The delayed public value, once it is known.
    pub delayed: Option<String>,
    /// Instant of publication.
    pub published_us: i64,
}

/// An entrant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntrantRow {
    /// The event.
    pub event_id: String,
    /// Identifier, unique in the event; equal names are different entrants.
    pub id: String,
    /// The entrant's number, from 1: the order of entry, unless the list had numbers of its own.
    pub position: i64,
    /// The name as given, or as corrected.
    pub name: String,
    /// The AI level that plays, if it is not a person.
    pub level: Option<String>,
    /// The club, as given.
    pub club: Option<String>,
    /// The region, as given.
    pub region: Option<String>,
}

impl EntrantRow {
    /// The entrant as the event has it.
    #[must_use]
    pub fn entrant(self) -> Entrant {
        Entrant {
            id: self.id,
            number: u32::try_from(self.position).unwrap_or(0),
            name: self.name,
            level: self.level,
            club: self.club,
            region: self.region,
        }
    }
}

/// A board that is to be played at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPlay {
    /// The board set.
    pub set_id: String,
    /// Number in the set, from 1.
    pub number: i64,
    /// Round, from 1.
    pub round: i64,
    /// Table, from 1.
    pub table_number: i64,
    /// Canonical JSON of who sits where.
    pub seating: String,
}

/// A board at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayRow {
    /// Its number in the database.
    pub id: PlayId,
    /// The board, round, table and seating.
    pub play: NewPlay,
}

/// One journal entry as it is chained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryRow {
    /// The board at a table.
    pub play_id: i64,
    /// Place in the journal, from 0; unique per journal.
    pub seq: i64,
    /// µs since the board opened.
    pub at_us: i64,
    /// The canonical bytes.
    pub body: String,
    /// `SHA-256(previous hash ‖ body)`.
    pub hash: Vec<u8>,
}

impl EntryRow {
    /// An entry of a journal.
    #[must_use]
    pub fn new(play: PlayId, seq: i64, at_us: i64, body: String, hash: Hash) -> EntryRow {
        EntryRow { play_id: play.0, seq, at_us, body, hash: hash.to_vec() }
    }
}

/// Signed heads of journals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointRow {
    /// The event.
    pub event_id: String,
    /// Counted from 1 within the event.
    pub number: i64,
    /// The signed bytes.
    pub body: String,
    /// The server's ed25519 signature, 64 bytes.
    pub signature: Vec<u8>,
}

/// An act of a right: who, when, what, why, and the details before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRow {
    /// The event, if it concerns one.
    pub event_id: Option<String>,
    /// Instant.
    pub at_us: i64,
    /// Who acted.
    pub who: String,
    /// What was done, a stable code.
    pub act: String,
    /// Why.
    pub reason: String,
    /// Canonical JSON.
    pub details: String,
}

/// What an event starts with, written in one piece.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// The event itself.
    pub event: EventRow,
    /// Its entrants.
    pub entrants: Vec<EntrantRow>,
    /// Its keys, sealed, by name.
    pub sealed_keys: Vec<(String, Vec<u8>)>,
}

/// Why the archive refused or failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// Somebody else has written it: the entry, the ruling, the announcement is there.
    #[error("{0} exists already")]
    Exists(String),
    /// There is no such thing.
    #[error("there is no {0}")]
    Missing(String),
    /// Somebody else has changed it since it was read.
    #[error("{0} has changed in the meantime: read it again")]
    Changed(String),
    /// Anything else, one line.
    #[error("{0}")]
    Failed(String),
}

impl ArchiveError {
    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            ArchiveError::Exists(what) => message!("archive-exists", what),
            ArchiveError::Missing(what) => message!("archive-missing", what),
            ArchiveError::Changed(what) => message!("archive-changed", what),
            ArchiveError::Failed(what) => message!("archive-failed", what),
        }
    }
}

/// What the answer of an archive is.
pub type Kept<T> = Result<T, ArchiveError>;

/// A keeper of events.
pub trait Archive {
    /// Creates an event with its entrants and sealed keys.
    fn create_event(&self, new: NewEvent, audit: AuditRow) -> Kept<()>;
    /// Stores the announcement and sets the event's state to `announced`.
    fn announce(&self, row: AnnouncementRow, audit: AuditRow) -> Kept<()>;
    /// Stores the delayed public value, once.
    fn set_delayed(&self, event: &str, value: String, audit: AuditRow) -> Kept<()>;
    /// Replaces the settings of an event, if they and its state are still what was read.
    fn change_settings(&self, before: EventRow, after: String, audit: AuditRow) -> Kept<()>;
    /// Sets whether one account may be organizer and referee of an event.
    fn join_offices(&self, event: &str, one_account: bool, audit: AuditRow) -> Kept<()>;
    /// Adds entrants at their positions to an event whose seats are not drawn.
    fn add_entrants(&self, event: &str, rows: Vec<EntrantRow>, audit: AuditRow) -> Kept<()>;
    /// Replaces name, club and region of an entrant, if the entrant is still what was read. Nothing else of it changes.
    fn correct_entrant(&self, before: EntrantRow, after: EntrantRow, audit: AuditRow) -> Kept<()>;
    /// Removes an entrant of an event whose seats are not drawn.
    fn remove_entrant(&self, event: &str, id: &str, audit: AuditRow) -> Kept<()>;
    /// Appends journal entries.
    fn append(&self, entries: Vec<EntryRow>) -> Kept<()>;
    /// Keeps how far the event's own time has come, µs; replaces what was kept.
    fn keep_event_clock(&self, event: &str, at_us: u64) -> Kept<()>;
    /// Erases words of a person; their hash stays in the journal.
    fn erase_words(&self, hash: &Hash, audit: AuditRow) -> Kept<()>;
    /// Stores a signed checkpoint.
    fn add_checkpoint(&self, row: CheckpointRow) -> Kept<()>;
    /// Writes an audit entry that no other write records.
    fn audit(&self, row: AuditRow) -> Kept<()>;

    /// The event.
    fn event(&self, id: &str) -> Kept<EventRow>;
    /// The number of an event, unique in the database: what [`PlayId::of`] counts with.
    fn event_number(&self, event: &str) -> Kept<u32>;
    /// The lines of an event's journal after line `after`, in order; 0 for all of them.
    fn event_lines(&self, event: &str, after: u64) -> Kept<Vec<EventLineRow>>;
    /// The number of lines of an event's journal.
    fn event_length(&self, event: &str) -> Kept<u64>;
    /// The boards at tables of an event whose journals have lines.
    fn begun_plays(&self, event: &str) -> Kept<Vec<PlayId>>;
    /// The control entries of a kind in every journal of an event, by journal.
    fn control_lines(&self, event: &str, kind: ControlKind) -> Kept<Vec<EntryRow>>;
    /// How far the event's own time had come when it was last kept, µs.
    fn event_clock(&self, event: &str) -> Kept<u64>;
    /// Words of a person by their SHA-256; `None` where they were erased.
    fn words(&self, hash: &Hash) -> Kept<Option<String>>;
    /// The announcement, if there is one.
    fn announcement(&self, event: &str) -> Kept<Option<AnnouncementRow>>;
    /// A sealed key.
    fn sealed_key(&self, event: &str, name: &str) -> Kept<Vec<u8>>;
    /// The entrants in order of their numbers.
    fn entrants(&self, event: &str) -> Kept<Vec<EntrantRow>>;
    /// The boards at tables in the order in which they were added.
    fn plays(&self, event: &str) -> Kept<Vec<PlayRow>>;
    /// A journal in order.
    fn journal(&self, play: PlayId) -> Kept<Vec<EntryRow>>;
    /// The checkpoints in order.
    fn checkpoints(&self, event: &str) -> Kept<Vec<CheckpointRow>>;
}
