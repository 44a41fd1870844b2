//! Dealing: identical boards at every table, from a seed that nobody could predict, that nobody could choose, and
//! that anybody can check afterwards. Scheme `fushi-deal/1`; the algorithm, independent of any library, stands in
//! `docs/deal-spec.md`, frozen vectors in `deal-seeds/`.
//!
//! - [`Announcement`]: what is published before anyone plays; everything is under its hash
//! - [`MasterKey`], [`SetKey`], [`AiKey`]: the secrets, and the commitments to them ([`merkle`])
//! - [`DelayedSpec`], [`DelayedValue`]: the public value that nobody knows when the announcement is made
//! - [`BoardSeed`], [`SetDealer`], [`deal_order`]: from a set key to the order of the cards
//! - [`draw_seed`]: what the seats are drawn with
//! - [`Receipt`], [`Reveal`], [`ReserveUse`]: what tables log and what is published afterwards
//! - [`Sealed`]: the master key at rest
//!
//! How much chance there is in a deal, honestly: every key of an event follows from a master key of 256 bits, so
//! an event can be dealt in at most 2^256 ways, however wide a board seed is. The streams of a two-pack board are
//! wide enough (768 bits) to reach each of its orders as far as the shuffle is concerned, and a 52-card board
//! (226 bits) is covered by a single stream; see [`reach`].
//!
//! This room never reads a clock, a file or a network and knows no game. The operating system's randomness enters
//! only through [`fresh_master`] and [`fresh_seal`] in their own file; everything else is a function of its
//! arguments. Secrets are wiped from memory when dropped and never appear in `Debug` output or in an error. A
//! commitment is never an input of a deal: the published leaf of a set would otherwise be its key.

mod announcement;
mod delayed;
mod draw;
mod error;
mod fields;
mod fresh;
mod hex32;
mod keys;
pub mod merkle;
pub mod reach;
mod receipt;
mod reveal;
mod seal;
mod seed;
mod shuffle;

pub use announcement::{
    AiLevel, AiLine, Announcement, Body, Delayed, Draft, Purpose, RulesetLine, SetLine, is_id,
};
pub use delayed::{DelayedForm, DelayedSpec, DelayedValue};
pub use draw::{DrawReveal, DrawSeed, SEATS, draw_seed, list_hash};
pub use error::DealError;
pub use fresh::{fresh_master, fresh_seal};
pub use hex32::{from_hex, to_hex};
pub use keys::{AiKey, DrawKey, MasterKey, Salt, SetKey};
pub use receipt::{Receipt, deal_hash};
pub use reveal::{AiReveal, ReserveUse, Reveal};
pub use seal::{KdfCost, KeyRead, SealRandom, Sealed, Secret};
pub use seed::{BoardSeed, SetDealer};
pub use shuffle::{ChaChaWords, WordSource, deal_order, draw_below, shuffle};

/// The name of the scheme; it opens every derivation and stands in every announcement.
pub const SCHEME: &str = "fushi-deal/1";
