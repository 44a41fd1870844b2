//! Who may do what: one table, checked by the server before anything happens and shown in the documentation.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::formats::ruling::Reach;

macro_rules! words {
    ($(#[$outer:meta])* $name:ident, $what:literal { $($(#[$doc:meta])* $one:ident = $word:literal,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$doc])* $one,)*
        }

        impl $name {
            /// All of them, in the order of the table.
            pub const ALL: &'static [$name] = &[$($name::$one,)*];

            /// The word in interfaces.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $($name::$one => $word,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                $name::ALL.iter().copied().find(|one| one.word() == text).ok_or_else(|| {
                    let known: Vec<&str> = $name::ALL.iter().map(|one| one.word()).collect();
                    crate::games::rulesets::unknown($what, text, &known)
                })
            }
        }
    };
}

words! {
    /// What somebody is. Accounts hold the first five, seats the next two; whoever shows nothing is a spectator.
    Role, "role" {
        /// Everything about events and accounts; never a live hand.
        ChiefOrganizer = "chief-organizer",
        /// Sets events up and runs them.
        Organizer = "organizer",
        /// All rulings; appoints deputies.
        ChiefReferee = "chief-referee",
        /// Rules at tables.
        Referee = "referee",
        /// Decides appeals.
        Arbitration = "arbitration",
        /// A person in a seat.
        Player = "player",
        /// A program in a seat.
        AiProgram = "ai-program",
        /// Anybody.
        Spectator = "spectator",
    }
}

impl Role {
    /// Whether an account can have it.
    #[must_use]
    pub const fn of_accounts(self) -> bool {
        !matches!(self, Role::Player | Role::AiProgram | Role::Spectator)
    }
}

words! {
    /// What can be done.
    Right, "right" {
        /// See what is public: results of boards that every table has finished, unfrozen standings, announcements.
        SeePublic = "see-public",
        /// Use an own account: sessions, password.
        OwnAccount = "own-account",
        /// Take a seat's part: own cards, own results.
        PlaySeat = "play-seat",
        /// Create, change and disable accounts.
        ManageAccounts = "manage-accounts",
        /// Make others referees, deputies included.
        AppointReferees = "appoint-referees",
        /// See drafts, entries and settings of events.
        SeeDesk = "see-desk",
        /// Create and change drafts; entries; networks and devices.
        EditEvent = "edit-event",
        /// Announce, enter the delayed value, draw seats and lock.
        Announce = "announce",
        /// Check entrants in, hand out seat codes.
        CheckIn = "check-in",
        /// Start rounds, pause, finish.
        RunEvent = "run-event",
        /// See every table: who thinks, clocks, alarms; no cards.
        SeeFloor = "see-floor",
        /// Stop a table's clock, give time, end a board.
        OrderTable = "order-table",
        /// Look into a live hand; each time is logged and shows on the board's record.
        LookIntoHand = "look-into-hand",
        /// Rule on a result: adjusted scores, penalties.
        Rule = "rule",
        /// Correct published results, void boards, take entrants out of the ranking, replace or withdraw rulings.
        Correct = "correct",
        /// Decide appeals.
        DecideAppeals = "decide-appeals",
        /// Freeze and unfreeze public standings.
        Freeze = "freeze",
        /// Publish results.
        Publish = "publish",
        /// Reveal the keys of an event.
        Reveal = "reveal",
        /// Read the audit log.
        ReadAudit = "read-audit",
    }
}

/// The table: who has the right.
#[must_use]
pub const fn holders(right: Right) -> &'static [Role] {
    use Role::{AiProgram, Arbitration, ChiefOrganizer, ChiefReferee, Organizer, Player, Referee, Spectator};
    match right {
        Right::SeePublic => {
            &[ChiefOrganizer, Organizer, ChiefReferee, Referee, Arbitration, Player, AiProgram, Spectator]
        }
        Right::OwnAccount | Right::SeeDesk => {
            &[ChiefOrganizer, Organizer, ChiefReferee, Referee, Arbitration]
        }
        Right::PlaySeat => &[Player, AiProgram],
        Right::ManageAccounts | Right::Publish | Right::Reveal => &[ChiefOrganizer],
        Right::AppointReferees => &[ChiefOrganizer, ChiefReferee],
        Right::EditEvent | Right::Announce | Right::Freeze => &[ChiefOrganizer, Organizer],
        Right::SeeFloor | Right::CheckIn => &[ChiefOrganizer, Organizer, ChiefReferee, Referee],
        Right::RunEvent => &[ChiefOrganizer, Organizer, ChiefReferee],
        Right::OrderTable | Right::LookIntoHand | Right::Rule => &[ChiefReferee, Referee],
        Right::Correct => &[ChiefReferee],
        Right::DecideAppeals => &[Arbitration],
        Right::ReadAudit => &[ChiefOrganizer, ChiefReferee, Arbitration],
    }
}

/// The right that a ruling needs: by what it reaches, and whether results are published already.
#[must_use]
pub const fn to_rule(reach: Reach, published: bool) -> Right {
    match (reach, published) {
        (Reach::Result, false) => Right::Rule,
        (Reach::Result | Reach::Ruling | Reach::Board | Reach::Ranking, _) => Right::Correct,
    }
}

/// Whether a role has a right.
#[must_use]
pub fn may(role: Role, right: Right) -> bool {
    holders(right).contains(&role)
}

/// A role, for every event or for one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// What somebody is.
    pub role: Role,
    /// In which event; absent: in every event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
}

impl Right {
    /// Whether it is a right of the referees' office alone. Who also organizes the event has it only where the event says
    /// that one account may hold both offices.
    #[must_use]
    pub const fn of_referees(self) -> bool {
        matches!(self, Right::OrderTable | Right::LookIntoHand | Right::Rule | Right::Correct)
    }
}

impl Role {
    /// Whether it is one of the organizers' office.
    #[must_use]
    pub const fn organizes(self) -> bool {
        matches!(self, Role::ChiefOrganizer | Role::Organizer)
    }

    /// Whether it is one of the referees' office.
    #[must_use]
    pub const fn referees(self) -> bool {
        matches!(self, Role::ChiefReferee | Role::Referee)
    }
}

impl Grant {
    fn here(&self, event: Option<&str>) -> bool {
        self.event.is_none() || self.event.as_deref() == event
    }
}

/// Whether grants hold both offices somewhere: organizer and referee.
#[must_use]
pub fn two_offices(grants: &[Grant]) -> bool {
    grants.iter().any(|grant| grant.role.organizes()) && grants.iter().any(|grant| grant.role.referees())
}

/// Whether grants give a right, about an event or about the server as a whole. `one_account`: whether the event says that
/// one account may be organizer and referee; otherwise the rights of the referees' office are not for its organizers.
#[must_use]
pub fn granted(grants: &[Grant], right: Right, event: Option<&str>, one_account: bool) -> bool {
    let here = || grants.iter().filter(|grant| grant.here(event));
    let apart = one_account || !right.of_referees() || !here().any(|grant| grant.role.organizes());
    apart && here().any(|grant| may(grant.role, right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_keeps_what_the_event_desk_promises() {
        // Nobody who may publish or reveal may look into a live hand.
        for role in Role::ALL {
            if may(*role, Right::LookIntoHand) {
                assert!(!may(*role, Right::Publish) && !may(*role, Right::Reveal), "{role}");
                assert!(!may(*role, Right::PlaySeat), "{role}");
            }
        }
        assert!(!may(Role::ChiefOrganizer, Right::LookIntoHand));
        assert!(!may(Role::Organizer, Right::Publish) && !may(Role::Organizer, Right::ManageAccounts));
        assert!(may(Role::ChiefReferee, Right::Correct) && !may(Role::Referee, Right::Correct));
        assert!(may(Role::Referee, Right::OrderTable) && !may(Role::Organizer, Right::OrderTable));
        assert_eq!(holders(Right::DecideAppeals), [Role::Arbitration]);
        // Spectators, players and programs have nothing but what is theirs.
        for right in Right::ALL {
            assert_eq!(may(Role::Spectator, *right), *right == Right::SeePublic, "{right}");
            let own = matches!(right, Right::SeePublic | Right::PlaySeat);
            assert_eq!(may(Role::Player, *right), own, "{right}");
            assert_eq!(may(Role::AiProgram, *right), own, "{right}");
            assert!(!holders(*right).is_empty());
        }
    }

    #[test]
    fn one_account_in_two_offices_has_the_rights_of_both_only_where_the_event_says_so() {
        let grant = |role, event: Option<&str>| Grant { role, event: event.map(str::to_owned) };
        for organizer in Role::ALL.iter().copied().filter(|role| role.organizes()) {
            for referee in Role::ALL.iter().copied().filter(|role| role.referees()) {
                let both = [grant(organizer, None), grant(referee, Some("a"))];
                assert!(two_offices(&both) && !two_offices(&both[..1]) && !two_offices(&both[1..]));
                for right in Right::ALL.iter().copied() {
                    let (one, other) = (may(organizer, right), may(referee, right));
                    assert_eq!(
                        granted(&both, right, Some("a"), true),
                        one || other,
                        "{organizer} {referee} {right}"
                    );
                    let apart = if right.of_referees() { false } else { one || other };
                    assert_eq!(
                        granted(&both, right, Some("a"), false),
                        apart,
                        "{organizer} {referee} {right}"
                    );
                    // The setting gives nobody a role: an organizer alone stays one.
                    assert_eq!(granted(&both, right, Some("b"), true), one, "{organizer} {right}");
                    assert_eq!(granted(&both[1..], right, Some("a"), false), other, "{referee} {right}");
                }
            }
        }
        // Organizer of another event: no two offices here.
        let apart = [grant(Role::Organizer, Some("b")), grant(Role::Referee, Some("a"))];
        assert!(
            granted(&apart, Right::Rule, Some("a"), false) && !granted(&apart, Right::Rule, Some("b"), false)
        );
        // The rights of the referees' office are exactly those that no organizer has.
        for right in Right::ALL.iter().copied().filter(|right| may(Role::ChiefReferee, *right)) {
            assert_eq!(right.of_referees(), !may(Role::ChiefOrganizer, right), "{right}");
        }
    }

    #[test]
    fn a_grant_for_one_event_is_good_for_that_event_only() {
        let grants = [Grant { role: Role::Referee, event: Some("a".to_owned()) }];
        assert!(granted(&grants, Right::Rule, Some("a"), false));
        assert!(!granted(&grants, Right::Rule, Some("b"), false));
        assert!(!granted(&grants, Right::Rule, None, false));
        let grants = [Grant { role: Role::Organizer, event: None }];
        assert!(granted(&grants, Right::EditEvent, Some("b"), false));
        assert!(granted(&grants, Right::EditEvent, None, false));
        assert_eq!("refere".parse::<Role>().unwrap_err(), "unknown role `refere`: did you mean `referee`?");
    }
}
