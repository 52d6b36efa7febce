"""The records of a pcap file: where each frame starts, how long it is, and when it was captured.

A record is a header of 16 bytes (seconds, fraction, bytes captured, bytes on the wire; 24 bytes in
a form that some kernels of Linux wrote) and the frame. Each record says where the next one is, so
this walk is sequential; it reads nothing but headers, and what frames hold is for `frames`. Waiting
for memory at every header would take most of the time: so the walk brings a window of the data into
the cache first, in order, which memory is good at, unless frames are so long that this is more.
"""

from __future__ import annotations

from typing import NamedTuple

from edgewise.base.cache import kernel
from edgewise.sensing.cpu.octets import touch, word32

__all__ = [
    *("AT", "COUNT", "HUGE", "FILLED", "SEEN", "SHORT", "SPARSE", "STATE", "STATUS", "TOUCHED"),
    *("WINDOW", "Records", "walk_records"),
]

#: What a walk says: the place after the last record, the number of frames found, and why it ended;
#: then for the next walk: up to where the data was touched, and what was seen there.
AT, COUNT, STATUS, TOUCHED, SEEN = range(5)
STATE = 5

#: Bytes that are touched ahead, and the mean bytes of a record from which on they are not.
WINDOW, SPARSE = 1 << 18, 1 << 11

#: Why a walk ended: no space for more frames; the next record is not whole; it is too large.
FILLED, SHORT, HUGE = range(3)


class Records(NamedTuple):
    """How the records of a file are to be read."""

    big: bool  #: is the most significant byte the first?
    unit: int  #: nanoseconds that a fraction counts: 1000 or 1
    header: int  #: bytes before the frame: 16 or 24
    largest: int  #: frames with more bytes are not believed
    link: int  #: the link layer of all frames


@kernel(borrows=True)
def walk_records(me, team, control, data, records, capacity, frames, state):
    """Find up to ``capacity`` frames from byte ``state[AT]`` on."""
    at, end, n, status = state[AT], len(data), 0, FILLED
    begin, touched, seen = at, state[TOUCHED], state[SEEN]
    while n < capacity:
        if at >= touched:
            touched = min(at + WINDOW, end)
            if at - begin <= n * SPARSE:
                seen ^= touch(data, at, touched)
        left = end - at - records.header
        if left < 0:
            status = SHORT
            break
        size = word32(data, at + 8, records.big)
        if size > records.largest:
            status = HUGE
            break
        if size > left:
            status = SHORT
            break
        seconds, fraction = word32(data, at, records.big), word32(data, at + 4, records.big)
        frames.start[n], frames.size[n] = at + records.header, size
        frames.link[n] = records.link
        frames.time[n] = seconds * 1_000_000_000 + fraction * records.unit
        at += records.header + size
        n += 1
    state[AT], state[COUNT], state[STATUS] = at, n, status
    state[TOUCHED], state[SEEN] = touched, seen
