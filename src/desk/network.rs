//! Networks by prefix, such as `192.168.1.0/24`: from where an event may be played, which proxies are trusted.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A network: an address and how many of its leading bits count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network {
    base: IpAddr,
    bits: u8,
}

/// The address as 128 bits; an IPv4 address in the space that IPv6 has for it.
fn wide(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(four) => u128::from(four.to_ipv6_mapped()),
        IpAddr::V6(six) => u128::from(six),
    }
}

impl Network {
    /// Whether an address lies in the network.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let bits = match self.base {
            IpAddr::V4(_) => 96 + u32::from(self.bits),
            IpAddr::V6(_) => u32::from(self.bits),
        };
        let shift = 128_u32.saturating_sub(bits);
        let part = |address| if shift >= 128 { 0 } else { wide(address) >> shift };
        part(self.base) == part(address.to_canonical())
    }
}

/// Whether an address lies in any of the networks.
#[must_use]
pub fn within(networks: &[Network], address: IpAddr) -> bool {
    networks.iter().any(|network| network.contains(address))
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Network, String> {
        let shown = || text.chars().take(60).collect::<String>();
        let wrong = || format!("`{}` is no network: write it like 192.168.1.0/24", shown());
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u8>().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let base = address.parse::<IpAddr>().map_err(|_| wrong())?.to_canonical();
        let most = if base.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        if bits > most {
            return Err(wrong());
        }
        let network = Network { base, bits };
        // Bits behind the prefix are a mistake: 192.168.1.7/24 may mean either.
        let shift = u32::from(most - bits);
        if shift > 0 && wide(base).trailing_zeros() < shift && wide(base) != 0 {
            return Err(format!("`{}` has bits behind its prefix: write the network's own address", shown()));
        }
        Ok(network)
    }
}

impl TryFrom<String> for Network {
    type Error = String;

    fn try_from(text: String) -> Result<Network, String> {
        text.parse()
    }
}

impl From<Network> for String {
    fn from(network: Network) -> String {
        network.to_string()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.base, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_holds_its_addresses_and_no_other() {
        let net: Network = "192.168.1.0/24".parse().unwrap();
        assert!(net.contains("192.168.1.255".parse().unwrap()));
        assert!(net.contains("::ffff:192.168.1.7".parse().unwrap()));
        assert!(!net.contains("192.168.2.0".parse().unwrap()));
        let all: Network = "0.0.0.0/0".parse().unwrap();
        assert!(all.contains("8.8.8.8".parse().unwrap()) && !all.contains("2001:db8::1".parse().unwrap()));
        let six: Network = "2001:db8::/32".parse().unwrap();
        assert!(six.contains("2001:db8:1::1".parse().unwrap()) && !six.contains("::1".parse().unwrap()));
        assert_eq!("127.0.0.1".parse::<Network>().unwrap().to_string(), "127.0.0.1/32");
        assert!("::/0".parse::<Network>().unwrap().contains("::1".parse().unwrap()));
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for bad in ["", "x", "1.2.3", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/24", "::1/129", "10.0.0.0/-1"] {
            assert!(bad.parse::<Network>().is_err(), "{bad}");
        }
    }
}
