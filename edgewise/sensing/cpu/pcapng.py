"""The blocks of a pcapng file: sections, interfaces, and where each frame is.

A block is its type, its length, a body and its length again; an unknown one is skipped. A section
decides the order of bytes and forgets the interfaces of the one before; an interface has a link
layer and a clock. Packets are in enhanced, simple (no time: that of the packet before) and obsolete
packet blocks. Every length is checked against the block that holds it, and that against the data.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.sensing.cpu import pcap
from edgewise.sensing.cpu.octets import octet, touch, word16, word32
from edgewise.sensing.cpu.pcap import (
    AT,
    COUNT,
    FILLED,
    SEEN,
    SHORT,
    SPARSE,
    STATUS,
    TOUCHED,
    WINDOW,
)

__all__ = ["FIELDS", "LARGEST", "STATE", "walk_blocks"]

#: A block with more bytes than this is not believed.
LARGEST = 1 << 24

#: More of what a walk says, and of what the next one goes on with: the order of bytes, the number
#: of interfaces, the last time.
BIG, INTERFACES, LAST = range(pcap.STATE, pcap.STATE + 3)
STATE = pcap.STATE + 3

#: More reasons why a walk ended.
FULL, SIZE, TAIL, ORDER, VERSION, BODY, OPTION, CLOCK, INTERFACE, CAPTURED = range(2, 12)

#: What is known of an interface: its link layer, the most bytes it captures of a packet (0: all),
#: and its clock. Of t ticks, t // _RATE are seconds, and nanoseconds the rest of that division,
#: shifted right by _SHIFT, times _UP, divided by _DOWN. _OFFSET is in seconds.
_LINK, _MOST, _RATE, _SHIFT, _UP, _DOWN, _OFFSET = range(7)
FIELDS = 7

_SECTION, _INTERFACE, _PACKET, _SIMPLE, _ENHANCED = 0x0A0D0D0A, 1, 2, 3, 6
_ORDER_MARK, _ORDER_MARK_SWAPPED = 0x1A2B3C4D, 0x4D3C2B1A
_CLOCK_RATE, _CLOCK_OFFSET = 9, 14
_TURN = 1 << 20  # blocks after which a walk pauses: there may be no packet in a billion of them
_FAR = 1 << 33  # seconds from 1970 beyond which nanoseconds do not fit
_LIMIT = (1 << 62) - 1  # two of these can be added


@kernel(borrows=True)
def walk_blocks(me, team, control, data, capacity, interfaces, frames, state):
    """Find up to ``capacity`` frames from byte ``state[AT]`` on, which is the start of a block."""
    at, end, n, status, turn = state[AT], len(data), 0, FILLED, 0
    big, known, last = state[BIG] != 0, state[INTERFACES], state[LAST]
    begin, touched, seen = at, state[TOUCHED], state[SEEN]
    while n < capacity and turn < _TURN:
        turn += 1
        if at >= touched:
            touched = min(at + WINDOW, end)
            if at - begin <= n * SPARSE:
                seen ^= touch(data, at, touched)
        if end - at < 12:
            status = SHORT
            break
        kind = word32(data, at, big)
        if kind == _SECTION:  # the same number in either order
            mark = word32(data, at + 8, True)
            if mark != _ORDER_MARK and mark != _ORDER_MARK_SWAPPED:
                status = ORDER
                break
            big = mark == _ORDER_MARK
        size = word32(data, at + 4, big)
        if size < 12 or size & 3 or size > LARGEST:
            status = SIZE
            break
        if size > end - at:
            status = SHORT
            break
        if word32(data, at + size - 4, big) != size:
            status = TAIL
            break
        body, stop = at + 8, at + size - 4
        if kind in (_ENHANCED, _PACKET):
            if stop - body < 20:
                status = BODY
                break
            if kind == _ENHANCED:
                which = word32(data, body, big)
            else:
                which = word16(data, body, big)
            captured = word32(data, body + 12, big)
            if which >= known:
                status = INTERFACE
                break
            if captured > stop - body - 20:
                status = CAPTURED
                break
            high, low = word32(data, body + 4, big), word32(data, body + 8, big)
            last = _nanoseconds(high, low, interfaces, which)
            frames.start[n], frames.size[n] = body + 20, captured
            frames.link[n], frames.time[n] = interfaces[which, _LINK], last
            n += 1
        elif kind == _SIMPLE:
            if stop - body < 4:
                status = BODY
                break
            if known == 0:
                status = INTERFACE
                break
            captured = min(word32(data, body, big), stop - body - 4)
            if interfaces[0, _MOST] > 0:
                captured = min(captured, interfaces[0, _MOST])
            frames.start[n], frames.size[n] = body + 4, captured
            frames.link[n], frames.time[n] = interfaces[0, _LINK], last
            n += 1
        elif kind == _INTERFACE:
            if known == len(interfaces):
                status = FULL
                break
            status = _describe(data, body, stop, big, interfaces, known)
            if status != FILLED:
                break
            known += 1
        elif kind == _SECTION:
            if stop - body < 16:
                status = BODY
                break
            if word16(data, body + 4, big) != 1:
                status = VERSION
                break
            known = 0
        at += size
    state[AT], state[COUNT], state[STATUS] = at, n, status
    state[TOUCHED], state[SEEN] = touched, seen
    state[BIG], state[INTERFACES], state[LAST] = big, known, last


@inner
def _describe(data, body, stop, big, interfaces, k):
    """Note what a block says of interface ``k``; the status."""
    if stop - body < 8:
        return BODY
    interfaces[k, _LINK] = word16(data, body, big)
    interfaces[k, _MOST], interfaces[k, _OFFSET] = word32(data, body + 4, big), 0
    _set_clock(interfaces, k, 6)
    at = body + 8
    while stop - at >= 4:
        code, size = word16(data, at, big), word16(data, at + 2, big)
        at += 4
        if code == 0:
            break
        if size > stop - at:
            return OPTION
        if code == _CLOCK_RATE and size == 1:
            if not _set_clock(interfaces, k, octet(data, at)):
                return CLOCK
        elif code == _CLOCK_OFFSET and size == 8:
            first, second = word32(data, at, big), word32(data, at + 4, big)
            high, low = (first, second) if big else (second, first)
            seconds = (high - (high >> 31 << 32) << 32) + low
            interfaces[k, _OFFSET] = min(max(seconds, -_LIMIT), _LIMIT)
        at += size + 3 & ~3
    return FILLED


@inner
def _set_clock(interfaces, k, code):
    """Set the ticks a second of interface ``k``: 10 or, from bit 7, 2 to the power of ``code``."""
    power, rate, up, down = code & 127, 1, 1, 1
    if power > (62 if code & 128 else 18):
        return False
    interfaces[k, _SHIFT] = 0
    if code & 128:
        rate, up, down = 1 << power, 1_000_000_000, 1 << min(power, 34)
        interfaces[k, _SHIFT] = max(power - 34, 0)
    else:
        for i in range(power):
            rate *= 10
            down *= 10 if i >= 9 else 1
        for _ in range(power, 9):
            up *= 10
    interfaces[k, _RATE], interfaces[k, _UP], interfaces[k, _DOWN] = rate, up, down
    return True


@inlined
def _nanoseconds(high, low, interfaces, k):
    """A time in two words of 32 bits by the clock of interface ``k``, in nanoseconds since 1970."""
    ticks, rate = np.uint64(high) << np.uint64(32) | np.uint64(low), np.uint64(interfaces[k, _RATE])
    seconds = np.int64(min(ticks // rate, np.uint64(_LIMIT))) + interfaces[k, _OFFSET]
    rest = (ticks % rate) >> np.uint64(interfaces[k, _SHIFT])
    rest = rest * np.uint64(interfaces[k, _UP]) // np.uint64(interfaces[k, _DOWN])
    return min(max(seconds, -_FAR), _FAR) * 1_000_000_000 + np.int64(rest)
