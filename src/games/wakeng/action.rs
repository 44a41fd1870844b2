//! What a seat can say or play, and why it may be refused.
//!
//! Reading an action checks that it can be read, nothing else: whether it is legal depends on the board and is the
//! business of [`super::State`].

use crate::cards::{Card, CardSet, parse_cards};
use crate::games::{ActionText, Refusal, Seat, not_a_card};
use crate::words::{Message, message, terms};

/// What a seat says when it is its turn to bid (叫分).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bid {
    /// No bid (不叫), written `bid 0`.
    None,
    /// One point.
    One,
    /// Two points.
    Two,
    /// Three points, which ends the bidding.
    Three,
}

impl Bid {
    /// Every bid, lowest first.
    pub const ALL: [Bid; 4] = [Bid::None, Bid::One, Bid::Two, Bid::Three];

    /// The points, 0 to 3.
    #[must_use]
    pub const fn points(self) -> u8 {
        self as u8
    }
}

/// An action of wakeng. The order is the order in which legal actions are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Show the hand (明牌) or not: `show yes`, `show no`. Before the bidding and, for the banker, after it.
    Show(bool),
    /// A bid: `bid 0` … `bid 3`.
    Bid(Bid),
    /// Double (加倍) or not: `double yes`, `double no`.
    Double(bool),
    /// Pass (过牌): `pass`.
    Pass,
    /// Cards of the hand: `play C4 D4 H4`.
    Play(CardSet),
    /// A play in which a card is named twice. Never legal; it exists so that it is refused for its own reason and in
    /// its place of the order of checking.
    PlayTwice(CardSet, Card),
}

/// Cards as a play is written: weakest rank first (4 … A 2 3), within a rank S H D C.
#[must_use]
pub fn write_play(cards: CardSet) -> String {
    let strength = |card: &Card| card.rank().map_or(13, |rank| (rank as u8 + 11) % 13);
    let mut list: Vec<Card> = cards.iter().collect();
    list.sort_by_key(strength);
    crate::cards::write_cards(list)
}

fn yes_or_no(word: &str) -> Option<bool> {
    match word {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

impl Action {
    /// Reads an action.
    ///
    /// # Errors
    /// What could not be read and what to write instead.
    pub fn read(text: &ActionText) -> Result<Action, Message> {
        const USAGE: Message = Message::plain("wakeng-usage");
        if text.after.is_some() {
            return Err(message!("wakeng-no-after"));
        }
        let mut words = text.text.split_ascii_whitespace();
        let verb = words.next().ok_or(USAGE)?;
        if verb == "play" {
            return Action::read_play(words);
        }
        let (word, more) = (words.next(), words.next());
        let action = match (verb, word, more) {
            ("show", Some(word), None) => yes_or_no(word).map(Action::Show),
            ("double", Some(word), None) => yes_or_no(word).map(Action::Double),
            ("bid", Some(word), None) => match word {
                "0" => Some(Action::Bid(Bid::None)),
                "1" => Some(Action::Bid(Bid::One)),
                "2" => Some(Action::Bid(Bid::Two)),
                "3" => Some(Action::Bid(Bid::Three)),
                _ => None,
            },
            ("pass", None, None) => Some(Action::Pass),
            _ => None,
        };
        action.ok_or(USAGE)
    }

    fn read_play<'a>(words: impl Iterator<Item = &'a str>) -> Result<Action, Message> {
        let mut set = CardSet::EMPTY;
        let mut twice = None;
        for word in words {
            for card in parse_cards(word).map_err(|error| not_a_card(&error))? {
                if !set.insert(card) && twice.is_none() {
                    twice = Some(card);
                }
            }
        }
        match twice {
            Some(card) => Ok(Action::PlayTwice(set, card)),
            None if set.is_empty() => Err(message!("wakeng-play-needs")),
            None => Ok(Action::Play(set)),
        }
    }

    /// Writes the action; [`Action::read`] reads it back.
    #[must_use]
    pub fn write(&self) -> ActionText {
        let yes_no = |yes: &bool| if *yes { "yes" } else { "no" };
        ActionText::plain(match self {
            Action::Show(yes) => format!("show {}", yes_no(yes)),
            Action::Bid(bid) => format!("bid {}", bid.points()),
            Action::Double(yes) => format!("double {}", yes_no(yes)),
            Action::Pass => "pass".to_owned(),
            Action::Play(cards) => format!("play {}", write_play(*cards)),
            Action::PlayTwice(cards, card) => format!("play {} {card}", write_play(*cards)),
        })
    }
}

/// Why an action is refused; see [`super::State::check`] for the order of checking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// `wrong_phase`: the action does not belong to the phase, or the board is over.
    WrongPhase {
        /// Name of the phase the board is in.
        phase: &'static str,
    },
    /// `not_your_turn`.
    NotYourTurn {
        /// The seat that is to act.
        turn: Seat,
    },
    /// `already_chosen`: a simultaneous choice was made before.
    AlreadyChosen,
    /// `card_named_twice`.
    CardNamedTwice {
        /// The first card that is named again.
        card: Card,
    },
    /// `not_in_hand`.
    NotInHand {
        /// The cards that the hand does not hold.
        cards: CardSet,
    },
    /// `not_a_combination`.
    NotACombination {
        /// The cards that make none.
        cards: CardSet,
    },
    /// `does_not_beat`.
    DoesNotBeat {
        /// The cards of the refused play.
        cards: CardSet,
        /// The cards to beat.
        last: CardSet,
    },
    /// `leader_cannot_pass`.
    LeaderCannotPass,
    /// `bid_too_low`: a bid that does not exceed every earlier one.
    BidTooLow {
        /// The highest bid so far.
        highest: u8,
    },
}

impl Refusal for Illegal {
    fn code(&self) -> &'static str {
        match self {
            Illegal::WrongPhase { .. } => "wrong_phase",
            Illegal::NotYourTurn { .. } => "not_your_turn",
            Illegal::AlreadyChosen => "already_chosen",
            Illegal::CardNamedTwice { .. } => "card_named_twice",
            Illegal::NotInHand { .. } => "not_in_hand",
            Illegal::NotACombination { .. } => "not_a_combination",
            Illegal::DoesNotBeat { .. } => "does_not_beat",
            Illegal::LeaderCannotPass => "leader_cannot_pass",
            Illegal::BidTooLow { .. } => "bid_too_low",
        }
    }

    fn message(&self) -> Message {
        match self {
            Illegal::WrongPhase { phase } => Message::plain("wakeng-wrong-phase").with("phase", phase),
            Illegal::NotYourTurn { turn } => {
                Message::plain("not-your-turn").with("turn", terms::position(super::name_of(*turn)))
            }
            Illegal::AlreadyChosen => Message::plain("already-chosen"),
            Illegal::CardNamedTwice { card } => Message::plain("card-named-twice").with("card", card),
            Illegal::NotInHand { cards } => Message::plain("not-in-hand").with("cards", write_play(*cards)),
            Illegal::NotACombination { cards } => {
                Message::plain("wakeng-not-a-combination").with("cards", write_play(*cards))
            }
            Illegal::DoesNotBeat { cards, last } => Message::plain("wakeng-does-not-beat")
                .with("cards", write_play(*cards))
                .with("last", write_play(*last)),
            Illegal::LeaderCannotPass => Message::plain("wakeng-leader-cannot-pass"),
            Illegal::BidTooLow { highest } => Message::plain("wakeng-bid-too-low").with("highest", highest),
        }
    }
}
