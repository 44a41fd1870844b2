//! Accounts, rulings, the venue and the log in a browser: a chief makes a referee, who rules although somebody else was
//! faster; a network is allowed; a device is paired and ended.

use serde_json::{Value, json};

use super::Browser;
use crate::server::Client;
use crate::web_accounts::{PASSWORD, somebody, with_chief};
use crate::web_events::{draft, enter, locked};
use crate::web_results::play;

fn log_in(browser: &Browser, name: &str, password: &str, lang: &str) {
    browser.go(&format!("/login?lang={lang}"));
    browser.write("#name", name);
    browser.write("#password", password);
    browser.click("form .button");
    browser.wait("location.pathname === '/desk' && document.querySelector('.who')");
}

fn log_out(browser: &Browser) {
    browser.click("[data-do=log-out]");
    browser.wait("location.pathname === '/' && !document.querySelector('.who')");
}

/// Looks at a page in Chinese and in English.
fn in_both(browser: &Browser, path: &str, ready: &str, name: &str) {
    for lang in ["en", "zh-CN"] {
        browser.go(&format!("{path}?lang={lang}"));
        browser.wait(ready);
        browser.check_everywhere(&format!("{name}-{lang}"));
    }
}

/// Sets a field as a person would who replaces what stands there.
fn set(browser: &Browser, css: &str, value: &str) {
    browser.js(&format!(
        "const field = document.querySelector({}); field.value = {}; \
         for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, {{ bubbles: true }}))",
        json!(css),
        json!(value)
    ));
}

fn standings(client: &Client) -> Value {
    client.get("/api/v1/events/e1/standings").ok()
}

/// The chief makes a referee with two clicks, and notes the password that is shown once.
fn makes_a_referee(browser: &Browser) -> String {
    log_in(browser, "chief", PASSWORD, "zh-CN");
    browser.click("main a[href='/desk/accounts']");
    browser.wait("document.querySelector('#no-referee')");
    in_both(browser, "/desk/accounts", "document.querySelector('[data-quick]')", "accounts-no-referee");
    browser.click("[data-quick]");
    browser.wait("document.querySelector('#add').open");
    browser.check_everywhere("accounts-add");
    browser.click("#add-form [type=submit]");
    browser.wait("document.querySelector('#made').open");
    browser.check_everywhere("accounts-made");
    assert_eq!(browser.text("#made-name"), "referee");
    let password = browser.text("#made-password");
    browser.click("#made [type=submit]");
    browser
        .wait("document.querySelectorAll('.account').length === 2 && !document.querySelector('#no-referee')");
    password
}

#[test]
fn a_chief_makes_a_referee_who_rules_although_somebody_was_faster_and_the_standings_change() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 5, &json!({"title": "春季赛"}));
    play(&server, "e1", |sitting| sitting.board <= 6);
    let anybody = Client::new(&server.base);
    let before = standings(&anybody);
    let Some(browser) = Browser::open(&server.base) else { return };
    let password = makes_a_referee(&browser);
    // An organizer reads rulings and is told who makes them.
    browser.go("/desk/e1/rulings");
    browser.wait("document.querySelector('#made .empty')");
    browser.check_everywhere("rulings-organizer");
    log_out(&browser);
    log_in(&browser, "referee", &password, "zh-CN");
    // From the replay of a board to the ruling on it.
    browser.go("/events/e1/boards/2/tables/1");
    browser.wait("!document.querySelector('#replay').hidden");
    browser.click("a[href*='/rulings?board=2']");
    browser.wait("document.querySelector('#board').value === '2' && document.querySelector('#entrant').options.length === 5");
    browser.check_everywhere("rulings-form-zh-CN");
    browser.click("#look");
    browser.wait("!document.querySelector('#fault').hidden");
    assert!(browser.text("#fault").contains("数字"), "{}", browser.text("#fault"));
    browser.check("what is missing is said");
    set(&browser, "#score", "－9");
    browser.write("#reason", "看到了别人的牌");
    browser.click("#look");
    browser.wait("document.querySelector('#radius').open && document.querySelector('#radius-body table')");
    browser.check_everywhere("rulings-radius-zh-CN");
    assert_eq!(standings(&anybody), before, "looking changes nothing");
    // Another referee rules in the meantime.
    let other = somebody(&server, &chief, "chief-referee");
    let faster = json!({"number": 1, "reason": "迟到", "decision": {"penalty": {"board": 1, "entrant": "e002", "amount": {"of-top": "1/10"}}}});
    other.post("/api/v1/events/e1/rulings", &faster).ok();
    browser.click("#confirm");
    browser.wait("!document.querySelector('#radius-conflict').hidden");
    assert!(browser.text("#radius-conflict").contains("chief-referee"), "{}", browser.text("#radius"));
    // The browser itself writes the status of a refusal into its console.
    browser.console();
    browser.check_everywhere("rulings-conflict");
    browser.click("#confirm");
    browser.wait(
        "document.querySelectorAll('.ruling').length === 2 && document.querySelector('#notices .notice')",
    );
    assert!(browser.text(".ruling").contains("第 2 副"), "{}", browser.text("#made"));
    let after = standings(&anybody);
    assert_ne!(after, before);
    browser.check_everywhere("rulings-made-zh-CN");
    // What was ruled is withdrawn by a later ruling, which is looked at first, too.
    browser.click("[data-withdraw='2']");
    browser.wait("document.querySelector('#withdraw').open");
    browser.check_everywhere("rulings-withdraw");
    browser.write("#withdraw-why", "申诉成立");
    browser.click("#withdraw [type=submit]");
    browser.wait("document.querySelector('#radius').open");
    browser.click("#confirm");
    browser.wait("document.querySelectorAll('.ruling').length === 3 && document.querySelectorAll('.ruling.gone').length === 1");
    assert_ne!(standings(&anybody), after);
    browser.go("/desk/e1/rulings?lang=en");
    browser.wait("document.querySelectorAll('.ruling').length === 3");
    every_kind(&browser);
    let log = chief.get("/api/v1/events/e1/audit?limit=500").ok().to_string();
    assert_eq!(log.matches("\"act\":\"rule\"").count(), 3, "{log}");
}

/// Every kind of ruling can be looked at; none of these is made.
fn every_kind(browser: &Browser) {
    set(browser, "#reason", "a test of every kind");
    for (kind, prepare) in [
        ("status", &[("#status", "A-")][..]),
        ("weighted", &[("#weight-1", "60"), ("#score-1", "6"), ("#weight-2", "40"), ("#score-2", "-3")]),
        ("penalty", &[("#amount", "12.5")]),
        ("void", &[]),
        ("standing", &[("#standing", "disqualified")]),
    ] {
        browser.click(&format!("label:has([name=kind][value={kind}])"));
        for (css, value) in prepare {
            set(browser, css, value);
        }
        browser.check_everywhere(&format!("rulings-{kind}-en"));
        browser.click("#look");
        browser.wait("document.querySelector('#radius').open");
        browser.check(&format!("the radius of {kind}"));
        browser.click("#radius [data-close]");
    }
    set(browser, "#weight-2", "41");
    browser.click("label:has([name=kind][value=weighted])");
    browser.click("#look");
    browser.wait("document.querySelector('#fault').innerText.includes('100 %')");
}

#[test]
fn accounts_are_changed_closed_and_opened_and_everybody_changes_the_own_password() {
    let (server, chief) = with_chief();
    draft(&chief, "e1", &json!({}));
    somebody(&server, &chief, "organizer");
    let deputy = somebody(&server, &chief, "chief-referee");
    let Some(browser) = Browser::open(&server.base) else { return };
    log_in(&browser, "chief", PASSWORD, "en");
    in_both(&browser, "/desk/accounts", "document.querySelectorAll('.account').length === 3", "accounts");
    browser.go("/desk/accounts?lang=en");
    browser.click("[data-name=organizer] [data-do-account=roles]");
    browser.click("#grant-more");
    browser.js("const rows = document.querySelectorAll('#grants .grant'); rows[1].querySelector('[data-event]').value = 'e1'");
    browser.check_everywhere("accounts-roles");
    browser.click("#roles [type=submit]");
    browser.wait("document.querySelector('[data-name=organizer] .account-roles').innerText.includes('Referee · 周末赛')");
    // Whatever ends something says so, and is done at once.
    browser.click("[data-name=chief-referee] [data-do-account=sessions]");
    browser.check("ending sessions");
    browser.click("#sessions-end [type=submit]");
    // The notice of the roles may still stand there.
    browser.wait("document.querySelector('#notices').textContent.includes('chief-referee')");
    assert_eq!(deputy.get("/api/v1/session").code(), "bad_credentials");
    browser.click("[data-name=organizer] [data-do-account=close]");
    browser.click("#close [type=submit]");
    browser.wait("document.querySelector('.account.closed')");
    browser.click("[data-name=organizer] [data-do-account=open]");
    browser.click("#open [type=submit]");
    browser.wait("!document.querySelector('.account.closed')");
    browser.click("[data-name=organizer] [data-do-account=password]");
    browser.click("#password-reset [type=submit]");
    browser.wait("document.querySelector('#made').open");
    let made = browser.text("#made-password");
    let login = json!({"name": "organizer", "password": made});
    Client::new(&server.base).post("/api/v1/session", &login).ok();
    browser.click("#made [type=submit]");
    browser.wait("!document.querySelector('#made').open");
    // The last chief stays one, and is told why.
    browser.click("[data-name=chief] [data-do-account=roles]");
    browser.click("#grants [data-less]");
    browser.click("#roles [type=submit]");
    browser.wait("!document.querySelector('#roles [role=alert]').hidden");
    assert!(browser.text("#roles").contains("last chief organizer"), "{}", browser.text("#roles"));
    browser.console();
    browser.click("#roles [data-close]");
    log_out(&browser);
    // A chief referee appoints; an organizer has but the own account.
    log_in(&browser, "chief-referee", PASSWORD, "zh-CN");
    browser.go("/desk/accounts");
    browser.wait("document.querySelector('[data-do-account=appoint]')");
    browser.check_everywhere("accounts-appoint");
    browser.click("[data-name=organizer] [data-do-account=appoint]");
    browser.click("#appoint [type=submit]");
    browser
        .wait("document.querySelector('[data-name=organizer] .account-roles').innerText.includes('裁判员 ')");
    log_out(&browser);
    log_in(&browser, "organizer", &made, "zh-CN");
    browser.click(".who");
    browser.wait("location.pathname === '/desk/accounts'");
    assert_eq!(browser.js("return document.querySelectorAll('.account').length"), 0);
    browser.click("#sessions-box summary");
    browser.wait("document.querySelector('#sessions li')");
    browser.click("details:has(#password) summary");
    browser.check_everywhere("accounts-own");
    browser.write("#old", &made);
    browser.write("#new", "a new long password");
    browser.write("#again", "another password");
    browser.click("#password [type=submit]");
    browser.wait("!document.querySelector('#password [role=alert]').hidden");
    set(&browser, "#again", "a new long password");
    browser.click("#password [type=submit]");
    browser.wait("location.pathname === '/login' && document.querySelector('#notices .notice')");
    log_in(&browser, "organizer", "a new long password", "zh-CN");
}

#[test]
fn a_network_is_allowed_with_one_click_and_a_device_is_paired_and_ended() {
    let (server, chief) = with_chief();
    locked(
        &chief,
        "e1",
        4,
        &json!({"format": "individual", "pace": "rounds", "boards": 6, "boards_per_round": 3}),
    );
    let Some(browser) = Browser::open(&server.base) else { return };
    log_in(&browser, "chief", PASSWORD, "zh-CN");
    in_both(&browser, "/desk/e1/venue", "document.querySelector('#network')", "venue-empty");
    browser.click("[data-add-network]");
    browser.wait("document.querySelector('#set').open");
    browser.check_everywhere("venue-ask");
    browser.click("#set [type=submit]");
    browser.wait("document.querySelectorAll('#networks li').length === 1");
    assert_eq!(chief.get("/api/v1/events/e1/networks").ok()["networks"], json!(["127.0.0.0/8"]));
    browser.write("#add", "10.0.0.7/8");
    browser.click("#network [type=submit]");
    browser.wait("document.querySelector('#set').open");
    browser.click("#set [type=submit]");
    browser.wait("!document.querySelector('#set [role=alert]').hidden");
    browser.console();
    browser.check("a network that is none");
    browser.click("#set [data-close]");
    // A device scans its code, and is known.
    browser.write("#device-name", "平板 1");
    set(&browser, "#device-table", "1");
    browser.js("document.querySelector('#device-seat').value = 'A'");
    browser.click("#device [type=submit]");
    browser.wait("document.querySelectorAll('#cards .qr').length === 1");
    browser.check_everywhere("venue-paired");
    let address = browser.text("#cards code");
    browser.click("[data-again]");
    browser.wait("document.querySelectorAll('#devices li').length === 1");
    let Some(tablet) = Some(Browser::beside(&server.base)).flatten() else { return };
    tablet.go(address.strip_prefix(&server.base).unwrap());
    tablet.wait("document.querySelector('#notices .notice')");
    let token = tablet.js("return localStorage.getItem('fushi.device.e1')");
    let codes = chief.post("/api/v1/events/e1/seat-codes", &json!({"entrants": ["e001", "e002"]})).ok();
    let take = |at: usize, device: &Value| {
        let mut body = json!({"code": codes["items"][at]["code"]});
        if device.is_string() {
            body["device"] = device.clone();
        }
        Client::new(&server.base).post("/api/v1/events/e1/seat", &body)
    };
    assert_eq!(take(1, &Value::Null).code(), "bad_credentials", "other devices are shut out");
    take(0, &token).ok();
    // Many at once, then one is ended.
    browser.click("details:has(#many) summary");
    set(&browser, "#to", "2");
    browser.click("#many [type=submit]");
    browser.wait_for("document.querySelectorAll('#cards .qr').length === 6", 30);
    browser.check_everywhere("venue-many");
    browser.click("[data-again]");
    browser.wait("document.querySelectorAll('#devices li').length === 7");
    in_both(&browser, "/desk/e1/venue", "document.querySelectorAll('#devices li').length === 7", "venue");
    browser.click("[data-name='平板 1']");
    browser.wait("document.querySelector('#end').open");
    browser.check_everywhere("venue-end");
    browser.click("#end [type=submit]");
    browser.wait("document.querySelectorAll('#devices li').length === 6");
    assert_eq!(take(1, &token).code(), "bad_credentials", "an ended device counts no more");
    browser.click("[data-network]");
    browser.click("#set [type=submit]");
    browser.wait("document.querySelectorAll('#networks li').length === 0");
    // The log says it all, and is filtered.
    in_both(&browser, "/desk/e1/audit", "document.querySelectorAll('.act').length > 5", "audit");
    set(&browser, "#act", "enrol-device");
    browser.wait("document.querySelectorAll('.act').length === 7");
    set(&browser, "#find", "平板");
    browser.wait("document.querySelectorAll('.act').length === 1");
    browser.click(".act summary");
    browser.check_everywhere("audit-one");
}

#[test]
fn scoring_is_chosen_by_name_and_rules_and_computers_have_names_everywhere() {
    let (server, chief) = with_chief();
    draft(&chief, "e1", &json!({"title": "春季赛", "language": "zh-CN"}));
    let Some(browser) = Browser::open(&server.base) else { return };
    log_in(&browser, "chief", PASSWORD, "zh-CN");
    browser.go("/desk/e1/settings");
    browser.wait_for("document.querySelector('#preview table')", 30);
    let settings = browser.text("#settings");
    for name in ["炸弹规则", "电脑选手 2（较强）", "得分率"] {
        assert!(settings.contains(name), "{name}: {settings}");
    }
    browser.click(".scoring summary");
    browser.check_everywhere("scoring-score-rate");
    browser.click("label:has([name=scoring_method][value=butler])");
    set(&browser, "#scoring_imp_scale", "20");
    set(&browser, "#scoring_rounding", "0");
    set(&browser, "#scoring_tie_2", "raw-sum");
    set(&browser, "#scoring_tie_1", "");
    set(&browser, "#scoring_tie_3", "");
    set(&browser, "#scoring_award_imps", "2.5");
    browser.check_everywhere("scoring-butler");
    let saved = || chief.get("/api/v1/events/e1").ok()["scoring"].clone();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while saved()["awards"]["imps"] != "5/2" && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let rules = saved();
    assert_eq!(
        (rules["method"].as_str(), rules["imp_table"]["scale"].as_str()),
        (Some("butler"), Some("20"))
    );
    assert_eq!(rules["tie_break"], json!(["average", "raw-sum"]));
    assert_eq!((&rules["butler"]["datum_rounding"], &rules["awards"]["plus"]), (&Value::Null, &json!("3/5")));
    // What cannot be is refused in words.
    set(&browser, "#scoring_imp_scale", "0");
    browser.wait("!document.querySelector('#settings [role=alert]').hidden");
    browser.console();
    browser.check("a scale of nothing");
    set(&browser, "#scoring_imp_scale", "20");
    browser.wait("document.querySelector('#settings [role=alert]').hidden");
    in_both(&browser, "/desk/e1/settings", "document.querySelector('#preview table')", "settings");
    browser.go("/desk/e1/entries?lang=zh-CN");
    assert!(browser.text("#level").contains("电脑选手 1（较快）"), "{}", browser.text("#level"));
    enter(&chief, "e1", 2);
    chief.post("/api/v1/events/e1/announcement", &json!({})).ok();
    browser.go("/desk/e1/checkin");
    assert!(browser.text("main").contains("炸弹规则"), "{}", browser.text("main"));
    // Announced: it can be read and no longer changed; spectators read it in words, too.
    browser.go("/desk/e1/settings");
    browser.wait("document.querySelector('#scoring-now').innerText === '巴特勒'");
    assert_eq!(
        browser.js("return document.querySelectorAll('.scoring :is(input, select):not(:disabled)').length"),
        0
    );
    browser.go("/events/e1");
    assert!(browser.text("main").contains("巴特勒") && browser.text("main").contains("炸弹规则"));
    in_both(&browser, "/events/e1", "document.querySelector('.event-facts')", "event-announced");
}
