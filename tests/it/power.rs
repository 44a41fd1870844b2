//! R2: what was acknowledged survives a power failure.
//!
//! A recorder (power.c) is loaded into the real server and notes every write to the database, every sync that
//! succeeded, and every acknowledgement before it leaves. Disks are then rebuilt as a power failure right after an
//! acknowledgement could have left them: everything that was synced is there, of everything else nothing or any part.
//! The recorder works on Linux.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fushi::event::archive::PlayId;
use fushi::event::ledger::Ledger as _;
use fushi::event::live::Pace;
use fushi::rng::GameRng;
use fushi::sabotage::Sabotage;
use fushi::store::Store;
use fushi::tables::Answer;
use serde_json::Value;

use crate::live::{fields, player, prepared, report};
use crate::server::Program;

/// How many power failures are tried.
const FAILURES: usize = 30;

enum Op {
    Write { file: usize, at: usize, bytes: Vec<u8> },
    Cut { file: usize, length: usize },
    Sync { file: usize },
    Said(Vec<(i64, String, u32)>),
}

/// The acknowledgements in what was sent to a player: board at a table, command, line.
fn acknowledgements(bytes: &[u8]) -> Vec<(i64, String, u32)> {
    let text = String::from_utf8_lossy(bytes);
    let starts = text.match_indices(r#"{"type":"accepted""#);
    let messages = starts.filter_map(|(at, _)| {
        let text = &text[at..];
        serde_json::from_str::<Value>(&text[..=text.find('}')?]).ok()
    });
    messages
        .filter_map(|message| {
            let n = u32::try_from(message["n"].as_u64()?).ok()?;
            Some((message["play"].as_i64()?, message["id"].as_str()?.to_owned(), n))
        })
        .collect()
}

fn read(log: &[u8]) -> Vec<Op> {
    let mut ops = Vec::new();
    let mut rest = log;
    while let Some((head, tail)) = rest.split_at_checked(32) {
        let number = |place: usize| {
            usize::try_from(u64::from_ne_bytes(head[place * 8..][..8].try_into().unwrap())).unwrap()
        };
        // The last record may be cut: the server was killed.
        let Some((bytes, tail)) = tail.split_at_checked(number(3)) else { break };
        let (file, at) = (number(1), number(2));
        ops.push(match number(0) {
            1 => Op::Write { file, at, bytes: bytes.to_vec() },
            2 => Op::Sync { file },
            3 => Op::Cut { file, length: at },
            _ => Op::Said(acknowledgements(bytes)),
        });
        rest = tail;
    }
    ops
}

#[derive(Clone, Default)]
struct Disk([Vec<u8>; 2]);

impl Disk {
    fn apply(&mut self, op: &Op) {
        match op {
            Op::Write { file, at, bytes } => {
                let content = &mut self.0[*file];
                let end = at + bytes.len();
                if content.len() < end {
                    content.resize(end, 0);
                }
                content[*at..end].copy_from_slice(bytes);
            }
            Op::Cut { file, length } => self.0[*file].resize(*length, 0),
            Op::Sync { .. } | Op::Said(_) => {}
        }
    }

    /// Opens the database as it would be after the failure, and counts what it has lost.
    fn lost(&self, told: &[(i64, String, u32)]) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("image.sqlite");
        fs::write(&path, &self.0[0]).unwrap();
        fs::write(folder.path().join("image.sqlite-wal"), &self.0[1]).unwrap();
        let store = Store::open(&format!("sqlite:{}", path.display())).unwrap();
        let kept = |(play, id, n): &(i64, String, u32)| {
            let play = PlayId(*play);
            let answered = store
                .answers(play)
                .unwrap()
                .iter()
                .any(|given| given.id.as_str() == id && given.answered.answer == Answer::Accepted(*n));
            answered && store.journal(play).unwrap().iter().any(|row| row.seq == i64::from(*n))
        };
        told.iter().filter(|one| !kept(one)).count()
    }
}

/// Builds a file of this folder so that it can be loaded into the server (`LD_PRELOAD`).
pub fn loadable(folder: &Path, source: &str) -> PathBuf {
    let loadable = folder.join(source).with_extension("so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(source);
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&loadable)
        .arg(source)
        .args(["-ldl", "-lpthread"])
        .output()
        .expect("a C compiler: the build needed one, too");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    loadable
}

/// Plays an event with the recorder, and answers how many acknowledged actions a power failure would have lost, and how
/// many acknowledgements there were.
fn played(sabotage: Option<Sabotage>) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let recorder = loadable(folder.path(), "power.c");
    let (database, file) = prepared(folder.path(), fields("human-ai", 4, 4, Pace::Own), 4);
    let wal = folder.path().join("live.sqlite-wal");
    let before = [fs::read(&database).unwrap(), fs::read(wal).unwrap_or_default()];
    let log = folder.path().join("log");
    let mut env = vec![("LD_PRELOAD", recorder.as_os_str()), ("FUSHI_POWER_LOG", log.as_os_str())];
    if let Some(sabotage) = sabotage {
        env.push(("FUSHI_SABOTAGE", sabotage.word().as_ref()));
    }
    let mut server = Program::start_in(&database, &env);
    report(&player(&server.base, &file, &[]).output().unwrap());
    server.kill();
    lost(&read(&fs::read(&log).unwrap()), before)
}

fn lost(ops: &[Op], before: [Vec<u8>; 2]) -> (usize, usize) {
    let says = ops.iter().filter(|op| matches!(op, Op::Said(_))).count();
    let mut chance = GameRng::of("power", b"1");
    let mut disk = Disk(before);
    let mut pending: Vec<&Op> = Vec::new();
    let (mut recent, mut lost, mut told, mut said) = (Vec::new(), 0, 0, 0);
    for op in ops {
        match op {
            Op::Write { .. } | Op::Cut { .. } => pending.push(op),
            Op::Sync { file } => {
                let of = |op: &Op| matches!(op, Op::Write { file: at, .. } | Op::Cut { file: at, .. } if at == file);
                for op in pending.extract_if(.., |op| of(op)) {
                    disk.apply(op);
                }
            }
            Op::Said(acknowledged) => {
                told += acknowledged.len();
                recent.extend(acknowledged.iter().cloned());
                said += 1;
                if said % (says / FAILURES).max(1) == 0 || said == says {
                    let mut part = disk.clone();
                    for op in &pending {
                        if chance.below(2) == 0 {
                            part.apply(op);
                        }
                    }
                    lost += disk.lost(&recent).max(part.lost(&recent));
                    recent.clear();
                }
            }
        }
    }
    (lost, told)
}

#[test]
fn r2_what_was_acknowledged_survives_a_power_failure() {
    let (lost, told) = played(None);
    assert!(told > 100, "{told} acknowledgements were recorded");
    assert_eq!(lost, 0, "of {told} acknowledged actions");
}

#[test]
fn r2_a_server_that_does_not_wait_for_the_disk_is_found_out() {
    let (lost, told) = played(Some(Sabotage::Synchronous));
    assert!(lost > 0, "nothing of {told} acknowledged actions was lost, though nothing was waited for");
}
