//! The table as players see it: whole boards of every game by mouse, by keyboard and by finger, a reload in the middle,
//! two windows for one seat, a server that goes away, in both languages.

use fushi::desk::draft::Fields;
use fushi::desk::people::{People as _, SeatKind, SeatToken};
use fushi::desk::stage::{Staging, stage};
use fushi::event::live::Pace;
use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::players::Levels;
use serde_json::{Value, json};

use super::{Browser, ENTER, ESCAPE, RIGHT};
use crate::server::Inside;

pub(super) fn fields(format: &str, boards: u32, pace: Pace) -> Fields {
    Fields {
        title: Some("晚场 Evening".to_owned()),
        format: Some(format.to_owned()),
        boards: Some(boards),
        boards_per_round: Some(boards),
        pace: Some(pace),
        ai_delay_ms: Some(0),
        between_s: Some(600),
        late_s: Some(600),
        ..Fields::default()
    }
}

/// Stages an event, opens its first round, and answers the tokens of its persons.
pub(super) fn opened<G: Levels>(
    server: &Inside,
    fields: Fields,
    persons: u32,
    programs: &[&str],
) -> Vec<String> {
    let app = &server.app;
    let staging = Staging { id: "live", fields, persons, programs, seed: [9; 32] };
    let now = 1_800_000_000_000_000;
    let event =
        stage::<G>(app.store.as_ref(), app.halls.logs(), &staging, &app.secret.sealing(), now, "test")
            .unwrap();
    let mut tokens = Vec::new();
    for entrant in event.entrants.iter().filter(|entrant| entrant.level.is_none()) {
        let token = format!("fp_token-{}", entrant.id);
        let row =
            SeatToken { kind: SeatKind::Person, ..SeatToken::for_program(&token, &event.id, &entrant.id, 0) };
        app.store.add_seat_tokens(vec![row], event.act(0, "test", "seat-token", "")).unwrap();
        tokens.push(token);
    }
    let hall = app.halls.open("live").unwrap();
    app.runtime.block_on(hall.start(1, "o1")).unwrap();
    tokens
}

/// Opens the table, past the rules, up to the point where the player says that it is ready.
pub(super) fn sit(browser: &Browser, token: &str, more: &str) {
    browser.go(&format!("/play/live{more}#token={token}"));
    browser.wait("!document.querySelector('#rules').hidden");
    browser.click("#accept");
    browser.wait("document.querySelector('#connection').dataset.state === 'on'");
    browser.wait("document.querySelector('#ready') || !document.querySelector('#table').hidden");
}

/// What can be done now: `over`, `ready`, `play`, `pass`, `choice`, or nothing.
fn offered(browser: &Browser) -> String {
    let word = browser.js("const at = (css) => document.querySelector(css);
         if (!at('#result').hidden) return 'over';
         if (at('#ready')) return 'ready';
         if (at('#hint:not(:disabled)')) return 'play';
         if (at('#pass:not(:disabled)')) return 'pass';
         if (at('#actions [data-act]:not(:disabled)')) return 'choice';
         return '';");
    word.as_str().unwrap().to_owned()
}

/// Does one thing with the mouse. Answers whether the board is over.
pub(super) fn by_mouse(browser: &Browser) -> bool {
    let fresh =
        |css: &str| browser.js(&format!("return Boolean(document.querySelector({}))", json!(css))) == true;
    match offered(browser).as_str() {
        "over" => return true,
        "ready" => browser.click("#ready"),
        "play" => {
            browser.click("#hint");
            browser.click("#play-send");
        }
        "pass" => browser.click("#pass"),
        "choice" => {
            let calm = "#actions [data-act='check'], #actions [data-act='call'], #actions [data-act$=' no'], \
                        #actions [data-act='bid 2']:not(:disabled), #actions [data-act='bid 0']:not(:disabled), \
                        #actions [data-act^='choose']";
            // A call of trump is never a must.
            if fresh(calm) {
                browser.click(calm);
            }
        }
        _ => std::thread::sleep(std::time::Duration::from_millis(30)),
    }
    false
}

/// Does one thing with the keyboard alone.
fn by_keyboard(browser: &Browser) -> bool {
    match offered(browser).as_str() {
        "over" => return true,
        "ready" => browser.keys("r"),
        "play" => browser.keys(&format!("h{ENTER}")),
        "pass" => browser.keys("p"),
        "choice" => browser.keys("n0"),
        _ => std::thread::sleep(std::time::Duration::from_millis(30)),
    }
    false
}

fn plays_on(browser: &Browser, step: fn(&Browser) -> bool, steps: usize) {
    for _ in 0..steps {
        if step(browser) {
            return;
        }
    }
    panic!("the board does not end: {}", browser.text("main"));
}

#[test]
fn two_people_and_an_ai_play_a_board_one_by_mouse_with_a_reload_one_by_keyboard() {
    let server = Inside::start();
    let tokens = opened::<Wakeng>(&server, fields("individual", 3, Pace::Rounds), 2, &["wakeng-1"]);
    let Some(mouse) = Browser::open(&server.base) else { return };
    let keyboard = Browser::beside(&server.base).unwrap();
    mouse.go(&format!("/play/live#token={}", tokens[0]));
    mouse.wait("!document.querySelector('#rules').hidden");
    assert!(!mouse.path().contains("token"), "the token leaves the address bar");
    mouse.check_everywhere("wakeng-rules");
    sit(&mouse, &tokens[0], "");
    sit(&keyboard, &tokens[1], "");
    let mut reloaded = false;
    let (mut first, mut second) = (false, false);
    for turn in 0..3000 {
        first = first || by_mouse(&mouse);
        second = second || by_keyboard(&keyboard);
        let playing = mouse.js("return Boolean(document.querySelector('#hint'))") == true;
        if playing && !reloaded {
            reloaded = true;
            mouse.check_everywhere("wakeng-play");
            mouse.go("/play/live");
            mouse.wait("!document.querySelector('#table').hidden");
            assert!(
                mouse.js("return document.querySelector('#rules').hidden") == true,
                "rules are asked for once"
            );
        }
        if first && second {
            break;
        }
        assert!(turn < 2999, "the board does not end: {}", mouse.text("main"));
    }
    assert!(reloaded);
    for browser in [&mouse, &keyboard] {
        assert!(browser.text("#result").contains("Your score"), "{}", browser.text("#result"));
        browser.wait("document.querySelector('#ready')");
        browser.check("after the board");
    }
    mouse.check_everywhere("wakeng-result");
    // Both say that they are ready: the next board opens.
    mouse.click("#ready");
    keyboard.keys("r");
    mouse.wait("document.querySelector('#result').hidden && !document.querySelector('#table').hidden");
    keyboard.check("next board");
}

#[test]
fn a_phone_in_chinese_plays_with_the_finger() {
    let server = Inside::start();
    let tokens = opened::<Wakeng>(&server, fields("human-ai", 2, Pace::Own), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.screen(390, 844, true);
    browser.go("/?lang=zh-CN");
    sit(&browser, &tokens[0], "");
    browser.check("zh-ready");
    let mut looked = false;
    for _ in 0..2000 {
        if !looked && browser.js("return Boolean(document.querySelector('#hint:not(:disabled)'))") == true {
            looked = true;
            assert!(browser.text("#actions").contains("出牌"), "{}", browser.text("#actions"));
            assert!(
                browser.text(".seat .name").starts_with("电脑选手 "),
                "a level in words: {}",
                browser.text(".seat")
            );
            let named = browser.js("return document.querySelector('#hand .card').getAttribute('aria-label')");
            assert!(
                ["黑桃", "红心", "方块", "梅花"].iter().any(|suit| named.as_str().unwrap().starts_with(suit))
            );
            browser.check_everywhere("zh-wakeng-play");
            browser.screen(844, 390, true);
            browser.shot("zh-wakeng-landscape");
            browser.check("zh-landscape");
            browser.screen(390, 844, true);
            choices_are_kept(&browser);
        }
        if by_mouse(&browser) {
            break;
        }
    }
    assert!(looked && browser.text("#result").contains("您的得分"), "{}", browser.text("main"));
    browser.check_everywhere("zh-wakeng-result");
}

/// Sweeping chooses several cards, escape puts them back, arrows and blanks work, what is not legal says so.
fn choices_are_kept(browser: &Browser) {
    let chosen = || {
        browser.js("return document.querySelectorAll('#hand [aria-pressed=true]').length").as_u64().unwrap()
    };
    browser.keys(ESCAPE);
    assert_eq!(chosen(), 0);
    browser.click("#hint");
    let hinted = chosen();
    assert!(hinted > 0);
    browser.click("#clear");
    assert_eq!(chosen(), 0);
    browser.js("document.querySelector('#hand [tabindex=\"0\"]').focus()");
    browser.keys(&format!("{RIGHT}{RIGHT}"));
    let at =
        browser.js("return [...document.querySelectorAll('#hand .card')].indexOf(document.activeElement)");
    assert!(at.as_i64() >= Some(1), "{at}");
    let first = "#hand .card:not(.faded)";
    browser.drag(first, first);
    assert_eq!(chosen(), 1, "a drag on one card is a tap");
    browser.keys(ESCAPE);
    assert_eq!(chosen(), 0);
}

#[test]
fn tuolaji_is_played_to_the_end_by_clicking_hints() {
    let server = Inside::start();
    let quick = json!({"base": "zhuhai-2009", "name": "quick", "draw_ms": 20, "call_window_s": 1});
    let fields = Fields { rules: quick.as_object().cloned(), ..fields("human-ai", 2, Pace::Own) };
    let tokens = opened::<Tuolaji>(&server, fields, 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    sit(&browser, &tokens[0], "");
    browser.click("#ready");
    browser.wait("document.querySelectorAll('#hand .card').length > 8");
    browser.check_everywhere("tuolaji-draw");
    browser.wait("document.querySelector('#hint:not(:disabled)')");
    browser.check_everywhere("tuolaji-play");
    // Any eight cards may be laid away: a sweep over the hand chooses what it passes.
    assert!(browser.text("#actions").contains("Lay away (0/8)"), "{}", browser.text("#actions"));
    // Which suit is trumps, and so how long each row is, depends on who called first.
    let row = "#hand .suit-row:has(.card:nth-child(4)) .card";
    browser.drag(row, &format!("{row}:nth-child(4)"));
    assert!(browser.text("#play-send").contains("(4/8)"), "{}", browser.text("#play-send"));
    browser.click("#clear");
    plays_on(&browser, by_mouse, 2500);
    browser.check_everywhere("tuolaji-result");
    assert!(browser.text("#result").contains("The defenders have"), "{}", browser.text("#result"));
}

#[test]
fn holdem_is_played_to_the_end_and_amounts_stay_within_their_bounds() {
    let server = Inside::start();
    let tokens = opened::<Holdem>(&server, fields("human-ai", 3, Pace::Own), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    sit(&browser, &tokens[0], "");
    browser.click("#ready");
    browser.wait("document.querySelector('#amount') || !document.querySelector('#result').hidden");
    if browser.js("return Boolean(document.querySelector('#amount'))") == true {
        browser.check_everywhere("holdem-turn");
        browser.js("const field = document.querySelector('#amount'); field.value = '999999999';
             field.dispatchEvent(new Event('input')); field.dispatchEvent(new Event('change'));");
        let bounds = browser.js("const f = document.querySelector('#amount'); return [f.value, f.max]");
        assert_eq!(bounds[0], bounds[1], "{bounds}");
        browser.click(".presets .button");
        browser.click("#amount-send");
    }
    plays_on(&browser, by_mouse, 1500);
    browser.check_everywhere("holdem-result");
    assert!(browser.text("#result").contains("Your score"));
}

#[test]
fn r4_a_second_window_takes_the_seat_and_a_broken_connection_comes_back_by_itself() {
    let server = Inside::start();
    let tokens = opened::<Wakeng>(&server, fields("human-ai", 2, Pace::Own), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    sit(&browser, &tokens[0], "");
    browser.click("#ready");
    browser.wait(
        "!document.querySelector('#table').hidden && document.querySelectorAll('#hand .card').length >= 16",
    );
    let hand = browser.text("#hand");
    // The network goes away: sockets end, and new ones come to nothing.
    browser.js("window.realSocket = window.WebSocket;
         window.WebSocket = class extends EventTarget {
             constructor() { super(); setTimeout(() => this.dispatchEvent(new Event('close')), 30); }
             close() {}
         };
         window.dispatchEvent(new Event('offline'))");
    browser.wait("document.querySelector('#connection').dataset.state === 'lost'");
    assert!(browser.text("#banner").contains("comes back by itself"), "{}", browser.text("#banner"));
    browser.shot("lost");
    browser.js("window.WebSocket = window.realSocket; window.dispatchEvent(new Event('online'))");
    browser.wait("document.querySelector('#connection').dataset.state === 'on'");
    assert_eq!(browser.text("#hand"), hand);
    browser.console();
    let other = Browser::beside(&server.base).unwrap();
    sit(&other, &tokens[0], "");
    browser.wait("document.querySelector('#retake')");
    browser.check("replaced");
    browser.click("#retake");
    browser.wait("document.querySelector('#connection').dataset.state === 'on'");
    other.wait("document.querySelector('#retake')");
    // The referee is called in words, and the sheets open and close.
    browser.click("#tool-call");
    browser.write("#call-text", "我多抓了一张牌 one card too many");
    browser.check("call sheet");
    browser.click("#call-send");
    browser.wait("document.querySelector('#toasts').textContent.includes('No referee has seen it yet')");
    browser.click(".toast-close");
    browser.wait("document.querySelector('#toasts').textContent === ''");
    browser.keys("?");
    browser.wait("document.querySelector('#keys').open");
    browser.check("keys sheet");
    browser.keys(ESCAPE);
    browser.click("#tool-settings");
    browser.click("#set-four");
    browser.check("settings sheet");
    browser.click("#settings-close");
    assert_eq!(browser.js("return document.body.classList.contains('four-colours')"), true);
}

#[test]
fn a_seat_that_is_no_more_says_where_to_get_another() {
    let server = Inside::start();
    opened::<Wakeng>(&server, fields("human-ai", 2, Pace::Own), 1, &[]);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/play/live");
    browser.wait("location.pathname === '/seat'");
    browser.go("/play/live#token=fp_withdrawn-long-ago");
    browser.wait("!document.querySelector('#rules').hidden");
    browser.click("#accept");
    browser.wait("!document.querySelector('#rules-fault').hidden");
    assert!(browser.text("#rules-fault").contains("log in again"), "{}", browser.text("#rules-fault"));
    let _: Value = browser.js("return null");
}
