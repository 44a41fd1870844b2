//! The story of a board in a line: what a traveller shows beside the scores, so that equal scores can be told apart.
//!
//! Each game tells its own boards ([`super::Game::story`]) from a state that its journal has led to. Words are the
//! reader's matter: a fact is a name and a value, in the order in which they are read.

use serde::Serialize;

/// One thing that happened on a board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Fact {
    /// What is told, the same word on every board of the game: `banker`, `bid`, `trump`.
    pub fact: &'static str,
    /// The value.
    #[serde(flatten)]
    pub value: Told,
}

/// The value of a fact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// A seat by name; `null` for nobody.
    Seat(Option<&'static str>),
    /// Seats by name, in their order.
    Seats(Vec<&'static str>),
    /// A count, points or a factor.
    Number(i64),
    /// Amounts of chips, the main one first.
    Amounts(Vec<u64>),
    /// Which side: `banker`, `defence` or `level`.
    Side(&'static str),
    /// A suit by letter, or `NT`.
    Trump(String),
    /// A rank by letter.
    Rank(String),
    /// How far the betting came: `preflop`, `flop`, `turn` or `river`.
    Street(&'static str),
}

impl Fact {
    /// A fact.
    #[must_use]
    pub const fn new(fact: &'static str, value: Told) -> Fact {
        Fact { fact, value }
    }
}
