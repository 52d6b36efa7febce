"""Verifiers as GAP and Graph500 have them: they check the laws of an answer, not one fixed answer.

All of it is NumPy over the list of arcs, or plain Python: slow, obvious, and without a line of the
package's own algorithms.
"""

from __future__ import annotations

from collections import deque
from math import ceil, log2, nan
from typing import Any

import numpy as np

__all__ = [
    "brandes",
    "check_components",
    "check_paths",
    "edge_pairs",
    "hops",
    "networkx_scale",
    "solved_pagerank",
]


def check_paths(graph: Any, source: int, paths: Any, lengths: Any = None) -> None:
    """Distances that no edge improves, and a tree of edges that realizes them.

    Together the rules leave one possible distance for every vertex: the tree proves that it is not
    too small, the edges prove that it is not too large.
    """
    n, (u, v, _) = graph.num_vertices, graph.arcs()
    distance, parent = np.asarray(paths.distance), np.asarray(paths.parent)
    length = np.ones(len(u), np.int64) if lengths is None else np.asarray(lengths)
    far = np.inf if distance.dtype.kind == "f" else np.iinfo(distance.dtype).max
    reached = distance < far
    assert distance.shape == parent.shape == (n,)
    assert distance[source] == 0 and parent[source] == source
    assert (distance[~reached] == far).all() and (parent[~reached] == -1).all()
    assert ((parent >= 0) == reached).all()

    wide = np.float64 if distance.dtype.kind == "f" else np.int64
    through = distance[u].astype(wide) + length
    improved = reached[u] & (through < distance[v])
    assert not improved.any(), f"edge {np.flatnonzero(improved)[:1]} improves a distance"

    child = np.flatnonzero(reached & (np.arange(n) != source))
    keys = u.astype(np.int64) * n + v
    wanted = parent[child].astype(np.int64) * n + child
    place = np.searchsorted(keys, wanted).clip(max=max(len(keys) - 1, 0))
    if len(child):
        assert (keys[place] == wanted).all(), "a parent is not a neighbor"
        assert (through[place] == distance[child]).all(), "a parent does not explain the distance"

    above = np.where(reached, parent, source).astype(np.int64)
    for _ in range(ceil(log2(n + 1)) + 1):
        above = above[above]
    assert (above == source).all(), "the parents do not all lead to the source"


def hops(graph: Any, source: int, most: float = np.inf) -> list[int]:
    """Hop distances by a plain queue; 2**31 - 1 where nothing is reached within ``most``."""
    distance = [2**31 - 1] * graph.num_vertices
    distance[source], queue = 0, deque([source])
    while queue:
        u = queue.popleft()
        for v in graph.neighbors(u).tolist():
            if distance[v] == 2**31 - 1 and distance[u] < most:
                distance[v] = distance[u] + 1
                queue.append(v)
    return distance


def check_components(graph: Any, label: Any) -> None:
    """Closed under edges, named by its smallest member, and connected from there."""
    n, (u, v, _) = graph.num_vertices, graph.arcs()
    label = np.asarray(label)
    assert label.shape == (n,) and label.dtype == graph.indices.dtype
    assert (label[u] == label[v]).all(), "an edge joins two components"
    assert (label <= np.arange(n)).all() and (label[label] == label).all()
    both: list[list[int]] = [[] for _ in range(n)]
    for a, b in zip(u.tolist(), v.tolist(), strict=True):
        both[a].append(b)
        both[b].append(a)
    seen = label == np.arange(n)
    stack = np.flatnonzero(seen).tolist()
    while stack:
        for b in both[stack.pop()]:
            if not seen[b]:
                seen[b] = True
                stack.append(b)
    assert seen.all(), "a component is not connected"


def brandes(graph: Any, sources: Any, *, endpoints: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Unscaled betweenness of vertices and of arcs, one source after the other, by the book."""
    n = graph.num_vertices
    of_vertex, of_arc = np.zeros(n), np.zeros(graph.num_arcs)
    for s in sources:
        order, before, paths = [], [[] for _ in range(n)], [0] * n
        depth, queue = [-1] * n, deque([s])
        paths[s], depth[s] = 1, 0
        while queue:
            u = queue.popleft()
            order.append(u)
            for e in range(graph.indptr[u], graph.indptr[u + 1]):
                v = int(graph.indices[e])
                if depth[v] < 0:
                    depth[v] = depth[u] + 1
                    queue.append(v)
                if depth[v] == depth[u] + 1:
                    paths[v] += paths[u]
                    before[v].append((u, e))
        dependency = [0.0] * n
        for v in reversed(order):
            for u, e in before[v]:
                part = paths[u] / paths[v] * (1 + dependency[v])
                of_arc[e] += part
                dependency[u] += part
            if v != s:
                of_vertex[v] += dependency[v] + endpoints
        if endpoints:
            of_vertex[s] += len(order) - 1
    return of_vertex, of_arc


def networkx_scale(graph: Any, *, k: Any, chosen: Any, normalized: bool, ends: bool) -> Any:
    """What NetworkX 3.6 multiplies each vertex's (``ends``: or edge's) sum with.

    A sampled source cannot be inside its own paths, so it is divided by one source fewer.
    """
    n = graph.num_vertices
    others = n if ends else n - 1
    if others < 2:
        return 1.0

    def factor(count: int) -> float:
        if count == 0:
            return nan
        if normalized:
            return 1 / (count * (others - 1))
        return others / (count * (1 if graph.directed else 2))

    if k is None or ends:
        return factor(others if k is None else k)
    return np.array([factor(k - (v in set(chosen))) for v in range(n)])


def edge_pairs(graph: Any, values: Any) -> dict[tuple[int, int], float]:
    """An array over edges as NetworkX gives it: by (u, v)."""
    u, v, _ = graph.edges()
    pairs = zip(u.tolist(), v.tolist(), np.asarray(values).tolist(), strict=True)
    return {(a, b): x for a, b, x in pairs}


def solved_pagerank(
    graph: Any, *, alpha: float = 0.85, lengths: Any = None, jump: Any = None, sink: Any = None
) -> np.ndarray:
    """PageRank as the solution of its linear equations, by a dense solver."""
    n, (u, v, _) = graph.num_vertices, graph.arcs()
    matrix = np.zeros((n, n))
    matrix[u, v] = 1.0 if lengths is None else lengths
    jump = np.full(n, 1 / n) if jump is None else np.asarray(jump) / np.sum(jump)
    sink = jump if sink is None else np.asarray(sink) / np.sum(sink)
    out = matrix.sum(axis=1)
    matrix[out > 0] /= out[out > 0, None]
    matrix[out == 0] = sink
    return np.linalg.solve(np.eye(n) - alpha * matrix.T, (1 - alpha) * jump)
