//! Standings and cross-tabulations, live and afterwards, as JSON, text, CSV or XLSX.
//!
//! Whoever is not at the desk sees boards only once every table has finished them, and nothing while the public
//! standings are frozen.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::desk::archive::EventRow;
use crate::desk::people::People as _;
use crate::desk::rights::Right;
use crate::games::rulesets::not_known;
use crate::games::{Game, Ruleset as _};
use crate::journal::tally::{ResultLine, StandingLine, Tally};
use crate::scoring::explain::show;
use crate::scoring::paper::{Cells, Names, view_sheets, workbook_sheets};
use crate::scoring::report::{Missing, View, view_json};
use crate::scoring::sheet::{Sheet, to_xlsx};
use crate::web::App;
use crate::web::answer::{Answer, tagged};
use crate::web::call::{Call, Params};
use crate::web::desk::{self, Stage};
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;
use crate::web::shelf::{Opened, SoFar};
use crate::with_game;
use crate::words::{Lang, Message, say};

/// In which form.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct FormParams {
    /// `json`, `text`, `csv` or `xlsx`.
    #[serde(default = "json")]
    format: String,
}

fn json() -> String {
    "json".to_owned()
}

/// What of a view, and in which form.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ViewParams {
    /// `json`, `text`, `csv` or `xlsx`.
    #[serde(default = "json")]
    format: String,
    /// The board, for `traveller` and `explain`.
    board: Option<u32>,
    /// The seat, for `explain`.
    seat: Option<String>,
    /// The entrant, for `card`, `versus` and `explain`.
    entrant: Option<String>,
    /// The other entrant, for `versus`.
    other: Option<String>,
}

/// A line of the standings.
#[derive(Debug, Serialize, ToSchema)]
pub struct Standing {
    /// The entrant's id.
    entrant: String,
    /// The entrant's name.
    name: String,
    /// The place as the rank style writes it.
    rank: Option<String>,
    /// Why there is no place.
    unranked: Option<String>,
    /// The exact average (the sum under `total`) as a fraction.
    average: Option<String>,
    /// The same as tables show it: percent with two decimals, or a number with two.
    shown: Option<String>,
    /// How many results count.
    boards: u32,
    /// The step that decided the place.
    decided_by: Option<String>,
    /// The rulings that results of the entrant rest on, penalties included.
    rulings: Vec<u32>,
}

/// The standings.
#[derive(Debug, Serialize, ToSchema)]
pub struct StandingsSheet {
    /// The event.
    event: String,
    /// `locked`, `provisional`, `official` or `final`.
    state: String,
    /// Whether every board is over at every table.
    complete: bool,
    /// The name of the table of big points that the results rest on, where the game has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    big_points: Option<String>,
    /// The boards that are counted.
    boards: Vec<u32>,
    /// The lines in order.
    standings: Vec<Standing>,
}

pub(super) fn add(table: &mut Table) {
    table
        .get("/api/v1/events/{event}/standings", Right::SeePublic, "getStandings", "Standings so far")
        .query::<FormParams>()
        .answers::<StandingsSheet>(200)
        .to(standings);
    table
        .get(
            "/api/v1/events/{event}/views/{view}",
            Right::SeePublic,
            "getView",
            "A view of the results: ranking, cross-tab, traveller, card, seats, versus, explain; results (CSV only) is what `fushi rank` reads",
        )
        .query::<ViewParams>()
        .answers_file(&["application/json", "text/plain", "text/csv", XLSX])
        .to(view);
    table
        .get("/api/v1/events/{event}/live", Right::SeePublic, "watchStandings", "Standings as they change")
        .streams()
        .to(super::live::live);
}

/// The media type of a workbook.
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Whether the public standings of an event are frozen.
///
/// # Errors
/// The database.
pub fn frozen(app: &App, event: &str) -> Result<bool, Problem> {
    Ok(app.store.server_value(&format!("frozen:{event}"))?.is_some_and(|value| !value.is_empty()))
}

/// Whether the asker sees only boards that every table has finished.
///
/// # Errors
/// The seats are not drawn; the standings are frozen.
pub fn audience(call: &Call, row: &EventRow) -> Result<bool, Problem> {
    desk::at_stage(row, &[Stage::Locked, Stage::Published])?;
    if call.who.may(Right::SeeFloor, Some(&row.id)) {
        return Ok(false);
    }
    if frozen(&call.app, &row.id)? {
        return Err(Problem::said(Code::Sealed, Message::plain("web-frozen")));
    }
    Ok(true)
}

fn sheet<G: Game>(row: &EventRow, opened: &Opened<G>, so_far: &SoFar, tally: &Tally) -> StandingsSheet {
    let mut boards: Vec<u32> = tally.results.iter().map(|line| line.board).collect();
    boards.sort_unstable();
    boards.dedup();
    let names: BTreeMap<&str, &str> =
        opened.event.entrants.iter().map(|entrant| (entrant.id.as_str(), entrant.name.as_str())).collect();
    let name = |id: &str| names.get(id).copied().unwrap_or(id).to_owned();
    let mut rulings: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for line in &tally.results {
        rulings.entry(line.entrant.as_str()).or_default().extend(&line.rulings);
    }
    let method = tally.event.rules().method;
    let line = |line: &StandingLine| Standing {
        entrant: line.entrant.clone(),
        name: name(&line.entrant),
        rank: line.rank.clone(),
        unranked: line.unranked.clone(),
        average: line.average.as_ref().map(ToString::to_string),
        shown: line.average.as_ref().map(|average| show(method, average)),
        boards: line.boards,
        decided_by: line.decided_by.map(|step| step.to_string()),
        rulings: rulings.get(line.entrant.as_str()).into_iter().flatten().copied().collect(),
    };
    StandingsSheet {
        event: row.id.clone(),
        state: row.state.clone(),
        complete: so_far.complete,
        big_points: opened.event.rules.table().map(str::to_owned),
        boards,
        standings: tally.standings.iter().map(line).collect(),
    }
}

/// The standings as the asker may see them.
///
/// # Errors
/// As [`audience`]; the archive.
pub fn standings_text<G: Game>(call: &Call, row: &EventRow) -> Result<Vec<u8>, Problem> {
    let everywhere = audience(call, row)?;
    let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
    let (so_far, tally) = opened.tally(&call.app, everywhere)?;
    serde_json::to_vec(&sheet(row, &opened, &so_far, &tally)).map_err(Problem::internal)
}

async fn standings(call: Call, Params(params): Params<FormParams>) -> Answer {
    if params.format != "json" {
        let params =
            ViewParams { format: params.format, board: None, seat: None, entrant: None, other: None };
        return written(&call, "ranking".to_owned(), params).await;
    }
    let bytes = call
        .work(|call| {
            let row = desk::row(call)?;
            with_game!(desk::kind(&row)?, G => standings_text::<G>(call, &row))
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/json", bytes)
}

async fn view(call: Call, path: web::Path<(String, String)>, Params(params): Params<ViewParams>) -> Answer {
    let (_, name) = path.into_inner();
    written(&call, name, params).await
}

fn wanted(name: &str, params: &ViewParams) -> Result<View, Problem> {
    let need = |what: &'static str, value: Option<String>| {
        value.ok_or_else(|| {
            Problem::said(Code::BadQuery, Message::plain("web-missing-field").with("word", what))
        })
    };
    let board = || need("board", params.board.map(|board| board.to_string()));
    let entrant = || need("entrant", params.entrant.clone());
    Ok(match name {
        "ranking" => View::Ranking,
        "cross-tab" => View::CrossTab,
        "traveller" => View::Traveller(board()?),
        "card" => View::Card(entrant()?),
        "seats" => View::Seats,
        "versus" => View::Versus(entrant()?, need("other", params.other.clone())?),
        "explain" => View::Explain(board()?, need("seat", params.seat.clone())?, entrant()?),
        other => {
            let known =
                ["ranking", "cross-tab", "traveller", "card", "seats", "versus", "explain", "results"];
            return Err(Problem::said(Code::NotFound, not_known("view", other, &known)));
        }
    })
}

/// The results as `fushi rank` reads them.
fn plain(results: &[ResultLine]) -> Result<Vec<u8>, Problem> {
    let mut file = csv::Writer::from_writer(Vec::new());
    file.write_record(["board", "seat", "entrant", "score", "table", "status"]).map_err(Problem::internal)?;
    for line in results {
        let score = line.score.as_ref().map(ToString::to_string).unwrap_or_default();
        let table = line.table.map(|table| table.to_string()).unwrap_or_default();
        let board = line.board.to_string();
        file.write_record([&board, &line.seat, &line.entrant, &score, &table, line.status.id()])
            .map_err(Problem::internal)?;
    }
    file.into_inner().map_err(Problem::internal)
}

async fn results(call: &Call, params: &ViewParams) -> Answer {
    if params.format != "csv" {
        return Err(Problem::said(Code::BadQuery, not_known("format", &params.format, &["csv"])));
    }
    let bytes = call
        .work(move |call| {
            let row = desk::row(call)?;
            let tally = with_game!(desk::kind(&row)?, G => {
                let everywhere = audience(call, &row)?;
                let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
                opened.tally(&call.app, everywhere)?.1
            });
            plain(&tally.results)
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "text/csv; charset=utf-8", bytes)
}

async fn written(call: &Call, name: String, params: ViewParams) -> Answer {
    if name == "results" {
        return results(call, &params).await;
    }
    let view = wanted(&name, &params)?;
    let form = params.format.clone();
    let known = ["json", "text", "csv", "xlsx"];
    if !known.contains(&form.as_str()) {
        return Err(Problem::said(Code::BadQuery, not_known("format", &form, &known)));
    }
    let bytes = call
        .work(move |call| {
            let row = desk::row(call)?;
            let (mut tally, names, table) = with_game!(desk::kind(&row)?, G => {
                let everywhere = audience(call, &row)?;
                let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
                let table = opened.event.rules.table().map(str::to_owned);
                (opened.tally(&call.app, everywhere)?.1, opened.event.names(), table)
            });
            write(&mut tally, &view, &form, call.lang, &names, table.as_deref())
        })
        .await?;
    let media_type = match params.format.as_str() {
        "text" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "xlsx" => XLSX,
        _ => "application/json",
    };
    tagged(call.if_none_match.as_deref(), media_type, bytes)
}

/// A view as a file. `table` is the name of the table of big points: it stands on every sheet (`TL 7.2`).
fn write(
    tally: &mut Tally,
    view: &View,
    form: &str,
    lang: Lang,
    names: &Names,
    table: Option<&str>,
) -> Result<Vec<u8>, Problem> {
    let note = table.map(|table| format!("{}: {table}", say(lang, &Message::plain("rules-big-points"))));
    let with_table = |mut sheets: Vec<Sheet>| {
        for sheet in &mut sheets {
            sheet.notes.extend(note.clone());
        }
        sheets
    };
    let settled = tally.event.settle();
    let missing = |missing: Missing| {
        Problem::missing(match missing {
            Missing::Board(given, _) => format!("board {given}"),
            Missing::Seat(given, _) => format!("seat {given}"),
            Missing::Entrant(given, _) => format!("entrant {given}"),
            Missing::Result(board, seat, entrant) => {
                format!("result of {entrant} on board {board} in seat {seat}")
            }
        })
    };
    let sheets = |cells| view_sheets(&settled, view, cells, lang, names).map(with_table).map_err(missing);
    Ok(match form {
        "text" => {
            let pages: Vec<String> = sheets(Cells::Joined)?.iter().map(Sheet::to_text).collect();
            pages.join("\n").into_bytes()
        }
        "csv" => sheets(Cells::Apart)?.iter().map(Sheet::to_csv).collect::<String>().into_bytes(),
        "xlsx" => {
            let sheets = match view {
                View::Ranking => with_table(workbook_sheets(&settled, lang, names)),
                _ => sheets(Cells::Apart)?,
            };
            to_xlsx(&sheets).map_err(|message| Problem::said(Code::Refused, message))?
        }
        _ => named_json(view_json(&settled, view).map_err(missing)?, table)?.into_bytes(),
    })
}

/// The JSON of a view with the name of the table of big points.
fn named_json(view: String, table: Option<&str>) -> Result<String, Problem> {
    let Some(table) = table else { return Ok(view) };
    let mut value: Value = serde_json::from_str(&view).map_err(Problem::internal)?;
    if let Some(object) = value.as_object_mut() {
        object.insert("big_points".to_owned(), table.into());
    }
    serde_json::to_string(&value).map_err(Problem::internal)
}
