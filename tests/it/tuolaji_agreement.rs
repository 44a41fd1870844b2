//! The engine of tuolaji against the slow model, and the properties of the rulebook's section 11.

use std::collections::BTreeSet;
use std::sync::Arc;

use fushi::cards::{Card, Pack, Suit};
use fushi::games::tuolaji::Tuolaji;
use fushi::games::tuolaji::action::Action;
use fushi::games::tuolaji::bag::{Bag, card_points};
use fushi::games::tuolaji::big_points::{BigPoints, PRESETS};
use fushi::games::tuolaji::complete::{automatic_follow, complete};
use fushi::games::tuolaji::follow::Duty;
use fushi::games::tuolaji::ladder::{Ladder, Level, Trump};
use fushi::games::tuolaji::plays::Plays;
use fushi::games::tuolaji::shape::{Lead, decompose};
use fushi::games::tuolaji::start::{Start, StartCards};
use fushi::games::tuolaji::state::State;
use fushi::games::tuolaji::throw::attempt;
use fushi::games::tuolaji::winner::winner;
use fushi::games::{Game, Seat, Viewer, deal_board};

use crate::tuolaji::zhuhai;
use crate::tuolaji_model::{Face, Model, faces, pairs, sorted};

/// A small generator of numbers; the same seed gives the same cases for ever.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }
}

fn card((suit, rank): Face) -> Card {
    Card::from_index(suit * 13 + rank).unwrap()
}

fn face(card: Card) -> Face {
    (card.index() / 13, card.index() % 13)
}

fn bag(cards: &[Face]) -> Bag {
    let (bag, excess) = Bag::of(cards.iter().copied().map(card));
    assert!(excess.is_empty());
    bag
}

fn list(bag: Bag) -> Vec<Face> {
    sorted(bag.cards().map(face).collect())
}

/// Any level and trump, and both views of it.
fn random_ladder(rng: &mut Rng) -> (Model, Ladder) {
    let level = u8::try_from(rng.below(12)).unwrap();
    let trump = rng.below(5);
    let engine = Suit::ALL.get(trump).map_or(Trump::None, |suit| Trump::Suit(*suit));
    let ladder = Ladder::new(Level::ALL[usize::from(level)], engine);
    (Model { level, trump: (trump < 4).then(|| u8::try_from(trump).unwrap()) }, ladder)
}

fn random_group(rng: &mut Rng, model: Model) -> u8 {
    loop {
        let group = u8::try_from(rng.below(8).min(4)).unwrap();
        if Some(group) != model.trump {
            return group;
        }
    }
}

/// A lead of one group, rich in pairs, and a hand of at least as many cards.
fn lead_and_hand(rng: &mut Rng, model: Model, most: usize) -> (Vec<Face>, Vec<Face>) {
    loop {
        let group = random_group(rng, model);
        let (to_lead, to_hand) = (10 + rng.below(50), 20 + rng.below(60));
        let single = rng.below(40);
        let (mut lead, mut hand, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for face in faces() {
            if model.group(face) != group {
                others.extend([face, face]);
                continue;
            }
            match (rng.percent(single), rng.percent(to_lead), rng.percent(to_hand)) {
                (false, true, _) if lead.len() + 2 <= most => lead.extend([face, face]),
                (false, _, true) if hand.len() + 2 <= most + 6 => hand.extend([face, face]),
                (true, true, _) if lead.len() < most => lead.push(face),
                (true, _, true) if hand.len() < most + 6 => hand.push(face),
                _ => {}
            }
        }
        if lead.is_empty() {
            continue;
        }
        rng.shuffle(&mut others);
        while hand.len() < lead.len() || rng.percent(40) {
            let Some(card) = others.pop() else { break };
            hand.push(card);
        }
        return (lead, hand);
    }
}

/// A play to be judged: legal ones, nearly legal ones and any.
fn play_to_judge(rng: &mut Rng, model: Model, ladder: &Ladder, lead: &[Face], hand: &[Face]) -> Vec<Face> {
    let mut any = hand.to_vec();
    rng.shuffle(&mut any);
    match rng.below(8) {
        0 => any.truncate(lead.len()),
        1 | 2 => {
            any.sort_by_key(|card| model.group(*card) != model.group(lead[0]));
            any.truncate(lead.len());
        }
        kind => {
            let lead = Lead::of(ladder, bag(lead)).unwrap();
            let hand = bag(hand);
            let salt = rng.next();
            let mut legal = Plays::following(ladder, &Duty::of(ladder, lead, hand), hand)
                .ordered_by(|face| (salt ^ u64::from(face)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            any = list(legal.next().expect("a hand can always follow"));
            if kind > 4 {
                let mut rest = list(hand.minus(bag(&any)));
                rng.shuffle(&mut rest);
                rng.shuffle(&mut any);
                for (out, into) in any.iter_mut().zip(rest).take(1 + rng.below(2)) {
                    *out = into;
                }
            }
        }
    }
    any
}

/// Runs the same work on two threads with different seeds.
fn on_two_threads(seed: u64, work: impl Fn(&mut Rng) + Sync) {
    std::thread::scope(|scope| {
        for half in 0..2 {
            let work = &work;
            scope.spawn(move || work(&mut Rng(seed + half)));
        }
    });
}

#[test]
fn a_million_follows_are_judged_as_the_model_judges_them() {
    on_two_threads(11, |rng| {
        let (mut legal, mut illegal, mut with_runs, mut several) = (0, 0, 0, 0);
        while legal + illegal < 500_000 {
            let (model, ladder) = random_ladder(rng);
            let (lead, hand) = lead_and_hand(rng, model, 14);
            let engine_lead = Lead::of(&ladder, bag(&lead)).unwrap();
            let duty = Duty::of(&ladder, engine_lead, bag(&hand));
            for _ in 0..10 {
                let play = play_to_judge(rng, model, &ladder, &lead, &hand);
                let expected = model.follows(&lead, &hand, &play);
                let found = duty.check(&ladder, bag(&play)).is_ok();
                assert_eq!(
                    found,
                    expected,
                    "{model:?} lead {} hand {} play {}",
                    bag(&lead),
                    bag(&hand),
                    bag(&play)
                );
                *(if expected { &mut legal } else { &mut illegal }) += 1;
                with_runs += i32::from(!duty.runs.is_empty());
                several += i32::from(!duty.runs.is_empty() && engine_lead.runs.iter().count() > 1);
            }
        }
        assert!(legal > 100_000 && illegal > 100_000, "{legal} legal, {illegal} illegal");
        assert!(
            with_runs > 50_000 && several > 5_000,
            "{with_runs} with runs owed, {several} to several tractors"
        );
    });
}

/// Every part of a hand with so many cards, by taking each face none, once or twice.
fn every_part(hand: &[Face], size: usize) -> Vec<Vec<Face>> {
    let Some(first) = hand.first() else { return if size == 0 { vec![vec![]] } else { vec![] } };
    let copies = hand.iter().filter(|card| *card == first).count();
    let rest: Vec<Face> = hand.iter().copied().filter(|card| card != first).collect();
    let mut parts = Vec::new();
    for taken in 0..=copies.min(size) {
        for mut part in every_part(&rest, size - taken) {
            part.extend(std::iter::repeat_n(*first, taken));
            parts.push(sorted(part));
        }
    }
    parts
}

#[test]
fn the_generator_finds_every_legal_play_once_and_completion_finds_the_smallest() {
    on_two_threads(21, |rng| {
        for _ in 0..1_500 {
            let (model, ladder) = random_ladder(rng);
            let (lead, hand) = lead_and_hand(rng, model, 7);
            if hand.len() > 15 {
                continue;
            }
            let parts = every_part(&hand, lead.len());
            let legal: BTreeSet<Vec<Face>> =
                parts.into_iter().filter(|play| model.follows(&lead, &hand, play)).collect();
            assert!(!legal.is_empty(), "a hand can always follow");
            let engine_lead = Lead::of(&ladder, bag(&lead)).unwrap();
            let duty = Duty::of(&ladder, engine_lead, bag(&hand));
            let found: Vec<Vec<Face>> = Plays::following(&ladder, &duty, bag(&hand)).map(list).collect();
            assert_eq!(found.len(), legal.len(), "{model:?} lead {} hand {}", bag(&lead), bag(&hand));
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), legal);
            let smallness = |play: &Vec<Face>| {
                let points: u32 = play.iter().map(|face| card_points(card(*face))).sum();
                let mut strengths: Vec<u8> = play.iter().map(|face| ladder.strength(card(*face))).collect();
                strengths.sort_unstable_by(|a, b| b.cmp(a));
                (points, strengths)
            };
            let automatic = list(automatic_follow(&ladder, engine_lead, bag(&hand)).unwrap());
            assert!(legal.contains(&automatic));
            assert_eq!(smallness(&automatic), legal.iter().map(smallness).min().unwrap());
            for _ in 0..4 {
                let mut selected = hand.clone();
                rng.shuffle(&mut selected);
                selected.truncate(rng.below(lead.len() + 1));
                let completion = complete(&ladder, engine_lead, bag(&hand), bag(&selected));
                let possible = legal.iter().any(|play| bag(play).contains_all(bag(&selected)));
                assert_eq!(completion.play.is_some(), possible, "{model:?} {lead:?} {hand:?} {selected:?}");
                if let Some(play) = completion.play {
                    assert!(play.contains_all(bag(&selected)) && legal.contains(&list(play)));
                    assert_eq!(completion.missing.is_empty(), legal.contains(&sorted(selected)));
                }
            }
        }
    });
}

/// So many cards of a group from what is left, rich in pairs and runs; fewer if there are not enough.
fn chunky(rng: &mut Rng, model: Model, left: &mut Vec<Face>, group: u8, count: usize) -> Vec<Face> {
    let mut taken = Vec::new();
    let mut tries = 0;
    while taken.len() < count && tries < 60 {
        tries += 1;
        let here: Vec<Face> = left.iter().copied().filter(|card| model.group(*card) == group).collect();
        if here.is_empty() {
            break;
        }
        let start = here[rng.below(here.len())];
        let want = count - taken.len();
        let mut run: Vec<Face> = match rng.below(4) {
            0 => vec![start],
            1 => vec![start, start],
            _ => {
                let length = 2 + rng.below(2);
                let held = pairs(&here);
                (0..length)
                    .filter_map(|up| {
                        held.iter().find(|pair| {
                            usize::from(model.tier(**pair)) == usize::from(model.tier(start)) + up
                        })
                    })
                    .flat_map(|pair| [*pair, *pair])
                    .collect()
            }
        };
        run.truncate(want);
        let mut after = left.clone();
        let possible = run
            .iter()
            .all(|card| after.iter().position(|held| held == card).map(|at| after.remove(at)).is_some());
        if possible {
            *left = after;
            taken.extend(run);
        }
    }
    taken
}

fn whole_pack() -> Vec<Face> {
    faces().into_iter().flat_map(|face| [face, face]).collect()
}

#[test]
fn a_hundred_thousand_tricks_are_won_as_the_model_says() {
    on_two_threads(31, |rng| {
        let (mut tricks, mut overtaken, mut ruffed) = (0, 0, 0);
        while tricks < 50_000 {
            let (model, ladder) = random_ladder(rng);
            let mut left = whole_pack();
            let group = random_group(rng, model);
            let size = 1 + rng.below(9);
            let lead = chunky(rng, model, &mut left, group, size);
            let mut plays = vec![lead.clone()];
            for _ in 0..3 {
                let group = match rng.below(3) {
                    0 => random_group(rng, model),
                    1 => 4,
                    _ => group,
                };
                let mut play = chunky(rng, model, &mut left, group, lead.len());
                while play.len() < lead.len() {
                    play.push(left.swap_remove(rng.below(left.len())));
                }
                plays.push(play);
            }
            let bags: Vec<Bag> = plays.iter().map(|play| bag(play)).collect();
            let engine_lead = Lead::of(&ladder, bags[0]).unwrap();
            let found = winner(&ladder, &engine_lead, &bags);
            assert_eq!(found, model.winner(&plays), "{model:?} {bags:?}");
            tricks += 1;
            overtaken += i32::from(found > 0);
            ruffed += i32::from(found > 0 && model.group(plays[found][0]) != group);
            // Property 7: two later plays that do not win may change places.
            let later: Vec<usize> = (found + 1..4).collect();
            if let [.., one, other] = later.as_slice() {
                let mut swapped = bags.clone();
                swapped.swap(*one, *other);
                assert_eq!(winner(&ladder, &engine_lead, &swapped), found);
            }
        }
        assert!(overtaken > 10_000 && ruffed > 5_000, "{overtaken} overtaken, {ruffed} by a ruff");
    });
}

#[test]
fn twenty_thousand_throws_are_settled_as_the_model_says_at_every_level_and_trump() {
    on_two_threads(41, |rng| {
        let (mut failed, mut stood, mut kinds) = (0, 0, [0; 4]);
        let mut ladders = BTreeSet::new();
        while failed + stood < 10_000 {
            let (model, ladder) = random_ladder(rng);
            let mut left = whole_pack();
            let group = random_group(rng, model);
            // Strong throws stand more often.
            let strong = rng.below(3);
            if strong > 0 {
                left.retain(|card| {
                    model.group(*card) != group || usize::from(model.tier(*card)) > 4 * strong
                });
            }
            let size = 2 + rng.below(8);
            let thrown = chunky(rng, model, &mut left, group, size);
            if thrown.is_empty() {
                continue;
            }
            let others: Vec<Vec<Face>> = (0..3)
                .map(|_| {
                    let size = rng.below(7);
                    chunky(rng, model, &mut left, group, size)
                })
                .collect();
            let bags: Vec<Bag> = others.iter().map(|hand| bag(hand)).collect();
            let engine_group = ladder.single_group(bag(&thrown)).unwrap();
            let found = attempt(&ladder, engine_group, bag(&thrown), &bags);
            let expected = model.throw(&thrown, &others);
            ladders.insert((model.level, model.trump));
            let context = format!("{model:?} throws {} against {bags:?}", bag(&thrown));
            match &found {
                None => assert_eq!(expected.blocked_cards, 0, "{context}"),
                Some(blocked) => {
                    assert_eq!(blocked.cards(), expected.blocked_cards, "{context}");
                    let played: Vec<(u8, Vec<Face>)> =
                        blocked.stands().iter().map(|part| (part.kind as u8, list(part.cards))).collect();
                    assert_eq!(played, expected.played.into_iter().collect::<Vec<_>>(), "{context}");
                    kinds[played.len()] += 1;
                }
            }
            if decompose(&ladder, engine_group, bag(&thrown)).len() < 2 {
                continue;
            }
            if found.is_some() {
                failed += 1;
                continue;
            }
            stood += 1;
            // Property 6: after a throw that stands no play of the same group can win.
            let lead = Lead::of(&ladder, bag(&thrown)).unwrap();
            for hand in &others {
                let mut play = hand.clone();
                rng.shuffle(&mut play);
                play.truncate(thrown.len());
                if play.len() == thrown.len() {
                    assert_eq!(winner(&ladder, &lead, &[bag(&thrown), bag(&play)]), 0, "{context}");
                }
            }
        }
        assert_eq!(ladders.len(), 60);
        assert!(failed > 2_000 && stood > 1_000, "{failed} failed, {stood} stood");
        assert!(kinds[1] > 200 && kinds[2] > 200 && kinds[3] > 20, "{kinds:?}");
    });
}

/// Property 2b of section 5.3: what the compact form asks for is the best that any choice of cards can show.
#[test]
fn the_compact_form_asks_for_the_best_that_can_be_played() {
    let mut rng = Rng(51);
    for _ in 0..1_500 {
        let (model, _) = random_ladder(&mut rng);
        let (lead, hand) = lead_and_hand(&mut rng, model, 8);
        let group = model.group(lead[0]);
        let held: Vec<Face> = hand.iter().copied().filter(|card| model.group(*card) == group).collect();
        if held.len() <= lead.len() || held.len() > 14 {
            continue;
        }
        let tractors = model.tractors(&lead);
        let best = every_part(&held, lead.len())
            .into_iter()
            .map(|part| (model.f(group, &part, &tractors), pairs(&part).len().min(pairs(&lead).len())))
            .max()
            .unwrap();
        let owed = pairs(&lead).len().min(pairs(&held).len());
        assert_eq!(best, (model.f(group, &held, &tractors), owed), "{model:?} {lead:?} {held:?}");
    }
}

#[test]
fn other_groups_and_suit_names_never_matter() {
    let mut rng = Rng(61);
    for _ in 0..20_000 {
        let (model, ladder) = random_ladder(&mut rng);
        let (lead, hand) = lead_and_hand(&mut rng, model, 10);
        let play = play_to_judge(&mut rng, model, &ladder, &lead, &hand);
        let judge = |ladder: &Ladder, lead: &[Face], hand: &[Face], play: &[Face]| {
            let lead = Lead::of(ladder, bag(lead)).unwrap();
            Duty::of(ladder, lead, bag(hand)).check(ladder, bag(play)).is_ok()
        };
        let before = judge(&ladder, &lead, &hand, &play);
        // Property 3: more cards of other groups change nothing.
        let mut more = hand.clone();
        let held = bag(&hand);
        more.extend(faces().into_iter().filter(|face| {
            model.group(*face) != model.group(lead[0]) && held.count(card(*face)) < 2 && face.1 % 3 == 0
        }));
        assert_eq!(judge(&ladder, &lead, &more, &play), before);
        // Property 4: side suits, and in no trump all suits, may be renamed.
        let mut names: Vec<u8> = (0..4).filter(|suit| Some(*suit) != model.trump).collect();
        let old = names.clone();
        rng.shuffle(&mut names);
        let rename = |cards: &[Face]| -> Vec<Face> {
            cards
                .iter()
                .map(|(suit, rank)| match old.iter().position(|name| name == suit) {
                    Some(at) => (names[at], *rank),
                    None => (*suit, *rank),
                })
                .collect()
        };
        assert_eq!(judge(&ladder, &rename(&lead), &rename(&hand), &rename(&play)), before);
        let structure =
            |cards: &[Face]| Lead::of(&ladder, bag(cards)).map(|lead| (lead.count, lead.pairs, lead.runs));
        assert_eq!(structure(&lead), structure(&rename(&lead)));
        let plays = [bag(&lead), bag(&play)];
        let renamed = [bag(&rename(&lead)), bag(&rename(&play))];
        let win = |plays: &[Bag]| winner(&ladder, &Lead::of(&ladder, plays[0]).unwrap(), plays);
        assert_eq!(win(&plays), win(&renamed));
    }
}

#[test]
fn big_points_never_fall_when_small_points_rise() {
    for (name, _) in PRESETS {
        let table = BigPoints::preset(name).unwrap();
        for small in -200..2_000 {
            assert!(table.of(small) <= table.of(small + 1), "{name} at {small}");
        }
    }
}

/// A random lead of a hand: mostly small, sometimes a whole throw.
fn random_lead(rng: &mut Rng, ladder: &Ladder, hand: Bag) -> Bag {
    let cards: Vec<Card> = hand.cards().collect();
    let first = cards[rng.below(cards.len())];
    let mut same: Vec<Card> =
        cards.iter().copied().filter(|card| ladder.group(*card) == ladder.group(first)).collect();
    match rng.below(4) {
        0 => {
            rng.shuffle(&mut same);
            same.truncate(1 + rng.below(5));
            same.into_iter().collect()
        }
        1 => {
            let group = ladder.group(first);
            let parts = decompose(ladder, group, same.into_iter().collect());
            parts[rng.below(parts.len())].cards
        }
        2 => std::iter::repeat_n(first, usize::from(hand.count(first))).collect(),
        _ => Bag::from_iter([first]),
    }
}

/// One random decision of whoever must decide.
fn random_step(rng: &mut Rng, state: &mut State) -> Option<(Seat, Action)> {
    let waiting = Tuolaji::waiting_for(state);
    let decision = waiting.seats.iter().find_map(|seat| {
        let view = Tuolaji::view(state, Viewer::Seat(seat));
        let ladder = view.ladder();
        match (waiting.phase, ladder, view.lead()) {
            ("draw" | "window", _, _) => {
                if rng.percent(80) {
                    return None;
                }
                let calls: Vec<Action> = Tuolaji::options(&view).collect();
                (!calls.is_empty()).then(|| (seat, calls[rng.below(calls.len())].clone()))
            }
            ("play", Some(ladder), None) => {
                Some((seat, Action::Play(random_lead(rng, &ladder, view.hand?).into())))
            }
            ("play", Some(ladder), Some(lead)) => {
                let hand = view.hand?;
                let salt = rng.next();
                let play = Plays::following(&ladder, &Duty::of(&ladder, lead, hand), hand)
                    .ordered_by(|face| (salt ^ u64::from(face)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                    .next()?;
                Some((seat, Action::Play(play.into())))
            }
            ("lay-away", _, _) => {
                let mut cards: Vec<Card> = view.hand?.cards().collect();
                rng.shuffle(&mut cards);
                let away: Bag = cards.into_iter().take(8).collect();
                Some((seat, Action::LayAway(away.into())))
            }
            _ => Some((seat, Tuolaji::options(&view).next()?)),
        }
    });
    if let Some((seat, action)) = decision {
        let effect = Tuolaji::check(state, seat, &action).unwrap();
        Tuolaji::apply(state, effect);
        Some((seat, action))
    } else {
        let effect = Tuolaji::advance(state).expect("nobody decides, so the dealer does");
        Tuolaji::apply(state, effect);
        None
    }
}

fn shuffled(rng: &mut Rng) -> Vec<Card> {
    let mut order = Pack::TwoWithJokers.cards();
    rng.shuffle(&mut order);
    order
}

#[test]
fn ten_thousand_random_deals_conserve_cards_and_points() {
    let rules = zhuhai();
    let mut pack = Pack::TwoWithJokers.cards();
    pack.sort_unstable();
    on_two_threads(71, |rng| {
        let (mut captured, mut penalised, mut choices) = (0, 0, 0);
        for number in 1..=5_000 {
            let start = deal_board::<Tuolaji>(&rules, number, &shuffled(rng)).unwrap();
            let banker = start.banker;
            let mut state = Tuolaji::open(&rules, &start);
            let mut tricks = 0;
            let mut actions = Vec::new();
            while !Tuolaji::finished(&state) {
                actions.extend(random_step(rng, &mut state));
                choices += i32::from(Tuolaji::waiting_for(&state).phase == "choose");
                let outcome = Tuolaji::outcome(&state);
                if outcome.tricks.len() != tricks || Tuolaji::waiting_for(&state).phase == "lay-away" {
                    tricks = outcome.tricks.len();
                    let mut cards = state.cards();
                    cards.sort_unstable();
                    assert_eq!(cards, pack);
                }
            }
            let outcome = Tuolaji::outcome(&state);
            let view = Tuolaji::view(&state, Viewer::Public);
            let in_tricks: i64 = outcome.tricks.iter().map(|trick| i64::from(trick.points)).sum();
            assert_eq!(in_tricks + outcome.bottom.unwrap(), 200);
            let defender = |name: &str| Tuolaji::seat_named(name).unwrap().0 % 2 != banker.0 % 2;
            let won: i64 = outcome
                .tricks
                .iter()
                .filter(|trick| defender(trick.winner))
                .map(|trick| i64::from(trick.points))
                .sum();
            let multiplier = outcome.multiplier.unwrap();
            assert_eq!(outcome.small, won + view.penalties + outcome.bottom.unwrap() * multiplier);
            assert_eq!(multiplier > 0, defender(outcome.tricks.last().unwrap().winner));
            let scores = Tuolaji::scores(&state);
            assert_eq!(scores.iter().sum::<i64>(), 0);
            assert_eq!((scores[0], scores[1]), (scores[2], scores[3]));
            captured += i32::from(multiplier > 2);
            penalised += i32::from(view.penalties != 0);
            if number % 10 == 0 {
                replays(&rules, &start, &actions, &state);
            }
        }
        assert!(captured > 100 && penalised > 1_000 && choices > 500, "{captured} {penalised} {choices}");
    });
}

/// Property 10: the record of a board gives the same board again, whatever the order in which cards are named.
fn replays(
    rules: &Arc<<Tuolaji as Game>::Rules>,
    start: &Start,
    actions: &[(Seat, Action)],
    expected: &State,
) {
    let mut again = Tuolaji::open(rules, start);
    for (seat, action) in actions {
        let mut text = Tuolaji::write_action(action);
        let mut words: Vec<&str> = text.text.split(' ').collect();
        words[1..].reverse();
        text.text = words.join(" ");
        let action = Tuolaji::read_action(&text).unwrap();
        let effect = Tuolaji::check(&again, *seat, &action).unwrap();
        Tuolaji::apply(&mut again, effect);
    }
    assert_eq!(Tuolaji::outcome(&again), Tuolaji::outcome(expected));
    for viewer in [Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(3))] {
        assert_eq!(Tuolaji::view(&again, viewer), Tuolaji::view(expected, viewer));
    }
}

/// Property 10: two deals that agree on what a seat has seen give that seat the same view, byte for byte. The hidden
/// cards of two other seats are exchanged and the same actions played as far as they go.
#[test]
fn hidden_cards_never_show_in_a_view() {
    let rules = zhuhai();
    let mut rng = Rng(81);
    let mut compared = 0;
    for number in 1..=400 {
        let order = shuffled(&mut rng);
        let start = deal_board::<Tuolaji>(&rules, number, &order).unwrap();
        let stop = 1 + rng.below(230);
        let mut state = Tuolaji::open(&rules, &start);
        let mut steps = Vec::new();
        for _ in 0..stop {
            if Tuolaji::finished(&state) {
                break;
            }
            steps.push(random_step(&mut rng, &mut state));
        }
        // Cards that two seats both still hold, or have not drawn yet, change places.
        let one = Seat(u8::try_from(rng.below(4)).unwrap());
        let other = Seat((one.0 + 1 + u8::try_from(rng.below(3)).unwrap()) % 4);
        let held = |seat: Seat| Tuolaji::view(&state, Viewer::Seat(seat)).hand.unwrap();
        let (mine, theirs) = (held(one), held(other));
        let place = |seat: Seat, wanted: Bag| {
            (0..100).find(|index| {
                (usize::from(start.banker.0) + index) % 4 == seat.index() && wanted.count(order[*index]) == 1
            })
        };
        let (Some(from), Some(to)) = (place(one, mine), place(other, theirs)) else { continue };
        let mut exchanged = order.clone();
        exchanged.swap(from, to);
        let start = Start { cards: StartCards::Draw(exchanged.into()), ..start };
        let mut twin = Tuolaji::open(&rules, &start);
        let possible = steps.iter().all(|step| {
            let effect = match step {
                Some((seat, action)) => match Tuolaji::check(&twin, *seat, action) {
                    Ok(effect) => effect,
                    Err(_) => return false,
                },
                None => match Tuolaji::advance(&twin) {
                    Some(effect) => effect,
                    None => return false,
                },
            };
            Tuolaji::apply(&mut twin, effect);
            true
        });
        if !possible || Tuolaji::outcome(&twin).small != Tuolaji::outcome(&state).small {
            continue;
        }
        for viewer in [Viewer::Public]
            .into_iter()
            .chain((0..4).map(Seat).filter(|seat| *seat != one && *seat != other).map(Viewer::Seat))
        {
            let text = |state: &State| serde_json::to_string(&Tuolaji::view(state, viewer)).unwrap();
            assert_eq!(text(&state), text(&twin));
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}
