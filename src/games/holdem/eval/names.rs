//! What a value is called: `full house, kings over tens`, 葫芦，K 带 10.
//!
//! Names are complete: two values never have the same one, so that a name explains who won.

use crate::cards::Rank;
use crate::words::Message;

use super::{Category, HandValue};

/// The rank as a number or letter of a printed card, `10` for ten.
const fn face(rank: Rank) -> &'static str {
    match rank {
        Rank::Two => "2",
        Rank::Three => "3",
        Rank::Four => "4",
        Rank::Five => "5",
        Rank::Six => "6",
        Rank::Seven => "7",
        Rank::Eight => "8",
        Rank::Nine => "9",
        Rank::Ten => "10",
        Rank::Jack => "J",
        Rank::Queen => "Q",
        Rank::King => "K",
        Rank::Ace => "A",
    }
}

/// The rank as the word by which the Fluent files choose; they cannot choose by digits.
const fn word(rank: Rank) -> &'static str {
    match rank {
        Rank::Two => "two",
        Rank::Three => "three",
        Rank::Four => "four",
        Rank::Five => "five",
        Rank::Six => "six",
        Rank::Seven => "seven",
        Rank::Eight => "eight",
        Rank::Nine => "nine",
        Rank::Ten => "ten",
        Rank::Jack => "jack",
        Rank::Queen => "queen",
        Rank::King => "king",
        Rank::Ace => "ace",
    }
}

fn faces(ranks: &[Rank]) -> String {
    let words: Vec<&str> = ranks.iter().map(|&rank| face(rank)).collect();
    words.join(" ")
}

impl HandValue {
    /// The name of the value, complete with the cards that break ties.
    #[must_use]
    #[allow(clippy::many_single_char_names)] // five ranks, as they are compared
    pub fn name(self) -> Message {
        let [a, b, c, d, e] = self.ranks();
        let one = |id, rank: Rank| Message::plain(id).with("high", word(rank));
        match self.category() {
            Category::StraightFlush if self == HandValue::BEST => Message::plain("hand-royal-flush"),
            Category::StraightFlush => one("hand-straight-flush", a),
            Category::FourOfAKind => one("hand-four-of-a-kind", a).with("rest", face(e)),
            Category::FullHouse => one("hand-full-house", a).with("low", word(d)),
            Category::Flush => one("hand-flush", a).with("rest", faces(&[b, c, d, e])),
            Category::Straight => one("hand-straight", a),
            Category::ThreeOfAKind => one("hand-three-of-a-kind", a).with("rest", faces(&[d, e])),
            Category::TwoPair => one("hand-two-pair", a).with("low", word(c)).with("rest", face(e)),
            Category::Pair => one("hand-pair", a).with("rest", faces(&[c, d, e])),
            Category::HighCard => one("hand-high-card", a).with("rest", faces(&[b, c, d, e])),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cards::parse_cards;
    use crate::games::holdem::eval::evaluate;
    use crate::words::{Lang, say};

    fn named(cards: &str, wanted: [&str; 3]) {
        let name = evaluate(&parse_cards(cards).unwrap()).unwrap().name();
        assert_eq!(Lang::ALL.map(|lang| say(lang, &name)), wanted, "{cards}");
    }

    #[test]
    fn names_in_three_languages() {
        named("SAKQJT", ["royal flush", "皇家同花顺", "皇家同花順"]);
        named("H5432 HA", ["straight flush, five high", "同花顺，5 高", "同花順，5 高"]);
        named("S6 H6 D6 C6 ST", ["four of a kind, sixes, kicker 10", "四条 6，踢脚 10", "四條 6，踢腳 10"]);
        named("SK HK DK ST HT C2 D2", ["full house, kings over tens", "葫芦，K 带 10", "葫蘆，K 帶 10"]);
        named(
            "SAKT42",
            ["flush, ace high, then K 10 4 2", "同花，A 高，其余 K 10 4 2", "同花，A 高，其餘 K 10 4 2"],
        );
        named("SA HK DQ CJ ST", ["straight, ace high", "顺子，A 高", "順子，A 高"]);
        named(
            "S2 H2 D2 CJ ST",
            ["three of a kind, twos, kickers J 10", "三条 2，踢脚 J 10", "三條 2，踢腳 J 10"],
        );
        named(
            "S2 H2 DJ CJ ST",
            ["two pair, jacks and twos, kicker 10", "两对，J 和 2，踢脚 10", "兩對，J 和 2，踢腳 10"],
        );
        named(
            "S9 H9 DA C8 S4 H3 D2",
            ["pair of nines, kickers A 8 4", "一对 9，踢脚 A 8 4", "一對 9，踢腳 A 8 4"],
        );
        named(
            "SA HT D7 C4 S3",
            ["high card ace, then 10 7 4 3", "高牌 A，其余 10 7 4 3", "高牌 A，其餘 10 7 4 3"],
        );
    }

    #[test]
    fn no_two_values_have_the_same_name() {
        for lang in Lang::ALL {
            let names: BTreeSet<String> = (1..=HandValue::COUNT)
                .map(|number| say(lang, &HandValue::from_number(number).unwrap().name()))
                .collect();
            assert_eq!(names.len(), usize::from(HandValue::COUNT), "{lang}");
        }
    }
}
