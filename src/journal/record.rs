//! Reading and writing record files: JSON Lines, any number of records in a file.
//!
//! Reading streams, so a file may be larger than memory; a bad line or a bad header spoils its record only, never
//! the rest of the file. Nothing here knows a game's rules: it finds records and their lines.

use std::io::{self, BufRead};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::control::{ControlEntry, ControlKind};
use super::entry::{By, Entry};
use super::header::Header;
use super::strict;
use crate::games::{ActionText, Game};
use crate::words::{Message, message};

/// The longest line that is read, in bytes.
pub const LINE_MAX: usize = 1 << 20;
/// The most actions of one record; the longest real board has a few hundred.
pub const ACTIONS_MAX: usize = 100_000;

/// An action line as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionLine {
    /// The seat's name.
    pub seat: String,
    /// `do` and `after`.
    pub action: ActionText,
    /// `at`, microseconds since the board opened.
    pub at: Option<u64>,
    /// `by`.
    pub by: Option<By>,
    /// `hash`, as written.
    pub hash: Option<String>,
}

/// A note as it stands in the file: its fields, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoteLine {
    /// `note`, the kind.
    pub note: String,
    /// `by`.
    pub by: String,
    /// `at`, microseconds since the board opened.
    pub at: Option<u64>,
    /// `seat`, by name.
    pub seat: Option<String>,
    /// `who`.
    pub who: Option<String>,
    /// `ms`.
    pub ms: Option<u64>,
    /// `hash`, as written.
    pub hash: Option<String>,
}

/// What a line of a record says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// An action.
    Action(ActionLine),
    /// A note.
    Control(NoteLine),
}

/// A line of a record after its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The line of the file, from 1, blank lines counted.
    pub line: usize,
    /// The action or note, or why the line cannot be read with whatever of `seat` and `do` could be made out.
    pub content: Result<Content, Unreadable>,
}

/// A line that cannot be read as an action or a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// `seat`, if it could be made out.
    pub seat: Option<String>,
    /// `do`, if it could be made out.
    pub text: Option<String>,
    /// What is wrong, one line.
    pub message: Message,
}

impl Unreadable {
    /// A line of which nothing could be made out.
    const fn whole(message: Message) -> Unreadable {
        Unreadable { seat: None, text: None, message }
    }
}

/// A header line's object, or why it cannot be read.
pub type RawHeader = Result<Map<String, Value>, Message>;

/// One record of a file, its lines read but not yet checked against any rules.
#[derive(Clone, Debug, PartialEq)]
pub struct RawRecord {
    /// From 1 within the file.
    pub number: usize,
    /// The header's line of the file, from 1.
    pub line: usize,
    /// The header's object, or why it cannot be read.
    pub header: RawHeader,
    /// The lines after the header.
    pub actions: Vec<Numbered>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireAction {
    seat: String,
    r#do: String,
    after: Option<u32>,
    at: Option<u64>,
    by: Option<Actor>,
    hash: Option<String>,
}

/// Who may act for a seat; everybody else in [`By`] only makes notes.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Actor {
    Clock,
    Referee,
}

impl From<Actor> for By {
    fn from(actor: Actor) -> By {
        match actor {
            Actor::Clock => By::Clock,
            Actor::Referee => By::Referee,
        }
    }
}

/// The records of a file, in order.
#[derive(Debug)]
pub struct Records<R> {
    input: R,
    line: usize,
    number: usize,
    /// A header that has been met while the record before it was read.
    pending: Option<(usize, RawHeader)>,
    done: bool,
}

/// One line of the file.
enum Line {
    End,
    Blank,
    Text(String),
    Bad(Message),
}

/// What a line that is not blank turns out to be.
enum Kind {
    Header(RawHeader),
    Line(Result<Content, Unreadable>),
}

impl<R: BufRead> Records<R> {
    /// Reads records from a file or any other input.
    pub const fn new(input: R) -> Records<R> {
        Records { input, line: 0, number: 0, pending: None, done: false }
    }

    fn next_line(&mut self) -> io::Result<Line> {
        let mut bytes = Vec::new();
        let limit = LINE_MAX as u64 + 2;
        let read = io::Read::take(&mut self.input, limit).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(Line::End);
        }
        self.line += 1;
        if bytes.last() != Some(&b'\n') && bytes.len() > LINE_MAX {
            self.skip_line()?;
            return Ok(Line::Bad(message!("record-line-too-long", line_max = LINE_MAX)));
        }
        let bytes = match self.line {
            1 => bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes),
            _ => &bytes,
        };
        match std::str::from_utf8(bytes) {
            Ok(text) if text.trim().is_empty() => Ok(Line::Blank),
            Ok(text) => Ok(Line::Text(text.trim().to_owned())),
            Err(_) => Ok(Line::Bad(message!("record-not-utf8"))),
        }
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            let (used, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
                Some(position) => (position + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.input.consume(used);
            if ended {
                return Ok(());
            }
        }
    }

    fn next_record(&mut self) -> io::Result<Option<RawRecord>> {
        let mut record = self.pending.take().map(|(line, header)| self.begin(line, header));
        loop {
            let kind = match self.next_line()? {
                Line::End => {
                    self.done = true;
                    return Ok(record);
                }
                Line::Blank => continue,
                Line::Text(text) => classify(&text),
                Line::Bad(message) => Kind::Line(Err(Unreadable::whole(message))),
            };
            match (kind, &mut record) {
                (Kind::Header(header), None) => record = Some(self.begin(self.line, header)),
                (Kind::Header(header), Some(_)) => {
                    self.pending = Some((self.line, header));
                    return Ok(record);
                }
                (Kind::Line(content), Some(record)) => {
                    if record.actions.len() < ACTIONS_MAX {
                        record.actions.push(Numbered { line: self.line, content });
                    } else if record.actions.len() == ACTIONS_MAX {
                        let message = message!("record-too-many", actions_max = ACTIONS_MAX);
                        let content = Err(Unreadable::whole(message));
                        record.actions.push(Numbered { line: self.line, content });
                    }
                }
                (Kind::Line(content), None) => {
                    let message = match content {
                        Err(unreadable) => unreadable.message,
                        Ok(_) => message!("record-no-header"),
                    };
                    record = Some(self.begin(self.line, Err(message)));
                }
            }
        }
    }

    fn begin(&mut self, line: usize, header: RawHeader) -> RawRecord {
        self.number += 1;
        RawRecord { number: self.number, line, header, actions: Vec::new() }
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = io::Result<RawRecord>;

    fn next(&mut self) -> Option<io::Result<RawRecord>> {
        if self.done {
            return None;
        }
        match self.next_record() {
            Ok(record) => record.map(Ok),
            Err(error) => {
                self.done = true;
                Some(Err(error))
            }
        }
    }
}

/// Header, action or note? A header has the key `fushi`; a broken line that mentions the key in quotes was meant to be one.
fn classify(text: &str) -> Kind {
    // The common case first: a whole action line, read in one pass.
    if let Ok(wire) = serde_json::from_str::<WireAction>(text) {
        return Kind::Line(Ok(Content::Action(ActionLine {
            seat: wire.seat,
            action: ActionText { text: wire.r#do, after: wire.after },
            at: wire.at,
            by: wire.by.map(By::from),
            hash: wire.hash,
        })));
    }
    if let Ok(note) = serde_json::from_str::<NoteLine>(text) {
        return Kind::Line(Ok(Content::Control(note)));
    }
    match strict::object(text) {
        Ok(object) if object.contains_key("fushi") => Kind::Header(Ok(object)),
        Ok(object) => Kind::Line(Err(explain(text, &object))),
        Err(fault) if text.contains("\"fushi\"") => Kind::Header(Err(fault.message())),
        Err(fault) => Kind::Line(Err(Unreadable::whole(fault.message()))),
    }
}

/// Why an object is neither an action line nor a note.
fn explain(text: &str, object: &Map<String, Value>) -> Unreadable {
    let word = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
    let note = object.contains_key("note");
    let known: &[&str] = if note {
        &["note", "by", "at", "seat", "who", "ms", "hash"]
    } else {
        &["seat", "do", "after", "at", "by", "hash"]
    };
    let error = if note {
        serde_json::from_str::<NoteLine>(text).err()
    } else {
        serde_json::from_str::<WireAction>(text).err()
    };
    let needed: &[&str] = if note { &["note", "by"] } else { &["seat", "do"] };
    let missing = needed.iter().find(|key| !object.contains_key(**key));
    let wrong = known.iter().find_map(|key| wrong_value(key, object.get(*key)?));
    let stranger = object.keys().find(|key| !known.contains(&key.as_str()));
    let message = match (stranger, error) {
        (Some(key), _) => crate::games::rulesets::not_known("key", key, known),
        (None, _) if missing.is_some() => {
            message!("record-needs", key = missing.copied().unwrap_or_default())
        }
        (None, Some(error)) => {
            wrong.unwrap_or_else(|| crate::games::rulesets::plain_words(&error.to_string()))
        }
        (None, None) => message!("record-unreadable"),
    };
    Unreadable { seat: word("seat"), text: word("do"), message }
}

/// What the value of a key of a line must be, if it is something else.
fn wrong_value(key: &str, value: &Value) -> Option<Message> {
    let whole = |most: u64| value.as_u64().is_some_and(|number| number <= most);
    let (fits, wanted) = match key {
        "after" => (value.is_null() || whole(u32::MAX.into()), message!("wanted-whole-up")),
        "at" | "ms" => (value.is_null() || whole(u64::MAX), message!("wanted-whole-up")),
        "by" => (
            value.is_null() || value.as_str().is_some_and(|by| By::named(by).is_some()),
            message!("record-actor"),
        ),
        "hash" | "who" => (value.is_null() || value.is_string(), message!("wanted-text")),
        _ => (value.is_string(), message!("wanted-text")),
    };
    let shown: String = value.to_string().chars().take(40).collect();
    (!fits).then(|| message!("record-value", key, wanted, shown))
}

/// One action as a line of a record, without the line's end. `hash` is the chain's, if it is to be written.
#[must_use]
pub fn write_action<G: Game>(entry: &Entry<G::Action>, hash: Option<&str>) -> String {
    let text = G::write_action(&entry.action);
    let mut line = Map::new();
    line.insert("seat".to_owned(), G::seat_name(entry.seat).unwrap_or_default().into());
    line.insert("do".to_owned(), text.text.into());
    if let Some(after) = text.after {
        line.insert("after".to_owned(), after.into());
    }
    if let Some(at) = entry.at {
        line.insert("at".to_owned(), at.into());
    }
    if let Some(by) = entry.by {
        line.insert("by".to_owned(), by.word().into());
    }
    if let Some(hash) = hash {
        line.insert("hash".to_owned(), hash.into());
    }
    Value::Object(line).to_string()
}

/// One note as a line of a record, without the line's end. `hash` is the chain's, if it is to be written.
#[must_use]
pub fn write_note<G: Game>(note: &ControlEntry, hash: Option<&str>) -> String {
    let mut line = Map::new();
    line.insert("note".to_owned(), note.kind.word().into());
    line.insert("by".to_owned(), note.by.word().into());
    if let Some(seat) = note.seat {
        line.insert("seat".to_owned(), G::seat_name(seat).unwrap_or_default().into());
    }
    if let ControlKind::Give { ms } = note.kind {
        line.insert("ms".to_owned(), ms.into());
    }
    if let Some(who) = &note.who {
        line.insert("who".to_owned(), who.as_str().into());
    }
    if let Some(at) = note.at {
        line.insert("at".to_owned(), at.into());
    }
    if let Some(hash) = hash {
        line.insert("hash".to_owned(), hash.into());
    }
    Value::Object(line).to_string()
}

/// A whole record: header line and action lines, each ended by a line feed.
#[must_use]
pub fn write_record<G: Game>(header: &Header<G>, entries: &[Entry<G::Action>]) -> String {
    let mut text = Value::Object(header.write()).to_string();
    text.push('\n');
    for entry in entries {
        text.push_str(&write_action::<G>(entry, None));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Lang, say};

    fn english(message: &Message) -> String {
        say(Lang::En, message)
    }

    fn read(text: &[u8]) -> Vec<RawRecord> {
        Records::new(text).map(Result::unwrap).collect()
    }

    #[test]
    fn lines_are_those_of_the_file_and_blank_lines_count() {
        let records = read(b"\n{\"fushi\":1}\n\n{\"seat\":\"A\",\"do\":\"pass\"}\n\r\n{\"fushi\":1}\r\n");
        assert_eq!(records.len(), 2);
        assert_eq!((records[0].number, records[0].line), (1, 2));
        assert_eq!(records[0].actions[0].line, 4);
        assert_eq!((records[1].number, records[1].line), (2, 6));
    }

    #[test]
    fn a_byte_order_mark_is_no_fault_and_other_encodings_are() {
        assert!(read(b"\xef\xbb\xbf{\"fushi\":1}\n")[0].header.is_ok());
        let utf16: Vec<u8> = "{\"fushi\":1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(read(&utf16)[0].header.is_err());
        assert!(english(read(b"\xff\xfe\xfd")[0].header.as_ref().unwrap_err()).contains("UTF-8"));
    }

    #[test]
    fn a_broken_header_in_the_middle_begins_a_record_of_its_own() {
        let records =
            read(b"{\"fushi\":1}\n{\"seat\":\"A\",\"do\":\"pass\"}\n{\"fushi\":1,\n{\"fushi\":1}\n");
        assert_eq!(records.len(), 3);
        assert!(records[1].header.is_err());
        assert!(records[2].header.is_ok());
    }

    #[test]
    fn an_action_without_a_header_is_a_record_that_fails() {
        let records = read(b"{\"seat\":\"A\",\"do\":\"pass\"}\n");
        assert_eq!(records.len(), 1);
        assert!(records[0].header.is_err());
        assert!(read(b"").is_empty());
    }

    #[test]
    fn unknown_keys_name_the_nearest_and_repeated_keys_are_refused() {
        let records = read(
            b"{\"fushi\":1}\n{\"seat\":\"A\",\"doo\":\"pass\"}\n{\"seat\":\"A\",\"seat\":\"B\",\"do\":\"pass\"}\n",
        );
        let messages: Vec<String> = records[0]
            .actions
            .iter()
            .map(|line| english(&line.content.clone().unwrap_err().message))
            .collect();
        assert!(messages[0].contains("did you mean `do`"), "{messages:?}");
        assert!(messages[1].contains("twice"), "{messages:?}");
    }

    #[test]
    fn a_note_stands_in_place_of_an_action_and_its_keys_are_its_own() {
        let records = read(
            b"{\"fushi\":1}\n{\"note\":\"give\",\"by\":\"clock\",\"seat\":\"A\",\"ms\":5,\"at\":7}\n\
              {\"note\":\"deal\",\"do\":\"pass\",\"by\":\"dealer\"}\n{\"note\":\"deal\"}\n\
              {\"seat\":\"A\",\"do\":\"pass\",\"by\":\"dealer\"}\n",
        );
        let lines = &records[0].actions;
        let note = NoteLine {
            note: "give".to_owned(),
            by: "clock".to_owned(),
            at: Some(7),
            seat: Some("A".to_owned()),
            who: None,
            ms: Some(5),
            hash: None,
        };
        assert_eq!(lines[0].content, Ok(Content::Control(note)));
        let message = |line: usize| english(&lines[line].content.clone().unwrap_err().message);
        assert!(message(1).contains("unknown key `do`"), "{}", message(1));
        assert!(message(2).contains("needs `by`"), "{}", message(2));
        assert!(message(3).contains("dealer"), "an action is never the dealer's: {}", message(3));
    }

    #[test]
    fn a_line_that_cannot_be_read_says_so_in_plain_words() {
        for (line, told) in [
            (r#"{"seat":3,"do":"pass"}"#, "`seat` must be a text in quotes, not 3"),
            (r#"{"seat":"A"}"#, "the line needs `do`"),
            (r#"{"seat":"A","do":"pass","by":"god"}"#, "`by` must be clock or referee, not \"god\""),
            (r#"{"seat":"A","do":"pass","at":-1}"#, "`at` must be a whole number from 0 upwards, not -1"),
            (
                r#"{"seat":"A","do":"pass","after":"9"}"#,
                "`after` must be a whole number from 0 upwards, not \"9\"",
            ),
            (r#"{"seat":"A","do":"pass""#, "the line is not JSON: it breaks off at column 23"),
            (r#"{"seat" "A"}"#, "the line is not JSON: column 9 cannot follow what stands before it"),
        ] {
            let records = read(format!("{{\"fushi\":1}}\n{line}\n").as_bytes());
            assert_eq!(english(&records[0].actions[0].content.as_ref().unwrap_err().message), told, "{line}");
        }
    }

    #[test]
    fn a_line_without_end_is_refused_without_being_held_in_memory() {
        let mut text = b"{\"fushi\":1}\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', 3 * LINE_MAX));
        text.extend(b"\n{\"seat\":\"A\",\"do\":\"pass\"}\n");
        let records = read(&text);
        assert!(english(&records[0].actions[0].content.as_ref().unwrap_err().message).contains("longer"));
        assert_eq!(records[0].actions[1].line, 3);
        assert!(records[0].actions[1].content.is_ok());
    }
}
