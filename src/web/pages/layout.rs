//! The shell of every page: head, navigation by role, language and theme, notices, footer; and pages that refuse.

use std::fmt::Write as _;

use actix_web::HttpResponse;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, RETRY_AFTER};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Map, Value};

use super::{Theme, Visit, assets};
use crate::web::lang::{LANG_COOKIE, in_query};
use crate::web::problem::{Code, Detail, Problem};
use crate::words::{Lang, Message, say, templates};

/// What a page puts into the shell.
#[derive(Debug, Default)]
pub struct Content {
    /// The title, without the program's name.
    pub title: String,
    /// The script of the page, if it has one beside the common one.
    pub script: Option<&'static str>,
    /// A style sheet of the page beside the common one.
    pub style: Option<&'static str>,
    /// The class of the body.
    pub class: &'static str,
    /// What the script is given, as JSON.
    pub data: Option<Value>,
    /// Rooms of sentences that the script is given beside `play-js`.
    pub words: &'static [&'static str],
    /// The page itself.
    pub main: Markup,
}

impl Content {
    /// A page of the desk with its script and what that is given.
    #[must_use]
    pub fn desk(title: String, main: Markup, script: &'static str, data: Value) -> Content {
        Content {
            title,
            main,
            data: Some(data),
            script: Some(script),
            style: Some("desk.css"),
            class: "desk",
            words: &["organize-js", "who"],
        }
    }
}

/// JSON inside a page: no `<` in it can end the element.
fn embedded(value: &Value) -> PreEscaped<String> {
    PreEscaped(value.to_string().replace('<', "\\u003c"))
}

/// The address of this page in another language.
fn in_language(visit: &Visit, lang: Lang) -> String {
    let rest: Vec<&str> = visit
        .query
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("lang=") && !pair.starts_with("code="))
        .collect();
    let mut address = format!("{}?", visit.path);
    for pair in rest {
        let _ = write!(address, "{pair}&");
    }
    address.push_str("lang=");
    address.push_str(lang.tag());
    address
}

fn navigation(visit: &Visit) -> Markup {
    let at = |path: &str| (visit.path == path).then_some("page");
    html! {
        a.brand href="/" { span.mark aria-hidden="true" { "复" } span { "fushi" } }
        nav.main-nav aria-label=(visit.say("pages-nav")) {
            a href="/" aria-current=[at("/")] { (visit.say("pages-nav-events")) }
            @if visit.actor().is_some() {
                a href="/desk" aria-current=[at("/desk")] { (visit.say("org-nav")) }
            }
            a href="/seat" aria-current=[at("/seat")] { (visit.say("pages-nav-seat")) }
            @match visit.actor() {
                Some(actor) => {
                    a.who href="/desk/accounts" aria-current=[at("/desk/accounts")] title=(visit.say("accounts-own-nav")) { (actor.display) }
                    button.link type="button" data-do="log-out" { (visit.say("pages-nav-log-out")) }
                }
                None => a href="/login" aria-current=[at("/login")] { (visit.say("pages-nav-log-in")) },
            }
        }
    }
}

fn footer(visit: &Visit) -> Markup {
    html! {
        nav.languages aria-label=(visit.say("pages-language")) {
            @for lang in Lang::ALL {
                a href=(in_language(visit, lang)) lang=(lang.tag()) hreflang=(lang.tag()) rel="nofollow"
                    aria-current=[(lang == visit.lang).then_some("true")] { (lang.own_name()) }
            }
        }
        div.themes role="group" aria-label=(visit.say("pages-theme")) {
            @for (theme, name) in [
                (Theme::Auto, "pages-theme-auto"),
                (Theme::Light, "pages-theme-light"),
                (Theme::Dark, "pages-theme-dark"),
            ] {
                button type="button" data-theme-choice=(theme.word()) data-media=(theme.dark_for())
                    aria-pressed=(visit.theme == theme) { (visit.say(name)) }
            }
        }
        p.version { "fushi " (env!("CARGO_PKG_VERSION")) }
    }
}

fn words_for(visit: &Visit, rooms: &[&str]) -> Value {
    let mut all = Map::new();
    for room in rooms {
        for (id, text) in templates(visit.lang, room) {
            all.insert(id, text.into());
        }
    }
    all.into()
}

fn policy(visit: &Visit) -> String {
    // Older browsers do not count sockets as `'self'`.
    let sockets = visit.host.as_ref().map(|host| format!(" ws://{host} wss://{host}")).unwrap_or_default();
    format!(
        "default-src 'self'; connect-src 'self'{sockets}; object-src 'none'; frame-ancestors 'none'; \
         base-uri 'none'; form-action 'self'"
    )
}

/// A page with its status.
#[must_use]
pub fn page(visit: &Visit, status: StatusCode, content: &Content) -> HttpResponse {
    let title = format!("{} · fushi", content.title);
    let csrf = visit.actor().and_then(|actor| actor.csrf.as_deref());
    let mut rooms = vec!["script"];
    rooms.extend(content.words);
    let words = words_for(visit, &rooms);
    let markup = html! {
        (DOCTYPE)
        html lang=(visit.lang.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="light dark";
                @if let Some(csrf) = csrf { meta name="csrf" content=(csrf); }
                title { (title) }
                link rel="icon" href=(assets::address("icon.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(assets::address("base.css"));
                @if let Some(style) = content.style { link rel="stylesheet" href=(assets::address(style)); }
                link #dark rel="stylesheet" href=(assets::address("dark.css")) media=(visit.theme.dark_for());
                script type="application/json" id="words" { (embedded(&words)) }
                @if let Some(data) = &content.data {
                    script type="application/json" id="data" { (embedded(data)) }
                }
                script type="module" src=(assets::address("app.js")) {}
                @if let Some(script) = content.script { script type="module" src=(assets::address(script)) {} }
            }
            body class=(content.class) {
                a.skip href="#main" { (visit.say("pages-skip")) }
                header.top { (navigation(visit)) }
                noscript { p.notice.bad { (visit.say("pages-noscript")) } }
                div #notices role="status" aria-live="polite" {}
                main #main tabindex="-1" { (content.main) }
                footer.bottom { (footer(visit)) }
            }
        }
    };
    let mut response = HttpResponse::build(status);
    response
        .insert_header((CONTENT_SECURITY_POLICY, policy(visit)))
        .insert_header(("Vary", "Accept-Language, Cookie"))
        .content_type("text/html; charset=utf-8");
    if let Some(lang) = in_query(&visit.query) {
        let cookie = Cookie::build(LANG_COOKIE, lang.tag())
            .path("/")
            .same_site(SameSite::Lax)
            .secure(visit.app.config.secure())
            .max_age(Duration::days(400))
            .finish();
        response.cookie(cookie);
    }
    response.body(markup.into_string())
}

/// A page that is there.
#[must_use]
pub fn found(visit: &Visit, content: &Content) -> HttpResponse {
    page(visit, StatusCode::OK, content)
}

/// What to do about a refusal, in one sentence.
const fn way_out(code: Code) -> &'static str {
    match code {
        Code::NotFound => "pages-way-not-found",
        Code::NotSignedIn | Code::BadCredentials => "pages-way-sign-in",
        Code::Forbidden | Code::Sealed | Code::WrongNetwork => "pages-way-forbidden",
        Code::TooMany | Code::LockedOut | Code::Busy => "pages-way-wait",
        Code::Internal => "pages-way-internal",
        _ => "pages-way-other",
    }
}

/// A refusal in words.
#[must_use]
pub fn refusal(visit: &Visit, problem: &Problem) -> HttpResponse {
    let title = say(visit.lang, &Message::plain(problem.code.title()));
    let detail = match &problem.detail {
        Detail::None => None,
        Detail::Said(message) => Some(say(visit.lang, message)),
        Detail::Text(text) => Some(text.clone()),
    };
    let sign_in = matches!(problem.code, Code::NotSignedIn | Code::BadCredentials);
    let main = html! {
        section.narrow.refusal {
            p.number aria-hidden="true" { (problem.code.number()) }
            h1 { (title) }
            @if let Some(detail) = detail { p { (detail) } }
            p { (visit.say(way_out(problem.code))) }
            p.row {
                @if sign_in { a.button href="/login" { (visit.say("pages-nav-log-in")) } }
                a.button.quiet href="/" { (visit.say("pages-to-events")) }
            }
        }
    };
    let status = StatusCode::from_u16(problem.code.number()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = page(visit, status, &Content { title, main, class: "refused", ..Content::default() });
    if let Some(seconds) = problem.retry_after {
        let headers = response.headers_mut();
        headers.insert(RETRY_AFTER, actix_web::http::header::HeaderValue::from(seconds));
    }
    response
}
