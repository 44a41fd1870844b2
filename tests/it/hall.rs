//! The hall as host of a format: what a restart finds, and the faults after which something stood still.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fushi::dealing::{DrawReveal, Sealed};
use fushi::desk::draft::{Fields, apply, blank};
use fushi::desk::opening::{announce, create, master};
use fushi::event::answer::{Answer, Answered, CommandId};
use fushi::event::archive::{Archive as _, PlayId};
use fushi::event::ledger::{Done, EventWrite, Given, Incident, Ledger, LedgerError, RefereeCall, Write};
use fushi::event::live::Pace;
use fushi::event::log::{EventLogs, LogError, OnlyOwner, Ports, replayed};
use fushi::formats::settings::Entrant;
use fushi::formats::{Fact, Locked};
use fushi::games::Seat;
use fushi::games::wakeng::Wakeng;
use fushi::journal::{Author, Lots};
use fushi::store::Store;
use fushi::tables::hall::{HallHandle, TableOrder};
use fushi::tables::halls::Halls;
use fushi::tables::task::{Counters, Deps, LOOKUPS_MAX};
use fushi::web::secret::ServerSecret;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

const ID: &str = "hall";
const AT: i64 = 1_800_000_000_000_000;

/// A ledger in front of the store, which can be told to lose tables.
struct Faulty {
    store: Arc<Store>,
    /// Sittings whose writes of an action are answered with "lost".
    lose: Mutex<BTreeSet<u32>>,
    /// How many tables were lost.
    lost: AtomicU32,
    /// Whether every further table of the sittings is lost, too.
    always: bool,
}

impl Ledger for Faulty {
    fn write(&self, write: Write, done: Done) -> Result<(), LedgerError> {
        let sitting = write.rows.iter().find(|row| row.seq > 0).map(|row| PlayId(row.play_id).sitting());
        let of_table = write.event.is_none();
        if let Some(sitting) = sitting.filter(|_| of_table) {
            let mut lose = self.lose.lock().unwrap();
            if lose.contains(&sitting) {
                if !self.always {
                    lose.remove(&sitting);
                }
                self.lost.fetch_add(1, Ordering::SeqCst);
                done(Err(LedgerError::Lost("a test has lost it".to_owned())));
                return Ok(());
            }
        }
        self.store.write(write, done)
    }

    fn keep_incidents(&self, event: &str, incidents: Vec<Incident>, done: Done) -> Result<(), LedgerError> {
        self.store.keep_incidents(event, incidents, done)
    }

    fn answer(&self, play: PlayId, seat: Seat, id: &CommandId) -> Result<Option<Answered>, LedgerError> {
        self.store.answer(play, seat, id)
    }

    fn answers(&self, play: PlayId) -> Result<Vec<Given>, LedgerError> {
        self.store.answers(play)
    }

    fn calls(&self, event: &str) -> Result<Vec<RefereeCall>, LedgerError> {
        self.store.calls(event)
    }
}

/// A server's halls over a database, without HTTP.
struct World {
    store: Arc<Store>,
    ledger: Arc<Faulty>,
    logs: EventLogs,
    halls: Halls,
    secret: Arc<ServerSecret>,
    runtime: Runtime,
}

impl World {
    fn start(folder: &Path, lose: &[u32], always: bool) -> World {
        let store = Arc::new(Store::open(&format!("sqlite:{}", folder.join("a.sqlite").display())).unwrap());
        let ledger = Arc::new(Faulty {
            store: Arc::clone(&store),
            lose: Mutex::new(lose.iter().copied().collect()),
            lost: AtomicU32::new(0),
            always,
        });
        let wall: fushi::event::log::Wall = Arc::new(|| AT + 1_000_000);
        let ports = Ports { archive: store.clone(), ledger: ledger.clone(), wall: Arc::clone(&wall) };
        let logs = EventLogs::new(ports, Arc::new(OnlyOwner));
        let deps = Deps {
            ledger: ledger.clone(),
            thinkers: Arc::new(Semaphore::new(2)),
            lookups: Arc::new(Semaphore::new(LOOKUPS_MAX)),
            counters: Arc::new(Counters::default()),
            wall: Arc::clone(&wall),
        };
        let secret = Arc::new(secret(folder));
        let own = Arc::clone(&secret);
        let unseal = Box::new(move |event: &str, sealed: &[u8]| {
            let sealed =
                Sealed::parse(std::str::from_utf8(sealed).unwrap()).map_err(|error| error.to_string())?;
            sealed.open(event, &secret.sealing(), "to deal", |_| {}).map_err(|error| error.to_string())
        });
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let halls = Halls::new(store.clone(), logs.clone(), deps, unseal, runtime.handle().clone(), wall);
        World { store, ledger, logs, halls, secret: own, runtime }
    }

    fn hall(&self) -> HallHandle {
        self.halls.open(ID).unwrap()
    }

    fn stop(self) {
        self.runtime.block_on(self.halls.close());
    }

    fn wait(&self, hall: &HallHandle, what: &str, mut until: impl FnMut(&World) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(40);
        while !until(self) {
            assert!(Instant::now() < deadline, "{what}: {:?}", hall.progress());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn complete(&self, hall: &HallHandle) {
        self.wait(hall, "not every board is over", |_| hall.progress().complete());
    }
}

fn secret(folder: &Path) -> ServerSecret {
    ServerSecret::load_or_create(&folder.join("a.key")).unwrap()
}

/// A wakeng event whose entries are closed and whose seats are drawn: so many persons, so many AI players.
fn locked(folder: &Path, fields: &Fields, persons: u32, programs: u32) {
    let world = World::start(folder, &[], false);
    let (store, secret) = (world.store.as_ref(), Arc::clone(&world.secret));
    let mut event = blank::<Wakeng>(ID).unwrap();
    apply(&mut event, fields).unwrap();
    event.entrants = (1..=persons + programs)
        .map(|number| Entrant {
            id: format!("e{number:02}"),
            number,
            name: format!("Entrant {number}"),
            level: (number > persons).then(|| "random".to_owned()),
            ..Entrant::default()
        })
        .collect();
    create(store, &event, &secret.sealing(), AT, "test").unwrap();
    let announced = announce(store, &event, &secret.sealing(), AT, "test").unwrap().unwrap();
    let key = master(store, ID, &secret.sealing(), "test", AT, "test").unwrap();
    let log = world.logs.open(ID).unwrap();
    let ids = event.entrants.iter().map(|entrant| entrant.id.clone()).collect();
    let numbers: Vec<u32> = event.entrants.iter().map(|entrant| entrant.number).collect();
    let fact = Fact::Locked(Locked::of(ids, &numbers, &event.settings.stages));
    let write = EventWrite { state: Some("locked"), ..EventWrite::default() };
    log.append_durably(Author::Server, fact, write).unwrap();
    let draw_key =
        DrawReveal::of(&announced.announcement, &key).unwrap().verify(&announced.announcement).unwrap();
    let (_, delayed) = event.announced(store).unwrap();
    let lots = Lots { announcement: announced.announcement.hash(), key: &draw_key, delayed: &delayed };
    assert_eq!(log.make_due_draws(&lots).unwrap(), 1);
    drop(secret);
    world.stop();
}

fn fields(format: &str, boards: u32, per_round: u32, pace: Pace) -> Fields {
    Fields {
        title: Some("Hall".to_owned()),
        format: Some(format.to_owned()),
        boards: Some(boards),
        boards_per_round: Some(per_round),
        pace: Some(pace),
        ai_delay_ms: Some(0),
        between_s: Some(0),
        late_s: Some(0),
        auto_rounds: Some(true),
        ..Fields::default()
    }
}

/// The journal of the event as the database has it, and that every line of a board agrees with the line of the event.
fn checked(store: &Store) -> fushi::journal::EventJournal {
    let journal = replayed(store, ID).unwrap();
    let number = store.event_number(ID).unwrap();
    for sitting in journal.competition().sittings() {
        let Some(finished) = journal.competition().finished(sitting.sitting) else { continue };
        let rows = store.journal(PlayId::of(number, sitting.sitting)).unwrap();
        assert_eq!(rows.len(), finished.lines as usize + 1, "sitting {}", sitting.sitting);
        assert_eq!(hex::encode(&rows.last().unwrap().hash), finished.head, "sitting {}", sitting.sitting);
    }
    journal
}

#[test]
fn an_event_goes_through_its_rounds_and_every_board_is_a_line_of_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    locked(folder.path(), &fields("individual", 4, 2, Pace::Rounds), 0, 6);
    let world = World::start(folder.path(), &[], false);
    let hall = world.hall();
    world.runtime.block_on(hall.start(1, "o1")).unwrap();
    world.complete(&hall);
    let journal = checked(&world.store);
    let competition = journal.competition();
    assert_eq!(competition.sittings().len(), 8);
    assert!(competition.sittings().iter().all(|at| competition.finished(at.sitting).is_some()));
    assert_eq!(hall.progress().rounds_over, [1, 2]);
    world.stop();
}

#[test]
fn a_restart_is_a_replay_of_the_journal_and_the_rounds_go_on() {
    let folder = tempfile::tempdir().unwrap();
    locked(folder.path(), &fields("human-ai", 6, 3, Pace::Own), 0, 4);
    let world = World::start(folder.path(), &[], false);
    let hall = world.hall();
    world.runtime.block_on(hall.start(1, "o1")).unwrap();
    world.wait(&hall, "no board is over", |_| hall.progress().over > 0);
    world.stop();
    for _ in 0..3 {
        let world = World::start(folder.path(), &[], false);
        let before = checked(&world.store).competition().sittings().len();
        let hall = world.hall();
        world.wait(&hall, "nothing goes on", |_| hall.progress().over > 0);
        assert!(before > 0);
        world.stop();
    }
    let world = World::start(folder.path(), &[], false);
    let hall = world.hall();
    world.complete(&hall);
    assert_eq!(checked(&world.store).competition().sittings().len(), 24);
    world.stop();
}

#[test]
fn after_the_bell_a_restart_does_not_make_the_round_unlimited() {
    let folder = tempfile::tempdir().unwrap();
    let limited = Fields {
        round_minutes: Some(10),
        auto_rounds: Some(false),
        late_s: Some(3600),
        ..fields("individual", 2, 2, Pace::Rounds)
    };
    locked(folder.path(), &limited, 3, 0);
    let world = World::start(folder.path(), &[], false);
    let hall = world.hall();
    world.runtime.block_on(hall.start(1, "o1")).unwrap();
    world.wait(&hall, "the round has no clock", |_| hall.progress().round_left_ms.is_some());
    let left = hall.progress().round_left_ms.unwrap();
    assert!((590_000..=600_000).contains(&left), "{left}");
    world.stop();
    // Of ten minutes nine are over when the server comes back; the time between is nobody's.
    let world = World::start(folder.path(), &[], false);
    world.store.keep_event_clock(ID, 9 * 60_000_000).unwrap();
    let hall = world.hall();
    world.runtime.block_on(hall.pause(true, "r1"));
    world.wait(&hall, "nothing stands", |_| hall.progress().paused);
    let left = hall.progress().round_left_ms.unwrap();
    assert!(left <= 61_000, "{left}");
    world.stop();
    let world = World::start(folder.path(), &[], false);
    let hall = world.hall();
    assert!(hall.progress().paused, "the pause is a line of the journal");
    world.store.keep_event_clock(ID, 20 * 60_000_000).unwrap();
    world.runtime.block_on(hall.pause(false, "r1"));
    world.stop();
    // The bell rings at once, and only once.
    for _ in 0..2 {
        let world = World::start(folder.path(), &[], false);
        world.store.keep_event_clock(ID, 30 * 60_000_000).unwrap();
        let hall = world.hall();
        world.complete(&hall);
        assert_eq!(hall.progress().round_left_ms, None);
        assert_eq!(hall.progress().unfinished, hall.progress().plays);
        let journal = checked(&world.store);
        let sittings = journal.competition().sittings();
        assert!(sittings.iter().all(|at| journal.competition().unplayed(at.sitting)));
        world.stop();
    }
}

#[test]
fn a_table_that_a_referee_has_stopped_stays_so_when_everything_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    locked(folder.path(), &fields("individual", 4, 4, Pace::Rounds), 6, 0);
    let world = World::start(folder.path(), &[], false);
    let hall = world.hall();
    world.runtime.block_on(hall.start(1, "o1")).unwrap();
    world.wait(&hall, "the tables do not open", |world| {
        world.runtime.block_on(hall.floor()).iter().filter(|at| at.handle.is_some()).count() == 2
    });
    let running = |world: &World, hall: &HallHandle, table: u32| {
        let floor = world.runtime.block_on(hall.floor());
        let handle = floor.into_iter().find(|at| at.table == table).and_then(|at| at.handle);
        handle.and_then(|handle| world.runtime.block_on(handle.look())).is_some_and(|table| table.running)
    };
    world.wait(&hall, "the clocks do not run", |world| running(world, &hall, 1) && running(world, &hall, 2));
    let stopped = world.runtime.block_on(hall.order(1, TableOrder::Stop, "r1")).unwrap();
    assert!(matches!(stopped, Answer::Accepted(_)));
    for _ in 0..2 {
        world.runtime.block_on(hall.pause(true, "r1"));
        world.wait(&hall, "a table goes on", |world| !running(world, &hall, 1) && !running(world, &hall, 2));
        world.runtime.block_on(hall.pause(false, "r1"));
        world.wait(&hall, "a table stands", |world| running(world, &hall, 2));
        assert!(!running(&world, &hall, 1), "the referee's stop is not lifted with the pause");
    }
    // Whatever was under way: the last word counts, after a restart as well.
    for paused in [true, false, true, false] {
        world.runtime.block_on(hall.pause(paused, "r1"));
    }
    world.wait(&hall, "a table stands", |world| running(world, &hall, 2));
    world.runtime.block_on(hall.pause(true, "r1"));
    world.stop();
    let world = World::start(folder.path(), &[], false);
    let hall = world.hall();
    world.wait(&hall, "the tables do not open", |world| {
        world.runtime.block_on(hall.floor()).iter().filter(|at| at.handle.is_some()).count() == 2
    });
    assert!(!running(&world, &hall, 2), "everything stands after the restart");
    world.runtime.block_on(hall.pause(false, "r1"));
    world.wait(&hall, "a table stands", |world| running(world, &hall, 2));
    assert!(!running(&world, &hall, 1));
    world.stop();
}

#[test]
fn a_table_that_was_lost_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    locked(folder.path(), &fields("individual", 2, 2, Pace::Rounds), 0, 6);
    let world = World::start(folder.path(), &[1], false);
    let hall = world.hall();
    world.runtime.block_on(hall.start(1, "o1")).unwrap();
    world.complete(&hall);
    assert_eq!(world.ledger.lost.load(Ordering::SeqCst), 1);
    let progress = hall.progress();
    assert_eq!((progress.over, progress.unfinished), (4, 0), "{progress:?}");
    checked(&world.store);
    world.stop();
}

#[test]
fn a_board_whose_table_is_always_lost_counts_as_not_played_and_its_station_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    locked(folder.path(), &fields("individual", 4, 2, Pace::Rounds), 0, 6);
    let world = World::start(folder.path(), &[1], true);
    let hall = world.hall();
    world.runtime.block_on(hall.start(1, "o1")).unwrap();
    world.complete(&hall);
    let progress = hall.progress();
    assert_eq!((progress.over, progress.unfinished), (8, 1), "{progress:?}");
    assert_eq!(hall.watch.borrow().damaged.len(), 1);
    let journal = checked(&world.store);
    assert!(journal.competition().finished(1).unwrap().scores.is_empty());
    world.stop();
}

#[test]
fn a_line_that_does_not_follow_the_last_one_is_refused_and_the_log_recovers() {
    let folder = tempfile::tempdir().unwrap();
    locked(folder.path(), &fields("individual", 2, 2, Pace::Rounds), 3, 0);
    let world = World::start(folder.path(), &[], false);
    // Two logs of one event: what two servers on one database would be.
    let ports = |world: &World| Ports {
        archive: world.store.clone(),
        ledger: world.ledger.clone(),
        wall: Arc::new(|| AT + 2_000_000),
    };
    let one = EventLogs::new(ports(&world), Arc::new(OnlyOwner)).open(ID).unwrap();
    let other = EventLogs::new(ports(&world), Arc::new(OnlyOwner)).open(ID).unwrap();
    one.append_durably(Author::Server, Fact::Pause(true), EventWrite::default()).unwrap();
    let refused = other.append_durably(Author::Server, Fact::Pause(true), EventWrite::default()).unwrap_err();
    assert!(matches!(refused, LogError::Ledger(LedgerError::Failed(_))), "{refused}");
    assert!(other.is_stale());
    let before = world.store.event_lines(ID, 0).unwrap();
    // It reads what the other one has written, and goes on from there.
    let refused = other.append_durably(Author::Server, Fact::Pause(true), EventWrite::default()).unwrap_err();
    assert!(matches!(refused, LogError::Refused(_)), "{refused}");
    assert_eq!(world.store.event_lines(ID, 0).unwrap(), before);
    other.append_durably(Author::Server, Fact::Pause(false), EventWrite::default()).unwrap();
    assert_eq!(world.store.event_length(ID).unwrap(), before.len() as u64 + 1);
    checked(&world.store);
    world.stop();
}
