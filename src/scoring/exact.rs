//! Exact rational numbers: everything that is scored, averaged or ranked is one of these.
//!
//! Small values are a pair of `i64` and never touch the heap; whatever does not fit moves to big integers by itself,
//! so nothing ever overflows, wraps or panics. This module must never hold a float: rounding exists for display only.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Most digits accepted before, and likewise after, the decimal point of a number that is read.
pub const DIGITS_MAX: usize = 30;

/// An exact rational number. Equality and order are those of the value, not of its form.
#[derive(Clone)]
pub struct Exact(Repr);

#[derive(Clone)]
enum Repr {
    /// `den` is always positive; the pair need not be in lowest terms.
    Small { num: i64, den: i64 },
    /// In lowest terms, and too large for `Small`.
    Big(Box<BigRational>),
}

/// Why a text is not a number that can be scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberFault {
    /// Not of the form `-12`, `0.5`, `7/10`.
    #[error("not a number: write a decimal such as 6, -2 or 0.5")]
    NotANumber,
    /// Infinity or not-a-number.
    #[error("not a finite number: write a decimal such as 6, -2 or 0.5")]
    NotFinite,
    /// Scientific notation.
    #[error("written with an exponent: write the number out, such as 1200")]
    Exponent,
    /// More than [`DIGITS_MAX`] digits on one side of the point.
    #[error("too long: at most 30 digits before and 30 after the point")]
    TooLong,
    /// A fraction over zero.
    #[error("a fraction over zero")]
    ZeroDenominator,
}

impl Exact {
    /// 0.
    pub const ZERO: Exact = Exact(Repr::Small { num: 0, den: 1 });
    /// 1, a score rate of 100 %.
    pub const ONE: Exact = Exact(Repr::Small { num: 1, den: 1 });
    /// 1/2, a score rate of 50 %.
    pub const HALF: Exact = Exact(Repr::Small { num: 1, den: 2 });

    /// `num / den`; `None` when `den` is 0.
    #[must_use]
    pub fn ratio(num: i64, den: i64) -> Option<Exact> {
        match den {
            0 => None,
            1.. => Some(Exact(Repr::Small { num, den })),
            _ => Some(Exact::of_i128(-i128::from(num), -i128::from(den))),
        }
    }

    /// `⌊value · 2^40⌋` when it has 64 bits: where two of these differ, the values differ the same way.
    pub(crate) fn coarse(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small { num, den } => {
                i64::try_from((i128::from(*num) << 40).div_euclid(i128::from(*den))).ok()
            }
            Repr::Big(_) => None,
        }
    }

    /// Numerator and denominator, not in lowest terms, when both fit into 64 bits.
    pub(crate) fn raw_parts(&self) -> Option<(i64, i64)> {
        match &self.0 {
            Repr::Small { num, den } => Some((*num, *den)),
            Repr::Big(_) => None,
        }
    }

    /// `num / den` for a denominator known to be positive; anything else counts as 1.
    pub(crate) const fn over(num: i64, den: i64) -> Exact {
        Exact(Repr::Small { num, den: if den > 0 { den } else { 1 } })
    }

    /// An integer.
    pub(crate) fn whole(value: i128) -> Exact {
        Exact::of_i128(value, 1)
    }

    /// `den` must be positive.
    fn of_i128(num: i128, den: i128) -> Exact {
        debug_assert!(den > 0);
        if let (Ok(num), Ok(den)) = (i64::try_from(num), i64::try_from(den)) {
            return Exact(Repr::Small { num, den });
        }
        let gcd = num.gcd(&den);
        let (num, den) = (num / gcd, den / gcd);
        match (i64::try_from(num), i64::try_from(den)) {
            (Ok(num), Ok(den)) => Exact(Repr::Small { num, den }),
            _ => Exact(Repr::Big(Box::new(BigRational::new_raw(BigInt::from(num), BigInt::from(den))))),
        }
    }

    fn of_big(value: BigRational) -> Exact {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(num), Some(den)) => Exact(Repr::Small { num, den }),
            _ => Exact(Repr::Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> BigRational {
        match &self.0 {
            Repr::Small { num, den } => BigRational::new(BigInt::from(*num), BigInt::from(*den)),
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// Numerator and denominator in lowest terms, the denominator positive.
    #[must_use]
    pub fn parts(&self) -> (BigInt, BigInt) {
        match self.small_parts() {
            Some((num, den)) => (BigInt::from(num), BigInt::from(den)),
            None => self.to_big().into_raw(),
        }
    }

    /// As [`Exact::parts`] when both fit into 64 bits.
    #[must_use]
    pub fn small_parts(&self) -> Option<(i64, i64)> {
        match &self.0 {
            Repr::Small { num, den } => {
                let gcd = i128::from(*num).gcd(&i128::from(*den));
                let part = |value: i64| i64::try_from(i128::from(value) / gcd).ok();
                Some((part(*num)?, part(*den)?))
            }
            Repr::Big(_) => None,
        }
    }

    /// The value when it is an integer of 64 bits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small { num, den } if num % den == 0 => Some(num / den),
            _ => None,
        }
    }

    /// Whether the value is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Repr::Small { num, .. } => *num == 0,
            Repr::Big(value) => value.is_zero(),
        }
    }

    /// Whether the value is below 0.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small { num, .. } => *num < 0,
            Repr::Big(value) => value.is_negative(),
        }
    }

    /// The value without its sign.
    #[must_use]
    pub fn abs(&self) -> Exact {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The quotient; `None` when `other` is 0.
    #[must_use]
    pub fn div(&self, other: &Exact) -> Option<Exact> {
        if other.is_zero() {
            return None;
        }
        let inverse = match &other.0 {
            Repr::Small { num, den } => {
                let (num, den) = (i128::from(*num), i128::from(*den));
                if num < 0 { Exact::of_i128(-den, -num) } else { Exact::of_i128(den, num) }
            }
            Repr::Big(value) => Exact::of_big(value.recip()),
        };
        Some(self * &inverse)
    }

    /// The value divided by a count; a count of 0 leaves it as it is.
    pub(crate) fn per(&self, count: u32) -> Exact {
        self.div(&Exact::from(i64::from(count))).unwrap_or_else(|| self.clone())
    }

    /// The value rounded to a number of decimals, half away from zero, for display only: `83.33`. Never `-0.00`.
    #[must_use]
    pub fn fixed(&self, decimals: u32) -> String {
        let (num, den) = self.parts();
        let scale = BigInt::from(10u32).pow(decimals);
        // floor((2·|num|·scale + den) / (2·den)) rounds half up on the absolute value.
        let rounded = (BigInt::from(2u32) * num.abs() * &scale + &den) / (BigInt::from(2u32) * &den);
        let sign = if num.is_negative() && !rounded.is_zero() { "-" } else { "" };
        let (whole, rest) = rounded.div_rem(&scale);
        if decimals == 0 {
            return format!("{sign}{whole}");
        }
        format!("{sign}{whole}.{rest:0>width$}", rest = rest.to_string(), width = decimals as usize)
    }

    /// The value in percent with two decimals, for display only: `83.33`.
    #[must_use]
    pub fn percent(&self) -> String {
        // The usual case without big integers: |value| · 10000 rounded half away from zero.
        if let Repr::Small { num, den } = &self.0 {
            let (num, den) = (i128::from(*num), i128::from(*den));
            let rounded = (2 * num.abs() * 10_000 + den) / (2 * den);
            let sign = if num < 0 && rounded != 0 { "-" } else { "" };
            return format!("{sign}{}.{:02}", rounded / 100, rounded % 100);
        }
        (self * &Exact::from(100)).fixed(2)
    }

    /// The exact decimal text, `-0.3`, when the value has one of at most 60 decimals.
    #[must_use]
    pub fn decimal(&self) -> Option<String> {
        if let Some(whole) = self.to_i64() {
            return Some(whole.to_string());
        }
        let (num, den) = self.parts();
        let mut rest = den.clone();
        let mut places = 0u32;
        for factor in [2u32, 5] {
            let factor = BigInt::from(factor);
            let mut count = 0;
            while (&rest % &factor).is_zero() {
                rest /= &factor;
                count += 1;
            }
            places = places.max(count);
        }
        if rest != BigInt::from(1u32) || places > 60 {
            return None;
        }
        let scaled = num.abs() * BigInt::from(10u32).pow(places) / &den;
        let sign = if num.is_negative() { "-" } else { "" };
        let (whole, rest) = scaled.div_rem(&BigInt::from(10u32).pow(places));
        if places == 0 {
            return Some(format!("{sign}{whole}"));
        }
        Some(format!("{sign}{whole}.{rest:0>width$}", rest = rest.to_string(), width = places as usize))
    }

    /// The nearest float, for a spreadsheet's cell or a chart only: never compare, add or rank it.
    #[must_use]
    pub fn display_f64(&self) -> f64 {
        self.to_big().to_f64().filter(|value| value.is_finite()).unwrap_or(0.0)
    }

    /// The greatest integer that is not above the value, when it has 64 bits.
    pub(crate) fn floor_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small { num, den } => Some(num.div_euclid(*den)),
            Repr::Big(value) => value.floor().to_i64(),
        }
    }
}

impl From<i64> for Exact {
    fn from(num: i64) -> Exact {
        Exact(Repr::Small { num, den: 1 })
    }
}

impl From<i32> for Exact {
    fn from(num: i32) -> Exact {
        Exact::from(i64::from(num))
    }
}

impl From<u32> for Exact {
    fn from(num: u32) -> Exact {
        Exact::from(i64::from(num))
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Exact) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Exact {}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Exact) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }) => {
                if b == d {
                    a.cmp(c)
                } else {
                    (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
                }
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl Add<&Exact> for &Exact {
    type Output = Exact;

    fn add(self, other: &Exact) -> Exact {
        match (&self.0, &other.0) {
            (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }) => {
                let (a, c) = (i128::from(*a), i128::from(*c));
                if b == d {
                    return Exact::of_i128(a + c, i128::from(*b));
                }
                let gcd = if d % b == 0 { *b } else { b.gcd(d) };
                let (left, right) = (i128::from(*d / gcd), i128::from(*b / gcd));
                Exact::of_i128(a * left + c * right, i128::from(*b) * left)
            }
            _ => Exact::of_big(self.to_big() + other.to_big()),
        }
    }
}

impl Sub<&Exact> for &Exact {
    type Output = Exact;

    fn sub(self, other: &Exact) -> Exact {
        self + &-other
    }
}

impl Mul<&Exact> for &Exact {
    type Output = Exact;

    fn mul(self, other: &Exact) -> Exact {
        match (&self.0, &other.0) {
            (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }) => {
                Exact::of_i128(i128::from(*a) * i128::from(*c), i128::from(*b) * i128::from(*d))
            }
            _ => Exact::of_big(self.to_big() * other.to_big()),
        }
    }
}

impl Neg for &Exact {
    type Output = Exact;

    fn neg(self) -> Exact {
        match &self.0 {
            Repr::Small { num, den } => Exact::of_i128(-i128::from(*num), i128::from(*den)),
            Repr::Big(value) => Exact::of_big(-(**value).clone()),
        }
    }
}

impl AddAssign<&Exact> for Exact {
    fn add_assign(&mut self, other: &Exact) {
        if let (Repr::Small { num, den }, Repr::Small { num: more, den: same }) = (&mut self.0, &other.0)
            && den == same
            && let Some(sum) = num.checked_add(*more)
        {
            *num = sum;
            return;
        }
        *self = &*self + other;
    }
}

impl SubAssign<&Exact> for Exact {
    fn sub_assign(&mut self, other: &Exact) {
        *self += &-other;
    }
}

impl<'a> std::iter::Sum<&'a Exact> for Exact {
    fn sum<I: Iterator<Item = &'a Exact>>(values: I) -> Exact {
        values.fold(Exact::ZERO, |mut sum, value| {
            sum += value;
            sum
        })
    }
}

impl fmt::Display for Exact {
    /// `6`, `-2`, `5/6`: lowest terms, without a denominator of 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (num, den) = self.parts();
        if den == BigInt::from(1u32) { write!(f, "{num}") } else { write!(f, "{num}/{den}") }
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Exact {
    type Err = NumberFault;

    /// Reads `6`, `-2`, `0.5`, `7/10`; `−` (U+2212) is a minus, too.
    fn from_str(text: &str) -> Result<Exact, NumberFault> {
        if let Some((num, den)) = text.split_once('/') {
            return decimal(num)?.div(&decimal(den)?).ok_or(NumberFault::ZeroDenominator);
        }
        decimal(text)
    }
}

fn decimal(text: &str) -> Result<Exact, NumberFault> {
    let (negative, digits) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    if !whole.bytes().chain(rest.bytes()).all(|byte| byte.is_ascii_digit()) || whole.len() + rest.len() == 0 {
        return Err(fault_of(digits));
    }
    if whole.len() > DIGITS_MAX || rest.len() > DIGITS_MAX {
        return Err(NumberFault::TooLong);
    }
    let sign = if negative { -1 } else { 1 };
    if whole.len() + rest.len() <= 18 {
        let parse =
            |digits: &str| digits.bytes().fold(0i64, |value, byte| value * 10 + i64::from(byte - b'0'));
        let den = rest.bytes().fold(1i64, |power, _| power * 10);
        return Ok(Exact::over(sign * (parse(whole) * den + parse(rest)), den));
    }
    let num = BigInt::parse_bytes(format!("{whole}{rest}").as_bytes(), 10).ok_or(NumberFault::NotANumber)?;
    let places = u32::try_from(rest.len()).map_err(|_| NumberFault::TooLong)?;
    Ok(Exact::of_big(BigRational::new(num * sign, BigInt::from(10u32).pow(places))))
}

fn fault_of(digits: &str) -> NumberFault {
    let lower = digits.to_ascii_lowercase();
    if ["nan", "inf", "infinity", "#num!", "#n/a", "#div/0!", "∞"].contains(&lower.as_str()) {
        return NumberFault::NotFinite;
    }
    match lower.split_once('e') {
        Some((number, exponent))
            if number.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                && exponent.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            NumberFault::Exponent
        }
        _ => NumberFault::NotANumber,
    }
}

impl Serialize for Exact {
    /// A string: `"5/6"`. A float would not be exact.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Exact, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A raw score: an exact number that takes 16 bytes in the usual case of an integer.
#[derive(Clone, PartialEq, Eq)]
pub struct Score(ScoreRepr);

#[derive(Clone, PartialEq, Eq)]
enum ScoreRepr {
    Int(i64),
    /// Never an integer of 64 bits.
    Other(Box<Exact>),
}

impl Score {
    /// The score as an exact number.
    #[must_use]
    pub fn exact(&self) -> Exact {
        match &self.0 {
            ScoreRepr::Int(value) => Exact::from(*value),
            ScoreRepr::Other(value) => (**value).clone(),
        }
    }

    /// The score when it is an integer of 64 bits.
    #[must_use]
    #[inline]
    pub fn int(&self) -> Option<i64> {
        match self.0 {
            ScoreRepr::Int(value) => Some(value),
            ScoreRepr::Other(_) => None,
        }
    }
}

impl From<i64> for Score {
    #[inline]
    fn from(value: i64) -> Score {
        Score(ScoreRepr::Int(value))
    }
}

impl From<i32> for Score {
    fn from(value: i32) -> Score {
        Score::from(i64::from(value))
    }
}

impl From<Exact> for Score {
    fn from(value: Exact) -> Score {
        match value.to_i64() {
            Some(int) => Score(ScoreRepr::Int(int)),
            None => Score(ScoreRepr::Other(Box::new(value))),
        }
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        match (&self.0, &other.0) {
            (ScoreRepr::Int(a), ScoreRepr::Int(b)) => a.cmp(b),
            _ => self.exact().cmp(&other.exact()),
        }
    }
}

impl fmt::Display for Score {
    /// The decimal text, `-0.3`; a fraction when there is none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ScoreRepr::Int(value) => write!(f, "{value}"),
            ScoreRepr::Other(value) => match value.decimal() {
                Some(text) => f.write_str(&text),
                None => write!(f, "{value}"),
            },
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Score {
    type Err = NumberFault;

    fn from_str(text: &str) -> Result<Score, NumberFault> {
        decimal(text).map(Score::from)
    }
}

impl Serialize for Score {
    /// An integer where it is one, else a string: `6`, `"0.3"`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            ScoreRepr::Int(value) => serializer.serialize_i64(*value),
            ScoreRepr::Other(_) => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Int(i64),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Int(value) => Ok(Score::from(value)),
            Form::Text(text) => text.parse::<Exact>().map(Score::from).map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn x(text: &str) -> Exact {
        text.parse().unwrap()
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(&x("0.1") + &x("0.2"), x("0.3"));
        assert_eq!(&(&x("1/3") + &x("1/3")) + &x("1/3"), Exact::ONE);
        assert_eq!(x("\u{2212}2"), x("-2"));
        assert_eq!(x("-0"), Exact::ZERO);
        assert_eq!(x(".5"), Exact::HALF);
        assert_eq!(x("123456789012345678901234567890.5").to_string(), "246913578024691357802469135781/2");
    }

    #[test]
    fn what_is_not_a_finite_decimal_is_refused() {
        for (text, fault) in [
            ("", NumberFault::NotANumber),
            (".", NumberFault::NotANumber),
            ("-", NumberFault::NotANumber),
            ("--1", NumberFault::NotANumber),
            ("1,5", NumberFault::NotANumber),
            ("1 000", NumberFault::NotANumber),
            ("0x10", NumberFault::NotANumber),
            ("１", NumberFault::NotANumber),
            ("NaN", NumberFault::NotFinite),
            ("-inf", NumberFault::NotFinite),
            ("1e400", NumberFault::Exponent),
            ("1E-3", NumberFault::Exponent),
            ("1/0", NumberFault::ZeroDenominator),
            ("1234567890123456789012345678901", NumberFault::TooLong),
        ] {
            assert_eq!(text.parse::<Exact>().unwrap_err(), fault, "{text}");
        }
    }

    #[test]
    fn display_rounds_half_away_from_zero_and_never_shows_minus_zero() {
        assert_eq!(x("5/6").percent(), "83.33");
        assert_eq!(x("0.000005").percent(), "0.00");
        assert_eq!(x("0.00005").percent(), "0.01");
        assert_eq!(x("-0.00005").percent(), "-0.01");
        assert_eq!(x("-0.00001").percent(), "0.00");
        assert_eq!(x("-1.25").fixed(1), "-1.3");
        assert_eq!(x("-1.25").fixed(2), "-1.25");
        assert_eq!(x("2.5").fixed(0), "3");
        assert_eq!(x("-0.3").decimal().unwrap(), "-0.3");
        assert_eq!(x("1/3").decimal(), None);
    }

    #[test]
    fn the_extremes_of_64_bits_do_not_overflow() {
        let low = Exact::from(i64::MIN);
        assert_eq!((-&low).to_string(), "9223372036854775808");
        assert_eq!(&-&(-&low), &low);
        assert_eq!((&low + &low).to_string(), "-18446744073709551616");
        assert_eq!(Exact::ratio(i64::MIN, i64::MIN), Some(Exact::ONE));
        assert_eq!(Exact::ratio(1, i64::MIN).unwrap().to_string(), "-1/9223372036854775808");
        assert_eq!(Exact::over(i64::MIN, i64::MAX).small_parts(), Some((i64::MIN, i64::MAX)));
        assert_eq!(low.percent(), "-922337203685477580800.00");
    }

    proptest! {
        #[test]
        fn arithmetic_agrees_with_big_rationals(
            a in any::<i64>(), b in 1..=i64::MAX, c in any::<i64>(), d in 1..=i64::MAX, small in any::<bool>(),
        ) {
            let cut = |v: i64| if small { v % 1000 } else { v };
            let (a, b, c, d) = (cut(a), cut(b).abs() + i64::from(small), cut(c), cut(d).abs() + i64::from(small));
            let (p, q) = (Exact::ratio(a, b).unwrap(), Exact::ratio(c, d).unwrap());
            let big = |v: &Exact| v.to_big();
            prop_assert_eq!(big(&(&p + &q)), big(&p) + big(&q));
            prop_assert_eq!(big(&(&p - &q)), big(&p) - big(&q));
            prop_assert_eq!(big(&(&p * &q)), big(&p) * big(&q));
            prop_assert_eq!(p.cmp(&q), big(&p).cmp(&big(&q)));
            if let Some(quotient) = p.div(&q) {
                prop_assert_eq!(big(&quotient), big(&p) / big(&q));
            }
            let (num, den) = p.parts();
            prop_assert_eq!(BigRational::new(num, den), big(&p));
            prop_assert_eq!(p.percent(), (&p * &Exact::from(100)).fixed(2));
            prop_assert_eq!(p.to_string().parse::<Exact>().ok().or(Some(p.clone())), Some(p));
        }
    }
}
