//! The hall of one event: which board opens when, at which table, and what the finished ones come to.
//!
//! Boards that are played one after the other at one table form a *lane*: in an event at the players' own pace every
//! entrant has one; in an event by rounds every table of a round. A lane opens its next board when everybody who sits
//! there is ready, or, by rounds, when it cannot wait any longer. A hall is one task; it never waits for a table or a
//! connection.

mod absent;
mod handle;
mod incidents;
mod opening;
mod people;
mod rounds;
mod standing;
pub mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Map;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::Instant;

pub use handle::{
    Allowance, DeviceBinding, FloorPlace, HallHandle, HallRefused, Join, JoinRefused, Progress, Standings,
    TableOrder, Told, Welcome,
};

use super::message;
pub use super::task::Wall;
use super::task::{self, Command, Deps, Handle, Over, Sink};
use crate::event::archive::{Archive, PlayId, RoundStart};
use crate::event::live::Pace;
use crate::event::{Event, EventError};
use crate::formats::Occupant;
use crate::formats::tally::Played;
use crate::games::Seat;
use crate::journal::bundle::Head;
use crate::journal::header::Header;
use crate::journal::sign::Signer;
use crate::players::{AiKey, Levels};
use crate::scoring::Role;
use absent::Absence;
use handle::Ask;
use incidents::Incidents;
use rounds::RoundClock;

/// How many messages wait for a hall.
const QUEUE_MAX: usize = 4096;
/// How often results are computed at most.
const RESULTS_EVERY: Duration = Duration::from_millis(500);
/// How often the derived tables are written at most.
const DERIVED_EVERY: Duration = Duration::from_secs(5);
/// How often the time that a round has left is written.
const KEPT_EVERY: Duration = Duration::from_secs(5);
/// How many commands for boards that are over are looked up at once for one person.
const LOOKUPS_EACH: usize = 4;
/// How often a person may come in, per second on average, and at once after a quiet time.
const JOINS: (u32, u32) = (20, 100);

/// A person of an entrant: the entrant's number, and which of a pair (0 or 1).
pub type Member = (u32, u8);

/// What a hall needs.
pub struct Setup<G: Levels> {
    /// The event, with its movement.
    pub event: Event<G>,
    /// Deals a board.
    pub dealer: Arc<crate::event::Dealer<G>>,
    /// The AI players' key.
    pub key: AiKey,
    /// Signs checkpoints.
    pub signer: Signer,
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
    /// Whether a computer player decides for persons who have not come.
    stood_in: bool,
    handle: Option<Handle>,
    /// Whether the board is over and was not played to its end.
    unfinished: bool,
    /// What each position came to, once the board is over: all that is left of it here.
    scores: Vec<(Option<i64>, Option<Role>)>,
}

struct Lane {
    round: u32,
    places: Vec<usize>,
    next: usize,
    open: Option<usize>,
    active: bool,
    /// When it opens its next board without those who are not there.
    force_at: Option<Instant>,
    /// Since when its next board waits for its players.
    due_since: Instant,
    members: Vec<Member>,
    /// How many boards there are up to the last one that its persons have played themselves.
    own: usize,
    absence: Option<Absence>,
}

struct Person {
    sink: Option<Sink>,
    told: Option<mpsc::UnboundedSender<Told>>,
    /// The id of the last `ready` that was accepted.
    said_ready: Option<String>,
    /// Where its device stands, if it is bound to a place.
    spot: Option<DeviceBinding>,
    ready: bool,
    /// The board at which it sits.
    seated: Option<(usize, Seat)>,
    /// Warnings that it has not been told yet.
    warnings: Vec<String>,
    /// The sink of the latest connection that came in, or is about to.
    newest: u64,
    /// How often it may still come in at once, and when that was reckoned.
    joins: (u32, Instant),
    /// Bounds what is looked up for it.
    lookups: Arc<Semaphore>,
}

impl Person {
    fn new() -> Person {
        Person {
            sink: None,
            told: None,
            said_ready: None,
            spot: None,
            ready: false,
            seated: None,
            warnings: Vec::new(),
            newest: 0,
            joins: (JOINS.1, Instant::now()),
            lookups: Arc::new(Semaphore::new(LOOKUPS_EACH)),
        }
    }

    /// Whether it may come in once more now.
    fn may_join(&mut self) -> bool {
        let (left, since) = &mut self.joins;
        let seconds = u32::try_from(since.elapsed().as_secs()).unwrap_or(u32::MAX);
        if seconds > 0 {
            *left = left.saturating_add(seconds.saturating_mul(JOINS.0)).min(JOINS.1);
            *since = Instant::now();
        }
        match left.checked_sub(1) {
            Some(less) => {
                *left = less;
                true
            }
            None => false,
        }
    }
}

struct Hall<G: Levels> {
    setup: Setup<G>,
    places: Vec<Place>,
    by_play: BTreeMap<PlayId, usize>,
    lanes: Vec<Lane>,
    people: BTreeMap<Member, Person>,
    /// The deals of boards that some table has still to finish.
    headers: BTreeMap<u32, Header<G>>,
    /// How many tables have not finished a board.
    left: BTreeMap<u32, usize>,
    /// SHA-256 of the deals of boards that are over somewhere, hexadecimal.
    deals: BTreeMap<u32, String>,
    /// Results of boards that are not played: byes.
    byes: Vec<Played>,
    rounds: Vec<u32>,
    /// The start of the last round that has started.
    started: Option<RoundStart>,
    /// The heads of the journals that are over, by board.
    heads: BTreeMap<u32, Vec<Head>>,
    /// Boards that every table has finished and that no checkpoint covers yet, as far as this hall knows.
    unsigned: BTreeSet<u32>,
    round_clock: Option<RoundClock>,
    kept_at: Instant,
    paused: bool,
    /// The tables that the event's pause has stopped; those that a referee stopped stay so.
    held: Arc<Mutex<BTreeSet<PlayId>>>,
    over: mpsc::UnboundedSender<Over<G>>,
    watch: watch::Sender<Standings>,
    /// Results have changed since they were computed.
    dirty: bool,
    derived_at: Instant,
    incidents: Incidents,
    /// The hall's own queue, for work that it has done elsewhere.
    asks: mpsc::WeakSender<Ask>,
    /// See [`Standings::damaged`].
    damaged: Arc<BTreeMap<i64, String>>,
}

/// Opens the hall of an event: boards that were open go on, those that are over count. One whose journal is damaged is
/// not played on and counts as not played; all others go on.
///
/// # Errors
/// The archive, a level that is not known.
pub fn open<G: Levels>(setup: Setup<G>) -> Result<HallHandle, EventError> {
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
        deals: BTreeMap::new(),
        byes: Vec::new(),
        rounds: Vec::new(),
        started: None,
        heads: BTreeMap::new(),
        unsigned: BTreeSet::new(),
        round_clock: None,
        kept_at: Instant::now(),
        paused: false,
        held: Arc::default(),
        over,
        watch,
        dirty: true,
        derived_at: Instant::now(),
        incidents: Incidents::default(),
        asks: asks.downgrade(),
        damaged: Arc::default(),
        setup,
    };
    hall.lay_out()?;
    hall.recover()?;
    // Whoever has the handle reads how far the event is, not how far it was before it was looked at.
    hall.progress();
    let only_computers = hall.setup.event.entrants.iter().all(|entrant| entrant.level.is_some());
    tokio::spawn(hall.run(queue, overs));
    Ok(HallHandle { asks, watch: watched, only_computers })
}

impl<G: Levels> Drop for Hall<G> {
    fn drop(&mut self) {
        let held = u64::try_from(self.headers.len()).unwrap_or(u64::MAX);
        self.setup.deps.counters.deals.fetch_sub(held, Ordering::Relaxed);
    }
}

impl<G: Levels> Hall<G> {
    fn lay_out(&mut self) -> Result<(), EventError> {
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
                stood_in: false,
                handle: None,
                unfinished: false,
                scores: Vec::new(),
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
                self.people.entry(*member).or_insert_with(Person::new);
            }
            self.lanes.push(Lane {
                round,
                places,
                next: 0,
                open: None,
                active: false,
                force_at: None,
                due_since: Instant::now(),
                members,
                own: 0,
                absence: None,
            });
        }
        for round in &self.setup.event.rounds {
            for (board, number) in
                round.boards.iter().flat_map(|board| round.byes.iter().map(move |bye| (board, bye)))
            {
                self.byes.push(Played {
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
        self.setup.event.live.pace == Pace::Own && self.setup.event.settings.own_seat().is_some()
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
                    Some(Ask::Incidents(answer)) => {
                        self.settle_incidents().await;
                        let _ = answer.send(());
                    }
                    Some(ask) => self.obey(ask),
                },
                _ = results.tick() => {
                    self.timers();
                    self.keep_incidents();
                    self.sign_boards().await;
                    self.compute().await;
                }
            }
        };
        let handles: Vec<Handle> = self.places.iter_mut().filter_map(|at| at.handle.take()).collect();
        for handle in &handles {
            handle.deliver(Command::Close).await;
        }
        for handle in &handles {
            handle.cleared().await;
        }
        self.sign_boards().await;
        self.compute().await;
        self.settle_incidents().await;
        if let Some(answer) = stopped {
            let _ = answer.send(());
        }
    }

    fn obey(&mut self, ask: Ask) {
        match ask {
            Ask::Join(join) => self.join(join),
            Ask::Missed(join, missed) => self.come_in(join, missed),
            Ask::Leave(member, sink) => self.leave(member, sink),
            Ask::Ready(member, sink, id) => {
                let known = self.people.get_mut(&member).is_some_and(|person| {
                    let again = person.said_ready.as_ref() == Some(&id);
                    let free = person.seated.is_none();
                    if free && !again {
                        person.ready = true;
                        person.said_ready = Some(id.clone());
                    }
                    free || again
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
            Ask::Former(member, play, id, text, sink) => self.former(member, play, id, text, sink),
            Ask::Seen(member, what) => self.note_incident(member, what),
            Ask::Warn(entrant, text, answer) => {
                let _ = answer.send(self.warn(entrant, &text));
            }
            Ask::Called(play, seat, text) => self.call_went_on(play, seat, &text),
            Ask::Corrected(entrant, answer) => {
                if let Some(known) = self.setup.event.entrants.iter_mut().find(|one| one.id == entrant.id) {
                    *known = entrant;
                }
                let _ = answer.send(());
            }
            Ask::Incidents(_) | Ask::Stop(_) => {}
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
        let stood_in = self.places.get(place).is_some_and(|at| at.stood_in);
        let mut of_lane = None;
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            if lane.open == Some(place) {
                lane.open = None;
                // What was over before its turn, as it could not be played on, is passed by.
                let over =
                    |place: &usize| self.places.get(*place).is_some_and(|at| at.status == Status::Over);
                let passed = lane.places.iter().skip(lane.next).take_while(|place| over(place)).count();
                lane.next += passed.max(1);
                lane.due_since = Instant::now();
                if !stood_in {
                    lane.own = lane.next;
                }
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
        if let Some(handle) = self.places.get_mut(place).and_then(|at| at.handle.take())
            && !handle.send(Command::Close)
        {
            // Its queue is full: it is told as soon as there is room.
            tokio::spawn(async move { handle.deliver(Command::Close).await });
        }
        self.board_over(place);
        if let Some(lane) = of_lane {
            self.pump(lane);
        }
        self.rounds_go_on();
    }
}
