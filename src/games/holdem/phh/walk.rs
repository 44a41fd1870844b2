//! The engine, going along with a PHH file: whether `cbr` is a bet or a raise, whether board cards are due, who may still
//! show or muck.
//!
//! Nothing here reads text. What the rules refuse is written down as it stands, but for what other programs write and
//! what changes nothing: that is read as the rules have it, with a remark.

use super::amount::Decimal;
use super::read::{Act, Line, Placed};
use super::remark::{Reason, Remark};
use crate::games::holdem::state::{Stage, State};
use crate::games::holdem::{Action, Holdem, Illegal};
use crate::games::{ActionText, Game, Seat, Seats};
use crate::words::{Message, message};

/// The seat of a player: `p1` sits in the first.
fn seat_of(player: usize) -> Seat {
    u8::try_from(player.saturating_sub(1)).map_or(Seat(0), Seat)
}

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
    /// What was read otherwise than it is written.
    pub(super) remarks: Vec<Remark>,
}

impl Walk {
    pub(super) const fn new(state: State, places: u32) -> Walk {
        Walk {
            state,
            dealt: 0,
            places,
            stopped: false,
            mucked: Seats::NONE,
            tabled: Seats::NONE,
            refused: None,
            remarks: Vec::new(),
        }
    }

    pub(super) fn step(&mut self, placed: Placed) -> Option<Line> {
        let Placed { line, index, written, act } = placed;
        let (player, action) = match act {
            Err(message) => (None, Err(message)),
            Ok(Act::Nothing | Act::Hole(..)) => return None,
            Ok(Act::Board(cards)) => (None, Err(self.board(cards.len())?)),
            Ok(Act::ShowKnown(player) | Act::Show(player, _)) => {
                (Some(player), Err(self.show(player, false)?))
            }
            Ok(Act::Muck(player)) => {
                let refused = self.show(player, true);
                if refused.is_none() && self.state.face_up && !self.stopped {
                    self.remarks.push(Reason::MuckAfterAllIn.at(index, &written));
                }
                (Some(player), Err(refused?))
            }
            Ok(Act::Call(player) | Act::Raise(player, _)) if self.nobody_asks(player) => {
                self.remarks.push(Reason::ActionUnasked.at(index, &written));
                return None;
            }
            Ok(Act::Fold(player)) => (Some(player), Ok(Action::Fold)),
            Ok(Act::Dead(player)) => (Some(player), Ok(Action::Dead)),
            Ok(Act::Call(player)) => (Some(player), Ok(self.call(player))),
            Ok(Act::Raise(player, to)) => (Some(player), Ok(self.raise(to))),
        };
        let seat = player.map(seat_of);
        let action = action.map(|action| match seat.and_then(|seat| self.as_ruled(seat, action)) {
            Some((ruled, reason)) if !self.stopped => {
                self.remarks.push(reason.at(index, &written));
                ruled
            }
            _ => action,
        });
        let official = action == Ok(Action::Dead);
        let action = action.and_then(|action| self.play(seat, action));
        self.stopped |= action.is_err();
        if self.stopped && self.refused.is_none() {
            self.refused = Some((index, written.clone()));
        }
        Some(Line { line, index, seat, written, action, official })
    }

    /// What an action is where other programs write it otherwise than the rules here have it.
    fn as_ruled(&self, seat: Seat, action: Action) -> Option<(Action, Reason)> {
        let refused = Holdem::check(&self.state, seat, &action).err()?;
        match (action, refused) {
            // It binds (PK-106).
            (Action::Fold, Illegal::NothingToCall { .. }) => Some((Action::Dead, Reason::FoldUnasked)),
            (Action::Bet(to) | Action::Raise(to), Illegal::NobodyToRaise) => {
                let (put, stack) = (self.state.put.get(seat.index())?, self.state.stacks.get(seat.index())?);
                let (all, owed) = (put + stack, self.state.owed(seat));
                let least = (self.state.top + self.state.full).min(all);
                let ruled = if owed > 0 { Action::Call } else { Action::Check };
                (least..=all).contains(&to).then_some((ruled, Reason::RaiseUncallable))
            }
            _ => None,
        }
    }

    /// Whether the betting is over with this player the only live one who has chips: some programs still ask.
    fn nobody_asks(&self, player: usize) -> bool {
        let State { live, active, .. } = self.state;
        !matches!(self.state.stage, Stage::Betting(_))
            && !self.stopped
            && (live.len() > 1 && active == Seats::one(seat_of(player)))
            && self.tabled.is_empty()
            && self.mucked.is_empty()
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

    /// Shows or mucks a hand: once each, not a folded one, and no hand that lies open already (PK-39) is mucked. The last
    /// live hand wins unseen (PK-37).
    fn show(&mut self, player: usize, muck: bool) -> Option<Message> {
        if self.stopped {
            return None;
        }
        let seat = seat_of(player);
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
        self.mucked = self.mucked.with(seat);
        if live.iter().all(|seat| self.mucked.contains(seat)) {
            return Some(message!("phh-last-live", player));
        }
        None
    }

    fn call(&self, player: usize) -> Action {
        let seat = seat_of(player);
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
}
