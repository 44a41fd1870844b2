//! The log of a server whose reader fails: nobody else notices, and what was lost is counted and said.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::server::{Client, Program, folder};

/// A server whose log goes to `stderr`.
fn start(database: &Path, level: &str, stderr: Stdio) -> Program {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &format!("sqlite:{}", database.display())])
        .envs([("RUST_LOG", level), ("NO_COLOR", "1")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let base = line.trim().strip_prefix("listening on ").expect("it listens").to_owned();
    Program { base, setup: None, child }
}

/// How many lines the server says it could not write.
fn lost(client: &Client) -> u64 {
    let metrics = client.get("/metrics").text();
    let line = metrics.lines().find_map(|line| line.strip_prefix("fushi_log_lines_lost_total "));
    line.expect("they are counted").parse().unwrap()
}

/// Asks until lines were lost; every question is answered.
fn until_lost(client: &Client) {
    let begun = Instant::now();
    while lost(client) == 0 {
        assert!(begun.elapsed() < Duration::from_mins(2), "lines must be lost");
        assert!(client.get("/healthz").status > 0);
    }
}

#[test]
fn a_server_whose_log_cannot_be_written_answers_all_the_same() {
    let mut logs = vec!["pipe"];
    if cfg!(target_os = "linux") {
        logs.push("/dev/full");
    }
    for log in logs {
        let (_folder, path) = folder();
        let stderr = match log {
            "pipe" => Stdio::piped(),
            full => File::options().write(true).open(full).unwrap().into(),
        };
        let mut server = start(&path, "info", stderr);
        drop(server.child.stderr.take());
        let client = Client::new(&server.base);
        for door in ["/healthz", "/readyz", "/api/v1/events", "/healthz", "/readyz"] {
            assert_eq!(client.get(door).status, 200, "{log} {door}");
        }
        until_lost(&client);
        assert!(server.terminate(), "{log}: it ends as it should");
    }
}

#[test]
fn lost_lines_of_the_log_are_said_when_it_can_be_written_again() {
    let (folder, path) = folder();
    let pipe = folder.path().join("log");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(&pipe).unwrap();
    let writer = File::options().write(true).open(&pipe).unwrap();
    let mut server = start(&path, "info", writer.into());
    let client = Client::new(&server.base);
    drop(reader);
    until_lost(&client);
    let mut lines = BufReader::new(File::open(&pipe).unwrap()).lines();
    assert_eq!(client.get("/healthz").status, 200);
    let told = lines.by_ref().take(10).find(|line| line.as_ref().unwrap().contains("could not be written"));
    assert!(told.expect("it is said").unwrap().contains("lost="));
    server.terminate();
}

#[test]
fn a_log_that_nobody_reads_holds_nothing_up() {
    let (_folder, path) = folder();
    let mut server = start(&path, "trace", Stdio::piped());
    let pipe = server.child.stderr.take();
    let client = Client::new(&server.base);
    until_lost(&client);
    assert_eq!(client.get("/readyz").status, 200);
    drop(pipe);
}

#[test]
fn a_server_whose_standard_output_is_closed_starts_and_answers() {
    let (_folder, path) = folder();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(["serve", "--listen", &address.to_string()])
        .args(["--database", &format!("sqlite:{}", path.display())])
        .env("RUST_LOG", "off")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut server = Program { base: format!("http://{address}"), setup: None, child };
    let begun = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(begun.elapsed() < Duration::from_mins(1), "it listens");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(Client::new(&server.base).get("/readyz").status, 200);
    assert!(server.terminate());
}
