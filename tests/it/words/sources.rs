//! The sources name no English sentence where a message belongs, and every message that they name has its sentence.

use std::path::Path;

use crate::tidy::files_below;

/// Faults of headers, lines and rulesets are made of messages, never of English texts.
#[test]
fn no_fault_of_a_game_or_record_is_written_in_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for room in ["src/games", "src/journal", "src/desk", "src/formats", "src/players"] {
        files_below(&root.join(room), &["rs"], &mut files);
    }
    let mut wrong = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        let source = source.split("#[cfg(test)]\nmod tests").next().unwrap();
        for call in ["Fault::new(", ".fault(", ".card_fault(", " fault("] {
            for after in source.split(call).skip(1) {
                let Some(rest) = after.trim_start().strip_prefix('"') else { continue };
                let Some((_, rest)) = rest.split_once("\",") else { continue };
                let rest = rest.trim_start();
                if rest.starts_with('"') || rest.starts_with("format!") {
                    wrong.push(format!("{}: {}", file.display(), rest.lines().next().unwrap()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every message that the sources name stands in the English files.
#[test]
fn every_message_has_its_sentence() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    files_below(&root.join("src"), &["rs"], &mut files);
    let mut known = String::new();
    for entry in std::fs::read_dir(root.join("src/words/en")).unwrap() {
        known.push('\n');
        known.push_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    let (mut seen, mut missing) = (0, Vec::new());
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        for call in ["message!(\"", "message!(\n", "Message::plain(\""] {
            for after in source.split(call).skip(1) {
                let id = after.trim_start().trim_start_matches('"').split('"').next().unwrap();
                seen += 1;
                if !known.contains(&format!("\n{id} =")) {
                    missing.push(format!("{}: {id}", file.display()));
                }
            }
        }
    }
    assert!(seen > 500 && missing.is_empty(), "{seen} {missing:?}");
}
