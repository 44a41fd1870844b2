//! A duplicate match between two levels: the same boards, every seat for each of them.
//!
//! A board is played twice for every seat: once with level A in the seat and level B in all others, once with A and B
//! exchanged. The two results of the seat are compared, so that neither cards nor seats favour anybody.

use std::sync::Arc;

use serde::Serialize;

use super::{AiKey, PlayError, PlayerRef, play};
use crate::cards::Card;
use crate::games::{Fault, Game, board_setup};
use crate::rng::GameRng;
use crate::words::Lang;

/// The figures of a match. Rates are in millionths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Duel {
    /// The level whose rate is given.
    pub level: &'static str,
    /// The level it played against.
    pub against: &'static str,
    /// Boards of the set.
    pub boards: u32,
    /// Comparisons: boards × seats.
    pub comparisons: u32,
    /// Comparisons in which the level scored more in the seat than the other did.
    pub won: u32,
    /// Comparisons in which both scored the same.
    pub tied: u32,
    /// Comparisons in which it scored less.
    pub lost: u32,
    /// Win rate: won and half of the tied, of all comparisons; in millionths.
    pub rate_ppm: u32,
    /// 95 % confidence interval of the win rate, boards being the independent units; in millionths.
    pub interval_ppm: (u32, u32),
    /// The level's points in its seats minus the other's in the same seats.
    pub points: i64,
    /// Whether the interval excludes one half.
    pub significant: bool,
}

/// Plays a match of `boards` boards dealt from a seed text. The boards, the AI key and with them the whole match
/// follow from the seed.
///
/// # Errors
/// A level that answers illegally or does not come to an end.
pub fn duel<G: Game>(
    rules: &Arc<G::Rules>,
    level: PlayerRef<G>,
    against: PlayerRef<G>,
    boards: u32,
    seed: &str,
    mut progress: impl FnMut(u32),
) -> Result<Duel, PlayError> {
    let key = key_of(seed);
    let setups = G::setups(rules);
    let mut tally = Tally::default();
    for board in 1..=boards {
        let start = G::deal(rules, board_setup(&setups, board), &pack_of::<G>(seed, board))
            .map_err(|faults| PlayError::Setup { faults: Fault::sentences(&faults, Lang::En) })?;
        let seats = usize::from(G::seats(&start));
        let mut halves = 0;
        for seat in 0..seats {
            let mut ours = vec![against; seats];
            let mut theirs = vec![level; seats];
            ours[seat] = level;
            theirs[seat] = against;
            let score = |played: super::Played<G>| played.scores.get(seat).copied().unwrap_or(0);
            let difference = score(play::<G>(rules, &start, board, &key, &ours)?)
                - score(play::<G>(rules, &start, board, &key, &theirs)?);
            halves += tally.compare(difference);
        }
        tally.board(halves, u32::try_from(seats).unwrap_or(1));
        progress(board);
    }
    Ok(tally.finish(level.info().name, against.info().name, boards))
}

fn key_of(seed: &str) -> AiKey {
    let mut chance = GameRng::of("fushi-duel/1|key", seed.as_bytes());
    let mut bytes = [0; 32];
    for part in bytes.chunks_exact_mut(4) {
        part.copy_from_slice(&chance.word().to_le_bytes());
    }
    AiKey::new(bytes)
}

fn pack_of<G: Game>(seed: &str, board: u32) -> Vec<Card> {
    let mut cards = G::PACK.cards();
    let mut label = board.to_be_bytes().to_vec();
    label.extend_from_slice(seed.as_bytes());
    GameRng::of("fushi-duel/1|board", &label).shuffle(&mut cards);
    cards
}

#[derive(Default)]
struct Tally {
    won: u32,
    tied: u32,
    lost: u32,
    points: i64,
    /// Sum over boards of the board's rate in thousandths, and of its square.
    sum: i64,
    squares: i64,
}

impl Tally {
    /// Counts a comparison; answers its halves: 2 won, 1 tied, 0 lost.
    fn compare(&mut self, difference: i64) -> u32 {
        self.points += difference;
        match difference.signum() {
            1 => self.won += 1,
            0 => self.tied += 1,
            _ => self.lost += 1,
        }
        u32::try_from(1 + difference.signum()).unwrap_or(1)
    }

    fn board(&mut self, halves: u32, seats: u32) {
        let rate = i64::from(halves) * 1000 / i64::from(2 * seats.max(1));
        self.sum += rate;
        self.squares += rate * rate;
    }

    fn finish(self, level: &'static str, against: &'static str, boards: u32) -> Duel {
        let comparisons = self.won + self.tied + self.lost;
        let halves = u64::from(self.won) * 2 + u64::from(self.tied);
        let rate = halves * 500_000 / u64::from(comparisons.max(1));
        // Standard error of a mean over boards: √((Σx² − (Σx)²/n) / (n (n − 1))), here in thousandths.
        let n = i64::from(boards);
        let spread = if n > 1 { (self.squares * n - self.sum * self.sum).max(0) } else { 0 };
        // 1.96 × √(spread / (n² (n − 1))) in millionths, rounded up.
        let squared = if n > 1 {
            i128::from(spread) * 1960 * 1960 / i128::from(n * n * (n - 1))
        } else {
            i128::from(500_000) * 500_000
        };
        let margin = match u64::try_from(squared).unwrap_or(u64::MAX) {
            0 => 0,
            squared => squared.isqrt() + 1,
        };
        let parts = |value: u64| u32::try_from(value.min(1_000_000)).unwrap_or(1_000_000);
        let interval_ppm = (parts(rate.saturating_sub(margin)), parts(rate + margin));
        Duel {
            level,
            against,
            boards,
            comparisons,
            won: self.won,
            tied: self.tied,
            lost: self.lost,
            rate_ppm: parts(rate),
            interval_ppm,
            points: self.points,
            significant: interval_ppm.0 > 500_000 || interval_ppm.1 < 500_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_of_ties_has_no_interval_around_one_half() {
        let mut tally = Tally::default();
        for _ in 0..8 {
            let halves = tally.compare(0);
            tally.board(halves, 1);
        }
        let duel = tally.finish("a", "a", 8);
        assert_eq!(
            (duel.rate_ppm, duel.interval_ppm, duel.significant),
            (500_000, (500_000, 500_000), false)
        );
    }

    #[test]
    fn the_interval_is_that_of_the_mean_over_boards() {
        let mut tally = Tally::default();
        for differences in [[1, 1], [1, -1], [0, -1], [1, 0]] {
            let halves = differences.iter().map(|difference| tally.compare(*difference)).sum();
            tally.board(halves, 2);
        }
        let duel = tally.finish("a", "b", 4);
        assert_eq!((duel.won, duel.tied, duel.lost, duel.points), (4, 2, 2, 2));
        assert_eq!(duel.rate_ppm, 625_000);
        // Boards 1, 0.5, 0.25, 0.75: deviation 0.3227, error 0.1614, times 1.96 is 0.3163.
        assert_eq!(duel.interval_ppm, (625_000 - 316_294, 625_000 + 316_294));
        assert!(!duel.significant);
    }
}
