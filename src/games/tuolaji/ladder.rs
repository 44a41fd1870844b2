//! Groups, tiers and adjacency for one level and trump: the ladder of TL 4.
//!
//! A [`Ladder`] answers which group a card belongs to and how high it stands there. Strength and adjacency use the
//! same tiers; there is no other adjacency rule anywhere in this game.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::bag::{Bag, SUITS_UPWARDS};
use crate::cards::{Card, Rank, Suit};
use crate::words::{Lang, Message, message, say};

const SUIT_BITS: u64 = (1 << 13) - 1;
const SMALL: u64 = 1 << 52;
const BIG: u64 = 1 << 53;
/// Tiers of the longest ladder: twelve ranks, side-level, main-level, two jokers.
pub(crate) const TIERS: usize = 16;
const SIDE_LEVEL: u8 = 12;
const MAIN_LEVEL: u8 = 13;

/// The level of a deal (级): the rank that is trump in every suit, 2 to K.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(Rank);

impl Level {
    /// The twelve levels in the order they are played.
    pub const ALL: [Level; 12] = [
        Level(Rank::Two),
        Level(Rank::Three),
        Level(Rank::Four),
        Level(Rank::Five),
        Level(Rank::Six),
        Level(Rank::Seven),
        Level(Rank::Eight),
        Level(Rank::Nine),
        Level(Rank::Ten),
        Level(Rank::Jack),
        Level(Rank::Queen),
        Level(Rank::King),
    ];

    /// The level of a rank; there is no ace level (TL 2.2).
    #[must_use]
    pub fn new(rank: Rank) -> Option<Level> {
        (rank != Rank::Ace).then_some(Level(rank))
    }

    /// The rank.
    #[must_use]
    pub const fn rank(self) -> Rank {
        self.0
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Level {
    type Err = Message;

    fn from_str(text: &str) -> Result<Level, Message> {
        let mut letters = text.chars();
        letters
            .next()
            .filter(|_| letters.next().is_none())
            .and_then(Rank::from_letter)
            .and_then(Level::new)
            .ok_or_else(|| message!("tuolaji-no-level"))
    }
}

/// The trump suit of a deal (主), or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trump {
    /// A suit, and the level cards and jokers.
    Suit(Suit),
    /// No trump (无主): only level cards and jokers, `NT`.
    None,
}

impl Trump {
    /// The trump suit; `None` for no trump.
    #[must_use]
    pub const fn suit(self) -> Option<Suit> {
        match self {
            Trump::Suit(suit) => Some(suit),
            Trump::None => None,
        }
    }
}

impl fmt::Display for Trump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trump::Suit(suit) => fmt::Display::fmt(suit, f),
            Trump::None => f.write_str("NT"),
        }
    }
}

impl FromStr for Trump {
    type Err = Message;

    fn from_str(text: &str) -> Result<Trump, Message> {
        let mut letters = text.chars();
        match letters.next().filter(|_| letters.next().is_none()).and_then(Suit::from_letter) {
            Some(suit) => Ok(Trump::Suit(suit)),
            None if text == "NT" => Ok(Trump::None),
            None => Err(message!("tuolaji-no-trump")),
        }
    }
}

macro_rules! text_serde {
    ($type:ty) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(|error: Message| {
                    serde::de::Error::custom(format!("`{text}` {}", say(Lang::En, &error)))
                })
            }
        }
    };
}

text_serde!(Level);
text_serde!(Trump);

/// A group (门): the unit of following.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// A side suit without its level cards.
    Side(Suit),
    /// Jokers, level cards and the trump suit.
    Trump,
}

impl Group {
    /// 0 to 3 for the side suits S H D C, 4 for trumps.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Group::Side(suit) => suit as usize,
            Group::Trump => 4,
        }
    }

    /// `S H D C` for a side suit, `T` for trumps: the value of `$group` in the sentences.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Group::Side(suit) => suit.letter(),
            Group::Trump => 'T',
        }
    }
}

/// The tiers of every group for one level and trump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ladder {
    level: Level,
    trump: Trump,
    /// Faces of each group: the suits in writing order (empty for the trump suit), then trumps.
    masks: [u64; 5],
}

impl Ladder {
    /// The ladder of a level and a trump.
    #[must_use]
    pub fn new(level: Level, trump: Trump) -> Ladder {
        let mut masks = [0; 5];
        let mut trumps = SMALL | BIG;
        for suit in Suit::ALL {
            let suit_mask = SUIT_BITS << (13 * suit as u32);
            let level_card = 1 << Card::new(suit, level.rank()).index();
            trumps |= level_card;
            if trump == Trump::Suit(suit) {
                trumps |= suit_mask;
            } else {
                masks[suit as usize] = suit_mask & !level_card;
            }
        }
        masks[4] = trumps;
        Ladder { level, trump, masks }
    }

    /// The level.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The trump.
    #[must_use]
    pub const fn trump(&self) -> Trump {
        self.trump
    }

    /// The groups of this deal, side suits in writing order, trumps last.
    pub fn groups(&self) -> impl Iterator<Item = Group> {
        let trump = self.trump;
        Suit::ALL
            .into_iter()
            .filter(move |suit| trump != Trump::Suit(*suit))
            .map(Group::Side)
            .chain(std::iter::once(Group::Trump))
    }

    /// The faces of a group, bit = card index.
    #[must_use]
    pub(crate) const fn mask(&self, group: Group) -> u64 {
        self.masks[group.index()]
    }

    /// The group of a card.
    #[must_use]
    pub const fn group(&self, card: Card) -> Group {
        match card.suit() {
            Some(suit) if self.masks[4] >> card.index() & 1 == 0 => Group::Side(suit),
            _ => Group::Trump,
        }
    }

    /// The one group of a bag; `None` if it is empty or has cards of two.
    #[must_use]
    pub fn single_group(&self, bag: Bag) -> Option<Group> {
        let group = self.group(bag.first()?);
        (bag.faces() & !self.mask(group) == 0).then_some(group)
    }

    /// The tier of a card in its group, 0 lowest. Equal tiers are equally strong.
    #[must_use]
    pub fn tier(&self, card: Card) -> u8 {
        let squeezed = |rank: Rank| rank as u8 - u8::from(rank > self.level.rank());
        match (card.suit(), card.rank(), self.trump) {
            (Some(_), Some(rank), Trump::None) if rank == self.level.rank() => 0,
            (Some(suit), Some(rank), trump) if rank == self.level.rank() => {
                if trump == Trump::Suit(suit) {
                    MAIN_LEVEL
                } else {
                    SIDE_LEVEL
                }
            }
            (Some(_), Some(rank), _) => squeezed(rank),
            (_, _, Trump::None) => 1 + u8::from(card == Card::BIG_JOKER),
            _ => 14 + u8::from(card == Card::BIG_JOKER),
        }
    }

    /// The strength of a card across groups: its tier, trumps above all side suits.
    #[must_use]
    pub fn strength(&self, card: Card) -> u8 {
        self.tier(card) + if self.group(card) == Group::Trump { 16 } else { 0 }
    }

    /// The tiers of a group on which the faces of a mask lie, bit = tier. Faces of other groups are ignored.
    #[must_use]
    pub(crate) fn tiers(&self, group: Group, faces: u64) -> u16 {
        let level = self.level.rank() as u32;
        let squeeze = |suit: Suit| {
            let bits = faces >> (13 * suit as u32) & SUIT_BITS;
            let low = (1 << level) - 1;
            (bits & low) | (bits >> 1 & !low)
        };
        let jokers = |first: u32| (u64::from(faces & SMALL != 0) | u64::from(faces & BIG != 0) << 1) << first;
        let bits = match (group, self.trump) {
            (Group::Side(suit), _) => squeeze(suit),
            (Group::Trump, Trump::Suit(suit)) => {
                let main = 1 << Card::new(suit, self.level.rank()).index();
                squeeze(suit)
                    | u64::from(faces & self.level_faces() & !main != 0) << SIDE_LEVEL
                    | u64::from(faces & main != 0) << MAIN_LEVEL
                    | jokers(14)
            }
            (Group::Trump, Trump::None) => u64::from(faces & self.level_faces() != 0) | jokers(1),
        };
        #[allow(clippy::cast_possible_truncation)] // sixteen tiers at most
        let tiers = bits as u16;
        tiers
    }

    const fn level_faces(&self) -> u64 {
        0x0000_0080_0400_2001_u64 << self.level.0 as u32
    }

    /// The tier of trumps that has several faces, and those faces: the side-level cards, in no trump all level cards.
    #[must_use]
    pub(crate) fn shared_tier(&self) -> (u8, u64) {
        match self.trump {
            Trump::Suit(suit) => {
                (SIDE_LEVEL, self.level_faces() & !(1 << Card::new(suit, self.level.rank()).index()))
            }
            Trump::None => (0, self.level_faces()),
        }
    }

    /// The faces on a tier of a group, bit = card index.
    #[must_use]
    pub(crate) fn faces_at(&self, group: Group, tier: u8) -> u64 {
        let level = self.level.rank() as u8;
        let rank_bit = |suit: Suit| 1 << (13 * suit as u8 + tier + u8::from(tier >= level));
        match (group, self.trump) {
            (Group::Side(suit), _) if tier < SIDE_LEVEL => rank_bit(suit),
            (Group::Side(_), _) => 0,
            (Group::Trump, Trump::Suit(suit)) => match tier {
                0..SIDE_LEVEL => rank_bit(suit),
                SIDE_LEVEL => self.shared_tier().1,
                MAIN_LEVEL => 1 << Card::new(suit, self.level.rank()).index(),
                14 => SMALL,
                15 => BIG,
                _ => 0,
            },
            (Group::Trump, Trump::None) => match tier {
                0 => self.level_faces(),
                1 => SMALL,
                2 => BIG,
                _ => 0,
            },
        }
    }

    /// Of faces on one tier the first in the order D C H S, as a mask of one bit; 0 of none.
    #[must_use]
    pub(crate) fn lowest_face(faces: u64) -> u64 {
        SUITS_UPWARDS
            .into_iter()
            .map(|suit| faces & SUIT_BITS << (13 * suit as u32))
            .chain(std::iter::once(faces))
            .find(|part| *part != 0)
            .map_or(0, |part| part & part.wrapping_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladders() -> impl Iterator<Item = Ladder> {
        Level::ALL.into_iter().flat_map(|level| {
            Suit::ALL
                .into_iter()
                .map(Trump::Suit)
                .chain([Trump::None])
                .map(move |trump| Ladder::new(level, trump))
        })
    }

    #[test]
    fn group_sizes_are_those_of_section_4() {
        for ladder in ladders() {
            let sizes: Vec<u32> = ladder.groups().map(|group| 2 * ladder.mask(group).count_ones()).collect();
            match ladder.trump() {
                Trump::Suit(_) => assert_eq!(sizes, [24, 24, 24, 36]),
                Trump::None => assert_eq!(sizes, [24, 24, 24, 24, 12]),
            }
        }
    }

    #[test]
    fn tiers_of_cards_masks_and_faces_agree() {
        for ladder in ladders() {
            for card in (0..Card::FACES).filter_map(Card::from_index) {
                let group = ladder.group(card);
                let tier = ladder.tier(card);
                let bit = 1 << card.index();
                assert_eq!(ladder.tiers(group, bit), 1 << tier, "{card} {ladder:?}");
                assert_ne!(ladder.faces_at(group, tier) & bit, 0, "{card} {ladder:?}");
            }
            for group in ladder.groups() {
                let all = (0..16).fold(0, |all, tier| all | ladder.faces_at(group, tier));
                assert_eq!(all, ladder.mask(group));
            }
        }
    }

    #[test]
    fn there_is_no_ace_level() {
        assert_eq!("A".parse::<Level>().ok(), None);
        assert_eq!("10".parse::<Level>().ok(), None);
        assert_eq!("T".parse::<Level>().unwrap().rank(), Rank::Ten);
        assert_eq!("NT".parse::<Trump>().unwrap(), Trump::None);
    }
}
