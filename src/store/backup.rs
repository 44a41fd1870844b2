//! Copies of a database while it is in use, and the way back.
//!
//! A backup holds everything that was acknowledged when it began: it is one read transaction, and writers go on. The
//! key file of the server is not in it and is kept apart, as the two together are worth as much as the deals.
//!
//! A copy is made under another name and takes its own only when it is whole, checked and on the disk. Nothing is
//! replaced, and nothing is put beside logs that another file left behind.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use tempfile::{TempDir, TempPath};

use super::Store;
use super::connection::{
    Database, Reading, Text, Url, judged, look, open, open_more, parse_url, place, read_only,
};
use super::error::StoreError;
use super::place::{beside, no_file, private, sync_folder, vacant};
use crate::sabotage::Sabotage;

/// Copies the database of a URL into a new file; the database may be in use by a server. `begun` is told where the
/// unfinished copy lies.
///
/// # Errors
/// There is no database, or not one that this version reads; it lies beside logs that are not its own; the file exists
/// already or cannot be written.
pub fn backup(url: &str, into: &Path, begun: impl FnOnce(&Path)) -> Result<u64, StoreError> {
    let url = parse_url(url)?;
    let Url::Sqlite(path) = &url;
    there(path)?;
    vacant(into)?;
    // It must outlive the connection.
    let place = place(&url)?;
    if look(&url)?.is_none() {
        return Err(StoreError::NotOurs(path.clone()));
    }
    let (_folder, half) = half_of(into, begun)?;
    if Sabotage::MainFile.on() {
        fs::copy(path, &half).map_err(|error| StoreError::open(into, error))?;
    } else {
        let name = half.to_str().ok_or_else(|| StoreError::open(into, "the path is not UTF-8"))?;
        let mut database = open_more(&url)?;
        let Database::Sqlite(connection) = &mut database;
        connection
            .batch_execute(&format!("VACUUM INTO '{}'", name.replace('\'', "''")))
            .map_err(|error| StoreError::open(into, error))?;
    }
    drop(place);
    own_identity(&half)?;
    put(half, into)
}

/// Makes a database from a backup. Nothing is replaced: the database must not exist, nor anything that belongs to one
/// by its name. `begun` is told where the unfinished copy lies.
///
/// # Errors
/// The backup is damaged, not ours, a newer version's or not whole; there is a database already, or what one left
/// behind.
pub fn restore(from: &Path, url: &str, begun: impl FnOnce(&Path)) -> Result<(), StoreError> {
    let url = parse_url(url)?;
    let Url::Sqlite(path) = &url;
    vacant(path)?;
    there(from)?;
    let logs: Vec<PathBuf> = beside(from)
        .into_iter()
        .filter(|file| fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0))
        .filter(|file| !file.as_os_str().as_encoded_bytes().ends_with(b"-shm"))
        .collect();
    if !logs.is_empty() {
        return Err(StoreError::Unsettled { path: from.to_owned(), files: logs });
    }
    check(from)?;
    let (_folder, half) = half_of(path, begun)?;
    let mut source = File::open(from).map_err(|error| StoreError::open(from, error))?;
    let copied =
        File::options().write(true).open(&half).and_then(|mut copy| io::copy(&mut source, &mut copy));
    copied.map_err(|error| StoreError::open(path, error))?;
    own_identity(&half)?;
    {
        // Whatever this program would find fault with comes out under the other name.
        let half = Url::Sqlite(half.clone());
        let place = place(&half)?;
        drop(open(&half, &place)?);
    }
    put(half, path).map(|_| ())
}

fn there(path: &Path) -> Result<(), StoreError> {
    if let Ok(metadata) = fs::metadata(path) {
        return no_file(path, &metadata).map_or(Ok(()), Err);
    }
    let files = beside(path);
    if files.is_empty() {
        Err(StoreError::open(path, "there is no such file"))
    } else {
        Err(StoreError::LeftBehind { path: path.to_owned(), files })
    }
}

/// A folder beside the place of a copy, which goes with everything in it, and an empty file in it for its owner only.
fn half_of(path: &Path, begun: impl FnOnce(&Path)) -> Result<(TempDir, PathBuf), StoreError> {
    let failed = |error: io::Error| StoreError::open(path, error);
    let absolute = std::path::absolute(path).map_err(failed)?;
    let near = absolute.parent().unwrap_or_else(|| Path::new("/"));
    if !near.is_dir() {
        return Err(StoreError::open(path, format!("there is no folder {}", near.display())));
    }
    let folder = tempfile::Builder::new().prefix(".fushi-").tempdir_in(near).map_err(failed)?;
    begun(folder.path());
    let half = folder.path().join("half.sqlite");
    private(&half).map_err(failed)?;
    Ok((folder, half))
}

/// Gives a copy an identity of its own: logs of the database that it was copied from are none of its.
fn own_identity(path: &Path) -> Result<(), StoreError> {
    let name = path.to_str().ok_or_else(|| StoreError::open(path, "the path is not UTF-8"))?;
    let mut connection = SqliteConnection::establish(name).map_err(|error| StoreError::open(path, error))?;
    connection
        .batch_execute("PRAGMA trusted_schema = OFF; UPDATE imprint SET identity = randomblob(16);")
        .map_err(|error| StoreError::open(path, error))
}

/// Checks a finished copy, makes it durable and gives it its name; answers its length in bytes.
fn put(half: PathBuf, path: &Path) -> Result<u64, StoreError> {
    let failed = |error: io::Error| StoreError::open(path, error);
    check(&half)?;
    let left = beside(&half);
    if !left.is_empty() {
        return Err(StoreError::Unsettled { path: half, files: left });
    }
    let copy = File::open(&half).map_err(failed)?;
    copy.sync_all().map_err(failed)?;
    let length = copy.metadata().map_err(failed)?.len();
    vacant(path)?;
    let half = TempPath::try_from_path(half).map_err(failed)?;
    half.persist_noclobber(path).map_err(|error| failed(error.error))?;
    sync_folder(path).map_err(failed)?;
    Ok(length)
}

/// Whether a file is one of ours that this version reads, and whole. Nothing is written, nor made beside it.
fn check(path: &Path) -> Result<(), StoreError> {
    let failed = |reason: String| StoreError::open(path, reason);
    let mut connection = read_only(path, Reading::Alone)?;
    let verdict: Text =
        diesel::sql_query("SELECT integrity_check AS value FROM pragma_integrity_check LIMIT 1")
            .get_result(&mut connection)
            .map_err(|error| failed(error.to_string()))?;
    if verdict.value != "ok" {
        return Err(failed(format!("the file is damaged: {}", verdict.value)));
    }
    judged(connection, path)?.map(|_| ()).ok_or_else(|| StoreError::NotOurs(path.to_owned()))
}

impl Store {
    /// As [`backup`], of this database.
    ///
    /// # Errors
    /// As [`backup`].
    pub fn back_up(&self, into: &Path) -> Result<u64, StoreError> {
        let Url::Sqlite(path) = &self.url;
        backup(&format!("sqlite:{}", path.display()), into, |_| {})
    }
}
