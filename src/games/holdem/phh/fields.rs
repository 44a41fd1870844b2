//! The keys of a hand in a PHH file: which there are, and amounts and seats among their values.
//!
//! Every fault is collected, none stops the reading. Nothing here knows what the values mean together.

use toml::Table;

use super::amount::Decimal;
use crate::games::{Fault, rulesets};
use crate::words::{Message, message};

/// The fields that make the start of a hand.
pub(super) struct Fields<'a> {
    pub(super) table: &'a Table,
    pub(super) faults: Vec<Fault>,
}

/// The keys of the format for a hand of no-limit hold'em.
const KEYS: [&str; 32] = [
    "variant",
    "antes",
    "blinds_or_straddles",
    "min_bet",
    "starting_stacks",
    "actions",
    "author",
    "event",
    "url",
    "venue",
    "address",
    "city",
    "region",
    "postal_code",
    "country",
    "time",
    "time_zone",
    "time_zone_abbreviation",
    "day",
    "month",
    "year",
    "hand",
    "level",
    "seats",
    "seat_count",
    "table",
    "players",
    "finishing_stacks",
    "winnings",
    "currency",
    "currency_symbol",
    "ante_trimming_status",
];
/// Two more, which are not of the hand but of the clock.
const CLOCK_KEYS: [&str; 2] = ["time_limit", "time_banks"];

impl Fields<'_> {
    /// Refuses keys that the format does not know; those that begin with `_` are anybody's own.
    pub(super) fn unknown_keys(&mut self) {
        let known: Vec<&str> = KEYS.into_iter().chain(CLOCK_KEYS).collect();
        let strangers: Vec<Message> = self
            .table
            .keys()
            .filter(|key| !key.starts_with('_') && !known.contains(&key.as_str()))
            .map(|key| rulesets::not_known("key", key, &known))
            .collect();
        for message in strangers {
            self.fault("unknown_key", message);
        }
    }

    /// `seats` and `seat_count`: a different seat for each player.
    pub(super) fn seats(&mut self, count: usize) {
        let whole = |value: &toml::Value| value.as_integer().filter(|number| *number > 0);
        let room = self.table.get("seat_count").map(whole);
        if room.is_some_and(|room| room.is_none_or(|room| room < i64::try_from(count).unwrap_or(i64::MAX))) {
            self.fault("bad_seat", message!("phh-seat-count", count));
        }
        let Some(value) = self.table.get("seats") else { return };
        let seats: Option<Vec<i64>> = value.as_array().and_then(|items| items.iter().map(whole).collect());
        let Some(mut seats) = seats.filter(|seats| seats.len() == count) else {
            self.fault("bad_seat", message!("phh-seats", count));
            return;
        };
        seats.sort_unstable();
        if let Some([twice, _]) = seats.windows(2).find(|pair| pair.first() == pair.last()) {
            self.fault("bad_seat", message!("phh-seat-twice", twice));
        }
        if let (Some(Some(room)), Some(last)) = (room, seats.last())
            && *last > room
        {
            self.fault("bad_seat", message!("phh-no-seat", last, room));
        }
    }

    pub(super) fn fault(&mut self, code: &'static str, message: Message) {
        self.faults.push(Fault::new(code, message));
    }

    fn amount(&mut self, key: &str, value: &toml::Value) -> Option<Decimal> {
        let amount = Decimal::of(value);
        if amount.is_none() {
            let shown: String = value.to_string().chars().take(40).collect();
            self.fault("bad_amount", message!("phh-unknown-amount", key, shown));
        }
        amount
    }

    /// A single amount.
    pub(super) fn one(&mut self, key: &str) -> Option<Decimal> {
        let Some(value) = self.table.get(key) else {
            self.fault("missing_key", message!("phh-needs", key));
            return None;
        };
        self.amount(key, value)
    }

    /// Refuses negative blinds by name: PHH writes a newcomer's post so, which a tournament does not have (PK-75).
    pub(super) fn posts_of_newcomers(&mut self) -> bool {
        let negative = |value: &toml::Value| match value {
            toml::Value::Integer(number) => *number < 0,
            toml::Value::Float(number) => *number < 0.0,
            _ => false,
        };
        let blinds = self.table.get("blinds_or_straddles").and_then(toml::Value::as_array);
        let Some(number) = blinds.and_then(|blinds| blinds.iter().position(negative)) else { return false };
        self.fault("newcomer_post", message!("phh-newcomer-post", number = number + 1));
        true
    }

    /// An amount for each player.
    pub(super) fn amounts(&mut self, key: &str, required: bool) -> Option<Vec<Decimal>> {
        let Some(value) = self.table.get(key) else {
            if required {
                self.fault("missing_key", message!("phh-needs", key));
            }
            return None;
        };
        let Some(items) = value.as_array() else {
            self.fault("wrong_type", message!("phh-amounts", key));
            return None;
        };
        let found: Vec<Option<Decimal>> = items.iter().map(|item| self.amount(key, item)).collect();
        found.into_iter().collect()
    }
}
