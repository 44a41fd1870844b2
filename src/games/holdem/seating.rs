//! Button and blinds from hand to hand: dead button, dead small blind, heads-up (PK-66 to PK-69).
//!
//! Only who posts what is decided here; chips and cards are not known.

use crate::games::{Seat, Seats};

/// Where button and blinds are in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blinds {
    /// The button's seat; it may be empty.
    pub button: Seat,
    /// The seat whose turn it is to post the small blind; it may be empty.
    pub sb: Seat,
    /// The big blind.
    pub bb: Seat,
    /// Whether the small blind is posted: not where its seat is empty (PK-67).
    pub sb_posts: bool,
}

impl Blinds {
    /// Button and blinds of the first hand: the seats after the button in order; heads-up the button is the small
    /// blind. `None` with fewer than two seats or a button that is not among them.
    #[must_use]
    pub fn first(seats: Seats, button: Seat) -> Option<Blinds> {
        if seats.len() < 2 || !seats.contains(button) {
            return None;
        }
        let sb = if seats.len() == 2 { button } else { seats.next_after(button)? };
        let bb = seats.next_after(sb)?;
        Some(Blinds { button, sb, bb, sb_posts: true })
    }

    /// Button and blinds of the next hand, for the seats that are dealt in: the big blind moves to the next of them,
    /// small blind and button follow to where they would be, even on an empty seat (PK-66). Heads-up the other seat
    /// is button and small blind, so that nobody is the big blind twice running (PK-69). `None` with fewer than two
    /// seats.
    ///
    /// ```
    /// use fushi::games::{Seat, Seats, holdem::seating::Blinds};
    ///
    /// let seats: Seats = (0..6).map(Seat).collect();
    /// let first = Blinds::first(seats, Seat(0)).unwrap();
    /// // The big blind of the last hand has left: the next hand has no small blind (PK-67).
    /// let next = first.next(seats.without(first.bb)).unwrap();
    /// assert_eq!((next.button, next.sb_posts, next.bb), (Seat(1), false, Seat(3)));
    /// ```
    #[must_use]
    pub fn next(self, seats: Seats) -> Option<Blinds> {
        if seats.len() < 2 {
            return None;
        }
        let bb = seats.next_after(self.bb)?;
        if seats.len() == 2 {
            let other = seats.next_after(bb)?;
            return Some(Blinds { button: other, sb: other, bb, sb_posts: true });
        }
        Some(Blinds { button: self.sb, sb: self.bb, bb, sb_posts: seats.contains(self.bb) })
    }

    /// Whether a newcomer in `seat` waits because he sits between button and small blind (PK-9). In the button's
    /// own empty seat or the small blind's he is dealt in (PK-8).
    #[must_use]
    pub const fn waits(self, seat: Seat) -> bool {
        let (place, sb) = (self.distance(seat), self.distance(self.sb));
        place > 0 && place < sb
    }

    const fn distance(self, seat: Seat) -> u8 {
        (seat.0 % 10 + 10 - self.button.0 % 10) % 10
    }

    /// Where, with the button on an empty seat, the last to act sits: the nearest live seat to the button's right.
    #[must_use]
    pub fn last_to_act(self, seats: Seats) -> Option<Seat> {
        if seats.contains(self.button) {
            return Some(self.button);
        }
        seats.iter().filter(|seat| seat.0 < self.button.0).last().or_else(|| seats.iter().last())
    }
}
