//! What callers hand to the store and get back: plain rows, instants in µs, hashes as 32 bytes.

use diesel::prelude::*;

use super::schema::{
    announcements, audit, boards, checkpoints, entrants, events, journal, revisions, rulings,
};
use crate::canonical::Hash;

/// A board at a table, as the database numbers them: what a journal belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayId(pub i64);

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = events)]
pub struct EventRow {
    /// Identifier, unique in the database.
    pub id: String,
    /// Name of the game.
    pub game: String,
    /// Canonical JSON of all settings.
    pub settings: String,
    /// `draft`, `announced`, `locked`, `provisional`, `official` or `final`.
    pub state: String,
    /// Instant of creation.
    pub created_us: i64,
}

/// What was announced.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = announcements)]
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
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = entrants)]
pub struct EntrantRow {
    /// The event.
    pub event_id: String,
    /// Identifier, unique in the event; equal names are different entrants.
    pub id: String,
    /// Order of entry, from 1.
    pub position: i64,
    /// The name as given.
    pub name: String,
    /// The AI level that plays, if it is not a person.
    pub level: Option<String>,
}

/// A board of a set.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = boards)]
pub struct BoardRow {
    /// The event.
    pub event_id: String,
    /// The board set.
    pub set_id: String,
    /// Number in the set, from 1.
    pub number: i64,
    /// `sealed`, `open`, `finished` or `void`.
    pub state: String,
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
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = journal)]
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
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = checkpoints)]
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

/// A ruling.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = rulings)]
pub struct RulingRow {
    /// The event.
    pub event_id: String,
    /// Counted from 1 within the event.
    pub number: i64,
    /// Instant.
    pub at_us: i64,
    /// The chained bytes.
    pub body: String,
    /// Chain of the event's rulings.
    pub hash: Vec<u8>,
}

/// A publication of the results.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = revisions)]
pub struct RevisionRow {
    /// The event.
    pub event_id: String,
    /// Counted from 1 within the event.
    pub number: i64,
    /// Instant of publication.
    pub at_us: i64,
    /// The signed bytes.
    pub body: String,
    /// The server's ed25519 signature, 64 bytes.
    pub signature: Vec<u8>,
}

/// A line of the derived tables: whose it is and what it says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResultRow {
    /// The board at a table.
    pub play: PlayId,
    /// The entrant.
    pub entrant: String,
    /// Canonical JSON of the result.
    pub body: String,
}

/// A line of the standings, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingRow {
    /// The entrant.
    pub entrant: String,
    /// Canonical JSON of the line.
    pub body: String,
}

/// An act of a right: who, when, what, why, and the details before and after.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = audit)]
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
