//! The command line: one file per subcommand, no logic of its own.
//!
//! Exit codes: 0 all is well, 1 the input is wrong, 2 the command was used wrongly. Errors are one line on standard
//! error that says what to do.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::{FromArgMatches as _, Parser, Subcommand, ValueEnum};

use crate::games::Fault;
use crate::words::{Lang, Message, Part, message, say, why};

mod backup;
mod deal;
mod demo;
mod demo_text;
mod equity;
mod export;
mod help;
mod interrupt;
mod match_levels;
mod play;
mod rank;
mod records;
mod serve;
mod verify;

/// Competition software for card games: sealed deals, enforced rules, exact scoring, offline proof.
#[derive(Parser, Debug)]
#[command(name = "fushi", version, about, propagate_version = true)]
struct Cli {
    /// Language of sentences: en, zh-CN or zh-TW (default: as the environment says).
    #[arg(long, global = true, value_name = "LANG")]
    lang: Option<Lang>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Deal boards from a seed or a revealed set key: hands, or header lines of records.
    Deal(deal::DealArgs),
    /// Play a whole event among AI players, from the announcement to a bundle that anybody can check.
    Demo(demo::DemoArgs),
    /// Replay board records through the rules: the outcome, or the first illegal action with its reason.
    Replay(records::ReplayArgs),
    /// The legal actions at the end of a record.
    Legal(records::LegalArgs),
    /// The share of the pot that each of several hold'em hands wins on average.
    Equity(equity::EquityArgs),
    /// Score rates, ranking and cross-tabulations from a plain results file.
    Rank(Box<rank::RankArgs>),
    /// The server: events are set up, played and published over HTTP.
    Serve(serve::ServeArgs),
    /// Copies a database while a server plays on it.
    Backup(backup::BackupArgs),
    /// Makes a database from a backup.
    Restore(backup::RestoreArgs),
    /// Boards of a bundle as records, or hold'em hands as PHH.
    Export(export::ExportArgs),
    /// Check a bundle offline: deal, replay, score and rank everything again.
    Verify(verify::VerifyArgs),
    /// Play over the network with AI levels: sample client, load tool and critic of a server.
    Play(play::PlayArgs),
    /// Let two AI levels play the same boards with rotated seats: win rate with confidence interval.
    Match(match_levels::MatchArgs),
}

/// How a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: the documented schema.
    Json,
}

/// What is wrong, as one line that says what to do. Ends the program with exit code 1, or with 2 if not the input but
/// the command is wrong.
#[derive(Debug)]
pub struct Trouble {
    sentence: Message,
    usage: bool,
}

impl Trouble {
    /// Trouble in a sentence.
    pub fn new(sentence: impl Into<Message>) -> Trouble {
        Trouble { sentence: sentence.into(), usage: false }
    }

    /// A wrong value of an argument: the command was used wrongly.
    pub fn usage(sentence: impl Into<Message>) -> Trouble {
        Trouble { sentence: sentence.into(), usage: true }
    }
}

/// Every one of several faults.
fn all_of(faults: &[Fault]) -> Message {
    let told: Vec<Message> = faults.iter().map(|fault| fault.told.clone()).collect();
    message!("verbatim", text = Part::List(told))
}

/// What a subcommand ends with.
pub type Ended = Result<ExitCode, Trouble>;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let lang = help::asked(std::env::args_os().skip(1)).unwrap_or_else(environment_lang);
    let matches = help::commands(lang).try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output with exit code 0, mistakes to standard error with 2.
            if error.use_stderr() {
                complain(&help::mistake(&error, lang));
                return ExitCode::from(2);
            }
            if lang == Lang::En {
                let _ = error.print();
            } else if let Err(trouble) = print(&help::page(&error.render().to_string(), lang)) {
                complain(&say(lang, &trouble.sentence));
                return ExitCode::FAILURE;
            }
            return ExitCode::SUCCESS;
        }
    };
    let lang = cli.lang.unwrap_or(lang);
    // The server has its own way to end: what was acknowledged is durable, and it says good-bye.
    if !matches!(cli.command, Command::Serve(_) | Command::Play(_)) {
        interrupt::watch();
    }
    let ended = match &cli.command {
        Command::Deal(args) => deal::deal(args, lang),
        Command::Replay(args) => records::replay(args, lang),
        Command::Legal(args) => records::legal(args, lang),
        Command::Equity(args) => equity::equity(args, lang),
        Command::Rank(args) => rank::rank(args, lang),
        Command::Demo(args) => demo::demo(args, lang),
        Command::Serve(args) => serve::serve(args, lang),
        Command::Backup(args) => backup::make(args, lang),
        Command::Restore(args) => backup::bring_back(args, lang),
        Command::Export(args) => export::export(args, lang),
        Command::Verify(args) => verify::verify(args, lang),
        Command::Play(args) => play::play(args, lang),
        Command::Match(args) => match_levels::match_levels(args, lang),
    };
    ended.unwrap_or_else(|trouble| {
        complain(&say(lang, &trouble.sentence));
        ExitCode::from(if trouble.usage { 2 } else { 1 })
    })
}

/// Writes one line to standard error.
pub fn complain(sentence: &str) {
    let line = visible(&sentence.lines().collect::<Vec<_>>().join(" ")).replace('\r', "\\r");
    let _ = writeln!(io::stderr().lock(), "fushi: {line}");
}

/// A text without control characters, so that names out of files do nothing to a terminal; ends of lines and tabs stay.
pub fn visible(text: &str) -> std::borrow::Cow<'_, str> {
    // Beside the control characters those that turn the direction of writing.
    let acts = |letter: char| {
        (letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(acts) {
        return text.into();
    }
    let escaped = text
        .chars()
        .map(|letter| if acts(letter) { letter.escape_unicode().to_string() } else { letter.to_string() });
    escaped.collect::<String>().into()
}

/// Writes to standard output; a reader that has gone away (`| head`) ends the program quietly.
pub fn print(text: &str) -> Result<(), Trouble> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() { visible(text) } else { text.into() };
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Trouble::new(message!("cli-stdout", error = why(&error)))),
    }
}

/// The language that the environment asks for.
fn environment_lang() -> Lang {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
        .map_or(Lang::En, |value| Lang::of_locale(&value))
}
