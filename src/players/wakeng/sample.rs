//! Worlds: guesses where the hidden cards lie, drawn from the seat's own chance and what it has seen.

use super::hand::Table;
use super::sim::{World, next};
use super::{bidding, spot};
use crate::cards::{CardSet, Pack};
use crate::games::Seat;
use crate::games::wakeng::{Bid, FirstLead, Rules, SEATS, View};
use crate::rng::GameRng;

/// Deals tried until one agrees with the bids.
const TRIES_MAX: usize = 6;
/// How far a bid may be from what level 1 would have bid, in thousandths of a logit.
const TOLERANCE: i32 = 350;

/// Cards dealt by lot: `sizes[i]` of `cards` to each of the places. The whole pack is shuffled, so that what is drawn
/// first does not depend on which cards are out.
fn deal<const N: usize>(cards: CardSet, sizes: [usize; N], chance: &mut GameRng) -> [CardSet; N] {
    let mut pack = Pack::FiftyTwo.cards();
    chance.shuffle(&mut pack);
    let mut rest = pack.into_iter().filter(|card| cards.contains(*card));
    sizes.map(|size| rest.by_ref().take(size).collect())
}

/// Whether what a seat was dealt agrees with what it bid.
fn agrees(table: &Table, view: &View, seat: Seat, dealt: CardSet) -> bool {
    let Some((_, bid)) = view.bids.iter().find(|(who, _)| *who == seat) else { return true };
    let chance = bidding::as_bidder(table, dealt);
    let before = view.bids.iter().take_while(|(who, _)| *who != seat).map(|(_, bid)| bid.points()).max();
    let would = |chance| bidding::bid(chance, before.unwrap_or(0));
    match bid {
        Bid::None => would(chance - TOLERANCE) == Bid::None,
        _ => would(chance + TOLERANCE) >= *bid,
    }
}

/// A world in the middle of the play; `None` for views that do not tell how many cards the others hold.
pub(super) fn in_play(table: &Table, view: &View, chance: &mut GameRng) -> Option<World> {
    let spot = spot(view)?;
    view.counts.iter().all(Option::is_some).then_some(())?;
    let hidden = |seat: usize| usize::from(spot.held[seat]).saturating_sub(spot.known[seat].len());
    let mut hands = [CardSet::EMPTY; SEATS];
    for _ in 0..TRIES_MAX {
        let sizes = [0, 1, 2].map(|seat| if seat == spot.me.index() { 0 } else { hidden(seat) });
        let drawn = deal(spot.unseen, sizes, chance);
        hands = [0, 1, 2].map(|seat| drawn[seat].union(spot.known[seat]));
        hands[spot.me.index()] = spot.hand;
        let sound = (0..3).map(Seat).filter(|seat| *seat != spot.me).all(|seat| {
            let held = hands[seat.index()].union(view.played_by(seat));
            let bottom = if seat == spot.banker { view.bottom.unwrap_or_default() } else { CardSet::EMPTY };
            agrees(table, view, seat, held.difference(bottom))
        });
        if sound {
            break;
        }
    }
    Some(World {
        hands,
        banker: spot.banker,
        turn: spot.me,
        over: spot.over,
        passes: u8::from(spot.passed),
        bombs: view.bombs,
        bottom: view.bottom.unwrap_or_default(),
        shown: view.shown.map(|hand| hand.is_some()),
    })
}

/// A world at the beginning of the play with a given banker, from a view before the play. While the bottom is face
/// down it is drawn as well.
pub(super) fn before_play(
    table: &Table,
    rules: &Rules,
    view: &View,
    banker: Seat,
    chance: &mut GameRng,
) -> Option<World> {
    let me = view.viewer?;
    let own = view.hand?;
    let mut hands = [CardSet::EMPTY; SEATS];
    let mut bottom = CardSet::EMPTY;
    for _ in 0..TRIES_MAX {
        let known = [0, 1, 2].map(|seat| view.known(Seat(seat)));
        let all = known.iter().fold(own, |all, cards| all.union(*cards));
        let unseen = CardSet::FIFTY_TWO.difference(all);
        let size =
            |seat: usize| usize::from(view.counts[seat].unwrap_or(16)).saturating_sub(known[seat].len());
        let drawn = deal(unseen, [size(0), size(1), size(2), 4], chance);
        hands = [0, 1, 2].map(|seat| drawn[seat].union(known[seat]));
        hands[me.index()] = own;
        bottom = view.bottom.unwrap_or(drawn[3]);
        let dealt = |seat: Seat| {
            let held = hands[seat.index()];
            if view.banker == Some(seat) { held.difference(bottom) } else { held }
        };
        if (0..3).map(Seat).filter(|seat| *seat != me).all(|seat| agrees(table, view, seat, dealt(seat))) {
            break;
        }
    }
    if view.banker.is_none() {
        let hand = hands.get_mut(banker.index())?;
        *hand = hand.union(bottom);
    }
    let turn = match rules.first_lead {
        FirstLead::FirstSpeaker => view.first.unwrap_or(me),
        FirstLead::LowestCard => (0..3)
            .map(Seat)
            .find(|seat| hands[seat.index()].contains(rules.lowest_card()))
            .unwrap_or(next(me)),
    };
    let shown = view.shown.map(|hand| hand.is_some());
    Some(World { hands, banker, turn, over: None, passes: 0, bombs: 0, bottom, shown })
}
