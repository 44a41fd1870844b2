//! From a request to an event of the desk: the event's row, its game, and the one place where games are told apart.

use crate::event::Event;
use crate::event::archive::{Archive, EventRow};
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

/// How far an event has come, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Being put together.
    Draft,
    /// Announced: nobody can change the deals.
    Announced,
    /// Seats are drawn: it can be played.
    Locked,
    /// Results are out, provisionally or for good.
    Published,
}

impl Stage {
    /// The stage of a state in the database.
    #[must_use]
    pub fn of(state: &str) -> Stage {
        match state {
            "draft" => Stage::Draft,
            "announced" => Stage::Announced,
            "locked" => Stage::Locked,
            _ => Stage::Published,
        }
    }
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
    if Stage::of(&row.state) == Stage::Draft && !sees { Err(missing()) } else { Ok(row) }
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

/// Checks that an event is at one of several stages.
///
/// # Errors
/// It is at another.
pub fn at_stage(row: &EventRow, stages: &[Stage]) -> Result<(), Problem> {
    if stages.contains(&Stage::of(&row.state)) {
        Ok(())
    } else {
        Err(Problem::said(Code::Stage, Message::plain("web-stage").with("state", terms::state(&row.state))))
    }
}
