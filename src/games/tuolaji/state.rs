//! The board in progress: the state machine of TL 3.
//!
//! `Draw → LayAway → Play (↔ Choose) → Over`. A record has no line for the drawing of a card, so a state is either
//! *read* (a call's `after` and the lay-away move the draw on) or, once the dealer has drawn through
//! [`State::advance`], *live*: then a call must say exactly how many cards are drawn, and the banker can lay away only
//! after the window has closed.

use std::sync::Arc;

use super::action::{Action, Named};
use super::bag::Bag;
use super::call::{self, Call};
use super::complete::{automatic_follow, automatic_lay_away, automatic_lead};
use super::follow::Duty;
use super::ladder::{Ladder, Level, Trump};
use super::refusal::Illegal;
use super::rules::{
    AutomaticPlay, BottomShape, Calling, ChoiceTimeout, Decomposition, FlipJoker, Rules, ThrowChoice,
};
use super::shape::{Component, Kind, Lead};
use super::start::{Start, StartCards};
use super::throw::{self, Blocked};
use super::winner::winner;
use super::{BOTTOM, COUNTS, DRAWN, defends};
use crate::cards::Card;
use crate::games::{Seat, Seats, Waiting};

/// The phase of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Cards are drawn and calls are open; after card 100 the window runs.
    Draw,
    /// The banker has the bottom and lays eight cards away.
    LayAway,
    /// A trick is played.
    Play,
    /// The next seat chooses which kind of a failed throw is played.
    Choose,
    /// The board is over.
    Over,
}

impl Phase {
    /// The name of the phase in sentences and views.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Draw => "draw",
            Phase::LayAway => "lay-away",
            Phase::Play => "play",
            Phase::Choose => "choose",
            Phase::Over => "over",
        }
    }
}

/// A throw that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Who threw.
    pub seat: Seat,
    /// All the cards of the attempt.
    pub cards: Bag,
    /// The blocked components in ascending order.
    pub blocked: Vec<Component>,
    /// The parts that the next seat chooses from, in ascending order of kind.
    pub choices: Vec<Component>,
}

/// A trick, played or in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trick {
    /// Who led.
    pub leader: Seat,
    /// The plays in order, the lead first.
    pub plays: Vec<Bag>,
    /// The failed throw before the lead, if there was one.
    pub attempt: Option<Attempt>,
    /// Who won; `None` while it is played.
    pub winner: Option<Seat>,
    /// Card points in it.
    pub points: u32,
}

impl Trick {
    fn led_by(leader: Seat) -> Trick {
        Trick { leader, plays: Vec::with_capacity(4), attempt: None, winner: None, points: 0 }
    }

    /// The play of a seat in this trick, if it has been made.
    #[must_use]
    pub fn play_of(&self, seat: Seat) -> Option<Bag> {
        self.plays.get(usize::from((seat.0 + 4 - self.leader.0) % 4)).copied()
    }
}

/// A checked action.
#[derive(Clone, Debug)]
pub enum Effect {
    /// The dealer draws the next card.
    Draw,
    /// The window closes: trump is fixed, the banker takes the bottom.
    Close,
    /// A call stands.
    Call(Call),
    /// The banker lays away.
    LayAway(Bag),
    /// A lead that stands.
    Lead(Bag),
    /// A throw that fails.
    Fail {
        /// All the cards of the attempt.
        cards: Bag,
        /// What is blocked.
        blocked: Blocked,
    },
    /// A following play.
    Follow(Bag),
    /// The part of a failed throw that is played.
    Choose(Component),
}

/// Full information about a board.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) rules: Arc<Rules>,
    pub(super) level: Level,
    pub(super) banker: Seat,
    pub(super) calling: Calling,
    pub(super) draw: Option<Arc<[Card]>>,
    pub(super) drawn: u8,
    pub(super) live: bool,
    pub(super) calls: Vec<Call>,
    pub(super) flipped: Vec<Card>,
    pub(super) ladder: Option<Ladder>,
    pub(super) phase: Phase,
    pub(super) turn: Seat,
    pub(super) hands: [Option<Bag>; 4],
    pub(super) bottom: Option<Bag>,
    pub(super) trick: Trick,
    pub(super) lead: Option<Lead>,
    pub(super) tricks: Vec<Trick>,
    /// Defenders' points from tricks (and before a position).
    pub(super) won: i64,
    /// Defenders' points from penalties of either side.
    pub(super) penalties: i64,
    pub(super) multiplier: i64,
}

/// The seat that draws card `index` (from 0), the banker first (TL 3.2).
fn drawer(banker: Seat, index: usize) -> usize {
    (banker.index() + index) % 4
}

impl State {
    /// The board before the first action.
    #[must_use]
    pub fn open(rules: &Arc<Rules>, start: &Start) -> State {
        let mut state = State {
            rules: Arc::clone(rules),
            level: start.level,
            banker: start.banker,
            calling: start.calling.unwrap_or(rules.calling),
            draw: None,
            drawn: 0,
            live: false,
            calls: Vec::new(),
            flipped: Vec::new(),
            ladder: None,
            phase: Phase::Draw,
            turn: start.banker,
            hands: [Some(Bag::EMPTY); 4],
            bottom: None,
            trick: Trick::led_by(start.banker),
            lead: None,
            tricks: Vec::new(),
            won: 0,
            penalties: 0,
            multiplier: 0,
        };
        match &start.cards {
            StartCards::Draw(draw) => state.draw = Some(Arc::clone(draw)),
            StartCards::Dealt { hands, bottom, trump } => {
                state.drawn = COUNTS.0;
                state.hands = hands.map(Some);
                state.take_bottom(*bottom, *trump);
            }
            StartCards::Position(position) => {
                let ladder = Ladder::new(start.level, position.trump);
                state.drawn = COUNTS.0;
                state.ladder = Some(ladder);
                state.hands = position.hands;
                state.bottom = position.bottom;
                state.won = position.points;
                state.turn = position.turn;
                state.trick = Trick::led_by(position.leader());
                state.trick.plays.clone_from(&position.trick);
                state.lead = position.trick.first().and_then(|lead| Lead::of(&ladder, *lead));
                let listed = state.hands.iter().flatten().count();
                let over = position.trick.is_empty() && listed > 0 && state.listed_hands_are_empty();
                state.phase = if over { Phase::Over } else { Phase::Play };
            }
        }
        state
    }

    fn listed_hands_are_empty(&self) -> bool {
        self.hands.iter().flatten().all(|hand| hand.is_empty())
    }

    fn take_bottom(&mut self, bottom: Bag, trump: Trump) {
        self.ladder = Some(Ladder::new(self.level, trump));
        if let Some(Some(hand)) = self.hands.get_mut(self.banker.index()) {
            *hand = hand.plus(bottom);
        }
        self.phase = Phase::LayAway;
        self.turn = self.banker;
    }

    /// Every card of the board wherever it lies: not yet drawn, in known hands, played, laid away.
    #[must_use]
    pub fn cards(&self) -> Vec<Card> {
        let bottom_waits = self.phase == Phase::Draw;
        let draw: &[Card] = self.draw.as_deref().unwrap_or(&[]);
        let undrawn = draw.iter().skip(usize::from(self.drawn)).filter(|_| bottom_waits).copied();
        let hands = self.hands.iter().flatten().flat_map(|hand| hand.cards());
        let played = self.tricks.iter().chain([&self.trick]).flat_map(|trick| &trick.plays);
        undrawn.chain(hands).chain(played.chain(&self.bottom).flat_map(|cards| cards.cards())).collect()
    }

    /// The hand of a seat, as far as it is known.
    pub(super) fn hand(&self, seat: Seat) -> Option<Bag> {
        self.hands.get(seat.index()).copied().flatten()
    }

    /// The cards that a seat has drawn when `drawn` cards are drawn.
    pub(super) fn hand_after(&self, seat: Seat, drawn: usize) -> Bag {
        let draw: &[Card] = self.draw.as_deref().unwrap_or(&[]);
        draw.iter()
            .take(drawn.min(DRAWN))
            .enumerate()
            .filter(|(index, _)| drawer(self.banker, *index) == seat.index())
            .map(|(_, card)| *card)
            .collect()
    }

    /// The last eight cards of the draw.
    fn drawn_bottom(&self) -> Bag {
        self.draw.as_deref().unwrap_or(&[]).iter().skip(DRAWN).copied().collect()
    }

    pub(super) fn standing(&self) -> Option<&Call> {
        self.calls.last()
    }

    /// The seats that may still call, as everybody can see it.
    fn callers(&self) -> Seats {
        let standing = self.standing();
        if call::is_final(&self.rules, self.level, standing) {
            return Seats::NONE;
        }
        let all: Seats = (0..4).map(Seat).collect();
        match standing {
            Some(call) if !self.rules.allow_reinforce => all.without(call.seat),
            _ => all,
        }
    }

    /// Who must decide, which clock runs. While cards are drawn the banker is always among them: the board goes on
    /// with his lay-away.
    #[must_use]
    pub fn waiting_for(&self) -> Waiting {
        let hard = |seconds: u32| seconds.saturating_add(self.rules.hard_extra_s).saturating_mul(1000);
        let (seats, phase, limit_ms) = match self.phase {
            Phase::Draw => {
                let seats = self.callers().with(self.banker);
                let (phase, limit_ms) = if usize::from(self.drawn) < DRAWN {
                    ("draw", self.rules.draw_ms)
                } else {
                    // TL 3.6
                    ("window", self.rules.call_window_s.saturating_mul(1000))
                };
                return Waiting { seats, simultaneous: true, phase, limit_ms };
            }
            Phase::LayAway => (Seats::one(self.turn), "lay-away", hard(self.rules.bottom_s)),
            Phase::Play => (Seats::one(self.turn), "play", hard(self.rules.play_s)),
            Phase::Choose => {
                (Seats::one(self.turn), "choose", self.rules.throw_choice_s.saturating_mul(1000))
            }
            Phase::Over => (Seats::NONE, "over", 0),
        };
        Waiting { seats, simultaneous: false, phase, limit_ms }
    }

    /// After how many milliseconds a play or a lay-away is slow (TL 9, slow play); the choice after a throw and the
    /// window are not.
    #[must_use]
    pub(super) fn slow_after_ms(&self) -> Option<u32> {
        match self.phase {
            Phase::LayAway => Some(self.rules.bottom_s.saturating_mul(1000)),
            Phase::Play => Some(self.rules.play_s.saturating_mul(1000)),
            Phase::Draw | Phase::Choose | Phase::Over => None,
        }
    }

    /// The seat that drew the last card, while cards are drawn.
    pub(super) fn drawing(&self) -> Option<Seat> {
        let last = usize::from(self.drawn).checked_sub(1)?;
        #[allow(clippy::cast_possible_truncation)] // a seat is 0 to 3
        (self.phase == Phase::Draw).then(|| Seat(drawer(self.banker, last) as u8))
    }

    /// What is played for a seat after the hard limit (TL 9.1).
    #[must_use]
    pub fn timeout(&self, seat: Seat) -> Option<Action> {
        if seat != self.turn {
            return None;
        }
        let ladder = self.ladder.as_ref()?;
        // The only way there is; another one would have to be made here.
        let AutomaticPlay::Smallest = self.rules.automatic_play;
        match self.phase {
            Phase::Draw | Phase::Over => None,
            Phase::LayAway => {
                Some(Action::LayAway(automatic_lay_away(ladder, self.hand(seat)?, BOTTOM).into()))
            }
            Phase::Play => {
                let hand = self.hand(seat)?;
                let play = match self.lead {
                    None => automatic_lead(ladder, hand),
                    Some(lead) => automatic_follow(ladder, lead, hand),
                };
                play.map(|play| Action::Play(play.into()))
            }
            Phase::Choose => {
                let choices = &self.trick.attempt.as_ref()?.choices;
                let part = match self.rules.throw_choice_timeout {
                    ChoiceTimeout::Largest => choices.last(),
                    ChoiceTimeout::Smallest => choices.first(),
                };
                part.map(|part| Action::Choose(part.kind))
            }
        }
    }

    /// Checks an action.
    ///
    /// # Errors
    /// The first reason that applies.
    pub fn check(&self, seat: Seat, action: &Action) -> Result<Effect, Illegal> {
        match (self.phase, action) {
            (Phase::Draw, Action::Call { cards, after }) => self.check_call(seat, cards, *after),
            (Phase::Draw, Action::LayAway(cards)) if !self.live => {
                let hand = self.hand_after(self.banker, DRAWN).plus(self.drawn_bottom());
                self.check_lay_away(seat, cards, hand)
            }
            (Phase::LayAway, Action::LayAway(cards)) => {
                self.check_lay_away(seat, cards, self.hand(self.banker).unwrap_or_default())
            }
            (Phase::Play, Action::Play(cards)) => self.check_play(seat, cards),
            (Phase::Choose, Action::Choose(kind)) => self.check_choice(seat, *kind),
            _ => Err(Illegal::WrongPhase(self.phase)),
        }
    }

    fn check_turn(&self, seat: Seat) -> Result<(), Illegal> {
        if seat == self.turn { Ok(()) } else { Err(Illegal::NotYourTurn(self.turn)) }
    }

    fn check_call(&self, seat: Seat, named: &Named, after: u8) -> Result<Effect, Illegal> {
        if after < self.drawn {
            return Err(Illegal::TooLate { after, drawn: self.drawn });
        }
        if self.live && after > self.drawn {
            return Err(Illegal::TooEarly { after, drawn: self.drawn });
        }
        held(named, Some(self.hand_after(seat, usize::from(after))))?;
        let (trump, strength) = call::judge(&self.rules, self.level, self.standing(), seat, named.cards)?;
        Ok(Effect::Call(Call { seat, after, cards: named.cards, trump, strength }))
    }

    /// Any eight cards may be laid away (TL 3.9).
    fn check_lay_away(&self, seat: Seat, named: &Named, hand: Bag) -> Result<Effect, Illegal> {
        if seat != self.banker {
            return Err(Illegal::NotYourTurn(self.banker));
        }
        held(named, Some(hand))?;
        if named.cards.len() != BOTTOM {
            return Err(Illegal::WrongNumber { need: COUNTS.1, given: named.cards.len() });
        }
        Ok(Effect::LayAway(named.cards))
    }

    fn check_play(&self, seat: Seat, named: &Named) -> Result<Effect, Illegal> {
        self.check_turn(seat)?;
        // In a position a listed hand may be shorter than the lead: then its other cards are unknown.
        let listed = self.hand(seat);
        let hand = if self.asks_an_unknown_hand() { None } else { listed };
        let Some(ladder) = &self.ladder else { return Err(Illegal::WrongPhase(self.phase)) };
        let cards = named.cards;
        held(named, hand)?;
        if hand.is_none() {
            self.can_hold(seat, cards)?;
        }
        let Some(lead) = self.lead else {
            let group = ladder.single_group(cards).ok_or(Illegal::TwoGroups)?;
            let others: Vec<Bag> = (0..4)
                .map(Seat)
                .filter(|other| *other != seat)
                .filter_map(|other| self.hand(other))
                .collect();
            // The only way to take a lead apart; another one would have to be told to `throw`.
            let Decomposition::LongestRunFirst = self.rules.decomposition;
            return Ok(match throw::attempt(ladder, group, cards, &others) {
                None => Effect::Lead(cards),
                Some(blocked) => Effect::Fail { cards, blocked },
            });
        };
        if cards.len() != usize::from(lead.count) {
            return Err(Illegal::WrongNumber { need: lead.count, given: cards.len() });
        }
        if let Some(hand) = hand {
            Duty::of(ladder, lead, hand).check(ladder, cards).map_err(Illegal::MustFollow)?;
        } else if let Some(hand) = listed {
            let owed = hand.masked(ladder.mask(lead.group));
            if !cards.contains_all(owed) {
                let need = u8::try_from(owed.len()).unwrap_or(u8::MAX);
                let lack = super::follow::Lack::Cards { group: lead.group, need, held: owed };
                return Err(Illegal::MustFollow(lack));
            }
        }
        Ok(Effect::Follow(cards))
    }

    fn check_choice(&self, seat: Seat, kind: Kind) -> Result<Effect, Illegal> {
        self.check_turn(seat)?;
        let choices = self.trick.attempt.as_ref().map_or(&[][..], |attempt| &attempt.choices);
        match choices.iter().find(|part| part.kind == kind) {
            Some(part) => Ok(Effect::Choose(*part)),
            None => Err(Illegal::NotAnOption { kinds: choices.iter().map(|part| part.kind).collect() }),
        }
    }

    /// The dealer's next step: a card, or the end of the window.
    #[must_use]
    pub fn advance(&self) -> Option<Effect> {
        match self.phase {
            Phase::Draw if usize::from(self.drawn) < DRAWN => Some(Effect::Draw),
            Phase::Draw => Some(Effect::Close),
            _ => None,
        }
    }

    /// Carries out a checked action.
    pub fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::Draw => {
                self.live = true;
                self.draw_until(self.drawn.saturating_add(1));
            }
            Effect::Close => {
                self.live = true;
                self.close_calls();
            }
            Effect::Call(call) => {
                self.draw_until(call.after);
                self.calls.push(call);
            }
            Effect::LayAway(cards) => {
                if self.phase == Phase::Draw {
                    self.close_calls();
                }
                self.take(self.banker, cards);
                self.bottom = Some(cards);
                self.phase = Phase::Play;
            }
            Effect::Lead(cards) => self.lead_with(cards),
            Effect::Fail { cards, blocked } => self.fail(cards, &blocked),
            Effect::Choose(part) => {
                self.turn = self.trick.leader;
                self.phase = Phase::Play;
                self.lead_with(part.cards);
            }
            Effect::Follow(cards) => self.follow_with(cards),
        }
    }

    fn draw_until(&mut self, drawn: u8) {
        let drawn = drawn.min(COUNTS.0);
        let Some(draw) = &self.draw else { return };
        for (index, card) in draw.iter().enumerate().take(usize::from(drawn)).skip(usize::from(self.drawn)) {
            if let Some(Some(hand)) = self.hands.get_mut(drawer(self.banker, index)) {
                hand.add(*card);
            }
        }
        self.drawn = self.drawn.max(drawn);
    }

    /// The trump is the last call's, or that of card 101 (TL 3.7); the banker takes the bottom.
    fn close_calls(&mut self) {
        self.draw_until(COUNTS.0);
        let trump = match self.standing() {
            Some(call) => call.trump,
            None => self.flip(),
        };
        self.take_bottom(self.drawn_bottom(), trump);
    }

    fn flip(&mut self) -> Trump {
        let draw = self.draw.clone();
        let turn_on = self.rules.bars_no_trump(self.level)
            && self.rules.flip_joker_at_scoring_level == FlipJoker::NextCard;
        for card in draw.as_deref().unwrap_or(&[]).iter().skip(DRAWN) {
            self.flipped.push(*card);
            match card.suit() {
                Some(suit) => return Trump::Suit(suit),
                None if turn_on => {}
                None => return Trump::None,
            }
        }
        Trump::None
    }

    fn take(&mut self, seat: Seat, cards: Bag) {
        if let Some(Some(hand)) = self.hands.get_mut(seat.index()) {
            *hand = hand.minus(cards);
        }
    }

    fn next(seat: Seat) -> Seat {
        Seat((seat.0 + 1) % 4)
    }

    fn lead_with(&mut self, cards: Bag) {
        self.take(self.turn, cards);
        self.lead = self.ladder.as_ref().and_then(|ladder| Lead::of(ladder, cards));
        self.trick.plays.push(cards);
        self.turn = State::next(self.turn);
    }

    /// The failed throw (TL 5.2): the penalty, then the part that stands or the next seat's choice.
    fn fail(&mut self, cards: Bag, blocked: &Blocked) {
        let penalty = self.cost(blocked.parts());
        self.penalties += if defends(self.turn, self.banker) { -penalty } else { penalty };
        let mut choices = blocked.stands().to_vec();
        if self.rules.throw_choice == ThrowChoice::SingleOrPair && choices.len() > 1 {
            choices.retain(|part| part.kind != Kind::Tractor);
        }
        let only = if let [part] = choices.as_slice() { Some(part.cards) } else { None };
        self.trick.attempt =
            Some(Attempt { seat: self.turn, cards, blocked: blocked.parts().to_vec(), choices });
        if let Some(part) = only {
            self.lead_with(part);
        } else {
            self.phase = Phase::Choose;
            self.turn = State::next(self.turn);
        }
    }

    fn cost(&self, blocked: &[Component]) -> i64 {
        let cards: usize = blocked.iter().map(|part| part.cards.len()).sum();
        i64::try_from(cards).unwrap_or(0) * i64::from(self.rules.blocked_card_penalty)
    }

    /// What a failed throw cost, in small points.
    pub(super) fn penalty(&self, attempt: &Attempt) -> i64 {
        self.cost(&attempt.blocked)
    }

    /// Whose play is the highest of the current trick (TL 5.4); `None` before the lead.
    pub(super) fn ahead(&self) -> Option<Seat> {
        let (ladder, lead) = (self.ladder?, self.lead.as_ref()?);
        if self.trick.plays.is_empty() {
            return None;
        }
        let place = u8::try_from(winner(&ladder, lead, &self.trick.plays)).ok()?;
        Some(Seat((self.trick.leader.0 + place) % 4))
    }

    fn follow_with(&mut self, cards: Bag) {
        self.take(self.turn, cards);
        self.trick.plays.push(cards);
        self.turn = State::next(self.turn);
        if self.trick.plays.len() == 4 {
            self.finish_trick();
        }
    }

    fn finish_trick(&mut self) {
        let (Some(ladder), Some(lead)) = (self.ladder, self.lead.take()) else { return };
        let place = winner(&ladder, &lead, &self.trick.plays);
        let best = Seat((self.trick.leader.0 + u8::try_from(place).unwrap_or(0)) % 4);
        self.trick.winner = Some(best);
        self.trick.points = self.trick.plays.iter().map(|play| play.points()).sum();
        // TL 5.5: only the defenders collect points.
        if defends(best, self.banker) {
            self.won += i64::from(self.trick.points);
        }
        let winning = self.trick.plays.get(place).copied().unwrap_or_default();
        self.tricks.push(std::mem::replace(&mut self.trick, Trick::led_by(best)));
        // TL 3.10
        self.turn = best;
        // TL 3.11
        if self.listed_hands_are_empty() {
            self.phase = Phase::Over;
            if defends(best, self.banker) {
                let shape = match self.rules.bottom_shape {
                    BottomShape::Lead => Some(lead),
                    BottomShape::WinnerCards => Lead::of(&ladder, winning),
                };
                // 2 for singles, 4 for a pair, 8 for a tractor of two, doubling with each further pair (TL 6.1).
                self.multiplier = 2 << shape.map_or(0, |shape| shape.longest());
            }
        }
    }

    /// Card points laid away; 0 where they are not known.
    pub(super) fn bottom_points(&self) -> i64 {
        self.bottom.map_or(0, |bottom| i64::from(bottom.points()))
    }

    /// The defenders' small points so far, with penalties (TL 6.3) and, at the end, the captured bottom; they may be below
    /// 0 or far above 200 (TL 6.2).
    #[must_use]
    pub fn small(&self) -> i64 {
        self.won + self.penalties + self.bottom_points() * self.multiplier
    }

    /// The defenders' big points of a finished board whose bottom is known.
    #[must_use]
    pub fn big(&self) -> Option<i64> {
        (self.phase == Phase::Over && self.bottom.is_some()).then(|| self.rules.big_points.of(self.small()))
    }
}

/// Cards named once, and cards in hand; a hand that is not known is not checked.
fn held(named: &Named, hand: Option<Bag>) -> Result<(), Illegal> {
    if let Some(card) = named.excess.first() {
        return Err(Illegal::NamedTooOften(*card));
    }
    match hand {
        Some(hand) if !hand.contains_all(named.cards) => Err(Illegal::NotInHand(named.cards.minus(hand))),
        _ => Ok(()),
    }
}
