//! Workbooks of `fushi rank`, opened again: every cell is what the CSV of the same table says, numbers as numbers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::process::Command;

/// What stands in a cell.
#[derive(Debug, PartialEq)]
enum Cell {
    Text(String),
    Number(f64),
}

type Rows = BTreeMap<usize, BTreeMap<usize, Cell>>;

fn part(path: &Path, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn plain(xml: &str) -> String {
    let text = xml.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    text.replace("&amp;", "&")
}

/// What stands between the first `<name …>` and its end.
fn inside<'x>(xml: &'x str, name: &str) -> Option<&'x str> {
    let from = xml.find(&format!("<{name}>")).or_else(|| xml.find(&format!("<{name} ")))?;
    let body = from + xml[from..].find('>')? + 1;
    let end = body + xml[body..].find(&format!("</{name}>"))?;
    Some(&xml[body..end])
}

fn attribute<'x>(tag: &'x str, name: &str) -> Option<&'x str> {
    let head = tag.split('>').next()?;
    let from = head.find(&format!(" {name}=\""))? + name.len() + 3;
    head[from..].split('"').next()
}

/// `B12` is column 1, row 12.
fn place(reference: &str) -> (usize, usize) {
    let letters = reference.bytes().take_while(u8::is_ascii_uppercase);
    let column = letters.clone().fold(0, |sum, letter| sum * 26 + usize::from(letter - b'A') + 1) - 1;
    (reference[letters.count()..].parse().unwrap(), column)
}

/// The sheets of a workbook in order.
fn sheets(path: &Path) -> Vec<Rows> {
    let strings: Vec<String> = part(path, "xl/sharedStrings.xml")
        .split("<si>")
        .skip(1)
        .map(|item| plain(inside(item, "t").unwrap_or_default()))
        .collect();
    let count = part(path, "xl/workbook.xml").matches("<sheet ").count();
    let sheet = |number: usize| {
        let xml = part(path, &format!("xl/worksheets/sheet{number}.xml"));
        assert!(!xml.contains("<f>") && !xml.contains("<f "), "sheet {number} has a formula");
        let mut rows = Rows::new();
        for cell in xml.split("<c ").skip(1) {
            let cell = format!(" {cell}");
            let (row, column) = place(attribute(&cell, "r").unwrap());
            let Some(value) = cell.find("<v>").map(|_| inside(&cell, "v").unwrap()) else { continue };
            let value = match attribute(&cell, "t") {
                Some("s") => Cell::Text(strings[value.parse::<usize>().unwrap()].clone()),
                None => Cell::Number(value.parse().unwrap()),
                Some(other) => panic!("a cell of type {other}"),
            };
            rows.entry(row).or_default().insert(column, value);
        }
        rows
    };
    (1..=count).map(sheet).collect()
}

fn run(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(["rank", "results.csv"])
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The table as CSV: head and rows.
fn csv_rows(bytes: &[u8]) -> Vec<Vec<String>> {
    let text = std::str::from_utf8(bytes).unwrap().trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>());
    // The notes below the table.
    rows.take_while(|row| !row[0].starts_with("# ")).collect()
}

/// Compares a sheet with a table, cell by cell, from the row that has the table's head.
fn same(sheet: &Rows, table: &[Vec<String>]) -> usize {
    let is_head = |row: &BTreeMap<usize, Cell>| {
        let head = &table[0];
        (0..head.len()).all(|at| match row.get(&at) {
            Some(Cell::Text(text)) => *text == head[at],
            Some(Cell::Number(number)) => head[at].parse() == Ok(*number),
            None => head[at].is_empty(),
        })
    };
    let first = *sheet.iter().find(|(_, row)| is_head(row)).expect("the head of the table").0;
    let mut numbers = 0;
    for (at, fields) in table.iter().enumerate().skip(1) {
        let empty = BTreeMap::new();
        let row = sheet.get(&(first + at)).unwrap_or(&empty);
        assert!(row.keys().all(|column| *column < fields.len()), "{row:?} beside {fields:?}");
        for (column, field) in fields.iter().enumerate() {
            match row.get(&column) {
                None => assert_eq!(field, "", "row {at}, column {column}"),
                // CSV puts an apostrophe before what a spreadsheet could take for a formula.
                Some(Cell::Text(text)) => assert!(
                    field == text || field.strip_prefix('\'') == Some(text),
                    "row {at}, column {column}: `{text}`, not `{field}`"
                ),
                Some(Cell::Number(number)) => {
                    numbers += 1;
                    let shown: f64 = field.parse().unwrap_or_else(|_| panic!("{number} beside `{field}`"));
                    // The workbook has the number, the table its two decimals.
                    assert!(
                        (number - shown).abs() <= 0.005 + 1e-9,
                        "row {at}, column {column}: {number}, {field}"
                    );
                    if !field.contains('.') {
                        assert!((number - shown).abs() < 1e-9, "{number}, not {field}");
                    }
                }
            }
        }
    }
    assert_eq!(sheet.keys().last(), Some(&(first + table.len() - 1)), "nothing below the table");
    numbers
}

#[test]
fn every_cell_of_a_workbook_is_what_the_tables_say() {
    let folder = tempfile::tempdir().unwrap();
    let csv = "board,seat,entrant,score,status,role\n\
               1,A,=cmd|' /C calc'!A0,6,,banker\n1,A,\"赵 & <一>\",6,,defender\n1,A,-2,-0.5,,defender\n\
               1,A,+x,,A+,\n1,B,wide,7,,\n1,B,@y,-7,,\n\
               2,A,=cmd|' /C calc'!A0,3,,banker\n2,A,\"赵 & <一>\",-12,,\n2,A,-2,0,,\n2,A,+x,3,,\n2,A,@y,,absent,\n\
               10,A,wide,,void,\n10,A,-2,5,,\n";
    std::fs::write(folder.path().join("results.csv"), csv).unwrap();
    for method in ["score-rate", "cross-imp", "place-points", "total"] {
        let method = ["--method", method];
        run(folder.path(), &[&method[..], &["--output", "all.xlsx"]].concat());
        let sheets = sheets(&folder.path().join("all.xlsx"));
        assert_eq!(sheets.len(), 4, "ranking, cross-tabulation, results, seats");
        let views: [(usize, &[&str]); 3] = [(0, &[]), (1, &["--crosstab"]), (3, &["--seats"])];
        for (sheet, view) in views {
            let table = csv_rows(&run(folder.path(), &[&method[..], &["--format", "csv"], view].concat()));
            let numbers = same(&sheets[sheet], &table);
            assert!(numbers >= 10, "only {numbers} numbers in sheet {sheet}");
        }
        // One row for each result; the raw scores are those of the file.
        let scores = |rows: &Rows| {
            let numbers = rows.values().flat_map(BTreeMap::values);
            numbers.filter(|cell| **cell == Cell::Number(-12.0) || **cell == Cell::Number(-0.5)).count()
        };
        assert!(scores(&sheets[2]) >= 2);
        assert!(sheets[2].len() > 13);
        // A view by itself is a workbook of one sheet.
        run(folder.path(), &[&method[..], &["--output", "one.xlsx", "--traveller", "1"]].concat());
        let one = self::sheets(&folder.path().join("one.xlsx"));
        let table =
            csv_rows(&run(folder.path(), &[&method[..], &["--format", "csv", "--traveller", "1"]].concat()));
        assert_eq!(one.len(), 1);
        same(&one[0], &table);
    }
}

/// A spreadsheet keeps 15 digits: what has more is a text with all of them, nothing is rounded in silence.
#[test]
fn numbers_that_a_spreadsheet_would_round_are_texts() {
    let folder = tempfile::tempdir().unwrap();
    let huge = ["9007199254740993", "-123456789012345678901234567890", "0.1234567890123456789"];
    let mut csv = "board,seat,entrant,score\n".to_owned();
    for (number, score) in (1..).zip(huge) {
        csv +=
            &format!("{number},A,x,{score}\n{number},A,y,1000000000000000000000\n{number},A,z,0.12345678\n");
    }
    std::fs::write(folder.path().join("results.csv"), csv).unwrap();
    for method in ["score-rate", "total"] {
        run(folder.path(), &["--method", method, "--output", "huge.xlsx"]);
        let sheets = sheets(&folder.path().join("huge.xlsx"));
        for sheet in &sheets[1..3] {
            let cells: Vec<&Cell> = sheet.values().flat_map(BTreeMap::values).collect();
            for score in huge {
                assert!(cells.contains(&&Cell::Text(score.to_owned())), "{score}");
            }
            assert!(cells.contains(&&Cell::Number(1e21)) && cells.contains(&&Cell::Number(0.123_456_78)));
        }
    }
}

/// Awards, absences and void boards stand beside the numbers, and the caution above them.
#[test]
fn a_workbook_has_the_marks_and_the_cautions_of_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let csv = "board,seat,entrant,score,status\n1,A,x,6,\n1,A,y,5,\n1,A,z,,A+\n1,A,u,,absent\n2,A,x,3,\n2,A,y,,void\n\
               3,B,v,1,\n3,B,w,2,\n";
    std::fs::write(folder.path().join("results.csv"), csv).unwrap();
    run(folder.path(), &["--output", "marks.xlsx"]);
    let sheets = sheets(&folder.path().join("marks.xlsx"));
    let has = |sheet: &Rows, text: &str| {
        sheet
            .values()
            .flat_map(BTreeMap::values)
            .any(|cell| matches!(cell, Cell::Text(cell) if cell.contains(text)))
    };
    for sheet in &sheets[..3] {
        assert!(has(sheet, "Method: Score rate") && has(sheet, "rank style: 1224"));
        assert!(has(sheet, "2 parts that were never compared"));
    }
    for mark in ["A+", "absent", "void"] {
        assert!(has(&sheets[1], mark) && has(&sheets[2], mark), "{mark}");
    }
}
