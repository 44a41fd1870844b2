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

fn open(hand: &Value) -> (Arc<Rules>, Start) {
    let rules = rulesets::shipped::<Holdem>("tda-2024").unwrap();
    let start = Holdem::read_start(&rules, &header(hand)).unwrap();
    (rules, start)
}

fn hands() -> Vec<Value> {
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
