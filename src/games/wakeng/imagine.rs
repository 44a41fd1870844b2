//! Imagined boards: what a searching AI player makes of a view and a guess where the hidden cards lie.
//!
//! Everything comes from the view and the guess; nothing here ever sees the true board.

use super::action::Bid;
use super::rules::FirstLead;
use super::start::{Deal, Start};
use super::state::{Phase, State};
use super::view::View;
use super::{BOTTOM, SEATS};
use crate::cards::CardSet;
use crate::games::Seat;

impl State {
    /// A board that looks like the view and in which the hidden cards lie as given. `hands` are the cards still held;
    /// `bottom` matters while it is face down. Choices of others that are still hidden count as not made.
    ///
    /// `None` when the cards contradict what everybody or the viewer knows (counts, shown hands, cards played, who
    /// spoke and who led first), and for a position with unlisted hands.
    #[must_use]
    pub fn imagine(view: &View, hands: [CardSet; SEATS], bottom: CardSet) -> Option<State> {
        let face_down = if view.banker.is_none() { bottom } else { CardSet::EMPTY };
        if !(all_apart(view, hands, face_down) && hands_fit(view, hands)) {
            return None;
        }
        // What each seat was dealt: what it holds and has played, without the bottom it took.
        let mut dealt = hands;
        for (seat, hand) in (0..).map(Seat).zip(&mut dealt) {
            *hand = hand.union(view.played_by(seat));
            if view.banker == Some(seat) {
                *hand = hand.difference(view.bottom.unwrap_or_default());
            }
        }
        let mut state = State::open(&view.rules, &Start::Deal(Deal { hands: dealt, bottom }));
        let speaker = state.lowest_holder();
        if view.first.is_some_and(|first| first != speaker) {
            return None;
        }
        state.hands = hands;
        state.bottom = if view.banker.is_some() { view.bottom } else { Some(bottom) };
        state.take_over(view);
        if view.first.is_some() && !leads_fit(view, &state, dealt) {
            return None;
        }
        Some(state)
    }

    fn take_over(&mut self, view: &View) {
        self.phase = view.phase;
        self.first = view.first;
        self.turn = view.turn.unwrap_or(self.turn);
        for (bid, (_, said)) in self.bids.iter_mut().zip(&view.bids) {
            *bid = Some(*said);
        }
        self.bid = view.bid;
        // Before the end of the bidding the banker is whoever has bid most, if anybody has.
        let highest = view.bids.iter().filter(|(_, bid)| *bid != Bid::None).max_by_key(|(_, bid)| *bid);
        self.banker = view.banker.or(highest.map(|(seat, _)| *seat));
        if let (Some(seat), Some(choice)) = (view.viewer, view.choice) {
            self.chosen = 1 << seat.0;
            self.chose_yes = u8::from(choice) << seat.0;
        }
        self.shown = mask(view.shown.map(|shown| shown.is_some()));
        self.doubled = mask(view.doubled.unwrap_or_default());
        self.bombs = view.bombs;
        for played in view.tricks.iter().flatten() {
            self.record_play(*played);
        }
        self.out = view.out;
    }
}

fn mask(seats: [bool; SEATS]) -> u8 {
    (0..).zip(seats).fold(0, |mask, (seat, yes)| mask | u8::from(yes) << seat)
}

/// No card lies in two places, and none of them has been played.
fn all_apart(view: &View, hands: [CardSet; SEATS], face_down: CardSet) -> bool {
    let number = hands.iter().map(|hand| hand.len()).sum::<usize>() + face_down.len();
    let all = hands.iter().fold(face_down, |all, hand| all.union(*hand));
    all.len() == number
        && CardSet::FIFTY_TWO.contains_all(all)
        && (view.banker.is_some() || face_down.len() == BOTTOM)
        && all.intersection(view.played_by_all()).is_empty()
}

/// Counts and all cards whose holder is known.
fn hands_fit(view: &View, hands: [CardSet; SEATS]) -> bool {
    (0..).map(Seat).zip(hands).zip(view.counts).all(|((seat, hand), count)| {
        count == u8::try_from(hand.len()).ok() && hand.contains_all(view.known(seat))
    })
}

/// The first trick was led by the holder of the lowest card, where the ruleset wants that.
fn leads_fit(view: &View, state: &State, dealt: [CardSet; SEATS]) -> bool {
    if view.phase < Phase::Play || view.rules.first_lead == FirstLead::FirstSpeaker {
        return true;
    }
    let leader = view.tricks.first().and_then(|trick| trick.first()).map_or(state.turn, |led| led.seat);
    let lowest = view.rules.lowest_card();
    dealt.get(leader.index()).is_some_and(|hand| hand.contains(lowest))
        || view.banker == Some(leader) && view.bottom.is_some_and(|bottom| bottom.contains(lowest))
}
