//! Hands that a position does not list, or lists in part: what such a seat may play nevertheless.
//!
//! Nothing here guesses at cards; it only says which ones cannot be there.

use super::HAND;
use super::bag::Bag;
use super::refusal::Illegal;
use super::state::{Phase, State};
use crate::cards::Card;
use crate::games::Seat;

impl State {
    /// Whether the seat on turn plays from a hand of which a position tells too little to list its plays.
    pub(super) fn asks_an_unknown_hand(&self) -> bool {
        let needed = self.lead.map_or(1, |lead| usize::from(lead.count));
        self.phase == Phase::Play && self.hand(self.turn).is_none_or(|hand| hand.len() < needed)
    }

    /// Whether a seat of a position can hold cards that it does not list: no face is there more than twice over all
    /// that is listed, played, laid away or seen in a failed throw, and no seat has more than 25 cards.
    pub(super) fn can_hold(&self, seat: Seat, cards: Bag) -> Result<(), Illegal> {
        let tricks = || self.tricks.iter().chain([&self.trick]);
        let played_by = |seat: Seat| tricks().filter_map(move |trick| trick.play_of(seat));
        let mut elsewhere: Vec<Card> = self.bottom.iter().flat_map(|bottom| bottom.cards()).collect();
        for other in (0..4).map(Seat) {
            elsewhere.extend(played_by(other).flat_map(Bag::cards));
            if other == seat {
                continue;
            }
            let seen = match self.hand(other) {
                Some(listed) => listed,
                None => self.seen_and_kept(other),
            };
            elsewhere.extend(seen.cards());
        }
        let impossible: Bag = elsewhere
            .iter()
            .filter(|card| {
                let lies = elsewhere.iter().filter(|other| other == card).count();
                cards.count(**card) > 0 && lies + usize::from(cards.count(**card)) > 2
            })
            .copied()
            .collect();
        if !impossible.is_empty() {
            return Err(Illegal::LiesElsewhere(Bag::singles_of(impossible.faces())));
        }
        let played: usize = played_by(seat).map(Bag::len).sum();
        if played + cards.len() > HAND {
            return Err(Illegal::MoreThanAHand { played, given: cards.len() });
        }
        Ok(())
    }

    /// What a seat without a listed hand has shown in failed throws and not played since.
    fn seen_and_kept(&self, seat: Seat) -> Bag {
        let mut kept = Bag::EMPTY;
        for trick in self.tricks.iter().chain([&self.trick]) {
            if let Some(attempt) = trick.attempt.as_ref().filter(|attempt| attempt.seat == seat) {
                kept = kept.union(attempt.cards);
            }
            if let Some(play) = trick.play_of(seat) {
                kept = kept.minus(play);
            }
        }
        kept
    }
}
