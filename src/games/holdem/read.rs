//! Reading a view back from the JSON that [`View`] writes.
//!
//! Whatever comes in is only data here: nothing is played, and amounts and cards that no hand has are refused.

use serde_json::Value;

use super::start::{CHIPS_MAX, NAMES, SEATS_MAX, Street, seat_named};
use super::view::{BySeat, Outcome, PotOutcome, SEAT_STATES, SeatView, View};
use crate::cards::{Card, CardSet};
use crate::games::Seats;
use crate::games::reading::{Fields, ensure, exactly};

/// More than all chips of a table.
const AMOUNT_MAX: u64 = CHIPS_MAX * 100;

/// Reads a view.
///
/// # Errors
/// What does not fit, in one line.
pub(super) fn view(json: &Value) -> Result<View, String> {
    let fields = Fields::of_view(json)?;
    let view = View {
        me: fields.word_or_none("me", &NAMES)?,
        street: fields.word("street", &Street::ALL.map(Street::word))?,
        button: fields.word("button", &NAMES)?,
        sb: fields.word_or_none("sb", &NAMES)?,
        bb: fields.word_or_none("bb", &NAMES)?,
        blinds: fields.read("blinds")?,
        ante: fields.read("ante")?,
        unit: fields.read("unit")?,
        board: fields.read("board")?,
        pot: fields.read("pot")?,
        bet: fields.read("bet")?,
        last_full_raise: fields.read("last_full_raise")?,
        seats: fields.list("seats", |value, place| seat(&Fields::of(value, place.to_owned())?))?,
        turn: fields.word_or_none("turn", &NAMES)?,
        choice: fields.read("choice")?,
        outcome: fields.some("outcome", |value, place| outcome(&Fields::of(value, place.to_owned())?))?,
    };
    within_the_table(&view)?;
    exactly(view, json)
}

/// Bounds that everything computed from a view relies on.
fn within_the_table(view: &View) -> Result<(), String> {
    let order: Vec<_> = view.seats.iter().map(|seat| seat_named(seat.seat)).collect();
    ensure(view.seats.len() <= SEATS_MAX && order.is_sorted_by(|one, other| one < other), || {
        "`seats` must be at most ten, in the order of their numbers".to_owned()
    })?;
    ensure(view.unit > 0, || "`unit` must be at least 1".to_owned())?;
    ensure(view.board.len() <= 5, || "`board` has at most five cards".to_owned())?;
    let mut seen = CardSet::EMPTY;
    let mut cards =
        view.board.iter().chain(view.seats.iter().filter_map(|seat| seat.cards.as_ref()).flatten());
    ensure(cards.all(|card: &Card| !card.is_joker() && seen.insert(*card)), || {
        "no card may be seen twice, and hold'em has no jokers".to_owned()
    })?;
    let choice = view.choice.iter().flat_map(|choice| [Some(choice.call), choice.min, choice.max]);
    let mut amounts = view
        .seats
        .iter()
        .flat_map(|seat| [seat.stack, seat.put])
        .chain(choice.flatten())
        .chain(view.blinds)
        .chain([view.ante.1, view.unit, view.bet, view.last_full_raise, view.pot.unwrap_or_default()]);
    ensure(amounts.all(|amount| amount <= AMOUNT_MAX), || format!("no amount exceeds {AMOUNT_MAX}"))
}

fn seat(fields: &Fields<'_>) -> Result<SeatView, String> {
    Ok(SeatView {
        seat: fields.word("seat", &NAMES)?,
        stack: fields.read("stack")?,
        put: fields.read("put")?,
        state: fields.word("state", &SEAT_STATES)?,
        raises: fields.read("raises")?,
        cards: fields.read("cards")?,
    })
}

fn by_seat(fields: &Fields<'_>) -> Result<BySeat, String> {
    let mut by_seat = BySeat { seats: Seats::NONE, amounts: [0; SEATS_MAX] };
    for (key, amount, place) in fields.entries() {
        let seat = seat_named(key).ok_or_else(|| format!("`{place}` is no seat"))?;
        let amount = amount.as_u64().ok_or_else(|| format!("`{place}` is no amount"))?;
        by_seat.seats = by_seat.seats.with(seat);
        if let Some(chips) = by_seat.amounts.get_mut(seat.index()) {
            *chips = amount;
        }
    }
    Ok(by_seat)
}

fn outcome(fields: &Fields<'_>) -> Result<Outcome, String> {
    let amounts = |fields: &Fields<'_>, key| by_seat(&Fields::of(fields.value(key), fields.place(key))?);
    let pot = |value, place: &str| {
        let fields = Fields::of(value, place.to_owned())?;
        Ok(PotOutcome {
            amount: fields.read("amount")?,
            eligible: fields.words("eligible", &NAMES)?,
            shares: amounts(&fields, "shares")?,
        })
    };
    Ok(Outcome {
        returned: amounts(fields, "returned")?,
        pots: fields.list("pots", pot)?,
        shown: fields.words("shown", &NAMES)?,
        stacks: amounts(fields, "stacks")?,
    })
}
