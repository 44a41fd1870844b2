//! One comparison group, all results of one (board, seat), turned into values.
//!
//! A value depends on nothing but its own group and the rules: no entrant's other boards, no clock, no order of
//! entry. Artificial scores and the session rule are not settled here, because they need the entrant's average.

use std::collections::BTreeMap;

use super::entry::{Amount, Entry};
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
    /// All results of the group, whether they are compared or not.
    pub rows: u32,
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
    /// The same, but `num` holds one for each raw score from `low` up; only for plain results.
    ByScore { low: i64, num: Vec<i64>, mp_den: i64, den: i64 },
    /// Value and matchpoints one by one, where the shared form does not fit.
    Each(Vec<(Exact, Exact)>),
}

impl Scored {
    /// A group of a void board.
    pub(crate) const fn void() -> Scored {
        Scored { state: State::Void, actual: 0, expected: 0, rows: 0, values: Values::None }
    }

    /// The value of a compared entry before penalties.
    pub(crate) fn value(&self, results: &Results, position: usize) -> Option<Exact> {
        match &self.values {
            Values::Each(each) => each.get(position).map(|(value, _)| value.clone()),
            _ => self.shared(results, position).map(|(num, _, den)| Exact::over(num, den)),
        }
    }

    /// The matchpoints of a compared entry, equalised, before penalties; only meaningful under the score rate.
    pub(crate) fn matchpoints(&self, results: &Results, position: usize) -> Option<Exact> {
        match &self.values {
            Values::Each(each) => each.get(position).map(|(_, matchpoints)| matchpoints.clone()),
            _ => self.shared(results, position).map(|(num, mp_den, _)| Exact::over(num, mp_den)),
        }
    }

    /// The numerator of a value over the common denominator of the group, where there is one.
    pub(crate) fn numerator(&self, results: &Results, position: usize) -> Option<i64> {
        self.shared(results, position).map(|(num, _, _)| num)
    }

    /// Numerator, denominator of the matchpoints, denominator of the value.
    fn shared(&self, results: &Results, position: usize) -> Option<(i64, i64, i64)> {
        match &self.values {
            Values::None | Values::Each(_) => None,
            Values::Shared { num, mp_den, den } => Some((*num.get(position)?, *mp_den, *den)),
            Values::ByScore { low, num, mp_den, den } => {
                Some((*num.get(slot(results.plain_score(position)?, *low))?, *mp_den, *den))
            }
        }
    }

    /// The greatest possible number of matchpoints, `2(E − 1)`.
    pub(crate) fn top(&self) -> i64 {
        2 * (i64::from(self.expected) - 1).max(0)
    }

    /// The matchpoints by which a penalty in points is divided: the top, or where nothing is compared the top that there
    /// would be if all results of the group were, at least that of two.
    fn penalty_top(&self) -> i64 {
        match self.top() {
            0 => 2 * (i64::from(self.rows) - 1).max(1),
            top => top,
        }
    }

    /// F6: what penalties take from a value: a fraction of the board's top, which is 1 where values are rates, or points
    /// of the method, one penalty never more than the whole top.
    pub(crate) fn penalty(&self, entry: &Entry, rules: &Rules) -> Option<Exact> {
        if entry.penalties().is_empty() {
            return None;
        }
        let top = match rules.method {
            method if method.is_places() => Some(Exact::from(self.actual.max(1))),
            method if method.is_rate() => Some(Exact::ONE),
            _ => None,
        };
        let each = entry.penalties().iter().map(|penalty| match (&penalty.amount, &top) {
            (Amount::OfTop(share), top) => share * top.as_ref().unwrap_or(&Exact::ONE),
            (Amount::Points(points), Some(top)) => {
                let points = match rules.method {
                    Method::ScoreRate => points.div(&Exact::from(self.penalty_top())),
                    _ => None,
                }
                .unwrap_or_else(|| points.clone());
                points.min(top.clone())
            }
            (Amount::Points(points), None) => points.clone(),
        });
        Some(each.collect::<Vec<Exact>>().iter().sum())
    }

    /// The value of a board at 100 %: the whole top. `None` where the method has no top or nothing is compared.
    pub(crate) fn full(&self, rules: &Rules) -> Option<i64> {
        match rules.method {
            method if method.is_rate() => Some(1),
            method if method.is_places() && self.actual > 1 => Some(i64::from(self.actual)),
            _ => None,
        }
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
    let rows = u32::try_from(results.len()).unwrap_or(u32::MAX);
    let of = |state, values| Scored { state, actual, expected, rows, values };
    if actual == 0 {
        return of(State::Empty, Values::None);
    }
    if actual == 1 && !(rules.method.is_places() || rules.method == Method::Total) {
        return match rules.lone {
            Lone::Undefined => of(State::Lone, Values::None),
            Lone::Half => of(State::Lone, lone_half(results.len(), rules.method)),
        };
    }
    let values = match (results, rules.method) {
        (Results::Plain(scores), Method::ScoreRate) => rated(plain_points(scores), rules, actual, expected),
        (Results::Plain(scores), Method::PlacePoints | Method::MatchPoker) => {
            place_points(plain_points(scores))
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
        Method::PlacePoints | Method::MatchPoker if weighted => {
            place_points(field_matchpoints(entries, rules, actual, actual))
        }
        Method::PlacePoints | Method::MatchPoker => place_points(score_rates(entries, rules, actual, actual)),
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

/// Matchpoints as they are, over a denominator of 1.
fn whole(num: Vec<i64>) -> Values {
    Values::Shared { num, mp_den: 1, den: 1 }
}

/// F1 for plain results: by score where the scores are few, as usual in a game of doubling stakes.
fn plain_points(scores: &[i64]) -> Values {
    match extent_of(scores) {
        Some((low, span)) if span <= scores.len().saturating_add(256) => {
            Values::ByScore { low, num: points_by_score(scores, low, span), mp_den: 1, den: 1 }
        }
        _ => whole(matchpoints(scores)),
    }
}

/// The lowest key and the number of values from there to the highest; `None` when there is no such number.
fn extent_of(keys: &[i64]) -> Option<(i64, usize)> {
    let (low, high) =
        keys.iter().fold((i64::MAX, i64::MIN), |(low, high), key| (low.min(*key), high.max(*key)));
    let span = high.checked_sub(low)?.checked_add(1)?;
    Some((low, usize::try_from(span).ok().filter(|span| *span > 0)?))
}

/// `MP_i = 2·#beaten + #tied` of each key (F1).
pub(crate) fn matchpoints(keys: &[i64]) -> Vec<i64> {
    match extent_of(keys) {
        // Not many distinct values: count instead of sorting.
        Some((low, span)) if span / 4 <= keys.len() + 256 => {
            let points = points_by_score(keys, low, span);
            keys.iter().map(|key| points.get(slot(*key, low)).copied().unwrap_or(0)).collect()
        }
        Some((low, span)) if keys.len() >= 512 && keys.len() < 1 << POSITION_BITS && span < 1 << KEY_BITS => {
            by_radix(keys, low, span)
        }
        _ => by_sorting(keys),
    }
}

/// Where a score stands in a table that begins with `low`.
#[inline]
pub(super) fn slot(key: i64, low: i64) -> usize {
    usize::try_from(key.wrapping_sub(low)).unwrap_or(usize::MAX)
}

/// The matchpoints of each score from `low` up; those of scores that nobody has mean nothing.
fn points_by_score(keys: &[i64], low: i64, span: usize) -> Vec<i64> {
    let mut counts = vec![0i64; span];
    for key in keys {
        if let Some(count) = counts.get_mut(slot(*key, low)) {
            *count += 1;
        }
    }
    let mut beaten = 0;
    for count in &mut counts {
        let tied = *count;
        *count = 2 * beaten + tied - 1;
        beaten += tied;
    }
    counts
}

/// Bits of a position, and of a key above the lowest, that share one word while they are sorted.
const POSITION_BITS: u32 = 24;
const KEY_BITS: u32 = 40;
/// Bits that one pass of the sort looks at.
const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;

/// By sorting words of key and position, digit by digit from the lowest.
fn by_radix(keys: &[i64], low: i64, span: usize) -> Vec<i64> {
    let mut words: Vec<u64> =
        (0u64..).zip(keys).map(|(position, key)| (key.abs_diff(low) << POSITION_BITS) | position).collect();
    let mut next = vec![0u64; words.len()];
    let bits = usize::BITS - span.leading_zeros();
    for pass in 0..bits.div_ceil(DIGIT_BITS) {
        let shift = POSITION_BITS + pass * DIGIT_BITS;
        // The mask leaves a digit, which is below `DIGITS`.
        let digit = |word: u64| usize::try_from((word >> shift) & (DIGITS as u64 - 1)).unwrap_or(0);
        let mut starts = [0usize; DIGITS];
        for word in &words {
            if let Some(count) = starts.get_mut(digit(*word)) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        for word in &words {
            if let Some(start) = starts.get_mut(digit(*word)) {
                if let Some(place) = next.get_mut(*start) {
                    *place = *word;
                }
                *start += 1;
            }
        }
        std::mem::swap(&mut words, &mut next);
    }
    let mut points = vec![0; keys.len()];
    let mut beaten = 0;
    for tie in words.chunk_by(|one, other| one >> POSITION_BITS == other >> POSITION_BITS) {
        let tied = index(tie.len());
        for word in tie {
            let position = usize::try_from(word & ((1 << POSITION_BITS) - 1)).unwrap_or(usize::MAX);
            if let Some(slot) = points.get_mut(position) {
                *slot = 2 * beaten + tied - 1;
            }
        }
        beaten += tied;
    }
    points
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
    let mut values = rated(whole(matchpoints(&keys(entries))), rules, actual, expected);
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
fn rated(mut values: Values, rules: &Rules, actual: u32, expected: u32) -> Values {
    let (a, e) = (i64::from(actual), i64::from(expected));
    let (Values::Shared { num, mp_den, den } | Values::ByScore { num, mp_den, den, .. }) = &mut values else {
        return values;
    };
    *mp_den = match rules.equalising() {
        Equalise::None => 1,
        _ if a == e => 1,
        Equalise::Neuberg => {
            for mp in num {
                *mp = *mp * e + e - a;
            }
            a
        }
        Equalise::Linear => {
            for mp in num {
                *mp *= e;
            }
            a
        }
    };
    *den = mp_den.saturating_mul(2 * (e - 1)).max(1);
    values
}

/// F9: with `MP = 2·#beaten + #tied`, the mean of the places occupied is worth `1 + MP/2`.
fn place_points(values: Values) -> Values {
    match values {
        Values::Shared { num, .. } => {
            Values::Shared { num: num.into_iter().map(|mp| mp + 2).collect(), mp_den: 1, den: 2 }
        }
        Values::ByScore { low, num, .. } => {
            let num = num.into_iter().map(|mp| mp + 2).collect();
            Values::ByScore { low, num, mp_den: 1, den: 2 }
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

    /// A group with its results.
    struct Group(Scored, Results);

    impl Group {
        fn value(&self, at: usize) -> Option<Exact> {
            self.0.value(&self.1, at)
        }

        fn matchpoints(&self, at: usize) -> Option<Exact> {
            self.0.matchpoints(&self.1, at)
        }
    }

    fn score(entries: &[Entry], rules: &Rules, expected: Option<u32>) -> Group {
        let mut results = Results::EMPTY;
        for entry in entries {
            results.push(entry.clone());
        }
        // The storage for anything gives the same as the one for integers.
        let anything = Results::Mixed(entries.to_vec());
        let mixed = Group(super::score(&anything, rules, expected), anything);
        let scored = Group(super::score(&results, rules, expected), results);
        for at in 0..entries.len() {
            assert_eq!(scored.value(at), mixed.value(at));
        }
        scored
    }

    fn group(scores: &[i64]) -> Vec<Entry> {
        scores.iter().map(|score| Entry::played(*score)).collect()
    }

    fn scored(scores: &[i64], method: Method) -> Group {
        score(&group(scores), &Rules::of(method), None)
    }

    fn points(scores: &[i64]) -> Vec<i64> {
        let group = scored(scores, Method::ScoreRate);
        (0..scores.len()).map(|at| group.matchpoints(at).unwrap().to_i64().unwrap()).collect()
    }

    fn rates(scored: &Group, len: usize) -> Vec<String> {
        (0..len).map(|at| scored.value(at).unwrap().percent()).collect()
    }

    fn values(scored: &Group, len: usize) -> Vec<String> {
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
        assert_eq!(ten.0.top(), 20);
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
        assert_eq!((three.0.top(), three.value(0).unwrap().to_string()), (8, "5/6".to_owned()));
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
        assert_eq!(matchpoints(&small), by_sorting(&small));
    }

    #[test]
    fn sorting_by_digits_agrees_with_sorting() {
        for (spread, low) in [(4000i64, 0), (4_000_000, -2_000_000), (1 << 39, i64::MIN)] {
            let mut state = 1i64;
            let keys: Vec<i64> = (0..3000)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    low + (state >> 20).rem_euclid(spread) / 3
                })
                .collect();
            let (low, span) = extent_of(&keys).unwrap();
            assert_eq!(by_radix(&keys, low, span), by_sorting(&keys));
            assert_eq!(matchpoints(&keys), by_sorting(&keys));
        }
    }
}
