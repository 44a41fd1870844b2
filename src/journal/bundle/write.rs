//! Writing a bundle, line by line.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::model::{Manifest, Section, SectionSum, signed_text, write_line};
use crate::journal::revision::signed;
use crate::journal::sign::{Purpose, Signer};

/// Writes the sections of a bundle in order and closes them with the manifest.
pub struct BundleWriter<W: Write> {
    out: W,
    section: Section,
    lines: u64,
    sha: Sha256,
    sums: Vec<SectionSum>,
}

impl<W: Write> BundleWriter<W> {
    /// A bundle that is written to `out`.
    pub fn new(out: W) -> BundleWriter<W> {
        BundleWriter { out, section: Section::Bundle, lines: 0, sha: Sha256::new(), sums: Vec::new() }
    }

    /// Writes a line of a section; sections come in the order of [`Section::ALL`].
    ///
    /// # Errors
    /// Those of the output, or a section out of order.
    pub fn line<T: Serialize>(&mut self, section: Section, body: &T) -> io::Result<()> {
        self.enter(section)?;
        self.raw(&write_line(section, body))
    }

    /// Writes an action or a note of the journal that the last line began: canonical bytes and chain. What is damaged is
    /// written as it stands, in one line, so that whoever checks the bundle finds the place.
    ///
    /// # Errors
    /// Those of the output.
    pub fn entry(&mut self, canonical: &str, hash: &str) -> io::Result<()> {
        let whole = serde_json::from_str::<Map<String, Value>>(canonical).is_ok();
        let line = entry_line(canonical, hash).filter(|line| whole && !line.contains(['\n', '\r']));
        self.raw(&line.unwrap_or_else(|| json!({ "damaged": canonical, "hash": hash }).to_string()))
    }

    /// Writes a line of the event's journal: its canonical bytes with section and chain. What is damaged is written as it
    /// stands, as [`BundleWriter::entry`] does.
    ///
    /// # Errors
    /// Those of the output, or a section out of order.
    pub fn event_line(&mut self, canonical: &str, hash: &str) -> io::Result<()> {
        let mut object = serde_json::from_str::<Map<String, Value>>(canonical)
            .unwrap_or_else(|_| Map::from_iter([("damaged".to_owned(), canonical.into())]));
        object.insert("hash".to_owned(), hash.into());
        self.line(Section::Event, &object)
    }

    fn enter(&mut self, section: Section) -> io::Result<()> {
        if section < self.section {
            return Err(io::Error::other("the sections of a bundle are out of order"));
        }
        if section != self.section {
            self.close();
            self.section = section;
        }
        Ok(())
    }

    fn close(&mut self) {
        if self.lines > 0 {
            let sha256 = hex::encode(std::mem::take(&mut self.sha).finalize());
            self.sums.push(SectionSum { name: self.section.name().to_owned(), lines: self.lines, sha256 });
            self.lines = 0;
        }
    }

    fn raw(&mut self, line: &str) -> io::Result<()> {
        self.sha.update(line.as_bytes());
        self.sha.update(b"\n");
        self.lines += 1;
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// Writes the manifest with the server's signature and hands the output back.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self, signer: &Signer) -> io::Result<W> {
        self.enter(Section::Manifest)?;
        let manifest =
            signed(signer, Purpose::Manifest, Manifest { sections: std::mem::take(&mut self.sums) });
        debug_assert!(!signed_text(&manifest.body).is_empty());
        let line = write_line(Section::Manifest, &manifest);
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The line of an action or a note: its canonical bytes with the key `hash` put in where the order of keys has it,
/// before `seat`, or before `ms` and `note`.
#[must_use]
pub fn entry_line(canonical: &str, hash: &str) -> Option<String> {
    // Texts of actions and words of notes hold no quotes, so these are keys wherever they stand.
    let at = match canonical.find("\"note\":\"") {
        Some(note) => canonical.find("\"ms\":").unwrap_or(note),
        None => canonical.rfind("\"seat\":")?,
    };
    let (head, tail) = (canonical.get(..at)?, canonical.get(at..)?);
    Some(format!("{head}\"hash\":\"{hash}\",{tail}"))
}
