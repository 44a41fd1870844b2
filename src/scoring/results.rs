//! The results of one comparison group, and where each entrant's results stand.
//!
//! Storage only, laid out for speed: the usual group holds nothing but integers. Nothing is scored here.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::entry::{Entry, Status};

/// The results of a group in order of their positions.
#[derive(Clone)]
pub(crate) enum Results {
    /// All played, all with an integer score and nothing else to them.
    Plain(Vec<i64>),
    /// Anything.
    Mixed(Vec<Entry>),
}

/// The score of a result that has nothing else to it.
#[inline]
pub(crate) fn plain(entry: &Entry) -> Option<i64> {
    if entry.status == Status::Played && entry.more.is_none() { entry.score.as_ref()?.int() } else { None }
}

/// The score of a result that is compared and valued as it is: table, side and a ruling that merely sets the score do
/// not matter to its worth.
#[inline]
pub(crate) fn even(entry: &Entry) -> Option<i64> {
    let as_it_is = match &entry.more {
        None => true,
        Some(more) => {
            more.penalties.is_empty() && more.ruling.as_ref().is_none_or(|ruling| ruling.weighted.is_empty())
        }
    };
    if as_it_is && matches!(entry.status, Status::Played | Status::Withdrawn) {
        entry.score.as_ref()?.int()
    } else {
        None
    }
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

    pub(crate) fn reserve(&mut self, more: usize) {
        match self {
            Results::Plain(scores) => scores.reserve(more),
            Results::Mixed(entries) => entries.reserve(more),
        }
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

    /// The raw score at a position when it is an integer that is compared as it is: no weighted ruling, no penalty.
    pub(crate) fn plain_score(&self, position: usize) -> Option<i64> {
        match self {
            Results::Plain(scores) => scores.get(position).copied(),
            Results::Mixed(entries) => entries.get(position).and_then(even),
        }
    }
}

/// Where a result stands: its group, and its position in the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    pub group: u32,
    pub position: u32,
}

/// Who has a result in a group, in order of the positions. Groups with the same list share it.
pub(crate) type Roster = Arc<Vec<u32>>;

/// Where an entrant stands in a list of entrants.
#[derive(Clone, Copy, Debug)]
struct Spot {
    roster: u32,
    position: u32,
}

/// Where everybody's results stand. Groups that share a list of entrants are looked up together.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// The groups of each list, ascending.
    groups: Vec<Vec<u32>>,
    /// The list of each group.
    roster_of: Vec<u32>,
    /// Entrant after entrant, the spots of each.
    starts: Vec<usize>,
    spots: Vec<Spot>,
}

impl Index {
    /// Made from the members of each group.
    pub(crate) fn new<'g>(entrants: usize, lists: impl Iterator<Item = &'g Roster>) -> Index {
        let mut rosters: Vec<&Roster> = Vec::new();
        let mut known = HashMap::new();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut roster_of = Vec::new();
        for (group, members) in (0u32..).zip(lists) {
            let roster = *known.entry(Arc::as_ptr(members)).or_insert_with(|| {
                rosters.push(members);
                groups.push(Vec::new());
                rosters.len() - 1
            });
            if let Some(groups) = groups.get_mut(roster) {
                groups.push(group);
            }
            roster_of.push(u32::try_from(roster).unwrap_or(u32::MAX));
        }
        let mut starts = vec![0usize; entrants + 1];
        for entrant in rosters.iter().flat_map(|members| members.iter()) {
            if let Some(count) = starts.get_mut(*entrant as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut spots = vec![Spot { roster: 0, position: 0 }; sum];
        for (roster, members) in (0u32..).zip(rosters) {
            for (position, entrant) in (0u32..).zip(members.iter()) {
                let Some(next) = next.get_mut(*entrant as usize) else { continue };
                if let Some(spot) = spots.get_mut(*next) {
                    *spot = Spot { roster, position };
                }
                *next += 1;
            }
        }
        Index { groups, roster_of, starts, spots }
    }

    fn spots(&self, entrant: u32) -> &[Spot] {
        let at = entrant as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(from), Some(to)) => self.spots.get(*from..*to).unwrap_or(&[]),
            _ => &[],
        }
    }

    fn groups(&self, spot: Spot) -> &[u32] {
        self.groups.get(spot.roster as usize).map_or(&[], Vec::as_slice)
    }

    /// The results of an entrant in the order of the groups.
    pub(crate) fn of(&self, entrant: u32) -> Vec<At> {
        let spots = self.spots(entrant);
        let mut all: Vec<At> = Vec::with_capacity(spots.iter().map(|spot| self.groups(*spot).len()).sum());
        for spot in spots {
            all.extend(self.groups(*spot).iter().map(|group| At { group: *group, position: spot.position }));
        }
        if spots.len() > 1 {
            all.sort_unstable_by_key(|at| at.group);
        }
        all
    }

    /// How many results these entrants have each, when all of them are in the very same groups.
    pub(crate) fn same_groups(&self, entrants: &[u32]) -> Option<usize> {
        let (first, others) = entrants.split_first()?;
        let lists = |entrant: u32| self.spots(entrant).iter().map(|spot| spot.roster);
        let groups = self.spots(*first).iter().map(|spot| self.groups(*spot).len()).sum();
        others.iter().all(|other| lists(*other).eq(lists(*first))).then_some(groups)
    }

    /// Where an entrant stands in a group.
    pub(crate) fn position(&self, group: u32, entrant: u32) -> Option<u32> {
        let roster = *self.roster_of.get(group as usize)?;
        self.spots(entrant).iter().find(|spot| spot.roster == roster).map(|spot| spot.position)
    }
}
