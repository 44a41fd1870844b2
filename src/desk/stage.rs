//! An event that is ready to be played live, from one call: drafted, entered, announced, drawn. For the sample events
//! of a server, for load and for tests; organizers take the same steps one by one.

use super::demo::names;
use super::draft::{Fields, apply, blank};
use super::opening::{announce, create, lock};
use crate::dealing::Secret;
use crate::event::EventError;
use crate::event::archive::Archive;
use crate::event::log::{EventLogs, LogError};
use crate::event::model::Event;
use crate::formats::settings::Entrant;
use crate::games::Fault;
use crate::journal::Author;
use crate::players::Levels;
use crate::rng::GameRng;

/// What is to be staged.
#[derive(Debug)]
pub struct Staging<'a> {
    /// The event's id.
    pub id: &'a str,
    /// What a draft says of it; no delayed value.
    pub fields: Fields,
    /// How many persons take part: `e01` and so on.
    pub persons: u32,
    /// The AI levels of further entrants.
    pub programs: &'a [&'a str],
    /// The seed of the invented names.
    pub seed: [u8; 32],
}

fn refused(faults: Vec<Fault>) -> EventError {
    EventError::all(faults.into_iter().map(|fault| fault.told))
}

/// Stages an event: its master key is fresh, sealed with `secret`.
///
/// # Errors
/// Settings that cannot be, an id that is taken, the archive.
pub fn stage<G: Levels>(
    archive: &dyn Archive,
    logs: &EventLogs,
    staging: &Staging<'_>,
    secret: &Secret,
    at: i64,
    who: &str,
) -> Result<Event<G>, EventError> {
    let mut event = blank::<G>(staging.id).map_err(refused)?;
    apply(&mut event, &staging.fields).map_err(refused)?;
    let count = staging.persons.saturating_add(u32::try_from(staging.programs.len()).unwrap_or(u32::MAX));
    let width = count.to_string().len().max(2);
    let levels = (0..staging.persons)
        .map(|_| None)
        .chain(staging.programs.iter().map(|level| Some((*level).to_owned())));
    let mut chance = GameRng::of("fushi-stage/1", &staging.seed);
    event.entrants = (1..)
        .zip(names(count, event.settings.pairs(), &mut chance))
        .zip(levels)
        .map(|((number, name), level)| Entrant {
            id: format!("e{number:0width$}"),
            number,
            name,
            level,
            ..Entrant::default()
        })
        .collect();
    create(archive, &event, secret, at, who)?;
    announce(archive, &event, secret, at, who)?.map_err(refused)?;
    let locked =
        lock(archive, logs, &event, secret, at, (Author::Server, who)).map_err(LogError::into_event)?;
    Ok(locked.map_err(refused)?.event)
}
