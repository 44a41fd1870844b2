//! Standings and cross-tabulations, live and afterwards, as JSON, text, CSV or XLSX.
//!
//! Who sees what is decided in [`crate::web::audience`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use actix_web::http::header::{CONTENT_DISPOSITION, HeaderName, HeaderValue};
use actix_web::web;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::desk::rights::Right;
use crate::event::EventError;
use crate::event::EventState;
use crate::event::archive::EventRow;
use crate::formats::StandingRow;
use crate::formats::tally::{StandingLine, Tally};
use crate::games::rulesets::not_known;
use crate::games::{Game, Ruleset as _};
use crate::scoring::output;
use crate::scoring::paper::{Cells, Names, view_sheets, workbook_sheets};
use crate::scoring::report::{Missing, View as Wanted, view_json};
use crate::scoring::sheet::{Field, Sheet, to_xlsx};
use crate::web::answer::{Answer, tagged};
use crate::web::audience::{Pending, Sees, View, public, sees};
use crate::web::context::{Params, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::read_model::{LoadedEvent, SoFar};
use crate::web::routes::Table;
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
    /// The entrant's name, with the number where several entrants have the same one.
    name: String,
    /// The place as the rank style writes it.
    rank: Option<String>,
    /// How many places better than before the board that was counted last, below 0 for worse: of public standings
    /// during play; otherwise, and where there is no place before or now, `null`.
    moved: Option<i64>,
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

/// A meeting that decided a direct encounter.
#[derive(Debug, Serialize, ToSchema)]
pub struct DirectMeeting {
    /// The round.
    round: u32,
    /// The table.
    table: u32,
    /// The entrant in the first position.
    one: String,
    /// The other entrant.
    other: String,
    /// The score of each, exact.
    scores: [String; 2],
    /// The round points of each.
    points: [u32; 2],
}

/// A row of the standings of a stage or group.
#[derive(Debug, Serialize, ToSchema)]
pub struct StageRow {
    /// The place as the rank style writes it.
    rank: Option<String>,
    /// Why there is no place.
    unranked: Option<String>,
    /// The entrant's id.
    entrant: String,
    /// The entrant's name, with the number where several entrants have the same one.
    name: String,
    /// The numbers in the order of `columns`, exact.
    values: Vec<String>,
    /// The step that parts this row from the next one.
    decided_by: Option<String>,
    /// The meetings that decided a direct encounter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    encounters: Vec<DirectMeeting>,
}

/// The standings of a stage, or of a group of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct StageStandings {
    /// The stage, from 1.
    stage: u32,
    /// The group, where the stage has groups.
    group: Option<String>,
    /// The columns of the ranking: `average`, `boards`, `round-points`, `net` …
    columns: Vec<String>,
    /// The rows in order.
    rows: Vec<StageRow>,
}

/// The standings as the ranking gives them, stage by stage and group by group.
fn stages(rows: &[StandingRow], names: &Names) -> Vec<StageStandings> {
    let mut stages: Vec<StageStandings> = Vec::new();
    for row in rows {
        let direct = |one: &crate::formats::Encounter| DirectMeeting {
            round: one.round,
            table: one.table,
            one: one.one.clone(),
            other: one.other.clone(),
            scores: [one.scores.0.to_string(), one.scores.1.to_string()],
            points: [one.points.0, one.points.1],
        };
        let line = StageRow {
            rank: row.rank.clone(),
            unranked: row.unranked.map(str::to_owned),
            entrant: row.entrant.clone(),
            name: names.get(&row.entrant).unwrap_or(&row.entrant).clone(),
            values: row.columns.iter().map(|(_, value)| value.to_string()).collect(),
            decided_by: row.decided_by.map(str::to_owned),
            encounters: row.encounters.iter().map(direct).collect(),
        };
        match stages.last_mut().filter(|last| (last.stage, &last.group) == (row.stage, &row.group)) {
            Some(last) => last.rows.push(line),
            None => stages.push(StageStandings {
                stage: row.stage,
                group: row.group.clone(),
                columns: row.columns.iter().map(|(name, _)| (*name).to_owned()).collect(),
                rows: vec![line],
            }),
        }
    }
    stages
}

/// The standings.
#[derive(Debug, Serialize, ToSchema)]
pub struct StandingsSheet {
    /// The event.
    event: String,
    /// Whose results these are: `public`, or `desk`, which is not for the hall.
    view: View,
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
    /// The standings of each stage and group in the columns of its ranking; of a single stage that is ranked by comparison
    /// they say the same as `standings`.
    stages: Vec<StageStandings>,
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
        .or_file(&["text/plain", "text/csv", XLSX])
        .to(standings);
    table
        .get(
            "/api/v1/events/{event}/views/{view}",
            Right::SeePublic,
            "getView",
            "A view of the results: ranking, stages, cross-tab, traveller, card, seats, versus, explain; results (CSV only) is what `fushi rank` reads",
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
pub fn audience(call: &RequestContext, row: &EventRow, as_public: bool) -> Result<Sees, Problem> {
    desk::in_state(row, EventState::is_drawn)?;
    if as_public { public(&call.app, row) } else { sees(&call.app, &call.who, row) }
}

/// What is shown: how far the boards are, the results, what of them is not published yet, and to whom.
struct Seen {
    so_far: SoFar,
    tally: Arc<Tally>,
    rows: Vec<StandingRow>,
    pending: Option<Pending>,
    scope: Sees,
}

fn seen(call: &RequestContext, event: &str, scope: Sees) -> Result<Seen, Problem> {
    call.app.read_model.look(&call.app, event, |state| {
        let pending = match scope {
            Sees::Everything => state.pending().map_err(EventError::from)?,
            Sees::SoFar | Sees::Revision { .. } => None,
        };
        let tally = state.tally(scope).map_err(EventError::from)?;
        Ok(Seen { so_far: state.so_far(), tally, rows: state.rows(scope), pending, scope })
    })
}

/// How many places each entrant has gained since the board that was counted last, in the order of the movement: from
/// the standings without it and without what was ruled about it. Only public standings during play have moved.
fn moved(call: &RequestContext, event: &str, seen: &Seen) -> Result<BTreeMap<String, i64>, Problem> {
    if seen.scope != Sees::SoFar || seen.so_far.complete {
        return Ok(BTreeMap::new());
    }
    let before = call
        .app
        .read_model
        .look(&call.app, event, |state| Ok(state.before_the_last().map_err(EventError::from)?))?;
    let Some(before) = before else { return Ok(BTreeMap::new()) };
    let number = |tally: &Tally, id: &str| {
        Some(tally.ranking.of(id)?.place.as_ref().ok()?.number(tally.ranking.style))
    };
    let moved = |line: &StandingLine| {
        let (before, now) = (number(&before, &line.entrant)?, number(&seen.tally, &line.entrant)?);
        Some((line.entrant.clone(), i64::from(before) - i64::from(now)))
    };
    Ok(seen.tally.standings.iter().filter_map(moved).collect())
}

fn sheet<G: Game>(
    call: &RequestContext,
    row: &EventRow,
    opened: &LoadedEvent<G>,
    seen: Seen,
    moved: &BTreeMap<String, i64>,
) -> Result<StandingsSheet, Problem> {
    let Seen { so_far, tally, rows, pending, scope } = seen;
    let mut boards: Vec<u32> = tally.results.iter().map(|line| line.board).collect();
    boards.sort_unstable();
    boards.dedup();
    let names = opened.event.names();
    let mut rulings: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for line in &tally.results {
        rulings.entry(line.entrant.as_str()).or_default().extend(&line.rulings);
    }
    let stood_in = opened.stood_in(&call.app, &boards.iter().copied().collect())?;
    let stages = stages(&rows, &names);
    let averages = tally.ranking.shown(tally.event.rules().method);
    let line = |(line, shown): (&StandingLine, Option<String>)| Standing {
        entrant: line.entrant.clone(),
        name: names.get(&line.entrant).unwrap_or(&line.entrant).clone(),
        rank: line.rank.clone(),
        moved: moved.get(&line.entrant).copied(),
        unranked: line.unranked.clone(),
        average: line.average.as_ref().map(ToString::to_string),
        shown,
        boards: line.boards,
        decided_by: line.decided_by.map(|step| step.to_string()),
        rulings: rulings.get(line.entrant.as_str()).into_iter().flatten().copied().collect(),
        stood_in: stood_in.get(&line.entrant).copied().unwrap_or(0),
    };
    Ok(StandingsSheet {
        event: row.id.clone(),
        view: scope.view(),
        state: row.state.to_string(),
        complete: so_far.complete,
        big_points: opened.event.rules.table().map(str::to_owned),
        boards,
        standings: tally.standings.iter().zip(averages).map(line).collect(),
        stages,
        revision: scope.revision(),
        pending,
    })
}

/// The standings for one who sees so much of the results.
///
/// # Errors
/// The archive.
pub fn standings_text<G: Game>(
    call: &RequestContext,
    row: &EventRow,
    scope: Sees,
) -> Result<Arc<Vec<u8>>, Problem> {
    let made_of = call.app.read_model.look(&call.app, &row.id, |state| Ok(state.made_of(scope)))?;
    let (key, made_of) = (format!("standings {scope:?}"), format!("{made_of} {}", row.state));
    call.app.read_model.text(&row.id, &key, &made_of, || {
        let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
        let seen = seen(call, &row.id, scope)?;
        let moved = moved(call, &row.id, &seen)?;
        serde_json::to_vec(&sheet(call, row, &opened, seen, &moved)?).map_err(Problem::internal)
    })
}

async fn standings(call: RequestContext, Params(params): Params<FormParams>) -> Answer {
    if params.format != "json" {
        let FormParams { format, public } = params;
        let params = ViewParams { format, board: None, seat: None, entrant: None, other: None, public };
        return written(&call, "ranking".to_owned(), params).await;
    }
    let (bytes, view) = call
        .work(move |call| {
            let row = desk::row(call)?;
            let scope = audience(call, &row, params.public)?;
            let text = with_game!(desk::kind(&row)?, G => standings_text::<G>(call, &row, scope))?;
            Ok((text, scope.view()))
        })
        .await?;
    let mut answer = tagged(call.if_none_match.as_deref(), "application/json", bytes.to_vec())?;
    answer.headers_mut().insert(VIEW, HeaderValue::from_static(view.word()));
    Ok(answer)
}

async fn view(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Params(params): Params<ViewParams>,
) -> Answer {
    let (_, name) = path.into_inner();
    written(&call, name, params).await
}

fn wanted(name: &str, params: &ViewParams) -> Result<Wanted, Problem> {
    let need = |what: &'static str, value: Option<String>| {
        value.ok_or_else(|| {
            Problem::said(Code::BadQuery, Message::plain("web-missing-field").with("word", what))
        })
    };
    let board = || need("board", params.board.map(|board| board.to_string()));
    let entrant = || need("entrant", params.entrant.clone());
    Ok(match name {
        "ranking" => Wanted::Ranking,
        "cross-tab" => Wanted::CrossTab,
        "traveller" => Wanted::Traveller(board()?),
        "card" => Wanted::Card(entrant()?),
        "seats" => Wanted::Seats,
        "versus" => Wanted::Versus(entrant()?, need("other", params.other.clone())?),
        "explain" => Wanted::Explain(board()?, need("seat", params.seat.clone())?, entrant()?),
        other => {
            let known = [
                "ranking",
                "stages",
                "cross-tab",
                "traveller",
                "card",
                "seats",
                "versus",
                "explain",
                "results",
            ];
            return Err(Problem::said(Code::NotFound, not_known("view", other, &known)));
        }
    })
}

async fn results(call: &RequestContext, params: &ViewParams) -> Answer {
    if params.format != "csv" {
        return Err(Problem::said(Code::BadQuery, not_known("format", &params.format, &["csv"])));
    }
    let public = params.public;
    let (bytes, of) = call
        .work(move |call| {
            let row = desk::row(call)?;
            let scope = audience(call, &row, public)?;
            let seen = seen(call, &row.id, scope)?;
            Ok((output::write(&seen.tally.event).into_bytes(), (scope.view(), seen.pending)))
        })
        .await?;
    marked(call, "text/csv; charset=utf-8", bytes, &of, "csv")
}

/// The header that says whose results an answer holds: `public` or `desk`.
pub(super) const VIEW: HeaderName = HeaderName::from_static("fushi-view");

/// The header that names the rulings which are in an answer for the desk and in no publication yet.
const PENDING: HeaderName = HeaderName::from_static("fushi-pending");

/// A file of results, of whose view and with what is not published yet: what is not for everybody says so in a header
/// and in its name.
fn marked(
    call: &RequestContext,
    media_type: &str,
    bytes: Vec<u8>,
    (view, pending): &(View, Option<Pending>),
    form: &str,
) -> Answer {
    let mut answer = tagged(call.if_none_match.as_deref(), media_type, bytes)?;
    let headers = answer.headers_mut();
    headers.insert(VIEW, HeaderValue::from_static(view.word()));
    if let Some(pending) = pending {
        let numbers: Vec<String> = pending.rulings.iter().map(ToString::to_string).collect();
        headers.insert(PENDING, HeaderValue::from_str(&numbers.join(", ")).map_err(Problem::internal)?);
    }
    if *view == View::Desk && form != "json" {
        let event = call.event.as_deref().unwrap_or_default();
        let what = if pending.is_some() { "pending" } else { view.word() };
        let name = format!("attachment; filename=\"{event}-{what}.{}\"", form.replace("text", "txt"));
        headers.insert(CONTENT_DISPOSITION, HeaderValue::from_str(&name).map_err(Problem::internal)?);
    }
    Ok(answer)
}

/// The word of a column or of a step of a ranking.
fn ranking_word(lang: Lang, id: &str) -> String {
    let known = match id {
        "round-points" => "watch-column-round-points",
        "net" => "watch-column-net",
        "average" => "watch-column-average",
        "boards" => "watch-column-boards",
        "direct" => "watch-step-direct",
        "lot" => "watch-step-lot",
        "shared" => "watch-step-shared",
        other => return other.to_owned(),
    };
    say(lang, &Message::plain(known))
}

/// The standings of each stage and group as sheets: the columns of its ranking.
fn stage_sheets(rows: &[StandingRow], names: &Names, lang: Lang) -> Vec<Sheet> {
    let word = |id| say(lang, &Message::plain(id));
    let sheet = |stage: StageStandings| {
        let number = stage.stage;
        let title = match &stage.group {
            Some(group) => Message::plain("watch-stage-group").with("stage", number).with("group", group),
            None => Message::plain("watch-stage").with("stage", number),
        };
        let columns = stage.columns.iter().map(|id| ranking_word(lang, id));
        let head = [word("watch-rank"), word("watch-name")].into_iter().chain(columns);
        let line = |row: StageRow| {
            let decided = row.decided_by.map(|id| ranking_word(lang, &id)).unwrap_or_default();
            let number = |text: String| text.parse().map_or_else(|_| Field::text(text), Field::Int);
            let first = [Field::text(row.rank.unwrap_or_default()), Field::text(row.name)];
            let values = row.values.into_iter().map(number);
            first.into_iter().chain(values).chain([Field::text(decided)]).collect()
        };
        Sheet {
            title: say(lang, &title),
            notes: Vec::new(),
            head: head.chain([word("watch-decided")]).collect(),
            rows: stage.rows.into_iter().map(line).collect(),
        }
    };
    stages(rows, names).into_iter().map(sheet).collect()
}

/// The standings of the stages in any form.
async fn stages_written(call: &RequestContext, params: &ViewParams) -> Answer {
    let (form, public) = (params.format.clone(), params.public);
    let (bytes, of) = call
        .work(move |call| {
            let row = desk::row(call)?;
            let scope = audience(call, &row, public)?;
            let names = with_game!(desk::kind(&row)?, G => {
                call.app.read_model.open::<G>(&call.app, &row.id, "server")?.event.names()
            });
            let seen = seen(call, &row.id, scope)?;
            let sheets = stage_sheets(&seen.rows, &names, call.lang);
            let bytes = match form.as_str() {
                "text" => sheets.iter().map(Sheet::to_text).collect::<Vec<_>>().join("\n").into_bytes(),
                "csv" => sheets.iter().map(Sheet::to_csv).collect::<String>().into_bytes(),
                "xlsx" => to_xlsx(&sheets).map_err(|told| Problem::said(Code::Refused, told))?,
                _ => serde_json::to_vec(&stages(&seen.rows, &names)).map_err(Problem::internal)?,
            };
            Ok((bytes, (scope.view(), seen.pending)))
        })
        .await?;
    marked(call, media_type(&params.format), bytes, &of, &params.format)
}

/// The media type of a form.
fn media_type(form: &str) -> &'static str {
    match form {
        "text" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "xlsx" => XLSX,
        _ => "application/json",
    }
}

async fn written(call: &RequestContext, name: String, params: ViewParams) -> Answer {
    if name == "results" {
        return results(call, &params).await;
    }
    let form = params.format.clone();
    let known = ["json", "text", "csv", "xlsx"];
    if !known.contains(&form.as_str()) {
        return Err(Problem::said(Code::BadQuery, not_known("format", &form, &known)));
    }
    if name == "stages" {
        return stages_written(call, &params).await;
    }
    let view = wanted(&name, &params)?;
    let public = params.public;
    let (bytes, of) = call
        .work(move |call| {
            let row = desk::row(call)?;
            let scope = audience(call, &row, public)?;
            let (names, table) = with_game!(desk::kind(&row)?, G => {
                let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
                let table = opened.event.rules.table().map(str::to_owned);
                (opened.event.names(), table)
            });
            let seen = seen(call, &row.id, scope)?;
            let about = About { view: scope.view(), lang: call.lang, table: table.as_deref() };
            Ok((write(&seen.tally.event, &view, &form, &names, &about)?, (scope.view(), seen.pending)))
        })
        .await?;
    marked(call, media_type(&params.format), bytes, &of, &params.format)
}

/// What every file says of itself: whose results it holds, in which language, and the name of the table of big points,
/// where the game has one (`TL 7.2`).
struct About<'a> {
    view: View,
    lang: Lang,
    table: Option<&'a str>,
}

impl About<'_> {
    /// The lines that stand on every sheet.
    fn notes(&self) -> Vec<String> {
        let desk = (self.view == View::Desk).then(|| say(self.lang, &Message::plain("results-desk-file")));
        let big_points = |table| format!("{}: {table}", say(self.lang, &Message::plain("rules-big-points")));
        desk.into_iter().chain(self.table.map(big_points)).collect()
    }
}

/// A view as a file.
fn write(
    event: &crate::scoring::Event,
    view: &Wanted,
    form: &str,
    names: &Names,
    about: &About<'_>,
) -> Result<Vec<u8>, Problem> {
    let (lang, notes) = (about.lang, about.notes());
    let with_note = |mut sheets: Vec<Sheet>| {
        for sheet in &mut sheets {
            sheet.notes.extend(notes.iter().cloned());
        }
        sheets
    };
    let mut event = event.clone();
    let settled = event.settle();
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
                Wanted::Ranking => with_note(workbook_sheets(&settled, lang, names)),
                _ => sheets(Cells::Apart)?,
            };
            to_xlsx(&sheets).map_err(|message| Problem::said(Code::Refused, message))?
        }
        _ => named_json(&view_json(&settled, view).map_err(missing)?, about)?.into_bytes(),
    })
}

/// The JSON of a view with what every file says of itself. The numbers of a view stay as they are written.
fn named_json(view: &str, about: &About<'_>) -> Result<String, Problem> {
    let rest = view.strip_prefix('{').ok_or_else(|| Problem::internal("a view is an object"))?;
    let big_points = match about.table {
        Some(table) => {
            format!("\"big_points\":{},", serde_json::to_string(table).map_err(Problem::internal)?)
        }
        None => String::new(),
    };
    Ok(format!("{{{big_points}\"view\":\"{}\",{rest}", about.view.word()))
}
