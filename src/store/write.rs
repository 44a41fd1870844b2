//! The typed writes. Each is one job of the writer: all of it is durable, or none.

use diesel::dsl::max;
use diesel::prelude::*;

use super::connection::Database;
use super::error::StoreError;
use super::schema;
use super::writer::{Pending, Writer};
use crate::event::archive::{
    AnnouncementRow, AuditRow, CheckpointRow, EntrantRow, EntryRow, NewEvent, NewPlay, PlayId,
};

pub(super) fn insert_entry(database: &mut Database, entry: &EntryRow) -> Result<(), StoreError> {
    diesel::insert_into(schema::journal::table)
        .values((
            schema::journal::play_id.eq(entry.play_id),
            schema::journal::seq.eq(entry.seq),
            schema::journal::at_us.eq(entry.at_us),
            schema::journal::body.eq(&entry.body),
            schema::journal::hash.eq(&entry.hash),
        ))
        .execute(database)
        .map(|_| ())
        .map_err(|error| {
            StoreError::of(error, &|| format!("entry {} of journal {}", entry.seq, entry.play_id))
        })
}

pub(super) fn insert_audit(database: &mut Database, row: &AuditRow) -> Result<(), StoreError> {
    diesel::insert_into(schema::audit::table)
        .values((
            schema::audit::event_id.eq(&row.event_id),
            schema::audit::at_us.eq(row.at_us),
            schema::audit::who.eq(&row.who),
            schema::audit::act.eq(&row.act),
            schema::audit::reason.eq(&row.reason),
            schema::audit::details.eq(&row.details),
        ))
        .execute(database)?;
    Ok(())
}

pub(super) fn insert_entrant(database: &mut Database, entrant: &EntrantRow) -> Result<(), StoreError> {
    diesel::insert_into(schema::entrants::table)
        .values((
            schema::entrants::event_id.eq(&entrant.event_id),
            schema::entrants::id.eq(&entrant.id),
            schema::entrants::position.eq(entrant.position),
            schema::entrants::name.eq(&entrant.name),
            schema::entrants::level.eq(&entrant.level),
            schema::entrants::club.eq(&entrant.club),
            schema::entrants::region.eq(&entrant.region),
        ))
        .execute(database)
        .map(|_| ())
        .map_err(|error| StoreError::of(error, &|| format!("entrant {}", entrant.id)))
}

impl Writer {
    /// Creates an event with its entrants and sealed keys.
    ///
    /// # Errors
    /// An event of that id exists.
    pub fn create_event(&self, new: NewEvent, audit: AuditRow) -> Result<Pending<()>, StoreError> {
        self.submit(move |database| {
            let id = new.event.id.clone();
            let last: Option<i64> =
                schema::events::table.select(max(schema::events::number)).first(database)?;
            diesel::insert_into(schema::events::table)
                .values((
                    schema::events::id.eq(&new.event.id),
                    schema::events::game.eq(&new.event.game),
                    schema::events::settings.eq(&new.event.settings),
                    schema::events::state.eq(new.event.state.word()),
                    schema::events::created_us.eq(new.event.created_us),
                    schema::events::one_account.eq(new.event.one_account),
                    schema::events::number.eq(last.map_or(0, |last| last + 1)),
                ))
                .execute(database)
                .map_err(|error| StoreError::of(error, &|| format!("event {id}")))?;
            for entrant in &new.entrants {
                insert_entrant(database, entrant)?;
            }
            for (name, sealed) in &new.sealed_keys {
                diesel::insert_into(schema::sealed_keys::table)
                    .values((
                        schema::sealed_keys::event_id.eq(&id),
                        schema::sealed_keys::name.eq(name),
                        schema::sealed_keys::sealed.eq(sealed),
                    ))
                    .execute(database)
                    .map_err(|error| StoreError::of(error, &|| format!("key {name}")))?;
            }
            insert_audit(database, &audit)
        })
    }

    /// Stores the announcement of an event and sets its state to `announced`.
    ///
    /// # Errors
    /// It has been announced before.
    pub fn announce(&self, row: AnnouncementRow, audit: AuditRow) -> Result<Pending<()>, StoreError> {
        self.submit(move |database| {
            diesel::insert_into(schema::announcements::table)
                .values((
                    schema::announcements::event_id.eq(&row.event_id),
                    schema::announcements::body.eq(&row.body),
                    schema::announcements::hash.eq(&row.hash),
                    schema::announcements::delayed.eq(&row.delayed),
                    schema::announcements::published_us.eq(row.published_us),
                ))
                .execute(database)
                .map_err(|error| StoreError::of(error, &|| format!("announcement of {}", row.event_id)))?;
            set_state(database, &row.event_id, "announced")?;
            insert_audit(database, &audit)
        })
    }

    /// Stores the delayed public value, once.
    ///
    /// # Errors
    /// There is no announcement, or the value is there already.
    pub fn set_delayed(
        &self,
        event: &str,
        value: String,
        audit: AuditRow,
    ) -> Result<Pending<()>, StoreError> {
        let event = event.to_owned();
        self.submit(move |database| {
            use schema::announcements::dsl;
            let changed = diesel::update(dsl::announcements.filter(dsl::event_id.eq(&event)))
                .filter(dsl::delayed.is_null())
                .set(dsl::delayed.eq(&value))
                .execute(database)?;
            if changed == 0 {
                return Err(StoreError::Missing(format!("announcement of {event} without a delayed value")));
            }
            insert_audit(database, &audit)
        })
    }

    /// Adds boards at tables; answers the numbers of the plays in the given order.
    ///
    /// # Errors
    /// One of them exists already.
    pub fn add_plays(&self, event: &str, plays: Vec<NewPlay>) -> Result<Pending<Vec<PlayId>>, StoreError> {
        let event = event.to_owned();
        self.submit(move |database| insert_plays(database, &event, &plays))
    }

    /// Appends journal entries, of one or several journals.
    ///
    /// # Errors
    /// An entry of that number exists: somebody else writes this journal. Nothing was appended then.
    pub fn append(&self, entries: Vec<EntryRow>) -> Result<Pending<()>, StoreError> {
        self.submit(move |database| entries.iter().try_for_each(|entry| insert_entry(database, entry)))
    }

    /// Appends journal entries without ever blocking; `done` is called from the writer's thread once they are
    /// durable (or have failed). What the live tables use.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when the queue is full: nothing is written and `done` is not called.
    pub fn try_append(
        &self,
        entries: Vec<EntryRow>,
        done: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) -> Result<(), StoreError> {
        self.try_submit(
            move |database| entries.iter().try_for_each(|entry| insert_entry(database, entry)),
            done,
        )
    }

    /// Stores a signed checkpoint.
    ///
    /// # Errors
    /// One of that number exists.
    pub fn add_checkpoint(&self, row: CheckpointRow) -> Result<Pending<()>, StoreError> {
        self.submit(move |database| {
            diesel::insert_into(schema::checkpoints::table)
                .values((
                    schema::checkpoints::event_id.eq(&row.event_id),
                    schema::checkpoints::number.eq(row.number),
                    schema::checkpoints::body.eq(&row.body),
                    schema::checkpoints::signature.eq(&row.signature),
                ))
                .execute(database)
                .map(|_| ())
                .map_err(|error| StoreError::of(error, &|| format!("checkpoint {}", row.number)))
        })
    }

    /// Writes an audit entry: reading a key, a refused right, anything that no other write records.
    ///
    /// # Errors
    /// Those of the database.
    pub fn audit(&self, row: AuditRow) -> Result<Pending<()>, StoreError> {
        self.submit(move |database| insert_audit(database, &row))
    }
}

pub(super) fn set_state(database: &mut Database, event: &str, state: &str) -> Result<(), StoreError> {
    use schema::events::dsl;
    let changed =
        diesel::update(dsl::events.filter(dsl::id.eq(event))).set(dsl::state.eq(state)).execute(database)?;
    if changed == 0 { Err(StoreError::Missing(format!("event {event}"))) } else { Ok(()) }
}

pub(super) fn insert_plays(
    database: &mut Database,
    event: &str,
    plays: &[NewPlay],
) -> Result<Vec<PlayId>, StoreError> {
    let last: Option<i64> = schema::plays::table.select(max(schema::plays::id)).first(database)?;
    let mut ids = Vec::with_capacity(plays.len());
    for (id, play) in (last.unwrap_or(0) + 1..).zip(plays) {
        use schema::plays::dsl;
        diesel::insert_into(dsl::plays)
            .values((
                dsl::id.eq(id),
                dsl::event_id.eq(event),
                dsl::set_id.eq(&play.set_id),
                dsl::number.eq(play.number),
                dsl::round.eq(play.round),
                dsl::table_number.eq(play.table_number),
                dsl::seating.eq(&play.seating),
            ))
            .execute(database)
            .map_err(|error| {
                StoreError::of(error, &|| {
                    format!("board {}/{} at table {}", play.set_id, play.number, play.table_number)
                })
            })?;
        ids.push(PlayId(id));
    }
    Ok(ids)
}
