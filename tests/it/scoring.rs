//! Scoring and ranking: the invariants of the duplicate-scoring rulebook, a slow model written from its text, and the
//! incremental engine against itself from scratch.

use std::collections::BTreeMap;

use fushi::scoring::{
    Amount, Basis, Entry, Equalise, Event, Exact, ImpTable, Lone, Method, Penalty, PutFault, RankStyle,
    Ranking, Role, Rules, Score, Standing, Status, Step, Unranked, changes, input, output,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

type Q = BigRational;

fn q(num: i64, den: i64) -> Q {
    Q::new(BigInt::from(num), BigInt::from(den))
}

fn of(value: &Exact) -> Q {
    let (num, den) = value.parts();
    Q::new(num, den)
}

// ------------------------------------------------------------------------------------------------ the slow model

/// One result as the rulebook speaks of it.
#[derive(Clone, Debug)]
struct Played {
    board: usize,
    seat: usize,
    entrant: usize,
    status: Status,
    /// Outcomes with probabilities in sixths; empty without a score.
    outcomes: Vec<(i64, i64)>,
    penalty: bool,
}

#[derive(Clone, Debug)]
struct Model {
    rules: Rules,
    results: Vec<Played>,
}

impl Model {
    fn event(&self) -> Event {
        let mut event = Event::new(self.rules.clone());
        for result in &self.results {
            event.add(&board(result), &seat(result), &entrant(result.entrant), entry(result)).unwrap();
        }
        event
    }

    fn void(&self, board: usize) -> bool {
        self.results.iter().any(|result| result.board == board && result.status == Status::Void)
    }

    /// A group's comparable results.
    fn group(&self, of: &Played) -> Vec<&Played> {
        let same = |other: &&Played| other.board == of.board && other.seat == of.seat;
        self.results.iter().filter(same).filter(|other| is_compared(other)).collect()
    }

    fn expectation(own: &Played, other: &Played, worth: impl Fn(i64, i64) -> Q) -> Q {
        let mut sum = q(0, 1);
        for (p, a) in &own.outcomes {
            for (r, b) in &other.outcomes {
                sum += q(p * r, 36) * worth(*a, *b);
            }
        }
        sum
    }

    /// The value of a compared result, and its matchpoints.
    fn value(&self, own: &Played) -> Option<(Q, Option<Q>)> {
        let group = self.group(own);
        let n = i64::try_from(group.len()).unwrap();
        let others = || group.iter().filter(|other| other.entrant != own.entrant);
        let raw = |of: &Played| of.outcomes.iter().map(|(p, s)| q(p * s, 6)).sum::<Q>();
        let rated = !matches!(self.rules.method, Method::PlacePoints | Method::MatchPoker | Method::Total);
        if n == 1 && rated {
            let half = if self.rules.method.is_rate() { q(1, 2) } else { q(0, 1) };
            return (self.rules.lone == Lone::Half).then(|| (self.fined(own, half, n), None));
        }
        let duel = |a: i64, b: i64| q(2 * i64::from(a > b) + i64::from(a == b), 1);
        let mp: Q = others().map(|other| Model::expectation(own, other, duel)).sum();
        let table = ImpTable::wbf();
        let imps = |difference: &Q| {
            let reached = table.thresholds.iter().filter(|step| abs(difference) >= q(**step, 1)).count();
            let imps = q(i64::try_from(reached).unwrap(), 1);
            if *difference < q(0, 1) { -imps } else { imps }
        };
        let all: Vec<i64> = group.iter().flat_map(|of| of.outcomes.iter().map(|(_, score)| *score)).collect();
        let (low, high) = (*all.iter().min().unwrap(), *all.iter().max().unwrap());
        let value = match self.rules.method {
            Method::ScoreRate => {
                let e = match self.rules.equalise {
                    Equalise::None => n,
                    _ => self.largest(),
                };
                let equalised = match self.rules.equalise {
                    Equalise::Neuberg => (mp * q(e, 1) + q(e - n, 1)) / q(n, 1),
                    Equalise::Linear => mp * q(e, n),
                    Equalise::None => mp,
                };
                let top = q(2 * (e - 1), 1);
                let rate = self.fined(own, equalised / &top, n);
                return Some((rate.clone(), Some(rate * top)));
            }
            Method::LinearRate if low == high => q(1, 2),
            Method::LinearRate => (raw(own) - q(low, 1)) / q(high - low, 1),
            Method::CrossImp => {
                let worth = |a, b| imps(&q(a - b, 1));
                others().map(|other| Model::expectation(own, other, worth)).sum::<Q>() / q(n - 1, 1)
            }
            Method::Butler => {
                let mut raws: Vec<Q> = group.iter().map(|of| raw(of)).collect();
                raws.sort();
                if raws.len() >= 4 {
                    raws.pop();
                    raws.remove(0);
                }
                let mean = raws.iter().sum::<Q>() / q(i64::try_from(raws.len()).unwrap(), 1);
                let datum = (mean / q(10, 1)).round() * q(10, 1);
                own.outcomes.iter().map(|(p, s)| q(*p, 6) * imps(&(q(*s, 1) - &datum))).sum()
            }
            Method::PlacePoints | Method::MatchPoker => q(1, 1) + mp / q(2, 1),
            Method::Total => raw(own),
        };
        Some((self.fined(own, value, n), None))
    }

    fn fined(&self, own: &Played, value: Q, n: i64) -> Q {
        let fine = match self.rules.method {
            Method::ScoreRate | Method::LinearRate => q(1, 10),
            Method::PlacePoints | Method::MatchPoker => q(n, 10),
            _ => q(2, 1),
        };
        if own.penalty { value - fine } else { value }
    }

    fn largest(&self) -> i64 {
        let sizes = self.results.iter().filter(|own| !self.void(own.board)).map(|own| self.group(own).len());
        i64::try_from(sizes.max().unwrap()).unwrap()
    }

    /// Values over non-artificial boards: board and value.
    fn own(&self, entrant: usize) -> Vec<(usize, Q, Q)> {
        let mine = self
            .results
            .iter()
            .filter(|own| own.entrant == entrant && is_compared(own) && !self.void(own.board));
        mine.filter_map(|own| {
            let raw = own.outcomes.iter().map(|(p, s)| q(p * s, 6)).sum();
            Some((own.board, self.value(own)?.0, raw))
        })
        .collect()
    }

    /// Sum and number of the boards that count.
    fn total(&self, entrant: usize) -> (Q, i64) {
        let own = self.own(entrant);
        let count = i64::try_from(own.len()).unwrap();
        let sum: Q = own.iter().map(|(_, value, _)| value).sum();
        let mean = (count > 0).then(|| &sum / q(count, 1));
        let (mut total, mut boards) = (sum, count);
        for award in self.results.iter().filter(|one| one.entrant == entrant && !self.void(one.board)) {
            let share = match award.status {
                Status::AwardPlus => q(3, 5),
                Status::Award => q(1, 2),
                Status::AwardMinus => q(2, 5),
                _ => continue,
            };
            let m = i64::try_from(self.group(award).len()).unwrap();
            let fixed = match self.rules.method {
                Method::ScoreRate | Method::LinearRate => share.clone(),
                Method::CrossImp | Method::Butler => (share.clone() - q(1, 2)) * q(30, 1),
                Method::PlacePoints | Method::MatchPoker if m > 0 => q(1, 1) + share.clone() * q(m - 1, 1),
                Method::PlacePoints | Method::MatchPoker | Method::Total => continue,
            };
            let value = match (&mean, award.status) {
                (Some(mean), Status::AwardPlus) => fixed.max(mean.clone()),
                (Some(mean), Status::AwardMinus) => fixed.min(mean.clone()),
                _ => fixed,
            };
            total += self.fined(award, value, m);
            boards += 1;
        }
        (total, boards)
    }

    fn average(&self, entrant: usize) -> Option<(Q, i64)> {
        let (total, boards) = self.total(entrant);
        let average = if self.rules.method == Method::Total { total } else { total / q(boards.max(1), 1) };
        (boards > 0).then_some((average, boards))
    }

    /// Key of a tied entrant under a step, or `None` when the step means nothing here.
    fn key(&self, step: Step, entrant: usize, tied: &[usize]) -> Q {
        let own = self.own(entrant);
        match step {
            Step::FullBoards if self.rules.method.is_rate() => {
                q(i64::try_from(own.iter().filter(|(_, value, _)| *value == q(1, 1)).count()).unwrap(), 1)
            }
            // The best of m alone has m points.
            Step::FullBoards if matches!(self.rules.method, Method::PlacePoints | Method::MatchPoker) => {
                let mine = self.results.iter().filter(|one| one.entrant == entrant && is_compared(one));
                let full = mine.filter(|one| {
                    let n = i64::try_from(self.group(one).len()).unwrap();
                    n > 1 && !self.void(one.board) && self.value(one).unwrap().0 == q(n, 1)
                });
                q(i64::try_from(full.count()).unwrap(), 1)
            }
            Step::CommonBoards if self.rules.method != Method::Total => {
                let everywhere = |board: usize| {
                    tied.iter().all(|one| self.own(*one).iter().any(|(played, _, _)| *played == board))
                };
                let common: Vec<&Q> = own
                    .iter()
                    .filter(|(board, _, _)| everywhere(*board))
                    .map(|(_, value, _)| value)
                    .collect();
                let count = i64::try_from(common.len()).unwrap();
                common.into_iter().sum::<Q>() / q(count.max(1), 1)
            }
            Step::RawSum => own.iter().map(|(_, _, raw)| raw).sum(),
            _ => q(0, 1),
        }
    }

    fn break_tie(&self, tied: Vec<usize>, steps: &[Step], decided: Step) -> Vec<(Vec<usize>, Step)> {
        let (Some((step, rest)), true) = (steps.split_first(), tied.len() > 1) else {
            let decided = if tied.len() > 1 { Step::Shared } else { decided };
            return vec![(tied, decided)];
        };
        let mut parts = BTreeMap::<Q, Vec<usize>>::new();
        for entrant in &tied {
            parts.entry(self.key(*step, *entrant, &tied)).or_default().push(*entrant);
        }
        if parts.len() == 1 {
            return self.break_tie(tied, rest, decided);
        }
        let again = if *step == Step::CommonBoards { steps } else { rest };
        parts.into_values().rev().flat_map(|part| self.break_tie(part, again, *step)).collect()
    }

    /// Each ranked entrant with first place, average, boards and the step that decided.
    fn ranking(&self, entrants: usize) -> Vec<(usize, usize, Q, i64, Step)> {
        let mut averages = BTreeMap::<Q, Vec<usize>>::new();
        for entrant in 0..entrants {
            if let Some((average, boards)) = self.average(entrant)
                && boards >= i64::from(self.rules.min_boards)
            {
                averages.entry(average).or_default().push(entrant);
            }
        }
        let mut rows = Vec::new();
        for (average, tied) in averages.into_iter().rev() {
            for (part, step) in self.break_tie(tied, &self.rules.tie_break[1..], Step::Average) {
                let first = rows.len() + 1;
                for entrant in part {
                    rows.push((first, entrant, average.clone(), self.total(entrant).1, step));
                }
            }
        }
        rows
    }
}

fn abs(value: &Q) -> Q {
    if *value < q(0, 1) { -value.clone() } else { value.clone() }
}

fn is_compared(result: &Played) -> bool {
    matches!(result.status, Status::Played | Status::Withdrawn) && !result.outcomes.is_empty()
}

fn board(result: &Played) -> String {
    format!("{}", result.board + 1)
}

fn seat(result: &Played) -> String {
    ["A", "B", "C"][result.seat].to_owned()
}

/// Names whose code-point order is that of the numbers.
fn entrant(number: usize) -> String {
    format!("e{number:02}")
}

fn entry(result: &Played) -> Entry {
    let mut entry = match result.outcomes.as_slice() {
        [] => Entry::of(result.status),
        [(6, score)] => Entry { status: result.status, ..Entry::played(*score) },
        outcomes => {
            let outcomes =
                outcomes.iter().map(|(p, score)| (Exact::ratio(*p, 6).unwrap(), Score::from(*score)));
            Entry { status: result.status, ..Entry::weighted("R1", outcomes) }
        }
    };
    if result.penalty {
        entry = entry.penalised(Penalty::usual("R2"));
    }
    entry
}

/// Penalties of methods without a top are given in points.
fn settle_penalties(model: &Model, event: &mut Event) {
    if !matches!(model.rules.method, Method::CrossImp | Method::Butler | Method::Total) {
        return;
    }
    for result in model.results.iter().filter(|result| result.penalty) {
        let mut plain = entry(&Played { penalty: false, ..result.clone() });
        plain = plain.penalised(Penalty { ruling: "R2".to_owned(), amount: Amount::Points(Exact::from(2)) });
        event.put(&board(result), &seat(result), &entrant(result.entrant), plain).unwrap();
    }
}

const ENTRANTS: usize = 6;

fn results() -> impl Strategy<Value = Vec<Played>> {
    let status = prop_oneof![
        12 => Just(Status::Played),
        1 => Just(Status::NotPlayed),
        1 => Just(Status::Absent),
        1 => Just(Status::Disqualified),
        1 => Just(Status::Withdrawn),
        1 => Just(Status::AwardPlus),
        1 => Just(Status::Award),
        1 => Just(Status::AwardMinus),
    ];
    let score = prop_oneof![-3..=3i64, -700..=700i64];
    let one =
        (0..4usize, 0..2usize, 0..ENTRANTS, status, score.clone(), score, 0..10u8, 0..8u8, any::<bool>());
    let void = prop_oneof![6 => Just(None), 1 => (0..4usize).prop_map(Some)];
    (prop::collection::vec(one, 0..40), void).prop_map(|(list, void)| {
        let mut seen = std::collections::BTreeSet::new();
        let mut results = Vec::new();
        for (board, seat, entrant, status, score, other, weighted, fined, finished) in list {
            if !seen.insert((board, seat, entrant)) {
                continue;
            }
            let has_score = status == Status::Played || (status == Status::Withdrawn && finished);
            let outcomes = match (has_score, weighted) {
                (false, _) => vec![],
                (true, 0) => vec![(2, score), (4, other)],
                (true, _) => vec![(6, score)],
            };
            // Results that do not count and are no awards cannot be fined either.
            let penalty = fined == 0 && (has_score || status.is_award());
            results.push(Played { board, seat, entrant, status, outcomes, penalty });
        }
        if let Some(first) = results.iter_mut().find(|result| Some(result.board) == void) {
            *first = Played { status: Status::Void, outcomes: vec![], penalty: false, ..first.clone() };
        }
        results
    })
}

fn rules() -> impl Strategy<Value = Rules> {
    (
        prop::sample::select(Method::ALL),
        prop::sample::select(Equalise::ALL),
        prop::sample::select(Lone::ALL),
        0..3u32,
        Just(vec![Step::FullBoards, Step::CommonBoards, Step::RawSum]).prop_shuffle(),
    )
        .prop_map(|(method, equalise, lone, min_boards, steps)| Rules {
            method,
            equalise,
            lone,
            min_boards,
            tie_break: std::iter::once(Step::Average).chain(steps).collect(),
            ..Rules::default()
        })
}

fn model() -> impl Strategy<Value = Model> {
    (rules(), results()).prop_map(|(rules, mut results)| {
        if matches!(rules.method, Method::CrossImp | Method::Butler | Method::Total) {
            // Added without and fined afterwards, in points.
            results.sort_by_key(|result| result.penalty);
        }
        Model { rules, results }
    })
}

fn event_of(model: &Model) -> Event {
    let plain = Model {
        rules: model.rules.clone(),
        results: model.results.iter().map(|result| Played { penalty: false, ..result.clone() }).collect(),
    };
    if matches!(model.rules.method, Method::CrossImp | Method::Butler | Method::Total) {
        let mut event = plain.event();
        settle_penalties(model, &mut event);
        event
    } else {
        model.event()
    }
}

fn compare(model: &Model, event: &mut Event) -> Result<(), TestCaseError> {
    let settled = event.settle();
    for result in &model.results {
        let cell = settled.cell(&board(result), &seat(result), &entrant(result.entrant)).unwrap();
        if is_compared(result) && !model.void(result.board) {
            let value = model.value(result);
            prop_assert_eq!(
                cell.value.as_ref().map(of),
                value.clone().map(|(value, _)| value),
                "{:?}",
                result
            );
            let matchpoints = value.and_then(|(_, mp)| mp);
            prop_assert_eq!(cell.matchpoints.as_ref().map(of), matchpoints, "{:?}", result);
        } else if !result.status.is_award() || model.void(result.board) {
            prop_assert_eq!(&cell.value, &None, "{:?}", result);
        }
        let told = settled.explain(&board(result), &seat(result), &entrant(result.entrant)).unwrap();
        prop_assert_eq!(&told.value, &cell.value, "the explanation speaks of another value");
        if let (Some(equalised), Some(matchpoints)) = (told.equalised, cell.matchpoints) {
            let fine = told.taken.unwrap_or(Exact::ZERO);
            let top = Exact::from(told.top.unwrap());
            prop_assert_eq!(&equalised - &(&fine * &top), matchpoints, "the comparisons do not add up");
        }
    }
    let wanted = model.ranking(ENTRANTS);
    let ranked: Vec<_> = settled.ranking().rows.iter().filter(|row| row.place.is_ok()).collect();
    let got: Vec<_> = ranked
        .iter()
        .map(|row| {
            let number = row.entrant[1..].parse::<usize>().unwrap();
            let first = usize::try_from(row.place.unwrap().first).unwrap();
            let average = of(row.average.as_ref().unwrap());
            (first, number, average, i64::from(row.boards), row.decided_by.unwrap())
        })
        .collect();
    prop_assert_eq!(got, wanted);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_agrees_with_a_slow_model_of_the_rulebook(model in model()) {
        compare(&model, &mut event_of(&model))?;
    }
}

// ------------------------------------------------------------------------------------------- results files and teams

const STANDINGS: [Standing; 4] =
    [Standing::Ranked, Standing::Withdrawn, Standing::Disqualified, Standing::StandIn];

/// What the server exports ranks as the server ranks.
fn written_and_read(event: &mut Event) -> Result<(), TestCaseError> {
    let text = output::write(event);
    let mut read = match input::read(text.as_bytes(), event.rules().clone()) {
        Ok(read) => read,
        Err(faults) => return Err(TestCaseError::fail(format!("{faults:?}\n{text}"))),
    };
    let (before, after) = (event.settle(), read.settle());
    prop_assert_eq!(before.ranking(), after.ranking(), "{}", text);
    for (board, seat, lines) in before.groups() {
        for line in lines {
            prop_assert_eq!(Some(line.cell), after.cell(board, seat, line.entrant), "{}", text);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn exported_results_rank_as_they_did_to_the_last_digit(
        model in model(),
        standings in prop::collection::vec(prop::sample::select(&STANDINGS[..]), ENTRANTS),
        expected in prop::option::of(50..60u32),
        thirds in any::<bool>(),
    ) {
        prop_assume!(model.rules.method != Method::MatchPoker);
        let mut event = event_of(&model);
        for (number, standing) in standings.into_iter().enumerate() {
            event.set_standing(&entrant(number), standing);
        }
        event.register("nobody, \"yet\"");
        if let Some(first) = model.results.first() {
            event.expect(&board(first), &seat(first), expected);
            // A ruled score without a decimal form.
            if thirds && first.status == Status::Played && !first.outcomes.is_empty() {
                let third = Score::from("-7/3".parse::<Exact>().unwrap());
                let ruled = Entry::played(third).ruled(fushi::scoring::Ruling { id: "9".to_owned(), weighted: vec![] });
                event.put(&board(first), &seat(first), &entrant(first.entrant), ruled.in_role(Role::Banker)).unwrap();
            }
        }
        written_and_read(&mut event)?;
    }

    /// The federations' match poker against a model of its own: sums of net chips, then counted who is beaten.
    #[test]
    fn match_poker_adds_up_a_teams_seats_and_gives_m_to_1_points(
        teams in 2..6usize,
        seats in 2..5usize,
        chips in prop::collection::vec(-3..=3i64, 100),
    ) {
        const BOARDS: usize = 4;
        let mut chips = chips.into_iter().cycle();
        let mut text = String::from("board,seat,entrant,score,table\n");
        let mut points = vec![q(0, 1); teams];
        for board in 0..BOARDS {
            let mut sums = vec![0; teams];
            for seat in 0..seats {
                for (team, sum) in sums.iter_mut().enumerate() {
                    let won = 50 * chips.next().unwrap();
                    *sum += won;
                    // Members of a team sit at different tables.
                    let table = (team + seat) % teams.max(seats) + 1;
                    text.push_str(&format!("{board},{},t{team},{won},{table}\n", seat + 1));
                }
            }
            for (team, sum) in sums.iter().enumerate() {
                let beaten = sums.iter().filter(|other| *other < sum).count();
                let equal = sums.iter().filter(|other| *other == sum).count();
                // m … 1 points: the mean of the places that equal teams occupy.
                let (low, high) = (beaten + 1, beaten + equal);
                points[team] += q(i64::try_from(low + high).unwrap(), 2);
            }
        }
        let mut event = input::read(text.as_bytes(), Rules::of(Method::MatchPoker)).unwrap();
        {
            let settled = event.settle();
            for row in &settled.ranking().rows {
                let team = row.entrant[1..].parse::<usize>().unwrap();
                let wanted = &points[team] / q(i64::try_from(BOARDS).unwrap(), 1);
                prop_assert_eq!(of(row.average.as_ref().unwrap()), wanted);
                prop_assert_eq!(row.boards as usize, BOARDS);
            }
            let total: Q = settled.ranking().rows.iter().map(|row| of(row.average.as_ref().unwrap())).sum();
            let m = i64::try_from(teams).unwrap();
            prop_assert_eq!(total, q(m * (m + 1), 2), "all points are given out");
        }
        written_and_read(&mut event)?;
    }
}

#[test]
fn a_team_must_have_every_seat_each_at_another_table() {
    let faults = |rows: &str| {
        let text = format!("board,seat,entrant,score,table,status\n{rows}");
        let read = input::read(text.as_bytes(), Rules::of(Method::MatchPoker));
        read.err()
            .unwrap_or_default()
            .into_iter()
            .map(|fault| (fault.line, fault.what.id))
            .collect::<Vec<_>>()
    };
    let fine = "1,1,x,100,1,\n1,2,x,-50,2,\n1,1,y,-100,2,\n1,2,y,50,1,\n";
    assert_eq!(faults(fine), []);
    assert_eq!(faults(&fine.replace("1,2,y,50,1,\n", "")), [(Some(4), "rank-fault-team-seat")]);
    assert_eq!(faults(&fine.replace("1,2,y,50,1,", "1,2,y,,,absent")), []);
    assert_eq!(faults(&fine.replace("1,2,y,50,1,", "1,2,y,50,2,")), [(Some(5), "rank-fault-team-table")]);
    let mut event = input::read(
        b"board,seat,entrant,score,status\n1,1,x,100,\n1,2,x,-50,\n1,1,y,-100,\n1,2,y,,absent\n1,1,z,5,\n1,2,z,6,\n",
        Rules::of(Method::MatchPoker),
    )
    .unwrap();
    let settled = event.settle();
    assert_eq!(
        settled.cell("1", "team", "y").unwrap().basis,
        Basis::Absent,
        "nobody plays with fewer tables"
    );
    assert_eq!(settled.cell("1", "team", "x").unwrap().value, Some(Exact::from(2)));
    let told = settled.explain("1", "team", "x").unwrap();
    assert_eq!((told.parts.len(), told.score), (2, Some(Score::from(50))));
}

/// Ties by the rulebook's list: average, boards at 100 % (won alone under place points), common boards, raw scores.
#[test]
fn place_points_count_boards_at_100_percent_before_chips() {
    let mut event = Event::new(Rules::of(Method::PlacePoints));
    // a: 3 and 1 points; b: 2 and 2, with far more chips.
    for (board, entrant, score) in
        [("1", "a", 100), ("1", "b", 90), ("1", "c", 0), ("2", "c", 900), ("2", "b", 800), ("2", "a", -500)]
    {
        event.add(board, "1", entrant, Entry::played(score)).unwrap();
    }
    // c: 1 and 3 points as well, and between a and c the chips decide.
    assert_eq!(
        order(&mut event),
        named(&[("1", "c", Step::RawSum), ("2", "a", Step::RawSum), ("3", "b", Step::FullBoards)])
    );
}

#[test]
fn penalties_must_be_penalties_and_never_vanish() {
    let points =
        |text: &str| Penalty { ruling: "1".to_owned(), amount: Amount::Points(text.parse().unwrap()) };
    let share = |text: &str| Penalty { ruling: "1".to_owned(), amount: Amount::OfTop(text.parse().unwrap()) };
    for method in Method::ALL.iter().copied() {
        let rules = Rules::of(method);
        for wrong in [points("-3"), points("0"), share("-1/2"), share("0"), share("100"), share("1.0001")] {
            let mut event = Event::new(rules.clone());
            let put = event.add("1", "A", "x", Entry::played(1).penalised(wrong.clone()));
            assert!(matches!(put, Err(PutFault::Penalty(_))), "{method} {wrong:?}");
            assert!(wrong.check_under(&rules, 4).is_err());
        }
        let most = match method {
            Method::ScoreRate => "6",
            Method::LinearRate => "1",
            Method::CrossImp | Method::Butler => "24",
            Method::PlacePoints | Method::MatchPoker => "4",
            Method::Total => "100000",
        };
        assert_eq!(points(most).check_under(&rules, 4), Ok(()), "{method}");
        let more = &most.parse::<Exact>().unwrap() + &"1/100".parse::<Exact>().unwrap();
        let beyond = Penalty { ruling: "1".to_owned(), amount: Amount::Points(more) };
        assert_eq!(beyond.check_under(&rules, 4).is_err(), method != Method::Total, "{method}");
        assert_eq!(share("1").check_under(&rules, 4).is_ok(), method.has_top(), "{method}");
    }
    // An artificial score on a board where nothing is compared: two of four matchpoints that three results would have.
    let mut event = Event::new(Rules::default());
    event.add("1", "A", "x", Entry::of(Status::AwardPlus).penalised(points("2"))).unwrap();
    event.add("1", "A", "y", Entry::of(Status::Disqualified)).unwrap();
    event.add("1", "A", "z", Entry::of(Status::Absent)).unwrap();
    assert_eq!(event.settle().cell("1", "A", "x").unwrap().value, "1/10".parse().ok());
    let mut alone = Event::new(Rules::default());
    alone.add("1", "A", "x", Entry::of(Status::Award).penalised(points("1"))).unwrap();
    assert_eq!(alone.settle().cell("1", "A", "x").unwrap().value, Some(Exact::ZERO));
    // No penalty takes more than the whole board, even where fewer are compared than were meant to be.
    let mut small = Event::new(Rules::default());
    small.add("1", "A", "x", Entry::played(5).penalised(points("6"))).unwrap();
    small.add("1", "A", "y", Entry::played(1)).unwrap();
    assert_eq!(small.settle().cell("1", "A", "x").unwrap().value, Some(Exact::ZERO));
}

#[test]
fn averages_that_differ_are_shown_differently() {
    // 1/3 and 1/3 ± 1/600000 of a board.
    let mut event = Event::new(Rules::of(Method::Total));
    for (entrant, score) in
        [("a", "33.333"), ("b", "33.3333"), ("c", "33.3333"), ("d", "33.3299"), ("e", "12")]
    {
        event.add("1", "A", entrant, Entry::played(score.parse::<Score>().unwrap())).unwrap();
    }
    let settled = event.settle();
    let shown: Vec<String> = settled.ranking().shown(Method::Total).into_iter().map(Option::unwrap).collect();
    assert_eq!(shown, ["33.3333", "33.3333", "33.3330", "33.330", "12.00"]);
}

#[test]
fn cautions_name_what_is_worth_a_look() {
    let ids = |text: &str, method: Method| -> Vec<&'static str> {
        let mut event = input::read(text.as_bytes(), Rules::of(method)).unwrap();
        event.settle().cautions().iter().map(|message| message.id).collect()
    };
    let head = "board,seat,entrant,score\n";
    let rows = "1,A,x,6\n1,A,y,2\n2,A,x,1\n";
    assert_eq!(ids(&format!("{head}{rows}"), Method::ScoreRate), ["rank-note-lone"]);
    assert_eq!(ids(&format!("{head}{rows}"), Method::PlacePoints), ["rank-note-lone"]);
    assert_eq!(ids(&format!("{head}{rows}"), Method::Total), ["rank-note-unequal"]);
    assert_eq!(ids(&format!("{head}{rows}2,A,y,1\n"), Method::Total), [""; 0]);
    assert_eq!(ids(&format!("{head}{rows}2,A,Ｘ,1\n"), Method::ScoreRate), ["rank-note-alike"]);
    let pairs = "1,NS,\"王,李\",6\n1,NS,\"李,王\",2\n1,NS,\"张,张\",2\n1,NS,\"王,赵\",2\n";
    assert_eq!(
        ids(&format!("{head}{pairs}"), Method::ScoreRate),
        ["rank-note-pair-same", "rank-note-pair-turned", "rank-note-pair-shared"]
    );
}

// ------------------------------------------------------------------------------------------------------ invariants

fn single(scores: &[i64], rules: Rules) -> Event {
    let mut event = Event::new(rules);
    for (number, score) in scores.iter().enumerate() {
        event.add("1", "A", &entrant(number), Entry::played(*score)).unwrap();
    }
    event
}

fn matchpoints(event: &mut Event, len: usize) -> Vec<Exact> {
    let settled = event.settle();
    (0..len).map(|number| settled.cell("1", "A", &entrant(number)).unwrap().matchpoints.unwrap()).collect()
}

fn rates(event: &mut Event, len: usize) -> Vec<Exact> {
    let settled = event.settle();
    (0..len).map(|number| settled.cell("1", "A", &entrant(number)).unwrap().value.unwrap()).collect()
}

proptest! {
    #[test]
    fn f1_matchpoints_add_up_and_the_mean_rate_is_one_half(
        scores in prop::collection::vec(prop_oneof![-4..4i64, any::<i64>()], 2..40), expected in 0..60u32,
    ) {
        let n = i64::try_from(scores.len()).unwrap();
        let mut event = single(&scores, Rules::default());
        prop_assert_eq!(matchpoints(&mut event, scores.len()).iter().sum::<Exact>(), Exact::from(n * (n - 1)));
        // Neuberg keeps the mean at one half, whatever was expected.
        let mut equalised = single(&scores, Rules { equalise: Equalise::Neuberg, ..Rules::default() });
        equalised.expect("1", "A", Some(u32::try_from(n).unwrap() + expected));
        for event in [&mut event, &mut equalised] {
            let rates = rates(event, scores.len());
            prop_assert_eq!(rates.iter().sum::<Exact>(), Exact::ratio(n, 2).unwrap());
            prop_assert!(rates.iter().all(|rate| *rate >= Exact::ZERO && *rate <= Exact::ONE));
        }
    }

    #[test]
    fn f1_an_increasing_map_of_scores_changes_nothing(
        scores in prop::collection::vec(-50..50i64, 2..30), slope in 1..1000i64, shift in -1_000_000..1_000_000i64,
    ) {
        let mapped: Vec<i64> = scores.iter().map(|score| score * score * score * slope + shift).collect();
        let mut event = single(&scores, Rules::default());
        let mut other = single(&mapped, Rules::default());
        prop_assert_eq!(matchpoints(&mut event, scores.len()), matchpoints(&mut other, scores.len()));
        // … and as decimals, which take another way through the code.
        let mut decimal = Event::new(Rules::default());
        for (number, score) in scores.iter().enumerate() {
            let score: Score = format!("{score}.25").replace("-0.25", "-0.75").parse().unwrap();
            let map = if score < Score::from(0) { (&score.exact() + &Exact::HALF).into() } else { score };
            decimal.add("1", "A", &entrant(number), Entry::played(map)).unwrap();
        }
        prop_assert_eq!(matchpoints(&mut event, scores.len()), matchpoints(&mut decimal, scores.len()));
    }

    #[test]
    fn renaming_and_reordering_change_nothing_but_names(model in model(), seed in any::<u64>()) {
        let mut shuffled = model.clone();
        let mut state = seed | 1;
        shuffled.results.sort_by_cached_key(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        });
        prop_assert_eq!(event_of(&model).settle().into_ranking(), event_of(&shuffled).settle().into_ranking());
        // Turning the names round keeps every average; only shared places come in another order.
        let mut renamed = model.clone();
        for result in &mut renamed.results {
            result.entrant = ENTRANTS - 1 - result.entrant;
        }
        let key = |ranking: &Ranking, back: bool| {
            let mut rows: Vec<_> = ranking
                .rows
                .iter()
                .map(|row| {
                    let number = row.entrant[1..].parse::<usize>().unwrap();
                    let number = if back { ENTRANTS - 1 - number } else { number };
                    (number, row.place, row.average.clone(), row.boards, row.decided_by)
                })
                .collect();
            rows.sort_by_key(|row| row.0);
            rows
        };
        let before = key(&event_of(&model).settle().into_ranking(), false);
        prop_assert_eq!(before, key(&event_of(&renamed).settle().into_ranking(), true));
    }

    #[test]
    fn a_rate_depends_on_nothing_but_its_own_group(model in model(), score in -5..5i64) {
        let mut model = model;
        model.rules = Rules { method: model.rules.method, ..Rules::default() };
        let mut event = event_of(&model);
        let cells = |event: &mut Event| -> Vec<_> {
            let settled = event.settle();
            let own = model.results.iter().filter(|result| is_compared(result));
            own.map(|result| settled.cell(&board(result), &seat(result), &entrant(result.entrant))).collect()
        };
        let before = cells(&mut event);
        event.add("other", "A", "e00", Entry::played(score)).unwrap();
        event.add("other", "A", "e01", Entry::played(0)).unwrap();
        prop_assert_eq!(before, cells(&mut event));
    }

    #[test]
    fn changes_one_by_one_give_the_same_as_from_scratch(
        model in model(), edits in prop::collection::vec((any::<prop::sample::Index>(), 0..6u8, -4..4i64), 1..12),
        together in any::<bool>(),
    ) {
        let mut model = model;
        for result in &mut model.results {
            result.penalty = false;
        }
        let mut event = event_of(&model);
        event.settle();
        let mut unsettled = 0;
        for (at, kind, score) in edits {
            if model.results.is_empty() {
                break;
            }
            let at = at.index(model.results.len());
            let changed = {
                let old = model.results[at].clone();
                match kind {
                    0 => None,
                    1 => Some(Played { status: Status::AwardPlus, outcomes: vec![], ..old }),
                    2 => Some(Played { status: Status::Void, outcomes: vec![], ..old }),
                    3 => Some(Played { status: Status::Played, outcomes: vec![(3, score), (3, 0)], ..old }),
                    _ => Some(Played { status: Status::Played, outcomes: vec![(6, score)], ..old }),
                }
            };
            let old = model.results[at].clone();
            let names = (board(&old), seat(&old), entrant(old.entrant));
            match changed {
                None => {
                    prop_assert_eq!(event.remove(&names.0, &names.1, &names.2), Some(entry(&old)));
                    model.results.swap_remove(at);
                }
                Some(new) => {
                    let replaced = event.put(&names.0, &names.1, &names.2, entry(&new)).unwrap();
                    prop_assert_eq!(replaced, Some(entry(&old)));
                    model.results[at] = new;
                }
            }
            unsettled += 1;
            if !together || unsettled % 3 == 0 {
                compare(&model, &mut event)?;
            }
        }
        compare(&model, &mut event)?;
    }
}

// ------------------------------------------------------------------------------------------------------ named cases

fn add(event: &mut Event, board: &str, entrant: &str, entry: Entry) {
    event.add(board, "A", entrant, entry).unwrap();
}

/// An event with results at the given rates: each board is a group in which the entrant beats some of ten others.
fn with_rates(rates: &[(&str, &str, i64)]) -> Event {
    let mut event = Event::new(Rules::default());
    for (board, entrant, beaten) in rates {
        for n in 0..10i64 {
            let filler = format!("filler {n}");
            event.set_standing(&filler, Standing::StandIn);
            let seat = format!("{entrant}'s");
            event.add(board, &seat, &filler, Entry::played(if n < *beaten { 0 } else { 2 })).unwrap();
        }
        event.add(board, &format!("{entrant}'s"), entrant, Entry::played(1)).unwrap();
    }
    event
}

fn order(event: &mut Event) -> Vec<(String, String, Step)> {
    let settled = event.settle();
    let style = settled.ranking().style;
    let ranked = settled
        .ranking()
        .rows
        .iter()
        .filter_map(|row| Some((row.place.ok()?.shown(style), row.entrant.clone(), row.decided_by?)));
    ranked.collect()
}

fn named(rows: &[(&str, &str, Step)]) -> Vec<(String, String, Step)> {
    rows.iter().map(|(place, entrant, step)| ((*place).to_owned(), (*entrant).to_owned(), *step)).collect()
}

#[test]
fn f2_the_average_is_of_rates_not_of_pooled_matchpoints() {
    let mut event = Event::new(Rules::default());
    for (n, score) in [(0, 9), (1, 1), (2, 0)] {
        add(&mut event, "small", &entrant(n), Entry::played(score));
    }
    for n in 0..11 {
        add(
            &mut event,
            "large",
            &entrant(n),
            Entry::played(if n == 0 { 5 } else { i32::try_from(n).unwrap() - 1 }),
        );
    }
    // 4 of 4 and 11 of 20 (one equal): the mean of 100 % and 55 %.
    let settled = event.settle();
    assert_eq!(settled.ranking().of("e00").unwrap().average.as_ref().unwrap().percent(), "77.50");
}

#[test]
fn f4_a_plus_takes_the_own_average_when_that_is_higher() {
    let mut event = Event::new(Rules::default());
    for (board, scores) in [("1", [12, 6, 6, -6, -12]), ("2", [6, 12, 6, -6, -12])] {
        for (n, score) in scores.into_iter().enumerate() {
            add(&mut event, board, &entrant(n), Entry::played(score));
        }
    }
    add(&mut event, "3", "e00", Entry::of(Status::AwardPlus));
    add(&mut event, "3", "e04", Entry::of(Status::AwardMinus));
    add(&mut event, "3", "e03", Entry::of(Status::AwardPlus));
    add(&mut event, "3", "new", Entry::of(Status::AwardMinus));
    let settled = event.settle();
    let value = |entrant: &str| settled.cell("3", "A", entrant).unwrap().value.unwrap().percent();
    assert_eq!(value("e00"), "81.25");
    assert_eq!(value("e04"), "0.00");
    assert_eq!(value("e03"), "60.00");
    assert_eq!(value("new"), "40.00");
    assert_eq!(settled.ranking().of("e00").unwrap().boards, 3);
}

#[test]
fn f6_a_penalty_is_taken_after_equalising_and_given_to_nobody() {
    let mut event = Event::new(Rules { equalise: Equalise::Neuberg, ..Rules::default() });
    event.expect("1", "A", Some(11));
    for n in 0..10 {
        add(&mut event, "1", &entrant(n), Entry::played(i64::try_from(n).unwrap()));
    }
    let before: Vec<Exact> = rates(&mut event, 10);
    event.put("1", "A", "e09", Entry::played(9).penalised(Penalty::usual("R7"))).unwrap();
    let after = rates(&mut event, 10);
    assert_eq!(after[..9], before[..9]);
    assert_eq!(after[9], "179/200".parse().unwrap());
    assert_eq!(matchpoints(&mut event, 10)[9], "17.9".parse().unwrap());
    let told = event.settle().explain("1", "A", "e09").unwrap();
    assert_eq!((told.equalised, told.taken), ("19.9".parse().ok(), "0.1".parse().ok()));
}

#[test]
fn ties_go_down_the_list_and_the_deciding_step_is_named() {
    // a and b: 100 + 0 against 50 + 50, so the board at 100 % decides; c and d are equal throughout.
    let mut event = with_rates(&[
        ("1", "a", 10),
        ("2", "a", 0),
        ("1", "b", 5),
        ("2", "b", 5),
        ("1", "c", 4),
        ("1", "d", 4),
        ("1", "z", 9),
    ]);
    assert_eq!(
        order(&mut event),
        named(&[
            ("1", "z", Step::Average),
            ("2", "a", Step::FullBoards),
            ("3", "b", Step::FullBoards),
            ("4", "c", Step::Shared),
            ("4", "d", Step::Shared),
        ])
    );
    let styled = |event: &mut Event, style| {
        event.set_rules(Rules { style, ..Rules::default() }).unwrap();
        order(event).into_iter().map(|row| row.0).collect::<Vec<_>>()
    };
    assert_eq!(styled(&mut event, RankStyle::Dense), ["1", "2", "3", "4", "4"]);
    assert_eq!(styled(&mut event, RankStyle::Range), ["1", "2", "3", "4-5", "4-5"]);
}

#[test]
fn ties_on_common_boards_are_compared_again_among_those_still_tied() {
    // Averages are equal. All three played board 1 only: a leads, b and c are equal there. Those two also share
    // board 2, where c is better.
    let mut event = with_rates(&[
        ("1", "a", 8),
        ("3", "a", 2),
        ("1", "b", 4),
        ("2", "b", 5),
        ("4", "b", 6),
        ("1", "c", 4),
        ("2", "c", 7),
        ("5", "c", 4),
    ]);
    assert_eq!(
        order(&mut event),
        named(&[
            ("1", "a", Step::CommonBoards),
            ("2", "c", Step::CommonBoards),
            ("3", "b", Step::CommonBoards),
        ])
    );
}

#[test]
fn raw_scores_decide_last_and_an_award_is_no_board_at_100_percent() {
    let mut event = Event::new(Rules::default());
    for (board, winner, score) in [("1", "x", 100), ("2", "y", 1)] {
        for entrant in ["x", "y"] {
            add(&mut event, board, entrant, Entry::played(if entrant == winner { score } else { 0 }));
        }
    }
    assert_eq!(order(&mut event), named(&[("1", "x", Step::RawSum), ("2", "y", Step::RawSum)]));
    // An award at the own average of 100 % counts as a board, but not as a board at 100 %.
    let mut event = with_rates(&[("1", "p", 10), ("1", "r", 10), ("2", "r", 10)]);
    event.add("2", "p's", "p", Entry::of(Status::AwardPlus)).unwrap();
    assert_eq!(order(&mut event), named(&[("1", "r", Step::FullBoards), ("2", "p", Step::FullBoards)]));
}

#[test]
fn three_thirds_are_exactly_one_and_a_tenth_and_two_tenths_are_three() {
    let mut event = Event::new(Rules::of(Method::Total));
    for board in ["1", "2", "3"] {
        add(&mut event, board, "thirds", Entry::played("1/3".parse::<Exact>().unwrap()));
    }
    add(&mut event, "1", "whole", Entry::played(1));
    assert_eq!(order(&mut event), named(&[("1", "thirds", Step::Shared), ("1", "whole", Step::Shared)]));
    let mut event = Event::new(Rules::of(Method::Total));
    for (board, score) in [("1", "0.1"), ("2", "0.2")] {
        add(&mut event, board, "sum", Entry::played(score.parse::<Score>().unwrap()));
    }
    add(&mut event, "1", "once", Entry::played("0.3".parse::<Score>().unwrap()));
    assert_eq!(order(&mut event), named(&[("1", "once", Step::Shared), ("1", "sum", Step::Shared)]));
}

#[test]
fn one_result_absent_and_void_are_no_zeros() {
    let mut event = Event::new(Rules::default());
    add(&mut event, "1", "a", Entry::played(6));
    add(&mut event, "1", "b", Entry::played(-6));
    add(&mut event, "2", "a", Entry::played(1));
    add(&mut event, "3", "a", Entry::of(Status::Absent));
    add(&mut event, "3", "b", Entry::played(5));
    add(&mut event, "3", "c", Entry::played(-5));
    add(&mut event, "4", "a", Entry::played(-9));
    add(&mut event, "4", "b", Entry::played(9));
    event.set_void("4", true);
    event.register("nobody");
    let ranking = event.settle().into_ranking();
    let shown: Vec<_> = ranking
        .rows
        .iter()
        .map(|row| {
            (row.entrant.as_str(), row.average.as_ref().map(Exact::percent), row.boards, row.place.err())
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("a", Some("100.00".to_owned()), 1, None),
            ("b", Some("50.00".to_owned()), 2, None),
            ("c", Some("0.00".to_owned()), 1, None),
            ("nobody", None, 0, Some(Unranked::NoBoard)),
        ]
    );
    let settled = event.settle();
    let basis = |board| settled.explain(board, "A", "a").unwrap().basis.id();
    assert_eq!(["1", "2", "3", "4"].map(basis), ["compared", "lone", "absent", "void"]);
    event.set_void("4", false);
    assert_eq!(event.settle().ranking().of("a").unwrap().average.as_ref().unwrap().percent(), "50.00");
}

#[test]
fn all_equal_is_half_for_everybody_and_the_place_is_shared() {
    let mut event = single(&[1, 1, 1], Rules { style: RankStyle::Range, ..Rules::default() });
    assert_eq!(rates(&mut event, 3), vec![Exact::HALF; 3]);
    assert_eq!(
        order(&mut event),
        named(&[("1-3", "e00", Step::Shared), ("1-3", "e01", Step::Shared), ("1-3", "e02", Step::Shared)])
    );
}

#[test]
fn withdrawn_entrants_keep_their_finished_boards_in_the_comparison() {
    let mut event = single(&[3, 2, 1], Rules::default());
    event.put("1", "A", "e00", Entry { status: Status::Withdrawn, ..Entry::played(3) }).unwrap();
    event.set_standing("e00", Standing::Withdrawn);
    let settled = event.settle();
    assert_eq!(settled.cell("1", "A", "e01").unwrap().value, Some(Exact::HALF));
    let last = settled.ranking().rows.last().unwrap();
    assert_eq!((last.entrant.as_str(), last.place), ("e00", Err(Unranked::Withdrawn)));
    // Disqualified results are struck out of the comparison.
    event.put("1", "A", "e00", Entry { status: Status::Disqualified, ..Entry::played(3) }).unwrap();
    assert_eq!(event.settle().cell("1", "A", "e01").unwrap().value, Some(Exact::ONE));
}

#[test]
fn a_ruling_shows_beforehand_whom_it_moves() {
    let mut event = single(&[4, 3, 2, 1], Rules::default());
    let before = event.settle().into_ranking();
    event.put("1", "A", "e03", Entry::played(0)).unwrap();
    assert!(changes(&before, event.settle().ranking()).is_empty(), "a lower last score moves nobody");
    event.put("1", "A", "e03", Entry::played(3)).unwrap();
    let after = event.settle().into_ranking();
    let changed = changes(&before, &after);
    let moved: Vec<&str> = changed.iter().map(|change| change.entrant.as_str()).collect();
    assert_eq!(moved, ["e01", "e03", "e02"]);
    let first = |row: &Option<fushi::scoring::RankRow>| row.as_ref().unwrap().place.unwrap().first;
    assert_eq!((first(&changed[1].before), first(&changed[1].after)), (4, 2));
    event.remove("1", "A", "e03");
    assert_eq!(changes(&after, event.settle().ranking()).len(), 3);
}

#[test]
fn numbers_of_any_size_are_scored_without_overflow() {
    let huge = "999999999999999999999999999999.999999999999999999999999999999";
    for method in Method::ALL {
        let mut event = Event::new(Rules::of(*method));
        for (n, score) in
            [huge, &format!("-{huge}"), "9223372036854775807", "-9223372036854775808"].iter().enumerate()
        {
            for board in ["1", "2", "3"] {
                add(&mut event, board, &entrant(n), Entry::played(score.parse::<Score>().unwrap()));
            }
        }
        assert_eq!(event.settle().ranking().rows.first().unwrap().entrant, "e00", "{method}");
    }
}

#[test]
fn the_five_cross_tabulations_agree_with_the_cells() {
    let mut event = Event::new(Rules::default());
    for (board, seat, entrant, score) in [
        ("2", "A", "a", 6),
        ("2", "A", "b", -2),
        ("10", "B", "a", 1),
        ("10", "B", "b", 4),
        ("10", "B", "c", 4),
        ("1", "C", "c", 9),
    ] {
        event.add(board, seat, entrant, Entry::played(score)).unwrap();
    }
    let settled = event.settle();
    let table = settled.cross_tab();
    assert_eq!(table.columns.iter().map(|column| column.board).collect::<Vec<_>>(), ["1", "2", "10"]);
    let rows: Vec<(&str, Vec<(usize, &str)>)> = settled
        .ranking()
        .rows
        .iter()
        .enumerate()
        .map(|(n, row)| (row.entrant.as_str(), table.row(n).map(|(at, line)| (at, line.seat)).collect()))
        .collect();
    assert_eq!(rows[0], ("c", vec![(0, "C"), (2, "B")]));
    let traveller = settled.traveller("10").unwrap();
    let scores: Vec<(String, u32)> =
        traveller.seats[0].frequencies.iter().map(|each| (each.score.to_string(), each.count)).collect();
    assert_eq!(scores, [("4".to_owned(), 2), ("1".to_owned(), 1)]);
    let lines = &traveller.seats[0].lines;
    assert_eq!(lines.iter().map(|line| line.entrant).collect::<Vec<_>>(), ["b", "c", "a"]);
    let card = settled.card("a").unwrap();
    assert_eq!(card.lines.iter().map(|(line, _)| line.board).collect::<Vec<_>>(), ["2", "10"]);
    let seats = settled.seat_summaries();
    let everybody: Vec<(&str, u32)> =
        seats.seats.iter().filter(|row| row.1.is_none()).map(|row| (row.0, row.2.boards)).collect();
    assert_eq!(everybody, [("A", 2), ("B", 3)]);
    let versus = settled.versus("a", "b").unwrap();
    assert_eq!((versus.won, versus.tied, versus.lost), (1, 0, 1));
    assert_eq!(
        (versus.mean.unwrap().percent(), versus.other_mean.unwrap().percent()),
        ("50.00".into(), "37.50".into())
    );
    assert!(
        settled.traveller("3").is_none() && settled.card("x").is_none() && settled.versus("a", "x").is_none()
    );
    assert_eq!(settled.separate_fields(), 1);
}

#[test]
fn fields_that_never_met_are_counted() {
    let mut event = single(&[1, 2], Rules::default());
    event.add("1", "B", "x", Entry::played(1)).unwrap();
    event.add("1", "B", "y", Entry::played(2)).unwrap();
    assert_eq!(event.settle().separate_fields(), 2);
    event.add("2", "A", "x", Entry::played(1)).unwrap();
    event.add("2", "A", "e00", Entry::played(2)).unwrap();
    assert_eq!(event.settle().separate_fields(), 1);
}
