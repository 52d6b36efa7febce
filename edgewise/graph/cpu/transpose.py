"""Kernels that turn compressed rows around: the transpose, and both directions of upper rows.

A stable sort of the arcs by column. `tally` counts them by bucket, a range of columns whose output
fits the cache; `scatter` copies the arcs of some buckets to a buffer, bucket by bucket, in the
order of the rows; `place` distributes each bucket to the rows of the result. Nothing depends on
the number of threads. With ``upper`` the rows hold only columns not below their row, and the result
holds both directions: row v gets its smaller neighbors (the transpose's), then its own columns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.bisection import row_of
from edgewise.base.cpu.optional import copy_item, put
from edgewise.base.cpu.sort import deal
from edgewise.base.cpu.team import grab, share

__all__ = ["Buckets", "Buffer", "place", "scatter", "tally"]


@kernel
def tally(me, team, control, indptr, indices, upper, shift, count, bounds):
    """Where each bucket begins, and in ``count`` where each thread's part of it does."""
    low, high = share(me, team, len(indices))
    mine, u = count[me], row_of(indptr, 0, len(indptr) - 1, low)
    for e in range(low, high):
        while e >= indptr[u + 1]:
            u += 1
        v = indices[e]
        if not (upper and v == u):
            mine[v >> shift] += 1
    deal(me, team, control, count, bounds)


class Buckets(NamedTuple):
    """Some buckets of ``2**shift`` columns each: which, and where the first one begins."""

    shift: int
    first: int
    last: int
    base: int


class Buffer(NamedTuple):
    """Arcs on their way: column and row as one word, and edge ids and weights, if any."""

    ends: np.ndarray
    ids: Any
    weights: Any


@kernel
def scatter(me, team, control, rows, upper, count, buckets, buffer):
    """Copy the arcs of buckets ``first`` to ``last - 1``."""
    (indptr, indices, weights), (ends, ids, values) = rows, buffer
    shift, first, last, base = buckets
    low, high = share(me, team, len(indices))
    mine, u = count[me], row_of(indptr, 0, len(indptr) - 1, low)
    for e in range(low, high):
        while e >= indptr[u + 1]:
            u += 1
        v = indices[e]
        bucket = v >> shift
        if bucket < first or bucket >= last or (upper and v == u):
            continue
        at = mine[bucket] - base
        mine[bucket] += 1
        ends[at] = (np.uint64(v) << np.uint64(32)) | np.uint64(u)
        put(ids, at, e)
        copy_item(values, at, weights, e)


@kernel
def place(me, team, control, bounds, buckets, buffer, rows, upper, out):
    """Write the rows of buckets ``first`` to ``last - 1``; outputs that are None are left out."""
    (ends, ids, values), (shift, first, last, base) = buffer, buckets
    indptr, (starts, columns, new_weights, new_ids) = rows.indptr, out
    cursor = np.empty(1 << shift, np.int64)
    while True:
        bucket, end = grab(control, 0, 1, last - first)
        if bucket == end:
            return
        bucket += first
        top = bucket << shift
        count = min(1 << shift, len(starts) - 1 - top)
        low, high = bounds[bucket] - base, bounds[bucket + 1] - base
        _count(ends, low, high, cursor, top, count)
        at = bounds[bucket] + (indptr[top] if upper else 0)
        for v in range(count):
            starts[top + v] = at
            size = cursor[v]
            cursor[v] = at
            at += size + (indptr[top + v + 1] - indptr[top + v] if upper else 0)
        starts[top + count] = at
        for i in range(low, high):
            v = np.int64(ends[i] >> np.uint64(32)) - top
            at = cursor[v]
            cursor[v] = at + 1
            put(columns, at, ends[i] & np.uint64(0xFFFFFFFF))
            copy_item(new_ids, at, ids, i)
            copy_item(new_weights, at, values, i)
        if upper:
            _append(rows, cursor, top, count, columns, new_weights)


@helper
def _count(ends, low, high, cursor, top, count):
    cursor[:count] = 0
    for i in range(low, high):
        cursor[np.int64(ends[i] >> np.uint64(32)) - top] += 1


@helper
def _append(rows, cursor, top, count, out_indices, out_weights):
    """Each row's own columns, after the smaller neighbors."""
    if out_indices is None:
        return
    indptr, indices, weights = rows
    for v in range(count):
        at = cursor[v]
        for e in range(indptr[top + v], indptr[top + v + 1]):
            out_indices[at] = indices[e]
            copy_item(out_weights, at, weights, e)
            at += 1
