//! Actions and their text form.

use super::bag::Bag;
use super::shape::Kind;
use crate::cards::{Card, parse_cards, write_cards};
use crate::games::{ActionText, not_a_card};
use crate::words::{Message, message};

/// Cards as an action names them: a bag, and whatever was named a third time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Named {
    /// The cards.
    pub cards: Bag,
    /// Faces named more often than there are copies, sorted; the check refuses them.
    pub excess: Vec<Card>,
}

impl From<Bag> for Named {
    fn from(cards: Bag) -> Named {
        Named { cards, excess: Vec::new() }
    }
}

/// What a seat can say or play.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Calls or overcalls: `call CARDS` with `"after"`.
    Call {
        /// The cards shown.
        cards: Named,
        /// How many cards have been drawn, 1 to 100.
        after: u8,
    },
    /// The banker lays away the bottom: `lay-away CARDS`.
    LayAway(Named),
    /// Leads or follows: `play CARDS`.
    Play(Named),
    /// Chooses which kind of a failed throw is played: `choose single|pair|tractor`.
    Choose(Kind),
}

/// Reads an action.
///
/// # Errors
/// What could not be read.
pub fn read(text: &ActionText) -> Result<Action, Message> {
    let mut words = text.text.splitn(2, |c: char| c.is_ascii_whitespace());
    let verb = words.next().unwrap_or_default();
    let rest = words.next().unwrap_or_default();
    if verb != "call" && text.after.is_some() {
        return Err(message!("tuolaji-only-call"));
    }
    match verb {
        "call" => {
            let after = text.after.ok_or(message!("tuolaji-call-after"))?;
            let after = u8::try_from(after)
                .ok()
                .filter(|after| (1..=100).contains(after))
                .ok_or_else(|| message!("tuolaji-after-range", after))?;
            Ok(Action::Call { cards: named(rest)?, after })
        }
        "lay-away" => Ok(Action::LayAway(named(rest)?)),
        "play" => Ok(Action::Play(named(rest)?)),
        "choose" => match rest.trim_ascii() {
            "single" => Ok(Action::Choose(Kind::Single)),
            "pair" => Ok(Action::Choose(Kind::Pair)),
            "tractor" => Ok(Action::Choose(Kind::Tractor)),
            _ => Err(message!("tuolaji-choose")),
        },
        _ => Err(message!("tuolaji-usage")),
    }
}

fn named(text: &str) -> Result<Named, Message> {
    let cards = parse_cards(text).map_err(|error| not_a_card(&error))?;
    if cards.is_empty() {
        return Err(message!("tuolaji-name-cards"));
    }
    if cards.len() > 108 {
        return Err(message!("tuolaji-108"));
    }
    let (cards, mut excess) = Bag::of(cards);
    excess.sort_unstable();
    Ok(Named { cards, excess })
}

/// Writes an action in canonical form.
#[must_use]
pub fn write(action: &Action) -> ActionText {
    match action {
        Action::Call { cards, after } => {
            ActionText { text: line("call", cards), after: Some(u32::from(*after)) }
        }
        Action::LayAway(cards) => ActionText::plain(line("lay-away", cards)),
        Action::Play(cards) => ActionText::plain(line("play", cards)),
        Action::Choose(kind) => ActionText::plain(format!("choose {}", kind.name())),
    }
}

fn line(verb: &str, named: &Named) -> String {
    let mut cards: Vec<Card> = named.cards.cards().chain(named.excess.iter().copied()).collect();
    cards.sort_unstable();
    format!("{verb} {}", write_cards(cards))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_plain(text: &str) -> Result<Action, Message> {
        read(&ActionText::plain(text))
    }

    #[test]
    fn the_order_in_which_cards_are_named_is_forgotten() {
        assert_eq!(read_plain("play sj H9 HA H9").unwrap(), read_plain("play HA99  sj").unwrap());
        assert_eq!(write(&read_plain("play sj HA99").unwrap()).text, "play H9 H9 HA sj");
    }

    #[test]
    fn a_third_copy_survives_reading_and_writing() {
        let action = read_plain("play H9999 D3").unwrap();
        assert_eq!(write(&action).text, "play H9 H9 H9 H9 D3");
        assert_eq!(read(&write(&action)).unwrap(), action);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for bad in ["", "play", "play ", "play H1", "pass", "choose", "choose triple", "call H6", "Play H6"] {
            assert!(read_plain(bad).is_err(), "{bad}");
        }
        let call = |after| read(&ActionText { text: "call H6".to_owned(), after });
        assert!(call(Some(1)).is_ok() && call(Some(100)).is_ok());
        assert!(call(Some(0)).is_err() && call(Some(101)).is_err() && call(None).is_err());
        assert!(read(&ActionText { text: "play H6".to_owned(), after: Some(1) }).is_err());
        assert!(read_plain(&format!("play {}", "H6 ".repeat(109))).is_err());
    }
}
