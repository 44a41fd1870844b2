//! The quick reader of entries: lines of a bundle with their hash, and canonical bytes without. It accepts exactly the
//! canonical form and nothing else; a line that it refuses is looked at again, slowly, to say why.

use super::By;
use super::Entry;
use crate::games::{ActionText, Game};

/// The parts of an entry's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scanned<'a> {
    pub after: Option<u32>,
    pub at: Option<u64>,
    pub by: Option<By>,
    pub text: &'a str,
    pub hash: Option<&'a str>,
    pub seat: &'a str,
}

/// Whether a line begins like an entry rather than like a section's line.
pub(super) fn is_entry(line: &str) -> bool {
    ["{\"do\":", "{\"at\":", "{\"after\":", "{\"by\":"].iter().any(|start| line.starts_with(start))
}

/// Reads a line in canonical form.
pub(super) fn scan(line: &str) -> Option<Scanned<'_>> {
    let mut rest = line.strip_prefix('{')?;
    let after = match rest.strip_prefix("\"after\":") {
        Some(tail) => Some(u32::try_from(number(tail, &mut rest)?).ok()?),
        None => None,
    };
    let at = match rest.strip_prefix("\"at\":") {
        Some(tail) => Some(number(tail, &mut rest)?),
        None => None,
    };
    let by = match rest.strip_prefix("\"by\":\"") {
        Some(tail) => Some(match text(tail, &mut rest)? {
            "clock" => By::Clock,
            "referee" => By::Referee,
            _ => return None,
        }),
        None => None,
    };
    let words = text(rest.strip_prefix("\"do\":\"")?, &mut rest)?;
    let hash = match rest.strip_prefix("\"hash\":\"") {
        Some(tail) => Some(text(tail, &mut rest)?),
        None => None,
    };
    let seat = plain(rest.strip_prefix("\"seat\":\"")?.strip_suffix("\"}")?)?;
    Some(Scanned { after, at, by, text: words, hash, seat })
}

/// The entry that scanned parts say, or why they say none.
pub(super) fn read<G: Game>(scanned: &Scanned<'_>) -> Result<Entry<G::Action>, String> {
    let seat = G::seat_named(scanned.seat).ok_or_else(|| {
        let shown: String = scanned.seat.chars().take(40).flat_map(char::escape_debug).collect();
        format!("there is no seat `{shown}`")
    })?;
    let text = ActionText { text: scanned.text.to_owned(), after: scanned.after };
    let action = G::read_action(&text)?;
    Ok(Entry { seat, action, at: scanned.at, by: scanned.by })
}

/// A number in its shortest form and the comma after it.
fn number<'a>(from: &'a str, rest: &mut &'a str) -> Option<u64> {
    let (digits, tail) = from.split_once(',')?;
    let short = digits == "0" || !digits.starts_with('0');
    if !short || digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    *rest = tail;
    digits.parse().ok()
}

/// The text up to the closing quote and the comma after it.
fn text<'a>(from: &'a str, rest: &mut &'a str) -> Option<&'a str> {
    let (words, tail) = from.split_once("\",")?;
    *rest = tail;
    plain(words)
}

/// A text that needs no escape in JSON: what seats, actions and hashes consist of.
fn plain(text: &str) -> Option<&str> {
    (!text.bytes().any(|byte| byte == b'"' || byte == b'\\' || byte < b' ')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_form_is_read() {
        let line = r#"{"after":3,"at":0,"by":"clock","do":"play H4","hash":"00","seat":"A"}"#;
        let scanned = scan(line).unwrap();
        assert_eq!((scanned.after, scanned.at, scanned.by), (Some(3), Some(0), Some(By::Clock)));
        assert_eq!((scanned.text, scanned.hash, scanned.seat), ("play H4", Some("00"), "A"));
        assert!(is_entry(line) && !is_entry(r#"{"board":1,"section":"journal"}"#));
        assert_eq!(scan(r#"{"do":"pass","seat":"A"}"#).unwrap().hash, None);
        for bad in [
            r#"{"do":"pass","hash":"00","seat":"A"} "#,
            r#"{"do":"pass", "hash":"00","seat":"A"}"#,
            r#"{"do":"pass","seat":"A","hash":"00"}"#,
            r#"{"at":01,"do":"pass","hash":"00","seat":"A"}"#,
            r#"{"at":-1,"do":"pass","hash":"00","seat":"A"}"#,
            r#"{"at":1,"after":3,"do":"pass","hash":"00","seat":"A"}"#,
            r#"{"at":99999999999999999999,"do":"pass","hash":"00","seat":"A"}"#,
            r#"{"by":"me","do":"pass","hash":"00","seat":"A"}"#,
            r#"{"do":"pa\"ss","hash":"00","seat":"A"}"#,
            r#"{"do":"pass\u0041","hash":"00","seat":"A"}"#,
            "",
        ] {
            assert_eq!(scan(bad), None, "{bad}");
        }
    }
}
