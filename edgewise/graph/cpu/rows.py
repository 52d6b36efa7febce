"""What kernels ask about rows: which one holds an arc, where a column stands, equal shares."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, inner
from edgewise.base.cpu.team import share

__all__ = ["find", "first_from", "lower_bound", "row_of", "share_rows"]


@helper
def row_of(indptr, e):
    """The row that holds position ``e``; the last one if that is past the end."""
    low, high = 0, len(indptr) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if indptr[middle] <= e:
            low = middle
        else:
            high = middle
    return low


@helper
def share_rows(me, team, indptr):
    """This thread's range of rows ``(low, high)``: about equally many arcs for everyone."""
    rows = len(indptr) - 1
    low, high = share(me, team, indptr[rows] + rows)
    return _row_at(indptr, low), _row_at(indptr, high)


@inner
def first_from(ids, low, end, wanted):
    """The first position from ``low`` on whose id is not below ``wanted``, by steps that double.

    Where one id after the other is looked for, from where the last one was, most are near.
    """
    if low >= end or ids[low] >= wanted:
        return low
    step = np.int64(1)
    while low + step < end and ids[low + step] < wanted:
        low += step
        step <<= 1
    high = min(low + step, end)
    low += 1
    while low < high:
        middle = (low + high) >> 1
        if ids[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def lower_bound(indptr, indices, u, v):
    """The first position in row u whose column is not below v."""
    low, high = indptr[u], indptr[u + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < v:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def find(indptr, indices, u, v):
    """The position of the arc from u to v, or -1."""
    at = lower_bound(indptr, indices, u, v)
    return at if at < indptr[u + 1] and indices[at] == v else -1


@helper
def _row_at(indptr, work):
    """The first row before which at least ``work`` rows and arcs lie."""
    low, high = 0, len(indptr) - 1
    while low < high:
        middle = (low + high) // 2
        if indptr[middle] + middle < work:
            low = middle + 1
        else:
            high = middle
    return low
