//! The bundle: one text file that proves a whole event to anybody, offline.
//!
//! JSON Lines in canonical form, section after section in a fixed order, closed by a manifest with the hash of every
//! section and the server's signature. `docs/journal.md` describes it exactly enough to be written again. A bundle
//! holds no secret: it is made after the last board, from revealed keys.

pub mod lines;
pub mod model;
mod write;

pub use model::{
    Change, Checkpoint, EventHead, FORMAT, Head, JournalLine, ResultState, Revision, Section, Signed,
};
pub use write::{BundleWriter, entry_line};
