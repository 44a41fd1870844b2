//! Accounts: what names, passwords and roles may be, and how long a locked account waits.

use super::people::Account;
use super::rights::{Grant, Role};
use crate::dealing::is_id;
use crate::games::Fault;
use crate::words::message;

/// Failed logins in a row before an account waits.
pub const FAILURES: i64 = 5;
/// The first wait, µs; it doubles with every further failure.
const FIRST_WAIT: i64 = 30_000_000;
/// The longest wait, µs.
const LONGEST_WAIT: i64 = 900_000_000;
/// The most roles of an account.
const GRANTS_MAX: usize = 200;

/// How long no login is tried after so many failures in a row, µs.
#[must_use]
pub fn wait(failures: i64) -> i64 {
    let over = failures - FAILURES;
    if over < 0 {
        return 0;
    }
    let doubled =
        u32::try_from(over).ok().and_then(|over| 1_i64.checked_shl(over.min(30))).unwrap_or(i64::MAX);
    FIRST_WAIT.saturating_mul(doubled).min(LONGEST_WAIT)
}

/// What is wrong with a name to log in with.
#[must_use]
pub fn name_fault(name: &str) -> Option<Fault> {
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'-');
    let good = (2..=40).contains(&name.len())
        && name.bytes().all(plain)
        && name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    (!good).then(|| Fault::new("bad_name", message!("account-name")))
}

/// What is wrong with a name for people.
#[must_use]
pub fn display_fault(name: &str) -> Option<Fault> {
    let good = crate::words::is_name(name, 100);
    (!good).then(|| Fault::new("bad_display", message!("account-display")))
}

/// What is wrong with a new password.
#[must_use]
pub fn password_fault(password: &str, name: &str, least: usize) -> Option<Fault> {
    let count = password.chars().count();
    if count < least || password.len() > 1024 {
        return Some(Fault::new("weak_password", message!("account-password", least)));
    }
    let first = password.chars().next();
    if password.eq_ignore_ascii_case(name) || password.chars().all(|letter| Some(letter) == first) {
        return Some(Fault::new("weak_password", message!("account-password-weak")));
    }
    None
}

/// What is wrong with the roles of an account.
#[must_use]
pub fn grants_fault(grants: &[Grant]) -> Option<Fault> {
    if grants.len() > GRANTS_MAX {
        return Some(Fault::new("too_many_roles", message!("account-roles", grants_max = GRANTS_MAX)));
    }
    for grant in grants {
        if !grant.role.of_accounts() {
            return Some(Fault::new("bad_role", message!("account-role", role = grant.role)));
        }
        if grant.event.as_ref().is_some_and(|event| !is_id(event)) {
            return Some(Fault::new("bad_event", message!("account-event")));
        }
    }
    None
}

/// Whether an account is a chief organizer of the server as a whole, and open.
#[must_use]
pub fn is_chief(account: &Account) -> bool {
    !account.disabled
        && account.grants.iter().any(|grant| grant.role == Role::ChiefOrganizer && grant.event.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_grows_from_the_fifth_failure_on() {
        assert_eq!([0, 1, 4].map(wait), [0, 0, 0]);
        assert_eq!([5, 6, 7].map(wait), [30_000_000, 60_000_000, 120_000_000]);
        assert_eq!([20, 1000, i64::MAX].map(wait), [LONGEST_WAIT; 3]);
    }

    #[test]
    fn names_and_passwords_that_cannot_be() {
        for bad in ["", "a", "A1", "-a", "a b", "é1", &"a".repeat(41)] {
            assert!(name_fault(bad).is_some(), "{bad}");
        }
        assert!(name_fault("li.wei-2").is_none());
        assert!(
            display_fault("李伟").is_none() && display_fault(" x").is_some() && display_fault("").is_some()
        );
        for bad in ["short", "aaaaaaaaaaaa", "Chief-Name1"] {
            assert!(password_fault(bad, "chief-name1", 10).is_some(), "{bad}");
        }
        assert!(password_fault("四个字的密码也可以用吗", "x", 10).is_none());
        let grant = |role, event: Option<&str>| Grant { role, event: event.map(str::to_owned) };
        assert!(grants_fault(&[grant(Role::Player, None)]).is_some());
        assert!(grants_fault(&[grant(Role::Referee, Some("a b"))]).is_some());
        assert!(grants_fault(&[grant(Role::Referee, Some("a"))]).is_none());
    }
}
