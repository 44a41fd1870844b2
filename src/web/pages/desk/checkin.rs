//! Check-in: type a number or a name, or scan a slip; who has come and who is missing.

use actix_web::web;
use maud::html;
use serde_json::{Value, json};

use super::super::layout::{self, Content};
use super::super::{Shown, Visit, names};
use super::{Standing, head};
use crate::words::Message;

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    let came = |id: &str| standing.came.iter().any(|one| one.entrant == id);
    let origins = standing.origins();
    let people: Vec<Value> = standing
        .entrants
        .iter()
        .filter(|entrant| entrant.level.is_none())
        .map(|entrant| {
            json!({ "id": entrant.id, "name": entrant.name, "number": entrant.number, "came": came(&entrant.id),
                    "beside": origins.get(entrant.id.as_str()) })
        })
        .collect();
    let title = visit.say("org-checkin-title");
    let open = standing.row.state.is_open();
    let rules =
        Message::plain("org-checkin-rules").with("ruleset", names::ruleset(&visit, &standing.rules.name));
    let main = html! {
        (head(&visit, &standing, "/checkin"))
        h1 { (title) }
        @if people.is_empty() || !open {
            div.empty { p { (visit.say(if open { "org-checkin-none" } else { "org-checkin-over" })) } }
        } @else {
            p.lead { (visit.tell(&rules)) }
            form #checkin novalidate {
                p.notice.bad role="alert" hidden {}
                div.field {
                    label for="who" { (visit.say("org-checkin-who")) }
                    p.hint #who-hint { (visit.say("org-checkin-hint")) }
                    input id="who" name="who" type="search" autocomplete="off" autofocus aria-describedby="who-hint";
                }
            }
            p #count role="status" {}
            p.row { button.button.quiet #everybody type="button" hidden {} }
            dialog #all aria-labelledby="all-title" {
                form method="dialog" {
                    h2 #all-title { (visit.say("org-checkin-all")) }
                    p { (visit.say("org-checkin-all-what")) }
                    p.notice.bad role="alert" hidden {}
                    progress hidden aria-label=(visit.say("org-checkin-all")) {}
                    div.row {
                        button.button type="submit" { (visit.say("org-checkin-all")) }
                        button.button.quiet type="button" data-close { (visit.say("pages-cancel")) }
                    }
                }
            }
            ul #people .people {}
        }
    };
    let data = json!({ "event": standing.row.id, "people": people, "rules": standing.rules.hash });
    Ok(layout::found(&visit, &Content::desk(title, main, "desk-checkin.js", data)))
}
