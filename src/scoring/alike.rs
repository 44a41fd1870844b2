//! Names in a results file that are probably meant to be the same: in another width, in other letters, with leading
//! zeros; and pairs that name a person twice.

use std::collections::{HashMap, HashSet};

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

/// Names seen so far, to find those that are alike: each kind with the first of it and where that stood.
#[derive(Clone, Debug)]
pub(crate) struct Kinds<T>(HashMap<String, (String, T)>);

impl<T> Default for Kinds<T> {
    fn default() -> Kinds<T> {
        Kinds(HashMap::new())
    }
}

impl<T: Clone> Kinds<T> {
    /// Takes a name in; answers the first one that is alike and not the same, with its place.
    pub(crate) fn add(&mut self, name: &str, at: T) -> Option<(String, T)> {
        let (first, place) = self.0.entry(folded(name)).or_insert_with(|| (name.to_owned(), at));
        (first != name).then(|| (first.clone(), place.clone()))
    }
}

/// Two names that are alike, and the lines where they first stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alike<'a> {
    pub first: String,
    pub first_line: u64,
    pub other: &'a str,
    pub line: u64,
}

/// Different names that are alike, each with the first of its kind, in the order of the lines.
pub(crate) fn alike<'a>(names: impl Iterator<Item = (&'a str, u64)>) -> Vec<Alike<'a>> {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut kinds = Kinds::default();
    let mut found = Vec::new();
    for (name, line) in names {
        if seen.insert(name)
            && let Some((first, first_line)) = kinds.add(name, line)
        {
            found.push(Alike { first, first_line, other: name, line });
        }
    }
    found
}

/// What is worth a look about a pair, with the place of the earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PairDoubt<T> {
    /// It names the same person twice.
    Same,
    /// The same two persons are a pair already, written in another way or the other way round.
    Again(T),
    /// A person of it, by the folded name, is in another pair already.
    Shared(T, String),
}

/// The pairs seen so far.
#[derive(Clone, Debug)]
pub(crate) struct Pairs<T> {
    known: HashMap<(String, String), (String, T)>,
    persons: HashMap<String, T>,
}

impl<T> Default for Pairs<T> {
    fn default() -> Pairs<T> {
        Pairs { known: HashMap::new(), persons: HashMap::new() }
    }
}

impl<T: Clone> Pairs<T> {
    /// Takes the pair of two persons in; `written` is the pair as it is written, by which the very same one is known.
    pub(crate) fn add(&mut self, written: &str, one: &str, other: &str, at: &T) -> Option<PairDoubt<T>> {
        let (one, other) = (folded(one), folded(other));
        if one == other {
            return Some(PairDoubt::Same);
        }
        let persons = if one < other { (one, other) } else { (other, one) };
        if let Some((first, place)) = self.known.get(&persons) {
            return (first != written).then(|| PairDoubt::Again(place.clone()));
        }
        let shared = [&persons.0, &persons.1].into_iter().find_map(|person| {
            self.persons.get(person).map(|place| PairDoubt::Shared(place.clone(), person.clone()))
        });
        for person in [&persons.0, &persons.1] {
            self.persons.entry(person.clone()).or_insert_with(|| at.clone());
        }
        self.known.insert(persons, (written.to_owned(), at.clone()));
        shared
    }
}

/// How the two names of a pair are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Apart {
    /// By a sign that stands in no name.
    Sign,
    /// By a hyphen or a dash, as the parts of one name may be.
    Dash,
    /// By a blank, as the parts of one name usually are.
    Blank,
}

impl Apart {
    const ALL: [Apart; 3] = [Apart::Sign, Apart::Dash, Apart::Blank];

    fn is(self, letter: char) -> bool {
        match self {
            Apart::Sign => ",，、/／&＆+＋".contains(letter),
            Apart::Dash => matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}'),
            Apart::Blank => letter.is_whitespace(),
        }
    }
}

/// The two names of a pair, and how they are kept apart: by the first of these that stands in the text.
fn pair(name: &str) -> Option<(&str, &str, Apart)> {
    let name = name.trim();
    let apart = Apart::ALL.into_iter().find(|apart| name.contains(|letter: char| apart.is(letter)))?;
    let split = |letter: char| apart.is(letter);
    let mut parts = name.split(split).filter(|part| apart != Apart::Blank || !part.is_empty());
    match (parts.next(), parts.next(), parts.next()) {
        (Some(one), Some(other), None) if !folded(one).is_empty() && !folded(other).is_empty() => {
            Some((one, other, apart))
        }
        _ => None,
    }
}

/// What is worth a look about pairs: one that names the same person twice, two of the same persons, a person in two pairs.
/// Of each kind the first is named. For the last every name must be a pair, of two names that are not kept apart by a
/// blank: first and family names often are, and many have the same.
pub(crate) fn pairs<'a>(entrants: impl Iterator<Item = &'a str> + Clone) -> Vec<Message> {
    let mut told = Vec::new();
    let (mut same, mut again, mut shared) = (None, None, None);
    let mut known = Pairs::default();
    let all = entrants.clone().all(|name| pair(name).is_some_and(|(_, _, apart)| apart < Apart::Blank));
    for name in entrants {
        let Some((one, other, _)) = pair(name) else { continue };
        match known.add(name, one, other, &name) {
            None => {}
            Some(PairDoubt::Same) => {
                same.get_or_insert(name);
            }
            Some(PairDoubt::Again(first)) => {
                again.get_or_insert((first, name));
            }
            Some(PairDoubt::Shared(first, person)) => {
                shared.get_or_insert((first, name, person));
            }
        }
    }
    if let Some(entrant) = same {
        told.push(message!("rank-note-pair-same", entrant));
    }
    if let Some((one, other)) = again {
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
        for sign in [" ", "-", "–", " - ", "&", " & ", "+", "/", "、"] {
            let of = |one: &str, other: &str| format!("{one}{sign}{other}");
            let turned = [of("王", "李"), of("李", "王"), of("张", "张")];
            let turned: Vec<&str> = turned.iter().map(String::as_str).collect();
            assert_eq!(ids(&turned), ["rank-note-pair-same", "rank-note-pair-turned"], "{sign:?}");
            let shared = [of("王", "李"), of("王", "张")];
            let shared: Vec<&str> = shared.iter().map(String::as_str).collect();
            let told = ids(&shared);
            // The parts of one name are kept apart by a blank, too.
            assert_eq!(told.is_empty(), sign == " ", "{sign:?} {told:?}");
        }
        assert_eq!(ids(&["John Smith", "Jane Smith", "Mary-Ann Lee", "Anna Maria Lee"]), [""; 0]);
        assert_eq!(ids(&["王 / 李", "王/李"]), ["rank-note-pair-turned"]);
    }
}
