//! Languages, and the sentences in them.
//!
//! Every sentence that a player, a referee or an organizer reads has an identifier and stands in Fluent files, one
//! per room and language, embedded in the program. Rooms hand out a [`Message`]; whoever shows it calls [`say`].
//! This room knows no other: it never decides what happened, only how it is said.

mod likeness;
mod name;
mod system;
pub mod terms;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::str::FromStr;

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

pub use likeness::{nearest, skeleton};
pub use name::{in_sight, is_hidden, is_name};
pub(crate) use system::{refused, why};

/// A language of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub enum Lang {
    /// English, `en`.
    #[default]
    En,
    /// Simplified Chinese (简体中文), `zh-CN`.
    ZhCn,
    /// Traditional Chinese (繁體中文), `zh-TW`.
    ZhTw,
}

impl Lang {
    /// Every language.
    pub const ALL: [Lang; 3] = [Lang::En, Lang::ZhCn, Lang::ZhTw];

    /// The language tag: `en`, `zh-CN`, `zh-TW`.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::ZhCn => "zh-CN",
            Lang::ZhTw => "zh-TW",
        }
    }

    /// What its readers call it.
    #[must_use]
    pub const fn own_name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::ZhCn => "简体中文",
            Lang::ZhTw => "繁體中文",
        }
    }

    /// The language that a locale name such as `zh_TW.UTF-8`, `zh-Hant-HK` or `C` asks for; English when unknown.
    #[must_use]
    pub fn of_locale(locale: &str) -> Lang {
        let locale = locale.to_ascii_lowercase().replace('_', "-");
        if !locale.starts_with("zh") {
            return Lang::En;
        }
        if ["hant", "-tw", "-hk", "-mo"].iter().any(|mark| locale.contains(mark)) {
            Lang::ZhTw
        } else {
            Lang::ZhCn
        }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

impl FromStr for Lang {
    type Err = String;

    fn from_str(text: &str) -> Result<Lang, String> {
        Lang::ALL
            .into_iter()
            .find(|lang| lang.tag() == text)
            .ok_or_else(|| format!("unknown language `{text}`: use en, zh-CN or zh-TW"))
    }
}

/// A sentence before it is put into a language: its identifier in the Fluent files and its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Identifier in the Fluent files, such as `wakeng-does-not-beat`.
    pub id: &'static str,
    /// Variables by name.
    pub args: Vec<(&'static str, Part)>,
}

/// The value of a variable of a [`Message`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A text that is the same in every language: a number, a card, a key, what somebody wrote.
    Text(String),
    /// Words that are put into the language of the sentence around them.
    Said(Message),
    /// Several sentences, one after the other.
    List(Vec<Message>),
    /// What a library says, which is English, and our own words for it in every other language.
    Library(String, Message),
}

/// What can stand as a variable of a [`Message`]: anything with a text, and messages.
pub trait IntoPart {
    /// The value of the variable.
    fn into_part(self) -> Part;
}

impl<T: fmt::Display> IntoPart for T {
    fn into_part(self) -> Part {
        Part::Text(self.to_string())
    }
}

impl IntoPart for Message {
    fn into_part(self) -> Part {
        Part::Said(self)
    }
}

impl IntoPart for &Message {
    fn into_part(self) -> Part {
        Part::Said(self.clone())
    }
}

impl IntoPart for &&Message {
    fn into_part(self) -> Part {
        Part::Said((*self).clone())
    }
}

impl IntoPart for Part {
    fn into_part(self) -> Part {
        self
    }
}

impl Message {
    /// A sentence without variables.
    #[must_use]
    pub const fn plain(id: &'static str) -> Message {
        Message { id, args: Vec::new() }
    }

    /// The same sentence with one more variable.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl IntoPart) -> Message {
        self.args.push((name, value.into_part()));
        self
    }

    /// Words of a room that does not translate them, or of a library: the same in every language.
    #[must_use]
    pub fn verbatim(text: impl fmt::Display) -> Message {
        Message::plain("verbatim").with("text", text)
    }
}

impl From<&Message> for Message {
    fn from(message: &Message) -> Message {
        message.clone()
    }
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message::verbatim(text)
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Message {
        Message::verbatim(text)
    }
}

impl From<&String> for Message {
    fn from(text: &String) -> Message {
        Message::verbatim(text)
    }
}

/// A [`Message`] by its identifier and variables: `message!("record-needs", key, found = shown(value))`.
macro_rules! message {
    (@value $name:ident) => {
        &$name
    };
    (@value $name:ident $value:expr) => {
        $value
    };
    ($id:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::words::Message::plain($id)
            $(.with(stringify!($name), $crate::words::message!(@value $name $($value)?)))*
    };
}
pub(crate) use message;

/// The Fluent source files, per language in the order of [`Lang::ALL`].
macro_rules! sources {
    ($($room:literal),* $(,)?) => {
        const SOURCES: [&[(&str, &str)]; 3] = [
            &[$(($room, include_str!(concat!("en/", $room, ".ftl")))),*],
            &[$(($room, include_str!(concat!("zh-CN/", $room, ".ftl")))),*],
            &[$(($room, include_str!(concat!("zh-TW/", $room, ".ftl")))),*],
        ];
    };
}

sources![
    "accounts",
    "audit",
    "cli",
    "commands",
    "dealing",
    "desk",
    "faults",
    "floor",
    "formats",
    "games",
    "hands",
    "help",
    "holdem",
    "journal",
    "names",
    "notice",
    "organize",
    "organize-js",
    "pages",
    "play",
    "players",
    "rank",
    "refusals",
    "results",
    "rules",
    "rulings",
    "scoring",
    "script",
    "tables",
    "text",
    "tuolaji",
    "venue",
    "wakeng",
    "watch",
    "web",
    "who",
];

type Bundle = FluentBundle<FluentResource>;

fn bundle(lang: Lang) -> Bundle {
    let id: LanguageIdentifier = lang.tag().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new(vec![id]);
    bundle.set_use_isolating(false);
    for (_, source) in SOURCES[lang as usize] {
        // A file that does not parse still yields its good entries; the tests refuse any error.
        let resource = FluentResource::try_new((*source).to_owned()).unwrap_or_else(|(resource, _)| resource);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

thread_local! {
    static BUNDLES: [OnceCell<Bundle>; 3] = const { [OnceCell::new(), OnceCell::new(), OnceCell::new()] };
}

/// A variable's text as Fluent sees it: a plain whole number is one, so that sentences can choose the form of a word
/// by it (`[one]`); everything else stays a text.
fn value_of(text: &str) -> FluentValue<'_> {
    let whole = text.parse::<i32>().ok().filter(|number| number.to_string() == text);
    whole.map_or(FluentValue::String(Cow::Borrowed(text)), FluentValue::from)
}

/// The sentence in a language. An identifier that is missing there is said in English, one that is missing
/// everywhere as the identifier itself; the tests make sure that neither happens.
#[must_use]
pub fn say(lang: Lang, message: &Message) -> String {
    let mut args = FluentArgs::new();
    for (name, part) in &message.args {
        match part {
            Part::Text(text) => args.set(*name, value_of(text)),
            Part::Said(inner) => args.set(*name, say(lang, inner)),
            Part::List(list) => args.set(*name, say_all(lang, list)),
            Part::Library(english, _) if lang == Lang::En => args.set(*name, value_of(english)),
            Part::Library(_, ours) => args.set(*name, say(lang, ours)),
        }
    }
    BUNDLES.with(|bundles| {
        for lang in [lang, Lang::En] {
            let bundle = bundles[lang as usize].get_or_init(|| bundle(lang));
            if let Some(pattern) = bundle.get_message(message.id).and_then(|found| found.value()) {
                return bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned();
            }
        }
        message.id.to_owned()
    })
}

/// Several sentences in a language, one after the other, as one line.
#[must_use]
pub fn say_all(lang: Lang, messages: &[Message]) -> String {
    let between = if lang == Lang::En { "; " } else { "；" };
    messages.iter().map(|message| say(lang, message)).collect::<Vec<_>>().join(between)
}

/// The words of an identifier that is put together while the program runs, such as those of a command's argument;
/// `None` where the language has none.
#[must_use]
pub fn find(lang: Lang, id: &str) -> Option<String> {
    BUNDLES.with(|bundles| {
        let bundle = bundles[lang as usize].get_or_init(|| bundle(lang));
        let pattern = bundle.get_message(id)?.value()?;
        Some(bundle.format_pattern(pattern, None, &mut Vec::new()).into_owned())
    })
}

/// The sentences of a room as templates for a page's scripts: `{name}` stands where a variable stands. Scripts have no
/// Fluent: such a room has no sentence that chooses by a variable, which a test makes sure of.
#[must_use]
pub fn templates(lang: Lang, room: &str) -> Vec<(String, String)> {
    use fluent_syntax::ast::{Entry, Expression, InlineExpression, PatternElement};
    let Some((_, source)) = SOURCES[lang as usize].iter().find(|(name, _)| *name == room) else {
        return Vec::new();
    };
    let resource = fluent_syntax::parser::parse(*source).unwrap_or_else(|(resource, _)| resource);
    let mut found = Vec::new();
    for entry in &resource.body {
        let Entry::Message(message) = entry else { continue };
        let mut text = String::new();
        for element in message.value.iter().flat_map(|pattern| &pattern.elements) {
            match element {
                PatternElement::TextElement { value } => text.push_str(value),
                PatternElement::Placeable { expression: Expression::Inline(inline) } => match inline {
                    InlineExpression::VariableReference { id } => {
                        text.push('{');
                        text.push_str(id.name);
                        text.push('}');
                    }
                    InlineExpression::StringLiteral { value } => text.push_str(value),
                    _ => {}
                },
                PatternElement::Placeable { .. } => {}
            }
        }
        found.push((message.id.name.to_owned(), text));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Message id → names of its variables, read with the plainest possible reader.
    fn entries(source: &str) -> BTreeMap<String, BTreeSet<String>> {
        let mut found = BTreeMap::<String, BTreeSet<String>>::new();
        let mut current = String::new();
        for line in source.lines() {
            if let Some((id, _)) = line.split_once(" =")
                && line.starts_with(|c: char| c.is_ascii_lowercase())
            {
                id.clone_into(&mut current);
                assert!(found.insert(current.clone(), BTreeSet::new()).is_none(), "{id} stands twice");
            }
            for part in line.split("{ $").skip(1) {
                let name: String = part
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == '-')
                    .collect();
                found.get_mut(&current).unwrap().insert(name);
            }
        }
        found
    }

    #[test]
    fn every_language_has_the_same_sentences_with_the_same_variables() {
        for ((english, simplified), traditional) in
            SOURCES[0].iter().zip(SOURCES[1].iter()).zip(SOURCES[2].iter())
        {
            let wanted = entries(english.1);
            assert_eq!(wanted, entries(simplified.1), "zh-CN/{}.ftl", english.0);
            assert_eq!(wanted, entries(traditional.1), "zh-TW/{}.ftl", english.0);
        }
    }

    #[test]
    fn every_file_parses_and_every_id_is_unique() {
        for lang in Lang::ALL {
            let mut seen = BTreeSet::new();
            for (room, source) in SOURCES[lang as usize] {
                if let Err((_, errors)) = FluentResource::try_new((*source).to_owned()) {
                    panic!("{lang}/{room}.ftl: {errors:?}");
                }
                for id in entries(source).into_keys() {
                    assert!(seen.insert(id.clone()), "{id} stands in two files of {lang}");
                }
            }
        }
    }

    #[test]
    fn numbers_choose_the_form_of_a_word_and_other_texts_stay_as_they_are() {
        let told = |count: &str| {
            say(Lang::En, &Message::plain("equity-hand").with("number", 2).with("count", count))
        };
        assert!(told("1").contains("has 1 card:"), "{}", told("1"));
        assert!(told("3").contains("has 3 cards:"), "{}", told("3"));
        for text in ["007", "-0", "+5", "1.50", "12345678901234567890", "1e3", "", "-15"] {
            let told = say(Lang::En, &Message::plain("verify-announced").with("hash", text));
            assert_eq!(told.trim_end(), format!("announcement {text}").trim_end());
        }
    }

    #[test]
    fn sentences_for_scripts_have_plain_variables_only() {
        for (lang, room) in Lang::ALL.into_iter().flat_map(|lang| [(lang, "play"), (lang, "script")]) {
            let templates = templates(lang, room);
            assert!(templates.len() > 3, "{room}: {}", templates.len());
            let (_, source) = SOURCES[lang as usize].iter().find(|(name, _)| *name == room).unwrap();
            assert!(!source.contains("->"), "{lang}/{room}.ftl chooses by a variable");
            let wanted = entries(source);
            for (id, text) in templates {
                assert!(!text.trim().is_empty(), "{id} says nothing");
                for name in &wanted[&id] {
                    assert!(text.contains(&format!("{{{name}}}")), "{id} lost {name}: {text}");
                }
            }
        }
    }

    #[test]
    fn locales_choose_the_script() {
        assert_eq!(Lang::of_locale("zh_TW.UTF-8"), Lang::ZhTw);
        assert_eq!(Lang::of_locale("zh-Hant-HK"), Lang::ZhTw);
        assert_eq!(Lang::of_locale("zh_CN.UTF-8"), Lang::ZhCn);
        assert_eq!(Lang::of_locale("C.UTF-8"), Lang::En);
    }
}
