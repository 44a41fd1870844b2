//! Canonical JSON and the hashes of it: sorted keys, no blanks, UTF-8, integers only.
//!
//! Whatever is committed to, chained or signed goes through this room, so that line endings, key order or the
//! version of a library can never change a hash. Fractions are written as pairs of integers; a float is refused.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// 32 bytes of SHA-256.
pub type Hash = [u8; 32];

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
}
