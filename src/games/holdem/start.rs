//! The start of a hand: who sits where with how much, who posts what, which cards.
//!
//! A [`Start`] is always sound: it is made only by the readers of this module and of `position`, by the deal of a
//! duplicate board and by the PHH reader, and each of them lists every inconsistency before it makes one. Nothing
//! here plays.

use serde_json::{Map, Value, json};

use super::position::{self, Position};
use super::reader::Reader;
use super::rules::{AnteKind, Rules};
use crate::cards::Card;
use crate::games::{Fault, Seat, Seats, StartError};
use crate::words::message;

/// The most seats of a table.
pub const SEATS_MAX: usize = 10;
/// The most chips of a seat, a blind or an ante: sums of ten fit easily into 64 bits, and every amount is exact in
/// any JSON reader.
pub const CHIPS_MAX: u64 = 900_000_000_000_000;

/// One value for each of the ten seats of the table.
pub type PerSeat<T> = [T; SEATS_MAX];

/// A street: the deal of cards that opens a round of betting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Street {
    /// Two hole cards each (翻牌前).
    Preflop,
    /// Three cards of the board (翻牌).
    Flop,
    /// The fourth (转牌).
    Turn,
    /// The fifth (河牌).
    River,
}

impl Street {
    /// Every street in order.
    pub const ALL: [Street; 4] = [Street::Preflop, Street::Flop, Street::Turn, Street::River];

    /// The word in records and views; also the name of the phase.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Street::Preflop => "preflop",
            Street::Flop => "flop",
            Street::Turn => "turn",
            Street::River => "river",
        }
    }

    /// How many cards of the board are out: 0, 3, 4, 5.
    #[must_use]
    pub const fn board_cards(self) -> usize {
        match self {
            Street::Preflop => 0,
            Street::Flop => 3,
            Street::Turn => 4,
            Street::River => 5,
        }
    }

    /// The street after this one.
    #[must_use]
    pub const fn next(self) -> Option<Street> {
        match self {
            Street::Preflop => Some(Street::Flop),
            Street::Flop => Some(Street::Turn),
            Street::Turn => Some(Street::River),
            Street::River => None,
        }
    }
}

/// Names of the seats, by index.
pub(super) const NAMES: PerSeat<&str> = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// The seat with a name.
pub(super) fn seat_named(name: &str) -> Option<Seat> {
    NAMES.iter().zip(0..).find(|(known, _)| **known == name).map(|(_, index)| Seat(index))
}

/// The name of a seat; empty outside the table.
pub(super) fn seat_name(seat: Seat) -> &'static str {
    NAMES.get(seat.index()).copied().unwrap_or_default()
}

/// Two hole cards, `None` where unknown.
pub type Hole = [Option<Card>; 2];

/// The cards of a hand, `None` where unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cards {
    /// The hole cards by seat.
    pub holes: PerSeat<Hole>,
    /// The board.
    pub board: [Option<Card>; 5],
    /// Seats that muck at the showdown and so give up the pot: their hands are not compared. Any other live seat
    /// with unknown cards leaves a showdown unsettled.
    pub mucked: Seats,
}

impl Cards {
    /// Nothing known.
    pub const UNKNOWN: Cards = Cards { holes: [[None; 2]; SEATS_MAX], board: [None; 5], mucked: Seats::NONE };
}

/// A validated start of a hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The seats that are dealt in.
    pub(super) seats: Seats,
    /// The button's seat; it may be empty (dead button, TDA 29).
    pub(super) button: Seat,
    /// Who posts the small blind; `None` = nobody.
    pub(super) sb: Option<Seat>,
    /// Who posts the big blind; `None` = nobody.
    pub(super) bb: Option<Seat>,
    /// Small blind and big blind, in chips.
    pub(super) blinds: [u64; 2],
    /// Who posts antes, and how much.
    pub(super) ante: (AnteKind, u64),
    /// The level of the event that the blinds and antes belong to, from 1.
    pub(super) level: u32,
    /// Seats that are dealt in and post, but whose hands are dead before the first action (PK-62, PK-115).
    pub(super) out: Seats,
    /// The smallest chip in play.
    pub(super) unit: u64,
    /// Chips by seat: before antes and blinds, or in a position those not yet bet.
    pub(super) stacks: PerSeat<u64>,
    /// The cards.
    pub(super) cards: Cards,
    /// The middle of a hand, where the start is one.
    pub(super) position: Option<Box<Position>>,
}

impl Start {
    /// Whether a seat's stack can change by so many chips: it loses at most its own, and every amount is a multiple of the
    /// smallest chip. From each other seat it wins at most as many as it has itself; more only of what a dead hand leaves in
    /// the pot: blind and ante, and what a third seat had called (PK-48, PK-62). The ante that the big blind posts for the
    /// table is dead and comes on top of that (PK-73).
    #[must_use]
    pub fn possible_change(&self, seat: Seat, chips: i64) -> bool {
        let stack = |seat: Seat| self.stacks.get(seat.index()).copied().unwrap_or(0);
        let own = stack(seat);
        let others = self.seats.without(seat);
        let mut by_size: Vec<u64> = others.iter().map(stack).collect();
        by_size.sort_unstable_by(|one, other| other.cmp(one));
        let called = by_size.get(1).copied().unwrap_or(0);
        let posted = self.blinds[1].saturating_add(self.ante.1);
        let matched = own.max(called).max(posted);
        let dead = |other: Seat| match self.ante {
            (AnteKind::Bb, ante) if Some(other) == self.bb => ante,
            _ => 0,
        };
        let from = |other: Seat| stack(other).min(matched.saturating_add(dead(other)));
        let won: i128 = others.iter().map(|other| i128::from(from(other))).sum();
        let chips = i128::from(chips);
        self.seats.contains(seat)
            && chips % i128::from(self.unit.max(1)) == 0
            && (-i128::from(own)..=won).contains(&chips)
    }

    /// The seats that are dealt in.
    #[must_use]
    pub const fn seats(&self) -> Seats {
        self.seats
    }

    /// Who posts the small and the big blind when the header does not say: heads-up the button and the other seat
    /// (PK-68), else the first two seats left of the button (PK-72).
    pub(super) fn usual_blinds(seats: Seats, button: Seat) -> (Option<Seat>, Option<Seat>) {
        if seats.len() == 2 && seats.contains(button) {
            return (Some(button), seats.next_after(button));
        }
        let sb = seats.next_after(button);
        (sb, sb.and_then(|sb| seats.next_after(sb)))
    }

    /// The seat next to which the first to act before the flop sits: the big blind, or where it would be.
    pub(super) fn blind_end(&self) -> Seat {
        if let Some(bb) = self.bb {
            return bb;
        }
        if self.seats.len() == 2 {
            return self.seats.next_after(self.button).unwrap_or(self.button);
        }
        self.sb.unwrap_or(self.button)
    }
}

const DEAL_KEYS: [&str; 10] =
    ["level", "button", "blinds", "ante", "unit", "stacks", "sb", "bb", "out", "deal"];

/// Reads a header's own keys.
pub(super) fn read(rules: &Rules, header: &Map<String, Value>) -> Result<Start, StartError> {
    let _ = rules;
    match (header.get("deal"), header.get("position")) {
        (Some(_), Some(_)) => {
            Err(StartError::Header(vec![Fault::new("two_starts", message!("holdem-two-starts"))]))
        }
        (None, Some(Value::Object(position))) => {
            let mut stray = Reader::new(header, message!("holdem-place-header"), &["position"]).faults;
            match position::read(position) {
                Ok(start) if stray.is_empty() => Ok(start),
                Ok(_) => Err(StartError::Header(stray)),
                Err(StartError::Deal(faults)) if stray.is_empty() => Err(StartError::Deal(faults)),
                Err(StartError::Header(faults) | StartError::Deal(faults)) => {
                    stray.extend(faults);
                    Err(StartError::Header(stray))
                }
            }
        }
        (None, Some(_)) => {
            Err(StartError::Header(vec![Fault::new("wrong_type", message!("fault-position-object"))]))
        }
        _ => read_deal(header),
    }
}

fn read_deal(header: &Map<String, Value>) -> Result<Start, StartError> {
    let mut reader = Reader::new(header, message!("holdem-place-header"), &DEAL_KEYS);
    let unit = reader.unit();
    let blinds = read_blinds(&mut reader);
    let ante = read_ante(&mut reader);
    let stacks = reader.stacks();
    let button = reader.required_seat("button");
    let seats = stacks.map(|(seats, _)| seats);
    let posting = match (seats, button) {
        (Some(seats), Some(button)) => Some(read_posting(&mut reader, seats, button)),
        _ => None,
    };
    let level = if reader.get("level").is_some() { reader.level() } else { Some(1) };
    let out = reader.out(seats);
    check_amounts(&mut reader, unit, blinds, ante, stacks);
    let cards = read_cards(&mut reader, seats);
    let start = (|| {
        let (seats, stacks) = stacks?;
        let (sb, bb) = posting?;
        Some(Start {
            seats,
            button: button?,
            sb,
            bb,
            blinds: blinds?,
            ante: ante?,
            level: level?,
            out: out?,
            unit: unit?,
            stacks,
            cards: cards?,
            position: None,
        })
    })();
    reader.finish(start)
}

/// Every amount is a multiple of the smallest chip, and nobody is dealt in without chips.
pub(super) fn check_amounts(
    reader: &mut Reader<'_>,
    unit: Option<u64>,
    blinds: Option<[u64; 2]>,
    ante: Option<(AnteKind, u64)>,
    stacks: Option<(Seats, PerSeat<u64>)>,
) {
    let seats = stacks.map(|(seats, _)| seats);
    if let Some(unit) = unit {
        for (name, amount) in blinds
            .into_iter()
            .flat_map(|[sb, bb]| [(message!("holdem-small-blind"), sb), (message!("holdem-big-blind"), bb)])
        {
            reader.multiple(&name, amount, unit);
        }
        if let Some((_, amount)) = ante {
            reader.multiple(&message!("holdem-ante"), amount, unit);
        }
        for seat in seats.into_iter().flat_map(Seats::iter) {
            let stack = stacks.and_then(|(_, stacks)| stacks.get(seat.index()).copied()).unwrap_or_default();
            reader.multiple(&message!("holdem-stack-of", name = seat_name(seat)), stack, unit);
        }
    }
    if let Some(seats) = seats {
        let written = reader.get("stacks").and_then(Value::as_object);
        let none = |seat: &Seat| written.and_then(|stacks| stacks.get(seat_name(*seat))?.as_u64()) == Some(0);
        for seat in seats.iter().filter(none) {
            let name = seat_name(seat);
            reader.fault("no_chips", message!("holdem-no-chips", name));
        }
    }
}

fn read_blinds(reader: &mut Reader<'_>) -> Option<[u64; 2]> {
    let value = reader.required("blinds")?;
    let Some([sb, bb]) = value.as_array().map(Vec::as_slice) else {
        reader.fault("wrong_type", message!("holdem-blinds"));
        return None;
    };
    let (sb, bb) = (
        reader.amount(&message!("holdem-small-blind"), sb)?,
        reader.amount(&message!("holdem-big-blind"), bb)?,
    );
    check_blinds(reader, sb, bb)
}

/// The big blind is at least one chip and the small one no larger.
pub(super) fn check_blinds(reader: &mut Reader<'_>, sb: u64, bb: u64) -> Option<[u64; 2]> {
    if bb == 0 {
        reader.fault("bad_blinds", message!("holdem-big-at-least"));
        return None;
    }
    if sb > bb {
        reader.fault("bad_blinds", message!("holdem-small-over-big", sb, bb));
        return None;
    }
    Some([sb, bb])
}

fn read_ante(reader: &mut Reader<'_>) -> Option<(AnteKind, u64)> {
    let value = reader.required("ante")?;
    let Some([kind, amount]) = value.as_array().map(Vec::as_slice) else {
        reader.fault("wrong_type", message!("holdem-ante-shape"));
        return None;
    };
    let (kind, amount) = (ante_kind(reader, kind), reader.amount(&message!("holdem-ante"), amount)?);
    check_ante(reader, kind?, amount)
}

/// Who posts antes, by the word.
pub(super) fn ante_kind(reader: &mut Reader<'_>, kind: &Value) -> Option<AnteKind> {
    let known = [AnteKind::None, AnteKind::All, AnteKind::Bb];
    let kind = known.into_iter().find(|known| kind.as_str() == Some(known.word()));
    if kind.is_none() {
        reader.fault("bad_ante", message!("holdem-ante-kind"));
    }
    kind
}

/// Where nobody posts an ante it is 0.
pub(super) fn check_ante(reader: &mut Reader<'_>, kind: AnteKind, amount: u64) -> Option<(AnteKind, u64)> {
    if kind == AnteKind::None && amount != 0 {
        reader.fault("bad_ante", message!("holdem-ante-none"));
        return None;
    }
    Some((kind, amount))
}

/// Who posts the blinds: as the header says, else as usual.
fn read_posting(reader: &mut Reader<'_>, seats: Seats, button: Seat) -> (Option<Seat>, Option<Seat>) {
    let mut given = |key: &str| match reader.get(key) {
        None => None,
        Some(Value::Null) => Some(None),
        Some(value) => {
            let seat = reader.seat(key, value)?;
            if !seats.contains(seat) {
                let name = seat_name(seat);
                reader.fault("bad_seat", message!("holdem-not-dealt-in", key, name));
            }
            Some(Some(seat))
        }
    };
    let (sb, bb) = (given("sb"), given("bb"));
    let usual = Start::usual_blinds(seats, button);
    let sb = sb.unwrap_or(match bb {
        // With a big blind right behind the button the small blind is dead.
        Some(Some(bb)) if usual.0 == Some(bb) && seats.len() > 2 => None,
        _ => usual.0,
    });
    let bb = bb.unwrap_or(match sb {
        None if seats.len() > 2 || !seats.contains(button) => seats.next_after(button),
        None => usual.1,
        Some(sb) => seats.next_after(sb),
    });
    check_posting(reader, seats, button, sb, bb);
    (sb, bb)
}

/// Whether the blinds come in order from the button: heads-up the button posts the small one (PK-68), otherwise none
/// (PK-72).
pub(super) fn check_posting(
    reader: &mut Reader<'_>,
    seats: Seats,
    button: Seat,
    sb: Option<Seat>,
    bb: Option<Seat>,
) {
    if seats.len() == 2 {
        if !seats.contains(button) {
            reader.fault("bad_button", message!("holdem-heads-up-button"));
        } else if sb.is_some_and(|sb| sb != button) || bb == Some(button) {
            reader.fault("bad_blinds", message!("holdem-heads-up-blinds"));
        }
        return;
    }
    if sb == Some(button) || bb == Some(button) {
        reader.fault("bad_blinds", message!("holdem-button-blind"));
        return;
    }
    let distance = |seat: Seat| (seat.0 + 20 - button.0 - 1) % 10;
    if let (Some(sb), Some(bb)) = (sb, bb)
        && distance(sb) >= distance(bb)
    {
        reader.fault("bad_blinds", message!("holdem-blind-order"));
    }
}

fn read_cards(reader: &mut Reader<'_>, seats: Option<Seats>) -> Option<Cards> {
    let value = reader.required("deal")?;
    let Some(deal) = value.as_object() else {
        reader.card_fault("wrong_type", message!("holdem-deal-object"));
        return None;
    };
    let mut inner = Reader::new(deal, message!("key", name = "deal"), &["holes", "board", "mucked"]);
    let holes = inner.holes(seats, false);
    let board = inner.board(5, true);
    let mucked = inner.seat_list("mucked").unwrap_or_default();
    if mucked.iter().any(|seat| seats.is_some_and(|seats| !seats.contains(seat))) {
        inner.fault("bad_seat", message!("holdem-mucked"));
    }
    reader.card_faults.append(&mut inner.faults);
    reader.card_faults.append(&mut inner.card_faults);
    Some(Cards { holes, board, mucked })
}

/// Writes the keys that [`read`] reads.
pub(super) fn write(start: &Start) -> Map<String, Value> {
    let mut header = Map::new();
    if let Some(position) = &start.position {
        header.insert("position".to_owned(), Value::Object(position::write(start, position)));
        return header;
    }
    let mut put = |key: &str, value: Value| header.insert(key.to_owned(), value);
    put("button", seat_name(start.button).into());
    put("blinds", json!(start.blinds));
    put("ante", json!(start.ante));
    put("unit", start.unit.into());
    put("stacks", by_seat(start.seats, |seat| start.stacks[seat.index()].into()));
    if (start.sb, start.bb) != Start::usual_blinds(start.seats, start.button) {
        put("sb", start.sb.map(seat_name).into());
        put("bb", start.bb.map(seat_name).into());
    }
    if start.level != 1 {
        put("level", start.level.into());
    }
    if !start.out.is_empty() {
        put("out", json!(start.out.iter().map(seat_name).collect::<Vec<_>>()));
    }
    let mut deal = Map::new();
    deal.insert(
        "holes".to_owned(),
        by_seat(start.seats, |seat| words(&start.cards.holes[seat.index()]).into()),
    );
    deal.insert("board".to_owned(), words(&start.cards.board).into());
    if !start.cards.mucked.is_empty() {
        let names: Vec<&str> = start.cards.mucked.iter().map(seat_name).collect();
        deal.insert("mucked".to_owned(), names.into());
    }
    put("deal", Value::Object(deal));
    header
}

/// An object with an entry for each seat, in the order of their numbers.
pub(super) fn by_seat(seats: Seats, value: impl Fn(Seat) -> Value) -> Value {
    Value::Object(seats.iter().map(|seat| (seat_name(seat).to_owned(), value(seat))).collect())
}

/// Cards as text, `?` for an unknown one.
pub(super) fn words(cards: &[Option<Card>]) -> String {
    let words: Vec<String> =
        cards.iter().map(|card| card.map_or_else(|| "?".to_owned(), |card| card.to_string())).collect();
    words.join(" ")
}
