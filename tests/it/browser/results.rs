//! What spectators see: live standings, all results, travellers, cards, replays of every game, how to verify, the
//! projector; sealed boards and frozen standings are kind words and never a refused request.

use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use serde_json::{Value, json};

use super::{Browser, ENTER, RIGHT};
use crate::server::{Client, Inside};
use crate::web_accounts::{somebody, with_chief};
use crate::web_events::locked;
use crate::web_results::{play_game, played_by_persons};

fn event(count: usize) -> (Inside, Client) {
    let (server, chief) = with_chief();
    locked(&chief, "e1", count, &json!({"opponents": "random", "title": "春季赛 Spring"}));
    (server, chief)
}

#[test]
fn spectators_watch_standings_move_and_ask_how_a_number_came_about() {
    let (server, chief) = event(6);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/events/e1");
    browser.wait("document.querySelector('#sheet .empty')");
    browser.check_everywhere("results-none");
    play_game::<Wakeng>(&server, "e1", true, |sitting| sitting.board == 1);
    browser.wait("document.querySelectorAll('#sheet tbody tr').length === 6");
    play_game::<Wakeng>(&server, "e1", true, |sitting| sitting.board == 2 || sitting.board == 3);
    browser.wait("document.querySelector('#counted').innerText.includes('3')");
    browser.check_everywhere("standings");
    browser.write("#find", "player 4");
    browser.wait("document.querySelectorAll('#sheet tbody tr:not([hidden])').length === 1");
    browser.click("#sheet tbody tr:not([hidden]) a");
    browser.wait("document.querySelectorAll('.card-sheet tbody tr').length === 3");
    assert!(browser.text("h2").contains("Player 4"));
    browser.check_everywhere("card");
    // A penalty is seen, marked, and explained.
    let head = somebody(&server, &chief, "chief-referee");
    let penalty = json!({"number": 1, "reason": "late", "decision":
        {"penalty": {"board": 1, "entrant": "e004", "amount": {"of-top": "1/4"}}}});
    head.post("/api/v1/events/e1/rulings", &penalty).ok();
    browser.go("/events/e1");
    browser.wait("document.querySelector('#sheet table:not(.no-rulings)')");
    browser.go("/events/e1/cross-tab");
    browser.wait("document.querySelectorAll('.crosstab tbody tr').length === 6");
    browser.check_everywhere("crosstab");
    browser.click(".crosstab tbody tr:nth-child(2) [data-cell]");
    browser.wait(
        "document.querySelector('#explain').open && document.querySelectorAll('#explain-text p').length > 2",
    );
    assert!(
        !browser.text("#explain-text").contains("e00"),
        "names, no ids: {}",
        browser.text("#explain-text")
    );
    browser.check_everywhere("explain");
    browser.click("#explain .button");
    // By keyboard: the next cell to the right.
    browser.keys(&format!("{RIGHT}{ENTER}"));
    browser.wait("document.querySelector('#explain').open");
    assert_eq!(browser.js("return document.activeElement.closest('dialog') !== null"), true);
    browser.click("#explain .button");
    browser.click("[data-shown=score]");
    let scores = "return [...document.querySelectorAll('[data-cell]')].every((cell) => cell.innerText === cell.dataset.score)";
    assert_eq!(browser.js(scores), true);
    assert!(browser.text(".crosstab").contains('!'), "the penalty is marked");
    for form in ["csv", "xlsx"] {
        let link = browser
            .js(&format!("return document.querySelector('.bar a[href*={form}]').getAttribute('href')"));
        assert_eq!(Client::new(&server.base).get(link.as_str().unwrap()).status, 200);
    }
}

#[test]
fn a_spectator_opens_a_traveller_and_replays_a_board_of_every_game() {
    let (server, _chief) = event(5);
    play_game::<Wakeng>(&server, "e1", true, |sitting| {
        sitting.board == 1 || (sitting.board == 2 && sitting.table == 1)
    });
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/events/e1/boards");
    browser.wait("document.querySelectorAll('a.board-card').length === 1");
    browser.check_everywhere("boards");
    browser.go("/events/e1/boards/2");
    browser.wait("document.querySelector('#sheet .empty')");
    browser.check("a sealed board");
    browser.go("/events/e1/boards/2/tables/1");
    browser.wait("!document.querySelector('#refused').hidden");
    browser.check("a sealed replay");
    browser.go("/events/e1/boards");
    browser.click("a.board-card");
    browser.wait("document.querySelectorAll('.traveller').length > 0");
    // The deal stands above it: three hands and the bottom, as the API tells them.
    let cards = "return [...document.querySelectorAll('.dealt')].map((line) => line.querySelectorAll('.mini').length)";
    assert_eq!(browser.js(cards), json!([16, 16, 16, 4]));
    browser.check_everywhere("traveller");
    browser.click(".bar a[href$=projector]");
    browser.wait(
        "document.querySelector('.day-bars .bars') && document.querySelectorAll('.dealt').length === 4",
    );
    browser.check_everywhere("board-of-the-day");
    browser.go("/events/e1/boards/1");
    browser.click(".traveller .do a");
    replays(&browser, "wakeng");
    let at: Value = browser.js("return new URLSearchParams(location.search).get('at')");
    assert_eq!(at, "3", "the address names the position");
    browser.go("/?lang=zh-CN");
    browser.go("/events/e1/boards/1/tables/1?at=5&from=B");
    browser.wait("!document.querySelector('#replay').hidden");
    assert!(browser.text("#said").contains("第 5 步"), "{}", browser.text("#said"));
    assert_eq!(browser.js("return document.querySelector('#seen-from').value"), "B");
    browser.check_everywhere("zh-replay");
}

/// The seats of tuolaji are 东 南 西 北 in Chinese, and the heads of pairs 南北 and 东西, on every page; in English they
/// are N, E, S, W, and NS and EW.
#[test]
fn compass_seats_are_words_on_every_page_in_chinese() {
    let server = Inside::start();
    played_by_persons::<Tuolaji>(&server, "pairs", 4, 1);
    let Some(browser) = Browser::open(&server.base) else { return };
    let heads = "return [...document.querySelectorAll('.traveller h3')].map((head) => head.innerText)";
    browser.go("/events/g1/boards/1");
    browser.wait("document.querySelectorAll('.traveller').length === 2");
    let english = browser.js(heads).to_string();
    assert!(english.contains("NS") && english.contains("EW"), "{english}");
    browser.go("/?lang=zh-CN");
    browser.go("/events/g1/boards/1");
    browser.wait("document.querySelectorAll('.traveller').length === 2");
    let mut said: Vec<String> = serde_json::from_value(browser.js(heads)).unwrap();
    said.sort();
    assert_eq!(said, ["东西的成绩", "南北的成绩"]);
    let dealt =
        "return [...document.querySelectorAll('.dealt dt')].map((head) => head.innerText).slice(0, 4)";
    assert_eq!(browser.js(dealt), json!(["东", "北", "西", "南"]));
    let bare =
        "return document.querySelector('main').innerText.match(/(^|[^A-Za-z])(NS|EW|[ENWS])(?![A-Za-z])/m)";
    for path in ["/boards/1", "/boards/1/projector", "/seats", "/boards/1/tables/1"] {
        browser.go(&format!("/events/g1{path}"));
        browser.wait("!document.querySelector('main #refused') || document.querySelector('main').innerText.length > 40");
        browser.wait(
            "/东|南北/.test(document.querySelector('main').innerText) || document.querySelector('.seat-place')",
        );
        assert_eq!(browser.js(bare), Value::Null, "{path}: {}", browser.text("main"));
        assert!(!browser.text("main").contains("北南"), "{path}: {}", browser.text("main"));
    }
    browser.go("/events/g1/boards/1/tables/1");
    browser.wait("!document.querySelector('#replay').hidden");
    let seats = "return [...document.querySelectorAll('#replay .letter')].map((one) => one.innerText).sort().join('')";
    let seats = browser.js(seats);
    assert!(["东", "南", "西", "北"].iter().all(|seat| seats.as_str().unwrap().contains(seat)), "{seats}");
}

/// What one has chosen in secret stands on the own seat in words of the game, not as yes or no.
#[test]
fn a_secret_choice_stands_on_the_seat_in_words_of_the_game() {
    let (server, _chief) = event(5);
    play_game::<Wakeng>(&server, "e1", true, |sitting| sitting.board == 1);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/?lang=zh-CN");
    browser.go("/events/e1/boards/1/tables/1");
    browser.wait("!document.querySelector('#replay').hidden");
    for (phase, choice, words) in [
        ("double", true, "加倍"),
        ("double", false, "不加倍"),
        ("show", true, "明牌"),
        ("show", false, "不明牌"),
        ("banker-show", true, "明牌"),
        ("banker-show", false, "不明牌"),
    ] {
        let script = format!(
            "return import('/assets/x/wakeng.js').then((all) => all.default.before({{me: 'A', view: {{phase: '{phase}', \
             choice: {choice}, waiting: ['B'], tricks: [], bids: []}}}}, 'A').textContent)"
        );
        assert_eq!(browser.js(&script), words, "{phase} {choice}");
    }
}

/// Goes through a replay with buttons.
fn replays(browser: &Browser, place: &str) {
    browser.wait("!document.querySelector('#replay').hidden");
    browser.click("#last");
    browser.wait("document.querySelector('#outcome table')");
    browser.check_everywhere(&format!("replay-{place}-end"));
    browser.click("#first");
    browser.click("#run");
    browser.wait("Number(document.querySelector('#at').value) > 0");
    browser.click("#run");
    let half = "const at = document.querySelector('#at'); at.value = String(Math.floor(at.max * 0.6)); \
                at.dispatchEvent(new Event('input', {bubbles: true}))";
    browser.js(half);
    browser.check_everywhere(&format!("replay-{place}"));
    browser.click("#steps li:nth-child(3) button");
    browser.click("#forward");
    assert_eq!(browser.js("return document.querySelector('#at').value"), "3");
}

#[test]
fn boards_of_pairs_and_of_holdem_are_replayed_with_open_hands() {
    let server = Inside::start();
    played_by_persons::<Tuolaji>(&server, "human-ai", 4, 1);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/events/g1/boards/1/tables/1");
    replays(&browser, "tuolaji");
    dealt(&browser, &server, 5);
    drop(browser);
    let server = Inside::start();
    played_by_persons::<Holdem>(&server, "human-ai", 4, 1);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/events/g1/boards/1/tables/1");
    replays(&browser, "holdem");
    dealt(&browser, &server, 7);
}

/// The page of a board shows the hands that its replay begins with: tuolaji's once every card is drawn.
fn dealt(browser: &Browser, server: &Inside, lines: usize) {
    browser.go("/events/g1/boards/1");
    browser.wait(&format!("document.querySelectorAll('.dealt').length === {lines}"));
    let shown = browser.js(
        "return [...document.querySelectorAll('.dealt .minis')].map((row) => row.getAttribute('aria-label'))",
    );
    let shown: Vec<&str> = shown.as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    let names = |cards: &str| {
        let script =
            format!("return import('/assets/x/cards.js').then((all) => all.namesOf(all.cardsOf('{cards}')))");
        browser.js(&script).as_str().unwrap().to_owned()
    };
    let sorted = |text: &str| {
        let mut cards: Vec<&str> = text.split(", ").collect();
        cards.sort_unstable();
        cards.join(", ")
    };
    let replay = Client::new(&server.base).get("/api/v1/events/g1/boards/1/tables/1").ok();
    let steps = replay["steps"].as_array().unwrap();
    let hands = |step: &Value| step["hands"].as_object().unwrap().clone();
    // Hold'em lists the cards of a hand, the others write them in one text.
    let text = |hand: &Value| match hand.as_array() {
        Some(cards) => cards.iter().map(|card| card.as_str().unwrap()).collect::<Vec<_>>().join(" "),
        None => hand.as_str().unwrap().to_owned(),
    };
    // Four hands of 25 cards, or hold'em's of two; somebody may call at tuolaji when everybody has drawn two.
    let size = if lines == 5 { 25 } else { 2 };
    let whole = |hand: &Value| text(hand).split(' ').count() == size;
    let full = steps.iter().find(|step| hands(step).values().all(whole)).unwrap();
    let there = |hand: &Value| {
        let hand = sorted(&names(&text(hand)));
        shown.iter().any(|row| sorted(row) == hand)
    };
    // At tuolaji the banker has exchanged cards with the bottom by then.
    let (all, found) = (hands(full).len(), hands(full).values().filter(|hand| there(hand)).count());
    assert_eq!(found, if all == 4 { 3 } else { all }, "{:?} in {shown:?}", hands(full));
}

#[test]
fn frozen_standings_are_said_kindly_everywhere_and_staff_still_see_them() {
    let (server, chief) = event(3);
    play_game::<Wakeng>(&server, "e1", true, |_| true);
    chief.put("/api/v1/events/e1/freeze", &json!({"frozen": true, "reason": "last round"})).ok();
    let Some(browser) = Browser::open(&server.base) else { return };
    for path in [
        "",
        "/cross-tab",
        "/boards",
        "/boards/1",
        "/boards/1/projector",
        "/boards/1/tables/1",
        "/entrants/e001",
        "/projector",
    ] {
        browser.go(&format!("/events/e1{path}?lang=zh-CN"));
        assert!(browser.text("main").contains("排名暂时不公开"), "{path}: {}", browser.text("main"));
        browser.check(&format!("frozen {path}"));
    }
    browser.check_everywhere("frozen");
}

#[test]
fn an_event_is_verified_with_what_its_page_says_and_shown_on_a_projector() {
    let (server, chief) = event(40);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/events/e1/verify");
    let announced = Client::new(&server.base).get("/api/v1/events/e1/announcement").ok();
    let shown = browser.text(".hash").split_whitespace().collect::<String>();
    assert_eq!(Some(shown.as_str()), announced["hash"].as_str());
    browser.check_everywhere("verify-before");
    play_game::<Wakeng>(&server, "e1", true, |_| true);
    chief.post("/api/v1/events/e1/revisions", &json!({"state": "final", "reason": "done"})).ok();
    chief.post("/api/v1/events/e1/reveal", &json!({"reason": "over"})).ok();
    browser.go("/events/e1/verify?lang=zh-CN");
    let link = browser.js("return document.querySelector('a[download]').getAttribute('href')");
    assert_eq!(Client::new(&server.base).get(link.as_str().unwrap()).status, 200);
    browser.check_everywhere("zh-verify");
    browser.go("/events/e1/projector");
    browser.wait("document.querySelectorAll('.huge tbody tr').length === 40");
    browser.check_everywhere("projector");
    browser.screen(1920, 1080, false);
    browser.wait_for("document.querySelector('#sheet').scrollTop > 0", 15);
    browser.shot("zh-projector-scrolled");
    browser.go("/events/e1/cross-tab");
    browser.wait("document.querySelectorAll('.crosstab tbody tr').length === 40");
    browser.js("document.querySelector('.scroll').scrollTo(60, 400)");
    let stays = "const box = document.querySelector('.scroll').getBoundingClientRect(); \
                 const head = document.querySelector('.corner').getBoundingClientRect(); \
                 return Math.abs(head.top - box.top) < 3 && Math.abs(head.left - box.left) < 3";
    assert_eq!(browser.js(stays), true, "head and names stay in sight");
    browser.check_everywhere("zh-crosstab-40");
    for path in ["", "/cross-tab", "/boards/1", "/entrants/e001"] {
        browser.go(&format!("/events/e1{path}"));
        browser.wait("document.querySelector('#sheet table')");
        browser.debug("Emulation.setEmulatedMedia", &json!({"media": "print"}));
        browser.shot(&format!("print{}", path.replace('/', "-")));
        let hidden = browser.js("return !document.querySelector('.bar').checkVisibility()");
        assert_eq!(hidden, true, "controls are not printed");
        browser.debug("Emulation.setEmulatedMedia", &json!({"media": ""}));
    }
}
