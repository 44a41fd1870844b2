//! Wakeng (挖坑), three seats, one of them against the other two.
//!
//! The rules of the national competition as the Wakeng rulebook has them, every open point a field of the ruleset.
//! WK numbers are those of docs/clauses.md.
//! Architecture invariant: no clock, no randomness, no input or output; hidden cards leave only through [`View`].
//!
//! - `combo`: combinations of cards, recognising, comparing, generating
//! - `rules`: the ruleset
//! - `action`: what a seat can say or play, and the reasons for refusing it
//! - `state`: phases, turns, check and effect of actions
//! - `options`: the one generator of legal actions
//! - `view`: what one viewer may know; `read`: a view read back from JSON; `imagine`: boards that look like a view
//! - `score`: outcome and score
//! - `start`: deals and positions as records write them

use std::sync::Arc;

use serde_json::{Map, Value};

use super::setup::order_fault;
use super::{ActionText, Fault, Game, GameKind, Seat, Setup, StartError, Viewer, Waiting, reading};
use crate::cards::{Card, CardSet, Pack, Renaming};
use crate::words::{Message, in_sight, message};

mod action;
mod clauses;
mod combo;
mod imagine;
mod options;
mod read;
mod rules;
mod score;
mod start;
mod state;
mod story;
mod view;

pub use action::{Action, Bid, Illegal, write_play};
pub use combo::{Combo, Plays, Shapes};
pub use options::Options;
pub use rules::{BombCap, Combine, FirstLead, FirstSuit, Quad, Rules, RunTop, Weakest};
pub use score::{Doubles, Factors, Outcome, Side};
pub use start::{Deal, Position, Start};
pub use state::{Effect, Phase, Played, State};
pub use view::View;

/// Seats of a board.
pub const SEATS: usize = 3;
/// Cards of the bottom.
const BOTTOM: usize = 4;
/// Names of the seats in playing order, counter-clockwise.
const NAMES: [&str; SEATS] = ["A", "B", "C"];

fn name_of(seat: Seat) -> &'static str {
    NAMES.get(seat.index()).copied().unwrap_or("?")
}

fn seat_named(name: &str) -> Option<Seat> {
    (0..).map(Seat).zip(NAMES).find(|(_, known)| *known == name).map(|(seat, _)| seat)
}

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Wakeng;

impl Game for Wakeng {
    const KIND: GameKind = GameKind::Wakeng;
    const PACK: Pack = Pack::FiftyTwo; // WK-1
    // WK-38
    const RULESETS: &'static [(&'static str, &'static str)] = &[
        ("wakeng-bomb", include_str!("rulesets/wakeng-bomb.toml")),
        ("wakeng-plain", include_str!("rulesets/wakeng-plain.toml")),
        ("wakeng-jj", include_str!("rulesets/wakeng-jj.toml")),
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
        NAMES.get(seat.index()).copied()
    }

    fn seat_named(name: &str) -> Option<Seat> {
        seat_named(name)
    }

    fn seats(_: &Start) -> u8 {
        3
    }

    /// Nothing changes from board to board.
    fn setups(_: &Rules) -> Vec<Setup> {
        vec![Setup::default()]
    }

    /// Cards 1–16 of the order are A's hand, 17–32 B's, 33–48 C's, the last four the bottom.
    fn deal(_: &Arc<Rules>, setup: &Setup, order: &[Card]) -> Result<Start, Vec<Fault>> {
        let stray = setup.0.keys().map(|key| {
            let key: String = in_sight(key).chars().take(40).collect();
            Fault::new("unknown_key", message!("wakeng-setup", key))
        });
        let faults: Vec<Fault> = stray.chain(order_fault(Wakeng::PACK, order)).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let part = |from: usize, to: usize| -> CardSet {
            order.iter().skip(from).take(to - from).copied().collect()
        };
        Ok(Start::Deal(Deal { hands: [part(0, 16), part(16, 32), part(32, 48)], bottom: part(48, 52) }))
    }

    fn setup_of(_: &Start) -> Setup {
        Setup::default()
    }

    fn read_start(rules: &Arc<Rules>, header: &Map<String, Value>) -> Result<Start, StartError> {
        start::read(rules, header)
    }

    fn write_start(start: &Start) -> Map<String, Value> {
        start::write(start)
    }

    fn read_action(text: &ActionText) -> Result<Action, Message> {
        Action::read(text)
    }

    fn write_action(action: &Action) -> ActionText {
        action.write()
    }

    fn open(rules: &Arc<Rules>, start: &Start) -> State {
        State::open(rules, start)
    }

    fn waiting_for(state: &State) -> Waiting {
        state.waiting_for()
    }

    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        state.timeout(seat)
    }

    fn check(state: &State, seat: Seat, action: &Action) -> Result<Effect, Illegal> {
        state.check(seat, action)
    }

    fn apply(state: &mut State, effect: Effect) {
        state.apply(effect);
    }

    fn legal(state: &State, seat: Seat) -> impl Iterator<Item = Action> + '_ {
        state.options(seat)
    }

    fn ahead(state: &State) -> Option<Seat> {
        state.over()?;
        state.played().iter().rfind(|played| !played.cards.is_empty()).map(|played| played.seat)
    }

    fn view(state: &State, viewer: Viewer) -> View {
        View::of(state, viewer)
    }

    fn read_view(rules: &Arc<Rules>, view: &Value) -> Result<View, String> {
        reading::in_one_line(read::view(rules, view))
    }

    fn options(view: &View) -> impl Iterator<Item = Action> + '_ {
        view.options()
    }

    fn canonical(view: &View) -> Renaming {
        view.canonical()
    }

    fn rename_view(view: &View, renaming: &Renaming) -> View {
        view.renamed(renaming)
    }

    fn rename_action(action: Action, renaming: &Renaming) -> Action {
        match action {
            Action::Play(cards) => Action::Play(renaming.set(cards)),
            Action::PlayTwice(cards, card) => Action::PlayTwice(renaming.set(cards), renaming.card(card)),
            Action::Show(_) | Action::Bid(_) | Action::Double(_) | Action::Pass => action,
        }
    }

    fn over() -> Illegal {
        Illegal::WrongPhase { phase: "over" }
    }

    fn finished(state: &State) -> bool {
        state.finished()
    }

    fn scores(state: &State) -> Vec<i64> {
        state.scores().to_vec()
    }

    fn possible_score(rules: &Rules, _start: &Start, seat: Seat, score: i64) -> bool {
        score::is_possible(rules, seat, score)
    }

    fn story(state: &State) -> Vec<crate::games::story::Fact> {
        story::story(state)
    }

    fn outcome(state: &State) -> Outcome {
        state.outcome()
    }
}
