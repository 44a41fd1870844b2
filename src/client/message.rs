//! The messages of protocol v1 as a client writes and reads them.
//!
//! Reading is strict: an unknown message, an unknown field or a missing one is an error of the server.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the protocol.
pub const VERSION: u32 = 1;
/// How many legal actions the server lists at most.
pub const LEGAL_MAX: usize = 200;

/// The last event that a client has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct From {
    /// The board at a table.
    pub play: u64,
    /// The number of the event.
    pub n: u64,
}

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToServer {
    /// The first message.
    Join {
        /// The version of the protocol.
        v: u32,
        /// Who this is.
        token: String,
        /// What has been seen before.
        #[serde(skip_serializing_if = "Option::is_none")]
        from: Option<From>,
    },
    /// An action.
    Act {
        /// The client's own id, the same when it is sent again.
        id: String,
        /// The board at a table.
        play: u64,
        /// The action as records write it.
        #[serde(rename = "do")]
        action: String,
        /// How many cards were drawn, where the game wants it.
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<u32>,
    },
    /// Ready for the next board.
    Ready {
        /// The client's own id.
        id: String,
    },
    /// Are you there?
    Ping {
        /// Comes back.
        t: u64,
    },
}

/// How many messages a player may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Per second, on average.
    pub per_second: u32,
    /// At once, after a quiet time.
    pub at_once: u32,
}

/// What the server says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
#[allow(missing_docs)] // docs/protocol.md explains every field
pub enum FromServer {
    Welcome {
        v: u32,
        server: String,
        event: EventName,
        entrant: EntrantName,
        role: String,
        resumed: bool,
        limits: Option<Limits>,
        #[serde(default)]
        #[allow(dead_code, reason = "the sample client counts boards itself")]
        boards: Vec<OwnBoard>,
    },
    Seated(Box<Seated>),
    Snapshot(Box<Snapshot>),
    Event(Box<Event>),
    Accepted {
        id: String,
        play: Option<u64>,
        n: Option<u64>,
    },
    Refused {
        id: String,
        code: String,
        message: String,
    },
    Legal {
        play: u64,
        n: u64,
        legal: Vec<String>,
        cut: bool,
    },
    Checked {
        #[allow(dead_code, reason = "the sample client decides legality itself")]
        play: u64,
        #[allow(dead_code, reason = "as above")]
        n: u64,
        #[serde(rename = "do")]
        #[allow(dead_code, reason = "as above")]
        action: String,
        #[allow(dead_code, reason = "as above")]
        after: Option<u32>,
        #[allow(dead_code, reason = "as above")]
        code: Option<String>,
        #[allow(dead_code, reason = "as above")]
        message: Option<String>,
    },
    Presence {
        play: u64,
        seat: String,
        connected: bool,
    },
    Finished {
        play: u64,
        n: u64,
        scores: Option<Map<String, Value>>,
        unfinished: bool,
    },
    Waiting {
        #[serde(rename = "for")]
        what: WaitingFor,
        round: Option<u64>,
        #[allow(dead_code, reason = "`seated` names the board")]
        board: Option<String>,
    },
    Paused {
        play: u64,
        paused: bool,
    },
    Warned {
        #[allow(dead_code, reason = "the sample client has no manners to mend")]
        code: String,
        #[allow(dead_code, reason = "as above")]
        reason: String,
        #[allow(dead_code, reason = "as above")]
        count: u32,
    },
    Called {
        #[allow(dead_code, reason = "the sample client never calls the referee")]
        play: u64,
        n: u64,
        #[allow(dead_code, reason = "as above")]
        state: CallState,
    },
    Replaced {},
    Error {
        code: String,
        message: String,
    },
    Pong {
        t: u64,
    },
}

/// The event of a welcome.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EventName {
    pub id: String,
    pub title: String,
    pub game: String,
}

/// The entrant of a welcome.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EntrantName {
    pub id: String,
    pub name: String,
}

/// A board begins, or this connection comes to it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Seated {
    pub play: u64,
    pub board: String,
    pub round: u64,
    pub table: u64,
    pub seat: String,
    pub seats: Map<String, Value>,
    pub rules: Value,
    pub ruleset: String,
}

/// The board as it is.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Snapshot {
    pub play: u64,
    pub n: u64,
    #[serde(default)]
    pub past: Vec<PastLine>,
    pub view: Value,
    pub clock: Clock,
    #[allow(dead_code, reason = "for pages; a view tells a program")]
    pub ahead: Option<String>,
    pub legal: Option<Vec<String>>,
    #[serde(default)]
    pub cut: bool,
}

/// A line of the journal as this viewer may see it, and the board after it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Event {
    pub play: u64,
    pub n: u64,
    pub what: What,
    #[serde(default)]
    pub revealed: Vec<PastLine>,
    pub view: Value,
    pub clock: Clock,
    #[allow(dead_code, reason = "for pages; a view tells a program")]
    pub ahead: Option<String>,
    pub legal: Option<Vec<String>>,
    #[serde(default)]
    pub cut: bool,
}

/// A board that this player has finished.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, dead_code, reason = "docs/protocol.md explains every field; the form is checked")]
pub struct OwnBoard {
    pub play: u64,
    pub board: String,
    pub round: u64,
    pub seat: String,
    pub score: Option<i64>,
}

/// An earlier line of the journal as this viewer may see it now.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PastLine {
    pub n: u64,
    pub what: What,
}

/// What an event says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum What {
    Action {
        seat: String,
        #[serde(rename = "do")]
        action: String,
        after: Option<u32>,
        by: Option<String>,
    },
    Hidden {
        seat: String,
    },
    Note {
        note: String,
        seat: Option<String>,
        ms: Option<u64>,
        by: String,
    },
}

/// The clock: milliseconds left for every seat that must decide.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Clock {
    pub running: bool,
    pub elapsed_ms: u64,
    pub seats: Map<String, Value>,
    pub slow_ms: Option<u64>,
}

/// What a connection without a board waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum WaitingFor {
    Start,
    Round,
    Ready,
    Referee,
    End,
}

/// What has become of a call of the referee; it only goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum CallState {
    Sent,
    Seen,
    Done,
}

/// Refusals that a client which plays by the rules can meet: somebody else was quicker, the clock ran out, the board
/// was stopped or the server is busy.
pub const RACES: &[&str] = &[
    "not_your_turn",
    "wrong_phase",
    "already_chosen",
    "call_too_low",
    "own_call",
    "unsuitable",
    "no_play",
    "over",
    "stopped",
    "busy",
    "try_again",
];

/// Who has missed more events of a board than this is sent its snapshot in their place.
pub const RESUME_MAX: u64 = 256;

/// Errors after which a client comes back by itself.
pub const PASSING: &[&str] = &["not_open", "too_fast", "late", "try_again"];

/// Reads a message.
///
/// # Errors
/// What does not fit the protocol, in one line.
pub fn read(text: &str) -> Result<FromServer, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Writes a message.
#[must_use]
pub fn write(message: &ToServer) -> String {
    // Texts and integers always have a JSON form.
    serde_json::to_string(message).unwrap_or_default()
}
