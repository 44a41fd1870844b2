//! Live events end to end: the real server, the real client, real kills.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fushi::desk::draft::Fields;
use fushi::desk::opening::master;
use fushi::desk::people::{People as _, SeatToken};
use fushi::desk::stage::{Staging, stage};
use fushi::event::Event;
use fushi::event::live::Pace;
use fushi::event::log::{EventLogs, OnlyOwner, Ports, Wall};
use fushi::event::model::Dealer;
use fushi::event::results::replay_so_far;
use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::players::Levels;
use fushi::store::Store;
use fushi::web::App;
use fushi::web::secret::ServerSecret;
use serde_json::Value;

use crate::server::{Inside, Program};

pub fn fields(format: &str, boards: u32, per_round: u32, pace: Pace) -> Fields {
    Fields {
        title: Some("活动 Live".to_owned()),
        format: Some(format.to_owned()),
        boards: Some(boards),
        boards_per_round: Some(per_round),
        pace: Some(pace),
        ai_delay_ms: Some(0),
        between_s: Some(0),
        auto_rounds: Some(true),
        ..Fields::default()
    }
}

/// The logs of a store's events.
pub fn logs(store: &Arc<Store>) -> EventLogs {
    let wall: Wall = Arc::new(|| 1_800_000_000_000_000);
    let ports = Ports { archive: store.clone(), ledger: store.clone(), wall };
    EventLogs::new(ports, Arc::new(OnlyOwner))
}

/// Stages an event in a store and makes a token for every person.
pub fn staged<G: Levels>(
    store: &Arc<Store>,
    secret: &ServerSecret,
    fields: Fields,
    persons: u32,
    members: u8,
) -> Vec<String> {
    let staging = Staging { id: "live", fields, persons, programs: &[], seed: [7; 32] };
    let event =
        stage::<G>(store.as_ref(), &logs(store), &staging, &secret.sealing(), 1_800_000_000_000_000, "test")
            .unwrap();
    let mut tokens = Vec::new();
    for entrant in event.entrants.iter().filter(|entrant| entrant.level.is_none()) {
        for member in 0..members {
            let token = format!("token-{}-{member}", entrant.id);
            let row = SeatToken { member, ..SeatToken::for_program(&token, &event.id, &entrant.id, 0) };
            store.add_seat_tokens(vec![row], event.act(0, "test", "seat-token", "")).unwrap();
            tokens.push(token);
        }
    }
    tokens
}

pub fn player(base: &str, tokens: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fushi"));
    command
        .args(["play", "--url", base, "--format", "json", "--tokens"])
        .arg(tokens)
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The client's report; nothing it saw may have been wrong.
pub fn report(output: &std::process::Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{errors}"));
    assert!(output.status.success(), "{report}\n{errors}");
    assert_eq!((report["violations"].as_u64(), report["failed"].as_u64()), (Some(0), Some(0)), "{errors}");
    report
}

/// Starts every round of an event without a server.
fn begin(store: &Arc<Store>) {
    use fushi::event::ledger::EventWrite;
    use fushi::formats::{Fact, RoundStarted};
    let log = logs(store).open("live").unwrap();
    for round in log.look(|journal| journal.competition().schedule().to_vec()) {
        let start = RoundStarted { stage: round.stage, round: round.round, minutes: 0 };
        log.append_durably(fushi::journal::Author::Server, Fact::Round(start), EventWrite::default())
            .unwrap();
    }
}

/// The database of a wakeng event in play, for a server in a process of its own, and a file with its players' tokens.
pub fn prepared(folder: &Path, fields: Fields, persons: u32) -> (PathBuf, PathBuf) {
    let database = folder.join("live.sqlite");
    let store = Arc::new(Store::open(&format!("sqlite:{}", database.display())).unwrap());
    let secret = ServerSecret::load_or_create(&folder.join("live.sqlite.key")).unwrap();
    let tokens = staged::<Wakeng>(&store, &secret, fields, persons, 1);
    begin(&store);
    let file = folder.join("tokens");
    std::fs::write(&file, tokens.join("\n")).unwrap();
    (database, file)
}

/// Replays every journal from the database alone: chains, rules, deals. Answers how many lines there are.
fn replayed<G: Levels>(store: &Store, secret: &ServerSecret) -> (u64, fushi::formats::tally::Tally) {
    let mut event = Event::<G>::load(store, "live").unwrap();
    // The rounds stand in the event's journal.
    let journal = fushi::event::log::replayed(store, "live").unwrap();
    event.follow(journal.competition());
    let (announcement, delayed) = event.announced(store).unwrap();
    let master = master(store, "live", &secret.sealing(), "test", 0, "test").unwrap();
    let dealer = Dealer::new(&event, &announcement, &master, &delayed).unwrap();
    let (mut lines, competition) = (0, journal.competition());
    for row in store.plays("live").unwrap() {
        let Some(sitting) = competition.sitting(row.id.sitting()) else { panic!("{row:?}") };
        let header = dealer.dealt(sitting).unwrap();
        let board = replay_so_far(&header, &row, &store.journal(row.id).unwrap()).unwrap();
        lines += u64::from(board.lines());
        // The event's line of a board is what the board's own journal comes to.
        let over = fushi::journal::finished(sitting.sitting, &header, &board);
        assert_eq!(competition.finished(sitting.sitting), board.over().then_some(&over));
    }
    (lines, competition.tally().unwrap())
}

fn played_inside<G: Levels>(fields: Fields, persons: u32, members: u8, more: &[&str]) {
    let inside = Inside::start();
    let app: &App = &inside.app;
    let tokens = staged::<G>(&app.store, &app.secret, fields, persons, members);
    let file = inside.folder.path().join("tokens");
    std::fs::write(&file, tokens.join("\n")).unwrap();
    let hall = app.halls.open("live").unwrap();
    app.runtime.block_on(hall.start(1, "o1")).unwrap();
    let report = report(&player(&inside.base, &file, more).output().unwrap());
    let (lines, from_journals) = replayed::<G>(&app.store, &app.secret);
    assert!(lines > 0 && report["actions"].as_u64() <= Some(lines), "{report}");
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        // What the event's journal gives is what the boards' journals give.
        let journal = fushi::event::log::replayed(app.store.as_ref(), "live").unwrap();
        if journal.competition().tally().is_ok_and(|live| {
            live.standings == from_journals.standings && live.results == from_journals.results
        }) {
            break;
        }
        assert!(Instant::now() < deadline, "live standings differ from those of the journals");
        std::thread::sleep(Duration::from_millis(50));
    }
    // Of boards that are over the hall keeps what they came to and nothing else: no task, no deal, no address.
    let counters = &app.halls.deps().counters;
    let held = || {
        let load =
            |counter: &std::sync::atomic::AtomicU64| counter.load(std::sync::atomic::Ordering::Relaxed);
        let handles = app.runtime.block_on(hall.floor()).iter().filter(|at| at.handle.is_some()).count();
        (load(&counters.open), load(&counters.deals), handles)
    };
    while held() != (0, 0, 0) {
        assert!(Instant::now() < deadline, "finished boards hold tables, deals, handles: {:?}", held());
        std::thread::sleep(Duration::from_millis(20));
    }
    // Every board of the movement has come to its end at every table.
    let journal = fushi::event::log::replayed(app.store.as_ref(), "live").unwrap();
    let competition = journal.competition();
    let open: Vec<u32> = competition
        .sittings()
        .iter()
        .map(|sitting| sitting.sitting)
        .filter(|sitting| competition.finished(*sitting).is_none())
        .collect();
    assert!(!competition.sittings().is_empty() && open.is_empty(), "{open:?}");
    assert!(competition.next_round().is_none(), "a round has not started");
}

#[test]
fn three_players_finish_sixteen_boards_against_the_computer() {
    played_inside::<Wakeng>(fields("human-ai", 16, 4, Pace::Own), 3, 1, &[]);
}

#[test]
fn r4_players_who_lose_their_connection_miss_nothing() {
    let more = ["--disconnect", "30", "--repeat-commands"];
    played_inside::<Wakeng>(fields("human-ai", 6, 2, Pace::Own), 3, 1, &more);
}

#[test]
fn wakeng_is_played_by_rounds() {
    played_inside::<Wakeng>(fields("individual", 6, 3, Pace::Rounds), 6, 1, &["--repeat-commands"]);
}

#[test]
fn holdem_is_played_by_rounds() {
    played_inside::<Holdem>(fields("individual", 6, 6, Pace::Rounds), 6, 1, &["--disconnect", "10"]);
}

#[test]
fn tuolaji_is_played_by_pairs() {
    let mut fields = fields("pairs", 6, 2, Pace::Rounds);
    let quick = serde_json::json!({"base": "zhuhai-2009", "name": "quick", "draw_ms": 4, "call_window_s": 1});
    fields.rules = quick.as_object().cloned();
    played_inside::<Tuolaji>(fields, 4, 2, &[]);
}

/// R1 and R3: a server that is killed twenty times while it is played on loses nothing that was acknowledged and does
/// nothing twice. The clients check every answer against what they see afterwards.
#[test]
fn r1_what_was_acknowledged_survives_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let (database, file) = prepared(folder.path(), fields("human-ai", 40, 8, Pace::Own), 8);
    let mut server = Program::start(&database, &[]);
    let address = server.base.strip_prefix("http://").unwrap().to_owned();
    let mut client = player(&server.base, &file, &["--repeat-commands", "--think", "15", "--seconds", "240"])
        .spawn()
        .unwrap();
    let mut kills = 0;
    while kills < 20 && client.try_wait().unwrap().is_none() {
        // Not in step with anything.
        std::thread::sleep(Duration::from_millis(150 + 97 * (kills * kills % 7)));
        server.kill();
        kills += 1;
        server = Program::start_at(&database, &address, &[]);
    }
    let report = report(&client.wait_with_output().unwrap());
    assert!(kills >= 20, "the event was over after {kills} kills: {report}");
    assert!(report["reconnects"].as_u64() > Some(0), "{report}");
    server.kill();
    let store = Store::open(&format!("sqlite:{}", database.display())).unwrap();
    let secret = ServerSecret::load_or_create(&folder.path().join("live.sqlite.key")).unwrap();
    let (lines, _) = replayed::<Wakeng>(&store, &secret);
    let accepted: u64 = report["actions"].as_u64().unwrap();
    assert!(accepted <= lines);
    let mut commands = 0;
    for play in store.plays("live").unwrap() {
        use fushi::event::ledger::Ledger as _;
        use fushi::tables::Answer;
        let given = store.answers(play.id).unwrap();
        commands +=
            given.iter().filter(|given| matches!(given.answered.answer, Answer::Accepted(_))).count() as u64;
    }
    assert!(accepted <= commands, "{accepted} were acknowledged, {commands} are kept");
}

/// R14: a backup taken while boards are played is whole, and whatever was acknowledged before it is in it.
#[test]
fn r14_a_backup_during_play_loses_nothing_older() {
    let inside = Inside::start();
    let app: &App = &inside.app;
    let tokens = staged::<Wakeng>(&app.store, &app.secret, fields("human-ai", 8, 4, Pace::Own), 4, 1);
    let file = inside.folder.path().join("tokens");
    std::fs::write(&file, tokens.join("\n")).unwrap();
    let hall = app.halls.open("live").unwrap();
    app.runtime.block_on(hall.start(1, "o1")).unwrap();
    let client = player(&inside.base, &file, &["--think", "2"]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let before: Vec<_> =
        app.store.plays("live").unwrap().iter().map(|play| app.store.journal(play.id).unwrap()).collect();
    let copy = inside.folder.path().join("备份 copy.sqlite");
    let database = inside.folder.path().join("test.sqlite");
    let run =
        |args: &[&std::ffi::OsStr]| Command::new(env!("CARGO_BIN_EXE_fushi")).args(args).output().unwrap();
    let url = format!("sqlite:{}", database.display());
    let made = run(&["backup".as_ref(), copy.as_os_str(), "--database".as_ref(), url.as_ref()]);
    assert!(made.status.success(), "the backup is not whole: {}", String::from_utf8_lossy(&made.stderr));
    let again = run(&["backup".as_ref(), copy.as_os_str(), "--database".as_ref(), url.as_ref()]);
    assert_eq!(again.status.code(), Some(1), "a backup replaces nothing");
    let back = format!("sqlite:{}", inside.folder.path().join("back.sqlite").display());
    let restored = run(&["restore".as_ref(), copy.as_os_str(), "--database".as_ref(), back.as_ref()]);
    assert!(
        restored.status.success(),
        "the backup is not whole: {}",
        String::from_utf8_lossy(&restored.stderr)
    );
    let store = Store::open(&back).unwrap();
    let plays = store.plays("live").unwrap();
    assert_eq!(plays.len(), before.len(), "the backup is not whole");
    for (play, rows) in plays.iter().zip(&before) {
        let kept = store.journal(play.id).unwrap();
        assert!(kept.starts_with(rows), "the backup is not whole: {play:?} had {} lines", rows.len());
    }
    assert!(before.iter().any(|rows| !rows.is_empty()));
    // A damaged backup is refused and leaves nothing behind.
    let mut bytes = std::fs::read(&copy).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0x55);
    let damaged = inside.folder.path().join("damaged.sqlite");
    std::fs::write(&damaged, bytes).unwrap();
    let other = inside.folder.path().join("other.sqlite");
    let url = format!("sqlite:{}", other.display());
    assert_eq!(
        run(&["restore".as_ref(), damaged.as_os_str(), "--database".as_ref(), url.as_ref()]).status.code(),
        Some(1)
    );
    assert!(!other.exists());
    report(&client.wait_with_output().unwrap());
    // Another server goes on from the backup: the players come back, and the event is played to its end.
    drop(store);
    let key = |name: &str| inside.folder.path().join(name);
    std::fs::copy(key("test.sqlite.key"), key("back.sqlite.key")).unwrap();
    let mut server = Program::start(&inside.folder.path().join("back.sqlite"), &[]);
    report(&player(&server.base, &file, &[]).output().unwrap());
    server.kill();
    let store = Store::open(&back).unwrap();
    let plays = store.plays("live").unwrap();
    assert_eq!(plays.len(), before.len(), "the backup is not whole");
    for (play, rows) in plays.iter().zip(&before) {
        let kept = store.journal(play.id).unwrap();
        assert!(kept.starts_with(rows), "the backup is not whole: {play:?} had {} lines", rows.len());
    }
    replayed::<Wakeng>(&store, &app.secret);
}

/// R7: the system's clock jumps by hours, forwards and backwards, under a server that is played on: nobody is charged.
#[cfg(target_os = "linux")]
#[test]
fn r7_a_wall_clock_that_jumps_charges_nobody() {
    use fushi::journal::By;
    use fushi::journal::{Line, scan_line};
    use std::os::unix::fs::FileExt as _;

    const HOUR_US: i64 = 3_600_000_000;
    let folder = tempfile::tempdir().unwrap();
    let (database, file) = prepared(folder.path(), fields("human-ai", 4, 4, Pace::Own), 4);
    let jump = folder.path().join("jump");
    // The server looks into this file as into its memory: it is written in place, never cut short.
    let jump_file = std::fs::File::create(&jump).unwrap();
    let move_to = |by: i64| jump_file.write_all_at(&by.to_ne_bytes(), 0).unwrap();
    move_to(0);
    let loadable = crate::power::loadable(folder.path(), "jump.c");
    let env = [("LD_PRELOAD", loadable.as_os_str()), ("FUSHI_JUMP_FILE", jump.as_os_str())];
    // Tables that fell back in time wait for it to come again: there is no use in waiting with them.
    let falls_back = fushi::sabotage::Sabotage::WallClock.on();
    let patience = Duration::from_secs(if falls_back { 15 } else { 120 });
    let begun = Instant::now();
    let mut server = Program::start_in(&database, &env);
    let mut client = player(&server.base, &file, &["--think", "8"]).spawn().unwrap();
    let mut jumps = 0;
    while client.try_wait().unwrap().is_none() {
        if begun.elapsed() > patience {
            client.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(60));
        // Ahead, back to the truth, behind it, ahead by two hours at once.
        move_to(HOUR_US * [1, 0, -1, 1, -1, 0][jumps % 6]);
        jumps += 1;
    }
    let output = client.wait_with_output().unwrap();
    let lasted = i64::try_from(begun.elapsed().as_micros()).unwrap();
    server.kill();
    assert!(jumps > 5, "{jumps}");
    let store = Store::open(&format!("sqlite:{}", database.display())).unwrap();
    let (mut seen, mut last) = (0, 0);
    for play in store.plays("live").unwrap() {
        for row in store.journal(play.id).unwrap().iter().skip(1) {
            seen += 1;
            last = last.max(row.at_us);
            if let Line::Action(entry) = scan_line::<Wakeng>(&row.body).unwrap() {
                assert_ne!(entry.by, Some(By::Clock), "somebody is charged for time that has not gone");
            }
        }
    }
    assert!(
        seen > 0 && last <= lasted,
        "somebody is charged: {last} µs on a table's clock, {lasted} have gone"
    );
    report(&output);
    let secret = ServerSecret::load_or_create(&folder.path().join("live.sqlite.key")).unwrap();
    replayed::<Wakeng>(&store, &secret);
}

/// A stream of standings begins before the hall is open and follows it to the end of the event: every message says
/// something new, and the last one is what the standings are.
#[test]
fn spectators_follow_an_event_from_before_it_opens_to_its_end() {
    use std::io::{BufRead as _, BufReader};

    let inside = Inside::start();
    let app: &App = &inside.app;
    let tokens = staged::<Wakeng>(&app.store, &app.secret, fields("human-ai", 6, 6, Pace::Own), 3, 1);
    let file = inside.folder.path().join("tokens");
    std::fs::write(&file, tokens.join("\n")).unwrap();
    let response = ureq::get(format!("{}/api/v1/events/live/live", inside.base)).call().unwrap();
    let lines = BufReader::new(response.into_body().into_reader()).lines();
    // Checkpoints are told on the same stream, each once.
    let checkpoints = std::cell::RefCell::new(Vec::new());
    let mut sheets = lines.filter_map(|line| {
        let line = line.unwrap();
        let told = serde_json::from_str::<Value>(line.strip_prefix("data: ")?).unwrap();
        if told.get("hash").is_none() {
            return Some(told);
        }
        assert!(!checkpoints.borrow().contains(&told), "told twice: {told}");
        checkpoints.borrow_mut().push(told);
        None
    });
    let mut told = vec![sheets.next().unwrap()];
    assert_eq!(told[0]["boards"].as_array().unwrap().len(), 0);
    let hall = app.halls.open("live").unwrap();
    app.runtime.block_on(hall.start(1, "o1")).unwrap();
    let client = player(&inside.base, &file, &["--think", "5"]).spawn().unwrap();
    while told.last().unwrap()["complete"] != true {
        let sheet = sheets.next().unwrap();
        let before = told.last().unwrap()["boards"].as_array().unwrap();
        let now = sheet["boards"].as_array().unwrap();
        assert!(before.iter().all(|board| now.contains(board)), "{before:?} {now:?}");
        assert_ne!(&sheet, told.last().unwrap(), "nothing new");
        told.push(sheet);
    }
    report(&client.wait_with_output().unwrap());
    // The hall closes and another one opens: who watches is not sent away, and hears of what is decided meanwhile.
    app.runtime.block_on(app.halls.shut("live"));
    drop(hall);
    let log = app.halls.logs().open("live").unwrap();
    let freeze = |on: bool| {
        let write = fushi::event::ledger::EventWrite::default();
        fushi::desk::publishing::freeze(&log, fushi::journal::Author::Server, on, write).unwrap()
    };
    assert!(!freeze(true));
    std::thread::sleep(Duration::from_millis(1200));
    app.halls.open("live").unwrap();
    assert!(freeze(false));
    let public = crate::server::Client::new(&inside.base).get("/api/v1/events/live/standings").ok();
    assert_eq!(told.last(), Some(&public));
    app.stopping.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(sheets.next(), None, "the same standings are not told twice");
}

/// A round's time and a pause outlive the server; the time in between is nobody's.
#[test]
fn a_round_goes_on_with_the_time_it_had_left() {
    let inside = Inside::start();
    let app: &App = &inside.app;
    let fields = Fields { round_minutes: Some(1), ..fields("individual", 6, 3, Pace::Rounds) };
    staged::<Wakeng>(&app.store, &app.secret, fields, 6, 1);
    let hall = app.halls.open("live").unwrap();
    let left = |hall: &fushi::tables::hall::HallHandle| hall.watch.borrow().progress.round_left_ms.unwrap();
    app.runtime.block_on(async {
        hall.start(1, "o1").await.unwrap();
        tokio::time::sleep(Duration::from_millis(400)).await;
        hall.pause(true, "r1").await;
    });
    let kept = left(&hall);
    assert!(hall.progress().paused && kept < 59_700, "{kept:?}");
    app.runtime.block_on(app.halls.close());
    std::thread::sleep(Duration::from_millis(300));
    let hall = app.halls.open("live").unwrap();
    app.runtime.block_on(async {
        hall.seen((1, 0), fushi::event::ledger::Evidence::Left).await;
        hall.pause(true, "r1").await;
        tokio::time::sleep(Duration::from_millis(700)).await;
        assert!(hall.watch.borrow().progress.paused, "the pause is forgotten");
        assert_eq!(left(&hall), kept, "time without a server, or under a pause, was counted");
        hall.pause(false, "r1").await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        hall.pause(true, "r1").await;
        let now = left(&hall);
        assert!(now < kept && now > 50_000, "{now}");
    });
}

/// A table that a referee has stopped stays so when the whole event stands and goes on again, and a single table does
/// not go on while the event stands. The time that is shown runs.
#[test]
fn a_pause_of_the_event_leaves_a_referees_stop_alone() {
    use fushi::tables::hall::{HallRefused, TableOrder};
    let inside = Inside::start();
    let app: &App = &inside.app;
    let fields =
        Fields { round_minutes: Some(1), late_s: Some(0), ..fields("individual", 6, 3, Pace::Rounds) };
    staged::<Wakeng>(&app.store, &app.secret, fields, 6, 1);
    let hall = app.halls.open("live").unwrap();
    app.runtime.block_on(async {
        hall.start(1, "o1").await.unwrap();
        let open = async || {
            let floor = hall.floor().await;
            floor.into_iter().filter_map(|at| Some((at.table, at.handle?))).collect::<Vec<_>>()
        };
        let deadline = Instant::now() + Duration::from_secs(20);
        while open().await.len() < 2 {
            assert!(Instant::now() < deadline, "two tables open");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let tables = open().await;
        let runs = async |place: usize| tables[place].1.look().await.unwrap().running;
        hall.order(tables[0].0, TableOrder::Stop, "r1").await.unwrap();
        hall.pause(true, "chief").await;
        let deadline = Instant::now() + Duration::from_secs(20);
        while runs(1).await {
            assert!(Instant::now() < deadline, "the pause stops every table");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(hall.order(tables[1].0, TableOrder::Go, "r1").await.unwrap_err(), HallRefused::Paused);
        tokio::time::sleep(Duration::from_millis(100)).await;
        hall.pause(false, "chief").await;
        let deadline = Instant::now() + Duration::from_secs(20);
        while !runs(1).await {
            assert!(Instant::now() < deadline, "the others go on");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(!runs(0).await, "the referee's stop is forgotten");
        let left = hall.progress().round_left_ms.unwrap();
        tokio::time::sleep(Duration::from_millis(60)).await;
        assert!(hall.progress().round_left_ms.unwrap() < left, "the time that is shown stands still");
    });
}
