//! Pages that do not play: the first one, signing in, the first start, refusals; in every language.

use serde_json::json;

use super::{Browser, ENTER, TAB};
use crate::server::{Client, Inside};
use crate::web_accounts::with_chief;
use crate::web_events::locked;

#[test]
fn a_server_without_events_says_so_in_every_language_and_theme() {
    let server = Inside::start();
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/");
    assert!(browser.text("main").contains("No event has been announced yet"), "{}", browser.text("main"));
    browser.check_everywhere("home-empty");
    browser.click(".languages a[lang=\"zh-CN\"]");
    assert_eq!(browser.js("return document.documentElement.lang"), "zh-CN");
    assert!(browser.text("main").contains("还没有公开的赛事"));
    browser.check_everywhere("home-empty-zh");
    browser.go("/login");
    assert_eq!(browser.js("return document.documentElement.lang"), "zh-CN", "the choice is kept");
    browser.click(".languages a[lang=\"zh-TW\"]");
    assert!(browser.text("h1").contains("登入"));
    browser.click("[data-theme-choice=light]");
    let paper = "return getComputedStyle(document.body).backgroundColor";
    let light = browser.js(paper);
    browser.click("[data-theme-choice=dark]");
    let dark = browser.js(paper);
    assert_ne!(dark, light);
    browser.go("/seat");
    assert_eq!(browser.js(paper), dark, "the choice is kept");
    assert_eq!(
        browser.js("return document.querySelector('[aria-pressed=true]').dataset.themeChoice"),
        "dark"
    );
    browser.check("seat-none");
}

#[test]
fn the_first_start_leads_from_the_printed_link_to_a_chief_organizer_who_logs_in_and_out() {
    let server = Inside::start();
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/setup");
    assert!(browser.text("main").contains("needs the link that the server printed"));
    let token = server.setup();
    browser.go("/");
    browser.go(&format!("/setup#token={token}"));
    browser.check_everywhere("setup");
    browser.write("#display", "Chen Yu");
    browser.write("#name", "Chen Yu");
    browser.write("#password", "short");
    browser.write("#again", "shorter");
    browser.click("form .button");
    browser.wait("document.querySelector('form [role=alert]').textContent.includes('not the same')");
    browser.js("document.querySelector('#again').value = 'short'");
    browser.click("form .button");
    browser.wait("document.querySelector('form [role=alert]').innerText.split('\\n').length === 2");
    // The browser itself writes the status of a refusal into its console.
    browser.console();
    browser.check("setup-faults");
    browser.js("document.querySelector('#name').value = 'chen'");
    browser.js("document.querySelector('#password').value = 'long enough to be good'");
    browser.js("document.querySelector('#again').value = 'long enough to be good'");
    browser.click("form .button");
    // Whoever made the first account is logged in with it.
    browser.wait("location.pathname === '/desk' && document.querySelector('#notices .notice')");
    assert_eq!(browser.text(".who"), "Chen Yu");
    browser.click("[data-do=log-out]");
    browser.wait("location.pathname === '/' && !document.querySelector('.who')");
    browser.go("/login");
    browser.check_everywhere("login");
    // By keyboard alone.
    browser.js("document.querySelector('#name').focus()");
    browser.keys(&format!("chen{TAB}wrong password{ENTER}"));
    browser.wait("!document.querySelector('form [role=alert]').hidden");
    assert!(browser.text("form [role=alert]").contains("wrong"), "{}", browser.text("form"));
    browser.console();
    browser.js("document.querySelector('#password').value = ''; document.querySelector('#password').focus()");
    browser.keys(&format!("long enough to be good{ENTER}"));
    browser.wait("location.pathname === '/desk' && document.querySelector('.who')");
    assert_eq!(browser.text(".who"), "Chen Yu");
    browser.click("[data-do=log-out]");
    browser.wait("document.querySelector('#notices .notice') && !document.querySelector('.who')");
    browser.check("logged out");
}

#[test]
fn refusals_are_pages_for_browsers_and_problems_for_programs() {
    let (server, _chief) = with_chief();
    let client = Client::new(&server.base);
    let browsing = client.with("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let page = browsing.get("/nowhere?lang=zh-CN");
    assert_eq!(page.status, 404);
    assert!(page.header("content-type").unwrap().starts_with("text/html"), "{:?}", page.headers);
    assert!(page.text().contains("此处没有内容"));
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'self'"));
    assert_eq!(browsing.get("/play/none").status, 404);
    assert_eq!(browsing.get("/events/%00").status, 404);
    let wrong = browsing.send("POST", "/login", None, b"name=a&password=b");
    assert_eq!((wrong.status, wrong.header("content-type")), (405, Some("text/html; charset=utf-8")));
    assert_eq!(client.get("/nowhere").code(), "not_found");
    assert_eq!(browsing.get("/api/v1/nowhere").code(), "not_found");
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/nowhere");
    browser.console();
    browser.check_everywhere("not-found");
}

#[test]
fn pages_and_assets_carry_the_headers_they_promise() {
    let server = Inside::start();
    let client = Client::new(&server.base);
    let page = client.get("/");
    let policy = page.header("content-security-policy").unwrap();
    assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
    let text = page.text();
    assert!(!text.contains(" style=") && !text.contains(" onclick"), "nothing inline");
    let style = text.split("href=\"/assets/").nth(2).and_then(|rest| rest.split('"').next()).unwrap();
    let style = client.get(&format!("/assets/{style}"));
    assert_eq!(style.header("content-type"), Some("text/css; charset=utf-8"));
    assert!(style.header("cache-control").unwrap().contains("immutable"));
    let tag = style.header("etag").unwrap();
    let old = client.with("if-none-match", tag).get("/assets/0000/base.css");
    assert_eq!((old.status, old.header("cache-control")), (304, Some("no-store")), "an old hash is not kept");
    assert_eq!(client.get("/assets/x/..%2f..%2fCargo.toml").code(), "not_found");
    assert_eq!(client.get("/assets/x/none.js").code(), "not_found");
    assert!(!text.contains("=\"http"), "names another server: {text}");
}

#[test]
fn a_player_takes_a_seat_with_a_code_and_wrong_codes_are_told_in_words() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 2, &json!({"title": "春季赛 Spring"}));
    let codes = chief.post("/api/v1/events/e1/seat-codes", &json!({"entrants": ["e001"]})).ok();
    let code = codes["items"][0]["code"].as_str().unwrap();
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/");
    assert!(browser.text(".events").contains("春季赛"), "{}", browser.text("main"));
    browser.check_everywhere("home");
    browser.go("/events/e1");
    browser.check_everywhere("event");
    browser.click(".button");
    browser.check_everywhere("seat");
    browser.write("#code", "00000-00000");
    browser.click("form .button");
    browser.wait("!document.querySelector('form [role=alert]').hidden");
    assert!(browser.text("form [role=alert]").contains("ask for a new slip"), "{}", browser.text("form"));
    browser.console();
    browser.go(&format!("/seat?event=e1&code={code}"));
    assert!(!browser.path().contains("code="), "the code leaves the address bar");
    browser.click("form .button");
    browser.wait("location.pathname === '/play/e1'");
    browser.go("/seat?event=e1#device=fd_of-this-tablet");
    browser.wait("document.querySelector('#notices .notice')");
    assert_eq!(browser.js("return localStorage.getItem('fushi.device.e1')"), "fd_of-this-tablet");
    assert_eq!(browser.path(), "/seat?event=e1");
    browser.go("/seat");
    browser.wait("!document.querySelector('#held').hidden");
    assert!(browser.text("#held").contains("春季赛"));
}
