//! One question to a player, and the chance that it may take.

use std::sync::Arc;

use super::key::{AiKey, Purpose};
use super::{Dice, LevelInfo};
use crate::canonical;
use crate::games::{Game, Seat, rulesets};

/// One question to a player: everything it may know. Its fields are nobody's but this file's.
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
    pub(super) const fn new(
        key: &'a AiKey,
        level: LevelInfo,
        rules: &'a Arc<G::Rules>,
        board: u32,
        seat: Seat,
        view: &'a G::View,
    ) -> Ask<'a, G> {
        Ask { key, level, rules, board, seat, view }
    }

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

    /// What the seat knows, in canonical form ([`Game::canonical`]).
    #[must_use]
    pub fn view(&self) -> &'a G::View {
        self.view
    }

    /// Every legal action, from the generator that also checks them.
    pub fn options(&self) -> impl Iterator<Item = G::Action> + 'a {
        G::options(self.view)
    }

    /// The chance of this decision: ChaCha20 seeded with HMAC-SHA-256 under the event's AI key over ruleset, level,
    /// board number, seat and the canonical JSON of the view. Asking twice gives the same stream twice. Neither the deal
    /// nor its seed or hash is under it, so a world sampled with it is never more likely to be the true one than chance
    /// allows.
    #[must_use]
    pub fn dice(&self) -> Dice {
        // A view holds integers, strings, booleans and lists of them; a test of every game keeps it so.
        let view = canonical::to_string(self.view).unwrap_or_default();
        Dice::from_seed(self.seed(Purpose::Dice, view.as_bytes()))
    }

    /// The chance of the worlds that a seat imagines at a board. The view is not under it: a seat that draws unseen
    /// cards in the order of a shuffled pack imagines the same worlds whenever the same cards are unseen, whichever way
    /// the play has come there.
    #[must_use]
    pub fn worlds(&self) -> Worlds {
        Worlds { seed: self.seed(Purpose::Worlds, &[]) }
    }

    fn seed(&self, purpose: Purpose, view: &[u8]) -> [u8; 32] {
        let rules = rulesets::hash(self.rules.as_ref());
        self.key.seed(purpose, &rules, &self.level, self.board, self.seat, view)
    }
}

/// The chance of imagined worlds at one board and seat, counted from 0.
#[derive(Clone)]
pub struct Worlds {
    seed: [u8; 32],
}

impl std::fmt::Debug for Worlds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The seed would give away every world to come.
        f.write_str("Worlds(…)")
    }
}

impl Worlds {
    /// The dice of one world: the stream of the purpose `fushi-ai/1|world` over seed and number (4 bytes, big-endian).
    #[must_use]
    pub fn dice(&self, number: u32) -> Dice {
        let mut bytes = [0; 36];
        let (seed, rest) = bytes.split_at_mut(32);
        seed.copy_from_slice(&self.seed);
        rest.copy_from_slice(&number.to_be_bytes());
        Dice::of("fushi-ai/1|world", &bytes)
    }
}
