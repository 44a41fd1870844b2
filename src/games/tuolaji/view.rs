//! What one viewer may know, and the one generator of choices from it.
//!
//! A seat sees its own cards, what has been played and shown, and nothing else; the bottom is the banker's until the
//! board is over. What a seat has seen of older tricks is written as well, apart from the last one: it is the memory of
//! AI players. Pages for people show the current and the last trick only, as at the table (TL 9: nobody looks
//! through played tricks).

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::action::Action;
use super::bag::Bag;
use super::call::{self, Call};
use super::complete::{automatic_follow, automatic_lay_away};
use super::follow::Duty;
use super::ladder::{Ladder, Level, Trump};
use super::plays::{Plays, leads};
use super::rules::{Calling, Rules};
use super::shape::{Kind, Lead};
use super::state::{Phase, State, Trick};
use super::{BOTTOM, SEAT_NAMES};
use crate::cards::{Card, Renaming};
use crate::games::symmetry::SeenOfSuits;
use crate::games::{Seat, Viewer};

/// A call as everybody saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallSeen {
    /// Who called.
    pub seat: &'static str,
    /// How many cards had been drawn.
    pub after: u8,
    /// The cards shown.
    pub cards: Bag,
    /// What they call.
    pub trump: Trump,
}

/// A failed throw as everybody saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AttemptSeen {
    /// Who threw.
    pub seat: &'static str,
    /// All the cards of the attempt, where the ruleset shows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Bag>,
    /// The blocked components, where the ruleset shows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Vec<Bag>>,
    /// The kinds that the next seat chooses from; one kind: nothing to choose.
    pub choices: Vec<Kind>,
}

/// A trick as everybody saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrickSeen {
    /// Who led, or is to lead.
    pub leader: &'static str,
    /// The plays in order, the lead first.
    pub plays: Vec<Bag>,
    /// The failed throw before the lead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<AttemptSeen>,
    /// Who won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<&'static str>,
    /// Card points in it.
    pub points: u32,
}

/// What a viewer may know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// Whose view it is; absent for the public.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<&'static str>,
    /// `draw`, `window`, `lay-away`, `play`, `choose`, `over`.
    pub phase: &'static str,
    /// The level.
    pub level: Level,
    /// The trump, once it is fixed.
    pub trump: Option<Trump>,
    /// The banker.
    pub banker: &'static str,
    /// How calls are ordered.
    pub calling: Calling,
    /// How many cards have been drawn, 0 to 100.
    pub drawn: u8,
    /// The viewer's cards, as far as drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<Bag>,
    /// How many cards each seat holds, E N W S; `null` where a position does not say.
    pub cards_left: [Option<u8>; 4],
    /// The calls so far.
    pub calls: Vec<CallSeen>,
    /// Cards of the bottom that were turned up.
    pub flipped: Vec<Card>,
    /// The seats that may decide.
    pub waiting: Vec<&'static str>,
    /// The current trick.
    pub trick: TrickSeen,
    /// The last trick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_trick: Option<TrickSeen>,
    /// How many tricks have been played.
    pub tricks: usize,
    /// The defenders' small points so far.
    pub small: i64,
    /// The part of it that comes from penalties of either side.
    pub penalties: i64,
    /// The cards laid away: for the banker, and for everybody once the board is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottom: Option<Bag>,
    /// The ruleset; known to everybody from the announcement, and not sent again.
    #[serde(skip)]
    pub rules: Arc<Rules>,
    /// Every trick so far: what a player remembers. Written are those before `last_trick`.
    #[serde(rename = "earlier_tricks", serialize_with = "write_earlier")]
    pub memory: Vec<TrickSeen>,
    /// The call that stands.
    #[serde(skip)]
    pub(super) standing: Option<Call>,
    #[serde(skip)]
    pub(super) turn: Option<Seat>,
    #[serde(skip)]
    pub(super) state_phase: StatePhase,
}

/// The phase of the state behind a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StatePhase(pub(super) Phase);

/// What `phase` may say.
pub(super) const PHASES: [&str; 6] = ["draw", "window", "lay-away", "play", "choose", "over"];

fn write_earlier<S: Serializer>(memory: &[TrickSeen], serializer: S) -> Result<S::Ok, S::Error> {
    let earlier = memory.split_last().map_or(memory, |(_, earlier)| earlier);
    serializer.collect_seq(earlier)
}

fn name(seat: Seat) -> &'static str {
    SEAT_NAMES.get(seat.index()).copied().unwrap_or("?")
}

fn seen(trick: &Trick, show_attempt: bool) -> TrickSeen {
    TrickSeen {
        leader: name(trick.leader),
        plays: trick.plays.clone(),
        attempt: trick.attempt.as_ref().map(|attempt| AttemptSeen {
            seat: name(attempt.seat),
            cards: show_attempt.then_some(attempt.cards),
            blocked: show_attempt.then(|| attempt.blocked.iter().map(|part| part.cards).collect()),
            choices: attempt.choices.iter().map(|part| part.kind).collect(),
        }),
        winner: trick.winner.map(name),
        points: trick.plays.iter().map(|play| play.points()).sum(),
    }
}

/// What a viewer may know of a state.
#[must_use]
pub fn view(state: &State, viewer: Viewer) -> View {
    let me = match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Public => None,
    };
    let over = state.phase == Phase::Over;
    let waiting = state.waiting_for();
    let show = state.rules.publish_attempt;
    let memory: Vec<TrickSeen> = state.tricks.iter().map(|trick| seen(trick, show)).collect();
    View {
        seat: me.map(name),
        phase: waiting.phase,
        level: state.level,
        trump: state.ladder.map(|ladder| ladder.trump()),
        banker: name(state.banker),
        calling: state.calling,
        drawn: state.drawn,
        hand: me.and_then(|seat| state.hand(seat)),
        cards_left: state.hands.map(|hand| hand.and_then(|hand| u8::try_from(hand.len()).ok())),
        calls: state
            .calls
            .iter()
            .map(|call| CallSeen {
                seat: name(call.seat),
                after: call.after,
                cards: call.cards,
                trump: call.trump,
            })
            .collect(),
        flipped: state.flipped.clone(),
        waiting: waiting.seats.iter().map(name).collect(),
        trick: seen(&state.trick, show),
        last_trick: memory.last().cloned(),
        tricks: memory.len(),
        small: state.small(),
        penalties: state.penalties,
        bottom: state.bottom.filter(|_| over || me == Some(state.banker)),
        rules: Arc::clone(&state.rules),
        memory,
        standing: state.standing().copied(),
        turn: (!waiting.simultaneous).then(|| waiting.seats.iter().next()).flatten(),
        state_phase: StatePhase(state.phase),
    }
}

impl Bag {
    /// The bag of the cards' new names.
    pub(super) fn renamed(self, renaming: &Renaming) -> Bag {
        self.cards().map(|card| renaming.card(card)).collect()
    }
}

impl TrickSeen {
    /// The bags of cards that the table has seen of the trick, in a fixed order.
    fn bags(&self) -> impl Iterator<Item = Bag> + '_ {
        let attempt = self.attempt.iter();
        let thrown = attempt.flat_map(|attempt| attempt.cards.iter().chain(attempt.blocked.iter().flatten()));
        self.plays.iter().chain(thrown).copied()
    }

    fn rename(&mut self, renaming: &Renaming) {
        let attempt = self.attempt.iter_mut();
        let thrown =
            attempt.flat_map(|attempt| attempt.cards.iter_mut().chain(attempt.blocked.iter_mut().flatten()));
        for bag in self.plays.iter_mut().chain(thrown) {
            *bag = bag.renamed(renaming);
        }
    }
}

impl View {
    /// The canonical form of a view: the suits in the order of what is seen of them, the trump suit apart. The rules
    /// tell suits apart only where the clock needs some order among equal cards (TL 5.2).
    pub(super) fn canonical(&self) -> Renaming {
        let mut suits = SeenOfSuits::default();
        suits.name(self.trump.and_then(Trump::suit));
        let tricks = self.memory.iter().chain([&self.trick]).flat_map(TrickSeen::bags);
        let own = self.hand.into_iter().chain(self.bottom);
        for bag in own.chain(self.calls.iter().map(|call| call.cards)).chain(tricks) {
            suits.place(bag.cards());
        }
        for card in &self.flipped {
            suits.place([*card]);
        }
        suits.renaming()
    }

    /// The view with its cards renamed, and the trump suit with its cards.
    pub(super) fn renamed(&self, renaming: &Renaming) -> View {
        let mut view = self.clone();
        let trump = |trump: Trump| match trump {
            Trump::Suit(suit) => {
                renaming.card(Card::new(suit, self.level.rank())).suit().map_or(trump, Trump::Suit)
            }
            Trump::None => trump,
        };
        view.trump = view.trump.map(trump);
        let own = view.hand.iter_mut().chain(view.bottom.iter_mut());
        for bag in own.chain(view.calls.iter_mut().map(|call| &mut call.cards)) {
            *bag = bag.renamed(renaming);
        }
        for call in &mut view.calls {
            call.trump = trump(call.trump);
        }
        for card in &mut view.flipped {
            *card = renaming.card(*card);
        }
        if let Some(call) = &mut view.standing {
            (call.cards, call.trump) = (call.cards.renamed(renaming), trump(call.trump));
        }
        let tricks = view.memory.iter_mut().chain(view.last_trick.iter_mut()).chain([&mut view.trick]);
        tricks.for_each(|trick| trick.rename(renaming));
        view
    }

    /// The ladder, once the trump is fixed.
    #[must_use]
    pub fn ladder(&self) -> Option<Ladder> {
        self.trump.map(|trump| Ladder::new(self.level, trump))
    }

    /// The lead of the current trick, once it is made.
    #[must_use]
    pub fn lead(&self) -> Option<Lead> {
        let ladder = self.ladder()?;
        self.trick.plays.first().and_then(|lead| Lead::of(&ladder, *lead))
    }

    /// The call that stands.
    #[must_use]
    pub fn standing(&self) -> Option<&Call> {
        self.standing.as_ref()
    }

    /// The choices of the seat whose view it is.
    #[must_use]
    pub fn offer(&self) -> Offer {
        let Some(seat) = self.seat.and_then(super::seat_named) else { return Offer::Nothing };
        Table {
            rules: &self.rules,
            level: self.level,
            phase: self.state_phase.0,
            turn: self.turn,
            drawn: self.drawn,
            standing: self.standing.as_ref(),
            ladder: self.ladder(),
            lead: self.lead(),
            kinds: self.trick.attempt.as_ref().map_or(&[], |attempt| &attempt.choices),
        }
        .offer(seat, self.hand)
    }
}

impl State {
    /// The choices of a seat.
    #[must_use]
    pub fn offer(&self, seat: Seat) -> Offer {
        let waiting = self.waiting_for();
        let kinds: Vec<Kind> = self
            .trick
            .attempt
            .iter()
            .flat_map(|attempt| attempt.choices.iter().map(|part| part.kind))
            .collect();
        Table {
            rules: &self.rules,
            level: self.level,
            phase: self.phase,
            turn: (!waiting.simultaneous).then(|| waiting.seats.iter().next()).flatten(),
            drawn: self.drawn,
            standing: self.standing(),
            ladder: self.ladder,
            lead: self.lead,
            kinds: &kinds,
        }
        .offer(seat, self.hand(seat))
    }

    /// The texts of everything a record may say next for a seat while it has not moved the draw on by itself: each
    /// call that its cards will allow, and for the banker every lay-away.
    pub(super) fn rest_of_record(&self, seat: Seat) -> Option<Box<dyn Iterator<Item = Action>>> {
        if self.phase != Phase::Draw || self.live {
            return None;
        }
        let calls =
            calls(&self.rules, self.level, self.standing(), seat, self.hand_after(seat, super::DRAWN), 100);
        if seat != self.banker {
            return Some(Box::new(calls.into_iter()));
        }
        let hand: Bag = self
            .hand_after(seat, super::DRAWN)
            .plus(self.draw.as_deref().unwrap_or(&[]).iter().skip(super::DRAWN).copied().collect());
        let away = Plays::any(hand, BOTTOM).map(|cards| Action::LayAway(cards.into()));
        Some(Box::new(calls.into_iter().chain(away)))
    }
}

/// What everybody at the table knows and choices depend on.
struct Table<'a> {
    rules: &'a Rules,
    level: Level,
    phase: Phase,
    turn: Option<Seat>,
    drawn: u8,
    standing: Option<&'a Call>,
    ladder: Option<Ladder>,
    lead: Option<Lead>,
    kinds: &'a [Kind],
}

impl Table<'_> {
    fn offer(&self, seat: Seat, hand: Option<Bag>) -> Offer {
        let (Some(hand), true) = (hand, self.turn.is_none_or(|turn| turn == seat)) else {
            return match self.phase {
                Phase::Choose if self.turn == Some(seat) => Offer::Choose(self.kinds.to_vec()),
                _ => Offer::Nothing,
            };
        };
        match (self.phase, self.ladder, self.lead) {
            (Phase::Draw, _, _) => {
                Offer::Calls(calls(self.rules, self.level, self.standing, seat, hand, self.drawn))
            }
            (Phase::LayAway, Some(ladder), _) => Offer::LayAway(ladder, hand),
            (Phase::Play, Some(ladder), None) => Offer::Lead(ladder, hand),
            (Phase::Play, Some(ladder), Some(lead)) if hand.len() >= usize::from(lead.count) => {
                Offer::Follow(ladder, lead, hand)
            }
            (Phase::Choose, _, _) => Offer::Choose(self.kinds.to_vec()),
            _ => Offer::Nothing,
        }
    }
}

fn calls(
    rules: &Rules,
    level: Level,
    standing: Option<&Call>,
    seat: Seat,
    hand: Bag,
    after: u8,
) -> Vec<Action> {
    if after == 0 {
        return Vec::new();
    }
    call::candidates(level)
        .into_iter()
        .filter(|cards| hand.contains_all(*cards))
        .filter(|cards| call::judge(rules, level, standing, seat, *cards).is_ok())
        .map(|cards| Action::Call { cards: cards.into(), after })
        .collect()
}

/// What a seat may choose from now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Nothing: it is not its turn, or its cards are not known.
    Nothing,
    /// These calls; calling is never a must.
    Calls(Vec<Action>),
    /// Any eight cards of this hand.
    LayAway(Ladder, Bag),
    /// Any cards of one group of this hand.
    Lead(Ladder, Bag),
    /// Whatever this hand owes to this lead.
    Follow(Ladder, Lead, Bag),
    /// One of these kinds.
    Choose(Vec<Kind>),
}

impl Offer {
    /// The actions, one after the other; there may be millions. The automatic one of TL 9.1 comes first where
    /// the list is long.
    #[must_use]
    pub fn actions(self) -> Box<dyn Iterator<Item = Action>> {
        let play = |cards: Bag| Action::Play(cards.into());
        let away = |cards: Bag| Action::LayAway(cards.into());
        match self {
            Offer::Nothing => Box::new(std::iter::empty()),
            Offer::Calls(calls) => Box::new(calls.into_iter()),
            Offer::LayAway(ladder, hand) => {
                let first = automatic_lay_away(&ladder, hand, BOTTOM);
                Box::new(first_of_all(Some(first), Plays::any(hand, BOTTOM)).map(away))
            }
            Offer::Lead(ladder, hand) => Box::new(leads(&ladder, hand).map(play)),
            Offer::Follow(ladder, lead, hand) => {
                let duty = Duty::of(&ladder, lead, hand);
                let first = automatic_follow(&ladder, lead, hand);
                Box::new(first_of_all(first, Plays::following(&ladder, &duty, hand)).map(play))
            }
            Offer::Choose(kinds) => Box::new(kinds.into_iter().map(Action::Choose)),
        }
    }
}

/// The same plays with one of them in front.
fn first_of_all(first: Option<Bag>, plays: Plays) -> impl Iterator<Item = Bag> {
    first.into_iter().chain(plays.filter(move |play| Some(*play) != first))
}
