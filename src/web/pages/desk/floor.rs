//! The referee floor: calls of the referee, and every table at a glance, alarms first; one table at a time as everybody
//! there sees it. Looking into hands is an order that the board's journal and the audit log hold before anything is shown.
//!
//! Invariant: every order has its own reason, which begins empty and goes nowhere else; beside it stands what the
//! players see of it.

use std::collections::BTreeMap;

use actix_web::web;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::{Standing, head};
use crate::desk::rights::Right;
use crate::desk::warnings::CODES;
use crate::event::EventState;

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

/// What the scripts of the floor and of a board's file know of an event: who plays, and how seats are called.
pub(super) fn facts(visit: &Visit, standing: &Standing) -> Value {
    let persons: Vec<&str> =
        standing.entrants.iter().filter(|one| one.level.is_none()).map(|one| one.id.as_str()).collect();
    let pairs = standing.settings.positions.iter().filter(|position| position.len() > 1);
    let members: BTreeMap<&str, usize> = pairs
        .flat_map(|position| position.iter().enumerate().map(|(member, seat)| (seat.as_str(), member)))
        .collect();
    json!({
        "event": standing.row.id, "names": standing.names(), "staff": standing.staff, "persons": persons,
        "game": standing.row.game, "members": members, "orders": visit.who.may(Right::OrderTable, Some(&standing.row.id)),
    })
}

/// An order: its fields, its own reason, and what the players see of it.
struct Order<'a> {
    visit: &'a Visit,
    /// As the API calls it.
    name: &'static str,
    /// What the players see.
    seen: &'static str,
    /// How the reason is called.
    reason: &'static str,
    /// What the button says.
    button: &'static str,
    /// The class of the button.
    class: &'static str,
}

impl Order<'_> {
    fn show(&self, more: &Markup) -> Markup {
        let visit = self.visit;
        let why = format!("why-{}", self.name);
        html! {
            form.order data-order=(self.name) novalidate {
                (more)
                div.field {
                    label for=(why) { (visit.say(self.reason)) }
                    p.hint id={ (why) "-hint" } { (visit.say(self.seen)) }
                    input id=(why) name="reason" maxlength="1000" autocomplete="off" required aria-describedby={ (why) "-hint" };
                }
                p.notice.bad role="alert" hidden {}
                p.notice.good role="status" hidden {}
                div.row { button class=(self.class) type="submit" { (visit.say(self.button)) } }
            }
        }
    }
}

fn orders(visit: &Visit, look: bool) -> Markup {
    let order = |name, seen, reason, button, class| Order { visit, name, seen, reason, button, class };
    let nothing = html! {};
    html! {
        section.orders aria-labelledby="orders-title" {
            h3 #orders-title { (visit.say("floor-orders")) }
            (order("clock", "floor-seen-clock", "floor-reason-log", "floor-stop", "button").show(&nothing))
            details.give {
                summary { (visit.say("org-order-give-what")) }
                (order("give", "floor-seen-give", "floor-reason-log", "org-order-give", "button quiet").show(&html! {
                    div.pair {
                        div.field {
                            label for="give-seat" { (visit.say("org-order-seat")) }
                            select #give-seat name="seat" {}
                        }
                        div.field {
                            label for="give-s" { (visit.say("org-order-seconds")) }
                            input id="give-s" name="seconds" type="number" inputmode="numeric" min="1" max="3600" value="30";
                        }
                    }
                }))
            }
            details.give {
                summary { (visit.say("org-warn")) }
                (order("warn", "floor-seen-warn", "floor-reason-player", "org-warn-do", "button quiet").show(&html! {
                    div.pair {
                        div.field {
                            label for="warn-who" { (visit.say("org-warn-who")) }
                            select #warn-who name="entrant" required {}
                        }
                        div.field {
                            label for="warn-code" { (visit.say("org-warn-code")) }
                            select #warn-code name="code" required {
                                option value="" { (visit.say("floor-choose")) }
                                @for (code, name) in WARNINGS { option value=(code) { (visit.say(name)) } }
                            }
                        }
                    }
                }))
            }
            details.grave {
                summary { (visit.say("org-order-more")) }
                (order("end", "floor-seen-end", "floor-reason-log", "org-order-end", "button danger").show(&html! {
                    p { (visit.say("org-order-end-what")) }
                }))
                @if look {
                    (order("look", "floor-seen-look", "floor-reason-look", "org-order-look", "button danger").show(&html! {
                        p { (visit.say("org-order-look-what")) }
                    }))
                    div #hands {}
                }
            }
        }
    }
}

fn table_dialog(visit: &Visit, standing: &Standing) -> Markup {
    let may = |right| visit.who.may(right, Some(&standing.row.id));
    html! {
        dialog #table.table-dialog aria-labelledby="table-title" {
            header.table-head {
                h2 #table-title {}
                button.button.quiet type="button" data-close { (visit.say("pages-close")) }
            }
            div #table-facts {}
            div #table-calls {}
            div.table-body {
                section.live-table aria-labelledby="live-title" {
                    h3 #live-title { (visit.say("floor-live")) }
                    p.muted #live-none hidden {}
                    div #live {}
                }
                div.table-side {
                    @if may(Right::OrderTable) { (orders(visit, may(Right::LookIntoHand))) }
                    div #warnings {}
                    div #slow-play {}
                    div #file {}
                    div.row {
                        a.button.quiet #file-link href={ (standing.desk()) "/floor" } { (visit.say("floor-file")) }
                        a.button.quiet href={ (standing.desk()) "/rulings" } { (visit.say("rulings-tab")) }
                    }
                }
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
    let may = |right| visit.who.may(right, Some(&standing.row.id));
    let open = standing.row.state == EventState::Locked;
    let waits = standing.schedule.delayed.is_some()
        && standing.announced.as_ref().is_none_or(|one| one.delayed.is_none());
    let title = visit.say("org-floor-title");
    let results = format!("/events/{}", standing.row.id);
    let over = html! {
        p { (visit.say("floor-over")) }
        p.row {
            a.button.quiet href=(standing.desk()) { (visit.say("org-back")) }
            a.button.quiet href=(results) { (visit.say("org-public")) }
        }
    };
    let main = html! {
        (head(&visit, &standing, "/floor"))
        h1 { (title) }
        @if waits {
            div.empty { p { (visit.say("org-floor-waits")) } }
        } @else if !open {
            div.empty { (over) }
        } @else {
            div #summary .summary role="status" {}
            div.empty #ended hidden { (over) }
            section.box.calls #calls hidden aria-labelledby="calls-title" {
                h2 #calls-title aria-live="polite" { (visit.say("floor-calls")) }
                ul.plain #calls-list {}
            }
            div #playing {
                div.row.filters {
                    div.switch { input #only type="checkbox"; label for="only" { (visit.say("org-floor-only")) } }
                    div.switch { input #ring type="checkbox"; label for="ring" { (visit.say("floor-ring")) } }
                    div.field.short {
                        label for="find" { (visit.say("org-floor-find")) }
                        input id="find" type="search" autocomplete="off";
                    }
                }
                @if !may(Right::OrderTable) { p.muted { (visit.say("org-floor-no-orders")) } }
                p.notice.bad #fault role="alert" hidden {}
                ul #tables .tables {}
                p.muted #no-tables hidden { (visit.say("org-floor-none")) }
            }
            (table_dialog(&visit, &standing))
        }
        @if !waits {
            details.evidence #evidence {
                summary { (visit.say("floor-evidence")) }
                p.muted { (visit.say("floor-evidence-what")) }
                p.notice.bad #evidence-fault role="alert" hidden {}
                div #evidence-list {}
            }
        }
    };
    let mut data = facts(&visit, &standing);
    if let Value::Object(data) = &mut data {
        data.insert("open".to_owned(), (open && !waits).into());
    }
    let content = Content {
        words: &["organize-js", "who", "floor", "play"],
        style: Some("floor.css"),
        ..Content::desk(title, main, "floor.js", data)
    };
    Ok(layout::found(&visit, &content))
}
