//! Names in a results file that are probably meant to be the same: in another width, in other letters, with leading
//! zeros; and pairs that name a person twice.

use std::collections::{BTreeMap, HashMap, HashSet};

use unicode_normalization::UnicodeNormalization as _;

use crate::words::{Message, message};

/// The form in which names are alike: compatible characters made one (NFKC), small letters, no blanks, no leading zeros.
#[must_use]
pub(crate) fn folded(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    let mut zeros = 0_usize;
    let mut in_number = false;
    let letters = name.nfkc().flat_map(char::to_lowercase).filter(|letter| !letter.is_whitespace());
    for letter in letters.nfkc() {
        if letter == '0' && !in_number {
            zeros += 1;
            continue;
        }
        if zeros > 0 && !letter.is_ascii_digit() {
            folded.push('0');
        }
        zeros = 0;
        in_number = letter.is_ascii_digit();
        folded.push(letter);
    }
    if zeros > 0 {
        folded.push('0');
    }
    folded
}

/// Two names that are alike, and the lines where they first stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alike<'a> {
    pub first: &'a str,
    pub first_line: u64,
    pub other: &'a str,
    pub line: u64,
}

/// Different names that are alike, each with the first of its kind, in the order of the lines.
pub(crate) fn alike<'a>(names: impl Iterator<Item = (&'a str, u64)>) -> Vec<Alike<'a>> {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut kinds: HashMap<String, (&str, u64)> = HashMap::new();
    let mut found = Vec::new();
    for (name, line) in names {
        if !seen.insert(name) {
            continue;
        }
        let (first, first_line) = *kinds.entry(folded(name)).or_insert((name, line));
        if first != name {
            found.push(Alike { first, first_line, other: name, line });
        }
    }
    found
}

/// What stands between the two names of a pair.
const BETWEEN: [char; 9] = [',', '，', '、', '/', '／', '&', '＆', '+', '＋'];

/// The two names of a pair in their folded form.
fn pair(name: &str) -> Option<(String, String)> {
    let mut parts = name.split(BETWEEN).map(folded);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(one), Some(other), None) if !one.is_empty() && !other.is_empty() => Some((one, other)),
        _ => None,
    }
}

/// What is worth a look about pairs: one that names the same person twice, two of the same persons, a person in two pairs.
/// Of each kind the first is named. Every name must be a pair for the last, and several must.
pub(crate) fn pairs<'a>(entrants: impl Iterator<Item = &'a str> + Clone) -> Vec<Message> {
    let mut told = Vec::new();
    let (mut same, mut turned, mut shared) = (None, None, None);
    let mut known: HashMap<(String, String), &str> = HashMap::new();
    let mut of_person: BTreeMap<String, &str> = BTreeMap::new();
    let all = entrants.clone().all(|name| pair(name).is_some());
    for name in entrants {
        let Some((one, other)) = pair(name) else { continue };
        if one == other {
            same.get_or_insert(name);
            continue;
        }
        if let Some(first) = known.get(&(other.clone(), one.clone())) {
            turned.get_or_insert((*first, name));
        } else {
            for person in [&one, &other] {
                if let Some(first) = of_person.get(person) {
                    shared.get_or_insert((*first, name, person.clone()));
                } else {
                    of_person.insert(person.clone(), name);
                }
            }
        }
        known.entry((one, other)).or_insert(name);
    }
    if let Some(entrant) = same {
        told.push(message!("rank-note-pair-same", entrant));
    }
    if let Some((one, other)) = turned {
        told.push(message!("rank-note-pair-turned", one, other));
    }
    if let (true, Some((one, other, person))) = (all, shared) {
        told.push(message!("rank-note-pair-shared", one, other, person));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_letters_and_leading_zeros_are_folded_and_nothing_else() {
        for (one, other) in [
            ("A", "Ａ"),
            ("a", "A"),
            ("1", "01"),
            ("1", "１"),
            ("B007", "b 7"),
            ("0", "00"),
            ("10", "010"),
            ("ﬁ", "FI"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
        }
        for (one, other) in [("1", "10"), ("A", "B"), ("0", ""), ("101", "11"), ("1-0", "1-"), ("王", "李")]
        {
            assert_ne!(folded(one), folded(other), "{one} {other}");
        }
    }

    #[test]
    fn pairs_of_the_same_persons_are_found() {
        let ids = |names: &[&str]| -> Vec<&'static str> {
            pairs(names.iter().copied()).iter().map(|message| message.id).collect()
        };
        assert_eq!(ids(&["王,李", "李，王"]), ["rank-note-pair-turned"]);
        assert_eq!(ids(&["王/王", "李/张"]), ["rank-note-pair-same"]);
        assert_eq!(ids(&["王,李", "王,张"]), ["rank-note-pair-shared"]);
        assert_eq!(ids(&["王,李", "张,赵", "王"]), [""; 0]);
        assert_eq!(ids(&["王,李", "王,张", "赵"]), [""; 0]);
    }
}
