"""Kernels that turn a list of edges into compressed rows: `split`, `finish_kernel`, `emit`.

An edge becomes one 64-bit key: its row, its column, and below them ``tag`` bits (one or none) that
say whether it was given the other way round. Keys of edges to be dropped have row ``n``: they sort
last. `split` groups the edges by the top bits of their keys into buckets, in the order of the
input; `finish` sorts each bucket in the cache and merges equal edges, which then stand together in
the order of the input; `emit` copies what is left of the buckets to the final arrays.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.optional import copy_item, empty_like, part
from edgewise.base.cpu.sort import DIGIT_BITS, deal, sort_bucket
from edgewise.base.cpu.team import grab, share

__all__ = [
    "COMBINE",
    "FOUND",
    "LAST",
    "LOOPS",
    "MAX",
    "MIN",
    "OVERFLOW",
    "REPEATED",
    "SUM",
    "Combining",
    "Layout",
    "combiner",
    "emit",
    "finish_kernel",
    "split",
]

SUM, MIN, MAX, _FIRST = range(4)
COMBINE = {"sum": SUM, "min": MIN, "max": MAX, "first": _FIRST, "raise": _FIRST}

#: What `finish` notes for each bucket: arcs, loops, the last arc's row; keys of the first edge
#: that was repeated and of the first whose weight is not stored exactly; -1 where there is none.
FOUND, LOOPS, LAST, REPEATED, OVERFLOW = range(5)


class Layout(NamedTuple):
    """How an edge becomes a key, and which bits of a key say its bucket."""

    n: int  #: vertices; also the row of an edge that is dropped
    width: int  #: bits of a row or column
    tag: int  #: bits of the tag: 1 if only edges that are given in both directions stay, else 0
    shift: int  #: the lowest bit of a bucket's number
    undirected: bool  #: an edge's row is its smaller end
    drop: bool  #: loops are dropped


class Combining(NamedTuple):
    """How the weights of equal edges become one.

    ``wide`` holds zero, the least and the greatest value of the type in which weights are summed.
    """

    wide: tuple
    how: int  #: one of `COMBINE`


@kernel
def split(me, team, control, edges, items, count, bounds, layout):
    """Write keys and weights (as plain bits, or None) bucket by bucket."""
    (sources, targets, weights), (keys, values) = edges, items
    low, high = share(me, team, len(keys))
    mine, shift = count[me], np.uint64(layout.shift)
    for i in range(low, high):
        mine[_key(sources[i], targets[i], layout) >> shift] += 1
    if not deal(me, team, control, count, bounds):
        return
    for i in range(low, high):
        key = _key(sources[i], targets[i], layout)
        bucket = key >> shift
        at = mine[bucket]
        mine[bucket] = at + 1
        keys[at] = key
        copy_item(values, at, weights, i)


@cache
def finish_kernel(function: Any = None) -> Any:
    """The loop that sorts and merges, for a monoid's function or (None) the ways in `COMBINE`."""
    combine = combiner(function)

    @helper
    def merge(keys, values, low, high, note, layout, combining):
        """One arc per group of equal keys, moved to the bucket's front, without its tag.

        With a tag an edge stays if it is given in both directions, or is a loop.
        """
        n, tag, width = np.uint64(layout.n), np.uint64(layout.tag), np.uint64(layout.width)
        both = tag != np.uint64(0)
        columns = (np.uint64(1) << width) - np.uint64(1)
        at, loops, row = low, 0, np.int64(-1)
        i = low
        while i < high:
            edge = keys[i] >> tag
            u = edge >> width
            if u >= n:
                break
            end, ways = i + 1, np.uint64(1) << (keys[i] & np.uint64(1))
            while end < high and keys[end] >> tag == edge:
                ways |= np.uint64(1) << (keys[end] & np.uint64(1))
                end += 1
            if end > i + 1 and note[REPEATED] < 0:
                note[REPEATED] = np.int64(edge)
            loop = u == edge & columns
            if not both or loop or ways == np.uint64(3):
                if values is not None and end == i + 1:
                    values[at] = values[i]
                elif values is not None:
                    total, fits = combine(values, i, end, combining.wide, combining.how)
                    values[at] = total
                    if not (fits and values[at] == total) and note[OVERFLOW] < 0:
                        note[OVERFLOW] = np.int64(edge)
                keys[at] = edge
                at += 1
                loops += loop
                row = np.int64(u)
            i = end
        note[FOUND], note[LOOPS], note[LAST] = at - low, loops, row

    @kernel
    def finish(me, team, control, items, values, bounds, notes, big, layout, combining):
        """Sort each bucket and merge its equal edges, in place; buckets above ``big`` are sorted.

        The payload of the items are the values as plain bits.
        """
        (keys, bits), (tag, shift) = items, (layout.tag, layout.shift)
        count = np.empty(1 << DIGIT_BITS, np.int64)
        spare_keys, spare_bits = empty_like(keys, 0), empty_like(bits, 0)
        while True:
            bucket, end = grab(control, 0, 1, len(bounds) - 1)
            if bucket == end:
                return
            low, high = bounds[bucket], bounds[bucket + 1]
            size = high - low
            if size <= big:
                if size > len(spare_keys):
                    spare_keys, spare_bits = empty_like(keys, 2 * size), empty_like(bits, 2 * size)
                sort_bucket(
                    keys[low:high], part(bits, low, high), spare_keys[:size],
                    part(spare_bits, 0, size), count, np.uint64(0), tag, shift, False,
                )  # fmt: skip
            merge(keys, values, low, high, notes[bucket], layout, combining)

    return finish


@kernel
def emit(me, team, control, items, bounds, starts, before, width, rows):
    """Copy the arcs of each bucket to their place, and note where rows begin.

    ``starts`` are the buckets' places, ``before`` the last row before each bucket.
    """
    (keys, bits), (indptr, indices, weights) = items, rows
    columns = np.uint64((1 << width) - 1)
    while True:
        bucket, end = grab(control, 0, 1, len(bounds) - 1)
        if bucket == end:
            return
        row, gap = before[bucket], bounds[bucket] - starts[bucket]
        for at in range(starts[bucket], starts[bucket + 1]):
            edge = keys[at + gap]
            u = np.int64(edge >> np.uint64(width))
            while row < u:
                row += 1
                indptr[row] = at
            indices[at] = edge & columns
            copy_item(weights, at, bits, at + gap)


@helper
def _key(source, target, layout):
    """The key of an edge: its row, its column, and whether it was turned around."""
    u, v, turned, tag = np.uint64(source), np.uint64(target), np.uint64(0), np.uint64(layout.tag)
    if layout.undirected and v < u:
        u, v, turned = v, u, tag
    if layout.drop and u == v:
        u = np.uint64(layout.n)
    return (((u << np.uint64(layout.width)) | v) << tag) | turned


@cache
def combiner(function: Any = None) -> Any:
    """``combine(values, i, end, wide, how)`` of a group: its one weight, and whether that fits."""
    if function is None:
        return _combine
    one = helper(function)

    @helper
    def combine(values, i, end, wide, how):
        for j in range(i + 1, end):
            values[i] = one(values[i], values[j])
        return values[i], True

    return combine


@helper
def _combine(values, i, end, wide, how):
    """One weight for the group, in a wide type; and whether all sums fit that."""
    zero, least, most = wide
    total, fits = zero + values[i], True
    if how == SUM:
        for j in range(i + 1, end):
            value = zero + values[j]
            if (value > 0 and total > most - value) or (value < 0 and total < least - value):
                fits = False
            total += value
    elif how == MIN:
        for j in range(i + 1, end):
            value = zero + values[j]
            if value < total or value != value:
                total = value
    elif how == MAX:
        for j in range(i + 1, end):
            value = zero + values[j]
            if value > total or value != value:
                total = value
    return total, fits
