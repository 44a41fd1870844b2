//! Journal entries, their canonical bytes and the chain.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::canonical::Hash;
use crate::games::{Game, Seat};

/// Who made a line of a journal, when it was not the player who acted for the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The clock: a time-out.
    Clock,
    /// A referee.
    Referee,
    /// The dealer; notes only.
    Dealer,
    /// The server; notes only.
    Server,
    /// The player; notes only, since an action without `by` is the player's.
    Player,
}

impl By {
    /// Everybody who makes lines.
    pub const ALL: [By; 5] = [By::Clock, By::Referee, By::Dealer, By::Server, By::Player];

    /// The word in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            By::Clock => "clock",
            By::Referee => "referee",
            By::Dealer => "dealer",
            By::Server => "server",
            By::Player => "player",
        }
    }

    /// Whether an action may carry the word: only the clock and a referee act for a seat.
    #[must_use]
    pub const fn acts(self) -> bool {
        matches!(self, By::Clock | By::Referee)
    }

    /// Whom a word names.
    #[must_use]
    pub fn named(word: &str) -> Option<By> {
        By::ALL.into_iter().find(|by| by.word() == word)
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
    /// Who acted for the seat; `None` for the player. Only [`By::Clock`] and [`By::Referee`] do ([`By::acts`]);
    /// anybody else is not written.
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
    if let Some(by) = entry.by.filter(|by| by.acts()) {
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
    link_parts(prev, bytes, &[])
}

/// As [`link`], for bytes in two parts.
#[must_use]
pub(super) fn link_parts(prev: &Hash, before: &[u8], behind: &[u8]) -> Hash {
    // An entry fits here, and one piece is hashed faster than three.
    let mut whole = [0; 192];
    let length = prev.len() + before.len() + behind.len();
    if let Some((first, rest)) = whole.split_at_mut_checked(prev.len())
        && let Some((second, rest)) = rest.split_at_mut_checked(before.len())
        && let Some(third) = rest.get_mut(..behind.len())
    {
        first.copy_from_slice(prev);
        second.copy_from_slice(before);
        third.copy_from_slice(behind);
        return Sha256::digest(whole.get(..length).unwrap_or_default()).into();
    }
    let mut sha = Sha256::new();
    sha.update(prev);
    sha.update(before);
    sha.update(behind);
    sha.finalize().into()
}

/// The rules a header names: shipped by name, or a shipped base with single fields replaced.
#[derive(Clone, Debug, PartialEq)]
pub enum RulesRef {
    /// `"ruleset": NAME`.
    Named(String),
    /// `"rules": {"base": NAME, …}`.
    Overridden(serde_json::Map<String, serde_json::Value>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_the_hash_of_everything_in_one_piece_however_it_is_cut() {
        let bytes: Vec<u8> = (0..=255).cycle().take(400).collect();
        let prev = crate::canonical::sha256(b"before");
        for length in [0, 1, 30, 31, 32, 100, 159, 160, 161, 192, 400] {
            let mut whole = prev.to_vec();
            whole.extend(&bytes[..length]);
            let expected = crate::canonical::sha256(&whole);
            for cut in [0, length / 3, length] {
                assert_eq!(link_parts(&prev, &bytes[..cut], &bytes[cut..length]), expected);
            }
            assert_eq!(link(&prev, &bytes[..length]), expected);
        }
    }
}
