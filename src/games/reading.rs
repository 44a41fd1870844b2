//! Reading views back from JSON, for programs that play over the network.
//!
//! A view is read strictly: what was read must, written again, be exactly what came in ([`exactly`]), so that a field
//! too many, a field too few, a number out of its range and cards in another order are all refused. Nothing here
//! trusts its input, and nothing here knows what a field means.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The longest message about a view, in characters.
const MESSAGE: usize = 200;

/// The fields of one object of a view and its place in it, for messages.
pub(super) struct Fields<'a> {
    map: &'a Map<String, Value>,
    place: String,
}

impl<'a> Fields<'a> {
    /// The fields of the view itself.
    pub(super) fn of_view(view: &'a Value) -> Result<Fields<'a>, String> {
        Fields::of(view, String::new())
    }

    /// The fields of an object at a place.
    pub(super) fn of(value: &'a Value, place: String) -> Result<Fields<'a>, String> {
        match value {
            Value::Object(map) => Ok(Fields { map, place }),
            _ if place.is_empty() => Err("the view is no object".to_owned()),
            _ => Err(format!("`{place}` is no object")),
        }
    }

    /// Where a field stands: `seats.0.put`.
    pub(super) fn place(&self, key: &str) -> String {
        if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) }
    }

    /// A value; `null` where the key is missing, which [`exactly`] tells from a written `null`.
    pub(super) fn value(&self, key: &str) -> &'a Value {
        self.map.get(key).unwrap_or(&Value::Null)
    }

    /// A value of a type that reads itself.
    pub(super) fn read<T: Deserialize<'a>>(&self, key: &str) -> Result<T, String> {
        T::deserialize(self.value(key)).map_err(|error| format!("`{}`: {error}", self.place(key)))
    }

    /// One of the words that a field may hold.
    pub(super) fn word(&self, key: &str, known: &[&'static str]) -> Result<&'static str, String> {
        word(self.value(key), &self.place(key), known)
    }

    /// One of the words, or `null`.
    pub(super) fn word_or_none(
        &self,
        key: &str,
        known: &[&'static str],
    ) -> Result<Option<&'static str>, String> {
        self.some(key, |value, place| word(value, place, known))
    }

    /// A list of words.
    pub(super) fn words(&self, key: &str, known: &[&'static str]) -> Result<Vec<&'static str>, String> {
        self.list(key, |value, place| word(value, place, known))
    }

    /// A list, each element read with its place.
    pub(super) fn list<T>(
        &self,
        key: &str,
        read: impl Fn(&'a Value, &str) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        list(self.value(key), &self.place(key), read)
    }

    /// What is there unless it is `null`, read with its place.
    pub(super) fn some<T>(
        &self,
        key: &str,
        read: impl Fn(&'a Value, &str) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        match self.value(key) {
            Value::Null => Ok(None),
            value => read(value, &self.place(key)).map(Some),
        }
    }

    /// Every key with its value and place.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Value, String)> {
        self.map.iter().map(|(key, value)| (key.as_str(), value, self.place(key)))
    }
}

/// One of the known words.
pub(super) fn word(value: &Value, place: &str, known: &[&'static str]) -> Result<&'static str, String> {
    value
        .as_str()
        .and_then(|text| known.iter().find(|word| **word == text))
        .copied()
        .ok_or_else(|| format!("`{place}` must be one of {}", known.join(", ")))
}

/// A list, each element read with its place.
pub(super) fn list<'a, T>(
    value: &'a Value,
    place: &str,
    read: impl Fn(&'a Value, &str) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let Value::Array(items) = value else { return Err(format!("`{place}` is no list")) };
    items.iter().enumerate().map(|(index, item)| read(item, &format!("{place}.{index}"))).collect()
}

/// The same with its message in one line of bearable length, whatever came in.
pub(super) fn in_one_line<T>(read: Result<T, String>) -> Result<T, String> {
    read.map_err(|message| one_line(&message))
}

/// A condition on what was read.
pub(super) fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

/// The view, if writing it gives exactly the JSON it was read from.
pub(super) fn exactly<V: Serialize>(view: V, json: &Value) -> Result<V, String> {
    let written = serde_json::to_value(&view).map_err(|error| error.to_string())?;
    match difference(&written, json, "") {
        None => Ok(view),
        Some(difference) => Err(difference),
    }
}

fn difference(written: &Value, json: &Value, place: &str) -> Option<String> {
    let inner = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (written, json) {
        (Value::Object(written), Value::Object(json)) => {
            if let Some(key) = json.keys().find(|key| !written.contains_key(*key)) {
                return Some(format!("unknown field `{}`", inner(key)));
            }
            written.iter().find_map(|(key, value)| match json.get(key) {
                Some(given) => difference(value, given, &inner(key)),
                None => Some(format!("field `{}` is missing", inner(key))),
            })
        }
        (Value::Array(written), Value::Array(json)) if written.len() == json.len() => {
            (0..).zip(written.iter().zip(json)).find_map(|(index, (value, given)): (usize, _)| {
                difference(value, given, &inner(&index.to_string()))
            })
        }
        _ if written == json => None,
        _ => Some(format!("`{place}` should read {written}")),
    }
}

fn one_line(text: &str) -> String {
    text.chars().take(MESSAGE).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named_with_its_place() {
        let view = json!({"a": [{"b": 1}], "c": null});
        let told = |json: Value| in_one_line(exactly(view.clone(), &json)).unwrap_err();
        assert_eq!(told(json!({"a": [{"b": 2}], "c": null})), "`a.0.b` should read 1");
        assert_eq!(told(json!({"a": [{"b": 1}]})), "field `c` is missing");
        assert_eq!(told(json!({"a": [{"b": 1, "x\n": 0}], "c": null})), "unknown field `a.0.x `");
        assert_eq!(told(json!({"a": [], "c": null})), "`a` should read [{\"b\":1}]");
        assert_eq!(told(json!({"a": [{"b": 1.0}], "c": null})), "`a.0.b` should read 1");
        assert_eq!(exactly(view.clone(), &view), Ok(view.clone()));
    }
}
