//! The offices of an event: whether one account may be organizer and referee. The event's public page says so.

use std::sync::PoisonError;

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::accounts::reason;
use crate::desk::rights::Right;
use crate::event::archive::Archive;
use crate::web::answer::{Answer, ok};
use crate::web::context::{Body, RequestContext};
use crate::web::desk;
use crate::web::routes::{Method, Table};

/// Who may hold which office.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfficesBody {
    /// Whether one account may be organizer and referee: whoever has a role of both has the rights of both then.
    one_account: bool,
    /// Why; shown in the audit log.
    reason: String,
}

pub(super) fn add(table: &mut Table) {
    table
        .add(
            Method::Put,
            "/api/v1/events/{event}/offices",
            Right::EditEvent,
            "setOffices",
            "Says whether one account may be organizer and referee of the event; it gives nobody a role",
        )
        .body::<OfficesBody>()
        .answers::<OfficesBody>(200)
        .to(set);
}

async fn set(call: RequestContext, Body(body): Body<OfficesBody>) -> Answer {
    reason(&body.reason)?;
    let answer = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            let shown = |one: bool| json!({ "one_account": one });
            let audit =
                call.audit("set-offices", &body.reason, &shown(row.one_account), &shown(body.one_account));
            let archive: &dyn Archive = call.app.store.as_ref();
            archive.join_offices(&row.id, body.one_account, audit)?;
            Ok(body)
        })
        .await?;
    ok(&answer)
}
