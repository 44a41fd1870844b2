//! `holdem-1`: hand strength against any hand, pot odds, position.

use super::range::{Ladder, better_starts, share_against_any};
use super::reading::Reading;
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
            definition: "2; opens the best 700/480/330/250/200/160 of 1000 starting hands by rivals and limpers; \
                         facing a raise raises 45 and calls 600/420/170 by price, facing two 25 and 130/70, more 15 \
                         and 40; against bets larger than the levels make, calls by the share against any hand, \
                         all-in at 640; then strength against any hand to the power of rivals, outs 20 a street; \
                         bet 2/3 pot at 650, raise at 850, call at the price",
        }
    }

    fn choose(&self, ask: &Ask<'_, Holdem>) -> Option<Action> {
        let Some(reading) = Reading::of(ask.view()) else { return ask.options().next() };
        Some(if reading.street == 0 { before_flop(&reading) } else { after_flop(&reading) })
    }
}

fn before_flop(reading: &Reading) -> Action {
    let place = u64::from(better_starts(reading.hole));
    let raises = reading.raises_on(0);
    if raises == 0 {
        let limpers =
            reading.rivals.iter().filter(|rival| rival.put == reading.bet && !rival.big_blind).count();
        let open = match reading.rivals.len() + limpers {
            0 | 1 => 700,
            2 => 480,
            3 => 330,
            4 => 250,
            5 => 200,
            _ => 160,
        };
        return if place < open {
            reading.raise_to(reading.big_blind.saturating_mul(3 + limpers as u64))
        } else {
            reading.give_up()
        };
    }
    if reading.wild() {
        return against_wild(reading);
    }
    let price = reading.price();
    match raises {
        1 => {
            let call = if reading.rivals.len() == 1 {
                600
            } else if price < 330 {
                420
            } else {
                170
            };
            if place < 45 {
                reading.raise_to(reading.bet.saturating_mul(3))
            } else if place < call {
                reading.stay()
            } else {
                reading.give_up()
            }
        }
        2 => {
            let call = if reading.my_raises[0] > 0 { 130 } else { 70 };
            if place < 25 {
                reading.raise_to(reading.bet.saturating_mul(5) / 2)
            } else if place < call && price < 400 {
                reading.stay()
            } else {
                reading.give_up()
            }
        }
        _ => {
            if place < 15 {
                reading.raise_to(reading.bet.saturating_mul(3))
            } else if place < 40 {
                reading.stay()
            } else {
                reading.give_up()
            }
        }
    }
}

/// Facing a bet that is larger than the levels ever make: it says little about the hand behind it, so a hand is worth
/// what it wins against any other.
fn against_wild(reading: &Reading) -> Action {
    let one = share_against_any(reading.hole);
    let (paid, open) = reading.answered();
    let strength = (1..paid.max(1)).fold(one, |all, _| all * one / 1000);
    if paid <= 1 && one >= 640 {
        return reading.most();
    }
    if strength >= reading.price() + 30 + open * 10 { reading.stay() } else { reading.give_up() }
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
    let strength = if reading.wild() { strength } else { strength.saturating_sub(raises * 60) };
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
