//! The hand evaluator against everything that is known about poker hands: counts and sums over all hands, a plain
//! second evaluator, and another program.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use fushi::cards::{Card, Rank, Suit, parse_cards};
use fushi::games::holdem::eval::{Category, EvalError, Evaluator, Hand, HandValue, evaluate, evaluate7};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rs_poker::core::Rankable;

/// Hands per class, straight flush first, as the rulebook lists them.
type Classes = [u64; 9];

struct Census {
    by_value: Vec<u64>,
}

impl Census {
    fn new() -> Census {
        Census { by_value: vec![0; usize::from(HandValue::COUNT) + 1] }
    }

    fn hands(&self) -> u64 {
        self.by_value.iter().sum()
    }

    fn distinct(&self) -> usize {
        self.by_value.iter().filter(|&&count| count > 0).count()
    }

    fn sum(&self) -> u64 {
        self.by_value.iter().zip(0u64..).map(|(count, number)| count * number).sum()
    }

    fn classes(&self) -> Classes {
        let mut classes = [0; 9];
        for (number, count) in (0u16..).zip(&self.by_value).skip(1) {
            classes[8 - HandValue::from_number(number).unwrap().category() as usize] += count;
        }
        classes
    }
}

fn card(index: u8) -> Card {
    Card::from_index(index).unwrap()
}

#[test]
fn all_five_card_hands_have_the_known_counts() {
    let evaluator = Evaluator::get();
    let mut census = Census::new();
    for a in 0..52 {
        let one = Hand::EMPTY.with(card(a));
        for b in 0..a {
            let two = one.with(card(b));
            for c in 0..b {
                let three = two.with(card(c));
                for d in 0..c {
                    let four = three.with(card(d));
                    for e in 0..d {
                        let value = evaluator.value(four.with(card(e))).unwrap();
                        census.by_value[usize::from(value.number())] += 1;
                    }
                }
            }
        }
    }
    assert_eq!(census.hands(), 2_598_960);
    assert_eq!(census.classes(), [40, 624, 3744, 5108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540]);
    assert_eq!(census.distinct(), 7462);
    assert_eq!(census.sum(), 14_603_265_300);
}

#[test]
fn all_seven_card_hands_have_the_known_counts() {
    let evaluator = Evaluator::get();
    let cards: Vec<Card> = (0..52).map(card).collect();
    let mut census = Census::new();
    for a in 0..52 {
        let one = Hand::EMPTY.with(cards[a]);
        for b in 0..a {
            let two = one.with(cards[b]);
            for c in 0..b {
                let three = two.with(cards[c]);
                for d in 0..c {
                    let four = three.with(cards[d]);
                    for e in 0..d {
                        let five = four.with(cards[e]);
                        for f in 0..e {
                            evaluator.each_seventh(five.with(cards[f]), &cards[..f], |value| {
                                census.by_value[usize::from(value.number())] += 1;
                            });
                        }
                    }
                }
            }
        }
    }
    assert_eq!(census.hands(), 133_784_560);
    assert_eq!(
        census.classes(),
        [41_584, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460]
    );
    assert_eq!(census.distinct(), 4824);
    assert_eq!(census.sum(), 547_965_983_972);
}

/// `size` different cards of one pack.
fn draw(random: &mut ChaCha8Rng, size: usize) -> Vec<Card> {
    let mut pack: Vec<u8> = (0..52).collect();
    for place in 0..size {
        let from = place + random.next_u32() as usize % (52 - place);
        pack.swap(place, from);
    }
    pack.truncate(size);
    pack.into_iter().map(card).collect()
}

/// Class and ranks of exactly five cards, by looking at them.
fn plain_five(cards: &[Card]) -> (Category, Vec<Rank>) {
    let mut ranks: Vec<Rank> = cards.iter().map(|card| card.rank().unwrap()).collect();
    let count = |rank: Rank, ranks: &[Rank]| ranks.iter().filter(|&&other| other == rank).count();
    let all = ranks.clone();
    ranks.sort_by_key(|&rank| std::cmp::Reverse((count(rank, &all), rank)));
    let flush = cards.iter().all(|card| card.suit() == cards[0].suit());
    let different = count(ranks[0], &all) == 1;
    let wheel = [Rank::Ace, Rank::Five, Rank::Four, Rank::Three, Rank::Two];
    if ranks == wheel {
        ranks.rotate_left(1);
    }
    let straight = different
        && (ranks[0] as u8 - ranks[3] as u8 == 3)
        && (ranks[3] as u8 == ranks[4] as u8 + 1 || ranks[4] == Rank::Ace);
    let groups = (count(ranks[0], &all), count(ranks[3], &all));
    let category = match (groups, straight, flush) {
        (_, true, true) => Category::StraightFlush,
        ((4, _), ..) => Category::FourOfAKind,
        ((3, 2), ..) => Category::FullHouse,
        (_, _, true) => Category::Flush,
        (_, true, _) => Category::Straight,
        ((3, _), ..) => Category::ThreeOfAKind,
        ((2, 2), ..) => Category::TwoPair,
        ((2, _), ..) => Category::Pair,
        _ => Category::HighCard,
    };
    (category, ranks)
}

/// The best of all five-card hands in the cards.
fn plain(cards: &[Card]) -> (Category, Vec<Rank>) {
    (0u32..1 << cards.len())
        .filter(|choice| choice.count_ones() == 5)
        .map(|choice| {
            let five: Vec<Card> = cards
                .iter()
                .enumerate()
                .filter(|(i, _)| choice >> i & 1 == 1)
                .map(|(_, &card)| card)
                .collect();
            plain_five(&five)
        })
        .max()
        .unwrap()
}

#[test]
fn a_plain_evaluator_finds_the_same_five_cards() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for round in 0..60_000 {
        let cards = draw(&mut random, 5 + round % 3);
        let value = evaluate(&cards).unwrap();
        assert_eq!((value.category(), value.ranks().to_vec()), plain(&cards), "{cards:?}");
    }
}

fn theirs(cards: &[Card]) -> rs_poker::core::Rank {
    let cards: Vec<rs_poker::core::Card> = cards
        .iter()
        .map(|card| {
            let suit = match card.suit().unwrap() {
                Suit::Spades => rs_poker::core::Suit::Spade,
                Suit::Hearts => rs_poker::core::Suit::Heart,
                Suit::Diamonds => rs_poker::core::Suit::Diamond,
                Suit::Clubs => rs_poker::core::Suit::Club,
            };
            let value = rs_poker::core::Value::from(card.rank().unwrap() as u8);
            rs_poker::core::Card::new(value, suit)
        })
        .collect();
    cards.rank()
}

#[test]
fn rs_poker_orders_a_million_hands_alike() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut pairs = BTreeMap::new();
    for _ in 0..1_000_000 {
        let cards = draw(&mut random, 7);
        let value = evaluate(&cards).unwrap();
        let other = theirs(&cards);
        assert_eq!(*pairs.entry(value).or_insert(other), other, "{cards:?}");
    }
    let pairs: Vec<_> = pairs.into_iter().collect();
    assert!(pairs.len() > 4000);
    for two in pairs.windows(2) {
        assert_eq!(two[0].1.cmp(&two[1].1), Ordering::Less, "{two:?}");
    }
}

#[test]
fn every_way_in_gives_the_same_value() {
    let evaluator = Evaluator::get();
    let mut random = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..100_000 {
        let cards = draw(&mut random, 7);
        let wanted = evaluate(&cards).unwrap();
        let seven: [Card; 7] = cards.clone().try_into().unwrap();
        let (hole, board) = cards.split_at(2);
        assert_eq!(evaluator.seven_cards(&seven), wanted);
        assert_eq!(evaluate7(hole.try_into().unwrap(), board.try_into().unwrap()), Ok(wanted));
        let hand: Hand = cards.iter().copied().collect();
        assert_eq!(evaluator.seven(hand), wanted);
        assert_eq!(evaluator.value(hand.cards().into()), Some(wanted));
        evaluator.each_seventh(cards[..6].iter().copied().collect(), &cards[6..], |value| {
            assert_eq!(value, wanted);
        });
    }
}

#[test]
fn the_ace_is_high_or_low_in_a_straight_and_nowhere_else() {
    let value = |text: &str| evaluate(&parse_cards(text).unwrap()).unwrap();
    assert_eq!(value("SA HK DQ CJ ST").number(), 1600);
    assert_eq!(value("SA H2 D3 C4 S5").number(), 1609);
    assert_eq!(value("SK HA D2 C3 S4").category(), Category::HighCard);
    assert_eq!(value("SQ HK DA C2 S3").category(), Category::HighCard);
    assert_eq!(value("HA2345"), HandValue::from_number(10).unwrap());
    assert_eq!(value("HAKQJT"), HandValue::BEST);
    assert_eq!(value("S7 H5 D4 C3 S2"), HandValue::WORST);
}

#[test]
fn suits_never_break_a_tie_and_the_board_can_be_everybodys_hand() {
    let board = parse_cards("SA HK DQ CJ ST").unwrap();
    let with = |hole: &str| {
        let mut cards = parse_cards(hole).unwrap();
        cards.extend(&board);
        evaluate(&cards).unwrap()
    };
    assert_eq!(with("S2 S3"), with("H9 D9"));
    assert_eq!(evaluate(&parse_cards("S97532").unwrap()), evaluate(&parse_cards("C97532").unwrap()));
}

#[test]
fn cards_without_a_value_are_refused() {
    let refused = |text: &str| evaluate(&parse_cards(text).unwrap()).unwrap_err();
    assert_eq!(refused("SA HK DQ CJ"), EvalError::Count(4));
    assert_eq!(refused("S23456789"), EvalError::Count(8));
    assert_eq!(refused(""), EvalError::Count(0));
    assert_eq!(refused("SA HK DQ CJ SA"), EvalError::Twice(card(12)));
    assert_eq!(refused("SA HK DQ CJ sj"), EvalError::Joker);
    let evaluator = Evaluator::get();
    for text in ["SA HK DQ CJ SA", "SA HK DQ CJ bj", "SA HK DQ CJ ST C2 C3 sj", "SA HK DQ CJ"] {
        let hand: Hand = parse_cards(text).unwrap().into_iter().collect();
        assert_eq!(evaluator.value(hand), None, "{text}");
    }
}

fn fushi(arguments: &[&str]) -> (i32, String, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(arguments)
        .args(["--lang", "en"])
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn equity_prints_the_documented_fields_in_order() {
    let board = ["--board", "S2 D7 CK C3 H7", "--dead", "H2"];
    let (code, out, _) = fushi(&[&["equity", "HA HK", "DAK", "?", "--format", "json"], &board[..]].concat());
    assert_eq!(code, 0);
    // Counted by hand: 81 hands with a seven, 2 2, three times 3 3, A A win; two hands A K share.
    let exact = concat!(
        r#"{"board":"S2 D7 CK C3 H7","dead":"H2","method":"exact","seed":null,"trials":861,"hands":["#,
        r#"{"hand":"HA HK","won":0,"shared":[[2,773],[3,2]],"equity":[2323,5166],"percent":"44.97","value":2655},"#,
        r#"{"hand":"DA DK","won":0,"shared":[[2,773],[3,2]],"equity":[2323,5166],"percent":"44.97","value":2655},"#,
        r#"{"hand":null,"won":86,"shared":[[3,2]],"equity":[260,2583],"percent":"10.07","value":null}]}"#,
        "\n"
    );
    assert_eq!(out, exact);
    let sample = ["equity", "HA HK", "?", "?", "--samples", "500", "--seed", "deck 9", "--format", "json"];
    assert_eq!(fushi(&sample), fushi(&sample));
    assert!(fushi(&sample).1.contains(r#""method":"sampled","seed":"deck 9","trials":500"#));
}

#[test]
fn equity_reads_cards_as_sites_write_them() {
    let rest = ["--board", "S2 D7 CK", "--format", "json"];
    let (code, records, _) = fushi(&[&["equity", "HA HK", "SQ DQ"], &rest[..]].concat());
    assert_eq!(code, 0);
    for hands in [["AhKh", "QsQd"], ["ah kh", "qs,qd"], ["A♥K♥", "Q♠ Q♦"], ["hak", "SQDQ"]] {
        for board in ["2s7dKc", "2s 7d Kc", "s2d7ck"] {
            let args = ["equity", hands[0], hands[1], "--board", board, "--format", "json"];
            let (code, out, err) = fushi(&args);
            assert_eq!((code, &out), (0, &records), "{hands:?} {board}: {err}");
        }
    }
}

#[test]
fn equity_says_in_one_line_what_to_do_about_a_mistake() {
    for (arguments, word) in [
        (&["equity", "HA HK", "HA HQ"][..], "HA is named twice"),
        (&["equity", "HA HK"], "two to ten hands"),
        (&["equity", "HA HK", "SA"], "hand 2 has 1 card:"),
        (&["equity", "HA HK", "SA SQ", "--board", "H2 H3"], "0, 3, 4 or 5"),
        (&["equity", "HA HK", "?", "?"], "--samples"),
        (&["equity", "HA HK", "?", "--samples", "0"], "at least one"),
        (&["equity", "HA HX", "?"], "`HX` is not a card"),
        (&["equity", "AKs", "?"], "`AKs` can be read in more than one way"),
        (&["equity", "sj Ah", "?"], "`sj` can be the small joker or the jack of spades"),
        (&["equity", "Ah", "Kh", "Qs", "Qd"], "write AhKh QsQd"),
    ] {
        let (code, out, error) = fushi(arguments);
        assert_eq!((code, out.as_str()), (1, ""), "{arguments:?}");
        assert!(error.contains(word) && error.lines().count() == 1, "{error}");
    }
    assert_eq!(fushi(&["equity"]).0, 2);
    assert_eq!(fushi(&["equity", "HA HK", "?", "--seed", "3"]).0, 2);
}
