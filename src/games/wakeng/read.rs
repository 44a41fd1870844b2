//! Reading a view back from the JSON that [`View`] writes.
//!
//! Whatever comes in is only data here: nothing is played, and nothing is believed that the board's ruleset or the
//! pack contradict.

use std::sync::Arc;

use serde_json::Value;

use super::action::Bid;
use super::rules::{BOMBS_MAX, Rules};
use super::score::{Doubles, Factors, Outcome};
use super::state::{BANKER_HAND, Phase, Played};
use super::view::View;
use super::{NAMES, SEATS, seat_named};
use crate::cards::{CardSet, parse_cards};
use crate::games::reading::{Fields, ensure, exactly, list, word};
use crate::games::{Ruleset as _, Seat};

/// Reads a view of a board with these rules.
///
/// # Errors
/// What does not fit, in one line.
pub(super) fn view(rules: &Arc<Rules>, json: &Value) -> Result<View, String> {
    let fields = Fields::of_view(json)?;
    let named: &str = fields.read("ruleset")?;
    let ours = rules.name();
    ensure(named == ours, || format!("`ruleset` is not that of the board, {ours}"))?;
    let view = View {
        rules: Arc::clone(rules),
        viewer: fields.some("seat", seat)?,
        phase: fields.word("phase", &Phase::ALL.map(Phase::name)).and_then(phase)?,
        turn: fields.some("turn", seat)?,
        waiting: fields.list("waiting", seat)?,
        hand: fields.read("hand")?,
        choice: fields.read("choice")?,
        counts: fields.read("counts")?,
        shown: fields.read("shown")?,
        first: fields.some("first", seat)?,
        bids: fields.list("bids", bid)?,
        banker: fields.some("banker", seat)?,
        bid: fields.read("bid")?,
        bottom: fields.read("bottom")?,
        doubled: fields.read("doubled")?,
        bombs: fields.read("bombs")?,
        tricks: fields.list("tricks", |trick, place| list(trick, place, played))?,
        out: fields.some("out", seat)?,
        outcome: outcome(&Fields::of(fields.value("outcome"), "outcome".to_owned())?)?,
        scores: fields.read("scores")?,
    };
    within_the_pack(&view)?;
    exactly(view, json)
}

/// Bounds that everything computed from a view relies on.
fn within_the_pack(view: &View) -> Result<(), String> {
    let seen = [view.hand, view.bottom].into_iter().chain(view.shown).flatten();
    let cards = seen.fold(view.played_by_all(), CardSet::union);
    ensure(CardSet::FIFTY_TWO.contains_all(cards), || "there are no jokers in wakeng".to_owned())?;
    ensure(view.counts.into_iter().flatten().all(|count| count <= 52), || {
        "`counts`: nobody holds more than 52 cards".to_owned()
    })?;
    ensure(view.waiting.len() <= SEATS && view.bids.len() <= SEATS, || {
        "`waiting` and `bids` have at most three entries".to_owned()
    })?;
    ensure(view.bid <= Bid::Three.points(), || "`bid` is at most 3".to_owned())?;
    ensure(view.bombs <= BOMBS_MAX, || format!("`bombs` is at most {BOMBS_MAX}"))?;
    let tricks = view.tricks.iter();
    ensure(tricks.flatten().all(|played| played.cards.len() <= usize::from(BANKER_HAND)), || {
        format!("`tricks`: nobody plays more than {BANKER_HAND} cards at once")
    })
}

fn seat(value: &Value, place: &str) -> Result<Seat, String> {
    word(value, place, &NAMES)
        .and_then(|name| seat_named(name).ok_or_else(|| format!("`{place}` is no seat")))
}

fn phase(name: &str) -> Result<Phase, String> {
    Phase::ALL
        .into_iter()
        .find(|phase| phase.name() == name)
        .ok_or_else(|| "`phase` is none of wakeng".to_owned())
}

fn bid(value: &Value, place: &str) -> Result<(Seat, Bid), String> {
    let none = || format!("`{place}` is no bid: [\"A\",2]");
    let [who, points] = value.as_array().map(Vec::as_slice).unwrap_or_default() else { return Err(none()) };
    let said = Bid::ALL.into_iter().find(|bid| points.as_u64() == Some(u64::from(bid.points())));
    Ok((seat(who, place)?, said.ok_or_else(none)?))
}

fn played(value: &Value, place: &str) -> Result<Played, String> {
    let none = || format!("`{place}` is neither a play nor a pass: [\"A\",\"S4\"] or [\"A\",\"pass\"]");
    let [who, what] = value.as_array().map(Vec::as_slice).unwrap_or_default() else { return Err(none()) };
    let text = what.as_str().ok_or_else(none)?;
    let cards = match text {
        "pass" => CardSet::EMPTY,
        _ => parse_cards(text).map_err(|error| format!("`{place}`: {error}"))?.into_iter().collect(),
    };
    Ok(Played { seat: seat(who, place)?, cards })
}

fn outcome(fields: &Fields<'_>) -> Result<Outcome, String> {
    Ok(Outcome {
        banker: fields.word_or_none("banker", &NAMES)?,
        bid: fields.read("bid")?,
        bombs: fields.read("bombs")?,
        factors: fields.some("factors", |value, place| factors(&Fields::of(value, place.to_owned())?))?,
        winner: fields.read("winner")?,
    })
}

fn factors(fields: &Fields<'_>) -> Result<Factors, String> {
    let mut double = [None; SEATS];
    for (key, factor, place) in Fields::of(fields.value("double"), fields.place("double"))?.entries() {
        let seat = seat_named(key).and_then(|seat| double.get_mut(seat.index()));
        let seat = seat.ok_or_else(|| format!("`{place}` is no seat"))?;
        *seat = Some(factor.as_i64().ok_or_else(|| format!("`{place}` is no factor"))?);
    }
    Ok(Factors {
        unit: fields.read("unit")?,
        bomb: fields.read("bomb")?,
        show: fields.read("show")?,
        double: Doubles(double),
    })
}
