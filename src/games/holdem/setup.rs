//! What a hand begins with beside its cards, as an event's orders write it, and what a finished hand hands on.
//!
//! A setup is checked as strictly as a record's header ([`super::start`]), and every inconsistency is listed. Who sits
//! out, moves or is eliminated is decided elsewhere.

use serde_json::{Map, Value, json};

use super::reader::Reader;
use super::rules::{AnteKind, Rules};
use super::start::{
    self, Cards, PerSeat, SEATS_MAX, Start, ante_kind, by_seat, check_amounts, check_ante, check_blinds,
    check_posting, seat_name,
};
use super::state::{Stage, State};
use crate::cards::{Card, Pack};
use crate::games::setup::order_fault;
use crate::games::{Fault, Seat, Seats, Setup, StartError};
use crate::words::message;

const KEYS: [&str; 10] =
    ["level", "small", "big", "ante", "button", "small_seat", "big_seat", "stacks", "out", "unit"];

/// The setups of duplicate boards: everybody has the same stack in every hand, and the button goes round.
pub(super) fn cycle(rules: &Rules) -> Vec<Setup> {
    let board = &rules.duplicate;
    let seats: Seats = (0..board.seats).map(Seat).collect();
    let mut stacks: PerSeat<u64> = [0; SEATS_MAX];
    for stack in stacks.iter_mut().take(usize::from(board.seats)) {
        *stack = board.stack;
    }
    let with_button = |button: Seat| {
        let (sb, bb) = Start::usual_blinds(seats, button);
        write(&Start {
            seats,
            button,
            sb,
            bb,
            blinds: [board.small_blind, board.big_blind],
            ante: (board.ante_kind, board.ante),
            level: 1,
            out: Seats::NONE,
            unit: board.unit,
            stacks,
            cards: Cards::UNKNOWN,
            position: None,
        })
    };
    seats.iter().map(with_button).collect()
}

/// A hand with a setup from a shuffled pack: hole cards are dealt one at a time from the first seat that is dealt in left
/// of the button (PK-83), empty seats get none; then a card is burnt before the flop, the turn and the river.
pub(super) fn deal(setup: &Setup, order: &[Card]) -> Result<Start, Vec<Fault>> {
    let read = read(setup);
    match (read, order_fault(Pack::FiftyTwo, order)) {
        (Ok(mut start), None) => {
            start.cards = cards(start.seats, start.button, order);
            Ok(start)
        }
        (Ok(_), Some(fault)) => Err(vec![fault]),
        (Err(faults), fault) => Err(faults.into_iter().chain(fault).collect()),
    }
}

fn cards(seats: Seats, button: Seat, order: &[Card]) -> Cards {
    let mut cards = Cards::UNKNOWN;
    let mut pack = order.iter().copied();
    let mut seat = button;
    for round in 0..2 {
        for _ in 0..seats.len() {
            seat = seats.next_after(seat).unwrap_or(seat);
            if let Some(place) = cards.holes.get_mut(seat.index()).and_then(|hole| hole.get_mut(round)) {
                *place = pack.next();
            }
        }
    }
    for (index, place) in cards.board.iter_mut().enumerate() {
        if [0, 3, 4].contains(&index) {
            pack.next();
        }
        *place = pack.next();
    }
    cards
}

/// Reads a setup; the cards of the start are unknown.
fn read(setup: &Setup) -> Result<Start, Vec<Fault>> {
    let mut reader = Reader::new(&setup.0, message!("holdem-place-setup"), &KEYS);
    let level = reader.level();
    let unit = reader.unit();
    let blinds = match (reader.chips("small"), reader.chips("big")) {
        (Some(small), Some(big)) => check_blinds(&mut reader, small, big),
        _ => None,
    };
    let ante = read_ante(&mut reader);
    let stacks = reader.stacks();
    let button = required_number(&mut reader, "button");
    let seats = stacks.map(|(seats, _)| seats);
    let (sb, bb) = (posting(&mut reader, "small_seat", seats), posting(&mut reader, "big_seat", seats));
    if let (Some(seats), Some(button), Ok(sb), Ok(bb)) = (seats, button, sb, bb) {
        check_posting(&mut reader, seats, button, sb, bb);
    }
    let out = reader.out(seats);
    check_amounts(&mut reader, unit, blinds, ante, stacks);
    let start = (|| {
        let (seats, stacks) = stacks?;
        Some(Start {
            seats,
            button: button?,
            sb: sb.ok()?,
            bb: bb.ok()?,
            blinds: blinds?,
            ante: ante?,
            level: level?,
            out: out?,
            unit: unit?,
            stacks,
            cards: Cards::UNKNOWN,
            position: None,
        })
    })();
    reader.finish(start).map_err(|error| match error {
        StartError::Header(faults) | StartError::Deal(faults) => faults,
    })
}

fn required_number(reader: &mut Reader<'_>, key: &str) -> Option<Seat> {
    let value = reader.required(key)?;
    reader.seat_number(key, value)
}

/// A value whose fault the reader has noted.
#[derive(Clone, Copy, Debug)]
struct Faulty;

/// Who posts a blind: a seat that is dealt in, or nobody (`null`: the blind is dead, PK-67).
fn posting(reader: &mut Reader<'_>, key: &str, seats: Option<Seats>) -> Result<Option<Seat>, Faulty> {
    let value = reader.required(key).ok_or(Faulty)?;
    if value.is_null() {
        return Ok(None);
    }
    let seat = reader.seat_number(key, value).ok_or(Faulty)?;
    if seats.is_some_and(|seats| !seats.contains(seat)) {
        let name = seat_name(seat);
        reader.fault("bad_seat", message!("holdem-not-dealt-in", key, name));
        return Err(Faulty);
    }
    Ok(Some(seat))
}

fn read_ante(reader: &mut Reader<'_>) -> Option<(AnteKind, u64)> {
    let value = reader.required("ante")?;
    let Some(ante) = value.as_object() else {
        reader.fault("wrong_type", message!("holdem-ante-object"));
        return None;
    };
    let mut inner = Reader::new(ante, message!("key", name = "ante"), &["kind", "chips"]);
    let kind = inner.required("kind").and_then(|kind| ante_kind(&mut inner, kind));
    // Where nobody posts antes the amount may be left out.
    let none = kind == Some(AnteKind::None) && inner.get("chips").is_none();
    let chips = if none { Some(0) } else { inner.chips("chips") };
    let ante = kind.zip(chips).and_then(|(kind, chips)| check_ante(&mut inner, kind, chips));
    reader.faults.append(&mut inner.faults);
    ante
}

/// Writes what [`read`] reads, in canonical form. Of a position it is what the position tells, with the chips not yet
/// bet.
pub(super) fn write(start: &Start) -> Setup {
    let number = |seat: Seat| seat.0 + 1;
    let ante = match start.ante {
        (AnteKind::None, _) => json!({"kind": AnteKind::None.word()}),
        (kind, chips) => json!({"kind": kind.word(), "chips": chips}),
    };
    let [small, big] = start.blinds;
    let entries = [
        ("level", json!(start.level)),
        ("small", json!(small)),
        ("big", json!(big)),
        ("ante", ante),
        ("button", json!(number(start.button))),
        ("small_seat", json!(start.sb.map(number))),
        ("big_seat", json!(start.bb.map(number))),
        ("stacks", by_seat(start.seats, |seat| chips(&start.stacks, seat))),
        ("out", json!(start.out.iter().map(seat_name).collect::<Vec<_>>())),
        ("unit", json!(start.unit)),
    ];
    object(entries)
}

/// What a finished hand hands on: the stacks after it, those without chips included, and the seats that have none left.
pub(super) fn carry(state: &State) -> Setup {
    if state.stage != Stage::Over {
        return Setup::default();
    }
    let seats = state.start.seats;
    let busted: Vec<&str> = seats
        .iter()
        .filter(|seat| state.stacks.get(seat.index()) == Some(&0))
        .map(start::seat_name)
        .collect();
    object([("stacks", by_seat(seats, |seat| chips(&state.stacks, seat))), ("busted", json!(busted))])
}

fn chips(amounts: &PerSeat<u64>, seat: Seat) -> Value {
    amounts.get(seat.index()).copied().unwrap_or_default().into()
}

fn object<const N: usize>(entries: [(&str, Value); N]) -> Setup {
    Setup(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
}
