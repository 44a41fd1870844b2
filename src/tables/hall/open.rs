//! How a hall is opened: from the event's journal, and from nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::handle::{HallHandle, Standings};
use super::incidents::Incidents;
use super::participants::Participant;
use super::{Hall, OPENERS, QUEUE_MAX, Queues, UnderWay};
use crate::event::archive::Archive;
use crate::event::archive::PlayId;
use crate::event::live::Live;
use crate::event::log::{EventLog, Wall};
use crate::event::{EventError, results};
use crate::formats::settings::{Entrant, Settings};
use crate::journal::sign::Signer;
use crate::journal::{ControlKind, EventLine};
use crate::tables::game::{GameTables, TableOver};
use crate::tables::task::Deps;

/// What a hall needs.
pub struct HallSetup {
    /// The event's id.
    pub id: String,
    /// What was decided about it.
    pub settings: Settings,
    /// Its entrants in order of their numbers.
    pub entrants: Vec<Entrant>,
    /// How it is played live.
    pub live: Live,
    /// Its log.
    pub log: Arc<EventLog>,
    /// Opens its tables.
    pub tables: Arc<dyn GameTables>,
    /// What becomes of the tables.
    pub overs: mpsc::UnboundedReceiver<TableOver>,
    /// Signs checkpoints.
    pub signer: Signer,
    /// Where everything is kept.
    pub archive: Arc<dyn Archive + Send + Sync>,
    /// What tables share.
    pub deps: Deps,
    /// The wall clock, µs since 1970.
    pub wall: Wall,
}

/// Opens the hall of an event: its journal is replayed, boards that were begun go on. Not for an async task's thread, and
/// within a tokio runtime.
///
/// # Errors
/// The archive; the event's journal is damaged.
pub fn open(setup: HallSetup) -> Result<HallHandle, EventError> {
    let HallSetup { id, settings, entrants, live, log, tables, overs, signer, archive, deps, wall } = setup;
    // First the ear, then the past: no line is missed between the two.
    let lines = log.follow();
    let past = archive.event_lines(&id, 0)?;
    let begun = archive.begun_plays(&id)?.into_iter().map(PlayId::sitting).collect();
    let stood_in: BTreeSet<u32> = if live.absent_s > 0 {
        let rows = archive.control_lines(&id, ControlKind::StandIn)?;
        rows.into_iter().map(|row| PlayId(row.play_id).sitting()).collect()
    } else {
        BTreeSet::new()
    };
    let (commands, queue) = mpsc::channel(QUEUE_MAX);
    let (watch, watched) = watch::channel(Standings::default());
    let numbers = entrants.iter().map(|entrant| (entrant.id.clone(), entrant.number)).collect();
    let only_computers = entrants.iter().all(|entrant| entrant.level.is_some());
    let mut hall = Hall {
        id,
        full_round: settings.boards_per_round().max(1),
        settings,
        entrants,
        numbers,
        live,
        log,
        tables,
        archive,
        deps,
        signer,
        wall,
        seq: 0,
        schedule: Vec::new(),
        rounds: Vec::new(),
        round_clock: None,
        paused: false,
        ended: false,
        begun,
        seated: BTreeMap::new(),
        stations: Vec::new(),
        lost_early: BTreeMap::new(),
        participants: BTreeMap::new(),
        put_off: Vec::new(),
        boards: BTreeMap::new(),
        unsigned: BTreeSet::new(),
        holds: watch::channel(false).0,
        watch,
        commands: commands.downgrade(),
        work: JoinSet::new(),
        openers: Arc::new(Semaphore::new(OPENERS)),
        under_way: UnderWay::default(),
        kept_at: Instant::now(),
        incidents: Incidents::default(),
        damaged: Arc::default(),
        changes: 0,
        moved: false,
    };
    hall.schedule = hall.log.look(|journal| journal.competition().schedule().to_vec());
    hall.admit();
    for row in past {
        let line = EventLine::read(&row.body).map_err(|fault| {
            EventError::Damaged(format!("line {} of the event's journal: {fault}", row.seq))
        })?;
        hall.take(&line);
    }
    for sitting in stood_in {
        if let Some(at) = hall.seated.get_mut(&sitting) {
            at.stood_in = true;
        }
    }
    hall.count_own();
    // Whoever has the handle reads how far the event is, not how far it was before it was looked at.
    hall.progress();
    tokio::spawn(hall.run(Queues { commands: queue, lines, overs }));
    Ok(HallHandle { commands, watch: watched, only_computers })
}

impl Hall {
    /// Admits everybody who takes part and is no computer player.
    fn admit(&mut self) {
        let persons = self.settings.positions.iter().map(Vec::len).max().unwrap_or(1);
        for entrant in self.entrants.iter().filter(|entrant| entrant.level.is_none()) {
            for member in (0_u8..).take(persons) {
                self.participants.insert((entrant.number, member), Participant::new());
            }
        }
    }

    /// Signs a checkpoint of the boards that every table has finished since. What cannot be written now is tried again.
    pub(super) fn sign_boards(&mut self) {
        if self.unsigned.is_empty() || self.under_way.signing {
            return;
        }
        self.under_way.signing = true;
        let boards = self.unsigned.clone();
        let heads: Vec<_> = boards
            .iter()
            .filter_map(|board| self.boards.get(board))
            .flat_map(|at| at.heads.clone())
            .collect();
        let (archive, signer) = (Arc::clone(&self.archive), self.signer.clone());
        let (event, at): (String, Wall) = (self.id.clone(), Arc::clone(&self.wall));
        self.work.spawn_blocking(move || {
            let done = results::sign_boards(archive.as_ref(), &event, &signer, at(), &heads);
            if let Err(error) = &done {
                tracing::warn!(%error, "a checkpoint was not written; it is tried again");
            }
            super::Work::Signed(boards, done.is_ok())
        });
    }
}
