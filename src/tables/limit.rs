//! How much a connection or a person may ask for: so much a second for ever, and so much at once after a quiet time.
//!
//! It is the generic cell rate algorithm of `governor`. What is announced is exactly what is tolerated: who keeps to the
//! rate is never refused.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};

/// A number of which there is always one.
pub(crate) fn at_least_one(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
}

/// The allowance of so much a second, and so much at once.
pub(crate) fn quota(per_second: u32, at_once: u32) -> Quota {
    Quota::per_second(at_least_one(per_second)).allow_burst(at_least_one(at_once))
}

/// The limit of one connection or person.
pub(crate) struct Limit<C: Clock = DefaultClock> {
    limiter: RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<C::Instant>>,
}

impl Limit {
    /// A limit of which nothing has been used.
    pub(crate) fn new(per_second: u32, at_once: u32) -> Limit {
        Limit::timed(per_second, at_once, DefaultClock::default())
    }
}

impl<C: Clock> Limit<C> {
    fn timed(per_second: u32, at_once: u32, clock: C) -> Limit<C> {
        Limit { limiter: RateLimiter::direct_with_clock(quota(per_second, at_once), clock) }
    }

    /// Counts one more; `false`: it is one too many, and is not counted.
    pub(crate) fn admits(&self) -> bool {
        self.limiter.check().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limit(per_second: u32, at_once: u32) -> (Limit<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        (Limit::timed(per_second, at_once, clock.clone()), clock)
    }

    fn admitted(limit: &Limit<FakeRelativeClock>) -> u32 {
        let mut count = 0;
        while limit.admits() {
            count += 1;
        }
        count
    }

    /// Who sends at the announced rate is never cut off, however long, also when all of the burst has been used, and when
    /// the messages of a while come together.
    #[test]
    fn the_announced_rate_is_tolerated_for_ever() {
        for (per_second, at_once) in [(60, 240), (10, 10), (7, 10), (999, 1000)] {
            let (limit, clock) = limit(per_second, at_once);
            assert_eq!(admitted(&limit), at_once, "at once");
            let pause = Duration::from_nanos(1_000_000_000_u64.div_ceil(u64::from(per_second)));
            for message in 0..10_000 {
                clock.advance(pause);
                assert!(limit.admits(), "message {message} at {per_second} a second");
            }
            assert_eq!(admitted(&limit), 0, "and not one more");
            for _ in 0..1000 {
                clock.advance(pause * at_once);
                assert!((0..at_once).all(|_| limit.admits()), "those of a while together");
            }
        }
    }

    /// After a quiet time, however long, there is as much at once as was announced and no more.
    #[test]
    fn after_a_quiet_time_the_burst_is_whole_and_not_more() {
        let (limit, clock) = limit(60, 240);
        for quiet in [4, 5, 60, 86_400] {
            admitted(&limit);
            clock.advance(Duration::from_secs(quiet));
            assert_eq!(admitted(&limit), 240, "after {quiet} s");
        }
        clock.advance(Duration::from_millis(1500));
        assert_eq!(admitted(&limit), 90, "what a second and a half give, no whole seconds");
    }
}
