//! Positions: a hand taken up in the middle, as FEN does in chess.
//!
//! A position says what can be seen on the table: the pot of the streets before, what is in front of each seat on
//! this street, who is to act. Who has acted on this street follows from that unless `acted` says it. Nothing here
//! plays.

use serde_json::{Map, Value, json};

use super::reader::Reader;
use super::rules::AnteKind;
use super::start::{self, Cards, PerSeat, SEATS_MAX, Start, Street, by_seat, seat_name, words};
use crate::games::{Seat, Seats, StartError};
use crate::words::message;

/// What a position knows beside the seats, stacks and cards of its [`Start`].
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// The street.
    pub(super) street: Street,
    /// Chips of the streets before, in the middle; every seat that has not folded is in for them.
    pub(super) pot: u64,
    /// What each seat has put in on this street.
    pub(super) put: PerSeat<u64>,
    /// The largest full bet or raise of the street; the big blind if there was none.
    pub(super) last_full_raise: u64,
    /// Whose turn it is.
    pub(super) turn: Seat,
    /// Seats that have folded.
    pub(super) folded: Seats,
    /// Seats that have acted on this street, since when only less than a full raise was added; `None` = as far as
    /// can be told from the chips.
    pub(super) acted: Option<Seats>,
}

const KEYS: [&str; 13] = [
    "street",
    "board",
    "button",
    "bb",
    "pot",
    "stacks",
    "put",
    "last_full_raise",
    "turn",
    "unit",
    "folded",
    "acted",
    "holes",
];

/// Reads the value of `position`.
pub(super) fn read(object: &Map<String, Value>) -> Result<Start, StartError> {
    let mut reader = Reader::new(object, message!("key", name = "position"), &KEYS);
    let street = reader.street();
    let button = reader.required_seat("button");
    let bb = reader.chips("bb");
    if bb == Some(0) {
        reader.fault("bad_blinds", message!("holdem-bb-1"));
    }
    let pot = reader.chips("pot");
    let stacks = reader.stacks();
    let put = reader.by_seat("put");
    let last_full_raise = reader.chips("last_full_raise");
    let turn = reader.required_seat("turn");
    let unit = if reader.get("unit").is_some() { reader.unit() } else { Some(1) };
    let folded = reader.seat_list("folded").unwrap_or(Seats::NONE);
    let acted = reader.seat_list("acted");
    let seats = stacks.map(|(seats, _)| seats);
    let cards = Cards {
        holes: reader.holes(seats, true),
        board: reader.board(street.map_or(0, Street::board_cards), false),
        mucked: Seats::NONE,
    };
    let start = (|| {
        let (seats, stacks) = stacks?;
        let (putters, put) = put?;
        let position = Position {
            street: street?,
            pot: pot?,
            put,
            last_full_raise: last_full_raise?,
            turn: turn?,
            folded,
            acted,
        };
        let start = Start {
            seats,
            button: button?,
            sb: None,
            bb: None,
            blinds: [0, bb?],
            ante: (AnteKind::None, 0),
            level: 1,
            out: Seats::NONE,
            unit: unit?,
            stacks,
            cards,
            position: None,
        };
        consistent(&mut reader, &start, &position, putters);
        let (sb, bb) = Start::usual_blinds(start.seats, start.button);
        Some(Start { sb, bb, position: Some(Box::new(position)), ..start })
    })();
    reader.finish(start)
}

/// Whatever contradicts itself.
fn consistent(reader: &mut Reader<'_>, start: &Start, position: &Position, putters: Seats) {
    let strangers = |set: Seats| set.iter().filter(|seat| !start.seats.contains(*seat)).collect::<Vec<_>>();
    for (key, set) in
        [("put", putters), ("folded", position.folded), ("acted", position.acted.unwrap_or_default())]
    {
        for seat in strangers(set) {
            reader.fault("bad_seat", message!("holdem-no-stack", key, name = seat_name(seat)));
        }
    }
    let turn = position.turn;
    let name = seat_name(turn);
    if !start.seats.contains(turn) {
        reader.fault("bad_turn", message!("holdem-turn-no-stack", name));
    } else if position.folded.contains(turn) {
        reader.fault("bad_turn", message!("holdem-turn-folded", name));
    } else if start.stacks.get(turn.index()) == Some(&0) {
        reader.fault("bad_turn", message!("holdem-turn-all-in", name));
    }
    if start.seats.iter().filter(|seat| !position.folded.contains(*seat)).count() < 2 {
        reader.fault("hand_over", message!("holdem-two-live"));
    }
    let [_, bb] = start.blinds;
    let unit = start.unit;
    for (key, amount) in [("bb", bb), ("pot", position.pot), ("last_full_raise", position.last_full_raise)] {
        reader.multiple(&message!("key", name = key), amount, unit);
    }
    for seat in start.seats.iter() {
        let name = seat_name(seat);
        let amounts = [
            (message!("holdem-stack-of", name), &start.stacks),
            (message!("holdem-bet-of", name), &position.put),
        ];
        for (what, by_seat) in amounts {
            let amount = by_seat.get(seat.index()).copied().unwrap_or_default();
            reader.multiple(&what, amount, unit);
        }
    }
    let highest = position.put.iter().copied().max().unwrap_or_default();
    let full = position.last_full_raise;
    if full < bb {
        reader.fault("bad_raise", message!("holdem-full-raise", full, bb));
    } else if full > highest.max(bb) {
        reader.fault("bad_raise", message!("holdem-full-raise-highest", full, highest));
    }
    if position.acted.is_some_and(|acted| acted.contains(turn))
        && position.put.get(turn.index()).copied().unwrap_or_default() >= top(start, position)
    {
        reader.fault("bad_turn", message!("holdem-turn-acted", name));
    }
    betting(reader, start, position);
    if position.street == Street::Preflop && start.seats.len() == 2 && !start.seats.contains(start.button) {
        reader.fault("bad_button", message!("holdem-heads-up-button"));
    }
}

/// The betting of the street as far as the chips tell it: bets of a size that could be made, and a turn that could come
/// to this seat.
fn betting(reader: &mut Reader<'_>, start: &Start, position: &Position) {
    let put = |seat: Seat| position.put.get(seat.index()).copied().unwrap_or_default();
    let stack = |seat: Seat| start.stacks.get(seat.index()).copied().unwrap_or_default();
    let folded = |seat: Seat| position.folded.contains(seat);
    let all_in = |seat: Seat| stack(seat) == 0 && !folded(seat);
    let [_, bb] = start.blinds;
    let preflop = position.street == Street::Preflop;
    let highest = start.seats.iter().map(put).max().unwrap_or_default();
    let (small, _) = Start::usual_blinds(start.seats, start.button);
    // Before the flop a small blind may be short of the bet; it is the only chips below the big blind.
    let blinds = |seat: Seat| preflop && put(seat) <= bb && Some(seat) == small;
    for seat in start.seats.iter().filter(|seat| (1..bb).contains(&put(*seat)) && !all_in(*seat)) {
        let called = start.seats.iter().any(|other| all_in(other) && put(other) == put(seat));
        let posted = preflop
            && start
                .seats
                .iter()
                .all(|other| other == seat || put(other) == 0 || put(other) >= bb || all_in(other));
        if !called && !blinds(seat) && !posted {
            let (name, amount) = (seat_name(seat), put(seat));
            let message = message!("holdem-least-bet", name, amount, bb);
            reader.fault("bad_bet", message);
        }
    }
    // What was bet before the highest bet: the chips of those who have not called it and could have.
    let before = start.seats.iter().filter(|seat| !all_in(*seat) && put(*seat) < highest).map(put).max();
    let before = before.unwrap_or_default().max(if preflop && highest >= bb { bb } else { 0 });
    let set_all_in = start.seats.iter().any(|seat| all_in(seat) && put(seat) == highest);
    let added = highest - before.min(highest);
    if added > 0 && added < bb && !set_all_in && highest >= bb {
        let message = message!("holdem-least-raise", before, highest, bb);
        reader.fault("bad_bet", message);
    } else if !set_all_in && highest > bb && position.last_full_raise > added {
        let message = message!("holdem-raise-step", raise = position.last_full_raise, before, highest);
        reader.fault("bad_raise", message);
    }
    turn_can_come(reader, start, position, highest);
}

/// Whether the turn can have come to the seat: going round, everybody between the last bet and it has called, folded or
/// is all-in, and it owes something or has its option.
fn turn_can_come(reader: &mut Reader<'_>, start: &Start, position: &Position, highest: u64) {
    let put = |seat: Seat| position.put.get(seat.index()).copied().unwrap_or_default();
    let turn = position.turn;
    let name = seat_name(turn);
    let [_, bb] = start.blinds;
    let preflop = position.street == Street::Preflop;
    if !start.seats.contains(turn) || highest == 0 {
        return;
    }
    let waits = |seat: Seat| {
        let chips = start.stacks.get(seat.index()).is_some_and(|stack| *stack > 0);
        chips && !position.folded.contains(seat) && put(seat) < highest
    };
    if put(turn) >= highest && !(preflop && highest == bb) && position.acted.is_none() {
        let message = message!("holdem-turn-over", name, highest);
        reader.fault("bad_turn", message);
        return;
    }
    if preflop && highest <= bb {
        return;
    }
    // The seats from the turn round to the one before it.
    let mut order = vec![turn];
    let mut next = start.seats.next_after(turn);
    while let Some(seat) = next.filter(|seat| *seat != turn) {
        order.push(seat);
        next = start.seats.next_after(seat);
    }
    // Some seat with the highest bet made it; after it nobody up to the turn still owes.
    let skipped = |bettor: usize| order.iter().skip(bettor + 1).copied().find(|seat| waits(*seat));
    let bettors = order.iter().enumerate().filter(|(_, seat)| put(**seat) == highest).map(|(place, _)| place);
    let passed_over: Vec<Option<Seat>> = bettors.map(skipped).collect();
    if let (Some(Some(seat)), true) = (passed_over.last(), passed_over.iter().all(Option::is_some)) {
        let message = message!("holdem-turn-skipped", name, other = seat_name(*seat), highest);
        reader.fault("bad_turn", message);
    }
}

/// The bet to call: the highest put in, before the flop at least the big blind.
pub(super) fn top(start: &Start, position: &Position) -> u64 {
    let highest = position.put.iter().copied().max().unwrap_or_default();
    if position.street == Street::Preflop { highest.max(start.blinds[1]) } else { highest }
}

/// Who has acted on this street, as far as the chips tell: going round from the first to act, everybody before the
/// seat on turn; everybody, if chips beyond the blinds show that the turn has come round before.
pub(super) fn has_acted(start: &Start, position: &Position) -> Seats {
    if let Some(acted) = position.acted {
        return acted;
    }
    let preflop = position.street == Street::Preflop;
    let (_, big) = Start::usual_blinds(start.seats, start.button);
    let origin = if preflop { big.unwrap_or(start.button) } else { start.button };
    let [_, bb] = start.blinds;
    let voluntary = |seat: Seat| {
        let put = position.put[seat.index()];
        if !preflop {
            put > 0
        } else if Some(seat) == big {
            put > bb
        } else {
            put >= bb
        }
    };
    let mut order = Vec::with_capacity(SEATS_MAX);
    let mut next = start.seats.next_after(origin);
    while let Some(seat) = next {
        order.push(seat);
        next = start.seats.next_after(seat).filter(|after| Some(after) != order.first());
    }
    let turn = order.iter().position(|seat| *seat == position.turn).unwrap_or_default();
    let last = order.iter().rposition(|seat| voluntary(*seat));
    if last.is_some_and(|last| turn <= last) {
        return start.seats;
    }
    order.into_iter().take(turn).collect()
}

/// Writes the value of `position`.
pub(super) fn write(start: &Start, position: &Position) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    let known: Vec<_> = start.cards.board.iter().copied().take(position.street.board_cards()).collect();
    put("street", position.street.word().into());
    put("board", words(&known).into());
    put("button", seat_name(start.button).into());
    put("bb", start.blinds[1].into());
    put("pot", position.pot.into());
    put("stacks", by_seat(start.seats, |seat| start.stacks[seat.index()].into()));
    put("put", by_seat(start.seats, |seat| position.put[seat.index()].into()));
    put("last_full_raise", position.last_full_raise.into());
    put("turn", seat_name(position.turn).into());
    if start.unit != 1 {
        put("unit", start.unit.into());
    }
    let names = |seats: Seats| json!(seats.iter().map(seat_name).collect::<Vec<_>>());
    if !position.folded.is_empty() {
        put("folded", names(position.folded));
    }
    if let Some(acted) = position.acted {
        put("acted", names(acted));
    }
    let holes = &start.cards.holes;
    let known: Seats =
        start.seats.iter().filter(|seat| holes[seat.index()].iter().any(Option::is_some)).collect();
    if !known.is_empty() {
        put("holes", start::by_seat(known, |seat| words(&holes[seat.index()]).into()));
    }
    object
}
