//! The hall of one event: which board opens when, at which table, and what the finished ones come to.
//!
//! Boards that are played one after the other at one table form a *lane*: in an event at the players' own pace every
//! entrant has one; in an event by rounds every table of a round. A lane opens its next board when everybody who sits
//! there is ready, or, by rounds, when it cannot wait any longer. A hall is one task; it never waits for a table or a
//! connection.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::answer::{CommandId, Refused, body_hash};
use super::message;
use super::table::{Kind, Shown, Table, TableSettings};
use super::task::{self, Brains, Command, Deps, Handle, Over, Sink};
use crate::desk::archive::{Archive, EntryRow, PlayId};
use crate::desk::live::Pace;
use crate::desk::results;
use crate::desk::{DeskError, Event};
use crate::formats::{Format, Occupant};
use crate::games::{ActionText, Ruleset as _, Seat};
use crate::journal::header::Header;
use crate::journal::note::{Line, Note, NoteKind};
use crate::journal::tally::{Played, Tally, tally};
use crate::journal::{Board, By, measure, scan_line};
use crate::players::{self, AiKey, Levels, PlayerRef};

/// How many messages wait for a hall.
const QUEUE_MAX: usize = 4096;
/// How many incidents are kept.
pub const INCIDENTS_MAX: usize = 10_000;
/// How often results are computed at most.
const RESULTS_EVERY: Duration = Duration::from_millis(500);
/// How often the derived tables are written at most.
const DERIVED_EVERY: Duration = Duration::from_secs(5);

/// A person of an entrant: the entrant's number, and which of a pair (0 or 1).
pub type Member = (u32, u8);

/// What a connection is told besides messages.
#[derive(Debug)]
pub enum Told {
    /// Commands go to this table from here on.
    Seated(Handle, Seat),
    /// There is no table for now.
    Unseated,
    /// Another connection has the seat: say so and end.
    Replaced,
}

/// A connection that wants to play.
#[derive(Debug)]
pub struct Join {
    /// Who.
    pub member: Member,
    /// Where messages go.
    pub sink: Sink,
    /// Where tables are told.
    pub told: mpsc::UnboundedSender<Told>,
    /// What it has seen: a board at a table and the number of its last event.
    pub from: Option<(i64, u32)>,
    /// The answer.
    pub answer: oneshot::Sender<Option<Welcome>>,
}

/// Who a connection is.
#[derive(Clone, Debug, Serialize)]
pub struct Welcome {
    /// The event's id.
    pub event: String,
    /// Its title.
    pub title: String,
    /// Its game.
    pub game: &'static str,
    /// The entrant's id.
    pub entrant: String,
    /// The entrant's name.
    pub name: String,
    /// Whether events follow from where the connection broke.
    pub resumed: bool,
}

/// What a referee orders at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, tag = "order")]
pub enum TableOrder {
    /// The clock stops.
    Stop,
    /// The clock goes on.
    Go,
    /// A seat gets more time.
    Give {
        /// The seat, counted from 0.
        seat: u8,
        /// How much, ms.
        ms: u32,
    },
    /// The board ends here, unfinished.
    End,
    /// Somebody looks into the hands; it shows on the board's record.
    Look,
}

/// A board at a table as the floor sees it.
#[derive(Clone, Debug)]
pub struct FloorPlace {
    /// Its number in the database.
    pub play: i64,
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
    /// The board.
    pub board: u32,
    /// `waiting`, `open` or `over`.
    pub state: &'static str,
    /// Who sits where, by seat name.
    pub seats: BTreeMap<String, String>,
    /// The persons who are connected, by entrant id.
    pub connected: Vec<String>,
    /// The table, if it is open.
    pub handle: Option<Handle>,
}

/// Where an event stands.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Progress {
    /// Boards at tables in all.
    pub plays: u32,
    /// Open now.
    pub open: u32,
    /// Over.
    pub over: u32,
    /// The rounds that were started.
    pub rounds: Vec<u32>,
    /// The rounds that are over.
    pub rounds_over: Vec<u32>,
    /// Whether the event is paused.
    pub paused: bool,
    /// Persons connected.
    pub connected: u32,
    /// When the round's time is over, ms from now; `None` without a limit.
    pub round_left_ms: Option<u64>,
}

/// What changes while an event is played, for whoever watches.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// Counts up with every change.
    pub version: u64,
    /// Results and standings so far; `None` before the first.
    pub tally: Option<Arc<Tally>>,
    /// Where the event stands.
    pub progress: Progress,
}

/// Why a hall refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HallRefused {
    /// There is no such round.
    NoRound,
    /// The round has been started.
    Started,
    /// An earlier round is not over.
    Earlier,
    /// There is no such table, or no board is open there.
    NoTable,
    /// The table refuses: the reason is in the answer.
    Table,
    /// The event is over or its hall is closed.
    Over,
}

/// What a connection shows of its player: evidence for a referee, never a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// The connection is there.
    Connected,
    /// The connection is gone.
    Disconnected,
    /// Another connection has taken the seat.
    Replaced,
    /// The page with the table was left.
    Left,
    /// The page with the table is in front again.
    Returned,
}

/// Something a referee may want to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Incident {
    /// When, µs since 1970.
    pub at_us: i64,
    /// The entrant's id.
    pub entrant: String,
    /// Which of a pair, 0 or 1.
    pub member: u8,
    /// What.
    pub what: Evidence,
    /// The board at a table where the person sat.
    pub play: Option<i64>,
}

enum Ask {
    Join(Join),
    Leave(Member, u64),
    Ready(Member, Sink, String),
    Start(u32, oneshot::Sender<Result<(), HallRefused>>),
    Pause(bool, String, oneshot::Sender<()>),
    Floor(oneshot::Sender<Vec<FloorPlace>>),
    Former(Member, i64, CommandId, ActionText, Sink),
    Seen(Member, Evidence),
    Incidents(oneshot::Sender<Vec<Incident>>),
    Stop(oneshot::Sender<()>),
}

/// A hall's address.
#[derive(Clone)]
pub struct HallHandle {
    asks: mpsc::Sender<Ask>,
    /// Standings and progress as they change.
    pub watch: watch::Receiver<Standings>,
}

impl HallHandle {
    /// A connection wants to play.
    pub async fn join(&self, join: Join) {
        let _ = self.asks.send(Ask::Join(join)).await;
    }

    /// A connection is gone.
    pub async fn leave(&self, member: Member, sink: u64) {
        let _ = self.asks.send(Ask::Leave(member, sink)).await;
    }

    /// A player is ready for the next board; the answer goes to the sink.
    pub async fn ready(&self, member: Member, sink: Sink, id: String) {
        let _ = self.asks.send(Ask::Ready(member, sink, id)).await;
    }

    /// Starts a round; at the players' own pace round 1 starts the event.
    ///
    /// # Errors
    /// Why not.
    pub async fn start(&self, round: u32) -> Result<(), HallRefused> {
        let (answer, wait) = oneshot::channel();
        self.asks.send(Ask::Start(round, answer)).await.map_err(|_| HallRefused::Over)?;
        wait.await.map_err(|_| HallRefused::Over)?
    }

    /// Stops every clock, or lets them run again; `who` stands in the journals.
    pub async fn pause(&self, paused: bool, who: &str) {
        let (answer, wait) = oneshot::channel();
        if self.asks.send(Ask::Pause(paused, who.to_owned(), answer)).await.is_ok() {
            let _ = wait.await;
        }
    }

    /// A command for a board at which the player does not sit any more: answered as it was, or refused.
    pub async fn former(&self, member: Member, play: i64, id: CommandId, text: ActionText, sink: Sink) {
        let _ = self.asks.send(Ask::Former(member, play, id, text, sink)).await;
    }

    /// A connection has shown something of its player.
    pub async fn seen(&self, member: Member, what: Evidence) {
        let _ = self.asks.send(Ask::Seen(member, what)).await;
    }

    /// What connections have shown since the hall opened, the latest last; at most [`INCIDENTS_MAX`].
    pub async fn incidents(&self) -> Vec<Incident> {
        let (answer, wait) = oneshot::channel();
        if self.asks.send(Ask::Incidents(answer)).await.is_err() {
            return Vec::new();
        }
        wait.await.unwrap_or_default()
    }

    /// Every board at a table.
    pub async fn floor(&self) -> Vec<FloorPlace> {
        let (answer, wait) = oneshot::channel();
        if self.asks.send(Ask::Floor(answer)).await.is_err() {
            return Vec::new();
        }
        wait.await.unwrap_or_default()
    }

    /// A referee's order at a table.
    ///
    /// # Errors
    /// No such table is open; or the table's own refusal.
    pub async fn order(
        &self,
        table: u32,
        order: TableOrder,
        who: &str,
    ) -> Result<super::Answer, HallRefused> {
        let place =
            self.floor().await.into_iter().find(|place| place.table == table && place.handle.is_some());
        let handle = place.and_then(|place| place.handle).ok_or(HallRefused::NoTable)?;
        let mut note = Note::new(
            match order {
                TableOrder::Stop => NoteKind::Stop,
                TableOrder::Go => NoteKind::Go,
                TableOrder::Give { ms, .. } => NoteKind::Give { ms },
                TableOrder::End => NoteKind::End,
                TableOrder::Look => NoteKind::Look,
            },
            By::Referee,
        );
        note.who = Some(who.to_owned());
        if let TableOrder::Give { seat, .. } = order {
            note.seat = Some(Seat(seat));
        }
        handle.note(note).await.ok_or(HallRefused::NoTable)
    }

    /// Closes the hall: its tables stop, their journals stay as they are.
    pub async fn close(&self) {
        let (answer, wait) = oneshot::channel();
        if self.asks.send(Ask::Stop(answer)).await.is_ok() {
            let _ = wait.await;
        }
    }
}

/// The wall clock, µs since 1970: for instants that are stored, never for anybody's time.
pub type Wall = Arc<dyn Fn() -> i64 + Send + Sync>;

/// What a hall needs.
pub struct Setup<G: Levels> {
    /// The event, with its movement.
    pub event: Event<G>,
    /// Deals a board.
    pub dealer: crate::desk::Dealer<G>,
    /// The AI players' key.
    pub key: AiKey,
    /// Where everything is kept.
    pub archive: Arc<dyn Archive + Send + Sync>,
    /// What tables share.
    pub deps: Deps,
    /// The wall clock, µs since 1970.
    pub wall: Wall,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Waiting,
    Open,
    Over,
}

struct Place {
    play: PlayId,
    set: String,
    round: u32,
    table: u32,
    board: u32,
    who: Vec<Occupant>,
    status: Status,
    handle: Option<Handle>,
}

struct Lane {
    round: u32,
    places: Vec<usize>,
    next: usize,
    open: Option<usize>,
    active: bool,
    /// When it opens its next board without those who are not there.
    force_at: Option<Instant>,
    members: Vec<Member>,
}

struct Person {
    sink: Option<Sink>,
    told: Option<mpsc::UnboundedSender<Told>>,
    ready: bool,
    /// The board at which it sits.
    seated: Option<(usize, Seat)>,
}

struct Hall<G: Levels> {
    setup: Setup<G>,
    places: Vec<Place>,
    by_play: BTreeMap<PlayId, usize>,
    lanes: Vec<Lane>,
    people: BTreeMap<Member, Person>,
    headers: BTreeMap<u32, Header<G>>,
    /// How many tables have not finished a board.
    left: BTreeMap<u32, usize>,
    played: Vec<Played>,
    rounds: Vec<u32>,
    round_end: Option<Instant>,
    paused: bool,
    over: mpsc::UnboundedSender<Over<G>>,
    watch: watch::Sender<Standings>,
    /// Results have changed since they were computed.
    dirty: bool,
    derived_at: Instant,
    incidents: VecDeque<Incident>,
}

/// Opens the hall of an event: boards that were open go on, those that are over count.
///
/// # Errors
/// The archive, a journal that is damaged, a level that is not known.
pub fn open<G: Levels>(setup: Setup<G>) -> Result<HallHandle, DeskError> {
    let (asks, queue) = mpsc::channel(QUEUE_MAX);
    let (over, overs) = mpsc::unbounded_channel();
    let (watch, watched) = watch::channel(Standings::default());
    let mut hall = Hall {
        places: Vec::new(),
        by_play: BTreeMap::new(),
        lanes: Vec::new(),
        people: BTreeMap::new(),
        headers: BTreeMap::new(),
        left: BTreeMap::new(),
        played: Vec::new(),
        rounds: Vec::new(),
        round_end: None,
        paused: false,
        over,
        watch,
        dirty: true,
        derived_at: Instant::now(),
        incidents: VecDeque::new(),
        setup,
    };
    hall.lay_out()?;
    hall.recover()?;
    tokio::spawn(hall.run(queue, overs));
    Ok(HallHandle { asks, watch: watched })
}

impl<G: Levels> Hall<G> {
    fn lay_out(&mut self) -> Result<(), DeskError> {
        let plays = self.setup.archive.plays(&self.setup.event.id)?;
        for (sitting, row) in self.setup.event.sittings().zip(plays) {
            self.by_play.insert(row.id, self.places.len());
            self.places.push(Place {
                play: row.id,
                set: row.play.set_id,
                round: sitting.round,
                table: sitting.table,
                board: sitting.board,
                who: sitting.who.to_vec(),
                status: Status::Waiting,
                handle: None,
            });
        }
        for at in &self.places {
            *self.left.entry(at.board).or_insert(0) += 1;
        }
        let own = self.own_pace();
        let mut lanes: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for (place, at) in self.places.iter().enumerate() {
            let key = if own {
                (0, at.who.iter().find_map(|who| who.entrant()).unwrap_or(0))
            } else {
                (at.round, at.table)
            };
            lanes.entry(key).or_default().push(place);
        }
        for ((round, _), places) in lanes {
            let members = self.members_of(&places);
            for member in &members {
                self.people.entry(*member).or_insert(Person {
                    sink: None,
                    told: None,
                    ready: false,
                    seated: None,
                });
            }
            self.lanes.push(Lane {
                round,
                places,
                next: 0,
                open: None,
                active: false,
                force_at: None,
                members,
            });
        }
        for round in &self.setup.event.rounds {
            for (board, number) in
                round.boards.iter().flat_map(|board| round.byes.iter().map(move |bye| (board, bye)))
            {
                self.played.push(Played {
                    board: *board,
                    table: None,
                    seat: "-".to_owned(),
                    entrant: self.setup.event.who(Occupant::Entrant(*number)),
                    score: None,
                    role: None,
                    deal: None,
                });
            }
        }
        Ok(())
    }

    fn own_pace(&self) -> bool {
        self.setup.event.live.pace == Pace::Own
            && matches!(self.setup.event.settings.format, Format::HumanAi { .. })
    }

    /// The persons of a lane: everybody at its boards whom no AI level plays.
    fn members_of(&self, places: &[usize]) -> Vec<Member> {
        let mut members: Vec<Member> = Vec::new();
        let positions = self.setup.event.positions();
        for place in places.iter().filter_map(|place| self.places.get(*place)) {
            for ((_, seats), who) in positions.iter().zip(&place.who) {
                let Occupant::Entrant(number) = who else { continue };
                if self.setup.event.entrant(*number).is_some_and(|entrant| entrant.level.is_none()) {
                    members.extend((0..).take(seats.len()).map(|member| (*number, member)));
                }
            }
        }
        members.sort_unstable();
        members.dedup();
        members
    }

    /// Who decides for each seat of a place, and which person sits there.
    fn seating(&self, place: &Place, header: &Header<G>) -> Result<Seating<G>, DeskError> {
        let event = &self.setup.event;
        let opponents = event.settings.opponents.as_deref();
        let level = |name: Option<&str>| -> Result<PlayerRef<G>, DeskError> {
            let name = name.ok_or_else(|| DeskError::Setting("the event names no AI level".to_owned()))?;
            players::find::<G>(name).map_err(|fault| DeskError::Setting(fault.message))
        };
        let count = usize::from(G::seats(&header.start));
        let mut seating = Seating {
            kinds: vec![Kind::Empty; count],
            levels: vec![None; count],
            members: vec![None; count],
        };
        for ((_, seats), who) in event.positions().iter().zip(&place.who) {
            for (member, seat) in (0_u8..).zip(seats) {
                let entrant = who.entrant().and_then(|number| event.entrant(number));
                let (kind, player, person) = match (who, entrant) {
                    (Occupant::Entrant(number), Some(entrant)) => match &entrant.level {
                        Some(name) => (Kind::Software, Some(level(Some(name))?), None),
                        None => (Kind::Person, None, Some((*number, member))),
                    },
                    _ => (Kind::Software, Some(level(opponents)?), None),
                };
                if let Some(slot) = seating.kinds.get_mut(seat.index()) {
                    *slot = kind;
                }
                if let Some(slot) = seating.levels.get_mut(seat.index()) {
                    *slot = player;
                }
                if let Some(slot) = seating.members.get_mut(seat.index()) {
                    *slot = person;
                }
            }
        }
        Ok(seating)
    }

    fn header(&mut self, board: u32) -> Result<Header<G>, DeskError> {
        if let Some(header) = self.headers.get(&board) {
            return Ok(header.clone());
        }
        let header = self.setup.dealer.header(board)?;
        self.headers.insert(board, header.clone());
        Ok(header)
    }

    /// Reads every journal: what is over counts, what is open goes on.
    fn recover(&mut self) -> Result<(), DeskError> {
        let started = self.setup.archive.rounds_started(&self.setup.event.id)?;
        for place in 0..self.places.len() {
            let Some(at) = self.places.get(place) else { continue };
            let (play, board) = (at.play, at.board);
            let rows = self.setup.archive.journal(play)?;
            if rows.is_empty() {
                continue;
            }
            let header = self.header(board)?;
            let mut replayed = Board::open(&header);
            let mut lines = Vec::new();
            let damaged = |what: String| DeskError::Damaged(format!("journal {}: {what}", play.0));
            for row in rows.iter().skip(1) {
                let line = scan_line::<G>(&row.body).map_err(damaged)?;
                let hash = match &line {
                    Line::Action(entry) => replayed.play(entry).map_err(|why| why_code(&why)),
                    Line::Note(note) => replayed.note(note).map_err(|why| why_code(&why)),
                }
                .map_err(|code| damaged(format!("line {} is {code}", row.seq)))?;
                if hash.as_slice() != row.hash {
                    return Err(damaged(format!("the chain breaks at line {}", row.seq)));
                }
                lines.push(Shown { line, at: u64::try_from(row.at_us).unwrap_or(0) });
            }
            if G::finished(replayed.state()) || replayed.ended() {
                self.count(place, &replayed);
                if let Some(at) = self.places.get_mut(place) {
                    at.status = Status::Over;
                }
                self.board_over(place);
                continue;
            }
            let opened_us = rows.first().map_or(0, |row| row.at_us);
            let answers = self
                .setup
                .deps
                .ledger
                .answers(play)
                .map_err(|error| DeskError::Damaged(error.to_string()))?;
            self.start_table(place, Some((lines, answers, opened_us)))?;
        }
        for lane in &mut self.lanes {
            lane.next = lane
                .places
                .iter()
                .position(|place| self.places.get(*place).is_none_or(|at| at.status != Status::Over))
                .unwrap_or(lane.places.len());
            lane.open = lane
                .places
                .get(lane.next)
                .copied()
                .filter(|place| self.places.get(*place).is_some_and(|at| at.status == Status::Open));
        }
        for (round, _) in started {
            self.activate(round);
        }
        Ok(())
    }

    fn count(&mut self, place: usize, board: &Board<G>) {
        let Some(at) = self.places.get(place) else { return };
        let Some(header) = self.headers.get(&at.board) else { return };
        let event = &self.setup.event;
        for ((name, seats), who) in event.positions().iter().zip(&at.who) {
            if *who == Occupant::Ai {
                continue;
            }
            let finished = G::finished(board.state());
            self.played.push(Played {
                board: at.board,
                table: Some(at.table),
                seat: name.clone(),
                entrant: event.who(*who),
                score: finished
                    .then(|| measure::measured(header, board.state(), event.settings.measure, seats))
                    .flatten(),
                role: finished.then(|| measure::role(header, board.state(), seats)).flatten(),
                deal: Some(header.deal_hash()),
            });
        }
        self.dirty = true;
    }

    fn start_table(&mut self, place: usize, recovered: Option<Recovered<G>>) -> Result<(), DeskError> {
        let Some(board) = self.places.get(place).map(|at| at.board) else { return Ok(()) };
        let header = self.header(board)?;
        let Some(at) = self.places.get(place) else { return Ok(()) };
        let play = at.play;
        let seating = self.seating(at, &header)?;
        let grace_ms = self.setup.event.live.grace_ms;
        let settings = TableSettings {
            grace_ms,
            opened_us: recovered.as_ref().map_or_else(|| (self.setup.wall)(), |(_, _, opened)| *opened),
        };
        let table = match recovered {
            None => Table::open(header, play, seating.kinds.clone(), settings),
            Some((lines, answers, _)) => {
                Table::recover(header, play, seating.kinds.clone(), settings, lines, answers)
                    .map_err(|code| DeskError::Damaged(format!("journal {}: {code}", play.0)))?
            }
        };
        let brains = Brains {
            levels: seating.levels,
            key: Arc::new(self.setup.key.clone()),
            number: board,
            delay: Duration::from_millis(u64::from(self.setup.event.live.ai_delay_ms)),
        };
        let handle = task::start(table, brains, self.setup.deps.clone(), play, self.over.clone());
        if let Some(at) = self.places.get_mut(place) {
            at.status = Status::Open;
            at.handle = Some(handle);
        }
        for (seat, member) in (0..).map(Seat).zip(seating.members) {
            if let Some(person) = member.and_then(|member| self.people.get_mut(&member)) {
                person.seated = Some((place, seat));
                person.ready = false;
            }
            if let Some(member) = member {
                self.seat(member, None);
            }
        }
        Ok(())
    }

    /// Tells a connection about its table and the table about the connection.
    fn seat(&self, member: Member, from: Option<(i64, u32)>) {
        let Some(person) = self.people.get(&member) else { return };
        let (Some(sink), Some(told), Some((place, seat))) = (&person.sink, &person.told, person.seated)
        else {
            return;
        };
        let Some(at) = self.places.get(place) else { return };
        let Some(handle) = &at.handle else { return };
        sink.send(self.seated_message(at, seat));
        let _ = told.send(Told::Seated(handle.clone(), seat));
        let from = from.filter(|(play, _)| *play == at.play.0).map(|(_, n)| n);
        handle.send(Command::Attach { seat, sink: sink.clone(), from });
    }

    fn seated_message(&self, at: &Place, seat: Seat) -> String {
        let event = &self.setup.event;
        let mut seats = Map::new();
        for ((_, of_position), who) in event.positions().iter().zip(&at.who) {
            let entrant = who.entrant().and_then(|number| event.entrant(number));
            let person = entrant.is_some_and(|entrant| entrant.level.is_none());
            let name = entrant.map_or_else(
                || event.settings.opponents.clone().unwrap_or_default(),
                |entrant| entrant.name.clone(),
            );
            for (member, seat) in (0_u8..).zip(of_position) {
                let there = who
                    .entrant()
                    .and_then(|number| self.people.get(&(number, member)))
                    .is_some_and(|person| person.sink.is_some());
                seats.insert(
                    G::seat_name(*seat).unwrap_or_default().to_owned(),
                    json!({"name": name, "kind": if person { "person" } else { "ai" }, "connected": !person || there}),
                );
            }
        }
        let rules = serde_json::to_value(event.rules.as_ref()).unwrap_or_default();
        let value = json!({
            "type": "seated", "play": at.play.0, "board": at.board.to_string(), "round": at.round, "table": at.table,
            "seat": G::seat_name(seat).unwrap_or_default(), "seats": seats, "rules": rules,
            "ruleset": event.rules.name(),
        });
        match value {
            Value::Object(object) => message::text(&object),
            _ => String::new(),
        }
    }

    async fn run(mut self, mut queue: mpsc::Receiver<Ask>, mut overs: mpsc::UnboundedReceiver<Over<G>>) {
        self.pump_all();
        let mut results = tokio::time::interval(RESULTS_EVERY);
        results.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let stopped = loop {
            tokio::select! {
                biased;
                Some(over) = overs.recv() => self.over(over),
                ask = queue.recv() => match ask {
                    None => break None,
                    Some(Ask::Stop(answer)) => break Some(answer),
                    Some(ask) => self.obey(ask),
                },
                _ = results.tick() => {
                    self.timers();
                    self.compute().await;
                }
            }
        };
        for at in &mut self.places {
            if let Some(handle) = at.handle.take() {
                handle.deliver(Command::Close).await;
            }
        }
        self.compute().await;
        if let Some(answer) = stopped {
            let _ = answer.send(());
        }
    }

    fn obey(&mut self, ask: Ask) {
        match ask {
            Ask::Join(join) => self.join(join),
            Ask::Leave(member, sink) => self.leave(member, sink),
            Ask::Ready(member, sink, id) => {
                let known = self.people.get_mut(&member).is_some_and(|person| {
                    person.ready = true;
                    person.seated.is_none()
                });
                let text = if known {
                    let mut object = Map::new();
                    object.insert("type".to_owned(), "accepted".into());
                    object.insert("id".to_owned(), id.into());
                    message::text(&object)
                } else {
                    message::refused(&id, &task::nowhere(), sink.lang)
                };
                sink.send(text);
                self.pump_member(member);
            }
            Ask::Start(round, answer) => {
                let _ = answer.send(self.start_round(round));
            }
            Ask::Pause(paused, who, answer) => {
                self.pause(paused, &who);
                let _ = answer.send(());
            }
            Ask::Floor(answer) => {
                let _ = answer.send(self.floor());
            }
            Ask::Former(member, play, id, text, sink) => self.former(member, play, id, &text, sink),
            Ask::Seen(member, what) => self.note_incident(member, what),
            Ask::Incidents(answer) => {
                let _ = answer.send(self.incidents.iter().cloned().collect());
            }
            Ask::Stop(_) => {}
        }
    }

    fn note_incident(&mut self, member: Member, what: Evidence) {
        let Some(entrant) = self.setup.event.entrant(member.0) else { return };
        let seated = self.people.get(&member).and_then(|person| person.seated);
        let play = seated.and_then(|(place, _)| self.places.get(place)).map(|at| at.play.0);
        let entrant = entrant.id.clone();
        if self.incidents.len() == INCIDENTS_MAX {
            self.incidents.pop_front();
        }
        let at_us = (self.setup.wall)();
        self.incidents.push_back(Incident { at_us, entrant, member: member.1, what, play });
    }

    /// Answers a command for a board that the player has left, from the ledger.
    fn former(&self, member: Member, play: i64, id: CommandId, text: &ActionText, sink: Sink) {
        let seat = self.by_play.get(&PlayId(play)).and_then(|place| {
            let at = self.places.get(*place)?;
            let positions = self.setup.event.positions();
            let (_, seats) = positions
                .iter()
                .zip(&at.who)
                .find_map(|((_, seats), who)| (who.entrant() == Some(member.0)).then_some((who, seats)))?;
            seats.get(usize::from(member.1)).copied()
        });
        let Some(seat) = seat else {
            sink.send(message::refused(id.as_str(), &task::nowhere(), sink.lang));
            return;
        };
        let ledger = Arc::clone(&self.setup.deps.ledger);
        let body = body_hash(&text.text, text.after);
        tokio::task::spawn_blocking(move || {
            let known = ledger.answers(PlayId(play)).unwrap_or_default();
            let known = known.into_iter().find(|given| given.seat == seat && given.id == id);
            let message = match known {
                Some(given) if given.answered.body == body => {
                    message::answer(play, id.as_str(), &given.answered.answer, sink.lang)
                }
                Some(_) => message::refused(id.as_str(), &Refused::by("conflict"), sink.lang),
                None => message::refused(id.as_str(), &task::nowhere(), sink.lang),
            };
            sink.send(message);
        });
    }

    fn join(&mut self, join: Join) {
        let Some(person) = self.people.get_mut(&join.member) else {
            let _ = join.answer.send(None);
            return;
        };
        let replaced = person.told.replace(join.told).is_some_and(|told| told.send(Told::Replaced).is_ok());
        person.sink = Some(join.sink.clone());
        let seated = person.seated;
        let event = &self.setup.event;
        let Some(entrant) = event.entrant(join.member.0) else {
            let _ = join.answer.send(None);
            return;
        };
        let resumed = match (seated, join.from) {
            (Some((place, _)), Some((play, _))) => self.places.get(place).is_some_and(|at| at.play.0 == play),
            _ => false,
        };
        let welcome = Welcome {
            event: event.id.clone(),
            title: event.settings.title.clone(),
            game: G::KIND.name(),
            entrant: entrant.id.clone(),
            name: entrant.name.clone(),
            resumed,
        };
        let mut object = Map::new();
        object.insert("type".to_owned(), "welcome".into());
        object.insert("v".to_owned(), 1.into());
        object.insert("server".to_owned(), concat!("fushi/", env!("CARGO_PKG_VERSION")).into());
        object.insert(
            "event".to_owned(),
            json!({"id": welcome.event, "title": welcome.title, "game": welcome.game}),
        );
        object.insert("entrant".to_owned(), json!({"id": welcome.entrant, "name": welcome.name}));
        object.insert("role".to_owned(), "player".into());
        object.insert("resumed".to_owned(), resumed.into());
        join.sink.send(message::text(&object));
        let _ = join.answer.send(Some(welcome));
        if seated.is_some() {
            self.seat(join.member, join.from);
        } else {
            self.tell_waiting(join.member);
        }
        if replaced {
            self.note_incident(join.member, Evidence::Replaced);
        }
        self.note_incident(join.member, Evidence::Connected);
        self.pump_member(join.member);
        self.progress();
    }

    fn leave(&mut self, member: Member, sink: u64) {
        let Some(person) = self.people.get_mut(&member) else { return };
        if person.sink.as_ref().is_none_or(|known| known.id() != sink) {
            return;
        }
        person.sink = None;
        person.told = None;
        person.ready = false;
        if let Some((place, seat)) = person.seated
            && let Some(handle) = self.places.get(place).and_then(|at| at.handle.as_ref())
        {
            handle.send(Command::Detach { seat, sink });
        }
        self.note_incident(member, Evidence::Disconnected);
        self.progress();
    }

    /// Says what a person without a table waits for.
    fn tell_waiting(&self, member: Member) {
        let Some(sink) = self.people.get(&member).and_then(|person| person.sink.as_ref()) else { return };
        let lanes: Vec<&Lane> = self.lanes.iter().filter(|lane| lane.members.contains(&member)).collect();
        let active = lanes.iter().find(|lane| lane.active && lane.next < lane.places.len());
        let (what, round) = match active {
            Some(lane) if self.paused => ("referee", Some(lane.round)),
            Some(lane) => ("ready", Some(lane.round)),
            None if lanes.iter().all(|lane| lane.next >= lane.places.len()) => ("end", None),
            None if self.rounds.is_empty() => ("start", None),
            None => ("round", None),
        };
        let mut object = Map::new();
        object.insert("type".to_owned(), "waiting".into());
        object.insert("for".to_owned(), what.into());
        if let Some(round) = round.filter(|round| *round > 0) {
            object.insert("round".to_owned(), round.into());
        }
        sink.send(message::text(&object));
    }

    fn start_round(&mut self, round: u32) -> Result<(), HallRefused> {
        let known =
            if self.own_pace() { round == 1 } else { self.lanes.iter().any(|lane| lane.round == round) };
        if !known {
            return Err(HallRefused::NoRound);
        }
        if self.rounds.contains(&round) {
            return Err(HallRefused::Started);
        }
        let earlier = self
            .lanes
            .iter()
            .any(|lane| lane.round != 0 && lane.round < round && lane.next < lane.places.len());
        if earlier {
            return Err(HallRefused::Earlier);
        }
        let archive = Arc::clone(&self.setup.archive);
        let (event, at) = (self.setup.event.id.clone(), (self.setup.wall)());
        // The start of a round is written before anything opens. It is one row; the hall waits for it.
        let written = archive.start_round(&event, i64::from(round), at);
        if written.is_err() {
            return Err(HallRefused::Over);
        }
        self.activate(round);
        self.pump_all();
        for member in self.people.keys().copied().collect::<Vec<_>>() {
            if self.people.get(&member).is_some_and(|person| person.seated.is_none()) {
                self.tell_waiting(member);
            }
        }
        self.progress();
        Ok(())
    }

    fn activate(&mut self, round: u32) {
        self.rounds.push(round);
        let own = self.own_pace();
        let late = Instant::now() + Duration::from_secs(u64::from(self.setup.event.live.late_s));
        for lane in &mut self.lanes {
            if own || lane.round == round {
                lane.active = true;
                lane.force_at = (!own).then_some(late);
            }
        }
        if !own && self.setup.event.live.round_minutes > 0 {
            let length = Duration::from_secs(u64::from(self.setup.event.live.round_minutes) * 60);
            self.round_end = Some(Instant::now() + length);
        }
    }

    fn pump_all(&mut self) {
        for lane in 0..self.lanes.len() {
            self.pump(lane);
        }
    }

    fn pump_member(&mut self, member: Member) {
        for lane in 0..self.lanes.len() {
            if self.lanes.get(lane).is_some_and(|lane| lane.active && lane.members.contains(&member)) {
                self.pump(lane);
            }
        }
    }

    /// Opens the next board of a lane if it is time.
    fn pump(&mut self, lane: usize) {
        let Some(at) = self.lanes.get(lane) else { return };
        if !at.active || at.open.is_some() || self.paused {
            return;
        }
        let Some(place) = at.places.get(at.next).copied() else { return };
        let everybody = at.members.iter().all(|member| {
            self.people.get(member).is_some_and(|person| person.ready && person.sink.is_some())
        });
        let forced = at.force_at.is_some_and(|at| at <= Instant::now());
        if !everybody && !forced {
            return;
        }
        let (event, wall) = (self.setup.event.id.clone(), place);
        if let Some(at) = self.places.get(wall) {
            let (set, board) = (at.set.clone(), i64::from(at.board));
            let archive = Arc::clone(&self.setup.archive);
            tokio::task::spawn_blocking(move || {
                if let Err(error) = archive.open_board(&event, &set, board) {
                    tracing::warn!(%error, board, "the board's state was not written");
                }
            });
        }
        if let Some(at) = self.lanes.get_mut(lane) {
            at.open = Some(place);
            at.force_at = None;
        }
        if let Err(error) = self.start_table(place, None) {
            tracing::error!(%error, place, "a board could not be opened");
        }
    }

    fn over(&mut self, over: Over<G>) {
        let Some(place) = self.by_play.get(&over.play).copied() else { return };
        if let Some(reason) = over.lost {
            tracing::error!(play = over.play.0, reason, "a table was lost");
            return;
        }
        if let Some(at) = self.places.get_mut(place) {
            if at.status == Status::Over {
                return;
            }
            at.status = Status::Over;
        }
        self.count(place, &over.board);
        let between = Instant::now() + Duration::from_secs(u64::from(self.setup.event.live.between_s));
        let own = self.own_pace();
        let mut of_lane = None;
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            if lane.open == Some(place) {
                lane.open = None;
                lane.next += 1;
                lane.force_at = (!own).then_some(between);
                of_lane = Some(number);
                break;
            }
        }
        let members: Vec<Member> = self
            .people
            .iter()
            .filter(|(_, person)| person.seated.is_some_and(|(at, _)| at == place))
            .map(|(member, _)| *member)
            .collect();
        for member in members {
            if let Some(person) = self.people.get_mut(&member) {
                person.seated = None;
                if let Some(told) = &person.told {
                    let _ = told.send(Told::Unseated);
                }
            }
            self.tell_waiting(member);
        }
        if let Some(handle) = self.places.get_mut(place).and_then(|at| at.handle.take()) {
            handle.send(Command::Close);
        }
        self.board_over(place);
        if let Some(lane) = of_lane {
            self.pump(lane);
        }
        self.rounds_go_on();
    }

    /// Marks a board that every table has finished.
    fn board_over(&mut self, place: usize) {
        let Some(at) = self.places.get(place) else { return };
        let Some(left) = self.left.get_mut(&at.board) else { return };
        *left = left.saturating_sub(1);
        if *left > 0 {
            return;
        }
        let archive = Arc::clone(&self.setup.archive);
        let (event, set, board) = (self.setup.event.id.clone(), at.set.clone(), i64::from(at.board));
        tokio::task::spawn_blocking(move || {
            if let Err(error) = archive.set_board_state(&event, &set, board, "finished") {
                tracing::error!(%error, board, "the board's state was not written");
            }
        });
    }

    fn round_over(&self, round: u32) -> bool {
        self.lanes.iter().filter(|lane| lane.round == round).all(|lane| lane.next >= lane.places.len())
    }

    fn rounds_go_on(&mut self) {
        let Some(round) = self.rounds.last().copied() else { return };
        if self.own_pace() || !self.round_over(round) {
            return;
        }
        self.round_end = None;
        if self.setup.event.live.auto_rounds && self.lanes.iter().any(|lane| lane.round > round) {
            let _ = self.start_round(round + 1);
        }
    }

    /// Tables that wait no longer; the end of a round.
    fn timers(&mut self) {
        let now = Instant::now();
        for lane in 0..self.lanes.len() {
            if self.lanes.get(lane).is_some_and(|lane| lane.force_at.is_some_and(|at| at <= now)) {
                self.pump(lane);
            }
        }
        if self.round_end.is_some_and(|end| end <= now) && !self.paused {
            self.round_end = None;
            self.close_round();
        }
        self.rounds_go_on();
    }

    /// The round's time is over: boards that are not begun are opened and ended at once, so that their journals say
    /// so; boards in play go on until they are finished or a referee ends them.
    fn close_round(&mut self) {
        let Some(round) = self.rounds.last().copied() else { return };
        let mut not_begun = Vec::new();
        for lane in self.lanes.iter_mut().filter(|lane| lane.round == round) {
            let begun = lane.next + usize::from(lane.open.is_some());
            not_begun.extend(lane.places.drain(begun.min(lane.places.len())..));
        }
        for place in not_begun {
            let Some(board) = self.places.get(place).map(|at| at.board) else { continue };
            let Ok(header) = self.header(board) else { continue };
            let Some(at) = self.places.get_mut(place) else { continue };
            at.status = Status::Over;
            let play = at.play;
            let wall = (self.setup.wall)();
            let mut ended = Board::open(&header);
            let receipt = *ended.chain();
            let note = Note { at: Some(0), ..Note::new(NoteKind::End, By::Clock) };
            let Ok(hash) = ended.note(&note) else { continue };
            let rows = vec![
                EntryRow::new(play, 0, wall, header.receipt(), receipt),
                EntryRow::new(play, 1, 0, ended.last_bytes().to_owned(), hash),
            ];
            let archive = Arc::clone(&self.setup.archive);
            tokio::task::spawn_blocking(move || {
                if let Err(error) = archive.append(rows) {
                    tracing::error!(%error, play = play.0, "a board that was not played was not written");
                }
            });
            self.count(place, &ended);
            self.board_over(place);
        }
    }

    fn pause(&mut self, paused: bool, who: &str) {
        if self.paused == paused {
            return;
        }
        self.paused = paused;
        let kind = if paused { NoteKind::Stop } else { NoteKind::Go };
        for at in &self.places {
            if let Some(handle) = at.handle.clone() {
                let note = Note { who: Some(who.to_owned()), ..Note::new(kind, By::Referee) };
                tokio::spawn(async move { handle.note(note).await });
            }
        }
        if !paused {
            self.pump_all();
        }
        self.progress();
    }

    fn floor(&self) -> Vec<FloorPlace> {
        let mut floor = Vec::new();
        for at in &self.places {
            let mut connected = Vec::new();
            for who in &at.who {
                let Some(number) = who.entrant() else { continue };
                let there = self
                    .people
                    .range((number, 0)..=(number, u8::MAX))
                    .any(|(_, person)| person.sink.is_some());
                if there && let Some(entrant) = self.setup.event.entrant(number) {
                    connected.push(entrant.id.clone());
                }
            }
            floor.push(FloorPlace {
                play: at.play.0,
                round: at.round,
                table: at.table,
                board: at.board,
                state: match at.status {
                    Status::Waiting => "waiting",
                    Status::Open => "open",
                    Status::Over => "over",
                },
                seats: self.setup.event.seats(&at.who),
                connected,
                handle: at.handle.clone(),
            });
        }
        floor
    }

    fn progress(&self) {
        let count =
            |status| u32::try_from(self.places.iter().filter(|at| at.status == status).count()).unwrap_or(0);
        let progress = Progress {
            plays: u32::try_from(self.places.len()).unwrap_or(u32::MAX),
            open: count(Status::Open),
            over: count(Status::Over),
            rounds: self.rounds.clone(),
            rounds_over: self.rounds.iter().copied().filter(|round| self.is_over(*round)).collect(),
            paused: self.paused,
            connected: u32::try_from(self.people.values().filter(|person| person.sink.is_some()).count())
                .unwrap_or(u32::MAX),
            round_left_ms: self.round_end.map(|end| {
                u64::try_from(end.saturating_duration_since(Instant::now()).as_millis()).unwrap_or(u64::MAX)
            }),
        };
        self.watch.send_modify(|standings| {
            standings.version += 1;
            standings.progress = progress;
        });
    }

    fn is_over(&self, round: u32) -> bool {
        if self.own_pace() {
            self.lanes.iter().all(|lane| lane.next >= lane.places.len())
        } else {
            self.round_over(round)
        }
    }

    /// Computes results and standings if they have changed, off this task's thread.
    async fn compute(&mut self) {
        if !self.dirty {
            return;
        }
        self.dirty = false;
        let event = self.setup.event.clone();
        let archive = Arc::clone(&self.setup.archive);
        let played = self.played.clone();
        let everything = self.places.iter().all(|at| at.status == Status::Over);
        let keep = everything || self.derived_at.elapsed() >= DERIVED_EVERY;
        if keep {
            self.derived_at = Instant::now();
        }
        let computed = tokio::task::spawn_blocking(move || -> Result<Tally, DeskError> {
            if keep {
                return results::rebuild_from(archive.as_ref(), &event, played);
            }
            let rulings = results::rulings(archive.as_ref(), &event.id)?;
            Ok(tally(&event.settings, &event.entrants, played, &rulings)?)
        })
        .await;
        match computed {
            Ok(Ok(tally)) => {
                let tally = Arc::new(tally);
                self.watch.send_modify(|standings| standings.tally = Some(tally));
                self.progress();
            }
            Ok(Err(error)) => tracing::error!(%error, "results could not be computed"),
            Err(error) => tracing::error!(%error, "results could not be computed"),
        }
    }
}

type Recovered<G> = (Vec<Shown<G>>, Vec<super::ledger::Given>, i64);

struct Seating<G: Levels> {
    kinds: Vec<Kind>,
    levels: Vec<Option<PlayerRef<G>>>,
    members: Vec<Option<Member>>,
}

fn why_code(refusal: &impl crate::games::Refusal) -> &'static str {
    refusal.code()
}
