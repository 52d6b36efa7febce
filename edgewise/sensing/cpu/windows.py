"""Windows of packets to traffic matrices on CPU threads: see `edgewise.sensing.matrix.engine`.

A window is sorted and counted in the cache of one thread (`edgewise.sensing.cpu.counting`); one of
a few packets is sorted as words of 64 bits, a source above its destination. A window too large for
that is built from pieces, whose links are summed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.sort import sort_bucket
from edgewise.base.cpu.team import grab
from edgewise.base.offsets import offsets
from edgewise.base.threads import get_threads, launch
from edgewise.graph.csr import frozen
from edgewise.sensing.cpu.counting import CountScratch, count_scratch, count_window
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
from edgewise.sensing.cpu.radix import FEW, Scratch, scratch
from edgewise.sensing.cpu.ranks import narrow, widen
from edgewise.sensing.links import Links
from edgewise.sensing.quantities import Distributions, Quantities

__all__ = ["build", "measure", "summed"]

_PIECE = 1 << 17  # packets of a piece of a window
_0, _32 = np.uint64(0), np.uint64(32)


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
    groups = offsets(number)
    inside = np.arange(groups[-1]) - np.repeat(groups[:-1], number)
    pieces = np.repeat(bounds[:-1], number) + inside * _PIECE
    return np.append(pieces, bounds[-1]), groups


def _built(source, destination, bounds, found, counts, measured=True) -> tuple[Links, np.ndarray]:
    """The links of windows, each of which fits the cache; measured on the way, or not."""
    team, most = get_threads(), int(np.diff(bounds).max(initial=0))
    given = Links(frozen(source), frozen(destination), None)
    arrays = _Arrays(count_scratch(team, most if most >= FEW else 0), scratch(team, min(most, FEW)))

    def fill(loose: Loose, first: int, last: int) -> None:
        packets = int(bounds[last] - bounds[first])
        span = _Span(first, last, chunk_of(last - first, packets, team))
        launch(_build, given, arrays, loose, span, found, counts, measured, team=team,
               work=16 * packets)  # fmt: skip

    return in_waves(bounds, fill)


class _Arrays(NamedTuple):
    """What threads need for windows of many packets, and of few."""

    many: CountScratch
    few: Scratch


class _Span(NamedTuple):
    """Windows ``first`` to ``last - 1``, of which a thread takes ``chunk`` at a time."""

    first: int
    last: int
    chunk: int


@kernel(borrows=True)
def _build(me, team, control, given, arrays, loose, span, found, counts, measured):
    """Build whole windows on one thread each."""
    first, last, chunk = span
    while True:
        begin, end = grab(control, 0, chunk, last - first)
        if begin >= end:
            return
        for w in range(first + begin, first + end):
            low, high = loose.begins[w], loose.begins[w + 1]
            if low == high:
                continue
            source, destination = given.source[low:high], given.destination[low:high]
            low -= loose.begins[first]
            keys, packets = loose.keys[low:], loose.packets[low:]
            if len(source) < FEW:
                size = _few_links(me, source, destination, arrays.few, keys, packets)
                if measured:
                    measure_window(me, keys[:size], packets[:size], arrays.few, found, counts, w)
            else:
                size = count_window(
                    me, source, destination, arrays.many, keys, packets, found, counts, w, measured
                )
            loose.sizes[w] = size


@inner
def _few_links(me, source, destination, scratch, keys, packets):
    """The links of a window of a few packets; how many there are."""
    words, other = scratch.keys[me, 0, : len(source)], scratch.keys[me, 1, : len(source)]
    for i in range(len(words)):
        words[i] = (np.uint64(source[i]) << _32) | np.uint64(destination[i])
    sort_bucket(words, None, other, None, scratch.few[me], _0, 0, 64, False)
    return _links(words, keys, packets)


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
