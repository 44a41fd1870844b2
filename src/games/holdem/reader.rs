//! Reading the keys of a header or position: every fault is collected, none stops the reading.
//!
//! Nothing here knows what the keys mean together; `start` and `position` check that.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::start::{CHIPS_MAX, Hole, PerSeat, SEATS_MAX, Street, seat_name, seat_named};
use crate::cards::{Card, parse_cards};
use crate::games::{Fault, Seat, Seats, StartError, rulesets};

/// Reads keys of a header and collects what is wrong with them.
pub(super) struct Reader<'a> {
    header: &'a Map<String, Value>,
    place: &'static str,
    pub(super) faults: Vec<Fault>,
    pub(super) card_faults: Vec<Fault>,
    named: BTreeSet<Card>,
}

impl<'a> Reader<'a> {
    /// A reader of an object; `place` is put before the key in sentences. Keys beside `known` are faults.
    pub(super) fn new(header: &'a Map<String, Value>, place: &'static str, known: &[&str]) -> Reader<'a> {
        let faults = header
            .keys()
            .filter(|key| !known.contains(&key.as_str()))
            .map(|key| Fault::new("unknown_key", rulesets::unknown("key", key, known)))
            .collect();
        Reader { header, place, faults, card_faults: Vec::new(), named: BTreeSet::new() }
    }

    pub(super) fn fault(&mut self, code: &'static str, message: impl Into<String>) {
        self.faults.push(Fault::new(code, message));
    }

    pub(super) fn card_fault(&mut self, code: &'static str, message: impl Into<String>) {
        self.card_faults.push(Fault::new(code, message));
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.header.get(key)
    }

    pub(super) fn required(&mut self, key: &str) -> Option<&'a Value> {
        let found = self.header.get(key);
        if found.is_none() {
            let place = self.place;
            self.fault("missing_key", format!("{place} needs `{key}`"));
        }
        found
    }

    /// A number of chips.
    pub(super) fn amount(&mut self, name: &str, value: &Value) -> Option<u64> {
        match value.as_u64() {
            Some(amount) if amount <= CHIPS_MAX => Some(amount),
            _ => {
                let message = format!("{name} must be a whole number of chips from 0 to {CHIPS_MAX}");
                self.fault("bad_amount", message);
                None
            }
        }
    }

    pub(super) fn chips(&mut self, key: &str) -> Option<u64> {
        let value = self.required(key)?;
        self.amount(&format!("`{key}`"), value)
    }

    /// The smallest chip: at least 1.
    pub(super) fn unit(&mut self) -> Option<u64> {
        let unit = self.chips("unit")?;
        if unit == 0 {
            self.fault("bad_amount", "`unit`, the smallest chip, must be at least 1");
            return None;
        }
        Some(unit)
    }

    pub(super) fn multiple(&mut self, name: &str, amount: u64, unit: u64) {
        if unit > 0 && !amount.is_multiple_of(unit) {
            let message = format!("{name} ({amount}) must be a multiple of the smallest chip, {unit}");
            self.fault("not_a_multiple", message);
        }
    }

    /// A seat by its name.
    pub(super) fn seat(&mut self, key: &str, value: &Value) -> Option<Seat> {
        let seat = value.as_str().and_then(seat_named);
        if seat.is_none() {
            self.fault("bad_seat", format!("`{key}` must be a seat, \"1\" to \"10\""));
        }
        seat
    }

    pub(super) fn required_seat(&mut self, key: &str) -> Option<Seat> {
        let value = self.required(key)?;
        self.seat(key, value)
    }

    /// A list of seats, if the key is there.
    pub(super) fn seat_list(&mut self, key: &str) -> Option<Seats> {
        let Some(items) = self.get(key)?.as_array() else {
            self.fault("wrong_type", format!("`{key}` must be a list of seats"));
            return None;
        };
        Some(items.iter().filter_map(|item| self.seat(key, item)).collect())
    }

    fn object(&mut self, key: &str) -> Option<&'a Map<String, Value>> {
        let value = self.required(key)?;
        let object = value.as_object();
        if object.is_none() {
            self.fault("wrong_type", format!("`{key}` must be an object with one entry per seat"));
        }
        object
    }

    /// Chips by seat: the seats that have an entry, and the amounts.
    pub(super) fn by_seat(&mut self, key: &str) -> Option<(Seats, PerSeat<u64>)> {
        let object = self.object(key)?;
        let mut seats = Seats::NONE;
        let mut amounts = [0; SEATS_MAX];
        for (name, value) in object {
            let Some(seat) = seat_named(name) else {
                let shown: String = name.chars().take(20).collect();
                self.fault("bad_seat", format!("`{key}`: there is no seat `{shown}`, use 1 to 10"));
                continue;
            };
            seats = seats.with(seat);
            if let Some(amount) = self.amount(&format!("`{key}` of seat {name}"), value)
                && let Some(place) = amounts.get_mut(seat.index())
            {
                *place = amount;
            }
        }
        Some((seats, amounts))
    }

    /// Seats and stacks; at least two seats.
    pub(super) fn stacks(&mut self) -> Option<(Seats, PerSeat<u64>)> {
        let (seats, stacks) = self.by_seat("stacks")?;
        if seats.len() < 2 {
            self.fault("wrong_count", "`stacks` must name 2 to 10 seats");
            return None;
        }
        Some((seats, stacks))
    }

    /// A street by its word.
    pub(super) fn street(&mut self) -> Option<Street> {
        let value = self.required("street")?;
        let street = Street::ALL.into_iter().find(|street| value.as_str() == Some(street.word()));
        if street.is_none() {
            self.fault("bad_street", "`street` must be preflop, flop, turn or river");
        }
        street
    }

    /// A list of cards, `?` for an unknown one where that is allowed; each card may be named once in the whole hand.
    fn cards(
        &mut self,
        name: &str,
        value: &Value,
        wanted: usize,
        unknown: bool,
    ) -> Option<Vec<Option<Card>>> {
        let Some(text) = value.as_str() else {
            self.card_fault("wrong_type", format!("{name} must be a text that lists cards"));
            return None;
        };
        let mut cards = Vec::new();
        for word in text.split_ascii_whitespace() {
            if word == "?" && unknown {
                cards.push(None);
                continue;
            }
            match parse_cards(word) {
                Ok(found) => cards.extend(found.into_iter().map(Some)),
                Err(error) => {
                    self.card_fault("not_a_card", format!("{name}: {error}"));
                    return None;
                }
            }
        }
        for card in cards.iter().flatten() {
            if card.is_joker() {
                self.card_fault("not_in_pack", format!("{name}: hold'em is played without jokers"));
            } else if !self.named.insert(*card) {
                self.card_fault("card_named_twice", format!("{name}: {card} is named twice"));
            }
        }
        if cards.len() != wanted {
            let found = cards.len();
            self.card_fault("wrong_count", format!("{name} must list {wanted} cards, not {found}"));
            return None;
        }
        Some(cards)
    }

    /// The first `wanted` cards of the board from `board`.
    pub(super) fn board(&mut self, wanted: usize, unknown: bool) -> [Option<Card>; 5] {
        let mut board = [None; 5];
        match self.header.get("board") {
            None => {
                let place = self.place;
                self.card_fault("missing_key", format!("{place} needs `board`: {wanted} cards"));
            }
            Some(value) => {
                if let Some(cards) = self.cards("`board`", value, wanted, unknown) {
                    for (place, card) in board.iter_mut().zip(cards) {
                        *place = card;
                    }
                }
            }
        }
        board
    }

    /// The hole cards from `holes`: of every seat, or of some where `partial`.
    pub(super) fn holes(&mut self, seats: Option<Seats>, partial: bool) -> PerSeat<Hole> {
        let mut holes = [[None; 2]; SEATS_MAX];
        let Some(value) = self.header.get("holes") else {
            if !partial {
                let place = self.place;
                self.card_fault("missing_key", format!("{place} needs `holes`: two cards for each seat"));
            }
            return holes;
        };
        let Some(object) = value.as_object() else {
            self.card_fault("wrong_type", "`holes` must be an object with two cards per seat");
            return holes;
        };
        let mut given = Seats::NONE;
        for (name, value) in object {
            let Some(seat) = seat_named(name) else {
                let shown: String = name.chars().take(20).collect();
                self.card_fault("bad_seat", format!("`holes`: there is no seat `{shown}`, use 1 to 10"));
                continue;
            };
            given = given.with(seat);
            if seats.is_some_and(|seats| !seats.contains(seat)) {
                self.card_fault("bad_seat", format!("`holes`: seat {name} has no stack"));
            }
            if let Some(cards) = self.cards(&format!("`holes` of seat {name}"), value, 2, true)
                && let ([first, second], Some(place)) = (cards.as_slice(), holes.get_mut(seat.index()))
            {
                *place = [*first, *second];
            }
        }
        for seat in seats.into_iter().flat_map(Seats::iter).filter(|seat| !given.contains(*seat)) {
            if !partial {
                self.card_fault("missing_hole", format!("`holes`: seat {} has none", seat_name(seat)));
            }
        }
        holes
    }

    /// What was found, or every fault: `bad_deal` if only cards are wrong.
    pub(super) fn finish<T>(self, found: Option<T>) -> Result<T, StartError> {
        let mut faults = self.faults;
        if faults.is_empty() && !self.card_faults.is_empty() {
            return Err(StartError::Deal(self.card_faults));
        }
        faults.extend(self.card_faults);
        match found {
            Some(found) if faults.is_empty() => Ok(found),
            _ => {
                if faults.is_empty() {
                    faults.push(Fault::new("bad_header", "the header is incomplete"));
                }
                Err(StartError::Header(faults))
            }
        }
    }
}
