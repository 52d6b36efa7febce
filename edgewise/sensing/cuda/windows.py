"""Windows of packets on a GPU: see `edgewise.sensing.matrix.engine`.

Packets are counted by link, and links by their ends, in hash tables (see `buckets`): that gives all
quantities and distributions of all windows without a sort. Only the links that are left are sorted
(see `runs`). Long windows are built in parts, which are summed and counted in their order, so that
no table has much to do. Ids of 64 bits are numbered first, in their order. The results are those of
the CPU, bit for bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import array_module, check_memory, simulated
from edgewise.base.cuda.kernels import kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import number_of, on, rows_of
from edgewise.sensing.cuda.bucket_tables import table_kernel
from edgewise.sensing.cuda.hash_partition import (
    THREADS,
    Dealt,
    Ends,
    Layout,
    Pairs,
    Tiles,
    deal,
    layout,
)
from edgewise.sensing.cuda.reduce_by_key import count_values, order_of, runs
from edgewise.sensing.links import Links
from edgewise.sensing.quantities import BINS, Distributions, Quantities

__all__ = ["Survey", "build", "ends_of", "measure", "summed", "survey"]

_32 = np.uint64(32)
_PART = 24 if simulated() else 1 << 20  # packets that are counted as one
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
        parts, groups = _parted(bounds)
        found = survey(source, destination, parts)
        keys, packets, owner, starts = _gathered(found)
        if groups is None:
            order = order_of(keys, owner if len(bounds) > 2 else None)
            links = Links(*ends_of(keys[order], names), packets[order])
            return links, starts, found.quantities, found.distributions
        starts = starts[xp.asarray(groups)]
        links, starts = _summed(keys, packets, starts, names)
        return links, starts, *measure(links, starts)


def _parted(bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Bounds with long windows in parts, and where windows begin among them, if any is long."""
    parts = np.maximum(-(-np.diff(bounds) // _PART), 1)
    if len(parts) == 0 or parts.max() == 1:
        return bounds, None
    groups = offsets(parts)
    window = np.repeat(np.arange(len(parts)), parts)
    begun = bounds[window] + (np.arange(len(window)) - groups[window]) * _PART
    return np.append(begun, bounds[-1]), groups


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
    xp, count = array_module(), len(links.source)
    with on(number_of(links.source)):
        facts, counts = _nothing(len(bounds) - 1, xp)
        if count:
            check_memory(count * _SUMMING, "measuring traffic matrices")
            owner = _owners(bounds, count)
            order = order_of(links.destination, owner)
            by_source = runs(links.source, links.packets, bounds)
            by_target = runs(links.destination[order], links.packets[order], bounds)
            before = offsets(links.packets)
            facts[0] = before[bounds[1:]] - before[bounds[:-1]]
            facts[1] = bounds[1:] - bounds[:-1]
            count_values(links.packets, bounds, facts[2], counts[2])
            for found, (fact, rows) in ((by_source, _SOURCES), (by_target, _DESTINATIONS)):
                facts[fact] = found.bounds[1:] - found.bounds[:-1]
                count_values(found.packets, found.bounds, facts[fact + 1], counts[rows[1]])
                count_values(found.items, found.bounds, facts[fact + 2], counts[rows[0]])
    return Quantities(*facts), Distributions(*counts)


def summed(links: Links, bounds: Any, groups: np.ndarray) -> tuple[Links, Any]:
    """The sums of matrices that follow each other, and where each one's links begin."""
    xp = array_module()
    with on(number_of(links.source)):
        check_memory(len(links.source) * _SUMMING, "summing traffic matrices")
        source, destination, names = _numbered(links.source, links.destination, xp)
        keys = (source.astype(np.uint64) << _32) | destination
        return _summed(keys, links.packets, bounds[xp.asarray(groups)], names)


def _summed(keys: Any, packets: Any, bounds: Any, names: Any) -> tuple[Links, Any]:
    """Links in any order inside segments, equal ones summed."""
    if len(keys) == 0:
        return Links(*ends_of(keys, names), packets), bounds
    order = order_of(keys, _owners(bounds, len(keys)))
    keys = keys[order]
    found = runs(keys, packets[order], bounds)
    return Links(*ends_of(keys[found.first], names), found.packets), found.bounds


def _owners(bounds: Any, count: int) -> Any:
    """The segment of each of some items; None if there is one."""
    segments = len(bounds) - 1
    if segments == 1:
        return None
    owner = rows_of(bounds, count, np.int32, array_module())
    return owner.astype(np.min_scalar_type(segments), copy=False)  # which sorts sooner


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


def _gathered(found: Survey) -> tuple[Any, Any, Any, Any]:
    """The links, their packets and their windows side by side, and where each window's begin."""
    xp, (start, stop, *_) = array_module(), found.tiles
    starts = offsets(stop - start)
    count = int(starts[-1])
    keys, packets = xp.empty(count, np.uint64), xp.empty(count, np.int64)
    owner = xp.empty(count, np.min_scalar_type(len(found.plan.first)))
    gather(len(start), THREADS, found.links, start, starts, found.plan.window,
           keys, packets, owner)  # fmt: skip
    return keys, packets, owner, starts[found.plan.first]


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
def gather(links, begun, starts, window, keys, packets, owner):
    """Bring the links of a bucket beside those of the others."""
    me, bucket = cuda.threadIdx.x, cuda.blockIdx.x
    low, here = starts[bucket], begun[bucket]
    for i in range(me, starts[bucket + 1] - low, THREADS):
        keys[low + i] = links.keys[here + i]
        packets[low + i] = links.packets[here + i]
        owner[low + i] = window[bucket]
