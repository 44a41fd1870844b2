//! A live table to look at: where nobody but computer players takes part, so that it tells nobody anything about a board
//! that he has still to play.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::results::audience;
use crate::desk::rights::Right;
use crate::tables::hall::FloorPlace;
use crate::web::answer::{Answer, ok};
use crate::web::context::{Params, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;
use crate::words::Message;

/// Which table.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct WatchParams {
    /// The table; the first one with an open board where it is absent.
    table: Option<u32>,
}

/// A live table as everybody may see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct WatchedTable {
    /// The tables at which a board is open.
    tables: Vec<u32>,
    /// The board that is open at the table that was asked for; `null` between two boards.
    open: Option<WatchedBoard>,
}

/// A board that is open at a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct WatchedBoard {
    /// The table.
    table: u32,
    /// The board.
    board: u32,
    /// The round.
    round: u32,
    /// Who sits where: seat name → entrant id, `ai:LEVEL` or `stand-in:N`.
    seats: BTreeMap<String, String>,
    /// The board without the cards that are hidden, as a `snapshot` of the play protocol.
    #[schema(value_type = Object)]
    snapshot: Value,
}

pub(super) fn add(table: &mut Table) {
    table
        .get(
            "/api/v1/events/{event}/watch",
            Right::SeePublic,
            "watchTable",
            "A live table without hidden cards, where only computer players take part; otherwise sealed",
        )
        .query::<WatchParams>()
        .answers::<WatchedTable>(200)
        .to(watch);
}

async fn watch(call: RequestContext, Params(params): Params<WatchParams>) -> Answer {
    let row = call
        .work(|call| {
            let row = desk::row(call)?;
            audience(call, &row, true)?;
            Ok(row)
        })
        .await?;
    let hall = call.app.halls.get(&row.id).filter(|hall| hall.only_computers);
    let hall = hall.ok_or_else(|| Problem::said(Code::Sealed, Message::plain("web-not-watched")))?;
    let floor = hall.floor().await;
    let open: Vec<&FloorPlace> = floor.iter().filter(|place| place.handle.is_some()).collect();
    let place = match params.table {
        Some(table) => open.iter().find(|place| place.table == table),
        None => open.first(),
    };
    let mut shown = None;
    if let Some((place, handle)) = place.and_then(|place| Some((place, place.handle.as_ref()?)))
        && let Some(text) = handle.watch().await
    {
        shown = Some(WatchedBoard {
            table: place.table,
            board: place.board,
            round: place.round,
            seats: place.seats.clone(),
            snapshot: serde_json::from_str(&text).map_err(Problem::internal)?,
        });
    }
    let mut tables: Vec<u32> = open.iter().map(|place| place.table).collect();
    tables.sort_unstable();
    tables.dedup();
    ok(&WatchedTable { tables, open: shown })
}
