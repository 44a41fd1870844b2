//! The checker of a movement: recounts everything from the plan alone and names what is unfair.
//!
//! It shares no code with the planner and trusts nothing in the plan, which may come from a file. Faults are what an
//! organizer must not accept; the figures of the [`Report`] say how good a sound plan is.

use std::collections::{BTreeMap, BTreeSet};

use super::bankers::Sides;
use super::report::{Pair, Report};
use super::{ENTRANTS_MAX, Format, Occupant, PLACES_MAX, Plan};
use crate::words::Message;

/// At most this many faults are listed; a broken plan repeats itself.
const FAULTS_MAX: usize = 100;
/// Comparisons of pairs are counted up to this many entrants (a table of n² counters).
const PAIRS_MAX: usize = 4_000;

/// What is wrong with a movement. Numbers are plan numbers, from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // the fields are what their names say
pub enum AuditFault {
    /// More entrants or places than a plan can have.
    TooLarge,
    /// The positions are not the seats of a table of this kind of event.
    BadPositions,
    /// A table has not one sitting per board, or not one occupant per position.
    TableShape { round: u32, table: u32 },
    /// Somebody is named who is not in the event.
    Unknown { round: u32, table: u32, who: Occupant },
    /// An AI sits where an entrant should, or an entrant in a seat that is not the entrants'.
    OutOfPlace { round: u32, table: u32, who: Occupant },
    /// The same people must stay at a table for a round.
    TableChanges { round: u32, table: u32 },
    /// A pair must keep its direction for a round.
    DirectionChanges { round: u32, table: u32 },
    /// Somebody sits at two places on one board.
    SitsTwice { board: u32, who: Occupant },
    /// An entrant neither plays nor has a bye.
    Missing { round: u32, number: u32 },
    /// An entrant has a bye and plays, or has the bye twice.
    ByeAndPlays { round: u32, number: u32 },
    /// An entrant meets a board again in another round.
    BoardSeenTwice { board: u32, number: u32 },
    /// Some entrant plays two rounds more than another, or more.
    UnevenRounds { least: u32, least_rounds: u32, most: u32, most_rounds: u32 },
    /// An entrant does not take every seat equally often (to within one board, exactly when it can be exact), or a pair
    /// not both directions (the same in rounds).
    UnevenSeats { number: u32, fewest: u32, most: u32 },
    /// A pair is the banker's side more often, or more rarely, than the rounds make necessary.
    UnevenBankers { number: u32, banker: u32, defender: u32 },
    /// Two entrants share a table more often than necessary.
    MeetTooOften { one: u32, other: u32, times: u32, necessary: u32 },
    /// Direct comparisons are spread more unevenly than drawing every seat by lot would do.
    UnevenComparisons { least: Pair, most: Pair },
    /// The entrants fall into fields that are never compared.
    Disconnected { parts: u32, apart: u32 },
}

impl AuditFault {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            AuditFault::TooLarge => "too_large",
            AuditFault::BadPositions => "bad_positions",
            AuditFault::TableShape { .. } => "table_shape",
            AuditFault::Unknown { .. } => "unknown_number",
            AuditFault::OutOfPlace { .. } => "out_of_place",
            AuditFault::TableChanges { .. } => "table_changes",
            AuditFault::DirectionChanges { .. } => "direction_changes",
            AuditFault::SitsTwice { .. } => "sits_twice",
            AuditFault::Missing { .. } => "missing",
            AuditFault::ByeAndPlays { .. } => "bye_and_plays",
            AuditFault::BoardSeenTwice { .. } => "board_seen_twice",
            AuditFault::UnevenRounds { .. } => "uneven_rounds",
            AuditFault::UnevenSeats { .. } => "uneven_seats",
            AuditFault::UnevenBankers { .. } => "uneven_bankers",
            AuditFault::MeetTooOften { .. } => "meet_too_often",
            AuditFault::UnevenComparisons { .. } => "uneven_comparisons",
            AuditFault::Disconnected { .. } => "disconnected",
        }
    }

    /// The sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        let at = |id, round: &u32, table: &u32| Message::plain(id).with("round", round).with("table", table);
        let number = |id, number: &u32| Message::plain(id).with("number", number);
        match self {
            AuditFault::TooLarge => Message::plain("formats-too-large"),
            AuditFault::BadPositions => Message::plain("formats-bad-positions"),
            AuditFault::TableShape { round, table } => at("formats-table-shape", round, table),
            AuditFault::Unknown { round, table, who } => {
                at("formats-unknown-number", round, table).with("who", who)
            }
            AuditFault::OutOfPlace { round, table, who } => {
                at("formats-out-of-place", round, table).with("who", who)
            }
            AuditFault::TableChanges { round, table } => at("formats-table-changes", round, table),
            AuditFault::DirectionChanges { round, table } => at("formats-direction-changes", round, table),
            AuditFault::SitsTwice { board, who } => {
                Message::plain("formats-sits-twice").with("board", board).with("who", who)
            }
            AuditFault::Missing { round, number: who } => number("formats-missing", who).with("round", round),
            AuditFault::ByeAndPlays { round, number: who } => {
                number("formats-bye-and-plays", who).with("round", round)
            }
            AuditFault::BoardSeenTwice { board, number: who } => {
                number("formats-board-seen-twice", who).with("board", board)
            }
            AuditFault::UnevenRounds { least, least_rounds, most, most_rounds } => {
                Message::plain("formats-uneven-rounds")
                    .with("least", least)
                    .with("few", least_rounds)
                    .with("most", most)
                    .with("many", most_rounds)
            }
            AuditFault::UnevenSeats { number: who, fewest, most } => {
                number("formats-uneven-seats", who).with("fewest", fewest).with("most", most)
            }
            AuditFault::UnevenBankers { number: who, banker, defender } => {
                number("formats-uneven-bankers", who).with("banker", banker).with("defender", defender)
            }
            AuditFault::MeetTooOften { one, other, times, necessary } => {
                Message::plain("formats-meet-too-often")
                    .with("one", one)
                    .with("other", other)
                    .with("times", times)
                    .with("necessary", necessary)
            }
            AuditFault::UnevenComparisons { least, most } => Message::plain("formats-uneven-comparisons")
                .with("least", least)
                .with("few", least.times)
                .with("most", most)
                .with("many", most.times),
            AuditFault::Disconnected { parts, apart } => {
                number("formats-disconnected", apart).with("parts", parts)
            }
        }
    }
}

/// Checks a plan and measures it.
#[must_use]
pub fn audit(plan: &Plan) -> Report {
    let mut check = Check::new(plan);
    if check.fits() {
        check.structure();
        check.evenness();
    }
    check.report
}

struct Check<'a> {
    plan: &'a Plan,
    report: Report,
    entrants: usize,
    positions: usize,
}

impl<'a> Check<'a> {
    fn new(plan: &'a Plan) -> Check<'a> {
        Check {
            plan,
            report: Report::of(plan),
            entrants: plan.entrants as usize,
            positions: plan.positions.len(),
        }
    }

    fn fault(&mut self, fault: AuditFault) {
        if self.report.faults.len() < FAULTS_MAX && !self.report.faults.contains(&fault) {
            self.report.faults.push(fault);
        }
    }

    /// Whether the plan is small enough, and its positions are the seats of a table.
    fn fits(&mut self) -> bool {
        let boards = self.plan.boards() as u64;
        if self.plan.entrants > ENTRANTS_MAX
            || u64::from(self.plan.stand_ins) > 20
            || u64::from(self.plan.entrants) * boards > PLACES_MAX
        {
            self.fault(AuditFault::TooLarge);
            return false;
        }
        let seats = &self.plan.positions;
        let single = (0_u8..).zip(seats).all(|(index, position)| position.as_slice() == [index]);
        let good = match self.plan.format {
            Format::Pairs => *seats == [vec![0, 2], vec![1, 3]],
            Format::Individual => single && (2..=10).contains(&seats.len()),
            Format::HumanAi { seat } => {
                single && (2..=10).contains(&seats.len()) && usize::from(seat) < seats.len()
            }
        };
        if !good {
            self.fault(AuditFault::BadPositions);
        }
        good
    }

    /// Everything that must hold without counting how often.
    fn structure(&mut self) {
        let plan = self.plan;
        let mut seen: BTreeSet<(u32, u32)> = BTreeSet::new();
        for round in &plan.rounds {
            let mut here: BTreeMap<Occupant, u32> = BTreeMap::new();
            for table in &round.tables {
                let shaped = table.sittings.len() == round.boards.len()
                    && table.sittings.iter().all(|sitting| sitting.len() == self.positions);
                if !shaped {
                    self.fault(AuditFault::TableShape { round: round.round, table: table.table });
                }
                let people = |sitting: &Vec<Occupant>| {
                    let mut people = sitting.clone();
                    people.sort_unstable();
                    people
                };
                let first = table.sittings.first().map(people).unwrap_or_default();
                if table.sittings.iter().any(|sitting| people(sitting) != first) {
                    self.fault(AuditFault::TableChanges { round: round.round, table: table.table });
                }
                let turned = |sitting: &Vec<Occupant>| table.sittings.first() != Some(sitting);
                if self.plan.format == Format::Pairs && table.sittings.iter().any(turned) {
                    self.fault(AuditFault::DirectionChanges { round: round.round, table: table.table });
                }
                for sitting in &table.sittings {
                    for (position, who) in sitting.iter().enumerate() {
                        self.placed(round.round, table.table, position, *who);
                    }
                }
                let whole: BTreeSet<Occupant> = table.sittings.iter().flatten().copied().collect();
                for who in whole {
                    *here.entry(who).or_default() += 1;
                }
            }
            self.presence(round.round, &round.byes, &here);
            for (index, board) in round.boards.iter().enumerate() {
                self.one_board(
                    *board,
                    &mut seen,
                    round.tables.iter().filter_map(|table| table.sittings.get(index)),
                );
            }
        }
    }

    /// Whether somebody may sit there at all.
    fn placed(&mut self, round: u32, table: u32, position: usize, who: Occupant) {
        let known = match who {
            Occupant::Entrant(number) => (1..=self.plan.entrants).contains(&number),
            Occupant::StandIn(number) => (1..=self.plan.stand_ins).contains(&number),
            Occupant::Ai => true,
        };
        let fits = match (self.plan.format, who) {
            (Format::HumanAi { seat }, Occupant::Entrant(_)) => usize::from(seat) == position,
            (Format::HumanAi { seat }, Occupant::Ai) => usize::from(seat) != position,
            (Format::HumanAi { .. }, Occupant::StandIn(_)) | (_, Occupant::Ai) => false,
            _ => true,
        };
        if !known {
            self.fault(AuditFault::Unknown { round, table, who });
        } else if !fits {
            self.fault(AuditFault::OutOfPlace { round, table, who });
        }
    }

    /// Every entrant is at a table or has a bye, and not both.
    fn presence(&mut self, round: u32, byes: &[u32], here: &BTreeMap<Occupant, u32>) {
        let mut out: BTreeMap<u32, u32> = BTreeMap::new();
        for number in byes {
            *out.entry(*number).or_default() += 1;
            if !(1..=self.plan.entrants).contains(number) {
                self.fault(AuditFault::Unknown { round, table: 0, who: Occupant::Entrant(*number) });
            }
        }
        for number in 1..=self.plan.entrants {
            let plays = here.contains_key(&Occupant::Entrant(number));
            match (plays, out.get(&number).copied().unwrap_or(0)) {
                (false, 0) => self.fault(AuditFault::Missing { round, number }),
                (true, 0) | (false, 1) => {}
                _ => self.fault(AuditFault::ByeAndPlays { round, number }),
            }
        }
    }

    /// Nobody sits twice on a board, and nobody sees it again.
    fn one_board<'b>(
        &mut self,
        board: u32,
        seen: &mut BTreeSet<(u32, u32)>,
        sittings: impl Iterator<Item = &'b Vec<Occupant>>,
    ) {
        let mut sits: BTreeSet<Occupant> = BTreeSet::new();
        for who in sittings.flatten().copied().filter(|who| *who != Occupant::Ai) {
            if !sits.insert(who) {
                self.fault(AuditFault::SitsTwice { board, who });
            } else if let Some(number) = who.entrant()
                && !seen.insert((board, number))
            {
                self.fault(AuditFault::BoardSeenTwice { board, number });
            }
        }
    }

    /// Everything that is counted per entrant or per pair.
    fn evenness(&mut self) {
        self.rounds_and_seats();
        if self.plan.format == Format::Pairs {
            self.directions();
        }
        self.groups();
        if self.entrants > PAIRS_MAX {
            return;
        }
        if !matches!(self.plan.format, Format::HumanAi { .. }) {
            self.meetings();
        }
        self.comparisons();
    }

    fn index(&self, who: Occupant) -> Option<usize> {
        let number = who.entrant()? as usize;
        (1..=self.entrants).contains(&number).then(|| number - 1)
    }

    fn rounds_and_seats(&mut self) {
        let mut rounds = vec![0_u32; self.entrants];
        let mut boards = vec![0_u32; self.entrants];
        let mut seats = vec![vec![0_u32; self.positions]; self.entrants];
        for round in &self.plan.rounds {
            let mut here = BTreeSet::new();
            for sitting in round.tables.iter().flat_map(|table| &table.sittings) {
                for (position, who) in sitting.iter().enumerate() {
                    let Some(index) = self.index(*who) else { continue };
                    here.insert(index);
                    boards[index] += 1;
                    if let Some(count) = seats[index].get_mut(position) {
                        *count += 1;
                    }
                }
            }
            for index in here {
                rounds[index] += 1;
            }
        }
        self.report.boards_each = range(boards.iter().copied());
        self.report.byes_each = range(rounds.iter().map(|played| self.report.rounds.saturating_sub(*played)));
        let by_rounds = (1_u32..).zip(&rounds);
        if let (Some((least, least_rounds)), Some((most, most_rounds))) = (
            by_rounds.clone().min_by_key(|(number, played)| (**played, *number)),
            by_rounds.max_by_key(|(number, played)| (**played, u32::MAX - *number)),
        ) && most_rounds - least_rounds > 1
        {
            self.fault(AuditFault::UnevenRounds {
                least,
                least_rounds: *least_rounds,
                most,
                most_rounds: *most_rounds,
            });
        }
        if matches!(self.plan.format, Format::HumanAi { .. }) {
            return;
        }
        self.report.seats_each = range(seats.iter().flatten().copied());
        if self.plan.format == Format::Pairs {
            return;
        }
        for ((number, counts), played) in (1_u32..).zip(&seats).zip(&boards) {
            let (fewest, most) = range(counts.iter().copied());
            let exact = u32::try_from(self.positions).is_ok_and(|positions| played.is_multiple_of(positions));
            if most - fewest > u32::from(!exact) {
                self.fault(AuditFault::UnevenSeats { number, fewest, most });
            }
        }
    }

    /// Pairs sit in a direction for a round, so directions are even in rounds; the banker's side is even in boards.
    fn directions(&mut self) {
        let mut rounds = vec![[0_u32; 2]; self.entrants];
        let mut sides = vec![Sides::default(); self.entrants];
        for round in &self.plan.rounds {
            for table in &round.tables {
                let first = table.sittings.first().into_iter().flatten();
                for (direction, who) in first.enumerate() {
                    let Some(index) = self.index(*who) else { continue };
                    sides[index].round(&round.boards);
                    if let Some(count) = rounds[index].get_mut(direction) {
                        *count += 1;
                    }
                }
                for (board, sitting) in round.boards.iter().zip(&table.sittings) {
                    for (direction, who) in sitting.iter().enumerate() {
                        if let Some(index) = self.index(*who) {
                            sides[index].board(*board, direction);
                        }
                    }
                }
            }
        }
        self.report.bankers_each = range(sides.iter().map(|sides| sides.banker));
        self.report.defenders_each = range(sides.iter().map(|sides| sides.defender));
        for ((number, [one, other]), sides) in (1_u32..).zip(rounds).zip(sides) {
            let (fewest, most) = (one.min(other), one.max(other));
            if most - fewest > (one + other) % 2 {
                self.fault(AuditFault::UnevenSeats { number, fewest, most });
            }
            if !sides.even() {
                let Sides { banker, defender, .. } = sides;
                self.fault(AuditFault::UnevenBankers { number, banker, defender });
            }
        }
    }

    /// Sizes of the comparison groups: entrants' results per board and position.
    fn groups(&mut self) {
        let mut sizes: BTreeMap<(u32, usize), u32> = BTreeMap::new();
        let only = match self.plan.format {
            Format::HumanAi { seat } => Some(usize::from(seat)),
            _ => None,
        };
        for (_, _, board, position, who) in self.plan.sittings() {
            if only.is_none_or(|seat| seat == position) {
                *sizes.entry((board, position)).or_default() += u32::from(who.entrant().is_some());
            }
        }
        self.report.group_sizes = range(sizes.into_values());
    }

    fn meetings(&mut self) {
        let mut meets = Pairs::new(self.entrants);
        let mut with_stand_ins = vec![0_u32; self.entrants];
        let mut tables = 0;
        for round in &self.plan.rounds {
            tables = tables.max(round.tables.len());
            for table in &round.tables {
                let Some(sitting) = table.sittings.first() else { continue };
                let stand_ins = sitting.iter().filter(|who| matches!(who, Occupant::StandIn(_))).count();
                let people: Vec<usize> = sitting.iter().filter_map(|who| self.index(*who)).collect();
                for (place, one) in people.iter().enumerate() {
                    with_stand_ins[*one] += u32::try_from(stand_ins).unwrap_or(u32::MAX);
                    for other in &people[..place] {
                        meets.add(*one, *other);
                    }
                }
            }
        }
        self.report.stand_in_meetings = range(with_stand_ins.into_iter());
        let Some(figures) = meets.figures() else { return };
        let necessary = self.necessary(figures.sum, tables);
        self.report.meetings = Some((figures.least, figures.most));
        self.report.meetings_necessary = necessary;
        // Where there is room the bound is always reached; tight plans may need one more, at large tables two.
        let rounds = self.plan.rounds.len();
        let k = self.positions;
        let roomy = self.entrants >= k * k * 2 && 2 * rounds * (k - 1) < self.entrants;
        let times = u32::from(figures.most.times);
        let slack = if roomy { 0 } else { 1 + u32::from(k > 4) };
        if times > necessary + slack {
            self.fault(AuditFault::MeetTooOften {
                one: figures.most.one,
                other: figures.most.other,
                times,
                necessary,
            });
        }
    }

    /// How often the two who meet most must meet at least: by counting all meetings, and by pigeonholes (more
    /// entrants than ways to be spread over the tables of `w` rounds: two are together in all of them).
    fn necessary(&self, sum: u64, tables: usize) -> u32 {
        let n = self.entrants as u64;
        let counted = sum.div_ceil((n * n.saturating_sub(1) / 2).max(1));
        let holes =
            if self.plan.rounds.iter().all(|round| round.byes.is_empty()) { tables } else { tables + 1 };
        let mut ways: u64 = 1;
        let mut together = 0;
        for _ in &self.plan.rounds {
            ways = ways.saturating_mul(holes as u64);
            if ways >= n {
                break;
            }
            together += 1;
        }
        u32::try_from(counted.max(together)).unwrap_or(u32::MAX)
    }

    fn comparisons(&mut self) {
        let mut compared = Pairs::new(self.entrants);
        let only = match self.plan.format {
            Format::HumanAi { seat } => Some(usize::from(seat)),
            _ => None,
        };
        for round in &self.plan.rounds {
            for board in 0..round.boards.len() {
                for position in
                    (0..self.positions).filter(|position| only.is_none_or(|seat| seat == *position))
                {
                    let group: Vec<usize> = round
                        .tables
                        .iter()
                        .filter_map(|table| self.index(*table.sittings.get(board)?.get(position)?))
                        .collect();
                    for (place, one) in group.iter().enumerate() {
                        for other in &group[..place] {
                            compared.add(*one, *other);
                        }
                    }
                }
            }
        }
        let (parts, apart) = compared.parts();
        self.report.parts = parts;
        if parts > 1 {
            self.fault(AuditFault::Disconnected { parts, apart });
        }
        let Some(figures) = compared.figures() else { return };
        self.report.comparisons = Some((figures.least, figures.most));
        self.report.comparisons_sum = (figures.sum, figures.pairs);
        self.report.never_compared = figures.never;
        self.report.comparisons_variance = figures.variance();
        if self.worse_than_chance(&figures) {
            self.fault(AuditFault::UnevenComparisons { least: figures.least, most: figures.most });
        }
    }

    /// Whether the variance of comparisons is more than 1.5 times what balanced seats drawn by lot give. Two who sit at
    /// different tables share a seat with probability 1/k; with every seat equally often the variance is
    /// boards × (k − 1) / k² × boards / (boards − 1). Pairs draw a direction for a whole round: a draw counts as often as
    /// the round has boards, and by its square. The rest is room for those who meet at a table, where they cannot be
    /// compared.
    fn worse_than_chance(&self, figures: &Figures) -> bool {
        if matches!(self.plan.format, Format::HumanAi { .. }) {
            return figures.least.times != figures.most.times;
        }
        let (numerator, denominator) = figures.variance();
        let k = self.positions as u128;
        let lengths = self.plan.rounds.iter().map(|round| round.boards.len() as u128);
        let (draws, squares) = if self.plan.format == Format::Pairs {
            (self.plan.rounds.len() as u128, lengths.map(|length| length * length).sum())
        } else {
            (self.plan.boards() as u128, lengths.sum::<u128>())
        };
        numerator * 2 * k * k * draws.saturating_sub(1) > denominator * 3 * squares * draws * (k - 1)
    }
}

fn range(values: impl Iterator<Item = u32>) -> (u32, u32) {
    let (mut least, mut most) = (u32::MAX, 0);
    for value in values {
        least = least.min(value);
        most = most.max(value);
    }
    (least.min(most), most)
}

/// A counter per pair of entrants.
struct Pairs {
    entrants: usize,
    counts: Vec<u16>,
}

/// What the counters say.
struct Figures {
    least: Pair,
    most: Pair,
    sum: u64,
    squares: u128,
    pairs: u64,
    /// How many pairs were counted never.
    never: u64,
}

impl Figures {
    /// The variance as a fraction.
    fn variance(&self) -> (u128, u128) {
        let (sum, pairs) = (u128::from(self.sum), u128::from(self.pairs));
        (pairs * self.squares - sum * sum, pairs * pairs)
    }
}

impl Pairs {
    fn new(entrants: usize) -> Pairs {
        Pairs { entrants, counts: vec![0; entrants * entrants] }
    }

    fn add(&mut self, a: usize, b: usize) {
        let (low, high) = (a.min(b), a.max(b));
        if low != high {
            let count = &mut self.counts[high * self.entrants + low];
            *count = count.saturating_add(1);
        }
    }

    fn figures(&self) -> Option<Figures> {
        let mut figures: Option<Figures> = None;
        for (other, high) in (1_u32..).zip(0..self.entrants) {
            let row = &self.counts[high * self.entrants..high * self.entrants + high];
            for (one, times) in (1_u32..).zip(row) {
                let pair = Pair { one, other, times: *times };
                let figures = figures.get_or_insert(Figures {
                    least: pair,
                    most: pair,
                    sum: 0,
                    squares: 0,
                    pairs: 0,
                    never: 0,
                });
                if pair.times < figures.least.times {
                    figures.least = pair;
                }
                if pair.times > figures.most.times {
                    figures.most = pair;
                }
                figures.sum += u64::from(*times);
                figures.squares += u128::from(*times) * u128::from(*times);
                figures.pairs += 1;
                figures.never += u64::from(pair.times == 0);
            }
        }
        figures
    }

    /// How many fields the entrants fall into, and the first number that is not in the field of number 1.
    fn parts(&self) -> (u32, u32) {
        let mut seen = vec![false; self.entrants];
        let (mut parts, mut apart) = (0, 0);
        for start in 0..self.entrants {
            if seen[start] {
                continue;
            }
            parts += 1;
            if parts == 2 {
                apart = u32::try_from(start + 1).unwrap_or(u32::MAX);
            }
            seen[start] = true;
            let mut open = vec![start];
            while let Some(one) = open.pop() {
                for (other, seen) in seen.iter_mut().enumerate() {
                    let (low, high) = (one.min(other), one.max(other));
                    if !*seen && self.counts[high * self.entrants + low] > 0 {
                        *seen = true;
                        open.push(other);
                    }
                }
            }
        }
        (parts, apart)
    }
}
