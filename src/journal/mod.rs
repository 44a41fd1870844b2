//! What happened at a table, so that it can be proved: entries, their hash chain, records, replay.
//!
//! A board's journal begins with the *receipt* (board, ruleset, settings, SHA-256 of the deal) and holds one entry
//! for every accepted action. Each entry is chained to the one before: `hash = SHA-256(prev ‖ canonical bytes)`,
//! the receipt to 32 zero bytes. Canonical bytes are canonical JSON ([`crate::canonical`]) of the entry without its
//! hash, with the action in its normal form; so the same play has the same chain however it was typed.
//!
//! A receipt or a chain hash must not reach a player before the board is finished at every table: late in a board
//! the cards not yet seen are few enough to be found by trying deals against the hash.

pub mod bundle;
pub mod entry;
pub mod header;
pub mod measure;
pub mod phh;
pub mod record;
pub mod replay;
pub mod revision;
pub mod ruling;
mod scan;
pub mod sign;
mod strict;
pub mod tally;
pub mod verify;

pub use entry::{Board, By, Entry};
pub use header::Header;

/// Reads the canonical bytes of an entry, as they are kept.
///
/// # Errors
/// Not an entry in canonical form, one line.
pub fn scan_entry<G: crate::games::Game>(bytes: &str) -> Result<Entry<G::Action>, String> {
    match scan::scan(bytes) {
        Some(scanned) if scanned.hash.is_none() => scan::read::<G>(&scanned),
        _ => Err("it is not in canonical form".to_owned()),
    }
}
