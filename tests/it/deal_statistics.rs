//! Is the shuffle fair? Fixed seeds, so that the answer is always the same; every measure is also shown to notice
//! an unfair shuffle.
//!
//! Each measure counts `shuffles` draws into cells with known chances and sums `(found − expected)² ÷ expected`.
//! Over independent cells of chance `p` the sum is expected to be `Σ (1 − p)`; its spread is close to that of
//! chi-squared with as many degrees of freedom. A fair shuffle stays within five spreads, both ways: too even is as
//! suspicious as too uneven.

use fushi::cards::{Card, Pack};
use fushi::dealing::{ChaChaWords, DelayedValue, SetDealer, SetKey, WordSource, draw_below};

/// How many spreads a sum of squares is away from what fairness gives.
fn distance(found: &[u32], chances: &[f64], draws: u32) -> f64 {
    let (mut sum, mut expected_sum) = (0.0, 0.0);
    for (found, chance) in found.iter().zip(chances) {
        let expected = f64::from(draws) * chance;
        assert!(expected >= 50.0, "too few shuffles for this cell");
        sum += (f64::from(*found) - expected).powi(2) / expected;
        expected_sum += 1.0 - chance;
    }
    (sum - expected_sum) / (2.0 * expected_sum).sqrt()
}

fn dealer(pack: Pack) -> SetDealer {
    SetDealer::new(pack, &SetKey::practice("statistics"), &[1; 32], &DelayedValue::none(), "S")
}

const FACES: usize = Card::FACES as usize;

fn face(card: Card) -> usize {
    usize::from(card.index())
}

fn size_of(pack: Pack) -> f64 {
    f64::from(u8::try_from(pack.size()).unwrap())
}

/// Every card in every position.
fn positions(pack: Pack, shuffles: u32, mut deal: impl FnMut(u32) -> Vec<Card>) -> f64 {
    let size = pack.size();
    let mut copies = [0u32; FACES];
    pack.cards().into_iter().for_each(|card| copies[face(card)] += 1);
    let mut found = vec![0u32; FACES * size];
    for board in 1..=shuffles {
        for (position, card) in deal(board).into_iter().enumerate() {
            found[face(card) * size + position] += 1;
        }
    }
    let cells: Vec<usize> = (0..found.len()).filter(|cell| copies[cell / size] > 0).collect();
    let found: Vec<u32> = cells.iter().map(|cell| found[*cell]).collect();
    let chances: Vec<f64> = cells.iter().map(|cell| f64::from(copies[cell / size]) / size_of(pack)).collect();
    distance(&found, &chances, shuffles)
}

/// Every card right after every other card.
fn neighbours(pack: Pack, shuffles: u32, mut deal: impl FnMut(u32) -> Vec<Card>) -> f64 {
    let size = size_of(pack);
    let mut copies = [0u32; FACES];
    pack.cards().into_iter().for_each(|card| copies[face(card)] += 1);
    let mut found = vec![0u32; FACES * FACES];
    for board in 1..=shuffles {
        for pair in deal(board).windows(2) {
            found[face(pair[0]) * FACES + face(pair[1])] += 1;
        }
    }
    let (mut kept, mut chances) = (Vec::new(), Vec::new());
    for (cell, count) in found.into_iter().enumerate() {
        let (first, second) = (cell / FACES, cell % FACES);
        // How often the pair is expected in one shuffle; a face may follow its other copy.
        let pairs = copies[first] * (copies[second] - u32::from(first == second && copies[first] > 0));
        if pairs > 0 {
            kept.push(count);
            chances.push(f64::from(pairs) / size);
        } else {
            assert_eq!(count, 0);
        }
    }
    distance(&kept, &chances, shuffles)
}

/// Fisher–Yates with a fault: the partner is drawn from the whole pack at every step.
fn unfair(pack: Pack, board: u32) -> Vec<Card> {
    let mut key = [0; 32];
    key[..4].copy_from_slice(&board.to_le_bytes());
    let mut words = ChaChaWords::new(&key);
    let mut cards = pack.cards();
    let size = u8::try_from(cards.len()).unwrap();
    for last in (1..cards.len()).rev() {
        let other = usize::from(draw_below(&mut words, size));
        cards.swap(last, other);
    }
    cards
}

/// A fair start, then the pack is cut once more so that one pair always stays together.
fn sticky(board: u32) -> Vec<Card> {
    let mut cards = dealer(Pack::FiftyTwo).order(board);
    let ace = cards.remove(cards.iter().position(|card| card.index() == 12).unwrap());
    let king = cards.iter().position(|card| card.index() == 11).unwrap();
    if board.is_multiple_of(2) {
        cards.insert(king, ace);
    } else {
        cards.push(ace);
    }
    cards
}

#[test]
fn every_card_of_52_comes_to_every_position_equally_often() {
    let dealer = dealer(Pack::FiftyTwo);
    let fair = positions(Pack::FiftyTwo, 52_000, |board| dealer.order(board));
    assert!(fair.abs() < 5.0, "{fair} spreads from fair");
    let noticed = positions(Pack::FiftyTwo, 5_200, |board| unfair(Pack::FiftyTwo, board));
    assert!(noticed > 5.0, "an unfair shuffle is only {noticed} spreads from fair");
}

#[test]
fn every_card_of_108_comes_to_every_position_equally_often() {
    let dealer = dealer(Pack::TwoWithJokers);
    let fair = positions(Pack::TwoWithJokers, 27_000, |board| dealer.order(board));
    assert!(fair.abs() < 5.0, "{fair} spreads from fair");
    let noticed = positions(Pack::TwoWithJokers, 5_400, |board| unfair(Pack::TwoWithJokers, board));
    assert!(noticed > 5.0, "an unfair shuffle is only {noticed} spreads from fair");
}

#[test]
fn every_card_follows_every_other_card_equally_often() {
    for pack in [Pack::FiftyTwo, Pack::TwoWithJokers] {
        let dealer = dealer(pack);
        let fair = neighbours(pack, 27_000, |board| dealer.order(board));
        assert!(fair.abs() < 5.0, "{pack:?}: {fair} spreads from fair");
    }
    let noticed = neighbours(Pack::FiftyTwo, 2_700, sticky);
    assert!(noticed > 5.0, "a pair that sticks together is only {noticed} spreads from fair");
}

#[test]
fn neighbouring_boards_and_sets_have_nothing_in_common() {
    // The card in a position of one board against the same position of the next, and of the next set.
    let one = dealer(Pack::FiftyTwo);
    let key = SetKey::practice("statistics");
    let other = SetDealer::new(Pack::FiftyTwo, &key, &[1; 32], &DelayedValue::none(), "T");
    let mut same = [0u32; 2];
    let boards = 20_000u32;
    for board in 1..=boards {
        let cards = one.order(board);
        let matches =
            |other: &[Card]| u32::try_from(cards.iter().zip(other).filter(|(a, b)| a == b).count()).unwrap();
        same[0] += matches(&one.order(board + 1));
        same[1] += matches(&other.order(board));
    }
    for same in same {
        // Two fair orders agree in one place on average, with variance 1.
        let away = (f64::from(same) - f64::from(boards)) / f64::from(boards).sqrt();
        assert!(away.abs() < 5.0, "{away} spreads from independent");
    }
}

#[test]
fn the_sampler_is_unbiased() {
    let mut words = ChaChaWords::new(&[42; 32]);
    for bound in [2u8, 3, 7, 27, 52, 53, 54, 100, 108] {
        let draws = 20_000 * u32::from(bound).min(50);
        let mut found = vec![0u32; usize::from(bound)];
        for _ in 0..draws {
            found[usize::from(draw_below(&mut words, bound))] += 1;
        }
        let chances = vec![1.0 / f64::from(bound); found.len()];
        let away = distance(&found, &chances, draws);
        assert!(away.abs() < 5.0, "bound {bound}: {away} spreads from fair");
    }
}

/// Words of 8 bits only, to make the bias of a bare remainder visible.
struct Narrow(ChaChaWords);

impl WordSource for Narrow {
    fn next_word(&mut self) -> u32 {
        self.0.next_word() & 0xff
    }
}

#[test]
fn the_measure_notices_a_bare_remainder() {
    let mut words = Narrow(ChaChaWords::new(&[42; 32]));
    let mut found = vec![0u32; 52];
    for _ in 0..104_000 {
        found[usize::from(draw_below(&mut words, 52))] += 1;
    }
    assert!(distance(&found, &[1.0 / 52.0; 52], 104_000) > 5.0);
}
