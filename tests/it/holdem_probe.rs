//! Hold'em in the conformance suite.

use std::collections::BTreeSet;
use std::sync::Arc;

use fushi::cards::Card;
use fushi::games::holdem::{Action, Holdem, Rules, Start, State};
use fushi::games::{Game, Seat, Setup, Viewer, deal_board, rulesets};
use serde_json::{Map, Value, json};

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
        let mut state = Holdem::open(&rules, &deal_board::<Holdem>(&rules, number, &pack).unwrap());
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

/// A hand that a tournament can come to: any stacks, empty seats, button and blinds as after any hand before, seats whose
/// hands are dead. All amounts are multiples of a chip; stacks are at most 400 of them unless `wild`.
pub fn any_hand(wild: bool, random: &mut Random) -> Setup {
    let unit = [1, 5, 25, 100][random.below(4)];
    let count = 2 + random.below(9);
    let mut seats: Vec<usize> = (1..=10).collect();
    random.shuffle(&mut seats);
    seats.truncate(count);
    seats.sort_unstable();
    let mut stacks = Map::new();
    for seat in &seats {
        // Small stacks are frequent: blinds and antes that cannot be posted whole.
        let most = [3, 40, if wild { 10_000_000 } else { 400 }][random.below(3)];
        stacks.insert(seat.to_string(), json!(unit * (1 + random.below(most))));
    }
    let after = |seat: usize| seats.iter().copied().find(|other| *other > seat).unwrap_or(seats[0]);
    let big = unit * (1 + random.below(20));
    let small = unit * random.below(big / unit + 1);
    let (button, small_seat, big_seat) = if count == 2 {
        let button = seats[random.below(2)];
        (button, Some(button), after(button))
    } else {
        // The button may be on an empty seat, and the small blind dead.
        let button = if random.one_in(3) { 1 + random.below(10) } else { seats[random.below(count)] };
        let next = after(button);
        if random.one_in(4) { (button, None, next) } else { (button, Some(next), after(next)) }
    };
    let ante = match random.below(3) {
        0 => json!({"kind": "none"}),
        1 => json!({"kind": "all", "chips": unit * random.below(5)}),
        _ => json!({"kind": "bb", "chips": big}),
    };
    let mut out: Vec<usize> = Vec::new();
    if random.one_in(2) {
        out = seats.iter().copied().filter(|_| random.one_in(3)).collect();
        if out.len() == count {
            out.pop();
        }
    }
    let out: Vec<String> = out.into_iter().map(|seat| seat.to_string()).collect();
    let setup = json!({"level": 1 + random.below(40), "small": small, "big": big, "ante": ante, "button": button,
        "small_seat": small_seat, "big_seat": big_seat, "stacks": stacks, "out": out, "unit": unit});
    Setup(setup.as_object().unwrap().clone())
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

    fn any_setup(_: &Rules, wild: bool, random: &mut Random) -> Setup {
        any_hand(wild, random)
    }

    fn no_setups() -> Vec<(Value, &'static str)> {
        let good = json!({"level": 4, "small": 100, "big": 200, "ante": {"kind": "none"}, "button": 3, "small_seat": 4,
            "big_seat": 5, "stacks": {"1": 500, "3": 500, "4": 500, "5": 500}, "out": [], "unit": 25});
        let changes = [
            ("level", json!(0), "bad_level"),
            ("level", json!("4"), "bad_level"),
            ("small", json!(300), "bad_blinds"),
            ("small", json!(110), "not_a_multiple"),
            ("small", json!(-100), "bad_amount"),
            ("big", json!(0), "bad_blinds"),
            ("ante", json!(null), "wrong_type"),
            ("ante", json!({"kind": "some"}), "bad_ante"),
            ("ante", json!({"kind": "all"}), "missing_key"),
            ("ante", json!({"kind": "none", "chips": 25}), "bad_ante"),
            ("ante", json!({"kind": "bb", "chips": 25, "who": "5"}), "unknown_key"),
            ("button", json!(11), "bad_seat"),
            ("button", json!(0), "bad_seat"),
            ("button", json!("3"), "bad_seat"),
            ("button", json!(4), "bad_blinds"),
            ("small_seat", json!(2), "bad_seat"),
            ("small_seat", json!(1), "bad_blinds"),
            ("big_seat", json!(3), "bad_blinds"),
            ("stacks", json!({"4": 500}), "wrong_count"),
            ("stacks", json!({"4": 500, "5": 500}), "bad_button"),
            ("stacks", json!({"3": 500, "4": 500}), "bad_seat"),
            ("stacks", json!({"1": 500, "3": 500, "4": 0, "5": 500}), "no_chips"),
            ("stacks", json!({"1": 500, "3": 500, "4": 510, "5": 500}), "not_a_multiple"),
            ("stacks", json!({"1": 500, "3": 500, "4": 1e3, "5": 500}), "bad_amount"),
            ("stacks", json!({"1": 500, "3": 500, "4": 500, "5": 500, "11": 500}), "bad_seat"),
            ("stacks", json!({"1": 500, "3": 500, "4": 900_000_000_000_025_u64, "5": 500}), "bad_amount"),
            ("out", json!(["2"]), "bad_seat"),
            ("out", json!("3"), "wrong_type"),
            ("out", json!(["1", "3", "4", "5"]), "nobody_live"),
            ("unit", json!(0), "bad_amount"),
            ("started", json!("now"), "unknown_key"),
        ];
        let mut setups = vec![(json!({}), "missing_key")];
        for (key, value, code) in changes {
            let mut bad = good.clone();
            bad[key] = value;
            setups.push((bad, code));
        }
        for key in good.as_object().unwrap().keys().filter(|key| *key != "out") {
            let mut less = good.clone();
            less.as_object_mut().unwrap().remove(key);
            setups.push((less, "missing_key"));
        }
        setups
    }

    fn carry_fits(state: &State, carry: &Setup) {
        let after = carry.0["stacks"].as_object().unwrap();
        let setup = Holdem::setup_of(state.start());
        let before = setup.0["stacks"].as_object().unwrap();
        assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
        let chips =
            |stacks: &Map<String, Value>| stacks.values().map(|chips| chips.as_i64().unwrap()).sum::<i64>();
        assert_eq!(chips(after), chips(before), "chips appeared or vanished");
        let scores = Holdem::scores(state);
        for (name, stack) in after {
            let seat = Holdem::seat_named(name).unwrap();
            let won = stack.as_i64().unwrap() - before[name].as_i64().unwrap();
            assert_eq!(scores[seat.index()], won);
            assert_eq!(carry.0["busted"].as_array().unwrap().contains(&json!(name)), *stack == 0);
        }
        for seat in setup.0["out"].as_array().unwrap() {
            assert!(after[seat.as_str().unwrap()].as_u64() <= before[seat.as_str().unwrap()].as_u64());
        }
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
