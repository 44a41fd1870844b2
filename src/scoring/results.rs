//! The results of one comparison group, and where each entrant's results stand.
//!
//! Storage only, laid out for speed: the usual group holds nothing but integers. Nothing is scored here.

use std::borrow::Cow;

use super::entry::{Entry, Status};
use super::exact::Score;

/// The results of a group in order of their positions.
#[derive(Clone)]
pub(crate) enum Results {
    /// All played, all with an integer score and nothing else to them.
    Plain(Vec<i64>),
    /// Anything.
    Mixed(Vec<Entry>),
}

fn plain(entry: &Entry) -> Option<i64> {
    if entry.status == Status::Played && entry.more.is_none() { entry.score.as_ref()?.int() } else { None }
}

impl Results {
    pub(crate) const EMPTY: Results = Results::Plain(Vec::new());

    pub(crate) fn len(&self) -> usize {
        match self {
            Results::Plain(scores) => scores.len(),
            Results::Mixed(entries) => entries.len(),
        }
    }

    pub(crate) fn get(&self, position: usize) -> Option<Cow<'_, Entry>> {
        match self {
            Results::Plain(scores) => scores.get(position).map(|score| Cow::Owned(Entry::played(*score))),
            Results::Mixed(entries) => entries.get(position).map(Cow::Borrowed),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Cow<'_, Entry>> {
        (0..self.len()).filter_map(|position| self.get(position))
    }

    /// All of them as entries.
    pub(crate) fn entries(&self) -> Cow<'_, [Entry]> {
        match self {
            Results::Plain(scores) => Cow::Owned(scores.iter().map(|score| Entry::played(*score)).collect()),
            Results::Mixed(entries) => Cow::Borrowed(entries),
        }
    }

    /// Number of compared results, `A`.
    pub(crate) fn actual(&self) -> u32 {
        let actual = match self {
            Results::Plain(scores) => scores.len(),
            Results::Mixed(entries) => entries.iter().filter(|entry| entry.is_compared()).count(),
        };
        u32::try_from(actual).unwrap_or(u32::MAX)
    }

    pub(crate) fn push(&mut self, entry: Entry) {
        match (&mut *self, plain(&entry)) {
            (Results::Plain(scores), Some(score)) => scores.push(score),
            (Results::Mixed(entries), _) => entries.push(entry),
            (Results::Plain(_), None) => {
                let mut entries = self.entries().into_owned();
                entries.push(entry);
                *self = Results::Mixed(entries);
            }
        }
    }

    pub(crate) fn replace(&mut self, position: usize, entry: Entry) -> Option<Entry> {
        match (&mut *self, plain(&entry)) {
            (Results::Plain(scores), Some(score)) => {
                let old = std::mem::replace(scores.get_mut(position)?, score);
                Some(Entry::played(old))
            }
            (Results::Mixed(entries), _) => {
                entries.get_mut(position).map(|slot| std::mem::replace(slot, entry))
            }
            (Results::Plain(_), None) => {
                let mut entries = self.entries().into_owned();
                let old = std::mem::replace(entries.get_mut(position)?, entry);
                *self = Results::Mixed(entries);
                Some(old)
            }
        }
    }

    /// Takes one out; the last one moves to its position.
    pub(crate) fn swap_remove(&mut self, position: usize) -> Option<Entry> {
        if position >= self.len() {
            return None;
        }
        Some(match self {
            Results::Plain(scores) => Entry::played(scores.swap_remove(position)),
            Results::Mixed(entries) => entries.swap_remove(position),
        })
    }

    /// The raw score at a position when nothing but integers are there.
    pub(crate) fn plain_score(&self, position: usize) -> Option<Score> {
        match self {
            Results::Plain(scores) => scores.get(position).map(|score| Score::from(*score)),
            Results::Mixed(_) => None,
        }
    }
}

/// Where a result stands: its group, and its position in the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    pub group: u32,
    pub position: u32,
}

/// Every entrant's results, entrant after entrant, each in the order of the groups.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    starts: Vec<usize>,
    cells: Vec<At>,
}

impl Index {
    /// Made from the members of each group.
    pub(crate) fn new<'g>(entrants: usize, groups: impl Iterator<Item = &'g [u32]> + Clone) -> Index {
        let mut starts = vec![0usize; entrants + 1];
        for members in groups.clone() {
            for entrant in members {
                if let Some(count) = starts.get_mut(*entrant as usize + 1) {
                    *count += 1;
                }
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut cells = vec![At { group: 0, position: 0 }; sum];
        for (group, members) in (0u32..).zip(groups) {
            for (position, entrant) in (0u32..).zip(members) {
                let Some(next) = next.get_mut(*entrant as usize) else { continue };
                if let Some(cell) = cells.get_mut(*next) {
                    *cell = At { group, position };
                }
                *next += 1;
            }
        }
        Index { starts, cells }
    }

    /// The results of an entrant.
    pub(crate) fn of(&self, entrant: u32) -> &[At] {
        let at = entrant as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(from), Some(to)) => self.cells.get(*from..*to).unwrap_or(&[]),
            _ => &[],
        }
    }
}
