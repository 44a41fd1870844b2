//! The engine, going along with a PHH file: whether `cbr` is a bet or a raise, whether board cards are due, who may still
//! show or muck, and whether the stacks at the end are the rules'.
//!
//! Nothing here reads text; what the rules refuse is written down as it stands.

use super::amount::Decimal;
use super::read::{Act, Line, Placed};
use crate::games::holdem::state::{Stage, State};
use crate::games::holdem::{Action, Holdem};
use crate::games::{ActionText, Game, Seat, Seats};
use crate::words::{Message, message};

/// The engine, going along with the file.
pub(super) struct Walk {
    pub(super) state: State,
    /// Board cards that the file has dealt.
    pub(super) dealt: usize,
    pub(super) places: u32,
    /// Whether something was refused: whatever comes after is written down but not tried.
    pub(super) stopped: bool,
    /// Who has mucked.
    pub(super) mucked: Seats,
    /// Who has shown.
    pub(super) tabled: Seats,
    /// What was refused first.
    pub(super) refused: Option<(usize, String)>,
}

impl Walk {
    pub(super) fn step(&mut self, placed: Placed) -> Option<Line> {
        let Placed { line, index, written, act } = placed;
        let (player, action) = match act {
            Err(message) => (None, Err(message)),
            Ok(Act::Nothing | Act::Hole(..)) => return None,
            Ok(Act::Board(cards)) => (None, Err(self.board(cards.len())?)),
            Ok(Act::ShowKnown(player) | Act::Show(player, _)) => {
                (Some(player), Err(self.show(player, false)?))
            }
            Ok(Act::Muck(player)) => (Some(player), Err(self.show(player, true)?)),
            Ok(Act::Fold(player)) => (Some(player), Ok(Action::Fold)),
            Ok(Act::Call(player)) => (Some(player), Ok(self.call(player))),
            Ok(Act::Raise(player, to)) => (Some(player), Ok(self.raise(to))),
        };
        let seat = player.and_then(|player| u8::try_from(player - 1).ok()).map(Seat);
        let action = action.and_then(|action| self.play(seat, action));
        self.stopped |= action.is_err();
        if self.stopped && self.refused.is_none() {
            self.refused = Some((index, written.clone()));
        }
        Some(Line { line, index, seat, written, action })
    }

    /// Board cards: as many as the street has, once the betting before it is over.
    fn board(&mut self, count: usize) -> Option<Message> {
        let wanted = if self.dealt == 0 { 3 } else { 1 };
        if count != wanted {
            return Some(message!("phh-board-due", wanted, count));
        }
        if self.dealt + count > self.state.dealt && !self.stopped {
            return Some(message!("phh-betting-open"));
        }
        self.dealt += count;
        None
    }

    /// Shows or mucks a hand: once each, not a folded one, and no hand that the rules turn up (PK-33) or that lies open
    /// already (PK-39) is mucked. The last live hand wins unseen (PK-37).
    fn show(&mut self, player: usize, muck: bool) -> Option<Message> {
        if self.stopped {
            return None;
        }
        let seat = u8::try_from(player - 1).map_or(Seat(0), Seat);
        let live = self.state.live;
        if !live.contains(seat) {
            return Some(message!("phh-folded", player));
        }
        if self.mucked.contains(seat) {
            return Some(message!("phh-mucked", player));
        }
        if !muck {
            self.tabled = self.tabled.with(seat);
            return None;
        }
        if self.tabled.contains(seat) {
            return Some(message!("phh-shown", player));
        }
        if self.state.face_up {
            return Some(message!("phh-turned-up", player));
        }
        self.mucked = self.mucked.with(seat);
        if live.iter().all(|seat| self.mucked.contains(seat)) {
            return Some(message!("phh-last-live", player));
        }
        None
    }

    fn call(&self, player: usize) -> Action {
        let seat = u8::try_from(player - 1).map_or(Seat(0), Seat);
        if self.state.turn() == Some(seat) && self.state.owed(seat) == 0 {
            Action::Check
        } else {
            Action::Call
        }
    }

    fn raise(&self, to: Decimal) -> Action {
        let to = to.scaled(self.places).unwrap_or(u64::MAX);
        if self.state.top > 0 { Action::Raise(to) } else { Action::Bet(to) }
    }

    /// Tries an action; it is written down whether the rules allow it or not.
    fn play(&mut self, seat: Option<Seat>, action: Action) -> Result<ActionText, Message> {
        let betting = matches!(self.state.stage, Stage::Betting(_));
        if betting && self.dealt < self.state.dealt && !self.stopped {
            return Err(message!("phh-deal-first"));
        }
        let checked = seat.map(|seat| Holdem::check(&self.state, seat, &action));
        match checked {
            Some(Ok(effect)) if !self.stopped => self.state.apply(effect),
            _ => self.stopped = true,
        }
        Ok(Holdem::write_action(&action))
    }

    /// Compares `finishing_stacks` or `winnings` with what the rules give. Where there is money, less in all than there
    /// was is rake: only winners pay it, each at most what it won. Answers the rake.
    pub(super) fn compare(
        &self,
        key: &str,
        given: &[u64],
        money: bool,
    ) -> Result<u64, (Option<Seat>, Message)> {
        if self.state.stage != Stage::Over {
            return Ok(0);
        }
        let won =
            |index: usize| -> u64 { self.state.pots.iter().filter_map(|pot| pot.shares.get(index)).sum() };
        let due = |index: usize| -> u64 {
            if key == "winnings" {
                won(index)
            } else {
                self.state.stacks.get(index).copied().unwrap_or_default()
            }
        };
        let shown = |amount: u64| Decimal::shown(amount, self.places);
        let (all, ours): (u64, u64) = (given.iter().sum(), (0..given.len()).map(due).sum());
        let rake = ours.saturating_sub(all);
        if rake > 0 && !money {
            let missing = shown(rake);
            let message = message!("phh-rake", key, missing);
            return Err((None, message));
        }
        for (index, given) in given.iter().enumerate() {
            let ours = due(index);
            let paid = ours.saturating_sub(*given);
            if *given > ours || paid > won(index) || (rake == 0 && paid > 0) {
                let (found, wanted) = (shown(*given), shown(ours));
                let message = message!("phh-stacks-differ", key, found, number = index + 1, wanted);
                return Err((u8::try_from(index).ok().map(Seat), message));
            }
        }
        Ok(rake)
    }
}
