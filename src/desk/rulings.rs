//! Rulings: what one would do, and making it.
//!
//! Everything that a ruling does is computed from the event's own state machine: the preview, the publication, the pages and
//! the offline check rest on the same function.

use super::effects::{Doubt, Effect, Look, doubts, effects, reach};
use super::rights::{Right, to_rule};
use crate::event::ledger::EventWrite;
use crate::event::log::{Appended, EventLog, LogError};
use crate::event::{Event, EventError};
use crate::formats::ruling::Ruling;
use crate::formats::tally::Tally;
use crate::formats::{Competition, Fact};
use crate::games::Game;
use crate::journal::{Author, EventJournal, Header};

/// What a ruling would do.
#[derive(Debug)]
pub struct Outcome {
    /// What it does beside what it says.
    pub effects: Vec<Effect>,
    /// What should be asked about before it is made.
    pub doubts: Vec<Doubt>,
    /// Results and standings with it.
    pub after: Tally,
}

impl Outcome {
    /// The right that makes the ruling: by what it does, not only by its kind.
    #[must_use]
    pub fn right(&self, ruling: &Ruling, published: bool) -> Right {
        to_rule(reach(&self.effects, ruling), published)
    }
}

/// What a ruling would do in a competition, without making it.
///
/// # Errors
/// The ruling cannot stand; its board cannot be dealt.
pub fn preview<G: Game>(
    event: &Event<G>,
    header: &dyn Fn(u32) -> Result<Header<G>, EventError>,
    competition: &Competition,
    ruling: &Ruling,
) -> Result<Outcome, EventError> {
    let fact = Fact::Ruling(ruling.clone());
    let orders = competition.check(&fact).map_err(|refused| EventError::Refused(Box::new(refused)))?;
    let mut then = competition.clone();
    then.apply(&fact, &orders);
    let after = then.tally()?;
    let (played, earlier) = (competition.results(), competition.rulings());
    let effects = effects(event, &played, earlier, ruling);
    let look = Look { played: &played, earlier, ruling, effects: &effects, after: &after };
    let doubts = doubts(event, header, &look)?;
    Ok(Outcome { effects, doubts, after })
}

/// Makes a ruling and waits until it is durable; its instant is that of its line. `published` says whether results were
/// published when the right to rule was checked: whoever publishes in between is first.
///
/// # Errors
/// The ruling cannot stand, its number is taken, results were published meanwhile; the ledger.
pub fn rule(
    log: &EventLog,
    by: Author,
    ruling: &Ruling,
    published: bool,
    write: EventWrite,
) -> Result<Appended, LogError> {
    log.decide_durably(by, write, |journal: &EventJournal| {
        if journal.desk().published().is_empty() == published {
            return Err(LogError::Changed);
        }
        Ok(Fact::Ruling(ruling.clone()).into())
    })
}
