//! AI players for no-limit hold'em: a seat's view in, an action out.
//!
//! - `random`: any legal action;
//! - `holdem-1`: hand strength against any hand, pot odds, position;
//! - `holdem-2`: equity by sampling against the ranges that the betting suggests, and the value of each size of bet
//!   when the better part of those ranges continues.
//!
//! They know what a seat knows and nothing of each other. All arithmetic is in whole chips and thousandths.

use super::{Levels, PlayerRef, Random};
use crate::games::GameKind;
use crate::games::holdem::Holdem;

mod one;
mod range;
mod reading;
mod two;

static RANDOM: Random = Random::of(GameKind::Holdem);
static ONE: one::HoldemOne = one::HoldemOne;
static TWO: two::HoldemTwo = two::HoldemTwo;
static LEVELS: [PlayerRef<Holdem>; 3] = [&RANDOM, &ONE, &TWO];

impl Levels for Holdem {
    const DEFAULT_LEVEL: &'static str = "holdem-2";

    fn levels() -> &'static [PlayerRef<Holdem>] {
        &LEVELS
    }
}

#[cfg(test)]
mod tests;
