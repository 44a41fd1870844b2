//! Which boards belong to which round: as the organizer asks, or in shorter rounds where that cannot be fair.
//!
//! Who shares a table is never compared there, and pairs keep their direction for a round. A few who stay together for
//! a whole session would therefore be compared with some far more often than with others, or never. Such a round is
//! cut into several, of which each is a round of its own; no round reaches beyond one that was asked for.

use super::Request;

/// The numbers of the boards, round by round.
pub(super) type Boards = Vec<Vec<u32>>;

/// The ways to divide the boards into rounds, the one that was asked for first. The second gives everybody the chance
/// to meet everybody, where two meet in both directions, with a board for each of `k` positions in a round as long as
/// there are enough; then come ever shorter rounds down to one board.
pub(super) fn ways(request: &Request, members: usize, k: usize) -> Vec<Boards> {
    let boards: Vec<u32> = (1..=request.boards).collect();
    let length = request.boards_per_round as usize;
    let asked: Vec<&[u32]> = boards.chunks(length.max(1)).collect();
    let others = members.saturating_sub(1);
    let everybody = if k == 2 { 2 * others } else { others.div_ceil(k.saturating_sub(1).max(1)) };
    let first = everybody.div_ceil(asked.len().max(1)).min(length / k).max(2);
    let mut parts = vec![1];
    let mut next = first;
    while next < length {
        parts.push(next);
        next = if next == first { first + 1 } else { 2 * next };
    }
    if length > 1 {
        parts.push(length);
    }
    parts.into_iter().map(|parts| asked.iter().flat_map(|round| cut(round, parts, k)).collect()).collect()
}

/// Cuts a round into parts that differ by one board at most. The parts of a round of pairs have even numbers of boards
/// where that is possible, so that both sides are the banker's equally often in each.
fn cut(round: &[u32], parts: usize, k: usize) -> Vec<Vec<u32>> {
    let unit = if k == 2 && round.len().is_multiple_of(2) && parts <= round.len() / 2 { 2 } else { 1 };
    let units = round.len() / unit;
    let parts = parts.clamp(1, units.max(1));
    let mut rest = round;
    let mut rounds = Vec::with_capacity(parts);
    for part in 0..parts {
        let size = unit * (units / parts + usize::from(part < units % parts));
        let (now, later) = rest.split_at(size.min(rest.len()));
        rounds.push(now.to_vec());
        rest = later;
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::super::{Fill, Format};
    use super::*;

    fn lengths(boards: u32, boards_per_round: u32, members: usize, k: usize) -> Vec<Vec<usize>> {
        let format = if k == 2 { Format::Pairs } else { Format::Individual };
        let (seats, fill, seed) = (if k == 2 { 4 } else { 3 }, Fill::StandIn, String::new());
        let request = Request { format, seats, entrants: 6, boards, boards_per_round, fill, seed };
        ways(&request, members, k).iter().map(|way| way.iter().map(Vec::len).collect()).collect()
    }

    #[test]
    fn a_session_is_cut_so_that_everybody_can_meet_everybody() {
        assert_eq!(lengths(18, 18, 6, 3)[..2], [vec![18], vec![6, 6, 6]]);
        assert_eq!(lengths(16, 16, 4, 2)[..2], [vec![16], vec![4, 4, 2, 2, 2, 2]]);
        assert_eq!(lengths(14, 14, 8, 2)[..2], [vec![14], vec![2; 7]]);
        assert_eq!(lengths(18, 9, 6, 3)[..2], [vec![9, 9], vec![5, 4, 5, 4]]);
    }

    #[test]
    fn the_last_way_has_rounds_of_one_board_and_every_board_is_there_once() {
        for boards in 1..=20 {
            for per_round in 1..=boards {
                let ways = lengths(boards, per_round, 12, 3);
                assert!(ways.iter().all(|way| way.iter().sum::<usize>() == boards as usize), "{boards}");
                assert_eq!(ways.last(), Some(&vec![1; boards as usize]));
            }
        }
    }
}
