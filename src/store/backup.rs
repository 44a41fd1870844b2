//! Copies of a database while it is in use, and the way back.
//!
//! A backup holds everything that was acknowledged when it began: it is one read transaction, and writers go on. The
//! key file of the server is not in it and is kept apart, as the two together are worth as much as the deals.

use std::fs;
use std::path::Path;

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;

use super::Store;
use super::connection::{Database, Url, open, open_more, parse_url};
use super::error::StoreError;
use crate::sabotage::Sabotage;

#[derive(diesel::QueryableByName)]
struct Verdict {
    #[diesel(sql_type = diesel::sql_types::Text)]
    value: String,
}

#[allow(clippy::needless_pass_by_value, reason = "handed on from `map_err`")]
fn failed(path: &Path, reason: impl std::fmt::Display) -> StoreError {
    let reason = reason.to_string();
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    StoreError::Open { path: path.to_owned(), reason }
}

/// Copies the database of a URL into a new file; the database may be in use by a server.
///
/// # Errors
/// There is no database, the file exists already or cannot be written.
pub fn backup(url: &str, into: &Path) -> Result<u64, StoreError> {
    let url = parse_url(url)?;
    let Url::Sqlite(path) = &url;
    if !path.is_file() {
        return Err(failed(path, "there is no such file"));
    }
    if into.exists() {
        return Err(failed(into, "the file exists already: a backup never replaces anything"));
    }
    let Some(name) = into.to_str() else { return Err(failed(into, "the path is not UTF-8")) };
    if Sabotage::MainFile.on() {
        fs::copy(path, into).map_err(|error| failed(into, error))?;
    } else {
        let mut database = open_more(&url)?;
        let Database::Sqlite(connection) = &mut database;
        connection
            .batch_execute(&format!("VACUUM INTO '{}'", name.replace('\'', "''")))
            .map_err(|error| failed(into, error))?;
    }
    // The copy is worth something only once it is on the disk.
    let written = fs::File::open(into).and_then(|file| file.sync_all().map(|()| file));
    let length = written.and_then(|file| file.metadata()).map_err(|error| failed(into, error))?.len();
    check(into)?;
    Ok(length)
}

/// Makes a database from a backup. Nothing is replaced: the database must not exist.
///
/// # Errors
/// The backup is damaged or not ours, or there is a database already.
pub fn restore(from: &Path, url: &str) -> Result<(), StoreError> {
    let url = parse_url(url)?;
    let Url::Sqlite(path) = &url;
    if path.exists() {
        return Err(failed(path, "the database exists already: move it away first"));
    }
    if !from.is_file() {
        return Err(failed(from, "there is no such file"));
    }
    check(from)?;
    let half = path.with_extension("restoring");
    fs::copy(from, &half).map_err(|error| failed(&half, error))?;
    let moved = fs::File::open(&half)
        .and_then(|file| file.sync_all())
        .and_then(|()| fs::rename(&half, path))
        .map_err(|error| failed(path, error));
    if moved.is_err() {
        let _ = fs::remove_file(&half);
    }
    moved?;
    open(&url).map(|_| ())
}

/// Whether a file is one of ours and whole.
fn check(path: &Path) -> Result<(), StoreError> {
    let mut connection = read_only(path)?;
    let verdict: Verdict =
        diesel::sql_query("SELECT integrity_check AS value FROM pragma_integrity_check LIMIT 1")
            .get_result(&mut connection)
            .map_err(|error| failed(path, error))?;
    if verdict.value != "ok" {
        return Err(failed(path, format!("the file is damaged: {}", verdict.value)));
    }
    let ours: Verdict =
        diesel::sql_query("SELECT CAST(application_id AS TEXT) AS value FROM pragma_application_id")
            .get_result(&mut connection)
            .map_err(|error| failed(path, error))?;
    if ours.value != super::connection::APPLICATION_ID.to_string() {
        return Err(StoreError::NotOurs(path.to_owned()));
    }
    Ok(())
}

fn read_only(path: &Path) -> Result<SqliteConnection, StoreError> {
    let absolute = std::path::absolute(path).map_err(|error| failed(path, error))?;
    let name = absolute.to_str().ok_or_else(|| failed(path, "the path is not UTF-8"))?;
    let mut connection = SqliteConnection::establish(name).map_err(|error| failed(path, error))?;
    connection
        .batch_execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF;")
        .map_err(|error| failed(path, error))?;
    Ok(connection)
}

impl Store {
    /// As [`backup`], of this database.
    ///
    /// # Errors
    /// As [`backup`].
    pub fn back_up(&self, into: &Path) -> Result<u64, StoreError> {
        let Url::Sqlite(path) = &self.url;
        backup(&format!("sqlite:{}", path.display()), into)
    }
}
