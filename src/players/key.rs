//! The event-wide key behind every chance that an AI player takes.
//!
//! One key serves a whole event; the announcement commits to it, the reveal opens it, and anybody can then ask the
//! same level the same question. It is independent of every deal: nothing about a deal goes into it or under it.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::LevelInfo;
use super::level::length;
use crate::canonical::Hash;
use crate::games::Seat;

/// What a seed is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The chance of one decision; its view is under the seed.
    Dice,
    /// The worlds that a seat imagines at a board; no view is under the seed.
    Worlds,
}

impl Purpose {
    const fn label(self) -> &'static [u8] {
        match self {
            Purpose::Dice => b"fushi-ai/1|dice",
            Purpose::Worlds => b"fushi-ai/1|worlds",
        }
    }
}

/// 32 secret bytes; wiped when dropped, never shown by `Debug`.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct AiKey([u8; 32]);

impl std::fmt::Debug for AiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AiKey(…)")
    }
}

impl PartialEq for AiKey {
    fn eq(&self, other: &AiKey) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for AiKey {}

/// Why a text is not a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an AI key is 64 hexadecimal digits")]
pub struct KeyError;

impl AiKey {
    /// The key of 32 bytes from a good source of randomness.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> AiKey {
        AiKey(bytes)
    }

    /// Reads 64 hexadecimal digits, the form in which a key is revealed.
    ///
    /// # Errors
    /// Anything else.
    pub fn from_hex(text: &str) -> Result<AiKey, KeyError> {
        let mut key = AiKey([0; 32]);
        hex::decode_to_slice(text, &mut key.0).map_err(|_| KeyError)?;
        Ok(key)
    }

    /// The 64 hexadecimal digits, for the reveal. Until then nobody may see them.
    #[must_use]
    pub fn reveal_hex(&self) -> String {
        hex::encode(self.0)
    }

    /// The seed of a purpose: HMAC-SHA-256 over its label (`fushi-ai/1|dice` or `fushi-ai/1|worlds`), ruleset hash, game,
    /// level name, level hash, board number (4 bytes), seat (1 byte) and the canonical bytes of the view's canonical
    /// form (for worlds none). Every part is preceded by its length in 8 bytes, all numbers big-endian, so that no two
    /// different questions have the same bytes.
    #[must_use]
    pub fn seed(
        &self,
        purpose: Purpose,
        rules: &Hash,
        level: &LevelInfo,
        board: u32,
        seat: Seat,
        view: &[u8],
    ) -> [u8; 32] {
        // A key of any length is accepted; ours has 32 bytes.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return [0; 32] };
        let parts: [&[u8]; 8] = [
            purpose.label(),
            rules,
            level.game.name().as_bytes(),
            level.name.as_bytes(),
            &level.hash(),
            &board.to_be_bytes(),
            &[seat.0],
            view,
        ];
        for part in parts {
            mac.update(&length(part));
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameKind;

    const LEVEL: LevelInfo = LevelInfo { game: GameKind::Wakeng, name: "test-1", definition: "v1" };

    #[test]
    fn a_key_is_never_shown_and_survives_its_text_form() {
        let key = AiKey::new([7; 32]);
        assert_eq!(format!("{key:?}"), "AiKey(…)");
        assert_eq!(AiKey::from_hex(&key.reveal_hex()).unwrap(), key);
        for bad in ["", "07", &"07".repeat(33), &"zz".repeat(32)] {
            assert_eq!(AiKey::from_hex(bad).unwrap_err(), KeyError);
        }
    }

    #[test]
    fn every_part_of_a_question_changes_the_seed() {
        let key = AiKey::new([7; 32]);
        let base = key.seed(Purpose::Dice, &[1; 32], &LEVEL, 3, Seat(1), b"{}");
        let other_name = LevelInfo { name: "test-2", ..LEVEL };
        let other_definition = LevelInfo { definition: "v2", ..LEVEL };
        let seeds = [
            base,
            AiKey::new([8; 32]).seed(Purpose::Dice, &[1; 32], &LEVEL, 3, Seat(1), b"{}"),
            key.seed(Purpose::Dice, &[2; 32], &LEVEL, 3, Seat(1), b"{}"),
            key.seed(Purpose::Dice, &[1; 32], &other_name, 3, Seat(1), b"{}"),
            key.seed(Purpose::Dice, &[1; 32], &other_definition, 3, Seat(1), b"{}"),
            key.seed(Purpose::Dice, &[1; 32], &LEVEL, 4, Seat(1), b"{}"),
            key.seed(Purpose::Dice, &[1; 32], &LEVEL, 3, Seat(2), b"{}"),
            key.seed(Purpose::Dice, &[1; 32], &LEVEL, 3, Seat(1), b"[]"),
            key.seed(Purpose::Worlds, &[1; 32], &LEVEL, 3, Seat(1), b"{}"),
        ];
        for (index, seed) in seeds.iter().enumerate() {
            assert!(!seeds[..index].contains(seed), "part {index} does not count");
        }
        assert_eq!(hex::encode(base), SEED_OF_BASE);
    }

    // Computed once with Python's hashlib and hmac from the description above.
    const SEED_OF_BASE: &str = "133625eeb34ba872c69840806a02be1f522c490038ac76fe73a5d0e3db3f2520";
}
