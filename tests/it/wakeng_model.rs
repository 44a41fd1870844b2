//! A second, slow wakeng written from the rulebook alone: texts instead of bits, every subset of a hand instead of a
//! generator, its own turn-taking. It shares nothing with the program but the text of cards, and must agree with it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fushi::games::wakeng::{Action, Rules, State, Wakeng, write_play};
use fushi::games::{ActionText, Game, Seat};
use serde_json::{Map, Value, json};

use crate::conformance::Random;
use crate::wakeng_probe::rules;

const ORDER: &str = "456789TJQKA23";
const SUITS: &str = "SHDC";

/// The ruleset fields that matter for plays.
#[derive(Clone)]
struct Options {
    bombs: bool,
    run_top: char,
    /// Fewest groups for runs of 1, 2, 3, 4 cards per rank; 0: none.
    fewest: [usize; 4],
}

/// A combination: its kind (cards per rank, number of ranks) and the place of its highest rank.
type Kind = (usize, usize, usize);

fn place(rank: char) -> usize {
    ORDER.find(rank).unwrap()
}

fn kind(cards: &[&str], options: &Options) -> Option<Kind> {
    let mut counts = BTreeMap::<usize, usize>::new();
    for card in cards {
        *counts.entry(place(card.chars().nth(1).unwrap())).or_default() += 1;
    }
    let places: Vec<usize> = counts.keys().copied().collect();
    let sizes: BTreeSet<usize> = counts.values().copied().collect();
    if sizes.len() != 1 {
        return None;
    }
    let size = *sizes.first().unwrap();
    let highest = *places.last().unwrap();
    if places.len() == 1 {
        return Some((size, 1, highest));
    }
    let gapless = places.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let fewest = options.fewest[size - 1];
    (gapless && highest <= place(options.run_top) && fewest > 0 && places.len() >= fewest).then_some((
        size,
        places.len(),
        highest,
    ))
}

fn is_bomb(kind: Kind, options: &Options) -> bool {
    options.bombs && kind.0 == 4 && kind.1 == 1
}

fn beats(kind: Kind, last: Kind, options: &Options) -> bool {
    if is_bomb(kind, options) {
        return !is_bomb(last, options) || kind.2 > last.2;
    }
    kind.0 == last.0 && kind.1 == last.1 && kind.2 > last.2
}

fn ranks(cards: &[&str]) -> String {
    let mut ranks: Vec<usize> = cards.iter().map(|card| place(card.chars().nth(1).unwrap())).collect();
    ranks.sort_unstable();
    ranks.iter().map(|place| ORDER.chars().nth(*place).unwrap()).collect()
}

/// The cards in the order of a written play.
fn in_order(cards: &[&str]) -> Vec<(usize, usize)> {
    let mut list: Vec<(usize, usize)> = cards
        .iter()
        .map(|card| {
            let mut letters = card.chars();
            (SUITS.find(letters.next().unwrap()).unwrap(), place(letters.next().unwrap()))
        })
        .map(|(suit, rank)| (rank, suit))
        .collect();
    list.sort_unstable();
    list
}

/// Every play of a hand by trying every subset: ranks → the cards with the first suits.
fn plays(hand: &[String], last: Option<Kind>, options: &Options) -> BTreeMap<String, Vec<(usize, usize)>> {
    let mut found = BTreeMap::<String, Vec<(usize, usize)>>::new();
    for subset in 1_u32..1 << hand.len() {
        let cards: Vec<&str> =
            (0..hand.len()).filter(|n| subset >> n & 1 == 1).map(|n| hand[n].as_str()).collect();
        let Some(kind) = kind(&cards, options) else { continue };
        if last.is_some_and(|last| !beats(kind, last, options)) {
            continue;
        }
        let suited = in_order(&cards);
        let best = found.entry(ranks(&cards)).or_insert_with(|| suited.clone());
        if suited < *best {
            *best = suited;
        }
    }
    found
}

/// The model's board: hands, whose turn, the play to beat and the passes since.
#[derive(Clone)]
struct Board {
    hands: [Vec<String>; 3],
    turn: usize,
    last: Option<Kind>,
    passes: usize,
}

impl Board {
    /// Sequences of `depth` legal actions, or fewer where the board ends.
    fn leaves(&self, depth: u32, options: &Options) -> u64 {
        if depth == 0 || self.hands.iter().any(Vec::is_empty) {
            return 1;
        }
        let mut leaves = 0;
        if let Some(last) = self.last {
            let mut after = self.clone();
            after.turn = (self.turn + 1) % 3;
            after.passes += 1;
            after.last = Some(last).filter(|_| after.passes < 2);
            if after.last.is_none() {
                after.passes = 0;
            }
            leaves += after.leaves(depth - 1, options);
        }
        for cards in plays(&self.hands[self.turn], self.last, options).into_values() {
            let mut after = self.clone();
            let texts: Vec<String> = cards
                .iter()
                .map(|(rank, suit)| {
                    format!("{}{}", SUITS.chars().nth(*suit).unwrap(), ORDER.chars().nth(*rank).unwrap())
                })
                .collect();
            after.hands[self.turn].retain(|card| !texts.contains(card));
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            after.last = kind(&texts, options);
            after.passes = 0;
            after.turn = (self.turn + 1) % 3;
            leaves += after.leaves(depth - 1, options);
        }
        leaves
    }
}

fn engine_leaves(state: &State, depth: u32) -> u64 {
    if depth == 0 || Wakeng::finished(state) {
        return 1;
    }
    let seat = Wakeng::waiting_for(state).seats.iter().next().unwrap();
    Wakeng::legal(state, seat)
        .map(|action| {
            let mut after = state.clone();
            Wakeng::apply(&mut after, Wakeng::check(state, seat, &action).unwrap());
            engine_leaves(&after, depth - 1)
        })
        .sum()
}

fn rulesets() -> Vec<(Arc<Rules>, Options)> {
    let options = |bombs, run_top, fewest| Options { bombs, run_top, fewest };
    vec![
        (rules("wakeng-bomb", &[]), options(true, 'K', [3, 3, 0, 0])),
        (rules("wakeng-plain", &[]), options(false, 'K', [3, 3, 0, 0])),
        (rules("wakeng-jj", &[]), options(false, 'K', [3, 3, 3, 3])),
        (
            rules(
                "wakeng-bomb",
                &[("run_top", json!("A")), ("run_of_triples", json!(2)), ("run_of_quads", json!(2))],
            ),
            options(true, 'A', [3, 3, 2, 2]),
        ),
        (
            rules("wakeng-bomb", &[("run_of_singles", json!(5)), ("run_of_pairs", json!(2))]),
            options(true, 'K', [5, 2, 0, 0]),
        ),
    ]
}

/// Cards of a few neighbouring ranks, so that every combination turns up.
fn narrow_pack(random: &mut Random) -> Vec<String> {
    let width = 4 + random.below(4);
    let first = random.below(14 - width);
    let mut pack: Vec<String> = ORDER[first..first + width]
        .chars()
        .flat_map(|rank| SUITS.chars().map(move |suit| format!("{suit}{rank}")))
        .collect();
    random.shuffle(&mut pack);
    pack
}

fn open(rules: &Arc<Rules>, position: Value) -> State {
    let header = Map::from_iter([("position".to_owned(), position)]);
    Wakeng::open(rules, &Wakeng::read_start(rules, &header).unwrap())
}

#[test]
fn legal_plays_are_those_of_the_slow_model() {
    let mut random = Random::new(2026);
    let (mut combinations, mut bombs, mut runs) = (0, 0, 0);
    for (rules, options) in rulesets() {
        for _ in 0..100 {
            let mut pack = narrow_pack(&mut random);
            let hand: Vec<String> = pack.drain(..(pack.len() - 2).min(4 + random.below(9))).collect();
            let leads: Vec<_> = plays(&pack[..pack.len().min(8)], None, &options).into_values().collect();
            let longer = |random: &mut Random| {
                let two = [0, 1].map(|_| leads[random.below(leads.len())].clone());
                two.into_iter().max_by_key(Vec::len)
            };
            let lead = if random.one_in(3) { None } else { longer(&mut random) };
            let lead: Option<Vec<String>> = lead.map(|cards| {
                cards
                    .iter()
                    .map(|(rank, suit)| format!("{}{}", &SUITS[*suit..=*suit], &ORDER[*rank..=*rank]))
                    .collect()
            });
            let trick = lead.as_ref().map_or(json!([]), |lead| json!([["A", lead.join(" ")]]));
            let state = open(
                &rules,
                json!({"banker": "A", "bid": 1, "hands": {"B": hand.join(" ")}, "trick": trick, "turn": "B"}),
            );
            let last = lead
                .map(|lead| kind(&lead.iter().map(String::as_str).collect::<Vec<_>>(), &options).unwrap());
            let wanted: BTreeSet<String> = plays(&hand, last, &options)
                .into_values()
                .map(|cards| {
                    let texts = cards
                        .iter()
                        .map(|(rank, suit)| format!("{}{}", &SUITS[*suit..=*suit], &ORDER[*rank..=*rank]));
                    format!("play {}", texts.collect::<Vec<_>>().join(" "))
                })
                .chain(last.map(|_| "pass".to_owned()))
                .collect();
            let found: Vec<String> =
                Wakeng::legal(&state, Seat(1)).map(|action| Wakeng::write_action(&action).text).collect();
            assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>(), wanted, "{hand:?} over {last:?}");
            assert_eq!(found.len(), wanted.len(), "something is listed twice");
            combinations += found.len();
            let sizes = found.iter().map(|play| play.split(' ').count() - 1);
            let over_other = last.is_some_and(|last| last.0 * last.1 != 4);
            bombs += usize::from(options.bombs && over_other && sizes.clone().any(|n| n == 4));
            runs += sizes.filter(|n| *n > 4).count();
        }
    }
    assert!(
        combinations > 2_000 && bombs > 10 && runs > 100,
        "{combinations} {bombs} {runs}: too tame a test"
    );
}

#[test]
fn every_subset_of_a_hand_is_accepted_or_refused_as_by_the_slow_model() {
    let mut random = Random::new(9);
    for (rules, options) in rulesets() {
        for _ in 0..12 {
            let pack = narrow_pack(&mut random);
            let hand = &pack[..9];
            let state =
                open(&rules, json!({"banker": "A", "bid": 1, "hands": {"B": hand.join(" ")}, "turn": "B"}));
            for subset in 1_u32..1 << hand.len() {
                let cards: Vec<&str> =
                    (0..hand.len()).filter(|n| subset >> n & 1 == 1).map(|n| hand[n].as_str()).collect();
                let text = ActionText::plain(format!("play {}", cards.join(" ")));
                let action = Wakeng::read_action(&text).unwrap();
                let accepted = Wakeng::check(&state, Seat(1), &action).is_ok();
                assert_eq!(accepted, kind(&cards, &options).is_some(), "{cards:?}");
            }
        }
    }
}

#[test]
fn action_trees_of_endgames_have_as_many_leaves_as_in_the_slow_model() {
    let mut random = Random::new(31);
    let mut total = 0;
    for (rules, options) in rulesets() {
        for _ in 0..12 {
            let mut pack = narrow_pack(&mut random);
            let mut hands: [Vec<String>; 3] = Default::default();
            for hand in &mut hands {
                *hand = pack.drain(..(2 + random.below(6)).min(pack.len() / 2)).collect();
            }
            let turn = random.below(3);
            let state = open(
                &rules,
                json!({
                    "banker": "C", "bid": 1, "turn": (["A", "B", "C"][turn]),
                    "hands": {"A": hands[0].join(" "), "B": hands[1].join(" "), "C": hands[2].join(" ")},
                }),
            );
            let board = Board { hands, turn, last: None, passes: 0 };
            for depth in 1..=7 {
                let leaves = board.leaves(depth, &options);
                assert_eq!(engine_leaves(&state, depth), leaves, "depth {depth} of {:?}", board.hands);
                total += leaves;
            }
        }
    }
    assert!(total > 10_000, "{total} leaves: too tame a test");
}

#[test]
fn a_written_play_is_in_the_order_of_strength() {
    let Ok(Action::Play(cards)) = Wakeng::read_action(&ActionText::plain("play C3 H4 S4 DA S2")) else {
        panic!("readable")
    };
    assert_eq!(write_play(cards), "S4 H4 DA S2 C3");
}
