//! Reading rulesets: shipped, from a file, or with single fields overridden by a record.
//!
//! A ruleset is a TOML file in which every field of the game is mandatory. An unknown field is refused with the
//! nearest known one; contradictions are listed all at once. The hash of a ruleset is SHA-256 over its canonical
//! JSON, so that comments and line endings of the file do not matter.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use super::{Fault, Game, GameKind, Ruleset};
use crate::canonical::{self, Hash};

/// A shipped ruleset by name.
///
/// # Errors
/// `unknown_ruleset`, naming the nearest one.
pub fn shipped<G: Game>(name: &str) -> Result<Arc<G::Rules>, Vec<Fault>> {
    let names: Vec<&str> = G::RULESETS.iter().map(|(known, _)| *known).collect();
    let Some((_, text)) = G::RULESETS.iter().find(|(known, _)| *known == name) else {
        return Err(vec![Fault::new("unknown_ruleset", unknown("ruleset", name, &names))]);
    };
    parse::<G>(text).map(Arc::new)
}

/// The default ruleset of a game.
///
/// # Errors
/// None in a tested build: the shipped files are valid.
pub fn default<G: Game>() -> Result<Arc<G::Rules>, Vec<Fault>> {
    shipped::<G>(G::RULESETS.first().map_or("", |(name, _)| name))
}

/// Reads the text of a ruleset file.
///
/// # Errors
/// Every fault: TOML syntax, missing and unknown fields, wrong types, contradictions.
pub fn parse<G: Game>(text: &str) -> Result<G::Rules, Vec<Fault>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: toml::Value = toml::from_str(text)
        .map_err(|error| vec![Fault::new("bad_toml", one_line(&format!("not a TOML file: {error}")))])?;
    let value = serde_json::to_value(value)
        .map_err(|error| vec![Fault::new("bad_toml", one_line(&error.to_string()))])?;
    from_value::<G>(value)
}

/// A whole ruleset as JSON: every field of the game, none unknown.
///
/// # Errors
/// Missing and unknown fields, wrong types, contradictions.
pub fn read<G: Game>(value: &Value) -> Result<G::Rules, Vec<Fault>> {
    from_value::<G>(value.clone())
}

/// A ruleset with single fields replaced: the `rules` object of a record, `{"base": NAME, FIELD: VALUE…}`.
///
/// # Errors
/// No or unknown base, unknown fields, wrong types, contradictions.
pub fn overridden<G: Game>(rules: &Map<String, Value>) -> Result<Arc<G::Rules>, Vec<Fault>> {
    let Some(Value::String(base)) = rules.get("base") else {
        return Err(vec![Fault::new(
            "no_base",
            "`rules` needs `base`: the name of the ruleset to start from",
        )]);
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
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut rules = decode::<G>(value)?;
    rules.settle(&changes.keys().map(String::as_str).collect::<Vec<_>>());
    sound::<G>(rules).map(Arc::new)
}

/// The name under which a view shows a ruleset: its own name, but where a shipped ruleset of that name has other
/// fields (a record overrides some), the name, `+` and the first eight digits of the ruleset's hash.
#[must_use]
pub fn shown_name<G: Game>(rules: &G::Rules) -> String {
    let name = rules.name();
    match all_shipped::<G>().iter().find(|known| known.name() == name) {
        Some(known) if known.as_ref() != rules => {
            let hash = hex::encode(hash(rules));
            format!("{name}+{}", hash.get(..8).unwrap_or_default())
        }
        _ => name.to_owned(),
    }
}

/// Every shipped ruleset, read once.
fn all_shipped<G: Game>() -> &'static [Arc<G::Rules>] {
    static READ: [OnceLock<Box<dyn Any + Send + Sync>>; GameKind::ALL.len()] =
        [const { OnceLock::new() }; GameKind::ALL.len()];
    let all = || G::RULESETS.iter().filter_map(|(_, text)| parse::<G>(text).ok().map(Arc::new)).collect();
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

/// The sentence for an unknown word, with the nearest known one and the list.
#[must_use]
pub fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    let shown: String = word.chars().take(60).collect();
    match nearest(word, known) {
        Some(near) => format!("unknown {what} `{shown}`: did you mean `{near}`?"),
        None => format!("unknown {what} `{shown}`: use one of {}", known.join(", ")),
    }
}

/// The known word that is nearest to a mistyped one, if any is near.
#[must_use]
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word: String = word.chars().take(100).collect();
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 3)
        .min()
        .map(|(_, candidate)| candidate)
}

fn to_value<R: Ruleset>(rules: &R) -> Result<Value, Vec<Fault>> {
    serde_json::to_value(rules).map_err(|error| vec![Fault::new("bad_ruleset", error.to_string())])
}

fn from_value<G: Game>(value: Value) -> Result<G::Rules, Vec<Fault>> {
    // The default ruleset knows every field, so it is the template against which others are compared.
    let Some((_, template)) = G::RULESETS.first() else { return decode::<G>(value).and_then(sound::<G>) };
    let template: toml::Value =
        toml::from_str(template).map_err(|error| vec![Fault::new("bad_toml", error.to_string())])?;
    let template =
        serde_json::to_value(template).map_err(|error| vec![Fault::new("bad_toml", error.to_string())])?;
    let mut faults = Vec::new();
    compare(&template, &value, "", &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    decode::<G>(value).and_then(sound::<G>)
}

fn decode<G: Game>(value: Value) -> Result<G::Rules, Vec<Fault>> {
    serde_json::from_value(value).map_err(|error| vec![Fault::new("bad_field", one_line(&error.to_string()))])
}

fn sound<G: Game>(rules: G::Rules) -> Result<G::Rules, Vec<Fault>> {
    let faults = rules.faults();
    if faults.is_empty() { Ok(rules) } else { Err(faults) }
}

fn path(parent: &str, key: &str) -> String {
    if parent.is_empty() { key.to_owned() } else { format!("{parent}.{key}") }
}

/// Unknown and missing fields of `value` against a template, tables compared recursively. A field whose template is
/// a table may be given as another type where the game allows it; decoding decides.
fn compare(template: &Value, value: &Value, parent: &str, faults: &mut Vec<Fault>) {
    let (Value::Object(template), Value::Object(value)) = (template, value) else { return };
    let known: Vec<&str> = template.keys().map(String::as_str).collect();
    for key in value.keys().filter(|key| !template.contains_key(*key)) {
        faults.push(Fault::new("unknown_field", unknown("field", &path(parent, key), &known)));
    }
    for (key, inner) in template {
        match value.get(key) {
            Some(given) => compare(inner, given, &path(parent, key), faults),
            None => {
                faults.push(Fault::new("missing_field", format!("field `{}` is missing", path(parent, key))));
            }
        }
    }
}

/// Replaces fields of `value` by `changes`; tables are merged recursively.
fn merge(value: &mut Value, changes: &Map<String, Value>, parent: &str, faults: &mut Vec<Fault>) {
    let Value::Object(fields) = value else { return };
    for (key, change) in changes {
        let known: Vec<String> = fields.keys().cloned().collect();
        match (fields.get_mut(key), change) {
            (None, _) => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                faults.push(Fault::new("unknown_field", unknown("field", &path(parent, key), &known)));
            }
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
