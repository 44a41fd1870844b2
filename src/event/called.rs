//! What people call the entrants. A name never identifies anybody: where several have the same one, something beside it
//! tells them apart. Every page, file and log that names people asks here.

/// What stands between the two names of a pair.
pub const JOINED: &str = " / ";

use std::collections::BTreeMap;

use crate::formats::settings::Entrant;

/// Where an entrant's number stands beside the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbered {
    /// Beside every name: at the desk and in what is ruled, where a name is called out in the hall.
    Always,
    /// Beside equal names only: in results.
    WhereEqual,
}

/// What the entrants are called, by id: no two of them the same.
#[must_use]
pub fn called(entrants: &[Entrant], numbered: Numbered) -> BTreeMap<String, String> {
    let mut count: BTreeMap<&str, u32> = BTreeMap::new();
    for entrant in entrants {
        *count.entry(entrant.name.as_str()).or_default() += 1;
    }
    let called = |entrant: &Entrant| {
        let mut name = entrant.name.clone();
        if numbered == Numbered::Always || count.get(name.as_str()).is_some_and(|count| *count > 1) {
            name = format!("{name} ({})", entrant.number);
            // Somebody else may really be called that.
            while numbered == Numbered::WhereEqual && count.contains_key(name.as_str()) {
                name = format!("{name} ({})", entrant.number);
            }
        }
        name
    };
    entrants.iter().map(|entrant| (entrant.id.clone(), called(entrant))).collect()
}

/// One person of an entrant of so many; one that gave a single name is called by it at every seat.
#[must_use]
pub fn person(name: &str, size: usize, member: usize) -> &str {
    if size == 1 { name } else { name.split(JOINED).nth(member).unwrap_or(name) }
}

/// One person of an entrant that is called so: what stands beside the entrant's own name stands beside the person's.
#[must_use]
pub fn person_called(person: &str, entrant: &Entrant, called: &str) -> String {
    format!("{person}{}", called.strip_prefix(entrant.name.as_str()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrants(names: &[&str]) -> Vec<Entrant> {
        let entrant = |(number, name): (u32, &&str)| Entrant {
            id: format!("e{number}"),
            number,
            name: (*name).to_owned(),
            ..Entrant::default()
        };
        (1..).zip(names).map(entrant).collect()
    }

    #[test]
    fn each_person_of_a_pair_has_a_name() {
        assert_eq!((person("王芳 / 李娜", 2, 0), person("王芳 / 李娜", 2, 1)), ("王芳", "李娜"));
        assert_eq!((person("电脑队", 2, 0), person("电脑队", 2, 1)), ("电脑队", "电脑队"));
        assert_eq!(person("王芳 / 李娜", 1, 0), "王芳 / 李娜");
    }

    #[test]
    fn equal_names_are_told_apart_also_from_names_that_look_like_it() {
        let entrants = entrants(&["李娜", "李娜", "李娜 (2)", "张伟", "李娜 (2)"]);
        let names = |numbered| called(&entrants, numbered).into_values().collect::<Vec<_>>();
        let results = names(Numbered::WhereEqual);
        assert_eq!(results, ["李娜 (1)", "李娜 (2) (2)", "李娜 (2) (3)", "张伟", "李娜 (2) (5)"]);
        let desk = names(Numbered::Always);
        assert_eq!(desk, ["李娜 (1)", "李娜 (2)", "李娜 (2) (3)", "张伟 (4)", "李娜 (2) (5)"]);
    }

    #[test]
    fn a_person_of_a_pair_keeps_what_tells_the_pair_apart() {
        let entrants = entrants(&["王芳 / 李娜", "王芳 / 李娜"]);
        let names = called(&entrants, Numbered::WhereEqual);
        let person = person_called(person(&entrants[1].name, 2, 1), &entrants[1], &names["e2"]);
        assert_eq!(person, "李娜 (2)");
    }
}
