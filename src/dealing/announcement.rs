//! The announcement: everything that is fixed before anyone plays, as canonical JSON under one hash.
//!
//! An [`Announcement`] is always valid and never changes: it is made once from a [`Draft`] and the master key, or
//! read back from its text.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;

use super::keys::{ai_commitment, draw_commitment};
use super::{
    DealError, DelayedSpec, DelayedValue, MasterKey, SCHEME, Salt, SetDealer, SetKey, hex32, merkle,
};
use crate::canonical::{self, Hash};
use crate::cards::Pack;
use crate::words;

/// The most sets an event may announce.
const MOST_SETS: usize = 10_000;
/// The most AI levels an event may announce.
const MOST_LEVELS: usize = 100;
/// The longest text of an announcement that is read, in bytes.
const LONGEST: usize = 8 << 20;

/// What a set of boards is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Played as planned.
    Original,
    /// Kept back; used only with a logged reason ([`super::ReserveUse`]).
    Reserve,
}

/// A board set: boards `first` to `last`, dealt with one key and revealed together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetLine {
    /// 1 to 64 of `A`–`Z a`–`z 0`–`9 . _ -`, different for every set.
    pub id: String,
    /// The first board number, from 1.
    pub first: u32,
    /// The last board number.
    pub last: u32,
    /// Original or reserve.
    pub purpose: Purpose,
}

/// The ruleset of the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesetLine {
    /// Its name.
    pub name: String,
    /// Its hash.
    #[serde(with = "hex32::one")]
    pub hash: Hash,
}

/// An AI level in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AiLevel {
    /// Its name.
    pub name: String,
    /// The hash of what it is (see the room of the AI players).
    #[serde(with = "hex32::one")]
    pub hash: Hash,
}

/// The AI players of the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AiLine {
    /// The commitment to the key that seeds them.
    #[serde(with = "hex32::one")]
    pub key_commitment: Hash,
    /// The levels in use; empty in an event without AI players.
    pub levels: Vec<AiLevel>,
}

/// The delayed value of the event, `"none"` or an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delayed {
    /// The event has none.
    None,
    /// What it will be and when it becomes known.
    Value(DelayedSpec),
}

impl Serialize for Delayed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Delayed::None => serializer.serialize_str("none"),
            Delayed::Value(spec) => spec.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Delayed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Delayed, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(word) if word == "none" => Ok(Delayed::None),
            value @ Value::Object(_) => {
                serde_json::from_value(value).map(Delayed::Value).map_err(D::Error::custom)
            }
            _ => Err(D::Error::custom("`delayed` must be \"none\" or an object")),
        }
    }
}

/// The fields of an announcement. Times are µs since 1970-01-01T00:00:00Z, hashes 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// [`SCHEME`].
    pub scheme: String,
    /// The event's id, of the same characters as a set's.
    pub event: String,
    /// The game's name.
    pub game: String,
    /// The ruleset.
    pub ruleset: RulesetLine,
    /// SHA-256 of the canonical JSON of the event's other settings (format, scoring, tie-breaks), where they are
    /// fixed with the announcement.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex32::option")]
    pub settings: Option<Hash>,
    /// Every board set, original and reserve, in the order of the Merkle leaves.
    pub sets: Vec<SetLine>,
    /// The delayed value.
    pub delayed: Delayed,
    /// The Merkle root of the commitments to the set keys.
    #[serde(with = "hex32::one")]
    pub root: Hash,
    /// The AI players.
    pub ai: AiLine,
    /// The commitment to the key of the draws; absent where nothing is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex32::option")]
    pub draw: Option<Hash>,
    /// When the announcement was published.
    pub published_at: i64,
    /// The ed25519 public key of the server that signs the journals.
    #[serde(with = "hex32::one")]
    pub server_key: Hash,
}

/// What the organizer decides; commitments are added by [`Draft::announce`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The event's id.
    pub event: String,
    /// The game's name.
    pub game: String,
    /// The ruleset.
    pub ruleset: RulesetLine,
    /// The hash of the event's other settings, if they are fixed with the announcement.
    pub settings: Option<Hash>,
    /// Every board set, original and reserve.
    pub sets: Vec<SetLine>,
    /// The delayed value.
    pub delayed: Delayed,
    /// The AI levels in use.
    pub ai_levels: Vec<AiLevel>,
    /// Whether something is drawn by lot, such as the seats: the key of the draws is then committed to.
    pub draws: bool,
    /// When the announcement is published, µs.
    pub published_at: i64,
    /// The server's ed25519 public key.
    pub server_key: Hash,
}

impl Draft {
    /// Commits to every key of the event.
    ///
    /// # Errors
    /// `bad_announcement`: the first field that cannot stand.
    pub fn announce(self, master: &MasterKey) -> Result<Announcement, DealError> {
        let commitment =
            ai_commitment(&self.event, &master.ai_salt(&self.event), &master.ai_key(&self.event));
        let draw = self.draws.then(|| {
            draw_commitment(&self.event, &master.draw_salt(&self.event), &master.draw_key(&self.event))
        });
        let mut body = Body {
            scheme: SCHEME.to_owned(),
            event: self.event,
            game: self.game,
            ruleset: self.ruleset,
            settings: self.settings,
            sets: self.sets,
            delayed: self.delayed,
            root: [0; 32],
            ai: AiLine { key_commitment: commitment, levels: self.ai_levels },
            draw,
            published_at: self.published_at,
            server_key: self.server_key,
        };
        body.check()?;
        body.root = merkle::root(&body.leaves(master)).ok_or(DealError::NoSets)?;
        Announcement::from_body(body)
    }
}

/// Whether a text is an identifier of an event, a game or a set: 1 to 64 of `A`–`Z a`–`z 0`–`9 . _ -`, which need no
/// escaping anywhere.
#[must_use]
pub fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// A name for people: 1 to 200 characters, nothing hidden among them, no blanks at the ends.
fn is_name(text: &str) -> bool {
    words::is_name(text, 200)
}

impl Body {
    /// The leaves of the sets in their order.
    pub(super) fn leaves(&self, master: &MasterKey) -> Vec<Hash> {
        self.sets
            .iter()
            .map(|set| merkle::leaf(&set.id, &master.set_salt(&set.id), &master.set_key(&set.id)))
            .collect()
    }

    fn check(&self) -> Result<(), DealError> {
        let bad = |field: &'static str| Err(DealError::BadField { field });
        if self.scheme != SCHEME {
            return Err(DealError::WrongScheme { found: self.scheme.chars().take(40).collect() });
        }
        for (field, id) in [("event", &self.event), ("game", &self.game)] {
            if !is_id(id) {
                return bad(field);
            }
        }
        if !is_name(&self.ruleset.name) {
            return bad("ruleset.name");
        }
        self.check_sets()?;
        if let Delayed::Value(spec) = &self.delayed {
            if !is_name(&spec.description) {
                return bad("delayed.description");
            }
            if spec.length as usize > super::delayed::LONGEST {
                return bad("delayed.length");
            }
            if spec.known_after <= self.published_at {
                return Err(DealError::DelayedTooEarly);
            }
        }
        let names: BTreeSet<&str> = self.ai.levels.iter().map(|level| level.name.as_str()).collect();
        let named_well = self.ai.levels.iter().all(|level| is_name(&level.name));
        if !named_well || names.len() != self.ai.levels.len() || names.len() > MOST_LEVELS {
            return bad("ai.levels");
        }
        if self.published_at <= 0 {
            return bad("published_at");
        }
        match ed25519_dalek::VerifyingKey::from_bytes(&self.server_key) {
            Ok(key) if !key.is_weak() => Ok(()),
            _ => bad("server_key"),
        }
    }

    fn check_sets(&self) -> Result<(), DealError> {
        if self.sets.is_empty() || self.sets.len() > MOST_SETS {
            return Err(DealError::NoSets);
        }
        let mut seen = BTreeSet::new();
        for set in &self.sets {
            if !is_id(&set.id) {
                return Err(DealError::BadField { field: "sets.id" });
            }
            if set.first == 0 || set.first > set.last {
                return Err(DealError::BadRange { set: set.id.clone() });
            }
            if !seen.insert(set.id.as_str()) {
                return Err(DealError::SetTwice { set: set.id.clone() });
            }
        }
        Ok(())
    }
}

/// A published announcement: valid, unchangeable, with its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    body: Body,
    text: String,
    hash: Hash,
}

impl Announcement {
    fn from_body(body: Body) -> Result<Announcement, DealError> {
        body.check()?;
        let text = canonical::to_string(&body)
            .map_err(|error| DealError::NotAnAnnouncement { detail: error.to_string() })?;
        let hash = canonical::sha256(text.as_bytes());
        Ok(Announcement { body, text, hash })
    }

    /// Before this instant nobody could know any cards, µs since 1970: nothing about a board can be older.
    #[must_use]
    pub const fn not_before(&self) -> i64 {
        match &self.body.delayed {
            Delayed::Value(spec) => spec.known_after,
            Delayed::None => self.body.published_at,
        }
    }

    /// Reads an announcement. Layout and line ends do not matter: the hash is that of the canonical text.
    ///
    /// # Errors
    /// `bad_announcement`: not JSON, unknown or missing fields, or a field that cannot stand.
    pub fn parse(text: &str) -> Result<Announcement, DealError> {
        if text.len() > LONGEST {
            return Err(DealError::NotAnAnnouncement { detail: "longer than 8 MiB".to_owned() });
        }
        let body: Body =
            serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| {
                let detail = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
                DealError::NotAnAnnouncement { detail: detail.chars().take(200).collect() }
            })?;
        Announcement::from_body(body)
    }

    /// Reads an announcement that must stand in its canonical text byte for byte, as in a bundle.
    ///
    /// # Errors
    /// As [`Announcement::parse`], and `not_canonical`.
    pub fn parse_canonical(text: &str) -> Result<Announcement, DealError> {
        let announcement = Announcement::parse(text)?;
        if announcement.text == text { Ok(announcement) } else { Err(DealError::NotCanonical) }
    }

    /// The fields.
    #[must_use]
    pub const fn body(&self) -> &Body {
        &self.body
    }

    /// The canonical text: what is published.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// `announcement_hash`: SHA-256 of the canonical text.
    #[must_use]
    pub const fn hash(&self) -> &Hash {
        &self.hash
    }

    /// A set and its position among the leaves.
    ///
    /// # Errors
    /// `unknown_set`.
    pub fn set(&self, set_id: &str) -> Result<(usize, &SetLine), DealError> {
        self.body
            .sets
            .iter()
            .enumerate()
            .find(|(_, set)| set.id == set_id)
            .ok_or_else(|| DealError::UnknownSet { set: set_id.chars().take(64).collect() })
    }

    /// Checks that a set has a board with this number.
    ///
    /// # Errors
    /// `unknown_set`, `board_outside_set`.
    pub fn verify_board(&self, set_id: &str, board: u32) -> Result<(), DealError> {
        let (_, set) = self.set(set_id)?;
        if (set.first..=set.last).contains(&board) {
            Ok(())
        } else {
            Err(DealError::BoardOutsideSet {
                set: set_id.to_owned(),
                board,
                first: set.first,
                last: set.last,
            })
        }
    }

    /// The normal form of the delayed value as somebody gives it: nothing where none was announced, else a value of
    /// the announced form.
    ///
    /// # Errors
    /// `delayed_missing`, `delayed_unannounced`, `bad_delayed`.
    pub fn delayed_value(&self, typed: Option<&str>) -> Result<DelayedValue, DealError> {
        match (&self.body.delayed, typed) {
            (Delayed::None, None) => Ok(DelayedValue::none()),
            (Delayed::None, Some(_)) => Err(DealError::DelayedUnannounced),
            (Delayed::Value(spec), Some(typed)) => spec.read(typed),
            (Delayed::Value(_), None) => Err(DealError::DelayedMissing),
        }
    }

    /// Checks that a set key is the announced one.
    ///
    /// # Errors
    /// `unknown_set`, `wrong_key`.
    pub fn verify_set(
        &self,
        set_id: &str,
        key: &SetKey,
        salt: &Salt,
        proof: &[Hash],
    ) -> Result<(), DealError> {
        let (position, set) = self.set(set_id)?;
        let leaf = merkle::leaf(&set.id, salt, key);
        if merkle::verify(&self.body.root, &leaf, position, self.body.sets.len(), proof) {
            Ok(())
        } else {
            Err(DealError::WrongKey { set: set.id.clone() })
        }
    }

    /// The dealer of a set from the master key, for the server. Check the key once with
    /// [`Announcement::verify_master`].
    ///
    /// # Errors
    /// `unknown_set`.
    pub fn dealer(
        &self,
        pack: Pack,
        master: &MasterKey,
        delayed: &DelayedValue,
        set_id: &str,
    ) -> Result<SetDealer, DealError> {
        self.set(set_id)?;
        Ok(SetDealer::new(pack, &master.set_key(set_id), &self.hash, delayed, set_id))
    }
}
