//! How an event is played live: pace, rounds, patience. Kept beside the settings that are announced and proved: nothing
//! here changes a result.

use serde::{Deserialize, Serialize};

use crate::games::Fault;
use crate::words::message;

/// How an event is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// Every entrant of a human–AI event goes on when ready.
    Own,
    /// Round by round, started by the organizer.
    Rounds,
}

/// What the organizer decided about live play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Live {
    /// How the event goes on.
    pub pace: Pace,
    /// How long a round lasts, minutes; 0 for no limit. Boards that are not begun by then are not played.
    pub round_minutes: u32,
    /// How long an AI player takes for a decision at least, ms.
    pub ai_delay_ms: u32,
    /// More time, once a board, for a seat whose connection breaks while it must decide, ms.
    pub grace_ms: u32,
    /// By rounds: how long a table waits for its players before a round's first board opens without them, seconds.
    pub late_s: u32,
    /// By rounds: how long a table waits between two boards, seconds.
    pub between_s: u32,
    /// By rounds: whether the next round starts when one is over.
    pub auto_rounds: bool,
    /// The floor marks a table at which nothing has happened, or which has waited for its players, for so long, seconds;
    /// 0 for never.
    pub alarm_s: u32,
    /// At the players' own pace: how long a seat to which nobody has come is waited for before a computer player decides
    /// for it, board by board, seconds; 0 for ever. Whoever comes has the seat from the next board on.
    pub absent_s: u32,
}

impl Default for Live {
    fn default() -> Live {
        Live {
            pace: Pace::Own,
            round_minutes: 0,
            ai_delay_ms: 800,
            grace_ms: 30_000,
            late_s: 300,
            between_s: 20,
            auto_rounds: false,
            alarm_s: 120,
            absent_s: 0,
        }
    }
}

/// The longest round, minutes.
pub(crate) const ROUND_MAX: u32 = 24 * 60;
/// The longest patience, seconds.
const WAIT_MAX: u32 = 3600;
/// The longest thinking of an AI player, ms.
const DELAY_MAX: u32 = 60_000;
/// The most time for a broken connection, ms.
const GRACE_MAX: u32 = 600_000;

/// The part of an event's row that is read here.
#[derive(Deserialize)]
struct Kept {
    #[serde(default)]
    live: Live,
}

impl Live {
    /// What an event's row says, from its settings; the usual values where that cannot be read.
    #[must_use]
    pub fn of_row(settings: &str) -> Live {
        serde_json::from_str::<Kept>(settings).map_or_else(|_| Live::default(), |kept| kept.live)
    }

    /// Every value that cannot be.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let limits = [
            ("round_minutes", self.round_minutes, ROUND_MAX),
            ("ai_delay_ms", self.ai_delay_ms, DELAY_MAX),
            ("grace_ms", self.grace_ms, GRACE_MAX),
            ("late_s", self.late_s, WAIT_MAX),
            ("between_s", self.between_s, WAIT_MAX),
            ("alarm_s", self.alarm_s, WAIT_MAX),
            ("absent_s", self.absent_s, WAIT_MAX),
        ];
        limits
            .into_iter()
            .filter(|(_, value, most)| value > most)
            .map(|(name, value, most)| Fault::new("out_of_range", message!("live-range", name, value, most)))
            .collect()
    }
}
