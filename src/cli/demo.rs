//! `fushi demo`.

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::demo_text::{json, text};
use super::interrupt::{self, Unfinished};
use super::{Ended, Format, Trouble, all_of, print};
use crate::canonical::sha256;
use crate::desk::demo::{self, Groups, Played, Progress, Request};
use crate::event::archive::Archive;
use crate::formats;
use crate::formats::settings::Measure;
use crate::games::holdem::Holdem;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::games::{GameKind, rulesets};
use crate::players::{self, Levels};
use crate::scoring::{Method, Rules, said};
use crate::store::{Store, settled, sync_folder};
use crate::words::{Lang, Message, message, say, why};

/// Slips in a thousand decisions that an entrant makes at most.
const SLIPS: u32 = 180;

#[derive(Args, Debug)]
pub(super) struct DemoArgs {
    /// How many entrants.
    #[arg(long, default_value_t = 24, value_name = "N")]
    entrants: u32,
    /// How many boards; not with round-robin, where the groups say it.
    #[arg(long, default_value_t = 16, value_name = "N")]
    boards: u32,
    /// The game: wakeng, tuolaji or holdem.
    #[arg(long, default_value_t = GameKind::Wakeng, value_name = "GAME")]
    game: GameKind,
    /// The kind of event: movement, round-robin, or a kind of movement (default: the game’s usual movement).
    #[arg(long, value_enum, value_name = "KIND")]
    event_format: Option<EventFormat>,
    /// Maximum number of entrants of a group of a round-robin.
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=64))]
    group_size: u32,
    /// Number of boards of a meeting in a round-robin.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    deals: u32,
    /// How many of each group advance to the final of a round-robin.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    quota: u32,
    /// A ruleset by name (default: the game's first).
    #[arg(long, value_name = "NAME", conflicts_with = "ruleset_file")]
    ruleset: Option<String>,
    /// A ruleset from a TOML file.
    #[arg(long, value_name = "FILE")]
    ruleset_file: Option<PathBuf>,
    /// Any text; the same seed plays the same event (default: drawn, and printed).
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// The levels that the entrants play like, in turn (default: all but random).
    #[arg(long, value_name = "LEVEL,LEVEL…")]
    ai: Option<String>,
    /// The level of AI opponents and stand-ins (default: the game's default level).
    #[arg(long, value_name = "LEVEL")]
    opponents: Option<String>,
    /// The scoring method.
    #[arg(long, default_value_t = Method::ScoreRate, value_name = "METHOD")]
    method: Method,
    /// Which number of a board is compared (default: score; tuolaji by cross-imp: small-points).
    #[arg(long, value_enum, value_name = "NUMBER")]
    measure: Option<Compared>,
    /// A board that a referee declares void after the play; it is replayed from the reserve set.
    #[arg(long, value_name = "BOARD")]
    replay_board: Option<u32>,
    /// The folder for bundle and database (default: the bundle in the current folder, the database thrown away).
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Replace files of another content.
    #[arg(long)]
    force: bool,
    /// How to print: text, or one JSON object.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EventFormat {
    /// The game's usual movement.
    Movement,
    /// Groups in which everybody meets everybody, and a final of the first of each group.
    RoundRobin,
    /// Every entrant takes the same seat, AI players take the others.
    HumanAi,
    /// Entrants meet at tables and take every seat equally often.
    Individual,
    /// Pairs against pairs, compared by direction.
    Pairs,
}

/// Which number of a finished board is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Compared {
    /// The raw score.
    Score,
    /// Tuolaji's small points.
    SmallPoints,
}

pub(super) fn demo(args: &DemoArgs, lang: Lang) -> Ended {
    match args.game {
        GameKind::Wakeng => run::<Wakeng>(args, lang, EventFormat::HumanAi),
        GameKind::Tuolaji => run::<Tuolaji>(args, lang, EventFormat::Pairs),
        GameKind::Holdem => run::<Holdem>(args, lang, EventFormat::Individual),
    }
}

fn request<G: Levels>(args: &DemoArgs, usual: EventFormat) -> Result<Request<G>, Trouble> {
    let rules = match (&args.ruleset, &args.ruleset_file) {
        (Some(name), _) => rulesets::shipped::<G>(name).map_err(|list| Trouble::usage(all_of(&list)))?,
        (None, Some(path)) => {
            let text = super::deal::ruleset_text(path)?;
            Arc::new(rulesets::parse::<G>(&text).map_err(|list| super::deal::in_file(path, &list))?)
        }
        (None, None) => rulesets::default::<G>().map_err(|list| Trouble::new(all_of(&list)))?,
    };
    let levels = match &args.ai {
        Some(text) => players::parse_levels::<G>(text).map_err(|list| Trouble::usage(all_of(&list)))?,
        None => match G::levels() {
            [_, better @ ..] if !better.is_empty() => better.to_vec(),
            all => all.to_vec(),
        },
    };
    let opponents = players::find::<G>(args.opponents.as_deref().unwrap_or(G::DEFAULT_LEVEL))
        .map_err(|fault| Trouble::usage(fault.told))?;
    let seed = match &args.seed {
        Some(seed) if seed.trim().is_empty() || seed.chars().count() > 200 => {
            return Err(Trouble::new(message!("demo-bad-seed")));
        }
        Some(seed) => seed.clone(),
        None => drawn_seed()?,
    };
    let wanted = args.event_format.unwrap_or(EventFormat::Movement);
    let robin = wanted == EventFormat::RoundRobin;
    let kind = if matches!(wanted, EventFormat::Movement | EventFormat::RoundRobin) { usual } else { wanted };
    let format = match kind {
        // In a round-robin everybody meets everybody.
        EventFormat::HumanAi if robin => formats::Format::Individual,
        EventFormat::HumanAi | EventFormat::Movement | EventFormat::RoundRobin => {
            formats::Format::HumanAi { seat: 0 }
        }
        EventFormat::Individual => formats::Format::Individual,
        EventFormat::Pairs => formats::Format::Pairs,
    };
    let groups = Groups { group_size: args.group_size, deals: args.deals, quota: args.quota };
    Ok(Request {
        seed,
        entrants: args.entrants,
        boards: args.boards,
        format,
        round_robin: robin.then_some(groups),
        rules,
        levels,
        opponents,
        slips: SLIPS,
        measure: measure(args)?,
        scoring: scoring(args.method)?,
        replay: args.replay_board,
    })
}

/// Teams cannot be seated yet.
fn scoring(method: Method) -> Result<Rules, Trouble> {
    if method.is_teams() {
        Err(Trouble::new(message!("scoring-teams", method = Message::plain(said::method(method)))))
    } else {
        Ok(Rules::of(method))
    }
}

fn measure(args: &DemoArgs) -> Result<Measure, Trouble> {
    let tuolaji = args.game == GameKind::Tuolaji;
    match args.measure {
        Some(Compared::SmallPoints) if !tuolaji => Err(Trouble::new(message!("demo-small-points"))),
        Some(Compared::SmallPoints) => Ok(Measure::SmallPoints),
        None if tuolaji && args.method.is_imps() => Ok(Measure::SmallPoints),
        Some(Compared::Score) | None => Ok(Measure::Score),
    }
}

fn drawn_seed() -> Result<String, Trouble> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).map_err(|error| Trouble::new(message!("demo-no-randomness", error)))?;
    Ok(u32::from_le_bytes(bytes).to_string())
}

/// Where the files go.
struct Files {
    folder: PathBuf,
    bundle: PathBuf,
    /// Where the database stays, if it does.
    database: Option<PathBuf>,
    force: bool,
}

impl Files {
    fn new(args: &DemoArgs, id: &str) -> Result<Files, Trouble> {
        let folder = args.output.clone().unwrap_or_default();
        if args.output.is_some() {
            fs::create_dir_all(&folder).map_err(|error| {
                Trouble::new(message!("demo-no-folder", folder = folder.display(), error = why(&error)))
            })?;
        }
        let bundle = folder.join(format!("{id}.fushi"));
        let database = args.output.as_ref().map(|_| folder.join(format!("{id}.sqlite")));
        if let Some(place) = &database {
            alone(place)?;
        }
        Ok(Files { folder, bundle, database, force: args.force })
    }

    /// A folder for unfinished work beside its destination, removed with everything in it unless all goes well.
    fn workshop(&self) -> Result<(Unfinished, tempfile::TempDir), Trouble> {
        let made = match &self.database {
            Some(_) => tempfile::Builder::new().prefix(".fushi-demo-").tempdir_in(&self.folder),
            None => tempfile::Builder::new().prefix("fushi-demo-").tempdir(),
        };
        let made = made.map_err(|error| Trouble::new(message!("demo-no-workshop", error = why(&error))))?;
        Ok((Unfinished::at(made.path()), made))
    }

    /// Whether a file is in the way: it is there, has another content, and may not be replaced.
    fn in_the_way(&self, path: &Path, same: impl FnOnce() -> bool) -> Result<(), Trouble> {
        if self.force || !path.exists() || same() {
            return Ok(());
        }
        Err(Trouble::new(message!("demo-in-the-way", file = path.display())))
    }

    fn unwritable(&self, error: &std::io::Error) -> Trouble {
        Trouble::new(message!("cli-unwritable", file = self.bundle.display(), error = why(error)))
    }

    /// Writes the bundle beside its place, whole and durable.
    fn stage_bundle(&self, bytes: &[u8]) -> Result<(Unfinished, tempfile::NamedTempFile), Trouble> {
        let failed = |error: std::io::Error| self.unwritable(&error);
        let near = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let mut file = tempfile::Builder::new().prefix(".fushi-").tempfile_in(near).map_err(failed)?;
        let unfinished = Unfinished::at(file.path());
        {
            let mut out = BufWriter::new(file.as_file_mut());
            out.write_all(bytes).and_then(|()| out.flush()).map_err(failed)?;
        }
        file.as_file().sync_all().map_err(failed)?;
        readable(file.path()).map_err(failed)?;
        Ok((unfinished, file))
    }

    /// Moves the finished files to their places: all of them or none.
    fn put(&self, unfinished: &Path, bytes: &[u8]) -> Result<(), Trouble> {
        let (_staged, bundle) = self.stage_bundle(bytes)?;
        let held = interrupt::hold();
        if let Some(place) = &self.database {
            let failed = |error: std::io::Error| {
                Trouble::new(message!("cli-unwritable", file = place.display(), error = why(&error)))
            };
            // Not even by force: what is in a log that was left behind is in no other file.
            alone(place)?;
            fs::rename(unfinished, place).map_err(failed)?;
        }
        let put = bundle.persist(&self.bundle);
        let kept = sync_folder(&self.bundle);
        drop(held);
        put.map(|_| ()).map_err(|error| {
            // A database without its bundle would be half of an event.
            if let Some(place) = &self.database {
                let _ = fs::remove_file(place);
            }
            self.unwritable(&error.error)
        })?;
        kept.map_err(|error| self.unwritable(&error))
    }
}

/// Nothing stands beside a database's place that another file left behind.
fn alone(place: &Path) -> Result<(), Trouble> {
    settled(place).map_err(|error| Trouble::new(error.message()))
}

/// A temporary file is private; a bundle is made to be read by anybody.
#[cfg(unix)]
fn readable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

fn run<G: Levels>(args: &DemoArgs, lang: Lang, usual: EventFormat) -> Ended {
    let request = request::<G>(args, usual)?;
    let id = demo::id_of(&request.seed);
    demo::check(&request).map_err(|error| Trouble::new(error.message()))?;
    let files = Files::new(args, &id)?;
    let (_unfinished, workshop) = files.workshop()?;
    let unfinished = workshop.path().join("event.sqlite");
    let store = Store::open(&format!("sqlite:{}", unfinished.display()))
        .map_err(|error| Trouble::new(error.message()))?;
    let bar = progress_bar(args.format, lang);
    let played = demo::play(&store, &request, Vec::new(), &mut |step| match step {
        Progress::Planned(count) => bar.set_length(count),
        Progress::Played(count) => bar.inc(count),
        Progress::Publishing => bar.set_message(say(lang, &Message::plain("demo-publishing"))),
    });
    bar.finish_and_clear();
    let (played, bytes) = played.map_err(|error| Trouble::new(error.message()))?;
    files.in_the_way(&files.bundle, || fs::read(&files.bundle).is_ok_and(|old| old == bytes))?;
    if let Some(place) = &files.database {
        files.in_the_way(place, || same_event(place, &store, &id))?;
    }
    drop(store);
    files.put(&unfinished, &bytes)?;
    show(args, lang, &request, &played, &files, &hex::encode(sha256(&bytes)))
}

fn show<G: Levels>(
    args: &DemoArgs,
    lang: Lang,
    request: &Request<G>,
    played: &Played<G>,
    files: &Files,
    sum: &str,
) -> Ended {
    let next = format!("fushi verify {}", quoted(&files.bundle));
    let database = files.database.as_ref().map(|path| path.display().to_string());
    let bundle = files.bundle.display().to_string();
    let shown = super::demo_text::Shown {
        request,
        played,
        bundle: &bundle,
        sum,
        database: database.as_deref(),
        next: &next,
    };
    match args.format {
        Format::Json => print(&format!("{}\n", json(&shown)))?,
        Format::Text => print(&text(&shown, lang))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a database holds the very event that has just been played.
fn same_event(place: &Path, store: &Store, id: &str) -> bool {
    let Ok(old) = Store::open(&format!("sqlite:{}", place.display())) else { return false };
    let same = |old: &dyn Archive, new: &dyn Archive| {
        Some(
            old.announcement(id).ok()? == new.announcement(id).ok()?
                && old.checkpoints(id).ok()? == new.checkpoints(id).ok()?
                && old.event_lines(id, 0).ok()? == new.event_lines(id, 0).ok()?,
        )
    };
    same(&old, store).unwrap_or(false)
}

fn progress_bar(format: Format, lang: Lang) -> ProgressBar {
    let target = match format {
        Format::Json => ProgressDrawTarget::hidden(),
        // Hidden by itself when standard error is no terminal.
        Format::Text => ProgressDrawTarget::stderr_with_hz(10),
    };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    let style = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} {eta}");
    if let Ok(style) = style {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_message(say(lang, &Message::plain("demo-playing")));
    bar
}

/// A path as a shell reads it back.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_alphanumeric() || "._-/+:@%".contains(letter);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(plain) {
        text
    } else {
        let text = if text.starts_with('-') { format!("./{text}") } else { text };
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_can_be_pasted_into_a_shell() {
        assert_eq!(quoted(Path::new("out/demo-7.fushi")), "out/demo-7.fushi");
        assert_eq!(quoted(Path::new("my files/demo-7.fushi")), "'my files/demo-7.fushi'");
        assert_eq!(quoted(Path::new("it's")), "'it'\\''s'");
        assert_eq!(quoted(Path::new("-x")), "'./-x'");
    }
}
