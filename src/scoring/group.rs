//! One comparison group, all results of one (board, seat), turned into values.
//!
//! A value depends on nothing but its own group and the rules: no entrant's other boards, no clock, no order of
//! entry. Artificial scores and the session rule are not settled here, because they need the entrant's average.

use std::collections::BTreeMap;

use super::entry::Entry;
use super::exact::{Exact, Score};
use super::results::Results;
use super::rules::{Equalise, Lone, Method, Rules};

/// The values of one group, aligned with its entries.
#[derive(Clone, Debug)]
pub(crate) struct Scored {
    /// How the group as a whole stands.
    pub state: State,
    /// `A`: results that are compared.
    pub actual: u32,
    /// `E`: results that were expected; `A` where nothing is equalised.
    pub expected: u32,
    /// The values of the compared entries.
    pub values: Values,
}

/// How a group as a whole stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The board is void for everybody.
    Void,
    /// Nothing is compared.
    Empty,
    /// One result, nothing to compare it with, and the method needs a comparison.
    Lone,
    /// Values exist.
    Compared,
}

/// Values before penalties; positions of entries that are not compared hold 0.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// There are none.
    None,
    /// Value `num / den`; matchpoints `num / mp_den` under the score rate.
    Shared { num: Vec<i64>, mp_den: i64, den: i64 },
    /// Value and matchpoints one by one, where the shared form does not fit.
    Each(Vec<(Exact, Exact)>),
}

impl Scored {
    /// A group of a void board.
    pub(crate) const fn void() -> Scored {
        Scored { state: State::Void, actual: 0, expected: 0, values: Values::None }
    }

    /// The value of a compared entry before penalties.
    pub(crate) fn value(&self, position: usize) -> Option<Exact> {
        match &self.values {
            Values::None => None,
            Values::Shared { num, den, .. } => num.get(position).map(|num| Exact::over(*num, *den)),
            Values::Each(each) => each.get(position).map(|(value, _)| value.clone()),
        }
    }

    /// The matchpoints of a compared entry, equalised, before penalties; only meaningful under the score rate.
    pub(crate) fn matchpoints(&self, position: usize) -> Option<Exact> {
        match &self.values {
            Values::None => None,
            Values::Shared { num, mp_den, .. } => num.get(position).map(|num| Exact::over(*num, *mp_den)),
            Values::Each(each) => each.get(position).map(|(_, matchpoints)| matchpoints.clone()),
        }
    }

    /// The greatest possible number of matchpoints, `2(E − 1)`.
    pub(crate) fn top(&self) -> i64 {
        2 * (i64::from(self.expected) - 1).max(0)
    }
}

/// Scores a group. `expected` is `E` as stated or taken from the largest group; it is used when matchpoints are
/// equalised, and never below `A`.
pub(crate) fn score(results: &Results, rules: &Rules, expected: Option<u32>) -> Scored {
    let actual = results.actual();
    let expected = match rules.equalising() {
        Equalise::None => actual,
        _ => expected.unwrap_or(actual).max(actual),
    };
    let of = |state, values| Scored { state, actual, expected, values };
    if actual == 0 {
        return of(State::Empty, Values::None);
    }
    if actual == 1 && !matches!(rules.method, Method::PlacePoints | Method::Total) {
        return match rules.lone {
            Lone::Undefined => of(State::Lone, Values::None),
            Lone::Half => of(State::Lone, lone_half(results.len(), rules.method)),
        };
    }
    let values = match (results, rules.method) {
        (Results::Plain(scores), Method::ScoreRate) => rated(matchpoints(scores), rules, actual, expected),
        (Results::Plain(scores), Method::PlacePoints) => {
            place_points(rated(matchpoints(scores), rules, actual, actual))
        }
        (Results::Plain(scores), Method::Total) => Values::Shared { num: scores.clone(), mp_den: 1, den: 1 },
        _ => score_mixed(&results.entries(), rules, actual, expected),
    };
    of(State::Compared, values)
}

fn score_mixed(entries: &[Entry], rules: &Rules, actual: u32, expected: u32) -> Values {
    let weighted = entries.iter().any(|entry| !entry.outcomes().is_empty());
    match rules.method {
        Method::ScoreRate if weighted => field_matchpoints(entries, rules, actual, expected),
        Method::ScoreRate => score_rates(entries, rules, actual, expected),
        Method::PlacePoints if weighted => place_points(field_matchpoints(entries, rules, actual, actual)),
        Method::PlacePoints => place_points(score_rates(entries, rules, actual, actual)),
        Method::LinearRate => linear_rates(entries),
        Method::CrossImp => cross_imps(entries, rules, actual),
        Method::Butler => butler(entries, rules),
        Method::Total => each(entries, |entry| entry.raw().map(|raw| raw.exact())),
    }
}

fn lone_half(len: usize, method: Method) -> Values {
    let num = i64::from(method.is_rate());
    Values::Shared { num: vec![num; len], mp_den: 2, den: 2 }
}

/// The compared raw scores as integers in the same order: the scores themselves, or their ranks.
fn keys(entries: &[Entry]) -> Vec<i64> {
    let ints: Option<Vec<i64>> = entries
        .iter()
        .filter(|entry| entry.is_compared())
        .map(|entry| entry.score.as_ref().and_then(Score::int))
        .collect();
    ints.unwrap_or_else(|| {
        let scores: Vec<&Score> = entries
            .iter()
            .filter(|entry| entry.is_compared())
            .filter_map(|entry| entry.score.as_ref())
            .collect();
        let mut sorted = scores.clone();
        sorted.sort_unstable();
        sorted.dedup();
        scores.iter().map(|score| index(sorted.partition_point(|low| low < score))).collect()
    })
}

fn index(position: usize) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}

/// `MP_i = 2·#beaten + #tied` of each key (F1).
pub(crate) fn matchpoints(keys: &[i64]) -> Vec<i64> {
    let (Some(low), Some(high)) = (keys.iter().min(), keys.iter().max()) else { return Vec::new() };
    let span = high.checked_sub(*low).and_then(|span| usize::try_from(span).ok());
    match span {
        // Few distinct values, as usual with board scores: count instead of sorting.
        Some(span) if span / 4 <= keys.len() + 256 => by_counting(keys, *low, span + 1),
        _ => by_sorting(keys),
    }
}

fn by_counting(keys: &[i64], low: i64, span: usize) -> Vec<i64> {
    let slot = |key: i64| usize::try_from(key - low).unwrap_or(0);
    let mut counts = vec![0i64; span];
    for key in keys {
        if let Some(count) = counts.get_mut(slot(*key)) {
            *count += 1;
        }
    }
    let mut beaten = 0;
    for count in &mut counts {
        let tied = *count;
        *count = 2 * beaten + tied - 1;
        beaten += tied;
    }
    keys.iter().map(|key| counts.get(slot(*key)).copied().unwrap_or(0)).collect()
}

fn by_sorting(keys: &[i64]) -> Vec<i64> {
    let mut sorted: Vec<(i64, usize)> = keys.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    let mut points = vec![0; keys.len()];
    let mut beaten = 0;
    for tie in sorted.chunk_by(|one, other| one.0 == other.0) {
        let tied = index(tie.len());
        for (_, position) in tie {
            if let Some(slot) = points.get_mut(*position) {
                *slot = 2 * beaten + tied - 1;
            }
        }
        beaten += tied;
    }
    points
}

/// F1 and F3 without weighted rulings; results that are not compared hold 0.
fn score_rates(entries: &[Entry], rules: &Rules, actual: u32, expected: u32) -> Values {
    let mut values = rated(matchpoints(&keys(entries)), rules, actual, expected);
    if let Values::Shared { num, .. } = &mut values
        && num.len() != entries.len()
    {
        let mut next = num.iter().copied();
        let all = entries.iter().map(|entry| if entry.is_compared() { next.next().unwrap_or(0) } else { 0 });
        *num = all.collect();
    }
    values
}

/// Matchpoints equalised (F3): integers over one common denominator.
fn rated(mut points: Vec<i64>, rules: &Rules, actual: u32, expected: u32) -> Values {
    let (a, e) = (i64::from(actual), i64::from(expected));
    let top = 2 * (e - 1);
    let mp_den = match rules.equalising() {
        Equalise::None => 1,
        _ if a == e => 1,
        Equalise::Neuberg => {
            for mp in &mut points {
                *mp = *mp * e + e - a;
            }
            a
        }
        Equalise::Linear => {
            for mp in &mut points {
                *mp *= e;
            }
            a
        }
    };
    Values::Shared { num: points, mp_den, den: mp_den.saturating_mul(top).max(1) }
}

/// F9: with `MP = 2·#beaten + #tied`, the mean of the places occupied is worth `1 + MP/2`.
fn place_points(values: Values) -> Values {
    match values {
        Values::Shared { num, .. } => {
            Values::Shared { num: num.into_iter().map(|mp| mp + 2).collect(), mp_den: 1, den: 2 }
        }
        Values::Each(each) => {
            Values::Each(each.into_iter().map(|(_, mp)| (&Exact::ONE + &(&mp * &Exact::HALF), mp)).collect())
        }
        Values::None => Values::None,
    }
}

/// One value per entry, 0 where it is not compared.
fn each(entries: &[Entry], mut value: impl FnMut(&Entry) -> Option<Exact>) -> Values {
    let value = |entry: &Entry| if entry.is_compared() { value(entry) } else { None };
    Values::Each(entries.iter().map(value).map(|value| (value.unwrap_or(Exact::ZERO), Exact::ZERO)).collect())
}

/// Every outcome of an entry with its probability: one of weight 1 unless a ruling weights several.
pub(crate) fn outcomes(entry: &Entry) -> Vec<(Exact, Exact)> {
    if entry.outcomes().is_empty() {
        return entry.score.iter().map(|score| (Exact::ONE, score.exact())).collect();
    }
    entry.outcomes().iter().map(|each| (each.weight.clone(), each.score.exact())).collect()
}

/// The distinct scores of a group, ascending, with the number of results at each (fractions under weighted rulings).
fn field(entries: &[Entry]) -> Vec<(Exact, Exact)> {
    let mut masses = BTreeMap::<Exact, Exact>::new();
    for (weight, score) in entries.iter().filter(|entry| entry.is_compared()).flat_map(outcomes) {
        *masses.entry(score).or_insert(Exact::ZERO) += &weight;
    }
    masses.into_iter().collect()
}

/// What a comparison of two raw scores is worth: 2, 1 or 0 matchpoints (F1).
pub(crate) fn duel(own: &Exact, other: &Exact) -> Exact {
    Exact::from(match own.cmp(other) {
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 0i64,
    })
}

/// F5: the expectation over an entry's outcomes of what each outcome earns against everybody **else**: `earned` is
/// what a score earns against the whole field, from which the entry's own part is taken out again.
fn expectation(
    entry: &Entry,
    earned: &[(Exact, Exact)],
    against: &impl Fn(&Exact, &Exact) -> Exact,
) -> Option<Exact> {
    let own = outcomes(entry);
    let mut total = Exact::ZERO;
    for (weight, score) in &own {
        let at = earned.binary_search_by(|(other, _)| other.cmp(score)).ok()?;
        let mut value = earned.get(at)?.1.clone();
        for (other_weight, other) in &own {
            value -= &(other_weight * &against(score, other));
        }
        total += &(weight * &value);
    }
    Some(total)
}

/// F1, F3 and F5 in general: `MP_i = Σ_j Σ p·q·(2[a>b]+[a=b])`.
fn field_matchpoints(entries: &[Entry], rules: &Rules, actual: u32, expected: u32) -> Values {
    let field = field(entries);
    let mut below = Exact::ZERO;
    let mut earned = Vec::with_capacity(field.len());
    for (score, mass) in field {
        let points = &(&below + &below) + &mass;
        below += &mass;
        earned.push((score, points));
    }
    let top = Exact::from(2 * (i64::from(expected) - 1)).max(Exact::ONE);
    let one = |entry: &Entry| {
        if !entry.is_compared() {
            return (Exact::ZERO, Exact::ZERO);
        }
        let points = expectation(entry, &earned, &duel).unwrap_or(Exact::ZERO);
        let points = equalised(&points, rules.equalising(), actual, expected);
        (points.div(&top).unwrap_or(Exact::ZERO), points)
    };
    Values::Each(entries.iter().map(one).collect())
}

/// F3 for one number of matchpoints.
pub(crate) fn equalised(points: &Exact, how: Equalise, actual: u32, expected: u32) -> Exact {
    if actual == expected || actual == 0 {
        return points.clone();
    }
    let (a, e) = (Exact::from(actual), Exact::from(expected));
    let scaled = points * &e;
    match how {
        Equalise::None => points.clone(),
        Equalise::Neuberg => (&scaled + &(&e - &a)).per(actual),
        Equalise::Linear => scaled.per(actual),
    }
}

/// The lowest and the highest score of a group, every outcome of a weighted ruling included.
pub(crate) fn extent(entries: &[Entry]) -> Option<(Exact, Exact)> {
    let field = field(entries);
    Some((field.first()?.0.clone(), field.last()?.0.clone()))
}

/// F7: `(s − min)/(max − min)`; it is linear in `s`, so the expectation of a weighted ruling may enter directly.
fn linear_rates(entries: &[Entry]) -> Values {
    let Some((low, high)) = extent(entries) else { return Values::None };
    let span = &high - &low;
    each(entries, |entry| {
        let raw = entry.raw()?.exact();
        Some((&raw - &low).div(&span).unwrap_or(Exact::HALF))
    })
}

/// F8, cross-IMP: the IMPs against every other result, divided by n − 1.
fn cross_imps(entries: &[Entry], rules: &Rules, actual: u32) -> Values {
    let field = field(entries);
    let mut earned: Vec<(Exact, Exact)> =
        field.iter().map(|(score, _)| (score.clone(), Exact::ZERO)).collect();
    // IMPs count the thresholds that a difference reaches, so one sweep per threshold adds them all up.
    for threshold in &rules.imp_table.thresholds {
        let Some(step) = Exact::from(*threshold).div(&rules.imp_table.scale) else { continue };
        sweep(&field, &mut earned, &step);
    }
    let against = |own: &Exact, other: &Exact| Exact::from(rules.imp_table.imps(&(own - other)));
    each(entries, |entry| expectation(entry, &earned, &against).map(|sum| sum.per(actual - 1)))
}

/// Adds to each score the number of results at least `step` below it, and takes off those at least `step` above.
fn sweep(field: &[(Exact, Exact)], earned: &mut [(Exact, Exact)], step: &Exact) {
    let mut reached = field.iter().peekable();
    let mut mass = Exact::ZERO;
    for (score, points) in earned.iter_mut() {
        let limit = &*score - step;
        while let Some((_, count)) = reached.next_if(|(other, _)| *other <= limit) {
            mass += count;
        }
        *points += &mass;
    }
    let mut reached = field.iter().rev().peekable();
    let mut mass = Exact::ZERO;
    for (score, points) in earned.iter_mut().rev() {
        let limit = &*score + step;
        while let Some((_, count)) = reached.next_if(|(other, _)| *other >= limit) {
            mass += count;
        }
        *points -= &mass;
    }
}

/// The Butler datum of a group (F8): the mean of the raw scores that are left after trimming, rounded. A weighted
/// ruling enters with the expectation of its raw scores; its own IMPs are the expectation over its outcomes.
pub(crate) fn datum(entries: &[Entry], rules: &Rules) -> Option<Exact> {
    let mut scores: Vec<Exact> = entries
        .iter()
        .filter(|entry| entry.is_compared())
        .filter_map(|entry| entry.raw().map(|raw| raw.exact()))
        .collect();
    scores.sort_unstable();
    let trim = usize::try_from(rules.butler.trim).ok()?;
    let from = usize::try_from(rules.butler.trim_from).ok()?;
    let kept = if scores.len() >= from && scores.len() > trim.saturating_mul(2) {
        scores.get(trim..scores.len() - trim)?
    } else {
        &scores
    };
    let mean = kept.iter().sum::<Exact>().per(u32::try_from(kept.len()).ok()?);
    let Some(unit) = &rules.butler.datum_rounding else { return Some(mean) };
    let units: Exact = mean.div(unit)?.fixed(0).parse().ok()?;
    Some(&units * unit)
}

/// F8, Butler: the IMPs of the difference to the datum.
fn butler(entries: &[Entry], rules: &Rules) -> Values {
    let Some(datum) = datum(entries, rules) else { return Values::None };
    each(entries, |entry| {
        let imps = |score: &Exact| Exact::from(rules.imp_table.imps(&(score - &datum)));
        let parts: Vec<Exact> = outcomes(entry).iter().map(|(weight, score)| weight * &imps(score)).collect();
        Some(parts.iter().sum())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(entries: &[Entry], rules: &Rules, expected: Option<u32>) -> Scored {
        let mut results = Results::EMPTY;
        for entry in entries {
            results.push(entry.clone());
        }
        // The storage for anything gives the same as the one for integers.
        let mixed = super::score(&Results::Mixed(entries.to_vec()), rules, expected);
        let scored = super::score(&results, rules, expected);
        for at in 0..entries.len() {
            assert_eq!(scored.value(at), mixed.value(at));
        }
        scored
    }

    fn group(scores: &[i64]) -> Vec<Entry> {
        scores.iter().map(|score| Entry::played(*score)).collect()
    }

    fn scored(scores: &[i64], method: Method) -> Scored {
        score(&group(scores), &Rules::of(method), None)
    }

    fn points(scores: &[i64]) -> Vec<i64> {
        let group = scored(scores, Method::ScoreRate);
        (0..scores.len()).map(|at| group.matchpoints(at).unwrap().to_i64().unwrap()).collect()
    }

    fn rates(scored: &Scored, len: usize) -> Vec<String> {
        (0..len).map(|at| scored.value(at).unwrap().percent()).collect()
    }

    fn values(scored: &Scored, len: usize) -> Vec<String> {
        (0..len).map(|at| scored.value(at).unwrap().fixed(2)).collect()
    }

    #[test]
    fn f1_worked_examples() {
        let four = scored(&[6, 6, -2, -6], Method::ScoreRate);
        assert_eq!(rates(&four, 4), ["83.33", "83.33", "33.33", "0.00"]);
        assert_eq!(points(&[12, 6, 6, -6, -12]), [8, 5, 5, 2, 0]);
        let five = scored(&[12, 6, 6, -6, -12], Method::ScoreRate);
        assert_eq!(rates(&five, 5), ["100.00", "62.50", "62.50", "25.00", "0.00"]);
        assert_eq!(rates(&scored(&[1, 1, 1], Method::ScoreRate), 3), ["50.00", "50.00", "50.00"]);
        assert_eq!(
            points(&[1430, 690, 680, 680, 680, 660, 660, 650, -100, -100, -200]),
            [20, 18, 14, 14, 14, 9, 9, 6, 3, 3, 0]
        );
        assert_eq!(points(&[650, 620, 170, 170, 170, 170, 170, 140]), [14, 12, 6, 6, 6, 6, 6, 0]);
    }

    #[test]
    fn f3_neuberg_worked_examples() {
        let rules = Rules { equalise: Equalise::Neuberg, ..Rules::default() };
        let ten = score(&group(&[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]), &rules, Some(11));
        let shown: Vec<String> = (0..10).map(|at| ten.matchpoints(at).unwrap().decimal().unwrap()).collect();
        assert_eq!(shown, ["19.9", "17.7", "15.5", "13.3", "11.1", "8.9", "6.7", "4.5", "2.3", "0.1"]);
        assert_eq!(ten.top(), 20);
        assert_eq!(ten.value(0).unwrap(), "199/200".parse().unwrap());
        let six = score(&group(&[6, 5, 4, 3, 2, 1]), &rules, Some(7));
        assert_eq!(six.matchpoints(0).unwrap().to_string(), "71/6");
        assert_eq!(six.matchpoints(0).unwrap().fixed(4), "11.8333");
    }

    #[test]
    fn f3_linear_scales_matchpoints_against_the_expected_top() {
        let rules = Rules { equalise: Equalise::Linear, ..Rules::default() };
        let three = score(&group(&[3, 2, 1]), &rules, Some(5));
        let shown: Vec<String> = (0..3).map(|at| three.matchpoints(at).unwrap().to_string()).collect();
        assert_eq!(shown, ["20/3", "10/3", "0"]);
        assert_eq!((three.top(), three.value(0).unwrap().to_string()), (8, "5/6".to_owned()));
    }

    #[test]
    fn f5_weighted_worked_example() {
        let mut entries = group(&[420, 420, 170, -50]);
        entries.push(Entry::weighted(
            "R1",
            [("0.7".parse().unwrap(), Score::from(420)), ("0.3".parse().unwrap(), Score::from(-50))],
        ));
        let scored = score(&entries, &Rules::default(), None);
        let shown: Vec<String> =
            (0..5).map(|at| scored.matchpoints(at).unwrap().decimal().unwrap()).collect();
        assert_eq!(shown, ["6.3", "6.3", "2.6", "0.3", "4.5"]);
    }

    #[test]
    fn f7_linear_rate_and_all_equal() {
        assert_eq!(
            rates(&scored(&[10, 5, 0, -10], Method::LinearRate), 4),
            ["100.00", "75.00", "50.00", "0.00"]
        );
        assert_eq!(rates(&scored(&[7, 7], Method::LinearRate), 2), ["50.00", "50.00"]);
    }

    #[test]
    fn f8_cross_imp_worked_example() {
        let scored = scored(&[620, 170, 140, 140, -100], Method::CrossImp);
        assert_eq!(values(&scored, 5), ["10.50", "-0.25", "-1.25", "-1.25", "-7.75"]);
    }

    #[test]
    fn f8_butler_trims_and_rounds_the_datum() {
        let rules = Rules::of(Method::Butler);
        // 620 and −100 are trimmed; (170 + 140 + 140)/3 = 150.
        assert_eq!(datum(&group(&[620, 170, 140, 140, -100]), &rules), Some(Exact::from(150)));
        // Three results: none trimmed; 5 rounds away from zero to 10, −5 to −10.
        assert_eq!(datum(&group(&[15, 0, 0]), &rules), Some(Exact::from(10)));
        assert_eq!(datum(&group(&[-15, 0, 0]), &rules), Some(Exact::from(-10)));
        let scored = scored(&[620, 170, 140, 140, -100], Method::Butler);
        assert_eq!(values(&scored, 5), ["10.00", "1.00", "0.00", "0.00", "-6.00"]);
        let mut exact = rules;
        exact.butler.datum_rounding = None;
        assert_eq!(datum(&group(&[1, 0]), &exact), Some(Exact::HALF));
    }

    #[test]
    fn f9_place_points_share_the_mean() {
        let eight = scored(&[9, 8, 8, 8, 4, 3, 2, 1], Method::PlacePoints);
        assert_eq!(values(&eight, 8), ["8.00", "6.00", "6.00", "6.00", "4.00", "3.00", "2.00", "1.00"]);
    }

    #[test]
    fn f1_a_lone_result_is_undefined_or_half_and_never_zero() {
        assert_eq!(scored(&[5], Method::ScoreRate).value(0), None);
        for (method, value) in
            [(Method::ScoreRate, "0.50"), (Method::LinearRate, "0.50"), (Method::CrossImp, "0.00")]
        {
            let rules = Rules { lone: Lone::Half, ..Rules::of(method) };
            assert_eq!(values(&score(&group(&[5]), &rules, Some(9)), 1), [value]);
        }
    }

    #[test]
    fn counting_and_sorting_agree_at_the_extremes() {
        let keys = [i64::MIN, i64::MAX, 0, 0, i64::MIN];
        assert_eq!(matchpoints(&keys), [1, 8, 5, 5, 1]);
        let small = [3, -2, 3, 900, 0];
        assert_eq!(by_counting(&small, -2, 903), by_sorting(&small));
    }
}
