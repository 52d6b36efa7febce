"""What frames hold: the IP addresses of each, and its ports where they are asked for.

Ethernet with any number of VLAN tags, raw IP, Linux cooked captures and loopback lead to the header
of IPv4 or IPv6, which is looked at where it was captured far enough. Every read is preceded by a
look whether the frame has that many bytes. An IPv6 address goes to a table, and the packet gets its
row: one that was seen just before is found again through a small cache, so a table has few twins.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.sensing.cpu.octets import big16, big32, big64, octet

__all__ = ["COUNTS", "LINKS", "SLOTS", "Frames", "Rows", "decode", "new_frames"]

#: What is counted: rows filled, rows with IPv6 addresses, addresses in the table; then frames by
#: what they hold: IPv4, IPv6, anything else, less than its headers, a link layer not listed here.
FILLED, FAR, USED, IPV4, IPV6, OTHER, CUT, UNKNOWN = range(8)
COUNTS = 8

#: Link layers by their numbers (https://www.tcpdump.org/linktypes.html).
ETHERNET, COOKED, COOKED_2, NULL, LOOP, RAW_IPV4, RAW_IPV6 = 1, 113, 276, 0, 108, 228, 229
_RAW = (101, 12, 14, RAW_IPV4, RAW_IPV6)
LINKS = (ETHERNET, COOKED, COOKED_2, NULL, LOOP, *_RAW)

#: Headers between IPv6 and what it carries that say their length in units of 8 bytes, and two that
#: do not; protocols that start with ports.
_EXTENSIONS = (0, 43, 60, 135, 139, 140)
_FRAGMENT, _AUTHENTICATION = 44, 51
_PORTED = (6, 17, 33, 132, 136)

#: Entries of the cache of IPv6 addresses.
SLOTS = 1 << 12


class Frames(NamedTuple):
    """Some frames in a row."""

    start: Any  #: int64, the first byte
    size: Any  #: int64, bytes captured
    link: Any  #: int32, the number of the link layer
    time: Any  #: int64, nanoseconds since 1970


class Rows(NamedTuple):
    """Arrays to fill; one that is not wanted is empty."""

    source: Any  #: uint32: IPv4 addresses, or rows of the table
    destination: Any
    time: Any  #: int64
    protocol: Any  #: uint8
    source_port: Any  #: uint16
    destination_port: Any
    far: Any  #: int64, the rows with IPv6 addresses
    table: Any  #: uint64 of two columns, the IPv6 addresses
    slots: Any  #: int64, where a hash of an address was put in the table; -1: nowhere


def new_frames(room: int) -> Frames:
    """Arrays for ``room`` frames."""
    start, size, time = np.empty((3, room), np.int64)
    return Frames(start, size, np.empty(room, np.int32), time)


@kernel(borrows=True)
def decode(me, team, control, data, frames, count, four, six, rows, counts):
    """Fill rows from ``counts[FILLED]`` on with the IP packets of some frames.

    There is room for ``count`` rows, and twice as many addresses. ``four`` and ``six`` say which
    kinds of packets get rows; all are counted.
    """
    timed, ported = len(rows.time) > 0, len(rows.protocol) > 0
    row, far, used = counts[FILLED], counts[FAR], counts[USED]
    for i in range(count):
        at, end = frames.start[i], frames.start[i] + frames.size[i]
        kind, at = _find_ip(data, at, end, frames.link[i])
        counts[kind] += 1
        if kind == IPV4:
            if not four:
                continue
            rows.source[row] = big32(data, at + 12)
            rows.destination[row] = big32(data, at + 16)
        elif kind == IPV6:
            if not six:
                continue
            rows.far[far] = row
            far += 1
            rows.source[row], used = _look_up(data, at + 8, rows, used)
            rows.destination[row], used = _look_up(data, at + 24, rows, used)
        else:
            continue
        if timed:
            rows.time[row] = frames.time[i]
        if ported:
            protocol, first, second = _ports(data, at, end, kind == IPV4)
            rows.protocol[row] = protocol
            rows.source_port[row], rows.destination_port[row] = first, second
        row += 1
    counts[FILLED], counts[FAR], counts[USED] = row, far, used


@inlined
def _find_ip(data, at, end, link):
    """What a frame holds (IPV4 to UNKNOWN), and where its IP header starts."""
    version, kind = -1, 0  # what the link layer says of the version of IP; -1: nothing
    if link == ETHERNET:
        header, kind_at = 14, 12
    elif link == COOKED:
        header, kind_at = 16, 14
    elif link == COOKED_2:
        header, kind_at = 20, 0
    elif link in (NULL, LOOP):
        header, kind_at = 4, -1
    elif link in _RAW:
        header, kind_at = 0, -1
    else:
        return UNKNOWN, at
    if end - at < header:
        return CUT, at
    if kind_at >= 0:
        kind = big16(data, at + kind_at)
        at += header
        while kind == 0x8100 or kind == 0x88A8 or kind == 0x9100:  # tags of VLANs
            if end - at < 4:
                return CUT, at
            kind = big16(data, at + 2)
            at += 4
        version = 4 if kind == 0x0800 else 6 if kind == 0x86DD else 0
    elif header == 4:
        version = _loopback(big32(data, at))
        at += 4
    elif link == RAW_IPV4:
        version = 4
    elif link == RAW_IPV6:
        version = 6
    if version == 0:
        return OTHER, at
    if end - at < 1:
        return CUT, at
    first = octet(data, at)
    if version == -1:
        version = first >> 4
    if first >> 4 != version:
        return OTHER, at
    if version == 4 and first & 15 >= 5:
        return IPV4 if end - at >= 20 else CUT, at
    if version == 6:
        return IPV6 if end - at >= 40 else CUT, at
    return OTHER, at


@inlined
def _loopback(family):
    """The version of IP that a family of addresses means, in either order of bytes; else 0."""
    if family & 0xFFFFFF == 0:
        family >>= 24
    if family == 2:
        return 4
    if family == 10 or family == 24 or family == 28 or family == 30:  # Linux, BSDs, macOS
        return 6
    return 0


@inlined
def _look_up(data, at, rows, used):
    """The row of an IPv6 address in the table, and how many rows that has now."""
    high, low = big64(data, at), big64(data, at + 8)
    mixed = high ^ low
    mixed ^= mixed >> np.uint64(32)
    mixed ^= mixed >> np.uint64(12)
    slot = np.int64(mixed & np.uint64(SLOTS - 1))
    row = rows.slots[slot]
    if row < 0 or rows.table[row, 0] != high or rows.table[row, 1] != low:
        row = used
        rows.table[row, 0], rows.table[row, 1] = high, low
        rows.slots[slot] = row
        used += 1
    return row, used


@inner
def _ports(data, at, end, four):
    """Protocol, source port and destination port of a packet; ports 0 where there are none."""
    if four:
        size = big16(data, at + 2)
        protocol, place = octet(data, at + 9), at + 4 * (octet(data, at) & 15)
        if big16(data, at + 6) & 0x1FFF:  # not the first fragment
            place = end
    else:
        size = big16(data, at + 4)
        size += 40 if size else 0
        protocol, place = _upper(data, at, end)
    if size:  # what follows is padding; 0: the network card was to cut it
        end = min(end, at + size)
    if end - place < 4:
        return protocol, 0, 0
    if protocol in _PORTED:
        return protocol, big16(data, place), big16(data, place + 2)
    return protocol, 0, 0


@inner
def _upper(data, at, end):
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
