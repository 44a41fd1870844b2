//! Entries: single ones and lists, checked before they are stored. Identity is an id, never a name: equal names are
//! pointed out, never merged.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::dealing::is_id;
use crate::delimited::{self, Encoding, Limits, Refusal, Rows};
use crate::event::archive::EntrantRow;
use crate::event::called::JOINED;
use crate::games::Fault;
use crate::games::rulesets::not_known;
use crate::players::{self, Levels};
use crate::scoring::alike::{Kinds, PairDoubt, Pairs};
use crate::words::{Lang, Message, is_name, message, say};

/// The most lines of a list.
const LINES_MAX: usize = 10_000;
/// The largest list: the entries and their heading.
const LIMITS: Limits = Limits { bytes: 16 << 20, rows: LINES_MAX + 1, fields: Limits::FIELDS };
/// The columns of a list.
const COLUMNS: [&str; 7] = ["id", "number", "name", "partner", "club", "region", "level"];
/// The largest number of an entrant: larger ones are no numbers on a list.
const NUMBER_MAX: i64 = 99_999;

/// An entry as somebody gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Identifier; absent: one is made.
    pub id: Option<String>,
    /// The number, which the entrant keeps; absent: the next one.
    pub number: Option<i64>,
    /// The name.
    pub name: String,
    /// The partner's name, in pairs.
    pub partner: Option<String>,
    /// The club; it tells those apart whose names are equal.
    pub club: Option<String>,
    /// The region; it tells those apart whose names are equal.
    pub region: Option<String>,
    /// The AI level that plays; absent: a person.
    pub level: Option<String>,
}

/// What is corrected about an entrant: names that were written wrong, a club, a region. What is absent stays. It can be
/// corrected at any time, as nothing rests on it: draws, journals and results name ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The name, of a pair that of the first.
    pub name: Option<String>,
    /// The partner's name, in pairs.
    pub partner: Option<String>,
    /// The club; empty: none.
    pub club: Option<String>,
    /// The region; empty: none.
    pub region: Option<String>,
}

/// What is wrong with a club or a region.
fn origin_fault(text: Option<&String>, code: &'static str, told: Message) -> Option<Fault> {
    text.filter(|text| !text.is_empty() && !plain(text)).map(|_| Fault::new(code, told))
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
    /// What is worth a look: equal names, names that are alike, pairs of the same persons.
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

    /// What is wrong with the names of an entrant.
    fn name_faults(&self, name: &str, partner: Option<&str>, person: bool) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut fault = |code: &'static str, text: Message| faults.push(Fault::new(code, text));
        if !plain(name) {
            fault("bad_name", message!("entry-name"));
        }
        match (partner, self.pairs) {
            (Some(partner), true) if !plain(partner) => {
                fault("bad_name", message!("entry-partner"));
            }
            (Some(partner), true) if name.contains(JOINED) || partner.contains(JOINED) => {
                fault("bad_name", message!("entry-joined"));
            }
            (None, true) if person => {
                fault("no_partner", message!("entry-no-partner"));
            }
            (Some(_), false) => fault("no_pairs", message!("entry-no-pairs")),
            _ => {}
        }
        faults
    }

    /// An entrant as corrected; only names, club and region differ.
    ///
    /// # Errors
    /// Everything that is wrong with the correction.
    pub fn correct(&self, row: &EntrantRow, correction: &Correction) -> Result<EntrantRow, Vec<Fault>> {
        let person = row.level.is_none();
        let known = if self.pairs { row.name.split_once(JOINED) } else { None };
        let (first, second) = known.map_or((row.name.as_str(), None), |(one, other)| (one, Some(other)));
        let name = correction.name.as_deref().unwrap_or(first);
        let partner = correction.partner.as_deref().or(second);
        let mut faults = self.name_faults(name, partner, person);
        faults.extend(origin_fault(correction.club.as_ref(), "bad_club", message!("entry-club")));
        faults.extend(origin_fault(correction.region.as_ref(), "bad_region", message!("entry-region")));
        if !faults.is_empty() {
            return Err(faults);
        }
        let joined = partner.map_or_else(|| name.to_owned(), |partner| format!("{name}{JOINED}{partner}"));
        let origin = |new: &Option<String>, old: &Option<String>| match new {
            None => old.clone(),
            Some(text) => (!text.is_empty()).then(|| text.clone()),
        };
        Ok(EntrantRow {
            name: joined,
            club: origin(&correction.club, &row.club),
            region: origin(&correction.region, &row.region),
            ..row.clone()
        })
    }

    /// Checks one entry; `taken` are ids, `numbers` the numbers of the same list, `position` is the number of an entry
    /// that has none of its own.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn check<G: Levels>(
        &self,
        entry: &Entry,
        position: i64,
        taken: &BTreeSet<String>,
        numbers: &BTreeSet<i64>,
    ) -> Result<EntrantRow, Vec<Fault>> {
        let mut faults = self.name_faults(&entry.name, entry.partner.as_deref(), entry.level.is_none());
        faults.extend(origin_fault(entry.club.as_ref(), "bad_club", message!("entry-club")));
        faults.extend(origin_fault(entry.region.as_ref(), "bad_region", message!("entry-region")));
        let mut fault = |code: &'static str, text: Message| faults.push(Fault::new(code, text));
        let position = entry.number.unwrap_or(position);
        if !(1..=NUMBER_MAX).contains(&position) {
            fault("bad_number", message!("entry-number", most = NUMBER_MAX));
        } else if numbers.contains(&position) || self.known.iter().any(|row| row.position == position) {
            fault("number_taken", message!("entry-number-taken", number = position));
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
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let (club, region) = (given(&entry.club), given(&entry.region));
        Ok(EntrantRow { event_id: self.event.to_owned(), id, position, name, level, club, region })
    }

    /// What is worth a look about the name of an entrant beside the others that have entered: a name that is alike, a pair
    /// of the same person twice, of the same two persons as another, or with a person of another. Equal names are
    /// [`Desk::namesakes`].
    #[must_use]
    pub fn lookalikes(&self, entrant: &EntrantRow) -> Vec<(&'static str, Message)> {
        let mut seen = Likenesses::of(self.known.iter().filter(|row| row.id != entrant.id), self.pairs);
        seen.add(&entrant.name, self.pairs)
    }

    /// Whether somebody of that name has entered already.
    #[must_use]
    pub fn namesakes(&self, name: &str) -> Vec<&str> {
        self.known.iter().filter(|row| row.name == name).map(|row| row.id.as_str()).collect()
    }

    /// The next number.
    #[must_use]
    pub fn next(&self) -> i64 {
        self.known.iter().map(|row| row.position).max().unwrap_or(0).saturating_add(1)
    }

    /// Reads a list: CSV with a heading of `id`, `number`, `name`, `partner`, `club`, `region`, `level` in any order, `name`
    /// obligatory; entries without a number follow the largest one in the order of the list. The columns are separated
    /// by commas, semicolons or tabs, or by what a line `sep=…` before the heading says. An encoding that was guessed is
    /// pointed out.
    #[must_use]
    pub fn read<G: Levels>(&self, text: &str, encoding: Encoding) -> List {
        let mut list = List::default();
        list.flagged.extend(encoding.doubt().map(|told| RowNote::new(1, "encoding", told)));
        let mut rows = match Rows::of(text, LIMITS) {
            Ok(rows) => rows,
            Err(fault) => {
                list.unreadable(&fault);
                return list;
            }
        };
        let columns = match rows.next().transpose() {
            Ok(heading) => columns(heading.as_ref(), &mut list.wrong),
            Err(fault) => {
                list.unreadable(&fault);
                return list;
            }
        };
        if !list.wrong.is_empty() {
            return list;
        }
        let likenesses = Likenesses::of(self.known.iter(), self.pairs);
        let mut seen = Seen { next: self.next(), likenesses, ..Seen::default() };
        for row in rows {
            match row {
                Ok(row) if row.width() > columns.len() => {
                    list.note(row.line, "too_many_fields", message!("entry-fields"));
                }
                Ok(row) => self.row::<G>(&row, &columns, &mut list, &mut seen),
                Err(fault) => list.unreadable(&fault),
            }
        }
        list.entries.sort_by_key(|row| row.position);
        if list.wrong.is_empty() && list.entries.is_empty() {
            list.note(1, "empty", message!("entry-empty"));
        }
        list
    }

    fn row<G: Levels>(&self, given: &delimited::Row, columns: &[&str], list: &mut List, seen: &mut Seen) {
        let line = given.line;
        let field = |name: &str| {
            let place = columns.iter().position(|column| *column == name)?;
            given.field(place).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let number = field("number");
        let entry = Entry {
            id: field("id"),
            // What is no number is refused like one that cannot be.
            number: number.map(|text| text.parse().unwrap_or(0)),
            name: field("name").unwrap_or_default(),
            partner: field("partner"),
            club: field("club"),
            region: field("region"),
            level: field("level"),
        };
        match self.check::<G>(&entry, seen.next, &seen.ids, &seen.numbers) {
            Ok(row) => {
                let known = self.namesakes(&row.name);
                if let Some(earlier) = seen.names.get(&row.name) {
                    list.flag(line, "same_name", message!("entry-same-line", earlier));
                } else if let Some(id) = known.first() {
                    list.flag(line, "same_name", message!("entry-same-name", id));
                }
                for (code, told) in seen.likenesses.add(&row.name, self.pairs) {
                    list.flag(line, code, told);
                }
                seen.names.entry(row.name.clone()).or_insert(line);
                seen.ids.insert(row.id.clone());
                seen.numbers.insert(row.position);
                seen.next = seen.next.max(row.position.saturating_add(1));
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

/// What a list has used so far.
#[derive(Default)]
struct Seen {
    ids: BTreeSet<String>,
    numbers: BTreeSet<i64>,
    /// The line on which each name stood first.
    names: BTreeMap<String, u64>,
    /// The number of the next entry that has none of its own.
    next: i64,
    /// Names that others are compared with.
    likenesses: Likenesses,
}

/// The names of entrants, to find those that are alike and pairs of the same persons.
#[derive(Default)]
struct Likenesses {
    names: Kinds<()>,
    pairs: Pairs<String>,
}

impl Likenesses {
    fn of<'a>(rows: impl Iterator<Item = &'a EntrantRow>, pairs: bool) -> Likenesses {
        let mut all = Likenesses::default();
        for row in rows {
            all.add(&row.name, pairs);
        }
        all
    }

    /// Takes an entrant in; answers what is worth a look about it, with its code.
    fn add(&mut self, name: &str, pairs: bool) -> Vec<(&'static str, Message)> {
        let mut told = Vec::new();
        if let Some((other, ())) = self.names.add(name, ()) {
            told.push(("alike", message!("entry-alike", other)));
        }
        let persons = if pairs { name.split_once(JOINED) } else { None };
        let doubt = persons.and_then(|(one, other)| self.pairs.add(name, one, other, &name.to_owned()));
        match doubt {
            // Two names of the same persons in the same order are alike, which has been said.
            Some(PairDoubt::Again(_)) if !told.is_empty() => {}
            Some(PairDoubt::Same) => told.push(("pair_same", message!("entry-pair-same"))),
            Some(PairDoubt::Again(other)) => told.push(("pair_turned", message!("entry-pair-turned", other))),
            Some(PairDoubt::Shared(other, person)) => {
                told.push(("pair_shared", message!("entry-pair-shared", person, other)));
            }
            None => {}
        }
        told
    }
}

impl List {
    fn note(&mut self, line: u64, code: &str, message: Message) {
        self.wrong.push(RowNote::new(line, code, message));
    }

    /// What the reader of CSV refuses.
    fn unreadable(&mut self, fault: &delimited::Fault) {
        match fault.what {
            Refusal::Rows(_) => {
                self.note(fault.line, "too_many", message!("entry-too-many", lines_max = LINES_MAX));
            }
            _ => self.note(fault.line, "bad_csv", fault.message()),
        }
    }

    fn flag(&mut self, line: u64, code: &str, message: Message) {
        self.flagged.push(RowNote::new(line, code, message));
    }
}

/// The columns of a heading.
fn columns(heading: Option<&delimited::Row>, wrong: &mut Vec<RowNote>) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    let line = heading.map_or(1, |heading| heading.line);
    let mut note = |code: &str, message: Message| wrong.push(RowNote::new(line, code, message));
    for header in heading.iter().flat_map(|heading| heading.fields()) {
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
            club: None,
            region: None,
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
        let (text, encoding) = delimited::decode(b"name\n\xcd\xf5\xb7\xbc\n").unwrap();
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
    fn club_region_and_the_numbers_of_the_sheet_are_kept() {
        let list = read("number,name,club,region\n7,王芳,飞牌社,陕西\n,王芳,,\n3,张伟,, \n", false);
        assert_eq!(list.wrong, []);
        let rows: Vec<_> = list
            .entries
            .iter()
            .map(|row| (row.position, row.name.as_str(), row.club.as_deref(), row.region.as_deref()))
            .collect();
        let expected =
            [(3, "张伟", None, None), (7, "王芳", Some("飞牌社"), Some("陕西")), (8, "王芳", None, None)];
        assert_eq!(rows, expected);
        let list = read("number,name\n1,A\n0,B\nx,C\n5,D\n5,E\n", false);
        let found: Vec<_> = list.wrong.iter().map(|note| (note.line, note.code.as_str())).collect();
        assert_eq!(found, [(2, "number_taken"), (3, "bad_number"), (4, "bad_number"), (6, "number_taken")]);
        let long = "长".repeat(101);
        let list = read(&format!("name,club,region\nA,{long},{long}\n"), false);
        assert_eq!(
            list.wrong.iter().map(|note| note.code.as_str()).collect::<Vec<_>>(),
            ["bad_club", "bad_region"]
        );
    }

    #[test]
    fn a_correction_changes_names_club_and_region_and_nothing_else() {
        let row =
            EntrantRow {
                name: "王芳 / 李娜".to_owned(), club: Some("一队".to_owned()), ..known().remove(0)
            };
        let desk = Desk { event: "x", pairs: true, known: &[], announced: None };
        let change = |name: Option<&str>, partner: Option<&str>, club: Option<&str>| Correction {
            name: name.map(str::to_owned),
            partner: partner.map(str::to_owned),
            club: club.map(str::to_owned),
            region: None,
        };
        let corrected = desk.correct(&row, &change(None, Some("李娜娜"), None)).unwrap();
        assert_eq!(corrected, EntrantRow { name: "王芳 / 李娜娜".to_owned(), ..row.clone() });
        let corrected = desk.correct(&row, &change(Some("王方"), None, Some(""))).unwrap();
        assert_eq!(corrected, EntrantRow { name: "王方 / 李娜".to_owned(), club: None, ..row.clone() });
        assert_eq!(desk.correct(&row, &Correction::default()).unwrap(), row);
        assert_eq!(desk.correct(&row, &change(Some(""), None, None)).unwrap_err()[0].code, "bad_name");
        let alone = Desk { pairs: false, ..desk };
        let row = EntrantRow { name: "A / B".to_owned(), ..row };
        assert_eq!(alone.correct(&row, &change(Some("A"), None, None)).unwrap().name, "A");
        assert_eq!(alone.correct(&row, &change(None, Some("B"), None)).unwrap_err()[0].code, "no_pairs");
    }

    #[test]
    fn after_the_announcement_only_announced_levels_can_enter() {
        let levels = vec!["random".to_owned()];
        let desk = Desk { event: "x", pairs: false, known: &[], announced: Some(&levels) };
        let entry =
            |level: &str| Entry { name: "A".to_owned(), level: Some(level.to_owned()), ..Entry::default() };
        assert!(desk.check::<Wakeng>(&entry("random"), 1, &BTreeSet::new(), &BTreeSet::new()).is_ok());
        let other = Wakeng::DEFAULT_LEVEL;
        let faults = desk.check::<Wakeng>(&entry(other), 1, &BTreeSet::new(), &BTreeSet::new()).unwrap_err();
        assert_eq!(faults[0].code, "level_not_announced");
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "(name|id|number|club|level|partner|[,;\t\n\"a0 \u{feff}é])*") {
            let list = read(&text, false);
            prop_assert!(!list.wrong.is_empty() || !list.entries.is_empty());
        }
    }
}
