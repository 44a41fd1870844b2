//! The worked examples of the hold'em rulebook (A9) that concern the engine, each named after its number.

use std::sync::Arc;

use fushi::games::holdem::seating::Blinds;
use fushi::games::holdem::{Holdem, OddChips, Pot, Rules, layers, split, uncalled};
use fushi::games::{ActionText, Game, Refusal as _, Seat, Seats, StartError, Viewer, deal_board, rulesets};
use serde_json::{Map, Value, json};

type State = <Holdem as Game>::State;

fn rules(name: &str) -> Arc<Rules> {
    rulesets::shipped::<Holdem>(name).unwrap()
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn open(name: &str, header: &Value) -> State {
    let rules = rules(name);
    let start = Holdem::read_start(&rules, &object(header)).unwrap_or_else(|error| panic!("{error:?}"));
    Holdem::open(&rules, &start)
}

/// Hole cards for the seats of `stacks`, best hand first: the board makes no straight and no flush possible.
fn holes(stacks: &Value) -> Value {
    let pairs = ["SA HA", "SK HK", "SQ HQ", "SJ HJ", "DA C3", "D4 C5", "D6 C7", "D8 C9", "S2 C4", "S5 C6"];
    let names = stacks.as_object().unwrap().keys();
    Value::Object(names.zip(pairs).map(|(seat, pair)| (seat.clone(), pair.into())).collect())
}

/// A hand with the button on the last seat unless `button` says otherwise; extra keys replace the usual ones.
fn table(blinds: [u64; 2], button: &str, stacks: &Value, extra: &Value) -> State {
    let mut header = json!({
        "button": button, "blinds": blinds, "ante": ["none", 0], "unit": 1,
        "deal": {"holes": holes(stacks), "board": "DT D2 H3 H8 C6"},
    });
    header["stacks"] = stacks.clone();
    for (key, value) in object(extra) {
        header[key] = value;
    }
    open("tda-2024", &header)
}

/// A flop with nothing in front of anybody, seat 1 to act, the button on the last seat.
fn flop(bb: u64, stacks: &Value) -> State {
    let put: Map<String, Value> = object(stacks).into_iter().map(|(seat, _)| (seat, 0.into())).collect();
    let button = put.keys().next_back().unwrap().clone();
    let position = json!({
        "street": "flop", "board": "S2 D7 CK", "button": button, "bb": bb, "pot": 0,
        "stacks": stacks, "put": put, "last_full_raise": bb, "turn": "1",
    });
    open("tda-2024", &json!({"position": position}))
}

fn step(state: &mut State, seat: &str, text: &str) {
    let name = Holdem::seat_named(seat).unwrap();
    let action = Holdem::read_action(&ActionText::plain(text)).unwrap();
    let effect = Holdem::check(state, name, &action).unwrap_or_else(|why| panic!("{seat} {text}: {why:?}"));
    Holdem::apply(state, effect);
}

/// Plays `"1 bet 300, 2 fold"`.
fn play(state: &mut State, line: &str) {
    for part in line.split(", ") {
        let (seat, text) = part.split_once(' ').unwrap();
        step(state, seat, text);
    }
}

/// The code with which an action is refused; it must be, and nothing may change.
fn refused(state: &State, seat: &str, text: &str) -> &'static str {
    let before = format!("{state:?}");
    let action = Holdem::read_action(&ActionText::plain(text)).unwrap();
    let why = Holdem::check(state, Holdem::seat_named(seat).unwrap(), &action).unwrap_err();
    assert_eq!(format!("{state:?}"), before);
    why.code()
}

fn legal(state: &State, seat: &str) -> Value {
    let name = Holdem::seat_named(seat).unwrap();
    assert_eq!(Holdem::waiting_for(state).seats, Seats::one(name), "seat {seat} is to act");
    Value::Object(Holdem::legal_listing(state, name, 10))
}

/// What the next seat faces: the call, the least raise, and that it may raise.
fn faces(state: &State, seat: &str, call: u64, min: u64) {
    let listing = legal(state, seat);
    assert_eq!((&listing["call"], &listing["min"]), (&json!(call), &json!(min)), "seat {seat}: {listing}");
    assert!(listing["legal"].as_array().unwrap().iter().any(|word| word == "raise" || word == "bet"));
}

fn outcome(state: &State) -> Value {
    serde_json::to_value(Holdem::outcome(state)).unwrap()
}

fn amounts(state: &State) -> Vec<u64> {
    outcome(state)["pots"].as_array().unwrap().iter().map(|pot| pot["amount"].as_u64().unwrap()).collect()
}

#[test]
fn a9_43_1_a_raise_is_at_least_the_last_raise() {
    let mut state = flop(200, &json!({"1": 9000, "2": 9000, "3": 9000, "4": 9000}));
    play(&mut state, "1 bet 600, 2 raise 1600, 3 raise 3600");
    faces(&state, "4", 3600, 5600);
}

#[test]
fn a9_43_2_a_short_all_in_leaves_the_minimum_raise_at_the_big_blind() {
    let mut state =
        table([50, 100], "5", &json!({"1": 5000, "2": 5000, "3": 150, "4": 5000, "5": 5000}), &json!({}));
    play(&mut state, "3 all-in");
    faces(&state, "4", 150, 250);
}

#[test]
fn a9_43_3_a_bet_and_a_raise() {
    let mut state = flop(100, &json!({"1": 9000, "2": 9000, "3": 9000}));
    play(&mut state, "1 bet 300, 2 raise 1000");
    faces(&state, "3", 1000, 1700);
}

#[test]
fn a9_43_4_the_largest_raise_of_the_street_counts() {
    let stacks = json!({"1": 5000, "2": 5000, "3": 5000, "4": 5000, "5": 5000, "6": 5000});
    let mut state = table([25, 50], "6", &stacks, &json!({}));
    play(&mut state, "3 raise 125, 4 raise 200, 5 raise 500");
    faces(&state, "6", 500, 800);
    let mut state = table([25, 50], "6", &stacks, &json!({}));
    play(&mut state, "3 raise 500, 4 call, 5 call");
    faces(&state, "6", 500, 950);
}

fn case_47_1(ruleset: &str) -> State {
    let position = json!({
        "street": "flop", "board": "S2 D7 CK", "button": "5", "bb": 100, "pot": 0, "last_full_raise": 100,
        "stacks": {"1": 5000, "2": 125, "3": 5000, "4": 200, "5": 5000},
        "put": {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0}, "turn": "1",
    });
    let mut state = open(ruleset, &json!({"position": position}));
    play(&mut state, "1 bet 100, 2 all-in, 3 call, 4 all-in, 5 call");
    state
}

#[test]
fn a9_47_1_short_all_ins_add_up_for_the_first_bettor() {
    for ruleset in ["tda-2011", "tda-2024"] {
        let state = case_47_1(ruleset);
        faces(&state, "1", 100, 300);
    }
    let mut state = case_47_1("tda-2024");
    play(&mut state, "1 call");
    // Seat 3 put in 125 and faces 75: less than a full raise.
    let listing = legal(&state, "3");
    assert_eq!(listing, json!({"call": 75, "min": null, "max": null, "legal": ["fold", "call"]}));
    assert_eq!(refused(&state, "3", "raise 300"), "not_reopened");
    assert_eq!(refused(&state, "3", "raise 5000"), "not_reopened");
}

#[test]
fn a9_47_1b_a_full_raise_reopens_for_everybody() {
    let mut state = case_47_1("tda-2024");
    play(&mut state, "1 raise 300");
    faces(&state, "3", 175, 400);
}

#[test]
fn pk_92_each_all_in_alone_where_the_ruleset_says_so() {
    let rules = json!({"base": "tda-2024", "short_all_ins": "each-alone"});
    let rules = rulesets::overridden::<Holdem>(&object(&rules)).unwrap();
    let position = json!({"position": {
        "street": "flop", "board": "S2 D7 CK", "button": "5", "bb": 100, "pot": 0, "last_full_raise": 100,
        "stacks": {"1": 5000, "2": 125, "3": 5000, "4": 200, "5": 5000},
        "put": {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0}, "turn": "1",
    }});
    let mut state = Holdem::open(&rules, &Holdem::read_start(&rules, &object(&position)).unwrap());
    play(&mut state, "1 bet 100, 2 all-in, 3 call, 4 all-in, 5 call");
    assert_eq!(legal(&state, "1")["min"], Value::Null);
}

#[test]
fn a9_47_2_all_ins_above_a_bet_leave_the_raise_at_the_bet() {
    let mut state =
        flop(100, &json!({"1": 9000, "2": 500, "3": 650, "4": 800, "5": 9000, "6": 9000, "7": 9000}));
    play(&mut state, "1 bet 300, 2 all-in, 3 all-in, 4 all-in, 5 call");
    faces(&state, "6", 800, 1100);
}

#[test]
fn a9_47_3_the_big_blind_has_not_acted() {
    let stacks = json!({"1": 90000, "2": 90000, "3": 90000, "4": 90000, "5": 7500, "6": 90000});
    let mut state = table([2000, 4000], "6", &stacks, &json!({}));
    play(&mut state, "3 call, 4 fold, 5 all-in, 6 fold, 1 fold");
    faces(&state, "2", 3500, 11500);
}

#[test]
fn a9_own_a_short_big_blind_leaves_the_call_whole() {
    let mut state = table([50, 100], "4", &json!({"1": 900, "2": 30, "3": 900, "4": 900}), &json!({}));
    faces(&state, "3", 100, 200);
    play(&mut state, "3 fold, 4 fold");
    // Only 30 can be matched: the small blind of 50 has paid enough.
    assert!(Holdem::finished(&state));
    assert_eq!(outcome(&state)["returned"], json!({"1": 20}));
}

#[test]
fn pk_74_nobody_pays_more_than_a_live_opponent_can_match() {
    let mut state = table([50, 100], "4", &json!({"1": 70, "2": 30, "3": 900, "4": 900}), &json!({}));
    play(&mut state, "3 fold");
    assert_eq!(legal(&state, "4"), json!({"call": 70, "min": null, "max": null, "legal": ["fold", "call"]}));
    assert_eq!(refused(&state, "4", "raise 200"), "not_reopened");
    play(&mut state, "4 all-in, 1 all-in");
    assert_eq!(amounts(&state), [90, 80]);
}

#[test]
fn a9_own_a_short_bet_does_not_reopen_for_who_checked() {
    let mut state = flop(100, &json!({"1": 900, "2": 30, "3": 900}));
    play(&mut state, "1 check, 2 all-in, 3 call");
    assert_eq!(legal(&state, "1"), json!({"call": 30, "min": null, "max": null, "legal": ["fold", "call"]}));
}

#[test]
fn pk_93_who_has_not_acted_may_raise_a_short_bet_by_a_full_one() {
    let mut state = flop(100, &json!({"1": 900, "2": 30, "3": 900}));
    play(&mut state, "1 check, 2 bet 30");
    faces(&state, "3", 30, 130);
}

#[test]
fn a9_side_pots_of_four_all_ins() {
    let mut state = table([50, 100], "4", &json!({"1": 100, "2": 300, "3": 900, "4": 900}), &json!({}));
    play(&mut state, "3 all-in, 4 call, 1 call, 2 call");
    assert_eq!(amounts(&state), [400, 600, 1200]);
    let result = outcome(&state);
    assert_eq!(result["pots"][0]["shares"], json!({"1": 400}));
    assert_eq!(result["pots"][1], json!({"amount": 600, "eligible": ["2", "3", "4"], "shares": {"2": 600}}));
    assert_eq!(result["pots"][2]["shares"], json!({"3": 1200}));
    assert_eq!(result["stacks"], json!({"1": 400, "2": 600, "3": 1200, "4": 0}));
}

#[test]
fn a9_side_pots_with_dead_money_of_a_fifth() {
    // The small blind of 50 is folded.
    let stacks = json!({"1": 300, "2": 900, "3": 900, "4": 100, "5": 5000});
    let mut state = table([50, 100], "4", &stacks, &json!({}));
    play(&mut state, "2 all-in, 3 call, 4 call, 5 fold, 1 call");
    assert_eq!(amounts(&state), [450, 600, 1200]);
}

#[test]
fn a9_the_big_blind_ante_goes_into_the_main_pot_only() {
    let stacks = json!({"1": 400, "2": 1000, "3": 5000, "4": 1100});
    let mut state = table([50, 100], "2", &stacks, &json!({"ante": ["bb", 100]}));
    play(&mut state, "1 all-in, 2 all-in, 3 fold, 4 all-in");
    assert_eq!(amounts(&state), [1350, 1200]);
}

fn pot(amount: u64) -> Pot {
    Pot { amount, eligible: Seats::NONE, winners: Seats::NONE, shares: [0; 10] }
}

#[test]
fn a9_odd_chips_are_whole_chips_one_each_clockwise_from_the_button() {
    let seats = |list: &[u8]| list.iter().map(|seat| Seat(*seat)).collect::<Seats>();
    let mut first = pot(1025);
    split(&mut first, seats(&[2, 7]), Seat(4), 25, OddChips::OneEach);
    assert_eq!((first.shares[7], first.shares[2]), (525, 500));
    let mut second = pot(59);
    split(&mut second, seats(&[0, 3, 5]), Seat(4), 1, OddChips::OneEach);
    assert_eq!((second.shares[5], second.shares[0], second.shares[3]), (20, 20, 19));
    let mut all = pot(59);
    split(&mut all, seats(&[0, 3, 5]), Seat(4), 1, OddChips::AllToFirst);
    assert_eq!((all.shares[5], all.shares[0], all.shares[3]), (21, 19, 19));
}

#[test]
fn pk_48_a_layer_whose_contributors_all_folded_belongs_to_the_pot_below() {
    let total = [100, 300, 500, 500, 0, 0, 0, 0, 0, 0];
    let live: Seats = [Seat(0), Seat(1)].into_iter().collect();
    let pots = layers(&total, live, 0);
    assert_eq!(
        pots.iter().map(|pot| (pot.amount, pot.eligible)).collect::<Vec<_>>(),
        [(400, live), (1000, Seats::one(Seat(1)))]
    );
}

#[test]
fn pk_48_its_own_example_is_played_by_the_clock_and_by_a_referee() {
    let stacks = json!({"1": 100, "2": 300, "3": 2000, "4": 2000});
    let all_in = "3 raise 500, 4 call, 1 all-in, 2 all-in";
    let ends = |state: &State| {
        let pots = outcome(state)["pots"].clone();
        assert_eq!(
            pots,
            json!([{"amount": 400, "eligible": ["1", "2"], "shares": {"1": 400}},
                {"amount": 1000, "eligible": ["2"], "shares": {"2": 1000}}])
        );
        assert_eq!(outcome(state)["stacks"], json!({"1": 400, "2": 1000, "3": 1500, "4": 1500}));
        assert_eq!(outcome(state)["returned"], json!({}));
    };
    // Both by the clock, each on its turn.
    let header = json!({"button": "4", "blinds": [50, 100], "ante": ["none", 0], "unit": 1,
        "deal": {"holes": holes(&stacks), "board": "DT D2 H3 H8 C6"}, "stacks": stacks});
    let mut state = open("tda-2011", &header);
    play(&mut state, all_in);
    for seat in [Seat(2), Seat(3)] {
        assert_eq!(Holdem::waiting_for(&state).seats, Seats::one(seat));
        let dead = Holdem::timeout(&state, seat).unwrap();
        let effect = Holdem::check(&state, seat, &dead).unwrap();
        Holdem::apply(&mut state, effect);
    }
    ends(&state);
    // By a referee, in either order: who is left is asked as long as the street is open.
    for order in ["3 dead, 4 dead", "4 dead, 3 dead"] {
        let mut state = table([50, 100], "4", &stacks, &json!({}));
        play(&mut state, all_in);
        play(&mut state, order);
        ends(&state);
    }
    // All four are all-in but one: the two are killed while it is to act.
    let mut state = table([50, 100], "4", &json!({"1": 100, "2": 300, "3": 500, "4": 500}), &json!({}));
    play(&mut state, "3 all-in, 4 all-in, 1 all-in, 3 dead, 4 dead");
    let listing = legal(&state, "2");
    assert_eq!(
        (&listing["call"], &listing["min"]),
        (&json!(200), &json!(null)),
        "the bet was called: {listing}"
    );
    play(&mut state, "2 call");
    assert_eq!(outcome(&state)["stacks"], json!({"1": 400, "2": 1000, "3": 0, "4": 0}));
    // Blinds that nobody has called are won all the same.
    let mut state = table([50, 100], "4", &stacks, &json!({}));
    play(&mut state, "1 dead, 2 dead, 3 fold");
    assert_eq!(outcome(&state)["stacks"], json!({"1": 50, "2": 200, "3": 2000, "4": 2150}));
}

#[test]
fn pk_62_an_all_in_hand_whose_player_is_absent_is_killed_at_any_time() {
    // X1: the third big blind of an absent player is all-in with 200; the hand is dead, the pot keeps the chips.
    let stacks = json!({"1": 5000, "2": 200, "3": 5000});
    let mut state = table([100, 200], "3", &stacks, &json!({"ante": ["bb", 200]}));
    play(&mut state, "2 dead");
    let view = Holdem::view(&state, Viewer::Public);
    assert_eq!((view.seats[1].state, view.turn, view.pot), ("folded", Some("3"), Some(300)));
    faces(&state, "3", 200, 400);
    assert_eq!(refused(&state, "2", "dead"), "wrong_phase", "it is dead already");
    assert_eq!(refused(&state, "7", "dead"), "wrong_phase", "nobody sits there");
    play(&mut state, "3 fold");
    assert_eq!(outcome(&state)["stacks"], json!({"1": 5200, "2": 0, "3": 5000}));
    assert_eq!(refused(&state, "1", "dead"), "wrong_phase", "the hand is over");
    // One that would have won: all-in on the flop, disqualified while others bet on.
    let mut state = table([50, 100], "4", &json!({"1": 500, "2": 2000, "3": 2000, "4": 2000}), &json!({}));
    play(&mut state, "3 call, 4 fold, 1 call, 2 check, 1 all-in, 2 call, 3 call, 2 check, 1 dead, 3 bet 200");
    faces(&state, "2", 200, 400);
    play(&mut state, "2 call, 2 check, 3 check");
    assert_eq!(
        outcome(&state)["pots"],
        json!([{"amount": 1900, "eligible": ["2", "3"], "shares": {"2": 1900}}])
    );
}

#[test]
fn pk_112_a_killed_bettor_gets_the_uncalled_part_back_and_nothing_else() {
    let stacks = json!({"1": 900, "2": 900, "3": 900});
    let mut state = flop(100, &stacks);
    play(&mut state, "1 bet 300, 1 dead");
    faces(&state, "2", 300, 600);
    play(&mut state, "2 fold");
    assert_eq!(outcome(&state)["returned"], json!({"1": 300}));
    assert_eq!(outcome(&state)["stacks"], stacks);
    let mut state = flop(100, &json!({"1": 900, "2": 200, "3": 900}));
    play(&mut state, "1 bet 500, 2 all-in, 1 dead");
    let listing = legal(&state, "3");
    assert_eq!(listing["call"], 200, "no more than the live opponent can match: {listing}");
    play(&mut state, "3 fold");
    assert_eq!(outcome(&state)["returned"], json!({"1": 300}));
    assert_eq!(outcome(&state)["stacks"], json!({"1": 700, "2": 400, "3": 900}));
}

#[test]
fn pk_112_a_showdown_that_unknown_cards_keep_open_is_settled_when_the_hand_is_killed() {
    let extra =
        json!({"deal": {"holes": {"1": "SA HA", "2": "? ?", "3": "SQ HQ"}, "board": "DT D2 H3 H8 C6"}});
    let mut state = table([50, 100], "3", &json!({"1": 500, "2": 500, "3": 500}), &extra);
    play(&mut state, "3 all-in, 1 all-in, 2 all-in");
    assert!(!Holdem::finished(&state));
    play(&mut state, "2 dead");
    assert!(Holdem::finished(&state));
    assert_eq!(outcome(&state)["stacks"], json!({"1": 1500, "2": 0, "3": 0}));
}

fn pot_limit(blinds: [u64; 2], stacks: &Value, extra: &Value) -> State {
    let changes = json!({"base": "tda-2024", "name": "club", "preflop_betting": "pot-limit"});
    let rules = rulesets::overridden::<Holdem>(changes.as_object().unwrap()).unwrap();
    let last = stacks.as_object().unwrap().keys().next_back().unwrap();
    let mut header = json!({"button": last, "blinds": blinds, "ante": ["none", 0], "unit": 1, "stacks": stacks,
        "deal": {"holes": holes(stacks), "board": "DT D2 H3 H8 C6"}});
    for (key, value) in object(extra) {
        header[key] = value;
    }
    Holdem::open(&rules, &Holdem::read_start(&rules, &object(&header)).unwrap())
}

#[test]
fn pot_limit_before_the_flop_bounds_a_raise_by_the_pot_after_the_call_and_later_nothing_does() {
    let stacks = json!({"1": 5000, "2": 5000, "3": 5000, "4": 5000});
    let bounds = |state: &State, seat: &str, call: u64, min: u64, max: u64| {
        let listing = legal(state, seat);
        let found = (&listing["call"], &listing["min"], &listing["max"]);
        assert_eq!(found, (&json!(call), &json!(min), &json!(max)), "seat {seat}");
    };
    let mut state = pot_limit([50, 100], &stacks, &json!({}));
    bounds(&state, "3", 100, 200, 350);
    assert_eq!(refused(&state, "3", "raise 351"), "bad_amount");
    assert_eq!(refused(&state, "3", "all-in"), "bad_amount");
    let listed: Vec<String> =
        Holdem::legal(&state, Seat(2)).map(|action| Holdem::write_action(&action).text).collect();
    assert_eq!((listed.len(), listed.last().unwrap().as_str()), (2 + 151, "raise 350"));
    play(&mut state, "3 raise 350");
    bounds(&state, "4", 350, 600, 350 + 500 + 350);
    play(&mut state, "4 call");
    bounds(&state, "1", 300, 600, 350 + 850 + 300);
    play(&mut state, "1 fold, 2 call");
    bounds(&state, "2", 0, 100, 4650);
    // The small blind's own chips are in the pot.
    let mut state = pot_limit([50, 100], &stacks, &json!({}));
    play(&mut state, "3 fold, 4 fold");
    bounds(&state, "1", 50, 200, 100 + 150 + 50);
    // Antes are in the pot; a short blind counts in full (PK-74).
    bounds(&pot_limit([50, 100], &stacks, &json!({"ante": ["all", 10]})), "3", 100, 200, 390);
    bounds(&pot_limit([50, 100], &stacks, &json!({"ante": ["bb", 100]})), "3", 100, 200, 450);
    let short = json!({"1": 5000, "2": 30, "3": 5000, "4": 5000});
    bounds(&pot_limit([50, 100], &short, &json!({})), "3", 100, 200, 350);
    // Who has less than the pot may bet it all.
    let poor = json!({"1": 5000, "2": 5000, "3": 240, "4": 5000});
    let mut state = pot_limit([50, 100], &poor, &json!({}));
    bounds(&state, "3", 100, 200, 240);
    play(&mut state, "3 all-in");
    bounds(&state, "4", 240, 380, 240 + 390 + 240);
}

#[test]
fn pot_limit_needs_the_pot_shown() {
    let changes =
        json!({"base": "tda-2024", "name": "club", "preflop_betting": "pot-limit", "pot_shown": false});
    let faults = rulesets::overridden::<Holdem>(changes.as_object().unwrap()).unwrap_err();
    assert_eq!(faults[0].code, "bad_pot");
}

#[test]
fn pk_49_the_uncalled_part_goes_back_and_is_no_win() {
    assert_eq!(uncalled(&[0, 100, 70, 0, 0, 0, 0, 0, 0, 0]), Some((Seat(1), 30)));
    assert_eq!(uncalled(&[100, 100, 70, 0, 0, 0, 0, 0, 0, 0]), None);
    let mut state = flop(100, &json!({"1": 900, "2": 500, "3": 900}));
    play(&mut state, "1 bet 200, 2 fold, 3 fold");
    assert_eq!(outcome(&state)["returned"], json!({"1": 200}));
    assert_eq!(outcome(&state)["pots"], json!([]));
}

/// Which hole cards a spectator sees.
fn face_up(state: &State) -> Vec<&'static str> {
    let view = Holdem::view(state, Viewer::Public);
    view.seats.iter().filter(|seat| seat.cards.is_some()).map(|seat| seat.seat).collect()
}

#[test]
fn a9_all_in_cards_stay_down_while_others_can_bet() {
    let mut state = table([50, 100], "3", &json!({"1": 500, "2": 2000, "3": 3000}), &json!({}));
    play(&mut state, "3 raise 500, 1 all-in, 2 call");
    assert!(face_up(&state).is_empty());
    play(&mut state, "2 check, 3 check");
    assert!(face_up(&state).is_empty());
    play(&mut state, "2 all-in, 3 call");
    assert_eq!(face_up(&state), ["1", "2", "3"]);
}

#[test]
fn a9_all_in_cards_come_up_when_the_river_betting_is_over() {
    let mut state = table([50, 100], "3", &json!({"1": 500, "2": 5000, "3": 5000}), &json!({}));
    play(&mut state, "3 raise 300, 1 call, 2 call, 1 check, 2 check, 3 check");
    play(&mut state, "1 all-in, 2 raise 1000, 3 call");
    assert!(face_up(&state).is_empty());
    play(&mut state, "2 check, 3 check");
    assert_eq!(face_up(&state), ["1", "2", "3"]);
}

#[test]
fn pk_34_the_last_aggressor_shows_first_and_beaten_hands_are_mucked() {
    let mut state = table([50, 100], "3", &json!({"1": 5000, "2": 5000, "3": 5000}), &json!({}));
    play(&mut state, "3 call, 1 call, 2 check, 1 check, 2 check, 3 check, 1 check, 2 check, 3 check");
    play(&mut state, "1 check, 2 bet 100, 3 call, 1 call");
    // Seat 2 shows kings, seat 3 mucks queens, seat 1 shows aces.
    assert_eq!(outcome(&state)["shown"], json!(["2", "1"]));
    assert_eq!(face_up(&state), ["1", "2"]);
    let own = Holdem::view(&state, Viewer::Seat(Seat(2)));
    assert!(own.seats[2].cards.is_some());
}

#[test]
fn pk_37_the_last_live_hand_wins_unseen() {
    let mut state = table([50, 100], "3", &json!({"1": 5000, "2": 5000, "3": 5000}), &json!({}));
    play(&mut state, "3 raise 300, 1 fold, 2 fold");
    assert!(face_up(&state).is_empty());
    assert_eq!(outcome(&state)["shown"], json!([]));
    assert_eq!(outcome(&state)["stacks"], json!({"1": 4950, "2": 4900, "3": 5150}));
}

#[test]
fn pk_61_cards_that_are_not_dealt_are_in_no_view_outcome_or_list() {
    let deal = |board: &str| {
        let stacks = json!({"1": 5000, "2": 5000, "3": 5000});
        let deal = json!({"holes": holes(&stacks), "board": board});
        table([50, 100], "3", &stacks, &json!({"deal": deal}))
    };
    let lines = [
        "3 call, 1 call, 2 check",
        "1 check, 2 bet 100, 3 call, 1 call",
        "1 bet 300, 2 call, 3 fold",
        "1 bet 900, 2 fold",
    ];
    let boards = ["DT D2 H3 H8 C6", "CT C2 C8 H7 D7", "DT D2 H3 S9 S8", "DT D2 H3 H8 S7"];
    let mut other = deal(boards[1]);
    let mut state = deal(boards[0]);
    let doors = |state: &State| {
        let viewers = [Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Seat(Seat(2))];
        let views: Vec<_> = viewers.map(|viewer| Holdem::view(state, viewer)).into();
        let listings: Vec<_> = (0..3).map(|seat| Holdem::legal_listing(state, Seat(seat), 10)).collect();
        serde_json::to_string(&(views, listings, Holdem::outcome(state))).unwrap()
    };
    for (number, line) in lines.into_iter().enumerate() {
        assert_eq!(doors(&state), doors(&other), "before {line}");
        // The other table's board now differs from the next street on only.
        play(&mut state, line);
        let next = [boards[2], boards[3], boards[0], boards[0]][number];
        other = deal(next);
        for line in &lines[..=number] {
            play(&mut other, line);
        }
    }
    // Won on the river without a showdown: hole cards of the winner stay hidden, too.
    assert!(Holdem::finished(&state));
    assert!(face_up(&state).is_empty());
    // Won on the flop: the turn and the river never come out.
    let mut short = deal(boards[0]);
    play(&mut short, "3 call, 1 call, 2 check, 1 bet 100, 2 fold, 3 fold");
    assert_eq!(Holdem::view(&short, Viewer::Public).board.len(), 3);
    assert!(!doors(&short).contains("H8") && !doors(&short).contains("C6"));
}

fn seats(list: &[u8]) -> Seats {
    list.iter().map(|number| Seat(number - 1)).collect()
}

/// Button, small blind (0 = dead) and big blind by number.
fn numbers(blinds: Blinds) -> (u8, u8, u8) {
    (blinds.button.0 + 1, if blinds.sb_posts { blinds.sb.0 + 1 } else { 0 }, blinds.bb.0 + 1)
}

#[test]
fn a9_dead_button() {
    let last = Blinds::first(seats(&[1, 2, 3, 4, 5, 6]), Seat(0)).unwrap();
    assert_eq!(numbers(last), (1, 2, 3));
    let cases: [(&[u8], _, _); 4] = [
        (&[1, 3, 4, 5, 6], (2, 3, 4), (3, 4, 5)),
        (&[1, 2, 4, 5, 6], (2, 0, 4), (3, 4, 5)),
        (&[1, 4, 5, 6], (2, 0, 4), (3, 4, 5)),
        (&[2, 3, 4, 5, 6], (2, 3, 4), (3, 4, 5)),
    ];
    for (left, next, after) in cases {
        let left = seats(left);
        let hand = last.next(left).unwrap();
        assert_eq!(numbers(hand), next, "{left:?}");
        assert_eq!(numbers(hand.next(left).unwrap()), after, "{left:?}");
    }
    let empty_button = last.next(seats(&[1, 3, 4, 5, 6])).unwrap();
    assert_eq!(empty_button.last_to_act(seats(&[1, 3, 4, 5, 6])), Some(Seat(0)));
}

#[test]
fn a9_newcomers_wait_between_button_and_small_blind_only() {
    // The button is 1 and the small blind 3: seat 2 is empty.
    let blinds = Blinds { button: Seat(0), sb: Seat(2), bb: Seat(3), sb_posts: true };
    assert!(blinds.waits(Seat(1)));
    for seat in [0, 2, 4, 5] {
        assert!(!blinds.waits(Seat(seat)), "seat index {seat}");
    }
}

#[test]
fn a9_three_to_two() {
    let last = Blinds::first(seats(&[1, 2, 3]), Seat(0)).unwrap();
    for (left, expected) in [([2, 3], (3, 3, 2)), ([1, 3], (3, 3, 1)), ([1, 2], (2, 2, 1))] {
        assert_eq!(numbers(last.next(seats(&left)).unwrap()), expected);
    }
}

#[test]
fn pk_66_dead_button_and_dead_small_blind_in_a_hand() {
    let stacks = json!({"1": 1000, "4": 1000, "5": 1000, "6": 1000});
    let mut state = table([50, 100], "2", &stacks, &json!({"sb": null}));
    faces(&state, "5", 100, 200);
    play(&mut state, "5 call, 6 call, 1 call, 4 check");
    // The first live seat left of the empty button acts first, seat 1 to its right last.
    assert_eq!(legal(&state, "4")["call"], 0);
    play(&mut state, "4 check, 5 check, 6 check");
    assert_eq!(legal(&state, "1")["legal"], json!(["check", "bet"]));
}

#[test]
fn pk_68_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop_only() {
    let mut state = table([50, 100], "7", &json!({"3": 1000, "7": 1000}), &json!({}));
    faces(&state, "7", 50, 200);
    play(&mut state, "7 call, 3 check");
    assert_eq!(legal(&state, "3")["legal"], json!(["check", "bet"]));
}

#[test]
fn pk_73_the_big_blind_posts_the_blind_before_the_ante() {
    let state =
        table([50, 100], "3", &json!({"1": 1000, "2": 130, "3": 1000}), &json!({"ante": ["bb", 100]}));
    let view = Holdem::view(&state, Viewer::Public);
    assert_eq!((view.seats[1].put, view.seats[1].stack, view.pot), (100, 0, Some(180)));
}

#[test]
fn pk_59_the_clock_kills_or_checks_a_hand_that_faces_no_bet() {
    for (ruleset, word, ms) in [("tda-2011", "dead", 70_000), ("tda-2024", "check", 30_000)] {
        let rules = rules(ruleset);
        let stacks = json!({"1": 1000, "2": 1000});
        let header = json!({"button": "1", "blinds": [50, 100], "ante": ["none", 0], "unit": 1,
            "deal": {"holes": holes(&stacks), "board": "DT D2 H3 H8 C6"}, "stacks": stacks});
        let mut state = Holdem::open(&rules, &Holdem::read_start(&rules, &object(&header)).unwrap());
        assert_eq!(Holdem::waiting_for(&state).limit_ms, ms);
        assert_eq!(Holdem::write_action(&Holdem::timeout(&state, Seat(0)).unwrap()).text, "fold");
        play(&mut state, "1 call");
        let action = Holdem::timeout(&state, Seat(1)).unwrap();
        assert_eq!(Holdem::write_action(&action).text, word);
        assert!(Holdem::check(&state, Seat(1), &action).is_ok());
        // An absent player's hand checks when that is free (PK-64).
        assert_eq!(Holdem::write_action(&Holdem::absent(&state, Seat(1)).unwrap()).text, "check");
        assert_eq!(Holdem::timeout(&state, Seat(0)), None);
    }
}

#[test]
fn refusals_have_their_codes() {
    let mut state = table([50, 100], "3", &json!({"1": 1000, "2": 1000, "3": 1000}), &json!({"unit": 10}));
    assert_eq!(refused(&state, "1", "call"), "not_your_turn");
    assert_eq!(refused(&state, "9", "call"), "not_your_turn");
    assert_eq!(refused(&state, "3", "check"), "cannot_check");
    assert_eq!(refused(&state, "3", "bet 300"), "wrong_phase");
    for amount in ["0", "100", "190", "205", "1010", "18446744073709551615", "99999999999999999999999999"] {
        assert_eq!(refused(&state, "3", &format!("raise {amount}")), "bad_amount", "{amount}");
    }
    play(&mut state, "3 call, 1 call");
    assert_eq!(refused(&state, "2", "fold"), "nothing_to_call");
    assert_eq!(refused(&state, "2", "call"), "nothing_to_call");
    play(&mut state, "2 check");
    assert_eq!(refused(&state, "1", "raise 200"), "nothing_to_call");
    assert_eq!(refused(&state, "1", "bet 90"), "bad_amount");
    play(&mut state, "1 bet 100, 2 fold, 3 fold");
    assert_eq!(refused(&state, "1", "check"), "wrong_phase");
    for text in [
        "raise -5",
        "raise 1.5",
        "raise",
        "bet ",
        "bet 0100",
        "raise 1e3",
        "Fold",
        "fold ",
        "",
        "bet  5",
        "raise ١",
    ] {
        assert!(Holdem::read_action(&ActionText::plain(text)).is_err(), "{text}");
    }
}

#[test]
fn all_in_is_a_raise_if_one_is_open_and_else_the_call() {
    let mut state = table([50, 100], "3", &json!({"1": 1000, "2": 170, "3": 80}), &json!({}));
    // For less than the call, written as a total.
    play(&mut state, "3 raise 80, 1 call, 2 all-in");
    // 170 is no full raise, and seat 2 is the last opponent with chips: the call is all there is.
    assert_eq!(legal(&state, "1"), json!({"call": 70, "min": null, "max": null, "legal": ["fold", "call"]}));
    play(&mut state, "1 all-in");
    assert!(Holdem::finished(&state));
    assert_eq!(outcome(&state)["returned"], json!({}));
}

#[test]
fn every_fault_of_a_header_is_listed_at_once() {
    let codes = |header: Value| {
        let rules = rules("tda-2011");
        match Holdem::read_start(&rules, &object(&header)).unwrap_err() {
            StartError::Header(faults) => {
                ("header", faults.into_iter().map(|fault| fault.code).collect::<Vec<_>>())
            }
            StartError::Deal(faults) => ("deal", faults.into_iter().map(|fault| fault.code).collect()),
        }
    };
    let good = json!({"button": "3", "blinds": [50, 100], "ante": ["none", 0], "unit": 50,
        "stacks": {"1": 1000, "2": 1000, "3": 1000},
        "deal": {"holes": {"1": "SA HA", "2": "SK HK", "3": "SQ HQ"}, "board": "D2 D3 D4 D5 D6"}});
    assert!(Holdem::read_start(&rules("tda-2011"), &object(&good)).is_ok());
    let with = |key: &str, value: Value| {
        let mut header = good.clone();
        header[key] = value;
        header
    };
    assert_eq!(codes(with("unit", json!(0))), ("header", vec!["bad_amount"]));
    assert_eq!(codes(with("unit", json!(60))).1.len(), 5);
    assert_eq!(codes(with("stacks", json!({"1": 100}))).1, ["wrong_count"]);
    assert_eq!(
        codes(with("stacks", json!({"1": 100, "2": -1, "3": 1.5, "11": 100}))).1.first(),
        Some(&"bad_amount")
    );
    assert_eq!(codes(with("button", json!("11"))).1, ["bad_seat"]);
    // Going round from the button, the small blind comes first and neither is the button.
    assert_eq!(codes(with("sb", json!("2"))).1, ["bad_blinds"]);
    assert_eq!(codes(with("sb", json!("7"))).1, ["bad_seat"]);
    assert_eq!(codes(with("blinds", json!([200, 100]))).1, ["bad_blinds"]);
    assert_eq!(codes(with("ante", json!(["none", 50]))).1, ["bad_ante"]);
    assert_eq!(codes(with("colour", json!(1))).1, ["unknown_key"]);
    let deal = |board: &str| json!({"holes": {"1": "SA HA", "2": "SK HK", "3": "SQ HQ"}, "board": board});
    assert_eq!(codes(with("deal", deal("D2 D3 D4 D5"))), ("deal", vec!["wrong_count"]));
    assert_eq!(codes(with("deal", deal("D2 D3 D4 D5 SA"))), ("deal", vec!["card_named_twice"]));
    assert_eq!(codes(with("deal", deal("D2 D3 D4 D5 sj"))), ("deal", vec!["not_in_pack"]));
    let missing = json!({"holes": {"1": "SA HA", "2": "SK"}, "board": "D2 D3 D4 D5 D6"});
    assert_eq!(codes(with("deal", missing)), ("deal", vec!["wrong_count", "missing_hole"]));
    let everything = codes(json!({"stacks": {"1": 5, "2": 0}, "button": 3, "deal": {}}));
    assert_eq!(everything.0, "header");
    assert_eq!(everything.1.len(), 7, "{everything:?}");
}

#[test]
fn every_inconsistency_of_a_position_is_listed_at_once() {
    let good = json!({"street": "flop", "board": "S2 D7 CK", "button": "3", "bb": 100, "pot": 600,
        "stacks": {"1": 900, "2": 450, "3": 2000}, "put": {"1": 0, "2": 100, "3": 300}, "last_full_raise": 200,
        "turn": "1"});
    let state = open("tda-2011", &json!({"position": good}));
    faces(&state, "1", 300, 500);
    let broken = json!({"street": "turn", "board": "S2 D7 D7", "button": "12", "bb": 100, "pot": -1,
        "stacks": {"1": 900, "2": 450, "3": 0}, "put": {"1": 0, "5": 100}, "last_full_raise": 50, "turn": "3",
        "folded": ["7"]});
    let rules = rules("tda-2011");
    let Err(StartError::Header(faults)) = Holdem::read_start(&rules, &object(&json!({"position": broken})))
    else {
        panic!("a broken position is refused as a header");
    };
    let codes: Vec<_> = faults.iter().map(|fault| fault.code).collect();
    for code in ["bad_seat", "bad_amount", "card_named_twice", "wrong_count"] {
        assert!(codes.contains(&code), "{code} is not among {codes:?}");
    }
    let mut second = good.clone();
    for (key, value) in
        object(&json!({"turn": "2", "folded": ["2", "3"], "last_full_raise": 900, "unit": 70}))
    {
        second[key] = value;
    }
    let Err(StartError::Header(faults)) = Holdem::read_start(&rules, &object(&json!({"position": second})))
    else {
        panic!("a contradictory position is refused as a header");
    };
    let codes: Vec<_> = faults.iter().map(|fault| fault.code).collect();
    for code in ["bad_turn", "hand_over", "not_a_multiple", "bad_raise"] {
        assert!(codes.contains(&code), "{code} is not among {codes:?}");
    }
}

#[test]
fn a_position_tells_from_the_chips_who_has_acted() {
    let position = |put: Value, turn: &str| {
        json!({"position": {"street": "flop", "board": "S2 D7 CK", "button": "3", "bb": 100, "pot": 600,
        "stacks": {"1": 900, "2": 450, "3": 2000}, "put": put, "last_full_raise": 100, "turn": turn}})
    };
    // Seat 1 bet 100, seat 2 is all-in for 130, seat 3 called: only a call is left.
    let mut value = position(json!({"1": 100, "2": 130, "3": 130}), "1");
    value["position"]["stacks"]["2"] = json!(0);
    assert_eq!(legal(&open("tda-2011", &value), "1")["min"], Value::Null);
    // Seat 1 checked, seat 2 bet 100: seat 3 then seat 1, who may still raise.
    let mut state = open("tda-2011", &position(json!({"1": 0, "2": 100, "3": 0}), "3"));
    faces(&state, "3", 100, 200);
    play(&mut state, "3 call");
    faces(&state, "1", 100, 200);
    play(&mut state, "1 call");
    assert_eq!(Holdem::waiting_for(&state).phase, "turn");
}

#[test]
fn starts_are_written_as_they_are_read() {
    let rules = rules("tda-2011");
    let headers = [
        json!({"button": "2", "blinds": [50, 100], "ante": ["bb", 100], "unit": 50, "sb": null, "bb": "4",
            "stacks": {"1": 1000, "4": 1000, "10": 50},
            "deal": {"holes": {"1": "SA HA", "4": "? ?", "10": "SQ HQ"}, "board": "D2 D3 D4 D5 ?"}}),
        json!({"position": {"street": "preflop", "board": "", "button": "3", "bb": 100, "pot": 0,
            "stacks": {"1": 900, "2": 450, "3": 2000}, "put": {"1": 50, "2": 100, "3": 0}, "last_full_raise": 100,
            "turn": "3", "unit": 50, "folded": ["1"], "acted": ["1"], "holes": {"3": "SA SK"}}}),
    ];
    for header in headers {
        let start = Holdem::read_start(&rules, &object(&header)).unwrap();
        let written = Holdem::write_start(&start);
        assert_eq!(Value::Object(written.clone()), header);
        assert_eq!(Holdem::read_start(&rules, &written).unwrap(), start);
    }
}

#[test]
fn unknown_cards_never_decide_a_showdown() {
    let position = json!({"position": {"street": "river", "board": "S2 D7 CK H3 H4", "button": "2", "bb": 100,
        "pot": 600, "stacks": {"1": 900, "2": 450}, "put": {"1": 0, "2": 0}, "last_full_raise": 100, "turn": "1",
        "holes": {"1": "SA SK"}}});
    let mut state = open("tda-2011", &position);
    play(&mut state, "1 check, 2 check");
    assert!(!Holdem::finished(&state));
    assert!(Holdem::waiting_for(&state).seats.is_empty());
    assert_eq!(outcome(&state)["pots"][0]["amount"], 600);
    assert_eq!(refused(&state, "1", "check"), "wrong_phase");
}

#[test]
fn duplicate_boards_move_the_button_and_reset_the_stacks() {
    let rules = rules("tda-2024");
    let order = Holdem::PACK.cards();
    for number in [1u32, 2, 6, 7] {
        let start = deal_board::<Holdem>(&rules, number, &order).unwrap();
        let header = Holdem::write_start(&start);
        assert_eq!(header["button"], json!(((number - 1) % 6 + 1).to_string()));
        assert_eq!(Holdem::read_start(&rules, &header).unwrap(), start);
        assert!(object(&header["stacks"]).values().all(|stack| *stack == 20000));
    }
    // The first card goes to the left of the button, the button's comes last; a card is burnt before each street.
    let header = Holdem::write_start(&deal_board::<Holdem>(&rules, 1, &order).unwrap());
    assert_eq!(
        (&header["deal"]["holes"]["2"], &header["deal"]["holes"]["1"]),
        (&json!("S2 S8"), &json!("S7 SK"))
    );
    assert_eq!(header["deal"]["board"], "H2 H3 H4 H6 H8");
}
