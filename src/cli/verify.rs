//! `fushi verify`.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value};

use super::{Ended, Format, Trouble, complain, print};
use crate::dealing::from_hex;
use crate::journal::By;
use crate::journal::sign::Purpose;
use crate::journal::verify::{Options, Published, Report, Unfinished, verify as check};
use crate::words::{Lang, Message, message, refused, say, why};

#[derive(Args, Debug)]
pub(super) struct VerifyArgs {
    /// The bundle (`*.fushi`); `-` reads standard input.
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// The hash of the announcement as it was published before play: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX")]
    announcement_hash: Option<String>,
    /// The hash of a checkpoint or a revision as it was published during play, 64 hexadecimal digits; may be repeated.
    #[arg(long, value_name = "HASH")]
    checkpoint: Vec<String>,
    /// Do not compute the moves of AI players again.
    #[arg(long)]
    skip_ai: bool,
    /// How to print: text, or one JSON object.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn verify(args: &VerifyArgs, lang: Lang) -> Ended {
    let announcement = match &args.announcement_hash {
        None => None,
        Some(text) => Some(
            from_hex("--announcement-hash", text)
                .map_err(|error| Trouble::new(say(lang, &error.message())))?,
        ),
    };
    let checkpoints = args
        .checkpoint
        .iter()
        .map(|text| from_hex("--checkpoint", text))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Trouble::new(say(lang, &error.message())))?;
    let path = args.bundle.display();
    let input = open(&args.bundle)
        .map_err(|error| Trouble::new(message!("cli-unreadable", file = &path, error = why(&error))))?;
    let options = Options { announcement, ai: !args.skip_ai };
    let checked = check(input, &options).and_then(|report| {
        let confirmed = checkpoints.iter().map(|hash| report.confirm(hash)).collect::<Result<Vec<_>, _>>()?;
        Ok((report, confirmed))
    });
    match checked {
        Ok((report, confirmed)) => {
            match args.format {
                Format::Json => print(&format!("{}\n", Value::Object(json(&report, &confirmed))))?,
                Format::Text => print(&text(&report, announcement.is_some(), &confirmed, lang))?,
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(wrong) => {
            if args.format == Format::Json {
                print(&format!("{}\n", Value::Object(wrong.to_json(lang))))?;
            }
            complain(&format!("{path}: {}", wrong.sentence(lang)));
            Ok(ExitCode::FAILURE)
        }
    }
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(refused(message!("cli-folder")));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 18, file)))
}

fn json(report: &Report, confirmed: &[Published]) -> Map<String, Value> {
    let mut object = report.to_json();
    let hashes = confirmed.iter().map(|line| hex::encode(line.hash));
    object.insert("confirmed".to_owned(), hashes.collect());
    object
}

fn text(report: &Report, proved: bool, confirmed: &[Published], lang: Lang) -> String {
    let mut lines = vec![
        Message::plain("verify-event").with("event", &report.event).with("game", &report.game),
        Message::plain("verify-announced").with("hash", &report.announcement),
        Message::plain("verify-dealt").with("boards", report.boards).with("sets", report.sets),
        Message::plain("verify-drawn").with("entrants", report.entrants),
        Message::plain("verify-replayed")
            .with("entries", report.entries)
            .with("journals", report.journals)
            .with("moves", report.ai_moves),
        Message::plain("verify-officials")
            .with("outs", report.time_outs)
            .with("ai", report.ai_time_outs)
            .with("actions", report.referee_actions)
            .with("notes", report.referee_notes),
    ];
    if !report.unfinished.is_empty() {
        lines.push(Message::plain("verify-cut-short").with("boards", report.unfinished.len()));
        lines.extend(report.unfinished.iter().map(ended));
    }
    lines.push(
        Message::plain("verify-rescored")
            .with("results", report.results)
            .with("entrants", report.entrants)
            .with("rulings", report.rulings)
            .with("revisions", report.revisions),
    );
    for line in confirmed {
        let id = match line.kind {
            Purpose::Revision => "verify-confirmed-revision",
            _ => "verify-confirmed-checkpoint",
        };
        lines.push(Message::plain(id).with("number", line.number).with("hash", hex::encode(line.hash)));
    }
    if report.ai_moves_skipped == 0 {
        lines.push(Message::plain("verify-ok"));
    } else {
        lines.push(Message::plain("verify-skipped").with("moves", report.ai_moves_skipped));
        lines.push(Message::plain("verify-ok-but"));
    }
    if !proved {
        lines.push(Message::plain("verify-unproved"));
    }
    if confirmed.is_empty() {
        lines.push(Message::plain("verify-unconfirmed"));
    }
    lines.iter().map(|line| say(lang, line) + "\n").collect()
}

/// A board that was ended unfinished, and by whom.
fn ended(board: &Unfinished) -> Message {
    let id = match (board.by, &board.who) {
        (By::Clock, _) => "verify-cut-short-clock",
        (_, Some(_)) => "verify-cut-short-referee",
        (_, None) => "verify-cut-short-somebody",
    };
    Message::plain(id)
        .with("board", &board.board)
        .with("table", board.table)
        .with("who", board.who.as_deref().unwrap_or_default())
        .with("seconds", board.at / 1_000_000)
}
