//! From small to big points (TL 7): a named table, shipped as presets or given in full.
//!
//! The table of the source is lost. Its name is therefore part of every result, and nothing outside this module knows
//! any of its numbers.

use serde::{Deserialize, Deserializer, Serialize};

use crate::games::Fault;
use crate::games::rulesets::unknown;
use crate::words::{Message, message, skeleton};

/// The shipped tables by short name (TL 7.2).
pub const PRESETS: [(&str, &str); 4] = [
    ("H1", include_str!("big_points/H1.toml")),
    ("H2", include_str!("big_points/H2.toml")),
    ("H3", include_str!("big_points/H3.toml")),
    ("platform", include_str!("big_points/platform.toml")),
];

/// No number of a table is larger than this, so that sums can never overflow.
const LARGEST: i64 = 1_000_000;

/// The longest name of a table, in characters.
const NAME_MAX: usize = 60;

/// Whose points the table gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// The defenders'; the banker side gets the negative.
    Defenders,
}

/// One class of the table: from `min` small points on, `v` big points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Small points from which the row holds.
    pub min: i64,
    /// Big points of the defenders.
    pub v: i64,
}

/// How the table goes on above its last row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tail {
    /// Small points from which steps are counted.
    pub from: i64,
    /// Small points per step; 0: the table does not go on.
    pub step: i64,
    /// Big points per step.
    pub add: i64,
}

impl Tail {
    /// The table ends with its last row; `"tail":null` in a record.
    pub const NONE: Tail = Tail { from: 0, step: 0, add: 0 };
}

/// What a forfeited round is worth to the opponents; the forfeiting side has 0 small and the negative big points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeit {
    /// Small points.
    pub small: i64,
    /// Big points.
    pub big: i64,
}

/// A table of big points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BigPoints {
    /// The name printed on every result.
    pub name: String,
    /// Whose points the table gives.
    pub view: View,
    /// The classes, lowest first. Below the first row its value holds.
    pub rows: Vec<Row>,
    /// How the table goes on.
    pub tail: Tail,
    /// The most that one deal can bring either side; 0: no ceiling.
    pub cap: i64,
    /// Award for a misdealt hand found after the lead, at a table without software.
    pub award_misdeal: i64,
    /// Award for a concealed card (藏张) found too late, at a table without software.
    pub award_concealed: i64,
    /// A forfeited round.
    pub forfeit: Forfeit,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    view: View,
    rows: Vec<Row>,
    tail: Option<Tail>,
    cap: i64,
    award_misdeal: i64,
    award_concealed: i64,
    forfeit: Forfeit,
}

impl From<Written> for BigPoints {
    fn from(written: Written) -> BigPoints {
        let Written { name, view, rows, tail, cap, award_misdeal, award_concealed, forfeit } = written;
        let tail = tail.unwrap_or(Tail::NONE);
        BigPoints { name, view, rows, tail, cap, award_misdeal, award_concealed, forfeit }
    }
}

impl<'de> Deserialize<'de> for BigPoints {
    /// A whole table, or the short name of a preset.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BigPoints, D::Error> {
        use serde::de::Error;
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(name) => BigPoints::preset(&name).map_err(D::Error::custom),
            table => serde_json::from_value::<Written>(table).map(BigPoints::from).map_err(D::Error::custom),
        }
    }
}

impl BigPoints {
    /// A shipped table by its short name: `H1`, `H2`, `H3`, `platform`.
    ///
    /// # Errors
    /// An unknown name, with the nearest known one.
    pub fn preset(name: &str) -> Result<BigPoints, String> {
        let names: Vec<&str> = PRESETS.iter().map(|(known, _)| *known).collect();
        let (_, text) = PRESETS
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| unknown("table of big points", name, &names))?;
        toml::from_str::<Written>(text).map(BigPoints::from).map_err(|error| error.to_string())
    }

    /// The defenders' big points for their small points (TL 7.3), which may be below 0 or far above 200.
    #[must_use]
    pub fn of(&self, small: i64) -> i64 {
        let row_value = |points: i64| {
            self.rows.iter().rev().find(|row| row.min <= points).or(self.rows.first()).map_or(0, |row| row.v)
        };
        let Tail { from, step, add } = self.tail;
        let value = if step > 0 && small >= from {
            row_value(from).saturating_add(((small - from) / step).saturating_mul(add))
        } else {
            row_value(small)
        };
        if self.cap > 0 { value.clamp(-self.cap, self.cap) } else { value }
    }

    /// A table without a name of its own: results would name another one than the one that counted.
    fn name_fault(&self) -> Option<Fault> {
        let length = self.name.trim().chars().count();
        if length == 0 || length > NAME_MAX || self.name.chars().any(crate::words::is_hidden) {
            let message = message!("points-name", name_max = NAME_MAX);
            return Some(Fault::new("bad_name", message));
        }
        // A name is taken by the shipped table that it names, or looks as if it did: by its name or its short name.
        let own = skeleton(&self.name);
        let (short, same) = PRESETS.iter().find_map(|(short, _)| {
            let preset = BigPoints::preset(short).ok()?;
            let taken = [*short, preset.name.as_str()].into_iter().any(|known| skeleton(known) == own);
            taken.then(|| (short, preset == *self))
        })?;
        let message = message!("points-name-taken", name = &self.name, short);
        (!same).then(|| Fault::new("reserved_name", message))
    }

    /// Faults in the `big_points` that a record puts over those of its base.
    #[must_use]
    pub fn change_faults(change: &serde_json::Value) -> Vec<Fault> {
        let alone = change
            .as_object()
            .is_some_and(|fields| fields.contains_key("rows") && !fields.contains_key("tail"));
        let message = message!("points-tail-unclear");
        alone.then(|| Fault::new("tail_unclear", message)).into_iter().collect()
    }

    /// Every contradiction in the table.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        faults.extend(self.name_fault());
        let mut fault = |message: Message| faults.push(Fault::new("bad_big_points", message));
        if self.rows.is_empty() {
            fault(message!("points-no-row"));
        }
        for pair in self.rows.windows(2) {
            let [lower, upper] = pair else { continue };
            if upper.min <= lower.min {
                fault(message!("points-min-rises", upper = upper.min, lower = lower.min));
            }
            if upper.v < lower.v {
                fault(message!("points-v-falls", upper = upper.v, lower = lower.v));
            }
        }
        let Tail { from, step, add } = self.tail;
        if step < 0 || add < 0 {
            fault(message!("points-tail-negative"));
        }
        if step > 0 && self.rows.last().is_some_and(|row| from < row.min) {
            fault(message!("points-tail-from"));
        }
        if self.cap < 0 {
            fault(message!("points-cap"));
        }
        let numbers = [from, step, add, self.cap, self.award_misdeal, self.award_concealed];
        let more = [self.forfeit.small, self.forfeit.big];
        let in_rows = self.rows.iter().flat_map(|row| [row.min, row.v]);
        if numbers.into_iter().chain(more).chain(in_rows).any(|number| number.abs() > LARGEST) {
            fault(message!("points-largest", largest = LARGEST));
        }
        // H2 gives the defenders points for every class; it is shipped as its source has it.
        let shipped = PRESETS.iter().any(|(name, _)| BigPoints::preset(name).as_ref() == Ok(self));
        if !shipped && self.of(75) >= 0 {
            fault(message!("points-75"));
        }
        if self.of(80) <= 0 {
            fault(message!("points-80"));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h1_is_the_table_of_section_10_b() {
        let table = BigPoints::preset("H1").unwrap();
        for (small, big) in [
            (-20, -4),
            (0, -4),
            (5, -3),
            (15, -3),
            (35, -3),
            (40, -2),
            (75, -2),
            (80, 4),
            (115, 4),
            (120, 6),
            (155, 6),
            (160, 8),
            (200, 10),
            (240, 12),
            (280, 14),
            (320, 16),
            (525, 26),
            (640, 32),
            (-1_000_000, -4),
        ] {
            assert_eq!(table.of(small), big, "{small}");
        }
    }

    #[test]
    fn a_round_of_section_10_b_is_zero_sum_and_won_by_east_west() {
        let table = BigPoints::preset("H1").unwrap();
        let small = [65, 90, 35, 120, 0, 80, 200, 75, 40, 110, 155, 20];
        let east_west: i64 = small
            .iter()
            .enumerate()
            .map(|(deal, points)| {
                let big = table.of(*points);
                if deal % 2 == 0 { -big } else { big }
            })
            .sum();
        assert_eq!(east_west, 8);
    }

    #[test]
    fn presets_follow_section_7() {
        let of = |name: &str, small: i64| BigPoints::preset(name).unwrap().of(small);
        assert_eq!([0, 15, 40, 75, 80, 640].map(|small| of("H2", small)), [0, 0, 2, 3, 4, 32]);
        assert_eq!(
            [-5, 0, 5, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220].map(|small| of("H3", small)),
            [-10, -10, -8, -4, -3, -2, 2, 3, 4, 6, 8, 10, 12, 14]
        );
        assert_eq!(
            [0, 5, 40, 80, 120, 160, 200, 900].map(|small| of("platform", small)),
            [-3, -2, -1, 1, 2, 3, 4, 4]
        );
        for (name, _) in PRESETS {
            assert_eq!(BigPoints::preset(name).unwrap().faults(), vec![], "{name}");
        }
    }

    #[test]
    fn a_table_is_validated() {
        let faults = |change: fn(&mut BigPoints)| {
            let mut table = BigPoints { name: "ours".to_owned(), ..BigPoints::preset("H1").unwrap() };
            change(&mut table);
            table.faults().len()
        };
        assert_eq!(faults(|table| table.cap = 32), 0);
        assert_eq!(faults(|table| table.rows[1].min = 40), 1);
        assert_eq!(faults(|table| table.rows[1].v = -5), 1);
        assert_eq!(faults(|table| table.rows[2].v = 0), 1);
        assert_eq!(faults(|table| table.rows[3].v = 0), 1);
        assert_eq!(faults(|table| table.tail.step = -1), 1);
        assert_eq!(faults(|table| table.tail.from = 100), 1);
        assert_eq!(faults(|table| table.rows.clear()), 3);
        assert_eq!(faults(|table| table.award_misdeal = i64::MAX), 1);
        assert!(BigPoints::preset("H4").unwrap_err().contains("did you mean `H1`"));
    }

    #[test]
    fn a_changed_table_needs_a_name_of_its_own() {
        for (short, _) in PRESETS {
            let preset = BigPoints::preset(short).unwrap();
            assert_eq!(preset.faults(), vec![], "{short}");
            let changed = BigPoints { cap: 32, ..preset.clone() };
            assert!(changed.faults().iter().any(|fault| fault.code == "reserved_name"), "{short}");
            let alike = [short.to_lowercase(), format!("〈{short}〉"), preset.name.replace('-', "_")];
            for name in alike.iter().map(String::as_str).chain([short, "Η1", "ｈ３"]) {
                let taken = BigPoints { name: name.to_owned(), cap: 32, ..preset.clone() };
                assert!(taken.faults().iter().any(|fault| fault.code == "reserved_name"), "{name}");
            }
            for name in ["", "  ", "a\nb", &"n".repeat(61)] {
                let renamed = BigPoints { name: name.to_owned(), ..preset.clone() };
                assert!(renamed.faults().iter().any(|fault| fault.code == "bad_name"), "{name:?}");
            }
        }
    }

    #[test]
    fn a_tail_of_null_is_none() {
        let mut value = serde_json::to_value(BigPoints::preset("H1").unwrap()).unwrap();
        value["tail"] = serde_json::Value::Null;
        let table: BigPoints = serde_json::from_value(value).unwrap();
        assert_eq!((table.tail, table.of(640)), (Tail::NONE, 8));
    }

    #[test]
    fn the_ceiling_holds_on_both_sides() {
        let table = BigPoints { cap: 3, ..BigPoints::preset("H1").unwrap() };
        assert_eq!((table.of(0), table.of(10_000)), (-3, 3));
    }
}
