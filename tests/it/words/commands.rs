//! Commands refuse in Chinese, and kinds of faults that also speak English by themselves say the same in both.

use std::process::Command;

use fushi::desk::DeskError;
use fushi::desk::archive::ArchiveError;
use fushi::journal::ruling::RulingFault;
use fushi::journal::tally::TallyFault;
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
