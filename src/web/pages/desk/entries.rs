//! Entries: paste a list from a spreadsheet and see every problem before anything happens; add and withdraw one.

use actix_web::web;
use maud::{Markup, html};
use serde_json::json;

use super::super::layout::{self, Content};
use super::super::{Shown, Visit, names};
use super::{Question, Standing, choices, head};
use crate::desk::rights::Right;
use crate::web::problem::Problem;

fn paste(visit: &Visit, pairs: bool) -> Markup {
    html! {
        section.box aria-labelledby="paste-title" {
            h2 #paste-title { (visit.say("org-paste")) }
            p.notice.bad #paste-fault role="alert" hidden {}
            div.field {
                label for="paste" { (visit.say("org-paste-list")) }
                p.hint #paste-hint { (visit.say(if pairs { "org-paste-hint-pairs" } else { "org-paste-hint" })) }
                textarea #paste rows="8" spellcheck="false" aria-describedby="paste-hint"
                    placeholder=(visit.say(if pairs { "org-paste-like-pairs" } else { "org-paste-like" })) {}
            }
            div.row { button.button #check type="button" { (visit.say("org-paste-check")) } }
            div #rehearsal aria-live="polite" {}
        }
    }
}

fn single(visit: &Visit, pairs: bool, levels: &[&str]) -> Markup {
    html! {
        section.box aria-labelledby="single-title" {
            h2 #single-title { (visit.say("org-single")) }
            form #single method="post" novalidate {
                p.notice.bad role="alert" hidden {}
                div.field {
                    label for="name" { (visit.say(if pairs { "org-single-first" } else { "org-single-name" })) }
                    input id="name" name="name" autocomplete="off" maxlength="100" required;
                }
                @if pairs {
                    div.field {
                        label for="partner" { (visit.say("org-single-partner")) }
                        input id="partner" name="partner" autocomplete="off" maxlength="100";
                    }
                }
                div.pair {
                    div.field {
                        label for="club" { (visit.say("org-single-club")) }
                        input id="club" name="club" autocomplete="off" maxlength="100";
                    }
                    div.field {
                        label for="region" { (visit.say("org-single-region")) }
                        input id="region" name="region" autocomplete="off" maxlength="100";
                    }
                }
                div.field {
                    label for="level" { (visit.say("org-single-level")) }
                    select id="level" name="level" {
                        option value="" { (visit.say("org-single-person")) }
                        @for level in levels { option value=(level) { (names::level(visit, level)) } }
                    }
                }
                p.row { button.button.quiet type="submit" { (visit.say("org-single-add")) } }
            }
        }
    }
}

/// The question that corrects an entrant: its script fills it with what stands there.
fn correction(visit: &Visit, pairs: bool) -> Markup {
    let input = |name: &'static str, label: &'static str, required: bool| {
        let id = format!("correct-{name}");
        html! {
            div.field {
                label for=(id) { (visit.say(label)) }
                input id=(id) name=(name) autocomplete="off" maxlength="100" required[required];
            }
        }
    };
    html! {
        dialog #correct aria-labelledby="correct-title" {
            form method="dialog" novalidate {
                h2 #correct-title { (visit.say("org-correct")) }
                p { (visit.say("org-correct-what")) }
                (input("name", if pairs { "org-single-first" } else { "org-single-name" }, true))
                @if pairs { (input("partner", "org-single-partner", false)) }
                div.pair { (input("club", "org-single-club", false)) (input("region", "org-single-region", false)) }
                div.field {
                    label for="correct-why" { (visit.say("org-reason")) }
                    input id="correct-why" name="reason" value=(visit.say("org-why-correct")) maxlength="1000"
                        autocomplete="off" required;
                }
                p.notice.bad role="alert" hidden {}
                div.row {
                    button.button type="submit" { (visit.say("org-correct")) }
                    button.button.quiet type="button" data-close { (visit.say("pages-cancel")) }
                }
            }
        }
    }
}

fn list(visit: &Visit, standing: &Standing, (open, may): (bool, bool)) -> Markup {
    let origins = standing.entrants.iter().any(|entrant| entrant.origin().is_some());
    html! {
        section aria-labelledby="list-title" {
            h2 #list-title { (visit.tell(&standing.counted("org-entrants", standing.entrants.len()))) }
            @if standing.entrants.is_empty() {
                div.empty { p { (visit.say("org-list-none")) } p.muted { (visit.say("org-list-none-how")) } }
            } @else {
                div.field.short {
                    label for="search" { (visit.say("org-search")) }
                    input id="search" type="search" autocomplete="off";
                }
                div.scroll tabindex="0" role="region" aria-labelledby="list-title" {
                    table #entrants {
                        thead { tr {
                            th scope="col" { (visit.say("org-col-number")) }
                            th scope="col" { (visit.say("org-col-name")) }
                            @if origins { th scope="col" { (visit.say("org-col-origin")) } }
                            th scope="col" { (visit.say("org-col-id")) }
                            @if may { th scope="col" { span.unseen { (visit.say("org-correct")) } } }
                            @if open { th scope="col" { span.unseen { (visit.say("org-withdraw")) } } }
                        } }
                        tbody {
                            @for entrant in &standing.entrants {
                                tr {
                                    td.number { (entrant.number) }
                                    th scope="row" {
                                        (entrant.name)
                                        @if let Some(level) = &entrant.level { " " span.tag { (names::level(visit, level)) } }
                                    }
                                    @if origins { td { (entrant.origin().unwrap_or_default()) } }
                                    td.muted { (entrant.id) }
                                    @if may {
                                        td { button.button.quiet.small type="button" data-correct=(entrant.id) data-name=(entrant.name)
                                            data-club=[entrant.club.as_ref()] data-region=[entrant.region.as_ref()] {
                                            (visit.say("org-correct")) span.unseen { ": " (entrant.number) " " (entrant.name) }
                                        } }
                                    }
                                    @if open {
                                        td { button.button.quiet.small type="button" data-withdraw=(entrant.id) data-name=(entrant.name) {
                                            (visit.say("org-withdraw")) span.unseen { ": " (entrant.name) }
                                        } }
                                    }
                                }
                            }
                        }
                    }
                }
                p.muted #no-match hidden { (visit.say("org-search-none")) }
            }
        }
    }
}

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    let kind = standing.row.game.parse().map_err(Problem::internal)?;
    let may = visit.who.may(Right::EditEvent, Some(&standing.row.id));
    let open = may && standing.row.state.takes_entries();
    let (levels, _) = choices(kind);
    let pairs = standing.pairs();
    let title = visit.say("org-tab-entries");
    let main = html! {
        (head(&visit, &standing, "/entries"))
        h1 { (title) }
        @if open {
            div.boxes { (paste(&visit, pairs)) (single(&visit, pairs, &levels)) }
            @if !standing.entrants.is_empty() {
                p.row { a.button.main href=(standing.desk()) { (visit.say("org-entries-done")) } }
            }
        } @else if may { p.muted { (visit.say("org-entries-closed")) } }
        (list(&visit, &standing, (open, may)))
        @if may { (correction(&visit, pairs)) }
        @if open {
            (Question {
                id: "withdraw",
                title: "org-withdraw",
                reason: "org-reason",
                usual: Some("org-why-withdraw"),
                button: "org-withdraw",
                danger: true,
            }.show(&visit))
        }
    };
    let known: Vec<_> =
        standing.entrants.iter().map(|one| json!({ "name": one.name, "number": one.number })).collect();
    Ok(layout::found(
        &visit,
        &Content::desk(
            title,
            main,
            "desk-entries.js",
            json!({ "event": standing.row.id, "pairs": pairs, "known": known }),
        ),
    ))
}
