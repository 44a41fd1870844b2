//! Pots: who is in for which chips, what comes back uncalled, how a pot is split.
//!
//! Chips are sorted into layers by what each live seat has put in. A layer belongs to the seats that reach it; what
//! folded seats put in beyond the last live layer belongs to the pot below (PK-48). Each pot is split on its own
//! (PK-45). Chips are conserved exactly, and nothing here knows cards.

use super::rules::OddChips;
use super::start::PerSeat;
use crate::games::{Seat, Seats};

/// One pot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pot {
    /// Chips in it.
    pub amount: u64,
    /// The live seats that are in for it.
    pub eligible: Seats,
    /// The seats that take it; none as long as it is not decided.
    pub winners: Seats,
    /// What each of them takes.
    pub shares: PerSeat<u64>,
}

/// The uncalled part of the highest amount put in (PK-49): what one seat has put in beyond everybody else.
///
/// ```
/// use fushi::games::{Seat, holdem::uncalled};
///
/// let mut total = [0; 10];
/// (total[0], total[3]) = (500, 300);
/// assert_eq!(uncalled(&total), Some((Seat(0), 200)));
/// ```
#[must_use]
pub fn uncalled(total: &PerSeat<u64>) -> Option<(Seat, u64)> {
    let (mut first, mut second, mut holder) = (0, 0, 0);
    for (index, amount) in (0u8..).zip(total.iter().copied()) {
        if amount > first {
            second = first;
            first = amount;
            holder = index;
        } else if amount > second {
            second = amount;
        }
    }
    (first > second).then_some((Seat(holder), first - second))
}

/// The pots, main pot first: `total` is what each seat has put in, `dead` what belongs to nobody (a big-blind ante, the
/// pot a position begins with) and goes into the main pot.
///
/// ```
/// use fushi::games::{Seat, Seats, holdem::layers};
///
/// // All-ins of 100, 300 and 900; 50 of a hand that folded, and an ante of nobody's.
/// let mut total = [0; 10];
/// (total[0], total[1], total[2], total[3], total[4]) = (100, 300, 900, 900, 50);
/// let live: Seats = (0..4).map(Seat).collect();
/// let pots: Vec<u64> = layers(&total, live, 10).iter().map(|pot| pot.amount).collect();
/// assert_eq!(pots, [460, 600, 1200]);
/// ```
#[must_use]
pub fn layers(total: &PerSeat<u64>, live: Seats, dead: u64) -> Vec<Pot> {
    let mut pots: Vec<Pot> = Vec::with_capacity(4);
    let mut reached = 0;
    let mut eligible = live;
    let mut dead = Some(dead);
    while !eligible.is_empty() {
        let level = eligible.iter().map(|seat| total[seat.index()]).min().unwrap_or(reached);
        let mut amount = dead.take().unwrap_or_default();
        for put in total {
            amount += put.min(&level) - put.min(&reached);
        }
        if amount > 0 {
            pots.push(Pot { amount, eligible, winners: Seats::NONE, shares: [0; 10] });
        }
        reached = level;
        eligible = eligible.iter().filter(|seat| total[seat.index()] > level).collect();
    }
    let beyond: u64 = total.iter().map(|put| put - put.min(&reached)).sum();
    match pots.last_mut() {
        Some(last) => last.amount += beyond,
        // Nobody live has put in anything: the blinds have been killed.
        None if beyond > 0 => {
            pots.push(Pot { amount: beyond, eligible: live, winners: Seats::NONE, shares: [0; 10] });
        }
        None => {}
    }
    pots
}

/// The pots of a hand in which bets may still be called, main pot first: only a seat that is all-in closes a pot, and
/// what lies above is one more pot for everybody else.
#[must_use]
pub fn open_layers(total: &PerSeat<u64>, live: Seats, all_in: Seats, dead: u64) -> Vec<Pot> {
    let put = |seat: &Seat| total[seat.index()];
    let mut caps: Vec<u64> =
        live.iter().filter(|seat| all_in.contains(*seat)).map(|seat| put(&seat)).collect();
    caps.push(total.iter().copied().max().unwrap_or_default());
    caps.sort_unstable();
    caps.dedup();
    let mut pots = Vec::with_capacity(caps.len());
    let (mut reached, mut dead) = (0, dead);
    for cap in caps {
        let layer: u64 = total.iter().map(|put| put.min(&cap) - put.min(&reached)).sum();
        let amount = layer + std::mem::take(&mut dead);
        let eligible = live.iter().filter(|seat| !all_in.contains(*seat) || put(seat) >= cap).collect();
        if amount > 0 {
            pots.push(Pot { amount, eligible, winners: Seats::NONE, shares: [0; 10] });
        }
        reached = cap;
    }
    pots
}

/// Splits a pot between its winners in whole chips of `unit`; odd chips go clockwise from the button (PK-40 to PK-42).
///
/// ```
/// use fushi::games::{Seat, Seats, holdem::{OddChips, layers, split}};
///
/// let mut total = [0; 10];
/// (total[0], total[1], total[2]) = (500, 500, 25);
/// let winners: Seats = [Seat(0), Seat(1)].into_iter().collect();
/// let mut pot = layers(&total, winners, 0)[0];
/// split(&mut pot, winners, Seat(2), 25, OddChips::OneEach);
/// assert_eq!(pot.shares[..2], [525, 500]);
/// ```
pub fn split(pot: &mut Pot, winners: Seats, button: Seat, unit: u64, odd: OddChips) {
    pot.winners = winners;
    let count = winners.len() as u64;
    if count == 0 {
        return;
    }
    if let (1, Some(seat)) = (count, winners.next_after(button)) {
        pot.shares[seat.index()] = pot.amount;
        return;
    }
    let units = pot.amount / unit;
    let share = units / count * unit;
    for seat in winners.iter() {
        pot.shares[seat.index()] = share;
    }
    // Whole odd chips, and whatever is smaller than a chip (it can only come from a position).
    let (mut chips, crumbs) = (units % count, pot.amount % unit);
    let mut seat = winners.next_after(button).unwrap_or(button);
    pot.shares[seat.index()] += crumbs;
    if odd == OddChips::AllToFirst {
        pot.shares[seat.index()] += chips * unit;
        return;
    }
    while chips > 0 {
        pot.shares[seat.index()] += unit;
        chips -= 1;
        seat = winners.next_after(seat).unwrap_or(seat);
    }
}
