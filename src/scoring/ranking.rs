//! Places from exact averages: the ordered tie-break list, shared places, entrants without a place.
//!
//! Ranks are computed on exact fractions only. Order among equals, and among the unranked, is the code-point order of
//! the entrants' identifiers; it never depends on the order in which results came in.

use std::cmp::Reverse;

use super::entry::Standing;
use super::event::{Basis, Entrant, Event};
use super::exact::Exact;
use super::explain::{DECIMALS, show_to};
use super::rules::{Method, RankStyle, Step, names};

names! {
    /// Why an entrant has no place.
    Unranked, "reason for having no place" {
        /// No board counts.
        NoBoard = "no-board",
        /// Fewer counting boards than the rules demand.
        UnderMinimum = "under-minimum",
        /// Withdrew from the event.
        Withdrawn = "withdrawn",
        /// Disqualified from the event.
        Disqualified = "disqualified",
        /// A stand-in is not ranked.
        StandIn = "stand-in",
    }
}

/// A place in the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first place that is shared, from 1.
    pub first: u32,
    /// The last place that is shared; the same as `first` when the place is not shared.
    pub last: u32,
    /// The place when shared places count as one (1223).
    pub dense: u32,
}

impl Place {
    /// The place as a rank style writes it.
    #[must_use]
    pub fn shown(&self, style: RankStyle) -> String {
        match style {
            RankStyle::Competition => self.first.to_string(),
            RankStyle::Dense => self.dense.to_string(),
            RankStyle::Range if self.first == self.last => self.first.to_string(),
            RankStyle::Range => format!("{}-{}", self.first, self.last),
        }
    }

    /// The number of the place in a style: how far an entrant has moved is the difference of two.
    #[must_use]
    pub const fn number(&self, style: RankStyle) -> u32 {
        match style {
            RankStyle::Competition | RankStyle::Range => self.first,
            RankStyle::Dense => self.dense,
        }
    }
}

/// One entrant in the ranking.
#[derive(Clone, Debug)]
pub struct RankRow {
    /// The entrant.
    pub entrant: String,
    /// Its number in the event, for the views.
    pub(crate) ix: u32,
    /// The place, or why there is none.
    pub place: Result<Place, Unranked>,
    /// The exact average (the sum under [`Method::Total`]); `None` when no board counts.
    pub average: Option<Exact>,
    /// Results that count, artificial scores included.
    pub boards: u32,
    /// The step that decided the place; `None` without a place.
    pub decided_by: Option<Step>,
}

impl PartialEq for RankRow {
    /// Everything but the entrant's number in its event, which depends on the order of registration.
    fn eq(&self, other: &RankRow) -> bool {
        self.entrant == other.entrant
            && self.place == other.place
            && self.average == other.average
            && self.boards == other.boards
            && self.decided_by == other.decided_by
    }
}

impl Eq for RankRow {}

/// Every entrant of an event, best first, those without a place last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The rows in order.
    pub rows: Vec<RankRow>,
    /// How places are written.
    pub style: RankStyle,
}

impl Ranking {
    /// An entrant's row.
    #[must_use]
    pub fn of(&self, entrant: &str) -> Option<&RankRow> {
        self.rows.iter().find(|row| row.entrant == entrant)
    }

    /// The average of each row as it is shown, in their order: with two decimals, or with as many as tell it from every
    /// other average.
    #[must_use]
    pub fn shown(&self, method: Method) -> Vec<Option<String>> {
        let mut order: Vec<(&Exact, usize)> =
            (0..).zip(&self.rows).filter_map(|(place, row)| Some((row.average.as_ref()?, place))).collect();
        order.sort_by(|a, b| a.0.cmp(b.0));
        let mut shown = vec![None; self.rows.len()];
        let mut before: Option<&Exact> = None;
        let mut from_before = DECIMALS;
        let mut equals = order.chunk_by(|a, b| a.0 == b.0).peekable();
        while let Some(equal) = equals.next() {
            let Some((value, _)) = equal.first().copied() else { continue };
            let after = equals.peek().and_then(|next| next.first()).map(|(value, _)| *value);
            let to_after = after.map_or(DECIMALS, |after| decimals_between(method, value, after));
            let decimals = if before.is_some() { from_before.max(to_after) } else { to_after };
            let text = show_to(method, value, decimals);
            for (_, place) in equal {
                if let Some(slot) = shown.get_mut(*place) {
                    *slot = Some(text.clone());
                }
            }
            (before, from_before) = (Some(value), to_after);
        }
        shown
    }
}

/// Decimals at which the search for a difference ends; averages that differ later than this are printed alike.
const DECIMALS_MAX: u32 = 1000;

/// The fewest decimals, two or more, with which two different values are written differently.
fn decimals_between(method: Method, one: &Exact, other: &Exact) -> u32 {
    let differ = |decimals: &u32| show_to(method, one, *decimals) != show_to(method, other, *decimals);
    (DECIMALS..=DECIMALS_MAX).find(differ).unwrap_or(DECIMALS_MAX)
}

/// The total of one entrant over the boards that count.
struct Total {
    ix: u32,
    average: Exact,
    boards: u32,
}

fn total(event: &Event, ix: u32, entrant: &Entrant) -> Option<Total> {
    let tally = event.tallies.get(ix as usize)?;
    let (mut sum, mut boards) = (tally.sum.clone(), tally.count);
    if entrant.awards > 0 {
        for at in event.at(ix) {
            let cell = event.cell(at);
            if let (Some(value), Basis::Award | Basis::OwnAverage) = (cell.value, cell.basis) {
                sum += &value;
                boards += 1;
            }
        }
    }
    if boards == 0 {
        return None;
    }
    let average = if event.rules().method == Method::Total { sum } else { sum.per(boards) };
    Some(Total { ix, average, boards })
}

/// Ranks an event whose groups are all scored.
pub(crate) fn rank(event: &Event) -> Ranking {
    let rules = event.rules();
    let mut ranked = Vec::with_capacity(event.entrants.len());
    let mut unranked = Vec::new();
    let mut boards = Vec::with_capacity(event.entrants.len());
    for (ix, entrant) in (0u32..).zip(&event.entrants) {
        let total = total(event, ix, entrant);
        let counting = total.as_ref().map_or(0, |total| total.boards);
        boards.push(counting);
        let reason = match entrant.standing {
            Standing::Withdrawn => Some(Unranked::Withdrawn),
            Standing::Disqualified => Some(Unranked::Disqualified),
            Standing::StandIn => Some(Unranked::StandIn),
            Standing::Ranked if counting == 0 => Some(Unranked::NoBoard),
            Standing::Ranked if counting < rules.min_boards => Some(Unranked::UnderMinimum),
            Standing::Ranked => None,
        };
        match (total, reason) {
            (Some(total), None) => ranked.push(total),
            (total, reason) => unranked.push(RankRow {
                entrant: entrant.id.clone(),
                ix,
                place: Err(reason.unwrap_or(Unranked::NoBoard)),
                average: total.map(|total| total.average),
                boards: counting,
                decided_by: None,
            }),
        }
    }
    let name = |ix: u32| event.entrants.get(ix as usize).map_or("", |entrant| entrant.id.as_str());
    let ranked = best_first(&ranked);
    // Copied in the order in which they stand in memory, handed out in the order of the places.
    let mut names: Vec<String> = event.entrants.iter().map(|entrant| entrant.id.clone()).collect();
    let mut rows = Vec::with_capacity(event.entrants.len());
    let mut dense = 0;
    let mut ties = Ties::new(event);
    for equal in ranked.chunk_by(|a, b| a.average == b.average) {
        let places = match equal {
            [one] => vec![(vec![one.ix], Step::Average)],
            _ => ties.split(equal.iter().map(|total| total.ix).collect()),
        };
        for (mut tied, decided_by) in places {
            tied.sort_unstable_by(|a, b| name(*a).cmp(name(*b)));
            let first = count(rows.len()) + 1;
            let last = count(rows.len() + tied.len());
            dense += 1;
            for ix in tied {
                rows.push(RankRow {
                    entrant: names.get_mut(ix as usize).map(std::mem::take).unwrap_or_default(),
                    ix,
                    place: Ok(Place { first, last, dense }),
                    average: equal.first().map(|total| total.average.clone()),
                    boards: boards.get(ix as usize).copied().unwrap_or(0),
                    decided_by: Some(decided_by),
                });
            }
        }
    }
    unranked.sort_unstable_by(|a, b| a.entrant.cmp(&b.entrant));
    rows.append(&mut unranked);
    Ranking { rows, style: rules.style }
}

/// The totals by their averages; the order among equals is open.
///
/// A fraction is slow to compare. Integers in the same order decide nearly always: the numerators where all have one
/// denominator, as usual, or else the leading digits.
fn best_first(totals: &[Total]) -> Vec<&Total> {
    let parts = |total: &Total| total.average.raw_parts();
    let common = totals.first().and_then(parts).map(|(_, den)| den);
    let plain =
        totals.iter().map(|total| Some((parts(total).filter(|(_, den)| Some(*den) == common)?.0, total)));
    let keyed: Option<Vec<(i64, &Total)>> = plain
        .collect::<Option<_>>()
        .or_else(|| totals.iter().map(|total| Some((total.average.coarse()?, total))).collect());
    let exactly = |a: &Total, b: &Total| b.average.cmp(&a.average);
    let Some(mut keyed) = keyed else {
        let mut sorted: Vec<&Total> = totals.iter().collect();
        sorted.sort_unstable_by(|a, b| exactly(a, b));
        return sorted;
    };
    keyed.sort_unstable_by(|(a, one), (b, other)| b.cmp(a).then_with(|| exactly(one, other)));
    keyed.into_iter().map(|(_, total)| total).collect()
}

fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// Breaks ties by the ordered list of the rules.
struct Ties<'a> {
    event: &'a Event,
    /// The steps after the average.
    steps: Vec<Step>,
    /// Per board: how many of a tied set played it, and who counted last. Cleared after use.
    played: Vec<(u32, u32)>,
}

impl<'a> Ties<'a> {
    fn new(event: &'a Event) -> Ties<'a> {
        let rules = event.rules();
        let steps = rules.tie_break.iter().copied().filter(|step| match step {
            Step::Average | Step::Shared => false,
            Step::FullBoards => rules.method.has_top(),
            // A plain sum is for events without duplicate boards: there is no board that several entrants share.
            Step::CommonBoards => rules.method != Method::Total,
            Step::RawSum => true,
        });
        Ties { event, steps: steps.collect(), played: Vec::new() }
    }

    /// Splits entrants with equal averages into places, best first, each with the step that decided it: the last
    /// one that told the entrant from somebody it was tied with so far.
    ///
    /// Whoever a step leaves tied goes on to the next step. The one exception is the step whose values depend on who
    /// is tied: when it has split a set, its parts are compared by it again, each over its own common boards.
    fn split(&mut self, tied: Vec<u32>) -> Vec<(Vec<u32>, Step)> {
        let mut places = Vec::new();
        let mut work = vec![(tied, 0, Step::Average)];
        while let Some((set, at, decided)) = work.pop() {
            if set.len() == 1 {
                places.push((set, decided));
                continue;
            }
            let Some(step) = self.steps.get(at).copied() else {
                places.push((set, Step::Shared));
                continue;
            };
            let mut keyed = self.keys(step, &set);
            keyed.sort_by(|a, b| b.0.cmp(&a.0));
            let parts: Vec<Vec<u32>> = keyed
                .chunk_by(|a, b| a.0 == b.0)
                .map(|part| part.iter().map(|(_, ix)| *ix).collect())
                .collect();
            if parts.len() == 1 {
                work.push((set, at + 1, decided));
                continue;
            }
            let next = if step == Step::CommonBoards { at } else { at + 1 };
            // The work list is a stack: the best part must come off first.
            work.extend(parts.into_iter().rev().map(|part| (part, next, step)));
        }
        places
    }

    fn keys(&mut self, step: Step, set: &[u32]) -> Vec<(Exact, u32)> {
        let event = self.event;
        match step {
            Step::CommonBoards => self.common_boards(set),
            Step::RawSum => set.iter().map(|ix| (raw_sum(event, *ix), *ix)).collect(),
            Step::FullBoards => set
                .iter()
                .map(|ix| (Exact::from(event.tallies.get(*ix as usize).map_or(0, |tally| tally.full)), *ix))
                .collect(),
            Step::Average | Step::Shared => set.iter().map(|ix| (Exact::ZERO, *ix)).collect(),
        }
    }

    /// Whether all of the set have the same boards in the same seats and each of their results counts by their own
    /// play: then their mean on the boards they have in common is the average in which they are equal.
    fn all_common(&self, set: &[u32]) -> bool {
        let event = self.event;
        let Some(groups) = event.index().same_groups(set) else { return false };
        set.iter().all(|ix| {
            let tally = event.tallies.get(*ix as usize);
            tally.is_some_and(|tally| tally.count as usize == groups)
        })
    }

    /// The mean value of each entrant on the boards that all of the set played, in any seat.
    fn common_boards(&mut self, set: &[u32]) -> Vec<(Exact, u32)> {
        let event = self.event;
        if self.all_common(set) {
            return set.iter().map(|ix| (Exact::ZERO, *ix)).collect();
        }
        let everybody = count(set.len());
        self.played.resize(event.boards.len(), (0, u32::MAX));
        let mut touched = Vec::new();
        let mut values = Vec::with_capacity(set.len());
        for ix in set {
            let own: Vec<(usize, Exact)> = played(event, *ix).collect();
            for (board, _) in &own {
                if let Some((count, last)) = self.played.get_mut(*board)
                    && *last != *ix
                {
                    *count += 1;
                    *last = *ix;
                    touched.push(*board);
                }
            }
            values.push((*ix, own));
        }
        let common = |board: usize| self.played.get(board).is_some_and(|(count, _)| *count == everybody);
        let keyed = values
            .into_iter()
            .map(|(ix, own)| {
                let shared = own.iter().filter(|(board, _)| common(*board)).map(|(_, value)| value);
                let boards = count(shared.clone().count());
                (shared.sum::<Exact>().per(boards), ix)
            })
            .collect();
        for board in touched {
            if let Some(slot) = self.played.get_mut(board) {
                *slot = (0, u32::MAX);
            }
        }
        keyed
    }
}

/// The boards an entrant played with a value of their own; awards are not among them.
fn played(event: &Event, ix: u32) -> impl Iterator<Item = (usize, Exact)> + '_ {
    event.at(ix).into_iter().filter_map(move |at| {
        let board = event.groups.get(at.group as usize)?.board as usize;
        if let Some((_, value)) = event.plain_worth(at) {
            return value.map(|value| (board, value));
        }
        let cell = event.cell(at);
        let own = matches!(cell.basis, Basis::Compared | Basis::LoneHalf);
        cell.value.filter(|_| own).map(|value| (board, value))
    })
}

/// The sum of raw scores over the boards that count; an award has no raw score.
fn raw_sum(event: &Event, ix: u32) -> Exact {
    let Some(tally) = event.tallies.get(ix as usize) else { return Exact::ZERO };
    let mut sum = Exact::whole(tally.raw);
    if tally.fractions == 0 {
        return sum;
    }
    for at in event.at(ix) {
        if event.plain_worth(at).is_some() {
            continue;
        }
        let cell = event.cell(at);
        if cell.value.is_none() || !matches!(cell.basis, Basis::Compared | Basis::LoneHalf) {
            continue;
        }
        let Some(entry) = event.entry(at) else { continue };
        let integer =
            entry.outcomes().is_empty() && entry.score.as_ref().is_some_and(|score| score.int().is_some());
        if let Some(raw) = entry.raw().filter(|_| !integer) {
            sum += &raw.exact();
        }
    }
    sum
}

/// What differs for one entrant between two rankings of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The entrant.
    pub entrant: String,
    /// The row before; `None` when the entrant was not there.
    pub before: Option<RankRow>,
    /// The row after; `None` when the entrant is gone.
    pub after: Option<RankRow>,
}

/// Every entrant whose average, number of boards or place differs, in the order of the new ranking: what a referee
/// sees before confirming a ruling, and what a revision publishes.
#[must_use]
pub fn changes(before: &Ranking, after: &Ranking) -> Vec<Change> {
    let old: std::collections::HashMap<&str, &RankRow> =
        before.rows.iter().map(|row| (row.entrant.as_str(), row)).collect();
    let new: std::collections::HashSet<&str> = after.rows.iter().map(|row| row.entrant.as_str()).collect();
    let same =
        |a: &RankRow, b: &RankRow| a.place == b.place && a.average == b.average && a.boards == b.boards;
    let mut changes: Vec<Change> = after
        .rows
        .iter()
        .filter(|row| !old.get(row.entrant.as_str()).is_some_and(|before| same(before, row)))
        .map(|row| Change {
            entrant: row.entrant.clone(),
            before: old.get(row.entrant.as_str()).map(|row| (*row).clone()),
            after: Some(row.clone()),
        })
        .collect();
    let gone = before.rows.iter().filter(|row| !new.contains(row.entrant.as_str()));
    changes.extend(gone.map(|row| Change {
        entrant: row.entrant.clone(),
        before: Some(row.clone()),
        after: None,
    }));
    changes.sort_by_key(|change| Reverse(change.after.is_some()));
    changes
}
