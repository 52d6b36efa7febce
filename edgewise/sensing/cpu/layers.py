"""From the first byte of a frame to its IP header, through link layers and what they carry.

A header has a kind: an ether type, or a number of another registry with its `SPACE` added (link
layers, PPP protocols, access points of LLC). A step looks at one header and gives the kind of the
next one and its place; a kind that no step knows stays as it is, which ends the walk. Every read
is preceded by a look whether the frame has that many bytes (`SHORT` if not), and every cycle of
steps takes bytes, so a walk ends.
"""

from __future__ import annotations

from edgewise.base.cache import inlined, inner
from edgewise.sensing.cpu.octets import big16, big32, octet, word16, word32

__all__ = ["CUT", "IPV4", "IPV6", "LINK", "LLC", "OTHER", "PPP", "WIFI", "find_ip", "ip_at", "walk"]

#: What frames are counted as (see `edgewise.sensing.cpu.frames`).
IPV4, IPV6, OTHER, CUT = 3, 4, 5, 6

#: What is added to numbers of a registry that is not that of ether types.
SPACE = 1 << 16
LINK, PPP, LLC, WIFI = (i * SPACE for i in range(1, 5))
SHORT = -1

#: Link layers by their numbers (https://www.tcpdump.org/linktypes.html).
ETHERNET, ANY_PPP, LLC_FRAME, RAW, CISCO_HDLC, FRAME_RELAY, WIRELESS = 1, 9, 100, 101, 104, 107, 105
_IPV4, _IPV6, _BRIDGED = 0x0800, 0x86DD, 0x6558
_MESSAGES, _ENCRYPTED = 0, 1  # of wireless frames, under WIFI


@inner
def find_ip(data, at, end, link):
    """What a frame holds (IPV4 to CUT), the place of its IP header, and the kind that is there."""
    kind, at = walk(data, at, end, LINK + link)
    return ip_at(data, at, end, kind), at, kind


@inlined
def ip_at(data, at, end, kind):
    """What stands where a walk has ended: IPV4, IPV6, OTHER or CUT."""
    if kind == SHORT:
        return CUT
    if kind != _IPV4 and kind != _IPV6 and kind != LINK + RAW:
        return OTHER
    if end - at < 1:
        return CUT
    first = octet(data, at)
    version = first >> 4
    if version == 4 and first & 15 >= 5 and kind != _IPV6:
        return IPV4 if end - at >= 20 else CUT
    if version == 6 and kind != _IPV4:
        return IPV6 if end - at >= 40 else CUT
    return OTHER


@inner
def walk(data, at, end, kind):
    """The kind of the first header that is IP, or that no step knows, and its place."""
    while kind != _IPV4 and kind != _IPV6 and kind != LINK + RAW and kind != SHORT:
        before, place = kind, at
        if kind < SPACE:
            kind, at = _by_type(data, at, end, kind)
        elif kind < PPP:
            kind, at = _by_link(data, at, end, kind - LINK)
        if kind == before and at == place:
            break
    return kind, at


@inner
def _by_type(data, at, end, kind):
    """A step from a header of an ether type; up to 1,500 that is a length, and LLC follows."""
    left = end - at
    if kind <= 1500:
        return LINK + LLC_FRAME, at
    if kind in (0x8100, 0x88A8, 0x9100, 0x9200, 0x8926):  # tags of VLANs and of virtual ports
        return (big16(data, at + 2), at + 4) if left >= 4 else (SHORT, at)
    if kind == 0x893F:  # the tag of a port extender
        return (big16(data, at + 6), at + 8) if left >= 8 else (SHORT, at)
    if kind == 0x88E7:  # a provider's backbone: a whole frame
        return LINK + ETHERNET, at + 4
    if kind == _BRIDGED:
        return LINK + ETHERNET, at
    if kind == 0x8847 or kind == 0x8848:
        return _mpls(data, at, end)
    if kind == 0x8864:  # a session of PPPoE
        return _ppp(data, at + 6, end)
    if kind == 0x894F:
        return _nsh(data, at, end)
    if kind == 0x88E5:
        return _macsec(data, at, end)
    return kind, at


@inner
def _by_link(data, at, end, link):
    """A step from the header of a link layer."""
    left = end - at
    if link == ETHERNET:
        return (big16(data, at + 12), at + 14) if left >= 14 else (SHORT, at)
    if link == 113:  # Linux cooked captures
        return (big16(data, at + 14), at + 16) if left >= 16 else (SHORT, at)
    if link == 276:  # version 2 of them
        return (big16(data, at), at + 20) if left >= 20 else (SHORT, at)
    if link == 0 or link == 108:
        return (_loopback(big32(data, at)), at + 4) if left >= 4 else (SHORT, at)
    if link == 12 or link == 14:
        return LINK + RAW, at
    if link == 228:
        return _IPV4, at
    if link == 229:
        return _IPV6, at
    if link == LLC_FRAME:
        return _llc(data, at, end)
    if link == 51:
        return _ppp(data, at + 6, end)
    if link == ANY_PPP or link == 50 or link == 166:
        return _hdlc(data, at, end)
    if link == CISCO_HDLC:
        return (big16(data, at + 2), at + 4) if left >= 4 else (SHORT, at)
    if link == FRAME_RELAY:
        return _frame_relay(data, at, end)
    if 204 <= link <= 206:  # a byte for the direction, then one of three
        return LINK + (ANY_PPP, CISCO_HDLC, FRAME_RELAY)[link - 204], at + 1
    if link == 242:  # IP over InfiniBand: a global route header first
        return (big16(data, at + 40), at + 44) if left >= 44 else (SHORT, at)
    return _by_capture(data, at, end, link)


@inner
def _by_capture(data, at, end, link):
    """A step from a header that capturing adds: radiotap, PPI, ERF, PKTAP, NFLOG; or from 802.11.

    They say their own lengths, and some which link layer follows.
    """
    left = end - at
    if link == WIRELESS:
        return _wireless(data, at, end, False)
    if link == 127:
        return _radiotap(data, at, end)
    if link == 192:
        if left < 8:
            return SHORT, at
        size, after = word16(data, at + 2, False), word32(data, at + 4, False)
        return (LINK + after % SPACE, at + size) if size >= 8 else (SHORT, at)
    if link == 197:
        return _erf(data, at, end)
    if link == 239:
        return _nflog(data, at, end)
    if link == 258 or link == 149:
        if left < 12:
            return SHORT, at
        size, after = word32(data, at, False), word32(data, at + 8, False)
        return (LINK + after % SPACE, at + size) if size >= 12 else (SHORT, at)
    return LINK + link, at


@inlined
def _loopback(family):
    """The kind that a family of addresses means, in either order of bytes; 0xFFFF if none."""
    if family & 0xFFFFFF == 0:
        family >>= 24
    if family == 2:
        return _IPV4
    if family == 10 or family == 24 or family == 28 or family == 30:  # Linux, BSDs, macOS
        return _IPV6
    return 0xFFFF


@inner
def _mpls(data, at, end):
    """After the last label: IP by its version, or a frame with or without a control word."""
    last = False
    while not last:
        if end - at < 4:
            return SHORT, at
        last = octet(data, at + 2) & 1 == 1
        at += 4
    if end - at < 1:
        return SHORT, at
    version = octet(data, at) >> 4
    if version == 4 or version == 6:
        return LINK + RAW, at
    for word in (4, 0):
        if end - at >= word + 14 and (word == 0 or version == 0):
            kind = big16(data, at + word + 12)
            if kind in (_IPV4, _IPV6, 0x0806, 0x8100, 0x88A8, 0x8847, 0x8848, 0x8864, 0x8863):
                return LINK + ETHERNET, at + word
    return 0x8847, at - 4  # nothing that is known: the last label


@inner
def _ppp(data, at, end):
    """A protocol of PPP, in one byte or two."""
    if end - at < 2:
        return SHORT, at
    protocol, at = octet(data, at), at + 1
    if protocol & 1 == 0:
        protocol, at = protocol << 8 | octet(data, at), at + 1
    if protocol == 0x0021:
        return _IPV4, at
    if protocol == 0x0057:
        return _IPV6, at
    if protocol == 0x0281 or protocol == 0x0283:
        return 0x8847, at
    return PPP + protocol, at


@inner
def _hdlc(data, at, end):
    """PPP with or without address and control, or Cisco's HDLC, told by the first byte."""
    if end - at < 2:
        return SHORT, at
    first = octet(data, at)
    if first == 0x0F or first == 0x8F:
        return LINK + CISCO_HDLC, at
    if octet(data, at + 1) == 0x03 and (first == 0xFF or first <= 1):  # 0 and 1: the direction
        at += 2
    return _ppp(data, at, end)


@inner
def _llc(data, at, end):
    """LLC: SNAP with an ether type, IP by its access point, or a network protocol of OSI."""
    if end - at < 3:
        return SHORT, at
    points = big16(data, at)
    if points == 0xAAAA and octet(data, at + 2) == 0x03:
        return _snap(data, at + 3, end)
    if points == 0x0606 and octet(data, at + 2) == 0x03:
        return LINK + RAW, at + 3
    if points == 0xFEFE and octet(data, at + 2) == 0x03:
        return _network(data, at + 3, end)
    return LLC + points, at


@inner
def _snap(data, at, end):
    """An organization and a type: of the first ones an ether type, of 802.1 a whole frame."""
    if end - at < 5:
        return SHORT, at
    organization, kind = big32(data, at) >> 8, big16(data, at + 3)
    if organization == 0 or organization == 0xF8:
        return kind, at + 5
    if organization == 0x80C2 and (kind == 1 or kind == 7):
        return LINK + ETHERNET, at + 5
    return LLC + 0xAAAA, at


@inner
def _network(data, at, end):
    """A network protocol by the number that OSI gives it."""
    if end - at < 2:
        return SHORT, at
    if octet(data, at) == 0:  # a byte that pads
        at += 1
    number = octet(data, at)
    if number == 0xCC:
        return _IPV4, at + 1
    if number == 0x8E:
        return _IPV6, at + 1
    if number == 0x80:
        return _snap(data, at + 1, end)
    if number == 0xCF:
        return _ppp(data, at + 1, end)
    return LLC + 0xFEFE, at


@inner
def _frame_relay(data, at, end):
    """An address of two to four bytes, then a network protocol, or Cisco's ether type."""
    more = 4
    while end - at >= 1 and more > 0 and octet(data, at) & 1 == 0:
        at, more = at + 1, more - 1
    if end - at < 3:
        return SHORT, at
    if octet(data, at + 1) == 0x03:
        return _network(data, at + 2, end)
    return big16(data, at + 1), at + 3


@inner
def _nsh(data, at, end):
    """The header of a chain of services."""
    if end - at < 8:
        return SHORT, at
    size, after = 4 * (octet(data, at + 1) & 0x3F), octet(data, at + 3)
    if size < 8 or after < 1 or after > 5:
        return 0x894F, at
    return (_IPV4, _IPV6, LINK + ETHERNET, 0x894F, 0x8847)[after - 1], at + size


@inner
def _macsec(data, at, end):
    """The tag of MACsec, if what follows is in the clear."""
    if end - at < 16:
        return SHORT, at
    flags = octet(data, at)
    if flags & 0x0C:
        return 0x88E5, at
    at += 14 if flags & 0x20 else 6
    return big16(data, at), at + 2


@inner
def _radiotap(data, at, end):
    """Radiotap: its length, and whether headers of 802.11 are padded to whole words."""
    if end - at < 8:
        return SHORT, at
    size, field = word16(data, at + 2, False), at + 8
    if size < 8 or end - at < size:
        return SHORT, at
    present = word32(data, at + 4, False)
    more = present
    while more >> 31 and field + 4 <= at + size:
        more = word32(data, field, False)
        field += 4
    if present & 1:
        field += -(field - at) % 8 + 8
    padded = present & 2 != 0 and field < at + size and octet(data, field) & 0x20 != 0
    return _wireless(data, at + size, end, padded)


@inner
def _wireless(data, at, end, padded):
    """802.11: LLC after the header of a data frame, if it is not encrypted."""
    if end - at < 2:
        return SHORT, at
    control, flags = octet(data, at), octet(data, at + 1)
    if control & 0x0C != 0x08 or control & 0x40:  # no data
        return WIFI + _MESSAGES, at
    if flags & 0x40:
        return WIFI + _ENCRYPTED, at
    size = 30 if flags & 3 == 3 else 24
    several = False
    if control & 0x80:  # quality of service
        if end - at < size + 2:
            return SHORT, at
        several = octet(data, at + size) & 0x80 != 0
        size += 6 if flags & 0x80 else 2
    if padded:
        size += -size % 4
    return LINK + LLC_FRAME, at + size + (14 if several else 0)


@inner
def _erf(data, at, end):
    """An extensible record: extension headers, then Ethernet, HDLC or IP by its type."""
    start = at
    if end - at < 16:
        return SHORT, at
    kind = octet(data, at + 8)
    more, kind, at = kind >> 7, kind & 0x7F, at + 16
    while more:
        if end - at < 8:
            return SHORT, at
        more, at = octet(data, at) >> 7, at + 8
    if kind in (2, 11, 16, 20):
        return LINK + ETHERNET, at + 2
    if kind in (1, 10, 15, 19):
        return LINK + 50, at
    if kind in (5, 17):
        return LINK + 50, at + 4
    if kind == 22 or kind == 23:
        return LINK + RAW, at
    return LINK + 197, start


@inner
def _nflog(data, at, end):
    """A log of netfilter: fields, one of which is the packet."""
    start, at = at, at + 4
    while end - at >= 4:
        big = word16(data, at + 2, False) & 0x7FFF >= 256  # the order of bytes is the machine's
        size, field = word16(data, at, big), word16(data, at + 2, big) & 0x7FFF
        if size < 4:
            return LINK + 239, start
        if field == 9:
            return LINK + RAW, at + 4
        at += size + -size % 4
    return SHORT, at
