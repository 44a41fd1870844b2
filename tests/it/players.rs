//! AI players: what they answer depends on what their seat has seen and on nothing else.

use std::sync::Arc;

use fushi::canonical::sha256;
use fushi::cards::{Card, CardSet, Pack, Rank, Renaming, Suit};
use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::{Action, State, View, Wakeng};
use fushi::games::{Game, Ruleset, Seat, Viewer, deal_board, rulesets};
use fushi::players::{AiKey, Levels, PlayerRef, choose, duel, find, infos, parse_levels, parse_seats, play};
use fushi::rng::GameRng;

const KEY: [u8; 32] = [11; 32];

fn pack(board: u32) -> Vec<Card> {
    let mut cards = Pack::FiftyTwo.cards();
    GameRng::of("players test", &board.to_be_bytes()).shuffle(&mut cards);
    cards
}

fn rules(name: &str) -> Arc<<Wakeng as Game>::Rules> {
    rulesets::shipped::<Wakeng>(name).unwrap()
}

/// Another board that this view could belong to: the cards the seat has not seen, dealt again.
fn resampled(view: &View, chance: &mut GameRng) -> Option<State> {
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
    let mut chance = GameRng::of("resample", b"");
    let (mut compared, mut different) = (0, 0);
    for board in 0..2 {
        let mut state = Wakeng::open(&rules, &deal_board::<Wakeng>(&rules, board, &pack(board)).unwrap());
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
                let start = deal_board::<Wakeng>(&rules, board, &pack(board)).unwrap();
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
    let state = Wakeng::open(&rules, &deal_board::<Wakeng>(&rules, 1, &pack(1)).unwrap());
    assert!(fushi::canonical::to_string(&Wakeng::view(&state, Viewer::Seat(Seat(0)))).is_ok());
}

#[test]
fn the_key_decides_what_random_does_and_boards_differ() {
    let rules = rules("wakeng-bomb");
    let start = deal_board::<Wakeng>(&rules, 1, &pack(1)).unwrap();
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
        let start = deal_board::<Wakeng>(&rules, board, &pack(board)).unwrap();
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

/// A renaming that the rules do not notice: of the suits as a whole, or (`by_rank`) of the cards of each rank apart; a
/// card that the rules know keeps its name.
fn renaming(chance: &mut GameRng, by_rank: bool, known: Option<Card>) -> Renaming {
    let mut whole = Suit::ALL;
    chance.shuffle(&mut whole);
    let orders = Rank::ALL.map(|rank| {
        let mut order = whole;
        if by_rank {
            chance.shuffle(&mut order);
        }
        if let Some(fixed) = known.filter(|card| card.rank() == Some(rank)).and_then(Card::suit) {
            let at = order.iter().position(|suit| *suit == fixed).unwrap();
            order.swap(at, fixed as usize);
        }
        order
    });
    Renaming::of(|suit, rank| orders[rank as usize][suit as usize])
}

/// Boards played by chance; every view that a seat decides on, under many renamings: the form is one, and levels
/// without a search answer alike.
fn names_do_not_matter<G: Levels>(boards: u32, most: u32, known: impl Fn(&G::View) -> Option<Card>) -> u32 {
    let rules = rulesets::shipped::<G>(G::RULESETS[0].0).unwrap();
    let (key, mut chance) = (AiKey::new(KEY), GameRng::of("renamings", G::KIND.name().as_bytes()));
    let by_rank = G::KIND == Wakeng::KIND;
    let mut tried = 0;
    for board in 1..=boards {
        let mut order = G::PACK.cards();
        GameRng::of("renamed boards", &board.to_be_bytes()).shuffle(&mut order);
        let mut state = G::open(&rules, &deal_board::<G>(&rules, board, &order).unwrap());
        while !G::finished(&state) && tried < most * board {
            let Some(seat) = G::waiting_for(&state).seats.iter().next() else {
                let effect = G::advance(&state).unwrap();
                G::apply(&mut state, effect);
                continue;
            };
            let view = G::view(&state, Viewer::Seat(seat));
            let form = G::rename_view(&view, &G::canonical(&view));
            for _ in 0..4 {
                let names = renaming(&mut chance, by_rank, known(&view));
                let other = G::rename_view(&view, &names);
                assert_eq!(G::rename_view(&other, &G::canonical(&other)), form, "board {board}: {names:?}");
                tried += 1;
            }
            let names = renaming(&mut chance, by_rank, known(&view));
            let other = G::rename_view(&view, &names);
            for level in &G::levels()[..2] {
                let [here, there] =
                    [&view, &other].map(|view| choose(*level, &key, &rules, board, seat, view));
                // Cards of which the same is known are as good as each other: what counts is the form of the answer.
                let of_form = |view: &G::View, answer: Option<G::Action>| {
                    answer.map(|action| G::write_action(&G::rename_action(action, &G::canonical(view))))
                };
                assert_eq!(of_form(&view, here), of_form(&other, there), "board {board}, {level:?}");
            }
            let few: Vec<G::Action> = G::legal(&state, seat).take(40).collect();
            match G::advance(&state) {
                // Dealer's steps between optional decisions.
                Some(effect) if few.is_empty() || chance.index(10) > 0 => G::apply(&mut state, effect),
                _ => {
                    let action = chance.pick(&few).unwrap();
                    let effect = G::check(&state, seat, action).unwrap();
                    G::apply(&mut state, effect);
                }
            }
        }
    }
    tried
}

#[test]
fn views_that_differ_in_names_only_have_one_form_and_get_one_answer() {
    let lowest = |view: &View| (view.tricks.is_empty()).then(|| "H4".parse().unwrap());
    assert!(names_do_not_matter::<Wakeng>(40, 400, lowest) > 4000);
    assert!(names_do_not_matter::<Tuolaji>(6, 400, |_| None) > 1000);
    assert!(names_do_not_matter::<Holdem>(120, 400, |_| None) > 2000);
}

/// The ranks of a play; what another action says.
fn ranks_of(action: &Action) -> (Vec<Rank>, Option<Action>) {
    match action {
        Action::Play(cards) => {
            let mut ranks: Vec<Rank> = cards.iter().filter_map(Card::rank).collect();
            ranks.sort_unstable();
            (ranks, None)
        }
        other => (Vec::new(), Some(*other)),
    }
}

/// The same ranks with the last suits of the hand instead of the first; a card of the bottom, which everybody knows to
/// be the banker's, only for another one.
fn in_other_suits(action: Action, view: &View) -> Action {
    let Action::Play(cards) = action else { return action };
    let mut left = view.hand.unwrap();
    let mut other = CardSet::EMPTY;
    let known = |card: Card| view.bottom.is_some_and(|bottom| bottom.contains(card));
    for card in cards {
        let alike = |held: &Card| held.rank() == card.rank() && known(*held) == known(card);
        let last = left.iter().filter(alike).last().unwrap();
        left.remove(last);
        other.insert(last);
    }
    Action::Play(other)
}

/// Two entrants in seat A who play the same ranks, one with the first and one with the last suits it holds, against
/// the same level: every reply is the same down to the card, and so is the score.
fn equal_replies(level: &str, boards: std::ops::RangeInclusive<u32>) -> u32 {
    let (rules, key) = (rules("wakeng-bomb"), AiKey::new(KEY));
    let (entrant, opponent) = (find::<Wakeng>("wakeng-1").unwrap(), find::<Wakeng>(level).unwrap());
    let mut parted = 0;
    for board in boards {
        let start = deal_board::<Wakeng>(&rules, board, &pack(board)).unwrap();
        let mut states = [Wakeng::open(&rules, &start), Wakeng::open(&rules, &start)];
        while !Wakeng::finished(&states[0]) {
            let seat = Wakeng::waiting_for(&states[0]).seats.iter().next().unwrap();
            let player = if seat == Seat(0) { entrant } else { opponent };
            let [one, other] = [0, 1].map(|at| {
                let view = Wakeng::view(&states[at], Viewer::Seat(seat));
                let action = choose(player, &key, &rules, board, seat, &view).unwrap();
                if (seat, at) == (Seat(0), 1) { in_other_suits(action, &view) } else { action }
            });
            assert_eq!(ranks_of(&one), ranks_of(&other), "board {board}, seat {seat:?}");
            if seat != Seat(0) {
                assert_eq!(one, other, "board {board}, seat {seat:?}");
            }
            parted += u32::from(one != other);
            for (state, action) in states.iter_mut().zip([one, other]) {
                let effect = Wakeng::check(state, seat, &action).unwrap();
                Wakeng::apply(state, effect);
            }
        }
        assert!(Wakeng::finished(&states[1]));
        assert_eq!(Wakeng::scores(&states[0]), Wakeng::scores(&states[1]), "board {board}");
    }
    parted
}

#[test]
fn entrants_who_play_the_same_ranks_in_other_suits_meet_equal_replies() {
    assert!(equal_replies("random", 1..=300) > 300);
    assert!(equal_replies("wakeng-1", 1..=300) > 300);
    assert!(equal_replies("wakeng-2", 1..=3) > 3);
}

/// A row of the table of matches in the guide for AI authors, computed again.
fn row_holds<G: Levels>(game_rules: &str, better: &str, worse: &str, boards: u32, seed: &str) {
    let rules = rulesets::shipped::<G>(game_rules).unwrap();
    let (one, other) = (find::<G>(better).unwrap(), find::<G>(worse).unwrap());
    let found = duel::<G>(&rules, one, other, boards, seed, |_| ()).unwrap();
    let percent = |ppm: u32| format!("{}.{:02}", ppm / 10_000, (ppm % 10_000 + 50) / 100);
    let cells = [
        format!("{} / {} / {}", found.won, found.tied, found.lost),
        format!("{} %", percent(found.rate_ppm)),
        format!("{} – {} %", percent(found.interval_ppm.0), percent(found.interval_ppm.1)),
    ];
    for guide in ["docs/ai-authors.md", "docs/zh/ai-authors.md"] {
        let text = std::fs::read_to_string(guide).unwrap();
        let start = format!("| `{better}` : `{worse}` | {boards} |");
        let row = text.lines().find(|line| line.starts_with(&start)).unwrap();
        for cell in &cells {
            assert!(row.contains(cell.as_str()), "{guide}: {row} has no {cell}");
        }
    }
}

#[test]
fn the_matches_in_the_guide_reproduce() {
    row_holds::<Wakeng>("wakeng-bomb", "wakeng-1", "random", 60, "x");
    row_holds::<Holdem>(Holdem::RULESETS[0].0, "holdem-2", "holdem-1", 60, "fresh1");
}
