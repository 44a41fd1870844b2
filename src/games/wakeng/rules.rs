//! The rulesets of wakeng: every point that the competition rules leave open is a field here.
//!
//! A ruleset is data. This file says which values make sense together; it decides nothing about a board.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::combo::Shapes;
use crate::cards::{Card, Rank, Suit};
use crate::games::{Clause, Fault, Ruleset};
use crate::words::message;

/// Most bombs that one pack holds: one per rank.
pub(super) const BOMBS_MAX: u8 = 13;
/// The largest stake a ruleset may lead to. It keeps every sum of scores exact in 64 bits and in JSON readers that
/// know only doubles.
const STAKE_MAX: i128 = 1_000_000_000_000_000;

/// Which rank is the weakest; from there the ranks rise `… K A 2 3` in a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Weakest {
    /// 2 3 4 … K A.
    #[serde(rename = "2")]
    Two,
    /// 3 4 5 … A 2.
    #[serde(rename = "3")]
    Three,
    /// 4 5 6 … A 2 3, the order of the competition rules.
    #[serde(rename = "4")]
    Four,
}

impl Weakest {
    /// The printed rank.
    #[must_use]
    pub const fn rank(self) -> Rank {
        match self {
            Weakest::Two => Rank::Two,
            Weakest::Three => Rank::Three,
            Weakest::Four => Rank::Four,
        }
    }
}

/// What four cards of one rank are (四条/炸弹).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quad {
    /// A bomb: beats everything that is not a bomb, and lower bombs.
    Bomb,
    /// A combination like any other: beats only lower quads.
    Plain,
}

/// The highest rank of a run (连牌).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunTop {
    /// Runs end at the king.
    K,
    /// Q-K-A is a run as well.
    A,
}

impl RunTop {
    const fn rank(self) -> Rank {
        match self {
            RunTop::K => Rank::King,
            RunTop::A => Rank::Ace,
        }
    }
}

/// The suit whose lowest card among the dealt hands decides who speaks first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FirstSuit {
    S,
    H,
    D,
    C,
}

impl FirstSuit {
    /// The suit.
    #[must_use]
    pub const fn suit(self) -> Suit {
        match self {
            FirstSuit::S => Suit::Spades,
            FirstSuit::H => Suit::Hearts,
            FirstSuit::D => Suit::Diamonds,
            FirstSuit::C => Suit::Clubs,
        }
    }
}

/// Who leads the first trick (首攻).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstLead {
    /// The holder of the lowest card of the first suit (heart 4) once the bottom has joined the banker's hand.
    LowestCard,
    /// The seat that spoke first, whoever is banker.
    FirstSpeaker,
}

/// How the factors of several shown hands combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    /// The factor counts once for both pairs as soon as any hand was shown.
    Max,
    /// Once for the banker's hand and once for the defenders' side, multiplied; for both pairs.
    Product,
}

/// How many bombs count at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BombCap {
    /// All of them; `"none"` in a file, `null` is read as well.
    None,
    /// This many, 0 to 13.
    At(u8),
}

impl Serialize for BombCap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            BombCap::None => serializer.serialize_str("none"),
            BombCap::At(bombs) => serializer.serialize_u8(*bombs),
        }
    }
}

impl<'de> Deserialize<'de> for BombCap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BombCap, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Nothing(()),
            Number(u8),
            Word(String),
        }
        let wrong = || D::Error::custom("`bomb_cap` must be \"none\" or a number of bombs, 0 to 13");
        match Written::deserialize(deserializer).map_err(|_| wrong())? {
            Written::Nothing(()) => Ok(BombCap::None),
            Written::Number(bombs) => Ok(BombCap::At(bombs)),
            Written::Word(word) if word == "none" => Ok(BombCap::None),
            Written::Word(_) => Err(wrong()),
        }
    }
}

/// A ruleset of wakeng. Field order is the order of the shipped files; every field is mandatory (WK-40).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The name printed on every result (WK-41).
    pub name: String,
    /// The weakest rank; the others rise from it.
    pub weakest: Weakest,
    /// What four of a kind is.
    pub quad: Quad,
    /// The highest rank of a run; runs begin at the weakest rank or above.
    pub run_top: RunTop,
    /// Fewest cards of a run of singles (单牌连牌); 0: there are none.
    pub run_of_singles: u8,
    /// Fewest pairs of a run of pairs (对子连牌); 0: there are none.
    pub run_of_pairs: u8,
    /// Fewest triples of a run of triples; 0: there are none.
    pub run_of_triples: u8,
    /// Fewest quads of a run of quads, which is never a bomb; 0: there are none.
    pub run_of_quads: u8,
    /// The suit whose lowest dealt card speaks first.
    pub first_suit: FirstSuit,
    /// Who leads the first trick.
    pub first_lead: FirstLead,
    /// The bid of a rotten dig (烂挖): nobody bid and the first speaker is banker. 1 to 3.
    pub rotten_dig_bid: u8,
    /// Whether everybody may show before the bidding (叫分前明牌).
    pub show_before_bid: bool,
    /// Whether the banker may show after it.
    pub banker_show: bool,
    /// Whether there is doubling (加倍).
    pub doubling: bool,
    /// Points of a stake at bid 1.
    pub unit: u32,
    /// Factor of each bomb played; 1 with plain quads.
    pub bomb_factor: u32,
    /// How many bombs count at most.
    pub bomb_cap: BombCap,
    /// Factor of a shown hand.
    pub show_factor: u32,
    /// How shown hands combine.
    pub combine: Combine,
    /// Factor of each double.
    pub double_factor: u32,
    /// Time for each show decision, seconds.
    pub show_s: u32,
    /// Time for a bid, seconds.
    pub bid_s: u32,
    /// Time for doubling, seconds.
    pub double_s: u32,
    /// Time for a play, seconds.
    pub play_s: u32,
}

impl Rules {
    /// The lowest card of the first suit, the one that leads under [`FirstLead::LowestCard`]: heart 4.
    #[must_use]
    pub const fn lowest_card(&self) -> Card {
        Card::new(self.first_suit.suit(), self.weakest.rank())
    }

    /// Which combinations there are, ready for recognising and generating them.
    #[must_use]
    pub fn shapes(&self) -> Shapes {
        let fewest = [self.run_of_singles, self.run_of_pairs, self.run_of_triples, self.run_of_quads];
        Shapes::new(self.weakest.rank(), self.run_top.rank(), fewest, self.quad == Quad::Bomb)
    }

    /// How many bombs can count on one board.
    pub(super) fn bombs_counted(&self, bombs: u8) -> u8 {
        match self.bomb_cap {
            BombCap::None => bombs,
            BombCap::At(cap) => bombs.min(cap),
        }
    }

    /// The largest stake of a pair that these fields can lead to; `None` beyond 128 bits.
    fn largest_stake(&self) -> Option<i128> {
        let mut factors = vec![i128::from(self.unit), 3, i128::from(self.show_factor)];
        if self.combine == Combine::Product {
            factors.push(i128::from(self.show_factor));
        }
        factors.extend([i128::from(self.double_factor); 2]);
        factors.extend(std::iter::repeat_n(
            i128::from(self.bomb_factor),
            usize::from(self.bombs_counted(BOMBS_MAX)),
        ));
        factors.into_iter().try_fold(1_i128, i128::checked_mul)
    }
}

fn within(faults: &mut Vec<Fault>, field: &str, value: u32, low: u32, high: u32) {
    if value < low || value > high {
        faults.push(Fault::new("out_of_range", message!("ruleset-between", field, value, low, high)));
    }
}

impl Ruleset for Rules {
    fn name(&self) -> &str {
        &self.name
    }

    fn clauses(&self) -> Vec<Clause> {
        super::clauses::clauses(self)
    }

    fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if !crate::words::is_name(&self.name, 60) {
            faults.push(Fault::new("bad_name", message!("ruleset-name-60")));
        }
        for (field, groups) in [
            ("run_of_singles", self.run_of_singles),
            ("run_of_pairs", self.run_of_pairs),
            ("run_of_triples", self.run_of_triples),
            ("run_of_quads", self.run_of_quads),
        ] {
            if groups == 1 || groups > 13 {
                faults.push(Fault::new("out_of_range", message!("wakeng-runs", field, groups)));
            }
        }
        within(&mut faults, "rotten_dig_bid", u32::from(self.rotten_dig_bid), 1, 3);
        within(&mut faults, "unit", self.unit, 1, 1_000_000);
        within(&mut faults, "bomb_factor", self.bomb_factor, 1, 1_000);
        within(&mut faults, "show_factor", self.show_factor, 1, 1_000);
        within(&mut faults, "double_factor", self.double_factor, 1, 1_000);
        if let BombCap::At(cap) = self.bomb_cap {
            within(&mut faults, "bomb_cap", u32::from(cap), 0, u32::from(BOMBS_MAX));
        }
        for (field, seconds) in [
            ("show_s", self.show_s),
            ("bid_s", self.bid_s),
            ("double_s", self.double_s),
            ("play_s", self.play_s),
        ] {
            within(&mut faults, field, seconds, 1, 3_600);
        }
        // WK-34
        if self.quad == Quad::Plain && self.bomb_factor != 1 {
            faults
                .push(Fault::new("contradiction", message!("wakeng-bomb-factor", factor = self.bomb_factor)));
        }
        if self.largest_stake().is_none_or(|stake| stake > STAKE_MAX) {
            faults.push(Fault::new("scores_too_large", message!("wakeng-stake", stake_max = STAKE_MAX)));
        }
        faults
    }

    /// Plain quads have no bombs, so that overriding only `quad` sets the factor to 1.
    fn settle(&mut self, overridden: &[&str]) {
        if self.quad == Quad::Plain && overridden.contains(&"quad") && !overridden.contains(&"bomb_factor") {
            self.bomb_factor = 1;
        }
    }
}
