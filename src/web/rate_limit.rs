//! Rate limits, and the few places where passwords are hashed.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tokio::sync::Semaphore;

use super::config::Config;

/// Argon2id takes much memory: so many hashes at once.
const HASHES: usize = 2;

/// Limits per address and per account.
pub struct Guards {
    address: DefaultKeyedRateLimiter<IpAddr>,
    account: DefaultKeyedRateLimiter<String>,
    attempts: DefaultKeyedRateLimiter<IpAddr>,
    /// The places for hashing passwords.
    pub hashing: Arc<Semaphore>,
    /// Held while something is read, decided and written that nobody else may change in between.
    pub desk: Mutex<()>,
    clock: DefaultClock,
}

impl std::fmt::Debug for Guards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Guards")
    }
}

/// One network of an IPv6 customer counts as one address.
pub(super) fn bucket(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
    }
}

fn number(value: u32) -> NonZeroU32 {
    NonZeroU32::new(value).unwrap_or(NonZeroU32::MIN)
}

impl Guards {
    /// The limits of a configuration.
    #[must_use]
    pub fn new(config: &Config) -> Guards {
        let limits = &config.limits;
        let per_second = |rate, burst| Quota::per_second(number(rate)).allow_burst(number(burst));
        let attempts =
            Quota::per_minute(number(limits.attempts_per_minute)).allow_burst(number(limits.attempts_burst));
        Guards {
            address: RateLimiter::keyed(per_second(limits.address_per_second, limits.address_burst)),
            account: RateLimiter::keyed(per_second(limits.account_per_second, limits.account_burst)),
            attempts: RateLimiter::keyed(attempts),
            hashing: Arc::new(Semaphore::new(HASHES)),
            desk: Mutex::new(()),
            clock: DefaultClock::default(),
        }
    }

    /// Counts a request of an address; the error is after how many seconds to come back.
    ///
    /// # Errors
    /// Too many.
    pub fn address(&self, address: IpAddr) -> Result<(), u64> {
        if self.address.len() > 50_000 {
            self.address.retain_recent();
        }
        self.address.check_key(&bucket(address)).map_err(|wait| self.seconds(&wait))
    }

    /// Counts a request of an account.
    ///
    /// # Errors
    /// Too many.
    pub fn account(&self, account: &str) -> Result<(), u64> {
        self.account.check_key(&account.to_owned()).map_err(|wait| self.seconds(&wait))
    }

    /// Counts an attempt to log in or to use a code.
    ///
    /// # Errors
    /// Too many.
    pub fn attempt(&self, address: IpAddr) -> Result<(), u64> {
        if self.attempts.len() > 50_000 {
            self.attempts.retain_recent();
        }
        self.attempts.check_key(&bucket(address)).map_err(|wait| self.seconds(&wait))
    }

    fn seconds(&self, wait: &governor::NotUntil<governor::clock::QuantaInstant>) -> u64 {
        wait.wait_time_from(self.clock.now()).as_secs() + 1
    }
}
