//! The five cross-tabulations, as data: entrants × boards, the traveller, an entrant's card, seats and roles, and two
//! entrants head to head.
//!
//! A view only arranges what the event already knows; it never re-computes a value. Boards and seats come in natural
//! order (2 before 10), entrants in the order of the ranking or in code-point order.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

pub use super::crosstab::{Column, CrossCell, CrossTab};
use super::entry::{Entry, Role};
use super::event::{Basis, Cell, Event, Settled};
use super::exact::{Exact, Score};
use super::ranking::RankRow;
use super::results::At;

/// Order of boards and seats: digits by their number, everything else by code point, so 2 comes before 10.
#[must_use]
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (Some(one), Some(two)) = (left.chars().next(), right.chars().next()) else {
            return left.is_empty().cmp(&right.is_empty()).reverse().then_with(|| a.cmp(b));
        };
        if one.is_ascii_digit() && two.is_ascii_digit() {
            let (number, rest) = digits(left);
            let (other, other_rest) = digits(right);
            let order = number.len().cmp(&other.len()).then_with(|| number.cmp(other));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (rest, other_rest);
        } else if one == two {
            left = left.get(one.len_utf8()..).unwrap_or("");
            right = right.get(two.len_utf8()..).unwrap_or("");
        } else {
            return one.cmp(&two);
        }
    }
}

/// The leading digits without leading zeros, and the rest.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    (number.trim_start_matches('0'), rest)
}

/// A result with everything that is shown of it.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// The board.
    pub board: &'a str,
    /// The seat.
    pub seat: &'a str,
    /// The entrant.
    pub entrant: &'a str,
    /// The result as it was put in.
    pub entry: Cow<'a, Entry>,
    /// What it is worth.
    pub cell: Cell,
}

/// How often a raw score was reached in one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frequency {
    /// The raw score, its expectation under a weighted ruling.
    pub score: Score,
    /// How many results.
    pub count: u32,
}

/// 2: one board with every table, all seats, and frequencies.
#[derive(Clone, Debug)]
pub struct Traveller<'a> {
    /// The board.
    pub board: &'a str,
    /// Whether it is void.
    pub void: bool,
    /// The seats in natural order.
    pub seats: Vec<TravellerSeat<'a>>,
}

/// One comparison group of a traveller.
#[derive(Clone, Debug)]
pub struct TravellerSeat<'a> {
    /// The seat.
    pub seat: &'a str,
    /// Its results: best value first, then those without a value, equal ones in code-point order.
    pub lines: Vec<Line<'a>>,
    /// The compared raw scores, best first.
    pub frequencies: Vec<Frequency>,
}

/// 3: an entrant's own card.
#[derive(Clone, Debug)]
pub struct Card<'a> {
    /// The entrant's row in the ranking.
    pub row: &'a RankRow,
    /// Every result in natural order of board and seat, with the group's distribution.
    pub lines: Vec<(Line<'a>, Vec<Frequency>)>,
}

/// 4: sums over results of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Results that count and are no awards.
    pub boards: u32,
    /// Their mean value.
    pub mean: Option<Exact>,
    /// The sum of their raw scores.
    pub raw: Exact,
}

/// 4: seat × entrant and role summaries. The entrant is `None` for everybody together.
#[derive(Clone, Debug, Default)]
pub struct Seats<'a> {
    /// Per seat (natural order) and entrant (everybody first, then in the order of the ranking).
    pub seats: Vec<(&'a str, Option<&'a str>, Summary)>,
    /// Per role and entrant, likewise; empty when no roles are known.
    pub roles: Vec<(Role, Option<&'a str>, Summary)>,
}

/// 5: two entrants on the boards both played in the same seat.
#[derive(Clone, Debug)]
pub struct Versus<'a> {
    /// Each comparison in natural order of board and seat: the first entrant's result and the second's.
    pub lines: Vec<(Line<'a>, Line<'a>)>,
    /// Comparisons in which the first entrant's raw score is higher.
    pub won: u32,
    /// Comparisons with equal raw scores.
    pub tied: u32,
    /// Comparisons in which the first entrant's raw score is lower.
    pub lost: u32,
    /// The first entrant's mean value over these boards.
    pub mean: Option<Exact>,
    /// The second entrant's mean value over these boards.
    pub other_mean: Option<Exact>,
}

pub(crate) fn line(event: &Event, at: At) -> Option<Line<'_>> {
    let group = event.groups.get(at.group as usize)?;
    let entrant = *group.entrants.get(at.position as usize)?;
    Some(Line {
        board: &event.boards.get(group.board as usize)?.id,
        seat: event.seats.get(group.seat as usize)?,
        entrant: &event.entrants.get(entrant as usize)?.id,
        entry: group.results.get(at.position as usize)?,
        cell: event.cell(at),
    })
}

fn group_lines(event: &Event, group: u32) -> Vec<Line<'_>> {
    let len = event.groups.get(group as usize).map_or(0, |group| group.results.len());
    let positions = 0..u32::try_from(len).unwrap_or(u32::MAX);
    let mut lines: Vec<Line> = positions.filter_map(|position| line(event, At { group, position })).collect();
    lines.sort_by(|a, b| b.cell.value.cmp(&a.cell.value).then_with(|| a.entrant.cmp(b.entrant)));
    lines
}

fn frequencies(event: &Event, group: u32) -> Vec<Frequency> {
    let mut counts = BTreeMap::<Score, u32>::new();
    for entry in event.groups.get(group as usize).into_iter().flat_map(|group| group.results.iter()) {
        if let (true, Some(raw)) = (entry.is_compared(), entry.raw()) {
            *counts.entry(raw).or_default() += 1;
        }
    }
    counts.into_iter().rev().map(|(score, count)| Frequency { score, count }).collect()
}

fn place_order(a: &Line<'_>, b: &Line<'_>) -> Ordering {
    natural(a.board, b.board).then_with(|| natural(a.seat, b.seat))
}

/// The representative of a part of the field.
fn root(parent: &mut [usize], mut at: usize) -> usize {
    while let Some(up) = parent.get(at).copied().filter(|up| *up != at) {
        let above = parent.get(up).copied().unwrap_or(up);
        if let Some(slot) = parent.get_mut(at) {
            *slot = above;
        }
        at = up;
    }
    at
}

/// Sums up results: those that count by their own play.
#[derive(Clone)]
struct Sum {
    boards: u32,
    value: Exact,
    raw: Exact,
}

impl Sum {
    const EMPTY: Sum = Sum { boards: 0, value: Exact::ZERO, raw: Exact::ZERO };

    fn add(&mut self, value: &Exact, entry: &Entry) {
        self.boards += 1;
        self.value += value;
        if let Some(raw) = entry.raw() {
            self.raw += &raw.exact();
        }
    }

    fn summary(self) -> Summary {
        let mean = (self.boards > 0).then(|| self.value.per(self.boards));
        Summary { boards: self.boards, mean, raw: self.raw }
    }
}

impl<'a> Settled<'a> {
    /// Boards in natural order.
    #[must_use]
    pub fn boards(&self) -> Vec<&'a str> {
        let mut ids: Vec<&str> = self.event.boards.iter().map(|board| board.id.as_str()).collect();
        ids.sort_by(|a, b| natural(a, b));
        ids
    }

    /// Seats in natural order.
    #[must_use]
    pub fn seats(&self) -> Vec<&'a str> {
        let mut ids: Vec<&str> = self.event.seats.iter().map(String::as_str).collect();
        ids.sort_by(|a, b| natural(a, b));
        ids
    }

    /// Every comparison group in natural order of board and seat, each with its results, best first.
    pub fn groups(&self) -> impl Iterator<Item = (&'a str, &'a str, Vec<Line<'a>>)> + '_ {
        let event = self.event;
        let name = |group: &u32| {
            let group = event.groups.get(*group as usize)?;
            Some((
                event.boards.get(group.board as usize)?.id.as_str(),
                event.seats.get(group.seat as usize)?.as_str(),
            ))
        };
        let mut order: Vec<u32> = (0u32..).take(event.groups.len()).collect();
        order.sort_by(|a, b| match (name(a), name(b)) {
            (Some(a), Some(b)) => natural(a.0, b.0).then_with(|| natural(a.1, b.1)),
            _ => Ordering::Equal,
        });
        order.into_iter().filter_map(move |group| {
            let (board, seat) = name(&group)?;
            Some((board, seat, group_lines(event, group)))
        })
    }

    /// 2: the traveller of a board; `None` when there is no such board.
    #[must_use]
    pub fn traveller(&self, board: &str) -> Option<Traveller<'a>> {
        let board = self.event.find_board(board)?;
        let board = self.event.boards.get(board as usize)?;
        let mut seats: Vec<TravellerSeat> = board
            .groups
            .iter()
            .filter_map(|group| {
                let seat = self.event.groups.get(*group as usize)?.seat;
                Some(TravellerSeat {
                    seat: self.event.seats.get(seat as usize)?,
                    lines: group_lines(self.event, *group),
                    frequencies: frequencies(self.event, *group),
                })
            })
            .collect();
        seats.sort_by(|a, b| natural(a.seat, b.seat));
        Some(Traveller { board: &board.id, void: board.is_void(), seats })
    }

    /// 3: an entrant's own card; `None` when there is no such entrant.
    #[must_use]
    pub fn card(&self, entrant: &str) -> Option<Card<'_>> {
        let row = self.ranking().of(entrant)?;
        let mut lines: Vec<(Line, Vec<Frequency>)> = self
            .event
            .at(row.ix)
            .into_iter()
            .filter_map(|at| Some((line(self.event, at)?, frequencies(self.event, at.group))))
            .collect();
        lines.sort_by(|(a, _), (b, _)| place_order(a, b));
        Some(Card { row, lines })
    }

    /// 4: seat × entrant and role summaries.
    #[must_use]
    pub fn seat_summaries(&self) -> Seats<'a> {
        let event = self.event;
        // Everybody together has the order 0, the n-th of the ranking n + 1.
        let mut seats = BTreeMap::<(u32, usize), Sum>::new();
        let mut roles = BTreeMap::<(Role, usize), Sum>::new();
        let mut names = vec![None];
        for (order, row) in (1..).zip(&self.ranking().rows) {
            let Some(entrant) = event.entrants.get(row.ix as usize) else { continue };
            names.push(Some(entrant.id.as_str()));
            for at in event.at(row.ix) {
                let cell = event.cell(at);
                let own = matches!(cell.basis, Basis::Compared | Basis::LoneHalf);
                let (Some(value), Some(group), true) = (cell.value, event.groups.get(at.group as usize), own)
                else {
                    continue;
                };
                let Some(entry) = group.results.get(at.position as usize) else { continue };
                for order in [0, order] {
                    seats.entry((group.seat, order)).or_insert(Sum::EMPTY).add(&value, &entry);
                    if let Some(role) = entry.role() {
                        roles.entry((role, order)).or_insert(Sum::EMPTY).add(&value, &entry);
                    }
                }
            }
        }
        let name = |order: usize| names.get(order).copied().flatten();
        let mut by_seat: Vec<(&str, Option<&str>, Summary)> = seats
            .into_iter()
            .filter_map(|((seat, order), sum)| {
                Some((event.seats.get(seat as usize)?.as_str(), name(order), sum.summary()))
            })
            .collect();
        // A stable sort: the entrants of one seat stay in order.
        by_seat.sort_by(|a, b| natural(a.0, b.0));
        let by_role =
            roles.into_iter().map(|((role, order), sum)| (role, name(order), sum.summary())).collect();
        Seats { seats: by_seat, roles: by_role }
    }

    /// 5: two entrants head to head; `None` when either is unknown.
    #[must_use]
    pub fn versus(&self, one: &str, other: &str) -> Option<Versus<'a>> {
        let event = self.event;
        let other = event.find_entrant(other)?;
        let pairs = event.at(event.find_entrant(one)?).into_iter().filter_map(|at| {
            let position = event.position(at.group, other)?;
            Some((line(event, at)?, line(event, At { group: at.group, position })?))
        });
        let counts = |line: &Line| matches!(line.cell.basis, Basis::Compared | Basis::LoneHalf);
        let mut lines: Vec<(Line, Line)> = pairs.filter(|(a, b)| counts(a) && counts(b)).collect();
        lines.sort_by(|(a, _), (b, _)| place_order(a, b));
        let (mut left, mut right) = (Sum::EMPTY, Sum::EMPTY);
        let mut orders = [0u32; 3];
        for (a, b) in &lines {
            let [lost, tied, won] = &mut orders;
            match a.entry.raw().cmp(&b.entry.raw()) {
                Ordering::Less => *lost += 1,
                Ordering::Equal => *tied += 1,
                Ordering::Greater => *won += 1,
            }
            for (line, sum) in [(a, &mut left), (b, &mut right)] {
                if let Some(value) = &line.cell.value {
                    sum.add(value, &line.entry);
                }
            }
        }
        let [lost, tied, won] = orders;
        Some(Versus { lines, won, tied, lost, mean: left.summary().mean, other_mean: right.summary().mean })
    }

    /// The number of parts of the field that were never compared with one another, directly or through others. More
    /// than 1 means that one ranking of them all compares what cannot be compared.
    #[must_use]
    pub fn separate_fields(&self) -> usize {
        let event = self.event;
        let mut parent: Vec<usize> = (0..event.entrants.len()).collect();
        let mut plays = vec![false; event.entrants.len()];
        for group in &event.groups {
            if event.boards.get(group.board as usize).is_some_and(super::event::Board::is_void) {
                continue;
            }
            let mut members =
                group.entrants.iter().zip(group.results.iter()).filter(|(_, entry)| entry.is_compared());
            let Some((first, _)) = members.next() else { continue };
            let first = *first as usize;
            for entrant in std::iter::once(first).chain(members.map(|(entrant, _)| *entrant as usize)) {
                if let Some(slot) = plays.get_mut(entrant) {
                    *slot = true;
                }
                let (a, b) = (root(&mut parent, first), root(&mut parent, entrant));
                if let Some(slot) = parent.get_mut(b) {
                    *slot = a;
                }
            }
        }
        (0..plays.len()).filter(|at| plays.get(*at) == Some(&true) && parent.get(*at) == Some(at)).count()
    }
}
