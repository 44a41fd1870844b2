//! What an event's rules say about scoring, as data: method, equalising, ties, ranks.
//!
//! Nothing here computes; every choice has a stable identifier that is printed on each result sheet.

use serde::{Deserialize, Serialize};

use super::exact::Exact;
use crate::words::{Message, message};

/// A name that is none of a closed list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{given}`: use {known}")]
pub struct UnknownName {
    /// What the name should have been, such as `method`.
    pub what: &'static str,
    /// What was given.
    pub given: String,
    /// Every known name.
    pub known: String,
}

/// A closed list of names with one text form each: `ALL`, `id()`, `Display`, `FromStr`.
macro_rules! names {
    ($(#[$about:meta])* $type:ident, $what:literal { $($(#[$doc:meta])* $variant:ident = $id:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $type { $($(#[$doc])* #[serde(rename = $id)] $variant),* }

        impl $type {
            /// Every value, in the order of the rulebook.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// The stable identifier.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $($type::$variant => $id),* }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.id())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::scoring::rules::UnknownName;

            fn from_str(text: &str) -> Result<$type, Self::Err> {
                $type::ALL.iter().copied().find(|value| value.id() == text).ok_or_else(|| $crate::scoring::rules::UnknownName {
                    what: $what,
                    given: text.to_owned(),
                    known: $type::ALL.iter().map(|value| value.id()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}
pub(crate) use names;

names! {
    /// How results of one group become values (duplicate-scoring rulebook, F1, F7–F10).
    Method, "method" {
        /// F1, 得分率: matchpoints over their maximum.
        ScoreRate = "score-rate",
        /// F7: the place of the raw score between the group's lowest and highest.
        LinearRate = "linear-rate",
        /// F8: IMP differences to every other result, divided by n − 1.
        CrossImp = "cross-imp",
        /// F8: IMP difference to the trimmed datum.
        Butler = "butler",
        /// F9: m entrants get m … 1, ties share the mean.
        PlacePoints = "place-points",
        /// F9 for teams: the raw scores of a team's seats on a board, each at another table, are added up; of m teams the
        /// best gets m points, the last 1, ties share the mean (the federations' match poker).
        MatchPoker = "match-poker",
        /// F10: the plain sum of raw scores.
        Total = "total",
    }
}

impl Method {
    /// Whether values are shares of a top, so that percentages and "a board at 100 %" mean something.
    #[must_use]
    pub const fn is_rate(self) -> bool {
        matches!(self, Method::ScoreRate | Method::LinearRate)
    }

    /// Whether m results get m … 1 points.
    #[must_use]
    pub const fn is_places(self) -> bool {
        matches!(self, Method::PlacePoints | Method::MatchPoker)
    }

    /// Whether a board has a greatest possible value, of which a penalty can be a fraction and which "a board at 100 %"
    /// reaches.
    #[must_use]
    pub const fn has_top(self) -> bool {
        self.is_rate() || self.is_places()
    }

    /// Whether values are IMPs.
    #[must_use]
    pub const fn is_imps(self) -> bool {
        matches!(self, Method::CrossImp | Method::Butler)
    }

    /// Whether an entrant is a team with several results on a board that count together.
    #[must_use]
    pub const fn is_teams(self) -> bool {
        matches!(self, Method::MatchPoker)
    }
}

names! {
    /// F3: how boards with unequal numbers of results are made comparable. Applies to [`Method::ScoreRate`].
    Equalise, "equalising" {
        /// Matchpoints stand as they are.
        None = "none",
        /// `MP' = (MP·E + E − A)/A`.
        Neuberg = "neuberg",
        /// `MP' = MP·E/A`.
        Linear = "linear",
    }
}

names! {
    /// What a result is worth that nothing can be compared with.
    Lone, "value of a lone result" {
        /// Nothing: it is left out of the average, with its reason.
        Undefined = "undefined",
        /// 50 % (0 IMP).
        Half = "half",
    }
}

names! {
    /// How shared places are written.
    RankStyle, "rank style" {
        /// 1 2 2 4.
        Competition = "1224",
        /// 1 2 2 3.
        Dense = "1223",
        /// 1 2-3 2-3 4.
        Range = "2-3",
    }
}

names! {
    /// One step of the ordered list that decides places.
    Step, "step of the tie-break list" {
        /// The exact average (the sum under [`Method::Total`]).
        Average = "average",
        /// The number of boards at 100 %; an award is never one. Only where values are rates.
        FullBoards = "full-boards",
        /// The mean value on the boards, in any seat, that all of the tied entrants played. Not under [`Method::Total`],
        /// which is for events without duplicate boards.
        CommonBoards = "common-boards",
        /// The sum of raw scores over the boards that count.
        RawSum = "raw-sum",
        /// Nothing decides: the place is shared.
        Shared = "shared",
    }
}

/// A table of IMPs: how many points of difference are worth how many IMPs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImpTable {
    /// Name of the table and its scale, printed on the result sheet: `wbf`.
    pub name: String,
    /// What one raw point counts before the table is entered; 1 for the WBF table in bridge points.
    pub scale: Exact,
    /// Ascending: a difference of at least the k-th of these is worth k IMPs (counting from 1).
    pub thresholds: Vec<i64>,
}

impl ImpTable {
    /// The WBF table, scale 1.
    #[must_use]
    pub fn wbf() -> ImpTable {
        ImpTable {
            name: "wbf".to_owned(),
            scale: Exact::ONE,
            thresholds: vec![
                20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750,
                2000, 2250, 2500, 3000, 3500, 4000,
            ],
        }
    }

    /// IMPs for a difference of raw points, with its sign.
    #[must_use]
    pub fn imps(&self, difference: &Exact) -> i64 {
        let scaled = &difference.abs() * &self.scale;
        // A threshold is an integer, so only the whole part of the difference matters.
        let reached = scaled.floor_i64().map_or(self.thresholds.len(), |whole| {
            self.thresholds.partition_point(|threshold| *threshold <= whole)
        });
        let imps = i64::try_from(reached).unwrap_or(i64::MAX);
        if difference.is_negative() { -imps } else { imps }
    }
}

/// How the Butler datum is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Butler {
    /// Results left out at each end.
    pub trim: u32,
    /// The fewest results from which on any are left out.
    pub trim_from: u32,
    /// The datum is rounded to a multiple of this, half away from zero; `None` keeps it exact.
    pub datum_rounding: Option<Exact>,
}

impl Butler {
    /// The fewest results from which so many can be left out at each end: one more than they are.
    #[must_use]
    pub const fn fewest(trim: u32) -> u32 {
        trim.saturating_mul(2).saturating_add(1)
    }
}

impl Default for Butler {
    fn default() -> Butler {
        Butler { trim: 1, trim_from: 4, datum_rounding: Some(Exact::from(10)) }
    }
}

/// F4: what artificial scores are worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Awards {
    /// A+, as a share of the board.
    pub plus: Exact,
    /// A, as a share of the board.
    pub even: Exact,
    /// A−, as a share of the board.
    pub minus: Exact,
    /// A+ under the IMP methods, in IMPs; A is 0 and A− the negative.
    pub imps: Exact,
    /// Session rule: A+ is the entrant's own average when that is higher, A− when it is lower.
    pub own_average: bool,
}

impl Default for Awards {
    fn default() -> Awards {
        Awards {
            plus: Exact::over(3, 5),
            even: Exact::HALF,
            minus: Exact::over(2, 5),
            imps: Exact::from(3),
            own_average: true,
        }
    }
}

/// Everything an event's rules say about scoring. Hashed into the announcement, printed on the result sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// How results become values.
    pub method: Method,
    /// How unequal groups are made comparable.
    pub equalise: Equalise,
    /// What a result without comparison is worth.
    pub lone: Lone,
    /// How shared places are written.
    pub style: RankStyle,
    /// Entrants with fewer counting boards are listed unranked.
    pub min_boards: u32,
    /// The ordered list that decides places; whatever it leaves tied is shared.
    pub tie_break: Vec<Step>,
    /// What artificial scores are worth.
    pub awards: Awards,
    /// The table of the IMP methods.
    pub imp_table: ImpTable,
    /// The datum of [`Method::Butler`].
    pub butler: Butler,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            method: Method::ScoreRate,
            equalise: Equalise::None,
            lone: Lone::Undefined,
            style: RankStyle::Competition,
            min_boards: 0,
            tie_break: vec![Step::Average, Step::FullBoards, Step::CommonBoards, Step::RawSum],
            awards: Awards::default(),
            imp_table: ImpTable::wbf(),
            butler: Butler::default(),
        }
    }
}

impl Rules {
    /// The default rules with another method.
    #[must_use]
    pub fn of(method: Method) -> Rules {
        Rules { method, ..Rules::default() }
    }

    /// The equalising that really takes place: only matchpoints are equalised.
    #[must_use]
    pub fn equalising(&self) -> Equalise {
        if self.method == Method::ScoreRate { self.equalise } else { Equalise::None }
    }

    /// The most points of the method that a board can be worth where so many results are compared: matchpoints, a
    /// rate of 1, the longest way through the IMP table, m place points. `None`: raw points have no scale.
    #[must_use]
    pub fn most_points(&self, compared: u32) -> Option<Exact> {
        match self.method {
            Method::ScoreRate => Some(Exact::from(2 * (i64::from(compared) - 1).max(1))),
            Method::LinearRate => Some(Exact::ONE),
            Method::CrossImp | Method::Butler => {
                i64::try_from(self.imp_table.thresholds.len()).ok().map(Exact::from)
            }
            Method::PlacePoints | Method::MatchPoker => Some(Exact::from(compared.max(1))),
            Method::Total => None,
        }
    }

    /// Everything about the rules that cannot be applied, in words.
    ///
    /// # Errors
    /// A tie-break list that does not begin with the average, names a step twice or goes on after sharing; an IMP table
    /// that is empty or does not ascend; a scale or a rounding that is not positive; a datum from which nothing is left.
    pub fn check(&self) -> Result<(), Vec<Message>> {
        let mut faults = Vec::new();
        if self.tie_break.first() != Some(&Step::Average) {
            faults.push(message!("rules-begin"));
        }
        for (index, step) in self.tie_break.iter().enumerate() {
            if self.tie_break.iter().take(index).any(|earlier| earlier == step) {
                faults.push(message!("rules-twice", step));
            }
        }
        if self.tie_break.iter().rev().skip(1).any(|step| *step == Step::Shared) {
            faults.push(message!("rules-shared"));
        }
        let table = &self.imp_table;
        let ascends =
            table.thresholds.iter().zip(table.thresholds.iter().skip(1)).all(|(low, high)| low < high);
        if !ascends || table.thresholds.first().is_none_or(|first| *first < 1) {
            faults.push(message!("rules-table", name = &table.name));
        }
        if table.scale <= Exact::ZERO {
            faults.push(message!("rules-scale"));
        }
        let awards = &self.awards;
        let ordered = awards.plus >= awards.even && awards.even >= awards.minus;
        let shares = awards.minus >= Exact::ZERO && awards.plus <= Exact::from(1);
        if !ordered || !shares || awards.imps < Exact::ZERO {
            faults.push(message!("rules-awards"));
        }
        if self.butler.datum_rounding.as_ref().is_some_and(|unit| *unit <= Exact::ZERO) {
            faults.push(message!("rules-rounding"));
        }
        let Butler { trim, trim_from, .. } = self.butler;
        if trim > 0 && trim_from < Butler::fewest(trim) {
            faults.push(message!("rules-trim", trim, fewest = Butler::fewest(trim)));
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts_agree() {
        for method in Method::ALL {
            assert_eq!(method.id().parse::<Method>().unwrap(), *method);
        }
        assert_eq!(
            "matchpoints".parse::<Method>().unwrap_err().to_string(),
            "unknown method `matchpoints`: use score-rate, linear-rate, cross-imp, butler, place-points, match-poker, total"
        );
        let rules: Rules = serde_json::from_str(r#"{"method":"butler","style":"2-3"}"#).unwrap();
        assert_eq!((rules.method, rules.style), (Method::Butler, RankStyle::Range));
        assert!(serde_json::from_str::<Rules>(r#"{"metod":"butler"}"#).is_err());
        let text = serde_json::to_string(&rules).unwrap();
        assert_eq!(serde_json::from_str::<Rules>(&text).unwrap(), rules);
        assert!(!text.contains('.'), "no float may reach a hash: {text}");
    }

    #[test]
    fn f8_the_imp_table_has_its_thresholds_on_the_right_side() {
        let table = ImpTable::wbf();
        let imps = |text: &str| table.imps(&text.parse().unwrap());
        assert_eq!([imps("0"), imps("19.99"), imps("20"), imps("49"), imps("50")], [0, 0, 1, 1, 2]);
        assert_eq!(
            [imps("-19.99"), imps("-20"), imps("-430"), imps("3999"), imps("-4000")],
            [0, -1, -10, 23, -24]
        );
        assert_eq!(imps("100000000000000000000000000"), 24);
    }

    #[test]
    fn rules_that_cannot_be_applied_are_named() {
        assert_eq!(Rules::default().check(), Ok(()));
        let mut rules = Rules { tie_break: vec![Step::RawSum, Step::RawSum], ..Rules::default() };
        rules.imp_table.thresholds = vec![20, 20];
        rules.imp_table.scale = Exact::ZERO;
        rules.butler.datum_rounding = Some(Exact::ZERO);
        // Two results off each end of four leave nothing.
        rules.butler.trim = 2;
        assert_eq!(rules.check().unwrap_err().len(), 6);
        rules.butler.trim_from = 5;
        assert_eq!(rules.check().unwrap_err().len(), 5);
        let shared = |tie_break: &[Step]| Rules { tie_break: tie_break.to_vec(), ..Rules::default() }.check();
        assert_eq!(shared(&[Step::Average, Step::RawSum, Step::Shared]), Ok(()));
        assert_eq!(shared(&[Step::Average, Step::Shared, Step::RawSum]).unwrap_err().len(), 1);
        let mut empty = Rules::default();
        empty.imp_table.thresholds.clear();
        assert_eq!(empty.check().unwrap_err().len(), 1);
    }
}
