//! The task of a live table against a ledger that takes its time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fushi::chance::Chance;
use fushi::desk::archive::PlayId;
use fushi::games::wakeng::Wakeng;
use fushi::games::{Game, Seat, rulesets};
use fushi::journal::{By, Header, Note, NoteKind};
use fushi::players::AiKey;
use fushi::tables::ledger::{Done, Given, Ledger, LedgerError, Write};
use fushi::tables::task::{self, Brains, Command, Deps, Handle, Sink};
use fushi::tables::{Answer, CommandId, Kind, Table, TableSettings};
use fushi::words::Lang;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::timeout;

/// Writes lie here until the test lets them become durable.
#[derive(Default)]
struct Slow(Mutex<Vec<Done>>);

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
    fn write(&self, _: Write, done: Done) -> Result<(), LedgerError> {
        self.0.lock().unwrap().push(done);
        Ok(())
    }

    fn answers(&self, _: PlayId) -> Result<Vec<Given>, LedgerError> {
        Ok(Vec::new())
    }
}

fn table(ledger: &Arc<Slow>) -> Handle {
    let rules = rulesets::shipped::<Wakeng>("wakeng-bomb").unwrap();
    let mut order = Wakeng::PACK.cards();
    Chance::of("task", b"1").shuffle(&mut order);
    let start = Wakeng::deal(&rules, 1, &order);
    let header = Header::<Wakeng>::new("s1/1", rules, start);
    let settings = TableSettings { grace_ms: 0, opened_us: 1_800_000_000_000_000 };
    let opened = Table::open(header, PlayId(7), vec![Kind::Person; 3], settings);
    let brains = Brains {
        levels: vec![None; 3],
        key: Arc::new(AiKey::new([1; 32])),
        number: 1,
        delay: Duration::ZERO,
    };
    let ledger: Arc<dyn Ledger> = Arc::clone(ledger) as Arc<dyn Ledger>;
    let deps = Deps { ledger, thinkers: Arc::new(Semaphore::new(1)), counters: Arc::default() };
    let (over, _) = mpsc::unbounded_channel();
    task::start(opened, brains, deps, PlayId(7), over)
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
    let note = Note { who: Some("r1".to_owned()), ..Note::new(NoteKind::End, By::Referee) };
    assert!(handle.send(Command::Note { note, answer }));
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
