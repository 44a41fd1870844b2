//! Publications of the results: what a revision says, and how it differs from the one before.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::bundle::model::{Change, ResultState, Revision, Signed, signed_text};
use super::sign::{Purpose, Signer};
use crate::canonical::section_line;
use crate::formats::Competition;
use crate::formats::tally::{Tally, TallyFault};

fn value<T: Serialize>(line: &T) -> Value {
    // Lines hold texts and integers only.
    serde_json::to_value(line).unwrap_or_default()
}

/// Every result and every line of the standings that differs between two tallies, results first, each in order.
#[must_use]
pub fn changes(before: Option<&Tally>, after: &Tally) -> Vec<Change> {
    let Some(before) = before else { return Vec::new() };
    let key = |board: u32, seat: &str, entrant: &str| (board, seat.to_owned(), entrant.to_owned());
    let results = |tally: &Tally| -> BTreeMap<(u32, String, String), Value> {
        tally.results.iter().map(|line| (key(line.board, &line.seat, &line.entrant), value(line))).collect()
    };
    let standings = |tally: &Tally| -> BTreeMap<String, Value> {
        tally.standings.iter().map(|line| (line.entrant.clone(), value(line))).collect()
    };
    let mut changes = Vec::new();
    differences(&results(before), &results(after), |(board, _, entrant), before, after| {
        changes.push(Change { entrant: entrant.clone(), board: Some(*board), before, after });
    });
    differences(&standings(before), &standings(after), |entrant, before, after| {
        changes.push(Change { entrant: entrant.clone(), board: None, before, after });
    });
    changes
}

fn differences<K: Ord>(
    before: &BTreeMap<K, Value>,
    after: &BTreeMap<K, Value>,
    mut found: impl FnMut(&K, Option<Value>, Option<Value>),
) {
    let mut keys: Vec<&K> = before.keys().chain(after.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        let (old, new) = (before.get(key), after.get(key));
        if old != new {
            found(key, old.cloned(), new.cloned());
        }
    }
}

/// A body signed by the server.
#[must_use]
pub fn signed<T: Serialize>(signer: &Signer, purpose: Purpose, body: T) -> Signed<T> {
    let signature = hex::encode(signer.sign(purpose, &signed_text(&body)));
    Signed { body, signature }
}

/// Results and standings of an event at a line of its journal, as a publication and a bundle have them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    results: Vec<String>,
    standings: Vec<String>,
    by_result: BTreeMap<(u32, String, String), Value>,
    by_standing: BTreeMap<(u64, String, String), Value>,
}

impl Snapshot {
    /// What boards and rulings have given so far.
    ///
    /// # Errors
    /// A ruling that cannot stand; none that the competition has taken.
    pub fn of(competition: &Competition) -> Result<Snapshot, TallyFault> {
        let tally = competition.tally()?;
        let mut snapshot = Snapshot {
            results: tally.results.iter().map(|line| section_line("result", line)).collect(),
            ..Snapshot::default()
        };
        for line in &tally.results {
            let key = (line.board, line.seat.clone(), line.entrant.clone());
            snapshot.by_result.insert(key, value(line));
        }
        for row in competition.standings() {
            snapshot.standings.push(section_line("standing", &row));
            let key = (u64::from(row.stage), row.group.clone().unwrap_or_default(), row.entrant.clone());
            snapshot.by_standing.insert(key, value(&row));
        }
        Ok(snapshot)
    }

    /// The result lines as a bundle has them, without line feeds.
    #[must_use]
    pub fn results(&self) -> &[String] {
        &self.results
    }

    /// The lines of the standings as a bundle has them, without line feeds: stage by stage, group by group.
    #[must_use]
    pub fn standings(&self) -> &[String] {
        &self.standings
    }

    /// The revision that publishes this, before it is signed; `before` is what was published last.
    #[must_use]
    pub fn revision(&self, body: Heading<'_>, before: Option<&Snapshot>) -> Revision {
        let mut changes = Vec::new();
        if let Some(before) = before {
            differences(&before.by_result, &self.by_result, |(board, _, entrant), before, after| {
                changes.push(Change { entrant: entrant.clone(), board: Some(*board), before, after });
            });
            differences(&before.by_standing, &self.by_standing, |(_, _, entrant), before, after| {
                changes.push(Change { entrant: entrant.clone(), board: None, before, after });
            });
        }
        Revision {
            number: body.number,
            event: body.event.to_owned(),
            at: body.at,
            state: body.state,
            rulings: body.rulings,
            results: sum(&self.results),
            standings: sum(&self.standings),
            changes,
        }
    }
}

/// What a revision says beside results and standings.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    /// Counted from 1.
    pub number: u32,
    /// The event's id.
    pub event: &'a str,
    /// When, µs since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// The state of the results.
    pub state: ResultState,
    /// Number of rulings that had been made.
    pub rulings: u32,
}

/// SHA-256 over lines, each with its line feed.
fn sum(lines: &[String]) -> String {
    let mut sha = Sha256::new();
    for line in lines {
        sha.update(line);
        sha.update(b"\n");
    }
    hex::encode(sha.finalize())
}
