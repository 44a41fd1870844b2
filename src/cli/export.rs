//! `fushi export`: boards of a bundle as records, or hold'em hands as PHH.
//!
//! The bundle is verified first (AI moves aside), so that nothing is written that was not played as announced.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value};

use super::deal::reference;
use super::{Ended, Trouble, all_of, print};
use crate::canonical::{self, Hash};
use crate::dealing::from_hex;
use crate::formats::Sitting;
use crate::games::holdem::{Holdem, phh};
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::games::{Game, GameKind};
use crate::journal::bundle::model::JournalLine;
use crate::journal::entry::RulesRef;
use crate::journal::record::Records;
use crate::journal::replay::replay;
use crate::journal::verify::{Options, Report, boards, verify};
use crate::journal::{EventLine, Header};
use crate::players::Levels;
use crate::words::{Lang, message, why};

/// The largest bundle that is read, in bytes.
const BUNDLE_MAX: u64 = 2 << 30;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum)]
enum Written {
    /// Records, as `replay` and `legal` read them: a header line and a line per action.
    #[default]
    Records,
    /// PHH, for hold'em: one hand as a `.phh` file, several as a `.phhs` file.
    Phh,
}

#[derive(Args, Debug)]
pub(super) struct ExportArgs {
    /// The bundle (`*.fushi`).
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// Only this board, by its number in the event.
    #[arg(long, value_name = "N")]
    board: Option<u32>,
    /// Only this table.
    #[arg(long, value_name = "T")]
    table: Option<u32>,
    /// What to write: records, or PHH for hold'em.
    #[arg(long, value_enum, default_value_t)]
    format: Written,
    /// The event’s journal in place of boards: one JSON object a line.
    #[arg(long, conflicts_with_all = ["board", "table", "format"])]
    journal: bool,
}

pub(super) fn export(args: &ExportArgs, lang: Lang) -> Ended {
    let path = args.bundle.display();
    let cannot =
        |error: &io::Error| Trouble::new(message!("cli-unreadable", file = &path, error = why(error)));
    if fs::metadata(&args.bundle).map_err(|error| cannot(&error))?.len() > BUNDLE_MAX {
        return Err(Trouble::new(message!("export-too-large", path = &path, bundle_max = BUNDLE_MAX)));
    }
    let bytes = fs::read(&args.bundle).map_err(|error| cannot(&error))?;
    let report = verify(bytes.as_slice(), &Options { announcement: None, ai: false })
        .map_err(|wrong| Trouble::new(message!("cli-on-file", file = &path, what = wrong.sentence(lang))))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| cannot(&io::Error::new(io::ErrorKind::InvalidData, error)))?;
    if args.journal {
        print(&journal(text))?;
        return Ok(ExitCode::SUCCESS);
    }
    let kind: GameKind = report.game.parse().map_err(Trouble::new)?;
    let written = match (kind, args.format) {
        (GameKind::Holdem, Written::Phh) => hands(args, &report, text, lang)?,
        (kind, Written::Phh) => {
            return Err(Trouble::usage(message!("export-only-holdem", kind)));
        }
        (GameKind::Wakeng, Written::Records) => records::<Wakeng>(args, text, lang)?,
        (GameKind::Tuolaji, Written::Records) => records::<Tuolaji>(args, text, lang)?,
        (GameKind::Holdem, Written::Records) => records::<Holdem>(args, text, lang)?,
    };
    print(&written)?;
    Ok(ExitCode::SUCCESS)
}

/// The event's journal of a bundle that has been verified, one line each.
fn journal(text: &str) -> String {
    let line = |line: &str| {
        let Ok(Value::Object(mut object)) = serde_json::from_str::<Value>(line) else { return None };
        if object.shift_remove("section")? != "event" {
            return None;
        }
        let hash: Hash = from_hex("hash", object.shift_remove("hash")?.as_str()?).ok()?;
        let line = EventLine::read(&canonical::of_value(&Value::Object(object)).ok()?).ok()?;
        Some(line.printed(&hash) + "\n")
    };
    text.lines().filter_map(line).collect()
}

/// A journal that was asked for, as a record.
struct Found<G: Game> {
    sitting: Sitting,
    header: Header<G>,
    record: String,
}

fn records<G: Levels>(args: &ExportArgs, text: &str, lang: Lang) -> Result<String, Trouble> {
    Ok(found::<G>(args, text, lang)?.into_iter().map(|found| found.record).collect())
}

/// The journals that were asked for, in the bundle's order.
fn found<G: Levels>(args: &ExportArgs, text: &str, lang: Lang) -> Result<Vec<Found<G>>, Trouble> {
    let headers = boards::<G>(text.as_bytes()).map_err(|wrong| Trouble::new(wrong.sentence(lang)))?;
    let mut found: Vec<Found<G>> = Vec::new();
    let mut taking = false;
    for line in text.lines() {
        let Ok(Value::Object(mut object)) = serde_json::from_str::<Value>(line) else { continue };
        if object.get("section").is_none() {
            if let Some(last) = found.last_mut().filter(|_| taking) {
                let proved = matches!(last.header.rules_ref, RulesRef::Named(_));
                last.record.push_str(&action(&object, proved));
            }
            continue;
        }
        taking = object.get("section").and_then(Value::as_str) == Some("journal");
        if !taking {
            continue;
        }
        object.shift_remove("section");
        let line: JournalLine = serde_json::from_value(Value::Object(object))
            .map_err(|error| Trouble::new(message!("export-journal-broken", error)))?;
        let known = headers.get(&line.sitting);
        taking = known.is_some_and(|(sitting, _)| {
            args.board.is_none_or(|board| board == sitting.deal.board)
                && args.table.is_none_or(|table| table == sitting.table)
        });
        if let (true, Some((sitting, header))) = (taking, known) {
            let (sitting, mut header) = (sitting.clone(), header.clone());
            // A ruleset that is not shipped is written out, so that the record can be read anywhere.
            header.rules_ref = reference::<G>(&header.rules)?;
            let record = Value::Object(header.write()).to_string() + "\n";
            found.push(Found { sitting, header, record });
        }
    }
    if found.is_empty() {
        let numbers = || headers.values().map(|(sitting, _)| sitting.deal.board);
        let (first, last) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        return Err(Trouble::new(message!("export-no-board", first, last)));
    }
    Ok(found)
}

/// An action or a note as the line of a record. Its hash is the chain's only if the header is the receipt's.
fn action(entry: &Map<String, Value>, proved: bool) -> String {
    let keys = ["note", "seat", "do", "after", "at", "by", "who", "ms", "hash"];
    let line: Map<String, Value> = keys
        .into_iter()
        .filter(|key| proved || *key != "hash")
        .filter_map(|key| Some((key.to_owned(), entry.get(key)?.clone())))
        .collect();
    Value::Object(line).to_string() + "\n"
}

/// Hold'em hands as PHH.
fn hands(args: &ExportArgs, report: &Report, text: &str, lang: Lang) -> Result<String, Trouble> {
    let mut hands = Vec::new();
    for Found { sitting, header, record } in found::<Holdem>(args, text, lang)? {
        let raw = Records::new(record.as_bytes())
            .next()
            .and_then(Result::ok)
            .ok_or_else(|| Trouble::new(message!("export-journal-unreadable")))?;
        let replayed = replay::<Holdem>(&raw, &[Arc::clone(&header.rules)])
            .map_err(|failure| Trouble::new(failure.sentence(lang)))?;
        let actions: Vec<_> = replayed.entries.iter().map(|entry| (entry.seat, entry.action)).collect();
        let seats = usize::from(Holdem::seats(&header.start));
        let players = (0..seats)
            .filter_map(|seat| Holdem::seat_name(crate::games::Seat(u8::try_from(seat).ok()?)))
            .map(|name| sitting.seats.get(name).cloned().flatten().unwrap_or_default())
            .collect();
        let notes = phh::Notes {
            hand: Some(format!("board {} table {}", sitting.deal.board, sitting.table)),
            event: Some(report.event.clone()),
            players,
        };
        hands.push(
            phh::write(&header.rules, &header.start, &actions, &notes)
                .map_err(|list| Trouble::new(all_of(&list)))?,
        );
    }
    Ok(if let [hand] = hands.as_slice() { hand.clone() } else { phh::write_many(&hands) })
}
