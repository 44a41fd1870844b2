//! One suite that every game passes. A game joins by implementing [`Probe`] and naming itself in [`conformance!`].
//!
//! - every legal action is accepted, every other refused with a reason that can be said in every language, and
//!   nothing changes
//! - the options of a view are the legal actions of its seat, the clock's action is one of them
//! - random play and pure time-outs end; cards are conserved; scores add up
//! - a view is read back from its JSON to the same view, and JSON that no view writes is refused
//! - starts and actions are read back from their text; a replay gives the same board
//! - every setup opens a board that ends, is told back by it, and stands whole in its receipt; whatever is no setup is
//!   refused with a code; what a finished board hands on fits its outcome
//! - **two deals that agree on what a viewer has seen give equal views, byte for byte**

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

use fushi::canonical;
use fushi::cards::Card;
use fushi::games::{
    Fault, Game, Refusal, Seat, Setup, StartError, Viewer, board_setup, deal_board, rulesets,
};
use fushi::journal::Header;
use fushi::journal::entry::RulesRef;
use fushi::players::{AiKey, Levels, choose};
use fushi::words::{self, Lang};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// `SplitMix64`: the tests' own randomness, so that frozen numbers do not depend on a library.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, which must not be 0.
    #[allow(clippy::cast_possible_truncation)] // below `n`
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "nothing to choose from");
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// What the suite must know about a game beyond [`Game`].
pub trait Probe: Game<Start: Debug, State: Debug> {
    /// How many legal actions are looked at where the list is long.
    const LEGAL_LIMIT: usize = 5_000;
    /// More actions than any board has.
    const ACTIONS_MAX: usize = 1_000;

    /// Boards of every ruleset that the suite tries. By default one per shipped ruleset.
    fn rulesets() -> Vec<Arc<Self::Rules>> {
        Self::RULESETS.iter().map(|(name, _)| rulesets::shipped::<Self>(name).unwrap()).collect()
    }
    /// Starts other than deals: header keys that [`Game::read_start`] reads.
    fn positions() -> Vec<Map<String, Value>> {
        Vec::new()
    }
    /// Actions to try on a seat's behalf, legal and illegal, garbage included.
    fn universe(state: &Self::State, seat: Seat, random: &mut Random) -> Vec<Self::Action>;
    /// Whether an action is legal according to the list of legal ones.
    fn is_listed(state: &Self::State, seat: Seat, action: &Self::Action, legal: &[Self::Action]) -> bool {
        let _ = (state, seat);
        legal.contains(action)
    }
    /// Whether only the clock or a referee does this: it is accepted but never listed.
    fn is_the_clocks(action: &Self::Action) -> bool {
        let _ = action;
        false
    }
    /// Every card of the board wherever it lies, in any order; the same all the time.
    fn cards(state: &Self::State) -> Vec<Card>;
    /// What the scores of a finished board add up to.
    fn score_sum(state: &Self::State) -> i64 {
        let _ = state;
        0
    }
    /// Another start that gives the viewer the same cards and leaves every card that anybody has seen in its place,
    /// the rest shuffled. The suite checks by replay whether the public events stay the same.
    fn redeal(
        start: &Self::Start,
        state: &Self::State,
        viewer: Viewer,
        random: &mut Random,
    ) -> Option<Self::Start>;
    /// A setup with which a board may begin: everything that can vary does. Amounts stay so small that every action can
    /// be listed, unless `wild`.
    fn any_setup(rules: &Self::Rules, wild: bool, random: &mut Random) -> Setup {
        let _ = wild;
        let setups = Self::setups(rules);
        setups[random.below(setups.len())].clone()
    }
    /// What is no setup, each with the code of one of its faults.
    fn no_setups() -> Vec<(Value, &'static str)>;
    /// Whether what a finished board hands on fits its outcome.
    fn carry_fits(state: &Self::State, carry: &Setup) {
        let _ = state;
        assert!(carry.is_empty(), "{carry:?}");
    }
    /// Changes choices in the history that are still hidden from the viewer.
    fn disguise(state: &Self::State, viewer: Viewer, history: &mut [Step<Self>], random: &mut Random) {
        let _ = (state, viewer, history, random);
    }
}

/// One step of a board.
#[derive(Clone, Debug)]
pub enum Step<G: Game> {
    /// The dealer's step: [`Game::advance`].
    Dealer,
    /// A seat's action.
    Seat(Seat, G::Action),
}

pub fn act<G: Game>(state: &mut G::State, step: &Step<G>) -> Result<(), String> {
    let effect = match step {
        Step::Dealer => G::advance(state).ok_or("no dealer's step is due")?,
        Step::Seat(seat, action) => {
            G::check(state, *seat, action).map_err(|illegal| illegal.code().to_owned())?
        }
    };
    G::apply(state, effect);
    Ok(())
}

fn legal<G: Probe>(state: &G::State, seat: Seat) -> Vec<G::Action> {
    G::legal(state, seat).take(G::LEGAL_LIMIT).collect()
}

/// A random next step; `None` at the end of the board.
pub fn random_step<G: Probe>(state: &G::State, random: &mut Random) -> Option<Step<G>> {
    let seats: Vec<Seat> = G::waiting_for(state).seats.iter().collect();
    if G::advance(state).is_some() && (seats.is_empty() || !random.one_in(20)) {
        return Some(Step::Dealer);
    }
    if seats.is_empty() {
        return None;
    }
    let seat = seats[random.below(seats.len())];
    let actions = legal::<G>(state, seat);
    assert!(!actions.is_empty() || G::advance(state).is_some(), "{seat:?} must decide but may do nothing");
    if actions.is_empty() {
        return Some(Step::Dealer);
    }
    Some(Step::Seat(seat, actions[random.below(actions.len())].clone()))
}

/// Plays a board at random and calls `look` with every state, the first and the last included.
fn play<G: Probe>(
    rules: &Arc<G::Rules>,
    start: &G::Start,
    random: &mut Random,
    mut look: impl FnMut(&G::State, &[Step<G>], &mut Random),
) -> (G::State, Vec<Step<G>>) {
    let mut state = G::open(rules, start);
    let mut history = Vec::new();
    look(&state, &history, random);
    while let Some(step) = random_step::<G>(&state, random) {
        act::<G>(&mut state, &step).unwrap_or_else(|code| panic!("{step:?} is listed but refused: {code}"));
        history.push(step);
        assert!(history.len() <= G::ACTIONS_MAX, "the board does not end");
        look(&state, &history, random);
    }
    (state, history)
}

fn deal<G: Probe>(rules: &Arc<G::Rules>, number: u32, random: &mut Random) -> G::Start {
    let mut pack = G::PACK.cards();
    random.shuffle(&mut pack);
    deal_board::<G>(rules, number, &pack).unwrap()
}

fn deal_with<G: Probe>(rules: &Arc<G::Rules>, setup: &Setup, random: &mut Random) -> G::Start {
    let mut pack = G::PACK.cards();
    random.shuffle(&mut pack);
    G::deal(rules, setup, &pack).unwrap_or_else(|faults| panic!("{setup:?} is refused: {faults:?}"))
}

/// Calls `test` with random deals of every ruleset, the duplicate boards and others, and with every position.
fn boards<G: Probe>(deals: u32, mut test: impl FnMut(&Arc<G::Rules>, &G::Start, &mut Random)) {
    for (round, rules) in (1_u64..).zip(G::rulesets()) {
        let mut random = Random::new(round);
        for number in 1..=deals {
            let start = deal::<G>(&rules, number, &mut random);
            test(&rules, &start, &mut random);
        }
        for _ in 0..deals.div_ceil(2) {
            let setup = G::any_setup(&rules, false, &mut random);
            test(&rules, &deal_with::<G>(&rules, &setup, &mut random), &mut random);
        }
        for position in G::positions() {
            if let Ok(start) = G::read_start(&rules, &position) {
                test(&rules, &start, &mut random);
            }
        }
    }
}

fn viewers<G: Game>(start: &G::Start) -> Vec<Viewer> {
    (0..G::seats(start)).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Public]).collect()
}

fn bytes<G: Game>(state: &G::State, viewer: Viewer) -> String {
    serde_json::to_string(&G::view(state, viewer)).unwrap()
}

const REASONS: &[&str] = &[
    "not_your_turn",
    "wrong_phase",
    "already_chosen",
    "not_in_hand",
    "card_named_twice",
    "not_a_combination",
    "does_not_beat",
    "leader_cannot_pass",
    "bid_too_low",
    "must_follow",
    "two_groups",
    "wrong_number",
    "not_a_call",
    "own_call",
    "call_too_low",
    "no_trump_barred",
    "not_an_option",
    "nothing_to_call",
    "cannot_check",
    "bad_amount",
    "not_reopened",
];

fn can_be_said<R: Refusal>(illegal: &R) {
    assert!(REASONS.contains(&illegal.code()), "{} is no promised reason", illegal.code());
    let message = illegal.message();
    for lang in Lang::ALL {
        let text = words::say(lang, &message);
        assert!(text != message.id && !text.contains("{$") && !text.contains('\n'), "{lang}: {text}");
    }
}

pub fn every_legal_action_is_accepted_and_every_other_refused<G: Probe>(deals: u32) {
    let mut refused = BTreeSet::new();
    boards::<G>(deals, |rules, start, random| {
        play::<G>(rules, start, random, |state, _, random| {
            if random.one_in(3) {
                return;
            }
            let waiting = G::waiting_for(state);
            for seat in (0..G::seats(start)).map(Seat) {
                let list = legal::<G>(state, seat);
                assert!(list.is_empty() || waiting.seats.contains(seat), "{seat:?} may act out of turn");
                assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), list.len(), "listed twice: {list:?}");
                for action in &list {
                    if let Err(illegal) = G::check(state, seat, action) {
                        panic!("{seat:?} {action:?} is listed but refused: {illegal:?}");
                    }
                }
                let before: Vec<String> = viewers::<G>(start).iter().map(|v| bytes::<G>(state, *v)).collect();
                for action in G::universe(state, seat, random) {
                    let listed = G::is_listed(state, seat, &action, &list);
                    match G::check(state, seat, &action) {
                        Ok(_) => assert!(listed, "{seat:?} {action:?} is accepted but not listed"),
                        Err(illegal) => {
                            assert!(!listed, "{seat:?} {action:?} is listed but refused: {illegal:?}");
                            if refused.insert(illegal.code()) {
                                can_be_said(&illegal);
                            }
                        }
                    }
                }
                let after: Vec<String> = viewers::<G>(start).iter().map(|v| bytes::<G>(state, *v)).collect();
                assert_eq!(before, after, "checking has changed the board");
            }
        });
    });
    assert!(refused.len() >= 3, "the universe hardly tries anything illegal: {refused:?}");
}

pub fn random_play_ends_and_scores_add_up<G: Probe>(deals: u32) {
    let mut told: Option<Vec<&str>> = None;
    boards::<G>(deals, |rules, start, random| {
        let (state, _) = play::<G>(rules, start, random, |_, _, _| {});
        // A traveller has the same columns for every board of the game; the last ones are missing where cards are not known.
        let facts: Vec<&str> = G::story(&state).iter().map(|fact| fact.fact).collect();
        let columns = told.get_or_insert_with(|| facts.clone());
        assert!(columns.starts_with(&facts) || facts.starts_with(columns), "{columns:?}, {facts:?}");
        if facts.len() > columns.len() {
            *columns = facts;
        }
        assert!(G::finished(&state), "nobody is to act but the board is not over: {state:?}");
        assert!(G::advance(&state).is_none());
        for seat in (0..G::seats(start)).map(Seat) {
            assert_eq!(legal::<G>(&state, seat), vec![]);
            assert_eq!(G::timeout(&state, seat), None);
            for action in G::universe(&state, seat, random) {
                let illegal = G::check(&state, seat, &action).map(|_| ()).unwrap_err();
                assert_eq!(illegal.code(), "wrong_phase", "{action:?} after the end");
            }
        }
        let scores = G::scores(&state);
        assert_eq!(scores.len(), usize::from(G::seats(start)));
        assert_eq!(scores.iter().sum::<i64>(), G::score_sum(&state), "{scores:?}");
    });
}

pub fn the_clock_plays_legally_and_ends_the_board<G: Probe>(deals: u32) {
    boards::<G>(deals, |rules, start, random| {
        play::<G>(rules, start, random, |state, _, _| {
            let waiting = G::waiting_for(state).seats;
            for seat in (0..G::seats(start)).map(Seat) {
                let Some(action) = G::timeout(state, seat) else {
                    assert!(
                        !waiting.contains(seat) || G::advance(state).is_some(),
                        "the clock has no action for {seat:?}"
                    );
                    continue;
                };
                assert!(waiting.contains(seat), "the clock acts for {seat:?}, who need not");
                assert!(
                    G::is_the_clocks(&action) || legal::<G>(state, seat).contains(&action),
                    "the clock's {action:?} of {seat:?} is not listed"
                );
            }
        });
        let mut state = G::open(rules, start);
        for _ in 0..G::ACTIONS_MAX {
            let seat = G::waiting_for(&state).seats.iter().find(|seat| G::timeout(&state, *seat).is_some());
            let step = match seat {
                Some(seat) if G::advance(&state).is_none() => {
                    Step::Seat(seat, G::timeout(&state, seat).unwrap())
                }
                _ if G::advance(&state).is_some() => Step::Dealer,
                _ => break,
            };
            act::<G>(&mut state, &step).unwrap();
        }
        assert!(G::finished(&state), "time-outs alone do not end the board");
    });
}

pub fn views_offer_what_is_legal<G: Probe>(deals: u32) {
    boards::<G>(deals, |rules, start, random| {
        play::<G>(rules, start, random, |state, _, _| {
            for seat in (0..G::seats(start)).map(Seat) {
                let view = G::view(state, Viewer::Seat(seat));
                let options: Vec<G::Action> = G::options(&view).take(G::LEGAL_LIMIT).collect();
                assert_eq!(options, legal::<G>(state, seat));
            }
            assert_eq!(G::options(&G::view(state, Viewer::Public)).count(), 0);
        });
    });
}

pub fn a_view_is_read_back_and_gets_the_same_answers<G: Probe + Levels>(deals: u32) {
    let key = AiKey::new([5; 32]);
    let mut asked = 0;
    boards::<G>(deals, |rules, start, random| {
        play::<G>(rules, start, random, |state, _, random| {
            for viewer in viewers::<G>(start) {
                let view = G::view(state, viewer);
                let json = serde_json::to_value(&view).unwrap();
                let read = G::read_view(rules, &json).unwrap_or_else(|error| panic!("{error}: {json}"));
                assert_eq!(read, view);
                assert_eq!(serde_json::to_value(&read).unwrap(), json);
                let Viewer::Seat(seat) = viewer else { continue };
                if !G::waiting_for(state).seats.contains(seat) || !random.one_in(6) {
                    continue;
                }
                let options = |view| G::options(view).take(500).collect::<Vec<G::Action>>();
                assert_eq!(options(&read), options(&view));
                for player in G::levels().iter().take(2) {
                    let answer = |view| choose(*player, &key, rules, 1, seat, view);
                    assert_eq!(answer(&read), answer(&view), "{player:?}");
                    asked += 1;
                }
            }
        });
    });
    assert!(asked > deals, "{asked} questions");
}

/// Every place of a JSON value, as paths.
fn places(value: &Value, here: &mut Vec<String>, found: &mut Vec<String>) {
    found.push(here.iter().fold(String::new(), |path, part| path + "/" + part));
    let mut inner = |key: String, value: &Value| {
        here.push(key);
        places(value, here, found);
        here.pop();
    };
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| inner(index.to_string(), item));
        }
        Value::Object(fields) => fields.iter().for_each(|(key, value)| inner(key.clone(), value)),
        _ => {}
    }
}

/// The value with something in it changed.
fn mutated(json: &Value, random: &mut Random) -> Value {
    let mut json = json.clone();
    let mut found = Vec::new();
    places(&json, &mut Vec::new(), &mut found);
    let other = json.pointer(&found[random.below(found.len())]).unwrap().clone();
    let value = json.pointer_mut(&found[random.below(found.len())]).unwrap();
    match (random.below(4), &mut *value) {
        (0, Value::Object(fields)) if !fields.is_empty() => {
            let key = fields.keys().nth(random.below(fields.len())).unwrap().clone();
            fields.remove(&key);
        }
        (1, Value::Object(fields)) => {
            fields.insert("colour\n".to_owned(), other);
        }
        (0, Value::Array(items)) if !items.is_empty() => {
            items.remove(random.below(items.len()));
        }
        (1, Value::Array(items)) => items.push(items.first().cloned().unwrap_or(other)),
        (0, Value::String(text)) => *text = text.to_lowercase(),
        (1, Value::String(text)) => text.push_str(" H4 sj"),
        (0, Value::Number(number)) => {
            *value =
                json!(number.as_i64().unwrap_or_default().wrapping_add([1, -1, i64::MAX][random.below(3)]));
        }
        (1, Value::Number(number)) => *value = json!(number.as_f64()),
        (2, value) => *value = other,
        (_, value) => {
            let junk = [
                json!(null),
                json!(-1),
                json!(u64::MAX),
                json!("♥\u{85}"),
                json!([[]]),
                json!({"": {}}),
                json!("S4"),
                json!(true),
            ];
            *value = junk[random.below(junk.len())].clone();
        }
    }
    json
}

/// Reads what may not be a view: refused in one line, or written again exactly as it came.
fn read_strictly<G: Probe>(rules: &Arc<G::Rules>, json: &Value) -> bool {
    match G::read_view(rules, json) {
        Ok(view) => {
            assert_eq!(serde_json::to_value(&view).unwrap(), *json);
            G::options(&view).take(300).for_each(drop);
            true
        }
        Err(message) => {
            assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
            assert!(message.chars().count() <= 300, "{message}");
            false
        }
    }
}

pub fn a_changed_view_is_refused_or_another_view<G: Probe>(deals: u32) {
    let (mut read, mut refused) = (0, 0);
    boards::<G>(deals, |rules, start, random| {
        play::<G>(rules, start, random, |state, _, random| {
            if !random.one_in(8) {
                return;
            }
            for viewer in viewers::<G>(start) {
                let json = serde_json::to_value(G::view(state, viewer)).unwrap();
                for key in json.as_object().unwrap().keys() {
                    let mut less = json.clone();
                    less.as_object_mut().unwrap().remove(key);
                    // A key that is only written where there is something may be absent.
                    read_strictly::<G>(rules, &less);
                }
                let changed = mutated(&json, random);
                *(if read_strictly::<G>(rules, &changed) { &mut read } else { &mut refused }) += 1;
                read_strictly::<G>(rules, &mutated(&changed, random));
            }
        });
    });
    assert!(refused > read && read > 0, "{read} read, {refused} refused");
}

/// Any JSON, some of it with the keys of a view.
fn any_json(keys: Vec<String>) -> impl Strategy<Value = Value> {
    let key = prop_oneof![proptest::sample::select(keys), ".{0,3}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0_u64..60).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[SHDC][2-9TJQKA]|[A-C1-9ENWS]|pass|play|.{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 12, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((key.clone(), inner), 0..30)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

pub fn no_json_makes_the_reader_of_views_panic<G: Probe>(_: u32) {
    let rules = rulesets::default::<G>().unwrap();
    let start = deal::<G>(&rules, 1, &mut Random::new(4));
    let good = serde_json::to_value(G::view(&G::open(&rules, &start), Viewer::Seat(Seat(0)))).unwrap();
    let keys: Vec<String> = good.as_object().unwrap().keys().cloned().collect();
    let strategy = (any_json(keys.clone()), proptest::sample::select(keys), any::<bool>());
    proptest!(|((junk, key, inside) in strategy)| {
        let mut json = good.clone();
        if inside {
            json[key] = junk;
        } else {
            json = junk;
        }
        read_strictly::<G>(&rules, &json);
    });
}

pub fn text_is_read_back_and_replays_to_the_same_board<G: Probe>(deals: u32) {
    boards::<G>(deals, |rules, start, random| {
        let header = G::write_start(start);
        let text = serde_json::to_string(&header).unwrap();
        let read = G::read_start(rules, &serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(read, *start);
        assert_eq!(G::write_start(&read), header);
        let (end, history) = play::<G>(rules, start, random, |_, _, _| {});
        let mut state = G::open(rules, &read);
        for step in &history {
            let step = match step {
                Step::Dealer => Step::Dealer,
                Step::Seat(seat, action) => {
                    let text = G::write_action(action);
                    let name = G::seat_name(*seat).unwrap();
                    let seat = G::seat_named(name).unwrap();
                    let read = G::read_action(&text).unwrap();
                    assert_eq!(read, *action);
                    assert_eq!(G::write_action(&read), text);
                    Step::Seat(seat, read)
                }
            };
            act::<G>(&mut state, &step).unwrap();
        }
        assert_eq!(G::outcome(&state), G::outcome(&end));
        assert_eq!(G::scores(&state), G::scores(&end));
        assert_eq!(G::story(&state), G::story(&end));
        for viewer in viewers::<G>(start) {
            assert_eq!(bytes::<G>(&state, viewer), bytes::<G>(&end, viewer));
        }
    });
}

pub fn cards_are_conserved<G: Probe>(deals: u32) {
    boards::<G>(deals, |rules, start, random| {
        let sorted = |state: &G::State| {
            let mut cards = G::cards(state);
            cards.sort_unstable();
            cards
        };
        let all = sorted(&G::open(rules, start));
        play::<G>(rules, start, random, |state, _, _| assert_eq!(sorted(state), all));
    });
}

/// Replays a history from another start. `None` as soon as something that everybody sees goes differently.
fn replay_alike<G: Probe>(
    rules: &Arc<G::Rules>,
    starts: [&G::Start; 2],
    histories: [&[Step<G>]; 2],
) -> Option<G::State> {
    let [mut one, mut other] = starts.map(|start| G::open(rules, start));
    for (step, twin) in histories[0].iter().zip(histories[1]) {
        if G::waiting_for(&one) != G::waiting_for(&other) {
            return None;
        }
        act::<G>(&mut one, step).unwrap();
        act::<G>(&mut other, twin).ok()?;
    }
    (G::waiting_for(&one) == G::waiting_for(&other)).then_some(other)
}

/// The secrecy test: hidden cards are dealt anew, hidden choices changed, and the viewer must not notice.
pub fn equal_knowledge_gives_equal_views<G: Probe>(deals: u32) {
    let mut compared = 0;
    let mut disguised = 0;
    boards::<G>(deals, |rules, start, random| {
        play::<G>(rules, start, random, |state, history, random| {
            for viewer in viewers::<G>(start) {
                if !random.one_in(4) {
                    continue;
                }
                for _ in 0..12 {
                    let Some(other) = G::redeal(start, state, viewer, random) else { break };
                    let mut twin = history.to_vec();
                    G::disguise(state, viewer, &mut twin, random);
                    let Some(imagined) = replay_alike::<G>(rules, [start, &other], [history, &twin]) else {
                        continue;
                    };
                    assert_eq!(
                        bytes::<G>(state, viewer),
                        bytes::<G>(&imagined, viewer),
                        "{viewer:?} sees what is hidden"
                    );
                    assert_eq!(G::view(state, viewer), G::view(&imagined, viewer));
                    compared += u32::from(other != *start);
                    disguised += u32::from(format!("{twin:?}") != format!("{history:?}"));
                    break;
                }
            }
        });
    });
    assert!(compared >= 10 * deals, "only {compared} comparisons of different deals");
    println!("{compared} comparisons, {disguised} with changed choices");
}

/// A start tells its setup back, and its record and receipt hold it without the event.
fn the_setup_stays<G: Probe>(rules: &Arc<G::Rules>, setup: &Setup, random: &mut Random) -> G::Start {
    let start = deal_with::<G>(rules, setup, random);
    assert_eq!(G::setup_of(&start), *setup);
    let text = canonical::to_string(setup).unwrap();
    let read: Setup = serde_json::from_str(&text).unwrap();
    assert_eq!(read, *setup);
    assert_eq!(canonical::to_string(&read).unwrap(), text);

    let mut header = Header::<G>::new("s1/1", Arc::clone(rules), start);
    if let Some(changes) = rulesets::overrides::<G>(rules).unwrap() {
        header.rules_ref = RulesRef::Overridden(changes);
    }
    // Whatever the receipt says in the open is the whole start but for the cards.
    let Value::Object(mut receipt) = serde_json::from_str(&header.receipt()).unwrap() else {
        panic!("a receipt is an object")
    };
    assert_eq!(receipt.remove("deal_sha256"), Some(header.deal_hash().into()));
    receipt.insert("deal".to_owned(), G::write_start(&header.start)["deal"].clone());
    let read = Header::<G>::read(receipt, &[]).unwrap();
    assert_eq!(read.start, header.start);
    assert_eq!(G::setup_of(&read.start), *setup);
    header.start
}

pub fn setups_are_told_back_and_stand_in_the_receipt<G: Probe>(deals: u32) {
    for (round, rules) in (1_u64..).zip(G::rulesets()) {
        let mut random = Random::new(round);
        let setups = G::setups(&rules);
        assert!(!setups.is_empty());
        for (number, setup) in (1..).zip(&setups) {
            assert_eq!(board_setup(&setups, number), setup);
            assert_eq!(board_setup(&setups, number + u32::try_from(setups.len()).unwrap()), setup);
            the_setup_stays::<G>(&rules, setup, &mut random);
        }
        for _ in 0..10 * deals {
            let setup = G::any_setup(&rules, true, &mut random);
            the_setup_stays::<G>(&rules, &setup, &mut random);
        }
        for order in [vec![], G::PACK.cards().split_off(1), vec![G::PACK.cards()[0]; G::PACK.size()]] {
            let refused = G::deal(&rules, &setups[0], &order).unwrap_err();
            assert_eq!(refused[0].code, "bad_order");
        }
    }
}

pub fn boards_of_any_setup_end_and_hand_on_what_they_came_to<G: Probe>(deals: u32) {
    for (round, rules) in (1_u64..).zip(G::rulesets()) {
        let mut random = Random::new(round);
        for _ in 0..20 * deals {
            let setup = G::any_setup(&rules, true, &mut random);
            let start = deal_with::<G>(&rules, &setup, &mut random);
            let mut state = G::open(&rules, &start);
            let mut steps = 0;
            while !G::finished(&state) {
                assert!(G::carry(&state).is_empty(), "a board that is not over hands something on");
                let seats: Vec<Seat> = G::waiting_for(&state).seats.iter().collect();
                // The first actions of the list and the last: amounts would take forever to come to an end.
                let few = |seat: Seat| G::legal(&state, seat).take(3).collect::<Vec<_>>();
                let asked = seats.get(random.below(seats.len().max(1))).copied();
                let actions = asked.map(few).unwrap_or_default();
                let step = match asked {
                    Some(seat) if !actions.is_empty() && G::advance(&state).is_none() => {
                        Step::Seat(seat, actions[random.below(actions.len())].clone())
                    }
                    _ => Step::Dealer,
                };
                act::<G>(&mut state, &step).unwrap_or_else(|code| panic!("{setup:?}: {step:?}: {code}"));
                steps += 1;
                assert!(steps <= G::ACTIONS_MAX, "the board does not end: {setup:?}");
            }
            let scores = G::scores(&state);
            assert_eq!(scores.iter().sum::<i64>(), G::score_sum(&state), "{setup:?}: {scores:?}");
            for seat in G::seated(&start).iter() {
                let score = scores[seat.index()];
                assert!(G::possible_score(&rules, &start, seat, score), "{setup:?}: {seat:?} has {score}");
            }
            G::carry_fits(&state, &G::carry(&state));
        }
    }
}

pub fn what_is_no_setup_is_refused_with_a_code<G: Probe>(deals: u32) {
    let rules = rulesets::default::<G>().unwrap();
    let mut random = Random::new(9);
    let setup = |value: &Value| Setup(value.as_object().unwrap().clone());
    let refused = |faults: &[Fault], what: &Value| {
        assert!(!faults.is_empty(), "{what}: refused without a fault");
        for fault in faults {
            for lang in Lang::ALL {
                let text = fault.sentence(lang);
                let said = !text.is_empty() && !text.contains("{$") && !text.contains('\n');
                assert!(said && text != fault.told.id, "{what}: {text}");
            }
        }
    };
    for (bad, code) in G::no_setups() {
        match G::deal(&rules, &setup(&bad), &G::PACK.cards()) {
            Ok(start) => panic!("{bad} is taken: {start:?}"),
            Err(faults) => {
                refused(&faults, &bad);
                assert!(faults.iter().any(|fault| fault.code == code), "{bad}: {faults:?}, not {code}");
            }
        }
    }
    // Whatever is changed in a setup is refused, or makes another board, which tells it back.
    let mut kinds = [0_u32; 2];
    for _ in 0..100 * deals {
        let good = serde_json::to_value(G::any_setup(&rules, true, &mut random)).unwrap();
        let mut bad = mutated(&good, &mut random);
        if random.one_in(3) {
            bad = mutated(&bad, &mut random);
        }
        if !bad.is_object() {
            continue;
        }
        match G::deal(&rules, &setup(&bad), &G::PACK.cards()) {
            Ok(start) => {
                kinds[0] += 1;
                let told = G::setup_of(&start);
                assert_eq!(G::deal(&rules, &told, &G::PACK.cards()).as_ref(), Ok(&start), "{bad}");
                let mut state = G::open(&rules, &start);
                for _ in 0..G::ACTIONS_MAX {
                    let waiting = G::waiting_for(&state).seats;
                    let late = waiting.iter().find_map(|seat| Some((seat, G::timeout(&state, seat)?)));
                    let step = match late {
                        Some((seat, action)) if G::advance(&state).is_none() => Step::Seat(seat, action),
                        _ if G::advance(&state).is_some() => Step::Dealer,
                        _ => break,
                    };
                    act::<G>(&mut state, &step).unwrap();
                }
                assert!(G::finished(&state), "time-outs alone do not end the board: {bad}");
            }
            Err(faults) => {
                kinds[1] += 1;
                refused(&faults, &bad);
            }
        }
    }
    assert!(kinds[1] > 0, "{kinds:?}");
}

pub fn garbage_headers_are_refused_with_their_faults<G: Probe>(_: u32) {
    let rules = rulesets::default::<G>().unwrap();
    let start = deal::<G>(&rules, 1, &mut Random::new(3));
    let good = G::write_start(&start);
    let bad = |header: &Map<String, Value>, what: &str| match G::read_start(&rules, header) {
        Ok(start) => panic!("{what}: read as {start:?}"),
        Err(StartError::Header(faults) | StartError::Deal(faults)) => {
            assert!(!faults.is_empty(), "{what}: refused without a fault");
            for fault in faults {
                assert!(!fault.message.is_empty() && !fault.message.contains('\n'), "{what}: {fault:?}");
            }
        }
    };
    bad(&Map::new(), "nothing");
    let mut extra = good.clone();
    extra.insert("colour".to_owned(), Value::from("red"));
    bad(&extra, "an unknown key");
    for key in good.keys() {
        let mut less = good.clone();
        less.remove(key);
        bad(&less, key);
        for junk in [Value::Null, Value::from(-1), Value::from("♥"), Value::from(vec![1])] {
            let mut wrong = good.clone();
            wrong.insert(key.clone(), junk);
            bad(&wrong, key);
        }
        let Value::Object(inner) = &good[key] else { continue };
        for inner_key in inner.keys() {
            for junk in [Value::Null, Value::from(7), Value::from("H4 H4 xx"), Value::from("")] {
                let mut wrong = good.clone();
                wrong[key][inner_key] = junk;
                bad(&wrong, inner_key);
            }
        }
    }
}

/// The whole suite for one game: `conformance!(wakeng, Wakeng, 40)` with the number of deals per ruleset.
macro_rules! conformance {
    ($name:ident, $game:ty, $deals:expr) => {
        mod $name {
            use super::*;

            conformance!(@tests $game, $deals,
                every_legal_action_is_accepted_and_every_other_refused
                random_play_ends_and_scores_add_up
                the_clock_plays_legally_and_ends_the_board
                views_offer_what_is_legal
                a_view_is_read_back_and_gets_the_same_answers
                a_changed_view_is_refused_or_another_view
                no_json_makes_the_reader_of_views_panic
                text_is_read_back_and_replays_to_the_same_board
                cards_are_conserved
                equal_knowledge_gives_equal_views
                garbage_headers_are_refused_with_their_faults
                setups_are_told_back_and_stand_in_the_receipt
                boards_of_any_setup_end_and_hand_on_what_they_came_to
                what_is_no_setup_is_refused_with_a_code
            );
        }
    };
    (@tests $game:ty, $deals:expr, $($test:ident)*) => {
        $(
            #[test]
            fn $test() {
                crate::conformance::$test::<$game>($deals);
            }
        )*
    };
}
pub(crate) use conformance;
