//! What can go wrong with the database, each with one line that says what to do.

use std::path::{Path, PathBuf};

use super::place::listed;
use crate::words::{Message, Part, message};

/// Why the store refused or failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database URL has no scheme, or one that is not known. No file was created.
    #[error("`{0}` is not a database URL: write sqlite:PATH")]
    Url(String),
    /// The URL is understood but this build has no such back end.
    #[error("this build has no support for `{0}` databases: use sqlite:PATH")]
    NoBackEnd(String),
    /// The file cannot be opened or created.
    #[error("cannot open the database {}: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the database said.
        reason: String,
    },
    /// There is a file at the place where one is to be made.
    #[error("{} is taken: {} belong together; choose another name, or move all of them away together", path.display(), listed(files))]
    Taken {
        /// The place.
        path: PathBuf,
        /// The file and whatever stands beside it.
        files: Vec<PathBuf>,
    },
    /// There is no database, but the logs of one that was here: they hold the newest of what was acknowledged.
    #[error(
        "{} is not there, but {} of the database that was here are: they hold its newest writes; move them to that file, all together and under its name",
        path.display(), listed(files)
    )]
    LeftBehind {
        /// The place.
        path: PathBuf,
        /// What was left.
        files: Vec<PathBuf>,
    },
    /// The logs beside a database are those of another one that was here.
    #[error(
        "{} do not belong to {}: they hold the newest writes of another file that stood here; move them to that file, all together and under its name",
        listed(files), path.display()
    )]
    Foreign {
        /// The database.
        path: PathBuf,
        /// What does not belong to it.
        files: Vec<PathBuf>,
    },
    /// The logs beside a database are of the same database, but do not go on from what the file holds: the file was
    /// written while they were not beside it, or it is another copy of it.
    #[error(
        "{} do not belong to {} as it is now: they go on from another state of this database, as it was written without them or is another copy; put the file that they were written with back beside them, or move them away, all together, to go on without what they hold",
        listed(files), path.display()
    )]
    Parted {
        /// The database.
        path: PathBuf,
        /// What does not go on from it.
        files: Vec<PathBuf>,
    },
    /// The file has several names: its log lies beside one of them only.
    #[error("{} has {links} names (hard links), but its newest writes lie beside one of them only: remove the others", path.display())]
    Linked {
        /// The database.
        path: PathBuf,
        /// How many names it has.
        links: u64,
    },
    /// A copy is asked for from a file whose newest writes are in a log beside it.
    #[error("{} is not a whole copy: {} belong to it; make one with fushi backup", path.display(), listed(files))]
    Unsettled {
        /// The file.
        path: PathBuf,
        /// What belongs to it.
        files: Vec<PathBuf>,
    },
    /// Another server has the database.
    #[error("another server runs with {}: end it first, or choose another database", .0.display())]
    InUse(PathBuf),
    /// The file was moved, deleted or replaced while it was in use: nothing is written any more.
    #[error(
        "{} was moved, deleted or replaced while the server runs: nothing is acknowledged any more; end the server, put the file back with what belongs to it, start again",
        .0.display()
    )]
    Gone(PathBuf),
    /// The file is a database of another program.
    #[error("{} is not a fushi database: choose another file", .0.display())]
    NotOurs(PathBuf),
    /// The file was written by a newer program.
    #[error("{} was written by a newer version of fushi (migration {version}): update the program", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// The first migration that this program does not know.
        version: String,
    },
    /// The queue of the writer is full: nothing was written, try again.
    #[error("the database is busy: try again")]
    Busy,
    /// The writer has ended; nothing was written.
    #[error("the database is closed")]
    Closed,
    /// A row with this key exists already: the journal already has the entry, the event its announcement.
    #[error("{0} exists already")]
    Exists(String),
    /// There is no such thing in the database.
    #[error("there is no {0}")]
    Missing(String),
    /// Somebody else has changed it since it was read; nothing was written.
    #[error("{0} has changed in the meantime: read it again")]
    Changed(String),
    /// Anything else the database reports: disk full, file damaged, constraint violated.
    #[error("database error: {0}")]
    Database(String),
}

impl StoreError {
    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            StoreError::Url(url) => message!("store-url", url),
            StoreError::NoBackEnd(url) => message!("store-no-back-end", url),
            StoreError::Open { path, reason } => {
                let ours = match reason.as_str() {
                    "there is no such file" => message!("store-no-file"),
                    "the path is not UTF-8" => message!("store-path"),
                    "it is a folder" => message!("store-folder"),
                    "it is not a file but a device, a pipe or the like" => message!("store-no-regular-file"),
                    other => message!("store-reason", reason = other),
                };
                let reason = Part::Library(reason.clone(), ours);
                message!("store-open", path = path.display(), reason = reason)
            }
            StoreError::Taken { path, files } => {
                message!("store-taken", path = path.display(), files = listed(files))
            }
            StoreError::LeftBehind { path, files } => {
                message!("store-left-behind", path = path.display(), files = listed(files))
            }
            StoreError::Foreign { path, files } => {
                message!("store-foreign", path = path.display(), files = listed(files))
            }
            StoreError::Parted { path, files } => {
                message!("store-parted", path = path.display(), files = listed(files))
            }
            StoreError::Linked { path, links } => message!("store-linked", path = path.display(), links),
            StoreError::Unsettled { path, files } => {
                message!("store-unsettled", path = path.display(), files = listed(files))
            }
            StoreError::InUse(path) => message!("serve-twice", what = path.display()),
            StoreError::Gone(path) => message!("store-gone", path = path.display()),
            StoreError::NotOurs(path) => message!("store-not-ours", path = path.display()),
            StoreError::TooNew { path, version } => message!("store-too-new", path = path.display(), version),
            StoreError::Busy => message!("store-busy"),
            StoreError::Closed => message!("store-closed"),
            StoreError::Exists(what) => message!("archive-exists", what),
            StoreError::Missing(what) => message!("archive-missing", what),
            StoreError::Changed(what) => message!("archive-changed", what),
            StoreError::Database(what) => message!("store-error", what),
        }
    }

    /// A file that cannot be opened or made; the reason in one line.
    pub(super) fn open(path: &Path, reason: impl std::fmt::Display) -> StoreError {
        let reason = reason.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        StoreError::Open { path: path.to_owned(), reason }
    }

    /// Turns Diesel's error into ours; `what` names the thing that was written.
    pub(super) fn of(error: diesel::result::Error, what: &dyn Fn() -> String) -> StoreError {
        use diesel::result::{DatabaseErrorKind, Error};
        match error {
            Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => StoreError::Exists(what()),
            Error::NotFound => StoreError::Missing(what()),
            other => StoreError::from(other),
        }
    }
}

impl From<diesel::result::Error> for StoreError {
    fn from(error: diesel::result::Error) -> StoreError {
        let text = error.to_string();
        StoreError::Database(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
