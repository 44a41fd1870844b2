//! Where a board starts: a full deal or the middle of a play, read from a record's header with every inconsistency.
//!
//! Reading needs the ruleset only to judge the trick of a position; nothing here knows how a board goes on.

use serde_json::{Map, Value};

use super::combo::Combo;
use super::rules::{Quad, Rules};
use super::state::{BANKER_HAND, HAND, Played, next};
use super::{BOTTOM, NAMES, SEATS, name_of, seat_named};
use crate::cards::{Card, CardSet, parse_cards};
use crate::games::rulesets::{not_known, not_known_in};
use crate::games::{Fault, Seat, StartError, not_a_card};
use crate::words::{Message, message};

/// What a board starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A deal of all 52 cards.
    Deal(Deal),
    /// The middle of a play.
    Position(Position),
}

/// A complete deal: 16 cards for each seat and 4 bottom cards, no card twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The dealt hands by seat.
    pub hands: [CardSet; SEATS],
    /// The bottom (底牌).
    pub bottom: CardSet,
}

/// The middle of a play. It is made by reading a header, which checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) banker: Seat,
    /// 1 to 3.
    pub(super) bid: u8,
    /// Cards still held; `None`: not listed, its cards are not checked.
    pub(super) hands: [Option<CardSet>; SEATS],
    /// The present trick with every pass, from its lead.
    pub(super) trick: Vec<Played>,
    pub(super) turn: Seat,
    /// Seats that have shown, bit per seat.
    pub(super) shown: u8,
    /// Seats that have doubled, bit per seat.
    pub(super) doubled: u8,
    /// Bombs so far, those of the trick included.
    pub(super) bombs: u8,
    pub(super) bottom: Option<CardSet>,
}

impl Position {
    /// The cards that an unlisted hand cannot hold: those of listed hands and of the trick, and for a defender those
    /// of the bottom.
    pub(super) fn elsewhere(&self, seat: Seat) -> CardSet {
        let mut cards = self.hands.iter().flatten().fold(CardSet::EMPTY, |all, hand| all.union(*hand));
        cards = self.trick.iter().fold(cards, |all, played| all.union(played.cards));
        if seat != self.banker {
            cards = cards.union(self.bottom.unwrap_or_default());
        }
        cards
    }
}

/// Reads `deal` or `position`.
pub(super) fn read(rules: &Rules, header: &Map<String, Value>) -> Result<Start, StartError> {
    let mut header_faults: Vec<Fault> = header
        .keys()
        .filter(|key| !matches!(key.as_str(), "deal" | "position"))
        .map(|key| Fault::new("unknown_key", not_known("key", key, &["deal", "position"])))
        .collect();
    let mut reader = Reader { rules, faults: Vec::new(), seen: vec![None; usize::from(Card::FACES)] };
    let start = match (header.get("deal"), header.get("position")) {
        (Some(deal), None) => reader.deal(deal).map(Start::Deal),
        (None, Some(position)) => reader.position(position).map(Start::Position),
        (Some(_), Some(_)) => {
            header_faults.push(Fault::new("deal_and_position", message!("wakeng-both-starts")));
            None
        }
        (None, None) => {
            header_faults.push(Fault::new("missing_key", message!("wakeng-no-start")));
            None
        }
    };
    match start {
        Some(start) if header_faults.is_empty() && reader.faults.is_empty() => Ok(start),
        _ if header_faults.is_empty() => Err(StartError::Deal(reader.faults)),
        _ => {
            header_faults.append(&mut reader.faults);
            Err(StartError::Header(header_faults))
        }
    }
}

/// Writes what [`read`] reads, in canonical form.
pub(super) fn write(start: &Start) -> Map<String, Value> {
    let mut inner = Map::new();
    let key = match start {
        Start::Deal(deal) => {
            for (name, hand) in NAMES.iter().zip(&deal.hands) {
                inner.insert((*name).to_owned(), Value::String(hand.to_string()));
            }
            inner.insert("bottom".to_owned(), Value::String(deal.bottom.to_string()));
            "deal"
        }
        Start::Position(position) => {
            inner = write_position(position);
            "position"
        }
    };
    let mut header = Map::new();
    header.insert(key.to_owned(), Value::Object(inner));
    header
}

fn write_position(position: &Position) -> Map<String, Value> {
    let seats = |mask: u8| -> Value {
        (0..3).filter(|seat| mask >> seat & 1 == 1).map(|seat| Value::from(name_of(Seat(seat)))).collect()
    };
    let hands: Map<String, Value> = NAMES
        .iter()
        .zip(&position.hands)
        .filter_map(|(name, hand)| Some(((*name).to_owned(), Value::String((*hand)?.to_string()))))
        .collect();
    let trick: Vec<Value> = position
        .trick
        .iter()
        .map(Played::written)
        .map(|(seat, cards)| Value::from(vec![Value::from(seat), Value::from(cards)]))
        .collect();
    let mut keys = vec![
        ("banker", Value::from(name_of(position.banker))),
        ("bid", Value::from(position.bid)),
        ("hands", Value::Object(hands)),
        ("trick", Value::Array(trick)),
        ("turn", Value::from(name_of(position.turn))),
    ];
    if position.shown != 0 {
        keys.push(("shown", seats(position.shown)));
    }
    if position.doubled != 0 {
        keys.push(("doubled", seats(position.doubled)));
    }
    keys.push(("bombs", Value::from(position.bombs)));
    if let Some(bottom) = position.bottom {
        keys.push(("bottom", Value::String(bottom.to_string())));
    }
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Collects faults while it reads.
struct Reader<'a> {
    rules: &'a Rules,
    faults: Vec<Fault>,
    /// Where each face was named first.
    seen: Vec<Option<Message>>,
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 60 { text.chars().take(57).chain("...".chars()).collect() } else { text }
}

impl Reader<'_> {
    fn fault(&mut self, code: &'static str, message: Message) {
        self.faults.push(Fault::new(code, message));
    }

    fn object<'v>(
        &mut self,
        what: &str,
        value: &'v Value,
        known: &[&str],
        needed: &[&str],
    ) -> Option<&'v Map<String, Value>> {
        let Value::Object(map) = value else {
            self.fault("wrong_type", message!("wakeng-object", what, shown = short(value)));
            return None;
        };
        for key in map.keys().filter(|key| !known.contains(&key.as_str())) {
            self.fault("unknown_key", not_known_in(what, key, known));
        }
        for key in needed.iter().filter(|key| !map.contains_key(**key)) {
            self.fault("missing_key", message!("wakeng-missing-in", key, what));
        }
        Some(map)
    }

    /// A list of cards of one pack, none of which stands anywhere else.
    fn cards(&mut self, place: &Message, value: &Value) -> Option<CardSet> {
        let set = self.card_list(place, value)?;
        for card in set {
            let Some(seen) = self.seen.get_mut(usize::from(card.index())) else { continue };
            if let Some(before) = &*seen {
                let message = message!("wakeng-twice-in", card, before, place);
                self.fault("card_named_twice", message);
            } else {
                *seen = Some(place.clone());
            }
        }
        Some(set)
    }

    fn card_list(&mut self, place: &Message, value: &Value) -> Option<CardSet> {
        let Value::String(text) = value else {
            self.fault("wrong_type", message!("wakeng-card-text", place, shown = short(value)));
            return None;
        };
        let cards = match parse_cards(text) {
            Ok(cards) => cards,
            Err(error) => {
                self.fault("not_a_card", message!("wakeng-on", place, error = not_a_card(&error)));
                return None;
            }
        };
        let mut set = CardSet::EMPTY;
        let mut again = CardSet::EMPTY;
        for card in cards {
            if card.is_joker() {
                if again.insert(card) {
                    self.fault("not_in_pack", message!("wakeng-no-jokers", place, card));
                }
            } else if !set.insert(card) && again.insert(card) {
                self.fault("card_named_twice", message!("wakeng-named-twice", card, place));
            }
        }
        Some(set)
    }

    fn count(&mut self, place: &Message, cards: CardSet, wanted: usize) {
        if cards.len() != wanted {
            self.fault("wrong_count", message!("wakeng-count", place, count = cards.len(), wanted));
        }
    }

    fn seat(&mut self, place: &Message, value: &Value) -> Option<Seat> {
        let seat = value.as_str().and_then(seat_named);
        if seat.is_none() {
            self.fault("unknown_seat", message!("wakeng-seat", place, shown = short(value)));
        }
        seat
    }

    fn seats(&mut self, place: &str, value: &Value) -> u8 {
        let Value::Array(list) = value else {
            self.fault("wrong_type", message!("wakeng-seat-list", place, shown = short(value)));
            return 0;
        };
        let mut mask = 0;
        for value in list {
            let Some(seat) = self.seat(&message!("key", name = place), value) else { continue };
            if mask >> seat.0 & 1 == 1 {
                self.fault("seat_named_twice", message!("wakeng-seat-twice", seat = name_of(seat), place));
            }
            mask |= 1 << seat.0;
        }
        mask
    }

    fn number(&mut self, place: &str, value: &Value, low: u8, high: u8) -> Option<u8> {
        let number = value
            .as_u64()
            .and_then(|number| u8::try_from(number).ok())
            .filter(|number| (low..=high).contains(number));
        if number.is_none() {
            self.fault("out_of_range", message!("wakeng-number", place, low, high, shown = short(value)));
        }
        number
    }

    fn deal(&mut self, value: &Value) -> Option<Deal> {
        let keys = ["A", "B", "C", "bottom"];
        let map = self.object("deal", value, &keys, &keys)?;
        let mut hands = [CardSet::EMPTY; SEATS];
        for (name, hand) in NAMES.iter().zip(&mut hands) {
            let Some(value) = map.get(*name) else { continue };
            let place = message!("wakeng-hand", name);
            if let Some(cards) = self.cards(&place, value) {
                self.count(&place, cards, usize::from(HAND));
                *hand = cards;
            }
        }
        let bottom = map.get("bottom").and_then(|value| self.bottom(value)).unwrap_or_default();
        Some(Deal { hands, bottom })
    }

    fn bottom(&mut self, value: &Value) -> Option<CardSet> {
        let bottom = self.cards(&message!("wakeng-bottom"), value)?;
        self.count(&message!("wakeng-bottom"), bottom, BOTTOM);
        Some(bottom)
    }

    fn position(&mut self, value: &Value) -> Option<Position> {
        let known = ["banker", "bid", "hands", "trick", "turn", "shown", "doubled", "bombs", "bottom"];
        let map = self.object("position", value, &known, &["banker", "bid", "hands"])?;
        let banker = map.get("banker").and_then(|value| self.seat(&message!("key", name = "banker"), value));
        let bid = map.get("bid").and_then(|value| self.number("bid", value, 1, 3));
        let hands = map.get("hands").map_or([None; SEATS], |value| self.hands(value));
        let trick = map.get("trick").map_or(Vec::new(), |value| self.trick(value));
        let (trick, turn) = self.turn(trick, map);
        let shown = map.get("shown").map_or(0, |value| self.seats("shown", value));
        let doubled = map.get("doubled").map_or(0, |value| self.seats("doubled", value));
        let bottom = map.get("bottom").and_then(|value| {
            let bottom = self.card_list(&message!("wakeng-bottom"), value)?;
            self.count(&message!("wakeng-bottom"), bottom, BOTTOM);
            Some(bottom)
        });
        let bombs = self.bombs(map.get("bombs"), &hands, &trick);
        let position =
            Position { banker: banker?, bid: bid?, hands, trick, turn: turn?, shown, doubled, bombs, bottom };
        self.sizes(&position);
        self.rights(&position);
        Some(position)
    }

    fn hands(&mut self, value: &Value) -> [Option<CardSet>; SEATS] {
        let mut hands = [None; SEATS];
        let Some(map) = self.object("hands", value, &NAMES, &[]) else { return hands };
        for (name, hand) in NAMES.iter().zip(&mut hands) {
            let Some(value) = map.get(*name) else { continue };
            *hand = self.cards(&message!("wakeng-hand", name), value);
            if *hand == Some(CardSet::EMPTY) {
                self.fault("empty_hand", message!("wakeng-hand-empty", name));
            }
        }
        hands
    }

    /// The entries of the trick as they stand: a seat and its cards, none for a pass.
    fn trick(&mut self, value: &Value) -> Vec<Played> {
        let Value::Array(list) = value else {
            self.fault("wrong_type", message!("wakeng-trick-list", shown = short(value)));
            return Vec::new();
        };
        let mut trick = Vec::new();
        for (number, entry) in (1..).zip(list) {
            let place = message!("wakeng-entry", number);
            let Some([seat, cards]) = entry.as_array().map(Vec::as_slice) else {
                self.fault("wrong_type", message!("wakeng-trick-entry", place, shown = short(entry)));
                continue;
            };
            let seat = self.seat(&place, seat);
            let cards = if cards == "pass" { Some(CardSet::EMPTY) } else { self.play(&place, cards) };
            if let (Some(seat), Some(cards)) = (seat, cards) {
                trick.push(Played { seat, cards });
            }
        }
        trick
    }

    fn play(&mut self, place: &Message, value: &Value) -> Option<CardSet> {
        let cards = self.cards(place, value)?;
        if cards.is_empty() {
            self.fault("empty_play", message!("wakeng-empty-play", place));
            return None;
        }
        Some(cards)
    }

    /// Follows the trick from its lead, fills in passes that are only implied, and finds whose turn it is.
    fn turn(&mut self, entries: Vec<Played>, map: &Map<String, Value>) -> (Vec<Played>, Option<Seat>) {
        let shapes = self.rules.shapes();
        let mut trick: Vec<Played> = Vec::new();
        let mut over: Option<Combo> = None;
        for played in entries {
            if trick.is_empty() && played.cards.is_empty() {
                self.fault("leader_cannot_pass", message!("wakeng-begins-with-pass"));
                continue;
            }
            self.skip(&mut trick, played.seat);
            trick.push(played);
            if played.cards.is_empty() {
                self.still_open(&trick);
                continue;
            }
            let written = played.written().1;
            match (shapes.recognise(played.cards), over) {
                (None, _) => {
                    self.fault("not_a_combination", message!("wakeng-trick-no-combination", written));
                }
                (Some(combo), Some(before)) if !shapes.beats(combo, before) => {
                    self.fault("does_not_beat", message!("wakeng-trick-not-beaten", written));
                }
                (combo, _) => over = combo,
            }
        }
        let turn = map.get("turn").map(|value| self.seat(&message!("key", name = "turn"), value));
        let turn = match (turn, trick.last()) {
            (Some(turn), _) => turn,
            (None, Some(last)) => Some(next(last.seat)),
            (None, None) => {
                self.fault("missing_key", message!("wakeng-no-turn"));
                None
            }
        };
        if let Some(turn) = turn {
            self.skip(&mut trick, turn);
        }
        (trick, turn)
    }

    /// Adds the passes of the seats between the last entry and `seat`.
    fn skip(&mut self, trick: &mut Vec<Played>, seat: Seat) {
        while let Some(last) = trick.last().filter(|last| next(last.seat) != seat) {
            let seat = next(last.seat);
            trick.push(Played { seat, cards: CardSet::EMPTY });
            if !self.still_open(trick) {
                return;
            }
        }
    }

    fn still_open(&mut self, trick: &[Played]) -> bool {
        let passes = trick.iter().rev().take_while(|played| played.cards.is_empty()).count();
        if passes == 2 {
            self.fault("trick_over", message!("wakeng-trick-over"));
        }
        passes < 2
    }

    fn bombs(&mut self, value: Option<&Value>, hands: &[Option<CardSet>], trick: &[Played]) -> u8 {
        let shapes = self.rules.shapes();
        let in_trick = trick
            .iter()
            .filter(|played| shapes.recognise(played.cards).is_some_and(|combo| shapes.is_bomb(combo)))
            .count();
        let in_trick = u8::try_from(in_trick).unwrap_or(u8::MAX);
        let Some(value) = value else { return in_trick };
        let located = hands
            .iter()
            .flatten()
            .chain(trick.iter().map(|played| &played.cards))
            .fold(CardSet::EMPTY, |all, cards| all.union(*cards));
        let gone = (0..13)
            .map(|strength| shapes.rank(strength))
            .filter(|rank| located.iter().all(|card| card.rank() != Some(*rank)))
            .count();
        let most = if self.rules.quad == Quad::Bomb {
            in_trick.saturating_add(u8::try_from(gone).unwrap_or(u8::MAX))
        } else {
            0
        };
        self.number("bombs", value, in_trick, most).unwrap_or(in_trick)
    }

    fn sizes(&mut self, position: &Position) {
        for (seat, hand) in (0..).map(Seat).zip(position.hands) {
            let played = position.trick.iter().filter(|played| played.seat == seat);
            let played = played.fold(CardSet::EMPTY, |cards, played| cards.union(played.cards));
            let number = hand.unwrap_or_default().len() + played.len();
            let most = usize::from(if seat == position.banker { BANKER_HAND } else { HAND });
            if number > most {
                self.fault("too_many_cards", message!("wakeng-too-many", seat = name_of(seat), number, most));
            }
            if hand.is_none() && CardSet::FIFTY_TWO.difference(position.elsewhere(seat)).is_empty() {
                self.fault("empty_hand", message!("wakeng-nothing-left", seat = name_of(seat)));
            }
            let of_bottom =
                hand.unwrap_or_default().union(played).intersection(position.bottom.unwrap_or_default());
            if seat != position.banker && !of_bottom.is_empty() {
                self.fault(
                    "bottom_elsewhere",
                    message!("wakeng-bottom-elsewhere", of_bottom, seat = name_of(seat)),
                );
            }
        }
    }

    fn rights(&mut self, position: &Position) {
        let banker = 1_u8 << position.banker.0;
        let banker_may = self.rules.show_before_bid || self.rules.banker_show;
        if position.shown & banker != 0 && !banker_may
            || position.shown & !banker != 0 && !self.rules.show_before_bid
        {
            self.fault("no_showing", message!("wakeng-cannot-show"));
        }
        if position.doubled != 0 && !self.rules.doubling {
            self.fault("no_doubling", message!("wakeng-no-doubling"));
        }
    }
}
