//! Entries: single ones and lists, checked before they are stored. Identity is an id, never a name: equal names are
//! pointed out, never merged.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::archive::EntrantRow;
use crate::dealing::is_id;
use crate::games::Fault;
use crate::games::rulesets::not_known;
use crate::players::{self, Levels};
use crate::words::{Encoding, Lang, Message, Part, is_name, message, say, separator_line};

/// The most lines of a list.
const LINES_MAX: usize = 10_000;
/// The columns of a list.
/// What stands between the two names of a pair.
pub const JOINED: &str = " / ";

const COLUMNS: [&str; 4] = ["id", "name", "partner", "level"];

/// An entry as somebody gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Identifier; absent: one is made.
    pub id: Option<String>,
    /// The name.
    pub name: String,
    /// The partner's name, in pairs.
    pub partner: Option<String>,
    /// The AI level that plays; absent: a person.
    pub level: Option<String>,
}

/// What is wrong, or worth a look, on a line of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowNote {
    /// The line of the file, from 1, the heading included.
    pub line: u64,
    /// Stable code.
    pub code: String,
    /// What is wrong and what to do, in English unless [`RowNote::in_lang`] put it into another language.
    pub message: String,
    /// The same for a reader of any language.
    #[serde(skip)]
    pub told: Message,
}

impl RowNote {
    fn new(line: u64, code: &str, told: Message) -> RowNote {
        RowNote { line, code: code.to_owned(), message: say(Lang::En, &told), told }
    }

    /// The note as it is shown in a language.
    #[must_use]
    pub fn in_lang(mut self, lang: Lang) -> RowNote {
        self.message = say(lang, &self.told);
        self
    }
}

/// A list that has been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The entries in order, if nothing is wrong.
    pub entries: Vec<EntrantRow>,
    /// Everything that is wrong.
    pub wrong: Vec<RowNote>,
    /// What is worth a look: equal names.
    pub flagged: Vec<RowNote>,
}

/// What entries are checked against.
#[derive(Debug)]
pub struct Desk<'a> {
    /// The event's id.
    pub event: &'a str,
    /// Whether entrants are pairs.
    pub pairs: bool,
    /// The entrants so far, in order.
    pub known: &'a [EntrantRow],
    /// The announced AI levels, if the event is announced: others can be entered no more.
    pub announced: Option<&'a [String]>,
}

fn plain(text: &str) -> bool {
    is_name(text, 100)
}

impl Desk<'_> {
    /// A free id for the entrant at a position.
    fn fresh_id(&self, position: i64, taken: &BTreeSet<String>) -> String {
        // Fewer ids are taken than there are numbers left.
        (position..i64::MAX)
            .map(|number| format!("e{number:03}"))
            .find(|id| !taken.contains(id) && self.known.iter().all(|row| row.id != *id))
            .unwrap_or_default()
    }

    /// Checks one entry; `taken` are ids of the same list.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn check<G: Levels>(
        &self,
        entry: &Entry,
        position: i64,
        taken: &BTreeSet<String>,
    ) -> Result<EntrantRow, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut fault = |code: &'static str, text: Message| faults.push(Fault::new(code, text));
        if !plain(&entry.name) {
            fault("bad_name", message!("entry-name"));
        }
        match (&entry.partner, self.pairs) {
            (Some(partner), true) if !plain(partner) => {
                fault("bad_name", message!("entry-partner"));
            }
            (Some(partner), true) if entry.name.contains(JOINED) || partner.contains(JOINED) => {
                fault("bad_name", message!("entry-joined"));
            }
            (None, true) if entry.level.is_none() => {
                fault("no_partner", message!("entry-no-partner"));
            }
            (Some(_), false) => fault("no_pairs", message!("entry-no-pairs")),
            _ => {}
        }
        if let Some(id) = &entry.id {
            if !is_id(id) {
                fault("bad_id", message!("draft-id"));
            } else if taken.contains(id) || self.known.iter().any(|row| row.id == *id) {
                fault("id_taken", message!("entry-taken", id));
            }
        }
        let level = match entry.level.as_deref().map(players::find::<G>) {
            None => None,
            Some(Ok(level)) => Some(level.info().name.to_owned()),
            Some(Err(wrong)) => {
                fault(wrong.code, wrong.told);
                None
            }
        };
        if let (Some(level), Some(announced)) = (&level, self.announced)
            && !announced.contains(level)
        {
            let known: Vec<&str> = announced.iter().map(String::as_str).collect();
            fault(
                "level_not_announced",
                message!("entry-level", level, unknown = not_known("level", level, &known)),
            );
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let name = match &entry.partner {
            Some(partner) => format!("{}{JOINED}{partner}", entry.name),
            None => entry.name.clone(),
        };
        let id = entry.id.clone().unwrap_or_else(|| self.fresh_id(position, taken));
        Ok(EntrantRow { event_id: self.event.to_owned(), id, position, name, level })
    }

    /// Whether somebody of that name has entered already.
    #[must_use]
    pub fn namesakes(&self, name: &str) -> Vec<&str> {
        self.known.iter().filter(|row| row.name == name).map(|row| row.id.as_str()).collect()
    }

    /// The next position.
    #[must_use]
    pub fn next(&self) -> i64 {
        self.known.iter().map(|row| row.position).max().unwrap_or(0).saturating_add(1)
    }

    /// Reads a list: CSV with a heading of `id`, `name`, `partner`, `level` in any order, `name` obligatory; separated
    /// by commas, semicolons or tabs, or by what a line `sep=…` before the heading says. An encoding that was guessed is
    /// pointed out.
    #[must_use]
    pub fn read<G: Levels>(&self, text: &str, encoding: Encoding) -> List {
        let mut list = List::default();
        list.flagged.extend(encoding.doubt().map(|told| RowNote::new(1, "encoding", told)));
        let (told, text, skipped) = match separator_line(text) {
            Some((separator, rest)) => (u8::try_from(separator).ok(), rest, 1),
            None => (None, text, 0),
        };
        let heading = text.lines().next().unwrap_or_default();
        let found = || [b'\t', b';'].into_iter().find(|one| heading.as_bytes().contains(one));
        let delimiter = told.or_else(found).unwrap_or(b',');
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let columns = match reader.headers() {
            Ok(headers) => columns(headers, &mut list.wrong),
            Err(error) => {
                list.note(1, "bad_csv", unreadable(&error));
                return list;
            }
        };
        if !list.wrong.is_empty() {
            return list;
        }
        let mut taken = BTreeSet::new();
        let mut names: BTreeMap<String, u64> = BTreeMap::new();
        for (count, record) in reader.records().enumerate() {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    let line = skipped + error.position().map_or(0, csv::Position::line);
                    list.note(line, "bad_csv", unreadable(&error));
                    continue;
                }
            };
            let line = skipped + record.position().map_or(0, csv::Position::line);
            if count >= LINES_MAX {
                list.note(line, "too_many", message!("entry-too-many", lines_max = LINES_MAX));
                break;
            }
            if record.iter().all(str::is_empty) {
                continue;
            }
            if record.len() > columns.len() {
                list.note(line, "too_many_fields", message!("entry-fields"));
                continue;
            }
            self.row::<G>(&record, &columns, line, &mut list, &mut taken, &mut names);
        }
        if list.wrong.is_empty() && list.entries.is_empty() {
            list.note(1, "empty", message!("entry-empty"));
        }
        list
    }

    fn row<G: Levels>(
        &self,
        record: &csv::StringRecord,
        columns: &[&str],
        line: u64,
        list: &mut List,
        taken: &mut BTreeSet<String>,
        names: &mut BTreeMap<String, u64>,
    ) {
        let field = |name: &str| {
            let place = columns.iter().position(|column| *column == name)?;
            record.get(place).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let entry = Entry {
            id: field("id"),
            name: field("name").unwrap_or_default(),
            partner: field("partner"),
            level: field("level"),
        };
        let position = self.next().saturating_add(i64::try_from(list.entries.len()).unwrap_or(0));
        match self.check::<G>(&entry, position, taken) {
            Ok(row) => {
                let known = self.namesakes(&row.name);
                if let Some(earlier) = names.get(&row.name) {
                    list.flag(line, message!("entry-same-line", earlier));
                } else if let Some(id) = known.first() {
                    list.flag(line, message!("entry-same-name", id));
                }
                names.entry(row.name.clone()).or_insert(line);
                taken.insert(row.id.clone());
                list.entries.push(row);
            }
            Err(faults) => {
                for fault in faults {
                    list.note(line, fault.code, fault.told);
                }
            }
        }
    }
}

impl List {
    fn note(&mut self, line: u64, code: &str, message: Message) {
        self.wrong.push(RowNote::new(line, code, message));
    }

    fn flag(&mut self, line: u64, message: Message) {
        self.flagged.push(RowNote::new(line, "same_name", message));
    }
}

/// What the reader of CSV says, on one line.
fn unreadable(error: &csv::Error) -> Message {
    let text = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    message!("verbatim", text = Part::Library(text, message!("entry-unreadable")))
}

/// The columns of a heading.
fn columns(headers: &csv::StringRecord, wrong: &mut Vec<RowNote>) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    let mut note = |code: &str, message: Message| wrong.push(RowNote::new(1, code, message));
    for header in headers {
        let header = header.to_ascii_lowercase();
        match COLUMNS.into_iter().find(|column| *column == header) {
            Some(column) if found.contains(&column) => {
                note("bad_heading", message!("entry-column-twice", column));
            }
            Some(column) => found.push(column),
            None => note("bad_heading", not_known("column", &header, &COLUMNS)),
        }
    }
    if !found.contains(&"name") {
        note("bad_heading", message!("entry-no-name"));
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::wakeng::Wakeng;

    fn known() -> Vec<EntrantRow> {
        vec![EntrantRow {
            event_id: "x".to_owned(),
            id: "e001".to_owned(),
            position: 1,
            name: "李伟".to_owned(),
            level: None,
        }]
    }

    fn read(text: &str, pairs: bool) -> List {
        let known = known();
        Desk { event: "x", pairs, known: &known, announced: None }.read::<Wakeng>(text, Encoding::Utf8)
    }

    #[test]
    fn a_list_is_read_and_equal_names_are_pointed_out_but_never_merged() {
        let list = read("name,level,id\n李伟,,\n王芳,random,w1\n王芳,,\n\n", false);
        assert_eq!(list.wrong, []);
        let ids: Vec<_> = list.entries.iter().map(|row| (row.id.as_str(), row.position)).collect();
        assert_eq!(ids, [("e002", 2), ("w1", 3), ("e004", 4)]);
        let lines: Vec<_> = list.flagged.iter().map(|note| note.line).collect();
        assert_eq!(lines, [2, 4]);
        let list = read("id;name;partner\n;A;B\n", true);
        assert_eq!(list.entries[0].name, "A / B");
    }

    #[test]
    fn a_list_for_spreadsheets_and_one_in_a_guessed_encoding_are_read() {
        let list = read("sep=;\nname;id\n;\n王芳;w1\n;;\nB;a b\n", false);
        assert_eq!(
            list.wrong.iter().map(|note| (note.line, note.code.as_str())).collect::<Vec<_>>(),
            [(6, "bad_id")]
        );
        let list = read("sep=,\nname,id\n,\n王芳,w1\n", false);
        assert_eq!((list.entries.len(), list.wrong), (1, vec![]));
        let (text, encoding) = crate::words::decode(b"name\n\xcd\xf5\xb7\xbc\n").unwrap();
        let list =
            Desk { event: "x", pairs: false, known: &[], announced: None }.read::<Wakeng>(&text, encoding);
        assert_eq!(list.entries[0].name, "王芳");
        assert_eq!(list.flagged.iter().map(|note| note.code.as_str()).collect::<Vec<_>>(), ["encoding"]);
    }

    #[test]
    fn every_wrong_line_is_listed() {
        let list = read("name,id,level\n,a,\nB,a b,\nC,e001,\nD,d,\nE,d,\nF,,levle\nG,,,,\n", false);
        let found: Vec<_> = list.wrong.iter().map(|note| (note.line, note.code.as_str())).collect();
        assert_eq!(
            found,
            [
                (2, "bad_name"),
                (3, "bad_id"),
                (4, "id_taken"),
                (6, "id_taken"),
                (7, "unknown_level"),
                (8, "too_many_fields")
            ]
        );
        assert!(read("nmae,id\n", false).wrong[0].message.contains("did you mean `name`"));
        assert_eq!(read("name\n", false).wrong[0].code, "empty");
        assert_eq!(read("", false).wrong[0].code, "bad_heading");
        assert_eq!(read("name,partner\nA,\n", true).wrong[0].code, "no_partner");
        assert_eq!(read("name,partner\nA,B\n", false).wrong[0].code, "no_pairs");
        for two_in_one in ["A / B,C", "A,B / C"] {
            assert_eq!(read(&format!("name,partner\n{two_in_one}\n"), true).wrong[0].code, "bad_name");
        }
        assert_eq!(read("name,partner\nA/B,C\n", true).wrong, []);
    }

    #[test]
    fn after_the_announcement_only_announced_levels_can_enter() {
        let levels = vec!["random".to_owned()];
        let desk = Desk { event: "x", pairs: false, known: &[], announced: Some(&levels) };
        let entry =
            |level: &str| Entry { name: "A".to_owned(), level: Some(level.to_owned()), ..Entry::default() };
        assert!(desk.check::<Wakeng>(&entry("random"), 1, &BTreeSet::new()).is_ok());
        let other = Wakeng::DEFAULT_LEVEL;
        let faults = desk.check::<Wakeng>(&entry(other), 1, &BTreeSet::new()).unwrap_err();
        assert_eq!(faults[0].code, "level_not_announced");
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "(name|id|level|partner|[,;\t\n\"a0 \u{feff}é])*") {
            let list = read(&text, false);
            prop_assert!(!list.wrong.is_empty() || !list.entries.is_empty());
        }
    }
}
