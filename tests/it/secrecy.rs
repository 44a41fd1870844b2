//! R5 at every door: two servers whose deals differ only in what one player has not seen answer that player, and
//! everybody who may not look into hands, with the same bytes.
//!
//! The worlds are the real program on two copies of one database; in the second, a test build exchanges the hands of
//! two seats (`FUSHI_TWIST`). Instants, tokens of logins and the boards' own time are masked; nothing else is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use fushi::desk::opening::master;
use fushi::desk::rights::Role;
use fushi::event::Event;
use fushi::event::archive::PlayId;
use fushi::event::live::Pace;
use fushi::event::model::Dealer;
use fushi::games::wakeng::Wakeng;
use fushi::games::{ActionText, Game, Seat, Viewer};
use fushi::journal::{Board, Entry};
use fushi::store::Store;
use fushi::web::secret::ServerSecret;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::live::{fields, staged};
use crate::server::{Client, Program};
use crate::web_accounts::{PASSWORD, log_in};

/// Digits that are instants, and hexadecimal or base64 of logins, are not compared.
fn masked(text: &str) -> String {
    // The identifiers of accounts and sessions are drawn anew in each world.
    let mut text = text.to_owned();
    for drawn in ["\"a-", "\"s-"] {
        let mut parts = text.split(drawn);
        let mut left = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            left.push_str("\"drawn");
            left.push_str(part.trim_start_matches(|letter: char| letter.is_ascii_hexdigit()));
        }
        text = left;
    }
    // So are the boards' own times, however short.
    let mut times = text.split("_ms\":");
    let first = times.next().unwrap_or_default().to_owned();
    let text = times.fold(first, |text, rest| {
        text + "_ms\":#" + rest.trim_start_matches(|letter: char| letter.is_ascii_digit())
    });
    let mut out = String::new();
    let mut number = String::new();
    for letter in text.chars().chain(['\n']) {
        if letter.is_ascii_digit() {
            number.push(letter);
            continue;
        }
        // An instant, or how much time somebody has.
        out.push_str(if number.len() >= 4 { "#" } else { &number });
        number.clear();
        out.push(letter);
    }
    out
}

struct World {
    program: Program,
    folder: tempfile::TempDir,
    clients: Vec<(&'static str, Client)>,
    sockets: Vec<Socket>,
    log: std::path::PathBuf,
}

type Stream = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

struct Socket {
    stream: Stream,
    heard: Vec<String>,
    /// Whose connection came or went: that is told when it happens, not in the order of the board's events.
    presence: Vec<String>,
}

impl Socket {
    /// Everything that comes until nothing comes for a while.
    async fn listen(&mut self) {
        while let Ok(Some(Ok(message))) =
            tokio::time::timeout(Duration::from_millis(700), self.stream.next()).await
        {
            if let Message::Text(text) = message {
                let mut value: Value = serde_json::from_str(&text).unwrap();
                for key in ["elapsed_ms", "seats"] {
                    if value["clock"][key].is_number() || value["clock"][key].is_object() {
                        value["clock"][key] = Value::Null;
                    }
                }
                let kept = if value["type"] == "presence" { &mut self.presence } else { &mut self.heard };
                kept.push(value.to_string());
            }
        }
        self.presence.sort();
    }

    async fn say(&mut self, value: &Value) {
        self.stream.send(Message::text(value.to_string())).await.unwrap();
    }
}

/// A connection that takes a seat without having seen anything.
async fn joined(base: &str, token: &str) -> Socket {
    let address = format!("{}/api/v1/play", base.replace("http://", "ws://"));
    let stream = connect_async(address).await.unwrap().0;
    let mut socket = Socket { stream, heard: Vec::new(), presence: Vec::new() };
    socket.say(&json!({"type": "join", "v": 1, "token": token})).await;
    socket.listen().await;
    socket
}

/// The three persons of a table, and the number of the board at that table. The first is the one who bids first,
/// which everybody learns; the others' hands are exchanged.
struct Place {
    tokens: Vec<String>,
    twist: String,
    play: i64,
    hands: Vec<Vec<String>>,
}

/// An event with every board sealed, the first table's persons, and what each of them holds.
fn prepared(folder: &Path) -> Place {
    let database = folder.join("live.sqlite");
    let store = std::sync::Arc::new(Store::open(&format!("sqlite:{}", database.display())).unwrap());
    let secret = ServerSecret::load_or_create(&folder.join("live.sqlite.key")).unwrap();
    let mut fields = fields("individual", 4, 2, Pace::Rounds);
    fields.auto_rounds = Some(false);
    // Nobody's time runs out while the doors are tried.
    let slow = json!({"base": "wakeng-bomb", "name": "slow", "show_s": 600, "bid_s": 600, "play_s": 600});
    fields.rules = slow.as_object().cloned();
    staged::<Wakeng>(&store, &secret, fields, 6, 1);
    let store = store.as_ref();
    let mut event = Event::<Wakeng>::load(store, "live").unwrap();
    event.follow(fushi::event::log::replayed(store, "live").unwrap().competition());
    let (announcement, delayed) = event.announced(store).unwrap();
    let key = master(store, "live", &secret.sealing(), "test", 0, "test").unwrap();
    let dealer = Dealer::new(&event, &announcement, &key, &delayed).unwrap();
    // The first round orders its boards in the order in which they stand in the plan.
    let (number, sitting) = (1..)
        .zip(event.sittings())
        .find(|(_, at)| at.round == 1 && at.who.iter().all(|who| who.entrant().is_some()))
        .expect("a table of persons");
    let token = |number: u32| format!("token-{}-0", event.entrant(number).unwrap().id);
    let set = fushi::event::model::set_of(&announcement, sitting.board).unwrap().to_owned();
    let deal = fushi::formats::DealRef { set, board: sitting.board };
    let mut board = Board::open(&dealer.board(&deal, &fushi::games::Setup::default()).unwrap());
    for seat in (0..3).map(Seat) {
        let no = Wakeng::read_action(&ActionText::plain("show no")).unwrap();
        board.play(&Entry { seat, action: no, at: Some(0), by: None }).unwrap();
    }
    let first = Wakeng::waiting_for(board.state()).seats.iter().next().unwrap().0;
    let seats = [first, (first + 1) % 3, (first + 2) % 3];
    let tokens = seats.iter().map(|seat| token(sitting.who[usize::from(*seat)].entrant().unwrap())).collect();
    let names = seats.map(|seat| Wakeng::seat_name(Seat(seat)).unwrap());
    let hands = seats
        .into_iter()
        .map(|seat| {
            let view = serde_json::to_value(Wakeng::view(board.state(), Viewer::Seat(Seat(seat)))).unwrap();
            view["hand"].as_str().unwrap().split(' ').map(str::to_owned).collect()
        })
        .collect();
    let play = PlayId::of(store.event_number("live").unwrap(), number).0;
    Place { tokens, twist: format!("{},{}", names[1], names[2]), play, hands }
}

impl World {
    async fn start(from: &Path, twist: Option<&str>, place: &Place) -> World {
        let folder = tempfile::tempdir().unwrap();
        for file in ["live.sqlite", "live.sqlite.key"] {
            fs::copy(from.join(file), folder.path().join(file)).unwrap();
        }
        let log = folder.path().join("log");
        let env = twist.map(|twist| ("FUSHI_TWIST", twist.as_ref()));
        let program = Program::start_logged(&folder.path().join("live.sqlite"), env.as_slice(), &log);
        let anybody = Client::new(&program.base);
        let setup = program.setup.clone().expect("a setup link");
        let body = json!({"token": setup, "name": "chief", "display": "主办", "password": PASSWORD});
        anybody.post("/api/v1/setup", &body).ok();
        let chief = log_in(&anybody, "chief");
        let mut clients = vec![("anybody", anybody.clone()), ("chief", chief.clone())];
        for role in [Role::ChiefReferee, Role::Referee] {
            let name = role.word();
            let body =
                json!({"name": name, "display": name, "password": PASSWORD, "grants": [{"role": name}]});
            chief.post("/api/v1/accounts", &body).ok();
            clients.push((name, log_in(&anybody, name)));
        }
        for (name, token) in ["the player", "the second", "the third"].into_iter().zip(&place.tokens) {
            clients.push((name, anybody.bearer(token)));
        }
        chief.post("/api/v1/events/live/rounds/1/start", &json!({})).ok();
        let mut sockets = Vec::new();
        for token in &place.tokens {
            let mut socket = joined(&program.base, token).await;
            socket.say(&json!({"type": "ready", "id": "r"})).await;
            sockets.push(socket);
        }
        let mut world = World { program, folder, clients, sockets, log };
        world.listen().await;
        world
    }

    async fn listen(&mut self) {
        for socket in &mut self.sockets {
            socket.listen().await;
        }
    }

    async fn act(&mut self, seat: usize, play: i64, what: &str) {
        let id = format!("a{}", self.sockets[seat].heard.len());
        self.sockets[seat].say(&json!({"type": "act", "id": id, "play": play, "do": what})).await;
        self.listen().await;
        assert!(
            self.sockets[seat].heard.iter().any(|text| text.contains("accepted") && text.contains(&id)),
            "{what}: {:?}",
            self.sockets[seat].heard.last()
        );
    }

    /// The first player comes back on a new device that has seen nothing, and asks whether it may play some cards; what
    /// it is told is part of what it has heard.
    async fn comes_back(&mut self, place: &Place) {
        let mut fresh = joined(&self.program.base, &place.tokens[0]).await;
        assert!(fresh.heard.iter().any(|text| text.contains(r#""past""#)), "{:?}", fresh.heard);
        for what in ["bid 3", "play C4 D4", "play H2"] {
            fresh.say(&json!({"type": "check", "play": place.play, "do": what})).await;
        }
        fresh.listen().await;
        assert!(fresh.heard.iter().any(|text| text.contains(r#""checked""#)), "{:?}", fresh.heard);
        let mut before = std::mem::replace(&mut self.sockets[0], fresh);
        before.listen().await;
        self.sockets[0].heard.splice(0..0, before.heard);
        self.sockets[0].presence.splice(0..0, before.presence);
        self.listen().await;
    }

    /// What every door says to somebody: status, headers and body.
    fn doors(&self, who: &str) -> BTreeMap<String, String> {
        let (_, client) = self.clients.iter().find(|(name, _)| *name == who).unwrap();
        let mut said = BTreeMap::new();
        for endpoint in fushi::web::api::table().endpoints() {
            if endpoint.method.name() != "GET" || endpoint.stream || endpoint.path == "/api/v1/play" {
                continue;
            }
            for number in ["1", "2"] {
                let path = endpoint
                    .path
                    .replace("{event}", "live")
                    .replace("{board}", number)
                    .replace("{round}", number)
                    .replace("{table}", number)
                    .replace("{game}", "wakeng");
                // Sessions are those of this test, with their random names.
                if path.contains('{') || path.ends_with("/metrics") || path == "/api/v1/sessions" {
                    continue;
                }
                let reply = client.get(&path);
                let mut headers = reply.headers.clone();
                let text = reply.text();
                // The length counts the digits of times, too.
                let timed = text.contains("_ms\":");
                headers.retain(|(name, _)| match name.as_str() {
                    "date" | "x-request-id" => false,
                    "content-length" => !timed,
                    _ => true,
                });
                headers.sort();
                said.insert(path, masked(&format!("{} {headers:?} {text}", reply.status)));
            }
        }
        // The names and labels of what is counted; how long anything took is no secret of a hand.
        let metrics = client.get("/metrics").text();
        let names = metrics.lines().filter_map(|line| line.rsplit_once(' ')).map(|(name, _)| name);
        let names: std::collections::BTreeSet<&str> = names.collect();
        said.insert("/metrics".to_owned(), names.into_iter().collect::<Vec<_>>().join("\n"));
        said
    }
}

impl World {
    /// The live board of the first table as a referee is shown it.
    fn live_table(&self, who: &str) -> String {
        let (_, client) = self.clients.iter().find(|(name, _)| *name == who).unwrap();
        let tables = (1..=2).flat_map(|board| (1..=2).map(move |table| (board, table)));
        let said = tables.map(|(board, table)| {
            client.get(&format!("/api/v1/events/live/boards/{board}/tables/{table}/public")).ok()
        });
        said.filter(|sheet| sheet["lines"].as_array().is_some_and(|lines| !lines.is_empty()))
            .map(|sheet| sheet.to_string())
            .collect()
    }
}

/// The first difference of two worlds for somebody.
fn difference(one: &World, other: &World, who: &str) -> Option<String> {
    let (ours, theirs) = (one.doors(who), other.doors(who));
    assert!(ours.len() > 20, "{} doors", ours.len());
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    let door = ours.iter().find(|(path, said)| theirs[*path] != **said);
    door.map(|(path, said)| format!("{who} at {path}:\n{said}\n{}", theirs[path]))
}

fn same_socket(one: &World, other: &World, seat: usize) -> bool {
    one.sockets[seat].heard == other.sockets[seat].heard
}

/// Whether a text has two cards of a hand side by side, as every list of cards has.
fn shows(text: &str, hand: &[String]) -> bool {
    hand.windows(2)
        .any(|pair| text.contains(&pair.join(" ")) || text.contains(&format!(r#"{}","{}"#, pair[0], pair[1])))
}

#[tokio::test(flavor = "multi_thread")]
async fn r5_every_door_says_the_same_whatever_others_hold() {
    let folder = tempfile::tempdir().unwrap();
    let place = tokio::task::block_in_place(|| prepared(folder.path()));
    let mut one = World::start(folder.path(), None, &place).await;
    let mut other = World::start(folder.path(), Some(&place.twist), &place).await;
    let outsiders = ["anybody", "chief", "chief-referee", "referee", "the player"];
    let check = |one: &World, other: &World, moment: &str| {
        for who in outsiders {
            assert_eq!(difference(one, other, who), None, "{moment}");
        }
        let told = |world: &World| (world.sockets[0].heard.clone(), world.sockets[0].presence.clone());
        assert_eq!(told(one), told(other), "the player's socket {moment}");
    };
    tokio::task::block_in_place(|| check(&one, &other, "before anybody acts"));
    assert!(one.sockets[0].heard.iter().any(|text| text.contains(r#""hand""#)), "{:?}", one.sockets[0].heard);
    // A choice that the others may not know yet, then the own one.
    let acts = [(1, "show no"), (0, "show no"), (2, "show no"), (0, "bid 1")];
    for (turn, (seat, what)) in acts.into_iter().enumerate() {
        one.act(seat, place.play, what).await;
        other.act(seat, place.play, what).await;
        // Whoever comes back is told what happened, and no more than who has stayed.
        one.comes_back(&place).await;
        other.comes_back(&place).await;
        tokio::task::block_in_place(|| check(&one, &other, what));
        let seen = tokio::task::block_in_place(|| one.live_table("referee"));
        let open = r#""kind":"hidden""#;
        // Who has chosen is known, and how only once everybody has; a bid is known at once.
        assert_eq!((seen.contains(open), seen.contains("bid 1")), (true, what == "bid 1"), "{what}: {seen}");
        assert!((turn > 1 || !seen.contains("show no")) && !seen.contains(r#""hand":["#), "{what}: {seen}");
    }
    // The comparison is not blind: whoever holds the cards sees the difference.
    assert!(!same_socket(&one, &other, 1), "the worlds do not differ");
    // Nor does a log know any hand, however much it says, or how somebody chose.
    for world in [&mut one, &mut other] {
        world.program.kill();
        let log = fs::read_to_string(&world.log).unwrap();
        assert!(log.contains("round"), "nothing was logged: {log}");
        assert!(!place.hands.iter().any(|hand| shows(&log, hand)), "a hand is in the log: {log}");
        assert!(!log.contains("show no"), "a choice is in the log: {log}");
        assert!(world.folder.path().exists());
    }
    let told = one.sockets[1].heard.join("\n");
    assert!(shows(&told, &place.hands[1]), "the search is blind: {told}");
}

/// A server that shows what it must not is found out: the same comparison for somebody who has looked into the hands.
#[tokio::test(flavor = "multi_thread")]
async fn r5_a_door_that_shows_hands_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let place = tokio::task::block_in_place(|| prepared(folder.path()));
    let one = World::start(folder.path(), None, &place).await;
    let other = World::start(folder.path(), Some(&place.twist), &place).await;
    let look = |world: &World| {
        let (_, chief) = world.clients.iter().find(|(name, _)| *name == "chief-referee").unwrap();
        let body = json!({"order": "look", "reason": "test"});
        masked(&chief.post("/api/v1/events/live/tables/1/orders", &body).ok()["hands"].to_string())
    };
    let (ours, theirs) = tokio::task::block_in_place(|| (look(&one), look(&other)));
    assert_ne!(ours, theirs);
    assert!(place.hands.iter().all(|hand| shows(&ours, hand)), "{ours}");
}
