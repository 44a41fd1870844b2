//! Who sees which results, at every door: frozen standings, published ones, and those that the desk alone knows; and
//! that nobody rules further than a right reaches.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::process::Command;

use fushi::desk::rights::{Right, to_rule};
use fushi::formats::ruling::Reach;
use fushi::web::pages::PAGES;
use fushi::web::routes::Method;
use serde_json::{Value, json};

use crate::server::{Client, Inside, Reply};
use crate::web_accounts::{somebody, with_chief};
use crate::web_events::locked;
use crate::web_results::play;

/// What a door tells of the results of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tells {
    /// Scores, places, or what leads to them: shut while they are hidden.
    Results,
    /// Nothing of them, ever.
    Nothing,
}

/// Every endpoint that anybody may read. A new one has to be put here before it can be offered.
const DOORS: &[(&str, Tells)] = &[
    ("health", Tells::Nothing),
    ("ready", Tells::Nothing),
    ("metrics", Tells::Nothing),
    ("openApi", Tells::Nothing),
    ("docsHome", Tells::Nothing),
    ("docs", Tells::Nothing),
    ("whoAmI", Tells::Nothing),
    ("listEvents", Tells::Nothing),
    ("getEvent", Tells::Nothing),
    ("getGame", Tells::Nothing),
    ("getAnnouncement", Tells::Nothing),
    ("listCheckpoints", Tells::Nothing),
    ("listEntrants", Tells::Nothing),
    ("getProgress", Tells::Nothing),
    ("play", Tells::Nothing),
    ("watchTable", Tells::Nothing),
    ("getStandings", Tells::Results),
    ("getView", Tells::Results),
    ("watchStandings", Tells::Results),
    ("listBoards", Tells::Results),
    ("getBoard", Tells::Results),
    ("getReplay", Tells::Results),
    ("getStories", Tells::Results),
    ("listRulings", Tells::Results),
    ("getRulingNotice", Tells::Results),
    ("listRevisions", Tells::Results),
    ("getReveal", Tells::Results),
    ("getBundle", Tells::Results),
    ("getJournal", Tells::Results),
];

/// Every page that anybody may open.
const OPEN_PAGES: &[&str] = &[
    "/",
    "/login",
    "/seat",
    "/setup",
    "/events/{event}",
    "/events/{event}/seats",
    "/events/{event}/cross-tab",
    "/events/{event}/boards",
    "/events/{event}/boards/{board}",
    "/events/{event}/boards/{board}/projector",
    "/events/{event}/boards/{board}/tables/{table}",
    "/events/{event}/entrants/{entrant}",
    "/events/{event}/projector",
    "/events/{event}/rules",
    "/events/{event}/rulings",
    "/events/{event}/sheet",
    "/events/{event}/verify",
    "/play/{event}",
    "/events/{event}/watch",
    "/try/{game}",
];

const VIEWS: [&str; 10] = [
    "ranking",
    "ranking?format=text",
    "ranking?format=xlsx",
    "cross-tab?format=csv",
    "traveller?board=1",
    "card?entrant=e001",
    "seats",
    "versus?entrant=e001&other=e002",
    "explain?board=1&seat=A&entrant=e001",
    "results?format=csv",
];

/// The addresses of a pattern.
fn addresses(pattern: &str) -> Vec<String> {
    if pattern.ends_with("/views/{view}") {
        return VIEWS.iter().map(|view| format!("/api/v1/events/e1/views/{view}")).collect();
    }
    let parts: Vec<&str> = pattern
        .split('/')
        .map(|part| match part {
            "{event}" => "e1",
            "{entrant}" => "e001",
            "{board}" | "{table}" | "{round}" | "{ruling}" => "1",
            "{game}" => "wakeng",
            "{file:.*}" => "index.html",
            part => part,
        })
        .collect();
    let path = parts.join("/");
    let mut all = vec![path.clone()];
    if pattern.ends_with("/standings") {
        all.extend(["text", "csv", "xlsx"].iter().map(|form| format!("{path}?format={form}")));
    }
    all
}

/// A reason that stands nowhere but in a ruling.
const PLANTED: &str = "planted-7391";

fn rule(client: &Client, number: u32, decision: &Value) -> Reply {
    let body = json!({"number": number, "reason": PLANTED, "decision": decision, "confirm": true});
    client.post("/api/v1/events/e1/rulings", &body)
}

fn publish(chief: &Client, state: &str) {
    chief.post("/api/v1/events/e1/revisions", &json!({"state": state, "reason": "x"})).ok();
}

fn freeze(chief: &Client, frozen: bool) {
    chief.put("/api/v1/events/e1/freeze", &json!({"frozen": frozen, "reason": "last round"})).ok();
}

/// A score of the first entrant on the first board whose weight gives every value of it a denominator of its own.
fn plant(referee: &Client, chief: &Client) -> BTreeSet<String> {
    let file = chief.get("/api/v1/events/e1/views/results?format=csv").text();
    let scores: BTreeSet<i64> =
        file.lines().skip(1).filter_map(|line| line.split(',').nth(3)?.parse().ok()).collect();
    let outcome = |weight: &str, score: Option<&i64>| json!({"weight": weight, "score": score.unwrap()});
    let outcomes = [outcome("7/7919", scores.first()), outcome("7912/7919", scores.last())];
    assert!(scores.len() > 1, "{file}");
    let decision = json!({"weighted": {"board": 1, "entrant": "e001", "outcomes": outcomes}});
    rule(referee, 1, &decision).ok();
    distinctive(chief)
}

/// Averages that cannot stand anywhere by chance.
fn distinctive(chief: &Client) -> BTreeSet<String> {
    let sheet = chief.get("/api/v1/events/e1/standings").ok();
    let averages = sheet["standings"].as_array().unwrap().iter().filter_map(|line| line["average"].as_str());
    let planted: BTreeSet<String> = averages.filter(|text| text.len() > 8).map(str::to_owned).collect();
    assert!(!planted.is_empty(), "{sheet}");
    planted
}

/// Walks every door and every page.
fn walk(anybody: &Client, player: &Client, hidden: bool, planted: &BTreeSet<String>) {
    let table = fushi::web::api::table();
    let mut shut = 0;
    for (who, client) in [("anybody", anybody), ("a player", player)] {
        for endpoint in table.endpoints().iter().filter(|one| one.method == Method::Get) {
            for address in addresses(endpoint.path) {
                let place = format!("{who} at {address}");
                if endpoint.right != Right::SeePublic {
                    let reply = client.get(&address);
                    assert!(matches!(reply.status, 401 | 403), "{place}: {}", reply.status);
                    continue;
                }
                let (_, tells) = DOORS
                    .iter()
                    .find(|(id, _)| *id == endpoint.id)
                    .unwrap_or_else(|| panic!("{}: nobody has said whether it tells results", endpoint.id));
                if endpoint.stream && !hidden {
                    continue;
                }
                // A tag from before opens nothing either.
                let reply = client.with("if-none-match", "*").get(&address);
                if *tells == Tells::Results {
                    if hidden {
                        assert_eq!(reply.code(), "sealed", "{place}");
                        shut += 1;
                    } else {
                        assert!(matches!(reply.status, 200 | 304), "{place}: {}", reply.text());
                    }
                }
                silent(&client.get(&address), *tells == Tells::Nothing, &place, planted);
            }
        }
        for page in PAGES {
            if page.right == Right::SeePublic {
                assert!(OPEN_PAGES.contains(&page.path), "{}: nobody has said what it tells", page.path);
            }
            for address in addresses(page.path) {
                let reply = client.with("accept", "text/html").get(&address);
                silent(&reply, hidden, &format!("{who} at {address}"), planted);
                // Where nothing may be shown the page asks for nothing, and leads to no proof.
                let asks = ["id=\"sheet\"", "id=\"replay\"", "/bundle\""];
                let found = asks.iter().any(|sign| reply.text().contains(sign));
                assert!(!(hidden && found), "{who} at {address}: {}", reply.text());
            }
        }
    }
    assert!(!hidden || shut > 40, "{shut}");
}

/// Nothing of the results stands in an answer that must not tell them.
fn silent(reply: &Reply, must: bool, place: &str, planted: &BTreeSet<String>) {
    let text = reply.text();
    let told = planted.iter().any(|one| text.contains(one.as_str())) || text.contains(PLANTED);
    assert!(!(must && told), "{place}: {text}");
    assert!(!must || !place.contains("/e1") || !text.contains("\"rank\""), "{place}: {text}");
}

#[test]
fn frozen_results_stand_behind_no_door_and_on_no_page() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({"opponents": "random"}));
    let referee = somebody(&server, &chief, "referee");
    let anybody = Client::new(&server.base);
    let tokens = chief.post("/api/v1/events/e1/ai-tokens", &json!({"entrants": ["e001"]})).ok();
    let player = anybody.bearer(tokens["items"][0]["token"].as_str().unwrap());
    // In the last rounds: half of the boards are over everywhere.
    play(&server, "e1", |sitting| sitting.board <= 4);
    let planted = plant(&referee, &chief);
    freeze(&chief, true);
    walk(&anybody, &player, true, &planted);
    // Everything is over, provisional results are published, the keys are out: still frozen.
    play(&server, "e1", |sitting| sitting.board > 4);
    publish(&chief, "provisional");
    chief.post("/api/v1/events/e1/reveal", &json!({"reason": "x"})).ok();
    let planted = distinctive(&chief);
    walk(&anybody, &player, true, &planted);
    // The desk sees everything meanwhile, but not on a projector.
    let desk = chief.get("/api/v1/events/e1/revisions").text();
    assert!(desk.contains("provisional"), "{desk}");
    for door in ["standings", "views/cross-tab", "rulings", "bundle", "reveal", "boards/1"] {
        assert_eq!(chief.get(&format!("/api/v1/events/e1/{door}")).status, 200, "{door}");
    }
    for door in ["standings?public=true", "views/ranking?public=true", "live?public=true"] {
        assert_eq!(chief.get(&format!("/api/v1/events/e1/{door}")).code(), "sealed", "{door}");
    }
    for page in ["projector", "boards/1/projector"] {
        let page = chief.get(&format!("/events/e1/{page}?lang=en")).text();
        assert!(page.contains("The standings are covered for now."), "{page}");
    }
    freeze(&chief, false);
    walk(&anybody, &player, false, &planted);
}

/// What everybody sees of results, byte by byte.
fn everything(server: &Inside, client: &Client) -> Vec<(String, Vec<u8>)> {
    let mut doors: Vec<String> = VIEWS.iter().map(|view| format!("views/{view}")).collect();
    doors.extend(
        [
            "standings",
            "standings?format=csv",
            "rulings",
            "rulings/notice",
            "revisions",
            "bundle",
            "boards",
            "boards/1",
        ]
        .map(str::to_owned),
    );
    let mut all: Vec<(String, Vec<u8>)> = doors
        .into_iter()
        .map(|door| {
            let reply = client.get(&format!("/api/v1/events/e1/{door}"));
            assert_eq!(reply.status, 200, "{door}: {}", reply.text());
            // A workbook has its instant in it.
            let bytes = if door.contains("xlsx") { Vec::new() } else { reply.bytes };
            (door, bytes)
        })
        .collect();
    let response = ureq::get(format!("{}/api/v1/events/e1/live", server.base)).call().unwrap();
    let mut lines = BufReader::new(response.into_body().into_reader()).lines().map(Result::unwrap);
    let first = lines.find(|line| line.starts_with("data: ")).unwrap();
    all.push(("live".to_owned(), first.into_bytes()));
    all
}

#[test]
fn after_a_publication_everybody_sees_that_one_until_the_next() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({"opponents": "random"}));
    let anybody = Client::new(&server.base);
    let head = somebody(&server, &chief, "chief-referee");
    play(&server, "e1", |_| true);
    // Before the first publication public standings are live, rulings included.
    rule(&head, 1, &json!({"status": {"board": 1, "entrant": "e001", "status": "A-"}})).ok();
    let live = anybody.get("/api/v1/events/e1/standings").ok();
    assert_eq!((&live["revision"], &live["pending"]), (&Value::Null, &Value::Null));
    assert!(live["standings"].to_string().contains("\"rulings\":[1]"), "{live}");
    for (at, state) in ["provisional", "official", "final"].into_iter().enumerate() {
        publish(&chief, state);
        chief.post("/api/v1/events/e1/reveal", &json!({"reason": "x"})).ok();
        let revision = u32::try_from(at).unwrap() + 1;
        let before = everything(&server, &anybody);
        let number = revision + 1;
        rule(&head, number, &json!({"void": {"board": number}})).ok();
        assert_eq!(everything(&server, &anybody), before, "{state}");
        let sheet = anybody.get("/api/v1/events/e1/standings").ok();
        assert_eq!((&sheet["revision"], &sheet["pending"]), (&json!(revision), &Value::Null));
        // The revision's hash is that of exactly these lines.
        let list = anybody.get("/api/v1/events/e1/revisions").ok();
        assert_eq!(list["items"].as_array().unwrap().len(), revision as usize);
        // The bundle of the last revision is there for everybody, and checks out.
        let path = server.folder.path().join("e1.fushi");
        std::fs::write(&path, &anybody.get("/api/v1/events/e1/bundle").bytes).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_fushi")).arg("verify").arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        // The desk sees what is pending, and that it is.
        let desk = chief.get("/api/v1/events/e1/standings").ok();
        assert_eq!(desk["pending"]["revision"], revision);
        assert_eq!(desk["pending"]["rulings"], json!([number]));
        let changes = desk["pending"]["changes"].as_array().unwrap();
        assert!(changes.iter().any(|change| change["board"] == number), "{changes:?}");
        assert_ne!(desk["standings"], sheet["standings"]);
        assert_eq!(chief.get("/api/v1/events/e1/standings?public=true").ok(), sheet);
        let file = chief.get("/api/v1/events/e1/views/ranking?format=csv");
        let name = file.header("content-disposition").unwrap();
        assert!(name.contains("e1-pending.csv"), "{name}");
        assert_eq!(file.header("fushi-pending"), Some(number.to_string().as_str()));
        assert_eq!(anybody.get("/api/v1/events/e1/views/ranking").header("fushi-pending"), None);
        let rulings = chief.get("/api/v1/events/e1/rulings").ok();
        let marks: Vec<bool> = rulings["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["pending"].as_bool().unwrap())
            .collect();
        assert_eq!(marks.iter().position(|mark| *mark), Some(at + 1), "{rulings}");
        for (who, client, told) in [("the desk", &chief, true), ("anybody", &anybody, false)] {
            for page in ["", "/cross-tab", "/boards/1", "/entrants/e001"] {
                let text = client.get(&format!("/events/e1{page}?view=desk")).text();
                assert_eq!(text.contains("id=\"pending\""), told, "{who} at {page}");
            }
            // What hangs on the wall shows what is published, whoever has opened it.
            let wall = client.get("/events/e1/projector").text();
            assert!(!wall.contains("id=\"pending\""), "{wall}");
        }
    }
    let published = anybody.get("/api/v1/events/e1/standings").ok();
    publish(&chief, "final");
    let now = anybody.get("/api/v1/events/e1/standings").ok();
    assert_eq!(now["revision"], 4);
    assert_ne!(now["standings"], published["standings"]);
    assert_eq!(chief.get("/api/v1/events/e1/standings").ok()["pending"], Value::Null);
}

#[test]
fn what_a_decision_does_decides_the_right_that_it_needs() {
    for published in [false, true] {
        for reach in [Reach::Result, Reach::Ruling, Reach::Board, Reach::Ranking] {
            let light = reach == Reach::Result && !published;
            let right = if light { Right::Rule } else { Right::Correct };
            assert_eq!(to_rule(reach, published), right, "{reach:?} {published}");
        }
    }
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({"opponents": "random"}));
    let referee = somebody(&server, &chief, "referee");
    let head = somebody(&server, &chief, "chief-referee");
    let status = |board: u32, entrant: &str, status: &str| json!({"status": {"board": board, "entrant": entrant, "status": status}});
    // Nobody else has finished the board yet: it can still count for them.
    play(&server, "e1", |sitting| sitting.board == 8 && sitting.table == 1);
    let first = chief.get("/api/v1/events/e1/views/results?format=csv").text();
    let first = first.lines().nth(1).unwrap().split(',').nth(2).unwrap().to_owned();
    rule(&referee, 1, &status(8, &first, "absent")).ok();
    play(&server, "e1", |sitting| sitting.board < 8 || sitting.table > 1);
    let mut next = 2;
    let mut made = |client: &Client, decision: &Value| -> String {
        let look = json!({"number": next, "reason": PLANTED, "decision": decision});
        let seen = client.post("/api/v1/events/e1/rulings/preview", &look);
        let reply = rule(client, next, decision);
        if reply.status == 201 {
            assert_eq!(seen.ok()["may"], true, "{decision}");
            next += 1;
            return "made".to_owned();
        }
        let code = reply.code();
        if code == "forbidden" {
            let seen = seen.ok();
            assert_eq!((&seen["may"], &seen["right"]), (&json!(false), &json!("correct")), "{decision}");
        }
        code
    };
    // A board is voided by `void`, and by the chief referee; no status of one result does it, for whoever asks.
    for given in ["void", "withdrawn", "played"] {
        for client in [&referee, &head] {
            assert_eq!(made(client, &status(1, "e001", given)), "refused", "{given}");
        }
    }
    let body = json!({"number": next_of(&chief), "reason": "x", "decision": status(1, "e001", "void")});
    let said = referee.post("/api/v1/events/e1/rulings", &body).text();
    for known in ["A+", "not-played", "absent", "disqualified"] {
        assert!(said.contains(known), "{known}: {said}");
    }
    assert_eq!(made(&referee, &json!({"void": {"board": 1}})), "forbidden");
    let standing = json!({"standing": {"entrant": "e001", "standing": "disqualified"}});
    assert_eq!(made(&referee, &standing), "forbidden");
    // Striking out the results of a board one by one is voiding it.
    assert_eq!(made(&referee, &status(1, "e001", "not-played")), "made");
    assert_eq!(
        made(&referee, &status(1, "e002", "absent")),
        "forbidden",
        "e003 would be compared with nobody"
    );
    assert_eq!(made(&head, &status(1, "e002", "absent")), "made");
    assert_eq!(made(&referee, &status(1, "e003", "disqualified")), "forbidden");
    assert_eq!(made(&referee, &status(1, "e003", "A")), "made");
    // Striking out every result of an entrant is disqualifying it.
    let gone = if first == "e001" { "e002" } else { "e001" };
    for board in 2..=7 {
        assert_eq!(made(&referee, &status(board, gone, "disqualified")), "made", "{board}");
    }
    assert_eq!(made(&referee, &status(8, gone, "disqualified")), "forbidden");
    assert_eq!(made(&head, &status(8, gone, "disqualified")), "made");
    // One's own ruling may be replaced; somebody else's only by the chief referee, as a withdrawal.
    let penalty = json!({"penalty": {"board": 2, "entrant": "e003", "amount": {"of-top": "1/10"}}});
    assert_eq!(made(&referee, &status(1, "e003", "A+")), "made");
    assert_eq!(made(&head, &status(3, "e003", "A+")), "made");
    assert_eq!(made(&referee, &status(3, "e003", "A-")), "forbidden");
    let all = json!([{"weight": "1", "score": 3}]);
    let weighted = json!({"weighted": {"board": 3, "entrant": "e003", "outcomes": all}});
    assert_eq!(made(&referee, &weighted), "forbidden");
    assert_eq!(made(&referee, &json!({"withdraw": {"ruling": 1}})), "forbidden");
    assert_eq!(made(&referee, &penalty), "made");
    // What is published is the chief referee's to correct.
    publish(&chief, "final");
    assert_eq!(made(&referee, &penalty), "forbidden");
    assert_eq!(made(&head, &penalty), "made");
}

/// The number of the next ruling.
fn next_of(chief: &Client) -> usize {
    chief.get("/api/v1/events/e1/rulings").ok()["items"].as_array().unwrap().len() + 1
}
