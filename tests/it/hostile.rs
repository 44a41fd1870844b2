//! R9: a client that means harm. Every attack is made on one server with a chief organizer and an event in play; what
//! gets through is named, and nothing may have changed.

use std::time::{Duration, Instant};

use fushi::event::ledger::Ledger as _;
use fushi::rng::GameRng;
use fushi::tables::Answer;
use futures_util::SinkExt as _;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::server::{Client, Inside};
use crate::socket::{Wire, event};
use crate::web_accounts::{PASSWORD, chief_of, log_in};

/// How many connections send chance bytes.
const FUZZED: u32 = 150;

const EVIL: &str = "https://evil.example";

fn account(name: &str) -> Value {
    json!({"name": name, "display": name, "password": PASSWORD, "grants": [{"role": "organizer"}]})
}

/// A login of a page: the client with its cookie, and the CSRF token that belongs to it.
fn page(client: &Client) -> (Client, String) {
    let body = json!({"name": "chief", "password": PASSWORD, "cookie": true});
    let reply = client.post("/api/v1/session", &body);
    let cookie = reply.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let csrf = reply.ok()["csrf"].as_str().unwrap().to_owned();
    (client.with("cookie", &cookie), csrf)
}

/// Requests that change something, from where none may come. Answers those that were obeyed.
fn requests(base: &str, chief: &Client) -> Vec<&'static str> {
    let anybody = Client::new(base);
    let (cookie, csrf) = page(&anybody);
    let (_, others) = page(&anybody);
    let whole = cookie.with("x-csrf-token", &csrf);
    let mut through = Vec::new();
    let mut tried = 0;
    let mut attack = |name: &'static str, client: &Client| {
        tried += 1;
        let reply = client.post("/api/v1/accounts", &account(&format!("evil{tried}")));
        assert!(reply.status < 500, "{name}: {}", reply.text());
        if reply.status < 400 {
            through.push(name);
        }
    };
    attack("a page of another server", &whole.with("origin", EVIL));
    attack("a page of another server", &chief.with("origin", "null"));
    attack("a page of another server", &whole.with("sec-fetch-site", "cross-site"));
    attack("a cookie alone", &cookie);
    attack("a cookie alone", &cookie.with("x-csrf-token", "0"));
    attack("a cookie alone", &cookie.with("x-csrf-token", &others));
    // A cookie that was stolen counts no longer than its session, whatever is sent beside it.
    whole.delete("/api/v1/session").ok();
    attack("a cookie that was stolen", &whole);
    // A seat's token is no login, in whatever place.
    attack("a seat's token", &anybody.bearer("t1"));
    attack("a seat's token", &anybody.with("cookie", "fushi_session=t1").with("x-csrf-token", &csrf));
    through.dedup();
    through
}

/// Takes a seat whose board is open already.
async fn again(base: &str, token: &str) -> Wire {
    let mut wire = Wire::open(base).await;
    wire.say(&json!({"type": "join", "v": 1, "token": token})).await;
    wire.until("snapshot").await;
    wire
}

/// What becomes of what was sent: the code with which the connection ends, `refused` when it goes on, nothing when it
/// was broken off.
async fn verdict(wire: &mut Wire) -> Option<String> {
    while let Some(message) = wire.hear().await {
        match message["type"].as_str() {
            Some("error") => return message["code"].as_str().map(str::to_owned),
            Some("refused") => return Some("refused".to_owned()),
            _ => {}
        }
    }
    None
}

/// Sockets that are opened, or spoken on, as none may be.
async fn sockets(base: &str, session: &str) -> Vec<&'static str> {
    let mut through = Vec::new();
    for (header, value) in [("Origin", EVIL), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")] {
        let url = format!("{}/api/v1/play", base.replace("http://", "ws://"));
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert(header, value.parse().unwrap());
        if connect_async(request).await.is_ok() {
            through.push("a page of another server");
        }
    }
    through.dedup();
    // Who is logged in has no seat by that.
    for token in [session, "", "t1 ", "T1", "t1\u{0}", "' OR 1=1 --"] {
        let mut wire = Wire::open(base).await;
        wire.say(&json!({"type": "join", "v": 1, "token": token})).await;
        if wire.ends_with().await.as_deref() != Some("token") {
            through.push("a token that is no seat's");
        }
    }
    let (mut wire, play) = Wire::seated(base, "t1").await;
    let (_, other) = Wire::seated(base, "t2").await;
    for (number, at) in [other, play + 1000, i64::MIN].into_iter().enumerate() {
        let act = json!({"type": "act", "id": format!("w{number}"), "play": at, "do": "show no"});
        wire.raw(act.to_string()).await;
        if wire.until("refused").await["code"] != "no_play" {
            through.push("another's seat");
        }
    }
    // A megabyte: in one frame, and in many.
    let call = json!({"type": "call", "id": "long", "text": "x".repeat(1 << 20)}).to_string();
    wire.raw(call.clone()).await;
    let mut whole = verdict(&mut wire).await.as_deref() == Some("refused");
    let mut wire = again(base, "t1").await;
    let parts: Vec<&[u8]> = call.as_bytes().chunks(4000).collect();
    for (number, part) in parts.iter().enumerate() {
        let code = OpCode::Data(if number == 0 { Data::Text } else { Data::Continue });
        let frame = Frame::message(part.to_vec(), code, number + 1 == parts.len());
        if wire.0.send(Message::Frame(frame)).await.is_err() {
            break;
        }
    }
    whole |= verdict(&mut wire).await.as_deref() == Some("refused");
    if whole {
        through.push("a megabyte at once");
    }
    let mut wire = again(base, "t1").await;
    // Fewer than would wait for it in its queue: it is not dropped for being slow.
    for _ in 0..400 {
        wire.raw("{\"type\":\"ping\",\"t\":1}").await;
    }
    // One that may never be sent ends the connection in any case.
    wire.raw("{}").await;
    if verdict(&mut wire).await.as_deref() == Some("malformed") {
        through.push("a flood");
    }
    through
}

/// Random bytes where frames should be, and frames with a few bytes changed.
async fn fuzz(base: &str) {
    let address = base.strip_prefix("http://").unwrap();
    let mut chance = GameRng::of("hostile", b"1");
    let join = r#"{"type":"join","v":1,"token":"t1"}"#.as_bytes();
    let act = r#"{"type":"act","id":"f1","play":1,"do":"fuzzfuzz"}"#.as_bytes();
    for round in 0..FUZZED {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!(
            "GET /api/v1/play HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        let mut bytes = request.into_bytes();
        for text in [join, act] {
            let mut frame = vec![0x81, 0x80 | u8::try_from(text.len()).unwrap(), 0, 0, 0, 0];
            frame.extend_from_slice(text);
            for _ in 0..chance.below(4) {
                let at = usize::try_from(chance.below(u32::try_from(frame.len()).unwrap())).unwrap();
                frame[at] = u8::try_from(chance.below(256)).unwrap();
            }
            bytes.extend(frame);
        }
        if round % 3 == 0 {
            bytes.extend((0..chance.below(3000)).map(|_| u8::try_from(chance.below(256)).unwrap()));
        }
        let _ = stream.write_all(&bytes).await;
        let _ = stream.shutdown().await;
    }
}

/// A number among the metrics; the name with the space behind it.
fn gauge(base: &str, name: &str) -> String {
    let text = Client::new(base).get("/metrics").text();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {text}"));
    line.rsplit(' ').next().unwrap().to_owned()
}

#[test]
fn r9_no_attack_gets_through() {
    let server = Inside::start_with(|config| config.limits.messages_per_second = 10);
    let chief = chief_of(&server);
    event(&server.app);
    let session = Client::new(&server.base)
        .post("/api/v1/session", &json!({"name": "chief", "password": PASSWORD}))
        .ok();
    let token = session["token"].as_str().unwrap().to_owned();
    let mut through = requests(&server.base, &chief);
    server.app.runtime.block_on(async {
        for name in sockets(&server.base, &token).await {
            if !through.contains(&name) {
                through.push(name);
            }
        }
        fuzz(&server.base).await;
    });
    assert!(through.is_empty(), "these got through: {through:?}");
    // Nothing has changed: no account, no act in the log but logins and their end, no action at a table.
    let accounts = chief.get("/api/v1/accounts").ok();
    assert_eq!(accounts["items"].as_array().unwrap().len(), 1, "{accounts}");
    let log = chief.get("/api/v1/audit?limit=500").ok();
    for item in log["items"].as_array().unwrap() {
        let act = item["act"].as_str().unwrap();
        assert!(!["create-account", "change-account"].contains(&act), "{item}");
    }
    let store = &server.app.store;
    for play in fushi::event::archive::Archive::plays(store.as_ref(), "live").unwrap() {
        for given in store.answers(play.id).unwrap() {
            assert!(!matches!(given.answered.answer, Answer::Accepted(_)), "an attack was obeyed: {given:?}");
        }
    }
    // Nothing has broken: every socket's task came to its end, and everybody is still served.
    let deadline = Instant::now() + Duration::from_secs(20);
    while gauge(&server.base, "fushi_sockets ") != "0" {
        assert!(Instant::now() < deadline, "{} sockets are left", gauge(&server.base, "fushi_sockets "));
        std::thread::sleep(Duration::from_millis(50));
    }
    log_in(&Client::new(&server.base), "chief").get("/api/v1/session").ok();
    server.app.runtime.block_on(again(&server.base, "t2"));
}
