//! `fushi play`: AI players over the network, each with a token; also the load tool.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::{Ended, Format, Trouble, complain, print};
use crate::client::{self, Report, Settings, Tally};
use crate::games::holdem::Holdem;
use crate::games::rulesets;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::players;
use crate::words::{Lang, Message, message, say, why};

/// A token file that is longer is none.
const FILE_MAX: u64 = 64 << 20;

#[derive(Args, Debug)]
pub(super) struct PlayArgs {
    /// The server: http://HOST:PORT.
    #[arg(long, value_name = "URL")]
    url: String,
    /// A player's token; may be given several times.
    #[arg(long, value_name = "TOKEN")]
    token: Vec<String>,
    /// A file with one token a line.
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// The AI level (default: the default level of the event's game).
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    /// How long to wait before every action, ms.
    #[arg(long, default_value_t = 0, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    think: u64,
    /// Drop the connection after so many of 1,000 messages, and come back.
    #[arg(long, default_value_t = 0, value_name = "PER_MILLE", value_parser = clap::value_parser!(u32).range(..=1000))]
    disconnect: u32,
    /// Send every action one to five times and expect the same answer every time.
    #[arg(long)]
    repeat_commands: bool,
    /// Stop after so many seconds (default: when the event is over).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    seconds: Option<u64>,
    /// How to print: text, or one JSON object (docs/protocol.md).
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A mistake in the use of the command.
fn usage(sentence: &Message, lang: Lang) -> ExitCode {
    complain(&say(lang, sentence));
    ExitCode::from(2)
}

pub(super) fn play(args: &PlayArgs, lang: Lang) -> Ended {
    let address = match client::run::socket_address(&args.url, lang) {
        Ok(address) => address,
        Err(sentence) => return Ok(usage(&sentence, lang)),
    };
    if let Some(sentence) = args.level.as_deref().and_then(unknown_level) {
        return Ok(usage(&sentence, lang));
    }
    let tokens = tokens(args)?;
    if tokens.is_empty() {
        return Ok(usage(&message!("play-no-token"), lang));
    }
    if tokens.iter().collect::<BTreeSet<_>>().len() < tokens.len() {
        return Ok(usage(&message!("play-token-twice"), lang));
    }
    let settings = Settings {
        address,
        lang,
        level: args.level.clone(),
        think: Duration::from_millis(args.think),
        disconnect: args.disconnect,
        repeat: args.repeat_commands,
        time: args.seconds.map(Duration::from_secs),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Trouble::new(message!("play-no-threads", error = why(&error))))?;
    let mut progress = Progress::new(lang, tokens.len());
    let (report, tally) = runtime.block_on(client::play(settings, tokens, |tally| progress.show(tally)));
    progress.end(&tally);
    let text = match args.format {
        Format::Json => serde_json::to_string(&report)
            .map(|line| line + "\n")
            .map_err(|error| Trouble::new(error.to_string()))?,
        Format::Text => text(&report, lang),
    };
    print(&text)?;
    let well = report.violations == 0 && report.failed == 0;
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The sentence for a level that no game has.
fn unknown_level(level: &str) -> Option<Message> {
    let mut known: Vec<&str> = Vec::new();
    let infos = [players::infos::<Wakeng>(), players::infos::<Tuolaji>(), players::infos::<Holdem>()];
    for info in infos.iter().flatten() {
        if !known.contains(&info.name) {
            known.push(info.name);
        }
    }
    (!known.contains(&level)).then(|| rulesets::not_known("AI level", level, &known))
}

fn tokens(args: &PlayArgs) -> Result<Vec<String>, Trouble> {
    let mut tokens = args.token.clone();
    if let Some(path) = &args.tokens {
        let cannot =
            |error| Trouble::new(message!("cli-unreadable", file = path.display(), error = why(&error)));
        if fs::metadata(path).map_err(cannot)?.len() > FILE_MAX {
            return Err(Trouble::new(message!("play-tokens-long", file = path.display())));
        }
        let text = fs::read_to_string(path).map_err(cannot)?;
        tokens.extend(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned));
    }
    Ok(tokens)
}

/// The line on the terminal, and the violations as they come.
struct Progress {
    bar: ProgressBar,
    lang: Lang,
    players: usize,
    told: usize,
}

impl Progress {
    fn new(lang: Lang, players: usize) -> Progress {
        // Drawn on standard error, and only on a terminal.
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        Progress { bar, lang, players, told: 0 }
    }

    fn show(&mut self, tally: &Tally) {
        self.tell(tally);
        let message = Message::plain("play-progress")
            .with("connected", tally.connected)
            .with("players", self.players)
            .with("boards", tally.boards.len())
            .with("actions", tally.actions)
            .with("violations", tally.violations);
        self.bar.set_message(say(self.lang, &message));
        self.bar.tick();
    }

    fn tell(&mut self, tally: &Tally) {
        for violation in tally.told.iter().skip(self.told) {
            self.bar.suspend(|| complain(violation));
        }
        self.told = tally.told.len();
    }

    fn end(&mut self, tally: &Tally) {
        self.tell(tally);
        self.bar.finish_and_clear();
        if let Some(failure) = &tally.failure {
            complain(failure);
        }
    }
}

/// Microseconds as milliseconds with one decimal.
fn ms(micros: u32) -> String {
    format!("{}.{}", micros / 1000, micros / 100 % 10)
}

fn text(report: &Report, lang: Lang) -> String {
    let counts = Message::plain("play-counts")
        .with("boards", report.boards)
        .with("actions", report.actions)
        .with("refused", report.refused)
        .with("reconnects", report.reconnects)
        .with("messages", report.messages);
    let latency = report.latency_us;
    let speed = Message::plain("play-speed")
        .with("rate", report.actions_per_s)
        .with("seconds", report.elapsed_ms / 1000)
        .with("p50", ms(latency.p50))
        .with("p90", ms(latency.p90))
        .with("p99", ms(latency.p99))
        .with("max", ms(latency.max));
    let verdict = match (report.violations, report.failed) {
        (0, 0) => Message::plain("play-clean"),
        (violations, failed) => {
            Message::plain("play-faults").with("violations", violations).with("failed", failed)
        }
    };
    [counts, speed, verdict].iter().map(|message| say(lang, message) + "\n").collect()
}
