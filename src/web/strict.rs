//! Reading what clients and configuration files send: unknown fields are refused and the nearest known one is named.

use crate::journal::strict::short;
use crate::words::{Message, Part, nearest};

/// What serde says about a value at a place in the body, `scoring.method`; the flag says whether a field was unknown.
#[must_use]
pub fn at(place: &str, error: &str) -> (bool, Message) {
    let (unknown, message) = sentence(error);
    if message.id != "web-bad-field" || matches!(place, "" | "." | "?") {
        return (unknown, message);
    }
    (false, Message::plain("web-wrong-field").with("word", place).with("reason", reason(error)))
}

fn reason(error: &str) -> Part {
    Part::Library(short(error), Message::plain("web-wrong-value"))
}

/// What serde says about a value that does not fit, as a sentence; the flag says whether a field was unknown.
#[must_use]
pub fn sentence(error: &str) -> (bool, Message) {
    let error = short(error);
    for what in ["unknown field `", "unknown variant `"] {
        let Some((_, rest)) = error.split_once(what) else { continue };
        let Some((word, rest)) = rest.split_once('`') else { continue };
        let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
        let field = what.starts_with("unknown field");
        let message = match nearest(word, &known) {
            Some(near) => Message::plain(if field { "web-unknown-field" } else { "web-unknown-word" })
                .with("word", word)
                .with("near", near),
            None if known.is_empty() => Message::plain("web-no-fields").with("word", word),
            None => Message::plain(if field { "web-unknown-field-list" } else { "web-unknown-word-list" })
                .with("word", word)
                .with("known", known.join(", ")),
        };
        return (field, message);
    }
    if let Some((_, rest)) = error.split_once("missing field `")
        && let Some((word, _)) = rest.split_once('`')
    {
        return (false, Message::plain("web-missing-field").with("word", word));
    }
    (false, Message::plain("web-bad-field").with("reason", reason(&error)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Lang, say};

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Two {
        title: String,
        boards: u32,
    }

    #[test]
    fn the_nearest_field_is_named() {
        let said = |text: &str| {
            let error = serde_json::from_str::<Two>(text).unwrap_err();
            let (unknown, message) = sentence(&error.to_string());
            (unknown, say(Lang::En, &message))
        };
        assert_eq!(said(r#"{"titel":1}"#), (true, "unknown field `titel`: did you mean `title`?".to_owned()));
        assert_eq!(
            said(r#"{"qqqqqqq":1}"#),
            (true, "unknown field `qqqqqqq`: the fields are title, boards".to_owned())
        );
        assert_eq!(said(r#"{"title":"a"}"#), (false, "the field `boards` is missing".to_owned()));
        assert!(said(r#"{"title":"a","boards":-1}"#).1.contains("-1"));
    }
}
