//! The showdown: values of the live hands, who takes which pot, who must show and who may muck.
//!
//! Cards speak (PK-32): nothing here asks a player. Only cards that are out or turned up come into it.

use super::pots::{self, Pot};
use super::rules::ShowFirst;
use super::start::{SEATS_MAX, Street};
use super::state::{ShowOrder, State};
use crate::cards::Card;
use crate::games::holdem::eval::{Evaluator, HandValue};
use crate::games::{Seat, Seats};

impl State {
    /// Settles the pots and pays them out; `false` (and nothing done) if unknown cards decide.
    pub(super) fn settle(&mut self) -> bool {
        let mut pots = pots::layers(&self.total, self.live, self.dead);
        let contested = self.live.len() > 1;
        let unseen = if contested { self.wins_unseen() } else { None };
        if contested && unseen.is_none() && !self.value_hands() {
            return false;
        }
        for pot in &mut pots {
            let winners = match unseen {
                Some(seat) => {
                    if pot.eligible.contains(seat) {
                        Seats::one(seat)
                    } else {
                        Seats::NONE
                    }
                }
                None if contested => self.best(pot.eligible),
                None => pot.eligible,
            };
            if winners.is_empty() {
                return false;
            }
            pots::split(pot, winners, self.start.button, self.start.unit, self.rules.odd_chips);
        }
        for pot in &pots {
            for seat in pot.winners.iter() {
                self.stacks[seat.index()] += pot.shares[seat.index()];
            }
        }
        self.pots = pots;
        self.total = [0; SEATS_MAX];
        self.put = [0; SEATS_MAX];
        self.dead = 0;
        if contested {
            self.order = self.show();
        }
        true
    }

    /// The seats that give up the pot at the showdown. Hands that are turned up for an all-in cannot be mucked (PK-33),
    /// and a hand that lies open cannot be killed (PK-39): only one whose cards nobody knows is given up there.
    fn given_up(&self) -> Seats {
        let mucked = self.start.cards.mucked;
        if !self.face_up {
            return mucked;
        }
        mucked.iter().filter(|seat| self.hole(*seat).iter().any(Option::is_none)).collect()
    }

    /// The last live hand, if all others have been mucked: it wins unseen (PK-37). Where everybody is said to muck it
    /// is the last in the order of the showdown.
    fn wins_unseen(&self) -> Option<Seat> {
        let mucked = self.given_up();
        let kept: Seats = self.live.iter().filter(|seat| !mucked.contains(*seat)).collect();
        match kept.len() {
            0 => self.showing_order().iter().last().map(|(seat, _)| seat),
            1 => kept.iter().next(),
            _ => None,
        }
    }

    /// Values the live hands; `false` if a card that is needed is unknown.
    fn value_hands(&mut self) -> bool {
        let mut cards = [Card::SMALL_JOKER; 7];
        for (place, card) in cards.iter_mut().skip(2).zip(self.start.cards.board) {
            let Some(card) = card else { return false };
            *place = card;
        }
        let evaluator = Evaluator::get();
        for seat in self.live.iter() {
            if self.given_up().contains(seat) {
                continue;
            }
            match self.hole(seat) {
                [Some(first), Some(second)] => {
                    [cards[0], cards[1]] = [first, second];
                    self.values[seat.index()] = Some(evaluator.seven_cards(&cards));
                }
                _ => return false,
            }
        }
        true
    }

    /// The seats with the best known hand.
    fn best(&self, eligible: Seats) -> Seats {
        let mut best: Option<HandValue> = None;
        let mut winners = Seats::NONE;
        for seat in eligible.iter() {
            let Some(value) = self.values[seat.index()] else { continue };
            if best.is_none_or(|best| value > best) {
                best = Some(value);
                winners = Seats::one(seat);
            } else if best == Some(value) {
                winners = winners.with(seat);
            }
        }
        winners
    }

    /// The order of the showdown: the last aggressor of the last round of betting first, without one whoever opened
    /// that round (after the flop the first live seat left of the button), then clockwise (PK-34, PK-35). Without an
    /// all-in a hand that is beaten in every pot it is in for is mucked.
    fn show(&self) -> ShowOrder {
        let mut order = self.showing_order();
        for (seat, _) in order.iter() {
            let known = self.values[seat.index()].is_some();
            if known && (self.face_up || order.shown.is_empty() || self.may_win(seat, order.shown)) {
                order.shown = order.shown.with(seat);
            }
        }
        order
    }

    fn showing_order(&self) -> ShowOrder {
        let left = self.live.next_after(self.start.button);
        let aggressor = self.aggressor.filter(|seat| self.live.contains(*seat));
        let first = match self.rules.show_first {
            ShowFirst::LastAggressor => aggressor.or_else(|| match self.last_betting {
                Street::Preflop => self.live.next_after(self.start.blind_end()),
                _ => left,
            }),
            ShowFirst::LeftOfButton => left,
        };
        ShowOrder { first, all: self.live, shown: Seats::NONE }
    }

    /// Whether the hand is beaten by no hand shown before in some pot.
    fn may_win(&self, seat: Seat, shown: Seats) -> bool {
        let value = self.values[seat.index()];
        let beaten = |pot: &Pot| {
            pot.eligible.iter().any(|other| shown.contains(other) && self.values[other.index()] > value)
        };
        self.pots.iter().any(|pot| pot.eligible.contains(seat) && !beaten(pot))
    }
}
