//! What a seat knows in the middle of the play: its hand, what may be elsewhere, who can no longer have what.

use crate::cards::Pack;
use crate::games::tuolaji::bag::Bag;
use crate::games::tuolaji::ladder::{Group, Ladder};
use crate::games::tuolaji::shape::Lead;
use crate::games::tuolaji::view::{TrickSeen, View};
use crate::games::tuolaji::winner::{Power, power};
use crate::games::tuolaji::{BOTTOM, seat_named};

/// What everybody can tell about a seat's cards of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Gone {
    /// It has none left.
    pub void: bool,
    /// It has no pair left.
    pub pairs: bool,
}

/// What the plays so far have told about every seat and group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told(pub [[Gone; 5]; 4]);

impl Told {
    /// Learns from a play to a lead (rulebook §5.3: whoever does not follow cannot).
    pub(super) fn learn(&mut self, ladder: &Ladder, lead: &Lead, seat: usize, play: Bag) {
        let played = play.masked(ladder.mask(lead.group));
        let Some(gone) = self.0.get_mut(seat).and_then(|row| row.get_mut(lead.group.index())) else { return };
        if played.len() < usize::from(lead.count) {
            *gone = Gone { void: true, pairs: true };
        } else if played.pair_count() < u32::from(lead.pairs) {
            gone.pairs = true;
        }
    }

    pub(super) fn of(&self, seat: usize, group: Group) -> Gone {
        self.0.get(seat).and_then(|row| row.get(group.index())).copied().unwrap_or_default()
    }
}

/// A seat's knowledge at its turn to lead or follow.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    pub ladder: Ladder,
    pub me: usize,
    pub banker: usize,
    pub hand: Bag,
    /// Cards that are in another hand or, for all but the banker, laid away.
    pub unseen: Bag,
    pub leader: usize,
    pub plays: Vec<Bag>,
    pub lead: Option<Lead>,
    pub told: Told,
}

impl Sight {
    /// The knowledge of a view's seat; `None` unless it is to lead or to follow with known cards.
    pub(super) fn of(view: &View) -> Option<Sight> {
        let ladder = view.ladder()?;
        let hand = view.hand?;
        let seat = |name: &str| seat_named(name).map(crate::games::Seat::index);
        let mut played = Bag::EMPTY;
        let mut told = Told::default();
        for trick in view.memory.iter().chain([&view.trick]) {
            played = trick.plays.iter().fold(played, |all, play| all.plus(*play));
            learn_trick(&mut told, &ladder, trick);
        }
        let pack: Bag = Pack::TwoWithJokers.cards().into_iter().collect();
        let unseen = pack.minus(hand).minus(played).minus(view.bottom.unwrap_or_default());
        Some(Sight {
            ladder,
            me: seat(view.seat?)?,
            banker: seat(view.banker)?,
            hand,
            unseen,
            leader: seat(view.trick.leader)?,
            plays: view.trick.plays.clone(),
            lead: view.lead(),
            told,
        })
    }

    /// Whether a seat is on the other side.
    pub(super) fn opposes(&self, seat: usize) -> bool {
        (seat ^ self.me) & 1 == 1
    }

    /// The seats that play after this one in the trick.
    pub(super) fn later(&self) -> impl Iterator<Item = usize> {
        let me = self.me;
        (1..4_usize.saturating_sub(self.plays.len())).map(move |step| (me + step) % 4)
    }

    /// The best play so far: its seat and power.
    pub(super) fn best(&self) -> Option<(usize, Power)> {
        let lead = self.lead.as_ref()?;
        let mut best = None;
        for (turn, play) in self.plays.iter().enumerate() {
            let power = power(&self.ladder, lead, *play);
            if let Some(power) = power
                && best.is_none_or(|(_, known)| power > known)
            {
                best = Some(((self.leader + turn) % 4, power));
            }
        }
        best
    }

    /// Card points in the trick so far.
    pub(super) fn points(&self) -> i32 {
        self.plays.iter().map(|play| points(*play)).sum()
    }

    /// How many cards the unseen ones exceed the other hands by: the bottom, unless it is known.
    pub(super) fn hidden_bottom(&self) -> usize {
        if self.me == self.banker { 0 } else { BOTTOM }
    }
}

/// Card points as a signed number.
pub(super) fn points(cards: Bag) -> i32 {
    i32::try_from(cards.points()).unwrap_or(0)
}

fn learn_trick(told: &mut Told, ladder: &Ladder, trick: &TrickSeen) {
    let (Some(leader), Some(first)) = (seat_named(trick.leader), trick.plays.first()) else { return };
    let Some(lead) = Lead::of(ladder, *first) else { return };
    for (turn, play) in trick.plays.iter().enumerate().skip(1) {
        told.learn(ladder, &lead, (leader.index() + turn) % 4, *play);
    }
}
