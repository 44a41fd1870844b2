//! Plays random hands in the arena of `rs_poker` for the benchmark `holdem` (goal P8).
//!
//! Reads lines `SEATS HANDS STACK SMALL BIG ANTE` and answers each with the nanoseconds that the hands took.

use std::hint::black_box;
use std::io::{BufRead, Write};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use rs_poker::arena::agent::RandomAgent;
use rs_poker::arena::{Agent, GameStateBuilder, HoldemSimulationBuilder};

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("the benchmark writes lines");
        let numbers: Vec<u32> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
        let &[seats, hands, stack, small, big, ante] = numbers.as_slice() else { panic!("six numbers: {line}") };
        let start = Instant::now();
        for _ in 0..hands {
            black_box(hand(seats as usize, stack as f32, [small as f32, big as f32], ante as f32));
        }
        writeln!(out, "{}", start.elapsed().as_nanos()).expect("the benchmark reads");
        out.flush().expect("the benchmark reads");
    }
}

fn hand(seats: usize, stack: f32, [small, big]: [f32; 2], ante: f32) -> f32 {
    let game_state = GameStateBuilder::new()
        .num_players_with_stack(seats, stack)
        .blinds(big, small)
        .ante(ante)
        .build()
        .expect("a sound table");
    let agents: Vec<Box<dyn Agent>> = (0..seats)
        .map(|_| -> Box<dyn Agent> { Box::new(RandomAgent::new(String::new(), vec![0.15], vec![0.5])) })
        .collect();
    let mut simulation = HoldemSimulationBuilder::default()
        .game_state(game_state)
        .agents(agents)
        .build()
        .expect("a sound table");
    finish(simulation.run());
    simulation.game_state.total_pot
}

/// A simulation never waits for anything: polling it goes through to the end.
fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
