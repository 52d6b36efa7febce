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
from edgewise.base.probing import is_key, probing
from edgewise.sensing.cuda.hash_partition import THREADS
from edgewise.sensing.cuda.reduce_by_key import order_of
from edgewise.sensing.cuda.windows import Survey, ends_of
from edgewise.sensing.links import Links

__all__ = ["Running"]

_0, _1, _2 = np.uint64(0), np.uint64(1), np.uint64(2)
_MOVING = 8 if simulated() else 1 << 11  # slots that a block moves


class Running:
    """A sum of links on the device that was current when it was made.

    A slot is two words: a link with its bits turned, so that an empty slot is zero, and its
    packets. There is one more slot for the link that looks empty. At most half are taken.
    """

    def __init__(self, least: int = 1 << 22) -> None:
        self._slots, self._least = 0, least  # a power of two
        self._table: Any = None
        self._taken: Any = None  # slots that are; made, as the table is, on the stream of the work

    def add(self, found: Survey) -> None:
        """Add the links of all windows; this waits for the last such call, not for the survey."""
        self._reserve(len(found.links.keys))
        blocks = len(found.tiles.start)
        add(blocks, THREADS, found.links, found.tiles, self._table, self._taken.there)
        self._taken.tell()

    def links(self) -> Links:
        """The sum, sorted."""
        xp = array_module()
        if self._slots == 0:
            return Links(xp.empty(0, np.uint32), xp.empty(0, np.uint32), xp.empty(0, np.int64))
        pairs = self._table.reshape(-1, 2)
        pairs = pairs[pairs[:, 1] > 0]
        keys, packets = ~pairs[:, 0], pairs[:, 1].astype(np.int64)
        order = order_of(keys, None)
        return Links(*ends_of(keys[order]), packets[order])

    def _reserve(self, more: int) -> None:
        """For so many links more."""
        self._taken = self._taken or _Known()
        needed = 2 * (self._taken.number() + more)
        if needed <= self._slots:
            return
        old, self._slots = self._table, max(1 << (needed - 1).bit_length(), self._least)
        check_memory(self._slots * 16, "the sum of all windows")
        self._table = array_module().zeros(2 * self._slots + 2, np.uint64)
        if old is not None:
            self._taken.there[:] = 0
            count = len(old) // 2
            move(-(-count // _MOVING), THREADS, old, self._table, self._taken.there)


class _Known:
    """A number on the device that the host knows a little later, without waiting for all work."""

    def __init__(self) -> None:
        self._xp = xp = array_module()
        self.there, self._here = xp.zeros(1, np.int64), np.zeros(1, np.int64)
        self._event: Any = None
        if hasattr(xp, "cuda"):
            import cupyx

            self._here, self._event = cupyx.zeros_pinned(1, np.int64), xp.cuda.Event()

    def tell(self) -> None:
        """Send it to the host when the work so far is done."""
        if self._event is None:
            self._here[:] = self.there
        else:
            self.there.get(out=self._here, blocking=False)
            self._event.record()

    def number(self) -> int:
        """It, as it was sent last."""
        if self._event is not None:
            self._event.synchronize()
        return int(self._here[0])


@device
def _added(table, key, packets):
    """Add to the packets of a link: 1 if it is new, else 0."""
    slots, word = np.uint64((len(table) - 2) // 2), ~key
    if word == 0:
        cuda.atomic.add(table, np.int64(_2 * slots) + 1, packets)
        return 0
    at, held = _probe(table, mix(key) & (slots - _1), slots - _1, word)
    cuda.atomic.add(table, np.int64(_2 * at) + 1, packets)
    return 1 if held == _0 else 0


def _word_at(table, at):
    return load(table, _2 * at)


def _put(table, at, word):
    return cas(table, _2 * at, _0, word)


_probe = probing(_word_at, _put, is_key, device, _0)


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
            new += _added(table, ~old[2 * i], old[2 * i + 1])
    _count(here, taken, new)
