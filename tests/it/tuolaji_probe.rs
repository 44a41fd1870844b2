//! Tuolaji in the conformance suite.

use std::collections::BTreeSet;
use std::sync::Arc;

use fushi::cards::{Card, Pack};
use fushi::games::tuolaji::Tuolaji;
use fushi::games::tuolaji::action::{Action, Named};
use fushi::games::tuolaji::bag::Bag;
use fushi::games::tuolaji::rules::Rules;
use fushi::games::tuolaji::shape::Kind;
use fushi::games::tuolaji::start::{Start, StartCards};
use fushi::games::tuolaji::state::State;
use fushi::games::tuolaji::view::View;
use fushi::games::{Game, Seat, Setup, Viewer, rulesets};
use serde_json::{Map, Value, json};

use crate::conformance::{Probe, Random, conformance};
use crate::tuolaji_model::{Face, Model};

conformance!(suite, Tuolaji, 6);

fn overridden(changes: Value) -> Arc<Rules> {
    let Value::Object(mut fields) = changes else { panic!("fields") };
    fields.insert("base".to_owned(), json!("zhuhai-2009"));
    rulesets::overridden::<Tuolaji>(&fields).unwrap()
}

fn some_of(cards: &[Card], number: usize, random: &mut Random) -> Bag {
    let mut list = cards.to_vec();
    random.shuffle(&mut list);
    list.into_iter().take(number).collect()
}

fn faces(cards: Bag) -> Vec<Face> {
    cards.cards().map(|card| (card.index() / 13, card.index() % 13)).collect()
}

/// The model of the board in front of a seat.
fn model(view: &View) -> Option<Model> {
    let trump = view.trump?.to_string();
    Some(Model {
        level: view.level.rank() as u8,
        trump: "SHDC".find(&trump).map(|at| u8::try_from(at).unwrap()),
    })
}

impl Probe for Tuolaji {
    const LEGAL_LIMIT: usize = 250;
    const ACTIONS_MAX: usize = 400;

    fn rulesets() -> Vec<Arc<Rules>> {
        vec![
            rulesets::default::<Tuolaji>().unwrap(),
            overridden(
                json!({"allow_reinforce": true, "no_trump_call": "any_two_jokers", "calling": "stepped",
                "flip_joker_at_scoring_level": "next_card", "throw_choice": "single_or_pair",
                "throw_choice_timeout": "smallest", "publish_attempt": false, "bottom_shape": "winner_cards",
                "big_points": "H3"}),
            ),
        ]
    }

    fn positions() -> Vec<Map<String, Value>> {
        [
            json!({"level": "T", "trump": "S", "banker": "E", "turn": "N", "trick": [["E", "H9 H9 HJ HJ"]],
                "hands": {"E": "S2 S3", "N": "H3 H3 H4 H4 H6 H8", "W": "C2 C3 C4 C5 C6 C7", "S": "S4 S4 S5 S5 D2 D3"},
                "bottom": "D5 D5 DK DK D4 D6 D7 D8", "points": 35}),
            json!({"level": "7", "trump": "NT", "banker": "S", "turn": "W",
                "hands": {"E": "S7 S7 sj sj bj", "N": "HA HA HK HK D7", "W": "HQ HQ HJ HJ H9", "S": "H7 C7 D2 D2 D3"}}),
            json!({"level": "2", "trump": "H", "banker": "W", "turn": "E", "hands": {"E": "", "S": ""}}),
        ]
        .into_iter()
        .map(|position| Map::from_iter([("position".to_owned(), position)]))
        .collect()
    }

    fn any_setup(_: &Rules, _: bool, random: &mut Random) -> Setup {
        let level = "23456789TJQK".chars().nth(random.below(12)).unwrap().to_string();
        let banker = ["E", "N", "W", "S"][random.below(4)];
        let setup = json!({"level": level, "banker": banker});
        Setup(setup.as_object().unwrap().clone())
    }

    fn no_setups() -> Vec<(Value, &'static str)> {
        vec![
            (json!({}), "missing_key"),
            (json!({"level": "9"}), "missing_key"),
            (json!({"level": "A", "banker": "E"}), "bad_value"),
            (json!({"level": 9, "banker": "E"}), "bad_value"),
            (json!({"level": "9", "banker": "X"}), "bad_value"),
            (json!({"level": "9", "banker": "E", "trump": "S"}), "unknown_key"),
        ]
    }

    fn universe(state: &State, seat: Seat, random: &mut Random) -> Vec<Action> {
        let view = Self::view(state, Viewer::Seat(seat));
        let hand: Vec<Card> = view.hand.unwrap_or_default().cards().collect();
        let pack = Pack::TwoWithJokers.cards();
        let play = |cards: Bag| Action::Play(cards.into());
        let card = pack[random.below(108)];
        let mut actions = vec![
            Action::Choose(Kind::Single),
            Action::Choose(Kind::Pair),
            Action::Choose(Kind::Tractor),
            Action::Play(Named { cards: [card, card].into_iter().collect(), excess: vec![card] }),
            Action::LayAway(some_of(&hand, 8, random).into()),
            Action::LayAway(some_of(&hand, 7, random).into()),
            Action::LayAway(some_of(&pack, 8, random).into()),
        ];
        // Before the dealer draws, a state is a record's, which may run ahead of the draw; then nothing is tried.
        for after in [view.drawn.wrapping_sub(1), view.drawn, view.drawn + 1] {
            if view.drawn > 0 && (1..=100).contains(&after) {
                let call = |cards: Bag| Action::Call { cards: cards.into(), after };
                actions.extend([1, 2, 3].map(|number| call(some_of(&hand, number, random))));
                let jokers = [Card::SMALL_JOKER, Card::BIG_JOKER];
                actions.extend([1, 2].map(|number| call(some_of(&jokers, number, random))));
                actions.push(call([card, card].into_iter().collect()));
            }
        }
        let size = view.trick.plays.first().map_or(1 + random.below(6), |lead| lead.len());
        for _ in 0..25 {
            actions.push(play(some_of(&hand, size, random)));
            actions.push(play(some_of(&hand, 1 + random.below(8), random)));
        }
        if let (Some(model), Some(lead)) = (model(&view), view.trick.plays.first()) {
            let group = model.group(faces(*lead)[0]);
            let same: Vec<Card> = hand
                .iter()
                .copied()
                .filter(|card| model.group(faces([*card].into_iter().collect())[0]) == group)
                .collect();
            actions.extend((0..25).map(|_| play(some_of(&same, size, random))));
        }
        actions.extend((0..5).map(|_| play(some_of(&pack, size, random))));
        actions.retain(|action| !matches!(action, Action::Play(cards) | Action::LayAway(cards) if cards.cards.is_empty()));
        actions
    }

    /// Lists are long: plays are looked up in the model instead.
    fn is_listed(state: &State, seat: Seat, action: &Action, legal: &[Action]) -> bool {
        let view = Self::view(state, Viewer::Seat(seat));
        let turn = Self::waiting_for(state).seats.contains(seat);
        let (Some(hand), true) = (view.hand, turn) else { return legal.contains(action) };
        match (view.phase, action) {
            ("lay-away", Action::LayAway(cards)) => {
                cards.excess.is_empty() && cards.cards.len() == 8 && hand.contains_all(cards.cards)
            }
            ("play", Action::Play(cards)) => {
                let model = model(&view).unwrap();
                let play = faces(cards.cards);
                cards.excess.is_empty()
                    && hand.contains_all(cards.cards)
                    && match view.trick.plays.first() {
                        None => {
                            play.iter().map(|face| model.group(*face)).collect::<BTreeSet<_>>().len() == 1
                        }
                        Some(lead) => model.follows(&faces(*lead), &faces(hand), &play),
                    }
            }
            _ => legal.contains(action),
        }
    }

    fn cards(state: &State) -> Vec<Card> {
        state.cards()
    }

    /// In a position without a bottom, and in unfinished boards, nobody has scores; otherwise they cancel out.
    fn score_sum(_: &State) -> i64 {
        0
    }

    /// Cards stay where somebody has seen them: the viewer's, shown, played, laid away by the viewer, turned up; and
    /// all cards of a group in which somebody threw, as others' holdings decided what became of it.
    fn redeal(start: &Start, state: &State, viewer: Viewer, random: &mut Random) -> Option<Start> {
        let StartCards::Draw(draw) = &start.cards else { return None };
        let view = Self::view(state, viewer);
        let drawn = usize::from(view.drawn);
        let closed = !matches!(view.phase, "draw" | "window");
        let mut fixed = [false; 108];
        let owner = |place: usize| {
            if place < 100 { (start.banker.index() + place) % 4 } else { start.banker.index() }
        };
        for (place, fixed) in fixed.iter_mut().enumerate() {
            let known = if place < 100 { place < drawn } else { closed };
            *fixed = known && viewer == Viewer::Seat(Seat(u8::try_from(owner(place)).unwrap()));
            *fixed |= (100..100 + view.flipped.len()).contains(&place);
        }
        let mut see = |seat: &str, cards: Bag, before: usize| {
            let seat = Self::seat_named(seat).unwrap().index();
            let mut left = cards;
            // What is fixed already may be the very card; it counts once.
            let mut places: Vec<usize> = (0..before).filter(|place| owner(*place) == seat).collect();
            places.sort_by_key(|place| !fixed[*place]);
            for place in places {
                let one: Bag = [draw[place]].into_iter().collect();
                if left.contains_all(one) {
                    left = left.minus(one);
                    fixed[place] = true;
                }
            }
        };
        let mut played = [Bag::EMPTY; 4];
        let mut thrown = BTreeSet::new();
        let model = model(&view);
        for trick in view.memory.iter().chain([&view.trick]) {
            let leader = Self::seat_named(trick.leader).unwrap().index();
            for (turn, play) in trick.plays.iter().enumerate() {
                let of_seat = &mut played[(leader + turn) % 4];
                *of_seat = of_seat.plus(*play);
            }
            let throw = trick.attempt.is_some() || trick.plays.first().is_some_and(|lead| lead.len() > 2);
            let attempted = trick.attempt.as_ref().and_then(|attempt| attempt.cards);
            let lead = attempted.or(trick.plays.first().copied());
            let two = trick.plays.first().is_some_and(|lead| lead.len() == 2 && lead.pair_count() == 0);
            if let (Some(lead), true, Some(model)) = (lead, throw || two, model) {
                thrown.insert(model.group(faces(lead)[0]));
            }
        }
        for (seat, cards) in (0..).map(Seat).zip(played) {
            see(Self::seat_name(seat).unwrap(), cards, 108);
        }
        for call in &view.calls {
            see(call.seat, call.cards, usize::from(call.after));
        }
        if view.phase == "choose" && view.trick.attempt.is_some() && thrown.is_empty() {
            return None;
        }
        // Banker's discards are a choice in the history: they must still be there.
        let away = Self::view(state, Viewer::Seat(start.banker)).bottom.unwrap_or_default();
        see(Self::seat_name(start.banker).unwrap(), away.plus(played[start.banker.index()]), 108);
        let mut order = draw.to_vec();
        let in_thrown = |card: Card| {
            model.is_some_and(|model| thrown.contains(&model.group(faces([card].into_iter().collect())[0])))
        };
        let free: Vec<usize> = (0..108).filter(|place| !fixed[*place] && !in_thrown(draw[*place])).collect();
        let mut cards: Vec<Card> = free.iter().map(|place| draw[*place]).collect();
        random.shuffle(&mut cards);
        for (place, card) in free.into_iter().zip(cards) {
            order[place] = card;
        }
        Some(Start { cards: StartCards::Draw(order.into()), ..start.clone() })
    }
}
