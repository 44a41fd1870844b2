//! The sample client against a small server of the tests: an honest one, over which it plays every game to the end
//! through broken connections and repeated commands, and lying ones, of which it must notice every lie. Every message
//! of either side is held against the schema of the protocol.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Output};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use fushi::cards::Card;
use fushi::client::{Report, Settings, Tally, play, run::socket_address};
use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::games::{ActionText, Game, Refusal, Seat, Viewer, deal_board, rulesets};
use fushi::players::Levels;
use fushi::rng::GameRng;
use fushi::words::Lang;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Map, Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_tungstenite::accept_async;
use tokio_tungstenite::tungstenite::Message;

pub struct Schema {
    pub client: jsonschema::Validator,
    pub server: jsonschema::Validator,
}

pub static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let whole: Value = serde_json::from_str(include_str!("../../docs/protocol.schema.json")).unwrap();
    let part = |name: &str| {
        let schema =
            json!({"$schema": whole["$schema"], "$ref": format!("#/$defs/{name}"), "$defs": whole["$defs"]});
        jsonschema::validator_for(&schema).unwrap()
    };
    Schema { client: part("client"), server: part("server") }
});

pub fn fits(validator: &jsonschema::Validator, message: &Value) -> Result<(), String> {
    validator.validate(message).map_err(|error| format!("{error}: {message}"))
}

/// What a server does wrong, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    Nothing,
    Gap,
    Again,
    ViewField,
    OtherHand,
    Legal,
    Cut,
    OtherAction,
    NeverComes,
    TwoAnswers,
    Refusal,
    Scores,
    UnknownField,
    SnapshotGoesBack,
}

/// A line of the journal; `None`: the dealer's step.
type Line = Option<(Seat, ActionText)>;

struct Hall<G: Game> {
    rules: Arc<G::Rules>,
    boards: u64,
    play: u64,
    /// The board after so many lines.
    states: Vec<G::State>,
    lines: Vec<Line>,
    answers: BTreeMap<(u8, String), Value>,
    outs: Vec<Option<UnboundedSender<Value>>>,
    ready: BTreeSet<u8>,
    lie: Lie,
    broken: Vec<String>,
}

fn start<G: Game>(rules: &Arc<G::Rules>, play: u64) -> G::Start {
    let mut order: Vec<Card> = G::PACK.cards();
    GameRng::of("client", &play.to_be_bytes()).shuffle(&mut order);
    deal_board::<G>(rules, u32::try_from(play).unwrap(), &order).unwrap()
}

impl<G: Game> Hall<G> {
    fn new(boards: u64, lie: Lie) -> Hall<G> {
        let rules = rulesets::default::<G>().unwrap();
        let board = start::<G>(&rules, 1);
        let seats = usize::from(G::seats(&board));
        let states = vec![G::open(&rules, &board)];
        Hall {
            rules,
            boards,
            play: 1,
            states,
            lines: Vec::new(),
            answers: BTreeMap::new(),
            outs: vec![None; seats],
            ready: BTreeSet::new(),
            lie,
            broken: Vec::new(),
        }
    }

    fn state(&self) -> &G::State {
        self.states.last().unwrap()
    }

    fn tell(&mut self, seat: u8, message: Value) {
        if message.get("seed").is_none() {
            self.broken.extend(fits(&SCHEMA.server, &message).err());
        }
        if let Some(out) = &self.outs[usize::from(seat)] {
            let _ = out.send(message);
        }
    }

    /// Whether the lie is told now.
    fn lies(&mut self, lie: Lie) -> bool {
        let now = self.lie == lie;
        if now {
            self.lie = Lie::Nothing;
        }
        now
    }

    fn board_part(message: &mut Value, state: &G::State, seat: u8) {
        let seat = Seat(seat);
        message["view"] = serde_json::to_value(G::view(state, Viewer::Seat(seat))).unwrap();
        let waiting = G::waiting_for(state).seats;
        let left: Map<String, Value> =
            waiting.iter().map(|seat| (G::seat_name(seat).unwrap().to_owned(), json!(1000))).collect();
        message["clock"] = json!({"running": true, "elapsed_ms": 5, "seats": left});
        if waiting.contains(seat) {
            let mut legal = G::legal(state, seat).map(|action| G::write_action(&action).text);
            message["legal"] = legal.by_ref().take(200).collect::<Vec<_>>().into();
            if legal.next().is_some() {
                message["cut"] = true.into();
            }
        }
    }

    fn event(&mut self, n: usize, seat: u8) -> Value {
        let mut message = json!({"type": "event", "play": self.play, "n": n});
        let (before, after) = (&self.states[n - 1], &self.states[n]);
        message["what"] = match &self.lines[n - 1] {
            None => json!({"kind": "note", "note": "deal", "by": "dealer"}),
            Some((actor, text)) => {
                let name = G::seat_name(*actor).unwrap();
                let still = G::waiting_for(after);
                let hidden = actor.0 != seat
                    && G::waiting_for(before).simultaneous
                    && still.simultaneous
                    && still.phase == G::waiting_for(before).phase
                    && text.after.is_none();
                if hidden || (actor.0 != seat && text.text.starts_with("lay-away")) {
                    json!({"kind": "hidden", "seat": name})
                } else {
                    let mut what = json!({"kind": "action", "seat": name, "do": text.text});
                    if let Some(after) = text.after {
                        what["after"] = after.into();
                    }
                    what
                }
            }
        };
        Self::board_part(&mut message, after, seat);
        message
    }

    /// Tells everybody the last line.
    fn show(&mut self) {
        let n = self.lines.len();
        let actor = self.lines[n - 1].as_ref().map(|(seat, _)| seat.0);
        for seat in 0..u8::try_from(self.outs.len()).unwrap() {
            let mut event = self.event(n, seat);
            if n < 6 {
                self.tell(seat, event);
                continue;
            }
            // Whoever must not act waits for others, and meets the next event.
            if !G::waiting_for(self.state()).seats.contains(Seat(seat)) && self.lies(Lie::Gap) {
                continue;
            }
            if self.lies(Lie::Again) {
                self.tell(seat, event.clone());
            }
            if self.lies(Lie::ViewField) {
                event["view"]["hint"] = true.into();
            }
            if self.lies(Lie::UnknownField) {
                event["seed"] = 7.into();
            }
            if event["legal"].as_array().is_some_and(|list| list.len() > 1) {
                if self.lies(Lie::Legal) {
                    event["legal"].as_array_mut().unwrap().swap(0, 1);
                }
                let played = event["legal"][1].as_str().is_some_and(|text| text.starts_with("play"));
                if played && self.lies(Lie::OtherHand) {
                    event["view"]["hand"] = "S2".into();
                }
                if self.lies(Lie::Cut) {
                    event["cut"] = true.into();
                }
            }
            if actor == Some(seat) && self.lies(Lie::OtherAction) {
                event["what"]["do"] = "play bj".into();
            }
            let back = self.lies(Lie::SnapshotGoesBack);
            self.tell(seat, event);
            if back {
                let snapshot = self.snapshot(n - 2, seat);
                self.tell(seat, snapshot);
            }
        }
    }

    fn snapshot(&self, n: usize, seat: u8) -> Value {
        let mut message = json!({"type": "snapshot", "play": self.play, "n": n});
        Self::board_part(&mut message, &self.states[n], seat);
        message
    }

    fn seated(&mut self, seat: u8) {
        let seats: Map<String, Value> = (0..u8::try_from(self.outs.len()).unwrap())
            .map(|other| {
                let there = self.outs[usize::from(other)].is_some();
                let name = G::seat_name(Seat(other)).unwrap().to_owned();
                (name, json!({"name": format!("Player {other}"), "kind": "person", "connected": there}))
            })
            .collect();
        let message = json!({
            "type": "seated", "play": self.play, "board": self.play.to_string(), "round": 1, "table": 1,
            "seat": G::seat_name(Seat(seat)).unwrap(), "seats": seats,
            "rules": serde_json::to_value(self.rules.as_ref()).unwrap(),
            "ruleset": fushi::games::Ruleset::name(self.rules.as_ref()),
        });
        self.tell(seat, message);
    }

    fn finished(&mut self, seat: u8) {
        let scores = G::scores(self.state());
        let mut scores: Map<String, Value> = scores
            .into_iter()
            .zip(0..)
            .map(|(score, seat)| (G::seat_name(Seat(seat)).unwrap().to_owned(), score.into()))
            .collect();
        if self.lies(Lie::Scores) {
            let score = scores.values_mut().next().unwrap();
            *score = json!(score.as_i64().unwrap() + 1);
        }
        let n = self.lines.len();
        self.tell(
            seat,
            json!({"type": "finished", "play": self.play, "n": n, "scores": scores, "unfinished": false}),
        );
        let what = if self.play == self.boards { "end" } else { "ready" };
        self.tell(seat, json!({"type": "waiting", "for": what, "round": 1}));
    }

    fn join(&mut self, seat: u8, from: Option<(u64, usize)>, out: UnboundedSender<Value>) {
        if let Some(old) = self.outs[usize::from(seat)].replace(out) {
            let _ = old.send(json!({"type": "replaced"}));
        }
        let seen = from.filter(|(play, _)| *play == self.play).map(|(_, n)| n);
        self.tell(
            seat,
            json!({"type": "welcome", "v": 1, "server": "test/1", "role": "player", "resumed": seen.is_some(),
                "event": {"id": "e", "title": "Test", "game": G::KIND.name()}, "entrant": {"id": "1", "name": "One"}}),
        );
        self.seated(seat);
        if let Some(seen) = seen {
            for n in seen + 1..=self.lines.len() {
                let event = self.event(n, seat);
                self.tell(seat, event);
            }
        } else {
            let snapshot = self.snapshot(self.lines.len(), seat);
            self.tell(seat, snapshot);
        }
        if G::finished(self.state()) {
            self.finished(seat);
        }
    }

    fn act(&mut self, seat: u8, id: &str, play: u64, text: &ActionText) {
        let key = (seat, id.to_owned());
        if let Some(answer) = self.answers.get(&key) {
            let mut answer = answer.clone();
            if answer["n"].is_u64() && self.lies(Lie::TwoAnswers) {
                answer["n"] = json!(answer["n"].as_u64().unwrap() + 1);
            }
            return self.tell(seat, answer);
        }
        let refused = |code: &str| json!({"type": "refused", "id": id, "code": code, "message": "No."});
        let checked = match G::read_action(text) {
            _ if play != self.play => Err("no_play"),
            Err(_) => Err("malformed"),
            Ok(action) => G::check(self.state(), Seat(seat), &action).map_err(|illegal| illegal.code()),
        };
        let effect = match checked {
            Ok(_) if self.lines.len() > 5 && self.lies(Lie::Refusal) => Err("does_not_beat"),
            checked => checked,
        };
        let effect = match effect {
            Ok(effect) => effect,
            Err(code) => {
                self.answers.insert(key, refused(code));
                return self.tell(seat, refused(code));
            }
        };
        let mut state = self.state().clone();
        G::apply(&mut state, effect);
        let n = self.lines.len() + 1;
        let mut told = n;
        if n > 5 && self.lies(Lie::NeverComes) {
            told = n + 1;
        }
        let answer = json!({"type": "accepted", "id": id, "play": play, "n": told});
        self.answers.insert(key, answer.clone());
        self.states.push(state);
        self.lines.push(Some((Seat(seat), text.clone())));
        // Either may come first.
        if n.is_multiple_of(2) {
            self.tell(seat, answer);
            self.show();
        } else {
            self.show();
            self.tell(seat, answer);
        }
        self.end();
    }

    /// The dealer's next step, if one is due.
    fn deal(&mut self) {
        let Some(effect) = G::advance(self.state()) else { return };
        let mut state = self.state().clone();
        G::apply(&mut state, effect);
        self.states.push(state);
        self.lines.push(None);
        self.show();
    }

    fn end(&mut self) {
        if G::finished(self.state()) {
            for seat in 0..u8::try_from(self.outs.len()).unwrap() {
                self.finished(seat);
            }
        }
    }

    fn ready(&mut self, seat: u8, id: &str) {
        self.tell(seat, json!({"type": "accepted", "id": id}));
        if !G::finished(self.state()) || self.play == self.boards {
            return;
        }
        self.ready.insert(seat);
        if self.ready.len() == self.outs.len() {
            self.ready.clear();
            self.play += 1;
            self.states = vec![G::open(&self.rules, &start::<G>(&self.rules, self.play))];
            self.lines.clear();
            for seat in 0..u8::try_from(self.outs.len()).unwrap() {
                self.seated(seat);
                let snapshot = self.snapshot(0, seat);
                self.tell(seat, snapshot);
            }
        }
    }

    fn obey(&mut self, seat: u8, message: &Value) {
        let text = |key: &str| message[key].as_str().unwrap_or_default().to_owned();
        match message["type"].as_str() {
            Some("act") => {
                let after = message["after"].as_u64().map(|after| u32::try_from(after).unwrap());
                let action = ActionText { text: text("do"), after };
                self.act(seat, &text("id"), message["play"].as_u64().unwrap(), &action);
            }
            Some("ready") => self.ready(seat, &text("id")),
            Some("ping") => self.tell(seat, json!({"type": "pong", "t": message["t"]})),
            _ => self.broken.push(format!("the client says {message}")),
        }
    }
}

async fn connection<G: Game>(hall: Arc<Mutex<Hall<G>>>, stream: TcpStream) {
    let Ok(mut socket) = accept_async(stream).await else { return };
    let (out, mut messages) = unbounded_channel::<Value>();
    let mut me = None;
    loop {
        let text = tokio::select! {
            message = messages.recv() => {
                let Some(message) = message else { return };
                if socket.send(Message::text(message.to_string())).await.is_err() {
                    return;
                }
                continue;
            }
            text = socket.next() => match text {
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(_)) => continue,
                _ => return,
            },
        };
        let message: Value = serde_json::from_str(&text).unwrap();
        let mut hall = hall.lock().unwrap();
        hall.broken.extend(fits(&SCHEMA.client, &message).err());
        match me {
            None => {
                // The token is the number of the seat.
                let seat: u8 = message["token"].as_str().unwrap().parse().unwrap();
                let from = message["from"].as_object().map(|from| {
                    (from["play"].as_u64().unwrap(), usize::try_from(from["n"].as_u64().unwrap()).unwrap())
                });
                hall.join(seat, from, out.clone());
                me = Some(seat);
            }
            Some(seat) => hall.obey(seat, &message),
        }
    }
}

/// Serves two boards to a client with the settings and gives what it found, and what the server found.
async fn served<G: Game>(lie: Lie, change: impl FnOnce(&mut Settings)) -> (Report, Tally, Vec<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let hall = Arc::new(Mutex::new(Hall::<G>::new(2, lie)));
    let seats = hall.lock().unwrap().outs.len();
    let server = {
        let hall = Arc::clone(&hall);
        tokio::spawn(async move {
            let mut dealer = tokio::time::interval(Duration::from_millis(2));
            loop {
                tokio::select! {
                    Ok((stream, _)) = listener.accept() => drop(tokio::spawn(connection(Arc::clone(&hall), stream))),
                    _ = dealer.tick() => hall.lock().unwrap().deal(),
                }
            }
        })
    };
    let mut settings = Settings {
        address: socket_address(&url, Lang::En).unwrap(),
        lang: Lang::En,
        level: None,
        think: Duration::ZERO,
        disconnect: 0,
        repeat: false,
        time: Some(Duration::from_mins(1)),
    };
    change(&mut settings);
    let (report, tally) = play(settings, (0..seats).map(|seat| seat.to_string()).collect(), |_| {}).await;
    server.abort();
    let broken = std::mem::take(&mut hall.lock().unwrap().broken);
    (report, tally, broken)
}

async fn honest<G: Levels>() {
    let (report, tally, broken) = served::<G>(Lie::Nothing, |settings| {
        settings.disconnect = 50;
        settings.level = Some(G::levels()[1].info().name.to_owned());
        settings.repeat = true;
    })
    .await;
    let game = G::KIND;
    assert_eq!(broken, Vec::<String>::new(), "{game}: the client breaks the protocol");
    assert_eq!(tally.told, Vec::<String>::new(), "{game}: the client complains about an honest server");
    assert_eq!((report.boards, report.failed, tally.failure), (2, 0, None), "{game}");
    assert!(report.actions > 10 && report.reconnects > 0 && report.latency_us.max > 0, "{game}: {report:?}");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

#[test]
fn every_game_is_played_to_its_end_through_broken_connections_and_repeated_commands() {
    runtime().block_on(async {
        tokio::join!(honest::<Wakeng>(), honest::<Tuolaji>(), honest::<Holdem>());
    });
}

#[test]
fn every_lie_of_a_server_is_noticed() {
    const LIES: [(Lie, &str); 13] = [
        (Lie::Gap, "was due"),
        (Lie::Again, "comes again"),
        (Lie::ViewField, "unknown field `hint`"),
        (Lie::OtherHand, "legal action"),
        (Lie::Legal, "legal action 0 should be"),
        (Lie::Cut, "`cut` should be false"),
        (Lie::OtherAction, "accepted"),
        (Lie::NeverComes, "accepted"),
        (Lie::TwoAnswers, "two answers"),
        (Lie::Refusal, "is refused: does_not_beat"),
        (Lie::Scores, "scores should read"),
        (Lie::UnknownField, "unreadable message"),
        (Lie::SnapshotGoesBack, "fewer events"),
    ];
    runtime().block_on(async {
        let runs = LIES.map(|(lie, expected)| async move {
            let (report, tally, broken) = served::<Wakeng>(lie, |settings| {
                settings.repeat = true;
                settings.time = Some(Duration::from_secs(6));
            })
            .await;
            // The schema knows every key of a view, so that it sees this lie, too.
            assert_eq!(!broken.is_empty(), matches!(lie, Lie::ViewField), "{lie:?}: {broken:?}");
            assert!(report.violations > 0, "{lie:?} goes unnoticed: {report:?}");
            assert!(tally.told.iter().any(|told| told.contains(expected)), "{lie:?}: {:?}", tally.told);
        });
        futures_util::future::join_all(runs).await;
    });
}

#[test]
fn the_schema_refuses_what_the_protocol_does_not_name() {
    let client = |message: Value| fits(&SCHEMA.client, &message).is_ok();
    let server = |message: Value| fits(&SCHEMA.server, &message).is_ok();
    assert!(client(json!({"type": "join", "v": 1, "token": "t"})));
    assert!(
        client(json!({"type": "call", "id": "a:1", "text": "help"}))
            && client(json!({"type": "focus", "visible": false}))
    );
    assert!(client(json!({"type": "legal", "play": 3})) && !server(json!({"type": "legal", "play": 3})));
    assert!(!client(json!({"type": "join", "v": 2, "token": "t"})));
    assert!(
        !client(json!({"type": "ready", "id": "a b"}))
            && !client(json!({"type": "ready", "id": "a".repeat(65)}))
    );
    assert!(!client(json!({"type": "ping", "t": 1, "x": 1})) && !client(json!({"type": "pong", "t": 1})));
    assert!(server(json!({"type": "waiting", "for": "round", "round": 2})));
    assert!(server(json!({"type": "paused", "play": 1, "paused": true})));
    assert!(server(json!({"type": "called", "play": 1, "n": 3, "state": "seen"})));
    assert!(!server(json!({"type": "called", "play": 1, "n": 0, "state": "seen"})));
    assert!(!server(json!({"type": "called", "play": 1, "n": 3, "state": "heard"})));
    assert!(server(json!({"type": "error", "code": "token", "message": "Unknown."})));
    assert!(!server(json!({"type": "waiting", "for": "godot"})));
    assert!(!server(json!({"type": "presence", "play": 1, "seat": "X", "connected": true})));
    let whole = include_str!("../../docs/protocol.schema.json");
    let page = include_str!("../../docs/protocol.md");
    let whole: Value = serde_json::from_str(whole).unwrap();
    for name in whole["$defs"].as_object().unwrap().keys() {
        if let Some(kind) = name.strip_prefix("client_").or_else(|| name.strip_prefix("server_")) {
            assert!(page.contains(&format!("| `{kind}` |")), "docs/protocol.md does not tell `{kind}`");
        }
    }
}

/// Every place of a JSON value at which an object or a plain value stands.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(object) => {
            object.iter().for_each(|(key, inner)| places(inner, &format!("{at}/{key}"), found));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(key, inner)| places(inner, &format!("{at}/{key}"), found));
        }
        _ => {}
    }
}

/// Views of a whole board, of every seat and of the public.
fn views<G: Levels>() -> Vec<Value> {
    let rules = rulesets::default::<G>().unwrap();
    let board = start::<G>(&rules, 3);
    let mut state = G::open(&rules, &board);
    let level = G::levels()[0];
    let key = fushi::players::AiKey::new([5; 32]);
    let viewers = |state: &G::State| -> Vec<Value> {
        let seats = (0..G::seats(&board)).map(|seat| Viewer::Seat(Seat(seat)));
        seats.map(|viewer| serde_json::to_value(G::view(state, viewer)).unwrap()).collect()
    };
    let mut views = viewers(&state);
    while !G::finished(&state) {
        let seat = G::precedence(&state)[0];
        let view = G::view(&state, Viewer::Seat(seat));
        let chosen = fushi::players::choose(level, &key, &rules, 3, seat, &view);
        let effect = match chosen.or_else(|| G::timeout(&state, seat)) {
            Some(action) => G::check(&state, seat, &action).unwrap(),
            None => G::advance(&state).unwrap(),
        };
        G::apply(&mut state, effect);
        views.extend(viewers(&state));
    }
    views
}

fn typed_views<G: Levels>() {
    let whole: Value = serde_json::from_str(include_str!("../../docs/protocol.schema.json")).unwrap();
    let name = format!("{}_view", G::KIND.name());
    let schema =
        json!({"$schema": whole["$schema"], "$ref": format!("#/$defs/{name}"), "$defs": whole["$defs"]});
    let validator = jsonschema::validator_for(&schema).unwrap();
    let views = views::<G>();
    for view in &views {
        fits(&validator, view).unwrap();
    }
    let others = ["wakeng_view", "tuolaji_view", "holdem_view"].into_iter().filter(|other| *other != name);
    for other in others {
        let schema =
            json!({"$schema": whole["$schema"], "$ref": format!("#/$defs/{other}"), "$defs": whole["$defs"]});
        assert!(!jsonschema::validator_for(&schema).unwrap().is_valid(&views[0]), "{name} passes as {other}");
    }
    // A view from the middle and the last one: whatever is missing, too much or of another type is noticed.
    for view in [&views[views.len() / 2], &views[views.len() - 1]] {
        let mut all = Vec::new();
        places(view, "", &mut all);
        for at in all {
            let mut mistyped = view.clone();
            *mistyped.pointer_mut(&at).unwrap() = json!({"x": [0.5]});
            assert!(!validator.is_valid(&mistyped), "{name}: another type at `{at}` passes: {view}");
            let mut more = view.clone();
            if let Some(object) = more.pointer_mut(&at).unwrap().as_object_mut() {
                object.insert("hint".to_owned(), 1.into());
                assert!(!validator.is_valid(&more), "{name}: an extra key at `{at}` passes");
            }
        }
        // What the game always writes.
        let always = views.iter().fold(view.as_object().unwrap().clone(), |mut always, other| {
            always.retain(|key, _| other.get(key).is_some());
            always
        });
        for key in always.keys() {
            let mut less = view.clone();
            less.as_object_mut().unwrap().shift_remove(key);
            // A seat's own key and hand are absent for the public.
            let optional = G::KIND.name() == "tuolaji" && ["seat", "hand"].contains(&key.as_str());
            assert_eq!(validator.is_valid(&less), optional, "{name} without `{key}`");
        }
    }
}

#[test]
fn a_view_with_a_missing_an_extra_or_a_mistyped_key_does_not_fit_the_schema() {
    typed_views::<Wakeng>();
    typed_views::<Tuolaji>();
    typed_views::<Holdem>();
}

/// No definition is open: whatever is an object names its keys, but for the ruleset of the game and maps by seat.
#[test]
fn no_object_of_the_schema_is_open() {
    fn walk(value: &Value, at: &str) {
        if let Some(object) = value.as_object() {
            if object.get("type") == Some(&json!("object")) && at != "/$defs/rules" {
                assert!(object.contains_key("additionalProperties"), "{at} is open");
            }
            object.iter().for_each(|(key, inner)| walk(inner, &format!("{at}/{key}")));
        } else if let Some(list) = value.as_array() {
            list.iter().enumerate().for_each(|(key, inner)| walk(inner, &format!("{at}/{key}")));
        }
    }
    let whole: Value = serde_json::from_str(include_str!("../../docs/protocol.schema.json")).unwrap();
    walk(&whole, "");
}

fn fushi(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fushi")).args(["--lang", "en", "play"]).args(args).output().unwrap()
}

#[test]
fn wrong_use_ends_with_one_line_and_code_two_and_a_missing_server_with_code_one() {
    let told = |args: &[&str], code: i32, words: &str| {
        let output = fushi(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(error.contains(words) && error.trim_end().lines().count() == 1, "{args:?}: {error}");
    };
    let url = "http://127.0.0.1:1";
    told(&["--url", "127.0.0.1:1", "--token", "t"], 2, "--url http://HOST:PORT");
    told(&["--url", url], 2, "--token");
    told(&["--url", url, "--token", "t", "--token", "t"], 2, "twice");
    told(&["--url", url, "--token", "t", "--level", "wakeng-9"], 2, "did you mean `wakeng-");
    told(&["--url", url, "--tokens", "no/such/file"], 1, "cannot read no/such/file");
    told(&["--url", url, "--token", "t", "--seconds", "1"], 1, "cannot connect to ws://127.0.0.1:1");
}
