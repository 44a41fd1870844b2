//! Journal entries, their canonical bytes and the chain.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

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

/// The rules a header names: shipped by name, or a shipped base with single fields replaced.
#[derive(Clone, Debug, PartialEq)]
pub enum RulesRef {
    /// `"ruleset": NAME`.
    Named(String),
    /// `"rules": {"base": NAME, …}`.
    Overridden(serde_json::Map<String, serde_json::Value>),
}
