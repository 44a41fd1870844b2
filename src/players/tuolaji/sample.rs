//! Imagining where the hidden cards lie: hands that agree with everything that has been shown.

use crate::cards::{Card, Pack};
use crate::games::tuolaji::bag::{Bag, card_points};
use crate::games::tuolaji::ladder::Group;
use crate::games::tuolaji::seat_named;
use crate::games::tuolaji::view::View;
use crate::players::Dice;

use super::sight::Sight;

/// What is known of the other hands beyond who has run out of what.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Cards that a seat has shown and not played since.
    shown: [Bag; 4],
    /// How many cards each seat holds.
    left: [usize; 4],
}

impl Known {
    /// From the calls, the failed throws and the counts of a view.
    pub(super) fn of(view: &View, sight: &Sight) -> Option<Known> {
        let mut left = [0; 4];
        for (place, count) in left.iter_mut().zip(view.cards_left) {
            *place = usize::from(count?);
        }
        let mut shown = [Bag::EMPTY; 4];
        for call in &view.calls {
            if let Some(bag) = seat_named(call.seat).and_then(|seat| shown.get_mut(seat.index())) {
                *bag = bag.union(call.cards);
            }
        }
        for trick in view.memory.iter().chain([&view.trick]) {
            if let Some(attempt) = &trick.attempt
                && let Some(bag) = seat_named(attempt.seat).and_then(|seat| shown.get_mut(seat.index()))
            {
                *bag = bag.union(attempt.cards.unwrap_or_default());
            }
            let Some(leader) = seat_named(trick.leader) else { continue };
            for (turn, play) in trick.plays.iter().enumerate() {
                if let Some(bag) = shown.get_mut((leader.index() + turn) % 4) {
                    *bag = bag.minus(*play);
                }
            }
        }
        // The banker may have laid away what he showed.
        if let Some(bag) = shown.get_mut(sight.banker) {
            *bag = Bag::EMPTY;
        }
        Some(Known { shown, left })
    }
}

/// Four hands and the bottom that agree with what is known; the seat's own hand is its own. After a number of failed
/// tries what has been told about voids is let go, so that there is always an answer; `None` if the counts do not fit.
pub(super) fn world(
    sight: &Sight,
    known: &Known,
    bottom: Option<Bag>,
    dice: &mut Dice,
) -> Option<([Bag; 4], Bag)> {
    (0..12).find_map(|attempt| deal(sight, known, bottom, dice, attempt < 10))
}

fn deal(
    sight: &Sight,
    known: &Known,
    bottom: Option<Bag>,
    dice: &mut Dice,
    strict: bool,
) -> Option<([Bag; 4], Bag)> {
    // Places 0 to 3 are the seats, 4 is the bottom.
    let mut places = [Bag::EMPTY; 5];
    let mut room = [0_usize; 5];
    room[..4].copy_from_slice(&known.left);
    room[4] = if bottom.is_some() { 0 } else { sight.hidden_bottom() };
    *places.get_mut(sight.me)? = sight.hand;
    *room.get_mut(sight.me)? = 0;
    let mut unseen = sight.unseen;
    for (seat, shown) in known.shown.iter().enumerate().filter(|(seat, _)| *seat != sight.me) {
        if unseen.contains_all(*shown) && room[seat] >= shown.len() {
            unseen = unseen.minus(*shown);
            places[seat] = *shown;
            room[seat] -= shown.len();
        }
    }
    // The whole pack is shuffled, so that what is drawn first does not depend on which cards are out.
    let mut cards = Pack::TwoWithJokers.cards();
    dice.shuffle(&mut cards);
    let mut left = unseen;
    cards.retain(|card| {
        let one = Bag::from_iter([*card]);
        let out = left.contains_all(one);
        if out {
            left = left.minus(one);
        }
        out
    });
    let may = |place: usize, card: Card, places: &[Bag; 5]| {
        if place == 4 || !strict {
            return true;
        }
        let gone = sight.told.of(place, sight.ladder.group(card));
        !(gone.void || gone.pairs && places[place].count(card) > 0)
    };
    // Cards that few may hold first.
    cards.sort_by_key(|card| (0..4).filter(|seat| *seat != sight.me && may(*seat, *card, &places)).count());
    for card in cards {
        // Bankers keep trumps and points: they are rarely laid away.
        let away = match (sight.ladder.group(card), card_points(card)) {
            (Group::Trump, _) => 1,
            (_, 0) => 8,
            _ => 2,
        };
        let weights: [usize; 5] = std::array::from_fn(|place| {
            if may(place, card, &places) { room[place] * if place == 4 { away } else { 8 } } else { 0 }
        });
        let mut pick = dice.index(weights.iter().sum());
        let place = weights.iter().position(|weight| {
            if pick < *weight {
                return true;
            }
            pick -= weight;
            false
        })?;
        if !places[place].add(card) {
            return None;
        }
        room[place] -= 1;
    }
    let [east, north, west, south, away] = places;
    (room == [0; 5]).then_some(([east, north, west, south], bottom.unwrap_or(away)))
}
