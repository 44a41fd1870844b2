//! Imagined boards played to their end by the rules of thumb of level 1.
//!
//! A [`World`] is a guess where the cards lie; it is made from a view and chance, never from the true board.

use super::hand::{RANKS, Table};
use super::policy::{self, Spot};
use crate::cards::CardSet;
use crate::games::Seat;
use crate::games::wakeng::{Combo, SEATS};

/// Most plays and passes of a board.
const STEPS_MAX: usize = 160;

/// A board in the middle of the play with every card in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct World {
    pub hands: [CardSet; SEATS],
    pub banker: Seat,
    pub turn: Seat,
    pub over: Option<(Combo, Seat)>,
    pub passes: u8,
    pub bombs: u8,
    /// The bottom cards, which everybody knows to be the banker's.
    pub bottom: CardSet,
    /// Seats whose hands are shown.
    pub shown: [bool; SEATS],
}

/// How an imagined board ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub banker_won: bool,
    pub bombs: u8,
}

pub(super) const fn next(seat: Seat) -> Seat {
    Seat((seat.0 + 1) % 3)
}

/// The cards of a combination out of a hand: of each rank the first suits in canonical order, as the generator does.
pub(super) fn cards_of(table: &Table, hand: CardSet, combo: Combo) -> CardSet {
    let ranks = super::hand::Counts::ranks(combo);
    let mut taken = [0_u8; RANKS];
    hand.iter()
        .filter(|card| {
            let Some(rank) = card.rank() else { return false };
            let strength = usize::from(table.shapes.strength(rank));
            let wanted = ranks.contains(&strength) && taken[strength] < combo.size;
            taken[strength] += u8::from(wanted);
            wanted
        })
        .collect()
}

impl World {
    fn hand(&self, seat: Seat) -> CardSet {
        self.hands.get(seat.index()).copied().unwrap_or_default()
    }

    /// What the seat to move would know here.
    fn spot(&self) -> Spot {
        let me = self.turn;
        let mut known = [CardSet::EMPTY; SEATS];
        let mut unseen = CardSet::EMPTY;
        let mut held = [0; SEATS];
        for seat in (0..3).map(Seat) {
            let hand = self.hand(seat);
            let index = seat.index();
            held[index] = u8::try_from(hand.len()).unwrap_or(0);
            if seat == me {
                continue;
            }
            known[index] = if self.shown[index] {
                hand
            } else if seat == self.banker {
                hand.intersection(self.bottom)
            } else {
                CardSet::EMPTY
            };
            unseen = unseen.union(hand.difference(known[index]));
        }
        Spot {
            me,
            banker: self.banker,
            hand: self.hand(me),
            held,
            known,
            unseen,
            over: self.over,
            passed: self.passes == 1,
        }
    }

    /// Carries out a play or a pass of the seat to move; the ending if that was the last card.
    pub(super) fn step(&mut self, table: &Table, combo: Option<Combo>) -> Option<Ending> {
        let me = self.turn;
        self.turn = next(me);
        let Some(combo) = combo else {
            self.passes += 1;
            if self.passes >= 2 {
                self.over = None;
                self.passes = 0;
            }
            return None;
        };
        let cards = cards_of(table, self.hand(me), combo);
        let hand = self.hand(me).difference(cards);
        if let Some(place) = self.hands.get_mut(me.index()) {
            *place = hand;
        }
        self.over = Some((combo, me));
        self.passes = 0;
        self.bombs += u8::from(table.shapes.is_bomb(combo));
        hand.is_empty().then_some(Ending { banker_won: me == self.banker, bombs: self.bombs })
    }

    /// Plays to the end; every decision costs one of `nodes`.
    pub(super) fn play_out(mut self, table: &Table, nodes: &mut u32) -> Ending {
        for _ in 0..STEPS_MAX {
            *nodes = nodes.saturating_sub(1);
            let combo = policy::choose(table, &self.spot());
            if let Some(ending) = self.step(table, combo) {
                return ending;
            }
        }
        // Every leader plays, so that a board ends long before; call it lost for the banker.
        Ending { banker_won: false, bombs: self.bombs }
    }
}
