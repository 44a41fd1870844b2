//! Entrants × boards: the cross-tabulation, all of it in numbers or a row in full.
//!
//! It only arranges what the event already knows; it never re-computes a value. Columns come in natural order of board
//! and seat, rows in the order of the ranking.

use std::collections::HashSet;
use std::sync::Arc;

use super::event::{Event, Group, Settled};
use super::exact::{Exact, Score};
use super::group::{Scored, Values, slot};
use super::results::{At, Results};
use super::settle::in_shares;
use super::views::{Line, line, natural};

/// One column of the cross-tabulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// The board.
    pub board: &'a str,
    /// The seat, when some entrant has several results on one board (a team); otherwise columns are boards.
    pub seat: Option<&'a str>,
}

/// 1: entrants × boards, rows in the order of the ranking.
pub struct CrossTab<'a> {
    event: &'a Event,
    /// The columns in order.
    pub columns: Vec<Column<'a>>,
    /// The column of each group.
    column_of: Vec<u32>,
    /// Whether groups are in the order of their columns, so that rows need no sorting.
    sorted: bool,
    /// The entrant of each row.
    rows: Vec<u32>,
}

/// One cell of the cross-tabulation, numbers only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossCell {
    /// The column, counted from 0.
    pub column: usize,
    /// The raw score, its expectation under a weighted ruling.
    pub score: Option<Score>,
    /// The value, when the result counts.
    pub value: Option<Exact>,
}

impl<'a> CrossTab<'a> {
    /// Where the results of the n-th row of the ranking stand; columns ascend.
    fn at(&self, n: usize) -> impl Iterator<Item = (usize, At)> + use<> {
        let own = self.rows.get(n).map(|entrant| self.event.at(*entrant)).unwrap_or_default();
        let column = |at: At| self.column_of.get(at.group as usize).map_or(0, |column| *column as usize);
        let mut cells: Vec<(usize, At)> = own.into_iter().map(|at| (column(at), at)).collect();
        if !self.sorted {
            cells.sort_by_key(|(column, _)| *column);
        }
        cells.into_iter()
    }

    /// The numbers of the n-th row of the ranking; columns ascend, absent cells are left out.
    pub fn cells(&self, n: usize) -> impl Iterator<Item = CrossCell> + '_ {
        self.at(n).map(|(column, at)| {
            let (score, value) = self.event.worth(at);
            CrossCell { column, score, value }
        })
    }

    /// The results of the n-th row of the ranking in full, each with its column.
    pub fn row(&self, n: usize) -> impl Iterator<Item = (usize, Line<'a>)> + '_ {
        self.at(n).filter_map(|(column, at)| Some((column, line(self.event, at)?)))
    }
}

/// Columns side by side in one block of [`Numbers`]: their cells fill a line of the processor's cache.
const BLOCK: usize = 8;

/// A raw score and the numerator of a value, where both are small.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Small {
    score: i32,
    num: i32,
}

impl Small {
    /// In both places: nothing is here. In the place of the numerator: there is no value.
    const NONE: i32 = i32::MIN;
    const ABSENT: Small = Small { score: Small::NONE, num: Small::NONE };

    fn part(value: i64) -> Option<i32> {
        i32::try_from(value).ok().filter(|value| *value != Small::NONE)
    }

    #[inline]
    fn of(score: i64, num: i64) -> Option<Small> {
        Some(Small { score: Small::part(score)?, num: Small::part(num)? })
    }
}

type Line8 = [Small; BLOCK];

/// A few columns of every row.
struct Block {
    lines: Vec<Line8>,
    /// The denominator of the values of each column.
    dens: [i64; BLOCK],
    /// Rows with a result that has no small form.
    long: Vec<u32>,
}

/// The whole cross-tabulation in numbers, laid out row by row: every raw score and every value.
pub struct Numbers<'t> {
    table: &'t CrossTab<'t>,
    blocks: Vec<Block>,
    /// Rows that are looked up in the event, because something in them is out of the ordinary.
    long: Vec<bool>,
}

impl Numbers<'_> {
    /// The numbers of the n-th row of the ranking; columns ascend, absent cells are left out.
    pub fn cells(&self, n: usize) -> impl Iterator<Item = CrossCell> + '_ {
        let long = self.long.get(n).copied().unwrap_or(true);
        let looked_up = long.then(|| self.table.cells(n)).into_iter().flatten();
        let blocks = self.blocks.iter().enumerate().filter(move |_| !long);
        let small = blocks.flat_map(move |(index, block)| {
            let line = block.lines.get(n).unwrap_or(&[Small::ABSENT; BLOCK]);
            let cells = line.iter().zip(&block.dens).enumerate();
            cells.filter(|(_, (cell, _))| **cell != Small::ABSENT).map(move |(at, (cell, den))| CrossCell {
                column: index * BLOCK + at,
                score: Some(Score::from(cell.score)),
                value: (cell.num != Small::NONE).then(|| Exact::over(i64::from(cell.num), *den)),
            })
        });
        looked_up.chain(small)
    }
}

impl CrossTab<'_> {
    /// The whole table in numbers.
    #[must_use]
    pub fn numbers(&self) -> Numbers<'_> {
        let event = self.event;
        let mut row_of = vec![u32::MAX; event.entrants.len()];
        for (row, entrant) in (0u32..).zip(&self.rows) {
            if let Some(slot) = row_of.get_mut(*entrant as usize) {
                *slot = row;
            }
        }
        let mut columns: Vec<Vec<&Group>> = vec![Vec::new(); self.columns.len()];
        for (group, column) in event.groups.iter().zip(&self.column_of) {
            if let Some(groups) = columns.get_mut(*column as usize) {
                groups.push(group);
            }
        }
        let results = event.groups.iter().map(|group| group.results.len()).sum();
        let blocks: Vec<&[Vec<&Group>]> = columns.chunks(BLOCK).collect();
        let shares = in_shares(results, &blocks, |share| {
            share.iter().map(|columns| block(columns, &row_of, &self.rows)).collect::<Vec<Block>>()
        });
        let blocks: Vec<Block> = shares.into_iter().flatten().collect();
        let mut long = vec![false; self.rows.len()];
        for row in blocks.iter().flat_map(|block| &block.long) {
            if let Some(slot) = long.get_mut(*row as usize) {
                *slot = true;
            }
        }
        Numbers { table: self, blocks, long }
    }
}

/// Fills a block: at most [`BLOCK`] columns, each with its groups; `rows` are the entrants of the rows.
fn block(columns: &[Vec<&Group>], row_of: &[u32], rows: &[u32]) -> Block {
    let row = |entrant: u32| row_of.get(entrant as usize).copied().unwrap_or(u32::MAX);
    let (mut dens, mut long) = ([1; BLOCK], Vec::new());
    let small: Vec<Vec<(&Group, Vec<Small>)>> = columns
        .iter()
        .zip(&mut dens)
        .map(|(groups, den)| {
            let mut common = None;
            let one = |group: &&'_ Group| {
                let own = group.scored.as_ref().and_then(denominator);
                let fits = own.is_none() || *common.get_or_insert(own) == own;
                *den = common.flatten().unwrap_or(1);
                smalls(group, fits, &mut |entrant| long.push(row(entrant)))
            };
            groups.iter().map(one).zip(groups).map(|(cells, group)| (*group, cells)).collect()
        })
        .collect();
    let lines = match side_by_side(&small) {
        // Everybody has all of these columns: whole lines at once.
        Some((roster, cells)) => {
            let mut position_of = vec![u32::MAX; row_of.len()];
            for (position, entrant) in (0u32..).zip(roster) {
                if let Some(slot) = position_of.get_mut(*entrant as usize) {
                    *slot = position;
                }
            }
            let cell = |position: u32, column: usize| cells.get(column)?.get(position as usize).copied();
            let line = |entrant: &u32| {
                let position = position_of.get(*entrant as usize).copied().unwrap_or(u32::MAX);
                std::array::from_fn(|column| cell(position, column).unwrap_or(Small::ABSENT))
            };
            rows.iter().map(line).collect()
        }
        None => scattered(&small, &row, rows.len()),
    };
    Block { lines, dens, long }
}

/// The lines of a block whose columns have different entrants.
fn scattered(columns: &[Vec<(&Group, Vec<Small>)>], row: &impl Fn(u32) -> u32, rows: usize) -> Vec<Line8> {
    let mut lines = vec![[Small::ABSENT; BLOCK]; rows];
    for (column, groups) in columns.iter().enumerate() {
        for (group, cells) in groups {
            for (entrant, cell) in group.entrants.iter().zip(cells) {
                let line = lines.get_mut(row(*entrant) as usize);
                if let Some(slot) = line.and_then(|line| line.get_mut(column)) {
                    *slot = *cell;
                }
            }
        }
    }
    lines
}

/// The one list of entrants of all these columns, if there is one, and the cells of each.
fn side_by_side<'g>(columns: &'g [Vec<(&'g Group, Vec<Small>)>]) -> Option<(&'g [u32], Vec<&'g [Small]>)> {
    let mut cells = Vec::with_capacity(columns.len());
    let mut roster: Option<&Arc<Vec<u32>>> = None;
    for groups in columns {
        let [(group, column)] = groups.as_slice() else { return None };
        if !Arc::ptr_eq(roster.get_or_insert(&group.entrants), &group.entrants) {
            return None;
        }
        cells.push(column.as_slice());
    }
    Some((roster?.as_slice(), cells))
}

/// The common denominator of a group's values.
fn denominator(scored: &Scored) -> Option<i64> {
    match &scored.values {
        Values::Shared { den, .. } | Values::ByScore { den, .. } => Some(*den),
        Values::None | Values::Each(_) => None,
    }
}

/// The results of a group in small form; those that have none are named to `long`, all of them unless they `fit`.
fn smalls(group: &Group, fits: bool, long: &mut impl FnMut(u32)) -> Vec<Small> {
    let settled = group.scored.as_ref();
    let values = settled.map_or(&Values::None, |scored| &scored.values);
    let small = |position: usize| {
        let score = group.results.plain_score(position)?;
        match settled?.numerator(&group.results, position) {
            Some(num) => Small::of(score, num),
            None if matches!(values, Values::None) => {
                Some(Small { score: Small::part(score)?, num: Small::NONE })
            }
            None => None,
        }
    };
    let cells: Vec<Small> = match (&group.results, values) {
        _ if !fits => vec![Small::ABSENT; group.entrants.len()],
        (Results::Plain(scores), Values::ByScore { low, num, .. }) => {
            let nums: Vec<i32> = num.iter().map(|num| Small::part(*num).unwrap_or(Small::NONE)).collect();
            let of = |score: &i64| {
                let num = nums.get(slot(*score, *low)).copied().filter(|num| *num != Small::NONE)?;
                Some(Small { score: Small::part(*score)?, num })
            };
            scores.iter().map(|score| of(score).unwrap_or(Small::ABSENT)).collect()
        }
        (Results::Plain(scores), Values::Shared { num, .. }) => {
            let pairs = scores.iter().zip(num);
            pairs.map(|(score, num)| Small::of(*score, *num).unwrap_or(Small::ABSENT)).collect()
        }
        _ => (0..group.entrants.len()).map(|at| small(at).unwrap_or(Small::ABSENT)).collect(),
    };
    if cells.contains(&Small::ABSENT) {
        for (entrant, _) in group.entrants.iter().zip(&cells).filter(|(_, cell)| **cell == Small::ABSENT) {
            long(*entrant);
        }
    }
    cells
}

impl<'a> Settled<'a> {
    /// 1: entrants × boards.
    #[must_use]
    pub fn cross_tab(&self) -> CrossTab<'a> {
        let event = self.event;
        let several = |groups: &[u32]| {
            let mut seen = HashSet::new();
            let members = |group: &u32| event.groups.get(*group as usize).map(|group| group.entrants.iter());
            groups.len() > 1
                && groups.iter().filter_map(members).flatten().any(|entrant| !seen.insert(*entrant))
        };
        let by_seat = event.boards.iter().any(|board| several(&board.groups));
        let mut columns: Vec<(Column, Vec<u32>)> = if by_seat {
            let column = |(index, group): (u32, &super::event::Group)| {
                let board = event.boards.get(group.board as usize)?.id.as_str();
                let seat = event.seats.get(group.seat as usize)?.as_str();
                Some((Column { board, seat: Some(seat) }, vec![index]))
            };
            (0u32..).zip(&event.groups).filter_map(column).collect()
        } else {
            let boards = event.boards.iter();
            boards.map(|board| (Column { board: &board.id, seat: None }, board.groups.clone())).collect()
        };
        columns.sort_by(|(a, _), (b, _)| {
            natural(a.board, b.board).then_with(|| natural(a.seat.unwrap_or(""), b.seat.unwrap_or("")))
        });
        let mut column_of = vec![u32::MAX; event.groups.len()];
        for (column, (_, groups)) in (0u32..).zip(&columns) {
            for group in groups {
                if let Some(slot) = column_of.get_mut(*group as usize) {
                    *slot = column;
                }
            }
        }
        CrossTab {
            event,
            columns: columns.into_iter().map(|(column, _)| column).collect(),
            sorted: column_of.is_sorted(),
            column_of,
            rows: self.ranking().rows.iter().map(|row| row.ix).collect(),
        }
    }
}
