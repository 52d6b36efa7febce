"""What frames hold: the IP addresses of each, and its ports where they are asked for.

The layers of a frame lead to a header of IPv4 or IPv6 (`edgewise.sensing.cpu.layers`), the outer
one or that in the innermost tunnel. An IPv6 address goes to a table, and the packet gets its row:
one that was seen just before is found again through a small cache, so a table has few twins.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.sensing.cpu.layers import CUT, IPV4, IPV6, OTHER, find_ip
from edgewise.sensing.cpu.octets import big16, big32, big64, octet
from edgewise.sensing.cpu.tunnels import innermost, upper

__all__ = ["COUNTS", "CUT", "IPV4", "IPV6", "OTHER", "SLOTS", "Frames", "Rows", "Wanted",
           "decode", "new_frames"]  # fmt: skip

#: What is counted: rows filled, rows with IPv6 addresses, addresses in the table; then frames by
#: what they hold: IPV4, IPV6, OTHER (anything else), CUT (less than its headers).
FILLED, FAR, USED = range(3)
COUNTS = 7

#: Protocols that start with ports.
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
    unread: Any  #: int32, of each frame without an IP header: the kind that was there instead


class Wanted(NamedTuple):
    """Which packets get rows; all are counted."""

    four: bool  #: those of IPv4
    six: bool  #: those of IPv6
    deep: bool  #: the kind is that of the innermost header


def new_frames(capacity: int) -> Frames:
    """Arrays for ``capacity`` frames."""
    start, size, time = np.empty((3, capacity), np.int64)
    return Frames(start, size, np.empty(capacity, np.int32), time)


@kernel(borrows=True)
def decode(me, team, control, data, frames, count, wanted, rows, counts):
    """Fill rows from ``counts[FILLED]`` on with the IP packets of some frames.

    There is space for ``count`` rows, and twice as many addresses.
    """
    four, six, deep = wanted
    timed, ported = len(rows.time) > 0, len(rows.protocol) > 0
    row, far, used = counts[FILLED], counts[FAR], counts[USED]
    for i in range(count):
        at, end = frames.start[i], frames.start[i] + frames.size[i]
        kind, at, unread = _find_ip(data, at, end, frames.link[i])
        if kind == OTHER:
            rows.unread[counts[OTHER]] = unread
        elif deep and kind != CUT:
            kind, at = innermost(data, at, end, kind)
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
    """What a frame holds (IPV4 to CUT), where its IP header starts, and the kind that is there."""
    if link == 1 and end - at >= 34 and big16(data, at + 12) == 0x0800:  # by far the most
        first = octet(data, at + 14)
        if first >> 4 == 4 and first & 15 >= 5:
            return IPV4, at + 14, 0x0800
    return find_ip(data, at, end, link)


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
        protocol, place = upper(data, at, end)
    if size:  # what follows is padding; 0: the network card was to cut it
        end = min(end, at + size)
    if end - place < 4:
        return protocol, 0, 0
    if protocol in _PORTED:
        return protocol, big16(data, place), big16(data, place + 2)
    return protocol, 0, 0
