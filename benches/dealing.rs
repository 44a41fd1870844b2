//! P6: deals per second, board seeds included, against a raw ChaCha20 and Fisher–Yates loop.
//!
//! Both sides run interleaved in one process; only their ratio means anything. Raw: one ChaCha20 generator that is
//! never keyed again, the same exchange loop, no seeds. Goal: at least 0.5.

use std::hint::black_box;
use std::time::{Duration, Instant};

use fushi::cards::{Card, Pack};
use fushi::dealing::{DelayedValue, SetDealer, SetKey};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

const ROUNDS: u32 = 40;
const DEALS: u32 = 10_000;

/// The least that shuffles without bias: words below the largest multiple of the bound, modulo the bound.
fn raw_deal(pack: &[Card], rng: &mut ChaCha20Rng) -> Vec<Card> {
    let mut cards = pack.to_vec();
    for last in (1..cards.len()).rev() {
        let bound = u32::try_from(last + 1).unwrap_or(u32::MAX);
        let rest = (u32::MAX % bound + 1) % bound;
        let word = loop {
            let word = rng.next_u32();
            if word <= u32::MAX - rest {
                break word;
            }
        };
        cards.swap(last, (word % bound) as usize);
    }
    cards
}

fn measure(name: &str, pack: Pack) {
    let unshuffled = pack.cards();
    let dealer = SetDealer::new(pack, &SetKey::from_bytes([7; 32]), &[9; 32], &DelayedValue::none(), "bench");
    let mut rng = ChaCha20Rng::from_seed([7; 32]);
    let (mut ours, mut raw) = (Duration::ZERO, Duration::ZERO);
    let mut ratios = Vec::new();
    for round in 0..=ROUNDS {
        let start = Instant::now();
        for board in 1..=DEALS {
            black_box(dealer.order(black_box(board)));
        }
        let one = start.elapsed();
        let start = Instant::now();
        for _ in 0..DEALS {
            black_box(raw_deal(black_box(&unshuffled), &mut rng));
        }
        let other = start.elapsed();
        // The first round warms up.
        if round > 0 {
            ours += one;
            raw += other;
            ratios.push(other.as_secs_f64() / one.as_secs_f64());
        }
    }
    ratios.sort_by(f64::total_cmp);
    let deals = f64::from(DEALS) * f64::from(ROUNDS);
    println!(
        "P6 {name}: {:.0} deals/s ÷ {:.0} raw = {:.2} (median of {ROUNDS} interleaved rounds {:.2}; goal 0.5)",
        deals / ours.as_secs_f64(),
        deals / raw.as_secs_f64(),
        raw.as_secs_f64() / ours.as_secs_f64(),
        ratios[ratios.len() / 2],
    );
}

fn main() {
    measure("52 cards, one stream", Pack::FiftyTwo);
    measure("108 cards, three streams", Pack::TwoWithJokers);
}
