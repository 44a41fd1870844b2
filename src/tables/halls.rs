//! The halls of a server: one for each event that is played.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;

use super::game::{GameTables, Parts, Tables};
use super::hall::{self, HallHandle, HallSetup, Wall};
use super::task::Deps;
use crate::dealing::{AiReveal, MasterKey};
use crate::event::archive::Archive;
use crate::event::log::{EventLogs, LogError};
use crate::event::{Dealer, Event, EventError};
use crate::games::holdem::Holdem;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::games::{GameKind, rulesets};
use crate::journal::Lots;
use crate::journal::sign::Signer;
use crate::players::{AiKey, Levels};
use crate::words::message;

/// Opens an event's master key; reading it is the caller's to log.
pub type Unseal = dyn Fn(&str, &[u8]) -> Result<MasterKey, String> + Send + Sync;

/// The halls that are open. Clones share them.
#[derive(Clone)]
pub struct Halls(Arc<Inner>);

/// The place of one hall; it is locked while the hall is opened, so that two requests open one hall.
type Cell = Arc<Mutex<Option<HallHandle>>>;

struct Inner {
    /// Never locked while a journal is replayed: each event has a place of its own.
    cells: Mutex<BTreeMap<String, Cell>>,
    /// Events whose halls stay closed for now.
    locked_out: Mutex<BTreeSet<String>>,
    logs: EventLogs,
    archive: Arc<dyn Archive + Send + Sync>,
    deps: Deps,
    unseal: Box<Unseal>,
    runtime: tokio::runtime::Handle,
    wall: Wall,
}

/// Keeps the hall of an event closed as long as it lives.
pub struct LockedOut {
    halls: Halls,
    event: String,
}

impl Drop for LockedOut {
    fn drop(&mut self) {
        self.halls.0.locked_out.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.event);
    }
}

impl Halls {
    /// No hall yet. Tables live on `runtime`.
    #[must_use]
    pub fn new(
        archive: Arc<dyn Archive + Send + Sync>,
        logs: EventLogs,
        deps: Deps,
        unseal: Box<Unseal>,
        runtime: tokio::runtime::Handle,
        wall: Wall,
    ) -> Halls {
        Halls(Arc::new(Inner {
            cells: Mutex::default(),
            locked_out: Mutex::default(),
            logs,
            archive,
            deps,
            unseal,
            runtime,
            wall,
        }))
    }

    /// What the tables share.
    #[must_use]
    pub fn deps(&self) -> &Deps {
        &self.0.deps
    }

    /// The logs of the events.
    #[must_use]
    pub fn logs(&self) -> &EventLogs {
        &self.0.logs
    }

    fn cells(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Cell>> {
        self.0.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The hall of an event, if it is open; `None` also while it is being opened.
    #[must_use]
    pub fn get(&self, event: &str) -> Option<HallHandle> {
        let cell = Arc::clone(self.cells().get(event)?);
        cell.try_lock().ok().and_then(|hall| hall.clone())
    }

    /// Every open hall by event.
    #[must_use]
    pub fn all(&self) -> Vec<(String, HallHandle)> {
        let cells: Vec<(String, Cell)> =
            self.cells().iter().map(|(event, cell)| (event.clone(), Arc::clone(cell))).collect();
        let open = |(event, cell): (String, Cell)| Some((event, cell.try_lock().ok()?.clone()?));
        cells.into_iter().filter_map(open).collect()
    }

    /// Opens the hall of a locked event, or finds it open. Replays the event's journal; not for an async task's thread.
    ///
    /// # Errors
    /// The event is not announced, its delayed value is not known, its entries are not closed, it is being ended, or it is
    /// damaged.
    pub fn open(&self, event: &str) -> Result<HallHandle, EventError> {
        let cell = Arc::clone(self.cells().entry(event.to_owned()).or_default());
        let mut place = cell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hall) = place.as_ref() {
            return Ok(hall.clone());
        }
        if self.0.locked_out.lock().unwrap_or_else(PoisonError::into_inner).contains(event) {
            return Err(EventError::Ending);
        }
        let row = self.0.archive.event(event)?;
        let kind = GameKind::ALL.into_iter().find(|kind| kind.name() == row.game);
        let hall = match kind {
            Some(GameKind::Wakeng) => self.0.open::<Wakeng>(event)?,
            Some(GameKind::Tuolaji) => self.0.open::<Tuolaji>(event)?,
            Some(GameKind::Holdem) => self.0.open::<Holdem>(event)?,
            None => {
                let known = GameKind::ALL.map(GameKind::name);
                return Err(EventError::Damaged(rulesets::unknown("game", &row.game, &known)));
            }
        };
        *place = Some(hall.clone());
        Ok(hall)
    }

    /// Opens the hall of an event at the start of a server, unless the event is over.
    ///
    /// # Errors
    /// As [`Halls::open`].
    pub fn resume(&self, event: &str) -> Result<Option<HallHandle>, EventError> {
        let log = self.0.logs.open(event).map_err(said)?;
        if log.look(|journal| journal.competition().ended() || journal.desk().ended()) {
            self.0.logs.forget(event);
            return Ok(None);
        }
        self.open(event).map(Some)
    }

    /// Whether a board of the event was to be played.
    #[must_use]
    pub fn has_begun(&self, event: &str) -> bool {
        let log = self.0.logs.open(event);
        log.is_ok_and(|log| log.look(|journal| !journal.competition().sittings().is_empty()))
    }

    /// Takes the hall of an event out of its place; waits while it is being opened, beside the async tasks.
    async fn take(&self, event: &str) -> Option<HallHandle> {
        let cell = Arc::clone(self.cells().get(event)?);
        let taken =
            tokio::task::spawn_blocking(move || cell.lock().unwrap_or_else(PoisonError::into_inner).take());
        taken.await.ok().flatten()
    }

    /// Closes the hall of an event, if it is open; what is durable stays, and it can be opened again.
    pub async fn shut(&self, event: &str) {
        if let Some(hall) = self.take(event).await {
            hall.close().await;
        }
    }

    /// Closes the hall of an event and lets nobody open it again as long as the answer lives; when it is there, no table
    /// of the event hands anything to the ledger any more. `None`: somebody else keeps it closed.
    pub async fn lock_out(&self, event: &str) -> Option<LockedOut> {
        // Whoever opens it now has its place and is waited for, or is refused.
        if !self.0.locked_out.lock().unwrap_or_else(PoisonError::into_inner).insert(event.to_owned()) {
            return None;
        }
        let locked_out = LockedOut { halls: self.clone(), event: event.to_owned() };
        self.shut(event).await;
        Some(locked_out)
    }

    /// Closes every hall; what is durable stays.
    pub async fn close(&self) {
        let events: Vec<String> = self.cells().keys().cloned().collect();
        for event in events {
            self.shut(&event).await;
        }
    }
}

impl Inner {
    fn open<G: Levels>(&self, id: &str) -> Result<HallHandle, EventError> {
        let event = Event::<G>::load(self.archive.as_ref(), id)?;
        let (announcement, delayed) = event.announced(self.archive.as_ref())?;
        let log = self.logs.open(id).map_err(said)?;
        if !log.look(|journal| journal.competition().locked()) {
            return Err(EventError::Setting(format!("event {id} has no seats yet: lock its entries first")));
        }
        let sealed = self.archive.sealed_key(id, crate::event::model::MASTER)?;
        let master = (self.unseal)(id, &sealed).map_err(EventError::Setting)?;
        self.archive.audit(event.act((self.wall)(), "server", "read-key", "to deal the boards"))?;
        if announcement.body().draw.is_some() {
            // A server that was killed between two lines has left some draws to be made.
            let key = master.draw_key(id);
            let lots = Lots { announcement: announcement.hash(), key: &key, delayed: &delayed };
            log.make_due_draws(&lots).map_err(said)?;
        }
        let dealer = Dealer::new(&event, &announcement, &master, &delayed)?;
        let ai = AiReveal::of(&announcement, &master)?;
        let key = AiKey::new(*ai.verify(&announcement)?.expose());
        let signer = Signer::of_event(&master, id);
        // A clock that was set back must not make anything older than the deals could be known.
        let (clock, earliest) = (Arc::clone(&self.wall), announcement.not_before());
        let wall: Wall = Arc::new(move || clock().max(earliest));
        let _entered = self.runtime.enter();
        let (over, overs) = mpsc::unbounded_channel();
        let (settings, entrants, live) = (event.settings.clone(), event.entrants.clone(), event.live);
        let parts = Parts {
            event,
            dealer,
            key,
            archive: Arc::clone(&self.archive),
            log: Arc::clone(&log),
            deps: self.deps.clone(),
            wall: Arc::clone(&wall),
        };
        let tables: Arc<dyn GameTables> = Arc::new(Tables::new(parts, over));
        hall::open(HallSetup {
            id: id.to_owned(),
            settings,
            entrants,
            live,
            log,
            tables,
            overs,
            signer,
            archive: Arc::clone(&self.archive),
            deps: self.deps.clone(),
            wall,
        })
    }
}

fn said(error: LogError) -> EventError {
    match error {
        LogError::Event(error) => error,
        other => EventError::Said(message!("verbatim", text = other.message())),
    }
}
