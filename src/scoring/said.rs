//! The words for what rules and results name by identifiers: identifiers are for files and programs, people read words.

use super::entry::{Role, Status};
use super::event::Basis;
use super::rules::{Equalise, Lone, Method};

/// A scoring method.
#[must_use]
pub const fn method(method: Method) -> &'static str {
    match method {
        Method::ScoreRate => "names-method-score-rate",
        Method::LinearRate => "names-method-linear-rate",
        Method::CrossImp => "names-method-cross-imp",
        Method::Butler => "names-method-butler",
        Method::PlacePoints => "names-method-place-points",
        Method::MatchPoker => "names-method-match-poker",
        Method::Total => "names-method-total",
    }
}

/// How unequal groups are made comparable.
#[must_use]
pub const fn equalise(equalise: Equalise) -> &'static str {
    match equalise {
        Equalise::None => "rank-word-equalise-none",
        Equalise::Neuberg => "rank-word-equalise-neuberg",
        Equalise::Linear => "rank-word-equalise-linear",
    }
}

/// What a result without comparison is worth.
#[must_use]
pub const fn lone(lone: Lone) -> &'static str {
    match lone {
        Lone::Undefined => "rank-word-lone-undefined",
        Lone::Half => "rank-word-lone-half",
    }
}

/// What became of a board; `None` where it is A+, A or A−, which people call so.
#[must_use]
pub const fn status(status: Status) -> Option<&'static str> {
    match status {
        Status::Played => Some("rank-word-played"),
        Status::NotPlayed => Some("rank-basis-not-played"),
        Status::Absent => Some("rank-mark-absent"),
        Status::Disqualified => Some("rank-basis-disqualified"),
        Status::Withdrawn => Some("rank-unranked-withdrawn"),
        Status::AwardPlus | Status::Award | Status::AwardMinus => None,
        Status::Void => Some("rank-mark-void"),
    }
}

/// The side of a seat.
#[must_use]
pub const fn role(role: Role) -> &'static str {
    match role {
        Role::Banker => "rank-word-banker",
        Role::Defender => "rank-word-defender",
    }
}

/// What a value rests on, short enough for a cell.
#[must_use]
pub const fn mark(basis: Basis) -> &'static str {
    match basis {
        Basis::Compared | Basis::Award => "rank-basis-award",
        Basis::OwnAverage => "rank-mark-own-average",
        Basis::Lone => "rank-mark-lone",
        Basis::LoneHalf => "rank-mark-lone-half",
        Basis::NoAward => "rank-mark-no-award",
        Basis::Void => "rank-mark-void",
        Basis::NotPlayed => "rank-basis-not-played",
        Basis::Absent => "rank-mark-absent",
        Basis::Disqualified => "rank-basis-disqualified",
        Basis::Withdrawn => "rank-unranked-withdrawn",
    }
}
