//! Pages for whoever comes by: the first page, a board to try, a live table; and lists of five hundred.

use fushi::games::wakeng::Wakeng;
use fushi::web::sample;
use serde_json::{Value, json};

use super::{Browser, ENTER};
use crate::server::Inside;
use crate::web_accounts::with_chief;
use crate::web_events::locked;
use crate::web_results::play_game;

/// Looks at a page on every size of screen, light and dark, and checks it where phones and desks are.
fn looked_at(browser: &Browser, place: &str) {
    browser.check_everywhere(place);
    for (width, height) in [(820, 1180), (1920, 1080)] {
        browser.screen(width, height, false);
        std::thread::sleep(std::time::Duration::from_millis(60));
        browser.shot(&format!("{place}-{width}"));
        browser.check(&format!("{place} at {width}"));
    }
    browser.screen(1280, 900, false);
}

fn boards(browser: &Browser, game: &str) {
    browser.wait("!document.querySelector('#table').hidden");
    assert!(browser.path().starts_with(&format!("/try/{game}")));
    let call = browser.js("return document.querySelector('#tool-call').hidden");
    assert_eq!(call, true, "there is no referee to be called");
}

#[test]
fn a_stranger_tries_a_board_of_each_game_and_is_compared_with_computer_players() {
    let server = Inside::start();
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/?lang=zh-CN");
    browser.check("the first page without events");
    browser.click("#try a[href='/try/wakeng']");
    boards(&browser, "wakeng");
    looked_at(&browser, "zh-try-wakeng");
    for _ in 0..4000 {
        if browser.js("return !document.querySelector('#result').hidden") == true {
            break;
        }
        let offered = browser.js("const at = (css) => document.querySelector(css);
             if (at('#hint:not(:disabled)')) return 'play';
             if (at('#pass:not(:disabled)')) return 'pass';
             if (at('#actions [data-act]:not(:disabled)')) return 'choice';
             return '';");
        match offered.as_str().unwrap() {
            "play" => browser.keys(&format!("h{ENTER}")),
            "pass" => browser.keys("p"),
            "choice" => browser.keys("n0"),
            _ => std::thread::sleep(std::time::Duration::from_millis(30)),
        }
    }
    browser.wait_for("document.querySelector('#compared tbody tr.mine')", 60);
    let rows = browser.js("return [...document.querySelectorAll('#compared tbody tr')].length");
    assert!((2..=5).contains(&rows.as_i64().unwrap()), "{rows}");
    // The story stands beside the score, and the rate follows from the scores shown.
    let facts = browser.js(
        "return [...document.querySelectorAll('#compared tbody tr.mine [data-fact]')].map((one) => one.dataset.fact)",
    );
    assert_eq!(facts, json!(["banker", "bid", "show", "double", "bombs", "winner"]));
    assert!(browser.text("#compared-rate").contains("得分率"), "{}", browser.text("#compared"));
    looked_at(&browser, "zh-try-result");
    // Another one is another board; this one belongs to no event.
    browser.click("#try-again");
    browser.wait("!document.querySelector('#table').hidden && document.querySelector('#result').hidden");
    for game in ["tuolaji", "holdem"] {
        browser.go(&format!("/try/{game}?lang=en"));
        boards(&browser, game);
        looked_at(&browser, &format!("try-{game}"));
        // A reload comes back to the same board.
        let held = browser.js(&format!("return sessionStorage.getItem('fushi.trial.{game}')"));
        browser.go(&format!("/try/{game}"));
        boards(&browser, game);
        assert_eq!(browser.js(&format!("return sessionStorage.getItem('fushi.trial.{game}')")), held);
    }
}

#[test]
fn the_first_page_leads_to_results_and_to_a_live_table() {
    let server = Inside::start();
    let app = server.app.clone();
    app.runtime.block_on(sample::open(&app, sample::Demo::default())).unwrap();
    let Some(browser) = Browser::open(&server.base) else { return };
    for lang in ["en", "zh-CN"] {
        browser.go(&format!("/?lang={lang}"));
        browser.wait("document.querySelector('#watch a')");
        looked_at(&browser, &format!("{lang}-first-page"));
    }
    browser.click("#watch a");
    browser.wait("!document.querySelector('#table').hidden");
    looked_at(&browser, "zh-watch");
    for event in ["sample-wakeng", "sample-tuolaji", "sample-holdem"] {
        browser.go(&format!("/events/{event}/watch"));
        browser.wait("!document.querySelector('#table').hidden");
        looked_at(&browser, &format!("zh-watch-{event}"));
    }
    browser.go("/events/sample-open");
    browser.wait("document.querySelector('#absent')");
    assert!(browser.text("#absent").contains("补位电脑"), "{}", browser.text("#absent"));
}

/// What a list shows now: its first name, how many lines, and what the pages say.
fn listed(browser: &Browser, table: &str) -> (String, i64, String) {
    let first = browser.text(&format!("{table} tbody tr:not([hidden]) th"));
    let lines =
        browser.js(&format!("return document.querySelectorAll('{table} tbody > tr:not(.member)').length"));
    (first, lines.as_i64().unwrap(), browser.text(".pages:not([hidden]) [role=status]"))
}

#[test]
fn lists_of_five_hundred_come_by_pages_and_are_searched_by_name_or_number() {
    let (server, chief) = with_chief();
    let more = json!({"opponents": "random", "title": "春季赛 Spring", "boards": 1, "boards_per_round": 1});
    locked(&chief, "e1", 500, &more);
    play_game::<Wakeng>(&server, "e1", true, |_| true);
    let Some(browser) = Browser::open(&server.base) else { return };
    for (path, table) in [("", ".standings"), ("/cross-tab", ".crosstab")] {
        browser.go(&format!("/events/e1{path}?lang=en"));
        browser.wait(&format!("document.querySelectorAll('{table} tbody tr').length === 100"));
        let (first, _, said) = listed(&browser, table);
        assert_eq!(said, "1–100 of 500", "{path}");
        looked_at(&browser, &format!("500{}", path.replace('/', "-")));
        browser.click("#page-on");
        let (second, lines, said) = listed(&browser, table);
        assert_eq!((lines, said.as_str()), (100, "101–200 of 500"), "{path}");
        assert_ne!(first, second);
        // A number finds the entrant who has it, and whose name holds it; numbers are drawn.
        browser.write("#find", "417");
        let wanted = browser.js(
            "const { names, numbers } = JSON.parse(document.getElementById('data').textContent);
             return Object.keys(names).filter((id) => numbers[id] === 417 || names[id].includes('417')).map((id) => names[id]).sort()",
        );
        let count = wanted.as_array().unwrap().len();
        assert!((1..=2).contains(&count) && wanted.to_string().contains("Player 417"), "{wanted}");
        browser.wait(&format!("document.querySelectorAll('{table} tbody tr').length === {count}"));
        let names = browser.js(&format!(
            "return [...document.querySelectorAll('{table} tbody .who-name')].map((one) => one.textContent).sort()"
        ));
        assert_eq!(names, wanted, "{path}");
        browser.js("const find = document.querySelector('#find'); find.value = ''; find.dispatchEvent(new Event('input'))");
        browser.wait(&format!("document.querySelectorAll('{table} tbody tr').length === 100"));
        browser.write("#find", "player 41");
        // 41, and 410 to 419.
        browser.wait(&format!("document.querySelectorAll('{table} tbody tr').length === 11"));
    }
    browser.go("/events/e1/boards/1?lang=zh-CN");
    browser.wait("document.querySelector('.stories tbody tr')");
    looked_at(&browser, "zh-500-traveller");
    // What happened at its table stands beside each result.
    let bankers =
        "return [...document.querySelectorAll('.stories [data-fact=banker]')].map((one) => one.textContent)";
    let bankers = browser.js(bankers);
    let bankers = bankers.as_array().unwrap();
    assert!(
        !bankers.is_empty() && bankers.iter().all(|one| ["A", "B", "C"].contains(&one.as_str().unwrap())),
        "{bankers:?}"
    );
    // Every result stands in one line; equal scores with equal stories stand together.
    let lines =
        browser.js("return [...document.querySelectorAll('.stories tbody tr:not(.member)')].map((line) => [
           line.querySelector('.count').textContent,
           [...line.querySelectorAll('[data-label]')].map((one) => one.textContent).join('|')])");
    let lines = lines.as_array().unwrap();
    let texts: Vec<&Value> = lines.iter().map(|line| &line[1]).collect();
    let stays = browser.text(".pages:not([hidden]) [role=status]");
    if stays.is_empty() {
        let all: u32 = lines.iter().map(|line| line[0].as_str().unwrap().parse::<u32>().unwrap()).sum();
        assert_eq!(all, 500);
    }
    let mut apart = texts.clone();
    apart.sort_by_key(std::string::ToString::to_string);
    apart.dedup();
    assert_eq!(apart.len(), texts.len(), "equal lines stand apart");
    assert!(lines.iter().any(|line| line[0] != "1"), "with 500 results some are equal");
    browser.write("#find", "player 417");
    browser.wait("[...document.querySelectorAll('.stories tbody tr')].some((line) => line.innerText.includes('Player 417'))");
    browser.wait("document.querySelectorAll('.stories tbody tr:not(.member)').length === 1");
    browser.check("a traveller that was searched");
}

#[test]
fn a_card_stands_on_an_axis_from_0_to_100_percent_and_a_replay_tells_times() {
    let (server, chief) = with_chief();
    locked(&chief, "e1", 3, &json!({"opponents": "random", "title": "春季赛 Spring"}));
    play_game::<Wakeng>(&server, "e1", true, |_| true);
    let Some(browser) = Browser::open(&server.base) else { return };
    browser.go("/events/e1/entrants/e001?lang=zh-CN");
    browser.wait("document.querySelector('.columns')");
    let axis = browser.js(
        "return [...document.querySelectorAll('.columns text.axis')].slice(0, 3).map((one) => [one.textContent, Number(one.getAttribute('y'))])",
    );
    let names: Vec<&Value> = axis.as_array().unwrap().iter().map(|one| &one[0]).collect();
    assert_eq!(names, [&json!("100 %"), &json!("50 %"), &json!("0 %")]);
    let at: Vec<f64> = axis.as_array().unwrap().iter().map(|one| one[1].as_f64().unwrap()).collect();
    assert!((at[1] - at[0] - (at[2] - at[1])).abs() < 0.01, "50 % lies in the middle: {at:?}");
    // A bar is as high as its rate: 100 % reaches the upper line, 0 % the lower one.
    let heights = browser.js(
        "return [...document.querySelectorAll('.columns rect')].map((one) => [one.querySelector('title').textContent, Number(one.getAttribute('height'))])",
    );
    for bar in heights.as_array().unwrap() {
        let text = bar[0].as_str().unwrap();
        let rate: f64 = text.split(": ").nth(1).unwrap().trim_end_matches(" %").parse().unwrap();
        let high = (at[2] - at[1]) * (rate - 50.0).abs() / 50.0;
        assert!((bar[1].as_f64().unwrap() - high.max(1.5)).abs() < 0.05, "{bar}");
    }
    looked_at(&browser, "zh-card-axis");
    browser.go("/events/e1/boards/1/tables/1");
    browser.wait("document.querySelectorAll('#steps .step-at').length > 5");
    let times = browser.js(
        "return [...document.querySelectorAll('#steps li')].slice(1, 4).map((one) => one.querySelector('.step-times').textContent)",
    );
    // Each of the three chose a thousandth of a second after the other.
    assert_eq!(times, json!(["0:00用时 0.0 秒", "0:00用时 0.0 秒", "0:00用时 0.0 秒"]));
    looked_at(&browser, "zh-replay-times");
    browser.go("/events/e1/boards/1");
    browser.wait("document.querySelector('.stories tbody tr')");
    looked_at(&browser, "zh-3-traveller");
    assert!(browser.text(".stories thead").contains("庄家"), "{}", browser.text(".stories"));
}
