"""Paths and cycles with two colors: what breaks a star or an acyclic coloring.

Edges are sorted by the colors of their ends. Those of one pair of colors form a subgraph. A
distance-1 coloring is a star coloring if every edge of each such subgraph has an end of degree one
in it, and an acyclic coloring if every such subgraph is a forest. O(m log m) time on one CPU
thread.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from edgewise.graph import Graph
from edgewise.operators.sequential import going, sequential

__all__ = ["find_cycle", "find_path"]


def find_path(graph: Graph, color: Any) -> tuple[int, ...]:
    """Return four vertices of a path with two colors, or an empty tuple.

    >>> from edgewise.generators import path
    >>> find_path(path(4), np.array([0, 1, 0, 1])), find_path(path(4), np.array([0, 1, 2, 0]))
    ((0, 1, 2, 3), ())
    """
    edges = _by_pair(graph, color)
    at = _search(_find_middle, graph, *edges)
    if at < 0:
        return ()
    u, v = int(edges[0][at]), int(edges[1][at])
    rows = _neighbors(*edges, at, len(edges[0]))
    return min(w for w in rows[u] if w != v), u, v, min(w for w in rows[v] if w != u)


def find_cycle(graph: Graph, color: Any) -> tuple[int, ...]:
    """Return the vertices of a cycle with two colors, or an empty tuple.

    >>> from edgewise.generators import cycle
    >>> find_cycle(cycle(4), np.array([0, 1, 0, 1])), find_cycle(cycle(4), np.array([0, 1, 0, 2]))
    ((2, 1, 0, 3), ())
    """
    edges = _by_pair(graph, color)
    at = _search(_find_closing, graph, *edges)
    if at < 0:
        return ()
    u, v = int(edges[0][at]), int(edges[1][at])
    rows, before, waiting = _neighbors(*edges, at, at), {u: u}, deque([u])
    while v not in before:
        w = waiting.popleft()
        for x in rows.get(w, ()):
            if x not in before:
                before[x] = w
                waiting.append(x)
    found = [v]
    while found[-1] != u:
        found.append(before[found[-1]])
    return tuple(found[::-1])


def _by_pair(graph: Graph, color: Any) -> tuple[Any, Any, Any]:
    """Return the edges sorted by the colors of their ends, and where each pair of colors begins.

    Loops are left out, and of parallel edges, which are adjacent, all but one.
    """
    u, v, _ = graph.edges()
    kept = u != v
    kept[1:] &= (u[1:] != u[:-1]) | (v[1:] != v[:-1])
    u, v = u[kept].astype(np.int64), v[kept].astype(np.int64)
    low, high = np.minimum(color[u], color[v]), np.maximum(color[u], color[v])
    order = np.lexsort((high, low))
    u, v, low, high = u[order], v[order], low[order], high[order]
    begins = np.ones(len(u), bool)
    begins[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    return u, v, np.append(np.flatnonzero(begins), len(u))


def _search(function: Any, graph: Graph, u: Any, v: Any, starts: Any) -> int:
    """Return the first edge that a search finds; -1 if there is none."""
    found, scratch = np.full(1, -1), np.full((2, graph.num_vertices), -1)
    sequential(function, (u, v, starts, scratch, found), steps=len(u), work=4 * len(u) + 1)
    return int(found[0])


def _neighbors(u: Any, v: Any, starts: Any, at: int, end: int) -> dict[int, list[int]]:
    """Return neighbors by the edges of one pair of colors: that of edge ``at``, up to ``end``."""
    pair = int(np.searchsorted(starts, at, side="right"))
    rows: dict[int, list[int]] = {}
    for e in range(int(starts[pair - 1]), min(int(starts[pair]), end)):
        rows.setdefault(int(u[e]), []).append(int(v[e]))
        rows.setdefault(int(v[e]), []).append(int(u[e]))
    return rows


def _find_middle(control, u, v, starts, scratch, found):
    """An edge with another edge of its pair at both ends. scratch: the pair, and the degree."""
    last, degree = scratch[0], scratch[1]
    for pair in range(len(starts) - 1):
        if pair % 64 == 0 and not going(control, starts[pair]):
            return
        for e in range(starts[pair], starts[pair + 1]):
            for w in (u[e], v[e]):
                if last[w] != pair:
                    last[w], degree[w] = pair, 0
                degree[w] += 1
        for e in range(starts[pair], starts[pair + 1]):
            if degree[u[e]] > 1 and degree[v[e]] > 1:
                found[0] = e
                return


def _find_closing(control, u, v, starts, scratch, found):
    """An edge whose ends are joined by edges of its pair before it. scratch: a forest of sets."""
    last, parent = scratch[0], scratch[1]
    for pair in range(len(starts) - 1):
        if pair % 64 == 0 and not going(control, starts[pair]):
            return
        for e in range(starts[pair], starts[pair + 1]):
            a, b = u[e], v[e]
            if last[a] != pair:
                last[a], parent[a] = pair, a
            if last[b] != pair:
                last[b], parent[b] = pair, b
            while parent[a] != a:
                parent[a] = parent[parent[a]]
                a = parent[a]
            while parent[b] != b:
                parent[b] = parent[parent[b]]
                b = parent[b]
            if a == b:
                found[0] = e
                return
            parent[max(a, b)] = min(a, b)
