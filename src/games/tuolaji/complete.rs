//! Completing a selection, and the automatic play after the hard limit (TL 9.1).
//!
//! One search serves both: the smallest legal play that contains the selected cards. Small means few points, then low
//! tiers (trumps above every side suit), the highest card compared first. It is not a suggestion of good play.

use std::cmp::Reverse;

use super::bag::{Bag, SUITS_UPWARDS, card_points, suit_order};
use super::follow::Duty;
use super::ladder::{Group, Ladder};
use super::shape::{Lead, PairsByTier, best_runs, pairs_by_tier};
use crate::cards::Card;
use crate::words::Message;

/// The order of automatic play: points, tier, suit (D C H S).
type Key = (u32, u8, u8);

fn key(ladder: &Ladder, card: Card) -> Key {
    (card_points(card), ladder.strength(card), suit_order(card))
}

/// The `count` smallest cards of a bag.
fn smallest(ladder: &Ladder, from: Bag, count: usize) -> Bag {
    let mut cards: Vec<Card> = from.cards().collect();
    cards.sort_by_key(|card| key(ladder, *card));
    cards.truncate(count);
    cards.into_iter().collect()
}

/// What a selection still needs to be a legal play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Cards must be taken back: nothing legal contains the whole selection.
    TakeBack,
    /// Number of cards of any kind that are missing.
    Cards(u8),
    /// Number of cards of the group led that are missing.
    GroupCards(Group, u8),
    /// Number of pairs of the group led that are missing.
    Pairs(Group, u8),
    /// Number of pairs of a tractor of the group led that is missing.
    Run(Group, u8),
}

impl Missing {
    /// The sentence for the player.
    #[must_use]
    pub fn message(&self) -> Message {
        match *self {
            Missing::TakeBack => Message::plain("tuolaji-missing-take-back"),
            Missing::Cards(count) => Message::plain("tuolaji-missing-cards").with("count", count),
            Missing::GroupCards(group, count) => Message::plain("tuolaji-missing-group-cards")
                .with("count", count)
                .with("group", group.letter()),
            Missing::Pairs(group, 1) => Message::plain("tuolaji-missing-pair").with("group", group.letter()),
            Missing::Pairs(group, count) => {
                Message::plain("tuolaji-missing-pairs").with("count", count).with("group", group.letter())
            }
            Missing::Run(group, length) => {
                Message::plain("tuolaji-missing-run").with("length", length).with("group", group.letter())
            }
        }
    }
}

/// A selection on its way to a legal play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is missing; empty when the selection is a legal play.
    pub missing: Vec<Missing>,
    /// The smallest legal play that contains the selection, if any does.
    pub play: Option<Bag>,
}

/// Says what a selection from a hand still lacks against a lead, and completes it.
///
/// The hand has at least as many cards as the lead, and the selection is a part of it; otherwise nothing completes.
#[must_use]
pub fn complete(ladder: &Ladder, lead: Lead, hand: Bag, selected: Bag) -> Completion {
    let duty = Duty::of(ladder, lead, hand);
    let play = smallest_play(ladder, &duty, hand, selected);
    let missing = if play.is_none() { vec![Missing::TakeBack] } else { missing(ladder, &duty, selected) };
    Completion { missing, play }
}

fn missing(ladder: &Ladder, duty: &Duty, selected: Bag) -> Vec<Missing> {
    let group = duty.lead.group;
    let mut missing = Vec::new();
    let chosen = selected.masked(ladder.mask(group));
    let count = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
    let group_cards = duty.cards.saturating_sub(count(chosen.len()));
    let cards = duty.lead.count.saturating_sub(count(selected.len()));
    if duty.whole_group() {
        if group_cards > 0 {
            missing.push(Missing::GroupCards(group, group_cards));
        }
        if cards > group_cards {
            missing.push(Missing::Cards(cards - group_cards));
        }
        return missing;
    }
    let mut paid = best_runs(ladder, group, chosen.pairs(), duty.lead.runs);
    missing.extend(
        duty.runs.iter().filter(|length| !paid.take(*length)).map(|length| Missing::Run(group, length)),
    );
    let pairs = u32::from(duty.pairs).saturating_sub(chosen.pair_count());
    if pairs > 0 {
        missing.push(Missing::Pairs(group, u8::try_from(pairs).unwrap_or(u8::MAX)));
    }
    if group_cards > 0 {
        missing.push(Missing::GroupCards(group, group_cards));
    }
    missing
}

/// The smallest legal play of a hand that contains `selected`.
fn smallest_play(ladder: &Ladder, duty: &Duty, hand: Bag, selected: Bag) -> Option<Bag> {
    if !hand.contains_all(selected) {
        return None;
    }
    let size = usize::from(duty.lead.count);
    if duty.whole_group() {
        let base = duty.held.union(selected);
        let more = size.checked_sub(base.len())?;
        let play = base.plus(smallest(ladder, hand.minus(base), more));
        return (play.len() == size).then_some(play);
    }
    if !duty.held.contains_all(selected) || selected.len() > size {
        return None;
    }
    let mut search = Search { ladder, duty, size, best: None };
    let mut open = pairs_by_tier(ladder, duty.lead.group, duty.held.pairs());
    let lengths: Vec<u8> = duty.runs.iter().collect();
    search.place(&mut open, &lengths, selected);
    search.best.map(|(_, play)| play)
}

/// Tries every placement of the owed runs; the rest of the play then follows greedily, which is exact because every
/// exchange of a card for a smaller one makes the play smaller.
struct Search<'a> {
    ladder: &'a Ladder,
    duty: &'a Duty,
    size: usize,
    best: Option<((u32, Vec<u8>), Bag)>,
}

impl Search<'_> {
    fn place(&mut self, open: &mut PairsByTier, lengths: &[u8], chosen: Bag) {
        let Some((length, rest)) = lengths.split_first() else {
            self.fill(chosen);
            return;
        };
        let size = usize::from(*length);
        for start in 0..=open.len().saturating_sub(size) {
            let tiers = start..start + size;
            if open.get(tiers.clone()).is_none_or(|run| run.contains(&0)) {
                continue;
            }
            let mut with_run = chosen;
            for tier in tiers.clone() {
                // Of several pairs on the tier, the next one that is not used by another run, selected cards first.
                let used = usize::from(self.held_at(tier)) - usize::from(open[tier]);
                with_run = with_run.union(Bag::pairs_of(self.nth_pair(tier, used, chosen)));
            }
            if with_run.len() > self.size {
                continue;
            }
            tiers.clone().for_each(|tier| open[tier] -= 1);
            self.place(open, rest, with_run);
            tiers.for_each(|tier| open[tier] += 1);
        }
    }

    fn pair_faces(&self, tier: usize) -> u64 {
        u8::try_from(tier)
            .map_or(0, |tier| self.ladder.faces_at(self.duty.lead.group, tier) & self.duty.held.pairs())
    }

    fn held_at(&self, tier: usize) -> u8 {
        u8::try_from(self.pair_faces(tier).count_ones()).unwrap_or(0)
    }

    fn nth_pair(&self, tier: usize, nth: usize, chosen: Bag) -> u64 {
        let mut faces: Vec<Card> = Bag::singles_of(self.pair_faces(tier)).cards().collect();
        faces.sort_by_key(|card| (Reverse(chosen.count(*card)), suit_order(*card)));
        faces.get(nth).map_or(0, |card| 1 << card.index())
    }

    /// Adds the missing pairs, then the missing cards, smallest first.
    fn fill(&mut self, chosen: Bag) {
        let mut play = chosen;
        let lacking = usize::from(self.duty.pairs).saturating_sub(play.pair_count() as usize);
        let mut pairs: Vec<Card> = Bag::singles_of(self.duty.held.pairs() & !play.pairs()).cards().collect();
        pairs.sort_by_key(|card| (Reverse(play.count(*card)), key(self.ladder, *card)));
        for card in pairs.into_iter().take(lacking) {
            play = play.union(Bag::pairs_of(1 << card.index()));
        }
        let Some(more) = self.size.checked_sub(play.len()) else { return };
        play = play.plus(smallest(self.ladder, self.duty.held.minus(play), more));
        if play.len() != self.size {
            return;
        }
        let mut strengths: Vec<u8> = play.cards().map(|card| self.ladder.strength(card)).collect();
        strengths.sort_unstable_by_key(|strength| Reverse(*strength));
        let size = (play.points(), strengths);
        if self.best.as_ref().is_none_or(|(best, _)| size < *best) {
            self.best = Some((size, play));
        }
    }
}

/// The automatic follow: the smallest legal play. `None` only for a hand with fewer cards than the lead.
#[must_use]
pub fn automatic_follow(ladder: &Ladder, lead: Lead, hand: Bag) -> Option<Bag> {
    smallest_play(ladder, &Duty::of(ladder, lead, hand), hand, Bag::EMPTY)
}

/// The automatic lead: the lowest single of the longest side suit (of equal ones in the order D C H S); the lowest
/// trump when there is nothing else.
#[must_use]
pub fn automatic_lead(ladder: &Ladder, hand: Bag) -> Option<Bag> {
    let longest = SUITS_UPWARDS
        .into_iter()
        .map(|suit| hand.masked(ladder.mask(Group::Side(suit))))
        .rev()
        .max_by_key(|cards| cards.len())
        .filter(|cards| !cards.is_empty())
        .unwrap_or(hand);
    let card = longest.cards().min_by_key(|card| (ladder.strength(*card), suit_order(*card)))?;
    Some(Bag::from_iter([card]))
}

/// The automatic lay-away: the eight smallest cards.
#[must_use]
pub fn automatic_lay_away(ladder: &Ladder, hand: Bag, count: usize) -> Bag {
    smallest(ladder, hand, count)
}
