//! Addresses that a server may connect to for its callers.
//!
//! ```
//! use orgmem_policies::addresses::is_public;
//!
//! assert!(is_public("93.184.216.34".parse()?));
//! assert!(!is_public("169.254.169.254".parse()?) && !is_public("::ffff:10.0.0.1".parse()?));
//! # Ok::<(), core::net::AddrParseError>(())
//! ```
//!
//! Source: the special-purpose address registries of IANA (RFC 6890).

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address belongs to the public internet. An IPv6 address that leads to an IPv4 address is that address.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = matches!(
        (a, b, c),
        // this network, private, shared, loopback
        (0 | 10 | 127, ..) | (100, 64..=127, _) | (172, 16..=31, _) | (192, 168, _)
        // link-local, protocol assignments, documentation, 6to4 relays
        | (169, 254, _) | (192, 0, 0 | 2) | (192, 88, 99)
        // benchmarks, documentation, multicast and reserved
        | (198, 18..=19, _) | (198, 51, 100) | (203, 0, 113) | (224.., ..)
    );
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match segments {
        // mapped, and translated by NAT64
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_public_v4(v4(high, low)),
        // 6to4
        [0x2002, high, low, ..] => is_public_v4(v4(high, low)),
        // protocol assignments such as Teredo, documentation
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // global unicast; everything else is local, multicast or reserved
        [first, ..] => (0x2000..=0x3fff).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::is_public;

    #[test]
    fn special_address_is_not_public() {
        let special = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.9.9.9",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.168.1.1",
            "198.18.0.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:192.168.0.1",
            "64:ff9b::a00:1",
            "2002:7f00:1::",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "64:ff9b:1::1",
            "::7f00:1",
        ];
        for text in special {
            assert!(!is_public(text.parse().expect(text)), "{text}");
        }
        let public = ["1.1.1.1", "100.128.0.1", "172.32.0.1", "192.1.0.1", "2606:4700::1111", "::ffff:1.1.1.1"];
        for text in public {
            assert!(is_public(text.parse().expect(text)), "{text}");
        }
    }
}
