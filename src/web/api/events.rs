//! Events: drafts, their preview, and what anybody may see of an announced one.

use std::sync::PoisonError;

use actix_web::http::header::{ETAG, LOCATION};
use actix_web::{HttpResponse, web};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{IntoParams, ToSchema};

use super::accounts::{PageParams, reason};
use crate::desk::draft::{self, Fields};
use crate::desk::rights::Right;
use crate::desk::{groups, opening, outlook, pace};
use crate::event::archive::{Archive, ArchiveError, EventRow};
use crate::event::{Event, EventState};
use crate::formats::{DrawMade, DrawPurpose, Fill, Round};
use crate::games::rulesets::{self, Difference};
use crate::games::{Game, GameKind, Ruleset as _, Seat};
use crate::players::Levels;
use crate::web::answer::{Answer, Page, ok, tag, tagged};
use crate::web::context::{Body, Params, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::routes::{Method, Table};
use crate::web::secret::fresh_token;
use crate::with_game;
use crate::words::Message;

/// The settings of an event as an organizer gives them. What is absent takes the game's usual value, or stays.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the fields of the desk's own type")]
pub struct EventFields {
    /// The event's name for people; a new event needs one.
    title: Option<String>,
    /// A shipped ruleset by name.
    ruleset: Option<String>,
    /// A ruleset with single fields replaced: `{"base": NAME, FIELD: VALUE…}`.
    #[schema(value_type = Option<Object>)]
    rules: Option<Value>,
    /// The text of a ruleset file (TOML): every field, or `base` and those that differ.
    ruleset_file: Option<String>,
    /// `human-ai`, `individual`, `pairs` or `round-robin`.
    format: Option<String>,
    /// Groups, deals, round points and the final stage of a round-robin: `group_size`, `deals`, `win`, `draw`, `loss`,
    /// `final`, `quota`, `wild`, `carry`, `seeding`, `pins`, `final_size`, `final_deals`.
    #[schema(value_type = Option<Object>)]
    round_robin: Option<Value>,
    /// The entrants' seat of a human–AI event, by name.
    seat: Option<String>,
    /// How many boards.
    boards: Option<u32>,
    /// How many boards each round at most: the movement has shorter rounds where it could not be fair otherwise.
    boards_per_round: Option<u32>,
    /// Boards that are dealt and kept back.
    reserve_boards: Option<u32>,
    /// `stand-in` or `bye`.
    fill: Option<String>,
    /// The AI level of opponents and stand-ins.
    opponents: Option<String>,
    /// `score` or `small-points`.
    measure: Option<String>,
    /// Method, style, tie-breaks.
    #[schema(value_type = Option<Object>)]
    scoring: Option<Value>,
    /// `own` or `rounds`.
    pace: Option<String>,
    /// How long a round lasts, minutes; 0 for no limit. A shorter round has its share.
    round_minutes: Option<u32>,
    /// How long an AI player takes at least, ms.
    ai_delay_ms: Option<u32>,
    /// More time when a connection breaks, once a board, ms.
    grace_ms: Option<u32>,
    /// How long a table waits for its players, seconds.
    late_s: Option<u32>,
    /// How long a table waits between two boards, seconds.
    between_s: Option<u32>,
    /// Whether the next round starts when one is over.
    auto_rounds: Option<bool>,
    /// After how long the floor marks a table that waits for its players or stands still, seconds; 0 for never.
    alarm_s: Option<u32>,
    /// At the players' own pace: how long a seat nobody has come to is waited for before a computer player decides for
    /// it, board by board, seconds; 0 for ever.
    absent_s: Option<u32>,
    /// `"none"`, or what the delayed value will be.
    #[schema(value_type = Option<DelayedPlanBody>)]
    delayed: Option<Value>,
    /// `en`, `zh-CN` or `zh-TW`.
    language: Option<String>,
    /// Who holds the event, for people: a club, an association; may be empty.
    host: Option<String>,
}

/// The delayed value that is announced.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "describes the desk's own type")]
pub enum DelayedPlanBody {
    /// `none`.
    #[schema(title = "NoDelayedPlan")]
    None(String),
    /// The value.
    #[schema(title = "DelayedPlan")]
    Plan {
        /// Where and when it is published, 1 to 200 characters.
        description: String,
        /// `digits`, `hex` or `text`; absent: `digits`.
        form: Option<String>,
        /// How long it is; 0 or absent: any length.
        length: Option<u32>,
        /// From when on it can be known, µs.
        known_after: i64,
    },
}

/// A change of an event.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes a body that is read in two steps")]
pub struct EventChangeBody {
    /// Why; needed after the announcement.
    reason: Option<String>,
    /// The settings.
    #[serde(flatten)]
    settings: EventFields,
}

/// A new event.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes a body that is read in two steps")]
pub struct NewEventBody {
    /// `wakeng`, `tuolaji` or `holdem`.
    game: String,
    /// Identifier; absent: one is made.
    id: Option<String>,
    /// The settings.
    #[serde(flatten)]
    settings: EventFields,
}

/// A line of the list of events.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventLine {
    /// Identifier.
    id: String,
    /// The game.
    game: String,
    /// The event's name.
    title: String,
    /// `draft`, `announced`, `locked`, `provisional`, `official` or `final`.
    state: String,
    /// Instant of creation.
    created_us: i64,
}

/// A field in which a ruleset differs from a shipped one.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangedField {
    /// The field; of a table with the table's name before it: `big_points.cap`.
    field: String,
    /// The shipped value; `null` where there is none.
    #[schema(value_type = Option<FieldValue>)]
    shipped: Value,
    /// The event's value; `null` where there is none.
    #[schema(value_type = Option<FieldValue>)]
    here: Value,
}

/// The value of a field of a ruleset.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "describes values of any ruleset")]
pub enum FieldValue {
    /// A number.
    #[schema(title = "NumberField")]
    Number(i64),
    /// Whether something is so.
    #[schema(title = "TruthField")]
    Truth(bool),
    /// A word.
    #[schema(title = "WordField")]
    Word(String),
    /// Several words or numbers, or the rows of a table.
    #[schema(title = "ListField")]
    List(Vec<Value>),
    /// A table of fields.
    Table(FieldTable),
}

/// A table of fields of a ruleset.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes values of any ruleset")]
pub struct FieldTable(Map<String, Value>);

/// How a ruleset differs from a shipped one.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangedRules {
    /// The shipped ruleset.
    base: String,
    /// Every field that differs.
    fields: Vec<ChangedField>,
}

fn changed_rules<G: Game>(rules: &G::Rules) -> Option<ChangedRules> {
    let (base, fields) = rulesets::changes::<G>(rules)?;
    let field = |Difference { field, shipped, here }| ChangedField { field, shipped, here };
    Some(ChangedRules { base: base.name().to_owned(), fields: fields.into_iter().map(field).collect() })
}

/// An event.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventSheet {
    /// Identifier.
    id: String,
    /// The game.
    game: String,
    /// The event's name.
    title: String,
    /// `draft`, `announced`, `locked`, `provisional`, `official` or `final`.
    state: String,
    /// Instant of creation.
    created_us: i64,
    /// The ruleset's hash.
    ruleset_hash: String,
    /// The ruleset in full.
    #[schema(value_type = Object)]
    rules: Value,
    /// How the ruleset differs from a shipped one; absent for a shipped one.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_rules: Option<ChangedRules>,
    /// `human-ai`, `individual`, `pairs` or `round-robin`.
    format: &'static str,
    /// What is said of a round-robin; absent where it is none.
    #[schema(value_type = Option<Object>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    round_robin: Option<groups::RoundRobinFields>,
    /// The entrants' seat of a human–AI event.
    seat: Option<&'static str>,
    /// The seats of each position.
    positions: Vec<Vec<String>>,
    /// Boards, boards per round, reserve.
    boards: u32,
    /// How many boards each round.
    boards_per_round: u32,
    /// Boards that are dealt and kept back.
    reserve_boards: u32,
    /// `stand-in` or `bye`.
    fill: &'static str,
    /// The AI level of opponents and stand-ins.
    opponents: Option<String>,
    /// Which number is compared.
    #[schema(value_type = String)]
    measure: Value,
    /// Method, style, tie-breaks.
    #[schema(value_type = Object)]
    scoring: Value,
    /// Pace, clocks, patience.
    #[schema(value_type = Object)]
    live: Value,
    /// The delayed value as it is going to be announced.
    #[schema(value_type = Option<Object>)]
    delayed: Value,
    /// The language of the event.
    language: String,
    /// Who holds the event, for people; may be empty.
    host: String,
    /// How many have entered.
    entrants: usize,
    /// How many rounds are planned; 0 before the seats are drawn.
    rounds: usize,
    /// The first draw, of seats or groups, once it is made.
    #[schema(value_type = Option<Object>)]
    draw: Value,
    /// Every draw of seats, groups and opponents with its instant, in order.
    #[schema(value_type = Vec<Object>)]
    draws: Vec<Value>,
    /// SHA-256 of the announcement.
    announcement: Option<String>,
    /// Whether one account may be organizer and referee of the event.
    one_account: bool,
}

pub(super) fn add(table: &mut Table) {
    table
        .get("/api/v1/events", Right::SeePublic, "listEvents", "Events by id; drafts only for the desk")
        .query::<PageParams>()
        .answers::<Page<EventLine>>(200)
        .to(list);
    table
        .post("/api/v1/events", Right::EditEvent, "createEvent", "Creates a draft")
        .body::<NewEventBody>()
        .answers::<EventSheet>(201)
        .to(create);
    table
        .get("/api/v1/events/{event}", Right::SeePublic, "getEvent", "An event")
        .answers::<EventSheet>(200)
        .to(get);
    table
        .add(
            Method::Patch,
            "/api/v1/events/{event}",
            Right::EditEvent,
            "changeEvent",
            "Changes a draft; after the announcement only pace, clocks and patience",
        )
        .body::<EventChangeBody>()
        .answers::<EventSheet>(200)
        .to(change);
    table
        .get(
            "/api/v1/events/{event}/preview",
            Right::SeeDesk,
            "previewEvent",
            "Movement, audit of fairness and timetable for a number of entrants",
        )
        .query::<PreviewParams>()
        .answers::<Preview>(200)
        .to(preview);
    table
        .get("/api/v1/games/{game}", Right::SeePublic, "getGame", "Rulesets and AI levels of a game")
        .answers::<GameSheet>(200)
        .to(game);
}

/// A ruleset or an AI level.
#[derive(Debug, Serialize, ToSchema)]
pub struct Named {
    /// Its name.
    name: String,
    /// Its hash.
    hash: String,
}

/// A game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameSheet {
    /// Its name.
    game: &'static str,
    /// The shipped rulesets, the usual one first.
    rulesets: Vec<Named>,
    /// The AI levels, weakest first.
    levels: Vec<Named>,
    /// The usual level.
    usual_level: &'static str,
}

fn game_sheet<G: Levels>() -> Result<GameSheet, Problem> {
    let mut rulesets = Vec::new();
    for (name, _) in G::RULESETS {
        let rules = rulesets::shipped::<G>(name).map_err(Problem::from)?;
        rulesets.push(Named { name: (*name).to_owned(), hash: draft::rules_of::<G>(&rules).1 });
    }
    let levels = crate::players::infos::<G>()
        .into_iter()
        .map(|info| Named { name: info.name.to_owned(), hash: hex::encode(info.hash()) })
        .collect();
    Ok(GameSheet { game: G::KIND.name(), rulesets, levels, usual_level: G::DEFAULT_LEVEL })
}

async fn game(_call: RequestContext, name: web::Path<String>) -> Answer {
    let kind: GameKind = name.parse().map_err(|text: String| Problem::text(Code::NotFound, text))?;
    ok(&with_game!(kind, G => game_sheet::<G>())?)
}

fn title_of(row: &EventRow) -> String {
    let value: Value = serde_json::from_str(&row.settings).unwrap_or(Value::Null);
    value["settings"]["title"].as_str().unwrap_or_default().to_owned()
}

async fn list(call: RequestContext, Params(page): Params<PageParams>) -> Answer {
    let limit = page.limit()?;
    let lines = call
        .work(move |call| {
            let archive: &dyn Archive = call.app.store.as_ref();
            let ids = call.app.store.events().map_err(ArchiveError::from)?;
            let mut lines = Vec::new();
            for id in ids.into_iter().filter(|id| page.after.as_ref().is_none_or(|after| id > after)) {
                let row = archive.event(&id)?;
                if row.state == EventState::Draft && !call.who.may(Right::SeeDesk, Some(&id)) {
                    continue;
                }
                let title = title_of(&row);
                lines.push(EventLine {
                    id,
                    game: row.game,
                    title,
                    state: row.state.to_string(),
                    created_us: row.created_us,
                });
                if lines.len() > limit {
                    break;
                }
            }
            Ok(lines)
        })
        .await?;
    ok(&Page::cut(lines, limit, |line| line.id.clone()))
}

/// The draw of seats as it stands beside the event: instant, seed, whether the delayed value entered it, the list.
fn seat_draw(draw: &Value) -> Value {
    let made = &draw["draw"];
    json!({ "at": draw["at"], "seed": made["seed"], "delayed": made["delayed"], "order": made["among"] })
}

/// An event for whoever may see it.
///
/// # Errors
/// The archive.
pub fn sheet<G: Game>(
    call: &RequestContext,
    row: &EventRow,
    event: &Event<G>,
) -> Result<EventSheet, Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    let (rules, ruleset_hash) = draft::rules_of::<G>(&event.rules);
    let value = |result: Result<Value, serde_json::Error>| result.map_err(Problem::internal);
    let format = event.settings.format_name();
    let seat = event.settings.own_seat().and_then(|seat| G::seat_name(Seat(seat)));
    let fill = event.settings.movement().map_or(Fill::StandIn, |rules| rules.fill);
    let (rounds, draws) = if row.state.is_drawn() {
        call.app.read_model.look(&call.app, &row.id, |state| {
            // Lots tell of places.
            let seats = |(made, _): &(&DrawMade, &i64)| {
                matches!(made.due.purpose, DrawPurpose::Seats | DrawPurpose::Opponents)
            };
            let draws = state.competition().draws().iter().zip(state.draws_at()).filter(seats);
            let draw = |(made, at): (&DrawMade, &i64)| json!({ "at": at, "draw": made });
            Ok((state.competition().schedule().len(), draws.map(draw).collect()))
        })?
    } else {
        (0, Vec::new())
    };
    Ok(EventSheet {
        id: row.id.clone(),
        game: row.game.clone(),
        title: event.settings.title.clone(),
        state: row.state.to_string(),
        created_us: row.created_us,
        ruleset_hash,
        rules,
        changed_rules: changed_rules::<G>(&event.rules),
        format,
        round_robin: groups::fields_of(&event.settings),
        seat,
        positions: event.settings.positions.clone(),
        boards: event.settings.boards(),
        boards_per_round: event.settings.boards_per_round(),
        reserve_boards: event.schedule.reserve_boards,
        fill: fill.name(),
        opponents: event.settings.opponents.clone(),
        measure: value(serde_json::to_value(event.settings.measure))?,
        scoring: value(serde_json::to_value(&event.settings.scoring))?,
        live: value(serde_json::to_value(event.live))?,
        delayed: value(serde_json::to_value(&event.schedule.delayed))?,
        language: event.schedule.language.clone(),
        host: event.schedule.host.clone(),
        entrants: event.entrants.len(),
        rounds,
        draw: draws.first().map_or(Value::Null, seat_draw),
        draws,
        announcement: archive.announcement(&row.id)?.map(|row| hex::encode(row.hash)),
        one_account: row.one_account,
    })
}

async fn get(call: RequestContext) -> Answer {
    let bytes = call
        .work(|call| {
            let row = desk::row(call)?;
            let sheet = with_game!(desk::kind(&row)?, G => sheet::<G>(call, &row, &desk::load(call, &row)?))?;
            serde_json::to_vec(&sheet).map_err(Problem::internal)
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/json", bytes)
}

/// The answer to a change: the event with its entity tag.
fn changed(status: actix_web::http::StatusCode, id: &str, sheet: &EventSheet) -> Answer {
    let bytes = serde_json::to_vec(sheet).map_err(Problem::internal)?;
    Ok(HttpResponse::build(status)
        .insert_header((ETAG, tag(&bytes)))
        .insert_header((LOCATION, format!("/api/v1/events/{id}")))
        .content_type("application/json")
        .body(bytes))
}

/// Takes a text out of a body that is read in two steps.
///
/// # Errors
/// It is no text.
pub fn text_of(object: &mut Map<String, Value>, key: &str) -> Result<Option<String>, Problem> {
    match object.shift_remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Problem::said(
            Code::BadField,
            Message::plain("web-bad-field").with("reason", format!("`{key}` is a text")),
        )),
    }
}

async fn create(call: RequestContext, Body(mut body): Body<Map<String, Value>>) -> Answer {
    let game = text_of(&mut body, "game")?.ok_or_else(|| {
        Problem::said(Code::BadField, Message::plain("web-missing-field").with("word", "game"))
    })?;
    let id = match text_of(&mut body, "id")? {
        Some(id) => id,
        None => format!("e-{}", fresh_token().map_err(Problem::internal)?.get(..10).unwrap_or_default()),
    };
    let kind: GameKind = game.parse().map_err(|text: String| Problem::text(Code::Refused, text))?;
    let fields: Fields = crate::web::context::value(Value::Object(body))?;
    let sheet = call.work(move |call| with_game!(kind, G => create_draft::<G>(call, &id, &fields))).await?;
    changed(actix_web::http::StatusCode::CREATED, &sheet.id, &sheet)
}

fn create_draft<G: Levels>(call: &RequestContext, id: &str, fields: &Fields) -> Result<EventSheet, Problem> {
    let mut event = draft::blank::<G>(id)?;
    draft::apply(&mut event, fields)?;
    let archive: &dyn Archive = call.app.store.as_ref();
    opening::create(archive, &event, &call.app.secret.sealing(), call.now, &call.who.name())?;
    let row = archive.event(id)?;
    sheet(call, &row, &event)
}

async fn change(call: RequestContext, Body(mut body): Body<Map<String, Value>>) -> Answer {
    let why = text_of(&mut body, "reason")?.unwrap_or_default();
    let fields: Fields = crate::web::context::value(Value::Object(body))?;
    let sheet = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            with_game!(desk::kind(&row)?, G => change_draft::<G>(call, &row, &fields, &why))
        })
        .await?;
    changed(actix_web::http::StatusCode::OK, &sheet.id, &sheet)
}

fn change_draft<G: Levels>(
    call: &RequestContext,
    row: &EventRow,
    fields: &Fields,
    why: &str,
) -> Result<EventSheet, Problem> {
    match row.state {
        EventState::Draft => {}
        EventState::Announced | EventState::Locked if fields.only_live() => reason(why)?,
        _ => desk::in_state(row, |state| state == EventState::Draft)?,
    }
    let mut event = desk::load::<G>(call, row)?;
    let before = sheet(call, row, &event)?;
    if let Some(wanted) = &call.if_match {
        let known = tag(&serde_json::to_vec(&before).map_err(Problem::internal)?);
        if *wanted != known && wanted != "*" {
            return Err(Problem::new(Code::Changed));
        }
    }
    draft::apply(&mut event, fields)?;
    let after = sheet(call, row, &event)?;
    let shown = |sheet: &EventSheet| {
        let mut value = json!(sheet);
        if let Some(object) = value.as_object_mut() {
            object.shift_remove("rules");
        }
        value
    };
    let audit = call.audit("change-event", why, &shown(&before), &shown(&after));
    let archive: &dyn Archive = call.app.store.as_ref();
    archive.change_settings(row.clone(), event.settings_text()?, audit)?;
    Ok(after)
}

/// How many entrants, and whether the movement is wanted.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct PreviewParams {
    /// How many entrants; absent: as many as have entered.
    entrants: Option<u32>,
    /// Whether the movement is answered in full.
    #[serde(default)]
    movement: bool,
}

/// A round of a timetable.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoundTime {
    /// The round.
    round: u32,
    /// Its boards.
    boards: Vec<u32>,
    /// Tables.
    tables: usize,
    /// Entrants who sit out.
    byes: usize,
    /// Minutes after the start at which it begins.
    from_minute: u32,
    /// Minutes after the start at which it is over.
    to_minute: u32,
}

/// A group as it would be.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupAhead {
    /// The stage, from 1.
    stage: u32,
    /// Its name.
    group: String,
    /// Number of entrants.
    entrants: usize,
}

/// How an event would be.
#[derive(Debug, Serialize, ToSchema)]
pub struct Preview {
    /// Entrants.
    entrants: u32,
    /// AI players that fill tables.
    stand_ins: u32,
    /// Rounds.
    rounds: u32,
    /// Boards.
    boards: u32,
    /// Tables in the largest round.
    tables: u32,
    /// Whether the movement passes the audit.
    sound: bool,
    /// Whether it passes and the audit found nothing that one should know: no small groups, no two who are never compared.
    even: bool,
    /// Results in the smallest and in the largest comparison group.
    group_sizes: [u32; 2],
    /// How often the two are compared directly who are compared least, and those who are compared most; absent where there
    /// are no two, or too many.
    comparisons: Option<[u16; 2]>,
    /// The audit in sentences.
    audit: Vec<String>,
    /// What the audit found wrong.
    faults: Vec<super::FaultDetails>,
    /// What one should know: rounds that are shorter than was asked for, comparison groups under four results, entrants
    /// who are never compared with each other, an entrant who is compared with nobody.
    notes: Vec<super::FaultDetails>,
    /// How long a board takes by estimate, seconds: a table's decisions, as computer players take them, at people's pace.
    board_seconds: u32,
    /// When each round would be.
    timetable: Vec<RoundTime>,
    /// The seats of each position, in the order in which the movement names who takes them.
    positions: Vec<Vec<String>>,
    /// The groups of a round-robin.
    groups: Vec<GroupAhead>,
    /// How many take part in the final stage of a round-robin.
    advancing: Option<u32>,
    /// The movement, if it was asked for; the real one is drawn anew and as fair.
    #[schema(value_type = Option<Vec<Object>>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    movement: Option<Vec<Round>>,
}

async fn preview(call: RequestContext, Params(params): Params<PreviewParams>) -> Answer {
    let preview = call
        .work(move |call| {
            let row = desk::row(call)?;
            with_game!(desk::kind(&row)?, G => preview_of::<G>(call, &row, &params))
        })
        .await?;
    ok(&preview)
}

/// How a round-robin would be with so many entrants.
fn groups_of<G: Levels>(event: &Event<G>, count: u32) -> Result<Preview, Problem> {
    let ahead = groups::preview(event, count)?;
    let board_seconds = pace::board_seconds(event);
    let mut minute = 0_u32;
    let mut timetable = Vec::new();
    for round in &ahead.rounds {
        let boards = u32::try_from(round.boards.len()).unwrap_or(u32::MAX);
        let minutes = match event.round_minutes(round.boards.len()) {
            0 => boards.saturating_mul(board_seconds).div_ceil(60),
            minutes => minutes,
        };
        let from_minute = minute;
        minute = minute.saturating_add(minutes);
        timetable.push(RoundTime {
            round: round.round,
            boards: round.boards.clone(),
            tables: round.tables,
            byes: round.byes,
            from_minute,
            to_minute: minute,
        });
    }
    let tables = ahead.rounds.iter().map(|round| round.tables).max().unwrap_or(0);
    let sizes = || ahead.groups.iter().map(|(.., size)| u32::try_from(*size).unwrap_or(u32::MAX));
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(Preview {
        entrants: count,
        stand_ins: 0,
        rounds: number(ahead.rounds.len()),
        boards: number(ahead.rounds.iter().map(|round| round.boards.len()).sum()),
        tables: number(tables),
        sound: true,
        even: true,
        group_sizes: [sizes().min().unwrap_or(0), sizes().max().unwrap_or(0)],
        comparisons: None,
        audit: Vec::new(),
        faults: Vec::new(),
        notes: Vec::new(),
        board_seconds,
        timetable,
        positions: event.settings.positions.clone(),
        groups: ahead
            .groups
            .iter()
            .map(|(stage, group, entrants)| GroupAhead {
                stage: *stage,
                group: group.clone(),
                entrants: *entrants,
            })
            .collect(),
        advancing: ahead.advancing,
        movement: None,
    })
}

fn preview_of<G: Levels>(
    call: &RequestContext,
    row: &EventRow,
    params: &PreviewParams,
) -> Result<Preview, Problem> {
    let event = desk::load::<G>(call, row)?;
    let entered = u32::try_from(event.entrants.len()).unwrap_or(u32::MAX);
    let count = params.entrants.unwrap_or(entered);
    if event.settings.movement().is_none() {
        return groups_of(&event, count);
    }
    let (plan, report) = outlook::preview(&outlook::request(&event.settings, count, "preview")?)?;
    let notes = outlook::notes(&event.settings, &plan, &report);
    let board_seconds = pace::board_seconds(&event);
    let mut minute = 0_u32;
    let timetable = plan
        .rounds
        .iter()
        .map(|round| {
            let boards = u32::try_from(round.boards.len()).unwrap_or(u32::MAX);
            let minutes = match event.round_minutes(round.boards.len()) {
                0 => boards.saturating_mul(board_seconds).div_ceil(60),
                minutes => minutes,
            };
            let from_minute = minute;
            minute = minute.saturating_add(minutes);
            RoundTime {
                round: round.round,
                boards: round.boards.clone(),
                tables: round.tables.len(),
                byes: round.byes.len(),
                from_minute,
                to_minute: minute,
            }
        })
        .collect();
    Ok(Preview {
        entrants: report.entrants,
        stand_ins: report.stand_ins,
        rounds: report.rounds,
        boards: report.boards,
        tables: report.tables,
        sound: report.sound(),
        even: report.sound() && report.findings().is_empty(),
        group_sizes: [report.group_sizes.0, report.group_sizes.1],
        comparisons: report.comparisons.map(|(least, most)| [least.times, most.times]),
        audit: report.lines(call.lang),
        faults: report
            .faults
            .iter()
            .map(|fault| super::FaultDetails {
                code: fault.code().to_owned(),
                message: crate::words::say(call.lang, &fault.message()),
            })
            .collect(),
        notes: notes.iter().map(|note| super::FaultDetails::of(note, call.lang)).collect(),
        board_seconds,
        timetable,
        positions: event.settings.positions.clone(),
        groups: Vec::new(),
        advancing: None,
        movement: params.movement.then_some(plan.rounds),
    })
}
