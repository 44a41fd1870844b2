//! What is decided about an event beside its rules, its scoring and its pace: sizes, the delayed value, the draw.
//! Kept with the settings; what proves something is in the announcement and in the movement.

use serde::{Deserialize, Serialize};

use crate::dealing::DelayedForm;

/// The delayed public value, as it is going to be announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DelayedPlan {
    /// Where it is published and which figure counts, for people.
    pub description: String,
    /// Its characters: `digits` unless said otherwise.
    #[serde(default = "digits")]
    pub form: DelayedForm,
    /// How many of them; 0 for any number.
    #[serde(default)]
    pub length: u32,
    /// The instant after which it becomes known, µs.
    pub known_after: i64,
}

const fn digits() -> DelayedForm {
    DelayedForm::Digits
}

/// Sizes and conditions of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Boards that are dealt and kept back.
    pub reserve_boards: u32,
    /// The delayed public value; absent: none.
    pub delayed: Option<DelayedPlan>,
    /// The language in which the event speaks to whoever chose none.
    pub language: String,
    /// Who holds the event, for people; may be empty.
    #[serde(default)]
    pub host: String,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { reserve_boards: 4, delayed: None, language: "en".to_owned(), host: String::new() }
    }
}
