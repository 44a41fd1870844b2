//! What the planner asks of its own work. The audit counts again, with its own code.

use super::meetings::Grouping;
use super::seating::{Seating, Shape};

/// How evenly real members are compared with each other.
pub(super) struct Evenness {
    sum: u128,
    /// The sum of the squares of all comparisons. Their sum is the same for every seating of the same tables, so the
    /// smallest is the most even.
    pub squares: u128,
    pairs: u128,
}

impl Evenness {
    pub(super) fn of(seating: &Seating, real: usize, k: usize) -> Evenness {
        let mut times = vec![0_u32; real * real];
        for (tables, kind) in seating.at.iter().zip(&seating.kinds) {
            for seat in 0..k {
                let group: Vec<usize> =
                    tables.iter().map(|table| table[seat]).filter(|member| *member < real).collect();
                for (place, one) in group.iter().enumerate() {
                    for other in &group[place + 1..] {
                        times[one.min(other) * real + one.max(other)] += kind.boards;
                    }
                }
            }
        }
        Evenness {
            sum: times.iter().map(|count| u128::from(*count)).sum(),
            squares: times.iter().map(|count| u128::from(*count) * u128::from(*count)).sum(),
            pairs: (real * real.saturating_sub(1) / 2) as u128,
        }
    }

    /// Whether the variance is at most one and a half times that of balanced seats by lot: see `docs/movements.md`.
    pub(super) fn fair(&self, seating: &Seating, k: usize) -> bool {
        let (draws, k) = (seating.kinds.len() as u128, k as u128);
        let weights: u128 =
            seating.kinds.iter().map(|kind| u128::from(kind.boards) * u128::from(kind.boards)).sum();
        let spread = (self.pairs * self.squares).saturating_sub(self.sum * self.sum);
        2 * k * k * draws.saturating_sub(1) * spread
            <= 3 * weights * draws * (k - 1) * self.pairs * self.pairs
    }
}

/// How often the two real members who meet most share a table, and the sum of the squares over all.
pub(super) fn most_meetings(groups: &[Grouping], real: usize) -> (u64, u64) {
    let mut times = vec![0_u32; real * real];
    for table in groups.iter().flatten() {
        for (place, one) in table.iter().enumerate() {
            for other in &table[place + 1..] {
                if *one < real && *other < real {
                    times[one.min(other) * real + one.max(other)] += 1;
                }
            }
        }
    }
    let counts = || times.iter().copied().map(u64::from);
    (counts().max().unwrap_or_default(), counts().map(|count| count * count).sum())
}

/// Whether comparisons connect all real members: those who share a seat on a board are joined.
pub(super) fn connected(seating: &Seating, real: usize, k: usize) -> bool {
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

/// The rounds of an individual or pairs event as the seats are given: board by board, or to pairs once a round.
pub(super) fn shape(tables: Grouping, boards: &[u32], pairs: bool) -> Shape {
    let count = u32::try_from(boards.len()).unwrap_or(u32::MAX);
    if !pairs {
        return Shape { tables, draws: boards.len(), kind: super::seating::Kind { boards: 1, class: 0 } };
    }
    // The banker's seat goes on by one each board, so a side is the banker's on every other board: in a round with an
    // odd number of boards the side that has the first board has one more.
    let class = match (count.is_multiple_of(2), boards.first().is_some_and(|first| first.is_multiple_of(2))) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    };
    Shape { tables, draws: 1, kind: super::seating::Kind { boards: count, class } }
}
