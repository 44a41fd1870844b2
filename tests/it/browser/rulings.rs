//! Rulings as people meet them: which of two namesakes, the notice that every mark leads to, the sheets that are printed
//! and signed, arrows of places, the desk's own view that says what it is, and who looked into the hands.

use fushi::games::wakeng::Wakeng;
use serde_json::{Value, json};

use super::Browser;
use super::desk::log_in;
use crate::server::{Client, Inside};
use crate::web_accounts::{somebody, with_chief};
use crate::web_events::draft;
use crate::web_results::play_game;

/// An event with two entrants called 张伟, and the number of the second of them.
fn namesakes(chief: &Client) -> (String, u64) {
    draft(chief, "e1", &json!({"opponents": "random", "title": "春季赛 Spring"}));
    for name in ["王芳", "李娜", "张伟", "赵磊", "刘洋", "张伟"] {
        chief.post("/api/v1/events/e1/entrants", &json!({"name": name})).ok();
    }
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    let list = chief.get("/api/v1/events/e1/entrants").ok();
    let one = list["items"].as_array().unwrap().iter().rfind(|one| one["name"] == "张伟").unwrap().clone();
    (one["id"].as_str().unwrap().to_owned(), one["number"].as_u64().unwrap())
}

fn played(server: &Inside, which: impl Fn(u32) -> bool) {
    play_game::<Wakeng>(server, "e1", true, |sitting| which(sitting.board));
}

fn publish(chief: &Client, state: &str) {
    chief.post("/api/v1/events/e1/revisions", &json!({"state": state, "reason": "x"})).ok();
}

fn set(browser: &Browser, css: &str, value: &str) {
    browser.js(&format!(
        "const field = document.querySelector({}); field.value = {}; \
         for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, {{ bubbles: true }}))",
        json!(css),
        json!(value)
    ));
}

fn everywhere(browser: &Browser, path: &str, ready: &str, name: &str) {
    let and = if path.contains('?') { '&' } else { '?' };
    for lang in ["en", "zh-CN"] {
        let (way, hash) =
            path.split_once('#').map_or((path, String::new()), |(way, hash)| (way, format!("#{hash}")));
        browser.go(&format!("{way}{and}lang={lang}{hash}"));
        browser.wait(ready);
        browser.check_everywhere(&format!("{name}-{lang}"));
    }
}

#[test]
fn a_ruling_on_one_of_two_namesakes_says_which_everywhere_and_is_made_known_with_the_results() {
    let (server, chief) = with_chief();
    let (id, number) = namesakes(&chief);
    let called = format!("张伟 ({number})");
    somebody(&server, &chief, "chief-referee");
    played(&server, |_| true);
    let Some(browser) = Browser::open(&server.base) else { return };
    log_in(&browser, "chief-referee");
    browser.go(&format!("/desk/e1/rulings?board=3&entrant={id}"));
    browser.wait("document.querySelector('#board')?.value === '3' && document.querySelector('#entrant').options.length === 6");
    let options = browser.text("#entrant");
    assert!(options.matches("张伟 (").count() == 2 && options.contains(&called), "{options}");
    browser.click("label:has([name=kind][value=status])");
    set(&browser, "#status", "A-");
    browser.write("#reason", "迟到十分钟，按竞赛规程第 12 条");
    browser.click("#look");
    browser.wait("document.querySelector('#radius').open && document.querySelector('#radius-body table')");
    assert!(browser.text("#radius-what").contains(&called), "{}", browser.text("#radius-what"));
    assert!(browser.text("#radius-body").contains(&called), "{}", browser.text("#radius-body"));
    browser.check_everywhere("namesakes-radius");
    browser.click("#confirm");
    browser.wait("document.querySelectorAll('.ruling').length === 1");
    assert!(browser.text("#made").contains(&called), "{}", browser.text("#made"));
    // The form of the ruling on paper.
    browser.click(".ruling a[href$='/rulings/1']");
    browser.wait("document.querySelector('#form .blank')");
    let form = browser.text(".leaf");
    for part in
        [called.as_str(), "第 1 号裁定", "第 3 副", "迟到十分钟", "适用条款", "申诉截止时间", "裁判长签名"]
    {
        assert!(form.contains(part), "{part}: {form}");
    }
    everywhere(&browser, "/desk/e1/rulings/1", "document.querySelector('#form .blank')", "ruling-form");
    browser.debug("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    browser.shot("print-ruling-form");
    browser.debug("Emulation.setEmulatedMedia", &json!({"media": ""}));
    browser.go("/desk/e1/rulings/77");
    browser.wait("!document.querySelector('#fault').hidden");
    // The log names the same one, and its filter finds him.
    let _ = chief.post("/api/v1/events/e1/ai-tokens", &json!({"entrants": [id]}));
    browser.go("/desk/e1/audit");
    browser.wait("document.querySelectorAll('.act').length > 3");
    set(&browser, "#find", &called);
    let all = chief.get("/api/v1/events/e1/audit?limit=500").ok()["items"].as_array().unwrap().len();
    browser.wait(&format!(
        "[...Array({all}).keys()].slice(1).includes(document.querySelectorAll('.act').length)"
    ));
    let log = browser.js("return document.querySelector('#log').textContent");
    assert!(log.as_str().unwrap().contains(&called), "{log}");
    // Spectators: nothing before the publication, then the ruling, its reason and the figures.
    browser.click("[data-do=log-out]");
    browser.wait("location.pathname === '/'");
    everywhere(&browser, "/events/e1/rulings", "document.querySelector('#sheet .empty')", "notice-empty");
    publish(&chief, "provisional");
    browser.go("/events/e1?lang=zh-CN");
    browser.screen(1440, 900, false);
    browser.wait("document.querySelector('.standings .ruling-link')");
    browser.check_everywhere("standings-ruled");
    browser.click(".standings .ruling-link");
    browser.wait("document.querySelector('#ruling-1.wanted')");
    let told = browser.text("#ruling-1");
    for part in [called.as_str(), "第 3 副", "迟到十分钟", "chief-referee", "→", "A−"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    // Stars lead there, too: of a traveller, a card, the explanation of a cell.
    for page in ["/boards/3".to_owned(), format!("/entrants/{id}")] {
        browser.go(&format!("/events/e1{page}"));
        browser.wait("document.querySelector('td .ruling-link')");
        browser.check_everywhere(&format!("marks{}", page.replace('/', "-")));
        let link = browser.js("return document.querySelector('td .ruling-link').getAttribute('href')");
        assert_eq!(link, "/events/e1/rulings#ruling-1");
    }
    browser.go("/events/e1/cross-tab");
    browser.wait("document.querySelector('[data-rulings]')");
    browser.click("[data-rulings]");
    browser.wait("document.querySelector('#explain-text a')");
    browser.click("#explain-text a");
    browser.wait("document.querySelector('#ruling-1.wanted')");
    // A later publication says what changed.
    let head = somebody_again(&server);
    let void =
        json!({"number": 2, "reason": "底牌被看到", "decision": {"void": {"board": 5}}, "confirm": true});
    head.post("/api/v1/events/e1/rulings", &void).ok();
    let back =
        json!({"number": 3, "reason": "申诉成立", "decision": {"withdraw": {"ruling": 1}}, "confirm": true});
    head.post("/api/v1/events/e1/rulings", &back).ok();
    publish(&chief, "official");
    everywhere(
        &browser,
        "/events/e1/rulings#ruling-1",
        "document.querySelector('#ruling-1.wanted.gone')",
        "notice",
    );
    assert!(browser.text("#revision-2").contains("第 2 号至第 3 号"), "{}", browser.text("#revision-2"));
    browser.go("/events/e1/boards/5");
    browser.wait("document.querySelector('.notice a[href*=\"board=5\"]')");
    browser.go("/events/e1/rulings?board=5");
    browser.wait("document.querySelector('#ruling-2.wanted')");
    browser.debug("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    browser.shot("print-notice");
    browser.debug("Emulation.setEmulatedMedia", &json!({"media": ""}));
    sheet_to_sign(&browser, &server);
}

fn somebody_again(server: &Inside) -> Client {
    crate::web_accounts::log_in(&Client::new(&server.base), "chief-referee")
}

/// The ranking of the last publication with its number, its fingerprint and lines to sign on.
fn sheet_to_sign(browser: &Browser, server: &Inside) {
    everywhere(
        browser,
        "/events/e1/sheet",
        "document.querySelectorAll('.final-sheet tbody tr').length === 6",
        "result-sheet",
    );
    let sheet = browser.text(".leaf");
    let proofs = Client::new(&server.base).get("/api/v1/events/e1/checkpoints").ok();
    let last = proofs["items"].as_array().unwrap().iter().rfind(|one| one["kind"] == "revision").unwrap();
    assert_eq!(
        Some(browser.text(".hash").split_whitespace().collect::<String>().as_str()),
        last["hash"].as_str()
    );
    for part in ["春季赛 Spring", "第 2 次发布", "裁判长签名", "主办方签名"] {
        assert!(sheet.contains(part), "{part}: {sheet}");
    }
    assert_eq!(browser.js("return document.querySelectorAll('.leaf .qr path').length"), 1);
    browser.debug("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    browser.shot("print-result-sheet");
    assert_eq!(browser.js("return document.querySelector('.leaf').checkVisibility()"), true);
    browser.debug("Emulation.setEmulatedMedia", &json!({"media": ""}));
}

#[test]
fn arrows_say_the_places_that_the_server_counted_and_stand_on_no_paper_and_no_official_result() {
    let (server, chief) = with_chief();
    namesakes(&chief);
    let anybody = Client::new(&server.base);
    let moved = || -> Vec<i64> {
        let sheet = anybody.get("/api/v1/events/e1/standings").ok();
        let lines = sheet["standings"].as_array().unwrap();
        lines.iter().filter_map(|line| line["moved"].as_i64()).filter(|moved| *moved != 0).collect()
    };
    // The first board after which somebody has moved.
    let mut last = 1;
    played(&server, |board| board == 1);
    while moved().is_empty() && last < 7 {
        last += 1;
        played(&server, |board| board == last);
    }
    let wanted = moved();
    assert!(!wanted.is_empty(), "nobody has moved in seven boards");
    let Some(browser) = Browser::open(&server.base) else { return };
    let arrows = "[...document.querySelectorAll('.move [aria-hidden]')].map((one) => \
                  (one.textContent[0] === '▲' ? 1 : -1) * Number(one.textContent.slice(1)))";
    for path in ["/events/e1", "/events/e1/projector"] {
        // Whenever the page is opened: nothing is kept in the tab.
        browser.go(&format!("{path}?lang=zh-CN"));
        browser.wait(&format!("{arrows}.join() === '{}'", join(&wanted)));
    }
    browser.go("/events/e1");
    browser.wait("document.querySelector('.move')");
    browser.debug("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    assert_eq!(
        browser.js("return [...document.querySelectorAll('.move')].some((one) => one.checkVisibility())"),
        false
    );
    browser.debug("Emulation.setEmulatedMedia", &json!({"media": ""}));
    played(&server, |board| board > last);
    publish(&chief, "official");
    for path in ["/events/e1", "/events/e1/projector", "/events/e1/sheet"] {
        browser.go(path);
        browser.wait("document.querySelectorAll('#sheet tbody tr').length === 6");
        assert_eq!(browser.js("return document.querySelectorAll('.move').length"), 0, "{path}");
    }
}

fn join(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

#[test]
fn organizers_are_shown_what_everybody_sees_and_the_desks_own_view_says_what_it_is() {
    let (server, chief) = with_chief();
    namesakes(&chief);
    played(&server, |board| board == 1);
    play_game::<Wakeng>(&server, "e1", true, |sitting| sitting.board == 2 && sitting.table == 1);
    let Some(browser) = Browser::open(&server.base) else { return };
    log_in(&browser, "chief");
    browser.go("/events/e1");
    let counted = |count: u32| format!("document.querySelector('#counted').innerText.includes('{count} 副')");
    browser.wait(&counted(1));
    browser.check_everywhere("view-public");
    browser.click("#to-desk-view");
    browser.wait(&counted(2));
    assert!(browser.text("#desk-view").contains("请勿投"), "{}", browser.text("#desk-view"));
    browser.check_everywhere("view-desk");
    // On paper, too; and from page to page, until the public view is asked for.
    browser.debug("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    assert_eq!(browser.js("return document.querySelector('#desk-view').checkVisibility()"), true);
    browser.shot("print-desk-view");
    browser.debug("Emulation.setEmulatedMedia", &json!({"media": ""}));
    browser.click(".tabs a[href*='/cross-tab']");
    browser.wait("document.querySelector('.crosstab') && document.querySelector('#desk-view')");
    browser.click(".crosstab tbody th a");
    browser.wait("document.querySelector('.card-sheet') && document.querySelector('#desk-view')");
    browser.click("#desk-view a");
    browser.wait("document.querySelector('#to-desk-view')");
    assert!(!browser.path().contains("view=desk"), "{}", browser.path());
    // While standings are frozen an organizer sees so, and the desk's view only when asked for.
    chief.put("/api/v1/events/e1/freeze", &json!({"frozen": true, "reason": "last round"})).ok();
    browser.go("/events/e1");
    assert!(browser.text("main").contains("排名暂时不公开"), "{}", browser.text("main"));
    browser.check("frozen, to an organizer");
    browser.click("#to-desk-view");
    browser.wait(&counted(2));
}

#[test]
fn a_replay_says_who_looked_into_the_hands_and_why() {
    let (server, chief) = with_chief();
    let more = json!({"format": "individual", "pace": "rounds", "boards": 6, "boards_per_round": 3,
                      "ai_delay_ms": 60_000, "late_s": 0});
    draft(&chief, "e1", &more);
    crate::web_events::enter(&chief, "e1", 6);
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e1/lock", &json!({})).ok();
    chief.post("/api/v1/events/e1/rounds/1/start", &json!({})).ok();
    let body = json!({"name": "referee", "display": "陈静", "password": crate::web_accounts::PASSWORD,
                      "grants": [{"role": "referee"}]});
    chief.post("/api/v1/accounts", &body).ok();
    let referee = crate::web_accounts::log_in(&Client::new(&server.base), "referee");
    let order = |order: &str, reason: &str| {
        referee.post("/api/v1/events/e1/tables/1/orders", &json!({"order": order, "reason": reason}))
    };
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while order("look", "有人说少一张牌").status != 200 {
        assert!(std::time::Instant::now() < until, "the table never opens");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let floor = referee.get("/api/v1/events/e1/floor").ok();
    let place = floor["places"].as_array().unwrap().iter().find(|place| place["table"] == 1).unwrap();
    let board = place["board"].clone();
    let path = format!("/api/v1/events/e1/boards/{board}");
    // A referee reads it in the board's file at once; nobody else does before the board is over everywhere.
    let file = referee.get(&format!("{path}/tables/1/file")).ok();
    assert_eq!(
        (&file["looks"][0]["name"], &file["looks"][0]["reason"]),
        (&json!("陈静"), &json!("有人说少一张牌"))
    );
    let anybody = Client::new(&server.base);
    assert_eq!(anybody.get(&path).code(), "sealed");
    chief.post("/api/v1/events/e1/finish", &json!({"reason": "the hall closes"})).ok();
    let sheet = anybody.get(&path).ok();
    let looks: Vec<&Value> = sheet["tables"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|table| table["looks"].as_array().unwrap())
        .collect();
    assert_eq!(looks.len(), 1, "{sheet}");
    assert_eq!((&looks[0]["by"], &looks[0]["reason"]), (&json!("referee"), &json!("有人说少一张牌")));
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go(&format!("/events/e1/boards/{board}/tables/1?lang=zh-CN"));
    browser.wait("!document.querySelector('#replay').hidden");
    let steps = browser.text("#steps");
    assert!(steps.contains("陈静") && steps.contains("有人说少一张牌"), "{steps}");
    browser.check_everywhere("replay-looked");
}
