//! The rules of an event as players read them: what a player acknowledges before play, and a page of its own to read at
//! any time and to print. The sentences are those of the game ([`Ruleset::clauses`]); nothing here knows a field.

use actix_web::web;
use maud::{Markup, html};
use serde_json::Value;

use super::layout::{self, Content};
use super::results::{self, Tab};
use super::{Shown, Visit, names};
use crate::desk::draft::rules_of;
use crate::event::Event;
use crate::games::rulesets::{self, Difference};
use crate::games::{Clause, Game, GameKind, Ruleset as _};
use crate::web::problem::Problem;
use crate::with_game;
use crate::words::Message;

/// A point on which a ruleset differs from a shipped one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Point {
    /// What the shipped ruleset says, if anything.
    shipped: Option<String>,
    /// What the ruleset says, if anything.
    here: Option<String>,
}

/// How a ruleset differs from a shipped one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The shipped ruleset.
    base: String,
    /// The points that differ, in words.
    points: Vec<Point>,
    /// The fields that differ.
    fields: Vec<Difference>,
}

/// A ruleset in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its name.
    pub name: String,
    /// Its hash.
    pub hash: String,
    /// Its sentences.
    pub lines: Vec<String>,
    /// Those that say what an offence costs.
    pub penalties: Vec<String>,
    /// How it differs from a shipped one; nothing for a shipped one.
    pub changed: Option<Changed>,
}

/// The sentences about a topic.
fn about(visit: &Visit, clauses: &[Clause], topic: &str) -> Option<String> {
    clauses.iter().find(|clause| clause.topic == topic).map(|clause| visit.tell(&clause.told))
}

fn changed<G: Game>(visit: &Visit, rules: &G::Rules) -> Option<Changed> {
    let (base, fields) = rulesets::changes::<G>(rules)?;
    let (shipped, here) = (base.clauses(), rules.clauses());
    let mut topics: Vec<&str> = here.iter().map(|clause| clause.topic).collect();
    topics.extend(
        shipped.iter().map(|clause| clause.topic).filter(|topic| !topics.contains(topic)).collect::<Vec<_>>(),
    );
    let points = topics
        .into_iter()
        .map(|topic| Point { shipped: about(visit, &shipped, topic), here: about(visit, &here, topic) })
        .filter(|point| point.shipped != point.here)
        .collect();
    Some(Changed { base: base.name().to_owned(), points, fields })
}

/// A ruleset in the visitor's words.
#[must_use]
pub fn told<G: Game>(visit: &Visit, rules: &std::sync::Arc<G::Rules>) -> Told {
    let clauses = rules.clauses();
    Told {
        name: rules.name().to_owned(),
        hash: rules_of::<G>(rules).1,
        lines: clauses.iter().map(|clause| visit.tell(&clause.told)).collect(),
        penalties: rules.penalties().iter().filter_map(|topic| about(visit, &clauses, topic)).collect(),
        changed: changed::<G>(visit, rules),
    }
}

/// A ruleset file of the rules: the shipped ruleset and the fields that differ from it.
#[must_use]
pub fn file(told: &Told) -> String {
    let (base, fields) = match &told.changed {
        Some(changed) => (changed.base.as_str(), changed.fields.as_slice()),
        None => (told.name.as_str(), [].as_slice()),
    };
    let mut text = format!("base = \"{base}\"\n");
    if told.name.split('+').next().is_none_or(|name| name != base) {
        text.push_str(&format!("name = {}\n", in_file(&Value::String(told.name.clone()))));
    }
    for field in fields {
        text.push_str(&format!("{} = {}\n", field.field, in_file(&field.here)));
    }
    text
}

/// A value as a ruleset file writes it, on one line.
fn in_file(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(in_file).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{key} = {}", in_file(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        // Texts, numbers and truth values are written as in JSON.
        other => other.to_string(),
    }
}

/// The rules of an event.
///
/// # Errors
/// There is no such event, or the archive fails.
pub async fn of_event(visit: &Visit, id: &str, game: &str) -> Result<Told, Problem> {
    let kind: GameKind = game.parse().map_err(Problem::internal)?;
    let id = id.to_owned();
    visit
        .work(move |visit| {
            with_game!(kind, G => {
                let event = Event::<G>::load(visit.app.store.as_ref(), &id)?;
                Ok(told::<G>(visit, &event.rules))
            })
        })
        .await
}

/// A value of a ruleset's field, as it stands in a file.
fn field_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// How the rules differ from a shipped ruleset: each point there and here, and the fields for whoever writes files.
#[must_use]
pub fn differences(visit: &Visit, changed: &Changed) -> Markup {
    let base = Message::plain("rules-base").with("base", names::ruleset(visit, &changed.base));
    let said = |text: &Option<String>| text.clone().unwrap_or_else(|| visit.say("rules-none"));
    html! {
        section.rules-changed aria-label=(visit.tell(&base)) {
            p { strong { (visit.tell(&base)) } }
            @for point in &changed.points {
                dl.rules-change {
                    dt { (visit.say("rules-was")) } dd { del { (said(&point.shipped)) } }
                    dt { (visit.say("rules-now")) } dd { ins { (said(&point.here)) } }
                }
            }
            details {
                summary { (visit.say("rules-fields")) }
                ul.plain {
                    @for field in &changed.fields {
                        li { code { (field.field) } ": " (field_value(&field.shipped)) " → " strong { (field_value(&field.here)) } }
                    }
                }
            }
        }
    }
}

/// The sentences as a list.
#[must_use]
pub fn list(lines: &[String]) -> Markup {
    html! { ul.rules { @for line in lines { li { (line) } } } }
}

/// The page of an event's rules.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let row = visit.event(&id).await?;
    let told = of_event(&visit, &row.id, &row.game).await?;
    let title = visit.say("rules-title");
    let main = html! {
        (results::head(&visit, &row, Tab::Rules))
        section.rules-page aria-labelledby="rules-title" {
            div.title-line {
                h2 #rules-title { (title) }
                button.button.quiet.small type="button" data-print { (visit.say("rules-print")) }
            }
            p { (visit.say("pages-rules-set")) " " strong { (names::ruleset(&visit, &told.name)) } }
            @if let Some(changed) = &told.changed { (differences(&visit, changed)) }
            (list(&told.lines))
            h3 { (visit.say("pages-conduct-title")) }
            (list(&conduct(&visit)))
            p.muted { (visit.say("rules-hash")) " " code.hash { (told.hash) } }
        }
    };
    let title = format!("{title} · {}", super::event::outline_of(&row).title);
    let content = Content {
        title,
        main,
        script: Some("rules.js"),
        style: Some("results.css"),
        class: "results",
        ..Content::default()
    };
    Ok(layout::found(&visit, &content))
}

/// How one behaves at the table, in lines.
#[must_use]
pub fn conduct(visit: &Visit) -> Vec<String> {
    ["pages-conduct-alone", "pages-conduct-final", "pages-conduct-clock", "pages-conduct-referee"]
        .into_iter()
        .map(|id| visit.say(id))
        .collect()
}
