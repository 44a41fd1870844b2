//! The task of one live table: it owns a [`Table`], gives it time and carries out its orders.
//!
//! One task, one writer: whatever happens to a table goes through its queue, which is bounded. A connection is never
//! waited for; one that does not keep up is dropped with a reason.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, Semaphore, mpsc, oneshot};

use super::message;
use super::story::Story;
use super::table::{CALL, Input, Order, Reply, SeatController, Table};
use crate::event::answer::{Answer, CommandId, Refused};
use crate::event::archive::PlayId;
use crate::event::ledger::{Ledger, Write};
use crate::games::{ActionText, Seat, Viewer};
use crate::journal::control::{ControlEntry, Line};
use crate::journal::{Board, Header, Hold};
use crate::players::{self, AiKey, Levels, PlayerRef};
use crate::sabotage::{self, Sabotage};
use crate::words::Lang;

/// How many commands wait for a table.
const COMMANDS_MAX: usize = 256;
/// How many messages wait for a connection.
pub const MESSAGES_MAX: usize = 512;
/// Who has missed more events of a board than this is sent its snapshot in their place: what a connection is told on
/// coming back must fit into its queue, however far behind it is.
pub const RESUME_MAX: u32 = 256;
/// How many answers and ends of boards that are over are looked up at once in the whole server.
pub const LOOKUPS_MAX: usize = 8;
/// At most so long is slept at once.
const SLEEP_MAX: Duration = Duration::from_hours(1);

static SINKS: AtomicU64 = AtomicU64::new(1);

/// What became of a message that was handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It waits for the connection.
    Queued,
    /// Too many wait: the connection does not keep up and is ended.
    Full,
    /// The connection has ended.
    Gone,
}

/// Where a connection's messages go.
#[derive(Clone, Debug)]
pub struct Sink {
    id: u64,
    messages: mpsc::Sender<String>,
    /// Told when the connection has not kept up.
    slow: Arc<Notify>,
    /// The language of refusals.
    pub lang: Lang,
}

impl Sink {
    /// A sink and the connection's end of it: the messages, and the signal that it was too slow.
    #[must_use]
    pub fn new(lang: Lang) -> (Sink, mpsc::Receiver<String>, Arc<Notify>) {
        let most = if Sabotage::Queue.on() { Semaphore::MAX_PERMITS } else { MESSAGES_MAX };
        let (messages, out) = mpsc::channel(most);
        let slow = Arc::new(Notify::new());
        let id = SINKS.fetch_add(1, Ordering::Relaxed);
        (Sink { id, messages, slow: Arc::clone(&slow), lang }, out, slow)
    }

    /// A number that no other sink of this process has.
    #[must_use]
    pub const fn id(&self) -> u64 {
        self.id
    }

    /// Whether more than half of the queue waits for the connection: what is told on coming back always fits into the
    /// other half.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        let waiting = self.messages.max_capacity() - self.messages.capacity();
        waiting > MESSAGES_MAX / 2 && !Sabotage::Queue.on()
    }

    /// Hands a message over and never waits.
    pub fn send(&self, message: String) -> Sent {
        match self.messages.try_send(message) {
            Ok(()) => Sent::Queued,
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.slow.notify_one();
                Sent::Full
            }
            Err(mpsc::error::TrySendError::Closed(_)) => Sent::Gone,
        }
    }
}

/// What is asked of a table's task.
#[derive(Debug)]
pub enum Command {
    /// A connection takes a seat; one that had it is replaced.
    Attach {
        /// The seat.
        seat: Seat,
        /// The connection.
        sink: Sink,
        /// The number of the last event that it has seen of this board.
        from: Option<u32>,
    },
    /// A connection is gone.
    Detach {
        /// The seat.
        seat: Seat,
        /// The connection's sink.
        sink: u64,
    },
    /// A player acts.
    Act {
        /// The seat.
        seat: Seat,
        /// The client's id.
        id: CommandId,
        /// The action.
        text: ActionText,
    },
    /// A player calls the referee.
    Call {
        /// The seat.
        seat: Seat,
        /// The client's id.
        id: CommandId,
        /// Why, in the player's words; kept with the command, not in the journal.
        words: String,
    },
    /// A player asks whether an action would be accepted.
    Check {
        /// The seat.
        seat: Seat,
        /// The action.
        text: ActionText,
    },
    /// A player asks for the legal actions.
    Legal {
        /// The seat.
        seat: Seat,
    },
    /// A referee's or the round's note.
    Control {
        /// The note.
        note: ControlEntry,
        /// The answer.
        answer: oneshot::Sender<Answer>,
    },
    /// What the floor sees.
    Look {
        /// The answer.
        answer: oneshot::Sender<TableSummary>,
    },
    /// Somebody who sits nowhere looks on.
    Watch {
        /// The board with hidden cards hidden, as a `snapshot`.
        answer: oneshot::Sender<String>,
    },
    /// The table is cleared.
    Close,
}

/// A table at a glance: public, no cards.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct TableSummary {
    /// Lines of the journal.
    pub lines: u32,
    /// The phase of the game.
    pub phase: String,
    /// The seats that must decide, with the time they have left in ms.
    pub deciding: Vec<(String, u64)>,
    /// Whether the clock runs.
    pub running: bool,
    /// Why it stands: `event` (everything is paused), `referee` (this table was stopped), both or nothing.
    pub holds: Vec<&'static str>,
    /// Persons whose connection is gone.
    pub offline: Vec<String>,
    /// How long nothing has happened: since the last line, or since the board opened, ms.
    pub still_ms: u64,
    /// Refused commands; those beyond [`super::REFUSALS_KEPT`] of a seat since the server came up.
    pub refused: u64,
    /// Whether the database holds the table up.
    pub stalled: bool,
    /// Whether the board is over.
    pub over: bool,
}

/// A table's address.
#[derive(Clone, Debug)]
pub struct Handle {
    /// The board at a table.
    pub play: PlayId,
    commands: mpsc::Sender<Command>,
}

impl Handle {
    /// Hands a command over and never waits; `false` when the table is gone or its queue full.
    pub fn send(&self, command: Command) -> bool {
        self.commands.try_send(command).is_ok()
    }

    /// Whether the table has been cleared and takes nothing any more.
    #[must_use]
    pub fn gone(&self) -> bool {
        self.commands.is_closed()
    }

    /// Hands a command over, waiting for a place in the queue.
    pub async fn deliver(&self, command: Command) -> bool {
        self.commands.send(command).await.is_ok()
    }

    /// Waits until the table has been cleared: from then on it hands nothing to the ledger.
    pub async fn cleared(&self) {
        self.commands.closed().await;
    }

    /// Asks for a note; `None` when the table is gone.
    pub async fn note(&self, note: ControlEntry) -> Option<Answer> {
        let (answer, wait) = oneshot::channel();
        self.commands.send(Command::Control { note, answer }).await.ok()?;
        wait.await.ok()
    }

    /// The table as everybody may see it: the board with hidden cards hidden, as a `snapshot` of the play protocol.
    /// `None` when it is gone or not open yet.
    pub async fn watch(&self) -> Option<String> {
        let (answer, wait) = oneshot::channel();
        self.commands.send(Command::Watch { answer }).await.ok()?;
        wait.await.ok()
    }

    /// A summary of the table; `None` when it is gone.
    pub async fn look(&self) -> Option<TableSummary> {
        let (answer, wait) = oneshot::channel();
        self.commands.send(Command::Look { answer }).await.ok()?;
        wait.await.ok()
    }
}

/// A board that is over.
#[derive(Debug)]
pub struct Over<G: Levels> {
    /// The board at a table.
    pub play: PlayId,
    /// Its final state with the chain.
    pub board: Board<G>,
    /// `None` when it was ended unfinished or is over; else why the table cannot go on.
    pub lost: Option<String>,
}

/// The wall clock, µs since 1970: for instants that are stored, never for anybody's time.
pub type Wall = Arc<dyn Fn() -> i64 + Send + Sync>;

/// What the tables of a server share.
#[derive(Clone)]
pub struct Deps {
    /// Where journals go.
    pub ledger: Arc<dyn Ledger>,
    /// How many AI players think at once.
    pub thinkers: Arc<Semaphore>,
    /// How much is looked up at once of boards that are over: [`LOOKUPS_MAX`].
    pub lookups: Arc<Semaphore>,
    /// Counters for the operator.
    pub counters: Arc<Counters>,
    /// The wall clock.
    pub wall: Wall,
}

/// What the operator may know about all tables.
#[derive(Debug, Default)]
pub struct Counters {
    /// Actions that became durable.
    pub actions: AtomicU64,
    /// Refused commands.
    pub refused: AtomicU64,
    /// Time-outs.
    pub timeouts: AtomicU64,
    /// Tables open now.
    pub open: AtomicU64,
    /// Boards that are over.
    pub finished: AtomicU64,
    /// Writes that failed.
    pub failed: AtomicU64,
    /// Connections that were too slow.
    pub slow: AtomicU64,
    /// Boards of which halls hold the deal: those that some table has still to finish.
    pub deals: AtomicU64,
}

/// The AI players of a table.
pub struct AiSeats<G: Levels> {
    /// The level of each seat; used for seats of [`SeatController::Software`].
    pub levels: Vec<Option<PlayerRef<G>>>,
    /// The event's key.
    pub key: Arc<AiKey>,
    /// The board's number.
    pub number: u32,
    /// How long a decision takes at least.
    pub delay: Duration,
}

struct Driver<G: Levels> {
    table: Table<G>,
    ai_seats: AiSeats<G>,
    deps: Deps,
    sinks: Vec<Option<Sink>>,
    tokens: std::collections::BTreeMap<u64, oneshot::Sender<Answer>>,
    token: u64,
    /// The table's clock at `since`.
    base: u64,
    since: Instant,
    inputs: mpsc::UnboundedSender<Input<G::Action>>,
    over: mpsc::UnboundedSender<Over<G>>,
    story: Story<G>,
    /// Whether the players have been told that the clock stands.
    stands: bool,
    /// Seats whose connection took no message, until the table knows that they are gone.
    dropped: Vec<Seat>,
}

/// Starts the task of a table. The board's end is told on `over`.
pub fn start<G: Levels>(
    (table, orders): (Table<G>, Vec<Order>),
    ai_seats: AiSeats<G>,
    deps: Deps,
    play: PlayId,
    over: mpsc::UnboundedSender<Over<G>>,
) -> Handle {
    let (commands, queue) = mpsc::channel(COMMANDS_MAX);
    // What comes back from the ledger and the players: one answer at a time from each.
    let (inputs, answers) = mpsc::unbounded_channel();
    let seats = usize::from(G::seats(&table.header().start));
    let base = table.lines().last().map_or(0, |shown| shown.at);
    let story = Story::after(table.header(), table.lines());
    let stands = table.board().stopped();
    let driver = Driver {
        table,
        ai_seats,
        deps,
        sinks: vec![None; seats],
        tokens: std::collections::BTreeMap::new(),
        token: 0,
        base,
        since: Instant::now(),
        inputs,
        over,
        story,
        stands,
        dropped: Vec::new(),
    };
    tokio::spawn(driver.run(orders, queue, answers));
    Handle { play, commands }
}

impl<G: Levels> Driver<G> {
    async fn run(
        mut self,
        orders: Vec<Order>,
        mut queue: mpsc::Receiver<Command>,
        mut answers: mpsc::UnboundedReceiver<Input<G::Action>>,
    ) {
        self.deps.counters.open.fetch_add(1, Ordering::Relaxed);
        self.carry_out(orders);
        loop {
            self.let_go();
            let nap = self
                .table
                .wakes_at()
                .map_or(SLEEP_MAX, |at| Duration::from_micros(at.saturating_sub(self.now())).min(SLEEP_MAX));
            tokio::select! {
                biased;
                Some(input) = answers.recv() => {
                    let orders = self.table.handle(self.now(), input);
                    self.carry_out(orders);
                }
                command = queue.recv() => match command {
                    None | Some(Command::Close) => break,
                    Some(command) => self.obey(command),
                },
                () = tokio::time::sleep(nap) => {
                    let orders = self.table.handle(self.now(), Input::Tick);
                    self.carry_out(orders);
                }
            }
        }
        self.clear(queue, answers).await;
        self.deps.counters.open.fetch_sub(1, Ordering::Relaxed);
    }

    /// The board is over: what is under way is answered, and so is what came after the last word. Nothing new is
    /// taken. (A table that is closed before owes no answers: its connections end, and ask again.)
    async fn clear(
        &mut self,
        mut queue: mpsc::Receiver<Command>,
        mut answers: mpsc::UnboundedReceiver<Input<G::Action>>,
    ) {
        while self.table.over() && self.table.busy() {
            let Some(input) = answers.recv().await else { return };
            let orders = self.table.handle(self.now(), input);
            self.carry_out(orders);
        }
        if !self.table.over() {
            return;
        }
        queue.close();
        while let Ok(command) = queue.try_recv() {
            let (seat, id, text) = match command {
                Command::Act { seat, id, text } => (seat, id, text),
                Command::Call { seat, id, words } => (seat, id, ActionText::plain(format!("{CALL}{words}"))),
                _ => continue,
            };
            let key = (seat, id);
            let answer = self.table.answered(&key, &text).unwrap_or_else(|| Answer::Refused(nowhere()));
            self.answer(seat, &key.1, &answer);
        }
    }

    /// µs since the board opened, by a clock that only goes on.
    fn now(&self) -> u64 {
        let gone = u64::try_from(sabotage::elapsed(self.since).as_micros()).unwrap_or(u64::MAX);
        self.base.saturating_add(gone)
    }

    fn obey(&mut self, command: Command) {
        let now = self.now();
        let orders = match command {
            Command::Attach { seat, sink, from } => {
                self.attach(seat, sink, from, now);
                self.table.handle(now, Input::Online(seat))
            }
            Command::Detach { seat, sink } => {
                let Some(place) = self.sinks.get_mut(seat.index()) else { return };
                if place.as_ref().is_none_or(|known| known.id != sink) {
                    return;
                }
                *place = None;
                self.is_gone(seat);
                return;
            }
            Command::Act { seat, id, text } => self.table.handle(now, Input::Act { seat, id, text }),
            Command::Call { seat, id, words } => self.table.handle(now, Input::Call { seat, id, words }),
            // What may be done comes with the snapshot, and nothing is shown before it is durable.
            Command::Legal { .. } | Command::Check { .. } | Command::Watch { .. } if !self.table.opened() => {
                return;
            }
            Command::Check { seat, text } => {
                let n = u32::try_from(self.table.lines().len()).unwrap_or(u32::MAX);
                let why = self.table.refusal(now, seat, &text);
                let text = message::checked(self.play(), n, &text, why.as_ref(), self.lang_of(seat));
                self.tell(seat, text);
                return;
            }
            Command::Legal { seat } => {
                let n = u32::try_from(self.table.lines().len()).unwrap_or(u32::MAX);
                let play = self.play();
                let text = message::legal::<G>(play, n, self.table.board().state(), seat);
                self.tell(seat, text);
                return;
            }
            Command::Control { note, answer } => {
                self.token += 1;
                self.tokens.insert(self.token, answer);
                self.table.handle(now, Input::Control { token: self.token, note })
            }
            Command::Look { answer } => {
                let _ = answer.send(self.summary(now));
                return;
            }
            Command::Watch { answer } => {
                let n = u32::try_from(self.table.lines().len()).unwrap_or(u32::MAX);
                let past = message::past::<G>(self.table.header(), self.table.lines(), Viewer::Public);
                let (board, clock) = (self.table.board(), self.table.clock());
                let text = message::snapshot::<G>(self.play(), n, past, board, clock, now, Viewer::Public);
                let _ = answer.send(text);
                return;
            }
            Command::Close => return,
        };
        self.carry_out(orders);
    }

    fn play(&self) -> i64 {
        self.table.play().0
    }

    fn tell(&mut self, seat: Seat, text: String) {
        let Some(place) = self.sinks.get_mut(seat.index()) else { return };
        let Some(sink) = place else { return };
        let outcome = sink.send(text);
        if outcome == Sent::Full {
            self.deps.counters.slow.fetch_add(1, Ordering::Relaxed);
        }
        if outcome != Sent::Queued {
            // The connection's task ends it; until then nothing more is sent.
            *place = None;
            self.dropped.push(seat);
        }
    }

    /// Those whose connection took no message are gone, for the board and for the others at the table. Telling these may
    /// find out that more are gone: every seat is dropped once at most.
    fn let_go(&mut self) {
        while let Some(seat) = self.dropped.pop() {
            if self.sinks.get(seat.index()).is_some_and(Option::is_none) {
                self.is_gone(seat);
            }
        }
    }

    /// A seat has no connection any more.
    fn is_gone(&mut self, seat: Seat) {
        self.tell_presence(seat, false);
        let orders = self.table.handle(self.now(), Input::Offline(seat));
        self.carry_out(orders);
    }

    fn tell_presence(&mut self, seat: Seat, connected: bool) {
        let text = message::presence::<G>(self.play(), seat, connected);
        for other in (0..).map(Seat).take(self.sinks.len()) {
            if other != seat {
                self.tell(other, text.clone());
            }
        }
    }

    fn attach(&mut self, seat: Seat, sink: Sink, from: Option<u32>, now: u64) {
        let n = u32::try_from(self.table.lines().len()).unwrap_or(u32::MAX);
        let viewer = Viewer::Seat(seat);
        let Some(place) = self.sinks.get_mut(seat.index()) else { return };
        *place = Some(sink);
        match from {
            // The snapshot follows with the first durable line.
            _ if !self.table.opened() => {}
            Some(from) if from <= n && n - from <= RESUME_MAX => {
                let texts = message::events_after::<G>(
                    self.play(),
                    from,
                    self.table.header(),
                    self.table.lines(),
                    viewer,
                );
                for text in texts {
                    self.tell(seat, text);
                }
            }
            _ => self.show_all(seat, now),
        }
        if self.table.over() {
            let text = message::finished::<G>(self.play(), n, self.table.header(), self.table.board());
            self.tell(seat, text);
        }
        self.tell_presence(seat, true);
    }

    /// Sends a seat everything that it may know.
    fn show_all(&mut self, seat: Seat, now: u64) {
        let n = u32::try_from(self.table.lines().len()).unwrap_or(u32::MAX);
        let viewer = Viewer::Seat(seat);
        let past = message::past::<G>(self.table.header(), self.table.lines(), viewer);
        let (board, clock) = (self.table.board(), self.table.clock());
        let text = message::snapshot::<G>(self.play(), n, past, board, clock, now, viewer);
        self.tell(seat, text);
    }

    fn opened(&mut self) {
        let now = self.now();
        for seat in (0..).map(Seat).take(self.sinks.len()) {
            self.show_all(seat, now);
        }
    }

    fn summary(&self, now: u64) -> TableSummary {
        let state = self.table.board().state();
        let waiting = G::waiting_for(state);
        let clock = self.table.clock();
        let name = |seat: Seat| G::seat_name(seat).unwrap_or_default().to_owned();
        TableSummary {
            lines: u32::try_from(self.table.lines().len()).unwrap_or(u32::MAX),
            phase: waiting.phase.to_owned(),
            deciding: waiting
                .seats
                .iter()
                .map(|seat| (name(seat), clock.left_ms(seat, now).unwrap_or_default()))
                .collect(),
            running: clock.runs(),
            holds: clock.holds().iter().map(Hold::word).collect(),
            offline: (0..)
                .map(Seat)
                .take(self.sinks.len())
                .filter(|seat| {
                    self.table.kind(*seat) == SeatController::Person && !self.table.online().contains(*seat)
                })
                .map(name)
                .collect(),
            still_ms: now.saturating_sub(self.table.lines().last().map_or(0, |shown| shown.at)) / 1000,
            refused: self.table.refused(),
            stalled: self.table.stalled(),
            over: self.table.over(),
        }
    }

    fn carry_out(&mut self, orders: Vec<Order>) {
        for order in orders {
            match order {
                Order::Write(write) => {
                    let write = Write { wall_us: (self.deps.wall)(), ..write };
                    let inputs = self.inputs.clone();
                    let done = Box::new(move |result| drop(inputs.send(Input::Stored(result))));
                    if let Err(error) = self.deps.ledger.write(write, done) {
                        self.deps.counters.failed.fetch_add(1, Ordering::Relaxed);
                        let _ = self.inputs.send(Input::Stored(Err(error)));
                    }
                }
                Order::Opened => self.opened(),
                Order::Answer(Reply::Command(seat, id), answer) => self.answer(seat, &id, &answer),
                Order::Answer(Reply::Token(token), answer) => {
                    if let Some(waiting) = self.tokens.remove(&token) {
                        let _ = waiting.send(answer);
                    }
                }
                Order::Show(n) => self.show(n),
                Order::Ask { asked, seats } => self.ask(asked, seats),
                Order::Stalled(stalled) => {
                    if stalled {
                        self.deps.counters.failed.fetch_add(1, Ordering::Relaxed);
                        tracing::warn!(play = self.play(), "the database fails: the table's clock is held");
                    } else {
                        tracing::info!(play = self.play(), "the database is back: the table goes on");
                    }
                }
                Order::Finished => self.finished(),
                Order::Lost(reason) => {
                    tracing::error!(play = self.play(), reason, "the table cannot go on");
                    let board = self.table.board().clone();
                    let over = Over { play: self.table.play(), board, lost: Some(reason) };
                    let _ = self.over.send(over);
                }
            }
        }
    }

    fn answer(&mut self, seat: Seat, id: &CommandId, answer: &Answer) {
        if matches!(answer, Answer::Refused(_)) {
            self.deps.counters.refused.fetch_add(1, Ordering::Relaxed);
        }
        let text = message::answer(self.play(), id.as_str(), answer, self.lang_of(seat));
        self.tell(seat, text);
    }

    /// The language of a seat's connection.
    fn lang_of(&self, seat: Seat) -> Lang {
        self.sinks.get(seat.index()).and_then(Option::as_ref).map_or(Lang::En, |sink| sink.lang)
    }

    fn show(&mut self, n: u32) {
        let Some(shown) = (n as usize).checked_sub(1).and_then(|place| self.table.lines().get(place)) else {
            return;
        };
        if let Line::Action(entry) = &shown.line {
            self.deps.counters.actions.fetch_add(1, Ordering::Relaxed);
            if entry.by.is_some() {
                self.deps.counters.timeouts.fetch_add(1, Ordering::Relaxed);
            }
        }
        let disclosed = self.story.follow(&shown.line, self.table.board());
        let texts: Vec<(Seat, String)> = (0..)
            .map(Seat)
            .zip(&self.sinks)
            .filter(|(_, sink)| sink.is_some())
            .map(|(seat, _)| {
                let viewer = Viewer::Seat(seat);
                let (board, clock) = (self.table.board(), self.table.clock());
                (seat, message::event::<G>(self.play(), &disclosed, shown, board, clock, viewer))
            })
            .collect();
        // One hold more or less says nothing to the players as long as the clock goes on standing.
        let stands = self.table.board().stopped();
        let paused = (stands != self.stands).then_some(stands);
        self.stands = stands;
        for (seat, text) in texts {
            self.tell(seat, text);
            if let Some(paused) = paused {
                self.tell(seat, message::paused(self.play(), paused));
            }
        }
    }

    /// Lets the AI players think, at most so many at once in the whole server.
    fn ask(&mut self, asked: u32, seats: Vec<Seat>) {
        let state = self.table.board().state().clone();
        let rules = Arc::clone(&self.table.header().rules);
        let levels = self.ai_seats.levels.clone();
        let (key, number, delay) =
            (Arc::clone(&self.ai_seats.key), self.ai_seats.number, self.ai_seats.delay);
        let (inputs, thinkers) = (self.inputs.clone(), Arc::clone(&self.deps.thinkers));
        tokio::spawn(async move {
            let begun = Instant::now();
            let Ok(permit) = thinkers.acquire_owned().await else { return };
            let thought = tokio::task::spawn_blocking(move || {
                think::<G>(&state, &rules, &levels, &key, number, &seats)
            })
            .await;
            drop(permit);
            // A player that failed lets its clock decide.
            let action = thought.unwrap_or(None);
            let rest = delay.saturating_sub(begun.elapsed());
            // Even a sleep of nothing waits for the timer's next millisecond.
            if action.is_some() && !rest.is_zero() {
                tokio::time::sleep(rest).await;
            }
            let _ = inputs.send(Input::Decided { asked, action });
        });
    }

    fn finished(&mut self) {
        self.deps.counters.finished.fetch_add(1, Ordering::Relaxed);
        let n = u32::try_from(self.table.lines().len()).unwrap_or(u32::MAX);
        let text = message::finished::<G>(self.play(), n, self.table.header(), self.table.board());
        for seat in (0..).map(Seat).take(self.sinks.len()) {
            self.tell(seat, text.clone());
        }
        let over = Over { play: self.table.play(), board: self.table.board().clone(), lost: None };
        let _ = self.over.send(over);
    }
}

/// Asks the players in order until one acts.
fn think<G: Levels>(
    state: &G::State,
    rules: &Arc<G::Rules>,
    levels: &[Option<PlayerRef<G>>],
    key: &AiKey,
    number: u32,
    seats: &[Seat],
) -> Option<(Seat, G::Action)> {
    seats.iter().find_map(|seat| {
        let level = levels.get(seat.index()).copied().flatten()?;
        let view = G::view(state, Viewer::Seat(*seat));
        Some((*seat, players::choose(level, key, rules, number, *seat, &view)?))
    })
}

/// The header of a board that is shared by the tables that play it.
pub type SharedHeader<G> = Arc<Header<G>>;

/// A refusal for a command that no table takes.
#[must_use]
pub fn nowhere() -> Refused {
    Refused::by("no_play")
}
