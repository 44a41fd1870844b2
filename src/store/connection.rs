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
use super::place::Place;
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

#[derive(diesel::QueryableByName)]
struct Text {
    #[diesel(sql_type = diesel::sql_types::Text)]
    value: String,
}

#[derive(diesel::QueryableByName)]
struct Number {
    #[diesel(sql_type = diesel::sql_types::Integer)]
    value: i32,
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

/// Opens a connection at a place that was looked at and brings the tables up to date.
///
/// # Errors
/// The file cannot be opened, belongs to another program or to a newer version of this one.
pub(super) fn open(url: &Url, place: &Place) -> Result<Database, StoreError> {
    let Url::Sqlite(path) = url;
    let (mut connection, ours) = connect(path)?;
    place.present()?;
    migrate(&mut connection, path, ours)?;
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
pub(super) fn settle(url: &Url) -> Result<(), StoreError> {
    let Database::Sqlite(mut connection) = open_more(url)?;
    connection.batch_execute("PRAGMA wal_checkpoint(TRUNCATE);").map_err(StoreError::from)
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

/// Opens the file with our settings; the flag says whether it carries our mark already.
fn connect(path: &Path) -> Result<(SqliteConnection, bool), StoreError> {
    let failed = |reason: String| StoreError::open(path, reason);
    let name = located(path)?;
    let mut connection = SqliteConnection::establish(&name).map_err(|error| failed(error.to_string()))?;
    connection
        .batch_execute("PRAGMA busy_timeout = 10000; PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;")
        .map_err(|error| failed(error.to_string()))?;
    // Before anything is changed: another program's file stays as it is.
    let ours = match mark(&mut connection) {
        Ok(Some(ours)) => ours,
        Ok(None) => return Err(StoreError::NotOurs(path.to_owned())),
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
    Ok((connection, ours))
}

/// How long a commit waits for the disk.
fn synchronous() -> &'static str {
    if Sabotage::Synchronous.on() { "NORMAL" } else { "FULL" }
}

/// Whether the file carries our mark; an empty file does not yet. `None`: it is another program's.
fn mark(connection: &mut SqliteConnection) -> Result<Option<bool>, diesel::result::Error> {
    let id: Number = diesel::sql_query("SELECT application_id AS value FROM pragma_application_id")
        .get_result(connection)?;
    let tables: Number =
        diesel::sql_query("SELECT count(*) AS value FROM sqlite_schema").get_result(connection)?;
    match (id.value, tables.value) {
        (APPLICATION_ID, _) => Ok(Some(true)),
        (0, 0) => Ok(Some(false)),
        _ => Ok(None),
    }
}

fn migrate(connection: &mut SqliteConnection, path: &Path, ours: bool) -> Result<(), StoreError> {
    use diesel::migration::{Migration, MigrationSource};
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| {
        StoreError::Database(error.to_string().split_whitespace().collect::<Vec<_>>().join(" "))
    };
    if !ours {
        connection.batch_execute(&format!("PRAGMA application_id = {APPLICATION_ID};"))?;
    }
    let known = MigrationSource::<Sqlite>::migrations(&SQLITE_MIGRATIONS).map_err(failed)?;
    let known: Vec<String> = known.iter().map(|one| one.name().version().to_string()).collect();
    let applied = connection.applied_migrations().map_err(failed)?;
    if let Some(version) = applied.iter().map(ToString::to_string).find(|version| !known.contains(version)) {
        return Err(StoreError::TooNew { path: path.to_owned(), version });
    }
    if applied.len() < known.len() {
        // Two programs may start on one file at once: whoever comes second finds the work done.
        connection
            .immediate_transaction(|connection| {
                connection
                    .run_pending_migrations(SQLITE_MIGRATIONS)
                    .map_err(diesel::result::Error::QueryBuilderError)?;
                count_commit(connection)
            })
            .map_err(StoreError::from)?;
    }
    Ok(())
}

/// Changes the imprint: every commit does, so that a log shows whose it is.
fn count_commit(connection: &mut SqliteConnection) -> Result<(), diesel::result::Error> {
    use super::schema::imprint::dsl;
    diesel::update(dsl::imprint).set(dsl::commits.eq(dsl::commits + 1)).execute(connection).map(|_| ())
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
