//! AI players: a seat's view in, an action out, the same answer for the same view on every machine.
//!
//! A level of strength is a [`Player`]. It is handed an [`Ask`], which holds what the seat may know and nothing
//! else: no state, no deal, no seed or hash of either, no clock, no file, no name of an entrant or table. The view in
//! it has its canonical form ([`Game::canonical`]): opponents whose play the rules do not tell apart meet equal
//! replies. An action comes out of [`Game::options`], the generator that also checks the actions of people. Chance
//! comes out of [`Ask::dice`] and [`Ask::worlds`] only: streams keyed by the event-wide [`AiKey`], to which the
//! announcement commits. Levels never iterate in hash order and compute in integers.
//!
//! Each game lists its levels by implementing [`Levels`] in its own room (`players/wakeng`, …); a level is named in
//! announcements with the hash of its definition, so a stronger or repaired level is a new definition.

use std::fmt::Debug;
use std::sync::Arc;

use crate::games::{Fault, Game, Seat};

pub mod arena;
mod ask;
mod duel;
pub mod holdem;
mod key;
mod level;
mod random;
mod spec;
pub mod tuolaji;
pub mod wakeng;

pub use crate::rng::GameRng as Dice;
pub use arena::{PlayError, Played, play};
pub use ask::{Ask, Worlds};
pub use duel::{Duel, duel};
pub use key::{AiKey, KeyError};
pub use level::LevelInfo;
pub use random::Random;
pub use spec::{find, parse_levels, parse_seats};

/// A level of strength in one game.
pub trait Player<G: Game>: Debug + Send + Sync {
    /// Name and definition, for the announcement.
    fn info(&self) -> LevelInfo;

    /// What the seat does. `None`: it lets the occasion pass, which only an optional decision allows (a call while
    /// cards are drawn); whoever asks treats `None` at an obligatory decision as a time-out.
    ///
    /// The answer must be one of `ask.options()` and depend on nothing but `ask`.
    fn choose(&self, ask: &Ask<'_, G>) -> Option<G::Action>;
}

/// A player as it is handed around: levels are constants of the program.
pub type PlayerRef<G> = &'static dyn Player<G>;

/// A game with AI players. The list is closed and in order of strength.
pub trait Levels: Game {
    /// The level used when nothing is said.
    const DEFAULT_LEVEL: &'static str;

    /// Every level, weakest first; the first is `random`.
    fn levels() -> &'static [PlayerRef<Self>];
}

/// Asks a player for a seat's action. `board` is the number of the board in its set; `view` must be the view of
/// `seat`. The player sees the canonical form of the view; its answer is given back in the cards of the view. The action still goes through [`Game::check`] like anybody's.
pub fn choose<G: Game>(
    player: &dyn Player<G>,
    key: &AiKey,
    rules: &Arc<G::Rules>,
    board: u32,
    seat: Seat,
    view: &G::View,
) -> Option<G::Action> {
    let form = G::canonical(view);
    let view = G::rename_view(view, &form);
    let answer = player.choose(&Ask::new(key, player.info(), rules, board, seat, &view))?;
    Some(G::rename_action(answer, &form.inverse()))
}

/// Every level of a game, as an announcement lists them.
#[must_use]
pub fn infos<G: Levels>() -> Vec<LevelInfo> {
    G::levels().iter().map(|player| player.info()).collect()
}

fn usage(message: impl Into<crate::words::Message>) -> Fault {
    Fault::new("bad_ai", message)
}
