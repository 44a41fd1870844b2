//! Live tables: boards that people and programs play against the clock.
//!
//! [`Table`] is the state machine of one board at one table: inputs with the time of the table's own clock go in,
//! orders come out; it does no I/O and knows no wall clock. [`task`] gives it a clock, a ledger and connections. A
//! [`hall`] holds the tables of one event and decides which board opens when.
//!
//! Architecture invariants: nothing is acknowledged or shown before it is durable; a refused action changes nothing;
//! the same command gets the same answer for ever; every time in a journal is the table's own (µs since the board
//! opened, the server's downtime left out), so a wall clock may jump as it likes; no chain hash, receipt or hidden
//! card is in any message; every queue has an end.

mod clock;
pub mod game;
pub mod hall;
pub mod halls;
pub(crate) mod limit;
pub mod message;
pub mod story;
mod table;
pub mod task;

pub use crate::event::answer::{Answer, Answered, CommandId, Refused};
pub use clock::Clock;
pub use table::{
    CALL, CALLS_MAX, Called, Input, Order, REFUSALS_KEPT, Reply, SeatController, Shown, Table, TableSettings,
};
