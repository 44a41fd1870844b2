//! Cards as people type them: rank and suit as poker sites and PHH have them (`AhKh`, `10s`, `A♥`), or suit and rank as
//! records have them (`HA HK`, `HAK`).
//!
//! No letter is both a rank and a suit, so the first one of a word tells its order. What could mean two things is refused
//! by name, never guessed.

use crate::cards::{Card, Rank, Suit};
use crate::words::{Message, message};

/// Reads a list of cards in either notation; words may be separated by blanks or commas.
///
/// ```
/// use fushi::games::holdem::notation::cards;
///
/// assert_eq!(cards("AhKh"), cards("HA HK"));
/// assert_eq!(cards("10♠ 9c"), cards("ST C9"));
/// assert!(cards("AKs").is_err() && cards("sj").is_err());
/// ```
///
/// # Errors
/// Names the first word that is no card, or that can be read in two ways.
pub fn cards(text: &str) -> Result<Vec<Card>, Message> {
    let mut cards = Vec::new();
    for word in text.split(|letter: char| letter.is_whitespace() || letter == ',') {
        cards.extend(of_word(word)?);
    }
    Ok(cards)
}

fn of_word(word: &str) -> Result<Vec<Card>, Message> {
    let shown: String = word.chars().take(40).collect();
    match word {
        // The small joker of records; elsewhere the jack of spades.
        "sj" => return Err(message!("equity-sj")),
        "bj" => return Err(message!("equity-joker")),
        _ => {}
    }
    let letters: Vec<char> = plain(word).chars().collect();
    let known = |letter: &char| Suit::from_letter(*letter).is_some() || Rank::from_letter(*letter).is_some();
    if !letters.iter().all(known) {
        return Err(message!("equity-no-card", shown));
    }
    let two_ways = || message!("equity-two-ways", shown);
    match letters.first().map(|letter| Suit::from_letter(*letter)) {
        None => Ok(Vec::new()),
        Some(None) => rank_first(&letters).ok_or_else(two_ways),
        Some(Some(_)) => suit_first(&letters).ok_or_else(two_ways),
    }
}

/// The word in capitals, with letters for the signs of suits and one letter for ten.
fn plain(word: &str) -> String {
    let letter = |sign: char| match sign {
        '♠' | '♤' => Some('S'),
        '♥' | '♡' => Some('H'),
        '♦' | '♢' => Some('D'),
        '♣' | '♧' => Some('C'),
        // Asks for the sign to be drawn as text or as a picture.
        '\u{fe0e}' | '\u{fe0f}' => None,
        other => Some(other.to_ascii_uppercase()),
    };
    word.chars().filter_map(letter).collect::<String>().replace("10", "T")
}

/// `AHKH`: pairs of rank and suit.
fn rank_first(letters: &[char]) -> Option<Vec<Card>> {
    letters
        .chunks(2)
        .map(|pair| match pair {
            [rank, suit] => Some(Card::new(Suit::from_letter(*suit)?, Rank::from_letter(*rank)?)),
            _ => None,
        })
        .collect()
}

/// `HAK`, `HASK`: a suit and its ranks, then another.
fn suit_first(letters: &[char]) -> Option<Vec<Card>> {
    let mut cards = Vec::with_capacity(letters.len());
    let mut suit = None;
    let mut bare = false;
    for letter in letters {
        if let Some(found) = Suit::from_letter(*letter) {
            if bare {
                return None;
            }
            (suit, bare) = (Some(found), true);
        } else {
            cards.push(Card::new(suit?, Rank::from_letter(*letter)?));
            bare = false;
        }
    }
    (!bare).then_some(cards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::write_cards;
    use crate::words::{Lang, say};

    #[test]
    fn both_notations_give_the_same_cards_and_what_is_unclear_is_refused_by_name() {
        for text in ["AhKd", "ah kd", "AH KD", "HA DK", "hadk", "A♥K♦", "♥A, ♦K", "A♥\u{fe0f} K♦"]
        {
            assert_eq!(write_cards(cards(text).unwrap()), "HA DK", "{text}");
        }
        assert_eq!(write_cards(cards("10h9c Ts").unwrap()), "HT C9 ST");
        assert_eq!(write_cards(cards("H99JJ").unwrap()), "H9 H9 HJ HJ");
        assert_eq!(write_cards(cards("Sj jS SJ").unwrap()), "SJ SJ SJ");
        assert_eq!(cards(" , ").unwrap(), []);
        let refused = |text: &str| say(Lang::En, &cards(text).unwrap_err());
        for text in ["AKs", "HAKS", "Ah2", "2c3", "HS", "h"] {
            assert!(refused(text).contains(&format!("`{text}` can be read in more than one way")), "{text}");
        }
        assert!(refused("sj").contains("`Js`"));
        assert!(refused("bj").contains("no jokers"));
        for text in ["HX", "1h", "Ah-Kh", "A\u{0130}", "?"] {
            assert!(refused(text).contains("is not a card"), "{text}: {}", refused(text));
        }
    }
}
