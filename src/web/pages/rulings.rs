//! What is made known of rulings and publications: the notice of rulings, and the result sheet to be printed and signed.
//! Both show what the public sees; the notice also the desk's own view, marked as every page of results is.

use actix_web::web;
use maud::{Markup, html};
use serde_json::Value;

use super::event::{format_word, game_word, outline_of, state_word};
use super::qr::{groups, picture};
use super::results::{Sheet, Tab, has_results, notice, show, waits};
use super::{Shown, Visit};
use crate::event::archive::EventRow;
use crate::event::called::Numbered;
use crate::event::results::Proof;
use crate::journal::sign::Purpose;
use crate::scoring::{Method, said};
use crate::web::api::publication::all_proofs;
use crate::web::audience::public;
use crate::web::problem::Code;
use crate::words::Message;

/// The notice of rulings.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let row = visit.event(&id).await?;
    let title = visit.say("notice-title");
    let body = html! {
        section.notice-of-rulings aria-labelledby="sheet-title" {
            div.title-line {
                h2 #sheet-title { (title) }
                p.row { button.button.quiet.small type="button" data-print { (visit.say("results-print")) } }
            }
            p.table-note { (visit.say("notice-lead")) }
            (waits(&visit))
        }
    };
    let mut sheet = Sheet::new(Tab::Rulings, "notice.js", body);
    sheet.title = Some(title);
    sheet.numbered = Numbered::Always;
    sheet.words = &["watch", "who", "rulings", "notice"];
    show(&visit, &row, sheet).await
}

/// The last publication, if this visitor would be shown it.
async fn published(visit: &Visit, row: &EventRow) -> Result<Option<Proof>, crate::web::problem::Problem> {
    let row = row.clone();
    let found = visit.work(move |visit| {
        let revision = public(&visit.app, &row)?.revision();
        let all = all_proofs(&visit.app, &row.id)?.into_iter();
        Ok(all.filter(|proof| proof.kind == Purpose::Revision).find(|proof| Some(proof.number) == revision))
    });
    match found.await {
        Err(problem) if problem.code == Code::Sealed => Ok(None),
        other => other,
    }
}

/// What stands at the head of the result sheet.
fn facts(visit: &Visit, row: &EventRow, proof: &Proof) -> Markup {
    let schedule = outline_of(row);
    let settings: Value = serde_json::from_str(&row.settings).unwrap_or_default();
    let method =
        settings["settings"]["scoring"]["method"].as_str().and_then(|word| word.parse::<Method>().ok());
    html! {
        dl.form-facts {
            dt { (visit.say("sheet-game")) }
            dd {
                (game_word(visit, &row.game)) " · " (format_word(visit, &schedule.format)) " · "
                (visit.tell(&Message::plain("pages-boards").with("count", schedule.boards)))
            }
            @if let Some(method) = method { dt { (visit.say("event-scoring")) } dd { (visit.say(said::method(method))) } }
            @if let Some(table) = &schedule.big_points { dt { (visit.say("rules-big-points")) } dd { (table) } }
            dt { (visit.say("sheet-revision")) }
            dd {
                (visit.tell(&Message::plain("notice-revision").with("number", proof.number)))
                " · " (visit.say(state_word(visit, row)))
            }
            dt { (visit.say("notice-at")) }
            dd { time data-us=(proof.at) {} }
        }
    }
}

/// The result sheet: the ranking of the last publication, its number and its fingerprint, lines to sign on.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn sheet(mut visit: Visit, id: web::Path<String>) -> Shown {
    let row = visit.event(&id).await?;
    let schedule = outline_of(&row);
    let proof = if has_results(&row) { published(&visit, &row).await? } else { None };
    let title = visit.say("sheet-title");
    let body = match &proof {
        None => notice(&visit, "sheet-none", "sheet-none-how"),
        Some(proof) => {
            let hash = hex::encode(proof.hash);
            html! {
                article.leaf {
                    p.event-name lang=[schedule.language.as_deref()] { (schedule.title) }
                    h1 { (title) }
                    (facts(&visit, &row, proof))
                    (waits(&visit))
                    section.fingerprint-box aria-labelledby="fingerprint-title" {
                        (picture(&hash, &visit.say("sheet-qr")))
                        div {
                            h2 #fingerprint-title { (visit.say("sheet-hash")) }
                            p.hash { @for group in groups(&hash) { code { (group) } " " } }
                            p.muted { (visit.say("sheet-hash-how")) }
                        }
                    }
                    dl.form-facts.signatures {
                        @for line in ["sheet-sign-chief", "sheet-sign-organizer", "sheet-sign-date"] {
                            dt { (visit.say(line)) }
                            dd.blank { span.write {} }
                        }
                    }
                }
                div.row.centred {
                    button.button type="button" data-print { (visit.say("results-print")) }
                    a.button.quiet href={ "/events/" (row.id) } { (visit.say("watch-to-standings")) }
                }
            }
        }
    };
    let mut sheet = Sheet::new(Tab::Standings, "sheet.js", body);
    sheet.title = Some(title);
    sheet.style = "paper.css";
    sheet.hall = proof.is_some();
    if let Some(proof) = &proof {
        sheet.more.insert("revision".to_owned(), proof.number.into());
    } else {
        sheet.script = "results.js";
    }
    show(&visit, &row, sheet).await
}
