//! The desk in a browser: an event is set up from nothing in Chinese until its first round is in play, and a referee
//! stops a clock and lets it run again.

use serde_json::json;

use super::Browser;
use crate::server::Client;
use crate::web_accounts::{PASSWORD, somebody, with_chief};
use crate::web_events::{draft, enter, locked};
use crate::web_results::play;

/// Logs in by the form.
pub(super) fn log_in(browser: &Browser, name: &str) {
    browser.go("/login?lang=zh-CN");
    browser.write("#name", name);
    browser.write("#password", PASSWORD);
    browser.click("form .button");
    browser.wait("location.pathname === '/desk' && document.querySelector('.who')");
}

/// Presses the main button of an event's desk and says yes to its question; to what cannot be undone, twice.
fn main_button(browser: &Browser, act: &str) {
    browser.click(&format!(".coming [data-act={act}]"));
    browser.wait(&format!("document.querySelector('#ask-{act}').open"));
    browser.check(&format!("the question before {act}"));
    let forever = browser.js(&format!("return document.querySelector('#ask-{act}').matches('.forever')"));
    assert_eq!(forever, json!(["announce", "lock"].contains(&act)), "{act}");
    if forever == json!(true) {
        assert!(browser.text(&format!("#ask-{act}")).contains("不可撤销"), "{act}");
        let shut = browser.js(&format!("return document.querySelector('#ask-{act} [type=submit]').disabled"));
        assert_eq!(shut, json!(true), "{act} is done only by a second, explicit act");
        browser.shot(&format!("ask-{act}"));
        browser.click(&format!("#ask-{act} [data-sure]"));
    }
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
    // The verdict is good as nothing was found; a board of this game takes minutes by its own measure.
    let verdict = browser.text("#verdict");
    assert!(verdict.contains("编排合格：每组 8 个成绩"), "{verdict}");
    assert!(browser.text("#preview").contains("每副约 "), "{}", browser.text("#preview"));
    assert!(!browser.text("#settings").contains("毫秒"), "people count in seconds");
    assert_eq!(browser.js("return document.querySelector('#ai_delay_s').value"), json!("0.8"));
    // What is changed is saved; preview and head follow.
    browser.js("document.querySelector('#boards').value = ''");
    browser.write("#boards", "6");
    browser.wait_for("document.querySelector('#preview').innerText.includes('2 轮，6 副')", 30);
    browser.wait("document.querySelector('.desk-head .facts').innerText.includes('6 副')");
    browser.js("document.querySelector('#title').value = ''");
    browser.write("#title", "春季挖坑赛");
    browser.wait("document.querySelector('.desk-head .event-name').innerText === '春季挖坑赛'");
    browser
        .js("document.querySelector('#settings details:not(:has(#own_rules)):has(#ai_delay_s)').open = true");
    browser.js("document.querySelector('#ai_delay_s').value = ''");
    browser.write("#ai_delay_s", "1.5");
    browser.wait("document.querySelector('#saved').innerText === '已保存'");
    browser.js("document.querySelector('#expected').value = ''");
    browser.write("#expected", "6");
    browser
        .wait_for("document.querySelector('#verdict.warn #findings').innerText.includes('每个比较组')", 30);
    assert!(browser.text("#verdict").contains("每个比较组有 2 个成绩"), "{}", browser.text("#verdict"));
    browser.check_everywhere("desk-settings-warned");
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
    // A document: who announces what and when, by which rules, and where it is signed.
    let notice = browser.text(".notice-board");
    for part in ["春季挖坑赛", "主办方", "公告时间", "年", "规则", "裁判长（签字）", "日期"]
    {
        assert!(notice.contains(part), "{part} in {notice}");
    }
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
    let sheet = Client::new(&server.base).get(&format!("/api/v1/events/{event}")).ok();
    assert_eq!((&sheet["live"]["ai_delay_ms"], &sheet["host"]), (&json!(1500), &json!("主办")));
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

/// Pastes a list and has it checked.
fn paste(browser: &Browser, list: &str) {
    browser.js(&format!("document.querySelector('#paste').value = {}", json!(list)));
    browser.click("#check");
    browser.wait("document.querySelector('#enter')");
}

/// The entrants of an event as number and name.
fn entered(client: &Client, id: &str) -> Vec<(u64, String)> {
    let list = client.get(&format!("/api/v1/events/{id}/entrants")).ok();
    let line =
        |one: &serde_json::Value| (one["number"].as_u64().unwrap(), one["name"].as_str().unwrap().to_owned());
    list["items"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn a_sheet_keeps_its_order_its_headings_ask_and_names_are_corrected() {
    let (server, chief) = with_chief();
    draft(
        &chief,
        "e1",
        &json!({"format": "individual", "pace": "rounds", "boards": 6, "boards_per_round": 3}),
    );
    let pairs = json!({"game": "tuolaji", "id": "e2", "title": "T", "format": "pairs", "boards": 4});
    chief.post("/api/v1/events", &pairs).ok();
    let Some(browser) = Browser::open(&server.base) else { return };
    log_in(&browser, "chief");
    browser.go("/desk/e1/entries");
    // Namesakes of two clubs: ticked, they are entered at their places on the sheet.
    paste(&browser, "姓名\t单位\t地区\n张伟\t飞牌社\t陕西\n王芳\t红心社\t\n张伟\t红心社\t甘肃\n李娜\t\t");
    assert_eq!(browser.js("return document.querySelectorAll('#rehearsal tbody tr').length"), 4);
    browser.check_everywhere("entries-clubs");
    browser.click("label[for=take-4]");
    browser.click("#enter");
    browser.wait("document.querySelectorAll('#entrants tbody tr').length === 4");
    let of = |number: u64, name: &str| (number, name.to_owned());
    assert_eq!(entered(&chief, "e1"), [of(1, "张伟"), of(2, "王芳"), of(3, "张伟"), of(4, "李娜")]);
    assert!(browser.text("#entrants").contains("飞牌社 · 陕西"), "{}", browser.text("#entrants"));
    // A name is corrected; numbers stay.
    browser.click("[data-correct=e004]");
    browser.wait("document.querySelector('#correct').open");
    browser.check_everywhere("entries-correct");
    browser.js("document.querySelector('#correct-name').value = ''");
    browser.write("#correct-name", "李娜娜");
    browser.click("#correct [type=submit]");
    browser.wait("document.querySelector('#entrants').innerText.includes('李娜娜')");
    assert_eq!(entered(&chief, "e1")[3], of(4, "李娜娜"));
    // A first row that may be a heading or two people asks; nothing is entered before the answer.
    browser.go("/desk/e2/entries");
    paste(&browser, "选手一\t选手二\n陈雨\t李娜\n王伟\t赵磊");
    assert_eq!(browser.js("return document.querySelector('#enter').disabled"), json!(true));
    assert!(browser.text("#heading").contains("选手一 · 选手二"), "{}", browser.text("#heading"));
    browser.check_everywhere("entries-heading");
    browser.click("#heading label");
    browser.wait("!document.querySelector('#enter').disabled");
    browser.click("#enter");
    browser.wait("document.querySelectorAll('#entrants tbody tr').length === 2");
    assert_eq!(entered(&chief, "e2"), [of(1, "陈雨 / 李娜"), of(2, "王伟 / 赵磊")]);
    // The other answer: they are people.
    paste(&browser, "选手一\t选手二");
    browser.click("#heading label:last-child");
    browser.wait("!document.querySelector('#enter').disabled");
    browser.click("#enter");
    browser.wait("document.querySelectorAll('#entrants tbody tr').length === 3");
    assert_eq!(entered(&chief, "e2")[2], of(3, "选手一 / 选手二"));
    // Before and after the draw the start list says the same numbers; namesakes show where they are from.
    for name in ["周红", "吴刚"] {
        chief.post("/api/v1/events/e1/entrants", &json!({"name": name})).ok();
    }
    browser.go("/desk/e1/start-list");
    assert!(browser.text("#start-list").contains("飞牌社"), "{}", browser.text("#start-list"));
    browser.check_everywhere("start-list-undrawn");
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    browser.go("/desk/e1/start-list");
    let column = |css: &str| {
        browser.js(&format!(
            "return [...document.querySelectorAll('#start-list tbody {css}')].map((one) => one.innerText)"
        ))
    };
    assert_eq!(column("td:first-child"), json!(["1", "2", "3", "4", "5", "6"]));
    assert_eq!(column("th")[3], "李娜娜");
    let seats = column("td:last-child");
    assert!(
        seats.as_array().unwrap().iter().all(|seat| ["A", "B", "C"].contains(&seat.as_str().unwrap())),
        "{seats}"
    );
    browser.check_everywhere("start-list");
    browser.go("/desk/e1/slips");
    browser.click("#make");
    browser.wait("document.querySelectorAll('.slip').length === 6");
    assert!(browser.text("#slips").contains("红心社 · 甘肃"), "{}", browser.text("#slips"));
    browser.go("/desk/e1/checkin");
    browser.wait("document.querySelectorAll('#people li').length === 6");
    assert!(browser.text("#people").contains("飞牌社 · 陕西"), "{}", browser.text("#people"));
}

#[test]
fn one_person_becomes_organizer_and_referee_where_the_event_says_so_and_what_is_played_is_published_next() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({}));
    let Some(browser) = Browser::open(&server.base) else { return };
    log_in(&browser, "chief");
    assert!(browser.text(".next-line").contains("进行比赛"), "{}", browser.text("main"));
    browser.go("/desk/e1/settings");
    browser.wait("document.querySelector('[data-act=offices]')");
    browser.click("[data-act=offices]");
    browser.wait("document.querySelector('#ask-offices').open");
    browser.check("the question about offices");
    browser.click("#ask-offices [type=submit]");
    browser.wait("document.querySelector('[data-act=referee]')");
    browser.check_everywhere("offices");
    browser.click("[data-act=referee]");
    browser.click("#ask-referee [type=submit]");
    browser.wait(
        "document.querySelector('[data-act=offices]') && !document.querySelector('[data-act=referee]')",
    );
    let me = chief.get("/api/v1/session").ok();
    assert!(me["grants"].to_string().contains("chief-referee"), "{me}");
    play(&server, "e1", |_| true);
    // What is over at every table is not played any more.
    chief.post("/api/v1/events/e1/finish", &json!({"reason": "over"})).ok();
    browser.go("/desk?lang=zh-CN");
    assert!(browser.text(".next-line").contains("发布成绩"), "{}", browser.text("main"));
    browser.go("/desk/e1");
    browser.wait("document.querySelector('.coming [data-act=publish-official]')");
    browser.click(".coming [data-act=publish-official]");
    browser.wait("document.querySelector('#ask-publish-official.forever').open");
    browser.check_everywhere("ask-forever");
}
