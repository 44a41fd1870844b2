//! Evidence for referees: what connections have shown of their players, and the file of a board at a table: who called,
//! what was tried and refused.
//!
//! An action that was refused may name cards of a hand. As long as the board is in play at any table, what was tried and
//! why it was refused is told only to a referee who has looked into this board's hands; that look stands in the board's
//! journal and in the audit log.

use std::collections::BTreeMap;

use actix_web::web;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::boards::{LookSheet, looks_of};
use super::calls::{CallSheet, sheets, unread};
use crate::desk::rights::Right;
use crate::event::archive::{Archive, EventRow, PlayId, PlayRow};
use crate::event::ledger::{Counted, Evidence, Given, Incident, Ledger as _};
use crate::event::model::Sitting;
use crate::games::Game;
use crate::journal::control::{ControlKind, Line};
use crate::journal::scan_line;
use crate::tables::Answer as TableAnswer;
use crate::web::answer::{Answer, ok};
use crate::web::context::{Params, RequestContext};
use crate::web::desk;
use crate::web::problem::Problem;
use crate::web::read_model::LoadedEvent;
use crate::web::routes::Table;
use crate::with_game;

/// What a connection has shown of a person, as often as it did.
#[derive(Debug, Serialize, ToSchema)]
pub struct IncidentLine {
    /// The entrant's id.
    entrant: String,
    /// Which of a pair, 0 or 1.
    member: u8,
    /// `connected`, `disconnected`, `replaced` (by another connection), `left` (the page) or `returned`.
    #[schema(value_type = String)]
    what: Evidence,
    /// How often.
    count: u64,
    /// The first time, µs since 1970.
    first_us: i64,
    /// The last time, µs since 1970.
    last_us: i64,
    /// The board at which the person sat; `null`: at none.
    board: Option<i64>,
    /// The table; `null`: at none.
    table: Option<i64>,
    /// The round; `null`: at none.
    round: Option<i64>,
}

/// What connections have shown.
#[derive(Debug, Serialize, ToSchema)]
pub struct Incidents {
    /// Evidence for a referee, never a verdict; the latest last.
    items: Vec<IncidentLine>,
}

/// A refused command.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefusalLine {
    /// The seat.
    seat: String,
    /// Who sat there: the entrant's id.
    entrant: String,
    /// Since the board opened at this table, ms.
    at_ms: i64,
    /// What was tried, as written; `null` while it is not shown.
    tried: Option<String>,
    /// Why it was refused: the code; `null` while it is not shown.
    code: Option<String>,
    /// The same in words.
    why: Option<String>,
}

/// Refused commands of a seat that are counted only.
#[derive(Debug, Serialize, ToSchema)]
pub struct MoreRefused {
    /// The seat.
    seat: String,
    /// Who sat there: the entrant's id.
    entrant: String,
    /// How many.
    count: u64,
    /// The first of them since the board opened at this table, ms.
    first_ms: i64,
    /// The last of them since the board opened at this table, ms.
    last_ms: i64,
}

/// The referee's file of a board at a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoardFile {
    /// Whether it is shown what was tried: the board is over at every table, or the asker has looked into its hands.
    shown: bool,
    /// The round.
    round: u32,
    /// Who sits where: seat name → entrant id, `ai:LEVEL` or `stand-in:N`.
    seats: BTreeMap<String, String>,
    /// Who called, and what has become of it, in order.
    calls: Vec<CallSheet>,
    /// What was refused, in order: of each seat the first ones.
    refused: Vec<RefusalLine>,
    /// How many more were refused.
    more: Vec<MoreRefused>,
    /// What connections have shown at this board; the latest last.
    incidents: Vec<IncidentLine>,
    /// Who looked into the hands, and why.
    looks: Vec<LookSheet>,
}

/// Which incidents.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct IncidentParams {
    /// Of one entrant only.
    entrant: Option<String>,
}

pub(super) fn add(table: &mut Table) {
    table
        .get(
            "/api/v1/events/{event}/incidents",
            Right::SeeFloor,
            "getIncidents",
            "What connections have shown of their players: counted by person, kind and board",
        )
        .query::<IncidentParams>()
        .answers::<Incidents>(200)
        .to(incidents);
    table
        .get(
            "/api/v1/events/{event}/boards/{board}/tables/{table}/file",
            Right::SeeFloor,
            "getBoardFile",
            "The referee's file of a board at a table: calls, refused actions, connections",
        )
        .answers::<BoardFile>(200)
        .to(file);
}

/// Lets the hall, if it is open, write what it still holds.
async fn settled(call: &RequestContext) -> Result<EventRow, Problem> {
    let row = call.work(desk::row).await?;
    if let Some(hall) = call.app.halls.get(&row.id) {
        hall.incidents_kept().await;
    }
    Ok(row)
}

fn line(incident: Incident, plays: &BTreeMap<PlayId, &PlayRow>) -> IncidentLine {
    let at = incident.play.and_then(|play| plays.get(&play)).map(|row| &row.play);
    IncidentLine {
        entrant: incident.entrant,
        member: incident.member,
        what: incident.what,
        count: incident.count,
        first_us: incident.first_us,
        last_us: incident.last_us,
        board: at.map(|play| play.number),
        table: at.map(|play| play.table_number),
        round: at.map(|play| play.round),
    }
}

async fn incidents(call: RequestContext, Params(params): Params<IncidentParams>) -> Answer {
    let row = settled(&call).await?;
    let items = call
        .work(move |call| {
            let archive: &dyn Archive = call.app.store.as_ref();
            let rows = archive.plays(&row.id)?;
            let plays = rows.iter().map(|row| (row.id, row)).collect();
            let known = call.app.store.incidents(&row.id, None).map_err(Problem::internal)?;
            let wanted = |one: &Incident| params.entrant.as_ref().is_none_or(|who| *who == one.entrant);
            Ok(known.into_iter().filter(wanted).map(|incident| line(incident, &plays)).collect())
        })
        .await?;
    ok(&Incidents { items })
}

async fn file(call: RequestContext, path: web::Path<(String, String, String)>) -> Answer {
    let (_, board, table) = path.into_inner();
    let board: u32 = board.parse().map_err(|_| Problem::missing("board"))?;
    let table: u32 = table.parse().map_err(|_| Problem::missing("table"))?;
    let row = settled(&call).await?;
    let file = call.work(move |call| with_game!(desk::kind(&row)?, G => of::<G>(call, &row, board, table)));
    ok(&file.await?)
}

/// Whether the asker has looked into the hands of this board at this table.
fn has_looked<G: Game>(call: &RequestContext, play: PlayId) -> Result<bool, Problem> {
    if call.needs(Right::LookIntoHand).is_err() {
        return Ok(false);
    }
    let archive: &dyn Archive = call.app.store.as_ref();
    let name = call.who.name();
    let looked = |body: &str| match scan_line::<G>(body) {
        Ok(Line::Control(note)) => {
            note.kind == ControlKind::Look && note.who.as_deref() == Some(name.as_str())
        }
        _ => false,
    };
    Ok(archive.journal(play)?.iter().skip(1).any(|entry| looked(&entry.body)))
}

fn of<G: Game>(call: &RequestContext, row: &EventRow, board: u32, table: u32) -> Result<BoardFile, Problem> {
    let opened: std::sync::Arc<LoadedEvent<G>> =
        call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
    let event = &opened.event;
    let found = event.sittings().zip(&opened.plays).find(|(one, _)| (one.board, one.table) == (board, table));
    let (sitting, play): (Sitting<'_>, &PlayRow) =
        found.ok_or_else(|| Problem::missing(format!("board {board} at table {table}")))?;
    let shown = opened.look(&call.app)?.over_everywhere(board) || has_looked::<G>(call, play.id)?;
    let seating = event.seats(sitting.who);
    let who = |seat| {
        let name = G::seat_name(seat).unwrap_or_default().to_owned();
        let entrant = seating.get(&name).cloned().unwrap_or_default();
        (name, entrant)
    };
    let mut given = call.app.store.answers(play.id).map_err(unread)?;
    given.sort_by(|a, b| (a.at_us, a.seat, a.id.as_str()).cmp(&(b.at_us, b.seat, b.id.as_str())));
    let mut refused = Vec::new();
    for Given { seat, at_us, text, answered, .. } in given {
        let (seat, entrant) = who(seat);
        let at_ms = at_us / 1000;
        if let TableAnswer::Refused(why) = answered.answer {
            let words = why.sentence(call.lang).to_owned();
            refused.push(RefusalLine {
                seat,
                entrant,
                at_ms,
                tried: shown.then_some(text),
                code: shown.then_some(why.code),
                why: shown.then_some(words),
            });
        }
    }
    let counted = call.app.store.refusals_counted(play.id).map_err(Problem::internal)?;
    let more = |one: Counted| {
        let (seat, entrant) = who(one.seat);
        let (first_ms, last_ms) = (one.first_us / 1000, one.last_us / 1000);
        MoreRefused { seat, entrant, count: one.count, first_ms, last_ms }
    };
    let archive: &dyn Archive = call.app.store.as_ref();
    let plays = BTreeMap::from([(play.id, play)]);
    let incidents = call.app.store.incidents(&row.id, Some(play.id)).map_err(Problem::internal)?;
    Ok(BoardFile {
        shown,
        round: sitting.round,
        seats: event.seats(sitting.who),
        calls: sheets(event, &opened.plays, call.app.store.calls_at(play.id).map_err(unread)?),
        refused,
        more: counted.into_iter().map(more).collect(),
        incidents: incidents.into_iter().map(|incident| line(incident, &plays)).collect(),
        looks: looks_of::<G>(call, &row.id, play, &archive.journal(play.id)?)?,
    })
}
