//! The source checks itself: the clauses of the rulebooks, their table in the documents and their marks in the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::tidy::{files_below, root};

/// The rulebooks, by the letters of their clauses and what stands between letters and number.
const RULEBOOKS: [&str; 3] = ["WK-", "PK-", "TL "];

/// The numbers that stand behind a rulebook's letters in a text.
fn marks(text: &str, letters: &str) -> BTreeSet<String> {
    let numbers = text.match_indices(letters).filter_map(|(at, _)| {
        let part_of_word = text[..at].ends_with(|c: char| c.is_alphanumeric());
        let rest = text[at + letters.len()..].trim_start_matches('§');
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number = rest[..end].trim_end_matches('.');
        (!part_of_word && !number.is_empty()).then(|| format!("{letters}{number}"))
    });
    numbers.collect()
}

/// The table of the documents: of each clause the files that decide it, or why none does.
fn table() -> BTreeMap<String, Result<Vec<String>, String>> {
    let text = fs::read_to_string(root().join("docs/clauses.md")).unwrap();
    let mut table = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect();
        let [number, sentence, place] = cells[..] else { continue };
        if !RULEBOOKS.iter().any(|letters| number.starts_with(letters)) {
            continue;
        }
        assert!(!sentence.is_empty(), "{number} says nothing");
        let decided = match place.strip_prefix('–') {
            Some(reason) => Err(reason.trim().to_owned()),
            None => Ok(place.split('`').skip(1).step_by(2).map(str::to_owned).collect()),
        };
        assert!(table.insert(number.to_owned(), decided).is_none(), "{number} stands twice");
    }
    table
}

#[test]
fn every_clause_is_decided_where_the_table_says_or_has_a_reason() {
    let table = table();
    let mut wrong = Vec::new();
    for (number, decided) in &table {
        match decided {
            Err(reason) if reason.is_empty() => wrong.push(format!("{number}: no reason")),
            Ok(files) if files.is_empty() => wrong.push(format!("{number}: no place")),
            Err(_) => {}
            Ok(files) => {
                for file in files {
                    let text = fs::read_to_string(root().join("src").join(file)).unwrap_or_default();
                    let letters = &number[..3];
                    if !marks(&text, letters).contains(number) {
                        wrong.push(format!("{number}: no mark in {file}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_mark_in_the_code_is_a_clause() {
    let table = table();
    let mut files = Vec::new();
    files_below(&root().join("src"), &["rs", "toml"], &mut files);
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for number in RULEBOOKS.iter().flat_map(|letters| marks(&text, letters)) {
            match table.get(&number) {
                Some(Ok(_)) => {}
                Some(Err(_)) => {
                    wrong.push(format!("{number} is decided in {}: tell the table", file.display()));
                }
                None => wrong.push(format!("{number} in {} is no clause", file.display())),
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The numbers of the Tuolaji rulebook: chapters, sections, and the points of the chapters that have no sections.
fn numbers_of_tuolaji(text: &str) -> BTreeSet<String> {
    let mut numbers = BTreeSet::new();
    let mut chapter = "";
    let mut in_section = false;
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("## ") {
            chapter = head.split('.').next().unwrap_or("");
            in_section = false;
        } else if let Some(head) = line.strip_prefix("### ") {
            in_section = true;
            let number = head.split(' ').next().unwrap_or("");
            if ["5", "7"].contains(&chapter) {
                numbers.insert(format!("TL {number}"));
            }
        } else if let Some((number, _)) = line.split_once(". ")
            && ["2", "3", "6", "8"].contains(&chapter)
            && !in_section
            && number.parse::<u32>().is_ok()
        {
            numbers.insert(format!("TL {chapter}.{number}"));
        }
    }
    numbers
}

#[test]
fn the_table_has_every_number_of_the_rulebooks() {
    let table = table();
    for (letters, count) in [("WK-", 43), ("PK-", 118)] {
        let missing: Vec<_> = (1..=count)
            .map(|n| format!("{letters}{n}"))
            .filter(|number| !table.contains_key(number))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert_eq!(table.keys().filter(|number| number.starts_with(letters)).count(), count);
    }
    // The rulebooks stand beside the source only where it is written.
    let beside = |name: &str| fs::read_to_string(root().join("../shared/rules").join(name)).ok();
    if let Some(text) = beside("tuolaji.md") {
        let numbers = numbers_of_tuolaji(&text);
        assert!(numbers.len() > 30);
        let missing: Vec<_> = numbers.iter().filter(|number| !table.contains_key(*number)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
    if let Some(text) = beside("holdem-tournament.md") {
        let rows: BTreeSet<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("| PK-")?.split(' ').next().map(|n| format!("PK-{n}")))
            .collect();
        let ours: BTreeSet<String> =
            table.keys().filter(|number| number.starts_with("PK-")).cloned().collect();
        assert_eq!(rows, ours);
    }
}
