//! The format *round-robin* (循环赛): groups in which everybody meets everybody once, by the Berger programme.

use std::collections::BTreeMap;

use super::course::{Member, Planned, PlannedTable, Wanted};
use super::{DrawPurpose, Occupant, Refused, RoundRobinRules};

/// The course of a stage of groups.
#[derive(Clone, Debug)]
pub(super) struct RoundRobin {
    rules: RoundRobinRules,
    /// Number of positions: the entrants take the first two, AI players the others.
    positions: usize,
    members: Vec<Member>,
    groups: Vec<Pool>,
    /// Whether every member has a group.
    spread: bool,
}

#[derive(Clone, Debug)]
struct Pool {
    name: String,
    size: usize,
    /// In list order, then by drawn number.
    entrants: Vec<String>,
    numbered: bool,
}

/// How the members come into their groups.
pub(super) enum Spread {
    /// By the draw `seats`.
    Drawn,
    /// In serpentine order of the list.
    Serpentine,
}

impl RoundRobin {
    /// Groups for members; those with a pin have their group, the others get one as `spread` says.
    pub fn new(
        rules: RoundRobinRules,
        positions: usize,
        members: Vec<Member>,
        pins: &BTreeMap<String, String>,
        spread: &Spread,
    ) -> Result<RoundRobin, Refused> {
        let sizes = sizes(members.len(), rules.group_size);
        let groups = (0..)
            .zip(sizes)
            .map(|(at, size)| Pool { name: name_of(at), size, entrants: Vec::new(), numbered: false })
            .collect();
        let mut robin = RoundRobin { rules, positions, members, groups, spread: false };
        for (entrant, name) in pins {
            if !robin.members.iter().any(|member| member.id == *entrant) {
                continue;
            }
            let group = robin.groups.iter_mut().find(|group| group.name == *name && group.free() > 0);
            group.ok_or_else(|| Refused::Pin(entrant.clone()))?.entrants.push(entrant.clone());
        }
        let open = robin.without_group();
        match spread {
            Spread::Drawn if robin.groups.len() > 1 && !open.is_empty() => {}
            Spread::Drawn => robin.fill(&open),
            Spread::Serpentine => robin.serpentine(&open),
        }
        Ok(robin)
    }

    fn without_group(&self) -> Vec<String> {
        let placed = |id: &String| self.groups.iter().any(|group| group.entrants.contains(id));
        self.members.iter().map(|member| member.id.clone()).filter(|id| !placed(id)).collect()
    }

    /// The free places are filled group by group.
    fn fill(&mut self, order: &[String]) {
        let mut order = order.iter().cloned();
        for group in &mut self.groups {
            let free = group.free();
            group.entrants.extend(order.by_ref().take(free));
        }
        self.in_list_order();
    }

    /// The first of the list in the first group, and so on; then back from the last group to the first. A group that is full
    /// is passed over.
    fn serpentine(&mut self, order: &[String]) {
        let groups = self.groups.len();
        let mut turn = 0;
        let mut at = 0;
        for entrant in order {
            for _ in 0..=2 * groups {
                let place = if turn % 2 == 0 { at } else { groups.saturating_sub(at + 1) };
                at += 1;
                if at >= groups {
                    (at, turn) = (0, turn + 1);
                }
                if let Some(group) = self.groups.get_mut(place).filter(|group| group.free() > 0) {
                    group.entrants.push(entrant.clone());
                    break;
                }
            }
        }
        self.in_list_order();
    }

    fn in_list_order(&mut self) {
        for group in &mut self.groups {
            let inside = |member: &&Member| group.entrants.contains(&member.id);
            group.entrants = self.members.iter().filter(inside).map(|member| member.id.clone()).collect();
        }
        self.spread = true;
    }

    /// First who is in which group, then group by group who has which number of its programme.
    pub fn due(&self) -> Option<Wanted> {
        if !self.spread {
            return Some(Wanted { purpose: DrawPurpose::Seats, group: None, among: self.without_group() });
        }
        // TL §2.1: first-round opponents by lot.
        let group = self.groups.iter().find(|group| !group.numbered)?;
        Some(Wanted {
            purpose: DrawPurpose::Opponents,
            group: Some(group.name.clone()),
            among: group.entrants.clone(),
        })
    }

    pub fn draw(&mut self, group: Option<&str>, order: &[String]) -> Vec<(String, Vec<String>)> {
        let Some(name) = group else {
            self.fill(order);
            return Vec::new();
        };
        let Some(group) = self.groups.iter_mut().find(|group| group.name == name) else { return Vec::new() };
        order.clone_into(&mut group.entrants);
        group.numbered = true;
        vec![(group.name.clone(), group.entrants.clone())]
    }

    pub fn groups(&self) -> Vec<(String, Vec<String>)> {
        if !self.spread {
            return Vec::new();
        }
        self.groups.iter().map(|group| (group.name.clone(), group.entrants.clone())).collect()
    }

    pub fn group_of(&self, number: u32) -> Option<String> {
        let id = &self.members.iter().find(|member| member.number == number)?.id;
        self.groups.iter().find(|group| group.entrants.contains(id)).map(|group| group.name.clone())
    }

    /// Every round of every group; all tables of a round play the same boards, each round has its own.
    pub fn rounds(&self) -> Option<Vec<Planned>> {
        if !self.spread || self.groups.iter().any(|group| !group.numbered) {
            return None;
        }
        let numbers: BTreeMap<&str, u32> =
            self.members.iter().map(|member| (member.id.as_str(), member.number)).collect();
        let programmes: Vec<Vec<Vec<(usize, usize)>>> =
            self.groups.iter().map(|group| berger(group.entrants.len())).collect();
        let rounds = programmes.iter().map(Vec::len).max().unwrap_or(0);
        let planned = (0..rounds).map(|round| {
            let first = u32::try_from(round).unwrap_or(u32::MAX).saturating_mul(self.rules.deals) + 1;
            let boards: Vec<u32> = (first..first.saturating_add(self.rules.deals)).collect();
            let mut tables = Vec::new();
            let mut byes = Vec::new();
            for (group, programme) in self.groups.iter().zip(&programmes) {
                let entrants: Vec<u32> =
                    group.entrants.iter().filter_map(|id| numbers.get(id.as_str()).copied()).collect();
                let mut playing = Vec::new();
                for (one, other) in programme.get(round).into_iter().flatten() {
                    let (Some(one), Some(other)) = (entrants.get(*one), entrants.get(*other)) else {
                        continue;
                    };
                    playing.extend([*one, *other]);
                    let mut seats = vec![Occupant::Ai; self.positions];
                    for (seat, number) in seats.iter_mut().zip([*one, *other]) {
                        *seat = Occupant::Entrant(number);
                    }
                    let sittings = vec![seats; boards.len()];
                    tables.push(PlannedTable { group: Some(group.name.clone()), sittings });
                }
                byes.extend(entrants.iter().copied().filter(|number| !playing.contains(number)));
            }
            byes.sort_unstable();
            // TL §2.2, §2.3: deal d of every round has the same level and banker.
            Planned { setups: (0..boards.len()).collect(), boards, tables, byes }
        });
        Some(planned.collect())
    }
}

impl Pool {
    const fn free(&self) -> usize {
        self.size.saturating_sub(self.entrants.len())
    }
}

/// Number of boards of the stage, and the sizes of its groups; `None` where a group would have fewer than two.
pub(super) fn extent(rules: &RoundRobinRules, entrants: u32) -> Option<(u32, Vec<u32>)> {
    if rules.group_size < 2 || rules.deals == 0 {
        return None;
    }
    let sizes = sizes(entrants as usize, rules.group_size);
    let fits = |size: &usize| *size >= 2 && *size <= rules.group_size as usize;
    if sizes.is_empty() || !sizes.iter().all(fits) {
        return None;
    }
    let rounds = sizes.iter().map(|size| rounds_of(*size)).max().unwrap_or(0);
    let boards = u32::try_from(rounds).ok()?.checked_mul(rules.deals)?;
    Some((boards, sizes.into_iter().filter_map(|size| u32::try_from(size).ok()).collect()))
}

/// The sizes of groups of at most `most`, as even as they can be, larger ones first; none with a single member where that can
/// be avoided.
fn sizes(members: usize, most: u32) -> Vec<usize> {
    if members == 0 {
        return Vec::new();
    }
    let groups = members.div_ceil((most as usize).max(2)).min(members / 2).max(1);
    (0..groups).map(|at| members / groups + usize::from(at < members % groups)).collect()
}

/// Number of rounds in which everybody of a group meets everybody.
const fn rounds_of(size: usize) -> usize {
    if size < 2 { 0 } else { size - 1 + size % 2 }
}

/// The name of a group: `A` to `Z`, `AA`, `AB` …
fn name_of(at: usize) -> String {
    let letter = |value: usize| char::from(b'A' + u8::try_from(value % 26).unwrap_or(0));
    if at < 26 { letter(at).to_string() } else { format!("{}{}", name_of(at / 26 - 1), letter(at)) }
}

/// The Berger programme: for each round the pairings of drawn numbers, from 0, first position first. With an odd number
/// whoever would meet the missing one has a bye (TL §2.1). Everybody's two directions differ by at most one (TL §8.6).
fn berger(size: usize) -> Vec<Vec<(usize, usize)>> {
    let circle = if size.is_multiple_of(2) { size.saturating_sub(1) } else { size };
    (0..rounds_of(size))
        .map(|round| {
            // The one who meets the last number stands still in the circle: twice its number is the sum of every other pair.
            let still = if round % 2 == 0 { round / 2 } else { round.div_ceil(2) + circle / 2 } % circle;
            let last = (size.is_multiple_of(2)).then(|| {
                let last = size - 1;
                if round % 2 == 0 { (still, last) } else { (last, still) }
            });
            let others =
                (1..=circle / 2).map(|step| ((still + step) % circle, (still + circle - step) % circle));
            last.into_iter().chain(others).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(size: usize) -> Vec<String> {
        berger(size)
            .iter()
            .map(|round| {
                let pairs = round.iter().map(|(one, other)| format!("{}-{}", one + 1, other + 1));
                pairs.collect::<Vec<_>>().join(" ")
            })
            .collect()
    }

    #[test]
    fn the_programme_is_that_of_the_berger_tables() {
        assert_eq!(told(2), ["1-2"]);
        assert_eq!(told(4), ["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
        assert_eq!(told(5), ["2-5 3-4", "5-3 1-2", "3-1 4-5", "1-4 2-3", "4-2 5-1"]);
        assert_eq!(
            told(8),
            [
                "1-8 2-7 3-6 4-5",
                "8-5 6-4 7-3 1-2",
                "2-8 3-1 4-7 5-6",
                "8-6 7-5 1-4 2-3",
                "3-8 4-2 5-1 6-7",
                "8-7 1-6 2-5 3-4",
                "4-8 5-3 6-2 7-1"
            ]
        );
    }

    #[test]
    fn groups_are_as_even_as_they_can_be() {
        assert_eq!(sizes(32, 8), [8, 8, 8, 8]);
        assert_eq!(sizes(33, 8), [7, 7, 7, 6, 6]);
        assert_eq!(sizes(9, 8), [5, 4]);
        assert_eq!(sizes(3, 8), [3]);
        assert_eq!(name_of(0), "A");
        assert_eq!(name_of(25), "Z");
        assert_eq!(name_of(26), "AA");
        assert_eq!(name_of(53), "BB");
    }
}
