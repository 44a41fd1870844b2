//! Scores the groups that changed and keeps the entrants' totals, a whole event at once or one group after another.
//!
//! Large amounts of work are shared among threads, each with sums of its own that are put together at the end. Sums
//! are exact, so the outcome is the same however the work was shared; nothing here rounds or decides anything.

use std::num::NonZero;
use std::thread;

use super::entry::Entry;
use super::event::{Board, Event, Group, Tally};
use super::exact::{Exact, Score};
use super::group::{self, Scored, Values, slot};
use super::results::{Results, even};
use super::rules::Rules;

/// From how many results on a second thread is worth its start.
const SHARED_FROM: usize = 100_000;
/// Sums over common denominators that are kept at the same time.
const SUMS_MAX: usize = 4;

/// What takes in the values of a group.
trait Totals {
    /// Values `num / den` with their raw scores; `full` is the numerator of a board at 100 %, where there is one.
    fn shared(&mut self, values: impl Iterator<Item = (u32, i64, i64)>, den: i64, full: Option<i64>) {
        for (entrant, num, raw) in values {
            self.any(entrant, Exact::over(num, den), Some(raw), full == Some(num));
        }
    }
    /// Any value, with its raw score where that is an integer.
    fn any(&mut self, entrant: u32, value: Exact, raw: Option<i64>, full: bool);
}

/// The totals of the event themselves; a value is added or taken out.
struct Direct<'a> {
    tallies: &'a mut [Tally],
    adding: bool,
}

impl Totals for Direct<'_> {
    #[inline]
    fn any(&mut self, entrant: u32, value: Exact, raw: Option<i64>, full: bool) {
        if let Some(tally) = self.tallies.get_mut(entrant as usize) {
            tally.apply(&value, raw, full, self.adding);
        }
    }
}

/// The sums of one entrant's numerators and raw scores.
#[derive(Clone, Copy, Default)]
struct Part {
    num: i64,
    raw: i64,
    count: u32,
    full: u32,
}

/// Everybody's sums over one denominator.
struct Sums {
    den: i64,
    parts: Vec<Part>,
}

/// Sums of a share of the groups.
struct Share {
    entrants: usize,
    sums: Vec<Sums>,
    /// Values that no sum takes: entrant, value, raw score, full.
    single: Vec<(u32, Exact, Option<i64>, bool)>,
    scored: Vec<(usize, Scored)>,
}

impl Totals for Share {
    fn shared(&mut self, values: impl Iterator<Item = (u32, i64, i64)>, den: i64, whole: Option<i64>) {
        let Some(at) = self.sums_over(den) else {
            for (entrant, num, raw) in values {
                self.any(entrant, Exact::over(num, den), Some(raw), whole == Some(num));
            }
            return;
        };
        let Some(Sums { parts, .. }) = self.sums.get_mut(at) else { return };
        for (entrant, num, raw) in values {
            let Some(part) = parts.get_mut(entrant as usize) else { continue };
            let full = whole == Some(num);
            if let (Some(num), Some(raw)) = (part.num.checked_add(num), part.raw.checked_add(raw)) {
                part.num = num;
                part.raw = raw;
                part.count += 1;
                part.full += u32::from(full);
            } else {
                self.single.push((entrant, Exact::over(num, den), Some(raw), full));
            }
        }
    }

    fn any(&mut self, entrant: u32, value: Exact, raw: Option<i64>, full: bool) {
        self.single.push((entrant, value, raw, full));
    }
}

impl Share {
    /// Finds or makes the sums over a denominator.
    fn sums_over(&mut self, den: i64) -> Option<usize> {
        let known = self.sums.iter().position(|sums| sums.den == den);
        if known.is_none() && self.sums.len() < SUMS_MAX {
            self.sums.push(Sums { den, parts: vec![Part::default(); self.entrants] });
            return Some(self.sums.len() - 1);
        }
        known
    }

    fn of(event: &Event, groups: &[usize]) -> Share {
        let mut share = Share {
            entrants: event.entrants.len(),
            sums: Vec::new(),
            single: Vec::new(),
            scored: Vec::new(),
        };
        for index in groups {
            let Some(group) = event.groups.get(*index) else { continue };
            let scored = score(event, group);
            tally(&mut share, event.rules(), group, &scored);
            share.scored.push((*index, scored));
        }
        share
    }

    fn put_into(self, event: &mut Event) {
        for Sums { den, parts } in self.sums {
            for (tally, part) in event.tallies.iter_mut().zip(parts) {
                if part.count > 0 {
                    tally.sum += &Exact::over(part.num, den);
                    tally.raw += i128::from(part.raw);
                    tally.count += part.count;
                    tally.full += part.full;
                }
            }
        }
        for (entrant, value, raw, full) in self.single {
            if let Some(tally) = event.tallies.get_mut(entrant as usize) {
                tally.apply(&value, raw, full, true);
            }
        }
        for (index, scored) in self.scored {
            if let Some(group) = event.groups.get_mut(index) {
                group.scored = Some(scored);
            }
        }
    }
}

/// Takes a group's values out of the totals.
pub(super) fn take_out(tallies: &mut [Tally], rules: &Rules, group: &Group, scored: &Scored) {
    tally(&mut Direct { tallies, adding: false }, rules, group, scored);
}

/// Scores every group that is not scored and puts its values into the totals.
pub(super) fn score_open(event: &mut Event) {
    let open = |group: &Group| group.scored.is_none();
    let groups: Vec<usize> =
        event.groups.iter().enumerate().filter(|(_, group)| open(group)).map(|(index, _)| index).collect();
    let sizes = groups.iter().filter_map(|index| event.groups.get(*index)).map(|group| group.results.len());
    let results: usize = sizes.sum();
    if results < 2 * event.entrants.len() {
        for index in groups {
            let Some(group) = event.groups.get(index) else { continue };
            let scored = score(event, group);
            tally(&mut Direct { tallies: &mut event.tallies, adding: true }, &event.rules, group, &scored);
            if let Some(group) = event.groups.get_mut(index) {
                group.scored = Some(scored);
            }
        }
        return;
    }
    let shares = in_shares(results, &groups, |groups| Share::of(event, groups));
    for share in shares {
        share.put_into(event);
    }
}

/// Does a piece of work in shares, one for each processor when there is much to do; the outcomes in order.
pub(super) fn in_shares<T: Sync, R: Send>(
    results: usize,
    items: &[T],
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let threads = if results < SHARED_FROM {
        1
    } else {
        thread::available_parallelism().map_or(1, NonZero::get).min(items.len()).min(16)
    };
    if threads < 2 {
        return vec![work(items)];
    }
    let mut shares = items.chunks(items.len().div_ceil(threads));
    let first = shares.next().unwrap_or(&[]);
    thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = shares.map(|share| scope.spawn(move || work(share))).collect();
        let mut outcomes = vec![work(first)];
        for other in others {
            match other.join() {
                Ok(outcome) => outcomes.push(outcome),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        outcomes
    })
}

fn score(event: &Event, group: &Group) -> Scored {
    if event.boards.get(group.board as usize).is_some_and(Board::is_void) {
        Scored::void()
    } else {
        group::score(&group.results, event.rules(), group.expected.or(Some(event.largest)))
    }
}

/// Gives the values of a group to the totals of its entrants.
fn tally(totals: &mut impl Totals, rules: &Rules, group: &Group, settled: &Scored) {
    let full = settled.full(rules);
    let whole = |den: i64| full.and_then(|full| full.checked_mul(den));
    let members = group.entrants.iter();
    match (&group.results, &settled.values) {
        (_, Values::None) => {}
        (Results::Plain(scores), Values::Shared { num, den, .. }) => {
            let values = members.zip(num).zip(scores).map(|((entrant, num), score)| (*entrant, *num, *score));
            totals.shared(values, *den, whole(*den));
        }
        (Results::Plain(scores), Values::ByScore { low, num, den, .. }) => {
            let of = |score: i64| num.get(slot(score, *low)).copied().unwrap_or(0);
            let values = members.zip(scores).map(|(entrant, score)| (*entrant, of(*score), *score));
            totals.shared(values, *den, whole(*den));
        }
        (Results::Mixed(entries), Values::Shared { num, den, .. }) => {
            let rows = || members.clone().zip(entries).zip(num);
            let plain = rows().filter_map(|((entrant, entry), num)| Some((*entrant, *num, even(entry)?)));
            totals.shared(plain, *den, whole(*den));
            for ((entrant, entry), num) in rows() {
                if entry.is_compared() && even(entry).is_none() {
                    penalised(totals, *entrant, entry, Exact::over(*num, *den), rules, settled);
                }
            }
        }
        (results, _) => {
            for (position, (entrant, entry)) in members.zip(results.iter()).enumerate() {
                if let (Some(value), true) = (settled.value(results, position), entry.is_compared()) {
                    penalised(totals, *entrant, &entry, value, rules, settled);
                }
            }
        }
    }
}

/// F6: a value less its penalties; only what is left may be a full board.
fn penalised(
    totals: &mut impl Totals,
    entrant: u32,
    entry: &Entry,
    mut value: Exact,
    rules: &Rules,
    scored: &Scored,
) {
    if let Some(taken) = scored.penalty(entry, rules) {
        value -= &taken;
    }
    let full = scored.full(rules).is_some_and(|full| value == Exact::from(full));
    totals.any(
        entrant,
        value,
        entry.score.as_ref().filter(|_| entry.outcomes().is_empty()).and_then(Score::int),
        full,
    );
}
