//! The delayed value: something public that nobody can know when the announcement is made — a lottery draw, the
//! close of a stock index, the hash of a future block.
//!
//! What enters a deal is not what somebody typed but its **normal form**, and the announcement fixes beforehand
//! which form that is, so that two people who copy the same value can never deal different boards.

use serde::{Deserialize, Serialize};

use super::DealError;

/// The longest delayed value in bytes of its normal form.
pub const LONGEST: usize = 1024;

/// Which characters a delayed value consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DelayedForm {
    /// Digits `0`–`9`; blanks, commas and points between them are dropped: `3,412.57` is `341257`.
    Digits,
    /// Hexadecimal digits; blanks are dropped and capitals made small.
    Hex,
    /// Visible ASCII characters with single blanks between words; nothing else is changed.
    Text,
}

impl DelayedForm {
    /// The name in announcements.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DelayedForm::Digits => "digits",
            DelayedForm::Hex => "hex",
            DelayedForm::Text => "text",
        }
    }
}

/// What an announcement says about its delayed value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DelayedSpec {
    /// Where the value is published and which figure of it counts, for people.
    pub description: String,
    /// The characters of the normal form.
    pub form: DelayedForm,
    /// The number of characters of the normal form; 0 for any number. Fixing it settles whether a value was
    /// published as `3412.5` or `3412.50`.
    pub length: u32,
    /// The instant after which the value becomes known, in µs since 1970-01-01T00:00:00Z.
    pub known_after: i64,
}

impl DelayedSpec {
    /// The normal form of what somebody typed or copied.
    ///
    /// # Errors
    /// `bad_delayed`: empty, too long, another length than announced, or a character that the form does not have.
    pub fn read(&self, typed: &str) -> Result<DelayedValue, DealError> {
        let value = read(self.form, typed)?;
        if self.length != 0 && value.0.len() as u64 != u64::from(self.length) {
            return Err(DealError::DelayedLength { found: value.0.len(), wanted: self.length });
        }
        Ok(value)
    }
}

/// A delayed value in its normal form: ASCII bytes; empty exactly when the event has none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DelayedValue(String);

impl DelayedValue {
    /// The value of an event that announced none.
    #[must_use]
    pub const fn none() -> DelayedValue {
        DelayedValue(String::new())
    }

    /// A value in the form `text`, which leaves the normal forms of the other two as they are.
    ///
    /// # Errors
    /// `bad_delayed` as [`DelayedSpec::read`].
    pub fn read_text(typed: &str) -> Result<DelayedValue, DealError> {
        read(DelayedForm::Text, typed)
    }

    /// The bytes that enter the board seeds.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The normal form as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the event has no delayed value.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.0.is_empty()
    }
}

/// First, in every form, full-width characters (U+FF01–U+FF5E) become their ASCII ones, and the ideographic blank,
/// tab and line ends become blanks. Then the form's own rule.
fn read(form: DelayedForm, typed: &str) -> Result<DelayedValue, DealError> {
    let mut value = String::new();
    let mut gap = false;
    for typed in typed.chars() {
        let character = match typed {
            '\u{ff01}'..='\u{ff5e}' => {
                char::from_u32(u32::from(typed) - 0xff01 + u32::from('!')).unwrap_or(typed)
            }
            '\u{3000}' | '\t' | '\r' | '\n' => ' ',
            other => other,
        };
        let kept = match (form, character) {
            (_, ' ') => {
                gap = true;
                continue;
            }
            (DelayedForm::Digits, ',' | '.') => continue,
            (DelayedForm::Digits, '0'..='9') | (DelayedForm::Text, '!'..='~') => character,
            (DelayedForm::Hex, '0'..='9' | 'a'..='f' | 'A'..='F') => character.to_ascii_lowercase(),
            _ => return Err(DealError::DelayedCharacter { form: form.name(), character: typed }),
        };
        if form == DelayedForm::Text && gap && !value.is_empty() {
            value.push(' ');
        }
        gap = false;
        value.push(kept);
        if value.len() > LONGEST {
            return Err(DealError::DelayedLong { longest: LONGEST });
        }
    }
    if value.is_empty() {
        return Err(DealError::DelayedEmpty);
    }
    Ok(DelayedValue(value))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spec(form: DelayedForm, length: u32) -> DelayedSpec {
        DelayedSpec { description: "x".to_owned(), form, length, known_after: 0 }
    }

    fn check(form: DelayedForm, length: u32, typed: &str, expected: &str) {
        assert_eq!(spec(form, length).read(typed).unwrap().as_str(), expected, "{typed:?}");
    }

    fn refused(form: DelayedForm, length: u32, typed: &str) {
        let error = spec(form, length).read(typed).unwrap_err();
        assert_eq!(error.code(), "bad_delayed", "{typed:?}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }

    #[test]
    fn what_people_type_has_one_normal_form() {
        use DelayedForm::{Digits, Hex, Text};
        for typed in ["3,412.57", "3412.57", " 3 412,57\r\n", "３，４１２．５７", "341257"] {
            check(Digits, 6, typed, "341257");
        }
        for typed in ["00AbCd", "00abcd\n", "00 ab cd", "００ＡＢＣＤ"] {
            check(Hex, 0, typed, "00abcd");
        }
        for typed in ["Red  7", " Red 7 ", "Red\t7\r\n", "Ｒｅｄ\u{3000}７"] {
            check(Text, 0, typed, "Red 7");
        }
        check(Text, 0, "red 7", "red 7");
    }

    #[test]
    fn values_outside_the_announced_form_are_refused() {
        use DelayedForm::{Digits, Hex, Text};
        for form in [Digits, Hex, Text] {
            for typed in ["", " ", "\u{3000}\n", "上证", "1\u{0}", "1\u{a0}2", "\u{feff}1"] {
                refused(form, 0, typed);
            }
        }
        for typed in ["3412.5", "3412.570", "-341257", "3412e2", "341257x"] {
            refused(Digits, 6, typed);
        }
        refused(Digits, 0, ",.");
        refused(Hex, 0, "0xff");
        refused(Text, 0, &"a".repeat(LONGEST + 1));
        check(Text, 0, &"a".repeat(LONGEST), &"a".repeat(LONGEST));
    }

    proptest! {
        #[test]
        fn normal_forms_are_their_own_normal_form_and_text_keeps_them(typed in "[ -~０-９ \t]{0,40}") {
            for form in [DelayedForm::Digits, DelayedForm::Hex, DelayedForm::Text] {
                if let Ok(value) = spec(form, 0).read(&typed) {
                    prop_assert_eq!(&spec(form, 0).read(value.as_str()).unwrap(), &value);
                    prop_assert_eq!(&DelayedValue::read_text(value.as_str()).unwrap(), &value);
                }
            }
        }
    }
}
