//! From finished boards and rulings to results and standings: the one computation that publishing and verifying
//! share. Pure; the same inputs give the same lines, byte for byte, on every machine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ruling::{Decision, Ruling, RulingFault, in_force};
use super::settings::{Entrant, Settings};
use crate::scoring::{
    Amount, Basis, Entry, Event, Exact, Penalty, PutFault, Ranking, Role, Rules, Score, Standing, Status,
    Step,
};
use crate::words::{Message, message};

/// What one entrant (or stand-in) has from one board at one table, before rulings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The board's number.
    pub board: u32,
    /// The table; `None` for a board that was not played (a bye).
    pub table: Option<u32>,
    /// The position: `A`, or `EW` for a pair.
    pub seat: String,
    /// The entrant's id, or `stand-in:N`.
    pub entrant: String,
    /// The number that is compared; `None` when the board was not played.
    pub score: Option<i64>,
    /// The side, where the game has one.
    pub role: Option<Role>,
    /// SHA-256 of the deal, hexadecimal.
    pub deal: Option<String>,
}

/// A published result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultLine {
    /// The board's number.
    pub board: u32,
    /// The position.
    pub seat: String,
    /// The entrant.
    pub entrant: String,
    /// The table; `null` when not played.
    pub table: Option<u32>,
    /// SHA-256 of the deal, as in the receipt; `null` when not played.
    pub deal: Option<String>,
    /// What became of the board.
    pub status: Status,
    /// The raw score, after rulings.
    pub score: Option<Score>,
    /// Matchpoints after equalising and penalties, where the method has them.
    pub mp: Option<Exact>,
    /// The greatest possible number of matchpoints.
    pub top: Option<i64>,
    /// What enters the average; `null` when the result does not count.
    pub value: Option<Exact>,
    /// What the value rests on.
    pub basis: Basis,
    /// The rulings that the result rests on.
    pub rulings: Vec<u32>,
}

/// A line of the standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandingLine {
    /// The entrant.
    pub entrant: String,
    /// The place as the rank style writes it; `null` without one.
    pub rank: Option<String>,
    /// Why there is no place; `null` with one.
    pub unranked: Option<String>,
    /// The exact average (the sum under `total`).
    pub average: Option<Exact>,
    /// How many results count.
    pub boards: u32,
    /// The step that decided the place.
    pub decided_by: Option<Step>,
}

/// Results and standings.
pub struct Tally {
    /// Everything scored, for cross-tabulations.
    pub event: Event,
    /// The results by board, seat and entrant number.
    pub results: Vec<ResultLine>,
    /// The standings in order.
    pub standings: Vec<StandingLine>,
    /// The ranking behind the standings.
    pub ranking: Ranking,
}

/// Why nothing can be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TallyFault {
    /// A ruling that cannot stand.
    #[error("ruling {0}: {1}")]
    Ruling(u32, RulingFault),
    /// A ruling whose effect the scoring method has no meaning for.
    #[error("ruling {0}: {1}")]
    Put(u32, PutFault),
    /// Two results of one entrant on one board, or a score that cannot be.
    #[error(transparent)]
    Result(#[from] PutFault),
}

impl TallyFault {
    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            TallyFault::Ruling(number, fault) => message!("tally-ruling", number, what = fault.message()),
            TallyFault::Put(number, fault) => message!("tally-ruling", number, what = fault.message()),
            TallyFault::Result(fault) => fault.message(),
        }
    }
}

struct Row {
    played: Played,
    entry: Entry,
    rulings: Vec<u32>,
}

/// What results are computed from beside themselves.
pub(super) struct Tallied<'a> {
    pub scoring: &'a Rules,
    /// The largest number of results that are compared with one another on a board.
    pub compared: u32,
    /// The entrants' numbers by their ids.
    pub entrants: &'a BTreeMap<&'a str, u32>,
}

/// Computes results and standings.
///
/// # Errors
/// The first ruling or result that cannot stand.
pub fn tally(
    settings: &Settings,
    entrants: &[Entrant],
    played: Vec<Played>,
    rulings: &[Ruling],
) -> Result<Tally, TallyFault> {
    for (number, ruling) in (1..).zip(rulings) {
        ruling.check(number).map_err(|fault| TallyFault::Ruling(number, fault))?;
    }
    let holding = in_force(rulings).map_err(|fault| {
        let number = match &fault {
            RulingFault::NotInForce(number) => *number,
            _ => 0,
        };
        TallyFault::Ruling(number, fault)
    })?;
    let compared = settings.compared(entrants.len());
    let entrants = entrants.iter().map(|entrant| (entrant.id.as_str(), entrant.number)).collect();
    tally_of(&Tallied { scoring: &settings.scoring, compared, entrants: &entrants }, played, &holding)
}

/// The same from the rulings that hold.
pub(super) fn tally_of(
    about: &Tallied<'_>,
    played: Vec<Played>,
    holding: &[&Ruling],
) -> Result<Tally, TallyFault> {
    let rank_of = |id: &str| about.entrants.get(id).copied().unwrap_or(u32::MAX);
    let mut rows: Vec<Row> = played.into_iter().map(fresh).collect();
    rows.sort_by(|a, b| {
        let key = |row: &Row| (row.played.board, rank_of(&row.played.entrant));
        key(a)
            .cmp(&key(b))
            .then_with(|| a.played.seat.cmp(&b.played.seat))
            .then_with(|| a.played.entrant.cmp(&b.played.entrant))
    });
    rows.sort_by(|a, b| (a.played.board, &a.played.seat).cmp(&(b.played.board, &b.played.seat)));
    let mut event = Event::new(about.scoring.clone());
    let mut entrants: Vec<(&u32, &str)> = about.entrants.iter().map(|(id, number)| (number, *id)).collect();
    entrants.sort_unstable();
    for (_, entrant) in entrants {
        event.register(entrant);
    }
    apply(&mut rows, &mut event, about, holding)?;
    for row in &rows {
        event.add(&row.played.board.to_string(), &row.played.seat, &row.played.entrant, row.entry.clone())?;
        if !about.entrants.contains_key(row.played.entrant.as_str()) {
            event.set_standing(&row.played.entrant, Standing::StandIn);
        }
    }
    let (results, ranking) = {
        let settled = event.settle();
        let results = rows.into_iter().map(|row| result_line(row, &settled)).collect();
        (results, settled.into_ranking())
    };
    let standings = standing_lines(&ranking);
    Ok(Tally { event, results, standings, ranking })
}

/// What every result counts in a sum of points, by board and entrant, after the rulings that hold: a result without a score
/// and a void board count 0, penalties are taken off.
pub(super) fn points(played: Vec<Played>, holding: &[&Ruling]) -> BTreeMap<(u32, String), Exact> {
    let void = |board: u32| {
        holding
            .iter()
            .any(|ruling| matches!(ruling.decision, Decision::Void { board: void } if void == board))
    };
    let rows = played.into_iter().map(|played| ((played.board, played.entrant.clone()), fresh(played)));
    let mut rows: BTreeMap<(u32, String), Row> = rows.collect();
    for ruling in holding {
        let (Decision::Score { board, entrant, .. }
        | Decision::Status { board, entrant, .. }
        | Decision::Weighted { board, entrant, .. }
        | Decision::Penalty { board, entrant, .. }) = &ruling.decision
        else {
            continue;
        };
        if let Some(row) = rows.get_mut(&(*board, entrant.clone())) {
            rule(&mut row.entry, ruling);
        }
    }
    let worth = |((board, entrant), row): ((u32, String), Row)| {
        let mut value = Exact::ZERO;
        if !void(board) {
            if let Some(raw) = row.entry.raw().filter(|_| row.entry.is_compared()) {
                value += &raw.exact();
            }
            for penalty in row.entry.penalties() {
                if let Amount::Points(amount) = &penalty.amount {
                    value -= amount;
                }
            }
        }
        ((board, entrant), value)
    };
    rows.into_iter().map(worth).collect()
}

fn fresh(played: Played) -> Row {
    let mut entry = match played.score {
        Some(score) => Entry::played(score),
        None => Entry::of(Status::NotPlayed),
    };
    if let Some(table) = played.table {
        entry = entry.at_table(table.to_string());
    }
    if let Some(role) = played.role {
        entry = entry.in_role(role);
    }
    Row { played, entry, rulings: Vec::new() }
}

/// Carries the rulings that hold into the rows and the event.
fn apply(
    rows: &mut [Row],
    event: &mut Event,
    about: &Tallied<'_>,
    holding: &[&Ruling],
) -> Result<(), TallyFault> {
    for ruling in holding {
        let fail = |fault| TallyFault::Ruling(ruling.number, fault);
        match &ruling.decision {
            Decision::Void { board } => {
                let mut any = false;
                for row in rows.iter_mut().filter(|row| row.played.board == *board) {
                    row.rulings.push(ruling.number);
                    any = true;
                }
                if !any {
                    return Err(fail(RulingFault::NoBoard(*board)));
                }
                event.set_void(&board.to_string(), true);
            }
            Decision::Standing { entrant, standing } => {
                if !about.entrants.contains_key(entrant.as_str()) {
                    return Err(fail(RulingFault::NoEntrant(entrant.clone())));
                }
                event.set_standing(entrant, *standing);
            }
            Decision::Score { board, entrant, .. }
            | Decision::Status { board, entrant, .. }
            | Decision::Weighted { board, entrant, .. }
            | Decision::Penalty { board, entrant, .. } => {
                let row = rows
                    .iter_mut()
                    .find(|row| row.played.board == *board && row.played.entrant == *entrant)
                    .ok_or_else(|| fail(RulingFault::NoResult(entrant.clone(), *board)))?;
                let scored = matches!(ruling.decision, Decision::Score { .. } | Decision::Weighted { .. });
                if scored && row.played.table.is_none() {
                    return Err(fail(RulingFault::Bye(entrant.clone(), *board)));
                }
                row.rulings.push(ruling.number);
                rule(&mut row.entry, ruling);
                for penalty in row.entry.penalties() {
                    penalty
                        .check_under(about.scoring, about.compared)
                        .map_err(|fault| fail(RulingFault::Penalty(fault)))?;
                }
            }
            Decision::Withdraw { .. } => {}
        }
    }
    Ok(())
}

/// What a ruling makes of one result. A later decision about the score replaces an earlier one; penalties stay.
fn rule(entry: &mut Entry, ruling: &Ruling) {
    let id = ruling.number.to_string();
    let more = entry.more.get_or_insert_default();
    let resting = |weighted| Some(crate::scoring::Ruling { id: id.clone(), weighted });
    match &ruling.decision {
        Decision::Score { score, .. } => {
            more.ruling = resting(Vec::new());
            entry.status = Status::Played;
            entry.score = Some(score.clone());
        }
        Decision::Status { status, .. } => {
            more.ruling = resting(Vec::new());
            entry.status = *status;
        }
        Decision::Weighted { outcomes, .. } => {
            more.ruling = resting(outcomes.clone());
            entry.status = Status::Played;
        }
        Decision::Penalty { amount, .. } => {
            more.penalties.push(Penalty { ruling: id, amount: amount.clone() });
        }
        Decision::Void { .. } | Decision::Standing { .. } | Decision::Withdraw { .. } => {}
    }
}

fn result_line(row: Row, settled: &crate::scoring::Settled<'_>) -> ResultLine {
    let Played { board, table, seat, entrant, deal, .. } = row.played;
    let cell = settled.cell(&board.to_string(), &seat, &entrant);
    let (mp, top, value, basis) = match cell {
        Some(cell) => (cell.matchpoints, cell.top, cell.value, cell.basis),
        // Every row was put into the event.
        None => (None, None, None, Basis::NotPlayed),
    };
    ResultLine {
        board,
        seat,
        entrant,
        table,
        deal,
        status: row.entry.status,
        score: row.entry.raw(),
        mp,
        top,
        value,
        basis,
        rulings: row.rulings,
    }
}

fn standing_lines(ranking: &Ranking) -> Vec<StandingLine> {
    ranking
        .rows
        .iter()
        .map(|row| StandingLine {
            entrant: row.entrant.clone(),
            rank: row.place.as_ref().ok().map(|place| place.shown(ranking.style)),
            unranked: row.place.as_ref().err().map(|reason| reason.id().to_owned()),
            average: row.average.clone(),
            boards: row.boards,
            decided_by: row.decided_by,
        })
        .collect()
}

impl std::fmt::Debug for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tally")
            .field("results", &self.results)
            .field("standings", &self.standings)
            .finish_non_exhaustive()
    }
}
