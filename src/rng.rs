//! Draws without bias from a stream of words that a 32-byte seed determines.
//!
//! The seat draw, the movement planner and the AI players use it. It must never invent a seed, read a clock or ask
//! the operating system: the same seed gives the same draws on every machine and in every release. The stream is
//! ChaCha20 with a zero nonce, read as 32-bit little-endian words; how a word becomes a number is written here and
//! not left to a library.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// A stream of draws.
#[derive(Clone)]
pub struct GameRng(ChaCha20Rng);

impl std::fmt::Debug for GameRng {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The state would give away every draw to come.
        f.write_str("GameRng(…)")
    }
}

impl GameRng {
    /// The stream of a 32-byte seed.
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> GameRng {
        GameRng(ChaCha20Rng::from_seed(seed))
    }

    /// The stream of a purpose and any bytes: the seed is SHA-256 over both, each preceded by its length.
    #[must_use]
    pub fn of(purpose: &str, bytes: &[u8]) -> GameRng {
        let mut hash = Sha256::new();
        for part in [purpose.as_bytes(), bytes] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        GameRng::from_seed(hash.finalize().into())
    }

    /// The next word.
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A number from 0 to `bound - 1`, each equally likely: words at or above the largest multiple of `bound` are
    /// drawn again, the rest is taken modulo `bound`. 0 when `bound` is 0 or 1, without drawing.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        let limit = (1_u64 << 32) / u64::from(bound) * u64::from(bound);
        loop {
            let word = self.word();
            if u64::from(word) < limit {
                return word % bound;
            }
        }
    }

    /// An index into a list of `len` items; 0 for an empty list. Lists beyond 2³² items are out of reach.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).unwrap_or(u32::MAX)) as usize
    }

    /// Puts a list into random order: Fisher–Yates from the last item down, the item swapped with one at or before
    /// its place.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.index(last + 1);
            list.swap(last, other);
        }
    }

    /// One item of a list; `None` when it is empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.index(list.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_chacha20_in_little_endian_words() {
        // RFC 8439, appendix A.1, test vector 1: zero key, zero nonce, block 0.
        let mut chance = GameRng::from_seed([0; 32]);
        assert_eq!(chance.word().to_le_bytes(), [0x76, 0xb8, 0xe0, 0xad]);
        assert_eq!(chance.word().to_le_bytes(), [0xa0, 0xf1, 0x3d, 0x90]);
    }

    #[test]
    fn every_number_below_a_bound_is_drawn_and_none_above() {
        let mut chance = GameRng::of("test", b"below");
        let mut counts = [0_u32; 7];
        for _ in 0..7000 {
            counts[chance.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!((chance.below(0), chance.below(1)), (0, 0));
    }

    #[test]
    fn purposes_and_bytes_do_not_run_together() {
        let first = GameRng::of("ab", b"c").word();
        assert_ne!(first, GameRng::of("a", b"bc").word());
        assert_eq!(first, GameRng::of("ab", b"c").word());
    }

    #[test]
    fn shuffling_keeps_every_item() {
        let mut list: Vec<u32> = (0..100).collect();
        GameRng::of("test", b"shuffle").shuffle(&mut list);
        assert_ne!(list, (0..100).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }
}
