"""The inner IP header of packets in tunnels: IP in IP, GRE, VXLAN, Geneve and GTP-U.

A tunnel that is not read to an IP header of its own (encrypted, cut short, a later fragment) leaves
the packet with the addresses of its outer header.
"""

from __future__ import annotations

from edgewise.base.cache import inner
from edgewise.sensing.cpu.layers import IPV4, IPV6, LINK, ip_at, walk
from edgewise.sensing.cpu.octets import big16, octet

__all__ = ["innermost", "upper"]

_NONE = -1
_IPV4, _IPV6, _MPLS = 0x0800, 0x86DD, 0x8847
_ETHERNET, _RAW, _PPP = LINK + 1, LINK + 101, LINK + 9

#: Headers between IPv6 and what it carries that say their length in units of 8 bytes, and two that
#: do not.
_EXTENSIONS = (0, 43, 60, 135, 139, 140)
_FRAGMENT, _AUTHENTICATION = 44, 51


@inner
def innermost(data, at, end, found):
    """The version (IPV4 or IPV6) and the place of the innermost IP header."""
    while True:
        kind, place = _entered(data, at, end, found == IPV4)
        if kind == _NONE:
            return found, at
        kind, place = walk(data, place, end, kind)
        deeper = ip_at(data, place, end, kind)
        if deeper != IPV4 and deeper != IPV6:
            return found, at
        found, at = deeper, place


@inner
def _entered(data, at, end, four):
    """The kind of header that an IP packet carries if it is a tunnel, and its place."""
    if four:
        protocol, place = octet(data, at + 9), at + 4 * (octet(data, at) & 15)
        if big16(data, at + 6) & 0x1FFF:  # not the first fragment
            place = end
    else:
        protocol, place = upper(data, at, end)
    if protocol == 4:
        return _IPV4, place
    if protocol == 41:
        return _IPV6, place
    if protocol == 137:
        return _MPLS, place
    if protocol == 47 and end - place >= 4:
        return _gre(data, place, end)
    if protocol == 17 and end - place >= 16:
        return _udp(data, place + 8, end, big16(data, place + 2))
    return _NONE, at


@inner
def _gre(data, at, end):
    """GRE, with the frames of PPTP and of mirrored ports (ERSPAN)."""
    flags, kind = big16(data, at), big16(data, at + 2)
    at += 4
    if flags & 0x4000:  # routes
        return _NONE, at
    for bit in (0x8000, 0x2000, 0x1000, 0x0080):  # checksum, key, sequence, PPTP's acknowledgment
        if flags & bit and (bit != 0x0080 or flags & 7 == 1):
            at += 4
    if flags & 7 == 1:
        return _PPP, at
    if kind == 0x88BE:
        return _ETHERNET, at + (8 if flags & 0x1000 else 0)
    if kind == 0x22EB and end - at >= 12:
        return _ETHERNET, at + 12 + 8 * (octet(data, at + 11) & 1)
    return kind, at


@inner
def _udp(data, at, end, port):
    """Tunnels over UDP, by the port that they go to; there are 8 bytes or more."""
    flags = octet(data, at)
    if (port == 4789 or port == 8472) and flags & 0x08:  # VXLAN
        return _ETHERNET, at + 8
    if port == 6081 and flags >> 6 == 0:  # Geneve
        return big16(data, at + 2), at + 8 + 4 * (flags & 0x3F)
    if port == 2152 and flags >> 4 == 3 and octet(data, at + 1) == 255:  # GTP-U
        return _gtp(data, at, end, flags)
    return _NONE, at


@inner
def _gtp(data, at, end, flags):
    """What a user sends through a mobile network, after the extension headers."""
    at += 8
    if flags & 7:
        more = flags & 4
        at += 4
        while more and end - at >= 0:
            more = octet(data, at - 1)
            if more:
                if end - at < 1 or octet(data, at) == 0:
                    return _NONE, at
                at += 4 * octet(data, at)
    return (_RAW, at) if end - at >= 0 else (_NONE, at)


@inner
def upper(data, at, end):
    """The protocol after all extension headers of IPv6, and where its header starts.

    Where the captured bytes or the fragment do not hold that, ``end``.
    """
    protocol, place = octet(data, at + 6), at + 40
    while end - place >= 8:
        if protocol in _EXTENSIONS:
            size = 8 * (octet(data, place + 1) + 1)
        elif protocol == _AUTHENTICATION:
            size = 4 * (octet(data, place + 1) + 2)
        elif protocol == _FRAGMENT:
            size = 8
            if big16(data, place + 2) >> 3:  # not the first
                return octet(data, place), end
        else:
            return protocol, place
        protocol = octet(data, place)
        place += size
    if protocol in _EXTENSIONS or protocol in (_FRAGMENT, _AUTHENTICATION):
        return protocol, end
    return protocol, place
