//! How many orders a pack has, exactly, and whether a seed is wide enough to name each of them.

use num_bigint::BigUint;

use crate::cards::{Card, Pack};

/// How many different orders a pack has: `n! ÷ Π(copies!)`, identical cards being one.
#[must_use]
pub fn order_count(pack: Pack) -> BigUint {
    let mut copies = [0u32; Card::FACES as usize];
    let mut orders = BigUint::from(1u32);
    for (dealt, card) in (1u32..).zip(pack.cards()) {
        let copies = &mut copies[usize::from(card.index())];
        *copies += 1;
        // Multiplying by the number of cards so far and dividing by the copies so far stays exact at every step:
        // the result is the number of orders of the cards so far.
        orders = orders * dealt / *copies;
    }
    orders
}

/// How many bits a seed needs at least so that every order of the pack can have a seed of its own: the smallest `b`
/// with `2^b ≥` [`order_count`].
#[must_use]
pub fn order_bits(pack: Pack) -> u64 {
    (order_count(pack) - 1u32).bits()
}

/// What [`order_bits`] gives, as the constant that the code builds on; a test compares them.
#[must_use]
pub const fn needed_bits(pack: Pack) -> u64 {
    match pack {
        Pack::FiftyTwo => 226,
        Pack::TwoWithJokers => 525,
    }
}

/// How many ChaCha20 streams of 256 bits shuffle a pack. Two would give a two-pack board 512 bits, which is less
/// than its 525: some orders could never be dealt.
#[must_use]
pub const fn streams(pack: Pack) -> usize {
    match pack {
        Pack::FiftyTwo => 1,
        Pack::TwoWithJokers => 3,
    }
}

/// The width of a board seed in bits.
#[must_use]
pub const fn seed_bits(pack: Pack) -> u64 {
    256 * streams(pack) as u64
}

const _: () = assert!(seed_bits(Pack::FiftyTwo) >= needed_bits(Pack::FiftyTwo));
const _: () = assert!(seed_bits(Pack::TwoWithJokers) >= needed_bits(Pack::TwoWithJokers));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dealing::BoardSeed;

    #[test]
    fn the_number_of_orders_is_exact() {
        assert_eq!(
            order_count(Pack::FiftyTwo).to_string(),
            "80658175170943878571660636856403766975289505440883277824000000000000"
        );
        let mut factorial = BigUint::from(1u32);
        for n in 1u32..=108 {
            factorial *= n;
        }
        assert_eq!(order_count(Pack::TwoWithJokers) << 54, factorial);
    }

    #[test]
    fn every_order_of_every_pack_has_a_seed_and_no_stream_is_spare() {
        for pack in [Pack::FiftyTwo, Pack::TwoWithJokers] {
            assert_eq!(order_bits(pack), needed_bits(pack));
            assert!(seed_bits(pack) >= order_bits(pack));
            assert!(seed_bits(pack) - 256 < order_bits(pack));
            let seed = BoardSeed::from_keys(pack, &vec![[0; 32]; streams(pack)]).unwrap();
            assert_eq!(seed.bits(), seed_bits(pack), "the type holds what is stated here");
            assert!(order_count(pack) <= BigUint::from(1u32) << seed_bits(pack));
        }
        assert!(order_count(Pack::TwoWithJokers) > BigUint::from(1u32) << 512, "two streams are too few");
    }

    #[test]
    fn every_stream_is_wide_enough_for_the_draws_that_fall_to_it() {
        // Draw number i, for the card n = size − i, takes its word from stream i mod streams.
        for pack in [Pack::FiftyTwo, Pack::TwoWithJokers] {
            let mut products = vec![BigUint::from(1u32); streams(pack)];
            for (draw, bound) in (2..=pack.size()).rev().enumerate() {
                products[draw % streams(pack)] *= bound;
            }
            for product in products {
                assert!(product <= BigUint::from(1u32) << 256);
            }
        }
    }
}
