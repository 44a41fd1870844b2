//! Standings and cross-tabulations, live and afterwards, as JSON, text, CSV or XLSX.
//!
//! Who sees what is decided in [`crate::web::audience`].

use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::header::{CONTENT_DISPOSITION, HeaderName, HeaderValue};
use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::desk::archive::EventRow;
use crate::desk::rights::Right;
use crate::games::rulesets::not_known;
use crate::games::{Game, Ruleset as _};
use crate::journal::tally::{StandingLine, Tally};
use crate::scoring::output;
use crate::scoring::paper::{Cells, Names, view_sheets, workbook_sheets};
use crate::scoring::report::{Missing, View, view_json};
use crate::scoring::sheet::{Sheet, to_xlsx};
use crate::web::answer::{Answer, tagged};
use crate::web::audience::{Pending, Sees, public, sees};
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
    /// Whether the desk, too, is shown what the public sees.
    #[serde(default)]
    public: bool,
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
    /// Whether the desk, too, is shown what the public sees.
    #[serde(default)]
    public: bool,
}

/// For whom a stream or a sheet is.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct PublicParams {
    /// Whether the desk, too, is shown what the public sees.
    #[serde(default)]
    pub(super) public: bool,
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
    /// The same as tables show it: percent or a number, with two decimals or as many as tell it from every other one.
    shown: Option<String>,
    /// How many results count.
    boards: u32,
    /// The step that decided the place.
    decided_by: Option<String>,
    /// The rulings that results of the entrant rest on, penalties included.
    rulings: Vec<u32>,
    /// At how many of the counted boards a computer player decided for the entrant, as nobody had come.
    stood_in: u32,
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
    /// The revision that they are; `null` for the desk, and before the first publication.
    revision: Option<u32>,
    /// For the desk: what is not published yet.
    pending: Option<Pending>,
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
        .query::<PublicParams>()
        .streams()
        .to(super::live::live);
}

/// The media type of a workbook.
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// What the asker sees of an event whose seats are drawn; `as_public`: even at the desk what the public sees.
///
/// # Errors
/// The seats are not drawn; the standings are frozen.
pub fn audience(call: &Call, row: &EventRow, as_public: bool) -> Result<Sees, Problem> {
    desk::at_stage(row, &[Stage::Locked, Stage::Published])?;
    if as_public { public(&call.app, row) } else { sees(&call.app, &call.who, row) }
}

/// What is shown: how far the boards are, the results, and what of them is not published yet.
struct Seen {
    so_far: SoFar,
    tally: Tally,
    pending: Option<Pending>,
}

fn seen<G: Game>(call: &Call, opened: &Opened<G>, scope: Sees) -> Result<Seen, Problem> {
    let (so_far, tally) = opened.tally(&call.app, scope)?;
    let pending = if scope == Sees::Everything { opened.pending(&call.app, &tally)? } else { None };
    Ok(Seen { so_far, tally, pending })
}

fn sheet<G: Game>(row: &EventRow, opened: &Opened<G>, scope: Sees, seen: Seen) -> StandingsSheet {
    let Seen { so_far, tally, pending } = seen;
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
    let stood_in = opened.stood_in(&boards.iter().copied().collect());
    let averages = tally.ranking.shown(tally.event.rules().method);
    let line = |(line, shown): (&StandingLine, Option<String>)| Standing {
        entrant: line.entrant.clone(),
        name: name(&line.entrant),
        rank: line.rank.clone(),
        unranked: line.unranked.clone(),
        average: line.average.as_ref().map(ToString::to_string),
        shown,
        boards: line.boards,
        decided_by: line.decided_by.map(|step| step.to_string()),
        rulings: rulings.get(line.entrant.as_str()).into_iter().flatten().copied().collect(),
        stood_in: stood_in.get(&line.entrant).copied().unwrap_or(0),
    };
    StandingsSheet {
        event: row.id.clone(),
        state: row.state.clone(),
        complete: so_far.complete,
        big_points: opened.event.rules.table().map(str::to_owned),
        boards,
        standings: tally.standings.iter().zip(averages).map(line).collect(),
        revision: scope.revision(),
        pending,
    }
}

/// The standings for one who sees so much of the results.
///
/// # Errors
/// The archive.
pub fn standings_text<G: Game>(call: &Call, row: &EventRow, scope: Sees) -> Result<Vec<u8>, Problem> {
    let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
    let seen = seen(call, &opened, scope)?;
    serde_json::to_vec(&sheet(row, &opened, scope, seen)).map_err(Problem::internal)
}

async fn standings(call: Call, Params(params): Params<FormParams>) -> Answer {
    if params.format != "json" {
        let FormParams { format, public } = params;
        let params = ViewParams { format, board: None, seat: None, entrant: None, other: None, public };
        return written(&call, "ranking".to_owned(), params).await;
    }
    let bytes = call
        .work(move |call| {
            let row = desk::row(call)?;
            let scope = audience(call, &row, params.public)?;
            with_game!(desk::kind(&row)?, G => standings_text::<G>(call, &row, scope))
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

async fn results(call: &Call, params: &ViewParams) -> Answer {
    if params.format != "csv" {
        return Err(Problem::said(Code::BadQuery, not_known("format", &params.format, &["csv"])));
    }
    let public = params.public;
    let (bytes, pending) = call
        .work(move |call| {
            let row = desk::row(call)?;
            let scope = audience(call, &row, public)?;
            let seen = with_game!(desk::kind(&row)?, G => {
                let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
                seen(call, &opened, scope)?
            });
            Ok((output::write(&seen.tally.event).into_bytes(), seen.pending))
        })
        .await?;
    marked(call, "text/csv; charset=utf-8", bytes, pending.as_ref(), "csv")
}

/// The header that names the rulings which are in an answer for the desk and in no publication yet.
const PENDING: HeaderName = HeaderName::from_static("fushi-pending");

/// A file of results; what is not published yet says so in a header and in its name.
fn marked(call: &Call, media_type: &str, bytes: Vec<u8>, pending: Option<&Pending>, form: &str) -> Answer {
    let mut answer = tagged(call.if_none_match.as_deref(), media_type, bytes)?;
    let Some(pending) = pending else { return Ok(answer) };
    let numbers: Vec<String> = pending.rulings.iter().map(ToString::to_string).collect();
    let headers = answer.headers_mut();
    headers.insert(PENDING, HeaderValue::from_str(&numbers.join(", ")).map_err(Problem::internal)?);
    if form != "json" {
        let event = call.event.as_deref().unwrap_or_default();
        let name = format!("attachment; filename=\"{event}-pending.{}\"", form.replace("text", "txt"));
        headers.insert(CONTENT_DISPOSITION, HeaderValue::from_str(&name).map_err(Problem::internal)?);
    }
    Ok(answer)
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
    let public = params.public;
    let (bytes, pending) = call
        .work(move |call| {
            let row = desk::row(call)?;
            let scope = audience(call, &row, public)?;
            let (mut seen, names, table) = with_game!(desk::kind(&row)?, G => {
                let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
                let table = opened.event.rules.table().map(str::to_owned);
                (seen(call, &opened, scope)?, opened.event.names(), table)
            });
            Ok((write(&mut seen.tally, &view, &form, call.lang, &names, table.as_deref())?, seen.pending))
        })
        .await?;
    let media_type = match params.format.as_str() {
        "text" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "xlsx" => XLSX,
        _ => "application/json",
    };
    marked(call, media_type, bytes, pending.as_ref(), &params.format)
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
    let with_note = |mut sheets: Vec<Sheet>| {
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
    let sheets = |cells| view_sheets(&settled, view, cells, lang, names).map(with_note).map_err(missing);
    Ok(match form {
        "text" => {
            let pages: Vec<String> = sheets(Cells::Joined)?.iter().map(Sheet::to_text).collect();
            pages.join("\n").into_bytes()
        }
        "csv" => sheets(Cells::Apart)?.iter().map(Sheet::to_csv).collect::<String>().into_bytes(),
        "xlsx" => {
            let sheets = match view {
                View::Ranking => with_note(workbook_sheets(&settled, lang, names)),
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
