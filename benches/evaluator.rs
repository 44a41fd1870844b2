//! Goal P7: seven-card evaluations per second ÷ those of `rs_poker` 5.0.0, in one run, both sides taking turns.
//!
//! Shared machines make absolute numbers meaningless; only the ratios count. Each side uses its own fastest way to
//! do the same thing in the same order, and the sums of both are checked to come from the same hands.
//!
//! - `enumerated, one by one`: all 133,784,560 hands, each last card added to a copy of the hand of the other six;
//! - `enumerated, by last cards`: the same, ours through `Evaluator::each_seventh`;
//! - `random`: hands given as seven cards each, drawn before the clock starts;
//! - `random, added up`: the same hands, already accumulated: the look-up alone.

use std::hint::black_box;
use std::time::{Duration, Instant};

use fushi::cards::Card;
use fushi::games::holdem::eval::{Evaluator, Hand, HandValue};
use fushi::rng::GameRng;
use rs_poker::core::{Card as TheirCard, Rank as TheirRank, SevenCardAccum};

const RANDOM_HANDS: usize = 1 << 16;
const RANDOM_ROUNDS: usize = 201;
const ENUMERATED_ROUNDS: usize = 9;
const ALL_HANDS: u64 = 133_784_560;

fn main() {
    println!("P7: 7-card evaluations, fushi ÷ rs_poker 5.0.0 (goal ≥ 1.5)");
    enumerated();
    random();
}

/// Runs both sides' pieces of work in turns, the first of each turn changing. A piece takes less than a millisecond
/// and counts with its fastest round, so that other programs on the machine disturb neither side.
fn compare(
    name: &str,
    rounds: usize,
    pieces: usize,
    evaluations: u64,
    ours: &mut dyn FnMut(usize),
    theirs: &mut dyn FnMut(usize),
) {
    let mut best = vec![[Duration::MAX; 2]; pieces];
    let timed = |best: &mut Duration, work: &mut dyn FnMut(usize), piece: usize| {
        let start = Instant::now();
        work(piece);
        *best = start.elapsed().min(*best);
    };
    for round in 0..rounds {
        for (piece, best) in best.iter_mut().enumerate() {
            if (round + piece) % 2 == 0 {
                timed(&mut best[0], ours, piece);
                timed(&mut best[1], theirs, piece);
            } else {
                timed(&mut best[1], theirs, piece);
                timed(&mut best[0], ours, piece);
            }
        }
    }
    let [ours, theirs] = [0, 1].map(|side| best.iter().map(|best| best[side].as_secs_f64()).sum::<f64>());
    #[allow(clippy::cast_precision_loss)] // a number to read
    let rate = |seconds: f64| evaluations as f64 / seconds / 1e6;
    println!(
        "{name:<26} ours {:>5.0} M/s   theirs {:>5.0} M/s   ratio {:.2}",
        rate(ours),
        rate(theirs),
        theirs / ours
    );
}

fn our_cards() -> Vec<Card> {
    (0..52).filter_map(Card::from_index).collect()
}

fn their_cards() -> Vec<TheirCard> {
    (0..52u8).map(TheirCard::from).collect()
}

fn enumerated() {
    let pairs: Vec<(usize, usize)> = (0..52).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let (evaluator, cards, theirs) = (Evaluator::get(), our_cards(), their_cards());
    let mut sums = [0_u64; 3];
    let [one_by_one, by_last, other] = &mut sums;
    let mut theirs = |piece: usize| *other += theirs_one_by_one(&theirs, pairs[piece]);
    compare(
        "enumerated, one by one",
        ENUMERATED_ROUNDS,
        pairs.len(),
        ALL_HANDS,
        &mut |piece| *one_by_one += ours_one_by_one(evaluator, &cards, pairs[piece]),
        &mut theirs,
    );
    compare(
        "enumerated, by last cards",
        ENUMERATED_ROUNDS,
        pairs.len(),
        ALL_HANDS,
        &mut |piece| *by_last += ours_by_last(evaluator, &cards, pairs[piece]),
        &mut theirs,
    );
    assert_eq!(sums[0], 547_965_983_972 * ENUMERATED_ROUNDS as u64);
    assert_eq!(sums[1], sums[0]);
    assert!(black_box(sums[2]) > 0);
}

fn ours_one_by_one(evaluator: Evaluator, cards: &[Card], (a, b): (usize, usize)) -> u64 {
    let mut sum = 0;
    let two = Hand::EMPTY.with(cards[a]).with(cards[b]);
    for c in 0..b {
        let three = two.with(cards[c]);
        for d in 0..c {
            let four = three.with(cards[d]);
            for e in 0..d {
                let five = four.with(cards[e]);
                for f in 0..e {
                    let six = five.with(cards[f]);
                    for &last in &cards[..f] {
                        sum += u64::from(evaluator.seven(six.with(last)).number());
                    }
                }
            }
        }
    }
    sum
}

fn ours_by_last(evaluator: Evaluator, cards: &[Card], (a, b): (usize, usize)) -> u64 {
    let mut sum = 0;
    let two = Hand::EMPTY.with(cards[a]).with(cards[b]);
    for c in 0..b {
        let three = two.with(cards[c]);
        for d in 0..c {
            let four = three.with(cards[d]);
            for e in 0..d {
                let five = four.with(cards[e]);
                for f in 0..e {
                    evaluator.each_seventh(five.with(cards[f]), &cards[..f], |value| {
                        sum += u64::from(value.number());
                    });
                }
            }
        }
    }
    sum
}

fn theirs_one_by_one(cards: &[TheirCard], (a, b): (usize, usize)) -> u64 {
    let mut sum = 0;
    let two = SevenCardAccum::new() + cards[a] + cards[b];
    for c in 0..b {
        let three = two + cards[c];
        for d in 0..c {
            let four = three + cards[d];
            for e in 0..d {
                let five = four + cards[e];
                for f in 0..e {
                    let six = five + cards[f];
                    for &last in &cards[..f] {
                        sum += u64::from((six + last).rank().value_bits());
                    }
                }
            }
        }
    }
    sum
}

fn random() {
    let mut chance = GameRng::of("bench", b"evaluator");
    let mut pack = our_cards();
    let hands: Vec<[Card; 7]> = (0..RANDOM_HANDS)
        .map(|_| {
            chance.shuffle(&mut pack);
            std::array::from_fn(|place| pack[place])
        })
        .collect();
    let their_hands: Vec<[TheirCard; 7]> =
        hands.iter().map(|hand| hand.map(|card| TheirCard::from(card.index()))).collect();
    let evaluator = Evaluator::get();
    let accumulated =
        |hand: &[TheirCard; 7]| hand.iter().fold(SevenCardAccum::new(), |hand, &card| hand + card);

    compare(
        "random",
        RANDOM_ROUNDS,
        1,
        RANDOM_HANDS as u64,
        &mut |_| {
            black_box(sum(black_box(&hands).iter().map(|hand| evaluator.seven_cards(hand))));
        },
        &mut |_| {
            black_box(their_sum(black_box(&their_hands).iter().map(|hand| accumulated(hand).rank())));
        },
    );

    let added: Vec<Hand> = hands.iter().map(|hand| hand.iter().copied().collect()).collect();
    let their_added: Vec<SevenCardAccum> = their_hands.iter().map(accumulated).collect();
    compare(
        "random, added up",
        RANDOM_ROUNDS,
        1,
        RANDOM_HANDS as u64,
        &mut |_| {
            black_box(sum(black_box(&added).iter().map(|&hand| evaluator.seven(hand))));
        },
        &mut |_| {
            black_box(their_sum(black_box(&their_added).iter().map(SevenCardAccum::rank)));
        },
    );
}

#[inline]
fn sum(values: impl Iterator<Item = HandValue>) -> u64 {
    values.map(|value| u64::from(value.number())).sum()
}

#[inline]
fn their_sum(ranks: impl Iterator<Item = TheirRank>) -> u64 {
    ranks.map(|rank| u64::from(rank.value_bits())).sum()
}
