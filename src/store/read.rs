//! The typed reads. They run on their own connection and never wait for the writer.

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::Binary;

use super::Store;
use super::error::StoreError;
use super::schema;
use crate::event::archive::{
    AnnouncementRow, AuditRow, CheckpointRow, EntrantRow, EntryRow, EventRow, NewPlay, PlayId, PlayRow,
};
use crate::journal::ControlKind;

type PlayColumns = (i64, String, i64, i64, i64, String);

fn play_row((id, set_id, number, round, table_number, seating): PlayColumns) -> PlayRow {
    PlayRow { id: PlayId(id), play: NewPlay { set_id, number, round, table_number, seating } }
}

/// The columns of a journal's line, its body as the bytes that are there.
type EntryColumns = (i64, i64, i64, Vec<u8>, Vec<u8>);

fn raw_body() -> SqlLiteral<Binary> {
    sql("CAST(body AS BLOB)")
}

fn entry((play_id, seq, at_us, body, hash): EntryColumns) -> EntryRow {
    let body = String::from_utf8(body)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    EntryRow { play_id, seq, at_us, body, hash }
}

impl Store {
    /// The ids of all events, sorted.
    ///
    /// # Errors
    /// Those of the database, as for every read.
    pub fn events(&self) -> Result<Vec<String>, StoreError> {
        let mut ids: Vec<String> =
            self.read(|database| schema::events::table.select(schema::events::id).load(database))?;
        // Sorted here: databases disagree about the order of text.
        ids.sort_unstable();
        Ok(ids)
    }

    /// An event.
    ///
    /// # Errors
    /// There is none of that id.
    pub fn event(&self, id: &str) -> Result<EventRow, StoreError> {
        use schema::events::dsl;
        let columns = (dsl::id, dsl::game, dsl::settings, dsl::state, dsl::created_us, dsl::one_account);
        self.read(|database| dsl::events.find(id).select(columns).first(database).optional())?
            .ok_or_else(|| StoreError::Missing(format!("event {id}")))
    }

    /// The announcement of an event, if it has been announced.
    ///
    /// # Errors
    /// Those of the database.
    pub fn announcement(&self, event: &str) -> Result<Option<AnnouncementRow>, StoreError> {
        self.read(|database| schema::announcements::table.find(event).first(database).optional())
    }

    /// A sealed key.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn sealed_key(&self, event: &str, name: &str) -> Result<Vec<u8>, StoreError> {
        self.read(|database| {
            schema::sealed_keys::table
                .find((event, name))
                .select(schema::sealed_keys::sealed)
                .first(database)
                .optional()
        })?
        .ok_or_else(|| StoreError::Missing(format!("key {name} of event {event}")))
    }

    /// The entrants in order of their numbers.
    ///
    /// # Errors
    /// Those of the database.
    pub fn entrants(&self, event: &str) -> Result<Vec<EntrantRow>, StoreError> {
        use schema::entrants::dsl;
        self.read(|database| {
            dsl::entrants.filter(dsl::event_id.eq(event)).order(dsl::position).load(database)
        })
    }

    /// The boards at tables, in the order in which they were added.
    ///
    /// # Errors
    /// Those of the database.
    pub fn plays(&self, event: &str) -> Result<Vec<PlayRow>, StoreError> {
        use schema::plays::dsl;
        let rows: Vec<PlayColumns> = self.read(|database| {
            dsl::plays
                .filter(dsl::event_id.eq(event))
                .order(dsl::id)
                .select((dsl::id, dsl::set_id, dsl::number, dsl::round, dsl::table_number, dsl::seating))
                .load(database)
        })?;
        Ok(rows.into_iter().map(play_row).collect())
    }

    /// How many entries each journal of an event has, by play; journals without entries are left out.
    ///
    /// # Errors
    /// Those of the database.
    pub fn journal_sizes(&self, event: &str) -> Result<Vec<(i64, i64)>, StoreError> {
        use schema::{journal, plays};
        self.read(|database| {
            plays::table
                .inner_join(journal::table.on(journal::play_id.eq(plays::id)))
                .filter(plays::event_id.eq(event))
                .group_by(plays::id)
                .select((plays::id, diesel::dsl::count_star()))
                .load(database)
        })
    }

    /// A journal in order. A line that is no text any more has marks where it is damaged, and breaks the chain there.
    ///
    /// # Errors
    /// Those of the database.
    pub fn journal(&self, play: PlayId) -> Result<Vec<EntryRow>, StoreError> {
        use schema::journal::dsl;
        let rows: Vec<EntryColumns> = self.read(|database| {
            dsl::journal
                .filter(dsl::play_id.eq(play.0))
                .order(dsl::seq)
                .select((dsl::play_id, dsl::seq, dsl::at_us, raw_body(), dsl::hash))
                .load(database)
        })?;
        Ok(rows.into_iter().map(entry).collect())
    }

    /// The notes of a kind in every journal of an event, by journal.
    ///
    /// # Errors
    /// Those of the database.
    pub fn notes(&self, event: &str, kind: ControlKind) -> Result<Vec<EntryRow>, StoreError> {
        use schema::{journal, plays};
        let rows: Vec<EntryColumns> = self.read(|database| {
            journal::table
                .inner_join(plays::table.on(journal::play_id.eq(plays::id)))
                .filter(plays::event_id.eq(event))
                .filter(journal::body.like(format!("%\"note\":\"{}\"%", kind.word())))
                .order((journal::play_id, journal::seq))
                .select((journal::play_id, journal::seq, journal::at_us, raw_body(), journal::hash))
                .load(database)
        })?;
        Ok(rows.into_iter().map(entry).collect())
    }

    /// The signed checkpoints in order.
    ///
    /// # Errors
    /// Those of the database.
    pub fn checkpoints(&self, event: &str) -> Result<Vec<CheckpointRow>, StoreError> {
        use schema::checkpoints::dsl;
        self.read(|database| {
            dsl::checkpoints.filter(dsl::event_id.eq(event)).order(dsl::number).load(database)
        })
    }

    /// The audit log of an event in order.
    ///
    /// # Errors
    /// Those of the database.
    pub fn audit_log(&self, event: &str) -> Result<Vec<AuditRow>, StoreError> {
        use schema::audit::dsl;
        self.read(|database| {
            dsl::audit
                .filter(dsl::event_id.eq(event))
                .order(dsl::id)
                .select((dsl::event_id, dsl::at_us, dsl::who, dsl::act, dsl::reason, dsl::details))
                .load(database)
        })
    }
}
