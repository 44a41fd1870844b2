//! The ruleset of tuolaji: every point that the rulebook leaves open is a field, and no default hides in the code.

use serde::{Deserialize, Serialize};

use super::big_points::BigPoints;
use super::ladder::Level;
use crate::games::{Clause, Fault, Ruleset, SlowPlay};
use crate::words::message;

/// How simultaneous calls are ordered (TL 3, "reproducible calling").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Calling {
    /// The server's order of arrival.
    Realtime,
    /// After each drawn card every seat may answer; the answer nearest after the drawing seat counts.
    Stepped,
}

impl Calling {
    /// The word in rulesets and record headers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Calling::Realtime => "realtime",
            Calling::Stepped => "stepped",
        }
    }
}

/// What shows no trump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoTrumpCall {
    /// Two identical jokers.
    IdenticalJokers,
    /// Any two jokers.
    AnyTwoJokers,
}

/// What happens when the flip turns up a joker at a level where no trump is barred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlipJoker {
    /// No trump stands.
    NoTrump,
    /// The next card of the bottom is turned, until one has a suit.
    NextCard,
}

/// How a lead is taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decomposition {
    /// The longest run first, of equal ones the higher; the leader has no choice.
    LongestRunFirst,
}

/// What the next seat chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThrowChoice {
    /// Every blocked kind.
    AnyBlockedKind,
    /// Single or pair; a tractor only if nothing else is blocked.
    SingleOrPair,
}

/// What is played when the choice is not made in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceTimeout {
    /// The largest kind.
    Largest,
    /// The smallest kind.
    Smallest,
}

/// Whose shape multiplies the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BottomShape {
    /// The lead's.
    Lead,
    /// The winning cards'.
    WinnerCards,
}

/// What is played for a seat after the hard limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AutomaticPlay {
    /// The smallest legal play by points, then tier.
    Smallest,
}

/// Over what the warnings for slow play are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlowPlayCounter {
    /// Each player anew in each round.
    PlayerPerRound,
    /// Each player over the whole event.
    PlayerPerEvent,
    /// Each pair anew in each round.
    PairPerRound,
}

/// A ruleset of tuolaji. The shipped file explains each field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // the fields of a file, each its own question
#[allow(missing_docs)] // the names are the documentation's; `rulesets/zhuhai-2009.toml` explains each
pub struct Rules {
    pub name: String,
    pub calling: Calling,
    pub no_trump_call: NoTrumpCall,
    pub no_trump_may_open: bool,
    pub no_trump_barred: Vec<Level>,
    pub allow_reinforce: bool,
    pub flip_joker_at_scoring_level: FlipJoker,
    pub call_restarts_window: bool,
    pub decomposition: Decomposition,
    pub blocked_card_penalty: u32,
    pub throw_choice: ThrowChoice,
    pub throw_choice_timeout: ChoiceTimeout,
    pub publish_attempt: bool,
    pub bottom_shape: BottomShape,
    pub draw_ms: u32,
    pub play_s: u32,
    pub bottom_s: u32,
    pub call_window_s: u32,
    pub throw_choice_s: u32,
    pub hard_extra_s: u32,
    pub automatic_play: AutomaticPlay,
    pub slow_play_penalty: u32,
    pub slow_play_counter: SlowPlayCounter,
    pub round_min: u32,
    pub big_points: BigPoints,
}

impl Rules {
    /// Whether no trump may be called at a level.
    #[must_use]
    pub fn bars_no_trump(&self, level: Level) -> bool {
        self.no_trump_barred.contains(&level)
    }

    /// Every number of small points that the defenders can have on a board: points of the tricks and of a captured bottom,
    /// with the penalties of failed throws of either side.
    pub(super) fn small_points(&self) -> impl Iterator<Item = i64> {
        let blocked = i64::from(self.blocked_card_penalty);
        // Five tens or kings and three fives, or less; a last trick of twelve pairs in a row at the very most.
        let most = CARD_POINTS + BOTTOM_MAX * MULTIPLIER_MAX;
        let penalties = blocked * BLOCKED_MAX;
        let step = gcd(POINT, blocked);
        (0..).map(move |count| step * count - penalties).take_while(move |small| *small <= most + penalties)
    }
}

/// Card points come in fives.
const POINT: i64 = 5;
/// Card points of two packs.
const CARD_POINTS: i64 = 200;
/// Card points of eight cards at most.
const BOTTOM_MAX: i64 = 80;
/// The multiplier of a tractor of four pairs, the longest that is reckoned with in a last trick (TL 6.1: 2 for singles, 4
/// for a pair, 8 for two pairs, doubling with each further pair).
const MULTIPLIER_MAX: i64 = 32;
/// Blocked cards of one side on a board that are reckoned with.
const BLOCKED_MAX: i64 = 25;

/// The greatest common divisor; the other number where one is 0.
const fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Ruleset for Rules {
    fn name(&self) -> &str {
        &self.name
    }

    fn table(&self) -> Option<&str> {
        Some(&self.big_points.name)
    }

    fn change_faults(changes: &serde_json::Map<String, serde_json::Value>) -> Vec<Fault> {
        changes.get("big_points").map(BigPoints::change_faults).unwrap_or_default()
    }

    fn clauses(&self) -> Vec<Clause> {
        super::clauses::clauses(self)
    }

    /// TL 2.4.
    fn round_minutes(&self) -> Option<u32> {
        Some(self.round_min)
    }

    fn slow_play(&self) -> Option<SlowPlay> {
        let (of_pair, of_event) = match self.slow_play_counter {
            SlowPlayCounter::PlayerPerRound => (false, false),
            SlowPlayCounter::PlayerPerEvent => (false, true),
            SlowPlayCounter::PairPerRound => (true, false),
        };
        Some(SlowPlay { penalty: self.slow_play_penalty, of_pair, of_event })
    }

    fn penalties(&self) -> &'static [&'static str] {
        super::clauses::PENALTIES
    }

    fn faults(&self) -> Vec<Fault> {
        const DAY_S: u32 = 86_400;
        let mut faults = self.big_points.faults();
        for (field, value) in [
            ("play_s", self.play_s),
            ("bottom_s", self.bottom_s),
            ("call_window_s", self.call_window_s),
            ("throw_choice_s", self.throw_choice_s),
            ("round_min", self.round_min),
            ("draw_ms", self.draw_ms),
        ] {
            if value == 0 || value > DAY_S {
                faults.push(Fault::new(
                    "out_of_range",
                    message!("tuolaji-use-day", field, value, day_s = DAY_S),
                ));
            }
        }
        if self.hard_extra_s > DAY_S {
            faults.push(Fault::new("out_of_range", message!("tuolaji-extra", day_s = DAY_S)));
        }
        for (field, value) in [
            ("blocked_card_penalty", self.blocked_card_penalty),
            ("slow_play_penalty", self.slow_play_penalty),
        ] {
            if value > 1000 {
                faults.push(Fault::new("out_of_range", message!("tuolaji-use-1000", field, value)));
            }
        }
        for (index, level) in self.no_trump_barred.iter().enumerate() {
            if self.no_trump_barred[..index].contains(level) {
                faults.push(Fault::new("named_twice", message!("tuolaji-barred-twice", level)));
            }
        }
        faults
    }
}
