//! Warnings: given by referees, told to the player at once, listed for the floor.

use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::accounts::reason;
use crate::desk::rights::Right;
use crate::desk::warnings::{self, ACT, CODES};
use crate::event::archive::Archive;
use crate::event::{Event, EventState};
use crate::games::rulesets::not_known;
use crate::web::answer::{Answer, created, ok};
use crate::web::context::{Body, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;
use crate::with_game;

/// A warning to be given.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WarningBody {
    /// Who is warned, by id.
    entrant: String,
    /// `late`, `slow`, `talking`, `exposed`, `device`, `conduct` or `other`.
    code: String,
    /// What happened, in words that the player reads, too.
    reason: String,
}

/// A warning that was given.
#[derive(Debug, Serialize, ToSchema)]
pub struct Warned {
    /// How many warnings the entrant has in this event, this one included.
    count: usize,
    /// Whether somebody of the entrant is connected and sees it now.
    seen: bool,
}

/// A warning.
#[derive(Debug, Serialize, ToSchema)]
pub struct WarningSheet {
    /// Instant, µs.
    at: i64,
    /// Who warned.
    by: String,
    /// Who was warned.
    entrant: String,
    /// For what.
    code: String,
    /// In the referee's words.
    reason: String,
}

/// The warnings of an event, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct WarningList {
    items: Vec<WarningSheet>,
}

pub(super) fn add(table: &mut Table) {
    table
        .get("/api/v1/events/{event}/warnings", Right::SeeFloor, "listWarnings", "Warnings, the oldest first")
        .answers::<WarningList>(200)
        .to(list);
    table
        .post(
            "/api/v1/events/{event}/warnings",
            Right::OrderTable,
            "warn",
            "Warns an entrant: the player is told at once; no result changes",
        )
        .body::<WarningBody>()
        .answers::<Warned>(201)
        .to(warn);
}

async fn list(call: RequestContext, event: web::Path<String>) -> Answer {
    let items = call
        .work(move |call| {
            desk::row(call)?;
            Ok(warnings::of_event(call.app.store.as_ref(), &event)?)
        })
        .await?;
    let sheet = |one: warnings::Warning| WarningSheet {
        at: one.at,
        by: one.by,
        entrant: one.entrant,
        code: one.code,
        reason: one.reason,
    };
    ok(&WarningList { items: items.into_iter().map(sheet).collect() })
}

async fn warn(call: RequestContext, event: web::Path<String>, Body(body): Body<WarningBody>) -> Answer {
    reason(&body.reason)?;
    if !CODES.contains(&body.code.as_str()) {
        return Err(Problem::said(Code::Refused, not_known("code", &body.code, &CODES)));
    }
    let (code, why) = (body.code.clone(), body.reason.clone());
    let (count, number, hall) = call
        .work(move |call| {
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::is_open)?;
            let archive: &dyn Archive = call.app.store.as_ref();
            let entrants = with_game!(desk::kind(&row)?, G => Event::<G>::load(archive, &row.id)?.entrants);
            let entrant = entrants.into_iter().find(|one| one.id == body.entrant);
            let entrant = entrant.ok_or_else(|| Problem::missing("entrant"))?;
            let shown = json!({ "entrant": entrant.id, "code": body.code });
            archive.audit(call.audit(ACT, &body.reason, &Value::Null, &shown))?;
            let all = warnings::of_event(call.app.store.as_ref(), &event)?;
            let count = all.iter().filter(|one| one.entrant == entrant.id).count();
            Ok((count, entrant.number, call.app.halls.get(&row.id)))
        })
        .await?;
    let seen = match hall {
        Some(hall) => hall.warn(number, &code, &why, count).await,
        None => false,
    };
    created(&Warned { count, seen })
}
