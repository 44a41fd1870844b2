//! Makes a plan for a request. See `docs/movements.md` for what is promised and how it is reached.

use super::cut::{self, Boards};
use super::meetings;
use super::quality::{Evenness, connected, most_meetings, shape};
use super::seating::{self, Seating, Shape};
use super::{Fill, Format, Occupant, Plan, Request, RequestFault, Round, Table};
use crate::rng::GameRng;
use crate::words::message;

/// Seatings tried until the comparisons connect everybody.
const ATTEMPTS_MAX: u32 = 12;
/// Up to this many members the best of several plans is taken; a larger field is even by its size.
const CHOOSE_MEMBERS_MAX: usize = 60;
/// Groupings, and connected seatings, among which a small field chooses.
const CHOICES: usize = 6;

/// Makes the plan of a request; the same request gives the same plan.
///
/// # Errors
/// Every contradiction in the request, `disconnected` when so few boards are played that some entrants could not
/// be compared with the others even through others, or `uneven_comparisons` when all can, but not fairly.
pub fn plan(request: &Request) -> Result<Plan, Vec<RequestFault>> {
    let faults = request.faults();
    if !faults.is_empty() {
        return Err(faults);
    }
    match request.format {
        Format::HumanAi { seat } => Ok(human_ai(request, seat)),
        Format::Individual => {
            duplicate(request, &(0..request.seats).map(|seat| vec![seat]).collect::<Vec<_>>())
        }
        Format::Pairs => duplicate(request, &[vec![0, 2], vec![1, 3]]),
    }
}

/// The boards of every round, as they were asked for.
fn rounds_of(request: &Request) -> Boards {
    let boards: Vec<u32> = (1..=request.boards).collect();
    boards.chunks(request.boards_per_round as usize).map(<[u32]>::to_vec).collect()
}

/// Every entrant at an own table in the same seat on every board.
fn human_ai(request: &Request, seat: u8) -> Plan {
    let rounds = (1..)
        .zip(rounds_of(request))
        .map(|(round, boards)| {
            let tables = (1..=request.entrants)
                .map(|number| {
                    let mut sitting = vec![Occupant::Ai; usize::from(request.seats)];
                    if let Some(place) = sitting.get_mut(usize::from(seat)) {
                        *place = Occupant::Entrant(number);
                    }
                    Table { table: number, sittings: vec![sitting; boards.len()] }
                })
                .collect();
            Round { round, boards, tables, byes: Vec::new() }
        })
        .collect();
    Plan {
        format: request.format,
        positions: (0..request.seats).map(|seat| vec![seat]).collect(),
        entrants: request.entrants,
        stand_ins: 0,
        rounds,
    }
}

/// Who is there in each round, members from 0, and how many members there are with stand-ins.
fn presence(request: &Request, k: usize, rounds: usize) -> (usize, Vec<Vec<usize>>) {
    let entrants = request.entrants as usize;
    match request.fill {
        Fill::StandIn => {
            let members = entrants.div_ceil(k).max(2) * k;
            (members, vec![(0..members).collect(); rounds])
        }
        Fill::Bye => {
            let out = entrants % k;
            // The byes go round: nobody has a second one before everybody had the first.
            let present = (0..rounds)
                .map(|round| {
                    let first = round * out % entrants;
                    (0..entrants).filter(|member| (member + entrants - first) % entrants >= out).collect()
                })
                .collect();
            (entrants, present)
        }
    }
}

/// The longest rounds, of those that were asked for or are cut from them, in which everybody can be compared fairly.
fn duplicate(request: &Request, positions: &[Vec<u8>]) -> Result<Plan, Vec<RequestFault>> {
    let k = positions.len();
    let mut chance = GameRng::of("fushi-movement/1", request.seed.as_bytes());
    let mut fault = None;
    for boards in cut::ways(request, presence(request, k, 1).0, k) {
        match laid_out(request, positions, &boards, &mut chance) {
            Ok(plan) => return Ok(plan),
            Err(found) => fault = Some(found),
        }
    }
    Err(fault.into_iter().collect())
}

/// The best plan for given rounds.
fn laid_out(
    request: &Request,
    positions: &[Vec<u8>],
    boards: &Boards,
    chance: &mut GameRng,
) -> Result<Plan, RequestFault> {
    let k = positions.len();
    let real = request.entrants as usize;
    let (members, present) = presence(request, k, boards.len());
    let wanted = if members <= CHOOSE_MEMBERS_MAX { CHOICES } else { 1 };
    let groups = (0..wanted)
        .map(|_| meetings::group(members, k, &present, chance))
        .min_by_key(|groups| most_meetings(groups, real))
        .unwrap_or_default();
    let pairs = request.format == Format::Pairs;
    let shapes: Vec<Shape> =
        groups.into_iter().zip(boards).map(|(tables, boards)| shape(tables, boards, pairs)).collect();
    let best = (0..ATTEMPTS_MAX)
        .map(|_| seating::seat(&shapes, members, real, k, chance))
        .filter(|seating| connected(seating, real, k))
        .take(wanted)
        .map(|seating| (Evenness::of(&seating, real, k), seating))
        .min_by_key(|(evenness, _)| evenness.squares);
    let Some((evenness, seating)) = best else {
        let told = message!("request-disconnected", boards = request.boards, real);
        return Err(RequestFault::new("disconnected", told));
    };
    if !evenness.fair(&seating, k) {
        let told = message!("request-uneven", boards = request.boards, real);
        return Err(RequestFault::new("uneven_comparisons", told));
    }
    Ok(assemble(request, positions.to_vec(), boards, &shapes, &present, &seating))
}

fn occupant(member: usize, real: usize) -> Occupant {
    // Members are at most ENTRANTS_MAX and a table more.
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    if member < real {
        Occupant::Entrant(number(member + 1))
    } else {
        Occupant::StandIn(number(member - real + 1))
    }
}

fn assemble(
    request: &Request,
    positions: Vec<Vec<u8>>,
    boards: &[Vec<u32>],
    shapes: &[Shape],
    present: &[Vec<usize>],
    seating: &Seating,
) -> Plan {
    let real = request.entrants as usize;
    let mut at = seating.at.iter();
    let mut stand_ins = 0;
    let mut rounds = Vec::with_capacity(boards.len());
    for (((round, boards), shape), present) in (1..).zip(boards).zip(shapes).zip(present) {
        let drawn: Vec<&Vec<Vec<usize>>> = at.by_ref().take(shape.draws).collect();
        // One draw of seats holds for its boards, for pairs all of the round.
        let played = || drawn.iter().flat_map(|tables| (0..shape.kind.boards).map(move |_| *tables));
        let tables = (1..)
            .zip(0..shape.tables.len())
            .map(|(table, index)| Table {
                table,
                sittings: played()
                    .map(|tables| tables[index].iter().map(|member| occupant(*member, real)).collect())
                    .collect(),
            })
            .collect();
        let byes = (1..=request.entrants)
            .filter(|number| present.binary_search(&(*number as usize - 1)).is_err())
            .collect();
        stand_ins = stand_ins.max(present.last().map_or(0, |last| (last + 1).saturating_sub(real)));
        rounds.push(Round { round, boards: boards.clone(), tables, byes });
    }
    Plan {
        format: request.format,
        positions,
        entrants: request.entrants,
        stand_ins: u32::try_from(stand_ins).unwrap_or(u32::MAX),
        rounds,
    }
}
