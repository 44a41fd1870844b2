//! Calls of the referee: sent, seen, done; durable, told to the player, on the log.

use serde_json::{Value, json};

use crate::server::{Client, Inside};
use crate::socket::{self, Wire};
use crate::web_accounts::{somebody, with_chief};

const WORDS: &str = "有人偷看";

/// A person in play who has called the referee once: the connection, the board at the table, and the call on the floor.
fn called(server: &Inside, referee: &Client) -> (Wire, i64, Value) {
    socket::event(&server.app);
    let base = server.base.clone();
    let (wire, play) = server.app.runtime.block_on(async {
        let (mut wire, play) = Wire::seated(&base, "t1").await;
        wire.say(&json!({"type": "call", "id": "c1", "play": play, "text": WORDS})).await;
        let accepted = wire.until("accepted").await;
        assert_eq!((&accepted["id"], &accepted["play"]), (&json!("c1"), &json!(play)));
        (wire, play)
    });
    let open = floor(referee);
    assert_eq!(open.as_array().unwrap().len(), 1, "{open}");
    (wire, play, open[0].clone())
}

/// The calls with which nobody has dealt yet.
fn floor(referee: &Client) -> Value {
    referee.get("/api/v1/events/live/floor?state=now").ok()["calls"].clone()
}

fn path(call: &Value) -> String {
    format!("/api/v1/events/live/boards/{}/tables/{}/calls/{}", call["board"], call["table"], call["line"])
}

fn told(server: &Inside, wire: &mut Wire) -> Value {
    server.app.runtime.block_on(wire.until("called"))
}

#[test]
fn a_call_is_sent_seen_and_done_and_who_was_first_stands() {
    let (server, chief) = with_chief();
    let referee = somebody(&server, &chief, "referee");
    let second = somebody(&server, &chief, "chief-referee");
    let (mut wire, play, call) = called(&server, &referee);
    assert_eq!((&call["state"], &call["seen"], &call["done"]), (&json!("sent"), &Value::Null, &Value::Null));
    assert_eq!((&call["words"], &call["seat"]), (&json!(WORDS), &json!("A")));
    let mark = |client: &Client, state: &str| client.post(&path(&call), &json!({"state": state}));
    assert_eq!(mark(&chief, "seen").code(), "forbidden", "an organizer is no referee");
    assert_eq!(mark(&Client::new(&server.base), "seen").code(), "not_signed_in");
    assert_eq!(mark(&referee, "sent").code(), "refused");
    for wrong in ["boards/1/tables/1/calls/999", "boards/99/tables/1/calls/1", "boards/1/tables/x/calls/1"] {
        let reply = referee.post(&format!("/api/v1/events/live/{wrong}"), &json!({"state": "seen"}));
        assert_eq!(reply.code(), "not_found", "{wrong}");
    }
    let seen = mark(&referee, "seen").ok();
    assert_eq!((&seen["state"], &seen["seen"]["by"]), (&json!("seen"), &json!("referee")));
    let n = call["line"].clone();
    assert_eq!(told(&server, &mut wire), json!({"type": "called", "play": play, "n": n, "state": "seen"}));
    // The page of another referee sees it, and cannot take it over.
    assert_eq!(floor(&second)[0]["seen"]["by"], "referee");
    assert_eq!(mark(&second, "seen").ok(), seen);
    let done = mark(&second, "done").ok();
    assert_eq!(
        (&done["state"], &done["seen"], &done["done"]["by"]),
        (&json!("done"), &seen["seen"], &json!("chief-referee"))
    );
    assert_eq!(told(&server, &mut wire)["state"], "done");
    assert_eq!(floor(&referee), json!([]));
    // It never goes back, and nothing is told or logged again.
    assert_eq!(mark(&referee, "seen").ok(), done);
    assert_eq!(mark(&referee, "done").ok(), done);
    let file = format!("/api/v1/events/live/boards/{}/tables/{}/file", call["board"], call["table"]);
    assert_eq!(referee.get(&file).ok()["calls"], json!([done]));
    let log = chief.get("/api/v1/events/live/audit?limit=500").ok();
    let marks: Vec<(&str, &str)> = log["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["act"] == "mark-call")
        .map(|one| (one["who"].as_str().unwrap(), one["details"]["after"]["state"].as_str().unwrap()))
        .collect();
    assert_eq!(marks, [("referee", "seen"), ("chief-referee", "done")]);
    // The log says so in words.
    let log = chief.get("/api/v1/events/live/audit?limit=500&lang=zh-CN").ok();
    let entry = log["items"].as_array().unwrap().iter().find(|one| one["act"] == "mark-call").unwrap();
    let said: Vec<&str> =
        entry["changes"].as_array().unwrap().iter().filter_map(|one| one["after"].as_str()).collect();
    assert!(said.contains(&"裁判员已看到") && said.contains(&WORDS), "{entry}");
}

/// A call is nobody's any less because its board is over, its player's connection broke or the server came back.
#[test]
fn a_call_outlives_its_board_the_connection_and_the_hall() {
    let (server, chief) = with_chief();
    let referee = somebody(&server, &chief, "referee");
    let (mut wire, play, call) = called(&server, &referee);
    let order = json!({"order": "end", "reason": "time"});
    referee.post(&format!("/api/v1/events/live/tables/{}/orders", call["table"]), &order).ok();
    server.app.runtime.block_on(wire.until("waiting"));
    assert_eq!(floor(&referee), json!([call]), "it is on the floor until somebody has dealt with it");
    drop(wire);
    let mark = |state: &str| referee.post(&path(&call), &json!({"state": state})).ok();
    mark("seen");
    let base = server.base.clone();
    let join = || {
        server.app.runtime.block_on(async {
            let mut wire = Wire::open(&base).await;
            wire.say(&json!({"type": "join", "v": 1, "token": "t1"})).await;
            (wire.until("called").await, wire)
        })
    };
    let seen = json!({"type": "called", "play": play, "n": call["line"], "state": "seen"});
    assert_eq!(join().0, seen, "who was away is told on coming back");
    server.app.runtime.block_on(server.app.halls.shut("live"));
    server.app.halls.open("live").unwrap();
    let (again, mut wire) = join();
    assert_eq!(again, seen, "after a restart, too");
    assert_eq!(floor(&referee)[0]["seen"]["by"], "referee");
    mark("done");
    assert_eq!(
        told(&server, &mut wire)["state"],
        "done",
        "the board is over; its player is told all the same"
    );
    // Nobody else is told of it.
    let other = server.app.runtime.block_on(async {
        let mut wire = Wire::open(&base).await;
        wire.say(&json!({"type": "join", "v": 1, "token": "t2"})).await;
        wire.until("welcome").await;
        wire.say(&json!({"type": "ping", "t": 1})).await;
        let mut kinds = Vec::new();
        loop {
            let kind = wire.hear().await.unwrap()["type"].as_str().unwrap().to_owned();
            if kind == "pong" {
                return kinds;
            }
            kinds.push(kind);
        }
    });
    assert_eq!(other, ["waiting"]);
}
