//! Combinations of cards (牌型): recognising, comparing and generating them.
//!
//! The only place that knows what may be played. Checking a play, listing the plays, hints, the play of the clock
//! and AI players all use it, so that they cannot disagree. It knows nothing of seats, turns or phases.
//!
//! Inside, a set of ranks is 13 bits with the weakest rank at bit 0. How many cards of each rank a hand has is four
//! such sets: the ranks held at least once, twice, three and four times.

use crate::cards::{CardSet, Rank};

const RANKS: u32 = 13;
const ALL_RANKS: u16 = (1 << RANKS) - 1;

/// A set of ranks in the order of strength.
type Ranks = u16;

/// Which combinations a ruleset allows; see [`super::Rules::shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shapes {
    /// How far the printed order (2 first) is turned to make the weakest rank the first.
    turn: u32,
    /// The ranks that take part in runs.
    run_ranks: Ranks,
    /// Fewest groups of a run by size of the group, 0 for none.
    fewest: [u8; 4],
    /// Whether four of a kind is a bomb.
    bombs: bool,
}

/// A recognised combination: `groups` consecutive ranks, `size` cards of each, up to the rank of strength `top`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combo {
    /// Cards of each rank: 1 single, 2 pair, 3 triple, 4 quad.
    pub size: u8,
    /// Ranks: 1, or the length of the run.
    pub groups: u8,
    /// Strength of the (highest) rank, 0 for the weakest, 12 for the strongest.
    pub top: u8,
}

impl Combo {
    /// Number of cards.
    #[must_use]
    pub const fn cards(self) -> u8 {
        self.size * self.groups
    }
}

/// The ranks of one suit of a set, in printed order.
#[allow(clippy::cast_possible_truncation)] // cut to 13 bits
const fn suit_ranks(cards: CardSet, suit: u32) -> Ranks {
    (cards.bits() >> (suit * RANKS)) as u16 & ALL_RANKS
}

#[allow(clippy::cast_possible_truncation)] // a count of at most 13 bits
const fn bits(ranks: Ranks) -> u8 {
    ranks.count_ones() as u8
}

#[allow(clippy::cast_possible_truncation)] // a bit number of 13 bits
const fn lowest(ranks: Ranks) -> u8 {
    ranks.trailing_zeros() as u8
}

impl Shapes {
    pub(super) fn new(weakest: Rank, run_top: Rank, fewest: [u8; 4], bombs: bool) -> Shapes {
        let turn = weakest as u32;
        let top = (run_top as u32 + RANKS - turn) % RANKS;
        Shapes { turn, run_ranks: ALL_RANKS >> (RANKS - 1 - top), fewest, bombs }
    }

    /// The strength of a rank, 0 for the weakest (WK-4); suits have none.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // less than 13
    pub const fn strength(self, rank: Rank) -> u8 {
        ((rank as u32 + RANKS - self.turn) % RANKS) as u8
    }

    /// The rank of a strength; strengths above 12 go round.
    #[must_use]
    pub const fn rank(self, strength: u8) -> Rank {
        Rank::ALL[((strength as u32 + self.turn) % RANKS) as usize]
    }

    const fn by_strength(self, printed: Ranks) -> Ranks {
        (printed >> self.turn | printed << (RANKS - self.turn)) & ALL_RANKS
    }

    const fn printed(self, by_strength: Ranks) -> Ranks {
        (by_strength << self.turn | by_strength >> (RANKS - self.turn)) & ALL_RANKS
    }

    /// The ranks held at least once, twice, three, four times.
    const fn held(self, cards: CardSet) -> [Ranks; 4] {
        let (s, h, d, c) =
            (suit_ranks(cards, 0), suit_ranks(cards, 1), suit_ranks(cards, 2), suit_ranks(cards, 3));
        let (any_sh, both_sh, any_dc, both_dc) = (s | h, s & h, d | c, d & c);
        [
            self.by_strength(any_sh | any_dc),
            self.by_strength(both_sh | both_dc | any_sh & any_dc),
            self.by_strength(both_sh & any_dc | both_dc & any_sh),
            self.by_strength(both_sh & both_dc),
        ]
    }

    /// The combination that these cards are, if any.
    #[must_use]
    pub fn recognise(self, cards: CardSet) -> Option<Combo> {
        let held = self.held(cards);
        let ranks = held[0];
        let size = held.iter().rposition(|at_least| *at_least != 0)?;
        // As many cards of every rank: no kickers (WK-27).
        if held[size] != ranks || !CardSet::FIFTY_TWO.contains_all(cards) {
            return None;
        }
        let groups = bits(ranks);
        let low = lowest(ranks);
        if groups > 1 {
            let consecutive = (ranks >> low).count_ones() == (ranks >> low).trailing_ones();
            // WK-28, WK-29
            let long_enough = self.fewest[size] != 0 && groups >= self.fewest[size];
            // WK-30
            if !consecutive || !long_enough || ranks & !self.run_ranks != 0 {
                return None;
            }
        }
        #[allow(clippy::cast_possible_truncation)] // 0 to 3
        let size = size as u8 + 1;
        Some(Combo { size, groups, top: low + groups - 1 })
    }

    /// Whether a combination is a bomb (WK-32); a run of quads never is (WK-29).
    #[must_use]
    pub const fn is_bomb(self, combo: Combo) -> bool {
        self.bombs && combo.size == 4 && combo.groups == 1
    }

    /// Whether `combo` beats `other`: same type and length and a higher rank (WK-31), or a bomb against anything else
    /// (WK-32).
    #[must_use]
    pub const fn beats(self, combo: Combo, other: Combo) -> bool {
        if combo.size == other.size && combo.groups == other.groups {
            return combo.top > other.top;
        }
        self.is_bomb(combo)
    }

    /// The plays of a hand: all of them for a leader, those that beat `over` for a follower, none of more than
    /// `most` cards. One per set of ranks, made of the first suits in the order S H D C.
    #[must_use]
    pub fn plays(self, hand: CardSet, over: Option<Combo>, most: u8) -> Plays {
        Plays::new(self, hand, over, most)
    }

    /// The cards of a combination out of a hand that has it: the first suits of each rank.
    fn pick(self, hand: CardSet, combo: Combo) -> CardSet {
        let ranks = ALL_RANKS >> (RANKS - u32::from(combo.groups));
        let ranks = self.printed(ranks << (combo.top + 1 - combo.groups));
        // taken[n]: the ranks of which more than n cards are taken.
        let mut taken: [Ranks; 4] = [0; 4];
        let last = usize::from(combo.size - 1);
        let mut cards = 0_u64;
        for suit in 0..4 {
            let more = suit_ranks(hand, suit) & ranks & !taken[last];
            cards |= u64::from(more) << (suit * RANKS);
            for n in (1..=last).rev() {
                taken[n] |= taken[n - 1] & more;
            }
            taken[0] |= more;
        }
        CardSet::from_bits(cards)
    }
}

/// Iterates over plays: singles, pairs, triples, quads, then runs of singles, of pairs, of triples, of quads, each
/// from short to long and from weak to strong. The first play of a leader is therefore the weakest single. Counting
/// and skipping do not build the plays.
#[derive(Clone, Debug)]
pub struct Plays {
    shapes: Shapes,
    hand: CardSet,
    held: [Ranks; 4],
    most: u8,
    size: u8,
    groups: u8,
    /// Ranks on which a run of `groups` groups ends, while runs are listed.
    windows: Ranks,
    /// Top ranks of the present family that are still to come.
    tops: Ranks,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A leader's families of one rank.
    Single,
    /// A leader's runs.
    Runs,
    /// A follower's own family, bombs still to come.
    Follow,
    /// The last family.
    Last,
}

impl Plays {
    fn new(shapes: Shapes, hand: CardSet, over: Option<Combo>, most: u8) -> Plays {
        let held = shapes.held(hand);
        let mut plays =
            Plays { shapes, hand, held, most, size: 1, groups: 1, windows: 0, tops: 0, stage: Stage::Single };
        match over {
            None => plays.tops = held[0],
            Some(over) => {
                plays.size = over.size;
                plays.groups = over.groups;
                let own = held[usize::from(over.size - 1)];
                let windows = (1..over.groups).fold(own & plays.family_ranks(), |w, n| w & own << n);
                let higher = ALL_RANKS << (over.top + 1) & ALL_RANKS;
                plays.tops = if over.cards() <= most { windows & higher } else { 0 };
                plays.stage = if shapes.bombs && !shapes.is_bomb(over) { Stage::Follow } else { Stage::Last };
            }
        }
        plays
    }

    const fn family_ranks(&self) -> Ranks {
        if self.groups > 1 { self.shapes.run_ranks } else { ALL_RANKS }
    }

    /// Goes on to the next family that has plays; `false` at the end.
    fn next_family(&mut self) -> bool {
        self.tops = 0;
        loop {
            match self.stage {
                Stage::Last => return false,
                Stage::Follow => {
                    self.stage = Stage::Last;
                    (self.size, self.groups) = (4, 1);
                    self.tops = if self.most >= 4 { self.held[3] } else { 0 };
                }
                Stage::Single if self.size < 4 && self.size < self.most => {
                    self.tops = self.held[usize::from(self.size)];
                    self.size += 1;
                    if self.tops == 0 {
                        // No rank is held so often, let alone oftener.
                        self.begin_runs(1);
                    }
                }
                Stage::Single => self.begin_runs(1),
                Stage::Runs => self.next_run(),
            }
            if self.tops != 0 {
                return true;
            }
        }
    }

    fn begin_runs(&mut self, size: u8) {
        self.stage = Stage::Runs;
        self.size = size;
        self.groups = 1;
        self.windows = self.held[usize::from(size - 1)] & self.shapes.run_ranks;
        if self.shapes.fewest[usize::from(size - 1)] == 0 {
            self.windows = 0;
        }
    }

    fn next_run(&mut self) {
        let at_least = self.held[usize::from(self.size - 1)];
        self.windows &= at_least << self.groups;
        self.groups += 1;
        if self.windows == 0 || self.size * self.groups > self.most {
            if self.size < 4 {
                self.begin_runs(self.size + 1);
            } else {
                self.stage = Stage::Last;
            }
        } else if self.groups >= self.shapes.fewest[usize::from(self.size - 1)] {
            self.tops = self.windows;
        }
    }

    fn take(&mut self) -> (Combo, CardSet) {
        let combo = Combo { size: self.size, groups: self.groups, top: lowest(self.tops) };
        self.tops &= self.tops - 1;
        (combo, self.shapes.pick(self.hand, combo))
    }
}

impl Iterator for Plays {
    type Item = (Combo, CardSet);

    fn next(&mut self) -> Option<(Combo, CardSet)> {
        if self.tops == 0 && !self.next_family() {
            return None;
        }
        Some(self.take())
    }

    fn count(mut self) -> usize {
        let mut count = usize::from(bits(self.tops));
        while self.next_family() {
            count += usize::from(bits(self.tops));
        }
        count
    }

    fn nth(&mut self, mut n: usize) -> Option<(Combo, CardSet)> {
        loop {
            let here = usize::from(bits(self.tops));
            if n < here {
                for _ in 0..n {
                    self.tops &= self.tops - 1;
                }
                return Some(self.take());
            }
            n -= here;
            if !self.next_family() {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Card, Suit};

    fn shapes(run_top: Rank, fewest: [u8; 4], bombs: bool) -> Shapes {
        Shapes::new(Rank::Four, run_top, fewest, bombs)
    }

    fn default() -> Shapes {
        shapes(Rank::King, [3, 3, 0, 0], true)
    }

    /// Cards of these ranks, each further card of a rank in the next suit.
    fn cards(ranks: &str) -> CardSet {
        let mut set = CardSet::EMPTY;
        for letter in ranks.chars() {
            let rank = Rank::from_letter(letter).unwrap();
            assert!(Suit::ALL.into_iter().any(|suit| set.insert(Card::new(suit, rank))), "{ranks}");
        }
        set
    }

    fn combo(shapes: Shapes, ranks: &str) -> Combo {
        shapes.recognise(cards(ranks)).unwrap_or_else(|| panic!("{ranks} is no combination"))
    }

    #[test]
    fn recognition_table_of_the_rulebook() {
        let columns =
            [default(), shapes(Rank::Ace, [3, 3, 0, 0], true), shapes(Rank::King, [3, 3, 3, 3], false)];
        // (cards, groups × size in each column, 0 = no combination)
        let table: &[(&str, [u8; 3])] = &[
            ("456", [31, 31, 31]),
            ("TJQK", [41, 41, 41]),
            ("456789TJQK", [101, 101, 101]),
            ("QKA", [0, 31, 0]),
            ("JQKA", [0, 41, 0]),
            ("KA2", [0, 0, 0]),
            ("A23", [0, 0, 0]),
            ("234", [0, 0, 0]),
            ("45", [0, 0, 0]),
            ("4455", [0, 0, 0]),
            ("445566", [32, 32, 32]),
            ("444555666", [0, 0, 33]),
            ("444777KKK", [0, 0, 0]),
            ("4445", [0, 0, 0]),
            ("44455", [0, 0, 0]),
            ("444455", [0, 0, 0]),
            ("4", [11, 11, 11]),
            ("33", [12, 12, 12]),
            ("222", [13, 13, 13]),
            ("AAAA", [14, 14, 14]),
            ("444455556666", [0, 0, 34]),
            ("44445555", [0, 0, 0]),
            ("456788", [0, 0, 0]),
        ];
        for (ranks, wanted) in table {
            for (column, (shapes, wanted)) in columns.iter().zip(wanted).enumerate() {
                let found = shapes.recognise(cards(ranks)).map_or(0, |combo| combo.groups * 10 + combo.size);
                assert_eq!(found, *wanted, "{ranks} in column {column}");
            }
        }
        assert_eq!(default().recognise(CardSet::EMPTY), None);
    }

    #[test]
    fn a_list_of_ranks_with_a_gap_is_no_run() {
        for ranks in ["457", "4568", "456K", "445577", "9TQ", "46789TJQK"] {
            assert_eq!(default().recognise(cards(ranks)), None, "{ranks}");
        }
    }

    #[test]
    fn jokers_belong_to_no_combination() {
        for joker in [Card::SMALL_JOKER, Card::BIG_JOKER] {
            let mut set = cards("4");
            set.insert(joker);
            assert_eq!(default().recognise(set), None);
            assert_eq!(default().recognise([joker].into_iter().collect()), None);
        }
    }

    #[test]
    fn numbers_of_combinations_of_the_rulebook() {
        let count = |shapes: Shapes| shapes.plays(CardSet::FIFTY_TWO, None, 20).count();
        assert_eq!(count(default()), 124);
        assert_eq!(count(shapes(Rank::Ace, [3, 3, 0, 0], true)), 141);
        // Ten run ranks: runs of 3 to 6 triples (8+7+6+5) and of 3 to 5 quads (8+7+6) fit into 20 cards.
        assert_eq!(count(shapes(Rank::King, [3, 3, 3, 3], false)), 124 + 26 + 21);
        assert_eq!(count(shapes(Rank::King, [0, 0, 0, 0], false)), 52);
    }

    #[test]
    fn comparison_examples_of_the_rulebook() {
        let bomb = default();
        let plain = shapes(Rank::King, [3, 3, 3, 3], false);
        let beats = |shapes: Shapes, one, other| shapes.beats(combo(shapes, one), combo(shapes, other));
        assert!(!beats(plain, "KKKK", "4567"));
        assert!(beats(bomb, "KKKK", "4567"));
        assert!(!beats(bomb, "89TJQ", "456"));
        for shapes in [bomb, plain] {
            assert!(beats(shapes, "5555", "4444"));
            assert!(!beats(shapes, "4444", "5555"));
            assert!(!beats(shapes, "4444", "4444"));
            assert!(beats(shapes, "3", "2") && beats(shapes, "2", "A") && beats(shapes, "A", "K"));
            assert!(!beats(shapes, "9", "9"));
            assert!(!beats(shapes, "KKK", "44") && !beats(shapes, "KK", "4"));
            assert!(!beats(shapes, "456", "4444"));
        }
    }

    #[test]
    fn a_bomb_beats_a_run_of_quads_and_is_not_beaten_by_one() {
        let shapes = shapes(Rank::King, [3, 3, 3, 2], true);
        let run = combo(shapes, "44445555");
        assert!(!shapes.is_bomb(run));
        assert!(shapes.beats(combo(shapes, "4444"), run));
        assert!(!shapes.beats(combo(shapes, "QQQQKKKK"), combo(shapes, "4444")));
        assert!(shapes.beats(combo(shapes, "QQQQKKKK"), run));
    }

    #[test]
    fn the_order_of_strength_is_a_field() {
        for (weakest, order) in
            [(Rank::Four, "456789TJQKA23"), (Rank::Three, "3456789TJQKA2"), (Rank::Two, "23456789TJQKA")]
        {
            let shapes = Shapes::new(weakest, Rank::King, [3, 3, 0, 0], true);
            for (strength, letter) in (0..).zip(order.chars()) {
                assert_eq!(shapes.rank(strength).letter(), letter);
                assert_eq!(shapes.strength(shapes.rank(strength)), strength);
            }
        }
        let threes = Shapes::new(Rank::Three, Rank::King, [3, 3, 0, 0], true);
        assert!(threes.recognise(cards("345")).is_some());
        assert!(threes.recognise(cards("234")).is_none());
    }

    #[test]
    fn plays_are_recognised_as_what_they_are_and_use_the_first_suits() {
        let shapes = default();
        let hand: CardSet =
            crate::cards::parse_cards("D4 C4 S5 C5 H6 D6 H7 S3 H3 D3 C3").unwrap().into_iter().collect();
        let plays: Vec<_> = shapes.plays(hand, None, 20).collect();
        for (combo, cards) in &plays {
            assert_eq!(shapes.recognise(*cards), Some(*combo));
            assert!(hand.contains_all(*cards));
        }
        let pairs = plays.iter().find(|(combo, _)| combo.size == 2 && combo.groups == 3).unwrap();
        assert_eq!(pairs.1.to_string(), "S5 H6 D4 D6 C4 C5");
        assert_eq!(plays[0].1.to_string(), "D4");
        assert_eq!(shapes.plays(hand, None, 20).count(), plays.len());
        for (n, play) in plays.iter().enumerate() {
            assert_eq!(shapes.plays(hand, None, 20).nth(n), Some(*play));
        }
        assert_eq!(shapes.plays(hand, None, 20).nth(plays.len()), None);
    }
}
