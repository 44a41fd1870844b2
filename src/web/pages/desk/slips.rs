//! Seat slips: a code for every person, as text and QR, with the first table and seat; made once, printed, cut.

use crate::event::EventState;
use actix_web::web;
use maud::html;
use serde_json::{Value, json};

use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::{Standing, head, seat_word};
use crate::web::problem::{Code, Problem};

/// The page.
///
/// # Errors
/// There is no such event, or no seat has been drawn.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    if standing.rounds.is_empty() {
        return Err(Problem::new(Code::NotFound));
    }
    let round = standing.round().map_or(1, |(round, _)| round);
    let origins = standing.origins();
    let people: Vec<Value> = standing
        .entrants
        .iter()
        .filter(|entrant| entrant.level.is_none())
        .map(|entrant| {
            let place = standing.place(round, entrant.number);
            json!({
                "id": entrant.id,
                "name": entrant.name,
                "number": entrant.number,
                "beside": origins.get(entrant.id.as_str()),
                "table": place.as_ref().map(|place| place.0),
                "seats": place.map(|place| place.1.iter().map(|seat| seat_word(&visit, seat)).collect::<Vec<_>>()),
            })
        })
        .collect();
    let title = visit.say("org-slips-title");
    let open = standing.row.state == EventState::Locked;
    let main = html! {
        (head(&visit, &standing, "/slips"))
        h1 { (title) }
        @if people.is_empty() {
            div.empty { p { (visit.say("org-slips-none")) } p.muted { (visit.say("org-slips-none-how")) } }
        } @else if open {
            div.no-print {
                p.lead { (visit.say("org-slips-what")) }
                @if standing.slips { p.notice.warn { (visit.say("org-slips-again")) } }
                p.notice.warn #here-only hidden { (visit.say("org-slips-here-only")) }
                p.notice.bad #fault role="alert" hidden {}
                div.field.short {
                    label for="whom" { (visit.say("org-slips-whom")) }
                    select #whom {
                        option value="" { (visit.say("org-slips-all")) }
                        @for entrant in standing.entrants.iter().filter(|one| one.level.is_none()) {
                            option value=(entrant.id) {
                                (entrant.number) " · " (entrant.name)
                                @if let Some(beside) = origins.get(entrant.id.as_str()) { " (" (beside) ")" }
                            }
                        }
                    }
                }
                div.row {
                    button.button.main #make type="button" { (visit.say("org-slips-make")) }
                    button.button #print type="button" data-print hidden { (visit.say("org-print")) }
                    a.button.quiet href=(standing.desk()) { (visit.say("org-back")) }
                }
                progress #making hidden aria-label=(visit.say("org-slips-title")) {}
            }
            div #slips .slips lang=(standing.schedule.language) {}
        } @else {
            div.empty { p { (visit.say("org-slips-over")) } }
        }
    };
    let data = json!({
        "event": standing.row.id, "title": standing.settings.title, "base": visit.base(), "people": people,
        "round": round, "pairs": standing.pairs(),
    });
    Ok(layout::found(&visit, &Content::desk(title, main, "desk-slips.js", data)))
}
