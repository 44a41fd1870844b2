//! Boards at tables: who decides for a seat, opening, and going on with those that another run has left open.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::absent::note_stand_ins;
use super::{Hall, Member, Place, RoundClock, Status};
use crate::event::archive::{ArchiveError, EntryRow, PlayId};
use crate::event::{EventError, results};
use crate::formats::Occupant;
use crate::formats::tally::Played;
use crate::games::Seat;
use crate::journal::control::{ControlKind, Line};
use crate::journal::header::Header;
use crate::journal::{Board, measure, scan_line};
use crate::players::{self, Levels, PlayerRef};
use crate::tables::ledger::{Given, LedgerError};
use crate::tables::table::{SeatController, Shown, Table, TableSettings};
use crate::tables::task::{self, AiSeats};

/// Lines with their times, answers, and when the board opened, µs since 1970.
type Recovered<G> = (Vec<Shown<G>>, Vec<Given>, i64);

impl<G: Levels> Hall<G> {
    /// Who decides for each seat of a place, and which person sits there.
    fn seating(&self, place: &Place, header: &Header<G>) -> Result<Seating<G>, EventError> {
        let event = &self.setup.event;
        let opponents = event.settings.opponents.as_deref();
        let level = |name: Option<&str>| -> Result<PlayerRef<G>, EventError> {
            let name = name.ok_or_else(|| EventError::Setting("the event names no AI level".to_owned()))?;
            players::find::<G>(name).map_err(|fault| EventError::Setting(fault.message))
        };
        let count = usize::from(G::seats(&header.start));
        let mut seating = Seating {
            kinds: vec![SeatController::Empty; count],
            levels: vec![None; count],
            members: vec![None; count],
            stood_in: Vec::new(),
        };
        for ((_, seats), who) in event.positions().iter().zip(&place.who) {
            for (member, seat) in (0_u8..).zip(seats) {
                let entrant = who.entrant().and_then(|number| event.entrant(number));
                let (kind, player, person) = match (who, entrant) {
                    (Occupant::Entrant(number), Some(entrant)) => match &entrant.level {
                        Some(name) => (SeatController::Software, Some(level(Some(name))?), None),
                        None if place.stood_in => {
                            seating.stood_in.push(*seat);
                            (SeatController::Software, Some(level(opponents)?), None)
                        }
                        None => (SeatController::Person, None, Some((*number, member))),
                    },
                    _ => (SeatController::Software, Some(level(opponents)?), None),
                };
                if let Some(slot) = seating.kinds.get_mut(seat.index()) {
                    *slot = kind;
                }
                if let Some(slot) = seating.levels.get_mut(seat.index()) {
                    *slot = player;
                }
                if let Some(slot) = seating.members.get_mut(seat.index()) {
                    *slot = person;
                }
            }
        }
        Ok(seating)
    }

    pub(super) fn header(&mut self, board: u32) -> Result<Header<G>, EventError> {
        if let Some(header) = self.headers.get(&board) {
            return Ok(header.clone());
        }
        let header = self.setup.dealer.header(board)?;
        self.headers.insert(board, header.clone());
        self.setup.deps.counters.deals.fetch_add(1, Ordering::Relaxed);
        Ok(header)
    }

    /// Reads every journal: what is over counts, what is open goes on.
    pub(super) fn recover(&mut self) -> Result<(), EventError> {
        let started = self.setup.archive.rounds_started(&self.setup.event.id)?;
        let mut played = BTreeSet::new();
        let mut not_over = Vec::new();
        for place in 0..self.places.len() {
            let Some(at) = self.places.get(place) else { continue };
            let (play, board) = (at.play, at.board);
            let rows = self.setup.archive.journal(play)?;
            if rows.is_empty() {
                not_over.push((place, None));
                continue;
            }
            let header = self.header(board)?;
            let (replayed, lines) = match replayed(&header, play, &rows) {
                Err(EventError::Damaged(reason)) => {
                    self.damaged(place, &header, reason);
                    continue;
                }
                other => other?,
            };
            let stood_in = |shown: &Shown<G>| matches!(&shown.line, Line::Control(note) if note.kind == ControlKind::StandIn);
            if lines.iter().any(stood_in)
                && let Some(at) = self.places.get_mut(place)
            {
                at.stood_in = true;
            }
            if lines.iter().any(|shown| matches!(shown.line, Line::Action(_))) {
                played.insert(place);
            }
            if G::finished(replayed.state()) || replayed.ended() {
                self.count(place, &replayed);
                if let Some(at) = self.places.get_mut(place) {
                    at.status = Status::Over;
                }
                self.board_over(place);
                continue;
            }
            let opened_us = rows.first().map_or(0, |row| row.at_us);
            not_over.push((place, Some((lines, opened_us))));
        }
        let were_over = self.were_over(&played)?;
        for (place, found) in not_over {
            let Some(at) = self.places.get(place) else { continue };
            let (play, board) = (at.play, at.board);
            if were_over.contains(&place) {
                let header = self.header(board)?;
                let reason =
                    format!("journal {}: the board was over, but its journal goes on to no end", play.0);
                self.damaged(place, &header, reason);
                continue;
            }
            let Some((lines, opened_us)) = found else { continue };
            let answers = self.setup.deps.ledger.answers(play).map_err(|error| match error {
                LedgerError::Lost(what) => EventError::Damaged(what),
                other => EventError::Archive(ArchiveError::Failed(other.to_string())),
            });
            match answers.and_then(|answers| self.start_table(place, Some((lines, answers, opened_us)))) {
                Err(EventError::Damaged(reason)) => {
                    let header = self.header(board)?;
                    self.damaged(place, &header, reason);
                }
                other => other?,
            }
        }
        for lane in &mut self.lanes {
            let own = |place: &usize| {
                self.places.get(*place).is_some_and(|at| at.status == Status::Over && !at.stood_in)
            };
            lane.own = lane.places.iter().rposition(own).map_or(0, |last| last + 1);
            lane.next = lane
                .places
                .iter()
                .position(|place| self.places.get(*place).is_none_or(|at| at.status != Status::Over))
                .unwrap_or(lane.places.len());
            lane.open = lane
                .places
                .get(lane.next)
                .copied()
                .filter(|place| self.places.get(*place).is_some_and(|at| at.status == Status::Open));
        }
        for start in started {
            self.activate(start);
        }
        if let Some(kept) = self.setup.archive.hall(&self.setup.event.id)? {
            self.paused = kept.paused;
            // The time without a server is nobody's.
            self.round_clock = kept
                .left_ms
                .filter(|_| self.rounds.last() == Some(&kept.round) && !self.round_over(kept.round))
                .map(|ms| RoundClock::new(Duration::from_millis(ms), !kept.paused));
        }
        Ok(())
    }

    /// The places that were over before, whatever their journals say now: every table had finished the board, or at a
    /// later place of the same lane somebody has acted, `played`, which begins only when the one before is over.
    fn were_over(&self, played: &BTreeSet<usize>) -> Result<BTreeSet<usize>, EventError> {
        let finished: BTreeSet<(String, i64)> = self
            .setup
            .archive
            .boards(&self.setup.event.id)?
            .into_iter()
            .filter(|row| row.state == "finished")
            .map(|row| (row.set_id, row.number))
            .collect();
        let everywhere = |place: &usize| {
            self.places
                .get(*place)
                .is_some_and(|at| finished.contains(&(at.set.clone(), i64::from(at.board))))
        };
        let mut over: BTreeSet<usize> = (0..self.places.len()).filter(everywhere).collect();
        for lane in &self.lanes {
            let last = lane.places.iter().rposition(|place| played.contains(place)).unwrap_or(0);
            over.extend(lane.places.iter().take(last));
        }
        Ok(over)
    }

    /// A board at a table that cannot be replayed: nobody can play it on, and no other one waits for it.
    fn damaged(&mut self, place: usize, header: &Header<G>, reason: String) {
        let positions = self.setup.event.positions().len();
        let Some(at) = self.places.get_mut(place) else { return };
        tracing::error!(play = at.play.0, board = at.board, table = at.table, reason, "a journal is damaged");
        at.status = Status::Over;
        at.scores = vec![(None, None); positions];
        at.unfinished = true;
        Arc::make_mut(&mut self.damaged).insert(at.play.0, reason);
        self.deals.entry(at.board).or_insert_with(|| header.deal_hash());
        self.dirty = true;
        self.board_over(place);
    }

    /// Keeps what a board that is over came to; nothing else of it is needed here.
    pub(super) fn count(&mut self, place: usize, board: &Board<G>) {
        let Some(at) = self.places.get(place) else { return };
        let Some(header) = self.headers.get(&at.board) else { return };
        self.heads.entry(at.board).or_default().push(results::head_of(at.board, at.table, board));
        let event = &self.setup.event;
        let finished = G::finished(board.state());
        let scores = event
            .positions()
            .iter()
            .map(|(_, seats)| {
                let score = finished
                    .then(|| measure::measured(header, board.state(), event.settings.measure, seats))
                    .flatten();
                (score, finished.then(|| measure::role(header, board.state(), seats)).flatten())
            })
            .collect();
        self.deals.entry(at.board).or_insert_with(|| header.deal_hash());
        if let Some(at) = self.places.get_mut(place) {
            at.scores = scores;
            at.unfinished = !finished;
        }
        self.dirty = true;
    }

    /// Every result so far.
    pub(super) fn played(&self) -> Vec<Played> {
        let event = &self.setup.event;
        let positions = event.positions();
        let mut played = self.byes.clone();
        for at in self.places.iter().filter(|at| at.status == Status::Over) {
            for (((name, _), who), (score, role)) in positions.iter().zip(&at.who).zip(&at.scores) {
                if *who == Occupant::Ai {
                    continue;
                }
                played.push(Played {
                    board: at.board,
                    table: Some(at.table),
                    seat: name.clone(),
                    entrant: event.who(*who),
                    score: *score,
                    role: *role,
                    deal: self.deals.get(&at.board).cloned(),
                });
            }
        }
        played
    }

    pub(super) fn start_table(
        &mut self,
        place: usize,
        recovered: Option<Recovered<G>>,
    ) -> Result<(), EventError> {
        let Some(board) = self.places.get(place).map(|at| at.board) else { return Ok(()) };
        let header = self.header(board)?;
        let Some(at) = self.places.get(place) else { return Ok(()) };
        let play = at.play;
        let seating = self.seating(at, &header)?;
        let grace_ms = self.setup.event.live.grace_ms;
        let settings = TableSettings {
            grace_ms,
            opened_us: recovered.as_ref().map_or_else(|| (self.setup.wall)(), |(_, _, opened)| *opened),
        };
        let fresh = recovered.is_none();
        let table = match recovered {
            None => Table::open(header, play, seating.kinds.clone(), settings),
            Some((lines, answers, _)) => {
                Table::recover(header, play, seating.kinds.clone(), settings, lines, answers)
                    .map_err(|code| EventError::Damaged(format!("journal {}: {code}", play.0)))?
            }
        };
        let brains = AiSeats {
            levels: seating.levels,
            key: Arc::new(self.setup.key.clone()),
            number: board,
            delay: Duration::from_millis(u64::from(self.setup.event.live.ai_delay_ms)),
        };
        let handle = task::start(table, brains, self.setup.deps.clone(), play, self.over.clone());
        if fresh {
            note_stand_ins(&handle, seating.stood_in);
        }
        if let Some(at) = self.places.get_mut(place) {
            at.status = Status::Open;
            at.handle = Some(handle);
        }
        for (seat, member) in (0..).map(Seat).zip(seating.members) {
            if let Some(person) = member.and_then(|member| self.people.get_mut(&member)) {
                person.seated = Some((place, seat));
                person.ready = false;
            }
            if let Some(member) = member {
                self.seat(member, None);
            }
        }
        Ok(())
    }
}

struct Seating<G: Levels> {
    kinds: Vec<SeatController>,
    levels: Vec<Option<PlayerRef<G>>>,
    members: Vec<Option<Member>>,
    /// The seats of persons who have not come.
    stood_in: Vec<Seat>,
}

/// A journal through the rules: the board and its lines with their times.
pub(super) fn replayed<G: Levels>(
    header: &Header<G>,
    play: PlayId,
    rows: &[EntryRow],
) -> Result<(Board<G>, Vec<Shown<G>>), EventError> {
    let mut board = Board::open(header);
    let mut lines = Vec::new();
    let damaged = |what: String| EventError::Damaged(format!("journal {}: {what}", play.0));
    let receipt = |row: &EntryRow| row.body == header.receipt() && row.hash == board.chain().as_slice();
    if !rows.first().is_some_and(receipt) {
        return Err(damaged("the receipt is not that of the deal".to_owned()));
    }
    for row in rows.iter().skip(1) {
        let line = scan_line::<G>(&row.body).map_err(damaged)?;
        let hash = match &line {
            Line::Action(entry) => board.play(entry).map_err(|why| why_code(&why)),
            Line::Control(note) => board.note(note).map_err(|why| why_code(&why)),
        }
        .map_err(|code| damaged(format!("line {} is {code}", row.seq)))?;
        if hash.as_slice() != row.hash || board.last_bytes() != row.body {
            return Err(damaged(format!("the chain breaks at line {}", row.seq)));
        }
        lines.push(Shown { line, at: u64::try_from(row.at_us).unwrap_or(0) });
    }
    Ok((board, lines))
}

fn why_code(refusal: &impl crate::games::Refusal) -> &'static str {
    refusal.code()
}
