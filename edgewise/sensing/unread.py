"""Names for what frames hold in place of an IP header, by the kinds of `edgewise.sensing.cpu`."""

from __future__ import annotations

__all__ = ["link_of", "name_of"]

_SPACE = 1 << 16
_TYPES, _LINKS, _PPP, _LLC, _WIFI = range(5)

_NAMES: dict[int, dict[int, str]] = {
    _TYPES: {
        0x0800: "IPv4 by its type, without such a header",
        0x0806: "ARP",
        0x0842: "Wake-on-LAN",
        0x2000: "CDP",
        0x8035: "RARP or SLARP",
        0x809B: "AppleTalk",
        0x8137: "IPX",
        0x86DD: "IPv6 by its type, without such a header",
        0x8809: "LACP and other slow protocols",
        0x8847: "MPLS that carries neither IP nor Ethernet",
        0x8863: "PPPoE discovery",
        0x888E: "802.1X",
        0x8892: "PROFINET",
        0x88CC: "LLDP",
        0x88E5: "MACsec, encrypted",
        0x88F7: "PTP",
        0x8902: "CFM",
        0x8906: "FCoE",
        0x894F: "NSH that carries no IP",
        0x9000: "loopback test",
        0xFFFF: "another family of addresses on a loopback interface",
    },
    _LINKS: {101: "raw IP, without an IP header", 197: "ERF", 239: "NFLOG", 258: "PKTAP"},
    _PPP: {
        0x003D: "PPP multilink",
        0x0053: "PPP, encrypted",
        0x00FD: "PPP, compressed",
        0x8021: "PPP IPCP",
        0x8057: "PPP IPV6CP",
        0xC021: "PPP LCP",
        0xC023: "PPP PAP",
        0xC223: "PPP CHAP",
    },
    _LLC: {
        0x4242: "spanning tree",
        0xAAAA: "SNAP of another organization",
        0xE0E0: "IPX",
        0xF0F0: "NetBIOS",
        0xFEFE: "OSI",
        0xFFFF: "IPX",
    },
    _WIFI: {0: "802.11 management and control", 1: "802.11 data, encrypted"},
}
_REGISTRIES = {_TYPES: "ether type", _PPP: "PPP", _LLC: "LLC"}


def name_of(kind: int) -> str:
    """What a kind of header is called.

    >>> name_of(0x0806), name_of(0x1234), name_of(_SPACE + 147)
    ('ARP', 'ether type 0x1234', 'link layer 147')
    """
    space, number = divmod(kind, _SPACE)
    if number in _NAMES[space]:
        return _NAMES[space][number]
    return f"link layer {number}" if space == _LINKS else f"{_REGISTRIES[space]} 0x{number:04x}"


def link_of(kind: int) -> int | None:
    """The number of the link layer that a kind is of; None if it is of something else.

    >>> link_of(_SPACE + 147), link_of(0x0806)
    (147, None)
    """
    space, number = divmod(kind, _SPACE)
    return number if space == _LINKS and number != 101 else None
