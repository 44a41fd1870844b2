//! What somebody may see of the results of an event now: decided here, once, for every door. JSON, files, pages, the
//! stream, the projector, rulings, revisions, keys and the bundle all ask here and nowhere else.

use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::context::Who;
use super::problem::{Code, Problem};
use super::read_model::State;
use crate::desk::rights::Right;
use crate::event::EventState;
use crate::event::archive::EventRow;
use crate::formats::tally::TallyFault;
use crate::journal::bundle::model::Change;
use crate::journal::revision::changes;
use crate::words::Message;

/// What of the results is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// At the desk: every board that is over at some table, and every ruling, published or not.
    Everything,
    /// Everybody else before the first publication: the boards that every table has finished, and what was ruled about
    /// them.
    SoFar,
    /// Everybody else from the first publication on: what the last revision says.
    Revision {
        /// Its number.
        number: u32,
        /// It rests on the first so many rulings.
        rulings: u32,
    },
}

/// Whose results these are: every answer with results says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// What everybody sees.
    Public,
    /// What the desk alone sees: not for the hall.
    Desk,
}

impl View {
    /// The word in answers, headers and addresses.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            View::Public => "public",
            View::Desk => "desk",
        }
    }
}

impl Sees {
    /// Whose view it is.
    #[must_use]
    pub const fn view(self) -> View {
        match self {
            Sees::Everything => View::Desk,
            Sees::SoFar | Sees::Revision { .. } => View::Public,
        }
    }

    /// The revision that is shown, where it is one.
    #[must_use]
    pub const fn revision(self) -> Option<u32> {
        match self {
            Sees::Revision { number, .. } => Some(number),
            Sees::Everything | Sees::SoFar => None,
        }
    }
}

/// Whether the public standings of an event are frozen.
///
/// # Errors
/// The database.
pub fn frozen(app: &App, row: &EventRow) -> Result<bool, Problem> {
    if row.state == EventState::Draft {
        return Ok(false);
    }
    app.read_model.look(app, &row.id, |state| Ok(state.desk().frozen()))
}

/// Whether somebody belongs to the desk of an event.
#[must_use]
pub fn at_desk(who: &Who, event: &str) -> bool {
    who.may(Right::SeeDesk, Some(event))
}

/// What somebody may see of an event's results.
///
/// # Errors
/// They are frozen; the archive.
pub fn sees(app: &App, who: &Who, row: &EventRow) -> Result<Sees, Problem> {
    if at_desk(who, &row.id) { Ok(Sees::Everything) } else { public(app, row) }
}

/// What everybody may see of an event's results.
///
/// # Errors
/// They are frozen; the archive.
pub fn public(app: &App, row: &EventRow) -> Result<Sees, Problem> {
    app.read_model.look(app, &row.id, |state| {
        if state.desk().frozen() {
            return Err(Problem::said(Code::Sealed, Message::plain("web-frozen")));
        }
        Ok(match state.desk().published().last() {
            Some(last) => Sees::Revision { number: last.body.number, rulings: last.body.rulings },
            None => Sees::SoFar,
        })
    })
}

/// Results that the desk sees and nobody else yet.
#[derive(Debug, Serialize, ToSchema)]
pub struct Pending {
    /// The revision that everybody else sees.
    pub revision: u32,
    /// The rulings that were made since.
    pub rulings: Vec<u32>,
    /// Every result (with its board) and every line of the standings that differs from that revision.
    #[schema(value_type = Vec<Object>)]
    pub changes: Vec<Change>,
}

impl State {
    /// What is not published yet: nothing where nothing was published, or nothing was ruled since.
    ///
    /// # Errors
    /// None that the journal has taken.
    pub fn pending(&self) -> Result<Option<Pending>, TallyFault> {
        let Some(last) = self.desk().published().last() else { return Ok(None) };
        let made = u32::try_from(self.competition().rulings().len()).unwrap_or(u32::MAX);
        let (revision, upto) = (last.body.number, last.body.rulings);
        if made <= upto {
            return Ok(None);
        }
        let published = self.tally(Sees::Revision { number: revision, rulings: upto })?;
        let now = self.tally(Sees::Everything)?;
        let rulings = (upto.saturating_add(1)..=made).collect();
        Ok(Some(Pending { revision, rulings, changes: changes(Some(&published), &now) }))
    }
}
