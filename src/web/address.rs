//! Where a request comes from.

use std::net::IpAddr;

use actix_web::http::header::HeaderMap;

use super::config::Config;
use crate::desk::network::within;

/// The address of the client: that of the connection, or what a trusted proxy says about it.
///
/// A proxy appends the address it saw to `X-Forwarded-For`; so the list is read from its end, as long as the
/// addresses are those of trusted proxies.
#[must_use]
pub fn client(peer: Option<IpAddr>, headers: &HeaderMap, config: &Config) -> IpAddr {
    let mut address = peer.unwrap_or(IpAddr::from([0, 0, 0, 0])).to_canonical();
    let mut hops: Vec<IpAddr> = headers
        .get_all("x-forwarded-for")
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|hop| hop.trim().parse::<IpAddr>().map_or(IpAddr::from([0, 0, 0, 0]), |hop| hop.to_canonical()))
        .collect();
    while within(&config.proxies, address) {
        let Some(hop) = hops.pop() else { break };
        address = hop;
    }
    address
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let config = Config { proxies: vec!["10.0.0.0/8".parse().unwrap()], ..Config::default() };
        let mut headers = HeaderMap::new();
        headers.append(
            HeaderName::from_static("x-forwarded-for"),
            HeaderValue::from_static("9.9.9.9, 1.2.3.4, 10.0.0.2"),
        );
        let seen = |peer: &str| client(Some(peer.parse().unwrap()), &headers, &config).to_string();
        assert_eq!(seen("10.0.0.1"), "1.2.3.4");
        assert_eq!(seen("5.6.7.8"), "5.6.7.8");
        assert_eq!(seen("::ffff:5.6.7.8"), "5.6.7.8");
    }
}
