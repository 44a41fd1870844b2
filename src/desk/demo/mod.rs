//! A whole event played by simulated entrants and AI players: announced, dealt, played into journals, ranked,
//! published, revealed and proved, through the same code that a real event uses.
//!
//! Everything follows from a seed, times included, so the same seed gives the same event and the same bundle, byte for
//! byte. That is also why a demonstration proves nothing about fairness: whoever knows the seed knows the deals.

mod names;
pub(super) use names::names;
mod table;

use std::collections::btree_map::Entry;
use std::io::Write;
use std::sync::Arc;

use super::export::export;
use super::opening::lock_with;
use crate::canonical::{hash_of, sha256};
use crate::dealing::{
    AiLevel, AiReveal, Announcement, Delayed, DelayedForm, DelayedSpec, Draft, KdfCost, MasterKey, Purpose,
    Reveal, RulesetLine, SealRandom, Sealed, Secret, SetLine,
};
use crate::event::EventError;
use crate::event::archive::{Archive, EntryRow, PlayId};
use crate::event::live::Live;
use crate::event::model::{Dealer, Event, Sitting, set_of};
use crate::event::results::{checkpoint, collect, publish, rule, rulings};
use crate::event::schedule::Schedule;
use crate::formats::ruling::{Decision, Ruling};
use crate::formats::settings::{Entrant, Measure, Settings};
use crate::formats::tally::{Tally, tally};
use crate::formats::{self, Fill, Format, MovementRules, Occupant, Round, StageFormat, Table};
use crate::games::{Game, Ruleset as _, Seat, rulesets};
use crate::journal::Header;
use crate::journal::bundle::ResultState;
use crate::journal::sign::Signer;
use crate::players::{AiKey, Levels, PlayerRef};
use crate::rng::GameRng;
use crate::scoring;
use crate::words::{in_sight, message};
use table::{Actor, Journal, Person};

/// The most boards at tables that a demonstration plays.
pub const PLAYS_MAX: u64 = 100_000;
/// Boards of one set.
const SET_BOARDS: u32 = 8;
/// Boards of the reserve set.
const RESERVE_BOARDS: u32 = 4;
/// Sittings that are played before they are stored together.
const BATCH: usize = 128;
/// 2026-01-10T01:00:00Z, µs: demonstrations are announced within a year from here.
const EPOCH_US: i64 = 1_768_006_800_000_000;
const MINUTE_US: i64 = 60_000_000;
const DAY_US: i64 = 1_440 * MINUTE_US;
/// Who acts in the audit log.
const WHO: &str = "demo";

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Request<G: Levels> {
    /// Any text: everything follows from it.
    pub seed: String,
    /// How many entrants.
    pub entrants: u32,
    /// How many boards.
    pub boards: u32,
    /// The kind of event.
    pub format: Format,
    /// The ruleset.
    pub rules: Arc<G::Rules>,
    /// The levels that the entrants play like, in turn.
    pub levels: Vec<PlayerRef<G>>,
    /// The level of AI opponents and stand-ins.
    pub opponents: PlayerRef<G>,
    /// The most slips of an entrant in a thousand decisions; 0: entrants are AI players.
    pub slips: u32,
    /// Which number of a board is compared.
    pub measure: Measure,
    /// Method, ranks, ties.
    pub scoring: scoring::Rules,
    /// A board that a referee declares void after the play and has replayed from the reserve set.
    pub replay: Option<u32>,
}

/// A step of a demonstration, for a progress bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many boards at tables will be played.
    Planned(u64),
    /// So many more were played and are durable.
    Played(u64),
    /// All boards are played: results, revision, bundle.
    Publishing,
}

/// A demonstration that was played.
#[derive(Debug)]
pub struct Played<G: Levels> {
    /// The event.
    pub event: Event<G>,
    /// The announcement.
    pub announcement: Announcement,
    /// The delayed value.
    pub delayed: String,
    /// The revealed keys of the sets.
    pub revealed: Vec<Reveal>,
    /// The revealed key of the AI players.
    pub ai: AiReveal,
    /// What each entrant plays like, in the order of [`Event::entrants`].
    pub levels: Vec<&'static str>,
    /// Results and standings.
    pub tally: Tally,
    /// Boards at tables.
    pub journals: u64,
    /// Accepted actions.
    pub entries: u64,
}

/// The id of the demonstration of a seed: `demo-` and the seed, or a piece of its hash where it has other characters.
#[must_use]
pub fn id_of(seed: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if (1..=40).contains(&seed.len()) && seed.bytes().all(plain) {
        format!("demo-{seed}")
    } else {
        format!("demo-{}", hex::encode(sha256(seed.as_bytes()).get(..8).unwrap_or_default()))
    }
}

/// The title of the demonstration of a seed.
fn title_of(seed: &str) -> String {
    let seed: String = in_sight(seed).chars().take(60).collect();
    format!("示范赛 Demo {seed}").trim_end().to_owned()
}

/// GameRng for one purpose of the demonstration.
fn chance(seed: &str, purpose: &str, about: &str) -> GameRng {
    GameRng::of(&format!("fushi-demo/1|{purpose}"), format!("{seed}|{about}").as_bytes())
}

/// How many seats a table of the game has under a ruleset.
#[must_use]
pub fn seats_of<G: Game>(rules: &Arc<G::Rules>) -> u8 {
    G::seats(&G::deal(rules, 1, &G::PACK.cards()))
}

/// Plays a demonstration: everything goes into the archive, the bundle into `out`.
///
/// # Errors
/// Sizes or settings that cannot be; the archive; the output.
pub fn play<G: Levels, W: Write>(
    archive: &dyn Archive,
    request: &Request<G>,
    out: W,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Played<G>, W), EventError> {
    let (mut event, personas) = event(request)?;
    let master = MasterKey::practice(&format!("fushi-demo/1|{}", request.seed));
    let signer = Signer::of_event(&master, &event.id);
    let announced_at = EPOCH_US + i64::from(chance(&request.seed, "day", "").below(365)) * DAY_US;
    event.create(archive, &sealed(&request.seed, &event.id, &master)?, announced_at - DAY_US, WHO)?;
    let announcement = draft(request, &event, &signer, announced_at).announce(&master)?;
    event.announce(archive, &announcement, WHO)?;
    let drawn = format!("{:06}", chance(&request.seed, "delayed", "").below(1_000_000));
    let at = announced_at + DAY_US + MINUTE_US;
    archive.set_delayed(&event.id, drawn, event.act(at, WHO, "delayed-value", ""))?;
    let (announcement, delayed) = event.announced(archive)?;
    let order = personas_by_id(&event, personas);
    let locked = lock_with(archive, &event, &master, at + MINUTE_US, WHO)?
        .map_err(|faults| EventError::all(faults.into_iter().map(|fault| fault.told)))?;
    event = locked.event;
    let plays = locked.plays;
    let levels: Vec<Persona<G>> =
        event.entrants.iter().filter_map(|entrant| order.get(&entrant.id).copied()).collect();
    archive.audit(event.act(at, WHO, "read-key", "to deal the boards"))?;
    let dealer = Dealer::new(&event, &announcement, &master, &delayed)?;
    let ai = AiReveal::of(&announcement, &master)?;
    let key = AiKey::new(*ai.verify(&announcement)?.expose());

    let start = announced_at + 2 * DAY_US;
    let stage = Stage { request, event: &event, dealer: &dealer, key: &key, levels: &levels, start };
    progress(Progress::Planned(event.sittings().count() as u64));
    let mut entries = stage.play_all(archive, &plays, 0, progress)?;
    let with_replay = request.replay.map(|board| stage.with_replay(archive, board)).transpose()?;
    let stage = Stage { event: with_replay.as_ref().unwrap_or(&event), ..stage };
    if let Some(board) = request.replay {
        let replays = stage.order_replay(archive, &announcement, board)?;
        entries += stage.play_all(archive, &replays, plays.len(), progress)?;
    }
    let event = stage.event;
    progress(Progress::Publishing);
    let collected = collect(archive, event, &dealer)?;
    sign_heads(archive, event, &signer, &stage, &collected.heads)?;
    let end = stage.opens(u32::try_from(event.rounds.len()).unwrap_or(u32::MAX), 0) + 30 * MINUTE_US;
    publish(archive, event, &collected, &signer, ResultState::Official, end, WHO)?;
    archive.audit(event.act(end, WHO, "reveal", "all boards are finished at every table"))?;
    let journals = collected.heads.len() as u64;
    let made = rulings(archive, &event.id)?;
    let tally = tally(&event.settings, &event.entrants, collected.played, &made)?;
    let out = export(archive, event, &master, &signer, &tally, out)?;

    let mut revealed = Vec::new();
    let used = |set: &&SetLine| set.purpose == Purpose::Original || request.replay.is_some();
    for set in announcement.body().sets.iter().filter(used) {
        revealed.push(Reveal::of(&announcement, &master, &set.id)?);
    }
    let levels = levels.iter().map(|persona| persona.level.info().name).collect();
    let delayed = delayed.as_str().to_owned();
    Ok((
        Played {
            event: event.clone(),
            announcement,
            delayed,
            revealed,
            ai,
            levels,
            tally,
            journals,
            entries,
        },
        out,
    ))
}

/// Checks sizes and settings without playing.
///
/// # Errors
/// Those of [`play`] that can be known beforehand.
pub fn check<G: Levels>(request: &Request<G>) -> Result<(), EventError> {
    let plays = u64::from(request.entrants).saturating_mul(u64::from(request.boards));
    if plays > PLAYS_MAX {
        return Err(EventError::Said(message!("demo-too-large", plays, plays_max = PLAYS_MAX)));
    }
    if let Some(board) = request.replay.filter(|board| !(1..=request.boards).contains(board)) {
        return Err(EventError::Said(message!("demo-no-board", board, boards = request.boards)));
    }
    let faults = order(request).faults();
    if faults.is_empty() { Ok(()) } else { Err(refused(faults)) }
}

fn refused(faults: Vec<formats::RequestFault>) -> EventError {
    EventError::all(faults.into_iter().map(|fault| fault.told))
}

fn order<G: Levels>(request: &Request<G>) -> formats::Request {
    let seats = seats_of::<G>(&request.rules);
    let size = if matches!(request.format, Format::HumanAi { .. }) { 4 } else { u32::from(seats) };
    formats::Request {
        format: request.format,
        seats,
        entrants: request.entrants,
        boards: request.boards,
        boards_per_round: size.min(request.boards.max(1)),
        fill: Fill::StandIn,
        seed: request.seed.clone(),
    }
}

/// What an entrant plays like.
#[derive(Clone, Copy, Debug)]
struct Persona<G: Levels> {
    level: PlayerRef<G>,
    slip: Option<PlayerRef<G>>,
    rate: u32,
    bold: bool,
}

/// What the entrants play like, by id.
fn personas_by_id<G: Levels>(
    event: &Event<G>,
    personas: Vec<Persona<G>>,
) -> std::collections::BTreeMap<String, Persona<G>> {
    event.entrants.iter().map(|entrant| entrant.id.clone()).zip(personas).collect()
}

/// Puts the event together and invents its entrants, in order of entry.
fn event<G: Levels>(request: &Request<G>) -> Result<(Event<G>, Vec<Persona<G>>), EventError> {
    check(request)?;
    let (plan, _) = formats::lay_out(&order(request)).map_err(refused)?;
    let pairs = request.format == Format::Pairs;
    let names = names::names(request.entrants, pairs, &mut chance(&request.seed, "names", ""));
    let personas = personas(request);
    let width = request.entrants.to_string().len().max(2);
    let mut entrants = Vec::new();
    for ((number, name), persona) in (1..).zip(names).zip(&personas) {
        let level = (persona.rate == 0).then(|| persona.level.info().name.to_owned());
        entrants.push(Entrant {
            id: format!("e{number:0width$}"),
            number,
            name,
            level,
            ..Entrant::default()
        });
    }
    let seat_name = |seat: &u8| G::seat_name(Seat(*seat)).unwrap_or_default().to_owned();
    let settings = Settings {
        title: title_of(&request.seed),
        positions: plan.positions.iter().map(|seats| seats.iter().map(seat_name).collect()).collect(),
        opponents: Some(request.opponents.info().name.to_owned()),
        measure: request.measure,
        scoring: request.scoring.clone(),
        stages: vec![formats::Stage {
            format: StageFormat::Movement(MovementRules {
                kind: request.format,
                boards: request.boards,
                boards_per_round: order(request).boards_per_round,
                fill: Fill::StandIn,
            }),
            advance: None,
        }],
    };
    let event = Event {
        id: id_of(&request.seed),
        settings,
        rules: Arc::clone(&request.rules),
        entrants,
        rounds: Vec::new(),
        live: Live::default(),
        schedule: Schedule { reserve_boards: RESERVE_BOARDS, ..Schedule::default() },
    };
    Ok((event, personas))
}

/// A round at the end in which every table that had a board plays another one in its place, seated in the same way.
fn replay_round(rounds: &[Round], board: u32, instead: u32) -> Option<Round> {
    let (round, place) = rounds
        .iter()
        .find_map(|round| Some((round, round.boards.iter().position(|number| *number == board)?)))?;
    let table = |table: &Table| {
        Some(Table { table: table.table, sittings: vec![table.sittings.get(place)?.clone()] })
    };
    Some(Round {
        round: u32::try_from(rounds.len() + 1).unwrap_or(u32::MAX),
        boards: vec![instead],
        tables: round.tables.iter().filter_map(table).collect(),
        byes: round.byes.clone(),
    })
}

/// Levels in turn; how often somebody slips, and how badly, is a matter of character.
fn personas<G: Levels>(request: &Request<G>) -> Vec<Persona<G>> {
    let mut character = chance(&request.seed, "character", "");
    (0..request.entrants)
        .zip(request.levels.iter().cycle())
        .map(|(_, level)| {
            let rate = if request.slips == 0 { 0 } else { 20 + character.below(request.slips) };
            let weaker =
                G::levels().iter().take_while(|other| other.info().name != level.info().name).last().copied();
            let slip = if character.below(3) == 0 { None } else { weaker };
            Persona { level: *level, slip, rate, bold: character.below(2) == 0 }
        })
        .collect()
}

fn draft<G: Levels>(request: &Request<G>, event: &Event<G>, signer: &Signer, at: i64) -> Draft {
    let mut sets = Vec::new();
    let mut first = 1;
    while first <= request.boards {
        let last = (first + SET_BOARDS - 1).min(request.boards);
        let id = format!("s{}", sets.len() + 1);
        sets.push(SetLine { id, first, last, purpose: Purpose::Original });
        first = last + 1;
    }
    let last = request.boards + RESERVE_BOARDS;
    sets.push(SetLine {
        id: "reserve".to_owned(),
        first: request.boards + 1,
        last,
        purpose: Purpose::Reserve,
    });
    let mut levels: Vec<PlayerRef<G>> = vec![request.opponents];
    levels.extend(&request.levels);
    levels.sort_by_key(|level| level.info().name);
    levels.dedup_by_key(|level| level.info().name);
    Draft {
        event: event.id.clone(),
        game: G::KIND.name().to_owned(),
        ruleset: RulesetLine {
            name: event.rules.name().to_owned(),
            hash: rulesets::hash(event.rules.as_ref()),
        },
        settings: Some(hash_of(&event.settings).unwrap_or_default()),
        sets,
        delayed: Delayed::Value(DelayedSpec {
            description: "six digits drawn after the announcement (simulated)".to_owned(),
            form: DelayedForm::Digits,
            length: 6,
            known_after: at + DAY_US,
        }),
        draws: true,
        ai_levels: levels
            .iter()
            .map(|level| AiLevel { name: level.info().name.to_owned(), hash: level.info().hash() })
            .collect(),
        published_at: at,
        server_key: signer.public(),
    }
}

/// Seals the master key as a real event does. The key file of a demonstration follows from its seed.
fn sealed(seed: &str, event: &str, master: &MasterKey) -> Result<Sealed, EventError> {
    let bytes = |purpose: &str| sha256(format!("fushi-demo/1|{purpose}|{seed}").as_bytes());
    let secret = Secret::key_file(&bytes("key-file"))?;
    let mut random = SealRandom { salt: [0; 32], nonce: [0; 24] };
    random.salt = bytes("seal-salt");
    for (slot, byte) in random.nonce.iter_mut().zip(bytes("seal-nonce")) {
        *slot = byte;
    }
    Ok(Sealed::seal(master, event, &secret, KdfCost::LEAST, &random)?)
}

/// Signs the heads round by round, as the rounds end.
fn sign_heads<G: Levels>(
    archive: &dyn Archive,
    event: &Event<G>,
    signer: &Signer,
    stage: &Stage<'_, G>,
    heads: &[crate::journal::bundle::Head],
) -> Result<(), EventError> {
    let mut rest = heads.iter().cloned();
    for round in &event.rounds {
        let count = round.tables.len() * round.boards.len();
        let of_round: Vec<_> = rest.by_ref().take(count).collect();
        checkpoint(archive, &event.id, signer, stage.opens(round.round, round.boards.len()), of_round)?;
    }
    Ok(())
}

/// The event while it is played.
struct Stage<'a, G: Levels> {
    request: &'a Request<G>,
    event: &'a Event<G>,
    dealer: &'a Dealer<G>,
    key: &'a AiKey,
    levels: &'a [Persona<G>],
    start: i64,
}

impl<G: Levels> Stage<'_, G> {
    /// When a board of a round opens, give or take a table's haste.
    fn opens(&self, round: u32, board: usize) -> i64 {
        let before = u64::from(round.saturating_sub(1)) * 8;
        let minutes = before.saturating_add(board as u64).saturating_mul(8);
        self.start + i64::try_from(minutes).unwrap_or(0).saturating_mul(MINUTE_US)
    }

    /// The event with a last round in which a board is replayed, kept in the archive.
    fn with_replay(&self, archive: &dyn Archive, board: u32) -> Result<Event<G>, EventError> {
        let mut event = self.event.clone();
        event.rounds.extend(replay_round(&event.rounds, board, self.request.boards + 1));
        let at = self.opens(u32::try_from(event.rounds.len()).unwrap_or(u32::MAX), 0) - 2 * MINUTE_US;
        let before = archive.event(&event.id)?;
        archive.change_settings(before, event.settings_text()?, event.act(at, WHO, "replay-round", ""))?;
        Ok(event)
    }

    /// The referee's part of a replay: the board is void by a ruling, the reserve set is opened with its reason, and
    /// the tables are laid out again.
    fn order_replay(
        &self,
        archive: &dyn Archive,
        announcement: &Announcement,
        board: u32,
    ) -> Result<Vec<PlayId>, EventError> {
        let event = self.event;
        let instead = self.request.boards + 1;
        let at = self.opens(u32::try_from(event.rounds.len()).unwrap_or(u32::MAX), 0) - MINUTE_US;
        let ruling = Ruling {
            number: 1,
            at,
            by: "referee (simulated)".to_owned(),
            reason: format!(
                "cards of board {board} were seen before play (simulated): void, board {instead} from the reserve \
                 set is played in its place"
            ),
            decision: Decision::Void { board },
        };
        let collected = collect(archive, event, self.dealer)?;
        rule(archive, event, &collected, &ruling)?;
        let set = set_of(announcement, board)?;
        archive.set_board_state(&event.id, set, i64::from(board), "void")?;
        archive.audit(event.act(at, WHO, "open-reserve", &ruling.reason))?;
        event.lay_out_reserves(archive, announcement)
    }

    /// Plays the sittings of some plays, which begin at a place in the order of all; batches become durable together.
    fn play_all(
        &self,
        archive: &dyn Archive,
        plays: &[PlayId],
        from: usize,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<u64, EventError> {
        let sittings: Vec<Sitting<'_>> = self.event.sittings().skip(from).take(plays.len()).collect();
        let mut headers = std::collections::BTreeMap::new();
        for board in sittings.iter().map(|sitting| sitting.board) {
            if let Entry::Vacant(place) = headers.entry(board) {
                place.insert(self.dealer.header(board)?);
            }
        }
        let mut entries = 0;
        for (sittings, plays) in sittings.chunks(BATCH).zip(plays.chunks(BATCH)) {
            let journals = self.play_batch(&headers, sittings)?;
            let mut rows = Vec::new();
            for ((journal, play), sitting) in journals.into_iter().zip(plays).zip(sittings) {
                entries += journal.entries.len() as u64;
                self.rows(sitting, *play, journal, &mut rows);
            }
            archive.append(rows)?;
            progress(Progress::Played(sittings.len() as u64));
        }
        for (board, header) in &headers {
            let name = header.board.clone().unwrap_or_default();
            let set = name.split('/').next().unwrap_or_default();
            archive.set_board_state(&self.event.id, set, i64::from(*board), "finished")?;
        }
        Ok(entries)
    }

    /// Sittings are independent of each other: they are played on several threads and come back in order.
    fn play_batch(
        &self,
        headers: &std::collections::BTreeMap<u32, Header<G>>,
        sittings: &[Sitting<'_>],
    ) -> Result<Vec<Journal>, EventError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(16);
        let share = sittings.len().div_ceil(threads).max(1);
        std::thread::scope(|scope| {
            let workers: Vec<_> = sittings
                .chunks(share)
                .map(|chunk| {
                    scope.spawn(move || {
                        chunk.iter().map(|sitting| self.play_one(headers, sitting)).collect::<Vec<_>>()
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

    fn play_one(
        &self,
        headers: &std::collections::BTreeMap<u32, Header<G>>,
        sitting: &Sitting<'_>,
    ) -> Result<Journal, EventError> {
        let stuck = |detail: String| EventError::Stuck {
            board: sitting.board.to_string(),
            table: sitting.table,
            detail,
        };
        let header = headers.get(&sitting.board).ok_or_else(|| stuck("it was not dealt".to_owned()))?;
        let mut seated: Vec<(Seat, Actor<G>)> = Vec::new();
        for ((_, seats), who) in self.event.positions().iter().zip(sitting.who) {
            seated.extend(seats.iter().map(|seat| (*seat, self.actor(*who, *seat, sitting.board))));
        }
        seated.sort_by_key(|(seat, _)| *seat);
        let mut actors: Vec<Actor<G>> = seated.into_iter().map(|(_, actor)| actor).collect();
        let place = format!("{}|{}|{}", sitting.round, sitting.table, sitting.board);
        let mut clock = chance(&self.request.seed, "clock", &place);
        table::play(header, sitting.board, &mut actors, self.key, &mut clock).map_err(stuck)
    }

    fn actor(&self, who: Occupant, seat: Seat, board: u32) -> Actor<G> {
        let Occupant::Entrant(number) = who else { return Actor::Software(self.request.opponents) };
        let persona = (number as usize).checked_sub(1).and_then(|place| self.levels.get(place));
        match persona {
            Some(persona) if persona.rate > 0 => {
                let about = format!("{number}|{}|{board}", seat.0);
                let dice = sha256(format!("fushi-demo/1|dice|{}|{number}", self.request.seed).as_bytes());
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

    fn rows(&self, sitting: &Sitting<'_>, play: PlayId, journal: Journal, rows: &mut Vec<EntryRow>) {
        let round = (sitting.round as usize).checked_sub(1).and_then(|place| self.event.rounds.get(place));
        let place = round.and_then(|round| round.boards.iter().position(|board| *board == sitting.board));
        let about = format!("{}|{}", sitting.board, sitting.table);
        let haste = i64::from(chance(&self.request.seed, "haste", &about).below(60_000_000));
        let opened = self.opens(sitting.round, place.unwrap_or(0)) + haste;
        let receipt = journal.receipt;
        rows.push(EntryRow::new(play, 0, opened, receipt.body, receipt.hash));
        for (seq, kept) in (1..).zip(journal.entries) {
            let at = i64::try_from(kept.at).unwrap_or(i64::MAX);
            rows.push(EntryRow::new(play, seq, at, kept.body, kept.hash));
        }
    }
}
