//! Level 2: imagines worlds that agree with what the seat has seen, and plays every candidate to the end in each.
//!
//! The budget is counted in decisions of the imagined players, never in time, so that the answer is the same on every
//! machine.

use super::hand::Table;
use super::policy::{self, Scored};
use super::sim::{Ending, World};
use super::{action_for, bidding, rules_of_thumb, sample, spot};
use crate::games::wakeng::{Action, BombCap, Combo, Phase, Rules, View, Wakeng};
use crate::games::{Game as _, GameKind, Seat};
use crate::players::{Ask, LevelInfo, Player, Worlds};

/// A searching player with its budgets.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    name: &'static str,
    definition: &'static str,
    /// Imagined decisions for a play.
    play_nodes: u32,
    /// Imagined decisions for a bid, a double or a show.
    call_nodes: u32,
    /// Candidates looked at.
    candidates: usize,
}

impl Search {
    /// Level `wakeng-2`.
    pub const LEVEL_2: Search = Search {
        name: "wakeng-2",
        definition: "2; rules of thumb 1; 10000 nodes a play, 3000 a call, 8 candidates; worlds by card priorities",
        play_nodes: 10_000,
        call_nodes: 3000,
        candidates: 8,
    };
}

impl Player<Wakeng> for Search {
    fn info(&self) -> LevelInfo {
        LevelInfo { game: GameKind::Wakeng, name: self.name, definition: self.definition }
    }

    fn choose(&self, ask: &Ask<'_, Wakeng>) -> Option<Action> {
        let (table, view) = (Table::of(ask.rules()), ask.view());
        // What is forced needs no thought.
        let mut options = ask.options();
        let first = options.next()?;
        if options.next().is_none() {
            return Some(first);
        }
        let thought = match view.phase {
            Phase::Play => self.play(&table, ask.rules(), view, &ask.worlds()),
            Phase::Bid => self.bid(&table, ask),
            Phase::Double => self.double(&table, ask),
            _ => None,
        };
        thought.or_else(|| rules_of_thumb::answer(&table, view))
    }
}

/// What an ending is worth to a seat, in stakes: bombs multiply, the banker plays for two.
fn worth(table: &Table, rules: &Rules, ending: Ending, me: Seat, banker: Seat) -> i64 {
    let bombs = match rules.bomb_cap {
        BombCap::None => ending.bombs,
        BombCap::At(cap) => ending.bombs.min(cap),
    };
    let stake = table.bomb_factor.saturating_pow(u32::from(bombs.min(6)));
    if ending.banker_won == (me == banker) { stake } else { -stake }
}

struct Candidate {
    combo: Option<Combo>,
    total: i64,
    prior: i32,
}

impl Search {
    fn play(&self, table: &Table, rules: &Rules, view: &View, worlds: &Worlds) -> Option<Action> {
        let mut live = self.candidates(table, view)?;
        let mut nodes = self.play_nodes;
        let mut numbers = 0..;
        let stages = [self.play_nodes / 2, self.play_nodes / 5, 0];
        for floor in stages {
            while nodes > floor && live.len() > 1 {
                let world = sample::in_play(table, view, &mut worlds.dice(numbers.next()?))?;
                for candidate in &mut live {
                    candidate.total += value(table, rules, world, candidate.combo, &mut nodes);
                }
            }
            // The better half goes on; equal ones in the order of the rules of thumb.
            live.sort_by_key(|candidate| std::cmp::Reverse((candidate.total, candidate.prior)));
            live.truncate(live.len().div_ceil(2).max(2));
        }
        action_for(table, view, live.first()?.combo)
    }

    /// What level 1 would consider, and then the other options in the generator's order.
    fn candidates(&self, table: &Table, view: &View) -> Option<Vec<Candidate>> {
        let spot = spot(view)?;
        let mut scored: Vec<Scored> = policy::candidates(table, &spot);
        scored.sort_by_key(|candidate| std::cmp::Reverse(candidate.worth));
        let mut live: Vec<Candidate> = scored
            .into_iter()
            .map(|candidate| Candidate { combo: candidate.combo, total: 0, prior: candidate.worth })
            .collect();
        for action in Wakeng::options(view) {
            let combo = match action {
                Action::Play(cards) => Some(table.shapes.recognise(cards)?),
                _ => None,
            };
            if live.iter().all(|candidate| candidate.combo != combo) {
                live.push(Candidate { combo, total: 0, prior: i32::MIN });
            }
        }
        live.truncate(self.candidates);
        Some(live)
    }

    /// The chance in thousandths that the banker wins, over imagined worlds.
    fn banker_wins(&self, table: &Table, ask: &Ask<'_, Wakeng>, banker: Seat) -> Option<i32> {
        let worlds = ask.worlds();
        let mut nodes = self.call_nodes;
        let (mut won, mut played) = (0, 0);
        while nodes > 0 {
            let mut dice = worlds.dice(u32::try_from(played).ok()?);
            let world = sample::before_play(table, ask.rules(), ask.view(), banker, &mut dice)?;
            won += i32::from(world.play_out(table, &mut nodes).banker_won);
            played += 1;
        }
        (played > 0).then(|| 1000 * won / played)
    }

    fn bid(&self, table: &Table, ask: &Ask<'_, Wakeng>) -> Option<Action> {
        let wins = self.banker_wins(table, ask, ask.seat())?;
        // The counted strength and the imagined boards have a say each; 1 % is worth 40 thousandths of a logit.
        let counted = bidding::as_bidder(table, ask.view().hand?);
        let bid = bidding::bid(i32::midpoint(counted, (wins - 500) * 4), ask.view().bid);
        rules_of_thumb::legal(ask.view(), Action::Bid(bid))
    }

    fn double(&self, table: &Table, ask: &Ask<'_, Wakeng>) -> Option<Action> {
        let banker = ask.view().banker?;
        let wins = self.banker_wins(table, ask, banker)?;
        let own = if banker == ask.seat() { wins } else { 1000 - wins };
        rules_of_thumb::legal(ask.view(), Action::Double(own >= 550))
    }
}

/// The value of a candidate in a world: it is played, then everybody goes on by the rules of thumb.
fn value(table: &Table, rules: &Rules, mut world: World, combo: Option<Combo>, nodes: &mut u32) -> i64 {
    let (me, banker) = (world.turn, world.banker);
    let ending = match world.step(table, combo) {
        Some(ending) => ending,
        None => world.play_out(table, nodes),
    };
    *nodes = nodes.saturating_sub(1);
    worth(table, rules, ending, me, banker)
}
