//! What can go wrong with the database, each with one line that says what to do.

use std::path::PathBuf;

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
                    text if text.starts_with("the file exists already") => message!("store-file-exists"),
                    text if text.starts_with("the database exists already") => {
                        message!("store-database-exists")
                    }
                    other => message!("store-reason", reason = other),
                };
                let reason = Part::Library(reason.clone(), ours);
                message!("store-open", path = path.display(), reason = reason)
            }
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
