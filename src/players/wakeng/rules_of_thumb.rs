//! Level 1: rules of thumb, no chance at all.

use super::hand::Table;
use super::{action_for, bidding, policy, spot};
use crate::games::GameKind;
use crate::games::wakeng::{Action, Bid, Phase, View, Wakeng};
use crate::players::{Ask, LevelInfo, Player};

/// Level `wakeng-1`: bids and doubles by counted strength; leads losers and long combinations, keeps controls and
/// bombs, follows as cheaply as it pays, leaves tricks to its partner and stops an enemy about to go out.
#[derive(Clone, Copy, Debug)]
pub struct RulesOfThumb;

impl Player<Wakeng> for RulesOfThumb {
    fn info(&self) -> LevelInfo {
        LevelInfo {
            game: GameKind::Wakeng,
            name: "wakeng-1",
            definition: "2; rules of thumb 1; canonical views",
        }
    }

    fn choose(&self, ask: &Ask<'_, Wakeng>) -> Option<Action> {
        answer(&Table::of(ask.rules()), ask.view())
    }
}

/// The answer of level 1 to a view; always one of the options.
pub(super) fn answer(table: &Table, view: &View) -> Option<Action> {
    let hand = view.hand.unwrap_or_default();
    let wanted = match view.phase {
        Phase::Show => Action::Show(false),
        Phase::BankerShow => Action::Show(bidding::banker_shows(table, hand)),
        Phase::Bid => Action::Bid(bidding::bid(bidding::as_bidder(table, hand), view.bid)),
        Phase::Double => Action::Double(if view.banker == view.viewer {
            bidding::banker_doubles(table, hand)
        } else {
            bidding::defender_doubles(table, hand, view.bids.iter().any(|(_, bid)| *bid != Bid::None))
        }),
        Phase::Play => {
            let combo = spot(view).and_then(|spot| policy::choose(table, &spot));
            return action_for(table, view, combo);
        }
        Phase::Over => return None,
    };
    legal(view, wanted)
}

/// The wanted action if it is an option, else the first option.
pub(super) fn legal(view: &View, wanted: Action) -> Option<Action> {
    use crate::games::Game as _;
    let mut options = Wakeng::options(view);
    let first = options.next()?;
    if first == wanted || options.any(|action| action == wanted) { Some(wanted) } else { Some(first) }
}
