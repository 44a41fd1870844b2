//! Publications of the results: what a revision says, and how it differs from the one before.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::bundle::model::{Change, ResultState, Revision, Signed, signed_text};
use super::sign::{Purpose, Signer};
use crate::formats::tally::Tally;

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

/// The revision that publishes a tally, before it is signed.
#[must_use]
pub fn revision(
    event: &str,
    number: u32,
    at: i64,
    state: ResultState,
    rulings: u32,
    before: Option<&Tally>,
    tally: &Tally,
) -> Revision {
    Revision {
        number,
        event: event.to_owned(),
        at,
        state,
        rulings,
        results: tally.results_hash(),
        standings: tally.standings_hash(),
        changes: changes(before, tally),
    }
}

/// A body signed by the server.
#[must_use]
pub fn signed<T: Serialize>(signer: &Signer, purpose: Purpose, body: T) -> Signed<T> {
    let signature = hex::encode(signer.sign(purpose, &signed_text(&body)));
    Signed { body, signature }
}
