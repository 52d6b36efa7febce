"""Kernels that turn a list of edges into compressed rows: `split`, `finish_kernel`, `emit`.

An edge becomes one 64-bit key: its row, its column, and below them ``tag`` bits (one or none) that
say whether it was given the other way round. Keys of edges to be dropped have row ``n``: they sort
last. `split` groups the edges by the top bits of their keys into buckets, in the order of the
input; `finish` sorts each bucket in the cache and merges equal edges, which then stand together in
the order of the input; `emit` copies what is left of the buckets to the final arrays.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import helper, kernel
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
    "combiner",
    "emit",
    "finish_kernel",
    "split",
]

SUM, MIN, MAX, _FIRST = range(4)
COMBINE = {"sum": SUM, "min": MIN, "max": MAX, "first": _FIRST, "error": _FIRST}

#: What `finish` notes for each bucket: arcs, loops, the last arc's row; keys of the first edge
#: that was repeated and of the first whose weight is not stored exactly; -1 where there is none.
FOUND, LOOPS, LAST, REPEATED, OVERFLOW = range(5)


@kernel
def split(
    me, team, control, sources, targets, weights, keys, values, count, bounds, n, width, tag,
    shift, undirected, drop,
):  # fmt: skip
    """Write keys and weights (as plain bits, or None) bucket by bucket."""
    low, high = share(me, team, len(keys))
    mine = count[me]
    for i in range(low, high):
        key = _key(sources[i], targets[i], n, width, tag, undirected, drop)
        mine[key >> np.uint64(shift)] += 1
    if not deal(me, team, control, count, bounds):
        return
    for i in range(low, high):
        key = _key(sources[i], targets[i], n, width, tag, undirected, drop)
        bucket = key >> np.uint64(shift)
        at = mine[bucket]
        mine[bucket] = at + 1
        keys[at] = key
        if weights is not None:
            values[at] = weights[i]


@cache
def finish_kernel(function: Any = None) -> Any:
    """The loop that sorts and merges, for a monoid's function or (None) the ways in `COMBINE`."""
    combine = combiner(function)

    @helper
    def merge(keys, values, low, high, note, n, width, tag, both, wide, how):
        """One arc per group of equal keys, moved to the bucket's front, without its tag.

        With ``both`` an edge stays if it is given in both directions, or is a loop.
        """
        tag, width = np.uint64(tag), np.uint64(width)
        columns = (np.uint64(1) << width) - np.uint64(1)
        at, loops, row = low, 0, np.int64(-1)
        i = low
        while i < high:
            edge = keys[i] >> tag
            u = edge >> width
            if u >= np.uint64(n):
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
                    total, fits = combine(values, i, end, wide, how)
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
    def finish(
        me, team, control, keys, values, bits, bounds, notes, big, n, width, tag, shift, both, wide,
        how,
    ):  # fmt: skip
        """Sort each bucket and merge its equal edges, in place; buckets above ``big`` are sorted.

        ``bits`` are the values as plain bits. ``wide`` holds zero, the least and the greatest value
        of the type in which weights are summed.
        """
        count = np.empty(1 << DIGIT_BITS, np.int64)
        room, spare = keys[:0].copy(), None if bits is None else bits[:0].copy()
        while True:
            bucket, end = grab(control, 0, 1, len(bounds) - 1)
            if bucket == end:
                return
            low, high = bounds[bucket], bounds[bucket + 1]
            size = high - low
            if size <= big:
                if size > len(room):
                    room = np.empty(2 * size, np.uint64)
                    if bits is not None:
                        spare = np.empty(2 * size, bits.dtype)
                if bits is None:
                    sort_bucket(
                        keys[low:high], None, room[:size], None, count, np.uint64(0), tag, shift,
                        False,
                    )  # fmt: skip
                else:
                    sort_bucket(
                        keys[low:high], bits[low:high], room[:size], spare[:size], count,
                        np.uint64(0), tag, shift, False,
                    )  # fmt: skip
            merge(keys, values, low, high, notes[bucket], n, width, tag, both, wide, how)

    return finish


@kernel
def emit(me, team, control, keys, bits, bounds, starts, before, width, indptr, indices, weights):
    """Copy the arcs of each bucket to their place, and note where rows begin.

    ``starts`` are the buckets' places, ``before`` the last row before each bucket.
    """
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
            if bits is not None:
                weights[at] = bits[at + gap]


@helper
def _key(source, target, n, width, tag, undirected, drop):
    """An undirected edge's row is its smaller end."""
    u, v, turned = np.uint64(source), np.uint64(target), np.uint64(0)
    if undirected and v < u:
        u, v, turned = v, u, np.uint64(tag)
    if drop and u == v:
        u = np.uint64(n)
    return (((u << np.uint64(width)) | v) << np.uint64(tag)) | turned


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
