//! Makes a plan for a request. See `docs/movements.md` for what is promised and how it is reached.

use super::meetings;
use super::seating::{self, Seating, Shape};
use super::{Fill, Format, Occupant, Plan, Request, RequestFault, Round, Table};
use crate::chance::Chance;
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
/// Every contradiction in the request, or `disconnected` when so few boards are played that some entrants could not
/// be compared with the others even through others.
pub fn plan(request: &Request) -> Result<Plan, Vec<RequestFault>> {
    let faults = request.faults();
    if !faults.is_empty() {
        return Err(faults);
    }
    match request.format {
        Format::HumanAi { seat } => Ok(human_ai(request, seat)),
        Format::Individual => duplicate(request, (0..request.seats).map(|seat| vec![seat]).collect()),
        Format::Pairs => duplicate(request, vec![vec![0, 2], vec![1, 3]]),
    }
}

/// The boards of every round.
fn rounds_of(request: &Request) -> Vec<Vec<u32>> {
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

fn duplicate(request: &Request, positions: Vec<Vec<u8>>) -> Result<Plan, Vec<RequestFault>> {
    let k = positions.len();
    let real = request.entrants as usize;
    let boards = rounds_of(request);
    let (members, present) = presence(request, k, boards.len());
    let mut chance = Chance::of("fushi-movement/1", request.seed.as_bytes());
    let wanted = if members <= CHOOSE_MEMBERS_MAX { CHOICES } else { 1 };
    let groups = (0..wanted)
        .map(|_| meetings::group(members, k, &present, &mut chance))
        .min_by_key(|groups| most_meetings(groups, real))
        .unwrap_or_default();
    let shapes: Vec<Shape> = groups
        .into_iter()
        .zip(&boards)
        .map(|(tables, boards)| Shape { tables, boards: boards.len() })
        .collect();
    let best = (0..ATTEMPTS_MAX)
        .map(|_| seating::seat(&shapes, members, real, k, &mut chance))
        .filter(|seating| connected(seating, real, k))
        .take(wanted)
        .min_by_key(|seating| unevenness(seating, real, k));
    if let Some(seating) = best {
        return Ok(assemble(request, positions, &boards, &shapes, &present, &seating));
    }
    Err(vec![RequestFault::new(
        "disconnected",
        message!("request-disconnected", boards = request.boards, real),
    )])
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
        let played: Vec<&Vec<Vec<usize>>> = at.by_ref().take(boards.len()).collect();
        let tables = (1..)
            .zip(0..shape.tables.len())
            .map(|(table, index)| Table {
                table,
                sittings: played
                    .iter()
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

/// How often the two real members who meet most share a table, and the sum of the squares over all.
fn most_meetings(groups: &[meetings::Grouping], real: usize) -> (u64, u64) {
    let mut times = vec![0_u64; real * real];
    for table in groups.iter().flatten() {
        for (place, one) in table.iter().enumerate() {
            for other in &table[place + 1..] {
                if *one < real && *other < real {
                    times[one.min(other) * real + one.max(other)] += 1;
                }
            }
        }
    }
    (times.iter().copied().max().unwrap_or_default(), times.iter().map(|count| count * count).sum())
}

/// The sum of the squares of how often two real members are compared; their sum is the same for every seating, so
/// the smallest is the most even.
fn unevenness(seating: &Seating, real: usize, k: usize) -> u64 {
    let mut times = vec![0_u64; real * real];
    for tables in &seating.at {
        for seat in 0..k {
            let group: Vec<usize> =
                tables.iter().map(|table| table[seat]).filter(|member| *member < real).collect();
            for (place, one) in group.iter().enumerate() {
                for other in &group[place + 1..] {
                    times[one.min(other) * real + one.max(other)] += 1;
                }
            }
        }
    }
    times.iter().map(|count| count * count).sum()
}

/// Whether comparisons connect all real members: those who share a seat on a board are joined.
fn connected(seating: &Seating, real: usize, k: usize) -> bool {
    fn root(parents: &mut [usize], mut member: usize) -> usize {
        while parents[member] != member {
            parents[member] = parents[parents[member]];
            member = parents[member];
        }
        member
    }
    let mut parents: Vec<usize> = (0..real).collect();
    let mut parts = real;
    for tables in &seating.at {
        for seat in 0..k {
            let mut group = tables.iter().map(|table| table[seat]).filter(|member| *member < real);
            let Some(first) = group.next() else { continue };
            for member in group {
                let (one, other) = (root(&mut parents, first), root(&mut parents, member));
                if one != other {
                    parents[one] = other;
                    parts -= 1;
                }
            }
        }
    }
    parts <= 1
}
