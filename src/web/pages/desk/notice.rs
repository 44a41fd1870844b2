//! The notice board: the hash of the announcement, large, as text and as QR code, to print and hang up.

use actix_web::web;
use maud::{Markup, html};

use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::{Standing, head};
use crate::web::pages::qr::outline;
use crate::web::problem::{Code, Problem};

/// A QR code.
fn picture(text: &str, label: &str) -> Markup {
    let code = outline(text).unwrap_or(crate::web::pages::qr::Outline { size: 1, path: String::new() });
    html! {
        svg.qr role="img" aria-label=(label) viewBox={ "0 0 " (code.size) " " (code.size) } {
            rect.paper width="100%" height="100%" {}
            path.ink d=(code.path) {}
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
    let groups: Vec<&str> = (0..8).filter_map(|at| hash.get(at * 8..at * 8 + 8)).collect();
    let title = visit.say("org-notice-title");
    let main = html! {
        (head(&visit, &standing, "/notice"))
        article.notice-board {
            p.event-name lang=(standing.outline.language) { (standing.settings.title) }
            h1 { (title) }
            p { (visit.say("org-notice-what")) }
            (picture(&hash, &visit.say("org-notice-qr")))
            p.hash { @for group in &groups { code { (group) } " " } }
            p.muted { (visit.say("org-notice-check")) }
            @if let Some(value) = &announced.delayed { p { (visit.say("org-delayed-value")) ": " strong { (value) } } }
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
