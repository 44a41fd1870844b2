//! The levels are deterministic, sound, and in order of strength.

use std::sync::Arc;

use super::super::{AiKey, arena, choose};
use super::*;
use crate::cards::Card;
use crate::games::holdem::Rules;
use crate::games::{Game, Seat, Viewer, deal_board, rulesets};
use crate::rng::GameRng;

fn pack(number: u32) -> Vec<Card> {
    let mut cards = Holdem::PACK.cards();
    GameRng::of("holdem players", &number.to_be_bytes()).shuffle(&mut cards);
    cards
}

fn rules() -> Arc<Rules> {
    rulesets::default::<Holdem>().unwrap()
}

/// What `strong` wins from `weak` on each of some boards, in chips: every board is played twice, at a table where the
/// even seats are strong and at one where the odd seats are.
fn match_of(strong: PlayerRef<Holdem>, weak: PlayerRef<Holdem>, boards: std::ops::Range<u32>) -> Vec<i64> {
    let (rules, key) = (rules(), AiKey::new([7; 32]));
    boards
        .map(|number| {
            let start = deal_board::<Holdem>(&rules, number, &pack(number)).unwrap();
            let seats = usize::from(Holdem::seats(&start));
            (0..2)
                .map(|table| {
                    let players: Vec<PlayerRef<Holdem>> =
                        (0..seats).map(|seat| if seat % 2 == table { strong } else { weak }).collect();
                    let played = arena::play::<Holdem>(&rules, &start, number, &key, &players).unwrap();
                    assert_eq!(played.scores.iter().sum::<i64>(), 0);
                    played.scores.iter().skip(table).step_by(2).sum::<i64>()
                })
                .sum()
        })
        .collect()
}

/// Asserts that the mean lies above 0 by at least 2.6 standard errors: better beyond 99 %.
#[allow(clippy::cast_precision_loss)] // statistics of a test
fn assert_better(name: &str, wins: &[i64]) {
    let count = wins.len() as f64;
    let mean = wins.iter().sum::<i64>() as f64 / count;
    let variance = wins.iter().map(|&win| (win as f64 - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = (variance / count).sqrt();
    println!("{name}: {mean:.0} ± {error:.0} chips a board");
    assert!(mean > 2.6 * error, "{name}: {mean:.0} ± {error:.0} chips a board");
}

#[test]
fn level_one_is_better_than_chance() {
    assert_better("holdem-1 against random", &match_of(&ONE, &RANDOM, 1..1000));
}

#[test]
fn level_two_is_better_than_chance() {
    assert_better("holdem-2 against random", &match_of(&TWO, &RANDOM, 1..400));
}

/// Events compare who has more, not how much more: folding until a hand comes wins chips and loses events.
#[test]
fn level_one_wins_more_boards_from_chance_than_it_loses() {
    let wins = match_of(&ONE, &RANDOM, 1..1000);
    let won = wins.iter().filter(|win| **win > 0).count();
    let lost = wins.iter().filter(|win| **win < 0).count();
    assert!(won * 100 > lost * 110, "{won} won, {lost} lost");
}

#[test]
fn level_two_is_better_than_level_one_over_duplicate_boards() {
    assert_better("holdem-2 against holdem-1", &match_of(&TWO, &ONE, 1..4000));
}

#[test]
fn answers_are_options_and_depend_on_the_view_alone() {
    let (rules, key) = (rules(), AiKey::new([1; 32]));
    for number in 1..40 {
        let start = deal_board::<Holdem>(&rules, number, &pack(number)).unwrap();
        let mut state = Holdem::open(&rules, &start);
        let mut chance = GameRng::of("positions", &number.to_be_bytes());
        while let Some(seat) = Holdem::waiting_for(&state).seats.iter().next() {
            let view = Holdem::view(&state, Viewer::Seat(seat));
            let options: Vec<_> = Holdem::options(&view).collect();
            for player in Holdem::levels() {
                let answer = choose(*player, &key, &rules, number, seat, &view).unwrap();
                assert!(options.contains(&answer), "{player:?} {answer:?} {view:?}");
                assert_eq!(choose(*player, &key, &rules, number, seat, &view.clone()), Some(answer));
            }
            // Positions of every kind come from chance, with few all-ins so that hands last.
            let few = options.len().min(5);
            let action = options[chance.index(few)];
            let effect = Holdem::check(&state, seat, &action).unwrap();
            Holdem::apply(&mut state, effect);
        }
    }
}

#[test]
fn a_seat_without_known_cards_checks_or_folds() {
    let (rules, key) = (rules(), AiKey::new([1; 32]));
    let start = deal_board::<Holdem>(&rules, 1, &pack(1)).unwrap();
    let state = Holdem::open(&rules, &start);
    let seat = Holdem::waiting_for(&state).seats.iter().next().unwrap();
    let view = Holdem::view(&state, Viewer::Seat(seat));
    let mut blind = view.clone();
    for seat in &mut blind.seats {
        seat.cards = None;
    }
    for player in [&ONE as PlayerRef<Holdem>, &TWO] {
        assert_eq!(choose(player, &key, &rules, 1, seat, &blind), Holdem::options(&blind).next());
    }
    assert_eq!(seat, Seat(3));
}

/// Whoever changes an answer of a level changes its definition, and this number with it.
#[test]
fn frozen_games_hold_each_level_to_its_definition() {
    let (rules, key) = (rules(), AiKey::new([9; 32]));
    let frozen: Vec<(&str, String)> = [&ONE as PlayerRef<Holdem>, &TWO]
        .into_iter()
        .map(|player| {
            let mut actions = Vec::new();
            for number in 1..=60 {
                let start = deal_board::<Holdem>(&rules, number, &pack(number)).unwrap();
                let played = arena::play::<Holdem>(&rules, &start, number, &key, &[player; 6]).unwrap();
                let text = |action| Holdem::write_action(action).text;
                actions.extend(
                    played.actions.iter().map(|(seat, action)| format!("{} {}", seat.0, text(action))),
                );
            }
            let hash = hex::encode(crate::canonical::sha256(actions.join("\n").as_bytes()));
            (player.info().name, hash[..16].to_owned())
        })
        .collect();
    assert_eq!(
        frozen,
        [("holdem-1", "fc377ab465d215ce".to_owned()), ("holdem-2", "12c57948c00489c3".to_owned())]
    );
}
