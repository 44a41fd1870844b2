//! What organizers and referees do, as a library: an event from its announcement to its publication.
//!
//! Architecture invariants: the desk names no database (the store implements [`archive::Archive`]) and no HTTP; it
//! never shows a hidden hand, never changes a result without a trace, never ranks on rounded numbers, and never keeps
//! a key in the clear.

pub mod accounts;
pub mod archive;
pub mod called;
pub mod demo;
pub mod draft;
pub mod effects;
pub mod entries;
mod error;
pub mod event;
pub mod export;
pub mod live;
pub mod looks;
pub mod network;
pub mod opening;
pub mod outline;
pub mod outlook;
pub mod pace;
pub mod people;
pub mod results;
pub mod rights;
pub mod slow;
pub mod stage;
pub mod warnings;

pub use error::DeskError;
pub use event::{Dealer, Event};
