//! The notice board: a document of one sheet. What is announced, by whom and when, by which rules; the hash of the
//! announcement, large, as text and as QR code; a place to sign. To print and hang up.

use actix_web::web;
use maud::{Markup, html};

use super::super::event::{format_word, game_word};
use super::super::layout::{self, Content};
use super::super::{Shown, Visit, names};
use super::{Standing, head};
use crate::event::results::Proof;
use crate::scoring::said;
use crate::web::api::publication::all_proofs;
use crate::web::pages::qr::{groups, picture};
use crate::web::pages::verify::told;
use crate::web::problem::{Code, Problem};
use crate::words::Message;

/// The newest hash of a checkpoint or a revision, to hang up beside the announcement during play.
fn during_play(visit: &Visit, proof: &Proof) -> Markup {
    let hash = hex::encode(proof.hash);
    html! {
        section.notice-proof {
            h2 { (visit.say("results-verify-checkpoints")) }
            p { (told(visit, proof)) }
            (picture(&hash, &visit.say("org-notice-qr")))
            p.hash { @for group in groups(&hash) { code { (group) } " " } }
            p.muted { (visit.say("org-notice-checkpoint")) }
        }
    }
}

/// What was announced, line by line.
fn facts(visit: &Visit, standing: &Standing, published_us: i64) -> Markup {
    let schedule = &standing.schedule;
    let boards = Message::plain("org-notice-boards-value")
        .with("boards", standing.settings.boards())
        .with("reserve", schedule.reserve_boards);
    let line = |name: &'static str, value: &Markup| html! { dt { (visit.say(name)) } dd { (value) } };
    html! {
        dl.notice-facts {
            // An empty line is for a pen.
            (line("org-notice-host", &html! { @if schedule.host.is_empty() { span.blank {} } @else { (schedule.host) } }))
            (line("org-notice-date", &html! { time data-us=(published_us) {} }))
            (line("org-notice-game", &html! { (game_word(visit, &standing.row.game)) }))
            (line("org-notice-format", &html! { (format_word(visit, standing.settings.format_name())) }))
            (line("org-notice-rules", &html! {
                a href={ "/events/" (standing.row.id) "/rules" } { (names::ruleset(visit, &standing.rules.name)) }
            }))
            (line("org-notice-boards", &html! { (visit.tell(&boards)) }))
            (line("org-notice-scoring", &html! { (visit.say(said::method(standing.settings.scoring.method))) }))
            @if let Some(value) = standing.announced.as_ref().and_then(|announced| announced.delayed.as_ref()) {
                (line("org-delayed-value", &html! { strong { (value) } }))
            }
            @if standing.row.one_account { (line("org-offices", &html! { (visit.say("org-one-account")) })) }
        }
    }
}

/// Where the document is signed.
fn signatures(visit: &Visit) -> Markup {
    html! {
        dl.signatures {
            @for name in ["org-notice-sign-host", "org-notice-sign-referee", "org-notice-sign-date"] {
                div { dt { (visit.say(name)) } dd { span.blank {} } }
            }
        }
    }
}

/// The page.
///
/// # Errors
/// There is no such event, or nothing is announced.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    let Some(announced) = &standing.announced else { return Err(Problem::new(Code::NotFound)) };
    let hash = hex::encode(&announced.hash);
    let event = standing.row.id.clone();
    let newest = visit.work(move |visit| Ok(all_proofs(&visit.app, &event)?.pop())).await?;
    let title = visit.say("org-notice-title");
    let main = html! {
        (head(&visit, &standing, "/notice"))
        article.notice-board {
            p.event-name lang=(standing.schedule.language) { (standing.settings.title) }
            h1 { (title) }
            (facts(&visit, &standing, announced.published_us))
            p { (visit.say("org-notice-what")) }
            h2 { (visit.say("org-notice-fingerprint")) }
            (picture(&hash, &visit.say("org-notice-qr")))
            p.hash { @for group in groups(&hash) { code { (group) } " " } }
            p.muted { (visit.say("org-notice-check")) }
            (signatures(&visit))
            @if let Some(proof) = &newest { (during_play(&visit, proof)) }
        }
        div.row.centred {
            button.button type="button" data-print { (visit.say("org-print")) }
            a.button.quiet href={ (standing.api()) "/announcement" } download={ (standing.row.id) "-announcement.json" } {
                (visit.say("org-notice-file"))
            }
            a.button.quiet href=(standing.desk()) { (visit.say("org-back")) }
        }
    };
    let content = Content {
        title,
        main,
        script: Some("desk-notice.js"),
        style: Some("desk.css"),
        class: "desk",
        words: &["organize-js"],
        ..Content::default()
    };
    Ok(layout::found(&visit, &content))
}
