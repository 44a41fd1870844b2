//! Playing over the network: the sample AI client, which is also the load tool and a critic of the server.
//!
//! It speaks protocol v1 (`docs/protocol.md`) and knows of a board what any client may know: views as JSON, never a
//! state. Every message is checked against the rules and against the messages before it; what does not fit is a
//! violation and is counted, never repaired.
//!
//! - [`message`]: the messages
//! - `board`: one board from one seat: views read back, lists of legal actions, scores
//! - `session`: one player: numbers of events, commands and their answers, without any socket or clock
//! - [`run`]: sockets, time and chance around it
//! - [`tally`]: what happened
//!
//! Architecture invariant: nothing in here knows a table, a journal or a deal.

mod board;
mod in_play;
mod known;
pub mod message;
pub mod run;
mod session;
pub mod tally;

pub use run::{Settings, play};
pub use tally::{Report, Tally};
