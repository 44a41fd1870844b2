//! Why a fact cannot be: a reason with a code and a sentence.

use super::RequestFault;
use super::ruling::RulingFault;
use crate::words::{Message, message};

/// Why a fact is refused. The competition is unchanged.
///
/// ```
/// use fushi::formats::Refused;
///
/// assert_eq!(Refused::UnknownSitting(7).code(), "unknown_sitting");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The entries are not closed yet.
    NotLocked,
    /// The entries are closed already.
    Locked,
    /// The list of entrants is empty, has somebody twice, or its numbers do not rise.
    Entrants,
    /// The stages are not those of the settings, or do not follow from one another.
    Stages,
    /// Too few entrants in a stage, or entrants that cannot be split into groups of the size.
    Groups {
        /// The stage.
        stage: u32,
        /// How many entrants it has.
        entrants: u32,
    },
    /// More advance from a stage than take part in it, or nobody.
    Advancement(u32),
    /// An entrant is pinned to a group that is not there or has no place left.
    Pin(String),
    /// A board that is in no announced set.
    NoBoard(u32),
    /// No movement can be planned.
    Movement(Vec<RequestFault>),
    /// No draw is due.
    NoDrawDue,
    /// Another draw is due.
    WrongDraw,
    /// The order is not the one that the seed gives.
    WrongOrder,
    /// The seed is not 64 hexadecimal digits.
    BadSeed,
    /// A draw has to be made first.
    DrawDue,
    /// There is no such round in the current stage.
    UnknownRound(u32),
    /// The round has started already.
    RoundStarted(u32),
    /// An earlier round has not started.
    EarlierRound(u32),
    /// An earlier round is not over.
    RoundRuns(u32),
    /// The round has not started.
    RoundNotStarted(u32),
    /// The round is over.
    RoundOver(u32),
    /// The bell of the round has rung.
    BellRang(u32),
    /// Sittings of the bell that are not open sittings of the round in ascending order.
    BadUnplayed(u32),
    /// There is no such sitting.
    UnknownSitting(u32),
    /// The sitting is over.
    Finished(u32),
    /// The sitting is not played: the bell had rung.
    NotPlayed(u32),
    /// The scores or roles are not those of the sitting's seats.
    WrongSeats(u32),
    /// The stage is not played to its end.
    StageNotOver(u32),
    /// The stage is closed.
    StageClosed(u32),
    /// The stage is not the current one.
    OtherStage(u32),
    /// A ruling that cannot stand.
    Ruling(RulingFault),
    /// The board is not void by this ruling.
    NotVoid(u32),
    /// The board is in no reserve set, or is used already.
    NoReserve(u32),
    /// The board of a ruling was replayed: the ruling cannot be withdrawn.
    Replayed(u32),
    /// Everything stands, or goes on, already.
    Paused(bool),
    /// The event is played.
    Ended,
}

impl Refused {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Refused::NotLocked => "not_locked",
            Refused::Locked => "locked",
            Refused::Entrants => "bad_entrants",
            Refused::Stages => "bad_stages",
            Refused::Groups { .. } => "bad_groups",
            Refused::Advancement(_) => "bad_advancement",
            Refused::Pin(_) => "bad_pin",
            Refused::NoBoard(_) => "no_board",
            Refused::Movement(_) => "no_movement",
            Refused::NoDrawDue => "no_draw_due",
            Refused::WrongDraw => "wrong_draw",
            Refused::WrongOrder => "wrong_order",
            Refused::BadSeed => "bad_seed",
            Refused::DrawDue => "draw_due",
            Refused::UnknownRound(_) => "unknown_round",
            Refused::RoundStarted(_) => "round_started",
            Refused::EarlierRound(_) => "earlier_round",
            Refused::RoundRuns(_) => "round_runs",
            Refused::RoundNotStarted(_) => "round_not_started",
            Refused::RoundOver(_) => "round_over",
            Refused::BellRang(_) => "bell_rang",
            Refused::BadUnplayed(_) => "bad_unplayed",
            Refused::UnknownSitting(_) => "unknown_sitting",
            Refused::Finished(_) => "finished",
            Refused::NotPlayed(_) => "not_played",
            Refused::WrongSeats(_) => "wrong_seats",
            Refused::StageNotOver(_) => "stage_not_over",
            Refused::StageClosed(_) => "stage_closed",
            Refused::OtherStage(_) => "other_stage",
            Refused::Ruling(_) => "bad_ruling",
            Refused::NotVoid(_) => "not_void",
            Refused::NoReserve(_) => "no_reserve",
            Refused::Replayed(_) => "replayed",
            Refused::Paused(_) => "paused",
            Refused::Ended => "ended",
        }
    }

    /// The sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Refused::NotLocked => message!("competition-not-locked"),
            Refused::Locked => message!("competition-locked"),
            Refused::Entrants => message!("competition-entrants"),
            Refused::Stages => message!("competition-stages"),
            Refused::Groups { stage, entrants } => message!("competition-groups", stage, entrants),
            Refused::Advancement(stage) => message!("competition-advancement", stage),
            Refused::Pin(entrant) => message!("competition-pin", entrant),
            Refused::NoBoard(board) => message!("competition-no-board", board),
            Refused::Movement(faults) => match faults.first() {
                Some(fault) => fault.told.clone(),
                None => message!("competition-no-movement"),
            },
            Refused::NoDrawDue => message!("competition-no-draw-due"),
            Refused::WrongDraw => message!("competition-wrong-draw"),
            Refused::WrongOrder => message!("competition-wrong-order"),
            Refused::BadSeed => message!("competition-bad-seed"),
            Refused::DrawDue => message!("competition-draw-due"),
            Refused::UnknownRound(round) => message!("competition-unknown-round", round),
            Refused::RoundStarted(round) => message!("competition-round-started", round),
            Refused::EarlierRound(round) => message!("competition-earlier-round", round),
            Refused::RoundRuns(round) => message!("competition-round-runs", round),
            Refused::RoundNotStarted(round) => message!("competition-round-not-started", round),
            Refused::RoundOver(round) => message!("competition-round-over", round),
            Refused::BellRang(round) => message!("competition-bell-rang", round),
            Refused::BadUnplayed(sitting) => message!("competition-bad-unplayed", sitting),
            Refused::UnknownSitting(sitting) => message!("competition-unknown-sitting", sitting),
            Refused::Finished(sitting) => message!("competition-finished", sitting),
            Refused::NotPlayed(sitting) => message!("competition-not-played", sitting),
            Refused::WrongSeats(sitting) => message!("competition-wrong-seats", sitting),
            Refused::StageNotOver(stage) => message!("competition-stage-not-over", stage),
            Refused::StageClosed(stage) => message!("competition-stage-closed", stage),
            Refused::OtherStage(stage) => message!("competition-other-stage", stage),
            Refused::Ruling(fault) => fault.message(),
            Refused::NotVoid(board) => message!("competition-not-void", board),
            Refused::NoReserve(board) => message!("competition-no-reserve", board),
            Refused::Replayed(ruling) => message!("competition-replayed", ruling),
            Refused::Paused(true) => message!("competition-paused"),
            Refused::Paused(false) => message!("competition-not-paused"),
            Refused::Ended => message!("competition-ended"),
        }
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::words::say(crate::words::Lang::En, &self.message()))
    }
}

impl std::error::Error for Refused {}

impl From<RulingFault> for Refused {
    fn from(fault: RulingFault) -> Refused {
        Refused::Ruling(fault)
    }
}
