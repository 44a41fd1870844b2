//! The card notation of PHH: rank then suit, `AhKd`, `??` for an unknown card, no separators.

use crate::cards::{Card, Rank, Suit};

/// Reads a run of cards.
pub(super) fn parse(text: &str) -> Option<Vec<Option<Card>>> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .chunks(2)
        .map(|pair| match pair {
            ['?', '?'] => Some(None),
            [rank, suit] if suit.is_ascii_lowercase() => {
                let suit = Suit::from_letter(suit.to_ascii_uppercase())?;
                Some(Some(Card::new(suit, Rank::from_letter(*rank)?)))
            }
            _ => None,
        })
        .collect()
}

/// Writes a run of cards.
pub(super) fn write(cards: &[Option<Card>]) -> String {
    let one = |card: &Option<Card>| match card.and_then(|card| card.rank().zip(card.suit())) {
        Some((rank, suit)) => format!("{rank}{}", suit.letter().to_ascii_lowercase()),
        None => "??".to_owned(),
    };
    cards.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_read_back_from_their_text() {
        for text in ["", "AhKd", "????", "Tc??2s"] {
            assert_eq!(write(&parse(text).unwrap()), text);
        }
        for bad in ["A", "AH", "ah", "10h", "Ah Kd", "?h", "Xx"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
