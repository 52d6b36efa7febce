"""Kernels of `edgewise.graph.orient`."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.insertion import sort_few
from edgewise.base.cpu.sort import deal
from edgewise.base.cpu.team import grab, share

__all__ = ["count", "fill", "rank_by_degree"]

_SHORT = 24


@kernel
def rank_by_degree(me, team, control, indptr, places, bounds, order, rank):
    """Number the vertices by falling degree, equal ones by id: a counting sort.

    ``places`` has zeros for each thread and for as many degrees as there may be, ``bounds`` is one
    longer.
    """
    low, high = share(me, team, len(order))
    most = places.shape[1] - 1
    for v in range(low, high):
        places[me, most - (indptr[v + 1] - indptr[v])] += 1
    if not deal(me, team, control, places, bounds):
        return
    for v in range(low, high):
        fewer = most - (indptr[v + 1] - indptr[v])
        new = places[me, fewer]
        places[me, fewer] = new + 1
        order[new], rank[v] = v, new


@kernel
def count(me, team, control, indptr, indices, order, rank, counts):
    """How many edges leave every vertex, in its new place."""
    while True:
        low, high = grab(control, 0, 512, len(order))
        if low == high:
            break
        for new in range(low, high):
            old = np.int64(order[new])
            found = 0
            for e in range(indptr[old], indptr[old + 1]):
                found += rank[indices[e]] < new
            counts[new] = found


@kernel
def fill(me, team, control, indptr, indices, order, rank, starts, result):
    """Write the rows, ascending."""
    while True:
        low, high = grab(control, 0, 512, len(order))
        if low == high:
            break
        for new in range(low, high):
            old, at = np.int64(order[new]), starts[new]
            for e in range(indptr[old], indptr[old + 1]):
                other = rank[indices[e]]
                if other < new:
                    result[at] = other
                    at += 1
            _sort(result[starts[new] : at])


@helper
def _sort(row):
    if len(row) > _SHORT:
        row.sort()
        return
    sort_few(row, 0, len(row))
