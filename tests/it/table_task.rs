//! The task of a live table against a ledger that takes its time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fushi::event::archive::PlayId;
use fushi::event::ledger::{Done, Given, Incident, Ledger, LedgerError, RefereeCall, Write};
use fushi::games::wakeng::Wakeng;
use fushi::games::{Game, Seat, deal_board, rulesets};
use fushi::journal::{By, ControlEntry, ControlKind, Header};
use fushi::players::AiKey;
use fushi::rng::GameRng;
use fushi::tables::task::{self, AiSeats, Command, Counters, Deps, Handle, RESUME_MAX, Sink, Wall};
use fushi::tables::{Answer, Answered, CALL, CALLS_MAX, CommandId, SeatController, Table, TableSettings};
use fushi::words::Lang;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::timeout;

/// Writes lie here until the test lets them become durable.
#[derive(Default)]
struct Slow(Mutex<Vec<Done>>, Mutex<Vec<Given>>);

impl Slow {
    fn durable(&self) -> usize {
        let waiting = std::mem::take(&mut *self.0.lock().unwrap());
        let count = waiting.len();
        for done in waiting {
            done(Ok(()));
        }
        count
    }
}

impl Ledger for Slow {
    fn write(&self, write: Write, done: Done) -> Result<(), LedgerError> {
        self.1.lock().unwrap().extend(write.given);
        self.0.lock().unwrap().push(done);
        Ok(())
    }

    fn keep_incidents(&self, _: &str, _: Vec<Incident>, done: Done) -> Result<(), LedgerError> {
        done(Ok(()));
        Ok(())
    }

    fn answer(&self, _: PlayId, _: Seat, _: &CommandId) -> Result<Option<Answered>, LedgerError> {
        Ok(None)
    }

    fn answers(&self, _: PlayId) -> Result<Vec<Given>, LedgerError> {
        Ok(Vec::new())
    }

    fn calls(&self, _: &str) -> Result<Vec<RefereeCall>, LedgerError> {
        Ok(Vec::new())
    }
}

fn table(ledger: &Arc<Slow>) -> Handle {
    counted(ledger).0
}

fn counted(ledger: &Arc<Slow>) -> (Handle, Arc<Counters>) {
    let rules = rulesets::shipped::<Wakeng>("wakeng-bomb").unwrap();
    let mut order = Wakeng::PACK.cards();
    GameRng::of("task", b"1").shuffle(&mut order);
    let start = deal_board::<Wakeng>(&rules, 1, &order).unwrap();
    let header = Header::<Wakeng>::new("s1/1", rules, start);
    let settings = TableSettings { grace_ms: 0, opened_us: 1_800_000_000_000_000 };
    let opened = Table::open(header, PlayId(7), vec![SeatController::Person; 3], settings);
    let brains = AiSeats {
        levels: vec![None; 3],
        key: Arc::new(AiKey::new([1; 32])),
        number: 1,
        delay: Duration::ZERO,
    };
    let ledger: Arc<dyn Ledger> = Arc::clone(ledger) as Arc<dyn Ledger>;
    let counters: Arc<Counters> = Arc::default();
    let (thinkers, lookups) = (Arc::new(Semaphore::new(1)), Arc::new(Semaphore::new(1)));
    let wall: Wall = Arc::new(|| 1_800_000_000_000_000);
    let deps = Deps { ledger, thinkers, lookups, counters: Arc::clone(&counters), wall };
    let (over, _) = mpsc::unbounded_channel();
    (task::start(opened, brains, deps, PlayId(7), over), counters)
}

/// Lets the next write become durable, once the table has handed it over.
async fn durable(ledger: &Slow) {
    while ledger.durable() == 0 {
        tokio::task::yield_now().await;
    }
}

async fn silent(messages: &mut mpsc::Receiver<String>) -> bool {
    timeout(Duration::from_millis(60), messages.recv()).await.is_err()
}

/// R1: whoever sits down before the board's first line is durable sees no card until it is. A server that is killed
/// in between deals nothing that anybody has seen.
#[tokio::test]
async fn no_card_is_shown_before_the_first_line_is_durable() {
    let ledger = Arc::new(Slow::default());
    let handle = table(&ledger);
    let (sink, mut messages, _slow) = Sink::new(Lang::En);
    assert!(handle.send(Command::Attach { seat: Seat(0), sink, from: None }));
    assert!(handle.send(Command::Legal { seat: Seat(0) }));
    // The table has seen both.
    assert_eq!(handle.look().await.unwrap().lines, 0);
    assert!(silent(&mut messages).await, "something was told before it was durable");
    assert_eq!(ledger.durable(), 1);
    let first = messages.recv().await.unwrap();
    assert!(first.starts_with(r#"{"type":"snapshot","play":7,"n":0,"#), "{first}");
    assert!(first.contains("legal"), "{first}");
    assert!(silent(&mut messages).await, "the snapshot comes once");
    // Whoever comes later gets it at once.
    let (sink, mut messages, _slow) = Sink::new(Lang::En);
    assert!(handle.send(Command::Attach { seat: Seat(1), sink, from: Some(3) }));
    let first = messages.recv().await.unwrap();
    assert!(first.starts_with(r#"{"type":"snapshot","play":7,"n":0,"#), "{first}");
}

/// R3: a command that comes again just when its board ends gets the answer that it had, and what comes too late is
/// refused; nothing stays without an answer.
#[tokio::test]
async fn commands_behind_the_end_of_a_board_are_answered_as_they_were() {
    let ledger = Arc::new(Slow::default());
    let handle = table(&ledger);
    let (sink, mut messages, _slow) = Sink::new(Lang::En);
    assert!(handle.send(Command::Attach { seat: Seat(0), sink, from: None }));
    durable(&ledger).await;
    let call =
        |id: &str| Command::Call { seat: Seat(0), id: CommandId::read(id).unwrap(), words: String::new() };
    let mut about = async |id: &str| loop {
        let text = timeout(Duration::from_secs(5), messages.recv()).await.expect(id).unwrap();
        if text.contains(&format!("\"id\":\"{id}\"")) {
            return text;
        }
    };
    assert!(handle.send(call("c1")));
    durable(&ledger).await;
    let first = about("c1").await;
    assert!(first.contains("accepted"), "{first}");
    let (answer, ended) = oneshot::channel();
    let note =
        ControlEntry { who: Some("r1".to_owned()), ..ControlEntry::new(ControlKind::End, By::Referee) };
    assert!(handle.send(Command::Control { note, answer }));
    durable(&ledger).await;
    assert!(matches!(ended.await, Ok(Answer::Accepted(_))));
    // One is under way when the table is cleared; the others stand behind.
    for command in [call("c2"), Command::Close, call("c1"), call("c2"), call("c3")] {
        assert!(handle.send(command));
    }
    durable(&ledger).await;
    let under_way = about("c2").await;
    assert_eq!(about("c1").await, first);
    assert_eq!(about("c2").await, under_way);
    assert!(about("c3").await.contains("no_play"));
    handle.cleared().await;
    assert!(handle.gone() && !handle.send(call("c1")));
}

/// Makes a note of a referee durable.
async fn noted(handle: &Handle, ledger: &Slow, kind: ControlKind) {
    let (answer, done) = oneshot::channel();
    let note = ControlEntry { who: Some("r1".to_owned()), ..ControlEntry::new(kind, By::Referee) };
    assert!(handle.deliver(Command::Control { note, answer }).await);
    durable(ledger).await;
    assert!(matches!(done.await, Ok(Answer::Accepted(_))));
}

/// R8: who comes back far behind reads as fast as it can, and is let in: what it is told first fits into its queue. Who
/// has missed little gets every event.
#[tokio::test]
async fn who_comes_back_a_thousand_events_behind_is_let_in() {
    let ledger = Arc::new(Slow::default());
    let (handle, counters) = counted(&ledger);
    durable(&ledger).await;
    for _ in 0..600 {
        noted(&handle, &ledger, ControlKind::Look).await;
    }
    for (from, first, count) in [
        (0, r#"{"type":"snapshot","play":7,"n":600,"#, 1),
        (599 - RESUME_MAX, r#"{"type":"snapshot","play":7,"n":600,"#, 1),
        (600 - RESUME_MAX, r#"{"type":"event","play":7,"n":345,"#, RESUME_MAX),
        (600, "", 0),
    ] {
        let (sink, mut messages, _slow) = Sink::new(Lang::En);
        assert!(handle.deliver(Command::Attach { seat: Seat(0), sink, from: Some(from) }).await);
        assert_eq!(handle.look().await.unwrap().lines, 600);
        let mut heard = Vec::new();
        while let Ok(text) = messages.try_recv() {
            heard.push(text);
        }
        assert_eq!(heard.len(), count as usize, "{from}");
        assert!(heard.first().is_none_or(|text| text.starts_with(first)), "{from}: {heard:?}");
    }
    assert_eq!(counters.slow.load(std::sync::atomic::Ordering::Relaxed), 0, "nobody was dropped");
}

/// A connection that has ended is not one that does not read.
#[tokio::test]
async fn a_connection_that_has_gone_is_not_counted_as_slow() {
    let ledger = Arc::new(Slow::default());
    let (handle, counters) = counted(&ledger);
    let (sink, messages, _slow) = Sink::new(Lang::En);
    assert!(handle.send(Command::Attach { seat: Seat(0), sink, from: None }));
    drop(messages);
    durable(&ledger).await;
    noted(&handle, &ledger, ControlKind::Look).await;
    assert_eq!(handle.look().await.unwrap().lines, 1);
    assert_eq!(counters.slow.load(std::sync::atomic::Ordering::Relaxed), 0);
}

/// A seat calls the referee a few times at a board; further calls are refused with a reason and make no line. Nobody's
/// words push another's off the floor, and a call is listed once it is durable, by seat and id.
#[tokio::test]
async fn calls_are_few_and_nobodys_words_push_out_anothers() {
    let ledger = Arc::new(Slow::default());
    let handle = table(&ledger);
    let mut connections = Vec::new();
    for seat in [0, 1] {
        let (sink, messages, _slow) = Sink::new(Lang::En);
        assert!(handle.send(Command::Attach { seat: Seat(seat), sink, from: None }));
        connections.push(messages);
    }
    durable(&ledger).await;
    let call = |seat: u8, id: &str, words: &str| Command::Call {
        seat: Seat(seat),
        id: CommandId::read(id).unwrap(),
        words: words.to_owned(),
    };
    // The same id at two seats: two calls.
    assert!(handle.send(call(1, "c0", "the other looks into my hand")));
    assert_eq!(handle.look().await.unwrap().lines, 0, "nothing is told before it is durable");
    durable(&ledger).await;
    for number in 0..40 {
        assert!(handle.send(call(0, &format!("c{number}"), "now")));
        // The table has taken it.
        handle.look().await.unwrap();
        ledger.durable();
        handle.look().await.unwrap();
    }
    let glance = handle.look().await.unwrap();
    let given = ledger.1.lock().unwrap().clone();
    let kept = given.iter().filter(|one| matches!(one.answered.answer, Answer::Accepted(_)));
    let words: Vec<(u8, &str)> = kept.map(|one| (one.seat.0, one.text.strip_prefix(CALL).unwrap())).collect();
    let mut wanted = vec![(1, "the other looks into my hand")];
    wanted.extend([(0, "now"); CALLS_MAX]);
    assert_eq!(words, wanted);
    assert_eq!((glance.lines, glance.refused), (4, 37));
    let mut refused = 0;
    while let Ok(text) = connections[0].try_recv() {
        refused += usize::from(text.contains(r#""code":"called""#));
    }
    assert_eq!(refused, 37, "each is told why");
}
