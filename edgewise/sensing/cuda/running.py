"""The sum of windows that go by, on a GPU: one hash table of links in its memory.

Links come as a `Survey` has them, in any order; each is found or set in the table and its packets
are added. A link is moved once more when the table grows, and they are sorted once, in the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import cas, load
from edgewise.base.cuda.device import array_module, check_memory, simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.cuda.random import mix
from edgewise.sensing.cuda.buckets import THREADS
from edgewise.sensing.cuda.runs import order_of
from edgewise.sensing.cuda.windows import Survey, ends_of
from edgewise.sensing.links import Links

__all__ = ["Running"]

_EMPTY, _2 = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(2)
_MOVING = 8 if simulated() else 1 << 11  # slots that a block moves


class Running:
    """A sum of links on the device that was current when it was made.

    A slot is two words, a link and its packets; there is one more for the link that looks like an
    empty slot. At most half of the slots are taken.
    """

    def __init__(self, least: int = 1 << 22) -> None:
        self._slots, self._least = 0, least  # a power of two
        self._table: Any = None
        self._taken: Any = None  # slots that are, on the device
        self._bound = 0  # and at most so many

    def add(self, found: Survey) -> None:
        """Add the links of all windows; this rarely waits for the device."""
        self._make_room(len(found.links.keys))
        blocks = len(found.tiles.start)
        add(blocks, THREADS, found.links, found.tiles, self._table, self._taken)

    def links(self) -> Links:
        """The sum, sorted."""
        xp = array_module()
        if self._slots == 0:
            return Links(xp.empty(0, np.uint32), xp.empty(0, np.uint32), xp.empty(0, np.int64))
        pairs = self._table.reshape(-1, 2)
        pairs = pairs[pairs[:, 1] > 0]
        keys, packets = xp.ascontiguousarray(pairs[:, 0]), pairs[:, 1].astype(np.int64)
        order = order_of(keys, None)
        return Links(*ends_of(keys[order]), packets[order])

    def _make_room(self, more: int) -> None:
        if 2 * (self._bound + more) > self._slots and self._slots:
            self._bound = int(self._taken[0])  # they may be far fewer
        needed = 2 * (self._bound + more)
        self._bound += more
        if needed <= self._slots:
            return
        xp, old = array_module(), self._table
        self._slots = max(1 << (needed - 1).bit_length(), self._least)
        check_memory(self._slots * 16, "the sum of all windows")
        self._table = xp.zeros(2 * self._slots + 2, np.uint64)
        self._table[::2] = _EMPTY
        self._taken = xp.zeros(1, np.int64)
        if old is not None:
            count = len(old) // 2
            move(-(-count // _MOVING), THREADS, old, self._table, self._taken)


@device
def _added(table, key, packets):
    """Add to the packets of a link: 1 if it is new, else 0."""
    slots = np.uint64((len(table) - 2) // 2)
    if key == _EMPTY:
        cuda.atomic.add(table, np.int64(_2 * slots) + 1, packets)
        return 0
    at = mix(key) & (slots - np.uint64(1))
    while True:
        there, new = load(table, _2 * at), 0
        if there == _EMPTY:
            there = cas(table, _2 * at, _EMPTY, key)
            if there == _EMPTY:
                there, new = key, 1
        if there == key:
            cuda.atomic.add(table, np.int64(_2 * at) + 1, packets)
            return new
        at = (at + np.uint64(1)) & (slots - np.uint64(1))


@device
def _count(here, taken, new):
    """Add what the threads of a block have found; its word ``here`` is zero before."""
    cuda.syncthreads()
    if new > 0:
        cuda.atomic.add(here, 0, np.int32(new))
    cuda.syncthreads()
    if cuda.threadIdx.x == 0 and here[0] > 0:
        cuda.atomic.add(taken, 0, np.int64(here[0]))


@kernel
def add(links, tiles, table, taken):
    """Add the links of each piece."""
    here = cuda.shared.array(1, np.int32)
    me, piece = cuda.threadIdx.x, cuda.blockIdx.x
    new = 0
    if me == 0:
        here[0] = 0
    for i in range(tiles.start[piece] + me, tiles.stop[piece], THREADS):
        new += _added(table, links.keys[i], np.uint64(links.packets[i]))
    _count(here, taken, new)


@kernel
def move(old, table, taken):
    """Add what is in a smaller table."""
    here = cuda.shared.array(1, np.int32)
    me, block = cuda.threadIdx.x, cuda.blockIdx.x
    new = 0
    if me == 0:
        here[0] = 0
    for i in range(block * _MOVING + me, min((block + 1) * _MOVING, len(old) // 2), THREADS):
        if old[2 * i + 1] > 0:
            new += _added(table, old[2 * i], old[2 * i + 1])
    _count(here, taken, new)
