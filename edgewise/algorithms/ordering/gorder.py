"""Gorder [1]: a greedy order by common neighbors in a sliding window.

The score of a vertex counts its edges to the last ``window`` vertices placed, and the neighbors
that it shares with each of them. A vertex of highest score is placed next. When a vertex is placed,
the scores of its neighbors and their neighbors rise by one. When it leaves the window, they fall by
one. As in the paper, neighbors of more than sqrt(n) edges are not expanded. The work is the sum of
the squares of the other degrees, on one CPU thread.

Scores change by one, so vertices are kept in linked lists by score. A decrease is only recorded in
``debt``. A later increase cancels it, and a vertex that is selected with a debt moves back to its
true list. Ties are last in, first out, initially in depth-first order.

[1] H. Wei, J. Yu, C. Lu, X. Lin. Speedup graph processing by graph ordering. SIGMOD 2016.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np

from edgewise.algorithms.ordering.dfs_order import dfs_order
from edgewise.algorithms.ordering.places import both_ways
from edgewise.base.checks import check_count
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential
from edgewise.operators.sorting import to_places

__all__ = ["gorder"]


@takes_graph
def gorder(graph: LocalGraphLike, *, window: int = 5) -> Any:
    """Return each vertex's position in Gorder.

    The next vertex is the one with the most edges and common neighbors in a sliding window.

    Parameters
    ----------
    graph : Graph
        In host memory. Edges of a directed graph are followed in both directions.
    window : int
        The number of recent vertices that count, at least 1. The paper uses 5.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it.

    Raises
    ------
    DeviceError
        If the graph is on a GPU.

    See Also
    --------
    rabbit_order : An order by hierarchical communities, in parallel.

    Notes
    -----
    O(sum of squared degrees) time on one CPU thread. Degrees above sqrt(n) do not count.

    Examples
    --------
    Two cliques joined by an edge, their members mixed:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 2, 1, 1, 3, 0], [2, 4, 4, 3, 5, 5, 1])
    >>> order = gorder(graph)
    >>> sorted(order[[0, 2, 4]].tolist())
    [0, 1, 2]
    """
    check_host(graph, "gorder")
    window = check_count(window, "window", least=1)
    graph = both_ways(graph, "gorder").with_weights(None).with_labels(None).without_self_loops()
    n, ids = graph.num_vertices, graph.id_dtype
    if n == 0:
        return graph.full(0, ids)
    window = min(window, n)
    start = dfs_order(graph)
    rows = graph.permute(start)
    listed = np.empty(n, ids)
    links, marks = np.full((2, n), -1, np.int64), np.zeros((3, n), np.int64)
    most = graph.longest_row  # what a vertex can gain, from all in the window or from all others
    most = min((window + 1) * (most + 1), most + min(graph.num_arcs, most * isqrt(n)))
    heads = np.full(most + 2, -1, np.int64)
    work = int((graph.row_lengths().astype(np.float64) ** 2).sum())
    state = (rows.indptr, rows.indices, window, isqrt(n), listed, heads, links, marks)
    sequential(_place_all, state, steps=n, work=work, phase="gorder")
    return to_places(rows, listed)[start]


def _place_all(control, indptr, indices, window, huge, listed, heads, links, marks):
    """``links`` are those before and after in a list by score; a score is -1 once placed."""
    n, steps = len(listed), np.int64(0)
    # seen is i + 1 for a neighbor of the i-th, -i - 1 if it is one of who leaves then, too.
    score, debt, seen = marks[0], marks[1], marks[2]
    for v in range(n - 1, -1, -1):
        _insert(v, 0, heads, links)
    top = 0
    for i in range(n):
        v, top = _best(top, heads, links, score, debt)
        listed[i], score[v] = v, -1
        here, leaving = i + 1, np.int64(-1)
        if i >= window:
            leaving = np.int64(listed[i - window])
            for e in range(indptr[v], indptr[v + 1]):
                seen[indices[e]] = here
            for e in range(indptr[leaving], indptr[leaving + 1]):
                u = indices[e]
                debt[u] += 1
                if indptr[u + 1] - indptr[u] > huge:
                    continue
                if seen[u] == here:
                    seen[u] = -here  # what its neighbors lose here they gain below
                    continue
                steps += indptr[u + 1] - indptr[u]
                for f in range(indptr[u], indptr[u + 1]):
                    debt[indices[f]] += 1
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            top = max(top, _gain(u, heads, links, score, debt))
            if indptr[u + 1] - indptr[u] > huge or seen[u] == -here:
                continue
            steps += indptr[u + 1] - indptr[u]
            for f in range(indptr[u], indptr[u + 1]):
                top = max(top, _gain(np.int64(indices[f]), heads, links, score, debt))
        steps += indptr[v + 1] - indptr[v] + 1
        if steps > 100_000:
            steps = 0
            if not going(control, i):
                return


@inner
def _best(top, heads, links, score, debt):
    """Take out the vertex of the greatest score, and say how great that is."""
    while True:
        while heads[top] < 0:
            top -= 1
        v = heads[top]
        _remove(v, top, heads, links)
        if debt[v] == 0:
            return v, top
        score[v] -= debt[v]
        debt[v] = 0
        _insert(v, score[v], heads, links)


@inner
def _gain(u, heads, links, score, debt):
    """One more for u, unless it has been placed."""
    if score[u] < 0:
        return np.int64(0)
    if debt[u] > 0:
        debt[u] -= 1
    else:
        _remove(u, score[u], heads, links)
        score[u] += 1
        _insert(u, score[u], heads, links)
    return score[u]


@inner
def _insert(v, at, heads, links):
    links[0, v], links[1, v] = -1, heads[at]
    if heads[at] >= 0:
        links[0, heads[at]] = v
    heads[at] = v


@inner
def _remove(v, at, heads, links):
    before, after = links[0, v], links[1, v]
    if before >= 0:
        links[1, before] = after
    else:
        heads[at] = after
    if after >= 0:
        links[0, after] = before
