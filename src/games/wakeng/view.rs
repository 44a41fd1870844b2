//! What one viewer may know of a board: the only thing that leaves the server, and all that an AI player gets.
//!
//! Invariant: two boards that agree on what a viewer has seen give equal views, byte for byte when serialised. Never
//! put anything in here that is computed from a hidden card.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::action::{Bid, write_play};
use super::combo::Combo;
use super::options::Options;
use super::rules::Rules;
use super::score::Outcome;
use super::state::{BANKER_HAND, HAND, Phase, Played, State};
use super::{SEATS, name_of};
use crate::cards::{Card, CardSet, Rank, Renaming, Suit};
use crate::games::{Ruleset as _, Seat, Viewer};

/// What one viewer may know. Arrays of three are in seat order A, B, C; cards held are written in canonical order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The ruleset; only its name is written.
    #[serde(rename = "ruleset", serialize_with = "write_ruleset")]
    pub rules: Arc<Rules>,
    /// Whose view this is; `None` for the public.
    #[serde(rename = "seat", serialize_with = "write_seat")]
    pub viewer: Option<Seat>,
    /// The phase.
    #[serde(serialize_with = "write_phase")]
    pub phase: Phase,
    /// The seat whose turn it is, unless choices are simultaneous or the board is over.
    #[serde(serialize_with = "write_seat")]
    pub turn: Option<Seat>,
    /// Whom the board waits for.
    #[serde(serialize_with = "write_seats")]
    pub waiting: Vec<Seat>,
    /// The viewer's own cards. If a position does not list the hand: every card that lies nowhere else.
    pub hand: Option<CardSet>,
    /// The viewer's own choice in a simultaneous phase that others have not finished.
    pub choice: Option<bool>,
    /// Cards held per seat; `None` for a hand that a position does not list.
    pub counts: [Option<u8>; SEATS],
    /// The cards still held in shown hands (明牌).
    pub shown: [Option<CardSet>; SEATS],
    /// Who spoke first.
    #[serde(serialize_with = "write_seat")]
    pub first: Option<Seat>,
    /// Bids in speaking order.
    #[serde(serialize_with = "write_bids")]
    pub bids: Vec<(Seat, Bid)>,
    /// The banker, once the bidding is over.
    #[serde(serialize_with = "write_seat")]
    pub banker: Option<Seat>,
    /// The banker's bid, before that the highest so far; 0 for none.
    pub bid: u8,
    /// The bottom (底牌), once it is face up.
    pub bottom: Option<CardSet>,
    /// Who doubled, once all have chosen.
    pub doubled: Option<[bool; SEATS]>,
    /// Bombs played by anyone.
    pub bombs: u8,
    /// Every trick (圈) so far, the present one last: `["A","S4"]` is a play, `["B","pass"]` a pass. Empty once the
    /// next leader has not played yet.
    #[serde(serialize_with = "write_tricks")]
    pub tricks: Vec<Vec<Played>>,
    /// Who went out.
    #[serde(serialize_with = "write_seat")]
    pub out: Option<Seat>,
    /// What happened so far.
    pub outcome: Outcome,
    /// The scores, once the board is over.
    pub scores: Option<[i64; SEATS]>,
}

fn write_ruleset<S: Serializer>(rules: &Arc<Rules>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rules.name())
}

#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
fn write_seat<S: Serializer>(seat: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
    seat.map(name_of).serialize(serializer)
}

fn write_seats<S: Serializer>(seats: &[Seat], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(seats.iter().map(|seat| name_of(*seat)))
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
fn write_phase<S: Serializer>(phase: &Phase, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(phase.name())
}

fn write_bids<S: Serializer>(bids: &[(Seat, Bid)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(bids.iter().map(|(seat, bid)| (name_of(*seat), bid.points())))
}

fn write_tricks<S: Serializer>(tricks: &[Vec<Played>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(tricks.iter().map(|trick| trick.iter().map(Played::written).collect::<Vec<_>>()))
}

impl Played {
    /// As records and views write it: the seat's name, then the cards or `pass`.
    #[must_use]
    pub fn written(&self) -> (&'static str, String) {
        let cards = if self.cards.is_empty() { "pass".to_owned() } else { write_play(self.cards) };
        (name_of(self.seat), cards)
    }
}

const fn holds(mask: u8, seat: Seat) -> bool {
    mask >> seat.0 & 1 == 1
}

impl View {
    pub(super) fn of(state: &State, viewer: Viewer) -> View {
        let viewer = match viewer {
            Viewer::Seat(seat) if seat.index() < SEATS => Some(seat),
            _ => None,
        };
        let waiting = state.waiting_for();
        let decided = state.phase > Phase::Bid;
        let simultaneous = matches!(state.phase, Phase::Show | Phase::Double);
        let per_seat = [Seat(0), Seat(1), Seat(2)];
        View {
            rules: Arc::clone(&state.rules),
            viewer,
            phase: state.phase,
            turn: if waiting.simultaneous { None } else { waiting.seats.iter().next() },
            waiting: waiting.seats.iter().collect(),
            hand: viewer.map(|seat| state.hand(seat)),
            choice: viewer
                .filter(|seat| simultaneous && holds(state.chosen, *seat))
                .map(|seat| holds(state.chose_yes, seat)),
            counts: per_seat.map(|seat| {
                if holds(state.unlisted, seat) { None } else { u8::try_from(state.hand(seat).len()).ok() }
            }),
            // WK-7
            shown: per_seat.map(|seat| holds(state.shown, seat).then(|| state.hand(seat))),
            first: state.first,
            bids: state
                .first
                .iter()
                .flat_map(|first| state.bids.iter().flatten().zip(first.0..))
                .map(|(bid, seat)| (Seat(seat % 3), *bid))
                .collect(),
            banker: state.banker.filter(|_| decided),
            bid: state.bid,
            // WK-15: nobody sees it before there is a banker.
            bottom: state.bottom.filter(|_| decided),
            doubled: (state.phase > Phase::Double && state.rules.doubling)
                .then(|| per_seat.map(|seat| holds(state.doubled, seat))),
            bombs: state.bombs,
            tricks: tricks(state),
            out: state.out,
            outcome: state.outcome(),
            scores: state.finished().then(|| state.scores()),
        }
    }

    pub(super) fn options(&self) -> Options {
        let Some((seat, hand)) = self.viewer.zip(self.hand) else { return Options::NOTHING };
        if !self.waiting.contains(&seat) {
            return Options::NOTHING;
        }
        let most = if self.banker == Some(seat) { BANKER_HAND } else { HAND };
        Options::of(self.phase, self.bid, || {
            let over = self.over();
            (self.rules.shapes().plays(hand, over, most), over.is_some())
        })
    }

    /// The canonical form of a view: the four cards of a rank in the order of where they lie (unseen ones first, then by
    /// hand, shown hands, bottom and the play that they went with). The rules know the suit of one card only, and only
    /// until the play begins: the lowest one of the first suit, whose holder leads (Wakeng rulebook, first lead).
    pub(super) fn canonical(&self) -> Renaming {
        let known = (self.phase < Phase::Play).then(|| self.rules.lowest_card());
        let place = |card: Card| -> u32 {
            let among = |cards: Option<CardSet>| u32::from(cards.is_some_and(|cards| cards.contains(card)));
            let shown = self.shown.iter().fold(0, |bits, cards| bits << 1 | among(*cards));
            let played = (1..)
                .zip(self.tricks.iter().flatten())
                .find(|(_, played)| played.cards.contains(card))
                .map_or(0, |(turn, _)| turn);
            played << 5 | among(self.bottom) << 4 | shown << 1 | among(self.hand)
        };
        let orders = Rank::ALL.map(|rank| {
            let mut order = Suit::ALL;
            order.sort_by_key(|suit| place(Card::new(*suit, rank)));
            // The card that the rules know keeps its name.
            if let Some(fixed) = known.filter(|card| card.rank() == Some(rank)).and_then(Card::suit) {
                let others: Vec<Suit> = order.iter().copied().filter(|suit| *suit != fixed).collect();
                let names = Suit::ALL.into_iter().filter(|suit| *suit != fixed);
                for (name, suit) in names.zip(others) {
                    order[name as usize] = suit;
                }
                order[fixed as usize] = fixed;
            }
            order
        });
        Renaming::of(|suit, rank| {
            let at = orders[rank as usize].iter().position(|other| *other == suit).unwrap_or_default();
            Suit::ALL[at]
        })
    }

    /// The view with its cards renamed.
    pub(super) fn renamed(&self, renaming: &Renaming) -> View {
        let mut view = self.clone();
        let sets = view.hand.iter_mut().chain(view.bottom.iter_mut()).chain(view.shown.iter_mut().flatten());
        let plays = view.tricks.iter_mut().flatten().map(|played| &mut played.cards);
        for cards in sets.chain(plays) {
            *cards = renaming.set(*cards);
        }
        view
    }

    /// The play to beat: the last one of the present trick that is not a pass.
    #[must_use]
    pub fn to_beat(&self) -> Option<Played> {
        self.tricks.last()?.iter().rfind(|played| !played.cards.is_empty()).copied()
    }

    /// The combination to beat; `None` for a leader and outside the play.
    #[must_use]
    pub fn over(&self) -> Option<Combo> {
        self.to_beat().and_then(|played| self.rules.shapes().recognise(played.cards))
    }

    /// The cards that a seat has played.
    #[must_use]
    pub fn played_by(&self, seat: Seat) -> CardSet {
        self.tricks
            .iter()
            .flatten()
            .filter(|played| played.seat == seat)
            .fold(CardSet::EMPTY, |cards, played| cards.union(played.cards))
    }

    /// The cards that anybody has played.
    #[must_use]
    pub fn played_by_all(&self) -> CardSet {
        self.tricks.iter().flatten().fold(CardSet::EMPTY, |cards, played| cards.union(played.cards))
    }

    /// Cards that are known to be held by a seat: the viewer's own, a shown hand, bottom cards the banker has not
    /// played.
    #[must_use]
    pub fn known(&self, seat: Seat) -> CardSet {
        let mut cards = CardSet::EMPTY;
        if self.viewer == Some(seat) {
            cards = cards.union(self.hand.unwrap_or_default());
        }
        if let Some(shown) = self.shown.get(seat.index()).copied().flatten() {
            cards = cards.union(shown);
        }
        if self.banker == Some(seat) {
            cards = cards.union(self.bottom.unwrap_or_default().difference(self.played_by(seat)));
        }
        cards
    }
}

/// The plays and passes cut into tricks: two passes in a row end one, and after it an empty one is open.
fn tricks(state: &State) -> Vec<Vec<Played>> {
    if state.phase < Phase::Play {
        return Vec::new();
    }
    let mut tricks = vec![Vec::new()];
    let mut passes = 0;
    for played in state.played() {
        if let Some(trick) = tricks.last_mut() {
            trick.push(*played);
        }
        passes = if played.cards.is_empty() { passes + 1 } else { 0 };
        if passes == 2 {
            tricks.push(Vec::new());
            passes = 0;
        }
    }
    tricks
}
