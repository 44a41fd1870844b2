//! What organizers and referees do, as a library: an event from its announcement to its publication.
//!
//! Architecture invariants: the desk names no database and no HTTP; it
//! never shows a hidden hand, never changes a result without a trace, never ranks on rounded numbers, and never keeps
//! a key in the clear.

pub mod accounts;
pub mod demo;
pub mod draft;
pub mod effects;
pub mod entries;
pub mod export;
pub mod finish;
pub mod groups;
pub mod looks;
pub mod network;
pub mod opening;
pub mod outlook;
pub mod pace;
pub mod people;
pub mod publishing;
pub mod rights;
pub mod rulings;
pub mod slow;
pub mod stage;
pub mod stages;
pub mod warnings;
