//! A board to try: one person against computer players at a real table, outside of every event.
//!
//! It is a hall of one board. Its journal is kept in memory as long as the hall lives and nowhere else: no database,
//! no evidence, no result. When nobody is there any more it is forgotten.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::Instant;

use super::handle::{
    Command as HallCommand, HallHandle, HallRefused, Join, JoinRefused, SeatMessage, Standings, Welcome,
};
use super::participants::welcome;
use crate::canonical::Hash;
use crate::event::archive::PlayId;
use crate::event::ledger::Unkept;
use crate::games::story::Fact;
use crate::games::{Ruleset as _, Seat};
use crate::journal::{Board, Header};
use crate::players::{self, AiKey, Levels, PlayerRef};
use crate::tables::message;
use crate::tables::table::{SeatController, Table, TableSettings};
use crate::tables::task::{self, AiSeats, Command, Deps, Handle, Over, Sink};
use crate::words::{Lang, Message, say};

/// How many commands and connections wait for a board to try.
const QUEUE_MAX: usize = 64;
/// How long a computer player takes for a decision at least.
const DELAY: Duration = Duration::from_millis(700);
/// More time, once, for a connection that breaks, ms.
const GRACE_MS: u32 = 30_000;
/// Other tables at which each level of computer players has the person's seat.
const TABLES_EACH: u32 = 2;
/// The only board at the only table.
const PLAY: PlayId = PlayId(1);

/// What is to be tried.
pub struct Trial<G: Levels> {
    /// The board.
    pub header: Header<G>,
    /// Its number in a set.
    pub number: u32,
    /// The person's seat.
    pub seat: Seat,
    /// The level of the others.
    pub level: PlayerRef<G>,
    /// The key of the computer players.
    pub key: Hash,
    /// How many computer players of the server think at once.
    pub thinkers: Arc<Semaphore>,
    /// How long the board is kept while nobody is connected, and after its end.
    pub idle: Duration,
}

/// What the seat scored at one table, and how.
#[derive(Clone, Debug, Serialize)]
struct Compared {
    /// The level that had the seat; `null` for the person.
    level: Option<&'static str>,
    /// The raw score; `null` where the board was not finished.
    score: Option<i64>,
    /// What happened there.
    story: Vec<Fact>,
}

/// Connections of the person who tries.
struct Guest {
    sink: Sink,
    messages: mpsc::UnboundedSender<SeatMessage>,
}

struct Room<G: Levels> {
    trial: Trial<G>,
    guest: Option<Guest>,
    handle: Option<Handle>,
    over: mpsc::UnboundedSender<Over<G>>,
    computed: mpsc::UnboundedSender<String>,
    /// The comparison as it is told, once the board is over.
    compared: Option<String>,
    forget_at: Instant,
}

/// Opens a board to try. The table opens when the person comes in.
///
/// Must be called within a tokio runtime.
pub fn open<G: Levels>(trial: Trial<G>) -> HallHandle {
    let (commands, queue) = mpsc::channel(QUEUE_MAX);
    let (over, overs) = mpsc::unbounded_channel();
    let (_, watched) = watch::channel(Standings::default());
    let forget_at = Instant::now() + trial.idle;
    let (computed, texts) = mpsc::unbounded_channel();
    let room = Room { trial, guest: None, handle: None, over, computed, compared: None, forget_at };
    tokio::spawn(room.run(queue, overs, texts));
    HallHandle { commands, watch: watched, only_computers: false }
}

impl<G: Levels> Room<G> {
    async fn run(
        mut self,
        mut queue: mpsc::Receiver<HallCommand>,
        mut overs: mpsc::UnboundedReceiver<Over<G>>,
        mut texts: mpsc::UnboundedReceiver<String>,
    ) {
        loop {
            // A board in play ends by its clocks; until then a person who is there is never sent away.
            let kept = self.guest.is_some() && self.compared.is_none();
            tokio::select! {
                biased;
                Some(over) = overs.recv() => self.board_over(&over),
                Some(text) = texts.recv() => self.tell_compared(text),
                ask = queue.recv() => match ask {
                    None | Some(HallCommand::Stop(_)) => break,
                    Some(ask) => self.obey(ask),
                },
                () = tokio::time::sleep_until(self.forget_at), if !kept => break,
            }
        }
        if let Some(handle) = self.handle.take() {
            handle.deliver(Command::Close).await;
        }
    }

    fn obey(&mut self, command: HallCommand) {
        match command {
            HallCommand::Join(join) | HallCommand::Missed(join, _) => self.join(join),
            HallCommand::Leave(_, sink) => {
                if self.guest.as_ref().is_some_and(|guest| guest.sink.id() == sink) {
                    self.guest = None;
                    self.forget_at = Instant::now() + self.trial.idle;
                    if let Some(handle) = &self.handle {
                        handle.send(Command::Detach { seat: self.trial.seat, sink });
                    }
                }
            }
            HallCommand::Ready(_, sink, id) => {
                sink.send(message::refused(&id, &task::nowhere(), sink.lang));
            }
            HallCommand::Former(_, _, id, _, sink) => {
                sink.send(message::refused(id.as_str(), &task::nowhere(), sink.lang));
            }
            HallCommand::Start(_, _, answer) => drop(answer.send(Err(HallRefused::NoRound))),
            HallCommand::Pause(_, _, answer)
            | HallCommand::Incidents(answer)
            | HallCommand::Corrected(_, answer) => {
                let _ = answer.send(());
            }
            HallCommand::Floor(answer) => drop(answer.send(Vec::new())),
            HallCommand::Warn(_, _, answer) => drop(answer.send(false)),
            HallCommand::Called(..)
            | HallCommand::Seen(..)
            | HallCommand::Live(..)
            | HallCommand::Stop(_) => {}
        }
    }

    fn join(&mut self, join: Join) {
        let Join { sink, messages, from, allowed, answer, .. } = join;
        if messages.is_closed() {
            let _ = answer.send(Err(JoinRefused::Replaced));
            return;
        }
        if let Some(old) = self.guest.replace(Guest { sink: sink.clone(), messages }) {
            let _ = old.messages.send(SeatMessage::Replaced);
        }
        let event = format!("try-{}", G::KIND.name());
        let name = say(sink.lang, &Message::plain("tables-guest"));
        let said = Welcome {
            title: event.clone(),
            event,
            game: G::KIND.name(),
            entrant: "guest".to_owned(),
            name,
            boards: Vec::new(),
            resumed: self.handle.is_some() && from.is_some_and(|(play, _)| play == PLAY.0),
        };
        sink.send(welcome(&said, allowed));
        let _ = answer.send(Ok(said));
        self.seat(from);
        if let Some(compared) = &self.compared {
            sink.send(compared.clone());
        }
    }

    /// Opens the table for the first who comes, and tells both sides.
    fn seat(&mut self, from: Option<(i64, u32)>) {
        let handle = match &self.handle {
            Some(handle) => handle.clone(),
            None => self.start(),
        };
        let Some(guest) = &self.guest else { return };
        guest.sink.send(self.seated(guest.sink.lang));
        let _ = guest.messages.send(SeatMessage::Seated(handle.clone(), self.trial.seat));
        let from = from.filter(|(play, _)| *play == PLAY.0).map(|(_, n)| n);
        handle.send(Command::Attach { seat: self.trial.seat, sink: guest.sink.clone(), from });
    }

    fn start(&mut self) -> Handle {
        let trial = &self.trial;
        let count = usize::from(G::seats(&trial.header.start));
        let seated = G::seated(&trial.header.start);
        let kind = |seat: Seat| match seat {
            seat if seat == trial.seat => SeatController::Person,
            seat if seated.contains(seat) => SeatController::Software,
            _ => SeatController::Empty,
        };
        let kinds = (0..).map(Seat).take(count).map(kind).collect();
        let settings = TableSettings { grace_ms: GRACE_MS, opened_us: 0 };
        let table = Table::open(trial.header.clone(), PLAY, kinds, settings);
        let brains = AiSeats {
            levels: vec![Some(trial.level); count],
            key: Arc::new(AiKey::new(trial.key)),
            number: trial.number,
            delay: DELAY,
        };
        let deps = Deps {
            ledger: Arc::new(Unkept),
            thinkers: Arc::clone(&trial.thinkers),
            lookups: Arc::new(Semaphore::new(1)),
            counters: Arc::default(),
            // No instant of this table is kept.
            wall: Arc::new(|| 0),
        };
        let handle = task::start(table, brains, deps, PLAY, self.over.clone());
        self.handle = Some(handle.clone());
        handle
    }

    fn seated(&self, lang: Lang) -> String {
        let trial = &self.trial;
        let seats: Map<String, Value> = G::seated(&trial.header.start)
            .iter()
            .filter_map(|seat| {
                let own = seat == trial.seat;
                let name = if own {
                    say(lang, &Message::plain("tables-guest"))
                } else {
                    trial.level.info().name.to_owned()
                };
                let kind = if own { "person" } else { "ai" };
                Some((G::seat_name(seat)?.to_owned(), json!({"name": name, "kind": kind, "connected": true})))
            })
            .collect();
        let rules = serde_json::to_value(trial.header.rules.as_ref()).unwrap_or_default();
        let value = json!({
            "type": "seated", "play": PLAY.0, "board": trial.number.to_string(), "round": 0, "table": 0,
            "seat": G::seat_name(trial.seat).unwrap_or_default(), "seats": seats, "rules": rules,
            "ruleset": trial.header.rules.name(),
        });
        value.to_string()
    }

    /// The board is over: computer players play it at other tables, and the results of the seat are compared. They think
    /// on the same few threads as every computer player of the server.
    fn board_over(&mut self, over: &Over<G>) {
        self.forget_at = Instant::now() + self.trial.idle;
        if over.lost.is_some() {
            return;
        }
        let own = own_line(&over.board, self.trial.seat);
        let (rules, start) = (Arc::clone(&self.trial.header.rules), self.trial.header.start.clone());
        let (number, seat, level, key) =
            (self.trial.number, self.trial.seat, self.trial.level, self.trial.key);
        let (thinkers, computed) = (Arc::clone(&self.trial.thinkers), self.computed.clone());
        tokio::spawn(async move {
            let Ok(_permit) = thinkers.acquire_owned().await else { return };
            let work = move || others::<G>(&rules, &start, number, seat, level, key);
            let others = tokio::task::spawn_blocking(work).await.unwrap_or_default();
            let _ = computed.send(compared::<G>(seat, own, others));
        });
    }

    fn tell_compared(&mut self, text: String) {
        self.forget_at = Instant::now() + self.trial.idle;
        if let Some(guest) = &self.guest {
            guest.sink.send(text.clone());
        }
        self.compared = Some(text);
    }
}

fn own_line<G: Levels>(board: &Board<G>, seat: Seat) -> Compared {
    let finished = G::finished(board.state());
    let score = finished.then(|| G::scores(board.state()).get(seat.index()).copied()).flatten();
    Compared { level: None, score, story: G::story(board.state()) }
}

/// What computer players score in the seat, with the same cards against the same others: every level but the one that
/// plays at random, at [`TABLES_EACH`] tables.
fn others<G: Levels>(
    rules: &Arc<G::Rules>,
    start: &G::Start,
    number: u32,
    seat: Seat,
    level: PlayerRef<G>,
    key: Hash,
) -> Vec<Compared> {
    let count = usize::from(G::seats(start));
    let mut results = Vec::new();
    for own in G::levels().iter().skip(1) {
        let mut players = vec![level; count];
        if let Some(place) = players.get_mut(seat.index()) {
            *place = *own;
        }
        for table in 0..TABLES_EACH {
            // Other chances at another table, as with another event's key.
            let mut key = key;
            for (byte, more) in key.iter_mut().zip((table + 1).to_be_bytes()) {
                *byte ^= more;
            }
            let Ok(played) = players::play::<G>(rules, start, number, &AiKey::new(key), &players) else {
                continue;
            };
            let score = played.scores.get(seat.index()).copied();
            results.push(Compared { level: Some(own.info().name), score, story: played.story });
        }
    }
    results
}

/// The comparison in the seat as the person is told it: two points for each result that is lower, one for an equal one,
/// of the most that could be had.
fn compared<G: Levels>(seat: Seat, own: Compared, others: Vec<Compared>) -> String {
    let rate = own.score.filter(|_| !others.is_empty()).map(|score| {
        let points = |other: &Compared| match other.score.map(|other| score.cmp(&other)) {
            Some(std::cmp::Ordering::Greater) => 2,
            Some(std::cmp::Ordering::Equal) => 1,
            _ => 0,
        };
        let top = 2 * others.len();
        [others.iter().map(points).sum::<usize>(), top]
    });
    let mut results = vec![own];
    results.extend(others);
    let unplayed = |line: &Compared| line.score.unwrap_or(i64::MIN);
    results.sort_by_key(|line| std::cmp::Reverse(unplayed(line)));
    json!({"type": "compared", "play": PLAY.0, "seat": G::seat_name(seat).unwrap_or_default(), "rate": rate, "results": results})
        .to_string()
}
