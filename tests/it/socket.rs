//! The players' socket as strangers and enemies use it: by hand, frame by frame.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fushi::canonical::sha256;
use fushi::desk::draft::Fields;
use fushi::desk::people::{Device, People as _, SeatKind, SeatToken};
use fushi::desk::stage::{Staging, stage};
use fushi::event::Event;
use fushi::event::archive::PlayId;
use fushi::event::ledger::{Done, Evidence, Given, Incident, Ledger, LedgerError, RefereeCall, Write};
use fushi::event::live::Pace;
use fushi::games::Seat;
use fushi::games::wakeng::Wakeng;
use fushi::store::Store;
use fushi::tables::hall::TableOrder;
use fushi::tables::task::LOOKUPS_MAX;
use fushi::tables::{Answer, Answered, CommandId, REFUSALS_KEPT};
use fushi::web::App;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::client::{SCHEMA, fits};
use crate::server::Inside;

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A human–AI event with two persons in play, tokens `t1` and `t2`.
pub fn event(app: &App) {
    let fields = Fields {
        title: Some("Socket".to_owned()),
        format: Some("human-ai".to_owned()),
        boards: Some(4),
        boards_per_round: Some(4),
        pace: Some(Pace::Own),
        ai_delay_ms: Some(0),
        ..Fields::default()
    };
    let staging = Staging { id: "live", fields, persons: 2, programs: &[], seed: [9; 32] };
    let store: &Store = &app.store;
    let event =
        stage::<Wakeng>(store, app.halls.logs(), &staging, &app.secret.sealing(), app.clock.now(), "test")
            .unwrap();
    for entrant in &event.entrants {
        let row = SeatToken::for_program(&format!("t{}", entrant.number), &event.id, &entrant.id, 0);
        store.add_seat_tokens(vec![row], event.act(0, "test", "seat-token", "")).unwrap();
    }
    let hall = app.halls.open("live").unwrap();
    app.runtime.block_on(hall.start(1, "o1")).unwrap();
}

pub struct Wire(pub Socket);

impl Wire {
    pub async fn open(base: &str) -> Wire {
        let url = format!("{}/api/v1/play?lang=zh-CN", base.replace("http://", "ws://"));
        Wire(connect_async(url).await.unwrap().0)
    }

    pub async fn say(&mut self, value: &Value) {
        fits(&SCHEMA.client, value).unwrap();
        self.raw(value.to_string()).await;
    }

    pub async fn raw(&mut self, text: impl Into<String>) {
        // The server may have closed already.
        let _ = self.0.send(Message::text(text.into())).await;
    }

    /// The next message; `None` when the connection has ended.
    pub async fn hear(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(20), self.0.next()).await.expect("an answer");
            match next {
                Some(Ok(Message::Text(text))) => {
                    let value: Value = serde_json::from_str(&text).unwrap();
                    fits(&SCHEMA.server, &value).unwrap();
                    return Some(value);
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return None,
            }
        }
    }

    pub async fn until(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().await.unwrap_or_else(|| panic!("no `{kind}` before the end"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Joins, says that it is ready, and waits for its board.
    pub async fn seated(base: &str, token: &str) -> (Wire, i64) {
        let mut wire = Wire::open(base).await;
        wire.say(&json!({"type": "join", "v": 1, "token": token})).await;
        wire.until("waiting").await;
        wire.say(&json!({"type": "ready", "id": "r1"})).await;
        assert_eq!(wire.until("accepted").await["id"], "r1");
        let play = wire.until("seated").await["play"].as_i64().unwrap();
        wire.until("snapshot").await;
        // Again: the same answer, though there is a board now.
        wire.say(&json!({"type": "ready", "id": "r1"})).await;
        assert_eq!(wire.until("accepted").await["id"], "r1");
        (wire, play)
    }

    /// The code with which the server ends the connection.
    pub async fn ends_with(&mut self) -> Option<String> {
        let mut code = None;
        while let Some(message) = self.hear().await {
            if message["type"] == "error" {
                code = message["code"].as_str().map(str::to_owned);
                assert!(
                    message["message"].as_str().unwrap().chars().any(|letter| letter > '\u{2e80}'),
                    "{message}"
                );
            }
        }
        code
    }
}

fn with_event(work: impl AsyncFnOnce(String)) -> Inside {
    let inside = Inside::start();
    event(&inside.app);
    inside.app.runtime.block_on(work(inside.base.clone()));
    inside
}

#[test]
fn r9_whoever_breaks_the_protocol_is_told_why_and_changes_nothing() {
    let inside = with_event(async |base| {
        let long = "x".repeat(9000);
        let first = [
            ("nonsense", "malformed"),
            ("", "malformed"),
            ("[]", "malformed"),
            ("{\"type\":\"join\"}", "malformed"),
            ("{\"type\":\"join\",\"v\":1,\"token\":\"t1\",\"more\":1}", "malformed"),
            ("{\"type\":\"join\",\"v\":1,\"token\":\"t1\",\"from\":{\"play\":1,\"n\":-1}}", "malformed"),
            ("{\"type\":\"ping\",\"t\":1}", "join_first"),
            ("{\"type\":\"act\",\"id\":\"a\",\"play\":1,\"do\":\"pass\"}", "join_first"),
            ("{\"type\":\"join\",\"v\":2,\"token\":\"t1\"}", "version"),
            ("{\"type\":\"join\",\"v\":1,\"token\":\"nobody\"}", "token"),
            (long.as_str(), "malformed"),
        ];
        for (text, code) in first {
            let mut wire = Wire::open(&base).await;
            wire.raw(text).await;
            let told = wire.ends_with().await;
            assert!(told.as_deref() == Some(code) || text.len() > 8192, "{text}: {told:?}");
        }
        let mut wire = Wire::open(&base).await;
        let _ = wire.0.send(Message::binary(vec![0; 100])).await;
        assert_eq!(wire.ends_with().await.as_deref(), Some("malformed"));
        // A megabyte in one frame: the connection ends, the server does not.
        let mut wire = Wire::open(&base).await;
        wire.raw("y".repeat(1 << 20)).await;
        wire.ends_with().await;
        // A flood.
        let (mut wire, play) = Wire::seated(&base, "t1").await;
        for _ in 0..600 {
            wire.raw("{\"type\":\"ping\",\"t\":1}").await;
        }
        assert_eq!(wire.ends_with().await.as_deref(), Some("too_fast"));
        // Another's board, a board that is not there, odd ids: refused, and the connection goes on.
        let (mut other, own) = Wire::seated(&base, "t2").await;
        assert_ne!(own, play);
        for (id, at, code) in [("a1", play, "no_play"), ("a2", i64::MAX, "no_play"), ("a3", -1, "no_play")] {
            other.raw(json!({"type": "act", "id": id, "play": at, "do": "show yes"}).to_string()).await;
            let refused = other.until("refused").await;
            assert_eq!((&refused["id"], &refused["code"]), (&json!(id), &json!(code)));
        }
        other.raw(json!({"type": "act", "id": "no spaces", "play": own, "do": "show yes"}).to_string()).await;
        assert_eq!(other.until("refused").await["code"], "malformed");
        for text in ["", "show", "打", "play S4 S4", &"z".repeat(2000), "bid 3"] {
            let id = format!("b{}", text.len());
            other.raw(json!({"type": "act", "id": id, "play": own, "do": text}).to_string()).await;
            let refused = other.until("refused").await;
            assert_eq!(refused["id"], json!(id), "{refused}");
        }
        other.say(&json!({"type": "ping", "t": 7})).await;
        assert_eq!(other.until("pong").await["t"], 7);
    });
    // Refused commands left no trace in a journal: only what the AI players did stands there.
    let health = ureq::get(&format!("{}/healthz", inside.base)).call().unwrap();
    assert_eq!(health.status(), 200);
}

#[test]
fn r9_a_page_of_another_server_cannot_open_the_socket() {
    with_event(async |base| {
        let mut request =
            format!("{}/api/v1/play", base.replace("http://", "ws://")).into_client_request().unwrap();
        request.headers_mut().insert("Origin", "https://evil.example".parse().unwrap());
        match connect_async(request).await {
            Err(Error::Http(response)) => assert_eq!(response.status(), 403),
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn r3_a_command_from_two_sockets_again_and_again_has_one_answer() {
    with_event(async |base| {
        let (mut first, play) = Wire::seated(&base, "t1").await;
        let act = json!({"type": "act", "id": "show-1", "play": play, "do": "show no"});
        first.say(&act).await;
        let answer = first.until("accepted").await;
        // A second connection takes the seat; the first is told.
        let mut second = Wire::open(&base).await;
        second.say(&json!({"type": "join", "v": 1, "token": "t1", "from": {"play": play, "n": 0}})).await;
        assert_eq!(second.until("welcome").await["resumed"], true);
        assert_eq!(first.until("replaced").await, json!({"type": "replaced"}));
        // What the table said before it knew of the second still comes; then the connection ends.
        while let Some(message) = first.hear().await {
            assert_eq!(message["type"], "event", "{message}");
        }
        for _ in 0..4 {
            second.say(&act).await;
            assert_eq!(second.until("accepted").await, answer);
        }
        second.say(&json!({"type": "act", "id": "show-1", "play": play, "do": "show yes"})).await;
        assert_eq!(second.until("refused").await["code"], "conflict");
    });
}

#[test]
fn a_warning_reaches_the_player_at_once_or_on_coming_back() {
    let inside = Inside::start();
    event(&inside.app);
    let (base, halls) = (inside.base.clone(), inside.app.halls.clone());
    inside.app.runtime.block_on(async {
        let hall = halls.open("live").unwrap();
        let (mut wire, play) = Wire::seated(&base, "t1").await;
        // The other way round: what a player calls the referee for is read on the floor.
        let call = json!({"type": "call", "id": "c1", "play": play, "text": "有人偷看"});
        for _ in 0..2 {
            wire.say(&call).await;
            assert_eq!(wire.until("accepted").await["id"], "c1");
        }
        let place = hall.floor().await.into_iter().find(|place| place.play == play).unwrap();
        let calls = inside.app.store.open_calls("live").unwrap();
        let told: Vec<_> = calls.iter().map(|call| (call.play.0, call.words.as_str())).collect();
        assert_eq!(told, [(place.play, "有人偷看")]);
        assert!(hall.warn(1, "late", "六分钟", 1).await);
        let told = json!({"type": "warned", "code": "late", "reason": "六分钟", "count": 1});
        assert_eq!(wire.until("warned").await, told);
        assert!(!hall.warn(2, "slow", "again", 2).await, "nobody is there");
        assert!(!hall.warn(77, "slow", "nobody", 1).await);
        let mut other = Wire::open(&base).await;
        other.say(&json!({"type": "join", "v": 1, "token": "t2"})).await;
        other.until("welcome").await;
        assert_eq!(other.hear().await.unwrap()["reason"], "again");
        assert_eq!(other.hear().await.unwrap()["type"], "waiting", "only once");
    });
}

#[test]
fn r4_who_was_away_when_a_board_ended_is_told_its_end_first() {
    let inside = Inside::start();
    event(&inside.app);
    let (base, halls) = (inside.base.clone(), inside.app.halls.clone());
    inside.app.runtime.block_on(async {
        let (mut first, play) = Wire::seated(&base, "t1").await;
        first.say(&json!({"type": "act", "id": "show-1", "play": play, "do": "show no"})).await;
        first.until("accepted").await;
        drop(first);
        let hall = halls.open("live").unwrap();
        let table = hall.floor().await.into_iter().find(|place| place.play == play).unwrap().table;
        hall.order(table, TableOrder::End, "referee").await.unwrap();
        let over =
            async || hall.floor().await.iter().all(|place| place.play != play || place.handle.is_none());
        while !over().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let mut heard = Vec::new();
        let mut again = Wire::open(&base).await;
        again.say(&json!({"type": "join", "v": 1, "token": "t1", "from": {"play": play, "n": 0}})).await;
        assert_eq!(again.until("welcome").await["resumed"], false, "the board is not in play any more");
        loop {
            let message = again.hear().await.unwrap();
            heard.push(message);
            if heard.last().unwrap()["type"] == "waiting" {
                break;
            }
        }
        let kinds: Vec<&str> = heard.iter().map(|message| message["type"].as_str().unwrap()).collect();
        let events = kinds.iter().filter(|kind| **kind == "event").count();
        assert_eq!(kinds.first(), Some(&"seated"), "{kinds:?}");
        assert_eq!(kinds.last_chunk(), Some(&["finished", "waiting"]), "{kinds:?}");
        assert_eq!(kinds.len(), events + 3, "{kinds:?}");
        let numbers: Vec<u64> = heard[1..=events].iter().map(|event| event["n"].as_u64().unwrap()).collect();
        let count = u64::try_from(events).unwrap();
        assert_eq!(numbers, (1..=count).collect::<Vec<u64>>(), "every event, none twice");
        assert!(heard[..=events + 1].iter().all(|message| message["play"] == play), "{heard:?}");
        assert_eq!(heard[events + 1]["n"].as_u64(), Some(count));
        // Of a board at which one did not sit nothing is told; nor of one that never was.
        for other in [play + 1, play + 2, 1_000_000] {
            let mut wire = Wire::open(&base).await;
            wire.say(&json!({"type": "join", "v": 1, "token": "t1", "from": {"play": other, "n": 0}})).await;
            wire.until("welcome").await;
            assert_eq!(wire.hear().await.unwrap()["type"], "waiting", "{other}");
        }
    });
}

/// What the server keeps for a connection that does not read is bounded; then it is dropped, and the table goes on.
#[test]
fn r8_a_connection_that_does_not_read_is_given_up() {
    use fushi::tables::task::{MESSAGES_MAX, Sent, Sink};
    let (sink, out, slow) = Sink::new(fushi::words::Lang::En);
    for _ in 0..MESSAGES_MAX {
        assert_eq!(sink.send("event".to_owned()), Sent::Queued);
    }
    let begun = Instant::now();
    assert_eq!(sink.send("one too many".to_owned()), Sent::Full, "it is refused, not waited for");
    assert!(begun.elapsed() < Duration::from_secs(1));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let told =
        runtime.block_on(async { tokio::time::timeout(Duration::from_secs(1), slow.notified()).await });
    assert!(told.is_ok(), "the connection's task is told to end it");
    drop(out);
    assert_eq!(sink.send("to nobody".to_owned()), Sent::Gone);
}

/// An event by rounds on enrolled devices: a person plays on the device on which the seat was taken, at the table where
/// that device stands, and nowhere else.
#[test]
fn r9_a_seat_is_played_on_its_device_and_at_its_table_only() {
    let inside = Inside::start();
    let app: &App = &inside.app;
    let fields = Fields {
        title: Some("Devices".to_owned()),
        format: Some("individual".to_owned()),
        boards: Some(6),
        boards_per_round: Some(2),
        pace: Some(Pace::Rounds),
        auto_rounds: Some(false),
        late_s: Some(0),
        between_s: Some(0),
        ..Fields::default()
    };
    let staging = Staging { id: "live", fields, persons: 9, programs: &[], seed: [9; 32] };
    let event = stage::<Wakeng>(
        &*app.store,
        app.halls.logs(),
        &staging,
        &app.secret.sealing(),
        app.clock.now(),
        "test",
    )
    .unwrap();
    let at = |round: u32, number: u32| {
        let sits = |who: &&fushi::formats::Occupant| who.entrant() == Some(number);
        event
            .sittings()
            .find(|at| at.round == round && at.who.iter().any(|who| sits(&who)))
            .map(|at| at.table)
    };
    let mover = event
        .entrants
        .iter()
        .find(|entrant| at(1, entrant.number) != at(2, entrant.number))
        .expect("somebody changes tables");
    let (first, second) = (at(1, mover.number).unwrap(), at(2, mover.number).unwrap());
    let device = |id: &str, table: u32| Device {
        id: id.to_owned(),
        name: format!("平板 {id}"),
        token_hash: sha256(format!("fd_{id}").as_bytes()),
        table: Some(table),
        seat: None,
        enrolled_us: 0,
        revoked: false,
    };
    for (id, table) in [("d1", first), ("d2", second)] {
        let enrolled = event.act(0, "test", "enrol-device", "");
        assert!(app.store.add_device("live", device(id, table), 10, enrolled).unwrap());
    }
    // A new token for the seat ends the one before.
    let take = |token: &str, device: Option<&str>| {
        let row = SeatToken {
            kind: SeatKind::Person,
            device: device.map(str::to_owned),
            ..SeatToken::for_program(token, &event.id, &mover.id, 0)
        };
        app.store.add_seat_tokens(vec![row], event.act(0, "test", "seat-token", "")).unwrap();
    };
    let hall = app.halls.open("live").unwrap();
    let base = inside.base.clone();
    app.runtime.block_on(async {
        let join = async |token: &str, device: Option<&str>| {
            let mut wire = Wire::open(&base).await;
            let mut join = json!({"type": "join", "v": 1, "token": token});
            if let Some(device) = device {
                join["device"] = format!("fd_{device}").into();
            }
            wire.say(&join).await;
            wire
        };
        let refused = async |token: &str, device: Option<&str>, code: &str| {
            let said = join(token, device).await.ends_with().await;
            assert_eq!(said.as_deref(), Some(code), "{token} {device:?}");
        };
        take("on-none", None);
        refused("on-none", None, "device").await;
        refused("on-none", Some("d1"), "device").await;
        take("on-second", Some("d2"));
        refused("on-second", Some("d2"), "elsewhere").await;
        take("on-first", Some("d1"));
        refused("on-first", None, "device").await;
        refused("on-first", Some("d2"), "device").await;
        refused("on-first", Some("d3"), "device").await;
        refused("on-second", Some("d2"), "token").await;
        let mut wire = join("on-first", Some("d1")).await;
        wire.until("welcome").await;
        hall.start(1, "o1").await.unwrap();
        assert_eq!(wire.until("seated").await["table"], first);
        // The round ends; the next one is played elsewhere.
        let deadline = Instant::now() + Duration::from_secs(20);
        while hall.start(2, "o1").await.is_err() {
            assert!(Instant::now() < deadline, "round 1 is not over");
            for at in hall.floor().await.into_iter().filter(|at| at.handle.is_some()) {
                let _ = hall.order(at.table, fushi::tables::hall::TableOrder::End, "r1").await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(wire.ends_with().await.as_deref(), Some("elsewhere"));
        take("there", Some("d2"));
        let mut wire = join("there", Some("d2")).await;
        wire.until("welcome").await;
        assert_eq!(wire.until("seated").await["table"], second);
        // A device that counts no more plays no more, at once.
        app.store.end_device("live", "d2", 0, event.act(0, "test", "end-device", "")).unwrap();
        app.doors_changed();
        assert_eq!(wire.ends_with().await.as_deref(), Some("device"));
    });
}

/// R8: a connection that reads a byte a second is dropped with a reason once its queue is full; what is kept for it is
/// bounded, and the others at the table notice nothing.
#[test]
fn r8_a_player_who_reads_a_byte_a_second_holds_nobody_up() {
    use tokio::io::AsyncReadExt as _;
    let inside = Inside::start_with(|config| config.limits.send_buffer_kib = 4);
    let app: &App = &inside.app;
    let fields = Fields {
        title: Some("Slow".to_owned()),
        format: Some("individual".to_owned()),
        boards: Some(3),
        boards_per_round: Some(3),
        pace: Some(Pace::Rounds),
        between_s: Some(0),
        late_s: Some(0),
        ..Fields::default()
    };
    let staging = Staging { id: "live", fields, persons: 6, programs: &[], seed: [9; 32] };
    let event = stage::<Wakeng>(
        &*app.store,
        app.halls.logs(),
        &staging,
        &app.secret.sealing(),
        app.clock.now(),
        "test",
    )
    .unwrap();
    let (lazy_table, lazy) = event
        .sittings()
        .filter(|at| at.round == 1)
        .find_map(|at| Some((at.table, at.who.iter().find_map(|who| who.entrant())?)))
        .unwrap();
    let lazy_token = format!("t{lazy}");
    for entrant in &event.entrants {
        let row = SeatToken::for_program(&format!("t{}", entrant.number), &event.id, &entrant.id, 0);
        app.store.add_seat_tokens(vec![row], event.act(0, "test", "seat-token", "")).unwrap();
    }
    let hall = app.halls.open("live").unwrap();
    let counters = std::sync::Arc::clone(&app.halls.deps().counters);
    let address: std::net::SocketAddr = inside.base.strip_prefix("http://").unwrap().parse().unwrap();
    app.runtime.block_on(async {
        hall.start(1, "o1").await.unwrap();
        // It joins and reads a byte a second from then on; its own system keeps next to nothing for it.
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(2048).unwrap();
        let stream = socket.connect(address).await.unwrap();
        let url = format!("ws://{address}/api/v1/play").into_client_request().unwrap();
        let (mut lazy, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
        let join = json!({"type": "join", "v": 1, "token": lazy_token}).to_string();
        lazy.send(Message::text(join)).await.unwrap();
        let enough = std::sync::Arc::new(tokio::sync::Notify::new());
        let read_on = std::sync::Arc::clone(&enough);
        let reader = tokio::spawn(async move {
            let mut heard = Vec::new();
            let mut bytes = [0; 1];
            let stream = lazy.get_mut();
            loop {
                tokio::select! {
                    () = read_on.notified() => break,
                    () = tokio::time::sleep(Duration::from_secs(1)) => {
                        if stream.read(&mut bytes).await.is_ok_and(|count| count > 0) {
                            heard.push(bytes[0]);
                        }
                    }
                }
            }
            // What it had been sent is all it gets; then the connection ends.
            let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut heard)).await;
            heard
        });
        // A referee makes as many events at its table as can be: the lazy one is sent each of them.
        let mut slowest = Duration::ZERO;
        let begun = Instant::now();
        let mut calls = 0;
        while counters.slow.load(Ordering::Relaxed) == 0 {
            let floor = hall.floor().await;
            let look = floor.iter().find_map(|at| at.handle.clone()).unwrap().look().await;
            // What waits for it and what the systems' buffers hold is far less than this.
            assert!(calls < 2000, "it is kept for ever: {calls} events, {look:?}");
            assert!(begun.elapsed() < Duration::from_secs(40), "{calls} events, {look:?}");
            for _ in 0..200 {
                let asked = Instant::now();
                calls += 1;
                hall.order(lazy_table, TableOrder::Look, "r1").await.unwrap();
                slowest = slowest.max(asked.elapsed());
            }
        }
        assert!(slowest < Duration::from_secs(10), "the others wait for it: {slowest:?}");
        enough.notify_one();
        let heard = reader.await.unwrap();
        assert!(heard.len() < 1 << 18, "{} bytes were kept for it", heard.len());
        // The last frame: close, six bytes, code 1008, the reason.
        assert!(
            heard.ends_with(b"\x88\x06\x03\xf0slow"),
            "it is not told why: {:?}",
            heard.last_chunk::<40>()
        );
    });
}

/// The store, watched: how many rows are looked up at once, and whether anybody reads all answers of a board.
struct Watched {
    store: Arc<Store>,
    now: AtomicUsize,
    most: AtomicUsize,
    single: AtomicUsize,
    whole: AtomicUsize,
}

impl Ledger for Watched {
    fn write(&self, write: Write, done: Done) -> Result<(), LedgerError> {
        self.store.write(write, done)
    }

    fn keep_incidents(&self, event: &str, rows: Vec<Incident>, done: Done) -> Result<(), LedgerError> {
        self.store.keep_incidents(event, rows, done)
    }

    fn answer(&self, play: PlayId, seat: Seat, id: &CommandId) -> Result<Option<Answered>, LedgerError> {
        self.most.fetch_max(self.now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        self.single.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(5));
        self.now.fetch_sub(1, Ordering::SeqCst);
        self.store.answer(play, seat, id)
    }

    fn answers(&self, play: PlayId) -> Result<Vec<Given>, LedgerError> {
        self.whole.fetch_add(1, Ordering::SeqCst);
        self.store.answers(play)
    }

    fn calls(&self, event: &str) -> Result<Vec<RefereeCall>, LedgerError> {
        self.store.calls(event)
    }
}

/// One token cannot make the server work or remember without bound: what is kept of its refused commands is bounded, a
/// command for a board that is over is looked up by its key, a few at once, and the others are told `busy`.
#[test]
fn one_token_cannot_load_the_server_with_commands_for_a_board_that_is_over() {
    let watched = std::sync::OnceLock::new();
    let inside = Inside::start_on(
        |config| (config.limits.messages_per_second, config.limits.messages_burst) = (10_000, 10_000),
        |store| {
            let (now, most, single, whole) = Default::default();
            let ledger = Arc::new(Watched { store, now, most, single, whole });
            let _ = watched.set(Arc::clone(&ledger));
            ledger
        },
    );
    event(&inside.app);
    let (base, halls) = (inside.base.clone(), inside.app.halls.clone());
    let play = inside.app.runtime.block_on(async {
        let (mut wire, play) = Wire::seated(&base, "t1").await;
        let act = |id: &str, text: &str| json!({"type": "act", "id": id, "play": play, "do": text});
        wire.say(&act("good", "show no")).await;
        let good = wire.until("accepted").await;
        for number in 0..REFUSALS_KEPT + 40 {
            wire.say(&act(&format!("x{number}"), "nonsense")).await;
            let refused = wire.until("refused").await;
            assert_eq!(
                (&refused["code"], &refused["id"]),
                (&json!("malformed"), &json!(format!("x{number}")))
            );
        }
        let hall = halls.open("live").unwrap();
        let table = hall.floor().await.into_iter().find(|place| place.play == play).unwrap().table;
        hall.order(table, TableOrder::End, "referee").await.unwrap();
        wire.until("waiting").await;
        // What is kept is answered as it was, for ever; what is not is refused.
        wire.say(&act("good", "show no")).await;
        assert_eq!(wire.until("accepted").await, good);
        wire.say(&act("good", "show yes")).await;
        assert_eq!(wire.until("refused").await["code"], "conflict");
        for (id, code) in [("x0", "malformed"), ("never", "no_play")] {
            wire.say(&act(id, "nonsense")).await;
            assert_eq!(wire.until("refused").await["code"], code);
        }
        // A flood: every one is answered.
        for number in 0..400 {
            wire.raw(act(&format!("y{number}"), "nonsense").to_string()).await;
        }
        let mut codes = std::collections::BTreeMap::<String, usize>::new();
        for _ in 0..400 {
            let code = wire.until("refused").await["code"].as_str().unwrap().to_owned();
            *codes.entry(code).or_default() += 1;
        }
        assert_eq!(codes.values().sum::<usize>(), 400);
        assert!(codes.keys().all(|code| ["busy", "no_play"].contains(&code.as_str())), "{codes:?}");
        assert!(codes["busy"] > 0, "{codes:?}");
        play
    });
    let seen = watched.get().unwrap();
    assert!(seen.most.load(Ordering::SeqCst) <= LOOKUPS_MAX.min(4), "too much at once");
    assert!(seen.single.load(Ordering::SeqCst) > 0);
    assert_eq!(seen.whole.load(Ordering::SeqCst), 0, "nobody reads every answer of a board to find one");
    let refused = |given: &&Given| matches!(given.answered.answer, Answer::Refused(_));
    let given = inside.app.store.answers(PlayId(play)).unwrap();
    assert_eq!(given.iter().filter(refused).count(), REFUSALS_KEPT);
    let counted = inside.app.store.refusals_counted(PlayId(play)).unwrap();
    assert_eq!(
        counted.iter().map(|one| one.count).collect::<Vec<_>>(),
        [40],
        "the end of the board told them"
    );
}

/// What connections show is counted by person, kind and board: nobody's pushes out another's, and it is there after the
/// server has gone. Who comes in again and again without a pause is told so.
#[test]
fn nobody_can_push_out_what_others_have_shown_and_it_survives_the_server() {
    let inside = Inside::start();
    event(&inside.app);
    let (base, halls) = (inside.base.clone(), inside.app.halls.clone());
    let (joined, refused) = inside.app.runtime.block_on(async {
        let mut other = Wire::open(&base).await;
        other.say(&json!({"type": "join", "v": 1, "token": "t2"})).await;
        other.until("waiting").await;
        let (mut joined, mut refused) = (0_u64, 0_u64);
        for _ in 0..300 {
            let mut wire = Wire::open(&base).await;
            wire.say(&json!({"type": "join", "v": 1, "token": "t1"})).await;
            match wire.hear().await.unwrap()["type"].as_str().unwrap() {
                "welcome" => joined += 1,
                "error" => refused += 1,
                other => panic!("{other}"),
            }
            if refused > 0 {
                break;
            }
        }
        for visible in [false, true].repeat(50) {
            other.say(&json!({"type": "focus", "visible": visible})).await;
        }
        other.say(&json!({"type": "ping", "t": 1})).await;
        other.until("pong").await;
        halls.open("live").unwrap().incidents_kept().await;
        (joined, refused)
    });
    assert!(joined >= 100 && refused == 1, "{joined} joined, {refused} were refused");
    // The tokens are called by number; which entrant has a number is drawn.
    let event = Event::<Wakeng>::load(&*inside.app.store, "live").unwrap();
    let shown = |store: &Store, number: u32, what: Evidence| -> Vec<u64> {
        let who = event.entrants.iter().find(|entrant| entrant.number == number).unwrap();
        let known = store.incidents("live", None).unwrap();
        known.iter().filter(|one| one.entrant == who.id && one.what == what).map(|one| one.count).collect()
    };
    let path = inside.folder.path().join("test.sqlite");
    let check = |store: &Store| {
        assert_eq!(shown(store, 1, Evidence::Connected), [joined]);
        assert_eq!(shown(store, 2, Evidence::Connected), [1]);
        assert_eq!(shown(store, 2, Evidence::Left), [50]);
        assert_eq!(shown(store, 2, Evidence::Returned), [50]);
        assert!(store.incidents("live", None).unwrap().len() <= 2 * Evidence::ALL.len());
    };
    check(&inside.app.store);
    let first = inside.app.store.incidents("live", None).unwrap();
    assert!(first.iter().all(|one| one.first_us > 0 && one.first_us <= one.last_us), "{first:?}");
    let copy = tempfile::tempdir().unwrap();
    // As a server that was killed leaves it: the file and its log.
    for name in ["test.sqlite", "test.sqlite-wal"] {
        let from = path.with_file_name(name);
        if from.exists() {
            std::fs::copy(&from, copy.path().join(name)).unwrap();
        }
    }
    check(&Store::open(&format!("sqlite:{}", copy.path().join("test.sqlite").display())).unwrap());
    assert_eq!(inside.app.store.plays("live").unwrap().len(), 8);
}
