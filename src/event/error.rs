//! What can go wrong at the desk, one line each.

use super::archive::ArchiveError;
use crate::dealing::DealError;
use crate::formats::Refused;
use crate::formats::ruling::RulingFault;
use crate::formats::tally::TallyFault;
use crate::words::{Lang, Message, Part, message, say};

/// Why the desk refuses or fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// A setting that cannot be: sizes, levels, formats.
    #[error("{0}")]
    Setting(String),
    /// The same as a sentence for any reader.
    #[error("{}", say(Lang::En, .0))]
    Said(Message),
    /// Keys, announcement, reveal.
    #[error("{0}")]
    Deal(#[from] DealError),
    /// The archive.
    #[error("{0}")]
    Archive(#[from] ArchiveError),
    /// The event does not allow it.
    #[error("the event does not allow it")]
    Refused(Box<Refused>),
    /// A ruling that cannot stand.
    #[error("{0}")]
    Ruling(#[from] RulingFault),
    /// Results that cannot be computed.
    #[error("{0}")]
    Tally(#[from] TallyFault),
    /// What is in the archive does not fit together.
    #[error("the archive is damaged: {0}")]
    Damaged(String),
    /// An AI player that does not play on.
    #[error("board {board} at table {table} cannot be played on: {detail}")]
    Stuck {
        /// The board.
        board: String,
        /// The table.
        table: u32,
        /// What happened.
        detail: String,
    },
    /// The event is being ended; nothing of it can be opened meanwhile.
    #[error("the event is being ended: try again in a moment")]
    Ending,
    /// The bundle cannot be written.
    #[error("cannot write the bundle: {0}")]
    Write(String),
}

impl EventError {
    /// Several contradictions.
    pub fn all(told: impl IntoIterator<Item = Message>) -> EventError {
        EventError::Said(message!("verbatim", text = Part::List(told.into_iter().collect())))
    }

    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            EventError::Setting(text) => text.into(),
            EventError::Said(message) => message.clone(),
            EventError::Deal(error) => error.message(),
            EventError::Archive(error) => error.message(),
            EventError::Refused(refused) => refused.message(),
            EventError::Ruling(fault) => fault.message(),
            EventError::Tally(fault) => fault.message(),
            EventError::Damaged(what) => message!("desk-damaged", what),
            EventError::Stuck { board, table, detail } => message!("desk-stuck", board, table, detail),
            EventError::Ending => message!("desk-ending"),
            EventError::Write(error) => message!("desk-write", error),
        }
    }
}
