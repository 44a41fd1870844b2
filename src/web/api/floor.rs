//! Running an event: rounds, pause, the floor, orders at tables, the end.
//!
//! The floor shows who thinks, clocks and alarms, and no card. Looking into hands is an order at a table: it stands
//! in the board's journal and in the audit log before anything is shown.

use std::collections::BTreeMap;

use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use super::NoFields;
use super::accounts::reason;
use super::calls::{CallSheet, sheets, unread};
use crate::desk::finish::Ending;
use crate::desk::looks;
use crate::desk::rights::Right;
use crate::event::EventState;
use crate::event::archive::{Archive, EventRow};
use crate::event::ledger::EventWrite;
use crate::event::live::Live;
use crate::games::rulesets::not_known;
use crate::games::{Game, Seat, Viewer};
use crate::tables::Answer as TableAnswer;
use crate::tables::hall::{HallHandle, HallRefused, Progress, TableOrder};
use crate::tables::task::TableSummary;
use crate::web::answer::{Answer, ok};
use crate::web::context::{Body, Params, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Detail, OneFault, Problem};
use crate::web::routes::Table;
use crate::with_game;
use crate::words::Message;

/// How an event goes.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProgressSheet {
    /// Boards at tables, rounds, connections, time.
    #[schema(value_type = Object)]
    progress: Progress,
}

/// Whether clocks stand.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PauseBody {
    /// Whether every clock stands.
    paused: bool,
    /// Why; shown in the audit log.
    reason: String,
}

/// Why.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FinishBody {
    /// Why; shown in the audit log.
    reason: String,
}

/// An event that was ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct Finished {
    /// Boards at tables that were ended unfinished: they are not played until a ruling says otherwise.
    ended: usize,
}

/// Which part of the floor.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct FloorParams {
    /// `open` (where boards are played), `due` (the next at their tables), `damaged` (whose journals are), `now` (all
    /// these), `waiting`, `over` or `all`.
    #[serde(default = "open")]
    state: String,
}

fn open() -> String {
    "open".to_owned()
}

/// A board at a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct FloorLine {
    /// The round.
    round: u32,
    /// The table.
    table: u32,
    /// The board.
    board: u32,
    /// `waiting`, `due` (the next at its table: its players are waited for), `open` or `over`.
    state: &'static str,
    /// Where it is due: the entrants that have not said that they are ready, or are not there.
    awaited: Vec<String>,
    /// Where it is due: how long it has waited for them, ms; the server's return begins anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_ms: Option<u64>,
    /// Who sits where, by seat name.
    #[schema(value_type = Object)]
    seats: BTreeMap<String, String>,
    /// The persons who are connected, by entrant id.
    connected: Vec<String>,
    /// Who thinks, clocks, alarms, where a board is played.
    #[schema(value_type = Option<Object>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    table_now: Option<TableSummary>,
    /// What is wrong with its journal: nobody can play it on, and it counts as not played until a ruling says
    /// otherwise. Absent where it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    damaged: Option<String>,
}

/// The floor.
#[derive(Debug, Serialize, ToSchema)]
pub struct Floor {
    /// How the event goes.
    #[schema(value_type = Object)]
    progress: Progress,
    /// The boards at tables that were asked for.
    places: Vec<FloorLine>,
    /// The calls of the referee with which nobody has dealt yet, wherever, the oldest first.
    calls: Vec<CallSheet>,
    /// A table that waits or stands still for longer is to be marked, seconds; 0 for never.
    alarm_s: u32,
}

/// An order at a table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderBody {
    /// `stop`, `go`, `give`, `end` or `look`.
    order: String,
    /// The board that is meant; the order is refused where another one is in play at the table by now.
    board: Option<u32>,
    /// The seat that gets time, by name.
    seat: Option<String>,
    /// How much time, ms.
    ms: Option<u32>,
    /// Why; shown in the audit log.
    reason: String,
}

/// An order that was carried out.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ordered {
    /// The line of the board's journal in which it stands.
    line: u32,
    /// What each seat may know, for `look`.
    #[schema(value_type = Option<Object>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    hands: Option<BTreeMap<String, Value>>,
}

pub(super) fn add(table: &mut Table) {
    table
        .post(
            "/api/v1/events/{event}/rounds/{round}/start",
            Right::RunEvent,
            "startRound",
            "Starts a round; at the players' own pace round 1 starts the event",
        )
        .body::<NoFields>()
        .answers::<ProgressSheet>(200)
        .to(start);
    table
        .post(
            "/api/v1/events/{event}/pause",
            Right::RunEvent,
            "pause",
            "Stops every clock, or lets them run again",
        )
        .body::<PauseBody>()
        .answers::<ProgressSheet>(200)
        .to(pause);
    table
        .post(
            "/api/v1/events/{event}/finish",
            Right::RunEvent,
            "finish",
            "Ends play: boards that are not over are not played",
        )
        .body::<FinishBody>()
        .answers::<Finished>(200)
        .to(finish);
    table
        .get("/api/v1/events/{event}/progress", Right::SeePublic, "getProgress", "How the event goes")
        .answers::<ProgressSheet>(200)
        .to(progress);
    table
        .get(
            "/api/v1/events/{event}/floor",
            Right::SeeFloor,
            "getFloor",
            "Every table: who thinks, clocks, alarms",
        )
        .query::<FloorParams>()
        .answers::<Floor>(200)
        .to(floor);
    table
        .post(
            "/api/v1/events/{event}/tables/{table}/orders",
            Right::OrderTable,
            "orderTable",
            "A referee's order at a table: stop, go, give time, end the board, look into the hands",
        )
        .body::<OrderBody>()
        .answers::<Ordered>(200)
        .to(order);
}

/// The hall of the event, opened where it is not.
async fn hall(call: &RequestContext) -> Result<(EventRow, HallHandle), Problem> {
    call.work(|call| {
        let row = desk::row(call)?;
        desk::in_state(&row, |state| state == EventState::Locked)?;
        let hall = call.app.halls.open(&row.id)?;
        Ok((row, hall))
    })
    .await
}

fn refused(why: HallRefused) -> Problem {
    match why {
        HallRefused::NoRound => Problem::missing("round"),
        HallRefused::NoTable => Problem::said(Code::NotFound, Message::plain("web-no-open-table")),
        HallRefused::Started => Problem::said(Code::Exists, Message::plain("web-round-started")),
        HallRefused::Earlier => Problem::said(Code::Stage, Message::plain("web-round-earlier")),
        HallRefused::Table | HallRefused::Over => Problem::new(Code::Stage),
        HallRefused::Paused => Problem::said(Code::Stage, Message::plain("web-event-paused")),
        HallRefused::Unwritten => Problem::new(Code::Busy),
    }
}

fn now(hall: &HallHandle) -> Progress {
    hall.progress()
}

/// Writes an audit entry.
async fn log(
    call: &RequestContext,
    act: &'static str,
    why: String,
    before: Value,
    after: Value,
) -> Result<(), Problem> {
    call.work(move |call| {
        let archive: &dyn Archive = call.app.store.as_ref();
        Ok(archive.audit(call.audit(act, &why, &before, &after))?)
    })
    .await
}

async fn start(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Body(NoFields {}): Body<NoFields>,
) -> Answer {
    let (_, round) = path.into_inner();
    let round: u32 = round.parse().map_err(|_| Problem::missing("round"))?;
    let (_, hall) = hall(&call).await?;
    hall.start(round, &call.who.name()).await.map_err(refused)?;
    log(&call, "start-round", String::new(), Value::Null, json!({ "round": round })).await?;
    ok(&ProgressSheet { progress: now(&hall) })
}

async fn pause(call: RequestContext, Body(body): Body<PauseBody>) -> Answer {
    reason(&body.reason)?;
    let (_, hall) = hall(&call).await?;
    let before = json!({ "paused": now(&hall).paused });
    hall.pause(body.paused, &call.who.name()).await;
    log(&call, "pause", body.reason, before, json!({ "paused": body.paused })).await?;
    ok(&ProgressSheet { progress: now(&hall) })
}

async fn progress(call: RequestContext) -> Answer {
    let progress = call
        .work(|call| {
            let row = desk::row(call)?;
            Ok(call.app.halls.get(&row.id).map(|hall| now(&hall)).unwrap_or_default())
        })
        .await?;
    ok(&ProgressSheet { progress })
}

async fn floor(call: RequestContext, Params(params): Params<FloorParams>) -> Answer {
    let known = ["open", "due", "damaged", "now", "waiting", "over", "all"];
    if !known.contains(&params.state.as_str()) {
        return Err(Problem::said(Code::BadQuery, not_known("state", &params.state, &known)));
    }
    let (row, hall) = hall(&call).await?;
    let alarm_s = Live::of_row(&row.settings).alarm_s;
    let (mut damaged, calls) = call
        .work(move |call| {
            let open = call.app.store.open_calls(&row.id).map_err(unread)?;
            Ok(with_game!(desk::kind(&row)?, G => {
                let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
                (opened.damaged(&call.app), sheets(&opened.event, &opened.plays, open))
            }))
        })
        .await?;
    let mut places = Vec::new();
    for place in hall.floor().await {
        let damaged = damaged.remove(&place.play);
        let wanted = match params.state.as_str() {
            "all" => true,
            "now" => matches!(place.state, "open" | "due") || damaged.is_some(),
            "damaged" => damaged.is_some(),
            state => place.state == state,
        };
        if !wanted {
            continue;
        }
        let table_now = match &place.handle {
            Some(handle) => handle.look().await,
            None => None,
        };
        places.push(FloorLine {
            round: place.round,
            table: place.table,
            board: place.board,
            state: place.state,
            awaited: place.awaited,
            waits_ms: place.waits_ms,
            seats: place.seats,
            connected: place.connected,
            table_now,
            damaged,
        });
    }
    // A table's name stands for what is played there now.
    places.sort_by_key(|place| place.damaged.is_some());
    ok(&Floor { progress: now(&hall), places, calls, alarm_s })
}

fn read_order(row: &EventRow, body: &OrderBody) -> Result<TableOrder, Problem> {
    let bad = |message: Message| Problem::said(Code::Refused, message);
    if body.order != "give" && (body.seat.is_some() || body.ms.is_some()) {
        return Err(bad(Message::plain("web-only-give")));
    }
    Ok(match body.order.as_str() {
        "stop" => TableOrder::Stop,
        "go" => TableOrder::Go,
        "end" => TableOrder::End,
        "look" => TableOrder::Look,
        "give" => {
            let (Some(seat), Some(ms)) = (&body.seat, body.ms) else {
                return Err(bad(Message::plain("web-give-what")));
            };
            let seat = with_game!(desk::kind(row)?, G => G::seat_named(seat));
            let seat = seat.ok_or_else(|| Problem::missing("seat"))?;
            TableOrder::Give { seat: seat.0, ms }
        }
        other => {
            let known = ["stop", "go", "give", "end", "look"];
            return Err(Problem::said(Code::Refused, not_known("order", other, &known)));
        }
    })
}

async fn order(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Body(body): Body<OrderBody>,
) -> Answer {
    reason(&body.reason)?;
    let (_, table) = path.into_inner();
    let table: u32 = table.parse().map_err(|_| Problem::missing("table"))?;
    let (row, hall) = hall(&call).await?;
    let order = read_order(&row, &body)?;
    let look = order == TableOrder::Look;
    if look {
        call.needs(Right::LookIntoHand)?;
    }
    let place = hall.floor().await.into_iter().find(|place| place.table == table && place.handle.is_some());
    let board = place.as_ref().map(|place| place.board);
    if body.board.is_some_and(|meant| board != Some(meant)) {
        return Err(refused(HallRefused::NoTable));
    }
    let mut shown =
        json!({ "table": table, "board": board, "order": body.order, "seat": body.seat, "ms": body.ms });
    if look {
        // With them the board's record tells everybody later who looked and why (`desk::looks`).
        let now = match place.as_ref().and_then(|place| place.handle.as_ref()) {
            Some(handle) => handle.look().await,
            None => None,
        };
        shown["lines"] = now.map_or(0, |now| now.lines).into();
        shown["name"] = call.actor()?.display.clone().into();
    }
    // The log first: an order without effect does less harm than an effect without an entry.
    log(&call, looks::ACT, body.reason, Value::Null, shown).await?;
    let line = match hall.order(table, order, &call.who.name()).await.map_err(refused)? {
        TableAnswer::Accepted(line) => line,
        TableAnswer::Refused(why) => {
            let message = why.sentence(call.lang).to_owned();
            return Err(Problem {
                code: Code::Refused,
                detail: Detail::Text(message.clone()),
                faults: vec![OneFault::new(why.code, message.into())],
                retry_after: None,
            });
        }
    };
    let play = place.map(|place| place.play);
    let hands = if look {
        let seen =
            call.work(move |call| with_game!(desk::kind(&row)?, G => hands::<G>(call, &row, play))).await?;
        Some(seen)
    } else {
        None
    };
    ok(&Ordered { line, hands })
}

/// What each seat of a live board may know, in one piece: only after the look stands in its journal.
fn hands<G: Game>(
    call: &RequestContext,
    row: &EventRow,
    play: Option<i64>,
) -> Result<BTreeMap<String, Value>, Problem> {
    let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
    let archive: &dyn Archive = call.app.store.as_ref();
    for (sitting, one) in opened.event.sittings().zip(&opened.plays) {
        if Some(one.id.0) != play {
            continue;
        }
        let header = opened.header(sitting.board)?;
        let journal = archive.journal(one.id)?;
        let board = super::boards::sound(&header, one, &journal, (sitting.board, sitting.table))?;
        let mut hands = BTreeMap::new();
        for number in 0..G::seats(&header.start) {
            if let Some(name) = G::seat_name(Seat(number)) {
                let view = G::view(board.state(), Viewer::Seat(Seat(number)));
                hands.insert(name.to_owned(), serde_json::to_value(view).map_err(Problem::internal)?);
            }
        }
        return Ok(hands);
    }
    Err(Problem::missing("table"))
}

async fn finish(call: RequestContext, Body(body): Body<FinishBody>) -> Answer {
    reason(&body.reason)?;
    let (row, _) = hall(&call).await?;
    // Nobody opens a table between the last line that was played and the last line of all.
    let Some(locked_out) = call.app.halls.lock_out(&row.id).await else {
        return Err(Problem::new(Code::Busy).after(1));
    };
    let ended = call
        .work(move |call| {
            let ended = with_game!(desk::kind(&row)?, G => end_all::<G>(call, &row, &body.reason));
            drop(locked_out);
            // With everything over it opens again, so that the floor and the pages know how far it was.
            if let Err(error) = call.app.halls.open(&row.id) {
                tracing::warn!(%error, event = row.id, "the floor of an event that was ended could not be opened");
            }
            ended
        })
        .await?;
    ok(&Finished { ended })
}

/// Ends every board that is not over; its journal says so and by whom.
fn end_all<G: Game>(call: &RequestContext, row: &EventRow, why: &str) -> Result<usize, Problem> {
    let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
    let archive: &dyn Archive = call.app.store.as_ref();
    // What the tables handed over last stands before this in the writer's queue: now it is there, or has failed.
    archive.append(Vec::new())?;
    let plays: BTreeMap<_, _> = archive.plays(&row.id)?.into_iter().map(|play| (play.id, play)).collect();
    let ending = Ending { by: call.author(), who: call.who.name() };
    let audit = vec![call.audit("finish", why, &Value::Null, &Value::Null)];
    let write = EventWrite { audit, ..EventWrite::default() };
    let log = call.app.halls.logs().open(&row.id)?;
    let play = |id| plays.get(&id).cloned();
    Ok(crate::desk::finish::finish(archive, &log, &opened.dealer, play, &ending, write)?)
}
