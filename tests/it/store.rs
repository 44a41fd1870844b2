//! The store: what is acknowledged is durable, what proves something cannot be changed, and one job is all or nothing.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use fushi::canonical::Hash;
use fushi::canonical::link;
use fushi::event::EventState;
use fushi::event::archive::{
    AnnouncementRow, AuditRow, CheckpointRow, EntrantRow, EntryRow, EventRow, NewEvent, NewPlay, PlayId,
};
use fushi::store::{Store, StoreError};

fn url(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

fn audit(act: &str) -> AuditRow {
    AuditRow {
        event_id: Some("e".to_owned()),
        at_us: 7,
        who: "tester".to_owned(),
        act: act.to_owned(),
        reason: "because".to_owned(),
        details: "{}".to_owned(),
    }
}

fn new_event() -> NewEvent {
    NewEvent {
        event: EventRow {
            id: "e".to_owned(),
            game: "wakeng".to_owned(),
            settings: "{}".to_owned(),
            state: EventState::Draft,
            created_us: 5,
            one_account: false,
        },
        entrants: (1..=3)
            .map(|position| EntrantRow {
                event_id: "e".to_owned(),
                id: format!("p{position}"),
                position,
                name: "同名".to_owned(),
                level: (position == 3).then(|| "random".to_owned()),
                club: None,
                region: None,
            })
            .collect(),
        sealed_keys: vec![("master".to_owned(), vec![1, 2, 3])],
    }
}

fn play(number: i64, table: i64) -> NewPlay {
    NewPlay {
        set_id: "main".to_owned(),
        number,
        round: 1,
        table_number: table,
        seating: "{\"A\":\"p1\"}".to_owned(),
    }
}

/// A store with an event of one board at `tables` tables.
fn prepared(path: &Path, tables: i64) -> (Store, Vec<PlayId>) {
    let store = Store::open(&url(path)).unwrap();
    store.writer().create_event(new_event(), audit("create")).unwrap().wait().unwrap();
    let plays = (1..=tables).map(|table| play(1, table)).collect();
    let ids = store.writer().add_plays("e", plays).unwrap().wait().unwrap();
    (store, ids)
}

fn entry(play: PlayId, seq: i64) -> EntryRow {
    EntryRow::new(play, seq, seq * 10, format!("{{\"n\":{seq}}}"), [3; 32])
}

#[test]
fn every_row_comes_back_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b 复式.sqlite");
    let (store, ids) = prepared(&path, 2);
    let writer = store.writer();
    let announcement = AnnouncementRow {
        event_id: "e".to_owned(),
        body: "{\"a\":1}".to_owned(),
        hash: vec![9; 32],
        delayed: None,
        published_us: 11,
    };
    let checkpoint =
        CheckpointRow { event_id: "e".to_owned(), number: 1, body: "{}".to_owned(), signature: vec![4; 64] };
    writer.announce(announcement.clone(), audit("announce")).unwrap().wait().unwrap();
    writer.set_delayed("e", "tomorrow's index".to_owned(), audit("delayed")).unwrap().wait().unwrap();
    writer.append(vec![entry(ids[0], 0), entry(ids[0], 1), entry(ids[1], 0)]).unwrap().wait().unwrap();
    writer.add_checkpoint(checkpoint.clone()).unwrap().wait().unwrap();
    writer.audit(audit("read key")).unwrap().wait().unwrap();
    drop(store);

    let store = Store::open(&url(&path)).unwrap();
    let new = new_event();
    assert_eq!(store.events().unwrap(), ["e"]);
    assert_eq!(store.event("e").unwrap(), EventRow { state: EventState::Announced, ..new.event });
    assert_eq!(store.entrants("e").unwrap(), new.entrants);
    assert_eq!(store.sealed_key("e", "master").unwrap(), [1, 2, 3]);
    let delayed = Some("tomorrow's index".to_owned());
    assert_eq!(store.announcement("e").unwrap(), Some(AnnouncementRow { delayed, ..announcement }));
    let plays = store.plays("e").unwrap();
    assert_eq!(plays.iter().map(|row| row.id).collect::<Vec<_>>(), ids);
    assert_eq!(plays[1].play, play(1, 2));
    assert_eq!(store.journal(ids[0]).unwrap(), [entry(ids[0], 0), entry(ids[0], 1)]);
    assert_eq!(store.checkpoints("e").unwrap(), [checkpoint]);
    let acts: Vec<String> = store.audit_log("e").unwrap().into_iter().map(|row| row.act).collect();
    assert_eq!(acts, ["create", "announce", "delayed", "read key"]);
    assert!(matches!(store.event("x"), Err(StoreError::Missing(_))));
    assert!(matches!(store.sealed_key("e", "ai"), Err(StoreError::Missing(_))));
}

#[test]
fn an_unknown_scheme_creates_no_file_and_another_programs_file_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| folder.path().join(name);
    for bad in ["sqlte", "postgres", "file", "mysql"] {
        assert!(Store::open(&format!("{bad}:{}", inside("x").display())).is_err());
    }
    assert!(Store::open(&inside("x").display().to_string()).is_err());
    let error = Store::open(&url(&inside("no/such/folder.sqlite"))).unwrap_err();
    assert!(error.to_string().contains("no folder"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    std::fs::write(inside("text"), "this is a text and by no means a database, however long it may be\n")
        .unwrap();
    let before = std::fs::read(inside("text")).unwrap();
    let error = Store::open(&url(&inside("text"))).unwrap_err();
    assert!(matches!(error, StoreError::Open { .. }), "{error}");
    assert_eq!(std::fs::read(inside("text")).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);

    let raw = |name: &str| SqliteConnection::establish(inside(name).to_str().unwrap()).unwrap();
    raw("other").batch_execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)").unwrap();
    let before = std::fs::read(inside("other")).unwrap();
    assert_eq!(Store::open(&url(&inside("other"))).unwrap_err(), StoreError::NotOurs(inside("other")));
    assert_eq!(std::fs::read(inside("other")).unwrap(), before);

    drop(Store::open(&url(&inside("newer"))).unwrap());
    raw("newer")
        .batch_execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('29990101000000')")
        .unwrap();
    assert!(matches!(Store::open(&url(&inside("newer"))), Err(StoreError::TooNew { .. })));
}

#[test]
fn a_second_entry_of_the_same_number_is_refused_and_takes_its_job_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (store, ids) = prepared(&folder.path().join("db"), 1);
    store.writer().append(vec![entry(ids[0], 0)]).unwrap().wait().unwrap();
    let error = store.writer().append(vec![entry(ids[0], 1), entry(ids[0], 0)]).unwrap().wait().unwrap_err();
    assert_eq!(error, StoreError::Exists("entry 0 of journal 1".to_owned()));
    assert_eq!(store.journal(ids[0]).unwrap().len(), 1, "entry 1 must be gone with its job");
    let error = store.writer().append(vec![entry(PlayId(99), 0)]).unwrap().wait().unwrap_err();
    assert!(matches!(error, StoreError::Database(_)), "a journal belongs to a play: {error}");
}

#[test]
fn a_failing_job_does_not_take_its_neighbours_in_the_group_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (store, ids) = prepared(&folder.path().join("db"), 1);
    let mut answers = Vec::new();
    for seq in 0..300 {
        answers.push(store.writer().append(vec![entry(ids[0], seq)]).unwrap());
        answers.push(store.writer().append(vec![entry(ids[0], seq)]).unwrap());
    }
    let refused = answers.into_iter().map(fushi::store::Pending::wait).filter(Result::is_err).count();
    assert_eq!(refused, 300);
    assert_eq!(store.journal(ids[0]).unwrap().len(), 300);
}

#[test]
fn what_proves_something_is_append_only_for_any_program_that_opens_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let (store, ids) = prepared(&path, 1);
    let writer = store.writer();
    writer.append(vec![entry(ids[0], 0)]).unwrap().wait().unwrap();
    drop(store);
    let mut raw = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    for statement in [
        "UPDATE journal SET body = 'x'",
        "DELETE FROM journal",
        "UPDATE plays SET seating = 'x'",
        "DELETE FROM plays",
        "UPDATE sealed_keys SET sealed = x'00'",
        "DELETE FROM sealed_keys",
        "UPDATE audit SET who = 'x'",
        "DELETE FROM audit",
    ] {
        let error = raw.batch_execute(statement).unwrap_err().to_string();
        assert!(error.contains("append-only"), "{statement}: {error}");
    }
    assert!(
        raw.batch_execute("INSERT INTO journal VALUES (1, 1, 'soon', 'x', zeroblob(32))").is_err(),
        "STRICT"
    );
    assert!(
        raw.batch_execute("INSERT INTO journal VALUES (1, 1, 1, 'x', zeroblob(31))").is_err(),
        "hash length"
    );
}

#[test]
fn a_full_queue_answers_busy_and_every_accepted_job_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let (store, ids) = prepared(&folder.path().join("db"), 1);
    let (sender, receiver) = channel();
    let (mut accepted, mut busy) = (0, 0);
    for seq in 0..30_000 {
        let sender = sender.clone();
        match store.writer().try_append(vec![entry(ids[0], seq)], move |result| sender.send(result).unwrap())
        {
            Ok(()) => accepted += 1,
            Err(error) => {
                assert_eq!(error, StoreError::Busy);
                busy += 1;
            }
        }
    }
    drop(sender);
    assert!(busy > 0, "the queue is bounded");
    assert_eq!(receiver.iter().map(Result::unwrap).count(), accepted);
    assert_eq!(store.journal(ids[0]).unwrap().len(), accepted);
}

#[test]
fn two_programs_may_write_one_file_and_only_one_gets_each_entry() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let (one, ids) = prepared(&path, 1);
    let two = Store::open(&url(&path)).unwrap();
    let mut won = 0;
    for seq in 0..50 {
        let first = one.writer().append(vec![entry(ids[0], seq)]).unwrap();
        let second = two.writer().append(vec![entry(ids[0], seq)]).unwrap();
        won += usize::from(first.wait().is_ok()) + usize::from(second.wait().is_ok());
    }
    assert_eq!(won, 50);
    assert_eq!(one.journal(ids[0]).unwrap(), two.journal(ids[0]).unwrap());
}

/// Not a test by itself (it ends at once unless the next test starts it): the process that is killed. Appends to eight chained journals at once and prints
/// `play seq` once an entry is acknowledged.
#[test]
fn appending_process() {
    let Ok(path) = std::env::var("FUSHI_TEST_APPEND_TO") else { return };
    let store = Store::open(&url(Path::new(&path))).unwrap();
    let plays: Vec<PlayId> = store.plays("e").unwrap().iter().map(|row| row.id).collect();
    std::thread::scope(|scope| {
        for play in plays {
            let store = &store;
            scope.spawn(move || {
                let journal = store.journal(play).unwrap();
                let mut chain: Hash =
                    journal.last().map_or([0; 32], |last| last.hash.clone().try_into().unwrap());
                for seq in i64::try_from(journal.len()).unwrap().. {
                    let body = format!("{{\"play\":{},\"seq\":{seq}}}", play.0);
                    chain = link(&chain, body.as_bytes());
                    let row = EntryRow::new(play, seq, seq, body, chain);
                    store.writer().append(vec![row]).unwrap().wait().unwrap();
                    let mut out = std::io::stdout().lock();
                    writeln!(out, "ack {} {seq}", play.0).unwrap();
                    out.flush().unwrap();
                }
            });
        }
    });
}

#[test]
fn acknowledged_entries_survive_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let (store, ids) = prepared(&path, 8);
    drop(store);
    let mut acknowledged: BTreeMap<i64, i64> = BTreeMap::new();
    for kill in 0..20 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["store::appending_process", "--exact", "--nocapture", "--test-threads=1"])
            .env("FUSHI_TEST_APPEND_TO", &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let reader = std::thread::spawn(move || {
            let mut last = BTreeMap::new();
            // A line that the kill cut in two is no acknowledgement.
            for line in output.lines().map_while(Result::ok) {
                let mut words = line.split(' ').skip_while(|word| !word.ends_with("ack")).skip(1);
                if let (Some(Ok(play)), Some(Ok(seq))) =
                    (words.next().map(str::parse::<i64>), words.next().map(str::parse::<i64>))
                {
                    last.insert(play, seq);
                }
            }
            last
        });
        std::thread::sleep(Duration::from_millis(40 + 17 * (kill * 7 % 11)));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(reader.join().unwrap());
    }
    let store = Store::open(&url(&path)).unwrap();
    assert!(acknowledged.values().sum::<i64>() > 100, "too little was written to prove anything");
    for play in ids {
        let journal = store.journal(play).unwrap();
        let mut chain: Hash = [0; 32];
        for (seq, row) in journal.iter().enumerate() {
            assert_eq!(usize::try_from(row.seq).unwrap(), seq, "a gap in journal {play:?}");
            chain = link(&chain, row.body.as_bytes());
            assert_eq!(row.hash, chain, "the chain of journal {play:?} breaks at {seq}");
        }
        let last = acknowledged.get(&play.0).copied().unwrap_or(-1);
        assert!(i64::try_from(journal.len()).unwrap() > last, "journal {play:?} has lost entry {last}");
    }
}

#[test]
fn lines_of_an_event_follow_one_another_and_stay_as_they_are() {
    use fushi::event::archive::{EventLineRow, WordsRow};
    use fushi::event::ledger::{EventWrite, LedgerError};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let store = Store::open(&url(&path)).unwrap();
    store.writer().create_event(new_event(), audit("create")).unwrap().wait().unwrap();
    let line = |seq: i64| EventLineRow {
        seq,
        at_us: seq * 10,
        wall_us: 1_800_000_000_000_000 + seq,
        body: format!("{{\"seq\":{seq}}}"),
        hash: vec![9; 32],
    };
    let write = |event: &str, seqs: &[i64]| {
        let (done, answer) = channel();
        let words = vec![WordsRow { hash: vec![7; 32], words: "what somebody said".to_owned() }];
        let lines = seqs.iter().map(|seq| line(*seq)).collect();
        let write = EventWrite { event: event.to_owned(), lines, words, ..EventWrite::default() };
        fushi::event::ledger::Ledger::write(
            &store,
            write.into(),
            Box::new(move |result| done.send(result).unwrap()),
        )
        .unwrap();
        answer.recv().unwrap()
    };
    write("e", &[1, 2]).unwrap();
    for refused in [&[2][..], &[4], &[3, 5], &[1]] {
        assert!(matches!(write("e", refused), Err(LedgerError::Failed(_))), "{refused:?}");
    }
    assert!(matches!(write("nobody's", &[1]), Err(LedgerError::Failed(_))));
    write("e", &[3]).unwrap();
    assert_eq!(store.event_lines("e", 1).unwrap(), [line(2), line(3)]);
    assert_eq!((store.event_length("e").unwrap(), store.event_length("nobody's").unwrap()), (3, 0));
    let words = [7; 32];
    assert_eq!(store.words(&words).unwrap().as_deref(), Some("what somebody said"));
    store.writer().erase_words(&words, audit("erase")).unwrap().wait().unwrap();
    assert_eq!(store.words(&words).unwrap(), None);
    assert_eq!(store.event_lines("e", 0).unwrap().len(), 3, "the chain stays");
    drop(store);
    let mut raw = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    for statement in ["UPDATE event_journal SET body = 'x'", "DELETE FROM event_journal"] {
        let error = raw.batch_execute(statement).unwrap_err().to_string();
        assert!(error.contains("append-only"), "{statement}: {error}");
    }
}
