//! What a player reads at the table: what has happened, what is at stake, why something cannot be played now, how much time
//! is left for calls, and what the clock did for somebody.

use fushi::desk::draft::Fields;
use fushi::event::live::Pace;
use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::tables::hall::{HallHandle, TableOrder};
use serde_json::{Value, json};

use super::Browser;
use super::play::{by_mouse, fields, opened, sit};
use crate::server::Inside;

/// A human-AI event in which nobody's time runs out, with these changes of the ruleset.
fn slow(base: &str, changes: &Value) -> Fields {
    let mut rules = json!({"base": base, "name": "slow"});
    let long = if base.starts_with("wakeng") {
        json!({"show_s": 600, "bid_s": 600, "double_s": 600, "play_s": 600})
    } else {
        json!({})
    };
    for more in [&long, changes] {
        for (key, value) in more.as_object().unwrap() {
            rules[key] = value.clone();
        }
    }
    Fields { rules: rules.as_object().cloned(), grace_ms: Some(0), ..fields("human-ai", 2, Pace::Own) }
}

fn seated(browser: &Browser, token: &str) {
    sit(browser, token, "");
    browser.click("#ready");
    browser.wait("!document.querySelector('#table').hidden");
}

/// Plays on until an expression of the page is true.
fn until(browser: &Browser, expression: &str) {
    for _ in 0..2000 {
        if browser.js(&format!("return Boolean({expression})")) == true {
            return;
        }
        assert!(!by_mouse(browser), "the board is over before {expression}");
    }
    panic!("never: {expression}\n{}", browser.text("main"));
}

const LOG: &str = "[...document.querySelectorAll('#side .log li')].map((line) => line.textContent)";
const MY_TURN: &str = "document.querySelector('#hint:not(:disabled)')";

fn log(browser: &Browser) -> Vec<String> {
    let lines = browser.js(&format!("return {LOG}"));
    lines.as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_has_happened_is_listed_again_after_a_reload_and_on_another_device_with_what_was_revealed() {
    let server = Inside::start();
    let tokens = opened::<Wakeng>(&server, slow("wakeng-bomb", &json!({})), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    seated(&browser, &tokens[0]);
    // The others have chosen; how, nobody may know before the last choice.
    browser.wait(&format!("{LOG}.filter((line) => line.includes('has chosen')).length === 2"));
    assert_eq!(log(&browser).len(), 2, "{:?}", log(&browser));
    browser.click("[data-act='show no']");
    // With the last choice every one of them is told.
    browser.wait(&format!("{LOG}.filter((line) => line.includes('show')).length >= 3"));
    until(&browser, MY_TURN);
    let stayed = log(&browser);
    assert!(stayed.len() > 7, "{stayed:?}");
    assert!(!stayed.iter().any(|line| line.contains("has chosen")), "{stayed:?}");
    browser.go("/play/live");
    browser.wait(MY_TURN);
    assert_eq!(log(&browser), stayed, "after a reload");
    // Until the board is over, then the next one: another device also has the own results.
    for _ in 0..2000 {
        if by_mouse(&browser) {
            break;
        }
    }
    let own = "document.querySelector('#side .own-boards tbody')";
    browser.wait(&format!("document.querySelector('#ready') && {own}"));
    let results = browser.text("#side .own-boards tbody");
    browser.click("#ready");
    until(&browser, MY_TURN);
    let stayed = log(&browser);
    let other = Browser::beside(&server.base).unwrap();
    sit(&other, &tokens[0], "");
    other.wait(MY_TURN);
    assert_eq!(log(&other), stayed, "on another device");
    assert_eq!(other.text("#side .own-boards tbody"), results, "the own results on another device");
}

#[test]
fn pairs_and_holdem_have_their_list_after_a_reload_too() {
    let server = Inside::start();
    let quick = json!({"draw_ms": 20, "call_window_s": 1});
    let tokens = opened::<Tuolaji>(&server, slow("zhuhai-2009", &quick), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    seated(&browser, &tokens[0]);
    until(&browser, "document.querySelector('#play-send') && document.querySelector('#side .trick-list')");
    until(&browser, MY_TURN);
    let stayed = log(&browser);
    assert!(stayed.iter().any(|line| line.contains("laid eight cards away")), "{stayed:?}");
    browser.go("/play/live");
    browser.wait(MY_TURN);
    assert_eq!(log(&browser), stayed, "tuolaji");
    let server = Inside::start();
    let patient = Fields { grace_ms: Some(0), ..fields("human-ai", 2, Pace::Own) };
    let tokens = opened::<Holdem>(&server, patient, 1, &[]);
    let browser = Browser::beside(&server.base).unwrap();
    seated(&browser, &tokens[0]);
    until(&browser, &format!("document.querySelector('[data-act=fold]') && {LOG}.length > 1"));
    let stayed = log(&browser);
    browser.go("/play/live");
    browser.wait("document.querySelector('[data-act=fold]')");
    assert_eq!(log(&browser), stayed, "hold'em");
}

fn ordered(server: &Inside, hall: &HallHandle, order: TableOrder) {
    server.app.runtime.block_on(hall.order(1, order, "r1")).unwrap();
}

fn refused(server: &Inside, hall: &HallHandle) -> u64 {
    let places = server.app.runtime.block_on(hall.floor());
    let handle = places.into_iter().find_map(|place| place.handle).expect("a table in play");
    server.app.runtime.block_on(handle.look()).unwrap().refused
}

#[test]
fn while_the_clock_stands_nothing_can_be_sent_and_the_page_says_why() {
    let server = Inside::start();
    let tokens = opened::<Wakeng>(&server, slow("wakeng-bomb", &json!({})), 1, &[]);
    let hall = server.app.halls.get("live").unwrap();
    let Some(browser) = Browser::open(&server.base) else { return };
    seated(&browser, &tokens[0]);
    let sends = "#actions [data-act], #play-send, #amount-send";
    let open = format!("[...document.querySelectorAll('{sends}')].some((button) => !button.disabled)");
    let stands = "document.querySelector('#prompt.stands')?.textContent.includes('stopped the clock')";
    browser.wait("document.querySelector(\"[data-act='show no']:not(:disabled)\")");
    ordered(&server, &hall, TableOrder::Stop);
    browser.wait(&format!("{stands} && !({open})"));
    browser.keys("n");
    assert!(browser.text("#refused").contains("stopped the clock"), "{}", browser.text("#refused"));
    ordered(&server, &hall, TableOrder::Go);
    browser.wait(&open);
    until(&browser, MY_TURN);
    browser.click("#hint");
    browser.wait("!document.querySelector('#play-send').disabled");
    // A table may stand because the whole event does.
    server.app.runtime.block_on(hall.pause(true, "r1"));
    browser.wait(&format!("{stands} && !({open})"));
    // A reload shows the same.
    browser.go("/play/live");
    browser.wait(&format!("{stands} && !({open})"));
    browser.check("stands");
    server.app.runtime.block_on(hall.pause(false, "r1"));
    browser.wait(&format!("!({stands})"));
    assert_eq!(refused(&server, &hall), 0, "nothing of it counts as refused");
}

#[test]
fn a_player_between_two_boards_is_told_that_the_event_stands() {
    let server = Inside::start();
    let tokens = opened::<Wakeng>(&server, slow("wakeng-bomb", &json!({})), 1, &[]);
    let hall = server.app.halls.get("live").unwrap();
    let Some(browser) = Browser::open(&server.base) else { return };
    sit(&browser, &tokens[0], "");
    server.app.runtime.block_on(hall.pause(true, "r1"));
    browser.wait("!document.querySelector('#ready')");
    assert!(browser.text("#waiting").contains("stopped play"), "{}", browser.text("#waiting"));
    server.app.runtime.block_on(hall.pause(false, "r1"));
    browser.click("#ready");
    browser.wait("!document.querySelector('#table').hidden");
}

#[test]
fn cards_that_cannot_be_played_say_why_and_the_play_to_beat_is_marked_with_who_led() {
    let server = Inside::start();
    let tokens = opened::<Wakeng>(&server, slow("wakeng-plain", &json!({})), 1, &[]);
    let hall = server.app.halls.get("live").unwrap();
    let Some(browser) = Browser::open(&server.base) else { return };
    seated(&browser, &tokens[0]);
    browser.wait("document.querySelectorAll('#hand .card').length >= 16");
    let follows = "document.querySelector('#pass') && document.querySelector('#hand .card.faded') \
                   && document.querySelector('.mark.beat')";
    until(&browser, follows);
    let marked = browser.js(
        "const seat = (css) => [...document.querySelectorAll(css)].map((one) => one.closest('.seat').dataset.seat);
         return [seat('.mark.led').length, seat('.mark.beat'), seat('.played.won')];",
    );
    assert_eq!(marked[0], 1, "{marked}");
    assert_eq!(marked[1], marked[2], "the highest play is that of the mark: {marked}");
    browser.click("#hand .card.faded");
    browser.wait("document.querySelector('#prompt.why')");
    let why = browser.text("#prompt");
    assert!(why.contains("does not beat") || why.contains("same type") || why.contains("cards"), "{why}");
    assert_eq!(browser.js("return document.querySelector('#play-send').disabled"), true);
    browser.check_everywhere("why");
    browser.click("#clear");
    browser.wait("!document.querySelector('#prompt.why')");
    assert_eq!(refused(&server, &hall), 0, "asking costs nothing");
}

#[test]
fn a_long_list_of_plays_is_judged_by_the_server_before_anything_is_sent() {
    let server = Inside::start();
    let quick = json!({"draw_ms": 20, "call_window_s": 1});
    let tokens = opened::<Tuolaji>(&server, slow("zhuhai-2009", &quick), 1, &[]);
    let hall = server.app.halls.get("live").unwrap();
    let Some(browser) = Browser::open(&server.base) else { return };
    seated(&browser, &tokens[0]);
    browser.wait("document.querySelector('.seat.own .mark.strong') && document.querySelector('#play-send')");
    // The banker lays eight cards away: of thirteen million ways the list names two hundred.
    browser.click("#hand .card");
    browser.wait("document.querySelector('#prompt.why')");
    assert_eq!(browser.js("return document.querySelector('#play-send').disabled"), true, "one card of eight");
    assert!(browser.text("#prompt").contains('8') || browser.text("#prompt").contains("eight"));
    browser.js("for (const card of [...document.querySelectorAll('#hand .card')].slice(1, 8)) card.click();");
    browser.wait("!document.querySelector('#play-send').disabled && !document.querySelector('#prompt.why')");
    assert!(browser.text("#play-send").contains("(8/8)"), "{}", browser.text("#play-send"));
    browser.click("#play-send");
    browser.wait("document.querySelectorAll('#hand .card').length === 25");
    assert_eq!(refused(&server, &hall), 0);
}

#[test]
fn what_raises_the_stake_says_by_how_much_and_is_not_the_highlighted_choice() {
    let server = Inside::start();
    let quiet = json!({"show_before_bid": true, "banker_show": false});
    let tokens = opened::<Wakeng>(&server, slow("wakeng-bomb", &quiet), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    seated(&browser, &tokens[0]);
    let choices = |act: &str| {
        browser.wait(&format!("document.querySelector(\"[data-act='{act}']\")"));
        browser.js(
            "return [...document.querySelectorAll('#actions [data-act]')].map((one) =>
             [one.dataset.act, one.classList.contains('quiet'), one.querySelector('.times')?.textContent.trim() ?? ''])",
        )
    };
    assert_eq!(choices("show no"), json!([["show no", false, ""], ["show yes", true, "×2"]]));
    browser.shot("stakes-show");
    browser.click("[data-act='show no']");
    let bids = choices("bid 0");
    assert_eq!(
        bids,
        json!([["bid 0", false, ""], ["bid 1", true, ""], ["bid 2", true, "×2"], ["bid 3", true, "×3"]])
    );
    browser.check("bids");
    // Whoever bids three digs: both defenders' stakes are at stake.
    browser.click("[data-act='bid 3']");
    assert_eq!(choices("double no"), json!([["double no", false, ""], ["double yes", true, "×2"]]));
    let factor =
        if log(&browser).iter().any(|line| line.contains("shows") && !line.contains("not")) { 2 } else { 1 };
    assert_eq!(browser.text(".at-stake").split(' ').next(), Some(format!("±{}", 6 * factor).as_str()));
    browser.click("[data-act='double yes']");
    browser.wait(
        "document.querySelector('.seat.own .mark') && document.querySelector('#play-send, .prompt.muted')",
    );
    let stake = browser.text(".at-stake");
    let stake: u32 = stake.trim_start_matches('±').split(' ').next().unwrap().parse().unwrap();
    assert!(stake >= 12 * factor && stake.is_multiple_of(6 * factor), "doubled: {stake}");
}

#[test]
fn the_own_choice_stands_in_its_own_words_while_others_choose() {
    let server = Inside::start();
    let thoughtful = Fields { ai_delay_ms: Some(5000), ..slow("wakeng-bomb", &json!({})) };
    let tokens = opened::<Wakeng>(&server, thoughtful, 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/?lang=zh-CN");
    seated(&browser, &tokens[0]);
    browser.click("[data-act='show no']");
    browser.wait("document.querySelector('.seat.own .said:not(.muted)')");
    assert_eq!(browser.text(".seat.own .said"), "不明牌");
}

#[test]
fn whoever_was_timed_out_is_told_and_the_list_says_so() {
    let server = Inside::start();
    let tokens = opened::<Wakeng>(&server, slow("wakeng-bomb", &json!({"show_s": 2})), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/?lang=zh-CN");
    seated(&browser, &tokens[0]);
    browser.wait("document.querySelector('#toasts .toast')");
    let toast = browser.text("#toasts .toast span");
    assert!(toast.starts_with("超时，系统自动选择：") && toast.contains("不明牌"), "{toast}");
    assert!(
        log(&browser).iter().any(|line| line.contains("超时") && line.contains("不明牌")),
        "{:?}",
        log(&browser)
    );
    browser.shot("timed-out");
}

#[test]
fn the_time_for_calls_is_announced_and_counted_down() {
    let server = Inside::start();
    let window = json!({"draw_ms": 25, "call_window_s": 4});
    let tokens = opened::<Tuolaji>(&server, slow("zhuhai-2009", &window), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/?lang=zh-CN");
    sit(&browser, &tokens[0], "");
    browser.click("#ready");
    browser.wait("document.querySelector('.call-window')");
    let text = browser.text(".call-window");
    assert!(text.contains("摸到2即可叫主") && text.contains("4 秒"), "{text}");
    browser.shot("tuolaji-draw-zh");
    browser.wait("document.querySelector('.call-window.open .clock:not([hidden])')");
    browser.shot("tuolaji-window-zh");
    let digits = browser.text(".call-window .digits");
    assert!(["0:04", "0:03", "0:02", "0:01", "0:00"].contains(&digits.as_str()), "{digits}");
    browser.wait("!document.querySelector('.call-window')");
}

#[test]
fn first_hints_are_shown_until_they_are_put_away_on_this_device_in_three_languages() {
    let server = Inside::start();
    let tokens = opened::<Wakeng>(&server, slow("wakeng-bomb", &json!({})), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/?lang=en");
    sit(&browser, &tokens[0], "");
    for (lang, title) in
        [("en", "Your first time here?"), ("zh-CN", "第一次在这里打牌？"), ("zh-TW", "第一次在這裡打牌？")]
    {
        browser.go(&format!("/play/live?lang={lang}"));
        browser.wait("!document.querySelector('#start').hidden");
        assert_eq!(browser.text("#start h2"), title);
        browser.check("first hints");
    }
    browser.wait("document.querySelector('#ready')");
    browser.check_everywhere("first-hints");
    browser.click("#start-ok");
    browser.go("/play/live");
    browser.wait("document.querySelector('#ready')");
    assert_eq!(browser.js("return document.querySelector('#start').hidden"), true);
    browser.click("#tool-settings");
    browser.click("#start-again");
    browser.wait("!document.querySelector('#start').hidden");
}

#[test]
fn the_waiting_room_names_the_board_and_holdem_counts_hands() {
    let server = Inside::start();
    let tokens = opened::<Wakeng>(&server, slow("wakeng-bomb", &json!({})), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/?lang=zh-CN");
    sit(&browser, &tokens[0], "");
    assert_eq!(browser.text("#waiting h2"), "第 1 副");
    assert!(browser.text("#ready").starts_with("准备好了，开始"), "{}", browser.text("#ready"));
    let server = Inside::start();
    let tokens = opened::<Holdem>(&server, fields("human-ai", 2, Pace::Own), 1, &[]);
    let browser = Browser::beside(&server.base).unwrap();
    browser.go("/?lang=zh-CN");
    sit(&browser, &tokens[0], "");
    assert_eq!(browser.text("#waiting h2"), "第 1 手");
    browser.click("#ready");
    browser.wait("!document.querySelector('#table').hidden");
    for _ in 0..2000 {
        if by_mouse(&browser) {
            break;
        }
    }
    browser.wait("document.querySelector('#ready')");
    assert_eq!(browser.text("#waiting h2"), "第 2 手");
    assert!(browser.text("#ready").starts_with("准备好了，打下一手"), "{}", browser.text("#ready"));
    assert_eq!(browser.text("#result h2"), "第 1 手结束");
    assert!(!browser.text("#side").contains('副'), "{}", browser.text("#side"));
}

/// Names of four characters stand whole in one line beside each other, on a phone as well; longer ones take a second.
#[test]
fn names_are_whole_on_a_phone() {
    let server = Inside::start();
    let quick = json!({"draw_ms": 20, "call_window_s": 1});
    let tokens = opened::<Tuolaji>(&server, slow("zhuhai-2009", &quick), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/?lang=zh-CN");
    seated(&browser, &tokens[0]);
    until(&browser, MY_TURN);
    for (width, phone) in [(390, true), (820, false), (1440, false)] {
        browser.screen(width, 900, phone);
        let cut = browser.js(
            "const names = ['欧阳小明', '阿卜杜拉', 'Wilhelmina Featherstonehaugh'];
             const cut = [];
             document.querySelectorAll('#others .seat').forEach((seat, place) => {
                 const name = seat.querySelector('.name');
                 name.textContent = names[place];
                 const [own, box] = [name.getBoundingClientRect(), seat.getBoundingClientRect()];
                 const lines = Math.round(own.height / parseFloat(getComputedStyle(name).lineHeight));
                 if (name.scrollWidth > name.clientWidth + 1 || own.right > box.right || (place < 2 && lines > 1))
                     cut.push([names[place], lines, own.right, box.right]);
                 const clock = seat.querySelector('.clock:not([hidden])')?.getBoundingClientRect();
                 if (clock && clock.left < own.right && clock.bottom > own.top + 2 && clock.top < own.bottom)
                     cut.push([names[place], 'under the clock']);
             });
             return cut;",
        );
        assert_eq!(cut, json!([]), "at {width}");
        browser.shot(&format!("names-{width}"));
    }
}
