//! Boards: how far they are, and, once every table has finished one, its deal and everything that was played.

use actix_web::web;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::results::audience;
use crate::desk::archive::{Archive, EventRow};
use crate::desk::event::set_of;
use crate::desk::rights::Right;
use crate::games::Game;
use crate::web::answer::{Answer, ok, tagged};
use crate::web::call::Call;
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;
use crate::with_game;

/// How far a board is.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoardLine {
    /// Its number.
    board: u32,
    /// Its round.
    round: u32,
    /// `sealed`, `open` or `finished`.
    state: &'static str,
    /// Tables that have finished it.
    over: u32,
    /// Tables that play it.
    tables: u32,
}

/// How far the boards are.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoardList {
    items: Vec<BoardLine>,
}

/// A board at a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoardTable {
    /// The table.
    table: u32,
    /// The round.
    round: u32,
    /// Who sat where: seat name → entrant id, `ai:LEVEL` or `stand-in:N`.
    #[schema(value_type = Object)]
    seats: std::collections::BTreeMap<String, String>,
    /// The journal: the receipt, then every entry.
    #[schema(value_type = Vec<Object>)]
    journal: Vec<Value>,
}

/// A board that every table has finished.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoardSheet {
    /// Its number.
    board: u32,
    /// Its set.
    set: String,
    /// The deal and the settings of the board, as in a record's header.
    #[schema(value_type = Object)]
    deal: Map<String, Value>,
    /// Every table that played it.
    tables: Vec<BoardTable>,
}

pub(super) fn add(table: &mut Table) {
    table
        .get("/api/v1/events/{event}/boards", Right::SeePublic, "listBoards", "How far the boards are")
        .answers::<BoardList>(200)
        .to(list);
    table
        .get(
            "/api/v1/events/{event}/boards/{board}",
            Right::SeePublic,
            "getBoard",
            "Deal and journals of a board; sealed until every table has finished it",
        )
        .answers::<BoardSheet>(200)
        .to(get);
}

async fn list(call: Call) -> Answer {
    let items = call
        .work(|call| {
            let row = desk::row(call)?;
            audience(call, &row)?;
            with_game!(desk::kind(&row)?, G => lines::<G>(call, &row))
        })
        .await?;
    ok(&BoardList { items })
}

fn lines<G: Game>(call: &Call, row: &EventRow) -> Result<Vec<BoardLine>, Problem> {
    let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
    let so_far = opened.look(&call.app)?;
    let mut lines = Vec::new();
    for round in &opened.event.rounds {
        for board in &round.boards {
            let (over, tables, begun) = so_far.boards.get(board).copied().unwrap_or_default();
            let state = match (over == tables, begun) {
                (true, _) => "finished",
                (false, 0) => "sealed",
                _ => "open",
            };
            lines.push(BoardLine { board: *board, round: round.round, state, over, tables });
        }
    }
    Ok(lines)
}

async fn get(call: Call, path: web::Path<(String, String)>) -> Answer {
    let (_, board) = path.into_inner();
    let board: u32 = board.parse().map_err(|_| Problem::missing("board"))?;
    let bytes = call
        .work(move |call| {
            let row = desk::row(call)?;
            audience(call, &row)?;
            let sheet = with_game!(desk::kind(&row)?, G => one::<G>(call, &row, board))?;
            serde_json::to_vec(&sheet).map_err(Problem::internal)
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/json", bytes)
}

fn one<G: Game>(call: &Call, row: &EventRow, board: u32) -> Result<BoardSheet, Problem> {
    let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
    let so_far = opened.look(&call.app)?;
    if !so_far.boards.contains_key(&board) {
        return Err(Problem::missing(format!("board {board}")));
    }
    // No right opens it earlier: looking into a live hand is an order at a table, and logged.
    if !so_far.over_everywhere(board) {
        return Err(Problem::new(Code::Sealed));
    }
    let archive: &dyn Archive = call.app.store.as_ref();
    let header = opened.dealer.header(board)?;
    let (announcement, _) = opened.event.announced(archive)?;
    let mut tables = Vec::new();
    for (sitting, play) in opened.event.sittings().zip(&opened.plays) {
        if sitting.board != board {
            continue;
        }
        let journal = archive.journal(play.id)?;
        let journal = journal.iter().map(|entry| serde_json::from_str(&entry.body));
        tables.push(BoardTable {
            table: sitting.table,
            round: sitting.round,
            seats: opened.event.seats(sitting.who),
            journal: journal.collect::<Result<_, _>>().map_err(Problem::internal)?,
        });
    }
    Ok(BoardSheet { board, set: set_of(&announcement, board)?.to_owned(), deal: header.write(), tables })
}
