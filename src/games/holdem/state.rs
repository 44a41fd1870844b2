//! A hand in play: posting, betting, streets. Showdown and pots are settled next door.
//!
//! Every amount is in whole chips. The board of the start is read only when a street is dealt and at a showdown;
//! what lies behind the cards that are out never leaves this module (PK-61).

use std::sync::Arc;

use super::position;
use super::pots::{self, Pot};
use super::rules::{AllInCards, AnteKind, BigBlindAnte, PreflopBetting, Rules};
use super::start::{Hole, PerSeat, SEATS_MAX, Start, Street};
use crate::cards::Card;
use crate::games::holdem::eval::HandValue;
use crate::games::{Seat, Seats};

/// How far a hand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// A seat is to act.
    Betting(Seat),
    /// The pots are paid out.
    Over,
    /// A showdown that cannot be settled because cards are unknown.
    Unsettled,
}

/// What the blinds and antes of a hand came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posts {
    /// Antes by seat.
    pub antes: PerSeat<u64>,
    /// Blinds by seat.
    pub blinds: PerSeat<u64>,
}

/// Full information about a hand.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) rules: Arc<Rules>,
    pub(super) start: Start,
    pub(super) stage: Stage,
    pub(super) street: Street,
    /// Chips that each seat has left.
    pub(super) stacks: PerSeat<u64>,
    /// What each seat has put in on this street.
    pub(super) put: PerSeat<u64>,
    /// What each seat has put in altogether, the dead chips aside.
    pub(super) total: PerSeat<u64>,
    /// Chips that belong to nobody and go into the main pot.
    pub(super) dead: u64,
    /// Seats that have not folded.
    pub(super) live: Seats,
    /// Those of them that have chips left.
    pub(super) active: Seats,
    /// Those of them that must still act on this street.
    pub(super) pending: Seats,
    /// Seats whose hands an official has killed (PK-59, PK-62, PK-115).
    pub(super) killed: Seats,
    /// Whether a hand was killed on this street: whoever has still to act is asked, though nothing more may follow.
    pub(super) all_asked: bool,
    /// Seats that have acted on this street, since when no full raise was made.
    pub(super) closed: Seats,
    /// The bet to call; before the flop at least the big blind.
    pub(super) top: u64,
    /// Whether nobody live has put in as much as the bet to call: the big blind was short, or the bettor's hand is dead.
    pub(super) nominal: bool,
    /// The last full bet or raise: the least that a raise must add.
    pub(super) full: u64,
    /// The last seat that bet or raised on the last street with betting.
    pub(super) aggressor: Option<Seat>,
    /// The street of the last betting.
    pub(super) last_betting: Street,
    /// By how much posted blinds fell short.
    pub(super) short_blinds: u64,
    /// How often each seat has bet or raised on each street.
    pub(super) raises: PerSeat<[u8; 4]>,
    /// Cards of the board that are out.
    pub(super) dealt: usize,
    /// Whether the live hands have been turned up for an all-in.
    pub(super) face_up: bool,
    /// The uncalled bet that went back.
    pub(super) returned: Option<(Seat, u64)>,
    /// The pots, once they are settled.
    pub(super) pots: Vec<Pot>,
    /// Values of the hands at the showdown.
    pub(super) values: PerSeat<Option<HandValue>>,
    /// The seats in the order of the showdown, and those of them that showed.
    pub(super) order: ShowOrder,
}

/// The order of a showdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct ShowOrder {
    pub(super) first: Option<Seat>,
    pub(super) all: Seats,
    pub(super) shown: Seats,
}

impl ShowOrder {
    /// The seats in order, and whether each showed its hand.
    pub(super) fn iter(self) -> impl Iterator<Item = (Seat, bool)> {
        let mut next = self.first;
        std::iter::from_fn(move || {
            let seat = next?;
            next = self.all.next_after(seat).filter(|after| Some(*after) != self.first);
            Some((seat, self.shown.contains(seat)))
        })
    }
}

/// What a seat on turn may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Chips still to put in, no more than the stack and what a live opponent can match; 0 = check.
    pub call: u64,
    /// The least and the greatest total of a bet or raise; `None` if none is open.
    pub raise: Option<(u64, u64)>,
    /// Whether the seat's own part in the betting is closed (as opposed to nobody being able to call more).
    pub closed: bool,
}

/// A checked action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    pub(super) seat: Seat,
    pub(super) kind: EffectKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EffectKind {
    Fold,
    Check,
    /// An official kills the hand, whoever's turn it is.
    Kill,
    /// Chips added.
    Call(u64),
    /// New total of the street.
    Raise(u64),
}

/// What everybody posts.
pub(super) fn posts(rules: &Rules, start: &Start) -> Posts {
    let mut posts = Posts { antes: [0; SEATS_MAX], blinds: [0; SEATS_MAX] };
    let mut left = start.stacks;
    let mut pay = |seat: Seat, amount: u64, into: &mut PerSeat<u64>| {
        let paid = amount.min(left[seat.index()]);
        left[seat.index()] -= paid;
        into[seat.index()] = paid;
    };
    let (kind, ante) = start.ante;
    let ante_first = rules.big_blind_ante == BigBlindAnte::AnteFirst;
    match (kind, start.bb) {
        (AnteKind::All, _) => {
            for seat in start.seats.iter() {
                pay(seat, ante, &mut posts.antes);
            }
        }
        (AnteKind::Bb, Some(bb)) if ante_first => pay(bb, ante, &mut posts.antes),
        _ => {}
    }
    for (seat, blind) in [start.sb, start.bb].into_iter().zip(start.blinds) {
        if let Some(seat) = seat {
            pay(seat, blind, &mut posts.blinds);
        }
    }
    if let (AnteKind::Bb, Some(bb), false) = (kind, start.bb, ante_first) {
        pay(bb, ante, &mut posts.antes);
    }
    posts
}

impl State {
    /// The hand before its first action.
    pub(super) fn open(rules: &Arc<Rules>, start: &Start) -> State {
        let mut state = State {
            rules: Arc::clone(rules),
            start: start.clone(),
            stage: Stage::Over,
            street: Street::Preflop,
            stacks: start.stacks,
            put: [0; SEATS_MAX],
            total: [0; SEATS_MAX],
            dead: 0,
            live: start.seats,
            active: start.seats,
            pending: start.seats,
            killed: Seats::NONE,
            all_asked: false,
            closed: Seats::NONE,
            top: start.blinds[1],
            nominal: false,
            full: start.blinds[1],
            aggressor: None,
            last_betting: Street::Preflop,
            short_blinds: 0,
            raises: [[0; 4]; SEATS_MAX],
            dealt: 0,
            face_up: false,
            returned: None,
            pots: Vec::new(),
            values: [None; SEATS_MAX],
            order: ShowOrder::default(),
        };
        if start.position.is_some() {
            state.take_up();
        } else {
            state.post();
        }
        state
    }

    /// The start of the hand, every card included.
    #[must_use]
    pub const fn start(&self) -> &Start {
        &self.start
    }

    fn post(&mut self) {
        let posts = posts(&self.rules, &self.start);
        for seat in self.start.seats.iter() {
            let index = seat.index();
            let (ante, blind) = (posts.antes[index], posts.blinds[index]);
            self.stacks[index] -= ante + blind;
            self.put[index] = blind;
            self.total[index] = blind;
            if self.start.ante.0 == AnteKind::All {
                self.total[index] += ante;
            } else {
                self.dead += ante;
            }
            if self.stacks[index] == 0 {
                self.active = self.active.without(seat);
            }
        }
        let due = [self.start.sb, self.start.bb].into_iter().zip(self.start.blinds);
        self.short_blinds =
            due.filter_map(|(seat, blind)| Some(blind.saturating_sub(posts.blinds[seat?.index()]))).sum();
        self.nominal = self.put.iter().all(|put| *put < self.top);
        self.kill_out();
        self.pending = self.active;
        self.go_on(self.start.blind_end());
    }

    /// Hands of seats that are out: dealt in, blinds and antes posted, and dead (PK-62, PK-115). The play that follows is
    /// the same as if an official had killed them before the first action.
    fn kill_out(&mut self) {
        let out = self.start.out;
        if out.is_empty() {
            return;
        }
        self.live = self.live.iter().filter(|seat| !out.contains(*seat)).collect();
        self.active = self.active.iter().filter(|seat| !out.contains(*seat)).collect();
        self.killed = out;
        self.all_asked = true;
        self.nominal |= self.live.iter().all(|seat| self.put[seat.index()] < self.top);
    }

    /// Takes up a position.
    fn take_up(&mut self) {
        let Some(position) = self.start.position.take() else { return };
        self.street = position.street;
        self.dealt = position.street.board_cards();
        self.put = position.put;
        self.total = position.put;
        self.dead = position.pot;
        self.live = self.start.seats.iter().filter(|seat| !position.folded.contains(*seat)).collect();
        self.active = self.live.iter().filter(|seat| self.stacks[seat.index()] > 0).collect();
        self.top = position::top(&self.start, &position);
        self.nominal = self.put.iter().all(|put| *put < self.top);
        self.full = position.last_full_raise;
        self.closed = position::has_acted(&self.start, &position);
        let owing = self.active.iter().filter(|seat| self.put[seat.index()] < self.top);
        let fresh = self.active.iter().filter(|seat| !self.closed.contains(*seat));
        self.pending = owing.chain(fresh).collect::<Seats>().with(position.turn);
        self.stage = Stage::Betting(position.turn);
        self.start.position = Some(position);
    }

    /// Chips that a seat has still to put in.
    pub(super) fn owed(&self, seat: Seat) -> u64 {
        let put = self.put[seat.index()];
        let mut top = self.top;
        if self.nominal {
            // Nobody pays more than some live opponent can match, or than one dead hand has bet and another called.
            let others = self.live.without(seat).iter();
            let match_max = others.map(|other| self.put[other.index()] + self.stacks[other.index()]).max();
            top = top.min(match_max.unwrap_or_default().max(self.called(seat)));
        }
        top.saturating_sub(put).min(self.stacks[seat.index()])
    }

    /// The part of the bet that two others have put in, live or not.
    fn called(&self, seat: Seat) -> u64 {
        let others = self.put.iter().enumerate().filter(|(index, _)| *index != seat.index());
        others.fold((0, 0), |(most, next), (_, put)| (most.max(*put), next.max(*put.min(&most)))).1
    }

    /// What the seat on turn may do (PK-89, PK-90, PK-92, PK-93).
    pub(super) fn bounds(&self, seat: Seat) -> Bounds {
        let index = seat.index();
        let put = self.put[index];
        let max = (put + self.stacks[index]).min(self.limit(put));
        let call = self.owed(seat);
        let closed = self.closed.contains(seat) && !self.reopened(put);
        let rival = self
            .live
            .without(seat)
            .iter()
            .any(|other| self.put[other.index()] + self.stacks[other.index()] > self.top);
        let open = max > self.top && !closed && rival;
        let raise = open.then(|| ((self.top + self.full).min(max), max));
        Bounds { call, raise, closed }
    }

    /// The greatest total that the betting allows a seat with `put` in front of it. Pot-limit: the bet to call plus the
    /// pot as it is after the call; blinds that were short count in full (PK-74).
    fn limit(&self, put: u64) -> u64 {
        if self.street != Street::Preflop || self.rules.preflop_betting == PreflopBetting::NoLimit {
            return u64::MAX;
        }
        let pot = self.total.iter().sum::<u64>() + self.dead + self.short_blinds;
        self.top + pot + self.top.saturating_sub(put)
    }

    fn reopened(&self, put: u64) -> bool {
        match self.rules.short_all_ins {
            super::rules::ShortAllIns::AddUp => self.top.saturating_sub(put) >= self.full,
            super::rules::ShortAllIns::EachAlone => false,
        }
    }

    /// Carries out a checked action.
    pub(super) fn apply(&mut self, effect: Effect) {
        let Effect { seat, kind } = effect;
        match kind {
            EffectKind::Kill => return self.kill(seat),
            EffectKind::Fold => {
                self.live = self.live.without(seat);
                self.active = self.active.without(seat);
            }
            EffectKind::Check => {}
            EffectKind::Call(chips) => self.pay(seat, chips),
            EffectKind::Raise(to) => self.raise(seat, to),
        }
        self.pending = self.pending.without(seat);
        self.closed = self.closed.with(seat);
        self.go_on(seat);
    }

    /// Kills a live hand; its chips stay in (PK-62, PK-112). The turn stays where it is unless it was this seat's.
    fn kill(&mut self, seat: Seat) {
        let turn = self.turn();
        self.live = self.live.without(seat);
        self.active = self.active.without(seat);
        self.pending = self.pending.without(seat);
        self.killed = self.killed.with(seat);
        self.all_asked = true;
        self.nominal |= self.live.iter().all(|seat| self.put[seat.index()] < self.top);
        match turn {
            // A showdown that unknown cards keep open may be settled without this hand.
            None => self.stage = if self.settle() { Stage::Over } else { Stage::Unsettled },
            Some(turn) if turn == seat || self.live.len() == 1 => self.go_on(seat),
            Some(_) => {}
        }
    }

    fn pay(&mut self, seat: Seat, chips: u64) {
        let index = seat.index();
        self.stacks[index] -= chips;
        self.put[index] += chips;
        self.total[index] += chips;
        if self.stacks[index] == 0 {
            self.active = self.active.without(seat);
        }
    }

    fn raise(&mut self, seat: Seat, to: u64) {
        let added = to - self.top;
        self.pay(seat, to - self.put[seat.index()]);
        if added >= self.full {
            self.full = added;
            self.closed = Seats::NONE;
        }
        self.top = to;
        self.nominal = false;
        self.aggressor = Some(seat);
        self.pending = self.active;
        let count = &mut self.raises[seat.index()][self.street as usize];
        *count = count.saturating_add(1);
    }

    /// The next turn after `seat`, the next street, or the end of the betting.
    fn go_on(&mut self, seat: Seat) {
        if self.live.len() == 1 {
            return self.end_betting();
        }
        if let Some(next) = self.pending.next_after(seat)
            && (self.active.len() > 1 || self.all_asked || self.owed(next) > 0)
        {
            self.stage = Stage::Betting(next);
            return;
        }
        let more = self.active.len() > 1;
        match self.street.next() {
            Some(street) if more => self.deal(street),
            _ => self.end_betting(),
        }
    }

    fn deal(&mut self, street: Street) {
        self.street = street;
        self.dealt = street.board_cards();
        self.put = [0; SEATS_MAX];
        self.top = 0;
        self.nominal = false;
        self.full = self.start.blinds[1];
        self.aggressor = None;
        self.closed = Seats::NONE;
        self.all_asked = false;
        self.pending = self.active;
        let first = self.active.next_after(self.start.button).unwrap_or(self.start.button);
        self.stage = Stage::Betting(first);
    }

    /// No more betting: the uncalled bet goes back (PK-49), the board is completed if two hands are live, the pots are paid.
    fn end_betting(&mut self) {
        self.pending = Seats::NONE;
        self.last_betting = self.street;
        if let Some((seat, chips)) = pots::uncalled(&self.total)
            && let chips = chips.min(self.own_bets(seat))
            && chips > 0
        {
            let index = seat.index();
            self.total[index] -= chips;
            self.put[index] = self.put[index].saturating_sub(chips);
            self.stacks[index] += chips;
            self.returned = Some((seat, chips));
        }
        if self.live.len() > 1 {
            self.face_up = self.rules.all_in_cards == AllInCards::FaceUp
                && self.live.iter().any(|seat| self.stacks[seat.index()] == 0);
            self.street = Street::River;
            self.dealt = 5;
        }
        self.stage = if self.settle() { Stage::Over } else { Stage::Unsettled };
    }

    /// The chips that may go back to a seat if nobody called them: all of a live one's; of a killed hand what it bet, its
    /// blind and ante stay (PK-62, PK-112); nothing of one that has folded.
    fn own_bets(&self, seat: Seat) -> u64 {
        let index = seat.index();
        if self.live.contains(seat) {
            return self.total[index];
        }
        if !self.killed.contains(seat) {
            return 0;
        }
        if self.start.position.is_some() {
            return self.put[index];
        }
        let posts = posts(&self.rules, &self.start);
        self.total[index].saturating_sub(posts.blinds[index] + posts.antes[index])
    }

    /// The cards of the board that are out.
    pub(super) fn board(&self) -> &[Option<Card>] {
        self.start.cards.board.get(..self.dealt).unwrap_or_default()
    }

    pub(super) const fn hole(&self, seat: Seat) -> Hole {
        self.start.cards.holes[seat.index()]
    }

    /// The seat on turn.
    pub(super) const fn turn(&self) -> Option<Seat> {
        match self.stage {
            Stage::Betting(seat) => Some(seat),
            Stage::Over | Stage::Unsettled => None,
        }
    }
}
