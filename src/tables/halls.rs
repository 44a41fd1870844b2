//! The halls of a server: one for each event that is played.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::hall::{self, HallHandle, Setup, Wall};
use super::task::Deps;
use crate::dealing::{AiReveal, MasterKey};
use crate::event::archive::Archive;
use crate::event::{Dealer, Event, EventError};
use crate::games::holdem::Holdem;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::games::{GameKind, rulesets};
use crate::journal::sign::Signer;
use crate::players::{AiKey, Levels};

/// Opens an event's master key; reading it is the caller's to log.
pub type Unseal = dyn Fn(&str, &[u8]) -> Result<MasterKey, String> + Send + Sync;

/// The halls that are open. Clones share them.
#[derive(Clone)]
pub struct Halls(Arc<Inner>);

struct Inner {
    halls: Mutex<BTreeMap<String, HallHandle>>,
    /// Events whose halls stay closed for now.
    locked_out: Mutex<BTreeSet<String>>,
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
        deps: Deps,
        unseal: Box<Unseal>,
        runtime: tokio::runtime::Handle,
        wall: Wall,
    ) -> Halls {
        Halls(Arc::new(Inner {
            halls: Mutex::new(BTreeMap::new()),
            locked_out: Mutex::default(),
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

    /// The hall of an event, if it is open.
    #[must_use]
    pub fn get(&self, event: &str) -> Option<HallHandle> {
        self.0.halls.lock().unwrap_or_else(PoisonError::into_inner).get(event).cloned()
    }

    /// Every open hall by event.
    #[must_use]
    pub fn all(&self) -> Vec<(String, HallHandle)> {
        let halls = self.0.halls.lock().unwrap_or_else(PoisonError::into_inner);
        halls.iter().map(|(event, hall)| (event.clone(), hall.clone())).collect()
    }

    /// Opens the hall of a locked event, or finds it open. Reads every journal; not for an async task's thread.
    ///
    /// # Errors
    /// The event is not announced, its delayed value is not known, its movement is not planned, or it is damaged.
    pub fn open(&self, event: &str) -> Result<HallHandle, EventError> {
        // Held all the time: two requests must not open two halls.
        let mut halls = self.0.halls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hall) = halls.get(event) {
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
        halls.insert(event.to_owned(), hall.clone());
        Ok(hall)
    }

    /// Closes the hall of an event, if it is open; what is durable stays, and it can be opened again.
    pub async fn shut(&self, event: &str) {
        let hall = self.0.halls.lock().unwrap_or_else(PoisonError::into_inner).remove(event);
        if let Some(hall) = hall {
            hall.close().await;
        }
    }

    /// Closes the hall of an event and lets nobody open it again as long as the answer lives; when it is there, no table
    /// of the event hands anything to the ledger any more. `None`: somebody else keeps it closed.
    pub async fn lock_out(&self, event: &str) -> Option<LockedOut> {
        let hall = {
            // In this order, as in `open`: whoever opens it now is before us or is refused.
            let mut halls = self.0.halls.lock().unwrap_or_else(PoisonError::into_inner);
            if !self.0.locked_out.lock().unwrap_or_else(PoisonError::into_inner).insert(event.to_owned()) {
                return None;
            }
            halls.remove(event)
        };
        let locked_out = LockedOut { halls: self.clone(), event: event.to_owned() };
        if let Some(hall) = hall {
            hall.close().await;
        }
        Some(locked_out)
    }

    /// Closes every hall; what is durable stays.
    pub async fn close(&self) {
        let halls = std::mem::take(&mut *self.0.halls.lock().unwrap_or_else(PoisonError::into_inner));
        for hall in halls.into_values() {
            hall.close().await;
        }
    }
}

impl Inner {
    fn open<G: Levels>(&self, id: &str) -> Result<HallHandle, EventError> {
        let event = Event::<G>::load(self.archive.as_ref(), id)?;
        if event.rounds.is_empty() {
            return Err(EventError::Setting(format!(
                "event {id} has no movement yet: lock its entries first"
            )));
        }
        let (announcement, delayed) = event.announced(self.archive.as_ref())?;
        let sealed = self.archive.sealed_key(id, crate::event::model::MASTER)?;
        let master = (self.unseal)(id, &sealed).map_err(EventError::Setting)?;
        self.archive.audit(event.act((self.wall)(), "server", "read-key", "to deal the boards"))?;
        let dealer = Arc::new(Dealer::new(&event, &announcement, &master, &delayed)?);
        let ai = AiReveal::of(&announcement, &master)?;
        let key = AiKey::new(*ai.verify(&announcement)?.expose());
        let signer = Signer::of_event(&master, id);
        // A clock that was set back must not make anything older than the deals could be known.
        let (clock, earliest) = (Arc::clone(&self.wall), announcement.not_before());
        let wall: Wall = Arc::new(move || clock().max(earliest));
        let setup = Setup {
            event,
            dealer,
            key,
            signer,
            archive: Arc::clone(&self.archive),
            deps: self.deps.clone(),
            wall,
        };
        let _entered = self.runtime.enter();
        hall::open(setup)
    }
}
