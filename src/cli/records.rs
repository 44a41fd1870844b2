//! `fushi replay` and `fushi legal`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value};

use super::{Ended, Format, Trouble, complain};
use crate::journal::phh;
use crate::journal::record::{RawRecord, Records};
use crate::journal::replay::{Answer, Failure, replay_any};
use crate::words::Lang;

#[derive(Args, Debug)]
pub(super) struct ReplayArgs {
    /// Record files (JSON Lines, or hold'em hands as .phh or .phhs); `-` reads records from standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to print: text, or one JSON object per record.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Args, Debug)]
pub(super) struct LegalArgs {
    /// Record files (JSON Lines, or hold'em hands as .phh or .phhs); `-` reads records from standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to print: one action per line, or one JSON object per seat that may act.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The longest list of actions; a longer one is cut and says so.
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    limit: usize,
}

pub(super) fn replay(args: &ReplayArgs, lang: Lang) -> Ended {
    each_record(&args.files, lang, args.format, |answer, number, out| match args.format {
        Format::Json => writeln!(out, "{}", Value::Object(answer.replay_answer(number))),
        Format::Text => out.write_all(replay_text(&answer.replay_answer(number)).as_bytes()),
    })
}

pub(super) fn legal(args: &LegalArgs, lang: Lang) -> Ended {
    each_record(&args.files, lang, args.format, |answer, number, out| {
        for object in answer.legal_answer(number, args.limit) {
            match args.format {
                Format::Json => writeln!(out, "{}", Value::Object(object))?,
                Format::Text => out.write_all(legal_text(&object).as_bytes())?,
            }
        }
        Ok(())
    })
}

/// Replays every record of every file and prints an answer for each; a bad one does not stop the rest.
fn each_record(
    files: &[PathBuf],
    lang: Lang,
    format: Format,
    mut print: impl FnMut(&dyn Answer, usize, &mut dyn Write) -> io::Result<()>,
) -> Ended {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut failed = false;
    for path in files {
        let (records, written) = match open(path) {
            Ok(input) => one_file(path, input, lang, format, &mut out, &mut print, &mut failed),
            Err(error) => (Err(error), Ok(())),
        };
        if let Err(error) = written {
            return stopped_reading(&error);
        }
        match records {
            Ok(0) => {
                complain(&format!("{}: the file holds no record", path.display()));
                failed = true;
            }
            Ok(_) => {}
            Err(error) => {
                complain(&format!("cannot read {}: {error}", path.display()));
                failed = true;
            }
        }
    }
    match out.flush() {
        Ok(()) => Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }),
        Err(error) => stopped_reading(&error),
    }
}

/// A reader that has gone away is no mistake of the input.
fn stopped_reading(error: &io::Error) -> Ended {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    Err(Trouble::new(format!("cannot write to standard output: {error}")))
}

/// A record with its number, or why it is none.
type Numbered = (usize, Result<RawRecord, Box<Failure>>);
type Source = Box<dyn Iterator<Item = io::Result<Numbered>>>;

/// The records of a file: hands, if it is named `.phh` or `.phhs`.
fn open(path: &Path) -> io::Result<Source> {
    if path == Path::new("-") {
        return Ok(lines(BufReader::new(io::stdin())));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    if matches!(extension.as_deref(), Some("phh" | "phhs")) {
        return hands(file);
    }
    Ok(lines(BufReader::with_capacity(1 << 16, file)))
}

fn lines(input: impl BufRead + 'static) -> Source {
    Box::new(Records::new(input).map(|raw| raw.map(|raw| (raw.number, Ok(raw)))))
}

fn hands(file: File) -> io::Result<Source> {
    let mut text = String::new();
    if file.take(phh::FILE_MAX + 1).read_to_string(&mut text)? as u64 > phh::FILE_MAX {
        return Err(io::Error::other(format!("a PHH file holds at most {} bytes", phh::FILE_MAX)));
    }
    Ok(Box::new(phh::records(&text).into_iter().map(Ok)))
}

type Printer<'a> = dyn FnMut(&dyn Answer, usize, &mut dyn Write) -> io::Result<()> + 'a;

/// The number of records in the file, and whether their answers could be written.
fn one_file(
    path: &Path,
    input: Source,
    lang: Lang,
    format: Format,
    out: &mut dyn Write,
    print: &mut Printer<'_>,
    failed: &mut bool,
) -> (io::Result<usize>, io::Result<()>) {
    let mut count = 0;
    for record in input {
        let (number, raw) = match record {
            Ok(record) => record,
            Err(error) => return (Err(error), Ok(())),
        };
        count += 1;
        let written = match raw.and_then(|raw| replay_any(&raw)) {
            Ok(answer) => print(answer.as_ref(), number, out),
            Err(failure) => {
                *failed = true;
                refuse(&failure, number, path, lang, format, out)
            }
        };
        if written.is_err() {
            return (Ok(count), written);
        }
    }
    (Ok(count), Ok(()))
}

fn refuse(
    failure: &Failure,
    record: usize,
    path: &Path,
    lang: Lang,
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Json => writeln!(out, "{}", Value::Object(failure.to_json(record, lang))),
        Format::Text => {
            out.flush()?;
            let mut line = format!("{}:{}: record {record}: ", path.display(), failure.line);
            if let (Some(seat), Some(text)) = (&failure.seat, &failure.text) {
                line.push_str(&format!("{seat} {text}: "));
            }
            line.push_str(&format!("{} ({})", failure.sentence(lang), failure.reason));
            complain(&line);
            Ok(())
        }
    }
}

/// A replayed record for people: the board and its score on the first line, what happened below it.
fn replay_text(answer: &Map<String, Value>) -> String {
    let mut text = format!("record {}", plain(answer.get("record")));
    if let Some(Value::String(board)) = answer.get("board") {
        text.push_str(&format!(" · {board}"));
    }
    if let Some(Value::Object(scores)) = answer.get("scores") {
        text.push_str(" ·");
        for (seat, score) in scores {
            let value = score.as_i64().unwrap_or_default();
            text.push_str(&format!(" {seat} {value:+}"));
        }
    } else if answer.get("ended") == Some(&Value::Bool(true)) {
        text.push_str(" · ended unfinished");
    } else {
        let who = answer.get("turn").or_else(|| answer.get("waiting"));
        text.push_str(&format!(" · unfinished, {} to act", plain(who)));
    }
    text.push_str(&format!(" · {} actions\n", plain(answer.get("actions"))));
    if let Some(Value::Object(outcome)) = answer.get("outcome") {
        for (key, value) in outcome {
            text.push_str(&format!("    {key}: {}\n", plain(Some(value))));
        }
    }
    text.push_str(&format!("    hash: {}\n", plain(answer.get("hash"))));
    text
}

/// The legal actions of a seat, one per line after the seat's name.
fn legal_text(answer: &Map<String, Value>) -> String {
    let Some(Value::String(seat)) = answer.get("seat") else {
        return format!("record {}: the board is over\n", plain(answer.get("record")));
    };
    let mut text = String::new();
    for action in answer.get("legal").and_then(Value::as_array).into_iter().flatten() {
        text.push_str(&format!("{seat} {}\n", plain(Some(action))));
    }
    for (key, value) in answer {
        if !["record", "seat", "legal", "cut"].contains(&key.as_str()) && !value.is_null() {
            text.push_str(&format!("{seat} {key} = {}\n", plain(Some(value))));
        }
    }
    if answer.get("cut") == Some(&Value::Bool(true)) {
        text.push_str(&format!("{seat} … and more: raise --limit to see them\n"));
    }
    text
}

fn plain(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "–".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => {
            items.iter().map(|item| plain(Some(item))).collect::<Vec<_>>().join(", ")
        }
        Some(Value::Object(members)) => {
            let shown: Vec<String> =
                members.iter().map(|(key, value)| format!("{key} {}", plain(Some(value)))).collect();
            shown.join(" ")
        }
        Some(other) => other.to_string(),
    }
}
