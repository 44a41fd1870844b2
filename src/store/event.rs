//! The journals of events: their lines, the boards at tables that they order, and words of persons beside the chain.

use diesel::dsl::{max, sql};
use diesel::prelude::*;
use diesel::sql_types::Binary;

use super::connection::Database;
use super::error::StoreError;
use super::write::{insert_audit, set_state};
use super::writer::{Pending, Writer};
use super::{Store, schema};
use crate::canonical::Hash;
use crate::event::archive::{AuditRow, EventLineRow, EventRow, PlayRow, WordsRow};
use crate::event::ledger::EventWrite;

/// Writes what becomes durable of an event. A line that does not follow the last one is refused, and so is every line of
/// an event that is not there.
pub(super) fn write_event(database: &mut Database, write: &EventWrite) -> Result<(), StoreError> {
    let event = write.event.as_str();
    if let Some((before, entrants)) = &write.unchanged {
        unchanged(database, before, *entrants)?;
    }
    insert_lines(database, event, &write.lines)?;
    write.plays.iter().try_for_each(|play| insert_play(database, event, play))?;
    write.words.iter().try_for_each(|words| insert_words(database, words))?;
    if let Some(settings) = &write.settings {
        use schema::events::dsl;
        diesel::update(dsl::events.find(event)).set(dsl::settings.eq(settings)).execute(database)?;
    }
    if let Some(state) = write.state {
        set_state(database, event, state)?;
    }
    write.audit.iter().try_for_each(|audit| insert_audit(database, audit))
}

fn unchanged(database: &mut Database, before: &EventRow, entrants: usize) -> Result<(), StoreError> {
    use schema::{entrants::dsl as n, events::dsl as e};
    let now: Option<(String, String)> =
        e::events.find(&before.id).select((e::settings, e::state)).first(database).optional()?;
    let count: i64 = n::entrants.filter(n::event_id.eq(&before.id)).count().get_result(database)?;
    let same =
        now.is_some_and(|(settings, state)| settings == before.settings && state == before.state.word());
    if same && usize::try_from(count) == Ok(entrants) {
        Ok(())
    } else {
        Err(StoreError::Changed(format!("event {}", before.id)))
    }
}

fn insert_lines(database: &mut Database, event: &str, lines: &[EventLineRow]) -> Result<(), StoreError> {
    use schema::event_journal::dsl;
    if lines.is_empty() {
        return Ok(());
    }
    let last: Option<i64> =
        dsl::event_journal.filter(dsl::event_id.eq(event)).select(max(dsl::seq)).first(database)?;
    for (seq, line) in (last.unwrap_or(0) + 1..).zip(lines) {
        if line.seq != seq {
            return Err(StoreError::Changed(format!("the journal of event {event}")));
        }
        diesel::insert_into(dsl::event_journal)
            .values((
                dsl::event_id.eq(event),
                dsl::seq.eq(seq),
                dsl::at_us.eq(line.at_us),
                dsl::wall_us.eq(line.wall_us),
                dsl::body.eq(&line.body),
                dsl::hash.eq(&line.hash),
            ))
            .execute(database)
            .map_err(|error| match StoreError::from(error) {
                // There is no such event.
                StoreError::Database(what) if what.contains("FOREIGN KEY") => {
                    StoreError::Missing(format!("event {event}"))
                }
                other => other,
            })?;
    }
    Ok(())
}

fn insert_play(database: &mut Database, event: &str, row: &PlayRow) -> Result<(), StoreError> {
    use schema::plays::dsl;
    diesel::insert_into(dsl::plays)
        .values((
            dsl::id.eq(row.id.0),
            dsl::event_id.eq(event),
            dsl::set_id.eq(&row.play.set_id),
            dsl::number.eq(row.play.number),
            dsl::round.eq(row.play.round),
            dsl::table_number.eq(row.play.table_number),
            dsl::seating.eq(&row.play.seating),
        ))
        .execute(database)
        .map(|_| ())
        .map_err(|error| StoreError::of(error, &|| format!("sitting {} of event {event}", row.id.sitting())))
}

/// The same words have one row, whoever says them.
fn insert_words(database: &mut Database, row: &WordsRow) -> Result<(), StoreError> {
    use schema::words::dsl;
    let known: i64 = dsl::words.filter(dsl::hash.eq(&row.hash)).count().get_result(database)?;
    if known == 0 {
        diesel::insert_into(dsl::words)
            .values((dsl::hash.eq(&row.hash), dsl::words_.eq(&row.words)))
            .execute(database)?;
    }
    Ok(())
}

impl Writer {
    /// Keeps how far the event's own time has come.
    ///
    /// # Errors
    /// There is no such event.
    pub fn keep_event_clock(&self, event: &str, at_us: u64) -> Result<Pending<()>, StoreError> {
        let event = event.to_owned();
        self.submit(move |database| {
            use schema::event_clocks::dsl;
            let at = dsl::at_us.eq(i64::try_from(at_us).unwrap_or(i64::MAX));
            if diesel::update(dsl::event_clocks.find(&event)).set(at).execute(database)? > 0 {
                return Ok(());
            }
            diesel::insert_into(dsl::event_clocks)
                .values((dsl::event_id.eq(&event), at))
                .execute(database)
                .map(|_| ())
                .map_err(|error| StoreError::of(error, &|| format!("event {event}")))
        })
    }

    /// Erases words of a person.
    ///
    /// # Errors
    /// Those of the database.
    pub fn erase_words(&self, hash: &Hash, audit: AuditRow) -> Result<Pending<()>, StoreError> {
        let hash = hash.to_vec();
        self.submit(move |database| {
            diesel::delete(schema::words::table.find(hash)).execute(database)?;
            insert_audit(database, &audit)
        })
    }
}

type LineColumns = (i64, i64, i64, Vec<u8>, Vec<u8>);

impl Store {
    /// The number of an event.
    ///
    /// # Errors
    /// There is none of that id.
    pub fn event_number(&self, event: &str) -> Result<u32, StoreError> {
        use schema::events::dsl;
        let number: Option<i64> =
            self.read(|database| dsl::events.find(event).select(dsl::number).first(database).optional())?;
        number
            .and_then(|number| u32::try_from(number).ok())
            .ok_or_else(|| StoreError::Missing(format!("event {event}")))
    }

    /// The lines of an event's journal after line `after`, in order. A line that is no text any more has marks where it is
    /// damaged, and breaks the chain there.
    ///
    /// # Errors
    /// Those of the database.
    pub fn event_lines(&self, event: &str, after: u64) -> Result<Vec<EventLineRow>, StoreError> {
        use schema::event_journal::dsl;
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let rows: Vec<LineColumns> = self.read(|database| {
            dsl::event_journal
                .filter(dsl::event_id.eq(event))
                .filter(dsl::seq.gt(after))
                .order(dsl::seq)
                .select((dsl::seq, dsl::at_us, dsl::wall_us, sql::<Binary>("CAST(body AS BLOB)"), dsl::hash))
                .load(database)
        })?;
        let line = |(seq, at_us, wall_us, body, hash): LineColumns| EventLineRow {
            seq,
            at_us,
            wall_us,
            body: String::from_utf8_lossy(&body).into_owned(),
            hash,
        };
        Ok(rows.into_iter().map(line).collect())
    }

    /// The number of lines of an event's journal.
    ///
    /// # Errors
    /// Those of the database.
    pub fn event_length(&self, event: &str) -> Result<u64, StoreError> {
        use schema::event_journal::dsl;
        let last: Option<i64> = self.read(|database| {
            dsl::event_journal.filter(dsl::event_id.eq(event)).select(max(dsl::seq)).first(database)
        })?;
        Ok(last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0))
    }

    /// How far the event's own time had come when it was last kept, µs.
    ///
    /// # Errors
    /// Those of the database.
    pub fn event_clock(&self, event: &str) -> Result<u64, StoreError> {
        use schema::event_clocks::dsl;
        let at: Option<i64> = self
            .read(|database| dsl::event_clocks.find(event).select(dsl::at_us).first(database).optional())?;
        Ok(at.and_then(|at| u64::try_from(at).ok()).unwrap_or(0))
    }

    /// Words of a person by their SHA-256.
    ///
    /// # Errors
    /// Those of the database.
    pub fn words(&self, hash: &Hash) -> Result<Option<String>, StoreError> {
        use schema::words::dsl;
        self.read(|database| dsl::words.find(hash.to_vec()).select(dsl::words_).first(database).optional())
    }
}
