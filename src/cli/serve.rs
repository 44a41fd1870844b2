//! `fushi serve`.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::{Ended, Trouble};
use crate::web::config::{Config, LogForm};
use crate::web::sample::{Demo, OwnRules};
use crate::web::{self, Started, log};
use crate::words::{Lang, message, say, why};

#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080].
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// The database, created on first start [default: sqlite:fushi.sqlite].
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// A configuration file; flags go before it. docs/fushi.example.toml explains every key.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How log lines on standard error look: text or json [default: text].
    #[arg(long, value_name = "FORM")]
    log: Option<LogArg>,
    /// Adds sample events: AI players at several tables in play, and a human–AI event with three free seats.
    #[arg(long)]
    demo: bool,
    /// With --demo: the sample events of its game are played by this ruleset from a TOML file.
    #[arg(long, value_name = "FILE", requires = "demo")]
    ruleset_file: Option<PathBuf>,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogArg {
    /// For people.
    Text,
    /// One JSON object per line.
    Json,
}

/// Limits the arenas of the C library's allocator. Results are computed anew as boards end, each time on another thread;
/// with an arena for each of them the memory that a server holds grows with every finished board.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code, reason = "there is no safe way to set an option of the C library")]
fn limit_arenas() {
    const ARENAS_MAX: libc::c_int = 2;
    // SAFETY: mallopt takes two numbers, changes an option of the allocator and touches no memory of ours.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, ARENAS_MAX) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
const fn limit_arenas() {}

/// The sample events that are asked for, with their ruleset: read and checked before anything is opened or written.
fn wanted(args: &ServeArgs) -> Result<Option<Demo>, Trouble> {
    let rules = match &args.ruleset_file {
        None => None,
        Some(path) => {
            let text = super::deal::ruleset_text(path)?;
            Some(OwnRules::read(text).map_err(|faults| super::deal::in_file(path, &faults))?)
        }
    };
    Ok(args.demo.then_some(Demo { rules }))
}

pub(super) fn serve(args: &ServeArgs, lang: Lang) -> Ended {
    limit_arenas();
    let demo = wanted(args)?;
    let mut config = match &args.config {
        Some(path) => Config::read(path).map_err(Trouble::new)?,
        None => Config::default(),
    };
    if let Some(listen) = args.listen {
        config.listen = listen;
    }
    if let Some(database) = &args.database {
        config.database.clone_from(database);
    }
    if let Some(log) = args.log {
        config.log = match log {
            LogArg::Text => LogForm::Text,
            LogArg::Json => LogForm::Json,
        };
    }
    // Until the end, which waits for its last lines.
    let _log = log::start(config.log)
        .map_err(|error| Trouble::new(message!("serve-no-start", error = why(&error))))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Trouble::new(message!("serve-no-start", error = why(&error))))?;
    let public = config.public_url.clone();
    runtime
        .block_on(web::serve(config, demo, |started| say_where(started, public.as_deref(), lang)))
        .map_err(Trouble::new)?;
    Ok(ExitCode::SUCCESS)
}

/// The lines that scripts wait for, which are the same in every language and come first; a reader of another language finds
/// them said once more.
fn say_where(started: &Started, public: Option<&str>, lang: Lang) {
    let own = format!("http://{}", started.address);
    let mut text = format!("listening on {own}\n");
    let mut told = vec![message!("serve-listening", address = &own)];
    if let Some(token) = &started.setup {
        let base = public.map_or(own.as_str(), |url| url.trim_end_matches('/'));
        let link = format!("{base}/setup#token={token}");
        text.push_str(&format!("first start: create the chief organizer at {link}\n"));
        told.push(message!("serve-first-start", link));
    }
    if lang != Lang::En {
        for message in &told {
            text.push_str(&format!("{}\n", say(lang, message)));
        }
    }
    if let Some(sample) = &started.sample {
        text.push_str(&sample.lines(&own, lang));
    }
    // A closed standard output does not end the server.
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        tracing::warn!(%error, address = %started.address, "standard output cannot be written: the server listens");
    }
}
