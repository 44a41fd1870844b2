//! What happened: counts, latencies and violations of one run.

use std::collections::BTreeSet;

use serde::Serialize;

/// How many violations are kept as texts; all are counted.
const KEPT: usize = 100;

/// Counts of a run in progress.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Boards finished, by their number at their table.
    pub boards: BTreeSet<u64>,
    /// Actions accepted.
    pub actions: u64,
    /// Commands refused.
    pub refused: u64,
    /// Connections made again.
    pub reconnects: u64,
    /// Messages received.
    pub messages: u64,
    /// Players connected now.
    pub connected: u64,
    /// Players whose event is over.
    pub ended: u64,
    /// Violations of the protocol or the rules.
    pub violations: u64,
    /// The first of them, in words.
    pub told: Vec<String>,
    /// Players who could not go on.
    pub failed: u64,
    /// Why the first of them could not.
    pub failure: Option<String>,
    /// µs from the sending of each accepted action to its answer.
    latencies: Vec<u32>,
}

impl Tally {
    /// Counts a violation; `true` while they are few enough to be printed.
    pub fn violation(&mut self, text: String) -> bool {
        self.violations += 1;
        let few = self.told.len() < KEPT;
        if few {
            self.told.push(text);
        }
        few
    }

    /// Counts a player that cannot go on.
    pub fn failure(&mut self, text: String) {
        self.failed += 1;
        self.failure.get_or_insert(text);
    }

    /// Counts an accepted action and how long its answer took, where that was measured.
    pub fn accepted(&mut self, micros: Option<u64>) {
        self.actions += 1;
        self.latencies.extend(micros.map(|micros| u32::try_from(micros).unwrap_or(u32::MAX)));
    }

    /// The sums of a run that took so many milliseconds.
    #[must_use]
    pub fn report(&self, elapsed_ms: u64) -> Report {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        let at = |per_cent: usize| {
            let place = (sorted.len() * per_cent).div_ceil(100).saturating_sub(1);
            sorted.get(place).copied().unwrap_or_default()
        };
        Report {
            boards: self.boards.len() as u64,
            actions: self.actions,
            refused: self.refused,
            reconnects: self.reconnects,
            messages: self.messages,
            violations: self.violations,
            failed: self.failed,
            elapsed_ms,
            actions_per_s: self.actions.saturating_mul(1000).checked_div(elapsed_ms).unwrap_or_default(),
            latency_us: Latency { p50: at(50), p90: at(90), p99: at(99), max: at(100) },
        }
    }
}

/// What `fushi play --format json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Different boards that were played to their end.
    pub boards: u64,
    /// Actions accepted.
    pub actions: u64,
    /// Commands refused.
    pub refused: u64,
    /// Connections made again.
    pub reconnects: u64,
    /// Messages received.
    pub messages: u64,
    /// Violations of the protocol or the rules.
    pub violations: u64,
    /// Players who could not go on.
    pub failed: u64,
    /// How long it took, ms.
    pub elapsed_ms: u64,
    /// Accepted actions per second, rounded down.
    pub actions_per_s: u64,
    /// From the sending of an action to its acceptance, µs.
    pub latency_us: Latency,
}

/// Percentiles of a latency in µs; 0 where nothing was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// Half are at most this.
    pub p50: u32,
    /// Nine of ten are at most this.
    pub p90: u32,
    /// Ninety-nine of a hundred are at most this.
    pub p99: u32,
    /// The longest.
    pub max: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_the_least_values_that_so_many_do_not_exceed() {
        let mut tally = Tally::default();
        assert_eq!(tally.report(0).latency_us, Latency { p50: 0, p90: 0, p99: 0, max: 0 });
        for micros in (1..=200).rev() {
            tally.accepted(Some(micros));
        }
        tally.accepted(None);
        let report = tally.report(2_000);
        assert_eq!(report.latency_us, Latency { p50: 100, p90: 180, p99: 198, max: 200 });
        assert_eq!((report.actions, report.actions_per_s), (201, 100));
    }
}
