//! Which language an asker wants: `?lang=`, else `Accept-Language`, else English.

use actix_web::http::header::{ACCEPT_LANGUAGE, HeaderMap};

use crate::words::Lang;

/// The language of a request. An unknown `?lang=` counts as none: a sentence in English is better than a refusal.
#[must_use]
pub fn of(query: &str, headers: &HeaderMap) -> Lang {
    let asked = query.split('&').find_map(|pair| pair.strip_prefix("lang="));
    if let Some(lang) = asked.and_then(|tag| tag.parse().ok()) {
        return lang;
    }
    let Some(accepted) = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()) else {
        return Lang::En;
    };
    best(accepted)
}

/// The first of the accepted languages, by weight, that we speak.
fn best(accepted: &str) -> Lang {
    let mut ranges: Vec<(u32, usize, &str)> = Vec::new();
    for (place, range) in accepted.split(',').take(20).enumerate() {
        let mut parts = range.split(';');
        let tag = parts.next().unwrap_or_default().trim();
        let weight = parts.find_map(|part| part.trim().strip_prefix("q=")).map_or(1000, thousandths);
        if weight > 0 {
            ranges.push((weight, place, tag));
        }
    }
    ranges.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    ranges
        .into_iter()
        .find_map(|(_, _, tag)| {
            let lower = tag.to_ascii_lowercase();
            (lower.starts_with("en") || lower.starts_with("zh") || lower == "*").then(|| Lang::of_locale(tag))
        })
        .unwrap_or(Lang::En)
}

/// `0.75` as 750; what is no weight counts as the least.
fn thousandths(text: &str) -> u32 {
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let mut value = whole.parse::<u32>().unwrap_or(0).min(1) * 1000;
    for (digit, worth) in fraction.chars().zip([100, 10, 1]) {
        value += digit.to_digit(10).unwrap_or(0) * worth;
    }
    value.min(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_with_the_greatest_weight_wins() {
        assert_eq!(best("de, en;q=0.5, zh-TW;q=0.7"), Lang::ZhTw);
        assert_eq!(best("zh;q=0.5,en-GB"), Lang::En);
        assert_eq!(best("zh-Hans-CN"), Lang::ZhCn);
        assert_eq!(best("en;q=0, zh-HK;q=0.001"), Lang::ZhTw);
        assert_eq!(best("fr"), Lang::En);
        assert_eq!(best(";;;q=,,\u{1}"), Lang::En);
    }
}
