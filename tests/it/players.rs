//! AI players: what they answer depends on what their seat has seen and on nothing else.

use std::sync::Arc;

use fushi::canonical::sha256;
use fushi::cards::{Card, CardSet, Pack};
use fushi::chance::Chance;
use fushi::games::wakeng::{State, View, Wakeng};
use fushi::games::{Game, Ruleset, Seat, Viewer, rulesets};
use fushi::players::{AiKey, Levels, PlayerRef, choose, duel, find, infos, parse_levels, parse_seats, play};

const KEY: [u8; 32] = [11; 32];

fn pack(board: u32) -> Vec<Card> {
    let mut cards = Pack::FiftyTwo.cards();
    Chance::of("players test", &board.to_be_bytes()).shuffle(&mut cards);
    cards
}

fn rules(name: &str) -> Arc<<Wakeng as Game>::Rules> {
    rulesets::shipped::<Wakeng>(name).unwrap()
}

/// Another board that this view could belong to: the cards the seat has not seen, dealt again.
fn resampled(view: &View, chance: &mut Chance) -> Option<State> {
    let me = view.viewer?;
    let known = [0, 1, 2].map(|seat| view.known(Seat(seat)));
    let mut hidden: Vec<Card> = known
        .iter()
        .fold(CardSet::FIFTY_TWO.difference(view.played_by_all()), |left, cards| left.difference(*cards))
        .iter()
        .collect();
    chance.shuffle(&mut hidden);
    let mut rest = hidden.into_iter();
    let hands = [0, 1, 2].map(|seat| {
        let missing = usize::from(view.counts[seat].unwrap()) - known[seat].len();
        if seat == me.index() {
            known[seat]
        } else {
            known[seat].union(rest.by_ref().take(missing).collect())
        }
    });
    let bottom = view.bottom.unwrap_or_else(|| rest.collect());
    State::imagine(view, hands, bottom)
}

#[test]
fn two_deals_that_agree_on_what_a_seat_has_seen_get_the_same_reply() {
    let rules = rules("wakeng-bomb");
    let key = AiKey::new(KEY);
    let [random, one, two] = Wakeng::levels() else { panic!("three levels") };
    let mut chance = Chance::of("resample", b"");
    let (mut compared, mut different) = (0, 0);
    for board in 0..2 {
        let mut state = Wakeng::open(&rules, &Wakeng::deal(&rules, board, &pack(board)));
        while !Wakeng::finished(&state) {
            let seat = Wakeng::waiting_for(&state).seats.iter().next().unwrap();
            let view = Wakeng::view(&state, Viewer::Seat(seat));
            let reply =
                |player: PlayerRef<Wakeng>, view: &View| choose(player, &key, &rules, board, seat, view);
            // An imagined board has no hidden choices of others: their views differ until all have chosen.
            let other = (0..20)
                .find_map(|_| resampled(&view, &mut chance))
                .filter(|other| Wakeng::waiting_for(other) == Wakeng::waiting_for(&state));
            if let Some(other) = other {
                let again = Wakeng::view(&other, Viewer::Seat(seat));
                assert_eq!(view, again);
                different += u32::from((0..3).map(Seat).any(|seat| other.hand(seat) != state.hand(seat)));
                for player in [random, one, two] {
                    assert_eq!(reply(*player, &view), reply(*player, &again), "{player:?}");
                }
                compared += 1;
            }
            let action = reply(*one, &view).unwrap();
            let effect = Wakeng::check(&state, seat, &action).unwrap();
            Wakeng::apply(&mut state, effect);
        }
    }
    assert!(compared > 40 && different > 30, "{compared} compared, {different} with other cards");
}

#[test]
fn every_level_plays_every_ruleset_legally_to_the_end() {
    let key = AiKey::new(KEY);
    for (name, _) in Wakeng::RULESETS {
        let rules = rules(name);
        for (player, boards) in Wakeng::levels().iter().zip([40, 40, 1]) {
            for board in 1..=boards {
                let start = Wakeng::deal(&rules, board, &pack(board));
                let played = play::<Wakeng>(&rules, &start, board, &key, &[*player; 3]);
                let played = played.unwrap_or_else(|error| panic!("{name}, board {board}: {error}"));
                assert_eq!(played.scores.iter().sum::<i64>(), 0);
            }
        }
    }
}

#[test]
fn every_view_of_wakeng_has_a_canonical_form() {
    // `Ask::dice` relies on it.
    let rules = rules("wakeng-bomb");
    let state = Wakeng::open(&rules, &Wakeng::deal(&rules, 1, &pack(1)));
    assert!(fushi::canonical::to_string(&Wakeng::view(&state, Viewer::Seat(Seat(0)))).is_ok());
}

#[test]
fn the_key_decides_what_random_does_and_boards_differ() {
    let rules = rules("wakeng-bomb");
    let start = Wakeng::deal(&rules, 1, &pack(1));
    let random = find::<Wakeng>("random").unwrap();
    let actions = |key: [u8; 32], board: u32| {
        play::<Wakeng>(&rules, &start, board, &AiKey::new(key), &[random; 3]).unwrap().actions
    };
    assert_eq!(actions([1; 32], 1), actions([1; 32], 1));
    assert_ne!(actions([1; 32], 1), actions([2; 32], 1));
    assert_ne!(actions([1; 32], 1), actions([1; 32], 2));
}

/// SHA-256 over the actions of some boards, as hex; changes with any answer of a level.
fn fingerprint(level: &str, boards: u32) -> String {
    let rules = rules("wakeng-bomb");
    let player = find::<Wakeng>(level).unwrap();
    let mut text = String::new();
    for board in 1..=boards {
        let start = Wakeng::deal(&rules, board, &pack(board));
        for (seat, action) in
            play::<Wakeng>(&rules, &start, board, &AiKey::new(KEY), &[player; 3]).unwrap().actions
        {
            text += &format!("{} {}\n", seat.0, Wakeng::write_action(&action).text);
        }
    }
    hex::encode(sha256(text.as_bytes()))[..16].to_owned()
}

#[test]
fn a_changed_answer_is_a_changed_definition() {
    // If a fingerprint changes on purpose, change the level's definition with it.
    let found: Vec<(&str, &str, String)> = infos::<Wakeng>()
        .iter()
        .zip([30, 30, 1])
        .map(|(info, boards)| (info.name, info.definition, fingerprint(info.name, boards)))
        .collect();
    insta::assert_debug_snapshot!(found);
}

#[test]
fn level_1_crushes_random() {
    let level = |name| find::<Wakeng>(name).unwrap();
    let result =
        duel::<Wakeng>(&rules("wakeng-bomb"), level("wakeng-1"), level("random"), 40, "it", |_| ()).unwrap();
    assert!(result.significant && result.interval_ppm.0 > 850_000, "{result:?}");
    // The match replays, and turned round it is the mirror image.
    let mirrored =
        duel::<Wakeng>(&rules("wakeng-bomb"), level("random"), level("wakeng-1"), 40, "it", |_| ()).unwrap();
    assert_eq!((mirrored.won, mirrored.lost, mirrored.points), (result.lost, result.won, -result.points));
}

#[test]
fn level_2_beats_level_1_on_boards_that_nothing_was_tuned_on() {
    let level = |name| find::<Wakeng>(name).unwrap();
    let result =
        duel::<Wakeng>(&rules("wakeng-bomb"), level("wakeng-2"), level("wakeng-1"), 10, "held-out", |_| ());
    let result = result.unwrap();
    assert!(result.significant && result.interval_ppm.0 > 500_000 && result.points > 0, "{result:?}");
}

#[test]
fn levels_are_found_by_name_and_mistakes_name_the_nearest() {
    assert_eq!(find::<Wakeng>("wakeng-2").unwrap().info().name, "wakeng-2");
    let fault = find::<Wakeng>("wakeng2").unwrap_err();
    assert_eq!((fault.code, fault.message.contains("did you mean `wakeng-")), ("unknown_level", true));
    assert_eq!(parse_levels::<Wakeng>("wakeng-1, random").unwrap().len(), 2);
    assert_eq!(parse_levels::<Wakeng>("").unwrap_err().len(), 1);
    let names = |text: &str| -> Vec<&str> {
        parse_seats::<Wakeng>(text, 3).unwrap().iter().map(|player| player.info().name).collect()
    };
    assert_eq!(names(""), ["wakeng-1"; 3]);
    assert_eq!(names("wakeng-2"), ["wakeng-2"; 3]);
    assert_eq!(names("B=random,wakeng-2"), ["wakeng-2", "random", "wakeng-2"]);
    assert_eq!(names("C=random"), ["wakeng-1", "wakeng-1", "random"]);
    for bad in ["D=random", "A=random,A=wakeng-1", "A=", "random,random,random,random", "A=wakeng-9x9x9"] {
        assert!(parse_seats::<Wakeng>(bad, 3).is_err(), "{bad}");
    }
}

#[test]
fn hashes_of_levels_differ_and_ruleset_names_do_not_matter_to_them() {
    let hashes: Vec<_> = infos::<Wakeng>().iter().map(fushi::players::LevelInfo::hash).collect();
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2]);
    assert_eq!(rules("wakeng-bomb").name(), "wakeng-bomb");
}
