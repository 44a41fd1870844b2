//! Rankings and standings of the stages.

use std::collections::{BTreeMap, BTreeSet};

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{Competition, Running, ScheduledRound};
use crate::formats::advance::{Placed, Seeded, advance};
use crate::formats::ruling::Decision;
use crate::formats::tally::points;
use crate::formats::{DrawPurpose, Occupant, RoundRobinRules, StageFormat};
use crate::scoring::rounds::{ChainTable, Chained, Meeting, RoundStep, by_rounds};
use crate::scoring::{Exact, Place, RankStyle, Ranking, Standing, Step};

/// The ranking of a stage: the closed list of its kinds.
#[derive(Clone, Debug)]
pub enum StageRanking {
    /// By comparison of results on the same boards.
    Comparison(Ranking),
    /// By rounds, a table for each group.
    Rounds(Vec<GroupTable>),
}

/// The ranking of a group by its rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupTable {
    /// The group.
    pub group: String,
    /// What its entrants have from the meetings that are over, in the order of their numbers.
    pub totals: Vec<Chained>,
    /// The meetings that are over.
    pub encounters: Vec<Encounter>,
    /// The ranking of those who take part in it.
    pub table: ChainTable,
    /// Those who have left the event, with the reason.
    pub unranked: Vec<(String, &'static str)>,
}

/// A meeting of two entrants that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
    /// The entrant in the first position.
    pub one: String,
    /// The other entrant.
    pub other: String,
    /// The sum of the deals' scores of each.
    pub scores: (Exact, Exact),
    /// The round points of each.
    pub points: (u32, u32),
}

/// A row of the standings of a stage or group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingRow {
    /// The stage.
    pub stage: u32,
    /// The group, where the stage has groups.
    pub group: Option<String>,
    /// The place as it is printed; `None` without one.
    pub rank: Option<String>,
    /// Why there is no place; `None` with one.
    pub unranked: Option<&'static str>,
    /// The entrant.
    pub entrant: String,
    /// The numbers in the order of the page.
    pub columns: Vec<(&'static str, Exact)>,
    /// The step that parts this row from the next one; `None` in the last row.
    pub decided_by: Option<&'static str>,
    /// The meetings that decided a direct encounter.
    pub encounters: Vec<Encounter>,
}

impl Serialize for StandingRow {
    /// As the standings of a bundle and of `fushi demo --format json`: numbers are integers or `[n,d]`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(None)?;
        row.serialize_entry("stage", &self.stage)?;
        if let Some(group) = &self.group {
            row.serialize_entry("group", group)?;
        }
        row.serialize_entry("rank", &self.rank)?;
        if let Some(unranked) = self.unranked {
            row.serialize_entry("unranked", unranked)?;
        }
        row.serialize_entry("entrant", &self.entrant)?;
        let columns: Map<String, Value> =
            self.columns.iter().map(|(key, value)| ((*key).to_owned(), number(value))).collect();
        row.serialize_entry("columns", &columns)?;
        row.serialize_entry("decided_by", &self.decided_by)?;
        row.end()
    }
}

fn number(value: &Exact) -> Value {
    match value.small_parts() {
        Some((whole, 1)) => json!(whole),
        Some((num, den)) => json!([num, den]),
        None => {
            let (num, den) = value.parts();
            json!([num.to_string(), den.to_string()])
        }
    }
}

impl Competition {
    /// The ranking of a stage that has begun.
    #[must_use]
    pub fn ranking(&self, stage: u32) -> Option<StageRanking> {
        self.ranking_of(self.stages.iter().find(|running| running.stage == stage)?)
    }

    fn ranking_of(&self, running: &Running) -> Option<StageRanking> {
        match &self.rules_of(running.stage)?.format {
            StageFormat::Movement(_) => {
                Some(StageRanking::Comparison(self.tally_stage(Some(running.stage)).ok()?.ranking))
            }
            StageFormat::RoundRobin(rules) => Some(StageRanking::Rounds(self.tables(running, rules))),
        }
    }

    /// The standings of every stage that has begun, stage by stage and group by group.
    #[must_use]
    pub fn standings(&self) -> Vec<StandingRow> {
        let mut rows = Vec::new();
        for running in &self.stages {
            match self.ranking_of(running) {
                Some(StageRanking::Comparison(ranking)) => {
                    rows.extend(comparison_rows(running.stage, &ranking, &self.settings.scoring.tie_break));
                }
                Some(StageRanking::Rounds(tables)) => {
                    let style = self.settings.scoring.style;
                    rows.extend(tables.iter().flat_map(|table| group_rows(running.stage, table, style)));
                }
                None => {}
            }
        }
        rows
    }

    /// Those who have left the event.
    fn left(&self) -> BTreeMap<String, &'static str> {
        let mut left = BTreeMap::new();
        for ruling in self.holding() {
            if let Decision::Standing { entrant, standing } = &ruling.decision {
                match standing {
                    Standing::Ranked => left.remove(entrant),
                    _ => left.insert(entrant.clone(), standing.id()),
                };
            }
        }
        left
    }

    fn lots(&self, stage: u32, purpose: DrawPurpose, group: Option<&str>) -> Vec<Vec<String>> {
        let of = self.draws.iter().filter(|draw| {
            (draw.due.stage, draw.due.purpose, draw.due.group.as_deref()) == (stage, purpose, group)
        });
        of.map(|draw| draw.order.clone()).collect()
    }

    /// The tables of the groups of a round-robin.
    fn tables(&self, running: &Running, rules: &RoundRobinRules) -> Vec<GroupTable> {
        let encounters = self.encounters(running, rules);
        let left = self.left();
        // A zero-sum game between the two: their own sum is what they have won net (TL §8.2).
        let own = self.settings.positions.len() == 2;
        let table = |(group, entrants): (String, Vec<String>)| {
            let encounters: Vec<Encounter> = encounters
                .iter()
                .filter(|(of, _)| of.as_deref() == Some(group.as_str()))
                .map(|(_, encounter)| encounter.clone())
                .collect();
            let mut totals: Vec<Chained> = entrants
                .iter()
                .map(|entrant| {
                    let (points, net) =
                        running.carried.get(entrant).cloned().unwrap_or((Exact::ZERO, Exact::ZERO));
                    Chained::new(entrant.clone(), points, net, 0)
                })
                .collect();
            for met in &encounters {
                let (one, other) = &met.scores;
                let sides = [(&met.one, one, other, met.points.0), (&met.other, other, one, met.points.1)];
                for (entrant, score, against, points) in sides {
                    let Some(total) = totals.iter_mut().find(|total| total.entrant == *entrant) else {
                        continue;
                    };
                    total.points += &Exact::from(points);
                    total.net += &if own { score.clone() } else { score - against };
                    total.played += 1;
                }
            }
            let taking: Vec<Chained> =
                totals.iter().filter(|total| !left.contains_key(&total.entrant)).cloned().collect();
            let meetings: Vec<Meeting> = encounters
                .iter()
                .map(|met| Meeting {
                    one: met.one.clone(),
                    other: met.other.clone(),
                    points: (met.points.0.into(), met.points.1.into()),
                })
                .collect();
            // TL §8.6: places are shared only while the stage runs.
            let lots = self.lots(running.stage, DrawPurpose::Lot, Some(&group));
            let table = by_rounds(&taking, &meetings, &lots);
            let unranked = totals
                .iter()
                .filter_map(|total| Some((total.entrant.clone(), *left.get(&total.entrant)?)))
                .collect();
            GroupTable { group, totals, encounters, table, unranked }
        };
        running.course.groups().into_iter().map(table).collect()
    }

    /// Every meeting that is over, with its group.
    fn encounters(&self, running: &Running, rules: &RoundRobinRules) -> Vec<(Option<String>, Encounter)> {
        let played = self.results_of(Some(running.stage));
        let points = points(played, &self.holding());
        let mut encounters = Vec::new();
        for round in self.of_stage(running.stage).filter(|round| round.replays.is_none()) {
            let boards = self.with_replays(round);
            for (table, group) in round.plan.tables.iter().zip(&round.groups) {
                let mut entrants =
                    table.sittings.first().into_iter().flatten().filter_map(|who| who.entrant());
                let (Some(one), Some(other)) = (entrants.next(), entrants.next()) else { continue };
                if !boards.iter().all(|board| self.over_at(*board, table.table)) {
                    continue;
                }
                let (one, other) = (self.who(Occupant::Entrant(one)), self.who(Occupant::Entrant(other)));
                // TL §8.1: the points of all deals; what was not played gives nothing (TL §2.4).
                let sum = |entrant: &String| {
                    boards.iter().filter_map(|board| points.get(&(*board, entrant.clone()))).sum::<Exact>()
                };
                let scores = (sum(&one), sum(&other));
                let given = rules.points;
                let points = match scores.0.cmp(&scores.1) {
                    std::cmp::Ordering::Greater => (given.win, given.loss),
                    std::cmp::Ordering::Equal => (given.draw, given.draw),
                    std::cmp::Ordering::Less => (given.loss, given.win),
                };
                let (round, table) = (round.round, table.table);
                encounters.push((group.clone(), Encounter { round, table, one, other, scores, points }));
            }
        }
        encounters
    }

    /// The boards of a round, and those that are played in place of them.
    fn with_replays(&self, round: &ScheduledRound) -> Vec<u32> {
        let mut boards = round.plan.boards.clone();
        let mut at = 0;
        while let Some(board) = boards.get(at).copied() {
            boards.extend(
                self.replays.iter().filter(|replay| replay.board == board).map(|replay| replay.instead),
            );
            at += 1;
        }
        boards
    }

    /// Whether a board is over at a table.
    fn over_at(&self, board: u32, table: u32) -> bool {
        let ids = self.of_board.get(&board).into_iter().flatten();
        let mut here = ids.filter(|id| self.sitting(**id).is_some_and(|sitting| sitting.table == table));
        here.next().is_some_and(|id| self.finished.contains_key(id) || self.unplayed.contains(id))
    }

    /// The first set of entrants of a closed stage between whom a lot has to decide, with their group.
    pub(super) fn tied(&self, running: &Running) -> Option<(Option<String>, Vec<String>)> {
        match self.ranking_of(running)? {
            StageRanking::Rounds(tables) => tables
                .into_iter()
                .find_map(|table| Some((Some(table.group), table.table.tied.into_iter().next()?))),
            StageRanking::Comparison(ranking) => {
                // Places stay shared; a lot is drawn only where the last who advance share theirs.
                let rules = self.rules_of(running.stage)?.advance.as_ref()?;
                let lots = self.lots(running.stage, DrawPurpose::Lot, None);
                let cuts = [rules.quota, rules.quota.saturating_add(rules.wild)];
                let tied = sharing(&ranking).into_iter().find(|(place, names)| {
                    let cut = cuts.iter().any(|cut| place.first <= *cut && *cut < place.last);
                    cut && drawn(names, &lots).is_none()
                })?;
                Some((None, tied.1))
            }
        }
    }

    /// Who advances from a stage and how each came in; `None` after the last stage.
    pub(super) fn advancing(&self, running: &Running) -> Option<Result<Seeded, Vec<String>>> {
        let rules = self.rules_of(running.stage)?.advance.as_ref()?;
        let (groups, per_round) = match self.ranking_of(running)? {
            StageRanking::Rounds(tables) => {
                let sizes: BTreeSet<usize> = tables.iter().map(|table| table.totals.len()).collect();
                let placed = |table: &GroupTable| {
                    let find = |name: &str| table.totals.iter().find(|total| total.entrant == name);
                    table.table.order().into_iter().filter_map(find).map(placed_of).collect::<Vec<_>>()
                };
                (tables.iter().map(placed).collect::<Vec<_>>(), sizes.len() > 1)
            }
            StageRanking::Comparison(ranking) => {
                let lots = self.lots(running.stage, DrawPurpose::Lot, None);
                let order = sharing(&ranking)
                    .into_iter()
                    .flat_map(|(_, names)| drawn(&names, &lots).unwrap_or(names));
                let placed =
                    order.map(|entrant| placed_of(&Chained::new(entrant, Exact::ZERO, Exact::ZERO, 0)));
                (vec![placed.collect()], false)
            }
        };
        let lots = self.lots(running.stage, DrawPurpose::Wild, None);
        Some(advance(&groups, rules, per_round, &lots))
    }

    /// Round points and net points of everybody in a stage; empty where it is not played by rounds.
    pub(super) fn round_points(&self, stage: u32) -> BTreeMap<String, (Exact, Exact)> {
        match self.ranking(stage) {
            Some(StageRanking::Rounds(tables)) => tables
                .into_iter()
                .flat_map(|table| table.totals)
                .map(|total| (total.entrant, (total.points, total.net)))
                .collect(),
            _ => BTreeMap::new(),
        }
    }
}

fn placed_of(total: &Chained) -> Placed {
    Placed {
        entrant: total.entrant.clone(),
        points: total.points.clone(),
        net: total.net.clone(),
        played: total.played,
    }
}

/// Those with a place, place by place.
fn sharing(ranking: &Ranking) -> Vec<(Place, Vec<String>)> {
    let mut places: Vec<(Place, Vec<String>)> = Vec::new();
    for row in &ranking.rows {
        let Ok(place) = row.place else { continue };
        match places.last_mut().filter(|(last, _)| *last == place) {
            Some((_, names)) => names.push(row.entrant.clone()),
            None => places.push((place, vec![row.entrant.clone()])),
        }
    }
    places
}

/// Names in the order of the last lot that has them all.
fn drawn(names: &[String], lots: &[Vec<String>]) -> Option<Vec<String>> {
    let lot = lots.iter().rev().find(|lot| names.iter().all(|name| lot.contains(name)))?;
    Some(lot.iter().filter(|name| names.contains(name)).cloned().collect())
}

fn group_rows(stage: u32, table: &GroupTable, style: RankStyle) -> Vec<StandingRow> {
    let columns = |entrant: &str| {
        let total = table.totals.iter().find(|total| total.entrant == entrant);
        total.map_or_else(Vec::new, |total| {
            vec![
                (RoundStep::RoundPoints.id(), total.points.clone()),
                (RoundStep::Net.id(), total.net.clone()),
            ]
        })
    };
    let ranked = table.table.rows.iter().map(|row| StandingRow {
        stage,
        group: Some(table.group.clone()),
        rank: Some(row.place.shown(style)),
        unranked: None,
        entrant: row.entrant.clone(),
        columns: columns(&row.entrant),
        decided_by: row.decided_by.map(RoundStep::id),
        encounters: row.meetings.iter().filter_map(|at| table.encounters.get(*at)).cloned().collect(),
    });
    // TL §8.6: whoever has left keeps the row, without a place.
    let unranked = table.unranked.iter().map(|(entrant, reason)| StandingRow {
        stage,
        group: Some(table.group.clone()),
        rank: None,
        unranked: Some(reason),
        entrant: entrant.clone(),
        columns: columns(entrant),
        decided_by: None,
        encounters: Vec::new(),
    });
    ranked.chain(unranked).collect()
}

fn comparison_rows(stage: u32, ranking: &Ranking, steps: &[Step]) -> Vec<StandingRow> {
    let mut rows = Vec::with_capacity(ranking.rows.len());
    for (at, row) in ranking.rows.iter().enumerate() {
        let place = row.place.as_ref().ok();
        let next = ranking.rows.get(at + 1).filter(|next| next.place.is_ok());
        let decided_by = next.filter(|_| place.is_some()).map(|next| {
            if next.place == row.place {
                return Step::Shared.id();
            }
            if next.average != row.average {
                return Step::Average.id();
            }
            // The earlier of the steps at which each of them was told from others.
            let at = |step: &Step| steps.iter().position(|own| own == step).unwrap_or(usize::MAX);
            let decided = [row.decided_by, next.decided_by].into_iter().flatten().min_by_key(at);
            decided.unwrap_or(Step::Shared).id()
        });
        let average = row.average.clone().map(|average| ("average", average));
        rows.push(StandingRow {
            stage,
            group: None,
            rank: place.map(|place| place.shown(ranking.style)),
            unranked: row.place.as_ref().err().map(|reason| reason.id()),
            entrant: row.entrant.clone(),
            columns: average.into_iter().chain([("boards", Exact::from(row.boards))]).collect(),
            decided_by,
            encounters: Vec::new(),
        });
    }
    rows
}
