//! Whoever reads a page reads words: the log, explanations and states have no identifier of a program in them, in any
//! language, and Chinese ones no word in Latin letters but names.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fushi::scoring::{Amount, Awards, Entry, Equalise, Event, Exact, Lone, Method, Penalty, Rules, Status};
use fushi::words::{Lang, find, say, terms};
use serde_json::json;

use crate::server::{Client, Inside};
use crate::web_accounts::{PASSWORD, somebody, with_chief};
use crate::web_events::{draft, enter, locked};
use crate::web_results::play;

/// Words in Latin letters that stand in Chinese sentences: names of things that have no other, and what a test wrote.
const LATIN: &[&str] = &[
    "English", "IMP", "SHA", "QR", "UTC", "TDA", "JJ", "Match", "Poker", "Player", "Tablet", "wakeng",
    "fushi", "a", "s", "d", "x",
];

/// Words that belong to programs. Those that are words of English, too, are wrong in Chinese only.
const PROGRAM: &[&str] = &["undefined", "null", "NaN", "object"];
const ENGLISH_TOO: &[&str] = &["true", "false", "none", "yes", "no"];

/// What is wrong with a text that people read: identifiers with hyphens, underscores or points, words of programs, and
/// in Chinese any Latin word that is not known.
fn code_in(lang: Lang, text: &str, known: &[&str]) -> Option<String> {
    let of_word = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    text.split(|letter| !of_word(letter)).map(|word| word.trim_matches(['-', '.', '_'])).find_map(|word| {
        let lower = word.chars().any(|one| one.is_ascii_lowercase());
        if !lower || known.contains(&word) {
            return None;
        }
        let hex = word.len() >= 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let joined = word.contains('_')
            || (word.contains('-')
                && word == word.to_ascii_lowercase()
                && !["big-endian", "re-ranks"].contains(&word))
            || (word.contains('.') && !word.ends_with('.') && word.parse::<f64>().is_err());
        let program = PROGRAM.contains(&word) || (lang != Lang::En && ENGLISH_TOO.contains(&word));
        let latin = lang != Lang::En && !LATIN.contains(&word) && !hex;
        (!hex && (joined || program || latin)).then(|| format!("{lang}: `{word}` in {text}"))
    })
}

#[test]
fn codes_are_found_and_words_are_not() {
    for (lang, text) in [
        (Lang::En, "method score-rate"),
        (Lang::En, "live.round_minutes 3"),
        (Lang::En, "seat undefined"),
        (Lang::ZhCn, "按 true 处理"),
        (Lang::ZhCn, "状态 locked → official"),
        (Lang::ZhCn, "order end"),
        (Lang::ZhTw, "none"),
    ] {
        assert!(code_in(lang, text, &[]).is_some(), "{text}");
    }
    for (lang, text) in [
        (Lang::En, "Score rate: 83.33 %, of 5 results"),
        (Lang::ZhCn, "得分率 83.33 %，A+，IMP 表，A 方位"),
        (Lang::ZhCn, "指纹 0123456789abcdef0123456789abcdef"),
    ] {
        assert_eq!(code_in(lang, text, &[]), None);
    }
}

/// The codes of the acts that the program writes into the log, as its source has them.
fn acts() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            if path.extension().is_none_or(|ending| ending != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for before in ["call.audit(\"", "log(&call, \"", "act: \"", "const ACT: &str = \""] {
                for (at, _) in text.match_indices(before) {
                    let code = text[at + before.len()..].split('"').next().unwrap();
                    found.insert(code.to_owned());
                }
            }
            for before in ["event.act(", "self.act("] {
                for (at, _) in text.match_indices(before) {
                    let call = text[at..].split(')').next().unwrap();
                    if let Some(code) = call.split('"').nth(1).filter(|code| !code.is_empty()) {
                        found.insert(code.to_owned());
                    }
                }
            }
        }
    }
    found
}

/// Acts of a log-in and of the demo, which the log of an event's page does not meet in this test.
const ELSEWHERE: &[&str] = &[
    "log-in",
    "log-out",
    "locked-out",
    "end-session",
    "change-password",
    "set-up",
    "seat-token",
    "mark-call",
];

#[test]
fn every_act_of_the_log_has_words() {
    let acts = acts();
    assert!(acts.len() > 35, "{acts:?}");
    for act in &acts {
        for lang in Lang::ALL {
            let said = find(lang, &format!("audit-act-{act}"));
            let said = said.unwrap_or_else(|| panic!("`{act}` has no words in {lang}"));
            assert_eq!(code_in(lang, &said, &[]), None);
        }
    }
}

/// An event in which everything is done once that stands in the log, with every field that it can have.
fn everything(chief: &Client, referee: &Client, anybody: &Client) {
    let api = |path: &str| format!("/api/v1/events/e1{path}");
    draft(
        chief,
        "e1",
        &json!({"format": "human-ai", "boards": 2, "boards_per_round": 1, "opponents": "wakeng-1"}),
    );
    chief
        .patch(
            &api(""),
            &json!({
                "title": "周日赛", "host": "飞牌社", "ruleset": "wakeng-plain", "format": "individual", "boards": 6, "boards_per_round": 6,
                "reserve_boards": 3, "fill": "bye", "opponents": "wakeng-2", "pace": "rounds", "round_minutes": 30,
                "ai_delay_ms": 10, "grace_ms": 2500, "late_s": 9, "between_s": 4, "auto_rounds": true, "alarm_s": 90, "absent_s": 45, "language": "zh-TW",
                "delayed": {"description": "彩票", "form": "text", "length": 4, "known_after": 1_900_000_000_000_000_i64},
                "scoring": {"method": "butler", "equalise": "linear", "lone": "half", "style": "2-3", "min_boards": 1,
                            "tie_break": ["average", "raw-sum"],
                            "awards": {"plus": "7/10", "even": "1/2", "minus": "3/10", "imps": "2", "own_average": false},
                            "butler": {"trim": 2, "trim_from": 9, "datum_rounding": "5"}},
            }),
        )
        .ok();
    chief.patch(&api(""), &json!({"rules": {"base": "wakeng-bomb", "name": "俱乐部", "unit": 2}})).ok();
    chief
        .patch(
            &api(""),
            &json!({"format": "human-ai", "seat": "B", "boards": 1, "boards_per_round": 1, "reserve_boards": 0,
                    "fill": "stand-in", "opponents": "random", "pace": "own", "delayed": "none",
                    "scoring": {"method": "score-rate"}, "ruleset": "wakeng-bomb"}),
        )
        .ok();
    enter(chief, "e1", 2);
    let gone = chief.post(&api("/entrants"), &json!({"name": "Player x"})).ok();
    let known = json!({"name": "电脑选手", "level": "wakeng-2", "club": "飞牌社", "region": "陕西"});
    let known = chief.post(&api("/entrants"), &known).ok()["id"].as_str().unwrap().to_owned();
    let corrected = json!({"name": "补位电脑", "club": "红心社", "region": "", "reason": "x"});
    chief.patch(&api(&format!("/entrants/{known}")), &corrected).ok();
    chief.put(&api("/offices"), &json!({"one_account": true, "reason": "x"})).ok();
    let gone = gone["id"].as_str().unwrap().to_owned();
    chief.delete(&api(&format!("/entrants/{gone}?reason=x"))).ok();
    chief.send("POST", &api("/entrants/import"), Some("text/csv"), "name\n李伟\n".as_bytes()).ok();
    chief.post(&api("/announcement"), &json!({})).ok();
    let entrant = chief.get(&api("/entrants")).ok()["items"][0]["id"].as_str().unwrap().to_owned();
    chief.post(&api("/lock"), &json!({})).ok();
    let hash = chief.get(&api("")).ok()["ruleset_hash"].clone();
    chief.put(&api(&format!("/checkins/{entrant}")), &json!({"rules_hash": hash})).ok();
    chief.delete(&api(&format!("/checkins/{entrant}?reason=x"))).ok();
    let codes = chief.post(&api("/seat-codes"), &json!({})).ok();
    chief.post(&api("/ai-tokens"), &json!({"entrants": [entrant]})).ok();
    anybody.post(&api("/seat"), &json!({"code": codes["items"][0]["code"]})).ok();
    chief.delete(&api(&format!("/seats/{entrant}?reason=x"))).ok();
    chief.put(&api("/networks"), &json!({"networks": ["127.0.0.0/8"]})).ok();
    let device = chief.post(&api("/devices"), &json!({"name": "Tablet", "table": 1, "seat": "A"})).ok();
    let device = device["id"].as_str().unwrap().to_owned();
    chief.delete(&api(&format!("/devices/{device}?reason=x"))).ok();
    chief.post(&api("/rounds/1/start"), &json!({})).ok();
    for paused in [true, false] {
        chief.post(&api("/pause"), &json!({"paused": paused, "reason": "x"})).ok();
    }
    referee.post(&api("/warnings"), &json!({"entrant": entrant, "code": "late", "reason": "x"})).ok();
    for order in [
        json!({"order": "stop"}),
        json!({"order": "go"}),
        json!({"order": "give", "seat": "A", "ms": 60_000}),
        json!({"order": "look"}),
        json!({"order": "end"}),
    ] {
        let mut order = order;
        order["reason"] = json!("x");
        // The log is written before the order, whether or not there is a table.
        let _ = referee.post(&api("/tables/1/orders"), &order);
    }
    chief.put(&api("/freeze"), &json!({"frozen": true, "reason": "x"})).ok();
    chief.put(&api("/freeze"), &json!({"frozen": false, "reason": "x"})).ok();
}

/// An event with a void board that is replayed, and one with a stage that is closed.
fn replayed_and_closed(server: &Inside, chief: &Client, head: &Client) {
    locked(chief, "e4", 3, &json!({"opponents": "random"}));
    play(server, "e4", |sitting| sitting.board == 1);
    let void = json!({"number": 1, "reason": "x", "decision": {"void": {"board": 2}}, "confirm": true});
    head.post("/api/v1/events/e4/rulings", &void).ok();
    head.post("/api/v1/events/e4/replays", &json!({"board": 2, "reason": "x"})).ok();
    locked(chief, "e5", 2, &json!({"opponents": "random"}));
    play(server, "e5", |_| true);
    chief.post("/api/v1/events/e5/stages/1/close", &json!({"reason": "x"})).ok();
}

#[test]
fn every_entry_of_the_log_is_words_in_every_language() {
    let (server, chief) = with_chief();
    let referee = somebody(&server, &chief, "referee");
    let head = somebody(&server, &chief, "chief-referee");
    everything(&chief, &referee, &Client::new(&server.base));
    chief.post("/api/v1/events/e1/finish", &json!({"reason": "x"})).ok();
    let ruling = json!({"number": 1, "reason": "x", "decision": {"void": {"board": 1}}});
    head.post("/api/v1/events/e1/rulings", &ruling).ok();
    for state in ["provisional", "official"] {
        chief.post("/api/v1/events/e1/revisions", &json!({"state": state, "reason": "x"})).ok();
    }
    chief.post("/api/v1/events/e1/reveal", &json!({"reason": "x"})).ok();
    let _ = chief.get("/api/v1/events/e1/bundle");
    // A delayed value, which is known a moment after it was announced; and accounts.
    let soon = server.app.clock.now() + 3_000_000;
    draft(&chief, "e2", &json!({"delayed": {"description": "x", "known_after": soon}}));
    enter(&chief, "e2", 2);
    chief.post("/api/v1/events/e2/announcement", &json!({})).ok();
    let mut tries = 0;
    while chief.put("/api/v1/events/e2/delayed", &json!({"value": "12"})).status != 200 {
        tries += 1;
        assert!(tries < 600, "the value is never taken");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let made = json!({"name": "li", "display": "李伟", "password": PASSWORD,
                      "grants": [{"role": "referee", "event": "e1"}, {"role": "organizer"}]});
    let made = chief.post("/api/v1/accounts", &made).ok();
    let id = made["id"].as_str().unwrap();
    chief.patch(&format!("/api/v1/accounts/{id}"), &json!({"disabled": true, "reason": "x"})).ok();
    chief.patch(&format!("/api/v1/accounts/{id}"), &json!({"disabled": false, "reason": "x"})).ok();
    let appoint = json!({"role": "chief-referee", "reason": "x"});
    head.post(&format!("/api/v1/accounts/{id}/appointments"), &appoint).ok();
    // Of a pair, each of both takes a seat.
    let pairs = json!({"game": "tuolaji", "format": "pairs", "boards": 4, "opponents": "random"});
    draft(&chief, "e3", &pairs);
    for number in 1..=4 {
        let body = json!({"name": format!("甲{number}"), "partner": format!("乙{number}")});
        chief.post("/api/v1/events/e3/entrants", &body).ok();
    }
    chief.post("/api/v1/events/e3/announcement", &json!({})).ok();
    chief.post("/api/v1/events/e3/lock", &json!({})).ok();
    let codes = chief.post("/api/v1/events/e3/seat-codes", &json!({})).ok();
    for line in codes["items"].as_array().unwrap().iter().take(2) {
        Client::new(&server.base).post("/api/v1/events/e3/seat", &json!({"code": line["code"]})).ok();
    }
    let seats = chief.get("/api/v1/events/e3/audit?limit=500&lang=zh-CN").ok().to_string();
    assert!(seats.contains("一对中的第一位") && seats.contains("一对中的第二位"), "{seats}");
    replayed_and_closed(&server, &chief, &head);
    let mut acts_seen = BTreeSet::new();
    let mut fields = 0;
    let mut wrong = Vec::new();
    for lang in Lang::ALL {
        for path in [
            "/api/v1/audit",
            "/api/v1/events/e1/audit",
            "/api/v1/events/e2/audit",
            "/api/v1/events/e3/audit",
            "/api/v1/events/e4/audit",
            "/api/v1/events/e5/audit",
        ] {
            let page = chief.get(&format!("{path}?limit=500&lang={lang}")).ok();
            for line in page["items"].as_array().unwrap() {
                acts_seen.insert(line["act"].as_str().unwrap().to_owned());
                // Without an event its entrants have no names.
                if path == "/api/v1/audit" && !line["event"].is_null() {
                    continue;
                }
                // Ids of events, names of accounts and fields of a ruleset are what people wrote themselves; `play` reads the
                // key for a test.
                let known = ["e1", "e2", "li", "chief", "referee", "chief-referee", "unit", "test"];
                let known = known.as_slice();
                wrong.extend(code_in(lang, line["why"].as_str().unwrap(), known));
                for change in line["changes"].as_array().unwrap() {
                    fields += 1;
                    for part in ["what", "before", "after"] {
                        if let Some(text) = change[part].as_str() {
                            wrong.extend(
                                code_in(lang, text, known)
                                    .map(|one| format!("{} {change}: {one}", line["act"])),
                            );
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(fields > 150, "only {fields} fields were seen");
    let missing: Vec<String> = acts()
        .into_iter()
        .filter(|act| !acts_seen.contains(act) && !ELSEWHERE.contains(&act.as_str()))
        .collect();
    assert!(missing.is_empty(), "never seen: {missing:?}");
    // The right words, not only some.
    let said = chief.get("/api/v1/events/e1/audit?limit=500&lang=zh-CN").ok();
    let lines: Vec<String> = said["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| format!("{} {}", line["why"], fushi::canonical::to_string(&line["changes"]).unwrap()))
        .collect();
    let all = lines.join("\n");
    for words in [
        r#"{"after":"终止本副","what":"指令"}"#,
        r#"{"after":"60 秒","what":"时间"}"#,
        r#"{"after":"A","what":"方位"}"#,
        r#"{"after":"迟到","what":"事由"}"#,
        r#"{"after":"正式成绩已发布","before":"临时成绩已发布","what":"状态"}"#,
        r#"{"after":"是","before":"否","what":"排名隐藏"}"#,
        "Player 1 (",
        "为公告牌的指纹",
    ] {
        assert!(all.contains(words), "{words} in\n{all}");
    }
}

/// Every way in which a result can have come about, under every method.
#[test]
fn every_explanation_is_words_in_every_language() {
    let mut wrong = Vec::new();
    let mut told = 0;
    for method in Method::ALL {
        for (equalise, lone) in [
            (Equalise::None, Lone::Undefined),
            (Equalise::Neuberg, Lone::Half),
            (Equalise::Linear, Lone::Half),
        ] {
            let rules =
                Rules { method: *method, equalise, lone, awards: Awards::default(), ..Rules::default() };
            let mut event = Event::new(rules);
            for (entrant, score) in [("甲", 6), ("乙", 2), ("丙", 2), ("丁", -4)] {
                event.add("1", "NS", entrant, Entry::played(score)).unwrap();
            }
            for (at, status) in
                Status::ALL.iter().enumerate().filter(|(_, status)| **status != Status::Played)
            {
                event.add("1", "NS", &format!("戊{at}"), Entry::of(*status)).unwrap();
            }
            let half = || "1/2".parse::<Exact>().unwrap();
            let two = Entry::weighted("7", [(half(), 3.into()), (half(), (-3).into())]);
            event.add("1", "NS", "己", two).unwrap();
            let points = Penalty { ruling: "8".to_owned(), amount: Amount::Points(Exact::ONE) };
            event.add("1", "NS", "庚", Entry::played(5).penalised(points)).unwrap();
            event.add("1", "A", "甲", Entry::played(1)).unwrap();
            let settled = event.settle();
            let others = Status::ALL.iter().enumerate().map(|(at, _)| format!("戊{at}"));
            let names = ["甲", "乙", "丁", "己", "庚"].map(str::to_owned).into_iter().chain(others);
            for (seat, name) in names.map(|name| ("NS", name)).chain([("A", "甲".to_owned())]) {
                let Some(explanation) = settled.explain("1", seat, &name) else { continue };
                for sentence in explanation.sentences() {
                    told += 1;
                    for lang in Lang::ALL {
                        wrong.extend(code_in(lang, &say(lang, &sentence), &[]));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(told > 500, "only {told} sentences");
    let mut event = Event::new(Rules::default());
    event.add("1", "NS", "甲", Entry::played(6)).unwrap();
    event.add("1", "NS", "乙", Entry::of(Status::NotPlayed)).unwrap();
    let settled = event.settle();
    let first = settled.explain("1", "NS", "甲").unwrap().sentences();
    assert_eq!(say(Lang::ZhCn, &first[0]), "甲，第 1 副，南北：原始分 6，计分方法：得分率。");
}

#[test]
fn every_state_is_words_in_every_language() {
    for state in ["draft", "announced", "locked", "provisional", "official", "final"] {
        for lang in Lang::ALL {
            let said = say(lang, &terms::state(state));
            assert_eq!(code_in(lang, &said, &[]), None);
            assert!(lang == Lang::En || !said.to_ascii_lowercase().contains(state), "{said}");
        }
    }
}

/// A refusal at the wrong stage says the stage in words.
#[test]
fn a_refusal_at_another_stage_names_the_stage_in_words() {
    let (server, chief) = with_chief();
    draft(&chief, "e1", &json!({}));
    enter(&chief, "e1", 2);
    let reply = chief.post("/api/v1/events/e1/lock?lang=zh-CN", &json!({})).json();
    assert_eq!(reply["detail"], "赛事现在的阶段：筹备中", "{reply}");
    drop(server);
}
