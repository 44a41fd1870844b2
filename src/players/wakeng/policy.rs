//! The rules of thumb of level 1, which also play the imagined boards of level 2.
//!
//! Everything is a whole number; chances are in thousandths, values in hundredths of a play.

use super::hand::{Counts, RANKS, Split, Table};
use crate::cards::CardSet;
use crate::games::Seat;
use crate::games::wakeng::{Combo, SEATS};

/// What a seat knows in the middle of the play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub me: Seat,
    pub banker: Seat,
    pub hand: CardSet,
    /// Cards held per seat.
    pub held: [u8; SEATS],
    /// Cards that others are known to hold, per seat.
    pub known: [CardSet; SEATS],
    /// Cards that lie with others, nobody knows where.
    pub unseen: CardSet,
    /// The play to beat and who made it.
    pub over: Option<(Combo, Seat)>,
    /// Whether the seat before passed on it.
    pub passed: bool,
}

impl Spot {
    fn is_enemy(&self, seat: Seat) -> bool {
        seat != self.me && (self.me == self.banker || seat == self.banker)
    }

    fn held_by(&self, seat: Seat) -> u8 {
        self.held.get(seat.index()).copied().unwrap_or(0)
    }
}

/// The strengths of the rules of thumb. Changing one is a new definition of the levels that use it.
pub(super) mod weight {
    /// How much of its chance to hold a single or pair is worth as a way back to the lead, percent.
    pub const ENTRY: i32 = 130;
    /// The same for larger combinations, which rarely get an occasion.
    pub const LARGE: i32 = 80;
    /// Having the lead.
    pub const LEAD: i32 = 50;
    /// Keeping a bomb.
    pub const BOMB: i32 = 110;
    /// Having nothing but winners and one more play left.
    pub const READY: i32 = 120;
    /// Stopping an enemy who has one or two cards left.
    pub const STOP: i32 = 160;
    /// Not disturbing the partner.
    pub const PARTNER: i32 = 70;
}

/// What the enemies can beat.
struct Odds {
    enemies: [Option<Enemy>; 2],
}

#[derive(Clone, Copy)]
struct Enemy {
    held: u8,
    known: [u8; RANKS],
    unseen: [u8; RANKS],
    /// `at_least[n][m]`: chance that n of m unseen cards are the enemy's, in thousandths.
    at_least: [[i32; 5]; 5],
    /// `fails[size - 1][top]`: chance that the enemy has no higher group of this size, in thousandths.
    fails: [[i32; RANKS]; 4],
    /// Chance that the enemy has no bomb.
    no_bomb: i32,
}

impl Odds {
    fn of(table: &Table, spot: &Spot) -> Odds {
        let unseen = table.counts(spot.unseen).0;
        let total = i32::try_from(spot.unseen.len()).unwrap_or(0);
        let mut enemies = [None; 2];
        let seats = (0..3).map(Seat).filter(|seat| spot.is_enemy(*seat));
        for (place, seat) in enemies.iter_mut().zip(seats) {
            let known = spot.known.get(seat.index()).copied().unwrap_or_default();
            let hidden = i32::from(spot.held_by(seat)) - i32::try_from(known.len()).unwrap_or(0);
            let share = if total > 0 { (1000 * hidden.max(0) / total).min(1000) } else { 0 };
            *place =
                Some(Enemy::new(table, spot.held_by(seat), table.counts(known).0, unseen, at_least(share)));
        }
        Odds { enemies }
    }

    /// The chance that no enemy beats a combination, in thousandths.
    fn hold(&self, table: &Table, combo: Combo) -> i32 {
        self.enemies.iter().flatten().fold(1000, |chance, enemy| chance * enemy.fails(table, combo) / 1000)
    }
}

/// Binomial tails for a share in thousandths.
fn at_least(share: i32) -> [[i32; 5]; 5] {
    let mut tails = [[0; 5]; 5];
    // exactly[n] for m cards, grown card by card.
    let mut exactly = [1000, 0, 0, 0, 0];
    for cards in 0..5 {
        let mut tail = 0;
        for (chance, tails) in exactly.iter().zip(&mut tails).rev() {
            tail += chance;
            tails[cards] = tail.min(1000);
        }
        for n in (0..5).rev() {
            let from_below = if n > 0 { exactly[n - 1] * share / 1000 } else { 0 };
            exactly[n] = exactly[n] * (1000 - share) / 1000 + from_below;
        }
    }
    tails
}

impl Enemy {
    fn new(
        table: &Table,
        held: u8,
        known: [u8; RANKS],
        unseen: [u8; RANKS],
        at_least: [[i32; 5]; 5],
    ) -> Enemy {
        let mut enemy = Enemy { held, known, unseen, at_least, fails: [[1000; RANKS]; 4], no_bomb: 1000 };
        for size in 1..=held.min(4) {
            let mut chance = 1000;
            for rank in (0..RANKS).rev() {
                enemy.fails[usize::from(size - 1)][rank] = chance;
                chance = chance * (1000 - enemy.has(rank, size)) / 1000;
            }
            if size == 4 && table.bombs {
                enemy.no_bomb = chance;
            }
        }
        enemy
    }

    fn has(&self, rank: usize, size: u8) -> i32 {
        let wanted = usize::from(size.saturating_sub(self.known[rank]));
        if wanted == 0 {
            return 1000;
        }
        self.at_least[wanted.min(4)][usize::from(self.unseen[rank]).min(4)]
    }

    /// The chance that this enemy cannot beat a combination, in thousandths.
    fn fails(&self, table: &Table, combo: Combo) -> i32 {
        let top = usize::from(combo.top).min(RANKS - 1);
        if combo.groups == 1 {
            let size = usize::from(combo.size.clamp(1, 4)) - 1;
            let chance = self.fails[size][top];
            return if combo.size < 4 { chance * self.no_bomb / 1000 } else { chance };
        }
        let mut chance = self.no_bomb;
        if combo.cards() <= self.held {
            for top in top + 1..=table.run_top {
                let first = (top + 1).saturating_sub(usize::from(combo.groups));
                let mut has = 1000;
                for rank in (first..=top).rev() {
                    has = has * self.has(rank, combo.size) / 1000;
                    if has == 0 {
                        break;
                    }
                }
                chance = chance * (1000 - has) / 1000;
            }
        }
        chance
    }
}

/// What it costs to still have a play to make that holds with this chance, in hundredths of a play: a sure winner
/// less than nothing, a sure loser a whole one.
fn cost(combo: Combo, hold: i32) -> i32 {
    let weight = if combo.groups == 1 && combo.size <= 2 { weight::ENTRY } else { weight::LARGE };
    100 - hold * weight / 1000
}

/// The cost of a whole hand, and how many of its plays may be beaten.
fn burden(table: &Table, odds: &Odds, counts: Counts) -> (i32, usize) {
    let split = Split::of(table, counts);
    let mut total = 0;
    let mut losers = 0;
    for combo in split.plays() {
        let hold = odds.hold(table, *combo);
        total += cost(*combo, hold);
        losers += usize::from(hold < 900);
    }
    (total, losers)
}

/// A candidate and what it is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    /// The combination; `None` is a pass.
    pub combo: Option<Combo>,
    pub worth: i32,
}

/// Every sensible candidate with its worth, in the order of the generator.
pub(super) fn candidates(table: &Table, spot: &Spot) -> Vec<Scored> {
    let odds = Odds::of(table, spot);
    match spot.over {
        None => lead(table, spot, &odds),
        Some((over, by)) => follow(table, spot, &odds, over, by),
    }
}

/// The best candidate; the first of equals.
pub(super) fn choose(table: &Table, spot: &Spot) -> Option<Combo> {
    let mut best: Option<Scored> = None;
    for scored in candidates(table, spot) {
        if best.is_none_or(|so_far| scored.worth > so_far.worth) {
            best = Some(scored);
        }
    }
    best.and_then(|scored| scored.combo)
}

/// A leader plays off what the hand is cut into: losers first, controls last, never into an enemy's last cards.
fn lead(table: &Table, spot: &Spot, odds: &Odds) -> Vec<Scored> {
    let split = Split::of(table, table.counts(spot.hand));
    let losers = split.plays().iter().filter(|combo| odds.hold(table, **combo) < 900).count();
    split
        .plays()
        .iter()
        .map(|combo| Scored {
            combo: Some(*combo),
            worth: lead_worth(table, spot, odds, *combo, losers, &split),
        })
        .collect()
}

fn lead_worth(table: &Table, spot: &Spot, odds: &Odds, combo: Combo, losers: usize, split: &Split) -> i32 {
    if split.plays().len() == 1 {
        return 10_000;
    }
    let hold = odds.hold(table, combo);
    let bomb = table.shapes.is_bomb(combo);
    if losers <= 1 && hold >= 900 {
        // Winners one after the other, the loser last; bombs only if nothing else wins.
        return 3000 + i32::from(combo.cards()) * 10 - if bomb { 500 } else { 0 };
    }
    let mut worth = (1000 - hold) / 10 + i32::from(combo.cards()) * 8;
    if combo.groups > 1 || combo.size == 3 {
        worth += 60;
    }
    if bomb {
        worth -= 300;
    }
    for enemy in odds.enemies.iter().flatten() {
        let failing = enemy.fails(table, combo);
        if enemy.held == combo.cards() {
            worth -= (1000 - failing) * 3 / 10;
        } else if enemy.held <= 2 && combo.cards() > enemy.held {
            worth += 40;
        }
    }
    let partner = (0..3).map(Seat).find(|seat| *seat != spot.me && !spot.is_enemy(*seat));
    if let Some(partner) = partner
        && spot.held_by(partner) == combo.cards()
        && spot.held_by(spot.banker) > 2
        && combo.groups == 1
    {
        worth += 60 - 4 * i32::from(combo.top);
    }
    worth
}

/// A follower weighs what a play gets rid of, whether it may win the lead, and whom it stops or disturbs.
fn follow(table: &Table, spot: &Spot, odds: &Odds, over: Combo, by: Seat) -> Vec<Scored> {
    let counts = table.counts(spot.hand);
    let (before, _) = burden(table, odds, counts);
    let mut scored = vec![Scored { combo: None, worth: 0 }];
    let most = spot.held_by(spot.me);
    for (combo, _) in table.shapes.plays(spot.hand, Some(over), most) {
        let left = counts.minus(combo);
        if left.is_empty() {
            scored.push(Scored { combo: Some(combo), worth: 10_000 });
            continue;
        }
        let (after, losers) = burden(table, odds, left);
        let hold = odds.hold(table, combo);
        let mut worth = before - after + weight::LEAD * hold / 1000;
        if losers <= 1 {
            worth += weight::READY * hold / 1000;
        }
        if table.shapes.is_bomb(combo) {
            worth -= weight::BOMB;
        }
        worth += if spot.is_enemy(by) {
            against(spot, by, hold)
        } else {
            with_partner(table, spot, odds, over, by)
        };
        scored.push(Scored { combo: Some(combo), worth });
    }
    scored
}

fn against(spot: &Spot, by: Seat, hold: i32) -> i32 {
    match spot.held_by(by) {
        0..=2 => weight::STOP * hold / 1000,
        3..=5 => weight::STOP / 3 * hold / 1000,
        _ => 0,
    }
}

/// The partner has the trick: leave it, the more so if the banker has passed or cannot beat it.
fn with_partner(table: &Table, spot: &Spot, odds: &Odds, over: Combo, by: Seat) -> i32 {
    let safe = if spot.passed { 1000 } else { odds.hold(table, over) };
    let near = if spot.held_by(by) <= 4 { 60 } else { 0 };
    -(weight::PARTNER + weight::PARTNER * safe / 1000 + near)
}
