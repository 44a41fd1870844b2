//! The audit log: every act of a right, who, when, what, why, before and after.

use actix_web::web;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::accounts::PageParams;
use super::audit_said::{Called, ChangedWords, Reader};
use crate::desk::people::{Audited, People as _};
use crate::desk::rights::Right;
use crate::event::archive::{Archive, EntrantRow, EventRow};
use crate::event::called::{Numbered, called};
use crate::formats::settings::{Entrant, Settings};
use crate::web::answer::{Answer, Page, ok};
use crate::web::context::{Params, RequestContext};
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;
use crate::words::{Lang, Message};

/// An act.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditLine {
    /// Its number; counted over the whole server.
    id: i64,
    /// When.
    at_us: i64,
    /// Who.
    who: String,
    /// What, a stable code.
    act: String,
    /// Why.
    reason: String,
    /// The event, if it concerns one.
    event: Option<String>,
    /// Before and after.
    #[schema(value_type = Object)]
    details: Value,
    /// Why, in the reader's words: what the program noted has words, what a person wrote stays as it is.
    why: String,
    /// The fields that differ, in the reader's words.
    changes: Vec<ChangedWords>,
}

impl AuditLine {
    fn of(entry: Audited, lang: Lang, called: &Called) -> AuditLine {
        let details: Value = serde_json::from_str(&entry.row.details).unwrap_or(Value::Null);
        let reader = Reader { lang, called, act: &entry.row.act };
        let (why, changes) = (reader.reason(&entry.row.reason), reader.changes(&details));
        AuditLine {
            why,
            changes,
            id: entry.id,
            at_us: entry.row.at_us,
            who: entry.row.who,
            act: entry.row.act,
            reason: entry.row.reason,
            event: entry.row.event_id,
            details,
        }
    }
}

pub(super) fn add(table: &mut Table) {
    table
        .get("/api/v1/audit", Right::ReadAudit, "readAudit", "The audit log of the server, oldest first")
        .query::<PageParams>()
        .answers::<Page<AuditLine>>(200)
        .to(all);
    table
        .get(
            "/api/v1/events/{event}/audit",
            Right::ReadAudit,
            "readEventAudit",
            "The audit log of an event, oldest first",
        )
        .query::<PageParams>()
        .answers::<Page<AuditLine>>(200)
        .to(of_event);
}

async fn all(call: RequestContext, Params(page): Params<PageParams>) -> Answer {
    read(&call, None, &page).await
}

async fn of_event(
    call: RequestContext,
    event: web::Path<String>,
    Params(page): Params<PageParams>,
) -> Answer {
    read(&call, Some(event.into_inner()), &page).await
}

/// Entrants with their numbers, and devices.
fn names(call: &RequestContext, row: &EventRow) -> Result<Called, Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    let entrants: Vec<Entrant> = archive.entrants(&row.id)?.into_iter().map(EntrantRow::entrant).collect();
    let mut names = called(&entrants, Numbered::Always);
    names.extend(call.app.store.devices(&row.id)?.into_iter().map(|device| (device.id, device.name)));
    let settings: Value = serde_json::from_str(&row.settings).unwrap_or_default();
    let settings = serde_json::from_value::<Settings>(settings["settings"].clone());
    Ok(Called { names, pairs: settings.is_ok_and(|settings| settings.pairs()) })
}

async fn read(call: &RequestContext, event: Option<String>, page: &PageParams) -> Answer {
    let limit = page.limit()?;
    let after = match &page.after {
        None => 0,
        Some(text) => {
            text.parse::<i64>().map_err(|_| Problem::said(Code::BadQuery, Message::plain("web-bad-after")))?
        }
    };
    let (entries, called) = call
        .work(move |call| {
            let mut called = Called::default();
            if let Some(event) = &event {
                let row = call.app.store.event(event).map_err(crate::event::archive::ArchiveError::from)?;
                called = names(call, &row)?;
            }
            let count = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
            Ok((call.app.store.audit_page(event.as_deref(), after, count)?, called))
        })
        .await?;
    let lines: Vec<AuditLine> =
        entries.into_iter().map(|entry| AuditLine::of(entry, call.lang, &called)).collect();
    ok(&Page::cut(lines, limit, |line| line.id.to_string()))
}
