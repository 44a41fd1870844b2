//! The results of an event as the plain file that [`super::input`] reads: ranked with the same rules it gives the same
//! values and places, to the last digit.

use std::borrow::Cow;

use super::clauses;
use super::entry::{Entry, Standing, Weighted};
use super::event::Event;
use super::exact::Exact;
use super::input::{COLUMNS, VOID};
use super::views::natural;

/// Writes the results of an event: CSV, UTF-8, a line for each result in natural order of board and seat, and one without
/// a board for each entrant that has none.
#[must_use]
pub fn write(event: &Event) -> String {
    let mut text = String::new();
    line(&mut text, &COLUMNS);
    let mut places: Vec<(&str, &str, usize)> = event
        .groups
        .iter()
        .enumerate()
        .filter_map(|(at, group)| {
            let board = event.boards.get(group.board as usize)?;
            Some((board.id.as_str(), event.seats.get(group.seat as usize)?.as_str(), at))
        })
        .collect();
    places.sort_by(|a, b| natural(a.0, b.0).then_with(|| natural(a.1, b.1)));
    let mut seen = vec![false; event.entrants.len()];
    for (board, seat, at) in places {
        let Some(group) = event.groups.get(at) else { continue };
        let void = event.boards.get(group.board as usize).is_some_and(super::event::Board::is_void);
        let expected = group.expected.map(|expected| expected.to_string()).unwrap_or_default();
        for (entrant, entry) in group.entrants.iter().zip(group.results.iter()) {
            let Some(known) = event.entrants.get(*entrant as usize) else { continue };
            if let Some(seen) = seen.get_mut(*entrant as usize) {
                *seen = true;
            }
            let fields = Fields::of(&entry);
            line(
                &mut text,
                &[
                    board,
                    seat,
                    &known.id,
                    &fields.score,
                    entry.table().unwrap_or(""),
                    &expected,
                    entry.status.id(),
                    entry.role().map_or("", super::entry::Role::id),
                    standing(known.standing),
                    &fields.ruling,
                    &fields.outcomes,
                    &fields.penalty,
                    if void { VOID } else { "" },
                ],
            );
        }
    }
    for (known, seen) in event.entrants.iter().zip(seen) {
        if !seen {
            line(&mut text, &["", "", &known.id, "", "", "", "", "", known.standing.id(), "", "", "", ""]);
        }
    }
    text
}

/// What of a result is not plain text already.
pub(crate) struct Fields {
    /// The raw score as a decimal; empty where `outcomes` says it.
    pub score: String,
    /// The ruling that the result rests on.
    pub ruling: String,
    /// The outcomes of a weighted ruling, or a ruled score that has no decimal form.
    pub outcomes: String,
    /// The penalties.
    pub penalty: String,
}

impl Fields {
    pub(crate) fn of(entry: &Entry) -> Fields {
        let ruling = entry.ruling().map_or("", |ruling| ruling.id.as_str());
        let decimal = entry.score.as_ref().and_then(|score| score.exact().decimal());
        let mut outcomes = Cow::Borrowed(entry.outcomes());
        if let (true, None, Some(score)) = (outcomes.is_empty(), &decimal, &entry.score) {
            outcomes = Cow::Owned(vec![Weighted { weight: Exact::ONE, score: score.clone() }]);
        }
        Fields {
            score: if outcomes.is_empty() { decimal.unwrap_or_default() } else { String::new() },
            ruling: ruling.to_owned(),
            outcomes: clauses::of_outcomes(&outcomes),
            penalty: clauses::of_penalties(entry.penalties()),
        }
    }
}

/// The standing as a field: empty for the usual one.
pub(crate) const fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Ranked => "",
        other => other.id(),
    }
}

fn line(text: &mut String, fields: &[&str]) {
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        if field.contains([',', '"', '\n', '\r']) || field.starts_with(' ') || field.ends_with(' ') {
            text.push('"');
            text.push_str(&field.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(field);
        }
    }
    text.push('\n');
}
