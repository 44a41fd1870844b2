//! Journal entries, their canonical bytes and the chain; a board in play with its chain.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Header;
use crate::canonical::Hash;
use crate::games::{Game, Seat};

/// Who made an entry, when it was not the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The clock: a time-out.
    Clock,
    /// A referee.
    Referee,
}

impl By {
    /// The word in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            By::Clock => "clock",
            By::Referee => "referee",
        }
    }
}

/// One accepted action in a board's journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<A> {
    /// The seat that acted.
    pub seat: Seat,
    /// What it did.
    pub action: A,
    /// Microseconds since the board opened at this table; `None` where no clock ran.
    pub at: Option<u64>,
    /// Who acted for the seat; `None` for the player.
    pub by: Option<By>,
}

impl<A> Entry<A> {
    /// An entry by the player without a time.
    pub const fn new(seat: Seat, action: A) -> Entry<A> {
        Entry { seat, action, at: None, by: None }
    }
}

/// The canonical bytes of an entry: sorted keys, no blanks. Appends to `bytes`.
///
/// Actions and seat names consist of letters, digits, blanks, `-` and `?`, so nothing needs escaping.
pub fn write_canonical<G: Game>(entry: &Entry<G::Action>, bytes: &mut String) {
    let text = G::write_action(&entry.action);
    bytes.push('{');
    // Writing into a String cannot fail.
    if let Some(after) = text.after {
        let _ = write!(bytes, "\"after\":{after},");
    }
    if let Some(at) = entry.at {
        let _ = write!(bytes, "\"at\":{at},");
    }
    if let Some(by) = entry.by {
        let _ = write!(bytes, "\"by\":\"{}\",", by.word());
    }
    let _ = write!(
        bytes,
        "\"do\":\"{}\",\"seat\":\"{}\"}}",
        text.text,
        G::seat_name(entry.seat).unwrap_or_default()
    );
}

/// The next hash of a chain: `SHA-256(prev ‖ bytes)`.
#[must_use]
pub fn link(prev: &Hash, bytes: &[u8]) -> Hash {
    let mut sha = Sha256::new();
    sha.update(prev);
    sha.update(bytes);
    sha.finalize().into()
}

/// A board in play: the state of the game, the hash chain up to it, the number of entries.
#[derive(Clone, Debug)]
pub struct Board<G: Game> {
    state: G::State,
    chain: Hash,
    entries: u32,
    scratch: String,
}

impl<G: Game> Board<G> {
    /// The board at its opening; the chain holds the receipt.
    #[must_use]
    pub fn open(header: &Header<G>) -> Board<G> {
        let receipt = header.receipt();
        Board {
            state: G::open(&header.rules, &header.start),
            chain: link(&[0; 32], receipt.as_bytes()),
            entries: 0,
            scratch: String::new(),
        }
    }

    /// The state of the game.
    pub const fn state(&self) -> &G::State {
        &self.state
    }

    /// The hash of the last entry.
    pub const fn chain(&self) -> &Hash {
        &self.chain
    }

    /// The canonical bytes of the last entry; empty after the receipt.
    pub fn last_bytes(&self) -> &str {
        &self.scratch
    }

    /// Gives up the chain and keeps the state.
    pub fn into_state(self) -> G::State {
        self.state
    }

    /// How many actions have been accepted.
    pub const fn entries(&self) -> u32 {
        self.entries
    }

    /// Checks and carries out an action; on refusal nothing changes. Returns the hash of the new entry.
    ///
    /// # Errors
    /// The game's reason.
    pub fn play(&mut self, entry: &Entry<G::Action>) -> Result<Hash, G::Illegal> {
        let effect = G::check(&self.state, entry.seat, &entry.action)?;
        G::apply(&mut self.state, effect);
        self.scratch.clear();
        write_canonical::<G>(entry, &mut self.scratch);
        self.chain = link(&self.chain, self.scratch.as_bytes());
        self.entries += 1;
        Ok(self.chain)
    }

    /// Lets the dealer take every step that is due and that no seat decides.
    pub fn advance(&mut self) -> bool {
        match G::advance(&self.state) {
            Some(effect) => {
                G::apply(&mut self.state, effect);
                true
            }
            None => false,
        }
    }
}

/// The rules a header names: shipped by name, or a shipped base with single fields replaced.
#[derive(Clone, Debug, PartialEq)]
pub enum RulesRef {
    /// `"ruleset": NAME`.
    Named(String),
    /// `"rules": {"base": NAME, …}`.
    Overridden(serde_json::Map<String, serde_json::Value>),
}
