//! The checker's own ranking, and whether those advance whom it gives.

use super::{
    Advance, AdvancedBy, Amount, BTreeMap, BTreeSet, Decision, DrawPurpose, Exact, Measure, Role,
    RoundRobinRules, Ruling, Score, Sitting, Standing, Status, StreamFaultKind, Sums, Watch,
};
use crate::formats::CarryOver;
use std::cmp::Ordering;

/// What a ruling makes of a result.
enum Ruled {
    Score(Exact),
    Nothing,
}

/// Who has met whom, and the round points of it.
type Won<'a> = (&'a str, &'a str, u32);

impl<'a> Watch<'a> {
    /// The rulings that hold, first to last.
    fn in_force(&self) -> Vec<&'a Ruling> {
        let mut gone = BTreeSet::new();
        let mut holding = Vec::new();
        // Backwards: a withdrawal is known before what it withdraws.
        for ruling in self.rulings.iter().rev() {
            match ruling.decision {
                Decision::Withdraw { ruling } => {
                    gone.insert(ruling);
                }
                _ if gone.contains(&ruling.number) => {}
                _ => holding.push(*ruling),
            }
        }
        holding.reverse();
        holding
    }

    /// Those who do not take part in the ranking any more.
    fn gone(&self) -> BTreeSet<&'a str> {
        let mut gone = BTreeSet::new();
        for ruling in self.in_force() {
            if let Decision::Standing { entrant, standing } = &ruling.decision {
                if *standing == Standing::Ranked {
                    gone.remove(entrant.as_str());
                } else {
                    gone.insert(entrant.as_str());
                }
            }
        }
        gone
    }

    /// What a sitting counts for one of its two entrants.
    fn worth(&self, sitting: &'a Sitting, position: usize) -> Exact {
        let Some(who) = self.at(sitting, position) else { return Exact::ZERO };
        let board = sitting.deal.board;
        let mut score = self.score(sitting, position).map(Exact::from);
        let mut penalties = Exact::ZERO;
        for ruling in self.in_force() {
            let ruled = match &ruling.decision {
                Decision::Void { board: void } if *void == board => return Exact::ZERO,
                Decision::Score { board: on, entrant, score } if *on == board && entrant == who => {
                    Ruled::Score(score.exact())
                }
                Decision::Weighted { board: on, entrant, outcomes } if *on == board && entrant == who => {
                    let shares = outcomes.iter().map(|one| &one.weight * &Score::exact(&one.score));
                    Ruled::Score(shares.collect::<Vec<_>>().iter().sum())
                }
                Decision::Status { board: on, entrant, status } if *on == board && entrant == who => {
                    debug_assert!(*status != Status::Played);
                    Ruled::Nothing
                }
                Decision::Penalty { board: on, entrant, amount: Amount::Points(points) }
                    if *on == board && entrant == who =>
                {
                    penalties += points;
                    continue;
                }
                _ => continue,
            };
            score = match ruled {
                Ruled::Score(score) => Some(score),
                Ruled::Nothing => None,
            };
        }
        &score.unwrap_or(Exact::ZERO) - &penalties
    }

    fn score(&self, sitting: &'a Sitting, position: usize) -> Option<i64> {
        let seat = self.settings.positions.get(position)?.first()?;
        let finished = self.finished.get(&sitting.sitting)?;
        let score = *finished.scores.get(seat)?;
        match (self.settings.measure, finished.roles.get(seat)) {
            (Measure::Score, _) => Some(score),
            (Measure::SmallPoints, Some(Role::Defender)) => finished.small,
            (Measure::SmallPoints, Some(Role::Banker)) => finished.small?.checked_neg(),
            (Measure::SmallPoints, None) => None,
        }
    }

    /// The round points of the meetings of a stage: who, whom, how many; and what everybody has won net.
    fn outcome(&self, stage: u32, rules: &RoundRobinRules) -> (Vec<Won<'a>>, BTreeMap<&'a str, Exact>) {
        let mut won = Vec::new();
        let mut net: BTreeMap<&str, Exact> = BTreeMap::new();
        for round in self.rounds.iter().filter(|round| round.stage == stage && !round.replay) {
            for (table, (one, other)) in self.pairs(round) {
                let mut boards: BTreeSet<u32> =
                    round.sittings.iter().map(|sitting| sitting.deal.board).collect();
                // Each replay stands after what it replays.
                for replay in &self.replays {
                    if boards.contains(&replay.board) {
                        boards.insert(replay.instead);
                    }
                }
                let (mut first, mut second) = (Exact::ZERO, Exact::ZERO);
                for sitting in self.sittings.values() {
                    if sitting.table == table && boards.contains(&sitting.deal.board) {
                        first += &self.worth(sitting, 0);
                        second += &self.worth(sitting, 1);
                    }
                }
                let (for_one, for_other) = match first.cmp(&second) {
                    Ordering::Equal => (rules.points.draw, rules.points.draw),
                    Ordering::Greater => (rules.points.win, rules.points.loss),
                    Ordering::Less => (rules.points.loss, rules.points.win),
                };
                won.extend([(one, other, for_one), (other, one, for_other)]);
                let zero_sum = self.settings.positions.len() == 2;
                *net.entry(one).or_insert(Exact::ZERO) +=
                    &if zero_sum { first.clone() } else { &first - &second };
                *net.entry(other).or_insert(Exact::ZERO) += &if zero_sum { second } else { &second - &first };
            }
        }
        (won, net)
    }

    /// The ranking of a group: places with those who share them.
    fn ranked(&self, stage: u32, rules: &RoundRobinRules, group: &str) -> Vec<Vec<Sums<'a>>> {
        let (won, net) = self.outcome(stage, rules);
        let gone = self.gone();
        let entrants = self.groups.get(&(stage, group)).copied().unwrap_or_default();
        let all: Vec<Sums> = entrants
            .iter()
            .map(String::as_str)
            .filter(|who| !gone.contains(who))
            .map(|who| {
                let own = won.iter().filter(|(one, ..)| *one == who);
                let (points, before) =
                    self.carried.get(&(stage, who)).cloned().unwrap_or((Exact::ZERO, Exact::ZERO));
                let met = u32::try_from(own.clone().count()).unwrap_or(u32::MAX);
                let points = own.fold(points, |sum, (_, _, given)| &sum + &Exact::from(*given));
                Sums { who, points, net: &before + net.get(who).unwrap_or(&Exact::ZERO), met }
            })
            .collect();
        let mut places = parts(vec![all], |one| (one.points.clone(), one.net.clone()));
        // Mini tables until none separates.
        loop {
            let finer: Vec<Vec<Sums>> = places
                .iter()
                .flat_map(|tied| {
                    let inside = |who: &str| tied.iter().any(|one| one.who == who);
                    let own = |one: &Sums| {
                        let met = won.iter().filter(|(me, whom, _)| *me == one.who && inside(whom));
                        met.fold(0_u64, |sum, (.., given)| sum + u64::from(*given))
                    };
                    parts(vec![tied.clone()], own)
                })
                .collect();
            if finer.len() == places.len() {
                break;
            }
            places = finer;
        }
        let lots: Vec<&Vec<String>> = self
            .draws
            .iter()
            .filter(|draw| {
                draw.due.purpose == DrawPurpose::Lot
                    && draw.due.stage == stage
                    && draw.due.group.as_deref() == Some(group)
            })
            .map(|draw| &draw.order)
            .collect();
        places
            .into_iter()
            .flat_map(|tied| {
                let whole =
                    |lot: &&&Vec<String>| tied.iter().all(|one| lot.iter().any(|name| name == one.who));
                match lots.iter().rev().find(whole) {
                    Some(lot) => parts(vec![tied], |one| {
                        std::cmp::Reverse(lot.iter().position(|name| name == one.who))
                    }),
                    None => vec![tied],
                }
            })
            .collect()
    }

    fn names(&self, stage: u32) -> Vec<&'a str> {
        self.groups.keys().filter(|(of, _)| *of == stage).map(|(_, group)| *group).collect()
    }

    /// TL §8.6: a finished stage never ends in a shared place.
    pub(super) fn settled(&mut self) {
        let Some(stage) = self.closed else { return };
        let Some(rules) = self.robin(stage) else { return };
        let shared = self
            .names(stage)
            .into_iter()
            .any(|group| self.ranked(stage, rules, group).iter().any(|place| place.len() > 1));
        if shared {
            self.fault(StreamFaultKind::Shared { stage });
        }
    }

    pub(super) fn advance(&mut self, order: &'a Advance) {
        let stage = order.stage.saturating_sub(1);
        self.settled();
        self.members.insert(order.stage, order.entrants.iter().map(String::as_str).collect());
        let at = (stage as usize).checked_sub(1);
        let rules = at.and_then(|at| self.settings.stages.get(at)).and_then(|stage| stage.advance.as_ref());
        let Some(advance) = rules.filter(|_| self.closed == Some(stage)) else {
            self.fault(StreamFaultKind::Misplaced);
            return;
        };
        let named: BTreeSet<&str> = order.entrants.iter().map(String::as_str).collect();
        let gone = self.gone();
        let known = self.members.get(&stage).cloned().unwrap_or_default();
        let sound = named.len() == order.entrants.len()
            && order.by.keys().map(String::as_str).eq(named.iter().copied())
            && named.iter().all(|who| known.contains(who) && !gone.contains(who));
        if !sound || !self.by_places(stage, advance.quota, advance.wild, order) {
            self.fault(StreamFaultKind::Advance { stage });
        }
        if let (Some(rules), CarryOver::Points) = (self.robin(stage), advance.carry) {
            let groups = self.names(stage).into_iter();
            let sums: Vec<Sums> =
                groups.flat_map(|group| self.ranked(stage, rules, group)).flatten().collect();
            for one in sums {
                self.carried.insert((order.stage, one.who), (one.points, one.net));
            }
        }
    }

    /// Whether quota and wild cards are those of the ranking. Of a stage without groups only the numbers are checked here:
    /// its ranking is that of the comparison.
    fn by_places(&self, stage: u32, quota: u32, wild: u32, order: &Advance) -> bool {
        let came =
            |by: AdvancedBy| order.by.iter().filter(move |(_, own)| **own == by).map(|(who, _)| who.as_str());
        let (placed, cards): (BTreeSet<&str>, BTreeSet<&str>) =
            (came(AdvancedBy::Quota).collect(), came(AdvancedBy::Wild).collect());
        let Some(rules) = self.robin(stage) else {
            return placed.len() <= quota as usize && cards.len() <= wild as usize;
        };
        let names = self.names(stage);
        let sizes: BTreeSet<usize> = names
            .iter()
            .filter_map(|group| self.groups.get(&(stage, group)))
            .map(|group| group.len())
            .collect();
        let mut by_quota = BTreeSet::new();
        let mut others: Vec<(&str, usize, Sums)> = Vec::new();
        for group in &names {
            let order = self.ranked(stage, rules, group).into_iter().flatten();
            for (place, one) in order.enumerate() {
                if place < quota as usize {
                    by_quota.insert(one.who);
                } else {
                    others.push((group, place, one));
                }
            }
        }
        if by_quota != placed || cards.len() != others.len().min(wild as usize) {
            return false;
        }
        let share = |one: &Sums| {
            let by = if sizes.len() > 1 { one.met.max(1) } else { 1 };
            (one.points.per(by), one.net.per(by))
        };
        // Nobody with a card has less than somebody without one; in a group cards go by the places.
        let (with, without): (Vec<_>, Vec<_>) =
            others.iter().partition(|(_, _, one)| cards.contains(one.who));
        with.len() == cards.len()
            && with.iter().all(|(group, place, one)| {
                without.iter().all(|(other_group, other_place, other)| {
                    share(one) >= share(other) && (group != other_group || place < other_place)
                })
            })
            && self.lots_kept(stage, &with, &without, share)
    }

    /// Where only a lot decided between those with and those without a card, that it was drawn and kept: the best lot of a
    /// group that is left is not before the worst one that was taken.
    fn lots_kept(
        &self,
        stage: u32,
        with: &[&(&str, usize, Sums<'a>)],
        without: &[&(&str, usize, Sums<'a>)],
        share: impl Fn(&Sums<'a>) -> (Exact, Exact),
    ) -> bool {
        let Some(border) = with.iter().map(|(_, _, one)| share(one)).min() else { return true };
        let at = |list: &[&(&str, usize, Sums<'a>)]| -> Vec<(String, &'a str)> {
            let equal = list.iter().filter(|(_, _, one)| share(one) == border);
            equal.map(|(group, _, one)| ((*group).to_owned(), one.who)).collect()
        };
        let (taken, left) = (at(with), at(without));
        let groups: BTreeSet<&String> = taken.iter().chain(&left).map(|(group, _)| group).collect();
        if left.is_empty() || groups.len() < 2 {
            return true;
        }
        let everybody: Vec<&(String, &str)> = taken.iter().chain(&left).collect();
        let lot = self.draws.iter().rev().find(|draw| {
            draw.due.purpose == DrawPurpose::Wild
                && draw.due.stage == stage
                && everybody.iter().all(|(_, who)| draw.order.iter().any(|name| name == who))
        });
        let Some(lot) = lot else { return false };
        let own =
            |name: &String| everybody.iter().find(|(_, who)| name == who).map(|(group, _)| group.clone());
        let mut drawn: Vec<String> = lot.order.iter().filter_map(own).take(taken.len()).collect();
        let mut given: Vec<String> = taken.into_iter().map(|(group, _)| group).collect();
        drawn.sort_unstable();
        given.sort_unstable();
        drawn == given
    }
}

/// Splits each part by a value, the largest first.
fn parts<'a, K: Ord>(all: Vec<Vec<Sums<'a>>>, value: impl Fn(&Sums<'a>) -> K) -> Vec<Vec<Sums<'a>>> {
    let mut split = Vec::new();
    for part in all {
        let mut classes: BTreeMap<K, Vec<Sums<'a>>> = BTreeMap::new();
        for one in part {
            classes.entry(value(&one)).or_default().push(one);
        }
        split.extend(classes.into_values().rev());
    }
    split
}
