//! `fushi verify`.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::Value;

use super::{Ended, Format, Trouble, complain, print};
use crate::dealing::from_hex;
use crate::journal::verify::{Options, Report, verify as check};
use crate::words::{Lang, Message, message, refused, say, why};

#[derive(Args, Debug)]
pub(super) struct VerifyArgs {
    /// The bundle (`*.fushi`); `-` reads standard input.
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// The hash of the announcement as it was published before play: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX")]
    announcement_hash: Option<String>,
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
    let path = args.bundle.display();
    let input = open(&args.bundle)
        .map_err(|error| Trouble::new(message!("cli-unreadable", file = &path, error = why(&error))))?;
    let options = Options { announcement, ai: !args.skip_ai };
    match check(input, &options) {
        Ok(report) => {
            match args.format {
                Format::Json => print(&format!("{}\n", Value::Object(report.to_json())))?,
                Format::Text => print(&text(&report, announcement.is_some(), lang))?,
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

fn text(report: &Report, proved: bool, lang: Lang) -> String {
    let mut lines = vec![
        Message::plain("verify-event").with("event", &report.event).with("game", &report.game),
        Message::plain("verify-announced").with("hash", &report.announcement),
        Message::plain("verify-dealt").with("boards", report.boards).with("sets", report.sets),
        Message::plain("verify-replayed")
            .with("entries", report.entries)
            .with("journals", report.journals)
            .with("moves", report.ai_moves),
        Message::plain("verify-officials")
            .with("outs", report.time_outs)
            .with("ai", report.ai_time_outs)
            .with("actions", report.referee_actions)
            .with("notes", report.referee_notes),
        Message::plain("verify-rescored")
            .with("results", report.results)
            .with("entrants", report.entrants)
            .with("rulings", report.rulings)
            .with("revisions", report.revisions),
        Message::plain("verify-ok"),
    ];
    if !proved {
        lines.push(Message::plain("verify-unproved"));
    }
    lines.iter().map(|line| say(lang, line) + "\n").collect()
}
