//! The database: the only room that knows there is one.
//!
//! [`Store`] opens a database by URL and reads; its [`Writer`] is the one thread that writes, with group commit, and
//! answers only when the write is durable. Journals, announcements, keys, rulings, revisions and the audit log are
//! append-only by trigger; results and standings are derived and may be replaced at any time.
//!
//! Architecture invariants: no other room names Diesel, SQLite or a table; no row holds a key in the clear; the
//! writer never answers before the commit; a URL that is not understood never creates a file.

mod archive;
pub mod backup;
mod connection;
mod entries;
mod error;
mod event;
mod ledger;
mod people;
mod place;
mod probe;
mod read;
mod rows;
mod schema;
mod wal;
mod write;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use connection::{Database, Url};
pub use error::StoreError;
use place::{Alone, Place};
pub use place::{settled, sync_folder, vacant};
use probe::Probe;
pub use writer::{Pending, Writer};

use crate::words::Message;

/// An open database.
pub struct Store {
    url: Url,
    reader: Mutex<Database>,
    writer: Writer,
    probe: Probe,
    // Behind the connections: it must outlive them.
    _alone: Option<Alone>,
    place: Arc<Place>,
}

impl Store {
    /// Opens a database by URL, `sqlite:PATH`; creates the file and brings its tables up to date where needed.
    ///
    /// # Errors
    /// An unknown scheme (nothing is created), a file that cannot be opened or is not ours, a newer version's file;
    /// logs beside it that another file left behind, or that do not go on from it. Nothing is changed then.
    pub fn open(url: &str) -> Result<Store, StoreError> {
        let url = connection::parse_url(url)?;
        let place = connection::place(&url)?;
        connection::look(&url)?;
        Store::at(url, place, None)
    }

    /// As [`Store::open`], for a server: a database has one. `accept` sees the database before anything is written to
    /// it, through a store that takes no writes; it is not given one where there are no tables yet. What it answers comes
    /// back with the open store.
    ///
    /// # Errors
    /// As [`Store::open`]; [`StoreError::InUse`], whatever name the other server knows the file by; what `accept`
    /// refuses: nothing is changed then.
    pub fn open_alone<T>(
        url: &str,
        accept: impl FnOnce(Option<&Store>) -> Result<T, Message>,
    ) -> Result<(Store, T), Message> {
        let said = |error: StoreError| error.message();
        let url = connection::parse_url(url).map_err(said)?;
        let place = connection::place(&url).map_err(said)?;
        let alone = place.take().map_err(said)?;
        let seen = connection::look(&url).map_err(said)?.map(|reading| Store {
            url: url.clone(),
            reader: Mutex::new(reading),
            writer: Writer::closed(),
            probe: Probe::default(),
            _alone: None,
            place: Arc::clone(&place),
        });
        let accepted = accept(seen.as_ref())?;
        drop(seen);
        Ok((Store::at(url, place, Some(alone)).map_err(said)?, accepted))
    }

    /// Opens what was looked at.
    fn at(url: Url, place: Arc<Place>, alone: Option<Alone>) -> Result<Store, StoreError> {
        let writing = connection::open(&url, &place)?;
        let reading = connection::open_more(&url)?;
        let writer = Writer::start(Arc::clone(&place), writing)?;
        let (reader, probe) = (Mutex::new(reading), Probe::default());
        Ok(Store { url, reader, writer, probe, _alone: alone, place })
    }

    /// Whether something can be written and is durable, asked once a second at most.
    ///
    /// # Errors
    /// Why not; [`StoreError::Busy`] when there is no answer in time.
    pub fn writable(&self) -> Result<(), StoreError> {
        self.place.present()?;
        self.probe.ask(&self.writer)
    }

    /// The database's file, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        let Url::Sqlite(path) = &self.url;
        path
    }

    /// The handle to write with; clones share one thread.
    #[must_use]
    pub fn writer(&self) -> &Writer {
        &self.writer
    }

    /// Moves everything into the one file: at the end of a server it can be copied then, and at its start the file
    /// itself says what it is, whatever becomes of its log.
    ///
    /// # Errors
    /// Those of the database, [`StoreError::Busy`] while somebody else reads it; nothing is lost by them.
    pub fn settle(&self) -> Result<(), StoreError> {
        connection::settle(&self.url)
    }

    fn read<T>(
        &self,
        query: impl FnOnce(&mut Database) -> diesel::result::QueryResult<T>,
    ) -> Result<T, StoreError> {
        // A panic elsewhere cannot leave a connection in a bad state: reads hold no transaction open.
        let mut database = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        query(&mut database).map_err(StoreError::from)
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("url", &self.url).finish_non_exhaustive()
    }
}
