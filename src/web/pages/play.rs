//! The player's page: the rules to acknowledge, the waiting room and the table. All that moves on it comes over the
//! socket (`docs/protocol.md`); this only lays the places out.

use actix_web::web;
use maud::{Markup, html};
use serde_json::json;

use super::event::{game_word, outline_of};
use super::layout::{self, Content};
use super::{Shown, Visit, names, rules};
use crate::games::GameKind;
use crate::web::problem::Problem;

fn rules_card(visit: &Visit, told: &rules::Told) -> Markup {
    html! {
        section #rules.panel hidden aria-labelledby="rules-title" {
            h2 #rules-title { (visit.say("pages-rules-title")) }
            p.muted { (visit.say("pages-rules-set")) " " (names::ruleset(visit, &told.name)) }
            @if let Some(changed) = &told.changed { (rules::differences(visit, changed)) }
            (rules::list(&told.lines))
            h3 { (visit.say("pages-conduct-title")) }
            (rules::list(&rules::conduct(visit)))
            p.notice.bad #rules-fault role="alert" hidden {}
            p.row { button.button #accept type="button" { (visit.say("pages-rules-accept")) } }
        }
    }
}

/// One line of the sheet of keys.
fn key(visit: &Visit, keys: &[&str], what: &'static str) -> Markup {
    html! {
        dt { @for key in keys { kbd { (key) } } }
        dd { (visit.say(what)) }
    }
}

pub(super) fn keys_sheet(visit: &Visit, kind: GameKind) -> Markup {
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { (visit.say("pages-keys-title")) }
            dl.keys {
                @if kind == GameKind::Holdem {
                    (key(visit, &["F"], "pages-key-fold"))
                    (key(visit, &["C"], "pages-key-call"))
                    (key(visit, &["B"], "pages-key-bet"))
                    (key(visit, &["A"], "pages-key-all-in"))
                } @else {
                    (key(visit, &["←", "→", "↑", "↓"], "pages-key-arrows"))
                    (key(visit, &["Space"], "pages-key-space"))
                    (key(visit, &["Enter"], "pages-key-enter"))
                    (key(visit, &["2", "…", "9", "0", "J", "Q", "K", "A"], "pages-key-ranks"))
                    (key(visit, &["H"], "pages-key-hint"))
                    @if kind == GameKind::Wakeng { (key(visit, &["P"], "pages-key-pass")) }
                    (key(visit, &["Esc"], "pages-key-clear"))
                    (key(visit, &["Y", "N"], "pages-key-yes-no"))
                }
                (key(visit, &["R"], if kind == GameKind::Holdem { "pages-key-ready-holdem" } else { "pages-key-ready" }))
                (key(visit, &["?"], "pages-key-help"))
            }
            form method="dialog" { p.row { button.button { (visit.say("pages-close")) } } }
        }
    }
}

pub(super) fn call_sheet(visit: &Visit) -> Markup {
    html! {
        dialog #call aria-labelledby="call-title" {
            h2 #call-title { (visit.say("pages-call-title")) }
            p { (visit.say("pages-call-lead")) }
            div.field {
                label for="call-text" { (visit.say("pages-call-text")) }
                textarea #call-text rows="3" maxlength="500" {}
            }
            p.row {
                button.button #call-send type="button" { (visit.say("pages-call-send")) }
                button.button.quiet #call-cancel type="button" { (visit.say("pages-cancel")) }
            }
        }
    }
}

/// Hints for whoever plays here for the first time: what is the same in every game, and what is this one's own.
pub(super) fn start_hints(visit: &Visit, kind: GameKind) -> Markup {
    let lines: &[&'static str] = match kind {
        GameKind::Wakeng => {
            &["play-start-choose", "play-start-reason", "play-start-hint", "play-start-clock"]
        }
        GameKind::Tuolaji => &[
            "play-start-calls",
            "play-start-choose",
            "play-start-reason",
            "play-start-hint",
            "play-start-throw",
            "play-start-clock",
        ],
        GameKind::Holdem => &["play-start-amount", "play-start-clock"],
    };
    html! {
        section #start.panel.start hidden aria-labelledby="start-title" {
            h2 #start-title { (visit.say("play-start-title")) }
            ul { @for line in lines { li { (visit.say(line)) } } li { (visit.say("play-start-referee")) } }
            p.row { button.button.quiet #start-ok type="button" { (visit.say("play-start-ok")) } }
        }
    }
}

pub(super) fn settings_sheet(visit: &Visit) -> Markup {
    let switch = |id: &str, text: String| {
        html! { div.switch { input id=(id) type="checkbox"; label for=(id) { (text) } } }
    };
    html! {
        dialog #warned aria-labelledby="warned-title" {
            form method="dialog" {
                h2 #warned-title { (visit.say("play-warned")) }
                p { strong #warned-what {} }
                p #warned-reason {}
                p.muted #warned-count {}
                p.row { button.button { (visit.say("play-warned-ok")) } }
            }
        }
        dialog #settings aria-labelledby="settings-title" {
            h2 #settings-title { (visit.say("pages-settings-title")) }
            (switch("set-sound", visit.say("pages-settings-sound")))
            (switch("set-vibrate", visit.say("pages-settings-vibrate")))
            (switch("set-four", visit.say("pages-settings-four")))
            (switch("set-big", visit.say("pages-settings-big")))
            p.row {
                button.button #settings-close type="button" { (visit.say("pages-close")) }
                button.button.quiet #start-again type="button" { (visit.say("play-start-again")) }
                button.button.quiet #leave type="button" { (visit.say("pages-leave-seat")) }
            }
        }
    }
}

pub(super) fn table(visit: &Visit) -> Markup {
    html! {
        section #table.table hidden aria-label=(visit.say("pages-table")) {
            div #facts.table-facts {}
            div #others.others {}
            div #centre.centre {}
            div #me.me {}
            div #actions.actions role="group" aria-label=(visit.say("pages-actions")) {}
            div #hand.hand role="group" aria-label=(visit.say("pages-hand")) {}
            p #refused.refused-line role="alert" hidden {}
        }
        aside #side.side hidden aria-label=(visit.say("pages-side")) {}
    }
}

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let row = visit.event(&id).await?;
    let kind: GameKind = row.game.parse().map_err(Problem::internal)?;
    let schedule = outline_of(&row);
    let told = rules::of_event(&visit, &row.id, &row.game).await?;
    let main = html! {
        div.play-head {
            h1 lang=[schedule.language.as_deref()] { (schedule.title) }
            p #connection.connection role="status" {}
            div.tools {
                button.tool #tool-call type="button" hidden { (visit.say("pages-call")) }
                a.tool href={ "/events/" (row.id) "/rules" } target="_blank" { (visit.say("rules-link")) }
                button.tool #tool-settings type="button" { (visit.say("pages-settings")) }
                button.tool #tool-keys type="button" { (visit.say("pages-keys")) }
            }
        }
        p #banner.notice role="status" hidden {}
        (rules_card(&visit, &told))
        div.panels {
            section #result.panel hidden {}
            section #waiting.panel hidden aria-live="polite" {}
        }
        div.play-body { (table(&visit)) }
        (start_hints(&visit, kind))
        div #live.unseen aria-live="polite" {}
        (keys_sheet(&visit, kind))
        (call_sheet(&visit))
        (settings_sheet(&visit))
    };
    let data = json!({
        "event": row.id,
        "game": row.game,
        "gameName": game_word(&visit, &row.game),
        "title": schedule.title,
        "rulesHash": told.hash,
        "lang": visit.lang.tag(),
    });
    let content = Content {
        title: schedule.title.clone(),
        main,
        data: Some(data),
        script: Some("play.js"),
        style: Some("play.css"),
        class: "play",
        words: &["play", "who"],
    };
    Ok(layout::found(&visit, &content))
}
