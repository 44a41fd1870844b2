//! Which seat everybody takes on each board: every seat equally often, and everybody compared with everybody alike.
//!
//! Balance comes first and is exact. The boards of a member are cut by lot into chunks of `k`; members' chunks and
//! sittings form a bipartite graph of degree at most `k`, whose edges can be coloured with `k` seats (Kőnig), so that
//! a chunk has each seat once and a sitting has each seat once. Then closed chains of seat changes, which keep the
//! balance, even out how often two members sit in the same seat on the same board.

use super::meetings::Grouping;
use crate::chance::Chance;

/// A round before seats are given: its tables and how many boards it has.
pub(super) struct Shape {
    pub tables: Grouping,
    pub boards: usize,
}

/// Above this many members the evening-out is left out: seats by lot are as even as they can be when there are many
/// more members than boards.
const EVEN_MEMBERS_MAX: usize = 300;
/// Work of the evening-out per member, counted in changed comparisons.
const EVEN_WORK: usize = 250_000;
/// Longest chain of seat changes that is tried.
const CHAIN_MAX: usize = 6;

/// Seats of every board: `[board over all rounds][table][seat] = member`.
pub(super) struct Seating {
    pub at: Vec<Vec<Vec<usize>>>,
}

/// Gives seats. Members from 0, those from `real` on are stand-ins, which nobody is compared with.
pub(super) fn seat(shapes: &[Shape], members: usize, real: usize, k: usize, chance: &mut Chance) -> Seating {
    let mut seating = coloured(shapes, members, k, chance);
    if members <= EVEN_MEMBERS_MAX && k > 1 {
        Evening::new(&seating, members, real, k).run(&mut seating, chance);
    }
    seating
}

struct Edge {
    chunk: usize,
    sitting: usize,
    seat: usize,
}

const NONE: usize = usize::MAX;

/// The balanced seating by edge colouring.
fn coloured(shapes: &[Shape], members: usize, k: usize, chance: &mut Chance) -> Seating {
    let mut plays: Vec<Vec<usize>> = vec![Vec::new(); members];
    let mut sittings: Vec<(usize, usize)> = Vec::new();
    let mut board = 0;
    for shape in shapes {
        for _ in 0..shape.boards {
            for (table, group) in shape.tables.iter().enumerate() {
                for member in group {
                    plays[*member].push(sittings.len());
                }
                sittings.push((board, table));
            }
            board += 1;
        }
    }
    let mut edges = Vec::new();
    let mut owner = Vec::new();
    let mut chunks = 0;
    for (member, list) in plays.iter_mut().enumerate() {
        // Chunks in playing order would be the same boards for everybody, and then two who agree on two boards of a
        // chunk would have to agree on more: comparisons would be half as uneven again.
        chance.shuffle(list);
        for (place, sitting) in list.iter().enumerate() {
            edges.push(Edge { chunk: chunks + place / k, sitting: *sitting, seat: NONE });
            owner.push(member);
        }
        chunks += list.len().div_ceil(k);
    }
    colour(&mut edges, chunks, sittings.len(), k, chance);

    let mut at: Vec<Vec<Vec<usize>>> = Vec::new();
    for (board, _) in &sittings {
        if at.len() <= *board {
            at.push(Vec::new());
        }
        at[*board].push(vec![NONE; k]);
    }
    for (edge, member) in edges.iter().zip(owner) {
        let (board, table) = sittings[edge.sitting];
        at[board][table][edge.seat] = member;
    }
    Seating { at }
}

/// Colours the edges of a bipartite graph of degree at most `k` with `k` colours: each edge takes a colour free at
/// both ends, or a chain of two colours is turned round to make one free.
fn colour(edges: &mut [Edge], chunks: usize, sittings: usize, k: usize, chance: &mut Chance) {
    // used[node * k + colour] = edge; nodes: chunks first, then sittings.
    let mut used = vec![NONE; (chunks + sittings) * k];
    let mut order: Vec<usize> = (0..edges.len()).collect();
    chance.shuffle(&mut order);
    for edge in order {
        let (left, right) = (edges[edge].chunk, chunks + edges[edge].sitting);
        let shift = chance.index(k);
        let free = |used: &[usize], node: usize| {
            (0..k)
                .map(|colour| (colour + shift) % k)
                .filter(|colour| used[node * k + colour] == NONE)
                .collect()
        };
        let (at_left, at_right): (Vec<usize>, Vec<usize>) = (free(&used, left), free(&used, right));
        // The degree is at most k, so an edge without colour leaves one free at each end.
        let (Some(a), Some(b)) = (at_left.first().copied(), at_right.first().copied()) else { continue };
        let both = at_left.iter().find(|colour| at_right.contains(colour)).copied();
        let seat = both.unwrap_or(a);
        if both.is_none() {
            turn(edges, &mut used, right, a, b, chunks, k);
        }
        edges[edge].seat = seat;
        used[left * k + seat] = edge;
        used[right * k + seat] = edge;
    }
}

/// Exchanges colours `a` and `b` along the chain that begins at `node` with an edge of colour `a`.
fn turn(edges: &mut [Edge], used: &mut [usize], node: usize, a: usize, b: usize, chunks: usize, k: usize) {
    let mut chain = Vec::new();
    let (mut node, mut colour) = (node, a);
    loop {
        let edge = used[node * k + colour];
        if edge == NONE {
            break;
        }
        chain.push(edge);
        let (left, right) = (edges[edge].chunk, chunks + edges[edge].sitting);
        node = if node == left { right } else { left };
        colour = a + b - colour;
    }
    for edge in &chain {
        for node in [edges[*edge].chunk, chunks + edges[*edge].sitting] {
            used[node * k + edges[*edge].seat] = NONE;
        }
    }
    for edge in &chain {
        let seat = a + b - edges[*edge].seat;
        edges[*edge].seat = seat;
        for node in [edges[*edge].chunk, chunks + edges[*edge].sitting] {
            used[node * k + seat] = *edge;
        }
    }
}

/// Evening out comparisons. The cost is the sum over pairs of (k × comparisons − boards)².
struct Evening {
    members: usize,
    real: usize,
    seats: usize,
    target: i64,
    compared: Vec<i64>,
    /// Table of a member on a board, NONE when sitting out.
    table_of: Vec<Vec<usize>>,
    /// Seat of a member on a board.
    seat_of: Vec<Vec<usize>>,
}

/// On a board, the people of two seats of a table change places.
#[derive(Clone, Copy)]
struct Flip {
    board: usize,
    table: usize,
    seats: (usize, usize),
}

impl Evening {
    fn new(seating: &Seating, members: usize, real: usize, k: usize) -> Evening {
        let boards = seating.at.len();
        let mut evening = Evening {
            members,
            real,
            seats: k,
            target: i64::try_from(boards).unwrap_or(0),
            compared: vec![0; members * members],
            table_of: vec![vec![NONE; members]; boards],
            seat_of: vec![vec![NONE; members]; boards],
        };
        for (board, tables) in seating.at.iter().enumerate() {
            for (table, people) in tables.iter().enumerate() {
                for (seat, member) in people.iter().enumerate() {
                    evening.table_of[board][*member] = table;
                    evening.seat_of[board][*member] = seat;
                }
            }
            for seat in 0..k {
                for (index, one) in tables.iter().enumerate() {
                    for other in &tables[..index] {
                        evening.bump(one[seat], other[seat], 1);
                    }
                }
            }
        }
        evening
    }

    /// Changes the comparisons of two members; answers how the cost changes.
    fn bump(&mut self, a: usize, b: usize, by: i64) -> i64 {
        if a >= self.real || b >= self.real {
            return 0;
        }
        let k = i64::try_from(self.seats).unwrap_or(1);
        let before = k * self.compared[a * self.members + b] - self.target;
        self.compared[a * self.members + b] += by;
        self.compared[b * self.members + a] += by;
        let after = before + k * by;
        after * after - before * before
    }

    /// Carries out a flip; doing it again undoes it.
    fn flip(&mut self, seating: &mut Seating, flip: Flip) -> i64 {
        let Flip { board, table, seats: (a, b) } = flip;
        let (at_a, at_b) = (seating.at[board][table][a], seating.at[board][table][b]);
        let mut delta = 0;
        for other in 0..seating.at[board].len() {
            if other == table {
                continue;
            }
            let (in_a, in_b) = (seating.at[board][other][a], seating.at[board][other][b]);
            delta += self.bump(at_a, in_a, -1) + self.bump(at_b, in_b, -1);
            delta += self.bump(at_a, in_b, 1) + self.bump(at_b, in_a, 1);
        }
        seating.at[board][table][a] = at_b;
        seating.at[board][table][b] = at_a;
        self.seat_of[board][at_a] = b;
        self.seat_of[board][at_b] = a;
        delta
    }

    fn run(mut self, seating: &mut Seating, chance: &mut Chance) {
        let tables = seating.at.first().map_or(0, Vec::len);
        let steps = EVEN_WORK * self.members / (16 * tables.max(1) + 60 * seating.at.len().max(1)).max(1);
        // Worse chains are accepted within a shrinking allowance, so that the search leaves small hollows.
        let most = i64::try_from(self.seats * self.seats * 4).unwrap_or(16);
        let steps_i64 = i64::try_from(steps).unwrap_or(i64::MAX).max(1);
        for step in 0..steps {
            let left = steps_i64 - i64::try_from(step).unwrap_or(steps_i64);
            let allowance = (most * left / steps_i64 - most / 4).max(0);
            let Some(chain) = self.chain(seating, chance) else { continue };
            let delta: i64 = chain.iter().map(|flip| self.flip(seating, *flip)).sum();
            if delta > allowance {
                for flip in chain.iter().rev() {
                    self.flip(seating, *flip);
                }
            }
        }
    }

    /// A chain of flips of two seats that leaves everybody with as many boards in each seat as before.
    fn chain(&self, seating: &Seating, chance: &mut Chance) -> Option<Vec<Flip>> {
        let boards = seating.at.len();
        let board = chance.index(boards);
        let table = chance.index(seating.at[board].len());
        let a = chance.index(self.seats);
        let b = (a + 1 + chance.index(self.seats - 1)) % self.seats;
        let mut chain = vec![Flip { board, table, seats: (a, b) }];
        // The first loses seat `a` and must win it back; the last loses `b`.
        let (mut short, last) = (seating.at[board][table][a], seating.at[board][table][b]);
        while chain.len() < CHAIN_MAX {
            let start = chance.index(boards);
            let mut onward = None;
            let mut closing = None;
            for board in (0..boards).map(|index| (index + start) % boards) {
                let table = self.table_of[board][short];
                if table == NONE || self.seat_of[board][short] != b {
                    continue;
                }
                if chain.iter().any(|flip| flip.board == board && flip.table == table) {
                    continue;
                }
                let flip = Flip { board, table, seats: (a, b) };
                if seating.at[board][table][a] == last {
                    closing = Some(flip);
                    break;
                }
                onward = onward.or(Some(flip));
            }
            if let Some(flip) = closing {
                chain.push(flip);
                return Some(chain);
            }
            let flip = onward?;
            short = seating.at[flip.board][flip.table][a];
            chain.push(flip);
        }
        None
    }
}
