//! The HTTP API, one file per resource, and the table of its endpoints.

pub mod accounts;
pub mod audit;
mod audit_said;
pub mod boards;
pub mod calls;
pub mod entrants;
pub mod events;
pub mod evidence;
pub mod floor;
pub mod live;
pub mod notice;
pub mod offices;
pub mod opening;
pub mod publication;
pub mod qr;
pub mod results;
pub mod rulings;
pub mod seats;
pub mod session;
pub mod setup;
pub mod slow;
mod stages;
pub mod system;
pub mod table;
pub mod trials;
pub mod venue;
pub mod warnings;
pub mod watch;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::routes::Table;

/// A body or a query that has nothing in it.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoFields {}

/// RFC 9457 problem details.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProblemDetails {
    /// `urn:fushi:problem:` and the code.
    pub r#type: String,
    /// What kind of problem it is, in the asker's language.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What exactly is wrong and what to do.
    pub detail: String,
    /// The stable code.
    pub code: String,
    /// Everything that is wrong, where that is several things.
    pub faults: Option<Vec<FaultDetails>>,
}

/// One of several things that are wrong.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FaultDetails {
    /// Stable code.
    pub code: String,
    /// What is wrong.
    pub message: String,
}

impl FaultDetails {
    /// A fault for a reader.
    pub(super) fn of(fault: &crate::games::Fault, lang: crate::words::Lang) -> FaultDetails {
        FaultDetails { code: fault.code.to_owned(), message: crate::words::say(lang, &fault.told) }
    }
}

/// All endpoints.
#[must_use]
pub fn table() -> Table {
    let mut table = Table::default();
    system::add(&mut table);
    super::play::add(&mut table);
    setup::add(&mut table);
    session::add(&mut table);
    accounts::add(&mut table);
    audit::add(&mut table);
    events::add(&mut table);
    entrants::add(&mut table);
    opening::add(&mut table);
    offices::add(&mut table);
    seats::add(&mut table);
    venue::add(&mut table);
    boards::add(&mut table);
    results::add(&mut table);
    rulings::add(&mut table);
    notice::add(&mut table);
    publication::add(&mut table);
    floor::add(&mut table);
    evidence::add(&mut table);
    calls::add(&mut table);
    table::add(&mut table);
    warnings::add(&mut table);
    slow::add(&mut table);
    stages::add(&mut table);
    qr::add(&mut table);
    trials::add(&mut table);
    watch::add(&mut table);
    table
}
