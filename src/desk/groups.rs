//! Round-robins as organizers put them together: groups, deals, round points, and a final stage.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{opening, outlook};
use crate::event::model::Event;
use crate::formats::settings::{Entrant, Settings};
use crate::formats::{
    Advancement, BoardSet, CarryOver, Competition, DrawDue, DrawMade, RoundPoints, RoundRobinRules, Seeding,
    Stage, StageFormat, boards_needed, order_of,
};
use crate::games::{Fault, Game};
use crate::words::message;

/// Maximum number of entrants of a group.
const GROUP_MAX: u32 = 64;
/// Maximum number of deals of a round.
const DEALS_MAX: u32 = 64;
/// Maximum number of round points of a meeting.
const POINTS_MAX: u32 = 1000;

/// What an organizer says about a round-robin; what is absent stays as it is, or takes its usual value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RoundRobinFields {
    /// Maximum number of entrants of a group.
    pub group_size: Option<u32>,
    /// Number of deals of a round.
    pub deals: Option<u32>,
    /// Round points of the winner.
    pub win: Option<u32>,
    /// Round points of each if nobody wins.
    pub draw: Option<u32>,
    /// Round points of the loser.
    pub loss: Option<u32>,
    /// Whether a final stage follows.
    #[serde(rename = "final")]
    pub final_stage: Option<bool>,
    /// How many of each group advance by their place.
    pub quota: Option<u32>,
    /// How many more advance as the best of the others.
    pub wild: Option<u32>,
    /// What is taken along into the final stage: `none` or `points`.
    pub carry: Option<CarryOver>,
    /// How the places of the final stage are given: `draw` or `places`.
    pub seeding: Option<Seeding>,
    /// Entrants that have a group without a draw: entrant id → name of the group.
    pub pins: Option<BTreeMap<String, String>>,
    /// Maximum number of entrants of a group of the final stage.
    pub final_size: Option<u32>,
    /// Number of deals of a round of the final stage.
    pub final_deals: Option<u32>,
}

/// Eight of each group, as the Tuolaji rulebook has it (TL §2.1).
const USUAL: RoundRobinRules =
    RoundRobinRules { group_size: 8, deals: 4, points: RoundPoints { win: 2, draw: 1, loss: 0 } };

fn rules_of(stage: Option<&Stage>) -> Option<RoundRobinRules> {
    match stage.map(|stage| &stage.format) {
        Some(StageFormat::RoundRobin(rules)) => Some(*rules),
        Some(StageFormat::Movement(_)) | None => None,
    }
}

/// What the settings of an event say of a round-robin; `None`: it is none.
#[must_use]
pub fn fields_of(settings: &Settings) -> Option<RoundRobinFields> {
    let rules = rules_of(settings.stages.first())?;
    let last = rules_of(settings.stages.get(1));
    let advance = settings.stages.first().and_then(|stage| stage.advance.clone());
    Some(RoundRobinFields {
        group_size: Some(rules.group_size),
        deals: Some(rules.deals),
        win: Some(rules.points.win),
        draw: Some(rules.points.draw),
        loss: Some(rules.points.loss),
        final_stage: Some(last.is_some()),
        quota: advance.as_ref().map(|advance| advance.quota),
        wild: advance.as_ref().map(|advance| advance.wild),
        carry: advance.as_ref().map(|advance| advance.carry),
        seeding: advance.as_ref().map(|advance| advance.seeding),
        pins: advance.map(|advance| advance.pins),
        final_size: last.map(|rules| rules.group_size),
        final_deals: last.map(|rules| rules.deals),
    })
}

/// Makes the stages of an event a round-robin, or changes them.
pub fn apply<G: Game>(event: &mut Event<G>, fields: &RoundRobinFields) {
    let stages = &event.settings.stages;
    let known = rules_of(stages.first()).unwrap_or(USUAL);
    let known_final = rules_of(stages.get(1));
    let rules = RoundRobinRules {
        group_size: fields.group_size.unwrap_or(known.group_size),
        deals: fields.deals.unwrap_or(known.deals),
        points: RoundPoints {
            win: fields.win.unwrap_or(known.points.win),
            draw: fields.draw.unwrap_or(known.points.draw),
            loss: fields.loss.unwrap_or(known.points.loss),
        },
    };
    let usual = Advancement {
        quota: 2,
        wild: 0,
        carry: CarryOver::None,
        seeding: Seeding::Draw,
        pins: BTreeMap::new(),
    };
    let before = stages.first().and_then(|stage| stage.advance.clone()).unwrap_or(usual);
    let mut first = Stage { format: StageFormat::RoundRobin(rules), advance: None };
    let mut stages = Vec::new();
    if fields.final_stage.unwrap_or(known_final.is_some()) {
        first.advance = Some(Advancement {
            quota: fields.quota.unwrap_or(before.quota),
            wild: fields.wild.unwrap_or(before.wild),
            carry: fields.carry.unwrap_or(before.carry),
            seeding: fields.seeding.unwrap_or(before.seeding),
            pins: fields.pins.clone().unwrap_or(before.pins),
        });
        stages.push(first);
        let last = RoundRobinRules {
            group_size: fields
                .final_size
                .unwrap_or(known_final.map_or(rules.group_size, |last| last.group_size)),
            deals: fields.final_deals.unwrap_or(known_final.map_or(rules.deals, |last| last.deals)),
            points: rules.points,
        };
        stages.push(Stage { format: StageFormat::RoundRobin(last), advance: None });
    } else {
        stages.push(first);
    }
    event.settings.stages = stages;
}

/// Everything about a round-robin that cannot be, whoever enters.
#[must_use]
pub fn faults(settings: &Settings) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut within = |name: &str, value: u32, (least, most): (u32, u32)| {
        if !(least..=most).contains(&value) {
            let told = message!("draft-groups-range", name, value, least, most);
            faults.push(Fault::new("out_of_range", told));
        }
    };
    for (stage, prefix) in settings.stages.iter().zip(["", "final_"]) {
        let Some(rules) = rules_of(Some(stage)) else { continue };
        within(if prefix.is_empty() { "group_size" } else { "final_size" }, rules.group_size, (2, GROUP_MAX));
        within(if prefix.is_empty() { "deals" } else { "final_deals" }, rules.deals, (1, DEALS_MAX));
        within("win", rules.points.win, (0, POINTS_MAX));
        if let Some(advance) = &stage.advance {
            within("quota", advance.quota, (0, rules.group_size));
            within("wild", advance.wild, (0, GROUP_MAX));
        }
    }
    let points = rules_of(settings.stages.first()).map(|rules| rules.points);
    if points.is_some_and(|points| {
        points.win <= points.loss || points.draw < points.loss || points.win < points.draw
    }) {
        faults.push(Fault::new("bad_points", message!("draft-groups-points")));
    }
    faults
}

/// A round as a preview shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundAhead {
    /// The stage.
    pub stage: u32,
    /// The round, counted over the whole event.
    pub round: u32,
    /// Its boards.
    pub boards: Vec<u32>,
    /// Number of tables.
    pub tables: usize,
    /// Number of entrants who sit out.
    pub byes: usize,
}

/// A round-robin as it would be with a number of entrants.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Ahead {
    /// Stage, group and number of its entrants, in order.
    pub groups: Vec<(u32, String, usize)>,
    /// The rounds of all stages.
    pub rounds: Vec<RoundAhead>,
    /// How many take part in the final stage.
    pub advancing: Option<u32>,
}

/// A draw of a preview: nobody is bound by it.
fn any_draw(due: DrawDue) -> DrawMade {
    let seed = "0".repeat(64);
    DrawMade { order: order_of(&due, &seed), due, seed, delayed: false }
}

/// How a round-robin would be with a number of entrants.
///
/// # Errors
/// Why it cannot be, and what would work.
pub fn preview<G: Game>(event: &Event<G>, entrants: u32) -> Result<Ahead, Vec<Fault>> {
    let mut ahead = Ahead::default();
    boards_needed(&event.settings.stages, entrants)
        .map_err(|refused| outlook::ways(&event.settings, entrants as usize, &refused))?;
    let mut count = entrants;
    for (number, stage) in (1..).zip(&event.settings.stages) {
        let mut one = event.clone();
        // Pins name entrants; a preview has none.
        one.settings.stages = vec![Stage { format: stage.format.clone(), advance: None }];
        one.entrants = (1..=count)
            .map(|number| Entrant { id: format!("e{number}"), number, ..Entrant::default() })
            .collect();
        let set = BoardSet { id: "s1".to_owned(), first: 1, last: one.settings.boards(), reserve: false };
        let setups = G::setups(&one.rules);
        let competition = opening::trial(&one, &Competition::new(&one.settings, &[set], &setups), &any_draw)?;
        let (rounds, boards) =
            (ahead.rounds.len(), ahead.rounds.iter().map(|one| one.boards.len()).sum::<usize>());
        let (rounds, boards) =
            (u32::try_from(rounds).unwrap_or(u32::MAX), u32::try_from(boards).unwrap_or(u32::MAX));
        let mut groups: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for round in competition.schedule() {
            for (table, group) in round.plan.tables.iter().zip(&round.groups) {
                let seated = table.sittings.iter().flatten().filter_map(|one| one.entrant());
                groups.entry(group.clone().unwrap_or_default()).or_default().extend(seated);
            }
            ahead.rounds.push(RoundAhead {
                stage: number,
                round: rounds.saturating_add(round.plan.round),
                boards: round.plan.boards.iter().map(|board| boards.saturating_add(*board)).collect(),
                tables: round.plan.tables.len(),
                byes: round.plan.byes.len(),
            });
        }
        let formed = u32::try_from(groups.len()).unwrap_or(u32::MAX);
        ahead.groups.extend(groups.into_iter().map(|(name, members)| (number, name, members.len())));
        if let Some(advance) = &stage.advance {
            count = formed.saturating_mul(advance.quota).saturating_add(advance.wild);
            ahead.advancing = Some(count);
        }
    }
    Ok(ahead)
}
