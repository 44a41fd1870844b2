//! Accounts over HTTP: the first start, logins, lock-out, CSRF, roles, and the audit log of it all.

use std::collections::BTreeMap;

use diesel::prelude::*;
use fushi::desk::people::{Attempt, Device, People as _};
use fushi::event::archive::AuditRow;
use serde_json::{Value, json};

use crate::server::{Client, Inside, Program, folder};
use crate::web_events::locked;
use crate::web_results::play;

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    value: i64,
}

pub const PASSWORD: &str = "correct horse battery";

/// A server with a chief organizer, and the chief's client.
pub fn with_chief() -> (Inside, Client) {
    let server = Inside::start();
    let chief = chief_of(&server);
    (server, chief)
}

/// Makes the chief organizer of a fresh server, and logs in.
pub fn chief_of(server: &Inside) -> Client {
    let setup = server.setup();
    let client = Client::new(&server.base);
    let body = json!({"token": setup, "name": "chief", "display": "主办", "password": PASSWORD});
    client.post("/api/v1/setup", &body).ok();
    log_in(&client, "chief")
}

/// Logs in with a token.
pub fn log_in(client: &Client, name: &str) -> Client {
    let answer = client.post("/api/v1/session", &json!({"name": name, "password": PASSWORD})).ok();
    client.bearer(answer["token"].as_str().unwrap())
}

/// Creates an account with one role and logs in.
pub fn somebody(server: &Inside, chief: &Client, role: &str) -> Client {
    let body = json!({"name": role, "display": role, "password": PASSWORD, "grants": [{"role": role}]});
    chief.post("/api/v1/accounts", &body).ok();
    log_in(&Client::new(&server.base), role)
}

#[test]
fn the_setup_link_works_once_and_survives_no_restart() {
    let (_folder, path) = folder();
    let mut program = Program::start(&path, &[]);
    let first = program.setup.clone().unwrap();
    program.terminate();
    let program = Program::start(&path, &[]);
    let second = program.setup.clone().unwrap();
    let client = Client::new(&program.base);
    let body = |token: &str| json!({"token": token, "name": "chief", "display": "C", "password": PASSWORD});
    assert_eq!(client.post("/api/v1/setup", &body(&first)).code(), "bad_credentials");
    let mut weak = body(&second);
    weak["password"] = json!("short");
    weak["name"] = json!("Not Plain");
    let refused = client.post("/api/v1/setup", &weak);
    assert_eq!(refused.code(), "refused");
    assert_eq!(refused.json()["faults"].as_array().unwrap().len(), 2);
    client.post("/api/v1/setup", &body(&second)).ok();
    assert_eq!(client.post("/api/v1/setup", &body(&second)).code(), "bad_credentials");
    let chief = log_in(&client, "chief");
    assert_eq!(chief.get("/api/v1/session").ok()["grants"][0]["role"], "chief-organizer");
}

#[test]
fn logins_end_when_they_are_ended() {
    let (server, chief) = with_chief();
    let client = Client::new(&server.base);
    assert_eq!(client.get("/api/v1/session").ok()["kind"], "spectator");
    assert_eq!(client.get("/api/v1/sessions").code(), "not_signed_in");
    let other = log_in(&client, "chief");
    let sessions = chief.get("/api/v1/sessions").ok();
    let items = sessions["items"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    let id = items.iter().find(|item| item["this"] == false).unwrap()["id"].as_str().unwrap();
    chief.delete(&format!("/api/v1/sessions/{id}")).ok();
    assert_eq!(chief.delete(&format!("/api/v1/sessions/{id}")).code(), "not_found");
    assert_eq!(other.get("/api/v1/session").code(), "bad_credentials");
    chief.delete("/api/v1/session").ok();
    assert_eq!(chief.get("/api/v1/session").code(), "bad_credentials");
    let again = log_in(&client, "chief");
    server.app.clock.shift(13 * 3_600_000_000);
    assert_eq!(again.get("/api/v1/session").code(), "bad_credentials");
    assert_eq!(client.with("authorization", "Basic abc").get("/api/v1/session").code(), "bad_header");
}

#[test]
fn five_failures_lock_an_account_and_the_wait_grows() {
    let (server, _) = with_chief();
    let client = Client::new(&server.base);
    let wrong =
        |name: &str| client.post("/api/v1/session", &json!({"name": name, "password": "wrong wrong"}));
    for name in ["chief", "nobody"] {
        for _ in 0..5 {
            assert_eq!(wrong(name).code(), "bad_credentials", "{name}");
        }
        let locked = wrong(name);
        assert_eq!((locked.code().as_str(), locked.status), ("locked_out", 429), "{name}");
        assert!((1..=30).contains(&locked.header("retry-after").unwrap().parse().unwrap()));
    }
    let right = json!({"name": "chief", "password": PASSWORD});
    assert_eq!(client.post("/api/v1/session", &right).code(), "locked_out");
    server.app.clock.shift(31_000_000);
    assert_eq!(wrong("chief").code(), "bad_credentials");
    let wait: u64 = wrong("chief").header("retry-after").unwrap().parse().unwrap();
    assert!(wait > 31, "the wait doubles: {wait}");
    server.app.clock.shift(61_000_000);
    let chief = log_in(&client, "chief");
    let log = chief.get("/api/v1/audit?limit=500").ok();
    let acts: Vec<_> =
        log["items"].as_array().unwrap().iter().map(|item| item["act"].as_str().unwrap()).collect();
    assert_eq!(acts.iter().filter(|act| **act == "locked-out").count(), 2);
    assert!(!log.to_string().contains(PASSWORD) && !log.to_string().contains("argon2"));
}

/// Runs a request on so many threads at once and counts the codes of the answers; `""` is a success.
fn at_once(count: usize, ask: impl Fn(usize) -> crate::server::Reply + Sync) -> BTreeMap<String, usize> {
    let ready = std::sync::Barrier::new(count);
    let mut codes = BTreeMap::new();
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..count)
            .map(|number| {
                let (ready, ask) = (&ready, &ask);
                scope.spawn(move || {
                    ready.wait();
                    let reply = ask(number);
                    if reply.status < 300 { String::new() } else { reply.code() }
                })
            })
            .collect();
        for one in asked {
            *codes.entry(one.join().unwrap()).or_default() += 1;
        }
    });
    codes
}

#[test]
fn guesses_at_the_same_time_all_count_and_known_names_are_as_unknown_ones() {
    let (server, _) = with_chief();
    let client = Client::new(&server.base);
    let wanted = BTreeMap::from([("bad_credentials".to_owned(), 5), ("locked_out".to_owned(), 55)]);
    for name in ["chief", "nobody"] {
        let guess = |number: usize| {
            let body = json!({"name": name, "password": format!("wrong wrong {number}")});
            Client::new(&server.base).post("/api/v1/session", &body)
        };
        assert_eq!(at_once(60, guess), wanted, "{name}");
    }
    // The right one comes too late.
    let right = json!({"name": "chief", "password": PASSWORD});
    assert_eq!(client.post("/api/v1/session", &right).code(), "locked_out");
    server.app.clock.shift(31_000_000);
    log_in(&client, "chief");
    // A success begins anew.
    for _ in 0..4 {
        let wrong = json!({"name": "chief", "password": "wrong wrong"});
        assert_eq!(client.post("/api/v1/session", &wrong).code(), "bad_credentials");
    }
    log_in(&client, "chief");
}

#[test]
fn names_that_do_not_exist_are_kept_locked_and_forgotten_in_order() {
    let (folder, path) = folder();
    let url = format!("sqlite:{}", path.display());
    let store = fushi::store::Store::open(&url).unwrap();
    for _ in 0..5 {
        assert!(matches!(store.count_attempt("nobody", 1).unwrap(), Attempt::Counted { account: None, .. }));
    }
    drop(store);
    let store = fushi::store::Store::open(&url).unwrap();
    assert_eq!(
        store.count_attempt("nobody", 2).unwrap(),
        Attempt::Locked(30_000_001),
        "a restart forgets nothing"
    );
    std::thread::scope(|scope| {
        for thread in 0..64 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..160 {
                    store.count_attempt(&format!("n{thread}-{number}"), 3).unwrap();
                }
            });
        }
    });
    assert!(matches!(store.count_attempt("nobody", 4).unwrap(), Attempt::Counted { failures: 1, .. }));
    drop(store);
    let mut raw = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    let count: Count =
        diesel::sql_query("SELECT count(*) AS value FROM unknown_names").get_result(&mut raw).unwrap();
    assert_eq!(count.value, 10_000);
    drop(folder);
}

#[test]
fn of_several_new_passwords_at_once_one_counts() {
    let (server, chief) = with_chief();
    let put = |number: usize| {
        chief.put(
            "/api/v1/session/password",
            &json!({"old": PASSWORD, "new": format!("new password {number}")}),
        )
    };
    let codes = at_once(4, put);
    assert_eq!(codes.get(""), Some(&1), "{codes:?}");
    assert_eq!(codes.get("bad_credentials"), Some(&3), "{codes:?}");
    drop(server);
}

#[test]
fn the_old_password_is_guessed_no_faster_by_many_requests_at_once() {
    let (server, chief) = with_chief();
    let put = |number: usize| {
        let body = json!({"old": format!("wrong wrong {number}"), "new": "new password 1"});
        chief.put("/api/v1/session/password", &body)
    };
    let wanted = BTreeMap::from([("bad_credentials".to_owned(), 5), ("locked_out".to_owned(), 15)]);
    assert_eq!(at_once(20, put), wanted);
    drop(server);
}

#[test]
fn a_setup_link_a_name_and_a_seat_of_a_device_are_taken_once_however_many_ask() {
    let server = Inside::start();
    let setup = server.setup();
    let make = |number: usize| {
        let body =
            json!({"token": setup, "name": format!("chief{number}"), "display": "C", "password": PASSWORD});
        Client::new(&server.base).post("/api/v1/setup", &body)
    };
    let codes = at_once(8, make);
    assert_eq!((codes.get(""), codes.get("bad_credentials")), (Some(&1), Some(&7)), "{codes:?}");
    let (server, chief) = with_chief();
    let make = |_| {
        let body = json!({"name": "ref1", "display": "R", "password": PASSWORD, "grants": []});
        chief.post("/api/v1/accounts", &body)
    };
    let codes = at_once(8, make);
    assert_eq!((codes.get(""), codes.get("exists")), (Some(&1), Some(&7)), "{codes:?}");
    let keyed = |_| {
        let body = json!({"name": "ref2", "display": "R", "password": PASSWORD, "grants": []});
        chief.with("idempotency-key", "k").post("/api/v1/accounts", &body)
    };
    let codes = at_once(8, keyed);
    assert!(codes.keys().all(|code| matches!(code.as_str(), "" | "idempotency_key_pending")), "{codes:?}");
    let names = chief.get("/api/v1/accounts").ok();
    assert_eq!(names["items"].as_array().unwrap().len(), 3);
    crate::web_events::draft(&chief, "e1", &json!({}));
    let enrolled: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..20_u8)
            .map(|number| {
                let store = &server.app.store;
                scope.spawn(move || {
                    let device = Device {
                        id: format!("d{number}"),
                        name: "D".to_owned(),
                        token_hash: [number; 32],
                        table: None,
                        seat: None,
                        enrolled_us: 1,
                        revoked: false,
                    };
                    let audit = AuditRow {
                        event_id: Some("e1".to_owned()),
                        at_us: 1,
                        who: "t".to_owned(),
                        act: "enrol-device".to_owned(),
                        reason: String::new(),
                        details: "{}".to_owned(),
                    };
                    store.add_device("e1", device, 5, audit).unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum()
    });
    assert_eq!(enrolled, 5);
}

#[test]
fn r9_a_cookie_alone_changes_nothing() {
    let (server, _) = with_chief();
    let client = Client::new(&server.base);
    let reply =
        client.post("/api/v1/session", &json!({"name": "chief", "password": PASSWORD, "cookie": true}));
    let set = reply.header("set-cookie").unwrap().to_owned();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    let answer = reply.ok();
    assert!(answer.get("token").is_none(), "a page's session is in the cookie only");
    let csrf = answer["csrf"].as_str().unwrap();
    let page = client.with("cookie", set.split(';').next().unwrap());
    assert_eq!(page.get("/api/v1/session").ok()["csrf"], csrf);
    let body = json!({"name": "ref1", "display": "R", "password": PASSWORD, "grants": []});
    assert_eq!(page.post("/api/v1/accounts", &body).code(), "csrf");
    assert_eq!(page.with("x-csrf-token", "0").post("/api/v1/accounts", &body).code(), "csrf");
    let good = page.with("x-csrf-token", csrf);
    let foreign = good.with("origin", "https://evil.example");
    assert_eq!(foreign.post("/api/v1/accounts", &body).code(), "wrong_origin");
    good.post("/api/v1/accounts", &body).ok();
    let gone = good.delete("/api/v1/session");
    assert!(gone.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(page.get("/api/v1/session").ok()["kind"], "spectator");
}

#[test]
fn accounts_are_created_changed_closed_and_a_chief_remains() {
    let (server, chief) = with_chief();
    let client = Client::new(&server.base);
    let body = json!({"name": "li.wei", "display": "李伟", "password": PASSWORD,
                      "grants": [{"role": "organizer", "event": "e1"}, {"role": "organizer", "event": "e1"}]});
    // Nobody is appointed for an event that does not exist.
    assert_eq!(chief.post("/api/v1/accounts", &body).code(), "not_found");
    crate::web_events::draft(&chief, "e1", &json!({}));
    let made = chief.post("/api/v1/accounts", &body).ok();
    assert_eq!(made["grants"], json!([{"role": "organizer", "event": "e1"}]));
    assert_eq!(chief.post("/api/v1/accounts", &body).code(), "exists");
    let path = format!("/api/v1/accounts/{}", made["id"].as_str().unwrap());
    let li = log_in(&client, "li.wei");
    assert_eq!(li.get("/api/v1/accounts").code(), "forbidden");
    assert_eq!(li.get("/api/v1/sessions").ok()["items"].as_array().unwrap().len(), 1);
    let again = log_in(&client, "li.wei");
    assert_eq!(
        again.delete("/api/v1/session").status,
        204,
        "who has a role in one event only can log out too"
    );
    let closed = chief.patch(&path, &json!({"disabled": true, "reason": "left"})).ok();
    assert_eq!(closed["disabled"], true);
    assert_eq!(li.get("/api/v1/session").code(), "bad_credentials");
    let login = json!({"name": "li.wei", "password": PASSWORD});
    assert_eq!(client.post("/api/v1/session", &login).code(), "bad_credentials");
    chief.patch(&path, &json!({"disabled": false, "password": "another password", "reason": "back"})).ok();
    client.post("/api/v1/session", &json!({"name": "li.wei", "password": "another password"})).ok();
    for (change, code) in [
        (json!({"disabled": true}), "bad_field"),
        (json!({"disabled": true, "reason": " "}), "refused"),
        (json!({"grants": [{"role": "player"}], "reason": "x"}), "refused"),
        (json!({"grants": [{"role": "refree"}], "reason": "x"}), "refused"),
        (json!({"pasword": "x", "reason": "x"}), "unknown_field"),
    ] {
        assert_eq!(chief.patch(&path, &change).code(), code, "{change}");
    }
    let back =
        client.post("/api/v1/session", &json!({"name": "li.wei", "password": "another password"})).ok();
    let li = client.bearer(back["token"].as_str().unwrap());
    chief.patch(&path, &json!({"end_sessions": true, "reason": "lost tablet"})).ok();
    assert_eq!(li.get("/api/v1/session").code(), "bad_credentials");
    let list = chief.get("/api/v1/accounts?limit=1").ok();
    assert_eq!((list["items"][0]["name"].as_str(), list["next"].as_str()), (Some("chief"), Some("chief")));
    let own = format!("/api/v1/accounts/{}", list["items"][0]["id"].as_str().unwrap());
    assert_eq!(chief.patch(&own, &json!({"grants": [], "reason": "x"})).code(), "refused");
    let rest = chief.get("/api/v1/accounts?limit=1&after=chief").ok();
    assert_eq!(rest["items"][0]["name"], "li.wei");
    assert!(rest.get("next").is_none());
    assert_eq!(chief.get("/api/v1/accounts?limit=0").code(), "bad_query");
    assert_eq!(chief.get("/api/v1/accounts?limt=1").code(), "bad_query");
}

#[test]
fn a_password_of_ones_own_is_changed_with_the_old_one() {
    let (server, chief) = with_chief();
    let client = Client::new(&server.base);
    let put = |old: &str, new: &str| chief.put("/api/v1/session/password", &json!({"old": old, "new": new}));
    assert_eq!(put("wrong wrong", "new password 1").code(), "bad_credentials");
    assert_eq!(put(PASSWORD, "short").code(), "refused");
    put(PASSWORD, "new password 1").ok();
    assert_eq!(chief.get("/api/v1/session").code(), "bad_credentials");
    client.post("/api/v1/session", &json!({"name": "chief", "password": "new password 1"})).ok();
}

#[test]
fn the_chief_referee_appoints_deputies_and_nobody_else() {
    let (server, chief) = with_chief();
    let referee = somebody(&server, &chief, "chief-referee");
    let organizer = somebody(&server, &chief, "organizer");
    let id = organizer_id(&chief, "organizer");
    let path = format!("/api/v1/accounts/{id}/appointments");
    let body = |role: &str| json!({"role": role, "reason": "deputy"});
    assert_eq!(organizer.post(&path, &body("referee")).code(), "forbidden");
    assert_eq!(referee.post(&path, &body("chief-organizer")).code(), "refused");
    let line = referee.post(&path, &body("chief-referee")).ok();
    assert!(line["grants"].as_array().unwrap().iter().any(|grant| grant["role"] == "chief-referee"));
}

/// The event says whether one account may be organizer and referee; a role in both offices alone is not enough.
#[test]
fn one_account_is_organizer_and_referee_only_where_the_event_says_so() {
    let (server, chief) = with_chief();
    for id in ["e1", "e2"] {
        locked(&chief, id, 3, &json!({}));
    }
    let id = organizer_id(&chief, "chief");
    let appoint = json!({"role": "chief-referee", "event": "e1", "reason": "one person"});
    chief.post(&format!("/api/v1/accounts/{id}/appointments"), &appoint).ok();
    play(&server, "e1", |sitting| sitting.board <= 4);
    let ruling = json!({"number": 1, "reason": "late", "decision": {"penalty":
        {"board": 1, "entrant": "e001", "amount": {"of-top": "1/10"}}}});
    let rule = |event: &str| chief.post(&format!("/api/v1/events/{event}/rulings"), &ruling);
    let refused = rule("e1");
    assert_eq!(refused.code(), "forbidden");
    assert!(refused.json()["detail"].as_str().unwrap().contains("one account"), "{}", refused.text());
    let offices = |event: &str, one: bool| {
        chief.put(
            &format!("/api/v1/events/{event}/offices"),
            &json!({"one_account": one, "reason": "one person"}),
        )
    };
    let anybody = Client::new(&server.base);
    let page =
        |event: &str| anybody.with("accept", "text/html").get(&format!("/events/{event}?lang=en")).text();
    assert!(!page("e1").contains("Organizer and referee may be one person"));
    let unsaid = json!({"one_account": true, "reason": ""});
    assert_eq!(chief.put("/api/v1/events/e1/offices", &unsaid).code(), "refused");
    assert_eq!(anybody.put("/api/v1/events/e1/offices", &unsaid).code(), "not_signed_in");
    offices("e1", true).ok();
    assert!(page("e1").contains("Organizer and referee may be one person"));
    assert_eq!(anybody.get("/api/v1/events/e1").ok()["one_account"], true);
    rule("e1").ok();
    // The rights of both, in this event only: the setting gives nobody a role.
    assert_eq!(chief.get("/api/v1/events/e1").status, 200);
    offices("e2", true).ok();
    assert_eq!(rule("e2").code(), "forbidden");
    let organizer = somebody(&server, &chief, "organizer");
    assert_eq!(organizer.post("/api/v1/events/e1/rulings", &ruling).code(), "forbidden");
    offices("e1", false).ok();
    assert_eq!(rule("e1").code(), "forbidden");
    let log = chief.get("/api/v1/events/e1/audit?limit=500").ok();
    let set: Vec<&Value> =
        log["items"].as_array().unwrap().iter().filter(|one| one["act"] == "set-offices").collect();
    assert_eq!(set.len(), 2);
    assert_eq!(
        (&set[0]["details"]["before"], &set[0]["reason"]),
        (&json!({"one_account": false}), &json!("one person"))
    );
}

fn organizer_id(chief: &Client, name: &str) -> String {
    let list = chief.get("/api/v1/accounts").ok();
    let items = list["items"].as_array().unwrap().clone();
    items.iter().find(|item| item["name"] == name).unwrap()["id"].as_str().unwrap().to_owned()
}

#[test]
fn r3_a_key_makes_a_repetition_harmless_and_another_body_a_conflict() {
    let (server, chief) = with_chief();
    let body = |name: &str| json!({"name": name, "display": "R", "password": PASSWORD, "grants": []});
    let keyed = chief.with("idempotency-key", "k-1");
    let first = keyed.post("/api/v1/accounts", &body("ref1"));
    let second = keyed.post("/api/v1/accounts", &body("ref1"));
    assert_eq!((first.status, &first.bytes), (second.status, &second.bytes));
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    assert_eq!(keyed.post("/api/v1/accounts", &body("ref2")).code(), "idempotency_key_reused");
    // A refusal is an answer too.
    let refused = chief.with("idempotency-key", "k-2");
    let one = refused.post("/api/v1/accounts", &body("ref1"));
    assert_eq!(one.code(), "exists");
    assert_eq!(refused.post("/api/v1/accounts", &body("ref1")).bytes, one.bytes);
    // Somebody else's key of the same name is another key.
    let other = log_in(&Client::new(&server.base), "ref1");
    assert_eq!(
        other.with("idempotency-key", "k-1").post("/api/v1/accounts", &body("ref1")).code(),
        "forbidden"
    );
    // A login with a key gives the same token again, and the database does not hold it in the clear.
    let client = Client::new(&server.base).with("idempotency-key", "login-1");
    let login = json!({"name": "chief", "password": PASSWORD});
    let token = client.post("/api/v1/session", &login).ok()["token"].clone();
    assert_eq!(client.post("/api/v1/session", &login).ok()["token"], token);
    let token = token.as_str().unwrap().as_bytes();
    for file in ["test.sqlite", "test.sqlite-wal"] {
        let bytes = std::fs::read(server.folder.path().join(file)).unwrap();
        assert!(!bytes.windows(token.len()).any(|part| part == token), "{file}");
    }
    assert_eq!(
        chief.with("idempotency-key", &"x".repeat(101)).post("/api/v1/accounts", &body("z")).code(),
        "bad_header"
    );
}

#[test]
fn the_audit_log_says_who_when_what_why_before_and_after_in_pages() {
    let (server, chief) = with_chief();
    let referee = somebody(&server, &chief, "referee");
    assert_eq!(referee.get("/api/v1/audit").code(), "forbidden");
    let mut after = String::new();
    let mut seen: Vec<Value> = Vec::new();
    loop {
        let page = chief.get(&format!("/api/v1/audit?limit=2{after}")).ok();
        seen.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    let acts: Vec<_> = seen.iter().map(|item| item["act"].as_str().unwrap()).collect();
    assert_eq!(acts, ["set-up", "log-in", "create-account", "log-in"]);
    assert_eq!(
        (seen[2]["who"].as_str(), &seen[2]["details"]["after"]["name"]),
        (Some("chief"), &json!("referee"))
    );
    assert_eq!(chief.get("/api/v1/audit?after=x").code(), "bad_query");
    assert_eq!(chief.get("/api/v1/events/none/audit").code(), "not_found");
}
