//! The header of a record: a full draw, hands with a bottom, or a position (TL 3; record format, tuolaji row).
//!
//! Reading lists every inconsistency at once. Writing is canonical: equal starts write equal keys.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::bag::Bag;
use super::ladder::{Ladder, Level, Trump};
use super::rules::{Calling, Rules};
use super::{BOTTOM, DRAWN, HAND, SEAT_NAMES, seat_named};
use crate::cards::{Card, Pack, parse_cards, write_cards};
use crate::games::rulesets::not_known;
use crate::games::{Fault, Seat, Setup, StartError, not_a_card};
use crate::words::{Message, message};

/// A validated deal or position with the settings of its board.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The level.
    pub level: Level,
    /// The banker.
    pub banker: Seat,
    /// How calls are ordered, where the header says so; otherwise as the ruleset has it.
    pub calling: Option<Calling>,
    /// The cards.
    pub cards: StartCards,
}

/// Where a board begins.
#[derive(Clone, Debug, PartialEq)]
pub enum StartCards {
    /// All 108 cards in drawing order, the banker first; the last eight are the bottom.
    Draw(Arc<[Card]>),
    /// Calling is over: hands of 25, the bottom and the trump.
    Dealt {
        /// By seat.
        hands: [Bag; 4],
        /// The eight cards that the banker takes.
        bottom: Bag,
        /// The trump.
        trump: Trump,
    },
    /// The middle of a board.
    Position(Box<Position>),
}

/// The middle of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// The trump.
    pub trump: Trump,
    /// The listed cards by seat; `None`: nothing is known of the seat.
    pub hands: [Option<Bag>; 4],
    /// The plays of the current trick, the lead first.
    pub trick: Vec<Bag>,
    /// Who plays next.
    pub turn: Seat,
    /// The cards laid away, if known.
    pub bottom: Option<Bag>,
    /// The defenders' points so far.
    pub points: i64,
}

impl Position {
    /// Who led to the current trick, or leads now.
    #[must_use]
    pub fn leader(&self) -> Seat {
        let played = u8::try_from(self.trick.len()).unwrap_or(0);
        Seat((self.turn.0 + 8 - played) % 4)
    }
}

/// Small points of a position lie within this, so that sums cannot overflow.
const POINTS_MOST: i64 = 1_000_000;

/// Faults on their way to a [`StartError`].
#[derive(Default)]
struct Faults {
    header: Vec<Fault>,
    deal: Vec<Fault>,
}

impl Faults {
    fn into_error(mut self) -> StartError {
        if self.header.is_empty() {
            return StartError::Deal(self.deal);
        }
        self.header.append(&mut self.deal);
        StartError::Header(self.header)
    }

    fn is_empty(&self) -> bool {
        self.header.is_empty() && self.deal.is_empty()
    }

    /// Reports the keys of an object that are not among the known ones.
    fn unknown_keys(&mut self, object: &Map<String, Value>, known: &[&str]) {
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            self.header.push(Fault::new("unknown_key", not_known("key", key, known)));
        }
    }

    /// Reads a text value with `parse`, reporting a missing key, another type or a bad value.
    fn text<T>(
        &mut self,
        object: &Map<String, Value>,
        key: &'static str,
        parse: impl FnOnce(&str) -> Result<T, Message>,
    ) -> Option<T> {
        match object.get(key) {
            None => {
                self.header.push(Fault::new("missing_key", message!("fault-missing", key)));
                None
            }
            Some(Value::String(text)) => parse(text)
                .map_err(|error| {
                    let shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
                    self.header.push(Fault::new("bad_value", message!("tuolaji-value", key, shown, error)));
                })
                .ok(),
            Some(_) => {
                self.header.push(Fault::new("bad_value", message!("tuolaji-text", key)));
                None
            }
        }
    }

    /// Reads a list of cards.
    fn cards(&mut self, name: &str, value: &Value) -> Option<Vec<Card>> {
        let Value::String(text) = value else {
            self.deal.push(Fault::new("bad_cards", message!("tuolaji-cards-text", name)));
            return None;
        };
        parse_cards(text)
            .map_err(|error| {
                self.deal.push(Fault::new(
                    "bad_cards",
                    message!("tuolaji-on-key", name, error = not_a_card(&error)),
                ));
            })
            .ok()
    }

    fn count(&mut self, name: &str, cards: &[Card], wanted: usize) {
        if cards.len() != wanted {
            self.deal.push(Fault::new(
                "wrong_count",
                message!("tuolaji-count", name, cards = counted(cards.len()), wanted),
            ));
        }
    }

    /// Reports faces that lie on the table more than twice.
    fn copies(&mut self, cards: impl IntoIterator<Item = Card>) -> Bag {
        let (bag, mut excess) = Bag::of(cards);
        excess.sort_unstable();
        excess.dedup();
        for card in excess {
            self.deal.push(Fault::new("card_named_twice", message!("tuolaji-copies", card)));
        }
        bag
    }
}

/// A number of cards, in words.
fn counted(cards: usize) -> Message {
    if cards == 1 { message!("tuolaji-one-card") } else { message!("tuolaji-cards", cards) }
}

fn seat(text: &str) -> Result<Seat, Message> {
    seat_named(text).ok_or_else(|| message!("tuolaji-no-seat"))
}

fn calling(text: &str) -> Result<Calling, Message> {
    [Calling::Realtime, Calling::Stepped]
        .into_iter()
        .find(|calling| calling.name() == text)
        .ok_or_else(|| message!("tuolaji-no-calling"))
}

/// Reads a header.
///
/// # Errors
/// Every inconsistency.
pub fn read(rules: &Rules, header: &Map<String, Value>) -> Result<Start, StartError> {
    let mut faults = Faults::default();
    let start = match (header.get("deal"), header.get("position")) {
        (Some(_), Some(_)) => {
            faults.header.push(Fault::new("two_starts", message!("tuolaji-two-starts")));
            None
        }
        (None, Some(position)) => read_position(rules, header, position, &mut faults),
        (Some(deal), None) => read_deal(header, deal, &mut faults),
        (None, None) => {
            faults.unknown_keys(header, &["level", "banker", "trump", "calling", "deal", "position"]);
            faults.header.push(Fault::new("missing_key", message!("tuolaji-no-start")));
            read_settings(header, &mut faults);
            None
        }
    };
    match start {
        Some(start) if faults.is_empty() => Ok(start),
        _ => Err(faults.into_error()),
    }
}

/// Level and banker of a deal.
fn read_settings(header: &Map<String, Value>, faults: &mut Faults) -> (Option<Level>, Option<Seat>) {
    (faults.text(header, "level", str::parse::<Level>), faults.text(header, "banker", seat))
}

/// Level and banker of a setup.
///
/// # Errors
/// Every inconsistency.
pub(super) fn read_setup(setup: &Setup) -> Result<(Level, Seat), Vec<Fault>> {
    let mut faults = Faults::default();
    faults.unknown_keys(&setup.0, &["level", "banker"]);
    match read_settings(&setup.0, &mut faults) {
        (Some(level), Some(banker)) if faults.is_empty() => Ok((level, banker)),
        _ => Err(faults.header),
    }
}

/// Writes what [`read_setup`] reads.
pub(super) fn write_setup(level: Level, banker: Seat) -> Setup {
    let name = SEAT_NAMES.get(banker.index()).copied().unwrap_or_default();
    Setup(Map::from_iter([("level".to_owned(), json!(level)), ("banker".to_owned(), json!(name))]))
}

fn read_deal(header: &Map<String, Value>, deal: &Value, faults: &mut Faults) -> Option<Start> {
    let (level, banker) = read_settings(header, faults);
    let Value::Object(deal) = deal else {
        faults.header.push(Fault::new("bad_value", message!("fault-deal-object")));
        return None;
    };
    let (calling, cards) = if let Some(draw) = deal.get("draw") {
        faults.unknown_keys(header, &["level", "banker", "calling", "deal"]);
        faults.unknown_keys(deal, &["draw"]);
        let calling =
            header.contains_key("calling").then(|| faults.text(header, "calling", calling)).flatten();
        (calling, read_draw(draw, faults))
    } else {
        faults.unknown_keys(header, &["level", "banker", "trump", "deal"]);
        faults.unknown_keys(deal, &["E", "N", "W", "S", "bottom"]);
        let trump = faults.text(header, "trump", str::parse::<Trump>);
        (None, read_hands(deal, trump, faults))
    };
    Some(Start { level: level?, banker: banker?, calling, cards: cards? })
}

fn read_draw(draw: &Value, faults: &mut Faults) -> Option<StartCards> {
    let cards = faults.cards("draw", draw)?;
    faults.count("draw", &cards, DRAWN + BOTTOM);
    let bag = faults.copies(cards.iter().copied());
    missing_cards(bag, faults);
    Some(StartCards::Draw(cards.into()))
}

fn missing_cards(dealt: Bag, faults: &mut Faults) {
    let pack: Bag = Pack::TwoWithJokers.cards().into_iter().collect();
    let missing = pack.minus(dealt);
    if !missing.is_empty() {
        faults.deal.push(Fault::new("card_missing", message!("tuolaji-cards-missing", missing)));
    }
}

fn read_hands(deal: &Map<String, Value>, trump: Option<Trump>, faults: &mut Faults) -> Option<StartCards> {
    let mut all = Vec::new();
    let mut bags = [Bag::EMPTY; 5];
    let mut complete = true;
    let names = SEAT_NAMES.into_iter().map(|name| (name, HAND)).chain([("bottom", BOTTOM)]);
    for ((name, wanted), bag) in names.zip(&mut bags) {
        let Some(value) = deal.get(name) else {
            faults.deal.push(Fault::new("missing_key", message!("tuolaji-deal-missing", name)));
            complete = false;
            continue;
        };
        let Some(cards) = faults.cards(name, value) else {
            complete = false;
            continue;
        };
        faults.count(name, &cards, wanted);
        *bag = cards.iter().copied().collect();
        all.extend(cards);
    }
    let dealt = faults.copies(all);
    if complete {
        missing_cards(dealt, faults);
    }
    let [east, north, west, south, bottom] = bags;
    Some(StartCards::Dealt { hands: [east, north, west, south], bottom, trump: trump? })
}

fn read_position(
    rules: &Rules,
    header: &Map<String, Value>,
    position: &Value,
    faults: &mut Faults,
) -> Option<Start> {
    faults.unknown_keys(header, &["position"]);
    let Value::Object(position) = position else {
        faults.header.push(Fault::new("bad_value", message!("fault-position-object")));
        return None;
    };
    faults
        .unknown_keys(position, &["level", "trump", "banker", "hands", "trick", "turn", "bottom", "points"]);
    let level = faults.text(position, "level", str::parse::<Level>);
    let trump = faults.text(position, "trump", str::parse::<Trump>);
    let banker = faults.text(position, "banker", seat);
    let turn = faults.text(position, "turn", seat);
    let mut all = Vec::new();
    let hands = read_listed(position, &mut all, faults);
    let trick = read_trick(position, turn, &mut all, faults);
    if let (Some(level), Some(trump), Some(lead)) = (level, trump, trick.first())
        && !lead.is_empty()
        && Ladder::new(level, trump).single_group(*lead).is_none()
    {
        faults.deal.push(Fault::new("two_groups", message!("tuolaji-lead-groups", lead)));
    }
    let bottom = position.get("bottom").and_then(|value| faults.cards("bottom", value)).map(|cards| {
        faults.count("bottom", &cards, BOTTOM);
        all.extend(cards.iter().copied());
        cards.into_iter().collect::<Bag>()
    });
    faults.copies(all);
    let points = read_points(rules, position, faults);
    possible_hands(&hands, &trick, turn, faults);
    let position = Position { trump: trump?, hands, trick, turn: turn?, bottom, points };
    let cards = StartCards::Position(Box::new(position));
    Some(Start { level: level?, banker: banker?, calling: None, cards })
}

/// The defenders' points so far. Card points come in fives, and so do penalties unless the ruleset says otherwise.
fn read_points(rules: &Rules, position: &Map<String, Value>, faults: &mut Faults) -> i64 {
    let Some(value) = position.get("points") else { return 0 };
    let Some(points) = value.as_i64().filter(|points| points.abs() <= POINTS_MOST) else {
        let message = message!("tuolaji-points", points_most = POINTS_MOST);
        faults.header.push(Fault::new("bad_value", message));
        return 0;
    };
    let in_fives =
        [rules.blocked_card_penalty, rules.slow_play_penalty].iter().all(|penalty| penalty % 5 == 0);
    if in_fives && points % 5 != 0 {
        let message = message!("tuolaji-fives", points);
        faults.deal.push(Fault::new("bad_points", message));
    }
    points
}

/// Hands that no seat can hold: with what it has played to the trick a seat has 25 cards at most, and the seat on turn
/// has a card unless nobody has any.
fn possible_hands(hands: &[Option<Bag>; 4], trick: &[Bag], turn: Option<Seat>, faults: &mut Faults) {
    let Some(turn) = turn else { return };
    let leader = (turn.index() + 16 - trick.len()) % 4;
    for (index, (name, hand)) in SEAT_NAMES.into_iter().zip(hands).enumerate() {
        let played = trick.get((index + 4 - leader) % 4).map_or(0, |play| play.len());
        let held = hand.map_or(0, Bag::len);
        if played + held > HAND {
            let message = match (held, played) {
                (held, 0) => message!("tuolaji-hand-most", name, held = counted(held), hand = HAND),
                (0, played) => {
                    message!("tuolaji-play-most", name, played = counted(played), hand = HAND)
                }
                (held, played) => {
                    message!("tuolaji-hand-and-play-most", name, held = counted(held), played, hand = HAND)
                }
            };
            faults.deal.push(Fault::new("wrong_count", message));
        }
    }
    let over = trick.is_empty() && hands.iter().flatten().all(|hand| hand.is_empty());
    if !over && hands.get(turn.index()).copied().flatten().is_some_and(Bag::is_empty) {
        let name = SEAT_NAMES.get(turn.index()).copied().unwrap_or_default();
        let message = message!("tuolaji-turn-empty", name);
        faults.deal.push(Fault::new("empty_hand", message));
    }
}

fn read_listed(position: &Map<String, Value>, all: &mut Vec<Card>, faults: &mut Faults) -> [Option<Bag>; 4] {
    let mut hands = [None; 4];
    match position.get("hands") {
        None => faults.header.push(Fault::new("missing_key", message!("tuolaji-hands-missing"))),
        Some(Value::Object(listed)) => {
            faults.unknown_keys(listed, &SEAT_NAMES);
            for (name, hand) in SEAT_NAMES.into_iter().zip(&mut hands) {
                let Some(cards) = listed.get(name).and_then(|value| faults.cards(name, value)) else {
                    continue;
                };
                all.extend(cards.iter().copied());
                *hand = Some(cards.into_iter().collect());
            }
        }
        Some(_) => faults.header.push(Fault::new("bad_value", message!("tuolaji-hands-object"))),
    }
    hands
}

fn read_trick(
    position: &Map<String, Value>,
    turn: Option<Seat>,
    all: &mut Vec<Card>,
    faults: &mut Faults,
) -> Vec<Bag> {
    let plays = match position.get("trick") {
        None => return Vec::new(),
        Some(Value::Array(plays)) => plays,
        Some(_) => {
            let shape = message!("tuolaji-trick-list");
            faults.header.push(Fault::new("bad_value", shape));
            return Vec::new();
        }
    };
    if plays.len() > 3 {
        faults.deal.push(Fault::new("wrong_count", message!("tuolaji-trick-over")));
    }
    let mut trick = Vec::new();
    let mut size = None;
    for (place, play) in plays.iter().enumerate() {
        let Some([Value::String(name), cards]) = play.as_array().map(Vec::as_slice) else {
            faults.deal.push(Fault::new("bad_value", message!("tuolaji-trick-play")));
            continue;
        };
        match seat(name) {
            Err(error) => {
                faults.deal.push(Fault::new("bad_value", message!("tuolaji-trick-seat", name, error)));
            }
            Ok(seat) => {
                let after = plays.len() - place;
                let expected = turn.map(|turn| (usize::from(turn.0) + 16 - after % 4) % 4);
                if expected.is_some_and(|expected| expected != seat.index()) {
                    faults.deal.push(Fault::new(
                        "wrong_order",
                        message!("tuolaji-trick-order", name, number = place + 1),
                    ));
                }
            }
        }
        let Some(cards) = faults.cards("trick", cards) else { continue };
        let wanted = *size.get_or_insert(cards.len());
        if cards.is_empty() || cards.len() != wanted {
            faults.deal.push(Fault::new(
                "wrong_count",
                message!("tuolaji-trick-size", name, played = counted(cards.len())),
            ));
        }
        all.extend(cards.iter().copied());
        trick.push(cards.into_iter().collect());
    }
    trick
}

/// Writes the header keys in canonical form.
#[must_use]
pub fn write(start: &Start) -> Map<String, Value> {
    let name = |seat: Seat| SEAT_NAMES.get(seat.index()).copied().unwrap_or("E");
    let mut header = Map::new();
    let mut put = |key: &str, value: Value| header.insert(key.to_owned(), value);
    if let StartCards::Position(position) = &start.cards {
        put("position", write_position(start, position));
        return header;
    }
    put("level", json!(start.level));
    put("banker", json!(name(start.banker)));
    match &start.cards {
        StartCards::Draw(draw) => {
            if let Some(calling) = start.calling {
                put("calling", json!(calling.name()));
            }
            put("deal", json!({"draw": write_cards(draw.iter().copied())}));
        }
        StartCards::Dealt { hands, bottom, trump } => {
            put("trump", json!(trump));
            let mut deal = Map::new();
            for (name, hand) in SEAT_NAMES.into_iter().zip(hands) {
                deal.insert(name.to_owned(), json!(hand));
            }
            deal.insert("bottom".to_owned(), json!(bottom));
            put("deal", Value::Object(deal));
        }
        StartCards::Position(_) => {}
    }
    header
}

fn write_position(start: &Start, position: &Position) -> Value {
    let name = |seat: u8| SEAT_NAMES.get(usize::from(seat % 4)).copied().unwrap_or("E");
    let mut hands = Map::new();
    for (name, hand) in SEAT_NAMES.into_iter().zip(position.hands) {
        if let Some(hand) = hand {
            hands.insert(name.to_owned(), json!(hand));
        }
    }
    let leader = position.leader().0;
    let trick: Vec<Value> =
        (leader..).zip(&position.trick).map(|(seat, play)| json!([name(seat), play])).collect();
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("level", json!(start.level));
    put("trump", json!(position.trump));
    put("banker", json!(name(start.banker.0)));
    put("hands", Value::Object(hands));
    put("trick", Value::Array(trick));
    put("turn", json!(name(position.turn.0)));
    if let Some(bottom) = position.bottom {
        put("bottom", json!(bottom));
    }
    if position.points != 0 {
        put("points", json!(position.points));
    }
    Value::Object(object)
}
