//! The rules of hold'em as players read them: one sentence for each point, with the values of the ruleset.

use super::rules::{
    AllInCards, AnteKind, BigBlindAnte, Duplicate, FacingNoBet, OddChips, PreflopBetting, Rules, ShortAllIns,
    ShowFirst,
};
use crate::games::{Clause, seconds};
use crate::words::message;

/// How a board begins.
fn board(board: &Duplicate) -> [Clause; 3] {
    let ante = match board.ante_kind {
        AnteKind::None => message!("rules-holdem-ante-none"),
        AnteKind::All => message!("rules-holdem-ante-all", ante = board.ante),
        AnteKind::Bb => message!("rules-holdem-ante-bb", ante = board.ante),
    };
    let (seats, stack) = (board.seats, board.stack);
    [
        Clause::new("stacks", message!("rules-holdem-stacks", seats, stack, unit = board.unit)),
        Clause::new(
            "blinds",
            message!("rules-holdem-blinds", small = board.small_blind, big = board.big_blind),
        ),
        Clause::new("ante", ante),
    ]
}

/// Every clause, in the order of a hand.
pub(super) fn clauses(rules: &Rules) -> Vec<Clause> {
    let first = match rules.big_blind_ante {
        BigBlindAnte::BlindFirst => "blind",
        BigBlindAnte::AnteFirst => "ante",
    };
    let short = match rules.short_all_ins {
        ShortAllIns::AddUp => "add-up",
        ShortAllIns::EachAlone => "alone",
    };
    let preflop = match rules.preflop_betting {
        PreflopBetting::PotLimit => "pot",
        PreflopBetting::NoLimit => "none",
    };
    let cards = match rules.all_in_cards {
        AllInCards::FaceUp => "up",
        AllInCards::InTurn => "turn",
    };
    let show = match rules.show_first {
        ShowFirst::LastAggressor => "aggressor",
        ShowFirst::LeftOfButton => "left",
    };
    let odd = match rules.odd_chips {
        OddChips::OneEach => "each",
        OddChips::AllToFirst => "first",
    };
    let pot = if rules.pot_shown { "yes" } else { "no" };
    let free = match rules.clock.facing_no_bet {
        FacingNoBet::Dead => "dead",
        FacingNoBet::Check => "check",
    };
    let (decide, countdown) = (seconds(rules.clock.decide_ms), seconds(rules.clock.countdown_ms));
    let mut clauses = vec![Clause::new("aim", message!("rules-holdem-aim"))];
    clauses.extend(board(&rules.duplicate));
    clauses.extend([
        Clause::new("blind-and-ante", message!("rules-holdem-blind-ante", first = first)),
        Clause::new("raise", message!("rules-holdem-raise")),
        Clause::new("limit", message!("rules-holdem-limit", preflop = preflop)),
        Clause::new("short-all-ins", message!("rules-holdem-short", short = short)),
        Clause::new("all-in", message!("rules-holdem-all-in", cards = cards)),
        Clause::new("show", message!("rules-holdem-show", show = show)),
        Clause::new("odd-chips", message!("rules-holdem-odd", odd = odd)),
        Clause::new("pot", message!("rules-holdem-pot", pot = pot)),
        Clause::new("score", message!("rules-holdem-score")),
        Clause::new("time", message!("rules-holdem-time", decide, countdown, free = free)),
    ]);
    clauses
}
