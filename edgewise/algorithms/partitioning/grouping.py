"""Groups of vertices for a coarser graph, and that graph, on one CPU thread.

Vertices are visited in random order. One that is alone joins the group with the highest rating:
the squared weight of the edges to it, divided by its mass, so that all groups grow alike [1]. A
group may not be heavier than a limit, and lies in one part. Vertices that stay alone because their
best group is full are joined with each other, if they have the same best group (two-hop matching
[2]); so are vertices without edges. Linear time.

[1] L. Gottesbueren, T. Heuer, P. Sanders, S. Schlag. Scalable shared-memory hypergraph
    partitioning. ALENEX 2021.
[2] D. LaSalle, N. Patwary, N. Satish et al. Improving graph partitioning for modern graphs and
    architectures. IA3 2015.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.graph_levels import Level
from edgewise.base.random import draw
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["grouped"]

_draw = inner(draw)
#: Steps between two checks for an interrupt.
_OFTEN = 4095
#: So many neighbors in the order of ids are visited one after another.
_RUN = 16


class _Groups(NamedTuple):
    group: np.ndarray  #: of each vertex, or -1
    order: np.ndarray
    favorite: np.ndarray  #: the best group of each vertex, whether it is too heavy or not
    heavy: np.ndarray  #: the mass of each group
    score: np.ndarray


def grouped(level: Level, part: np.ndarray, most: np.ndarray, seed: Any) -> tuple[np.ndarray, int]:
    """Return the group of each vertex, a number below the count, and the count.

    ``part`` is the part of each vertex, ``most[p]`` the largest mass of a group of part p; where
    that is negative, vertices stay alone.
    """
    n = level.n
    group, order, favorite = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    heavy, score, count = level.mass.copy(), np.zeros(n), np.zeros(1, np.int64)
    groups = _Groups(group, order, favorite, heavy, score)
    state = level, part, most, np.uint64(seed), groups, count
    sequential(_group, state, steps=n, work=n + len(level.indices), phase="group")
    return group, int(count[0])


def _group(control, level, part, most, seed, groups, count):
    indptr, indices, weight, mass = level
    group, order, favorite, heavy, score = groups
    n = len(mass)
    _shuffle(order, seed)
    group[:] = -1
    favorite[:] = -1
    for i in range(n):
        if i & _OFTEN == 0 and not going(control, i):
            return
        v = order[i]
        if group[v] >= 0 or most[part[v]] < 0:
            continue
        best, wished, high, wish = -1, -1, 0.0, 0.0
        p, rest = part[v], most[part[v]] - mass[v]
        low, end = indptr[v], indptr[v + 1]
        for e in range(low, end):
            u = indices[e]
            if part[u] == p:
                score[u if group[u] < 0 else group[u]] += weight[e]
        for e in range(low, end):
            u = indices[e]
            c = u if group[u] < 0 else group[u]
            if score[c] > 0.0:
                rate = score[c] ** 2 / max(heavy[c], 1e-30)
                score[c] = 0.0
                if rate > wish:
                    wished, wish = c, rate
                if heavy[c] <= rest and rate > high:
                    best, high = c, rate
        favorite[v] = wished
        if best >= 0:
            group[best] = best
            group[v] = best
            heavy[best] += mass[v]
    _join_alone(level, part, most, order, group, favorite, heavy, score)
    order[:] = -1
    for v in range(n):
        c = v if group[v] < 0 else group[v]
        if order[c] < 0:
            order[c] = count[0]
            count[0] += 1
        group[v] = order[c]


@inner
def _join_alone(level, part, most, order, group, favorite, heavy, score):
    """Join vertices that are alone and have the same best group; and those without edges."""
    indptr, mass = level.indptr, level.mass
    for i in range(len(order)):
        v = order[i]
        if group[v] >= 0 or most[part[v]] < 0:
            continue
        f = favorite[v]
        if f < 0:
            continue
        w = np.int64(score[f]) - 1  # one that waits for another
        if w >= 0 and heavy[w] + mass[v] <= most[part[v]]:
            group[w] = w
            group[v] = w
            heavy[w] += mass[v]
            score[f] = 0.0
        else:
            score[f] = v + 1.0
    last = -1
    for i in range(len(order)):
        v = order[i]
        if group[v] >= 0 or indptr[v] < indptr[v + 1] or most[part[v]] < 0:
            continue
        if last >= 0 and part[last] == part[v] and heavy[last] + mass[v] <= most[part[v]]:
            group[last] = last
            group[v] = last
            heavy[last] += mass[v]
        else:
            last = v


@inner
def _shuffle(order, seed):
    """A random order of all numbers, in runs of neighbors, which are near in memory."""
    n = len(order)
    runs = (n + _RUN - 1) // _RUN
    for i in range(runs):  # of the runs, in the first places
        j = np.int64(_draw(seed, np.uint64(i), np.uint64(0)) % np.uint64(i + 1))
        order[i] = order[j]
        order[j] = i
    at = n
    for i in range(runs - 1, -1, -1):  # from the end, so that no run is overwritten unread
        low = order[i] * _RUN
        high = min(low + _RUN, n)
        at -= high - low
        for v in range(low, high):
            order[at + v - low] = v
