//! An imagined board: four known hands, played on by the rules of thumb.

use crate::games::tuolaji::bag::Bag;
use crate::games::tuolaji::ladder::Ladder;
use crate::games::tuolaji::shape::{Kind, Lead};
use crate::games::tuolaji::throw;
use crate::games::tuolaji::winner::winner;

use super::policy::{self, worth};
use super::sight::{Sight, Told, points};

/// A board in which every card is imagined to be known.
#[derive(Clone, Debug)]
pub(super) struct Sim {
    pub ladder: Ladder,
    pub banker: usize,
    pub hands: [Bag; 4],
    pub bottom: Bag,
    pub leader: usize,
    pub plays: Vec<Bag>,
    pub lead: Option<Lead>,
    pub told: Told,
    /// Points of the defenders, less those of the other side: won tricks, penalties, the bottom.
    pub score: i32,
    /// Plays made so far: the unit of the search's budget.
    pub nodes: u32,
}

impl Sim {
    fn defends(&self, seat: usize) -> bool {
        (seat ^ self.banker) & 1 == 1
    }

    fn turn(&self) -> usize {
        (self.leader + self.plays.len()) % 4
    }

    /// Plays cards from the hand whose turn it is. A throw that somebody blocks is replaced by its smallest blocked
    /// part, and paid for.
    pub(super) fn play(&mut self, cards: Bag) {
        self.nodes += 1;
        let seat = self.turn();
        let mut cards = cards;
        if let Some(lead) = self.lead {
            self.told.learn(&self.ladder, &lead, seat, cards);
        } else {
            cards = self.thrown(seat, cards);
            self.lead = Lead::of(&self.ladder, cards);
        }
        if let Some(hand) = self.hands.get_mut(seat) {
            *hand = hand.minus(cards);
        }
        self.plays.push(cards);
        if self.plays.len() == 4 {
            self.finish_trick();
        }
    }

    fn thrown(&mut self, seat: usize, cards: Bag) -> Bag {
        let Some(group) = self.ladder.single_group(cards) else { return cards };
        let others: Vec<Bag> = (0..4)
            .filter(|other| *other != seat)
            .filter_map(|other| self.hands.get(other).copied())
            .collect();
        let Some(blocked) = throw::attempt(&self.ladder, group, cards, &others) else { return cards };
        let penalty = 10 * i32::try_from(blocked.cards()).unwrap_or(0);
        self.score += if self.defends(seat) { -penalty } else { penalty };
        let part =
            blocked.stands().iter().find(|part| part.kind == Kind::Single).or(blocked.stands().first());
        part.map_or(cards, |part| part.cards)
    }

    fn finish_trick(&mut self) {
        let Some(lead) = self.lead.take() else { return };
        let best = (self.leader + winner(&self.ladder, &lead, &self.plays)) % 4;
        let gained: i32 = self.plays.iter().map(|play| points(*play)).sum();
        if self.defends(best) {
            self.score += gained;
        }
        if self.over() && self.defends(best) {
            self.score += points(self.bottom) * (2 << lead.longest().min(6));
        }
        self.leader = best;
        self.plays.clear();
    }

    pub(super) fn over(&self) -> bool {
        self.hands.iter().all(|hand| hand.is_empty())
    }

    /// Plays on by the rules of thumb until a number of tricks is complete or the board is over.
    pub(super) fn play_on(&mut self, tricks: usize, pack: Bag, mut played: Bag) {
        let mut left = tricks;
        while left > 0 && !self.over() {
            let seat = self.turn();
            let hand = self.hands.get(seat).copied().unwrap_or_default();
            let bottom = if seat == self.banker { self.bottom } else { Bag::EMPTY };
            let sight = Sight {
                ladder: self.ladder,
                me: seat,
                banker: self.banker,
                hand,
                unseen: pack.minus(hand).minus(played).minus(bottom),
                leader: self.leader,
                plays: self.plays.clone(),
                lead: self.lead,
                told: self.told,
            };
            let Some(best) = policy::candidates(&sight, policy::NARROW).into_iter().next() else { return };
            let before = hand;
            self.play(best.cards);
            let after = self.hands.get(seat).copied().unwrap_or_default();
            played = played.plus(before.minus(after));
            if self.plays.is_empty() {
                left -= 1;
            }
        }
    }

    /// The board's value for the defenders, in tenths of a point: the score, and what the hands are still worth.
    pub(super) fn value(&self) -> i32 {
        let mut value = 10 * self.score;
        for (seat, hand) in self.hands.iter().enumerate() {
            let worth: i32 = hand.cards().map(|card| worth(&self.ladder, card)).sum();
            value += if self.defends(seat) { worth / 2 } else { -worth / 2 };
        }
        value
    }
}
