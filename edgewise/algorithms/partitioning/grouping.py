"""Groups of vertices for a coarser graph, and that graph, on one CPU thread.

Vertices are visited in random order. One that is alone joins the group with the highest rating: the
squared weight of the edges to it, divided by its mass, so that all groups grow alike [1]. A group may not be
heavier than a limit, and lies in one part. Vertices that stay alone because their best group is full
are joined with each other, if they have the same best group (two-hop matching [2]); so are vertices
without edges. Linear time.

[1] L. Gottesbueren, T. Heuer, P. Sanders, S. Schlag. Scalable shared-memory hypergraph partitioning.
    ALENEX 2021.
[2] D. LaSalle, N. Patwary, N. Satish et al. Improving graph partitioning for modern graphs and
    architectures. IA3 2015.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.random import draw
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["Level", "coarser", "grouped", "inside", "merged"]

_draw = inner(draw)
#: Steps between two checks for an interrupt.
_OFTEN = 4095


class Level(NamedTuple):
    """A graph without self-loops: rows of arcs, their weights, and the masses of vertices."""

    indptr: Any
    indices: Any
    weight: Any
    mass: Any

    @property
    def n(self) -> int:
        """The number of vertices."""
        return len(self.mass)


def coarser(
    level: Level, part: np.ndarray, most: np.ndarray, seed: Any
) -> tuple[Level, np.ndarray]:
    """Return the coarser graph, and its vertex for each vertex of the level.

    ``part`` is the part of each vertex, ``most[p]`` the largest mass of a group of part p.
    """
    group, count = grouped(level, part, most, seed)
    return merged(level, group, count), group


def grouped(level: Level, part: np.ndarray, most: np.ndarray, seed: Any) -> tuple[np.ndarray, int]:
    """Return the group of each vertex, a number below the count, and the count."""
    n = level.n
    group, order, favorite = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    heavy, score, count = level.mass.copy(), np.zeros(n), np.zeros(1, np.int64)
    state = level, part, most, np.uint64(seed), group, order, favorite, heavy, score
    sequential(_group, (*state, count), steps=n, work=n + len(level.indices), phase="group")
    return group, int(count[0])


def _group(control, level, part, most, seed, group, order, favorite, heavy, score, count):
    indptr, indices, weight, mass = level
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
        p, room = part[v], most[part[v]] - mass[v]
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
                if heavy[c] <= room and rate > high:
                    best, high = c, rate
        favorite[v] = wished
        if best >= 0:
            group[best] = best
            group[v] = best
            heavy[best] += mass[v]
    _join_alone(level, part, most, order, group, favorite, heavy)
    order[:] = -1
    for v in range(n):
        c = v if group[v] < 0 else group[v]
        if order[c] < 0:
            order[c] = count[0]
            count[0] += 1
        group[v] = order[c]


@inner
def _join_alone(level, part, most, order, group, favorite, heavy):
    """Join vertices that are alone and have the same best group; and those without edges."""
    indptr, mass = level.indptr, level.mass
    for i in range(len(order)):
        v = order[i]
        if group[v] >= 0 or most[part[v]] < 0:
            continue
        f = favorite[v]
        if f < 0:
            continue
        w = -favorite[f] - 2 if group[f] >= 0 and favorite[f] < -1 else -1
        if w >= 0 and group[w] < 0 and w != v and heavy[w] + mass[v] <= most[part[v]]:
            group[w] = w
            group[v] = w
            heavy[w] += mass[v]
            favorite[f] = -1
        elif group[f] >= 0:
            favorite[f] = -v - 2
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
    """A random order of all numbers."""
    for i in range(len(order)):
        j = np.int64(_draw(seed, np.uint64(i), np.uint64(0)) % np.uint64(i + 1))
        order[i] = order[j]
        order[j] = i


def merged(level: Level, group: np.ndarray, count: int) -> Level:
    """Return the graph with each group merged into one vertex; edges inside it are left out."""
    arcs, n = len(level.indices), level.n
    indptr, indices = np.empty(count + 1, np.int64), np.empty(arcs, level.indices.dtype)
    weight, mass = np.empty(arcs), np.empty(count)
    first, after, place = (
        np.empty(count, np.int32),
        np.empty(n, np.int32),
        np.empty(count, np.int64),
    )
    state = level, group, Level(indptr, indices, weight, mass), first, after, place
    sequential(_merge, state, steps=count, work=n + arcs, phase="merge")
    size = indptr[-1]
    return Level(indptr, indices[:size].copy(), weight[:size].copy(), mass)


def _merge(control, level, group, small, first, after, place):
    indptr, indices, weight, mass = level
    first[:] = -1
    for v in range(len(mass) - 1, -1, -1):  # lists of members in ascending order
        after[v] = first[group[v]]
        first[group[v]] = v
    place[:] = -1
    at = np.int64(0)
    small.indptr[0] = 0
    for c in range(len(first)):
        if c & _OFTEN == 0 and not going(control, c):
            return
        begin, total, v = at, 0.0, first[c]
        while v >= 0:
            total += mass[v]
            for e in range(indptr[v], indptr[v + 1]):
                d = group[indices[e]]
                if d == c:
                    continue
                if place[d] < begin:
                    place[d] = at
                    small.indices[at] = d
                    small.weight[at] = weight[e]
                    at += 1
                else:
                    small.weight[place[d]] += weight[e]
            v = after[v]
        small.mass[c] = total
        small.indptr[c + 1] = at


def inside(level: Level, part: np.ndarray) -> Level:
    """Return the graph without the edges between parts."""
    arcs = len(level.indices)
    indptr, indices, weight = (
        np.empty_like(level.indptr),
        np.empty_like(level.indices),
        np.empty(arcs),
    )
    sequential(
        _keep, (level, part, indptr, indices, weight), steps=level.n, work=arcs, phase="split"
    )
    size = indptr[-1]
    return Level(indptr, indices[:size], weight[:size], level.mass)


def _keep(control, level, part, indptr, indices, weight):
    at = np.int64(0)
    indptr[0] = 0
    for v in range(len(level.mass)):
        if v & _OFTEN == 0 and not going(control, v):
            return
        for e in range(level.indptr[v], level.indptr[v + 1]):
            if part[level.indices[e]] == part[v]:
                indices[at] = level.indices[e]
                weight[at] = level.weight[e]
                at += 1
        indptr[v + 1] = at
