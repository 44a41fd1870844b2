//! Rules of thumb for leading and following: every candidate is valued in tenths of a point, best first.
//!
//! A play is worth the points that its side then expects from the trick, less the strength it spends. The same rules
//! play out the imagined boards of the stronger level, only with fewer candidates.

use crate::cards::Card;
use crate::games::tuolaji::bag::Bag;
use crate::games::tuolaji::complete::automatic_follow;
use crate::games::tuolaji::follow::Duty;
use crate::games::tuolaji::ladder::{Group, Ladder};
use crate::games::tuolaji::plays::Plays;
use crate::games::tuolaji::shape::{Component, Kind, Lead, decompose, highest_run};
use crate::games::tuolaji::winner::{Power, power};

use super::sight::{Sight, points};

/// How many plays from either end of a long list are looked at.
pub(super) const WIDE: usize = 40;
/// The same in imagined boards.
pub(super) const NARROW: usize = 5;

/// A play and its value in tenths of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub cards: Bag,
    pub value: i32,
}

/// What a card is worth in hand, beyond its points: tenths of a point.
pub(super) fn worth(ladder: &Ladder, card: Card) -> i32 {
    let tier = i32::from(ladder.tier(card));
    if ladder.group(card) == Group::Trump {
        match (card.is_joker(), tier) {
            (true, _) => 80 + if card == Card::BIG_JOKER { 25 } else { 0 },
            (false, 12..) => 55,
            _ => 18 + 2 * tier,
        }
    } else {
        match tier {
            11 => 25,
            10 => 12,
            9 => 7,
            _ => tier / 2,
        }
    }
}

/// What a play spends: the worth of its cards and of the pairs it breaks.
fn spent(sight: &Sight, play: Bag) -> i32 {
    let broken = play.faces() & !play.pairs() & sight.hand.pairs();
    let broken = i32::try_from(broken.count_ones()).unwrap_or(0);
    play.cards().map(|card| worth(&sight.ladder, card)).sum::<i32>() + 12 * broken
}

/// Candidates for the seat's turn, best first; equal ones in a fixed order. Empty only for a hand without cards.
pub(super) fn candidates(sight: &Sight, width: usize) -> Vec<Candidate> {
    let mut list = match sight.lead {
        None => leads(sight),
        Some(lead) => follows(sight, &lead, width),
    };
    list.sort_by_key(|candidate| (std::cmp::Reverse(candidate.value), candidate.cards));
    list
}

fn leads(sight: &Sight) -> Vec<Candidate> {
    let mut list = Vec::new();
    for group in sight.ladder.groups() {
        let held = sight.hand.masked(sight.ladder.mask(group));
        let parts = decompose(&sight.ladder, group, held);
        let mut sure = Bag::EMPTY;
        let mut sure_parts = 0;
        for part in &parts {
            let is_sure = !can_be_beaten(sight, group, part);
            list.push(Candidate { cards: part.cards, value: lead_value(sight, group, part.cards, is_sure) });
            if is_sure {
                sure = sure.plus(part.cards);
                sure_parts += 1;
            }
            if part.kind != Kind::Single
                && let Some(card) = part.cards.first()
            {
                // A low card from a pair or tractor, if nothing else is better.
                let single = Bag::from_iter([card]);
                list.push(Candidate { cards: single, value: lead_value(sight, group, single, false) - 15 });
            }
        }
        // A throw of everything that nobody can beat stands for certain.
        if sure_parts > 1 && group != Group::Trump {
            list.push(Candidate { cards: sure, value: lead_value(sight, group, sure, true) });
        }
    }
    list
}

/// Whether an unseen card, pair or tractor of the same group is higher.
fn can_be_beaten(sight: &Sight, group: Group, part: &Component) -> bool {
    let unseen = sight.unseen.masked(sight.ladder.mask(group));
    let (faces, length) = match part.kind {
        Kind::Single => (unseen.faces(), 1),
        Kind::Pair => (unseen.pairs(), 1),
        Kind::Tractor => (unseen.pairs(), part.pairs),
    };
    highest_run(sight.ladder.tiers(group, faces), length).is_some_and(|top| top > part.top)
}

fn lead_value(sight: &Sight, group: Group, cards: Bag, sure: bool) -> i32 {
    let count = i32::try_from(cards.len()).unwrap_or(1);
    let stake = 10 * points(cards) + 35 * count;
    let partner = (sight.me + 2) % 4;
    let chance = if sure { 1000 - ruff_risk(sight, group, cards.len()) } else { 300 };
    let helped = !sure && sight.told.of(partner, group).void && group != Group::Trump;
    let chance = if helped { 600 } else { chance };
    let mut value = stake * (2 * chance - 1000) / 1000 - spent(sight, cards) / 2;
    if group == Group::Trump {
        // Drawing trumps pays for the side that has more of them, and that is mostly the banker's.
        let mask = sight.ladder.mask(Group::Trump);
        let mine = i32::try_from(sight.hand.masked(mask).len()).unwrap_or(0);
        let out = i32::try_from(sight.unseen.masked(mask).len()).unwrap_or(0);
        value += if out > 0 && mine * 3 > out + 6 { 20 * count } else { -15 * count };
    }
    value
}

/// How likely an opponent ruffs a side suit, per thousand.
fn ruff_risk(sight: &Sight, group: Group, size: usize) -> i32 {
    if group == Group::Trump {
        return 0;
    }
    let trumps_out = sight.unseen.masked(sight.ladder.mask(Group::Trump)).len();
    if trumps_out < size {
        return 0;
    }
    let out = sight.unseen.masked(sight.ladder.mask(group)).len();
    let opponents = (0..4).filter(|seat| sight.opposes(*seat));
    let void = opponents.filter(|seat| sight.told.of(*seat, group).void).count();
    match (void, out) {
        (1.., _) => 650,
        (0, _) if out >= 3 * size + 6 => 60,
        (0, _) if out >= 2 * size => 200,
        _ => 450,
    }
}

fn follows(sight: &Sight, lead: &Lead, width: usize) -> Vec<Candidate> {
    let duty = Duty::of(&sight.ladder, *lead, sight.hand);
    let plays = Plays::following(&sight.ladder, &duty, sight.hand);
    let rank = |face: u32| {
        u8::try_from(face).ok().and_then(Card::from_index).map_or(0, |card| sight.ladder.strength(card))
    };
    let rich = |face: u32| {
        let card = u8::try_from(face).ok().and_then(Card::from_index);
        let points = card.map_or(0, |card| Bag::from_iter([card]).points());
        (std::cmp::Reverse(points), rank(face))
    };
    let mut all: Vec<Bag> = Vec::with_capacity(3 * width + 1);
    all.extend(automatic_follow(&sight.ladder, *lead, sight.hand));
    all.extend(plays.clone().ordered_by(rank).take(width));
    all.extend(plays.clone().ordered_by(|face| std::cmp::Reverse(rank(face))).take(width));
    all.extend(plays.ordered_by(rich).take(width / 2));
    if duty.cards == 0 {
        all.extend(ruffs(sight, lead, width));
    }
    all.sort_unstable();
    all.dedup();
    let best = sight.best();
    all.into_iter().map(|cards| Candidate { cards, value: follow_value(sight, lead, best, cards) }).collect()
}

/// Plays of trumps only, from the lowest and from the highest.
fn ruffs(sight: &Sight, lead: &Lead, width: usize) -> Vec<Bag> {
    let trumps = sight.hand.masked(sight.ladder.mask(Group::Trump));
    let wanted = Lead { group: Group::Trump, ..*lead };
    if trumps.len() < usize::from(lead.count) {
        return Vec::new();
    }
    // What would have to be played to a trump lead of the same structure is what ruffs it.
    let duty = Duty::of(&sight.ladder, wanted, trumps);
    let strength = |face: u32| {
        u8::try_from(face).ok().and_then(Card::from_index).map_or(0, |card| sight.ladder.strength(card))
    };
    let plays = Plays::following(&sight.ladder, &duty, trumps);
    let mut list: Vec<Bag> = plays.clone().ordered_by(strength).take(width).collect();
    list.extend(plays.ordered_by(|face| std::cmp::Reverse(strength(face))).take(width));
    list
}

fn follow_value(sight: &Sight, lead: &Lead, best: Option<(usize, Power)>, cards: Bag) -> i32 {
    let own = power(&sight.ladder, lead, cards);
    let takes = own > best.map(|(_, power)| power);
    let (holder, held) = match (takes, own, best) {
        (true, Some(power), _) => (sight.me, Some(power)),
        (_, _, Some((seat, power))) => (seat, Some(power)),
        _ => (sight.leader, None),
    };
    let ours = !sight.opposes(holder);
    let chance = if ours {
        held.map_or(500, |power| holds(sight, lead, power))
    } else if sight.later().any(|seat| !sight.opposes(seat)) {
        250
    } else {
        0
    };
    let stake = 10 * (sight.points() + points(cards)) + 10 * i32::from(lead.count) + 15;
    let tempo = if takes { 12 * chance / 1000 } else { 0 };
    stake * (2 * chance - 1000) / 1000 + tempo - spent(sight, cards)
}

/// How likely the best play of our side stays the best, per thousand.
fn holds(sight: &Sight, lead: &Lead, power: Power) -> i32 {
    let mut chance = 1000;
    for seat in sight.later().filter(|seat| sight.opposes(*seat)) {
        chance = chance * (1000 - beats(sight, lead, power, seat)) / 1000;
    }
    chance
}

/// How likely a later opponent beats it, per thousand.
fn beats(sight: &Sight, lead: &Lead, power: Power, seat: usize) -> i32 {
    let trumps = sight.unseen.masked(sight.ladder.mask(Group::Trump));
    let above = |group: Group| -> i32 {
        let unseen = sight.unseen.masked(sight.ladder.mask(group));
        let faces = if lead.pairs > 0 { unseen.pairs() } else { unseen.faces() };
        let tiers = u32::from(sight.ladder.tiers(group, faces)) >> (power.tier() + 1);
        i32::try_from(tiers.count_ones()).unwrap_or(0)
    };
    let gone = sight.told.of(seat, lead.group);
    let possible = if lead.pairs > 0 { trumps.pair_count() > 0 } else { !trumps.is_empty() };
    if power.ruffs() {
        let over = (above(Group::Trump) * 90).min(500);
        return if gone.void { over } else { over / 6 };
    }
    if lead.group == Group::Trump {
        return if gone.void || (lead.pairs > 0 && gone.pairs) {
            0
        } else {
            (above(Group::Trump) * if lead.pairs > 0 { 60 } else { 130 }).min(800)
        };
    }
    if gone.void {
        return if possible { if lead.pairs > 0 { 350 } else { 700 } } else { 0 };
    }
    let out = sight.unseen.masked(sight.ladder.mask(lead.group)).len();
    let ruff = if !possible {
        0
    } else if out >= 10 {
        40
    } else {
        180
    };
    let higher = if lead.pairs > 0 && gone.pairs { 0 } else { above(lead.group) };
    (higher * if lead.pairs > 0 { 90 } else { 220 } + ruff).min(850)
}
