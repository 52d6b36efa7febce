"""Marks on the members of one list, and searches in ascending lists, for `intersect`."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.bisection import lower_bound
from edgewise.base.cpu.bit_blocks import nearby, reach

__all__ = ["below", "count_marked", "is_marked", "mark", "unmark"]

#: Lists up to this length are walked, not searched.
_FEW = 16


@inner
def below(indices, low, high, v):
    """The end of those in the ascending ``indices[low:high]`` that are less than ``v``."""
    if low == high or np.int64(indices[high - np.uint64(1)]) < v:
        return high
    if high - low < np.uint64(_FEW):
        while low < high and np.int64(indices[low]) < v:
            low += np.uint64(1)
        return low
    return np.uint64(lower_bound(indices, low, high, np.uint64(v)))


# Marks are words of 32 bits and all arithmetic is cast to 32 bits: only so does LLVM turn the
# counting loop into vector gathers, 1.7 times as fast as words of 64.
@inner
def is_marked(marks, w):
    """Is ``w`` marked? 1 or 0."""
    return (marks[np.uint32(w >> np.uint32(5))] >> np.uint32(w & np.uint32(31))) & np.uint32(1)


@inlined
def count_marked(marks, indices, first, last):
    """How many of ``indices[first:last]`` are marked."""
    found = np.int64(0)
    while first < last:
        stop = reach(indices, first, last)
        found += _count(marks, nearby(indices, first, stop)[first:stop], np.int64(stop - first))
        first = stop
    return found


@inner
def _count(marks, row, size):
    found = np.uint32(0)
    for i in range(size):
        found = np.uint32(found + np.uint32(is_marked(marks, row[i])))
    return np.int64(found)


@inner
def mark(marks, u, indptr, indices):
    """Mark the neighbors of ``u``."""
    e, end = np.uint64(indptr[u]), np.uint64(indptr[u + 1])
    while e < end:
        stop = reach(indices, e, end)
        near = nearby(indices, e, stop)
        while e < stop:
            w = near[e]
            marks[np.uint32(w >> np.uint32(5))] |= np.uint32(1) << np.uint32(w & np.uint32(31))
            e += np.uint64(1)


@inner
def unmark(marks, u, indptr, indices):
    """Take the marks on the neighbors of ``u`` back; of nobody if that is negative."""
    if u >= 0:
        e, end = np.uint64(indptr[u]), np.uint64(indptr[u + 1])
        while e < end:
            stop = reach(indices, e, end)
            near = nearby(indices, e, stop)
            while e < stop:
                marks[np.uint32(near[e] >> np.uint32(5))] = 0
                e += np.uint64(1)
