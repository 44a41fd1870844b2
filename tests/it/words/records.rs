//! Every fault of a record, a hold'em file and a ruleset is said in Chinese: whole files are spoiled in every way.

use fushi::games::holdem::Holdem;
use fushi::games::rulesets;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::games::{ActionText, Fault, Game};
use fushi::journal::phh;
use fushi::journal::record::Records;
use fushi::journal::replay::replay_any;
use fushi::words::say;
use serde_json::{Value, json};

use super::{CHINESE, holds, is_chinese};

/// Every way to spoil a value: other types, strange keys, missing keys, at any depth.
fn spoiled(value: &Value) -> Vec<Value> {
    let mut others = vec![
        json!(null),
        json!(-1),
        json!(1.5),
        json!(7_000_000_000_000_000_u64),
        json!("x"),
        json!(""),
        json!([]),
    ];
    others.push(json!({"strange": 1}));
    others.push(json!([[1, 2], "S4"]));
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let with = |new: Value| {
                    let mut map = map.clone();
                    map.insert(key.clone(), new);
                    Value::Object(map)
                };
                others.extend(spoiled(inner).into_iter().map(with));
                let mut without = map.clone();
                without.remove(key);
                others.push(Value::Object(without.clone()));
                without.insert(format!("{key}s"), inner.clone());
                others.push(Value::Object(without));
            }
            let mut more = map.clone();
            more.insert("entirely strange".to_owned(), json!(1));
            others.push(Value::Object(more));
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                for new in spoiled(item) {
                    let mut items = items.clone();
                    items[place] = new;
                    others.push(Value::Array(items));
                }
            }
        }
        Value::String(text) => {
            let doubled = format!("{text} {text}");
            let less = text.rsplit_once(' ').map_or("", |(less, _)| less);
            for new in [doubled.as_str(), less, "SA", "SA SA", "sj", "B", "2", "10", "NT", "pass"] {
                others.push(json!(new));
            }
        }
        Value::Number(_) => others.extend([json!(0), json!(2), json!(3), json!(150), json!(100_000)]),
        _ => {}
    }
    others
}

/// What the program says about the records of a text, in both kinds of Chinese.
fn said_of_records(text: &str) -> Vec<Result<(), String>> {
    let mut said = Vec::new();
    for raw in Records::new(text.as_bytes()) {
        let raw = raw.unwrap();
        let Err(failure) = replay_any(&raw) else { continue };
        for lang in CHINESE {
            said.push(is_chinese(lang, &failure.sentence(lang)));
            let answer = failure.to_json(1, lang);
            for problem in answer.get("problems").and_then(Value::as_array).into_iter().flatten() {
                said.push(is_chinese(lang, problem["message"].as_str().unwrap()));
            }
        }
    }
    said
}

fn headers() -> Vec<Value> {
    let order = |pack: fushi::cards::Pack| fushi::cards::write_cards(pack.cards());
    let wakeng: Vec<_> = fushi::cards::Pack::FiftyTwo.cards();
    let hand = |from: usize, to: usize| fushi::cards::write_cards(wakeng[from..to].iter().copied());
    vec![
        json!({"fushi": 1, "game": "wakeng", "ruleset": "wakeng-bomb", "board": "demo/1", "deal": {
            "A": hand(0, 16), "B": hand(16, 32), "C": hand(32, 48), "bottom": hand(48, 52)}}),
        json!({"fushi": 1, "game": "wakeng", "rules": {"base": "wakeng-bomb", "unit": 1}, "position": {"banker": "A",
            "bid": 2, "hands": {"A": "H4 S4", "B": "D9 C9"}, "trick": [["A", "S5"], ["B", "S7"], ["C", "pass"]],
            "turn": "A", "shown": ["A"], "doubled": ["B"], "bombs": 0, "bottom": "C3 C4 C5 C6"}}),
        json!({"fushi": 1, "game": "tuolaji", "ruleset": "zhuhai-2009", "level": "2", "banker": "E",
            "calling": "stepped", "deal": {"draw": order(fushi::cards::Pack::TwoWithJokers)}}),
        json!({"fushi": 1, "game": "tuolaji", "ruleset": "zhuhai-2009", "level": "2", "banker": "E", "trump": "S",
            "deal": {"E": "H4", "N": "H5", "W": "H6", "S": "H7", "bottom": "C3"}}),
        json!({"fushi": 1, "game": "tuolaji", "ruleset": "zhuhai-2009", "position": {"level": "T", "trump": "S",
            "banker": "E", "hands": {"E": "H9 H8", "N": "H5 H5"}, "trick": [["N", "H4"], ["W", "H6"]],
            "turn": "S", "bottom": "C3 C3 C4 C4 C5 C5 C6 C6", "points": 20}}),
        json!({"fushi": 1, "game": "holdem", "ruleset": "tda-2011", "button": "3", "blinds": [50, 100],
            "ante": ["none", 0], "unit": 1, "sb": "1", "bb": "2", "stacks": {"1": 1000, "2": 1000, "3": 1000},
            "deal": {"holes": {"1": "SA HA", "2": "SK HK", "3": "SQ HQ"}, "board": "D2 C3 D7 C8 ST",
            "mucked": ["3"]}}),
        json!({"fushi": 1, "game": "holdem", "ruleset": "tda-2011", "position": {"street": "flop",
            "board": "D2 C3 D7", "button": "3", "bb": 100, "pot": 300, "stacks": {"1": 1000, "2": 900, "3": 800},
            "put": {"2": 100, "3": 200}, "last_full_raise": 100, "turn": "1", "unit": 100, "folded": [],
            "acted": ["2"], "holes": {"1": "SA HA"}}}),
    ]
}

#[test]
fn every_fault_of_a_header_is_said_in_chinese() {
    let said = headers().into_iter().flat_map(|header| {
        let bad = spoiled(&header).into_iter().map(|mut bad| {
            // What has no `fushi` is no header, which is another test.
            if let Value::Object(map) = &mut bad {
                map.entry("fushi").or_insert(json!(2));
            }
            bad.to_string() + "\n"
        });
        said_of_records(&bad.collect::<String>())
    });
    holds(said, 3000);
}

#[test]
fn every_fault_of_a_line_is_said_in_chinese() {
    let header = &headers()[5];
    let long = format!("{{\"seat\":\"{}\"}}", "x".repeat(1 << 20));
    let lines = [
        "foo",
        "[]",
        "{",
        "{\"seat\" \"A\"}",
        "{\"seat\":\"A\",\"seat\":\"B\"}",
        "{}",
        "{\"seat\":3,\"do\":\"x\"}",
        "{\"seat\":\"3\",\"do\":4}",
        "{\"seat\":\"3\",\"do\":\"fold\",\"at\":-1}",
        "{\"seat\":\"3\",\"do\":\"fold\",\"at\":null,\"after\":\"x\"}",
        "{\"seat\":\"3\",\"do\":\"fold\",\"by\":\"god\"}",
        "{\"seat\":\"3\",\"do\":\"fold\",\"by\":\"player\"}",
        "{\"seat\":\"3\",\"doo\":\"fold\"}",
        "{\"seat\":\"3\",\"do\":\"fold\",\"entirely\":1}",
        "{\"seat\":\"Z\",\"do\":\"fold\"}",
        "{\"seat\":\"3\",\"do\":\"fold\",\"hash\":\"00\"}",
        "{\"seat\":\"3\",\"do\":\"fold\",\"hash\":3}",
        "{\"seat\":\"1\",\"do\":\"fold\"}",
        "{\"seat\":\"3\",\"do\":\"fold\",\"by\":\"clock\"}",
        "{\"note\":\"dael\",\"by\":\"dealer\"}",
        "{\"note\":\"entirely\",\"by\":\"dealer\"}",
        "{\"note\":\"deal\"}",
        "{\"note\":\"deal\",\"by\":\"god\"}",
        "{\"note\":\"deal\",\"by\":\"clock\"}",
        "{\"note\":\"give\",\"by\":\"clock\"}",
        "{\"note\":\"give\",\"by\":\"clock\",\"ms\":0,\"seat\":\"1\"}",
        "{\"note\":\"give\",\"by\":\"clock\",\"ms\":1,\"seat\":\"Z\"}",
        "{\"note\":\"stop\",\"by\":\"referee\"}",
        "{\"note\":\"stop\",\"by\":\"referee\",\"who\":\"a b\"}",
        "{\"note\":\"stop\",\"by\":\"server\",\"ms\":1}",
        "{\"note\":\"stop\",\"by\":\"server\",\"seat\":\"1\"}",
        "{\"note\":\"go\",\"by\":\"server\"}",
        "{\"note\":\"deal\",\"by\":\"dealer\"}",
        "{\"note\":\"call\",\"by\":\"player\",\"seat\":\"9\"}",
        "{\"note\":\"give\",\"by\":\"clock\",\"ms\":1,\"seat\":\"1\"}",
        &long,
    ];
    let mut text = lines.iter().fold(String::new(), |text, line| text + &format!("{header}\n{line}\n"));
    text.push_str("{\"fushi\": 1\n{\"fushi\": 1} x\n{\"fushi\":1,\"fushi\":1}\n[{\"fushi\":1}]\n");
    text.push_str(&format!(
        "{header}\n{{\"seat\":\"3\",\"do\":\"call\",\"at\":5}}\n{{\"seat\":\"1\",\"do\":\"call\",\"at\":4}}\n"
    ));
    holds(said_of_records(&text), 2 * lines.len());
    holds(said_of_records("{\"seat\":\"3\",\"do\":\"fold\"}\n"), 2);
}

fn actions_of<G: Game>(said: &mut Vec<Result<(), String>>) {
    let texts = [
        "",
        "x",
        "play",
        "play X",
        "play H4 H4 H4 H4 H4",
        "play ZZ",
        "show",
        "show perhaps",
        "bid 4",
        "double x",
        "pass now",
        "call",
        "call X",
        "lay-away",
        "choose",
        "choose four",
        "bet",
        "bet x",
        "bet 01",
        "raise -1",
        "raise",
        "all in",
        "fold now",
    ];
    let many = format!("play {}", "H4 ".repeat(200));
    for text in texts.into_iter().chain([many.as_str()]) {
        for after in [None, Some(0), Some(5), Some(101), Some(70_000)] {
            let Err(message) = G::read_action(&ActionText { text: text.to_owned(), after }) else { continue };
            said.extend(CHINESE.map(|lang| is_chinese(lang, &say(lang, &message))));
        }
    }
}

#[test]
fn every_text_that_is_no_action_is_refused_in_chinese() {
    let mut said = Vec::new();
    actions_of::<Wakeng>(&mut said);
    actions_of::<Tuolaji>(&mut said);
    actions_of::<Holdem>(&mut said);
    holds(said, 200);
}

#[test]
fn every_fault_of_a_phh_file_is_said_in_chinese() {
    let good = "variant = \"NT\"\nantes = [0, 0, 0]\nblinds_or_straddles = [1, 2, 0]\nmin_bet = 2\n\
                starting_stacks = [100, 100, 100]\nactions = [\"d dh p1 AhAd\", \"d dh p2 KhKd\", \"d dh p3 QhQd\", \
                \"p3 cc\", \"p1 cc\", \"p2 cc\", \"d db 2c3c4c\", \"p1 f\", \"p2 cbr 10\", \"p3 f\", \"p2 sm\"]\n\
                seats = [1, 2, 3]\nseat_count = 6\nfinishing_stacks = [98, 104, 98]\n";
    let values = [
        "3",
        "\"x\"",
        "[1, 2]",
        "[1, \"x\", 3]",
        "[2, 2, 2]",
        "[0.0000001, 1, 1]",
        "-1",
        "{}",
        "[1, 2, 9]",
        "[]",
    ];
    let mut texts: Vec<String> =
        vec!["variant = ".to_owned(), "= 3".to_owned(), "variant = \"FR\"".to_owned()];
    let lines: Vec<&str> = good.lines().collect();
    for place in 0..lines.len() {
        let with = |line: &str| {
            let mut lines = lines.clone();
            lines[place] = line;
            lines.join("\n")
        };
        let key = lines[place].split(' ').next().unwrap();
        texts.push(with(""));
        texts.push(with(&lines[place].replacen('=', "s =", 1).replacen(" s", "s", 1)));
        texts.extend(values.iter().map(|value| with(&format!("{key} = {value}"))));
    }
    for code in
        ["NT", "NS", "PO", "FO/8", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB", "FT", "no such thing at all"]
    {
        texts.push(good.replace("NT", code));
    }
    for (from, to) in [
        ("p3 cc", "p3 xx"),
        ("p3 cc", "p9 xx yy zz"),
        ("p3 cc", "p11 cc"),
        ("p3 cc", "p3 cbr x"),
        ("p3 cc", "p3 sm"),
        ("AhAd", "Ah"),
        ("AhAd", "AhAdAc"),
        ("AhAd", "xx"),
        ("2c3c4c", "2c3c"),
        ("p1 cc", "d db 2c3c4c"),
        ("p2 sm", "p1 sm"),
        ("p2 sm", "p2 sm AcAs"),
        ("p2 sm", "d db 2d2h2s5d"),
        ("\"d db 2c3c4c\", ", ""),
        ("[98, 104, 98]", "[98, 100, 98]"),
        ("[98, 104, 98]", "[98, 105, 98]"),
        ("1, 2, 0", "1, 2, 4"),
        ("= 2", "= 3"),
        ("antes = [0, 0, 0]", "antes = [1, 2, 0]"),
    ] {
        texts.push(good.replace(from, to));
    }
    let mut said = Vec::new();
    for text in texts {
        for (_, raw, _) in phh::hands(&text) {
            let Err(failure) = raw.and_then(|raw| replay_any(&raw)) else { continue };
            said.extend(CHINESE.map(|lang| is_chinese(lang, &failure.sentence(lang))));
        }
    }
    holds(said, 200);
}

fn rulesets_of<G: Game>(said: &mut Vec<Result<(), String>>) {
    let (name, text) = G::RULESETS[0];
    let mut tell = |faults: Vec<Fault>| {
        for fault in faults {
            said.extend(CHINESE.map(|lang| is_chinese(lang, &fault.sentence(lang))));
        }
    };
    let lines: Vec<&str> = text.lines().collect();
    for (place, line) in lines.iter().enumerate() {
        let Some((key, _)) = line.split_once('=') else { continue };
        let mut spoil = |new: &str| {
            let mut lines = lines.clone();
            lines[place] = new;
            tell(rulesets::parse::<G>(&lines.join("\n")).err().unwrap_or_default());
        };
        for value in [
            "-1",
            "0",
            "1.5",
            "\"x\"",
            "\"\"",
            "true",
            "[]",
            "[1, 1]",
            "[\"2\", \"2\"]",
            "999999999",
            "{ a = 1 }",
            "\"H4\"",
        ] {
            spoil(&format!("{key}= {value}"));
        }
        spoil("");
        spoil(&format!("{}s = 1\n{line}", key.trim()));
    }
    for rules in [
        json!({}),
        json!({"base": "no"}),
        json!({"base": name, "entirely": 1}),
        json!({"base": name, "name": 3}),
    ] {
        tell(rulesets::overridden::<G>(rules.as_object().unwrap()).err().unwrap_or_default());
    }
    tell(rulesets::parse::<G>("a = ").unwrap_err());
    tell(rulesets::parse::<G>("a").unwrap_err());
    tell(rulesets::shipped::<G>("nothing like it").unwrap_err());
}

#[test]
fn every_fault_of_a_ruleset_is_said_in_chinese() {
    let mut said = Vec::new();
    rulesets_of::<Wakeng>(&mut said);
    rulesets_of::<Tuolaji>(&mut said);
    rulesets_of::<Holdem>(&mut said);
    holds(said, 1000);
}
