//! What is right by the rules and yet worth a look: a field that was never compared, results without comparison, sums
//! over unequal numbers of boards. Stands on every sheet and in the JSON.

use super::event::{Group, Settled};
use super::group::State;
use super::rules::Method;
use crate::words::{Message, message};

impl Settled<'_> {
    /// Every caution, those about the origin of the results first.
    #[must_use]
    pub fn cautions(&self) -> Vec<Message> {
        let mut told = self.event.doubts.clone();
        let method = self.event.rules().method;
        if method == Method::Total {
            told.extend(self.unequal_boards());
            return told;
        }
        let parts = self.separate_fields();
        if parts > 1 {
            told.push(message!("rank-note-fields", parts));
        }
        let count = self.compared_with_nobody();
        if count > 0 {
            told.push(message!("rank-note-lone", count));
        }
        told
    }

    /// Results with a score that nothing is compared with.
    #[must_use]
    pub fn compared_with_nobody(&self) -> usize {
        let alone = |group: &&Group| {
            let scored = group.scored.as_ref();
            scored.is_some_and(|scored| scored.state != State::Void && scored.actual == 1)
        };
        self.event.groups.iter().filter(alone).count()
    }

    /// Whether sums are over unequal numbers of boards.
    fn unequal_boards(&self) -> Option<Message> {
        let ranked = || self.ranking().rows.iter().filter(|row| row.place.is_ok()).map(|row| row.boards);
        let (fewest, most) = (ranked().min()?, ranked().max()?);
        (fewest < most).then(|| message!("rank-note-unequal", fewest, most))
    }
}
