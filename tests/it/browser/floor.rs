//! The floor in a browser: calls on both sides, a reason for each order, the live table of each game, evidence, and what a
//! page does that is left open.

use fushi::event::live::Pace;
use fushi::games::wakeng::Wakeng;
use serde_json::{Value, json};

use super::Browser;
use super::desk::log_in;
use super::play::{fields, opened, sit};
use crate::server::{Client, Inside};
use crate::socket::{self, Wire};
use crate::web_accounts::{somebody, with_chief};
use crate::web_events::draft;

/// A referee's window on the floor of an event, in Chinese.
fn floor(server: &Inside, chief: &Client, event: &str) -> Option<(Browser, Client)> {
    let referee = somebody(server, chief, "referee");
    let browser = Browser::open(&server.base)?;
    log_in(&browser, "referee");
    browser.go(&format!("/desk/{event}/floor"));
    browser.wait("document.querySelector('#summary').innerText !== ''");
    Some((browser, referee))
}

/// Where the own hand stands on the page.
fn hand(browser: &Browser) -> Value {
    browser.js("return document.querySelector('#hand').getBoundingClientRect().top + window.scrollY")
}

#[test]
fn a_call_is_sent_seen_and_done_on_the_pages_of_both_and_never_moves_the_hand() {
    let (server, chief) = with_chief();
    let tokens = opened::<Wakeng>(&server, fields("human-ai", 2, Pace::Own), 1, &[]);
    let Some((referee, _)) = floor(&server, &chief, "live") else { return };
    let title = referee.js("return document.title");
    let player = Browser::beside(&server.base).unwrap();
    player.screen(390, 844, true);
    player.go("/?lang=zh-CN");
    sit(&player, &tokens[0], "");
    player.click("#ready");
    player.wait("document.querySelectorAll('#hand .card').length >= 16");
    let before = hand(&player);
    player.click("#tool-call");
    player.write("#call-text", "有人偷看");
    player.click("#call-send");
    player.wait("document.querySelector('#toasts').innerText.includes('还没有裁判员看到')");
    assert_eq!(hand(&player), before, "a toast lies over the page");
    player.check_everywhere("call-sent");
    player.screen(390, 844, true);
    // The floor: a call with words, place and name, counted in the title and marked at the table.
    referee.wait("document.querySelector('#calls-list .call')");
    let call = referee.text("#calls-list .call");
    for part in ["有人偷看", "第 1 副", "还没有裁判员看到"] {
        assert!(call.contains(part), "{part}: {call}");
    }
    assert_eq!(referee.js("return document.title"), json!(format!("(1) {}", title.as_str().unwrap())));
    assert!(referee.text(".table-card.alarm").contains("呼叫裁判员（1）"), "{}", referee.text("#tables"));
    referee.check_everywhere("floor-call");
    // Opening the table shows the words: from then on a referee has seen them.
    referee.click("#calls-list [data-enter]");
    player.wait("document.querySelector('#toasts').innerText.includes('裁判员已看到您的呼叫')");
    assert!(player.text("#tool-call").contains("裁判员已看到"), "{}", player.text("#tool-call"));
    referee.wait("document.querySelector('#table-calls').innerText.includes('referee已看到')");
    player.click(".toast-close");
    player.wait("document.querySelector('#toasts').innerText === ''");
    // A page that is loaded again knows it still.
    player.go("/play/live");
    player.wait("document.querySelector('#tool-call .call-state')");
    referee.click("#table-calls [data-mark=done]");
    player.wait("document.querySelector('#toasts').innerText.includes('已处理完毕')");
    player.wait("!document.querySelector('#tool-call .call-state')");
    referee.wait(
        "document.querySelector('#calls').hidden && document.querySelector('#table-calls').innerText === ''",
    );
    assert_eq!(referee.js("return document.title"), title);
    referee.check("after the call");
    player.check("after the call");
}

/// What is confidential in one order can never be sent with another: each has its own field, empty, and says who reads it.
#[test]
fn each_order_has_its_own_empty_reason_and_says_what_the_player_sees() {
    let (server, chief) = with_chief();
    opened::<Wakeng>(&server, fields("individual", 3, Pace::Rounds), 3, &[]);
    let rounds = json!({"late_s": 0, "reason": "x"});
    chief.patch("/api/v1/events/live", &rounds).ok();
    server.app.runtime.block_on(server.app.halls.shut("live"));
    server.app.halls.open("live").unwrap();
    let Some((browser, _)) = floor(&server, &chief, "live") else { return };
    browser.wait("[...document.querySelectorAll('.table-card')].some((one) => one.querySelector('b'))");
    browser.click(".table-card:has(b)");
    let reasons = || {
        browser.js("return [...document.querySelectorAll('form.order [name=reason]')].map((one) => [one.id, one.value])")
    };
    let empty =
        json!([["why-clock", ""], ["why-give", ""], ["why-warn", ""], ["why-end", ""], ["why-look", ""]]);
    assert_eq!(reasons(), empty);
    assert_eq!(browser.js("return document.querySelector('#warn-code').value"), "", "no fault is preset");
    for (order, said) in [
        ("clock", "看不到"),
        ("give", "看不到"),
        ("warn", "马上看到这段文字"),
        ("end", "看不到"),
        ("look", "人人可见"),
    ] {
        let hint = browser.js(&format!(
            "const field = document.querySelector('#why-{order}');
             return document.getElementById(field.getAttribute('aria-describedby')).textContent"
        ));
        assert!(hint.as_str().unwrap().contains(said), "{order}: {hint}");
    }
    browser.click("details.grave summary");
    browser.write("#why-look", "机密：怀疑作弊");
    browser.click("details:has(#why-warn) summary");
    // Nothing goes out without its own words, its own fault and its player.
    let fault = |words: &str| {
        browser.click("[data-order=warn] button");
        browser.wait(&format!(
            "document.querySelector('[data-order=warn] [role=alert]').innerText.includes('{words}')"
        ));
    };
    fault("请选择选手");
    browser.js("document.querySelector('#warn-who').selectedIndex = 1");
    fault("请选择警告的事由");
    browser.js("document.querySelector('#warn-code').value = 'talking'");
    fault("请先写明原因");
    browser.check_everywhere("floor-orders");
    browser.write("#why-warn", "请勿交谈");
    browser.click("[data-order=warn] button");
    browser.wait("document.querySelectorAll('#warnings li').length === 1");
    let given = chief.get("/api/v1/events/live/warnings").ok();
    assert_eq!(
        (&given["items"][0]["code"], &given["items"][0]["reason"]),
        (&json!("talking"), &json!("请勿交谈"))
    );
    // Another table, or the same one again, begins with nothing.
    browser.click("#table [data-close]");
    browser.click(".table-card:has(b)");
    assert_eq!(reasons(), empty);
}

/// A game played by programs slowly enough to be watched, and what the page must show of it.
fn watched(game: &str, more: &Value, seats: usize, level: &str, phases: &[&str]) {
    let (server, chief) = with_chief();
    let mut fields = json!({"game": game, "format": "individual", "pace": "rounds", "boards": 6, "boards_per_round": 3,
                            "between_s": 0, "opponents": level, "ai_delay_ms": 900, "late_s": 0});
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    draft(&chief, "e1", &fields);
    for number in 0..2 * seats {
        let body = json!({"name": format!("选手{number}"), "level": level});
        chief.post("/api/v1/events/e1/entrants", &body).ok();
    }
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    chief.post("/api/v1/events/e1/rounds/1/start", &json!({})).ok();
    let Some((browser, _)) = floor(&server, &chief, "e1") else { return };
    browser.click(".table-card");
    browser.wait(&format!("document.querySelectorAll('.live-seat').length === {seats}"));
    browser.wait_for("document.querySelectorAll('.live-log li').length >= 2", 60);
    let text = browser.text("#live");
    assert!(phases.iter().any(|phase| text.contains(phase)), "{phases:?}: {text}");
    assert!(
        text.contains("选手") && browser.text(".live-log").contains("0:0"),
        "who did what, and when: {text}"
    );
    browser.wait(
        "document.querySelector('.live-seat.deciding .live-left') || document.querySelector('.live-log li')",
    );
    browser.check_everywhere(&format!("live-{game}"));
    // Hands are shown only after a look, as cards in the order of the game.
    assert_eq!(browser.text("#hands"), "");
    browser.click("details.grave summary");
    browser.write("#why-look", "有人举报");
    browser.click("[data-order=look] button");
    browser.click("[data-order=look] button");
    browser.wait_for(&format!("document.querySelectorAll('#hands .live-hand').length === {seats}"), 30);
    browser.wait("[...document.querySelectorAll('#hands .live-hand')].some((one) => one.querySelectorAll('.mini').length > 1)");
    browser.check_everywhere(&format!("hands-{game}"));
    browser.wait_for("document.querySelector('.live-log').innerText.includes('查看了手牌')", 30);
}

#[test]
fn a_referee_sees_a_table_of_wakeng_as_everybody_there_does() {
    watched("wakeng", &json!({}), 3, "wakeng-1", &["明牌", "叫分", "加倍", "出牌"]);
}

#[test]
fn a_referee_sees_a_table_of_tuolaji_as_everybody_there_does() {
    let quick = json!({"rules": {"base": "zhuhai-2009", "name": "quick", "draw_ms": 20, "call_window_s": 1}});
    watched("tuolaji", &quick, 4, "random", &["摸牌", "叫主时限", "扣底", "出牌"]);
}

#[test]
fn a_referee_sees_a_table_of_holdem_as_everybody_there_does() {
    watched("holdem", &json!({"ai_delay_ms": 4000}), 6, "random", &["翻牌前", "翻牌", "转牌", "河牌"]);
}

#[test]
fn waiting_tables_are_alarms_after_the_events_limit_and_a_floor_left_open_ends_with_the_event() {
    let (server, chief) = with_chief();
    let more = json!({"format": "individual", "pace": "rounds", "boards": 6, "boards_per_round": 3, "late_s": 600, "alarm_s": 1});
    draft(&chief, "e1", &more);
    crate::web_events::enter(&chief, "e1", 6);
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    chief.post("/api/v1/events/e1/rounds/1/start", &json!({})).ok();
    let Some((browser, _)) = floor(&server, &chief, "e1") else { return };
    browser.wait("document.querySelectorAll('.table-card.alarm').length === 2");
    assert!(browser.text(".table-card.alarm").contains("已等待 00:0"), "{}", browser.text("#tables"));
    browser.check_everywhere("floor-waits");
    chief.post("/api/v1/events/e1/finish", &json!({"reason": "over"})).ok();
    browser.wait("document.querySelector('#summary').innerText.includes('另有 12 副未打完即结束')");
    assert!(browser.text("#summary").contains("已打完 0 / 12"), "{}", browser.text("#summary"));
    chief.post("/api/v1/events/e1/revisions", &json!({"state": "provisional", "reason": "over"})).ok();
    browser.wait("!document.querySelector('#ended').hidden && document.querySelector('#playing').hidden");
    assert!(browser.text("#summary").contains("另有 12 副未打完即结束"), "{}", browser.text("#summary"));
    // The refusal that told it stands in the console, once.
    browser.console();
    browser.check_everywhere("floor-ended");
    // It asks for nothing any more: the browser has heard the last refusal.
    let asked =
        "performance.getEntriesByType('resource').filter((one) => one.name.includes('/floor?')).length";
    browser.js("performance.clearResourceTimings()");
    std::thread::sleep(std::time::Duration::from_secs(5));
    assert_eq!(browser.js(&format!("return {asked}")), 0);
    // And whoever comes now is told the same.
    browser.go("/desk/e1/floor");
    assert!(browser.text(".empty").contains("赛事已结束"), "{}", browser.text("main"));
    assert!(browser.text("#evidence").contains("连接与离开页面"));
}

/// Evidence is where the guide says it is: on the floor by person, and in the file of the board, each linked to the other.
#[test]
fn what_connections_have_shown_is_on_the_floor_and_in_the_boards_file_with_names_times_and_counts() {
    let (server, chief) = with_chief();
    socket::event(&server.app);
    let Some((browser, referee)) = floor(&server, &chief, "live") else { return };
    let base = server.base.clone();
    server.app.runtime.block_on(async {
        let (mut wire, play) = Wire::seated(&base, "t1").await;
        for visible in [false, true, false] {
            wire.say(&json!({"type": "focus", "visible": visible})).await;
        }
        wire.say(&json!({"type": "ping", "t": 1})).await;
        wire.until("pong").await;
        // Another device takes the seat, and is lost.
        let mut other = Wire::open(&base).await;
        other.say(&json!({"type": "join", "v": 1, "token": "t1"})).await;
        other.until("seated").await;
        wire.until("replaced").await;
        other.say(&json!({"type": "act", "id": "x", "play": play, "do": "play SA"})).await;
        other.until("refused").await;
    });
    let lost = || {
        let seen = referee.get("/api/v1/events/live/incidents").ok();
        seen["items"].as_array().unwrap().iter().any(|one| one["what"] == "disconnected")
    };
    while !lost() {
        std::thread::sleep(std::time::Duration::from_millis(30));
    }
    let event = fushi::event::Event::<Wakeng>::load(server.app.store.as_ref(), "live").unwrap();
    let name = event.entrant(1).unwrap().name.clone();
    browser.click("#evidence summary");
    browser.wait("document.querySelector('#evidence-list tbody tr')");
    let cells = browser.js("return [...document.querySelectorAll('#evidence-list tbody tr:first-child td')].map((one) => one.innerText)");
    assert_eq!(
        cells.as_array().unwrap()[..4],
        [json!(format!("{name} (1)")), json!("2"), json!("1"), json!("1")],
        "{cells}"
    );
    assert!(cells[4].as_str().unwrap().contains(':'), "when it was last: {cells}");
    browser.check_everywhere("floor-evidence");
    browser.click("#evidence-list .file-links a");
    browser.wait("location.pathname.includes('/boards/') && document.querySelector('#file table')");
    let file = browser.text("#file");
    for part in ["离开页面", "被另一连接取代", "连接中断", &format!("{name} (1)"), "被拒的出牌"]
    {
        assert!(file.contains(part), "{part}: {file}");
    }
    assert!(!file.contains("SA"), "what was tried is sealed while the board is played: {file}");
    browser.check_everywhere("board-file");
    // Who looked into the hands stands in the file at once, with the reason.
    let look = json!({"order": "look", "reason": "有人说少一张牌"});
    let page = browser.js("return location.pathname").as_str().unwrap().to_owned();
    let table = page.rsplit('/').next().unwrap();
    referee.post(&format!("/api/v1/events/live/tables/{table}/orders"), &look).ok();
    browser.go(&page);
    browser.wait("document.querySelector('#file')?.innerText.includes('有人说少一张牌')");
    // And back to that table.
    browser.click("main a[href*='/floor#table=']");
    browser.wait("document.querySelector('#table').open && document.querySelector('#file table')");
    browser.click("#file-link");
    browser.wait("location.pathname.includes('/boards/')");
    browser.go("/desk/live/boards/99/tables/1");
    assert_eq!(browser.js("return document.querySelectorAll('.refusal').length"), 1);
    browser.console();
}
