//! Names for people: rulesets, AI levels, roles, scoring methods. Identifiers are for files and programs; whoever
//! chooses or reads on a page sees words.

use super::Visit;
use crate::desk::rights::Role;
use crate::games::rulesets;
use crate::scoring::Method;

/// A ruleset in words; one of the organizer's own has the name that it was given.
#[must_use]
pub fn ruleset(visit: &Visit, name: &str) -> String {
    rulesets::title(name).map_or_else(|| name.to_owned(), |title| visit.tell(&title))
}

/// An AI level in words: every game has a quick one and a strong one, and one that plays at random.
#[must_use]
pub fn level(visit: &Visit, name: &str) -> String {
    let end = name.rsplit_once('-').map_or(name, |(_, end)| end);
    match end {
        "random" => visit.say("names-level-random"),
        "1" => visit.say("names-level-1"),
        "2" => visit.say("names-level-2"),
        _ => name.to_owned(),
    }
}

/// A role in words.
#[must_use]
pub const fn role(role: Role) -> &'static str {
    match role {
        Role::ChiefOrganizer => "names-role-chief-organizer",
        Role::Organizer => "names-role-organizer",
        Role::ChiefReferee => "names-role-chief-referee",
        Role::Referee => "names-role-referee",
        Role::Arbitration => "names-role-arbitration",
        Role::Player | Role::AiProgram | Role::Spectator => "names-role-other",
    }
}

/// What a role may do, in a sentence.
#[must_use]
pub const fn about_role(role: Role) -> &'static str {
    match role {
        Role::ChiefOrganizer => "names-about-chief-organizer",
        Role::Organizer => "names-about-organizer",
        Role::ChiefReferee => "names-about-chief-referee",
        Role::Referee => "names-about-referee",
        Role::Arbitration => "names-about-arbitration",
        Role::Player | Role::AiProgram | Role::Spectator => "names-role-other",
    }
}

/// What a scoring method does, in a sentence.
#[must_use]
pub const fn about_method(method: Method) -> &'static str {
    match method {
        Method::ScoreRate => "names-about-score-rate",
        Method::LinearRate => "names-about-linear-rate",
        Method::CrossImp => "names-about-cross-imp",
        Method::Butler => "names-about-butler",
        Method::PlacePoints => "names-about-place-points",
        Method::MatchPoker => "names-about-match-poker",
        Method::Total => "names-about-total",
    }
}
