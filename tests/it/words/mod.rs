//! Refusals in the reader's language: whatever is wrong with a file or a command, no English stands in the Chinese
//! sentence about it, except for what was written by the reader, names of keys and commands in quotes, and codes.

mod codes;
mod commands;
mod glossary;
mod records;
mod sources;

use fushi::words::Lang;

const CHINESE: [Lang; 2] = [Lang::ZhCn, Lang::ZhTw];

/// Three or more English words in a row outside of quotes.
fn english(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut until = None;
    for letter in text.chars() {
        if let Some(end) = until {
            if letter == end {
                until = None;
            }
            continue;
        }
        until = match letter {
            '`' | '"' | '\'' => Some(letter),
            '“' => Some('”'),
            '「' => Some('」'),
            _ => None,
        };
        plain.push(if until.is_some() { '.' } else { letter });
    }
    // Cards and lists of ids, which have commas, are no sentences.
    let is_word = |word: &str| {
        word.len() > 1
            && word.chars().all(|letter| letter.is_ascii_alphabetic())
            && word.chars().any(|letter| letter.is_ascii_lowercase())
            && !["sj", "bj"].contains(&word)
    };
    let mut run: Vec<&str> = Vec::new();
    for word in plain.split(' ').filter(|word| !word.is_empty()) {
        let tail = word.trim_end_matches(|letter: char| !letter.is_ascii_alphabetic());
        let head = word.trim_start_matches(|letter: char| !letter.is_ascii_alphabetic());
        let ends = !is_word(word);
        if is_word(word) || is_word(tail) {
            run.push(tail);
        } else if is_word(head) {
            run = vec![head];
            continue;
        }
        if ends {
            if run.len() >= 3 {
                break;
            }
            run.clear();
        }
    }
    (run.len() >= 3).then(|| run.join(" "))
}

fn is_chinese(lang: Lang, sentence: &str) -> Result<(), String> {
    let letters = sentence.chars().any(|letter| letter > '\u{2e80}');
    match english(sentence) {
        None if letters => Ok(()),
        _ => Err(format!("{lang}: {sentence}")),
    }
}

fn holds(checked: impl IntoIterator<Item = Result<(), String>>, least: usize) {
    let checked: Vec<_> = checked.into_iter().collect();
    assert!(checked.len() >= least, "only {} sentences were seen", checked.len());
    let mut wrong: Vec<String> = checked.into_iter().filter_map(Result::err).collect();
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn english_words_in_a_row_are_found_and_quoted_ones_are_not() {
    assert_eq!(english("这一行：the line is not JSON"), Some("the line is not".to_owned()));
    assert!(english("cannot read the file").is_some());
    assert!(english("无法读取 file: No such file or directory").is_some());
    for fine in [
        "键 `a b c d` 与 \"x yy zz\"",
        "“one two three”不是牌",
        "请写 fold、check、call、bet N",
        "用 --seed x",
    ] {
        assert_eq!(english(fine), None, "{fine}");
    }
}
