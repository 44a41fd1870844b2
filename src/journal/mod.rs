//! What happened at a table, so that it can be proved: entries, their hash chain, records, replay.
//!
//! A board's journal begins with the *receipt* (board, ruleset, settings, SHA-256 of the deal) and holds one entry
//! for every accepted action, and *notes* between them for what else happened: the clock stopped, time was given, the
//! dealer took a step, the board was ended. Each entry is chained to the one before: `hash = SHA-256(prev ‖ canonical bytes)`,
//! the receipt to 32 zero bytes. Canonical bytes are canonical JSON ([`crate::canonical`]) of the entry without its
//! hash, with the action in its normal form; so the same play has the same chain however it was typed. What happens to a
//! whole event has a journal of its own ([`event`]).
//!
//! A receipt or a chain hash must not reach a player before the board is finished at every table: late in a board
//! the cards not yet seen are few enough to be found by trying deals against the hash.

pub mod board;
pub mod bundle;
pub mod control;
pub mod desk_fact;
pub mod entry;
pub mod event;
mod finished;
pub mod header;
pub mod hold;
pub mod measure;
mod pace;
pub mod phh;
pub mod record;
pub mod replay;
pub mod revision;
mod scan;
pub mod sign;
pub(crate) mod strict;
pub mod verify;

pub use board::Board;
pub use control::{ControlEntry, ControlKind, ControlRefused, Line};
pub use desk_fact::{Desk, DeskFact, DeskRefused, Ended, Warned, words_hash};
pub use entry::{By, Entry};
pub use event::{Author, ChainedLine, EventFact, EventFault, EventJournal, EventLine, Lots};
pub use finished::finished;
pub use header::Header;
pub use hold::{Hold, Holds};

use crate::games::Game;
use crate::words::{Lang, say};
use scan::What;

/// Reads the canonical bytes of an action, as they are kept.
///
/// # Errors
/// Not an action in canonical form, one line.
pub fn scan_entry<G: Game>(bytes: &str) -> Result<Entry<G::Action>, String> {
    match scan_line::<G>(bytes)? {
        Line::Action(entry) => Ok(entry),
        Line::Control(_) => Err("it is a note, not an action".to_owned()),
    }
}

/// Reads the canonical bytes of a line of a journal after its receipt, as they are kept: an action or a note.
///
/// # Errors
/// Not a line in canonical form, one line.
pub fn scan_line<G: Game>(bytes: &str) -> Result<Line<G::Action>, String> {
    match scan::scan(bytes) {
        Some(scanned) if scanned.hash.is_none() => match &scanned.what {
            What::Action(parts) => scan::read::<G>(parts).map(Line::Action),
            What::Control(fields) => control::read::<G>(fields).map(Line::Control),
        }
        .map_err(|message| say(Lang::En, &message)),
        _ => Err("it is not in canonical form".to_owned()),
    }
}
