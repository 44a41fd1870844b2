//! Suits that a game does not tell apart: the renaming that depends only on where the cards of each suit lie.

use crate::cards::{Card, Renaming, Suit};

/// Where a view shows the cards of each suit.
///
/// A renaming of suits acts on each suit as a whole. So what is seen of a suit, place by place, tells it from the
/// others as far as anything does, and suits of which the same is seen are as good as each other.
#[derive(Debug, Default)]
pub(super) struct SeenOfSuits {
    seen: [Vec<(u16, u8)>; 4],
    place: u16,
}

impl SeenOfSuits {
    /// The next place of the view and the cards in it, those of one suit in the order of their ranks or as they lie.
    pub(super) fn place(&mut self, cards: impl IntoIterator<Item = Card>) {
        self.place = self.place.wrapping_add(1);
        for card in cards {
            if let Some((suit, rank)) = card.suit().zip(card.rank()) {
                self.note(suit, rank as u8);
            }
        }
    }

    /// The next place of the view and the suit that is named there, if one is.
    pub(super) fn name(&mut self, suit: Option<Suit>) {
        self.place = self.place.wrapping_add(1);
        if let Some(suit) = suit {
            self.note(suit, u8::MAX);
        }
    }

    fn note(&mut self, suit: Suit, what: u8) {
        if let Some(seen) = self.seen.get_mut(suit as usize) {
            seen.push((self.place, what));
        }
    }

    /// The renaming that puts the suits in the order of what is seen of them.
    pub(super) fn renaming(&self) -> Renaming {
        let mut order = Suit::ALL;
        order.sort_by_key(|suit| &self.seen[*suit as usize]);
        Renaming::of(|suit, _| {
            let at = order.iter().position(|other| *other == suit).unwrap_or_default();
            Suit::ALL[at]
        })
    }
}
