//! One ruling on a sheet of paper: event, board, facts, decision, clause, reason, the figures before and after, lines for
//! signatures, time and the deadline of an appeal.

use actix_web::web;
use maud::html;
use serde_json::json;

use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::Standing;
use crate::scoring::said;
use crate::web::problem::{Code, Problem};
use crate::words::Message;

/// The page.
///
/// # Errors
/// There is no such event for this visitor; seats are not drawn; the number is none.
pub async fn page(mut visit: Visit, path: web::Path<(String, String)>) -> Shown {
    let (id, number) = path.into_inner();
    let standing = Standing::of(&mut visit, &id).await?;
    let missing = || Problem::said(Code::NotFound, Message::plain("form-missing"));
    let number: u32 = number.parse().map_err(|_| missing())?;
    if standing.rounds.is_empty() {
        return Err(missing());
    }
    let title = visit.say("form-title");
    let main = html! {
        article.leaf {
            p.event-name lang=(standing.schedule.language) { (standing.settings.title) }
            h1 { (title) }
            p #form-number .form-number {}
            p.notice.bad #fault role="alert" hidden {}
            div #form {}
        }
        div.row.centred {
            button.button type="button" data-print { (visit.say("org-print")) }
            a.button.quiet href={ (standing.desk()) "/rulings" } { (visit.say("form-back")) }
        }
    };
    let data = json!({
        "event": standing.row.id, "number": number, "names": standing.names(), "method": standing.settings.scoring.method,
        "methodName": visit.say(said::method(standing.settings.scoring.method)),
    });
    let content = Content {
        style: Some("paper.css"),
        words: &["organize-js", "rulings", "watch", "who", "notice"],
        ..Content::desk(title, main, "ruling-form.js", data)
    };
    Ok(layout::found(&visit, &content))
}
