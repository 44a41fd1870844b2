//! Calling by length, and laying away so that short suits are gone and points are safe.

use crate::cards::Suit;
use crate::games::tuolaji::BOTTOM;
use crate::games::tuolaji::action::Action;
use crate::games::tuolaji::bag::Bag;
use crate::games::tuolaji::call::{Strength, meaning};
use crate::games::tuolaji::ladder::{Group, Ladder, Trump};
use crate::games::tuolaji::view::View;

use super::policy::worth;

/// How many trumps a hand would have, a pair of them counting half a card more; in tenths.
fn length(view: &View, hand: Bag, trump: Trump) -> i32 {
    let ladder = Ladder::new(view.level, trump);
    let trumps = hand.masked(ladder.mask(Group::Trump));
    let count = i32::try_from(trumps.len()).unwrap_or(0);
    let pairs = i32::try_from(trumps.pair_count()).unwrap_or(0);
    // No trump has twelve trumps among four players: each is worth three of a suit's.
    let weight = if trump == Trump::None { 30 } else { 10 };
    count * weight + pairs * 5
}

/// The call to make, if any: a suit that is longer than the hand's share, a better one than what stands.
pub(super) fn call(view: &View, calls: &[Action]) -> Option<Action> {
    let hand = view.hand?;
    let cards = i32::try_from(hand.len()).unwrap_or(0);
    let standing = view.standing().map(|call| length(view, hand, call.trump));
    let mut best: Option<(i32, &Action)> = None;
    for action in calls {
        let Action::Call { cards: named, .. } = action else { continue };
        let Some((trump, strength)) = meaning(&view.rules, view.level, named.cards) else { continue };
        let held = length(view, hand, trump);
        // A third of the hand is the fair share of a trump suit; a single is easily overcalled.
        let needed = match (standing, strength) {
            (None, Strength::Single) => cards * 4 + 10,
            (None, Strength::Pair) => cards * 35 / 10 + 10,
            (None, Strength::NoTrump) => cards * 5 + 20,
            (Some(standing), Strength::NoTrump) => standing + cards + 40,
            (Some(standing), _) => standing + 15,
        };
        let gain = held - needed;
        if gain > 0 && best.is_none_or(|(known, _)| gain > known) {
            best = Some((gain, action));
        }
    }
    best.map(|(_, action)| action.clone())
}

/// Eight cards to lay away: the set of whole side suits and single cards that costs least.
pub(super) fn lay_away(ladder: &Ladder, hand: Bag) -> Bag {
    let mut best: Option<(i32, Bag)> = None;
    for voids in 0..16_u32 {
        let mut away = Bag::EMPTY;
        let mut gain = 0;
        for suit in Suit::ALL {
            let cards = hand.masked(ladder.mask(Group::Side(suit)));
            if voids >> suit as u32 & 1 == 1 && !cards.is_empty() {
                away = away.plus(cards);
                gain += 60;
            }
        }
        let Some(more) = BOTTOM.checked_sub(away.len()) else { continue };
        let mut rest: Vec<_> = hand.minus(away).cards().collect();
        rest.sort_by_key(|card| (keep(ladder, hand, *card), *card));
        away = rest.into_iter().take(more).fold(away, |away, card| away.plus(Bag::from_iter([card])));
        let cost: i32 = away.cards().map(|card| keep(ladder, hand, card)).sum::<i32>() - gain;
        if away.len() == BOTTOM && best.is_none_or(|(known, _)| cost < known) {
            best = Some((cost, away));
        }
    }
    best.map_or_else(|| hand.cards().take(BOTTOM).collect(), |(_, away)| away)
}

/// What it costs to lay a card away.
fn keep(ladder: &Ladder, hand: Bag, card: crate::cards::Card) -> i32 {
    let one = Bag::from_iter([card]);
    let pair = if hand.count(card) == 2 { 25 } else { 0 };
    let trump = if ladder.group(card) == Group::Trump { 150 } else { 0 };
    worth(ladder, card) + pair + trump + 8 * i32::try_from(one.points()).unwrap_or(0)
}
