//! How far an event has come: its states, what may follow on what, and its flags.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::journal::bundle::ResultState;

/// The state of an event, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventState {
    /// Being put together: only the desk sees it.
    Draft,
    /// Announced: nobody can change the deals; entries are open.
    Announced,
    /// The entries are closed and the seats drawn: it can be played.
    Locked,
    /// Results are published and may still change.
    Provisional,
    /// Results are published; the correction period runs.
    Official,
    /// Results are published for good; a later change is a revision.
    Final,
}

impl EventState {
    /// Every state in order.
    pub const ALL: [EventState; 6] = [
        EventState::Draft,
        EventState::Announced,
        EventState::Locked,
        EventState::Provisional,
        EventState::Official,
        EventState::Final,
    ];

    /// The word in the database, in answers and on pages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            EventState::Draft => "draft",
            EventState::Announced => "announced",
            EventState::Locked => "locked",
            EventState::Provisional => "provisional",
            EventState::Official => "official",
            EventState::Final => "final",
        }
    }

    /// Whether entries are open: until the seats are drawn.
    #[must_use]
    pub const fn takes_entries(self) -> bool {
        matches!(self, EventState::Draft | EventState::Announced)
    }

    /// Whether the seats are drawn, so that there are boards, results and rulings.
    #[must_use]
    pub const fn is_drawn(self) -> bool {
        !self.takes_entries()
    }

    /// Whether results have been published.
    #[must_use]
    pub const fn is_published(self) -> bool {
        matches!(self, EventState::Provisional | EventState::Official | EventState::Final)
    }

    /// Whether people come to the event and play it: from its announcement to its first publication.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, EventState::Announced | EventState::Locked)
    }

    /// Whether another state may follow on this one. A publication may be repeated, and never goes back.
    #[must_use]
    pub fn may_become(self, next: EventState) -> bool {
        match next {
            EventState::Draft => false,
            EventState::Announced => self == EventState::Draft,
            EventState::Locked => self == EventState::Announced,
            EventState::Provisional | EventState::Official | EventState::Final => {
                self >= EventState::Locked && self <= next
            }
        }
    }
}

impl FromStr for EventState {
    type Err = String;

    fn from_str(word: &str) -> Result<EventState, String> {
        let known = EventState::ALL.into_iter().find(|state| state.word() == word);
        known
            .ok_or_else(|| format!("there is no event state `{}`", word.chars().take(20).collect::<String>()))
    }
}

impl std::fmt::Display for EventState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

impl From<ResultState> for EventState {
    fn from(state: ResultState) -> EventState {
        match state {
            ResultState::Provisional => EventState::Provisional,
            ResultState::Official => EventState::Official,
            ResultState::Final => EventState::Final,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EventState::{Announced, Draft, Final, Locked, Official, Provisional};
    use super::*;

    #[test]
    fn an_event_goes_forward_only_and_publications_may_be_repeated() {
        let allowed: Vec<(EventState, EventState)> = EventState::ALL
            .into_iter()
            .flat_map(|from| EventState::ALL.map(|to| (from, to)))
            .filter(|(from, to)| from.may_become(*to))
            .collect();
        let expected = [
            (Draft, Announced),
            (Announced, Locked),
            (Locked, Provisional),
            (Locked, Official),
            (Locked, Final),
            (Provisional, Provisional),
            (Provisional, Official),
            (Provisional, Final),
            (Official, Official),
            (Official, Final),
            (Final, Final),
        ];
        assert_eq!(allowed, expected);
    }

    #[test]
    fn words_are_read_as_they_are_written_and_others_are_refused() {
        for state in EventState::ALL {
            assert_eq!(state.word().parse(), Ok(state));
            assert_eq!(serde_json::to_value(state).unwrap(), state.word());
        }
        assert!("playing".parse::<EventState>().is_err());
    }
}
