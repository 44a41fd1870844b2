//! A live table to look at, as everybody may see it: only where nobody but computer players takes part.

use actix_web::web;
use maud::html;
use serde_json::json;

use super::event::{game_word, outline_of};
use super::layout::{self, Content};
use super::results::watched;
use super::{Shown, Visit};
use crate::desk::draft::rules_of;
use crate::event::Event;
use crate::games::GameKind;
use crate::web::problem::{Code, Problem};
use crate::with_game;
use crate::words::Message;

/// The page.
///
/// # Errors
/// There is no such event, or no table of it may be looked at now.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let row = visit.event(&id).await?;
    if !watched(&visit, &row) {
        return Err(Problem::said(Code::NotFound, Message::plain("web-not-watched")));
    }
    let kind: GameKind = row.game.parse().map_err(Problem::internal)?;
    let event = row.id.clone();
    let (names, rules) = visit
        .work(move |visit| {
            with_game!(kind, G => {
                let event = Event::<G>::load(visit.app.store.as_ref(), &event)?;
                Ok((event.names(), rules_of::<G>(&event.rules).0))
            })
        })
        .await?;
    let schedule = outline_of(&row);
    let main = html! {
        header.event-head {
            p.facts {
                span.tag { (game_word(&visit, &row.game)) }
                span { (visit.say("watch-only-computers")) }
            }
            div.title-line {
                h1 lang=[schedule.language.as_deref()] { (schedule.title) }
                p.row {
                    a.button.quiet href={ "/events/" (row.id) } { (visit.say("results-tab-standings")) }
                    a.button.quiet href={ "/try/" (row.game) } { (visit.say("pages-try")) }
                }
            }
        }
        div.bar.watch-bar {
            label for="table-number" { (visit.say("play-table")) }
            select #table-number {}
            p #counted.table-note role="status" {}
        }
        p #refused.notice role="status" hidden {}
        section #table.table hidden aria-label=(visit.say("pages-table")) {
            div #facts.table-facts {}
            div #others.others {}
            div #centre.centre {}
            div #me.me {}
        }
        p #between.empty hidden { (visit.say("watch-between")) }
    };
    let data = json!({
        "event": row.id, "game": row.game, "state": row.state, "names": names, "rules": rules,
    });
    let content = Content {
        title: format!("{} · {}", visit.say("pages-watch"), schedule.title),
        main,
        data: Some(data),
        script: Some("watch.js"),
        style: Some("replay.css"),
        class: "results play-cards watching",
        words: &["watch", "play", "who"],
    };
    Ok(layout::found(&visit, &content))
}
