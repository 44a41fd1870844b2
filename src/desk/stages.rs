//! Stages of an event: who would advance from one, closing it, and boards that are replayed from a reserve set.

use std::collections::BTreeMap;

use super::opening;
use crate::dealing::{Announcement, MasterKey, Purpose};
use crate::event::EventError;
use crate::event::archive::Archive;
use crate::event::ledger::EventWrite;
use crate::event::log::{EventLog, LogError};
use crate::formats::ruling::{Decision, in_force};
use crate::formats::{AdvancedBy, Closed, Competition, Fact, Order, Refused, Replay};
use crate::journal::Author;

/// What the closing of a stage leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closing {
    /// The stage.
    pub stage: u32,
    /// Who advances, in the order of their seeding; empty where lots decide first, and after the last stage.
    pub advance: Vec<String>,
    /// How each of them comes in.
    pub by: BTreeMap<String, AdvancedBy>,
    /// Between whom a lot decides first.
    pub lot: Vec<String>,
    /// Whether the event is played then.
    pub ends: bool,
}

/// What would follow if the stage that is over were closed now.
///
/// # Errors
/// No stage is played to its end.
pub fn preview(competition: &Competition, stage: u32) -> Result<Closing, Refused> {
    let fact = Fact::Closed(Closed { stage });
    let orders = competition.check(&fact)?;
    let mut then = competition.clone();
    then.apply(&fact, &orders);
    let mut closing =
        Closing { stage, advance: Vec::new(), by: BTreeMap::new(), lot: Vec::new(), ends: false };
    for order in orders {
        match order {
            Order::Advance(advance) => (closing.advance, closing.by) = (advance.entrants, advance.by),
            Order::End(_) => closing.ends = true,
            Order::Group(_) | Order::Bye(_) | Order::Sit(_) => {}
        }
    }
    if closing.advance.is_empty() && !closing.ends {
        closing.lot = then.due_draw().map(|due| due.among).unwrap_or_default();
    }
    Ok(closing)
}

/// Closes a stage: its places are final, lots are drawn where nothing else separates, and whoever advances is drawn into the
/// next stage.
///
/// # Errors
/// The stage is not over; the ledger. A draw that could not be made is made when the next line is added.
pub fn close(
    archive: &dyn Archive,
    log: &EventLog,
    master: &MasterKey,
    by: Author,
    stage: u32,
    write: EventWrite,
) -> Result<(), LogError> {
    log.append_durably(by, Fact::Closed(Closed { stage }), write)?;
    opening::make_draws(archive, log, master)?;
    Ok(())
}

/// What replays a void board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayPlan {
    /// The fact.
    pub replay: Replay,
    /// Tables that play it.
    pub tables: usize,
}

/// The board of a reserve set that would be played in place of a void one.
///
/// # Errors
/// The board is not void, has been replayed, or no reserve board is left.
pub fn plan_replay(
    announcement: &Announcement,
    competition: &Competition,
    board: u32,
) -> Result<ReplayPlan, Refused> {
    let holding = in_force(competition.rulings())?;
    let void = holding.iter().find(|ruling| ruling.decision == Decision::Void { board });
    let ruling = void.ok_or(Refused::NotVoid(board))?.number;
    let used = |number: &u32| competition.replays().iter().any(|replay| replay.instead == *number);
    let reserve = announcement.body().sets.iter().filter(|set| set.purpose == Purpose::Reserve);
    let instead = reserve.flat_map(|set| set.first..=set.last).find(|number| !used(number));
    let replay = Replay { board, instead: instead.ok_or(Refused::NoReserve(board))?, ruling };
    competition.check(&Fact::Replay(replay))?;
    let tables = competition.sittings().iter().filter(|sitting| sitting.deal.board == board).count();
    Ok(ReplayPlan { replay, tables })
}

/// Has a void board replayed from a reserve set: a round at the end of its stage, seated as it was.
///
/// # Errors
/// As [`plan_replay`]; the ledger.
pub fn replay(
    archive: &dyn Archive,
    log: &EventLog,
    by: Author,
    board: u32,
    write: EventWrite,
) -> Result<Replay, LogError> {
    let announcement = opening::announcement(archive, log.event())?;
    let mut made = None;
    log.decide_durably(by, write, |journal| {
        let plan = plan_replay(&announcement, journal.competition(), board)
            .map_err(|refused| LogError::Event(EventError::Refused(Box::new(refused))))?;
        made = Some(plan.replay);
        Ok(Fact::Replay(plan.replay).into())
    })?;
    made.ok_or_else(|| LogError::Event(EventError::Damaged("a replay without a board".to_owned())))
}
