//! A hand as numbers of each rank, and how to get rid of it in few plays.
//!
//! Which combinations exist is the ruleset's business; what is listed here is only ever a proposal and goes through
//! the game's own generator before it is played.

use crate::cards::CardSet;
use crate::games::wakeng::{Combo, Rules, RunTop, Shapes};

/// Ranks of a pack.
pub(super) const RANKS: usize = 13;
/// Most cards, and so most plays, of a hand.
const PLAYS_MAX: usize = 20;

/// The combinations of a ruleset in the form that planning a hand needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub shapes: Shapes,
    /// Strength of the highest rank of a run.
    pub run_top: usize,
    /// Fewest groups of a run by cards of each rank, 0 for none.
    pub fewest: [usize; 4],
    /// What a bomb multiplies the stake by.
    pub bomb_factor: i64,
    /// Whether four of a kind beats other combinations.
    pub bombs: bool,
}

impl Table {
    pub(super) fn of(rules: &Rules) -> Table {
        let shapes = rules.shapes();
        let run_top = match rules.run_top {
            RunTop::K => crate::cards::Rank::King,
            RunTop::A => crate::cards::Rank::Ace,
        };
        let fewest = [rules.run_of_singles, rules.run_of_pairs, rules.run_of_triples, rules.run_of_quads];
        Table {
            shapes,
            run_top: usize::from(shapes.strength(run_top)),
            fewest: fewest.map(usize::from),
            bomb_factor: i64::from(rules.bomb_factor),
            bombs: shapes.is_bomb(Combo { size: 4, groups: 1, top: 0 }),
        }
    }

    /// How many cards of each rank, weakest first.
    pub(super) fn counts(&self, cards: CardSet) -> Counts {
        let mut counts = [0; RANKS];
        for card in cards {
            if let Some(rank) = card.rank() {
                counts[usize::from(self.shapes.strength(rank))] += 1;
            }
        }
        Counts(counts)
    }
}

/// How many cards of each rank, weakest rank first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts(pub [u8; RANKS]);

impl Counts {
    /// The ranks of a combination, as a range of strengths.
    pub(super) fn ranks(combo: Combo) -> std::ops::RangeInclusive<usize> {
        let top = usize::from(combo.top).min(RANKS - 1);
        (top + 1).saturating_sub(usize::from(combo.groups.max(1)))..=top
    }

    pub(super) fn minus(mut self, combo: Combo) -> Counts {
        for rank in Counts::ranks(combo) {
            self.0[rank] = self.0[rank].saturating_sub(combo.size);
        }
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|count| *count == 0)
    }
}

/// A hand cut into plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    plays: [Combo; PLAYS_MAX],
    len: usize,
}

impl Split {
    const EMPTY: Split = Split { plays: [Combo { size: 1, groups: 1, top: 0 }; PLAYS_MAX], len: 0 };

    fn push(&mut self, combo: Combo) {
        if let Some(place) = self.plays.get_mut(self.len) {
            *place = combo;
            self.len += 1;
        }
    }

    pub(super) fn plays(&self) -> &[Combo] {
        self.plays.get(..self.len).unwrap_or(&[])
    }

    /// Cuts a hand into few plays: runs while they save plays, then what is left rank by rank. Both orders of looking
    /// for runs are tried, long groups first and single cards first.
    pub(super) fn of(table: &Table, counts: Counts) -> Split {
        let long = Split::with_runs(table, counts, [2, 1, 0]);
        if long.plays().first().is_none_or(|combo| combo.groups == 1) {
            return long;
        }
        let short = Split::with_runs(table, counts, [0, 1, 2]);
        if short.len < long.len { short } else { long }
    }

    fn with_runs(table: &Table, counts: Counts, order: [usize; 3]) -> Split {
        let mut split = Split::EMPTY;
        let mut left = counts;
        for index in order {
            if table.fewest[index] == 0 {
                continue;
            }
            while let Some(run) = best_run(table, left, index) {
                left = left.minus(run);
                split.push(run);
            }
        }
        for (top, size) in (0..).zip(left.0) {
            if size > 0 {
                split.push(Combo { size, groups: 1, top });
            }
        }
        split
    }
}

/// The run of `index + 1` cards of each rank that saves most plays, at least one. Four of a kind is left alone.
fn best_run(table: &Table, counts: Counts, index: usize) -> Option<Combo> {
    let size = u8::try_from(index + 1).ok()?;
    let fewest = table.fewest[index];
    let part = |rank: usize| (size..4).contains(&counts.0[rank]);
    let mut best: Option<(usize, Combo)> = None;
    let mut from = 0;
    while from <= table.run_top {
        if !part(from) {
            from += 1;
            continue;
        }
        let mut to = from;
        while to < table.run_top && part(to + 1) {
            to += 1;
        }
        let next = to + 1;
        let (mut low, mut high) = (from, to);
        // Ranks of which cards remain save nothing at the ends.
        while high + 1 - low > fewest && counts.0[high] > size {
            high -= 1;
        }
        while high + 1 - low > fewest && counts.0[low] > size {
            low += 1;
        }
        let saved = (low..=high).filter(|rank| counts.0[*rank] == size).count();
        if high + 1 - low >= fewest
            && saved >= 2
            && best.is_none_or(|(most, _)| saved > most)
            && let (Ok(groups), Ok(top)) = (u8::try_from(high + 1 - low), u8::try_from(high))
        {
            best = Some((saved, Combo { size, groups, top }));
        }
        from = next;
    }
    best.map(|(_, combo)| combo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::parse_cards;
    use crate::games::rulesets;
    use crate::games::wakeng::Wakeng;

    #[track_caller]
    fn check(ruleset: &str, hand: &str, plays: usize) {
        let rules = rulesets::shipped::<Wakeng>(ruleset).unwrap();
        let table = Table::of(&rules);
        let cards: CardSet = parse_cards(hand).unwrap().into_iter().collect();
        let split = Split::of(&table, table.counts(cards));
        assert_eq!(split.plays().len(), plays, "{hand}: {:?}", split.plays());
        let total: u8 = split.plays().iter().map(|combo| combo.cards()).sum();
        assert_eq!(usize::from(total), cards.len(), "every card once");
    }

    #[test]
    fn hands_are_cut_into_few_plays() {
        check("wakeng-bomb", "S4 H4", 1);
        check("wakeng-bomb", "S456789", 1);
        check("wakeng-bomb", "S456 H456", 1);
        check("wakeng-bomb", "S456 H5", 2);
        check("wakeng-bomb", "SQKA", 3);
        check("wakeng-bomb", "S4 H4 D4 C4 S567", 2);
        check("wakeng-jj", "S456 H456 D456", 1);
        check("wakeng-bomb", "S32 H2 D8 C9", 4);
    }
}
