//! Every door of the API: who may open it, and what happens to nonsense that is pushed through.

use fushi::desk::rights::{Right, Role, may};
use fushi::web::routes::{Endpoint, Method};
use serde_json::{Value, json};

use crate::server::Client;
use crate::web_accounts::{somebody, with_chief};
use crate::web_events::{draft, locked};

/// The path of an endpoint with something in its places.
fn path(endpoint: &Endpoint, event: &str) -> String {
    let parts: Vec<String> = endpoint
        .path
        .split('/')
        .map(|part| match part {
            "{event}" => event.to_owned(),
            "{game}" => "wakeng".to_owned(),
            "{board}" | "{round}" | "{table}" => "1".to_owned(),
            part if part.starts_with('{') => "none".to_owned(),
            part => part.to_owned(),
        })
        .collect();
    parts.join("/")
}

fn send(client: &Client, endpoint: &Endpoint, path: &str, body: &[u8]) -> crate::server::Reply {
    let media_type = if path.ends_with("/import") { "text/csv" } else { "application/json" };
    client.send(endpoint.method.name(), path, Some(media_type), body)
}

#[test]
fn the_table_of_rights_holds_at_every_door() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 2, &json!({}));
    let anybody = Client::new(&server.base);
    let mut clients = vec![(Role::ChiefOrganizer, chief.clone()), (Role::Spectator, anybody.clone())];
    for role in [Role::Organizer, Role::ChiefReferee, Role::Referee, Role::Arbitration] {
        clients.push((role, somebody(&server, &chief, role.word())));
    }
    let codes = chief.post("/api/v1/events/e1/seat-codes", &json!({"entrants": ["e001"]})).ok();
    let seat = anybody.post("/api/v1/events/e1/seat", &json!({"code": codes["items"][0]["code"]})).ok();
    clients.push((Role::Player, anybody.bearer(seat["token"].as_str().unwrap())));
    let tokens = chief.post("/api/v1/events/e1/ai-tokens", &json!({"entrants": ["e002"]})).ok();
    clients.push((Role::AiProgram, anybody.bearer(tokens["items"][0]["token"].as_str().unwrap())));

    let table = fushi::web::api::table();
    let mut tried = 0;
    for endpoint in table.endpoints().iter().filter(|one| one.id != "logOut" && !one.stream) {
        for (role, client) in &clients {
            // A body that no endpoint accepts: nothing happens where the right is there.
            let reply = send(client, endpoint, &path(endpoint, "e1"), b"[]");
            let refused = matches!(reply.status, 401 | 403);
            let place = format!("{} {} as {role}: {}", endpoint.method.name(), endpoint.path, reply.status);
            if may(*role, endpoint.right) {
                let more = ["not_signed_in", "forbidden"];
                assert!(!refused || !more.contains(&reply.code().as_str()), "{place} {}", reply.text());
            } else {
                let code = if *role == Role::Spectator { "not_signed_in" } else { "forbidden" };
                assert_eq!(reply.code(), code, "{place}");
            }
            assert!(reply.status < 500, "{place}");
            tried += 1;
        }
    }
    assert!(tried > 200, "{tried}");
}

#[test]
fn whatever_can_be_read_answers_head_and_other_methods_are_named() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({}));
    for path in ["/", "/events/e1", "/api/v1/events/e1", "/api/v1/events/e1/standings", "/api/openapi.json"] {
        let (head, get) = (chief.send("HEAD", path, None, b""), chief.get(path));
        assert_eq!((head.status, head.bytes.len()), (200, 0), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
    }
    let anybody = Client::new(&server.base);
    for (path, allowed) in [
        ("/events/e1", "GET, HEAD"),
        ("/api/v1/events", "GET, HEAD, POST"),
        ("/api/v1/events/e1", "GET, HEAD, PATCH"),
        ("/api/v1/events/e1/lock", "POST"),
    ] {
        let reply = anybody.send("DELETE", path, None, b"");
        assert_eq!((reply.status, reply.header("allow")), (405, Some(allowed)), "{path}");
    }
}

#[test]
fn every_endpoint_has_a_name_of_its_own_and_a_description() {
    let table = fushi::web::api::table();
    let mut names = std::collections::BTreeSet::new();
    let mut places = std::collections::BTreeSet::new();
    for endpoint in table.endpoints() {
        assert!(names.insert(endpoint.id), "{} stands twice", endpoint.id);
        assert!(places.insert((endpoint.path, endpoint.method)), "{} stands twice", endpoint.path);
        assert_eq!(endpoint.idempotent, endpoint.method == Method::Post, "{}", endpoint.id);
    }
    let document: Value = serde_json::from_str(&table.open_api().to_json().unwrap()).unwrap();
    // Every reference leads somewhere.
    let text = document.to_string();
    for part in text.split("#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(document["components"]["schemas"][name].is_object(), "{name} is not described");
    }
}

#[test]
fn a_right_for_one_event_opens_no_door_of_another() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 2, &json!({}));
    locked(&chief, "e2", 2, &json!({}));
    let body = json!({"name": "li", "display": "Li", "password": crate::web_accounts::PASSWORD,
                      "grants": [{"role": "organizer", "event": "e1"}]});
    chief.post("/api/v1/accounts", &body).ok();
    let li = crate::web_accounts::log_in(&Client::new(&server.base), "li");
    let table = fushi::web::api::table();
    for endpoint in table.endpoints().iter().filter(|one| one.path.contains("{event}") && !one.stream) {
        if may(Role::Organizer, endpoint.right) && endpoint.right != Right::SeePublic {
            let other = send(&li, endpoint, &path(endpoint, "e2"), b"[]");
            assert_eq!(other.code(), "forbidden", "{} {}", endpoint.method.name(), endpoint.path);
            let own = send(&li, endpoint, &path(endpoint, "e1"), b"[]");
            assert_ne!(own.status, 403, "{} {}", endpoint.method.name(), endpoint.path);
        }
    }
    assert_eq!(li.post("/api/v1/events", &json!({"game": "wakeng", "title": "x"})).code(), "forbidden");
}

/// A small generator: the same numbers every time.
struct GameRng(u64);

impl GameRng {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }
}

fn odd(chance: &mut GameRng, depth: usize) -> Value {
    let long = "x".repeat(3000);
    let plain = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(3.5),
        json!(1e300),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(""),
        json!("a"),
        json!("none"),
        json!("e1"),
        json!("\u{0}\u{202e}李"),
        json!("../../etc"),
        json!("1/3"),
        json!(long),
    ];
    match chance.below(if depth > 2 { 8 } else { 10 }) {
        8 => (0..chance.below(4)).map(|_| odd(chance, depth + 1)).collect(),
        9 => {
            let keys =
                ["role", "event", "base", "method", "description", "known_after", "board", "decision", "zzz"];
            let mut object = json!({});
            for _ in 0..chance.below(4) {
                object[keys[chance.below(keys.len())]] = odd(chance, depth + 1);
            }
            object
        }
        _ => plain[chance.below(plain.len())].clone(),
    }
}

/// The names of the fields that an endpoint reads, from its own description.
fn fields(document: &Value, endpoint: &Endpoint) -> Vec<String> {
    let method = endpoint.method.name().to_lowercase();
    let body =
        &document["paths"][endpoint.path][method]["requestBody"]["content"]["application/json"]["schema"];
    let Some(name) = body["$ref"].as_str().and_then(|text| text.rsplit('/').next()) else {
        return Vec::new();
    };
    let schema = &document["components"]["schemas"][name];
    let mut names: Vec<String> = Vec::new();
    for part in [schema, &schema["allOf"][0], &schema["allOf"][1]] {
        if let Some(properties) = part["properties"].as_object() {
            names.extend(properties.keys().cloned());
        }
        if let Some(other) = part["$ref"].as_str().and_then(|text| text.rsplit('/').next()) {
            let properties = document["components"]["schemas"][other]["properties"].as_object();
            names.extend(properties.into_iter().flat_map(|all| all.keys().cloned()));
        }
    }
    names
}

#[test]
fn r9_nonsense_is_refused_and_never_breaks_the_server() {
    let (server, chief) = with_chief();
    draft(&chief, "e1", &json!({}));
    locked(&chief, "e2", 3, &json!({}));
    let table = fushi::web::api::table();
    let document: Value = serde_json::from_str(&table.open_api().to_json().unwrap()).unwrap();
    let mut chance = GameRng(0x5eed);
    let raw: [&[u8]; 9] = [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{\"a\":1,\"a\":2}",
        b"\xff\xfe",
        b"{\"a\":1e999}",
        b"[[[[[[[[[[[[[[[[[[[[[[[[",
        b"{}{}",
    ];
    let changing =
        |one: &&Endpoint| one.method != Method::Get && !matches!(one.id, "logOut" | "changePassword");
    for endpoint in table.endpoints().iter().filter(changing) {
        let names = fields(&document, endpoint);
        let events: &[&str] = if endpoint.path.contains("{event}") { &["e2", "none"] } else { &["e1"] };
        for event in events {
            let path = path(endpoint, event);
            for round in 0..60 {
                let body = if round < raw.len() {
                    raw[round].to_vec()
                } else {
                    let mut object = json!({});
                    for name in &names {
                        if chance.below(3) > 0 {
                            object[name] = odd(&mut chance, 0);
                        }
                    }
                    if chance.below(8) == 0 {
                        object["zzz"] = odd(&mut chance, 0);
                    }
                    object.to_string().into_bytes()
                };
                let reply = send(&chief, endpoint, &path, &body);
                let shown = String::from_utf8_lossy(&body).chars().take(300).collect::<String>();
                assert!(reply.status < 500, "{} {path} {shown}: {}", endpoint.method.name(), reply.text());
                if reply.status >= 400 {
                    reply.code();
                }
            }
        }
    }
    // The queries too.
    for endpoint in table.endpoints().iter().filter(|one| one.method == Method::Get && !one.stream) {
        for query in [
            "?limit=-1",
            "?limit=1e9",
            "?after=%ff",
            "?after=%00",
            "?zzz=1",
            "?entrants=4294967296",
            "?&&=&",
            "?%",
        ] {
            for event in ["e1", "e2", "%00", "..%2f", "%e4%b8%ad"] {
                let path = format!("{}{query}", path(endpoint, event));
                let reply = chief.get(&path);
                assert!(reply.status < 500, "{path}: {}", reply.text());
            }
        }
    }
    let deep = format!("{{\"title\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(chief.patch("/api/v1/events/e1", &Value::Null).status, 400);
    let reply = chief.send("PATCH", "/api/v1/events/e1", Some("application/json"), deep.as_bytes());
    assert_eq!(reply.code(), "bad_json");
    let large = vec![b' '; 3 << 20];
    let reply = chief.send("PATCH", "/api/v1/events/e1", Some("application/json"), &large);
    assert_eq!(reply.code(), "body_too_large");
    assert_eq!(chief.get("/api/v1/session").status, 200);
    drop(server);
}
