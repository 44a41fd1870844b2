//! From a draft to seats: keys, announcement, delayed value, seat draw and lock. Each step happens once, in order.

use super::outlook;
use crate::canonical::{hash_of, to_string};
use crate::dealing::{
    AiLevel, Announcement, Delayed, DelayedSpec, DelayedValue, Draft, DrawReveal, DrawSeed, KdfCost,
    MasterKey, Purpose, RulesetLine, SEATS, Sealed, Secret, SetLine, draw_seed, fresh_master, fresh_seal,
    list_hash,
};
use crate::event::EventError;
use crate::event::archive::{Archive, AuditRow, Lock, PlayId};
use crate::event::model::{Event, MASTER, layout};
use crate::event::schedule::DrawRecord;
use crate::formats;
use crate::games::{Fault, Game, Ruleset as _, rulesets};
use crate::journal::sign::Signer;
use crate::players::{self, Levels};
use crate::words::message;

/// Boards of one set at least: sets are revealed one by one.
const SET_BOARDS: u32 = 8;

/// Creates a draft with a fresh master key, sealed under the server's secret.
///
/// # Errors
/// The id is taken; no randomness to be had.
pub fn create<G: Game>(
    archive: &dyn Archive,
    event: &Event<G>,
    secret: &Secret,
    at: i64,
    who: &str,
) -> Result<(), EventError> {
    let master = fresh_master()?;
    let sealed = Sealed::seal(&master, &event.id, secret, KdfCost::LEAST, &fresh_seal()?)?;
    event.create(archive, &sealed, at, who)
}

/// Opens the master key of an event; the audit log is told before it is used.
///
/// # Errors
/// The secret does not open it, or the archive.
pub fn master(
    archive: &dyn Archive,
    event: &str,
    secret: &Secret,
    why: &str,
    at: i64,
    who: &str,
) -> Result<MasterKey, EventError> {
    let stored = archive.sealed_key(event, MASTER)?;
    let text =
        String::from_utf8(stored).map_err(|_| EventError::Damaged("a sealed key is not text".to_owned()))?;
    let mut logged = Ok(());
    let opened = Sealed::parse(&text)?.open(event, secret, why, |read| {
        logged = archive.audit(AuditRow {
            event_id: Some(event.to_owned()),
            at_us: at,
            who: who.to_owned(),
            act: "read-key".to_owned(),
            reason: why.to_owned(),
            details: format!("{{\"opened\":{}}}", read.opened),
        });
    })?;
    logged?;
    Ok(opened)
}

/// The AI levels that an event uses: opponents and stand-ins, and those that play for entrants.
fn levels<G: Levels>(event: &Event<G>) -> Result<Vec<AiLevel>, EventError> {
    let opponents = event.settings.plays_software();
    let mut names: Vec<&str> = event.entrants.iter().filter_map(|entrant| entrant.level.as_deref()).collect();
    names.extend(event.settings.opponents.as_deref().filter(|_| opponents));
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .map(|name| {
            let level = players::find::<G>(name).map_err(|fault| EventError::Said(fault.told))?;
            Ok(AiLevel { name: level.info().name.to_owned(), hash: level.info().hash() })
        })
        .collect()
}

/// Board sets: whole rounds, at least [`SET_BOARDS`] boards, and the reserve.
fn sets<G: Game>(event: &Event<G>) -> Vec<SetLine> {
    let (schedule, boards) = (&event.schedule, event.settings.boards());
    let round = event.settings.boards_per_round().max(1);
    let size = SET_BOARDS.div_ceil(round).saturating_mul(round);
    let mut sets = Vec::new();
    let mut first = 1;
    while first <= boards {
        let last = first.saturating_add(size - 1).min(boards);
        sets.push(SetLine { id: format!("s{}", sets.len() + 1), first, last, purpose: Purpose::Original });
        first = last + 1;
    }
    if schedule.reserve_boards > 0 {
        sets.push(SetLine {
            id: "reserve".to_owned(),
            first: boards + 1,
            last: boards + schedule.reserve_boards,
            purpose: Purpose::Reserve,
        });
    }
    sets
}

/// What an announcement says, and what its organizer should know.
#[derive(Debug)]
pub struct Announced {
    /// What was published.
    pub announcement: Announcement,
    /// Why seats could not be drawn for the entrants as they are now, and what else is unexpected about them. Entries
    /// are open until the draw.
    pub warnings: Vec<Fault>,
}

/// Commits to every deal of the event and publishes that.
///
/// # Errors
/// As faults: seats could not be drawn for any number of entrants near that of now, and nothing that matters can be
/// changed afterwards. It is announced already; a delayed value that is known too early; the keys; the archive.
pub fn announce<G: Levels>(
    archive: &dyn Archive,
    event: &Event<G>,
    secret: &Secret,
    at: i64,
    who: &str,
) -> Result<Result<Announced, Vec<Fault>>, EventError> {
    let warnings = match outlook::outlook(&event.settings, event.entrants.len()) {
        Ok(warnings) => warnings,
        Err(faults) => return Ok(Err(faults)),
    };
    let delayed = match &event.schedule.delayed {
        None => Delayed::None,
        Some(plan) => Delayed::Value(DelayedSpec {
            description: plan.description.clone(),
            form: plan.form,
            length: plan.length,
            known_after: plan.known_after,
        }),
    };
    let ai_levels = levels(event)?;
    let master = master(archive, &event.id, secret, "to commit to the deals", at, who)?;
    let draft = Draft {
        event: event.id.clone(),
        game: G::KIND.name().to_owned(),
        ruleset: RulesetLine {
            name: event.rules.name().to_owned(),
            hash: rulesets::hash(event.rules.as_ref()),
        },
        settings: Some(hash_of(&event.settings).map_err(|error| EventError::Setting(error.to_string()))?),
        sets: sets(event),
        delayed,
        ai_levels,
        draws: true,
        published_at: at,
        server_key: Signer::of_event(&master, &event.id).public(),
    };
    let announcement = draft.announce(&master)?;
    event.announce(archive, &announcement, who)?;
    Ok(Ok(Announced { announcement, warnings }))
}

/// What an event with drawn seats writes.
#[derive(Debug)]
pub struct Locked<G: Game> {
    /// The event with its movement.
    pub event: Event<G>,
    /// The entrants' ids by the places of the plan, 1 first, as they were drawn.
    pub places: Vec<String>,
    /// The boards at tables, in the order of [`Event::sittings`].
    pub plays: Vec<PlayId>,
}

/// Draws the seats, plans the movement, and closes the entries. The seed of the draw follows from the event's draw key,
/// the announcement, the delayed value if it is known, and the list of entrants: nobody can choose it, and it can be
/// drawn once only.
///
/// # Errors
/// As faults: no sound movement for these entrants, with what would work ([`outlook::movement`]); entries stay open then.
/// Not announced, locked already, the keys, the archive.
pub fn lock<G: Levels>(
    archive: &dyn Archive,
    event: &Event<G>,
    secret: &Secret,
    at: i64,
    who: &str,
) -> Result<Result<Locked<G>, Vec<Fault>>, EventError> {
    let master = master(archive, &event.id, secret, "to draw the seats", at, who)?;
    lock_with(archive, event, &master, at, who)
}

/// The same with the event's master key at hand.
///
/// # Errors
/// As [`lock`].
pub fn lock_with<G: Levels>(
    archive: &dyn Archive,
    event: &Event<G>,
    master: &MasterKey,
    at: i64,
    who: &str,
) -> Result<Result<Locked<G>, Vec<Fault>>, EventError> {
    let row = archive
        .announcement(&event.id)?
        .ok_or_else(|| EventError::Said(message!("desk-not-announced", id = &event.id)))?;
    let announcement = Announcement::parse_canonical(&row.body)?;
    let delayed = match row.delayed.as_deref() {
        Some(value) => announcement.delayed_value(Some(value))?,
        None => DelayedValue::none(),
    };
    let order: Vec<String> = event.entrants.iter().map(|entrant| entrant.id.clone()).collect();
    let key = DrawReveal::of(&announcement, master)?.verify(&announcement)?;
    let seed = draw_seed(
        &key,
        &DrawSeed {
            announcement_hash: announcement.hash(),
            delayed: &delayed,
            purpose: SEATS,
            number: 1,
            list: &list_hash(&order),
        },
    );
    let seed = hex::encode(seed);
    let count = u32::try_from(event.entrants.len()).unwrap_or(u32::MAX);
    let request = match outlook::request(&event.settings, count, &seed) {
        Ok(request) => request,
        Err(faults) => return Ok(Err(faults)),
    };
    let plan = match outlook::movement(&request) {
        Ok((plan, _)) => plan,
        Err(faults) => return Ok(Err(faults)),
    };
    let draw = formats::draw(count, seed.as_bytes());
    let places = draw.places().into_iter().filter_map(|place| order.get(place).cloned()).collect();
    let mut locked = event.clone();
    let numbers: Vec<u32> = event.entrants.iter().map(|entrant| entrant.number).collect();
    locked.rounds = draw.seat(plan.rounds, &numbers);
    locked.schedule.draw = Some(DrawRecord { at, seed, delayed: !delayed.is_none(), order });
    let (boards, plays) = layout(&locked, &announcement)?;
    let details = to_string(&locked.schedule.draw).unwrap_or_else(|_| "{}".to_owned());
    let write = Lock {
        event: event.id.clone(),
        settings: locked.settings_text()?,
        entrants: event.entrants.len(),
        boards,
        plays,
    };
    let plays = archive.lock(write, AuditRow { details, ..event.act(at, who, "lock", "") })?;
    Ok(Ok(Locked { event: locked, places, plays }))
}
