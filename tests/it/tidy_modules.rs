//! The source checks itself: files of a room that use each other, public items that nobody names, and the demo.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::{code, sources};

/// Two halves of one thing: each pair of files is one thought in two files and may use each other.
const HALVES: &[(&str, &str)] = &[
    // A ruleset and its sentences.
    ("games::holdem::clauses", "games::holdem::rules"),
    ("games::tuolaji::clauses", "games::tuolaji::rules"),
    ("games::wakeng::clauses", "games::wakeng::rules"),
    // A state and what it says no with, offers, or begins from.
    ("games::tuolaji::refusal", "games::tuolaji::state"),
    ("games::wakeng::options", "games::wakeng::state"),
    ("games::wakeng::start", "games::wakeng::state"),
    // A file in PHH, and how it is read and played.
    ("games::holdem::phh::file", "games::holdem::phh::read"),
    ("games::holdem::phh::read", "games::holdem::phh::walk"),
    // The course of an event, and the formats that it is planned by.
    ("formats::course", "formats::movement"),
    ("formats::course", "formats::round_robin"),
    // An event's results, and how they are settled and ranked.
    ("scoring::event", "scoring::ranking"),
    ("scoring::event", "scoring::settle"),
    ("scoring::crosstab", "scoring::views"),
    // What an audit finds, and how it is told.
    ("formats::audit", "formats::report"),
];

/// Files that use each other and should not. The list only gets shorter.
const ENTANGLED: &[(&str, &str)] = &[
    ("games::holdem::position", "games::holdem::start"),
    ("games::holdem::reader", "games::holdem::start"),
    ("games::holdem::rules", "games::holdem::start"),
    ("games::rulesets", "games::tuolaji::big_points"),
    ("games::tuolaji::call", "games::tuolaji::refusal"),
    ("journal::control", "journal::scan"),
    ("journal::verify::course", "journal::verify::preamble"),
    ("scoring::entry", "scoring::said"),
    ("store::error", "store::place"),
    ("tables::hall::absent", "tables::hall::stations"),
    ("tables::hall::participants", "tables::hall::stations"),
    ("tables::message", "tables::story"),
    ("tables::message", "tables::task"),
    ("web::api::live", "web::api::results"),
    ("web::audience", "web::read_model::state"),
    ("web::pages::event", "web::pages::results"),
    ("web::pages::event", "web::pages::rules"),
];

/// Public items that nobody names, in files that others are at work on. The list only gets shorter.
const UNNAMED: &[(&str, &str)] = &[
    ("src/games/tuolaji/shape.rs", "is_simple"),
    ("src/journal/record.rs", "write_record"),
    ("src/store/backup.rs", "back_up"),
    ("src/tables/task.rs", "SharedHeader"),
];

/// Product code outside the demo that uses the demo. The list only gets shorter.
const USES_THE_DEMO: &[&str] = &["src/desk/draft.rs", "src/desk/stage.rs"];

/// A module by the names that lead to it from the crate's root.
type Module = Vec<String>;

/// Names, `::` and single signs of a source text.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        if !token.trim().is_empty() {
            found.push(token);
        }
        rest = after;
    }
    found
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Reads one path, or the tree of a `use`, into the paths that it names; answers where it ends.
fn tree(tokens: &[&str], mut at: usize, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens.get(at) {
            Some(&"{") => {
                at += 1;
                while tokens.get(at).is_some_and(|token| *token != "}") {
                    let end = tree(tokens, at, &path, found);
                    at = end.max(at + 1);
                }
                return at + 1;
            }
            Some(token) if is_name(token) => {
                path.push((*token).to_owned());
                if tokens.get(at + 1) == Some(&"::") {
                    at += 2;
                    continue;
                }
                found.push(path);
                return at + 1;
            }
            _ => {
                found.push(path);
                return at;
            }
        }
    }
}

fn module_of(path: &std::path::Path) -> Module {
    let mut names: Module =
        path.iter().skip(1).map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
    if names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

/// Which modules each module names, through the re-exports of the modules above them.
struct Uses {
    modules: BTreeSet<Module>,
    /// What a module hands on under its own name: where it really is.
    handed_on: BTreeMap<Module, Module>,
}

impl Uses {
    fn of(files: &[(Module, String)]) -> Uses {
        let modules: BTreeSet<Module> = files.iter().map(|(module, _)| module.clone()).collect();
        let mut handed_on = BTreeMap::new();
        for (module, text) in files {
            let tokens = tokens(text);
            for (at, _) in tokens.iter().enumerate().filter(|(_, token)| **token == "pub") {
                let after = match tokens.get(at + 1) {
                    Some(&"(") => tokens[at..].iter().position(|token| *token == ")").map(|end| at + end + 1),
                    _ => Some(at + 1),
                };
                let Some(after) = after.filter(|after| tokens.get(*after) == Some(&"use")) else { continue };
                let mut paths = Vec::new();
                tree(&tokens, after + 1, &[], &mut paths);
                for path in paths {
                    let outside = path.first().is_none_or(|first| first == "crate" || first == "super");
                    let Some(last) = path.last().filter(|_| !outside) else { continue };
                    handed_on.insert(
                        [&module[..], std::slice::from_ref(last)].concat(),
                        [&module[..], &path].concat(),
                    );
                }
            }
        }
        Uses { modules, handed_on }
    }

    /// The module that a path from the root leads into.
    fn resolve(&self, mut path: Module) -> Option<Module> {
        for _ in 0..5 {
            let next = (1..=path.len()).rev().find_map(|length| {
                let (head, tail) = path.split_at(length);
                let known = self.handed_on.get(head).filter(|_| !self.modules.contains(head))?;
                Some([&known[..], tail].concat())
            });
            let Some(next) = next else { break };
            path = next;
        }
        (1..=path.len()).rev().map(|length| path[..length].to_vec()).find(|head| self.modules.contains(head))
    }

    fn named(&self, module: &Module, text: &str) -> BTreeSet<Module> {
        let tokens = tokens(text);
        let begins = |at: &usize| {
            matches!(tokens[*at], "crate" | "super" | "self") && tokens.get(at + 1) == Some(&"::")
                // The `super` in `super::super` is no beginning of its own.
                && (*at == 0 || tokens[at - 1] != "::")
        };
        let mut paths = Vec::new();
        for at in (0..tokens.len()).filter(begins) {
            tree(&tokens, at, &[], &mut paths);
        }
        let from_root = |path: Vec<String>| {
            let mut base =
                if path.first().is_some_and(|first| first == "crate") { vec![] } else { module.clone() };
            let mut rest = path.as_slice();
            while let Some((first, after)) = rest.split_first() {
                match first.as_str() {
                    "crate" | "self" => {}
                    "super" => drop(base.pop()),
                    _ => break,
                }
                rest = after;
            }
            [&base[..], rest].concat()
        };
        paths.into_iter().filter_map(|path| self.resolve(from_root(path))).collect()
    }
}

#[test]
fn no_two_files_of_a_room_use_each_other() {
    let files: Vec<(Module, String)> =
        sources("src").iter().map(|(path, text)| (module_of(path), code(text))).collect();
    let uses = Uses::of(&files);
    let named: BTreeMap<&Module, BTreeSet<Module>> =
        files.iter().map(|(module, text)| (module, uses.named(module, text))).collect();
    assert!(named.values().map(BTreeSet::len).sum::<usize>() > 500, "the paths of the source are not read");
    let mut found = BTreeSet::new();
    for (module, others) in &named {
        for other in others {
            let kin = module.starts_with(other) || other.starts_with(module);
            let mutual = named.get(other).is_some_and(|back| back.contains(*module));
            if mutual && !kin && module[0] == other[0] && *module < other {
                found.insert((module.join("::"), other.join("::")));
            }
        }
    }
    let listed: BTreeSet<(String, String)> =
        HALVES.iter().chain(ENTANGLED).map(|(one, other)| ((*one).to_owned(), (*other).to_owned())).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(new.is_empty(), "these use each other: {new:#?}");
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(gone.is_empty(), "these use each other no longer, take them off the list: {gone:#?}");
}

#[test]
fn every_public_item_is_named_somewhere() {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    // The list of this file names what nobody names.
    let all = ["src", "tests", "benches"].into_iter().flat_map(sources);
    for (_, text) in all.filter(|(path, _)| !path.ends_with("tidy_modules.rs")) {
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for word in tokens(line) {
                *count.entry(word.to_owned()).or_default() += 1;
            }
        }
    }
    let mut found = BTreeSet::new();
    for (path, text) in sources("src") {
        for line in code(&text).lines() {
            let Some(item) = line.trim_start().strip_prefix("pub ") else { continue };
            let mut words = item.split_whitespace().skip_while(|word| matches!(*word, "async" | "unsafe"));
            let kinds = ["fn", "struct", "enum", "const", "trait", "type", "static", "mod"];
            let Some(kind) = words.next().filter(|kind| kinds.contains(kind)) else { continue };
            let mut words = words.skip_while(|word| kind == "const" && *word == "fn");
            let name = words.next().and_then(|word| tokens(word).first().copied());
            let Some(name) = name.filter(|name| is_name(name)) else { continue };
            if count.get(name).is_none_or(|count| *count < 2) {
                found.insert((path.display().to_string(), name.to_owned()));
            }
        }
    }
    let listed: BTreeSet<(String, String)> =
        UNNAMED.iter().map(|(path, name)| ((*path).to_owned(), (*name).to_owned())).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(new.is_empty(), "nobody names these: {new:#?}");
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(gone.is_empty(), "take these off the list: {gone:#?}");
}

#[test]
fn only_the_demo_and_its_command_use_the_demo() {
    let mut found = BTreeSet::new();
    for (path, text) in sources("src") {
        let path = path.display().to_string();
        let own = path.starts_with("src/desk/demo") || path.starts_with("src/cli");
        let code = code(&text);
        if !own && tokens(&code).windows(2).any(|pair| pair == ["demo", "::"]) {
            found.insert(path);
        }
    }
    let listed: BTreeSet<String> = USES_THE_DEMO.iter().map(|path| (*path).to_owned()).collect();
    assert_eq!(found, listed);
}
