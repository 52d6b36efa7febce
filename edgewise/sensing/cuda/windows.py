"""Windows of packets on a GPU: see `edgewise.sensing.matrix.engine`.

Packets are counted by link, and links by their ends, in hash tables (see `buckets`): that gives all
quantities and distributions of all windows without a sort. What is sorted, window by window, are
the links that are left (see `order`). Ids of 64 bits are numbered first, in their order. The
results are those of the CPU, bit for bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import array_module, check_memory
from edgewise.base.cuda.kernels import kernel
from edgewise.base.cuda.language import cuda
from edgewise.graph.device import host, number_of, on
from edgewise.sensing.cuda.buckets import (
    THREADS,
    Dealt,
    Ends,
    Layout,
    Pairs,
    Tiles,
    deal,
    layout,
)
from edgewise.sensing.cuda.order import ordered, ranges
from edgewise.sensing.cuda.tables import table_kernel, width
from edgewise.sensing.links import Links
from edgewise.sensing.quantities import BINS, Distributions, Quantities

__all__ = ["Survey", "build", "ends_of", "measure", "packed", "summed", "survey"]

_32 = np.uint64(32)
#: Bytes per packet while windows are built, and per link while some are summed or measured.
_BUILDING, _SUMMING = 80, 96
#: The rows of quantities and distributions that kernels write: of links, sources, destinations.
_LINKS, _SOURCES, _DESTINATIONS = (1, (2, 2)), (3, (1, 0)), (6, (3, 4))


class Survey(NamedTuple):
    """What is counted of windows, and their links in no order: those of a bucket at its end."""

    quantities: Quantities
    distributions: Distributions
    links: Dealt  #: keys ``source << 32 | destination``
    tiles: Tiles  #: where they stand: a piece for each bucket
    plan: Layout


def build(
    source: Any, destination: Any, bounds: np.ndarray
) -> tuple[Links, Any, Quantities, Distributions]:
    """The links of every window, where each one's begin, and what is counted of each."""
    xp = array_module()
    with on(number_of(source)):
        check_memory(len(source) * _BUILDING, "building windows")
        source, destination, names = _numbered(source, destination, xp)
        found = survey(source, destination, bounds)
        keys, packets, starts = *found.links[:2], xp.zeros(len(bounds), np.int64)
        if len(keys):
            pieces = found.plan.first
            keys, packets, starts = ordered(keys, packets, found.tiles, pieces, ranges(bounds))
        links = Links(*ends_of(keys, names), packets.copy())  # the room for more is given up
    return links, starts, found.quantities, found.distributions


def survey(source: Any, destination: Any, bounds: np.ndarray) -> Survey:
    """Count windows of packets, whose ids have 32 bits; on the current device.

    Nothing here waits for the device.
    """
    xp, plan = array_module(), layout(bounds)
    facts, counts = _nothing(len(bounds) - 1, xp)
    facts[0] = plan.sizes
    links = deal(Pairs(source, destination), plan.tiles, plan, len(source))
    distinct = xp.zeros(len(plan.window), np.int64)
    run = table_kernel(True)
    run(len(plan.window), THREADS, links, plan.window, distinct, facts, counts, *_LINKS)
    ends = links.starts[1:]
    tiles = plan.groups._replace(start=ends - distinct, stop=ends)
    _count_ends(links.keys, links.packets, tiles, plan, facts, counts)
    return Survey(Quantities(*facts), Distributions(*counts), links, tiles, plan)


def measure(links: Links, bounds: Any) -> tuple[Quantities, Distributions]:
    """What is counted of each of some matrices."""
    xp = array_module()
    with on(number_of(links.source)):
        check_memory(len(links.source) * _SUMMING, "measuring traffic matrices")
        plan = layout(host(bounds))
        facts, counts = _nothing(len(bounds) - 1, xp)
        facts[1] = plan.sizes
        tally(len(plan.tiles.window), THREADS, links.packets, plan.tiles, facts, counts)
        keys, _ = packed(links.source, links.destination, xp)
        _count_ends(keys, links.packets, plan.tiles, plan, facts, counts)
    return Quantities(*facts), Distributions(*counts)


def summed(links: Links, bounds: Any, groups: np.ndarray) -> tuple[Links, Any]:
    """The sums of matrices that follow each other, and where each one's links begin."""
    xp = array_module()
    with on(number_of(links.source)):
        bounds, count = bounds[xp.asarray(groups)], len(links.source)
        if count == 0:
            return links, bounds
        check_memory(count * _SUMMING, "summing traffic matrices")
        keys, names = packed(links.source, links.destination, xp)
        plan = ranges(host(bounds))
        keys, packets, bounds = ordered(keys, links.packets, plan.tiles, plan.pieces, plan)
        new = xp.ones(count, bool)
        new[1:] = keys[1:] != keys[:-1]
        new[bounds[bounds < count]] = True
        first = xp.flatnonzero(new)
        sums = xp.cumsum(packets)[xp.append(first[1:], count) - 1]
        sums[1:] -= sums[:-1].copy()
        return Links(*ends_of(keys[first], names), sums), xp.searchsorted(first, bounds)


def _nothing(windows: int, xp: Any) -> tuple[Any, Any]:
    """Quantities and distributions before anything is counted."""
    facts = xp.zeros((len(Quantities._fields), windows), np.int64)
    return facts, xp.zeros((len(Distributions._fields), windows, BINS), np.int64)


def _count_ends(keys, packets, tiles: Tiles, plan: Layout, facts, counts) -> None:
    """Count the sources and the destinations of links."""
    run, owner = table_kernel(False), plan.window
    for shift, rows in ((32, _SOURCES), (0, _DESTINATIONS)):
        dealt = deal(Ends(keys, packets, np.uint64(shift)), tiles, plan, len(keys))
        run(len(owner), THREADS, dealt, owner, owner, facts, counts, *rows)


def packed(source: Any, destination: Any, xp: Any) -> tuple[Any, Any]:
    """Links as keys of 64 bits in their order, and what the ids of 64 bits in them stand for."""
    source, destination, names = _numbered(source, destination, xp)
    return (source.astype(np.uint64) << _32) | destination, names


def _numbered(source: Any, destination: Any, xp: Any) -> tuple[Any, Any, Any]:
    """Ids of 32 bits as they are; others by their number among all that occur, and these."""
    if source.dtype.itemsize == 4:
        return source, destination, None
    names = xp.unique(xp.concatenate((source, destination)))
    ends = (xp.searchsorted(names, end).astype(np.uint32) for end in (source, destination))
    return *ends, names


def ends_of(keys: Any, names: Any = None) -> tuple[Any, Any]:
    """The sources and the destinations of links."""
    ends = (keys >> _32).astype(np.uint32), keys.astype(np.uint32)
    return ends if names is None else (names[ends[0]], names[ends[1]])


@kernel
def tally(packets, tiles, facts, counts):
    """Count links by their packets: the sum, the most, and the distribution of each window."""
    bins = cuda.shared.array(BINS, np.int32)
    most = cuda.shared.array(1, np.int64)
    me, t = cuda.threadIdx.x, cuda.blockIdx.x
    w, mine, largest = tiles.window[t], 0, 0
    for i in range(me, BINS, THREADS):
        bins[i] = 0
    if me == 0:
        most[0] = 0
    cuda.syncthreads()
    for piece in range(tiles.low[t], tiles.high[t]):
        for i in range(tiles.start[piece] + me, tiles.stop[piece], THREADS):
            value = packets[i]
            mine += value
            largest = max(largest, value)
            cuda.atomic.add(bins, width(value - 1), 1)
    if largest > most[0]:
        cuda.atomic.max(most, 0, largest)
    if mine > 0:
        cuda.atomic.add(facts, (0, w), mine)
    cuda.syncthreads()
    if me == 0:
        cuda.atomic.max(facts, (2, w), most[0])
    for i in range(me, BINS, THREADS):
        if bins[i] > 0:
            cuda.atomic.add(counts, (2, w, i), np.int64(bins[i]))
