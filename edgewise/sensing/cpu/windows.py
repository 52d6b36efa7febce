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
from edgewise.sensing.cpu.loose import Loose, in_waves
from edgewise.sensing.cpu.measure import (
    CACHED,
    chunk_of,
    measure,
    measure_window,
    records,
    tables,
)
from edgewise.sensing.cpu.merge import summed
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
    team, most = get_threads(), int(np.diff(bounds).max(initial=0))
    given, room = Links(frozen(source), frozen(destination), None), scratch(team, most)

    def fill(loose: Loose, first: int, last: int) -> None:
        packets = int(bounds[last] - bounds[first])
        chunk = chunk_of(last - first, packets, team)
        launch(_build, given, chunk, room, loose, first, last, found, counts, measured, team=team,
               work=16 * packets)  # fmt: skip

    return in_waves(bounds, fill)


@kernel(borrows=True)
def _build(me, team, control, given, chunk, room, loose, first, last, found, counts, measured):
    """Build whole windows on one thread each."""
    while True:
        begin, end = grab(control, 0, chunk, last - first)
        if begin >= end:
            return
        for w in range(first + begin, first + end):
            low, high = loose.begins[w], loose.begins[w + 1]
            if low == high:
                continue
            words, other = room.keys[me, 0, : high - low], room.keys[me, 1, : high - low]
            for i in range(high - low):
                source, destination = given.source[low + i], given.destination[low + i]
                words[i] = (np.uint64(source) << _32) | np.uint64(destination)
            if sort_keys(words, other, room.digits[me], room.few[me], DESTINATION):
                words = other
            low -= loose.begins[first]
            keys, packets = loose.keys[low:], loose.packets[low:]
            size = _links(words, keys, packets)
            loose.sizes[w] = size
            if measured:
                measure_window(me, keys[:size], packets[:size], room, found, counts, w)


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
