//! The quick reader of a journal's lines: lines of a bundle with their hash, and canonical bytes without. It accepts
//! exactly the canonical form and nothing else; a line that it refuses is looked at again, slowly, to say why.

use std::collections::HashMap;

use super::By;
use super::Entry;
use super::control::Fields;
use crate::games::{ActionText, Game, Seat};
use crate::words::{Message, message};

/// A line of a journal after its receipt, in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scanned<'a> {
    pub what: What<'a>,
    /// The chain's hash; bundles have it, journals in the database do not.
    pub hash: Option<&'a str>,
    /// The line up to the key `hash`, and from the key after it: together the canonical bytes.
    pub parts: (&'a str, &'a str),
}

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What<'a> {
    Action(Parts<'a>),
    Control(Fields<'a>),
}

/// The parts of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    pub after: Option<u32>,
    pub at: Option<u64>,
    pub by: Option<By>,
    pub text: &'a str,
    pub seat: &'a str,
}

/// Whether a line begins like one of a journal rather than like a section's line.
pub(super) fn is_entry(line: &str) -> bool {
    ["{\"at\":", "{\"do\":", "{\"after\":", "{\"by\":"].iter().any(|start| line.starts_with(start))
}

/// Reads a line in canonical form.
pub(super) fn scan(line: &str) -> Option<Scanned<'_>> {
    let mut cursor = Cursor { line, place: 0 };
    cursor.take("{").then_some(())?;
    let after = if cursor.take("\"after\":") { Some(u32::try_from(cursor.number()?).ok()?) } else { None };
    let at = if cursor.take("\"at\":") { Some(cursor.number()?) } else { None };
    let by = if cursor.take("\"by\":\"") { Some(cursor.text()?) } else { None };
    if !cursor.take("\"do\":\"") {
        return if after.is_none() { note(cursor, at, by?) } else { None };
    }
    let by = match by {
        None => None,
        Some(word) => Some(By::named(word).filter(|by| by.acts())?),
    };
    let text = cursor.text()?;
    let (hash, parts) = cursor.hash()?;
    cursor.take("\"seat\":\"").then_some(())?;
    let seat = cursor.last()?;
    Some(Scanned { what: What::Action(Parts { after, at, by, text, seat }), hash, parts })
}

/// The rest of a note.
fn note<'a>(mut cursor: Cursor<'a>, at: Option<u64>, by: &'a str) -> Option<Scanned<'a>> {
    let (hash, parts) = cursor.hash()?;
    let ms = if cursor.take("\"ms\":") { Some(cursor.number()?) } else { None };
    cursor.take("\"note\":\"").then_some(())?;
    let mut fields = Fields { at, by, ms, note: "", seat: None, who: None };
    fields.note = cursor.any()?;
    if cursor.take(",\"seat\":\"") {
        fields.seat = Some(cursor.any()?);
    }
    if cursor.take(",\"who\":\"") {
        fields.who = Some(cursor.any()?);
    }
    (cursor.rest() == "}").then_some(Scanned { what: What::Control(fields), hash, parts })
}

/// The entry that scanned parts say, or why they say none.
pub(super) fn read<G: Game>(parts: &Parts<'_>) -> Result<Entry<G::Action>, Message> {
    let seat = seat::<G>(parts.seat)?;
    let text = ActionText { text: parts.text.to_owned(), after: parts.after };
    let action = G::read_action(&text)?;
    Ok(Entry { seat, action, at: parts.at, by: parts.by })
}

/// Actions by their texts, each read once: a bundle says `pass` very often. Every text in it is in normal form.
pub(super) struct Memo<G: Game> {
    actions: HashMap<String, G::Action>,
}

/// How many texts are kept at most, and how long they may be, in bytes.
const MEMO: (usize, usize) = (1 << 15, 64);

impl<G: Game> Memo<G> {
    pub fn new() -> Memo<G> {
        Memo { actions: HashMap::new() }
    }

    /// As [`read`], and whether the text is the action's normal form.
    pub fn read(&mut self, parts: &Parts<'_>) -> Result<(Entry<G::Action>, bool), Message> {
        if parts.after.is_none()
            && let Some(action) = self.actions.get(parts.text)
        {
            let entry =
                Entry { seat: seat::<G>(parts.seat)?, action: action.clone(), at: parts.at, by: parts.by };
            return Ok((entry, true));
        }
        let entry = read::<G>(parts)?;
        let written = G::write_action(&entry.action);
        let normal = written.text == parts.text && written.after == parts.after;
        if normal && parts.after.is_none() && parts.text.len() <= MEMO.1 {
            if self.actions.len() >= MEMO.0 {
                self.actions.clear();
            }
            self.actions.insert(parts.text.to_owned(), entry.action.clone());
        }
        Ok((entry, normal))
    }
}

/// The seat with a name.
pub(super) fn seat<G: Game>(name: &str) -> Result<Seat, Message> {
    G::seat_named(name).ok_or_else(|| {
        let shown: String = name.chars().take(40).flat_map(char::escape_debug).collect();
        message!("record-no-seat", shown)
    })
}

/// A place in a line; it only ever stands between two characters.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    line: &'a str,
    place: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        self.line.get(self.place..).unwrap_or_default()
    }

    /// Steps over a word if it stands here.
    fn take(&mut self, word: &str) -> bool {
        let here = self.rest().as_bytes().starts_with(word.as_bytes());
        if here {
            self.place += word.len();
        }
        here
    }

    /// A number in its shortest form and the comma after it.
    fn number(&mut self) -> Option<u64> {
        let rest = self.rest().as_bytes();
        let mut value: u64 = 0;
        let mut length = 0;
        while let Some(digit) = rest.get(length).filter(|byte| byte.is_ascii_digit()) {
            value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
            length += 1;
        }
        let short = length == 1 || (length > 1 && rest.first() != Some(&b'0'));
        (short && rest.get(length) == Some(&b',')).then_some(())?;
        self.place += length + 1;
        Some(value)
    }

    /// A text that needs no escape in JSON, up to its quote and over it: what seats, actions, words and hashes
    /// consist of.
    fn any(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let end = rest.bytes().position(|byte| byte == b'"' || byte == b'\\' || byte < b' ')?;
        (rest.as_bytes().get(end) == Some(&b'"')).then_some(())?;
        self.place += end + 1;
        rest.get(..end)
    }

    /// A text and the comma after it.
    fn text(&mut self) -> Option<&'a str> {
        let text = self.any()?;
        self.take(",").then_some(text)
    }

    /// A text at the end of the line.
    fn last(&mut self) -> Option<&'a str> {
        let text = self.any()?;
        (self.rest() == "}").then_some(text)
    }

    /// The hash if one stands here, and the line around it.
    fn hash(&mut self) -> Option<(Option<&'a str>, (&'a str, &'a str))> {
        let before = self.line.get(..self.place)?;
        let hash = if self.take("\"hash\":\"") { Some(self.text()?) } else { None };
        Some((hash, (before, self.rest())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_form_is_read() {
        let line = r#"{"after":3,"at":0,"by":"clock","do":"play H4","hash":"00","seat":"A"}"#;
        let scanned = scan(line).unwrap();
        let parts = Parts { after: Some(3), at: Some(0), by: Some(By::Clock), text: "play H4", seat: "A" };
        assert_eq!((scanned.what, scanned.hash), (What::Action(parts), Some("00")));
        let around = (r#"{"after":3,"at":0,"by":"clock","do":"play H4","#, r#""seat":"A"}"#);
        assert_eq!(scanned.parts, around);
        assert!(is_entry(line) && !is_entry(r#"{"board":1,"section":"journal"}"#));
        assert_eq!(scan(r#"{"do":"pass","seat":"A"}"#).unwrap().hash, None);
        let most = r#"{"at":18446744073709551615,"do":"pass","seat":"A"}"#;
        assert!(matches!(scan(most).unwrap().what, What::Action(Parts { at: Some(u64::MAX), .. })));
        for bad in [
            r#"{"do":"pass","hash":"00","seat":"A"} "#,
            r#"{"do":"pass", "hash":"00","seat":"A"}"#,
            r#"{"do":"pass","seat":"A","hash":"00"}"#,
            r#"{"at":01,"do":"pass","hash":"00","seat":"A"}"#,
            r#"{"at":,"do":"pass","hash":"00","seat":"A"}"#,
            r#"{"at":-1,"do":"pass","hash":"00","seat":"A"}"#,
            r#"{"at":1,"after":3,"do":"pass","hash":"00","seat":"A"}"#,
            r#"{"at":18446744073709551616,"do":"pass","hash":"00","seat":"A"}"#,
            r#"{"after":4294967296,"do":"pass","seat":"A"}"#,
            r#"{"by":"me","do":"pass","hash":"00","seat":"A"}"#,
            r#"{"by":"dealer","do":"pass","seat":"A"}"#,
            r#"{"do":"pa\"ss","hash":"00","seat":"A"}"#,
            r#"{"do":"pass\u0041","hash":"00","seat":"A"}"#,
            r#"{"do":"pass","hash":"00","seat":"A"}}"#,
            r#"{"do":"pass","seat":"A","#,
            "{",
            "",
        ] {
            assert_eq!(scan(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_note_is_read_in_its_canonical_form_only() {
        let line = r#"{"at":12,"by":"referee","hash":"00","ms":30000,"note":"give","seat":"A","who":"r1"}"#;
        let scanned = scan(line).unwrap();
        let fields = Fields {
            at: Some(12),
            by: "referee",
            ms: Some(30000),
            note: "give",
            seat: Some("A"),
            who: Some("r1"),
        };
        assert_eq!((scanned.what, scanned.hash), (What::Control(fields), Some("00")));
        assert_eq!(scanned.parts.0, r#"{"at":12,"by":"referee","#);
        assert!(is_entry(line) && is_entry(r#"{"by":"dealer","note":"deal"}"#));
        assert!(scan(r#"{"by":"dealer","note":"deal"}"#).is_some());
        for bad in [
            r#"{"note":"deal"}"#,
            r#"{"after":1,"by":"dealer","note":"deal"}"#,
            r#"{"note":"deal","by":"dealer"}"#,
            r#"{"by":"dealer","note":"deal"} "#,
            r#"{"by":"dealer","note":"deal","hash":"00"}"#,
            r#"{"by":"referee","note":"give","ms":1,"seat":"A"}"#,
            r#"{"by":"referee","note":"look","who":"r1","seat":"A"}"#,
            r#"{"by":"referee","ms":007,"note":"give","seat":"A"}"#,
            r#"{"by":"dealer","do":"pass","note":"deal"}"#,
            r#"{"by":"dealer","note":"deal""#,
        ] {
            assert_eq!(scan(bad), None, "{bad}");
        }
    }
}
