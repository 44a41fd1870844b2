//! The read model: what pages, the API, streams and the desk are shown of an event. It is the event's journal as it stands
//! in the database, replayed once and grown line by line.
//!
//! Architecture invariants: everything here can be thrown away at any time and is computed again; nothing is shown before it
//! is durable; the map of events is never locked while something is read, replayed or computed; of many who ask for the same
//! at the same time one computes it and the others wait for it; what is handed out to those who may still play is only about
//! boards that every table has finished.

mod loaded;
mod state;
mod story;

pub use loaded::LoadedEvent;
pub use state::{SoFar, State};
pub use story::Told;

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use tokio::sync::Semaphore;

use super::App;
use super::problem::Problem;
use crate::event::Event;
use crate::event::archive::Archive;
use crate::games::Game;

/// Maximum number of those who watch standings at once.
const WATCHERS: usize = 10_000;
/// Maximum number of events that are kept; of more, the one that was asked for the longest ago is thrown away.
const EVENTS_MAX: usize = 64;
/// Maximum number of texts that are kept of an event.
const TEXTS_MAX: usize = 200;

/// What is known of the events of a server.
pub struct ReadModel {
    /// The places for those who watch standings.
    pub watchers: Arc<Semaphore>,
    slots: Mutex<BTreeMap<String, Arc<Slot>>>,
    asked: AtomicU64,
}

impl Default for ReadModel {
    fn default() -> ReadModel {
        ReadModel {
            watchers: Arc::new(Semaphore::new(WATCHERS)),
            slots: Mutex::default(),
            asked: AtomicU64::new(0),
        }
    }
}

impl std::fmt::Debug for ReadModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ReadModel")
    }
}

/// A text under a key, with what it was made of.
type Text = Arc<Mutex<Option<(String, Arc<Vec<u8>>)>>>;

/// An event with its deals, and the number of rounds and sittings as of which it was loaded.
type LoadedAs = (usize, usize, Arc<dyn Any + Send + Sync>);

/// The place of one event.
#[derive(Default)]
struct Slot {
    /// When it was asked for last, counted over all events.
    asked: AtomicU64,
    /// One replay at a time.
    growing: Mutex<()>,
    state: RwLock<Option<State>>,
    /// The event with its deals, as of a number of its rounds and sittings.
    loaded: Mutex<Option<LoadedAs>>,
    texts: Mutex<BTreeMap<String, Text>>,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ReadModel {
    fn slot(&self, event: &str) -> Arc<Slot> {
        let mut slots = held(&self.slots);
        let slot = Arc::clone(slots.entry(event.to_owned()).or_default());
        slot.asked.store(self.asked.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        if slots.len() > EVENTS_MAX {
            let oldest = slots.iter().min_by_key(|(_, slot)| slot.asked.load(Ordering::Relaxed));
            if let Some(id) = oldest.map(|(id, _)| id.clone()) {
                slots.remove(&id);
            }
        }
        slot
    }

    /// Looks at what the journal of an event says. New lines are replayed first.
    ///
    /// # Errors
    /// The event is not announced; its journal is damaged; the archive; whatever `look` says.
    pub fn look<T>(
        &self,
        app: &App,
        event: &str,
        look: impl FnOnce(&State) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let slot = self.slot(event);
        slot.grow(app, event)?;
        let state = slot.state.read().unwrap_or_else(PoisonError::into_inner);
        look(state.as_ref().ok_or_else(|| Problem::internal("an event was thrown away while it was read"))?)
    }

    /// An event whose seats are drawn, with its deals; its key is read, and logged, once as long as it is kept.
    ///
    /// # Errors
    /// The seats are not drawn, the delayed value is not known, the archive.
    pub fn open<G: Game>(&self, app: &App, event: &str, who: &str) -> Result<Arc<LoadedEvent<G>>, Problem> {
        let slot = self.slot(event);
        slot.grow(app, event)?;
        let mut kept = held(&slot.loaded);
        let known = kept.as_ref().and_then(|(rounds, sittings, any)| {
            Some((*rounds, *sittings, Arc::clone(any).downcast::<LoadedEvent<G>>().ok()?))
        });
        let state = slot.state.read().unwrap_or_else(PoisonError::into_inner);
        let state = state.as_ref().ok_or_else(|| Problem::internal("an event was thrown away"))?;
        let competition = state.competition();
        let size = (competition.schedule().len(), competition.sittings().len());
        let loaded = match known {
            Some((rounds, sittings, loaded)) if (rounds, sittings) == size => return Ok(loaded),
            Some((.., loaded)) => Arc::new(loaded.grown(state)),
            None => Arc::new(LoadedEvent::<G>::of(app, event, who, state)?),
        };
        *kept = Some((size.0, size.1, Arc::clone(&loaded) as Arc<dyn Any + Send + Sync>));
        Ok(loaded)
    }

    /// A text of an event under a key, computed again when `made_of` differs from what the kept one was made of. Of those
    /// who ask at the same time one computes.
    ///
    /// # Errors
    /// Those of the computation.
    pub fn text(
        &self,
        event: &str,
        key: &str,
        made_of: &str,
        compute: impl FnOnce() -> Result<Vec<u8>, Problem>,
    ) -> Result<Arc<Vec<u8>>, Problem> {
        let slot = self.slot(event);
        let text = {
            let mut texts = held(&slot.texts);
            if texts.len() > TEXTS_MAX {
                texts.clear();
            }
            Arc::clone(texts.entry(key.to_owned()).or_default())
        };
        let mut kept = held(&text);
        if let Some((of, bytes)) = kept.as_ref()
            && of == made_of
        {
            return Ok(Arc::clone(bytes));
        }
        let bytes = Arc::new(compute()?);
        *kept = Some((made_of.to_owned(), Arc::clone(&bytes)));
        Ok(bytes)
    }

    /// Reads settings and entrants of an event again: something about them was corrected. Its journal is not replayed again.
    ///
    /// # Errors
    /// The archive.
    pub fn corrected<G: Game>(&self, app: &App, event: &str) -> Result<(), Problem> {
        let slot = self.slot(event);
        let archive: &dyn Archive = app.store.as_ref();
        let read = Event::<G>::load(archive, event)?;
        if let Some(state) = slot.state.write().unwrap_or_else(PoisonError::into_inner).as_mut() {
            state.corrected(read.settings, read.entrants);
        }
        *held(&slot.loaded) = None;
        held(&slot.texts).clear();
        Ok(())
    }

    /// Throws away what is known of an event.
    pub fn forget(&self, event: &str) {
        held(&self.slots).remove(event);
    }
}

impl Slot {
    /// Replays what is new in the database.
    fn grow(&self, app: &App, event: &str) -> Result<(), Problem> {
        let archive: &dyn Archive = app.store.as_ref();
        let known = || {
            let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
            state.as_ref().map(State::seq)
        };
        if let Some(seq) = known()
            && archive.event_length(event)? <= seq
        {
            return Ok(());
        }
        let _alone = held(&self.growing);
        let Some(seq) = known() else {
            let state = State::of(archive, event)?;
            *self.state.write().unwrap_or_else(PoisonError::into_inner) = Some(state);
            return Ok(());
        };
        let rows = archive.event_lines(event, seq)?;
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = state.as_mut() {
            for row in &rows {
                state.take(row)?;
            }
        }
        Ok(())
    }
}
