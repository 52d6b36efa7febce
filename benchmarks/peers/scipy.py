"""SciPy: `scipy.sparse.csgraph`, and sparse products where it has no function of its own."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array, csgraph, tril

from benchmarks.tasks import ALPHA, ITERATIONS

PACKAGE = "scipy"
MISSING = {
    "betweenness_centrality": "it has no such function",
    "read": "it reads Matrix Market, not edge lists",
}
FORMS = {"sssp": "weighted", "pagerank": "ranked", "pagerank_converged": "ranked"}

_BLOCK = 1 << 14


def convert(data, form):
    if form == "weighted":
        return data.scipy(data.weights.astype(np.float64))
    if form == "ranked":
        degrees = np.diff(data.indptr)
        shares = 1 / degrees[data.indices]
        return data.scipy(shares), degrees == 0
    return data.scipy()


def bfs(graph, source):
    order, parent = csgraph.breadth_first_order(graph, source)
    return lambda: ("parents", order, parent)


def sssp(graph, source):
    return csgraph.dijkstra(graph, indices=source)


def pagerank(graph):
    return _pagerank(*graph, tol=0, max_iter=ITERATIONS)


def pagerank_converged(graph):
    return _pagerank(*graph, tol=1e-10, max_iter=1000)


def connected_components(graph):
    return csgraph.connected_components(graph, directed=False)[1]


def triangle_count(graph):
    """The sum of L L over the places of L, its rows by falling degree, a block at a time."""
    order = np.argsort(-np.diff(graph.indptr), kind="stable")
    lower = tril(graph[order][:, order], -1, format="csr").astype(np.int64)
    blocks = (lower[row : row + _BLOCK] for row in range(0, lower.shape[0], _BLOCK))
    return sum(int((block @ lower).multiply(block).sum()) for block in blocks)


def build(sources, targets, num_vertices):
    ones = np.ones(len(sources), np.int32)
    graph = coo_array((ones, (sources, targets)), (num_vertices,) * 2).tocsr()
    graph.sum_duplicates()
    return lambda: (graph.indptr, graph.indices)


def _pagerank(shares, sinks, *, tol, max_iter):
    n = len(sinks)
    rank = np.full(n, 1 / n)
    for _ in range(max_iter):
        before = rank
        rank = ALPHA * (shares @ rank + rank[sinks].sum() / n) + (1 - ALPHA) / n
        if tol and np.abs(rank - before).sum() < tol:
            break
    return rank
