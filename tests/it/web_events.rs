//! Events over HTTP: drafts, previews, entries, announcement, draw; seats, check-in, networks, devices.

use fushi::event::Event;
use fushi::formats::Occupant;
use fushi::games::wakeng::Wakeng;
use fushi::journal::verify::{Options, verify};
use serde_json::{Value, json};

use crate::server::{Client, Inside};
use crate::web_accounts::{somebody, with_chief};
use crate::web_results::play;

/// A draft with entrants.
pub fn draft(chief: &Client, id: &str, more: &Value) -> Value {
    let mut body = json!({"id": id, "game": "wakeng", "title": "周末赛", "boards": 8, "ai_delay_ms": 0});
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    chief.post("/api/v1/events", &body).ok()
}

pub fn enter(chief: &Client, id: &str, count: usize) {
    for number in 1..=count {
        let body = json!({"name": format!("Player {number}")});
        chief.post(&format!("/api/v1/events/{id}/entrants"), &body).ok();
    }
}

/// Plays a whole event, and publishes and reveals it; answers its bundle.
fn to_the_proof(server: &Inside, chief: &Client, id: &str) -> Vec<u8> {
    play(server, id, |_| true);
    let door = |name: &str| format!("/api/v1/events/{id}/{name}");
    chief.post(&door("revisions"), &json!({"state": "official", "reason": "over"})).ok();
    chief.post(&door("reveal"), &json!({"reason": "over"})).ok();
    chief.get(&door("bundle")).bytes
}

/// An event whose seats are drawn.
pub fn locked(chief: &Client, id: &str, count: usize, more: &Value) {
    draft(chief, id, more);
    enter(chief, id, count);
    chief.post(&format!("/api/v1/events/{id}/announcement"), &json!({})).ok();
    chief.post(&format!("/api/v1/events/{id}/lock"), &json!({})).ok();
}

#[test]
fn a_draft_takes_the_usual_values_and_lists_everything_that_cannot_be() {
    let (_server, chief) = with_chief();
    let made = draft(&chief, "e1", &json!({}));
    assert_eq!((made["state"].as_str(), made["format"].as_str()), (Some("draft"), Some("human-ai")));
    assert_eq!(made["positions"].as_array().unwrap().len(), 3);
    assert_eq!(made["boards_per_round"], 4);
    let wrong = json!({"game": "wakeng", "title": " x", "boards": 0, "opponents": "levle", "language": "fr",
                       "format": "indivdual", "ai_delay_ms": 99_999_999, "ruleset": "nothing"});
    let reply = chief.post("/api/v1/events", &wrong);
    assert_eq!(reply.code(), "refused");
    let codes: Vec<String> = reply.json()["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["code"].as_str().unwrap().to_owned())
        .collect();
    for code in [
        "bad_title",
        "bad_boards",
        "unknown_level",
        "unknown_language",
        "unknown_format",
        "out_of_range",
        "unknown_ruleset",
    ] {
        assert!(codes.iter().any(|known| known == code), "{code} in {codes:?}");
    }
    for (body, code) in [
        (json!({"title": "A"}), "bad_field"),
        (json!({"game": "bridge", "title": "A"}), "refused"),
        (json!({"game": "wakeng", "titel": "A"}), "unknown_field"),
        (json!({"game": "wakeng", "title": "A", "boards": -1}), "bad_field"),
        (json!({"game": "wakeng", "title": "A", "scoring": {"metod": "x"}}), "unknown_field"),
        (json!({"game": "wakeng", "title": "A", "id": "a b"}), "refused"),
        (json!({"game": "wakeng", "title": "A", "id": "e1"}), "exists"),
        (json!({"game": "wakeng", "title": "A", "delayed": {"description": "x"}}), "bad_field"),
        (json!({"game": "wakeng", "title": "A", "delayed": "nones"}), "bad_field"),
    ] {
        assert_eq!(chief.post("/api/v1/events", &body).code(), code, "{body}");
    }
    let wrong =
        chief.post("/api/v1/events", &json!({"game": "wakeng", "title": "A", "scoring": {"style": 7}}));
    let detail = wrong.json()["detail"].as_str().unwrap().to_owned();
    assert!(wrong.code() == "bad_field" && detail.contains("`scoring.style`"), "{detail}");
    // Scoring that makes no sense is refused before anything is announced.
    let awards = |plus: &str, minus: &str| json!({"awards": {"plus": plus, "even": "1/2", "minus": minus, "imps": "2", "own_average": true}});
    assert_eq!(
        chief
            .post("/api/v1/events", &json!({"game": "wakeng", "title": "A", "scoring": awards("1", "0")}))
            .status,
        201
    );
    for scoring in
        [awards("-1/100", "2/5"), awards("3/5", "7/10"), awards("2", "2/5"), json!({"min_boards": 99})]
    {
        let body = json!({"game": "wakeng", "title": "A", "boards": 8, "scoring": scoring});
        let reply = chief.post("/api/v1/events", &body);
        assert_eq!(reply.json()["faults"][0]["code"], "bad_scoring", "{body}: {}", reply.text());
    }
    // Who lets entrants meet need not say that there are rounds; who says something else is told.
    let meet = json!({"game": "wakeng", "title": "A", "format": "individual", "boards": 9});
    assert_eq!(chief.post("/api/v1/events", &meet).ok()["live"]["pace"], "rounds");
    let own = json!({"game": "wakeng", "title": "A", "format": "individual", "boards": 9, "pace": "own"});
    assert_eq!(chief.post("/api/v1/events", &own).json()["faults"][0]["code"], "bad_pace");
    for game in ["wakeng", "tuolaji", "holdem"] {
        let made = chief.post("/api/v1/events", &json!({"game": game, "title": game})).ok();
        assert!(made["id"].as_str().unwrap().starts_with("e-"));
        let sheet = chief.get(&format!("/api/v1/games/{game}")).ok();
        assert_eq!(sheet["rulesets"][0]["hash"], made["ruleset_hash"]);
    }
    assert_eq!(chief.get("/api/v1/games/bridge").code(), "not_found");
}

#[test]
fn drafts_are_for_the_desk_only_and_two_organizers_do_not_overwrite_each_other() {
    let (server, chief) = with_chief();
    draft(&chief, "e1", &json!({}));
    let anybody = Client::new(&server.base);
    assert_eq!(anybody.get("/api/v1/events/e1").code(), "not_found");
    assert_eq!(anybody.get("/api/v1/events").ok()["items"], json!([]));
    assert_eq!(chief.get("/api/v1/events").ok()["items"][0]["title"], "周末赛");
    let reply = chief.get("/api/v1/events/e1");
    let tag = reply.header("etag").unwrap().to_owned();
    assert_eq!(chief.with("if-none-match", &tag).get("/api/v1/events/e1").status, 304);
    let mine = chief.with("if-match", &tag);
    let changed = mine.patch("/api/v1/events/e1", &json!({"title": "周日赛", "boards": 12}));
    assert_eq!(changed.clone().ok()["boards"], 12);
    assert_eq!(mine.patch("/api/v1/events/e1", &json!({"title": "x"})).code(), "changed");
    let tag = changed.header("etag").unwrap().to_owned();
    assert_eq!(chief.get("/api/v1/events/e1").header("etag"), Some(tag.as_str()));
    let log = chief.get("/api/v1/events/e1/audit").ok();
    let last = log["items"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (last["act"].as_str(), &last["details"]["before"]["boards"]),
        (Some("change-event"), &json!(8))
    );
    assert_eq!(last["details"]["after"]["title"], "周日赛");
}

#[test]
fn a_preview_shows_movement_fairness_and_timetable() {
    let (_server, chief) = with_chief();
    draft(&chief, "e1", &json!({"format": "individual", "pace": "rounds", "round_minutes": 20, "boards": 9}));
    let preview = chief.get("/api/v1/events/e1/preview?entrants=7&movement=true").ok();
    assert_eq!((preview["stand_ins"].as_u64(), preview["sound"].as_bool()), (Some(2), Some(true)));
    assert_eq!(preview["timetable"][1]["from_minute"], 20);
    assert_eq!(preview["movement"].as_array().unwrap().len(), 3);
    let chinese = chief.get("/api/v1/events/e1/preview?entrants=7&lang=zh-CN").ok();
    assert_ne!(preview["audit"], chinese["audit"]);
    assert!(chinese.get("movement").is_none());
    for (query, code) in [("", "refused"), ("?entrants=1", "refused"), ("?entrants=x", "bad_query")] {
        assert_eq!(chief.get(&format!("/api/v1/events/e1/preview{query}")).code(), code, "{query}");
    }
}

#[test]
fn lists_are_rehearsed_and_taken_as_a_whole() {
    let (_server, chief) = with_chief();
    draft(&chief, "e1", &json!({}));
    let send = |query: &str, text: &str| {
        chief.send(
            "POST",
            &format!("/api/v1/events/e1/entrants/import{query}"),
            Some("text/csv"),
            text.as_bytes(),
        )
    };
    let rehearsed = send("?dry_run=true", "name,level\nA,\nA,\n,\nB,nobody\n").ok();
    assert_eq!((rehearsed["entries"].as_u64(), rehearsed["flagged"][0]["line"].as_u64()), (Some(2), Some(3)));
    assert_eq!(rehearsed["wrong"][0]["line"], 5);
    assert_eq!(send("", "name,level\nA,\nB,nobody\n").code(), "refused");
    assert_eq!(chief.get("/api/v1/events/e1/entrants").ok()["items"], json!([]));
    assert_eq!(send("", "\u{feff}name\n李伟\n李伟\n").ok()["entries"], 2);
    let list = chief.get("/api/v1/events/e1/entrants").ok();
    assert_eq!(list["items"][0]["same_name"], json!(["e002"]));
    assert_eq!(
        chief.send("POST", "/api/v1/events/e1/entrants/import", Some("text/csv"), b"name\n\xff\n").code(),
        "bad_request"
    );
    // A list as a Chinese spreadsheet writes it: GB18030, with the separator named and an empty row.
    let bytes = b"sep=;\nname;id\n;\n\xcd\xf5\xb7\xbc;w9\n";
    let door = "/api/v1/events/e1/entrants/import?dry_run=true";
    let read = chief.send("POST", door, Some("text/csv"), bytes).ok();
    assert_eq!((&read["entries"], &read["wrong"]), (&json!(1), &json!([])));
    assert_eq!(read["flagged"][0]["code"], "encoding");
    assert!(read["flagged"][0]["message"].as_str().unwrap().contains("GB18030"));
    assert_eq!(chief.post("/api/v1/events/e1/entrants/import", &json!({})).code(), "unsupported_media_type");
    let page = chief.get("/api/v1/events/e1/entrants?limit=1").ok();
    assert_eq!(page["next"], "1");
    let out = chief.delete("/api/v1/events/e1/entrants/e001?reason=ill");
    assert_eq!(out.status, 204);
    assert_eq!(chief.delete("/api/v1/events/e1/entrants/e001?reason=ill").code(), "not_found");
    assert_eq!(chief.delete("/api/v1/events/e1/entrants/e002").code(), "bad_query");
    let one = chief.post("/api/v1/events/e1/entrants", &json!({"name": "李伟"})).ok();
    assert_eq!(one["same_name"], json!(["e002"]));
    assert_eq!(chief.post("/api/v1/events/e1/entrants", &json!({"name": ""})).code(), "refused");
    assert_eq!(chief.post("/api/v1/events/none/entrants", &json!({"name": "A"})).code(), "not_found");
}

/// A list is looked at as `fushi rank` looks at results: names that are alike, pairs of the same persons.
#[test]
fn names_that_are_alike_and_pairs_of_the_same_persons_are_pointed_out_and_never_merged() {
    let (_server, chief) = with_chief();
    draft(&chief, "e1", &json!({}));
    let pairs = json!({"id": "e2", "game": "tuolaji", "title": "双人赛", "boards": 8, "format": "pairs"});
    chief.post("/api/v1/events", &pairs).ok();
    let import = |event: &str, query: &str, text: &str| {
        let door = format!("/api/v1/events/{event}/entrants/import{query}");
        chief.send("POST", &door, Some("text/csv"), text.as_bytes()).ok()
    };
    let flags = |report: &Value| -> Vec<(u64, String)> {
        let of = |one: &Value| (one["line"].as_u64().unwrap(), one["code"].as_str().unwrap().to_owned());
        report["flagged"].as_array().unwrap().iter().map(of).collect()
    };
    let flag = |line: u64, code: &str| (line, code.to_owned());
    let singles = "name\nWang\nｗａｎｇ\nWANG\nWang1\nWang 01\nLi\n";
    let wanted = [flag(3, "alike"), flag(4, "alike"), flag(6, "alike")];
    for query in ["?dry_run=true", ""] {
        let report = import("e1", query, singles);
        assert_eq!((flags(&report).as_slice(), &report["entries"]), (&wanted[..], &json!(6)), "{query}");
    }
    let told = import("e1", "?dry_run=true&lang=zh-CN", "name\nli\n");
    assert!(told["flagged"][0]["message"].as_str().unwrap().contains("“Li”"), "{told}");
    let twins = "name,partner\n王,李\n李,王\n王,王\n王,孙\n张,赵\n";
    let wanted = [flag(3, "pair_turned"), flag(4, "pair_same"), flag(5, "pair_shared")];
    for query in ["?dry_run=true", ""] {
        let report = import("e2", query, twins);
        assert_eq!((flags(&report).as_slice(), &report["entries"]), (&wanted[..], &json!(5)), "{query}");
    }
    // What stands on the list already is looked at, too, and so is a single entry and a correction.
    assert_eq!(flags(&import("e2", "?dry_run=true", "name,partner\n赵,张\n")), [flag(2, "pair_turned")]);
    let entry =
        |event: &str, body: Value| chief.post(&format!("/api/v1/events/{event}/entrants"), &body).ok();
    let code = |line: &Value| line["flagged"][0]["code"].clone();
    assert_eq!(code(&entry("e1", json!({"name": "LI"}))), "alike");
    assert_eq!(entry("e1", json!({"name": "Sun"})).get("flagged"), None);
    assert_eq!(code(&entry("e2", json!({"name": "赵", "partner": "张"}))), "pair_turned");
    assert_eq!(code(&entry("e2", json!({"name": "钱", "partner": "赵"}))), "pair_shared");
    let alone = entry("e2", json!({"name": "周", "partner": "周"}));
    assert_eq!(code(&alone), "pair_same");
    let path = format!("/api/v1/events/e2/entrants/{}", alone["id"].as_str().unwrap());
    let fixed = chief.patch(&path, &json!({"partner": "吴", "reason": "misread"})).ok();
    assert_eq!(fixed.get("flagged"), None, "{fixed}");
    assert_eq!(code(&chief.patch(&path, &json!({"partner": "孙", "reason": "x"})).ok()), "pair_shared");
    assert_eq!(chief.get("/api/v1/events/e2/entrants").ok()["items"].as_array().unwrap().len(), 8);
}

#[test]
fn announced_deals_and_drawn_seats_cannot_be_chosen_any_more() {
    let (server, chief) = with_chief();
    let now = server.app.clock.now();
    let delayed = json!({"description": "lottery", "length": 3, "known_after": now + 3_600_000_000_i64});
    draft(&chief, "e1", &json!({"delayed": delayed}));
    assert_eq!(chief.post("/api/v1/events/e1/lock", &json!({})).code(), "stage");
    enter(&chief, "e1", 5);
    let made = chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    let hash = fushi::canonical::sha256(made["text"].as_str().unwrap().as_bytes());
    assert_eq!(made["hash"], hex(&hash));
    assert_eq!(chief.post("/api/v1/events/e1/announcement", &json!({})).code(), "stage");
    let anybody = Client::new(&server.base);
    assert_eq!(anybody.get("/api/v1/events/e1/announcement").ok()["hash"], made["hash"]);
    assert_eq!(chief.patch("/api/v1/events/e1", &json!({"boards": 9})).code(), "stage");
    assert_eq!(chief.patch("/api/v1/events/e1", &json!({"grace_ms": 1000})).code(), "refused");
    let live = json!({"grace_ms": 1000, "reason": "a good network"});
    assert_eq!(chief.patch("/api/v1/events/e1", &live).ok()["live"]["grace_ms"], 1000);
    let late = json!({"name": "Late"});
    chief.post("/api/v1/events/e1/entrants", &late).ok();
    let program = json!({"name": "P", "level": "random"});
    assert_eq!(chief.post("/api/v1/events/e1/entrants", &program).code(), "refused");
    let put = |value: &str| chief.put("/api/v1/events/e1/delayed", &json!({"value": value}));
    assert_eq!(put("123").code(), "stage");
    server.app.clock.shift(3_700_000_000);
    assert_eq!(put("12").code(), "refused");
    assert_eq!(put("1,23").ok()["delayed"], "123");
    assert_eq!(put("124").code(), "exists");
    let lock = chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    assert_eq!((lock["rounds"].as_u64(), lock["plays"].as_u64()), (Some(2), Some(48)));
    let seed = lock["seed"].as_str().unwrap();
    let draw = fushi::formats::draw(6, seed.as_bytes());
    let places: Vec<&str> =
        draw.places().into_iter().map(|place| lock["order"][place].as_str().unwrap()).collect();
    assert_eq!(lock["places"], json!(places), "whoever has the seed can repeat the draw");
    assert_eq!(chief.post("/api/v1/events/e1/lock", &json!({})).code(), "stage");
    assert_eq!(chief.post("/api/v1/events/e1/entrants", &late).code(), "stage");
    let list = anybody.get("/api/v1/events/e1/entrants").ok();
    assert_eq!((&list["items"][0]["id"], &list["items"][0]["number"]), (&json!("e001"), &json!(1)));
    assert_eq!(anybody.get("/api/v1/events/e1").ok()["draw"]["seed"], seed);
    let log = chief.get("/api/v1/events/e1/audit?limit=500").ok();
    let acts: Vec<_> =
        log["items"].as_array().unwrap().iter().map(|item| item["act"].as_str().unwrap()).collect();
    for act in ["create", "read-key", "announce", "delayed-value", "lock"] {
        assert!(acts.contains(&act), "{act} in {acts:?}");
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// Everybody's number in the list of entrants, by name.
fn numbers(client: &Client, id: &str) -> Vec<(String, u64)> {
    let list = client.get(&format!("/api/v1/events/{id}/entrants")).ok();
    let line = |one: &Value| (one["name"].as_str().unwrap().to_owned(), one["number"].as_u64().unwrap());
    list["items"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn everybody_has_one_number_from_the_entry_to_the_proof() {
    let (server, chief) = with_chief();
    draft(
        &chief,
        "e1",
        &json!({"format": "individual", "pace": "rounds", "boards": 3, "boards_per_round": 3}),
    );
    // The numbers of the sheet, with one missing; whoever comes later gets the next one.
    let list =
        "number,name,club,region\n1,张伟,飞牌社,陕西\n2,王芳,,\n4,张伟,红心社,\n7,李娜,,甘肃\n9,赵磊,,\n";
    chief.send("POST", "/api/v1/events/e1/entrants/import", Some("text/csv"), list.as_bytes()).ok();
    assert_eq!(chief.delete("/api/v1/events/e1/entrants/e002?reason=ill").status, 204);
    for name in ["Late", "Later"] {
        chief.post("/api/v1/events/e1/entrants", &json!({"name": name})).ok();
    }
    let taken = json!({"name": "Taken", "number": 7});
    assert_eq!(chief.post("/api/v1/events/e1/entrants", &taken).json()["faults"][0]["code"], "number_taken");
    let before = numbers(&chief, "e1");
    let of = |name: &str, number: u64| (name.to_owned(), number);
    let expected =
        [of("张伟", 1), of("张伟", 4), of("李娜", 7), of("赵磊", 9), of("Late", 10), of("Later", 11)];
    assert_eq!(before, expected);
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    let anybody = Client::new(&server.base);
    assert_eq!(numbers(&anybody, "e1"), before, "the draw changes no number");
    let mut event = Event::<Wakeng>::load(server.app.store.as_ref(), "e1").unwrap();
    event.follow(fushi::event::log::replayed(server.app.store.as_ref(), "e1").unwrap().competition());
    let mut seated: Vec<u32> = event.rounds[0]
        .tables
        .iter()
        .flat_map(|table| &table.sittings[0])
        .filter_map(|who| match who {
            Occupant::Entrant(number) => Some(*number),
            _ => None,
        })
        .collect();
    seated.sort_unstable();
    assert_eq!(seated, [1, 4, 7, 9, 10, 11], "the movement says the entrants' own numbers");
    let bundle = to_the_proof(&server, &chief, "e1");
    let report = verify(&bundle[..], &Options::default()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assert_eq!(report.entrants, 6);
    let text = String::from_utf8(bundle).unwrap();
    assert!(
        text.contains("\"club\":\"飞牌社\"") && text.contains("\"region\":\"甘肃\""),
        "clubs are in the bundle"
    );
    let line = anybody.get("/api/v1/events/e1/entrants").ok()["items"][1].clone();
    assert_eq!((&line["club"], &line["same_name"]), (&json!("红心社"), &json!(["e001"])));
}

#[test]
fn a_corrected_name_changes_no_result_and_no_draw_and_can_be_corrected_back() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 4, &json!({"opponents": "random"}));
    let anybody = Client::new(&server.base);
    let door = "/api/v1/events/e1/entrants/e002";
    let wrong = [
        (json!({"name": "王芳"}), "refused"),
        (json!({"name": "", "reason": "x"}), "refused"),
        (json!({"partner": "B", "reason": "x"}), "refused"),
        (json!({"level": "random", "reason": "x"}), "unknown_field"),
    ];
    for (body, code) in wrong {
        assert_eq!(chief.patch(door, &body).code(), code, "{body}");
    }
    assert_eq!(anybody.patch(door, &json!({"name": "X", "reason": "x"})).code(), "not_signed_in");
    let referee = somebody(&server, &chief, "referee");
    assert_eq!(referee.patch(door, &json!({"name": "X", "reason": "x"})).code(), "forbidden");
    assert_eq!(chief.patch("/api/v1/events/e1/entrants/e009", &json!({"reason": "x"})).code(), "not_found");
    play(&server, "e1", |_| true);
    let named = |client: &Client| client.get("/api/v1/events/e1/entrants").ok()["items"][1]["name"].clone();
    let seen = |client: &Client| {
        let sheet = client.get("/api/v1/events/e1").ok();
        let announced = client.get("/api/v1/events/e1/announcement").ok();
        (
            sheet["draw"].clone(),
            announced,
            client.get("/api/v1/events/e1/standings").ok()["standings"].clone(),
        )
    };
    let before = seen(&anybody);
    let paper = || anybody.get("/api/v1/events/e1/views/ranking?format=csv").text();
    assert!(paper().contains("Player 2"), "{}", paper());
    // The same name as somebody else's: two entrants still.
    let line =
        chief.patch(door, &json!({"name": "Player 3", "club": "飞牌社", "reason": "spelt wrong"})).ok();
    assert_eq!((&line["number"], &line["same_name"]), (&json!(2), &json!(["e003"])));
    assert_eq!(named(&anybody), "Player 3");
    assert!(!paper().contains("Player 2"), "{}", paper());
    chief.post("/api/v1/events/e1/revisions", &json!({"state": "official", "reason": "over"})).ok();
    // After the publication, too.
    chief.patch(door, &json!({"name": "王芳", "club": "", "reason": "spelt wrong again"})).ok();
    assert_eq!(named(&anybody), "王芳");
    assert!(paper().contains("王芳"), "{}", paper());
    chief.patch(door, &json!({"name": "Player 2", "reason": "back"})).ok();
    let after = seen(&anybody);
    assert_eq!((&after.0, &after.1), (&before.0, &before.1), "draw and announcement stay");
    assert_eq!(after.2, before.2, "results and standings stay");
    assert!(before.2.as_array().is_some_and(|lines| lines.len() == 4), "{}", before.2);
    let log = chief.get("/api/v1/events/e1/audit?limit=500").ok();
    let items = log["items"].as_array().unwrap();
    let corrections: Vec<&Value> = items.iter().filter(|one| one["act"] == "correct-entrant").collect();
    assert_eq!(corrections.len(), 3);
    assert_eq!(corrections[0]["details"]["before"]["name"], "Player 2");
    assert_eq!(corrections[0]["details"]["after"]["club"], "飞牌社");
    assert_eq!(corrections[1]["details"]["after"]["club"], Value::Null);
    chief.post("/api/v1/events/e1/reveal", &json!({"reason": "over"})).ok();
    let bundle = chief.get("/api/v1/events/e1/bundle").bytes;
    verify(&bundle[..], &Options::default()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
}

/// Codes of the faults or notes of an answer.
fn codes(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(|one| one["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn small_groups_and_entrants_never_compared_are_said_before_anybody_is_bound() {
    let (_server, chief) = with_chief();
    let tuolaji = json!({"game": "tuolaji", "id": "pairs", "title": "T", "format": "pairs", "pace": "rounds",
                         "boards": 4, "boards_per_round": 2});
    chief.post("/api/v1/events", &tuolaji).ok();
    let preview = chief.get("/api/v1/events/pairs/preview?entrants=8").ok();
    assert_eq!((preview["sound"].as_bool(), preview["even"].as_bool()), (Some(true), Some(false)));
    assert_eq!((&preview["comparisons"][0], &preview["group_sizes"]), (&json!(0), &json!([4, 4])));
    assert!(codes(&preview["notes"]).contains(&"never_compared".to_owned()), "{preview}");
    let chinese = chief.get("/api/v1/events/pairs/preview?entrants=8&lang=zh-CN").ok();
    assert!(chinese["audit"].to_string().contains("从不直接比较"), "{chinese}");
    let holdem = json!({"game": "holdem", "id": "poker", "title": "P", "format": "individual", "pace": "rounds",
                        "boards": 24, "boards_per_round": 6});
    chief.post("/api/v1/events", &holdem).ok();
    let preview = chief.get("/api/v1/events/poker/preview?entrants=12").ok();
    assert_eq!((preview["even"].as_bool(), &preview["group_sizes"]), (Some(false), &json!([2, 2])));
    assert!(codes(&preview["notes"]).contains(&"small_groups".to_owned()), "{preview}");
    for number in 1..=12 {
        chief.post("/api/v1/events/poker/entrants", &json!({"name": format!("Player {number}")})).ok();
    }
    let announced = chief.post("/api/v1/events/poker/announcement", &json!({})).ok();
    assert!(codes(&announced["warnings"]).contains(&"small_groups".to_owned()), "{announced}");
    // What is even is said to be: nothing is warned of.
    draft(
        &chief,
        "even",
        &json!({"format": "individual", "pace": "rounds", "boards": 24, "boards_per_round": 3}),
    );
    let preview = chief.get("/api/v1/events/even/preview?entrants=24").ok();
    assert_eq!((preview["even"].as_bool(), codes(&preview["notes"])), (Some(true), vec![]), "{preview}");
    assert!(
        preview["comparisons"][0].as_u64() > Some(0) && preview["group_sizes"] == json!([8, 8]),
        "{preview}"
    );
    // A timetable without a limit follows from how long a board takes.
    let seconds = preview["board_seconds"].as_u64().unwrap();
    assert!((60..=600).contains(&seconds), "{preview}");
    assert_eq!(preview["timetable"][0]["to_minute"].as_u64(), Some((3 * seconds).div_ceil(60)));
}

/// A handful of entrants and everything in one session: what is announced can be locked, and what cannot be locked says
/// what would work, before and after the announcement.
#[test]
fn what_was_announced_can_be_locked_or_says_what_would_work() {
    let (_server, chief) = with_chief();
    let session = |boards: u32| json!({"format": "individual", "pace": "rounds", "boards": boards, "boards_per_round": boards});
    locked(&chief, "six", 6, &session(18));
    let event = chief.get("/api/v1/events/six").ok();
    assert_eq!(event["state"], "locked", "{event}");
    // Two entrants too few for byes: announced with a warning, refused at the draw with the numbers that would do.
    let bye =
        json!({"format": "individual", "pace": "rounds", "boards": 12, "boards_per_round": 3, "fill": "bye"});
    draft(&chief, "five", &bye);
    enter(&chief, "five", 5);
    let announced = chief.post("/api/v1/events/five/announcement", &json!({})).ok();
    assert!(announced["warnings"].as_array().is_some_and(|warnings| !warnings.is_empty()), "{announced}");
    let refused = chief.post("/api/v1/events/five/lock", &json!({}));
    assert_eq!(refused.code(), "refused");
    let faults = refused.json()["faults"].clone();
    let codes: Vec<&str> =
        faults.as_array().unwrap().iter().map(|fault| fault["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"bad_entrants") && codes.contains(&"possible_entrants"), "{faults}");
    assert_eq!(chief.get("/api/v1/events/five").ok()["state"], "announced");
    // The way out: one more entrant.
    chief.post("/api/v1/events/five/entrants", &json!({"name": "Player 6"})).ok();
    chief.post("/api/v1/events/five/lock", &json!({})).ok();
    assert_eq!(chief.get("/api/v1/events/five").ok()["state"], "locked");
}

#[test]
fn seat_codes_work_once_from_the_venue_and_on_its_devices() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 2, &json!({}));
    let referee = somebody(&server, &chief, "referee");
    let codes = referee.post("/api/v1/events/e1/seat-codes", &json!({})).ok();
    let code = codes["items"][0]["code"].as_str().unwrap().to_lowercase();
    let anybody = Client::new(&server.base);
    let take = |code: &str| anybody.post("/api/v1/events/e1/seat", &json!({"code": code}));
    assert_eq!(take("ABCDE-FGHJK").code(), "bad_credentials");
    chief.put("/api/v1/events/e1/networks", &json!({"networks": ["10.1.0.0/16"]})).ok();
    assert_eq!(take(&code).code(), "wrong_network");
    chief.put("/api/v1/events/e1/networks", &json!({"networks": ["127.0.0.0/8", "10.1.0.0/16"]})).ok();
    assert_eq!(
        chief.get("/api/v1/events/e1/networks").ok()["networks"],
        json!(["10.1.0.0/16", "127.0.0.0/8"])
    );
    assert_eq!(
        chief.put("/api/v1/events/e1/networks", &json!({"networks": ["10.1.0.1/16"]})).code(),
        "bad_field"
    );
    let device =
        chief.post("/api/v1/events/e1/devices", &json!({"name": "Tablet 1", "table": 1, "seat": "A"})).ok();
    assert_eq!(
        chief.post("/api/v1/events/e1/devices", &json!({"name": "T", "seat": "Q"})).code(),
        "not_found"
    );
    assert_eq!(take(&code).code(), "bad_credentials");
    let with_device = json!({"code": code, "device": device["token"]});
    let seat = anybody.post("/api/v1/events/e1/seat", &with_device).ok();
    assert_eq!(anybody.post("/api/v1/events/e1/seat", &with_device).code(), "bad_credentials");
    let player = anybody.bearer(seat["token"].as_str().unwrap());
    let me = player.get("/api/v1/session").ok();
    assert_eq!((me["kind"].as_str(), &me["entrant"]), (Some("seat"), &seat["entrant"]));
    assert_eq!(player.get("/api/v1/events/e1/seats").code(), "forbidden");
    let seats = chief.get("/api/v1/events/e1/seats").ok();
    assert_eq!(seats["items"][0]["device"], device["id"]);
    // A new code for the same entrant ends the old token once it is used.
    let again = referee.post("/api/v1/events/e1/seat-codes", &json!({"entrants": [seat["entrant"]]})).ok();
    assert_eq!(player.get("/api/v1/session").status, 200);
    let body = json!({"code": again["items"][0]["code"], "device": device["token"]});
    anybody.post("/api/v1/events/e1/seat", &body).ok();
    assert_eq!(player.get("/api/v1/session").code(), "bad_credentials");
    let path = format!("/api/v1/events/e1/devices/{}", device["id"].as_str().unwrap());
    chief.delete(&format!("{path}?reason=broken")).ok();
    assert_eq!(chief.delete(&format!("{path}?reason=broken")).code(), "not_found");
    let tokens = chief.post("/api/v1/events/e1/ai-tokens", &json!({})).ok();
    assert_eq!(tokens["items"].as_array().unwrap().len(), 2);
    let program = anybody.bearer(tokens["items"][0]["token"].as_str().unwrap());
    assert_eq!(program.get("/api/v1/session").ok()["plays"], "ai-program");
    let whom = tokens["items"][0]["entrant"].as_str().unwrap();
    referee.delete(&format!("/api/v1/events/e1/seats/{whom}?reason=cheating")).ok();
    assert_eq!(program.get("/api/v1/session").code(), "bad_credentials");
    assert_eq!(chief.post("/api/v1/events/e1/ai-tokens", &json!({"entrants": ["x"]})).code(), "not_found");
}

#[test]
fn whoever_checks_in_has_acknowledged_the_rules_as_they_are() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 2, &json!({}));
    let sheet = chief.get("/api/v1/events/e1").ok();
    let good = json!({"rules_hash": sheet["ruleset_hash"]});
    let put = |body: &Value| chief.put("/api/v1/events/e1/checkins/e001", body);
    assert_eq!(put(&json!({"rules_hash": "00"})).code(), "refused");
    assert_eq!(put(&json!({})).code(), "bad_field");
    put(&good).ok();
    let list = chief.get("/api/v1/events/e1/checkins").ok();
    assert_eq!((list["items"][0]["by"].as_str(), &list["missing"]), (Some("chief"), &json!(["e002"])));
    chief.delete("/api/v1/events/e1/checkins/e001?reason=mistake").ok();
    let tokens = chief.post("/api/v1/events/e1/ai-tokens", &json!({"entrants": ["e002"]})).ok();
    let player = Client::new(&server.base).bearer(tokens["items"][0]["token"].as_str().unwrap());
    player.post("/api/v1/events/e1/checkin", &good).ok();
    assert_eq!(chief.get("/api/v1/events/e1/checkins").ok()["missing"], json!(["e001"]));
    assert_eq!(chief.post("/api/v1/events/e1/checkin", &good).code(), "forbidden");
}

#[test]
fn a_server_that_was_restarted_knows_its_events() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({}));
    let before = chief.get("/api/v1/events/e1").ok();
    let store = fushi::store::Store::open(&server.app.config.database).unwrap();
    let mut event = fushi::event::Event::<fushi::games::wakeng::Wakeng>::load(&store, "e1").unwrap();
    event.follow(fushi::event::log::replayed(&store, "e1").unwrap().competition());
    assert_eq!(event.rounds.len() as u64, before["rounds"].as_u64().unwrap());
    let seed = server
        .app
        .read_model
        .look(&server.app, &event.id, |state| Ok(state.competition().draws()[0].seed.clone()));
    assert_eq!(seed.unwrap(), before["draw"]["seed"].as_str().unwrap());
    let _: &Inside = &server;
}
