//! Text files in the encodings that spreadsheets and editors write: UTF-8, UTF-16, GB18030, Big5.
//!
//! Bytes in, text out. What is no UTF-8 is recognised by its bytes alone; whoever shows the text says how it was read.

use std::borrow::Cow;

use encoding_rs::{BIG5, GB18030, UTF_16BE, UTF_16LE};

use super::{Message, message};

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
    #[must_use]
    pub fn doubt(self) -> Option<Message> {
        matches!(self, Encoding::Gb18030 | Encoding::Big5)
            .then(|| message!("text-read-as", encoding = self.name()))
    }
}

/// Why bytes are no text. Lines count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingFault {
    /// UTF-16 that breaks off in the middle of a character.
    BrokenUtf16,
    /// None of the encodings; the line with the first bytes that are not UTF-8.
    Unknown(u64),
}

impl EncodingFault {
    /// The line that is meant.
    #[must_use]
    pub const fn line(self) -> u64 {
        match self {
            EncodingFault::BrokenUtf16 => 1,
            EncodingFault::Unknown(line) => line,
        }
    }

    /// The sentence for any reader.
    #[must_use]
    pub fn message(self) -> Message {
        match self {
            EncodingFault::BrokenUtf16 => message!("text-broken-utf16"),
            EncodingFault::Unknown(_) => message!("text-unknown-encoding"),
        }
    }
}

/// Reads a text file, without its byte order mark.
///
/// # Errors
/// Bytes that are no text in any of the encodings.
///
/// ```
/// use fushi::words::{Encoding, decode};
///
/// assert_eq!(decode("赵".as_bytes()).unwrap(), ("赵".into(), Encoding::Utf8));
/// assert_eq!(decode(b"\xd5\xd4").unwrap(), ("赵".into(), Encoding::Gb18030));
/// ```
pub fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), EncodingFault> {
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
        return text.map(|text| (text, encoding)).ok_or(EncodingFault::BrokenUtf16);
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
            Err(EncodingFault::Unknown(u64::try_from(line).unwrap_or(u64::MAX)))
        }
    }
}

/// The separator that the first line of a list names for spreadsheets, as `sep=,`, and the text behind that line.
#[must_use]
pub fn separator_line(text: &str) -> Option<(char, &str)> {
    let end = text.find(['\n', '\r']).unwrap_or(text.len());
    let (line, rest) = text.split_at(end);
    let line = line.trim().trim_matches('"');
    let named = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep="))?;
    let mut after = line.get(named.len()..)?.chars();
    let separator = after.next().filter(|_| after.next().is_none())?;
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r'])).unwrap_or(rest);
    Some((separator, rest))
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

#[cfg(test)]
mod tests {
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
        assert_eq!(decode(b"a\nb\n\xff,\xff"), Err(EncodingFault::Unknown(3)));
        assert_eq!(decode(b"\xff\xfea\0b"), Err(EncodingFault::BrokenUtf16));
        assert_eq!(decode(b"").unwrap().0, "");
    }
}
