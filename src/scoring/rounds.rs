//! The ranking of a group by its rounds: round points, net points, direct encounter, lot (TL §8.2).
//!
//! Pure: what everybody has from the meetings that are over goes in, places with the step that parted each from the next
//! one come out. A lot is never drawn here; those that were drawn are given, and the sets that need one are named.
//!
//! ```
//! use fushi::scoring::rounds::{Chained, Meeting, RoundStep, by_rounds};
//!
//! let has = |entrant: &str, points: i64| Chained::new(entrant, points.into(), 5.into(), 3);
//! let met = Meeting { one: "b".into(), other: "a".into(), points: (2.into(), 0.into()) };
//! let table = by_rounds(&[has("a", 4), has("b", 4), has("c", 1)], &[met], &[]);
//! assert_eq!(table.order(), ["b", "a", "c"]);
//! assert_eq!(table.rows[0].decided_by, Some(RoundStep::Direct));
//! assert_eq!(table.rows[1].decided_by, Some(RoundStep::RoundPoints));
//! ```

use super::exact::Exact;
use super::ranking::Place;
use super::rules::names;

names! {
    /// A step of the ranking by rounds.
    RoundStep, "step of the ranking by rounds" {
        /// The sum of round points (轮次分).
        RoundPoints = "round-points",
        /// Net points (净胜分).
        Net = "net",
        /// Direct encounter (直胜): the meetings of those who are tied.
        Direct = "direct",
        /// A lot.
        Lot = "lot",
        /// Nothing decides: the place is shared.
        Shared = "shared",
    }
}

/// What an entrant has from the rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chained {
    /// The entrant.
    pub entrant: String,
    /// The sum of round points.
    pub points: Exact,
    /// The sum of net points.
    pub net: Exact,
    /// Number of meetings that are over.
    pub played: u32,
}

impl Chained {
    /// What an entrant has.
    #[must_use]
    pub fn new(entrant: impl Into<String>, points: Exact, net: Exact, played: u32) -> Chained {
        Chained { entrant: entrant.into(), points, net, played }
    }
}

/// A meeting that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// One entrant.
    pub one: String,
    /// The other.
    pub other: String,
    /// The round points of each.
    pub points: (Exact, Exact),
}

/// A row of the ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainRow {
    /// The entrant.
    pub entrant: String,
    /// The place.
    pub place: Place,
    /// The step that parts this row from the next one; `None` in the last row.
    pub decided_by: Option<RoundStep>,
    /// Places in the list of meetings, from 0, of those that decided a direct encounter.
    pub meetings: Vec<usize>,
}

/// A ranking by rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainTable {
    /// The rows, best first.
    pub rows: Vec<ChainRow>,
    /// The sets of entrants that only a lot can separate, in the order of the ranking; each in the order in which its
    /// members were given.
    pub tied: Vec<Vec<String>>,
}

impl ChainTable {
    /// The entrants, best first.
    #[must_use]
    pub fn order(&self) -> Vec<&str> {
        self.rows.iter().map(|row| row.entrant.as_str()).collect()
    }
}

/// Ranks a group. `meetings` are those that are over; `lots` are orders that were drawn: a tied set takes the last one that
/// has all its members.
#[must_use]
pub fn by_rounds(group: &[Chained], meetings: &[Meeting], lots: &[Vec<String>]) -> ChainTable {
    let chain = Chain { group, meetings, lots };
    let all: Vec<usize> = (0..group.len()).collect();
    // TL §8.2 (1), (2): round points, then net points.
    let by_points = chain.classes(&all, |one| one.points.clone());
    let parts = by_points.into_iter().map(|equal| {
        let by_net = chain.classes(&equal, |one| one.net.clone());
        joined(by_net.into_iter().map(|tied| chain.direct(tied)), RoundStep::Net, &[])
    });
    let places = joined(parts, RoundStep::RoundPoints, &[]);
    chain.table(places)
}

/// A place with those who share it, and what parts it from the next one.
struct Shared {
    who: Vec<usize>,
    by: Option<RoundStep>,
    meetings: Vec<usize>,
}

/// Puts parts of the ranking one after another; the step parts each from the next.
fn joined(parts: impl IntoIterator<Item = Vec<Shared>>, step: RoundStep, meetings: &[usize]) -> Vec<Shared> {
    let mut all: Vec<Shared> = Vec::new();
    for part in parts {
        if let Some(last) = all.last_mut() {
            last.by = Some(step);
            last.meetings = meetings.to_vec();
        }
        all.extend(part);
    }
    all
}

struct Chain<'a> {
    group: &'a [Chained],
    meetings: &'a [Meeting],
    lots: &'a [Vec<String>],
}

impl Chain<'_> {
    fn name(&self, member: usize) -> &str {
        self.group.get(member).map_or("", |one| one.entrant.as_str())
    }

    /// Splits members by a value, the largest first; the order inside a class stays.
    fn classes(&self, members: &[usize], value: impl Fn(&Chained) -> Exact) -> Vec<Vec<usize>> {
        let valued = members.iter().filter_map(|member| Some((*member, value(self.group.get(*member)?))));
        split(valued.collect())
    }

    /// TL §8.2 (3), §8.6: of two the winner of their meeting, of more the round points inside the set; a set that it has
    /// split is split again, each class over its own meetings.
    fn direct(&self, tied: Vec<usize>) -> Vec<Shared> {
        if tied.len() < 2 {
            return vec![Shared { who: tied, by: None, meetings: Vec::new() }];
        }
        let mut own: Vec<(usize, Exact)> = tied.iter().map(|member| (*member, Exact::ZERO)).collect();
        let mut used = Vec::new();
        for (at, meeting) in self.meetings.iter().enumerate() {
            let find = |name: &str| own.iter().position(|(member, _)| self.name(*member) == name);
            if let (Some(one), Some(other)) = (find(&meeting.one), find(&meeting.other)) {
                used.push(at);
                for (place, points) in [(one, &meeting.points.0), (other, &meeting.points.1)] {
                    if let Some((_, sum)) = own.get_mut(place) {
                        *sum += points;
                    }
                }
            }
        }
        let classes = split(own);
        if classes.len() == 1 {
            return self.lot(tied);
        }
        joined(classes.into_iter().map(|class| self.direct(class)), RoundStep::Direct, &used)
    }

    /// TL §8.2 (4): what nothing else separates is in the order of a lot.
    fn lot(&self, tied: Vec<usize>) -> Vec<Shared> {
        let drawn = self.lots.iter().rev().find_map(|lot| {
            let mut placed: Vec<(usize, usize)> = tied
                .iter()
                .map(|member| Some((lot.iter().position(|name| name == self.name(*member))?, *member)))
                .collect::<Option<_>>()?;
            placed.sort_unstable();
            Some(placed)
        });
        match drawn {
            Some(placed) => {
                let single = |(_, member)| vec![Shared { who: vec![member], by: None, meetings: Vec::new() }];
                joined(placed.into_iter().map(single), RoundStep::Lot, &[])
            }
            None => vec![Shared { who: tied, by: None, meetings: Vec::new() }],
        }
    }

    fn table(&self, places: Vec<Shared>) -> ChainTable {
        let mut table = ChainTable::default();
        for (dense, shared) in (1..).zip(places) {
            let before = number(table.rows.len());
            let place = Place { first: before + 1, last: before + number(shared.who.len()), dense };
            let names: Vec<String> = shared.who.iter().map(|member| self.name(*member).to_owned()).collect();
            let last = names.len().saturating_sub(1);
            for (at, entrant) in names.iter().cloned().enumerate() {
                let (decided_by, meetings) = if at == last {
                    (shared.by, shared.meetings.clone())
                } else {
                    (Some(RoundStep::Shared), Vec::new())
                };
                table.rows.push(ChainRow { entrant, place, decided_by, meetings });
            }
            if names.len() > 1 {
                table.tied.push(names);
            }
        }
        table
    }
}

/// Splits members by their values, the largest first; the order inside a class stays.
fn split(mut valued: Vec<(usize, Exact)>) -> Vec<Vec<usize>> {
    valued.sort_by(|a, b| b.1.cmp(&a.1));
    valued
        .chunk_by(|a, b| a.1 == b.1)
        .map(|class| class.iter().map(|(member, _)| *member).collect())
        .collect()
}

fn number(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(entrant: &str, points: i64, net: i64) -> Chained {
        Chained::new(entrant, points.into(), net.into(), 3)
    }

    fn met(one: &str, other: &str, points: (i64, i64)) -> Meeting {
        Meeting { one: one.to_owned(), other: other.to_owned(), points: (points.0.into(), points.1.into()) }
    }

    fn told(table: &ChainTable) -> Vec<(&str, u32, u32, Option<RoundStep>)> {
        let row = |row: &ChainRow| (row.place.first, row.place.last, row.decided_by);
        let names = table.rows.iter().map(|row| row.entrant.as_str());
        names
            .zip(table.rows.iter().map(row))
            .map(|(name, (first, last, by))| (name, first, last, by))
            .collect()
    }

    #[test]
    fn round_points_come_before_net_points() {
        let table = by_rounds(&[has("a", 4, -9), has("b", 3, 50), has("c", 4, 1)], &[], &[]);
        assert_eq!(
            told(&table),
            [("c", 1, 1, Some(RoundStep::Net)), ("a", 2, 2, Some(RoundStep::RoundPoints)), ("b", 3, 3, None)]
        );
        assert!(table.tied.is_empty());
    }

    #[test]
    fn of_two_the_winner_of_their_meeting_stands_before_the_other() {
        let group = [has("a", 4, 7), has("b", 4, 7), has("c", 2, 0)];
        let meetings = [met("a", "c", (2, 0)), met("a", "b", (0, 2)), met("b", "c", (0, 2))];
        let table = by_rounds(&group, &meetings, &[]);
        assert_eq!(table.order(), ["b", "a", "c"]);
        assert_eq!(table.rows[0].decided_by, Some(RoundStep::Direct));
        assert_eq!(table.rows[0].meetings, [1]);
    }

    /// Three are tied: `a` beats both others, who drew; they are split again over their own meeting, which decides nothing.
    #[test]
    fn three_who_are_tied_are_split_by_the_round_points_inside_the_set() {
        let group = [has("c", 6, 0), has("b", 6, 0), has("a", 6, 0), has("d", 9, 0)];
        let meetings = [
            met("a", "b", (2, 0)),
            met("b", "c", (1, 1)),
            met("c", "a", (0, 2)),
            met("b", "d", (2, 0)), // outside the set: it does not count
        ];
        let table = by_rounds(&group, &meetings, &[]);
        assert_eq!(
            told(&table),
            [
                ("d", 1, 1, Some(RoundStep::RoundPoints)),
                ("a", 2, 2, Some(RoundStep::Direct)),
                ("c", 3, 4, Some(RoundStep::Shared)),
                ("b", 3, 4, None)
            ]
        );
        assert_eq!(table.rows[1].meetings, [0, 1, 2]);
        assert_eq!(table.tied, [["c", "b"]]);
        let lots = [vec!["b".to_owned(), "x".to_owned(), "c".to_owned()]];
        let table = by_rounds(&group, &meetings, &lots);
        assert_eq!(table.order(), ["d", "a", "b", "c"]);
        assert_eq!(table.rows[2].decided_by, Some(RoundStep::Lot));
        assert!(table.tied.is_empty());
    }

    /// Four are tied: two classes of two, each decided by the meeting inside the class.
    #[test]
    fn a_class_is_split_again_over_its_own_meetings() {
        let group = [has("a", 6, 0), has("b", 6, 0), has("c", 6, 0), has("d", 6, 0)];
        let meetings = [
            met("a", "b", (0, 2)),
            met("a", "c", (2, 0)),
            met("a", "d", (2, 0)),
            met("b", "c", (2, 0)),
            met("b", "d", (0, 2)),
            met("c", "d", (2, 0)),
        ];
        // Points inside: a 4, b 4, c 2, d 2. b beat a, c beat d.
        let table = by_rounds(&group, &meetings, &[]);
        assert_eq!(table.order(), ["b", "a", "c", "d"]);
        assert_eq!(table.rows[0].meetings, [0]);
        assert_eq!(table.rows[1].meetings, [0, 1, 2, 3, 4, 5]);
        assert_eq!(table.rows[2].meetings, [5]);
        assert!(table.rows[..3].iter().all(|row| row.decided_by == Some(RoundStep::Direct)));
    }

    #[test]
    fn a_circle_of_three_needs_a_lot() {
        let group = [has("a", 4, 0), has("b", 4, 0), has("c", 4, 0)];
        let meetings = [met("a", "b", (2, 0)), met("b", "c", (2, 0)), met("c", "a", (2, 0))];
        let table = by_rounds(&group, &meetings, &[]);
        assert_eq!(table.tied, [["a", "b", "c"]]);
        assert!(table.rows.iter().all(|row| (row.place.first, row.place.last) == (1, 3)));
    }
}
