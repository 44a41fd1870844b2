//! AI players of tuolaji: `random`, `tuolaji-1` by rules of thumb, `tuolaji-2` by imagining where the hidden cards lie.
//!
//! Both levels take a view and nothing else, answer with an action that the game's own generator offers, compute in
//! whole numbers and never iterate in hash order. A changed answer is a changed definition.

mod calling;
mod policy;
mod sample;
mod search;
mod sight;
mod sim;

use super::{Ask, LevelInfo, Levels, Player, PlayerRef, Random};
use crate::games::tuolaji::Tuolaji;
use crate::games::tuolaji::action::Action;
use crate::games::tuolaji::view::Offer;
use crate::games::{Game, GameKind};
use sight::Sight;

static RANDOM: Random = Random::of(GameKind::Tuolaji);
static ONE: RulesOfThumb = RulesOfThumb;
static TWO: search::Search = search::Search;

impl Levels for Tuolaji {
    const DEFAULT_LEVEL: &'static str = "tuolaji-1";

    fn levels() -> &'static [PlayerRef<Tuolaji>] {
        static LEVELS: [PlayerRef<Tuolaji>; 3] = [&RANDOM, &ONE, &TWO];
        &LEVELS
    }
}

/// Level one: sound rules of calling, laying away, leading, following and ruffing.
#[derive(Clone, Copy, Debug)]
pub struct RulesOfThumb;

impl Player<Tuolaji> for RulesOfThumb {
    fn info(&self) -> LevelInfo {
        LevelInfo {
            game: GameKind::Tuolaji,
            name: "tuolaji-1",
            definition: "2; calls by length; lays away to void; leads winners; plays by expected points, width 40; \
                         canonical views",
        }
    }

    fn choose(&self, ask: &Ask<'_, Tuolaji>) -> Option<Action> {
        let view = ask.view();
        match view.offer() {
            Offer::Nothing => None,
            Offer::Calls(calls) => calling::call(view, &calls),
            Offer::LayAway(ladder, hand) => Some(Action::LayAway(calling::lay_away(&ladder, hand).into())),
            Offer::Choose(kinds) => kinds.first().map(|kind| Action::Choose(*kind)),
            Offer::Lead(..) | Offer::Follow(..) => {
                let sight = Sight::of(view)?;
                let play = policy::candidates(&sight, policy::WIDE).into_iter().next()?;
                Some(Action::Play(play.cards.into()))
            }
        }
        .or_else(|| obligatory(ask))
    }
}

/// The first option, where something must be done; nobody must call.
fn obligatory(ask: &Ask<'_, Tuolaji>) -> Option<Action> {
    match ask.view().offer() {
        Offer::Calls(_) => None,
        _ => Tuolaji::options(ask.view()).next(),
    }
}
