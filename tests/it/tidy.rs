//! The source checks itself: which room may use which, and habits no compiler knows.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every room with the rooms it may use. Lowest first; a room may only name rooms above it in this list.
const ROOMS: &[(&str, &[&str])] = &[
    ("words", &[]),
    ("delimited", &["words"]),
    ("sabotage", &[]),
    ("canonical", &[]),
    ("cards", &[]),
    ("rng", &[]),
    ("dealing", &["canonical", "cards", "rng", "words"]),
    ("games", &["canonical", "cards", "rng", "words"]),
    ("scoring", &["canonical", "delimited", "words"]),
    ("formats", &["canonical", "rng", "scoring", "words"]),
    ("players", &["canonical", "cards", "rng", "games", "words"]),
    ("client", &["canonical", "cards", "games", "players", "words"]),
    (
        "journal",
        &[
            "canonical",
            "cards",
            "rng",
            "dealing",
            "formats",
            "games",
            "players",
            "sabotage",
            "scoring",
            "words",
        ],
    ),
    (
        "event",
        &[
            "canonical",
            "cards",
            "rng",
            "dealing",
            "formats",
            "games",
            "journal",
            "players",
            "sabotage",
            "scoring",
            "words",
        ],
    ),
    (
        "desk",
        &[
            "canonical",
            "cards",
            "rng",
            "dealing",
            "delimited",
            "event",
            "formats",
            "games",
            "journal",
            "players",
            "sabotage",
            "scoring",
            "words",
        ],
    ),
    (
        "tables",
        &[
            "canonical",
            "cards",
            "rng",
            "dealing",
            "desk",
            "event",
            "formats",
            "games",
            "journal",
            "players",
            "sabotage",
            "scoring",
            "words",
        ],
    ),
    (
        "store",
        &[
            "canonical",
            "cards",
            "dealing",
            "desk",
            "event",
            "formats",
            "games",
            "journal",
            "sabotage",
            "scoring",
            "tables",
            "words",
        ],
    ),
    (
        "web",
        &[
            "canonical",
            "cards",
            "rng",
            "dealing",
            "delimited",
            "desk",
            "event",
            "formats",
            "games",
            "journal",
            "players",
            "sabotage",
            "scoring",
            "store",
            "tables",
            "words",
        ],
    ),
    (
        "cli",
        &[
            "canonical",
            "cards",
            "rng",
            "client",
            "dealing",
            "desk",
            "event",
            "formats",
            "games",
            "journal",
            "players",
            "scoring",
            "store",
            "web",
            "words",
        ],
    ),
];

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn files_below(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, extensions, found);
        } else if path.extension().is_some_and(|end| extensions.iter().any(|wanted| end == *wanted)) {
            found.push(path);
        }
    }
}

pub fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    files_below(&root().join(folder), &["rs"], &mut found);
    found.sort();
    found
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path.strip_prefix(root()).unwrap().to_owned(), text)
        })
        .collect()
}

/// The code of a file without its comments and without its unit tests, which may use what they like.
pub fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The rooms named in a text as `crate::room` or inside `use crate::{room, …}`.
fn rooms_named(text: &str) -> Vec<String> {
    let mut named = Vec::new();
    for after in text.split("crate::").skip(1) {
        if let Some(list) = after.strip_prefix('{') {
            let mut depth = 0;
            let mut word = String::new();
            for letter in list.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    _ if depth > 0 => {}
                    ',' | ':' | ' ' | '\n' => {
                        if !word.is_empty() {
                            named.push(std::mem::take(&mut word));
                        }
                    }
                    letter => word.push(letter),
                }
            }
            named.extend((!word.is_empty()).then_some(word));
        } else {
            named.push(after.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect());
        }
    }
    named
}

#[test]
fn rooms_use_only_rooms_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let room = parts[1].trim_end_matches(".rs").to_owned();
        if room == "lib" || room == "main" {
            continue;
        }
        let may = allowed.get(room.as_str()).unwrap_or_else(|| panic!("{room} is no room of the plan"));
        for named in rooms_named(&code(&text)) {
            if named != room && allowed.contains_key(named.as_str()) && !may.contains(&named.as_str()) {
                wrong.push(format!("{}: {room} must not use {named}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_plan_of_the_rooms_has_no_circle() {
    for (place, (room, may)) in ROOMS.iter().enumerate() {
        for below in *may {
            let found = ROOMS.iter().position(|(name, _)| name == below).unwrap();
            assert!(found < place, "{room} uses {below}, which stands above it");
        }
    }
}

#[test]
fn the_rules_know_no_clock_no_file_no_network_and_no_chance() {
    const FORBIDDEN: &[&str] = &[
        "std::time",
        "std::fs",
        "std::net",
        "std::env",
        "std::process",
        "std::thread",
        "Instant::",
        "SystemTime",
        "getrandom",
        "thread_rng",
    ];
    let mut wrong = Vec::new();
    for room in [
        "src/games",
        "src/scoring",
        "src/formats",
        "src/players",
        "src/cards.rs",
        "src/canonical.rs",
        "src/delimited.rs",
    ] {
        let files = if root().join(room).is_file() {
            vec![(PathBuf::from(room), fs::read_to_string(root().join(room)).unwrap())]
        } else {
            sources(room)
        };
        for (path, text) in files {
            let code = code(&text);
            for word in FORBIDDEN.iter().filter(|word| code.contains(**word)) {
                // Large events are scored on every processor; the result does not depend on how many there are.
                if *word == "std::thread" && path.starts_with("src/scoring") {
                    continue;
                }
                wrong.push(format!("{} uses {word}", path.display()));
            }
            // Scoring finds ids in hash maps, where their order is never seen; what plays must not even have one.
            if !path.starts_with("src/scoring") && (code.contains("HashMap") || code.contains("HashSet")) {
                wrong.push(format!("{} uses hash order", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_source_file_says_what_it_is_for() {
    let mut wrong = Vec::new();
    for folder in ["src", "tests/it", "benches"] {
        for (path, text) in sources(folder) {
            if !text.starts_with("//!") {
                wrong.push(format!("{} does not begin with //!", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn nothing_unfinished_and_no_skipped_test_is_left() {
    let marks = ["todo!(", "unimplemented!(", concat!("FIX", "ME"), concat!("#[ig", "nore"), "dbg!("];
    let mut wrong = Vec::new();
    for folder in ["src", "tests", "benches"] {
        for (path, text) in sources(folder) {
            if path.ends_with("tidy.rs") {
                continue;
            }
            for (number, line) in text.lines().enumerate() {
                if marks.iter().any(|mark| line.contains(mark)) {
                    wrong.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_link_of_the_documents_leads_somewhere_and_every_picture_is_shown() {
    let mut documents = vec![root().join("README.md")];
    files_below(&root().join("docs"), &["md"], &mut documents);
    let mut shown = Vec::new();
    for document in documents {
        let text = std::fs::read_to_string(&document).unwrap();
        let marks = ["](", "src=\""];
        let links = marks.into_iter().flat_map(|mark| text.split(mark).skip(1));
        for link in links.filter_map(|rest| rest.split([')', '"', ' ']).next()) {
            let path = link.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") {
                continue;
            }
            let target = document.parent().unwrap().join(path);
            assert!(target.exists(), "{}: {link} leads nowhere", document.display());
            shown.push(target.canonicalize().unwrap());
        }
    }
    let mut pictures = Vec::new();
    files_below(&root().join("docs/pictures"), &["png"], &mut pictures);
    assert!(!pictures.is_empty());
    for picture in pictures {
        assert!(shown.contains(&picture.canonicalize().unwrap()), "{} is not shown", picture.display());
        let size = picture.metadata().unwrap().len();
        assert!(size < 200 << 10, "{} has {size} bytes", picture.display());
    }
}
