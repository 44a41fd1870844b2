//! An event with its deals.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::state::{SoFar, State};
use super::story::Told;
use crate::canonical::to_string;
use crate::desk::opening;
use crate::event::archive::{Archive, ArchiveError, EntryRow, NewPlay, PlayId, PlayRow};
use crate::event::live::Pace;
use crate::event::results::replay_so_far;
use crate::event::{Dealer, Event, EventError};
use crate::formats::Sitting;
use crate::formats::tally::Tally;
use crate::games::Game;
use crate::journal::control::{ControlKind, Line};
use crate::journal::sign::Signer;
use crate::journal::{Header, scan_line};
use crate::web::App;
use crate::web::audience::Sees;
use crate::web::problem::Problem;
use crate::words::message;

/// What happened on boards at their tables, in the order of the tables.
type Stories = BTreeMap<u32, Arc<Vec<(u32, Told)>>>;

/// An event whose seats are drawn, with its deals.
pub struct LoadedEvent<G: Game> {
    /// The event with the rounds that are known.
    pub event: Event<G>,
    /// Deals its boards.
    pub dealer: Arc<Dealer<G>>,
    /// Signs for it.
    pub signer: Arc<Signer>,
    /// The boards at tables that were ordered: the first of [`Event::sittings`], in their order.
    pub plays: Vec<PlayRow>,
    /// A sitting of each board that was ordered: all of them begin alike.
    dealt: BTreeMap<u32, Sitting>,
    number: u32,
    stories: Arc<Mutex<Stories>>,
}

fn play(number: u32, sitting: &Sitting) -> PlayRow {
    PlayRow {
        id: PlayId::of(number, sitting.sitting),
        play: NewPlay {
            set_id: sitting.deal.set.clone(),
            number: i64::from(sitting.deal.board),
            round: i64::from(sitting.round),
            table_number: i64::from(sitting.table),
            // Names of seats and ids always have a canonical form.
            seating: to_string(&sitting.seats).unwrap_or_default(),
        },
    }
}

fn dealt(state: &State) -> BTreeMap<u32, Sitting> {
    let sittings = state.competition().sittings().iter();
    sittings.map(|sitting| (sitting.deal.board, sitting.clone())).collect()
}

impl<G: Game> LoadedEvent<G> {
    pub(super) fn of(app: &App, id: &str, who: &str, state: &State) -> Result<LoadedEvent<G>, Problem> {
        let archive: &dyn Archive = app.store.as_ref();
        let mut event = Event::<G>::load(archive, id)?;
        event.follow(state.competition());
        let (announcement, delayed) = event.announced(archive)?;
        let why = "to show results";
        let master = opening::master(archive, id, &app.secret.sealing(), why, app.clock.now(), who)?;
        let dealer = Arc::new(Dealer::new(&event, &announcement, &master, &delayed)?);
        let signer = Arc::new(Signer::of_event(&master, id));
        let number = archive.event_number(id)?;
        let plays = state.competition().sittings().iter().map(|sitting| play(number, sitting)).collect();
        Ok(LoadedEvent { event, dealer, signer, plays, dealt: dealt(state), number, stories: Arc::default() })
    }

    /// The same with the rounds and sittings that have come since.
    pub(super) fn grown(&self, state: &State) -> LoadedEvent<G> {
        let mut event = self.event.clone();
        event.follow(state.competition());
        let sittings = state.competition().sittings().iter();
        LoadedEvent {
            event,
            dealer: Arc::clone(&self.dealer),
            signer: Arc::clone(&self.signer),
            plays: sittings.map(|sitting| play(self.number, sitting)).collect(),
            dealt: dealt(state),
            number: self.number,
            stories: Arc::clone(&self.stories),
        }
    }

    /// A board with its cards: secret until every table has finished it.
    ///
    /// # Errors
    /// The board is in no round that has started.
    pub fn header(&self, board: u32) -> Result<Header<G>, EventError> {
        match self.dealt.get(&board) {
            Some(sitting) => self.dealer.dealt(sitting),
            None => Err(EventError::Said(message!("desk-no-set", board))),
        }
    }

    /// How far the boards are.
    ///
    /// # Errors
    /// The archive.
    pub fn look(&self, app: &App) -> Result<SoFar, Problem> {
        app.read_model.look(app, &self.event.id, |state| Ok(state.so_far()))
    }

    /// Results and standings as somebody may see them, rulings included.
    ///
    /// # Errors
    /// The archive.
    pub fn tally(&self, app: &App, sees: Sees) -> Result<(SoFar, Arc<Tally>), Problem> {
        app.read_model.look(app, &self.event.id, |state| {
            Ok((state.so_far(), state.tally(sees).map_err(EventError::from)?))
        })
    }

    /// The boards at tables whose journals are damaged, with what is wrong.
    #[must_use]
    pub fn damaged(&self, app: &App) -> BTreeMap<i64, String> {
        let hall = app.halls.get(&self.event.id);
        hall.map_or_else(BTreeMap::new, |hall| hall.watch.borrow().damaged.as_ref().clone())
    }

    /// Whether the event's journal says that a board at a table ended with a line that its own journal no longer has.
    ///
    /// # Errors
    /// The archive.
    pub fn cut_short(&self, app: &App, play: &PlayRow, journal: &[EntryRow]) -> Result<bool, Problem> {
        let head = app.read_model.look(app, &self.event.id, |state| {
            Ok(state.competition().finished(play.id.sitting()).map(|finished| finished.head.clone()))
        })?;
        Ok(head.is_some_and(|head| !journal.iter().any(|row| hex::encode(&row.hash) == head)))
    }

    /// What happened on a board at each table that has finished it, in the order of the tables. A board that every table has
    /// finished is replayed once.
    ///
    /// # Errors
    /// The archive.
    pub fn stories(&self, app: &App, board: u32) -> Result<Arc<Vec<(u32, Told)>>, Problem> {
        let kept = || self.stories.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().get(&board) {
            return Ok(Arc::clone(known));
        }
        let archive: &dyn Archive = app.store.as_ref();
        let header = self.header(board)?;
        let mut stories = Vec::new();
        for (sitting, play) in self.event.sittings().zip(&self.plays).filter(|(one, _)| one.board == board) {
            match replay_so_far(&header, play, &archive.journal(play.id)?) {
                Ok(board) if board.over() => stories.push((sitting.table, Told::of(&header, &board))),
                Ok(_) | Err(EventError::Damaged(_)) => {}
                Err(other) => return Err(other.into()),
            }
        }
        stories.sort_by_key(|(table, _)| *table);
        let stories = Arc::new(stories);
        if self.look(app)?.over_everywhere(board) {
            kept().insert(board, Arc::clone(&stories));
        }
        Ok(stories)
    }

    /// At how many of these boards computer players decided for an entrant, by its id. Only where nobody is waited for
    /// longer than the event says.
    ///
    /// # Errors
    /// The archive.
    pub fn stood_in(&self, app: &App, boards: &BTreeSet<u32>) -> Result<BTreeMap<String, u32>, Problem> {
        if self.event.live.pace != Pace::Own || self.event.live.absent_s == 0 {
            return Ok(BTreeMap::new());
        }
        let plays: BTreeMap<i64, _> =
            self.plays.iter().map(|row| row.id.0).zip(self.event.sittings()).collect();
        let rows = app.store.notes(&self.event.id, ControlKind::StandIn).map_err(ArchiveError::from)?;
        let mut count = BTreeMap::new();
        for row in rows {
            let Some(sitting) = plays.get(&row.play_id).filter(|one| boards.contains(&one.board)) else {
                continue;
            };
            let Ok(Line::Control(entry)) = scan_line::<G>(&row.body) else { continue };
            let Some(seat) = entry.seat.and_then(G::seat_name) else { continue };
            if let Some(entrant) = self.event.seats(sitting.who).remove(seat) {
                *count.entry(entrant).or_insert(0) += 1;
            }
        }
        Ok(count)
    }
}
