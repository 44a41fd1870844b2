//! Board seeds: `HMAC-SHA-256(set key, "fushi-deal/1|board|" ‖ announcement hash ‖ delayed value ‖ set id ‖ board)`.
//!
//! The five values after the label are length-prefixed fields, the board number four bytes, big end first. This is
//! the key of the first stream. Stream `k` = 2, 3 of a two-pack board has the same message followed by one more
//! field, `k` as four bytes, big end first. Every stream is keyed from the set key itself rather than from the
//! first stream's 256 bits, so that the seed of a board really is as wide as it says.

use std::fmt;

use hmac::digest::Key;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::{DealError, DelayedValue, SetKey, fields, reach};
use crate::canonical::Hash;
use crate::cards::Pack;

const LABEL: &[u8] = b"fushi-deal/1|board|";

/// The stream keys of a board. What [`reach::streams`] says of each pack, as a type.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub(super) enum Streams {
    /// One pack of 52.
    One([[u8; 32]; 1]),
    /// Two packs with jokers.
    Three([[u8; 32]; 3]),
}

/// The seed of one board: one ChaCha20 key for 52 cards, three for two packs. Knowing it is knowing the deal.
#[derive(Clone, PartialEq, Eq)]
pub struct BoardSeed(Streams);

impl BoardSeed {
    /// A seed from its stream keys.
    ///
    /// # Errors
    /// Not as many keys as the pack needs to reach each of its orders.
    pub fn from_keys(pack: Pack, keys: &[[u8; 32]]) -> Result<BoardSeed, DealError> {
        match (pack, keys) {
            (Pack::FiftyTwo, [key]) => Ok(BoardSeed(Streams::One([*key]))),
            (Pack::TwoWithJokers, [a, b, c]) => Ok(BoardSeed(Streams::Three([*a, *b, *c]))),
            _ => Err(DealError::SeedWidth {
                given: keys.len() as u64 * 256,
                wanted: reach::seed_bits(pack),
                order: reach::needed_bits(pack),
            }),
        }
    }

    /// The pack it shuffles.
    #[must_use]
    pub const fn pack(&self) -> Pack {
        match self.0 {
            Streams::One(_) => Pack::FiftyTwo,
            Streams::Three(_) => Pack::TwoWithJokers,
        }
    }

    /// Its width in bits.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.keys().len() as u64 * 256
    }

    /// The keys of its streams. As secret as the deal.
    #[must_use]
    pub const fn keys(&self) -> &[[u8; 32]] {
        match &self.0 {
            Streams::One(keys) => keys,
            Streams::Three(keys) => keys,
        }
    }

    pub(super) const fn streams(&self) -> &Streams {
        &self.0
    }
}

impl fmt::Debug for BoardSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoardSeed({:?}, {} bits, hidden)", self.pack(), self.bits())
    }
}

/// Deals the boards of one set. It has taken in everything but the board number, which makes a board cost two
/// hash blocks per stream.
#[derive(Clone)]
pub struct SetDealer {
    pack: Pack,
    mac: Hmac<Sha256>,
}

impl SetDealer {
    /// The dealer of a set.
    #[must_use]
    pub fn new(
        pack: Pack,
        set_key: &SetKey,
        announcement_hash: &Hash,
        delayed: &DelayedValue,
        set_id: &str,
    ) -> SetDealer {
        // A key shorter than a hash block is padded with zeros (RFC 2104).
        let mut block = Key::<Hmac<Sha256>>::default();
        for (slot, byte) in block.iter_mut().zip(set_key.expose()) {
            *slot = *byte;
        }
        let mut mac = Hmac::<Sha256>::new(&block);
        block.zeroize();
        mac.update(LABEL);
        fields::update(&mut mac, announcement_hash);
        fields::update(&mut mac, delayed.as_bytes());
        fields::update(&mut mac, set_id.as_bytes());
        SetDealer { pack, mac }
    }

    /// The seed of a board.
    #[must_use]
    pub fn seed(&self, board: u32) -> BoardSeed {
        let mut first = self.mac.clone();
        fields::update(&mut first, &board.to_be_bytes());
        let further = |stream: u32| {
            let mut mac = first.clone();
            fields::update(&mut mac, &stream.to_be_bytes());
            mac.finalize().into_bytes().into()
        };
        BoardSeed(match self.pack {
            Pack::FiftyTwo => Streams::One([first.finalize().into_bytes().into()]),
            Pack::TwoWithJokers => {
                let (second, third) = (further(2), further(3));
                Streams::Three([first.finalize().into_bytes().into(), second, third])
            }
        })
    }
}

impl fmt::Debug for SetDealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SetDealer({:?}, hidden)", self.pack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mac_is_that_of_rfc_4231() {
        // The message of a board written out by hand, through the library's own key handling.
        let key = SetKey::from_bytes([9; 32]);
        let dealer = SetDealer::new(Pack::TwoWithJokers, &key, &[5; 32], &DelayedValue::none(), "R1");
        let mut message = b"fushi-deal/1|board|".to_vec();
        for field in [&[5; 32][..], b"", b"R1", &[0, 0, 1, 2]] {
            message.extend_from_slice(&(field.len() as u64).to_be_bytes());
            message.extend_from_slice(field);
        }
        for (stream, found) in (1u32..).zip(dealer.seed(258).keys()) {
            let mut message = message.clone();
            if stream > 1 {
                message.extend_from_slice(&[0, 0, 0, 0, 0, 0, 0, 4]);
                message.extend_from_slice(&stream.to_be_bytes());
            }
            let mut mac = Hmac::<Sha256>::new_from_slice(&[9; 32]).unwrap();
            mac.update(&message);
            assert_eq!(<[u8; 32]>::from(mac.finalize().into_bytes()), *found);
        }
    }

    #[test]
    fn every_input_changes_the_seed() {
        let (key, other) = (SetKey::from_bytes([1; 32]), SetKey::from_bytes([2; 32]));
        let (none, value) = (DelayedValue::none(), DelayedValue::read_text("7").unwrap());
        let seed = |key: &SetKey, hash: u8, delayed: &DelayedValue, set: &str, board: u32| {
            SetDealer::new(Pack::FiftyTwo, key, &[hash; 32], delayed, set).seed(board).keys()[0]
        };
        let mut seeds = vec![
            seed(&key, 0, &none, "1", 1),
            seed(&other, 0, &none, "1", 1),
            seed(&key, 1, &none, "1", 1),
            seed(&key, 0, &value, "1", 1),
            seed(&key, 0, &none, "2", 1),
            seed(&key, 0, &none, "1", 2),
            seed(&key, 0, &none, "17", 1),
            seed(&key, 0, &value, "", 1),
        ];
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 8);
    }

    #[test]
    fn a_seed_that_is_too_narrow_for_its_pack_is_refused() {
        for (pack, keys) in [(Pack::FiftyTwo, 0), (Pack::FiftyTwo, 2), (Pack::TwoWithJokers, 2)] {
            let error = BoardSeed::from_keys(pack, &vec![[0; 32]; keys]).unwrap_err();
            assert_eq!(error.code(), "seed_width");
        }
    }

    #[test]
    fn seeds_never_print_themselves() {
        let key = SetKey::from_bytes([1; 32]);
        let dealer = SetDealer::new(Pack::FiftyTwo, &key, &[0; 32], &DelayedValue::none(), "1");
        assert_eq!(format!("{dealer:?}"), "SetDealer(FiftyTwo, hidden)");
        assert_eq!(format!("{:?}", dealer.seed(1)), "BoardSeed(FiftyTwo, 256 bits, hidden)");
    }
}
