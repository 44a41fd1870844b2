//! The store as the ledger of live tables: lines and answers become durable together, many tables' in one commit.

use diesel::prelude::*;

use super::connection::Database;
use super::error::StoreError;
use super::write::insert_entry;
use super::{Store, schema};
use crate::desk::archive::PlayId;
use crate::games::Seat;
use crate::tables::ledger::{Done, Given, Ledger, LedgerError, Write};
use crate::tables::{Answer, Answered, CommandId};

fn insert_given(database: &mut Database, given: &Given) -> Result<(), StoreError> {
    use schema::commands::dsl;
    let answer = serde_json::to_string(&given.answered.answer)
        .map_err(|error| StoreError::Database(error.to_string()))?;
    diesel::insert_into(dsl::commands)
        .values((
            dsl::play_id.eq(given.play.0),
            dsl::seat.eq(i64::from(given.seat.0)),
            dsl::command.eq(given.id.as_str()),
            dsl::at_us.eq(given.at_us),
            dsl::text.eq(&given.text),
            dsl::body.eq(given.answered.body.to_vec()),
            dsl::answer.eq(answer),
        ))
        .execute(database)
        .map(|_| ())
        .map_err(|error| {
            StoreError::of(error, &|| format!("command {} of journal {}", given.id.as_str(), given.play.0))
        })
}

impl From<StoreError> for LedgerError {
    fn from(error: StoreError) -> LedgerError {
        match error {
            StoreError::Busy => LedgerError::Busy,
            // The line is there already: somebody else owns the table.
            StoreError::Exists(what) => LedgerError::Lost(format!("{what} exists already")),
            other => LedgerError::Failed(other.to_string()),
        }
    }
}

impl Ledger for Store {
    fn write(&self, write: Write, done: Done) -> Result<(), LedgerError> {
        self.writer()
            .try_submit(
                move |database| {
                    write.rows.iter().try_for_each(|entry| insert_entry(database, entry))?;
                    write.given.iter().try_for_each(|given| insert_given(database, given))
                },
                move |result| done(result.map_err(LedgerError::from)),
            )
            .map_err(LedgerError::from)
    }

    fn answers(&self, play: PlayId) -> Result<Vec<Given>, LedgerError> {
        use schema::commands::dsl;
        type Row = (i64, String, i64, String, Vec<u8>, String);
        let rows: Vec<Row> = self.read(|database| {
            dsl::commands
                .filter(dsl::play_id.eq(play.0))
                .order((dsl::seat, dsl::command))
                .select((dsl::seat, dsl::command, dsl::at_us, dsl::text, dsl::body, dsl::answer))
                .load(database)
        })?;
        rows.into_iter()
            .map(|(seat, command, at_us, text, body, answer)| {
                let damaged =
                    || LedgerError::Lost(format!("command {command} of journal {} is damaged", play.0));
                Ok(Given {
                    play,
                    seat: Seat(u8::try_from(seat).map_err(|_| damaged())?),
                    id: CommandId::read(&command).ok_or_else(damaged)?,
                    at_us,
                    text,
                    answered: Answered {
                        body: body.try_into().map_err(|_| damaged())?,
                        answer: serde_json::from_str::<Answer>(&answer).map_err(|_| damaged())?,
                    },
                })
            })
            .collect()
    }
}
