//! Where the event stands: the floor, progress, results.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::time::Instant;

use super::handle::{FloorPlace, Progress};
use super::{DERIVED_EVERY, Hall, Lane, Member, RoundClock, Status};
use crate::event::{EventError, results};
use crate::formats::tally::{Tally, tally};
use crate::journal::bundle::Head;
use crate::players::Levels;

impl<G: Levels> Hall<G> {
    pub(super) fn floor(&self) -> Vec<FloorPlace> {
        let mut floor = Vec::new();
        let due: BTreeMap<usize, &Lane> = self
            .lanes
            .iter()
            .filter(|lane| lane.active && lane.open.is_none())
            .filter_map(|lane| Some((*lane.places.get(lane.next)?, lane)))
            .collect();
        for (place, at) in self.places.iter().enumerate() {
            let mut connected = Vec::new();
            for who in &at.who {
                let Some(number) = who.entrant() else { continue };
                let there = self
                    .people
                    .range((number, 0)..=(number, u8::MAX))
                    .any(|(_, person)| person.sink.is_some());
                if there && let Some(entrant) = self.setup.event.entrant(number) {
                    connected.push(entrant.id.clone());
                }
            }
            floor.push(FloorPlace {
                play: at.play.0,
                round: at.round,
                table: at.table,
                board: at.board,
                state: match at.status {
                    Status::Waiting if due.contains_key(&place) => "due",
                    Status::Waiting => "waiting",
                    Status::Open => "open",
                    Status::Over => "over",
                },
                awaited: due.get(&place).map(|lane| self.awaited(lane)).unwrap_or_default(),
                waits_ms: due
                    .get(&place)
                    .map(|lane| u64::try_from(lane.due_since.elapsed().as_millis()).unwrap_or(u64::MAX)),
                seats: self.setup.event.seats(&at.who),
                connected,
                handle: at.handle.clone(),
            });
        }
        floor
    }

    /// The entrants of a lane that have not said that they are ready, or are not there.
    fn awaited(&self, lane: &Lane) -> Vec<String> {
        let missing = |member: &&Member| {
            self.people.get(member).is_none_or(|person| !person.ready || person.sink.is_none())
        };
        let numbers: BTreeSet<u32> = lane.members.iter().filter(missing).map(|member| member.0).collect();
        let entrant = |number| self.setup.event.entrant(number).map(|one| one.id.clone());
        numbers.into_iter().filter_map(entrant).collect()
    }

    pub(super) fn progress(&self) {
        let count =
            |status| u32::try_from(self.places.iter().filter(|at| at.status == status).count()).unwrap_or(0);
        let progress = Progress {
            plays: u32::try_from(self.places.len()).unwrap_or(u32::MAX),
            open: count(Status::Open),
            over: count(Status::Over),
            unfinished: u32::try_from(self.places.iter().filter(|at| at.unfinished).count())
                .unwrap_or(u32::MAX),
            rounds: self.rounds.clone(),
            rounds_over: self.rounds.iter().copied().filter(|round| self.is_over(*round)).collect(),
            paused: self.paused,
            connected: u32::try_from(self.people.values().filter(|person| person.sink.is_some()).count())
                .unwrap_or(u32::MAX),
            round_left_ms: self.round_clock.map(RoundClock::left_ms),
        };
        self.watch.send_modify(|standings| {
            standings.version += 1;
            standings.progress = progress;
            standings.damaged = Arc::clone(&self.damaged);
            standings.at = Some(Instant::now());
        });
    }

    /// Signs a checkpoint for each board that every table has finished since, off this task's thread. What cannot be
    /// written now is tried again.
    pub(super) async fn sign_boards(&mut self) {
        if self.unsigned.is_empty() {
            return;
        }
        let (archive, signer) = (Arc::clone(&self.setup.archive), self.setup.signer.clone());
        let (event, at) = (self.setup.event.id.clone(), (self.setup.wall)());
        let heads: Vec<Head> =
            self.unsigned.iter().filter_map(|board| self.heads.get(board)).flatten().cloned().collect();
        let done = tokio::task::spawn_blocking(move || {
            results::sign_boards(archive.as_ref(), &event, &signer, at, &heads)
        })
        .await;
        match done {
            Ok(Ok(_)) => {
                for board in std::mem::take(&mut self.unsigned) {
                    self.heads.remove(&board);
                }
            }
            Ok(Err(error)) => tracing::warn!(%error, "a checkpoint was not written; it is tried again"),
            Err(error) => tracing::warn!(%error, "a checkpoint was not written; it is tried again"),
        }
    }

    /// Computes results and standings if they have changed, off this task's thread.
    pub(super) async fn compute(&mut self) {
        if !self.dirty {
            return;
        }
        self.dirty = false;
        let event = self.setup.event.clone();
        let archive = Arc::clone(&self.setup.archive);
        let played = self.played();
        let everything = self.places.iter().all(|at| at.status == Status::Over);
        let keep = everything || self.derived_at.elapsed() >= DERIVED_EVERY;
        if keep {
            self.derived_at = Instant::now();
        }
        let computed = tokio::task::spawn_blocking(move || -> Result<Tally, EventError> {
            if keep {
                return results::rebuild_from(archive.as_ref(), &event, played);
            }
            let rulings = results::rulings(archive.as_ref(), &event.id)?;
            Ok(tally(&event.settings, &event.entrants, played, &rulings)?)
        })
        .await;
        match computed {
            Ok(Ok(tally)) => {
                let tally = Arc::new(tally);
                self.watch.send_modify(|standings| {
                    standings.computed += 1;
                    standings.tally = Some(tally);
                });
                self.progress();
            }
            Ok(Err(error)) => tracing::error!(%error, "results could not be computed"),
            Err(error) => tracing::error!(%error, "results could not be computed"),
        }
    }
}
