//! A whole event played by simulated entrants and AI players: announced, dealt, played into journals, ranked,
//! published, revealed and proved, through the same code that a real event uses.
//!
//! Everything follows from a seed, times included, so the same seed gives the same event and the same bundle, byte for
//! byte. That is also why a demonstration proves nothing about fairness: whoever knows the seed knows the deals.

mod names;
pub(super) use names::names;
mod course;
mod table;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use super::export::export;
use crate::canonical::{hash_of, sha256};
use crate::dealing::{
    AiLevel, AiReveal, Announcement, Delayed, DelayedForm, DelayedSpec, Draft, DrawReveal, KdfCost,
    MasterKey, Purpose, Reveal, RulesetLine, SealRandom, Sealed, Secret, SetLine,
};
use crate::event::EventError;
use crate::event::archive::Archive;
use crate::event::ledger::Ledger;
use crate::event::live::Live;
use crate::event::log::begun;
use crate::event::model::{Dealer, Event};
use crate::event::schedule::Schedule;
use crate::formats::settings::{Entrant, Measure, Settings};
use crate::formats::tally::Tally;
use crate::formats::{
    self, Advancement, CarryOver, Fill, Format, MovementRules, RoundPoints, RoundRobinRules, Seeding, Stage,
    StageFormat, StandingRow, boards_needed,
};
use crate::games::{Game, Ruleset as _, Seat, deal_board, rulesets};
use crate::journal::sign::Signer;
use crate::players::{AiKey, Levels, PlayerRef};
use crate::rng::GameRng;
use crate::scoring;
use crate::words::{in_sight, message};
use course::Course;

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
    /// The kind of movement.
    pub format: Format,
    /// Groups in which everybody meets everybody, in place of the movement: `boards` does not count then.
    pub round_robin: Option<Groups>,
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

/// A round-robin: groups, and a final of those who advance where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Maximum number of entrants of a group.
    pub group_size: u32,
    /// Number of boards of a meeting.
    pub deals: u32,
    /// How many of each group advance to the final.
    pub quota: u32,
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
    /// The comparison of all results.
    pub tally: Tally,
    /// The standings of every stage and group.
    pub standings: Vec<StandingRow>,
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

/// The random numbers for one purpose of the demonstration.
fn chance(seed: &str, purpose: &str, about: &str) -> GameRng {
    GameRng::of(&format!("fushi-demo/1|{purpose}"), format!("{seed}|{about}").as_bytes())
}

/// How many seats a table of the game has under a ruleset.
#[must_use]
pub fn seats_of<G: Game>(rules: &Arc<G::Rules>) -> u8 {
    deal_board::<G>(rules, 1, &G::PACK.cards()).map_or(0, |start| G::seats(&start))
}

/// Plays a demonstration: everything goes into the archive, the bundle into `out`.
///
/// # Errors
/// Sizes or settings that cannot be; the archive; the output.
pub fn play<G: Levels, S: Archive + Ledger, W: Write>(
    archive: &S,
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
    let personas = personas_by_id(&event, personas);
    event = Event::load(archive, &event.id)?;
    archive.audit(event.act(at, WHO, "read-key", "to draw and to deal the boards"))?;
    let dealer = Dealer::new(&event, &announcement, &master, &delayed)?;
    let draw_key = DrawReveal::of(&announcement, &master)?.verify(&announcement)?;
    let ai = AiReveal::of(&announcement, &master)?;
    let key = AiKey::new(*ai.verify(&announcement)?.expose());
    let journal = begun(archive, &event.id)?;
    let mut course = Course {
        store: archive,
        number: archive.event_number(&event.id)?,
        request,
        event: &event,
        announcement: &announcement,
        delayed: &delayed,
        draw_key: &draw_key,
        dealer: &dealer,
        key: &key,
        personas: &personas,
        signer: &signer,
        journal,
        locked_at: at + MINUTE_US,
        now: at + MINUTE_US,
        start: announced_at + 2 * DAY_US,
        entries: 0,
        replay: request.replay,
    };
    course.play(progress)?;
    let (journal, entries) = (course.journal, course.entries);
    let competition = journal.competition();
    let tally = competition.tally()?;
    let standings = competition.standings();
    let journals = competition.sittings().len() as u64;
    archive.audit(event.act(journal.wall(), WHO, "reveal", "all boards are finished at every table"))?;
    let out = export(archive, &event, &master, &signer, out)?;

    let mut revealed = Vec::new();
    let used = |set: &&SetLine| competition.sittings().iter().any(|sitting| sitting.deal.set == set.id);
    for set in announcement.body().sets.iter().filter(used) {
        revealed.push(Reveal::of(&announcement, &master, &set.id)?);
    }
    let level = |entrant: &Entrant| personas.get(&entrant.id).map_or("", |persona| persona.level.info().name);
    let levels = event.entrants.iter().map(level).collect();
    let delayed = delayed.as_str().to_owned();
    Ok((
        Played { event, announcement, delayed, revealed, ai, levels, tally, standings, journals, entries },
        out,
    ))
}

/// Checks sizes and settings without playing.
///
/// # Errors
/// Those of [`play`] that can be known beforehand.
pub fn check<G: Levels>(request: &Request<G>) -> Result<(), EventError> {
    let stages = stages(request);
    let boards =
        boards_needed(&stages, request.entrants).map_err(|refused| EventError::Said(refused.message()))?;
    let plays = u64::from(request.entrants).saturating_mul(u64::from(boards));
    if plays > PLAYS_MAX {
        return Err(EventError::Said(message!("demo-too-large", plays, plays_max = PLAYS_MAX)));
    }
    if let Some(board) = request.replay.filter(|board| !(1..=boards).contains(board)) {
        return Err(EventError::Said(message!("demo-no-board", board, boards)));
    }
    if request.round_robin.is_some() {
        return Ok(());
    }
    let faults = order(request).faults();
    if faults.is_empty() { Ok(()) } else { Err(refused(faults)) }
}

fn refused(faults: Vec<formats::RequestFault>) -> EventError {
    EventError::all(faults.into_iter().map(|fault| fault.told))
}

/// The stages: a movement, or groups and a final.
fn stages<G: Levels>(request: &Request<G>) -> Vec<Stage> {
    let Some(groups) = request.round_robin else {
        let rules = MovementRules {
            kind: request.format,
            boards: request.boards,
            boards_per_round: order(request).boards_per_round,
            fill: Fill::StandIn,
        };
        return vec![Stage { format: StageFormat::Movement(rules), advance: None }];
    };
    let round_robin = |group_size: u32| {
        StageFormat::RoundRobin(RoundRobinRules {
            group_size,
            deals: groups.deals,
            points: RoundPoints::default(),
        })
    };
    if request.entrants <= groups.group_size {
        return vec![Stage { format: round_robin(groups.group_size), advance: None }];
    }
    let advance = Advancement {
        quota: groups.quota,
        wild: 0,
        carry: CarryOver::None,
        seeding: Seeding::Draw,
        pins: BTreeMap::new(),
    };
    // A final is one group, however many groups there were.
    let finalists = request.entrants.div_ceil(groups.group_size.max(1)).saturating_mul(groups.quota);
    let last = round_robin(groups.group_size.max(finalists));
    vec![
        Stage { format: round_robin(groups.group_size), advance: Some(advance) },
        Stage { format: last, advance: None },
    ]
}

/// Number of boards, the reserve aside.
fn boards<G: Levels>(request: &Request<G>) -> u32 {
    boards_needed(&stages(request), request.entrants).unwrap_or(0)
}

/// The seats of each position, in the order in which entrants take them.
fn positions<G: Levels>(request: &Request<G>) -> Result<Vec<Vec<String>>, EventError> {
    let seat_name = |seat: u8| G::seat_name(Seat(seat)).unwrap_or_default().to_owned();
    if request.round_robin.is_none() {
        let (plan, _) = formats::lay_out(&order(request)).map_err(refused)?;
        let names = |seats: &Vec<u8>| seats.iter().map(|seat| seat_name(*seat)).collect();
        return Ok(plan.positions.iter().map(names).collect());
    }
    let seats = seats_of::<G>(&request.rules);
    if pairs(request) {
        return Ok((0..2).map(|seat| vec![seat_name(seat), seat_name(seat + 2)]).collect());
    }
    Ok((0..seats).map(|seat| vec![seat_name(seat)]).collect())
}

/// Whether an entrant is a pair.
fn pairs<G: Levels>(request: &Request<G>) -> bool {
    request.format == Format::Pairs
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
fn personas_by_id<G: Levels>(event: &Event<G>, personas: Vec<Persona<G>>) -> BTreeMap<String, Persona<G>> {
    event.entrants.iter().map(|entrant| entrant.id.clone()).zip(personas).collect()
}

/// Puts the event together and invents its entrants, in order of entry.
fn event<G: Levels>(request: &Request<G>) -> Result<(Event<G>, Vec<Persona<G>>), EventError> {
    check(request)?;
    let names = names::names(request.entrants, pairs(request), &mut chance(&request.seed, "names", ""));
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
    let settings = Settings {
        title: title_of(&request.seed),
        positions: positions(request)?,
        opponents: Some(request.opponents.info().name.to_owned()),
        measure: request.measure,
        scoring: request.scoring.clone(),
        stages: stages(request),
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
    let boards = boards(request);
    let mut sets = Vec::new();
    let mut first = 1;
    while first <= boards {
        let last = (first + SET_BOARDS - 1).min(boards);
        let id = format!("s{}", sets.len() + 1);
        sets.push(SetLine { id, first, last, purpose: Purpose::Original });
        first = last + 1;
    }
    let last = boards + RESERVE_BOARDS;
    sets.push(SetLine { id: "reserve".to_owned(), first: boards + 1, last, purpose: Purpose::Reserve });
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
