//! The socket on which people and programs play: protocol v1 (`docs/protocol.md`).
//!
//! A connection reads frames, checks their form and hands commands on; it decides nothing. What it sends comes from
//! the hall and the table, in order, through one bounded queue; a client that does not read is dropped with a reason
//! and never waited for.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, web};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseCode, CloseReason, Session};
use futures_util::StreamExt as _;
use prometheus_client::metrics::gauge::Gauge;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::{Instant, timeout};

use super::context::RequestContext;
use super::metrics::Metrics;
use super::problem::{Code, Problem};
use super::routes::Table;
use super::trials::TRIAL;
use super::{App, origin, venue};
use crate::canonical::sha256;
use crate::desk::people::{People as _, SeatKind, SeatToken};
use crate::desk::rights::Right;
use crate::event::ledger::Evidence;
use crate::games::{ActionText, Seat};
use crate::sabotage::Sabotage;
use crate::tables::CALL;
use crate::tables::hall::{Allowance, DeviceBinding, HallHandle, Join, JoinRefused, Member, SeatMessage};
use crate::tables::limit::Limit;
use crate::tables::task::{Command, Counters, Handle, Sink};
use crate::tables::{CommandId, Refused, message};
use crate::words::{Lang, Message, say};

/// The largest frame and message that a client may send.
const FRAME_MAX: usize = 8 * 1024;
/// How long a client may take for its first message.
const JOIN_WITHIN: Duration = Duration::from_secs(10);
/// How often the server pings.
const PING_EVERY: Duration = Duration::from_secs(20);
/// A client that has sent nothing for so long is gone.
const SILENT_MAX: Duration = Duration::from_secs(65);
/// How long one frame may wait for the client to read.
const WRITE_WITHIN: Duration = Duration::from_secs(30);
/// How long no message of a client is read while much waits for the client to read.
const CROWDED_PAUSE: Duration = Duration::from_millis(10);
/// The longest words of a call to the referee.
const CALL_TEXT_MAX: usize = 500;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seen {
    play: i64,
    n: u32,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Client {
    Join {
        v: u32,
        token: String,
        /// The device's token, where the seat was taken on an enrolled device.
        #[serde(default)]
        device: Option<String>,
        #[serde(default)]
        from: Option<Seen>,
    },
    Act {
        id: String,
        play: i64,
        #[serde(rename = "do")]
        what: String,
        #[serde(default)]
        after: Option<u32>,
    },
    Check {
        play: i64,
        #[serde(rename = "do")]
        what: String,
        #[serde(default)]
        after: Option<u32>,
    },
    Ready {
        id: String,
    },
    Call {
        id: String,
        #[serde(default)]
        play: Option<i64>,
        #[serde(default)]
        text: Option<String>,
    },
    Focus {
        visible: bool,
    },
    Legal {
        play: i64,
    },
    Ping {
        t: i64,
    },
}

/// Why a connection is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Malformed,
    JoinFirst,
    Late,
    Version,
    Token,
    NotOpen,
    TooFast,
    Network,
    Device,
    Elsewhere,
    TryAgain,
    /// Another connection of the seat has come: told as `replaced`, not as an error.
    Replaced,
}

impl Fault {
    const fn code(self) -> &'static str {
        match self {
            Fault::Malformed => "malformed",
            Fault::JoinFirst => "join_first",
            Fault::Late => "late",
            Fault::Version => "version",
            Fault::Token => "token",
            Fault::NotOpen => "not_open",
            Fault::TooFast => "too_fast",
            Fault::Network => "network",
            Fault::Device => "device",
            Fault::Elsewhere => "elsewhere",
            Fault::TryAgain => "try_again",
            Fault::Replaced => "replaced",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Fault::Malformed => "tables-frame-malformed",
            Fault::JoinFirst => "tables-join-first",
            Fault::Late => "tables-late",
            Fault::Version => "tables-version",
            Fault::Token => "tables-token",
            Fault::NotOpen => "tables-not-open",
            Fault::TooFast => "tables-too-fast",
            Fault::Network => "tables-network",
            Fault::Device => "tables-device",
            Fault::Elsewhere => "tables-elsewhere",
            Fault::TryAgain | Fault::Replaced => "tables-join-again",
        }
    }

    fn message(self, lang: Lang) -> String {
        if self == Fault::Replaced {
            return typed("replaced", None);
        }
        let mut object = Map::new();
        object.insert("type".to_owned(), "error".into());
        object.insert("code".to_owned(), self.code().into());
        let text = say(lang, &Message { id: self.sentence(), args: Vec::new() });
        object.insert("message".to_owned(), text.into());
        message::text(&object)
    }
}

fn typed(kind: &str, key: Option<(&str, Value)>) -> String {
    let mut object = Map::new();
    object.insert("type".to_owned(), kind.into());
    if let Some((key, value)) = key {
        object.insert(key.to_owned(), value);
    }
    message::text(&object)
}

pub(super) fn add(table: &mut Table) {
    table
        .get(
            "/api/v1/play",
            Right::SeePublic,
            "play",
            "The socket on which people and programs play: docs/protocol.md",
        )
        .status(101)
        .to(socket);
}

async fn socket(
    call: RequestContext,
    request: HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, Problem> {
    if !origin::allowed(request.headers(), &call.app.config) {
        return Err(Problem::new(Code::WrongOrigin));
    }
    let Ok((response, session, stream)) = actix_ws::handle(&request, body) else {
        return Err(Problem::said(Code::BadRequest, Message::plain("tables-no-socket")));
    };
    let most = if Sabotage::Frames.on() { usize::MAX } else { FRAME_MAX };
    let stream = stream.max_frame_size(most).aggregate_continuations().max_continuation_size(most);
    actix_web::rt::spawn(async move {
        call.app.sockets.inc();
        serve(&call.app, session, stream, call.lang, call.address).await;
        call.app.sockets.dec();
    });
    Ok(response)
}

/// Picks one of the counters.
type Counter = fn(&Counters) -> &AtomicU64;

/// Puts what tables count among the metrics.
pub(super) fn register(metrics: &Metrics, counters: &Arc<Counters>, runtime: &tokio::runtime::Handle) {
    let gauges: Vec<(Gauge, Counter)> = vec![
        (Gauge::default(), |counters| &counters.actions),
        (Gauge::default(), |counters| &counters.refused),
        (Gauge::default(), |counters| &counters.timeouts),
        (Gauge::default(), |counters| &counters.open),
        (Gauge::default(), |counters| &counters.finished),
        (Gauge::default(), |counters| &counters.failed),
        (Gauge::default(), |counters| &counters.slow),
        (Gauge::default(), |counters| &counters.deals),
    ];
    let names = [
        ("table_actions", "Actions that became durable"),
        ("table_refusals", "Commands of players that were refused"),
        ("table_timeouts", "Actions by the clock"),
        ("tables_open", "Boards in play"),
        ("boards_over", "Boards that are over"),
        ("table_write_failures", "Writes of tables that failed"),
        ("slow_connections", "Connections that were dropped because they did not read"),
        ("deals_held", "Boards whose deal is held because some table has still to finish it"),
    ];
    for ((name, help), (gauge, _)) in names.into_iter().zip(&gauges) {
        metrics.register(name, help, gauge.clone());
    }
    let counters = Arc::downgrade(counters);
    runtime.spawn(async move {
        while let Some(counters) = counters.upgrade() {
            for (gauge, of) in &gauges {
                gauge.set(i64::try_from(of(&counters).load(Ordering::Relaxed)).unwrap_or(i64::MAX));
            }
            drop(counters);
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
}

/// Who has proved a seat.
struct Joined {
    hall: HallHandle,
    member: Member,
}

async fn serve(
    app: &App,
    session: Session,
    mut stream: AggregatedMessageStream,
    lang: Lang,
    address: IpAddr,
) {
    let (sink, out, slow) = Sink::new(lang);
    let ended = Arc::new(Notify::new());
    let writer = actix_web::rt::spawn(write(session.clone(), out, slow, Arc::clone(&ended)));
    let (told, mut tables) = mpsc::unbounded_channel();
    let joined = match timeout(JOIN_WITHIN, join(app, &mut stream, &sink, told, address)).await {
        Ok(Ok(joined)) => joined,
        Ok(Err(None)) => {
            writer.abort();
            return;
        }
        Ok(Err(Some(fault))) => return say_and_close(&sink, fault, writer, session).await,
        Err(_) => return say_and_close(&sink, Fault::Late, writer, session).await,
    };
    let allowed = allowance(app);
    let limit = Limit::new(allowed.per_second, allowed.at_once);
    let (joined, proof) = joined;
    let mut connection = Connection { sink, joined, table: None, limit, proof };
    let fault = connection.run(app, &mut stream, &mut tables, session.clone(), &ended).await;
    connection.joined.hall.leave(connection.joined.member, connection.sink.id()).await;
    if let Some(fault) = fault {
        return say_and_close(&connection.sink, fault, writer, session).await;
    }
    drop(connection);
    // What is queued still goes out: the last message says why.
    let slow = timeout(Duration::from_secs(2), writer).await.is_ok_and(|slow| slow.unwrap_or(false));
    let reason = slow.then(|| CloseReason { code: CloseCode::Policy, description: Some("slow".to_owned()) });
    // Who does not read is told once there is room for it, and not for ever.
    let _ = timeout(WRITE_WITHIN, session.close(reason)).await;
}

async fn say_and_close(
    sink: &Sink,
    fault: Fault,
    writer: actix_web::rt::task::JoinHandle<bool>,
    session: Session,
) {
    sink.send(fault.message(sink.lang));
    tokio::time::sleep(Duration::from_millis(50)).await;
    let reason = CloseReason { code: CloseCode::Policy, description: Some(fault.code().to_owned()) };
    let _ = timeout(Duration::from_secs(2), session.close(Some(reason))).await;
    writer.abort();
}

/// Writes what is queued. Ends when the queue is closed, the client is gone or does not read; `true`: it does not read.
async fn write(
    mut session: Session,
    mut out: mpsc::Receiver<String>,
    slow: Arc<Notify>,
    ended: Arc<Notify>,
) -> bool {
    let within = if Sabotage::Queue.on() { Duration::MAX } else { WRITE_WITHIN };
    let slow = loop {
        tokio::select! {
            biased;
            () = slow.notified() => break true,
            message = out.recv() => match message {
                None => return false,
                Some(text) => {
                    tokio::select! {
                        biased;
                        () = slow.notified() => break true,
                        sent = timeout(within, session.text(text)) => match sent {
                            Ok(Ok(())) => {}
                            Ok(Err(_)) => break false,
                            Err(_) => break true,
                        },
                    }
                }
            },
        }
    };
    ended.notify_one();
    slow
}

/// Reads the first message and takes the seat. `Err(None)`: the client has gone.
async fn join(
    app: &App,
    stream: &mut AggregatedMessageStream,
    sink: &Sink,
    told: mpsc::UnboundedSender<SeatMessage>,
    address: IpAddr,
) -> Result<(Joined, Proof), Option<Fault>> {
    let text = loop {
        match stream.next().await {
            Some(Ok(AggregatedMessage::Text(text))) => break text,
            Some(Ok(AggregatedMessage::Ping(_) | AggregatedMessage::Pong(_))) => {}
            Some(Ok(AggregatedMessage::Close(_))) | None => return Err(None),
            Some(Ok(AggregatedMessage::Binary(_)) | Err(_)) => return Err(Some(Fault::Malformed)),
        }
    };
    let Ok(Client::Join { v, token, device, from }) = serde_json::from_str::<Client>(&text) else {
        return Err(Some(if serde_json::from_str::<Client>(&text).is_ok() {
            Fault::JoinFirst
        } else {
            Fault::Malformed
        }));
    };
    if v != 1 {
        return Err(Some(Fault::Version));
    }
    let proof = Proof { token, device, address };
    let (desk, shown) = (app.clone(), proof.clone());
    let (place, spot) =
        web::block(move || proved(&desk, &shown.token, shown.device.as_deref(), shown.address))
            .await
            .map_err(|_| Some(Fault::TryAgain))?
            .map_err(Some)?;
    let (hall, member) = match place {
        Proved::Seat(seat) => (app.halls.get(&seat.event), (seat.number, seat.member)),
        Proved::Trial(hall) => (Some(hall), (0, 0)),
    };
    let Some(hall) = hall else { return Err(Some(Fault::NotOpen)) };
    let (answer, wait) = oneshot::channel();
    let from = from.map(|seen| (seen.play, seen.n));
    let allowed = allowance(app);
    hall.join(Join { member, sink: sink.clone(), messages: told, from, device: spot, allowed, answer }).await;
    match wait.await {
        Ok(Ok(_)) => Ok((Joined { hall, member }, proof)),
        Ok(Err(JoinRefused::Elsewhere)) => Err(Some(Fault::Elsewhere)),
        Ok(Err(JoinRefused::TooOften)) => Err(Some(Fault::TooFast)),
        Ok(Err(JoinRefused::Replaced)) => Err(Some(Fault::Replaced)),
        _ => Err(Some(Fault::NotOpen)),
    }
}

/// What a connection has shown to get its seat; it is looked at again when seats, devices or networks change.
#[derive(Clone)]
struct Proof {
    token: String,
    device: Option<String>,
    address: IpAddr,
}

/// How much a connection may send.
fn allowance(app: &App) -> Allowance {
    let limits = &app.config.limits;
    Allowance { per_second: limits.messages_per_second, at_once: limits.messages_burst }
}

/// Where a token leads.
enum Proved {
    /// To a seat of an event.
    Seat(SeatToken),
    /// To a board to try.
    Trial(HallHandle),
}

/// Whose seat a token is, and where its device stands. What cannot be looked up is not let in.
fn proved(
    app: &App,
    token: &str,
    device: Option<&str>,
    address: IpAddr,
) -> Result<(Proved, Option<DeviceBinding>), Fault> {
    if token.starts_with(TRIAL) {
        return app.trials.find(token).map(|hall| (Proved::Trial(hall), None)).ok_or(Fault::Token);
    }
    let known = app.store.seat_token(&sha256(token.as_bytes())).map_err(|_| Fault::TryAgain)?;
    let seat = known.filter(|seat| !seat.revoked).ok_or(Fault::Token)?;
    let place =
        |problem: Problem, otherwise| if problem.code == Code::Busy { Fault::TryAgain } else { otherwise };
    venue::admitted(app, &seat.event, address).map_err(|problem| place(problem, Fault::Network))?;
    // Programs play from where the organizer lets them; people at the venue's devices, if it has any.
    if seat.kind == SeatKind::AiProgram {
        return Ok((Proved::Seat(seat), None));
    }
    let found = venue::device(app, &seat.event, device).map_err(|problem| place(problem, Fault::Device))?;
    if found.is_some() && found.as_ref().map(|device| &device.id) != seat.device.as_ref() {
        return Err(Fault::Device);
    }
    let spot = found.and_then(|device| device.table.map(|table| DeviceBinding { table, seat: device.seat }));
    Ok((Proved::Seat(seat), spot))
}

struct Connection {
    sink: Sink,
    joined: Joined,
    table: Option<(Handle, Seat)>,
    limit: Limit,
    proof: Proof,
}

impl Connection {
    /// Until the client goes, is replaced, or breaks the protocol.
    async fn run(
        &mut self,
        app: &App,
        stream: &mut AggregatedMessageStream,
        tables: &mut mpsc::UnboundedReceiver<SeatMessage>,
        mut session: Session,
        ended: &Notify,
    ) -> Option<Fault> {
        let mut pings = tokio::time::interval(PING_EVERY);
        let mut doors = app.doors.subscribe();
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                biased;
                () = ended.notified() => return None,
                told = tables.recv() => match told {
                    Some(SeatMessage::Seated(handle, seat)) => self.table = Some((handle, seat)),
                    Some(SeatMessage::Unseated) => self.table = None,
                    Some(SeatMessage::Replaced) => {
                        self.sink.send(typed("replaced", None));
                        return None;
                    }
                    Some(SeatMessage::Elsewhere) => return Some(Fault::Elsewhere),
                    None => return None,
                },
                Ok(()) = doors.changed() => {
                    let (app, proof) = (app.clone(), self.proof.clone());
                    let still = web::block(move || proved(&app, &proof.token, proof.device.as_deref(), proof.address));
                    match still.await {
                        Ok(Ok(_) | Err(Fault::TryAgain)) | Err(_) => {}
                        Ok(Err(fault)) => return Some(fault),
                    }
                }
                // What the client asks for is answered as fast as it reads, so that its own questions never make it slow.
                () = tokio::time::sleep(CROWDED_PAUSE), if self.sink.is_crowded() => {}
                message = stream.next(), if !self.sink.is_crowded() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(AggregatedMessage::Text(text))) => {
                            if !self.may_speak() {
                                return Some(Fault::TooFast);
                            }
                            match serde_json::from_str::<Client>(&text) {
                                Ok(client) => {
                                    if let Some(fault) = self.obey(client).await {
                                        return Some(fault);
                                    }
                                }
                                Err(_) => return Some(Fault::Malformed),
                            }
                        }
                        Some(Ok(AggregatedMessage::Ping(bytes))) => {
                            if !self.may_speak() {
                                return Some(Fault::TooFast);
                            }
                            let _ = timeout(WRITE_WITHIN, session.pong(&bytes)).await;
                        }
                        Some(Ok(AggregatedMessage::Pong(_))) => {}
                        Some(Ok(AggregatedMessage::Close(_))) | None => return None,
                        Some(Ok(AggregatedMessage::Binary(_)) | Err(_)) => return Some(Fault::Malformed),
                    }
                }
                _ = pings.tick() => {
                    if heard.elapsed() > SILENT_MAX {
                        return None;
                    }
                    let _ = timeout(WRITE_WITHIN, session.ping(b"")).await;
                }
            }
        }
    }

    /// Whether the client keeps within its allowance with one more message.
    fn may_speak(&self) -> bool {
        Sabotage::Flood.on() || self.limit.admits()
    }

    fn refuse(&self, id: &str, code: &'static str) {
        let shown: String = id.chars().take(64).collect();
        self.sink.send(message::refused(&shown, &Refused::by(code), self.sink.lang));
    }

    async fn obey(&mut self, client: Client) -> Option<Fault> {
        match client {
            Client::Join { .. } => return Some(Fault::Malformed),
            Client::Act { id, play, what, after } => {
                let Some(known) = CommandId::read(&id) else {
                    self.refuse(&id, "malformed");
                    return None;
                };
                let text = ActionText { text: what, after };
                match &self.table {
                    Some((handle, seat)) if handle.play.0 == play && !handle.gone() => {
                        if !handle.send(Command::Act { seat: *seat, id: known, text }) {
                            self.refuse(&id, "busy");
                        }
                    }
                    _ => {
                        let hall = &self.joined.hall;
                        hall.former(self.joined.member, play, known, text, self.sink.clone()).await;
                    }
                }
            }
            Client::Check { play, what, after } => {
                let text = ActionText { text: what, after };
                let code = match &self.table {
                    Some((handle, seat)) if handle.play.0 == play && !handle.gone() => {
                        let asked = Command::Check { seat: *seat, text: text.clone() };
                        (!handle.send(asked)).then_some("busy")
                    }
                    _ => Some("no_play"),
                };
                if let Some(code) = code {
                    let why = Refused::by(code);
                    self.sink.send(message::checked(play, 0, &text, Some(&why), self.sink.lang));
                }
            }
            Client::Ready { id } => {
                if CommandId::read(&id).is_none() {
                    self.refuse(&id, "malformed");
                    return None;
                }
                self.joined.hall.ready(self.joined.member, self.sink.clone(), id).await;
            }
            Client::Call { id, play, text } => {
                let words = text.unwrap_or_default();
                if words.chars().count() > CALL_TEXT_MAX {
                    self.refuse(&id, "malformed");
                    return None;
                }
                match (&self.table, CommandId::read(&id)) {
                    (_, None) => self.refuse(&id, "malformed"),
                    (Some((handle, seat)), Some(known))
                        if play.is_none_or(|play| play == handle.play.0) && !handle.gone() =>
                    {
                        if !handle.send(Command::Call { seat: *seat, id: known, words }) {
                            self.refuse(&id, "busy");
                        }
                    }
                    // Sent again for a board that is over, or before the connection knows its table.
                    (_, Some(known)) if play.is_some() => {
                        let text = ActionText::plain(format!("{CALL}{words}"));
                        let hall = &self.joined.hall;
                        hall.former(
                            self.joined.member,
                            play.unwrap_or_default(),
                            known,
                            text,
                            self.sink.clone(),
                        )
                        .await;
                    }
                    _ => self.refuse(&id, "no_play"),
                }
            }
            Client::Focus { visible } => {
                let what = if visible { Evidence::Returned } else { Evidence::Left };
                self.joined.hall.seen(self.joined.member, what).await;
            }
            Client::Legal { play } => match &self.table {
                Some((handle, seat)) if handle.play.0 == play => {
                    handle.send(Command::Legal { seat: *seat });
                }
                _ => {
                    self.sink.send(message::no_legal(play));
                }
            },
            Client::Ping { t } => {
                self.sink.send(typed("pong", Some(("t", t.into()))));
            }
        }
        None
    }
}
