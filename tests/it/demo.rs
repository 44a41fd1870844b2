//! `fushi demo` and `fushi verify`, on the real program.

use std::path::Path;
use std::process::{Command, Output};

use fushi::formats::Format;
use fushi::formats::ruling::Decision;
use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::journal::verify::{Options, verify};
use fushi::scoring::{Basis, Method, Rules};

use crate::bundle::{HUMAN_AI, Parts, event_of, parts, played, request, resigned};

fn fushi(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(args)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// One line that begins with the program's name, and the exit code.
fn refused(output: &Output, code: i32) -> String {
    let line = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{line}");
    assert!(line.starts_with("fushi: ") && line.trim_end().lines().count() == 1, "{line}");
    line
}

const SMALL: [&str; 9] = ["demo", "--seed", "t1", "--entrants", "4", "--boards", "3", "--ai", "random"];

#[test]
fn the_last_line_of_a_demonstration_is_the_command_that_accepts_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = fushi(folder.path(), &SMALL);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "no progress bar without a terminal: {}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert_eq!(shown.lines().last(), Some("fushi verify demo-t1.fushi"));
    assert!(shown.contains("Ranking by score-rate") && shown.contains("Cross-tabulation"));
    let checked = fushi(folder.path(), &["verify", "demo-t1.fushi"]);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    assert!(text(&checked.stdout).contains("Everything agrees."));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
}

#[test]
fn a_demonstration_again_is_the_same_and_never_replaces_another_file_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let with_output = [&SMALL[..], &["--output", "out dir"]].concat();
    let first = fushi(folder.path(), &with_output);
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert_eq!(text(&first.stdout).lines().last(), Some("fushi verify 'out dir/demo-t1.fushi'"));
    let bundle = folder.path().join("out dir/demo-t1.fushi");
    let bytes = std::fs::read(&bundle).unwrap();
    assert!(folder.path().join("out dir/demo-t1.sqlite").is_file());
    let again = fushi(folder.path(), &with_output);
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(std::fs::read(&bundle).unwrap(), bytes);
    std::fs::write(&bundle, "precious").unwrap();
    assert!(refused(&fushi(folder.path(), &with_output), 1).contains("--force"));
    assert_eq!(std::fs::read(&bundle).unwrap(), b"precious");
    let forced = fushi(folder.path(), &[&with_output[..], &["--force"]].concat());
    assert!(forced.status.success());
    assert_eq!(std::fs::read(&bundle).unwrap(), bytes);
    assert_eq!(std::fs::read_dir(folder.path().join("out dir")).unwrap().count(), 2);
}

#[test]
fn sizes_and_words_that_cannot_be_are_refused_in_one_line_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    for bad in [
        &["demo", "--entrants", "0"][..],
        &["demo", "--boards", "0"],
        &["demo", "--entrants", "4000000000", "--boards", "4000000000"],
        &["demo", "--entrants", "10000", "--boards", "1000"],
        &["demo", "--ruleset-file", "missing.toml"],
        &["demo", "--seed", " "],
        &["demo", "--event-format", "pairs"],
    ] {
        refused(&fushi(folder.path(), bad), 1);
    }
    for bad in [
        &["demo", "--ai", "randm"][..],
        &["demo", "--ai", ""],
        &["demo", "--opponents", "nobody"],
        &["demo", "--ruleset", "wakeng-bom"],
    ] {
        refused(&fushi(folder.path(), bad), 2);
    }
    for bad in
        [&["demo", "--entrants", "-1"][..], &["demo", "--entrants", "many"], &["demo", "--game", "chess"]]
    {
        assert_eq!(fushi(folder.path(), bad).status.code(), Some(2));
    }
    let near = text(&fushi(folder.path(), &["demo", "--ai", "randm"]).stderr);
    assert!(near.contains("did you mean `random`"), "{near}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn json_is_one_object_with_the_documented_fields() {
    let folder = tempfile::tempdir().unwrap();
    let output = fushi(folder.path(), &[&SMALL[..], &["--format", "json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert_eq!(shown.lines().count(), 1);
    let value: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let documented = "event title seed game ruleset table event_format method entrants boards announcement_hash \
        published_at delayed journals entries ranking standings crosstab revealed ai_key bundle bundle_sha256 database next";
    assert_eq!(keys, documented.split_whitespace().collect::<Vec<_>>());
    assert_eq!(value["next"], "fushi verify demo-t1.fushi");
    assert_eq!(value["ranking"].as_array().unwrap().len(), 4);
    let bytes = std::fs::read(folder.path().join("demo-t1.fushi")).unwrap();
    assert_eq!(value["bundle_sha256"], hex::encode(fushi::canonical::sha256(&bytes)));
    let hash = value["announcement_hash"].as_str().unwrap();
    let report =
        fushi(folder.path(), &["verify", "demo-t1.fushi", "--format", "json", "--announcement-hash", hash]);
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!((&report["ok"], &report["journals"]), (&true.into(), &12.into()));
}

#[test]
fn verify_names_what_is_wrong_and_ends_with_code_1() {
    let folder = tempfile::tempdir().unwrap();
    assert!(fushi(folder.path(), &SMALL).status.success());
    let path = folder.path().join("demo-t1.fushi");
    let bytes = std::fs::read(&path).unwrap();
    let changed = text(&bytes).replacen("\"do\":\"pass\"", "\"do\":\"Pass\"", 1);
    std::fs::write(folder.path().join("changed"), changed).unwrap();
    let line = refused(&fushi(folder.path(), &["verify", "changed"]), 1);
    assert!(
        ["changed: line ", "journal", "board s1/", "table ", "entry "].iter().all(|word| line.contains(word))
    );
    let output = fushi(folder.path(), &["verify", "changed", "--format", "json"]);
    let wrong: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&wrong["ok"], &wrong["section"]), (&false.into(), &"journal".into()));
    assert!(wrong["line"].is_u64() && wrong["entry"].is_u64());
    std::fs::write(folder.path().join("empty"), "").unwrap();
    for bad in ["empty", "missing", "."] {
        refused(&fushi(folder.path(), &["verify", bad]), 1);
    }
    let zeros = "00".repeat(32);
    for hash in [zeros.as_str(), "zz", "", &"AA".repeat(32)] {
        refused(&fushi(folder.path(), &["verify", "demo-t1.fushi", "--announcement-hash", hash]), 1);
    }
    assert_eq!(fushi(folder.path(), &["verify"]).status.code(), Some(2));
}

#[test]
fn a_drawn_seed_is_printed_and_plays_the_same_event_again() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["demo", "--entrants", "2", "--boards", "1", "--ai", "random", "--format", "json"];
    let output = fushi(folder.path(), &args);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let seed = value["seed"].as_str().unwrap();
    let again = fushi(folder.path(), &[&args[..], &["--seed", seed]].concat());
    assert_eq!(again.stdout, output.stdout);
}

#[test]
fn duplicate_holdem_compares_the_same_seats_and_is_proved() {
    for method in [Method::ScoreRate, Method::PlacePoints] {
        let mut request = request::<Holdem>("holdem", 12, 12, Format::Individual);
        request.scoring = Rules::of(method);
        let (_folder, _store, played, bytes) = played(&request);
        let report = verify(&bytes[..], &Options::default()).unwrap();
        assert_eq!(report.game, "holdem");
        assert_eq!(played.tally.standings.iter().filter(|line| line.rank.is_some()).count(), 12);
        // Chips are conserved: on every board the seats of a table win and lose the same.
        for board in 1..=12 {
            let sum: i64 = played
                .tally
                .results
                .iter()
                .filter(|line| line.board == board)
                .filter_map(|line| line.score.as_ref()?.int())
                .sum();
            assert_eq!(sum, 0, "board {board}");
        }
    }
}

#[test]
fn duplicate_pairs_at_tuolaji_are_compared_by_direction_and_proved() {
    use fushi::formats::settings::Measure;
    for (method, measure) in [(Method::ScoreRate, Measure::Score), (Method::CrossImp, Measure::SmallPoints)] {
        let mut request = request::<Tuolaji>("tuolaji", 4, 4, Format::Pairs);
        request.scoring = Rules::of(method);
        request.measure = measure;
        let (_folder, _store, played, bytes) = played(&request);
        let report = verify(&bytes[..], &Options::default()).unwrap();
        assert_eq!(report.game, "tuolaji");
        let seats: std::collections::BTreeSet<&str> =
            played.tally.results.iter().map(|line| line.seat.as_str()).collect();
        assert_eq!(seats.len(), 2, "two directions: {seats:?}");
        assert_eq!(played.tally.standings.iter().filter(|line| line.rank.is_some()).count(), 4);
    }
}

#[test]
fn a_void_board_is_replayed_from_the_reserve_set_and_all_of_it_is_proved() {
    for (format, entrants, boards, void) in [(HUMAN_AI, 5, 3, 2), (Format::Individual, 6, 4, 3)] {
        let mut request = request::<Wakeng>("replay", entrants, boards, format);
        request.replay = Some(void);
        let (_folder, store, played, bytes) = played(&request);
        let report = verify(&bytes[..], &Options::default()).unwrap();
        assert_eq!((report.rulings, report.boards), (1, u64::from(boards) + 1));
        let instead = boards + 1;
        let of = |board: u32| played.tally.results.iter().filter(move |line| line.board == board);
        for line in of(void) {
            assert_eq!((line.value.as_ref(), line.basis, &line.rulings[..]), (None, Basis::Void, &[1][..]));
        }
        let seated =
            |board| -> Vec<_> { of(board).map(|line| (&line.entrant, &line.seat, line.table)).collect() };
        assert_eq!(seated(void), seated(instead), "everybody sits as before");
        assert_eq!(of(instead).filter(|line| line.table.is_some()).count(), entrants as usize);
        assert!(of(instead).filter(|line| line.table.is_some()).all(|line| line.value.is_some()));
        for line in &played.tally.standings {
            let counting = played.tally.results.iter().filter(|result| result.entrant == line.entrant);
            let counting = counting.filter(|result| result.value.is_some());
            assert_eq!(line.boards as usize, counting.count());
        }
        let reserve = played.revealed.last().unwrap();
        assert_eq!(reserve.set, "reserve");
        let journal = fushi::event::log::replayed(&store, &played.event.id).unwrap();
        let decisions: Vec<_> =
            journal.competition().rulings().iter().map(|ruling| ruling.decision.clone()).collect();
        assert_eq!(decisions, [Decision::Void { board: void }]);
        let replays: Vec<_> = journal
            .competition()
            .replays()
            .iter()
            .map(|replay| (replay.board, replay.instead, replay.ruling))
            .collect();
        assert_eq!(replays, [(void, instead, 1)]);
        // Both were played to their end at every table; that one is void is what the event's journal says.
        for (set, number) in [("s1", void), ("reserve", instead)] {
            let sittings =
                journal.competition().sittings().iter().filter(|sitting| sitting.deal.board == number);
            let over = |id| journal.competition().finished(id).is_some_and(|one| !one.scores.is_empty());
            let found: Vec<_> = sittings.map(|one| (one.deal.set.as_str(), over(one.sitting))).collect();
            assert!(!found.is_empty() && found.iter().all(|one| *one == (set, true)), "{found:?}");
        }
    }
}

#[test]
fn a_replay_without_its_reason_key_movement_deal_or_results_is_refused() {
    let mut request = request::<Wakeng>("replay", 3, 2, HUMAN_AI);
    request.replay = Some(1);
    let (_folder, _store, _played, bytes) = played(&request);
    let text = String::from_utf8(bytes).unwrap();
    let find = |parts: &[&str]| {
        let holds = |line: &&str| parts.iter().all(|part| line.contains(part));
        text.lines().rfind(holds).unwrap_or_else(|| panic!("no line with {parts:?}"))
    };
    // The server itself signs the changed file again: only what it says can give it away.
    let code = |line: &str, instead: &str| {
        let line = format!("{line}\n");
        let instead = if instead.is_empty() { String::new() } else { format!("{instead}\n") };
        let changed = text.replacen(&line, &instead, 1);
        assert_ne!(changed, text);
        verify(&resigned(&changed, "replay")[..], &Options::default()).unwrap_err().code
    };
    let key = find(&["\"section\":\"set\"", "\"set\":\"reserve\""]);
    assert_eq!(code(key, ""), "no_set");
    let other = find(&["\"section\":\"set\"", "\"set\":\"s1\""]);
    let stolen = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        value["key"].as_str().unwrap().to_owned()
    };
    assert_eq!(code(key, &key.replace(&stolen(key), &stolen(other))), "wrong_key");
    // The same for lines of the event's journal, which the server numbers and chains again.
    let told = |damage: &dyn Fn(&mut Parts)| {
        let mut parts = parts(&text);
        damage(&mut parts);
        for (seq, line) in (1_u32..).zip(&mut parts.events) {
            line.insert("seq".to_owned(), seq.into());
        }
        verify(&parts.rechained("replay")[..], &Options::default()).unwrap_err().code
    };
    assert_eq!(parts(&text).rechained("replay"), text.as_bytes(), "chaining again changes nothing by itself");
    let without = |fact: &'static str| {
        move |parts: &mut Parts| {
            let place = parts.events.iter().rposition(|line| line["fact"].get(fact).is_some()).unwrap();
            parts.events.remove(place);
        }
    };
    let reason = "cards of board 1 were seen before play";
    assert!(event_of(&mut parts(&text), "ruling").get("fact").unwrap().to_string().contains(reason));
    for fact in ["ruling", "replay", "round"] {
        assert_eq!(told(&without(fact)), "fact_refused", "{fact}");
    }
    let moved = |parts: &mut Parts| {
        let round = parts.events.iter_mut().rfind(|line| line["fact"].get("round").is_some()).unwrap();
        let deal = &mut round["orders"][0]["sit"]["deal"];
        assert_eq!((deal["set"].as_str(), deal["board"].as_u64()), (Some("reserve"), Some(3)));
        deal["board"] = 4.into();
    };
    assert_eq!(told(&moved), "other_orders");
    let result = find(&["\"section\":\"result\"", "\"board\":3"]);
    let other = if result.contains("\"score\":-") {
        ("\"score\":-", "\"score\":")
    } else {
        ("\"score\":", "\"score\":1")
    };
    assert_eq!(code(result, &result.replace(other.0, other.1)), "not_as_published");
}

#[test]
fn a_board_that_is_not_there_cannot_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let output = fushi(folder.path(), &[&SMALL[..], &["--replay-board", "4"]].concat());
    assert!(refused(&output, 1).contains("there is no board 4 to replay: the boards are 1 to 3"));
    let output = fushi(folder.path(), &[&SMALL[..], &["--replay-board", "3"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let checked = fushi(folder.path(), &["verify", "demo-t1.fushi"]);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
}

/// Everything in a folder, hidden files too.
fn left_in(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap();
    names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// An interruption in the middle leaves nothing behind, hidden or half-written, wherever the work is done.
#[cfg(unix)]
#[test]
fn an_interrupted_demonstration_leaves_nothing_behind() {
    for (signal, output) in [("-INT", true), ("-TERM", true), ("-INT", false)] {
        let (folder, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut arguments =
            vec!["demo", "--seed", "cut", "--entrants", "1000", "--boards", "100", "--ai", "random"];
        if output {
            arguments.extend(["--output", "."]);
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_fushi"))
            .args(&arguments)
            .current_dir(folder.path())
            .env("TMPDIR", temporary.path())
            .env("LC_ALL", "C")
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let work = if output { folder.path() } else { temporary.path() };
        let begun = std::time::Instant::now();
        // The database is there: the event is being played.
        let playing = || left_in(work).iter().any(|name| work.join(name).join("event.sqlite-wal").exists());
        while !playing() {
            assert!(begun.elapsed().as_secs() < 60 && child.try_wait().unwrap().is_none(), "it never began");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(left_in(folder.path()), Vec::<String>::new(), "{signal}");
        assert_eq!(left_in(temporary.path()), Vec::<String>::new(), "{signal}");
    }
}

/// A full disk, or a full device behind standard output: one line, exit code 1, nothing half-written.
#[cfg(target_os = "linux")]
#[test]
fn a_demonstration_that_cannot_be_written_says_so_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for blocks in ["8", "300"] {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_fushi")])
            .args([&SMALL[..], &["--output", "."]].concat())
            .current_dir(folder.path())
            .env("LC_ALL", "C")
            .output()
            .unwrap();
        refused(&output, 1);
        assert_eq!(left_in(folder.path()), Vec::<String>::new(), "at most {blocks} blocks");
    }
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in [&SMALL[..], &[&SMALL[..], &["--format", "json"]].concat()] {
        let output = Command::new(env!("CARGO_BIN_EXE_fushi"))
            .args(arguments)
            .current_dir(folder.path())
            .env("LC_ALL", "C")
            .stdout(full())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap();
        assert!(refused(&output, 1).contains("cannot write to standard output"));
    }
}

/// A place is a number here as in `fushi rank --format json`.
#[test]
fn a_place_in_the_json_of_a_demonstration_is_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let output = fushi(folder.path(), &[&SMALL[..], &["--format", "json"]].concat());
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let places: Vec<_> = shown["ranking"].as_array().unwrap().iter().map(|row| row["rank"].clone()).collect();
    assert_eq!(places.len(), 4);
    assert!(places.iter().all(serde_json::Value::is_u64), "{places:?}");
    assert_eq!(places[0], 1);
}
