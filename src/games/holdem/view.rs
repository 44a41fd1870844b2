//! What one viewer may know of a hand, and what a hand came to.
//!
//! Both hold only cards that are on the table, turned up, or the viewer's own: never an undealt card (PK-61), never a
//! mucked hand, never the winner's hand when all others folded (PK-37).

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::Turn;
use super::rules::AnteKind;
use super::start::{PerSeat, Street, seat_name};
use super::state::{Bounds, Stage, State};
use crate::cards::{Card, Renaming};
use crate::games::symmetry::SeenOfSuits;
use crate::games::{Seat, Seats, Viewer};

/// What a seat can be in a hand.
pub(super) const SEAT_STATES: [&str; 3] = ["in", "folded", "all-in"];

/// What everybody sees of a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatView {
    /// The seat's name.
    pub seat: &'static str,
    /// Chips left.
    pub stack: u64,
    /// Chips put in on this street.
    pub put: u64,
    /// `in`, `folded` or `all-in`.
    pub state: &'static str,
    /// How often the seat has bet or raised, by street.
    pub raises: [u8; 4],
    /// The hole cards, if the viewer knows them.
    pub cards: Option<[Card; 2]>,
}

/// What the seat on turn may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Chips still to put in; 0 = check.
    pub call: u64,
    /// The least total of a bet or raise.
    pub min: Option<u64>,
    /// The greatest total of a bet or raise.
    pub max: Option<u64>,
}

/// What a viewer may know of a hand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The viewer's seat; `None` for a spectator.
    pub me: Option<&'static str>,
    /// The street: `preflop`, `flop`, `turn`, `river`.
    pub street: &'static str,
    /// The button's seat, which may be empty.
    pub button: &'static str,
    /// Who posted the small blind.
    pub sb: Option<&'static str>,
    /// Who posted the big blind.
    pub bb: Option<&'static str>,
    /// Small and big blind.
    pub blinds: [u64; 2],
    /// Who posts antes, and how much.
    pub ante: (AnteKind, u64),
    /// The smallest chip in play.
    pub unit: u64,
    /// The cards of the board that are out.
    pub board: Vec<Card>,
    /// All chips in the middle and in front of the seats, where the event shows the pot.
    pub pot: Option<u64>,
    /// The bet to call.
    pub bet: u64,
    /// The least that a raise must add.
    pub last_full_raise: u64,
    /// The seats in the order of their numbers.
    pub seats: Vec<SeatView>,
    /// Whose turn it is.
    pub turn: Option<&'static str>,
    /// What the seat on turn may do.
    pub choice: Option<Choice>,
    /// What the hand came to, once it is over.
    pub outcome: Option<Outcome>,
}

impl View {
    /// The canonical form of a view: the suits in the order of what is seen of them. No rule of hold'em knows a suit
    /// from another.
    pub(super) fn canonical(&self) -> Renaming {
        let mut suits = SeenOfSuits::default();
        for card in &self.board {
            suits.place([*card]);
        }
        for card in self.seats.iter().filter_map(|seat| seat.cards).flatten() {
            suits.place([card]);
        }
        suits.renaming()
    }

    /// The view with its cards renamed.
    pub(super) fn renamed(&self, renaming: &Renaming) -> View {
        let mut view = self.clone();
        let holes = view.seats.iter_mut().filter_map(|seat| seat.cards.as_mut()).flatten();
        for card in view.board.iter_mut().chain(holes) {
            *card = renaming.card(*card);
        }
        view
    }

    /// What the viewer may do, if it is the viewer's turn.
    pub(super) fn own_turn(&self) -> Option<Turn> {
        let me = self.me.filter(|me| self.turn == Some(*me))?;
        let Choice { call, min, max } = self.choice?;
        let seat = self.seats.iter().find(|seat| seat.seat == me)?;
        let raise = min.zip(max);
        let bounds = Bounds { call, raise, closed: raise.is_none() };
        Some(Turn { bounds, top: self.bet, all: seat.put + seat.stack, unit: self.unit })
    }
}

/// The view of a state.
pub(super) fn view(state: &State, viewer: Viewer) -> View {
    let start = &state.start;
    let me = match viewer {
        Viewer::Seat(seat) if start.seats.contains(seat) => Some(seat),
        Viewer::Seat(_) | Viewer::Public => None,
    };
    let seats = start.seats.iter().map(|seat| SeatView {
        seat: seat_name(seat),
        stack: state.stacks[seat.index()],
        put: state.put[seat.index()],
        state: if !state.live.contains(seat) {
            "folded"
        } else if state.turn().is_some() && state.stacks[seat.index()] == 0 {
            "all-in"
        } else {
            "in"
        },
        raises: state.raises[seat.index()],
        cards: seen(state, me, seat),
    });
    let in_play: u64 = state.total.iter().sum::<u64>() + state.dead;
    View {
        me: me.map(seat_name),
        street: state.street.word(),
        button: seat_name(start.button),
        sb: start.sb.map(seat_name),
        bb: start.bb.map(seat_name),
        blinds: start.blinds,
        ante: start.ante,
        unit: start.unit,
        board: state.board().iter().copied().flatten().collect(),
        pot: state.rules.pot_shown.then_some(in_play),
        bet: state.top,
        last_full_raise: state.full,
        seats: seats.collect(),
        turn: state.turn().map(seat_name),
        choice: state.turn().map(|seat| {
            let Bounds { call, raise, .. } = state.bounds(seat);
            Choice { call, min: raise.map(|(min, _)| min), max: raise.map(|(_, max)| max) }
        }),
        outcome: (state.stage == Stage::Over).then(|| outcome(state)),
    }
}

/// The hole cards of a seat, if `me` knows them: the own ones, those turned up for an all-in, those shown.
fn seen(state: &State, me: Option<Seat>, seat: Seat) -> Option<[Card; 2]> {
    let up = state.face_up && state.live.contains(seat);
    if me == Some(seat) || up || state.order.shown.contains(seat) {
        let [first, second] = state.hole(seat);
        return first.zip(second).map(|(first, second)| [first, second]);
    }
    None
}

/// Amounts by seat, written as an object with the seats' names in the order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BySeat {
    /// The seats that have an entry.
    pub seats: Seats,
    /// The amounts, in chips.
    pub amounts: PerSeat<u64>,
}

impl Serialize for BySeat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.seats.len()))?;
        for seat in self.seats.iter() {
            map.serialize_entry(seat_name(seat), &self.amounts[seat.index()])?;
        }
        map.end()
    }
}

/// A pot in an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PotOutcome {
    /// Chips in it.
    pub amount: u64,
    /// The seats that are in for it.
    pub eligible: Vec<&'static str>,
    /// What each winner takes; nothing as long as it is not decided.
    pub shares: BySeat,
}

/// What happened, in the fields that `fushi replay` promises.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The uncalled bet that went back, by seat; empty if there was none.
    pub returned: BySeat,
    /// The pots, main pot first.
    pub pots: Vec<PotOutcome>,
    /// The seats that showed their hands, in order.
    pub shown: Vec<&'static str>,
    /// Chips by seat.
    pub stacks: BySeat,
}

/// What a hand came to so far.
pub(super) fn outcome(state: &State) -> Outcome {
    let mut returned = BySeat { seats: Seats::NONE, amounts: [0; 10] };
    if let Some((seat, chips)) = state.returned {
        returned.seats = Seats::one(seat);
        returned.amounts[seat.index()] = chips;
    }
    let open;
    let pots = if state.stage == Stage::Over {
        &state.pots
    } else {
        let all_in = state.live.iter().filter(|seat| state.stacks[seat.index()] == 0).collect();
        open = super::pots::open_layers(&state.total, state.live, all_in, state.dead);
        &open
    };
    let pots = pots.iter().map(|pot| PotOutcome {
        amount: pot.amount,
        eligible: pot.eligible.iter().map(seat_name).collect(),
        shares: BySeat { seats: pot.winners, amounts: pot.shares },
    });
    Outcome {
        returned,
        pots: pots.collect(),
        shown: state.order.iter().filter(|(_, shown)| *shown).map(|(seat, _)| seat_name(seat)).collect(),
        stacks: BySeat { seats: state.start.seats, amounts: state.stacks },
    }
}

/// The street of a state, for the name of its phase.
pub(super) const fn phase(state: &State) -> &'static str {
    match state.stage {
        Stage::Betting(_) => Street::word(state.street),
        Stage::Over => "over",
        Stage::Unsettled => "unknown-cards",
    }
}
