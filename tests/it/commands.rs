//! What `replay`, `legal`, `export` and the rest of the commands answer, on the real program and on its records.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use fushi::journal::phh;
use fushi::journal::record::Records;
use fushi::journal::replay::replay_any;
use fushi::words::Lang;
use serde_json::{Value, json};

fn fushi(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(args)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads nothing may be gone before.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The answers to the records of a text, in a language.
fn told(records: &str, lang: Lang) -> Vec<Value> {
    Records::new(records.as_bytes())
        .map(|raw| {
            let raw = raw.unwrap();
            match replay_any(&raw) {
                Ok(answer) => Value::Object(answer.replay_answer(raw.number)),
                Err(failure) => Value::Object(failure.to_json(raw.number, lang)),
            }
        })
        .collect()
}

fn answers(records: &str) -> Vec<Value> {
    told(records, Lang::En)
}

/// A hold'em record of three seats: header keys over the usual ones, and action lines.
fn hand(header: &Value, lines: &[Value]) -> String {
    let mut object = json!({"fushi": 1, "game": "holdem", "ruleset": "tda-2011", "button": "3", "blinds": [50, 100],
        "ante": ["none", 0], "unit": 1, "stacks": {"1": 1000, "2": 1000, "3": 1000},
        "deal": {"holes": {"1": "SA HA", "2": "SK HK", "3": "SQ HQ"}, "board": "D2 C3 D7 C8 ST"}});
    for (key, value) in header.as_object().unwrap() {
        object[key] = value.clone();
    }
    lines.iter().fold(format!("{object}\n"), |text, line| text + &line.to_string() + "\n")
}

fn act(seat: &str, action: &str) -> Value {
    json!({"seat": seat, "do": action})
}

fn checked_down() -> Vec<Value> {
    let before = [act("3", "call"), act("1", "call"), act("2", "check")];
    let street = ["1", "2", "3"].map(|seat| act(seat, "check"));
    before.into_iter().chain((0..3).flat_map(|_| street.clone())).collect()
}

#[test]
fn pk33_and_pk39_nobody_mucks_a_hand_that_is_turned_up_for_an_all_in() {
    let deal = json!({"holes": {"1": "SA HA", "2": "SK HK", "3": "SQ HQ"}, "board": "D2 C3 D7 C8 ST", "mucked": ["1"]});
    let all_in = [act("3", "all-in"), act("1", "all-in"), act("2", "all-in")];
    let answer = &answers(&hand(&json!({"deal": deal}), &all_in))[0];
    assert_eq!(answer["scores"], json!({"1": 2000, "2": -1000, "3": -1000}), "{answer}");
    assert_eq!(answer["outcome"]["shown"], json!(["3", "1", "2"]));
    let in_turn =
        json!({"deal": deal, "ruleset": null, "rules": {"base": "tda-2011", "all_in_cards": "in-turn"}});
    let text = hand(&in_turn, &all_in).replace("\"ruleset\":null,", "");
    assert_eq!(answers(&text)[0]["scores"]["1"], -1000, "where hands are shown in turn he may");
}

#[test]
fn pk37_the_last_live_hand_wins_unseen() {
    let unknown = |mucked: Value| json!({"deal": {"holes": {"1": "? ?", "2": "? ?", "3": "? ?"}, "board": "D2 C3 D7 C8 ST", "mucked": mucked}});
    let answer = &answers(&hand(&unknown(json!(["1", "3"])), &checked_down()))[0];
    assert_eq!((&answer["finished"], &answer["outcome"]["shown"]), (&json!(true), &json!([])), "{answer}");
    assert_eq!(answer["scores"], json!({"1": -100, "2": 200, "3": -100}));
    let known = json!({"deal": {"holes": {"1": "? ?", "2": "SK HK", "3": "? ?"}, "board": "D2 C3 D7 C8 ST",
        "mucked": ["1", "3"]}});
    assert_eq!(
        answers(&hand(&known, &checked_down()))[0]["outcome"]["shown"],
        json!([]),
        "nobody has seen it"
    );
    let answer = &answers(&hand(&unknown(json!(["1", "2", "3"])), &checked_down()))[0];
    assert_eq!(answer["scores"]["3"], 200, "of all the last in the order of the showdown");
    let answer = &answers(&hand(&unknown(json!(["1"])), &checked_down()))[0];
    assert_eq!(answer["finished"], false, "two live hands that nobody knows");
}

#[test]
fn only_the_clock_and_a_referee_say_that_a_hand_is_dead() {
    let limped = |last: Value| hand(&json!({}), &[act("3", "call"), act("1", "call"), last]);
    let dead = |by: &str| json!({"seat": "2", "do": "dead", "by": by});
    let answer = &answers(&limped(act("2", "dead")))[0];
    assert_eq!((&answer["reason"], &answer["line"]), (&json!("nothing_to_call"), &json!(4)));
    assert_eq!(answer["message"], "Only the clock or a referee says that a hand is dead: check.");
    assert_eq!(answers(&limped(dead("referee")))[0]["ok"], true);
    assert_eq!(answers(&limped(dead("clock")))[0]["ok"], true, "tda-2011: the hand is dead");
    let other = limped(dead("clock")).replace("tda-2011", "tda-2024");
    assert_eq!(answers(&other)[0]["reason"], "wrong_time_out", "tda-2024: it is checked");
    // A referee does not wait for the seat's turn (PK-62); a player has none to wait for, the clock only its own.
    let early =
        |by: Value| hand(&json!({}), &[json!({"seat": "1", "do": "dead", "by": by}), act("3", "call")]);
    let answer = &answers(&early(json!("referee")))[0];
    assert_eq!((&answer["ok"], &answer["turn"]), (&json!(true), &json!("2")), "{answer}");
    assert_eq!(answers(&early(Value::Null))[0]["reason"], "not_your_turn");
    assert_eq!(answers(&early(json!("clock")))[0]["reason"], "wrong_time_out");
    let facing = hand(&json!({}), &[act("3", "dead")]);
    assert!(answers(&facing)[0]["message"].as_str().unwrap().ends_with("write fold."));
}

#[test]
fn the_clock_does_only_what_the_rules_give_it_and_time_never_runs_back() {
    let by_clock = |action: &str| json!({"seat": "3", "do": action, "by": "clock", "at": 10});
    let answer = &answers(&hand(&json!({}), &[by_clock("raise 500")]))[0];
    assert_eq!((&answer["reason"], &answer["line"]), (&json!("wrong_time_out"), &json!(2)));
    assert!(answer["message"].as_str().unwrap().contains("`fold`"), "{answer}");
    let late = json!({"seat": "1", "do": "fold", "at": 5});
    let answer = &answers(&hand(&json!({}), &[by_clock("fold"), late]))[0];
    assert_eq!((&answer["reason"], &answer["line"]), (&json!("time_runs_back"), &json!(3)));
    assert_eq!(answers(&hand(&json!({}), &[by_clock("fold")]))[0]["ok"], true);
    let wakeng = "{\"fushi\":1,\"game\":\"wakeng\",\"ruleset\":\"wakeng-bomb\",\"position\":{\"banker\":\"A\",\"bid\":2,\
                  \"hands\":{\"A\":\"H4 S4\",\"B\":\"C5 D5\",\"C\":\"C6\"},\"trick\":[],\"turn\":\"A\"}}\n\
                  {\"seat\":\"A\",\"do\":\"play H4 S4\",\"by\":\"clock\"}\n";
    assert_eq!(answers(wakeng)[0]["reason"], "wrong_time_out", "every game: {}", answers(wakeng)[0]);
}

#[test]
fn advice_in_refusals_can_be_followed() {
    let message = |text: &str| answers(text)[0]["message"].as_str().unwrap().to_owned();
    let limped = hand(&json!({}), &[act("3", "call"), act("1", "call"), act("2", "call")]);
    assert_eq!(message(&limped), "There is nothing to call: check or raise.");
    let short = hand(
        &json!({"stacks": {"1": 1000, "2": 130, "3": 1000}}),
        &[
            act("3", "call"),
            act("1", "call"),
            act("2", "check"),
            act("1", "check"),
            act("2", "all-in"),
            act("3", "call"),
            act("1", "check"),
        ],
    );
    assert_eq!(message(&short), "You cannot check: call 30 or fold.");
    let header = json!({"ante": ["xx", -3], "stacks": {"1": 1000, "2": -5, "3": 0}});
    let told = answers(&hand(&header, &[]))[0].clone();
    let codes: Vec<&str> =
        told["problems"].as_array().unwrap().iter().map(|fault| fault["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["bad_ante", "bad_amount", "bad_amount", "no_chips"], "each fault once: {told}");
    assert!(told["message"].as_str().unwrap().contains("seat 3 has no chips"));
}

#[test]
fn holdem_positions_that_no_betting_leads_to_are_refused() {
    let codes = |put: Value, turn: &str, full: u64, more: Value| {
        let mut position = json!({"street": "flop", "board": "S2 D7 CK", "button": "3", "bb": 100, "pot": 600,
            "stacks": {"1": 900, "2": 450, "3": 2000}, "put": put, "last_full_raise": full, "turn": turn});
        for (key, value) in more.as_object().unwrap() {
            position[key] = value.clone();
        }
        let record = json!({"fushi": 1, "game": "holdem", "ruleset": "tda-2011", "position": position});
        let answer = answers(&format!("{record}\n"))[0].clone();
        let faults = answer["problems"].as_array().cloned().unwrap_or_default();
        faults.iter().map(|fault| fault["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let put = |one: u64, two: u64, three: u64| json!({"1": one, "2": two, "3": three});
    let none = || json!({});
    assert_eq!(codes(put(100, 100, 100), "1", 100, none()), "bad_turn", "everybody has called");
    assert_eq!(codes(put(100, 150, 0), "3", 100, none()), "bad_bet", "a raise of 50");
    assert_eq!(codes(put(40, 100, 0), "3", 100, none()), "bad_bet bad_bet", "a bet of 40, a raise of 60");
    assert_eq!(codes(put(0, 0, 100), "2", 100, none()), "bad_turn", "seat 1 has not answered");
    assert_eq!(codes(put(100, 0, 0), "3", 100, none()), "bad_turn", "seat 2 has not answered");
    assert_eq!(codes(put(100, 300, 0), "3", 300, none()), "bad_raise", "the last raise was 200");
    for (put, turn, full, more) in [
        (put(0, 0, 0), "1", 100, none()),
        (put(0, 0, 0), "3", 100, none()),
        (put(100, 300, 0), "3", 200, none()),
        (put(0, 0, 100), "1", 100, none()),
        (put(0, 100, 100), "1", 100, none()),
        (put(100, 0, 0), "3", 100, json!({"folded": ["2"]})),
        (put(100, 150, 0), "3", 100, json!({"stacks": {"1": 900, "2": 0, "3": 2000}})),
        (put(40, 100, 0), "3", 100, json!({"stacks": {"1": 0, "2": 450, "3": 2000}})),
        (put(100, 100, 100), "2", 100, json!({"street": "preflop", "board": ""})),
        (put(50, 100, 100), "1", 100, json!({"street": "preflop", "board": ""})),
        (put(50, 100, 300), "1", 200, json!({"street": "preflop", "board": ""})),
    ] {
        assert_eq!(codes(put.clone(), turn, full, more), "", "{put} {turn}");
    }
}

#[test]
fn pots_of_an_unfinished_hand_hold_what_may_still_be_called() {
    let raised = hand(&json!({}), &[act("3", "raise 300")]);
    let pots = answers(&raised)[0]["outcome"]["pots"].clone();
    assert_eq!(pots, json!([{"amount": 450, "eligible": ["1", "2", "3"], "shares": {}}]));
    let short = json!({"stacks": {"1": 120, "2": 1000, "3": 1000}});
    let lines = [act("3", "raise 300"), act("1", "all-in"), act("2", "call"), act("2", "bet 200")];
    let pots = answers(&hand(&short, &lines))[0]["outcome"]["pots"].clone();
    assert_eq!(
        pots,
        json!([{"amount": 360, "eligible": ["1", "2", "3"], "shares": {}},
            {"amount": 560, "eligible": ["2", "3"], "shares": {}}])
    );
}

const PHH: &str = "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = [50, 100, 0]\nmin_bet = 100\n\
                   starting_stacks = [1000, 1000, 1000]\n";
const SHOWN: &str = "actions = ['d dh p1 AsKs', 'd dh p2 QhQd', 'd dh p3 2c7d', 'p3 f', 'p1 cbr 300', 'p2 cc', \
                     'd db ThJc5h', 'p1 cc', 'p2 cbr 300', 'p1 cc', 'd db 2d', 'p1 cc', 'p2 cc', 'd db 3s', 'p1 cc', \
                     'p2 cc', 'p1 sm AsKs', 'p2 sm QhQd']\n";

fn phh_answers(text: &str) -> Vec<Value> {
    phh::hands(text)
        .into_iter()
        .map(|(number, record, _)| match record.and_then(|raw| replay_any(&raw)) {
            Ok(answer) => Value::Object(answer.replay_answer(number)),
            Err(failure) => Value::Object(failure.to_json(number, Lang::En)),
        })
        .collect()
}

#[test]
fn phh_mucks_follow_pk33_pk37_and_pk39() {
    let last = |actions: &str| phh_answers(&format!("{PHH}actions = [{actions}]\n"))[0].clone();
    let all_in = "'d dh p1 AsAh', 'd dh p2 QhQd', 'd dh p3 2c7d', 'p3 cbr 1000', 'p1 cc', 'p2 f', 'd db ThJc5h', \
                  'd db 9d', 'd db 3s', 'p3 sm 2c7d', 'p1 sm'";
    // Cards speak: the muck changes nothing.
    let answer = last(all_in);
    assert_eq!((&answer["ok"], &answer["scores"]["1"]), (&json!(true), &json!(1100)), "{answer}");
    let checked = "'d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 f', 'p1 cbr 300', 'p2 cc', 'd db ThJc5h', 'p1 cc', \
                   'p2 cc', 'd db 2d', 'p1 cc', 'p2 cc', 'd db 3s', 'p1 cc', 'p2 cc'";
    let answer = last(&format!("{checked}, 'p1 sm'"));
    assert_eq!((&answer["finished"], &answer["scores"]["2"]), (&json!(true), &json!(300)), "{answer}");
    let answer = last(&format!("{checked}, 'p1 sm', 'p2 sm'"));
    assert!(answer["message"].as_str().unwrap().contains("PK-37"), "{answer}");
    let answer = last(&format!("{checked}, 'p1 sm AsAh', 'p1 sm'"));
    assert!(answer["message"].as_str().unwrap().contains("PK-39"), "{answer}");
}

#[test]
fn phh_is_checked_to_the_last_key() {
    let with = |more: &str| phh_answers(&format!("{PHH}{SHOWN}{more}\n"))[0].clone();
    assert_eq!(with("finishing_stacks = [400, 1600, 1000]\nwinnings = [0, 1200, 0]")["ok"], true);
    assert_eq!(with("_mine = 1\nlevel = 3\nseats = [4, 5, 6]\nseat_count = 6\ntime = 12:00:00")["ok"], true);
    for (more, word) in [
        ("finishing_stack = [1, 2, 3]", "did you mean `finishing_stacks`"),
        ("finishing_stacks = [400, 1400, 1000]", "currency"),
        ("currency = 'USD'\nfinishing_stacks = [400, 100, 1000]", "p2"),
        ("currency = 'USD'\nfinishing_stacks = [300, 1600, 1000]", "p1"),
        ("winnings = [0, 1300, 0]", "winnings"),
        ("winnings = [1200, 0, 0]", "winnings"),
        ("seats = [4, 4, 6]", "seat 4 has two players"),
        ("seats = [4, 5]", "3 seat numbers"),
        ("seat_count = 2", "at least 3"),
        ("seats = [1, 2, 9]\nseat_count = 6", "no seat 9"),
    ] {
        let answer = with(more);
        assert_eq!(answer["ok"], false, "{more}");
        assert!(answer["message"].as_str().unwrap().contains(word), "{more}: {answer}");
    }
}

#[test]
fn a_phhs_file_is_answered_in_its_own_order_and_line_by_line() {
    let hand = format!("{PHH}{SHOWN}");
    let several =
        format!("[10]\n{hand}hand = 10\n\n[2]\n{}hand = 2\n", hand.replace("cbr 300', 'p2 cc'", "cbr 3'"));
    let told = phh_answers(&several);
    assert_eq!(told[0]["board"], "10");
    assert_eq!(
        (&told[1]["ok"], &told[1]["line"], &told[1]["record"]),
        (&json!(false), &json!(16), &json!(2))
    );
    // Looking up a line must not count the whole file: this many hands would take minutes.
    let many: Vec<String> = (1..=3000).map(|number| format!("[{number}]\n{hand}")).collect();
    let many = many.concat();
    let read = phh::hands(&many);
    assert_eq!(read.len(), 3000);
    assert_eq!(read.last().unwrap().1.as_ref().unwrap().line, 2999 * 7 + 1);
}

#[test]
fn phh_answers_name_the_unit_the_rake_and_the_action_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let cents = "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = [0.5, 1.0, 0]\nmin_bet = 1.0\n\
                 starting_stacks = [100.0, 100.0, 100.0]\n";
    let refused =
        format!("{cents}actions = ['d dh p1 AsKs', 'd dh p2 QhQd', 'd dh p3 2c7d', 'p3 cbr 1.25']\n");
    std::fs::write(folder.path().join("cents.phh"), refused).unwrap();
    let output = fushi(folder.path(), &["replay", "cents.phh", "--format", "json"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["phh"], json!({"unit": "0.01", "action": 4, "text": "p3 cbr 1.25"}));
    let line = text(&fushi(folder.path(), &["replay", "cents.phh"], "").stderr);
    assert!(line.contains("action 4, p3 cbr 1.25:") && line.contains("in units of 0.01"), "{line}");
    let raked = SHOWN.replace("cbr 300", "cbr 3.00");
    let raked = format!("{cents}{raked}currency = 'USD'\nfinishing_stacks = [94.0, 105.75, 100.0]\n");
    std::fs::write(folder.path().join("raked.phh"), raked).unwrap();
    let output = fushi(folder.path(), &["replay", "raked.phh", "--format", "json"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["phh"], json!({"unit": "0.01", "rake": "0.25"}), "{answer}");
    std::fs::write(folder.path().join("latin.phh"), b"variant = 'NT'\nevent = '\xe9'\n").unwrap();
    let output = fushi(folder.path(), &["replay", "latin.phh", "--format", "json"], "");
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["ok"], false);
    assert!(answer["message"].as_str().unwrap().contains("line 2 is not UTF-8"), "{answer}");
}

/// What `replay` prints for a file on standard input.
fn replayed(input: &str, more: &[&str]) -> (Option<i32>, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    let output = fushi(folder.path(), &[&["replay", "-", "--format", "json"], more].concat(), input);
    let lines = text(&output.stdout);
    (output.status.code(), lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn standard_input_is_read_as_what_it_is() {
    let one = format!("# a hand\n\n{PHH}{SHOWN}");
    assert_eq!(replayed(&one, &[]).1[0]["scores"], json!({"1": -600, "2": 600, "3": 0}));
    let several = format!("\u{feff}# hands\n[1]\n{PHH}{SHOWN}\n[2]\n{PHH}{SHOWN}");
    let (code, told) = replayed(&several, &[]);
    assert_eq!((code, told.len(), &told[1]["record"]), (Some(0), 2, &json!(2)));
    let record = hand(&json!({}), &[act("3", "fold")]);
    assert_eq!(replayed(&format!("\n{record}"), &[]).1[0]["turn"], "1");
    // What is neither is answered as a record that cannot be read.
    for garbage in ["hello\n", "[{\"fushi\":1}]\n", "# nothing\n"] {
        let (code, told) = replayed(garbage, &[]);
        assert_eq!((code, &told[0]["ok"]), (Some(1), &json!(false)), "{garbage}");
    }
    let folder = tempfile::tempdir().unwrap();
    let begun = format!("{PHH}actions = ['p3 f']\n");
    let listed = text(&fushi(folder.path(), &["legal", "-", "--format", "json"], &begun).stdout);
    assert!(listed.contains("\"seat\":\"1\"") && listed.contains("\"min\":200"), "{listed}");
    // A file with another name, too.
    std::fs::write(folder.path().join("hands.txt"), &several).unwrap();
    let output = fushi(folder.path(), &["replay", "hands.txt", "--format", "json"], "");
    assert_eq!(text(&output.stdout).lines().count(), 2);
}

#[test]
fn one_bad_hand_costs_no_other_hand_of_its_file() {
    let good = |number: u32| format!("[{number}]\n{PHH}{SHOWN}hand = {number}\n\n");
    let lines = good(1).lines().count();
    for (bad, line, reason) in [
        (good(2).replace("'p2 sm QhQd']", "'p2 sm QhQd'"), None, "bad_toml"),
        (good(2).replace("min_bet = 100", "min_bet = = 100"), Some(lines + 5), "bad_toml"),
        (
            good(2).replace("[2]", "[1]").replace("hand = 2", "hand = 2\nhand = 3"),
            Some(lines + 9),
            "bad_toml",
        ),
        (good(2).replace("'NT'", "'PO'"), Some(lines + 1), "other_variant"),
    ] {
        let (code, told) = replayed(&format!("# all\n{}{bad}{}", good(1), good(3)), &[]);
        assert_eq!((code, told.len()), (Some(1), 3), "{bad}");
        assert_eq!((&told[0]["ok"], &told[2]["ok"]), (&json!(true), &json!(true)));
        assert_eq!((&told[2]["board"], &told[2]["record"]), (&json!("3"), &json!(3)));
        assert_eq!((&told[1]["ok"], &told[1]["problems"][0]["code"]), (&json!(false), &json!(reason)));
        if let Some(line) = line {
            assert_eq!(told[1]["line"], line + 1, "{}", told[1]);
        }
    }
    // Actions that are no texts hide no other hand's place.
    let mixed = good(2).replace("'p3 f'", "7");
    let (_, told) = replayed(&format!("{}{mixed}{}", good(1), good(3).replace("'p3 f'", "'p2 f'")), &[]);
    assert_eq!((&told[0]["ok"], &told[1]["ok"]), (&json!(true), &json!(false)));
    assert_eq!((&told[1]["line"], &told[2]["line"]), (&json!(lines + 1), &json!(2 * lines + 7)), "{told:?}");
    // A key beside the hands, and a name in another encoding.
    let (_, told) = replayed(&format!("author = 'x'\n{}{}", good(1), good(2)), &[]);
    let ok: Vec<&Value> = told.iter().map(|answer| &answer["ok"]).collect();
    assert_eq!(json!(ok), json!([false, true, true]), "{told:?}");
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = good(1).into_bytes();
    bytes.extend(b"[2]\nplayers = ['\xe9']\n");
    bytes.extend(good(3).as_bytes());
    std::fs::write(folder.path().join("latin.phhs"), bytes).unwrap();
    let output = fushi(folder.path(), &["replay", "latin.phhs", "--format", "json"], "");
    let told: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((told.len(), &told[0]["ok"], &told[2]["ok"]), (3, &json!(true), &json!(true)));
    assert!(told[1]["message"].as_str().unwrap().contains(&format!("line {} is not UTF-8", lines + 2)));
}

#[test]
fn what_other_programs_write_is_read_with_a_note_in_every_language() {
    let actions = |list: &str| format!("{PHH}actions = [{list}]\n");
    let noted = |input: &str| {
        let (_, told) = replayed(input, &[]);
        assert_eq!(told[0]["ok"], true, "{}", told[0]);
        let note = &told[0]["phh"]["notes"][0];
        let message = |lang: &str| {
            let (_, told) = replayed(input, &["--lang", lang]);
            told[0]["phh"]["notes"][0]["message"].as_str().unwrap().to_owned()
        };
        assert_ne!(message("zh-CN"), message("en"));
        assert_ne!(message("zh-TW"), message("zh-CN"));
        assert_eq!(told[0]["phh"]["notes"].as_array().unwrap().len(), 1, "{}", told[0]);
        (note["code"].as_str().unwrap().to_owned(), note["action"].clone(), told[0]["scores"].clone())
    };
    // A fold with nothing to call binds (PK-106).
    let unasked = "'p3 f', 'p1 cc', 'p2 cc', 'd db 2c3c4c', 'p1 f'";
    let told = noted(&actions(unasked));
    assert_eq!(told, ("fold_unasked".to_owned(), json!(5), json!({"1": -100, "2": 100, "3": 0})));
    // A raise that nobody can call is the call.
    let short = actions(
        "'d dh p1 AsAh', 'd dh p2 QhQd', 'p3 f', 'p1 cbr 400', 'p2 cbr 1000', 'd db 2c3c4c', 'd db 5d', 'd db 9d', \
         'p1 sm AsAh', 'p2 sm QhQd'",
    )
    .replace("[1000, 1000, 1000]", "[400, 1000, 1000]");
    let told = noted(&short);
    assert_eq!(told, ("raise_uncallable".to_owned(), json!(5), json!({"1": 400, "2": -400, "3": 0})));
    let too_much = short.replace("cbr 1000'", "cbr 1001'");
    assert_eq!(replayed(&too_much, &[]).1[0]["reason"], "not_reopened", "more than the stack is no raise");
    // A check that nobody asks for: seat 2 is the only one with chips.
    let asked = short.replace("'p2 cbr 1000', 'd db 2c3c4c'", "'p2 cc', 'd db 2c3c4c', 'p2 cc'");
    let told = noted(&asked);
    assert_eq!((told.0.as_str(), told.1), ("action_unasked", json!(7)));
    // A muck after an all-in: unknown cards give up the pot.
    let mucked = actions(
        "'d dh p1 AsAh', 'd dh p2 ????', 'p3 f', 'p1 cbr 1000', 'p2 cc', 'd db 2c3c4c', 'd db 5d', 'd db 9d', \
         'p1 sm AsAh', 'p2 sm'",
    );
    let told = noted(&mucked);
    assert_eq!(told, ("muck_after_all_in".to_owned(), json!(10), json!({"1": 1000, "2": -1000, "3": 0})));
    // The uncalled part among the winnings, and winnings that tell nothing.
    let won = actions("'p3 f', 'p1 cbr 300', 'p2 f'");
    let told = noted(&format!("{won}winnings = [400, 0, 0]\n"));
    assert_eq!(
        told,
        ("winnings_with_uncalled".to_owned(), Value::Null, json!({"1": 100, "2": -100, "3": 0}))
    );
    assert_eq!(replayed(&format!("{won}winnings = [200, 0, 0]\n"), &[]).1[0]["phh"], Value::Null);
    let empty = format!("{won}currency = 'USD'\nwinnings = [0, 0, 0]\n");
    assert_eq!(noted(&empty).0, "winnings_empty");
    assert_eq!(replayed(&empty, &[]).1[0]["phh"]["rake"], Value::Null, "no rake of everything");
    // A newcomer's post has no place in a tournament: refused by name.
    let posted = won.replace("[50, 100, 0]", "[50, 100, -100]");
    let told = replayed(&posted, &[]).1[0].clone();
    assert_eq!(told["problems"][0]["code"], "newcomer_post");
    assert!(told["message"].as_str().unwrap().contains("p3 posts as a newcomer"), "{told}");
    // For people, below the outcome.
    let folder = tempfile::tempdir().unwrap();
    let shown = text(&fushi(folder.path(), &["replay", "-"], &actions(unasked)).stdout);
    assert!(shown.contains("note on action 5, p1 f: a fold with nothing to call binds"), "{shown}");
}

#[test]
fn chips_at_the_end_are_compared_while_the_hand_is_open() {
    let told = |stacks: &str, list: &str, more: &str| {
        let text = format!("{PHH}actions = [{list}]\n{more}\n").replace("[1000, 1000, 1000]", stacks);
        phh_answers(&text)[0].clone()
    };
    let heads_up = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n\
                    starting_stacks = [100, 100]\nactions = ['p2 cbr 100', 'p1 cc']\n";
    for (more, ok) in [
        ("finishing_stacks = [102, 999]", false),
        ("finishing_stacks = [102, 97]", false),
        ("finishing_stacks = [200, 0]", true),
        ("finishing_stacks = [100, 100]", true),
        ("winnings = [200, 0]", true),
        ("winnings = [0, 199]", false),
        ("currency = 'USD'\nwinnings = [0, 199]", true),
        ("winnings = [150, 51]", false),
    ] {
        let answer = &phh_answers(&format!("{heads_up}{more}\n"))[0];
        assert_eq!((&answer["ok"], more), (&json!(ok), more), "{answer}");
    }
    // p1 is in for the main pot of 900, p2 and p3 for the side pot of 800 besides; all cards are unknown.
    let all_in = "'p3 cbr 700', 'p1 cc', 'p2 cc'";
    for (stacks, ok) in [
        ("[900, 800, 0]", true),
        ("[0, 0, 1700]", true),
        ("[300, 700, 700]", true),
        ("[901, 799, 0]", false),
        ("[900, 800, 1]", false),
        ("[900, 799, 0]", false),
    ] {
        let answer = told("[300, 700, 700]", all_in, &format!("finishing_stacks = {stacks}"));
        assert_eq!((&answer["ok"], stacks), (&json!(ok), stacks), "{answer}");
    }
    // While the betting is open: who has folded has what he has, and chips add up.
    let open = "'p3 f', 'p1 cbr 300'";
    for (stacks, ok) in [
        ("[1300, 700, 1000]", true),
        ("[2000, 0, 1000]", true),
        ("[1300, 701, 999]", false),
        ("[1300, 600, 1000]", false),
    ] {
        let answer = told("[1000, 1000, 1000]", open, &format!("finishing_stacks = {stacks}"));
        assert_eq!((&answer["ok"], stacks), (&json!(ok), stacks), "{answer}");
    }
}

#[test]
fn a_wrong_command_is_answered_in_one_line_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["replay"], "<FILE>"),
        (&["replay", "x", "--format", "xml"], "json"),
        (&["replay", "x", "--frmat", "json"], "--format"),
        (&["nope"], "nope"),
        (&[], "name a command"),
        (&["legal", "--limit", "x", "f"], "--limit"),
        (&["match", "--game", "tuolaji", "--levels", "tuolaji-1"], "tuolaji-2,tuolaji-1"),
        (&["match", "--levels", "wakeng-9,random"], "wakeng-9"),
        (&["match", "--levels", "random,random"], "two different levels"),
        (&["match", "--ruleset", "nope", "--levels", "random,random"], "nope"),
        (&["demo", "--ai", "nope"], "nope"),
        (&["demo", "--ruleset", "nope"], "nope"),
        (&["demo", "--opponents", "nope"], "nope"),
        (&["deal", "--boards", "1", "--seed", "x", "--ruleset", "nope"], "nope"),
        (&["demo", "--method", "nope"], "nope"),
    ];
    for (args, word) in cases {
        let output = fushi(folder.path(), args, "");
        let line = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {line}");
        assert_eq!(line.lines().count(), 1, "{args:?}: {line}");
        assert!(line.starts_with("fushi: ") && line.contains(word), "{args:?}: {line}");
    }
    let help = fushi(folder.path(), &["--help"], "");
    assert!(help.status.success() && text(&help.stdout).contains("export"));
}

#[test]
fn names_out_of_files_do_nothing_to_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let record = hand(&json!({"board": "a\u{1b}[31m\u{202e}b"}), &[act("3", "fold")]);
    let shown = text(&fushi(folder.path(), &["replay", "-"], &record).stdout);
    assert!(shown.contains("a\\u{1b}[31m\\u{202e}b"), "{shown}");
    let record = hand(&json!({}), &[act("3", "\u{1b}[31mred\u{9b}")]);
    let output = fushi(folder.path(), &["replay", "-"], &record);
    let line = text(&output.stderr);
    assert!(!line.trim_end().contains(char::is_control), "{line:?}");
    let output = fushi(folder.path(), &["replay", "no\u{1b}such.jsonl"], "");
    assert!(!text(&output.stderr).trim_end().contains(char::is_control));
}

#[test]
fn a_hand_that_is_not_known_is_said_to_be_unknown_and_a_limit_holds_for_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let position = json!({"fushi": 1, "game": "tuolaji", "ruleset": "zhuhai-2009", "position": {"level": "T",
        "trump": "S", "banker": "E", "hands": {"N": "H3"}, "turn": "W"}});
    let record = format!("{position}\n");
    let shown = text(&fushi(folder.path(), &["legal", "-"], &record).stdout);
    assert_eq!(shown, "W the hand is not known: its actions are not listed\n");
    let shown = text(&fushi(folder.path(), &["legal", "-", "--format", "json"], &record).stdout);
    assert_eq!(shown, "{\"record\":1,\"seat\":\"W\",\"legal\":[],\"unknown\":true}\n");
    let record = hand(&json!({}), &[]);
    let shown = text(&fushi(folder.path(), &["legal", "-", "--limit", "1"], &record).stdout);
    assert!(shown.contains("3 fold\n") && !shown.contains("3 raise") && shown.contains("--limit"), "{shown}");
}

#[test]
fn answers_for_people_are_in_their_language() {
    let folder = tempfile::tempdir().unwrap();
    let position = json!({"fushi": 1, "game": "tuolaji", "ruleset": "zhuhai-2009", "position": {"level": "T",
        "trump": "S", "banker": "E", "hands": {"E": "H9 H8 H8 H4 H4", "N": "H5 H5"}, "turn": "E"}});
    let record = format!("{position}\n{}\n", act("E", "play H98844"));
    for lang in ["zh-CN", "zh-TW"] {
        let shown = text(&fushi(folder.path(), &["replay", "-", "--lang", lang], &record).stdout);
        for word in ["record", "actions", "trump", "small", "table:", "throws", "stood", "penalty", "to act"]
        {
            assert!(!shown.contains(word), "{lang} {word}: {shown}");
        }
        for record in [
            hand(&json!({"unit": 0}), &[]),
            hand(&json!({}), &[act("3", "foo")]),
            hand(&json!({}), &[json!({"seat": 3})]),
        ] {
            let lang = if lang == "zh-CN" { Lang::ZhCn } else { Lang::ZhTw };
            let answer = &told(&record, lang)[0];
            let message = answer["message"].as_str().unwrap();
            assert!(message.chars().any(|letter| letter > '\u{2e80}'), "{message}");
        }
    }
}

fn demo(folder: &Path, game: &str) {
    let args = ["demo", "--game", game, "--seed", "x", "--entrants", "4", "--boards", "6", "--ai", "random"];
    let output = fushi(folder, &[&args[..], &["--opponents", "random"]].concat(), "");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn exported_boards_replay_to_the_same_chain() {
    for game in ["wakeng", "tuolaji", "holdem"] {
        let folder = tempfile::tempdir().unwrap();
        demo(folder.path(), game);
        let bundle = std::fs::read_to_string(folder.path().join("demo-x.fushi")).unwrap();
        let journals = bundle.lines().filter(|line| line.contains("\"section\":\"journal\"")).count();
        let exported = fushi(folder.path(), &["export", "demo-x.fushi"], "");
        assert!(exported.status.success(), "{}", text(&exported.stderr));
        let records = text(&exported.stdout);
        let told = answers(&records);
        assert_eq!(told.len(), journals, "{game}");
        for answer in &told {
            assert_eq!((&answer["ok"], &answer["finished"]), (&json!(true), &json!(true)), "{answer}");
            assert!(bundle.contains(answer["hash"].as_str().unwrap()), "the chain ends as in the bundle");
        }
        let one = fushi(folder.path(), &["export", "demo-x.fushi", "--board", "2", "--table", "1"], "");
        let one = text(&one.stdout);
        assert_eq!(answers(&one).len(), 1);
        assert!(records.contains(&one));
        let none = fushi(folder.path(), &["export", "demo-x.fushi", "--board", "99"], "");
        assert_eq!(none.status.code(), Some(1));
        assert!(text(&none.stderr).contains("boards 1 to 6"), "{}", text(&none.stderr));
        let changed = bundle.replacen("\"at\":", "\"at\":1", 1);
        std::fs::write(folder.path().join("changed.fushi"), changed).unwrap();
        let refused = fushi(folder.path(), &["export", "changed.fushi"], "");
        assert!(
            refused.status.code() == Some(1) && refused.stdout.is_empty(),
            "only what checks out is exported"
        );
    }
}

#[test]
fn exported_hands_go_to_phh_and_back() {
    let folder = tempfile::tempdir().unwrap();
    demo(folder.path(), "holdem");
    let records = answers(&text(&fushi(folder.path(), &["export", "demo-x.fushi"], "").stdout));
    let hands = text(&fushi(folder.path(), &["export", "demo-x.fushi", "--format", "phh"], "").stdout);
    let back = phh_answers(&hands);
    assert_eq!(back.len(), records.len());
    for (hand, record) in back.iter().zip(&records) {
        assert_eq!(hand["ok"], true, "{hand}");
        let sorted = |answer: &Value| {
            let mut scores: Vec<i64> =
                answer["scores"].as_object().unwrap().values().map(|score| score.as_i64().unwrap()).collect();
            scores.sort_unstable();
            scores
        };
        assert_eq!(sorted(hand), sorted(record));
    }
    let one = fushi(
        folder.path(),
        &["export", "demo-x.fushi", "--format", "phh", "--board", "1", "--table", "1"],
        "",
    );
    assert_eq!(phh_answers(&text(&one.stdout)).len(), 1);
    let other = tempfile::tempdir().unwrap();
    demo(other.path(), "tuolaji");
    let refused = fushi(other.path(), &["export", "demo-x.fushi", "--format", "phh"], "");
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
}

/// Help and mistakes are said in the reader's language: nothing of the English pages is left, flags stay as they are.
#[test]
fn help_and_wrong_use_are_said_in_chinese_too() {
    let folder = tempfile::tempdir().unwrap();
    let commands = [
        "deal", "demo", "replay", "legal", "equity", "rank", "serve", "backup", "restore", "export",
        "verify", "play", "match",
    ];
    for lang in ["zh-CN", "zh-TW"] {
        let pages = commands.iter().map(|command| vec![*command, "--help", "--lang", lang]);
        for args in pages.chain([vec!["--lang", lang, "--help"], vec!["--lang", lang, "rank", "-h"]]) {
            let output = fushi(folder.path(), &args, "");
            let page = text(&output.stdout);
            assert_eq!(output.status.code(), Some(0), "{args:?}");
            assert!(
                page.contains("--lang")
                    && page.contains(if lang == "zh-CN" { "选项：" } else { "選項：" })
            );
            for english in
                ["Usage", "Options", "Arguments", "Commands", "Print", "default", "Possible", " the "]
            {
                let said = page.replace("[default]", "");
                assert!(!said.contains(english), "{args:?}: `{english}` in {page}");
            }
        }
    }
    let cases: &[(&[&str], &str)] = &[
        (&[], "请写明命令"),
        (&["replay"], "缺少必需的参数：<FILE>..."),
        (&["replay", "x", "--frmat", "json"], "是否想写 '--format'"),
        (&["rnak"], "是否想写 'rank'"),
        (&["nope"], "没有 'nope' 这个命令"),
        (&["replay", "x", "--format", "xml"], "可用的值是 text, json"),
        (&["replay", "x", "--format", "jsn"], "是否想写 'json'"),
        (&["rank", "x", "--method", "nope"], "可用的值是 score-rate"),
        (&["rank", "x", "--method"], "需要一个值"),
        (&["rank", "x", "--versus", "p"], "需要 2 个值，但给出了 1 个"),
        (&["match", "--levels", "a,b", "--boards", "0"], "不在 1..=100000 之内"),
        (&["demo", "--ruleset", "x", "--ruleset-file", "y"], "同时使用"),
        (&["demo", "--boards", "1", "--boards", "2"], "不能多次使用"),
        (&["legal", "--limit", "x", "f"], "'x' 无效"),
    ];
    for (args, word) in cases {
        let output = fushi(folder.path(), &[&["--lang", "zh-CN"][..], args].concat(), "");
        let line = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {line}");
        assert!(line.lines().count() == 1 && line.contains(word), "{args:?}: {line}");
        assert!(!line.contains("argument") && !line.contains("value '"), "{args:?}: {line}");
    }
}
