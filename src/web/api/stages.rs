//! Stages of an event: who would advance, closing one, replaying a void board from a reserve set; and the event's journal.

use std::collections::BTreeMap;

use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::accounts::reason;
use super::publication::ReasonBody;
use crate::desk::rights::Right;
use crate::desk::{opening, stages};
use crate::event::EventState;
use crate::event::archive::Archive;
use crate::event::ledger::EventWrite;
use crate::formats::AdvancedBy;
use crate::journal::EventLine;
use crate::web::answer::{Answer, created, ok, tagged};
use crate::web::audience::{Sees, sees};
use crate::web::context::{Body, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;
use crate::words::Message;

/// What the closing of a stage leads to.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClosingSheet {
    /// The stage.
    stage: u32,
    /// Who advances, by id, in the order of their seeding; empty where lots decide first, and after the last stage.
    advance: Vec<String>,
    /// How each of them comes in: `quota` or `wild`.
    #[schema(value_type = Object)]
    by: BTreeMap<String, AdvancedBy>,
    /// Between whom a lot decides first, by id.
    lot: Vec<String>,
    /// Whether the event is played then.
    ends: bool,
}

/// A void board that is to be replayed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayBody {
    /// The void board.
    board: u32,
    /// Why; shown in the audit log.
    #[serde(default)]
    reason: String,
}

/// What replays a void board.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplaySheet {
    /// The void board.
    board: u32,
    /// The board of a reserve set that is played in its place.
    instead: u32,
    /// The ruling that made it void.
    ruling: u32,
    /// Number of tables that play it.
    tables: usize,
}

pub(super) fn add(table: &mut Table) {
    table
        .get(
            "/api/v1/events/{event}/stages/{stage}/closing",
            Right::SeeDesk,
            "previewClosing",
            "Who would advance if the stage were closed now",
        )
        .answers::<ClosingSheet>(200)
        .to(look);
    table
        .post(
            "/api/v1/events/{event}/stages/{stage}/close",
            Right::RunEvent,
            "closeStage",
            "Closes a stage that is over: its places are final, lots are drawn, whoever advances is drawn into the next stage",
        )
        .body::<ReasonBody>()
        .answers::<ClosingSheet>(201)
        .to(close);
    table
        .post(
            "/api/v1/events/{event}/replays/preview",
            Right::Correct,
            "previewReplay",
            "Which board of a reserve set would replay a void one",
        )
        .body::<ReplayBody>()
        .answers::<ReplaySheet>(200)
        .to(look_at_replay);
    table
        .post(
            "/api/v1/events/{event}/replays",
            Right::Correct,
            "replayBoard",
            "Has a void board replayed from a reserve set: a round at the end of its stage, seated as it was",
        )
        .body::<ReplayBody>()
        .answers::<ReplaySheet>(201)
        .to(replay);
    table
        .get(
            "/api/v1/events/{event}/journal",
            Right::SeePublic,
            "getJournal",
            "The event's journal, one JSON object a line, as of the last publication",
        )
        .answers_file(&["application/jsonl"])
        .to(journal);
}

fn number(text: &str) -> Result<u32, Problem> {
    text.parse().map_err(|_| Problem::missing("stage"))
}

/// What closing a stage leads to, as the journal stands.
fn closing(call: &RequestContext, event: &str, stage: u32) -> Result<ClosingSheet, Problem> {
    call.app.read_model.look(&call.app, event, |state| {
        let closing = stages::preview(state.competition(), stage)?;
        let stages::Closing { stage, advance, by, lot, ends } = closing;
        Ok(ClosingSheet { stage, advance, by, lot, ends })
    })
}

async fn look(call: RequestContext, path: web::Path<(String, String)>) -> Answer {
    let stage = number(&path.into_inner().1)?;
    let sheet = call
        .work(move |call| {
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::is_drawn)?;
            closing(call, &row.id, stage)
        })
        .await?;
    ok(&sheet)
}

async fn close(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Body(body): Body<ReasonBody>,
) -> Answer {
    reason(&body.reason)?;
    let stage = number(&path.into_inner().1)?;
    let sheet = call
        .work(move |call| {
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::is_drawn)?;
            let sheet = closing(call, &row.id, stage)?;
            let archive: &dyn Archive = call.app.store.as_ref();
            let (secret, who) = (call.app.secret.sealing(), call.who.name());
            let master = opening::master(archive, &row.id, &secret, "to draw lots", call.now, &who)?;
            let audit = call.audit("close-stage", &body.reason, &Value::Null, &json!({ "stage": stage }));
            let write = EventWrite { audit: vec![audit], ..EventWrite::default() };
            let log = call.app.halls.logs().open(&row.id)?;
            stages::close(archive, &log, &master, call.author(), stage, write)?;
            Ok(sheet)
        })
        .await?;
    created(&sheet)
}

async fn look_at_replay(call: RequestContext, Body(body): Body<ReplayBody>) -> Answer {
    let sheet = call
        .work(move |call| {
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::is_drawn)?;
            planned(call, &row.id, body.board)
        })
        .await?;
    ok(&sheet)
}

fn planned(call: &RequestContext, event: &str, board: u32) -> Result<ReplaySheet, Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    let announcement = opening::announcement(archive, event)?;
    call.app.read_model.look(&call.app, event, |state| {
        let stages::ReplayPlan { replay, tables } =
            stages::plan_replay(&announcement, state.competition(), board)?;
        Ok(ReplaySheet { board, instead: replay.instead, ruling: replay.ruling, tables })
    })
}

async fn replay(call: RequestContext, Body(body): Body<ReplayBody>) -> Answer {
    reason(&body.reason)?;
    let sheet = call
        .work(move |call| {
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::is_drawn)?;
            let sheet = planned(call, &row.id, body.board)?;
            let archive: &dyn Archive = call.app.store.as_ref();
            let audit = call.audit("replay", &body.reason, &Value::Null, &json!({ "board": body.board }));
            let write = EventWrite { audit: vec![audit], ..EventWrite::default() };
            let log = call.app.halls.logs().open(&row.id)?;
            let made = stages::replay(archive, &log, call.author(), body.board, write)?;
            Ok(ReplaySheet { instead: made.instead, ruling: made.ruling, ..sheet })
        })
        .await?;
    created(&sheet)
}

/// The journal of a finished event as text. What the last publication does not rest on is for the desk only.
async fn journal(call: RequestContext) -> Answer {
    let text = call
        .work(|call| {
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::is_drawn)?;
            let sees = sees(&call.app, &call.who, &row)?;
            let sealed = || Problem::said(Code::Sealed, Message::plain("web-journal-sealed"));
            if sees == Sees::SoFar {
                return Err(sealed());
            }
            let published = call.app.read_model.look(&call.app, &row.id, |state| {
                if state.complete() { Ok(state.published_at()) } else { Err(sealed()) }
            })?;
            let archive: &dyn Archive = call.app.store.as_ref();
            let upto = if sees == Sees::Everything { u64::MAX } else { published.unwrap_or(0) };
            let mut text = String::new();
            for line in archive.event_lines(&row.id, 0)? {
                if u64::try_from(line.seq).is_ok_and(|seq| seq > upto) {
                    break;
                }
                let hash = line.hash.as_slice().try_into().map_err(Problem::internal)?;
                let read = EventLine::read(&line.body).map_err(Problem::internal)?;
                text.push_str(&read.printed(&hash));
                text.push('\n');
            }
            Ok(text)
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/jsonl", text.into_bytes())
}
