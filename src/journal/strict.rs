//! JSON objects read strictly: a key that stands twice is an error, at every depth.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::words::{Message, message};

/// Why a text is no JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoObject {
    /// It is not JSON, or a key stands twice: the cause.
    NotJson(Message),
    /// It is another value.
    Other,
}

impl NoObject {
    /// The sentence about the line that should have been one.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            NoObject::NotJson(cause) => message!("record-not-json", cause),
            NoObject::Other => message!("record-not-object"),
        }
    }
}

/// A JSON value without repeated keys.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strict, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(flag.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Strict(value))) = members.next_entry::<String, Strict>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("the key `{key}` stands twice")));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// Reads one JSON object.
///
/// # Errors
/// Not JSON, not an object, or a repeated key.
pub fn object(text: &str) -> Result<Map<String, Value>, NoObject> {
    match serde_json::from_str::<Strict>(text) {
        Ok(Strict(Value::Object(map))) => Ok(map),
        Ok(_) => Err(NoObject::Other),
        Err(error) => Err(NoObject::NotJson(cause(&error))),
    }
}

/// Why a line is not JSON, in plain words; a place is one within the line, whose number is known from elsewhere.
fn cause(error: &serde_json::Error) -> Message {
    let column = error.column();
    match error.classify() {
        serde_json::error::Category::Eof => message!("json-breaks-off", column),
        serde_json::error::Category::Data => {
            let text = error.to_string();
            let text = short(text.split(" at line ").next().unwrap_or(&text));
            match text.strip_prefix("the key `").and_then(|rest| rest.strip_suffix("` stands twice")) {
                Some(key) => message!("json-twice", key),
                None => message!("json-library", what = text),
            }
        }
        _ => message!("json-cannot-follow", column),
    }
}

/// A sentence of a library, cut to one readable line.
pub fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_stands_twice_is_refused_at_every_depth() {
        assert!(
            object(r#"{"a":1,"a":2}"#).unwrap_err().message()
                == message!("record-not-json", cause = message!("json-twice", key = "a"))
        );
        assert!(object(r#"{"a":[{"b":1,"b":1}]}"#).is_err());
        assert!(object(r#"{"a":{"b":1},"c":{"b":1}}"#).is_ok());
        assert!(object("[]").is_err());
    }
}
