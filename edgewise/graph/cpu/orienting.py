"""Kernels of `edgewise.graph.orient`."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.insertion import sort_few
from edgewise.base.cpu.team import barrier, grab, share

__all__ = ["count", "fill", "rank_by_degree"]

_SHORT = 24


@kernel
def rank_by_degree(me, team, control, indptr, places, order, rank):
    """Number the vertices by falling degree, equal ones by id: a counting sort."""
    low, high = share(me, team, len(order))
    for v in range(low, high):
        places[me, indptr[v + 1] - indptr[v]] += 1
    if not barrier(control, team):
        return
    if me == 0:
        at = np.int64(0)
        for degree in range(places.shape[1] - 1, -1, -1):
            for other in range(team):
                size = places[other, degree]
                places[other, degree] = at
                at += size
    if not barrier(control, team):
        return
    for v in range(low, high):
        degree = indptr[v + 1] - indptr[v]
        new = places[me, degree]
        places[me, degree] = new + 1
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
