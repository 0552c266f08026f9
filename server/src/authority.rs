//! Authorities: a host with its port or without, as in the `Host` header.

use std::net::{IpAddr, Ipv6Addr};

/// A host and its port. The whole text is parsed, because a comparison of prefixes accepts `127.0.0.1:evil.example`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Authority {
    /// In lower case; an IPv6 address without brackets.
    host: String,
    port: Option<u16>,
}

impl Authority {
    /// `None` for text that is no host with an optional port from 1 to 65535.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (address, port) = rest.split_once(']')?;
                let port = if port.is_empty() { None } else { Some(port.strip_prefix(':')?) };
                (address.parse::<Ipv6Addr>().ok()?.to_string(), port)
            }
            None => {
                let (host, port) = text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port)));
                let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
                (!host.is_empty() && host.bytes().all(is_name)).then(|| (host.to_ascii_lowercase(), port))?
            }
        };
        let port = match port {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().ok().filter(|port| *port > 0)?)
            }
            Some(_) => return None,
            None => None,
        };
        Some(Self { host, port })
    }

    pub(crate) fn port(&self) -> Option<u16> {
        self.port
    }

    /// The same with `port` where there is none.
    pub(crate) fn with_default_port(self, port: Option<u16>) -> Self {
        Self { port: self.port.or(port), ..self }
    }

    /// Whether `other` has the same host, and the same port unless this has none.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        self.host == other.host && self.port.is_none_or(|port| other.port() == Some(port))
    }

    /// Whether the host is this machine, by name or by number.
    pub(crate) fn is_loopback(&self) -> bool {
        self.host == "localhost" || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_host_with_an_optional_port_is_an_authority() {
        for text in ["localhost", "LOCALHOST:7070", "127.0.0.1:1", "[::1]", "[::1]:7070", "memory.example.org:65535"] {
            assert!(Authority::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            ":7070",
            "127.0.0.1:",
            "127.0.0.1:evil.com",
            "127.0.0.1:80:80",
            "127.0.0.1:0",
            "127.0.0.1:65536",
            "127.0.0.1:+80",
            "127.0.0.1@evil.com",
            "127.0.0.1/evil.com",
            "localhost evil.com",
            "[::1",
            "[::1]7070",
            "[::1]:evil.com",
            "[evil.com]",
            "::1",
        ] {
            assert!(Authority::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn loopback_excludes_similar_names() {
        for text in ["localhost", "LocalHost:7070", "127.0.0.1", "127.8.9.1:1", "[::1]:7070", "[0:0::1]"] {
            assert!(Authority::parse(text).is_some_and(|authority| authority.is_loopback()), "{text}");
        }
        for text in ["localhost.example.org", "127.0.0.1.example.org", "10.0.0.1", "[::2]", "0.0.0.0"] {
            assert!(Authority::parse(text).is_some_and(|authority| !authority.is_loopback()), "{text}");
        }
    }

    #[test]
    fn port_is_compared_only_where_given() {
        let authority = |text| Authority::parse(text).expect("an authority");
        assert!(authority("a.example").includes(&authority("A.example:80")));
        assert!(authority("a.example:80").includes(&authority("a.example:80")));
        for other in ["a.example", "a.example:81", "b.example:80"] {
            assert!(!authority("a.example:80").includes(&authority(other)), "{other}");
        }
    }
}
