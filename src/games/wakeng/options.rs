//! The one generator of what a seat may do. The state and the view both build it, so that a hint, the clock, an AI
//! player and the check of an action can never disagree (WK-43).

use super::action::{Action, Bid};
use super::combo::Plays;
use super::state::Phase;

/// The actions without cards, each a bit of a mask in this order.
const SIMPLE: [Action; 9] = [
    Action::Show(false),
    Action::Show(true),
    Action::Bid(Bid::None),
    Action::Bid(Bid::One),
    Action::Bid(Bid::Two),
    Action::Bid(Bid::Three),
    Action::Double(false),
    Action::Double(true),
    Action::Pass,
];
const SHOW: u16 = 0b11;
const NO_BID: u16 = 0b100;
const BIDS: u16 = 0b11_1000;
const DOUBLE: u16 = 0b1100_0000;
const PASS: u16 = 0b1_0000_0000;

/// Iterates over the legal actions of a seat, the clock's action first. Counting and skipping are quick: a random
/// playout clones the options, counts them and takes the n-th.
#[derive(Clone, Debug)]
pub struct Options {
    /// Actions without cards that are still to come, bits of [`SIMPLE`].
    simple: u16,
    plays: Option<Plays>,
}

impl Options {
    /// Nothing to do.
    pub(super) const NOTHING: Options = Options { simple: 0, plays: None };

    /// What may be done by a seat that is to act; `highest` bid so far, `plays` asked for in play only, with whether
    /// the seat may pass.
    pub(super) fn of(phase: Phase, highest: u8, plays: impl FnOnce() -> (Plays, bool)) -> Options {
        match phase {
            Phase::Show | Phase::BankerShow => Options { simple: SHOW, plays: None },
            Phase::Double => Options { simple: DOUBLE, plays: None },
            Phase::Bid => {
                Options { simple: NO_BID | BIDS & BIDS << highest.min(Bid::Three.points()), plays: None }
            }
            Phase::Play => {
                let (plays, may_pass) = plays();
                Options { simple: if may_pass { PASS } else { 0 }, plays: Some(plays) }
            }
            Phase::Over => Options::NOTHING,
        }
    }
}

impl Iterator for Options {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        if self.simple != 0 {
            let place = self.simple.trailing_zeros() as usize;
            self.simple &= self.simple - 1;
            return SIMPLE.get(place).copied();
        }
        self.plays.as_mut()?.next().map(|(_, cards)| Action::Play(cards))
    }

    fn count(self) -> usize {
        self.simple.count_ones() as usize + self.plays.map_or(0, Plays::count)
    }

    fn nth(&mut self, mut n: usize) -> Option<Action> {
        while self.simple != 0 {
            let action = self.next();
            if n == 0 {
                return action;
            }
            n -= 1;
        }
        self.plays.as_mut()?.nth(n).map(|(_, cards)| Action::Play(cards))
    }
}
