//! Freezing, publishing, revealing: what the public sees and when; and the bundle that proves it.

use std::sync::PoisonError;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::accounts::reason;
use crate::dealing::{AiReveal, DrawReveal, Purpose, Reveal};
use crate::desk::export::export;
use crate::desk::opening;
use crate::desk::people::People as _;
use crate::desk::publishing::{self, publish};
use crate::desk::rights::Right;
use crate::event::archive::{Archive, EventRow};
use crate::event::ledger::EventWrite;
use crate::event::log::LogError;
use crate::event::results::{Proof, proofs, sign_boards};
use crate::event::{EventError, EventState};
use crate::games::Game;
use crate::journal::bundle::ResultState;
use crate::web::App;
use crate::web::answer::{Answer, created, ok, tagged};
use crate::web::audience::{frozen, sees};
use crate::web::context::{Body, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::routes::{Method, Table};
use crate::with_game;
use crate::words::Message;

/// Whether the public sees standings.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FreezeBody {
    /// Whether they are frozen: no door shows them to the public.
    frozen: bool,
    /// Why; shown in the audit log.
    #[serde(default)]
    reason: String,
}

/// A publication to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishBody {
    /// `provisional`, `official` or `final`; never back to an earlier one.
    #[schema(value_type = String)]
    state: ResultState,
    /// Why; shown in the audit log.
    reason: String,
}

/// Why.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReasonBody {
    /// Why; shown in the audit log.
    pub(super) reason: String,
}

/// The hash of a checkpoint or of a revision.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProofSheet {
    /// `checkpoint` or `revision`.
    kind: &'static str,
    /// Its number among those of its kind, from 1.
    number: u32,
    /// When it was signed, µs.
    at_us: i64,
    /// SHA-256 of the canonical text of its body, 64 hexadecimal digits: what `fushi verify --checkpoint` takes.
    hash: String,
    /// The boards that a checkpoint names.
    boards: Vec<u32>,
}

impl From<&Proof> for ProofSheet {
    fn from(proof: &Proof) -> ProofSheet {
        ProofSheet {
            kind: proof.kind.word(),
            number: proof.number,
            at_us: proof.at,
            hash: hex::encode(proof.hash),
            boards: proof.boards.clone(),
        }
    }
}

/// The hashes of the checkpoints and revisions so far.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProofList {
    /// In the order in which they were signed.
    items: Vec<ProofSheet>,
}

/// The published revisions.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevisionList {
    /// Each with its signature, in order.
    #[schema(value_type = Vec<Object>)]
    items: Vec<Value>,
}

pub(super) fn add(table: &mut Table) {
    table
        .add(
            Method::Put,
            "/api/v1/events/{event}/freeze",
            Right::Freeze,
            "freeze",
            "Freezes the public standings, or shows them again",
        )
        .body::<FreezeBody>()
        .answers::<FreezeBody>(200)
        .to(freeze);
    table
        .post(
            "/api/v1/events/{event}/revisions",
            Right::Publish,
            "publish",
            "Publishes the results as they are: a signed revision; every board must be over",
        )
        .body::<PublishBody>()
        .answers::<RevisionList>(201)
        .to(publish_now);
    table
        .get(
            "/api/v1/events/{event}/revisions",
            Right::SeePublic,
            "listRevisions",
            "Published revisions, signed",
        )
        .answers::<RevisionList>(200)
        .to(list);
    table
        .get(
            "/api/v1/events/{event}/checkpoints",
            Right::SeePublic,
            "listCheckpoints",
            "The hash of every checkpoint and revision so far: noted during play, they show later that nothing was written anew",
        )
        .answers::<ProofList>(200)
        .to(list_proofs);
    table
        .post(
            "/api/v1/events/{event}/reveal",
            Right::Reveal,
            "reveal",
            "Reveals the keys of the sets that were played and of the AI players",
        )
        .body::<ReasonBody>()
        .answers_file(&["application/json"])
        .to(reveal);
    table
        .get("/api/v1/events/{event}/reveal", Right::SeePublic, "getReveal", "The revealed keys")
        .answers_file(&["application/json"])
        .to(get_reveal);
    table
        .get(
            "/api/v1/events/{event}/bundle",
            Right::SeePublic,
            "getBundle",
            "Everything needed to check the event offline; after the keys are revealed",
        )
        .answers_file(&["application/jsonl"])
        .to(bundle);
}

async fn freeze(call: RequestContext, Body(body): Body<FreezeBody>) -> Answer {
    reason(&body.reason)?;
    let answer = call
        .work(move |call| {
            let row = desk::row(call)?;
            desk::in_state(&row, |state| state != EventState::Draft)?;
            let before = frozen(&call.app, &row)?;
            let audit = call.audit("freeze", &body.reason, &json!(before), &json!(body.frozen));
            let write = EventWrite { audit: vec![audit], ..EventWrite::default() };
            let log = call.app.halls.logs().open(&row.id)?;
            publishing::freeze(&log, call.author(), body.frozen, write)?;
            Ok(body)
        })
        .await?;
    ok(&answer)
}

async fn publish_now(call: RequestContext, Body(body): Body<PublishBody>) -> Answer {
    reason(&body.reason)?;
    let list = call
        .work(move |call| {
            let row = desk::row(call)?;
            desk::in_state(&row, |state| state.may_become(body.state.into()))?;
            with_game!(desk::kind(&row)?, G => publish_one::<G>(call, &row, &body))?;
            revision_list(call, &row)
        })
        .await?;
    created(&list)
}

fn publish_one<G: Game>(call: &RequestContext, row: &EventRow, body: &PublishBody) -> Result<(), Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
    let heads = call.app.read_model.look(&call.app, &row.id, |state| {
        if state.complete() { Ok(state.heads()) } else { Err(LogError::NotOver.into()) }
    })?;
    // Boards whose checkpoints the hall has not signed yet.
    sign_boards(archive, &row.id, &opened.signer, call.now, &heads)?;
    let (before, after) = (json!(row.state), json!(body.state.word()));
    let audit = vec![
        call.audit("publish-reason", &body.reason, &before, &after),
        call.audit("publish", body.state.word(), &Value::Null, &Value::Null),
    ];
    let write = EventWrite { audit, ..EventWrite::default() };
    let log = call.app.halls.logs().open(&row.id)?;
    publish(&log, &opened.signer, call.author(), body.state, call.now, write)?;
    Ok(())
}

fn revision_list(call: &RequestContext, row: &EventRow) -> Result<RevisionList, Problem> {
    if !row.state.is_drawn() {
        return Ok(RevisionList { items: Vec::new() });
    }
    let items = call.app.read_model.look(&call.app, &row.id, |state| {
        let published = state.desk().published().iter();
        published.map(|revision| serde_json::to_value(revision).map_err(Problem::internal)).collect()
    })?;
    Ok(RevisionList { items })
}

async fn list(call: RequestContext) -> Answer {
    let list = call
        .work(|call| {
            let row = desk::row(call)?;
            sees(&call.app, &call.who, &row)?;
            revision_list(call, &row)
        })
        .await?;
    ok(&list)
}

async fn list_proofs(call: RequestContext) -> Answer {
    let list = call
        .work(|call| {
            let row = desk::row(call)?;
            Ok(ProofList { items: all_proofs(&call.app, &row.id)?.iter().map(ProofSheet::from).collect() })
        })
        .await?;
    ok(&list)
}

/// The checkpoints and revisions of an event in the order in which they were signed; none before its announcement.
///
/// # Errors
/// The database.
pub fn all_proofs(app: &App, event: &str) -> Result<Vec<Proof>, Problem> {
    let archive: &dyn Archive = app.store.as_ref();
    if archive.announcement(event)?.is_none() {
        return Ok(Vec::new());
    }
    let published = app.read_model.look(app, event, |state| Ok(state.desk().published().to_vec()))?;
    Ok(proofs(archive, event, &published)?)
}

/// The newest hash of an event as streams say it, one line of JSON; `None` before the first.
///
/// # Errors
/// The database.
pub(super) fn newest_proof(app: &App, event: &str) -> Result<Option<String>, Problem> {
    let Some(newest) = all_proofs(app, event)?.pop() else { return Ok(None) };
    serde_json::to_string(&ProofSheet::from(&newest)).map(Some).map_err(Problem::internal)
}

async fn reveal(call: RequestContext, Body(body): Body<ReasonBody>) -> Answer {
    reason(&body.reason)?;
    let text = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::is_published)?;
            if let Some(text) = call.app.store.server_value(&format!("reveal:{}", row.id))? {
                return Ok(text);
            }
            let text = with_game!(desk::kind(&row)?, G => keys::<G>(call, &row))?;
            let archive: &dyn Archive = call.app.store.as_ref();
            archive.audit(call.audit("reveal", &body.reason, &Value::Null, &Value::Null))?;
            call.app.store.set_server_value(&format!("reveal:{}", row.id), &text)?;
            Ok(text)
        })
        .await?;
    tagged(None, "application/json", text.into_bytes())
}

/// The keys of every set that was played, and of the AI players.
fn keys<G: Game>(call: &RequestContext, row: &EventRow) -> Result<String, Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
    if !opened.look(&call.app)?.complete {
        return Err(Problem::said(Code::Stage, Message::plain("web-not-over")));
    }
    let (announcement, delayed) = opened.event.announced(archive)?;
    let secret = call.app.secret.sealing();
    let master = opening::master(archive, &row.id, &secret, "to reveal", call.now, &call.who.name())?;
    let mut sets = Vec::new();
    for set in announcement.body().sets.iter().filter(|set| set.purpose == Purpose::Original) {
        let reveal = Reveal::of(&announcement, &master, &set.id).map_err(EventError::from)?;
        sets.push(serde_json::to_value(reveal).map_err(Problem::internal)?);
    }
    let ai = if announcement.body().ai.levels.is_empty() {
        Value::Null
    } else {
        let reveal = AiReveal::of(&announcement, &master).map_err(EventError::from)?;
        serde_json::to_value(reveal).map_err(Problem::internal)?
    };
    let draw = DrawReveal::of(&announcement, &master).map_err(EventError::from)?;
    let delayed = (!delayed.is_none()).then(|| delayed.as_str().to_owned());
    Ok(json!({ "event": row.id, "delayed": delayed, "sets": sets, "ai": ai, "draw": draw }).to_string())
}

/// Whether the keys of an event are revealed, so that there is a bundle.
///
/// # Errors
/// The database.
pub fn is_revealed(app: &App, event: &str) -> Result<bool, Problem> {
    Ok(app.store.server_value(&format!("reveal:{event}"))?.is_some())
}

/// The keys, for whoever may see results: they open the deals of every board.
fn revealed(call: &RequestContext, row: &EventRow) -> Result<String, Problem> {
    sees(&call.app, &call.who, row)?;
    call.app
        .store
        .server_value(&format!("reveal:{}", row.id))?
        .ok_or_else(|| Problem::said(Code::Sealed, Message::plain("web-not-revealed")))
}

async fn get_reveal(call: RequestContext) -> Answer {
    let text = call
        .work(|call| {
            let row = desk::row(call)?;
            revealed(call, &row)
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/json", text.into_bytes())
}

async fn bundle(call: RequestContext) -> Answer {
    let bytes = call
        .work(|call| {
            let row = desk::row(call)?;
            revealed(call, &row)?;
            let last = call.app.read_model.look(&call.app, &row.id, |state| {
                let last = state.desk().published().last().map(|last| last.body.number);
                last.ok_or_else(|| Problem::new(Code::Stage))
            })?;
            call.app.read_model.text(
                &row.id,
                "bundle",
                &last.to_string(),
                || with_game!(desk::kind(&row)?, G => write::<G>(call, &row)),
            )
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/jsonl", bytes.to_vec())
}

/// The bundle of the last revision: rulings that were made since are in the next one.
fn write<G: Game>(call: &RequestContext, row: &EventRow) -> Result<Vec<u8>, Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
    let secret = call.app.secret.sealing();
    let master = opening::master(archive, &row.id, &secret, "to write the bundle", call.now, "server")?;
    Ok(export(archive, &opened.event, &master, &opened.signer, Vec::new())?)
}
