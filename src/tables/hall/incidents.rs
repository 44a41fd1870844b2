//! What connections show of their players, on its way to the ledger.
//!
//! The same of one person at one board is counted, not listed, so nobody's pushes out another's; whatever has come
//! together since the last write is written in one piece, at most once for every tick of the hall. Only what is not
//! durable yet is held here.

use std::collections::BTreeMap;

use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use super::{Hall, Member};
use crate::event::archive::PlayId;
use crate::event::ledger::{Evidence, Incident, LedgerError};

type Key = (Member, Evidence, Option<PlayId>);
/// The word that a write is durable, or has failed.
type Written = oneshot::Receiver<Result<(), LedgerError>>;

/// What is not durable yet.
#[derive(Default)]
pub(super) struct Incidents {
    fresh: BTreeMap<Key, Incident>,
    /// What is being written, and the word that it is.
    under_way: Option<(Vec<(Key, Incident)>, Written)>,
}

impl Incidents {
    fn add(&mut self, key: Key, incident: Incident) {
        match self.fresh.get_mut(&key) {
            Some(known) => known.join(&incident),
            None => drop(self.fresh.insert(key, incident)),
        }
    }

    fn written(&mut self, rows: Vec<(Key, Incident)>, result: &Result<(), LedgerError>) {
        if let Err(error) = result {
            tracing::warn!(%error, "what connections have shown is written later");
            for (key, incident) in rows {
                self.add(key, incident);
            }
        }
    }
}

impl Hall {
    pub(super) fn note_incident(&mut self, member: Member, what: Evidence) {
        let Some(entrant) = self.entrant(member.0) else { return };
        let seated = self.participants.get(&member).and_then(|one| one.seated);
        let play = seated.map(|(number, _)| self.log.play(number));
        let at = (self.wall)();
        let entrant = entrant.id.clone();
        let incident =
            Incident { entrant, member: member.1, what, play, count: 1, first_us: at, last_us: at };
        self.incidents.add((member, what, play), incident);
    }

    /// Hands over what has come together, unless the last of it is still under way.
    pub(super) fn keep_incidents(&mut self) {
        if let Some((rows, mut done)) = self.incidents.under_way.take() {
            match done.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.incidents.under_way = Some((rows, done));
                    return;
                }
                Ok(result) => self.incidents.written(rows, &result),
                Err(TryRecvError::Closed) => self.incidents.written(rows, &Err(LedgerError::Busy)),
            }
        }
        if self.incidents.fresh.is_empty() {
            return;
        }
        let rows: Vec<(Key, Incident)> = std::mem::take(&mut self.incidents.fresh).into_iter().collect();
        let incidents = rows.iter().map(|(_, incident)| incident.clone()).collect();
        let (stored, done) = oneshot::channel();
        let kept = self.deps.ledger.keep_incidents(
            &self.id,
            incidents,
            Box::new(move |result| drop(stored.send(result))),
        );
        match kept {
            Ok(()) => self.incidents.under_way = Some((rows, done)),
            Err(error) => self.incidents.written(rows, &Err(error)),
        }
    }

    /// Waits until everything so far is written, or has failed to be.
    pub(super) async fn settle_incidents(&mut self) {
        // What is under way, and what has come together since.
        for _ in 0..2 {
            self.keep_incidents();
            let Some((rows, done)) = self.incidents.under_way.take() else { return };
            let result = done.await.unwrap_or(Err(LedgerError::Busy));
            self.incidents.written(rows, &result);
        }
    }
}
