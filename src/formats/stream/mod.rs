//! The checker of an event's stream of orders: recounts everything from the facts and the orders alone and names what is
//! unfair or wrong.
//!
//! Written from the rulebooks. It shares no code with the formats, trusts none of their orders and ranks by itself; what it
//! has in common with them are the types and the exact numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::ruling::{Decision, Ruling};
use super::settings::{Measure, Settings};
use super::{
    Advance, AdvancedBy, Bell, DrawMade, DrawPurpose, Fact, Finished, Order, Replay, RoundRobinRules,
    RoundStarted, Setup, Sitting, StageFormat,
};
use crate::scoring::{Amount, Exact, Role, Score, Standing, Status};
use crate::words::{Message, message};

/// What is wrong with an order. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StreamFault {
    /// The line.
    pub line: u32,
    /// What is wrong.
    pub kind: StreamFaultKind,
}

/// What can be wrong with an order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // the fields are what their names say
pub enum StreamFaultKind {
    /// An order that cannot follow from its fact.
    Misplaced,
    /// Sittings are not numbered one after the other, or do not belong to the round.
    SittingNumber { sitting: u32 },
    /// The seats of a sitting are not those of a table.
    Seats { sitting: u32 },
    /// Somebody is seated or named who does not take part in the stage.
    Unknown { who: String },
    /// Somebody sits at two places at once.
    TwoTables { who: String },
    /// Somebody meets a board again.
    BoardTwice { who: String, board: u32 },
    /// Somebody neither plays nor has a bye, or both.
    PlaysOrBye { who: String },
    /// The tables of a round do not play the same boards, or boards of another round.
    Boards { round: u32 },
    /// A board begins with another setup than its place in the cycle has.
    Setup { sitting: u32 },
    /// Two meet who are not of one group, or meet again.
    Meeting { one: String, other: String },
    /// Two of a group have not met.
    NotMet { one: String, other: String },
    /// The two directions of somebody differ by more than one.
    Directions { who: String },
    /// Byes are spread unevenly.
    Byes { who: String },
    /// Groups are not as even as they can be, are too large, or do not have everybody once.
    Groups { stage: u32 },
    /// A draw does not order those among whom it was made.
    Draw,
    /// A replay is not seated as the void board was.
    Replay { board: u32 },
    /// Those who advance are not those whom the ranking gives.
    Advance { stage: u32 },
    /// A stage was left with shared places.
    Shared { stage: u32 },
    /// A stage was left with sittings that are open.
    Open { stage: u32 },
}

impl StreamFaultKind {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            StreamFaultKind::Misplaced => "misplaced",
            StreamFaultKind::SittingNumber { .. } => "sitting_number",
            StreamFaultKind::Seats { .. } => "seats",
            StreamFaultKind::Unknown { .. } => "unknown",
            StreamFaultKind::TwoTables { .. } => "two_tables",
            StreamFaultKind::BoardTwice { .. } => "board_twice",
            StreamFaultKind::PlaysOrBye { .. } => "plays_or_bye",
            StreamFaultKind::Boards { .. } => "boards",
            StreamFaultKind::Setup { .. } => "setup",
            StreamFaultKind::Meeting { .. } => "meeting",
            StreamFaultKind::NotMet { .. } => "not_met",
            StreamFaultKind::Directions { .. } => "directions",
            StreamFaultKind::Byes { .. } => "byes",
            StreamFaultKind::Groups { .. } => "groups",
            StreamFaultKind::Draw => "draw",
            StreamFaultKind::Replay { .. } => "replay",
            StreamFaultKind::Advance { .. } => "advance",
            StreamFaultKind::Shared { .. } => "shared",
            StreamFaultKind::Open { .. } => "open",
        }
    }

    /// The identifier of the sentence.
    const fn sentence(&self) -> &'static str {
        match self {
            StreamFaultKind::Misplaced => "formats-stream-misplaced",
            StreamFaultKind::SittingNumber { .. } => "formats-stream-sitting-number",
            StreamFaultKind::Seats { .. } => "formats-stream-seats",
            StreamFaultKind::Unknown { .. } => "formats-stream-unknown",
            StreamFaultKind::TwoTables { .. } => "formats-stream-two-tables",
            StreamFaultKind::BoardTwice { .. } => "formats-stream-board-twice",
            StreamFaultKind::PlaysOrBye { .. } => "formats-stream-plays-or-bye",
            StreamFaultKind::Boards { .. } => "formats-stream-boards",
            StreamFaultKind::Setup { .. } => "formats-stream-setup",
            StreamFaultKind::Meeting { .. } => "formats-stream-meeting",
            StreamFaultKind::NotMet { .. } => "formats-stream-not-met",
            StreamFaultKind::Directions { .. } => "formats-stream-directions",
            StreamFaultKind::Byes { .. } => "formats-stream-byes",
            StreamFaultKind::Groups { .. } => "formats-stream-groups",
            StreamFaultKind::Draw => "formats-stream-draw",
            StreamFaultKind::Replay { .. } => "formats-stream-replay",
            StreamFaultKind::Advance { .. } => "formats-stream-advance",
            StreamFaultKind::Shared { .. } => "formats-stream-shared",
            StreamFaultKind::Open { .. } => "formats-stream-open",
        }
    }
}

impl StreamFault {
    /// The sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        let about = match &self.kind {
            StreamFaultKind::SittingNumber { sitting }
            | StreamFaultKind::Seats { sitting }
            | StreamFaultKind::Setup { sitting } => sitting.to_string(),
            StreamFaultKind::Unknown { who }
            | StreamFaultKind::TwoTables { who }
            | StreamFaultKind::PlaysOrBye { who }
            | StreamFaultKind::Directions { who }
            | StreamFaultKind::Byes { who } => who.clone(),
            StreamFaultKind::BoardTwice { who, board } => format!("{who}, {board}"),
            StreamFaultKind::Boards { round } => round.to_string(),
            StreamFaultKind::Meeting { one, other } | StreamFaultKind::NotMet { one, other } => {
                format!("{one} – {other}")
            }
            StreamFaultKind::Replay { board } => board.to_string(),
            StreamFaultKind::Groups { stage }
            | StreamFaultKind::Advance { stage }
            | StreamFaultKind::Shared { stage }
            | StreamFaultKind::Open { stage } => stage.to_string(),
            StreamFaultKind::Misplaced | StreamFaultKind::Draw => String::new(),
        };
        let what = Message::plain(self.kind.sentence()).with("about", about);
        message!("formats-stream", line = self.line, what)
    }
}

/// Checks the facts of an event with their orders; those of a line that is not there yet are not missed.
///
/// ```
/// use fushi::formats::{Fact, Order, audit_stream, End};
/// # use fushi::formats::settings::Settings;
/// # let settings: Settings = serde_json::from_value(serde_json::json!({
/// #     "title": "", "positions": [["A"]], "opponents": null, "measure": "score",
/// #     "scoring": fushi::scoring::Rules::default(), "stages": [],
/// # })).unwrap();
///
/// // Nothing can end by a pause.
/// let faults = audit_stream(&settings, &[], [(&Fact::Pause(true), &[Order::End(End {})][..])]);
/// assert_eq!(faults[0].kind.code(), "misplaced");
/// ```
#[must_use]
pub fn audit_stream<'a>(
    settings: &'a Settings,
    setups: &'a [Setup],
    lines: impl IntoIterator<Item = (&'a Fact, &'a [Order])>,
) -> Vec<StreamFault> {
    let mut watch = Watch::new(settings, setups);
    for (fact, orders) in lines {
        watch.line += 1;
        watch.see(fact, orders);
    }
    watch.faults.into_iter().collect()
}

/// A round as it was ordered.
struct Ordered<'a> {
    stage: u32,
    round: u32,
    sittings: Vec<&'a Sitting>,
    byes: Vec<&'a str>,
    replay: bool,
}

struct Watch<'a> {
    settings: &'a Settings,
    setups: &'a [Setup],
    line: u32,
    faults: BTreeSet<StreamFault>,
    /// Who takes part in each stage.
    members: BTreeMap<u32, Vec<&'a str>>,
    groups: BTreeMap<(u32, &'a str), &'a [String]>,
    rounds: Vec<Ordered<'a>>,
    sittings: BTreeMap<u32, &'a Sitting>,
    finished: BTreeMap<u32, &'a Finished>,
    unplayed: BTreeSet<u32>,
    rulings: Vec<&'a Ruling>,
    replays: Vec<Replay>,
    draws: Vec<&'a DrawMade>,
    closed: Option<u32>,
    carried: BTreeMap<(u32, &'a str), (Exact, Exact)>,
}

/// An entrant's sums in a group.
#[derive(Clone)]
struct Sums<'a> {
    who: &'a str,
    points: Exact,
    net: Exact,
    met: u32,
}

impl<'a> Watch<'a> {
    const fn new(settings: &'a Settings, setups: &'a [Setup]) -> Watch<'a> {
        Watch {
            settings,
            setups,
            line: 0,
            faults: BTreeSet::new(),
            members: BTreeMap::new(),
            groups: BTreeMap::new(),
            rounds: Vec::new(),
            sittings: BTreeMap::new(),
            finished: BTreeMap::new(),
            unplayed: BTreeSet::new(),
            rulings: Vec::new(),
            replays: Vec::new(),
            draws: Vec::new(),
            closed: None,
            carried: BTreeMap::new(),
        }
    }

    fn fault(&mut self, kind: StreamFaultKind) {
        self.faults.insert(StreamFault { line: self.line, kind });
    }

    fn robin(&self, stage: u32) -> Option<&'a RoundRobinRules> {
        match &self.settings.stages.get((stage as usize).checked_sub(1)?)?.format {
            StageFormat::RoundRobin(rules) => Some(rules),
            StageFormat::Movement(_) => None,
        }
    }

    fn see(&mut self, fact: &'a Fact, orders: &'a [Order]) {
        let fits = |order: &Order| match order {
            Order::Sit(_) | Order::Bye(_) => matches!(fact, Fact::Round(_)),
            Order::Group(_) => matches!(fact, Fact::Draw(_)),
            Order::Advance(_) | Order::End(_) => {
                matches!(fact, Fact::Closed(_) | Fact::Draw(_) | Fact::Ruling(_))
            }
        };
        if !orders.iter().all(fits) {
            self.fault(StreamFaultKind::Misplaced);
        }
        match fact {
            Fact::Locked(locked) => {
                self.members.insert(1, locked.entrants.iter().map(String::as_str).collect());
            }
            Fact::Draw(made) => self.drawn(made),
            Fact::Round(round) => self.round(*round, orders),
            Fact::Finished(finished) => {
                self.finished.insert(finished.sitting, finished);
            }
            Fact::Bell(Bell { unplayed, .. }) => self.unplayed.extend(unplayed),
            Fact::Closed(closed) => {
                self.closed = Some(closed.stage);
                self.stage_over(closed.stage);
            }
            Fact::Replay(replay) => self.replays.push(*replay),
            Fact::Ruling(ruling) => self.rulings.push(ruling),
            Fact::Pause(_) => {}
        }
        for order in orders {
            match order {
                Order::Group(group) => {
                    self.groups.insert((group.stage, group.group.as_str()), &group.entrants);
                }
                Order::Advance(advance) => self.advance(advance),
                Order::End(_) => {
                    if self.closed != u32::try_from(self.settings.stages.len()).ok() {
                        self.fault(StreamFaultKind::Misplaced);
                    }
                    self.settled();
                }
                Order::Sit(_) | Order::Bye(_) => {}
            }
        }
    }

    fn drawn(&mut self, made: &'a DrawMade) {
        let (mut among, mut order) = (made.due.among.clone(), made.order.clone());
        among.sort_unstable();
        order.sort_unstable();
        if among != order {
            self.fault(StreamFaultKind::Draw);
        }
        self.draws.push(made);
    }

    /// Who has a position of a sitting.
    fn at(&self, sitting: &'a Sitting, position: usize) -> Option<&'a str> {
        let seat = self.settings.positions.get(position)?.first()?;
        sitting.seats.get(seat)?.as_deref()
    }

    fn round(&mut self, fact: RoundStarted, orders: &'a [Order]) {
        let mut ordered = Ordered {
            stage: fact.stage,
            round: fact.round,
            sittings: Vec::new(),
            byes: Vec::new(),
            replay: false,
        };
        for order in orders {
            match order {
                Order::Sit(sitting) => {
                    let next = self.sittings.keys().last().map_or(1, |last| last + 1);
                    if sitting.sitting != next || (sitting.stage, sitting.round) != (fact.stage, fact.round) {
                        self.fault(StreamFaultKind::SittingNumber { sitting: sitting.sitting });
                    }
                    let named: BTreeSet<&String> = self.settings.positions.iter().flatten().collect();
                    let same = |seats: &Vec<String>| {
                        seats
                            .windows(2)
                            .all(|pair| sitting.seats.get(&pair[0]) == sitting.seats.get(&pair[1]))
                    };
                    let own = self.settings.positions.iter().all(same);
                    if named != sitting.seats.keys().collect() || !own {
                        self.fault(StreamFaultKind::Seats { sitting: sitting.sitting });
                    }
                    ordered.sittings.push(sitting);
                    self.sittings.insert(sitting.sitting, sitting);
                }
                Order::Bye(bye) => ordered.byes.push(&bye.entrant),
                _ => {}
            }
        }
        let boards: BTreeSet<u32> = ordered.sittings.iter().map(|sitting| sitting.deal.board).collect();
        ordered.replay = self.replays.iter().any(|replay| boards.contains(&replay.instead));
        self.presence(&ordered);
        self.boards(&ordered, &boards);
        if self.robin(fact.stage).is_some() {
            if ordered.replay {
                self.replayed(&ordered);
            } else {
                self.meetings(&ordered);
            }
        }
        self.rounds.push(ordered);
    }

    /// Everybody of the stage plays at one table or has one bye; nobody else is there; nobody meets a board again.
    fn presence(&mut self, round: &Ordered<'a>) {
        let members = self.members.get(&round.stage).cloned().unwrap_or_default();
        let mut tables: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        let mut met: BTreeSet<(&str, u32)> = BTreeSet::new();
        for sitting in &round.sittings {
            let mut here = BTreeSet::new();
            for position in 0..self.settings.positions.len() {
                let Some(who) = self.at(sitting, position) else { continue };
                let artificial = who.starts_with("ai:") || who.starts_with("stand-in:");
                if !artificial && !members.contains(&who) {
                    self.fault(StreamFaultKind::Unknown { who: who.to_owned() });
                }
                if who.starts_with("ai:") {
                    continue;
                }
                tables.entry(who).or_default().insert(sitting.table);
                if !here.insert(who) {
                    self.fault(StreamFaultKind::TwoTables { who: who.to_owned() });
                }
                if !met.insert((who, sitting.deal.board)) {
                    self.fault(StreamFaultKind::BoardTwice {
                        who: who.to_owned(),
                        board: sitting.deal.board,
                    });
                }
            }
        }
        for (who, at) in &tables {
            if at.len() > 1 {
                self.fault(StreamFaultKind::TwoTables { who: (*who).to_owned() });
            }
        }
        for who in &members {
            let byes = round.byes.iter().filter(|bye| *bye == who).count();
            if byes + usize::from(tables.contains_key(who)) != 1 {
                self.fault(StreamFaultKind::PlaysOrBye { who: (*who).to_owned() });
            }
        }
        for who in &round.byes {
            if !members.contains(who) {
                self.fault(StreamFaultKind::Unknown { who: (*who).to_owned() });
            }
        }
        if self.robin(round.stage).is_some() {
            // A table of an earlier round that is still open keeps its people.
            let earlier = self.rounds.iter().flat_map(|round| &round.sittings);
            let open = earlier.filter(|sitting| !self.is_over(sitting.sitting));
            let here = open.flat_map(|sitting| sitting.seats.values().flatten());
            let twice: Vec<String> = here.filter(|who| tables.contains_key(who.as_str())).cloned().collect();
            for who in twice {
                self.fault(StreamFaultKind::TwoTables { who });
            }
        }
    }

    fn is_over(&self, sitting: u32) -> bool {
        self.finished.contains_key(&sitting) || self.unplayed.contains(&sitting)
    }

    /// Every table plays the same boards in the same order, which nobody has played before, and begins them alike.
    fn boards(&mut self, round: &Ordered<'a>, boards: &BTreeSet<u32>) {
        let mut by_table: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for sitting in &round.sittings {
            by_table.entry(sitting.table).or_default().push(sitting.deal.board);
        }
        let same = by_table.values().all(|own| own.iter().copied().eq(boards.iter().copied()));
        let known = |board: &u32| {
            self.rounds.iter().flat_map(|other| &other.sittings).any(|sitting| sitting.deal.board == *board)
        };
        let robin = self.robin(round.stage);
        let number = robin.is_none_or(|rules| round.replay || rules.deals as usize == boards.len());
        if !same || boards.iter().any(known) || (!number && !boards.is_empty()) {
            self.fault(StreamFaultKind::Boards { round: round.round });
        }
        if round.replay {
            return;
        }
        let before = self.rounds.iter().filter(|other| other.stage == round.stage && !other.replay);
        let first = before.flat_map(|other| &other.sittings).map(|sitting| sitting.deal.board).min();
        let first = first.or_else(|| boards.first().copied()).unwrap_or(0);
        for sitting in &round.sittings {
            // TL §2.2, §2.3: deal d of a round has its level and banker in every round.
            let place = match robin {
                Some(_) => boards.iter().position(|board| *board == sitting.deal.board).unwrap_or(0),
                None => sitting.deal.board.saturating_sub(first) as usize,
            };
            let wanted = self.setups.get(place % self.setups.len().max(1)).cloned().unwrap_or_default();
            if sitting.setup != wanted {
                self.fault(StreamFaultKind::Setup { sitting: sitting.sitting });
            }
        }
    }

    /// A replay has the people of the void board in their seats, with its setup.
    fn replayed(&mut self, round: &Ordered<'a>) {
        for sitting in &round.sittings {
            let Some(replay) = self.replays.iter().find(|replay| replay.instead == sitting.deal.board) else {
                continue;
            };
            let void = self.sittings.values().find(|void| {
                void.deal.board == replay.board && (void.stage, void.table) == (sitting.stage, sitting.table)
            });
            if void.is_none_or(|void| void.seats != sitting.seats || void.setup != sitting.setup) {
                self.fault(StreamFaultKind::Replay { board: replay.board });
            }
        }
    }

    /// The pairs of a round by table: first position, second position.
    fn pairs(&self, round: &Ordered<'a>) -> BTreeMap<u32, (&'a str, &'a str)> {
        let pair =
            |sitting: &&'a Sitting| Some((sitting.table, (self.at(sitting, 0)?, self.at(sitting, 1)?)));
        round.sittings.iter().filter_map(pair).collect()
    }

    fn group_of(&self, stage: u32, who: &str) -> Option<&'a str> {
        let mut own = self.groups.iter().filter(|((of, _), _)| *of == stage);
        own.find(|(_, entrants)| entrants.iter().any(|one| one == who)).map(|((_, group), _)| *group)
    }

    /// Those who meet are of one group, keep their directions for the round, and have not met before.
    fn meetings(&mut self, round: &Ordered<'a>) {
        let pairs = self.pairs(round);
        for sitting in &round.sittings {
            let pair = (self.at(sitting, 0), self.at(sitting, 1));
            let others = (2..self.settings.positions.len()).filter_map(|position| self.at(sitting, position));
            let alone = others.into_iter().all(|who| who.starts_with("ai:"));
            if pairs.get(&sitting.table).map(|(one, other)| (Some(*one), Some(*other))) != Some(pair)
                || !alone
            {
                self.fault(StreamFaultKind::Seats { sitting: sitting.sitting });
            }
        }
        for (one, other) in pairs.values() {
            let group = self.group_of(round.stage, one);
            let earlier = self.rounds.iter().filter(|other| other.stage == round.stage && !other.replay);
            let again = earlier
                .flat_map(|round| self.pairs(round).into_values())
                .any(|(a, b)| (a, b) == (*one, *other) || (b, a) == (*one, *other));
            if again || group.is_none() || group != self.group_of(round.stage, other) {
                self.fault(StreamFaultKind::Meeting { one: (*one).to_owned(), other: (*other).to_owned() });
            }
        }
    }

    /// What must be true of a stage that is closed.
    fn stage_over(&mut self, stage: u32) {
        let sittings: Vec<u32> =
            self.sittings.values().filter(|one| one.stage == stage).map(|one| one.sitting).collect();
        if sittings.into_iter().any(|sitting| !self.is_over(sitting)) {
            self.fault(StreamFaultKind::Open { stage });
        }
        let Some(rules) = self.robin(stage) else { return };
        let groups: Vec<&'a [String]> =
            self.groups.iter().filter(|((of, _), _)| *of == stage).map(|(_, entrants)| *entrants).collect();
        let sizes = groups.iter().map(|group| group.len());
        let (least, most) = (sizes.clone().min().unwrap_or(0), sizes.max().unwrap_or(0));
        let mut placed: Vec<&str> = groups.iter().copied().flatten().map(String::as_str).collect();
        let mut members = self.members.get(&stage).cloned().unwrap_or_default();
        placed.sort_unstable();
        members.sort_unstable();
        let fits = most <= (rules.group_size as usize).max(2) || members.len() == 3;
        if placed != members || most - least > 1 || !fits {
            self.fault(StreamFaultKind::Groups { stage });
        }
        let mut met: BTreeMap<(&str, &str), u32> = BTreeMap::new();
        let mut counts: BTreeMap<&str, (u32, u32, u32)> = BTreeMap::new();
        for round in self.rounds.iter().filter(|round| round.stage == stage && !round.replay) {
            for (one, other) in self.pairs(round).into_values() {
                *met.entry((one.min(other), one.max(other))).or_default() += 1;
                counts.entry(one).or_default().0 += 1;
                counts.entry(other).or_default().1 += 1;
            }
            for who in &round.byes {
                counts.entry(who).or_default().2 += 1;
            }
        }
        let mut faults = Vec::new();
        for group in groups {
            for (at, one) in group.iter().enumerate() {
                for other in group.iter().skip(at + 1) {
                    let pair = (one.min(other).as_str(), one.max(other).as_str());
                    if met.get(&pair) != Some(&1) {
                        faults.push(StreamFaultKind::NotMet { one: one.clone(), other: other.clone() });
                    }
                }
                let of = |who: &String| counts.get(who.as_str()).copied().unwrap_or_default();
                // TL §8.6: the directions of a pair differ by at most one over the stage.
                if of(one).0.abs_diff(of(one).1) > 1 {
                    faults.push(StreamFaultKind::Directions { who: one.clone() });
                }
                if group.iter().any(|other| of(one).2 > of(other).2 + 1) {
                    faults.push(StreamFaultKind::Byes { who: one.clone() });
                }
            }
        }
        for fault in faults {
            self.fault(fault);
        }
    }
}

mod places;
