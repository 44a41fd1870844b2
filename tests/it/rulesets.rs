//! Rulesets: what players read of them, what they are called, and that the program reads all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::games::{Game, Ruleset, rulesets};
use fushi::words::{Lang, say};
use serde_json::{Value, json};

use crate::server::Client;
use crate::web_accounts::with_chief;
use crate::web_events::locked;

/// The rules as the page has them, in a language.
fn told<R: Ruleset>(rules: &R, lang: Lang) -> Vec<String> {
    rules.clauses().iter().map(|clause| say(lang, &clause.told)).collect()
}

/// Paths of all fields, tables and lists entered.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, inner)| leaves(inner, &format!("{at}/{key}"), found));
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (number, inner) in items.iter().enumerate() {
                leaves(inner, &format!("{at}/{number}"), found);
            }
        }
        _ => found.push(at.to_owned()),
    }
}

/// Words that a field takes, from the refusal of one that it does not take.
fn words_of<G: Game>(whole: &Value, path: &str) -> Vec<String> {
    let mut asked = whole.clone();
    *asked.pointer_mut(path).unwrap() = json!("no-such-word");
    let faults = rulesets::read::<G>(&asked).err().unwrap_or_default();
    let told = faults.iter().map(|fault| fault.message.as_str()).find(|told| told.contains("no-such-word"));
    let (_, known) = told.and_then(|told| told.split_once("no-such-word")).unwrap_or_default();
    known.split('`').skip(2).step_by(2).map(str::to_owned).collect()
}

/// Every other value of a field that makes a valid ruleset.
fn other_values<G: Game>(whole: &Value, path: &str) -> Vec<G::Rules> {
    let now = whole.pointer(path).unwrap().clone();
    let mut candidates: Vec<Value> = match &now {
        Value::Bool(yes) => vec![json!(!yes)],
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            vec![
                json!(number + 1),
                json!(number - 1),
                json!(2 * number),
                json!(number + 5),
                json!(0),
                json!(2),
            ]
        }
        Value::Array(_) => vec![json!([]), json!(["5", "T"]), json!(["2"])],
        Value::String(_) => words_of::<G>(whole, path).into_iter().map(Value::String).collect(),
        other => panic!("{path}: {other}"),
    };
    candidates.extend([json!("none"), json!(3), json!("another name")]);
    candidates.retain(|candidate| *candidate != now);
    let read = |candidate: Value| {
        let mut changed = whole.clone();
        *changed.pointer_mut(path).unwrap() = candidate;
        rulesets::read::<G>(&changed).ok()
    };
    candidates.into_iter().filter_map(read).collect()
}

/// Every field of every ruleset is changed to other valid values; the answer is the fields that had one.
fn every_field_shows<G: Game>(more: &[Value]) -> BTreeSet<String> {
    let shipped = G::RULESETS
        .iter()
        .map(|(name, _)| serde_json::to_value(rulesets::shipped::<G>(name).unwrap().as_ref()).unwrap());
    let mut changed = BTreeSet::new();
    for mut whole in shipped.chain(more.iter().map(|rules| {
        serde_json::to_value(rulesets::overridden::<G>(rules.as_object().unwrap()).unwrap().as_ref()).unwrap()
    })) {
        whole["name"] = json!("club rules");
        if whole.get("big_points").is_some() {
            whole["big_points"]["name"] = json!("club table");
        }
        let usual = rulesets::read::<G>(&whole).unwrap();
        let mut paths = Vec::new();
        leaves(&whole, "", &mut paths);
        // The page prints the name above the sentences. Below the first class of a table its value holds all the same.
        for path in paths.iter().filter(|path| !["/name", "/big_points/rows/0/min"].contains(&path.as_str()))
        {
            for rules in other_values::<G>(&whole, path) {
                changed.insert(path.clone());
                for lang in Lang::ALL {
                    assert_ne!(
                        told(&rules, lang),
                        told(&usual, lang),
                        "{} {path}: {} changes nothing on the page in {lang}",
                        G::KIND,
                        serde_json::to_value(&rules).unwrap().pointer(path).unwrap()
                    );
                }
            }
        }
    }
    changed
}

fn fields_of<G: Game>() -> Vec<String> {
    let rules = rulesets::default::<G>().unwrap();
    let mut paths = Vec::new();
    leaves(&serde_json::to_value(rules.as_ref()).unwrap(), "", &mut paths);
    paths.retain(|path| path != "/name" && path != "/big_points/rows/0/min");
    paths
}

#[test]
fn a_field_of_any_ruleset_that_changes_changes_the_rules_page_in_every_language() {
    let known = |changed: BTreeSet<String>, fields: Vec<String>, single: &[&str]| {
        let still: Vec<&String> = fields.iter().filter(|path| !changed.contains(*path)).collect();
        assert_eq!(still, single, "fields without another valid value");
    };
    known(every_field_shows::<Wakeng>(&[]), fields_of::<Wakeng>(), &[]);
    // What has one value only.
    let single = ["/decomposition", "/automatic_play", "/big_points/view"];
    known(every_field_shows::<Tuolaji>(&[]), fields_of::<Tuolaji>(), &single);
    let ante = json!({"base": "tda-2024", "duplicate": {"ante_kind": "all", "ante": 25}});
    known(every_field_shows::<Holdem>(&[ante]), fields_of::<Holdem>(), &[]);
}

#[test]
fn the_rules_page_says_what_the_rulebooks_say() {
    let of = |rules: &WakengRules, lang| told(rules, lang).join("\n");
    let jj = rulesets::shipped::<Wakeng>("wakeng-jj").unwrap();
    let bomb = rulesets::shipped::<Wakeng>("wakeng-bomb").unwrap();
    for (rules, lang, sentence) in [
        (&jj, Lang::ZhCn, "三条连牌 3 组起。"),
        (&jj, Lang::ZhCn, "手牌中最小的梅花牌的持有者首先叫分：从梅花 4 找起，在底牌中则看下一张。"),
        (&jj, Lang::En, "Whoever spoke first leads first"),
        (&bomb, Lang::ZhCn, "持红心 4 者首攻"),
        (&bomb, Lang::ZhTw, "四張底牌翻開給各家看"),
        (&bomb, Lang::En, "the four bottom cards are turned up for everybody"),
        (&bomb, Lang::ZhCn, "炸弹个数不封顶"),
        (&bomb, Lang::ZhCn, "最大到 K"),
    ] {
        assert!(of(rules, lang).contains(sentence), "{sentence} in {}", of(rules, lang));
    }
    let zhuhai = rulesets::default::<Tuolaji>().unwrap();
    for (lang, sentence) in [
        (Lang::ZhCn, "打 5、10、K 时不得叫无主。"),
        (Lang::En, "No trump may not be called at levels 5; 10; K."),
        (Lang::ZhCn, "无人叫主则翻第一张底牌"),
        (Lang::ZhCn, "被挡住的不止一类时由下家选择"),
        (Lang::ZhCn, "单张 ×2，对子 ×4，两连对的拖拉机 ×8"),
        (Lang::ZhCn, "zhuhai-2009-reconstructed-H1"),
        (
            Lang::ZhCn,
            "不足 5 分 −4、5 分起 −3、40 分起 −2、80 分起 +4、120 分起 +6、160 分起 +8、160 分以上每 40 分再 +2",
        ),
        (Lang::ZhCn, "用时：出牌 20 秒，扣底 60 秒"),
        (Lang::ZhTw, "慢打後再過 40 秒"),
    ] {
        let text = told(zhuhai.as_ref(), lang).join("\n");
        assert!(text.contains(sentence), "{sentence} in {text}");
    }
}

type WakengRules = <Wakeng as Game>::Rules;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// The text of a source without what only checks or tells a ruleset: its faults and its tests.
fn that_plays(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    match text.split_once("    fn faults(") {
        Some((before, after)) => {
            format!("{before}{}", after.split_once("\n    }\n").map_or("", |(_, rest)| rest))
        }
        None => text.to_owned(),
    }
}

#[test]
fn every_field_of_a_ruleset_is_read_by_the_program() {
    // What only a referee applies: it stands on the page of rulings ([`Ruleset::penalties`]), which the last line checks.
    let for_referees = ["award_misdeal", "award_concealed", "small", "big"];
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games"), &mut files);
    files.retain(|path| path.file_name().is_some_and(|name| name != "clauses.rs"));
    let text: String = files.iter().map(|path| that_plays(&fs::read_to_string(path).unwrap())).collect();
    let mut unread = BTreeMap::new();
    for (game, paths) in [
        ("wakeng", fields_of::<Wakeng>()),
        ("tuolaji", fields_of::<Tuolaji>()),
        ("holdem", fields_of::<Holdem>()),
    ] {
        for path in paths {
            let field = path.rsplit('/').next().unwrap().to_owned();
            let read = text.match_indices(&format!(".{field}")).any(|(at, found)| {
                !text[at + found.len()..]
                    .starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_' || next == '(')
            });
            // A structure taken apart names its fields, too.
            let named = text.contains(&format!("{{ {field}, "))
                || text.contains(&format!(", {field}, "))
                || text.contains(&format!(", {field} }}"));
            if !read && !named && !for_referees.contains(&field.as_str()) {
                unread.insert(path, game);
            }
        }
    }
    assert!(unread.is_empty(), "nothing reads {unread:?}");
    let zhuhai = rulesets::default::<Tuolaji>().unwrap();
    let topics: Vec<&str> = zhuhai.clauses().iter().map(|clause| clause.topic).collect();
    assert!(zhuhai.penalties().len() == 3 && zhuhai.penalties().iter().all(|topic| topics.contains(topic)));
}

#[test]
fn changed_rules_never_bear_a_shipped_name() {
    let changed = |rules: &Value| rulesets::overridden::<Wakeng>(rules.as_object().unwrap());
    let plain = changed(&json!({"base": "wakeng-bomb", "quad": "plain"})).unwrap();
    // Eight digits of the hash that the rules have under the base's name, by hand.
    let mut under_base = serde_json::to_value(plain.as_ref()).unwrap();
    under_base["name"] = json!("wakeng-bomb");
    let hash = hex::encode(fushi::canonical::hash_of(&under_base).unwrap());
    assert_eq!(plain.name, format!("wakeng-bomb+{}", &hash[..8]));
    assert_eq!(changed(&json!({"base": "wakeng-bomb"})).unwrap().name, "wakeng-bomb");
    assert_eq!(changed(&json!({"base": "wakeng-bomb", "unit": 1})).unwrap().name, "wakeng-bomb");
    assert_eq!(changed(&json!({"base": "wakeng-bomb", "unit": 2, "name": "club"})).unwrap().name, "club");
    // A whole ruleset, as bundles and protocol carry it, is held to the same.
    let other = changed(&json!({"base": "wakeng-bomb", "unit": 3})).unwrap();
    for name in ["wakeng-bomb", "wakeng-plain", "wakeng-bomb+00000000"] {
        let mut forged = serde_json::to_value(other.as_ref()).unwrap();
        forged["name"] = json!(name);
        assert_eq!(rulesets::read::<Wakeng>(&forged).unwrap_err()[0].code, "reserved_name", "{name}");
    }
    assert!(rulesets::read::<Wakeng>(&serde_json::to_value(plain.as_ref()).unwrap()).is_ok());
    // A file may say only what differs.
    let file = rulesets::parse::<Wakeng>("base = \"wakeng-bomb\"\nquad = \"plain\"\n").unwrap();
    assert_eq!(&file, plain.as_ref());
    let faults = rulesets::parse::<Wakeng>("base = \"wakeng-bomb\"\nqaud = \"plain\"\n").unwrap_err();
    assert_eq!(faults[0].message, "line 2: unknown field `qaud`: did you mean `quad`?");
}

fn enter_pairs(chief: &Client, id: &str, count: usize) {
    for number in 1..=count {
        let body = json!({"name": format!("One {number}"), "partner": format!("Two {number}")});
        chief.post(&format!("/api/v1/events/{id}/entrants"), &body).ok();
    }
}

/// The page at an address, as a browser in Chinese asks for it.
fn page(client: &Client, path: &str) -> String {
    let browser = client.with("accept", "text/html").with("accept-language", "zh-CN");
    let page = browser.get(path);
    assert_eq!(page.status, 200, "{path}");
    page.text()
}

#[test]
fn an_event_with_changed_rules_says_so_at_every_door() {
    let (server, chief) = with_chief();
    let rules = json!({"rules": {"base": "wakeng-bomb", "quad": "plain"}});
    locked(&chief, "e1", 2, &rules);
    let event = chief.get("/api/v1/events/e1").ok();
    let name = event["rules"]["name"].as_str().unwrap().to_owned();
    assert!(name.starts_with("wakeng-bomb+") && name.len() == "wakeng-bomb+".len() + 8, "{name}");
    let expected = json!({"base": "wakeng-bomb", "fields": [
        {"field": "quad", "shipped": "bomb", "here": "plain"}, {"field": "bomb_factor", "shipped": 2, "here": 1},
    ]});
    assert_eq!(event["changed_rules"], expected);
    let announced = chief.get("/api/v1/events/e1/announcement").ok();
    assert!(announced.to_string().contains(&name), "{announced}");
    let anybody = Client::new(&server.base);
    for path in ["/events/e1/rules", "/play/e1"] {
        let text = page(&anybody, path);
        assert!(text.contains(&name) && !text.contains("炸弹规则</"), "{path}");
        for words in ["四条不是炸弹，只能压更小的四条", "炸弹（四条）可压任何非炸弹牌型", "bomb_factor"]
        {
            assert!(text.contains(words), "{path}: {words}");
        }
        assert!(text.contains(r#"href="/events/e1/rules""#), "{path}");
    }
    // Before the seats are drawn the event's own page says it.
    let body = json!({"id": "e2", "game": "tuolaji", "title": "周末赛", "format": "pairs", "boards": 4,
        "rules": {"base": "zhuhai-2009", "big_points": "H3"}});
    let made = chief.post("/api/v1/events", &body).ok();
    assert!(made["rules"]["name"].as_str().unwrap().starts_with("zhuhai-2009+"));
    enter_pairs(&chief, "e2", 4);
    chief.post("/api/v1/events/e2/announcement", &json!({})).ok();
    let text = page(&anybody, "/events/e2");
    for words in [made["rules"]["name"].as_str().unwrap(), "H3", "防守方 不足 5 分", "原规则"] {
        assert!(text.contains(words), "{words}");
    }
    // Shipped rules differ from nothing.
    let body = json!({"id": "e3", "game": "wakeng", "title": "A"});
    assert!(chief.post("/api/v1/events", &body).ok().get("changed_rules").is_none());
}

#[test]
fn the_desk_takes_a_ruleset_file_and_says_what_is_wrong_with_it() {
    let (_server, chief) = with_chief();
    chief.post("/api/v1/events", &json!({"id": "e1", "game": "wakeng", "title": "A"})).ok();
    let patch = |body: Value| chief.patch("/api/v1/events/e1", &body);
    let made = patch(json!({"ruleset_file": "base = \"wakeng-jj\"\nname = \"club\"\nplay_s = 40\n"})).ok();
    assert_eq!((&made["rules"]["name"], &made["rules"]["play_s"]), (&json!("club"), &json!(40)));
    assert_eq!(made["changed_rules"]["base"], "wakeng-jj");
    let whole = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games/wakeng/rulesets/wakeng-plain.toml"),
    );
    assert_eq!(patch(json!({"ruleset_file": whole.unwrap()})).ok()["rules"]["name"], "wakeng-plain");
    for (body, code, words) in [
        (json!({"ruleset_file": "base = \"wakeng-bomb\"\nplay = 3"}), "unknown_field", "line 2"),
        (
            json!({"ruleset_file": "base = \"wakeng-bomb\"\nname = \"wakeng-bomb\"\nplay_s = 3"}),
            "reserved_name",
            "wakeng-bomb",
        ),
        (json!({"ruleset_file": "name = "}), "bad_toml", "line 1"),
        (json!({"ruleset_file": "name = \"x\"", "ruleset": "wakeng-bomb"}), "two_rulesets", "ruleset_file"),
        (json!({"ruleset_file": "#".repeat(1 << 20) + "#"}), "ruleset_too_long", "1048576"),
        (
            json!({"rules": {"base": "wakeng-bomb", "name": "wakeng-bomb", "unit": 3}}),
            "reserved_name",
            "wakeng-bomb",
        ),
    ] {
        let reply = patch(body).json();
        assert_eq!(reply["faults"][0]["code"], code, "{reply}");
        assert!(reply["faults"][0]["message"].as_str().unwrap().contains(words), "{reply}");
    }
    assert_eq!(
        chief.get("/api/v1/events/e1").ok()["rules"]["name"],
        "wakeng-plain",
        "a refused file changes nothing"
    );
    let settings = page(&chief, "/desk/e1/settings");
    assert!(settings.contains("base = &quot;wakeng-plain&quot;"), "the file to start from");
}

#[test]
fn a_round_lasts_as_long_as_the_rules_say_unless_the_organizer_says_otherwise() {
    let (_server, chief) = with_chief();
    let make = |more: Value| {
        let mut body = json!({"game": "tuolaji", "title": "A", "format": "pairs", "boards": 12});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        chief.post("/api/v1/events", &body).ok()
    };
    assert_eq!(make(json!({}))["live"]["round_minutes"], 120);
    assert_eq!(make(json!({"round_minutes": 0}))["live"]["round_minutes"], 0);
    let event = make(json!({"rules": {"base": "zhuhai-2009", "round_min": 90}}));
    assert_eq!(event["live"]["round_minutes"], 90);
    let address = format!("/api/v1/events/{}", event["id"].as_str().unwrap());
    let change = |body: Value| chief.patch(&address, &body).ok()["live"]["round_minutes"].clone();
    assert_eq!(change(json!({"rules": {"base": "zhuhai-2009", "round_min": 60}})), 60);
    assert_eq!(change(json!({"round_minutes": 75})), 75);
    assert_eq!(change(json!({"ruleset": "zhuhai-2009"})), 75, "what the organizer has set stays");
}

/// Every result page, sheet and export of a tuolaji event names its table of big points.
#[test]
fn the_table_of_big_points_stands_wherever_results_do() {
    let (server, chief) = with_chief();
    let body = json!({"id": "e1", "game": "tuolaji", "title": "周末赛", "format": "pairs", "boards": 4,
        "rules": {"base": "zhuhai-2009", "big_points": "H3"}});
    chief.post("/api/v1/events", &body).ok();
    enter_pairs(&chief, "e1", 4);
    for act in ["announcement", "lock"] {
        chief.post(&format!("/api/v1/events/e1/{act}"), &json!({})).ok();
    }
    let table =
        chief.get("/api/v1/events/e1").ok()["rules"]["big_points"]["name"].as_str().unwrap().to_owned();
    assert!(table.ends_with("H3"), "{table}");
    let anybody = Client::new(&server.base);
    let entrants = chief.get("/api/v1/events/e1/entrants").ok();
    let entrant = entrants["items"][0]["id"].as_str().unwrap();
    let card = format!("/entrants/{entrant}");
    for path in [
        "",
        "/cross-tab",
        "/boards",
        "/boards/1",
        "/boards/1/projector",
        "/projector",
        card.as_str(),
        "/rules",
        "/verify",
    ] {
        let text = page(&anybody, &format!("/events/e1{path}"));
        assert!(text.contains(&table), "/events/e1{path}");
    }
    assert_eq!(chief.get("/api/v1/events/e1/standings").ok()["big_points"], table);
    for view in
        ["ranking".to_owned(), "cross-tab".to_owned(), "seats".to_owned(), format!("card?entrant={entrant}")]
    {
        let join = if view.contains('?') { '&' } else { '?' };
        let get = |form: &str| chief.get(&format!("/api/v1/events/e1/views/{view}{join}format={form}"));
        assert_eq!(get("json").ok()["big_points"], table, "{view}");
        for form in ["text", "csv"] {
            assert!(get(form).text().contains(&format!("Table of big points: {table}")), "{view} {form}");
        }
        assert_eq!(get("xlsx").status, 200);
    }
    locked(&chief, "w1", 2, &json!({}));
    assert!(chief.get("/api/v1/events/w1/standings").ok().get("big_points").is_none());
}

/// A person who is not there is slow at the rules' limit; the referee sees how often, and what the rules give for it.
#[test]
fn slow_play_is_counted_for_the_referee() {
    let (server, chief) = with_chief();
    let more = json!({"game": "tuolaji", "pace": "rounds", "late_s": 0, "boards": 4, "rules": {"base": "zhuhai-2009",
        "draw_ms": 1, "call_window_s": 1, "play_s": 1, "bottom_s": 1, "throw_choice_s": 1, "hard_extra_s": 0}});
    locked(&chief, "e1", 2, &more);
    chief.post("/api/v1/events/e1/rounds/1/start", &json!({})).ok();
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(2);
    let counted = loop {
        let answer = chief.get("/api/v1/events/e1/slow-play").ok();
        let most =
            answer["items"].as_array().unwrap().iter().map(|line| line["count"].as_u64().unwrap()).max();
        if most.unwrap_or(0) >= 2 {
            break answer;
        }
        assert!(std::time::Instant::now() < deadline, "nobody was slow: {answer}");
        std::thread::sleep(std::time::Duration::from_millis(200));
    };
    for line in counted["items"].as_array().unwrap() {
        let count = line["count"].as_u64().unwrap();
        assert_eq!(
            (&line["round"], line["penalty"].as_u64().unwrap()),
            (&json!(1), 10 * (count - 1)),
            "{line}"
        );
        assert!(line.get("member").is_none(), "nobody plays in a pair: {line}");
    }
    assert_eq!(Client::new(&server.base).get("/api/v1/events/e1/slow-play").status, 401);
}
