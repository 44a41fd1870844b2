//! Events from beginning to end, with the checker of the stream of orders looking on.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{BoardSet, Competition, StandingRow, order_of};
use crate::formats::ruling::{Decision, Ruling};
use crate::formats::settings::{Measure, Settings};
use crate::formats::{
    AdvancedBy, Advancement, Bell, CarryOver, Closed, DrawMade, DrawPurpose, Fact, Fill, Finished, Format,
    Locked, MovementRules, Order, Refused, Replay, RoundPoints, RoundRobinRules, RoundStarted, Seeding,
    Setup, Stage, StageFormat, audit_stream,
};
use crate::rng::GameRng;
use crate::scoring::{Method, Rules, Score, Standing, Status};

fn robin(group_size: u32, deals: u32, advance: Option<Advancement>) -> Stage {
    let rules = RoundRobinRules { group_size, deals, points: RoundPoints::default() };
    Stage { format: StageFormat::RoundRobin(rules), advance }
}

#[allow(clippy::unnecessary_wraps, reason = "a stage holds an option")]
fn advancing(quota: u32, wild: u32) -> Option<Advancement> {
    Some(Advancement { quota, wild, carry: CarryOver::None, seeding: Seeding::Draw, pins: BTreeMap::new() })
}

fn settings(stages: Vec<Stage>) -> Settings {
    let position = |seats: [&str; 2]| seats.map(str::to_owned).to_vec();
    Settings {
        title: "Test".to_owned(),
        positions: vec![position(["E", "W"]), position(["N", "S"])],
        opponents: Some("fast".to_owned()),
        measure: Measure::Score,
        scoring: Rules::of(Method::Total),
        stages,
    }
}

/// Three seats, the third for an AI player: not zero-sum between the two.
fn three_seats(stages: Vec<Stage>) -> Settings {
    let positions = ["A", "B", "C"].map(|seat| vec![seat.to_owned()]).to_vec();
    Settings { positions, ..settings(stages) }
}

fn sets() -> [BoardSet; 3] {
    let set = |id: &str, first, last, reserve| BoardSet { id: id.to_owned(), first, last, reserve };
    [set("s1", 1, 5, false), set("s2", 6, 2000, false), set("r1", 2001, 2040, true)]
}

fn setups() -> Vec<Setup> {
    let setup = |level: u32| {
        let mut setup = Setup::default();
        setup.0.insert("level".to_owned(), level.into());
        setup
    };
    (2..14).map(setup).collect()
}

/// An event with everything that happened.
struct Play {
    settings: Settings,
    event: Competition,
    lines: Vec<(Fact, Vec<Order>)>,
    chance: GameRng,
}

impl Play {
    fn new(settings: Settings, seed: u64) -> Play {
        let event = Competition::new(&settings, &sets(), &setups());
        Play { settings, event, lines: Vec::new(), chance: GameRng::of("test", &seed.to_be_bytes()) }
    }

    fn happens(&mut self, fact: Fact) -> Result<(), Refused> {
        let orders = self.event.check(&fact)?;
        self.event.apply(&fact, &orders);
        self.lines.push((fact, orders));
        Ok(())
    }

    fn lock(&mut self, entrants: u32) {
        let ids = (1..=entrants).map(|number| format!("e{number:02}")).collect();
        let numbers: Vec<u32> = (1..=entrants).collect();
        self.happens(Fact::Locked(Locked::of(ids, &numbers, &self.settings.stages))).unwrap();
    }

    fn seed(&mut self) -> String {
        (0..64)
            .map(|_| char::from_digit(u32::try_from(self.chance.index(16)).unwrap(), 16).unwrap())
            .collect()
    }

    fn draws(&mut self) {
        while let Some(due) = self.event.due_draw() {
            let seed = self.seed();
            let order = order_of(&due, &seed);
            self.happens(Fact::Draw(DrawMade { due, seed, delayed: false, order })).unwrap();
        }
    }

    fn start(&mut self) -> Vec<u32> {
        let (stage, round) = self.event.next_round().unwrap();
        let before = self.event.sittings().len();
        self.happens(Fact::Round(RoundStarted { stage, round, minutes: 120 })).unwrap();
        self.event.sittings()[before..].iter().map(|sitting| sitting.sitting).collect()
    }

    fn finish(&mut self, sitting: u32, score: impl Fn(&str) -> i64) {
        let seats = self.event.sitting(sitting).unwrap().seats.clone();
        let scores = seats.iter().map(|(seat, who)| (seat.clone(), score(who.as_ref().unwrap()))).collect();
        let fact = finished(sitting, scores);
        self.happens(fact).unwrap();
    }

    fn rule(&mut self, decision: Decision) -> Result<(), Refused> {
        let number = u32::try_from(self.event.rulings().len()).unwrap() + 1;
        let ruling = Ruling { number, at: 0, by: "referee".to_owned(), reason: "test".to_owned(), decision };
        self.happens(Fact::Ruling(ruling))
    }

    /// Scores between the two positions: zero-sum, or anything with three seats.
    fn random_scores(&mut self, sitting: u32) -> BTreeMap<String, i64> {
        let value = i64::try_from(self.chance.index(7)).unwrap() - 3;
        let other = i64::try_from(self.chance.index(5)).unwrap();
        let zero_sum = self.settings.positions.len() == 2;
        let mut scores = BTreeMap::new();
        for (position, seats) in self.settings.positions.iter().enumerate() {
            let score = match position {
                0 => value,
                1 if zero_sum => -value,
                _ => other,
            };
            scores.extend(seats.iter().map(|seat| (seat.clone(), score)));
        }
        assert!(self.event.sitting(sitting).is_some());
        scores
    }

    /// Something that a referee may do, or nothing.
    fn referee(&mut self) {
        if self.event.sittings().is_empty() {
            return;
        }
        let pick = self.chance.index(self.event.sittings().len());
        let sitting = self.event.sittings()[pick].clone();
        let board = sitting.deal.board;
        let first = &self.settings.positions[self.chance.index(2)][0];
        let entrant = sitting.seats[first].clone().unwrap();
        let decision = match self.chance.index(12) {
            0 => Decision::Score { board, entrant, score: Score::from(4) },
            1 => Decision::Status { board, entrant, status: Status::NotPlayed },
            2 => Decision::Void { board },
            3 => Decision::Penalty {
                board,
                entrant,
                amount: crate::scoring::Amount::Points("1/2".parse().unwrap()),
            },
            4 => Decision::Standing { entrant, standing: Standing::Withdrawn },
            5 => Decision::Withdraw { ruling: u32::try_from(self.event.rulings().len()).unwrap() },
            6 => {
                let void = |ruling: &&Ruling| matches!(ruling.decision, Decision::Void { .. });
                let Some(ruling) = self.event.rulings().iter().rev().find(void) else { return };
                let Decision::Void { board } = ruling.decision else { return };
                let instead = 2001 + u32::try_from(self.event.replays().len()).unwrap();
                let replay = Replay { board, instead, ruling: ruling.number };
                let _ = self.happens(Fact::Replay(replay));
                return;
            }
            _ => return,
        };
        // What cannot be is refused.
        let _ = self.rule(decision);
    }

    /// Plays to the end.
    fn play(&mut self, wild: bool) {
        while !self.event.ended() {
            self.draws();
            if self.event.ended() {
                break;
            }
            if let Some(stage) = self.event.may_close() {
                self.happens(Fact::Closed(Closed { stage })).unwrap();
                if wild && self.event.due_draw().is_some() {
                    self.referee();
                }
                continue;
            }
            let mut open = self.start();
            let at = self.event.sitting(open[0]).map(|sitting| (sitting.stage, sitting.round)).unwrap();
            self.chance.shuffle(&mut open);
            while let Some(sitting) = open.pop() {
                if wild && self.chance.index(25) == 0 {
                    let mut unplayed = open.split_off(open.len() / 2);
                    unplayed.sort_unstable();
                    let (stage, round) = at;
                    let _ = self.happens(Fact::Bell(Bell { stage, round, unplayed: unplayed.clone() }));
                    open.extend(unplayed.into_iter().filter(|id| !self.event.unplayed(*id)));
                }
                let scores = if wild && self.chance.index(20) == 0 {
                    BTreeMap::new()
                } else {
                    self.random_scores(sitting)
                };
                self.happens(finished(sitting, scores)).unwrap();
                if wild && self.chance.index(6) == 0 {
                    self.referee();
                }
            }
        }
    }

    fn audited(&self) {
        let lines = self.lines.iter().map(|(fact, orders)| (fact, orders.as_slice()));
        assert_eq!(audit_stream(&self.settings, &setups(), lines), []);
    }

    /// The same facts lead to the same orders and to the same standings; a fact that has been cannot be again.
    fn replayed(&self) {
        let mut event = Competition::new(&self.settings, &sets(), &setups());
        for (at, (fact, orders)) in self.lines.iter().enumerate() {
            assert_eq!(event.check(fact).as_ref(), Ok(orders), "line {}", at + 1);
            event.apply(fact, orders);
            assert!(event.check(fact).is_err(), "twice: {fact:?}");
        }
        assert_eq!(event.standings(), self.event.standings());
        assert_eq!(format!("{event:?}"), format!("{:?}", self.event));
    }
}

fn finished(sitting: u32, scores: BTreeMap<String, i64>) -> Fact {
    Fact::Finished(Finished {
        sitting,
        scores,
        roles: BTreeMap::new(),
        small: None,
        carry: Setup::default(),
        lines: 1,
        head: "0".repeat(64),
    })
}

fn told(rows: &[StandingRow]) -> Vec<(&str, &str, Option<&str>)> {
    rows.iter()
        .map(|row| (row.rank.as_deref().unwrap_or("-"), row.entrant.as_str(), row.decided_by))
        .collect()
}

/// A group of which the results are known: of each two who won by how much.
fn group_of(settings: Settings, entrants: u32, won: &[(&str, &str, i64)]) -> Play {
    let mut play = Play::new(settings, 1);
    play.lock(entrants);
    play.draws();
    while play.event.next_round().is_some() {
        for sitting in play.start() {
            let seats = play.event.sitting(sitting).unwrap().seats.clone();
            let sits = |who: &str| seats.values().flatten().any(|own| own == who);
            let Some((winner, _, by)) = won.iter().find(|(one, other, _)| sits(one) && sits(other)) else {
                play.finish(sitting, |_| 0);
                continue;
            };
            play.finish(sitting, |who| if who == *winner { *by } else { -by });
        }
    }
    play
}

/// TL §8.2: e02 has more net points; e01 and e03 drew, so that nothing but a lot can separate them.
#[test]
fn net_points_come_before_the_direct_encounter() {
    let won = [
        ("e01", "e02", 2),
        ("e02", "e04", 3),
        ("e02", "e05", 1),
        ("e03", "e04", 1),
        ("e05", "e03", 1),
        ("e04", "e01", 2),
        ("e01", "e06", 1),
        ("e03", "e06", 1),
    ];
    let play = group_of(settings(vec![robin(6, 1, None)]), 6, &won);
    play.audited();
    let rows = play.event.standings();
    let of = |who: &str| rows.iter().find(|row| row.entrant == who).unwrap();
    let columns = |who: &str| of(who).columns.iter().map(|(_, value)| value.to_string()).collect::<Vec<_>>();
    assert_eq!(columns("e01"), ["6", "1"]);
    assert_eq!(columns("e02"), ["6", "2"]);
    assert_eq!(columns("e03"), ["6", "1"]);
    assert_eq!(of("e02").rank.as_deref(), Some("1"));
    assert_eq!(of("e02").decided_by, Some("net"));
    assert_eq!(of("e01").rank, of("e03").rank);
}

/// Three pairs win, draw and lose so that round points and net points are equal; the meetings between them decide.
#[test]
fn three_tied_pairs_are_separated_by_their_own_meetings() {
    // Inside: e01 beat e02 and e03, e02 beat e03. Outside the others make it good against e04, e05, e06.
    let won = [
        ("e01", "e02", 1),
        ("e01", "e03", 1),
        ("e02", "e03", 1),
        ("e04", "e01", 1),
        ("e05", "e01", 1),
        ("e01", "e06", 1),
        ("e02", "e04", 1),
        ("e05", "e02", 1),
        ("e02", "e06", 1),
        ("e03", "e04", 1),
        ("e03", "e05", 1),
        ("e03", "e06", 1),
        ("e06", "e05", 1),
    ];
    let mut play = group_of(settings(vec![robin(6, 2, None)]), 6, &won);
    play.audited();
    let rows = play.event.standings();
    assert_eq!(
        told(&rows)[..3],
        [("1", "e01", Some("direct")), ("2", "e02", Some("direct")), ("3", "e03", Some("round-points"))]
    );
    assert_eq!(rows[0].encounters.len(), 3);
    let met: Vec<_> = rows[0].columns.iter().map(|(key, value)| (*key, value.to_string())).collect();
    assert_eq!(met, [("round-points", "6".to_owned()), ("net", "2".to_owned())]);
    assert_eq!(rows.last().unwrap().decided_by, None);
    let json = serde_json::to_value(&rows[0]).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "stage": 1, "group": "A", "rank": "1", "entrant": "e01",
            "columns": {"round-points": 6, "net": 2}, "decided_by": "direct",
        })
    );
    play.happens(Fact::Closed(Closed { stage: 1 })).unwrap();
    play.draws();
    assert!(play.event.ended());
    play.audited();
    play.replayed();
}

#[test]
fn what_nothing_separates_is_shared_while_the_stage_runs_and_then_drawn() {
    let mut play = group_of(settings(vec![robin(4, 1, None)]), 4, &[]);
    let rows = play.event.standings();
    assert!(rows.iter().all(|row| row.rank.as_deref() == Some("1")));
    assert_eq!(rows[0].decided_by, Some("shared"));
    assert_eq!(play.event.due_draw(), None);
    play.happens(Fact::Closed(Closed { stage: 1 })).unwrap();
    let due = play.event.due_draw().unwrap();
    assert_eq!((due.purpose, due.number, due.group.as_deref()), (DrawPurpose::Lot, 1, Some("A")));
    assert_eq!(due.among.len(), 4);
    play.draws();
    assert!(play.event.ended());
    let rows = play.event.standings();
    let lot = &play.event.draws().last().unwrap().order;
    assert_eq!(rows.iter().map(|row| &row.entrant).collect::<Vec<_>>(), lot.iter().collect::<Vec<_>>());
    assert_eq!(
        told(&rows).iter().map(|(rank, _, by)| (*rank, *by)).collect::<Vec<_>>(),
        [("1", Some("lot")), ("2", Some("lot")), ("3", Some("lot")), ("4", None)]
    );
    play.audited();
    play.replayed();
}

/// Groups of four and three: a card goes to the better share of round points per round played.
#[test]
fn wild_cards_of_unequal_groups_go_by_the_round() {
    let mut pins = BTreeMap::new();
    for (entrant, group) in ["A", "A", "A", "A", "B", "B", "B"].iter().enumerate() {
        pins.insert(format!("e{:02}", entrant + 1), (*group).to_owned());
    }
    let advance = Advancement { pins, ..advancing(1, 1).unwrap() };
    let stages = vec![robin(4, 1, Some(advance)), robin(4, 1, None)];
    // A: e01 6, e02 4, e03 1, e04 1. B: e05 4, e06 2, e07 0. The second ones: 4 of 3 rounds against 2 of 2.
    let won = [
        ("e01", "e02", 1),
        ("e01", "e03", 1),
        ("e01", "e04", 1),
        ("e02", "e03", 1),
        ("e02", "e04", 1),
        ("e05", "e06", 1),
        ("e05", "e07", 1),
        ("e06", "e07", 2),
    ];
    let mut play = group_of(settings(stages), 7, &won);
    play.happens(Fact::Closed(Closed { stage: 1 })).unwrap();
    play.draws_of(1);
    let Some((_, orders)) = play.lines.iter().rev().find(|(_, orders)| !orders.is_empty()) else { panic!() };
    let Some(Order::Advance(advance)) = orders.first() else { panic!("{orders:?}") };
    assert_eq!(advance.stage, 2);
    assert_eq!(advance.entrants, ["e01", "e05", "e02"]);
    assert_eq!(advance.by["e02"], AdvancedBy::Wild);
    play.play(false);
    play.audited();
    play.replayed();
    // Boards run on over the stages: three rounds of one board, then three of the final.
    assert_eq!(play.event.schedule().iter().flat_map(|round| round.plan.boards.clone()).max(), Some(6));
}

impl Play {
    /// The draws of a stage.
    fn draws_of(&mut self, stage: u32) {
        while let Some(due) = self.event.due_draw().filter(|due| due.stage == stage) {
            let seed = self.seed();
            let order = order_of(&due, &seed);
            self.happens(Fact::Draw(DrawMade { due, seed, delayed: false, order })).unwrap();
        }
    }
}

#[test]
fn facts_out_of_order_are_refused_and_change_nothing() {
    let mut play = Play::new(settings(vec![robin(4, 2, None)]), 3);
    let round = |round| Fact::Round(RoundStarted { stage: 1, round, minutes: 0 });
    assert_eq!(play.event.check(&round(1)), Err(Refused::NotLocked));
    play.lock(4);
    assert_eq!(play.event.check(&round(1)), Err(Refused::DrawDue));
    let due = play.event.due_draw().unwrap();
    assert_eq!(due.purpose, DrawPurpose::Opponents);
    let seed = play.seed();
    let order = order_of(&due, &seed);
    let mut wrong = order.clone();
    wrong.reverse();
    let made = |order: Vec<String>, seed: &str| {
        Fact::Draw(DrawMade { due: due.clone(), seed: seed.to_owned(), delayed: true, order })
    };
    assert_eq!(play.event.check(&made(wrong, &seed)), Err(Refused::WrongOrder));
    assert_eq!(play.event.check(&made(order.clone(), "00")), Err(Refused::BadSeed));
    play.happens(made(order.clone(), &seed)).unwrap();
    assert_eq!(play.event.check(&made(order, &seed)), Err(Refused::NoDrawDue));
    assert_eq!(play.event.check(&round(2)), Err(Refused::EarlierRound(1)));
    assert_eq!(play.event.check(&round(4)), Err(Refused::UnknownRound(4)));
    let open = play.start();
    assert_eq!(play.event.check(&round(1)), Err(Refused::RoundStarted(1)));
    assert_eq!(play.event.check(&round(2)), Err(Refused::RoundRuns(1)));
    assert_eq!(play.event.check(&Fact::Closed(Closed { stage: 1 })), Err(Refused::StageNotOver(1)));
    assert_eq!(play.event.check(&finished(9, BTreeMap::new())), Err(Refused::UnknownSitting(9)));
    let scores = BTreeMap::from([("E".to_owned(), 1)]);
    assert_eq!(play.event.check(&finished(open[0], scores)), Err(Refused::WrongSeats(open[0])));
    play.finish(open[0], |_| 0);
    let bell = |unplayed: &[u32]| Fact::Bell(Bell { stage: 1, round: 1, unplayed: unplayed.to_vec() });
    assert_eq!(play.event.check(&bell(&[open[0]])), Err(Refused::BadUnplayed(open[0])));
    assert_eq!(play.event.check(&bell(&[open[2], open[1]])), Err(Refused::BadUnplayed(open[1])));
    play.happens(bell(&open[1..])).unwrap();
    assert_eq!(play.event.check(&finished(open[1], BTreeMap::new())), Err(Refused::NotPlayed(open[1])));
    assert_eq!(play.event.check(&bell(&[])), Err(Refused::BellRang(1)));
    assert_eq!(play.event.next_round(), Some((1, 2)));
    // A board that nobody has finished can be void.
    let board = play.event.sitting(open[1]).unwrap().deal.board;
    play.rule(Decision::Void { board }).unwrap();
    let replay = |instead| Fact::Replay(Replay { board, instead, ruling: 1 });
    assert_eq!(play.event.check(&replay(7)), Err(Refused::NoReserve(7)));
    play.happens(replay(2001)).unwrap();
    let withdraw = Decision::Withdraw { ruling: 1 };
    assert_eq!(play.rule(withdraw), Err(Refused::Replayed(1)));
    play.play(false);
    play.audited();
    play.replayed();
    let last = play.event.schedule().last().unwrap();
    assert_eq!((last.replays, last.plan.boards.as_slice()), (Some(board), &[2001][..]));
}

#[test]
fn a_movement_is_seated_by_its_draw_and_ranked_by_comparison() {
    for (kind, positions) in [
        (Format::Pairs, settings(Vec::new()).positions),
        (Format::HumanAi { seat: 1 }, three_seats(Vec::new()).positions),
        (Format::Individual, three_seats(Vec::new()).positions),
    ] {
        let rules = MovementRules { kind, boards: 8, boards_per_round: 2, fill: Fill::StandIn };
        let stages = vec![Stage { format: StageFormat::Movement(rules), advance: None }];
        let mut play = Play::new(Settings { positions, scoring: Rules::default(), ..settings(stages) }, 5);
        play.lock(7);
        assert_eq!(play.event.due_draw().unwrap().purpose, DrawPurpose::Seats);
        assert!(!play.event.is_over());
        play.play(true);
        assert!(play.event.is_over());
        play.audited();
        play.replayed();
        let rows = play.event.standings();
        assert_eq!(rows[0].columns.last().unwrap().0, "boards");
        assert_eq!(play.event.tally().unwrap().results.len(), play.event.results().len());
    }
}

/// What the checker says of the lines of an event when one order is another.
fn spoiled(play: &Play, spoil: impl Fn(&mut Vec<Order>) -> bool) -> Vec<&'static str> {
    let mut lines = play.lines.clone();
    assert!(lines.iter_mut().any(|(_, orders)| spoil(orders)), "nothing was spoiled");
    let lines = lines.iter().map(|(fact, orders)| (fact, orders.as_slice()));
    audit_stream(&play.settings, &setups(), lines).iter().map(|fault| fault.kind.code()).collect()
}

#[test]
fn the_checker_sees_what_is_wrong() {
    let mut play = Play::new(settings(vec![robin(5, 2, advancing(1, 1)), robin(4, 1, None)]), 11);
    play.lock(10);
    play.play(false);
    play.audited();
    let sit = |orders: &mut Vec<Order>, change: &dyn Fn(&mut crate::formats::Sitting)| {
        let sitting = orders.iter_mut().find_map(|order| match order {
            Order::Sit(sitting) if sitting.round == 2 => Some(sitting),
            _ => None,
        });
        sitting.map(change).is_some()
    };
    assert_eq!(spoiled(&play, |orders| sit(orders, &|sitting| sitting.setup = Setup::default())), ["setup"]);
    let other = |sitting: &mut crate::formats::Sitting| {
        sitting.seats.insert("E".to_owned(), Some("e99".to_owned()));
    };
    assert!(spoiled(&play, |orders| sit(orders, &other)).contains(&"seats"));
    let first_board = |sitting: &mut crate::formats::Sitting| sitting.deal.board = 1;
    assert!(spoiled(&play, |orders| sit(orders, &first_board)).contains(&"boards"));
    let number = |sitting: &mut crate::formats::Sitting| sitting.sitting += 1;
    assert!(spoiled(&play, |orders| sit(orders, &number)).contains(&"sitting_number"));
    let no_bye = |orders: &mut Vec<Order>| {
        let before = orders.len();
        orders.retain(|order| !matches!(order, Order::Bye(_)));
        orders.len() < before
    };
    assert!(spoiled(&play, no_bye).contains(&"plays_or_bye"));
    let turned = |orders: &mut Vec<Order>| {
        let mut any = false;
        for order in orders.iter_mut() {
            let Order::Sit(sitting) = order else { continue };
            let seats = sitting.seats.clone();
            for (seat, from) in [("E", "N"), ("W", "S"), ("N", "E"), ("S", "W")] {
                sitting.seats.insert(seat.to_owned(), seats[from].clone());
            }
            any = true;
        }
        any
    };
    // Whoever sits the other way round in one round of the first group may sit so in two more rounds than the other way.
    assert!(spoiled(&play, turned).iter().all(|code| ["directions", "advance", "shared"].contains(code)));
    let advances = |orders: &mut Vec<Order>| {
        orders.iter_mut().any(|order| match order {
            Order::Advance(advance) => {
                let all = (1..=10).map(|number| format!("e{number:02}"));
                let Some(other) = all.into_iter().find(|who| !advance.entrants.contains(who)) else {
                    return false;
                };
                let out = advance.entrants.remove(0);
                let by = advance.by.remove(&out).unwrap_or(AdvancedBy::Quota);
                advance.by.insert(other.clone(), by);
                advance.entrants.push(other);
                true
            }
            _ => false,
        })
    };
    assert!(spoiled(&play, advances).contains(&"advance"));
    let ends = |orders: &mut Vec<Order>| {
        orders.push(Order::End(crate::formats::End {}));
        true
    };
    assert!(spoiled(&play, ends).contains(&"misplaced"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any number of entrants and groups, with bells, rulings, replays and withdrawals of rulings: the checker finds nothing
    /// wrong, and the same facts lead to the same orders.
    #[test]
    fn any_round_robin_is_fair(
        seed: u64,
        entrants in 3_u32..=40,
        group_size in 3_u32..=9,
        deals in 1_u32..=3,
        quota in 1_u32..=2,
        wild in 0_u32..=3,
        two in any::<bool>(),
        places in any::<bool>(),
        carry in any::<bool>(),
        three in any::<bool>(),
    ) {
        let groups = entrants.div_ceil(group_size).min(entrants / 2).max(1);
        let least = entrants / groups;
        let (quota, wild) = (quota.min(least), wild.min(entrants - groups * quota.min(least)));
        let stages = if two && groups * quota + wild >= 2 {
            let rules = Advancement {
                seeding: if places { Seeding::Places } else { Seeding::Draw },
                carry: if carry { CarryOver::Points } else { CarryOver::None },
                ..advancing(quota, wild).unwrap()
            };
            vec![robin(group_size, deals, Some(rules)), robin(5, deals, None)]
        } else {
            vec![robin(group_size, deals, None)]
        };
        let settings = if three { three_seats(stages) } else { settings(stages) };
        let mut play = Play::new(settings, seed);
        play.lock(entrants);
        play.play(true);
        play.audited();
        play.replayed();
    }
}
