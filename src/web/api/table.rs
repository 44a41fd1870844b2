//! A board at a table as it is now, for referees: what everybody at the table may see, and no more.
//!
//! It is made of the board's journal with the eyes of the public (`Viewer::Public`): no hand, no choice that is still
//! open, no hash. Looking into hands is an order at a table, and logged.

use std::collections::BTreeMap;

use actix_web::web;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::calls::unread;
use crate::desk::draft::rules_of;
use crate::desk::rights::Right;
use crate::event::archive::{Archive, EventRow};
use crate::event::ledger::Ledger as _;
use crate::games::{Game, Viewer};
use crate::journal::control::{ControlKind, Line};
use crate::journal::{Board, scan_line};
use crate::tables::Answer as TableAnswer;
use crate::tables::message::what;
use crate::web::answer::{Answer, ok};
use crate::web::context::RequestContext;
use crate::web::desk;
use crate::web::problem::Problem;
use crate::web::routes::Table;
use crate::with_game;

/// A line of the journal as everybody at the table may know it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableLine {
    /// Its number.
    n: u32,
    /// Since the board opened at this table, ms.
    at_ms: i64,
    /// What happened, as the play protocol says it.
    #[schema(value_type = Object)]
    what: Map<String, Value>,
}

/// How many commands of a seat were refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefusedCount {
    /// The seat.
    seat: String,
    /// How many.
    count: u64,
}

/// A board at a table as it is now.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableSheet {
    /// The round.
    round: u32,
    /// The board.
    board: u32,
    /// The table.
    table: u32,
    /// The game.
    game: String,
    /// The rules.
    #[schema(value_type = Object)]
    rules: Value,
    /// Who sits where: seat name → entrant id, `ai:LEVEL` or `stand-in:N`.
    seats: BTreeMap<String, String>,
    /// `sealed` (nobody has opened it here), `open` or `over`.
    state: &'static str,
    /// The board as everybody at the table knows it; `null` while it is sealed.
    #[schema(value_type = Option<Object>)]
    view: Option<Value>,
    /// What happened, in order, without the dealer's steps.
    lines: Vec<TableLine>,
    /// Who was refused something, and how often.
    refused: Vec<RefusedCount>,
}

pub(super) fn add(table: &mut Table) {
    table
        .get(
            "/api/v1/events/{event}/boards/{board}/tables/{table}/public",
            Right::SeeFloor,
            "getTable",
            "A board at a table as everybody there sees it now: phase, bids, tricks, times; no hand, no open choice",
        )
        .answers::<TableSheet>(200)
        .to(get);
}

async fn get(call: RequestContext, path: web::Path<(String, String, String)>) -> Answer {
    let (_, board, table) = path.into_inner();
    let board: u32 = board.parse().map_err(|_| Problem::missing("board"))?;
    let table: u32 = table.parse().map_err(|_| Problem::missing("table"))?;
    let sheet = call.work(move |call| {
        let row = desk::row(call)?;
        with_game!(desk::kind(&row)?, G => of::<G>(call, &row, board, table))
    });
    ok(&sheet.await?)
}

fn of<G: Game>(call: &RequestContext, row: &EventRow, board: u32, table: u32) -> Result<TableSheet, Problem> {
    let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
    let event = &opened.event;
    let found = event.sittings().zip(&opened.plays).find(|(one, _)| (one.board, one.table) == (board, table));
    let (sitting, play) = found.ok_or_else(|| Problem::missing(format!("board {board} at table {table}")))?;
    let mut sheet = TableSheet {
        round: sitting.round,
        board,
        table,
        game: row.game.clone(),
        rules: rules_of::<G>(&event.rules).0,
        seats: event.seats(sitting.who),
        state: "sealed",
        view: None,
        lines: Vec::new(),
        refused: refused::<G>(call, play.id)?,
    };
    let archive: &dyn Archive = call.app.store.as_ref();
    let journal = archive.journal(play.id)?;
    let damaged = || super::boards::damaged(board, table);
    if opened.damaged(&call.app).contains_key(&play.id.0) {
        return Err(damaged());
    }
    if journal.is_empty() {
        return Ok(sheet);
    }
    let header = opened.header(board)?;
    super::boards::sound(&header, play, &journal, (board, table))?;
    let mut state = Board::open(&header);
    for entry in journal.iter().skip(1) {
        let line = scan_line::<G>(&entry.body).map_err(|_| damaged())?;
        let before = state.state().clone();
        let played = match &line {
            Line::Action(entry) => state.play(entry).is_ok(),
            Line::Control(note) => state.note(note).is_ok(),
        };
        if !played {
            return Err(damaged());
        }
        if !matches!(&line, Line::Control(note) if note.kind == ControlKind::Deal) {
            let what = what::<G>(&before, state.state(), &line, Viewer::Public);
            sheet.lines.push(TableLine { n: state.lines(), at_ms: entry.at_us / 1000, what });
        }
    }
    sheet.state = if state.over() { "over" } else { "open" };
    let view = G::view(state.state(), Viewer::Public);
    sheet.view = Some(serde_json::to_value(view).map_err(Problem::internal)?);
    Ok(sheet)
}

/// What was refused at a board, counted by seat.
fn refused<G: Game>(
    call: &RequestContext,
    play: crate::event::archive::PlayId,
) -> Result<Vec<RefusedCount>, Problem> {
    let mut counts = BTreeMap::new();
    for given in call.app.store.answers(play).map_err(unread)? {
        if matches!(given.answered.answer, TableAnswer::Refused(_)) {
            *counts.entry(given.seat).or_insert(0_u64) += 1;
        }
    }
    for more in call.app.store.refusals_counted(play).map_err(Problem::internal)? {
        *counts.entry(more.seat).or_insert(0) += more.count;
    }
    let count = |(seat, count)| Some(RefusedCount { seat: G::seat_name(seat)?.to_owned(), count });
    Ok(counts.into_iter().filter_map(count).collect())
}
