//! The live server (goals P1 to P4). `cargo bench --bench live`.
//!
//! P1: durable moves a second at 50 tables over WebSocket, rules and all, against raw append + `fdatasync` of a line of
//! the same size, one at a time. P2: the same server with and without its database. P3: one table alone against the
//! same raw appends. P4: what an idle connection, an idle server and a cold start take. Both sides of a ratio take
//! turns in one run; the best of several rounds counts, because the machine is shared. Server and clients share the
//! processors.

#![allow(clippy::expect_used)] // a bench that cannot go on must stop
#![allow(clippy::cast_precision_loss)] // rates for people

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fushi::desk::draft::Fields;
use fushi::desk::people::{People as _, SeatToken};
use fushi::desk::stage::{Staging, stage};
use fushi::event::ledger::Unkept;
use fushi::event::live::Pace;
use fushi::games::wakeng::Wakeng;
use fushi::store::Store;
use fushi::web::config::{Config, Limits, Passwords};
use fushi::web::{self, App};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

const ROUNDS: usize = 3;
const BOARDS: u32 = 16;
/// The bytes of a line of a journal, about.
const LINE: usize = 240;

fn main() {
    let (mut raw, mut fifty, mut forgetful, mut alone) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..ROUNDS {
        raw = raw.max(appends());
        fifty = fifty.max(moves(50, true));
        forgetful = forgetful.max(moves(50, false));
        alone = alone.max(moves(1, true));
        raw = raw.max(appends());
    }
    println!("raw append + fdatasync           {raw:9.0} /s");
    println!("50 tables                        {fifty:9.0} moves/s   P1 {:.2} (goal 1.5)", fifty / raw);
    println!(
        "50 tables, nothing kept          {forgetful:9.0} moves/s   P2 {:.2} (goal 0.7)",
        fifty / forgetful
    );
    println!("1 table                          {alone:9.0} moves/s   P3 {:.2} (goal 0.4)", alone / raw);
    idle();
}

/// Lines appended to a file a second, each made durable before the next.
fn appends() -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = File::create(folder.path().join("raw")).expect("a file");
    let line = vec![b'x'; LINE];
    let begun = Instant::now();
    let mut count = 0;
    while begun.elapsed() < Duration::from_secs(2) {
        file.write_all(&line).expect("an append");
        file.sync_data().expect("fdatasync");
        count += 1;
    }
    f64::from(count) / begun.elapsed().as_secs_f64()
}

fn config(folder: &Path) -> Config {
    Config {
        listen: ([127, 0, 0, 1], 0).into(),
        database: format!("sqlite:{}", folder.join("bench.sqlite").display()),
        passwords: Passwords { memory_kib: 8192, passes: 1, ..Passwords::default() },
        limits: Limits {
            address_per_second: 100_000,
            address_burst: 100_000,
            attempts_per_minute: 100_000,
            attempts_burst: 100_000,
            messages_per_second: 100_000,
            messages_burst: 100_000,
            ..Limits::default()
        },
        ..Config::default()
    }
}

/// An event in which every person plays against two AI players; answers the persons' tokens.
fn event(app: &App, persons: u32) -> Vec<String> {
    let fields = Fields {
        title: Some("Bench".to_owned()),
        format: Some("human-ai".to_owned()),
        boards: Some(BOARDS),
        boards_per_round: Some(BOARDS),
        pace: Some(Pace::Own),
        ai_delay_ms: Some(0),
        opponents: Some("random".to_owned()),
        ..Fields::default()
    };
    let staging = Staging { id: "bench", fields, persons, programs: &[], seed: [7; 32] };
    let store: &Store = &app.store;
    let sealing = app.secret.sealing();
    let event = stage::<Wakeng>(store, app.halls.logs(), &staging, &sealing, 1_800_000_000_000_000, "bench")
        .expect("an event");
    let mut tokens = Vec::new();
    for entrant in &event.entrants {
        let token = format!("t{}", entrant.number);
        let row = SeatToken::for_program(&token, &event.id, &entrant.id, 0);
        store.add_seat_tokens(vec![row], event.act(0, "bench", "seat-token", "")).expect("a token");
        tokens.push(token);
    }
    tokens
}

/// Actions that became durable a second, all seats together.
fn moves(persons: u32, kept: bool) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let app = App::open_with(config(folder.path()), |store| if kept { store } else { Arc::new(Unkept) })
            .expect("a server");
        let tokens = event(&app, persons);
        let built = web::build(&app).expect("an address");
        let handle = built.server.handle();
        tokio::spawn(built.server);
        let hall = app.halls.open("bench").expect("a hall");
        hall.start(1, "o1").await.expect("a start");
        let file = folder.path().join("tokens");
        std::fs::write(&file, tokens.join("\n")).expect("tokens");
        let begun = Instant::now();
        let mut client = Command::new(env!("CARGO_BIN_EXE_fushi"));
        client.args(["play", "--format", "json", "--level", "random"]);
        client.args(["--url", &format!("http://{}", built.address), "--tokens"]).arg(&file);
        let output =
            tokio::task::spawn_blocking(move || client.output()).await.expect("a thread").expect("a client");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let took = begun.elapsed().as_secs_f64();
        let count = app.halls.deps().counters.actions.load(std::sync::atomic::Ordering::Relaxed);
        app.halls.close().await;
        handle.stop(false).await;
        count as f64 / took
    })
}

/// A server as its own process; answers it, its address, and how long it took to listen.
fn serve(folder: &Path) -> (Child, String, Duration) {
    let begun = Instant::now();
    let database = format!("sqlite:{}", folder.join("idle.sqlite").display());
    let mut child = Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &database])
        .env("RUST_LOG", "error")
        .stdout(Stdio::piped())
        .spawn()
        .expect("a server");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("its first line");
    let took = begun.elapsed();
    let address = line.trim().strip_prefix("listening on http://").expect("an address").to_owned();
    (child, address, took)
}

/// Resident memory of a process, KiB.
fn resident(child: &Child) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("its status");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

fn idle() {
    const SOCKETS: u32 = 1000;
    let mut cold = Duration::MAX;
    for _ in 0..5 {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut child, _, took) = serve(folder.path());
        cold = cold.min(took);
        child.kill().expect("an end");
        child.wait().expect("an end");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let tokens = {
            let config = Config {
                database: format!("sqlite:{}", folder.path().join("idle.sqlite").display()),
                ..config(folder.path())
            };
            let app = App::open(config).expect("a store");
            event(&app, SOCKETS)
        };
        let (mut child, address, _) = serve(folder.path());
        tokio::time::sleep(Duration::from_secs(1)).await;
        let before = resident(&child);
        let mut open = Vec::new();
        for token in &tokens {
            let (mut socket, _) =
                connect_async(format!("ws://{address}/api/v1/play")).await.expect("a socket");
            let join = format!(r#"{{"type":"join","v":1,"token":"{token}"}}"#);
            socket.send(Message::text(join)).await.expect("a join");
            // `welcome` and `waiting`.
            for _ in 0..2 {
                socket.next().await.expect("an answer").expect("an answer");
            }
            open.push(socket);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        let each = (resident(&child) - before) / f64::from(SOCKETS);
        println!(
            "cold start                       {:9.0} ms        P4 (goal 300)",
            cold.as_secs_f64() * 1000.0
        );
        println!("idle socket                      {each:9.1} KiB       P4 (goal 25)");
        child.kill().expect("an end");
        child.wait().expect("an end");
    });
    let folder = tempfile::tempdir().expect("a folder");
    let (mut child, _, _) = serve(folder.path());
    std::thread::sleep(Duration::from_secs(1));
    println!("idle server                      {:9.1} MiB       P4 (goal 40)", resident(&child) / 1024.0);
    child.kill().expect("an end");
    child.wait().expect("an end");
}
