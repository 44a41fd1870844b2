//! What a test build can be told to do wrong, so that the tests of faults can be seen to fail.
//!
//! Each switch leaves out exactly the protection that one promise rests on. It is named in the environment
//! (`FUSHI_SABOTAGE`), read once, and exists in test builds only: in a release build [`Sabotage::on`] is the constant
//! `false`. Nothing else in the program may read such a variable.

use std::time::{Duration, Instant};

/// A protection that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// R2: a commit does not wait for the disk.
    Synchronous,
    /// R7: the clocks of tables follow the wall clock.
    WallClock,
    /// R8: the queue of a connection has no bound, and one that does not read is waited for.
    Queue,
    /// R9: requests and sockets from pages of other servers are let in.
    Origin,
    /// R9: a cookie alone changes things.
    Csrf,
    /// R9: a player may send messages of any length.
    Frames,
    /// R9: a player may send as many messages as there is time for.
    Flood,
    /// R13: neither the hashes of a bundle's sections nor the signature over them are compared.
    Manifest,
    /// R14: a backup is a copy of the database's file without its write-ahead log.
    MainFile,
}

impl Sabotage {
    /// Every switch.
    pub const ALL: [Sabotage; 9] = [
        Sabotage::Synchronous,
        Sabotage::WallClock,
        Sabotage::Queue,
        Sabotage::Origin,
        Sabotage::Csrf,
        Sabotage::Frames,
        Sabotage::Flood,
        Sabotage::Manifest,
        Sabotage::MainFile,
    ];

    /// Its name in the environment.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Sabotage::Synchronous => "synchronous=NORMAL",
            Sabotage::WallClock => "clock=wall",
            Sabotage::Queue => "queue=unbounded",
            Sabotage::Origin => "origin=any",
            Sabotage::Csrf => "csrf=none",
            Sabotage::Frames => "frames=unbounded",
            Sabotage::Flood => "messages=unlimited",
            Sabotage::Manifest => "manifest=unchecked",
            Sabotage::MainFile => "backup=main-file",
        }
    }

    /// Whether this protection is left out: never, but in a test build that was told so.
    ///
    /// # Panics
    /// A test build panics when the environment names a switch that does not exist: a test would prove nothing.
    #[must_use]
    #[cfg(debug_assertions)]
    pub fn on(self) -> bool {
        static CHOSEN: std::sync::OnceLock<Option<Sabotage>> = std::sync::OnceLock::new();
        let chosen = CHOSEN.get_or_init(|| {
            let word = std::env::var("FUSHI_SABOTAGE").ok()?;
            let known = Sabotage::ALL.into_iter().find(|one| one.word() == word);
            assert!(known.is_some(), "FUSHI_SABOTAGE={word} is no switch of this program");
            known
        });
        *chosen == Some(self)
    }

    /// Whether this protection is left out: never.
    #[must_use]
    #[cfg(not(debug_assertions))]
    pub const fn on(self) -> bool {
        false
    }
}

/// The time since an instant, by a clock that only goes on.
#[must_use]
pub fn elapsed(since: Instant) -> Duration {
    if Sabotage::WallClock.on() { by_the_wall_clock(since) } else { since.elapsed() }
}

/// The time since an instant as a wall clock would say that was set once, when it was first looked at.
fn by_the_wall_clock(since: Instant) -> Duration {
    use std::time::SystemTime;
    static SET: std::sync::OnceLock<(Instant, SystemTime)> = std::sync::OnceLock::new();
    let (instant, wall) = *SET.get_or_init(|| (since, SystemTime::now()));
    let gone = SystemTime::now().duration_since(wall).unwrap_or_default();
    gone.saturating_sub(since.saturating_duration_since(instant))
}

/// The two seats whose hands a test build is told to exchange (`FUSHI_TWIST=B,C`): the test of secrecy compares two
/// such worlds. Always `None` in a release build.
#[must_use]
pub fn twist() -> Option<(String, String)> {
    if !cfg!(debug_assertions) {
        return None;
    }
    let seats = std::env::var("FUSHI_TWIST").ok()?;
    seats.split_once(',').map(|(one, other)| (one.to_owned(), other.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_out_unless_the_environment_says_so() {
        assert!(Sabotage::ALL.iter().all(|one| !one.on()));
        assert_eq!(twist(), None);
    }

    #[test]
    fn every_switch_has_a_word_of_its_own() {
        let words: std::collections::BTreeSet<&str> = Sabotage::ALL.iter().map(|one| one.word()).collect();
        assert_eq!(words.len(), Sabotage::ALL.len());
    }
}
