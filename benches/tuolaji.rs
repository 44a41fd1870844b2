//! Tuolaji (goal P9): the follow check over random two-deck throws, mean and worst, and random boards per second on
//! one core through the same interface as everything else. `cargo bench --bench tuolaji`.
//!
//! "Worst" is the greatest median of nine single measurements of one case, so that an interrupt of the machine is not
//! taken for the engine's; the worst single measurement is printed beside it.

#![allow(clippy::expect_used)] // a bench that cannot go on must stop

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fushi::cards::{Card, Suit};
use fushi::games::tuolaji::Tuolaji;
use fushi::games::tuolaji::action::Action;
use fushi::games::tuolaji::bag::Bag;
use fushi::games::tuolaji::follow::Duty;
use fushi::games::tuolaji::ladder::{Ladder, Level, Trump};
use fushi::games::tuolaji::plays::Plays;
use fushi::games::tuolaji::shape::{Lead, decompose};
use fushi::games::tuolaji::view::Offer;
use fushi::games::{Game, Seat, board_setup, rulesets};

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    #[allow(clippy::cast_possible_truncation)] // below `n`
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A lead, a hand of 25 and a play of it.
struct Case {
    ladder: Ladder,
    lead: Bag,
    hand: Bag,
    play: Bag,
}

/// A random throw of up to 18 cards of one group and a hand of 25, both rich in pairs, from the same two packs.
fn case(random: &mut Random) -> Case {
    let level = Level::ALL[random.below(12)];
    let trump = Suit::ALL.get(random.below(5)).map_or(Trump::None, |suit| Trump::Suit(*suit));
    let ladder = Ladder::new(level, trump);
    let groups: Vec<_> = ladder.groups().collect();
    let group =
        if random.below(2) == 0 { groups[groups.len() - 1] } else { groups[random.below(groups.len())] };
    let mut faces: Vec<Card> = (0..Card::FACES).filter_map(Card::from_index).collect();
    random.shuffle(&mut faces);
    let (mut lead, mut hand) = (Bag::EMPTY, Bag::EMPTY);
    let most = 1 + random.below(18);
    let share = 1 + random.below(4);
    for card in faces.iter().copied().filter(|card| ladder.group(*card) == group) {
        let copies = if random.below(3) > 0 { 2 } else { 1 };
        let to = if random.below(4) < share && lead.len() < most { &mut lead } else { &mut hand };
        for _ in 0..copies {
            if to.len() < 25 {
                to.add(card);
            }
        }
    }
    let rest: Vec<Card> = faces.into_iter().filter(|card| ladder.group(*card) != group).collect();
    for card in rest {
        if hand.len() < 25 {
            hand.add(card);
        }
    }
    if lead.is_empty() {
        return self::case(random);
    }
    let owed = Lead::of(&ladder, lead).expect("one group");
    let salt = random.next();
    let play = Plays::following(&ladder, &Duty::of(&ladder, owed, hand), hand)
        .ordered_by(|face| (salt ^ u64::from(face)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .next()
        .expect("a hand can always follow");
    Case { ladder, lead, hand, play }
}

/// The whole check as `Game::check` does it once the cards are known to be held: structure of the lead, what the hand
/// owes, whether the play pays it.
fn follow(case: &Case) -> bool {
    let lead = Lead::of(&case.ladder, case.lead).expect("one group");
    Duty::of(&case.ladder, lead, case.hand).check(&case.ladder, case.play).is_ok()
}

fn follow_checks() {
    let mut random = Random(9);
    let cases: Vec<Case> = (0..20_000).map(|_| case(&mut random)).collect();
    for case in &cases {
        black_box(follow(black_box(case)));
    }
    let begun = Instant::now();
    let rounds = 20_u32;
    for _ in 0..rounds {
        for case in &cases {
            black_box(follow(black_box(case)));
        }
    }
    let mean = begun.elapsed() / rounds / u32::try_from(cases.len()).expect("20,000");
    // The median of repeated single measurements of a case: an interrupt of the machine is not the engine's.
    let mut worst = Duration::ZERO;
    let mut single = Duration::ZERO;
    for case in &cases {
        let mut times = [Duration::ZERO; 9];
        for time in &mut times {
            let begun = Instant::now();
            black_box(follow(black_box(case)));
            *time = begun.elapsed();
        }
        times.sort_unstable();
        worst = worst.max(times[4]);
        single = single.max(times[8]);
    }
    let several = cases
        .iter()
        .filter(|case| Lead::of(&case.ladder, case.lead).is_some_and(|lead| lead.runs.iter().count() > 1))
        .count();
    println!("follow check over 20,000 random throws ({several} with several tractors):");
    println!("  mean {mean:?} (goal 2µs), worst {worst:?} (goal 50µs), worst single measurement {single:?}");
}

/// A random decision of the seat whose turn it is.
fn decide(state: &<Tuolaji as Game>::State, seat: Seat, random: &mut Random) -> Option<Action> {
    match state.offer(seat) {
        Offer::Lead(ladder, hand) => {
            let cards: Vec<Card> = hand.cards().collect();
            let group = ladder.group(cards[random.below(cards.len())]);
            let parts = decompose(&ladder, group, hand);
            Some(Action::Play(parts[random.below(parts.len())].cards.into()))
        }
        Offer::Follow(ladder, lead, hand) => {
            let salt = random.next();
            let duty = Duty::of(&ladder, lead, hand);
            let play = Plays::following(&ladder, &duty, hand)
                .ordered_by(|face| (salt ^ u64::from(face)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .next()?;
            Some(Action::Play(play.into()))
        }
        Offer::LayAway(_, hand) => {
            let mut cards: Vec<Card> = hand.cards().collect();
            random.shuffle(&mut cards);
            let away: Bag = cards.into_iter().take(8).collect();
            Some(Action::LayAway(away.into()))
        }
        other => other.actions().next(),
    }
}

fn boards() {
    let rules: Arc<_> = rulesets::default::<Tuolaji>().expect("a shipped ruleset");
    let mut random = Random(1);
    let mut pack = Tuolaji::PACK.cards();
    let (mut boards, mut actions, mut small) = (0_u32, 0_u64, 0_i64);
    let setups = Tuolaji::setups(&rules);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(3) {
        random.shuffle(&mut pack);
        let setup = board_setup(&setups, boards + 1);
        let start = Tuolaji::deal(&rules, setup, &pack).expect("a shuffled pack");
        let mut state = Tuolaji::open(&rules, &start);
        while !Tuolaji::finished(&state) {
            if let Some(effect) = Tuolaji::advance(&state) {
                Tuolaji::apply(&mut state, effect);
                continue;
            }
            let seat = Tuolaji::waiting_for(&state).seats.iter().next().expect("somebody is to act");
            let action = decide(&state, seat, &mut random).expect("something can be done");
            let effect = Tuolaji::check(&state, seat, &action).expect("a legal action");
            Tuolaji::apply(&mut state, effect);
            actions += 1;
        }
        small += Tuolaji::outcome(&state).small;
        boards += 1;
    }
    let millis = begun.elapsed().as_millis().max(1);
    println!(
        "random boards: {} boards/s, {} actions/s (small points {small} in {boards} boards)",
        u128::from(boards) * 1000 / millis,
        u128::from(actions) * 1000 / millis
    );
}

fn main() {
    follow_checks();
    boards();
}
