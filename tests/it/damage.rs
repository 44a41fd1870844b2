//! Journals that are damaged on the disk: one line concerns its own board at its own table, and can be ruled on.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use fushi::event::live::Pace;
use fushi::store::Store;
use serde_json::{Value, json};

use crate::files::{fushi, text, url, with_chief};
use crate::live::{fields, player, prepared, report};
use crate::server::{Client, Program};
use crate::web_accounts::{PASSWORD, log_in};

/// An event that was played to its end by a server, and its boards at tables.
fn played(folder: &Path) -> (PathBuf, Vec<fushi::event::archive::PlayRow>) {
    let (database, file) = prepared(folder, fields("human-ai", 4, 4, Pace::Own), 3);
    let mut server = Program::start(&database, &[]);
    report(&player(&server.base, &file, &[]).output().unwrap());
    server.terminate();
    let plays = Store::open(&url(&database)).unwrap().plays("live").unwrap();
    assert_eq!(plays.len(), 12);
    (database, plays)
}

/// The event's journal says what the board came to; its own journal has lost its last line, or nearly all of them.
#[test]
fn a_board_whose_last_line_is_lost_is_damaged_and_neither_it_nor_a_later_one_is_opened_again() {
    for lines in ["= (SELECT max(seq) FROM journal WHERE play_id = 1)", "> 3"] {
        let folder = tempfile::tempdir().unwrap();
        let (database, plays) = played(folder.path());
        let hurt = &plays[0];
        assert_eq!(hurt.id.0, 1);
        let before = lines_of_first(&database);
        let mut raw = SqliteConnection::establish(text(&database)).unwrap();
        raw.batch_execute(&format!(
            "DROP TRIGGER journal_kept; DROP TRIGGER IF EXISTS commands_kept;
             DELETE FROM commands WHERE play_id = 1; DELETE FROM journal WHERE play_id = 1 AND seq {lines}"
        ))
        .unwrap();
        drop(raw);
        let left = lines_of_first(&database);
        assert!(left < before, "{lines}");
        let log = folder.path().join("log");
        let (mut server, client) = with_chief(&database, &log);
        let chief = log_in(&client, "chief");
        let api = "/api/v1/events/live";
        let floor = chief.get(&format!("{api}/floor?state=all")).ok();
        let progress = &floor["progress"];
        assert_eq!((&progress["open"], &progress["over"]), (&json!(0), &json!(12)), "{lines}: {progress}");
        assert_eq!(client.get(&format!("{api}/standings")).ok()["complete"], true);
        for play in &plays {
            let (board, table) = (play.play.number, play.play.table_number);
            let sheet = client.get(&format!("{api}/boards/{board}")).ok();
            let one = sheet["tables"].as_array().unwrap().iter().find(|one| one["table"] == table).unwrap();
            assert_eq!(one["damaged"].is_string(), play.id == hurt.id, "{lines}: {board}/{table}");
            let replay = client.get(&format!("{api}/boards/{board}/tables/{table}"));
            assert_eq!(replay.status, if play.id == hurt.id { 422 } else { 200 }, "{lines}: {board}/{table}");
        }
        server.terminate();
        assert_eq!(lines_of_first(&database), left, "{lines}");
        let said = fs::read_to_string(&log).unwrap();
        assert!(!said.contains("exists already"), "{said}");
    }
}

#[test]
fn a_line_that_is_damaged_while_the_server_runs_is_refused_as_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let (database, plays) = played(folder.path());
    let hurt = &plays[0].play;
    let doors = [
        format!("/api/v1/events/live/boards/{}/tables/{}", hurt.number, hurt.table_number),
        format!("/events/live/boards/{}/tables/{}", hurt.number, hurt.table_number),
    ];
    let sheet = format!("/api/v1/events/live/boards/{}", hurt.number);
    let at_table = |client: &Client| {
        let sheet = client.get(&sheet).ok();
        let one = sheet["tables"].as_array().unwrap().iter().find(|one| one["table"] == hurt.table_number);
        one.unwrap()["damaged"].is_string()
    };
    for damage in ["'{'", "replace(body, '\"at\":', '\"at\":1')"] {
        let mut server = Program::start(&database, &[]);
        let client = Client::new(&server.base);
        assert_eq!(doors.each_ref().map(|door| client.get(door).status), [200, 200]);
        assert!(!at_table(&client));
        let mut raw = SqliteConnection::establish(text(&database)).unwrap();
        raw.batch_execute(&format!(
            "CREATE TEMP TABLE kept AS SELECT * FROM journal WHERE play_id = 1 AND seq = 3;
             DROP TRIGGER IF EXISTS journal_fixed;
             UPDATE journal SET body = {damage} WHERE play_id = 1 AND seq = 3"
        ))
        .unwrap();
        let running = doors.each_ref().map(|door| client.get(door).status);
        assert!(at_table(&client));
        server.terminate();
        let mut server = Program::start(&database, &[]);
        let client = Client::new(&server.base);
        assert_eq!(running, doors.each_ref().map(|door| client.get(door).status), "{damage}");
        assert_eq!(running[0], 422);
        assert_eq!(client.get(&doors[0]).code(), "refused");
        assert!(at_table(&client));
        server.terminate();
        raw.batch_execute(
            "UPDATE journal SET body = (SELECT body FROM kept) WHERE play_id = 1 AND seq = 3; DROP TABLE kept",
        )
        .unwrap();
    }
}

/// One line of three journals is damaged, each in another way.
#[test]
fn a_damaged_line_concerns_its_own_board_at_its_own_table_only() {
    let folder = tempfile::tempdir().unwrap();
    let (database, plays) = played(folder.path());
    let hurt = [&plays[1], &plays[5], &plays[10]];
    let mut raw = SqliteConnection::establish(text(&database)).unwrap();
    raw.batch_execute("DROP TRIGGER journal_fixed").unwrap();
    for (play, damage) in
        hurt.iter().zip(["'{'", "CAST(x'ff' AS TEXT) || body", "replace(body, '\"seq\"', '\"sep\"') || ' '"])
    {
        raw.batch_execute(&format!(
            "UPDATE journal SET body = {damage} WHERE play_id = {} AND seq = 3",
            play.id.0
        ))
        .unwrap();
    }
    drop(raw);
    let (mut server, client) = with_chief(&database, &folder.path().join("log"));
    let chief = log_in(&client, "chief");
    let grants = json!([{"role": "chief-referee"}]);
    let head = json!({"name": "head", "display": "H", "password": PASSWORD, "grants": grants});
    chief.post("/api/v1/accounts", &head).ok();
    let head = log_in(&client, "head");
    let api = "/api/v1/events/live";
    let standings = client.get(&format!("{api}/standings")).ok();
    assert_eq!((&standings["complete"], standings["standings"].as_array().unwrap().len()), (&json!(true), 3));
    for view in ["ranking", "cross-tab", "seats"] {
        assert_eq!(client.get(&format!("{api}/views/{view}")).status, 200, "{view}");
    }
    let rows = |client: &Client| -> Vec<Vec<String>> {
        let csv = client.get(&format!("{api}/views/results?format=csv")).text();
        csv.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let place = |play: &fushi::event::archive::PlayRow| {
        (play.play.number.to_string(), play.play.table_number.to_string())
    };
    let is_hurt = |row: &[String]| hurt.iter().any(|play| place(play) == (row[0].clone(), row[4].clone()));
    let before = rows(&client);
    assert_eq!(before.len(), 12);
    for row in &before {
        // What a finished board came to stands in the event's journal.
        assert!(row[6] == "played" && !row[3].is_empty(), "{row:?}");
    }
    assert_eq!(before.iter().filter(|row| is_hurt(row)).count(), 3);
    // The boards name them.
    for play in &plays {
        let (board, table) = place(play);
        let sheet = client.get(&format!("{api}/boards/{board}")).ok();
        let one = sheet["tables"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["table"].as_u64() == table.parse().ok())
            .unwrap();
        let bad = hurt.iter().any(|other| other.id == play.id);
        assert_eq!(one["damaged"].is_string(), bad, "{board}/{table}");
        let replay = client.get(&format!("{api}/boards/{board}/tables/{table}"));
        assert_eq!(replay.status, if bad { 422 } else { 200 }, "{}", replay.text());
    }
    // It is ruled: a score, a status, a void.
    let row = |place: (String, String)| {
        before.iter().find(|row| (row[0].clone(), row[4].clone()) == place).unwrap().clone()
    };
    let [one, two, three] = hurt.map(|play| row(place(play)));
    let board = |row: &[String]| row[0].parse::<u32>().unwrap();
    let decisions = [
        json!({"score": {"board": board(&one), "entrant": one[2], "score": 3}}),
        json!({"status": {"board": board(&two), "entrant": two[2], "status": "A+"}}),
        json!({"void": {"board": board(&three)}}),
    ];
    for (number, decision) in (1..).zip(&decisions) {
        let body = json!({"number": number, "reason": "the record is damaged", "decision": decision});
        head.post(&format!("{api}/rulings"), &body).ok();
    }
    let ruled: Vec<Value> = rows(&chief)
        .iter()
        .filter(|row| is_hurt(row) && board(row) != board(&three))
        .map(|row| json!([row[2], row[3], row[6]]))
        .collect();
    if board(&one) != board(&three) {
        assert!(ruled.contains(&json!([one[2], "3", "played"])), "{ruled:?}");
    }
    if board(&two) != board(&three) {
        assert!(ruled.contains(&json!([two[2], two[3], "A+"])), "{ruled:?}");
    }
    // The event goes on to its end, and the bundle says truly what is wrong.
    chief.post(&format!("{api}/revisions"), &json!({"state": "official", "reason": "over"})).ok();
    chief.post(&format!("{api}/reveal"), &json!({"reason": "over"})).ok();
    let bundle = client.get(&format!("{api}/bundle"));
    assert_eq!(bundle.status, 200, "{}", bundle.text());
    let path = folder.path().join("live.fushi");
    fs::write(&path, &bundle.bytes).unwrap();
    let verified = fushi(&["verify", text(&path), "--format", "json"]);
    assert_eq!(verified.status.code(), Some(1));
    let verdict: Value = serde_json::from_slice(&verified.stdout).unwrap();
    let first = place(hurt[0]);
    assert_eq!(verdict["ok"], false);
    assert_eq!(verdict["table"].to_string(), first.1, "{verdict}");
    assert!(verdict["board"].as_str().unwrap().ends_with(&format!("/{}", first.0)), "{verdict}");
    assert_eq!(verdict["entry"], 3, "{verdict}");
    server.terminate();
}

/// The hall of an event that is being played opens although a journal is damaged; everybody else plays on.
#[test]
fn a_damaged_journal_does_not_keep_the_hall_of_its_event_closed() {
    let folder = tempfile::tempdir().unwrap();
    let (database, file) = prepared(folder.path(), fields("human-ai", 4, 4, Pace::Own), 3);
    let mut server = Program::start(&database, &[]);
    let mut client = player(&server.base, &file, &["--think", "40"]).spawn().unwrap();
    let begun = Instant::now();
    while lines_of_first(&database) < 4 {
        assert!(begun.elapsed() < Duration::from_mins(1), "the first board is played");
        std::thread::sleep(Duration::from_millis(20));
    }
    client.kill().unwrap();
    client.wait().unwrap();
    server.kill();
    let mut raw = SqliteConnection::establish(text(&database)).unwrap();
    raw.batch_execute(
        "DROP TRIGGER journal_fixed; UPDATE journal SET body = 'x' WHERE play_id = 1 AND seq = 2",
    )
    .unwrap();
    drop(raw);
    let (server, client) = with_chief(&database, &folder.path().join("log"));
    let chief = log_in(&client, "chief");
    report(&player(&server.base, &file, &[]).output().unwrap());
    let floor = chief.get("/api/v1/events/live/floor?state=damaged").ok();
    assert_eq!(floor["places"].as_array().unwrap().len(), 1, "{floor}");
    assert_eq!((&floor["progress"]["over"], &floor["progress"]["plays"]), (&json!(12), &json!(12)));
    assert_eq!(client.get("/api/v1/events/live/standings").ok()["complete"], true);
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    value: i64,
}

/// How many lines the first journal has.
fn lines_of_first(database: &Path) -> i64 {
    let mut raw = SqliteConnection::establish(text(database)).unwrap();
    let count: Count = diesel::sql_query("SELECT count(*) AS value FROM journal WHERE play_id = 1")
        .get_result(&mut raw)
        .unwrap();
    count.value
}
