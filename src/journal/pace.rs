//! When the decision of the seat on turn becomes slow play.
//!
//! Like every clock of a board this is a function of its journal: the same lines at the same times give the same moment.
//! The table notes it then, and whoever replays the journal checks the note against it.

/// The present decision of the seat on turn, in µs since the board opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    /// When it began; `None` where the journal's lines have no times.
    began: Option<u64>,
    /// Time that does not count: the clock stood, or more time was given.
    free: u64,
    /// Since when the clock stands.
    stopped_at: Option<u64>,
    /// Whether it was noted as slow.
    noted: bool,
}

impl Pace {
    /// The first decision of a board.
    pub(super) const OPEN: Pace = Pace { began: Some(0), free: 0, stopped_at: None, noted: false };

    /// A new decision begins. Where the clock stands it has its whole time left when the clock runs again.
    pub(super) fn begin(&mut self, at: Option<u64>) {
        let stopped_at = self.stopped_at.and(at);
        *self = Pace { began: at, free: 0, stopped_at, noted: false };
    }

    /// The clock stops.
    pub(super) fn stop(&mut self, at: Option<u64>) {
        self.stopped_at = at;
    }

    /// The clock runs again.
    pub(super) fn go(&mut self, at: Option<u64>) {
        if let (Some(since), Some(at)) = (self.stopped_at.take(), at) {
            self.free = self.free.saturating_add(at.saturating_sub(since));
        }
    }

    /// The seat gets more time, ms.
    pub(super) fn give(&mut self, ms: u32) {
        self.free = self.free.saturating_add(u64::from(ms) * 1000);
    }

    /// The decision was noted as slow.
    pub(super) fn note(&mut self) {
        self.noted = true;
    }

    /// When the decision becomes slow after so many ms; `None` once it was noted, and where no times are known.
    pub(super) fn due(&self, after_ms: u32) -> Option<u64> {
        let began = self.began.filter(|_| !self.noted)?;
        Some(began.saturating_add(u64::from(after_ms) * 1000).saturating_add(self.free))
    }

    /// Whether a note at a time is right.
    pub(super) fn is_slow(&self, after_ms: u32, at: Option<u64>) -> bool {
        match (self.began, at) {
            (None, _) => !self.noted,
            (Some(_), Some(at)) => self.due(after_ms).is_some_and(|due| due <= at),
            (Some(_), None) => false,
        }
    }

    /// The instant at which the clock stands, or else `now`.
    pub(super) fn instant(&self, now: u64) -> u64 {
        self.stopped_at.unwrap_or(now)
    }
}
