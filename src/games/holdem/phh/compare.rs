//! What a file says about the chips at the end, compared with what the rules give.
//!
//! After a settled hand every amount is known. As long as betting or showdown are open, it is known who can win which
//! pots: amounts that no end of the hand can give are refused.

use super::amount::Decimal;
use super::remark::Reason;
use super::walk::Walk;
use crate::games::Seat;
use crate::games::holdem::pots::{self, Pot};
use crate::games::holdem::state::Stage;
use crate::words::{Message, message};

/// What does not agree: the player's seat, where it is one player's, and why.
pub(super) type Differs = (Option<Seat>, Message);

/// Chips that are sure and pots that are not, as long as a hand is open.
struct Open {
    /// By seat: chips that nobody else can win, and the most that may come to them outside of the pots.
    sure: Vec<(u64, u64)>,
    /// The pots with all chips that can still come into them, main pot first.
    pots: Vec<Pot>,
}

impl Walk {
    /// Compares `finishing_stacks` or `winnings` with what the rules give. Where there is money, less in all than there
    /// was is rake: only winners pay it, each at most what it won. Answers the rake.
    pub(super) fn compare(&mut self, key: &str, given: &[u64], money: bool) -> Result<u64, Differs> {
        let winnings = key == "winnings";
        if winnings && given.iter().all(|amount| *amount == 0) {
            self.remarks.push(Reason::WinningsEmpty.at(0, key));
            return Ok(0);
        }
        if self.state.stage != Stage::Over {
            return self.compare_open(key, given, money).map(|()| 0);
        }
        let won = |index: usize| -> u64 {
            self.state.pots.iter().filter_map(|pot| pot.shares.get(index)).copied().sum()
        };
        let stack = |index: usize| self.state.stacks.get(index).copied().unwrap_or_default();
        let due: Vec<u64> =
            (0..given.len()).map(|index| if winnings { won(index) } else { stack(index) }).collect();
        let refused = match self.settled(key, given, &due, money) {
            Err(refused) => refused,
            rake => return rake,
        };
        // Some programs count the uncalled part of the own bet among what was won.
        let Some((seat, chips)) = self.state.returned.filter(|_| winnings) else { return Err(refused) };
        let mut with = due;
        if let Some(amount) = with.get_mut(seat.index()) {
            *amount += chips;
        }
        let rake = self.settled(key, given, &with, money).map_err(|_| refused)?;
        self.remarks.push(Reason::WinningsWithUncalled.at(0, key));
        Ok(rake)
    }

    /// Compares with the amounts that a settled hand gives.
    fn settled(&self, key: &str, given: &[u64], due: &[u64], money: bool) -> Result<u64, Differs> {
        let shown = |amount: u64| Decimal::shown(amount, self.places);
        let rake = due.iter().sum::<u64>().saturating_sub(given.iter().sum());
        if rake > 0 && !money {
            return Err((None, message!("phh-rake", key, missing = shown(rake))));
        }
        for (index, (given, due)) in given.iter().zip(due).enumerate() {
            let won: u64 = self.state.pots.iter().filter_map(|pot| pot.shares.get(index)).sum();
            let paid = due.saturating_sub(*given);
            if *given > *due || paid > won || (rake == 0 && paid > 0) {
                let (found, wanted) = (shown(*given), shown(*due));
                let message = message!("phh-stacks-differ", key, found, number = index + 1, wanted);
                return Err((u8::try_from(index).ok().map(Seat), message));
            }
        }
        Ok(rake)
    }

    /// What is sure and what can be won, while betting or showdown are open.
    fn open(&self, winnings: bool) -> Open {
        let state = &self.state;
        let betting = matches!(state.stage, Stage::Betting(_));
        let back = if betting { pots::uncalled(&state.total) } else { state.returned };
        let mut total = state.total;
        let mut sure = Vec::with_capacity(total.len());
        for ((index, put), stack) in (0..).zip(&mut total).zip(state.stacks) {
            let seat = Seat(index);
            let live = state.live.contains(seat);
            let back = back.filter(|(owner, _)| *owner == seat).map_or(0, |(_, chips)| chips);
            // While the betting goes on, whoever is live may yet bet everything.
            let (least, more) = match (betting, live) {
                (true, true) => {
                    *put += stack;
                    (0, 0)
                }
                // The uncalled part of a bet goes back even where the hand was killed (PK-112).
                (true, false) => (stack, if state.killed.contains(seat) { back } else { 0 }),
                (false, _) if winnings => (0, back),
                (false, _) => (stack, 0),
            };
            sure.push((if winnings { 0 } else { least }, more));
        }
        Open { sure, pots: pots::layers(&total, state.live, state.dead) }
    }

    fn compare_open(&self, key: &str, given: &[u64], money: bool) -> Result<(), Differs> {
        let winnings = key == "winnings";
        let betting = matches!(self.state.stage, Stage::Betting(_));
        let shown = |amount: u64| Decimal::shown(amount, self.places);
        let Open { sure, pots } = self.open(winnings);
        let amounts: u64 = pots.iter().map(|pot| pot.amount).sum();
        let mut gains = Vec::with_capacity(given.len());
        for ((index, given), (least, more)) in (0..).zip(given).zip(&sure) {
            let seat = Seat(index);
            let inside: u64 =
                pots.iter().filter(|pot| pot.eligible.contains(seat)).map(|pot| pot.amount).sum();
            let most = least + more + inside;
            if !(*least..=most).contains(given) {
                let (found, number) = (shown(*given), index + 1);
                let (least, most) = (shown(*least), shown(most));
                let message = message!("phh-stacks-bounds", key, found, number, least, most);
                return Err((Some(seat), message));
            }
            gains.push((seat, given.saturating_sub(least + more)));
        }
        // Chips come from nowhere and go nowhere; how many are won is open while the betting goes on.
        let (kept, more) = sure.iter().fold((0, 0), |(kept, more), one| (kept + one.0, more + one.1));
        let (found, there) = (given.iter().sum::<u64>(), kept + amounts);
        if found > there + if winnings { more } else { 0 } {
            return Err((None, message!("phh-sum", key, found = shown(found), there = shown(there))));
        }
        if found < there && !money && !(winnings && betting) {
            return Err((None, message!("phh-rake", key, missing = shown(there - found))));
        }
        // Who is in for the smaller pots only takes no more than those together.
        let mut smaller = 0;
        for pot in &pots {
            let outside = gains.iter().filter(|(seat, _)| !pot.eligible.contains(*seat));
            let taken: u64 = outside.map(|(_, gain)| gain).sum();
            if taken > smaller {
                let (taken, most) = (shown(taken), shown(smaller));
                return Err((None, message!("phh-side-pot", key, taken, most)));
            }
            smaller += pot.amount;
        }
        Ok(())
    }
}
