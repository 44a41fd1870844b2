//! The score of a board: zero-sum for each pair of banker and defender.
//!
//! Wakeng rulebook, "Score of a board". Only arithmetic: what was bid, shown, doubled and bombed comes in.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::rules::{BOMBS_MAX, Combine, Quad, Rules};
use super::{SEATS, name_of};
use crate::games::Seat;

/// The side that went out first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The banker (庄家).
    Banker,
    /// The two defenders (防守方).
    Defence,
}

/// What the stakes depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stakes {
    pub banker: Seat,
    /// 1 to 3.
    pub bid: u8,
    /// Bombs played by anyone.
    pub bombs: u8,
    /// Seats that have shown, bit per seat.
    pub shown: u8,
    /// Seats that have doubled, bit per seat.
    pub doubled: u8,
}

/// The factors of a board: a defender's stake is `unit × bid × bomb × show × double[defender]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Factors {
    /// Points of a stake at bid 1.
    pub unit: i64,
    /// Factor of all bombs that count.
    pub bomb: i64,
    /// Factor of shown hands.
    pub show: i64,
    /// Factor of doubles per defender, the banker's double included.
    pub double: Doubles,
}

/// A factor per defender; written as an object by seat name in playing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubles(pub [Option<i64>; SEATS]);

impl Serialize for Doubles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (seat, factor) in (0..).map(Seat).zip(self.0) {
            if let Some(factor) = factor {
                map.serialize_entry(name_of(seat), &factor)?;
            }
        }
        map.end()
    }
}

/// What happened on a board, in the fields and the order that `fushi replay` promises. What is not decided yet is
/// `null`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The banker's seat.
    pub banker: Option<&'static str>,
    /// The bid that made the banker; the ruleset's in a rotten dig.
    pub bid: Option<u8>,
    /// Bombs played by anyone, whether or not they all count.
    pub bombs: u8,
    /// The factors so far.
    pub factors: Option<Factors>,
    /// The side that went out first: `banker` or `defence`.
    pub winner: Option<Side>,
}

impl Stakes {
    pub(super) fn factors(self, rules: &Rules) -> Factors {
        let holds = |set: u8, seat: Seat| set >> seat.0 & 1 == 1;
        // WK-34
        let bombs = u32::from(rules.bombs_counted(self.bombs));
        let show = i64::from(rules.show_factor);
        let others_shown = self.shown & !(1 << self.banker.0) != 0;
        // WK-35
        let show = match (rules.combine, holds(self.shown, self.banker), others_shown) {
            (_, false, false) => 1,
            (Combine::Product, true, true) => show.saturating_mul(show),
            _ => show,
        };
        let once = |seat: Seat| if holds(self.doubled, seat) { i64::from(rules.double_factor) } else { 1 };
        let mut double = [None; SEATS];
        for (seat, factor) in (0..).map(Seat).zip(&mut double) {
            if seat != self.banker {
                // WK-36
                *factor = Some(once(seat).saturating_mul(once(self.banker)));
            }
        }
        Factors {
            unit: i64::from(rules.unit),
            bomb: i64::from(rules.bomb_factor).saturating_pow(bombs),
            show,
            double: Doubles(double),
        }
    }

    /// The raw score per seat, zero-sum for each pair of banker and defender (WK-33). Exact for every ruleset without faults, which limits the largest stake.
    pub(super) fn scores(self, rules: &Rules, winner: Side) -> [i64; SEATS] {
        let factors = self.factors(rules);
        let common = [i64::from(self.bid), factors.bomb, factors.show]
            .into_iter()
            .fold(factors.unit, i64::saturating_mul);
        let mut scores = factors.double.0.map(|double| {
            let stake = common.saturating_mul(double.unwrap_or(0));
            if winner == Side::Banker { -stake } else { stake }
        });
        let defenders: i64 = scores.iter().fold(0, |sum, score| sum.saturating_add(*score));
        if let Some(banker) = scores.get_mut(self.banker.index()) {
            *banker = -defenders;
        }
        scores
    }
}

/// Whether some board gives the seat this raw score: every banker, bid, number of bombs, set of shown hands and of doubles
/// that the ruleset allows.
pub(super) fn is_possible(rules: &Rules, seat: Seat, score: i64) -> bool {
    let bombs_max = if rules.quad == Quad::Bomb { BOMBS_MAX } else { 0 };
    let all = 1_u8 << SEATS;
    let mut stakes = (0..).take(SEATS).map(Seat).flat_map(|banker| {
        let shown = (0..all).filter(move |shown| {
            let others = shown & !(1 << banker.0);
            (rules.show_before_bid || others == 0)
                && (rules.show_before_bid || rules.banker_show || *shown == 0)
        });
        shown.flat_map(move |shown| {
            let doubled = (0..all).filter(|doubled| rules.doubling || *doubled == 0);
            doubled.flat_map(move |doubled| {
                (1..=3).flat_map(move |bid| {
                    (0..=bombs_max).map(move |bombs| Stakes { banker, bid, bombs, shown, doubled })
                })
            })
        })
    });
    stakes.any(|stakes| {
        [Side::Banker, Side::Defence]
            .into_iter()
            .any(|winner| stakes.scores(rules, winner).get(seat.index()) == Some(&score))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rulesets;
    use crate::games::wakeng::Wakeng;

    #[test]
    fn a_raw_score_is_a_stake_or_the_sum_of_two() {
        let bomb = rulesets::shipped::<Wakeng>("wakeng-bomb").unwrap();
        let plain = rulesets::shipped::<Wakeng>("wakeng-plain").unwrap();
        let possible = |rules: &Rules, score| is_possible(rules, Seat(1), score);
        for score in [1, -1, 2, 3, 4, 6, -6, 12] {
            assert!(possible(&bomb, score), "{score}");
        }
        for score in [0, 99, 5, 7, -99, 1_000_000] {
            assert!(!possible(&bomb, score), "{score}");
        }
        // Without bombs a bid of 3, shown and doubled, is the most.
        let most = (1..=1000).filter(|score| possible(&plain, *score)).max().unwrap();
        let factor = i64::from(plain.show_factor) * i64::from(plain.double_factor).pow(2);
        assert_eq!(most, 2 * 3 * i64::from(plain.unit) * factor);
    }
}
