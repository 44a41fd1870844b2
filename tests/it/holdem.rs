//! Hold'em: the recorded hands, and random hands in numbers.

use std::sync::Arc;

use fushi::games::holdem::{Holdem, Rules, Start};
use fushi::games::{ActionText, Game, Seat, Seats, rulesets};
use serde_json::{Map, Value, json};

/// `6c7s` as `C6 S7`.
fn cards(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let words: Vec<String> =
        letters.chunks(2).map(|pair| format!("{}{}", pair[1].to_ascii_uppercase(), pair[0])).collect();
    words.join(" ")
}

fn name(index: u64) -> String {
    (index + 1).to_string()
}

fn seat(value: &Value) -> Seat {
    Seat(u8::try_from(value.as_u64().unwrap()).unwrap())
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|item| item.as_u64().unwrap()).collect()
}

/// The header of a recorded hand.
fn header(hand: &Value) -> Map<String, Value> {
    let by_seat = |list: &Value, value: &dyn Fn(&Value) -> Value| -> Value {
        let items = list.as_array().unwrap();
        Value::Object((0..).zip(items).map(|(index, item)| (name(index), value(item))).collect())
    };
    let holes = by_seat(&hand["hole"], &|text| cards(text.as_str().unwrap()).into());
    let header = json!({
        "button": name(hand["btn"].as_u64().unwrap()),
        "blinds": [hand["sb"], hand["bb"]],
        "ante": hand["ante"],
        "unit": hand["unit"],
        "stacks": by_seat(&hand["stacks"], &Value::clone),
        "deal": {"holes": holes, "board": cards(hand["board"].as_str().unwrap())},
    });
    header.as_object().unwrap().clone()
}

pub(crate) fn open(hand: &Value) -> (Arc<Rules>, Start) {
    let rules = rulesets::shipped::<Holdem>("tda-2024").unwrap();
    let start = Holdem::read_start(&rules, &header(hand)).unwrap();
    (rules, start)
}

pub(crate) fn hands() -> Vec<Value> {
    include_str!("../data/holdem-hands.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a10_every_recorded_hand_replays_step_by_step() {
    let hands = hands();
    assert_eq!(hands.len(), 500);
    for hand in &hands {
        let id = &hand["id"];
        let count = usize::try_from(hand["n"].as_u64().unwrap()).unwrap();
        let (rules, start) = open(hand);
        let posts = Holdem::posts(&rules, &start);
        assert_eq!(posts.antes[..count], numbers(&hand["posts"][0])[..], "antes of hand {id}");
        assert_eq!(posts.blinds[..count], numbers(&hand["posts"][1])[..], "blinds of hand {id}");
        let mut state = Holdem::open(&rules, &start);
        for (number, step) in hand["steps"].as_array().unwrap().iter().enumerate() {
            let place = format!("hand {id}, step {number}: {step}");
            let turn = seat(&step[1]);
            let waiting = Holdem::waiting_for(&state);
            assert_eq!(waiting.seats, Seats::one(turn), "{place}");
            let street =
                ["preflop", "flop", "turn", "river"][usize::try_from(step[0].as_u64().unwrap()).unwrap()];
            assert_eq!(waiting.phase, street, "{place}");
            let listing = Holdem::legal_listing(&state, turn, 100);
            assert_eq!(
                (&listing["call"], &listing["min"], &listing["max"]),
                (&step[2], &step[3], &step[4]),
                "{place}"
            );
            let free = step[2] == 0;
            assert_eq!(listing["legal"].as_array().unwrap().contains(&json!("fold")), !free, "{place}");
            let opened = listing["legal"].as_array().unwrap().contains(&json!("raise"));
            let text = match step[5].as_str().unwrap() {
                "f" => "fold".to_owned(),
                "k" => "check".to_owned(),
                "c" => "call".to_owned(),
                _ => format!("{} {}", if opened { "raise" } else { "bet" }, step[6]),
            };
            let action = Holdem::read_action(&ActionText::plain(text)).unwrap();
            let effect =
                Holdem::check(&state, turn, &action).unwrap_or_else(|why| panic!("{place}: {why:?}"));
            Holdem::apply(&mut state, effect);
        }
        assert!(Holdem::finished(&state), "hand {id} is not over");
        outcome(hand, &state, count);
    }
}

/// Compares what a hand came to.
fn outcome(hand: &Value, state: &<Holdem as Game>::State, count: usize) {
    let id = &hand["id"];
    let outcome = serde_json::to_value(Holdem::outcome(state)).unwrap();
    let back = match hand["back"].as_array() {
        Some(back) => json!({name(back[0].as_u64().unwrap()): back[1]}),
        None => json!({}),
    };
    assert_eq!(outcome["returned"], back, "returned in hand {id}");
    let pots: Vec<Value> = hand["pots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pot| {
            let eligible: Vec<String> = numbers(&pot[1]).into_iter().map(name).collect();
            let shares: Map<String, Value> = pot[2]
                .as_array()
                .unwrap()
                .iter()
                .map(|share| (name(share[0].as_u64().unwrap()), share[1].clone()))
                .collect();
            json!({"amount": pot[0], "eligible": eligible, "shares": shares})
        })
        .collect();
    assert_eq!(outcome["pots"], Value::Array(pots), "pots of hand {id}");
    let values = Holdem::values(state);
    if let Some(ranks) = hand.get("rank") {
        let found: Vec<Value> = values[..count]
            .iter()
            .map(|value| value.map_or(Value::Null, |value| value.number().into()))
            .collect();
        assert_eq!(*ranks, Value::Array(found), "ranks of hand {id}");
    } else {
        assert!(values.iter().all(Option::is_none), "hand {id} has no showdown");
    }
    let show: Vec<Value> =
        Holdem::showdown(state).map(|(seat, shown)| json!([if shown { "f" } else { "m" }, seat.0])).collect();
    assert_eq!(hand["show"], Value::Array(show), "showdown of hand {id}");
    let stacks: Vec<u64> =
        (0..count as u64).map(|index| outcome["stacks"][name(index)].as_u64().unwrap()).collect();
    assert_eq!(stacks, numbers(&hand["final"]), "stacks of hand {id}");
}

/// A small generator for random play: quality does not matter, being the same everywhere does.
pub(crate) struct GameRng(pub(crate) u64);

impl GameRng {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }
}

/// A random start: any number of seats, stacks from less than a blind up, all kinds of antes, some dead blinds.
pub(crate) fn random_start(
    rules: &Arc<Rules>,
    chance: &mut GameRng,
    pack: &mut [fushi::cards::Card],
) -> Start {
    let unit = [1, 5, 25][usize::try_from(chance.below(3)).unwrap()];
    for index in (1..pack.len()).rev() {
        pack.swap(index, usize::try_from(chance.below(index as u64 + 1)).unwrap());
    }
    let count = chance.between(2, 10);
    let mut chairs: Vec<u64> = (1..=10).collect();
    while (chairs.len() as u64) > count {
        chairs.remove(usize::try_from(chance.below(chairs.len() as u64)).unwrap());
    }
    let bb = unit * chance.between(1, 20) * 2;
    let mut stacks = Map::new();
    let mut holes = Map::new();
    let mut cards = pack.iter();
    for chair in &chairs {
        let limit = [3, 30, 300][usize::try_from(chance.below(3)).unwrap()];
        stacks.insert(chair.to_string(), (unit * chance.between(1, bb / unit * limit)).into());
        holes
            .insert(chair.to_string(), format!("{} {}", cards.next().unwrap(), cards.next().unwrap()).into());
    }
    let button = if count > 2 && chance.below(4) == 0 {
        chance.between(1, 10)
    } else {
        chairs[usize::try_from(chance.below(count)).unwrap()]
    };
    let board: Vec<String> = cards.take(5).map(ToString::to_string).collect();
    let kind = ["none", "all", "bb"][usize::try_from(chance.below(3)).unwrap()];
    let ante = if kind == "none" { 0 } else { unit * chance.between(0, bb / unit) };
    let mut header = json!({
        "button": button.to_string(), "blinds": [bb / 2, bb], "ante": [kind, ante], "unit": unit,
        "stacks": stacks, "deal": {"holes": holes, "board": board.join(" ")},
    });
    if count > 2 && chance.below(8) == 0 {
        header["sb"] = Value::Null;
    }
    Holdem::read_start(rules, header.as_object().unwrap())
        .unwrap_or_else(|error| panic!("{header}: {error:?}"))
}

/// Every chip of a hand.
pub(crate) fn chips(state: &<Holdem as Game>::State) -> u64 {
    let outcome = Holdem::outcome(state);
    let paid = if Holdem::finished(state) { 0 } else { outcome.pots.iter().map(|pot| pot.amount).sum() };
    outcome.stacks.amounts.iter().sum::<u64>() + paid
}

/// A random legal action, all-ins and least raises more often than others.
pub(crate) fn random_action(state: &<Holdem as Game>::State, turn: Seat, chance: &mut GameRng) -> String {
    let bounds = Holdem::bounds(state, turn).unwrap();
    let unit = Holdem::view(state, fushi::games::Viewer::Public).unit;
    let listing = Holdem::legal_listing(state, turn, 10);
    let word = if listing["legal"].as_array().unwrap().contains(&json!("raise")) { "raise" } else { "bet" };
    match (chance.below(8), bounds.raise) {
        (0, _) if bounds.call > 0 => "fold".to_owned(),
        (1, Some((min, _))) => format!("{word} {min}"),
        (2, Some((min, max))) => format!("{word} {}", min + chance.below((max - min) / unit + 1) * unit),
        (3, Some(_)) => "all-in".to_owned(),
        _ => if bounds.call > 0 { "call" } else { "check" }.to_owned(),
    }
}

#[test]
fn random_hands_keep_every_promise_at_every_step() {
    let mut chance = GameRng(0x9e37_79b9_7f4a_7c15);
    let mut pack = Holdem::PACK.cards();
    for number in 0..4_000 {
        let rules = rulesets::shipped::<Holdem>(["tda-2011", "tda-2024"][number % 2]).unwrap();
        let start = random_start(&rules, &mut chance, &mut pack);
        assert_eq!(Holdem::read_start(&rules, &Holdem::write_start(&start)).unwrap(), start);
        let mut state = Holdem::open(&rules, &start);
        let all = chips(&state);
        let mut steps = 0;
        while let Some(turn) = Holdem::waiting_for(&state).seats.iter().next() {
            assert_eq!(chips(&state), all);
            let view = Holdem::view(&state, fushi::games::Viewer::Seat(turn));
            if number % 40 == 0 {
                everything_listed_is_legal_and_nothing_else(&state, turn, &view);
            }
            let action =
                Holdem::read_action(&ActionText::plain(random_action(&state, turn, &mut chance))).unwrap();
            let effect = Holdem::check(&state, turn, &action).unwrap();
            Holdem::apply(&mut state, effect);
            steps += 1;
            assert!(steps < 10_000, "the hand never ends");
        }
        assert!(Holdem::finished(&state));
        assert_eq!(chips(&state), all);
        assert_eq!(Holdem::scores(&state).iter().sum::<i64>(), 0);
        let outcome = Holdem::outcome(&state);
        for pot in &outcome.pots {
            assert_eq!(pot.shares.amounts.iter().sum::<u64>(), pot.amount);
            assert!(pot.shares.amounts.iter().all(|share| share % start_unit(&start) == 0));
        }
    }
}

fn start_unit(start: &Start) -> u64 {
    Holdem::write_start(start)["unit"].as_u64().unwrap()
}

fn everything_listed_is_legal_and_nothing_else(
    state: &<Holdem as Game>::State,
    turn: Seat,
    view: &<Holdem as Game>::View,
) {
    use fushi::games::holdem::Action;
    let listed: Vec<Action> = Holdem::legal(state, turn).take(20_000).collect();
    assert_eq!(listed, Holdem::options(view).take(20_000).collect::<Vec<_>>());
    let listed: std::collections::BTreeSet<Action> = listed.into_iter().collect();
    let top = view.seats.iter().map(|seat| seat.put + seat.stack).max().unwrap() + 2;
    if top > 15_000 {
        return;
    }
    let amounts = (0..=top).flat_map(|to| [Action::Bet(to), Action::Raise(to)]);
    for action in [Action::Fold, Action::Check, Action::Call, Action::AllIn].into_iter().chain(amounts) {
        let accepted = Holdem::check(state, turn, &action);
        assert_eq!(accepted.is_ok(), listed.contains(&action), "{action:?}: {accepted:?}");
    }
    for other in (0..10).map(Seat).filter(|seat| *seat != turn) {
        assert_eq!(Holdem::legal(state, other).next(), None);
        assert!(Holdem::check(state, other, &Action::Call).is_err());
    }
}

/// Kills a random seat's hand, live or not, on its turn or not: accepted exactly if it is live.
pub(crate) fn random_kill(state: &mut <Holdem as Game>::State, chance: &mut GameRng) -> Option<Seat> {
    use fushi::games::holdem::Action;
    let seat = Seat(u8::try_from(chance.below(10)).unwrap());
    let view = Holdem::view(state, fushi::games::Viewer::Public);
    let name = Holdem::seat_name(seat).unwrap();
    let live = view.seats.iter().any(|one| one.seat == name && one.state != "folded");
    match Holdem::check(state, seat, &Action::Dead) {
        Ok(effect) => {
            assert!(live, "seat {name} has no live hand");
            Holdem::apply(state, effect);
            Some(seat)
        }
        Err(why) => {
            assert!(!live, "{why:?}");
            None
        }
    }
}

#[test]
fn hands_killed_out_of_turn_conserve_chips_and_leave_the_others_a_hand_to_play() {
    let mut chance = GameRng(0x2545_f491_4f6c_dd1d);
    let mut pack = Holdem::PACK.cards();
    let mut killed = 0;
    for number in 0..3_000 {
        let rules = rulesets::shipped::<Holdem>(["tda-2011", "tda-2024"][number % 2]).unwrap();
        let start = random_start(&rules, &mut chance, &mut pack);
        let mut state = Holdem::open(&rules, &start);
        let all = chips(&state);
        let mut dead: Vec<(Seat, u64)> = Vec::new();
        let mut steps = 0;
        while let Some(turn) = Holdem::waiting_for(&state).seats.iter().next() {
            let view = Holdem::view(&state, fushi::games::Viewer::Seat(turn));
            assert_eq!(
                Holdem::options(&view).take(500).collect::<Vec<_>>(),
                Holdem::legal(&state, turn).take(500).collect::<Vec<_>>()
            );
            if chance.below(6) == 0 {
                if let Some(seat) = random_kill(&mut state, &mut chance) {
                    let stack = view.seats.iter().find(|one| Some(one.seat) == Holdem::seat_name(seat));
                    dead.push((seat, stack.unwrap().stack));
                    killed += 1;
                }
            } else {
                let action =
                    Holdem::read_action(&ActionText::plain(random_action(&state, turn, &mut chance)));
                let effect = Holdem::check(&state, turn, &action.unwrap()).unwrap();
                Holdem::apply(&mut state, effect);
            }
            assert_eq!(chips(&state), all, "hand {number}");
            steps += 1;
            assert!(steps < 10_000, "the hand never ends");
        }
        assert!(Holdem::finished(&state), "hand {number}");
        assert_eq!(Holdem::scores(&state).iter().sum::<i64>(), 0);
        let (outcome, view) = (Holdem::outcome(&state), Holdem::view(&state, fushi::games::Viewer::Public));
        for (seat, stack) in dead {
            let name = Holdem::seat_name(seat).unwrap();
            assert!(outcome.pots.iter().all(|pot| !pot.eligible.contains(&name)));
            assert!(view.seats.iter().all(|one| one.seat != name || one.cards.is_none()), "nobody sees it");
            let back = outcome.returned.amounts[seat.index()];
            assert_eq!(outcome.stacks.amounts[seat.index()], stack + back, "chips put in stay in");
        }
    }
    assert!(killed > 3_000, "{killed} hands killed");
}

/// Chips are conserved in a million random hands.
const HANDS: u32 = 1_000_000;

#[test]
fn chips_are_conserved_in_random_hands() {
    let mut chance = GameRng(0xd1b5_4a32_d192_ed03);
    let mut pack = Holdem::PACK.cards();
    let rules = rulesets::shipped::<Holdem>("tda-2024").unwrap();
    let starts: Vec<Start> = (0..3_000).map(|_| random_start(&rules, &mut chance, &mut pack)).collect();
    for (_, start) in (0..HANDS).zip(starts.iter().cycle()) {
        let mut state = Holdem::open(&rules, start);
        while let Some(turn) = Holdem::waiting_for(&state).seats.iter().next() {
            let bounds = Holdem::bounds(&state, turn).unwrap();
            let action = match (chance.below(6), bounds.raise) {
                (0, _) if bounds.call > 0 => fushi::games::holdem::Action::Fold,
                (1, Some(_)) => fushi::games::holdem::Action::AllIn,
                _ if bounds.call > 0 => fushi::games::holdem::Action::Call,
                _ => fushi::games::holdem::Action::Check,
            };
            let effect = Holdem::check(&state, turn, &action).unwrap();
            Holdem::apply(&mut state, effect);
        }
        assert_eq!(Holdem::scores(&state).iter().sum::<i64>(), 0);
    }
}
