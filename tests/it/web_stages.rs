//! Stages over HTTP: round-robins from the draft to the last place, void boards and their replays, the event's journal.

use fushi::formats::Fact;
use fushi::journal::{EventFact, EventLine};
use serde_json::{Value, json};

use crate::server::{Client, Inside};
use crate::web_accounts::{somebody, with_chief};
use crate::web_events::locked;
use crate::web_results::play;

/// A round-robin of so many entrants in groups of at most four, two deals a round, the best two of each group in a final.
fn groups(entrants: usize) -> (Inside, Client) {
    let (server, chief) = with_chief();
    let robin =
        json!({"group_size": 4, "deals": 2, "final": true, "quota": 2, "final_size": 4, "final_deals": 2});
    let more =
        json!({"format": "round-robin", "round_robin": robin, "opponents": "random", "pace": "rounds"});
    let mut body = json!({"id": "g1", "game": "wakeng", "title": "循环赛", "ai_delay_ms": 0});
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    let made = chief.post("/api/v1/events", &body).ok();
    assert_eq!((&made["format"], &made["round_robin"]["group_size"]), (&json!("round-robin"), &json!(4)));
    crate::web_events::enter(&chief, "g1", entrants);
    (server, chief)
}

fn play_stage(server: &Inside, rounds: usize) {
    for _ in 0..rounds {
        play(server, "g1", |_| true);
    }
}

#[test]
fn a_round_robin_is_previewed_with_its_groups_rounds_and_final() {
    let (_server, chief) = groups(8);
    let preview = chief.get("/api/v1/events/g1/preview").ok();
    let group = |stage: u32, name: &str| json!({"stage": stage, "group": name, "entrants": 4});
    assert_eq!(preview["groups"], json!([group(1, "A"), group(1, "B"), group(2, "A")]));
    // Three rounds of two deals in the groups and as many in the final.
    assert_eq!(
        (&preview["rounds"], &preview["boards"], &preview["advancing"]),
        (&json!(6), &json!(12), &json!(4))
    );
    let why = chief.get("/api/v1/events/g1/preview?entrants=1");
    assert_eq!(why.code(), "refused");
}

#[test]
fn settings_of_a_round_robin_that_cannot_be_are_refused_with_reasons() {
    let (_server, chief) = with_chief();
    let body = |robin: Value| json!({"id": "x", "game": "wakeng", "title": "x", "format": "round-robin", "round_robin": robin});
    for wrong in [json!({"group_size": 1}), json!({"deals": 0}), json!({"win": 0, "loss": 2})] {
        assert_eq!(chief.post("/api/v1/events", &body(wrong.clone())).code(), "refused", "{wrong}");
    }
    let stray = json!({"id": "x", "game": "wakeng", "title": "x", "format": "individual", "round_robin": {"deals": 2}});
    assert_eq!(chief.post("/api/v1/events", &stray).code(), "refused");
}

#[test]
fn a_stage_is_closed_with_whoever_advances_and_the_final_is_drawn() {
    let (server, chief) = groups(8);
    chief.post("/api/v1/events/g1/announcement", &json!({})).ok();
    let drawn = chief.post("/api/v1/events/g1/lock", &json!({})).ok();
    let purposes: Vec<&str> =
        drawn["draws"].as_array().unwrap().iter().map(|draw| draw["purpose"].as_str().unwrap()).collect();
    assert_eq!(purposes, ["seats", "opponents", "opponents"]);
    let early = chief.get("/api/v1/events/g1/stages/1/closing");
    assert_eq!(early.code(), "stage", "{}", early.text());
    play_stage(&server, 3);
    // The final is still to be drawn and dealt: nothing may be published for good, and no key revealed.
    let too_early = |when: &str| {
        let body = json!({"state": "official", "reason": "over"});
        let published = chief.post("/api/v1/events/g1/revisions", &body);
        assert_eq!(published.status, 409, "{when}: {}", published.text());
        let revealed = chief.post("/api/v1/events/g1/reveal", &json!({"reason": "over"}));
        assert_eq!(revealed.status, 409, "{when}: {}", revealed.text());
    };
    too_early("after the groups");
    let closing = chief.get("/api/v1/events/g1/stages/1/closing").ok();
    let lot = !closing["lot"].as_array().unwrap().is_empty();
    assert_eq!(closing["advance"].as_array().unwrap().len(), if lot { 0 } else { 4 });
    chief.post("/api/v1/events/g1/stages/1/close", &json!({"reason": "over"})).ok();
    let again = chief.post("/api/v1/events/g1/stages/1/close", &json!({"reason": "over"}));
    assert_eq!(again.code(), "stage");
    let sheet = chief.get("/api/v1/events/g1/standings").ok();
    let stages = sheet["stages"].as_array().unwrap();
    assert_eq!(stages[0]["columns"], json!(["round-points", "net"]));
    assert_eq!((&stages[0]["group"], stages[0]["rows"].as_array().unwrap().len()), (&json!("A"), 4));
    // The final plays, and its places are final, too.
    too_early("before the final");
    play_stage(&server, 3);
    // Lots of the final may still have to be drawn.
    too_early("before the final is closed");
    chief.post("/api/v1/events/g1/stages/2/close", &json!({"reason": "over"})).ok();
    chief.post("/api/v1/events/g1/revisions", &json!({"state": "official", "reason": "over"})).ok();
    chief.post("/api/v1/events/g1/reveal", &json!({"reason": "over"})).ok();
    let sheet = chief.get("/api/v1/events/g1/standings").ok();
    let last = sheet["stages"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["stage"], last["rows"].as_array().unwrap().len()), (&json!(2), 4));
}

#[test]
fn a_board_that_nobody_finished_can_be_made_void_and_is_replayed_from_the_reserve() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({"opponents": "random"}));
    // The rounds have started; no table has finished board 2.
    play(&server, "e1", |sitting| sitting.board == 1);
    let referee = somebody(&server, &chief, "chief-referee");
    let void =
        json!({"number": 1, "reason": "wrong cards", "decision": {"void": {"board": 2}}, "confirm": true});
    referee.post("/api/v1/events/e1/rulings/preview", &void).ok();
    referee.post("/api/v1/events/e1/rulings", &void).ok();
    let plan = referee.post("/api/v1/events/e1/replays/preview", &json!({"board": 2})).ok();
    assert_eq!((&plan["board"], &plan["instead"], &plan["ruling"]), (&json!(2), &json!(9), &json!(1)));
    referee.post("/api/v1/events/e1/replays", &json!({"board": 2, "reason": "anew"})).ok();
    let twice = referee.post("/api/v1/events/e1/replays", &json!({"board": 2, "reason": "anew"}));
    assert_eq!(twice.code(), "refused");
}

#[test]
fn ending_an_event_lets_no_time_pass_at_its_tables_and_its_journal_is_shown_when_results_are_out() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({"opponents": "random"}));
    let anybody = Client::new(&server.base);
    play(&server, "e1", |sitting| sitting.board < 3);
    assert_eq!(anybody.get("/api/v1/events/e1/journal").code(), "sealed");
    server.app.clock.shift(3_600_000_000);
    chief.post("/api/v1/events/e1/finish", &json!({"reason": "late"})).ok();
    chief.post("/api/v1/events/e1/revisions", &json!({"state": "official", "reason": "over"})).ok();
    let text = anybody.get("/api/v1/events/e1/journal").text();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines[0]["fact"]["locked"].is_object(), "{}", lines[0]);
    assert!(lines.iter().any(|line| line["fact"]["bell"].is_object()), "boards that nobody began are struck");
    assert!(lines.last().unwrap()["fact"]["published"].is_object());
    // The event's own time has not run on by the hour that the wall clock was moved.
    let at = |line: &Value| line["at"].as_u64().unwrap();
    assert!(at(lines.last().unwrap()) - at(&lines[0]) < 600_000_000);
    let read = EventLine::read(&server.app.store.event_lines("e1", 0).unwrap()[0].body).unwrap();
    assert!(matches!(read.fact, EventFact::Play(Fact::Locked(_))));
}

#[test]
fn a_rulings_instant_in_the_answer_is_the_one_that_stands_in_the_journal() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({"opponents": "random"}));
    play(&server, "e1", |sitting| sitting.board == 1);
    // A wall clock that was set back: the instant of the line is not before that of the line before.
    server.app.clock.shift(-60_000_000);
    let referee = somebody(&server, &chief, "chief-referee");
    let list = chief.get("/api/v1/events/e1/entrants").ok();
    let entrant = list["items"][0]["id"].clone();
    let ruling = json!({"number": 1, "reason": "late", "confirm": true,
                        "decision": {"status": {"board": 1, "entrant": entrant, "status": "A"}}});
    let made = referee.post("/api/v1/events/e1/rulings", &ruling).ok();
    let stored = server
        .app
        .read_model
        .look(&server.app, "e1", |state| Ok(state.competition().rulings()[0].at))
        .unwrap();
    assert_eq!(made["at"], stored);
}
