//! Hold'em in the conformance suite.

use std::collections::BTreeSet;
use std::sync::Arc;

use fushi::cards::Card;
use fushi::games::holdem::{Action, Holdem, Rules, Start, State};
use fushi::games::{Game, Seat, Viewer, rulesets};
use serde_json::{Value, json};

use crate::conformance::{Probe, Random, conformance};

conformance!(suite, Holdem, 12);

#[test]
fn ai_players_keep_to_the_pot_where_it_is_the_limit() {
    use fushi::players::{AiKey, Levels as _, choose};
    let rules = Holdem::rulesets().pop().unwrap();
    let key = AiKey::new([7; 32]);
    let mut pots = 0;
    for number in 1..=40 {
        let mut pack = Holdem::PACK.cards();
        Random::new(u64::from(number)).shuffle(&mut pack);
        let mut state = Holdem::open(&rules, &Holdem::deal(&rules, number, &pack));
        while let Some(seat) = Holdem::waiting_for(&state).seats.iter().next() {
            let view = Holdem::view(&state, Viewer::Seat(seat));
            let level = Holdem::levels()[1 + (number as usize + seat.index()) % 2];
            let action = choose(level, &key, &rules, number, seat, &view).unwrap();
            let max = Holdem::bounds(&state, seat).unwrap().raise.map(|(_, max)| max);
            pots += u32::from(matches!(action, Action::Raise(to) if Some(to) == max));
            let effect = Holdem::check(&state, seat, &action);
            Holdem::apply(&mut state, effect.unwrap_or_else(|why| panic!("{action:?}: {why:?}")));
        }
        assert_eq!(Holdem::scores(&state).iter().sum::<i64>(), 0);
    }
    assert!(pots > 0, "nobody has raised the pot");
}

fn rules(value: &Value) -> Arc<Rules> {
    rulesets::overridden::<Holdem>(value.as_object().unwrap()).unwrap()
}

/// The cards of a start, hole cards by seat and then the board.
fn dealt(start: &Start) -> (Vec<[Card; 2]>, Vec<Card>) {
    let header = Holdem::write_start(start);
    let read = |text: &Value| fushi::cards::parse_cards(text.as_str().unwrap()).unwrap();
    let holes = header["deal"]["holes"].as_object().unwrap().values().map(read);
    (holes.map(|hole| [hole[0], hole[1]]).collect(), read(&header["deal"]["board"]))
}

impl Probe for Holdem {
    fn rulesets() -> Vec<Arc<Rules>> {
        let duplicate = |seats: u8, stack: u64, kind: &str, ante: u64| {
            json!({"seats": seats, "stack": stack, "small_blind": 50, "big_blind": 100, "ante_kind": kind, "ante": ante,
                "unit": 25})
        };
        vec![
            rulesets::shipped::<Holdem>("tda-2011").unwrap(),
            rulesets::shipped::<Holdem>("tda-2024").unwrap(),
            rules(
                &json!({"base": "tda-2024", "duplicate": duplicate(10, 450, "bb", 100), "short_all_ins": "each-alone"}),
            ),
            rules(
                &json!({"base": "tda-2024", "duplicate": duplicate(3, 75, "all", 25), "odd_chips": "all-to-first"}),
            ),
            rules(
                &json!({"base": "tda-2011", "duplicate": duplicate(2, 1000, "all", 25), "all_in_cards": "in-turn",
                "show_first": "left-of-button", "pot_shown": false, "big_blind_ante": "ante-first"}),
            ),
            rules(
                &json!({"base": "tda-2024", "name": "pot-limit", "duplicate": duplicate(5, 2000, "bb", 100),
                "preflop_betting": "pot-limit"}),
            ),
        ]
    }

    fn universe(state: &State, seat: Seat, random: &mut Random) -> Vec<Action> {
        let mut amounts = vec![0, 1, 24, 25, 99, 100, 101, u64::MAX];
        if let Some(bounds) = Holdem::bounds(state, seat) {
            for bound in bounds.raise.into_iter().flat_map(|(min, max)| [min, max]).chain([bounds.call]) {
                amounts.extend([
                    bound.saturating_sub(25),
                    bound.saturating_sub(1),
                    bound,
                    bound + 1,
                    bound + 25,
                ]);
            }
            let step = 25 * random.below(40) as u64;
            amounts.extend(bounds.raise.map(|(min, _)| min + step));
        }
        let view = Holdem::view(state, Viewer::Public);
        amounts.extend(view.seats.iter().flat_map(|seat| [seat.put, seat.stack, seat.put + seat.stack]));
        let totals = amounts.into_iter().flat_map(|to| [Action::Bet(to), Action::Raise(to)]);
        [Action::Fold, Action::Check, Action::Call, Action::AllIn].into_iter().chain(totals).collect()
    }

    fn is_the_clocks(action: &Action) -> bool {
        *action == Action::Dead
    }

    fn cards(state: &State) -> Vec<Card> {
        let (holes, board) = dealt(state.start());
        holes.into_iter().flatten().chain(board).collect()
    }

    fn redeal(start: &Start, state: &State, viewer: Viewer, random: &mut Random) -> Option<Start> {
        let view = Holdem::view(state, viewer);
        let (holes, board) = dealt(start);
        let shown = view.outcome.as_ref().is_some_and(|outcome| !outcome.shown.is_empty());
        // What was compared at a showdown stays: another hand could have won.
        let fixed = |index: usize| {
            let seat = &view.seats[index];
            seat.cards.is_some() || (shown && seat.state != "folded")
        };
        let kept: BTreeSet<Card> = holes
            .iter()
            .enumerate()
            .filter(|(index, _)| fixed(*index))
            .flat_map(|(_, hole)| *hole)
            .chain(board.iter().copied().take(view.board.len()))
            .collect();
        let mut rest: Vec<Card> =
            Holdem::PACK.cards().into_iter().filter(|card| !kept.contains(card)).collect();
        random.shuffle(&mut rest);
        let mut header = Holdem::write_start(start);
        for (index, seat) in view.seats.iter().enumerate() {
            if !fixed(index) {
                header["deal"]["holes"][seat.seat] = format!("{} {}", rest.pop()?, rest.pop()?).into();
            }
        }
        let mut board = board;
        for place in board.iter_mut().skip(view.board.len()) {
            *place = rest.pop()?;
        }
        header["deal"]["board"] = fushi::cards::write_cards(board).into();
        let rules = rulesets::default::<Holdem>().unwrap();
        Some(Holdem::read_start(&rules, &header).unwrap())
    }
}
