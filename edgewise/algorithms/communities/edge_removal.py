"""Repeated removal of the edge of largest betweenness: compiled loops of `dividing`.

A part is a range of ``order``. A heap holds the parts by the largest betweenness of their edges.
``counts`` are numbers that change: `PARTS`, `SPLITS`, `HEAPED` parts, `WAITING` parts, and whether
the part on top of the stack of waiting ones is `SCORED`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.algorithms.communities.edge_paths import Rows, Search, add_paths, choose, clear
from edgewise.base.heap import binary_heap
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = [
    "PARTS",
    "SCORED",
    "SPLITS",
    "WAITING",
    "Parts",
    "Rows",
    "Search",
    "Splits",
    "divide",
    "score_block",
]

PARTS, SPLITS, HEAPED, WAITING, SCORED = range(5)


class Splits(NamedTuple):
    """Splits in order: the part and the new one, edges between them, and their degree sums."""

    parts: np.ndarray
    between: np.ndarray
    masses: np.ndarray


class Parts(NamedTuple):
    """Parts: ranges of ``order``."""

    order: np.ndarray
    low: np.ndarray
    high: np.ndarray
    of: np.ndarray  # the part of each vertex
    degree: np.ndarray  # of each vertex
    mass: np.ndarray  # the sum of degrees
    best: np.ndarray  # the edge of largest betweenness
    heap: np.ndarray
    key: np.ndarray  # its betweenness, negative
    waiting: np.ndarray  # a stack of parts without betweenness


def _is_before(data, item, other):
    key, best = data[1], data[2]
    return key[item] < key[other] or (key[item] == key[other] and best[item] < best[other])


def _at(data, i):
    return data[0][i]


def _put(data, i, item):
    data[0][i] = item


_rise, _sink = binary_heap(_is_before, _at, _put, inner)


def score_block(i, rows, parts, search, low, high, first, last, blocks):
    """Add the paths from every 16th vertex to those of block i."""
    if first == low:
        clear(rows, parts.order, low, high, search.score, i * (len(rows.ends) // 2))
    for at in range(first + i, last, blocks):
        add_paths(rows, search, i, parts.order[at])


def divide(control, rows, parts, search, splits, counts, most, large, blocks):
    """Remove edges until there are enough parts, none is left, or a large part waits for others."""
    order, low, high, best, heap, waiting = (parts.order, parts.low, parts.high, parts.best,
                                             parts.heap, parts.waiting)  # fmt: skip
    data = heap, parts.key, best
    while counts[PARTS] < most:
        while counts[WAITING] > 0:
            c = waiting[counts[WAITING] - 1]
            arcs = 0
            for at in range(low[c], high[c]):
                arcs += rows.last[order[at]] - rows.indptr[order[at]]
            count = 1
            if arcs * (high[c] - low[c]) > large:
                if not counts[SCORED]:
                    return
                count = blocks
            else:
                clear(rows, order, low[c], high[c], search.score, 0)
                for at in range(low[c], high[c]):
                    add_paths(rows, search, 0, order[at])
            counts[SCORED] = 0
            counts[WAITING] -= 1
            best[c], most_between = choose(rows, order, low[c], high[c], search.score, count)
            parts.key[c] = -most_between
            _rise(data, counts[HEAPED], c)
            counts[HEAPED] += 1
            if not going(control, counts[PARTS]):
                return
        if counts[HEAPED] == 0:
            return
        c = np.int64(heap[0])
        counts[HEAPED] -= 1
        _sink(data, 0, counts[HEAPED], heap[counts[HEAPED]])
        m = len(rows.ends) // 2
        u, v = rows.ends[best[c]], rows.ends[m + best[c]]
        _remove(rows, u, best[c])
        _remove(rows, v, best[c])
        size = _reach(rows, search, u, v)
        if size >= 0:
            _split(rows, parts, search, splits, counts, c, size)
            _wait(rows, parts, counts, counts[PARTS] - 1)
        _wait(rows, parts, counts, c)


@inner
def _wait(rows, parts, counts, c):
    """Put a part on the stack if it has an edge."""
    v = parts.order[parts.low[c]]
    if rows.last[v] > rows.indptr[v]:  # connected: every vertex has one, or there is one vertex
        parts.waiting[counts[WAITING]] = c
        counts[WAITING] += 1


@inner
def _remove(rows, v, edge):
    """Put an arc of v behind the others that are left."""
    e = rows.indptr[v]
    while rows.edge[e] != edge:
        e += 1
    target, end = rows.indices[e], rows.last[v] - 1
    while e < end:
        rows.indices[e], rows.edge[e] = rows.indices[e + 1], rows.edge[e + 1]
        e += 1
    rows.indices[end], rows.edge[end] = target, edge
    rows.last[v] = end


@inner
def _reach(rows, search, u, v):
    """Search from u: -1 if that reaches v, else the number of vertices, which stay marked."""
    depth, queue = search.depth, search.queue
    depth[u], queue[0] = 0, u
    size, i = 1, 0
    while i < size and depth[v] < 0:
        for e in range(rows.indptr[queue[i]], rows.last[queue[i]]):
            x = rows.indices[e]
            if depth[x] < 0:
                depth[x], queue[size] = 0, x
                size += 1
        i += 1
    if depth[v] < 0:
        return size
    for i in range(size):
        depth[queue[i]] = -1
    return -1


@inner
def _split(rows, parts, search, splits, counts, c, size):
    """Make a new part of the vertices that are not marked, and clear the marks."""
    order, low, high, of, mass = parts.order, parts.low, parts.high, parts.of, parts.mass
    new, at, left = counts[PARTS], low[c], 0
    for i in range(low[c], high[c]):  # the marked ones first, all in order
        v = order[i]
        if search.depth[v] == 0:
            order[at], at = v, at + 1
        else:
            search.queue[size + left], left = v, left + 1
    for i in range(left):
        order[at + i] = search.queue[size + i]
        of[order[at + i]] = new
    low[new], high[new], high[c] = at, high[c], at
    between, mass[new] = 0, 0.0
    for i in range(low[new], high[new]):
        v = order[i]
        mass[new] += parts.degree[v]
        for e in range(rows.indptr[v], rows.indptr[v + 1]):
            between += of[rows.indices[e]] == c
    mass[c] -= mass[new]
    for i in range(size):
        search.depth[search.queue[i]] = -1
    at = counts[SPLITS]
    splits.parts[at, 0], splits.parts[at, 1], splits.between[at] = c, new, between
    splits.masses[at, 0], splits.masses[at, 1] = mass[c], mass[new]
    counts[SPLITS] += 1
    counts[PARTS] += 1
