//! A board played at a table by simulated players, with simulated times.

use std::sync::Arc;

use crate::canonical::Hash;
use crate::formats::Finished;
use crate::games::{Refusal as _, Seat, Viewer};
use crate::journal::{Board, By, Entry, Header, finished};
use crate::players::{self, AiKey, Levels, PlayerRef};
use crate::rng::GameRng;

/// No board of any game comes near so many actions.
const ACTIONS_MAX: usize = 100_000;
/// At most this many options are looked at when somebody slips: a tuolaji leader may have a million throws.
const OPTIONS_MAX: usize = 4096;

/// Who plays a seat.
#[derive(Debug)]
pub(super) enum Actor<G: Levels> {
    /// An AI player, whose moves can be computed again.
    Software(PlayerRef<G>),
    /// A simulated person: plays like a level, with dice of their own, but now and then slips.
    Person(Box<Person<G>>),
}

/// A simulated person at a table.
#[derive(Debug)]
pub(super) struct Person<G: Levels> {
    /// The level.
    pub level: PlayerRef<G>,
    /// What the level's chances come from: two people of one level do not think alike.
    pub dice: AiKey,
    /// What a gross slip is played like; `None`: any legal action.
    pub slip: Option<PlayerRef<G>>,
    /// Slips in a thousand decisions.
    pub rate: u32,
    /// Whether small slips rather go up in the order of the options (more, higher) than down.
    pub bold: bool,
    /// The person's luck on this board.
    pub luck: GameRng,
}

impl<G: Levels> Person<G> {
    fn decides(
        &mut self,
        rules: &Arc<G::Rules>,
        number: u32,
        seat: Seat,
        view: &G::View,
    ) -> Option<G::Action> {
        let like = |level| players::choose(level, &self.dice, rules, number, seat, view);
        let own = like(self.level);
        if self.luck.below(1000) >= self.rate {
            return own;
        }
        let gross = self.luck.below(4) == 0;
        if let (true, Some(weaker)) = (gross, self.slip) {
            return like(weaker);
        }
        let mut options: Vec<G::Action> = G::options(view).take(OPTIONS_MAX).collect();
        let at = match options.iter().position(|option| Some(option) == own.as_ref()) {
            Some(at) if !gross => self.beside(at, options.len()),
            // An occasion that is let pass is no slip worth showing.
            None if own.is_none() && !gross => return None,
            _ if options.is_empty() => return own,
            _ => self.luck.index(options.len()),
        };
        Some(options.swap_remove(at.min(options.len().saturating_sub(1))))
    }

    /// An option close to another: one or two further, rather in the person's own direction.
    fn beside(&mut self, at: usize, count: usize) -> usize {
        let step = 1 + self.luck.index(2);
        let up = (self.luck.below(4) != 0) == self.bold;
        let (higher, lower) = (Some(at + step).filter(|at| *at < count), at.checked_sub(step));
        let (first, second) = if up { (higher, lower) } else { (lower, higher) };
        first.or(second).unwrap_or(if at + 1 < count { at + 1 } else { at.saturating_sub(1) })
    }
}

impl<G: Levels> Actor<G> {
    /// What the player does; `None` lets the occasion pass.
    fn decides(
        &mut self,
        key: &AiKey,
        rules: &Arc<G::Rules>,
        number: u32,
        seat: Seat,
        view: &G::View,
    ) -> Option<G::Action> {
        match self {
            Actor::Software(level) => players::choose(*level, key, rules, number, seat, view),
            Actor::Person(person) => person.decides(rules, number, seat, view),
        }
    }

    /// How long the player thinks, µs.
    fn thinks(&self, clock: &mut GameRng) -> u64 {
        match self {
            Actor::Software(_) => 300_000 + u64::from(clock.below(900_000)),
            Actor::Person(_) => 800_000 + u64::from(clock.below(5_500_000)),
        }
    }
}

/// One accepted entry: canonical bytes, time, chain.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub at: u64,
    pub body: String,
    pub hash: Hash,
}

/// A board from its receipt to its end.
#[derive(Clone, Debug)]
pub(super) struct Journal {
    pub receipt: Kept,
    pub entries: Vec<Kept>,
    /// What the event's journal says of it.
    pub finished: Finished,
}

/// Plays a board. Everybody who may decide is asked, in the game's order of precedence; an occasion that nobody has to
/// take goes to the first who does. When nobody acts, the next step of the dealer is due, and then the clock acts.
pub(super) fn play<G: Levels>(
    header: &Header<G>,
    (sitting, number): (u32, u32),
    actors: &mut [Actor<G>],
    key: &AiKey,
    clock: &mut GameRng,
) -> Result<Journal, String> {
    let mut table = Table { board: Board::open(header), at: 0, entries: Vec::new() };
    let receipt = Kept { at: 0, body: header.receipt(), hash: *table.board.chain() };
    while !G::finished(table.board.state()) {
        let waiting = G::waiting_for(table.board.state());
        let before = table.entries.len();
        for seat in G::precedence(table.board.state()) {
            let Some(actor) = actors.get_mut(seat.index()) else { continue };
            if !G::waiting_for(table.board.state()).seats.contains(seat) {
                continue;
            }
            let optional = G::timeout(table.board.state(), seat).is_none();
            let view = G::view(table.board.state(), Viewer::Seat(seat));
            if let Some(action) = actor.decides(key, &header.rules, number, seat, &view) {
                let limit = u64::from(waiting.limit_ms).saturating_mul(1000).saturating_sub(500_000);
                table.at += actor.thinks(clock).min(limit.max(1));
                table.act(seat, action, None)?;
                if optional {
                    break;
                }
            }
        }
        if table.entries.len() == before {
            if table.board.advance() {
                continue;
            }
            table.at += u64::from(waiting.limit_ms) * 1000;
            for seat in waiting.seats.iter() {
                if let Some(action) = G::timeout(table.board.state(), seat) {
                    table.act(seat, action, Some(By::Clock))?;
                }
            }
        }
        if table.entries.len() == before || table.entries.len() > ACTIONS_MAX {
            return Err(format!("nobody acts in phase {}", waiting.phase));
        }
    }
    let finished = finished(sitting, header, &table.board);
    Ok(Journal { receipt, entries: table.entries, finished })
}

struct Table<G: Levels> {
    board: Board<G>,
    at: u64,
    entries: Vec<Kept>,
}

impl<G: Levels> Table<G> {
    fn act(&mut self, seat: Seat, action: G::Action, by: Option<By>) -> Result<(), String> {
        let entry = Entry { seat, action, at: Some(self.at), by };
        let hash = self.board.play(&entry).map_err(|illegal| {
            format!("{} was refused: {}", G::write_action(&entry.action).text, illegal.code())
        })?;
        self.entries.push(Kept { at: self.at, body: self.board.last_bytes().to_owned(), hash });
        Ok(())
    }
}
