//! A table for people, written as aligned text, CSV or XLSX.
//!
//! Nothing is computed here. CSV and XLSX are opened in spreadsheets, so a name must never become a formula, and a
//! number must stay a number.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};
use unicode_width::UnicodeWidthStr;

use super::exact::Exact;
use crate::words::{Message, message};

/// One field of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// Nothing.
    Empty,
    /// Words or a name.
    Text(String),
    /// A whole number.
    Int(i64),
    /// A number with the text it is shown as.
    Number(Exact, String),
}

impl Field {
    /// A text; empty text is [`Field::Empty`].
    pub fn text(text: impl Into<String>) -> Field {
        let text = text.into();
        if text.is_empty() { Field::Empty } else { Field::Text(text) }
    }

    /// What people see.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Field::Empty => String::new(),
            Field::Text(text) | Field::Number(_, text) => text.clone(),
            Field::Int(value) => value.to_string(),
        }
    }
}

/// A table with a title and notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// What the table is; also the name of its sheet in a workbook.
    pub title: String,
    /// Lines above the table: method, equalising, whatever a reader must know.
    pub notes: Vec<String>,
    /// Column heads.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Field>>,
}

/// Columns of a worksheet.
const COLUMNS_MAX: usize = 16_384;
/// Rows of a worksheet.
const ROWS_MAX: usize = 1_048_576;

impl Sheet {
    /// Aligned text: numbers to the right, East Asian characters two columns wide.
    #[must_use]
    pub fn to_text(&self) -> String {
        let shown: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(Field::shown).collect()).collect();
        let mut widths: Vec<usize> = self.head.iter().map(|head| head.width()).collect();
        let mut numeric = vec![true; widths.len()];
        for (row, fields) in shown.iter().zip(&self.rows) {
            for (column, (text, field)) in row.iter().zip(fields).enumerate() {
                if let (Some(width), Some(numeric)) = (widths.get_mut(column), numeric.get_mut(column)) {
                    *width = (*width).max(text.width());
                    *numeric &= !matches!(field, Field::Text(_));
                }
            }
        }
        let line = |cells: &[String]| {
            let mut line = String::new();
            for (column, text) in cells.iter().enumerate() {
                let width = widths.get(column).copied().unwrap_or(0);
                let pad = " ".repeat(width.saturating_sub(text.width()));
                let right = numeric.get(column).copied().unwrap_or(false);
                line.push_str(&if right { format!("{pad}{text}  ") } else { format!("{text}{pad}  ") });
            }
            format!("{}\n", line.trim_end())
        };
        let mut text = format!("{}\n", self.title);
        for note in &self.notes {
            text.push_str(note);
            text.push('\n');
        }
        if !self.head.is_empty() {
            text.push('\n');
            text.push_str(&line(&self.head));
            for row in &shown {
                text.push_str(&line(row));
            }
        }
        text
    }

    /// CSV as spreadsheets read it: UTF-8 with byte order mark, CRLF, texts that would be taken for a formula
    /// prefixed by an apostrophe. The first line is the head. Title and notes follow the table after an empty line, each
    /// a line of one field that begins with `# `: method, rank style and cautions stand on every result sheet.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = String::from('\u{feff}');
        let mut line = |cells: &mut dyn Iterator<Item = String>| {
            for (column, cell) in cells.enumerate() {
                if column > 0 {
                    text.push(',');
                }
                text.push_str(&cell);
            }
            text.push_str("\r\n");
        };
        line(&mut self.head.iter().map(|head| quoted(&neutral(head))));
        for row in &self.rows {
            line(&mut row.iter().map(|field| match field {
                Field::Text(text) => quoted(&neutral(text)),
                other => other.shown(),
            }));
        }
        line(&mut std::iter::empty());
        for note in std::iter::once(&self.title).chain(&self.notes) {
            line(&mut std::iter::once(quoted(&format!("# {note}"))));
        }
        text
    }
}

/// The most digits of a number that a spreadsheet keeps.
const DIGITS_MAX: usize = 15;

/// Whether a spreadsheet keeps a number as it is shown: its cells hold 15 digits and make zeros of the rest.
fn is_kept(shown: &str) -> bool {
    let digits: String = shown.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    let counting = if shown.contains('.') { digits } else { digits.trim_end_matches('0') };
    counting.len() <= DIGITS_MAX
}

/// A text that no spreadsheet takes for a formula.
fn neutral(text: &str) -> String {
    let risky = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
    if text.starts_with(risky) { format!("'{text}") } else { text.to_owned() }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A workbook with one worksheet per table; numbers are numbers, but for those with more digits than a spreadsheet
/// keeps, which are texts; texts are never formulas. The same tables give the same bytes.
///
/// # Errors
/// A table that is larger than a worksheet, in words.
pub fn to_xlsx(sheets: &[Sheet]) -> Result<Vec<u8>, Message> {
    for sheet in sheets {
        let columns = sheet.head.len();
        if columns > COLUMNS_MAX || sheet.rows.len() + sheet.notes.len() + 3 > ROWS_MAX {
            return Err(message!("sheet-too-large", title = &sheet.title, rows = sheet.rows.len(), columns));
        }
    }
    workbook(sheets).map_err(|error| message!("sheet-failed", error))
}

fn workbook(sheets: &[Sheet]) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    // The time of writing would make the same tables give other bytes.
    let created = ExcelDateTime::from_ymd(2000, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
    let bold = Format::new().set_bold();
    let decimals: Vec<Format> = (0..=DIGITS_MAX)
        .map(|places| match places {
            0 => Format::new().set_num_format("0"),
            _ => Format::new().set_num_format(format!("0.{}", "0".repeat(places))),
        })
        .collect();
    for sheet in sheets {
        let page = workbook.add_worksheet();
        page.set_name(&sheet.title)?;
        let mut row = 0u32;
        page.write_string_with_format(row, 0, &sheet.title, &bold)?;
        for note in &sheet.notes {
            row += 1;
            page.write_string(row, 0, note)?;
        }
        row += 2;
        for (column, head) in (0u16..).zip(&sheet.head) {
            page.write_string_with_format(row, column, head, &bold)?;
        }
        page.set_freeze_panes(row + 1, 0)?;
        for fields in &sheet.rows {
            row += 1;
            for (column, field) in (0u16..).zip(fields) {
                match field {
                    Field::Empty => {}
                    // Every digit as text rather than a number that is another one.
                    Field::Int(_) | Field::Number(..) if !is_kept(&field.shown()) => {
                        page.write_string(row, column, field.shown())?;
                    }
                    Field::Text(text) => {
                        page.write_string(row, column, text)?;
                    }
                    Field::Int(value) => {
                        page.write_number(row, column, Exact::from(*value).display_f64())?;
                    }
                    Field::Number(value, shown) => {
                        let places = shown.split_once('.').map_or(0, |(_, rest)| rest.len());
                        let format = decimals.get(places).or(decimals.last()).unwrap_or(&bold);
                        page.write_number_with_format(row, column, value.display_f64(), format)?;
                    }
                }
            }
        }
    }
    workbook.save_to_buffer()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Lang, say};

    fn sheet() -> Sheet {
        Sheet {
            title: "排名".to_owned(),
            notes: vec!["method: score-rate".to_owned()],
            head: vec!["entrant".to_owned(), "average %".to_owned()],
            rows: vec![
                vec![
                    Field::text("=HYPERLINK(\"x\")"),
                    Field::Number("250/3".parse().unwrap(), "83.33".to_owned()),
                ],
                vec![Field::text("赵"), Field::Int(-5)],
                vec![Field::text("@a,b"), Field::Empty],
            ],
        }
    }

    #[test]
    fn csv_has_a_mark_crlf_and_no_formulas() {
        assert_eq!(
            sheet().to_csv(),
            "\u{feff}entrant,average %\r\n\"'=HYPERLINK(\"\"x\"\")\",83.33\r\n赵,-5\r\n\"'@a,b\",\r\n\
             \r\n# 排名\r\n# method: score-rate\r\n"
        );
        for risky in ["=1", "+1", "-1", "@1", "\t=1", "\r=1", "＝1"] {
            assert!(neutral(risky).starts_with('\''), "{risky:?}");
        }
    }

    #[test]
    fn a_spreadsheet_keeps_fifteen_digits() {
        for kept in ["0", "-5", "83.33", "999999999999999", "-0.00012345", "1000000000000000000000", "0.1"] {
            assert!(is_kept(kept), "{kept}");
        }
        for lost in ["9007199254740993", "-1234567890123456", "12345678901234.56", "0.1234567890123456"] {
            assert!(!is_kept(lost), "{lost}");
        }
    }

    #[test]
    fn text_is_aligned_by_display_width() {
        let text = sheet().to_text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[3], "entrant          average %");
        assert_eq!(lines[5], "赵                      -5");
    }

    #[test]
    fn xlsx_is_deterministic_and_refuses_what_does_not_fit() {
        let bytes = to_xlsx(&[sheet()]).unwrap();
        assert!(bytes.starts_with(b"PK"));
        assert_eq!(bytes, to_xlsx(&[sheet()]).unwrap());
        let wide = Sheet { head: vec![String::new(); COLUMNS_MAX + 1], ..sheet() };
        assert!(say(Lang::En, &to_xlsx(&[wide]).unwrap_err()).contains("use CSV or JSON"));
    }
}
