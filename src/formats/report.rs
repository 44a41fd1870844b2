//! What the checker found: faults, worst cases, figures, and their text.

use std::fmt;

use super::{AuditFault, Format, Plan};
use crate::words::{Lang, Message, say};

/// Two entrants and how often something happened to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Plan number of one.
    pub one: u32,
    /// Plan number of the other.
    pub other: u32,
    /// How often.
    pub times: u16,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}–{}", self.one, self.other)
    }
}

/// Fewer results in a comparison group than this say little about who is better.
pub const GROUP_LEAST: u32 = 4;

/// What a sound plan cannot give: nothing forbids to play it, but its organizer has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditFinding {
    /// Some results are compared with fewer than [`GROUP_LEAST`]` - 1` others.
    SmallGroups {
        /// Results in the smallest comparison group.
        least: u32,
        /// Results in the largest.
        most: u32,
    },
    /// Some entrants are never compared with each other on any board, only through others.
    NeverCompared {
        /// How many pairs of entrants.
        pairs: u64,
        /// All pairs of entrants.
        of: u64,
    },
}

impl AuditFinding {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            AuditFinding::SmallGroups { .. } => "small_groups",
            AuditFinding::NeverCompared { .. } => "never_compared",
        }
    }

    /// The sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            AuditFinding::SmallGroups { least, most } => {
                let size = if least == most { least.to_string() } else { format!("{least}–{most}") };
                Message::plain("formats-small-groups").with("size", size).with("wanted", GROUP_LEAST)
            }
            AuditFinding::NeverCompared { pairs, of } => {
                Message::plain("formats-never-compared").with("pairs", pairs).with("of", of)
            }
        }
    }
}

/// The result of an audit. Ranges are (least, most).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Kind of event.
    pub format: Format,
    /// How many entrants.
    pub entrants: u32,
    /// How many stand-ins.
    pub stand_ins: u32,
    /// How many rounds.
    pub rounds: u32,
    /// How many boards.
    pub boards: u32,
    /// Tables in the largest round.
    pub tables: u32,
    /// Boards per entrant.
    pub boards_each: (u32, u32),
    /// Rounds that an entrant sits out.
    pub byes_each: (u32, u32),
    /// Boards per entrant and position; (0, 0) in a human–AI event.
    pub seats_each: (u32, u32),
    /// Boards of a pair on the banker's side; 0 in an event that is not for pairs.
    pub bankers_each: (u32, u32),
    /// Boards of a pair on the side of the defenders; 0 in an event that is not for pairs.
    pub defenders_each: (u32, u32),
    /// Entrants' results per comparison group.
    pub group_sizes: (u32, u32),
    /// The pair that shares a table least and most often; `None` when entrants never share one.
    pub meetings: Option<(Pair, Pair)>,
    /// How often the two who meet most have to meet at least.
    pub meetings_necessary: u32,
    /// How often an entrant meets stand-ins.
    pub stand_in_meetings: (u32, u32),
    /// The pair with fewest and with most direct comparisons.
    pub comparisons: Option<(Pair, Pair)>,
    /// All comparisons and all pairs: their quotient is the mean.
    pub comparisons_sum: (u64, u64),
    /// Variance of the comparisons as numerator and denominator.
    pub comparisons_variance: (u128, u128),
    /// Pairs of entrants that are never compared directly.
    pub never_compared: u64,
    /// Fields that are not connected by comparisons; 1 is right.
    pub parts: u32,
    /// What is wrong; empty for a plan that can be played.
    pub faults: Vec<AuditFault>,
}

impl Report {
    pub(super) fn of(plan: &Plan) -> Report {
        let count = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        Report {
            format: plan.format,
            entrants: plan.entrants,
            stand_ins: plan.stand_ins,
            rounds: count(plan.rounds.len()),
            boards: count(plan.boards()),
            tables: count(plan.rounds.iter().map(|round| round.tables.len()).max().unwrap_or(0)),
            boards_each: (0, 0),
            byes_each: (0, 0),
            seats_each: (0, 0),
            bankers_each: (0, 0),
            defenders_each: (0, 0),
            group_sizes: (0, 0),
            meetings: None,
            meetings_necessary: 0,
            stand_in_meetings: (0, 0),
            comparisons: None,
            comparisons_sum: (0, 0),
            comparisons_variance: (0, 0),
            never_compared: 0,
            parts: 1,
            faults: Vec::new(),
        }
    }

    /// Whether the plan can be played.
    #[must_use]
    pub fn sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// What the organizer has to know of a sound plan; nothing of a field of one, which is compared with nobody.
    #[must_use]
    pub fn findings(&self) -> Vec<AuditFinding> {
        let mut findings = Vec::new();
        let (least, most) = self.group_sizes;
        if least < GROUP_LEAST && self.entrants > 1 {
            findings.push(AuditFinding::SmallGroups { least, most });
        }
        if self.never_compared > 0 && self.sound() {
            findings
                .push(AuditFinding::NeverCompared { pairs: self.never_compared, of: self.comparisons_sum.1 });
        }
        findings
    }

    /// The mean number of comparisons per pair in hundredths, rounded down.
    #[must_use]
    pub fn comparisons_mean_hundredths(&self) -> u64 {
        self.comparisons_sum.0.saturating_mul(100) / self.comparisons_sum.1.max(1)
    }

    /// The variance of the comparisons in hundredths, rounded down.
    #[must_use]
    pub fn comparisons_variance_hundredths(&self) -> u128 {
        self.comparisons_variance.0.saturating_mul(100) / self.comparisons_variance.1.max(1)
    }

    /// The report in sentences, one per line, faults last.
    #[must_use]
    pub fn lines(&self, lang: Lang) -> Vec<String> {
        let kind = if self.format == Format::Pairs { "pairs" } else { "players" };
        let about = |id, least: u32, most: u32| {
            let same = if least == most { "yes" } else { "no" };
            Message::plain(id).with("kind", kind).with("same", same).with("least", least).with("most", most)
        };
        let spread = |id, (least, most): (u32, u32)| about(id, least, most);
        let mut messages = vec![
            Message::plain("formats-report-size")
                .with("kind", kind)
                .with("entrants", self.entrants)
                .with("stand_ins", self.stand_ins)
                .with("tables", self.tables)
                .with("rounds", self.rounds)
                .with("boards", self.boards),
            spread("formats-report-boards", self.boards_each),
        ];
        if self.byes_each.1 > 0 {
            messages.push(spread("formats-report-byes", self.byes_each));
        }
        if self.seats_each.1 > 0 {
            messages.push(spread("formats-report-seats", self.seats_each));
        }
        if self.bankers_each.1 > 0 {
            messages.push(spread("formats-report-bankers", self.bankers_each));
        }
        messages.push(spread("formats-report-groups", self.group_sizes));
        if let Some((least, most)) = self.meetings {
            messages.push(
                about("formats-report-meetings", u32::from(least.times), u32::from(most.times))
                    .with("pair", most)
                    .with("necessary", self.meetings_necessary),
            );
        }
        if self.stand_ins > 0 {
            messages.push(spread("formats-report-stand-ins", self.stand_in_meetings));
        }
        if let Some((least, most)) = self.comparisons {
            messages.push(
                about("formats-report-comparisons", u32::from(least.times), u32::from(most.times))
                    .with("pair_least", least)
                    .with("pair_most", most)
                    .with("mean", hundredths(u128::from(self.comparisons_mean_hundredths())))
                    .with("variance", hundredths(self.comparisons_variance_hundredths())),
            );
        }
        let findings = self.findings();
        messages.push(match (self.sound(), findings.is_empty()) {
            (true, true) => Message::plain("formats-report-sound"),
            (true, false) => Message::plain("formats-report-playable"),
            (false, _) => Message::plain("formats-report-faults").with("count", self.faults.len()),
        });
        messages.extend(findings.iter().map(AuditFinding::message));
        messages.extend(self.faults.iter().map(AuditFault::message));
        messages.iter().map(|message| say(lang, message)).collect()
    }
}

fn hundredths(value: u128) -> String {
    format!("{}.{:02}", value / 100, value % 100)
}
