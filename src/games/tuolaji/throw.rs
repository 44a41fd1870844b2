//! Throws (甩牌): which components of a lead somebody blocks, what is played instead and what it costs
//! (TL 5.2).

use super::bag::Bag;
use super::ladder::{Group, Ladder};
use super::shape::{Component, Kind, decompose, highest_run};

/// A throw that somebody blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The blocked components, in ascending order.
    parts: Vec<Component>,
    /// The parts that may be played: of each blocked kind the smallest, in ascending order of kind.
    stands: Vec<Component>,
}

impl Blocked {
    /// How many cards are blocked; each costs its penalty.
    #[must_use]
    pub fn cards(&self) -> usize {
        self.parts.iter().map(|part| part.cards.len()).sum()
    }

    /// The blocked components in ascending order.
    #[must_use]
    pub fn parts(&self) -> &[Component] {
        &self.parts
    }

    /// For each blocked kind the part that is played if that kind is chosen, in ascending order of kind.
    #[must_use]
    pub fn stands(&self) -> &[Component] {
        &self.stands
    }
}

/// Whether a hand holds a higher component of the same kind in the group. Equal never blocks.
fn blocks(ladder: &Ladder, group: Group, part: &Component, hand: Bag) -> bool {
    let hand = hand.masked(ladder.mask(group));
    let (faces, length) = match part.kind {
        Kind::Single => (hand.faces(), 1),
        Kind::Pair => (hand.pairs(), 1),
        Kind::Tractor => (hand.pairs(), part.pairs),
    };
    highest_run(ladder.tiers(group, faces), length).is_some_and(|top| top > part.top)
}

/// Looks at the three other hands (the partner's included); `None` if the throw stands. A lead of one component is no
/// throw and always stands.
#[must_use]
pub fn attempt(ladder: &Ladder, group: Group, lead: Bag, others: &[Bag]) -> Option<Blocked> {
    let components = decompose(ladder, group, lead);
    if components.len() < 2 {
        return None;
    }
    let parts: Vec<Component> = components
        .iter()
        .filter(|part| others.iter().any(|hand| blocks(ladder, group, part, *hand)))
        .copied()
        .collect();
    if parts.is_empty() {
        return None;
    }
    // Components come in ascending order, so the first blocked one of a kind is the smallest blocked one; for singles
    // and pairs that is the smallest of all.
    let mut stands: Vec<Component> = Vec::with_capacity(3);
    for part in &parts {
        if stands.iter().all(|known| known.kind != part.kind) {
            stands.push(*part);
        }
    }
    Some(Blocked { parts, stands })
}
