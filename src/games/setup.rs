//! The setups of duplicate boards: which board of a set begins with which, and the check of the cards that are dealt.
//!
//! What stands in a setup is each game's own ([`Game::setups`], [`Game::deal`]).

use std::sync::{Arc, LazyLock};

use super::{Fault, Game, Setup};
use crate::cards::{Card, Pack};
use crate::words::message;

static NOTHING: LazyLock<Setup> = LazyLock::new(Setup::default);

/// The setup of a board by its number in the set, from 1: the setups go round. An empty one where there are none.
///
/// ```
/// use fushi::games::{Game, board_setup, rulesets, tuolaji::Tuolaji};
///
/// let rules = rulesets::default::<Tuolaji>().unwrap();
/// let setups = Tuolaji::setups(&rules);
/// assert_eq!(board_setup(&setups, 14), board_setup(&setups, 2));
/// assert_eq!(board_setup(&setups, 14).0["level"], "3");
/// ```
#[must_use]
pub fn board_setup(setups: &[Setup], number: u32) -> &Setup {
    let turn = usize::try_from(number.saturating_sub(1)).unwrap_or(0);
    turn.checked_rem(setups.len()).and_then(|turn| setups.get(turn)).unwrap_or(&NOTHING)
}

/// A duplicate board by its number in the set, from 1, with the setup that belongs to the number.
///
/// ```
/// use fushi::games::{Game, deal_board, rulesets, wakeng::Wakeng};
///
/// let rules = rulesets::default::<Wakeng>().unwrap();
/// let start = deal_board::<Wakeng>(&rules, 1, &Wakeng::PACK.cards()).unwrap();
/// assert_eq!(Wakeng::seats(&start), 3);
/// ```
///
/// # Errors
/// An order that is no permutation of the game's pack.
pub fn deal_board<G: Game>(
    rules: &Arc<G::Rules>,
    number: u32,
    order: &[Card],
) -> Result<G::Start, Vec<Fault>> {
    G::deal(rules, board_setup(&G::setups(rules), number), order)
}

/// What is wrong with an order of cards that is to be dealt: it must be a permutation of the pack.
pub(super) fn order_fault(pack: Pack, order: &[Card]) -> Option<Fault> {
    let copies = match pack {
        Pack::FiftyTwo => 1_u8,
        Pack::TwoWithJokers => 2,
    };
    let mut counts = [0_u8; Card::FACES as usize];
    for card in order {
        if let Some(count) = counts.get_mut(usize::from(card.index())) {
            *count = count.saturating_add(1);
        }
    }
    // With as many cards as the pack has, and none too often, nothing is missing and nothing foreign.
    let foreign = pack == Pack::FiftyTwo && order.iter().any(|card| card.is_joker());
    let whole = order.len() == pack.size() && !foreign && counts.iter().all(|count| *count <= copies);
    (!whole).then(|| Fault::new("bad_order", message!("fault-order", cards = pack.size())))
}
