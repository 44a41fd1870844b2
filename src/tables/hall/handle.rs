//! What others may ask of a hall, and what it tells them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::Member;
use crate::event::answer::{Answer, CommandId};
use crate::event::archive::PlayId;
use crate::event::ledger::{CallState, Evidence};
use crate::event::live::Live;
use crate::formats::settings::Entrant;
use crate::games::{ActionText, Seat};
use crate::journal::By;
use crate::journal::control::{ControlEntry, ControlKind};
use crate::tables::message;
use crate::tables::task::{Handle, Sink};

/// What a connection's task is told about its seat.
#[derive(Debug)]
pub enum SeatMessage {
    /// Commands go to this table from here on.
    Seated(Handle, Seat),
    /// There is no table for now.
    Unseated,
    /// Another connection has the seat: say so and end.
    Replaced,
    /// The next board is played at another place than the one the connection's device is bound to: say so and end.
    Elsewhere,
}

/// The place that a device is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceBinding {
    /// The table.
    pub table: u32,
    /// The seat's name, if it is bound to one.
    pub seat: Option<String>,
}

/// How many messages a connection may send; it is told so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Allowance {
    /// Per second, on average.
    pub per_second: u32,
    /// At once, after a quiet time.
    pub at_once: u32,
}

/// Why a connection cannot play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinRefused {
    /// Nobody of that number plays in this event.
    Unknown,
    /// The device is bound to another place than the one where the next board is played.
    Elsewhere,
    /// The seat has come in too often within a short time.
    TooOften,
    /// Another connection of the seat has come meanwhile.
    Replaced,
}

/// A connection that wants to play.
#[derive(Debug)]
pub struct Join {
    /// Who.
    pub member: Member,
    /// Where messages go.
    pub sink: Sink,
    /// Where the connection's task is told about its seat.
    pub messages: mpsc::UnboundedSender<SeatMessage>,
    /// What it has seen: a board at a table and the number of its last event.
    pub from: Option<(i64, u32)>,
    /// Where the connection's device stands, if it is bound to a place.
    pub device: Option<DeviceBinding>,
    /// How much it may send.
    pub allowed: Allowance,
    /// The answer.
    pub answer: oneshot::Sender<Result<Welcome, JoinRefused>>,
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
    /// The boards that the person has finished, as the protocol writes them.
    pub boards: Vec<Value>,
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
    /// `waiting`, `due` (the next at its table: its players are waited for), `open` or `over`.
    pub state: &'static str,
    /// Where it is due: the entrants that have not said that they are ready, or are not there.
    pub awaited: Vec<String>,
    /// Where it is due: how long it has waited for them, ms.
    pub waits_ms: Option<u64>,
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
    /// Those of them that were not played to their end: ended early, not begun in time, or with a damaged record.
    pub unfinished: u32,
    /// The rounds that were started.
    pub rounds: Vec<u32>,
    /// The rounds that are over.
    pub rounds_over: Vec<u32>,
    /// Whether more is to be played or drawn than the boards that are known: a stage is to be closed, or a later one comes.
    #[serde(skip)]
    pub more_to_come: bool,
    /// Whether the event is paused.
    pub paused: bool,
    /// Persons connected.
    pub connected: u32,
    /// When the round's time is over, ms from now; `None` without a limit.
    pub round_left_ms: Option<u64>,
}

impl Progress {
    /// Whether every board at every table is over.
    #[must_use]
    pub const fn complete(&self) -> bool {
        self.plays > 0 && self.over == self.plays && !self.more_to_come
    }

    /// How many boards at tables were played to their end.
    #[must_use]
    pub const fn played(&self) -> u32 {
        self.over.saturating_sub(self.unfinished)
    }
}

/// What changes while an event is played, for whoever watches.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// Counts up with every change.
    pub version: u64,
    /// Counts up with every durable line that may change results or standings.
    pub computed: u64,
    /// Where the event stands.
    pub progress: Progress,
    /// When that was written down.
    pub at: Option<Instant>,
    /// The boards at tables whose journals are damaged, by their number in the database, with what is wrong: nobody
    /// plays them on, and they count as not played.
    pub damaged: Arc<BTreeMap<i64, String>>,
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
    /// The whole event stands.
    Paused,
    /// It could not be written down; it may work later.
    Unwritten,
}

/// What a connection has missed of a board that is over.
pub(super) struct Missed {
    /// The sitting.
    pub sitting: u32,
    /// The seat.
    pub seat: Seat,
    /// The messages, `finished` last.
    pub texts: Vec<String>,
}

/// What is asked of a hall.
pub(super) enum Command {
    Join(Join),
    /// A connection comes in whose last board is over: what it has missed of it has been looked up.
    Missed(Join, Option<Missed>),
    Leave(Member, u64),
    Ready(Member, Sink, String),
    Start(u32, String, oneshot::Sender<Result<(), HallRefused>>),
    /// How the event is played from here on, and how many boards a full round has.
    Live(Live, u32),
    Pause(bool, String, oneshot::Sender<()>),
    Floor(oneshot::Sender<Vec<FloorPlace>>),
    Former(Member, i64, CommandId, ActionText, Sink),
    Seen(Member, Evidence),
    Warn(u32, String, oneshot::Sender<bool>),
    /// A call of a seat at a board has been seen or dealt with: what its player is told.
    Called(PlayId, Seat, String),
    Corrected(Entrant, oneshot::Sender<()>),
    Incidents(oneshot::Sender<()>),
    Stop(oneshot::Sender<()>),
}

/// A hall's address.
#[derive(Clone)]
pub struct HallHandle {
    pub(super) commands: mpsc::Sender<Command>,
    /// Standings and progress as they change.
    pub watch: watch::Receiver<Standings>,
    /// Whether nobody but computer players takes part, so that a live table tells nobody anything about a board that he
    /// has still to play.
    pub only_computers: bool,
}

impl HallHandle {
    /// Whether the hall is closed: nothing that is asked of it is answered any more.
    #[must_use]
    pub fn gone(&self) -> bool {
        self.commands.is_closed()
    }

    /// A connection wants to play.
    pub async fn join(&self, join: Join) {
        let _ = self.commands.send(Command::Join(join)).await;
    }

    /// A connection is gone.
    pub async fn leave(&self, member: Member, sink: u64) {
        let _ = self.commands.send(Command::Leave(member, sink)).await;
    }

    /// A player is ready for the next board; the answer goes to the sink.
    pub async fn ready(&self, member: Member, sink: Sink, id: String) {
        let _ = self.commands.send(Command::Ready(member, sink, id)).await;
    }

    /// Starts a round, counted over the whole event; at the players' own pace round 1 starts the event. `who` stands in the
    /// event's journal.
    ///
    /// # Errors
    /// Why not.
    pub async fn start(&self, round: u32, who: &str) -> Result<(), HallRefused> {
        let (answer, wait) = oneshot::channel();
        self.commands
            .send(Command::Start(round, who.to_owned(), answer))
            .await
            .map_err(|_| HallRefused::Over)?;
        wait.await.map_err(|_| HallRefused::Over)?
    }

    /// Stops every clock, or lets them run again; `who` stands in the event's journal.
    pub async fn pause(&self, paused: bool, who: &str) {
        let (answer, wait) = oneshot::channel();
        if self.commands.send(Command::Pause(paused, who.to_owned(), answer)).await.is_ok() {
            let _ = wait.await;
        }
    }

    /// A command for a board at which the player does not sit any more: answered as it was, or refused.
    pub async fn former(&self, member: Member, play: i64, id: CommandId, text: ActionText, sink: Sink) {
        let _ = self.commands.send(Command::Former(member, play, id, text, sink)).await;
    }

    /// A connection has shown something of its player.
    pub async fn seen(&self, member: Member, what: Evidence) {
        let _ = self.commands.send(Command::Seen(member, what)).await;
    }

    /// Tells everybody of an entrant that a referee has warned them; who is away is told on coming back. Says whether
    /// somebody was there.
    pub async fn warn(&self, entrant: u32, code: &str, reason: &str, count: usize) -> bool {
        let text = message::warned(code, reason, count);
        let (answer, wait) = oneshot::channel();
        self.commands.send(Command::Warn(entrant, text, answer)).await.is_ok() && wait.await.unwrap_or(false)
    }

    /// Tells the player of a seat what has become of a call; who is away is told on coming back.
    pub async fn call_went_on(&self, play: PlayId, seat: Seat, line: u32, state: CallState) {
        let text = message::called(play.0, line, state);
        let _ = self.commands.send(Command::Called(play, seat, text)).await;
    }

    /// The name of an entrant was corrected: whoever comes in or sits down from here on reads the new one.
    pub async fn corrected(&self, entrant: Entrant) {
        let (answer, wait) = oneshot::channel();
        if self.commands.send(Command::Corrected(entrant, answer)).await.is_ok() {
            let _ = wait.await;
        }
    }

    /// Waits until everything that connections have shown so far is with the ledger.
    pub async fn incidents_kept(&self) {
        let (answer, wait) = oneshot::channel();
        if self.commands.send(Command::Incidents(answer)).await.is_ok() {
            let _ = wait.await;
        }
    }

    /// Where the event stands now.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let standings = self.watch.borrow();
        let mut progress = standings.progress.clone();
        if let (Some(left), Some(at), false) = (&mut progress.round_left_ms, standings.at, progress.paused) {
            *left = left.saturating_sub(u64::try_from(at.elapsed().as_millis()).unwrap_or(u64::MAX));
        }
        progress
    }

    /// Every board at a table.
    pub async fn floor(&self) -> Vec<FloorPlace> {
        let (answer, wait) = oneshot::channel();
        if self.commands.send(Command::Floor(answer)).await.is_err() {
            return Vec::new();
        }
        wait.await.unwrap_or_default()
    }

    /// A referee's order at a table.
    ///
    /// # Errors
    /// No such table is open; or the table's own refusal.
    pub async fn order(&self, table: u32, order: TableOrder, who: &str) -> Result<Answer, HallRefused> {
        if order == TableOrder::Go && self.watch.borrow().progress.paused {
            return Err(HallRefused::Paused);
        }
        let place =
            self.floor().await.into_iter().find(|place| place.table == table && place.handle.is_some());
        let handle = place.and_then(|place| place.handle).ok_or(HallRefused::NoTable)?;
        let mut note = ControlEntry::new(
            match order {
                TableOrder::Stop => ControlKind::Stop,
                TableOrder::Go => ControlKind::Go,
                TableOrder::Give { ms, .. } => ControlKind::Give { ms },
                TableOrder::End => ControlKind::End,
                TableOrder::Look => ControlKind::Look,
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
        if self.commands.send(Command::Stop(answer)).await.is_ok() {
            let _ = wait.await;
        }
    }
}
