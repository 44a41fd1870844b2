//! PHH: recorded hands to PHH and back, hands of other programs, refusals with their lines.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;

use fushi::games::holdem::phh::{Notes, read, write, write_many};
use fushi::games::holdem::{Action, Holdem, Rules, Start};
use fushi::games::{ActionText, Game, Seat, StartError, Viewer, rulesets};
use fushi::journal::phh::records;
use fushi::journal::replay::replay_any;
use fushi::words::Lang;
use serde_json::{Value, json};

use crate::holdem::{GameRng, hands, open, random_action, random_kill, random_start};

/// The actions of a recorded hand.
fn actions(hand: &Value) -> Vec<(Seat, Action)> {
    let (rules, start) = open(hand);
    let mut state = Holdem::open(&rules, &start);
    let mut actions = Vec::new();
    for step in hand["steps"].as_array().unwrap() {
        let seat = Seat(u8::try_from(step[1].as_u64().unwrap()).unwrap());
        let raise =
            Holdem::legal_listing(&state, seat, 9)["legal"].as_array().unwrap().contains(&json!("raise"));
        let text = match step[5].as_str().unwrap() {
            "f" => "fold".to_owned(),
            "k" => "check".to_owned(),
            "c" => "call".to_owned(),
            _ => format!("{} {}", if raise { "raise" } else { "bet" }, step[6]),
        };
        let action = Holdem::read_action(&ActionText::plain(text)).unwrap();
        let effect = Holdem::check(&state, seat, &action).unwrap();
        Holdem::apply(&mut state, effect);
        actions.push((seat, action));
    }
    actions
}

fn replayed(text: &str) -> Vec<Value> {
    records(text)
        .into_iter()
        .map(|(number, record)| match record.and_then(|raw| replay_any(&raw)) {
            Ok(answer) => Value::Object(answer.replay_answer(number)),
            Err(failure) => Value::Object(failure.to_json(number, Lang::En)),
        })
        .collect()
}

#[test]
fn recorded_hands_go_to_phh_and_back() {
    let mut texts = Vec::new();
    let hands = hands();
    for hand in &hands {
        let (rules, start) = open(hand);
        let actions = actions(hand);
        let notes = Notes { hand: Some(hand["id"].to_string()), ..Notes::default() };
        let text = write(&rules, &start, &actions, &notes).unwrap();
        let [(1, Ok(back))] = &read(&text)[..] else { panic!("{text}") };
        assert_eq!(back.rules.name, "tda-2024");
        // Undealt cards are not written.
        let (mut expected, mut found) = (Holdem::write_start(&start), Holdem::write_start(&back.start));
        let board = expected["deal"]["board"].as_str().unwrap();
        let dealt = usize::try_from(hand["dealt"].as_u64().unwrap()).unwrap();
        let words = board.split(' ').take(dealt).chain(["?"; 5]).take(5).collect::<Vec<_>>();
        expected["deal"]["board"] = words.join(" ").into();
        // Who mucked gave up the pot, whatever he held.
        found["deal"].as_object_mut().unwrap().shift_remove("mucked");
        assert_eq!(found, expected);
        assert_eq!(back.name, Some(hand["id"].to_string()));
        texts.push(text);
    }
    // All of them as one file: replayed, with `finishing_stacks` compared.
    let answers = replayed(&write_many(&texts));
    assert_eq!(answers.len(), hands.len());
    for (answer, hand) in answers.iter().zip(&hands) {
        assert_eq!(answer["ok"], true, "{answer}");
        assert_eq!(answer["board"], hand["id"].to_string());
        let stacks: Vec<&Value> = answer["outcome"]["stacks"].as_object().unwrap().values().collect();
        assert_eq!(json!(stacks), hand["final"]);
    }
}

#[test]
fn seats_go_clockwise_from_the_left_of_the_button() {
    let rules = fushi::games::rulesets::default::<Holdem>().unwrap();
    let header = json!({"button": "4", "blinds": [50, 100], "ante": ["bb", 100], "unit": 50, "sb": null,
        "stacks": {"2": 1000, "5": 2000, "9": 3000},
        "deal": {"holes": {"2": "SA HA", "5": "SK HK", "9": "SQ HQ"}, "board": "D2 D3 D4 D5 ?"}});
    let start: Start = Holdem::read_start(&rules, header.as_object().unwrap()).unwrap();
    let text = write(&rules, &start, &[(Seat(8), Action::Fold), (Seat(1), Action::Fold)], &Notes::default())
        .unwrap();
    assert!(text.contains("seats = [5, 9, 2]"), "{text}");
    assert!(text.contains("starting_stacks = [2000, 3000, 1000]"), "{text}");
    assert!(text.contains("blinds_or_straddles = [100, 0, 0]"), "{text}");
    assert!(text.contains("antes = [100, 0, 0]"), "{text}");
    let answer = &replayed(&text)[0];
    assert_eq!(answer["outcome"]["stacks"], json!({"1": 2000, "2": 3000, "3": 1000}));
}

/// Rulesets of an event's own, some under a name of their own.
fn own_rulesets() -> Vec<Arc<Rules>> {
    let own = |changes: Value| rulesets::overridden::<Holdem>(changes.as_object().unwrap()).unwrap();
    let clock = json!({"decide_ms": 20000, "countdown_ms": 7, "facing_no_bet": "check"});
    vec![
        rulesets::shipped::<Holdem>("tda-2011").unwrap(),
        rulesets::shipped::<Holdem>("tda-2024").unwrap(),
        own(json!({"base": "tda-2011", "name": "Club \"七\" '11", "big_blind_ante": "ante-first",
            "odd_chips": "all-to-first", "clock": clock})),
        own(
            json!({"base": "tda-2024", "name": "club", "preflop_betting": "pot-limit", "short_all_ins": "each-alone"}),
        ),
        own(
            json!({"base": "tda-2024", "all_in_cards": "in-turn", "show_first": "left-of-button", "pot_shown": false}),
        ),
    ]
}

#[test]
fn hands_of_every_ruleset_ante_and_unit_go_to_phh_and_back_killed_hands_too() {
    let mut chance = GameRng(0xa076_1d64_78bd_642f);
    let mut pack = Holdem::PACK.cards();
    let (mut written, mut killed, mut texts, mut ends) = (0, 0, Vec::new(), Vec::new());
    for number in 0..400 {
        for rules in own_rulesets() {
            let start = random_start(&rules, &mut chance, &mut pack);
            let mut state = Holdem::open(&rules, &start);
            let mut actions = Vec::new();
            while let Some(turn) = Holdem::waiting_for(&state).seats.iter().next() {
                if chance.below(12) == 0 {
                    if let Some(seat) = random_kill(&mut state, &mut chance) {
                        actions.push((seat, Action::Dead));
                        killed += 1;
                    }
                    continue;
                }
                let mut text = random_action(&state, turn, &mut chance);
                let max = Holdem::bounds(&state, turn).unwrap().raise.map(|(_, max)| max);
                let all = Holdem::view(&state, Viewer::Public).seats.into_iter();
                let all = all.map(|seat| (seat.seat, seat.put + seat.stack)).collect::<BTreeMap<_, _>>();
                if text == "all-in" && max < all.get(Holdem::seat_name(turn).unwrap()).copied() {
                    text = format!("raise {}", max.unwrap());
                }
                let action = Holdem::read_action(&ActionText::plain(text)).unwrap();
                let effect = Holdem::check(&state, turn, &action).unwrap();
                Holdem::apply(&mut state, effect);
                actions.push((turn, action));
            }
            // A dead big blind cannot be said in PHH.
            let Ok(text) = write(&rules, &start, &actions, &Notes::default()) else { continue };
            written += 1;
            let [(1, Ok(back))] = &read(&text)[..] else { panic!("{number}: {text}") };
            assert_eq!(back.rules, rules, "{text}");
            assert_eq!(back.refused, None, "{text}");
            assert_eq!(back.remarks, [], "{text}");
            let dead =
                |lines: &[(Seat, Action)]| lines.iter().filter(|(_, one)| *one == Action::Dead).count();
            let found = back.lines.iter().filter(|line| line.official).count();
            assert_eq!((back.lines.len(), found), (actions.len(), dead(&actions)), "{text}");
            let stacks: Vec<u64> =
                order(&start).map(|seat| Holdem::outcome(&state).stacks.amounts[seat.index()]).collect();
            ends.push((stacks, dead(&actions)));
            texts.push(text);
        }
    }
    assert!(written > 1_500 && killed > 500, "{written} hands, {killed} killed");
    for (answer, (stacks, dead)) in replayed(&write_many(&texts)).iter().zip(&ends) {
        assert_eq!((&answer["ok"], &answer["finished"]), (&json!(true), &json!(true)), "{answer}");
        let found: Vec<&Value> = answer["outcome"]["stacks"].as_object().unwrap().values().collect();
        assert_eq!(json!(found), json!(stacks), "{dead} killed");
    }
}

/// The seats in the order of a PHH file.
fn order(start: &Start) -> impl Iterator<Item = Seat> + use<> {
    let button: u8 = Holdem::write_start(start)["button"].as_str().unwrap().parse().unwrap();
    let seats = start.seats();
    (0..10).map(move |step| Seat((button + step) % 10)).filter(move |seat| seats.contains(*seat))
}

#[test]
fn a_ruleset_that_no_one_can_know_or_read_is_refused() {
    let codes = |ruleset: &str| {
        let text = CASH.replace("players =", &format!("_ruleset = {ruleset}\nplayers ="));
        match read(&text).remove(0) {
            (_, Err(StartError::Header(faults))) => faults[0].code,
            (_, other) => panic!("{other:?}"),
        }
    };
    assert_eq!(codes("\"my club\""), "unknown_ruleset");
    assert_eq!(codes("3"), "bad_ruleset");
    assert_eq!(codes("{ name = \"x\" }"), "no_base");
    assert_eq!(codes("{ base = \"tda-2011\", odd_chip = \"x\" }"), "unknown_field");
}

const CASH: &str = r##"# A cash hand in dollars and cents.
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [0.25, 0.50, 0]
min_bet = 0.5
starting_stacks = [50.0, 20.10, 100]
actions = [
  "d dh p1 ????",
  "d dh p2 AcAd",
  "d dh p3 ????",  # the button
  "p3 cbr 1.50 # opens",
  "p1 f",
  "p2 cbr 20.10",
  "",
  "p3 cc",
  "# turned up",
  "p2 sm AcAd",
  "p3 sm KcKd",
  "d db 2h3h4h",
  "d db 9s",
  "d db Ks",
]
finishing_stacks = [49.75, 0, 120.35]
players = ["A", "B", "C"]
currency = "USD"
"##;

#[test]
fn cash_amounts_are_exact_and_comments_are_no_actions() {
    let answer = &replayed(CASH)[0];
    assert_eq!(answer["ok"], true, "{answer}");
    assert_eq!(answer["outcome"]["stacks"], json!({"1": 4975, "2": 0, "3": 12035}));
    assert_eq!(answer["scores"], json!({"1": -25, "2": -2010, "3": 2035}));
}

#[test]
fn rake_may_make_a_winner_poorer_and_nobody_else() {
    let raked = CASH.replace("120.35", "118.35");
    assert_eq!(replayed(&raked)[0]["ok"], true);
    for wrong in [
        CASH.replace("120.35", "120.36"),
        CASH.replace("49.75", "49.70"),
        CASH.replace("[49.75, 0,", "[49.75, 1,"),
    ] {
        let answer = &replayed(&wrong)[0];
        assert_eq!((&answer["ok"], &answer["reason"]), (&json!(false), &json!("malformed")), "{answer}");
        assert!(answer["message"].as_str().unwrap().contains("finishing_stacks"));
    }
}

#[test]
fn refusals_name_the_line_of_the_file() {
    let cases = [
        ("p1 f\",", "p1 cc\",", 19, "malformed"),
        ("p3 cbr 1.50 # opens", "p3 cbr 0.75", 11, "bad_amount"),
        ("p3 cc\",", "p3 cbr 140\",", 15, "not_reopened"),
        ("p1 f\",", "p2 f\",", 12, "not_your_turn"),
        ("p1 f\",", "p1 fold\",", 12, "malformed"),
        ("p2 cbr 20.10", "p2 cbr 20.101", 13, "bad_amount"),
        ("d db 2h3h4h", "d db 2h3h", 19, "malformed"),
    ];
    for (old, new, line, reason) in cases {
        let text = CASH.replacen(old, new, 1);
        assert_ne!(text, CASH);
        let answer = &replayed(&text)[0];
        assert_eq!((&answer["line"], &answer["reason"]), (&json!(line), &json!(reason)), "{new}: {answer}");
    }
}

#[test]
fn board_cards_come_when_the_betting_is_over_and_before_it_goes_on() {
    let flop = "  \"d db 2h3h4h\",\n";
    let early = CASH.replace(flop, "").replace("  \"p1 f\",\n", &format!("{flop}  \"p1 f\",\n"));
    let answer = &replayed(&early)[0];
    assert_eq!((&answer["line"], &answer["reason"]), (&json!(12), &json!("malformed")), "{answer}");
    let text = r#"variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 2000]
actions = ["p2 cc", "p1 cc",
  "p1 cc"]
"#;
    let answer = &replayed(text)[0];
    assert_eq!((&answer["line"], &answer["reason"]), (&json!(7), &json!("malformed")), "{answer}");
}

#[test]
fn other_variants_are_refused_by_name_and_bad_headers_listed() {
    let faults = |text: &str| match read(text).remove(0) {
        (_, Err(StartError::Header(faults) | StartError::Deal(faults))) => faults,
        (_, Ok(hand)) => panic!("{hand:?}"),
    };
    let omaha = faults(&CASH.replace("\"NT\"", "\"PO\""));
    assert!(omaha[0].message.contains("pot-limit Omaha"), "{omaha:?}");
    assert!(faults(&CASH.replace("\"NT\"", "\"XX\""))[0].message.contains("XX"));
    assert_eq!(faults(&CASH.replace("0.50, 0]", "0.50, 1]"))[0].code, "straddle");
    assert_eq!(faults(&CASH.replace("antes = [0, 0, 0]", "antes = [0, 0, 1]"))[0].code, "bad_ante");
    assert_eq!(faults(&CASH.replace("min_bet = 0.5", "min_bet = 1"))[0].code, "bad_blinds");
    assert_eq!(faults(&CASH.replace("[50.0,", "[inf,"))[0].code, "bad_amount");
    assert_eq!(faults(&CASH.replace("KcKd", "AcKd"))[0].code, "card_named_twice");
    assert_eq!(faults(&CASH.replace("p2 sm AcAd", "p2 sm AcAh"))[0].code, "other_cards");
    assert_eq!(
        faults(&CASH.replace("antes = [0, 0, 0]\n", "antes = [0, 0]\n_x = 1\n"))[0].code,
        "wrong_count"
    );
    assert_eq!(faults("variant = \"NT\"\n").len(), 5);
    assert_eq!(faults("variant = \n")[0].code, "bad_toml");
    assert_eq!(faults("")[0].code, "other_variant");
}

#[test]
fn unknown_cards_are_allowed_where_the_hand_can_be_checked() {
    let mucked = CASH.replace("p3 sm KcKd", "p3 sm").replace("[49.75, 0, 120.35]", "[49.75, 40.45, 79.9]");
    // Somebody is all-in and nobody may muck (PK-33); but what nobody knows cannot win.
    let answer = &replayed(&mucked)[0];
    assert_eq!((&answer["ok"], &answer["finished"]), (&json!(true), &json!(true)), "{answer}");
    // Neither shown nor mucked: the showdown is open.
    let open = CASH.replace("  \"p3 sm KcKd\",\n", "");
    let answer = &replayed(&open)[0];
    assert_eq!((&answer["ok"], &answer["finished"]), (&json!(true), &json!(false)), "{answer}");
}

#[test]
fn heads_up_the_forced_bets_are_listed_the_other_way_round() {
    let text = r#"
variant = "NT"
antes = [0, 100]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 2000]
actions = ["d dh p1 2c2d", "d dh p2 3c3d", "p2 cbr 300", "p1 f"]
finishing_stacks = [800, 2200]
"#;
    let answer = &replayed(text)[0];
    assert_eq!(answer["ok"], true, "{answer}");
}

#[test]
fn hands_that_break_off_are_unfinished() {
    let text = CASH.split("  \"p2 cbr").next().unwrap().to_owned() + "]\n";
    let answer = &replayed(&text)[0];
    assert_eq!((&answer["finished"], &answer["turn"]), (&json!(false), &json!("2")), "{answer}");
}

#[test]
fn the_commands_read_phh_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hands.PHHS");
    let partial = CASH.split("  \"p2 cbr").next().unwrap().to_owned() + "]\n";
    let bad = CASH.replace("p1 f", "p2 f");
    std::fs::write(&path, format!("[2]\n{bad}\n[1]\n{partial}\n[10]\n{CASH}")).unwrap();
    let run = |command: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_fushi"))
            .args([command, "--format", "json", path.to_str().unwrap()])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (
            output.status.code(),
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>(),
        )
    };
    let (code, answers) = run("replay");
    assert_eq!(code, Some(1));
    let ok: Vec<&Value> = answers.iter().map(|answer| &answer["ok"]).collect();
    assert_eq!(json!(ok), json!([false, true, true]), "in the order of the file");
    assert_eq!((&answers[0]["record"], &answers[0]["line"]), (&json!(1), &json!(13)));
    let (_, answers) = run("legal");
    assert_eq!(
        answers[1],
        json!({"record": 2, "seat": "2", "call": 100, "min": 250, "max": 2010,
        "legal": ["fold", "call", "raise"]})
    );
}
