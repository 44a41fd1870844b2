//! Tuolaji (拖拉机, 双升级): two packs, four seats in two pairs, 25 tricks of singles, pairs, tractors and throws.
//!
//! The rules are those of the Tuolaji rulebook (§3–§7, §9.1), after the Zhuhai open final of 2009; section numbers in
//! this room's comments are the rulebook's. Which pair banks at which level, rounds and rankings are the business of
//! `formats` and `scoring`.
//!
//! - [`bag`], [`ladder`], [`shape`]: cards, groups and tiers, components
//! - [`follow`], [`plays`], [`complete`]: what a hand owes a lead, every legal play, completing a selection
//! - [`winner`], [`throw`], [`call`], [`big_points`]: one rule each
//! - [`start`], [`action`], [`state`], [`view`]: the board; `unknown`: hands that a position does not list

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::setup::order_fault;
use super::{ActionText, Fault, Game, GameKind, Seat, Setup, StartError, Viewer, Waiting, reading};
use crate::cards::{Card, Pack, Renaming};
use crate::words::Message;
use ladder::{Level, Trump};
use start::{Start, StartCards};

pub mod action;
pub mod bag;
pub mod big_points;
pub mod call;
mod clauses;
pub mod complete;
pub mod follow;
pub mod ladder;
pub mod plays;
mod read;
pub mod refusal;
pub mod rules;
pub mod shape;
pub mod start;
pub mod state;
mod story;
pub mod throw;
mod unknown;
pub mod view;
pub mod winner;

/// The seats in playing order, which is counter-clockwise with north on top.
pub const SEAT_NAMES: [&str; 4] = ["E", "N", "W", "S"];
/// Cards of a hand.
pub const HAND: usize = 25;
/// Cards of the bottom.
pub const BOTTOM: usize = 8;
/// Cards drawn into the hands.
pub const DRAWN: usize = 100;
/// [`DRAWN`] and [`BOTTOM`] as numbers of cards in a state.
#[allow(clippy::cast_possible_truncation)] // 100 and 8
const COUNTS: (u8, u8) = (DRAWN as u8, BOTTOM as u8);

/// The seat of a name.
#[must_use]
pub fn seat_named(name: &str) -> Option<Seat> {
    SEAT_NAMES.iter().zip(0..).find(|(known, _)| **known == name).map(|(_, seat)| Seat(seat))
}

/// Whether a seat belongs to the defenders (防守方), who alone collect points.
#[must_use]
pub const fn defends(seat: Seat, banker: Seat) -> bool {
    (seat.0 ^ banker.0) & 1 == 1
}

/// The throws that failed, in order.
fn failed_throws(state: &state::State) -> Vec<ThrowOutcome> {
    let tricks = (1..).zip(state.tricks.iter().chain([&state.trick]));
    tricks
        .filter_map(|(trick, played)| {
            let attempt = played.attempt.as_ref()?;
            Some(ThrowOutcome {
                trick,
                seat: SEAT_NAMES.get(attempt.seat.index()).copied()?,
                cards: attempt.cards,
                stood: played.plays.first().copied(),
                penalty: state.penalty(attempt),
            })
        })
        .collect()
}

/// The game. See [`Game`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuolaji;

/// Winner and points of a trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TrickOutcome {
    /// The seat that won it.
    pub winner: &'static str,
    /// The card points in it.
    pub points: u32,
}

/// What happened so far. `bottom` appears once it is laid away, `multiplier` at the end, `big` at the end where the
/// bottom is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The trump; `null` until it is fixed.
    pub trump: Option<Trump>,
    /// The tricks in order.
    pub tricks: Vec<TrickOutcome>,
    /// The defenders' small points with penalties and captured bottom.
    pub small: i64,
    /// Card points laid away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottom: Option<i64>,
    /// What the bottom counted; 0 when the banker side won the last trick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<i64>,
    /// Big points in the defenders' view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub big: Option<i64>,
    /// The name of the table that makes big points of small ones (rulebook §7.2).
    pub table: String,
    /// The calls in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallOutcome>,
    /// The cards of the bottom that were turned up because nobody called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flipped: Vec<Card>,
    /// The throws that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub throws: Vec<ThrowOutcome>,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallOutcome {
    /// Who called.
    pub seat: &'static str,
    /// How many cards had been drawn.
    pub after: u8,
    /// The cards shown.
    pub cards: bag::Bag,
    /// What they call.
    pub trump: Trump,
}

/// A throw that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThrowOutcome {
    /// The trick, from 1.
    pub trick: usize,
    /// Who threw.
    pub seat: &'static str,
    /// All the cards of the attempt.
    pub cards: bag::Bag,
    /// The part that was played; `null` while the next seat chooses.
    pub stood: Option<bag::Bag>,
    /// Small points that it cost.
    pub penalty: i64,
}

impl Game for Tuolaji {
    const KIND: GameKind = GameKind::Tuolaji;
    const PACK: Pack = Pack::TwoWithJokers;
    const RULESETS: &'static [(&'static str, &'static str)] =
        &[("zhuhai-2009", include_str!("rulesets/zhuhai-2009.toml"))];

    type Rules = rules::Rules;
    type Start = Start;
    type State = state::State;
    type Action = action::Action;
    type Effect = state::Effect;
    type View = view::View;
    type Illegal = refusal::Illegal;
    type Outcome = Outcome;

    fn seat_name(seat: Seat) -> Option<&'static str> {
        SEAT_NAMES.get(seat.index()).copied()
    }

    fn seat_named(name: &str) -> Option<Seat> {
        seat_named(name)
    }

    fn seats(_: &Start) -> u8 {
        4
    }

    /// Levels and bankers go round as in rulebook §2.3: board 1 is level 2 with east, board 2 level 3 with north, and
    /// after board 12 the same again.
    fn setups(_: &rules::Rules) -> Vec<Setup> {
        let bankers = (0..4).map(Seat).cycle();
        Level::ALL.into_iter().zip(bankers).map(|(level, banker)| start::write_setup(level, banker)).collect()
    }

    fn deal(_: &Arc<rules::Rules>, setup: &Setup, order: &[Card]) -> Result<Start, Vec<Fault>> {
        let settings = start::read_setup(setup);
        let (mut faults, settings) = match settings {
            Ok(settings) => (Vec::new(), Some(settings)),
            Err(faults) => (faults, None),
        };
        faults.extend(order_fault(Tuolaji::PACK, order));
        match settings {
            Some((level, banker)) if faults.is_empty() => {
                Ok(Start { level, banker, calling: None, cards: StartCards::Draw(order.into()) })
            }
            _ => Err(faults),
        }
    }

    fn setup_of(start: &Start) -> Setup {
        start::write_setup(start.level, start.banker)
    }

    fn read_start(rules: &Arc<rules::Rules>, header: &Map<String, Value>) -> Result<Start, StartError> {
        start::read(rules, header)
    }

    fn write_start(start: &Start) -> Map<String, Value> {
        start::write(start)
    }

    fn read_action(text: &ActionText) -> Result<action::Action, Message> {
        action::read(text)
    }

    fn write_action(action: &action::Action) -> ActionText {
        action::write(action)
    }

    fn open(rules: &Arc<rules::Rules>, start: &Start) -> state::State {
        state::State::open(rules, start)
    }

    fn waiting_for(state: &state::State) -> Waiting {
        state.waiting_for()
    }

    fn slow_after_ms(state: &state::State) -> Option<u32> {
        state.slow_after_ms()
    }

    fn timeout(state: &state::State, seat: Seat) -> Option<action::Action> {
        state.timeout(seat)
    }

    fn check(
        state: &state::State,
        seat: Seat,
        action: &action::Action,
    ) -> Result<state::Effect, refusal::Illegal> {
        state.check(seat, action)
    }

    fn apply(state: &mut state::State, effect: state::Effect) {
        state.apply(effect);
    }

    fn advance(state: &state::State) -> Option<state::Effect> {
        state.advance()
    }

    /// While cards are drawn, the seat nearest after the one that drew last comes first (stepped calling).
    fn precedence(state: &state::State) -> Vec<Seat> {
        let mut seats: Vec<Seat> = state.waiting_for().seats.iter().collect();
        if let Some(drawing) = state.drawing() {
            seats.sort_by_key(|seat| call::step_distance(drawing, *seat));
        }
        seats
    }

    fn dealer_first(state: &state::State, action: &action::Action) -> bool {
        state.phase == state::Phase::Draw
            && match action {
                action::Action::Call { after, .. } => state.drawn < *after,
                action::Action::LayAway(_) => true,
                action::Action::Play(_) | action::Action::Choose(_) => false,
            }
    }

    fn occasion_goes_on(state: &state::State) -> bool {
        !state.rules.call_restarts_window
    }

    /// The bottom is the banker's alone; a failed throw is shown as attempted only if the ruleset publishes it.
    fn keeps_secret(state: &state::State, action: &action::Action) -> bool {
        match action {
            action::Action::LayAway(_) => true,
            action::Action::Play(_) => !state.rules.publish_attempt && state.trick.plays.is_empty(),
            action::Action::Call { .. } | action::Action::Choose(_) => false,
        }
    }

    fn legal(state: &state::State, seat: Seat) -> impl Iterator<Item = action::Action> + '_ {
        state.offer(seat).actions()
    }

    fn ahead(state: &state::State) -> Option<Seat> {
        state.ahead()
    }

    fn view(state: &state::State, viewer: Viewer) -> view::View {
        view::view(state, viewer)
    }

    fn read_view(rules: &Arc<rules::Rules>, json: &Value) -> Result<view::View, String> {
        reading::in_one_line(read::view(rules, json))
    }

    fn options(view: &view::View) -> impl Iterator<Item = action::Action> + '_ {
        view.offer().actions()
    }

    fn canonical(view: &view::View) -> Renaming {
        view.canonical()
    }

    fn rename_view(view: &view::View, renaming: &Renaming) -> view::View {
        view.renamed(renaming)
    }

    fn rename_action(action: action::Action, renaming: &Renaming) -> action::Action {
        let named = |named: action::Named| action::Named {
            cards: named.cards.renamed(renaming),
            excess: named.excess.into_iter().map(|card| renaming.card(card)).collect(),
        };
        match action {
            action::Action::Call { cards, after } => action::Action::Call { cards: named(cards), after },
            action::Action::LayAway(cards) => action::Action::LayAway(named(cards)),
            action::Action::Play(cards) => action::Action::Play(named(cards)),
            action::Action::Choose(kind) => action::Action::Choose(kind),
        }
    }

    fn over() -> refusal::Illegal {
        refusal::Illegal::WrongPhase(state::Phase::Over)
    }

    fn finished(state: &state::State) -> bool {
        state.phase == state::Phase::Over
    }

    fn scores(state: &state::State) -> Vec<i64> {
        let big = state.big().unwrap_or(0);
        (0..4).map(|seat| if defends(Seat(seat), state.banker) { big } else { -big }).collect()
    }

    fn possible_score(rules: &rules::Rules, _start: &Self::Start, seat: Seat, score: i64) -> bool {
        let _ = seat;
        // Either side may be the banker's.
        rules.small_points().any(|small| rules.big_points.of(small).abs() == score.abs())
    }

    fn possible_small(rules: &rules::Rules, points: i64) -> bool {
        rules.small_points().any(|small| small == points || small == -points)
    }

    fn story(state: &state::State) -> Vec<crate::games::story::Fact> {
        story::story(state)
    }

    fn outcome(state: &state::State) -> Outcome {
        let over = state.phase == state::Phase::Over;
        Outcome {
            trump: state.ladder.map(|ladder| ladder.trump()),
            tricks: state
                .tricks
                .iter()
                .filter_map(|trick| {
                    let winner = trick.winner.and_then(Tuolaji::seat_name)?;
                    Some(TrickOutcome { winner, points: trick.points })
                })
                .collect(),
            small: state.small(),
            bottom: (over || state.bottom.is_some()).then(|| state.bottom_points()),
            multiplier: over.then_some(state.multiplier),
            big: state.big(),
            table: state.rules.big_points.name.clone(),
            calls: state
                .calls
                .iter()
                .map(|call| CallOutcome {
                    seat: SEAT_NAMES.get(call.seat.index()).copied().unwrap_or_default(),
                    after: call.after,
                    cards: call.cards,
                    trump: call.trump,
                })
                .collect(),
            flipped: state.flipped.clone(),
            throws: failed_throws(state),
        }
    }

    /// While a record has not moved the draw on, the listing holds everything its next line may say: the calls that
    /// the seat's cards will allow, and the banker's lay-aways.
    ///
    /// A seat whose cards a position does not tell gets an empty list with `"unknown":true`.
    fn legal_listing(state: &state::State, seat: Seat, limit: usize) -> Map<String, Value> {
        if state.turn == seat && state.asks_an_unknown_hand() {
            return Map::from_iter([
                ("legal".to_owned(), Value::Array(Vec::new())),
                ("unknown".to_owned(), Value::Bool(true)),
            ]);
        }
        let mut actions = state.rest_of_record(seat).unwrap_or_else(|| state.offer(seat).actions());
        let list: Vec<Value> =
            actions.by_ref().take(limit).map(|action| Value::String(action::write(&action).text)).collect();
        let mut listing = Map::new();
        listing.insert("legal".to_owned(), Value::Array(list));
        if actions.next().is_some() {
            listing.insert("cut".to_owned(), Value::Bool(true));
        }
        listing
    }
}
