//! What is published after play: the key of each finished set with its proof, the AI key, and why reserves were
//! used.

use serde::{Deserialize, Serialize};

use super::keys::ai_commitment;
use super::{
    AiKey, Announcement, DealError, DelayedValue, DrawReveal, MasterKey, Purpose, Salt, SetDealer, SetKey,
    hex32, merkle,
};
use crate::canonical::Hash;
use crate::cards::Pack;
use crate::words;

/// The revealed key of one set with the proof that it is the announced one. Exposes no other set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// The set.
    pub set: String,
    /// Its key, 64 hexadecimal digits.
    pub key: String,
    /// The salt of its commitment, 64 hexadecimal digits.
    pub salt: String,
    /// The partners of its leaf on the way to the announced root.
    #[serde(with = "hex32::list")]
    pub proof: Vec<Hash>,
}

impl Reveal {
    /// Reveals a set. Only for sets that the last table has finished.
    ///
    /// # Errors
    /// `unknown_set`, or `wrong_key` when the master key is not that of the announcement.
    pub fn of(announcement: &Announcement, master: &MasterKey, set_id: &str) -> Result<Reveal, DealError> {
        let (position, _) = announcement.set(set_id)?;
        let leaves = announcement.body().leaves(master);
        let proof = merkle::proof(&leaves, position)
            .ok_or_else(|| DealError::UnknownSet { set: set_id.to_owned() })?;
        let reveal = Reveal {
            set: set_id.to_owned(),
            key: master.set_key(set_id).expose_hex().to_string(),
            salt: master.set_salt(set_id).expose_hex().to_string(),
            proof,
        };
        reveal.verify(announcement)?;
        Ok(reveal)
    }

    /// The key of the set, if it is the announced one.
    ///
    /// # Errors
    /// `unknown_set`, `bad_hex`, or `wrong_key` when key, salt or proof do not lead to the announced root.
    pub fn verify(&self, announcement: &Announcement) -> Result<SetKey, DealError> {
        let key = SetKey::from_hex(&self.key)?;
        let salt = Salt::from_hex(&self.salt)?;
        announcement.verify_set(&self.set, &key, &salt, &self.proof)?;
        Ok(key)
    }
}

/// The revealed key of the AI players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AiReveal {
    /// The key, 64 hexadecimal digits.
    pub key: String,
    /// The salt of its commitment, 64 hexadecimal digits.
    pub salt: String,
}

impl AiReveal {
    /// Reveals the AI key. Only when no board with AI players is left to play.
    ///
    /// # Errors
    /// `wrong_ai_key` when the master key is not that of the announcement.
    pub fn of(announcement: &Announcement, master: &MasterKey) -> Result<AiReveal, DealError> {
        let event = &announcement.body().event;
        let reveal = AiReveal {
            key: master.ai_key(event).expose_hex().to_string(),
            salt: master.ai_salt(event).expose_hex().to_string(),
        };
        reveal.verify(announcement)?;
        Ok(reveal)
    }

    /// The AI key, if it is the announced one.
    ///
    /// # Errors
    /// `bad_hex`, `wrong_ai_key`.
    pub fn verify(&self, announcement: &Announcement) -> Result<AiKey, DealError> {
        let key = AiKey::from_hex(&self.key)?;
        let salt = Salt::from_hex(&self.salt)?;
        let body = announcement.body();
        if ai_commitment(&body.event, &salt, &key) == body.ai.key_commitment {
            Ok(key)
        } else {
            Err(DealError::WrongAiKey)
        }
    }
}

/// The log entry without which a reserve set must not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReserveUse {
    /// The reserve set.
    pub set: String,
    /// Why it was needed, one line of 1 to 500 characters.
    pub reason: String,
    /// When it was opened, in µs since 1970-01-01T00:00:00Z.
    pub at: i64,
}

impl ReserveUse {
    /// The entry for opening a reserve set at an instant.
    ///
    /// # Errors
    /// `unknown_set`, `not_a_reserve`, `no_reason`.
    pub fn new(
        announcement: &Announcement,
        set_id: &str,
        reason: &str,
        at: i64,
    ) -> Result<ReserveUse, DealError> {
        let entry = ReserveUse { set: set_id.to_owned(), reason: reason.trim().to_owned(), at };
        entry.verify(announcement)?;
        Ok(entry)
    }

    fn verify(&self, announcement: &Announcement) -> Result<(), DealError> {
        let (_, set) = announcement.set(&self.set)?;
        if set.purpose != Purpose::Reserve {
            return Err(DealError::NotAReserve { set: self.set.clone() });
        }
        let length = self.reason.chars().count();
        if self.reason.trim().is_empty() || length > 500 || self.reason.chars().any(words::is_hidden) {
            return Err(DealError::NoReason { set: self.set.clone() });
        }
        Ok(())
    }
}

impl Announcement {
    /// Checks that each reserve set among the sets that were played has its log entry, and that every entry is
    /// sound and there once.
    ///
    /// # Errors
    /// The first set for which it does not hold.
    pub fn verify_reserves<'a>(
        &self,
        played: impl IntoIterator<Item = &'a str>,
        log: &[ReserveUse],
    ) -> Result<(), DealError> {
        for (index, entry) in log.iter().enumerate() {
            entry.verify(self)?;
            if log.iter().take(index).any(|earlier| earlier.set == entry.set) {
                return Err(DealError::SetTwice { set: entry.set.clone() });
            }
        }
        for set_id in played {
            let (_, set) = self.set(set_id)?;
            if set.purpose == Purpose::Reserve && !log.iter().any(|entry| entry.set == set_id) {
                return Err(DealError::NoReason { set: set_id.to_owned() });
            }
        }
        Ok(())
    }

    /// Checks that a master key is the one behind every commitment: before the first board is dealt from it.
    ///
    /// # Errors
    /// `wrong_master`.
    pub fn verify_master(&self, master: &MasterKey) -> Result<(), DealError> {
        let root = merkle::root(&self.body().leaves(master));
        let draws = self.body().draw.is_none() || DrawReveal::of(self, master).is_ok();
        if root == Some(self.body().root) && AiReveal::of(self, master).is_ok() && draws {
            Ok(())
        } else {
            Err(DealError::WrongMaster)
        }
    }

    /// The dealer of a revealed set, for whoever checks: only if the key is the announced one.
    ///
    /// # Errors
    /// As [`Reveal::verify`].
    pub fn revealed_dealer(
        &self,
        pack: Pack,
        reveal: &Reveal,
        delayed: &DelayedValue,
    ) -> Result<SetDealer, DealError> {
        let key = reveal.verify(self)?;
        Ok(SetDealer::new(pack, &key, self.hash(), delayed, &reveal.set))
    }
}
