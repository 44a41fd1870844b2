//! Running an event over HTTP: rounds, pause, floor, orders, the end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::{Client, Inside, Program, folder};
use crate::socket::{self, Wire};
use crate::web_accounts::{PASSWORD, log_in, somebody, with_chief};
use crate::web_events::{draft, enter, locked};

/// Waits until a question is answered with yes.
fn until(what: &str, mut question: impl FnMut() -> bool) {
    let started = Instant::now();
    while !question() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what} did not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// An event by rounds in which programs of the server play every seat.
fn programs(chief: &Client, id: &str, delay: u32) {
    let more = json!({"format": "individual", "pace": "rounds", "boards": 6, "boards_per_round": 3, "between_s": 0,
                      "opponents": "random", "ai_delay_ms": delay, "late_s": 0});
    draft(chief, id, &more);
    for number in 0..6 {
        let body = json!({"name": format!("P{number}"), "level": "random"});
        chief.post(&format!("/api/v1/events/{id}/entrants"), &body).ok();
    }
    chief.post(&format!("/api/v1/events/{id}/announcement"), &json!({})).ok();
    chief.post(&format!("/api/v1/events/{id}/lock"), &json!({})).ok();
}

fn progress(client: &Client, id: &str) -> Value {
    client.get(&format!("/api/v1/events/{id}/progress")).ok()["progress"].clone()
}

#[test]
fn rounds_are_started_in_order_and_an_event_of_programs_plays_itself_to_its_proof() {
    let (server, chief) = with_chief();
    programs(&chief, "e1", 0);
    let start = |round: &str| chief.post(&format!("/api/v1/events/e1/rounds/{round}/start"), &json!({}));
    assert_eq!(start("x").code(), "not_found");
    assert_eq!(start("9").code(), "not_found");
    assert_eq!(start("2").code(), "stage");
    start("1").ok();
    assert_eq!(start("1").code(), "exists");
    let anybody = Client::new(&server.base);
    until("the end of round 1", || progress(&anybody, "e1")["rounds_over"] == json!([1]));
    start("2").ok();
    until("the end of round 2", || progress(&anybody, "e1")["rounds_over"] == json!([1, 2]));
    until("the results", || anybody.get("/api/v1/events/e1/standings").ok()["complete"] == true);
    assert_eq!(progress(&anybody, "e1")["unfinished"], 0, "all of it was played out");
    chief.post("/api/v1/events/e1/revisions", &json!({"state": "official", "reason": "done"})).ok();
    chief.post("/api/v1/events/e1/reveal", &json!({"reason": "done"})).ok();
    let path = server.folder.path().join("e1.fushi");
    std::fs::write(&path, anybody.get("/api/v1/events/e1/bundle").bytes).unwrap();
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_fushi")).arg("verify").arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// What every table has finished is signed and published while the event is played, each board once, over a hall that
/// closes and opens again; afterwards `verify --checkpoint` finds each of the hashes, and no other.
#[test]
fn boards_are_signed_and_their_hashes_published_while_the_event_is_played() {
    let (server, chief) = with_chief();
    programs(&chief, "e1", 0);
    let anybody = Client::new(&server.base);
    let proofs = || anybody.get("/api/v1/events/e1/checkpoints").ok()["items"].as_array().unwrap().clone();
    assert_eq!(proofs(), Vec::<Value>::new());
    let start = |round: u32| chief.post(&format!("/api/v1/events/e1/rounds/{round}/start"), &json!({})).ok();
    start(1);
    // Boards that end at about the same time may stand in one checkpoint; none stands in two.
    let signed = || {
        let boards = |one: &Value| one["boards"].as_array().unwrap().clone();
        let mut signed: Vec<u64> =
            proofs().iter().flat_map(boards).map(|board| board.as_u64().unwrap()).collect();
        signed.sort_unstable();
        signed
    };
    until("the checkpoints of round 1", || signed().len() >= 3);
    let first = proofs();
    assert_eq!(signed(), [1, 2, 3]);
    assert!(first.iter().all(|one| one["kind"] == "checkpoint"), "{first:?}");
    let newest = first[first.len() - 1]["hash"].as_str().unwrap().to_owned();
    let page = |path: &str| chief.get(path).text();
    assert!(page("/events/e1/verify").contains(&newest));
    assert!(page("/desk/e1/notice").contains(&newest[..8]));
    // The hall goes and comes again, as after a restart: nothing is signed twice.
    server.app.runtime.block_on(server.app.halls.shut("e1"));
    server.app.halls.open("e1").unwrap();
    start(2);
    until("the checkpoints of round 2", || signed().len() >= 6);
    assert_eq!(signed(), [1, 2, 3, 4, 5, 6]);
    let before = proofs();
    assert!(before.len() > first.len(), "{before:?}");
    assert_eq!(before[..first.len()], first[..]);
    until("the results", || anybody.get("/api/v1/events/e1/standings").ok()["complete"] == true);
    chief.post("/api/v1/events/e1/revisions", &json!({"state": "official", "reason": "done"})).ok();
    let all = proofs();
    assert_eq!(all[..before.len()], before[..]);
    assert_eq!((all.len(), &all[before.len()]["kind"]), (before.len() + 1, &json!("revision")));
    let keys = chief.post("/api/v1/events/e1/reveal", &json!({"reason": "done"})).ok();
    assert!(keys["draw"]["key"].is_string() && keys["draw"]["salt"].is_string(), "{keys}");
    let path = server.folder.path().join("e1.fushi");
    std::fs::write(&path, anybody.get("/api/v1/events/e1/bundle").bytes).unwrap();
    let verify = |hashes: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fushi"));
        command.args(["verify", "--format", "json"]).arg(&path);
        for hash in hashes {
            command.args(["--checkpoint", *hash]);
        }
        let output = command.output().unwrap();
        (output.status.code(), serde_json::from_slice::<Value>(&output.stdout).unwrap())
    };
    let hashes: Vec<&str> = all.iter().map(|one| one["hash"].as_str().unwrap()).collect();
    let (code, report) = verify(&hashes);
    assert_eq!((code, &report["confirmed"]), (Some(0), &json!(hashes)), "{report}");
    let other = "0".repeat(64);
    let (code, report) = verify(&[hashes[0], &other]);
    assert_eq!((code, &report["reason"]), (Some(1), &json!("not_published")));
}

#[test]
fn referees_stop_tables_give_time_and_look_only_with_a_trace() {
    let (server, chief) = with_chief();
    programs(&chief, "e1", 60_000);
    let referee = somebody(&server, &chief, "referee");
    chief.post("/api/v1/events/e1/rounds/1/start", &json!({})).ok();
    let floor = |query: &str| referee.get(&format!("/api/v1/events/e1/floor{query}")).ok();
    until("open tables", || floor("")["places"].as_array().unwrap().len() == 2);
    let line = floor("")["places"][0].clone();
    assert_eq!((line["state"].as_str(), line["table_now"]["running"].as_bool()), (Some("open"), Some(true)));
    for card in ["♠", "♥", "\"hand", "SA", "deal"] {
        assert!(!floor("?state=all").to_string().contains(card), "the floor shows no cards");
    }
    let order = |client: &Client, body: Value| client.post("/api/v1/events/e1/tables/1/orders", &body);
    assert_eq!(order(&chief, json!({"order": "stop", "reason": "x"})).code(), "forbidden");
    order(&referee, json!({"order": "stop", "reason": "noise"})).ok();
    assert_eq!(floor("")["places"][0]["table_now"]["running"], false);
    assert_eq!(order(&referee, json!({"order": "stop", "reason": "noise"})).code(), "refused");
    order(&referee, json!({"order": "go", "reason": "quiet"})).ok();
    for (body, code) in [
        (json!({"order": "stpo", "reason": "x"}), "refused"),
        (json!({"order": "give", "reason": "x"}), "refused"),
        (json!({"order": "stop", "ms": 1, "reason": "x"}), "refused"),
        (json!({"order": "give", "seat": "Q", "ms": 1, "reason": "x"}), "not_found"),
        (json!({"order": "stop"}), "bad_field"),
        (json!({"order": "stop", "reason": ""}), "refused"),
        (json!({"order": "end", "board": 99, "reason": "meant for another board"}), "not_found"),
    ] {
        assert_eq!(order(&referee, body.clone()).code(), code, "{body}");
    }
    let far = referee.post("/api/v1/events/e1/tables/77/orders", &json!({"order": "stop", "reason": "x"}));
    assert_eq!(far.code(), "not_found");
    let hands = order(&referee, json!({"order": "look", "reason": "a claim"})).ok();
    assert_eq!(hands["hands"].as_object().unwrap().len(), 3);
    let log = chief.get("/api/v1/events/e1/audit?limit=500").ok();
    let looks =
        log["items"].as_array().unwrap().iter().filter(|item| item["details"]["after"]["order"] == "look");
    assert_eq!(looks.map(|item| item["reason"].as_str().unwrap()).collect::<Vec<_>>(), ["a claim"]);
    let paused = chief.post("/api/v1/events/e1/pause", &json!({"paused": true, "reason": "fire drill"})).ok();
    assert_eq!(paused["progress"]["paused"], true);
    chief.post("/api/v1/events/e1/pause", &json!({"paused": false, "reason": "over"})).ok();
    assert_eq!(referee.get("/api/v1/events/e1/incidents").ok()["items"], json!([]));
    assert_eq!(referee.get("/api/v1/events/e1/floor?state=opne").code(), "bad_query");
    // The event is ended: what is not over is not played, and that can be published.
    let ended = chief.post("/api/v1/events/e1/finish", &json!({"reason": "the hall closes"})).ok();
    assert_eq!(ended["ended"], 12);
    let done = progress(&chief, "e1");
    assert_eq!(
        (done["plays"].as_u64(), done["over"].as_u64()),
        (Some(12), Some(12)),
        "how far it was is still known"
    );
    assert_eq!(done["unfinished"], 12, "and that none of it was played out");
    assert_eq!(chief.get("/api/v1/events/e1/standings").ok()["complete"], true);
    chief.post("/api/v1/events/e1/revisions", &json!({"state": "provisional", "reason": "ended"})).ok();
    let sheet = chief.get("/api/v1/events/e1/boards/1").ok();
    assert!(
        sheet["tables"][0]["journal"].to_string().contains("referee"),
        "the look stays on the record: {sheet}"
    );
}

#[test]
fn a_table_that_waits_for_its_players_is_on_the_floor_with_their_names() {
    let (server, chief) = with_chief();
    let rounds = json!({"format": "individual", "boards": 6, "boards_per_round": 3, "late_s": 600});
    draft(&chief, "e1", &rounds);
    enter(&chief, "e1", 6);
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    let floor =
        |state: &str| chief.get(&format!("/api/v1/events/e1/floor?state={state}")).ok()["places"].clone();
    assert_eq!(floor("now"), json!([]), "before the round nothing is due");
    chief.post("/api/v1/events/e1/rounds/1/start", &json!({})).ok();
    let due = floor("now");
    assert_eq!(due.as_array().unwrap().len(), 2, "one board at each of two tables: {due}");
    for place in due.as_array().unwrap() {
        assert_eq!((place["state"].as_str(), place["awaited"].as_array().unwrap().len()), (Some("due"), 3));
        let seated: Vec<&Value> = place["seats"].as_object().unwrap().values().collect();
        assert!(place["awaited"].as_array().unwrap().iter().all(|who| seated.contains(&who)), "{place}");
        assert!(place["waits_ms"].as_u64().is_some_and(|waits| waits < 60_000), "{place}");
    }
    let at = |places: Value| -> Vec<(Value, Value, Value)> {
        let one = |place: &Value| (place["table"].clone(), place["board"].clone(), place["awaited"].clone());
        places.as_array().unwrap().iter().map(one).collect()
    };
    assert_eq!((floor("open"), at(floor("due"))), (json!([]), at(due)));
    // A table waits longer and longer; the pause of the event is nobody's waiting.
    let waits = || floor("due")[0]["waits_ms"].as_u64().unwrap();
    let begun = waits();
    until("a second of waiting", || waits() > begun + 1000);
    for paused in [true, false] {
        chief.post("/api/v1/events/e1/pause", &json!({"paused": paused, "reason": "x"})).ok();
    }
    assert!(waits() < begun + 1000);
    // The event's own limit, which can be changed while it is played.
    let limit = || chief.get("/api/v1/events/e1/floor").ok()["alarm_s"].clone();
    assert_eq!(limit(), 120);
    let change =
        |alarm: u32| chief.patch("/api/v1/events/e1", &json!({"alarm_s": alarm, "reason": "a small hall"}));
    change(30).ok();
    assert_eq!(limit(), 30);
    assert_eq!(change(3601).code(), "refused");
    drop(server);
}

#[test]
fn warnings_count_up_are_logged_and_change_no_result() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({}));
    let referee = somebody(&server, &chief, "referee");
    let warn = |client: &Client, body: Value| client.post("/api/v1/events/e1/warnings", &body);
    let late = json!({"entrant": "e001", "code": "late", "reason": "六分钟"});
    assert_eq!(warn(&chief, late.clone()).code(), "forbidden");
    assert_eq!(warn(&referee, late.clone()).ok(), json!({"count": 1, "seen": false}));
    assert_eq!(warn(&referee, late).ok()["count"], 2);
    for (body, code) in [
        (json!({"entrant": "e999", "code": "late", "reason": "x"}), "not_found"),
        (json!({"entrant": "e001", "code": "lte", "reason": "x"}), "refused"),
        (json!({"entrant": "e001", "code": "late", "reason": " "}), "refused"),
        (json!({"entrant": "e001", "code": "late"}), "bad_field"),
    ] {
        assert_eq!(warn(&referee, body.clone()).code(), code, "{body}");
    }
    let list = chief.get("/api/v1/events/e1/warnings").ok();
    let codes: Vec<&str> =
        list["items"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["late", "late"]);
    assert_eq!(list["items"][0]["reason"], "六分钟");
    assert_eq!(Client::new(&server.base).get("/api/v1/events/e1/warnings").code(), "not_signed_in");
    assert!(chief.get("/api/v1/events/e1/rulings").ok()["items"].as_array().unwrap().is_empty());
}

#[test]
fn a_server_that_is_restarted_lets_players_in_again() {
    let (_folder, path) = folder();
    let mut program = Program::start(&path, &[]);
    let client = Client::new(&program.base);
    let body = json!({"token": program.setup, "name": "chief", "display": "C", "password": PASSWORD});
    client.post("/api/v1/setup", &body).ok();
    locked(&log_in(&client, "chief"), "e1", 2, &json!({}));
    until("the hall", || progress(&client, "e1")["plays"] == 16);
    program.kill();
    let program = Program::start(&path, &[]);
    let client = Client::new(&program.base);
    until("the hall", || progress(&client, "e1")["plays"] == 16);
}

#[test]
fn nobody_starts_what_is_not_ready() {
    let (server, chief) = with_chief();
    draft(&chief, "e1", &json!({}));
    enter(&chief, "e1", 2);
    let start = |id: &str| chief.post(&format!("/api/v1/events/{id}/rounds/1/start"), &json!({}));
    assert_eq!(start("e1").code(), "stage");
    assert_eq!(start("none").code(), "not_found");
    let later = server.app.clock.now() + 3_600_000_000_i64;
    let delayed = json!({"delayed": {"description": "lottery", "known_after": later}});
    locked(&chief, "e2", 2, &delayed);
    assert_eq!(start("e2").code(), "refused");
    let _: &Inside = &server;
}

/// What a player tried and why it was refused is in the board's file, for those who may see it: it may name cards. As
/// long as the board is in play somewhere it takes a look into the hands, which stands on the record.
#[test]
fn refused_actions_are_in_the_file_of_the_board_and_name_no_card_while_it_is_played() {
    let (server, chief) = with_chief();
    socket::event(&server.app);
    let referee = somebody(&server, &chief, "referee");
    let base = server.base.clone();
    let (mut wire, play) = server.app.runtime.block_on(async {
        let (mut wire, play) = Wire::seated(&base, "t1").await;
        for number in 0..70 {
            let id = format!("x{number}");
            wire.say(&json!({"type": "act", "id": id, "play": play, "do": "play SA SA"})).await;
            assert_eq!(wire.until("refused").await["id"], json!(id));
        }
        wire.say(&json!({"type": "call", "id": "c1", "play": play, "text": "请来一下"})).await;
        wire.until("accepted").await;
        (wire, play)
    });
    let event =
        fushi::event::Event::<fushi::games::wakeng::Wakeng>::load(server.app.store.as_ref(), "live").unwrap();
    let entrant = event.entrant(1).unwrap().id.clone();
    let plays = fushi::event::archive::Archive::plays(server.app.store.as_ref(), "live").unwrap();
    let at = plays.iter().find(|row| row.id.0 == play).unwrap();
    let (board, table) = (at.play.number, at.play.table_number);
    let file = format!("/api/v1/events/live/boards/{board}/tables/{table}/file");
    assert_eq!(Client::new(&server.base).get(&file).code(), "not_signed_in");
    assert_eq!(chief.get(&format!("/api/v1/events/live/boards/{board}/tables/999/file")).code(), "not_found");
    assert_eq!(chief.get("/api/v1/events/live/boards/x/tables/1/file").code(), "not_found");
    for client in [&referee, &chief] {
        let sealed = client.get(&file).ok();
        assert_eq!(sealed["shown"], false);
        let refused = sealed["refused"].as_array().unwrap();
        assert_eq!(refused.len(), fushi::tables::REFUSALS_KEPT);
        assert!(
            refused.iter().all(|one| one["tried"].is_null() && one["code"].is_null() && one["why"].is_null())
        );
        assert!(
            refused.iter().all(|one| one["entrant"] == json!(entrant) && one["at_ms"].is_u64()),
            "{sealed}"
        );
        assert!(!sealed.to_string().contains("SA"), "{sealed}");
        assert_eq!(
            (&sealed["calls"][0]["words"], &sealed["calls"][0]["entrant"]),
            (&json!("请来一下"), &json!(entrant))
        );
        assert_eq!(sealed["more"][0]["count"], 6, "the call's line told them");
        let connected = sealed["incidents"].as_array().unwrap().iter().find(|one| one["what"] == "connected");
        assert!(connected.is_none(), "it came in before it sat there: {sealed}");
    }
    let order = json!({"order": "look", "reason": "a claim"});
    referee.post(&format!("/api/v1/events/live/tables/{table}/orders"), &order).ok();
    let opened = referee.get(&file).ok();
    assert_eq!((&opened["shown"], &opened["refused"][0]["tried"]), (&json!(true), &json!("play SA SA")));
    assert!(opened["refused"][0]["code"].is_string() && opened["refused"][0]["why"].is_string(), "{opened}");
    assert_eq!(chief.get(&file).ok()["shown"], false, "a look is the looker's");
    // Over at this table, and not yet at the others.
    let end = json!({"order": "end", "reason": "time"});
    referee.post(&format!("/api/v1/events/live/tables/{table}/orders"), &end).ok();
    server.app.runtime.block_on(wire.until("waiting"));
    assert_eq!(chief.get(&file).ok()["shown"], false);
    chief.post("/api/v1/events/live/finish", &json!({"reason": "over"})).ok();
    let over = chief.get(&file).ok();
    assert_eq!((&over["shown"], &over["refused"][0]["tried"]), (&json!(true), &json!("play SA SA")));
    let seen = referee.get(&format!("/api/v1/events/live/incidents?entrant={entrant}")).ok();
    let seen = seen["items"].as_array().unwrap();
    assert!(seen.iter().any(|one| one["what"] == "connected" && one["count"] == 1), "{seen:?}");
    assert_eq!(chief.get("/api/v1/events/live/incidents?entrant=nobody").ok()["items"], json!([]));
}

/// Two organizers end an event at once, while its tables play and others keep looking at the floor, which would open
/// the hall again: every board ends once, no journal has two ends, and the result can be published.
#[test]
fn an_event_that_two_end_at_once_while_it_is_played_ends_once() {
    let (server, chief) = with_chief();
    programs(&chief, "e1", 1);
    chief.post("/api/v1/events/e1/rounds/1/start", &json!({})).ok();
    until("the first results", || progress(&chief, "e1")["over"] != json!(0));
    let ended = std::sync::atomic::AtomicBool::new(false);
    let count = std::sync::atomic::AtomicU64::new(0);
    std::thread::scope(|scope| {
        let looks = scope.spawn(|| {
            while !ended.load(std::sync::atomic::Ordering::Relaxed) {
                let reply = chief.get("/api/v1/events/e1/floor");
                assert!(reply.status == 200 || reply.code() == "busy", "{}", reply.text());
            }
        });
        let finish = || {
            loop {
                let reply = chief.post("/api/v1/events/e1/finish", &json!({"reason": "over"}));
                if reply.status == 409 {
                    // The other one has ended it.
                    assert_eq!(reply.code(), "exists");
                    return false;
                }
                if reply.status != 200 {
                    assert_eq!(reply.code(), "busy");
                    std::thread::sleep(Duration::from_millis(5));
                    continue;
                }
                let here = reply.ok()["ended"].as_u64().unwrap();
                count.fetch_add(here, std::sync::atomic::Ordering::Relaxed);
                return true;
            }
        };
        let others = [scope.spawn(finish), scope.spawn(finish)];
        let others = others.map(std::thread::ScopedJoinHandle::join);
        ended.store(true, std::sync::atomic::Ordering::Relaxed);
        let ended_it = others.into_iter().filter(|other| *other.as_ref().unwrap()).count();
        assert_eq!(ended_it, 1, "one of both has ended it, and the other is told so");
        looks.join().unwrap();
    });
    let (mut ends, mut played) = (0, 0);
    for row in fushi::event::archive::Archive::plays(server.app.store.as_ref(), "e1").unwrap() {
        let rows = fushi::event::archive::Archive::journal(server.app.store.as_ref(), row.id).unwrap();
        let here = rows.iter().filter(|row| row.body.contains("\"note\":\"end\"")).count() as u64;
        assert!(here <= 1, "{rows:?}");
        // A board that was not begun has no journal: the event's says that it is not played.
        let here = here + u64::from(rows.is_empty());
        ends += here;
        played += 1 - here;
    }
    assert_eq!(ends, count.into_inner(), "what was answered is what was done");
    assert!(ends > 0 && played > 0, "{ends} boards were ended, {played} were over before");
    let far = progress(&chief, "e1");
    assert_eq!((far["over"].as_u64(), far["unfinished"].as_u64()), (Some(ends + played), Some(ends)));
    assert_eq!(chief.get("/api/v1/events/e1/standings").ok()["complete"], true);
    chief.post("/api/v1/events/e1/revisions", &json!({"state": "provisional", "reason": "ended"})).ok();
}
