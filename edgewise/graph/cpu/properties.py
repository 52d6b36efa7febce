"""Kernels over sorted rows: their longest, how many have a self-loop, and their upper half."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.optional import copy_item
from edgewise.base.cpu.team import barrier, share
from edgewise.graph.cpu.row_search import find_edge, first_edge, share_rows

__all__ = ["count_loops", "highest_degree", "upper"]


@kernel
def count_loops(me, team, control, indptr, indices, loops):
    """Per thread: how many of its vertices have an arc to themselves."""
    low, high = share_rows(me, team, indptr)
    count = 0
    for u in range(low, high):
        if find_edge(indptr, indices, u, u) >= 0:
            count += 1
    loops[me] = count


@kernel
def upper(me, team, control, rows, start, sums, edges):
    """Arcs whose target is not below their source, as a list of edges.

    ``start`` has an entry per vertex, ``sums`` one per thread.
    """
    (indptr, indices, weights), (sources, targets, values) = rows, edges
    low, high = share_rows(me, team, indptr)
    total = 0
    for u in range(low, high):
        start[u] = first_edge(indptr, indices, u, u)
        total += indptr[u + 1] - start[u]
    sums[me] = total
    if not barrier(control, team):
        return
    total = 0
    for member in range(me):
        total += sums[member]
    for u in range(low, high):
        for e in range(start[u], indptr[u + 1]):
            sources[total], targets[total] = u, indices[e]
            copy_item(values, total, weights, e)
            total += 1


@kernel
def highest_degree(me, team, control, indptr, found):
    """The highest degree in every thread's part."""
    low, high = share(me, team, len(indptr) - 1)
    most = np.int64(0)
    for v in range(low, high):
        most = max(most, indptr[v + 1] - indptr[v])
    found[me] = most
