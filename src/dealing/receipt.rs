//! Receipts: the first entry of a table's journal for a board. A wrong or swapped set shows at once.
//!
//! A receipt is the plain SHA-256 of a deal, and whoever holds a hand can try the deals that are left: after the
//! bottom of a wakeng board is turned they are some 600 million, minutes of work. So a receipt, and every hash that
//! is chained to it, is **as secret as the cards** until the board is finished at every table.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::hex32;
use crate::canonical::{self, CanonicalError, Hash};

/// SHA-256 of the canonical JSON of a board's deal: the object under `deal` in the header of its record.
///
/// # Errors
/// The deal holds a number that is not an integer.
pub fn deal_hash(deal: &Map<String, Value>) -> Result<Hash, CanonicalError> {
    canonical::hash_of(deal)
}

/// Which board a table opened, and what it was dealt. Every result row repeats it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The set that the board belongs to.
    pub set: String,
    /// The number of the board in its set.
    pub board: u32,
    /// [`deal_hash`] of its deal.
    #[serde(with = "hex32::one")]
    pub deal: Hash,
}

impl Receipt {
    /// The receipt of a board.
    ///
    /// # Errors
    /// As [`deal_hash`].
    pub fn new(set: &str, board: u32, deal: &Map<String, Value>) -> Result<Receipt, CanonicalError> {
        Ok(Receipt { set: set.to_owned(), board, deal: deal_hash(deal)? })
    }

    /// Whether a deal is what the table was dealt.
    #[must_use]
    pub fn matches(&self, deal: &Map<String, Value>) -> bool {
        deal_hash(deal).is_ok_and(|hash| hash == self.deal)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn deal(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn one_exchanged_card_breaks_the_receipt() {
        let dealt = deal(json!({"A": "S4 H4", "B": "C5 D5"}));
        let receipt = Receipt::new("R1", 7, &dealt).unwrap();
        assert!(receipt.matches(&dealt));
        assert!(!receipt.matches(&deal(json!({"A": "S4 C5", "B": "D5 H4"}))));
        let text = serde_json::to_string(&receipt).unwrap();
        assert_eq!(serde_json::from_str::<Receipt>(&text).unwrap(), receipt);
    }

    #[test]
    fn a_deal_with_a_float_has_no_receipt() {
        assert!(Receipt::new("R1", 7, &deal(json!({"stack": 0.5}))).is_err());
    }
}
