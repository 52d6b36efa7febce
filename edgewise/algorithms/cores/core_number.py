"""Core numbers by peeling [1].

The k-core remains when vertices with fewer than k neighbors are removed until there are none.
left[v] is the number of neighbors that v has left. All vertices with at most k are removed, which
lowers the count of each remaining neighbor by one. When all remaining counts are larger, k grows to
the smallest of them. O(n + m) work, in as many rounds as the longest chain of removals. In a small
graph, one thread removes vertices one by one from an array sorted by count.

[1] V. Batagelj, M. Zaversnik. An O(m) algorithm for cores decomposition of networks. 2003.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_undirected
from edgewise.graph import Graph
from edgewise.graph.foreign import GraphLike, streams, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, propagate, reduce_neighbors
from edgewise.operators.sequential import sequential, sequential_or

__all__ = ["core_number"]

#: Two threads took 1.5 to 3 times as long as one on graphs of up to half a million arcs.
_ALONE = 16


@takes_graph
@streams(96)
def core_number(graph: GraphLike) -> Any:
    """Return the core number of each vertex: the largest k such that it is in the k-core.

    Parameters
    ----------
    graph : Graph
        Undirected. Weights and self-loops are ignored (NetworkX rejects self-loops).

    Returns
    -------
    array of int64 over vertices

    See Also
    --------
    k_core : The k-core as a graph.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> core_number(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], num_vertices=5)).tolist()
    [2, 2, 2, 1, 0]
    """
    check_undirected(graph, "core_number")
    return sequential_or(graph, _alone, _together, times=_ALONE)


def _alone(graph: Graph) -> Any:
    """One vertex after the other, on one thread."""
    n, core = graph.num_vertices, graph.full(0, np.int64)
    order, place = np.empty(n, np.int64), np.empty(n, np.int64)
    first = np.zeros(graph.longest_row + 2, np.int64)
    state = (*graph.stored, core, first, order, place)
    sequential(_remove, state, steps=n, work=graph.num_arcs)
    return core


def _together(graph: AnyGraph) -> Any:
    """Level after level, all vertices of one at a time."""
    core, left = graph.full(0, np.int64), graph.full(0, np.int64)
    reduce_neighbors(graph, None, _other, graph.vertex_ids(), reduce=ADD, out=left)
    propagate(graph, None, _one_less, left, reduce=ADD, levels=core)
    return core


def _other(source, own):
    return 1 if source != own else 0


def _one_less():
    return -1


def _remove(control, indptr, indices, core, first, order, place):
    """Take the vertex with the fewest neighbors left; core[v] is how many v has until it goes.

    Vertices stand in ``order`` by that number, those of d neighbors from first[d] on.
    """
    n, most = len(core), 0
    for v in range(n):
        for e in range(indptr[v], indptr[v + 1]):
            core[v] += indices[e] != v
        most = max(most, core[v])
        first[core[v] + 1] += 1
    for d in range(most + 1):
        first[d + 1] += first[d]
    for v in range(n):
        place[v] = first[core[v]]
        order[place[v]] = v
        first[core[v]] += 1
    for d in range(most, 0, -1):
        first[d] = first[d - 1]
    first[0] = 0
    for i in range(n):
        v = order[i]
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            if core[u] > core[v]:
                front = max(first[core[u]], i + 1)  # who has as few, the first of them
                other = order[front]
                order[place[u]], order[front] = other, u
                place[other], place[u] = place[u], front
                first[core[u]] = front + 1
                core[u] -= 1
