//! `holdem-2`: equity by sampling against ranges, and a simple model of what a bet brings about.
//!
//! Before the flop it plays by its place among all starting hands; large decisions and everything later are valued:
//! the rivals' hands are drawn as their bets suggest, the board is dealt out, and for each size of bet the better
//! part of the rivals' hands continues.

use super::range::{Ladder, better_starts};
use super::reading::{Reading, Rival};
use crate::cards::{Card, Pack};
use crate::games::GameKind;
use crate::games::holdem::eval::{Evaluator, Hand};
use crate::games::holdem::{Action, Holdem};
use crate::players::{Ask, Dice, LevelInfo, Player, Worlds};

const SAMPLES: u32 = 240;
/// A number that every number of hands sharing a pot divides.
const WHOLE: i128 = 2520;

/// Level two.
#[derive(Clone, Copy, Debug)]
pub(super) struct HoldemTwo;

impl Player<Holdem> for HoldemTwo {
    fn info(&self) -> LevelInfo {
        LevelInfo {
            game: GameKind::Holdem,
            name: "holdem-2",
            definition: "3; opens the best 700/550/400/300/250/200 of 1000 by rivals and limpers, raises 20 and calls \
                         120 and more by price facing a raise, 25 and 40 facing two; 240 samples against ranges; \
                         bets of 1/2, 1, 3/2 pot or all-in against the continuing part, at least 600; keeps 880 and \
                         700 of its equity; bets larger than the levels make say little; worlds by card priorities",
        }
    }

    fn choose(&self, ask: &Ask<'_, Holdem>) -> Option<Action> {
        let Some(reading) = Reading::of(ask.view()) else { return ask.options().next() };
        let large = reading.call.saturating_mul(4) >= reading.stack && reading.call > reading.big_blind;
        Some(if reading.street == 0 && !large {
            before_flop(&reading)
        } else {
            valued(&reading, &Samples::draw(&reading, &ask.worlds()))
        })
    }
}

fn before_flop(reading: &Reading) -> Action {
    let place = u64::from(better_starts(reading.hole));
    let limpers =
        reading.rivals.iter().filter(|rival| rival.put == reading.bet && !rival.big_blind).count() as u64;
    match reading.raises_on(0) {
        0 => {
            let open = match reading.rivals.len() as u64 + limpers {
                0 | 1 => 700,
                2 => 550,
                3 => 400,
                4 => 300,
                5 => 250,
                _ => 200,
            };
            if place < open {
                reading.raise_to(reading.big_blind.saturating_mul(6 + 2 * limpers) / 2)
            } else {
                reading.give_up()
            }
        }
        1 => {
            let alone = reading.rivals.len() == 1;
            let raise = if alone { 27 } else { 20 };
            let call = 120 + 350_u64.saturating_sub(reading.price());
            if place < raise {
                reading.raise_to(reading.bet.saturating_mul(3))
            } else if place < call {
                reading.stay()
            } else {
                reading.give_up()
            }
        }
        _ => {
            if place < 25 {
                reading.raise_to(reading.bet.saturating_mul(5) / 2)
            } else if place < 40 {
                reading.stay()
            } else {
                reading.give_up()
            }
        }
    }
}

/// What a rival's hand may be: the part of all starting hands, and the part of all hands on the board, in thousandths
/// from the best; one hand in `stray` may be outside of the latter.
struct Range {
    start: u16,
    board: u64,
    stray: u32,
}

impl Range {
    fn of(rival: &Rival, reading: &Reading) -> Range {
        let before = reading.raises_on(0);
        let start = if reading.street == 0 && reading.wild() {
            if rival.raises[0] > 0 {
                1000
            } else if rival.put >= reading.bet {
                600
            } else {
                300
            }
        } else {
            match (rival.raises[0], before) {
                (0, 0) if rival.big_blind => 1000,
                (0, 0) => 600,
                (0, 1) => 350,
                (0, _) | (1, 0 | 1) => 150,
                (1, _) => 60,
                _ => 30,
            }
        };
        let bets: u8 = rival.raises[1..].iter().sum();
        let called = reading.street > 1 && (1..reading.street).any(|street| reading.raises_on(street) > 0);
        let (board, stray) = match bets {
            0 if called => (600, 3),
            0 => (1000, 1),
            1 if reading.wild() => (1000, 1),
            1 => (300, 6),
            2 => (160, 8),
            _ => (100, 10),
        };
        Range { start, board, stray }
    }
}

/// One way for the hidden cards to be.
struct Sample {
    /// This seat's part of the pot, of [`WHOLE`].
    share: i128,
    /// How many thousandths of all hands are better than each rival's, now.
    places: Vec<u64>,
}

struct Samples(Vec<Sample>);

impl Samples {
    fn draw(reading: &Reading, worlds: &Worlds) -> Samples {
        let evaluator = Evaluator::get();
        let ladder = (reading.street > 0).then(|| Ladder::new(&reading.board, reading.unseen()));
        let ranges: Vec<Range> = reading.rivals.iter().map(|rival| Range::of(rival, reading)).collect();
        let board: Hand = reading.board.iter().copied().collect();
        let own: Hand = reading.hole.into_iter().collect();
        let unseen = reading.unseen();
        let samples = (0..SAMPLES).map(|number| {
            let dice = &mut worlds.dice(number);
            // The whole pack is shuffled, so that what is drawn first does not depend on which cards are out.
            let mut cards = Pack::FiftyTwo.cards();
            dice.shuffle(&mut cards);
            cards.retain(|card| unseen.contains(*card));
            let mut taken = 0;
            let mut holes = Vec::with_capacity(ranges.len());
            let mut places = Vec::with_capacity(ranges.len());
            for range in &ranges {
                let (hole, place) = draw_hole(&mut cards, taken, range, ladder.as_ref(), dice);
                taken += 2;
                holes.push(hole);
                places.push(place);
            }
            let mut complete = board;
            for _ in reading.board.len()..5 {
                complete = complete.with(cards[taken]);
                taken += 1;
            }
            let mine = evaluator.seven(complete.joined(own));
            let mut ways = 1;
            let mut beaten = false;
            for hole in holes {
                let theirs = evaluator.seven(complete.joined(hole.into_iter().collect()));
                beaten |= theirs > mine;
                ways += i128::from(theirs == mine);
            }
            Sample { share: if beaten { 0 } else { WHOLE / ways }, places }
        });
        Samples(samples.collect())
    }
}

/// Takes a random card from those at or after `taken` and puts it there.
fn draw_card(cards: &mut [Card], taken: usize, dice: &mut Dice) -> Card {
    let from = taken + dice.index(cards.len().saturating_sub(taken));
    cards.swap(taken, from);
    cards[taken]
}

/// Takes the next two cards as hole cards, and draws others until they fit the range, at most 24 times; also their place on the board (before the flop: among
/// starting hands).
fn draw_hole(
    cards: &mut [Card],
    taken: usize,
    range: &Range,
    ladder: Option<&Ladder>,
    dice: &mut Dice,
) -> ([Card; 2], u64) {
    let mut hole = [cards[taken], cards[taken + 1]];
    let mut drawn = (hole, 1000);
    for turn in 0..24 {
        if turn > 0 {
            hole = [draw_card(cards, taken, dice), draw_card(cards, taken + 1, dice)];
        }
        let start = better_starts(hole);
        let place = ladder.map_or(u64::from(start), |ladder| ladder.better_and_equal(hole).0);
        drawn = (hole, place);
        let start_fits = start < range.start || dice.below(16) == 0;
        let board_fits = ladder.is_none() || place < range.board || dice.below(range.stray) == 0;
        if start_fits && board_fits {
            break;
        }
    }
    drawn
}

/// Takes the action of the greatest value; of equal ones the smallest.
fn valued(reading: &Reading, samples: &Samples) -> Action {
    let pot = i128::from(reading.pot);
    let call = i128::from(reading.call);
    let share: i128 = samples.0.iter().map(|sample| sample.share).sum();
    let count = samples.0.len() as i128;
    let whole = WHOLE * count.max(1);
    let kept = if call > 0 && reading.call >= reading.stack { 1000 } else { kept(reading) };
    // The value of staying in, in chips × whole × 1000; folding is 0.
    let stay = share * kept * (pot + call) - call * whole * 1000;
    let mut best = (if call > 0 && stay < 0 { 0 } else { stay }, None);
    if let Some((min, max)) = reading.raise {
        let mut totals: Vec<u64> =
            [500, 1000, 1500].iter().map(|&part| reading.pot_part(part)).filter(|&to| to < max).collect();
        if max - reading.put <= (reading.pot + reading.call).saturating_mul(3) / 2 {
            totals.push(max);
        }
        for total in totals {
            let total = total.clamp(min, max);
            let value = bet_value(reading, samples, total);
            if value > best.0 {
                best = (value, Some(total));
            }
        }
    }
    match best.1 {
        Some(total) => reading.raise_to(total),
        None if stay >= 0 => reading.stay(),
        None => reading.give_up(),
    }
}

/// How much of its equity a hand keeps, in thousandths: betting to come costs, more so for who acts first.
fn kept(reading: &Reading) -> i128 {
    match (reading.street, reading.behind) {
        (3, _) => 1000,
        (_, 0) => 880,
        _ => 700,
    }
}

/// The value of a bet or raise to a total, in the unit of [`valued`]: rivals whose hands are in the continuing part
/// pay, the others fold.
fn bet_value(reading: &Reading, samples: &Samples, total: u64) -> i128 {
    let pot = i128::from(reading.pot);
    let added = i128::from(total - reading.put.min(total));
    let before = reading.pot + reading.call;
    let raised = total.saturating_sub(reading.bet);
    let part = before.saturating_mul(1000).checked_div(before + raised).unwrap_or_default().max(600);
    let kept = if added == i128::from(reading.stack) { 1000 } else { kept(reading) };
    let mut value = 0;
    for sample in &samples.0 {
        let mut paid = None;
        for (rival, &place) in reading.rivals.iter().zip(&sample.places) {
            if rival.stack == 0 || place < part {
                let more = total.saturating_sub(rival.put).min(rival.stack);
                *paid.get_or_insert(0) += i128::from(more);
            }
        }
        value += match paid {
            None => pot * WHOLE * 1000,
            Some(paid) => sample.share * kept * (pot + added + paid) - added * WHOLE * 1000,
        };
    }
    value
}
