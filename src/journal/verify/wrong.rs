//! The first thing that is wrong with a bundle: a stable code, the place, a sentence.

use serde_json::{Map, Value};

use crate::journal::bundle::Section;
use crate::words::{Lang, Message, say};

/// Where something is wrong. Whatever is not known or does not apply is absent.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The section.
    pub section: Option<Section>,
    /// First and last line of the file, from 1.
    pub lines: Option<(u64, u64)>,
    /// The board, `set/number`.
    pub board: Option<String>,
    /// The table.
    pub table: Option<u32>,
    /// The entry of the journal, from 1; the receipt is 0.
    pub entry: Option<u32>,
    /// The entrant.
    pub entrant: Option<String>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Stable code.
    pub code: &'static str,
    /// Where.
    pub place: Place,
    /// The sentence.
    pub message: Message,
}

impl Wrong {
    /// Something wrong at a line of a section. The code is the sentence's identifier without `verify-`, with
    /// underscores.
    #[must_use]
    pub fn at(code: &'static str, section: Option<Section>, line: u64, message: Message) -> Box<Wrong> {
        let lines = (line > 0).then_some((line, line));
        Box::new(Wrong { code, place: Place { section, lines, ..Place::default() }, message })
    }

    /// The same with a board and table.
    #[must_use]
    pub fn on(mut self: Box<Wrong>, board: &str, table: Option<u32>) -> Box<Wrong> {
        self.place.board = Some(board.to_owned());
        self.place.table = table;
        self
    }

    /// The same with an entry.
    #[must_use]
    pub fn entry(mut self: Box<Wrong>, entry: u32) -> Box<Wrong> {
        self.place.entry = Some(entry);
        self
    }

    /// The same with an entrant.
    #[must_use]
    pub fn of(mut self: Box<Wrong>, entrant: &str) -> Box<Wrong> {
        self.place.entrant = Some(entrant.to_owned());
        self
    }

    /// Place and sentence in a language, one line.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        let place = &self.place;
        let mut parts = Vec::new();
        match place.lines {
            Some((first, last)) if first == last => {
                parts.push(Message::plain("verify-place-line").with("line", first));
            }
            Some((first, last)) => {
                parts.push(Message::plain("verify-place-lines").with("first", first).with("last", last));
            }
            None => {}
        }
        if let Some(section) = place.section {
            parts.push(Message::plain("verify-place-section").with("section", section.name()));
        }
        if let Some(board) = &place.board {
            parts.push(Message::plain("verify-place-board").with("board", board));
        }
        if let Some(table) = place.table {
            parts.push(Message::plain("verify-place-table").with("table", table));
        }
        if let Some(entry) = place.entry {
            parts.push(Message::plain("verify-place-entry").with("entry", entry));
        }
        if let Some(entrant) = &place.entrant {
            parts.push(Message::plain("verify-place-entrant").with("entrant", entrant));
        }
        let parts: Vec<String> = parts.iter().map(|part| say(lang, part)).collect();
        let sentence = say(lang, &self.message);
        let text = if parts.is_empty() { sentence } else { format!("{}: {sentence}", parts.join(", ")) };
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The object that `fushi verify --format json` prints.
    #[must_use]
    pub fn to_json(&self, lang: Lang) -> Map<String, Value> {
        let place = &self.place;
        let mut object = Map::new();
        object.insert("ok".to_owned(), false.into());
        object.insert("reason".to_owned(), self.code.into());
        object.insert("section".to_owned(), place.section.map(Section::name).into());
        object.insert("line".to_owned(), place.lines.map(|lines| lines.0).into());
        object.insert("last_line".to_owned(), place.lines.map(|lines| lines.1).into());
        object.insert("board".to_owned(), place.board.as_deref().into());
        object.insert("table".to_owned(), place.table.into());
        object.insert("entry".to_owned(), place.entry.into());
        object.insert("entrant".to_owned(), place.entrant.as_deref().into());
        object.insert("message".to_owned(), self.sentence(lang).into());
        object
    }
}
