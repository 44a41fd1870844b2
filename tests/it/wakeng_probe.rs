//! Wakeng in the conformance suite.

use std::collections::BTreeMap;
use std::sync::Arc;

use fushi::cards::{Card, CardSet, Rank};
use fushi::games::wakeng::{Action, Bid, Deal, Phase, Rules, Start, State, Wakeng};
use fushi::games::{Game, Seat, Viewer, rulesets};
use serde_json::{Map, Value, json};

use crate::conformance::{Probe, Random, Step, conformance};

conformance!(suite, Wakeng, 15);

/// A shipped ruleset with some fields replaced.
pub fn rules(base: &str, changes: &[(&str, Value)]) -> Arc<Rules> {
    let mut fields = Map::from_iter([("base".to_owned(), Value::from(base))]);
    fields.extend(changes.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
    rulesets::overridden::<Wakeng>(&fields).unwrap()
}

/// How often each rank stands in a set.
fn ranks(cards: CardSet) -> BTreeMap<Option<Rank>, usize> {
    let mut counts = BTreeMap::new();
    for card in cards {
        *counts.entry(card.rank()).or_default() += 1;
    }
    counts
}

fn some_of(cards: CardSet, number: usize, random: &mut Random) -> CardSet {
    let mut list: Vec<Card> = cards.iter().collect();
    random.shuffle(&mut list);
    list.into_iter().take(number).collect()
}

fn of_rank(cards: CardSet, rank: Rank) -> CardSet {
    cards.iter().filter(|card| card.rank() == Some(rank)).collect()
}

/// `size` cards each of `groups` neighbouring ranks as far as the cards have them, in any suits.
fn run_of(cards: CardSet, size: usize, groups: usize, random: &mut Random) -> CardSet {
    let order = "456789TJQKA23".as_bytes();
    let first = random.below(13);
    (first..first + groups)
        .filter_map(|place| Rank::from_letter(char::from(order[place % 13])))
        .fold(CardSet::EMPTY, |all, rank| all.union(some_of(of_rank(cards, rank), size, random)))
}

impl Probe for Wakeng {
    const ACTIONS_MAX: usize = 200;

    fn rulesets() -> Vec<Arc<Rules>> {
        vec![
            rules("wakeng-bomb", &[]),
            rules("wakeng-plain", &[]),
            rules("wakeng-jj", &[]),
            rules(
                "wakeng-bomb",
                &[
                    ("run_top", json!("A")),
                    ("run_of_triples", json!(2)),
                    ("run_of_quads", json!(2)),
                    ("combine", json!("product")),
                    ("banker_show", json!(false)),
                    ("bomb_cap", json!(2)),
                    ("first_lead", json!("first-speaker")),
                ],
            ),
            rules(
                "wakeng-bomb",
                &[
                    ("weakest", json!("3")),
                    ("run_of_singles", json!(0)),
                    ("show_before_bid", json!(false)),
                    ("first_suit", json!("S")),
                    ("rotten_dig_bid", json!(3)),
                ],
            ),
        ]
    }

    fn positions() -> Vec<Map<String, Value>> {
        [
            json!({"banker": "A", "bid": 2, "hands": {"A": "H4 S4", "B": "C5 D5", "C": "S6 S7 S8"},
                "trick": [["A", "C9"], ["B", "DT"]], "turn": "C"}),
            json!({"banker": "C", "bid": 3, "hands": {"B": "H4 S4 D4 C4 H9"}, "trick": [["C", "S5 S6 S7"]],
                "turn": "A"}),
            json!({"banker": "B", "bid": 1, "hands": {}, "trick": [], "turn": "B"}),
            json!({"banker": "B", "bid": 1, "hands": {"A": "S3", "C": "H3"}, "turn": "B", "bottom": "S4 S5 S6 S7"}),
        ]
        .into_iter()
        .map(|position| Map::from_iter([("position".to_owned(), position)]))
        .collect()
    }

    fn no_setups() -> Vec<(Value, &'static str)> {
        vec![(json!({"banker": "A"}), "unknown_key"), (json!({"level": 1}), "unknown_key")]
    }

    fn universe(state: &State, seat: Seat, random: &mut Random) -> Vec<Action> {
        let hand = state.hand(seat);
        let mut actions = vec![
            Action::Show(false),
            Action::Show(true),
            Action::Double(false),
            Action::Double(true),
            Action::Pass,
            Action::Play(CardSet::EMPTY),
            Action::Play(hand),
            Action::Play([Card::BIG_JOKER].into_iter().collect()),
            Action::Play(CardSet::FIFTY_TWO),
        ];
        actions.extend(Bid::ALL.map(Action::Bid));
        for rank in Rank::ALL {
            for size in 1..=4 {
                actions.push(Action::Play(some_of(of_rank(hand, rank), size, random)));
            }
        }
        for _ in 0..20 {
            let (size, groups) = (1 + random.below(4), 2 + random.below(5));
            actions.push(Action::Play(run_of(hand, size, groups, random)));
            actions.push(Action::Play(run_of(CardSet::FIFTY_TWO, size, groups, random)));
            actions.push(Action::Play(some_of(hand, 1 + random.below(6), random)));
            let any = some_of(CardSet::FIFTY_TWO, 1 + random.below(3), random);
            actions.push(Action::Play(any));
            actions.extend(any.iter().next().map(|card| Action::PlayTwice(any, card)));
        }
        actions
    }

    /// The list has one play per combination of ranks; any suits of the hand may be played.
    fn is_listed(state: &State, seat: Seat, action: &Action, legal: &[Action]) -> bool {
        let Action::Play(cards) = action else { return legal.contains(action) };
        state.hand(seat).contains_all(*cards)
            && legal
                .iter()
                .any(|known| matches!(known, Action::Play(known) if ranks(*known) == ranks(*cards)))
    }

    fn cards(state: &State) -> Vec<Card> {
        let hands = [0, 1, 2].map(|seat| state.hand(Seat(seat)));
        let unlisted = Self::view(state, Viewer::Public).counts.contains(&None);
        if unlisted {
            // Hands that a position does not list share the cards they may hold.
            return Vec::new();
        }
        let bottom = match state.bottom() {
            Some(bottom) if state.phase() <= Phase::Bid => bottom,
            _ => CardSet::EMPTY,
        };
        let played = state.played().iter().flat_map(|played| played.cards);
        hands.into_iter().flatten().chain(bottom).chain(played).collect()
    }

    fn redeal(start: &Start, state: &State, viewer: Viewer, random: &mut Random) -> Option<Start> {
        let Start::Deal(deal) = start else { return None };
        let view = Self::view(state, viewer);
        let face_up = view.bottom.unwrap_or_default();
        let mut hands = deal.hands;
        let mut free = Vec::new();
        for (seat, hand) in (0..).map(Seat).zip(&mut hands) {
            let whole = viewer == Viewer::Seat(seat) || view.shown[seat.index()].is_some();
            let known = if whole { *hand } else { view.played_by(seat).difference(face_up) };
            free.extend(hand.difference(known));
            *hand = known;
        }
        if face_up.is_empty() {
            free.extend(deal.bottom);
        }
        random.shuffle(&mut free);
        for (hand, dealt) in hands.iter_mut().zip(deal.hands) {
            while hand.len() < dealt.len() {
                hand.insert(free.pop()?);
            }
        }
        let bottom = if face_up.is_empty() { free.into_iter().collect() } else { face_up };
        Some(Start::Deal(Deal { hands, bottom }))
    }

    fn disguise(state: &State, viewer: Viewer, history: &mut [Step<Wakeng>], random: &mut Random) {
        if !Self::waiting_for(state).simultaneous {
            return;
        }
        for step in history.iter_mut().rev() {
            let Step::Seat(seat, action) = step else { return };
            let mine = viewer == Viewer::Seat(*seat);
            match (state.phase(), action) {
                (Phase::Show, Action::Show(yes)) | (Phase::Double, Action::Double(yes)) => {
                    *yes ^= !mine && random.one_in(2);
                }
                _ => return,
            }
        }
    }
}
