//! What `fushi demo` prints.

use serde_json::{Value, json as object};
use unicode_width::UnicodeWidthStr as _;

use crate::dealing::Purpose;
use crate::desk::demo::{Played, Request};
use crate::formats::StandingRow;
use crate::formats::settings::Entrant;
use crate::formats::tally::{ResultLine, StandingLine};
use crate::games::Ruleset as _;
use crate::players::Levels;
use crate::scoring::paper::{step_id, unranked_id};
use crate::scoring::rounds::RoundStep;
use crate::scoring::said;
use crate::scoring::{Exact, Method, Unranked};
use crate::words::{Lang, Message, say};

/// Entrants that the text shows.
const ROWS: usize = 40;
/// Boards beside each other in the cross-tabulation.
const COLUMNS: usize = 8;

/// Everything there is to show.
pub(super) struct Shown<'a, G: Levels> {
    pub request: &'a Request<G>,
    pub played: &'a Played<G>,
    pub bundle: &'a str,
    pub sum: &'a str,
    pub database: Option<&'a str>,
    pub next: &'a str,
}

impl<G: Levels> Shown<'_, G> {
    fn method(&self) -> Method {
        self.request.scoring.method
    }

    /// Number of different boards of the event, the reserve aside.
    fn boards(&self) -> u32 {
        let sets = &self.played.announcement.body().sets;
        let original = sets.iter().filter(|set| set.purpose == Purpose::Original);
        original.map(|set| set.last).max().unwrap_or(0)
    }

    fn entrant(&self, id: &str) -> Option<(usize, &Entrant)> {
        self.played.event.entrants.iter().enumerate().find(|(_, entrant)| entrant.id == id)
    }

    /// Name and level of an entrant; a stand-in has its id.
    fn who(&self, id: &str) -> (String, &'static str) {
        match self.entrant(id) {
            Some((place, entrant)) => {
                (entrant.name.clone(), self.played.levels.get(place).copied().unwrap_or_default())
            }
            None => (id.to_owned(), self.request.opponents.info().name),
        }
    }

    /// The averages of the standings as they are shown.
    fn averages(&self) -> Vec<Option<String>> {
        self.played.tally.ranking.shown(self.method())
    }

    /// A value in short: a share of 100, or points.
    fn value(&self, value: &Exact, decimals: u32) -> String {
        if self.method().is_rate() {
            (value * &Exact::from(100)).fixed(decimals)
        } else {
            value.fixed(decimals)
        }
    }

    fn cells(&self, id: &str) -> Vec<&ResultLine> {
        self.played.tally.results.iter().filter(|line| line.entrant == id).collect()
    }
}

/// A place as `fushi rank` prints it: a number, or a text where several share a range.
fn place(rank: &str) -> Value {
    rank.parse::<u32>().map_or_else(|_| rank.into(), Value::from)
}

/// The word of why an entrant has no place.
fn unranked(lang: Lang, id: &str) -> String {
    let reason = Unranked::ALL.iter().find(|reason| reason.id() == id);
    reason.map_or_else(|| id.to_owned(), |reason| say(lang, &Message::plain(unranked_id(*reason))))
}

/// An instant in µs as people read it, in UTC.
fn instant(us: i64) -> String {
    chrono::DateTime::from_timestamp_micros(us)
        .map(|time| time.format("%Y-%m-%d %H:%M:%S UTC").to_string())
        .unwrap_or_default()
}

/// Columns side by side; the numbers in `right` are aligned to the right.
fn columns(rows: &[Vec<String>], right: &[usize]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for ((column, cell), width) in row.iter().enumerate().zip(&widths) {
            let gap = " ".repeat(width.saturating_sub(cell.width()));
            if column > 0 {
                line.push_str("  ");
            }
            if right.contains(&column) {
                line.push_str(&gap);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&gap);
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The text; its last line is the command to type next.
pub(super) fn text<G: Levels>(shown: &Shown<'_, G>, lang: Lang) -> String {
    let word = |id: &'static str| say(lang, &Message::plain(id));
    let played = shown.played;
    let event = &played.event;
    let heading = Message::plain("demo-heading")
        .with("title", &event.settings.title)
        .with("game", G::KIND.name())
        .with("ruleset", event.rules.name())
        .with("format", event.settings.format_name())
        .with("entrants", event.entrants.len())
        .with("boards", shown.boards());
    let mut text = say(lang, &heading) + "\n";
    let mut facts = vec![
        vec![word("demo-seed"), shown.request.seed.escape_debug().to_string()],
        vec![word("demo-announcement"), hex::encode(played.announcement.hash())],
        vec![word("demo-published"), instant(played.announcement.body().published_at)],
        vec![word("demo-delayed"), played.delayed.clone()],
    ];
    if let Some(table) = event.rules.table() {
        facts.push(vec![word("demo-table"), table.to_owned()]);
    }
    text.push_str(&columns(&facts, &[]));
    let count =
        Message::plain("demo-played").with("journals", played.journals).with("entries", played.entries);
    text.push_str(&say(lang, &count));
    text.push_str("\n\n");
    if event.settings.movement().is_some() {
        let heading = Message::plain("demo-ranking").with("method", shown.method());
        text.push_str(&(say(lang, &heading) + "\n"));
        text.push_str(&ranking(shown, lang));
        text.push('\n');
    } else {
        text.push_str(&groups(shown, lang));
    }
    text.push_str(&format!("{}\n", word("demo-crosstab")));
    text.push_str(&crosstab(shown, lang));
    text.push_str(&format!("\n{}\n", word("demo-revealed")));
    facts.clear();
    for reveal in &played.revealed {
        facts.push(vec![say(lang, &Message::plain("demo-set").with("set", &reveal.set)), reveal.key.clone()]);
    }
    facts.push(vec![word("demo-ai-key"), played.ai.key.clone()]);
    text.push_str(&columns(&facts, &[]));
    text.push('\n');
    let kept = shown.database.map_or_else(|| word("demo-database-gone"), str::to_owned);
    text.push_str(&columns(
        &[
            vec![word("demo-bundle"), format!("{} (SHA-256 {})", shown.bundle, shown.sum)],
            vec![word("demo-database"), kept],
        ],
        &[],
    ));
    text.push_str(&format!("\n{}\n{}\n", word("demo-next"), shown.next));
    text
}

fn ranking<G: Levels>(shown: &Shown<'_, G>, lang: Lang) -> String {
    let word = |id: &'static str| say(lang, &Message::plain(id));
    let standings = &shown.played.tally.standings;
    let mut rows = vec![vec![
        word("demo-rank"),
        word("demo-average"),
        word("demo-entrant"),
        word("demo-id"),
        word("demo-level"),
        word("demo-boards"),
        word("demo-decided"),
    ]];
    for (line, average) in standings.iter().zip(shown.averages()).take(ROWS) {
        let (name, level) = shown.who(&line.entrant);
        let unit = if shown.method().is_rate() { "%" } else { "" };
        let average = average.map_or_else(|| "–".to_owned(), |average| format!("{average}{unit}"));
        rows.push(vec![
            line.rank.clone().unwrap_or_else(|| "–".to_owned()),
            average,
            name,
            line.entrant.clone(),
            level.to_owned(),
            line.boards.to_string(),
            line.decided_by
                .map(|step| word(step_id(step)))
                .or_else(|| line.unranked.as_deref().map(|id| unranked(lang, id)))
                .unwrap_or_default(),
        ]);
    }
    columns(&rows, &[0, 1, 5]) + &more(standings, lang)
}

/// The tables of the groups, stage by stage: places with the step that parted each from the next one.
fn groups<G: Levels>(shown: &Shown<'_, G>, lang: Lang) -> String {
    let word = |id: &'static str| say(lang, &Message::plain(id));
    let mut text = String::new();
    let same = |a: &StandingRow, b: &StandingRow| (a.stage, &a.group) == (b.stage, &b.group);
    for group in shown.played.standings.chunk_by(same) {
        let Some(first) = group.first() else { continue };
        let heading = Message::plain("demo-group")
            .with("stage", first.stage)
            .with("group", first.group.as_deref().unwrap_or("–"));
        text.push_str(&(say(lang, &heading) + "\n"));
        let mut rows = vec![vec![
            word("demo-rank"),
            word("demo-round-points"),
            word("demo-net"),
            word("demo-entrant"),
            word("demo-id"),
            word("demo-level"),
            word("demo-decided"),
        ]];
        for line in group {
            let (name, level) = shown.who(&line.entrant);
            let mut row = vec![line.rank.clone().unwrap_or_else(|| "–".to_owned())];
            let number = |value: &Exact| match value.small_parts() {
                Some((whole, 1)) => whole.to_string(),
                _ => value.fixed(2),
            };
            row.extend(line.columns.iter().map(|(_, value)| number(value)));
            let decided = line.decided_by.and_then(|step| RoundStep::ALL.iter().find(|own| own.id() == step));
            let why = decided
                .map(|step| word(round_step_id(*step)))
                .or_else(|| line.unranked.map(|id| unranked(lang, id)))
                .unwrap_or_default();
            row.extend([name, line.entrant.clone(), level.to_owned(), why]);
            rows.push(row);
        }
        text.push_str(&columns(&rows, &[0, 1, 2]));
        text.push('\n');
    }
    text
}

/// The word of a step of the ranking by rounds.
const fn round_step_id(step: RoundStep) -> &'static str {
    match step {
        RoundStep::RoundPoints => "demo-step-round-points",
        RoundStep::Net => "demo-step-net",
        RoundStep::Direct => "demo-step-direct",
        RoundStep::Lot => "demo-step-lot",
        RoundStep::Shared => "demo-step-shared",
    }
}

fn more(standings: &[StandingLine], lang: Lang) -> String {
    match standings.len().saturating_sub(ROWS) {
        0 => String::new(),
        count => say(lang, &Message::plain("demo-more").with("count", count)) + "\n",
    }
}

/// Blocks of boards side by side: raw score and value of every cell.
fn crosstab<G: Levels>(shown: &Shown<'_, G>, lang: Lang) -> String {
    let word = |id: &'static str| say(lang, &Message::plain(id));
    let mut boards: Vec<u32> = Vec::new();
    for line in &shown.played.tally.results {
        // Results are in the order of the boards.
        if boards.last() != Some(&line.board) {
            boards.push(line.board);
        }
    }
    let standings = &shown.played.tally.standings;
    let mut blocks = Vec::new();
    for block in boards.chunks(COLUMNS) {
        let mut rows = vec![vec![word("demo-rank"), word("demo-entrant")]];
        if let Some(head) = rows.first_mut() {
            head.extend(block.iter().map(ToString::to_string));
        }
        for line in standings.iter().take(ROWS) {
            let cells = shown.cells(&line.entrant);
            let mut row =
                vec![line.rank.clone().unwrap_or_else(|| "–".to_owned()), shown.who(&line.entrant).0];
            for board in block {
                let cell = cells.iter().find(|cell| cell.board == *board);
                row.push(cell.map_or_else(|| "·".to_owned(), |cell| cell_text(shown, cell, lang)));
            }
            rows.push(row);
        }
        let right: Vec<usize> = std::iter::once(0).chain(2..2 + block.len()).collect();
        blocks.push(columns(&rows, &right));
    }
    blocks.join("\n") + &more(standings, lang)
}

fn cell_text<G: Levels>(shown: &Shown<'_, G>, cell: &ResultLine, lang: Lang) -> String {
    let decimals = u32::from(!shown.method().is_rate());
    let raw = cell.score.as_ref().map_or_else(
        || "–".to_owned(),
        |score| {
            let text = score.to_string();
            if text.starts_with('-') || text == "0" { text } else { format!("+{text}") }
        },
    );
    let basis = || say(lang, &Message::plain(said::mark(cell.basis)));
    let value = cell.value.as_ref().map_or_else(basis, |value| shown.value(value, decimals));
    let mark = if cell.rulings.is_empty() { "" } else { "*" };
    format!("{raw}{mark} {value:>3}")
}

/// `[numerator, denominator]`, each an integer.
fn fraction(value: &Exact) -> Value {
    match value.small_parts() {
        Some((num, den)) => object!([num, den]),
        None => object!(value.to_string()),
    }
}

/// The object of `--format json`.
pub(super) fn json<G: Levels>(shown: &Shown<'_, G>) -> Value {
    let played = shown.played;
    let event = &played.event;
    let ranking: Vec<Value> = played
        .tally
        .standings
        .iter()
        .zip(shown.averages())
        .map(|(line, average)| {
            let (name, level) = shown.who(&line.entrant);
            object!({
                "rank": line.rank.as_deref().map(place),
                "entrant": line.entrant,
                "name": name,
                "level": level,
                "average": line.average.as_ref().map(fraction),
                "shown": average,
                "boards": line.boards,
                "decided_by": line.decided_by,
                "unranked": line.unranked,
            })
        })
        .collect();
    let crosstab: Vec<Value> = played
        .tally
        .standings
        .iter()
        .map(|line| {
            let cells: Vec<Value> = shown
                .cells(&line.entrant)
                .into_iter()
                .map(|cell| {
                    object!({
                        "board": cell.board,
                        "seat": cell.seat,
                        "table": cell.table,
                        "score": cell.score,
                        "value": cell.value.as_ref().map(fraction),
                        "basis": cell.basis,
                        "rulings": cell.rulings,
                    })
                })
                .collect();
            object!({ "entrant": line.entrant, "cells": cells })
        })
        .collect();
    let revealed: Vec<Value> =
        played.revealed.iter().map(|reveal| object!({ "set": reveal.set, "key": reveal.key })).collect();
    object!({
        "event": event.id,
        "title": event.settings.title,
        "seed": shown.request.seed,
        "game": G::KIND.name(),
        "ruleset": event.rules.name(),
        "table": event.rules.table(),
        "event_format": event.settings.format_name(),
        "method": shown.method(),
        "entrants": event.entrants.len(),
        "boards": shown.boards(),
        "announcement_hash": hex::encode(played.announcement.hash()),
        "published_at": played.announcement.body().published_at,
        "delayed": played.delayed,
        "journals": played.journals,
        "entries": played.entries,
        "ranking": ranking,
        "standings": played.standings,
        "crosstab": crosstab,
        "revealed": revealed,
        "ai_key": played.ai.key,
        "bundle": shown.bundle,
        "bundle_sha256": shown.sum,
        "database": shown.database,
        "next": shown.next,
    })
}
