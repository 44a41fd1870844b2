//! Calls of the referee: which are open, and what referees say has become of them.
//!
//! A call only goes on: sent, seen by a referee, done. Who was first stands; each step is an entry of the audit log and
//! is told to the player who called.

use std::collections::BTreeMap;

use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::desk::rights::Right;
use crate::event::Event;
use crate::event::archive::{PlayId, PlayRow};
use crate::event::ledger::{CallState, LedgerError, RefereeCall};
use crate::games::Game;
use crate::games::rulesets::not_known;
use crate::web::answer::{Answer, ok};
use crate::web::context::{Body, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;
use crate::with_game;

/// Of a call: seen by a referee, or dealt with.
#[derive(Debug, Serialize, ToSchema)]
pub struct CallStep {
    /// When, µs since 1970.
    at: i64,
    /// The referee's name to log in with.
    by: String,
}

/// A call of the referee.
#[derive(Debug, Serialize, ToSchema)]
pub struct CallSheet {
    /// The round.
    round: u32,
    /// The board.
    board: u32,
    /// The table.
    table: u32,
    /// The seat.
    seat: String,
    /// Who sat there: the entrant's id.
    entrant: String,
    /// The line of the board's journal; with board and table it names the call.
    line: u32,
    /// Since the board opened at this table, ms.
    at_ms: i64,
    /// When, µs since 1970.
    called_us: i64,
    /// In the player's words.
    words: String,
    /// `sent` (it stands in the record), `seen` (by a referee) or `done`.
    #[schema(value_type = String)]
    state: CallState,
    /// Who saw it and when.
    seen: Option<CallStep>,
    /// Who dealt with it and when.
    done: Option<CallStep>,
}

/// What has become of a call.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CallBody {
    /// `seen` or `done`.
    state: String,
}

pub(super) fn add(table: &mut Table) {
    table
        .post(
            "/api/v1/events/{event}/boards/{board}/tables/{table}/calls/{line}",
            Right::OrderTable,
            "markCall",
            "Says that a referee has seen a call or has dealt with it: the player is told; who was first stands",
        )
        .body::<CallBody>()
        .answers::<CallSheet>(200)
        .to(mark);
}

/// The calls as they are told; those at boards that the event does not have are left out.
pub(super) fn sheets<G: Game>(
    event: &Event<G>,
    plays: &[PlayRow],
    calls: Vec<RefereeCall>,
) -> Vec<CallSheet> {
    if calls.is_empty() {
        return Vec::new();
    }
    let sittings: BTreeMap<PlayId, _> =
        plays.iter().zip(event.sittings()).map(|(row, sitting)| (row.id, sitting)).collect();
    let sheet = |call: RefereeCall| {
        let at = sittings.get(&call.play)?;
        let seat = G::seat_name(call.seat).unwrap_or_default().to_owned();
        let entrant = event.seats(at.who).remove(&seat).unwrap_or_default();
        let state = call.state();
        let step = |step: Option<(i64, String)>| step.map(|(at, by)| CallStep { at, by });
        Some(CallSheet {
            round: at.round,
            board: at.board,
            table: at.table,
            seat,
            entrant,
            line: call.line,
            at_ms: call.at_us / 1000,
            called_us: call.called_us,
            words: call.words,
            state,
            seen: step(call.seen),
            done: step(call.done),
        })
    };
    calls.into_iter().filter_map(sheet).collect()
}

/// A ledger that could not be read.
pub(super) fn unread(error: LedgerError) -> Problem {
    match error {
        LedgerError::Busy => Problem::new(Code::Busy),
        other => Problem::internal(other),
    }
}

async fn mark(
    call: RequestContext,
    path: web::Path<(String, String, String, String)>,
    Body(body): Body<CallBody>,
) -> Answer {
    let (_, board, table, line) = path.into_inner();
    let missing = || Problem::missing(format!("call {line} at board {board} at table {table}"));
    let number = |text: &str| text.parse::<u32>().map_err(|_| missing());
    let (board, table, line) = (number(&board)?, number(&table)?, number(&line)?);
    let state = match body.state.as_str() {
        "seen" => CallState::Seen,
        "done" => CallState::Done,
        other => return Err(Problem::said(Code::Refused, not_known("state", other, &["seen", "done"]))),
    };
    let (found, sheet, hall) = call
        .work(move |call| {
            let row = desk::row(call)?;
            with_game!(desk::kind(&row)?, G => {
                let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
                let (event, plays) = (&opened.event, &opened.plays);
                let at = plays.iter().zip(event.sittings()).find(|(_, at)| (at.board, at.table) == (board, table));
                let play = at.map(|(play, _)| play.id);
                let play = play.ok_or_else(|| Problem::missing(format!("board {board} at table {table}")))?;
                let one = |call: &RequestContext| {
                    let calls = call.app.store.calls_at(play).map_err(unread)?;
                    let found = calls.into_iter().find(|one| one.line == line);
                    found.ok_or_else(|| Problem::missing(format!("call {line} at board {board} at table {table}")))
                };
                let before = one(call)?;
                let shown = json!({ "board": board, "table": table, "line": line, "words": before.words,
                                    "seat": G::seat_name(before.seat), "state": state });
                let entry = call.audit("mark-call", "", &json!({ "state": before.state() }), &shown);
                let changed = call.app.store.mark_call((play, line), state, entry).map_err(Problem::internal)?;
                let after = one(call)?;
                let told = changed.is_some_and(|changed| changed).then(|| (play, after.seat, after.state()));
                let sheet = sheets(event, plays, vec![after]).pop();
                Ok((told, sheet, call.app.halls.get(&row.id)))
            })
        })
        .await?;
    if let (Some((play, seat, state)), Some(hall)) = (found, hall) {
        hall.call_went_on(play, seat, line, state).await;
    }
    ok(&sheet.ok_or_else(missing)?)
}
