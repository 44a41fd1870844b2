//! Results so far: what the journals of an event say, replayed once and kept as long as the server runs.
//!
//! Everything here can be thrown away and replayed again. What is handed out to those who may still play is only
//! about boards that every table has finished.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use super::App;
use super::audience::Sees;
use super::problem::Problem;
use crate::desk::opening;
use crate::event::archive::{Archive, ArchiveError, EntryRow, PlayRow};
use crate::event::model::Sitting;
use crate::event::results::{Collected, byes, replay_so_far, results_of, rulings, unplayed};
use crate::event::{Dealer, Event, EventError};
use crate::formats::tally::{Played, Tally, tally};
use crate::games::story::Fact;
use crate::games::{Game, Seat};
use crate::journal::bundle::Head;
use crate::journal::control::{ControlEntry, ControlKind, Line};
use crate::journal::sign::Signer;
use crate::journal::{Board, Header, scan_line};

/// A board that is over at a table.
#[derive(Clone)]
struct Done {
    played: Vec<Played>,
    head: Head,
    told: Told,
    /// The entrants for whom a computer player has decided.
    stood_in: Vec<String>,
}

/// What a traveller tells of a board at a table beside the compared results.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Told {
    /// What happened.
    pub story: Vec<Fact>,
    /// The raw score of each seat; nothing where the board was ended unfinished.
    pub scores: Option<Vec<(&'static str, i64)>>,
}

impl Told {
    fn of<G: Game>(header: &Header<G>, board: &Board<G>) -> Told {
        let scores = G::finished(board.state()).then(|| {
            let scores = G::scores(board.state());
            let of = |seat: Seat| Some((G::seat_name(seat)?, *scores.get(seat.index())?));
            G::seated(&header.start).iter().filter_map(of).collect()
        });
        Told { story: G::story(board.state()), scores }
    }
}

/// The entrants for whom computer players decided at a board, by its journal.
fn stood_in<G: Game>(event: &Event<G>, sitting: &Sitting<'_>, rows: &[EntryRow]) -> Vec<String> {
    let word = format!("\"note\":\"{}\"", ControlKind::StandIn.word());
    let seats = event.seats(sitting.who);
    let of = |row: &EntryRow| match scan_line::<G>(&row.body) {
        Ok(Line::Control(ControlEntry { kind: ControlKind::StandIn, seat: Some(seat), .. })) => {
            seats.get(G::seat_name(seat)?).cloned()
        }
        _ => None,
    };
    rows.iter().skip(1).filter(|row| row.body.contains(&word)).filter_map(of).collect()
}

#[derive(Default)]
struct Known {
    /// How many entries each journal had when it was last looked at.
    sizes: BTreeMap<i64, i64>,
    done: BTreeMap<i64, Done>,
    /// What is wrong with the journals that cannot be replayed.
    damaged: BTreeMap<i64, String>,
}

/// An event whose seats are drawn, with its deals.
pub struct Opened<G: Game> {
    /// The event.
    pub event: Event<G>,
    /// Deals its boards.
    pub dealer: Dealer<G>,
    /// Signs for it.
    pub signer: Signer,
    /// Its boards at tables, in the order of [`Event::sittings`].
    pub plays: Vec<PlayRow>,
    known: Mutex<Known>,
}

/// How far the boards of an event are.
#[derive(Clone, Debug, Default)]
pub struct SoFar {
    /// Per board: tables where it is over, tables in all, tables where it has begun.
    pub boards: BTreeMap<u32, (u32, u32, u32)>,
    /// Whether everything is over.
    pub complete: bool,
    /// Boards at tables that count as not played, as their journals are damaged; they are over.
    pub lost: BTreeSet<i64>,
}

impl SoFar {
    /// Whether every table has finished a board.
    #[must_use]
    pub fn over_everywhere(&self, board: u32) -> bool {
        self.boards.get(&board).is_some_and(|(over, all, _)| over == all)
    }
}

/// So many may watch standings at once.
const WATCHERS: usize = 10_000;

/// The events whose deals are open, and what was computed from them.
pub struct Shelf {
    /// The places for those who watch standings.
    pub watchers: Arc<Semaphore>,
    opened: Mutex<BTreeMap<String, Arc<dyn Any + Send + Sync>>>,
    latest: Mutex<BTreeMap<String, Latest>>,
    file: Mutex<Option<(String, Arc<Vec<u8>>)>>,
    notices: Mutex<BTreeMap<String, Notice>>,
}

/// A text for streams: of which of its hall's results, when it was made (µs), the text.
type Latest = ((u64, i64), Arc<String>);

/// The notice of rulings of an event: as of which publication, the text.
type Notice = (u32, Arc<Vec<u8>>);

/// How long standings for streams are kept, µs: everybody who watches shares them.
const FRESH: i64 = 900_000;

impl Default for Shelf {
    fn default() -> Shelf {
        Shelf {
            watchers: Arc::new(Semaphore::new(WATCHERS)),
            opened: Mutex::default(),
            latest: Mutex::default(),
            file: Mutex::default(),
            notices: Mutex::default(),
        }
    }
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shelf")
    }
}

impl Shelf {
    /// An event with its deals; its key is read, and logged, once as long as the server runs.
    ///
    /// # Errors
    /// The seats are not drawn, the delayed value is not known, the archive.
    pub fn open<G: Game>(&self, app: &App, id: &str, who: &str) -> Result<Arc<Opened<G>>, Problem> {
        let mut kept = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.get(id).and_then(|known| Arc::clone(known).downcast::<Opened<G>>().ok()) {
            return Ok(known);
        }
        let archive: &dyn Archive = app.store.as_ref();
        let event = Event::<G>::load(archive, id)?;
        let (announcement, delayed) = event.announced(archive)?;
        let why = "to show results";
        let master = opening::master(archive, id, &app.secret.sealing(), why, app.clock.now(), who)?;
        let dealer = Dealer::new(&event, &announcement, &master, &delayed)?;
        let signer = Signer::of_event(&master, id);
        let plays = archive.plays(id)?;
        let opened = Arc::new(Opened { event, dealer, signer, plays, known: Mutex::new(Known::default()) });
        kept.insert(id.to_owned(), Arc::clone(&opened) as Arc<dyn Any + Send + Sync>);
        Ok(opened)
    }

    /// Forgets what was read and computed of an event: something about it was corrected.
    pub fn forget(&self, id: &str) {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clear();
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// A text under a key, computed again when its hall has computed results since, or when it is not fresh any more.
    /// `now`: how often the hall has, and the instant.
    ///
    /// # Errors
    /// Those of the computation.
    pub fn latest(
        &self,
        key: &str,
        now: (u64, i64),
        compute: impl FnOnce() -> Result<String, Problem>,
    ) -> Result<Arc<String>, Problem> {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, text)) = latest.get(key)
            && at.0 == now.0
            && (0..FRESH).contains(&now.1.saturating_sub(at.1))
        {
            return Ok(Arc::clone(text));
        }
        let text = Arc::new(compute()?);
        if latest.len() > 1000 {
            latest.clear();
        }
        latest.insert(key.to_owned(), (now, Arc::clone(&text)));
        Ok(text)
    }

    /// The notice of rulings of an event as of a publication: it stays the same until the next one, and is kept.
    ///
    /// # Errors
    /// Those of the computation.
    pub fn notice(
        &self,
        event: &str,
        revision: u32,
        compute: impl FnOnce() -> Result<Vec<u8>, Problem>,
    ) -> Result<Arc<Vec<u8>>, Problem> {
        let kept = || self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = kept().get(event).filter(|(of, _)| *of == revision) {
            return Ok(Arc::clone(bytes));
        }
        let bytes = Arc::new(compute()?);
        kept().insert(event.to_owned(), (revision, Arc::clone(&bytes)));
        Ok(bytes)
    }

    /// A file under a key; the last one is kept.
    ///
    /// # Errors
    /// Those of the computation.
    pub fn file(
        &self,
        key: &str,
        compute: impl FnOnce() -> Result<Arc<Vec<u8>>, Problem>,
    ) -> Result<Arc<Vec<u8>>, Problem> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, bytes)) = file.as_ref()
            && known == key
        {
            return Ok(Arc::clone(bytes));
        }
        let bytes = compute()?;
        *file = Some((key.to_owned(), Arc::clone(&bytes)));
        Ok(bytes)
    }
}

impl<G: Game> Opened<G> {
    /// Replays what is new, and says how far the boards are. A journal that does not fit the deal, the rules or its own
    /// chain concerns its own board at its own table only, which is over once nobody can be playing it.
    ///
    /// # Errors
    /// The archive.
    pub fn look(&self, app: &App) -> Result<SoFar, Problem> {
        let sizes: BTreeMap<i64, i64> =
            app.store.journal_sizes(&self.event.id).map_err(ArchiveError::from)?.into_iter().collect();
        let archive: &dyn Archive = app.store.as_ref();
        let positions = self.event.positions();
        // What the hall cannot play on, be it for what was answered at it.
        let given_up: BTreeSet<i64> = app
            .halls
            .get(&self.event.id)
            .map_or_else(BTreeSet::new, |hall| hall.watch.borrow().damaged.keys().copied().collect());
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut so_far = SoFar { complete: !self.plays.is_empty(), ..SoFar::default() };
        for (sitting, play) in self.event.sittings().zip(&self.plays) {
            let id = play.id.0;
            let size = sizes.get(&id).copied().unwrap_or(0);
            if size > 0 && !known.done.contains_key(&id) && known.sizes.get(&id) != Some(&size) {
                let header = self.dealer.header(sitting.board)?;
                let rows = archive.journal(play.id)?;
                match replay_so_far(&header, play, &rows) {
                    Ok(board) => {
                        known.damaged.remove(&id);
                        if board.over() {
                            let (played, head) =
                                results_of(&self.event, &positions, &sitting, &header, &board);
                            let told = Told::of(&header, &board);
                            let stood_in = stood_in(&self.event, &sitting, &rows);
                            known.done.insert(id, Done { played, head, told, stood_in });
                        }
                    }
                    Err(EventError::Damaged(reason)) => {
                        tracing::error!(play = id, reason, "a journal is damaged");
                        known.damaged.insert(id, reason);
                    }
                    Err(other) => return Err(other.into()),
                }
                known.sizes.insert(id, size);
            }
            let lost = !known.done.contains_key(&id)
                && (given_up.contains(&id)
                    || known.damaged.contains_key(&id) && self.nobody_plays(app, play)?);
            let over = known.done.contains_key(&id) || lost;
            if lost {
                so_far.lost.insert(id);
            }
            let counts = so_far.boards.entry(sitting.board).or_default();
            counts.0 += u32::from(over);
            counts.1 += 1;
            counts.2 += u32::from(size > 0);
            so_far.complete &= over;
        }
        Ok(so_far)
    }

    /// Whether a board whose journal is damaged cannot be in play at its table: its hall is not open, or has finished
    /// the board.
    fn nobody_plays(&self, app: &App, play: &PlayRow) -> Result<bool, Problem> {
        let Some(hall) = app.halls.get(&self.event.id) else { return Ok(true) };
        if hall.progress().complete() {
            return Ok(true);
        }
        let archive: &dyn Archive = app.store.as_ref();
        let boards = archive.boards(&self.event.id)?;
        Ok(boards.iter().any(|row| {
            (&row.set_id, row.number) == (&play.play.set_id, play.play.number) && row.state == "finished"
        }))
    }

    /// The boards at tables whose journals were found damaged, with what is wrong.
    #[must_use]
    pub fn damaged(&self, app: &App) -> BTreeMap<i64, String> {
        let mut damaged = self.known.lock().unwrap_or_else(PoisonError::into_inner).damaged.clone();
        if let Some(hall) = app.halls.get(&self.event.id) {
            for (play, reason) in hall.watch.borrow().damaged.iter() {
                damaged.entry(*play).or_insert_with(|| reason.clone());
            }
        }
        damaged
    }

    /// What happened on a board at each table that has finished it, in the order of the tables.
    ///
    /// # Errors
    /// As [`Opened::look`].
    pub fn stories(&self, app: &App, board: u32) -> Result<Vec<(u32, Told)>, Problem> {
        self.look(app)?;
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stories: Vec<(u32, Told)> = self
            .event
            .sittings()
            .zip(&self.plays)
            .filter(|(sitting, _)| sitting.board == board)
            .filter_map(|(sitting, play)| Some((sitting.table, known.done.get(&play.id.0)?.told.clone())))
            .collect();
        stories.sort_by_key(|(table, _)| *table);
        Ok(stories)
    }

    /// At how many of these boards computer players decided for an entrant, by its id.
    #[must_use]
    pub fn stood_in(&self, boards: &BTreeSet<u32>) -> BTreeMap<String, u32> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut count = BTreeMap::new();
        for (sitting, play) in self.event.sittings().zip(&self.plays) {
            if let Some(done) = known.done.get(&play.id.0).filter(|_| boards.contains(&sitting.board)) {
                for entrant in &done.stood_in {
                    *count.entry(entrant.clone()).or_insert(0) += 1;
                }
            }
        }
        count
    }

    /// The results so far: of every board that is over somewhere, or only of those that are over everywhere.
    ///
    /// # Errors
    /// As [`Opened::look`].
    pub fn collected(&self, app: &App, everywhere: bool) -> Result<(SoFar, Collected), Problem> {
        let so_far = self.look(app)?;
        let shown: BTreeSet<u32> = so_far
            .boards
            .keys()
            .copied()
            .filter(|board| !everywhere || so_far.over_everywhere(*board))
            .collect();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let positions = self.event.positions();
        let mut collected = Collected { played: Vec::new(), heads: Vec::new() };
        for (sitting, play) in self.event.sittings().zip(&self.plays) {
            if !shown.contains(&sitting.board) {
                continue;
            }
            if let Some(done) = known.done.get(&play.id.0) {
                collected.played.extend(done.played.iter().cloned());
                collected.heads.push(done.head.clone());
            } else if so_far.lost.contains(&play.id.0) {
                let header = self.dealer.header(sitting.board)?;
                collected.played.extend(unplayed(&self.event, &positions, &sitting, &header));
            }
        }
        let begun: BTreeSet<u32> = collected.played.iter().map(|played| played.board).collect();
        collected.played.extend(byes(&self.event).into_iter().filter(|bye| begun.contains(&bye.board)));
        Ok((so_far, collected))
    }

    /// The public results so far without the board that was counted last, in the order of the movement, and without
    /// what was ruled about it. `None`: there is no other board.
    ///
    /// # Errors
    /// As [`Opened::collected`].
    pub fn before_the_last(&self, app: &App) -> Result<Option<Tally>, Problem> {
        let (_, mut collected) = self.collected(app, true)?;
        let mut shown: BTreeSet<u32> = collected.played.iter().map(|played| played.board).collect();
        let order = self.event.rounds.iter().flat_map(|round| &round.boards);
        let Some(last) = order.copied().rfind(|board| shown.contains(board)) else {
            return Ok(None);
        };
        shown.remove(&last);
        if shown.is_empty() {
            return Ok(None);
        }
        collected.played.retain(|played| played.board != last);
        let archive: &dyn Archive = app.store.as_ref();
        let rulings = super::api::rulings::only_about(rulings(archive, &self.event.id)?, &shown);
        let tally = tally(&self.event.settings, &self.event.entrants, collected.played, &rulings)
            .map_err(crate::event::EventError::from)?;
        Ok(Some(tally))
    }

    /// Results and standings as somebody may see them, rulings included.
    ///
    /// # Errors
    /// As [`Opened::collected`].
    pub fn tally(&self, app: &App, sees: Sees) -> Result<(SoFar, Tally), Problem> {
        let (so_far, collected) = self.collected(app, sees == Sees::SoFar)?;
        let archive: &dyn Archive = app.store.as_ref();
        let mut rulings = rulings(archive, &self.event.id)?;
        match sees {
            Sees::Everything => {}
            Sees::SoFar if so_far.complete => {}
            Sees::SoFar => {
                // Rulings on boards that are not shown yet would say something about them.
                let shown: BTreeSet<u32> = collected.played.iter().map(|played| played.board).collect();
                rulings = super::api::rulings::only_about(rulings, &shown);
            }
            Sees::Revision { rulings: upto, .. } => rulings.truncate(upto as usize),
        }
        let tally = tally(&self.event.settings, &self.event.entrants, collected.played, &rulings)
            .map_err(crate::event::EventError::from)?;
        Ok((so_far, tally))
    }
}
