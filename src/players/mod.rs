//! AI players: a seat's view in, an action out, the same answer for the same view on every machine.
//!
//! A level of strength is a [`Player`]. It is handed an [`Ask`], which holds what the seat may know and nothing
//! else: no state, no deal, no seed or hash of either, no clock, no file, no name of an entrant or table. An action
//! comes out of [`Game::options`], the generator that also checks the actions of people. Chance comes out of
//! [`Ask::dice`] only: a stream keyed by the event-wide [`AiKey`], to which the announcement commits. Levels never
//! iterate in hash order and compute in integers.
//!
//! Each game lists its levels by implementing [`Levels`] in its own room (`players/wakeng`, …); a level is named in
//! announcements with the hash of its definition, so a stronger or repaired level is a new definition.

use std::fmt::Debug;
use std::sync::Arc;

use crate::canonical;
use crate::games::{Fault, Game, Seat, rulesets};

pub mod arena;
mod duel;
pub mod holdem;
mod key;
mod level;
mod random;
mod spec;
pub mod tuolaji;
pub mod wakeng;

pub use crate::chance::Chance as Dice;
pub use arena::{PlayError, Played, play};
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

/// One question to a player: everything it may know.
#[derive(Debug)]
pub struct Ask<'a, G: Game> {
    key: &'a AiKey,
    level: LevelInfo,
    rules: &'a Arc<G::Rules>,
    board: u32,
    seat: Seat,
    view: &'a G::View,
}

impl<'a, G: Game> Ask<'a, G> {
    /// The ruleset of the board.
    #[must_use]
    pub fn rules(&self) -> &'a Arc<G::Rules> {
        self.rules
    }

    /// The seat that is asked.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What the seat knows.
    #[must_use]
    pub fn view(&self) -> &'a G::View {
        self.view
    }

    /// Every legal action, from the generator that also checks them.
    pub fn options(&self) -> impl Iterator<Item = G::Action> + 'a {
        G::options(self.view)
    }

    /// The chance of this decision: ChaCha20 seeded with HMAC-SHA-256 under the event's AI key over ruleset, level,
    /// board number, seat and the canonical JSON of the view ([`AiKey::seed`]). Asking twice gives the same stream
    /// twice. Neither the deal nor its seed or hash is under it, so a world sampled with it is never more likely to be
    /// the true one than chance allows.
    #[must_use]
    pub fn dice(&self) -> Dice {
        // A view holds integers, strings, booleans and lists of them; a test of every game keeps it so.
        let view = canonical::to_string(self.view).unwrap_or_default();
        Dice::from_seed(self.key.seed(
            &rulesets::hash(self.rules.as_ref()),
            &self.level,
            self.board,
            self.seat,
            view.as_bytes(),
        ))
    }
}

/// Asks a player for a seat's action. `board` is the number of the board in its set; `view` must be the view of
/// `seat`. The action still goes through [`Game::check`] like anybody's.
pub fn choose<G: Game>(
    player: &dyn Player<G>,
    key: &AiKey,
    rules: &Arc<G::Rules>,
    board: u32,
    seat: Seat,
    view: &G::View,
) -> Option<G::Action> {
    player.choose(&Ask { key, level: player.info(), rules, board, seat, view })
}

/// Every level of a game, as an announcement lists them.
#[must_use]
pub fn infos<G: Levels>() -> Vec<LevelInfo> {
    G::levels().iter().map(|player| player.info()).collect()
}

fn usage(message: impl Into<crate::words::Message>) -> Fault {
    Fault::new("bad_ai", message)
}
