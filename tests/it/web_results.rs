//! Results over HTTP: what is sealed and for whom, views in every form, rulings, freezing, publishing, revealing.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use fushi::dealing::AiReveal;
use fushi::desk::draft::Fields;
use fushi::desk::opening;
use fushi::desk::stage::{self, Staging};
use fushi::event::archive::EntryRow;
use fushi::event::ledger::{EventWrite, Write};
use fushi::event::model::Sitting;
use fushi::event::{Dealer, Event};
use fushi::formats::{Fact, RoundStarted};
use fushi::games::Viewer;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::journal::{Author, Board, By, Entry, finished};
use fushi::players::{self, AiKey, Levels};
use fushi::scoring::Rules;
use fushi::scoring::command::{arguments, rank_command};
use serde_json::{Value, json};

use crate::server::{Client, Inside};
use crate::web_accounts::{chief_of, somebody, with_chief};
use crate::web_events::{draft, locked};

/// Plays sittings of an event into the database as tables would: everybody plays at random, AI seats with their key.
pub fn play(server: &Inside, id: &str, which: impl Fn(&Sitting<'_>) -> bool) {
    play_game::<Wakeng>(server, id, false, which);
}

/// An event `g1` of four boards, the first `boards` of which simulated persons have played, each in their own way.
pub fn played_by_persons<G: Levels>(server: &Inside, format: &str, persons: u32, boards: u32) {
    let app = &server.app;
    let fields = Fields {
        title: Some("晚场 Evening".to_owned()),
        format: Some(format.to_owned()),
        boards: Some(4),
        boards_per_round: Some(4),
        opponents: Some("random".to_owned()),
        ..Fields::default()
    };
    let staging = Staging { id: "g1", fields, persons, programs: &[], seed: [7; 32] };
    let (logs, sealing) = (app.halls.logs(), app.secret.sealing());
    stage::stage::<G>(app.store.as_ref(), logs, &staging, &sealing, 1_800_000_000_000_000, "test").unwrap();
    play_game::<G>(server, "g1", true, |sitting| sitting.board <= boards);
}

/// The same for any game; `each` lets every table's persons play in their own way.
pub fn play_game<G: Levels>(server: &Inside, id: &str, each: bool, which: impl Fn(&Sitting<'_>) -> bool) {
    let store = server.app.store.as_ref();
    let mut event = Event::<G>::load(store, id).unwrap();
    let log = server.app.halls.logs().open(id).unwrap();
    // Every round has started.
    while let Some((stage, round)) = log.look(|journal| journal.competition().next_round()) {
        let fact = Fact::Round(RoundStarted { stage, round, minutes: 0 });
        log.append_durably(Author::Clock, fact, EventWrite::default()).unwrap();
    }
    let sittings = log.look(|journal| {
        event.follow(journal.competition());
        let open = |one: &&fushi::formats::Sitting| journal.competition().finished(one.sitting).is_none();
        journal.competition().sittings().iter().filter(open).cloned().collect::<Vec<_>>()
    });
    let (announcement, delayed) = event.announced(store).unwrap();
    let secret = server.app.secret.sealing();
    let master = opening::master(store, id, &secret, "test", 1, "test").unwrap();
    let dealer = Dealer::new(&event, &announcement, &master, &delayed).unwrap();
    let reveal = AiReveal::of(&announcement, &master).unwrap();
    let key = AiKey::new(*reveal.verify(&announcement).unwrap().expose());
    let level = players::find::<G>("random").unwrap();
    let planned: Vec<Sitting<'_>> = event.sittings().collect();
    for ordered in &sittings {
        let sitting = &planned[ordered.sitting as usize - 1];
        if !which(sitting) {
            continue;
        }
        let play = log.play(ordered.sitting);
        let header = dealer.dealt(ordered).unwrap();
        let mut board = Board::open(&header);
        let opened = server.app.clock.now();
        let mut rows = vec![EntryRow::new(play, 0, opened, header.receipt(), *board.chain())];
        let mut at = 0_u32;
        while !G::finished(board.state()) {
            let seat = G::precedence(board.state())[0];
            let view = G::view(board.state(), Viewer::Seat(seat));
            at += 1000;
            let name = G::seat_name(seat).unwrap();
            let person = each && !event.seats(sitting.who)[name].starts_with("ai:");
            let own = AiKey::new([u8::try_from(sitting.table % 256).unwrap(); 32]);
            let chosen = players::choose(
                level,
                if person { &own } else { &key },
                &header.rules,
                sitting.board,
                seat,
                &view,
            );
            let (action, by) = match (chosen, G::timeout(board.state(), seat)) {
                (Some(action), _) => (action, None),
                (None, Some(action)) => (action, Some(By::Clock)),
                // Nobody must decide: the dealer draws on.
                (None, None) => {
                    assert!(board.advance());
                    continue;
                }
            };
            let hash = board.play(&Entry { seat, action, at: Some(at.into()), by }).unwrap();
            let seq = i64::try_from(rows.len()).unwrap();
            rows.push(EntryRow::new(play, seq, at.into(), board.last_bytes().to_owned(), hash));
        }
        let over = finished(ordered.sitting, &header, &board);
        let (durable, wait) = std::sync::mpsc::channel();
        let write = Write { rows, ..Write::default() };
        let done = Box::new(move |result| durable.send(result).unwrap());
        log.append(Author::Table, Fact::Finished(over), write, done).unwrap();
        wait.recv().unwrap().unwrap();
    }
}

/// A server with an event of three entrants and eight boards.
fn stage() -> (Inside, Client, Client) {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({"opponents": "random"}));
    let anybody = Client::new(&server.base);
    (server, chief, anybody)
}

#[test]
fn r5_a_board_is_sealed_until_every_table_has_finished_it() {
    let (server, chief, anybody) = stage();
    assert_eq!(anybody.get("/api/v1/events/e1/boards").ok()["items"][0]["state"], "sealed");
    play(&server, "e1", |sitting| sitting.board == 1 || (sitting.board == 2 && sitting.table < 3));
    let list = anybody.get("/api/v1/events/e1/boards").ok();
    let states: Vec<_> = (0..3).map(|place| list["items"][place]["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["finished", "open", "sealed"]);
    let sheet = anybody.get("/api/v1/events/e1/boards/1").ok();
    assert_eq!(sheet["tables"].as_array().unwrap().len(), 3);
    assert!(
        sheet["deal"]["deal"].is_object() && sheet["tables"][0]["journal"].as_array().unwrap().len() > 3,
        "{sheet}"
    );
    for client in [&anybody, &chief] {
        for board in [2, 3] {
            assert_eq!(client.get(&format!("/api/v1/events/e1/boards/{board}")).code(), "sealed");
        }
        assert_eq!(client.get("/api/v1/events/e1/boards/99").code(), "not_found");
        assert_eq!(client.get("/api/v1/events/e1/boards/x").code(), "not_found");
    }
    // The public counts boards that are over everywhere; the desk all that are over.
    assert_eq!(anybody.get("/api/v1/events/e1/standings").ok()["boards"], json!([1]));
    assert_eq!(chief.get("/api/v1/events/e1/standings").ok()["boards"], json!([1, 2]));
    assert_eq!(anybody.get("/api/v1/events/e1/views/traveller?board=2").code(), "not_found");
    chief.get("/api/v1/events/e1/views/traveller?board=2").ok();
    let open = chief.post("/api/v1/events/e1/revisions", &json!({"state": "official", "reason": "x"}));
    assert_eq!(open.code(), "stage");
}

/// What `fushi rank` makes of a file of results.
fn ranked(results: &[u8]) -> Value {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), results).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(["rank", "--format", "json"])
        .arg(file.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["ranking"].clone()
}

#[test]
fn results_come_in_every_view_and_form_with_entity_tags() {
    let (server, _chief, anybody) = stage();
    play(&server, "e1", |_| true);
    let reply = anybody.get("/api/v1/events/e1/standings");
    let tag = reply.header("etag").unwrap().to_owned();
    let sheet = reply.ok();
    assert_eq!((sheet["complete"].as_bool(), sheet["standings"].as_array().unwrap().len()), (Some(true), 3));
    assert!(sheet["standings"][0]["name"].as_str().unwrap().starts_with("Player"));
    assert_eq!(anybody.with("if-none-match", &tag).get("/api/v1/events/e1/standings").status, 304);
    // What `fushi rank` makes of the results is what the server shows.
    let results = anybody.get("/api/v1/events/e1/views/results?format=csv");
    assert_eq!(results.status, 200, "{}", results.text());
    let columns =
        "board,seat,entrant,score,table,expected,status,role,standing,ruling,outcomes,penalty,void\n";
    assert!(results.text().starts_with(columns), "{}", results.text());
    assert_eq!(ranked(&results.bytes), anybody.get("/api/v1/events/e1/views/ranking").json()["ranking"]);
    assert_eq!(anybody.get("/api/v1/events/e1/views/results?format=xlsx").code(), "bad_query");
    let first = sheet["standings"][0]["entrant"].as_str().unwrap();
    let other = sheet["standings"][1]["entrant"].as_str().unwrap();
    for (view, query) in [
        ("ranking", String::new()),
        ("cross-tab", String::new()),
        ("traveller", "board=1&".to_owned()),
        ("card", format!("entrant={first}&")),
        ("seats", String::new()),
        ("versus", format!("entrant={first}&other={other}&")),
    ] {
        for (form, media_type) in [
            ("json", "application/json"),
            ("text", "text/plain"),
            ("csv", "text/csv"),
            ("xlsx", "application/vnd"),
        ] {
            let reply = anybody.get(&format!("/api/v1/events/e1/views/{view}?{query}format={form}"));
            assert_eq!(reply.status, 200, "{view} {form}: {}", reply.text());
            assert!(reply.header("content-type").unwrap().starts_with(media_type), "{view} {form}");
            assert!(!reply.bytes.is_empty());
            if form == "json" {
                reply.json();
            }
            if form == "xlsx" {
                assert_eq!(&reply.bytes[..2], b"PK");
            }
        }
    }
    for (path, code) in [
        ("views/rankng", "not_found"),
        ("views/card", "bad_query"),
        ("views/card?entrant=nobody", "not_found"),
        ("views/traveller?board=999", "not_found"),
        ("standings?format=pdf", "bad_query"),
        ("standings?from=1", "bad_query"),
    ] {
        assert_eq!(anybody.get(&format!("/api/v1/events/e1/{path}")).code(), code, "{path}");
    }
    // A board without its journals is its deal and the rules.
    let deal = anybody.get("/api/v1/events/e1/boards/1?journals=false").ok();
    let whole = anybody.get("/api/v1/events/e1/boards/1").ok();
    assert_eq!((&deal["deal"], &deal["tables"]), (&whole["deal"], &json!([])));
    assert_eq!(deal["rules"]["name"], "wakeng-bomb");
    assert!(!whole["tables"].as_array().unwrap().is_empty());
    // Whoever can unpack gets it packed; the same bytes then.
    let plain = anybody.get("/api/v1/events/e1/views/cross-tab");
    let packed = anybody.with("accept-encoding", "gzip").get("/api/v1/events/e1/views/cross-tab");
    assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), (None, Some("gzip")));
    assert!(packed.bytes.len() * 2 < plain.bytes.len(), "{} of {}", packed.bytes.len(), plain.bytes.len());
    let (strong, weak) = (plain.header("etag").unwrap(), packed.header("etag").unwrap());
    assert_eq!(weak, format!("W/{strong}"), "other bytes, so not the same strong tag");
    for tag in [strong, weak] {
        let known = anybody.with("accept-encoding", "gzip").with("if-none-match", tag);
        assert_eq!(known.get("/api/v1/events/e1/views/cross-tab").status, 304, "{tag}");
    }
}

#[test]
fn rulings_are_looked_at_then_made_and_two_referees_do_not_overwrite_each_other() {
    let (server, chief, anybody) = stage();
    play(&server, "e1", |_| true);
    let referee = somebody(&server, &chief, "referee");
    let head = somebody(&server, &chief, "chief-referee");
    let before = anybody.get("/api/v1/events/e1/standings").ok();
    let body = json!({"number": 1, "reason": "slow play", "decision": {"status": {"board": 1, "entrant": "e001", "status": "A-"}}});
    let radius = referee.post("/api/v1/events/e1/rulings/preview", &body).ok();
    assert!(radius["changes"].as_array().unwrap().iter().any(|change| change["board"] == 1));
    assert_eq!(anybody.get("/api/v1/events/e1/standings").ok(), before, "looking changes nothing");
    assert_eq!(chief.post("/api/v1/events/e1/rulings", &body).code(), "forbidden");
    let keyed = referee.with("idempotency-key", "r1");
    keyed.post("/api/v1/events/e1/rulings", &body).ok();
    keyed.post("/api/v1/events/e1/rulings", &body).ok();
    assert_eq!(head.post("/api/v1/events/e1/rulings", &body).code(), "exists");
    assert_ne!(anybody.get("/api/v1/events/e1/standings").ok(), before);
    let void = json!({"number": 2, "reason": "wrong deal", "decision": {"void": {"board": 2}}});
    assert_eq!(referee.post("/api/v1/events/e1/rulings", &void).code(), "forbidden");
    head.post("/api/v1/events/e1/rulings", &void).ok();
    for (decision, code) in [
        (json!({"void": {"board": 77}}), "refused"),
        (json!({"void": {"bord": 7}}), "unknown_field"),
        (json!({"viod": {"board": 7}}), "bad_field"),
        (json!({"score": {"board": 1, "entrant": "nobody", "score": "5"}}), "refused"),
    ] {
        let body = json!({"number": 3, "reason": "x", "decision": decision});
        assert_eq!(head.post("/api/v1/events/e1/rulings", &body).code(), code, "{body}");
    }
    assert_eq!(anybody.get("/api/v1/events/e1/rulings").code(), "sealed");
    assert_eq!(referee.get("/api/v1/events/e1/rulings").ok()["items"].as_array().unwrap().len(), 2);
}

/// Ranking and values: what `fushi rank` makes of the exported results with the event's flags.
fn ranked_by(flags: &[String], results: &[u8]) -> (Value, Value) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), results).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(["rank", "--format", "json"])
        .args(flags)
        .arg(file.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer = serde_json::from_slice::<Value>(&output.stdout).unwrap();
    (answer["ranking"].clone(), values(&answer))
}

/// The value of every result.
fn values(answer: &Value) -> Value {
    let results = answer["boards"].as_array().unwrap().iter().flat_map(|group| {
        let place = format!("{} {}", group["board"], group["seat"]);
        group["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(move |one| json!([place, one["entrant"], one["rate"], one["mp"], one["top"]]))
    });
    Value::Array(results.collect())
}

#[test]
fn exported_results_rank_as_the_server_ranks_whatever_was_ruled_on_whom() {
    let awards = json!({"plus": "5/7", "even": "3/7", "minus": "1/7", "imps": "5/2", "own_average": false});
    let table = json!({"name": "our club's", "scale": "3/2", "thresholds": [1, 2, 5, 9, 14]});
    for (fill, scoring) in [
        ("stand-in", json!({"method": "score-rate"})),
        ("bye", json!({"method": "linear-rate"})),
        ("stand-in", json!({"method": "cross-imp"})),
        ("bye", json!({"method": "butler"})),
        ("stand-in", json!({"method": "place-points"})),
        ("bye", json!({"method": "total"})),
        // As an organizer changes everything that can be changed.
        (
            "bye",
            json!({"method": "score-rate", "equalise": "neuberg", "lone": "half", "style": "2-3", "min_boards": 3,
                "tie_break": ["average", "raw-sum", "shared"], "awards": awards}),
        ),
        ("stand-in", json!({"method": "linear-rate", "tie_break": ["average"], "awards": awards})),
        ("bye", json!({"method": "cross-imp", "awards": awards, "imp_table": table})),
        (
            "stand-in",
            json!({"method": "butler", "awards": awards, "imp_table": table,
                "butler": {"trim": 1, "trim_from": 3, "datum_rounding": null}}),
        ),
        ("bye", json!({"method": "butler", "butler": {"trim": 0, "trim_from": 9, "datum_rounding": "7/3"}})),
    ] {
        let (server, chief) = with_chief();
        let more = json!({"format": "individual", "fill": fill, "boards": 6, "boards_per_round": 3,
            "opponents": "random", "scoring": scoring});
        draft(&chief, "e1", &more);
        for number in 1..=7 {
            let level = if number == 7 { json!("random") } else { Value::Null };
            let entry =
                json!({"id": format!("p{number}"), "name": format!("Player {number}"), "level": level});
            chief.post("/api/v1/events/e1/entrants", &entry).ok();
        }
        chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
        chief.post("/api/v1/events/e1/lock", &json!({})).ok();
        play(&server, "e1", |_| true);
        let head = somebody(&server, &chief, "chief-referee");
        let results = || head.get("/api/v1/events/e1/views/results?format=csv");
        let rules: Rules = serde_json::from_value(scoring.clone()).unwrap();
        let has_top = rules.method.has_top();
        let mut number = 0;
        let mut rule = |decision: Value| {
            number += 1;
            let body = json!({"number": number, "reason": "x", "decision": decision, "confirm": true});
            head.post("/api/v1/events/e1/rulings", &body).ok();
        };
        // Who plays which board: the first plays of the first round are ruled on, and one of a bye where there are any.
        let text = results().text();
        let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
        let at = |board: &str, nth: usize| {
            let mut played =
                rows.iter().filter(|row| row[0] == board && row[1] != "-" && row[2].starts_with('p'));
            played.nth(nth).unwrap()[2].to_owned()
        };
        let on = |board: u32, nth: usize, mut what: Value| {
            what["board"] = board.into();
            what["entrant"] = at(&board.to_string(), nth).into();
            what
        };
        rule(json!({"score": on(1, 0, json!({"score": "7/3"}))}));
        for (nth, status) in ["A+", "A", "A-", "not-played", "absent", "disqualified"].iter().enumerate() {
            rule(json!({"status": on(2 + u32::from(nth > 2), nth % 3, json!({"status": status}))}));
        }
        let outcomes = json!([{"weight": "2/3", "score": 6}, {"weight": "1/3", "score": "-1/7"}]);
        rule(json!({"weighted": on(1, 1, json!({"outcomes": outcomes}))}));
        let amount = if has_top { json!({"of-top": "1/7"}) } else { json!({"points": "5/7"}) };
        rule(json!({"penalty": on(1, 2, json!({"amount": amount}))}));
        rule(json!({"penalty": on(2, 0, json!({"amount": {"points": "1/3"}}))}));
        rule(json!({"status": on(4, 1, json!({"status": "A-"}))}));
        rule(json!({"void": {"board": 4}}));
        rule(json!({"void": {"board": 5}}));
        rule(json!({"withdraw": {"ruling": number_of_second_void(&head)}}));
        rule(json!({"standing": {"entrant": "p2", "standing": "withdrawn"}}));
        rule(json!({"standing": {"entrant": "p3", "standing": "disqualified"}}));
        if let Some(bye) = rows.iter().find(|row| row[1] == "-") {
            let board: u32 = bye[0].parse().unwrap();
            for (decision, code) in [
                (json!({"score": {"board": board, "entrant": bye[2], "score": 6}}), "refused"),
                (json!({"weighted": {"board": board, "entrant": bye[2], "outcomes": outcomes}}), "refused"),
            ] {
                let body = json!({"number": 99, "reason": "x", "decision": decision, "confirm": true});
                assert_eq!(head.post("/api/v1/events/e1/rulings", &body).code(), "exists");
                let list = head.get("/api/v1/events/e1/rulings").ok()["items"].as_array().unwrap().len();
                let body = json!({"number": list + 1, "reason": "x", "decision": decision, "confirm": true});
                let reply = head.post("/api/v1/events/e1/rulings", &body);
                assert!(reply.text().contains("sits out"), "{}", reply.text());
                assert_eq!(reply.code(), code);
            }
        }
        let csv = results();
        let shown = head.get("/api/v1/events/e1/views/ranking").json();
        let (ranking, worth) = ranked_by(&arguments(&rules), &csv.bytes);
        assert_eq!(ranking, shown["ranking"], "{scoring}\n{}", csv.text());
        assert_eq!(worth, values(&shown), "{scoring}\n{}", csv.text());
        // The desk says how.
        let page = head.get("/desk/e1").text();
        let command = rank_command(&rules, "e1-results.csv").replace('&', "&amp;");
        assert!(
            page.contains(&command) || page.contains(&command.replace('\'', "&#39;")),
            "{command}: {page}"
        );
        // Nothing of what was ruled was without effect on the file.
        for part in [
            ",A+,",
            ",absent,",
            ",yes\n",
            "disqualified",
            "withdrawn",
            "2/3 6; 1/3 -1/7",
            "1 7/3",
            "points 1/3",
        ] {
            assert!(csv.text().contains(part), "{part}: {}", csv.text());
        }
        // Of a board that is void every line says so, beside what became of the result otherwise.
        let text = csv.text();
        let void: Vec<&str> =
            text.lines().filter(|line| line.starts_with("4,") && !line.contains(",-,")).collect();
        assert!(!void.is_empty() && void.iter().all(|line| line.ends_with(",yes")), "{text}");
        assert_eq!(void.iter().filter(|line| line.contains(",A-,")).count(), 1, "{text}");
        assert!(void.iter().any(|line| line.contains(",played,")) && !text.contains(",void,"), "{text}");
        assert_eq!(csv.text().contains("stand-in"), fill == "stand-in");
        assert_eq!(csv.text().contains(",-,"), fill == "bye");
    }
}

fn number_of_second_void(head: &Client) -> Value {
    let list = head.get("/api/v1/events/e1/rulings").ok();
    list["items"].as_array().unwrap().last().unwrap()["number"].clone()
}

#[test]
fn a_ruling_that_is_hardly_meant_is_asked_about_and_one_that_cannot_be_is_refused() {
    let (server, chief, _) = stage();
    play(&server, "e1", |_| true);
    let head = somebody(&server, &chief, "chief-referee");
    let send = |door: &str, decision: &Value, confirm: Option<bool>| {
        let mut body = json!({"number": 1, "reason": "x", "decision": decision});
        if let Some(confirm) = confirm {
            body["confirm"] = confirm.into();
        }
        head.post(&format!("/api/v1/events/e1/rulings{door}"), &body)
    };
    for (decision, word) in [
        (json!({"penalty": {"board": 1, "entrant": "e001", "amount": {"of-top": "-1/2"}}}), "above 0"),
        (json!({"penalty": {"board": 1, "entrant": "e001", "amount": {"of-top": "0"}}}), "above 0"),
        (json!({"penalty": {"board": 1, "entrant": "e001", "amount": {"of-top": "100"}}}), "at most 1"),
        (json!({"penalty": {"board": 1, "entrant": "e001", "amount": {"points": "-3"}}}), "above 0"),
        (json!({"penalty": {"board": 1, "entrant": "e001", "amount": {"points": "5"}}}), "at most 4 points"),
        (json!({"standing": {"entrant": "e001", "standing": "stand-in"}}), "withdrawn or disqualified"),
    ] {
        for door in ["", "/preview"] {
            for confirm in [None, Some(true)] {
                let reply = send(door, &decision, confirm);
                assert_eq!(reply.code(), "refused", "{decision}");
                assert!(reply.text().contains(word), "{decision}: {}", reply.text());
            }
        }
    }
    let odd = json!({"score": {"board": 1, "entrant": "e001", "score": 99}});
    let half = json!({"weighted": {"board": 1, "entrant": "e001",
        "outcomes": [{"weight": "1/2", "score": 6}, {"weight": "1/2", "score": 5}]}});
    let absent = json!({"status": {"board": 2, "entrant": "e002", "status": "absent"}});
    for (decision, code) in [(&odd, "impossible_score"), (&half, "impossible_score")] {
        let doubts = send("/preview", decision, None).ok()["doubts"].clone();
        assert_eq!((doubts.as_array().unwrap().len(), &doubts[0]["code"]), (1, &json!(code)));
        for confirm in [None, Some(false)] {
            let reply = send("", decision, confirm);
            assert_eq!(
                (reply.code(), &reply.json()["faults"][0]["code"]),
                ("refused".to_owned(), &json!(code))
            );
        }
    }
    let usual = json!({"score": {"board": 1, "entrant": "e001", "score": -6}});
    assert_eq!(send("/preview", &usual, None).ok()["doubts"], json!([]));
    send("", &odd, Some(true)).ok();
    let next = |number: u32, decision: &Value, confirm: bool| {
        let body = json!({"number": number, "reason": "x", "decision": decision, "confirm": confirm});
        head.post("/api/v1/events/e1/rulings", &body)
    };
    next(2, &absent, false).ok();
    let idle = json!({"penalty": {"board": 2, "entrant": "e002", "amount": {"of-top": "1/10"}}});
    assert_eq!(next(3, &idle, false).json()["faults"][0]["code"], "penalty_without_effect");
    next(3, &idle, true).ok();
    // On a board that is void a result can be ruled on, which then shows in nothing that counts.
    next(4, &json!({"void": {"board": 3}}), false).ok();
    for (number, decision) in [
        json!({"status": {"board": 3, "entrant": "e001", "status": "A-"}}),
        json!({"score": {"board": 3, "entrant": "e001", "score": -6}}),
        json!({"weighted": {"board": 3, "entrant": "e001", "outcomes": [{"weight": "1", "score": 6}]}}),
        json!({"void": {"board": 3}}),
    ]
    .iter()
    .enumerate()
    {
        let number = 5 + u32::try_from(number).unwrap();
        let refused = next(number, decision, false);
        assert_eq!(refused.json()["faults"][0]["code"], "board_void", "{decision}: {}", refused.text());
        next(number, decision, true).ok();
    }
}

/// Whoever may rule on one result may not make a board count for nobody by it.
#[test]
fn what_takes_comparisons_or_half_of_a_board_is_the_chief_referees_and_is_asked_about() {
    let (server, chief) = with_chief();
    let referee = somebody(&server, &chief, "referee");
    let head = somebody(&server, &chief, "chief-referee");
    let more = json!({"format": "individual", "fill": "bye", "boards": 6, "boards_per_round": 3});
    // Two tables: in each seat two are compared. Three tables: three are.
    locked(&chief, "two", 6, &more);
    locked(&chief, "three", 9, &more);
    for event in ["two", "three"] {
        play(&server, event, |_| true);
    }
    let seats = |event: &str, board: u32| -> Vec<(String, String)> {
        let text = head.get(&format!("/api/v1/events/{event}/views/results?format=csv")).text();
        let rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        rows.filter(|row| row[0] == board.to_string() && row[1] != "-")
            .map(|row| (row[1].clone(), row[2].clone()))
            .collect()
    };
    let status = |board: u32, entrant: &str, status: &str| json!({"status": {"board": board, "entrant": entrant, "status": status}});
    let send = |client: &Client, event: &str, door: &str, decision: &Value, confirm: bool| {
        let list = head.get(&format!("/api/v1/events/{event}/rulings")).ok();
        let number = list["items"].as_array().unwrap().len() + 1;
        let body = json!({"number": number, "reason": "x", "decision": decision, "confirm": confirm});
        client.post(&format!("/api/v1/events/{event}/rulings{door}"), &body)
    };
    // What the preview says is what the ruling then meets.
    let rules = |event: &str, decision: &Value, doubts: &[&str]| {
        let seen = send(&referee, event, "/preview", decision, true).ok();
        let codes: Vec<&str> =
            seen["doubts"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
        assert_eq!(codes, doubts, "{event} {decision}");
        let right = if doubts.is_empty() { "rule" } else { "correct" };
        assert_eq!((&seen["right"], &seen["may"]), (&json!(right), &json!(doubts.is_empty())), "{decision}");
        if doubts.is_empty() {
            send(&referee, event, "", decision, false).ok();
            return;
        }
        assert_eq!(send(&referee, event, "", decision, true).code(), "forbidden", "{decision}");
        assert_eq!(send(&head, event, "", decision, false).json()["faults"][0]["code"], doubts[0]);
    };
    let two = seats("two", 1);
    for given in ["not-played", "absent", "disqualified", "A+", "A", "A-"] {
        rules("two", &status(1, &two[0].1, given), &["others_uncompared"]);
    }
    // The chief referee takes the comparison away; the other one, whom nobody is compared with any more, may get an
    // artificial score.
    send(&head, "two", "", &status(1, &two[0].1, "A"), true).ok();
    let other = two[1..].iter().find(|one| one.0 == two[0].0).unwrap();
    rules("two", &status(1, &other.1, "A"), &[]);
    // A raw score and a penalty take nothing from anybody.
    rules("two", &json!({"score": {"board": 2, "entrant": two[0].1, "score": 6}}), &[]);
    let tenth = json!({"of-top": "1/10"});
    rules("two", &json!({"penalty": {"board": 2, "entrant": two[0].1, "amount": tenth}}), &[]);
    // Of nine results four may go, one from each seat first.
    let three = seats("three", 1);
    let mut struck: Vec<&str> = Vec::new();
    for seat in ["A", "B", "C"] {
        let one = three.iter().find(|one| one.0 == seat).unwrap();
        rules("three", &status(1, &one.1, "not-played"), &[]);
        struck.push(&one.1);
    }
    let next: Vec<&(String, String)> =
        three.iter().filter(|one| one.0 == "A" && !struck.contains(&one.1.as_str())).collect();
    rules("three", &status(1, &next[0].1, "absent"), &["others_uncompared"]);
    send(&head, "three", "", &status(1, &next[0].1, "absent"), true).ok();
    rules("three", &status(1, &next[1].1, "absent"), &["board_emptied"]);
    let one = seats("three", 2);
    // A word that no ruling gives is not suggested.
    for word in ["Void", "void ", "ｖｏｉｄ", "", "plaied", "withdrawn?"] {
        let reply = send(&head, "three", "", &status(2, &one[0].1, word), true);
        assert_eq!(reply.code(), "bad_field", "{word}");
        let text = reply.text();
        assert!(!text.contains("did you mean"), "{word}: {text}");
        assert!(
            ["A+", "not-played", "absent", "disqualified"].iter().all(|known| text.contains(known)),
            "{text}"
        );
    }
    let near = send(&head, "three", "", &status(2, &one[0].1, "A\u{2013}"), true).text();
    assert!(near.contains("did you mean `A-`"), "{near}");
    let standing = json!({"standing": {"entrant": one[0].1, "standing": "stand_in"}});
    assert!(!send(&head, "three", "", &standing, true).text().contains("stand-in"));
}

#[test]
fn while_standings_are_frozen_no_door_shows_them() {
    let (server, chief, anybody) = stage();
    play(&server, "e1", |_| true);
    chief.put("/api/v1/events/e1/freeze", &json!({"frozen": true, "reason": "last round"})).ok();
    assert_eq!(chief.put("/api/v1/events/e1/freeze", &json!({"frozen": true})).code(), "refused");
    let tokens = chief.post("/api/v1/events/e1/ai-tokens", &json!({"entrants": ["e001"]})).ok();
    let player = anybody.bearer(tokens["items"][0]["token"].as_str().unwrap());
    for client in [&anybody, &player] {
        for door in ["standings", "standings?format=csv", "views/cross-tab", "boards", "boards/1", "live"] {
            assert_eq!(client.get(&format!("/api/v1/events/e1/{door}")).code(), "sealed", "{door}");
        }
    }
    chief.get("/api/v1/events/e1/standings").ok();
    chief.put("/api/v1/events/e1/freeze", &json!({"frozen": false, "reason": "over"})).ok();
    anybody.get("/api/v1/events/e1/standings").ok();
}

#[test]
fn an_event_is_published_revealed_and_proved() {
    let (server, chief, anybody) = stage();
    play(&server, "e1", |_| true);
    let publish =
        |state: &str| chief.post("/api/v1/events/e1/revisions", &json!({"state": state, "reason": "done"}));
    assert_eq!(chief.post("/api/v1/events/e1/reveal", &json!({"reason": "over"})).code(), "stage");
    publish("provisional").ok();
    assert_eq!(publish("offical").code(), "bad_field");
    let list = publish("official").ok();
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
    assert_eq!(publish("provisional").code(), "stage");
    for door in ["reveal", "bundle"] {
        assert_eq!(chief.get(&format!("/api/v1/events/e1/{door}")).code(), "sealed");
    }
    let keys = chief.post("/api/v1/events/e1/reveal", &json!({"reason": "over"})).ok();
    assert_eq!(anybody.get("/api/v1/events/e1/reveal").ok(), keys);
    let bundle = anybody.get("/api/v1/events/e1/bundle");
    assert_eq!(bundle.status, 200, "{}", bundle.text());
    let path = server.folder.path().join("e1.fushi");
    std::fs::write(&path, &bundle.bytes).unwrap();
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_fushi")).arg("verify").arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    // A ruling after the publication: the bundle stays that of the last revision until there is the next one.
    let head = somebody(&server, &chief, "chief-referee");
    let ruling = json!({"number": 1, "reason": "appeal", "decision": {"void": {"board": 1}}});
    head.post("/api/v1/events/e1/rulings", &ruling).ok();
    assert_eq!(anybody.get("/api/v1/events/e1/bundle").bytes, bundle.bytes);
    let list = publish("final").ok();
    let changes = &list["items"][2]["body"]["changes"];
    assert!(
        !changes.as_array().unwrap().is_empty(),
        "the old revision stays, the new one lists its differences"
    );
    assert_eq!(anybody.get("/api/v1/events/e1/rulings").ok()["items"][0]["reason"], "appeal");
    std::fs::write(&path, &anybody.get("/api/v1/events/e1/bundle").bytes).unwrap();
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_fushi")).arg("verify").arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn at_a_table_of_pairs_every_seat_has_its_person() {
    let (server, chief) = with_chief();
    draft(&chief, "p1", &json!({"game": "tuolaji", "format": "pairs", "opponents": "random"}));
    for number in 0..8 {
        let body = json!({"name": format!("甲{number}"), "partner": format!("乙{number}")});
        chief.post("/api/v1/events/p1/entrants", &body).ok();
    }
    let two = json!({"name": "甲 / 丙", "partner": "乙"});
    assert_eq!(chief.post("/api/v1/events/p1/entrants", &two).json()["faults"][0]["code"], "bad_name");
    chief.post("/api/v1/events/p1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/p1/lock", &json!({})).ok();
    play_game::<Tuolaji>(&server, "p1", false, |sitting| sitting.board == 1);
    let replay = chief.get("/api/v1/events/p1/boards/1/tables/1").ok();
    let name = |seat: &str| replay["seats"][seat]["name"].as_str().unwrap().to_owned();
    for (one, other) in [("E", "W"), ("N", "S")] {
        let (one, other) = (name(one), name(other));
        assert_eq!(one.strip_prefix('甲').expect(&one), other.strip_prefix('乙').expect(&other));
    }
}

/// What a spectator is told of the standings, message by message.
fn watch(server: &Inside) -> impl FnMut() -> Value {
    let response = ureq::get(format!("{}/api/v1/events/e1/live", server.base)).call().unwrap();
    assert_eq!(response.headers().get("content-type").unwrap(), "text/event-stream");
    let mut lines = BufReader::new(response.into_body().into_reader()).lines();
    move || loop {
        let line = lines.next().unwrap().unwrap();
        if let Some(data) = line.strip_prefix("data: ") {
            return serde_json::from_str(data).unwrap();
        }
    }
}

#[test]
fn spectators_are_told_when_standings_change() {
    let (server, _chief, _) = stage();
    let mut next = watch(&server);
    assert_eq!(next()["boards"], json!([]));
    play(&server, "e1", |sitting| sitting.board == 1);
    assert_eq!(next()["boards"], json!([1]));
}

/// R8: one who reads a byte a second and cannot be sent more is given up after the time of the configuration; others
/// are told on.
#[cfg(target_os = "linux")]
#[test]
fn r8_a_spectator_who_reads_a_byte_a_second_is_given_up() {
    let server = Inside::start_with(|config| {
        config.limits.send_buffer_kib = 4;
        config.limits.unread_seconds = 2;
    });
    locked(&chief_of(&server), "e1", 60, &json!({"opponents": "random", "boards": 4}));
    let watching = {
        let places = std::sync::Arc::clone(&server.app.read_model.watchers);
        let all = places.available_permits();
        move || all - places.available_permits()
    };
    let address: SocketAddr = server.base.strip_prefix("http://").unwrap().parse().unwrap();
    let slow = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    slow.set_recv_buffer_size(2048).unwrap();
    slow.connect(&address.into()).unwrap();
    let mut slow = TcpStream::from(slow);
    write!(slow, "GET /api/v1/events/e1/live HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut next = watch(&server);
    assert_eq!((next()["boards"].clone(), watching()), (json!([]), 2));
    for board in 1..=3 {
        play(&server, "e1", |sitting| sitting.board == board);
        while next()["boards"].as_array().unwrap().len() < board as usize {}
    }
    let mut byte = [0];
    slow.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let begun = Instant::now();
    while watching() > 1 {
        assert!(begun.elapsed() < Duration::from_secs(30), "it is kept for ever");
        std::thread::sleep(Duration::from_secs(1));
        let _ = slow.read(&mut byte);
    }
    play(&server, "e1", |sitting| sitting.board == 4);
    while next()["boards"].as_array().unwrap().len() < 4 {}
    assert_eq!(watching(), 1);
}
