//! Writes JSON with exact numbers: fractions as `[numerator, denominator]` of any size, decimals as they were given.
//!
//! A value never passes through a float here. Keys come out in the order in which they are written.

use super::exact::{Exact, Score};

/// JSON under construction; commas are put where they belong.
#[derive(Default)]
pub(crate) struct Json {
    text: String,
    comma: bool,
}

impl Json {
    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn item(&mut self) {
        if self.comma {
            self.text.push(',');
        }
        self.comma = true;
    }

    fn open(&mut self, bracket: char) {
        self.item();
        self.text.push(bracket);
        self.comma = false;
    }

    fn close(&mut self, bracket: char) {
        self.text.push(bracket);
        self.comma = true;
    }

    /// An object whose members `fill` writes.
    pub(crate) fn object(&mut self, fill: impl FnOnce(&mut Json)) {
        self.open('{');
        fill(self);
        self.close('}');
    }

    /// An array of one item per element.
    pub(crate) fn array<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Json, T),
    ) {
        self.open('[');
        for item in items {
            each(self, item);
        }
        self.close(']');
    }

    /// The key of the value that is written next.
    pub(crate) fn key(&mut self, key: &str) -> &mut Json {
        self.item();
        self.text.push('"');
        self.text.push_str(key);
        self.text.push_str("\":");
        self.comma = false;
        self
    }

    pub(crate) fn string(&mut self, value: &str) {
        self.item();
        self.text.push_str(&serde_json::Value::from(value).to_string());
    }

    /// Anything whose text form is JSON already: an integer.
    pub(crate) fn plain(&mut self, value: impl std::fmt::Display) {
        use std::fmt::Write as _;
        self.item();
        // Writing into a string cannot fail.
        let _ = write!(self.text, "{value}");
    }

    pub(crate) fn null(&mut self) {
        self.plain("null");
    }

    pub(crate) fn option<T>(&mut self, value: Option<T>, some: impl FnOnce(&mut Json, T)) {
        match value {
            Some(value) => some(self, value),
            None => self.null(),
        }
    }

    /// `[numerator, denominator]` in lowest terms.
    pub(crate) fn fraction(&mut self, value: &Exact) {
        if let Some((num, den)) = value.small_parts() {
            self.plain(format_args!("[{num},{den}]"));
        } else {
            let (num, den) = value.parts();
            self.plain(format_args!("[{num},{den}]"));
        }
    }

    /// A raw score as a number in decimal notation; the text of a fraction where there is none.
    pub(crate) fn score(&mut self, value: &Score) {
        match value.exact().decimal() {
            Some(decimal) => self.plain(decimal),
            None => self.string(&value.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_every_digit_and_commas_stand_right() {
        let mut json = Json::default();
        json.object(|json| {
            json.key("a").array([1, 2], Json::plain);
            json.key("b").fraction(&"5/6".parse().unwrap());
            json.key("c").score(&"-0.10".parse().unwrap());
            json.key("d").fraction(&"123456789012345678901.5".parse().unwrap());
            json.key("e").object(|_| ());
            json.key("f").string("\"赵\"\n");
            json.key("g").option(None::<u8>, Json::plain);
        });
        let text = json.finish();
        assert_eq!(
            text,
            r#"{"a":[1,2],"b":[5,6],"c":-0.1,"d":[246913578024691357803,2],"e":{},"f":"\"赵\"\n","g":null}"#
        );
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
}
