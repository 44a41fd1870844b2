//! The rules of wakeng as players read them: one sentence for each point, with the values of the ruleset.

use super::rules::{BombCap, Combine, FirstLead, FirstSuit, Quad, Rules, RunTop, Weakest};
use crate::games::Clause;
use crate::words::message;

const fn weakest(rules: &Rules) -> &'static str {
    match rules.weakest {
        Weakest::Two => "2",
        Weakest::Three => "3",
        Weakest::Four => "4",
    }
}

const fn first_suit(rules: &Rules) -> &'static str {
    match rules.first_suit {
        FirstSuit::S => "S",
        FirstSuit::H => "H",
        FirstSuit::D => "D",
        FirstSuit::C => "C",
    }
}

const fn yes(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// Cards and combinations.
fn combinations(rules: &Rules) -> [Clause; 8] {
    let weakest = weakest(rules);
    let top = match rules.run_top {
        RunTop::K => "K",
        RunTop::A => "A",
    };
    let quad = match rules.quad {
        Quad::Bomb => "bomb",
        Quad::Plain => "plain",
    };
    let cap = match rules.bomb_cap {
        BombCap::None => "none".to_owned(),
        BombCap::At(bombs) => bombs.to_string(),
    };
    [
        Clause::new("order", message!("rules-wakeng-order", weakest = weakest)),
        Clause::new("sets", message!("rules-wakeng-sets")),
        Clause::new("runs", message!("rules-wakeng-runs", weakest = weakest, top = top)),
        Clause::new("runs-of-singles", message!("rules-wakeng-run-singles", fewest = rules.run_of_singles)),
        Clause::new("runs-of-pairs", message!("rules-wakeng-run-pairs", fewest = rules.run_of_pairs)),
        Clause::new("runs-of-triples", message!("rules-wakeng-run-triples", fewest = rules.run_of_triples)),
        Clause::new("runs-of-quads", message!("rules-wakeng-run-quads", fewest = rules.run_of_quads)),
        Clause::new(
            "quad",
            message!("rules-wakeng-quad", quad = quad, factor = rules.bomb_factor, cap = cap),
        ),
    ]
}

/// Bidding, the bottom, the first lead.
fn bidding(rules: &Rules) -> [Clause; 6] {
    let (suit, weakest) = (first_suit(rules), weakest(rules));
    let first_lead = match rules.first_lead {
        FirstLead::LowestCard => message!("rules-wakeng-lead-card", suit = suit, weakest = weakest),
        FirstLead::FirstSpeaker => message!("rules-wakeng-lead-speaker"),
    };
    [
        Clause::new("show-before", message!("rules-wakeng-show-before", there = yes(rules.show_before_bid))),
        Clause::new("first-speaker", message!("rules-wakeng-speaker", suit = suit, weakest = weakest)),
        Clause::new("bidding", message!("rules-wakeng-bid", rotten = rules.rotten_dig_bid)),
        Clause::new("bottom", message!("rules-wakeng-bottom")),
        Clause::new("banker-show", message!("rules-wakeng-banker-show", there = yes(rules.banker_show))),
        Clause::new("first-lead", first_lead),
    ]
}

/// What a board counts.
fn score(rules: &Rules) -> [Clause; 3] {
    let combine = match rules.combine {
        Combine::Max => "max",
        Combine::Product => "product",
    };
    let any = yes(rules.show_before_bid || rules.banker_show);
    [
        Clause::new(
            "shown-hands",
            message!("rules-wakeng-shown", there = any, factor = rules.show_factor, combine = combine),
        ),
        Clause::new(
            "doubling",
            message!("rules-wakeng-double", there = yes(rules.doubling), factor = rules.double_factor),
        ),
        Clause::new("score", message!("rules-wakeng-score", unit = rules.unit)),
    ]
}

/// Every clause, in the order of a board.
pub(super) fn clauses(rules: &Rules) -> Vec<Clause> {
    let mut clauses = vec![Clause::new("aim", message!("rules-wakeng-aim"))];
    clauses.extend(combinations(rules));
    clauses.extend(bidding(rules));
    clauses.push(Clause::new("trick", message!("rules-wakeng-trick")));
    clauses.extend(score(rules));
    clauses.push(Clause::new(
        "time",
        message!(
            "rules-wakeng-time",
            show = rules.show_s,
            bid = rules.bid_s,
            double = rules.double_s,
            play = rules.play_s
        ),
    ));
    clauses
}
