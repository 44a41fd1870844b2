//! The AI players of tuolaji: they finish boards, better levels win, and nothing but the view decides.

use std::sync::Arc;

use fushi::canonical::sha256;
use fushi::cards::{Card, Pack};
use fushi::games::tuolaji::Tuolaji;
use fushi::games::tuolaji::action::Action;
use fushi::games::tuolaji::rules::Rules;
use fushi::games::tuolaji::start::{Start, StartCards};
use fushi::games::{Game, Seat, Viewer, deal_board};
use fushi::players::{AiKey, Ask, LevelInfo, Levels, Played, Player, PlayerRef, choose, find, play};
use fushi::rng::GameRng;

use crate::tuolaji::zhuhai;

const KEY: AiKey = AiKey::new([7; 32]);

fn level(name: &str) -> PlayerRef<Tuolaji> {
    find::<Tuolaji>(name).unwrap()
}

fn deal(rules: &Arc<Rules>, board: u32) -> Start {
    let mut order = Pack::TwoWithJokers.cards();
    GameRng::of("tduel", &board.to_be_bytes()).shuffle(&mut order);
    deal_board::<Tuolaji>(rules, board, &order).unwrap()
}

fn board(rules: &Arc<Rules>, number: u32, east_west: &str, north_south: &str) -> Played<Tuolaji> {
    let (one, other) = (level(east_west), level(north_south));
    play::<Tuolaji>(rules, &deal(rules, number), number, &KEY, &[one, other, one, other]).unwrap()
}

/// Big points of the first level, each board played in both directions; and the boards it won and lost.
fn duplicate(better: &str, worse: &str, boards: u32) -> (i64, i32, i32) {
    let rules = zhuhai();
    let (mut sum, mut won, mut lost) = (0, 0, 0);
    for number in 1..=boards {
        let here = board(&rules, number, better, worse).scores[0];
        let there = board(&rules, number, worse, better).scores[1];
        sum += here + there;
        won += i32::from(here + there > 0);
        lost += i32::from(here + there < 0);
    }
    println!("{better} against {worse}: {sum} big points, {won} boards won, {lost} lost of {boards}");
    (sum, won, lost)
}

#[test]
fn rules_of_thumb_beat_chance_clearly() {
    let (sum, won, lost) = duplicate("tuolaji-1", "random", 40);
    assert!(sum > 100 && won > 2 * lost, "{sum} {won} {lost}");
}

#[test]
fn imagining_the_hidden_cards_beats_rules_of_thumb() {
    let (sum, won, lost) = duplicate("tuolaji-2", "tuolaji-1", 12);
    assert!(sum > 0 && won > lost, "{sum} {won} {lost}");
}

#[test]
fn the_same_view_always_gets_the_same_answer() {
    let rules = zhuhai();
    let texts = |played: &Played<Tuolaji>| -> Vec<String> {
        played.actions.iter().map(|(_, action)| Tuolaji::write_action(action).text).collect()
    };
    let once = board(&rules, 3, "tuolaji-1", "tuolaji-2");
    let again = board(&rules, 3, "tuolaji-1", "tuolaji-2");
    assert_eq!(texts(&once), texts(&again));
    assert!(
        once.actions.iter().any(|(_, action)| Tuolaji::write_action(action).after.is_some()),
        "somebody calls"
    );
}

/// Two hidden cards of other seats change places; the players must answer alike.
#[test]
fn hidden_cards_do_not_move_a_player() {
    let rules = zhuhai();
    let mut asked = 0;
    for number in 1..=12 {
        let start = deal(&rules, number);
        let StartCards::Draw(draw) = &start.cards else { panic!("a draw") };
        let open = |order: &[Card]| {
            let start = Start { cards: StartCards::Draw(order.into()), ..start.clone() };
            let mut state = Tuolaji::open(&rules, &start);
            while let Some(effect) = Tuolaji::advance(&state) {
                Tuolaji::apply(&mut state, effect);
            }
            let away = Tuolaji::timeout(&state, start.banker).unwrap();
            let effect = Tuolaji::check(&state, start.banker, &away).unwrap();
            Tuolaji::apply(&mut state, effect);
            state
        };
        // The banker leads; the seats after next and before exchange any two cards.
        let other = |step: usize, nth: usize| (step + 4 * nth) % 100;
        let mut twin = draw.to_vec();
        twin.swap(other(2, 5), other(3, 9));
        let (mut one, mut two) = (open(draw), open(&twin));
        for seat in [start.banker, Seat((start.banker.0 + 1) % 4)] {
            let views = [&one, &two].map(|state| Tuolaji::view(state, Viewer::Seat(seat)));
            assert_eq!(views[0], views[1]);
            for name in ["tuolaji-1", "tuolaji-2", "random"] {
                let [answer, again] =
                    [&views[0], &views[1]].map(|view| choose(level(name), &KEY, &rules, number, seat, view));
                assert_eq!(answer, again);
                asked += 1;
            }
            let action = choose(level("tuolaji-1"), &KEY, &rules, number, seat, &views[0]).unwrap();
            for state in [&mut one, &mut two] {
                let effect = Tuolaji::check(state, seat, &action).unwrap();
                Tuolaji::apply(state, effect);
            }
            if Tuolaji::view(&one, Viewer::Public) != Tuolaji::view(&two, Viewer::Public) {
                break;
            }
        }
    }
    assert!(asked > 50, "{asked}");
}

/// Calls when 41 cards are drawn and nobody has called.
#[derive(Debug)]
struct Waits;

impl Player<Tuolaji> for Waits {
    fn info(&self) -> LevelInfo {
        LevelInfo { game: Tuolaji::KIND, name: "waits", definition: "test" }
    }

    fn choose(&self, ask: &Ask<'_, Tuolaji>) -> Option<<Tuolaji as Game>::Action> {
        let drawing = matches!(ask.view().phase, "draw" | "window");
        let action = ask.options().next()?;
        (!drawing || (ask.view().drawn >= 41 && ask.view().calls.is_empty())).then_some(action)
    }
}

#[test]
fn stepped_calling_goes_to_the_seat_nearest_after_the_one_that_drew() {
    // Card 41 is drawn by the banker, E; E and N could both call with it on the table: N sits nearest after E.
    static WAITS: Waits = Waits;
    let rules = zhuhai();
    let mut order = Pack::TwoWithJokers.cards();
    GameRng::of("stepped", &[1]).shuffle(&mut order);
    let twos: [Card; 2] = ["S2".parse().unwrap(), "H2".parse().unwrap()];
    for (place, card) in twos.into_iter().enumerate() {
        let from = order.iter().position(|other| *other == card).unwrap();
        order.swap(place, from);
    }
    let start = deal_board::<Tuolaji>(&rules, 1, &order).unwrap();
    let played = play::<Tuolaji>(&rules, &start, 1, &KEY, &[&WAITS, &WAITS, &WAITS, &WAITS]).unwrap();
    let (seat, action) = &played.actions[0];
    let text = Tuolaji::write_action(action);
    assert_eq!((*seat, text.after), (Seat(1), Some(41)), "{}", text.text);
}

/// SHA-256 over the actions of some boards, as hex; changes with any answer of a level.
#[test]
fn frozen_boards_hold_each_level_to_its_definition() {
    let rules = zhuhai();
    let frozen: Vec<(&str, &str, String)> = Tuolaji::levels()
        .iter()
        .zip([6, 6, 1])
        .map(|(player, boards)| {
            let mut text = String::new();
            for number in 1..=boards {
                let played = play::<Tuolaji>(&rules, &deal(&rules, number), number, &KEY, &[*player; 4]);
                for (seat, action) in played.unwrap().actions {
                    text += &format!("{} {}\n", seat.0, Tuolaji::write_action(&action).text);
                }
            }
            let info = player.info();
            (info.name, info.definition, hex::encode(sha256(text.as_bytes()))[..16].to_owned())
        })
        .collect();
    insta::assert_debug_snapshot!(frozen);
}

/// The last seat of a trick that its side has lost, or has won already, whatever it plays, is not left to imagined
/// worlds: it gives no more points away than the rules of thumb do.
#[test]
fn a_trick_that_is_decided_is_not_searched() {
    let rules = zhuhai();
    let [one, two] = ["tuolaji-1", "tuolaji-2"].map(level);
    let (mut lost, mut given) = (0, 0);
    for number in 1..=30 {
        let mut state = Tuolaji::open(&rules, &deal(&rules, number));
        loop {
            while let Some(effect) = Tuolaji::advance(&state) {
                Tuolaji::apply(&mut state, effect);
            }
            let Some(seat) = Tuolaji::waiting_for(&state).seats.iter().next() else { break };
            let view = Tuolaji::view(&state, Viewer::Seat(seat));
            let action = choose(one, &KEY, &rules, number, seat, &view)
                .or_else(|| Tuolaji::timeout(&state, seat))
                .unwrap();
            if view.phase == "play" && view.trick.plays.len() == 3 {
                let plays: Vec<Action> = Tuolaji::options(&view).take(3000).collect();
                // Whoever wins after each play, from the rules themselves.
                let wins = |action: &Action| {
                    let mut after = state.clone();
                    let effect = Tuolaji::check(&after, seat, action).unwrap();
                    Tuolaji::apply(&mut after, effect);
                    let winner = Tuolaji::outcome(&after).tricks.last().unwrap().winner;
                    (Tuolaji::seat_named(winner).unwrap().0 ^ seat.0) & 1 == 0
                };
                if plays.len() > 1 && plays.len() < 3000 && !plays.iter().any(wins) {
                    let answer = choose(two, &KEY, &rules, number, seat, &view).unwrap();
                    assert_eq!(answer, action, "board {number}");
                    let points = |action: &Action| match action {
                        Action::Play(named) => named.cards.points(),
                        _ => 0,
                    };
                    let least = plays.iter().map(points).min().unwrap();
                    lost += 1;
                    given += u32::from(points(&answer) > least);
                }
            }
            let effect = Tuolaji::check(&state, seat, &action).unwrap();
            Tuolaji::apply(&mut state, effect);
        }
    }
    assert!(lost > 60 && given * 50 < lost, "{given} of {lost}");
}
