//! The referee floor: every table at a glance, alarms first. It shows no card; looking into hands is an order that the
//! board's journal and the audit log hold before anything is shown.

use std::collections::BTreeMap;

use actix_web::web;
use maud::html;
use serde_json::json;

use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::{Standing, head, seat_word};
use crate::desk::rights::Right;
use crate::desk::warnings::CODES;

/// What a warning can be for, and how the page calls it.
const WARNINGS: [(&str, &str); CODES.len()] = [
    ("late", "org-warn-late"),
    ("slow", "org-warn-slow"),
    ("talking", "org-warn-talking"),
    ("exposed", "org-warn-exposed"),
    ("device", "org-warn-device"),
    ("conduct", "org-warn-conduct"),
    ("other", "org-warn-other"),
];

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    let may = |right| visit.who.may(right, Some(&standing.row.id));
    let seats: BTreeMap<String, String> = ["A", "B", "C", "E", "N", "W", "S"]
        .into_iter()
        .map(|seat| (seat.to_owned(), seat_word(&visit, seat)))
        .collect();
    let open = standing.row.state == "locked";
    let waits = standing.outline.delayed.is_some()
        && standing.announced.as_ref().is_none_or(|one| one.delayed.is_none());
    let title = visit.say("org-floor-title");
    let main = html! {
        (head(&visit, &standing, "/floor"))
        h1 { (title) }
        @if !open || waits {
            div.empty { p { (visit.say(if waits { "org-floor-waits" } else { "org-floor-over" })) } }
        } @else {
            div #summary .summary role="status" {}
            div.row.filters {
                div.switch { input #only type="checkbox"; label for="only" { (visit.say("org-floor-only")) } }
                div.field.short {
                    label for="find" { (visit.say("org-floor-find")) }
                    input id="find" type="search" autocomplete="off";
                }
            }
            @if !may(Right::OrderTable) { p.muted { (visit.say("org-floor-no-orders")) } }
            p.notice.bad #fault role="alert" hidden {}
            ul #tables .tables {}
            p.muted #no-tables hidden { (visit.say("org-floor-none")) }
            dialog #table aria-labelledby="table-title" {
                form method="dialog" {
                    h2 #table-title {}
                    div #table-facts {}
                    div #warnings {}
                    div #slow-play {}
                    div #file {}
                    @if may(Right::OrderTable) {
                        div.field {
                            label for="why" { (visit.say("org-reason")) }
                            input id="why" name="why" value=(visit.say("org-why-order")) maxlength="1000" autocomplete="off" required;
                        }
                        p.notice.bad #order-fault role="alert" hidden {}
                        p.notice.good #order-done role="status" hidden {}
                        div.row {
                            button.button type="button" data-order="stop" { (visit.say("org-order-stop")) }
                            button.button type="button" data-order="go" { (visit.say("org-order-go")) }
                        }
                        fieldset.give {
                            legend { (visit.say("org-order-give-what")) }
                            div.pair {
                                div.field {
                                    label for="give-seat" { (visit.say("org-order-seat")) }
                                    select #give-seat {}
                                }
                                div.field {
                                    label for="give-s" { (visit.say("org-order-seconds")) }
                                    input id="give-s" type="number" inputmode="numeric" min="1" max="600" value="30";
                                }
                            }
                            button.button.quiet type="button" data-order="give" { (visit.say("org-order-give")) }
                        }
                        details.give {
                            summary { (visit.say("org-warn")) }
                            p.muted { (visit.say("org-warn-what")) }
                            div.pair {
                                div.field {
                                    label for="warn-who" { (visit.say("org-warn-who")) }
                                    select #warn-who {}
                                }
                                div.field {
                                    label for="warn-code" { (visit.say("org-warn-code")) }
                                    select #warn-code {
                                        @for (code, name) in WARNINGS { option value=(code) { (visit.say(name)) } }
                                    }
                                }
                            }
                            button.button.quiet #warn type="button" { (visit.say("org-warn-do")) }
                        }
                        details.grave {
                            summary { (visit.say("org-order-more")) }
                            p { (visit.say("org-order-end-what")) }
                            div.row { button.button.danger type="button" data-order="end" { (visit.say("org-order-end")) } }
                            @if may(Right::LookIntoHand) {
                                p { (visit.say("org-order-look-what")) }
                                div.row { button.button.danger type="button" data-order="look" { (visit.say("org-order-look")) } }
                                div #hands {}
                            }
                        }
                    }
                    div.row {
                        button.button.quiet type="button" data-close { (visit.say("pages-close")) }
                        a.button.quiet href={ (standing.desk()) "/rulings" } { (visit.say("rulings-tab")) }
                    }
                }
            }
        }
    };
    let persons: Vec<&str> =
        standing.entrants.iter().filter(|one| one.level.is_none()).map(|one| one.id.as_str()).collect();
    let pairs = standing.settings.positions.iter().filter(|position| position.len() > 1);
    let members: BTreeMap<&str, usize> = pairs
        .flat_map(|position| position.iter().enumerate().map(|(member, seat)| (seat.as_str(), member)))
        .collect();
    let data = json!({
        "event": standing.row.id, "names": standing.names(), "staff": standing.staff, "persons": persons, "seats": seats, "members": members,
        "open": open && !waits,
    });
    let content = Content { words: &["organize-js", "who"], ..Content::desk(title, main, "floor.js", data) };
    Ok(layout::found(&visit, &content))
}
