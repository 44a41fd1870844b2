//! Why the clock of a table stands: the pause of the whole event, a referee's stop, or both.
//!
//! The two are independent. Each is set by a `stop` and lifted by a `go` of its own maker, and the clock runs when no hold
//! is left. Like everything about a board they are a function of its journal.

use super::By;

/// A reason why the clock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hold {
    /// The pause of the event: set and lifted by the server at every table alike.
    Event,
    /// A referee stopped this table.
    Referee,
}

impl Hold {
    /// Every hold.
    pub const ALL: [Hold; 2] = [Hold::Event, Hold::Referee];

    /// The hold that a `stop` or `go` of a maker is about; `None` for makers who hold nothing.
    ///
    /// ```
    /// use fushi::journal::{By, Hold};
    /// assert_eq!(Hold::of(By::Server), Some(Hold::Event));
    /// assert_eq!(Hold::of(By::Referee), Some(Hold::Referee));
    /// assert_eq!(Hold::of(By::Player), None);
    /// ```
    #[must_use]
    pub const fn of(by: By) -> Option<Hold> {
        match by {
            By::Server => Some(Hold::Event),
            By::Referee => Some(Hold::Referee),
            _ => None,
        }
    }

    /// The word in the interfaces: `event` or `referee`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Hold::Event => "event",
            Hold::Referee => "referee",
        }
    }
}

/// The holds of a table.
///
/// ```
/// use fushi::journal::{Hold, Holds};
/// let both = Holds::NONE.with(Hold::Event).with(Hold::Referee);
/// assert!(both.without(Hold::Event).any(), "the referee's stop outlives the event's pause");
/// assert!(!both.without(Hold::Event).without(Hold::Referee).any());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holds {
    event: bool,
    referee: bool,
}

impl Holds {
    /// No hold: the clock runs.
    pub const NONE: Holds = Holds { event: false, referee: false };

    /// Whether the clock stands.
    #[must_use]
    pub const fn any(self) -> bool {
        self.event || self.referee
    }

    /// Whether a hold is among them.
    #[must_use]
    pub const fn contains(self, hold: Hold) -> bool {
        match hold {
            Hold::Event => self.event,
            Hold::Referee => self.referee,
        }
    }

    /// These and one more.
    #[must_use]
    pub const fn with(self, hold: Hold) -> Holds {
        match hold {
            Hold::Event => Holds { event: true, ..self },
            Hold::Referee => Holds { referee: true, ..self },
        }
    }

    /// These but one.
    #[must_use]
    pub const fn without(self, hold: Hold) -> Holds {
        match hold {
            Hold::Event => Holds { event: false, ..self },
            Hold::Referee => Holds { referee: false, ..self },
        }
    }

    /// The holds that stand, the event's first.
    pub fn iter(self) -> impl Iterator<Item = Hold> {
        Hold::ALL.into_iter().filter(move |hold| self.contains(*hold))
    }
}
