//! Goal P8: random hands played per second at 2, 6 and 9 seats ÷ those of the arena of `rs_poker` 5.0.0, in one run,
//! both sides taking turns.
//!
//! Shared machines make absolute numbers meaningless; only the ratios count. Both sides shuffle, deal, bet and settle
//! whole hands under the same settings with the same random player: facing a bet it folds 15 times in 100, else it
//! calls or checks half of the time and bets or raises the rest, up to what the table could put in after a bet of the
//! pot. Our side goes through the public interface of the game with every check on, and counts the chips of each hand;
//! a million hands and more go by, so this is also where chips are shown to be conserved in a million random hands.

// A bench that cannot go on says so by panicking.
#![allow(clippy::expect_used, reason = "no input but its own")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fushi::cards::Card;
use fushi::games::holdem::{Action, Holdem, Rules};
use fushi::games::{Game, Setup, board_setup, rulesets};
use serde_json::json;

const STACK: u64 = 100_000;
const BLINDS: [u64; 2] = [250, 500];
const ANTE: u64 = 50;
const ROUNDS: usize = 100;
const OUR_HANDS: u32 = 4_000;
const THEIR_HANDS: u32 = 400;

fn main() {
    println!("P8: random hands played, fushi ÷ the arena of rs_poker 5.0.0 (goal ≥ 1.2)");
    let mut played = 0;
    let mut arena = Arena::start();
    for seats in [2, 6, 9] {
        played += compare(seats, &mut arena);
    }
    println!("chips conserved in {played} random hands");
}

/// Both sides take turns; each counts with its median round, so that other programs on the machine disturb neither.
#[allow(clippy::cast_precision_loss, reason = "numbers to read")]
fn compare(seats: u8, arena: &mut Arena) -> u64 {
    let mut table = Table::new(seats);
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        for side in [round % 2, (round + 1) % 2] {
            times[side].push(if side == 0 {
                let start = Instant::now();
                for _ in 0..OUR_HANDS {
                    table.play();
                }
                start.elapsed() / OUR_HANDS
            } else {
                arena.play(seats, THEIR_HANDS) / THEIR_HANDS
            });
        }
    }
    let [ours, theirs] = times.map(median);
    let rate = |time: Duration| 1.0 / time.as_secs_f64();
    println!(
        "  {seats} seats: ours {:>9.0} hands/s, theirs {:>9.0} hands/s, ratio {:.2}; {:.1} actions a hand",
        rate(ours),
        rate(theirs),
        theirs.as_secs_f64() / ours.as_secs_f64(),
        table.actions as f64 / table.hands as f64,
    );
    table.hands
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

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

    #[allow(clippy::cast_possible_truncation, reason = "below the limit")]
    fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }
}

struct Table {
    rules: Arc<Rules>,
    setups: Vec<Setup>,
    pack: Vec<Card>,
    random: Random,
    number: u32,
    hands: u64,
    actions: u64,
}

impl Table {
    fn new(seats: u8) -> Table {
        let rules = json!({"base": "tda-2024", "duplicate": {"seats": seats, "stack": STACK, "small_blind": BLINDS[0],
            "big_blind": BLINDS[1], "ante_kind": "all", "ante": ANTE, "unit": 1}});
        let rules =
            rulesets::overridden::<Holdem>(rules.as_object().expect("an object")).expect("sound rules");
        let setups = Holdem::setups(&rules);
        Table {
            rules,
            setups,
            pack: Holdem::PACK.cards(),
            random: Random(7),
            number: 0,
            hands: 0,
            actions: 0,
        }
    }

    fn play(&mut self) {
        for last in (1..self.pack.len()).rev() {
            let other = usize::try_from(self.random.below(last as u64 + 1)).expect("below 52");
            self.pack.swap(last, other);
        }
        self.number += 1;
        let setup = board_setup(&self.setups, self.number);
        let start = Holdem::deal(&self.rules, setup, &self.pack).expect("a shuffled pack");
        let mut state = Holdem::open(&self.rules, &start);
        while let Some(seat) = Holdem::waiting_for(&state).seats.iter().next() {
            let bounds = Holdem::bounds(&state, seat).expect("the seat is on turn");
            let chance = self.random.below(200);
            let action = match bounds.raise {
                _ if bounds.call > 0 && chance < 30 => Action::Fold,
                Some((min, max)) if chance % 2 == 1 => {
                    let (pot, pending) = Holdem::at_stake(&state);
                    let to = min + self.random.below((pot * (pending + 1)).clamp(min, max) - min + 1);
                    if Holdem::bet_is_open(&state) { Action::Raise(to) } else { Action::Bet(to) }
                }
                _ if bounds.call > 0 => Action::Call,
                _ => Action::Check,
            };
            let effect = Holdem::check(&state, seat, &action).expect("within the bounds");
            Holdem::apply(&mut state, effect);
            self.actions += 1;
        }
        assert!(Holdem::finished(&state));
        assert_eq!(Holdem::scores(&state).iter().sum::<i64>(), 0, "chips appeared or vanished");
        self.hands += 1;
    }
}

/// The other side: a program of its own, `benches/arena`.
struct Arena {
    program: Child,
    answers: BufReader<ChildStdout>,
}

impl Arena {
    fn start() -> Arena {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/arena/Cargo.toml");
        let mut program = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--release", "--locked", "--manifest-path", manifest])
            .args(["--target-dir", concat!(env!("CARGO_MANIFEST_DIR"), "/target/arena")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("cargo builds the other side");
        let answers = BufReader::new(program.stdout.take().expect("it is piped"));
        Arena { program, answers }
    }

    fn play(&mut self, seats: u8, hands: u32) -> Duration {
        let [small, big] = BLINDS;
        let orders = self.program.stdin.as_mut().expect("it is piped");
        writeln!(orders, "{seats} {hands} {STACK} {small} {big} {ANTE}").expect("the other side listens");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("the other side answers");
        Duration::from_nanos(answer.trim().parse().expect("the other side answers a number"))
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        drop(self.program.stdin.take());
        let _ = self.program.wait();
    }
}
