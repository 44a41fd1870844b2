//! The rules of tuolaji as players read them: one sentence for each point, with the values of the ruleset.

use super::big_points::{BigPoints, View};
use super::ladder::Level;
use super::rules::{
    AutomaticPlay, BottomShape, Calling, ChoiceTimeout, Decomposition, FlipJoker, NoTrumpCall, Rules,
    SlowPlayCounter, ThrowChoice,
};
use crate::games::{Clause, seconds};
use crate::words::{Message, message};

const fn yes(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// Several things of a list, as a sentence holds them.
fn listed(things: impl Iterator<Item = Message>) -> Option<Message> {
    things.reduce(|before, thing| message!("rules-list", before, thing))
}

fn level(level: Level) -> Message {
    let name = level.to_string();
    Message::verbatim(if name == "T" { "10".to_owned() } else { name })
}

/// Points with their sign: `+4`, `−3`, `0`.
fn signed(points: i64) -> String {
    if points == 0 { "0".to_owned() } else { format!("{points:+}").replace('-', "−") }
}

/// Who calls trump, with what and until when.
fn calling(rules: &Rules) -> [Clause; 7] {
    let order = match rules.calling {
        Calling::Realtime => "realtime",
        Calling::Stepped => "stepped",
    };
    let jokers = match rules.no_trump_call {
        NoTrumpCall::IdenticalJokers => "equal",
        NoTrumpCall::AnyTwoJokers => "any",
    };
    let barred = match listed(rules.no_trump_barred.iter().copied().map(level)) {
        Some(levels) => message!("rules-tuolaji-barred", levels),
        None => message!("rules-tuolaji-none-barred"),
    };
    let joker = match rules.flip_joker_at_scoring_level {
        FlipJoker::NoTrump => "stands",
        FlipJoker::NextCard => "next",
    };
    let window = rules.call_window_s;
    [
        Clause::new("draw", message!("rules-tuolaji-draw", pace = seconds(rules.draw_ms), order = order)),
        Clause::new("call", message!("rules-tuolaji-call")),
        Clause::new(
            "no-trump",
            message!("rules-tuolaji-no-trump", jokers = jokers, opens = yes(rules.no_trump_may_open)),
        ),
        Clause::new("no-trump-barred", barred),
        Clause::new("own-call", message!("rules-tuolaji-own-call", may = yes(rules.allow_reinforce))),
        Clause::new(
            "window",
            message!("rules-tuolaji-window", window, anew = yes(rules.call_restarts_window)),
        ),
        Clause::new("flip", message!("rules-tuolaji-flip", joker = joker)),
    ]
}

/// Leads, throws, following, the bottom.
fn play(rules: &Rules) -> [Clause; 9] {
    let lead = match rules.decomposition {
        Decomposition::LongestRunFirst => message!("rules-tuolaji-lead"),
    };
    let choice = match rules.throw_choice {
        ThrowChoice::AnyBlockedKind => "any",
        ThrowChoice::SingleOrPair => "single-or-pair",
    };
    let late = match rules.throw_choice_timeout {
        ChoiceTimeout::Largest => "largest",
        ChoiceTimeout::Smallest => "smallest",
    };
    let shape = match rules.bottom_shape {
        BottomShape::Lead => "lead",
        BottomShape::WinnerCards => "winner",
    };
    [
        Clause::new("trumps", message!("rules-tuolaji-trumps")),
        Clause::new("lead", lead),
        Clause::new("follow", message!("rules-tuolaji-follow")),
        Clause::new("winner", message!("rules-tuolaji-winner")),
        Clause::new("throw", message!("rules-tuolaji-throw", penalty = rules.blocked_card_penalty)),
        Clause::new("throw-choice", message!("rules-tuolaji-choice", choice = choice, late = late)),
        Clause::new("attempt", message!("rules-tuolaji-attempt", shown = yes(rules.publish_attempt))),
        Clause::new("points", message!("rules-tuolaji-points")),
        Clause::new("bottom", message!("rules-tuolaji-bottom", shape = shape)),
    ]
}

/// Time, slow play, rounds.
fn time(rules: &Rules) -> [Clause; 4] {
    let counter = match rules.slow_play_counter {
        SlowPlayCounter::PlayerPerRound => "player-round",
        SlowPlayCounter::PlayerPerEvent => "player-event",
        SlowPlayCounter::PairPerRound => "pair-round",
    };
    let automatic = match rules.automatic_play {
        AutomaticPlay::Smallest => message!("rules-tuolaji-automatic", extra = rules.hard_extra_s),
    };
    let (play, bottom, choice) = (rules.play_s, rules.bottom_s, rules.throw_choice_s);
    [
        Clause::new("time", message!("rules-tuolaji-time", play, bottom, choice)),
        Clause::new(
            "slow-play",
            message!("rules-tuolaji-slow", penalty = rules.slow_play_penalty, counter = counter),
        ),
        Clause::new("automatic", automatic),
        Clause::new("round", message!("rules-tuolaji-round", minutes = rules.round_min)),
    ]
}

/// The table of big points: its name and every class.
fn big_points(table: &BigPoints) -> [Clause; 4] {
    let View::Defenders = table.view;
    // Below the first row its value holds: where that row begins says nothing.
    let lowest = signed(table.rows.first().map_or(0, |row| row.v));
    let floor = match table.rows.get(1) {
        Some(next) => message!("rules-points-below", min = next.min, v = lowest),
        None => message!("rules-points-always", v = lowest),
    };
    let rows =
        table.rows.iter().skip(1).map(|row| message!("rules-points-row", min = row.min, v = signed(row.v)));
    let tail = match table.tail.step {
        step @ 1.. => {
            message!("rules-points-tail", from = table.tail.from, step, add = signed(table.tail.add))
        }
        _ => message!("rules-points-no-tail"),
    };
    let classes = listed(std::iter::once(floor).chain(rows).chain([tail])).unwrap_or_else(|| "".into());
    let forfeit = message!("rules-points-forfeit", small = table.forfeit.small, big = table.forfeit.big);
    [
        Clause::new("big-points", message!("rules-points", name = &table.name, classes)),
        Clause::new("big-points-cap", message!("rules-points-cap", cap = table.cap)),
        Clause::new(
            "awards",
            message!("rules-points-awards", misdeal = table.award_misdeal, concealed = table.award_concealed),
        ),
        Clause::new("forfeit", forfeit),
    ]
}

/// The topics that say what an offence costs.
pub(super) const PENALTIES: &[&str] = &["slow-play", "awards", "forfeit"];

/// Every clause, in the order of a board.
pub(super) fn clauses(rules: &Rules) -> Vec<Clause> {
    let mut clauses = vec![Clause::new("aim", message!("rules-tuolaji-aim"))];
    clauses.extend(calling(rules));
    clauses.push(Clause::new("lay-away", message!("rules-tuolaji-lay-away")));
    clauses.extend(play(rules));
    clauses.extend(big_points(&rules.big_points));
    clauses.extend(time(rules));
    clauses
}
