//! Delimited text: lists as spreadsheets and editors write them, read into rows.
//!
//! The one reader of CSV. Bytes in, rows with their lines out: [`decode`] recognises the encoding, [`Rows`] the
//! delimiter. It is strict: quotes in wrong places are refused with their line and never guessed at, sizes are bounded,
//! and no bytes make it panic. It knows no column; what a list means is for its readers.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::Cursor;

use encoding_rs::{BIG5, GB18030, UTF_16BE, UTF_16LE};

use crate::words::{Message, message};

/// How a text is written in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without byte order mark.
    Utf8,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// GB18030, which contains GBK and GB2312.
    Gb18030,
    /// Big5.
    Big5,
}

impl Encoding {
    /// The name of the encoding.
    ///
    /// ```
    /// assert_eq!(fushi::delimited::Encoding::Utf16Be.name(), "UTF-16");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Utf16Le | Encoding::Utf16Be => "UTF-16",
            Encoding::Gb18030 => "GB18030",
            Encoding::Big5 => "Big5",
        }
    }

    /// A sentence for an encoding that was guessed from the bytes; `None` where there is no doubt.
    ///
    /// ```
    /// use fushi::delimited::Encoding;
    ///
    /// assert!(Encoding::Gb18030.doubt().is_some());
    /// assert!(Encoding::Utf8.doubt().is_none());
    /// ```
    #[must_use]
    pub fn doubt(self) -> Option<Message> {
        matches!(self, Encoding::Gb18030 | Encoding::Big5)
            .then(|| message!("text-read-as", encoding = self.name()))
    }
}

/// What separates the fields of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// The tab: cells pasted from a spreadsheet.
    Tab,
}

impl Delimiter {
    /// Every delimiter, the one first that a heading with several is divided at.
    pub const ALL: [Delimiter; 3] = [Delimiter::Comma, Delimiter::Semicolon, Delimiter::Tab];

    /// The character.
    ///
    /// ```
    /// assert_eq!(fushi::delimited::Delimiter::Semicolon.char(), ';');
    /// ```
    #[must_use]
    pub const fn char(self) -> char {
        match self {
            Delimiter::Comma => ',',
            Delimiter::Semicolon => ';',
            Delimiter::Tab => '\t',
        }
    }

    const fn byte(self) -> u8 {
        match self {
            Delimiter::Comma => b',',
            Delimiter::Semicolon => b';',
            Delimiter::Tab => b'\t',
        }
    }

    /// What may stand between a delimiter and a quotation mark.
    fn is_blank(self, c: char) -> bool {
        c == ' ' || (c == '\t' && self != Delimiter::Tab)
    }

    /// The delimiter of a text by its first line that is more than blanks and delimiters: the heading.
    fn of(text: &str) -> Result<Delimiter, Fault> {
        let mut line = 1;
        let mut rest = text;
        while !rest.is_empty() {
            let (heading, after) = split_line(rest);
            if heading.contains(|c: char| !c.is_whitespace() && !matches!(c, '"' | ',' | ';')) {
                let bare: String = heading.split('"').step_by(2).collect();
                let found = Delimiter::ALL.into_iter().find(|one| bare.contains(one.char()));
                let other = bare.chars().find(|c| OTHER_DELIMITERS.contains(c));
                return match (found, other) {
                    (None, Some(other)) => Err(Fault::at(line, Refusal::Delimiter(other))),
                    (found, _) => Ok(found.unwrap_or(Delimiter::Comma)),
                };
            }
            rest = after;
            line += 1;
        }
        Ok(Delimiter::Comma)
    }
}

/// What other lists are delimited by; they are refused by name.
const OTHER_DELIMITERS: [char; 4] = ['|', '\u{ff0c}', '\u{ff1b}', '\u{3001}'];

/// The largest list that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of bytes of the text in UTF-8.
    pub bytes: usize,
    /// Maximum number of rows that are not blank, the heading included.
    pub rows: usize,
    /// Maximum number of fields of a row.
    pub fields: usize,
}

impl Limits {
    /// Maximum number of fields of a row: the columns of the widest spreadsheets.
    pub const FIELDS: usize = 16_384;
}

/// What is wrong with a list as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// UTF-16 that breaks off in the middle of a character.
    BrokenUtf16,
    /// None of the encodings.
    Encoding,
    /// Fields separated by a character that is no [`Delimiter`].
    Delimiter(char),
    /// A quoted field that is never closed.
    OpenQuote,
    /// A quotation mark inside a field that is not quoted, or text behind a quoted one.
    StrayQuote,
    /// More bytes than [`Limits::bytes`].
    Bytes(usize),
    /// More rows than [`Limits::rows`]; nothing behind them is read.
    Rows(usize),
    /// More fields than [`Limits::fields`].
    Fields(usize),
    /// Anything else that the reader cannot make a row of.
    Unreadable,
}

/// A fault of a list and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line of the file on which the row begins, from 1, blank lines counted.
    pub line: u64,
    /// What is wrong.
    pub what: Refusal,
}

impl Fault {
    const fn at(line: u64, what: Refusal) -> Fault {
        Fault { line, what }
    }

    /// The sentence for any reader, without the line.
    ///
    /// ```
    /// let fault = fushi::delimited::decode(b"name\n\xff").unwrap_err();
    /// assert_eq!((fault.line, fault.message().id), (2, "text-unknown-encoding"));
    /// ```
    #[must_use]
    pub fn message(&self) -> Message {
        match self.what {
            Refusal::BrokenUtf16 => message!("text-broken-utf16"),
            Refusal::Encoding => message!("text-unknown-encoding"),
            Refusal::Delimiter(separator) => message!("text-delimiter", separator = separator.to_string()),
            Refusal::OpenQuote => message!("text-open-quote"),
            Refusal::StrayQuote => message!("text-stray-quote"),
            Refusal::Bytes(limit) => message!("text-too-large", limit),
            Refusal::Rows(limit) => message!("text-too-many-rows", limit),
            Refusal::Fields(limit) => message!("text-too-many-fields", limit),
            Refusal::Unreadable => message!("text-unreadable"),
        }
    }
}

/// Reads a text file, without its byte order mark.
///
/// # Errors
/// Bytes that are no text in any of the encodings; the line is the first one that is not UTF-8.
///
/// ```
/// use fushi::delimited::{Encoding, decode};
///
/// assert_eq!(decode("赵".as_bytes()).unwrap(), ("赵".into(), Encoding::Utf8));
/// assert_eq!(decode(b"\xd5\xd4").unwrap(), ("赵".into(), Encoding::Gb18030));
/// ```
pub fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), Fault> {
    let utf16 = match bytes {
        [0xff, 0xfe, rest @ ..] => Some((rest, Encoding::Utf16Le)),
        [0xfe, 0xff, rest @ ..] => Some((rest, Encoding::Utf16Be)),
        // Headings are ASCII: every other byte of UTF-16 is a zero there.
        [first, 0, ..] if *first != 0 => Some((bytes, Encoding::Utf16Le)),
        [0, second, ..] if *second != 0 => Some((bytes, Encoding::Utf16Be)),
        _ => None,
    };
    if let Some((rest, encoding)) = utf16 {
        let table = if encoding == Encoding::Utf16Le { UTF_16LE } else { UTF_16BE };
        let text = table.decode_without_bom_handling_and_without_replacement(rest);
        return text.map(|text| (text, encoding)).ok_or(Fault::at(1, Refusal::BrokenUtf16));
    }
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok((text.strip_prefix('\u{feff}').unwrap_or(text).into(), Encoding::Utf8)),
        Err(error) => error,
    };
    let gb18030 = GB18030.decode_without_bom_handling_and_without_replacement(bytes);
    let big5 = BIG5.decode_without_bom_handling_and_without_replacement(bytes);
    match (gb18030, big5) {
        (Some(_), Some(text)) if looks_like_big5(bytes) => Ok((text, Encoding::Big5)),
        (Some(text), _) => Ok((text, Encoding::Gb18030)),
        (None, Some(text)) => Ok((text, Encoding::Big5)),
        (None, None) => {
            let before = bytes.get(..error.valid_up_to()).unwrap_or(&[]);
            let line = before.split(|byte| *byte == b'\n').count();
            Err(Fault::at(u64::try_from(line).unwrap_or(u64::MAX), Refusal::Encoding))
        }
    }
}

/// Tells Big5 from GB18030 where the bytes are both. Two fifths of the characters of Big5 have a second byte below A1; in
/// GB18030 only rare ones have, and traditional ones, whose first bytes Big5 does not use.
fn looks_like_big5(bytes: &[u8]) -> bool {
    let (mut all, mut low) = (0_usize, 0_usize);
    let mut rest = bytes.iter();
    while let Some(first) = rest.next() {
        if first.is_ascii() {
            continue;
        }
        if !matches!(first, 0xa1..=0xc6 | 0xc9..=0xf9) {
            return false;
        }
        all += 1;
        low += usize::from(rest.next().is_some_and(|second| *second < 0xa1));
    }
    low * 5 > all
}

/// The first line of a text without its end (LF, CR or both), and what follows.
fn split_line(text: &str) -> (&str, &str) {
    let end = text.find(['\n', '\r']).unwrap_or(text.len());
    let (line, rest) = text.split_at(end);
    (line, without_line_end(rest).unwrap_or(rest))
}

fn without_line_end(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix(['\n', '\r']))
}

/// The separator that the first line of a list names for spreadsheets, as `sep=,`, and the text behind that line.
fn separator_line(text: &str) -> Option<(char, &str)> {
    let (line, rest) = split_line(text);
    let line = line.trim_matches(|c: char| c.is_whitespace() && c != '\t').trim_matches('"').trim_start();
    let named = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep="))?;
    let after = line.get(named.len()..)?;
    let told = if after == "\t" { after } else { after.trim_end() };
    let mut after = told.chars();
    let separator = after.next().filter(|_| after.next().is_none())?;
    Some((separator, rest))
}

/// A row of a list that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Line of the file on which the row begins, from 1, blank lines counted.
    pub line: u64,
    fields: csv::StringRecord,
}

impl Row {
    /// The fields in order, without the blanks around them.
    ///
    /// ```
    /// use fushi::delimited::{Limits, Rows};
    ///
    /// let limits = Limits { bytes: 1000, rows: 10, fields: 10 };
    /// let row = Rows::of("1 , \"a, b\"\n", limits).unwrap().next().unwrap().unwrap();
    /// assert_eq!(row.fields().collect::<Vec<_>>(), ["1", "a, b"]);
    /// assert_eq!((row.field(1), row.field(2)), (Some("a, b"), None));
    /// ```
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(str::trim)
    }

    /// Number of fields.
    #[must_use]
    pub fn width(&self) -> usize {
        self.fields.len()
    }

    /// The field at an index, without the blanks around it.
    #[must_use]
    pub fn field(&self, index: usize) -> Option<&str> {
        self.fields.get(index).map(str::trim)
    }
}

/// The rows of a list: RFC 4180 with any of the [`Delimiter`]s; CRLF, LF or CR end a line. Blank lines and rows of
/// delimiters only are left out. A first line `sep=;` names the delimiter, otherwise the heading shows it.
///
/// A row with a fault is answered as the fault, once, and the rows behind it are read.
///
/// ```
/// use fushi::delimited::{Delimiter, Limits, Refusal, Rows};
///
/// let limits = Limits { bytes: 1000, rows: 10, fields: 10 };
/// let mut rows = Rows::of("name;club\n\n王\"芳;a\n李伟;b\n", limits).unwrap();
/// assert_eq!(rows.delimiter(), Delimiter::Semicolon);
/// assert_eq!(rows.next().unwrap().unwrap().field(0), Some("name"));
/// let fault = rows.next().unwrap().unwrap_err();
/// assert_eq!((fault.line, fault.what), (3, Refusal::StrayQuote));
/// assert_eq!(rows.next().unwrap().unwrap().line, 4);
/// assert!(rows.next().is_none());
/// ```
#[derive(Debug)]
pub struct Rows<'a> {
    rest: &'a str,
    /// The line on which the rest begins.
    line: u64,
    delimiter: Delimiter,
    limits: Limits,
    /// How many rows were found so far.
    count: usize,
    /// The lines of the rows in the batch, and the faults between them.
    order: VecDeque<Result<u64, Fault>>,
    batch: csv::Reader<Cursor<Vec<u8>>>,
}

/// How many bytes of a text are divided at once.
const BATCH: usize = 1 << 16;

impl<'a> Rows<'a> {
    /// The rows of a text.
    ///
    /// # Errors
    /// A text that is too large, or one that is delimited by another character.
    pub fn of(text: &'a str, limits: Limits) -> Result<Rows<'a>, Fault> {
        if text.len() > limits.bytes {
            return Err(Fault::at(1, Refusal::Bytes(limits.bytes)));
        }
        let (delimiter, rest, line) = match separator_line(text) {
            None => (Delimiter::of(text)?, text, 1),
            Some((told, rest)) => {
                let known = Delimiter::ALL.into_iter().find(|one| one.char() == told);
                (known.ok_or(Fault::at(1, Refusal::Delimiter(told)))?, rest, 2)
            }
        };
        let batch = reader(delimiter, Vec::new());
        Ok(Rows { rest, line, delimiter, limits, count: 0, order: VecDeque::new(), batch })
    }

    /// What the fields are separated by.
    #[must_use]
    pub fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    /// Takes the next rows from the text.
    fn fill(&mut self) {
        let mut evened = String::with_capacity(BATCH.min(self.rest.len()));
        while evened.len() < BATCH && !self.rest.is_empty() {
            let begin = self.line;
            let before = evened.len();
            let found = match self.even(&mut evened) {
                Ok(false) => {
                    evened.truncate(before);
                    continue;
                }
                Ok(true) => Ok(begin),
                Err(what) => {
                    evened.truncate(before);
                    Err(Fault::at(begin, what))
                }
            };
            self.count += 1;
            if self.count > self.limits.rows {
                evened.truncate(before);
                self.rest = "";
                self.order.push_back(Err(Fault::at(begin, Refusal::Rows(self.limits.rows))));
                break;
            }
            self.order.push_back(found);
        }
        self.batch = reader(self.delimiter, evened.into_bytes());
    }

    /// Checks the quotation marks of the next row, which the `csv` crate takes as they come, and writes the row for it:
    /// ended by LF, without blanks around quoted fields. Answers whether the row is more than blanks.
    fn even(&mut self, evened: &mut String) -> Result<bool, Refusal> {
        let mut any = false;
        let mut fields = 0_usize;
        loop {
            fields += 1;
            any |= self.even_field(evened)?;
            let Some(rest) = self.rest.strip_prefix(self.delimiter.char()) else { break };
            evened.push(self.delimiter.char());
            self.rest = rest;
        }
        self.end_line();
        evened.push('\n');
        if any && fields > self.limits.fields {
            return Err(Refusal::Fields(self.limits.fields));
        }
        Ok(any)
    }

    /// One field; the rest then begins with a delimiter or a line end, or is empty.
    fn even_field(&mut self, evened: &mut String) -> Result<bool, Refusal> {
        let delimiter = self.delimiter;
        let ends = |c: char| c == delimiter.char() || c == '\n' || c == '\r';
        let blank = |c: char| delimiter.is_blank(c);
        let Some(quoted) = self.rest.trim_start_matches(blank).strip_prefix('"') else {
            let (field, rest) = self.rest.split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
            if field.contains('"') {
                self.skip_line();
                return Err(Refusal::StrayQuote);
            }
            evened.push_str(field);
            self.rest = rest;
            return Ok(!field.trim().is_empty());
        };
        self.rest = quoted;
        evened.push('"');
        let mut any = false;
        loop {
            let Some((part, rest)) = self.rest.split_once('"') else {
                self.rest = "";
                return Err(Refusal::OpenQuote);
            };
            any |= !part.trim().is_empty();
            self.line = self.line.saturating_add(line_ends(part));
            evened.push_str(part);
            evened.push('"');
            let Some(doubled) = rest.strip_prefix('"') else {
                self.rest = rest.trim_start_matches(blank);
                break;
            };
            any = true;
            evened.push('"');
            self.rest = doubled;
        }
        if !self.rest.is_empty() && !self.rest.starts_with(ends) {
            self.skip_line();
            return Err(Refusal::StrayQuote);
        }
        Ok(any)
    }

    fn end_line(&mut self) {
        if let Some(rest) = without_line_end(self.rest) {
            self.rest = rest;
            self.line = self.line.saturating_add(1);
        }
    }

    fn skip_line(&mut self) {
        let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
        self.rest = self.rest.split_at(end).1;
        self.end_line();
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, Fault>;

    fn next(&mut self) -> Option<Result<Row, Fault>> {
        loop {
            if let Some(next) = self.order.pop_front() {
                return Some(next.and_then(|line| {
                    let mut fields = csv::StringRecord::new();
                    match self.batch.read_record(&mut fields) {
                        Ok(true) => Ok(Row { line, fields }),
                        Ok(false) | Err(_) => Err(Fault::at(line, Refusal::Unreadable)),
                    }
                }));
            }
            if self.rest.is_empty() {
                return None;
            }
            self.fill();
        }
    }
}

fn reader(delimiter: Delimiter, bytes: Vec<u8>) -> csv::Reader<Cursor<Vec<u8>>> {
    csv::ReaderBuilder::new()
        .delimiter(delimiter.byte())
        .terminator(csv::Terminator::Any(b'\n'))
        .has_headers(false)
        .flexible(true)
        .from_reader(Cursor::new(bytes))
}

/// How many lines end in a text: CRLF, LF and CR count once each.
fn line_ends(text: &str) -> u64 {
    let ends = text.matches(['\n', '\r']).count() - text.matches("\r\n").count();
    u64::try_from(ends).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NAMES: &str = "board,seat,entrant,score\n1,A,赵子龙,6\n1,A,欧阳静,2\n1,A,李建国,0\n";

    fn read(bytes: &[u8]) -> (String, Encoding) {
        let (text, encoding) = decode(bytes).unwrap();
        (text.into_owned(), encoding)
    }

    #[test]
    fn every_encoding_gives_the_same_text() {
        let utf16: Vec<u16> = NAMES.encode_utf16().collect();
        let low: Vec<u8> = utf16.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let high: Vec<u8> = utf16.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for (bytes, encoding) in [
            (NAMES.as_bytes().to_vec(), Encoding::Utf8),
            ([b"\xef\xbb\xbf", NAMES.as_bytes()].concat(), Encoding::Utf8),
            (low.clone(), Encoding::Utf16Le),
            ([vec![0xff, 0xfe], low].concat(), Encoding::Utf16Le),
            (high.clone(), Encoding::Utf16Be),
            ([vec![0xfe, 0xff], high].concat(), Encoding::Utf16Be),
            (GB18030.encode(NAMES).0.into_owned(), Encoding::Gb18030),
        ] {
            assert_eq!(read(&bytes), (NAMES.to_owned(), encoding));
        }
    }

    #[test]
    fn big5_and_rare_characters_of_gb18030_are_told_apart() {
        let traditional = "name\n陳建國\n歐陽靜\n劉鎔基\n張偉\n";
        assert_eq!(read(&BIG5.encode(traditional).0), (traditional.to_owned(), Encoding::Big5));
        assert_eq!(read(&GB18030.encode(traditional).0), (traditional.to_owned(), Encoding::Gb18030));
        let rare = "name\n朱镕基\n陶喆\n张珺\n李伟\n";
        assert_eq!(read(&GB18030.encode(rare).0), (rare.to_owned(), Encoding::Gb18030));
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_line() {
        assert_eq!(decode(b"a\nb\n\xff,\xff"), Err(Fault::at(3, Refusal::Encoding)));
        assert_eq!(decode(b"\xff\xfea\0b"), Err(Fault::at(1, Refusal::BrokenUtf16)));
        assert_eq!(decode(b"").unwrap().0, "");
    }

    const LIMITS: Limits = Limits { bytes: 1 << 20, rows: 1000, fields: 100 };

    type Seen = (u64, Result<Vec<String>, Refusal>);

    fn rows(text: &str) -> Vec<Seen> {
        let row = |row: Row| (row.line, Ok(row.fields().map(str::to_owned).collect()));
        Rows::of(text, LIMITS)
            .unwrap()
            .map(|next| next.map_or_else(|fault| (fault.line, Err(fault.what)), row))
            .collect()
    }

    fn ok(line: u64, fields: &[&str]) -> Seen {
        (line, Ok(fields.iter().map(|field| (*field).to_owned()).collect()))
    }

    #[test]
    fn lines_are_those_of_the_file_whatever_ends_them() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "a,b~~,,~1, \"x~~y\" ~ ~\"q\"z,2~3,4~\"5".replace('~', end);
            let quoted = format!("x{end}{end}y");
            let wanted = vec![
                ok(1, &["a", "b"]),
                ok(4, &["1", &quoted]),
                (8, Err(Refusal::StrayQuote)),
                ok(9, &["3", "4"]),
                (10, Err(Refusal::OpenQuote)),
            ];
            assert_eq!(rows(&text), wanted, "{end:?}");
        }
    }

    #[test]
    fn the_heading_or_a_first_line_tells_the_delimiter() {
        for (text, delimiter, second) in [
            ("a,b;c", Delimiter::Comma, "b;c"),
            ("a,\tb", Delimiter::Comma, "b"),
            ("a;b\tc", Delimiter::Semicolon, "b\tc"),
            ("\n\t\na\tb", Delimiter::Tab, "b"),
            (";;\na;b", Delimiter::Semicolon, "b"),
            ("\"a,b\";c", Delimiter::Semicolon, "c"),
            ("sep=;\na,b;c", Delimiter::Semicolon, "c"),
            ("\"SEP=,\"\r\na;b,c", Delimiter::Comma, "c"),
            ("sep=\t\na,b\tc", Delimiter::Tab, "c"),
        ] {
            let mut rows = Rows::of(text, LIMITS).unwrap();
            assert_eq!(rows.delimiter(), delimiter, "{text:?}");
            let row =
                rows.find(|row| row.as_ref().is_ok_and(|row| row.field(0) != Some(""))).unwrap().unwrap();
            assert_eq!(row.field(1), Some(second), "{text:?}");
        }
        for (text, line, told) in [("sep=|\na|b", 1, '|'), ("\na|b", 2, '|'), ("姓名，单位\n", 1, '，')]
        {
            assert_eq!(Rows::of(text, LIMITS).unwrap_err(), Fault::at(line, Refusal::Delimiter(told)));
        }
    }

    #[test]
    fn sizes_are_bounded() {
        let limits = Limits { bytes: 16, rows: 2, fields: 2 };
        let read = |text: &'static str| Rows::of(text, limits).map(Iterator::collect::<Vec<_>>);
        assert_eq!(read("aaaaaaaaaaaaaaaaa"), Err(Fault::at(1, Refusal::Bytes(16))));
        let found = read("a,b\n\n,,,\n1\n2\n3").unwrap();
        assert_eq!(found.len(), 3);
        assert_eq!(found[2], Err(Fault::at(5, Refusal::Rows(2))));
        let found = read("a,b\n1,2,3\n").unwrap();
        assert_eq!(found[1], Err(Fault::at(2, Refusal::Fields(2))));
    }

    #[test]
    fn every_refusal_is_a_sentence_in_every_language() {
        use crate::words::{Lang, say};
        for what in [
            Refusal::BrokenUtf16,
            Refusal::Encoding,
            Refusal::Delimiter('|'),
            Refusal::OpenQuote,
            Refusal::StrayQuote,
            Refusal::Bytes(1),
            Refusal::Rows(1),
            Refusal::Fields(1),
            Refusal::Unreadable,
        ] {
            let message = Fault::at(1, what).message();
            assert!(Lang::ALL.into_iter().all(|lang| say(lang, &message) != message.id), "{what:?}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            if let Ok((text, _)) = decode(&bytes)
                && let Ok(rows) = Rows::of(&text, LIMITS)
            {
                for row in rows {
                    prop_assert_ne!(row.map_err(|fault| fault.what), Err(Refusal::Unreadable));
                }
            }
        }

        #[test]
        fn no_text_makes_the_reader_lose_a_row(text in "(a,b\n)?([ab赵,;\t\"\r\n ]|\"\"){0,80}") {
            let Ok(rows) = Rows::of(&text, LIMITS) else { return Ok(()) };
            let mut last = 0;
            for row in rows {
                let (line, what) = row.map_or_else(|fault| (fault.line, Some(fault.what)), |row| (row.line, None));
                prop_assert_ne!(what, Some(Refusal::Unreadable));
                prop_assert!(line > last && line <= line_ends(&text) + 1);
                last = line;
            }
        }
    }
}
