//! Random boards of wakeng per second on one core (goal P10), through the same interface as everything else: open,
//! list, choose, check, apply, score. `cargo bench --bench wakeng`.
//!
//! The shuffle and the choices come from a plain generator that is part of the measured loop; boards are counted
//! with every action of showing, bidding and doubling in them.

#![allow(clippy::expect_used)] // a bench that cannot go on must stop

use std::sync::Arc;
use std::time::{Duration, Instant};

use fushi::cards::Card;
use fushi::games::wakeng::Wakeng;
use fushi::games::{Game, deal_board, rulesets};

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
}

/// Plays a random board; actions and the banker's score.
fn play(rules: &Arc<<Wakeng as Game>::Rules>, pack: &mut [Card], random: &mut Random) -> (u64, i64) {
    for last in (1..pack.len()).rev() {
        pack.swap(last, random.below(last + 1));
    }
    let mut state = Wakeng::open(rules, &deal_board::<Wakeng>(rules, 1, pack).expect("a shuffled pack"));
    let mut actions = 0;
    while let Some(seat) = Wakeng::waiting_for(&state).seats.iter().next() {
        let mut options = state.options(seat);
        let choices = options.clone().count();
        let action = options.nth(random.below(choices)).expect("below the count");
        let effect = Wakeng::check(&state, seat, &action).expect("a legal action");
        Wakeng::apply(&mut state, effect);
        actions += 1;
    }
    (actions, state.scores()[0])
}

/// Time this thread has been on a processor, where the system tells it (Linux): the machine may be shared.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn main() {
    for (name, _) in Wakeng::RULESETS {
        let rules = rulesets::shipped::<Wakeng>(name).expect("a shipped ruleset");
        let mut pack = Wakeng::PACK.cards();
        let mut random = Random(1);
        for _ in 0..1_000 {
            play(&rules, &mut pack, &mut random);
        }
        let (mut boards, mut actions, mut scores) = (0_u64, 0_u64, 0_i64);
        let (begun, processor) = (Instant::now(), on_processor());
        while begun.elapsed() < Duration::from_secs(2) {
            for _ in 0..256 {
                let (more, score) = play(&rules, &mut pack, &mut random);
                boards += 1;
                actions += more;
                scores = scores.wrapping_add(score);
            }
        }
        let wall = begun.elapsed();
        let used = on_processor().zip(processor).map_or(wall, |(now, before)| now.saturating_sub(before));
        let rate = |time: Duration| u128::from(boards) * 1_000_000_000 / time.as_nanos();
        println!(
            "{name}: {} boards per second of one core ({} by the clock), {} actions per board, {} ns per action \
             (check sum {scores})",
            rate(used),
            rate(wall),
            actions / boards,
            used.as_nanos() / u128::from(actions)
        );
    }
}
