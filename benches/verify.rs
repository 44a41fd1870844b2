//! Replay and verify against the bare rules engine (goal P12), and journal appends against raw append + `fdatasync`
//! (towards P1 to P3). `cargo bench --bench verify`.
//!
//! The two sides of a ratio run interleaved in one process; the best of several rounds counts, because the machine is
//! shared. The engine's side reads the same action texts, checks and applies them; verify does that and reads lines,
//! chains hashes, deals, scores, ranks, sums sections and checks signatures besides. AI moves are not computed again.

#![allow(clippy::expect_used)] // a bench that cannot go on must stop
#![allow(clippy::cast_precision_loss)] // rates for people

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use fushi::canonical::Hash;
use fushi::canonical::link;
use fushi::dealing::MasterKey;
use fushi::desk::demo::{self, Request};
use fushi::event::archive::{AuditRow, EntryRow, EventRow, NewEvent, NewPlay, PlayId};
use fushi::event::{Dealer, Event, EventState};
use fushi::formats::settings::Measure;
use fushi::formats::{DealRef, Format, Setup};
use fushi::games::wakeng::Wakeng;
use fushi::games::{ActionText, Game, Seat, rulesets};
use fushi::journal::verify::{Options, verify};
use fushi::players;
use fushi::scoring::Rules;
use fushi::store::Store;

const ROUNDS: usize = 7;

type Start = <Wakeng as Game>::Start;

/// A board as its start and the texts of its actions.
type Script = (Arc<<Wakeng as Game>::Rules>, Start, Vec<(Seat, String)>);

fn main() {
    replay();
    appends();
}

fn replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&format!("sqlite:{}", folder.path().join("db").display())).expect("a store");
    let random = players::find::<Wakeng>("random").expect("a level");
    let request = Request {
        round_robin: None,
        seed: "bench".to_owned(),
        entrants: 100,
        boards: 16,
        format: Format::HumanAi { seat: 0 },
        rules: rulesets::default::<Wakeng>().expect("a ruleset"),
        levels: vec![random],
        opponents: random,
        slips: 300,
        measure: Measure::Score,
        scoring: Rules::default(),
        replay: None,
    };
    let (played, bundle) = demo::play(&store, &request, Vec::new(), &mut |_| {}).expect("a demonstration");
    let scripts = scripts(&store, &played.event, &bundle);
    let entries = played.entries as f64;
    let lines = chained(&bundle);
    let (mut engine, mut proof, mut hashes) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        engine = engine.min(seconds(|| scripts.iter().for_each(run)));
        hashes = hashes.min(seconds(|| hash(&bundle, &lines)));
        proof = proof.min(seconds(|| {
            verify(&bundle[..], &Options { announcement: None, ai: false }).expect("a genuine bundle");
        }));
    }
    println!("engine alone     {:>12.0} entries/s", entries / engine);
    println!("verify           {:>12.0} entries/s", entries / proof);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("SHA-256 alone    {:>12.0} entries/s: every byte once, and the chain", entries / hashes);
    println!("bytes            {:>12.1} an entry, on {threads} threads", bundle.len() as f64 / entries);
    println!("P12 verify ÷ engine     {:.2}   (goal 0.5)", engine / proof);
}

/// The canonical bytes of every entry of a bundle.
fn chained(bundle: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(bundle).expect("UTF-8");
    let entries = text.lines().filter(|line| !line.contains("\"section\":"));
    entries
        .map(|line| {
            let (before, behind) = line.split_once("\"hash\":\"").expect("a hash");
            format!("{before}{}", behind.get(66..).expect("a seat"))
        })
        .collect()
}

/// What no verifier can do without: SHA-256 over every byte for the manifest, and over every entry for the chain.
fn hash(bundle: &[u8], lines: &[String]) {
    let chain = lines.iter().fold([0; 32], |chain, line| link(&chain, line.as_bytes()));
    assert_ne!(chain, fushi::canonical::sha256(bundle));
}

fn seconds(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}

/// Every board of the bundle for the bare engine.
fn scripts(store: &Store, event: &Event<Wakeng>, bundle: &[u8]) -> Vec<Script> {
    let (announcement, delayed) = event.announced(store).expect("an announcement");
    let master = MasterKey::practice("fushi-demo/1|bench");
    let dealer = Dealer::new(event, &announcement, &master, &delayed).expect("the announced key");
    let mut scripts: Vec<Script> = Vec::new();
    for line in std::str::from_utf8(bundle).expect("UTF-8").lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        if text("section") == "journal" {
            let name = value["receipt"]["board"].as_str().unwrap_or_default();
            let (set, board) = name.rsplit_once('/').expect("a board's name");
            let deal = DealRef { set: set.to_owned(), board: board.parse().expect("a number") };
            let header = dealer.board(&deal, &Setup::default()).expect("a board");
            scripts.push((header.rules, header.start, Vec::new()));
        } else if !text("do").is_empty() {
            let seat = Wakeng::seat_named(&text("seat")).expect("a seat");
            scripts.last_mut().expect("a journal").2.push((seat, text("do")));
        }
    }
    scripts
}

fn run((rules, start, actions): &Script) {
    let mut state = Wakeng::open(rules, start);
    for (seat, text) in actions {
        let action = Wakeng::read_action(&ActionText::plain(text.as_str())).expect("an action");
        let effect = Wakeng::check(&state, *seat, &action).expect("a legal action");
        Wakeng::apply(&mut state, effect);
    }
    assert!(Wakeng::finished(&state));
}

const TABLES: i64 = 50;
const APPENDS: i64 = 40;

/// Fifty tables that each wait for the answer before the next entry, against one file that is synced after each line.
fn appends() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&format!("sqlite:{}", folder.path().join("db").display())).expect("a store");
    let ids = tables(&store);
    let mut raw = File::create(folder.path().join("raw")).expect("a file");
    let (mut alone, mut many, mut plain) = (f64::MAX, f64::MAX, f64::MAX);
    for round in 0..ROUNDS {
        let first = i64::try_from(round).expect("small") * 2 * APPENDS;
        plain = plain.min(seconds(|| {
            for seq in 0..APPENDS {
                writeln!(raw, "{{\"at\":{seq},\"do\":\"play H4 S4 D4\",\"seat\":\"A\"}}").expect("written");
                raw.sync_data().expect("synced");
            }
        }));
        many = many.min(seconds(|| {
            std::thread::scope(|scope| {
                for id in &ids {
                    let store = &store;
                    scope.spawn(move || append(store, *id, first));
                }
            });
        }));
        alone = alone.min(seconds(|| append(&store, ids[0], first + APPENDS)));
    }
    let raw_rate = APPENDS as f64 / plain;
    let many_rate = (TABLES * APPENDS) as f64 / many;
    println!("raw append + fdatasync  {raw_rate:>8.0} /s");
    println!("journal, {TABLES} tables      {many_rate:>8.0} /s, ÷ raw {:.2}", many_rate / raw_rate);
    let alone_rate = APPENDS as f64 / alone;
    println!("journal, one table      {alone_rate:>8.0} /s, ÷ raw {:.2}", alone_rate / raw_rate);
}

fn append(store: &Store, id: PlayId, first: i64) {
    let mut chain: Hash = [0; 32];
    for seq in first..first + APPENDS {
        let body = format!("{{\"at\":{seq},\"do\":\"play H4 S4 D4\",\"seat\":\"A\"}}");
        chain = link(&chain, body.as_bytes());
        let row = EntryRow::new(id, seq, seq, body, chain);
        store.writer().append(vec![row]).expect("queued").wait().expect("durable");
    }
}

fn tables(store: &Store) -> Vec<PlayId> {
    let audit = AuditRow {
        event_id: None,
        at_us: 0,
        who: "bench".to_owned(),
        act: "create".to_owned(),
        reason: String::new(),
        details: "{}".to_owned(),
    };
    let event = EventRow {
        id: "e".to_owned(),
        game: "wakeng".to_owned(),
        settings: "{}".to_owned(),
        state: EventState::Draft,
        created_us: 0,
        one_account: false,
    };
    let new = NewEvent { event, entrants: Vec::new(), sealed_keys: Vec::new() };
    store.writer().create_event(new, audit).expect("queued").wait().expect("durable");
    let plays = (1..=TABLES)
        .map(|table| NewPlay {
            set_id: "s".to_owned(),
            number: 1,
            round: 1,
            table_number: table,
            seating: "{}".to_owned(),
        })
        .collect();
    store.writer().add_plays("e", plays).expect("queued").wait().expect("durable")
}
