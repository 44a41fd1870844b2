//! A board to try without a slip: the player's table against computer players, outside of every event.

use actix_web::web;
use maud::html;
use serde_json::json;

use super::event::game_word;
use super::layout::{self, Content};
use super::{Shown, Visit, names, play, rules};
use crate::games::{GameKind, rulesets};
use crate::web::problem::{Code, Problem};
use crate::with_game;
use crate::words::Message;

/// The page.
///
/// # Errors
/// There is no such game, or this server offers no boards to try.
pub async fn page(visit: Visit, game: web::Path<String>) -> Shown {
    let missing = || Problem::said(Code::NotFound, Message::plain("web-no-trials"));
    let kind: GameKind = game.parse().map_err(|_| missing())?;
    if !visit.app.trials.offered() {
        return Err(missing());
    }
    let told = with_game!(kind, G => {
        let rules = rulesets::default::<G>().map_err(|_| Problem::internal("no ruleset"))?;
        rules::told::<G>(&visit, &rules)
    });
    let title = visit.tell(&Message::plain("pages-try-title").with("game", game_word(&visit, kind.name())));
    let main = html! {
        div.play-head {
            h1 { (title) }
            p #connection.connection role="status" {}
            div.tools {
                button.tool #tool-call type="button" hidden { (visit.say("pages-call")) }
                button.tool #tool-settings type="button" { (visit.say("pages-settings")) }
                button.tool #tool-keys type="button" { (visit.say("pages-keys")) }
            }
        }
        p #banner.notice role="status" hidden {}
        p.muted #trial-about { (visit.say("pages-try-about")) }
        p.notice.bad #trial-fault role="alert" hidden {}
        section #rules hidden {}
        (play::start_hints(&visit, kind))
        div.panels {
            section #result.panel hidden {}
            section #compared.panel hidden aria-live="polite" {}
            section #waiting.panel hidden {}
        }
        div.play-body { (play::table(&visit)) }
        div #live.unseen aria-live="polite" {}
        details.panel #trial-rules {
            summary { (visit.say("rules-link")) ": " (names::ruleset(&visit, &told.name)) }
            (rules::list(&told.lines))
        }
        (play::keys_sheet(&visit, kind))
        (play::call_sheet(&visit))
        (play::settings_sheet(&visit))
    };
    let data = json!({
        "event": format!("try-{}", kind.name()), "trial": true, "game": kind.name(),
        "gameName": game_word(&visit, kind.name()), "title": title, "rulesHash": told.hash,
        "lang": visit.lang.tag(),
    });
    let content = Content {
        title,
        main,
        data: Some(data),
        script: Some("play.js"),
        style: Some("play.css"),
        class: "play trial",
        words: &["play", "who", "watch"],
    };
    Ok(layout::found(&visit, &content))
}
