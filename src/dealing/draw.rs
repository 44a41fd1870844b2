//! Seeds of draws by lot, such as the seat draw (抽签): nobody can choose them, and anybody can compute them again once
//! the key is revealed.
//!
//! The announcement commits to the key before anybody knows who will be on the list; the list is fixed before anybody
//! outside the server knows the key; where the event waits for a public value, that value enters, too. Another list
//! gives another seed.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::keys::draw_commitment;
use super::{Announcement, DealError, DelayedValue, DrawKey, MasterKey, Salt, fields};
use crate::canonical::{self, Hash};

/// The purpose of the seat draw (抽签).
pub const SEATS: &str = "seats";

const LABEL: &[u8] = b"fushi-deal/1|lot|";

/// The revealed key of the draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawReveal {
    /// The key, 64 hexadecimal digits.
    pub key: String,
    /// The salt of its commitment, 64 hexadecimal digits.
    pub salt: String,
}

impl DrawReveal {
    /// Reveals the key of the draws. Only when nothing is left to be drawn.
    ///
    /// # Errors
    /// `no_draw`; `wrong_draw_key` when the master key is not that of the announcement.
    pub fn of(announcement: &Announcement, master: &MasterKey) -> Result<DrawReveal, DealError> {
        let event = &announcement.body().event;
        let reveal = DrawReveal {
            key: master.draw_key(event).expose_hex().to_string(),
            salt: master.draw_salt(event).expose_hex().to_string(),
        };
        reveal.verify(announcement)?;
        Ok(reveal)
    }

    /// The key of the draws, if it is the announced one.
    ///
    /// # Errors
    /// `bad_hex`, `no_draw`, `wrong_draw_key`.
    pub fn verify(&self, announcement: &Announcement) -> Result<DrawKey, DealError> {
        let key = DrawKey::from_hex(&self.key)?;
        let salt = Salt::from_hex(&self.salt)?;
        let body = announcement.body();
        match body.draw {
            None => Err(DealError::NoDraw),
            Some(announced) if draw_commitment(&body.event, &salt, &key) == announced => Ok(key),
            Some(_) => Err(DealError::WrongDrawKey),
        }
    }
}

/// SHA-256 of the canonical JSON of a list of ids, in the order in which it is drawn from.
#[must_use]
pub fn list_hash<T: AsRef<str>>(list: &[T]) -> Hash {
    let ids: Vec<&str> = list.iter().map(AsRef::as_ref).collect();
    // Texts always have a canonical form.
    canonical::hash_of(&ids).unwrap_or_default()
}

/// What a draw is for and what it rests on.
#[derive(Clone, Copy, Debug)]
pub struct DrawSeed<'a> {
    /// `announcement_hash`.
    pub announcement_hash: &'a Hash,
    /// The delayed value if it was known when the draw was made, else [`DelayedValue::none`].
    pub delayed: &'a DelayedValue,
    /// What is drawn, such as `seats`.
    pub purpose: &'a str,
    /// Counted from 1 for each purpose.
    pub number: u32,
    /// [`list_hash`] of the list that is drawn from.
    pub list: &'a Hash,
}

/// The seed of a draw: `HMAC-SHA-256(draw key, "fushi-deal/1|lot|" ‖ announcement hash ‖ delayed value ‖ purpose ‖
/// be4(number) ‖ list hash)`, the five as fields.
#[must_use]
pub fn draw_seed(key: &DrawKey, about: &DrawSeed<'_>) -> Hash {
    // A key of any length makes a MAC.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key.expose()) else { return [0; 32] };
    mac.update(LABEL);
    fields::update(&mut mac, about.announcement_hash);
    fields::update(&mut mac, about.delayed.as_bytes());
    fields::update(&mut mac, about.purpose.as_bytes());
    fields::update(&mut mac, &about.number.to_be_bytes());
    fields::update(&mut mac, about.list);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_a_draw_rests_on_changes_its_seed() {
        let key = MasterKey::practice("draw").draw_key("e");
        let (list, none) = (list_hash(&["e1", "e2"]), DelayedValue::none());
        let about = DrawSeed {
            announcement_hash: &[1; 32],
            delayed: &none,
            purpose: "seats",
            number: 1,
            list: &list,
        };
        let other = list_hash(&["e2", "e1"]);
        let mut seeds = vec![
            draw_seed(&key, &about),
            draw_seed(&key, &DrawSeed { announcement_hash: &[2; 32], ..about }),
            draw_seed(&key, &DrawSeed { purpose: "lot", ..about }),
            draw_seed(&key, &DrawSeed { number: 2, ..about }),
            draw_seed(&key, &DrawSeed { list: &other, ..about }),
            draw_seed(&MasterKey::practice("other").draw_key("e"), &about),
        ];
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 6);
    }
}
