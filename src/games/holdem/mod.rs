//! No-limit hold'em (德州扑克), two to ten seats, as one hand of a tournament or a duplicate board.
//!
//! Architecture invariants: amounts are whole chips in 64 bits and every sum is checked or bounded by
//! [`CHIPS_MAX`]; nothing here knows tables, tournaments or entries; cards that are not dealt yet never leave the
//! state (PK-61). PK numbers are those of the hold'em rulebook.

use std::sync::Arc;

use serde_json::{Map, Value, json};

mod action;
mod clauses;
pub mod equity;
pub mod eval;
pub mod notation;
pub mod phh;
mod position;
mod pots;
mod read;
mod reader;
mod rules;
pub mod seating;
mod setup;
mod showdown;
mod start;
mod state;
mod story;
mod view;

pub use action::{Action, Illegal};
pub use position::Position;
pub use pots::{Pot, layers, split, uncalled};
pub use rules::{
    AllInCards, AnteKind, BigBlindAnte, Clock, Duplicate, FacingNoBet, OddChips, PreflopBetting, Rules,
    ShortAllIns, ShowFirst,
};
pub use start::{CHIPS_MAX, Cards, PerSeat, SEATS_MAX, Start, Street};
pub use state::{Bounds, Effect, Posts, State};
pub use view::{BySeat, Choice, Outcome, PotOutcome, SeatView, View};

use super::{ActionText, Fault, Game, GameKind, Seat, Seats, Setup, StartError, Viewer, Waiting, reading};
use crate::cards::{Card, Pack, Renaming};
use crate::words::Message;
use state::{EffectKind, Stage};

/// No-limit hold'em. A seat's score is the change of its stack in the hand, in chips.
#[derive(Clone, Copy, Debug)]
pub struct Holdem;

impl Holdem {
    /// What an absent or disconnected player's hand does (PK-64): it checks when that is free, else it folds.
    #[must_use]
    pub fn absent(state: &State, seat: Seat) -> Option<Action> {
        if state.turn() != Some(seat) {
            return None;
        }
        Some(if state.owed(seat) == 0 { Action::Check } else { Action::Fold })
    }

    /// What the seat on turn may do; `None` for any other seat.
    #[must_use]
    pub fn bounds(state: &State, seat: Seat) -> Option<Bounds> {
        (state.turn() == Some(seat)).then(|| state.bounds(seat))
    }

    /// All chips put in so far, and how many seats must still act on this street.
    #[must_use]
    pub fn at_stake(state: &State) -> (u64, u64) {
        (state.total.iter().sum::<u64>() + state.dead, state.pending.len() as u64)
    }

    /// Whether a bet is open, so that a seat raises instead of betting.
    #[must_use]
    pub const fn bet_is_open(state: &State) -> bool {
        state.top > 0
    }

    /// What everybody posts in a hand that is dealt (a position has no posts).
    #[must_use]
    pub fn posts(rules: &Rules, start: &Start) -> Posts {
        state::posts(rules, start)
    }

    /// The values of the hands that came to the showdown, by seat.
    #[must_use]
    pub fn values(state: &State) -> PerSeat<Option<eval::HandValue>> {
        state.values
    }

    /// The seats of a showdown in order, each with whether it showed its hand or mucked it.
    pub fn showdown(state: &State) -> impl Iterator<Item = (Seat, bool)> {
        state.order.iter()
    }

    fn effect(state: &State, seat: Seat, action: Action) -> Result<EffectKind, Illegal> {
        match state.stage {
            // A referee need not wait for the seat's turn (PK-62, PK-112, PK-116), nor for cards that nobody knows.
            Stage::Betting(_) | Stage::Unsettled if action == Action::Dead => {
                if !state.live.contains(seat) {
                    return Err(Illegal::NotLive { seat });
                }
            }
            Stage::Betting(turn) if turn == seat => {}
            Stage::Betting(turn) => return Err(Illegal::NotYourTurn { turn }),
            Stage::Over | Stage::Unsettled => return Err(Illegal::Over),
        }
        let owed = state.owed(seat);
        match action {
            Action::Dead => Ok(EffectKind::Kill),
            Action::Fold if owed > 0 => Ok(EffectKind::Fold),
            Action::Call if owed > 0 => Ok(EffectKind::Call(owed)),
            Action::Fold | Action::Call => Err(Illegal::NothingToCall { open: state.top > 0 }),
            Action::Check if owed == 0 => Ok(EffectKind::Check),
            Action::Check => {
                Err(Illegal::CannotCheck { call: owed, raise: state.bounds(seat).raise.is_some() })
            }
            Action::Bet(_) if state.top > 0 => Err(Illegal::BetIsOpen),
            Action::Raise(_) if state.top == 0 => Err(Illegal::NoBetOpen),
            Action::Bet(to) | Action::Raise(to) => Holdem::to(state, seat, to),
            Action::AllIn => match state.bounds(seat).raise {
                Some((min, max)) if max < state.put[seat.index()] + state.stacks[seat.index()] => {
                    Err(Illegal::BadAmount { min, max, unit: state.start.unit })
                }
                Some((_, max)) => Ok(EffectKind::Raise(max)),
                None if owed > 0 => Ok(EffectKind::Call(owed)),
                None => Err(Illegal::NothingToCall { open: state.top > 0 }),
            },
        }
    }

    /// A bet or raise to a total.
    fn to(state: &State, seat: Seat, to: u64) -> Result<EffectKind, Illegal> {
        let bounds = state.bounds(seat);
        let all = state.put[seat.index()] + state.stacks[seat.index()];
        let unit = state.start.unit;
        match bounds.raise {
            // The whole stack that falls short of the bet is a call.
            _ if to == all && all <= state.top && bounds.call > 0 => Ok(EffectKind::Call(bounds.call)),
            Some((min, max)) if to == max || (min <= to && to < max && to.is_multiple_of(unit)) => {
                Ok(EffectKind::Raise(to))
            }
            Some((min, max)) => Err(Illegal::BadAmount { min, max, unit }),
            None if all <= state.top => Err(Illegal::BadAmount { min: all, max: all, unit }),
            None if bounds.closed => Err(Illegal::NotReopened),
            None => Err(Illegal::NobodyToRaise),
        }
    }
}

/// What a seat on turn needs to know to list its actions.
#[derive(Clone, Copy, Debug)]
struct Turn {
    bounds: Bounds,
    /// The bet to call.
    top: u64,
    /// The seat's bet if it goes all-in.
    all: u64,
    /// The smallest chip.
    unit: u64,
}

/// Every legal action: fold, check and call first, then every total of a bet or raise, then `all-in`.
fn actions(turn: Option<Turn>) -> impl Iterator<Item = Action> {
    turn.into_iter().flat_map(|Turn { bounds, top, all, unit }| {
        let first = if bounds.call > 0 {
            [Some(Action::Fold), Some(Action::Call)]
        } else {
            [Some(Action::Check), None]
        };
        let make = move |to| if top > 0 { Action::Raise(to) } else { Action::Bet(to) };
        // Totals between the bounds are multiples of the chip.
        let totals = bounds.raise.into_iter().flat_map(move |(min, max)| {
            std::iter::successors(Some(min), move |to| {
                (*to < max).then(|| (to / unit * unit + unit).min(max))
            })
        });
        // The whole stack that falls short of the bet may be written as a total, too.
        let short = (bounds.call > 0 && all <= top).then_some(all);
        // In pot-limit the whole stack may be more than is allowed.
        let all_in = bounds.raise.map_or(bounds.call > 0, |(_, max)| max == all).then_some(Action::AllIn);
        first.into_iter().flatten().chain(totals.chain(short).map(make)).chain(all_in)
    })
}

impl Game for Holdem {
    const KIND: GameKind = GameKind::Holdem;
    const PACK: Pack = Pack::FiftyTwo;
    const RULESETS: &'static [(&'static str, &'static str)] = &[
        ("tda-2011", include_str!("rulesets/tda-2011.toml")),
        ("tda-2024", include_str!("rulesets/tda-2024.toml")),
    ];

    type Rules = Rules;
    type Start = Start;
    type State = State;
    type Action = Action;
    type Effect = Effect;
    type View = View;
    type Illegal = Illegal;
    type Outcome = Outcome;

    fn seat_name(seat: Seat) -> Option<&'static str> {
        start::NAMES.get(seat.index()).copied()
    }

    fn seat_named(name: &str) -> Option<Seat> {
        start::seat_named(name)
    }

    fn seats(start: &Start) -> u8 {
        start.seats.iter().last().map_or(0, |seat| seat.0 + 1)
    }

    fn seated(start: &Start) -> Seats {
        start.seats
    }

    /// One for each seat's button.
    fn setups(rules: &Rules) -> Vec<Setup> {
        setup::cycle(rules)
    }

    fn deal(_: &Arc<Rules>, setup: &Setup, order: &[Card]) -> Result<Start, Vec<Fault>> {
        setup::deal(setup, order)
    }

    fn setup_of(start: &Start) -> Setup {
        setup::write(start)
    }

    fn carry(state: &State) -> Setup {
        setup::carry(state)
    }

    fn read_start(rules: &Arc<Rules>, header: &Map<String, Value>) -> Result<Start, StartError> {
        start::read(rules, header)
    }

    fn write_start(start: &Start) -> Map<String, Value> {
        start::write(start)
    }

    fn read_action(text: &ActionText) -> Result<Action, Message> {
        action::read(text)
    }

    fn write_action(action: &Action) -> ActionText {
        action::write(*action)
    }

    fn open(rules: &Arc<Rules>, start: &Start) -> State {
        State::open(rules, start)
    }

    fn waiting_for(state: &State) -> Waiting {
        let clock = &state.rules.clock;
        Waiting {
            seats: state.turn().map_or(Seats::NONE, Seats::one),
            simultaneous: false,
            phase: view::phase(state),
            limit_ms: clock.decide_ms.saturating_add(clock.countdown_ms),
        }
    }

    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        let action = Holdem::absent(state, seat)?;
        Some(match (action, state.rules.clock.facing_no_bet) {
            (Action::Check, FacingNoBet::Dead) => Action::Dead,
            _ => action,
        })
    }

    fn check(state: &State, seat: Seat, action: &Action) -> Result<Effect, Illegal> {
        Holdem::effect(state, seat, *action).map(|kind| Effect { seat, kind })
    }

    fn apply(state: &mut State, effect: Effect) {
        state.apply(effect);
    }

    fn legal(state: &State, seat: Seat) -> impl Iterator<Item = Action> + '_ {
        actions(Holdem::bounds(state, seat).map(|bounds| Turn {
            bounds,
            top: state.top,
            all: state.put[seat.index()] + state.stacks[seat.index()],
            unit: state.start.unit,
        }))
    }

    fn view(state: &State, viewer: Viewer) -> View {
        view::view(state, viewer)
    }

    fn read_view(_: &Arc<Rules>, view: &Value) -> Result<View, String> {
        reading::in_one_line(read::view(view))
    }

    fn options(view: &View) -> impl Iterator<Item = Action> + '_ {
        actions(view.own_turn())
    }

    fn canonical(view: &View) -> Renaming {
        view.canonical()
    }

    fn rename_view(view: &View, renaming: &Renaming) -> View {
        view.renamed(renaming)
    }

    fn rename_action(action: Action, _: &Renaming) -> Action {
        action
    }

    fn over() -> Illegal {
        Illegal::Over
    }

    fn finished(state: &State) -> bool {
        state.stage == Stage::Over
    }

    fn scores(state: &State) -> Vec<i64> {
        let count = usize::from(Holdem::seats(&state.start));
        let change = |(now, before): (&u64, &u64)| {
            // Both are far below the limit of 63 bits.
            i64::try_from(*now).unwrap_or(i64::MAX) - i64::try_from(*before).unwrap_or(i64::MAX)
        };
        state.stacks.iter().zip(&state.start.stacks).take(count).map(change).collect()
    }

    fn possible_score(_rules: &Rules, start: &Start, seat: Seat, score: i64) -> bool {
        start.possible_change(seat, score)
    }

    fn story(state: &State) -> Vec<crate::games::story::Fact> {
        story::story(state)
    }

    fn outcome(state: &State) -> Outcome {
        view::outcome(state)
    }

    fn officials_only(state: &State, seat: Seat, action: &Action) -> Option<Illegal> {
        (*action == Action::Dead).then(|| match state.turn() {
            Some(turn) if turn == seat => Illegal::OnlyOfficials { free: state.owed(seat) == 0 },
            Some(turn) => Illegal::NotYourTurn { turn },
            None => Illegal::Over,
        })
    }

    fn legal_listing(state: &State, seat: Seat, limit: usize) -> Map<String, Value> {
        let mut listing = Map::new();
        let Some(bounds) = Holdem::bounds(state, seat) else {
            listing.insert("legal".to_owned(), json!([]));
            return listing;
        };
        let mut words = if bounds.call > 0 { vec!["fold", "call"] } else { vec!["check"] };
        if bounds.raise.is_some() {
            words.push(if state.top > 0 { "raise" } else { "bet" });
        }
        listing.insert("call".to_owned(), bounds.call.into());
        listing.insert("min".to_owned(), bounds.raise.map(|(min, _)| min).into());
        listing.insert("max".to_owned(), bounds.raise.map(|(_, max)| max).into());
        let cut = words.len() > limit;
        words.truncate(limit);
        listing.insert("legal".to_owned(), json!(words));
        if cut {
            listing.insert("cut".to_owned(), true.into());
        }
        listing
    }
}
