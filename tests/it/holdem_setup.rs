//! Hands of a tournament: empty seats, dead button, dead small blind, hands that are dead before the first action.

use std::sync::Arc;

use fushi::games::holdem::phh::{Notes, read, write};
use fushi::games::holdem::seating::Blinds;
use fushi::games::holdem::{Action, Holdem, Rules, Start};
use fushi::games::{ActionText, Game, Seat, Seats, Setup, StartError, Viewer, rulesets};
use serde_json::{Map, Value, json};

use crate::conformance::Random;
use crate::holdem_probe::any_hand;

type State = <Holdem as Game>::State;

fn rules() -> Arc<Rules> {
    rulesets::shipped::<Holdem>("tda-2024").unwrap()
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// A hand with blinds of 50 and 100; the pack in order: S2, S3 …
fn deal(setup: &Value) -> Start {
    let mut full =
        json!({"level": 1, "small": 50, "big": 100, "ante": {"kind": "none"}, "out": [], "unit": 1});
    for (key, value) in object(setup) {
        full[key] = value;
    }
    Holdem::deal(&rules(), &Setup(object(&full)), &Holdem::PACK.cards()).unwrap()
}

fn act(state: &mut State, seat: &str, text: &str) {
    let seat = Holdem::seat_named(seat).unwrap();
    let action = Holdem::read_action(&ActionText::plain(text)).unwrap();
    let effect = Holdem::check(state, seat, &action).unwrap_or_else(|why| panic!("{seat:?} {text}: {why:?}"));
    Holdem::apply(state, effect);
}

fn turn(state: &State) -> Option<&'static str> {
    Holdem::waiting_for(state).seats.iter().next().and_then(Holdem::seat_name)
}

#[test]
fn pk_83_cards_go_round_from_the_seat_after_the_button_and_empty_seats_get_none() {
    let start = deal(&json!({"button": 7, "small_seat": 9, "big_seat": 2,
        "stacks": {"2": 500, "5": 700, "9": 900}}));
    let header = Holdem::write_start(&start);
    assert_eq!(header["deal"]["holes"], json!({"2": "S3 S6", "5": "S4 S7", "9": "S2 S5"}));
    // A card is burnt before the flop, the turn and the river.
    assert_eq!(header["deal"]["board"], "S9 ST SJ SK H2");
    assert_eq!(Holdem::seats(&start), 9);
    assert_eq!(Holdem::seated(&start), [1, 4, 8].map(Seat).into_iter().collect::<Seats>());
    // Heads-up the button's cards come last (PK-68).
    let start = deal(&json!({"button": 4, "small_seat": 4, "big_seat": 10, "stacks": {"4": 500, "10": 700}}));
    assert_eq!(Holdem::write_start(&start)["deal"]["holes"], json!({"4": "S3 S5", "10": "S2 S4"}));
}

/// The table of the rulebook (A9): seats 1 to 6, last hand button 1, small blind 2, big blind 3.
#[test]
fn pk_66_pk_67_the_hands_after_somebody_left_open_as_the_table_says() {
    let all: Seats = (0..6).map(Seat).collect();
    let last = Blinds::first(all, Seat(0)).unwrap();
    for (leave, button, small, first) in [
        (vec![2], 2, Some(3), "5"),
        (vec![3], 2, None, "5"),
        (vec![2, 3], 2, None, "5"),
        (vec![1], 2, Some(3), "5"),
    ] {
        let seats = leave.iter().fold(all, |seats, seat| seats.without(Seat(seat - 1)));
        let next = last.next(seats).unwrap();
        let stacks: Map<String, Value> =
            seats.iter().map(|seat| ((seat.0 + 1).to_string(), json!(1000))).collect();
        let start = deal(&json!({"button": next.button.0 + 1, "big_seat": next.bb.0 + 1,
            "small_seat": next.sb_posts.then_some(next.sb.0 + 1), "stacks": stacks}));
        let setup = Holdem::setup_of(&start);
        assert_eq!(
            (&setup.0["button"], &setup.0["small_seat"]),
            (&json!(button), &json!(small)),
            "{leave:?}"
        );
        assert_eq!(setup.0["big_seat"], 4);
        let mut state = Holdem::open(&rules(), &start);
        assert_eq!(turn(&state), Some(first), "{leave:?}");
        let put: u64 = Holdem::view(&state, Viewer::Public).seats.iter().map(|seat| seat.put).sum();
        assert_eq!(put, if small.is_some() { 150 } else { 100 });
        // The big blind acts last, and after the flop the first seat left of the button, empty or not, is first.
        while Holdem::view(&state, Viewer::Public).street == "preflop" {
            let seat = turn(&state).unwrap();
            act(&mut state, seat, if seat == "4" { "check" } else { "call" });
        }
        let after: Seats = seats.iter().filter(|seat| seat.0 >= 2).collect();
        assert_eq!(turn(&state), after.iter().next().and_then(Holdem::seat_name), "{leave:?}");
    }
}

#[test]
fn pk_115_a_hand_that_is_out_is_dealt_in_posts_and_is_dead() {
    let start = deal(
        &json!({"button": 1, "small_seat": 2, "big_seat": 3, "out": ["3"], "ante": {"kind": "all", "chips": 10},
        "stacks": {"1": 1000, "2": 1000, "3": 1000}}),
    );
    let header = Holdem::write_start(&start);
    assert_eq!((&header["out"], &header["deal"]["holes"]["3"]), (&json!(["3"]), &json!("S3 S6")));
    let mut state = Holdem::open(&rules(), &start);
    let view = Holdem::view(&state, Viewer::Public);
    assert_eq!((view.seats[2].state, view.seats[2].put, view.seats[2].stack), ("folded", 100, 890));
    assert_eq!(turn(&state), Some("1"));
    act(&mut state, "1", "fold");
    assert!(Holdem::finished(&state));
    assert_eq!(Holdem::scores(&state), [-10, 120, -110]);
    let carry = Holdem::carry(&state);
    assert_eq!(Value::Object(carry.0), json!({"stacks": {"1": 990, "2": 1120, "3": 890}, "busted": []}));
}

#[test]
fn pk_62_with_one_live_hand_left_the_hand_is_over_when_it_is_dealt() {
    let start = deal(&json!({"button": 1, "small_seat": 1, "big_seat": 2, "out": ["2"],
        "stacks": {"1": 30, "2": 100}}));
    let state = Holdem::open(&rules(), &start);
    assert!(Holdem::finished(&state));
    // What a dead hand has posted stays in, more than the winner's own chips (PK-62).
    assert_eq!(Holdem::scores(&state), [100, -100]);
    assert!(Holdem::possible_score(&rules(), &start, Seat(0), 100));
    assert_eq!(Holdem::carry(&state).0["busted"], json!(["2"]));
    assert!(Holdem::view(&state, Viewer::Public).board.is_empty());
}

/// The play after the deal is the same as if an official had killed the hands before the first action.
#[test]
fn pk_115_a_hand_that_is_out_plays_as_one_that_was_killed_at_once() {
    let rules = rules();
    let mut random = Random::new(115);
    let mut compared = 0;
    'hand: for _ in 0..4000 {
        let setup = any_hand(false, &mut random);
        let mut usual = setup.clone();
        let out = usual.0.insert("out".to_owned(), json!([])).unwrap();
        let mut pack = Holdem::PACK.cards();
        random.shuffle(&mut pack);
        let [out_start, usual_start] =
            [&setup, &usual].map(|setup| Holdem::deal(&rules, setup, &pack).unwrap());
        let (mut state, mut other) = (Holdem::open(&rules, &out_start), Holdem::open(&rules, &usual_start));
        if out.as_array().unwrap().is_empty() || Holdem::finished(&other) {
            continue;
        }
        for seat in out.as_array().unwrap() {
            let seat = Holdem::seat_named(seat.as_str().unwrap()).unwrap();
            // A hand that ends without the first of them leaves none to be killed one after the other.
            let Ok(effect) = Holdem::check(&other, seat, &Action::Dead) else { continue 'hand };
            Holdem::apply(&mut other, effect);
        }
        loop {
            let views = [&state, &other].map(|state| Holdem::view(state, Viewer::Public));
            assert_eq!(views[0], views[1], "{setup:?}");
            let Some(seat) = Holdem::waiting_for(&state).seats.iter().next() else { break };
            let actions: Vec<Action> = Holdem::legal(&state, seat).take(4).collect();
            let action = actions[random.below(actions.len())];
            for state in [&mut state, &mut other] {
                let effect = Holdem::check(state, seat, &action).unwrap();
                Holdem::apply(state, effect);
            }
        }
        assert_eq!(Holdem::carry(&state), Holdem::carry(&other));
        compared += 1;
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn level_and_dead_hands_stand_in_the_header_of_a_record() {
    let rules = rules();
    let start = deal(&json!({"level": 7, "button": 2, "small_seat": null, "big_seat": 4, "out": ["1", "5"],
        "stacks": {"1": 1, "4": 1_000_000_000, "5": 3}}));
    let header = Holdem::write_start(&start);
    assert_eq!(
        (&header["level"], &header["out"], &header["sb"]),
        (&json!(7), &json!(["1", "5"]), &json!(null))
    );
    assert_eq!(Holdem::read_start(&rules, &header).unwrap(), start);
    // A duplicate board has neither: its header is as it always was.
    let usual = fushi::games::deal_board::<Holdem>(&rules, 3, &Holdem::PACK.cards()).unwrap();
    let keys: Vec<String> = Holdem::write_start(&usual).keys().cloned().collect();
    assert_eq!(keys, ["button", "blinds", "ante", "unit", "stacks", "deal"]);
    for (key, value, code) in [
        ("level", json!(0), "bad_level"),
        ("level", json!("x"), "bad_level"),
        ("out", json!(["2"]), "bad_seat"),
        ("out", json!(["1", "4", "5"]), "nobody_live"),
        ("out", json!("1"), "wrong_type"),
    ] {
        let mut bad = header.clone();
        bad.insert(key.to_owned(), value.clone());
        let Err(StartError::Header(faults)) = Holdem::read_start(&rules, &bad) else {
            panic!("{key} {value}")
        };
        assert_eq!(faults[0].code, code);
    }
}

#[test]
fn several_faults_of_a_setup_are_listed_at_once() {
    let setup = json!({"level": 0, "small": 3, "big": 2, "ante": {"kind": "none"}, "button": 12, "small_seat": 1,
        "big_seat": 2, "stacks": {"1": 0, "3": 5}, "unit": 1, "colour": "red"});
    let faults = Holdem::deal(&rules(), &Setup(object(&setup)), &[]).unwrap_err();
    let codes: Vec<&str> = faults.iter().map(|fault| fault.code).collect();
    for code in ["unknown_key", "bad_level", "bad_blinds", "bad_seat", "no_chips", "bad_order"] {
        assert!(codes.contains(&code), "{codes:?} without {code}");
    }
}

#[test]
fn phh_has_a_dead_hand_as_a_fold_that_an_official_made() {
    let start = deal(&json!({"button": 1, "small_seat": 2, "big_seat": 3, "out": ["1"],
        "stacks": {"1": 1000, "2": 1000, "3": 1000}}));
    let mut state = Holdem::open(&rules(), &start);
    assert_eq!(turn(&state), Some("2"));
    act(&mut state, "2", "fold");
    let text = write(&rules(), &start, &[(Seat(1), Action::Fold)], &Notes::default()).unwrap();
    assert!(text.contains("\"p3 f # dead\""), "{text}");
    let [(1, Ok(back))] = &read(&text)[..] else { panic!("{text}") };
    let done: Vec<(&str, bool)> =
        back.lines.iter().map(|line| (line.action.as_ref().unwrap().text.as_str(), line.official)).collect();
    assert_eq!(done, [("dead", true), ("fold", false)]);
}
