//! Wakeng playthroughs, read by a person once and compared ever after, and counts of legal actions along boards.

use std::fmt::Write as _;
use std::sync::Arc;

use fushi::games::wakeng::{Action, Rules, State, Wakeng};
use fushi::games::{Game, Viewer, deal_board, rulesets};

use crate::conformance::Random;

fn board(rules: &Arc<Rules>, random: &mut Random) -> (String, State) {
    let mut pack = Wakeng::PACK.cards();
    random.shuffle(&mut pack);
    let start = deal_board::<Wakeng>(rules, 1, &pack).unwrap();
    (serde_json::to_string(&Wakeng::write_start(&start)).unwrap(), Wakeng::open(rules, &start))
}

/// A legal action; among plays the longer ones are preferred, so that boards are lively.
fn choose(actions: &[Action], random: &mut Random) -> Action {
    let cards = |action: &Action| match action {
        Action::Play(cards) => cards.len(),
        _ => 0,
    };
    (0..3).map(|_| actions[random.below(actions.len())]).max_by_key(cards).unwrap()
}

/// The full text of a board: header, every action with the number of legal ones, a public view at each phase.
fn dump(rules: &Arc<Rules>, seed: u64) -> String {
    let mut random = Random::new(seed);
    let (header, mut state) = board(rules, &mut random);
    let mut text = format!("{header}\n");
    let mut phase = "";
    loop {
        let waiting = Wakeng::waiting_for(&state);
        if waiting.phase != phase {
            phase = waiting.phase;
            let view = serde_json::to_string(&Wakeng::view(&state, Viewer::Public)).unwrap();
            writeln!(text, "-- {phase} {} ms\n{view}", waiting.limit_ms).unwrap();
        }
        let seats: Vec<_> = waiting.seats.iter().collect();
        if seats.is_empty() {
            break;
        }
        let seat = seats[random.below(seats.len())];
        let actions: Vec<Action> = Wakeng::legal(&state, seat).collect();
        let action = choose(&actions, &mut random);
        let name = Wakeng::seat_name(seat).unwrap();
        writeln!(text, "{name} {} (of {})", Wakeng::write_action(&action).text, actions.len()).unwrap();
        let effect = Wakeng::check(&state, seat, &action).unwrap();
        Wakeng::apply(&mut state, effect);
    }
    let outcome = serde_json::to_string(&Wakeng::outcome(&state)).unwrap();
    writeln!(text, "{outcome}\n{:?}", Wakeng::scores(&state)).unwrap();
    text
}

#[test]
fn playthroughs() {
    for (name, _) in Wakeng::RULESETS {
        let rules = rulesets::shipped::<Wakeng>(name).unwrap();
        for seed in 1..=2 {
            insta::assert_snapshot!(format!("{name}-{seed}"), dump(&rules, seed));
        }
    }
}

/// Actions of 200 boards, and the sum of the numbers of legal actions along them.
fn totals(name: &str) -> (u64, u64) {
    let rules = rulesets::shipped::<Wakeng>(name).unwrap();
    let mut random = Random::new(52);
    let (mut actions, mut legal) = (0, 0);
    for _ in 0..200 {
        let (_, mut state) = board(&rules, &mut random);
        while let Some(seat) = Wakeng::waiting_for(&state).seats.iter().next() {
            let count = Wakeng::legal(&state, seat).count();
            let action = Wakeng::legal(&state, seat).nth(random.below(count)).unwrap();
            let effect = Wakeng::check(&state, seat, &action).unwrap();
            Wakeng::apply(&mut state, effect);
            actions += 1;
            legal += count as u64;
        }
    }
    (actions, legal)
}

#[test]
fn numbers_of_legal_actions_along_seeded_boards() {
    let found = Wakeng::RULESETS.iter().map(|(name, _)| totals(name)).collect::<Vec<_>>();
    assert_eq!(found, [(13_766, 59_019), (13_888, 59_866), (13_065, 58_377)]);
}
