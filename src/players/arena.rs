//! Plays whole boards among AI players, in memory and without a journal: for tests, benches and matches between
//! levels. Events play through the desk, which asks the same players the same questions.

use std::sync::Arc;

use super::{AiKey, PlayerRef, choose};
use crate::games::story::Fact;
use crate::games::{Game, Refusal as _, Seat, Viewer};

/// No board of any game comes near so many actions.
const ACTIONS_MAX: usize = 100_000;

/// A board that was played to its end.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// Every action in order, with the seat that took it.
    pub actions: Vec<(Seat, G::Action)>,
    /// The raw score per seat.
    pub scores: Vec<i64>,
    /// What happened.
    pub outcome: G::Outcome,
    /// The same in the facts of a traveller.
    pub story: Vec<Fact>,
}

/// Why a board came to no end. A level that does this is faulty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The board cannot be dealt under the ruleset.
    #[error("the board cannot be dealt: {faults}")]
    Setup {
        /// What is wrong, in English.
        faults: String,
    },
    /// There are fewer players than seats.
    #[error("the board has {seats} seats but {players} players")]
    TooFewPlayers {
        /// Seats of the board.
        seats: u8,
        /// Players given.
        players: usize,
    },
    /// A level answered with an action that the rules refuse.
    #[error("level {level} in seat {seat} wanted `{action}`, refused: {reason}")]
    Refused {
        /// The level.
        level: &'static str,
        /// The seat, by name.
        seat: &'static str,
        /// The action, in its text form.
        action: String,
        /// The code of the reason.
        reason: &'static str,
    },
    /// Nobody acts and nothing is due.
    #[error("the board is stuck in phase {phase} after {actions} actions")]
    Stuck {
        /// Name of the phase.
        phase: &'static str,
        /// Actions taken so far.
        actions: usize,
    },
}

/// Plays a board: seat `i` is played by `players[i]`. Everybody who may decide is asked, in the game's order of
/// precedence; an occasion that nobody has to take (a call) goes to the first who does. When nobody acts, the next step of the dealer is due, and then the time-out actions.
///
/// # Errors
/// Too few players, an action that is refused, a board that does not end.
pub fn play<G: Game>(
    rules: &Arc<G::Rules>,
    start: &G::Start,
    board: u32,
    key: &AiKey,
    players: &[PlayerRef<G>],
) -> Result<Played<G>, PlayError> {
    let seats = G::seats(start);
    if players.len() < usize::from(seats) {
        return Err(PlayError::TooFewPlayers { seats, players: players.len() });
    }
    let mut state = G::open(rules, start);
    let mut actions: Vec<(Seat, G::Action)> = Vec::new();
    while !G::finished(&state) {
        let waiting = G::waiting_for(&state);
        let before = actions.len();
        for seat in G::precedence(&state) {
            let Some(player) = players.get(seat.index()) else { continue };
            if !G::waiting_for(&state).seats.contains(seat) {
                continue;
            }
            let optional = G::timeout(&state, seat).is_none();
            let view = G::view(&state, Viewer::Seat(seat));
            if let Some(action) = choose(*player, key, rules, board, seat, &view) {
                carry_out::<G>(&mut state, seat, &action, player.info().name)?;
                actions.push((seat, action));
                if optional {
                    break;
                }
            }
        }
        if actions.len() == before {
            if let Some(effect) = G::advance(&state) {
                G::apply(&mut state, effect);
                continue;
            }
            for seat in waiting.seats.iter() {
                if let Some(action) = G::timeout(&state, seat) {
                    carry_out::<G>(&mut state, seat, &action, "time-out")?;
                    actions.push((seat, action));
                }
            }
        }
        if actions.len() == before || actions.len() > ACTIONS_MAX {
            return Err(PlayError::Stuck { phase: waiting.phase, actions: actions.len() });
        }
    }
    Ok(Played { actions, scores: G::scores(&state), outcome: G::outcome(&state), story: G::story(&state) })
}

fn carry_out<G: Game>(
    state: &mut G::State,
    seat: Seat,
    action: &G::Action,
    level: &'static str,
) -> Result<(), PlayError> {
    match G::check(state, seat, action) {
        Ok(effect) => {
            G::apply(state, effect);
            Ok(())
        }
        Err(reason) => Err(PlayError::Refused {
            level,
            seat: G::seat_name(seat).unwrap_or("?"),
            action: G::write_action(action).text,
            reason: reason.code(),
        }),
    }
}
