//! Which seat everybody takes on each board: every seat equally often, and everybody compared with everybody alike.
//!
//! Balance comes first and is exact. The boards of a member are cut by lot into chunks of `k`; members' chunks and
//! sittings form a bipartite graph of degree at most `k`, whose edges can be coloured with `k` seats (Kőnig), so that
//! a chunk has each seat once and a sitting has each seat once. Then closed chains of seat changes, which keep the
//! balance, even out how often two members sit in the same seat on the same board.
//!
//! Pairs keep their seats for a round: all boards of the round are one draw, which counts for as many boards. What is
//! called a board below is such a draw.

use super::meetings::Grouping;
use crate::rng::GameRng;

/// A round before seats are given: its tables, and how often they take seats.
pub(super) struct Shape {
    pub tables: Grouping,
    /// How often seats are given: once for each board, or to pairs once for the whole round.
    pub draws: usize,
    pub kind: Kind,
}

/// What a draw of seats is for.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// For how many boards it holds.
    pub boards: u32,
    /// Seats are balanced within each class first, then over all. A small number, from 0.
    pub class: usize,
}

/// Above this many members the evening-out is left out: seats by lot are as even as they can be when there are many
/// more members than boards.
const EVEN_MEMBERS_MAX: usize = 300;
/// Work of the evening-out per member, counted in changed comparisons.
const EVEN_WORK: usize = 250_000;
/// Longest chain of seat changes that is tried.
const CHAIN_MAX: usize = 6;

/// Seats of every board: `[board over all rounds][table][seat] = member`, and what kind of draw each is.
pub(super) struct Seating {
    pub at: Vec<Vec<Vec<usize>>>,
    pub kinds: Vec<Kind>,
}

/// Gives seats. Members from 0, those from `real` on are stand-ins, which nobody is compared with.
pub(super) fn seat(shapes: &[Shape], members: usize, real: usize, k: usize, chance: &mut GameRng) -> Seating {
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
fn coloured(shapes: &[Shape], members: usize, k: usize, chance: &mut GameRng) -> Seating {
    let mut plays: Vec<Vec<usize>> = vec![Vec::new(); members];
    let mut sittings: Vec<(usize, usize)> = Vec::new();
    let mut kinds = Vec::new();
    for shape in shapes {
        for _ in 0..shape.draws {
            let board = kinds.len();
            for (table, group) in shape.tables.iter().enumerate() {
                for member in group {
                    plays[*member].push(sittings.len());
                }
                sittings.push((board, table));
            }
            kinds.push(shape.kind);
        }
    }
    let mut edges = Vec::new();
    let mut owner = Vec::new();
    let mut chunks = 0;
    for (member, list) in plays.iter_mut().enumerate() {
        // Chunks in playing order would be the same boards for everybody, and then two who agree on two boards of a
        // chunk would have to agree on more: comparisons would be half as uneven again.
        chance.shuffle(list);
        let class = |sitting: &usize| kinds[sittings[*sitting].0].class;
        whole_chunks_first(list, k, class);
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
    Seating { at, kinds }
}

/// Orders boards so that chunks of `k` are of one class as far as possible; what is left of the classes comes last.
/// The order within a class stays.
fn whole_chunks_first(list: &mut [usize], k: usize, class: impl Fn(&usize) -> usize) {
    let mut seen: Vec<usize> = Vec::new();
    let mut totals: Vec<usize> = Vec::new();
    for sitting in list.iter() {
        let class = class(sitting);
        totals.resize(totals.len().max(class + 1), 0);
        totals[class] += 1;
    }
    seen.resize(totals.len(), 0);
    let mut keyed: Vec<((bool, usize), usize)> = Vec::with_capacity(list.len());
    for sitting in list.iter() {
        let class = class(sitting);
        let left_over = seen[class] >= totals[class] / k * k;
        seen[class] += 1;
        keyed.push(((left_over, class), *sitting));
    }
    keyed.sort_by_key(|(key, _)| *key);
    for (place, (_, sitting)) in list.iter_mut().zip(keyed) {
        *place = sitting;
    }
}

/// Colours the edges of a bipartite graph of degree at most `k` with `k` colours: each edge takes a colour free at
/// both ends, or a chain of two colours is turned round to make one free.
fn colour(edges: &mut [Edge], chunks: usize, sittings: usize, k: usize, chance: &mut GameRng) {
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
    /// Boards of the longest draw.
    heaviest: i64,
    compared: Vec<i64>,
    /// Table of a member on a board, NONE when sitting out.
    table_of: Vec<Vec<usize>>,
    /// Seat of a member on a board.
    seat_of: Vec<Vec<usize>>,
    /// Boards of a member in each seat, by class.
    counts: Vec<Vec<Vec<usize>>>,
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
        let classes = seating.kinds.iter().map(|kind| kind.class + 1).max().unwrap_or(1);
        let mut evening = Evening {
            members,
            real,
            seats: k,
            target: seating.kinds.iter().map(|kind| i64::from(kind.boards)).sum(),
            heaviest: seating.kinds.iter().map(|kind| i64::from(kind.boards)).max().unwrap_or(1),
            compared: vec![0; members * members],
            table_of: vec![vec![NONE; members]; boards],
            seat_of: vec![vec![NONE; members]; boards],
            counts: vec![vec![vec![0; k]; classes]; members],
        };
        for (board, tables) in seating.at.iter().enumerate() {
            for (table, people) in tables.iter().enumerate() {
                for (seat, member) in people.iter().enumerate() {
                    evening.table_of[board][*member] = table;
                    evening.seat_of[board][*member] = seat;
                    evening.counts[*member][seating.kinds[board].class][seat] += 1;
                }
            }
            let weight = i64::from(seating.kinds[board].boards);
            for seat in 0..k {
                for (index, one) in tables.iter().enumerate() {
                    for other in &tables[..index] {
                        evening.bump(one[seat], other[seat], weight);
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
        let weight = i64::from(seating.kinds[board].boards);
        let mut delta = 0;
        for other in 0..seating.at[board].len() {
            if other == table {
                continue;
            }
            let (in_a, in_b) = (seating.at[board][other][a], seating.at[board][other][b]);
            delta += self.bump(at_a, in_a, -weight) + self.bump(at_b, in_b, -weight);
            delta += self.bump(at_a, in_b, weight) + self.bump(at_b, in_a, weight);
        }
        seating.at[board][table][a] = at_b;
        seating.at[board][table][b] = at_a;
        self.seat_of[board][at_a] = b;
        self.seat_of[board][at_b] = a;
        let class = seating.kinds[board].class;
        for (member, from, to) in [(at_a, a, b), (at_b, b, a)] {
            self.counts[member][class][from] -= 1;
            self.counts[member][class][to] += 1;
        }
        delta
    }

    fn run(mut self, seating: &mut Seating, chance: &mut GameRng) {
        let tables = seating.at.first().map_or(0, Vec::len);
        let steps = EVEN_WORK * self.members / (16 * tables.max(1) + 60 * seating.at.len().max(1)).max(1);
        // Worse chains are accepted within a shrinking allowance, so that the search leaves small hollows.
        let most = i64::try_from(self.seats * self.seats * 4).unwrap_or(16) * self.heaviest * self.heaviest;
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

    /// Whether a member who has one board more in seat `from` than in seat `to`, in the class and over all, may as well
    /// have it the other way round.
    fn spare(&self, member: usize, class: usize, from: usize, to: usize) -> bool {
        let counts = &self.counts[member];
        let more = |counts: &[usize]| counts[from] == counts[to] + 1;
        let mut all = vec![0; self.seats];
        for class in counts {
            for (sum, count) in all.iter_mut().zip(class) {
                *sum += count;
            }
        }
        counts.get(class).is_some_and(|counts| more(counts)) && more(&all)
    }

    /// A chain of flips of two seats that leaves everybody's seats as balanced as before, in each class and over all: a
    /// closed one changes nothing for anybody, an open one moves the boards that the number of boards leaves over.
    fn chain(&self, seating: &Seating, chance: &mut GameRng) -> Option<Vec<Flip>> {
        let boards = seating.at.len();
        let board = chance.index(boards);
        let table = chance.index(seating.at[board].len());
        let a = chance.index(self.seats);
        let b = (a + 1 + chance.index(self.seats - 1)) % self.seats;
        let class = seating.kinds[board].class;
        let mut chain = vec![Flip { board, table, seats: (a, b) }];
        // The first loses seat `a` and must win it back; the last loses `b`.
        let (mut short, last) = (seating.at[board][table][a], seating.at[board][table][b]);
        let open_end = self.spare(last, class, b, a);
        while chain.len() < CHAIN_MAX {
            if open_end && self.spare(short, class, a, b) && chance.below(2) == 0 {
                return Some(chain);
            }
            let start = chance.index(boards);
            let mut onward = None;
            let mut closing = None;
            for board in (0..boards).map(|index| (index + start) % boards) {
                let table = self.table_of[board][short];
                let other_class = seating.kinds[board].class != class;
                if table == NONE || other_class || self.seat_of[board][short] != b {
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
