//! What can go wrong at the desk, one line each.

use super::archive::ArchiveError;
use crate::dealing::DealError;
use crate::journal::ruling::RulingFault;
use crate::journal::tally::TallyFault;

/// Why the desk refuses or fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeskError {
    /// A setting that cannot be: sizes, levels, formats.
    #[error("{0}")]
    Setting(String),
    /// Keys, announcement, reveal.
    #[error("{0}")]
    Deal(#[from] DealError),
    /// The archive.
    #[error("{0}")]
    Archive(#[from] ArchiveError),
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
    /// The bundle cannot be written.
    #[error("cannot write the bundle: {0}")]
    Write(String),
}
