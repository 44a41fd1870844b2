//! What is made known of rulings, and to whom; whose view an answer is; how far places have moved; who people are where
//! several have one name.

use std::collections::BTreeMap;

use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use serde_json::{Value, json};

use crate::server::{Client, Inside};
use crate::web_accounts::{somebody, with_chief};
use crate::web_events::{draft, locked};
use crate::web_results::play_game;

/// A server with an event of so many entrants whose persons play each in their own way.
fn staged(count: usize) -> (Inside, Client) {
    let (server, chief) = with_chief();
    locked(&chief, "e1", count, &json!({"opponents": "random"}));
    (server, chief)
}

fn play_boards(server: &Inside, which: impl Fn(u32) -> bool) {
    play_game::<Wakeng>(server, "e1", true, |sitting| which(sitting.board));
}

fn get(client: &Client, path: &str) -> Value {
    client.get(&format!("/api/v1/events/e1/{path}")).ok()
}

fn rule(client: &Client, number: u32, reason: &str, decision: &Value) {
    let body = json!({"number": number, "reason": reason, "decision": decision, "confirm": true});
    client.post("/api/v1/events/e1/rulings", &body).ok();
}

fn publish(chief: &Client, state: &str) {
    chief.post("/api/v1/events/e1/revisions", &json!({"state": state, "reason": "x"})).ok();
}

#[test]
fn the_public_is_told_rulings_as_of_the_last_publication_and_nothing_before() {
    // Five on a board: no rate that is played is the 40 % that is given.
    let (server, chief) = staged(5);
    let head = somebody(&server, &chief, "chief-referee");
    let anybody = Client::new(&server.base);
    play_boards(&server, |_| true);
    rule(&head, 1, "迟到十分钟", &json!({"status": {"board": 1, "entrant": "e001", "status": "A-"}}));
    let before = get(&anybody, "rulings/notice");
    assert_eq!((&before["view"], &before["revision"]), (&json!("public"), &Value::Null));
    assert_eq!((&before["rulings"], &before["revisions"]), (&json!([]), &json!([])));
    let desk = get(&chief, "rulings/notice");
    assert_eq!((&desk["view"], &desk["rulings"][0]["revision"]), (&json!("desk"), &Value::Null));
    assert_eq!(get(&chief, "rulings/notice?public=true"), before);

    publish(&chief, "provisional");
    let result = get(&anybody, "views/traveller?board=1");
    let table = result["traveller"]["seats"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .find(|line| line["entrant"] == "e001")
        .unwrap()["table"]
        .clone();
    let told = get(&anybody, "rulings/notice");
    let one = &told["rulings"][0];
    assert_eq!((&one["number"], &one["board"]), (&json!(1), &json!(1)));
    assert_eq!(Some(one["table"].to_string().as_str()), table.as_str());
    assert_eq!((&one["entrant"], &one["name"]), (&json!("e001"), &json!("chief-referee")));
    assert_eq!((&one["reason"], &one["revision"]), (&json!("迟到十分钟"), &json!(1)));
    // The figures of the entrant concerned stand first: the result, from what was played to what was given.
    let change = &one["changes"]["items"][0];
    assert_eq!((&change["entrant"], &change["board"]), (&json!("e001"), &json!(1)));
    assert_eq!((&change["before"]["status"], &change["after"]["status"]), (&json!("played"), &json!("A-")));
    assert_ne!(change["before"]["value"], change["after"]["value"]);

    // What is ruled since stands in the next publication, with what it changed.
    rule(&head, 2, "底牌被看到", &json!({"void": {"board": 2}}));
    rule(&head, 3, "申诉成立", &json!({"withdraw": {"ruling": 1}}));
    assert_eq!(get(&anybody, "rulings/notice"), told);
    publish(&chief, "official");
    let told = get(&anybody, "rulings/notice");
    let rulings = told["rulings"].as_array().unwrap();
    assert_eq!(rulings.len(), 3);
    assert_eq!((&rulings[1]["board"], &rulings[1]["entrant"]), (&json!(2), &Value::Null));
    assert_eq!(rulings[0]["withdrawn_by"], 3);
    assert_eq!((&rulings[2]["board"], &rulings[2]["entrant"]), (&json!(1), &json!("e001")));
    let back = &rulings[2]["changes"]["items"][0];
    assert_eq!((&back["before"]["status"], &back["after"]["status"]), (&json!("A-"), &json!("played")));
    let revisions = told["revisions"].as_array().unwrap();
    let counts: Vec<&Value> = revisions.iter().map(|one| &one["rulings"]).collect();
    assert_eq!(counts, [&json!(1), &json!(3)]);
    assert!(!revisions[1]["changes"]["items"].as_array().unwrap().is_empty(), "{}", revisions[1]);
    // The fingerprint of a publication is that which was told when it was signed.
    let proofs = get(&anybody, "checkpoints");
    let last = proofs["items"].as_array().unwrap().iter().rfind(|one| one["kind"] == "revision").unwrap();
    assert_eq!(last["hash"], revisions[1]["hash"]);
    let sheet = anybody.get("/events/e1/sheet?lang=en").text();
    let shown: String =
        sheet.split("<p class=\"hash\">").nth(1).unwrap().split("</p>").next().unwrap().into();
    let digits = shown.replace("<code>", "").replace("</code>", "").replace(' ', "");
    assert_eq!(Some(digits.as_str()), last["hash"].as_str());
}

#[test]
fn a_sheet_to_sign_is_there_once_results_are_published_and_never_while_they_are_frozen() {
    let (server, chief) = staged(3);
    let anybody = Client::new(&server.base);
    let sheet = || anybody.get("/events/e1/sheet?lang=en").text();
    play_boards(&server, |_| true);
    assert!(sheet().contains("No results are published yet.") && !sheet().contains("class=\"hash\""));
    publish(&chief, "official");
    assert!(sheet().contains("class=\"hash\"") && sheet().contains("Chief referee"), "{}", sheet());
    chief.put("/api/v1/events/e1/freeze", &json!({"frozen": true, "reason": "ceremony"})).ok();
    assert!(!sheet().contains("class=\"hash\""));
    assert_eq!(anybody.get("/api/v1/events/e1/rulings/notice").code(), "sealed");
    // Nor for those who could see more at their desk: it is to be hung up.
    let own = chief.get("/events/e1/sheet?view=desk&lang=en").text();
    assert!(!own.contains("class=\"hash\""), "{own}");
}

/// The places by entrant.
fn ranks(sheet: &Value) -> BTreeMap<String, i64> {
    let line = |line: &Value| {
        Some((line["entrant"].as_str()?.to_owned(), line["rank"].as_str()?.parse::<i64>().ok()?))
    };
    sheet["standings"].as_array().unwrap().iter().filter_map(line).collect()
}

fn moves(sheet: &Value) -> Vec<&Value> {
    sheet["standings"].as_array().unwrap().iter().map(|line| &line["moved"]).collect()
}

#[test]
fn places_move_by_rank_since_the_board_that_was_counted_last_and_only_during_play() {
    let (server, chief) = staged(12);
    let anybody = Client::new(&server.base);
    play_boards(&server, |board| board == 1);
    let first = get(&anybody, "standings");
    assert!(
        moves(&first).iter().all(|moved| moved.is_null()),
        "nothing stood before the first board: {first}"
    );
    let mut before = ranks(&first);
    let mut seen = 0;
    for last in 2..=7 {
        play_boards(&server, |board| board == last);
        let sheet = get(&anybody, "standings");
        let now = ranks(&sheet);
        for line in sheet["standings"].as_array().unwrap() {
            let entrant = line["entrant"].as_str().unwrap();
            assert_eq!(line["moved"], before[entrant] - now[entrant], "{entrant} after board {last}");
            seen += i64::from(before[entrant] != now[entrant]);
        }
        // The desk's own view is not what the public saw before.
        let desk = get(&chief, "standings");
        assert!(moves(&desk).iter().all(|moved| moved.is_null()), "{desk}");
        before = now;
    }
    assert!(seen > 0, "in six boards somebody moves");
    play_boards(&server, |board| board == 8);
    let over = get(&anybody, "standings");
    assert!(over["complete"] == true && moves(&over).iter().all(|moved| moved.is_null()), "{over}");
    publish(&chief, "official");
    let official = get(&anybody, "standings");
    assert!(moves(&official).iter().all(|moved| moved.is_null()), "{official}");
}

#[test]
fn every_answer_with_results_says_whose_view_it_is_and_pages_show_organizers_the_public_one() {
    let (server, chief) = staged(6);
    let anybody = Client::new(&server.base);
    // Board 2 is over at one table only: the desk's view holds it, the public one does not.
    play_game::<Wakeng>(&server, "e1", true, |sitting| {
        sitting.board == 1 || (sitting.board == 2 && sitting.table == 1)
    });
    let boards = |client: &Client, path: &str| {
        let sheet = get(client, path);
        (sheet["view"].as_str().unwrap().to_owned(), sheet["boards"].clone())
    };
    assert_eq!(boards(&chief, "standings"), ("desk".to_owned(), json!([1, 2])));
    assert_eq!(boards(&chief, "standings?public=true"), ("public".to_owned(), json!([1])));
    assert_eq!(boards(&anybody, "standings"), ("public".to_owned(), json!([1])));
    for path in [
        "standings",
        "views/cross-tab?format=json",
        "views/ranking?format=text",
        "views/ranking?format=csv",
        "views/ranking?format=xlsx",
        "views/results?format=csv",
    ] {
        for (client, view) in [(&chief, "desk"), (&anybody, "public")] {
            let file = client.get(&format!("/api/v1/events/e1/{path}"));
            assert_eq!(file.header("fushi-view"), Some(view), "{path}");
            let name = file.header("content-disposition").unwrap_or_default().to_owned();
            let named = view == "desk" && !path.contains("json") && path != "standings";
            assert_eq!(name.contains("e1-desk."), named, "{path}: {name}");
        }
    }
    for (client, told) in [(&chief, true), (&anybody, false)] {
        for form in ["text", "csv"] {
            let text =
                client.get(&format!("/api/v1/events/e1/views/ranking?format={form}&lang=zh-CN")).text();
            assert_eq!(text.contains("赛务视图"), told, "{form}: {text}");
        }
        assert_eq!(get(client, "views/cross-tab")["view"], if told { "desk" } else { "public" });
    }
    // The pages: public by default for everybody; the desk's own view is asked for, and only the desk is shown it.
    for page in ["", "/cross-tab", "/boards/1", "/entrants/e001", "/rulings"] {
        let open =
            |client: &Client, query: &str| client.get(&format!("/events/e1{page}?lang=en{query}")).text();
        let plain = open(&chief, "");
        assert!(
            plain.contains("\"view\":\"public\"") && plain.contains("id=\"to-desk-view\""),
            "{page}: {plain}"
        );
        assert!(!plain.contains("id=\"desk-view\""), "{page}");
        let own = open(&chief, "&view=desk");
        assert!(own.contains("\"view\":\"desk\"") && own.contains("id=\"desk-view\""), "{page}: {own}");
        assert!(own.contains("not for the hall"), "{page}: {own}");
        let spectator = open(&anybody, "&view=desk");
        assert!(spectator.contains("\"view\":\"public\"") && !spectator.contains("desk-view"), "{page}");
    }
    let links = |query: &str| chief.get(&format!("/events/e1?lang=en{query}")).text();
    assert!(links("").contains("views/ranking?public=true&amp;format=csv"), "{}", links(""));
    assert!(links("&view=desk").contains("views/ranking?format=csv"), "{}", links("&view=desk"));
    let wall = chief.get("/events/e1/projector?view=desk").text();
    assert!(wall.contains("\"view\":\"public\"") && !wall.contains("desk-view"), "{wall}");
}

#[test]
fn of_two_entrants_of_one_name_every_page_and_file_says_which() {
    let (server, chief) = with_chief();
    draft(&chief, "e1", &json!({"opponents": "random"}));
    for name in ["张伟", "李娜", "张伟"] {
        chief.post("/api/v1/events/e1/entrants", &json!({"name": name})).ok();
    }
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    somebody(&server, &chief, "referee");
    play_boards(&server, |_| true);
    let anybody = Client::new(&server.base);
    let list = get(&anybody, "entrants");
    let numbers: BTreeMap<String, u64> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["name"] == "张伟")
        .map(|one| (one["id"].as_str().unwrap().to_owned(), one["number"].as_u64().unwrap()))
        .collect();
    assert_eq!(numbers.len(), 2, "{list}");
    let sheet = get(&anybody, "standings");
    let csv = anybody.get("/api/v1/events/e1/views/ranking?format=csv").text();
    for (id, number) in &numbers {
        let called = format!("张伟 ({number})");
        let line =
            sheet["standings"].as_array().unwrap().iter().find(|line| line["entrant"] == **id).unwrap();
        assert_eq!(line["name"], called);
        assert!(csv.contains(&called), "{csv}");
        for table in 1..=3 {
            let replay = get(&anybody, &format!("boards/1/tables/{table}"));
            for seat in replay["seats"].as_object().unwrap().values() {
                assert!(seat["entrant"] != **id || seat["name"] == called, "{seat}");
            }
        }
        for page in
            ["/desk/e1/rulings", "/desk/e1/audit", "/desk/e1/floor", "/events/e1/rulings", "/events/e1"]
        {
            let text = chief.get(page).text();
            assert!(text.contains(&format!("\"{id}\":\"{called}\"")), "{page}: {text}");
        }
    }
    // At the desk and in the notice everybody is called with the number.
    for (page, numbered) in [("/desk/e1/rulings", true), ("/events/e1/rulings", true), ("/events/e1", false)]
    {
        let text = chief.get(page).text();
        assert_eq!(text.contains("\"李娜 ("), numbered, "{page}");
    }
}

#[test]
fn a_person_of_two_pairs_of_one_name_is_told_apart_in_a_replay() {
    let (server, chief) = with_chief();
    draft(&chief, "e1", &json!({"game": "tuolaji", "format": "pairs", "opponents": "random"}));
    for pair in ["甲/乙", "甲/乙", "丙/丁", "戊/己", "庚/辛", "壬/癸", "子/丑", "寅/卯"] {
        let (one, other) = pair.split_once('/').unwrap();
        let body = json!({"name": one, "partner": other});
        chief.post("/api/v1/events/e1/entrants", &body).ok();
    }
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    play_game::<Tuolaji>(&server, "e1", false, |sitting| sitting.board == 1);
    let mut names = Vec::new();
    for table in 1..=4 {
        let replay = get(&chief, &format!("boards/1/tables/{table}"));
        names.extend(replay["seats"].as_object().unwrap().values().map(|seat| seat["name"].clone()));
    }
    let called = |what: char| {
        let mut found: Vec<&str> =
            names.iter().filter_map(Value::as_str).filter(|name| name.starts_with(what)).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    for person in ['甲', '乙'] {
        let found = called(person);
        assert!(found.len() == 2 && found.iter().all(|name| name.ends_with(')')), "{names:?}");
    }
    assert_eq!(called('丙'), ["丙"]);
}
