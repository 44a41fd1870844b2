//! The page of an event: what it is and where to go from it.

use actix_web::web;
use maud::{Markup, html};
use serde_json::Value;

use super::layout::{self, Content};
use super::results::{self, Tab};
use super::{Shown, Visit, names, rules};
use crate::event::EventState;
use crate::event::archive::EventRow;
use crate::formats::settings::Settings;
use crate::scoring::{Method, said};
use crate::web::sample;
use crate::words::Lang;

/// What a list says of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlined {
    /// Its name.
    pub title: String,
    /// `human-ai`, `individual`, `pairs`.
    pub format: String,
    /// How many boards.
    pub boards: u64,
    /// Its language.
    pub language: Option<String>,
    /// The name of its ruleset.
    pub ruleset: String,
    /// The name of the table of big points that its results rest on, where the game has one (`TL 7.2`).
    pub big_points: Option<String>,
}

/// Reads it from a row; what is missing stays empty.
#[must_use]
pub fn outline_of(row: &EventRow) -> Outlined {
    let value: Value = serde_json::from_str(&row.settings).unwrap_or_default();
    let settings: Option<Settings> = serde_json::from_value(value["settings"].clone()).ok();
    Outlined {
        title: value["settings"]["title"].as_str().unwrap_or(&row.id).to_owned(),
        format: settings.as_ref().map(Settings::format_name).unwrap_or_default().to_owned(),
        boards: settings.as_ref().map_or(0, |settings| u64::from(settings.boards())),
        language: value["schedule"]["language"].as_str().map(str::to_owned),
        ruleset: value["rules"]["name"].as_str().unwrap_or_default().to_owned(),
        big_points: value["rules"]["big_points"]["name"].as_str().map(str::to_owned),
    }
}

/// The row with the title that a reader of a language sees: a sample event has one in each.
#[must_use]
pub fn in_language(mut row: EventRow, lang: Lang) -> EventRow {
    let mut value: Value = serde_json::from_str(&row.settings).unwrap_or_default();
    let stored = value["settings"]["title"].as_str().unwrap_or_default();
    if let Some(title) = sample::title(&row.id, stored, lang) {
        value["settings"]["title"] = title.into();
        value["schedule"]["language"] = lang.tag().into();
        row.settings = value.to_string();
    }
    row
}

/// The language of an event.
#[must_use]
pub fn language_of(row: &EventRow) -> Option<Lang> {
    outline_of(row).language?.parse().ok()
}

/// The game in words.
#[must_use]
pub fn game_word(visit: &Visit, game: &str) -> String {
    visit.say(match game {
        "wakeng" => "pages-game-wakeng",
        "tuolaji" => "pages-game-tuolaji",
        _ => "pages-game-holdem",
    })
}

/// The format in words.
#[must_use]
pub fn format_word(visit: &Visit, format: &str) -> String {
    visit.say(match format.replace('_', "-").to_ascii_lowercase().as_str() {
        "human-ai" | "humanai" => "pages-format-human-ai",
        "pairs" => "pages-format-pairs",
        "round-robin" => "pages-format-round-robin",
        _ => "pages-format-individual",
    })
}

/// Whether there is still something to play: seats are drawn, and not every board is over.
#[must_use]
pub fn playable(visit: &Visit, row: &EventRow) -> bool {
    row.state == EventState::Locked
        && visit.app.halls.get(&row.id).is_none_or(|hall| !hall.progress().complete())
}

/// The sentence of an event's state.
#[must_use]
pub fn state_word(visit: &Visit, row: &EventRow) -> &'static str {
    match row.state {
        EventState::Draft => "pages-state-draft",
        EventState::Announced => "pages-state-announced",
        EventState::Locked => match visit.app.halls.get(&row.id).map(|hall| hall.progress()) {
            Some(progress) if progress.complete() => "pages-state-played",
            Some(progress) if progress.paused => "pages-state-paused",
            Some(progress) if !progress.rounds.is_empty() => "pages-state-playing",
            _ => "pages-state-locked",
        },
        EventState::Provisional => "pages-state-provisional",
        EventState::Official => "pages-state-official",
        EventState::Final => "pages-state-final",
    }
}

/// What an event is played by, in words: rules, scoring, computer players.
fn announced(visit: &Visit, row: &EventRow, told: &rules::Told) -> Markup {
    let value: Value = serde_json::from_str(&row.settings).unwrap_or_default();
    let method = value["settings"]["scoring"]["method"].as_str().and_then(|word| word.parse::<Method>().ok());
    let host = value["schedule"]["host"].as_str().filter(|host| !host.is_empty());
    let level = value["settings"]["opponents"].as_str().map(|name| names::level(visit, name));
    html! {
        dl.event-facts {
            @if let Some(host) = host { dt { (visit.say("org-notice-host")) } dd { (host) } }
            dt { (visit.say("event-rules")) }
            dd {
                (names::ruleset(visit, &told.name)) " "
                a.button.quiet.small href={ "/events/" (row.id) "/rules" } { (visit.say("rules-read")) }
            }
            @if let Some(method) = method {
                dt { (visit.say("event-scoring")) }
                dd { (visit.say(said::method(method))) span.muted { " " (visit.say(names::about_method(method))) } }
            }
            @if row.one_account { dt { (visit.say("org-offices")) } dd { (visit.say("org-one-account")) } }
            @if let Some(level) = level { dt { (visit.say("event-level")) } dd { (level) } }
        }
        @if let Some(changed) = &told.changed { (rules::differences(visit, changed)) }
    }
}

/// The page: the standings once there are any, and before that what is to come.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let row = visit.event(&id).await?;
    if results::has_results(&row) {
        return results::standings(visit, row).await;
    }
    let open = row.state == EventState::Announced;
    let told = rules::of_event(&visit, &row.id, &row.game).await?;
    let body = html! {
        (announced(&visit, &row, &told))
        @if open {
            p.row { a.button href={ "/seat?event=" (row.id) } { (visit.say("pages-take-seat")) } }
        }
    };
    let main = html! { (results::head(&visit, &row, Tab::Standings)) (body) };
    let title = outline_of(&row).title;
    let content = Content { title, main, style: Some("results.css"), class: "results", ..Content::default() };
    Ok(layout::found(&visit, &content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_what_a_list_needs_and_a_damaged_one_says_its_id() {
        let settings = r#"{"settings":{"title":"T","positions":[["A"],["B"],["C"]],"opponents":"wakeng-1","measure":"score","scoring":{},
            "stages":[{"format":{"movement":{"kind":{"human-ai":{"seat":0}},"boards":8,"boards_per_round":4,"fill":"stand-in"}}}]},
            "schedule":{"language":"zh-TW"}}"#;
        let mut row = EventRow {
            id: "e1".to_owned(),
            game: "wakeng".to_owned(),
            settings: settings.to_owned(),
            state: EventState::Locked,
            created_us: 0,
            one_account: false,
        };
        assert_eq!(outline_of(&row).title, "T");
        assert_eq!((outline_of(&row).format.as_str(), outline_of(&row).boards), ("human-ai", 8));
        assert_eq!(language_of(&row), Some(Lang::ZhTw));
        row.settings = "{".to_owned();
        assert_eq!((outline_of(&row).title.as_str(), language_of(&row)), ("e1", None));
    }
}
