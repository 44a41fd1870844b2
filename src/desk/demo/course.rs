//! The course of a demonstration: every fact goes through the event's journal, and what follows from it is carried out.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::mpsc::sync_channel;

use super::table::{self, Actor, Journal, Person};
use super::{BATCH, MINUTE_US, Persona, Progress, Request, WHO, boards, chance};
use crate::canonical::{sha256, to_string};
use crate::dealing::{Announcement, DelayedValue, DrawKey};
use crate::event::EventError;
use crate::event::archive::{Archive, EntryRow, EventLineRow, NewPlay, PlayId, PlayRow};
use crate::event::ledger::{EventWrite, Ledger, LedgerError, Write};
use crate::event::model::{Dealer, Event};
use crate::event::results::checkpoint;
use crate::formats::ruling::{Decision, Ruling};
use crate::formats::{Closed, Fact, Finished, Locked, Order, Replay, RoundStarted, Sitting};
use crate::games::Seat;
use crate::journal::bundle::{EventHead, Head, ResultState};
use crate::journal::revision::signed;
use crate::journal::sign::{Purpose, Signer};
use crate::journal::{Author, ChainedLine, DeskFact, EventFact, EventJournal, Header, Lots};
use crate::players::{AiKey, Levels};

/// Between the end of a board and the next one at a table, µs.
const BREAK_US: i64 = 20_000_000;
/// How much later than planned a table begins at most, µs.
const HASTE_US: u32 = 60_000_000;
/// Minutes from one board of a round to the next.
const BOARD_MINUTES: i64 = 8;

/// The cards of boards with their setups.
type Headers<G> = BTreeMap<(u32, String), Header<G>>;

/// An event while it is played.
pub(super) struct Course<'a, G: Levels, S> {
    pub store: &'a S,
    /// The event's number in the store.
    pub number: u32,
    pub request: &'a Request<G>,
    pub event: &'a Event<G>,
    pub announcement: &'a Announcement,
    pub delayed: &'a DelayedValue,
    pub draw_key: &'a DrawKey,
    pub dealer: &'a Dealer<G>,
    pub key: &'a AiKey,
    pub personas: &'a BTreeMap<String, Persona<G>>,
    pub signer: &'a Signer,
    pub journal: EventJournal,
    /// When the entries are closed, µs since 1970: the event's own time begins there.
    pub locked_at: i64,
    /// The simulated instant, µs since 1970.
    pub now: i64,
    /// When the first round begins.
    pub start: i64,
    /// Accepted actions so far.
    pub entries: u64,
    /// A board that is going to be declared void and replayed.
    pub replay: Option<u32>,
}

/// The key of a sitting among [`Headers`].
fn key(sitting: &Sitting) -> (u32, String) {
    (sitting.deal.board, to_string(&sitting.setup).unwrap_or_default())
}

impl<G: Levels, S: Archive + Ledger> Course<'_, G, S> {
    /// Plays the event to its end and publishes the results.
    pub fn play(&mut self, progress: &mut dyn FnMut(Progress)) -> Result<(), EventError> {
        let entrants = self.event.entrants.iter().map(|entrant| entrant.id.clone()).collect();
        let numbers: Vec<u32> = self.event.entrants.iter().map(|entrant| entrant.number).collect();
        let locked = Locked::of(entrants, &numbers, &self.event.settings.stages);
        let state = Some("locked");
        self.happens(Author::Account(WHO.to_owned()), Fact::Locked(locked), state)?;
        let mut planned = 0;
        loop {
            let competition = self.journal.competition();
            if let Some(due) = competition.due_draw() {
                let lots = Lots {
                    announcement: self.announcement.hash(),
                    key: self.draw_key,
                    delayed: self.delayed,
                };
                let made = lots.draw(due);
                self.happens(Author::Server, Fact::Draw(made), None)?;
            } else if let Some((stage, round)) = competition.next_round() {
                let known = competition.schedule().iter();
                let sittings =
                    known.map(|round| round.plan.tables.len() * round.plan.boards.len()).sum::<usize>();
                if sittings as u64 > planned {
                    planned = sittings as u64;
                    progress(Progress::Planned(planned));
                }
                self.round(stage, round, progress)?;
            } else if let Some(stage) = competition.may_close() {
                if !self.order_replay(stage)? {
                    self.now += MINUTE_US;
                    self.happens(Author::Account(WHO.to_owned()), Fact::Closed(Closed { stage }), None)?;
                }
            } else {
                break;
            }
        }
        progress(Progress::Publishing);
        self.publish()
    }

    /// Adds a line and stores it with what belongs to it.
    fn happens(
        &mut self,
        by: Author,
        fact: impl Into<EventFact>,
        state: Option<&'static str>,
    ) -> Result<Vec<Order>, EventError> {
        let chained = self.chained(by, self.now, fact)?;
        let orders = chained.line.orders.clone();
        self.store_all(Vec::new(), vec![chained], state)?;
        Ok(orders)
    }

    fn chained(
        &mut self,
        by: Author,
        wall: i64,
        fact: impl Into<EventFact>,
    ) -> Result<ChainedLine, EventError> {
        let at = u64::try_from(wall - self.locked_at).unwrap_or(0);
        let chained =
            self.journal.append(by, at, wall, fact).map_err(|fault| EventError::Said(fault.message()))?;
        self.now = self.now.max(chained.line.wall);
        Ok(chained)
    }

    /// Stores rows of boards, lines, and the plays that the lines order, in one commit.
    fn store_all(
        &self,
        rows: Vec<EntryRow>,
        lines: Vec<ChainedLine>,
        state: Option<&'static str>,
    ) -> Result<(), EventError> {
        let mut event = EventWrite { event: self.event.id.clone(), state, ..EventWrite::default() };
        for chained in lines {
            for order in &chained.line.orders {
                let Order::Sit(sitting) = order else { continue };
                event.plays.push(self.play_row(sitting));
            }
            event.lines.push(EventLineRow {
                seq: i64::try_from(chained.line.seq).unwrap_or(i64::MAX),
                at_us: i64::try_from(chained.line.at).unwrap_or(i64::MAX),
                wall_us: chained.line.wall,
                body: chained.bytes,
                hash: chained.hash.to_vec(),
            });
        }
        let write = Write { rows, event: Some(event), wall_us: self.now, ..Write::default() };
        let (durable, wait) = sync_channel(1);
        let lost = |error: LedgerError| EventError::Damaged(error.to_string());
        self.store.write(write, Box::new(move |result| drop(durable.send(result)))).map_err(lost)?;
        wait.recv().unwrap_or(Err(LedgerError::Busy)).map_err(lost)
    }

    fn play_row(&self, sitting: &Sitting) -> PlayRow {
        PlayRow {
            id: PlayId::of(self.number, sitting.sitting),
            play: NewPlay {
                set_id: sitting.deal.set.clone(),
                number: i64::from(sitting.deal.board),
                round: i64::from(self.ordinal(sitting)),
                table_number: i64::from(sitting.table),
                // Names of seats and ids always have a canonical form.
                seating: to_string(&sitting.seats).unwrap_or_default(),
            },
        }
    }

    /// The number of a sitting's round over the whole event.
    fn ordinal(&self, sitting: &Sitting) -> u32 {
        let rounds = self.journal.competition().schedule();
        let same = |round: &&crate::formats::ScheduledRound| {
            (round.stage, round.round) == (sitting.stage, sitting.round)
        };
        rounds.iter().find(same).map_or(sitting.round, |round| round.plan.round)
    }

    /// Plays a round: every sitting, and the signature over what was played.
    fn round(
        &mut self,
        stage: u32,
        round: u32,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), EventError> {
        self.now = self.start.max(self.now + MINUTE_US);
        let fact = Fact::Round(RoundStarted { stage, round, minutes: 0 });
        let orders = self.happens(Author::Account(WHO.to_owned()), fact, None)?;
        let begun = self.now;
        let sittings: Vec<Sitting> = orders.into_iter().filter_map(sat).collect();
        let mut headers: Headers<G> = BTreeMap::new();
        for sitting in &sittings {
            if let Entry::Vacant(place) = headers.entry(key(sitting)) {
                place.insert(self.dealer.dealt(sitting)?);
            }
        }
        let mut heads = Vec::new();
        // When each table has finished its last board, and how many it has played.
        let mut tables: BTreeMap<u32, (i64, i64)> = BTreeMap::new();
        for sittings in sittings.chunks(BATCH) {
            let journals = self.play_batch(&headers, sittings)?;
            let mut rows = Vec::new();
            let mut over: Vec<(i64, Finished)> = Vec::new();
            for (journal, sitting) in journals.into_iter().zip(sittings) {
                self.entries += journal.entries.len() as u64;
                let (free, played) = tables.entry(sitting.table).or_insert((begun, 0));
                let about = format!("{}|{}", sitting.deal.board, sitting.table);
                let haste = i64::from(chance(&self.request.seed, "haste", &about).below(HASTE_US));
                let planned = begun + *played * BOARD_MINUTES * MINUTE_US;
                let opened = planned.max(*free + BREAK_US) + haste;
                let end = journal.entries.last().map_or(0, |last| last.at);
                *free = opened + i64::try_from(end).unwrap_or(0);
                *played += 1;
                heads.push(Head {
                    sitting: sitting.sitting,
                    entries: journal.finished.lines,
                    hash: journal.finished.head.clone(),
                });
                over.push((*free, journal.finished.clone()));
                self.rows(sitting, opened, journal, &mut rows);
            }
            over.sort_by_key(|(end, finished)| (*end, finished.sitting));
            let mut lines = Vec::new();
            for (end, finished) in over {
                lines.push(self.chained(Author::Table, end, Fact::Finished(finished))?);
            }
            self.store_all(rows, lines, None)?;
            progress(Progress::Played(sittings.len() as u64));
        }
        self.now += MINUTE_US;
        self.sign(heads)
    }

    /// Signs where the event's journal and the journals of boards stand.
    fn sign(&self, heads: Vec<Head>) -> Result<(), EventError> {
        let journal = EventHead { seq: self.journal.seq(), hash: hex::encode(self.journal.chain()) };
        checkpoint(self.store, &self.event.id, self.signer, self.now, journal, heads)
    }

    /// The referee's part of a replay: the board is void by a ruling, and a board of the reserve set is played in its
    /// place. Answers whether there is one to be ordered in a stage.
    fn order_replay(&mut self, stage: u32) -> Result<bool, EventError> {
        let sittings = self.journal.competition().sittings().iter();
        let here = |board: &u32| {
            let mut sittings = sittings.clone();
            sittings.any(|sitting| (sitting.stage, sitting.deal.board) == (stage, *board))
        };
        let Some(board) = self.replay.filter(here) else { return Ok(false) };
        self.replay = None;
        let instead = boards(self.request) + 1;
        self.now += MINUTE_US;
        let reason = format!(
            "cards of board {board} were seen before play (simulated): void, board {instead} from the reserve set is \
             played in its place"
        );
        let ruling = Ruling {
            number: 1,
            at: self.now,
            by: "referee (simulated)".to_owned(),
            reason,
            decision: Decision::Void { board },
        };
        self.happens(Author::Account(WHO.to_owned()), Fact::Ruling(ruling), None)?;
        let replay = Replay { board, instead, ruling: 1 };
        self.happens(Author::Account(WHO.to_owned()), Fact::Replay(replay), None)?;
        Ok(true)
    }

    /// Publishes the results at the end.
    fn publish(&mut self) -> Result<(), EventError> {
        self.now += 30 * MINUTE_US;
        let body = self.journal.revision(&self.event.id, self.now, ResultState::Official)?;
        let line = signed(self.signer, Purpose::Revision, body);
        let fact = DeskFact::Published(Box::new(line));
        self.happens(Author::Account(WHO.to_owned()), fact, Some("official"))?;
        Ok(())
    }

    /// Sittings are independent of each other: they are played on several threads and come back in order.
    fn play_batch(&self, headers: &Headers<G>, sittings: &[Sitting]) -> Result<Vec<Journal>, EventError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(16);
        let share = sittings.len().div_ceil(threads).max(1);
        let tables = Tables { request: self.request, key: self.key, personas: self.personas };
        std::thread::scope(|scope| {
            let workers: Vec<_> = sittings
                .chunks(share)
                .map(|chunk| {
                    let tables = &tables;
                    scope.spawn(move || {
                        chunk.iter().map(|sitting| tables.play(headers, sitting)).collect::<Vec<_>>()
                    })
                })
                .collect();
            let lost = || EventError::Setting("a table's thread has ended early".to_owned());
            let mut journals = Vec::with_capacity(sittings.len());
            for worker in workers {
                for journal in worker.join().map_err(|_| lost())? {
                    journals.push(journal?);
                }
            }
            Ok(journals)
        })
    }

    fn rows(&self, sitting: &Sitting, opened: i64, journal: Journal, rows: &mut Vec<EntryRow>) {
        let play = PlayId::of(self.number, sitting.sitting);
        let receipt = journal.receipt;
        rows.push(EntryRow::new(play, 0, opened, receipt.body, receipt.hash));
        for (seq, kept) in (1..).zip(journal.entries) {
            let at = i64::try_from(kept.at).unwrap_or(i64::MAX);
            rows.push(EntryRow::new(play, seq, at, kept.body, kept.hash));
        }
    }
}

fn sat(order: Order) -> Option<Sitting> {
    match order {
        Order::Sit(sitting) => Some(sitting),
        _ => None,
    }
}

/// What a thread needs to play boards.
struct Tables<'a, G: Levels> {
    request: &'a Request<G>,
    key: &'a AiKey,
    personas: &'a BTreeMap<String, Persona<G>>,
}

impl<G: Levels> Tables<'_, G> {
    fn play(&self, headers: &Headers<G>, sitting: &Sitting) -> Result<Journal, EventError> {
        let number = sitting.deal.board;
        let stuck =
            |detail: String| EventError::Stuck { board: number.to_string(), table: sitting.table, detail };
        let header = headers.get(&key(sitting)).ok_or_else(|| stuck("it was not dealt".to_owned()))?;
        let mut seated: Vec<(Seat, Actor<G>)> = Vec::new();
        for (name, who) in &sitting.seats {
            let seat = G::seat_named(name).ok_or_else(|| stuck(format!("there is no seat {name}")))?;
            let who = who.as_deref().ok_or_else(|| stuck(format!("nobody sits at {name}")))?;
            seated.push((seat, self.actor(who, seat, number)));
        }
        seated.sort_by_key(|(seat, _)| *seat);
        let mut actors: Vec<Actor<G>> = seated.into_iter().map(|(_, actor)| actor).collect();
        let mut clock = chance(&self.request.seed, "clock", &sitting.sitting.to_string());
        table::play(header, (sitting.sitting, number), &mut actors, self.key, &mut clock).map_err(stuck)
    }

    fn actor(&self, who: &str, seat: Seat, board: u32) -> Actor<G> {
        match self.personas.get(who) {
            Some(persona) if persona.rate > 0 => {
                let about = format!("{who}|{}|{board}", seat.0);
                let dice = sha256(format!("fushi-demo/1|dice|{}|{who}", self.request.seed).as_bytes());
                Actor::Person(Box::new(Person {
                    level: persona.level,
                    dice: AiKey::new(dice),
                    slip: persona.slip,
                    rate: persona.rate,
                    bold: persona.bold,
                    luck: chance(&self.request.seed, "luck", &about),
                }))
            }
            Some(persona) => Actor::Software(persona.level),
            None => Actor::Software(self.request.opponents),
        }
    }
}
