//! PHH, the interchange format for poker hands: `.phh` holds one hand as TOML, `.phhs` several as numbered tables.
//!
//! Read and written for no-limit hold'em (`variant = "NT"`); other variants are refused by name. A hand that is
//! read becomes a [`Start`](super::Start) and the actions of a record, so that the rules check it like any other
//! record; nothing here decides what is legal. In PHH `p1` is the first seat left of the button.

mod amount;
mod cards;
mod compare;
mod fields;
mod file;
mod read;
mod remark;
mod walk;
mod write;

pub use file::{read, read_bytes};
pub use read::{Hand, Line};
pub use remark::Remark;

/// The comment on a fold that says that an official killed the hand.
const DEAD: &str = "dead";

/// An amount in units of 10^-`places` as PHH writes it: `1.25`.
#[must_use]
pub fn shown(amount: u64, places: u32) -> String {
    amount::Decimal::shown(amount, places)
}
pub use write::{Notes, write, write_many};

/// The variants of the format: the code and the identifier of the name.
const VARIANTS: [(&str, &str); 11] = [
    ("FT", "phh-ft"),
    ("NT", "phh-nt"),
    ("NS", "phh-ns"),
    ("PO", "phh-po"),
    ("FO/8", "phh-fo-8"),
    ("F7S", "phh-f7s"),
    ("F7S/8", "phh-f7s-8"),
    ("FR", "phh-fr"),
    ("N2L1D", "phh-n2l1d"),
    ("F2L3D", "phh-f2l3d"),
    ("FB", "phh-fb"),
];
