//! PHH, the interchange format for poker hands: `.phh` holds one hand as TOML, `.phhs` several as numbered tables.
//!
//! Read and written for no-limit hold'em (`variant = "NT"`); other variants are refused by name. A hand that is
//! read becomes a [`Start`](super::Start) and the actions of a record, so that the rules check it like any other
//! record; nothing here decides what is legal. In PHH `p1` is the first seat left of the button.

mod amount;
mod cards;
mod fields;
mod read;
mod walk;
mod write;

pub use read::{Hand, Line, read};

/// An amount in units of 10^-`places` as PHH writes it: `1.25`.
#[must_use]
pub fn shown(amount: u64, places: u32) -> String {
    amount::Decimal::shown(amount, places)
}
pub use write::{Notes, write, write_many};

/// The variants of the format, by code.
const VARIANTS: [(&str, &str); 11] = [
    ("FT", "fixed-limit Texas hold'em"),
    ("NT", "no-limit Texas hold'em"),
    ("NS", "no-limit short-deck hold'em"),
    ("PO", "pot-limit Omaha hold'em"),
    ("FO/8", "fixed-limit Omaha hold'em high/low-split eight or better"),
    ("F7S", "fixed-limit seven card stud"),
    ("F7S/8", "fixed-limit seven card stud high/low-split eight or better"),
    ("FR", "fixed-limit razz"),
    ("N2L1D", "no-limit deuce-to-seven lowball single draw"),
    ("F2L3D", "fixed-limit deuce-to-seven lowball triple draw"),
    ("FB", "fixed-limit badugi"),
];
