//! What a hall needs of a game: a hall knows no game, one implementation for every game opens its tables.
//!
//! Everything here may ask the database and replay journals: it is not for an async task's thread.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::message;
use super::table::{SeatController, Shown, Table, TableSettings};
use super::task::{self, AiSeats, Command, Deps, Handle, Over};
use crate::event::archive::{Archive, ArchiveError, EntryRow, PlayId};
use crate::event::ledger::{Ledger, LedgerError};
use crate::event::live::Live;
use crate::event::log::{EventLog, Wall};
use crate::event::{Dealer, Event, EventError};
use crate::formats::settings::Entrant;
use crate::formats::{DealRef, Finished, Sitting};
use crate::games::{Refusal as _, Ruleset as _, Seat, Viewer};
use crate::journal::control::{ControlEntry, ControlKind, Line};
use crate::journal::header::Header;
use crate::journal::{Board, By, finished, scan_line};
use crate::players::{self, AiKey, Levels, PlayerRef};

/// A table that is over, or was lost.
#[derive(Clone, Debug)]
pub struct TableOver {
    /// The sitting.
    pub sitting: u32,
    /// Why the table cannot go on; `None` when its board is over.
    pub lost: Option<String>,
}

/// What became of a sitting that was to be opened.
#[derive(Debug)]
pub enum Opened {
    /// Its table is open.
    Table {
        /// The table.
        handle: Handle,
        /// Whether a computer player decides for persons who have not come.
        stood_in: bool,
    },
    /// Its journal says that the board is over.
    Over(Finished),
}

/// A sitting that is to be opened.
#[derive(Clone, Debug)]
pub struct ToOpen {
    /// The sitting.
    pub sitting: Sitting,
    /// Whether a computer player decides for the persons.
    pub stand_in: bool,
    /// How the event is played.
    pub live: Live,
    /// Whether nothing of it can be in its journal yet.
    pub fresh: bool,
}

/// The tables of one game in one event.
pub trait GameTables: Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;
    /// The ruleset's name, and the ruleset as data.
    fn rules(&self) -> (String, Value);
    /// The seat of a name.
    fn seat_named(&self, name: &str) -> Option<Seat>;
    /// The name of a seat; empty for none.
    fn seat_name(&self, seat: Seat) -> &'static str;
    /// Opens the table of a sitting, or goes on with one that another run of the server has left open. Its end is told to
    /// the hall. Within a tokio runtime.
    ///
    /// # Errors
    /// The board cannot be dealt, its journal is damaged ([`EventError::Damaged`]), or the database fails.
    fn open(&self, order: &ToOpen) -> Result<Opened, EventError>;
    /// What is known of the journal of a sitting that cannot be played on: a line that says so, or else where its journal
    /// ends; and the lines that are to be written with it.
    ///
    /// # Errors
    /// The database fails.
    fn give_up(&self, sitting: &Sitting) -> Result<(Finished, Vec<EntryRow>), EventError>;
    /// What a seat that has seen `n` lines of a board has missed of it, `finished` last.
    ///
    /// # Errors
    /// The journal is damaged, or the database fails.
    fn missed(&self, sitting: &Sitting, seat: Seat, n: u32) -> Result<Vec<String>, EventError>;
    /// Forgets the cards of a board that every table has finished.
    fn forget(&self, deal: &DealRef);
    /// How the event is played as the desk has decided it by now, and how many boards a full round has.
    ///
    /// # Errors
    /// The database fails.
    fn live(&self) -> Result<(Live, u32), EventError>;
}

/// What [`GameTables`] of a game are made of.
pub struct Parts<G: Levels> {
    /// The event.
    pub event: Event<G>,
    /// Deals its boards.
    pub dealer: Dealer<G>,
    /// The AI players' key.
    pub key: AiKey,
    /// Where it is kept.
    pub archive: Arc<dyn Archive + Send + Sync>,
    /// Where lines go.
    pub log: Arc<EventLog>,
    /// What tables share.
    pub deps: Deps,
    /// The wall clock.
    pub wall: Wall,
}

/// The deals of boards that some table has still to finish, by board number.
type Deals<G> = BTreeMap<u32, (Sitting, Header<G>)>;

/// The tables of an event of a game.
pub struct Tables<G: Levels> {
    event: Event<G>,
    dealer: Dealer<G>,
    key: Arc<AiKey>,
    archive: Arc<dyn Archive + Send + Sync>,
    log: Arc<EventLog>,
    deps: Deps,
    wall: Wall,
    over: mpsc::UnboundedSender<Over<G>>,
    deals: Mutex<Deals<G>>,
}

impl<G: Levels> Tables<G> {
    /// No table yet. What becomes of tables is told to `over`. Within a tokio runtime.
    #[must_use]
    pub fn new(parts: Parts<G>, over: mpsc::UnboundedSender<TableOver>) -> Tables<G> {
        let (sender, mut ended) = mpsc::unbounded_channel::<Over<G>>();
        tokio::spawn(async move {
            while let Some(one) = ended.recv().await {
                let told = TableOver { sitting: one.play.sitting(), lost: one.lost };
                if over.send(told).is_err() {
                    return;
                }
            }
        });
        let Parts { event, dealer, key, archive, log, deps, wall } = parts;
        // The end of a board and the event's line of it are one write.
        let deps = Deps { ledger: Arc::clone(&log) as Arc<dyn Ledger>, ..deps };
        let key = Arc::new(key);
        Tables { event, dealer, key, archive, log, deps, wall, over: sender, deals: Mutex::default() }
    }

    fn header(&self, sitting: &Sitting) -> Result<Header<G>, EventError> {
        let same = |known: &Sitting| known.deal == sitting.deal && known.setup == sitting.setup;
        let mut deals = self.deals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, header)) = deals.get(&sitting.deal.board).filter(|(known, _)| same(known)) {
            return Ok(header.clone());
        }
        let header = self.dealer.dealt(sitting)?;
        if deals.insert(sitting.deal.board, (sitting.clone(), header.clone())).is_none() {
            self.deps.counters.deals.fetch_add(1, Ordering::Relaxed);
        }
        Ok(header)
    }

    /// The end of a board that goes on no more, if its journal can be replayed: what it says, or a control entry `end`.
    fn ended(
        &self,
        sitting: &Sitting,
        header: &Header<G>,
        rows: &[EntryRow],
    ) -> Option<(Finished, Vec<EntryRow>)> {
        let play = self.log.play(sitting.sitting);
        let mut written = Vec::new();
        let (mut board, at) = if rows.is_empty() {
            let board = Board::open(header);
            written.push(EntryRow::new(play, 0, (self.wall)(), header.receipt(), *board.chain()));
            (board, 0)
        } else {
            let (board, lines) = replayed(header, play, rows).ok()?;
            (board, lines.last().map_or(0, |shown| shown.at))
        };
        if !board.over() {
            let note = ControlEntry { at: Some(at), ..ControlEntry::new(ControlKind::End, By::Clock) };
            let hash = board.note(&note).ok()?;
            let seq = i64::from(board.lines());
            let at_us = i64::try_from(at).unwrap_or(i64::MAX);
            written.push(EntryRow::new(play, seq, at_us, board.last_bytes().to_owned(), hash));
        }
        Some((finished(sitting.sitting, header, &board), written))
    }

    fn level(name: Option<&str>) -> Result<PlayerRef<G>, EventError> {
        let name = name.ok_or_else(|| EventError::Setting("the event names no AI level".to_owned()))?;
        players::find::<G>(name).map_err(|fault| EventError::Setting(fault.message))
    }

    /// Who decides for each seat.
    fn seating(&self, sitting: &Sitting, count: u8, stand_in: bool) -> Result<Seating<G>, EventError> {
        let opponents = self.event.settings.opponents.as_deref();
        let count = usize::from(count);
        let mut seating = Seating {
            kinds: vec![SeatController::Empty; count],
            levels: vec![None; count],
            stood_in: Vec::new(),
        };
        for (name, who) in &sitting.seats {
            let (Some(seat), Some(who)) = (G::seat_named(name), who) else { continue };
            let entrant = self.event.entrants.iter().find(|entrant| entrant.id == *who);
            let (kind, player) = match (entrant, who.strip_prefix("ai:")) {
                (Some(Entrant { level: Some(level), .. }), _) => {
                    (SeatController::Software, Some(Self::level(Some(level))?))
                }
                (Some(_), _) if stand_in => {
                    seating.stood_in.push(seat);
                    (SeatController::Software, Some(Self::level(opponents)?))
                }
                (Some(_), _) => (SeatController::Person, None),
                (None, Some(level)) => (SeatController::Software, Some(Self::level(Some(level))?)),
                (None, None) => (SeatController::Software, Some(Self::level(opponents)?)),
            };
            if let Some(slot) = seating.kinds.get_mut(seat.index()) {
                *slot = kind;
            }
            if let Some(slot) = seating.levels.get_mut(seat.index()) {
                *slot = player;
            }
        }
        Ok(seating)
    }
}

impl<G: Levels> Drop for Tables<G> {
    fn drop(&mut self) {
        let deals = self.deals.lock().unwrap_or_else(PoisonError::into_inner);
        let held = u64::try_from(deals.len()).unwrap_or(u64::MAX);
        self.deps.counters.deals.fetch_sub(held, Ordering::Relaxed);
    }
}

struct Seating<G: Levels> {
    kinds: Vec<SeatController>,
    levels: Vec<Option<PlayerRef<G>>>,
    /// The seats of persons who have not come.
    stood_in: Vec<Seat>,
}

impl<G: Levels> GameTables for Tables<G> {
    fn game(&self) -> &'static str {
        G::KIND.name()
    }

    fn rules(&self) -> (String, Value) {
        let rules = self.event.rules.as_ref();
        (rules.name().to_owned(), serde_json::to_value(rules).unwrap_or_default())
    }

    fn seat_named(&self, name: &str) -> Option<Seat> {
        G::seat_named(name)
    }

    fn seat_name(&self, seat: Seat) -> &'static str {
        G::seat_name(seat).unwrap_or_default()
    }

    fn open(&self, order: &ToOpen) -> Result<Opened, EventError> {
        let sitting = &order.sitting;
        let play = self.log.play(sitting.sitting);
        let header = self.header(sitting)?;
        let rows = if order.fresh { Vec::new() } else { self.archive.journal(play)? };
        let seats = G::seats(&header.start);
        let settings = |opened_us| TableSettings { grace_ms: order.live.grace_ms, opened_us };
        let (table, seating, fresh) = if let Some(first) = rows.first() {
            let (board, lines) = replayed(&header, play, &rows)?;
            if board.over() {
                return Ok(Opened::Over(finished(sitting.sitting, &header, &board)));
            }
            let seating = self.seating(sitting, seats, lines.iter().any(stands_in))?;
            let answers = self.deps.ledger.answers(play).map_err(|error| match error {
                LedgerError::Lost(what) => EventError::Damaged(what),
                other => EventError::Archive(ArchiveError::Failed(other.to_string())),
            })?;
            let settings = settings(first.at_us);
            let table = Table::recover(header, play, seating.kinds.clone(), settings, lines, answers)
                .map_err(|code| EventError::Damaged(format!("journal {}: {code}", play.0)))?;
            (table, seating, false)
        } else {
            let seating = self.seating(sitting, seats, order.stand_in)?;
            let settings = settings((self.wall)());
            (Table::open(header, play, seating.kinds.clone(), settings), seating, true)
        };
        let ai = AiSeats {
            levels: seating.levels,
            key: Arc::clone(&self.key),
            number: sitting.deal.board,
            delay: Duration::from_millis(u64::from(order.live.ai_delay_ms)),
        };
        let stood_in = !seating.stood_in.is_empty();
        let handle = task::start(table, ai, self.deps.clone(), play, self.over.clone());
        if fresh {
            note_stand_ins(&handle, seating.stood_in);
        }
        Ok(Opened::Table { handle, stood_in })
    }

    fn give_up(&self, sitting: &Sitting) -> Result<(Finished, Vec<EntryRow>), EventError> {
        let play = self.log.play(sitting.sitting);
        let rows = self.archive.journal(play)?;
        if let Ok(header) = self.header(sitting)
            && let Some(end) = self.ended(sitting, &header, &rows)
        {
            return Ok(end);
        }
        // Nobody can add to a journal that is damaged: it ends where it ends.
        let lines = u32::try_from(rows.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let head = rows.last().map_or_else(|| "0".repeat(64), |row| hex::encode(&row.hash));
        let unplayed = Finished {
            sitting: sitting.sitting,
            scores: BTreeMap::new(),
            roles: BTreeMap::new(),
            small: None,
            carry: crate::formats::Setup::default(),
            lines,
            head,
        };
        Ok((unplayed, Vec::new()))
    }

    fn missed(&self, sitting: &Sitting, seat: Seat, n: u32) -> Result<Vec<String>, EventError> {
        let play = self.log.play(sitting.sitting);
        // The cards of a board that is over everywhere are not kept for this.
        let header = self.dealer.dealt(sitting)?;
        let (board, lines) = replayed(&header, play, &self.archive.journal(play)?)?;
        let count = u32::try_from(lines.len()).unwrap_or(u32::MAX);
        if n > count {
            return Ok(Vec::new());
        }
        let mut texts = message::missed::<G>(play.0, n, &header, &lines, Viewer::Seat(seat));
        texts.push(message::finished::<G>(play.0, count, &header, &board));
        Ok(texts)
    }

    fn forget(&self, deal: &DealRef) {
        let mut deals = self.deals.lock().unwrap_or_else(PoisonError::into_inner);
        if deals.remove(&deal.board).is_some() {
            self.deps.counters.deals.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn live(&self) -> Result<(Live, u32), EventError> {
        let event = Event::<G>::load(self.archive.as_ref(), &self.event.id)?;
        Ok((event.live, event.settings.boards_per_round().max(1)))
    }
}

fn stands_in<G: Levels>(shown: &Shown<G>) -> bool {
    matches!(&shown.line, Line::Control(note) if note.kind == ControlKind::StandIn)
}

/// Writes into the journal of a board for which seats a computer player decides.
fn note_stand_ins(handle: &Handle, seats: impl IntoIterator<Item = Seat>) {
    for seat in seats {
        let note = ControlEntry { seat: Some(seat), ..ControlEntry::new(ControlKind::StandIn, By::Server) };
        let (answer, _) = oneshot::channel();
        handle.send(Command::Control { note, answer });
    }
}

/// A journal through the rules: the board and its lines with their times.
fn replayed<G: Levels>(
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
            Line::Action(entry) => board.play(entry).map_err(|why| why.code()),
            Line::Control(note) => board.note(note).map_err(|why| why.code()),
        }
        .map_err(|code| damaged(format!("line {} is {code}", row.seq)))?;
        if hash.as_slice() != row.hash || board.last_bytes() != row.body {
            return Err(damaged(format!("the chain breaks at line {}", row.seq)));
        }
        lines.push(Shown { line, at: u64::try_from(row.at_us).unwrap_or(0) });
    }
    Ok((board, lines))
}
