//! The secrets of an event: the master key and what is derived from it with HKDF-SHA-256 (RFC 5869, no salt).
//!
//! Keys are wiped when dropped, compare in constant time and print nothing of themselves.

use std::fmt;

use hkdf::Hkdf;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{DealError, fields, from_hex, to_hex};
use crate::canonical::Hash;

const SET_KEY: &str = "fushi-deal/1|set|";
const SET_SALT: &str = "fushi-deal/1|salt|";
const AI_KEY: &str = "fushi-deal/1|ai|";
const AI_SALT: &str = "fushi-deal/1|ai-salt|";
const DRAW_KEY: &str = "fushi-deal/1|draw|";
const DRAW_SALT: &str = "fushi-deal/1|draw-salt|";
const PRACTICE: &str = "fushi-deal/1|practice|";

macro_rules! secret {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Zeroize, ZeroizeOnDrop)]
        pub struct $name([u8; 32]);

        impl $name {
            /// The secret with these bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> $name {
                $name(bytes)
            }

            /// Reads the secret from 64 lower-case hexadecimal digits.
            ///
            /// # Errors
            /// Anything else, without repeating it.
            pub fn from_hex(text: &str) -> Result<$name, DealError> {
                from_hex($what, text).map($name)
            }

            /// The bytes. Whoever takes them answers for them.
            #[must_use]
            pub const fn expose(&self) -> &[u8; 32] {
                &self.0
            }

            /// The hexadecimal digits, wiped when dropped.
            #[must_use]
            pub fn expose_hex(&self) -> Zeroizing<String> {
                Zeroizing::new(to_hex(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(hidden)"))
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.0.ct_eq(&other.0).into()
            }
        }

        impl Eq for $name {}
    };
}

secret! {
    /// The master key of an event: 32 bytes from the operating system's generator. Whoever has it has every deal.
    MasterKey, "master-key"
}
secret! {
    /// The key of one board set. Revealing it exposes no other set.
    SetKey, "set-key"
}
secret! {
    /// The salt of a commitment. It keeps a commitment from confirming a guessed key and is revealed with the key.
    Salt, "salt"
}
secret! {
    /// The key that seeds the AI players of an event. Independent of every deal.
    AiKey, "ai-key"
}

secret! {
    /// The key from which the seeds of an event's draws follow. Independent of every deal.
    DrawKey, "draw-key"
}

impl Clone for SetKey {
    fn clone(&self) -> SetKey {
        SetKey(self.0)
    }
}

impl Clone for Salt {
    fn clone(&self) -> Salt {
        Salt(self.0)
    }
}

impl Clone for AiKey {
    fn clone(&self) -> AiKey {
        AiKey(self.0)
    }
}

impl MasterKey {
    /// `HKDF-SHA-256(master, info = label ‖ id)`, 32 bytes. The label is fixed and the id its only tail, so that the
    /// pair can be read back from the text.
    fn derive(&self, label: &str, id: &str) -> [u8; 32] {
        let mut bytes = [0; 32];
        let done = Hkdf::<Sha256>::new(None, &self.0)
            .expand_multi_info(&[label.as_bytes(), id.as_bytes()], &mut bytes);
        // HKDF gives up to 8160 bytes: 32 cannot be too many.
        debug_assert!(done.is_ok());
        bytes
    }

    /// The key of a board set.
    #[must_use]
    pub fn set_key(&self, set_id: &str) -> SetKey {
        SetKey(self.derive(SET_KEY, set_id))
    }

    /// The salt in the commitment of a board set.
    #[must_use]
    pub fn set_salt(&self, set_id: &str) -> Salt {
        Salt(self.derive(SET_SALT, set_id))
    }

    /// The key that seeds the AI players.
    #[must_use]
    pub fn ai_key(&self, event_id: &str) -> AiKey {
        AiKey(self.derive(AI_KEY, event_id))
    }

    /// The salt in the commitment to the AI key.
    #[must_use]
    pub fn ai_salt(&self, event_id: &str) -> Salt {
        Salt(self.derive(AI_SALT, event_id))
    }

    /// The key of the event's draws.
    #[must_use]
    pub fn draw_key(&self, event_id: &str) -> DrawKey {
        DrawKey(self.derive(DRAW_KEY, event_id))
    }

    /// The salt in the commitment to the draw key.
    #[must_use]
    pub fn draw_salt(&self, event_id: &str) -> Salt {
        Salt(self.derive(DRAW_SALT, event_id))
    }

    /// A master key for practice, demonstrations and tests from a seed that anybody may know: see
    /// [`SetKey::practice`]. Never for an event that counts.
    #[must_use]
    pub fn practice(seed: &str) -> MasterKey {
        MasterKey(practice(seed))
    }
}

impl SetKey {
    /// A set key for practice, demonstrations and tests: a seed of 64 lower-case hexadecimal digits is the key
    /// itself, any other text is hashed (SHA-256 of `fushi-deal/1|practice|` and the text).
    #[must_use]
    pub fn practice(seed: &str) -> SetKey {
        SetKey(practice(seed))
    }
}

fn practice(seed: &str) -> [u8; 32] {
    from_hex("seed", seed).unwrap_or_else(|_| {
        let mut hash = Sha256::new();
        hash.update(PRACTICE);
        hash.update(seed);
        hash.finalize().into()
    })
}

/// The commitment to the AI key of an event: `SHA-256(0x02 ‖ event id ‖ salt ‖ key)`, the three as fields.
pub(super) fn ai_commitment(event_id: &str, salt: &Salt, key: &AiKey) -> Hash {
    commitment(0x02, event_id, salt, &key.0)
}

/// The commitment to the draw key of an event: `SHA-256(0x03 ‖ event id ‖ salt ‖ key)`, the three as fields.
pub(super) fn draw_commitment(event_id: &str, salt: &Salt, key: &DrawKey) -> Hash {
    commitment(0x03, event_id, salt, &key.0)
}

fn commitment(purpose: u8, event_id: &str, salt: &Salt, key: &[u8; 32]) -> Hash {
    let mut bytes = Zeroizing::new(vec![purpose]);
    fields::push(&mut bytes, event_id.as_bytes());
    fields::push(&mut bytes, &salt.0);
    fields::push(&mut bytes, key);
    crate::canonical::sha256(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_never_print_themselves() {
        let master = MasterKey::from_bytes([0xab; 32]);
        let shown = format!("{master:?} {:?} {:?}", master.set_key("1"), master.ai_key("e"));
        assert_eq!(shown, "MasterKey(hidden) SetKey(hidden) AiKey(hidden)");
    }

    #[test]
    fn hkdf_is_that_of_rfc_5869() {
        // Test case 3 of the RFC: no salt, no info.
        let mut okm = [0; 42];
        Hkdf::<Sha256>::new(None, &[0x0b; 22]).expand(b"", &mut okm).unwrap();
        assert_eq!(
            hex::encode(okm),
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        );
    }

    #[test]
    fn every_derivation_has_its_own_key() {
        let master = MasterKey::from_bytes([7; 32]);
        let mut all = vec![
            master.set_key("1").0,
            master.set_key("2").0,
            master.set_key("11").0,
            master.set_salt("1").0,
            master.ai_key("1").0,
            master.ai_salt("1").0,
            master.draw_key("1").0,
            master.draw_salt("1").0,
            master.0,
        ];
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 9);
    }

    #[test]
    fn practice_seeds_are_hexadecimal_or_hashed() {
        let hex = "0a".repeat(32);
        assert_eq!(SetKey::practice(&hex).0, [10; 32]);
        assert_ne!(SetKey::practice(&hex.to_uppercase()).0, [10; 32]);
        assert_ne!(SetKey::practice(""), SetKey::practice(" "));
        assert_ne!(SetKey::practice("demo"), SetKey::practice("Demo"));
    }
}
