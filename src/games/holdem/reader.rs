//! Reading the keys of a header or position: every fault is collected, none stops the reading.
//!
//! Nothing here knows what the keys mean together; `start` and `position` check that.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::start::{CHIPS_MAX, Hole, PerSeat, SEATS_MAX, Street, seat_name, seat_named};
use crate::cards::{Card, parse_cards};
use crate::games::{Fault, Seat, Seats, StartError, not_a_card, rulesets};
use crate::words::{Message, in_sight, message};

/// Reads keys of a header and collects what is wrong with them.
pub(super) struct Reader<'a> {
    header: &'a Map<String, Value>,
    place: Message,
    pub(super) faults: Vec<Fault>,
    pub(super) card_faults: Vec<Fault>,
    named: BTreeSet<Card>,
}

impl<'a> Reader<'a> {
    /// A reader of an object; `place` is put before the key in sentences. Keys beside `known` are faults.
    pub(super) fn new(header: &'a Map<String, Value>, place: Message, known: &[&str]) -> Reader<'a> {
        let faults = header
            .keys()
            .filter(|key| !known.contains(&key.as_str()))
            .map(|key| Fault::new("unknown_key", rulesets::not_known("key", key, known)))
            .collect();
        Reader { header, place, faults, card_faults: Vec::new(), named: BTreeSet::new() }
    }

    pub(super) fn fault(&mut self, code: &'static str, message: Message) {
        self.faults.push(Fault::new(code, message));
    }

    pub(super) fn card_fault(&mut self, code: &'static str, message: Message) {
        self.card_faults.push(Fault::new(code, message));
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.header.get(key)
    }

    pub(super) fn required(&mut self, key: &str) -> Option<&'a Value> {
        let found = self.header.get(key);
        if found.is_none() {
            let place = &self.place;
            self.fault("missing_key", message!("holdem-needs", place, key));
        }
        found
    }

    /// A number of chips.
    pub(super) fn amount(&mut self, name: &Message, value: &Value) -> Option<u64> {
        match value.as_u64() {
            Some(amount) if amount <= CHIPS_MAX => Some(amount),
            _ => {
                let message = message!("holdem-chips", name, chips_max = CHIPS_MAX);
                self.fault("bad_amount", message);
                None
            }
        }
    }

    pub(super) fn chips(&mut self, key: &str) -> Option<u64> {
        let value = self.required(key)?;
        self.amount(&message!("key", name = key), value)
    }

    /// The smallest chip: at least 1.
    pub(super) fn unit(&mut self) -> Option<u64> {
        let unit = self.chips("unit")?;
        if unit == 0 {
            self.fault("bad_amount", message!("holdem-unit"));
            return None;
        }
        Some(unit)
    }

    pub(super) fn multiple(&mut self, name: &Message, amount: u64, unit: u64) {
        if unit > 0 && !amount.is_multiple_of(unit) {
            let message = message!("holdem-multiple", name, amount, unit);
            self.fault("not_a_multiple", message);
        }
    }

    /// A seat by its name.
    pub(super) fn seat(&mut self, key: &str, value: &Value) -> Option<Seat> {
        let seat = value.as_str().and_then(seat_named);
        if seat.is_none() {
            self.fault("bad_seat", message!("holdem-seat", key));
        }
        seat
    }

    pub(super) fn required_seat(&mut self, key: &str) -> Option<Seat> {
        let value = self.required(key)?;
        self.seat(key, value)
    }

    /// A seat by its number, as setups have it.
    pub(super) fn seat_number(&mut self, key: &str, value: &Value) -> Option<Seat> {
        let number = value.as_u64().and_then(|number| u8::try_from(number).ok());
        let seat = number.filter(|number| (1..=SEATS_MAX).contains(&usize::from(*number)));
        if seat.is_none() {
            self.fault("bad_seat", message!("holdem-seat-number", key, seats_max = SEATS_MAX));
        }
        seat.map(|number| Seat(number - 1))
    }

    /// The level of the event, from 1.
    pub(super) fn level(&mut self) -> Option<u32> {
        let value = self.required("level")?;
        let level = value.as_u64().and_then(|level| u32::try_from(level).ok()).filter(|level| *level > 0);
        if level.is_none() {
            self.fault("bad_level", message!("holdem-level", level_max = u32::MAX));
        }
        level
    }

    /// The seats whose hands are dead from the beginning: dealt in, and not all of those that are.
    pub(super) fn out(&mut self, seats: Option<Seats>) -> Option<Seats> {
        let out = if self.get("out").is_some() { self.seat_list("out")? } else { Seats::NONE };
        let Some(seats) = seats else { return Some(out) };
        if out.iter().any(|seat| !seats.contains(seat)) {
            self.fault("bad_seat", message!("holdem-out"));
        } else if out == seats {
            self.fault("nobody_live", message!("holdem-out-all"));
        }
        Some(out)
    }

    /// A list of seats, if the key is there.
    pub(super) fn seat_list(&mut self, key: &str) -> Option<Seats> {
        let Some(items) = self.get(key)?.as_array() else {
            self.fault("wrong_type", message!("holdem-seat-list", key));
            return None;
        };
        Some(items.iter().filter_map(|item| self.seat(key, item)).collect())
    }

    fn object(&mut self, key: &str) -> Option<&'a Map<String, Value>> {
        let value = self.required(key)?;
        let object = value.as_object();
        if object.is_none() {
            self.fault("wrong_type", message!("holdem-per-seat", key));
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
                let shown: String = in_sight(name).chars().take(20).collect();
                self.fault("bad_seat", message!("holdem-no-seat", key, shown));
                continue;
            };
            seats = seats.with(seat);
            if let Some(amount) = self.amount(&message!("holdem-key-of-seat", key, name), value)
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
            self.fault("wrong_count", message!("holdem-stacks"));
            return None;
        }
        Some((seats, stacks))
    }

    /// A street by its word.
    pub(super) fn street(&mut self) -> Option<Street> {
        let value = self.required("street")?;
        let street = Street::ALL.into_iter().find(|street| value.as_str() == Some(street.word()));
        if street.is_none() {
            self.fault("bad_street", message!("holdem-street"));
        }
        street
    }

    /// A list of cards, `?` for an unknown one where that is allowed; each card may be named once in the whole hand.
    fn cards(
        &mut self,
        name: &Message,
        value: &Value,
        wanted: usize,
        unknown: bool,
    ) -> Option<Vec<Option<Card>>> {
        let Some(text) = value.as_str() else {
            self.card_fault("wrong_type", message!("holdem-cards-text", name));
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
                    self.card_fault("not_a_card", message!("holdem-on", name, error = not_a_card(&error)));
                    return None;
                }
            }
        }
        for card in cards.iter().flatten() {
            if card.is_joker() {
                self.card_fault("not_in_pack", message!("holdem-jokers", name));
            } else if !self.named.insert(*card) {
                self.card_fault("card_named_twice", message!("holdem-card-twice", name, card));
            }
        }
        if cards.len() != wanted {
            let found = cards.len();
            self.card_fault("wrong_count", message!("holdem-card-count", name, wanted, found));
            return None;
        }
        Some(cards)
    }

    /// The first `wanted` cards of the board from `board`.
    pub(super) fn board(&mut self, wanted: usize, unknown: bool) -> [Option<Card>; 5] {
        let mut board = [None; 5];
        match self.header.get("board") {
            None => {
                let place = &self.place;
                self.card_fault("missing_key", message!("holdem-needs-board", place, wanted));
            }
            Some(value) => {
                if let Some(cards) = self.cards(&message!("key", name = "board"), value, wanted, unknown) {
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
                let place = &self.place;
                self.card_fault("missing_key", message!("holdem-needs-holes", place));
            }
            return holes;
        };
        let Some(object) = value.as_object() else {
            self.card_fault("wrong_type", message!("holdem-holes-object"));
            return holes;
        };
        let mut given = Seats::NONE;
        for (name, value) in object {
            let Some(seat) = seat_named(name) else {
                let shown: String = in_sight(name).chars().take(20).collect();
                self.card_fault("bad_seat", message!("holdem-holes-seat", shown));
                continue;
            };
            given = given.with(seat);
            if seats.is_some_and(|seats| !seats.contains(seat)) {
                self.card_fault("bad_seat", message!("holdem-holes-no-stack", name));
            }
            if let Some(cards) = self.cards(&message!("holdem-holes-of", name), value, 2, true)
                && let ([first, second], Some(place)) = (cards.as_slice(), holes.get_mut(seat.index()))
            {
                *place = [*first, *second];
            }
        }
        for seat in seats.into_iter().flat_map(Seats::iter).filter(|seat| !given.contains(*seat)) {
            if !partial {
                self.card_fault("missing_hole", message!("holdem-holes-none", name = seat_name(seat)));
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
                    faults.push(Fault::new("bad_header", message!("holdem-incomplete")));
                }
                Err(StartError::Header(faults))
            }
        }
    }
}
