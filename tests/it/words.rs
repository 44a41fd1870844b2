//! Refusals in the reader's language: whatever is wrong with a file or a command, no English stands in the Chinese
//! sentence about it, except for what was written by the reader, names of keys and commands in quotes, and codes.

use std::path::{Path, PathBuf};
use std::process::Command;

use fushi::desk::DeskError;
use fushi::desk::archive::ArchiveError;
use fushi::games::holdem::Holdem;
use fushi::games::rulesets;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::games::{ActionText, Fault, Game};
use fushi::journal::phh;
use fushi::journal::record::Records;
use fushi::journal::replay::replay_any;
use fushi::journal::ruling::RulingFault;
use fushi::journal::tally::TallyFault;
use fushi::scoring::{EntryFault, Method, PutFault};
use fushi::words::{Lang, Message, say};
use serde_json::{Value, json};

const CHINESE: [Lang; 2] = [Lang::ZhCn, Lang::ZhTw];

/// Three or more English words in a row outside of quotes.
fn english(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut until = None;
    for letter in text.chars() {
        if let Some(end) = until {
            if letter == end {
                until = None;
            }
            continue;
        }
        until = match letter {
            '`' | '"' | '\'' => Some(letter),
            '“' => Some('”'),
            '「' => Some('」'),
            _ => None,
        };
        plain.push(if until.is_some() { '.' } else { letter });
    }
    // Cards and lists of ids, which have commas, are no sentences.
    let is_word = |word: &str| {
        word.len() > 1
            && word.chars().all(|letter| letter.is_ascii_alphabetic())
            && word.chars().any(|letter| letter.is_ascii_lowercase())
            && !["sj", "bj"].contains(&word)
    };
    let mut run: Vec<&str> = Vec::new();
    for word in plain.split(' ').filter(|word| !word.is_empty()) {
        let tail = word.trim_end_matches(|letter: char| !letter.is_ascii_alphabetic());
        let head = word.trim_start_matches(|letter: char| !letter.is_ascii_alphabetic());
        let ends = !is_word(word);
        if is_word(word) || is_word(tail) {
            run.push(tail);
        } else if is_word(head) {
            run = vec![head];
            continue;
        }
        if ends {
            if run.len() >= 3 {
                break;
            }
            run.clear();
        }
    }
    (run.len() >= 3).then(|| run.join(" "))
}

fn is_chinese(lang: Lang, sentence: &str) -> Result<(), String> {
    let letters = sentence.chars().any(|letter| letter > '\u{2e80}');
    match english(sentence) {
        None if letters => Ok(()),
        _ => Err(format!("{lang}: {sentence}")),
    }
}

fn holds(checked: impl IntoIterator<Item = Result<(), String>>, least: usize) {
    let checked: Vec<_> = checked.into_iter().collect();
    assert!(checked.len() >= least, "only {} sentences were seen", checked.len());
    let mut wrong: Vec<String> = checked.into_iter().filter_map(Result::err).collect();
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn english_words_in_a_row_are_found_and_quoted_ones_are_not() {
    assert_eq!(english("这一行：the line is not JSON"), Some("the line is not".to_owned()));
    assert!(english("cannot read the file").is_some());
    assert!(english("无法读取 file: No such file or directory").is_some());
    for fine in [
        "键 `a b c d` 与 \"x yy zz\"",
        "“one two three”不是牌",
        "请写 fold、check、call、bet N",
        "用 --seed x",
    ] {
        assert_eq!(english(fine), None, "{fine}");
    }
}

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

/// Commands on files that cannot be read or written, and with values that cannot be.
#[test]
fn commands_refuse_in_chinese() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("empty", b"");
    write("latin.phh", b"variant = \"\xff\"");
    write("bad.toml", b"name = 3\n");
    write("bad.fushi", b"{\"section\":\"bundle\"}\n");
    write("latin.toml", b"\xff");
    write("bad.jsonl", b"{\"fushi\":1,\"game\":\"wakeng\"}\n");
    let cases: [&[&str]; 37] = [
        &["replay", "missing"],
        &["replay", "."],
        &["replay", "empty"],
        &["replay", "latin.phh"],
        &["replay", "bad.jsonl"],
        &["legal", "bad.jsonl"],
        &["deal", "--game", "wakng"],
        &["deal", "--game", "entirely"],
        &["deal", "--boards", "x"],
        &["deal", "--boards", "9999999"],
        &["deal", "--ruleset", "nothing like it"],
        &["deal", "--ruleset-file", "missing"],
        &["deal", "--ruleset-file", "bad.toml"],
        &["deal", "--ruleset-file", "latin.toml"],
        &["verify", "missing"],
        &["verify", "."],
        &["export", "missing"],
        &["export", "bad.fushi"],
        &["demo", "--seed", ""],
        &["demo", "--measure", "small-points", "--game", "wakeng"],
        &["equity", "X", "?"],
        &["play", "--url", "http://127.0.0.1:1"],
        &["demo", "--boards", "0"],
        &["demo", "--boards", "4", "--replay-board", "9"],
        &["demo", "--entrants", "1000000", "--boards", "1000"],
        &["demo", "--ai", "nothing"],
        &["demo", "--opponents", "nothing"],
        &["demo", "--boards", "x"],
        &["demo", "--boards", "99999999999999999999"],
        &["rank", "x.csv", "--imp-scale", "1e5"],
        &["rank", "x.csv", "--imp-scale", "x"],
        &["rank", "missing.csv"],
        &["serve", "--listen", "here"],
        &["backup", "--database", "sqlite:none.sqlite", "copy.sqlite"],
        &["backup", "--database", "nothing", "copy.sqlite"],
        &["restore", "missing.sqlite"],
        &["match", "--levels", "nothing,less"],
    ];
    let mut said = Vec::new();
    for lang in CHINESE {
        for args in cases {
            let output = Command::new(env!("CARGO_BIN_EXE_fushi"))
                .args(["--lang", lang.tag()])
                .args(args)
                .current_dir(folder.path())
                .output()
                .unwrap();
            let line = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success(), "{args:?}: {line}");
            said.push(is_chinese(lang, &line).map_err(|line| format!("{args:?} {line}")));
        }
    }
    holds(said, 2 * cases.len());
}

/// The kinds of faults that speak English by themselves say the same by their messages, and have Chinese for it.
#[test]
fn faults_of_rulings_and_results_are_the_same_in_every_language() {
    let put = || {
        let twice = PutFault::Twice { board: "1".to_owned(), seat: "A".to_owned(), entrant: "p".to_owned() };
        [
            PutFault::Entry(EntryFault::NoScore),
            PutFault::Entry(EntryFault::WeightNotPositive),
            PutFault::Entry(EntryFault::WeightsNotOne),
            twice,
            PutFault::NoTop(Method::Total),
            PutFault::NoSuchEntrant,
        ]
    };
    let ruling = [
        RulingFault::Number(2),
        RulingFault::NoReason,
        RulingFault::Hidden,
        RulingFault::NoBoard(7),
        RulingFault::NoEntrant("p".to_owned()),
        RulingFault::NoResult("p".to_owned(), 7),
        RulingFault::BadStatus("played"),
        RulingFault::BadWeights,
        RulingFault::NotInForce(3),
    ];
    let mut told: Vec<(String, Message)> = Vec::new();
    told.extend(put().map(|fault| (fault.to_string(), fault.message())));
    told.extend(
        put().map(|fault| TallyFault::Put(3, fault)).map(|fault| (fault.to_string(), fault.message())),
    );
    told.extend(put().map(TallyFault::Result).map(|fault| (fault.to_string(), fault.message())));
    told.extend(ruling.iter().map(|fault| (fault.to_string(), fault.message())));
    told.extend(
        ruling.map(|fault| TallyFault::Ruling(3, fault)).map(|fault| (fault.to_string(), fault.message())),
    );
    let what = || "the table".to_owned();
    let archive = || {
        [
            ArchiveError::Exists(what()),
            ArchiveError::Missing(what()),
            ArchiveError::Changed(what()),
            ArchiveError::Failed(what()),
        ]
    };
    told.extend(archive().map(|error| (error.to_string(), error.message())));
    let desk = [
        DeskError::Damaged(what()),
        DeskError::Stuck { board: "1".to_owned(), table: 2, detail: what() },
        DeskError::Write(what()),
        DeskError::Tally(TallyFault::Result(PutFault::NoSuchEntrant)),
        DeskError::Ruling(RulingFault::NoReason),
    ];
    told.extend(desk.map(|error| (error.to_string(), error.message())));
    told.extend(archive().map(DeskError::Archive).map(|error| (error.to_string(), error.message())));
    let mut said = Vec::new();
    for (english, message) in told {
        assert_eq!(say(Lang::En, &message), english);
        said.extend(CHINESE.map(|lang| {
            is_chinese(lang, &say(lang, &message)).or_else(|told| {
                // What another room reports in English stands in quotes.
                if english == "the table" { Ok(()) } else { Err(told) }
            })
        }));
    }
    holds(said, 80);
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Faults of headers, lines and rulesets are made of messages, never of English texts.
#[test]
fn no_fault_of_a_game_or_record_is_written_in_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for room in ["src/games", "src/journal", "src/desk", "src/formats", "src/players"] {
        sources(&root.join(room), &mut files);
    }
    let mut wrong = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        let source = source.split("#[cfg(test)]\nmod tests").next().unwrap();
        for call in ["Fault::new(", ".fault(", ".card_fault(", " fault("] {
            for after in source.split(call).skip(1) {
                let Some(rest) = after.trim_start().strip_prefix('"') else { continue };
                let Some((_, rest)) = rest.split_once("\",") else { continue };
                let rest = rest.trim_start();
                if rest.starts_with('"') || rest.starts_with("format!") {
                    wrong.push(format!("{}: {}", file.display(), rest.lines().next().unwrap()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every message that the sources name stands in the English files.
#[test]
fn every_message_has_its_sentence() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    let mut known = String::new();
    for entry in std::fs::read_dir(root.join("src/words/en")).unwrap() {
        known.push('\n');
        known.push_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    let (mut seen, mut missing) = (0, Vec::new());
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        for call in ["message!(\"", "message!(\n", "Message::plain(\""] {
            for after in source.split(call).skip(1) {
                let id = after.trim_start().trim_start_matches('"').split('"').next().unwrap();
                seen += 1;
                if !known.contains(&format!("\n{id} =")) {
                    missing.push(format!("{}: {id}", file.display()));
                }
            }
        }
    }
    assert!(seen > 500 && missing.is_empty(), "{seen} {missing:?}");
}
