//! Which network addresses are public (IANA's special-purpose registries).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is one of the public network: nothing of this machine, its neighbours, or a
/// range set aside; an IPv6 address that carries an IPv4 one is what it carries.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = matches!(
        (a, b, c),
        (0 | 10 | 127, ..)             // this network, private use, loopback
            | (100, 64..=127, _)       // shared by carriers
            | (169, 254, _)            // link-local
            | (172, 16..=31, _)        // private use
            | (192, 0, 0 | 2)          // protocol assignments, documentation
            | (192, 88, 99)            // relays of old
            | (192, 168, _)            // private use
            | (198, 18..=19, _)        // benchmarks
            | (198, 51, 100)           // documentation
            | (203, 0, 113)            // documentation
            | (224.., ..) // multicast, reserved, broadcast
    );
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let carried = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        // Unspecified, loopback, IPv4-compatible, IPv4-mapped, IPv4-translated.
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => carried(high, low),
        // NAT64, the well-known and the local prefix.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => carried(high, low),
        [0x64, 0xff9b, 1, ..] => false,
        // 6to4 carries its address in front; Teredo hides it.
        [0x2002, high, low, ..] => carried(high, low),
        [0x2001, second, ..] if second < 0x200 => false,
        // Documentation, both ranges.
        [0x2001, 0xdb8, ..] => false,
        [0x3fff, second, ..] if second < 0x1000 => false,
        // Only 2000::/3 is given out to the public network.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_private_is_public() {
        for private in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:c0a8:101::1",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(private.parse().expect("an address")), "{private}");
        }
    }

    #[test]
    fn what_is_given_out_is_public() {
        for public in [
            "1.1.1.1",
            "9.255.255.255",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "192.167.1.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450::1",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
        ] {
            assert!(is_public(public.parse().expect("an address")), "{public}");
        }
    }
}
