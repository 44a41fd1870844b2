//! AI players of wakeng: `random`, `wakeng-1` by rules of thumb, `wakeng-2` by imagining where the hidden cards lie.
//!
//! Both levels take a [`View`] and nothing else, answer with an action of the game's own generator, compute in whole
//! numbers and never iterate in hash order. A changed answer is a changed definition; frozen boards guard it.

mod bidding;
mod hand;
mod policy;
mod rules_of_thumb;
mod sample;
mod search;
mod sim;

pub use rules_of_thumb::RulesOfThumb;
pub use search::Search;

use super::{Levels, PlayerRef, Random};
use crate::cards::CardSet;
use crate::games::wakeng::{Action, Combo, View, Wakeng};
use crate::games::{Game, GameKind, Seat};
use hand::Table;
use policy::Spot;

static RANDOM: Random = Random::of(GameKind::Wakeng);
static ONE: RulesOfThumb = RulesOfThumb;
static TWO: Search = Search::LEVEL_2;

impl Levels for Wakeng {
    const DEFAULT_LEVEL: &'static str = "wakeng-1";

    fn levels() -> &'static [PlayerRef<Wakeng>] {
        static LEVELS: [PlayerRef<Wakeng>; 3] = [&RANDOM, &ONE, &TWO];
        &LEVELS
    }
}

/// What the seat of a view knows in the middle of the play; `None` outside the play and for the public.
fn spot(view: &View) -> Option<Spot> {
    let me = view.viewer?;
    let hand = view.hand?;
    let banker = view.banker?;
    let held = view.counts.map(|count| count.unwrap_or(16));
    let mut known = [CardSet::EMPTY; 3];
    let mut unseen = CardSet::FIFTY_TWO.difference(hand).difference(view.played_by_all());
    for seat in (0..3).map(Seat).filter(|seat| *seat != me) {
        let cards = view.known(seat);
        unseen = unseen.difference(cards);
        known[seat.index()] = cards;
    }
    let over = view.to_beat().zip(view.over()).map(|(played, combo)| (combo, played.seat));
    let passed = over.is_some()
        && view.tricks.last().and_then(|trick| trick.last()).is_some_and(|last| last.cards.is_empty());
    Some(Spot { me, banker, hand, held, known, unseen, over, passed })
}

/// The legal action that plays a combination (a pass for `None`); the first option when there is none.
fn action_for(table: &Table, view: &View, combo: Option<Combo>) -> Option<Action> {
    let wanted = |action: &Action| match (action, combo) {
        (Action::Pass, None) => true,
        (Action::Play(cards), Some(combo)) => table.shapes.recognise(*cards) == Some(combo),
        _ => false,
    };
    Wakeng::options(view).find(wanted).or_else(|| Wakeng::options(view).next())
}
