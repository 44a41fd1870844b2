//! `holdem-1`: hand strength against any hand, pot odds, position.

use super::range::Ladder;
use super::reading::Reading;
use crate::cards::{Card, Rank};
use crate::games::GameKind;
use crate::games::holdem::eval::{Category, Evaluator, Hand};
use crate::games::holdem::{Action, Holdem};
use crate::players::{Ask, LevelInfo, Player};

/// Level one. It needs no chance.
#[derive(Clone, Copy, Debug)]
pub(super) struct HoldemOne;

impl Player<Holdem> for HoldemOne {
    fn info(&self) -> LevelInfo {
        LevelInfo {
            game: GameKind::Holdem,
            name: "holdem-1",
            definition: "1; starts by points 12/16/18, 24/18 facing a raise, 30/26 facing two; strength against any \
                         hand to the power of rivals, outs 20 a street; bet 2/3 pot at 650, raise at 850, call at \
                         the price",
        }
    }

    fn choose(&self, ask: &Ask<'_, Holdem>) -> Option<Action> {
        let Some(reading) = Reading::of(ask.view()) else { return ask.options().next() };
        Some(if reading.street == 0 { before_flop(&reading) } else { after_flop(&reading) })
    }
}

/// Points of a starting hand, in halves: high card, pairs doubled, suited, close together.
fn points(hole: [Card; 2]) -> u64 {
    let [first, second] = hole.map(|card| card.rank().unwrap_or(Rank::Two) as u64);
    let (high, low) = (first.max(second), first.min(second));
    let card = match high {
        12 => 20,
        11 => 16,
        10 => 14,
        9 => 12,
        _ => high + 2,
    };
    if high == low {
        return (card * 2).max(10);
    }
    let suited = if hole[0].suit() == hole[1].suit() { 4 } else { 0 };
    let gap = high - low - 1;
    let apart = match gap {
        0 => 0,
        1 => 2,
        2 => 4,
        3 => 8,
        _ => 10,
    };
    let close = if gap <= 1 && high < 10 { 2 } else { 0 };
    (card + suited + close).saturating_sub(apart)
}

fn before_flop(reading: &Reading) -> Action {
    let points = points(reading.hole);
    let small = |part: u64| reading.call.saturating_mul(part) <= reading.stack;
    match reading.raises_on(0) {
        0 => {
            let enough = match reading.behind {
                0 | 1 => 12,
                2 | 3 => 16,
                _ => 18,
            };
            if points >= enough {
                reading.raise_to(reading.big_blind.saturating_mul(3))
            } else {
                reading.give_up()
            }
        }
        1 => {
            if points >= 24 {
                reading.raise_to(reading.bet.saturating_mul(3))
            } else if points >= 18 && small(10) {
                reading.stay()
            } else {
                reading.give_up()
            }
        }
        _ => {
            if points >= 30 {
                reading.raise_to(reading.bet.saturating_mul(3))
            } else if points >= 26 && small(6) {
                reading.stay()
            } else {
                reading.give_up()
            }
        }
    }
}

fn after_flop(reading: &Reading) -> Action {
    let (better, equal) = Ladder::new(&reading.board, reading.unseen()).better_and_equal(reading.hole);
    let one = 1000 - better - equal / 2;
    let ahead = reading.rivals.iter().fold(1000, |all, _| all * one / 1000);
    let strength = (ahead + outs(reading) * 20).min(1000);
    let raises = reading.raises_on(reading.street);
    if reading.call == 0 {
        let enough = if reading.behind == 0 { 600 } else { 650 };
        return if strength >= enough { reading.raise_to(reading.pot_part(667)) } else { Action::Check };
    }
    // Who bets has more than any hand.
    let strength = strength.saturating_sub(raises * 60);
    if strength >= 850 && raises < 3 {
        reading.raise_to(reading.pot_part(750))
    } else if strength >= reading.price() {
        reading.stay()
    } else {
        reading.give_up()
    }
}

/// How many unseen cards make a straight or better next, if the hand is less now; counted once for each card to come.
fn outs(reading: &Reading) -> u64 {
    let evaluator = Evaluator::get();
    let hand: Hand = reading.hole.iter().chain(&reading.board).copied().collect();
    let complete =
        |hand: Hand| evaluator.value(hand).is_some_and(|value| value.category() >= Category::Straight);
    let streets: u64 = match reading.street {
        1 => 2,
        2 => 1,
        _ => return 0,
    };
    if complete(hand) {
        return 0;
    }
    let outs = reading.unseen().iter().filter(|&card| complete(hand.with(card))).count();
    outs as u64 * streets
}
