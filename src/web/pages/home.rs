//! The first page: which events there are, and where to sign in.

use maud::{Markup, html};

use super::event::{format_word, game_word, outline_of, playable, state_word};
use super::layout::{self, Content};
use super::results::watched;
use super::{Shown, Visit};
use crate::desk::rights::Right;
use crate::event::EventState;
use crate::event::archive::EventRow;
use crate::games::GameKind;
use crate::web::problem::Problem;

/// How many events the page lists.
const LISTED: usize = 200;

/// Events by what can be done with them: in play, announced, over, drafts. Newest first.
fn rank(row: &EventRow) -> u8 {
    match row.state {
        EventState::Locked => 0,
        EventState::Announced => 1,
        EventState::Draft => 3,
        _ => 2,
    }
}

async fn rows(visit: &Visit) -> Result<Vec<EventRow>, Problem> {
    let shown = |visit: &Visit, row: &EventRow| {
        row.state != EventState::Draft || visit.who.may(Right::SeeDesk, Some(&row.id))
    };
    let mut rows = visit.events(shown).await?;
    rows.sort_by_key(rank);
    rows.truncate(LISTED);
    Ok(rows)
}

fn line(visit: &Visit, row: &EventRow) -> Markup {
    let schedule = outline_of(row);
    html! {
        li.event {
            a.event-title href={ "/events/" (row.id) } lang=[schedule.language.as_deref()] { (schedule.title) }
            p.facts {
                span.tag { (game_word(visit, &row.game)) }
                span { (format_word(visit, &schedule.format)) }
                span { (visit.say(state_word(visit, row))) }
            }
            div.row {
                @if watched(visit, row) {
                    a.button.quiet.small href={ "/events/" (row.id) "/watch" } {
                        (visit.say("pages-watch")) span.unseen { ": " (schedule.title) }
                    }
                } @else if playable(visit, row) {
                    a.button.small href={ "/seat?event=" (row.id) } {
                        (visit.say("pages-take-seat")) span.unseen { ": " (schedule.title) }
                    }
                }
                @if counted(visit, row) {
                    a.button.quiet.small href={ "/events/" (row.id) } {
                        (visit.say("pages-results")) span.unseen { ": " (schedule.title) }
                    }
                    a.button.quiet.small href={ "/events/" (row.id) "/boards" } {
                        (visit.say("pages-replays")) span.unseen { ": " (schedule.title) }
                    }
                }
            }
        }
    }
}

/// Whether results can be looked at.
fn counted(visit: &Visit, row: &EventRow) -> bool {
    match row.state {
        EventState::Draft | EventState::Announced => false,
        EventState::Locked => visit.app.halls.get(&row.id).is_some_and(|hall| hall.progress().over > 0),
        _ => true,
    }
}

/// For whoever comes by: results, a live table, a board to try.
fn look(visit: &Visit, rows: &[EventRow]) -> Markup {
    let live = rows.iter().find(|row| watched(visit, row));
    let results = rows.iter().find(|row| counted(visit, row));
    html! {
        @if visit.app.trials.offered() {
            section #try.look aria-labelledby="try-title" {
                h2 #try-title { (visit.say("pages-try")) }
                p { (visit.say("pages-try-lead")) }
                p.row {
                    @for kind in GameKind::ALL {
                        a.button.quiet href={ "/try/" (kind.name()) } { (game_word(visit, kind.name())) }
                    }
                }
            }
        }
        @if let Some(row) = live {
            section #watch.look aria-labelledby="watch-title" {
                h2 #watch-title { (visit.say("pages-watch")) }
                p { (visit.say("pages-watch-lead")) }
                p.row { a.button.quiet href={ "/events/" (row.id) "/watch" } { (outline_of(row).title) } }
            }
        }
        @if let Some(row) = results {
            section #results.look aria-labelledby="results-title" {
                h2 #results-title { (visit.say("pages-results")) }
                p { (visit.say("pages-results-lead")) }
                p.row { a.button.quiet href={ "/events/" (row.id) } { (outline_of(row).title) } }
            }
        }
    }
}

/// The page.
///
/// # Errors
/// The database.
pub async fn page(visit: Visit) -> Shown {
    let rows = rows(&visit).await?;
    let main = html! {
        section.hero {
            h1 { (visit.say("pages-home-title")) }
            p.lead { (visit.say("pages-home-lead")) }
            p.row {
                a.button href="/seat" { (visit.say("pages-take-seat")) }
                @if visit.actor().is_none() {
                    a.button.quiet href="/login" { (visit.say("pages-home-staff")) }
                }
            }
        }
        div.looks { (look(&visit, &rows)) }
        section aria-labelledby="events" {
            h2 #events { (visit.say("pages-home-events")) }
            @if rows.is_empty() {
                div.empty {
                    p { (visit.say("pages-home-empty")) }
                    p.muted { (visit.say("pages-home-empty-how")) }
                }
            } @else {
                ul.events { @for row in &rows { (line(&visit, row)) } }
            }
        }
    };
    let title = visit.say("pages-home-title");
    Ok(layout::found(&visit, &Content { title, main, class: "home", ..Content::default() }))
}
