//! Reads a plain results file (CSV with the columns `board,seat,entrant,score`) into an event.
//!
//! Strict on purpose: a file that is cut off, in the wrong encoding or contradicts itself is refused with **every**
//! fault and its line, and nothing of it is used. It knows bytes only, no file.

use std::collections::{BTreeMap, HashMap};

use super::entry::{Entry, Role, Status};
use super::event::{EntrantIx, Event};
use super::exact::{NumberFault, Score};
use super::rules::Rules;
use crate::words::{Message, is_hidden};

/// Most characters of a board, seat, entrant or table.
pub const NAME_MAX: usize = 200;
/// The largest `expected` that is accepted.
pub const EXPECTED_MAX: u32 = 1_000_000;

/// One thing that is wrong with a results file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line of the file, from 1, blank lines counted; `None` when the file as a whole is meant.
    pub line: Option<u64>,
    /// What is wrong and what to do.
    pub what: Message,
}

impl Fault {
    fn at(line: u64, what: Message) -> Fault {
        Fault { line: Some(line), what }
    }
}

/// One line of a results file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    line: u64,
    board: String,
    seat: String,
    entrant: String,
    expected: Option<u32>,
    entry: Entry,
}

/// Reads a results file into an event with the given rules.
///
/// # Errors
/// Every fault of the file, in the order of its lines.
pub fn read(bytes: &[u8], rules: Rules) -> Result<Event, Vec<Fault>> {
    let text = decode(bytes).map_err(|fault| vec![fault])?;
    let mut faults = Vec::new();
    let rows = rows(text, &mut faults)?;
    let event = fill(rows, rules, &mut faults);
    faults.sort_by_key(|fault| fault.line);
    if faults.is_empty() { Ok(event) } else { Err(faults) }
}

/// UTF-8 with or without byte order mark.
fn decode(bytes: &[u8]) -> Result<&str, Fault> {
    if bytes.is_empty() {
        return Err(Fault { line: None, what: Message::plain("rank-fault-empty") });
    }
    let utf16 = bytes.starts_with(&[0xff, 0xfe])
        || bytes.starts_with(&[0xfe, 0xff])
        || bytes.iter().take(4).any(|byte| *byte == 0);
    if utf16 {
        return Err(Fault::at(1, Message::plain("rank-fault-utf16")));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let before = bytes.get(..error.valid_up_to()).unwrap_or(&[]);
            let line = before.split(|byte| *byte == b'\n').count();
            Err(Fault::at(u64::try_from(line).unwrap_or(u64::MAX), Message::plain("rank-fault-not-utf8")))
        }
    }
}

/// Splits CSV into records (RFC 4180; CRLF, LF or CR end a line), each with the line it begins in.
struct Records<'a> {
    rest: &'a str,
    line: u64,
}

impl Records<'_> {
    /// The next record that is not a blank line.
    fn next(&mut self) -> Option<(u64, Result<Vec<String>, &'static str>)> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let begin = self.line;
            let record = self.record();
            if record
                .as_ref()
                .is_ok_and(|fields| matches!(fields.as_slice(), [only] if only.trim().is_empty()))
            {
                continue;
            }
            return Some((begin, record));
        }
    }

    fn record(&mut self) -> Result<Vec<String>, &'static str> {
        let mut fields = Vec::new();
        loop {
            let field = self.field()?;
            fields.push(field);
            if let Some(rest) = self.rest.strip_prefix(',') {
                self.rest = rest;
                continue;
            }
            self.end_line();
            return Ok(fields);
        }
    }

    fn end_line(&mut self) {
        let rest = self.rest.strip_prefix("\r\n").or_else(|| self.rest.strip_prefix(['\n', '\r']));
        if let Some(rest) = rest {
            self.rest = rest;
            self.line += 1;
        }
    }

    fn skip_line(&mut self) {
        let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
        self.rest = self.rest.get(end..).unwrap_or("");
        self.end_line();
    }

    /// One field; the rest then begins with a comma, a line end, or is empty.
    fn field(&mut self) -> Result<String, &'static str> {
        let blank = self.rest.len() - self.rest.trim_start_matches([' ', '\t']).len();
        let Some(quoted) = self.rest.get(blank..).and_then(|rest| rest.strip_prefix('"')) else {
            let end = self.rest.find([',', '\n', '\r']).unwrap_or(self.rest.len());
            let (field, rest) = self.rest.split_at(end);
            if field.contains('"') {
                self.skip_line();
                return Err("rank-fault-stray-quote");
            }
            self.rest = rest;
            return Ok(field.trim().to_owned());
        };
        self.rest = quoted;
        let mut value = String::new();
        loop {
            let Some(end) = self.rest.find('"') else {
                self.rest = "";
                return Err("rank-fault-open-quote");
            };
            let (part, rest) = self.rest.split_at(end);
            value.push_str(part);
            self.line += u64::try_from(part.matches('\n').count()).unwrap_or(0);
            self.rest = rest.get(1..).unwrap_or("");
            if let Some(rest) = self.rest.strip_prefix('"') {
                value.push('"');
                self.rest = rest;
                continue;
            }
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            if !(self.rest.is_empty() || self.rest.starts_with([',', '\n', '\r'])) {
                self.skip_line();
                return Err("rank-fault-stray-quote");
            }
            return Ok(value.trim().to_owned());
        }
    }
}

/// The columns of a results file.
const COLUMNS: [&str; 8] = ["board", "seat", "entrant", "score", "table", "expected", "status", "role"];
/// The ones that must be there.
const REQUIRED: usize = 4;

/// Which field of a line holds which column, in the order of [`COLUMNS`].
type Places = [Option<usize>; COLUMNS.len()];

fn header(line: u64, names: &[String]) -> Result<Places, Vec<Fault>> {
    let mut places: Places = [None; COLUMNS.len()];
    let mut faults = Vec::new();
    let mut guessed = Vec::new();
    if let [only] = names
        && let Some(separator) = [';', '\t', '|'].into_iter().find(|separator| only.contains(*separator))
    {
        let separator = if separator == '\t' { "TAB".to_owned() } else { separator.to_string() };
        return Err(vec![Fault::at(
            line,
            Message::plain("rank-fault-separator").with("separator", separator),
        )]);
    }
    for (index, name) in names.iter().enumerate() {
        let known = COLUMNS.iter().position(|column| column == name);
        let slot = known.and_then(|known| places.get_mut(known));
        let what = match slot {
            Some(slot @ None) => {
                *slot = Some(index);
                continue;
            }
            Some(Some(_)) => Message::plain("rank-fault-column-twice").with("column", quote(name)),
            None if name.is_empty() => Message::plain("rank-fault-unnamed-column").with("number", index + 1),
            None => {
                let nearest = nearest(name, COLUMNS.into_iter());
                guessed.push(nearest);
                Message::plain("rank-fault-unknown-column")
                    .with("column", quote(name))
                    .with("nearest", nearest)
            }
        };
        faults.push(Fault::at(line, what));
    }
    for (column, place) in COLUMNS.iter().zip(&places).take(REQUIRED) {
        // A misspelt column is one fault, not two.
        if place.is_none() && !guessed.contains(column) {
            faults.push(Fault::at(
                line,
                Message::plain("rank-fault-missing-column").with("column", quote(column)),
            ));
        }
    }
    if faults.is_empty() { Ok(places) } else { Err(faults) }
}

/// The known name that a mistyped one most resembles.
pub(crate) fn nearest<'a>(given: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    let lower = given.to_lowercase();
    known.min_by_key(|name| strsim::damerau_levenshtein(&lower, &name.to_lowercase())).unwrap_or("")
}

/// A text of the file as it is shown in a fault: short, on one line.
fn quote(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { '·' } else { c }).take(40).collect();
    format!("`{plain}`")
}

fn rows(text: &str, faults: &mut Vec<Fault>) -> Result<Vec<Row>, Vec<Fault>> {
    let mut records = Records { rest: text, line: 1 };
    let (line, names) = match records.next() {
        None => return Err(vec![Fault { line: None, what: Message::plain("rank-fault-empty") }]),
        Some((line, Err(id))) => return Err(vec![Fault::at(line, Message::plain(id))]),
        Some((line, Ok(names))) => (line, names),
    };
    let places = header(line, &names)?;
    let mut rows = Vec::new();
    let mut any = false;
    while let Some((line, record)) = records.next() {
        any = true;
        let fields = match record {
            Ok(fields) => fields,
            Err(id) => {
                faults.push(Fault::at(line, Message::plain(id)));
                continue;
            }
        };
        if fields.len() != names.len() {
            let what =
                Message::plain("rank-fault-fields").with("found", fields.len()).with("wanted", names.len());
            faults.push(Fault::at(line, what));
            continue;
        }
        match row(line, &places, &fields) {
            Ok(row) => rows.push(row),
            Err(wrong) => faults.extend(wrong.into_iter().map(|what| Fault::at(line, what))),
        }
    }
    if !any {
        faults.push(Fault { line: None, what: Message::plain("rank-fault-no-results") });
    }
    Ok(rows)
}

fn row(line: u64, places: &Places, fields: &[String]) -> Result<Row, Vec<Message>> {
    let [board, seat, entrant, score, table, expected, status, role] =
        places.map(|place| place.and_then(|place| fields.get(place)).map_or("", String::as_str));
    let mut faults = Vec::new();
    if fields.iter().any(|field| field.contains(is_hidden)) {
        faults.push(Message::plain("rank-fault-control"));
        return Err(faults);
    }
    for (column, name, required) in
        [("board", board, true), ("seat", seat, true), ("entrant", entrant, true), ("table", table, false)]
    {
        if required && name.is_empty() {
            faults.push(Message::plain("rank-fault-blank").with("column", column));
        } else if name.chars().count() > NAME_MAX {
            faults.push(Message::plain("rank-fault-long").with("column", column).with("limit", NAME_MAX));
        }
    }
    let became = match status {
        "" => Some(Status::Played),
        text => text.replace('\u{2212}', "-").parse::<Status>().ok(),
    };
    if became.is_none() {
        let nearest = nearest(status, Status::ALL.iter().map(|status| status.id()));
        faults.push(Message::plain("rank-fault-status").with("text", quote(status)).with("nearest", nearest));
    }
    let points = if score.is_empty() { Ok(None) } else { score.parse::<Score>().map(Some) };
    match &points {
        Ok(None) if became == Some(Status::Played) => faults.push(Message::plain("rank-fault-no-score")),
        Ok(_) => {}
        Err(fault) => faults.push(Message::plain(score_fault(*fault)).with("text", quote(score))),
    }
    let awaited = match expected {
        "" => Ok(None),
        text => text.parse::<u32>().map(Some),
    };
    if !awaited.as_ref().is_ok_and(|value| value.is_none_or(|value| (1..=EXPECTED_MAX).contains(&value))) {
        faults.push(Message::plain("rank-fault-expected").with("text", quote(expected)));
    }
    let side = match role {
        "" => Ok(None),
        text => text.parse::<Role>().map(Some),
    };
    if side.is_err() {
        faults.push(Message::plain("rank-fault-role").with("text", quote(role)));
    }
    let (Some(status), Ok(score), Ok(expected), Ok(role), true) =
        (became, points, awaited, side, faults.is_empty())
    else {
        return Err(faults);
    };
    let mut entry = Entry { status, score, more: None };
    if !table.is_empty() {
        entry = entry.at_table(table);
    }
    if let Some(role) = role {
        entry = entry.in_role(role);
    }
    let name = str::to_owned;
    Ok(Row { line, board: name(board), seat: name(seat), entrant: name(entrant), expected, entry })
}

const fn score_fault(fault: NumberFault) -> &'static str {
    match fault {
        NumberFault::NotFinite => "rank-fault-score-not-finite",
        NumberFault::Exponent => "rank-fault-score-exponent",
        NumberFault::TooLong => "rank-fault-score-too-long",
        NumberFault::NotANumber | NumberFault::ZeroDenominator => "rank-fault-score",
    }
}

/// What the lines of one group agree on.
struct Awaited {
    line: u64,
    expected: u32,
    actual: u32,
}

fn fill(rows: Vec<Row>, rules: Rules, faults: &mut Vec<Fault>) -> Event {
    let mut event = Event::new(rules);
    let mut seen: HashMap<(&str, &str, &str), u64> = HashMap::with_capacity(rows.len());
    let mut twice = vec![false; rows.len()];
    for (row, twice) in rows.iter().zip(&mut twice) {
        let first = *seen.entry((&row.board, &row.seat, &row.entrant)).or_insert(row.line);
        if first != row.line {
            *twice = true;
            let what = Message::plain("rank-fault-twice")
                .with("entrant", quote(&row.entrant))
                .with("board", quote(&row.board))
                .with("seat", quote(&row.seat))
                .with("line", first);
            faults.push(Fault::at(row.line, what));
        }
    }
    drop(seen);
    expectations(&rows, faults);
    let mut groups: BTreeMap<(String, String), Vec<(EntrantIx, Entry)>> = BTreeMap::new();
    for (row, twice) in rows.into_iter().zip(twice) {
        if twice {
            continue;
        }
        if row.expected.is_some() {
            event.expect(&row.board, &row.seat, row.expected);
        }
        let entrant = event.register(&row.entrant);
        groups.entry((row.board, row.seat)).or_default().push((entrant, row.entry));
    }
    for ((board, seat), results) in groups {
        // Everything that could be refused has been checked above.
        let added = event.add_group(&board, &seat, results);
        debug_assert_eq!(added, Ok(()));
    }
    event
}

/// The lines of a group must agree about `expected`, and cannot expect fewer results than there are.
fn expectations(rows: &[Row], faults: &mut Vec<Fault>) {
    let mut groups: HashMap<(&str, &str), Awaited> = HashMap::new();
    for row in rows {
        let Some(expected) = row.expected else { continue };
        let group =
            groups.entry((&row.board, &row.seat)).or_insert(Awaited { line: row.line, expected, actual: 0 });
        if group.expected != expected {
            let what = Message::plain("rank-fault-expected-differs")
                .with("text", expected)
                .with("other", group.expected)
                .with("line", group.line);
            faults.push(Fault::at(row.line, what));
        }
    }
    for row in rows.iter().filter(|row| row.entry.is_compared()) {
        if let Some(group) = groups.get_mut(&(row.board.as_str(), row.seat.as_str())) {
            group.actual = group.actual.saturating_add(1);
        }
    }
    for ((board, seat), group) in groups {
        if group.actual > group.expected {
            let what = Message::plain("rank-fault-expected-low")
                .with("text", group.expected)
                .with("board", quote(board))
                .with("seat", quote(seat))
                .with("actual", group.actual);
            faults.push(Fault::at(group.line, what));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Found = (Option<u64>, &'static str);

    fn faults(text: &str) -> Vec<Found> {
        match read(text.as_bytes(), Rules::default()) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.into_iter().map(|fault| (fault.line, fault.what.id)).collect(),
        }
    }

    #[test]
    fn quoting_blanks_bom_and_every_line_end_are_read() {
        let text = "\u{feff}entrant , score,board,\"seat\"\r\n\"赵, 一\", -0.5 ,1,A\n\n\"a \"\"b\"\"\",+6,1,A\r=x,6,1,A";
        let event = read(text.as_bytes(), Rules::default()).unwrap();
        for (entrant, score) in [("赵, 一", "-0.5"), ("a \"b\"", "6"), ("=x", "6")] {
            assert_eq!(event.get("1", "A", entrant).unwrap().score.as_ref().unwrap().to_string(), score);
        }
    }

    #[test]
    fn each_fault_is_found_once_with_its_line() {
        let head = "board,seat,entrant,score";
        let cases: [(&str, &[Found]); 20] = [
            ("", &[(None, "rank-fault-empty")]),
            ("\n\r\n", &[(None, "rank-fault-empty")]),
            ("H\n", &[(None, "rank-fault-no-results")]),
            ("H\n1,A,x,6\n1,A,y", &[(Some(3), "rank-fault-fields")]),
            ("H\n1,A,x,6\n\n1,A,\"y,6\n", &[(Some(4), "rank-fault-open-quote")]),
            ("H\n1,A,x\"y,6\n", &[(Some(2), "rank-fault-stray-quote")]),
            (
                "H\n1,A,\"x\"y,6\n1,A,z,NaN\n",
                &[(Some(2), "rank-fault-stray-quote"), (Some(3), "rank-fault-score-not-finite")],
            ),
            ("board,seat,entrant,scroe\n1,A,x,6\n", &[(Some(1), "rank-fault-unknown-column")]),
            ("board,seat,entrant\n1,A,x\n", &[(Some(1), "rank-fault-missing-column")]),
            ("board,seat,entrant,score,seat\n1,A,x,6,A\n", &[(Some(1), "rank-fault-column-twice")]),
            ("board;seat;entrant;score\n1;A;x;6\n", &[(Some(1), "rank-fault-separator")]),
            ("board,seat,entrant,score,\n1,A,x,6,\n", &[(Some(1), "rank-fault-unnamed-column")]),
            ("H\n1,A,x,6\n1,A,x,6\n", &[(Some(3), "rank-fault-twice")]),
            (
                "H\n1,A,x,1e400\n,A,y,\n",
                &[
                    (Some(2), "rank-fault-score-exponent"),
                    (Some(3), "rank-fault-blank"),
                    (Some(3), "rank-fault-no-score"),
                ],
            ),
            ("H,status\n1,A,x,,absnt\n", &[(Some(2), "rank-fault-status")]),
            ("H,expected\n1,A,x,6,0\n", &[(Some(2), "rank-fault-expected")]),
            ("H,expected\n1,A,x,6,3\n1,A,y,6,4\n", &[(Some(3), "rank-fault-expected-differs")]),
            ("H,expected\n1,A,x,6,1\n1,A,y,6,\n", &[(Some(2), "rank-fault-expected-low")]),
            ("H,role\n1,A,x,6,bunker\n", &[(Some(2), "rank-fault-role")]),
            (
                "H\n1,A,\"x\ny\",6\n1,A,z,\u{221e}\n",
                &[(Some(2), "rank-fault-control"), (Some(4), "rank-fault-score-not-finite")],
            ),
        ];
        for (text, wanted) in cases {
            assert_eq!(faults(&text.replace('H', head)), wanted, "{text:?}");
        }
    }

    #[test]
    fn the_wrong_encoding_is_named_with_its_line() {
        let refused = |bytes: &[u8]| {
            let fault = read(bytes, Rules::default()).err().unwrap().remove(0);
            (fault.line, fault.what.id)
        };
        let utf16: Vec<u8> = "board,seat".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(refused(&utf16), (Some(1), "rank-fault-utf16"));
        assert_eq!(refused(&[&[0xff, 0xfe][..], &utf16].concat()), (Some(1), "rank-fault-utf16"));
        let gb = b"board,seat,entrant,score\n1,A,x,6\n1,A,\xd5\xd4,6\n";
        assert_eq!(refused(gb), (Some(3), "rank-fault-not-utf8"));
    }

    #[test]
    fn a_long_list_of_faults_comes_in_the_order_of_lines() {
        let text = "board,seat,entrant,score\n1,A,x,6\n1,A,x,6\n1,A,y,?\n1,A,x,6\n";
        let lines: Vec<_> = faults(text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [Some(3), Some(4), Some(5)]);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes, Rules::default());
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "(board,seat,entrant,score,status\n)?[0-9A-C,\"\n\r赵 .+e=-]{0,80}") {
            if let Ok(mut event) = read(text.as_bytes(), Rules::default()) {
                event.settle();
            }
        }
    }
}
