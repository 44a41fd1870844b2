//! The event's journal in a bundle: every order, draw, bell and publication is computed again, and every board that it orders
//! is dealt from the revealed keys.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::preamble::Dealers;
use super::source::Source;
use super::table::Dealt;
use super::wrong::Wrong;
use super::{Found, Published};
use crate::canonical::{self, Hash};
use crate::dealing::{Announcement, DelayedValue, DrawKey, Purpose as SetPurpose, from_hex};
use crate::formats::settings::{Entrant, Settings};
use crate::formats::tally::TallyFault;
use crate::formats::{Bell, BoardSet, Competition, Fact, Locked, Order, Sitting};
use crate::games::{Game, Setup};
use crate::journal::bundle::model::{Revision, Section, Signed, signed_text};
use crate::journal::revision::Snapshot;
use crate::journal::sign::{self, Purpose};
use crate::journal::{Author, DeskFact, EventFact, EventJournal, EventLine, Header, Lots};
use crate::words::{Message, Part};

/// What the event's journal is checked against.
pub(super) struct Known<'a, G: Game> {
    pub announcement: &'a Announcement,
    pub delayed: &'a DelayedValue,
    pub draw_key: &'a DrawKey,
    pub dealers: &'a Dealers,
    pub rules: &'a Arc<G::Rules>,
    pub settings: &'a Settings,
    pub entrants: &'a [Entrant],
}

/// A line of the event's journal that speaks of a sitting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spoken {
    /// Its instant, µs since 1970.
    pub wall: i64,
    /// Its line in the file.
    pub line: u64,
}

/// What the event's journal says.
pub(super) struct Course<G: Game> {
    pub journal: EventJournal,
    /// The chain after each line.
    pub chains: Vec<Hash>,
    /// The line that ordered each sitting, the first one first.
    pub ordered: Vec<Spoken>,
    /// The line that says that a sitting is over.
    pub finished: BTreeMap<u32, Spoken>,
    /// The bell after which a sitting was not played.
    pub struck: BTreeMap<u32, Spoken>,
    /// The bell of each round that one rang for.
    pub bells: BTreeMap<(u32, u32), Spoken>,
    /// The boards that were ordered, by number and setup.
    boards: BTreeMap<(u32, String), Dealt<G>>,
    /// The publications with their hashes.
    pub published: Vec<Published>,
    /// Results and standings as they were published last.
    pub last: Snapshot,
}

impl<G: Game> Course<G> {
    /// The board of a sitting as the keys deal it.
    pub fn dealt(&self, sitting: &Sitting) -> Option<&Dealt<G>> {
        self.boards.get(&key(sitting))
    }

    /// Number of different boards.
    pub fn boards(&self) -> u64 {
        let numbers: BTreeSet<u32> = self.boards.keys().map(|(number, _)| *number).collect();
        numbers.len() as u64
    }
}

fn key(sitting: &Sitting) -> (u32, String) {
    let setup = canonical::to_string(&sitting.setup).unwrap_or_default();
    (sitting.deal.board, setup)
}

/// A round that has started: the event's time then, and how long everything had stood until then.
struct Running {
    at: u64,
    stood: u64,
    minutes: u32,
}

/// The event's journal while it is read.
struct Reading<'a, G: Game> {
    known: &'a Known<'a, G>,
    journal: EventJournal,
    chains: Vec<Hash>,
    ordered: Vec<Spoken>,
    finished: BTreeMap<u32, Spoken>,
    struck: BTreeMap<u32, Spoken>,
    bells: BTreeMap<(u32, u32), Spoken>,
    rounds: BTreeMap<(u32, u32), Running>,
    /// How long everything has stood, µs of the event's time, and since when it stands now.
    stood: (u64, Option<u64>),
    published: Vec<Published>,
}

/// Reads the event's journal.
pub(super) fn course<G: Game, R: BufRead>(source: &mut Source<R>, known: &Known<'_, G>) -> Found<Course<G>> {
    let setups = G::setups(known.rules);
    let competition = Competition::new(known.settings, &board_sets(known.announcement), &setups);
    let journal = EventJournal::begin(known.announcement.hash(), competition);
    let mut reading = Reading {
        known,
        journal,
        chains: Vec::new(),
        ordered: Vec::new(),
        finished: BTreeMap::new(),
        struck: BTreeMap::new(),
        bells: BTreeMap::new(),
        rounds: BTreeMap::new(),
        stood: (0, None),
        published: Vec::new(),
    };
    let mut next = Some(source.one::<Map<String, Value>>(Section::Event)?);
    while let Some(object) = next {
        reading.line(source, object)?;
        next = source.next_of(Section::Event)?;
    }
    reading.end(source)
}

/// The announced sets as formats know them.
fn board_sets(announcement: &Announcement) -> Vec<BoardSet> {
    let set = |set: &crate::dealing::SetLine| BoardSet {
        id: set.id.clone(),
        first: set.first,
        last: set.last,
        reserve: set.purpose == SetPurpose::Reserve,
    };
    announcement.body().sets.iter().map(set).collect()
}

/// An instant is never before that of what it follows.
fn in_time<R: BufRead>(source: &Source<R>, at: i64, earliest: i64) -> Found<()> {
    if at >= earliest {
        return Ok(());
    }
    let message = Message::plain("verify-instant-runs-back").with("at", at).with("earliest", earliest);
    Err(source.wrong("instant_runs_back", message))
}

pub(super) fn tally_wrong<R: BufRead>(source: &Source<R>, fault: &TallyFault) -> Box<Wrong> {
    source.wrong("bad_ruling", Message::plain("verify-bad-ruling").with("detail", fault.message()))
}

impl<G: Game> Reading<'_, G> {
    fn line<R: BufRead>(&mut self, source: &Source<R>, mut object: Map<String, Value>) -> Found<()> {
        let hash = object.shift_remove("hash");
        let hash = hash.as_ref().and_then(Value::as_str).unwrap_or_default();
        let hash = from_hex("hash", hash).map_err(|error| {
            source.wrong("bad_fields", Message::plain("verify-bad-fields").with("detail", error.message()))
        })?;
        let bytes = canonical::of_value(&Value::Object(object)).unwrap_or_default();
        let before = self.journal.at();
        let line = self
            .journal
            .replay(&bytes, &hash)
            .map_err(|fault| source.wrong(fault.code(), fault.message()))?;
        self.chains.push(hash);
        if line.seq == 1 {
            in_time(source, line.wall, self.known.announcement.body().published_at)?;
        }
        let here = Spoken { wall: line.wall, line: source.line() };
        debug_assert!(line.at >= before);
        for order in &line.orders {
            if let Order::Sit(_) = order {
                self.ordered.push(here);
            }
        }
        self.fact(source, &line, here)
    }

    fn fact<R: BufRead>(&mut self, source: &Source<R>, line: &EventLine, here: Spoken) -> Found<()> {
        let known = self.known;
        match &line.fact {
            EventFact::Play(Fact::Locked(locked)) => self.locked(source, locked),
            EventFact::Play(Fact::Draw(made)) => {
                let lots = Lots {
                    announcement: known.announcement.hash(),
                    key: known.draw_key,
                    delayed: known.delayed,
                };
                lots.check(made).map_err(|fault| source.wrong(fault.code(), fault.message()))?;
                // Nobody knew the delayed value before its time.
                let earliest = if made.delayed { known.announcement.not_before() } else { i64::MIN };
                in_time(source, line.wall, earliest)
            }
            EventFact::Play(Fact::Round(round)) => {
                in_time(source, line.wall, known.announcement.not_before())?;
                let running =
                    Running { at: line.at, stood: self.stood_until(line.at), minutes: round.minutes };
                self.rounds.insert((round.stage, round.round), running);
                Ok(())
            }
            EventFact::Play(Fact::Finished(finished)) => {
                self.finished.insert(finished.sitting, here);
                Ok(())
            }
            EventFact::Play(Fact::Bell(bell)) => {
                self.bells.insert((bell.stage, bell.round), here);
                self.struck.extend(bell.unplayed.iter().map(|sitting| (*sitting, here)));
                self.bell(source, line, bell)
            }
            EventFact::Play(Fact::Pause(true)) => {
                self.stood.1 = Some(line.at);
                Ok(())
            }
            EventFact::Play(Fact::Pause(false)) => {
                self.stood = (self.stood_until(line.at), None);
                Ok(())
            }
            EventFact::Desk(DeskFact::Published(signed)) => self.publication(source, line, signed),
            EventFact::Play(Fact::Closed(_) | Fact::Replay(_) | Fact::Ruling(_)) | EventFact::Desk(_) => {
                Ok(())
            }
        }
    }

    /// How long everything has stood until an instant of the event's time.
    fn stood_until(&self, at: u64) -> u64 {
        let (stood, since) = self.stood;
        stood.saturating_add(since.map_or(0, |since| at.saturating_sub(since)))
    }

    /// The entries were closed with the entrants whom the bundle names.
    fn locked<R: BufRead>(&self, source: &Source<R>, locked: &Locked) -> Found<()> {
        let entrants = self.known.entrants;
        let same = locked.entrants.iter().eq(entrants.iter().map(|entrant| &entrant.id));
        let numbers = self.journal.competition().entrants().map(|(_, number)| number);
        if same && numbers.eq(entrants.iter().map(|entrant| entrant.number)) {
            return Ok(());
        }
        Err(source.wrong("other_entrants", Message::plain("verify-other-entrants")))
    }

    /// The clock rings only when the time of a round is over; what stood in between does not count.
    fn bell<R: BufRead>(&self, source: &Source<R>, line: &EventLine, bell: &Bell) -> Found<()> {
        if line.by != Author::Clock {
            return Ok(());
        }
        let running = self.rounds.get(&(bell.stage, bell.round)).filter(|running| running.minutes > 0);
        let Some(running) = running else {
            return Err(source.wrong("bell_without_limit", Message::plain("verify-bell-without-limit")));
        };
        let stood = self.stood_until(line.at).saturating_sub(running.stood);
        let limit = u64::from(running.minutes) * 60_000_000;
        let earliest = running.at.saturating_add(limit).saturating_add(stood);
        if line.at >= earliest {
            return Ok(());
        }
        let message = Message::plain("verify-bell-early").with("at", line.at).with("earliest", earliest);
        Err(source.wrong("bell_early", message))
    }

    /// A publication is signed, and of this event; that it says what boards and rulings give is checked by the replay.
    fn publication<R: BufRead>(
        &mut self,
        source: &Source<R>,
        line: &EventLine,
        signed: &Signed<Revision>,
    ) -> Found<()> {
        let body = &signed.body;
        let announced = self.known.announcement.body();
        if body.event != announced.event {
            return Err(source.wrong("other_event", Message::plain("verify-other-event")));
        }
        let text = signed_text(body);
        if !sign::verify(&announced.server_key, Purpose::Revision, &text, &signed.signature) {
            return Err(source.wrong("signature", Message::plain("verify-signature")));
        }
        in_time(source, line.wall, body.at)?;
        let hash = canonical::sha256(text.as_bytes());
        self.published.push(Published { kind: Purpose::Revision, number: body.number, hash });
        Ok(())
    }

    /// Every board that was ordered was played or struck, everything that decides something is published, and the keys
    /// deal every board.
    fn end<R: BufRead>(self, source: &Source<R>) -> Found<Course<G>> {
        let competition = self.journal.competition();
        let over = |sitting: &&Sitting| {
            competition.finished(sitting.sitting).is_none() && !competition.unplayed(sitting.sitting)
        };
        if let Some(open) = competition.sittings().iter().find(over) {
            let message = Message::plain("verify-sitting-open").with("sitting", open.sitting);
            let wrong = source.wrong_section("sitting_open", message);
            return Err(wrong.on(&name(open), Some(open.table)));
        }
        let last = Snapshot::of(competition).map_err(|fault| tally_wrong(source, &fault))?;
        let rulings = self.journal.desk().published().last().map(|last| last.body.rulings as usize);
        if self.journal.published() != Some(&last) || rulings != Some(competition.rulings().len()) {
            let message = Message::plain("verify-not-all-published");
            return Err(source.wrong_section("not_all_published", message));
        }
        let boards = self.deal(source)?;
        let Reading { journal, chains, ordered, finished, struck, bells, published, .. } = self;
        Ok(Course { journal, chains, ordered, finished, struck, bells, boards, published, last })
    }

    /// Deals every board that was ordered.
    fn deal<R: BufRead>(&self, source: &Source<R>) -> Found<BTreeMap<(u32, String), Dealt<G>>> {
        let known = self.known;
        let mut boards = BTreeMap::new();
        let mut used = BTreeSet::new();
        for sitting in self.journal.competition().sittings() {
            let key = key(sitting);
            if boards.contains_key(&key) {
                continue;
            }
            let number = sitting.deal.board;
            let Some(dealer) = known.dealers.get(&sitting.deal.set) else {
                let message = Message::plain("verify-no-set").with("board", number);
                return Err(source.wrong_section("no_set", message));
            };
            used.insert(sitting.deal.set.as_str());
            let header = header::<G>(known.rules, sitting, &dealer.order(number), &sitting.setup).map_err(
                |reasons| {
                    let message = Message::plain("verify-bad-setup").with("board", number);
                    source.wrong_section("bad_setup", message.with("reasons", reasons))
                },
            )?;
            boards.insert(key, Dealt::new(number, header, known.announcement.not_before()));
        }
        if let Some(unused) = known.dealers.keys().find(|id| !used.contains(id.as_str())) {
            let message = Message::plain("verify-set-unused").with("set", unused);
            return Err(source.wrong_section("set_unused", message));
        }
        Ok(boards)
    }
}

/// What a board is called: `set/number`.
pub(super) fn name(sitting: &Sitting) -> String {
    format!("{}/{}", sitting.deal.set, sitting.deal.board)
}

fn header<G: Game>(
    rules: &Arc<G::Rules>,
    sitting: &Sitting,
    order: &[crate::cards::Card],
    setup: &Setup,
) -> Result<Header<G>, Part> {
    let start = G::deal(rules, setup, order)
        .map_err(|faults| Part::List(faults.into_iter().map(|fault| fault.told).collect()))?;
    Ok(Header::new(name(sitting), Arc::clone(rules), start))
}
