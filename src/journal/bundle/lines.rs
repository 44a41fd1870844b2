//! The lines of a bundle, read strictly: UTF-8, each ended by a line feed and nothing else, the last one too.

use std::io::{BufRead, Read};

use sha2::{Digest, Sha256};

use crate::canonical::Hash;

/// The longest line of a bundle, in bytes with its line feed.
pub const LINE_MAX: usize = 64 << 20;

/// So much of a refused line is kept, in bytes.
const REFUSED_MAX: usize = 1 << 20;

/// Why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// The file begins with a byte order mark.
    ByteOrderMark,
    /// The line ends with a carriage return.
    CarriageReturn,
    /// The file ends in the middle of a line.
    CutOff,
    /// Longer than [`LINE_MAX`].
    TooLong,
    /// Not UTF-8.
    NotUtf8,
    /// The file could not be read at all.
    Unreadable(String),
}

/// The lines of a file with their numbers and a running hash.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    number: u64,
    /// The line that was read last with its line feed; empty after one that was refused.
    line: String,
    /// The beginning of a line that was refused, as far as it is text: to say what it was meant to be.
    refused: String,
    sha: Sha256,
}

impl<R: BufRead> Lines<R> {
    /// Reads from a file or any other input.
    pub fn new(input: R) -> Lines<R> {
        Lines { input, number: 0, line: String::new(), refused: String::new(), sha: Sha256::new() }
    }

    /// The number of the line that was read last, from 1; 0 before the first.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line; `false` at the end of the file.
    ///
    /// # Errors
    /// What is wrong with the line's bytes.
    pub fn advance(&mut self) -> Result<bool, LineFault> {
        let mut bytes = std::mem::take(&mut self.line).into_bytes();
        bytes.clear();
        let limit = LINE_MAX as u64 + 1;
        let read = (&mut self.input)
            .take(limit)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| LineFault::Unreadable(error.to_string()))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        let fault = if self.number == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            LineFault::ByteOrderMark
        } else if bytes.len() > LINE_MAX {
            LineFault::TooLong
        } else if std::str::from_utf8(&bytes).is_err() {
            LineFault::NotUtf8
        } else if !bytes.ends_with(b"\n") {
            LineFault::CutOff
        } else if bytes.ends_with(b"\r\n") {
            LineFault::CarriageReturn
        } else {
            self.line = String::from_utf8(bytes).map_err(|_| LineFault::NotUtf8)?;
            return Ok(true);
        };
        let begin = bytes.get(..bytes.len().min(REFUSED_MAX)).unwrap_or_default();
        self.refused = String::from_utf8_lossy(begin).into_owned();
        Err(fault)
    }

    /// The beginning of the line that was refused last, with marks for what is no text.
    pub fn refused(&self) -> &str {
        &self.refused
    }

    /// The line that was read last, without its line feed.
    pub fn text(&self) -> &str {
        self.line.strip_suffix('\n').unwrap_or(&self.line)
    }

    /// The line that was read last, with its line feed.
    pub fn whole(&self) -> &str {
        &self.line
    }

    /// Takes the line that was read last into the running hash.
    pub fn count_in(&mut self) {
        self.sha.update(&self.line);
    }

    /// Takes lines that were read before into the running hash.
    pub fn count_in_all(&mut self, lines: &str) {
        self.sha.update(lines);
    }

    /// SHA-256 of all lines that were counted in since the last call, and begins anew.
    pub fn take_hash(&mut self) -> Hash {
        std::mem::take(&mut self.sha).finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<String>, (u64, LineFault)> {
        let mut lines = Lines::new(bytes);
        let mut found = Vec::new();
        while lines.advance().map_err(|fault| (lines.number(), fault))? {
            found.push(lines.text().to_owned());
        }
        Ok(found)
    }

    #[test]
    fn lines_end_with_a_line_feed_and_nothing_else() {
        assert_eq!(read("a\n复\n".as_bytes()).unwrap(), ["a", "复"]);
        assert_eq!(read(b"").unwrap(), Vec::<String>::new());
        assert_eq!(read(b"a\nb").unwrap_err(), (2, LineFault::CutOff));
        assert_eq!(read(b"a\r\nb\n").unwrap_err(), (1, LineFault::CarriageReturn));
        assert_eq!(read(b"\xef\xbb\xbfa\n").unwrap_err(), (1, LineFault::ByteOrderMark));
        assert_eq!(read(b"a\n\xff\n").unwrap_err(), (2, LineFault::NotUtf8));
        assert_eq!(read(&vec![b'x'; LINE_MAX + 10]).unwrap_err(), (1, LineFault::TooLong));
    }

    #[test]
    fn the_hash_is_that_of_the_bytes_with_their_line_feeds() {
        let mut lines = Lines::new(&b"a\nb\nc\n"[..]);
        for _ in 0..2 {
            lines.advance().unwrap();
            lines.count_in();
        }
        assert_eq!(lines.take_hash(), crate::canonical::sha256(b"a\nb\n"));
        lines.advance().unwrap();
        lines.count_in();
        assert_eq!(lines.take_hash(), crate::canonical::sha256(b"c\n"));
    }
}
