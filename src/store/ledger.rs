//! The store as the ledger of live tables: lines and answers become durable together, many tables' in one commit.

use diesel::prelude::*;

use super::connection::Database;
use super::error::StoreError;
use super::event::write_event;
use super::write::insert_audit;
use super::write::insert_entry;
use super::{Store, schema};
use crate::event::archive::AuditRow;
use crate::event::archive::PlayId;
use crate::event::ledger::{
    CallState, Counted, Done, Evidence, Given, Incident, Ledger, LedgerError, RefereeCall, Write,
};
use crate::games::Seat;
use crate::tables::{Answer, Answered, CALL, CommandId};

/// Stores a call of the referee, which nobody has seen yet.
fn insert_call(database: &mut Database, given: &Given, line: u32, wall_us: i64) -> Result<(), StoreError> {
    use schema::calls::dsl;
    diesel::insert_into(dsl::calls)
        .values((
            dsl::play_id.eq(given.play.0),
            dsl::line.eq(i64::from(line)),
            dsl::seat.eq(i64::from(given.seat.0)),
            dsl::command.eq(given.id.as_str()),
            dsl::called_us.eq(wall_us),
        ))
        .execute(database)
        .map(|_| ())
        .map_err(|error| StoreError::of(error, &|| format!("call {line} of journal {}", given.play.0)))
}

/// Stores the answer to a command; of a call of the referee the call, too.
fn insert_given(database: &mut Database, given: &Given, wall_us: i64) -> Result<(), StoreError> {
    use schema::commands::dsl;
    if let (Answer::Accepted(line), true) = (&given.answered.answer, given.text.starts_with(CALL)) {
        insert_call(database, given, *line, wall_us)?;
    }
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

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Adds to what is counted of a seat at a board.
fn add_counted(database: &mut Database, one: &Counted) -> Result<(), StoreError> {
    use schema::refusals_counted::dsl;
    let key = (one.play.0, i64::from(one.seat.0));
    let known: Option<(i64, i64, i64)> = dsl::refusals_counted
        .find(key)
        .select((dsl::count, dsl::first_us, dsl::last_us))
        .first(database)
        .optional()?;
    let (count, first, last) = known.unwrap_or((0, one.first_us, one.last_us));
    let sums = (
        dsl::count.eq(count.saturating_add(whole(one.count))),
        dsl::first_us.eq(first.min(one.first_us)),
        dsl::last_us.eq(last.max(one.last_us)),
    );
    if known.is_some() {
        diesel::update(dsl::refusals_counted.find(key)).set(sums).execute(database)?;
    } else {
        diesel::insert_into(dsl::refusals_counted)
            .values((dsl::play_id.eq(key.0), dsl::seat.eq(key.1), sums))
            .execute(database)?;
    }
    Ok(())
}

/// Adds to what is known of a person at a board.
fn add_incident(database: &mut Database, event: &str, incident: &Incident) -> Result<(), StoreError> {
    use schema::incidents::dsl;
    let play = incident.play.map_or(0, |play| play.0);
    let key = (event, incident.entrant.as_str(), i64::from(incident.member), incident.what.word(), play);
    let known: Option<(i64, i64, i64)> = dsl::incidents
        .find(key)
        .select((dsl::count, dsl::first_us, dsl::last_us))
        .first(database)
        .optional()?;
    let (count, first, last) = known.unwrap_or((0, incident.first_us, incident.last_us));
    let sums = (
        dsl::count.eq(count.saturating_add(whole(incident.count))),
        dsl::first_us.eq(first.min(incident.first_us)),
        dsl::last_us.eq(last.max(incident.last_us)),
    );
    if known.is_some() {
        diesel::update(dsl::incidents.find(key)).set(sums).execute(database)?;
    } else {
        let key = (
            dsl::event_id.eq(event),
            dsl::entrant.eq(&incident.entrant),
            dsl::member.eq(i64::from(incident.member)),
            dsl::kind.eq(incident.what.word()),
            dsl::play_id.eq(play),
        );
        diesel::insert_into(dsl::incidents).values((key, sums)).execute(database)?;
    }
    Ok(())
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
                    write.given.iter().try_for_each(|given| insert_given(database, given, write.wall_us))?;
                    write.counted.iter().try_for_each(|one| add_counted(database, one))?;
                    write.event.iter().try_for_each(|event| write_event(database, event))
                },
                move |result| done(result.map_err(LedgerError::from)),
            )
            .map_err(LedgerError::from)
    }

    fn keep_incidents(&self, event: &str, incidents: Vec<Incident>, done: Done) -> Result<(), LedgerError> {
        let event = event.to_owned();
        self.writer()
            .try_submit(
                move |database| {
                    incidents.iter().try_for_each(|incident| add_incident(database, &event, incident))
                },
                move |result| done(result.map_err(LedgerError::from)),
            )
            .map_err(LedgerError::from)
    }

    fn answer(&self, play: PlayId, seat: Seat, id: &CommandId) -> Result<Option<Answered>, LedgerError> {
        use schema::commands::dsl;
        let key = (play.0, i64::from(seat.0), id.as_str());
        let row: Option<(Vec<u8>, String)> = self.read(|database| {
            dsl::commands.find(key).select((dsl::body, dsl::answer)).first(database).optional()
        })?;
        row.map(|(body, answer)| answered(body, &answer).ok_or_else(|| damaged(play, id.as_str())))
            .transpose()
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
                let damaged = || damaged(play, &command);
                Ok(Given {
                    play,
                    seat: Seat(u8::try_from(seat).map_err(|_| damaged())?),
                    id: CommandId::read(&command).ok_or_else(damaged)?,
                    at_us,
                    text,
                    answered: answered(body, &answer).ok_or_else(damaged)?,
                })
            })
            .collect()
    }

    fn calls(&self, event: &str) -> Result<Vec<RefereeCall>, LedgerError> {
        use schema::{calls, plays};
        self.calls_where(|database| {
            calls::table
                .inner_join(plays::table.on(plays::id.eq(calls::play_id)))
                .filter(plays::event_id.eq(event))
                .order((calls::called_us, calls::play_id, calls::line))
                .select(calls::all_columns)
                .load(database)
        })
    }
}

/// The columns of a call: board at a table, line, seat, command, called, seen and by whom, done and by whom.
type CallColumns = (i64, i64, i64, String, i64, Option<i64>, Option<String>, Option<i64>, Option<String>);

/// A call with what its command holds of it.
fn call_of(
    (play, line, seat, command, called_us, seen_us, seen_by, done_us, done_by): CallColumns,
    (at_us, text): (i64, String),
) -> Result<RefereeCall, LedgerError> {
    let damaged = || damaged(PlayId(play), &command);
    Ok(RefereeCall {
        play: PlayId(play),
        line: u32::try_from(line).map_err(|_| damaged())?,
        seat: Seat(u8::try_from(seat).map_err(|_| damaged())?),
        at_us,
        called_us,
        words: text.strip_prefix(CALL).unwrap_or_default().to_owned(),
        seen: seen_us.zip(seen_by),
        done: done_us.zip(done_by),
    })
}

fn command_of(database: &mut Database, call: &CallColumns) -> QueryResult<(i64, String)> {
    use schema::commands::dsl;
    dsl::commands.find((call.0, call.2, &call.3)).select((dsl::at_us, dsl::text)).first(database)
}

fn damaged(play: PlayId, command: &str) -> LedgerError {
    LedgerError::Lost(format!("command {command} of journal {} is damaged", play.0))
}

fn answered(body: Vec<u8>, answer: &str) -> Option<Answered> {
    Some(Answered { body: body.try_into().ok()?, answer: serde_json::from_str::<Answer>(answer).ok()? })
}

impl Store {
    /// Calls of the referee with their words, in the order in which they are loaded.
    fn calls_where(
        &self,
        load: impl FnOnce(&mut Database) -> QueryResult<Vec<CallColumns>>,
    ) -> Result<Vec<RefereeCall>, LedgerError> {
        let rows = self.read(|database| {
            let rows = load(database)?;
            rows.into_iter()
                .map(|row| command_of(database, &row).map(|command| (row, command)))
                .collect::<QueryResult<Vec<_>>>()
        })?;
        rows.into_iter().map(|(row, command)| call_of(row, command)).collect()
    }

    /// The calls of the referee in an event with which nobody has dealt yet, the oldest first.
    ///
    /// # Errors
    /// Those of the database.
    pub fn open_calls(&self, event: &str) -> Result<Vec<RefereeCall>, LedgerError> {
        use schema::{calls, plays};
        self.calls_where(|database| {
            calls::table
                .inner_join(plays::table.on(plays::id.eq(calls::play_id)))
                .filter(plays::event_id.eq(event))
                .filter(calls::done_us.is_null())
                .order((calls::called_us, calls::play_id, calls::line))
                .select(calls::all_columns)
                .load(database)
        })
    }

    /// The calls of the referee at a board at a table, in the order of its journal.
    ///
    /// # Errors
    /// Those of the database.
    pub fn calls_at(&self, play: PlayId) -> Result<Vec<RefereeCall>, LedgerError> {
        use schema::calls::dsl;
        self.calls_where(|database| {
            dsl::calls.filter(dsl::play_id.eq(play.0)).order(dsl::line).load(database)
        })
    }

    /// Writes down that a referee has seen a call or has dealt with it, with its audit entry; who was first stands.
    /// Answers whether anything has changed; `None`: there is no such call.
    ///
    /// # Errors
    /// Those of the database.
    pub fn mark_call(
        &self,
        (play, line): (PlayId, u32),
        state: CallState,
        audit: AuditRow,
    ) -> Result<Option<bool>, StoreError> {
        use schema::calls::dsl;
        let job = move |database: &mut Database| {
            let key = (play.0, i64::from(line));
            let known: Option<(Option<i64>, Option<i64>)> =
                dsl::calls.find(key).select((dsl::seen_us, dsl::done_us)).first(database).optional()?;
            let Some((seen, done)) = known else { return Ok(None) };
            let now = match (done, seen) {
                (Some(_), _) => CallState::Done,
                (None, Some(_)) => CallState::Seen,
                (None, None) => CallState::Sent,
            };
            if now >= state {
                return Ok(Some(false));
            }
            if seen.is_none() {
                let by = (dsl::seen_us.eq(audit.at_us), dsl::seen_by.eq(&audit.who));
                diesel::update(dsl::calls.find(key)).set(by).execute(database)?;
            }
            if state == CallState::Done {
                let by = (dsl::done_us.eq(audit.at_us), dsl::done_by.eq(&audit.who));
                diesel::update(dsl::calls.find(key)).set(by).execute(database)?;
            }
            insert_audit(database, &audit)?;
            Ok(Some(true))
        };
        self.writer().submit(job)?.wait()
    }

    /// The refused commands of a board at a table that are counted only, by seat.
    ///
    /// # Errors
    /// Those of the database.
    pub fn refusals_counted(&self, play: PlayId) -> Result<Vec<Counted>, StoreError> {
        use schema::refusals_counted::dsl;
        let rows: Vec<(i64, i64, i64, i64)> = self.read(|database| {
            dsl::refusals_counted
                .filter(dsl::play_id.eq(play.0))
                .order(dsl::seat)
                .select((dsl::seat, dsl::count, dsl::first_us, dsl::last_us))
                .load(database)
        })?;
        Ok(rows
            .into_iter()
            .filter_map(|(seat, count, first_us, last_us)| {
                let seat = Seat(u8::try_from(seat).ok()?);
                Some(Counted { play, seat, count: u64::try_from(count).ok()?, first_us, last_us })
            })
            .collect())
    }

    /// What connections have shown in an event, the latest last; of one board at a table, or of all.
    ///
    /// # Errors
    /// Those of the database.
    pub fn incidents(&self, event: &str, play: Option<PlayId>) -> Result<Vec<Incident>, StoreError> {
        use schema::incidents::dsl;
        type Row = (String, i64, String, i64, i64, i64, i64);
        let columns =
            (dsl::entrant, dsl::member, dsl::kind, dsl::play_id, dsl::count, dsl::first_us, dsl::last_us);
        let rows: Vec<Row> = self.read(|database| {
            let mut query = dsl::incidents.filter(dsl::event_id.eq(event)).select(columns).into_boxed();
            if let Some(play) = play {
                query = query.filter(dsl::play_id.eq(play.0));
            }
            query.order((dsl::last_us, dsl::entrant, dsl::member, dsl::kind)).load(database)
        })?;
        Ok(rows
            .into_iter()
            .filter_map(|(entrant, member, kind, play, count, first_us, last_us)| {
                Some(Incident {
                    entrant,
                    member: u8::try_from(member).ok()?,
                    what: Evidence::ALL.into_iter().find(|what| what.word() == kind)?,
                    play: (play != 0).then_some(PlayId(play)),
                    count: u64::try_from(count).ok()?,
                    first_us,
                    last_us,
                })
            })
            .collect())
    }
}
