//! What can go wrong in this room. No error repeats a key or anything that might be one.

use std::fmt;

use crate::words::{Lang, Message, say};

/// Why something about a deal is refused. [`DealError::code`] is stable; the sentence is in Fluent files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the fields are the variables of the sentence
pub enum DealError {
    /// Not 64 lower-case hexadecimal digits.
    NotHex { what: &'static str, length: usize },
    /// Not an identifier.
    BadId { what: &'static str },
    /// A practice seed that is blank or too long.
    BadSeed,
    /// Not the JSON of an announcement.
    NotAnAnnouncement { detail: String },
    /// Valid, but not in its canonical text.
    NotCanonical,
    /// Another scheme than `fushi-deal/1`.
    WrongScheme { found: String },
    /// A field of the announcement that cannot stand.
    BadField { field: &'static str },
    /// No board set, or more than 10,000.
    NoSets,
    /// A set is named twice.
    SetTwice { set: String },
    /// A set whose range is empty or begins with board 0.
    BadRange { set: String },
    /// The delayed value would be known when the announcement is published.
    DelayedTooEarly,
    /// The announcement has no such set.
    UnknownSet { set: String },
    /// The set has no board with this number.
    BoardOutsideSet { set: String, board: u32, first: u32, last: u32 },
    /// A delayed value is announced and not given.
    DelayedMissing,
    /// A delayed value is given and none was announced.
    DelayedUnannounced,
    /// A delayed value without a character.
    DelayedEmpty,
    /// A delayed value that is too long.
    DelayedLong { longest: usize },
    /// A delayed value of another length than announced.
    DelayedLength { found: usize, wanted: u32 },
    /// A character that the form of the delayed value does not have.
    DelayedCharacter { form: &'static str, character: char },
    /// Set key, salt or proof do not lead to the announced root.
    WrongKey { set: String },
    /// The AI key is not the announced one.
    WrongAiKey,
    /// The announcement commits to no key of draws.
    NoDraw,
    /// The key of the draws is not the announced one.
    WrongDrawKey,
    /// The master key is not that of the announcement.
    WrongMaster,
    /// A reserve set without a logged reason.
    NoReason { set: String },
    /// A reason for using a set that is no reserve.
    NotAReserve { set: String },
    /// A seed with too few or too many streams for its pack.
    SeedWidth { given: u64, wanted: u64, order: u64 },
    /// A passphrase that is too short or too long.
    WeakPassphrase,
    /// A key file that does not have 32 bytes.
    BadKeyFile { found: usize },
    /// The text of a sealed key is damaged or its parameters are out of bounds.
    BadSealedKey,
    /// A sealed key of another format version.
    SealedFormat { found: String },
    /// A sealed key of another event.
    WrongEvent { found: String },
    /// A passphrase where a key file is needed, or the other way round.
    OtherSecret { passphrase: bool },
    /// Wrong passphrase or key file, or the sealed key was changed.
    WrongSecret,
    /// The operating system has no randomness to give.
    NoRandomness,
}

impl DealError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        use DealError as E;
        match self {
            E::NotHex { .. } => "bad_hex",
            E::BadId { .. } => "bad_id",
            E::BadSeed => "bad_seed",
            E::NotAnAnnouncement { .. }
            | E::WrongScheme { .. }
            | E::BadField { .. }
            | E::NoSets
            | E::SetTwice { .. }
            | E::BadRange { .. }
            | E::DelayedTooEarly => "bad_announcement",
            E::NotCanonical => "not_canonical",
            E::UnknownSet { .. } => "unknown_set",
            E::BoardOutsideSet { .. } => "board_outside_set",
            E::DelayedMissing => "delayed_missing",
            E::DelayedUnannounced => "delayed_unannounced",
            E::DelayedEmpty
            | E::DelayedLong { .. }
            | E::DelayedLength { .. }
            | E::DelayedCharacter { .. } => "bad_delayed",
            E::WrongKey { .. } => "wrong_key",
            E::WrongAiKey => "wrong_ai_key",
            E::NoDraw => "no_draw",
            E::WrongDrawKey => "wrong_draw_key",
            E::WrongMaster => "wrong_master",
            E::NoReason { .. } => "no_reason",
            E::NotAReserve { .. } => "not_a_reserve",
            E::SeedWidth { .. } => "seed_width",
            E::WeakPassphrase => "weak_passphrase",
            E::BadKeyFile { .. } => "bad_key_file",
            E::BadSealedKey | E::SealedFormat { .. } => "bad_sealed_key",
            E::WrongEvent { .. } => "wrong_event",
            E::OtherSecret { .. } | E::WrongSecret => "wrong_secret",
            E::NoRandomness => "no_randomness",
        }
    }

    /// The sentence for people.
    #[must_use]
    pub fn message(&self) -> Message {
        use DealError as E;
        let plain = Message::plain;
        match self {
            E::NotHex { what, length } => plain("dealing-not-hex").with("what", what).with("length", length),
            E::BadId { what } => plain("dealing-bad-id").with("what", what),
            E::BadSeed => plain("dealing-bad-seed"),
            E::NotAnAnnouncement { detail } => plain("dealing-not-an-announcement").with("detail", detail),
            E::NotCanonical => plain("dealing-not-canonical"),
            E::WrongScheme { found } => plain("dealing-wrong-scheme").with("found", found),
            E::BadField { field } => plain("dealing-bad-field").with("field", field),
            E::NoSets => plain("dealing-no-sets"),
            E::SetTwice { set } => plain("dealing-set-twice").with("set", set),
            E::BadRange { set } => plain("dealing-bad-range").with("set", set),
            E::DelayedTooEarly => plain("dealing-delayed-too-early"),
            E::UnknownSet { set } => plain("dealing-unknown-set").with("set", set),
            E::BoardOutsideSet { set, board, first, last } => plain("dealing-board-outside-set")
                .with("set", set)
                .with("board", board)
                .with("first", first)
                .with("last", last),
            E::DelayedMissing => plain("dealing-delayed-missing"),
            E::DelayedUnannounced => plain("dealing-delayed-unannounced"),
            E::DelayedEmpty => plain("dealing-delayed-empty"),
            E::DelayedLong { longest } => plain("dealing-delayed-long").with("longest", longest),
            E::DelayedLength { found, wanted } => {
                plain("dealing-delayed-length").with("found", found).with("wanted", wanted)
            }
            E::DelayedCharacter { form, character } => plain("dealing-delayed-character")
                .with("form", form)
                .with("character", character.escape_debug()),
            E::WrongKey { set } => plain("dealing-wrong-key").with("set", set),
            E::WrongAiKey => plain("dealing-wrong-ai-key"),
            E::NoDraw => plain("dealing-no-draw"),
            E::WrongDrawKey => plain("dealing-wrong-draw-key"),
            E::WrongMaster => plain("dealing-wrong-master"),
            E::NoReason { set } => plain("dealing-no-reason").with("set", set),
            E::NotAReserve { set } => plain("dealing-not-a-reserve").with("set", set),
            E::SeedWidth { given, wanted, order } => {
                plain("dealing-seed-width").with("given", given).with("wanted", wanted).with("order", order)
            }
            E::WeakPassphrase => plain("dealing-weak-passphrase"),
            E::BadKeyFile { found } => plain("dealing-bad-key-file").with("found", found),
            E::BadSealedKey => plain("dealing-bad-sealed-key"),
            E::SealedFormat { found } => plain("dealing-sealed-format").with("found", found),
            E::WrongEvent { found } => plain("dealing-wrong-event").with("found", found),
            E::OtherSecret { passphrase: true } => plain("dealing-wants-passphrase"),
            E::OtherSecret { passphrase: false } => plain("dealing-wants-key-file"),
            E::WrongSecret => plain("dealing-wrong-secret"),
            E::NoRandomness => plain("dealing-no-randomness"),
        }
    }
}

impl fmt::Display for DealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&say(Lang::En, &self.message()))
    }
}

impl std::error::Error for DealError {}
