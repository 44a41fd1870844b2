//! Publications and freezes: lines of the event's journal that everybody reads.

use crate::event::EventState;
use crate::event::ledger::EventWrite;
use crate::event::log::{Appended, EventLog, LogError};
use crate::journal::bundle::ResultState;
use crate::journal::revision::signed;
use crate::journal::sign::{Purpose, Signer};
use crate::journal::{Author, DeskFact, EventFault, EventJournal};

/// Whether everything that is going to be played is over, as the journal says it: a stage may be closed, the event is played,
/// or the desk has ended it.
#[must_use]
pub fn complete(journal: &EventJournal) -> bool {
    let competition = journal.competition();
    competition.may_close().is_some() || competition.ended() || journal.desk().ended()
}

/// Publishes the results as they are: a signed revision with its differences from the one before, and the event's new state.
///
/// # Errors
/// Not everything is over; an earlier state of results than the last; the ledger.
pub fn publish(
    log: &EventLog,
    signer: &Signer,
    by: Author,
    state: ResultState,
    at: i64,
    write: EventWrite,
) -> Result<Appended, LogError> {
    let next = EventState::from(state);
    let write = EventWrite { state: Some(next.word()), ..write };
    log.decide_durably(by, write, |journal| {
        if !complete(journal) {
            return Err(LogError::NotOver);
        }
        let last = journal.desk().published().last();
        let now = last.map_or(EventState::Locked, |last| last.body.state.into());
        if !now.may_become(next) {
            return Err(LogError::Changed);
        }
        let revision =
            journal.revision(log.event(), at.max(journal.wall()), state).map_err(EventFault::from)?;
        Ok(DeskFact::Published(Box::new(signed(signer, Purpose::Revision, revision))).into())
    })
}

/// Freezes the public standings, or shows them again; answers whether they were frozen before. Nothing is written where
/// nothing changes.
///
/// # Errors
/// The ledger.
pub fn freeze(log: &EventLog, by: Author, frozen: bool, write: EventWrite) -> Result<bool, LogError> {
    log.recover()?;
    let before = log.look(|journal| journal.desk().frozen());
    if before != frozen {
        log.append_durably(by, DeskFact::Frozen(frozen), write)?;
    }
    Ok(before)
}
