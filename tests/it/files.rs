//! The files of a database, with real servers, real kills and real moves: what belongs together is never torn apart,
//! and nothing is acknowledged that nobody will find again.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use fushi::desk::people::People as _;
use fushi::event::live::Pace;
use fushi::store::Store;
use serde_json::json;

use crate::live::{fields, player, prepared, report};
use crate::server::{Client, Program, folder};
use crate::web_accounts::{PASSWORD, log_in};

pub fn url(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

pub fn fushi(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fushi")).args(args).output().unwrap()
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A command that must be refused; what it says.
fn refused(args: &[&str]) -> String {
    let output = fushi(args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
    said
}

/// A server that must not start; what it says.
fn no_server(database: &Path) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &url(database)])
        .env("RUST_LOG", "off")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    if !first.is_empty() {
        child.kill().unwrap();
        child.wait().unwrap();
        panic!("a server runs on {}: {first}", database.display());
    }
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{said}");
    said
}

fn beside(path: &Path, tail: &str) -> PathBuf {
    PathBuf::from(format!("{}{tail}", path.display()))
}

/// How many lines the journals of an event have.
fn lines(database: &Path) -> usize {
    let store = Store::open(&url(database)).unwrap();
    store.plays("live").unwrap().iter().map(|play| store.journal(play.id).unwrap().len()).sum()
}

/// A database that was played on after its backup was made, and whose server was killed: the database, the backup, and
/// how many actions were acknowledged after it.
fn killed(folder: &Path) -> (PathBuf, PathBuf, usize) {
    let (database, file) = prepared(folder, fields("human-ai", 2, 2, Pace::Own), 2);
    let copy = folder.join("copy.sqlite");
    assert!(fushi(&["backup", text(&copy), "--database", &url(&database)]).status.success());
    let mut server = Program::start(&database, &[]);
    let report = report(&player(&server.base, &file, &[]).output().unwrap());
    server.kill();
    (database, copy, usize::try_from(report["actions"].as_u64().unwrap()).unwrap())
}

#[test]
fn play_in_a_log_that_was_left_behind_outlives_every_command_that_makes_or_opens_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let (database, copy, acknowledged) = killed(folder.path());
    let (log, index) = (beside(&database, "-wal"), beside(&database, "-shm"));
    let before = fs::read(&log).unwrap();
    assert!(!before.is_empty() && acknowledged > 20, "{acknowledged}");
    let at = url(&database);
    // The database stands there: the message names everything that must be moved with it.
    let said = refused(&["restore", text(&copy), "--database", &at]);
    for file in [&database, &log, &index] {
        assert!(said.contains(text(file)), "{said}");
    }
    let away = folder.path().join("away.sqlite");
    fs::rename(&database, &away).unwrap();
    for said in [
        refused(&["restore", text(&copy), "--database", &at]),
        refused(&["backup", text(&database), "--database", &url(&copy)]),
        refused(&["backup", text(&folder.path().join("new.sqlite")), "--database", &at]),
        no_server(&database),
    ] {
        assert!(said.contains(text(&log)) && said.contains(text(&index)), "{said}");
        assert!(!database.exists(), "{said}");
    }
    // An empty file is no database that the log could belong to: SQLite would delete the log.
    fs::write(&database, "").unwrap();
    assert!(no_server(&database).contains(text(&log)));
    fs::remove_file(&database).unwrap();
    // A copy by hand is not the database that the log belongs to, however much it looks like it.
    fs::copy(&copy, &database).unwrap();
    assert!(no_server(&database).contains("do not belong"));
    assert!(
        refused(&["backup", text(&folder.path().join("new.sqlite")), "--database", &at])
            .contains("do not belong")
    );
    assert_eq!(fs::read(&database).unwrap(), fs::read(&copy).unwrap());
    fs::remove_file(&database).unwrap();
    assert_eq!(fs::read(&log).unwrap(), before, "the log is as the kill left it");
    // The right way out: all of them together.
    for tail in ["-wal", "-shm"] {
        fs::rename(beside(&database, tail), beside(&away, tail)).unwrap();
    }
    assert!(fushi(&["restore", text(&copy), "--database", &at]).status.success());
    assert!(lines(&away) >= acknowledged, "nothing that was acknowledged is lost");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".fushi")), "{left:?}");
}

#[test]
fn a_log_belongs_to_the_very_file_and_to_no_older_or_copied_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    let write = |store: &Store, count: usize| {
        for _ in 0..count {
            store.writer().append(Vec::new()).unwrap().wait().unwrap();
        }
    };
    let snapshot = |name: &str| {
        let at = folder.path().join(name);
        fs::copy(&path, &at).unwrap();
        fs::copy(beside(&path, "-wal"), beside(&at, "-wal")).unwrap();
        at
    };
    let store = Store::open(&url(&path)).unwrap();
    write(&store, 5);
    let young = snapshot("young.sqlite");
    // Everything goes into the file, and the log begins anew.
    store.settle().unwrap();
    write(&store, 3);
    let old = snapshot("old.sqlite");
    store.settle().unwrap();
    write(&store, 1);
    let new = snapshot("new.sqlite");
    drop(store);
    for whole in [&young, &old, &new] {
        drop(Store::open(&url(whole)).unwrap());
    }
    // The log of the newer one holds nothing of what lies between: it is refused, not played back.
    let (torn, log) = (folder.path().join("torn.sqlite"), folder.path().join("torn.sqlite-wal"));
    let store = Store::open(&url(&path)).unwrap();
    write(&store, 2);
    fs::copy(&young, &torn).unwrap();
    fs::copy(beside(&path, "-wal"), &log).unwrap();
    drop(store);
    let before = (fs::read(&torn).unwrap(), fs::read(&log).unwrap());
    let error = Store::open(&url(&torn)).unwrap_err().to_string();
    assert!(error.contains("do not belong") && error.contains("torn.sqlite-wal"), "{error}");
    assert_eq!((fs::read(&torn).unwrap(), fs::read(&log).unwrap()), before);
    // A log whose frames are not whole is nobody's: it changes nothing.
    fs::write(&log, &before.1[..100]).unwrap();
    drop(Store::open(&url(&torn)).unwrap());
}

/// After a kill the file is written elsewhere, as often as the log was: both have the same identity, and as many commits.
#[test]
fn a_log_is_never_played_back_into_a_fork_of_its_own_database() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| folder.path().join(name);
    let path = inside("a.sqlite");
    let write = |store: &Store, kind: &str, count: usize| {
        for number in 1..=count {
            store.set_server_value(&format!("{kind}{number}"), "acknowledged").unwrap();
        }
    };
    let has = |at: &Path, kind: &str, count: usize| {
        let store = Store::open(&url(at)).unwrap();
        (1..=count).filter(|number| store.server_value(&format!("{kind}{number}")).unwrap().is_some()).count()
    };
    let store = Store::open(&url(&path)).unwrap();
    write(&store, "early", 5);
    store.settle().unwrap();
    write(&store, "late", 30);
    let (main, log) = (fs::read(&path).unwrap(), fs::read(beside(&path, "-wal")).unwrap());
    drop(store);
    for forked in [1, 5, 20, 28, 29, 30, 31, 60] {
        let fork = inside(&format!("fork{forked}.sqlite"));
        fs::write(&fork, &main).unwrap();
        write(&Store::open(&url(&fork)).unwrap(), "forked", forked);
        assert!(!beside(&fork, "-wal").exists(), "the fork is one file");
        let changed = fs::read(&fork).unwrap();
        // Moved back beside the log of the other one.
        let back = inside(&format!("back{forked}.sqlite"));
        fs::rename(&fork, &back).unwrap();
        fs::write(beside(&back, "-wal"), &log).unwrap();
        let said = Store::open(&url(&back)).unwrap_err().to_string();
        assert!(said.contains("do not belong") && said.contains(text(&beside(&back, "-wal"))), "{said}");
        assert!(said.contains("another state"), "{said}");
        assert!(no_server(&back).contains("do not belong"), "{forked}");
        assert_eq!(
            (fs::read(&back).unwrap(), fs::read(beside(&back, "-wal")).unwrap()),
            (changed, log.clone())
        );
        // The fork is whole without it, and so is the other one with its log.
        fs::rename(beside(&back, "-wal"), inside("kept-wal")).unwrap();
        assert_eq!(
            (has(&back, "early", 5), has(&back, "forked", forked), has(&back, "late", 30)),
            (5, forked, 0)
        );
        let first = inside(&format!("first{forked}.sqlite"));
        fs::write(&first, &main).unwrap();
        fs::rename(inside("kept-wal"), beside(&first, "-wal")).unwrap();
        assert_eq!(
            (has(&first, "early", 5), has(&first, "forked", forked), has(&first, "late", 30)),
            (5, 0, 30)
        );
    }
    // A file that was only opened elsewhere, and not written, goes on with its log.
    let opened = inside("opened.sqlite");
    fs::write(&opened, &main).unwrap();
    drop(Store::open(&url(&opened)).unwrap());
    fs::write(beside(&opened, "-wal"), &log).unwrap();
    assert_eq!(has(&opened, "late", 30), 30);
}

/// Every file of a folder but the server's log, byte for byte.
fn everything(folder: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|one| one.unwrap())
        .filter(|one| one.file_name() != "log")
        .map(|one| (one.file_name().to_string_lossy().into_owned(), fs::read(one.path()).unwrap()))
        .collect()
}

#[test]
fn what_refuses_to_start_has_changed_nothing() {
    let (folder, path) = folder();
    let key = beside(&path, ".key");
    let (mut server, client) = with_chief(&path, &folder.path().join("log"));
    let chief = log_in(&client, "chief");
    for _ in 0..20 {
        chief.post("/api/v1/events", &json!({"game": "wakeng", "title": "t"})).ok();
    }
    server.kill();
    let unchanged = |words: &str, said: &dyn Fn() -> String| {
        let before = everything(folder.path());
        let said = said();
        assert!(said.contains(words), "{said}");
        let after = everything(folder.path());
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>(), "{words}");
        assert!(before == after, "a file has changed: {words}");
    };
    // The newest writes are in the log.
    let bytes = fs::read(&key).unwrap();
    fs::write(&key, [7; 32]).unwrap();
    unchanged("belongs to another database", &|| no_server(&path));
    fs::remove_file(&key).unwrap();
    unchanged("is missing", &|| no_server(&path));
    let moved = folder.path().join("moved.sqlite");
    fs::rename(&path, &moved).unwrap();
    unchanged("is missing", &|| no_server(&moved));
    fs::write(beside(&moved, ".key"), [7; 32]).unwrap();
    unchanged("belongs to another database", &|| no_server(&moved));
    fs::remove_file(beside(&moved, ".key")).unwrap();
    fs::rename(&moved, &path).unwrap();
    fs::write(&key, bytes).unwrap();
    let mut server = Program::start(&path, &[]);
    assert_eq!(server.setup, None);
    let chief = log_in(&Client::new(&server.base), "chief");
    let events = chief.get("/api/v1/events?limit=500").ok();
    assert_eq!(events["items"].as_array().unwrap().len(), 20, "everything that was acknowledged is there");
    server.terminate();
    // Files in which there is nothing, or nothing of ours, beside a key.
    let raw = |name: &str, sql: &str| {
        let at = folder.path().join(name);
        SqliteConnection::establish(text(&at)).unwrap().batch_execute(sql).unwrap();
        fs::write(beside(&at, ".key"), [7; 32]).unwrap();
        at
    };
    let empty = raw("empty.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE x (a); DROP TABLE x;");
    assert!(fs::metadata(&empty).unwrap().len() > 0);
    unchanged("belongs to a database", &|| no_server(&empty));
    let copy = folder.path().join("copy.sqlite");
    unchanged("not a fushi database", &|| refused(&["backup", text(&copy), "--database", &url(&empty)]));
    let other = raw("other.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE x (a);");
    unchanged("not a fushi database", &|| no_server(&other));
    // A newer version's.
    let mut newer = SqliteConnection::establish(text(&path)).unwrap();
    newer
        .batch_execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('29990101000000')")
        .unwrap();
    drop(newer);
    unchanged("newer version", &|| no_server(&path));
    unchanged("newer version", &|| refused(&["backup", text(&copy), "--database", &url(&path)]));
    unchanged(text(&path), &|| refused(&["restore", text(&path), "--database", &url(&copy)]));
    unchanged("newer version", &|| refused(&["restore", text(&path), "--database", &url(&copy)]));
    // What is no file at all is called what it is.
    unchanged("is a folder", &|| no_server(folder.path()));
    unchanged("is a folder", &|| refused(&["backup", text(&copy), "--database", &url(folder.path())]));
    #[cfg(unix)]
    assert!(no_server(Path::new("/dev/null")).contains("device"));
}

#[test]
fn a_file_without_its_log_is_still_the_database_that_it_is() {
    let (folder, path) = folder();
    let mut server = Program::start(&path, &[]);
    server.kill();
    let alone = folder.path().join("alone.sqlite");
    fs::copy(&path, &alone).unwrap();
    assert!(no_server(&alone).contains("is missing"), "from its first moment it has its own key");
    assert!(!beside(&alone, ".key").exists());
    let (mut server, _) = with_chief(&path, &folder.path().join("log"));
    server.kill();
    fs::copy(&path, &alone).unwrap();
    fs::copy(beside(&path, ".key"), beside(&alone, ".key")).unwrap();
    assert_eq!(Program::start(&alone, &[]).setup, None, "nobody is made chief organizer of it a second time");
}

#[test]
fn a_demonstration_leaves_the_log_of_another_database_alone() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("demo-t1.sqlite-wal");
    fs::write(&log, "the newest of what was played").unwrap();
    for more in [&[][..], &["--force"]] {
        let output = folder.path().to_str().unwrap();
        let args = ["demo", "--seed", "t1", "--entrants", "2", "--boards", "1", "--output", output];
        let said = refused(&[&args[..], more].concat());
        assert!(said.contains("demo-t1.sqlite-wal"), "{said}");
    }
    assert_eq!(fs::read_to_string(&log).unwrap(), "the newest of what was played");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_backup_takes_its_name_only_when_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (database, _, _) = killed(folder.path());
    // A copy by hand of a database whose server was killed is half of one: restore says so instead of losing the rest.
    let half = folder.path().join("half.sqlite");
    fs::copy(&database, &half).unwrap();
    fs::copy(beside(&database, "-wal"), beside(&half, "-wal")).unwrap();
    let new = folder.path().join("new.sqlite");
    let said = refused(&["restore", text(&half), "--database", &url(&new)]);
    assert!(said.contains("half.sqlite-wal") && said.contains("fushi backup"), "{said}");
    // As the message says: a backup has the rest.
    let whole = folder.path().join("whole.sqlite");
    assert!(fushi(&["backup", text(&whole), "--database", &url(&half)]).status.success());
    assert!(fushi(&["restore", text(&whole), "--database", &url(&new)]).status.success());
    assert_eq!(lines(&new), lines(&database));
    #[cfg(unix)]
    for file in [&whole, &new] {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

/// A running server with a chief organizer.
pub fn with_chief(database: &Path, log: &Path) -> (Program, Client) {
    let server = Program::start_logged(database, &[("RUST_LOG", "error".as_ref())], log);
    let client = Client::new(&server.base);
    let setup = server.setup.clone().unwrap();
    client
        .post(
            "/api/v1/setup",
            &json!({"token": setup, "name": "chief", "display": "C", "password": PASSWORD}),
        )
        .ok();
    (server, client)
}

#[cfg(unix)]
#[test]
fn nothing_is_acknowledged_once_the_database_is_moved_deleted_or_replaced() {
    type Away = fn(&Path, &Path);
    let ways: [(&str, Away); 5] = [
        ("moved", |path, away| fs::rename(path, away).unwrap()),
        ("deleted", |path, _| fs::remove_file(path).unwrap()),
        ("replaced", |path, away| {
            fs::copy(path, away).unwrap();
            fs::rename(away, path).unwrap();
        }),
        ("log", |path, away| fs::rename(beside(path, "-wal"), away).unwrap()),
        // The next start would look for the log beside the file that the link leads to.
        ("link", |path, away| {
            fs::rename(path, away).unwrap();
            std::os::unix::fs::symlink(away, path).unwrap();
        }),
    ];
    for (name, away) in ways {
        let (folder, path) = folder();
        let log = folder.path().join("log");
        let (mut server, client) = with_chief(&path, &log);
        assert_eq!(client.get("/readyz").status, 200, "{name}");
        let chief = log_in(&client, "chief");
        away(&path, &folder.path().join("away.sqlite"));
        let account = json!({"name": "ref1", "display": "R", "password": PASSWORD, "grants": []});
        assert_eq!(chief.post("/api/v1/accounts", &account).code(), "busy", "{name}");
        assert_eq!(client.get("/readyz").code(), "busy", "{name}");
        let told = || {
            let said = fs::read_to_string(&log).unwrap();
            let told = |line: &&str| {
                line.contains("was moved, deleted or replaced") && line.contains("is not where it was")
            };
            said.lines().filter(told).count()
        };
        // The log waits for nobody, and nobody for it.
        let begun = Instant::now();
        while told() == 0 {
            assert!(begun.elapsed() < Duration::from_mins(1), "{name}: the log says so");
            std::thread::sleep(Duration::from_millis(20));
        }
        if name == "moved" {
            // Put back under the running server it stays so: nobody knows what others have done with it meanwhile.
            fs::rename(folder.path().join("away.sqlite"), &path).unwrap();
            assert_eq!(chief.post("/api/v1/accounts", &account).code(), "busy");
            server.kill();
            server = Program::start(&path, &[]);
            let chief = log_in(&Client::new(&server.base), "chief");
            let accounts = chief.get("/api/v1/accounts").ok();
            assert_eq!(
                accounts["items"].as_array().unwrap().len(),
                1,
                "what was not acknowledged is not there"
            );
        }
        server.kill();
        assert_eq!(told(), 1, "{name}");
    }
}

#[test]
fn readyz_says_no_while_nothing_can_be_written() {
    let (_folder, path) = folder();
    let server = Program::start(&path, &[]);
    let client = Client::new(&server.base);
    let mut other = SqliteConnection::establish(text(&path)).unwrap();
    other.batch_execute("BEGIN IMMEDIATE").unwrap();
    assert_eq!(client.get("/readyz").code(), "busy", "reading is still possible");
    assert_eq!(client.get("/healthz").status, 200);
    other.batch_execute("ROLLBACK").unwrap();
    let begun = Instant::now();
    while client.get("/readyz").status != 200 {
        assert!(begun.elapsed() < Duration::from_mins(1), "it is writable again");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[cfg(unix)]
#[test]
fn a_database_has_one_server_by_whatever_name() {
    let (folder, path) = folder();
    let server = Program::start(&path, &[]);
    let link = folder.path().join("link.sqlite");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert!(no_server(&link).contains("another server"));
    let hard = folder.path().join("hard.sqlite");
    fs::hard_link(&path, &hard).unwrap();
    assert!(no_server(&hard).contains("hard links"));
    let copy = folder.path().join("copy.sqlite");
    assert!(refused(&["backup", text(&copy), "--database", &url(&hard)]).contains("hard links"));
    for new in ["link.sqlite.key", "hard.sqlite.key", "hard.sqlite-wal", "copy.sqlite"] {
        assert!(!folder.path().join(new).exists(), "{new}");
    }
    fs::remove_file(&hard).unwrap();
    assert_eq!(Client::new(&server.base).get("/readyz").status, 200, "the first one goes on");
}

#[test]
fn a_key_belongs_to_its_database_and_a_database_to_its_key() {
    let (folder, path) = folder();
    let key = beside(&path, ".key");
    let (mut server, _) = with_chief(&path, &folder.path().join("log"));
    server.terminate();
    let bytes = fs::read(&key).unwrap();
    fs::write(&key, [7; 32]).unwrap();
    assert!(no_server(&path).contains("belongs to another database"));
    fs::remove_file(&key).unwrap();
    assert!(no_server(&path).contains("missing"));
    assert!(!key.exists(), "no new key is made for an old database");
    fs::write(&key, &bytes).unwrap();
    let mut server = Program::start(&path, &[]);
    assert_eq!(server.setup, None);
    server.terminate();
    // A key without its database.
    let away = folder.path().join("away.sqlite");
    fs::rename(&path, &away).unwrap();
    assert!(no_server(&path).contains("belongs to a database"));
    assert!(!path.exists(), "nothing is made");
    fs::write(&path, "").unwrap();
    assert!(no_server(&path).contains("belongs to a database"));
    assert_eq!(fs::metadata(&path).unwrap().len(), 0);
    drop(Store::open(&url(&path)).unwrap());
    assert!(
        no_server(&path).contains("belongs to a database"),
        "tables without anything in them are empty, too"
    );
    assert_eq!(fs::read(&key).unwrap(), bytes);
    fs::remove_file(&path).unwrap();
    fs::rename(&away, &path).unwrap();
    drop(Program::start(&path, &[]));
}
