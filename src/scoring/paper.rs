//! Rankings, cross-tabulations and explanations laid out as tables for people, in any language of the program.
//!
//! Nothing is computed here. Method and equalising stand on every sheet.

use std::collections::BTreeMap;

use super::entry::Entry;
use super::event::{Basis, Settled};
use super::exact::{Exact, Score};
use super::explain::{Explanation, basis_id, show};
use super::output;
use super::ranking::{RankRow, Unranked};
use super::report::{Averages, Missing, View, card, explanation, traveller, versus};
use super::rules::{Butler, Equalise, Method, RankStyle, Rules, Step};
use super::said;
use super::sheet::{Field, Sheet};
use super::views::{Card, Frequency, Line, Seats, Summary, Traveller, Versus};
use crate::words::{Lang, Message, message, say};

fn word(lang: Lang, id: &'static str) -> String {
    say(lang, &Message::plain(id))
}

/// The sentence of a decisive step.
#[must_use]
pub const fn step_id(step: Step) -> &'static str {
    match step {
        Step::Average => "rank-step-average",
        Step::FullBoards => "rank-step-full-boards",
        Step::CommonBoards => "rank-step-common-boards",
        Step::RawSum => "rank-step-raw-sum",
        Step::Shared => "rank-step-shared",
    }
}

/// The sentence of a reason for having no place.
#[must_use]
pub const fn unranked_id(reason: Unranked) -> &'static str {
    match reason {
        Unranked::NoBoard => "rank-unranked-no-board",
        Unranked::UnderMinimum => "rank-unranked-under-minimum",
        Unranked::Withdrawn => "rank-unranked-withdrawn",
        Unranked::Disqualified => "rank-unranked-disqualified",
        Unranked::StandIn => "rank-unranked-stand-in",
    }
}

/// Names of entrants for people, by id; who is not in it is called by the id. Different entrants have different names.
pub type Names = BTreeMap<String, String>;

/// How wide a cell of the cross-tabulation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Score and rate in one column, for people.
    Joined,
    /// Score and rate in columns of their own, so that a spreadsheet has numbers.
    Apart,
}

/// A view as tables.
///
/// # Errors
/// [`Missing`] when a board, seat, entrant or result is not there.
pub fn view_sheets(
    settled: &Settled<'_>,
    view: &View,
    cells: Cells,
    lang: Lang,
    names: &Names,
) -> Result<Vec<Sheet>, Missing> {
    let paper = Paper::of(settled, lang, names);
    Ok(vec![match view {
        View::Ranking => paper.ranking(),
        View::CrossTab => paper.cross_tab(cells),
        View::Traveller(board) => paper.traveller(&traveller(settled, board)?, cells),
        View::Card(entrant) => paper.card(&card(settled, entrant)?, cells),
        View::Seats => paper.seats(&settled.seat_summaries()),
        View::Versus(one, other) => paper.versus(&versus(settled, one, other)?, one, other, cells),
        View::Explain(board, seat, entrant) => paper.explain(&explanation(settled, board, seat, entrant)?),
    }])
}

/// Everything that belongs into a workbook of the whole event: ranking, cross-tabulation, all results, seats.
#[must_use]
pub fn workbook_sheets(settled: &Settled<'_>, lang: Lang, names: &Names) -> Vec<Sheet> {
    let paper = Paper::of(settled, lang, names);
    let mut sheets = vec![paper.ranking()];
    // A very wide event has no cross-tabulation that a spreadsheet could hold; its results are all there as a list.
    let columns = settled.cross_tab().columns.len();
    if columns <= 5_000 && columns.saturating_mul(settled.ranking().rows.len()) <= 5_000_000 {
        sheets.push(paper.cross_tab(Cells::Apart));
    }
    sheets.push(paper.results());
    sheets.push(paper.seats(&settled.seat_summaries()));
    sheets
}

struct Paper<'p, 'e> {
    settled: &'p Settled<'e>,
    lang: Lang,
    rules: &'p Rules,
    names: &'p Names,
    averages: Averages,
}

impl<'p, 'e> Paper<'p, 'e> {
    fn of(settled: &'p Settled<'e>, lang: Lang, names: &'p Names) -> Paper<'p, 'e> {
        let averages = Averages::of(settled);
        Paper { settled, lang, rules: settled.event().rules(), names, averages }
    }
}

impl Paper<'_, '_> {
    fn word(&self, id: &'static str) -> String {
        word(self.lang, id)
    }

    /// What stands for an entrant: the name, where there is one.
    fn entrant<'s>(&'s self, id: &'s str) -> &'s str {
        self.names.get(id).map_or(id, String::as_str)
    }

    fn heads(&self, ids: &[&'static str]) -> Vec<String> {
        ids.iter().map(|id| self.word(id)).collect()
    }

    /// Method, equalising and ties stand on every result sheet.
    fn notes(&self) -> Vec<String> {
        let rules = self.rules;
        let mut notes = vec![
            Message::plain("rank-note-method")
                .with("method", Message::plain(said::method(rules.method)))
                .with("equalise", Message::plain(said::equalise(rules.equalising())))
                .with("lone", Message::plain(said::lone(rules.lone)))
                .with("style", rules.style),
        ];
        if rules.equalise != Equalise::None && rules.equalising() == Equalise::None {
            notes.push(Message::plain("rank-note-not-equalised"));
        }
        if rules.method.is_imps() {
            notes.push(
                Message::plain("rank-note-imps")
                    .with("table", &rules.imp_table.name)
                    .with("scale", &rules.imp_table.scale),
            );
        }
        if rules.method == Method::Butler {
            let Butler { trim, trim_from, datum_rounding } = &rules.butler;
            notes.push(match datum_rounding {
                Some(unit) => message!("rank-note-datum", trim, trim_from, unit),
                None => message!("rank-note-datum-exact", trim, trim_from),
            });
        }
        notes.iter().map(|note| say(self.lang, note)).collect()
    }

    /// What is worth a look, in sentences.
    fn cautions(&self) -> Vec<String> {
        self.settled.cautions().iter().map(|told| say(self.lang, told)).collect()
    }

    /// What is out of the ordinary with a result, in a word: the status that keeps it from being compared.
    fn mark(&self, line: &Line<'_>) -> String {
        let status = &line.entry.status;
        match line.cell.basis {
            Basis::Compared => String::new(),
            Basis::Award => status.to_string(),
            Basis::OwnAverage | Basis::NoAward => {
                format!("{status} {}", self.word(said::mark(line.cell.basis)))
            }
            basis => self.word(said::mark(basis)),
        }
    }

    fn average_head(&self) -> &'static str {
        match self.rules.method {
            Method::ScoreRate | Method::LinearRate => "rank-head-average-rate",
            Method::CrossImp | Method::Butler => "rank-head-average-imp",
            Method::PlacePoints | Method::MatchPoker => "rank-head-average-points",
            Method::Total => "rank-head-average-sum",
        }
    }

    fn value_head(&self) -> &'static str {
        match self.rules.method {
            Method::ScoreRate | Method::LinearRate => "rank-head-value-rate",
            Method::CrossImp | Method::Butler => "rank-head-value-imp",
            Method::PlacePoints | Method::MatchPoker => "rank-head-value-points",
            Method::Total => "rank-head-value-sum",
        }
    }

    /// A value as a number of the spreadsheet: rates in percent.
    fn value(&self, value: Option<&Exact>) -> Field {
        value.map_or(Field::Empty, |value| {
            let number = if self.rules.method.is_rate() { value * &Exact::from(100) } else { value.clone() };
            Field::Number(number, show(self.rules.method, value))
        })
    }

    /// The average of a row, with as many decimals as tell it from every other one.
    fn average(&self, row: &RankRow) -> Field {
        match (self.value(row.average.as_ref()), self.averages.shown(row)) {
            (Field::Number(number, _), Some(shown)) => Field::Number(number, shown.to_owned()),
            (field, _) => field,
        }
    }

    fn rank(&self, row: &RankRow) -> Field {
        match row.place {
            Err(_) => Field::text("–"),
            Ok(place) => match self.rules.style {
                RankStyle::Competition => Field::Int(i64::from(place.first)),
                RankStyle::Dense => Field::Int(i64::from(place.dense)),
                RankStyle::Range => Field::Text(place.shown(RankStyle::Range)),
            },
        }
    }

    fn ranking(&self) -> Sheet {
        let mut notes = self.notes();
        let steps: Vec<String> = self.rules.tie_break.iter().map(|step| self.word(step_id(*step))).collect();
        let ties = Message::plain("rank-note-ties").with("steps", steps.join(" → "));
        notes.push(say(self.lang, &ties));
        if self.rules.min_boards > 0 {
            let minimum = Message::plain("rank-note-minimum").with("boards", self.rules.min_boards);
            notes.push(say(self.lang, &minimum));
        }
        notes.extend(self.cautions());
        let rows = self.settled.ranking().rows.iter().map(|row| {
            let decided = match (row.place, row.decided_by) {
                (Err(reason), _) => self.word(unranked_id(reason)),
                (Ok(_), Some(step)) => self.word(step_id(step)),
                (Ok(_), None) => String::new(),
            };
            vec![
                self.rank(row),
                Field::text(self.entrant(&row.entrant)),
                self.average(row),
                Field::Int(i64::from(row.boards)),
                Field::text(decided),
            ]
        });
        Sheet {
            title: self.word("rank-title-ranking"),
            notes,
            head: self.heads(&[
                "rank-head-rank",
                "rank-head-entrant",
                self.average_head(),
                "rank-head-boards",
                "rank-head-decided-by",
            ]),
            rows: rows.collect(),
        }
    }

    fn cross_tab(&self, cells: Cells) -> Sheet {
        let table = self.settled.cross_tab();
        let mut head = self.heads(&["rank-head-rank", "rank-head-entrant", self.average_head()]);
        // A column of marks stands beside the numbers of a board only where there is a mark.
        let mut marked = vec![false; table.columns.len()];
        for (column, line) in (0..self.settled.ranking().rows.len()).flat_map(|n| table.row(n)) {
            if let Some(marked) = marked.get_mut(column) {
                *marked |= line.cell.basis != Basis::Compared || !marks(&line.entry).is_empty();
            }
        }
        let mut places = Vec::with_capacity(table.columns.len());
        for (column, marked) in table.columns.iter().zip(&marked) {
            places.push((head.len(), *marked));
            let name = match column.seat {
                Some(seat) => format!("{} {seat}", column.board),
                None => column.board.to_owned(),
            };
            match cells {
                Cells::Joined => head.push(name),
                Cells::Apart => {
                    head.push(format!("{name} {}", self.word("rank-head-score")));
                    head.push(format!("{name} {}", self.word(self.value_head())));
                    if *marked {
                        head.push(format!("{name} {}", self.word("rank-head-basis")));
                    }
                }
            }
        }
        let width = head.len();
        let mut rows = Vec::with_capacity(self.settled.ranking().rows.len());
        for (n, row) in self.settled.ranking().rows.iter().enumerate() {
            let mut fields = vec![Field::Empty; width];
            let first = [self.rank(row), Field::text(self.entrant(&row.entrant)), self.average(row)];
            for (slot, field) in fields.iter_mut().zip(first) {
                *slot = field;
            }
            for (column, line) in table.row(n) {
                let Some((at, marked)) = places.get(column).copied() else { continue };
                let mut filled = match cells {
                    Cells::Joined => vec![Field::text(self.joined(&line))],
                    Cells::Apart => self.apart(&line),
                };
                if marked && cells == Cells::Apart {
                    let mark = format!("{} {}", self.mark(&line), marks(&line.entry));
                    filled.push(Field::text(mark.trim()));
                }
                for (slot, field) in fields.iter_mut().skip(at).zip(filled) {
                    *slot = field;
                }
            }
            rows.push(fields);
        }
        let mut notes = self.notes();
        notes.extend(self.cautions());
        if cells == Cells::Joined || marked.contains(&true) {
            notes.push(self.word("rank-note-marks"));
        }
        Sheet { title: self.word("rank-title-crosstab"), notes, head, rows }
    }

    /// `6 83.33*`: raw score, value, marks.
    fn joined(&self, line: &Line<'_>) -> String {
        let value = line.cell.value.as_ref().map(|value| show(self.rules.method, value));
        let score = line.entry.raw().map(|raw| raw.to_string());
        let body = match (line.entry.status.is_award(), score, value) {
            (true, _, Some(value)) => format!("{} {value}", line.entry.status),
            (_, Some(score), Some(value)) => format!("{score} {value}"),
            (_, Some(score), None) => format!("({score})"),
            (_, None, _) => format!("({})", self.mark(line)),
        };
        format!("{body}{}", marks(&line.entry))
    }

    fn apart(&self, line: &Line<'_>) -> Vec<Field> {
        vec![score(line), self.value(line.cell.value.as_ref())]
    }

    /// Score, matchpoints, top, value, status and ruling of a result.
    fn details(&self, line: &Line<'_>) -> Vec<Field> {
        let points = line.cell.matchpoints.as_ref();
        let status = match line.cell.basis {
            Basis::Compared => String::new(),
            Basis::Award => line.entry.status.to_string(),
            basis => self.word(basis_id(basis)),
        };
        let mut rulings: Vec<&str> = line.entry.ruling().iter().map(|ruling| ruling.id.as_str()).collect();
        rulings.extend(line.entry.penalties().iter().map(|penalty| penalty.ruling.as_str()));
        vec![
            score(line),
            points.map_or(Field::Empty, |points| {
                let places = if points.to_i64().is_some() { 0 } else { 2 };
                Field::Number(points.clone(), points.fixed(places))
            }),
            line.cell.top.map_or(Field::Empty, Field::Int),
            self.value(line.cell.value.as_ref()),
            Field::text(status),
            Field::text(rulings.join(" ")),
        ]
    }

    /// Standing, outcomes and penalties as `fushi rank` reads them.
    fn extras(&self, line: &Line<'_>) -> Vec<Field> {
        let standing = self.settled.event().find_entrant(line.entrant);
        let known = standing.and_then(|ix| self.settled.event().entrants.get(ix as usize));
        let fields = output::Fields::of(&line.entry);
        vec![
            Field::text(known.map_or("", |known| output::standing(known.standing))),
            Field::text(fields.outcomes),
            Field::text(fields.penalty),
        ]
    }

    fn detail_heads(&self, before: &[&'static str]) -> Vec<String> {
        let mut heads = self.heads(before);
        heads.extend(self.heads(&[
            "rank-head-score",
            "rank-head-matchpoints",
            "rank-head-top",
            self.value_head(),
            "rank-head-basis",
            "rank-head-ruling",
        ]));
        heads
    }

    fn results(&self) -> Sheet {
        let mut rows = Vec::new();
        for (board, seat, lines) in self.settled.groups() {
            for line in lines {
                let mut fields = vec![
                    Field::text(board),
                    Field::text(seat),
                    Field::text(line.entry.table().unwrap_or("")),
                    Field::text(self.entrant(line.entrant)),
                ];
                fields.extend(self.details(&line));
                fields.extend(self.extras(&line));
                rows.push(fields);
            }
        }
        let mut head =
            self.detail_heads(&["rank-head-board", "rank-head-seat", "rank-head-table", "rank-head-entrant"]);
        head.extend(self.heads(&["rank-head-standing", "rank-head-outcomes", "rank-head-penalty"]));
        Sheet {
            title: self.word("rank-title-results"),
            notes: self.notes().into_iter().chain(self.cautions()).collect(),
            head,
            rows,
        }
    }

    /// The title of a sheet about one thing: a workbook's sheet has a short fixed name, paper the whole one.
    fn title(&self, cells: Cells, short: &'static str, long: &Message) -> String {
        match cells {
            Cells::Joined => say(self.lang, long),
            Cells::Apart => self.word(short),
        }
    }

    fn traveller(&self, traveller: &Traveller<'_>, cells: Cells) -> Sheet {
        let mut notes = self.notes();
        if traveller.void {
            notes.push(self.word("rank-note-void"));
        }
        let mut rows = Vec::new();
        for seat in &traveller.seats {
            let scores = distribution(&seat.frequencies);
            notes.push(format!("{}: {scores}", seat.seat));
            for line in &seat.lines {
                let mut fields = vec![
                    Field::text(seat.seat),
                    Field::text(line.entry.table().unwrap_or("")),
                    Field::text(self.entrant(line.entrant)),
                ];
                fields.extend(self.details(line));
                rows.push(fields);
            }
        }
        let long = Message::plain("rank-title-traveller").with("board", traveller.board);
        Sheet {
            title: self.title(cells, "rank-sheet-traveller", &long),
            notes,
            head: self.detail_heads(&["rank-head-seat", "rank-head-table", "rank-head-entrant"]),
            rows,
        }
    }

    fn card(&self, card: &Card<'_>, cells: Cells) -> Sheet {
        let mut head = self.detail_heads(&["rank-head-board", "rank-head-seat"]);
        head.push(self.word("rank-head-distribution"));
        let rows = card.lines.iter().map(|(line, frequencies)| {
            let mut fields = vec![Field::text(line.board), Field::text(line.seat)];
            fields.extend(self.details(line));
            fields.push(Field::text(distribution(frequencies)));
            fields
        });
        let mut notes = self.notes();
        let place = self.rank(card.row).shown();
        let average = self.average(card.row).shown();
        notes.push(format!(
            "{}: {} · {}: {place} · {}: {average} · {}: {}",
            self.word("rank-head-entrant"),
            self.entrant(&card.row.entrant),
            self.word("rank-head-rank"),
            self.word(self.average_head()),
            self.word("rank-head-boards"),
            card.row.boards,
        ));
        let long = Message::plain("rank-title-card").with("entrant", self.entrant(&card.row.entrant));
        Sheet { title: self.title(cells, "rank-sheet-card", &long), notes, head, rows: rows.collect() }
    }

    fn seats(&self, seats: &Seats<'_>) -> Sheet {
        let row = |name: &str, entrant: Option<&str>, summary: &Summary| {
            let raw = Score::from(summary.raw.clone());
            vec![
                Field::text(name),
                Field::text(
                    entrant.map_or_else(|| self.word("rank-everybody"), |id| self.entrant(id).to_owned()),
                ),
                Field::Int(i64::from(summary.boards)),
                self.value(summary.mean.as_ref()),
                Field::Number(summary.raw.clone(), raw.to_string()),
            ]
        };
        let mut rows: Vec<Vec<Field>> =
            seats.seats.iter().map(|(seat, entrant, summary)| row(seat, *entrant, summary)).collect();
        rows.extend(
            seats
                .roles
                .iter()
                .map(|(role, entrant, summary)| row(&self.word(said::role(*role)), *entrant, summary)),
        );
        Sheet {
            title: self.word("rank-title-seats"),
            notes: self.notes(),
            head: self.heads(&[
                "rank-head-seat",
                "rank-head-entrant",
                "rank-head-boards",
                self.average_head(),
                "rank-head-raw",
            ]),
            rows,
        }
    }

    fn versus(&self, versus: &Versus<'_>, one: &str, other: &str, cells: Cells) -> Sheet {
        let mut head = self.heads(&["rank-head-board", "rank-head-seat"]);
        for name in [one, other] {
            head.push(format!("{name} {}", self.word("rank-head-score")));
            head.push(format!("{name} {}", self.word(self.value_head())));
        }
        let rows = versus.lines.iter().map(|(a, b)| {
            let mut fields = vec![Field::text(a.board), Field::text(a.seat)];
            fields.extend(self.apart(a));
            fields.extend(self.apart(b));
            fields
        });
        let mean = |value: &Option<Exact>| {
            value.as_ref().map_or_else(|| "–".to_owned(), |value| show(self.rules.method, value))
        };
        let summary = Message::plain("rank-note-versus")
            .with("won", versus.won)
            .with("tied", versus.tied)
            .with("lost", versus.lost)
            .with("mean", mean(&versus.mean))
            .with("other", mean(&versus.other_mean));
        let mut notes = self.notes();
        notes.push(say(self.lang, &summary));
        let long = Message::plain("rank-title-versus").with("one", one).with("other", other);
        Sheet { title: self.title(cells, "rank-sheet-versus", &long), notes, head, rows: rows.collect() }
    }

    fn explain(&self, told: &Explanation) -> Sheet {
        let sentences = told.sentences();
        Sheet {
            title: self.word("rank-title-explain"),
            notes: self.notes(),
            head: self.heads(&["rank-head-explanation"]),
            rows: sentences.iter().map(|each| vec![Field::text(say(self.lang, each))]).collect(),
        }
    }
}

fn score(line: &Line<'_>) -> Field {
    let raw = line.entry.raw().filter(|_| !line.entry.status.is_award());
    raw.map_or(Field::Empty, |raw| Field::Number(raw.exact(), raw.to_string()))
}

fn marks(entry: &Entry) -> &'static str {
    match (entry.ruling().is_some(), entry.penalties().is_empty()) {
        (false, true) => "",
        (true, true) => "*",
        (false, false) => "!",
        (true, false) => "*!",
    }
}

/// `6 ×2, -2, -6`.
fn distribution(frequencies: &[Frequency]) -> String {
    let each = |each: &Frequency| {
        if each.count == 1 { each.score.to_string() } else { format!("{} ×{}", each.score, each.count) }
    };
    frequencies.iter().map(each).collect::<Vec<_>>().join(", ")
}
