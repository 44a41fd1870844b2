//! The hall of one event: the host of its format. It gives the event's log the facts of play, carries out the orders that
//! have become durable, and feeds the stations.
//!
//! A *station* plays sittings one after the other: at the players' own pace every entrant has one, by rounds every table of
//! a round. A station opens its next board when everybody who sits there is ready or, by rounds, when it cannot wait any
//! longer. A hall is one task. It knows no game, never waits for a table, a connection or the database, and does nothing
//! that the event's journal does not say: whoever replays the journal knows which rounds run, how much time they have left
//! and whether everything stands. What could not be done is tried again at the next tick.

mod absent;
mod handle;
mod incidents;
mod open;
mod participants;
mod rounds;
mod standing;
mod stations;
pub mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Map;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

pub use handle::{
    Allowance, DeviceBinding, FloorPlace, HallHandle, HallRefused, Join, JoinRefused, Progress, SeatMessage,
    Standings, TableOrder, Welcome,
};
pub use open::{HallSetup, open};

use super::game::{GameTables, Opened, TableOver};
use super::message;
pub use super::task::Wall;
use super::task::{self, Deps, Handle};
use crate::event::EventError;
use crate::event::archive::{Archive, PlayId};
use crate::event::live::Live;
use crate::event::log::EventLog;
use crate::formats::settings::{Entrant, Settings};
use crate::formats::{DealRef, Fact, Finished, Order, ScheduledRound, Sitting};
use crate::journal::bundle::Head;
use crate::journal::sign::Signer;
use crate::journal::{ChainedLine, EventFact, EventLine};
use handle::Command;
use incidents::Incidents;
use participants::Participant;
use rounds::RoundClock;
use stations::Station;

/// Maximum number of messages that wait for a hall.
const QUEUE_MAX: usize = 4096;
/// Maximum number of tables of a hall that are opened at once.
const OPENERS: usize = 4;
/// How often a hall looks what has become due.
const TICK: Duration = Duration::from_millis(500);
/// How often the event's own time is kept.
const KEPT_EVERY: Duration = Duration::from_secs(5);

/// A person of an entrant: the entrant's number, and which of a pair (0 or 1).
pub type Member = (u32, u8);

/// How far a sitting has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Not begun.
    Waiting,
    /// Its table is being opened.
    Opening,
    /// Its table is open.
    Open,
    /// It is over, played or not.
    Over,
}

/// A sitting in the hall.
struct Seated {
    sitting: Sitting,
    play: PlayId,
    status: Status,
    /// Whether a computer player decides for persons who have not come.
    stood_in: bool,
    handle: Option<Handle>,
    /// Whether it is over and was not played to its end.
    unfinished: bool,
    /// The raw score of each seat, once it is over.
    scores: BTreeMap<String, i64>,
    /// How often its table was lost or could not be opened.
    failures: u32,
    /// Whether it is given up: its end is to be written.
    given_up: bool,
}

/// A board at all its tables.
#[derive(Default)]
struct BoardAtTables {
    /// The tables that have not finished it.
    left: BTreeSet<u32>,
    /// The ends of the journals of those that have.
    heads: Vec<Head>,
}

/// An answer that is given once the hall has carried out the lines that have become durable before it.
type Answers<T> = (oneshot::Sender<T>, T);

/// Work that is done beside the hall, and what came of it.
enum Work {
    Opened(u32, Result<Opened, EventError>),
    GaveUp(u32, bool),
    Started(Option<Answers<Result<(), HallRefused>>>),
    Rung,
    Paused(Answers<()>),
    Recovered,
    ClockKept,
    Signed(BTreeSet<DealRef>, bool),
}

/// What is under way beside the hall: one of each at a time.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts, not states of one machine")]
struct UnderWay {
    start: bool,
    bell: bool,
    recovery: bool,
    clock: bool,
    signing: bool,
}

struct Hall {
    id: String,
    settings: Settings,
    entrants: Vec<Entrant>,
    /// The entrants' numbers by id.
    numbers: BTreeMap<String, u32>,
    live: Live,
    /// Number of boards of a full round.
    full_round: u32,
    log: Arc<EventLog>,
    tables: Arc<dyn GameTables>,
    archive: Arc<dyn Archive + Send + Sync>,
    deps: Deps,
    signer: Signer,
    wall: Wall,

    /// The last durable line that has been carried out.
    seq: u64,
    schedule: Vec<ScheduledRound>,
    /// The rounds that were started: stage and round.
    rounds: Vec<(u32, u32)>,
    round_clock: Option<RoundClock>,
    paused: bool,
    ended: bool,
    /// Sittings that have lines of a journal but were not over when the hall was opened.
    begun: BTreeSet<u32>,

    seated: BTreeMap<u32, Seated>,
    stations: Vec<Station>,
    /// Tables that were lost before the hall had their handles.
    lost_early: BTreeMap<u32, TableOver>,
    participants: BTreeMap<Member, Participant>,
    /// Connections of persons whose table is being opened.
    put_off: Vec<Join>,
    boards: BTreeMap<DealRef, BoardAtTables>,
    /// Boards that every table has finished and that no checkpoint covers yet, as far as this hall knows.
    unsigned: BTreeSet<DealRef>,

    /// Whether everything stands: every open table follows it.
    holds: watch::Sender<bool>,
    watch: watch::Sender<Standings>,
    commands: mpsc::WeakSender<Command>,
    work: JoinSet<Work>,
    /// Bounds how many tables are opened at once.
    openers: Arc<Semaphore>,
    under_way: UnderWay,
    kept_at: Instant,
    incidents: Incidents,
    /// See [`Standings::damaged`].
    damaged: Arc<BTreeMap<i64, String>>,
    /// Number of durable lines that may have changed results.
    changes: u64,
    /// Whether the event has moved on since its progress was told.
    moved: bool,
}

/// The ends of a hall's queues.
struct Queues {
    commands: mpsc::Receiver<Command>,
    lines: mpsc::UnboundedReceiver<Arc<ChainedLine>>,
    overs: mpsc::UnboundedReceiver<TableOver>,
}

impl Hall {
    async fn run(mut self, mut queues: Queues) {
        self.feed_all();
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let stopped = loop {
            tokio::select! {
                biased;
                Some(line) = queues.lines.recv() => self.follow(&line.line),
                Some(over) = queues.overs.recv() => {
                    // The line that says so has come before.
                    while let Ok(line) = queues.lines.try_recv() {
                        self.follow(&line.line);
                    }
                    self.table_over(over);
                }
                Some(done) = self.work.join_next() => match done {
                    Ok(work) => {
                        while let Ok(line) = queues.lines.try_recv() {
                            self.follow(&line.line);
                        }
                        self.done(work);
                    }
                    Err(error) => {
                        tracing::error!(%error, "work of a hall has failed");
                        self.under_way = UnderWay::default();
                    }
                },
                command = queues.commands.recv() => match command {
                    None => break None,
                    Some(Command::Stop(answer)) => break Some(answer),
                    Some(Command::Incidents(answer)) => {
                        self.settle_incidents().await;
                        let _ = answer.send(());
                    }
                    Some(command) => self.obey(command),
                },
                _ = ticks.tick() => self.tick(),
            }
        };
        self.close().await;
        if let Some(answer) = stopped {
            let _ = answer.send(());
        }
    }

    /// Closes every table, and waits for what is under way: from then on nothing of the hall goes to the ledger.
    async fn close(&mut self) {
        let mut handles: Vec<Handle> = self.seated.values_mut().filter_map(|at| at.handle.take()).collect();
        while let Some(done) = self.work.join_next().await {
            if let Ok(Work::Opened(_, Ok(Opened::Table { handle, .. }))) = done {
                handles.push(handle);
            }
        }
        for handle in &handles {
            handle.deliver(task::Command::Close).await;
        }
        for handle in &handles {
            handle.cleared().await;
        }
        self.settle_incidents().await;
        self.keep_clock();
        while self.work.join_next().await.is_some() {}
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Join(join) => self.join(join),
            Command::Missed(join, missed) => self.come_in(join, missed),
            Command::Leave(member, sink) => self.leave(member, sink),
            Command::Ready(member, sink, id) => {
                let known = self.participants.get_mut(&member).is_some_and(|one| one.says_ready(&id));
                let text = if known {
                    let mut object = Map::new();
                    object.insert("type".to_owned(), "accepted".into());
                    object.insert("id".to_owned(), id.into());
                    message::text(&object)
                } else {
                    message::refused(&id, &task::nowhere(), sink.lang)
                };
                sink.send(text);
                self.feed_member(member);
            }
            Command::Start(round, who, answer) => self.start(round, &who, Some(answer)),
            Command::Pause(paused, who, answer) => self.pause(paused, &who, answer),
            Command::Live(live, full_round) => {
                // The stations are those of the pace with which the hall was opened.
                self.live = Live { pace: self.live.pace, ..live };
                self.full_round = full_round;
            }
            Command::Floor(answer) => {
                let _ = answer.send(self.floor());
            }
            Command::Former(member, play, id, text, sink) => self.former(member, play, id, text, sink),
            Command::Seen(member, what) => self.note_incident(member, what),
            Command::Warn(entrant, text, answer) => {
                let _ = answer.send(self.warn(entrant, &text));
            }
            Command::Called(play, seat, text) => self.call_went_on(play, seat, &text),
            Command::Corrected(entrant, answer) => {
                if let Some(known) = self.entrants.iter_mut().find(|one| one.id == entrant.id) {
                    *known = entrant;
                }
                let _ = answer.send(());
            }
            Command::Incidents(_) | Command::Stop(_) => {}
        }
    }

    /// Carries out a line that has become durable.
    fn follow(&mut self, line: &EventLine) {
        if line.seq <= self.seq {
            return;
        }
        self.take(line);
        self.feed_all();
        // Whoever has waited for a table that is given up waits no longer.
        self.admit_put_off();
        self.moved = true;
        if matches!(&line.fact, EventFact::Play(Fact::Pause(_) | Fact::Round(_) | Fact::Bell(_))) {
            self.progress();
        }
    }

    /// Takes a durable line in. Nothing is opened yet.
    fn take(&mut self, line: &EventLine) {
        self.seq = line.seq;
        let EventFact::Play(fact) = &line.fact else { return };
        self.changes += 1;
        if let Fact::Pause(paused) = fact {
            self.pause_taken(*paused, line.at);
        }
        for order in &line.orders {
            match order {
                Order::Sit(sitting) => self.sit(sitting),
                Order::End(_) => self.ended = true,
                Order::Group(_) | Order::Bye(_) | Order::Advance(_) => {}
            }
        }
        match fact {
            Fact::Round(start) => self.round_taken(*start, line.at),
            Fact::Finished(finished) => self.finished_taken(finished),
            Fact::Bell(bell) => {
                self.round_clock = None;
                for sitting in &bell.unplayed {
                    self.unplayed_taken(*sitting);
                }
            }
            Fact::Locked(_) | Fact::Draw(_) | Fact::Closed(_) | Fact::Replay(_) => {
                self.schedule = self.log.look(|journal| journal.competition().schedule().to_vec());
            }
            Fact::Ruling(_) | Fact::Pause(_) => {}
        }
    }

    /// What has become due, and what could not be done before.
    fn tick(&mut self) {
        if self.log.is_stale() && !self.under_way.recovery {
            self.under_way.recovery = true;
            let log = Arc::clone(&self.log);
            self.work.spawn_blocking(move || {
                if let Err(error) = log.recover() {
                    tracing::warn!(%error, "the event's journal could not be read again; it is tried again");
                }
                Work::Recovered
            });
        }
        self.watch_tables();
        self.timers();
        self.keep_incidents();
        self.sign_boards();
        if self.moved {
            self.progress();
        }
        if self.kept_at.elapsed() >= KEPT_EVERY && !self.ended {
            self.keep_clock();
        }
    }

    fn done(&mut self, work: Work) {
        match work {
            Work::Opened(sitting, result) => {
                self.opened(sitting, result);
                self.admit_put_off();
            }
            Work::GaveUp(sitting, written) => {
                if let Some(at) = self.seated.get_mut(&sitting) {
                    at.given_up = !written;
                }
            }
            Work::Started(answer) => {
                self.under_way.start = false;
                self.rounds_go_on();
                self.progress();
                if let Some((answer, result)) = answer {
                    let _ = answer.send(result);
                }
            }
            Work::Rung => self.under_way.bell = false,
            Work::Paused((answer, ())) => {
                let _ = answer.send(());
            }
            Work::Recovered => self.under_way.recovery = false,
            Work::ClockKept => self.under_way.clock = false,
            Work::Signed(boards, signed) => {
                self.under_way.signing = false;
                if signed {
                    for board in boards {
                        self.unsigned.remove(&board);
                        if let Some(at) = self.boards.get_mut(&board) {
                            at.heads.clear();
                        }
                    }
                }
            }
        }
    }

    fn keep_clock(&mut self) {
        if self.under_way.clock {
            return;
        }
        self.under_way.clock = true;
        self.kept_at = Instant::now();
        let log = Arc::clone(&self.log);
        self.work.spawn_blocking(move || {
            if let Err(error) = log.keep_clock() {
                tracing::warn!(%error, "the event's time was not kept");
            }
            Work::ClockKept
        });
    }

    /// Who sits at a seat, if it is an entrant.
    fn entrant_at(&self, sitting: &Sitting, seat: &str) -> Option<u32> {
        let who = sitting.seats.get(seat)?.as_deref()?;
        self.numbers.get(who).copied()
    }

    fn entrant(&self, number: u32) -> Option<&Entrant> {
        Entrant::numbered(&self.entrants, number)
    }

    /// The number of a round over the whole event.
    fn ordinal(&self, stage: u32, round: u32) -> u32 {
        let planned = self.schedule.iter().find(|known| known.stage == stage && known.round == round);
        planned.map_or(round, |known| known.plan.round)
    }

    /// The persons of a sitting, whom no AI level plays, with their seats.
    fn members_of(&self, sitting: &Sitting) -> BTreeMap<Member, String> {
        let mut members = BTreeMap::new();
        for position in &self.settings.positions {
            for (member, seat) in (0_u8..).zip(position) {
                let Some(number) = self.entrant_at(sitting, seat) else { continue };
                if self.entrant(number).is_some_and(|entrant| entrant.level.is_none()) {
                    members.insert((number, member), seat.clone());
                }
            }
        }
        members
    }

    /// A board is over at a sitting: its line is durable.
    fn finished_taken(&mut self, finished: &Finished) {
        let Some(at) = self.seated.get_mut(&finished.sitting) else { return };
        at.status = Status::Over;
        at.unfinished = finished.scores.is_empty();
        at.scores.clone_from(&finished.scores);
        let deal = at.sitting.deal.clone();
        let head = Head { sitting: finished.sitting, entries: finished.lines, hash: finished.head.clone() };
        self.boards.entry(deal).or_default().heads.push(head);
        self.over_taken(finished.sitting);
    }

    /// The bell has rung before a sitting was begun.
    fn unplayed_taken(&mut self, sitting: u32) {
        let Some(at) = self.seated.get_mut(&sitting) else { return };
        at.status = Status::Over;
        at.unfinished = true;
        self.over_taken(sitting);
    }
}
