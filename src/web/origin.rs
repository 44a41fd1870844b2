//! Whether a request comes from a page of this server: the same question for the API and for sockets.

use actix_web::http::header::{HOST, HeaderMap, ORIGIN};

use super::config::Config;
use crate::sabotage::Sabotage;

/// Whether the `Origin` of a request is this server, or there is none (a program, not a page).
///
/// The server's own origin is `public_url` where it is configured, else whatever `Host` the request names. Browsers
/// also say `Sec-Fetch-Site`; `cross-site` is refused whatever else stands there.
#[must_use]
pub fn allowed(headers: &HeaderMap, config: &Config) -> bool {
    if Sabotage::Origin.on() {
        return true;
    }
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("\u{fffd}"));
    if text("sec-fetch-site").is_some_and(|site| site == "cross-site") {
        return false;
    }
    let Some(origin) = text(ORIGIN.as_str()) else { return true };
    if let Some(public) = &config.public_url {
        return origin.eq_ignore_ascii_case(public.trim_end_matches('/'));
    }
    let authority = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    match (authority, text(HOST.as_str())) {
        (Some(authority), Some(host)) => authority.eq_ignore_ascii_case(host),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn r9_pages_of_other_servers_are_refused() {
        let config = Config::default();
        let ok = |pairs: &[(&'static str, &'static str)]| allowed(&headers(pairs), &config);
        assert!(ok(&[("host", "a:1")]));
        assert!(ok(&[("host", "a:1"), ("origin", "http://a:1")]));
        assert!(!ok(&[("host", "a:1"), ("origin", "http://a:2")]));
        assert!(!ok(&[("host", "a"), ("origin", "null")]));
        assert!(!ok(&[("host", "a"), ("origin", "http://a.evil")]));
        assert!(!ok(&[("host", "a"), ("sec-fetch-site", "cross-site")]));
        let fixed = Config { public_url: Some("https://a.example".to_owned()), ..Config::default() };
        assert!(allowed(&headers(&[("host", "x"), ("origin", "https://a.example")]), &fixed));
        assert!(!allowed(&headers(&[("host", "x"), ("origin", "http://x")]), &fixed));
    }
}
