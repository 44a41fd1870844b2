//! Cards, and the one text form they have everywhere: files, journals, views, pages.
//!
//! A card is suit then rank (`H4`, `ST`), the jokers are `sj` (small) and `bj` (big); a list is separated by
//! blanks. On input the compact form `H99JJ` (one suit, several ranks) is accepted as well.
//! This room knows no game: which card beats which is the business of `games`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One of the four suits, in the order in which lists of cards are written: S H D C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// Spades (黑桃), `S`.
    Spades,
    /// Hearts (红心), `H`.
    Hearts,
    /// Diamonds (方块), `D`.
    Diamonds,
    /// Clubs (梅花), `C`.
    Clubs,
}

impl Suit {
    /// All suits, in writing order.
    pub const ALL: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// The letter of the text form.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Suit::Spades => 'S',
            Suit::Hearts => 'H',
            Suit::Diamonds => 'D',
            Suit::Clubs => 'C',
        }
    }

    /// The suit of a letter of the text form; letters are upper case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Suit> {
        match letter {
            'S' => Some(Suit::Spades),
            'H' => Some(Suit::Hearts),
            'D' => Some(Suit::Diamonds),
            'C' => Some(Suit::Clubs),
            _ => None,
        }
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A printed rank, 2 to ace. Its order is the printed order; each game has its own order of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// All ranks, two first.
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// The character of the text form: `2`…`9`, `T`, `J`, `Q`, `K`, `A`.
    #[must_use]
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }

    /// The rank of a character of the text form; letters are upper case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Rank> {
        Rank::ALL.into_iter().find(|rank| rank.letter() == letter)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// One card face. Two packs hold every face twice; copies of a face are indistinguishable.
///
/// The number behind it is `suit × 13 + rank`, 52 for the small and 53 for the big joker; the derived order is
/// the canonical order in which hands are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The small joker (小王), `sj`.
    pub const SMALL_JOKER: Card = Card(52);
    /// The big joker (大王), `bj`.
    pub const BIG_JOKER: Card = Card(53);
    /// How many faces there are: 52 and two jokers.
    pub const FACES: u8 = 54;

    /// The card of a suit and a rank.
    #[must_use]
    pub const fn new(suit: Suit, rank: Rank) -> Card {
        Card(suit as u8 * 13 + rank as u8)
    }

    /// The card of a face number, 0 to 53.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Card> {
        if index < Card::FACES { Some(Card(index)) } else { None }
    }

    /// The face number, 0 to 53.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The suit; `None` for a joker.
    #[must_use]
    pub const fn suit(self) -> Option<Suit> {
        match self.0 / 13 {
            0 => Some(Suit::Spades),
            1 => Some(Suit::Hearts),
            2 => Some(Suit::Diamonds),
            3 => Some(Suit::Clubs),
            _ => None,
        }
    }

    /// The rank; `None` for a joker.
    #[must_use]
    pub const fn rank(self) -> Option<Rank> {
        if self.0 < 52 { Some(Rank::ALL[(self.0 % 13) as usize]) } else { None }
    }

    /// Whether the card is one of the jokers.
    #[must_use]
    pub const fn is_joker(self) -> bool {
        self.0 >= 52
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.suit(), self.rank()) {
            (Some(suit), Some(rank)) => write!(f, "{suit}{rank}"),
            _ if *self == Card::SMALL_JOKER => f.write_str("sj"),
            _ => f.write_str("bj"),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a piece of text is not a list of cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{token}` is not a card: write suit then rank (H4, ST, H99JJ), sj or bj")]
pub struct CardError {
    /// The word that could not be read, shortened to 40 characters.
    pub token: String,
}

impl CardError {
    fn new(token: &str) -> CardError {
        CardError { token: token.chars().take(40).collect() }
    }
}

impl FromStr for Card {
    type Err = CardError;

    /// Reads exactly one card.
    fn from_str(text: &str) -> Result<Card, CardError> {
        match parse_cards(text)?.as_slice() {
            [card] => Ok(*card),
            _ => Err(CardError::new(text)),
        }
    }
}

/// Reads a list of cards: words separated by blanks, each one card (`H4`, `sj`) or compact (`H99JJ`). The order
/// and any repetition are kept; an empty text is an empty list.
///
/// # Errors
/// Names the first word that is neither.
pub fn parse_cards(text: &str) -> Result<Vec<Card>, CardError> {
    let mut cards = Vec::new();
    for token in text.split_ascii_whitespace() {
        match token {
            "sj" => cards.push(Card::SMALL_JOKER),
            "bj" => cards.push(Card::BIG_JOKER),
            _ => {
                let mut letters = token.chars();
                let suit = letters.next().and_then(Suit::from_letter).ok_or_else(|| CardError::new(token))?;
                let before = cards.len();
                for letter in letters {
                    let rank = Rank::from_letter(letter).ok_or_else(|| CardError::new(token))?;
                    cards.push(Card::new(suit, rank));
                }
                if cards.len() == before {
                    return Err(CardError::new(token));
                }
            }
        }
    }
    Ok(cards)
}

/// Writes a list of cards in the given order, separated by single blanks.
#[must_use]
pub fn write_cards(cards: impl IntoIterator<Item = Card>) -> String {
    use fmt::Write as _;
    let mut text = String::new();
    for card in cards {
        if !text.is_empty() {
            text.push(' ');
        }
        // Writing into a String cannot fail.
        let _ = write!(text, "{card}");
    }
    text
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A set of faces, at most one of each: one pack's worth. Iterates in canonical order (S H D C, then rank).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// The empty set.
    pub const EMPTY: CardSet = CardSet(0);
    /// The 52 cards without jokers.
    pub const FIFTY_TWO: CardSet = CardSet((1 << 52) - 1);

    /// The set of a bit pattern, bit `i` for the card with index `i`; bits above 53 are dropped.
    #[must_use]
    pub const fn from_bits(bits: u64) -> CardSet {
        CardSet(bits & ((1 << 54) - 1))
    }

    /// The bit pattern, bit `i` for the card with index `i`.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many cards.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is in the set.
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Whether every card of `other` is in the set.
    #[must_use]
    pub const fn contains_all(self, other: CardSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Adds a card; `false` if it was there already.
    pub fn insert(&mut self, card: Card) -> bool {
        let before = self.0;
        self.0 |= 1 << card.0;
        before != self.0
    }

    /// Takes a card out; `false` if it was not there.
    pub fn remove(&mut self, card: Card) -> bool {
        let before = self.0;
        self.0 &= !(1 << card.0);
        before != self.0
    }

    /// The cards in either set.
    #[must_use]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// The cards in both sets.
    #[must_use]
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// The cards of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// The cards in canonical order.
    #[must_use]
    pub const fn iter(self) -> CardSetIter {
        CardSetIter(self.0)
    }
}

/// The cards of a [`CardSet`] in canonical order.
#[derive(Clone, Debug)]
pub struct CardSetIter(u64);

impl Iterator for CardSetIter {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        #[allow(clippy::cast_possible_truncation)] // trailing_zeros of a 54-bit set is at most 53
        let index = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Card(index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for CardSetIter {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = CardSetIter;

    fn into_iter(self) -> CardSetIter {
        self.iter()
    }
}

impl FromIterator<Card> for CardSet {
    /// Repeated cards count once; check for them before if they matter.
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        let mut set = CardSet::EMPTY;
        for card in cards {
            set.insert(card);
        }
        set
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write_cards(*self))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CardSet, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let cards = parse_cards(&text).map_err(serde::de::Error::custom)?;
        let set: CardSet = cards.iter().copied().collect();
        if set.len() == cards.len() {
            Ok(set)
        } else {
            Err(serde::de::Error::custom("a card is named twice"))
        }
    }
}

/// A renaming of cards: every face gets the name of a face, no two the same one. Jokers keep their names.
///
/// Rules that do not tell cards apart (the suits of hold'em, the cards of one rank in wakeng) go on unchanged under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming([Card; Card::FACES as usize]);

impl Renaming {
    /// The renaming under which the card of a suit and rank becomes that of `to(suit, rank)` and the same rank.
    /// `to` must give the suits of a rank in some order; a joker stays what it is.
    ///
    /// ```
    /// use fushi::cards::{Renaming, Suit};
    /// let turned = Renaming::of(|suit, _| match suit {
    ///     Suit::Spades => Suit::Clubs,
    ///     Suit::Clubs => Suit::Spades,
    ///     other => other,
    /// });
    /// assert_eq!(turned.card("S4".parse().unwrap()).to_string(), "C4");
    /// assert_eq!(turned.inverse(), turned);
    /// ```
    #[must_use]
    pub fn of(to: impl Fn(Suit, Rank) -> Suit) -> Renaming {
        let mut names = [Card::SMALL_JOKER; Card::FACES as usize];
        for (index, name) in (0..Card::FACES).zip(&mut names) {
            let card = Card(index);
            *name = match card.suit().zip(card.rank()) {
                Some((suit, rank)) => Card::new(to(suit, rank), rank),
                None => card,
            };
        }
        Renaming(names)
    }

    /// The name that a card gets.
    #[must_use]
    pub fn card(&self, card: Card) -> Card {
        self.0.get(usize::from(card.0)).copied().unwrap_or(card)
    }

    /// The names that the cards of a set get.
    #[must_use]
    pub fn set(&self, cards: CardSet) -> CardSet {
        cards.iter().map(|card| self.card(card)).collect()
    }

    /// The renaming that gives every card its old name back.
    #[must_use]
    pub fn inverse(&self) -> Renaming {
        let mut names = self.0;
        for (index, name) in (0..Card::FACES).zip(self.0) {
            if let Some(place) = names.get_mut(usize::from(name.0)) {
                *place = Card(index);
            }
        }
        Renaming(names)
    }
}

/// Which cards a game is played with. The order of [`Pack::cards`] is the order before shuffling and part of the
/// deal specification: it never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pack {
    /// One pack without jokers, 52 cards.
    FiftyTwo,
    /// Two packs with jokers, 108 cards.
    TwoWithJokers,
}

impl Pack {
    /// The unshuffled pack: faces in canonical order; of two packs, the first pack and then the second.
    #[must_use]
    pub fn cards(self) -> Vec<Card> {
        match self {
            Pack::FiftyTwo => (0..52).map(Card).collect(),
            Pack::TwoWithJokers => (0..Card::FACES).chain(0..Card::FACES).map(Card).collect(),
        }
    }

    /// How many cards: 52 or 108.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Pack::FiftyTwo => 52,
            Pack::TwoWithJokers => 108,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_is_read_back_from_its_text() {
        for index in 0..Card::FACES {
            let card = Card::from_index(index).unwrap();
            assert_eq!(card.to_string().parse::<Card>().unwrap(), card);
        }
        assert_eq!(Card::from_index(54), None);
    }

    #[test]
    fn compact_and_blank_separated_lists_are_the_same() {
        assert_eq!(parse_cards("H99JJ sj").unwrap(), parse_cards("H9 H9  HJ HJ\tsj").unwrap());
        assert_eq!(parse_cards("").unwrap(), vec![]);
        assert_eq!(write_cards(parse_cards("SKKAA bj").unwrap()), "SK SK SA SA bj");
    }

    #[test]
    fn words_that_are_no_cards_are_named() {
        for bad in ["H", "h4", "H1", "H10", "SJ4x", "Sj", "BJ", "4H", "♥4", "H4,S4", "sjbj"] {
            let error = parse_cards(&format!("S4 {bad}")).unwrap_err();
            assert_eq!(error.token, bad);
        }
    }

    #[test]
    fn sets_iterate_in_canonical_order_and_refuse_repetition() {
        let set: CardSet = parse_cards("C4 S4 HA H4").unwrap().into_iter().collect();
        assert_eq!(set.to_string(), "S4 H4 HA C4");
        assert!(serde_json::from_str::<CardSet>("\"H4 H4\"").is_err());
    }

    #[test]
    fn packs_have_their_cards() {
        assert_eq!(Pack::FiftyTwo.cards().len(), 52);
        let two = Pack::TwoWithJokers.cards();
        assert_eq!(two.len(), 108);
        assert_eq!(two.iter().filter(|card| card.is_joker()).count(), 4);
    }
}
