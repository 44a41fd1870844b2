//! The rules of an event in a few lines, with the values of its own ruleset: what a player acknowledges before play.

use serde_json::Value;

use super::Visit;
use crate::games::GameKind;
use crate::words::Message;

/// A value of a ruleset as people read it.
fn shown(rules: &Value, path: &str) -> String {
    let value = path.split('.').try_fold(rules, |value, key| value.get(key)).unwrap_or(&Value::Null);
    match value {
        Value::String(text) if text == "T" => "10".to_owned(),
        Value::String(text) => text.clone(),
        Value::Null => "–".to_owned(),
        other => other.to_string(),
    }
}

/// Whole seconds of a value in ms.
fn seconds(rules: &Value, path: &str) -> String {
    let ms = path.split('.').try_fold(rules, |value, key| value.get(key)).and_then(Value::as_u64);
    ms.map_or_else(|| "–".to_owned(), |ms| (ms / 1000).to_string())
}

fn wakeng(rules: &Value) -> Vec<Message> {
    let is = |path: &str, value: &str| shown(rules, path) == value;
    let mut lines = vec![
        Message::plain("pages-wakeng-aim"),
        Message::plain(match shown(rules, "weakest").as_str() {
            "3" => "pages-wakeng-order-3",
            "2" => "pages-wakeng-order-2",
            _ => "pages-wakeng-order-4",
        }),
        Message::plain("pages-wakeng-plays")
            .with("singles", shown(rules, "run_of_singles"))
            .with("pairs", shown(rules, "run_of_pairs"))
            .with("top", shown(rules, "run_top")),
        Message::plain(if is("quad", "bomb") { "pages-wakeng-bomb" } else { "pages-wakeng-no-bomb" })
            .with("factor", shown(rules, "bomb_factor")),
        Message::plain("pages-wakeng-bid").with("rotten", shown(rules, "rotten_dig_bid")),
    ];
    if is("show_before_bid", "true") || is("banker_show", "true") {
        lines.push(Message::plain("pages-wakeng-show").with("factor", shown(rules, "show_factor")));
    }
    if is("doubling", "true") {
        lines.push(Message::plain("pages-wakeng-double").with("factor", shown(rules, "double_factor")));
    }
    lines.push(Message::plain("pages-wakeng-trick"));
    lines.push(
        Message::plain("pages-wakeng-time")
            .with("bid", shown(rules, "bid_s"))
            .with("play", shown(rules, "play_s")),
    );
    lines
}

fn tuolaji(rules: &Value) -> Vec<Message> {
    vec![
        Message::plain("pages-tuolaji-aim"),
        Message::plain("pages-tuolaji-call"),
        Message::plain("pages-tuolaji-points"),
        Message::plain("pages-tuolaji-follow"),
        Message::plain("pages-tuolaji-throw").with("penalty", shown(rules, "blocked_card_penalty")),
        Message::plain("pages-tuolaji-bottom"),
        Message::plain("pages-tuolaji-time")
            .with("play", shown(rules, "play_s"))
            .with("bottom", shown(rules, "bottom_s")),
    ]
}

fn holdem(rules: &Value) -> Vec<Message> {
    vec![
        Message::plain("pages-holdem-aim"),
        Message::plain("pages-holdem-stacks")
            .with("stack", shown(rules, "duplicate.stack"))
            .with("small", shown(rules, "duplicate.small_blind"))
            .with("big", shown(rules, "duplicate.big_blind")),
        Message::plain("pages-holdem-score"),
        Message::plain("pages-holdem-raise"),
        Message::plain(if shown(rules, "preflop_betting") == "pot-limit" {
            "pages-holdem-pot-limit"
        } else {
            "pages-holdem-no-limit"
        }),
        Message::plain("pages-holdem-time").with("decide", seconds(rules, "clock.decide_ms")),
    ]
}

/// The rules in lines.
#[must_use]
pub fn lines(visit: &Visit, kind: GameKind, rules: &Value) -> Vec<String> {
    let messages = match kind {
        GameKind::Wakeng => wakeng(rules),
        GameKind::Tuolaji => tuolaji(rules),
        GameKind::Holdem => holdem(rules),
    };
    messages.iter().map(|message| visit.tell(message)).collect()
}

/// How one behaves at the table, in lines.
#[must_use]
pub fn conduct(visit: &Visit) -> Vec<String> {
    ["pages-conduct-alone", "pages-conduct-final", "pages-conduct-clock", "pages-conduct-referee"]
        .into_iter()
        .map(|id| visit.say(id))
        .collect()
}
