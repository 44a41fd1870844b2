//! What a view says to a player: its cards, the price, who is still in, who acts behind it.

use crate::cards::{Card, CardSet};
use crate::games::holdem::{Action, SeatView, View};

/// Someone else who is still in the hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rival {
    /// How often the seat has bet or raised, by street.
    pub raises: [u8; 4],
    /// Chips put in on this street.
    pub put: u64,
    /// Chips left.
    pub stack: u64,
    /// Whether the seat posted the big blind.
    pub big_blind: bool,
}

/// A decision, as the seat on turn sees it. Amounts are in chips.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub hole: [Card; 2],
    pub board: Vec<Card>,
    /// 0 before the flop to 3 on the river.
    pub street: usize,
    pub pot: u64,
    /// The bet to call, as a total.
    pub bet: u64,
    pub call: u64,
    /// Least and greatest total of a bet or raise.
    pub raise: Option<(u64, u64)>,
    pub put: u64,
    pub stack: u64,
    pub big_blind: u64,
    pub unit: u64,
    pub my_raises: [u8; 4],
    pub rivals: Vec<Rival>,
    /// How many rivals with chips act after this seat once the flop is out.
    pub behind: usize,
}

impl Reading {
    /// Reads the view of a seat that is on turn and sees its cards.
    pub(super) fn of(view: &View) -> Option<Reading> {
        let me = view.me.filter(|me| view.turn == Some(*me))?;
        let choice = view.choice?;
        let own = view.seats.iter().find(|seat| seat.seat == me)?;
        let place = |seat: &str| clockwise(view.button, seat);
        let live = |seat: &&SeatView| seat.seat != me && seat.state != "folded";
        let rivals = view.seats.iter().filter(live).map(|seat| Rival {
            raises: seat.raises,
            put: seat.put,
            stack: seat.stack,
            big_blind: view.bb == Some(seat.seat),
        });
        let behind = view
            .seats
            .iter()
            .filter(live)
            .filter(|seat| seat.stack > 0 && place(seat.seat) > place(me))
            .count();
        let in_front: u64 = view.seats.iter().map(|seat| seat.put).sum();
        Some(Reading {
            hole: own.cards?,
            board: view.board.clone(),
            street: view.board.len().saturating_sub(2),
            pot: view.pot.unwrap_or(in_front + view.blinds[1]),
            bet: view.bet,
            call: choice.call,
            raise: choice.min.zip(choice.max),
            put: own.put,
            stack: own.stack,
            big_blind: view.blinds[1].max(1),
            unit: view.unit.max(1),
            my_raises: own.raises,
            rivals: rivals.collect(),
            behind,
        })
    }

    /// Bets and raises of everybody still in on a street.
    pub(super) fn raises_on(&self, street: usize) -> u64 {
        let own = self.my_raises.get(street).copied().unwrap_or_default();
        let others = self.rivals.iter().filter_map(|rival| rival.raises.get(street));
        others.map(|&count| u64::from(count)).sum::<u64>() + u64::from(own)
    }

    /// Whether the bets so far are larger than the levels ever make them: such bets say little about the hand behind them.
    pub(super) fn wild(&self) -> bool {
        if self.street == 0 {
            let most = match self.raises_on(0) {
                0 => return false,
                1 => 6,
                2 => 20,
                _ => 50,
            };
            return self.bet > self.big_blind.saturating_mul(most);
        }
        let in_front = self.rivals.iter().map(|rival| rival.put).sum::<u64>() + self.put;
        let before = self.pot.saturating_sub(in_front);
        self.raises_on(self.street) == 1 && self.bet > before.saturating_mul(2)
    }

    /// Rivals who have put in the bet or all they have, and those who have still to answer it.
    pub(super) fn answered(&self) -> (u64, u64) {
        let paid = |rival: &&Rival| rival.put >= self.bet || rival.stack == 0;
        let count = self.rivals.iter().filter(paid).count() as u64;
        (count, self.rivals.len() as u64 - count)
    }

    /// The part of the pot after a call that the call costs, in thousandths.
    pub(super) fn price(&self) -> u64 {
        self.call.saturating_mul(1000).checked_div(self.pot + self.call).unwrap_or_default()
    }

    /// The cards that this seat does not see.
    pub(super) fn unseen(&self) -> CardSet {
        let seen: CardSet = self.hole.iter().chain(&self.board).copied().collect();
        CardSet::FIFTY_TWO.difference(seen)
    }

    /// Checks, or folds when that is not free.
    pub(super) fn give_up(&self) -> Action {
        if self.call == 0 { Action::Check } else { Action::Fold }
    }

    /// Checks or calls.
    pub(super) fn stay(&self) -> Action {
        if self.call == 0 { Action::Check } else { Action::Call }
    }

    /// Bets or raises to a total, moved to the nearest that is legal; calls where no raise is open. A total that
    /// leaves little behind is all-in.
    pub(super) fn raise_to(&self, total: u64) -> Action {
        let Some((min, max)) = self.raise else { return self.stay() };
        let total = (total / self.unit * self.unit).max(min);
        if total >= max || (max - total).saturating_mul(4) < max {
            return self.most();
        }
        self.to(total)
    }

    /// All-in, or the greatest bet or raise where the pot limits it.
    pub(super) fn most(&self) -> Action {
        match self.raise {
            Some((_, max)) if max < self.put + self.stack => self.to(max),
            _ => Action::AllIn,
        }
    }

    const fn to(&self, total: u64) -> Action {
        if self.bet > 0 { Action::Raise(total) } else { Action::Bet(total) }
    }

    /// The total of a bet or raise of some thousandths of the pot after a call.
    pub(super) fn pot_part(&self, thousandths: u64) -> u64 {
        self.bet + (self.pot + self.call).saturating_mul(thousandths) / 1000
    }
}

/// How far a seat is behind the button, clockwise: 1 for the next seat, 10 for the button itself.
fn clockwise(button: &str, seat: &str) -> u8 {
    let number = |name: &str| name.parse::<u8>().unwrap_or_default();
    (number(seat) + 9).wrapping_sub(number(button)) % 10 + 1
}
