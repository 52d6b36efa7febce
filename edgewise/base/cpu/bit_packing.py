"""How blocks of few bits are made from an array, and an array from blocks, on CPU threads."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.bit_blocks import nearby, reach
from edgewise.base.cpu.team import share

__all__ = ["measure_kernel", "pack_kernel", "unpack_kernel"]

_1, _6, _32, _PLACE = (np.uint64(i) for i in (1, 6, 32, 26))


@kernel(borrows=True)
def measure_kernel(me, team, control, values, heads, widths):
    """The smallest value and the width of every block; 33 for values that are too large."""
    size = np.uint64(len(values))
    low, high = share(me, team, len(heads))
    for b in range(np.uint64(low), np.uint64(high)):
        first = b << _6
        least = most = np.uint64(values[first])
        for i in range(first, min(first + (_1 << _6), size)):
            value = np.uint64(values[i])
            least, most = min(least, value), max(most, value)
        rest, width = most - least, np.int64(0)
        while rest > np.uint64(0):
            rest, width = rest >> _1, width + 1
        widths[b] = 33 if most >> _32 else width
        heads[b] = least << _32 | np.uint64(width) << _PLACE


@kernel(borrows=True)
def pack_kernel(me, team, control, values, heads, widths, places, tops, lanes):
    """The differences of every block to its smallest value, and where they are."""
    size, eight, half = np.uint64(len(values)), np.uint64(8), np.uint64(32)
    low, high = share(me, team, len(heads))
    for b in range(np.uint64(low), np.uint64(high)):
        first, at, width = b << _6, np.uint64(places[b]), np.uint64(widths[b])
        least, end = heads[b] >> _32, at + ((width + np.uint64(3)) >> np.uint64(2))
        heads[b] |= at - tops[b >> np.uint64(20)]
        for i in range(at * eight, end * eight):
            lanes[i] = 0
        for i in range(min(size - first, np.uint64(64))):
            rest, bit = np.uint64(values[first + i]) - least, (i >> np.uint64(3)) * width
            lane = (at + (bit >> np.uint64(5))) * eight + (i & np.uint64(7))
            bit &= np.uint64(31)
            lanes[lane] |= np.uint32(rest << bit)
            if bit + width > half:
                lanes[lane + eight] |= np.uint32(rest >> (half - bit))


@kernel(borrows=True)
def unpack_kernel(me, team, control, blocks, array):
    """All elements."""
    low, high = share(me, team, len(array))
    first, end = np.uint64(low), np.uint64(high)
    while first < end:
        stop = reach(blocks, first, end)
        near = nearby(blocks, first, stop)
        for i in range(first, stop):
            array[i] = near[i]
        first = stop
