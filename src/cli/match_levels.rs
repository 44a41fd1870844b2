//! `fushi match`: two AI levels against each other over the same boards with rotated seats.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::{Ended, Format, Trouble, print};
use crate::games::holdem::Holdem;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::games::{Fault, GameKind, rulesets};
use crate::players::{Duel, Levels, duel, parse_levels};
use crate::words::{Lang, Message, say};

/// More boards than anybody waits for.
const BOARDS_MAX: u32 = 100_000;

#[derive(Args, Debug)]
pub(super) struct MatchArgs {
    /// The game: wakeng, tuolaji or holdem.
    #[arg(long, default_value = "wakeng", value_name = "GAME")]
    game: GameKind,
    /// The two levels, different ones; the win rate is that of the first. 50 % is an even match: a level is called
    /// stronger only where the whole 95 % interval lies above or below that.
    #[arg(long, value_name = "LEVEL,LEVEL")]
    levels: String,
    /// How many boards.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(BOARDS_MAX)))]
    boards: u32,
    /// A shipped ruleset (default: the game's default).
    #[arg(long, value_name = "NAME", conflicts_with = "ruleset_file")]
    ruleset: Option<String>,
    /// A ruleset from a TOML file.
    #[arg(long, value_name = "FILE")]
    ruleset_file: Option<std::path::PathBuf>,
    /// What the boards and the chance of the levels are drawn from.
    #[arg(long, default_value = "1", value_name = "TEXT")]
    seed: String,
    /// How to print: text, or one JSON object (docs/ai-authors.md).
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn match_levels(args: &MatchArgs, lang: Lang) -> Ended {
    let result = match args.game {
        GameKind::Wakeng => run::<Wakeng>(args, lang)?,
        GameKind::Tuolaji => run::<Tuolaji>(args, lang)?,
        GameKind::Holdem => run::<Holdem>(args, lang)?,
    };
    let text = match args.format {
        Format::Json => serde_json::to_string(&result)
            .map(|line| line + "\n")
            .map_err(|error| Trouble::new(error.to_string()))?,
        Format::Text => text(&result, lang),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn run<G: Levels>(args: &MatchArgs, lang: Lang) -> Result<Duel, Trouble> {
    let rules = match (&args.ruleset, &args.ruleset_file) {
        (Some(name), _) => rulesets::shipped::<G>(name).map_err(|faults| first(&faults))?,
        (None, None) => rulesets::default::<G>().map_err(|faults| first(&faults))?,
        (None, Some(path)) => {
            let text = super::deal::ruleset_text(path)?;
            Arc::new(rulesets::parse::<G>(&text).map_err(|faults| super::deal::in_file(path, &faults))?)
        }
    };
    let levels = parse_levels::<G>(&args.levels).map_err(|faults| first(&faults))?;
    let [level, against] = levels.as_slice() else {
        let names: Vec<&str> = G::levels().iter().rev().map(|level| level.info().name).take(2).collect();
        let message = Message::plain("players-match-two").with("levels", names.join(","));
        return Err(Trouble::usage(say(lang, &message)));
    };
    if level.info().name == against.info().name {
        let message = Message::plain("players-match-same").with("level", level.info().name);
        return Err(Trouble::usage(say(lang, &message)));
    }
    // Drawn on standard error, and only on a terminal.
    let bar = ProgressBar::new(u64::from(args.boards));
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    let result = duel::<G>(&rules, *level, *against, args.boards, &args.seed, |done| {
        bar.set_position(u64::from(done));
    });
    bar.finish_and_clear();
    result.map_err(|error| Trouble::new(error.to_string()))
}

fn first(faults: &[Fault]) -> Trouble {
    Trouble::usage(faults.first().map_or_else(|| "".into(), |fault| fault.told.clone()))
}

/// Parts in a million as per cent with two decimals.
fn percent(ppm: u32) -> String {
    format!("{}.{:02}", ppm / 10_000, ppm / 100 % 100)
}

fn text(duel: &Duel, lang: Lang) -> String {
    let result = Message::plain("players-match")
        .with("level", duel.level)
        .with("against", duel.against)
        .with("rate", percent(duel.rate_ppm))
        .with("low", percent(duel.interval_ppm.0))
        .with("high", percent(duel.interval_ppm.1));
    let counts = Message::plain("players-match-counts")
        .with("boards", duel.boards)
        .with("comparisons", duel.comparisons)
        .with("won", duel.won)
        .with("tied", duel.tied)
        .with("lost", duel.lost)
        .with("points", duel.points);
    let verdict = match (duel.significant, duel.rate_ppm > 500_000) {
        (false, _) => Message::plain("players-match-open"),
        (true, true) => Message::plain("players-match-better").with("level", duel.level),
        (true, false) => Message::plain("players-match-better").with("level", duel.against),
    };
    [result, counts, verdict].iter().map(|message| say(lang, message) + "\n").collect()
}
