//! `fushi replay` and `fushi legal`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};

use super::{Ended, Format, Trouble, complain, visible};
use crate::games::holdem::phh::Remark;
use crate::journal::phh::{self, Notes};
use crate::journal::record::{RawRecord, Records};
use crate::journal::replay::{Answer, Failure, replay_any};
use crate::words::{Lang, Message, message, refused, say, why};

#[derive(Args, Debug)]
pub(super) struct ReplayArgs {
    /// Record files (JSON Lines, or hold'em hands as PHH); `-` reads standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to print: text, or one JSON object per record.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Args, Debug)]
pub(super) struct LegalArgs {
    /// Record files (JSON Lines, or hold'em hands as PHH); `-` reads standard input.
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
    each_record(&args.files, lang, args.format, |answer, number, notes, out| {
        let mut object = answer.replay_answer(number);
        if let Some(noted) = notes.and_then(noted) {
            object.insert("phh".to_owned(), noted);
        }
        match args.format {
            Format::Json => {
                if let Some(notes) = notes {
                    remarked(&mut object, notes, lang);
                }
                writeln!(out, "{}", Value::Object(object))
            }
            Format::Text => {
                let mut text = replay_text(&object, lang);
                for remark in notes.into_iter().flat_map(|notes| &notes.remarks) {
                    text.push_str(&format!("    {}\n", say(lang, &remark_text(remark))));
                }
                out.write_all(visible(&text).as_bytes())
            }
        }
    })
}

pub(super) fn legal(args: &LegalArgs, lang: Lang) -> Ended {
    each_record(&args.files, lang, args.format, |answer, number, _, out| {
        for object in answer.legal_answer(number, args.limit) {
            match args.format {
                Format::Json => writeln!(out, "{}", Value::Object(object))?,
                Format::Text => out.write_all(visible(&legal_text(&object, lang)).as_bytes())?,
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
    mut print: impl FnMut(&dyn Answer, usize, Option<&Notes>, &mut dyn Write) -> io::Result<()>,
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
        let problem = match records {
            Ok(0) => message!("cli-no-record", file = path.display()),
            Ok(_) => continue,
            Err(error) => message!("cli-unreadable", file = path.display(), error = why(&error)),
        };
        failed = true;
        let problem = say(lang, &problem);
        complain(&problem);
        if format == Format::Json
            && let Err(error) = writeln!(out, "{}", no_record(&problem))
        {
            return stopped_reading(&error);
        }
    }
    match out.flush() {
        Ok(()) => Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }),
        Err(error) => stopped_reading(&error),
    }
}

/// The answer for a file of which no record can be read.
fn no_record(problem: &str) -> Value {
    json!({"ok": false, "record": null, "line": null, "reason": "unreadable", "message": problem})
}

/// A reader that has gone away is no mistake of the input.
fn stopped_reading(error: &io::Error) -> Ended {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    Err(Trouble::new(message!("cli-stdout", error = why(error))))
}

/// A record with its number, or why it is none; notes of a PHH file.
type Numbered = (usize, Result<RawRecord, Box<Failure>>, Option<Notes>);
type Source = Box<dyn Iterator<Item = io::Result<Numbered>>>;

/// The records of a file or of standard input: hands of PHH, if it is named `.phh` or `.phhs` or looks like it.
fn open(path: &Path) -> io::Result<Source> {
    if path == Path::new("-") {
        return sorted(BufReader::new(io::stdin()));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(refused(message!("cli-folder")));
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    if matches!(extension.as_deref(), Some("phh" | "phhs")) {
        return hands(file);
    }
    sorted(BufReader::with_capacity(1 << 16, file))
}

/// The most bytes that are looked at to tell PHH from records.
const HEAD_MAX: u64 = 1 << 16;

/// Records, or hands of PHH: the first line that is neither blank nor a comment tells. A record's line is an object in
/// braces; PHH is TOML, `[1]` or `variant = "NT"`.
fn sorted(mut input: impl BufRead + 'static) -> io::Result<Source> {
    let mut head = Vec::new();
    let phh = loop {
        let begin = head.len();
        let left = HEAD_MAX.saturating_sub(begin as u64);
        if input.by_ref().take(left).read_until(b'\n', &mut head)? == 0 {
            break false;
        }
        let line = head.get(begin..).unwrap_or_default();
        let line = if begin == 0 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        let line = line.trim_ascii();
        if !line.is_empty() && line.first() != Some(&b'#') {
            let key = line.split(|byte| *byte == b'=').next().unwrap_or_default().trim_ascii();
            let bare = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
            let table = line.first() == Some(&b'[') && !line.starts_with(b"[{");
            break table || (key.len() < line.len() && !key.is_empty() && key.iter().all(bare));
        }
    };
    let input = Cursor::new(head).chain(input);
    if phh { hands(input) } else { Ok(lines(input)) }
}

fn lines(input: impl BufRead + 'static) -> Source {
    Box::new(Records::new(input).map(|raw| raw.map(|raw| (raw.number, Ok(raw), None))))
}

fn hands(input: impl Read) -> io::Result<Source> {
    let mut bytes = Vec::new();
    if input.take(phh::FILE_MAX + 1).read_to_end(&mut bytes)? as u64 > phh::FILE_MAX {
        return Err(refused(message!("cli-phh-too-large", bytes = phh::FILE_MAX)));
    }
    Ok(Box::new(phh::hands(bytes).into_iter().map(|(number, raw, notes)| Ok((number, raw, Some(notes))))))
}

/// What a PHH file says beside the record: the unit of the record's amounts, and the rake.
fn noted(notes: &Notes) -> Option<Value> {
    let mut object = Map::new();
    if let Some(unit) = notes.unit() {
        object.insert("unit".to_owned(), unit.into());
    }
    if notes.rake > 0 {
        object.insert("rake".to_owned(), notes.amount(notes.rake).into());
    }
    (!object.is_empty()).then_some(Value::Object(object))
}

/// A remark about a hand as people read it.
fn remark_text(remark: &Remark) -> Message {
    let (index, text, what) = (remark.index, &remark.written, remark.told.clone());
    match index {
        0 => message!("replay-note", text, what),
        _ => message!("replay-note-action", index, text, what),
    }
}

/// Puts the remarks about a hand of PHH into its answer.
fn remarked(object: &mut Map<String, Value>, notes: &Notes, lang: Lang) {
    if notes.remarks.is_empty() {
        return;
    }
    let told = notes.remarks.iter().map(|remark| {
        let action = if remark.index > 0 { remark.index.into() } else { Value::Null };
        json!({"code": remark.code, "action": action, "text": remark.written, "message": say(lang, &remark.told)})
    });
    let told: Vec<Value> = told.collect();
    let phh = object.entry("phh").or_insert_with(|| json!({}));
    if let Some(phh) = phh.as_object_mut() {
        phh.insert("notes".to_owned(), Value::Array(told));
    }
}

type Printer<'a> = dyn FnMut(&dyn Answer, usize, Option<&Notes>, &mut dyn Write) -> io::Result<()> + 'a;

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
        let (number, raw, notes) = match record {
            Ok(record) => record,
            Err(error) => return (Err(error), Ok(())),
        };
        count += 1;
        let written = match raw.and_then(|raw| replay_any(&raw)) {
            Ok(answer) => print(answer.as_ref(), number, notes.as_ref(), out),
            Err(failure) => {
                *failed = true;
                refuse(&failure, number, notes.as_ref(), path, (lang, format), out)
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
    notes: Option<&Notes>,
    path: &Path,
    (lang, format): (Lang, Format),
    out: &mut dyn Write,
) -> io::Result<()> {
    let refused = notes.and_then(|notes| notes.refused.as_ref());
    if format == Format::Json {
        let mut object = failure.to_json(record, lang);
        let mut phh = notes.and_then(noted).unwrap_or_else(|| json!({}));
        if let Some((index, text)) = refused {
            phh["action"] = if *index > 0 { (*index).into() } else { Value::Null };
            phh["text"] = text.as_str().into();
        }
        if phh != json!({}) {
            object.insert("phh".to_owned(), phh);
        }
        if let Some(notes) = notes {
            remarked(&mut object, notes, lang);
        }
        return writeln!(out, "{}", Value::Object(object));
    }
    out.flush()?;
    let what = failure.sentence(lang);
    let what = match (refused, &failure.seat, &failure.text) {
        (Some((0, text)), _, _) => message!("replay-compared", text, what),
        (Some((index, text)), _, _) => message!("replay-action-index", index, text, what),
        (None, Some(seat), Some(text)) => message!("replay-action-of", seat, text, what),
        _ => what.into(),
    };
    let (file, reason) = (path.display(), failure.reason);
    let mut line = say(lang, &message!("replay-where", file, line = failure.line, record, what, reason));
    if let Some(unit) = notes.and_then(Notes::unit) {
        line.push_str(&format!(" [{}]", say(lang, &Message::plain("replay-unit").with("unit", unit))));
    }
    complain(&line);
    Ok(())
}

/// A key of an outcome as people read it.
fn label(key: &str, lang: Lang) -> String {
    say(lang, &Message::plain("replay-label").with("key", key))
}

/// A replayed record for people: the board and its score on the first line, what happened below it.
fn replay_text(answer: &Map<String, Value>, lang: Lang) -> String {
    let shown = |value: Option<&Value>| plain(value, lang);
    let record = Message::plain("replay-record").with("number", shown(answer.get("record")));
    let mut text = say(lang, &record);
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
        text.push_str(&format!(" · {}", say(lang, &message!("replay-ended"))));
    } else {
        let who = answer.get("turn").or_else(|| answer.get("waiting"));
        let unfinished = Message::plain("replay-unfinished").with("who", shown(who));
        text.push_str(&format!(" · {}", say(lang, &unfinished)));
    }
    let actions = Message::plain("replay-actions").with("count", shown(answer.get("actions")));
    text.push_str(&format!(" · {}\n", say(lang, &actions)));
    let outcome = answer.get("outcome").and_then(Value::as_object).into_iter().flatten();
    for (key, value) in outcome.chain(answer.get_key_value("phh")) {
        text.push_str(&format!("    {}: {}\n", label(key, lang), shown(Some(value))));
    }
    text.push_str(&format!("    {}: {}\n", label("hash", lang), shown(answer.get("hash"))));
    text
}

/// The legal actions of a seat, one per line after the seat's name.
fn legal_text(answer: &Map<String, Value>, lang: Lang) -> String {
    let shown = |value: Option<&Value>| plain(value, lang);
    let Some(Value::String(seat)) = answer.get("seat") else {
        let over = Message::plain("legal-over").with("number", shown(answer.get("record")));
        return say(lang, &over) + "\n";
    };
    let mut text = String::new();
    for action in answer.get("legal").and_then(Value::as_array).into_iter().flatten() {
        text.push_str(&format!("{seat} {}\n", shown(Some(action))));
    }
    for (key, value) in answer {
        if !["record", "seat", "legal", "cut", "unknown"].contains(&key.as_str()) && !value.is_null() {
            text.push_str(&format!("{seat} {key} = {}\n", shown(Some(value))));
        }
    }
    for (mark, sentence) in [("cut", "legal-cut"), ("unknown", "legal-unknown")] {
        if answer.get(mark) == Some(&Value::Bool(true)) {
            text.push_str(&format!("{seat} {}\n", say(lang, &Message::plain(sentence))));
        }
    }
    text
}

fn plain(value: Option<&Value>, lang: Lang) -> String {
    match value {
        None | Some(Value::Null) => "–".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => {
            items.iter().map(|item| plain(Some(item), lang)).collect::<Vec<_>>().join(", ")
        }
        Some(Value::Object(members)) => {
            let shown: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{} {}", label(key, lang), plain(Some(value), lang)))
                .collect();
            shown.join(" ")
        }
        Some(other) => other.to_string(),
    }
}
