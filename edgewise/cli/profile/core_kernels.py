"""Compiled parts of a profile: core numbers and mutual arcs.

Core numbers come from peeling vertices in the order of their remaining degrees [1]. Vertices lie
sorted by remaining degree, ``start[d]`` being where degree d begins. The first is taken; each
neighbor that still has a larger degree moves to the front of its group, and the group's start steps
past it: that lowers its degree by one. Linear work; one thread.

An arc u -> v is mutual if v -> u exists too: v then stands in u's row and in u's row of the
transpose, both sorted, so merging the two counts them. Linear work; all threads.

[1] V. Batagelj, M. Zaversnik. An O(m) algorithm for cores decomposition of networks. 2003.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.team import grab, stopped
from edgewise.base.offsets import offsets
from edgewise.base.threads import get_threads, launch, threads

__all__ = ["core_numbers", "mutual_arcs"]


def core_numbers(indptr: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """The core number of every vertex of an undirected graph without loops.

    >>> indices = np.array([1, 2, 0, 2, 0, 1, 3, 2], np.int32)
    >>> core_numbers(np.array([0, 2, 4, 7, 8]), indices).tolist()
    [2, 2, 2, 1]
    """
    degree = np.diff(indptr)
    order = np.argsort(degree, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    start = offsets(np.bincount(degree, minlength=1))
    with threads(1):
        launch(_peel, indptr, indices, degree, order, place, start)
    return degree


def mutual_arcs(indptr, indices, transposed_indptr, transposed_indices) -> int:
    """How many arcs of a directed graph, loops aside, have their opposite.

    >>> there = np.array([0, 1, 3]), np.array([1, 0, 1], np.int32)  # 0 -> 1, 1 -> 0, 1 -> 1
    >>> mutual_arcs(*there, *there)
    2
    """
    found = np.zeros(get_threads(), np.int64)
    rows = (indptr, indices, transposed_indptr, transposed_indices)
    launch(_merge, *rows, found, work=len(indices), team=len(found))
    return int(found.sum())


@kernel
def _peel(me, team, control, indptr, indices, degree, order, place, start):
    for i in range(len(order)):
        if i & 1023 == 0 and stopped(control):
            return
        v = order[i]
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            d = degree[u]
            if d > degree[v]:
                first = start[d]
                w, p = order[first], place[u]
                order[first], order[p] = u, w
                place[u], place[w] = first, p
                start[d] = first + 1
                degree[u] = d - 1


@kernel
def _merge(me, team, control, indptr, indices, transposed_indptr, transposed_indices, found):
    total = 0
    while True:
        low, high = grab(control, 0, 512, len(indptr) - 1)
        if low == high:
            break
        for v in range(low, high):
            i, j = indptr[v], transposed_indptr[v]
            while i < indptr[v + 1] and j < transposed_indptr[v + 1]:
                a, b = indices[i], transposed_indices[j]
                if a == b and a != v:
                    total += 1
                i += a <= b
                j += b <= a
    found[me] = total
