//! The desk in a browser: an event is set up from nothing in Chinese until its first round is in play, and a referee
//! stops a clock and lets it run again.

use serde_json::json;

use super::Browser;
use crate::server::Client;
use crate::web_accounts::{PASSWORD, somebody, with_chief};
use crate::web_events::{draft, enter};

/// Logs in by the form.
pub(super) fn log_in(browser: &Browser, name: &str) {
    browser.go("/login?lang=zh-CN");
    browser.write("#name", name);
    browser.write("#password", PASSWORD);
    browser.click("form .button");
    browser.wait("location.pathname === '/desk' && document.querySelector('.who')");
}

/// Presses the main button of an event's desk and says yes to its question.
fn main_button(browser: &Browser, act: &str) {
    browser.click(&format!(".coming [data-act={act}]"));
    browser.wait(&format!("document.querySelector('#ask-{act}').open"));
    browser.check(&format!("the question before {act}"));
    browser.click(&format!("#ask-{act} [type=submit]"));
}

#[test]
fn an_event_is_set_up_from_nothing_in_chinese_until_its_first_round_is_in_play() {
    let (server, _chief) = with_chief();
    let Some(browser) = Browser::open(&server.base) else { return };
    log_in(&browser, "chief");
    assert!(browser.text("main").contains("您还没有赛事"), "{}", browser.text("main"));
    browser.check_everywhere("desk-empty");
    browser.click("main .button");
    browser.wait("document.querySelector('#title').value.startsWith('挖坑赛 ')");
    browser.check_everywhere("desk-new");
    browser.click("form .button");
    browser.wait_for("document.querySelector('#preview table')", 30);
    assert!(
        browser.text("#preview").contains("参赛 24 名，8 桌，4 轮，12 副"),
        "{}",
        browser.text("#preview")
    );
    browser.check_everywhere("desk-settings");
    // What is changed is saved and the preview follows.
    browser.js("document.querySelector('#boards').value = ''");
    browser.write("#boards", "6");
    browser.wait_for("document.querySelector('#preview').innerText.includes('2 轮，6 副')", 30);
    browser.click("#settings a.button.main");
    browser.wait("location.pathname.endsWith('/entries') && document.querySelector('#paste')");
    // A list with a number column, a name that stands twice and one that is too long.
    let long = "长".repeat(120);
    let mut lines: Vec<String> = (1..=9).map(|number| format!("{number}\t选手{number}")).collect();
    lines.push("10\t选手3".to_owned());
    lines.push(format!("11\t{long}"));
    browser.js(&format!("document.querySelector('#paste').value = {}", json!(lines.join("\n"))));
    browser.click("#check");
    browser
        .wait("document.querySelector('#rehearsal tr.warn') && document.querySelector('#rehearsal tr.bad')");
    assert!(browser.text("#rehearsal").contains("与第 3 行同名"), "{}", browser.text("#rehearsal"));
    assert!(browser.text("#enter").contains('9'));
    browser.check_everywhere("desk-entries");
    browser.click("#enter");
    browser.wait("document.querySelectorAll('#entrants tbody tr').length === 9");
    browser.click("main a.button.main");
    browser.wait("document.querySelector('.coming [data-act=announce]')");
    browser.check_everywhere("desk-draft");
    main_button(&browser, "announce");
    browser.wait("location.pathname.endsWith('/notice') && document.querySelector('.qr')");
    browser.check_everywhere("desk-notice");
    browser.click(".tabs a");
    browser.wait("document.querySelector('.coming [data-act=lock]')");
    main_button(&browser, "lock");
    browser.wait_for("document.querySelector('.coming a[href$=\"/slips\"]')", 30);
    browser.click(".coming a");
    browser.click("#make");
    browser.wait(
        "document.querySelectorAll('.slip .qr').length === 9 && !document.querySelector('#print').hidden",
    );
    assert!(browser.text(".slip").contains("第 1 轮："), "{}", browser.text(".slip"));
    browser.check_everywhere("desk-slips");
    browser.click(".tabs a[href$=\"/checkin\"]");
    browser.write("#who", "选手7");
    browser.keys(super::ENTER);
    browser.wait("document.querySelector('#count').innerText.includes('1 / 9')");
    browser.check_everywhere("desk-checkin");
    browser.click(".tabs a");
    browser.wait("document.querySelector('.coming [data-act=start]')");
    main_button(&browser, "start");
    browser.wait("document.querySelector('.coming a[href$=\"/floor\"]')");
    browser.check_everywhere("desk-locked");
    browser.click(".coming a");
    browser.wait("document.querySelector('#summary').innerText.includes('已打完')");
    let event = browser.path().split('/').nth(2).unwrap().to_owned();
    browser.go(&format!("/events/{event}/seats"));
    browser.wait("document.querySelectorAll('.seat-list li').length === 9");
    browser.check_everywhere("projector");
    browser.go("/desk");
    browser.check_everywhere("desk-home");
    let progress = Client::new(&server.base).get(&format!("/api/v1/events/{event}/progress")).ok();
    assert_eq!(progress["progress"]["rounds"], json!([1]));
}

#[test]
fn a_referee_stops_a_clock_and_lets_it_run_again_and_a_look_into_hands_asks_twice() {
    let (server, chief) = with_chief();
    let more = json!({"format": "individual", "pace": "rounds", "boards": 6, "boards_per_round": 3,
                      "ai_delay_ms": 60_000, "late_s": 0});
    draft(&chief, "e1", &more);
    enter(&chief, "e1", 6);
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    chief.post("/api/v1/events/e1/rounds/1/start", &json!({})).ok();
    let _referee = somebody(&server, &chief, "referee");
    let Some(browser) = Browser::open(&server.base) else { return };
    log_in(&browser, "referee");
    browser.go("/desk/e1/floor");
    browser.wait("document.querySelectorAll('.table-card').length === 2");
    browser.check_everywhere("floor");
    browser.click(".table-card");
    // One button for both: it does what the clock is not doing.
    assert_eq!(browser.text("[data-order=clock] button"), "停表");
    browser.write("#why-clock", "核对手牌");
    browser.click("[data-order=clock] button");
    browser.wait("document.querySelector('#table-facts').innerText.includes('计时已停')");
    browser.check_everywhere("floor-table");
    assert_eq!(browser.text("[data-order=clock] button"), "恢复计时");
    browser.write("#why-clock", "核对完毕");
    browser.click("[data-order=clock] button");
    browser.wait("document.querySelector('#table-facts').innerText.includes('计时中')");
    browser.click("#table details:has(#why-warn) summary");
    browser.js("document.querySelector('#warn-who').selectedIndex = 1");
    browser.js("document.querySelector('#warn-code').value = 'late'");
    browser.write("#why-warn", "迟到六分钟");
    browser.click("[data-order=warn] button");
    browser.wait("document.querySelector('[data-order=warn] [role=status]').innerText.includes('不在线')");
    browser.wait("document.querySelectorAll('#warnings li').length === 1");
    assert!(browser.text("#warnings").contains("迟到六分钟"), "{}", browser.text("#warnings"));
    browser.check_everywhere("floor-warned");
    browser.click("#table .grave summary");
    browser.write("#why-look", "有人举报");
    browser.click("[data-order=look] button");
    browser.wait("document.querySelector('[data-order=look] [role=alert]').innerText.includes('再按一次')");
    assert_eq!(browser.text("#hands"), "");
    browser.click("[data-order=look] button");
    browser.wait("document.querySelectorAll('#hands li').length === 3");
    browser.check("the hands");
    let log = chief.get("/api/v1/events/e1/audit?limit=500").ok().to_string();
    assert!(log.contains("order-table") && log.contains("look"), "{log}");
}
