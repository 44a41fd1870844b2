//! From a request to an event of the desk: the event's row, its game, and the one place where games are told apart.

use crate::event::archive::{Archive, EventRow};
use crate::event::{Event, EventState};
use crate::games::Game;
use crate::web::context::RequestContext;
use crate::web::problem::{Code, Problem};
use crate::words::{Message, terms};

/// Runs a generic expression for the game of a kind: `with_game!(kind, G => expression)`.
#[macro_export]
macro_rules! with_game {
    ($kind:expr, $game:ident => $body:expr) => {
        match $kind {
            $crate::games::GameKind::Wakeng => {
                type $game = $crate::games::wakeng::Wakeng;
                $body
            }
            $crate::games::GameKind::Tuolaji => {
                type $game = $crate::games::tuolaji::Tuolaji;
                $body
            }
            $crate::games::GameKind::Holdem => {
                type $game = $crate::games::holdem::Holdem;
                $body
            }
        }
    };
}

/// The event in the path of a request.
///
/// # Errors
/// There is none; it is a draft and the asker may not see drafts.
pub fn row(call: &RequestContext) -> Result<EventRow, Problem> {
    let id = call.event.as_deref().unwrap_or_default();
    let missing = || Problem::missing(format!("event {}", id.chars().take(64).collect::<String>()));
    let archive: &dyn Archive = call.app.store.as_ref();
    let row = archive.event(id).map_err(|error| match error {
        crate::event::archive::ArchiveError::Missing(_) => missing(),
        other => other.into(),
    })?;
    let sees = call.who.may(crate::desk::rights::Right::SeeDesk, Some(id));
    if row.state == EventState::Draft && !sees { Err(missing()) } else { Ok(row) }
}

/// The game of an event.
///
/// # Errors
/// A row that says something else.
pub fn kind(row: &EventRow) -> Result<crate::games::GameKind, Problem> {
    row.game.parse().map_err(Problem::internal)
}

/// The event of a row, with its entrants.
///
/// # Errors
/// It is damaged.
pub fn load<G: Game>(call: &RequestContext, row: &EventRow) -> Result<Event<G>, Problem> {
    Ok(Event::load(call.app.store.as_ref(), &row.id)?)
}

/// Checks that an event is in a state in which something can be done: `fits` is a question about states.
///
/// # Errors
/// It is in another.
pub fn in_state(row: &EventRow, fits: impl Fn(EventState) -> bool) -> Result<(), Problem> {
    if fits(row.state) { Ok(()) } else { Err(wrong_state(row)) }
}

/// The answer to what cannot be done in the state in which an event is.
#[must_use]
pub fn wrong_state(row: &EventRow) -> Problem {
    let state = terms::state(row.state.word());
    Problem::said(Code::Stage, Message::plain("web-stage").with("state", state))
}
