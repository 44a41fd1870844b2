//! Where a table makes its lines durable.

use super::answer::{Answered, CommandId};
use crate::desk::archive::{EntryRow, PlayId};
use crate::games::Seat;

/// A command's answer, kept with the lines it made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The board at a table.
    pub play: PlayId,
    /// Who asked.
    pub seat: Seat,
    /// The client's id.
    pub id: CommandId,
    /// µs since the board opened.
    pub at_us: i64,
    /// The action as written, so that a referee sees what was tried.
    pub text: String,
    /// The answer.
    pub answered: Answered,
}

/// What is to become durable in one piece: all of it or nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Write {
    /// Journal lines in order.
    pub rows: Vec<EntryRow>,
    /// The answer to the command that made them.
    pub given: Option<Given>,
}

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// Too much is waiting.
    #[error("the database is busy")]
    Busy,
    /// Another server has written the line, or the database is damaged: this table must not go on.
    #[error("{0}")]
    Lost(String),
    /// Anything else: full, slow, away. It may work later.
    #[error("{0}")]
    Failed(String),
}

/// Called once, from any thread, when the write is durable or has failed.
pub type Done = Box<dyn FnOnce(Result<(), LedgerError>) + Send>;

/// A keeper of live journals.
pub trait Ledger: Send + Sync {
    /// Queues a write and never blocks. `done` is called after it is durable; on an error here it is not called.
    ///
    /// # Errors
    /// [`LedgerError::Busy`] when the queue is full.
    fn write(&self, write: Write, done: Done) -> Result<(), LedgerError>;
    /// Every answer that was given at a board at a table.
    ///
    /// # Errors
    /// Those of the database.
    fn answers(&self, play: PlayId) -> Result<Vec<Given>, LedgerError>;
}
