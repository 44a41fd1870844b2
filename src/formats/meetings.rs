//! Who shares a table in which round: as few repeated meetings as possible.
//!
//! Three sources, best first: the circle method for tables of two, a resolvable transversal design (with the columns
//! folded again when they divide) for larger tables, and for what is left a greedy choice with repairs and a tabu
//! search of bounded length. Nothing here decides seats.

use super::ring::Ring;
use crate::rng::GameRng;

/// A round as tables of members, members counted from 0.
pub(super) type Grouping = Vec<Vec<usize>>;

/// Steps of the tabu search are charged by the comparisons they make; this many times members² are spent, and never more
/// than the maximum.
const SEARCH_WORK: usize = 40_000;
const SEARCH_WORK_MAX: usize = 50_000_000;
/// Above this many members the search is left out: so many rounds that it could help are never played.
const SEARCH_MEMBERS_MAX: usize = 300;
/// Swaps tried per round to repair a greedy grouping.
const REPAIRS_MAX: usize = 4_000;

/// Groups members into tables of `k`, round by round. `present[r]` are the members of round `r`, a multiple of `k`;
/// `members` counts all of them.
pub(super) fn group(members: usize, k: usize, present: &[Vec<usize>], chance: &mut GameRng) -> Vec<Grouping> {
    let everybody = present.iter().all(|list| list.len() == members);
    let mut rounds = if everybody { algebraic(members, k, present.len()) } else { Vec::new() };
    if rounds.len() == present.len() {
        return rounds;
    }
    let mut best = complete(rounds.clone(), members, k, present, chance);
    if members <= SEARCH_MEMBERS_MAX && !best.settled() {
        // A perfect beginning can be a bad one to go on from: the second attempt has none.
        let work = (SEARCH_WORK * members * members).min(SEARCH_WORK_MAX);
        best.run(work / 3, chance);
        if !best.settled() {
            rounds.clear();
            let mut second = complete(rounds, members, k, present, chance);
            second.run(work - work / 3, chance);
            if second.cost() < best.cost() {
                best = second;
            }
        }
    }
    best.rounds
}

/// The given rounds, and greedy ones for the rest.
fn complete(
    mut rounds: Vec<Grouping>,
    members: usize,
    k: usize,
    present: &[Vec<usize>],
    chance: &mut GameRng,
) -> Search {
    let mut meets = Meets::of(members, &rounds);
    for list in present.iter().skip(rounds.len()) {
        let mut round = greedy(list, k, &meets, chance);
        repair(&mut round, &meets, chance);
        meets.add(&round);
        rounds.push(round);
    }
    Search::new(meets, rounds, k)
}

/// Up to `wanted` rounds in which nobody meets anybody twice (more than necessary).
fn algebraic(members: usize, k: usize, wanted: usize) -> Vec<Grouping> {
    if k == 2 {
        return circle(members, wanted);
    }
    let m = members / k;
    let mut rounds = Vec::new();
    if m < 2 {
        return rounds;
    }
    let Some(ring) = Ring::of(m).filter(|ring| ring.units() >= k) else { return cyclic(m, k, wanted) };
    for r in 0..m.min(wanted) {
        rounds.push(
            (0..m)
                .map(|t| (0..k).map(|c| c * m + ring.add_product(t, ring.multiplier(c), r)).collect())
                .collect(),
        );
    }
    if rounds.len() < wanted && m.is_multiple_of(k) {
        // Members of one column have not met: every column plays its own movement, all at the same time.
        for inner in algebraic(m, k, wanted - rounds.len()) {
            let columns = (0..k).flat_map(|c| {
                inner.iter().map(move |table| table.iter().map(|member| c * m + member).collect())
            });
            rounds.push(columns.collect());
        }
    }
    rounds
}

/// The plain cyclic movement: column `c` moves on by `c` tables each round. Good for `m / gcd` rounds.
fn cyclic(m: usize, k: usize, wanted: usize) -> Vec<Grouping> {
    let safe = (1..k).map(|d| m / num_integer::gcd(d, m)).min().unwrap_or(m);
    (0..safe.min(wanted))
        .map(|r| (0..m).map(|t| (0..k).map(|c| c * m + (t + c * r) % m).collect()).collect())
        .collect()
}

/// The circle method: member 0 stays, the others go round. After all meetings it begins again.
fn circle(members: usize, wanted: usize) -> Vec<Grouping> {
    let around = members - 1;
    (0..wanted)
        .map(|r| {
            let at = |place: usize| 1 + (place + r) % around;
            let mut tables = vec![vec![0, at(0)]];
            tables.extend((1..members / 2).map(|i| vec![at(i), at(around - i)]));
            tables
        })
        .collect()
}

/// How often any two members met.
#[derive(Clone)]
struct Meets {
    members: usize,
    counts: Vec<u16>,
}

impl Meets {
    fn of(members: usize, rounds: &[Grouping]) -> Meets {
        let mut meets = Meets { members, counts: vec![0; members * members] };
        for round in rounds {
            meets.add(round);
        }
        meets
    }

    fn between(&self, a: usize, b: usize) -> u16 {
        self.counts[a * self.members + b]
    }

    /// Meetings of `who` with a table, `except` one of it.
    fn with(&self, who: usize, table: &[usize], except: usize) -> u32 {
        table.iter().filter(|other| **other != except).map(|other| u32::from(self.between(who, *other))).sum()
    }

    fn change(&mut self, a: usize, b: usize, up: bool) {
        for index in [a * self.members + b, b * self.members + a] {
            let count = &mut self.counts[index];
            *count = if up { count.saturating_add(1) } else { count.saturating_sub(1) };
        }
    }

    fn add(&mut self, round: &Grouping) {
        for table in round {
            for (i, a) in table.iter().enumerate() {
                for b in &table[..i] {
                    self.change(*a, *b, true);
                }
            }
        }
    }
}

/// Fills table by table with whoever met the table least; a stranger is taken at sight.
fn greedy(list: &[usize], k: usize, meets: &Meets, chance: &mut GameRng) -> Grouping {
    let mut free = list.to_vec();
    chance.shuffle(&mut free);
    let mut round = Vec::with_capacity(list.len() / k);
    while let Some(first) = free.pop() {
        let mut table = vec![first];
        while table.len() < k && !free.is_empty() {
            let mut best = (u32::MAX, 0);
            for (index, candidate) in free.iter().enumerate().rev() {
                let met = table.iter().map(|other| u32::from(meets.between(*candidate, *other))).sum();
                if met < best.0 {
                    best = (met, index);
                    if met == 0 {
                        break;
                    }
                }
            }
            table.push(free.swap_remove(best.1));
        }
        round.push(table);
    }
    round
}

/// Swaps members of tables that met before with members of other tables while that helps.
fn repair(round: &mut Grouping, meets: &Meets, chance: &mut GameRng) {
    let tables = round.len();
    let strain =
        |table: &[usize]| -> u32 { table.iter().map(|member| meets.with(*member, table, *member)).sum() };
    let mut bad: Vec<usize> = (0..tables).filter(|t| strain(&round[*t]) > 0).collect();
    for _ in 0..REPAIRS_MAX {
        let Some(here) = chance.pick(&bad).copied() else { return };
        let (index, there) = (chance.index(round[here].len()), chance.index(tables));
        if there == here {
            continue;
        }
        let partner_index = chance.index(round[there].len());
        let (who, partner) = (round[here][index], round[there][partner_index]);
        let before = meets.with(who, &round[here], who) + meets.with(partner, &round[there], partner);
        let after = meets.with(partner, &round[here], who) + meets.with(who, &round[there], partner);
        if after <= before {
            round[here][index] = partner;
            round[there][partner_index] = who;
            bad.retain(|table| *table != here && *table != there);
            bad.extend([here, there].into_iter().filter(|table| strain(&round[*table]) > 0));
        }
    }
}

/// Tabu search over all rounds together: swaps two members of different tables of a round. It lowers the sum of
/// squares of the meetings and ends when no two meet more often than the average rounded up.
struct Search {
    meets: Meets,
    rounds: Vec<Grouping>,
    /// A pair may meet this often.
    fair: u16,
    /// Work one scan or one step takes.
    step_work: usize,
}

struct Place {
    round: usize,
    table: usize,
    index: usize,
}

impl Search {
    fn new(meets: Meets, rounds: Vec<Grouping>, k: usize) -> Search {
        let members = meets.members;
        let sitting: usize = rounds.iter().map(|round| round.len() * k * (k - 1)).sum();
        let fair = sitting.div_ceil((members * (members - 1)).max(1));
        let step_work = sitting + members * 2 * k;
        Search { meets, rounds, fair: u16::try_from(fair).unwrap_or(u16::MAX), step_work }
    }

    /// Whether nobody meets anybody more often than is fair.
    fn settled(&self) -> bool {
        self.meets.counts.iter().all(|count| *count <= self.fair)
    }

    fn run(&mut self, work: usize, chance: &mut GameRng) {
        let members = self.meets.members;
        let mut blocked = vec![0_usize; self.rounds.len() * members];
        let mut cost: i64 = self.cost();
        let mut best = (cost, self.rounds.clone());
        for step in 1..=work / self.step_work.max(1) {
            let Some(place) = self.strained(chance) else { return };
            let who = self.rounds[place.round][place.table][place.index];
            let mut chosen: Option<(i64, usize, usize)> = None;
            // From a table by lot on, so that equal swaps are not always decided the same way.
            let tables = self.rounds[place.round].len();
            let start = chance.index(tables);
            for other in
                (0..tables).map(|table| (table + start) % tables).filter(|table| *table != place.table)
            {
                for (index, partner) in self.rounds[place.round][other].iter().enumerate() {
                    let delta = self.delta(&place, other, who, *partner);
                    let tabu =
                        blocked[place.round * members + who].max(blocked[place.round * members + partner]);
                    let allowed = tabu < step || cost + delta < best.0;
                    if allowed && chosen.is_none_or(|(least, ..)| delta < least) {
                        chosen = Some((delta, other, index));
                    }
                }
            }
            let Some((delta, other, index)) = chosen else { continue };
            let partner = self.swap(&place, other, index);
            cost += delta;
            for moved in [who, partner] {
                blocked[place.round * members + moved] = step + 2 + chance.index(8);
            }
            if cost < best.0 {
                best = (cost, self.rounds.clone());
            }
        }
        self.rounds = best.1;
        self.meets = Meets::of(members, &self.rounds);
    }

    fn cost(&self) -> i64 {
        self.meets.counts.iter().map(|count| i64::from(*count) * i64::from(*count)).sum::<i64>() / 2
    }

    /// One of those who meet somebody of the table most often, by lot, if that is more often than is fair.
    fn strained(&self, chance: &mut GameRng) -> Option<Place> {
        let mut most = self.fair + 1;
        let mut found = Vec::new();
        for (round, tables) in self.rounds.iter().enumerate() {
            for (table, members) in tables.iter().enumerate() {
                for (index, member) in members.iter().enumerate() {
                    let met =
                        members.iter().map(|other| self.meets.between(*member, *other)).max().unwrap_or(0);
                    if met > most {
                        most = met;
                        found.clear();
                    }
                    if met == most {
                        found.push((round, table, index));
                    }
                }
            }
        }
        chance.pick(&found).map(|(round, table, index)| Place { round: *round, table: *table, index: *index })
    }

    /// Change of the sum of squares when `who` and `partner` of table `other` change places.
    fn delta(&self, place: &Place, other: usize, who: usize, partner: usize) -> i64 {
        let (here, there) = (&self.rounds[place.round][place.table], &self.rounds[place.round][other]);
        let gained = self.meets.with(partner, here, who) + self.meets.with(who, there, partner);
        let lost = self.meets.with(who, here, who) + self.meets.with(partner, there, partner);
        let pairs = here.len() + there.len() - 2;
        // Each new meeting adds 2c + 1, each dropped one takes 2c − 1.
        2 * (i64::from(gained) - i64::from(lost)) + 2 * i64::try_from(pairs).unwrap_or(0)
    }

    fn swap(&mut self, place: &Place, other: usize, index: usize) -> usize {
        let who = self.rounds[place.round][place.table][place.index];
        let partner = self.rounds[place.round][other][index];
        for member in self.rounds[place.round][place.table].iter().filter(|member| **member != who) {
            self.meets.change(who, *member, false);
            self.meets.change(partner, *member, true);
        }
        for member in self.rounds[place.round][other].iter().filter(|member| **member != partner) {
            self.meets.change(partner, *member, false);
            self.meets.change(who, *member, true);
        }
        self.rounds[place.round][place.table][place.index] = partner;
        self.rounds[place.round][other][index] = who;
        partner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(members: usize, k: usize, rounds: usize) -> u16 {
        let present: Vec<Vec<usize>> = vec![(0..members).collect(); rounds];
        let groups = group(members, k, &present, &mut GameRng::of("test", b"meetings"));
        assert_eq!(groups.len(), rounds);
        for round in &groups {
            let mut seen: Vec<usize> = round.iter().flatten().copied().collect();
            seen.sort_unstable();
            assert_eq!(seen, present[0], "everybody sits once");
        }
        *Meets::of(members, &groups).counts.iter().max().unwrap()
    }

    #[test]
    fn the_circle_gives_every_meeting_once() {
        for members in [2, 4, 10, 60] {
            assert_eq!(most(members, 2, members - 1), 1);
        }
    }

    #[test]
    fn kirkman_sizes_that_fold_are_complete() {
        // Everybody meets everybody exactly once: (members − 1) / 2 rounds.
        for members in [9, 27, 45, 81] {
            let m = members / 3;
            let rounds = if m % 3 == 0 && m > 9 && m != 27 { m } else { (members - 1) / 2 };
            assert_eq!(most(members, 3, rounds), 1, "{members}");
        }
    }

    #[test]
    fn sizes_without_an_algebraic_movement_are_searched() {
        for (members, rounds) in [(12, 4), (15, 6), (18, 7), (24, 9), (30, 10), (42, 15), (54, 20)] {
            assert_eq!(most(members, 3, rounds), 1, "{members} members, {rounds} rounds");
        }
    }

    #[test]
    fn two_tables_meet_as_rarely_as_the_pigeonholes_allow() {
        assert_eq!(most(6, 3, 2), 2);
        assert!(most(6, 3, 10) <= 5);
    }
}
