//! Rulings: what was ruled, by whom and why; and the referee's form, which shows everything that a ruling changes
//! before it is made. Nothing is ever taken away: a ruling is withdrawn by a later one.

use actix_web::web;
use maud::{Markup, html};
use serde_json::json;

use super::super::layout::{self, Content};
use super::super::{Shown, Visit, rules};
use super::{Question, Standing, head};
use crate::desk::rights::{Right, to_rule};
use crate::event::EventState;
use crate::formats::ruling::Reach;
use crate::scoring::rules::Method;
use crate::scoring::said;

/// What this visitor may do here.
#[derive(Clone, Copy, Debug)]
struct May {
    rule: bool,
    correct: bool,
    published: bool,
}

impl May {
    /// Whether a decision that reaches so far may be made.
    fn decide(self, reach: Reach) -> bool {
        match to_rule(reach, self.published) {
            Right::Rule => self.rule,
            Right::Correct => self.correct,
            _ => false,
        }
    }
}

/// A kind of ruling: its word in the form, what it is called, what it does, what it reaches.
type Kind = (&'static str, &'static str, &'static str, Reach);

const KINDS: [Kind; 6] = [
    ("score", "rulings-kind-score", "rulings-about-score", Reach::Result),
    ("status", "rulings-kind-status", "rulings-about-status", Reach::Result),
    ("weighted", "rulings-kind-weighted", "rulings-about-weighted", Reach::Result),
    ("penalty", "rulings-kind-penalty", "rulings-about-penalty", Reach::Result),
    ("void", "rulings-kind-void", "rulings-about-void", Reach::Board),
    ("standing", "rulings-kind-standing", "rulings-about-standing", Reach::Ranking),
];

fn kinds(visit: &Visit, may: May) -> Markup {
    html! {
        fieldset.cards.two {
            legend { (visit.say("rulings-kind")) }
            @for (word, name, about, reach) in KINDS {
                @if may.decide(reach) {
                    label.card {
                        input type="radio" name="kind" value=(word) checked[word == "score"];
                        span { strong { (visit.say(name)) } span.hint { (visit.say(about)) } }
                    }
                }
            }
        }
        @if !may.correct { p.muted { (visit.say("rulings-heavy")) } }
    }
}

/// What the method knows decides what can be given: an artificial score needs a top, a sum of points has none.
fn values(visit: &Visit, method: Method) -> Markup {
    let awards = method != Method::Total;
    let share = method.has_top();
    let statuses = [
        ("A+", "rulings-status-a-plus", awards),
        ("A", "rulings-status-a", awards),
        ("A-", "rulings-status-a-minus", awards),
        ("not-played", "rulings-status-not-played", true),
        ("absent", "rulings-status-absent", true),
        ("disqualified", "rulings-status-disqualified", true),
    ];
    html! {
        div.field.short data-kind="score" {
            label for="score" { (visit.say("rulings-score")) }
            p.hint #score-hint { (visit.say("rulings-score-hint")) }
            input id="score" name="score" inputmode="text" autocomplete="off" maxlength="30" aria-describedby="score-hint";
        }
        div.field data-kind="status" {
            label for="status" { (visit.say("rulings-status")) }
            select id="status" name="status" {
                @for (word, name, there) in statuses { @if there { option value=(word) { (visit.say(name)) } } }
            }
        }
        div data-kind="weighted" {
            fieldset {
                legend { (visit.say("rulings-outcomes")) }
                p.hint { (visit.say("rulings-outcomes-hint")) }
                div #outcomes {}
                button.button.quiet.small #outcome-more type="button" { (visit.say("rulings-outcome-more")) }
            }
        }
        div.field.short data-kind="penalty" {
            label for="amount" { (visit.say(if share { "rulings-penalty-share" } else { "rulings-penalty-points" })) }
            p.hint #amount-hint { (visit.say(if share { "rulings-penalty-share-hint" } else { "rulings-penalty-points-hint" })) }
            input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="20" value=[share.then_some("10")]
                aria-describedby="amount-hint";
        }
        div.field data-kind="standing" {
            label for="standing" { (visit.say("rulings-standing")) }
            select id="standing" name="standing" {
                option value="withdrawn" { (visit.say("rulings-standing-withdrawn")) }
                option value="disqualified" { (visit.say("rulings-standing-disqualified")) }
            }
        }
    }
}

fn form(visit: &Visit, standing: &Standing, may: May) -> Markup {
    html! {
        section.box aria-labelledby="make-title" {
            h2 #make-title { (visit.say("rulings-make")) }
            form #ruling method="post" novalidate {
                (kinds(visit, may))
                div.pair {
                    div.field #board-field data-kind="score status weighted penalty void" {
                        label for="board" { (visit.say("rulings-board")) }
                        select id="board" name="board" {}
                    }
                    div.field #entrant-field data-kind="score status weighted penalty standing" {
                        label for="entrant" { (visit.say("rulings-entrant")) }
                        select id="entrant" name="entrant" {}
                    }
                }
                p #now .muted role="status" {}
                @if !standing.rules.penalties.is_empty() {
                    details {
                        summary { (visit.say("rules-penalties")) }
                        (rules::list(&standing.rules.penalties))
                    }
                }
                (values(visit, standing.settings.scoring.method))
                div.field {
                    label for="reason" { (visit.say("rulings-reason")) }
                    p.hint #reason-hint { (visit.say("rulings-reason-hint")) }
                    textarea id="reason" name="reason" rows="2" maxlength="1000" aria-describedby="reason-hint" {}
                }
                p.notice.bad #fault role="alert" hidden {}
                p.row { button.button #look type="submit" { (visit.say("rulings-look")) } }
            }
            p.muted #no-boards hidden { (visit.say("rulings-no-boards")) }
        }
    }
}

fn intro(visit: &Visit, standing: &Standing, may: May) -> Markup {
    let state = standing.row.state;
    let published = state.is_published();
    let words = match (state, may.rule, published, may.correct) {
        (EventState::Draft | EventState::Announced, ..) => "rulings-early",
        (_, false, ..) => "rulings-not-you",
        (_, _, true, false) => "rulings-published-chief",
        (_, _, true, true) => "rulings-published",
        _ => "rulings-lead",
    };
    html! {
        p.lead { (visit.say(words)) }
        @if matches!(words, "rulings-not-you") && visit.who.may(Right::ManageAccounts, None) {
            p.row { a.button.quiet href="/desk/accounts" { (visit.say("rulings-to-accounts")) } }
        }
    }
}

fn dialog(visit: &Visit) -> Markup {
    html! {
        dialog #radius aria-labelledby="radius-title" .wide-dialog {
            form method="dialog" {
                h2 #radius-title { (visit.say("rulings-radius")) }
                p.notice.warn #radius-conflict role="alert" hidden {}
                p #radius-what {}
                div.notice.warn #radius-doubts role="alert" hidden {}
                div #radius-body {}
                p.notice.bad #radius-fault role="alert" hidden {}
                div.row {
                    button.button #confirm type="button" { (visit.say("rulings-confirm")) }
                    button.button.quiet type="button" data-close { (visit.say("rulings-not-yet")) }
                }
            }
        }
        (Question {
            id: "withdraw",
            title: "rulings-withdraw",
            reason: "rulings-reason",
            usual: None,
            button: "rulings-look",
            danger: false,
        }.show(visit))
        (Question {
            id: "replay",
            title: "rulings-replay",
            reason: "rulings-reason",
            usual: None,
            button: "rulings-replay",
            danger: false,
        }.show(visit))
    }
}

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    let drawn = standing.row.state.is_drawn();
    let published = standing.row.state.is_published();
    let right = |right| visit.who.may(right, Some(&standing.row.id));
    let correct = right(Right::Correct);
    let may = May { rule: right(Right::Rule), correct, published };
    let open = drawn && may.rule && may.decide(Reach::Result);
    let title = visit.say("rulings-title");
    let main = html! {
        (head(&visit, &standing, "/rulings"))
        h1 { (title) }
        (intro(&visit, &standing, may))
        @if open { (form(&visit, &standing, may)) (dialog(&visit)) }
        @if drawn {
            section aria-labelledby="made-title" {
                h2 #made-title { (visit.say("rulings-made")) }
                p.notice.bad #list-fault role="alert" hidden {}
                div #made aria-live="polite" {}
                p.muted { (visit.say("rulings-appeals")) }
            }
        }
    };
    let data = json!({
        "event": standing.row.id, "names": standing.names(), "staff": standing.staff, "method": standing.settings.scoring.method,
        "methodName": visit.say(said::method(standing.settings.scoring.method)), "drawn": drawn,
        "open": open, "correct": open && may.decide(Reach::Ruling), "published": published,
    });
    let content = Content {
        words: &["organize-js", "rulings", "watch", "who"],
        ..Content::desk(title, main, "desk-rulings.js", data)
    };
    Ok(layout::found(&visit, &content))
}
