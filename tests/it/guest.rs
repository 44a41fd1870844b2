//! Whoever comes by without a slip: travellers with the story, times of a replay, boards to try, live tables, stand-ins at
//! seats that nobody takes, titles of the sample events.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fushi::cards::Card;
use fushi::desk::draft::Fields;
use fushi::desk::people::{People as _, SeatToken};
use fushi::desk::stage::{Staging, stage};
use fushi::event::Event;
use fushi::event::archive::Archive;
use fushi::event::ledger::EventWrite;
use fushi::event::live::Pace;
use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::games::{Seat, deal_board, rulesets};
use fushi::journal::{Board, ControlKind, Header, Line, scan_line};
use fushi::players::Levels;
use fushi::rng::GameRng;
use fushi::tables::hall::trial::{Trial, open};
use fushi::web::sample;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::server::{Client, Inside};
use crate::socket::Wire;
use crate::web_results::played_by_persons;

/// A fact of a story.
fn fact<'a>(story: &'a Value, name: &str, kind: &str) -> &'a Value {
    let found = story.as_array().unwrap().iter().find(|one| one["fact"] == name);
    &found.unwrap_or_else(|| panic!("{name} is missing in {story}"))[kind]
}

/// The outcomes by table as `fushi replay` tells them, from the journals that the board's page hands out.
fn outcomes<G: Levels>(sheet: &Value) -> BTreeMap<u64, (Value, Value)> {
    let header = Header::<G>::read(sheet["deal"].as_object().unwrap().clone(), &[]).unwrap();
    let tables = sheet["tables"].as_array().unwrap();
    tables
        .iter()
        .map(|table| {
            let mut board = Board::open(&header);
            for line in table["journal"].as_array().unwrap().iter().skip(1) {
                match scan_line::<G>(&line.to_string()).unwrap() {
                    Line::Action(entry) => board.play(&entry).map(|_| ()).unwrap(),
                    Line::Control(note) => board.note(&note).map(|_| ()).unwrap(),
                }
            }
            let scores: serde_json::Map<String, Value> = G::seated(&header.start)
                .iter()
                .map(|seat| {
                    (G::seat_name(seat).unwrap().to_owned(), G::scores(board.state())[seat.index()].into())
                })
                .collect();
            let outcome = serde_json::to_value(G::outcome(board.state())).unwrap();
            (table["table"].as_u64().unwrap(), (outcome, scores.into()))
        })
        .collect()
}

/// Every table of a board stands in exactly one line of its stories, and says what its own journal says.
fn told<G: Levels>(format: &str, persons: u32, same: impl Fn(&Value, &Value, &Value)) {
    let server = Inside::start();
    played_by_persons::<G>(&server, format, persons, 2);
    let anybody = Client::new(&server.base);
    assert_eq!(anybody.get("/api/v1/events/g1/boards/3/stories").code(), "sealed");
    assert_eq!(anybody.get("/api/v1/events/g1/boards/99/stories").code(), "not_found");
    let stories = anybody.get("/api/v1/events/g1/boards/1/stories").ok();
    let sheet = anybody.get("/api/v1/events/g1/boards/1").ok();
    let outcomes = outcomes::<G>(&sheet);
    let mut seen = BTreeSet::new();
    let mut lines = BTreeSet::new();
    for line in stories["lines"].as_array().unwrap() {
        let text = json!([line["story"], line["scores"]]).to_string();
        assert!(lines.insert(text), "the same line stands twice: {line}");
        for table in line["tables"].as_array().unwrap() {
            let table = table.as_u64().unwrap();
            assert!(seen.insert(table), "table {table} stands twice");
            let (outcome, scores) = &outcomes[&table];
            assert_eq!(&line["scores"], scores, "table {table}");
            same(&line["story"], outcome, &sheet["deal"]);
        }
    }
    assert_eq!(seen, outcomes.keys().copied().collect());
}

#[test]
fn a_traveller_of_wakeng_tells_banker_bid_bombs_and_winner_of_each_journal() {
    told::<Wakeng>("human-ai", 6, |story, outcome, _| {
        assert_eq!(fact(story, "banker", "seat"), &outcome["banker"]);
        assert_eq!(fact(story, "bid", "number"), &outcome["bid"]);
        assert_eq!(fact(story, "bombs", "number"), &outcome["bombs"]);
        assert_eq!(fact(story, "winner", "side"), &outcome["winner"]);
        // A show or a double is what the factors rest on.
        let shown = fact(story, "show", "seats").as_array().unwrap().is_empty();
        assert_eq!(shown, outcome["factors"]["show"] == 1, "{story} {outcome}");
        let doubled = fact(story, "double", "seats").as_array().unwrap().is_empty();
        let factors = outcome["factors"]["double"].as_object().unwrap();
        assert_eq!(doubled, factors.values().all(|factor| *factor == 1), "{story} {outcome}");
    });
}

#[test]
fn a_traveller_of_tuolaji_tells_level_trump_points_and_bottom_of_each_journal() {
    told::<Tuolaji>("human-ai", 4, |story, outcome, deal| {
        assert_eq!(fact(story, "trump", "trump"), &outcome["trump"]);
        assert_eq!(fact(story, "points", "number"), &outcome["small"]);
        assert_eq!(fact(story, "multiplier", "number"), &outcome["multiplier"]);
        assert_eq!(fact(story, "level", "rank"), &deal["level"]);
        assert_eq!(fact(story, "banker", "seat"), &deal["banker"]);
        let caller =
            outcome["calls"].as_array().and_then(|calls| calls.last()).map(|call| call["seat"].clone());
        assert_eq!(fact(story, "call", "seat"), &caller.unwrap_or(Value::Null));
        let side = match outcome["big"].as_i64().unwrap() {
            0 => "level",
            1.. => "defence",
            _ => "banker",
        };
        assert_eq!(fact(story, "winner", "side"), side);
    });
}

#[test]
fn a_traveller_of_holdem_tells_pots_and_winners_of_each_journal() {
    told::<Holdem>("human-ai", 4, |story, outcome, _| {
        let pots = outcome["pots"].as_array().unwrap();
        let amounts: Vec<&Value> = pots.iter().map(|pot| &pot["amount"]).collect();
        assert_eq!(fact(story, "pots", "amounts"), &json!(amounts));
        assert_eq!(fact(story, "showdown", "seats"), &outcome["shown"]);
        let mut winners: Vec<u64> = pots
            .iter()
            .flat_map(|pot| pot["shares"].as_object().unwrap().keys())
            .map(|seat| seat.parse().unwrap())
            .collect();
        winners.sort_unstable();
        winners.dedup();
        let winners: Vec<String> = winners.iter().map(ToString::to_string).collect();
        assert_eq!(fact(story, "winner", "seats"), &json!(winners));
    });
}

#[test]
fn a_replay_says_when_each_step_was_made_and_how_long_its_seat_took() {
    let server = Inside::start();
    played_by_persons::<Wakeng>(&server, "human-ai", 3, 2);
    let replay = Client::new(&server.base).get("/api/v1/events/g1/boards/1/tables/1").ok();
    let steps = replay["steps"].as_array().unwrap();
    assert_eq!((&steps[0]["at_ms"], &steps[0]["took_ms"]), (&Value::Null, &Value::Null));
    // The players of this test act a millisecond after each other. The first three choose at the same time whether to show:
    // the second had one more, the third two; whoever bids or plays had one.
    let mut begun = 0;
    let mut phase = steps[0]["view"]["phase"].clone();
    for (step, before) in steps.iter().skip(1).zip(steps) {
        let at = step["at_ms"].as_u64().unwrap();
        if before["view"]["phase"] != phase {
            phase = before["view"]["phase"].clone();
            begun = before["at_ms"].as_u64().unwrap_or(0);
        }
        let since =
            if phase == "show" || phase == "double" { begun } else { before["at_ms"].as_u64().unwrap_or(0) };
        assert_eq!(step["took_ms"], at - since, "step {}", step["n"]);
    }
    assert_eq!(steps[3]["took_ms"], 3, "{}", steps[3]);
}

/// Plays a board through the socket with the first legal action each time. Answers the result and the comparison.
async fn to_the_end(wire: &mut Wire, first: Value) -> (Value, Value) {
    let mut message = first;
    let mut finished = Value::Null;
    let mut id = 0;
    loop {
        match message["type"].as_str().unwrap() {
            "snapshot" | "event" => {
                if let Some(action) = message["legal"].as_array().and_then(|legal| legal.first()) {
                    id += 1;
                    let act =
                        json!({"type": "act", "id": format!("a{id}"), "play": message["play"], "do": action});
                    wire.say(&act).await;
                }
            }
            "finished" => finished = message,
            "compared" => return (finished, message),
            // Who chooses at the same time as others is asked again with each of their choices.
            _ => {}
        }
        message = wire.hear().await.expect("the board comes to its end");
    }
}

#[test]
fn a_board_to_try_is_a_real_board_that_leaves_nothing_behind() {
    let server = Inside::start();
    let anybody = Client::new(&server.base);
    let body = json!({"game": "wakeng"});
    let made = anybody.post("/api/v1/trials", &body);
    assert_eq!(made.status, 201);
    let token = made.json()["token"].as_str().unwrap().to_owned();
    assert_eq!(anybody.post("/api/v1/trials", &json!({"game": "chess"})).code(), "bad_field");
    let base = server.base.clone();
    let (finished, compared) = server.app.runtime.block_on(async {
        let mut wire = Wire::open(&base).await;
        wire.say(&json!({"type": "join", "v": 1, "token": token})).await;
        let seated = wire.until("seated").await;
        let own = seated["seat"].as_str().unwrap().to_owned();
        let kinds = seated["seats"].as_object().unwrap();
        assert!(kinds.iter().all(|(seat, who)| (who["kind"] == "person") == (*seat == own)), "{seated}");
        let snapshot = wire.until("snapshot").await;
        // Nobody else's cards are in it.
        let text = snapshot["view"].to_string();
        assert_eq!(snapshot["view"]["seat"], own.as_str(), "{text}");
        let (finished, compared) = to_the_end(&mut wire, snapshot).await;
        drop(wire);
        // Whoever comes back is told the end again.
        let mut wire = Wire::open(&base).await;
        wire.say(&json!({"type": "join", "v": 1, "token": token})).await;
        let (mut end, mut again) = (Value::Null, Value::Null);
        while end.is_null() || again.is_null() {
            let message = wire.hear().await.expect("both are told");
            match message["type"].as_str().unwrap() {
                "finished" => end = message,
                "compared" => again = message,
                _ => {}
            }
        }
        assert_eq!((&end["scores"], &again), (&finished["scores"], &compared));
        (finished, compared)
    });
    let results = compared["results"].as_array().unwrap();
    let seat = compared["seat"].as_str().unwrap();
    let own: Vec<&Value> = results.iter().filter(|one| one["level"].is_null()).collect();
    assert_eq!(own.len(), 1, "{compared}");
    assert_eq!(own[0]["score"], finished["scores"][seat]);
    assert!(fact(&own[0]["story"], "bid", "number").as_i64().unwrap() > 0, "{compared}");
    let others: Vec<i64> = results
        .iter()
        .filter(|one| !one["level"].is_null())
        .map(|one| one["score"].as_i64().unwrap())
        .collect();
    assert_eq!(others.len(), 4, "two tables for each level: {compared}");
    let score = own[0]["score"].as_i64().unwrap();
    let points: i64 = others.iter().map(|other| 1 + (score - other).signum()).sum();
    assert_eq!(compared["rate"], json!([points, 8]));
    // No event, no journal, no evidence, no seat.
    assert_eq!(server.app.store.events().unwrap(), Vec::<String>::new());
    assert!(server.app.store.seat_token(&fushi::canonical::sha256(token.as_bytes())).unwrap().is_none());
    assert_eq!(anybody.get("/api/v1/events").ok()["items"], json!([]));
}

#[test]
fn boards_to_try_are_bounded_for_the_server_and_for_an_address() {
    let server = Inside::start_with(|config| (config.limits.trials, config.limits.trials_each) = (3, 2));
    let anybody = Client::new(&server.base);
    let wanted = |game: &str| anybody.post("/api/v1/trials", &json!({"game": game}));
    assert_eq!((wanted("wakeng").status, wanted("tuolaji").status), (201, 201));
    let refused = wanted("holdem");
    assert_eq!((refused.status, refused.code()), (429, "rate_limited".to_owned()));
    assert!(refused.header("retry-after").is_some());
    assert_eq!(server.app.trials.count(), 2);
    let thinkers = &server.app.halls.deps().thinkers;
    let _entered = server.app.runtime.enter();
    let from = |address: &str| {
        server.app.trials.begin(fushi::games::GameKind::Wakeng, address.parse().unwrap(), thinkers).is_ok()
    };
    // Another address has places of its own as long as the server has any.
    assert!(from("192.0.2.7"));
    assert!(!from("192.0.2.8"), "the server's places are taken");
    let shut = Inside::start_with(|config| config.limits.trials = 0);
    let shut = Client::new(&shut.base);
    assert_eq!(shut.post("/api/v1/trials", &json!({"game": "wakeng"})).status, 429);
    assert_eq!(shut.get("/try/wakeng").status, 404);
    assert!(!shut.get("/").text().contains("/try/"));
}

#[test]
fn a_board_to_try_is_forgotten_when_nobody_is_there() {
    let server = Inside::start();
    let _entered = server.app.runtime.enter();
    let rules = rulesets::default::<Wakeng>().unwrap();
    let mut cards: Vec<Card> = <Wakeng as fushi::games::Game>::PACK.cards();
    GameRng::of("guest", b"1").shuffle(&mut cards);
    let start = deal_board::<Wakeng>(&rules, 1, &cards).unwrap();
    let trial = Trial::<Wakeng> {
        header: Header::new("try/1", rules, start),
        number: 1,
        seat: Seat(0),
        level: Wakeng::levels()[1],
        key: [1; 32],
        thinkers: Arc::new(Semaphore::new(1)),
        idle: Duration::from_millis(20),
    };
    let hall = open(trial);
    waits(|| hall.gone());
}

/// Waits until something has happened.
fn waits(done: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_mins(2);
    while !done() {
        assert!(Instant::now() < until, "it does not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_live_table_is_shown_without_hidden_cards_and_only_where_nobody_but_computers_plays() {
    let server = Inside::start();
    let app = server.app.clone();
    app.runtime.block_on(sample::open(&app, sample::Demo::default())).unwrap();
    let anybody = Client::new(&server.base);
    assert_eq!(anybody.get("/api/v1/events/sample-open/watch").code(), "sealed");
    assert_eq!(anybody.get("/events/sample-open/watch").status, 404);
    for event in ["sample-wakeng", "sample-tuolaji", "sample-holdem"] {
        let watch = format!("/api/v1/events/{event}/watch");
        // Between two boards there is none.
        let shown = std::cell::RefCell::new(Value::Null);
        waits(|| {
            *shown.borrow_mut() = anybody.get(&watch).ok();
            shown.borrow()["open"].is_object()
        });
        let shown = shown.into_inner();
        let open = shown["open"].as_object().unwrap();
        assert!(open["seats"].as_object().unwrap().len() >= 3, "{shown}");
        let view = &open["snapshot"]["view"];
        for own in ["hand", "seat", "me"] {
            assert!(view.get(own).is_none_or(Value::is_null), "{own}: {view}");
        }
        assert!(open["snapshot"].get("legal").is_none(), "{shown}");
        assert_eq!(anybody.get(&format!("{watch}?table=77")).ok()["open"], Value::Null);
        assert_eq!(anybody.get(&format!("/events/{event}/watch")).status, 200);
        // Frozen standings freeze this, too.
        let log = app.halls.logs().open(event).unwrap();
        fushi::desk::publishing::freeze(&log, fushi::journal::Author::Server, true, EventWrite::default())
            .unwrap();
        assert_eq!(anybody.get(&watch).code(), "sealed");
    }
}

/// An event against computer players whose seats wait one second for their persons.
fn waiting(server: &Inside) {
    let app = &server.app;
    let fields = Fields {
        title: Some("Open".to_owned()),
        format: Some("human-ai".to_owned()),
        boards: Some(8),
        boards_per_round: Some(8),
        pace: Some(Pace::Own),
        opponents: Some("random".to_owned()),
        ai_delay_ms: Some(0),
        absent_s: Some(1),
        ..Fields::default()
    };
    let staging = Staging { id: "live", fields, persons: 2, programs: &[], seed: [9; 32] };
    let event = stage::<Wakeng>(
        app.store.as_ref(),
        app.halls.logs(),
        &staging,
        &app.secret.sealing(),
        app.clock.now(),
        "test",
    )
    .unwrap();
    for entrant in &event.entrants {
        let row = SeatToken::for_program(&format!("t{}", entrant.number), &event.id, &entrant.id, 0);
        app.store.add_seat_tokens(vec![row], event.act(0, "test", "seat-token", "")).unwrap();
    }
    let hall = app.halls.open("live").unwrap();
    app.runtime.block_on(hall.start(1, "o1")).unwrap();
}

#[test]
fn seats_that_nobody_takes_are_played_by_stand_ins_and_stay_free_for_who_comes_later() {
    let server = Inside::start();
    waiting(&server);
    let app = server.app.clone();
    let hall = app.halls.get("live").unwrap();
    // Four boards for each of both seats, and no more as long as nobody leads.
    waits(|| hall.progress().over == 8);
    let anybody = Client::new(&server.base);
    let sheet = anybody.get("/api/v1/events/live/standings").ok();
    assert_eq!(sheet["boards"].as_array().unwrap().len(), 4, "{sheet}");
    for line in sheet["standings"].as_array().unwrap() {
        assert_eq!((&line["stood_in"], &line["boards"]), (&json!(4), &json!(4)), "{line}");
    }
    let notes = app.store.notes("live", ControlKind::StandIn).unwrap();
    assert_eq!(notes.len(), 8, "each board's journal says so");
    // Somebody comes: the seat is theirs from the fifth board on, and their score is their own.
    app.runtime.block_on(async {
        let mut wire = Wire::open(&server.base).await;
        wire.say(&json!({"type": "join", "v": 1, "token": "t1"})).await;
        assert_eq!(wire.until("waiting").await["for"], "ready");
        wire.say(&json!({"type": "ready", "id": "r1"})).await;
        let seated = wire.until("seated").await;
        let mut event = Event::<Wakeng>::load(app.store.as_ref(), "live").unwrap();
        let journal = fushi::event::log::replayed(app.store.as_ref(), "live").unwrap();
        event.follow(journal.competition());
        let fifth = event.rounds[0].boards[4].to_string();
        assert_eq!(seated["board"], fifth);
        let mut message = wire.until("snapshot").await;
        let mut id = 0;
        while message["type"] != "finished" {
            if let Some(action) = message["legal"].as_array().and_then(|legal| legal.first()) {
                id += 1;
                let act =
                    json!({"type": "act", "id": format!("a{id}"), "play": message["play"], "do": action});
                wire.say(&act).await;
            }
            message = wire.hear().await.expect("the board comes to its end");
        }
    });
    // The other seat follows the one who leads, so that the board is compared.
    waits(|| anybody.get("/api/v1/events/live/standings").ok()["boards"].as_array().unwrap().len() == 5);
    let sheet = anybody.get("/api/v1/events/live/standings").ok();
    let mut counts: Vec<u64> = sheet["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["stood_in"].as_u64().unwrap())
        .collect();
    counts.sort_unstable();
    assert_eq!(counts, [4, 5]);
    // A server that comes back knows it from the journals.
    app.runtime.block_on(app.halls.shut("live"));
    let hall = app.halls.open("live").unwrap();
    assert_eq!((hall.progress().over, Archive::plays(app.store.as_ref(), "live").unwrap().len()), (10, 16));
}

#[test]
fn titles_of_sample_events_are_in_the_reader_s_language() {
    let server = Inside::start();
    let app = server.app.clone();
    app.runtime.block_on(sample::open(&app, sample::Demo::default())).unwrap();
    let anybody = Client::new(&server.base);
    let titles = [
        ("en", "Wakeng: a sample event", "Wakeng against the computer"),
        ("zh-CN", "挖坑示范赛", "挖坑人机赛"),
        ("zh-TW", "挖坑示範賽", "挖坑人機賽"),
    ];
    for (lang, wakeng, own) in titles {
        let pages =
            ["/", "/events/sample-wakeng", "/events/sample-open/rules", "/events/sample-open/projector"];
        for (page, title) in pages.into_iter().zip([own, wakeng, own, own]) {
            let text = anybody.get(&format!("{page}?lang={lang}")).text();
            assert!(text.contains(title), "{page} {lang}");
            for (other, first, second) in titles {
                let strange = other != lang && (text.contains(first) || text.contains(second));
                assert!(!strange, "{page}: a title in {other} on a page in {lang}");
            }
        }
    }
    // What is announced is one text, whoever reads it.
    let stored = Event::<Wakeng>::load(app.store.as_ref(), "sample-open").unwrap().settings.title;
    assert_eq!(stored, "Wakeng against the computer");
}
