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
    /// logs beside it that another file left behind.
    pub fn open(url: &str) -> Result<Store, StoreError> {
        Store::opened(url, |_| Ok(None))
    }

    /// As [`Store::open`], for a server: a database has one.
    ///
    /// # Errors
    /// As [`Store::open`]; [`StoreError::InUse`], whatever name the other server knows the file by.
    pub fn open_alone(url: &str) -> Result<Store, StoreError> {
        Store::opened(url, |place| place.take().map(Some))
    }

    fn opened(
        url: &str,
        take: impl FnOnce(&Place) -> Result<Option<Alone>, StoreError>,
    ) -> Result<Store, StoreError> {
        let url = connection::parse_url(url)?;
        let place = connection::place(&url)?;
        let alone = take(&place)?;
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

    /// Leaves everything in one file, which can be copied; for the end of a server.
    ///
    /// # Errors
    /// Those of the database; nothing is lost by them.
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
