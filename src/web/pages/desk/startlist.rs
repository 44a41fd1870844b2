//! The start list: who takes part, with number, name and club, and after the draw where everybody begins; to be printed.

use actix_web::web;
use maud::{Markup, html};

use super::super::layout::{self, Content};
use super::super::{Shown, Visit, names};
use super::{Standing, head, kind_of, seat_word};
use crate::formats::settings::Entrant;
use crate::words::Message;

/// Where an entrant begins: table and seats, or a bye.
fn place(visit: &Visit, standing: &Standing, round: u32, entrant: &Entrant) -> Markup {
    html! {
        @match standing.place(round, entrant.number) {
            Some((table, seats)) => {
                td.number { (table) }
                td { @for seat in &seats { (seat_word(visit, seat)) } }
            }
            None => td colspan="2" { (visit.say("org-seats-bye")) },
        }
    }
}

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    let title = visit.say("org-start-list");
    let round = standing.rounds.first().map(|round| round.round);
    let origins = standing.entrants.iter().any(|entrant| entrant.origin().is_some());
    let count = Message::plain("org-entrants")
        .with("count", standing.entrants.len())
        .with("kind", kind_of(standing.pairs()));
    let main = html! {
        (head(&visit, &standing, "/start-list"))
        @if standing.entrants.is_empty() {
            h1 { (title) }
            div.empty { p { (visit.say("org-list-none")) } }
        } @else {
            article.paper lang=(visit.lang.tag()) {
                header.paper-head {
                    p.paper-event lang=(standing.schedule.language) { (standing.settings.title) }
                    h1 { (title) }
                    p.muted {
                        (visit.tell(&count))
                        @if let Some(round) = round {
                            " · " (visit.tell(&Message::plain("org-start-list-round").with("round", round)))
                        }
                    }
                }
                @if round.is_none() { p.no-print.notice { (visit.say("org-start-list-undrawn")) } }
                div.scroll.whole tabindex="0" role="region" aria-label=(title) {
                    table #start-list {
                        thead { tr {
                            th.number scope="col" { (visit.say("org-col-number")) }
                            th scope="col" { (visit.say("org-col-name")) }
                            @if origins { th scope="col" { (visit.say("org-col-origin")) } }
                            @if round.is_some() {
                                th.number scope="col" { (visit.say("org-col-table")) }
                                th scope="col" { (visit.say("org-col-seat")) }
                            }
                        } }
                        tbody {
                            @for entrant in &standing.entrants {
                                tr {
                                    td.number { (entrant.number) }
                                    th scope="row" {
                                        (entrant.name)
                                        @if let Some(level) = &entrant.level { " " span.tag { (names::level(&visit, level)) } }
                                    }
                                    @if origins { td { (entrant.origin().unwrap_or_default()) } }
                                    @if let Some(round) = round { (place(&visit, &standing, round, entrant)) }
                                }
                            }
                        }
                    }
                }
            }
            div.row.centred {
                button.button type="button" data-print { (visit.say("org-print")) }
                a.button.quiet href=(standing.desk()) { (visit.say("org-back")) }
            }
        }
    };
    let content = Content {
        title,
        main,
        script: Some("desk.js"),
        style: Some("desk.css"),
        class: "desk",
        words: &["organize-js"],
        ..Content::default()
    };
    Ok(layout::found(&visit, &content))
}
