//! `fushi backup` and `fushi restore`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::interrupt::Unfinished;
use super::{Ended, Format, Trouble, print};
use crate::store::backup::{backup, restore};
use crate::words::{Lang, message, say};

#[derive(Args, Debug)]
pub(super) struct BackupArgs {
    /// The database; a server may be using it.
    #[arg(long, value_name = "URL", default_value = "sqlite:fushi.sqlite")]
    database: String,
    /// The new file that gets the copy.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How to print: text, or one JSON object.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Args, Debug)]
pub(super) struct RestoreArgs {
    /// The backup.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The database that is made from it; it must not exist.
    #[arg(long, value_name = "URL", default_value = "sqlite:fushi.sqlite")]
    database: String,
    /// How to print: text, or one JSON object.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn make(args: &BackupArgs, lang: Lang) -> Ended {
    let mut unfinished = None;
    let made = backup(&args.database, &args.file, |half| unfinished = Some(Unfinished::at(half)));
    let bytes = made.map_err(|error| Trouble::new(error.message()))?;
    drop(unfinished);
    print(&match args.format {
        Format::Json => format!("{}\n", json!({"file": args.file.display().to_string(), "bytes": bytes})),
        Format::Text => say(lang, &message!("backup-made", file = args.file.display(), bytes)) + "\n",
    })?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn bring_back(args: &RestoreArgs, lang: Lang) -> Ended {
    let mut unfinished = None;
    let restored = restore(&args.file, &args.database, |half| unfinished = Some(Unfinished::at(half)));
    restored.map_err(|error| Trouble::new(error.message()))?;
    drop(unfinished);
    print(&match args.format {
        Format::Json => format!("{}\n", json!({"database": args.database})),
        Format::Text => say(lang, &message!("backup-restored", database = &args.database)) + "\n",
    })?;
    Ok(ExitCode::SUCCESS)
}
