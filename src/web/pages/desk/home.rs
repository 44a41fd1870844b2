//! An organizer's home: the own events with what comes next; and the page that makes a new one.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::super::event::{format_word, game_word, outline_of, state_word};
use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::kind_of;
use crate::desk::rights::Right;
use crate::event::EventState;
use crate::event::archive::{Archive, EventRow};
use crate::web::problem::Problem;
use crate::words::Message;

/// How many events the page lists.
const LISTED: usize = 200;

struct Line {
    row: EventRow,
    entrants: usize,
}

/// What comes next, in a word.
fn next(visit: &Visit, line: &Line) -> &'static str {
    let played = || visit.app.halls.get(&line.row.id).is_some_and(|hall| hall.progress().complete());
    match line.row.state {
        EventState::Draft if line.entrants == 0 => "org-next-enter",
        EventState::Draft => "org-next-announce",
        EventState::Announced => "org-next-lock",
        EventState::Locked if played() => "org-next-publish",
        EventState::Locked => "org-next-run",
        EventState::Provisional => "org-next-official",
        EventState::Official => "org-next-final",
        EventState::Final => "org-next-proof",
    }
}

fn shown(visit: &Visit, line: &Line) -> Markup {
    let schedule = outline_of(&line.row);
    let entrants = Message::plain("org-entrants")
        .with("count", line.entrants)
        .with("kind", kind_of(schedule.format.eq_ignore_ascii_case("pairs")));
    html! {
        li.event {
            a.event-title href={ "/desk/" (line.row.id) } lang=[schedule.language.as_deref()] { (schedule.title) }
            p.facts {
                span.tag { (game_word(visit, &line.row.game)) }
                span { (format_word(visit, &schedule.format)) }
                span { (visit.tell(&entrants)) }
                span { (visit.say(state_word(visit, &line.row))) }
            }
            p.next-line { span.muted { (visit.say("org-next")) " " } (visit.say(next(visit, line))) }
            p.row {
                a.button.small href={ "/desk/" (line.row.id) } {
                    (visit.say("org-open")) span.unseen { ": " (schedule.title) }
                }
                @if line.row.state == EventState::Locked && visit.who.may(Right::SeeFloor, Some(&line.row.id)) {
                    a.button.quiet.small href={ "/desk/" (line.row.id) "/floor" } {
                        (visit.say("org-tab-floor")) span.unseen { ": " (schedule.title) }
                    }
                }
            }
        }
    }
}

/// The page.
///
/// # Errors
/// The database.
pub async fn page(visit: Visit) -> Shown {
    let mut rows = visit.events(|visit, row| visit.who.may(Right::SeeDesk, Some(&row.id))).await?;
    rows.sort_by_key(|row| row.state == EventState::Final);
    rows.truncate(LISTED);
    let lines = visit
        .work(|visit| {
            let archive: &dyn Archive = visit.app.store.as_ref();
            let line = |row: EventRow| Ok(Line { entrants: archive.entrants(&row.id)?.len(), row });
            rows.into_iter().map(line).collect::<Result<Vec<Line>, Problem>>()
        })
        .await?;
    let may = visit.who.may(Right::EditEvent, None);
    let title = visit.say("org-home");
    let main = html! {
        header.row.spread {
            h1 { (title) }
            div.row {
                @if may { a.button href="/desk/new" { (visit.say("org-new")) } }
                @if visit.who.may(Right::AppointReferees, None) {
                    a.button.quiet href="/desk/accounts" { (visit.say("accounts-nav")) }
                }
            }
        }
        @if lines.is_empty() {
            div.empty {
                p { (visit.say("org-none")) }
                p.muted { (visit.say(if may { "org-none-how" } else { "org-none-wait" })) }
            }
        } @else {
            ul.events { @for line in &lines { (shown(&visit, line)) } }
        }
    };
    let content = Content { title, main, style: Some("desk.css"), class: "desk", ..Content::default() };
    Ok(layout::found(&visit, &content))
}

/// The page that makes a new event: a name and a game, everything else has a usual value.
///
/// # Errors
/// None.
pub async fn new(visit: Visit) -> Shown {
    let title = visit.say("org-new");
    let host = visit.actor().map(|actor| actor.display.clone()).unwrap_or_default();
    let games = ["wakeng", "tuolaji", "holdem"];
    let named: Value =
        games.into_iter().map(|game| (game.to_owned(), json!(game_word(&visit, game)))).collect();
    let about = |game: &str| match game {
        "wakeng" => "org-about-wakeng",
        "tuolaji" => "org-about-tuolaji",
        _ => "org-about-holdem",
    };
    let main = html! {
        section.narrow {
            h1 { (title) }
            p.lead { (visit.say("org-new-lead")) }
            form #new method="post" novalidate {
                p.notice.bad role="alert" hidden {}
                fieldset.cards {
                    legend { (visit.say("org-field-game")) }
                    @for game in games {
                        label.card {
                            input type="radio" name="game" value=(game) checked[game == "wakeng"];
                            span { strong { (game_word(&visit, game)) } span.hint { (visit.say(about(game))) } }
                        }
                    }
                }
                div.field {
                    label for="title" { (visit.say("org-field-title")) }
                    p.hint #title-hint { (visit.say("org-field-title-hint")) }
                    input id="title" name="title" required autocomplete="off" maxlength="200" aria-describedby="title-hint";
                }
                p.row {
                    button.button type="submit" { (visit.say("org-new-make")) }
                    a.button.quiet href="/desk" { (visit.say("pages-cancel")) }
                }
            }
        }
    };
    let content = Content {
        class: "desk sign",
        ..Content::desk(title, main, "desk-new.js", json!({ "games": named, "host": host }))
    };
    Ok(layout::found(&visit, &content))
}
