//! The text of a PHH file as hands: one as TOML, several as numbered tables.
//!
//! A hand that is no TOML costs no other hand of its file: where the file cannot be read as a whole, it is cut before
//! each line `[…]`, and each piece is read alone.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Table};

use super::read::{Hand, header, read_hand};
use crate::games::{Fault, StartError};
use crate::words::message;

/// For each hand of a file the line on which it begins, and the hand or everything that is wrong with it.
type Hands = Vec<(usize, Result<Hand, StartError>)>;

/// Reads the text of a `.phh` or `.phhs` file: for each hand the line on which it begins, and the hand or everything
/// that is wrong with it.
#[must_use]
pub fn read(text: &str) -> Hands {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    whole(text, 1, true).unwrap_or_else(|| in_pieces(text, &[]))
}

/// As [`read`], for the bytes of a file: a hand with bytes that are not UTF-8 is refused, the others are read.
#[must_use]
pub fn read_bytes(bytes: &[u8]) -> Hands {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return read(text);
    }
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let bad: Vec<usize> =
        lines.filter(|(_, line)| std::str::from_utf8(line).is_err()).map(|(number, _)| number).collect();
    let text = String::from_utf8_lossy(bytes);
    in_pieces(text.strip_prefix('\u{feff}').unwrap_or(&text), &bad)
}

/// The hands of a text that begins on a line of its file; `None` if it is no TOML, or if places are wanted and cannot be
/// told.
fn whole(text: &str, first: usize, places: bool) -> Option<Hands> {
    let table = toml::from_str::<Table>(text).ok()?;
    if !table.contains_key("variant") && table.values().any(toml::Value::is_table) {
        // Something that is no hand, or whose actions are no texts, hides where all the others stand.
        let spans = toml::from_str(text).ok();
        return match spans {
            None if places => None,
            spans => Some(read_many(text, &table, &spans.unwrap_or_default(), first)),
        };
    }
    let spans = toml::from_str::<Spans>(text).unwrap_or_default();
    Some(vec![(first, read_hand(&LineStarts::of(text, first), &table, &spans, first))])
}

/// The hands of a text that is no TOML as a whole, cut before each line that opens a table; `bad` are lines that are not
/// UTF-8.
fn in_pieces(text: &str, bad: &[usize]) -> Hands {
    let mut pieces: Vec<(usize, usize)> = vec![(1, 0)];
    let mut place = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if opens_a_hand(line) {
            pieces.push((number, place));
        }
        place += line.len();
    }
    let ends: Vec<(usize, usize)> =
        pieces.iter().skip(1).copied().chain([(usize::MAX, text.len())]).collect();
    let mut hands = Vec::with_capacity(pieces.len());
    let several = pieces.len() > 1;
    for ((first, from), (next, to)) in pieces.into_iter().zip(ends) {
        let piece = text.get(from..to).unwrap_or_default();
        if let Some(line) = bad.iter().copied().find(|line| (first..next).contains(line)) {
            let fault = Fault::new("not_utf8", message!("phh-not-utf8", line));
            hands.push((line, Err(header(vec![fault]))));
        } else if several && first == 1 && piece.lines().all(means_nothing) {
            // Comments before the first hand.
        } else {
            hands.extend(whole(piece, first, false).unwrap_or_else(|| vec![no_toml(piece, first)]));
        }
    }
    hands
}

/// Whether a line opens the table of a hand: `[12]`, `["a hand"]`. A table of somebody's own begins with `_`.
fn opens_a_hand(line: &str) -> bool {
    let line = line.split('#').next().unwrap_or_default().trim_end();
    let name = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::trim);
    let quoted = |name: &str| name.len() > 1 && name.starts_with('"') && name.ends_with('"');
    let bare = |name: &str| {
        let letters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        !name.is_empty() && letters && !name.starts_with('_')
    };
    name.is_some_and(|name| quoted(name) || bare(name))
}

fn means_nothing(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// Why a piece of a file is no TOML, at its line.
fn no_toml(piece: &str, first: usize) -> (usize, Result<Hand, StartError>) {
    let error = toml::from_str::<Table>(piece).err();
    let span = error.as_ref().and_then(toml::de::Error::span);
    let line = span.map_or(first, |span| LineStarts::of(piece, first).line(span.start));
    let message = error.as_ref().map_or("", toml::de::Error::message);
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    (line, Err(header(vec![Fault::new("bad_toml", message!("phh-not-toml", message))])))
}

/// Where the lines of a text begin, so that a place in it is looked up instead of counted anew.
pub(super) struct LineStarts {
    starts: Vec<usize>,
    first: usize,
}

impl LineStarts {
    /// The lines of a text whose first one has a number in its file.
    fn of(text: &str, first: usize) -> LineStarts {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(place, _)| place + 1);
        LineStarts { starts: std::iter::once(0).chain(breaks).collect(), first }
    }

    /// The line of a byte offset.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.first + self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }
}

/// Where the actions stand in the text.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Spans {
    pub(super) actions: Option<Vec<Spanned<String>>>,
}

fn read_many(text: &str, table: &Table, spans: &BTreeMap<String, Spanned<Spans>>, first: usize) -> Hands {
    let lines = LineStarts::of(text, first);
    let mut hands: Vec<(&String, &toml::Value)> = table.iter().collect();
    // In the order of the file, whatever the numbers say.
    hands.sort_by_key(|(key, _)| spans.get(*key).map(|spanned| spanned.span().start));
    let none = Spans::default();
    hands
        .into_iter()
        .map(|(key, value)| {
            let spanned = spans.get(key);
            let line = spanned.map_or(first, |spanned| lines.line(spanned.span().start));
            let hand = match value.as_table() {
                Some(table) => read_hand(&lines, table, spanned.map_or(&none, Spanned::get_ref), line),
                None => Err(header(vec![Fault::new("wrong_type", message!("phh-table", key))])),
            };
            (line, hand)
        })
        .collect()
}
