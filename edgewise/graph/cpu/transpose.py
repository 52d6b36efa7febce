"""Kernels that turn compressed rows around: the transpose, and both directions of upper rows.

A stable sort of the arcs by column. `tally` counts them by bucket, a range of columns whose output
fits the cache; `scatter` copies the arcs of some buckets to a buffer, bucket by bucket, in the
order of the rows; `place` distributes each bucket to the rows of the result. Nothing depends on
the number of threads. With ``upper`` the rows hold only columns not below their row, and the result
holds both directions: row v gets its smaller neighbors (the transpose's), then its own columns.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.bisection import row_of
from edgewise.base.cpu.sort import deal
from edgewise.base.cpu.team import grab, share

__all__ = ["place", "scatter", "tally"]


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


@kernel
def scatter(
    me, team, control, indptr, indices, weights, upper, shift, count, first, last, base, ends, ids,
    values,
):  # fmt: skip
    """Copy the arcs of buckets ``first`` to ``last - 1``.

    ``ends`` gets column and row as one word, ``ids`` and ``values`` edge ids and weights, if any.
    """
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
        if ids is not None:
            ids[at] = e
        if weights is not None:
            values[at] = weights[e]


@kernel
def place(
    me, team, control, bounds, shift, first, last, base, ends, ids, values, indptr, indices,
    weights, upper, out_indptr, out_indices, out_weights, out_ids,
):  # fmt: skip
    """Write the rows of buckets ``first`` to ``last - 1``; outputs that are None are left out."""
    cursor = np.empty(1 << shift, np.int64)
    while True:
        bucket, end = grab(control, 0, 1, last - first)
        if bucket == end:
            return
        bucket += first
        top = bucket << shift
        rows = min(1 << shift, len(out_indptr) - 1 - top)
        low, high = bounds[bucket] - base, bounds[bucket + 1] - base
        _count(ends, low, high, cursor, top, rows)
        at = bounds[bucket] + (indptr[top] if upper else 0)
        for v in range(rows):
            out_indptr[top + v] = at
            size = cursor[v]
            cursor[v] = at
            at += size + (indptr[top + v + 1] - indptr[top + v] if upper else 0)
        out_indptr[top + rows] = at
        for i in range(low, high):
            v = np.int64(ends[i] >> np.uint64(32)) - top
            at = cursor[v]
            cursor[v] = at + 1
            if out_indices is not None:
                out_indices[at] = ends[i] & np.uint64(0xFFFFFFFF)
            if out_ids is not None:
                out_ids[at] = ids[i]
            if weights is not None:
                out_weights[at] = values[i]
        if out_indices is not None and upper:
            _append(indptr, indices, weights, cursor, top, rows, out_indices, out_weights)


@helper
def _count(ends, low, high, cursor, top, rows):
    cursor[:rows] = 0
    for i in range(low, high):
        cursor[np.int64(ends[i] >> np.uint64(32)) - top] += 1


@helper
def _append(indptr, indices, weights, cursor, top, rows, out_indices, out_weights):
    """Each row's own columns, after the smaller neighbors."""
    for v in range(rows):
        at = cursor[v]
        for e in range(indptr[top + v], indptr[top + v + 1]):
            out_indices[at] = indices[e]
            if weights is not None:
                out_weights[at] = weights[e]
            at += 1
