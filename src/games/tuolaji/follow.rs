//! Following: what a hand owes a lead, and whether a play pays it (TL 5.3).
//!
//! The compact form decides: with `f` the best list of run lengths for the lead's tractors and `p` the number of
//! pairs, a play is legal if and only if it has enough cards of the group, `p(play) ≥ min(P, p(hand))` and
//! `f(play) = f(hand)`.

use super::bag::Bag;
use super::ladder::{Group, Ladder};
use super::shape::{Lead, Runs, best_runs, in_runs};

/// What is missing in a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// More cards of the group must be played.
    Cards {
        /// The group led.
        group: Group,
        /// How many cards of it the play must have.
        need: u8,
        /// All the cards of it in the hand.
        held: Bag,
    },
    /// More pairs must be played.
    Pairs {
        /// The group led.
        group: Group,
        /// How many pairs the play must have.
        need: u8,
        /// All the pairs of it in the hand.
        held: Bag,
    },
    /// A tractor, or a longer one, must be played.
    Run {
        /// The group led.
        group: Group,
        /// The tractors that must be played, in pairs.
        owed: Runs,
        /// Those of the lead's tractors that the play has.
        paid: Runs,
        /// The pairs of the group that are in tractors of the hand.
        held: Bag,
    },
}

/// What a hand owes a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duty {
    /// The lead.
    pub lead: Lead,
    /// The hand's cards of the group led.
    pub held: Bag,
    /// How many cards of the group must be played: `min(n, |h|)`.
    pub cards: u8,
    /// How many pairs of the group must be played, when not everything must: `min(P, p(h))`.
    pub pairs: u8,
    /// The runs that must be played: `f(h)`. Empty where they follow from playing every pair.
    pub runs: Runs,
}

impl Duty {
    /// What `hand` owes `lead`.
    #[must_use]
    pub fn of(ladder: &Ladder, lead: Lead, hand: Bag) -> Duty {
        let held = hand.masked(ladder.mask(lead.group));
        #[allow(clippy::cast_possible_truncation)] // at most 36 cards of a group
        let (size, pair_count) = (held.len() as u8, held.pair_count() as u8);
        if size <= lead.count {
            return Duty { lead, held, cards: size, pairs: pair_count, runs: Runs::NONE };
        }
        // With no more pairs than the lead all of them must be played, and their runs with them.
        let runs = if pair_count > lead.pairs && !lead.runs.is_empty() {
            best_runs(ladder, lead.group, held.pairs(), lead.runs)
        } else {
            Runs::NONE
        };
        Duty { lead, held, cards: lead.count, pairs: lead.pairs.min(pair_count), runs }
    }

    /// Whether every card of the group must be played.
    #[must_use]
    pub fn whole_group(&self) -> bool {
        usize::from(self.cards) == self.held.len()
    }

    /// What a play lacks, if anything. The play is a part of the hand and has as many cards as the lead.
    ///
    /// # Errors
    /// The first thing that is missing: cards of the group, then pairs, then runs.
    pub fn check(&self, ladder: &Ladder, play: Bag) -> Result<(), Lack> {
        let group = self.lead.group;
        let played = play.masked(ladder.mask(group));
        if played.len() < usize::from(self.cards) {
            return Err(Lack::Cards { group, need: self.cards, held: self.held });
        }
        if self.whole_group() {
            return Ok(());
        }
        let held = Bag::pairs_of(self.held.pairs());
        if played.pair_count() < u32::from(self.pairs) {
            return Err(Lack::Pairs { group, need: self.pairs, held });
        }
        if self.runs.is_empty() {
            return Ok(());
        }
        let paid = best_runs(ladder, group, played.pairs(), self.lead.runs);
        if paid < self.runs {
            let held = Bag::pairs_of(in_runs(ladder, group, held.pairs()));
            return Err(Lack::Run { group, owed: self.runs, paid, held });
        }
        Ok(())
    }
}
