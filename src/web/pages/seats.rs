//! The projector: the round's time, and who sits where; the page follows the event by itself.

use actix_web::web;
use maud::html;
use serde_json::json;

use super::desk::{Standing, seat_word};
use super::layout::{self, Content};
use super::{Shown, Visit};
use crate::event::EventState;
use crate::event::called::{Numbered, called};
use crate::words::Message;

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    let round = standing.round();
    let mut lines: Vec<_> = standing
        .entrants
        .iter()
        .map(|one| (one, round.and_then(|(round, _)| standing.place(round, one.number))))
        .collect();
    // The page's script sorts as readers of its language do; without it the order is at least the same every time.
    let names = called(&standing.entrants, Numbered::WhereEqual);
    lines.sort_by(|a, b| a.0.name.cmp(&b.0.name).then(a.0.number.cmp(&b.0.number)));
    let origins = standing.origins();
    let title = visit.say("org-seats-title");
    let drawn = !standing.rounds.is_empty();
    let over = standing.complete || (drawn && round.is_none());
    let main = html! {
        header.projector-head {
            div {
                p.event-name lang=(standing.schedule.language) { (standing.settings.title) }
                h1 {
                    @match round {
                        Some((round, true)) if drawn && !over => (visit.tell(&Message::plain("org-seats-now").with("round", round))),
                        Some((round, false)) if drawn && !over => (visit.tell(&Message::plain("org-seats-next").with("round", round))),
                        _ => (title),
                    }
                }
            }
            p #timer .timer role="timer" hidden {}
        }
        @if !drawn {
            div.empty { p { (visit.say("org-seats-undrawn")) } }
        } @else if over {
            div.empty { p { (visit.say("org-seats-over")) } }
        } @else {
            div.seat-sheet tabindex="0" role="region" aria-label=(title) { ol.seat-list.few[lines.len() <= 30].some[(31..=80).contains(&lines.len())] {
                @for (entrant, place) in &lines {
                    li {
                        span.seat-name { (names.get(&entrant.id).unwrap_or(&entrant.name)) }
                        @if let Some(beside) = origins.get(entrant.id.as_str()) { " " span.muted { (beside) } }
                        @match place {
                            Some((table, seats)) => span.seat-place {
                                (visit.tell(&Message::plain("org-seats-table").with("table", table)))
                                " " strong { (seat_word(&visit, &seats.concat())) }
                            },
                            None => span.seat-place.muted { (visit.say("org-seats-bye")) },
                        }
                    }
                }
            } }
        }
    };
    let data = json!({ "event": standing.row.id, "progress": standing.progress, "live": standing.row.state == EventState::Locked });
    let content = Content { class: "desk projector", ..Content::desk(title, main, "desk-event.js", data) };
    Ok(layout::found(&visit, &content))
}
