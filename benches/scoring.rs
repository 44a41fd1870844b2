//! Ranking and cross-tabulation of 10,000 entrants × 64 boards, from raw scores, against the same in `NumPy`.
//!
//! Both sides start from raw scores in memory, `NumPy` from a matrix, this side from an event that was loaded with
//! results, and end with averages, the order of the entrants, and a cross-tabulation of scores and rates in that
//! order. A second ratio counts the loading, the registration of every name included, which has no counterpart on the
//! other side. They take turns in one run, because only ratios from one run mean anything. `FUSHI_NUMPY` names the Python to use (default `python3`); without `NumPy` the
//! other side is left out. A second part measures how long one ruling takes to re-rank the event.

// A bench that cannot go on says so by panicking.
#![allow(clippy::expect_used)]

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use fushi::scoring::{Entry, Event, Exact, Rules};

const ENTRANTS: usize = 10_000;
const BOARDS: usize = 64;
const ROUNDS: usize = 15;

/// The same simple generator as in the script: a linear congruence, its upper bits.
fn scores(kind: &str) -> Vec<i64> {
    let mut state = 20_260_101u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((state >> 33) % below).unwrap_or(0)
    };
    // Wakeng scores are few (±3 · 2^n); chips are spread over millions.
    let wakeng = [-48, -24, -12, -6, -3, 3, 6, 12, 24, 48, 96];
    (0..ENTRANTS * BOARDS)
        .map(|_| match kind {
            "wakeng" => wakeng[usize::try_from(next(11)).unwrap_or(0)],
            _ => next(4_000_000) - 2_000_000,
        })
        .collect()
}

fn build(names: &[String], boards: &[String], scores: &[i64]) -> Event {
    let mut event = Event::new(Rules::default());
    let entrants: Vec<_> = names.iter().map(|name| event.register(name)).collect();
    for (at, board) in boards.iter().enumerate() {
        let column = scores[at * ENTRANTS..(at + 1) * ENTRANTS].iter();
        let results = entrants.iter().zip(column).map(|(entrant, score)| (*entrant, Entry::played(*score)));
        event.add_group(board, "A", results).expect("each entrant once");
    }
    event
}

/// Everything from raw scores to the cross-tabulation, which stands in memory when it is done: seconds without and
/// with loading the event.
fn ours(names: &[String], boards: &[String], scores: &[i64]) -> (f64, f64) {
    let begun = Instant::now();
    let mut event = build(names, boards, scores);
    let loaded = Instant::now();
    {
        let settled = event.settle();
        let table = settled.cross_tab();
        black_box(&table.numbers());
    }
    let ranked = loaded.elapsed();
    drop(event);
    (ranked.as_secs_f64(), begun.elapsed().as_secs_f64())
}

/// What was computed: the number of cells and the best average.
fn look(names: &[String], boards: &[String], scores: &[i64]) -> (usize, Exact) {
    let mut event = build(names, boards, scores);
    let settled = event.settle();
    let table = settled.cross_tab();
    let numbers = table.numbers();
    let mut cells = 0;
    for n in 0..names.len() {
        assert!(numbers.cells(n).eq(table.cells(n)), "the table agrees with the event");
        cells += numbers.cells(n).count();
    }
    (cells, settled.ranking().rows[0].average.clone().expect("everybody played"))
}

struct Numpy {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Numpy {
    fn start(kind: &str) -> Option<Numpy> {
        let python = std::env::var("FUSHI_NUMPY").unwrap_or_else(|_| "python3".to_owned());
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/scoring_numpy.py");
        let mut child = Command::new(python)
            .args([script, kind, &ENTRANTS.to_string(), &BOARDS.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let input = child.stdin.take()?;
        let output = BufReader::new(child.stdout.take()?);
        let mut numpy = Numpy { child, input, output };
        numpy.line().filter(|line| line == "ready").map(|_| numpy)
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        self.output.read_line(&mut line).ok().filter(|read| *read > 0)?;
        Some(line.trim().to_owned())
    }

    /// One round: seconds of each variant, and the best average.
    fn round(&mut self) -> Option<(Vec<f64>, f64)> {
        writeln!(self.input, "go").ok()?;
        let line = self.line()?;
        let mut numbers = line.split(' ').filter_map(|number| number.parse::<f64>().ok());
        let best = numbers.next()?;
        Some((numbers.collect(), best))
    }
}

impl Drop for Numpy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    // `cargo test --benches` and the like only want to know that it builds and runs.
    let rounds = if std::env::args().any(|argument| argument == "--test") { 1 } else { ROUNDS };
    let names: Vec<String> = (0..ENTRANTS).map(|n| format!("entrant {n:05}")).collect();
    let boards: Vec<String> = (1..=BOARDS).map(|n| n.to_string()).collect();
    for kind in ["wakeng", "chips"] {
        let scores = scores(kind);
        let mut numpy = Numpy::start(kind);
        let (cells, best) = look(&names, &boards, &scores);
        assert_eq!(cells, ENTRANTS * BOARDS);
        let (mut own, mut whole) = (Vec::new(), Vec::new());
        let mut theirs: Vec<Vec<f64>> = Vec::new();
        for _ in 0..rounds {
            let (ranked, with_loading) = ours(&names, &boards, black_box(&scores));
            own.push(ranked);
            whole.push(with_loading);
            if let Some((times, average)) = numpy.as_mut().and_then(Numpy::round) {
                assert!(
                    (best.display_f64() - average).abs() < 1e-9,
                    "both sides find the same winner's average"
                );
                theirs.push(times);
            }
        }
        let (own, whole) = (median(&mut own), median(&mut whole));
        println!(
            "{kind}: rank and cross-tabulate {ENTRANTS} × {BOARDS}: {:.1} ms, with loading {:.1} ms",
            own * 1e3,
            whole * 1e3
        );
        for (variant, name) in ["sort and search", "argsort", "unique", "bincount"].iter().enumerate() {
            let mut times: Vec<f64> = theirs.iter().filter_map(|round| round.get(variant).copied()).collect();
            if times.is_empty() {
                println!("{kind}: NumPy is not there: no ratio");
                break;
            }
            let time = median(&mut times);
            if time <= 0.0 {
                continue;
            }
            println!(
                "{kind}: NumPy ({name}): {:.1} ms, ratio {:.2}, with loading {:.2}",
                time * 1e3,
                time / own,
                time / whole
            );
        }
        one_ruling(kind, &names, &boards, &scores, rounds);
    }
}

/// One changed result: the group scored again, everybody ranked again.
fn one_ruling(kind: &str, names: &[String], boards: &[String], scores: &[i64], rounds: usize) {
    let mut event = build(names, boards, scores);
    event.settle();
    let mut times = Vec::new();
    for round in 0..rounds * 5 {
        let entrant = &names[(round * 7919) % names.len()];
        let board = &boards[round % boards.len()];
        let begun = Instant::now();
        event
            .put(board, "A", entrant, Entry::played(i64::try_from(round).unwrap_or(0)))
            .expect("a plain result");
        black_box(event.settle().ranking().rows.len());
        times.push(begun.elapsed().as_secs_f64());
    }
    println!(
        "{kind}: one ruling re-ranks in {:?} (worst {:?})",
        Duration::from_secs_f64(median(&mut times)),
        Duration::from_secs_f64(times.last().copied().unwrap_or(0.0))
    );
}
