"""Windows of packets to traffic matrices on CPU threads: see `edgewise.sensing.matrix.engine`.

A packet is a word of 64 bits, its source above its destination. A window's words are sorted in the
cache of one thread, runs of equal ones become links, and what is counted of them is counted there
and then. A window too large for that is built from pieces, whose links are summed.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import grab
from edgewise.base.threads import get_threads, launch
from edgewise.graph.csr import frozen
from edgewise.sensing.cpu.measure import (
    CACHED,
    chunk_of,
    measure,
    measure_window,
    records,
    tables,
)
from edgewise.sensing.cpu.merge import Loose, gathered, summed
from edgewise.sensing.cpu.radix import DESTINATION, scratch, sort_keys
from edgewise.sensing.cpu.ranks import narrow, widen
from edgewise.sensing.links import Links
from edgewise.sensing.quantities import Distributions, Quantities

__all__ = ["build", "measure", "summed"]

_PIECE = 1 << 17  # packets of a piece of a window
_32 = np.uint64(32)


def build(
    source: np.ndarray, destination: np.ndarray, bounds: np.ndarray
) -> tuple[Links, np.ndarray, Quantities, Distributions]:
    """The links of every window, where each one's begin, and what is counted of each."""
    dtype = source.dtype
    source, destination, ids = narrow(source, destination)
    if int(np.diff(bounds).max(initial=0)) <= CACHED:
        found, counts = tables(len(bounds) - 1)
        links, starts = _built(source, destination, bounds, found, counts)
        return widen(links, ids, dtype), starts, *records(found, counts)
    pieces, groups = _pieces(bounds)
    links, starts = _built(source, destination, pieces, *tables(len(pieces) - 1), measured=False)
    links, starts = summed(links, starts, groups)
    return widen(links, ids, dtype), starts, *measure(links, starts)


def _pieces(bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where pieces of windows begin, and which is the first of each window."""
    sizes = np.diff(bounds)
    number = np.maximum(-(-sizes // _PIECE), 1)
    groups = np.concatenate(([0], np.cumsum(number)))
    inside = np.arange(groups[-1]) - np.repeat(groups[:-1], number)
    pieces = np.repeat(bounds[:-1], number) + inside * _PIECE
    return np.append(pieces, bounds[-1]), groups


def _built(source, destination, bounds, found, counts, measured=True) -> tuple[Links, np.ndarray]:
    """The links of windows, each of which fits the cache; measured on the way, or not."""
    count, windows, team = len(source), len(bounds) - 1, get_threads()
    most = int(np.diff(bounds).max(initial=0))
    loose = Loose(
        np.empty(count, np.uint64), np.empty(count, np.int64),
        bounds[:-1], np.zeros(windows, np.int64),
    )  # fmt: skip
    launch(
        _build, frozen(source), frozen(destination), chunk_of(windows, team), scratch(team, most),
        loose, found, counts, measured, team=team, work=16 * count,
    )  # fmt: skip
    return gathered(loose)


@kernel(borrows=True)
def _build(me, team, control, source, destination, chunk, room, loose, found, counts, measured):
    """Build whole windows on one thread each."""
    while True:
        first, last = grab(control, 0, chunk, len(loose.begins))
        if first >= last:
            return
        for w in range(first, last):
            low = loose.begins[w]
            high = loose.begins[w + 1] if w + 1 < len(loose.begins) else len(source)
            if low == high:
                continue
            words, other = room.keys[me, 0, : high - low], room.keys[me, 1, : high - low]
            for i in range(high - low):
                words[i] = (np.uint64(source[low + i]) << _32) | np.uint64(destination[low + i])
            if sort_keys(words, other, room.digits[me], room.few[me], DESTINATION):
                words = other
            size = _links(words, loose.keys[low:high], loose.packets[low:high])
            loose.sizes[w] = size
            if measured:
                keys, packets = loose.keys[low : low + size], loose.packets[low : low + size]
                measure_window(me, keys, packets, room, found, counts, w)


@inner
def _links(words, keys, packets):
    """Each of some sorted words once, and how often it was there; how many there are."""
    size, before = np.int64(0), np.int64(0)
    for i in range(len(words)):
        keys[size], packets[size] = words[i], i + 1 - before
        last = words[i] != words[min(i + 1, len(words) - 1)]
        before = i + 1 if last else before
        size += last
    return size + 1
