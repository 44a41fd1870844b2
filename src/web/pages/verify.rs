//! How anybody verifies an event: what was announced, its hash, where the bundle is, what to type.

use actix_web::web;
use maud::{Markup, html};

use super::event::outline_of;
use super::layout::{self, Content};
use super::results::{Tab, head};
use super::{Shown, Visit};
use crate::event::archive::{AnnouncementRow, Archive, EventRow};
use crate::event::results::Proof;
use crate::journal::sign::Purpose;
use crate::web::api::publication::{all_proofs, is_revealed};
use crate::web::audience::sees;
use crate::words::Message;

fn steps(visit: &Visit, row: &EventRow, revealed: bool) -> Markup {
    let file = format!("{}.fushi", row.id);
    let download = Message::plain("results-verify-file").with("file", &file);
    html! {
        h2 { (visit.say("results-verify-how")) }
        ol.verify-steps {
            li { (visit.say("results-verify-step-note")) }
            li {
                @if revealed {
                    (visit.say("results-verify-step-load"))
                    p.row {
                        a.button href={ "/api/v1/events/" (row.id) "/bundle" } download=(file) { (visit.tell(&download)) }
                    }
                } @else { (visit.say("results-verify-step-later")) }
            }
            li {
                (visit.say("results-verify-step-run"))
                pre.command tabindex="0" { code { "fushi verify " (file) } }
            }
        }
        h2 { (visit.say("results-verify-what")) }
        ul.rules {
            @for line in [
                "results-verify-deals", "results-verify-delayed", "results-verify-play", "results-verify-scores",
                "results-verify-signed",
            ] { li { (visit.say(line)) } }
        }
    }
}

fn announced(visit: &Visit, row: &EventRow, announcement: &AnnouncementRow) -> Markup {
    let hash = hex::encode(&announcement.hash);
    let groups: Vec<String> =
        hash.as_bytes().chunks(8).map(|part| String::from_utf8_lossy(part).into_owned()).collect();
    html! {
        section.hash-box aria-labelledby="hash-title" {
            h2 #hash-title { (visit.say("results-verify-hash")) }
            p.hash { code { @for group in &groups { span { (group) } " " } } }
            p.muted { (visit.say("results-verify-hash-how")) }
            @if let Some(value) = &announcement.delayed {
                h3 { (visit.say("results-verify-value")) }
                p.hash { code { (value) } }
            }
            details {
                summary { (visit.say("results-verify-text")) }
                pre.announced tabindex="0" { (announcement.body) }
            }
            p { a href={ "/api/v1/events/" (row.id) "/announcement" } { (visit.say("results-verify-json")) } }
        }
    }
}

/// The hashes of the checkpoints and revisions, the newest first.
fn during_play(visit: &Visit, row: &EventRow, proofs: &[Proof]) -> Markup {
    html! {
        section aria-labelledby="checkpoints-title" {
            h2 #checkpoints-title { (visit.say("results-verify-checkpoints")) }
            p.muted { (visit.say("results-verify-checkpoints-how")) }
            @if proofs.is_empty() { p { (visit.say("results-verify-no-checkpoints")) } }
            ol.checkpoints reversed {
                @for proof in proofs.iter().rev() {
                    li { (told(visit, proof)) " " code { (hex::encode(proof.hash)) } }
                }
            }
            p { a href={ "/api/v1/events/" (row.id) "/checkpoints" } { (visit.say("results-verify-checkpoints-json")) } }
        }
    }
}

/// What a checkpoint or a revision is, in words.
pub fn told(visit: &Visit, proof: &Proof) -> String {
    let id = match proof.kind {
        Purpose::Revision => "results-verify-revision",
        _ => "results-verify-checkpoint",
    };
    let boards: Vec<String> = proof.boards.iter().map(u32::to_string).collect();
    visit.tell(&Message::plain(id).with("number", proof.number).with("boards", boards.join(", ")))
}

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let row = visit.event(&id).await?;
    let event = row.clone();
    let (announcement, proofs, revealed) = visit
        .work(move |visit| {
            let archive: &dyn Archive = visit.app.store.as_ref();
            let proofs = all_proofs(&visit.app, &event.id)?;
            // Whoever may not see results now may not load what proves them.
            let shown = sees(&visit.app, &visit.who, &event).is_ok();
            Ok((archive.announcement(&event.id)?, proofs, shown && is_revealed(&visit.app, &event.id)?))
        })
        .await?;
    let main = html! {
        (head(&visit, &row, Tab::Verify))
        div.verify {
            p.lead { (visit.say("results-verify-lead")) }
            @match &announcement {
                Some(announcement) => {
                    (announced(&visit, &row, announcement))
                    (during_play(&visit, &row, &proofs))
                    (steps(&visit, &row, revealed))
                }
                None => div.empty { p { (visit.say("results-verify-early")) } },
            }
        }
    };
    let title = format!("{} · {}", visit.say("results-tab-verify"), outline_of(&row).title);
    let content = Content { title, main, style: Some("results.css"), class: "results", ..Content::default() };
    Ok(layout::found(&visit, &content))
}
