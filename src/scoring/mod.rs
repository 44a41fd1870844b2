//! Score rates, rankings and cross-tabulations (复式赛 · 得分率) in exact fractions.
//!
//! Everybody who played the same cards in the same seat is compared side by side; places follow from the average of
//! the score rates. The room is pure: results and rules in, values and places out. It knows no clock, no file, no
//! database and no game, it never rounds before ranking, and it holds no float.
//!
//! - [`exact`]: rational numbers and raw scores
//! - [`rules`]: method, equalising, ties, rank style, as data
//! - [`entry`]: one result with its status, ruling and penalties
//! - `group`: one comparison group scored (F1–F10 of the duplicate-scoring rulebook)
//! - [`event`]: all results of an event, scored incrementally; `settle`: much at once, on every processor
//! - [`ranking`]: places and tie-breaks; [`rounds`]: the ranking of a group by its rounds
//! - [`views`]: the five cross-tabulations; [`explain`]: what one number is made of
//! - [`input`]: a plain results file read into an event; [`output`]: an event written as one; [`command`]: how to rank it
//! - [`team`]: the seats of a team put together
//! - `cautions`: what is worth a look; `alike`: names that are probably meant to be the same
//! - [`said`]: the words for its identifiers
//! - [`report`]: all of it as JSON; [`paper`]: as tables; [`sheet`]: tables as text, CSV and XLSX
//!
//! ```
//! use fushi::scoring::{Entry, Event, Rules};
//!
//! let mut event = Event::new(Rules::default());
//! for (entrant, score) in [("赵", 6), ("钱", 6), ("孙", -2), ("李", -6)] {
//!     event.add("1", "A", entrant, Entry::played(score)).unwrap();
//! }
//! let settled = event.settle();
//! let first = &settled.ranking().rows[0];
//! assert_eq!(first.average.as_ref().unwrap().percent(), "83.33");
//! ```

pub(crate) mod alike;
mod cautions;
mod clauses;
pub mod command;
mod crosstab;
pub mod entry;
pub mod event;
pub mod exact;
pub mod explain;
mod group;
pub mod input;
mod json;
pub mod output;
pub mod paper;
pub mod ranking;
pub mod report;
mod results;
pub mod rounds;
pub mod rules;
pub mod said;
mod settle;
pub mod sheet;
pub mod team;
pub mod views;

pub use entry::{
    Amount, Entry, EntryFault, More, Part, Penalty, PenaltyFault, Role, Ruling, Standing, Status, Weighted,
};
pub use event::{Basis, Cell, EntrantIx, Event, PutFault, Settled};
pub use exact::{Exact, NumberFault, Score};
pub use explain::Explanation;
pub use ranking::{Change, Place, RankRow, Ranking, Unranked, changes};
pub use rules::{Awards, Butler, Equalise, ImpTable, Lone, Method, RankStyle, Rules, Step, UnknownName};
