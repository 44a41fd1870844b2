//! Words and names that are taken for one another: what somebody mistyped, and what looks like something else.
//!
//! Nothing is changed or refused here; texts are only compared.

use unicode_normalization::UnicodeNormalization as _;

/// Letters of other scripts, and digits, that look like a Latin letter. Which letter it looks like depends on the case, so
/// that they are looked up before letters are made small.
const CONFUSABLE: [(char, &str); 25] = [
    ('a', "аАαΑɑ"),
    ('b', "вВΒ"),
    ('c', "сСϲϹ"),
    ('d', "ԁ"),
    ('e', "еЕεΕёЁ"),
    ('f', "ϝ"),
    ('g', "ɡԍ"),
    ('h', "нНһΗ"),
    ('j', "јЈϳ"),
    ('k', "кКκΚ"),
    ('l', "iI1|ıӀіІїЇιΙlӏ"),
    ('m', "мМΜϺ"),
    ('n', "ηΝпո"),
    ('o', "0оОοΟσօ"),
    ('p', "рРρΡ"),
    ('q', "ԛԚ"),
    ('r', "гᴦ"),
    ('s', "ѕЅ"),
    ('t', "тТτΤ"),
    ('u', "υսμ"),
    ('v', "νѵѴ"),
    ('w', "ԝԜωш"),
    ('x', "хХχΧ"),
    ('y', "уУγΥүҮ"),
    ('z', "Ζ"),
];

/// What is left of a name when everything is taken away in which names that look alike may differ: compatible characters
/// are made one (NFKD, without accents), letters of other scripts and digits become the Latin letter that they look like,
/// capitals small, and only letters and digits stay. Two names that look alike have the same skeleton.
#[must_use]
pub fn skeleton(name: &str) -> String {
    let latin = |letter: char| {
        CONFUSABLE.iter().find(|(_, like)| like.contains(letter)).map_or(letter, |(latin, _)| *latin)
    };
    name.nfkd()
        .map(latin)
        .flat_map(char::to_lowercase)
        .map(latin)
        .filter(|letter| letter.is_alphanumeric())
        .collect()
}

/// The longest word that is compared with known ones, in characters.
const WORD_MAX: usize = 100;
/// The fewest letters of a beginning that says which word was meant.
const BEGINNING: usize = 3;

/// A word as somebody types it: compatible characters made one (NFKC), every dash a hyphen, small, no blanks at the ends.
fn typed(word: &str) -> String {
    let dash = |letter: char| match letter {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => '-',
        other => other,
    };
    let word: String = word.chars().take(WORD_MAX).nfkc().map(dash).flat_map(char::to_lowercase).collect();
    word.trim().to_owned()
}

/// The known word that is nearest to a mistyped one, if any is near: the same but for width, capitals, dashes and blanks;
/// else one that begins with it; else the one with the fewest letters to change, less than half of them.
#[must_use]
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = typed(word);
    let length = word.chars().count();
    known
        .iter()
        .filter_map(|candidate| {
            let other = typed(candidate);
            let size = other.chars().count();
            let distance = strsim::damerau_levenshtein(&word, &other);
            let begins = length >= BEGINNING && other.starts_with(&word);
            let near = distance <= 1 + size / 3 && distance * 2 <= length.max(size);
            (begins || near).then_some(((distance > 0, !begins, distance), *candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        for (one, other) in [
            ("wakeng-bomb", "wakeng\u{2011}bomb"),
            ("wakeng-bomb", "Wakeng-Bomb"),
            ("wakeng-bomb", "ｗａｋｅｎｇ－ｂｏｍｂ"),
            ("wakeng-bomb", "wakeng-bоmb"),
            ("wakeng-bomb", "wakeng–bomb"),
            ("wakeng-bomb", "wakeng_bomb"),
            ("wakeng-bomb", "wakeng bomb"),
            ("wakeng-bomb", "wakeng-b0mb"),
            ("wakeng-bomb", "wákeng-bömb"),
            ("wakeng-bomb", "ԜАКΕNG-ВΟМВ"),
            ("tda-2011", "TDA 20l1"),
            ("H1", "Η1"),
            ("炸弹规则", "「炸弹规则」"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
        }
        for (one, other) in
            [("wakeng-bomb", "wakeng-bombs"), ("H1", "H2"), ("tda-2011", "tda-2024"), ("炸弹规则", "炸弹")]
        {
            assert_ne!(skeleton(one), skeleton(other), "{one} {other}");
        }
        assert_eq!(skeleton("— ! —"), "");
    }

    #[test]
    fn the_nearest_word_is_the_one_that_was_meant() {
        let statuses =
            ["played", "not-played", "absent", "disqualified", "withdrawn", "A+", "A", "A-", "void"];
        for (word, near) in [
            ("absnet", Some("absent")),
            ("Played", Some("played")),
            ("ＡＢＳＥＮＴ", Some("absent")),
            ("a+", Some("A+")),
            ("A\u{2013}", Some("A-")),
            ("A−", Some("A-")),
            ("disqualify", Some("disqualified")),
            ("with", Some("withdrawn")),
            ("", None),
            ("  ", None),
            ("x", None),
            ("dnf", None),
            ("bye", None),
        ] {
            assert_eq!(nearest(word, &statuses), near, "{word:?}");
        }
        let columns = ["board", "seat", "entrant", "score", "table", "status", "standing"];
        for (word, near) in [
            ("stat", Some("status")),
            ("stand", Some("standing")),
            ("seet", Some("seat")),
            ("scroe", Some("score")),
        ] {
            assert_eq!(nearest(word, &columns), near, "{word}");
        }
        assert_eq!(nearest("王大明", &["王小明", "李小红"]), Some("王小明"));
        assert_eq!(nearest(&"x".repeat(10_000), &columns), None);
    }
}
