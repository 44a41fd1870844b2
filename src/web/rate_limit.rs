//! Rate limits, and the few places where passwords are hashed.
//!
//! All of them are the generic cell rate algorithm of `governor`: an allowance of so many at a steady rate, and so many at
//! once after a quiet time, is tolerated exactly. What is kept for addresses and accounts is bounded.

use std::hash::{BuildHasher as _, Hash, RandomState};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};
use tokio::sync::Semaphore;

use super::config::Config;
use crate::tables::limit::{at_least_one, quota};

/// Argon2id takes much memory: so many hashes at once.
const HASHES: usize = 2;
/// Maximum number of keys whose own state is kept.
const KEYS_MAX: usize = 50_000;
/// Number of states that the keys beyond [`KEYS_MAX`] share.
const SHARED: u64 = 1024;
/// States that have recovered are looked for at most so often.
const CLEANED_EVERY: Duration = Duration::from_secs(1);

/// A key with a state of its own, or the state that it shares with others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Slot<K> {
    Own(K),
    Shared(u64),
}

/// A limit for each key. The number of states is bounded: where there are too many keys at once, further ones share
/// states, and so a limit, until others have recovered.
struct Keyed<K: Hash + Eq + Clone> {
    limiter: DefaultKeyedRateLimiter<Slot<K>>,
    most: usize,
    shares: RandomState,
    cleaned: Mutex<Instant>,
}

impl<K: Hash + Eq + Clone> Keyed<K> {
    fn new(quota: Quota, most: usize) -> Keyed<K> {
        let limiter = RateLimiter::keyed(quota);
        Keyed { limiter, most, shares: RandomState::new(), cleaned: Mutex::new(Instant::now()) }
    }

    fn check(&self, key: K) -> Result<(), NotUntil<governor::clock::QuantaInstant>> {
        let slot =
            if self.has_room() { Slot::Own(key) } else { Slot::Shared(self.shares.hash_one(&key) % SHARED) };
        self.limiter.check_key(&slot)
    }

    /// Whether one more key may have a state of its own. States that are as good as new are forgotten first.
    fn has_room(&self) -> bool {
        if self.limiter.len() < self.most {
            return true;
        }
        // One at a time: the others need not wait for it.
        let Ok(mut cleaned) = self.cleaned.try_lock() else { return false };
        if cleaned.elapsed() >= CLEANED_EVERY {
            *cleaned = Instant::now();
            self.limiter.retain_recent();
        }
        self.limiter.len() < self.most
    }
}

/// Limits per address and per account.
pub struct Guards {
    address: Keyed<IpAddr>,
    account: Keyed<String>,
    attempts: Keyed<IpAddr>,
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

impl Guards {
    /// The limits of a configuration.
    #[must_use]
    pub fn new(config: &Config) -> Guards {
        let limits = &config.limits;
        let attempts = Quota::per_minute(at_least_one(limits.attempts_per_minute))
            .allow_burst(at_least_one(limits.attempts_burst));
        Guards {
            address: Keyed::new(quota(limits.address_per_second, limits.address_burst), KEYS_MAX),
            account: Keyed::new(quota(limits.account_per_second, limits.account_burst), KEYS_MAX),
            attempts: Keyed::new(attempts, KEYS_MAX),
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
        self.address.check(bucket(address)).map_err(|wait| self.seconds(&wait))
    }

    /// Counts a request of an account.
    ///
    /// # Errors
    /// Too many.
    pub fn account(&self, account: &str) -> Result<(), u64> {
        self.account.check(account.to_owned()).map_err(|wait| self.seconds(&wait))
    }

    /// Counts an attempt to log in or to use a code.
    ///
    /// # Errors
    /// Too many.
    pub fn attempt(&self, address: IpAddr) -> Result<(), u64> {
        self.attempts.check(bucket(address)).map_err(|wait| self.seconds(&wait))
    }

    fn seconds(&self, wait: &NotUntil<governor::clock::QuantaInstant>) -> u64 {
        wait.wait_time_from(self.clock.now()).as_secs() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flood of addresses takes no more memory than the bound, and each is still limited.
    #[test]
    fn the_number_of_states_is_bounded() {
        let keyed = Keyed::new(Quota::per_minute(at_least_one(1)), 100);
        let tolerated = (0..20_000_u32).filter(|key| keyed.check(*key).is_ok()).count();
        let most = 100 + usize::try_from(SHARED).unwrap();
        assert!(keyed.limiter.len() <= most, "{} states", keyed.limiter.len());
        assert!((100..=most).contains(&tolerated), "{tolerated}");
    }
}
