//! A board in progress: phases, turns, and the check and effect of every action.
//!
//! Full information lives here and leaves only through [`super::View`]. There is no clock and no randomness; the
//! shuffle happened before, and the clock's action is asked for with [`State::timeout`].

use std::sync::Arc;

use super::action::{Action, Bid, Illegal};
use super::combo::{Combo, Shapes};
use super::options::Options;
use super::rules::{FirstLead, Rules};
use super::score::{Outcome, Side, Stakes};
use super::start::{Deal, Position, Start};
use super::{SEATS, name_of};
use crate::cards::{Card, CardSet};
use crate::games::{Seat, Seats, Waiting};

/// Cards of a hand before the bottom (WK-2).
pub(super) const HAND: u8 = 16;
/// Cards of the banker's hand with the bottom (WK-14).
pub(super) const BANKER_HAND: u8 = 20;
/// Most plays and passes of a board: every play takes a card and is followed by at most two passes.
const LOG: usize = 3 * 52;

/// The phases of a board, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Showing before the bidding (叫分前明牌), everybody at the same time.
    Show,
    /// Bidding (叫分), one round.
    Bid,
    /// The banker may show.
    BankerShow,
    /// Doubling (加倍), everybody at the same time.
    Double,
    /// Play (打牌).
    Play,
    /// The board is over.
    Over,
}

impl Phase {
    /// Every phase, in order.
    pub(super) const ALL: [Phase; 6] =
        [Phase::Show, Phase::Bid, Phase::BankerShow, Phase::Double, Phase::Play, Phase::Over];

    /// The name: `show`, `bid`, `banker-show`, `double`, `play`, `over`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Show => "show",
            Phase::Bid => "bid",
            Phase::BankerShow => "banker-show",
            Phase::Double => "double",
            Phase::Play => "play",
            Phase::Over => "over",
        }
    }
}

/// A play or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Played {
    /// Who.
    pub seat: Seat,
    /// Which cards; none for a pass.
    pub cards: CardSet,
}

/// A checked action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect(Step);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Show(Seat, bool),
    Bid(Seat, Bid),
    Double(Seat, bool),
    Pass(Seat),
    Play(Seat, CardSet, Combo),
}

/// Every play and pass of a board, without allocation so that a state is copied in one go.
#[derive(Clone, Copy)]
struct Log {
    entries: [Played; LOG],
    length: usize,
}

impl Log {
    const EMPTY: Log = Log { entries: [Played { seat: Seat(0), cards: CardSet::EMPTY }; LOG], length: 0 };

    fn push(&mut self, played: Played) {
        debug_assert!(self.length < LOG, "more plays and passes than a board can have");
        if let Some(entry) = self.entries.get_mut(self.length) {
            *entry = played;
            self.length += 1;
        }
    }

    fn entries(&self) -> &[Played] {
        self.entries.get(..self.length).unwrap_or(&[])
    }
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.entries()).finish()
    }
}

/// Full information about a board in progress.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) rules: Arc<Rules>,
    pub(super) shapes: Shapes,
    pub(super) phase: Phase,
    /// Cards still held. Of a hand that a position does not list: every card that lies nowhere else.
    pub(super) hands: [CardSet; SEATS],
    /// Seats whose hand a position does not list, bit per seat.
    pub(super) unlisted: u8,
    /// The bottom; `None` if a position does not tell it.
    pub(super) bottom: Option<CardSet>,
    /// Who is to act in the phases without simultaneous choices.
    pub(super) turn: Seat,
    /// Who spoke first; `None` in a position.
    pub(super) first: Option<Seat>,
    /// Bids in speaking order, beginning with `first`.
    pub(super) bids: [Option<Bid>; SEATS],
    pub(super) banker: Option<Seat>,
    /// The banker's bid, or the highest so far.
    pub(super) bid: u8,
    /// Seats that have chosen in the present simultaneous phase, and those of them that chose yes.
    pub(super) chosen: u8,
    pub(super) chose_yes: u8,
    /// Seats whose hands everybody sees.
    pub(super) shown: u8,
    /// Seats that doubled, once revealed.
    pub(super) doubled: u8,
    pub(super) bombs: u8,
    /// The combination to beat; `None` for a leader.
    pub(super) over: Option<Combo>,
    passes: u8,
    log: Log,
    pub(super) out: Option<Seat>,
}

const fn bit(seat: Seat) -> u8 {
    1 << seat.0
}

const ALL: u8 = 0b111;

/// The seat that is next to bid and play, counter-clockwise (WK-3).
pub(super) const fn next(seat: Seat) -> Seat {
    Seat((seat.0 + 1) % 3)
}

fn seats(set: u8) -> Seats {
    (0..3).map(Seat).filter(|seat| set & bit(*seat) != 0).collect()
}

impl State {
    /// The board before the first action.
    pub(super) fn open(rules: &Arc<Rules>, start: &Start) -> State {
        let mut state = State {
            rules: Arc::clone(rules),
            shapes: rules.shapes(),
            phase: Phase::Show,
            hands: [CardSet::EMPTY; SEATS],
            unlisted: 0,
            bottom: None,
            turn: Seat(0),
            first: None,
            bids: [None; SEATS],
            banker: None,
            bid: 0,
            chosen: 0,
            chose_yes: 0,
            shown: 0,
            doubled: 0,
            bombs: 0,
            over: None,
            passes: 0,
            log: Log::EMPTY,
            out: None,
        };
        match start {
            Start::Deal(deal) => state.open_deal(deal),
            Start::Position(position) => state.open_position(position),
        }
        state
    }

    fn open_deal(&mut self, deal: &Deal) {
        self.hands = deal.hands;
        self.bottom = Some(deal.bottom);
        if !self.rules.show_before_bid {
            self.begin_bidding();
        }
    }

    fn open_position(&mut self, position: &Position) {
        self.phase = Phase::Play;
        self.banker = Some(position.banker);
        self.bid = position.bid;
        self.bottom = position.bottom;
        self.shown = position.shown;
        self.doubled = position.doubled;
        self.bombs = position.bombs;
        self.turn = position.turn;
        for ((seat, listed), hand) in (0..).map(Seat).zip(position.hands).zip(&mut self.hands) {
            if listed.is_none() {
                self.unlisted |= bit(seat);
            }
            *hand = listed.unwrap_or(CardSet::FIFTY_TWO.difference(position.elsewhere(seat)));
        }
        for played in &position.trick {
            self.record_play(*played);
        }
    }

    /// Notes a play or pass that was made before this state began: what is to beat and who has passed.
    pub(super) fn record_play(&mut self, played: Played) {
        self.log.push(played);
        if !played.cards.is_empty() {
            self.passes = 0;
            self.over = self.shapes.recognise(played.cards);
            return;
        }
        self.passes += 1;
        // WK-20
        if self.passes == 2 {
            self.passes = 0;
            self.over = None;
        }
    }

    /// The cards still held by a seat; none outside the table.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hands.get(seat.index()).copied().unwrap_or_default()
    }

    /// The four bottom cards (底牌), also after they have joined the banker's hand; `None` if a position does not
    /// tell them.
    #[must_use]
    pub const fn bottom(&self) -> Option<CardSet> {
        self.bottom
    }

    /// The banker, once there is one.
    #[must_use]
    pub const fn banker(&self) -> Option<Seat> {
        self.banker
    }

    /// The phase.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The ruleset of the board.
    #[must_use]
    pub const fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Every play and pass so far, in order.
    #[must_use]
    pub fn played(&self) -> &[Played] {
        self.log.entries()
    }

    /// The combination to beat; `None` for a leader and outside the play.
    #[must_use]
    pub const fn over(&self) -> Option<Combo> {
        self.over
    }

    /// The side that has won, once the board is over (WK-24).
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        self.out.map(|out| if self.banker == Some(out) { Side::Banker } else { Side::Defence })
    }

    pub(super) fn finished(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Seats that must decide now, bit per seat.
    fn deciding(&self) -> u8 {
        match self.phase {
            Phase::Show | Phase::Double => ALL & !self.chosen,
            Phase::Bid | Phase::BankerShow | Phase::Play => bit(self.turn),
            Phase::Over => 0,
        }
    }

    pub(super) fn waiting_for(&self) -> Waiting {
        // WK-39
        let seconds = match self.phase {
            Phase::Show | Phase::BankerShow => self.rules.show_s,
            Phase::Bid => self.rules.bid_s,
            Phase::Double => self.rules.double_s,
            Phase::Play => self.rules.play_s,
            Phase::Over => 0,
        };
        Waiting {
            seats: seats(self.deciding()),
            simultaneous: matches!(self.phase, Phase::Show | Phase::Double),
            phase: self.phase.name(),
            limit_ms: seconds.saturating_mul(1_000),
        }
    }

    pub(super) fn may_act(&self, seat: Seat) -> bool {
        seat.index() < SEATS && self.deciding() & bit(seat) != 0
    }

    /// Most cards that a seat can play at once. It matters only for a hand that a position does not list.
    pub(super) fn most(&self, seat: Seat) -> u8 {
        if self.banker == Some(seat) { BANKER_HAND } else { HAND }
    }

    /// The one generator: everything a seat may do, for legality, hints, the clock and AI players. Cloning it is
    /// cheap.
    #[must_use]
    pub fn options(&self, seat: Seat) -> Options {
        if !self.may_act(seat) {
            return Options::NOTHING;
        }
        Options::of(self.phase, self.bid, || {
            (self.shapes.plays(self.hand(seat), self.over, self.most(seat)), self.over.is_some())
        })
    }

    /// What the clock does: no show, no bid, no double (WK-8), the leader's weakest single, a follower's pass (WK-25); the
    /// same for a seat whose player is gone (WK-26).
    pub(super) fn timeout(&self, seat: Seat) -> Option<Action> {
        self.options(seat).next()
    }

    /// Checks an action: fits the phase → the seat's turn → cards named once → cards in hand → a combination →
    /// beats. A refused action changes nothing (WK-42).
    ///
    /// # Errors
    /// The first reason that applies.
    pub fn check(&self, seat: Seat, action: &Action) -> Result<Effect, Illegal> {
        let fits = match action {
            Action::Show(_) => matches!(self.phase, Phase::Show | Phase::BankerShow),
            Action::Bid(_) => self.phase == Phase::Bid,
            Action::Double(_) => self.phase == Phase::Double,
            Action::Pass | Action::Play(_) | Action::PlayTwice(..) => self.phase == Phase::Play,
        };
        if !fits {
            return Err(Illegal::WrongPhase { phase: self.phase.name() });
        }
        if !self.may_act(seat) {
            return Err(match self.phase {
                Phase::Show | Phase::Double => Illegal::AlreadyChosen,
                _ => Illegal::NotYourTurn { turn: self.turn },
            });
        }
        match *action {
            Action::Show(yes) => Ok(Effect(Step::Show(seat, yes))),
            Action::Double(yes) => Ok(Effect(Step::Double(seat, yes))),
            // WK-10
            Action::Bid(bid) if bid != Bid::None && bid.points() <= self.bid => {
                Err(Illegal::BidTooLow { highest: self.bid })
            }
            Action::Bid(bid) => Ok(Effect(Step::Bid(seat, bid))),
            // WK-21
            Action::Pass if self.over.is_none() => Err(Illegal::LeaderCannotPass),
            Action::Pass => Ok(Effect(Step::Pass(seat))),
            Action::PlayTwice(_, card) => Err(Illegal::CardNamedTwice { card }),
            Action::Play(cards) => self.check_play(seat, cards),
        }
    }

    fn check_play(&self, seat: Seat, cards: CardSet) -> Result<Effect, Illegal> {
        let missing = cards.difference(self.hand(seat));
        if !missing.is_empty() {
            return Err(Illegal::NotInHand { cards: missing });
        }
        let combo = self.shapes.recognise(cards).filter(|combo| combo.cards() <= self.most(seat));
        let Some(combo) = combo else { return Err(Illegal::NotACombination { cards }) };
        // WK-19
        if self.over.is_some_and(|over| !self.shapes.beats(combo, over)) {
            let last = self.played().iter().rfind(|played| !played.cards.is_empty());
            return Err(Illegal::DoesNotBeat { cards, last: last.map_or(CardSet::EMPTY, |last| last.cards) });
        }
        Ok(Effect(Step::Play(seat, cards, combo)))
    }

    /// Carries out a checked action; none is ever taken back (WK-23).
    pub fn apply(&mut self, effect: Effect) {
        match effect.0 {
            Step::Show(seat, yes) if self.phase == Phase::BankerShow => {
                if yes {
                    self.shown |= bit(seat);
                }
                self.begin_doubling();
            }
            // WK-6: visible, and the bidding begins, when all have chosen.
            Step::Show(seat, yes) => {
                if self.choose(seat, yes) {
                    self.shown = std::mem::take(&mut self.chose_yes);
                    self.chosen = 0;
                    self.begin_bidding();
                }
            }
            // WK-17: revealed together.
            Step::Double(seat, yes) => {
                if self.choose(seat, yes) {
                    self.doubled = std::mem::take(&mut self.chose_yes);
                    self.chosen = 0;
                    self.begin_play();
                }
            }
            Step::Bid(seat, bid) => self.apply_bid(seat, bid),
            Step::Pass(seat) => {
                self.record_play(Played { seat, cards: CardSet::EMPTY });
                // Whoever has passed is asked again (WK-22).
                self.turn = next(seat);
            }
            Step::Play(seat, cards, combo) => self.apply_play(seat, cards, combo),
        }
    }

    /// Notes a simultaneous choice; whether it was the last one.
    fn choose(&mut self, seat: Seat, yes: bool) -> bool {
        self.chosen |= bit(seat);
        if yes {
            self.chose_yes |= bit(seat);
        }
        self.chosen == ALL
    }

    fn apply_bid(&mut self, seat: Seat, bid: Bid) {
        let spoken = self.bids.iter().flatten().count();
        if let Some(place) = self.bids.get_mut(spoken) {
            *place = Some(bid);
        }
        if bid != Bid::None {
            self.bid = bid.points();
            // WK-5
            self.banker = Some(seat);
        }
        // A 3 ends the bidding (WK-11), as does its one round (WK-9).
        if bid == Bid::Three || spoken + 1 == SEATS {
            self.end_bidding();
        } else {
            self.turn = next(seat);
        }
    }

    fn apply_play(&mut self, seat: Seat, cards: CardSet, combo: Combo) {
        // Only hands that a position does not list share cards.
        for hand in &mut self.hands {
            *hand = hand.difference(cards);
        }
        self.log.push(Played { seat, cards });
        self.over = Some(combo);
        self.passes = 0;
        // Only bombs that were played count (WK-37).
        self.bombs += u8::from(self.shapes.is_bomb(combo));
        self.turn = next(seat);
        // WK-24. An unlisted hand is out when no card is left that it could hold.
        if self.hand(seat).is_empty() {
            self.out = Some(seat);
            self.phase = Phase::Over;
        }
    }

    /// The holder of the lowest card of the first suit among the three hands (WK-12, WK-18).
    pub(super) fn lowest_holder(&self) -> Seat {
        let suit = self.rules.first_suit.suit();
        let mut ranks = (0..13).map(|strength| Card::new(suit, self.shapes.rank(strength)));
        ranks
            .find_map(|card| (0..3).map(Seat).find(|seat| self.hand(*seat).contains(card)))
            .unwrap_or(Seat(0))
    }

    fn begin_bidding(&mut self) {
        self.phase = Phase::Bid;
        self.turn = self.lowest_holder();
        self.first = Some(self.turn);
    }

    /// The highest bidder, or in a rotten dig the first speaker, becomes banker and takes the bottom.
    fn end_bidding(&mut self) {
        let banker = self.banker.or(self.first).unwrap_or(self.turn);
        // WK-13
        if self.banker.is_none() {
            self.bid = self.rules.rotten_dig_bid;
        }
        self.banker = Some(banker);
        // WK-14
        if let (Some(hand), Some(bottom)) = (self.hands.get_mut(banker.index()), self.bottom) {
            *hand = hand.union(bottom);
        }
        // WK-16
        if self.rules.banker_show && self.shown & bit(banker) == 0 {
            self.phase = Phase::BankerShow;
            self.turn = banker;
        } else {
            self.begin_doubling();
        }
    }

    fn begin_doubling(&mut self) {
        if self.rules.doubling {
            self.phase = Phase::Double;
        } else {
            self.begin_play();
        }
    }

    fn begin_play(&mut self) {
        self.phase = Phase::Play;
        // WK-18
        self.turn = match self.rules.first_lead {
            FirstLead::LowestCard => self.lowest_holder(),
            FirstLead::FirstSpeaker => self.first.unwrap_or(self.turn),
        };
    }

    fn stakes(&self) -> Option<Stakes> {
        // Before the end of the bidding the highest bidder is not the banker yet.
        let banker = self.banker.filter(|_| self.phase > Phase::Bid)?;
        Some(Stakes { banker, bid: self.bid, bombs: self.bombs, shown: self.shown, doubled: self.doubled })
    }

    /// The raw score per seat; zeros before the end.
    #[must_use]
    pub fn scores(&self) -> [i64; SEATS] {
        match (self.stakes(), self.winner()) {
            (Some(stakes), Some(winner)) => stakes.scores(&self.rules, winner),
            _ => [0; SEATS],
        }
    }

    pub(super) fn outcome(&self) -> Outcome {
        let stakes = self.stakes();
        Outcome {
            banker: stakes.map(|stakes| name_of(stakes.banker)),
            bid: stakes.map(|stakes| stakes.bid),
            bombs: self.bombs,
            factors: stakes.map(|stakes| stakes.factors(&self.rules)),
            winner: self.winner(),
        }
    }
}
