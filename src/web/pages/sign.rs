//! Signing in: staff with name and password, players with the code of a slip, and the first start.
//!
//! The forms are sent by scripts, as JSON, like every other call; without scripts they lead nowhere and never put a
//! password into an address.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::Query;
use maud::{Markup, html};
use serde_json::json;

use super::event::{game_word, outline_of};
use super::layout::{self, Content};
use super::{Shown, Visit};
use crate::words::Message;

/// A text field with its label, hint and place for what is wrong with it.
struct Field<'a> {
    name: &'static str,
    label: &'a str,
    hint: Option<&'a str>,
    kind: &'static str,
    complete: &'static str,
    value: &'a str,
}

fn field(field: &Field) -> Markup {
    let hint = field.hint.map(|_| format!("{}-hint", field.name));
    html! {
        div.field {
            label for=(field.name) { (field.label) }
            @if let (Some(hint), Some(id)) = (field.hint, &hint) { p.hint id=(id) { (hint) } }
            input id=(field.name) name=(field.name) type=(field.kind) value=(field.value) required
                autocomplete=(field.complete) autocapitalize="none" spellcheck="false" aria-describedby=[hint];
        }
    }
}

fn form(id: &str, fields: &Markup, submit: &str) -> Markup {
    html! {
        form id=(id) method="post" novalidate {
            p.notice.bad role="alert" hidden {}
            (fields)
            p.row { button.button type="submit" { (submit) } }
        }
    }
}

/// Where to go after signing in: a path of this server, nothing else.
fn next(query: &str) -> String {
    let query = Query::<BTreeMap<String, String>>::from_query(query);
    let wanted = query.ok().and_then(|query| query.get("to").cloned()).unwrap_or_default();
    let own = wanted.starts_with('/') && !wanted.starts_with("//") && !wanted.contains('\\');
    if own && wanted.chars().all(|letter| letter.is_ascii_graphic()) { wanted } else { "/".to_owned() }
}

/// The page where organizers and referees log in.
///
/// # Errors
/// None.
pub async fn log_in(visit: Visit) -> Shown {
    let to = next(&visit.query);
    if visit.actor().is_some() {
        return Ok(HttpResponse::SeeOther().insert_header((LOCATION, to)).finish());
    }
    let (name, password) = (visit.say("pages-login-name"), visit.say("pages-login-password"));
    let fields = html! {
        (field(&Field { name: "name", label: &name, hint: None, kind: "text", complete: "username", value: "" }))
        (field(&Field {
            name: "password", label: &password, hint: None, kind: "password", complete: "current-password", value: "",
        }))
    };
    let title = visit.say("pages-login-title");
    let main = html! {
        section.narrow {
            h1 { (title) }
            p.lead { (visit.say("pages-login-lead")) }
            (form("login", &fields, &visit.say("pages-nav-log-in")))
            p.muted { (visit.say("pages-login-player")) " " a href="/seat" { (visit.say("pages-take-seat")) } }
        }
    };
    let data = Some(json!({ "to": to }));
    let content =
        Content { title, main, data, script: Some("login.js"), class: "sign", ..Content::default() };
    Ok(layout::found(&visit, &content))
}

/// The page where a player signs in with the code of a slip; `?event=` and `?code=` fill it in.
///
/// # Errors
/// The database.
pub async fn seat(mut visit: Visit) -> Shown {
    let query = Query::<BTreeMap<String, String>>::from_query(&visit.query).ok();
    let given = |name: &str| query.as_ref().and_then(|query| query.get(name).cloned()).unwrap_or_default();
    let (wanted, code) = (given("event"), given("code"));
    let rows = visit.events(|_, row| row.state.is_open()).await?;
    let named = rows.iter().find(|row| row.id == wanted);
    if let Some(row) = named
        && !visit.asked
        && let Some(lang) = super::event::language_of(row)
    {
        visit.lang = lang;
    }
    let (label, hint) = (visit.say("pages-seat-code"), visit.say("pages-seat-code-hint"));
    let choice = html! {
        @if let Some(row) = named {
            input type="hidden" name="event" value=(row.id);
            p.chosen { span.tag { (game_word(&visit, &row.game)) } " " strong { (outline_of(row).title) } }
        } @else {
            div.field {
                label for="event" { (visit.say("pages-seat-event")) }
                select #event name="event" {
                    @for row in &rows { option value=(row.id) { (outline_of(row).title) } }
                }
            }
        }
    };
    let fields = html! {
        (choice)
        (field(&Field {
            name: "code", label: &label, hint: Some(&hint), kind: "text", complete: "one-time-code", value: &code,
        }))
    };
    let title = visit.say("pages-take-seat");
    let main = html! {
        section.narrow {
            h1 { (title) }
            @if rows.is_empty() {
                div.empty {
                    p { (visit.say("pages-seat-none")) }
                    p.muted { (visit.say("pages-seat-none-how")) }
                }
            } @else {
                p.lead { (visit.say("pages-seat-lead")) }
                (form("seat", &fields, &visit.say("pages-seat-sit")))
                div #held hidden {
                    p.muted { (visit.say("pages-seat-held")) }
                    ul.plain {}
                }
            }
        }
    };
    let titles: serde_json::Map<String, serde_json::Value> =
        rows.iter().map(|row| (row.id.clone(), outline_of(row).title.into())).collect();
    let content = Content {
        title,
        main,
        data: Some(json!({ "events": titles })),
        script: Some("seat.js"),
        class: "sign",
        ..Content::default()
    };
    Ok(layout::found(&visit, &content))
}

/// The page that the link of the first start leads to; its token stands behind `#` and never reaches a log.
///
/// # Errors
/// None.
pub async fn setup(visit: Visit) -> Shown {
    let least = visit.app.config.passwords.least;
    let (name, display, password, again) = (
        visit.say("pages-setup-name"),
        visit.say("pages-setup-display"),
        visit.say("pages-login-password"),
        visit.say("pages-setup-again"),
    );
    let (name_hint, display_hint) =
        (visit.say("pages-setup-name-hint"), visit.say("pages-setup-display-hint"));
    let password_hint = visit.tell(&Message::plain("pages-setup-password-hint").with("least", least));
    let one =
        |name, label, hint, kind, complete| field(&Field { name, label, hint, kind, complete, value: "" });
    let fields = html! {
        (one("display", display.as_str(), Some(display_hint.as_str()), "text", "name"))
        (one("name", name.as_str(), Some(name_hint.as_str()), "text", "username"))
        (one("password", password.as_str(), Some(password_hint.as_str()), "password", "new-password"))
        (one("again", again.as_str(), None, "password", "new-password"))
    };
    let title = visit.say("pages-setup-title");
    let main = html! {
        section.narrow {
            h1 { (title) }
            p.lead { (visit.say("pages-setup-lead")) }
            p.notice.bad #no-token role="alert" hidden { (visit.say("pages-setup-no-token")) }
            (form("setup", &fields, &visit.say("pages-setup-create")))
        }
    };
    let content = Content { title, main, script: Some("setup.js"), class: "sign", ..Content::default() };
    Ok(layout::found(&visit, &content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_logging_in_nobody_is_led_to_another_server() {
        assert_eq!(next("to=/events/e1"), "/events/e1");
        for query in [
            "",
            "to=//evil.example",
            "to=https://evil.example",
            "to=/%5Cevil",
            "to=/a%0d%0ab",
            "to=evil",
            "to",
        ] {
            assert_eq!(next(query), "/", "{query}");
        }
    }
}
