//! Warnings: a referee tells an entrant that a rule of conduct was broken. A warning is an entry of the audit log; it
//! counts up for its entrant and changes no result. What follows from several is a ruling, never automatic.

use serde::Serialize;
use serde_json::Value;

use super::people::People;
use crate::event::archive::Kept;

/// What a warning can be for, as codes that stay: coming late, playing slowly, talking about the board, showing cards,
/// using a device or notes, conduct, anything else.
pub const CODES: [&str; 7] = ["late", "slow", "talking", "exposed", "device", "conduct", "other"];

/// The code of a warning in the audit log.
pub const ACT: &str = "warn";

/// So many entries of the log are read at once.
const PART: i64 = 500;

/// A warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Instant, µs since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// Who warned.
    pub by: String,
    /// Who was warned, by id.
    pub entrant: String,
    /// One of [`CODES`].
    pub code: String,
    /// In the referee's words.
    pub reason: String,
}

/// The warnings of an event, the oldest first.
///
/// # Errors
/// Those of the keeper.
pub fn of_event(people: &dyn People, event: &str) -> Kept<Vec<Warning>> {
    let mut warnings = Vec::new();
    let mut after = 0;
    loop {
        let page = people.audit_page(Some(event), after, PART)?;
        let Some(last) = page.last() else { return Ok(warnings) };
        after = last.id;
        for entry in page.into_iter().filter(|entry| entry.row.act == ACT) {
            let details: Value = serde_json::from_str(&entry.row.details).unwrap_or(Value::Null);
            let text = |key: &str| details["after"][key].as_str().unwrap_or_default().to_owned();
            let (entrant, code) = (text("entrant"), text("code"));
            warnings.push(Warning {
                at: entry.row.at_us,
                by: entry.row.who,
                entrant,
                code,
                reason: entry.row.reason,
            });
        }
    }
}
