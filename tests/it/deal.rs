//! `fushi deal` as a user runs it.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use fushi::cards::{Card, Pack, parse_cards};
use fushi::dealing::{DelayedValue, SetKey, deal_order, to_hex};
use serde_json::Value;

fn fushi(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fushi")).args(args).env("LC_ALL", "C").output().unwrap()
}

fn deal(args: &[&str]) -> String {
    let output = fushi(&[&["deal"], args].concat());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && stderr.is_empty(), "{args:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn headers(args: &[&str]) -> Vec<Value> {
    deal(&[&["--format", "json"], args].concat())
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The command fails with this code, one line on standard error that contains `part`, and no output.
fn refused(code: i32, part: &str, args: &[&str]) {
    let output = fushi(&[&["deal"], args].concat());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?} printed something");
    assert!(stderr.contains(part), "{args:?}: {stderr}");
    if code == 1 {
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
    }
}

/// All card texts in a value, in order.
fn cards(value: &Value, found: &mut Vec<Card>) {
    match value {
        Value::String(text) => found.extend(parse_cards(text).unwrap()),
        Value::Object(fields) => fields.values().for_each(|value| cards(value, found)),
        Value::Array(items) => items.iter().for_each(|value| cards(value, found)),
        _ => {}
    }
}

const KEY: &str = "7f0000000000000000000000000000000000000000000000000000000000007f";
const HASH: &str = "00000000000000000000000000000000000000000000000000000000000000a5";

fn key_args() -> Vec<&'static str> {
    vec!["--set-key", KEY, "--announcement-hash", HASH, "--set", "R1"]
}

#[test]
fn header_lines_have_the_promised_keys_in_the_promised_order() {
    let text = deal(&["--seed", "demo", "--boards", "7-8", "--format", "json"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2);
    let start = r#"{"fushi":1,"game":"wakeng","ruleset":"wakeng-bomb","board":"demo/7","deal":{"A":""#;
    assert!(lines[0].starts_with(start), "{}", lines[0]);
    assert!(lines[1].contains(r#""board":"demo/8""#));
    let deal = &headers(&["--seed", "demo", "--boards", "7-7"])[0]["deal"];
    let keys: Vec<&String> = deal.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["A", "B", "C", "bottom"]);
    let mut found = Vec::new();
    cards(deal, &mut found);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 52);
}

#[test]
fn a_count_is_the_first_boards_and_a_range_is_part_of_them() {
    let all = headers(&["--seed", "demo"]);
    assert_eq!(all.len(), 16);
    assert_eq!(all[..3], headers(&["--seed", "demo", "--boards", "3"])[..]);
    assert_eq!(all[4..9], headers(&["--seed", "demo", "--boards", "5-9"])[..]);
    assert_eq!(headers(&["--seed", "demo", "--boards", "4294967295-4294967295"]).len(), 1);
}

#[test]
fn the_same_seed_gives_the_same_boards_and_another_seed_others() {
    let one = deal(&["--seed", "demo", "--format", "json"]);
    assert_eq!(one, deal(&["--seed", "demo", "--format", "json"]));
    for other in ["Demo", "demo ", "复式", KEY] {
        assert_ne!(one, deal(&["--seed", other, "--format", "json"]));
    }
    assert_ne!(
        headers(&["--seed", "demo", "--set", "x"])[0]["deal"],
        headers(&["--seed", "demo"])[0]["deal"]
    );
}

#[test]
fn a_hexadecimal_seed_is_the_set_key_without_an_announcement() {
    let zero = to_hex(&[0; 32]);
    let by_key = headers(&["--set-key", KEY, "--announcement-hash", &zero, "--set", "demo"]);
    assert_eq!(headers(&["--seed", KEY]), by_key);
}

#[test]
fn a_revealed_key_deals_the_boards_of_its_set() {
    let mut args = key_args();
    args.extend(["--delayed", " 341257 ", "--boards", "3-3"]);
    let header = headers(&args).remove(0);
    assert_eq!(header["board"], "R1/3");
    let hash = fushi::dealing::from_hex("hash", HASH).unwrap();
    let value = DelayedValue::read_text("341257").unwrap();
    let order = deal_order(Pack::FiftyTwo, &SetKey::from_hex(KEY).unwrap(), &hash, &value, "R1", 3);
    let hand = |name: &str| parse_cards(header["deal"][name].as_str().unwrap()).unwrap();
    for (name, part) in [("A", 0..16), ("B", 16..32), ("C", 32..48), ("bottom", 48..52)] {
        let mut expected = order[part].to_vec();
        expected.sort_unstable();
        let mut found = hand(name);
        found.sort_unstable();
        assert_eq!(found, expected, "{name}");
    }
    assert_ne!(headers(&key_args())[2]["deal"], header["deal"], "the delayed value counts");
}

#[test]
fn without_a_seed_a_new_one_is_drawn_and_shown() {
    let output = fushi(&["deal", "--boards", "2", "--format", "json"]);
    assert!(output.status.success());
    let stderr = String::from_utf8(output.stderr).unwrap();
    let seed = stderr.trim().rsplit(' ').next().unwrap();
    assert_eq!(deal(&["--boards", "2", "--format", "json", "--seed", seed]).as_bytes(), output.stdout);
    let text = deal(&["--boards", "1"]);
    let seed = text.lines().next().unwrap().strip_prefix("seed ").unwrap();
    assert!(text.ends_with(&deal(&["--boards", "1", "--seed", seed])));
    assert_ne!(deal(&["--boards", "1"]), text);
}

#[test]
fn the_text_shows_every_hand_sorted() {
    let text = deal(&["--seed", "demo", "--boards", "1"]);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "demo/1");
    let names: Vec<&str> = rows[1..5].iter().map(|row| row.split_whitespace().next().unwrap()).collect();
    assert_eq!(names, ["A", "B", "C", "bottom"]);
    for row in &rows[1..5] {
        let (_, hand) = row.trim().split_once(' ').unwrap();
        let hand = parse_cards(hand).unwrap();
        assert!(hand.is_sorted(), "{row}");
    }
}

#[test]
fn every_game_is_dealt_with_each_of_its_rulesets() {
    for (game, rulesets, size) in [
        ("wakeng", &["wakeng-bomb", "wakeng-plain", "wakeng-jj"][..], 52),
        ("holdem", &["tda-2011", "tda-2024"][..], 52),
        ("tuolaji", &["zhuhai-2009"][..], 108),
    ] {
        for ruleset in rulesets {
            for header in headers(&["--game", game, "--ruleset", ruleset, "--seed", "x", "--boards", "13"]) {
                assert_eq!((&header["game"], &header["ruleset"]), (&game.into(), &(*ruleset).into()));
                let mut found = Vec::new();
                cards(&header["deal"], &mut found);
                let faces: BTreeSet<_> = found.iter().collect();
                assert!(found.len() <= size && faces.len() * 2 >= found.len(), "{header}");
                if game != "holdem" {
                    assert_eq!(found.len(), size);
                }
            }
            let text = deal(&["--game", game, "--ruleset", ruleset, "--seed", "x", "--boards", "2"]);
            assert_eq!(text.matches("demo/").count(), 2, "{text}");
        }
        let default = headers(&["--game", game, "--seed", "x", "--boards", "1"]);
        assert_eq!(default[0]["ruleset"], rulesets[0]);
    }
}

#[test]
fn the_boards_replay() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["wakeng", "holdem", "tuolaji"] {
        let path = folder.path().join(game);
        std::fs::write(&path, deal(&["--game", game, "--seed", "x", "--boards", "12", "--format", "json"]))
            .unwrap();
        let output = fushi(&["replay", "--format", "json", path.to_str().unwrap()]);
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{game}: {stdout}");
        assert_eq!(
            stdout.lines().filter(|line| line.contains(r#""finished":false"#)).count(),
            12,
            "{stdout}"
        );
    }
}

#[test]
fn a_ruleset_file_is_named_so_that_the_record_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let shipped = include_str!("../../src/games/wakeng/rulesets/wakeng-bomb.toml");
    let path = folder.path().join("rules.toml");
    let args = ["--ruleset-file", path.to_str().unwrap(), "--seed", "x", "--boards", "1"];
    std::fs::write(&path, shipped.replace('\n', "\r\n")).unwrap();
    assert_eq!(headers(&args)[0]["ruleset"], "wakeng-bomb");
    let changed =
        shipped.replace("run_top = \"K\"", "run_top = \"A\"").replace("\"wakeng-bomb\"", "\"house\"");
    assert_ne!(changed, shipped);
    std::fs::write(&path, changed).unwrap();
    let header = headers(&args).remove(0);
    let rules = &header["rules"];
    assert_eq!((&rules["base"], &rules["run_top"]), (&"wakeng-bomb".into(), &"A".into()));
    let record = folder.path().join("record");
    std::fs::write(&record, format!("{header}\n")).unwrap();
    assert!(fushi(&["replay", record.to_str().unwrap()]).status.success());
    for (text, part) in [
        ("", "missing"),
        ("run_tpo = 1", "run_tpo"),
        ("= =", "TOML"),
        (&shipped.replace("run_top", "run_tpo"), "run_top"),
    ] {
        std::fs::write(&path, text).unwrap();
        refused(1, part, &args);
    }
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    refused(1, "rules.toml", &args);
    refused(1, "nowhere.toml", &["--ruleset-file", "nowhere.toml", "--seed", "x"]);
    // A path that never ends is read no further than a ruleset can be long.
    refused(1, "at most", &["--ruleset-file", "/dev/zero", "--seed", "x"]);
    refused(1, "cannot read", &["--ruleset-file", folder.path().to_str().unwrap(), "--seed", "x"]);
}

#[test]
fn wrong_input_ends_with_1_and_one_line() {
    for range in
        ["", "0", "0-3", "9-3", "3-", "-3", "1-2-3", "a", "1.5", "+3", " 3", "1–16", "4294967296", "٣"]
    {
        refused(1, "--boards", &["--seed", "x", &format!("--boards={range}")]);
    }
    refused(1, "1000000", &["--seed", "x", "--boards", "1000001"]);
    refused(1, "1000000", &["--seed", "x", "--boards", "1-4294967295"]);
    refused(2, "did you mean `wakeng`", &["--game", "wakneg", "--seed", "x"]);
    refused(2, "did you mean `wakeng-jj`", &["--ruleset", "wakeng-jl", "--seed", "x"]);
    refused(2, "holdem", &["--game", "bridge", "--seed", "x"]);
    for seed in ["", " ", &"x".repeat(1025)] {
        refused(1, "seed", &["--seed", seed]);
    }
    for set in ["", "R 1", "R/1", "一", &"x".repeat(65)] {
        refused(1, "--set", &["--seed", "x", "--set", set]);
    }
}

#[test]
fn malformed_keys_end_with_1_and_are_not_repeated() {
    let upper = KEY.to_uppercase();
    let bad = ["", &KEY[..62], &KEY[1..], &upper, &format!(" {KEY}"), &format!("{KEY} "), &"g".repeat(64)];
    for bad in bad {
        for (args, what) in [
            (["--set-key", bad, "--announcement-hash", HASH, "--set", "R1"], "set key"),
            (["--set-key", KEY, "--announcement-hash", bad, "--set", "R1"], "--announcement-hash"),
        ] {
            refused(1, what, &args);
            let stderr = String::from_utf8(fushi(&[&["deal"], &args[..]].concat()).stderr).unwrap();
            assert!(bad.trim().is_empty() || !stderr.contains(bad.trim()), "{stderr}");
        }
    }
    for delayed in ["", " ", "上证", "1\u{0007}"] {
        let mut args = key_args();
        args.extend(["--delayed", delayed]);
        refused(1, "delayed", &args);
    }
}

#[test]
fn flags_that_do_not_fit_together_end_with_2() {
    refused(2, "--announcement-hash", &["--set-key", KEY, "--set", "R1"]);
    refused(2, "--set", &["--set-key", KEY, "--announcement-hash", HASH]);
    refused(2, "--seed", &["--seed", "x", "--set-key", KEY, "--announcement-hash", HASH, "--set", "R1"]);
    refused(2, "--set-key", &["--delayed", "7"]);
    refused(2, "--ruleset", &["--seed", "x", "--ruleset", "wakeng-jj", "--ruleset-file", "x"]);
    refused(2, "--sede", &["--sede", "x"]);
    refused(2, "--format", &["--seed", "x", "--format", "yaml"]);
}

#[test]
fn errors_are_said_in_the_language_asked_for() {
    let say = |lang: &str| String::from_utf8(fushi(&["--lang", lang, "deal", "--seed", ""]).stderr).unwrap();
    assert!(say("en").contains("The seed is blank"));
    assert!(say("zh-CN").contains("种子为空白"));
    assert!(say("zh-TW").contains("種子為空白"));
}
