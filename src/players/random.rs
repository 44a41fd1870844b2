//! The level every game has: any legal action, each as likely as the other.

use super::{Ask, LevelInfo, Player};
use crate::games::{Game, GameKind};

/// At most this many options are looked at: a tuolaji leader may have a million throws.
const OPTIONS_MAX: usize = 4096;

/// Plays any of the first 4096 legal actions. It shows what no skill at all scores, and it finds the corners of the
/// rules in tests.
#[derive(Clone, Copy, Debug)]
pub struct Random(GameKind);

impl Random {
    /// The random player of a game.
    #[must_use]
    pub const fn of(game: GameKind) -> Random {
        Random(game)
    }
}

impl<G: Game> Player<G> for Random {
    fn info(&self) -> LevelInfo {
        LevelInfo {
            game: self.0,
            name: "random",
            definition: "2; uniform over the first 4096 options; canonical views",
        }
    }

    fn choose(&self, ask: &Ask<'_, G>) -> Option<G::Action> {
        let mut options: Vec<G::Action> = ask.options().take(OPTIONS_MAX).collect();
        if options.len() < 2 {
            return options.pop();
        }
        let index = ask.dice().index(options.len());
        Some(options.swap_remove(index))
    }
}
