//! Who wins a trick: covering and the governing component (TL 5.4).
//!
//! A play is a discard unless it is all of the lead's group or all trumps and covers the lead's structure. Among plays
//! that cover, trumps beat a side suit, and then only the governing component is compared.

use super::bag::Bag;
use super::ladder::{Group, Ladder};
use super::shape::{Lead, PairsByTier, highest_run, pairs_by_tier};

/// How strong a covering play is: greater beats, equal does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Power {
    ruffs: bool,
    tier: u8,
}

impl Power {
    /// Whether it is a ruff of a side-suit lead.
    #[must_use]
    pub const fn ruffs(self) -> bool {
        self.ruffs
    }

    /// The tier of the governing component.
    #[must_use]
    pub const fn tier(self) -> u8 {
        self.tier
    }
}

/// The power of a play against a lead; `None` for a discard (垫牌).
#[must_use]
pub fn power(ladder: &Ladder, lead: &Lead, play: Bag) -> Option<Power> {
    let group = ladder.single_group(play)?;
    if (group != lead.group && group != Group::Trump) || play.len() != usize::from(lead.count) {
        return None;
    }
    if play.pair_count() < u32::from(lead.pairs) {
        return None;
    }
    let tier = if lead.runs.is_empty() {
        let faces = if lead.pairs > 0 { play.pairs() } else { play.faces() };
        highest_run(ladder.tiers(group, faces), 1)?
    } else {
        let mut pairs = pairs_by_tier(ladder, group, play.pairs());
        let lengths: Vec<u8> = lead.runs.iter().collect();
        cover(&mut pairs, &lengths)?
    };
    Some(Power { ruffs: group != lead.group, tier })
}

/// The highest top tier that the run covering the longest tractor can have while all are covered by disjoint runs.
fn cover(pairs: &mut PairsByTier, lengths: &[u8]) -> Option<u8> {
    let Some((longest, rest)) = lengths.split_first() else { return Some(0) };
    let size = usize::from(*longest);
    for start in (0..=pairs.len().checked_sub(size)?).rev() {
        let Some(run) = pairs.get_mut(start..start + size) else { continue };
        if run.contains(&0) {
            continue;
        }
        shift(run, -1);
        let covered = cover(pairs, rest).is_some();
        shift(&mut pairs[start..start + size], 1);
        if covered {
            return u8::try_from(start + size - 1).ok();
        }
    }
    None
}

fn shift(run: &mut [u8], by: i8) {
    for count in run {
        *count = count.saturating_add_signed(by);
    }
}

/// Which play wins, by position: the first is the lead. Equal never beats.
#[must_use]
pub fn winner(ladder: &Ladder, lead: &Lead, plays: &[Bag]) -> usize {
    let mut best = 0;
    let mut best_power = plays.first().and_then(|play| power(ladder, lead, *play));
    for (place, play) in plays.iter().enumerate().skip(1) {
        let power = power(ladder, lead, *play);
        if power > best_power {
            (best, best_power) = (place, power);
        }
    }
    best
}
