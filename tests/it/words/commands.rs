//! Commands refuse in Chinese, and kinds of faults that also speak English by themselves say the same in both.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use fushi::event::EventError;
use fushi::event::archive::ArchiveError;
use fushi::formats::ruling::RulingFault;
use fushi::formats::tally::TallyFault;
use fushi::scoring::{EntryFault, Exact, Method, PenaltyFault, PutFault};
use fushi::words::{Lang, Message, say};

use super::{CHINESE, holds, is_chinese};

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
    write("key.toml", b"lissen = 1\n");
    write("range.toml", b"[passwords]\npasses = 0\n");
    write("url.toml", b"public_url = \"play.example.org\"\n");
    write("log.toml", b"log = \"jason\"\n");
    write("type.toml", b"workers = \"two\"\n");
    write("broken.toml", b"listen = \n");
    write("short.sqlite.key", b"short");
    let cases: [&[&str]; 52] = [
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
        &["verify", "bad.fushi", "--announcement-hash", "zz"],
        &["deal", "--set", "s1", "--set-key", "zz", "--announcement-hash", "zz"],
        &["export", "missing"],
        &["export", "bad.fushi"],
        &["demo", "--seed", ""],
        &["demo", "--measure", "small-points", "--game", "wakeng"],
        &["equity", "X", "?"],
        &["play", "--url", "http://127.0.0.1:1"],
        &["play", "--url", "nowhere", "--token", "t"],
        &["play", "--url", "http://127.0.0.1:1", "--token", "t", "--seconds", "1"],
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
        &["serve", "--listen", "192.0.2.1:1"],
        &["serve", "--log", "jason"],
        &["serve", "--config", "missing.toml"],
        &["serve", "--config", "key.toml"],
        &["serve", "--config", "range.toml"],
        &["serve", "--config", "url.toml"],
        &["serve", "--config", "log.toml"],
        &["serve", "--config", "broken.toml"],
        &["serve", "--config", "type.toml"],
        &["serve", "--listen", "127.0.0.1:0", "--database", "mysql:x"],
        &["serve", "--listen", "127.0.0.1:0", "--database", "sqlite:short.sqlite"],
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

/// The lines that scripts read come first and are the same in every language; the reader's own follow.
#[test]
fn a_server_says_where_it_is_for_scripts_and_in_the_readers_language() {
    let folder = tempfile::tempdir().unwrap();
    for (lang, first_words, setup_words) in
        [(Lang::ZhCn, "服务器已启动", "首次启动"), (Lang::ZhTw, "伺服器已啟動", "首次啟動")]
    {
        let database = format!("sqlite:{}", folder.path().join(format!("{lang}.sqlite")).display());
        let mut child = Command::new(env!("CARGO_BIN_EXE_fushi"))
            .args(["--lang", lang.tag(), "serve", "--listen", "127.0.0.1:0", "--database", &database])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let lines: Vec<String> = lines.take(4).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        let base = lines[0].strip_prefix("listening on ").expect("the line for scripts").to_owned();
        assert!(
            lines[1].starts_with(&format!("first start: create the chief organizer at {base}/setup#token="))
        );
        assert!(lines[2].starts_with(first_words) && lines[2].ends_with(&base), "{lines:?}");
        let link = lines[1].rsplit(' ').next().unwrap();
        assert!(lines[3].starts_with(setup_words) && lines[3].ends_with(link), "{lines:?}");
    }
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
            PutFault::Penalty(PenaltyFault::NoTop(Method::Total)),
            PutFault::Penalty(PenaltyFault::NotPositive),
            PutFault::Penalty(PenaltyFault::AboveTop),
            PutFault::Penalty(PenaltyFault::BeyondScale { method: Method::Butler, most: Exact::from(24) }),
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
        RulingFault::BadStanding("stand-in"),
        RulingFault::Bye("p".to_owned(), 7),
        RulingFault::Penalty(PenaltyFault::AboveTop),
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
        EventError::Damaged(what()),
        EventError::Stuck { board: "1".to_owned(), table: 2, detail: what() },
        EventError::Write(what()),
        EventError::Tally(TallyFault::Result(PutFault::NoSuchEntrant)),
        EventError::Ruling(RulingFault::NoReason),
    ];
    told.extend(desk.map(|error| (error.to_string(), error.message())));
    told.extend(archive().map(EventError::Archive).map(|error| (error.to_string(), error.message())));
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
