//! What `--help` says and what is wrong with a command's arguments, in the reader's language.
//!
//! The derived commands carry the English words; the other languages are put in their place from the Fluent files
//! before the arguments are read. Flags, names of values and exit codes are the same in every language.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _};

use super::Cli;
use crate::scoring::exact::NumberFault;
use crate::words::{Lang, Message, Part, find, message, say};

/// The language that the arguments ask for with `--lang`, read before they are all read, so that help and mistakes
/// are said in it.
pub(super) fn asked(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> Option<Lang> {
    let mut arguments = arguments.into_iter().map(|argument| argument.to_string_lossy().into_owned());
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix("--lang") {
            Some("") => return arguments.next()?.parse().ok(),
            Some(rest) if rest.starts_with('=') => return rest.strip_prefix('=')?.parse().ok(),
            _ if argument == "--" => return None,
            _ => {}
        }
    }
    None
}

/// The program's commands in a language.
pub(super) fn commands(lang: Lang) -> Command {
    let mut command = Cli::command();
    if lang == Lang::En {
        return command;
    }
    // Building adds `--help`, `--version` and `help`, which have words, too.
    command.build();
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    command = dress(command, "fushi", lang);
    for name in names {
        command = command.mut_subcommand(&name, |sub| dress(sub, &name, lang));
    }
    command
}

/// The words of an argument: its own, or those of every argument of the name.
fn words_of(command: &str, argument: &str, lang: Lang) -> Option<String> {
    let argument = argument.replace('_', "-");
    find(lang, &format!("help-{command}-{argument}")).or_else(|| find(lang, &format!("help-any-{argument}")))
}

fn dress(mut command: Command, name: &str, lang: Lang) -> Command {
    if let Some(about) = find(lang, &format!("help-{name}")) {
        command = command.about(about);
    }
    let ids: Vec<String> = command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
    for id in ids {
        if let Some(words) = words_of(name, &id, lang) {
            let own = id == "help";
            command = command.mut_arg(id, |argument| {
                // The library gives its own flag a longer sentence.
                let argument = if own { argument.long_help(words.clone()) } else { argument };
                argument.help(words)
            });
        }
    }
    // Lines are not broken: the words that stand on every page are found as a whole.
    command.term_width(0)
}

/// The words that every page of help has, and those of the values, by their ids.
const COMMON: [&str; 24] = [
    "usage-head-usage",
    "usage-head-options",
    "usage-head-arguments",
    "usage-head-commands",
    "usage-head-options-mark",
    "usage-head-command-mark",
    "usage-head-values",
    "usage-value-movement",
    "usage-value-round-robin",
    "usage-value-human-ai",
    "usage-value-individual",
    "usage-value-pairs",
    "usage-value-score",
    "usage-value-small-points",
    "usage-value-text",
    "usage-value-json",
    "usage-value-rank-text",
    "usage-value-rank-json",
    "usage-value-csv",
    "usage-value-xlsx",
    "usage-value-records",
    "usage-value-phh",
    "usage-head-default",
    "usage-head-one-of",
];

/// A page of help in a language.
pub(super) fn page(page: &str, lang: Lang) -> String {
    let mut page = page.to_owned();
    // Longer words first: one may stand in another.
    let mut pairs: Vec<(String, String)> =
        COMMON.iter().filter_map(|id| Some((find(Lang::En, id)?, find(lang, id)?))).collect();
    pairs.sort_by_key(|(english, _)| std::cmp::Reverse(english.len()));
    for (english, words) in pairs {
        page = page.replace(&english, &words);
    }
    page
}

/// What is wrong with the arguments, in one line: what was found, what could stand there, where to read more.
pub(super) fn mistake(error: &clap::Error, lang: Lang) -> String {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand
    ) {
        return say(lang, &Message::plain("usage-no-command"));
    }
    let what = told(error).map_or_else(|| rendered(error), |message| say(lang, &message));
    say(lang, &Message::plain("usage-more").with("what", what))
}

/// The mistake as a sentence of our own, by its kind.
fn told(error: &clap::Error) -> Option<Message> {
    let argument = text(error, ContextKind::InvalidArg);
    let given = text(error, ContextKind::InvalidValue);
    Some(match error.kind() {
        ErrorKind::UnknownArgument => {
            near("usage-unknown", "usage-unknown-near", argument?, || text(error, ContextKind::SuggestedArg))
        }
        ErrorKind::InvalidSubcommand => {
            let given = text(error, ContextKind::InvalidSubcommand)?;
            near("usage-command", "usage-command-near", given, || {
                text(error, ContextKind::SuggestedSubcommand)
            })
        }
        ErrorKind::InvalidValue if given.as_deref().is_none_or(str::is_empty) => {
            Message::plain("usage-no-value").with("argument", argument?)
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            value(error, &argument?, &given.unwrap_or_default())
        }
        ErrorKind::MissingRequiredArgument => Message::plain("usage-missing").with("arguments", argument?),
        ErrorKind::ArgumentConflict => {
            let argument = argument?;
            match text(error, ContextKind::PriorArg)? {
                other if other == argument => Message::plain("usage-twice").with("argument", argument),
                other => Message::plain("usage-conflict").with("argument", argument).with("other", other),
            }
        }
        ErrorKind::WrongNumberOfValues => Message::plain("usage-count")
            .with("argument", argument?)
            .with("wanted", text(error, ContextKind::ExpectedNumValues)?)
            .with("given", text(error, ContextKind::ActualNumValues)?),
        ErrorKind::InvalidUtf8 => Message::plain("usage-not-utf8"),
        _ => return None,
    })
}

/// A word that is not known, with the nearest one if there is one.
fn near(
    alone: &'static str,
    beside: &'static str,
    given: String,
    nearest: impl FnOnce() -> Option<String>,
) -> Message {
    match nearest() {
        Some(nearest) => Message::plain(beside).with("given", given).with("nearest", nearest),
        None => Message::plain(alone).with("given", given),
    }
}

/// A value that cannot be: with the values there are, the range, or the reason.
fn value(error: &clap::Error, argument: &str, given: &str) -> Message {
    let message = |id| Message::plain(id).with("argument", argument).with("given", given);
    if let Some(values) = text(error, ContextKind::ValidValue) {
        return match text(error, ContextKind::SuggestedValue) {
            Some(nearest) => message("usage-value-near").with("values", values).with("nearest", nearest),
            None => message("usage-value-one-of").with("values", values),
        };
    }
    let why = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    if let Some((_, values)) = why.split_once(": use ") {
        return message("usage-value-one-of").with("values", values);
    }
    match why.split_once(" is not in ") {
        Some((_, range)) => message("usage-range").with("range", range),
        None if why.is_empty() => message("usage-value"),
        None => {
            let ours = own_words(&why);
            message("usage-value-of").with("why", Part::Library(why, ours))
        }
    }
}

/// Why a value cannot be, which the readers of values say in English.
fn own_words(why: &str) -> Message {
    let numbers = [
        (NumberFault::NotANumber, message!("value-no-decimal")),
        (NumberFault::NotFinite, message!("value-not-finite")),
        (NumberFault::Exponent, message!("value-exponent")),
        (NumberFault::TooLong, message!("value-digits")),
        (NumberFault::ZeroDenominator, message!("value-over-zero")),
    ];
    if let Some((_, told)) = numbers.into_iter().find(|(fault, _)| fault.to_string() == why) {
        return told;
    }
    match why {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            message!("value-no-number")
        }
        "number too large to fit in target type" | "number too small to fit in target type" => {
            message!("value-out-of-range")
        }
        "invalid socket address syntax" => message!("value-no-address"),
        other => message!("value-other", why = other),
    }
}

/// What the context of a mistake says, several things in a row.
fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) if !texts.is_empty() => Some(texts.join(", ")),
        ContextValue::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The mistake as the library says it, on one line.
fn rendered(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty());
    let said = lines.collect::<Vec<_>>().join(" ");
    said.strip_prefix("error: ").unwrap_or(&said).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command and argument has words in the Fluent files, and the English ones are those of the program.
    #[test]
    fn every_command_and_argument_has_its_words() {
        let mut command = Cli::command();
        command.build();
        let subs = command.get_subcommands().filter(|sub| sub.get_name() != "help");
        for (name, command) in subs.map(|sub| (sub.get_name(), sub)).chain([("fushi", &command)]) {
            let about = command.get_about().map(ToString::to_string);
            assert_eq!(find(Lang::En, &format!("help-{name}")), about, "{name}");
            for argument in command.get_arguments() {
                let id = argument.get_id().as_str();
                let words = words_of(name, id, Lang::En);
                assert!(words.is_some(), "{name} {id} has no words");
                if !matches!(id, "help" | "version") {
                    assert_eq!(words, argument.get_help().map(ToString::to_string), "{name} {id}");
                }
            }
        }
    }

    #[test]
    fn the_language_is_found_before_the_arguments_are_read() {
        let asked = |arguments: &[&str]| asked(arguments.iter().map(Into::into));
        assert_eq!(asked(&["rank", "--lang", "zh-CN", "x"]), Some(Lang::ZhCn));
        assert_eq!(asked(&["--lang=zh-TW"]), Some(Lang::ZhTw));
        assert_eq!(asked(&["rank", "--", "--lang", "zh-CN"]), None);
        assert_eq!(asked(&["--lang"]), None);
        assert_eq!(asked(&["--lang", "xx"]), None);
        assert_eq!(asked(&["--language", "zh-CN"]), None);
    }
}
