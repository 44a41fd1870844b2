//! The one generator of what a seat may do. The state and the view both build it, so that a hint, the clock, an AI
//! player and the check of an action can never disagree.

use super::action::{Action, Bid};
use super::combo::Plays;
use super::state::Phase;

/// Iterates over the legal actions of a seat, the clock's action first. Counting and skipping are quick.
#[derive(Clone, Debug)]
pub struct Options {
    /// Actions without cards, still to come from `next`.
    simple: [Option<Action>; 4],
    next: usize,
    plays: Option<Plays>,
}

impl Options {
    /// Nothing to do.
    pub(super) const NOTHING: Options = Options { simple: [None; 4], next: 0, plays: None };

    /// What may be done by a seat that is to act; `highest` bid so far, `plays` asked for in play only. A follower
    /// may pass.
    pub(super) fn of(phase: Phase, highest: u8, plays: impl FnOnce() -> (Plays, bool)) -> Options {
        let choice = |action: fn(bool) -> Action| [Some(action(false)), Some(action(true)), None, None];
        match phase {
            Phase::Show | Phase::BankerShow => Options { simple: choice(Action::Show), ..Options::NOTHING },
            Phase::Double => Options { simple: choice(Action::Double), ..Options::NOTHING },
            Phase::Bid => {
                let mut options = Options::NOTHING;
                let bids = Bid::ALL.into_iter().filter(|bid| *bid == Bid::None || bid.points() > highest);
                for (place, bid) in options.simple.iter_mut().zip(bids) {
                    *place = Some(Action::Bid(bid));
                }
                options
            }
            Phase::Play => {
                let (plays, may_pass) = plays();
                let pass = may_pass.then_some(Action::Pass);
                Options { simple: [pass, None, None, None], next: 0, plays: Some(plays) }
            }
            Phase::Over => Options::NOTHING,
        }
    }

    fn simple_left(&self) -> usize {
        self.simple.iter().skip(self.next).flatten().count()
    }
}

impl Iterator for Options {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        if let Some(action) = self.simple.get(self.next).copied().flatten() {
            self.next += 1;
            return Some(action);
        }
        self.plays.as_mut()?.next().map(|(_, cards)| Action::Play(cards))
    }

    fn count(self) -> usize {
        self.simple_left() + self.plays.map_or(0, Plays::count)
    }

    fn nth(&mut self, n: usize) -> Option<Action> {
        let simple = self.simple_left();
        if n < simple {
            self.next += n;
            return self.next();
        }
        self.next += simple;
        self.plays.as_mut()?.nth(n - simple).map(|(_, cards)| Action::Play(cards))
    }
}
