//! Whether the database takes writes: the question of `/readyz`, which anybody may ask as often as they like.

use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::error::StoreError;
use super::writer::Writer;

/// How long an answer counts.
const FRESH: Duration = Duration::from_secs(1);
/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

type Outcome = Result<(), StoreError>;

/// A write of nothing but the imprint, at most one at a time and one a second.
#[derive(Default)]
pub(super) struct Probe(Mutex<Known>);

#[derive(Default)]
struct Known {
    last: Option<(Instant, Outcome)>,
    /// A write that was not answered in time.
    under_way: Option<Receiver<Outcome>>,
}

impl Probe {
    /// The last answer while it is fresh, or a new one.
    pub fn ask(&self, writer: &Writer) -> Outcome {
        // Whoever waits here finds a fresh answer.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, outcome)) = &known.last
            && at.elapsed() < FRESH
        {
            return outcome.clone();
        }
        let asked = if let Some(asked) = known.under_way.take() {
            Ok(asked)
        } else {
            let (tell, asked) = sync_channel(1);
            writer.try_submit(|_| Ok(()), move |outcome| drop(tell.send(outcome))).map(|()| asked)
        };
        let outcome = asked.and_then(|asked| match asked.recv_timeout(PATIENCE) {
            Ok(outcome) => outcome,
            Err(RecvTimeoutError::Timeout) => {
                known.under_way = Some(asked);
                Err(StoreError::Busy)
            }
            Err(RecvTimeoutError::Disconnected) => Err(StoreError::Closed),
        });
        known.last = Some((Instant::now(), outcome.clone()));
        outcome
    }
}
