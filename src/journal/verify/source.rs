//! The lines of a bundle as sections in their order, with the hash of each section.

use std::io::BufRead;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::wrong::Wrong;
use crate::canonical::Hash;
use crate::journal::bundle::Section;
use crate::journal::bundle::lines::{LINE_MAX, LineFault, Lines};
use crate::journal::bundle::model::{
    Manifest, SectionSum, Signed, TextFault, read_fields, read_line, signed_text,
};
use crate::journal::scan::is_entry;
use crate::journal::sign::{self, Purpose};
use crate::words::Message;

/// One section as it was read.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub section: Section,
    pub first_line: u64,
    pub last_line: u64,
    pub sum: SectionSum,
}

/// The fault that a section is not what the manifest says.
pub(super) fn changed(read: &Read) -> Box<Wrong> {
    let message = Message::plain("verify-section-sum");
    let mut wrong = Wrong::at("section_sum", Some(read.section), read.first_line, message);
    wrong.place.lines = Some((read.first_line, read.last_line));
    wrong
}

pub(super) struct Source<R> {
    lines: Lines<R>,
    /// Whether `lines` holds a line that has not been taken yet.
    held: bool,
    ended: bool,
    /// The held line, if it has been read as a section's line.
    parsed: Option<(Section, Map<String, Value>)>,
    section: Section,
    first_line: u64,
    count: u64,
    pub done: Vec<Read>,
    /// The key under which the manifest must be signed, once it is known.
    pub server_key: Option<Hash>,
    /// The last line that could not be read: its number, and the section it was meant for as far as its text tells.
    unread: Option<(u64, Option<Section>)>,
}

/// What stands behind the lines of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// Another line.
    Line,
    /// Nothing.
    End,
    /// Something that could not be read.
    Unread,
}

/// The longest journal, in bytes. No game comes near it; what is longer is not read as one.
const JOURNAL_MAX: usize = 64 << 20;

type Found<T> = Result<T, Box<Wrong>>;

/// The section that has a line of the file, by the numbers of lines in a manifest.
fn section_of_line(sections: &[SectionSum], line: u64) -> Option<Section> {
    let mut last: u64 = 0;
    for sum in sections {
        last = last.checked_add(sum.lines)?;
        if line <= last {
            return Section::named(&sum.name);
        }
    }
    (line == last.checked_add(1)?).then_some(Section::Manifest)
}

/// Which section a damaged line was meant for: its text (the first of two lines, where the end of a line was lost) has `"section":"NAME"` with one wrong byte at most, or begins
/// like the manifest.
fn meant_for(text: &str) -> Option<Section> {
    const KEY: &[u8] = b"\"section\":\"";
    let bytes = text.as_bytes();
    let wrong_bytes = |at: usize, wanted: &[u8]| {
        let found = bytes.get(at..at.checked_add(wanted.len())?)?;
        Some(found.iter().zip(wanted).filter(|(one, other)| one != other).count())
    };
    let mut named = (0..bytes.len()).filter(|at| wrong_bytes(*at, KEY).is_some_and(|wrong| wrong <= 1));
    let section = named.find_map(|at| {
        let name = at + KEY.len();
        Section::ALL.into_iter().find(|section| {
            let wanted = format!("{}\"", section.name());
            let wrong = wrong_bytes(at, KEY).zip(wrong_bytes(name, wanted.as_bytes()));
            wrong.is_some_and(|(key, name)| key + name <= 1)
        })
    });
    let manifest = || wrong_bytes(0, b"{\"body\":{\"sections\":").is_some_and(|wrong| wrong <= 1);
    section.or_else(|| manifest().then_some(Section::Manifest))
}

impl<R: BufRead> Source<R> {
    pub fn new(input: R) -> Source<R> {
        Source {
            lines: Lines::new(input),
            held: false,
            ended: false,
            parsed: None,
            section: Section::Bundle,
            first_line: 1,
            count: 0,
            done: Vec::new(),
            server_key: None,
            unread: None,
        }
    }

    /// The line that is being read, from 1. A line that was only looked at to see where a section ends does not
    /// count yet.
    pub fn line(&self) -> u64 {
        self.lines.number() - u64::from(self.parsed.is_some())
    }

    pub fn wrong(&self, code: &'static str, message: Message) -> Box<Wrong> {
        Wrong::at(code, Some(self.section), self.line(), message)
    }

    /// Something wrong with the current section as a whole.
    pub fn wrong_section(&self, code: &'static str, message: Message) -> Box<Wrong> {
        let mut wrong = self.wrong(code, message);
        wrong.place.lines = Some((self.first_line, self.line()));
        wrong
    }

    /// The next line without taking it; `None` at the end of the file.
    pub fn peek(&mut self) -> Found<Option<&str>> {
        if !self.held && !self.ended {
            match self.lines.advance() {
                Ok(true) => self.held = true,
                Ok(false) => self.ended = true,
                Err(fault) => {
                    let meant = meant_for(self.lines.refused());
                    self.unread = Some((self.lines.number(), meant));
                    return Err(self.line_fault(fault));
                }
            }
        }
        Ok(self.held.then(|| self.lines.text()))
    }

    /// Takes the line that [`Source::peek`] showed into the current section.
    pub fn take(&mut self) {
        if self.held {
            self.lines.count_in();
            self.held = false;
            self.count += 1;
        }
    }

    fn parse(&mut self) -> Found<Option<Section>> {
        if let Some((section, _)) = &self.parsed {
            return Ok(Some(*section));
        }
        let Some(text) = self.peek()? else { return Ok(None) };
        match read_line(text) {
            Ok((section, object)) => {
                self.parsed = Some((section, object));
                Ok(Some(section))
            }
            Err(fault) => {
                let meant = meant_for(self.lines.text());
                self.unread = Some((self.lines.number(), meant));
                Err(self.text_fault(fault))
            }
        }
    }

    /// Reads the next line if it is of the section.
    pub fn next_of<T: DeserializeOwned>(&mut self, section: Section) -> Found<Option<T>> {
        if self.parse()? != Some(section) {
            return Ok(None);
        }
        let Some((_, object)) = self.parsed.take() else { return Ok(None) };
        self.enter(section);
        self.take();
        read_fields(object).map(Some).map_err(|fault| self.text_fault(fault))
    }

    fn enter(&mut self, section: Section) {
        if section != self.section {
            self.close();
            self.section = section;
            self.first_line = self.lines.number();
        }
    }

    /// Takes the next line into a section if it is exactly what is expected there; no other line is touched.
    pub fn take_if(&mut self, section: Section, expected: impl FnOnce(&str) -> bool) -> Found<bool> {
        let fits = self.peek()?.is_some_and(expected);
        if fits {
            self.parsed = None;
            self.enter(section);
            self.take();
        }
        Ok(fits)
    }

    /// Moves the lines of a journal behind its first one to the end of `text`. Answers what stands behind them, with
    /// the fault of a line that could not be read.
    pub fn entries(&mut self, text: &mut String) -> (Tail, Option<Box<Wrong>>) {
        let begun = text.len();
        let tail = loop {
            match self.peek() {
                Ok(Some(line)) if is_entry(line) && text.len() - begun < JOURNAL_MAX => {
                    text.push_str(self.lines.whole());
                    self.held = false;
                    self.count += 1;
                }
                Ok(Some(_)) => break (Tail::Line, None),
                Ok(None) => break (Tail::End, None),
                Err(wrong) => break (Tail::Unread, Some(wrong)),
            }
        };
        self.lines.count_in_all(text.get(begun..).unwrap_or_default());
        tail
    }

    /// Whether the next line is of the section and has this number under a key; it is not taken.
    pub fn next_is(&mut self, section: Section, key: &str, number: u32) -> Found<bool> {
        if self.parse()? != Some(section) {
            return Ok(false);
        }
        let found = self.parsed.as_ref().and_then(|(_, object)| object.get(key)).and_then(Value::as_u64);
        Ok(found == Some(u64::from(number)))
    }

    /// Reads the next line, which must be of the section.
    pub fn one<T: DeserializeOwned>(&mut self, section: Section) -> Found<T> {
        match self.next_of(section)? {
            Some(body) => Ok(body),
            None => Err(self.expected(section)),
        }
    }

    /// The fault that the next line is not of the section that must come here.
    pub fn expected(&mut self, section: Section) -> Box<Wrong> {
        let wanted = section.name();
        match self.parse() {
            Ok(Some(found)) => {
                let message =
                    Message::plain("verify-section-order").with("wanted", wanted).with("found", found.name());
                Wrong::at("section_order", Some(found), self.lines.number(), message)
            }
            Ok(None) => Wrong::at(
                "cut_off",
                Some(self.section),
                self.lines.number(),
                Message::plain("verify-section-missing").with("wanted", wanted),
            ),
            Err(wrong) => wrong,
        }
    }

    /// Ends the current section.
    fn close(&mut self) {
        if self.count > 0 {
            let sum = SectionSum {
                name: self.section.name().to_owned(),
                lines: self.count,
                sha256: hex::encode(self.lines.take_hash()),
            };
            self.done.push(Read {
                section: self.section,
                first_line: self.first_line,
                last_line: (self.first_line + self.count).saturating_sub(1),
                sum,
            });
            self.count = 0;
        }
    }

    /// Who is to blame: a change in one section may come to light only in a later one (a setting, when the results
    /// are compared). If the manifest at the end of the file is genuine and disagrees with a section that was read
    /// before the fault, that section is the first thing that is wrong.
    ///
    /// A line that could not be read is of the section that a genuine manifest has there, else of the one that its
    /// text still names, else of the one that any manifest has there, else of the one that the next line names, which
    /// may be the rest of it.
    pub fn blame(mut self, mut wrong: Box<Wrong>) -> Box<Wrong> {
        let unread = self.unread.filter(|(line, _)| wrong.place.lines == Some((*line, *line)));
        let (next, manifest) = self.rest();
        let Some(manifest) = manifest else {
            if let Some((_, meant)) = unread {
                wrong.place.section = meant.or(next).or(wrong.place.section);
            }
            return wrong;
        };
        let genuine = self.server_key.is_some_and(|key| {
            sign::verify(&key, Purpose::Manifest, &signed_text(&manifest.body), &manifest.signature)
        });
        let sections = &manifest.body.sections;
        if let Some((read, _)) = self.done.iter().zip(sections).find(|(read, sum)| read.sum != **sum)
            && genuine
        {
            return changed(read);
        }
        if let Some((line, meant)) = unread {
            let there = section_of_line(sections, line);
            let named = if genuine { there.or(meant) } else { meant.or(there) };
            wrong.place.section = named.or(wrong.place.section);
        }
        wrong
    }

    /// Reads to the end of the file: the section that the next line names, and the manifest if the last line is one.
    /// Lines that cannot be read are stepped over.
    fn rest(&mut self) -> (Option<Section>, Option<Signed<Manifest>>) {
        let mut last = if self.held { self.lines.text().to_owned() } else { String::new() };
        let mut next = None;
        let mut first = true;
        while !self.ended {
            match self.lines.advance() {
                Ok(true) => self.lines.text().clone_into(&mut last),
                Ok(false) => break,
                Err(LineFault::Unreadable(_) | LineFault::TooLong) => return (next, None),
                Err(_) => last.clear(),
            }
            if std::mem::take(&mut first) {
                next = meant_for(&last);
            }
        }
        match read_line(&last) {
            Ok((Section::Manifest, object)) => (next, read_fields(object).ok()),
            _ => (next, None),
        }
    }

    /// Checks that the file ends here.
    pub fn end(&mut self) -> Found<()> {
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(self.wrong("after_the_end", Message::plain("verify-after-the-end"))),
        }
    }

    fn line_fault(&self, fault: LineFault) -> Box<Wrong> {
        let (code, message) = match fault {
            LineFault::ByteOrderMark => ("byte_order_mark", Message::plain("verify-byte-order-mark")),
            LineFault::CarriageReturn => ("carriage_return", Message::plain("verify-carriage-return")),
            LineFault::CutOff => ("cut_off", Message::plain("verify-cut-off")),
            LineFault::TooLong => {
                ("line_too_long", Message::plain("verify-line-too-long").with("bytes", LINE_MAX))
            }
            LineFault::NotUtf8 => ("not_utf8", Message::plain("verify-not-utf8")),
            LineFault::Unreadable(detail) => {
                ("unreadable", Message::plain("verify-unreadable").with("detail", detail))
            }
        };
        self.wrong(code, message)
    }

    fn text_fault(&self, fault: TextFault) -> Box<Wrong> {
        let (code, message) = match fault {
            TextFault::NotJson(detail) => {
                ("malformed", Message::plain("verify-malformed").with("detail", detail.message()))
            }
            TextFault::NotCanonical => ("not_canonical", Message::plain("verify-not-canonical")),
            TextFault::NoSection => ("no_section", Message::plain("verify-no-section")),
            TextFault::Fields(detail) => {
                ("bad_fields", Message::plain("verify-bad-fields").with("detail", detail))
            }
        };
        self.wrong(code, message)
    }
}
