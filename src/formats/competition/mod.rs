//! The state machine of an event: facts go in, orders come out.
//!
//! [`Competition::check`] answers a fact with the orders that follow from it, or with a typed reason, and changes nothing;
//! [`Competition::apply`] carries both out and cannot fail for what `check` has answered. The same facts lead to the same
//! orders on every machine.
//!
//! The course of an event: `locked`; while a draw is due, `draw`; for each round `round`, then `finished` for each of its
//! sittings or a `bell` with those that are not played; `closed` for the stage, and lots where nothing else separates; the
//! order `advance`, and the next stage begins in the same way; the order `end` after the last one. Rulings and pauses come at
//! any time.

mod check;
mod ranked;
mod results;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use ranked::{Encounter, GroupTable, StageRanking, StandingRow};

use super::course::{Course, Member, Planned};
use super::movement::Movement;
use super::round_robin::{RoundRobin, Spread};
use super::ruling::Ruling;
use super::settings::Settings;
use super::{
    Advance, DealRef, DrawDue, DrawMade, Fact, Finished, Locked, Occupant, Order, Refused, Replay, Round,
    Seeding, Setup, Sitting, Stage, StageFormat, StageLine, Table, draw,
};
use crate::scoring::Exact;

/// A set of boards, as announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSet {
    /// Its id.
    pub id: String,
    /// Number of its first board.
    pub first: u32,
    /// Number of its last board.
    pub last: u32,
    /// Whether it is kept back for replays.
    pub reserve: bool,
}

impl BoardSet {
    const fn holds(&self, board: u32) -> bool {
        self.first <= board && board <= self.last
    }
}

/// A round, as far as rounds are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledRound {
    /// The stage.
    pub stage: u32,
    /// The round, from 1 in each stage.
    pub round: u32,
    /// Boards, tables and byes; its own number counts rounds from 1 over the whole event. Entrants are named by their
    /// numbers.
    pub plan: Round,
    /// The group of each table, where the stage has groups.
    pub groups: Vec<Option<String>>,
    /// What each board begins with.
    pub setups: Vec<Setup>,
    /// The void board that this round replays.
    pub replays: Option<u32>,
}

/// A stage that has begun.
#[derive(Clone, Debug)]
struct Running {
    stage: u32,
    course: Course,
    members: Vec<Member>,
    /// Round points and net points that were taken along.
    carried: BTreeMap<String, (Exact, Exact)>,
    /// Whether its rounds are in the schedule.
    scheduled: bool,
    closed: bool,
}

/// A round that has started.
#[derive(Clone, Debug)]
struct Started {
    minutes: u32,
    /// Ids of its sittings.
    sittings: std::ops::RangeInclusive<u32>,
    /// How many of them are open.
    open: u32,
    rang: bool,
}

/// An event from the closing of its entries to its end. See the [module](self).
///
/// ```
/// use fushi::formats::{
///     BoardSet, Competition, DrawMade, Fact, Fill, Format, Locked, MovementRules, Order, RoundStarted, Stage,
///     StageFormat, order_of, settings::Settings,
/// };
///
/// let kind = Format::HumanAi { seat: 0 };
/// let rules = MovementRules { kind, boards: 2, boards_per_round: 2, fill: Fill::StandIn };
/// let stages = vec![Stage { format: StageFormat::Movement(rules), advance: None }];
/// let positions = ["A", "B", "C"].map(|seat| vec![seat.to_owned()]).to_vec();
/// let settings = Settings {
///     title: "Evening".to_owned(),
///     positions,
///     opponents: Some("fast".to_owned()),
///     measure: Default::default(),
///     scoring: Default::default(),
///     stages,
/// };
/// let set = BoardSet { id: "s1".to_owned(), first: 1, last: 2, reserve: false };
/// let mut event = Competition::new(&settings, &[set], &[]);
/// let mut happens = |fact: Fact| {
///     let orders = event.check(&fact).unwrap();
///     event.apply(&fact, &orders);
///     (event.due_draw(), orders)
/// };
/// let entrants = vec!["e1".to_owned(), "e2".to_owned()];
/// let (due, _) = happens(Fact::Locked(Locked::of(entrants, &[1, 2], &settings.stages)));
/// let (due, seed) = (due.unwrap(), "0".repeat(64));
/// happens(Fact::Draw(DrawMade { order: order_of(&due, &seed), due, seed, delayed: false }));
/// let (_, orders) = happens(Fact::Round(RoundStarted { stage: 1, round: 1, minutes: 0 }));
/// assert_eq!(orders.iter().filter(|order| matches!(order, Order::Sit(_))).count(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct Competition {
    settings: Settings,
    sets: Vec<BoardSet>,
    setups: Vec<Setup>,
    members: Vec<Member>,
    stages: Vec<Running>,
    schedule: Vec<ScheduledRound>,
    started: BTreeMap<(u32, u32), Started>,
    sittings: Vec<Sitting>,
    /// Ids of the sittings of each board.
    of_board: BTreeMap<u32, Vec<u32>>,
    finished: BTreeMap<u32, Finished>,
    unplayed: BTreeSet<u32>,
    rulings: Vec<Ruling>,
    draws: Vec<DrawMade>,
    replays: Vec<Replay>,
    advances: Vec<Advance>,
    paused: bool,
    ended: bool,
}

impl Locked {
    /// The closing of entries: ids with their numbers, in rising order of these.
    #[must_use]
    pub fn of(entrants: Vec<String>, numbers: &[u32], stages: &[Stage]) -> Locked {
        let counted = (1..).zip(numbers).all(|(place, number)| place == *number);
        let numbers = if counted { Vec::new() } else { numbers.to_vec() };
        Locked { entrants, numbers, stages: stage_lines(stages) }
    }
}

/// The stages, as the closing of the entries tells them.
fn stage_lines(stages: &[Stage]) -> Vec<StageLine> {
    (1..)
        .zip(stages)
        .map(|(number, stage)| StageLine {
            stage: number,
            format: stage.format.name().to_owned(),
            quota: stage.advance.as_ref().map(|advance| advance.quota),
            wild: stage.advance.as_ref().map(|advance| advance.wild),
        })
        .collect()
}

/// The order that a seed gives: the list of the draw by the numbers that its entrants draw ([`super::draw`]).
#[must_use]
pub fn order_of(due: &DrawDue, seed: &str) -> Vec<String> {
    let drawn = draw(u32::try_from(due.among.len()).unwrap_or(u32::MAX), seed.as_bytes());
    drawn.places().into_iter().filter_map(|place| due.among.get(place).cloned()).collect()
}

/// How many boards the stages need together with so many entrants.
///
/// # Errors
/// The stages do not follow from one another, or the entrants do not fit them.
pub fn boards_needed(stages: &[Stage], entrants: u32) -> Result<u32, Refused> {
    let mut entrants = entrants;
    let mut boards = 0_u32;
    for (number, stage) in (1..).zip(stages) {
        let (own, groups) = stage.format.extent(number, entrants)?;
        boards = boards.saturating_add(own);
        match &stage.advance {
            None if number as usize == stages.len() => {}
            Some(advance) if (number as usize) < stages.len() => {
                let least = groups.iter().min().copied().unwrap_or(0);
                let count = u32::try_from(groups.len()).unwrap_or(u32::MAX);
                let advancing = count.saturating_mul(advance.quota).saturating_add(advance.wild);
                if advance.quota > least || advancing < 2 || advancing > entrants {
                    return Err(Refused::Advancement(number));
                }
                entrants = advancing;
            }
            _ => return Err(Refused::Stages),
        }
    }
    if stages.is_empty() { Err(Refused::Stages) } else { Ok(boards) }
}

impl Competition {
    /// An event before its entries are closed. `sets` are the announced sets, `setups` what boards begin with, one after the
    /// other in a cycle ([`crate::games::Game::setups`]); empty where a game needs nothing beside the cards.
    #[must_use]
    pub fn new(settings: &Settings, sets: &[BoardSet], setups: &[Setup]) -> Competition {
        Competition {
            settings: settings.clone(),
            sets: sets.to_vec(),
            setups: setups.to_vec(),
            members: Vec::new(),
            stages: Vec::new(),
            schedule: Vec::new(),
            started: BTreeMap::new(),
            sittings: Vec::new(),
            of_board: BTreeMap::new(),
            finished: BTreeMap::new(),
            unplayed: BTreeSet::new(),
            rulings: Vec::new(),
            draws: Vec::new(),
            replays: Vec::new(),
            advances: Vec::new(),
            paused: false,
            ended: false,
        }
    }

    /// Whether the entries are closed.
    #[must_use]
    pub fn locked(&self) -> bool {
        !self.members.is_empty()
    }

    /// Whether everything stands.
    #[must_use]
    pub const fn paused(&self) -> bool {
        self.paused
    }

    /// Whether the event is played.
    #[must_use]
    pub const fn ended(&self) -> bool {
        self.ended
    }

    /// The entrants' ids in order of their numbers; empty until the entries are closed.
    pub fn entrants(&self) -> impl Iterator<Item = (&str, u32)> {
        self.members.iter().map(|member| (member.id.as_str(), member.number))
    }

    /// The current stage; `None` until the entries are closed.
    #[must_use]
    pub fn stage(&self) -> Option<u32> {
        self.stages.last().map(|running| running.stage)
    }

    /// Every round that is known, in the order in which they start.
    #[must_use]
    pub fn schedule(&self) -> &[ScheduledRound] {
        &self.schedule
    }

    /// Every sitting that was ordered, in the order of their ids.
    #[must_use]
    pub fn sittings(&self) -> &[Sitting] {
        &self.sittings
    }

    /// A sitting.
    #[must_use]
    pub fn sitting(&self, id: u32) -> Option<&Sitting> {
        self.sittings.get((id as usize).checked_sub(1)?)
    }

    /// How a sitting ended; `None` while it is open, and where it is not played.
    #[must_use]
    pub fn finished(&self, id: u32) -> Option<&Finished> {
        self.finished.get(&id)
    }

    /// Whether a sitting is not played because the bell had rung.
    #[must_use]
    pub fn unplayed(&self, id: u32) -> bool {
        self.unplayed.contains(&id)
    }

    /// Every ruling in order.
    #[must_use]
    pub fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// Every draw in order.
    #[must_use]
    pub fn draws(&self) -> &[DrawMade] {
        &self.draws
    }

    /// Every board from a reserve set that is played in place of another.
    #[must_use]
    pub fn replays(&self) -> &[Replay] {
        &self.replays
    }

    /// How long a round that has started lasts, minutes, 0 without a limit; `None` before it starts.
    #[must_use]
    pub fn minutes(&self, stage: u32, round: u32) -> Option<u32> {
        self.started.get(&(stage, round)).map(|started| started.minutes)
    }

    /// Whether a round has started and nothing of it is open.
    #[must_use]
    pub fn round_over(&self, stage: u32, round: u32) -> bool {
        self.started.get(&(stage, round)).is_some_and(|started| started.open == 0)
    }

    /// The bell of a round has rung.
    #[must_use]
    pub fn bell_rang(&self, stage: u32, round: u32) -> bool {
        self.started.get(&(stage, round)).is_some_and(|started| started.rang)
    }

    /// Who an occupant is, as sittings say it.
    #[must_use]
    pub fn who(&self, occupant: Occupant) -> String {
        match occupant {
            Occupant::Entrant(number) => {
                let known = self.members.binary_search_by_key(&number, |member| member.number).ok();
                known.and_then(|at| self.members.get(at)).map(|member| member.id.clone()).unwrap_or_default()
            }
            Occupant::StandIn(number) => format!("stand-in:{number}"),
            Occupant::Ai => format!("ai:{}", self.settings.opponents.as_deref().unwrap_or_default()),
        }
    }

    /// The next round that can start now.
    #[must_use]
    pub fn next_round(&self) -> Option<(u32, u32)> {
        let running = self.stages.last().filter(|running| running.scheduled && !running.closed)?;
        let next = self.of_stage(running.stage).find(|round| !self.has_started(round))?;
        let waits = running.course.one_round_at_a_time() && self.running_round(running.stage).is_some();
        (!waits).then_some((next.stage, next.round))
    }

    /// The stage that is played to its end and may be closed.
    #[must_use]
    pub fn may_close(&self) -> Option<u32> {
        let running = self.stages.last().filter(|running| running.scheduled && !running.closed)?;
        self.of_stage(running.stage)
            .all(|round| self.round_over(round.stage, round.round))
            .then_some(running.stage)
    }

    /// Whether nothing is left to be played or drawn: only then may keys be revealed. A movement that is the last stage
    /// needs no closing, as nothing follows from its places; where lots may have to be drawn, the stage must be closed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let last = u32::try_from(self.settings.stages.len()).unwrap_or(u32::MAX);
        let movement = |stage: &Stage| matches!(stage.format, StageFormat::Movement(_));
        let played = self.may_close() == Some(last) && self.settings.stages.last().is_some_and(movement);
        self.ended() || played
    }

    fn of_stage(&self, stage: u32) -> impl Iterator<Item = &ScheduledRound> {
        self.schedule.iter().filter(move |round| round.stage == stage)
    }

    fn has_started(&self, round: &ScheduledRound) -> bool {
        self.started.contains_key(&(round.stage, round.round))
    }

    /// A round of a stage that has started and is not over.
    fn running_round(&self, stage: u32) -> Option<u32> {
        let mut rounds = self.started.range((stage, 0)..=(stage, u32::MAX));
        rounds.find(|(_, started)| started.open > 0).map(|((_, round), _)| *round)
    }

    fn rules_of(&self, stage: u32) -> Option<&Stage> {
        self.settings.stages.get((stage as usize).checked_sub(1)?)
    }

    /// Carries out a fact with the orders that [`Competition::check`] has answered.
    pub fn apply(&mut self, fact: &Fact, orders: &[Order]) {
        match fact {
            Fact::Locked(locked) => {
                let numbers: Vec<u32> = if locked.numbers.is_empty() {
                    (1..).take(locked.entrants.len()).collect()
                } else {
                    locked.numbers.clone()
                };
                let members = locked.entrants.iter().cloned().zip(numbers);
                self.members = members.map(|(id, number)| Member { id, number }).collect();
                self.open_stage(1, self.members.clone(), BTreeMap::new());
            }
            Fact::Draw(made) => {
                self.draws.push(made.clone());
                if let Some(running) = self.stages.last_mut().filter(|running| !running.closed) {
                    // A draw that no plan follows from was refused.
                    let _ = running.course.draw(made.due.group.as_deref(), &made.order, &made.seed);
                    self.schedule_rounds();
                }
            }
            Fact::Round(round) => {
                let first = u32::try_from(self.sittings.len()).unwrap_or(u32::MAX).saturating_add(1);
                let open = orders.iter().filter(|order| matches!(order, Order::Sit(_))).count();
                let open = u32::try_from(open).unwrap_or(u32::MAX);
                let sittings = first..=first.saturating_add(open).saturating_sub(1);
                let started = Started { minutes: round.minutes, sittings, open, rang: false };
                self.started.insert((round.stage, round.round), started);
            }
            Fact::Finished(finished) => {
                self.finished.insert(finished.sitting, finished.clone());
                self.over(finished.sitting);
            }
            Fact::Bell(bell) => {
                for sitting in &bell.unplayed {
                    self.unplayed.insert(*sitting);
                    self.over(*sitting);
                }
                if let Some(started) = self.started.get_mut(&(bell.stage, bell.round)) {
                    started.rang = true;
                }
            }
            Fact::Closed(closed) => {
                if let Some(running) = self.stages.iter_mut().find(|running| running.stage == closed.stage) {
                    running.closed = true;
                }
            }
            Fact::Replay(replay) => self.schedule_replay(*replay),
            Fact::Ruling(ruling) => self.rulings.push(ruling.clone()),
            Fact::Pause(paused) => self.paused = *paused,
        }
        for order in orders {
            match order {
                Order::Sit(sitting) => {
                    self.of_board.entry(sitting.deal.board).or_default().push(sitting.sitting);
                    self.sittings.push(sitting.clone());
                }
                Order::Advance(advance) => self.advance(advance),
                Order::End(_) => self.ended = true,
                Order::Group(_) | Order::Bye(_) => {}
            }
        }
    }

    /// A sitting is over.
    fn over(&mut self, sitting: u32) {
        let Some(at) = self.sitting(sitting).map(|sitting| (sitting.stage, sitting.round)) else { return };
        if let Some(started) = self.started.get_mut(&at) {
            started.open = started.open.saturating_sub(1);
        }
    }

    fn advance(&mut self, advance: &Advance) {
        let before = advance.stage.saturating_sub(1);
        let taken = self.rules_of(before).and_then(|stage| stage.advance.as_ref()).map(|rules| rules.carry);
        let carried = match taken {
            Some(super::CarryOver::Points) => self.round_points(before),
            _ => BTreeMap::new(),
        };
        let find = |id: &String| self.members.iter().find(|member| member.id == *id).cloned();
        let members = advance.entrants.iter().filter_map(find).collect();
        self.advances.push(advance.clone());
        self.open_stage(advance.stage, members, carried);
    }

    fn open_stage(&mut self, number: u32, members: Vec<Member>, carried: BTreeMap<String, (Exact, Exact)>) {
        // What cannot be was refused when the entries were closed.
        let Ok(course) = self.course(number, members.clone()) else { return };
        self.stages.push(Running {
            stage: number,
            course,
            members,
            carried,
            scheduled: false,
            closed: false,
        });
        self.schedule_rounds();
    }

    /// The course of a stage for those who take part in it.
    fn course(&self, number: u32, members: Vec<Member>) -> Result<Course, Refused> {
        let stage = self.rules_of(number).ok_or(Refused::Stages)?;
        let before = number.checked_sub(1).and_then(|before| self.rules_of(before));
        let seeding =
            before.and_then(|stage| stage.advance.as_ref()).map_or(Seeding::Draw, |rules| rules.seeding);
        Ok(match &stage.format {
            StageFormat::Movement(rules) => {
                let seats = self.settings.positions.iter().flatten().count();
                Course::Movement(Movement::new(*rules, u8::try_from(seats).unwrap_or(u8::MAX), members))
            }
            StageFormat::RoundRobin(rules) => {
                let none = BTreeMap::new();
                let pins = stage.advance.as_ref().map_or(&none, |advance| &advance.pins);
                let spread = match seeding {
                    Seeding::Draw => Spread::Drawn,
                    Seeding::Places => Spread::Serpentine,
                };
                let positions = self.settings.positions.len();
                Course::RoundRobin(RoundRobin::new(*rules, positions, members, pins, &spread)?)
            }
        })
    }

    /// Puts the rounds of the current stage into the schedule once they are known.
    fn schedule_rounds(&mut self) {
        let Some(running) = self.stages.last().filter(|running| !running.scheduled) else { return };
        let Some(planned) = running.course.rounds() else { return };
        let stage = running.stage;
        let before = self.next_board().saturating_sub(1);
        for (round, planned) in (1..).zip(planned) {
            let scheduled = self.scheduled(stage, round, before, planned);
            self.schedule.push(scheduled);
        }
        if let Some(running) = self.stages.last_mut() {
            running.scheduled = true;
        }
    }

    /// The number after the last board that is used, those of reserve sets aside: numbers run on over rounds and stages.
    fn next_board(&self) -> u32 {
        let plain = self.schedule.iter().filter(|round| round.replays.is_none());
        plain.flat_map(|round| &round.plan.boards).max().copied().unwrap_or(0).saturating_add(1)
    }

    fn scheduled(&self, stage: u32, round: u32, before: u32, planned: Planned) -> ScheduledRound {
        let setup = |place: &usize| {
            let at = place.checked_rem(self.setups.len());
            at.and_then(|at| self.setups.get(at)).cloned().unwrap_or_default()
        };
        let mut groups = Vec::new();
        let mut tables = Vec::new();
        for (table, planned) in (1..).zip(planned.tables) {
            groups.push(planned.group);
            tables.push(Table { table, sittings: planned.sittings });
        }
        let ordinal = u32::try_from(self.schedule.len()).unwrap_or(u32::MAX).saturating_add(1);
        let boards = planned.boards.iter().map(|board| before.saturating_add(*board)).collect();
        ScheduledRound {
            stage,
            round,
            plan: Round { round: ordinal, boards, tables, byes: planned.byes },
            groups,
            setups: planned.setups.iter().map(setup).collect(),
            replays: None,
        }
    }

    /// Appends a round that replays a void board, seated as it was.
    fn schedule_replay(&mut self, replay: Replay) {
        self.replays.push(replay);
        let Some(void) = self.schedule.iter().find(|round| round.plan.boards.contains(&replay.board)) else {
            return;
        };
        let at = void.plan.boards.iter().position(|board| *board == replay.board).unwrap_or(0);
        let only = |table: &Table| Table {
            table: table.table,
            sittings: table.sittings.get(at).cloned().into_iter().collect(),
        };
        let round = self.of_stage(void.stage).map(|round| round.round).max().unwrap_or(0).saturating_add(1);
        let scheduled = ScheduledRound {
            stage: void.stage,
            round,
            plan: Round {
                round: u32::try_from(self.schedule.len()).unwrap_or(u32::MAX).saturating_add(1),
                boards: vec![replay.instead],
                tables: void.plan.tables.iter().map(only).collect(),
                byes: void.plan.byes.clone(),
            },
            groups: void.groups.clone(),
            setups: void.setups.get(at).cloned().into_iter().collect(),
            replays: Some(replay.board),
        };
        self.schedule.push(scheduled);
    }

    /// The set that holds a board.
    fn set_of(&self, board: u32, reserve: bool) -> Option<&BoardSet> {
        self.sets.iter().find(|set| set.reserve == reserve && set.holds(board))
    }

    /// The orders of a round: who plays which board at which table, table by table, and who sits out.
    fn orders_of(&self, round: &ScheduledRound) -> Result<Vec<Order>, Refused> {
        let mut orders = Vec::new();
        let mut sitting = u32::try_from(self.sittings.len()).unwrap_or(u32::MAX);
        for (table, group) in round.plan.tables.iter().zip(&round.groups) {
            let boards = round.plan.boards.iter().zip(&round.setups);
            for ((board, setup), who) in boards.zip(&table.sittings) {
                let set = self.set_of(*board, round.replays.is_some()).ok_or(Refused::NoBoard(*board))?;
                sitting = sitting.saturating_add(1);
                let mut seats = BTreeMap::new();
                for (position, occupant) in self.settings.positions.iter().zip(who) {
                    for seat in position {
                        seats.insert(seat.clone(), Some(self.who(*occupant)));
                    }
                }
                orders.push(Order::Sit(Sitting {
                    sitting,
                    stage: round.stage,
                    group: group.clone(),
                    round: round.round,
                    table: table.table,
                    deal: DealRef { set: set.id.clone(), board: *board },
                    seats,
                    setup: setup.clone(),
                    venue: super::Venue::Server,
                }));
            }
        }
        let course = self.stages.last().map(|running| &running.course);
        for number in &round.plan.byes {
            orders.push(Order::Bye(super::Bye {
                stage: round.stage,
                group: course.and_then(|course| course.group_of(*number)),
                round: round.round,
                entrant: self.who(Occupant::Entrant(*number)),
            }));
        }
        Ok(orders)
    }
}
