//! What stands on the lines of a bundle.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::canonical;
use crate::games::rulesets;
use crate::journal::strict;
use crate::words::Message;

/// The name of the format, in the first line.
pub const FORMAT: &str = "fushi-bundle/3";

/// A kind of line. The order of the variants is the order of the sections in a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// The first line: format, event, game.
    Bundle,
    /// What was announced before play.
    Announcement,
    /// The delayed public value.
    Delayed,
    /// The revealed key of a board set.
    Set,
    /// The revealed key of the AI players.
    AiKey,
    /// The revealed key of the draws.
    DrawKey,
    /// The ruleset in full.
    Ruleset,
    /// Stages, scoring and levels.
    Settings,
    /// An entrant.
    Entrant,
    /// A line of the event's journal.
    Event,
    /// A board at a sitting; its entries follow.
    Journal,
    /// Signed heads of journals.
    Checkpoint,
    /// A result as last published.
    Result,
    /// A line of the standings as last published.
    Standing,
    /// The last line: hashes of all sections, and the signature.
    Manifest,
}

impl Section {
    /// Every section in order.
    pub const ALL: [Section; 15] = [
        Section::Bundle,
        Section::Announcement,
        Section::Delayed,
        Section::Set,
        Section::AiKey,
        Section::DrawKey,
        Section::Ruleset,
        Section::Settings,
        Section::Entrant,
        Section::Event,
        Section::Journal,
        Section::Checkpoint,
        Section::Result,
        Section::Standing,
        Section::Manifest,
    ];

    /// The value of the key `section`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Section::Bundle => "bundle",
            Section::Announcement => "announcement",
            Section::Delayed => "delayed",
            Section::Set => "set",
            Section::AiKey => "ai-key",
            Section::DrawKey => "draw-key",
            Section::Ruleset => "ruleset",
            Section::Settings => "settings",
            Section::Entrant => "entrant",
            Section::Event => "event",
            Section::Journal => "journal",
            Section::Checkpoint => "checkpoint",
            Section::Result => "result",
            Section::Standing => "standing",
            Section::Manifest => "manifest",
        }
    }

    /// The section of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Section> {
        Section::ALL.into_iter().find(|section| section.name() == name)
    }

    /// How many lines (journals, for [`Section::Journal`]) a bundle has at least and at most.
    #[must_use]
    pub const fn count(self) -> (u64, u64) {
        match self {
            Section::Bundle
            | Section::Announcement
            | Section::Delayed
            | Section::Ruleset
            | Section::Settings
            | Section::DrawKey
            | Section::Manifest => (1, 1),
            Section::AiKey => (0, 1),
            Section::Journal | Section::Checkpoint => (0, u64::MAX),
            Section::Set | Section::Entrant | Section::Event | Section::Result | Section::Standing => {
                (1, u64::MAX)
            }
        }
    }
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleLine {
    /// [`FORMAT`].
    pub format: String,
    /// The event's id.
    pub event: String,
    /// The game's name.
    pub game: String,
}

/// The announcement as it was published: its canonical text is the value of `body`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnouncementLine {
    /// The announced object.
    pub body: Map<String, Value>,
    /// SHA-256 of its canonical text.
    pub hash: String,
}

/// The delayed value in its normal form; `null` where none was announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DelayedLine {
    /// The value.
    pub value: Option<String>,
}

/// The ruleset, every field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesetLine {
    /// The fields.
    pub rules: Map<String, Value>,
}

/// A board at a sitting. Its entries follow, one line each; who sits where with which board is said by the order `sit` of
/// the event's journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalLine {
    /// The sitting.
    pub sitting: u32,
    /// When the board was opened at its table, µs since 1970-01-01T00:00:00Z.
    pub opened: i64,
    /// The first entry.
    pub receipt: Map<String, Value>,
    /// The chain after the receipt.
    pub hash: String,
}

/// The head of one board's journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The sitting.
    pub sitting: u32,
    /// Number of lines after the receipt: actions and notes.
    pub entries: u32,
    /// The chain after the last of them.
    pub hash: String,
}

/// The head of the event's journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventHead {
    /// Number of its last line.
    pub seq: u64,
    /// The chain after it.
    pub hash: String,
}

/// Heads of journals at an instant, signed by the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Counted from 1.
    pub number: u32,
    /// The event.
    pub event: String,
    /// When, µs since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// SHA-256 of the signed text of the checkpoint before; zeros for the first.
    pub prev: String,
    /// The head of the event's journal.
    pub journal: EventHead,
    /// The heads of boards' journals.
    pub heads: Vec<Head>,
}

/// A line with a signature over the canonical text of everything else in it but `section`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signed<T> {
    /// What is signed.
    pub body: T,
    /// The ed25519 signature, 128 hexadecimal digits.
    pub signature: String,
}

/// The state of published results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultState {
    /// May still change without a trace of its own.
    Provisional,
    /// Posted with an instant, the correction period runs.
    Official,
    /// Closed; a later change is a revision.
    Final,
}

impl ResultState {
    /// The word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            ResultState::Provisional => "provisional",
            ResultState::Official => "official",
            ResultState::Final => "final",
        }
    }
}

/// A line that differs from the revision before: a result (with its board) or a standing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The entrant.
    pub entrant: String,
    /// The board of a result; `null` for a line of the standings.
    pub board: Option<u32>,
    /// The line before; `null` if it is new.
    pub before: Option<Value>,
    /// The line now; `null` if it is gone.
    pub after: Option<Value>,
}

/// A publication of the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revision {
    /// Counted from 1.
    pub number: u32,
    /// The event.
    pub event: String,
    /// When, µs since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// The state of the results.
    pub state: ResultState,
    /// How many rulings had been made.
    pub rulings: u32,
    /// SHA-256 over the canonical result lines, each with its line feed.
    pub results: String,
    /// SHA-256 over the canonical lines of the standings, each with its line feed.
    pub standings: String,
    /// What differs from the revision before.
    pub changes: Vec<Change>,
}

/// One section in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionSum {
    /// Its name.
    pub name: String,
    /// Its lines.
    pub lines: u64,
    /// SHA-256 over them, each with its line feed.
    pub sha256: String,
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Every section that the bundle has, in order, but the manifest.
    pub sections: Vec<SectionSum>,
}

/// Why the text of a line is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextFault {
    /// Not a JSON object, a repeated key.
    NotJson(strict::NoObject),
    /// Right, but not in canonical form.
    NotCanonical,
    /// No or an unknown `section`.
    NoSection,
    /// Missing, unknown or wrong fields.
    Fields(Message),
}

/// The canonical text of a line, without its line feed.
#[must_use]
pub fn write_line<T: Serialize>(section: Section, body: &T) -> String {
    canonical::section_line(section.name(), body)
}

/// Reads a line that must be canonical: its section and its object without that key.
///
/// # Errors
/// What is wrong with the text.
pub fn read_line(text: &str) -> Result<(Section, Map<String, Value>), TextFault> {
    let object = strict::object(text).map_err(TextFault::NotJson)?;
    let value = Value::Object(object);
    if canonical::of_value(&value).ok().as_deref() != Some(text) {
        return Err(TextFault::NotCanonical);
    }
    let Value::Object(mut object) = value else { return Err(TextFault::NoSection) };
    let section = object.shift_remove("section");
    match section.as_ref().and_then(Value::as_str).and_then(Section::named) {
        Some(section) => Ok((section, object)),
        None => Err(TextFault::NoSection),
    }
}

/// Reads the fields of a line.
///
/// # Errors
/// Missing, unknown or wrong fields.
pub fn read_fields<T: DeserializeOwned>(object: Map<String, Value>) -> Result<T, TextFault> {
    serde_json::from_value(Value::Object(object))
        .map_err(|error| TextFault::Fields(rulesets::told_by_library(&strict::short(&error.to_string()))))
}

/// The text that a signature of a [`Signed`] line is over.
#[must_use]
pub fn signed_text<T: Serialize>(body: &T) -> String {
    canonical::to_string(body).unwrap_or_default()
}
