//! Which language an asker wants: `?lang=`, else the cookie of the pages, else `Accept-Language`, else English.

use actix_web::http::header::{ACCEPT_LANGUAGE, COOKIE, HeaderMap};

use crate::words::Lang;

/// The cookie in which the pages keep a language that was chosen.
pub const LANG_COOKIE: &str = "fushi_lang";

/// The language of a request. An unknown `?lang=` counts as none: a sentence in English is better than a refusal.
#[must_use]
pub fn of(query: &str, headers: &HeaderMap) -> Lang {
    asked(query, headers).unwrap_or_default()
}

/// The language that a request asks for, if it asks for one that we speak.
#[must_use]
pub fn asked(query: &str, headers: &HeaderMap) -> Option<Lang> {
    in_query(query)
        .or_else(|| cookie(headers, LANG_COOKIE).and_then(|tag| tag.parse().ok()))
        .or_else(|| best(headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?))
}

/// The language that stands in the address.
#[must_use]
pub fn in_query(query: &str) -> Option<Lang> {
    query.split('&').find_map(|pair| pair.strip_prefix("lang=")).and_then(|tag| tag.parse().ok())
}

/// The value of a plain cookie.
#[must_use]
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(COOKIE)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(known, value)| (known == name).then_some(value))
}

/// The first of the accepted languages, by weight, that we speak.
fn best(accepted: &str) -> Option<Lang> {
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
    ranges.into_iter().find_map(|(_, _, tag)| {
        let lower = tag.to_ascii_lowercase();
        (lower.starts_with("en") || lower.starts_with("zh")).then(|| Lang::of_locale(tag))
    })
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
        assert_eq!(best("de, en;q=0.5, zh-TW;q=0.7"), Some(Lang::ZhTw));
        assert_eq!(best("zh;q=0.5,en-GB"), Some(Lang::En));
        assert_eq!(best("zh-Hans-CN"), Some(Lang::ZhCn));
        assert_eq!(best("en;q=0, zh-HK;q=0.001"), Some(Lang::ZhTw));
        assert_eq!(best("fr"), None);
        assert_eq!(best("*"), None);
        assert_eq!(best(";;;q=,,\u{1}"), None);
    }

    #[test]
    fn what_was_chosen_goes_before_what_the_browser_accepts() {
        let mut headers = HeaderMap::new();
        let value = |text: &'static str| actix_web::http::header::HeaderValue::from_static(text);
        assert_eq!(asked("", &headers), None);
        headers.insert(ACCEPT_LANGUAGE, value("en"));
        headers.insert(COOKIE, value("a=b; fushi_lang=zh-TW; fushi_language=x"));
        assert_eq!(of("", &headers), Lang::ZhTw);
        assert_eq!(of("a=1&lang=zh-CN", &headers), Lang::ZhCn);
        assert_eq!(of("lang=klingon", &headers), Lang::ZhTw);
        headers.insert(COOKIE, value("fushi_lang=%00"));
        assert_eq!(of("", &headers), Lang::En);
    }
}
