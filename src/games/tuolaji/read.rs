//! Reading a view back from the JSON that [`View`] writes.
//!
//! Whatever comes in is only data here: nothing is played, and bags that no board has are refused.

use std::sync::Arc;

use serde_json::Value;

use super::call::{self, Call};
use super::ladder::Level;
use super::rules::Rules;
use super::state::Phase;
use super::view::{AttemptSeen, CallSeen, PHASES, StatePhase, TrickSeen, View};
use super::{BOTTOM, DRAWN, HAND, SEAT_NAMES, seat_named};
use crate::games::reading::{Fields, ensure, exactly};

/// Reads a view of a board with these rules.
///
/// # Errors
/// What does not fit, in one line.
pub(super) fn view(rules: &Arc<Rules>, json: &Value) -> Result<View, String> {
    let fields = Fields::of_view(json)?;
    let phase = fields.word("phase", &PHASES)?;
    let state_phase = match phase {
        "draw" | "window" => Phase::Draw,
        "lay-away" => Phase::LayAway,
        "play" => Phase::Play,
        "choose" => Phase::Choose,
        _ => Phase::Over,
    };
    let level = fields.read("level")?;
    let calls = fields.list("calls", |value, place| call_seen(&Fields::of(value, place.to_owned())?))?;
    let waiting = fields.words("waiting", &SEAT_NAMES)?;
    let turn = waiting.first().filter(|_| state_phase != Phase::Draw).and_then(|name| seat_named(name));
    let last_trick = fields.some("last_trick", trick)?;
    let mut memory = fields.list("earlier_tricks", trick)?;
    memory.extend(last_trick.clone());
    let view = View {
        seat: fields.word_or_none("seat", &SEAT_NAMES)?,
        phase,
        level,
        trump: fields.read("trump")?,
        banker: fields.word("banker", &SEAT_NAMES)?,
        calling: fields.read("calling")?,
        drawn: fields.read("drawn")?,
        hand: fields.read("hand")?,
        cards_left: fields.read("cards_left")?,
        standing: calls.last().map(|last| standing(rules, level, last)).transpose()?,
        calls,
        flipped: fields.read("flipped")?,
        waiting,
        trick: trick(fields.value("trick"), "trick")?,
        last_trick,
        tricks: fields.read("tricks")?,
        small: fields.read("small")?,
        penalties: fields.read("penalties")?,
        bottom: fields.read("bottom")?,
        rules: Arc::clone(rules),
        memory,
        turn,
        state_phase: StatePhase(state_phase),
    };
    within_the_packs(&view)?;
    exactly(view, json)
}

/// Bounds that everything computed from a view relies on.
fn within_the_packs(view: &View) -> Result<(), String> {
    let count = view.memory.len();
    ensure(view.tricks == count, || format!("`tricks` should read {count}: so many tricks are told"))?;
    ensure(count <= HAND, || "`tricks`: a board has at most 25".to_owned())?;
    ensure(view.waiting.len() <= 4, || "`waiting` has at most four seats".to_owned())?;
    ensure(usize::from(view.drawn) <= DRAWN, || "`drawn` is at most 100".to_owned())?;
    ensure(view.hand.is_none_or(|hand| hand.len() <= HAND + BOTTOM), || {
        "`hand` has at most 33 cards".to_owned()
    })?;
    ensure(view.small.abs() <= 1_000_000 && view.penalties.abs() <= 1_000_000, || {
        "`small` and `penalties` are points of one board".to_owned()
    })?;
    let sound = |trick: &TrickSeen| {
        let size = trick.plays.first().map_or(0, |lead| lead.len());
        trick.plays.len() <= 4
            && trick.plays.iter().all(|play| play.len() == size && (1..=HAND).contains(&size))
    };
    ensure(view.memory.iter().chain([&view.trick]).all(sound), || {
        "a trick has up to four plays of as many cards as its lead".to_owned()
    })
}

fn call_seen(fields: &Fields<'_>) -> Result<CallSeen, String> {
    Ok(CallSeen {
        seat: fields.word("seat", &SEAT_NAMES)?,
        after: fields.read("after")?,
        cards: fields.read("cards")?,
        trump: fields.read("trump")?,
    })
}

/// The call behind what was seen of the last one.
fn standing(rules: &Rules, level: Level, last: &CallSeen) -> Result<Call, String> {
    let meaning = call::meaning(rules, level, last.cards).filter(|(trump, _)| *trump == last.trump);
    let (Some((trump, strength)), Some(seat)) = (meaning, seat_named(last.seat)) else {
        return Err("`calls`: the last one is no call of this level and ruleset".to_owned());
    };
    Ok(Call { seat, after: last.after, cards: last.cards, trump, strength })
}

fn trick(value: &Value, place: &str) -> Result<TrickSeen, String> {
    let fields = Fields::of(value, place.to_owned())?;
    Ok(TrickSeen {
        leader: fields.word("leader", &SEAT_NAMES)?,
        plays: fields.read("plays")?,
        attempt: fields.some("attempt", |value, place| attempt(&Fields::of(value, place.to_owned())?))?,
        winner: fields.word_or_none("winner", &SEAT_NAMES)?,
        points: fields.read("points")?,
    })
}

fn attempt(fields: &Fields<'_>) -> Result<AttemptSeen, String> {
    Ok(AttemptSeen {
        seat: fields.word("seat", &SEAT_NAMES)?,
        cards: fields.read("cards")?,
        blocked: fields.read("blocked")?,
        choices: fields.read("choices")?,
    })
}
