//! Who sits where, when, with which board: movements, their audit, and the seat draw.
//!
//! Pure planning: numbers in, a [`Plan`] out, the same plan for the same [`Request`] on every machine. This room
//! knows no names, no results, no cards and no clock. The planner ([`plan`]) and the checker ([`audit`]) share the
//! [`Plan`] type and no other code, so that an error in one is seen by the other; [`lay_out`] is both, one after the other.
//!
//! Every table plays the same boards in the same round: comparison groups are as large as they can be, and nobody can
//! hear about a board before playing it.

mod advance;
mod audit;
mod bankers;
mod competition;
mod course;
mod cut;
mod draw;
mod fact;
mod laid;
mod meetings;
mod movement;
mod order;
mod plan;
mod planner;
mod quality;
mod refused;
mod report;
mod request;
mod ring;
mod round_robin;
mod seating;

pub mod ruling;
pub mod settings;
mod stage;
mod stream;
pub mod tally;

pub use audit::{AuditFault, audit};
pub use competition::{
    BoardSet, Competition, Encounter, GroupTable, ScheduledRound, StageRanking, StandingRow, boards_needed,
    order_of,
};
pub use draw::{Draw, draw};
pub use fact::{
    Bell, Closed, DrawDue, DrawMade, DrawPurpose, Fact, Finished, Locked, Replay, RoundStarted, StageLine,
};
pub use laid::lay_out;
pub use order::{Advance, AdvancedBy, Bye, DealRef, End, Group, Order, Setup, Sitting, Venue};
pub use plan::{Occupant, Plan, Round, Table};
pub use planner::plan;
pub use refused::Refused;
pub use report::{AuditFinding, GROUP_LEAST, Pair, Report};
pub use request::{BOARDS_MAX, ENTRANTS_MAX, Fill, Format, MOVEMENT_MAX, PLACES_MAX, Request, RequestFault};
pub use stage::{
    Advancement, CarryOver, MovementRules, RoundPoints, RoundRobinRules, Seeding, Stage, StageFormat,
};
pub use stream::{StreamFault, StreamFaultKind, audit_stream};
