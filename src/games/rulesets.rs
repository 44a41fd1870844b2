//! Reading rulesets: shipped, from a file, or with single fields overridden by a record.
//!
//! A ruleset is a TOML file in which every field of the game is mandatory, unless `base` names a shipped ruleset from
//! which it differs. An unknown field is refused with the nearest known one; contradictions are listed all at once. The
//! hash of a ruleset is SHA-256 over its canonical JSON, so that comments and line endings of the file do not matter.
//!
//! Architecture invariant: no [`Ruleset`] that this module has read bears the name of a shipped one without being equal
//! to it. Changed rules have a name of their own, or the shipped name, `+` and eight digits of a hash (`derived_name`).

use std::any::Any;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use super::{Fault, Game, GameKind, Ruleset};
use crate::canonical::{self, Hash};
use crate::words::{Lang, Message, Part, message, nearest, say, skeleton};

/// The longest text of a ruleset file, in bytes.
pub const FILE_MAX: u64 = 1 << 20;

/// A shipped ruleset by name.
///
/// ```
/// use fushi::games::{rulesets, tuolaji::Tuolaji};
///
/// assert!(rulesets::shipped::<Tuolaji>("zhuhai-2009").is_ok());
/// assert_eq!(rulesets::shipped::<Tuolaji>("zuhai").unwrap_err().len(), 1);
/// ```
///
/// # Errors
/// `unknown_ruleset`, naming the nearest one.
pub fn shipped<G: Game>(name: &str) -> Result<Arc<G::Rules>, Vec<Fault>> {
    let names: Vec<&str> = G::RULESETS.iter().map(|(known, _)| *known).collect();
    let Some((_, text)) = G::RULESETS.iter().find(|(known, _)| *known == name) else {
        return Err(vec![Fault::new("unknown_ruleset", not_known("ruleset", name, &names))]);
    };
    from_value::<G>(&toml_value(text)?).map(Arc::new)
}

/// The default ruleset of a game.
///
/// # Errors
/// None in a tested build: the shipped files are valid.
pub fn default<G: Game>() -> Result<Arc<G::Rules>, Vec<Fault>> {
    shipped::<G>(G::RULESETS.first().map_or("", |(name, _)| name))
}

/// Reads the text of a ruleset file: every field, or `base = "wakeng-bomb"` and the fields that differ from it.
///
/// # Errors
/// Every fault with the line of its field: TOML syntax, missing and unknown fields, wrong types, contradictions, the
/// name of a shipped ruleset on another one.
pub fn parse<G: Game>(text: &str) -> Result<G::Rules, Vec<Fault>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rules = match toml_value(text)? {
        Value::Object(fields) if fields.contains_key("base") => {
            overridden::<G>(&fields).map(Arc::unwrap_or_clone)
        }
        value => read::<G>(&value),
    };
    let with_line = |fault: Fault| match fault.message.split('`').nth(1).and_then(|path| line_of(text, path))
    {
        Some(line) => fault.at(|what| message!("fault-line", line, what)),
        None => fault,
    };
    rules.map_err(|faults| faults.into_iter().map(with_line).collect())
}

/// A whole ruleset as JSON: every field of the game, none unknown.
///
/// # Errors
/// Missing and unknown fields, wrong types, contradictions, the name of a shipped ruleset on another one.
pub fn read<G: Game>(value: &Value) -> Result<G::Rules, Vec<Fault>> {
    let rules = from_value::<G>(value)?;
    bears_its_own_name::<G>(&rules)?;
    Ok(rules)
}

/// A ruleset with single fields replaced: the `rules` object of a record or an event, `{"base": NAME, FIELD: VALUE…}`.
/// Without `name` among the fields, changed rules are called by the base, `+` and the first eight digits of the hash
/// that they have under the base's name.
///
/// ```
/// use fushi::games::{holdem::Holdem, rulesets};
///
/// let changes = serde_json::json!({"base": "tda-2024", "show_first": "left-of-button"});
/// let rules = rulesets::overridden::<Holdem>(changes.as_object().unwrap()).unwrap();
/// assert_eq!(rules.duplicate.stack, 20_000);
/// ```
///
/// # Errors
/// No or unknown base, unknown fields, wrong types, contradictions, the name of a shipped ruleset on another one.
pub fn overridden<G: Game>(rules: &Map<String, Value>) -> Result<Arc<G::Rules>, Vec<Fault>> {
    let Some(Value::String(base)) = rules.get("base") else {
        return Err(vec![Fault::new("no_base", message!("ruleset-no-base"))]);
    };
    let base = shipped::<G>(base)?;
    let mut value = to_value(base.as_ref())?;
    let changes: Map<String, Value> = rules
        .iter()
        .filter(|(key, _)| *key != "base")
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let mut faults = Vec::new();
    merge(&mut value, &changes, "", &mut faults);
    faults.extend(G::Rules::change_faults(&changes));
    let mut decoded = match decode::<G>(&value) {
        Ok(decoded) if faults.is_empty() => decoded,
        Ok(_) => return Err(faults),
        Err(more) => {
            faults.extend(more);
            return Err(faults);
        }
    };
    decoded.settle(&changes.keys().map(String::as_str).collect::<Vec<_>>());
    let mut rules = sound::<G>(decoded)?;
    if !changes.contains_key("name") && rules != *base {
        let mut named = to_value(&rules)?;
        named["name"] = derived_name(base.name(), &rules)?.into();
        rules = decode::<G>(&named)?;
    }
    bears_its_own_name::<G>(&rules)?;
    Ok(Arc::new(rules))
}

/// What others need to read a ruleset: nothing beside its name if it is a shipped one, else what [`overridden`] reads,
/// a shipped `base` with every field that differs.
///
/// # Errors
/// A ruleset that its changes do not give back.
pub fn overrides<G: Game>(rules: &G::Rules) -> Result<Option<Map<String, Value>>, Vec<Fault>> {
    let base = match shipped::<G>(rules.name()) {
        Ok(shipped) if *shipped == *rules => return Ok(None),
        // A record may override fields of a shipped ruleset and leave it its name.
        Ok(shipped) => shipped,
        Err(_) => default::<G>()?,
    };
    let fields = |rules: &G::Rules| match to_value(rules) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Ok(Map::new()),
        Err(faults) => Err(faults),
    };
    let (usual, all) = (fields(&base)?, fields(rules)?);
    let with_base = |wanted: &dyn Fn(&str, &Value) -> bool| {
        let mut object = Map::new();
        object.insert("base".to_owned(), base.name().into());
        let wanted = all.iter().filter(|(key, value)| wanted(key, value));
        object.extend(wanted.map(|(key, value)| (key.clone(), value.clone())));
        object
    };
    let same = |object: &Map<String, Value>| overridden::<G>(object).is_ok_and(|read| read.as_ref() == rules);
    // Fields that a ruleset settles from the changed ones may have to be spelled out.
    let changed = with_base(&|key, value| usual.get(key) != Some(value));
    let found = [changed, with_base(&|_, _| true)].into_iter().find(same);
    found.map(Some).ok_or_else(|| vec![Fault::new("unwritable", message!("ruleset-unwritable"))])
}

/// Refuses the name of a shipped ruleset on any other, a name with `+` that is not derived from the fields, and one that
/// is taken for the name or the title of a shipped ruleset of any game: results and announcements name rulesets.
fn bears_its_own_name<G: Game>(rules: &G::Rules) -> Result<(), Vec<Fault>> {
    let name = rules.name();
    let all = all_shipped::<G>();
    let (base, digits) = name.split_once('+').map_or((name, None), |(base, digits)| (base, Some(digits)));
    let own = match (all.iter().find(|known| known.name() == base), digits) {
        (None, _) => {
            let Some(like) = taken_for(name) else { return Ok(()) };
            return Err(vec![Fault::new("reserved_name", message!("ruleset-like-shipped", name, like))]);
        }
        (Some(shipped), None) => shipped.as_ref() == rules,
        (Some(_), Some(_)) => derived_name(base, rules)? == name,
    };
    if own {
        return Ok(());
    }
    Err(vec![Fault::new("reserved_name", message!("ruleset-shipped-name", name))])
}

/// The shipped rulesets of every game, and the word for the title of each.
const TITLES: [(&str, &str); 6] = [
    ("wakeng-bomb", "names-rules-wakeng-bomb"),
    ("wakeng-plain", "names-rules-wakeng-plain"),
    ("wakeng-jj", "names-rules-wakeng-jj"),
    ("zhuhai-2009", "names-rules-zhuhai-2009"),
    ("tda-2011", "names-rules-tda-2011"),
    ("tda-2024", "names-rules-tda-2024"),
];

/// The title of a shipped ruleset for people; `None` for any other name.
#[must_use]
pub fn title(name: &str) -> Option<Message> {
    TITLES.iter().find(|(known, _)| *known == name).map(|(_, word)| Message::plain(word))
}

/// The shipped ruleset of any game for which a name is taken: the name looks like its name or its title in one of the
/// languages, whatever follows a `+`.
fn taken_for(name: &str) -> Option<&'static str> {
    static LOOKS: OnceLock<Vec<(String, &'static str)>> = OnceLock::new();
    let looks = LOOKS.get_or_init(|| {
        let of = |(name, word): (&'static str, &'static str)| {
            let titles = Lang::ALL.into_iter().map(move |lang| say(lang, &Message::plain(word)));
            std::iter::once(name.to_owned()).chain(titles).map(move |text| (skeleton(&text), name))
        };
        TITLES.into_iter().flat_map(of).collect()
    });
    let before = name.split(['+', '＋', '﹢']).next().unwrap_or(name);
    [name, before]
        .into_iter()
        .map(skeleton)
        .find_map(|own| looks.iter().find(|(look, _)| !own.is_empty() && *look == own).map(|(_, like)| *like))
}

/// The game for which a ruleset file is written: the one whose ruleset it names as its `base`, else the one of whose
/// fields it has the most. `None`: it has a field of no game.
#[must_use]
pub fn game_of(text: &str) -> Option<GameKind> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(Value::Object(fields)) = toml_value(text) else { return None };
    let fits = |kind: GameKind| match kind {
        GameKind::Wakeng => fit::<super::wakeng::Wakeng>(&fields),
        GameKind::Tuolaji => fit::<super::tuolaji::Tuolaji>(&fields),
        GameKind::Holdem => fit::<super::holdem::Holdem>(&fields),
    };
    GameKind::ALL
        .into_iter()
        .rev()
        .map(|kind| (fits(kind), kind))
        .filter(|((based, shared), _)| *based || *shared > 0)
        .max_by_key(|(fit, _)| *fit)
        .map(|(_, kind)| kind)
}

/// How well the fields of a ruleset file fit a game: whether it has the ruleset that is their `base`, and how many of them
/// it knows.
fn fit<G: Game>(fields: &Map<String, Value>) -> (bool, usize) {
    let base = fields.get("base").and_then(Value::as_str);
    let known = template::<G>().unwrap_or_default();
    let shared = fields.keys().filter(|key| *key != "name" && known.get(key).is_some());
    (G::RULESETS.iter().any(|(name, _)| Some(*name) == base), shared.count())
}

/// The name of a ruleset that differs from a shipped one and was given none: the shipped name, `+` and the first eight
/// digits of the hash that the ruleset has under the shipped name.
fn derived_name<R: Ruleset>(base: &str, rules: &R) -> Result<String, Vec<Fault>> {
    let mut value = to_value(rules)?;
    value["name"] = base.into();
    let hash = hex::encode(canonical::hash_of(&value).unwrap_or_default());
    Ok(format!("{base}+{}", hash.get(..8).unwrap_or_default()))
}

/// A field in which a ruleset differs from a shipped one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The field; of a table with the table's name before it: `big_points.cap`.
    pub field: String,
    /// The shipped value.
    pub shipped: Value,
    /// The ruleset's.
    pub here: Value,
}

/// The shipped ruleset that a ruleset changes, and every field that differs, the name apart; none for a shipped one.
/// The base is the one that a derived name names, otherwise the one with the fewest differences.
#[must_use]
pub fn changes<G: Game>(rules: &G::Rules) -> Option<(Arc<G::Rules>, Vec<Difference>)> {
    let here = to_value(rules).ok()?;
    let named = rules.name().split_once('+').map(|(base, _)| base);
    let (base, differences) = all_shipped::<G>()
        .iter()
        .filter_map(|known| {
            let mut found = Vec::new();
            differ(&to_value(known.as_ref()).ok()?, &here, "", &mut found);
            found.retain(|difference| difference.field != "name");
            Some((Arc::clone(known), found))
        })
        .min_by_key(|(known, found)| (named != Some(known.name()), found.len()))?;
    (base.name() != rules.name()).then_some((base, differences))
}

fn differ(shipped: &Value, here: &Value, parent: &str, found: &mut Vec<Difference>) {
    if let (Value::Object(fields), Value::Object(given)) = (shipped, here) {
        for (key, value) in fields {
            differ(value, given.get(key).unwrap_or(&Value::Null), &path(parent, key), found);
        }
    } else if shipped != here {
        found.push(Difference { field: parent.to_owned(), shipped: shipped.clone(), here: here.clone() });
    }
}

/// Every shipped ruleset, read once.
fn all_shipped<G: Game>() -> &'static [Arc<G::Rules>] {
    static READ: [OnceLock<Box<dyn Any + Send + Sync>>; GameKind::ALL.len()] =
        [const { OnceLock::new() }; GameKind::ALL.len()];
    let all = || G::RULESETS.iter().filter_map(|(name, _)| shipped::<G>(name).ok()).collect();
    READ.get(G::KIND as usize)
        .and_then(|cell| {
            cell.get_or_init(|| -> Box<dyn Any + Send + Sync> {
                let all: Vec<Arc<G::Rules>> = all();
                Box::new(all)
            })
            .downcast_ref::<Vec<Arc<G::Rules>>>()
        })
        .map_or(&[], Vec::as_slice)
}

/// SHA-256 of the canonical JSON of a ruleset: what an announcement commits to.
#[must_use]
pub fn hash<R: Ruleset>(rules: &R) -> Hash {
    // A ruleset holds integers, strings, booleans and lists of them; `faults` and the tests keep it so.
    canonical::hash_of(rules).unwrap_or_default()
}

/// The English sentence for an unknown word, with the nearest known one or the list.
#[must_use]
pub fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    say(Lang::En, &not_known(what, word, known))
}

/// The sentence for an unknown word, with the nearest known one or the list. `what` is the English name of the kind
/// of word.
#[must_use]
pub fn not_known(what: &str, word: &str, known: &[&str]) -> Message {
    not_known_among(&kind_of_word(what), word, known)
}

/// The same for a key of the object at a place.
#[must_use]
pub fn not_known_in(place: &str, key: &str, known: &[&str]) -> Message {
    not_known_among(&message!("kind-key-in", place), key, known)
}

fn not_known_among(what: &Message, word: &str, known: &[&str]) -> Message {
    let shown: String = word.chars().take(60).flat_map(char::escape_debug).collect();
    match nearest(word, known) {
        Some(near) => message!("unknown-near", what, shown, near),
        None => message!("unknown-of", what, shown, known = known.join(", ")),
    }
}

fn kind_of_word(what: &str) -> Message {
    match what {
        "key" => message!("kind-key"),
        "game" => message!("kind-game"),
        "ruleset" => message!("kind-ruleset"),
        "field" => message!("kind-field"),
        "note" => message!("kind-note"),
        "by" => message!("kind-by"),
        "level" => message!("kind-level"),
        "format" => message!("kind-format"),
        "state" => message!("kind-state"),
        "order" => message!("kind-order"),
        "view" => message!("kind-view"),
        "column" => message!("kind-column"),
        "AI level" => message!("kind-ai-level"),
        "table of big points" => message!("kind-big-points"),
        other => Message::verbatim(other),
    }
}

/// What a value that cannot be read should have been, in plain words instead of the reader's own.
#[must_use]
pub fn plain_words(error: &str) -> Message {
    let error = error.split(" at line ").next().unwrap_or(error);
    if let Some((found, expected)) =
        error.strip_prefix("unknown variant ").and_then(|rest| rest.split_once(", expected "))
    {
        return message!("ruleset-not-known", found, expected = expected_of(expected));
    }
    let wrong = ["invalid type: ", "invalid value: ", "invalid length "];
    if let Some((found, expected)) = wrong
        .iter()
        .find_map(|start| error.strip_prefix(start))
        .and_then(|rest| rest.split_once(", expected "))
    {
        return message!("ruleset-must-be", wanted = wanted(expected), given = given(found));
    }
    told_by_library(error)
}

/// What a library says, on one line of bearable length; some of it comes from this program.
#[must_use]
pub fn told_by_library(error: &str) -> Message {
    let shown: String = error.chars().take(300).collect();
    let shown = one_line(&shown);
    for (start, id) in [("invalid type: ", "library-type"), ("invalid value: ", "library-value")] {
        if let Some((found, expected)) =
            shown.strip_prefix(start).and_then(|rest| rest.split_once(", expected "))
        {
            let found = Part::Library(found.to_owned(), given(found));
            let wanted = Part::Library(expected.to_owned(), wanted(expected));
            return Message::plain(id).with("found", found).with("wanted", wanted);
        }
    }
    let parts: Vec<&str> = shown.split('`').collect();
    match parts.as_slice() {
        ["", word, " is not a level: use 2 3 4 5 6 7 8 9 T J Q K"] => {
            message!("ruleset-on-word", word, error = message!("tuolaji-no-level"))
        }
        ["unknown table of big points ", word, ..] => {
            let known: Vec<&str> =
                super::tuolaji::big_points::PRESETS.iter().map(|(name, _)| *name).collect();
            not_known("table of big points", word, &known)
        }
        ["missing field ", path, ""] => message!("ruleset-lacks-field", path),
        ["unknown field ", word, ", expected " | ", expected one of ", ..] => {
            let expected = shown.split_once(", expected ").map_or("", |(_, expected)| expected);
            message!("ruleset-strange-field", word, expected = expected_of(expected))
        }
        _ => message!("ruleset-library", what = shown),
    }
}

/// The words that serde names as possible: `` `a` ``, `` `a` or `b` ``, `` one of `a`, `b`, `c` ``.
fn expected_of(expected: &str) -> Message {
    let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    match (known.as_slice(), expected.strip_prefix("one of ")) {
        ([first, second], None) => message!("expected-two", first, second),
        (_, Some(list)) => message!("expected-several", list),
        _ => expected.into(),
    }
}

fn wanted(expected: &str) -> Message {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => message!("wanted-whole-up"),
        "i8" | "i16" | "i32" | "i64" => message!("wanted-whole"),
        "a boolean" => message!("wanted-boolean"),
        "a string" | "a borrowed string" => message!("wanted-text"),
        "a sequence" => message!("given-list"),
        "string or map" => message!("wanted-word"),
        "a map" => message!("wanted-table"),
        other if other.starts_with("struct ") => message!("wanted-table"),
        other => Message::verbatim(other),
    }
}

fn given(found: &str) -> Message {
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    match kind {
        "string" | "integer" | "boolean" => value.into(),
        "sequence" => message!("given-list"),
        "map" => message!("given-table"),
        "unit" | "null" => "null".into(),
        "floating" => value.trim_start_matches("point ").into(),
        _ => found.into(),
    }
}

fn to_value<R: Ruleset>(rules: &R) -> Result<Value, Vec<Fault>> {
    serde_json::to_value(rules).map_err(|error| vec![Fault::new("bad_ruleset", error.to_string())])
}

fn toml_value(text: &str) -> Result<Value, Vec<Fault>> {
    let bad = |message: Message| vec![Fault::new("bad_toml", message)];
    let value: toml::Value = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| {
            text.as_bytes().iter().take(span.start).filter(|byte| **byte == b'\n').count() + 1
        });
        bad(message!("toml-broken", line, why = one_line(error.message())))
    })?;
    serde_json::to_value(value).map_err(|error| bad(told_by_library(&error.to_string())))
}

fn from_value<G: Game>(value: &Value) -> Result<G::Rules, Vec<Fault>> {
    let mut faults = Vec::new();
    if let Some(template) = template::<G>() {
        compare(&template, value, "", &mut faults);
    }
    if faults.is_empty() {
        return decode::<G>(value).and_then(sound::<G>);
    }
    faults.extend(wrong_fields::<G>(value));
    Err(faults)
}

/// The default ruleset knows every field, so it is the template against which others are compared.
fn template<G: Game>() -> Option<Value> {
    let (_, text) = G::RULESETS.first()?;
    toml_value(text).ok()
}

fn decode<G: Game>(value: &Value) -> Result<G::Rules, Vec<Fault>> {
    serde_json::from_value(value.clone()).map_err(|error| {
        let faults = wrong_fields::<G>(value);
        if faults.is_empty() {
            vec![Fault::new("bad_field", plain_words(&error.to_string()))]
        } else {
            faults
        }
    })
}

/// Every field whose value cannot be read: each is put alone into the default ruleset.
fn wrong_fields<G: Game>(value: &Value) -> Vec<Fault> {
    let Some(mut whole) = template::<G>() else { return Vec::new() };
    let mut faults = Vec::new();
    let mut path = Vec::new();
    try_fields::<G>(&mut whole, value, &mut path, &mut faults);
    faults
}

fn try_fields<G: Game>(whole: &mut Value, value: &Value, at: &mut Vec<String>, faults: &mut Vec<Fault>) {
    let place = |whole: &Value| at.iter().try_fold(whole, |inner, key| inner.get(key)).cloned();
    let Some(usual) = place(whole) else { return };
    if let (Value::Object(fields), Value::Object(given)) = (&usual, value) {
        let known: Vec<&String> = given.keys().filter(|key| fields.contains_key(*key)).collect();
        for key in known {
            at.push(key.clone());
            if let Some(inner) = given.get(key) {
                try_fields::<G>(whole, inner, at, faults);
            }
            at.pop();
        }
        return;
    }
    let mut put = |content: Value| {
        if let Some(target) = at.iter().try_fold(&mut *whole, |inner, key| inner.get_mut(key)) {
            *target = content;
        }
    };
    put(value.clone());
    let error = serde_json::from_value::<G::Rules>(whole.clone()).err();
    if let Some(target) = at.iter().try_fold(whole, |inner, key| inner.get_mut(key)) {
        *target = usual;
    }
    if let Some(error) = error {
        let cause = plain_words(&error.to_string());
        let message = message!("ruleset-on-field", path = at.join("."), cause);
        faults.push(Fault::new("bad_field", message));
    }
}

/// The line on which a field of a TOML file stands, from 1; for one in an inline table the line of that table.
fn line_of(text: &str, path: &str) -> Option<usize> {
    let (mut table, mut found) = (String::new(), None);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[') {
            name.trim_matches(|letter| letter == '[' || letter == ']').trim().clone_into(&mut table);
            if table == path {
                return Some(number);
            }
        }
        let Some((key, _)) = line.split_once('=') else { continue };
        let full = self::path(&table, key.trim());
        if full == path {
            return Some(number);
        }
        if path.strip_prefix(full.as_str()).is_some_and(|rest| rest.starts_with('.')) {
            found = Some(number);
        }
    }
    found
}

fn sound<G: Game>(rules: G::Rules) -> Result<G::Rules, Vec<Fault>> {
    let faults = rules.faults();
    if faults.is_empty() { Ok(rules) } else { Err(faults) }
}

fn path(parent: &str, key: &str) -> String {
    if parent.is_empty() { key.to_owned() } else { format!("{parent}.{key}") }
}

fn unknown_field<'a>(parent: &str, key: &str, known: impl Iterator<Item = &'a String>) -> Fault {
    let known: Vec<String> = known.map(|known| path(parent, known)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    Fault::new("unknown_field", not_known("field", &path(parent, key), &known))
}

/// Unknown and missing fields of `value` against a template, tables compared recursively. A field whose template is
/// a table may be given as another type where the game allows it; decoding decides.
fn compare(template: &Value, value: &Value, parent: &str, faults: &mut Vec<Fault>) {
    let (Value::Object(template), Value::Object(value)) = (template, value) else { return };
    for key in value.keys().filter(|key| !template.contains_key(*key)) {
        faults.push(unknown_field(parent, key, template.keys()));
    }
    for (key, inner) in template {
        match value.get(key) {
            Some(given) => compare(inner, given, &path(parent, key), faults),
            None => {
                faults.push(Fault::new(
                    "missing_field",
                    message!("ruleset-missing-field", path = path(parent, key)),
                ));
            }
        }
    }
}

/// Replaces fields of `value` by `changes`; tables are merged recursively.
fn merge(value: &mut Value, changes: &Map<String, Value>, parent: &str, faults: &mut Vec<Fault>) {
    let Value::Object(fields) = value else { return };
    for (key, change) in changes {
        match (fields.get_mut(key), change) {
            (None, _) => faults.push(unknown_field(parent, key, fields.keys())),
            (Some(inner @ Value::Object(_)), Value::Object(change)) => {
                merge(inner, change, &path(parent, key), faults);
            }
            (Some(inner), change) => *inner = change.clone(),
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::games::holdem::Holdem;
    use crate::games::tuolaji::Tuolaji;
    use crate::games::wakeng::Wakeng;

    fn said<G: Game>(text: &str) -> Vec<String> {
        match parse::<G>(text) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.into_iter().map(|fault| fault.message).collect(),
        }
    }

    #[test]
    fn every_wrong_field_is_named_with_its_line_and_without_the_readers_own_words() {
        let (_, text) = Tuolaji::RULESETS[0];
        let changed = text
            .replace("play_s = 20", "play_s = -1")
            .replace("bottom_s = 60", "bottom_s = \"x\"")
            .replace("allow_reinforce = false", "allow_reinforce = \"no\"")
            .replace("bottom_shape = \"lead\"", "bottom_shape = \"leed\"")
            .replace("cap = 0", "cap = 1.5");
        let line =
            |field: &str| 1 + changed.lines().position(|line| line.split(' ').next() == Some(field)).unwrap();
        let mut wanted: Vec<String> = [
            ("play_s", "play_s", "it must be a whole number from 0 upwards, not `-1`"),
            ("bottom_s", "bottom_s", "it must be a whole number from 0 upwards, not \"x\""),
            ("allow_reinforce", "allow_reinforce", "it must be true or false, not \"no\""),
            ("bottom_shape", "bottom_shape", "`leed` is not known: use `lead` or `winner_cards`"),
            ("cap", "big_points.cap", "it must be a whole number, not `1.5`"),
        ]
        .iter()
        .map(|(start, path, cause)| format!("line {}: `{path}`: {cause}", line(start)))
        .collect();
        let mut found = said::<Tuolaji>(&changed);
        wanted.sort();
        found.sort();
        assert_eq!(found, wanted);
        assert_eq!(said::<Tuolaji>(&text.replace("cap = 0", "cap 0")).len(), 1);
        assert!(
            said::<Tuolaji>(&text.replace("cap = 0", "cap 0"))[0]
                .starts_with(&format!("line {}: not a TOML", line("cap")))
        );
        let contradiction = said::<Tuolaji>(
            &text.replace("round_min = 120", "round_min = 0").replace("zhuhai-2009\"", "ours\""),
        );
        assert!(
            contradiction[0].starts_with(&format!("line {}: `round_min`", line("round_min"))),
            "{contradiction:?}"
        );
    }

    #[test]
    fn an_unknown_field_inside_a_table_finds_the_nearest_one() {
        let rules = json!({"base": "zhuhai-2009", "big_points": {"capp": 3}, "play_s": "x"});
        let faults = overridden::<Tuolaji>(rules.as_object().unwrap()).unwrap_err();
        let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(messages[0], "unknown field `big_points.capp`: did you mean `big_points.cap`?");
        assert!(messages[1].starts_with("`play_s`: "), "all of them at once: {messages:?}");
    }

    fn a_changed_ruleset_keeps_no_shipped_name_of<G: Game>(from: &str, to: &str) {
        for (name, text) in G::RULESETS {
            assert!(parse::<G>(text).is_ok(), "{name}");
            let changed = text.replace(from, to);
            assert_ne!(*text, changed, "{name}");
            let faults = parse::<G>(&changed).unwrap_err();
            assert_eq!(faults[0].code, "reserved_name", "{name}: {faults:?}");
            let renamed = changed.replacen(&format!("name = \"{name}\""), "name = \"ours\"", 1);
            assert!(parse::<G>(&renamed).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_changed_ruleset_needs_a_name_of_its_own() {
        a_changed_ruleset_keeps_no_shipped_name_of::<Tuolaji>("play_s = 20", "play_s = 25");
        a_changed_ruleset_keeps_no_shipped_name_of::<Holdem>("unit = 25", "unit = 50");
        a_changed_ruleset_keeps_no_shipped_name_of::<Wakeng>("unit = 1", "unit = 2");
        let borrowed = json!({"base": "tda-2011", "name": "tda-2024"});
        assert_eq!(overridden::<Holdem>(borrowed.as_object().unwrap()).unwrap_err()[0].code, "reserved_name");
    }

    #[test]
    fn changed_rules_are_never_called_by_what_is_taken_for_a_shipped_ruleset() {
        let named = |name: &str| {
            let rules = json!({"base": "wakeng-bomb", "bomb_factor": 3, "name": name});
            overridden::<Wakeng>(rules.as_object().unwrap())
        };
        for name in [
            "炸弹规则",
            "炸彈規則",
            "Bomb rules",
            "bomb-rules",
            "无炸弹规则",
            "wakeng\u{2011}bomb",
            "Wakeng-Bomb",
            "ｗａｋｅｎｇ-ｂｏｍｂ",
            "wakeng-bоmb",
            "wakeng–bomb",
            "wakeng_bomb",
            "wakeng＋bomb",
            "wakeng\u{2011}bomb+0123abcd",
            "Wakeng-Bomb+0123abcd",
            "zhuhai-2009",
            "TDA 2011",
            "tda-2024",
            "珠海 2009 规则",
        ] {
            let faults = named(name).unwrap_err();
            assert_eq!(faults[0].code, "reserved_name", "{name}");
            assert!(faults[0].message.contains(name), "{name}: {}", faults[0].message);
        }
        for name in ["俱乐部规则", "wakeng-bombs", "wakeng-bomb-3", "bomb"] {
            assert_eq!(named(name).unwrap().name(), name);
        }
        assert_eq!(named("炸弹规则").unwrap_err()[0].message.matches("wakeng-bomb").count(), 1);
        // Whole rulesets, too, and those of every other game.
        let (_, text) = Holdem::RULESETS[0];
        let other = text.replacen("name = \"tda-2011\"", "name = \"TDA-2011\"", 1);
        let other = if other == *text {
            text.replacen("name = \"tda-2024\"", "name = \"TDA-2024\"", 1)
        } else {
            other
        };
        assert_eq!(parse::<Holdem>(&other).unwrap_err()[0].code, "reserved_name");
    }

    #[test]
    fn every_shipped_ruleset_has_a_title() {
        let all = [Wakeng::RULESETS, Tuolaji::RULESETS, Holdem::RULESETS].concat();
        assert_eq!(all.len(), TITLES.len());
        for (name, _) in all {
            let told = title(name).unwrap();
            assert!(Lang::ALL.iter().all(|lang| say(*lang, &told) != told.id), "{name}");
        }
        assert_eq!(title("ours"), None);
    }

    #[test]
    fn the_game_of_a_ruleset_file_is_known_from_what_it_says() {
        fn of<G: Game>() {
            for (name, text) in G::RULESETS {
                assert_eq!(game_of(text), Some(G::KIND), "{name}");
                assert_eq!(game_of(&format!("base = \"{name}\"\n")), Some(G::KIND), "{name}");
            }
        }
        of::<Wakeng>();
        of::<Tuolaji>();
        of::<Holdem>();
        assert_eq!(game_of("bomb_factor = 3\nnmae = \"x\"\n"), Some(GameKind::Wakeng));
        assert_eq!([game_of(""), game_of("colour = 1"), game_of("= no TOML")], [None; 3]);
    }

    #[test]
    fn rows_are_not_changed_under_an_old_tail() {
        let change = |big_points: Value| {
            let rules = json!({"base": "zhuhai-2009", "big_points": big_points});
            overridden::<Tuolaji>(rules.as_object().unwrap())
        };
        let rows = json!([{"min": -1000, "v": -1}, {"min": 80, "v": 1}]);
        let codes = |faults: Vec<Fault>| faults.into_iter().map(|fault| fault.code).collect::<Vec<_>>();
        assert_eq!(codes(change(json!({"name": "ours", "rows": rows})).unwrap_err()), ["tail_unclear"]);
        assert_eq!(codes(change(json!({"rows": rows, "tail": null})).unwrap_err()), ["reserved_name"]);
        let table = &change(json!({"name": "ours", "rows": rows, "tail": null})).unwrap().big_points;
        assert_eq!((table.of(80), table.of(640)), (1, 1));
        assert_eq!(change(json!("H3")).unwrap().big_points.of(80), 2);
    }
}
