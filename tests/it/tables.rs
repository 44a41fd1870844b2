//! The state machine of a live table under everything that can happen to it: refused and repeated commands, failing
//! and half-finished writes, crashes, disconnections, stopped clocks, hours without an input.

use std::collections::BTreeMap;

use fushi::event::archive::{EntryRow, PlayId};
use fushi::event::ledger::{Given, LedgerError, Write};
use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::games::{ActionText, Game, Seat, Viewer, deal_board, rulesets};
use fushi::journal::control::{ControlEntry, ControlKind, Line};
use fushi::journal::{Board, By, Entry, Header, scan_line};
use fushi::players::Levels;
use fushi::rng::GameRng;
use fushi::tables::story::Story;
use fushi::tables::{
    Answer, Clock, CommandId, Input, Order, REFUSALS_KEPT, Reply, SeatController, Shown, Table,
    TableSettings, message,
};
use proptest::prelude::*;

const PLAY: PlayId = PlayId(7);
const SETTINGS: TableSettings = TableSettings { grace_ms: 5_000, opened_us: 1_800_000_000_000_000 };

/// What a broken server would do; under each of them the checks must fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sabotage {
    Nothing,
    /// Shows and acknowledges what is not durable yet (R1).
    Early,
    /// Forgets the answers it gave when it comes back (R3).
    Forgetful,
    /// Sends the last event again when a client comes back (R4).
    Repeats,
}

/// What survives a crash.
#[derive(Default)]
struct Disk {
    rows: Vec<EntryRow>,
    given: Vec<Given>,
    /// How many refusals were counted only.
    counted: u64,
}

impl Disk {
    fn store(&mut self, write: Write) {
        for row in write.rows {
            assert_eq!(row.seq, i64::try_from(self.rows.len()).unwrap(), "lines are stored in order, once");
            self.rows.push(row);
        }
        if let Some(given) = write.given {
            let again = self.given.iter().any(|known| known.seat == given.seat && known.id == given.id);
            assert!(!again, "an answer is stored once: {given:?}");
            self.given.push(given);
        }
        self.counted += write.counted.iter().map(|one| one.count).sum::<u64>();
    }

    /// How many refusals of a seat are kept word for word.
    fn refusals(&self, seat: Seat) -> usize {
        let refused = |given: &&Given| matches!(given.answered.answer, Answer::Refused(_));
        self.given.iter().filter(|given| given.seat == seat).filter(refused).count()
    }

    fn lines<G: Game>(&self) -> Vec<Shown<G>> {
        self.rows
            .iter()
            .skip(1)
            .map(|row| Shown {
                line: scan_line::<G>(&row.body).unwrap(),
                at: u64::try_from(row.at_us).unwrap(),
            })
            .collect()
    }
}

struct World<G: Game> {
    header: Header<G>,
    kinds: Vec<SeatController>,
    disk: Disk,
    table: Table<G>,
    write: Option<Write>,
    question: Option<(u32, Vec<Seat>)>,
    now: u64,
    chance: GameRng,
    /// Commands that were sent, and what was answered.
    sent: Vec<(Seat, CommandId, ActionText)>,
    answers: BTreeMap<(u8, String), (ActionText, Answer)>,
    /// What each seat was shown.
    streams: Vec<Vec<String>>,
    story: Story<G>,
    token: u64,
    crashes: u32,
    sabotage: Sabotage,
}

impl<G: Game> World<G> {
    fn new(seed: u64, persons: u8) -> World<G> {
        let rules = rulesets::shipped::<G>(G::RULESETS[0].0).unwrap();
        let mut chance = GameRng::of("tables", &seed.to_be_bytes());
        let mut order = G::PACK.cards();
        chance.shuffle(&mut order);
        let start = deal_board::<G>(&rules, 1, &order).unwrap();
        let header = Header::<G>::new("s1/1", rules, start);
        let seats = G::seats(&header.start);
        let kinds: Vec<SeatController> = (0..seats)
            .map(|seat| if seat < persons { SeatController::Person } else { SeatController::Software })
            .collect();
        let (table, orders) = Table::open(header.clone(), PLAY, kinds.clone(), SETTINGS);
        let story = Story::open(table.board());
        let mut world = World {
            header,
            kinds,
            disk: Disk::default(),
            table,
            write: None,
            question: None,
            now: 0,
            chance,
            sent: Vec::new(),
            answers: BTreeMap::new(),
            streams: vec![Vec::new(); usize::from(seats)],
            story,
            token: 0,
            crashes: 0,
            sabotage: Sabotage::Nothing,
        };
        world.carry_out(orders);
        world
    }

    fn carry_out(&mut self, orders: Vec<Order>) {
        for order in orders {
            match order {
                Order::Write(write) => {
                    assert!(self.write.is_none(), "one write at a time");
                    self.write = Some(write);
                }
                Order::Opened => assert!(
                    !self.disk.rows.is_empty(),
                    "a card is shown before it is durable: the first line"
                ),
                Order::Ask { asked, seats } => self.question = Some((asked, seats)),
                Order::Show(n) => self.show(n),
                Order::Answer(Reply::Command(seat, id), answer) => self.answered(seat, &id, &answer),
                Order::Answer(Reply::Token(_), _) | Order::Finished | Order::Stalled(_) => {}
                Order::Lost(reason) => panic!("lost: {reason}"),
            }
        }
    }

    fn show(&mut self, n: u32) {
        assert!((n as usize) < self.disk.rows.len(), "line {n} is shown before it is durable");
        let shown = &self.table.lines()[n as usize - 1];
        let told = self.story.follow(&shown.line, self.table.board());
        assert_eq!(told.n, n, "the story misses a line");
        for (seat, stream) in (0..).map(Seat).zip(&mut self.streams) {
            assert_eq!(stream.len() + 1, n as usize, "no gap, no repeat");
            let (board, clock) = (self.table.board(), self.table.clock());
            stream.push(message::event::<G>(7, &told, shown, board, clock, Viewer::Seat(seat)));
        }
    }

    fn answered(&mut self, seat: Seat, id: &CommandId, answer: &Answer) {
        if let Answer::Accepted(n) = answer {
            assert!((*n as usize) < self.disk.rows.len(), "accepted before it is durable");
        }
        let passing = |answer: &Answer| matches!(answer, Answer::Refused(why) if ["try_again", "busy", "conflict"].contains(&why.code.as_str()));
        // A refusal beyond those that are kept is no promise.
        let unkept = |answer: &Answer| {
            matches!(answer, Answer::Refused(_))
                && !self.disk.given.iter().any(|given| given.seat == seat && given.id == *id)
        };
        if passing(answer) || unkept(answer) {
            return;
        }
        let (_, _, text) = self
            .sent
            .iter()
            .find(|(who, known, _)| *who == seat && known == id)
            .expect("only what was sent")
            .clone();
        let key = (seat.0, id.as_str().to_owned());
        let known = self.answers.entry(key).or_insert_with(|| (text, answer.clone()));
        assert_eq!(known.1, *answer, "the same command gets the same answer for ever");
    }

    fn input(&mut self, input: Input<G::Action>) {
        let orders = self.table.handle(self.now, input);
        self.carry_out(orders);
    }

    fn crash(&mut self) {
        // Whatever was under way is durable or it is not: nobody was told.
        if let Some(write) = self.write.take()
            && self.chance.below(2) == 0
        {
            self.disk.store(write);
        }
        self.crashes += 1;
        self.question = None;
        if self.disk.rows.is_empty() {
            let (table, orders) = Table::open(self.header.clone(), PLAY, self.kinds.clone(), SETTINGS);
            self.table = table;
            self.now = 0;
            self.carry_out(orders);
            return;
        }
        let lines = self.disk.lines::<G>();
        let seen = match self.sabotage {
            Sabotage::Repeats => self.streams[0].len().saturating_sub(1),
            _ => self.streams[0].len(),
        };
        let given = match self.sabotage {
            Sabotage::Forgetful => Vec::new(),
            _ => self.disk.given.clone(),
        };
        self.now = lines.last().map_or(0, |shown| shown.at);
        let (table, orders) =
            Table::recover(self.header.clone(), PLAY, self.kinds.clone(), SETTINGS, lines, given)
                .expect("what was stored can be read");
        self.table = table;
        self.story = Story::after(self.table.header(), self.table.lines());
        // Everybody comes back and says what they have seen.
        for (seat, stream) in (0..).map(Seat).zip(&mut self.streams) {
            let from = u32::try_from(seen).unwrap();
            let (header, lines) = (self.table.header(), self.table.lines());
            stream.extend(message::events_after::<G>(7, from, header, lines, Viewer::Seat(seat)));
        }
        self.carry_out(orders);
    }

    fn command(&mut self) {
        let persons = self.kinds.iter().filter(|kind| **kind == SeatController::Person).count();
        let waiting = G::waiting_for(self.table.board().state());
        let deciding: Vec<Seat> =
            waiting.seats.iter().filter(|seat| self.table.kind(*seat) == SeatController::Person).collect();
        let seat = match (self.chance.below(5), deciding.is_empty()) {
            (1.., false) => deciding[self.chance.index(deciding.len())],
            _ => Seat(u8::try_from(self.chance.index(persons)).unwrap()),
        };
        match self.chance.below(12) {
            0 if !self.sent.is_empty() => {
                // Again, as it was or with another body.
                let (seat, id, mut text) = self.sent[self.chance.index(self.sent.len())].clone();
                if self.chance.below(3) == 0 {
                    text.text.push_str(" again");
                }
                self.input(Input::Act { seat, id, text });
            }
            1 => {
                let text = ["", "play", "bid 9", "fold fold", "play C4 C4 C4 C4", "choose all", "打 C4"]
                    [self.chance.index(7)];
                self.send(seat, ActionText::plain(text));
            }
            _ => {
                let options: Vec<G::Action> = G::legal(self.table.board().state(), seat).take(300).collect();
                if !options.is_empty() {
                    let text = G::write_action(&options[self.chance.index(options.len())]);
                    self.send(seat, text);
                }
            }
        }
    }

    fn send(&mut self, seat: Seat, text: ActionText) {
        let id = CommandId::read(&format!("c{}", self.sent.len())).unwrap();
        self.sent.push((seat, id.clone(), text.clone()));
        self.input(Input::Act { seat, id, text });
    }

    fn decide(&mut self) {
        let Some((asked, seats)) = self.question.take() else { return };
        let state = self.table.board().state().clone();
        let may_pass = seats.iter().all(|seat| G::timeout(&state, *seat).is_none());
        let action = if may_pass && self.chance.below(10) > 0 {
            None
        } else {
            seats.iter().find_map(|seat| {
                let options: Vec<G::Action> = G::legal(&state, *seat).take(300).collect();
                (!options.is_empty()).then(|| (*seat, options[self.chance.index(options.len())].clone()))
            })
        };
        self.input(Input::Decided { asked, action });
    }

    fn referee(&mut self) {
        let kind = match self.chance.below(5) {
            0 => ControlKind::Stop,
            1 | 2 => ControlKind::Go,
            3 => ControlKind::Give { ms: 1 + self.chance.below(60_000) },
            _ => ControlKind::Look,
        };
        let mut note = ControlEntry::new(kind, By::Referee);
        note.who = Some("r1".to_owned());
        if let ControlKind::Give { .. } = kind {
            note.seat = Some(Seat(0));
        }
        self.token += 1;
        self.input(Input::Control { token: self.token, note });
    }

    fn step(&mut self, troubled: bool) {
        let luck = self.chance.below(if troubled { 40 } else { 34 });
        match luck {
            0..=9 => {
                if let Some(write) = self.write.take() {
                    if self.sabotage == Sabotage::Early {
                        self.input(Input::Stored(Ok(())));
                        self.disk.store(write);
                    } else {
                        self.disk.store(write);
                        self.input(Input::Stored(Ok(())));
                    }
                }
            }
            10..=22 => self.command(),
            23..=26 => self.decide(),
            27..=29 => {
                self.now += u64::from(self.chance.below(200_000));
                self.input(Input::Tick);
            }
            30 => {
                // Exactly when the table wants to be woken, or hours later.
                let late = if self.chance.below(3) == 0 { 3_600_000_000 } else { 0 };
                self.now = self.table.wakes_at().unwrap_or(self.now).max(self.now) + late;
                self.input(Input::Tick);
            }
            31 => {
                let seat = Seat(0);
                let input =
                    if self.chance.below(2) == 0 { Input::Online(seat) } else { Input::Offline(seat) };
                self.input(input);
            }
            32 | 33 => {
                if self.write.is_none() && !self.table.clock().runs() {
                    let note = ControlEntry {
                        who: Some("r1".to_owned()),
                        ..ControlEntry::new(ControlKind::Go, By::Referee)
                    };
                    self.input(Input::Control { token: 0, note });
                } else {
                    self.now += 20_000;
                    self.input(Input::Tick);
                }
            }
            34 | 35 => {
                if self.write.take().is_some() {
                    let error = if luck == 34 {
                        LedgerError::Busy
                    } else {
                        LedgerError::Failed("disk full".to_owned())
                    };
                    self.input(Input::Stored(Err(error)));
                }
            }
            36 => {
                if self.chance.below(6) == 0 {
                    self.crash();
                }
            }
            _ => self.referee(),
        }
    }

    /// Everything that must hold at the end, whatever happened.
    fn check(&self) {
        for seat in (0..).map(Seat).take(self.kinds.len()) {
            assert!(self.disk.refusals(seat) <= REFUSALS_KEPT, "what is kept of a seat is bounded");
        }
        let mut board = Board::open(&self.header);
        let mut clock = Clock::open(G::seats(&self.header.start), &G::waiting_for(board.state()));
        let _ = &mut clock;
        let mut at = 0;
        for row in self.disk.rows.iter().skip(1) {
            let hash = match scan_line::<G>(&row.body).unwrap() {
                Line::Action(entry) => board.play(&entry).unwrap(),
                Line::Control(note) => board.note(&note).unwrap(),
            };
            assert_eq!(hash.as_slice(), row.hash);
            assert!(row.at_us >= at, "time never falls");
            at = row.at_us;
        }
        let durable = u32::try_from(self.disk.rows.len().saturating_sub(1)).unwrap();
        let lines = self.disk.lines::<G>();
        for (seat, stream) in (0..).map(Seat).zip(&self.streams) {
            let whole = message::events_after::<G>(7, 0, &self.header, &lines, Viewer::Seat(seat));
            assert!(stream.len() <= whole.len());
            assert_eq!(stream[..], whole[..stream.len()], "a stream is the replay for that seat");
        }
        let mut numbers: Vec<u32> = self
            .answers
            .values()
            .filter_map(|(_, answer)| if let Answer::Accepted(n) = answer { Some(*n) } else { None })
            .collect();
        numbers.sort_unstable();
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "a line answers one command");
        assert!(numbers.last().is_none_or(|last| *last <= durable));
        for given in &self.disk.given {
            let known = self.answers.get(&(given.seat.0, given.id.as_str().to_owned()));
            assert!(
                known.is_none_or(|(_, answer)| *answer == given.answered.answer),
                "what was told is what is kept"
            );
        }
    }
}

fn run<G: Game>(seed: u64, persons: u8, steps: u32, troubled: bool) -> World<G> {
    run_with::<G>(seed, persons, steps, troubled, Sabotage::Nothing)
}

fn run_with<G: Game>(seed: u64, persons: u8, steps: u32, troubled: bool, sabotage: Sabotage) -> World<G> {
    let mut world = World::<G>::new(seed, persons);
    world.sabotage = sabotage;
    for _ in 0..steps {
        world.step(troubled);
        if world.table.over() && world.write.is_none() {
            break;
        }
    }
    world.check();
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_told_early_or_told_twice(seed in any::<u64>(), persons in 1_u8..=3) {
        run::<Wakeng>(seed, persons, 1500, true);
        run::<Holdem>(seed, persons, 600, true);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_while_cards_are_drawn(seed in any::<u64>(), persons in 0_u8..=4) {
        if persons > 0 {
            run::<Tuolaji>(seed, persons, 1500, true);
        }
    }
}

#[test]
fn boards_end_by_the_clock_alone() {
    fn board<G: Game>(persons: u8) {
        let mut world = World::<G>::new(1, persons);
        for _ in 0..20_000 {
            if let Some(write) = world.write.take() {
                world.disk.store(write);
                world.input(Input::Stored(Ok(())));
            }
            if world.table.over() {
                break;
            }
            world.decide();
            if let Some(at) = world.table.wakes_at() {
                world.now = world.now.max(at);
                world.input(Input::Tick);
            }
        }
        assert!(world.table.over(), "{}", G::KIND);
        world.check();
        let by_clock = world
            .table
            .lines()
            .iter()
            .filter(|shown| matches!(&shown.line, Line::Action(entry) if entry.by == Some(By::Clock)))
            .count();
        assert!(by_clock > 0);
    }
    board::<Wakeng>(3);
    board::<Wakeng>(1);
    board::<Holdem>(2);
    board::<Tuolaji>(4);
    board::<Tuolaji>(1);
}

#[test]
fn a_stopped_clock_refuses_actions_and_charges_nobody() {
    let mut world = World::<Wakeng>::new(3, 3);
    world.disk.store(world.write.take().unwrap());
    world.input(Input::Stored(Ok(())));
    let stop =
        ControlEntry { who: Some("r1".to_owned()), ..ControlEntry::new(ControlKind::Stop, By::Referee) };
    world.input(Input::Control { token: 1, note: stop });
    world.disk.store(world.write.take().unwrap());
    world.input(Input::Stored(Ok(())));
    world.now += 3_600_000_000;
    world.input(Input::Tick);
    assert!(world.write.is_none(), "nobody times out while the clock stands");
    let seat = Wakeng::waiting_for(world.table.board().state()).seats.iter().next().unwrap();
    assert_eq!(world.table.refusal(world.now, seat, &ActionText::plain("show no")).unwrap().code, "stopped");
    world.send(seat, ActionText::plain("show no"));
    assert!(world.write.is_none(), "a refusal because the clock stands is not kept");
    assert_eq!(world.table.refused(), 0, "nor is it counted as an action of the player that was refused");
    // Once the clock runs the same command, sent again, is judged anew.
    let go = ControlEntry { who: Some("r1".to_owned()), ..ControlEntry::new(ControlKind::Go, By::Referee) };
    world.input(Input::Control { token: 2, note: go });
    world.disk.store(world.write.take().unwrap());
    world.input(Input::Stored(Ok(())));
    assert_eq!(world.table.refusal(world.now, seat, &ActionText::plain("show no")), None);
    let (_, id, text) = world.sent[0].clone();
    world.input(Input::Act { seat, id, text });
    world.disk.store(world.write.take().unwrap());
    world.input(Input::Stored(Ok(())));
    assert_eq!(world.answers[&(seat.0, "c0".to_owned())].1, Answer::Accepted(3));
}

/// Asking whether an action would be accepted gives the reason of the rules and leaves nothing behind.
#[test]
fn a_question_about_an_action_is_answered_with_the_reason_and_costs_nothing() {
    let mut world = World::<Wakeng>::new(3, 3);
    world.disk.store(world.write.take().unwrap());
    world.input(Input::Stored(Ok(())));
    let asked = |world: &World<Wakeng>, text: &str| {
        world.table.refusal(world.now, Seat(0), &ActionText::plain(text)).map(|why| why.code)
    };
    assert_eq!(asked(&world, "bid 3").as_deref(), Some("wrong_phase"));
    assert_eq!(asked(&world, "打").as_deref(), Some("malformed"));
    assert_eq!(asked(&world, "show yes"), None);
    assert!(world.write.is_none() && world.table.refused() == 0 && world.table.lines().is_empty());
}

#[test]
fn a_broken_connection_gives_time_once_a_board() {
    let mut world = World::<Wakeng>::new(3, 3);
    world.disk.store(world.write.take().unwrap());
    world.input(Input::Stored(Ok(())));
    let left = |world: &World<Wakeng>| world.table.clock().left_ms(Seat(0), world.now).unwrap();
    let before = left(&world);
    for _ in 0..2 {
        world.input(Input::Offline(Seat(0)));
        if let Some(write) = world.write.take() {
            world.disk.store(write);
            world.input(Input::Stored(Ok(())));
        }
        world.input(Input::Online(Seat(0)));
    }
    assert_eq!(left(&world), before + u64::from(SETTINGS.grace_ms));
}

/// Tuolaji §9: 60 s to lay away and 20 s for a play; going over is noted once, and 40 s later the clock acts. A clock
/// that stands charges nobody.
#[test]
fn slow_play_is_noted_at_the_limit_of_the_rules_and_the_clock_acts_later() {
    const SECOND: u64 = 1_000_000;
    let mut world = World::<Tuolaji>::new(4, 4);
    let keep = |world: &mut World<Tuolaji>| {
        if let Some(write) = world.write.take() {
            world.disk.store(write);
            world.input(Input::Stored(Ok(())));
        }
    };
    keep(&mut world);
    let mut stopped = false;
    while world.table.board().entries() < 4 {
        world.now = world.table.wakes_at().unwrap();
        world.input(Input::Tick);
        keep(&mut world);
        if world.table.board().entries() == 2 && !stopped {
            // Ten seconds into the third decision a referee stops the clock for an hour.
            stopped = true;
            world.now += 10 * SECOND;
            for (kind, after) in [(ControlKind::Stop, 3600 * SECOND), (ControlKind::Go, 0)] {
                let note =
                    ControlEntry { who: Some("r1".to_owned()), ..ControlEntry::new(kind, By::Referee) };
                world.input(Input::Control { token: 1, note });
                keep(&mut world);
                world.now += after;
            }
        }
    }
    let lines = world.table.lines();
    let mut begun = 0;
    let mut decisions = Vec::new();
    for (before, line) in lines.iter().zip(lines.iter().skip(1)) {
        let Line::Action(entry) = &line.line else { continue };
        let Line::Control(ControlEntry { kind: ControlKind::Slow, by: By::Clock, seat: Some(seat), .. }) =
            before.line
        else {
            panic!("the clock acted without a note: {:?}", before.line);
        };
        assert_eq!((seat, entry.by), (entry.seat, Some(By::Clock)));
        if begun == 0 {
            let dealt = lines
                .iter()
                .rfind(|line| matches!(&line.line, Line::Control(note) if note.kind == ControlKind::Deal));
            begun = dealt.unwrap().at;
        }
        decisions.push(((before.at - begun) / SECOND, (line.at - before.at) / SECOND));
        begun = line.at;
    }
    assert_eq!(decisions, [(60, 40), (20, 40), (3620, 40), (20, 40)]);
    // The same lines with the note a microsecond earlier, without it, or twice, are no journal of these rules.
    let followed = |change: &dyn Fn(&mut Vec<Line<fushi::games::tuolaji::action::Action>>)| {
        let mut lines: Vec<_> = lines.iter().map(|shown| shown.line.clone()).collect();
        change(&mut lines);
        let mut board = Board::open(&world.header);
        lines.iter().try_for_each(|line| match line {
            Line::Action(entry) => board.play(entry).map(|_| ()).map_err(|illegal| format!("{illegal:?}")),
            Line::Control(note) => board.note(note).map(|_| ()).map_err(|refused| format!("{refused:?}")),
        })
    };
    let first = lines
        .iter()
        .position(|shown| matches!(&shown.line, Line::Control(note) if note.kind == ControlKind::Slow));
    let first = first.unwrap();
    assert_eq!(followed(&|_| ()), Ok(()));
    let early = followed(&|lines| {
        if let Line::Control(note) = &mut lines[first] {
            note.at = note.at.map(|at| at - 1);
        }
    });
    assert_eq!(early, Err("NotSlow".to_owned()));
    assert_eq!(followed(&|lines| lines.insert(first, lines[first].clone())), Err("NotSlow".to_owned()));
    // What a player is shown: how long until the decision is slow, and how long until the clock acts.
    let (board, clock) = (world.table.board(), world.table.clock());
    let shown = message::snapshot::<Tuolaji>(1, 9, Vec::new(), board, clock, world.now, Viewer::Public);
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let turn = Tuolaji::waiting_for(board.state()).seats.iter().next().unwrap();
    assert_eq!(shown["clock"]["slow_ms"], 20_000);
    assert_eq!(shown["clock"]["seats"][Tuolaji::seat_name(turn).unwrap()], 60_000);
}

/// A choice made at the same time as others', and the bottom, are not in what the others are told.
#[test]
fn what_is_secret_consumes_a_number_and_says_nothing() {
    let mut world = World::<Wakeng>::new(5, 3);
    world.disk.store(world.write.take().unwrap());
    world.input(Input::Stored(Ok(())));
    world.send(Seat(1), ActionText::plain("show no"));
    world.disk.store(world.write.take().unwrap());
    world.input(Input::Stored(Ok(())));
    assert!(
        world.streams[0][0].contains(r#""what":{"kind":"hidden","seat":"B"}"#),
        "{}",
        world.streams[0][0]
    );
    assert!(world.streams[1][0].contains(r#""do":"show no""#));
    // With the last choice all of them are known: the list of what happened puts them where `hidden` stood.
    for (seat, what) in [(Seat(2), "show yes"), (Seat(0), "show no")] {
        world.send(seat, ActionText::plain(what));
        world.disk.store(world.write.take().unwrap());
        world.input(Input::Stored(Ok(())));
    }
    let revealed = |seat: usize| -> serde_json::Value {
        let last: serde_json::Value = serde_json::from_str(&world.streams[seat][2]).unwrap();
        last["revealed"].clone()
    };
    let b = serde_json::json!({"n": 1, "what": {"kind": "action", "seat": "B", "do": "show no"}});
    let c = serde_json::json!({"n": 2, "what": {"kind": "action", "seat": "C", "do": "show yes"}});
    assert_eq!(revealed(0), serde_json::json!([b, c]));
    assert_eq!(revealed(1), serde_json::json!([c]), "the own choice was never hidden");
    assert!(!world.streams[0][1].contains("revealed"));
}

/// What the events have told so far, with what they revealed later: what a page that has stayed shows.
fn remembered(events: &[String]) -> Vec<serde_json::Value> {
    let mut told: BTreeMap<u64, serde_json::Value> = BTreeMap::new();
    for event in events {
        let event: serde_json::Value = serde_json::from_str(event).unwrap();
        for line in event["revealed"].as_array().into_iter().flatten() {
            let before = told.insert(line["n"].as_u64().unwrap(), line["what"].clone()).unwrap();
            assert_eq!(before["kind"], "hidden", "only what was hidden is revealed");
            assert_eq!(before["seat"], line["what"]["seat"]);
        }
        told.insert(event["n"].as_u64().unwrap(), event["what"].clone());
    }
    told.retain(|_, what| what["note"] != "deal");
    let lines = told.into_iter().map(|(n, what)| serde_json::json!({"n": n, "what": what}));
    lines.collect()
}

/// Whoever reloads the page or sits down at another device has the same list of what happened as somebody who has stayed,
/// at every moment of a board: no line less, and nothing that is still hidden.
fn past_is_what_was_told<G: Levels>(hidden: bool) {
    let rules = rulesets::default::<G>().unwrap();
    let mut chance = GameRng::of("past", b"1");
    let mut order = G::PACK.cards();
    chance.shuffle(&mut order);
    let header = Header::<G>::new("s1/1", rules.clone(), deal_board::<G>(&rules, 1, &order).unwrap());
    let mut board = Board::open(&header);
    let mut lines: Vec<Shown<G>> = Vec::new();
    let viewers =
        || (0..G::seats(&header.start)).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Public]);
    let (mut was_hidden, mut was_revealed) = (false, false);
    while !G::finished(board.state()) {
        let at = 1000 * (lines.len() as u64 + 1);
        let waiting = G::waiting_for(board.state());
        let due = waiting.seats.iter().find_map(|seat| Some((seat, G::timeout(board.state(), seat)?)));
        let line = if let Some((seat, automatic)) = due {
            let some: Vec<G::Action> = G::legal(board.state(), seat).take(20).collect();
            let action = if some.is_empty() { automatic } else { some[chance.index(some.len())].clone() };
            let entry = Entry { seat, action, at: Some(at), by: None };
            board.play(&entry).unwrap();
            Line::Action(entry)
        } else {
            let note = ControlEntry { at: Some(at), ..ControlEntry::new(ControlKind::Deal, By::Dealer) };
            board.note(&note).unwrap();
            Line::Control(note)
        };
        lines.push(Shown { line, at });
        // Every moment of a beginning, then now and then: a board is replayed each time.
        let looked = lines.len() < 8 || lines.len().is_multiple_of(30) || G::finished(board.state());
        for viewer in viewers().filter(|_| looked) {
            let events = message::events_after::<G>(7, 0, &header, &lines, viewer);
            let told = remembered(&events);
            let past = message::past::<G>(&header, &lines, viewer);
            assert_eq!(past[..], told[told.len().saturating_sub(message::PAST_MAX)..], "{viewer:?}");
            was_hidden |= past.iter().any(|line| line["what"]["kind"] == "hidden");
            was_revealed |= events.iter().any(|event| event.contains(r#""revealed""#));
        }
    }
    assert_eq!((was_hidden, was_revealed), (hidden, hidden), "the board has no secret choice");
    // At the end nothing is hidden any more.
    let past = message::past::<G>(&header, &lines, Viewer::Public);
    assert!(past.iter().all(|line| line["what"]["kind"] != "hidden"), "{past:?}");
}

#[test]
fn who_comes_back_has_the_list_of_what_happened_as_if_it_had_stayed() {
    past_is_what_was_told::<Wakeng>(true);
    past_is_what_was_told::<Tuolaji>(true);
    past_is_what_was_told::<Holdem>(false);
}

fn sabotaged(sabotage: Sabotage) {
    for seed in 0..40 {
        run_with::<Wakeng>(seed, 3, 1500, true, sabotage);
    }
}

#[test]
#[should_panic(expected = "before it is durable")]
fn r1_a_server_that_tells_too_early_is_found_out() {
    sabotaged(Sabotage::Early);
}

#[test]
#[should_panic(expected = "stored once")]
fn r3_a_server_that_forgets_its_answers_is_found_out() {
    sabotaged(Sabotage::Forgetful);
}

#[test]
#[should_panic(expected = "no gap, no repeat")]
fn r4_a_server_that_repeats_an_event_is_found_out() {
    sabotaged(Sabotage::Repeats);
}

/// R5: two deals that differ only in what a seat has not seen, and choices that it may not know: the same bytes.
#[test]
fn r5_what_a_seat_may_not_know_changes_no_byte_of_its_messages() {
    let rules = rulesets::shipped::<Wakeng>("wakeng-bomb").unwrap();
    let mut order = Wakeng::PACK.cards();
    GameRng::of("r5", b"1").shuffle(&mut order);
    let start = deal_board::<Wakeng>(&rules, 1, &order).unwrap();
    let mut other = Wakeng::write_start(&start);
    let hands = other["deal"].as_object_mut().unwrap();
    let (b, c) = (hands["B"].clone(), hands["C"].clone());
    hands["B"] = c;
    hands["C"] = b;
    let swapped = Wakeng::read_start(&rules, &other).unwrap();
    let told = |start, choice: &str| {
        let header = Header::<Wakeng>::new("s1/1", rules.clone(), start);
        let (mut table, _) = Table::open(header.clone(), PLAY, vec![SeatController::Person; 3], SETTINGS);
        table.handle(0, Input::Stored(Ok(())));
        let text = ActionText::plain(choice);
        table.handle(1000, Input::Act { seat: Seat(1), id: CommandId::read("c1").unwrap(), text });
        table.handle(1000, Input::Stored(Ok(())));
        let viewer = Viewer::Seat(Seat(0));
        let mut told = message::events_after::<Wakeng>(7, 0, &header, table.lines(), viewer);
        let past = message::past::<Wakeng>(&header, table.lines(), viewer);
        told.push(message::snapshot::<Wakeng>(7, 1, past, table.board(), table.clock(), 2000, viewer));
        assert_eq!(told.len(), 2);
        told
    };
    let first = told(start.clone(), "show no");
    assert_eq!(first, told(swapped, "show no"), "the others' cards");
    assert_eq!(first, told(start, "show yes"), "a choice that is not open yet");
}

/// What a seat can make a table keep is bounded. Beyond the bound a refusal is told with its reason, at once and without
/// a write, and is counted with the next line; accepted commands have their answers for ever, and so have the refusals
/// that are kept.
#[test]
fn refused_commands_of_a_seat_are_kept_to_a_bound_and_counted_beyond() {
    let mut world = World::<Wakeng>::new(3, 3);
    let durable = |world: &mut World<Wakeng>| {
        if let Some(write) = world.write.take() {
            world.disk.store(write);
            world.input(Input::Stored(Ok(())));
        }
    };
    durable(&mut world);
    let id = |number: usize| CommandId::read(&format!("x{number}")).unwrap();
    let try_it = |world: &mut World<Wakeng>, number: usize| -> Option<Answer> {
        let text = ActionText::plain("打 C4");
        world.sent.push((Seat(0), id(number), text.clone()));
        let orders = world.table.handle(world.now, Input::Act { seat: Seat(0), id: id(number), text });
        let told = orders.iter().find_map(|order| match order {
            Order::Answer(_, answer) => Some(answer.clone()),
            _ => None,
        });
        world.carry_out(orders);
        told
    };
    for number in 0..1536 {
        let told = try_it(&mut world, number);
        let kept = number < REFUSALS_KEPT;
        assert_eq!((told.is_none(), world.write.is_some()), (kept, kept), "{number}: a write for those kept");
        assert!(kept || matches!(told, Some(Answer::Refused(why)) if why.code == "malformed"), "{number}");
        durable(&mut world);
    }
    assert_eq!((world.disk.refusals(Seat(0)), world.disk.counted), (REFUSALS_KEPT, 0));
    assert_eq!(world.table.refused(), 1536);
    // Another seat's commands are kept as before, and the next write tells what was counted.
    world.send(Seat(1), ActionText::plain("打 C4"));
    durable(&mut world);
    assert_eq!(world.disk.refusals(Seat(1)), 1);
    assert_eq!(world.disk.counted, 1536 - REFUSALS_KEPT as u64);
    // Kept ones have their answers; a server that comes back keeps no more than before.
    let lines = world.disk.lines::<Wakeng>();
    let given = world.disk.given.clone();
    let (table, orders) =
        Table::recover(world.header.clone(), PLAY, world.kinds.clone(), SETTINGS, lines, given).unwrap();
    world.table = table;
    world.carry_out(orders);
    durable(&mut world);
    let again = try_it(&mut world, 0);
    assert!(matches!(again, Some(Answer::Refused(why)) if why.code == "malformed") && world.write.is_none());
    assert!(try_it(&mut world, 2000).is_some() && world.write.is_none(), "the bound holds after a restart");
}

/// One seat's commands do not fill the queue of the others while a write is under way.
#[test]
fn a_seat_that_floods_a_table_leaves_room_for_the_others() {
    let mut world = World::<Wakeng>::new(3, 3);
    assert!(world.write.is_some(), "the first line is under way");
    let busy = |orders: &[Order]| {
        orders
            .iter()
            .any(|order| matches!(order, Order::Answer(_, Answer::Refused(why)) if why.code == "busy"))
    };
    let mut act = |seat: u8, number: usize| {
        let id = CommandId::read(&format!("f{number}")).unwrap();
        let text = ActionText::plain("show no");
        busy(&world.table.handle(0, Input::Act { seat: Seat(seat), id, text }))
    };
    let refused = (0..300).filter(|number| act(0, *number)).count();
    assert!(refused > 200, "{refused}");
    assert!(!act(1, 0), "another seat is heard");
}

/// Words of a call are there after a restart: a referee who comes late still reads them.
#[test]
fn calls_of_the_referee_survive_a_restart_with_their_words() {
    let mut world = World::<Wakeng>::new(3, 3);
    for (seat, id, words) in [(1, "z", "first"), (0, "a", "second"), (1, "a", "third")] {
        while let Some(write) = world.write.take() {
            world.disk.store(write);
            world.input(Input::Stored(Ok(())));
        }
        let id = CommandId::read(id).unwrap();
        world.sent.push((
            Seat(seat),
            id.clone(),
            ActionText::plain(format!("{}{words}", fushi::tables::CALL)),
        ));
        world.input(Input::Call { seat: Seat(seat), id, words: words.to_owned() });
    }
    world.disk.store(world.write.take().unwrap());
    world.input(Input::Stored(Ok(())));
    let words = |table: &Table<Wakeng>| -> Vec<String> {
        table.called().iter().map(|call| call.words.clone()).collect()
    };
    assert_eq!(words(&world.table), ["first", "second", "third"]);
    let (lines, given) = (world.disk.lines::<Wakeng>(), world.disk.given.clone());
    let (table, _) =
        Table::recover(world.header.clone(), PLAY, world.kinds.clone(), SETTINGS, lines, given).unwrap();
    assert_eq!(words(&table), ["first", "second", "third"]);
}

/// The seat whose play is told to be the highest wins the trick, unless the last player beats it.
#[test]
fn whose_play_is_the_highest_is_told_and_wins_the_trick() {
    let rules = rulesets::default::<Tuolaji>().unwrap();
    let mut chance = GameRng::of("ahead", b"1");
    let mut order = Tuolaji::PACK.cards();
    chance.shuffle(&mut order);
    let mut state = Tuolaji::open(&rules, &deal_board::<Tuolaji>(&rules, 1, &order).unwrap());
    let mut won = 0;
    while !Tuolaji::finished(&state) {
        let ahead = Tuolaji::ahead(&state);
        let due = Tuolaji::waiting_for(&state).seats.iter().find_map(|seat| {
            let some: Vec<_> = Tuolaji::legal(&state, seat).take(20).collect();
            Tuolaji::timeout(&state, seat).map(|usual| (seat, some, usual))
        });
        let before = Tuolaji::view(&state, Viewer::Public).tricks;
        let effect = match &due {
            Some((seat, some, usual)) => {
                let action = if some.is_empty() { usual } else { &some[chance.index(some.len())] };
                Tuolaji::check(&state, *seat, action).unwrap()
            }
            None => Tuolaji::advance(&state).unwrap(),
        };
        Tuolaji::apply(&mut state, effect);
        let after = Tuolaji::view(&state, Viewer::Public);
        if let (true, Some((last, ..))) = (after.tricks > before, due) {
            let winner = after.last_trick.unwrap().winner;
            let may = [ahead, Some(last)].map(|seat| seat.and_then(Tuolaji::seat_name));
            assert!(winner.is_some() && may.contains(&winner), "{winner:?} of {may:?}");
            assert_eq!(Tuolaji::ahead(&state), None, "before the next lead nobody is");
            won += usize::from(winner == may[0]);
        }
    }
    assert!(won > 0, "somebody who was ahead has won");
}
