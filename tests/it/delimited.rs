//! The one reader of CSV: what the program writes comes back as it went out, in every delimiter and encoding.

use encoding_rs::GB18030;
use fushi::delimited::{Delimiter, Limits, Rows, decode};
use fushi::scoring::sheet::{Field, Sheet};
use fushi::scoring::{Entry, Event, Rules, Standing, Status, input, output};
use proptest::prelude::*;

const LIMITS: Limits = Limits { bytes: 1 << 20, rows: 10_000, fields: Limits::FIELDS };

/// Texts as people write them, delimiters and quotation marks among them.
const TEXT: &str = "[a-zA-Z赵周孙李,;\"|-]{1,8}";

fn rows(text: &str) -> Vec<Vec<String>> {
    Rows::of(text, LIMITS).unwrap().map(|row| row.unwrap().fields().map(str::to_owned).collect()).collect()
}

/// The same rows with another delimiter.
fn written(rows: &[Vec<String>], delimiter: Delimiter) -> String {
    let line = |row: &Vec<String>| {
        let fields = row.iter().map(|field| format!("\"{}\"", field.replace('"', "\"\"")));
        fields.collect::<Vec<_>>().join(&delimiter.char().to_string()) + "\r\n"
    };
    // Quoted headings would not show the delimiter.
    let heading = rows[0].join(&delimiter.char().to_string()) + "\r\n";
    heading + &rows[1..].iter().map(line).collect::<String>()
}

/// A text in every encoding that is recognised without doubt, and in GB18030.
fn encoded(text: &str) -> Vec<Vec<u8>> {
    let low: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let high: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    vec![
        text.as_bytes().to_vec(),
        ["\u{feff}".as_bytes(), text.as_bytes()].concat(),
        [&[0xff, 0xfe][..], &low].concat(),
        [&[0xfe, 0xff][..], &high].concat(),
        low,
        high,
        GB18030.encode(text).0.into_owned(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn exported_results_come_back_in_every_delimiter_and_encoding(
        results in prop::collection::btree_map((1..4_u32, TEXT), -9..9_i64, 1..20),
        absent in TEXT,
    ) {
        let mut event = Event::new(Rules::default());
        for ((board, entrant), score) in &results {
            event.add(&board.to_string(), "A", entrant, Entry::played(*score)).unwrap();
        }
        event.add("9", "A", &absent, Entry::of(Status::Absent)).unwrap();
        event.set_standing(&absent, Standing::Withdrawn);
        let text = output::write(&event);
        let all = rows(&text);
        for delimiter in Delimiter::ALL {
            for bytes in encoded(&written(&all, delimiter)) {
                let read = input::read(&bytes, Rules::default());
                prop_assert!(read.is_ok(), "{:?}", read.err());
                prop_assert_eq!(output::write(&read.unwrap()), text.clone());
            }
        }
    }

    #[test]
    fn rows_come_back_in_every_delimiter_encoding_and_line_end(
        given in prop::collection::vec(prop::collection::vec("([a-z赵周孙,;\t\"\n]{0,5}[a-z赵])?", 3), 0..60),
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let given = given.into_iter().map(|row| row.iter().map(|field| field.trim().to_owned()).collect());
        let heading = ["a", "b", "c"].map(str::to_owned).to_vec();
        let all: Vec<Vec<String>> = std::iter::once(heading)
            .chain(given.filter(|row: &Vec<String>| row.iter().any(|field| !field.is_empty())))
            .collect();
        for delimiter in Delimiter::ALL {
            let text = written(&all, delimiter).replace("\r\n", end);
            for bytes in encoded(&text) {
                let (read, _) = decode(&bytes).unwrap();
                prop_assert_eq!(&read, &text);
                prop_assert_eq!(&rows(&read), &all);
            }
        }
    }

    #[test]
    fn sheets_for_spreadsheets_are_read_as_they_were_written(
        cells in prop::collection::vec(prop::collection::vec("[a-z赵周][a-z赵周,;\"\n ]{0,6}[a-z赵]", 3), 0..20),
    ) {
        let field = |cell: &String| Field::text(cell.clone());
        let sheet = Sheet {
            title: "x".to_owned(),
            notes: vec![],
            head: vec!["a".to_owned(), "b".to_owned(), "c".to_owned()],
            rows: cells.iter().map(|row| row.iter().map(field).collect()).collect(),
        };
        let csv = sheet.to_csv();
        let (text, _) = decode(csv.as_bytes()).unwrap();
        let found = rows(&text);
        prop_assert_eq!(&found[0], &sheet.head);
        prop_assert_eq!(&found[1..=cells.len()], &cells[..]);
        prop_assert_eq!(&found[cells.len() + 1..], &[vec!["# x".to_owned()]]);
    }
}
