//! What a hand is worth before the play: bids, doubles and shows by counting.
//!
//! The chances were fitted by logistic regression to six thousand boards played out by level 1; they are logits in
//! thousandths: 0 is an even chance, 1000 is 73 %, −1000 is 27 %.

use super::hand::{Counts, RANKS, Split, Table};
use crate::cards::CardSet;
use crate::games::wakeng::Bid;

/// Weights of a constant, each 3, 2, ace, king, four of a kind, and play.
type Weights = [i32; 7];

/// The banker's chance from the sixteen cards before the bottom.
const BIDDER: Weights = [-710, 432, 321, 190, 73, 670, -151];
/// The banker's chance from the twenty cards.
const BANKER: Weights = [1521, 526, 410, 216, 127, 896, -512];
/// The defence's chance from one defender's cards, against any banker.
const DEFENDER: Weights = [1492, 283, 293, 129, 75, 668, -256];

/// From these chances on a bid is made, by points.
const BIDS: [(i32, Bid); 3] = [(100, Bid::Three), (-100, Bid::Two), (-300, Bid::One)];
/// From here on the banker doubles.
const BANKER_DOUBLES: i32 = 300;
/// From here on a defender doubles a banker who bid of his own will, …
const DEFENDER_DOUBLES: i32 = 900;
/// … and one who had to dig.
const DEFENDER_DOUBLES_ROTTEN: i32 = 250;
/// From here on the banker shows.
const BANKER_SHOWS: i32 = 1700;

fn logit(table: &Table, hand: CardSet, weights: Weights) -> i32 {
    let counts: Counts = table.counts(hand);
    let top = |place: usize| i32::from(counts.0[RANKS - 1 - place]);
    let quads = counts.0.iter().map(|count| i32::from(*count == 4)).sum::<i32>();
    let plays = i32::try_from(Split::of(table, counts).plays().len()).unwrap_or(0);
    let parts = [1, top(0), top(1), top(2), top(3), if table.bombs { quads } else { quads / 2 }, plays];
    weights.iter().zip(parts).map(|(weight, part)| weight * part).sum()
}

/// The chance as banker of a hand of sixteen cards.
pub(super) fn as_bidder(table: &Table, hand: CardSet) -> i32 {
    logit(table, hand, BIDDER)
}

/// The highest sensible bid above `highest`; no bid when there is none.
pub(super) fn bid(chance: i32, highest: u8) -> Bid {
    BIDS.iter()
        .find(|(from, _)| chance >= *from)
        .map(|(_, bid)| *bid)
        .filter(|bid| bid.points() > highest)
        .unwrap_or(Bid::None)
}

/// Whether the banker doubles.
pub(super) fn banker_doubles(table: &Table, hand: CardSet) -> bool {
    logit(table, hand, BANKER) >= BANKER_DOUBLES
}

/// Whether a defender doubles; `willing`: the banker made a bid.
pub(super) fn defender_doubles(table: &Table, hand: CardSet, willing: bool) -> bool {
    let from = if willing { DEFENDER_DOUBLES } else { DEFENDER_DOUBLES_ROTTEN };
    logit(table, hand, DEFENDER) >= from
}

/// Whether the banker shows after the bidding.
pub(super) fn banker_shows(table: &Table, hand: CardSet) -> bool {
    logit(table, hand, BANKER) >= BANKER_SHOWS
}
