//! What a file says otherwise than the rules have it and is read all the same.

use crate::words::{Message, message};

/// A place at which a hand was read otherwise than it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Stable code: `fold_unasked`, `raise_uncallable`, `muck_after_all_in`, `action_unasked`, `winnings_with_uncalled`,
    /// `winnings_empty`.
    pub code: &'static str,
    /// Which of the actions it is, from 1; 0 for what is compared after the last.
    pub index: usize,
    /// The action or the key, as the file has it.
    pub written: String,
    /// How it was read.
    pub told: Message,
}

/// Why a hand was read otherwise than it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// A fold with nothing to call: it binds (PK-106).
    FoldUnasked,
    /// A raise that no live opponent could call: it is the call.
    RaiseUncallable,
    /// A muck with an all-in: known cards speak (PK-33), unknown ones give up the pot.
    MuckAfterAllIn,
    /// An action of the last seat with chips, which nobody asks.
    ActionUnasked,
    /// `winnings` with the uncalled part of the own bet.
    WinningsWithUncalled,
    /// `winnings` of nothing for everybody: the file does not tell them.
    WinningsEmpty,
}

impl Reason {
    const fn code(self) -> &'static str {
        match self {
            Reason::FoldUnasked => "fold_unasked",
            Reason::RaiseUncallable => "raise_uncallable",
            Reason::MuckAfterAllIn => "muck_after_all_in",
            Reason::ActionUnasked => "action_unasked",
            Reason::WinningsWithUncalled => "winnings_with_uncalled",
            Reason::WinningsEmpty => "winnings_empty",
        }
    }

    fn told(self) -> Message {
        match self {
            Reason::FoldUnasked => message!("phh-note-fold-unasked"),
            Reason::RaiseUncallable => message!("phh-note-raise-uncallable"),
            Reason::MuckAfterAllIn => message!("phh-note-muck"),
            Reason::ActionUnasked => message!("phh-note-action-unasked"),
            Reason::WinningsWithUncalled => message!("phh-note-winnings-uncalled"),
            Reason::WinningsEmpty => message!("phh-note-winnings-empty"),
        }
    }

    pub(super) fn at(self, index: usize, written: &str) -> Remark {
        Remark { code: self.code(), index, written: written.to_owned(), told: self.told() }
    }
}
