//! Boards: how far they are, and, once every table has finished one, its deal and everything that was played, also
//! step by step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::results::audience;
use crate::desk::draft::rules_of;
use crate::desk::looks::{Look, looks};
use crate::desk::rights::Right;
use crate::event::EventError;
use crate::event::archive::{Archive, EntryRow, EventRow, PlayId, PlayRow};
use crate::event::called::person_called;
use crate::event::model::set_of;
use crate::event::results::replay_so_far;
use crate::games::story::Fact;
use crate::games::{Game, Refusal as _, Seat, Viewer};
use crate::journal::control::{ControlEntry, ControlKind, Line};
use crate::journal::{Board, Header, scan_line};
use crate::tables::message::what;
use crate::web::answer::{Answer, ok, tagged};
use crate::web::context::{Params, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::read_model::{LoadedEvent, Told};
use crate::web::routes::Table;
use crate::with_game;
use crate::words::Message;

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

/// A referee's look into the hands of a board, for its record.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LookSheet {
    /// The line of the journal.
    line: u32,
    /// Since the board opened at this table, ms; `null` where no clock ran.
    at_ms: Option<u64>,
    /// The account.
    by: String,
    /// The person's name.
    name: String,
    /// Why.
    reason: String,
}

impl From<Look> for LookSheet {
    fn from(look: Look) -> LookSheet {
        let Look { line, at, by, name, reason } = look;
        LookSheet { line, at_ms: at.map(|at| at / 1000), by, name, reason }
    }
}

/// The looks into the hands of a board at a table, from its journal with the receipt.
///
/// # Errors
/// The database.
pub(super) fn looks_of<G: Game>(
    call: &RequestContext,
    event: &str,
    play: &PlayRow,
    journal: &[EntryRow],
) -> Result<Vec<LookSheet>, Problem> {
    let bodies = journal.iter().skip(1).map(|entry| entry.body.as_str());
    let looks = looks::<G>(call.app.store.as_ref(), event, play, bodies)?;
    Ok(looks.into_iter().map(LookSheet::from).collect())
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
    seats: BTreeMap<String, String>,
    /// The journal: the receipt, then every entry. A line that cannot be read is a text.
    #[schema(value_type = Vec<Object>)]
    journal: Vec<Value>,
    /// Who looked into the hands, and why: a line of the journal names only the account.
    looks: Vec<LookSheet>,
    /// What is wrong with the journal: it counts as not played until a ruling says otherwise. Absent where it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    damaged: Option<String>,
}

/// What of a board.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct BoardParams {
    /// Whether the journals are answered, too; without them `tables` is empty.
    #[serde(default = "yes")]
    journals: bool,
}

const fn yes() -> bool {
    true
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
    /// The rules.
    #[schema(value_type = Object)]
    rules: Value,
    /// Every table that played it.
    tables: Vec<BoardTable>,
}

/// The same story with the same scores, at one table or several.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoryLine {
    /// What happened, in reading order: objects with `fact` and a value under its kind (`seat`, `seats`, `number`,
    /// `amounts`, `side`, `trump`, `rank`, `street`).
    #[schema(value_type = Vec<Object>)]
    story: Vec<Fact>,
    /// The raw scores by seat; `null` where the board was ended unfinished.
    #[schema(value_type = Option<Object>)]
    scores: Option<BTreeMap<&'static str, i64>>,
    /// The tables.
    tables: Vec<u32>,
}

/// What happened on a board at every table, equal ones together, the most frequent first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Stories {
    /// The board.
    board: u32,
    /// The stories.
    lines: Vec<StoryLine>,
}

/// Somebody who sat at a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplaySeat {
    /// The entrant's id, `ai:LEVEL` or `stand-in:N`.
    entrant: String,
    /// The name, of a pair that of one person, with the entrant's number where several entrants have the same name; empty
    /// where nobody of the entrants sat.
    name: String,
}

/// A line of the journal, and the board after it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplayStep {
    /// The line: 0 is the board before anything happened.
    n: u32,
    /// Milliseconds since the board opened at this table; `null` where no clock ran.
    at_ms: Option<u64>,
    /// How long the seat took for the action, milliseconds, the time in which the clock stood left out; `null` for
    /// everything that is no action, and where no clock ran.
    took_ms: Option<u64>,
    /// What happened, as the play protocol says it; `null` for the first step.
    #[schema(value_type = Option<Object>)]
    what: Option<Map<String, Value>>,
    /// Who looked into the hands here, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    look: Option<LookSheet>,
    /// The board as everybody at the table knew it.
    #[schema(value_type = Object)]
    view: Value,
    /// The cards that each seat held.
    #[schema(value_type = Object)]
    hands: Map<String, Value>,
}

/// A finished board at one table, step by step.
#[derive(Debug, Serialize, ToSchema)]
pub struct Replay {
    /// The event.
    event: String,
    /// The game.
    game: String,
    /// The board.
    board: u32,
    /// The table.
    table: u32,
    /// The round.
    round: u32,
    /// The rules.
    #[schema(value_type = Object)]
    rules: Value,
    /// Who sat where.
    seats: BTreeMap<String, ReplaySeat>,
    /// Every step in order.
    steps: Vec<ReplayStep>,
    /// The raw scores by seat; `null` when the board was ended unfinished.
    #[schema(value_type = Option<Object>)]
    scores: Option<Map<String, Value>>,
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
        .query::<BoardParams>()
        .answers::<BoardSheet>(200)
        .to(get);
    table
        .get(
            "/api/v1/events/{event}/boards/{board}/stories",
            Right::SeePublic,
            "getStories",
            "What happened on a board at every table, equal ones together; sealed until every table has finished it",
        )
        .answers::<Stories>(200)
        .to(stories);
    table
        .get(
            "/api/v1/events/{event}/boards/{board}/tables/{table}",
            Right::SeePublic,
            "getReplay",
            "A board at one table, step by step with all hands; sealed until every table has finished it",
        )
        .answers::<Replay>(200)
        .to(replay);
}

async fn list(call: RequestContext) -> Answer {
    let items = call
        .work(|call| {
            let row = desk::row(call)?;
            audience(call, &row, false)?;
            with_game!(desk::kind(&row)?, G => lines::<G>(call, &row))
        })
        .await?;
    ok(&BoardList { items })
}

fn lines<G: Game>(call: &RequestContext, row: &EventRow) -> Result<Vec<BoardLine>, Problem> {
    let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
    let so_far = opened.look(&call.app)?;
    let archive: &dyn Archive = call.app.store.as_ref();
    let begun: BTreeSet<PlayId> = archive.begun_plays(&row.id)?.into_iter().collect();
    let plays = archive.plays(&row.id)?;
    let begun: BTreeSet<i64> =
        plays.into_iter().filter(|one| begun.contains(&one.id)).map(|one| one.play.number).collect();
    let mut lines = Vec::new();
    for round in &opened.event.rounds {
        for board in &round.boards {
            let planned = u32::try_from(round.tables.len()).unwrap_or(u32::MAX);
            let (over, tables) = so_far.boards.get(board).copied().unwrap_or((0, planned));
            let state = match (over == tables && tables > 0, over > 0 || begun.contains(&i64::from(*board))) {
                (true, _) => "finished",
                (false, false) => "sealed",
                _ => "open",
            };
            lines.push(BoardLine { board: *board, round: round.round, state, over, tables });
        }
    }
    Ok(lines)
}

async fn get(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Params(params): Params<BoardParams>,
) -> Answer {
    let (_, board) = path.into_inner();
    let board: u32 = board.parse().map_err(|_| Problem::missing("board"))?;
    let bytes = call
        .work(move |call| {
            let row = desk::row(call)?;
            audience(call, &row, false)?;
            let sheet = with_game!(desk::kind(&row)?, G => one::<G>(call, &row, board, params.journals))?;
            serde_json::to_vec(&sheet).map_err(Problem::internal)
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/json", bytes)
}

/// The event, if every table has finished the board.
fn finished<G: Game>(
    call: &RequestContext,
    row: &EventRow,
    board: u32,
) -> Result<Arc<LoadedEvent<G>>, Problem> {
    let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
    let so_far = opened.look(&call.app)?;
    if !so_far.boards.contains_key(&board) {
        return Err(Problem::missing(format!("board {board}")));
    }
    // No right opens it earlier: looking into a live hand is an order at a table, and logged.
    if !so_far.over_everywhere(board) {
        return Err(Problem::new(Code::Sealed));
    }
    Ok(opened)
}

fn one<G: Game>(
    call: &RequestContext,
    row: &EventRow,
    board: u32,
    journals: bool,
) -> Result<BoardSheet, Problem> {
    let opened = finished::<G>(call, row, board)?;
    let archive: &dyn Archive = call.app.store.as_ref();
    let header = opened.header(board)?;
    let (announcement, _) = opened.event.announced(archive)?;
    let mut damaged = opened.damaged(&call.app);
    let mut tables = Vec::new();
    for (sitting, play) in opened.event.sittings().zip(&opened.plays) {
        if !journals || sitting.board != board {
            continue;
        }
        let journal = archive.journal(play.id)?;
        let cut_short = opened.cut_short(&call.app, play, &journal)?;
        let line = |entry: &EntryRow| {
            serde_json::from_str(&entry.body).unwrap_or_else(|_| Value::String(entry.body.clone()))
        };
        tables.push(BoardTable {
            table: sitting.table,
            round: sitting.round,
            seats: opened.event.seats(sitting.who),
            looks: looks_of::<G>(call, &row.id, play, &journal)?,
            journal: journal.iter().map(line).collect(),
            damaged: damaged.remove(&play.id.0).or_else(|| {
                // It may have been damaged since it was looked at.
                match replay_so_far(&header, play, &journal) {
                    Err(EventError::Damaged(reason)) => Some(reason),
                    _ => cut_short.then(|| "its last lines are lost".to_owned()),
                }
            }),
        });
    }
    Ok(BoardSheet {
        board,
        set: set_of(&announcement, board)?.to_owned(),
        deal: header.write(),
        rules: rules_of::<G>(&opened.event.rules).0,
        tables,
    })
}

async fn stories(call: RequestContext, path: web::Path<(String, String)>) -> Answer {
    let (_, board) = path.into_inner();
    let board: u32 = board.parse().map_err(|_| Problem::missing("board"))?;
    let bytes = call
        .work(move |call| {
            let row = desk::row(call)?;
            audience(call, &row, false)?;
            let told = with_game!(desk::kind(&row)?, G => {
                finished::<G>(call, &row, board)?.stories(&call.app, board)?
            });
            serde_json::to_vec(&Stories { board, lines: grouped(&told) }).map_err(Problem::internal)
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/json", bytes)
}

/// Equal stories with equal scores together, the most frequent first.
fn grouped(told: &[(u32, Told)]) -> Vec<StoryLine> {
    let mut groups: BTreeMap<Told, Vec<u32>> = BTreeMap::new();
    for (table, told) in told {
        groups.entry(told.clone()).or_default().push(*table);
    }
    let mut lines: Vec<StoryLine> = groups
        .into_iter()
        .map(|(Told { story, scores }, tables)| StoryLine {
            story,
            scores: scores.map(|scores| scores.into_iter().collect()),
            tables,
        })
        .collect();
    lines.sort_by(|a, b| b.tables.len().cmp(&a.tables.len()).then(a.tables.cmp(&b.tables)));
    lines
}

async fn replay(call: RequestContext, path: web::Path<(String, String, String)>) -> Answer {
    let (_, board, table) = path.into_inner();
    let board: u32 = board.parse().map_err(|_| Problem::missing("board"))?;
    let table: u32 = table.parse().map_err(|_| Problem::missing("table"))?;
    let bytes = call
        .work(move |call| {
            let row = desk::row(call)?;
            audience(call, &row, false)?;
            let replay = with_game!(desk::kind(&row)?, G => replayed::<G>(call, &row, board, table))?;
            serde_json::to_vec(&replay).map_err(Problem::internal)
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/json", bytes)
}

fn replayed<G: Game>(
    call: &RequestContext,
    row: &EventRow,
    board: u32,
    table: u32,
) -> Result<Replay, Problem> {
    let opened = finished::<G>(call, row, board)?;
    let event = &opened.event;
    let found = event.sittings().zip(&opened.plays).find(|(one, _)| (one.board, one.table) == (board, table));
    let (sitting, play) = found.ok_or_else(|| Problem::missing(format!("table {table}")))?;
    if opened.damaged(&call.app).contains_key(&play.id.0) {
        return Err(damaged(board, table));
    }
    let header = opened.header(board)?;
    let archive: &dyn Archive = call.app.store.as_ref();
    let journal = archive.journal(play.id)?;
    sound(&header, play, &journal, (board, table))?;
    if opened.cut_short(&call.app, play, &journal)? {
        return Err(damaged(board, table));
    }
    let (mut steps, last) = steps::<G>(&header, journal.iter().skip(1).map(|entry| entry.body.as_str()))?;
    for look in looks_of::<G>(call, &row.id, play, &journal)? {
        if let Some(step) = steps.iter_mut().find(|step| step.n == look.line) {
            step.look = Some(look);
        }
    }
    let persons = event.persons(sitting.who);
    let names = event.names();
    let seat = |(seat, entrant): (String, String)| {
        let name = persons.get(&seat).copied().flatten().unwrap_or_default();
        let known = event.entrants.iter().find(|one| one.id == entrant);
        let name = match (known, names.get(&entrant)) {
            (Some(known), Some(called)) => person_called(name, known, called),
            _ => name.to_owned(),
        };
        (seat, ReplaySeat { entrant, name })
    };
    let scores = G::finished(last.state()).then(|| {
        let scores = G::scores(last.state());
        let by_seat = G::seated(&header.start)
            .iter()
            .filter_map(|seat| Some((G::seat_name(seat)?.to_owned(), (*scores.get(seat.index())?).into())));
        by_seat.collect()
    });
    Ok(Replay {
        event: row.id.clone(),
        game: row.game.clone(),
        board,
        table,
        round: sitting.round,
        rules: rules_of::<G>(&event.rules).0,
        seats: event.seats(sitting.who).into_iter().map(seat).collect(),
        steps,
        scores,
    })
}

/// The refusal of a board at a table whose journal cannot be replayed.
#[must_use]
pub fn damaged(board: u32, table: u32) -> Problem {
    Problem::said(Code::Refused, Message::plain("web-damaged").with("board", board).with("table", table))
}

/// Replays what a journal holds now: it may have been damaged since its results were counted.
///
/// # Errors
/// The refusal of [`damaged`]; the archive.
pub fn sound<G: Game>(
    header: &Header<G>,
    play: &PlayRow,
    journal: &[EntryRow],
    (board, table): (u32, u32),
) -> Result<Board<G>, Problem> {
    match replay_so_far(header, play, journal) {
        Err(EventError::Damaged(_)) => Err(damaged(board, table)),
        other => Ok(other?),
    }
}

/// Since when each seat that must decide has had to, by the times of the lines.
#[derive(Default)]
struct Since {
    seats: BTreeMap<Seat, u64>,
    phase: &'static str,
    /// When the clock was stopped, as long as it stands.
    stopped: Option<u64>,
}

impl Since {
    /// Whoever need not decide any more is forgotten; whoever must decide now, or anew, begins at `at`.
    fn follow<G: Game>(&mut self, state: &G::State, at: u64, anew: impl Fn(Seat) -> bool) {
        let waiting = G::waiting_for(state);
        let other = self.phase != waiting.phase;
        self.phase = waiting.phase;
        self.seats.retain(|seat, _| !other && waiting.seats.contains(*seat) && !anew(*seat));
        for seat in waiting.seats.iter() {
            self.seats.entry(seat).or_insert(at);
        }
    }

    /// Takes note of a line; answers how long its seat took, where it is an action.
    fn line<G: Game>(&mut self, line: &Line<G::Action>, board: &Board<G>) -> Option<u64> {
        let after = board.state();
        match line {
            Line::Action(entry) => {
                let at = entry.at?;
                let took = self.seats.get(&entry.seat).map(|since| at.saturating_sub(*since));
                self.follow::<G>(after, at, |seat| seat == entry.seat);
                took
            }
            Line::Control(ControlEntry { kind, at: Some(at), .. }) => {
                match (self.stopped, board.stopped()) {
                    (None, true) => self.stopped = Some(*at),
                    (Some(since), false) => {
                        let stood = at.saturating_sub(since);
                        self.seats.values_mut().for_each(|since| *since = since.saturating_add(stood));
                        self.stopped = None;
                    }
                    _ => {}
                }
                self.follow::<G>(after, *at, |_| *kind == ControlKind::Restart);
                None
            }
            Line::Control(_) => None,
        }
    }
}

/// Plays a journal again, line by line.
fn steps<'a, G: Game>(
    header: &Header<G>,
    lines: impl Iterator<Item = &'a str>,
) -> Result<(Vec<ReplayStep>, Board<G>), Problem> {
    let seats: Vec<Seat> = G::seated(&header.start).iter().collect();
    let mut board = Board::open(header);
    let mut since = Since::default();
    since.follow::<G>(board.state(), 0, |_| false);
    let mut steps = vec![step(&board, &seats, (None, None), None)];
    for body in lines {
        let line = scan_line::<G>(body).map_err(Problem::internal)?;
        let before = board.state().clone();
        let (at, viewer) = match &line {
            Line::Action(entry) => {
                board.play(entry).map_err(|refused| Problem::internal(refused.code()))?;
                (entry.at, Viewer::Seat(entry.seat))
            }
            Line::Control(note) => {
                board.note(note).map_err(|refused| Problem::internal(refused.code()))?;
                (note.at, Viewer::Public)
            }
        };
        let took = since.line::<G>(&line, &board);
        // The board is over: what was hidden from the others is told as it was.
        let what = what::<G>(&before, board.state(), &line, viewer);
        steps.push(step(&board, &seats, (at, took), Some(what)));
    }
    Ok((steps, board))
}

fn step<G: Game>(
    board: &Board<G>,
    seats: &[Seat],
    (at, took): (Option<u64>, Option<u64>),
    what: Option<Map<String, Value>>,
) -> ReplayStep {
    let seen = |viewer| serde_json::to_value(G::view(board.state(), viewer)).unwrap_or_default();
    let hands = seats.iter().filter_map(|seat| {
        let name = G::seat_name(*seat)?;
        let view = seen(Viewer::Seat(*seat));
        let own = |one: &&Value| one["seat"] == name;
        // Hold'em names the cards of each seat with the seat.
        let listed = view["seats"].as_array().and_then(|all| all.iter().find(own)).map(|one| &one["cards"]);
        let hand = view.get("hand").or(listed)?;
        Some((name.to_owned(), hand.clone()))
    });
    ReplayStep {
        n: board.lines(),
        at_ms: at.map(|at| at / 1000),
        took_ms: took.map(|took| took / 1000),
        what,
        look: None,
        hands: hands.collect(),
        view: seen(Viewer::Public),
    }
}
