//! Reads a plain results file (CSV with the columns `board,seat,entrant,score`) into an event.
//!
//! Strict on purpose: a file that is cut off, in the wrong encoding or contradicts itself is refused with **every**
//! fault and its line, and nothing of it is used. It knows bytes only, no file.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::alike::{alike, pairs};
use super::clauses;
use super::entry::{Entry, Role, Ruling, Standing, Status};
use super::event::{EntrantIx, Event};
use super::exact::{NumberFault, Score};
use super::rules::Rules;
use super::team;
use crate::delimited::{self, Limits, Rows, decode};
use crate::words::{Message, is_hidden, nearest};

/// Most characters of a board, seat, entrant or table.
pub const NAME_MAX: usize = 200;
/// The largest `expected` that is accepted.
pub const EXPECTED_MAX: u32 = 1_000_000;
/// The largest results file: every one that a program can be given.
const LIMITS: Limits = Limits { bytes: 1 << 30, rows: 1 << 26, fields: Limits::FIELDS };

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

impl From<delimited::Fault> for Fault {
    fn from(fault: delimited::Fault) -> Fault {
        Fault::at(fault.line, fault.message())
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
    standing: Option<Standing>,
    /// Whether the board counts for nobody.
    void: bool,
    /// `None`: the line says that there is such an entrant, and no more.
    entry: Option<Entry>,
}

impl Row {
    fn is_compared(&self) -> bool {
        self.entry.as_ref().is_some_and(Entry::is_compared)
    }
}

/// Reads a results file into an event with the given rules.
///
/// # Errors
/// Every fault of the file, in the order of its lines.
pub fn read(bytes: &[u8], rules: Rules) -> Result<Event, Vec<Fault>> {
    if bytes.is_empty() {
        return Err(vec![Fault { line: None, what: Message::plain("rank-fault-empty") }]);
    }
    let (text, encoding) = decode(bytes).map_err(|fault| vec![fault.into()])?;
    let mut faults = Vec::new();
    let rows = rows(&text, &mut faults)?;
    let mut event = fill(rows, rules, &mut faults);
    faults.sort_by_key(|fault| fault.line);
    if !faults.is_empty() {
        return Err(faults);
    }
    event.doubts.splice(0..0, encoding.doubt());
    Ok(event)
}

/// The columns of a results file.
pub(crate) const COLUMNS: [&str; 13] = [
    "board", "seat", "entrant", "score", "table", "expected", "status", "role", "standing", "ruling",
    "outcomes", "penalty", "void",
];
/// What the column `void` says of a board that counts for nobody.
pub(crate) const VOID: &str = "yes";
/// The ones that must be there.
const REQUIRED: usize = 4;

/// Which field of a line holds which column, in the order of [`COLUMNS`].
type Places = [Option<usize>; COLUMNS.len()];

fn header(heading: &delimited::Row) -> Result<Places, Vec<Fault>> {
    let mut places: Places = [None; COLUMNS.len()];
    let mut faults = Vec::new();
    let mut guessed = Vec::new();
    let line = heading.line;
    for (index, name) in heading.fields().enumerate() {
        let known = COLUMNS.iter().position(|column| *column == name);
        let slot = known.and_then(|known| places.get_mut(known));
        let what = match slot {
            Some(slot @ None) => {
                *slot = Some(index);
                continue;
            }
            Some(Some(_)) => Message::plain("rank-fault-column-twice").with("column", quote(name)),
            None if name.is_empty() => Message::plain("rank-fault-unnamed-column").with("number", index + 1),
            None => match nearest(name, &COLUMNS) {
                Some(nearest) => {
                    guessed.push(nearest);
                    Message::plain("rank-fault-unknown-column")
                        .with("column", quote(name))
                        .with("nearest", nearest)
                }
                None => Message::plain("rank-fault-no-such-column")
                    .with("column", quote(name))
                    .with("known", COLUMNS.join(", ")),
            },
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

/// A text of the file as it is shown in a fault: short, on one line.
fn quote(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { '·' } else { c }).take(40).collect();
    format!("`{plain}`")
}

fn rows(text: &str, faults: &mut Vec<Fault>) -> Result<Vec<Row>, Vec<Fault>> {
    let mut all = Rows::of(text, LIMITS).map_err(|fault| vec![fault.into()])?;
    let heading = match all.next() {
        None => return Err(vec![Fault { line: None, what: Message::plain("rank-fault-empty") }]),
        Some(heading) => heading.map_err(|fault| vec![fault.into()])?,
    };
    let places = header(&heading)?;
    let wanted = heading.width();
    let mut rows = Vec::new();
    let mut any = false;
    for next in all {
        any = true;
        let fields = match next {
            Ok(fields) => fields,
            Err(fault) => {
                faults.push(fault.into());
                continue;
            }
        };
        let found = fields.width();
        if found != wanted {
            let what = Message::plain("rank-fault-fields").with("found", found).with("wanted", wanted);
            faults.push(Fault::at(fields.line, what));
            continue;
        }
        match row(&places, &fields) {
            Ok(row) => rows.push(row),
            Err(wrong) => faults.extend(wrong.into_iter().map(|what| Fault::at(fields.line, what))),
        }
    }
    if !any {
        faults.push(Fault { line: None, what: Message::plain("rank-fault-no-results") });
    }
    Ok(rows)
}

fn row(places: &Places, fields: &delimited::Row) -> Result<Row, Vec<Message>> {
    let [
        board,
        seat,
        entrant,
        score,
        table,
        expected,
        status,
        role,
        standing,
        ruling,
        outcomes,
        penalty,
        void,
    ] = places.map(|place| place.and_then(|place| fields.field(place)).unwrap_or(""));
    let mut faults = Vec::new();
    if fields.fields().any(|field| field.contains(is_hidden)) {
        faults.push(Message::plain("rank-fault-control"));
        return Err(faults);
    }
    // A line with nothing but a standing says that there is such an entrant.
    let alone = !standing.is_empty()
        && [board, seat, score, table, expected, status, role, ruling, outcomes, penalty, void]
            .iter()
            .all(|field| field.is_empty());
    let names = [
        ("board", board, !alone),
        ("seat", seat, !alone),
        ("entrant", entrant, true),
        ("table", table, false),
        ("ruling", ruling, false),
    ];
    faults.extend(names.into_iter().filter_map(name_fault));
    let status = status_of(status, &mut faults);
    let standing = standing_of(standing, &mut faults);
    let weighted = clauses::outcomes(outcomes);
    if weighted.is_none() {
        faults.push(Message::plain("rank-fault-outcomes").with("text", quote(outcomes)));
    }
    let penalties = clauses::penalties(penalty);
    if penalties.is_none() {
        faults.push(Message::plain("rank-fault-penalty").with("text", quote(penalty)));
    }
    let wanted = match (outcomes, status) {
        ("", Some(Status::Played)) if !alone => Wanted::Yes,
        ("", _) => Wanted::Perhaps,
        _ => Wanted::No,
    };
    let score = score_of(score, wanted, &mut faults);
    let expected = expected_of(expected, &mut faults);
    if !["", VOID].contains(&void) {
        faults.push(Message::plain("rank-fault-void").with("text", quote(void)));
    }
    let side = match role {
        "" => Ok(None),
        text => text.parse::<Role>().map(Some),
    };
    if side.is_err() {
        faults.push(Message::plain("rank-fault-role").with("text", quote(role)));
    }
    let (Some(status), Ok(role), Some(weighted), Some(penalties), true) =
        (status, side, weighted, penalties, faults.is_empty())
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
    if !ruling.is_empty() || !weighted.is_empty() {
        let id = if ruling.is_empty() { clauses::NO_RULING } else { ruling };
        entry = entry.ruled(Ruling { id: id.to_owned(), weighted });
    }
    for penalty in penalties {
        entry = entry.penalised(penalty);
    }
    if !alone && let Err(fault) = entry.check() {
        return Err(vec![fault.message()]);
    }
    let name = str::to_owned;
    Ok(Row {
        line: fields.line,
        board: name(board),
        seat: name(seat),
        entrant: name(entrant),
        expected,
        standing,
        void: void == VOID,
        entry: (!alone).then_some(entry),
    })
}

/// What is wrong with a column that names something.
fn name_fault((column, name, required): (&'static str, &str, bool)) -> Option<Message> {
    if required && name.is_empty() {
        Some(Message::plain("rank-fault-blank").with("column", column))
    } else if name.chars().count() > NAME_MAX {
        Some(Message::plain("rank-fault-long").with("column", column).with("limit", NAME_MAX))
    } else {
        None
    }
}

fn status_of(text: &str, faults: &mut Vec<Message>) -> Option<Status> {
    let status = match text {
        "" => Some(Status::Played),
        text => text.replace('\u{2212}', "-").parse().ok(),
    };
    if status.is_none() {
        let ids = ("rank-fault-status", "rank-fault-no-such-status");
        faults.push(unknown_word(ids.0, ids.1, text, Status::ALL, Status::id));
    }
    status
}

fn standing_of(text: &str, faults: &mut Vec<Message>) -> Option<Standing> {
    let standing = text.parse().ok();
    if standing.is_none() && !text.is_empty() {
        let ids = ("rank-fault-standing", "rank-fault-no-such-standing");
        faults.push(unknown_word(ids.0, ids.1, text, Standing::ALL, Standing::id));
    }
    standing
}

/// Whether a row needs a score.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Yes,
    Perhaps,
    /// Its outcomes say it.
    No,
}

fn score_of(text: &str, wanted: Wanted, faults: &mut Vec<Message>) -> Option<Score> {
    if text.is_empty() {
        if wanted == Wanted::Yes {
            faults.push(Message::plain("rank-fault-no-score"));
        }
        return None;
    }
    match text.parse() {
        Ok(score) if wanted != Wanted::No => return Some(score),
        Ok(_) => faults.push(Message::plain("rank-fault-score-and-outcomes")),
        Err(fault) => faults.push(Message::plain(score_fault(fault)).with("text", quote(text))),
    }
    None
}

fn expected_of(text: &str, faults: &mut Vec<Message>) -> Option<u32> {
    let expected = text.parse().ok().filter(|expected| (1..=EXPECTED_MAX).contains(expected));
    if expected.is_none() && !text.is_empty() {
        faults.push(Message::plain("rank-fault-expected").with("text", quote(text)));
    }
    expected
}

/// The fault of a word that is none of a list: with the nearest, or with all of them.
fn unknown_word<T: Copy>(
    near: &'static str,
    none: &'static str,
    given: &str,
    all: &[T],
    id: fn(T) -> &'static str,
) -> Message {
    let known: Vec<&str> = all.iter().map(|one| id(*one)).collect();
    if let Some(nearest) = nearest(given, &known) {
        Message::plain(near).with("text", quote(given)).with("nearest", nearest)
    } else {
        Message::plain(none).with("text", quote(given)).with("known", known.join(", "))
    }
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
    let teams = rules.method.is_teams();
    let twice = twice(&rows, faults);
    expectations(&rows, faults);
    spellings(&rows, faults);
    standings(&rows, faults);
    penalties(&rows, &rules, faults);
    let mut event = Event::new(rules);
    doubts(&rows, &mut event);
    let mut groups: BTreeMap<(String, String), Vec<(EntrantIx, Entry)>> = BTreeMap::new();
    let mut of_teams: BTreeMap<String, Teams> = BTreeMap::new();
    for (row, twice) in rows.into_iter().zip(twice) {
        if let Some(standing) = row.standing {
            event.set_standing(&row.entrant, standing);
        }
        let entrant = event.register(&row.entrant);
        if row.void {
            event.set_void(&row.board, true);
        }
        let Some(entry) = row.entry.filter(|_| !twice) else { continue };
        if teams {
            let seats = of_teams.entry(row.board).or_default().entry(entrant).or_default();
            seats.push((row.line, row.seat, entry));
            continue;
        }
        if row.expected.is_some() {
            event.expect(&row.board, &row.seat, row.expected);
        }
        groups.entry((row.board, row.seat)).or_default().push((entrant, entry));
    }
    for (board, teams) in of_teams {
        let results = together(&event, &board, teams, faults);
        groups.insert((board, team::SEAT.to_owned()), results);
    }
    for ((board, seat), results) in groups {
        // Everything that could be refused has been checked above.
        let added = event.add_group(&board, &seat, results);
        debug_assert!(added.is_ok() || !faults.is_empty(), "{added:?}");
    }
    event
}

/// The results of each team on one board: line, seat, result.
type Teams = BTreeMap<EntrantIx, Vec<(u64, String, Entry)>>;

/// Puts the seats of each team together. A team has a result in every seat of the board, each at another table.
fn together(event: &Event, board: &str, teams: Teams, faults: &mut Vec<Fault>) -> Vec<(EntrantIx, Entry)> {
    let all: BTreeSet<String> = teams.values().flatten().map(|(_, seat, _)| seat.clone()).collect();
    let mut results = Vec::with_capacity(teams.len());
    for (entrant, rows) in teams {
        let line = rows.first().map_or(0, |(line, ..)| *line);
        let name = quote(event.entrants.get(entrant.index()).map_or("", |known| known.id.as_str()));
        let mut fault = |line: u64, what: Message| {
            faults.push(Fault::at(line, what.with("team", &name).with("board", quote(board))));
        };
        for seat in all.iter().filter(|seat| rows.iter().all(|(_, own, _)| own != *seat)) {
            fault(line, Message::plain("rank-fault-team-seat").with("seat", quote(seat)));
        }
        let mut tables: HashMap<String, u64> = HashMap::new();
        for (line, _, entry) in &rows {
            let Some(table) = entry.table() else { continue };
            if let Some(first) = tables.insert(table.to_owned(), *line) {
                let what = Message::plain("rank-fault-team-table").with("table", quote(table));
                fault(*line, what.with("line", first));
            }
        }
        let seats = rows.into_iter().map(|(_, seat, entry)| (seat, entry)).collect();
        match team::together(seats) {
            Ok(entry) => results.push((entrant, entry)),
            Err(team::TooManySums) => {
                fault(line, Message::plain("rank-fault-team-sums").with("limit", team::SUMS_MAX));
            }
        }
    }
    results
}

/// Which lines repeat an earlier one: one entrant has one result on a board in a seat.
fn twice(rows: &[Row], faults: &mut Vec<Fault>) -> Vec<bool> {
    let mut seen: HashMap<(&str, &str, &str), u64> = HashMap::with_capacity(rows.len());
    let mut twice = Vec::with_capacity(rows.len());
    for row in rows {
        let first = *seen.entry((&row.board, &row.seat, &row.entrant)).or_insert(row.line);
        twice.push(first != row.line);
        if first != row.line && row.entry.is_some() {
            let what = Message::plain("rank-fault-twice")
                .with("entrant", quote(&row.entrant))
                .with("board", quote(&row.board))
                .with("seat", quote(&row.seat))
                .with("line", first);
            faults.push(Fault::at(row.line, what));
        }
    }
    twice
}

/// Boards and seats that differ only in width, letters or leading zeros would silently be compared with nobody.
fn spellings(rows: &[Row], faults: &mut Vec<Fault>) {
    let results = || rows.iter().filter(|row| row.entry.is_some());
    let boards = alike(results().map(|row| (row.board.as_str(), row.line)));
    let seats = alike(results().map(|row| (row.seat.as_str(), row.line)));
    for (column, found) in [("board", boards), ("seat", seats)] {
        for one in found {
            let what = Message::plain("rank-fault-alike")
                .with("column", column)
                .with("text", quote(one.other))
                .with("other", quote(&one.first))
                .with("line", one.first_line);
            faults.push(Fault::at(one.line, what));
        }
    }
}

/// Entrants that are alike may be different all the same: it is only pointed out.
fn doubts(rows: &[Row], event: &mut Event) {
    let found = alike(rows.iter().map(|row| (row.entrant.as_str(), row.line)));
    if let Some(first) = found.first() {
        event.doubt(
            Message::plain("rank-note-alike")
                .with("one", quote(&first.first))
                .with("other", quote(first.other))
                .with("count", found.len()),
        );
    }
    let mut known = std::collections::HashSet::new();
    let entrants: Vec<&str> =
        rows.iter().map(|row| row.entrant.as_str()).filter(|name| known.insert(*name)).collect();
    for told in pairs(entrants.into_iter()) {
        event.doubt(told);
    }
}

/// The lines of an entrant must agree about its standing.
fn standings(rows: &[Row], faults: &mut Vec<Fault>) {
    let mut known: HashMap<&str, (Standing, u64)> = HashMap::new();
    for row in rows {
        let Some(standing) = row.standing else { continue };
        let (first, line) = *known.entry(&row.entrant).or_insert((standing, row.line));
        if first != standing {
            let what = Message::plain("rank-fault-standing-differs")
                .with("text", standing)
                .with("other", first)
                .with("line", line)
                .with("entrant", quote(&row.entrant));
            faults.push(Fault::at(row.line, what));
        }
    }
}

/// Penalties must be penalties, and not beyond the scale of the method.
fn penalties(rows: &[Row], rules: &Rules, faults: &mut Vec<Fault>) {
    if rows.iter().all(|row| row.entry.as_ref().is_none_or(|entry| entry.penalties().is_empty())) {
        return;
    }
    let mut sizes: HashMap<(&str, &str), u32> = HashMap::new();
    for row in rows.iter().filter(|row| row.entry.is_some()) {
        *sizes.entry((&row.board, &row.seat)).or_default() += 1;
    }
    let compared = sizes.into_values().max().unwrap_or(0);
    for row in rows {
        for penalty in row.entry.iter().flat_map(Entry::penalties) {
            if let Err(fault) = penalty.check_under(rules, compared) {
                faults.push(Fault::at(row.line, fault.message()));
            }
        }
    }
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
    for row in rows.iter().filter(|row| row.is_compared()) {
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
    use crate::words::{Lang, say};

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
            ("H\n1,A,x,6\n\n1,A,\"y,6\n", &[(Some(4), "text-open-quote")]),
            ("H\n1,A,x\"y,6\n", &[(Some(2), "text-stray-quote")]),
            (
                "H\n1,A,\"x\"y,6\n1,A,z,NaN\n",
                &[(Some(2), "text-stray-quote"), (Some(3), "rank-fault-score-not-finite")],
            ),
            ("board,seat,entrant,scroe\n1,A,x,6\n", &[(Some(1), "rank-fault-unknown-column")]),
            ("board,seat,entrant\n1,A,x\n", &[(Some(1), "rank-fault-missing-column")]),
            ("board,seat,entrant,score,seat\n1,A,x,6,A\n", &[(Some(1), "rank-fault-column-twice")]),
            ("board|seat|entrant|score\n1|A|x|6\n", &[(Some(1), "text-delimiter")]),
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
    fn every_encoding_is_read_and_a_guess_is_said() {
        let text = "board,seat,entrant,score\n1,A,赵,6\n1,A,钱,2\n";
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let gb18030 = b"board,seat,entrant,score\n1,A,\xd5\xd4,6\n1,A,\xc7\xae,2\n".to_vec();
        for (bytes, doubts) in [
            (utf16.clone(), vec![]),
            ([vec![0xff, 0xfe], utf16].concat(), vec![]),
            (gb18030, vec!["text-read-as"]),
        ] {
            let mut event = read(&bytes, Rules::default()).unwrap();
            assert_eq!(event.get("1", "A", "赵").unwrap().score, Some(Score::from(6)));
            let told: Vec<_> = event.settle().cautions().iter().map(|message| message.id).collect();
            assert_eq!(told, doubts);
        }
        let fault = read(b"board,seat\n1,A\n\xff,\xff", Rules::default()).err().unwrap().remove(0);
        assert_eq!((fault.line, fault.what.id), (Some(3), "text-unknown-encoding"));
    }

    #[test]
    fn every_delimiter_is_read_and_lines_for_spreadsheets_only_are_skipped() {
        for text in [
            "sep=,\nboard,seat,entrant,score\n1,A,x,6\n,,,\n1,A,y,2\n,,,,,,\n",
            "board;seat;entrant;score\n1;A;x;6\n1;A;y;2\n",
            "board\tseat\tentrant\tscore\n\t\t\t\n1\tA\tx\t6\n1\tA\ty\t2\n",
            ",,,\r\nboard,seat,entrant,score\r\n1,A,x,6\r\n\"\",,,\r\n1,A,y,2",
        ] {
            let event = read(text.as_bytes(), Rules::default()).unwrap();
            assert_eq!(event.get("1", "A", "y").unwrap().score, Some(Score::from(2)), "{text:?}");
        }
        assert_eq!(faults("SEP=|\nboard|seat|entrant|score\n1|A|x|6\n"), [(Some(1), "text-delimiter")]);
        assert_eq!(faults("sep=,\nboard,seat,entrant,score\n1,A,x,?\n"), [(Some(3), "rank-fault-score")]);
    }

    #[test]
    fn boards_and_seats_that_are_written_alike_are_refused() {
        for (one, other) in
            [("1,A", "1,Ａ"), ("1,A", "01,A"), ("1,A", "１,A"), ("1,A", "1,a"), ("B 1,A", "b1,A")]
        {
            let text = format!("board,seat,entrant,score\n{one},x,6\n{one},y,2\n{other},z,1\n");
            assert_eq!(faults(&text), [(Some(4), "rank-fault-alike")], "{text}");
        }
        assert_eq!(faults("board,seat,entrant,score\n1,A,x,6\n10,A,x,2\n101,B,x,1\n11,C,x,1\n"), []);
    }

    #[test]
    fn a_suggestion_is_what_was_meant() {
        let said = |text: &str| {
            let fault = read(text.as_bytes(), Rules::default()).err().unwrap().remove(0);
            say(Lang::En, &fault.what)
        };
        let status = |word: &str| said(&format!("board,seat,entrant,score,status\n1,A,x,,{word}\n"));
        for (word, meant) in
            [("A\u{2013}", "mean A-?"), ("Absnet", "mean absent?"), ("ｖｏｉｄ", "mean void?")]
        {
            assert!(status(word).contains(meant), "{word}: {}", status(word));
        }
        let column = said("board,seat,entrant,score,stat\n1,A,x,1,\n");
        assert!(column.contains("mean status?"), "{column}");
    }

    #[test]
    fn new_columns_are_strict() {
        let of = |columns: &str, row: &str| {
            faults(&format!(
                "board,seat,entrant,score,{columns}\n1,A,y,1{}\n{row}\n",
                ",".repeat(columns.split(',').count())
            ))
        };
        assert_eq!(of("standing", "1,A,x,6,witdrawn"), [(Some(3), "rank-fault-standing")]);
        assert_eq!(of("standing", "1,A,x,6,gone home"), [(Some(3), "rank-fault-no-such-standing")]);
        assert_eq!(
            of("standing", "1,A,x,6,withdrawn\n2,A,x,6,disqualified"),
            [(Some(4), "rank-fault-standing-differs")]
        );
        assert_eq!(of("standing", ",,x,,ranked"), []);
        assert_eq!(
            of("standing", ",,x,,"),
            [(Some(3), "rank-fault-blank"), (Some(3), "rank-fault-blank"), (Some(3), "rank-fault-no-score")]
        );
        assert_eq!(of("outcomes", "1,A,x,,1/2 6; 1/2 -6"), []);
        assert_eq!(of("outcomes", "1,A,x,0,1/2 6; 1/2 -6"), [(Some(3), "rank-fault-score-and-outcomes")]);
        assert_eq!(of("outcomes", "1,A,x,,1/2 6; 1/3 -6"), [(Some(3), "put-weights")]);
        assert_eq!(of("outcomes", "1,A,x,,3/2 6; -1/2 -6"), [(Some(3), "put-weight")]);
        assert_eq!(of("outcomes", "1,A,x,,half 6"), [(Some(3), "rank-fault-outcomes")]);
        for (penalty, fault) in [
            ("of-top -1/2", "penalty-not-positive"),
            ("of-top 0", "penalty-not-positive"),
            ("of-top 100", "penalty-above-top"),
            ("points -3", "penalty-not-positive"),
            ("points 3", "penalty-beyond-scale"),
            ("10 %", "rank-fault-penalty"),
        ] {
            assert_eq!(of("penalty", &format!("1,A,x,6,{penalty}")), [(Some(3), fault)], "{penalty}");
        }
        assert_eq!(of("penalty", "1,A,x,6,of-top 1/10; points 2 by R4"), []);
        assert_eq!(of("void", "1,A,x,6,yes"), []);
        assert_eq!(of("void", "1,A,x,6,no"), [(Some(3), "rank-fault-void")]);
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
