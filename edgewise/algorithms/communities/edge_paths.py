"""The betweenness of edges while edges are removed, by Brandes' accumulation [1].

A row keeps its removed arcs behind the others. Path counts are scaled down by levels where they
would overflow: only ratios of neighboring levels count.

[1] U. Brandes. A faster algorithm for betweenness centrality. J. Math. Sociology 25(2), 2001.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.operators.helpers import inner

__all__ = ["Rows", "Search", "add_paths", "choose", "clear"]

#: Numbers of paths above this are scaled down, to no less than the inverse of its square.
_MANY = 1e150


class Rows(NamedTuple):
    """The arcs of each vertex: those up to ``last`` are left, and others removed."""

    indptr: np.ndarray
    last: np.ndarray
    indices: np.ndarray
    edge: np.ndarray  # of each arc
    ends: np.ndarray  # the two ends of each edge, in one array


class Search(NamedTuple):
    """Scratch of each block: arrays over vertices, and the betweenness over edges."""

    depth: np.ndarray
    paths: np.ndarray
    share: np.ndarray
    scale: np.ndarray  # of each depth
    queue: np.ndarray
    score: np.ndarray


@inner
def clear(rows, order, low, high, score, base):
    """Set the scores of the edges of a part to 0."""
    for at in range(low, high):
        v = order[at]
        for e in range(rows.indptr[v], rows.last[v]):
            score[base + rows.edge[e]] = 0.0


@inner
def add_paths(rows, search, block, source):
    """Add the shares of the shortest paths from a source to the score of their edges (Brandes)."""
    indptr, last, indices, edge, ends = rows
    depth, paths, share, scale, queue, score = search
    n, m = len(last), len(ends) // 2
    base, top, sums = block * n, block * (n + 1), block * m
    depth[base + source], paths[base + source], queue[base] = 0, 1.0, source
    size, first, level = 1, 0, 0
    while first < size:
        following, most = size, 0.0
        for i in range(first, following):
            most = max(most, paths[base + queue[base + i]])
            share[base + queue[base + i]] = 0.0
        scale[top + level] = 1.0 / most if most > _MANY else 1.0
        for i in range(first, following):
            u = queue[base + i]
            count = max(paths[base + u] * scale[top + level], 1.0 / _MANY**2)
            for e in range(indptr[u], last[u]):
                v = indices[e]
                if depth[base + v] < 0:
                    depth[base + v], paths[base + v], queue[base + size] = level + 1, 0.0, v
                    size += 1
                if depth[base + v] == level + 1:
                    paths[base + v] += count
        first, level = following, level + 1
    for i in range(size - 1, 0, -1):
        v = queue[base + i]
        above = depth[base + v] - 1
        part = (1.0 + share[base + v]) / paths[base + v]
        for e in range(indptr[v], last[v]):
            u = indices[e]
            if depth[base + u] == above:
                amount = part * max(paths[base + u] * scale[top + above], 1.0 / _MANY**2)
                share[base + u] += amount
                score[sums + edge[e]] += amount
    for i in range(size):
        depth[base + queue[base + i]] = -1


@inner
def choose(rows, order, low, high, score, count):
    """Find the edge of largest betweenness: the first of those that agree to 32 bits."""
    m = len(rows.ends) // 2
    best, most = -1, -1.0
    for at in range(low, high):
        v = order[at]
        for e in range(rows.indptr[v], rows.last[v]):
            edge, total = rows.edge[e], 0.0
            for block in range(count):
                total += score[block * m + edge]
            spread = total * 2097153.0  # 2**21 + 1
            total = spread - (spread - total)
            if total > most or (total == most and edge < best):
                best, most = edge, total
    return best, most
