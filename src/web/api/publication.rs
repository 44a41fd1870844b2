//! Freezing, publishing, revealing: what the public sees and when; and the bundle that proves it.

use std::sync::{Arc, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::accounts::reason;
use crate::dealing::{AiReveal, DrawReveal, Purpose, Reveal};
use crate::desk::export::export;
use crate::desk::opening;
use crate::desk::people::People as _;
use crate::desk::rights::Right;
use crate::event::EventError;
use crate::event::archive::{Archive, EventRow};
use crate::event::results::{Proof, last_revision, proofs, publish, revisions, sign_boards};
use crate::games::Game;
use crate::journal::bundle::ResultState;
use crate::web::App;
use crate::web::answer::{Answer, created, ok, tagged};
use crate::web::audience::{Sees, frozen, sees};
use crate::web::context::{Body, RequestContext};
use crate::web::desk::{self, Stage};
use crate::web::problem::{Code, Problem};
use crate::web::routes::{Method, Table};
use crate::with_game;
use crate::words::{Message, terms};

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
    reason: String,
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
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            let before = frozen(&call.app, &row.id)?;
            let audit = call.audit("freeze", &body.reason, &json!(before), &json!(body.frozen));
            let archive: &dyn Archive = call.app.store.as_ref();
            let value = if body.frozen { call.now.to_string() } else { String::new() };
            // The log first: a frozen board without an entry would be worse than an entry without effect.
            archive.audit(audit)?;
            call.app.store.set_server_value(&format!("frozen:{}", row.id), &value)?;
            Ok(body)
        })
        .await?;
    ok(&answer)
}

const fn order(state: ResultState) -> u8 {
    match state {
        ResultState::Provisional => 0,
        ResultState::Official => 1,
        ResultState::Final => 2,
    }
}

async fn publish_now(call: RequestContext, Body(body): Body<PublishBody>) -> Answer {
    reason(&body.reason)?;
    let list = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            desk::at_stage(&row, &[Stage::Locked, Stage::Published])?;
            let back = match row.state.as_str() {
                "official" => order(body.state) < 1,
                "final" => order(body.state) < 2,
                _ => false,
            };
            if back {
                return Err(Problem::said(
                    Code::Stage,
                    Message::plain("web-stage").with("state", terms::state(&row.state)),
                ));
            }
            with_game!(desk::kind(&row)?, G => publish_one::<G>(call, &row, &body))?;
            revision_list(call, &row)
        })
        .await?;
    created(&list)
}

fn publish_one<G: Game>(call: &RequestContext, row: &EventRow, body: &PublishBody) -> Result<(), Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
    let (so_far, collected) = opened.collected(&call.app, false)?;
    if !so_far.complete {
        return Err(Problem::said(Code::Stage, Message::plain("web-not-over")));
    }
    let audit = call.audit("publish-reason", &body.reason, &json!(row.state), &json!(body.state.word()));
    archive.audit(audit)?;
    // Boards whose checkpoints the hall has not signed yet.
    sign_boards(archive, &row.id, &opened.signer, call.now, &collected.heads)?;
    let who = call.who.name();
    publish(archive, &opened.event, &collected, &opened.signer, body.state, call.now, &who)?;
    Ok(())
}

fn revision_list(call: &RequestContext, row: &EventRow) -> Result<RevisionList, Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    let items = revisions(archive, &row.id)?
        .iter()
        .map(|revision| serde_json::to_value(revision).map_err(Problem::internal))
        .collect::<Result<_, _>>()?;
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
            let archive: &dyn Archive = call.app.store.as_ref();
            Ok(ProofList { items: proofs(archive, &row.id)?.iter().map(ProofSheet::from).collect() })
        })
        .await?;
    ok(&list)
}

/// The newest hash of an event as streams say it, one line of JSON; `None` before the first.
///
/// # Errors
/// The database.
pub(super) fn newest_proof(app: &App, event: &str) -> Result<Option<String>, Problem> {
    let archive: &dyn Archive = app.store.as_ref();
    let Some(newest) = proofs(archive, event)?.pop() else { return Ok(None) };
    serde_json::to_string(&ProofSheet::from(&newest)).map(Some).map_err(Problem::internal)
}

async fn reveal(call: RequestContext, Body(body): Body<ReasonBody>) -> Answer {
    reason(&body.reason)?;
    let text = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            desk::at_stage(&row, &[Stage::Published])?;
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
    let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
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
            let archive: &dyn Archive = call.app.store.as_ref();
            let last = last_revision(archive, &row.id)?.ok_or_else(|| Problem::new(Code::Stage))?.body;
            let shown = Sees::Revision { number: last.number, rulings: last.rulings };
            let key = format!("bundle/{}/{}", row.id, last.number);
            call.app.shelf.file(&key, || with_game!(desk::kind(&row)?, G => write::<G>(call, &row, shown)))
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/jsonl", bytes.to_vec())
}

/// The bundle of the last revision: rulings that were made since are in the next one.
fn write<G: Game>(call: &RequestContext, row: &EventRow, shown: Sees) -> Result<Arc<Vec<u8>>, Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    let opened = call.app.shelf.open::<G>(&call.app, &row.id, "server")?;
    let (_, tally) = opened.tally(&call.app, shown)?;
    let secret = call.app.secret.sealing();
    let master = opening::master(archive, &row.id, &secret, "to write the bundle", call.now, "server")?;
    let bytes = export(archive, &opened.event, &master, &opened.signer, &tally, Vec::new())?;
    Ok(Arc::new(bytes))
}
