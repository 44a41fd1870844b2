//! The generator of plays: every bag that meets a demand, one after the other, without a list of all and without
//! trying illegal ones.
//!
//! Faces are decided in a fixed order, each as often as possible first. After each decision an exact test says whether
//! the rest can still be completed, so the walk never enters a dead end: an 18-card follow with millions of choices
//! costs what is taken from it and no more.

use super::bag::Bag;
use super::complete::automatic_lead;
use super::follow::Duty;
use super::ladder::{Group, Ladder, TIERS};
use super::shape::{PairsByTier, Runs, pairs_by_tier};

/// One face that is open to choice.
#[derive(Clone, Copy, Debug)]
struct Face {
    bit: u64,
    copies: u8,
    /// Cards and pairs of this face and all after it.
    cards_left: u8,
    pairs_left: u8,
}

/// Every bag that contains `fixed` and chooses `cards` more from the offered ones with at least so many pairs and, in
/// a group, the wanted runs.
#[derive(Clone, Debug)]
pub struct Plays {
    fixed: Bag,
    faces: Vec<Face>,
    cards: u8,
    pairs: u8,
    runs: Option<(Ladder, Group, Runs)>,
    /// How often each face decided so far is taken.
    taken: Vec<u8>,
    cards_taken: u8,
    pairs_taken: u8,
    state: Walk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walk {
    Fresh,
    Running,
    Done,
}

impl Plays {
    fn new(fixed: Bag, open: Bag, cards: usize, pairs: u8, runs: Option<(Ladder, Group, Runs)>) -> Plays {
        let mut faces = Vec::with_capacity(open.faces().count_ones() as usize);
        let mut left = open.faces();
        while left != 0 {
            let bit = left & left.wrapping_neg();
            left &= !bit;
            let copies = 1 + u8::from(open.pairs() & bit != 0);
            faces.push(Face { bit, copies, cards_left: 0, pairs_left: 0 });
        }
        let mut plays = Plays {
            fixed,
            faces,
            cards: u8::try_from(cards).unwrap_or(u8::MAX),
            pairs,
            runs: runs.filter(|(_, _, runs)| !runs.is_empty()),
            taken: Vec::new(),
            cards_taken: 0,
            pairs_taken: 0,
            state: Walk::Fresh,
        };
        plays.sum_up();
        plays
    }

    fn sum_up(&mut self) {
        let (mut cards, mut pairs) = (0, 0);
        for face in self.faces.iter_mut().rev() {
            cards += face.copies;
            pairs += face.copies / 2;
            (face.cards_left, face.pairs_left) = (cards, pairs);
        }
    }

    /// Every part of `open` with exactly `cards` cards.
    #[must_use]
    pub fn any(open: Bag, cards: usize) -> Plays {
        Plays::new(Bag::EMPTY, open, cards, 0, None)
    }

    /// Every legal play of a hand that owes a duty (TL 5.3).
    #[must_use]
    pub fn following(ladder: &Ladder, duty: &Duty, hand: Bag) -> Plays {
        if duty.whole_group() {
            let more = usize::from(duty.lead.count).saturating_sub(duty.held.len());
            return Plays::new(duty.held, hand.minus(duty.held), more, 0, None);
        }
        let runs = Some((*ladder, duty.lead.group, duty.runs));
        Plays::new(Bag::EMPTY, duty.held, usize::from(duty.cards), duty.pairs, runs)
    }

    /// The same plays with the faces decided in the order of `key`, which decides which plays come first.
    #[must_use]
    pub fn ordered_by<K: Ord>(mut self, mut key: impl FnMut(u32) -> K) -> Plays {
        self.faces.sort_by_key(|face| key(face.bit.trailing_zeros()));
        self.sum_up();
        self
    }

    /// Whether the faces not yet decided can complete the play.
    fn feasible(&self) -> bool {
        let (cards_left, pairs_left) =
            self.faces.get(self.taken.len()).map_or((0, 0), |face| (face.cards_left, face.pairs_left));
        let Some(cards) = self.cards.checked_sub(self.cards_taken) else { return false };
        let pairs = self.pairs.saturating_sub(self.pairs_taken);
        if cards > cards_left || pairs > pairs_left || 2 * pairs > cards {
            return false;
        }
        let Some((ladder, group, runs)) = &self.runs else { return true };
        let (mut decided, mut open) = (0, 0);
        for (index, face) in self.faces.iter().enumerate().filter(|(_, face)| face.copies == 2) {
            match self.taken.get(index) {
                Some(2) => decided |= face.bit,
                Some(_) => {}
                None => open |= face.bit,
            }
        }
        let mut decided = pairs_by_tier(ladder, *group, decided);
        let mut open = pairs_by_tier(ladder, *group, open);
        let mut lengths = [0; TIERS];
        let mut count = 0;
        for (place, length) in lengths.iter_mut().zip(runs.iter()) {
            *place = length;
            count += 1;
        }
        runs_fit(&mut decided, &mut open, lengths.get(..count).unwrap_or(&[]), cards / 2)
    }

    fn push(&mut self, count: u8) {
        self.taken.push(count);
        self.cards_taken += count;
        self.pairs_taken += count / 2;
    }

    fn pop(&mut self) -> Option<u8> {
        let count = self.taken.pop()?;
        self.cards_taken -= count;
        self.pairs_taken -= count / 2;
        Some(count)
    }

    /// Decides the next face with at most `most` copies; `false` if no number of copies leads anywhere.
    fn decide(&mut self, most: u8) -> bool {
        for count in (0..=most).rev() {
            self.push(count);
            if self.feasible() {
                return true;
            }
            self.pop();
        }
        false
    }

    fn complete(&mut self) -> Bag {
        while let Some(face) = self.faces.get(self.taken.len()) {
            let copies = face.copies;
            if !self.decide(copies) {
                // Cannot happen: a feasible start always has a feasible next step.
                debug_assert!(false, "a dead end");
                self.push(0);
            }
        }
        let mask = |copies: u8| {
            self.faces
                .iter()
                .zip(&self.taken)
                .filter(|(_, taken)| **taken == copies)
                .fold(0, |mask, (face, _)| mask | face.bit)
        };
        self.fixed.plus(Bag::singles_of(mask(1))).plus(Bag::pairs_of(mask(2)))
    }
}

/// Whether disjoint runs of the lengths exist when pairs in `decided` cost nothing, those in `open` one each, and at
/// most `budget` may be spent.
fn runs_fit(decided: &mut PairsByTier, open: &mut PairsByTier, lengths: &[u8], budget: u8) -> bool {
    let Some((length, rest)) = lengths.split_first() else { return true };
    let size = usize::from(*length);
    for start in 0..=TIERS.saturating_sub(size) {
        let mut cost = 0;
        let possible = (start..start + size).all(|tier| {
            cost += u8::from(decided[tier] == 0);
            decided[tier] + open[tier] > 0
        });
        if !possible || cost > budget {
            continue;
        }
        let before = (*decided, *open);
        for tier in start..start + size {
            let from = if decided[tier] > 0 { &mut *decided } else { &mut *open };
            from[tier] -= 1;
        }
        let fits = runs_fit(decided, open, rest, budget - cost);
        (*decided, *open) = before;
        if fits {
            return true;
        }
    }
    false
}

impl Iterator for Plays {
    type Item = Bag;

    fn next(&mut self) -> Option<Bag> {
        match self.state {
            Walk::Done => return None,
            Walk::Fresh => {
                self.state = Walk::Running;
                if self.feasible() {
                    return Some(self.complete());
                }
            }
            Walk::Running => {
                while let Some(count) = self.pop() {
                    if count > 0 && self.decide(count - 1) {
                        return Some(self.complete());
                    }
                }
            }
        }
        self.state = Walk::Done;
        None
    }
}

/// Every lead: the automatic one (TL 9.1), then all other non-empty bags of one group, small ones first
/// (TL 5.1).
pub fn leads(ladder: &Ladder, hand: Bag) -> impl Iterator<Item = Bag> + use<> {
    let groups: Vec<Bag> = ladder.groups().map(|group| hand.masked(ladder.mask(group))).collect();
    let most = groups.iter().map(|cards| cards.len()).max().unwrap_or(0);
    let first = automatic_lead(ladder, hand);
    let all = (1..=most)
        .flat_map(move |size| groups.clone().into_iter().flat_map(move |cards| Plays::any(cards, size)));
    first.into_iter().chain(all.filter(move |lead| Some(*lead) != first))
}
