//! The notice board: the hash of the announcement, large, as text and as QR code, to print and hang up.

use actix_web::web;
use maud::{Markup, html};

use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::{Standing, head};
use crate::desk::archive::Archive;
use crate::desk::results::{Proof, proofs};
use crate::web::pages::qr::{groups, picture};
use crate::web::pages::verify::told;
use crate::web::problem::{Code, Problem};

/// The newest hash of a checkpoint or a revision, to hang up beside the announcement during play.
fn during_play(visit: &Visit, proof: &Proof) -> Markup {
    let hash = hex::encode(proof.hash);
    html! {
        h2 { (visit.say("results-verify-checkpoints")) }
        p { (told(visit, proof)) }
        (picture(&hash, &visit.say("org-notice-qr")))
        p.hash { @for group in groups(&hash) { code { (group) } " " } }
        p.muted { (visit.say("org-notice-checkpoint")) }
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
    let newest = visit
        .work(move |visit| {
            let archive: &dyn Archive = visit.app.store.as_ref();
            Ok(proofs(archive, &event)?.pop())
        })
        .await?;
    let title = visit.say("org-notice-title");
    let main = html! {
        (head(&visit, &standing, "/notice"))
        article.notice-board {
            p.event-name lang=(standing.outline.language) { (standing.settings.title) }
            h1 { (title) }
            p { (visit.say("org-notice-what")) }
            (picture(&hash, &visit.say("org-notice-qr")))
            p.hash { @for group in groups(&hash) { code { (group) } " " } }
            p.muted { (visit.say("org-notice-check")) }
            @if let Some(value) = &announced.delayed { p { (visit.say("org-delayed-value")) ": " strong { (value) } } }
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
        script: Some("desk.js"),
        style: Some("desk.css"),
        class: "desk",
        words: &["organize-js"],
        ..Content::default()
    };
    Ok(layout::found(&visit, &content))
}
