//! From a database URL to an open connection. Nothing outside this file knows which database it is.
//!
//! The URL is read here and not by Diesel: a mistyped scheme must be an error and must never create a file.
//! PostgreSQL comes in as a second variant of [`Database`], with `migrations/postgres` beside `migrations/sqlite`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::error::StoreError;
use super::place::{Place, beside};
use crate::sabotage::Sabotage;

const SQLITE_MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations/sqlite");

/// `FUSH`, the mark in the header of our SQLite files.
pub(super) const APPLICATION_ID: i32 = 0x4655_5348;

/// A database URL that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Url {
    /// A SQLite file.
    Sqlite(PathBuf),
}

/// Reads a URL: `sqlite:PATH` or `sqlite://PATH`.
///
/// # Errors
/// No scheme, an unknown one, one without a back end, an empty path. Nothing is created.
pub(super) fn parse_url(url: &str) -> Result<Url, StoreError> {
    let shown = || url.chars().take(200).collect::<String>();
    let Some((scheme, rest)) = url.split_once(':') else { return Err(StoreError::Url(shown())) };
    match scheme {
        "sqlite" => {
            let path = rest.strip_prefix("//").unwrap_or(rest);
            if path.is_empty() || path == ":memory:" || path.contains(['\0', '\n']) {
                return Err(StoreError::Url(shown()));
            }
            Ok(Url::Sqlite(PathBuf::from(path)))
        }
        // The rest may hold a password and is not repeated.
        "postgres" | "postgresql" => Err(StoreError::NoBackEnd(scheme.to_owned())),
        _ => Err(StoreError::Url(shown())),
    }
}

/// An open connection to whichever database it is.
#[derive(diesel::MultiConnection)]
pub enum Database {
    /// SQLite, bundled.
    Sqlite(SqliteConnection),
}

/// One row of one text.
#[derive(diesel::QueryableByName)]
pub(super) struct Text {
    #[diesel(sql_type = diesel::sql_types::Text)]
    pub value: String,
}

#[derive(diesel::QueryableByName)]
struct Number {
    #[diesel(sql_type = diesel::sql_types::Integer)]
    value: i32,
}

/// What SQLite answers to a checkpoint; `busy` is 1 if somebody was in the way.
#[derive(diesel::QueryableByName)]
struct Checkpoint {
    #[diesel(sql_type = diesel::sql_types::Integer)]
    busy: i32,
}

/// The place of a database, looked at before anything is opened; an empty file is made where there is none.
///
/// # Errors
/// What stands beside the file is not its own; there is no such folder; the path is not UTF-8.
pub(super) fn place(url: &Url) -> Result<Arc<Place>, StoreError> {
    let Url::Sqlite(path) = url;
    located(path)?;
    Place::prepare(path)
}

/// Looks at a file before anything is written to it: a connection that reads, or nothing where there are no tables yet.
/// Neither the file nor its log are changed, nor is any file made beside a database that has none.
///
/// # Errors
/// The file cannot be read, belongs to another program or to a newer version of this one.
pub(super) fn look(url: &Url) -> Result<Option<Database>, StoreError> {
    let Url::Sqlite(path) = url;
    let mut tried: Vec<Reading> = Vec::new();
    let mut refused = None;
    // Another program may be making the log while it is looked for.
    for _ in 0..2 {
        for way in ways(path) {
            if tried.contains(&way) {
                continue;
            }
            tried.push(way);
            match read_only(path, way).and_then(|connection| judged(connection, path)) {
                Err(error @ StoreError::Open { .. }) => refused = refused.or(Some(error)),
                judged => return judged.map(|ours| ours.map(Database::Sqlite)),
            }
        }
    }
    Err(refused.unwrap_or_else(|| StoreError::open(path, "it cannot be read")))
}

/// How a file is read that must not be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// As it stands, without a log.
    Alone,
    /// With its log, of which the index is not written.
    Log,
    /// With its log; an index is made where there is none.
    Index,
}

/// How a file can be read together with what stands beside it.
fn ways(path: &Path) -> Vec<Reading> {
    let beside = beside(path);
    let find = |tail: &[u8]| beside.iter().find(|file| file.as_os_str().as_encoded_bytes().ends_with(tail));
    let full = |file: &PathBuf| std::fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0);
    match (find(b"-wal"), find(b"-shm")) {
        (Some(_), Some(_)) => vec![Reading::Log, Reading::Index],
        (Some(log), None) if full(log) => vec![Reading::Index],
        _ => vec![Reading::Alone],
    }
}

/// Opens a file that is not to be changed.
pub(super) fn read_only(path: &Path, how: Reading) -> Result<SqliteConnection, StoreError> {
    let failed = |reason: String| StoreError::open(path, reason);
    let name = located(path)?;
    let mut uri = "file:".to_owned();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri.push_str("?mode=ro");
    uri.push_str(match how {
        Reading::Alone => "&immutable=1",
        Reading::Log => "&readonly_shm=1",
        Reading::Index => "",
    });
    let mut connection = SqliteConnection::establish(&uri).map_err(|error| failed(error.to_string()))?;
    connection
        .batch_execute("PRAGMA busy_timeout = 10000; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF;")
        .map_err(|error| failed(error.to_string()))?;
    Ok(connection)
}

/// The connection, if the file is one of ours that this version reads; `None` if there are no tables in it.
///
/// # Errors
/// It belongs to another program or to a newer version of this one; it cannot be read.
pub(super) fn judged(
    mut connection: SqliteConnection,
    path: &Path,
) -> Result<Option<SqliteConnection>, StoreError> {
    match mark(&mut connection).map_err(|error| StoreError::open(path, error))? {
        Mark::None => Ok(None),
        Mark::Ours => applied(&mut connection, path).map(|_| Some(connection)),
        Mark::Foreign => Err(StoreError::NotOurs(path.to_owned())),
    }
}

/// Opens a connection at a place that was looked at and brings the tables up to date.
///
/// # Errors
/// The file cannot be opened, belongs to another program or to a newer version of this one.
pub(super) fn open(url: &Url, place: &Place) -> Result<Database, StoreError> {
    let Url::Sqlite(path) = url;
    let (mut connection, mark) = connect(path)?;
    place.present()?;
    migrate(&mut connection, path, mark)?;
    Ok(Database::Sqlite(connection))
}

/// A further connection to a database that [`open`] has prepared.
///
/// # Errors
/// As [`open`].
pub(super) fn open_more(url: &Url) -> Result<Database, StoreError> {
    let Url::Sqlite(path) = url;
    connect(path).map(|(connection, _)| Database::Sqlite(connection))
}

/// Moves what is in the write-ahead log into the database's file and empties the log.
///
/// # Errors
/// [`StoreError::Busy`] if somebody else reads or writes; nothing is lost by it.
pub(super) fn settle(url: &Url) -> Result<(), StoreError> {
    let Database::Sqlite(mut connection) = open_more(url)?;
    checkpoint(&mut connection)
}

fn checkpoint(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let done: Checkpoint = diesel::sql_query("PRAGMA wal_checkpoint(TRUNCATE)").get_result(connection)?;
    if done.busy == 0 { Ok(()) } else { Err(StoreError::Busy) }
}

/// The absolute path as SQLite takes it: it cannot be mistaken for a `file:` URI or an option.
fn located(path: &Path) -> Result<String, StoreError> {
    let absolute = std::path::absolute(path).map_err(|error| StoreError::open(path, error))?;
    if let Some(folder) = absolute.parent()
        && !folder.is_dir()
    {
        return Err(StoreError::open(path, format!("there is no folder {}", folder.display())));
    }
    absolute.to_str().map(str::to_owned).ok_or_else(|| StoreError::open(path, "the path is not UTF-8"))
}

/// Opens the file with our settings; the mark says whether it is one of ours already.
fn connect(path: &Path) -> Result<(SqliteConnection, Mark), StoreError> {
    let failed = |reason: String| StoreError::open(path, reason);
    let name = located(path)?;
    let mut connection = SqliteConnection::establish(&name).map_err(|error| failed(error.to_string()))?;
    connection
        .batch_execute("PRAGMA busy_timeout = 10000; PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;")
        .map_err(|error| failed(error.to_string()))?;
    // Before anything is changed: another program's file stays as it is.
    let mark = match mark(&mut connection) {
        Ok(Mark::Foreign) => return Err(StoreError::NotOurs(path.to_owned())),
        Ok(mark) => mark,
        Err(error) => return Err(failed(error.to_string())),
    };
    connection
        .batch_execute(&format!("PRAGMA journal_mode = WAL; PRAGMA synchronous = {};", synchronous()))
        .map_err(|error| failed(error.to_string()))?;
    let mode: Text = diesel::sql_query("SELECT journal_mode AS value FROM pragma_journal_mode")
        .get_result(&mut connection)
        .map_err(|error| failed(error.to_string()))?;
    if mode.value != "wal" {
        return Err(failed(format!("write-ahead logging is not possible here (mode {})", mode.value)));
    }
    Ok((connection, mark))
}

/// How long a commit waits for the disk.
fn synchronous() -> &'static str {
    if Sabotage::Synchronous.on() { "NORMAL" } else { "FULL" }
}

/// Whose a file is by the mark in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// There are no tables in it.
    None,
    /// Ours.
    Ours,
    /// Another program's.
    Foreign,
}

fn mark(connection: &mut SqliteConnection) -> Result<Mark, diesel::result::Error> {
    let id: Number = diesel::sql_query("SELECT application_id AS value FROM pragma_application_id")
        .get_result(connection)?;
    let tables: Number =
        diesel::sql_query("SELECT count(*) AS value FROM sqlite_schema").get_result(connection)?;
    Ok(match (id.value, tables.value) {
        (0 | APPLICATION_ID, 0) => Mark::None,
        (APPLICATION_ID, _) => Mark::Ours,
        _ => Mark::Foreign,
    })
}

/// The migrations that this program knows.
fn known() -> Result<Vec<String>, StoreError> {
    use diesel::migration::{Migration, MigrationSource};
    let known = MigrationSource::<Sqlite>::migrations(&SQLITE_MIGRATIONS).map_err(|error| {
        StoreError::Database(error.to_string().split_whitespace().collect::<Vec<_>>().join(" "))
    })?;
    Ok(known.iter().map(|one| one.name().version().to_string()).collect())
}

/// How many migrations a database of ours has had.
///
/// # Errors
/// One of them is not known here: it was written by a newer version.
fn applied(connection: &mut SqliteConnection, path: &Path) -> Result<usize, StoreError> {
    let applied: Vec<Text> =
        diesel::sql_query("SELECT version AS value FROM __diesel_schema_migrations ORDER BY version")
            .load(connection)
            .map_err(|error| StoreError::open(path, error))?;
    let known = known()?;
    match applied.iter().find(|one| !known.contains(&one.value)) {
        None => Ok(applied.len()),
        Some(newer) => Err(StoreError::TooNew { path: path.to_owned(), version: newer.value.clone() }),
    }
}

fn migrate(connection: &mut SqliteConnection, path: &Path, mark: Mark) -> Result<(), StoreError> {
    if mark == Mark::Ours && applied(connection, path)? == known()?.len() {
        return Ok(());
    }
    // Two programs may start on one file at once: whoever comes second finds the work done.
    connection
        .immediate_transaction(|connection| {
            connection.batch_execute(&format!("PRAGMA application_id = {APPLICATION_ID};"))?;
            let idle = connection
                .run_pending_migrations(SQLITE_MIGRATIONS)
                .map(|done| done.is_empty())
                .map_err(diesel::result::Error::QueryBuilderError)?;
            if idle { Ok(()) } else { count_commit(connection) }
        })
        .map_err(StoreError::from)?;
    // From now on the file itself says which database it is, whatever becomes of its log.
    checkpoint(connection)
}

/// Changes the imprint: every commit does, so that a log shows whose it is and which commit it goes on from.
fn count_commit(connection: &mut SqliteConnection) -> Result<(), diesel::result::Error> {
    use super::schema::imprint::dsl;
    let drawn = diesel::dsl::sql::<diesel::sql_types::Binary>("randomblob(16)");
    diesel::update(dsl::imprint)
        .set((dsl::commits.eq(dsl::commits + 1), dsl::previous.eq(dsl::mark), dsl::mark.eq(drawn)))
        .execute(connection)
        .map(|_| ())
}

impl Database {
    /// Begins a transaction that will write. SQLite takes its write lock at once: a transaction that begins as a
    /// reader cannot be turned into a writer while another one writes.
    pub(super) fn begin(&mut self) -> Result<(), StoreError> {
        match self {
            Database::Sqlite(connection) => {
                AnsiTransactionManager::begin_transaction_sql(connection, "BEGIN IMMEDIATE")
            }
        }
        .map_err(StoreError::from)
    }

    /// Makes the transaction durable, with its mark in the imprint.
    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        let Database::Sqlite(connection) = self;
        count_commit(connection)?;
        <Database as Connection>::TransactionManager::commit_transaction(self).map_err(StoreError::from)
    }

    /// Takes the transaction back.
    pub(super) fn roll_back(&mut self) -> Result<(), StoreError> {
        <Database as Connection>::TransactionManager::rollback_transaction(self).map_err(StoreError::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_schemes_are_read() {
        assert_eq!(parse_url("sqlite:a b.sqlite").unwrap(), Url::Sqlite("a b.sqlite".into()));
        assert_eq!(parse_url("sqlite:///tmp/a").unwrap(), Url::Sqlite("/tmp/a".into()));
        for bad in
            ["", "a.sqlite", "sqlit:a", "SQLITE:a", "mysql://a", "file:a", "sqlite:", "sqlite::memory:"]
        {
            assert!(matches!(parse_url(bad), Err(StoreError::Url(_))), "{bad}");
        }
        let error = parse_url("postgres://user:secret@host/db").unwrap_err();
        assert!(!error.to_string().contains("secret"));
    }
}
