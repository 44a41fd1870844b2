//! The one text form of 32 bytes: 64 hexadecimal digits, lower case, nothing around them.
//!
//! The text is never repeated in an error: it may be a key.

use super::DealError;
use crate::canonical::Hash;

/// Reads 32 bytes from 64 lower-case hexadecimal digits. `what` names the value in the error.
///
/// # Errors
/// Any other length or character: upper case, blanks and prefixes included.
pub fn from_hex(what: &'static str, text: &str) -> Result<Hash, DealError> {
    let mut bytes = [0; 32];
    let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !plain || hex::decode_to_slice(text, &mut bytes).is_err() {
        return Err(DealError::NotHex { what, length: text.chars().count() });
    }
    Ok(bytes)
}

/// Writes 32 bytes as 64 lower-case hexadecimal digits.
#[must_use]
pub fn to_hex(bytes: &Hash) -> String {
    hex::encode(bytes)
}

/// `#[serde(with = "hex32::one")]`: a field of 32 bytes.
pub(super) mod one {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::canonical::Hash;

    pub fn serialize<S: Serializer>(bytes: &Hash, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::to_hex(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        super::from_hex("hash", &text).map_err(D::Error::custom)
    }
}

/// `#[serde(with = "hex32::option")]`: a field of 32 bytes that may be absent.
pub(super) mod option {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::canonical::Hash;

    // Serde hands over the field by reference.
    #[allow(clippy::ref_option)]
    pub fn serialize<S: Serializer>(bytes: &Option<Hash>, serializer: S) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => serializer.serialize_str(&super::to_hex(bytes)),
            None => serializer.serialize_none(),
        }
    }

    /// The field is there: it must be a hash, not `null`.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Hash>, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        super::from_hex("hash", &text).map(Some).map_err(D::Error::custom)
    }
}

/// `#[serde(with = "hex32::list")]`: a list of 32-byte values.
pub(super) mod list {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::canonical::Hash;

    pub fn serialize<S: Serializer>(list: &[Hash], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(list.iter().map(super::to_hex))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Hash>, D::Error> {
        let list = Vec::<String>::deserialize(deserializer)?;
        list.iter().map(|text| super::from_hex("hash", text).map_err(D::Error::custom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_keys_are_refused_without_being_repeated() {
        let good = "00ff".repeat(16);
        assert_eq!(to_hex(&from_hex("set-key", &good).unwrap()), good);
        let bad = [
            String::new(),
            " ".to_owned(),
            good[..62].to_owned(),
            good[..63].to_owned(),
            format!("{good}00"),
            good.to_uppercase(),
            format!(" {good}"),
            format!("{good}\n"),
            format!("0x{}", &good[2..]),
            format!("{}g0", &good[..62]),
            format!("{} {}", &good[..32], &good[33..]),
            "０".repeat(64),
        ];
        for text in bad {
            let error = from_hex("set-key", &text).unwrap_err();
            assert_eq!(error.code(), "bad_hex", "{text:?}");
            assert!(text.trim().len() < 8 || !error.to_string().contains(text.trim()), "{error}");
            assert!(!error.to_string().contains('\n'));
        }
    }
}
