//! The writes of the time before play: settings, entrants, the lock. Each is one job of the writer.

use diesel::prelude::*;

use super::connection::Database;
use super::error::StoreError;
use super::schema;
use super::write::{insert_audit, insert_entrant};
use super::writer::{Pending, Writer};
use crate::event::archive::{AuditRow, EntrantRow, EventRow};

/// The seats of the event are not drawn yet.
fn open_for_entries(database: &mut Database, event: &str) -> Result<(), StoreError> {
    use schema::events::dsl;
    let state: Option<String> = dsl::events.find(event).select(dsl::state).first(database).optional()?;
    match state.as_deref() {
        None => Err(StoreError::Missing(format!("event {event}"))),
        Some("draft" | "announced") => Ok(()),
        Some(_) => Err(StoreError::Changed(format!("event {event}"))),
    }
}

impl Writer {
    /// Replaces the settings of an event, if they and its state are still what was read.
    ///
    /// # Errors
    /// They are not.
    pub fn change_settings(
        &self,
        before: EventRow,
        after: String,
        audit: AuditRow,
    ) -> Result<Pending<()>, StoreError> {
        self.submit(move |database| {
            use schema::events::dsl;
            let row = dsl::events
                .filter(dsl::id.eq(&before.id))
                .filter(dsl::settings.eq(&before.settings))
                .filter(dsl::state.eq(before.state.word()));
            let changed = diesel::update(row).set(dsl::settings.eq(&after)).execute(database)?;
            if changed == 0 {
                return Err(StoreError::Changed(format!("event {}", before.id)));
            }
            insert_audit(database, &audit)
        })
    }

    /// Sets whether one account may be organizer and referee of an event.
    ///
    /// # Errors
    /// There is no such event.
    pub fn join_offices(
        &self,
        event: &str,
        one_account: bool,
        audit: AuditRow,
    ) -> Result<Pending<()>, StoreError> {
        let event = event.to_owned();
        self.submit(move |database| {
            use schema::events::dsl;
            let row = dsl::events.find(&event);
            if diesel::update(row).set(dsl::one_account.eq(one_account)).execute(database)? == 0 {
                return Err(StoreError::Missing(format!("event {event}")));
            }
            insert_audit(database, &audit)
        })
    }

    /// Adds entrants to an event whose seats are not drawn.
    ///
    /// # Errors
    /// An id or a position is taken; the seats are drawn.
    pub fn add_entrants(
        &self,
        event: &str,
        rows: Vec<EntrantRow>,
        audit: AuditRow,
    ) -> Result<Pending<()>, StoreError> {
        let event = event.to_owned();
        self.submit(move |database| {
            open_for_entries(database, &event)?;
            rows.iter().try_for_each(|row| insert_entrant(database, row))?;
            insert_audit(database, &audit)
        })
    }

    /// Replaces name, club and region of an entrant, at any time.
    ///
    /// # Errors
    /// The entrant is not what was read any more.
    pub fn correct_entrant(
        &self,
        before: EntrantRow,
        after: EntrantRow,
        audit: AuditRow,
    ) -> Result<Pending<()>, StoreError> {
        self.submit(move |database| {
            use schema::entrants::dsl;
            let known: Option<EntrantRow> =
                dsl::entrants.find((&before.event_id, &before.id)).first(database).optional()?;
            match known {
                None => return Err(StoreError::Missing(format!("entrant {}", before.id))),
                Some(known) if known != before => {
                    return Err(StoreError::Changed(format!("entrant {}", before.id)));
                }
                Some(_) => {}
            }
            diesel::update(dsl::entrants.find((&before.event_id, &before.id)))
                .set((dsl::name.eq(&after.name), dsl::club.eq(&after.club), dsl::region.eq(&after.region)))
                .execute(database)?;
            insert_audit(database, &audit)
        })
    }

    /// Removes an entrant of an event whose seats are not drawn, with whatever the entrant holds.
    ///
    /// # Errors
    /// There is none; the seats are drawn.
    pub fn remove_entrant(&self, event: &str, id: &str, audit: AuditRow) -> Result<Pending<()>, StoreError> {
        let (event, id) = (event.to_owned(), id.to_owned());
        self.submit(move |database| {
            use schema::{checkins, entrants, seat_codes, seat_tokens};
            open_for_entries(database, &event)?;
            let gone = diesel::delete(entrants::table.find((&event, &id))).execute(database)?;
            if gone == 0 {
                return Err(StoreError::Missing(format!("entrant {id}")));
            }
            diesel::delete(checkins::table.find((&event, &id))).execute(database)?;
            diesel::delete(
                seat_codes::table.filter(seat_codes::event_id.eq(&event)).filter(seat_codes::entrant.eq(&id)),
            )
            .execute(database)?;
            diesel::delete(
                seat_tokens::table
                    .filter(seat_tokens::event_id.eq(&event))
                    .filter(seat_tokens::entrant.eq(&id)),
            )
            .execute(database)?;
            insert_audit(database, &audit)
        })
    }
}
