//! Name and definition of a level of strength, as they stand in announcements.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::canonical::Hash;
use crate::games::GameKind;

/// A level of strength as an announcement names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LevelInfo {
    /// The game it plays.
    pub game: GameKind,
    /// Its name on the command line and in results, such as `wakeng-1`.
    pub name: &'static str,
    /// Version and every parameter in one line. Whatever changes an answer of the level changes this line; frozen
    /// games in the tests see to it.
    pub definition: &'static str,
}

impl LevelInfo {
    /// SHA-256 over a fixed label, game, name and definition, each preceded by its length in 8 bytes.
    #[must_use]
    pub fn hash(&self) -> Hash {
        let mut hash = Sha256::new();
        for part in ["fushi-ai/1|level", self.game.name(), self.name, self.definition] {
            hash.update(length(part.as_bytes()));
            hash.update(part.as_bytes());
        }
        hash.finalize().into()
    }
}

/// The length of a part, which stands before it wherever it is hashed.
pub(super) fn length(part: &[u8]) -> [u8; 8] {
    (part.len() as u64).to_be_bytes()
}

impl Serialize for LevelInfo {
    /// `{"level":NAME,"definition":TEXT,"hash":HEX}`, in this order.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut fields = serializer.serialize_struct("LevelInfo", 3)?;
        fields.serialize_field("level", self.name)?;
        fields.serialize_field("definition", self.definition)?;
        fields.serialize_field("hash", &hex::encode(self.hash()))?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_level_do_not_run_together() {
        let level = |name, definition| LevelInfo { game: GameKind::Wakeng, name, definition }.hash();
        assert_ne!(level("ab", "c"), level("a", "bc"));
        assert_eq!(level("ab", "c"), level("ab", "c"));
    }
}
