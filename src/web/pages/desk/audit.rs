//! The audit log of an event: every act of a right, newest first, in words, with what was before and after.

use actix_web::web;
use maud::html;
use serde_json::json;

use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::{Standing, head};

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    let title = visit.say("audit-title");
    let main = html! {
        (head(&visit, &standing, "/audit"))
        h1 { (title) }
        p.lead { (visit.say("audit-lead")) }
        div.row.filters {
            div.field {
                label for="act" { (visit.say("audit-what")) }
                select #act { option value="" { (visit.say("audit-all")) } }
            }
            div.field {
                label for="who" { (visit.say("audit-who")) }
                select #who { option value="" { (visit.say("audit-everybody")) } }
            }
            div.field {
                label for="find" { (visit.say("audit-find")) }
                input id="find" type="search" autocomplete="off";
            }
        }
        p.notice.bad #fault role="alert" hidden {}
        p #count .muted role="status" { (visit.say("org-preview-wait")) }
        ol #log .log {}
        p.row {
            button.button.quiet #more type="button" hidden { (visit.say("audit-more")) }
        }
    };
    let data = json!({ "event": standing.row.id, "names": standing.names(), "staff": standing.staff });
    let content =
        Content { words: &["organize-js", "audit"], ..Content::desk(title, main, "desk-audit.js", data) };
    Ok(layout::found(&visit, &content))
}
