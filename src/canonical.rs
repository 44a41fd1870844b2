//! Canonical JSON and the hashes of it: sorted keys, no blanks, UTF-8, integers only.
//!
//! Whatever is committed to, chained or signed goes through this room, so that line endings, key order or the
//! version of a library can never change a hash. Fractions are written as pairs of integers; a float is refused.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// 32 bytes of SHA-256.
pub type Hash = [u8; 32];

/// What a board begins with beside its cards (level, banker, stacks, blinds …), and what a finished board hands on: an
/// object that only its game reads and writes ([`crate::games::Game::setups`]). Every other room passes it on as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Setup(pub Map<String, Value>);

impl Setup {
    /// Whether the game needs nothing beside the cards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Why a value has no canonical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    /// A number is not an integer of 64 bits.
    #[error("{0} is not an integer: canonical JSON has integers only")]
    NotAnInteger(String),
    /// The value cannot be written as JSON at all.
    #[error("cannot be written as JSON: {0}")]
    NotJson(String),
}

/// The canonical text of a value: object keys in byte order, no blanks, strings escaped as little as JSON allows.
///
/// # Errors
/// A float anywhere, or a value that serde cannot represent.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, CanonicalError> {
    let value = serde_json::to_value(value).map_err(|error| CanonicalError::NotJson(error.to_string()))?;
    of_value(&value)
}

/// As [`to_string`], for what is a JSON value already.
///
/// # Errors
/// A float anywhere.
pub fn of_value(value: &Value) -> Result<String, CanonicalError> {
    let mut text = String::new();
    write(value, &mut text)?;
    Ok(text)
}

fn write(value: &Value, text: &mut String) -> Result<(), CanonicalError> {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(flag) => text.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => {
            if !number.is_i64() && !number.is_u64() {
                return Err(CanonicalError::NotAnInteger(number.to_string()));
            }
            text.push_str(&number.to_string());
        }
        Value::String(string) => text.push_str(&Value::String(string.clone()).to_string()),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write(item, text)?;
            }
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            let mut keys: Vec<&String> = members.keys().collect();
            keys.sort_unstable();
            for (index, key) in keys.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(&Value::String(key.clone()).to_string());
                text.push(':');
                write(&members[key.as_str()], text)?;
            }
            text.push('}');
        }
    }
    Ok(())
}

/// SHA-256 of the canonical text of a value.
///
/// # Errors
/// As [`to_string`].
pub fn hash_of<T: Serialize + ?Sized>(value: &T) -> Result<Hash, CanonicalError> {
    to_string(value).map(|text| sha256(text.as_bytes()))
}

/// SHA-256 of bytes.
#[must_use]
pub fn sha256(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// The canonical text of a line of a bundle: an object and the name of its section under the key `section`.
#[must_use]
pub fn section_line<T: Serialize>(section: &str, body: &T) -> String {
    let mut object = match serde_json::to_value(body) {
        Ok(Value::Object(object)) => object,
        // Every body is a struct.
        _ => serde_json::Map::new(),
    };
    object.insert("section".to_owned(), section.into());
    of_value(&Value::Object(object)).unwrap_or_default()
}

/// The next hash of a chain: `SHA-256(prev ‖ bytes)`.
#[must_use]
pub fn link(prev: &Hash, bytes: &[u8]) -> Hash {
    link_parts(prev, bytes, &[])
}

/// As [`link`], for bytes in two parts.
#[must_use]
pub fn link_parts(prev: &Hash, before: &[u8], behind: &[u8]) -> Hash {
    // An entry fits here, and one piece is hashed faster than three.
    let mut whole = [0; 192];
    let length = prev.len() + before.len() + behind.len();
    if let Some((first, rest)) = whole.split_at_mut_checked(prev.len())
        && let Some((second, rest)) = rest.split_at_mut_checked(before.len())
        && let Some(third) = rest.get_mut(..behind.len())
    {
        first.copy_from_slice(prev);
        second.copy_from_slice(before);
        third.copy_from_slice(behind);
        return Sha256::digest(whole.get(..length).unwrap_or_default()).into();
    }
    let mut sha = Sha256::new();
    sha.update(prev);
    sha.update(before);
    sha.update(behind);
    sha.finalize().into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_sorted_at_every_level_and_blanks_are_gone() {
        let value = json!({"b": [1, {"z": null, "a": "复式"}], "a": true});
        assert_eq!(to_string(&value).unwrap(), r#"{"a":true,"b":[1,{"a":"复式","z":null}]}"#);
    }

    #[test]
    fn floats_have_no_canonical_form() {
        assert_eq!(
            to_string(&json!({"a": 0.5})).unwrap_err(),
            CanonicalError::NotAnInteger("0.5".to_owned())
        );
    }

    #[test]
    fn a_link_is_the_hash_of_everything_in_one_piece_however_it_is_cut() {
        let bytes: Vec<u8> = (0..=255).cycle().take(400).collect();
        let prev = sha256(b"before");
        for length in [0, 1, 30, 31, 32, 100, 159, 160, 161, 192, 400] {
            let mut whole = prev.to_vec();
            whole.extend(&bytes[..length]);
            let expected = sha256(&whole);
            for cut in [0, length / 3, length] {
                assert_eq!(link_parts(&prev, &bytes[..cut], &bytes[cut..length]), expected);
            }
            assert_eq!(link(&prev, &bytes[..length]), expected);
        }
    }
}
