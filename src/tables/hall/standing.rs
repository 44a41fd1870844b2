//! Where the event stands: the floor and the progress of play.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::time::Instant;

use super::handle::{FloorPlace, Progress};
use super::stations::Station;
use super::{Hall, Member, Status};

impl Hall {
    pub(super) fn floor(&self) -> Vec<FloorPlace> {
        let due: BTreeMap<u32, &Station> = self
            .stations
            .iter()
            .filter(|station| station.open.is_none())
            .filter_map(|station| Some((station.next()?, station)))
            .collect();
        self.seated
            .iter()
            .map(|(number, at)| {
                let station = due.get(number).filter(|_| at.status == Status::Waiting);
                FloorPlace {
                    play: at.play.0,
                    round: self.ordinal(at.sitting.stage, at.sitting.round),
                    table: at.sitting.table,
                    board: at.sitting.deal.board,
                    state: match at.status {
                        Status::Waiting if station.is_some() => "due",
                        Status::Waiting => "waiting",
                        Status::Opening | Status::Open => "open",
                        Status::Over => "over",
                    },
                    awaited: station.map(|station| self.awaited(station)).unwrap_or_default(),
                    waits_ms: station.map(|station| {
                        u64::try_from(station.due_since.elapsed().as_millis()).unwrap_or(u64::MAX)
                    }),
                    seats: at
                        .sitting
                        .seats
                        .iter()
                        .filter_map(|(seat, who)| Some((seat.clone(), who.clone()?)))
                        .collect(),
                    connected: self.connected(*number),
                    handle: at.handle.clone(),
                }
            })
            .collect()
    }

    /// The persons of a sitting who are connected, by entrant id.
    fn connected(&self, number: u32) -> Vec<String> {
        let Some(at) = self.seated.get(&number) else { return Vec::new() };
        let seats = self.settings.positions.iter().filter_map(|seats| seats.first());
        let entrants = seats.filter_map(|seat| self.entrant_at(&at.sitting, seat));
        let there = |entrant: &u32| {
            let mut persons = self.participants.range((*entrant, 0)..=(*entrant, u8::MAX));
            persons.any(|(_, one)| one.sink.is_some())
        };
        entrants.filter(there).filter_map(|entrant| Some(self.entrant(entrant)?.id.clone())).collect()
    }

    /// The entrants of a station that have not said that they are ready, or are not there.
    fn awaited(&self, station: &Station) -> Vec<String> {
        let missing = |member: &&Member| self.participants.get(member).is_none_or(|one| !one.is_ready());
        let numbers: BTreeSet<u32> = station.members.iter().filter(missing).map(|member| member.0).collect();
        let entrant = |number| self.entrant(number).map(|one| one.id.clone());
        numbers.into_iter().filter_map(entrant).collect()
    }

    pub(super) fn progress(&mut self) {
        self.moved = false;
        let whole = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let count =
            |status: &[Status]| whole(self.seated.values().filter(|at| status.contains(&at.status)).count());
        let planned: usize = self
            .schedule
            .iter()
            .filter(|round| !self.rounds.contains(&(round.stage, round.round)) && round.replays.is_none())
            .map(|round| round.plan.tables.len() * round.plan.boards.len())
            .sum();
        let ordinals = |rounds: Vec<(u32, u32)>| -> Vec<u32> {
            rounds.into_iter().map(|(stage, round)| self.ordinal(stage, round)).collect()
        };
        let more_to_come =
            self.log.look(|journal| !journal.competition().is_over() && !journal.desk().ended());
        let progress = Progress {
            plays: whole(self.seated.len() + planned),
            open: count(&[Status::Opening, Status::Open]),
            over: count(&[Status::Over]),
            unfinished: whole(self.seated.values().filter(|at| at.unfinished).count()),
            rounds: ordinals(self.rounds.clone()),
            rounds_over: ordinals(self.rounds.iter().copied().filter(|round| self.is_over(*round)).collect()),
            more_to_come,
            paused: self.paused,
            connected: whole(self.participants.values().filter(|one| one.sink.is_some()).count()),
            round_left_ms: self.round_clock.map(|clock| clock.left_us(self.log.now()) / 1000),
        };
        self.watch.send_modify(|standings| {
            standings.version += 1;
            standings.computed = self.changes;
            standings.progress = progress;
            standings.damaged = Arc::clone(&self.damaged);
            standings.at = Some(Instant::now());
        });
    }
}
