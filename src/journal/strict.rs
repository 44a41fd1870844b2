//! JSON objects read strictly: a key that stands twice is an error, at every depth.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

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
/// Not JSON, not an object, or a repeated key; the sentence is one line.
pub fn object(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str::<Strict>(text) {
        Ok(Strict(Value::Object(map))) => Ok(map),
        Ok(_) => Err("the line is not a JSON object".to_owned()),
        Err(error) => Err(format!("the line is not JSON: {}", cause(&error))),
    }
}

/// Why a line is not JSON, in plain words; a place is one within the line, whose number is known from elsewhere.
fn cause(error: &serde_json::Error) -> String {
    let column = error.column();
    match error.classify() {
        serde_json::error::Category::Eof => format!("it breaks off at column {column}"),
        serde_json::error::Category::Data => {
            let text = error.to_string();
            short(text.split(" at line ").next().unwrap_or(&text))
        }
        _ => format!("column {column} cannot follow what stands before it"),
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
        assert!(object(r#"{"a":1,"a":2}"#).unwrap_err().contains("`a` stands twice"));
        assert!(object(r#"{"a":[{"b":1,"b":1}]}"#).is_err());
        assert!(object(r#"{"a":{"b":1},"c":{"b":1}}"#).is_ok());
        assert!(object("[]").is_err());
    }
}
