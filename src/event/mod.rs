//! One event: what was decided about it, its deals, its results, and the ports through which it is kept.
//!
//! Architecture invariants: an event names no database (the store implements [`archive::Archive`]), no HTTP and no wall
//! clock; it never changes a result without a trace and never keeps a key in the clear.

pub mod answer;
pub mod archive;
pub mod called;
mod error;
pub mod ledger;
pub mod live;
pub mod log;
pub mod model;
pub mod results;
pub mod schedule;
mod state;

pub use error::EventError;
pub use model::{Dealer, Event, EventParts};
pub use state::EventState;
