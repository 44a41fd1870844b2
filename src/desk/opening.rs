//! From a draft to seats: keys, announcement, delayed value, seat draw and lock. Each step happens once, in order.

use super::outlook;
use crate::canonical::hash_of;
use crate::dealing::{
    AiLevel, Announcement, Delayed, DelayedSpec, DelayedValue, Draft, DrawKey, DrawReveal, KdfCost,
    MasterKey, Purpose, RulesetLine, Sealed, Secret, SetLine, fresh_master, fresh_seal,
};
use crate::event::archive::{Archive, AuditRow};
use crate::event::ledger::EventWrite;
pub use crate::event::log::announcement;
use crate::event::log::{EventLog, EventLogs, LogError};
use crate::event::model::{Event, MASTER};
use crate::event::{EventError, EventState};
use crate::formats::{self, Competition, DrawDue, DrawMade, Fact, Refused};
use crate::games::{Fault, Game, Ruleset as _, rulesets};
use crate::journal::sign::Signer;
use crate::journal::{Author, Lots};
use crate::players::{self, Levels};

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

/// An event whose entries are closed.
#[derive(Debug)]
pub struct Locked<G: Game> {
    /// The event with the rounds that are known.
    pub event: Event<G>,
    /// The draws that were made, in order.
    pub draws: Vec<DrawMade>,
}

/// The announcement of an event with its delayed value, as far as it is known: [`DelayedValue::none`] before.
fn drawn_from(archive: &dyn Archive, event: &str) -> Result<(Announcement, DelayedValue), EventError> {
    let announcement = announcement(archive, event)?;
    let row = archive.announcement(event)?;
    let delayed = match row.as_ref().and_then(|row| row.delayed.as_deref()) {
        Some(value) => announcement.delayed_value(Some(value))?,
        None => DelayedValue::none(),
    };
    Ok((announcement, delayed))
}

/// Makes every draw of an event that is due; answers how many were made. Nobody can choose a seed: it follows from the event's
/// draw key, the announcement, the delayed value if it is known, and the list that is drawn from.
///
/// # Errors
/// The keys; the archive and the ledger.
pub fn make_draws(archive: &dyn Archive, log: &EventLog, master: &MasterKey) -> Result<u32, LogError> {
    let (announcement, delayed) = drawn_from(archive, log.event())?;
    let key = draw_key(&announcement, master)?;
    log.make_due_draws(&Lots { announcement: announcement.hash(), key: &key, delayed: &delayed })
}

fn draw_key(announcement: &Announcement, master: &MasterKey) -> Result<DrawKey, EventError> {
    Ok(DrawReveal::of(announcement, master)?.verify(announcement)?)
}

/// The closing of the entries of an event as it stands.
fn locking<G: Game>(event: &Event<G>) -> Fact {
    let ids = event.entrants.iter().map(|entrant| entrant.id.clone()).collect();
    let numbers: Vec<u32> = event.entrants.iter().map(|entrant| entrant.number).collect();
    Fact::Locked(formats::Locked::of(ids, &numbers, &event.settings.stages))
}

/// The event as it would be once its entries are closed and everything that is due then is drawn.
///
/// # Errors
/// As faults: why that cannot be, and what would work.
pub fn trial<G: Game>(
    event: &Event<G>,
    competition: &Competition,
    draw: &dyn Fn(DrawDue) -> DrawMade,
) -> Result<Competition, Vec<Fault>> {
    let faults = |refused: &Refused| outlook::ways(&event.settings, event.entrants.len(), refused);
    let mut then = competition.clone();
    let mut next = Some(locking(event));
    while let Some(fact) = next {
        let orders = then.check(&fact).map_err(|refused| faults(&refused))?;
        then.apply(&fact, &orders);
        next = then.due_draw().map(|due| Fact::Draw(draw(due)));
    }
    Ok(then)
}

/// Closes the entries and makes the draws that are due: they follow from the event's draw key and can be made once only.
///
/// # Errors
/// As faults: no sound course for these entrants, with what would work; entries stay open then. Not announced, locked
/// already, the keys, the archive and the ledger.
pub fn lock<G: Levels>(
    archive: &dyn Archive,
    logs: &EventLogs,
    event: &Event<G>,
    secret: &Secret,
    at: i64,
    by: (Author, &str),
) -> Result<Result<Locked<G>, Vec<Fault>>, LogError> {
    let (author, who) = by;
    let row = archive.event(&event.id)?;
    let master = master(archive, &event.id, secret, "to draw the seats", at, who)?;
    let (announcement, delayed) = drawn_from(archive, &event.id)?;
    let key = draw_key(&announcement, &master)?;
    let draws = Lots { announcement: announcement.hash(), key: &key, delayed: &delayed };
    let log = logs.open(&event.id)?;
    // What cannot be drawn is found before anybody is bound by it.
    let before = event.competition(&announcement);
    if let Err(faults) = trial(event, &before, &|due| draws.draw(due)) {
        return Ok(Err(faults));
    }
    let write = EventWrite {
        state: Some(EventState::Locked.word()),
        unchanged: Some((row, event.entrants.len())),
        audit: vec![event.act(at, who, "lock", "")],
        ..EventWrite::default()
    };
    log.append_durably(author, locking(event), write)?;
    log.make_due_draws(&draws)?;
    let mut event = event.clone();
    let draws = log.look(|journal| {
        event.follow(journal.competition());
        journal.competition().draws().to_vec()
    });
    Ok(Ok(Locked { event, draws }))
}
