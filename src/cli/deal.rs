//! `fushi deal`: boards from a seed or from a set key, for people or as header lines of records.

use std::fs;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde_json::{Map, Value};

use super::{Ended, Format, Trouble, all_of, complain};
use crate::cards::{parse_cards, write_cards};
use crate::dealing::{DealError, DelayedValue, SetDealer, SetKey, fresh_master, from_hex, is_id};
use crate::games::{Fault, Game, GameKind, Ruleset, Seat, board_setup, rulesets};
use crate::journal::entry::RulesRef;
use crate::journal::header::Header;
use crate::words::{Lang, message, say, why};

/// The most boards of one call.
const MOST_BOARDS: u32 = 1_000_000;
/// The set of boards that are dealt from a seed, unless `--set` names another.
const PRACTICE_SET: &str = "demo";

#[derive(Args, Debug)]
pub(super) struct DealArgs {
    /// The game: wakeng, tuolaji or holdem.
    #[arg(long, default_value = "wakeng", value_name = "GAME")]
    game: String,
    /// A shipped ruleset (default: the game's first).
    #[arg(long, value_name = "NAME", conflicts_with = "ruleset_file")]
    ruleset: Option<String>,
    /// A ruleset from a TOML file.
    #[arg(long, value_name = "FILE")]
    ruleset_file: Option<PathBuf>,
    /// Which boards: a range `1-16`, or how many from board 1.
    #[arg(long, default_value = "16", value_name = "RANGE")]
    boards: String,
    /// A seed for practice: 64 hexadecimal digits are taken as they are, any other text is hashed. Default: a new
    /// one, which is printed.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["set_key", "announcement_hash", "delayed"])]
    seed: Option<String>,
    /// The revealed key of a board set, 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", requires_all = ["announcement_hash", "set"])]
    set_key: Option<String>,
    /// SHA-256 of the announcement, 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", requires = "set_key")]
    announcement_hash: Option<String>,
    /// The delayed value in its normal form; leave it out if none was announced.
    #[arg(long, value_name = "TEXT", requires = "set_key")]
    delayed: Option<String>,
    /// The id of the board set (default with a seed: demo).
    #[arg(long, value_name = "ID")]
    set: Option<String>,
    /// How to print: hands, or one header line of a record per board.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What the boards are dealt from.
struct Source {
    key: SetKey,
    announcement_hash: [u8; 32],
    delayed: DelayedValue,
    set: String,
    /// A seed that nobody gave and that has to be printed.
    fresh_seed: Option<String>,
}

pub(super) fn deal(args: &DealArgs, lang: Lang) -> Ended {
    let kind: GameKind = args.game.parse().map_err(|_| {
        Trouble::usage(rulesets::not_known("game", &args.game, &GameKind::ALL.map(GameKind::name)))
    })?;
    match kind {
        GameKind::Wakeng => deal_game::<crate::games::wakeng::Wakeng>(args, lang),
        GameKind::Tuolaji => deal_game::<crate::games::tuolaji::Tuolaji>(args, lang),
        GameKind::Holdem => deal_game::<crate::games::holdem::Holdem>(args, lang),
    }
}

fn deal_game<G: Game>(args: &DealArgs, lang: Lang) -> Ended {
    let (rules_ref, rules) = rules_of::<G>(args)?;
    let (first, last) = boards_of(&args.boards)?;
    let source = source_of(args).map_err(|error| Trouble::new(say(lang, &error.message())))?;
    let setups = G::setups(&rules);
    let mut refused = None;
    let mut out = BufWriter::new(io::stdout().lock());
    let written = announce_seed(&source, args.format, lang, &mut out).and_then(|()| {
        let dealer =
            SetDealer::new(G::PACK, &source.key, &source.announcement_hash, &source.delayed, &source.set);
        for number in first..=last {
            let dealt = G::deal(&rules, board_setup(&setups, number), &dealer.order(number));
            let start = match dealt {
                Ok(start) => start,
                Err(faults) => {
                    refused = Some(faults);
                    break;
                }
            };
            let mut header = Header::<G>::new(format!("{}/{number}", source.set), Arc::clone(&rules), start);
            header.rules_ref.clone_from(&rules_ref);
            match args.format {
                Format::Json => writeln!(out, "{}", Value::Object(header.write()))?,
                Format::Text => out.write_all(board_text::<G>(&header).as_bytes())?,
            }
        }
        out.flush()
    });
    if let Some(faults) = refused {
        return Err(Trouble::new(all_of(&faults)));
    }
    match written {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // A reader that has gone away (`| head`) has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(Trouble::new(message!("cli-stdout", error = why(&error)))),
    }
}

/// A seed that was drawn for this call is shown, or the boards could never be dealt again.
fn announce_seed(source: &Source, format: Format, lang: Lang, out: &mut impl Write) -> io::Result<()> {
    match (&source.fresh_seed, format) {
        (None, _) => Ok(()),
        (Some(seed), Format::Text) => writeln!(out, "seed {seed}\n"),
        (Some(seed), Format::Json) => {
            complain(&say(lang, &message!("cli-dealt-again", seed)));
            Ok(())
        }
    }
}

fn source_of(args: &DealArgs) -> Result<Source, DealError> {
    let set = args.set.clone().unwrap_or_else(|| PRACTICE_SET.to_owned());
    if !is_id(&set) {
        return Err(DealError::BadId { what: "--set" });
    }
    if let Some(key) = &args.set_key {
        let hash = args.announcement_hash.as_deref().unwrap_or_default();
        return Ok(Source {
            key: SetKey::from_hex(key)?,
            announcement_hash: from_hex("--announcement-hash", hash)?,
            delayed: args
                .delayed
                .as_deref()
                .map_or_else(|| Ok(DelayedValue::none()), DelayedValue::read_text)?,
            set,
            fresh_seed: None,
        });
    }
    let (key, fresh_seed) = match &args.seed {
        Some(seed) if seed.trim().is_empty() || seed.len() > 1024 => return Err(DealError::BadSeed),
        Some(seed) => (SetKey::practice(seed), None),
        None => {
            let seed = fresh_master()?.expose_hex().to_string();
            (SetKey::practice(&seed), Some(seed))
        }
    };
    Ok(Source { key, announcement_hash: [0; 32], delayed: DelayedValue::none(), set, fresh_seed })
}

/// `1-16`, `7`: the first and the last board.
fn boards_of(text: &str) -> Result<(u32, u32), Trouble> {
    let number = |word: &str| {
        let plain = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        word.parse::<u32>().ok().filter(|number| plain && *number > 0)
    };
    let range = match text.split_once('-') {
        Some((first, last)) => number(first).zip(number(last)),
        None => number(text).map(|last| (1, last)),
    };
    let shown: String = text.chars().take(40).collect();
    match range {
        Some((first, last)) if first <= last && last - first < MOST_BOARDS => Ok((first, last)),
        Some((first, last)) if first <= last => {
            Err(Trouble::new(message!("cli-boards-most", shown, most_boards = MOST_BOARDS)))
        }
        _ => Err(Trouble::new(message!("cli-boards-range", shown))),
    }
}

type Rules<G> = (RulesRef, Arc<<G as Game>::Rules>);

fn rules_of<G: Game>(args: &DealArgs) -> Result<Rules<G>, Trouble> {
    let named = |rules: Arc<G::Rules>| (RulesRef::Named(rules.name().to_owned()), rules);
    match (&args.ruleset, &args.ruleset_file) {
        (Some(name), _) => {
            rulesets::shipped::<G>(name).map(named).map_err(|faults| Trouble::usage(all_of(&faults)))
        }
        (None, None) => rulesets::default::<G>().map(named).map_err(|faults| Trouble::new(all_of(&faults))),
        (None, Some(path)) => {
            let text = ruleset_text(path)?;
            let rules = rulesets::parse::<G>(&text).map_err(|faults| in_file(path, &faults))?;
            Ok((reference::<G>(&rules)?, Arc::new(rules)))
        }
    }
}

/// The text of a ruleset file; never more of it than a ruleset can have, whatever the path leads to.
pub(super) fn ruleset_text(path: &Path) -> Result<String, Trouble> {
    let cannot = |error: io::Error| {
        Trouble::new(message!("cli-unreadable", file = path.display(), error = why(&error)))
    };
    let mut text = String::new();
    fs::File::open(path)
        .and_then(|file| file.take(rulesets::FILE_MAX + 1).read_to_string(&mut text))
        .map_err(cannot)?;
    if text.len() as u64 > rulesets::FILE_MAX {
        return Err(Trouble::new(message!(
            "cli-ruleset-long",
            file = path.display(),
            longest_ruleset = rulesets::FILE_MAX
        )));
    }
    Ok(text)
}

/// How a header names a ruleset from a file, so that others can read the record: by name if it is a shipped one,
/// else as a base with every field that differs.
pub(super) fn reference<G: Game>(rules: &G::Rules) -> Result<RulesRef, Trouble> {
    match rulesets::overrides::<G>(rules).map_err(|faults| Trouble::new(all_of(&faults)))? {
        None => Ok(RulesRef::Named(rules.name().to_owned())),
        Some(changes) => Ok(RulesRef::Overridden(changes)),
    }
}

/// What is wrong in a ruleset file.
pub(super) fn in_file(path: &Path, faults: &[Fault]) -> Trouble {
    Trouble::new(message!("cli-on-file", file = path.display(), what = all_of(faults)))
}

/// A board for people: its name and settings, then a line per hand, sorted.
fn board_text<G: Game>(header: &Header<G>) -> String {
    let start = G::write_start(&header.start);
    let mut text = header.board.clone().unwrap_or_default();
    for (key, value) in start.iter().filter(|(key, _)| *key != "deal") {
        text.push_str(&format!(" · {key} {}", plain(value)));
    }
    text.push('\n');
    for (name, cards) in hands::<G>(&start) {
        text.push_str(&format!("  {name:<7} {cards}\n"));
    }
    text.push('\n');
    text
}

/// The rows of a deal. Cards that are drawn one by one are shown as the hands they end up in.
fn hands<G: Game>(start: &Map<String, Value>) -> Vec<(String, String)> {
    let Some(Value::Object(deal)) = start.get("deal") else { return Vec::new() };
    if let Some(Value::String(draw)) = deal.get("draw") {
        return drawn_hands::<G>(draw, start.get("banker").and_then(Value::as_str));
    }
    let mut rows = Vec::new();
    for (key, value) in deal {
        match value {
            Value::Object(seats) => {
                rows.extend(seats.iter().map(|(seat, cards)| (seat.clone(), plain(cards))));
            }
            other => rows.push((key.clone(), plain(other))),
        }
    }
    rows
}

/// Hands of 25 and the bottom of 8 from the drawing order, the banker drawing first.
fn drawn_hands<G: Game>(draw: &str, banker: Option<&str>) -> Vec<(String, String)> {
    let cards = parse_cards(draw).unwrap_or_default();
    let names: Vec<&str> = (0..4).map(Seat).filter_map(G::seat_name).collect();
    let first = banker.and_then(G::seat_named).map_or(0, Seat::index);
    let sorted = |mut hand: Vec<_>| {
        hand.sort_unstable();
        write_cards(hand)
    };
    let mut rows: Vec<(String, String)> = names
        .iter()
        .enumerate()
        .map(|(seat, name)| {
            let from = (seat + 4 - first) % 4;
            let hand = cards.iter().take(100).skip(from).step_by(4).copied().collect();
            ((*name).to_owned(), sorted(hand))
        })
        .collect();
    rows.push(("bottom".to_owned(), sorted(cards.iter().skip(100).copied().collect())));
    rows
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}
