//! Equity: the share of the pot that each of several hands wins on average when all cards come out.
//!
//! Counted exactly over every way for the missing cards to come, or over a sample of them. A pot that `k` hands share
//! counts `1/k` for each, as a fraction; nothing here rounds. The sample draws from a [`GameRng`] it is given and
//! invents none.

use num_rational::Ratio;

use super::eval::{Evaluator, Hand, HandValue};
use crate::cards::{Card, CardSet};
use crate::rng::GameRng;
use crate::words::Message;

/// The most hands.
pub const HANDS_MAX: usize = 10;
/// The most ways for the cards to come that [`Spot::exact`] counts.
pub const WAYS_MAX: u64 = 100_000_000;
/// A number that every number of hands divides, so that shares of one pot are whole.
const WHOLE: u128 = 2520;

/// Hands, board and dead cards, checked: what an equity is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    hands: Vec<Option<[Card; 2]>>,
    board: Vec<Card>,
    rest: CardSet,
}

/// Why there is no equity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EquityError {
    /// Fewer than two or more than ten hands.
    Hands(usize),
    /// A hand of more or fewer than two cards: its number, from 1, and its cards.
    Hand(usize, usize),
    /// A board of other than 0, 3, 4 or 5 cards.
    Board(usize),
    /// A joker.
    Joker,
    /// A card that is named twice.
    Twice(Card),
    /// Fewer cards are left than must come: how many are missing.
    Cards(usize),
    /// Too many ways to count them all.
    TooMany(u128),
    /// A sample of nothing.
    Samples,
}

impl EquityError {
    /// Stable code, as in records where they have the same reason.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            EquityError::Hands(_) | EquityError::Hand(..) | EquityError::Board(_) => "wrong_count",
            EquityError::Joker => "not_in_pack",
            EquityError::Twice(_) => "card_named_twice",
            EquityError::Cards(_) => "too_few_cards",
            EquityError::TooMany(_) => "too_many_ways",
            EquityError::Samples => "no_samples",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn message(self) -> Message {
        match self {
            EquityError::Hands(count) => Message::plain("equity-hands").with("count", count),
            EquityError::Hand(number, count) => {
                Message::plain("equity-hand").with("number", number).with("count", count)
            }
            EquityError::Board(count) => Message::plain("equity-board").with("count", count),
            EquityError::Joker => Message::plain("equity-joker"),
            EquityError::Twice(card) => Message::plain("equity-twice").with("card", card),
            EquityError::Cards(missing) => Message::plain("equity-cards").with("missing", missing),
            EquityError::TooMany(count) => {
                Message::plain("equity-too-many").with("count", count).with("max", WAYS_MAX)
            }
            EquityError::Samples => Message::plain("equity-samples"),
        }
    }
}

/// How one hand fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    /// Pots won alone.
    pub won: u64,
    /// Pots shared, by the number of hands that share; the first two entries stay 0.
    pub shared: [u64; HANDS_MAX + 1],
}

impl Tally {
    /// Pots shared with any number of hands.
    #[must_use]
    pub fn tied(&self) -> u64 {
        self.shared.iter().sum()
    }
}

/// The answer: how each hand fared, in the order of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equity {
    /// How many ways for the cards to come were looked at.
    pub trials: u64,
    /// Each hand's pots.
    pub hands: Vec<Tally>,
}

impl Equity {
    /// The share of a hand, from 0 to 1, in lowest terms; all shares add up to 1. `None` for a hand that is not there.
    #[must_use]
    pub fn share(&self, hand: usize) -> Option<Ratio<u128>> {
        let tally = self.hands.get(hand)?;
        let shared: u128 = tally
            .shared
            .iter()
            .zip(0u128..)
            .skip(2)
            .map(|(&pots, ways)| u128::from(pots) * (WHOLE / ways))
            .sum();
        let trials = u128::from(self.trials) * WHOLE;
        (trials > 0).then(|| Ratio::new(u128::from(tally.won) * WHOLE + shared, trials))
    }

    fn new(hands: usize) -> Equity {
        Equity { trials: 0, hands: vec![Tally::default(); hands] }
    }

    /// Counts one showdown.
    fn count(&mut self, values: &[HandValue]) {
        self.trials += 1;
        let Some(best) = values.iter().max() else { return };
        let ways = values.iter().filter(|value| *value == best).count();
        for (tally, value) in self.hands.iter_mut().zip(values) {
            if value == best {
                match tally.shared.get_mut(ways) {
                    Some(shared) if ways > 1 => *shared += 1,
                    _ => tally.won += 1,
                }
            }
        }
    }
}

impl Spot {
    /// Checks a question. A hand that is `None` has unknown cards. Dead cards are known to be elsewhere.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn new(hands: &[Option<Vec<Card>>], board: &[Card], dead: &[Card]) -> Result<Spot, EquityError> {
        if !(2..=HANDS_MAX).contains(&hands.len()) {
            return Err(EquityError::Hands(hands.len()));
        }
        if !matches!(board.len(), 0 | 3..=5) {
            return Err(EquityError::Board(board.len()));
        }
        let mut pairs = Vec::with_capacity(hands.len());
        for (number, hand) in (1..).zip(hands) {
            pairs.push(match hand.as_deref() {
                None => None,
                Some(&[first, second]) => Some([first, second]),
                Some(cards) => return Err(EquityError::Hand(number, cards.len())),
            });
        }
        let mut rest = CardSet::FIFTY_TWO;
        for &card in pairs.iter().flatten().flatten().chain(board).chain(dead) {
            if card.is_joker() {
                return Err(EquityError::Joker);
            }
            if !rest.remove(card) {
                return Err(EquityError::Twice(card));
            }
        }
        let spot = Spot { hands: pairs, board: board.to_vec(), rest };
        match spot.missing().checked_sub(spot.rest.len()) {
            None | Some(0) => Ok(spot),
            Some(short) => Err(EquityError::Cards(short)),
        }
    }

    /// The hands; `None` for unknown cards.
    #[must_use]
    pub fn hands(&self) -> &[Option<[Card; 2]>] {
        &self.hands
    }

    /// The board so far.
    #[must_use]
    pub fn board(&self) -> &[Card] {
        &self.board
    }

    /// How many cards are still to come, unknown hands included.
    fn missing(&self) -> usize {
        5 - self.board.len() + 2 * self.unknown()
    }

    fn unknown(&self) -> usize {
        self.hands.iter().filter(|hand| hand.is_none()).count()
    }

    /// How many ways there are for the missing cards to come.
    #[must_use]
    pub fn ways(&self) -> u128 {
        let mut left = self.rest.len() as u128;
        let mut ways = 1;
        for _ in 0..self.unknown() {
            ways *= left * (left - 1) / 2;
            left -= 2;
        }
        let board = 5 - self.board.len() as u128;
        (0..board).fold(ways, |ways, drawn| ways * (left - drawn) / (drawn + 1))
    }

    /// Counts every way for the missing cards to come.
    ///
    /// # Errors
    /// More than [`WAYS_MAX`] ways.
    pub fn exact(&self) -> Result<Equity, EquityError> {
        let ways = self.ways();
        if ways > u128::from(WAYS_MAX) {
            return Err(EquityError::TooMany(ways));
        }
        let mut count = Exact {
            evaluator: Evaluator::get(),
            cards: self.rest.iter().collect(),
            taken: CardSet::EMPTY,
            holes: self.known_holes(),
            values: vec![HandValue::WORST; self.hands.len()],
            equity: Equity::new(self.hands.len()),
        };
        count.hands(&self.unknown_seats(), self.board.iter().copied().collect(), 5 - self.board.len());
        Ok(count.equity)
    }

    /// Looks at a sample of the ways for the missing cards to come, each drawn independently and equally likely.
    ///
    /// # Errors
    /// A sample of nothing.
    pub fn sampled(&self, samples: u64, chance: &mut GameRng) -> Result<Equity, EquityError> {
        if samples == 0 {
            return Err(EquityError::Samples);
        }
        let evaluator = Evaluator::get();
        let mut cards: Vec<Card> = self.rest.iter().collect();
        let known: Hand = self.board.iter().copied().collect();
        let (mut holes, seats) = (self.known_holes(), self.unknown_seats());
        let mut values = vec![HandValue::WORST; holes.len()];
        let mut equity = Equity::new(holes.len());
        for _ in 0..samples {
            draw(&mut cards, self.missing(), chance);
            let mut drawn = cards.iter().copied();
            for &seat in &seats {
                holes[seat] = drawn.by_ref().take(2).collect();
            }
            let board = drawn.take(5 - self.board.len()).fold(known, Hand::with);
            for (value, hole) in values.iter_mut().zip(&holes) {
                *value = evaluator.seven(board.joined(*hole));
            }
            equity.count(&values);
        }
        Ok(equity)
    }

    /// The hole cards, added up; nothing where they are unknown.
    fn known_holes(&self) -> Vec<Hand> {
        self.hands.iter().map(|hand| hand.iter().flatten().copied().collect()).collect()
    }

    fn unknown_seats(&self) -> Vec<usize> {
        self.hands.iter().enumerate().filter(|(_, hand)| hand.is_none()).map(|(seat, _)| seat).collect()
    }
}

/// Brings `count` random cards to the front.
fn draw(cards: &mut [Card], count: usize, chance: &mut GameRng) {
    for place in 0..count.min(cards.len()) {
        let from = place + chance.index(cards.len() - place);
        cards.swap(place, from);
    }
}

/// The state of a complete enumeration: first the unknown hands, then the board.
struct Exact {
    evaluator: Evaluator,
    cards: Vec<Card>,
    taken: CardSet,
    holes: Vec<Hand>,
    values: Vec<HandValue>,
    equity: Equity,
}

impl Exact {
    fn hands(&mut self, unknown: &[usize], board: Hand, missing: usize) {
        let Some((&seat, others)) = unknown.split_first() else {
            // Only the cards that no unknown hand has taken.
            let free: Vec<Card> =
                self.cards.iter().copied().filter(|&card| !self.taken.contains(card)).collect();
            return self.board(&free, board, missing);
        };
        for high in 1..self.cards.len() {
            for low in 0..high {
                let (first, second) = (self.cards[high], self.cards[low]);
                if self.taken.contains(first) || self.taken.contains(second) {
                    continue;
                }
                self.taken.insert(first);
                self.taken.insert(second);
                self.holes[seat] = Hand::EMPTY.with(first).with(second);
                self.hands(others, board, missing);
                self.taken.remove(first);
                self.taken.remove(second);
            }
        }
    }

    fn board(&mut self, free: &[Card], board: Hand, missing: usize) {
        if missing == 0 {
            for (value, hole) in self.values.iter_mut().zip(&self.holes) {
                *value = self.evaluator.seven(board.joined(*hole));
            }
            self.equity.count(&self.values);
            return;
        }
        for (place, &card) in free.iter().enumerate() {
            self.board(&free[..place], board.with(card), missing - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cards::parse_cards;

    fn spot(hands: &[&str], board: &str, dead: &str) -> Result<Spot, EquityError> {
        let cards = |text: &str| parse_cards(text).unwrap();
        let hands: Vec<_> = hands.iter().map(|hand| (*hand != "?").then(|| cards(hand))).collect();
        Spot::new(&hands, &cards(board), &cards(dead))
    }

    fn tally(won: u64, two: u64) -> Tally {
        let mut tally = Tally { won, ..Tally::default() };
        tally.shared[2] = two;
        tally
    }

    #[test]
    fn aces_against_kings_before_the_flop() {
        // Both suits in common, and none.
        for (kings, wins, splits) in [("SK HK", 1_410_336, 9308), ("DK CK", 1_388_072, 6538)] {
            let equity = spot(&["SA HA", kings], "", "").unwrap().exact().unwrap();
            assert_eq!(equity.trials, 1_712_304);
            assert_eq!(equity.hands, [tally(wins, splits), tally(equity.trials - wins - splits, splits)]);
        }
    }

    #[test]
    fn a_royal_flush_on_the_board_is_split_by_all() {
        let hands = ["S2 H2", "S3 H3", "S4 H4", "S5 H5", "S6 H6", "S7 H7", "S8 H8"];
        let equity = spot(&hands, "DAKQJT", "").unwrap().exact().unwrap();
        assert_eq!((equity.trials, equity.hands[3].shared[7]), (1, 1));
        assert!((0..7).all(|hand| equity.share(hand) == Some(Ratio::new(1, 7))));
        assert_eq!(equity.share(7), None);
    }

    #[test]
    fn dead_cards_do_not_come() {
        // Two outs for the set, one of them dead.
        let equity = spot(&["SA HA", "SK HK"], "S2 D3 C4 D9", "DK").unwrap().exact().unwrap();
        assert_eq!(equity.trials, 43);
        assert_eq!(equity.share(1), Some(Ratio::new(1, 43)));
    }

    #[test]
    fn an_unknown_hand_is_every_hand() {
        let equity = spot(&["SA HA", "?"], "DA CA S2 H7 D9", "").unwrap().exact().unwrap();
        assert_eq!(equity.trials, 990);
        assert_eq!(equity.share(0), Some(Ratio::from_integer(1)));
        let two = spot(&["?", "?"], "DA CA S2 H7 D9", "").unwrap();
        assert_eq!(two.ways(), 1081 * 990);
        let equity = two.exact().unwrap();
        assert_eq!(equity.hands[0], equity.hands[1]);
        assert_eq!(equity.share(0), Some(Ratio::new(1, 2)));
    }

    #[test]
    fn too_many_ways_are_sampled_with_the_same_answer_for_the_same_seed() {
        let spot = spot(&["SA HA", "?", "?"], "", "").unwrap();
        assert!(matches!(spot.exact(), Err(EquityError::TooMany(_))));
        let sample = |seed: &[u8]| spot.sampled(20_000, &mut GameRng::of("equity", seed)).unwrap();
        assert_eq!(sample(b"1"), sample(b"1"));
        assert_ne!(sample(b"1"), sample(b"2"));
        // Aces win 73.4 % against two unknown hands; three standard errors of 20,000 samples are below 1 %.
        let share = sample(b"1").share(0).unwrap();
        assert!(share > Ratio::new(724, 1000) && share < Ratio::new(744, 1000), "{share}");
    }

    #[test]
    fn mistakes_are_named() {
        let refused = |hands: &[&str], board, dead| spot(hands, board, dead).unwrap_err();
        assert_eq!(refused(&["SA HA"], "", ""), EquityError::Hands(1));
        assert_eq!(refused(&["?"; 11], "", ""), EquityError::Hands(11));
        assert_eq!(refused(&["SA HA", "SK"], "", ""), EquityError::Hand(2, 1));
        assert_eq!(refused(&["SA HA", "SK"], "S2 S3", ""), EquityError::Board(2));
        assert_eq!(refused(&["SA HA", "SK HK"], "S234567", ""), EquityError::Board(6));
        assert_eq!(refused(&["SA HA", "SK HA"], "", ""), EquityError::Twice("HA".parse().unwrap()));
        assert_eq!(refused(&["SA HA", "SK sj"], "", ""), EquityError::Joker);
        // 44 dead cards leave three for the two of the hand and the two of the board.
        let dead = "S23456789TJQK H23456789TJQK D23456789TJQK C23456789";
        assert_eq!(refused(&["SA HA", "?"], "DA CA CT", dead), EquityError::Cards(1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn shares_add_up_to_one(seed: u64, count in 2usize..=10) {
            let mut pack: Vec<Card> = CardSet::FIFTY_TWO.iter().collect();
            let mut chance = GameRng::of("test", &seed.to_be_bytes());
            chance.shuffle(&mut pack);
            let hands: Vec<_> = pack.chunks(2).take(count).map(|hand| Some(hand.to_vec())).collect();
            let spot = Spot::new(&hands, &pack[20..23], &[]).unwrap();
            let exact = spot.exact().unwrap();
            prop_assert_eq!(u128::from(exact.trials), spot.ways());
            let sampled = spot.sampled(50, &mut chance).unwrap();
            for equity in [exact, sampled] {
                let total: Ratio<u128> = (0..count).filter_map(|hand| equity.share(hand)).sum();
                prop_assert_eq!(total, Ratio::from_integer(1));
            }
        }
    }
}
