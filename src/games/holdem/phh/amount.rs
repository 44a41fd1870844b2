//! Exact amounts: PHH allows decimals for cash games, the engine has whole chips only.

use super::super::start::CHIPS_MAX;

/// The most decimal places of an amount.
const PLACES_MAX: u32 = 6;

/// A non-negative decimal number: `digits` / 10^`places`, without trailing zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: u64,
    places: u32,
}

impl Decimal {
    /// Reads `1150000`, `0.25`, `2.`; `None` for anything else, for more than six places and for amounts beyond
    /// what the engine holds.
    pub(super) fn parse(text: &str) -> Option<Decimal> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) {
            return None;
        }
        let places = u32::try_from(fraction.len()).ok().filter(|places| *places <= PLACES_MAX)?;
        let digits: u64 = format!("{whole}{fraction}").parse().ok()?;
        Some(Decimal { digits, places })
    }

    /// The number behind a TOML value. The shortest text of a binary fraction is the decimal that was written.
    pub(super) fn of(value: &toml::Value) -> Option<Decimal> {
        match value {
            toml::Value::Integer(number) => Decimal::parse(&number.to_string()),
            toml::Value::Float(number) if number.is_finite() => Decimal::parse(&number.to_string()),
            _ => None,
        }
    }

    /// An amount in units of 10^-`places` as people write it: `1.25`.
    pub(super) fn shown(amount: u64, places: u32) -> String {
        match 10u64.checked_pow(places) {
            Some(unit) if unit > 1 => {
                format!("{}.{:0width$}", amount / unit, amount % unit, width = places as usize)
            }
            _ => amount.to_string(),
        }
    }

    pub(super) const fn places(self) -> u32 {
        self.places
    }

    /// The number in units of 10^-`places`; `None` if it is no whole number of them or too large.
    pub(super) fn scaled(self, places: u32) -> Option<u64> {
        let factor = 10u64.checked_pow(places.checked_sub(self.places)?)?;
        self.digits.checked_mul(factor).filter(|amount| *amount <= CHIPS_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let scaled = |text: &str, places| Decimal::parse(text).and_then(|number| number.scaled(places));
        assert_eq!(scaled("0.25", 2), Some(25));
        assert_eq!(scaled("0.250000000", 2), Some(25));
        assert_eq!(scaled("12", 3), Some(12000));
        assert_eq!(scaled("0.125", 2), None);
        assert_eq!(Decimal::of(&toml::Value::Float(1_125_600.1)).unwrap().scaled(1), Some(11_256_001));
        for bad in ["", ".5", "-1", "1e5", "1,5", "1.0000001", "99999999999999999999", "1.2.3", "+1"] {
            assert_eq!(Decimal::parse(bad), None, "{bad}");
        }
        assert_eq!(scaled("900000000000001", 0), None);
        assert_eq!(Decimal::of(&toml::Value::Float(f64::INFINITY)), None);
    }
}
