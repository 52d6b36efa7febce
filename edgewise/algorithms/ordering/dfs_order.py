"""Depth-first order (preorder), on one CPU thread. Linear work."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.ordering.places import both_ways
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.sequential import going, sequential

__all__ = ["dfs_order"]


@takes_graph
def dfs_order(graph: LocalGraphLike) -> Any:
    """Return each vertex's position in depth-first order (preorder).

    Each component is searched from its smallest vertex, and smaller neighbors are visited first.

    Parameters
    ----------
    graph : Graph
        In host memory. Edges of a directed graph are followed in both directions.

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
    bfs_order : Breadth-first order, in parallel.

    Notes
    -----
    O(n + m) time on one CPU thread.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> dfs_order(Graph.from_edges([0, 0, 1, 4], [3, 4, 2, 5])).tolist()
    [0, 4, 5, 1, 2, 3]
    >>> dfs_order(Graph.from_edges([0, 0, 1, 1], [1, 4, 2, 3])).tolist()
    [0, 1, 2, 3, 4]
    """
    check_host(graph, "dfs_order")
    graph = both_ways(graph, "dfs_order")
    place = graph.full(-1, graph.id_dtype)
    state = (graph.indptr, graph.indices, graph.indptr[:-1].copy(), place, graph.full(-1, np.int64))
    if graph.num_vertices:
        work = graph.num_arcs + graph.num_vertices
        sequential(_search, state, steps=graph.num_vertices, work=work, phase="dfs")
    return place


def _search(control, indptr, indices, cursor, place, above):
    found = 0
    for root in range(len(place)):
        if place[root] >= 0:
            continue
        place[root] = found
        found += 1
        v = root
        while v >= 0:
            e = cursor[v]
            while e < indptr[v + 1] and place[indices[e]] >= 0:
                e += 1
            cursor[v] = e + 1
            if e >= indptr[v + 1]:
                v = above[v]
                continue
            u = np.int64(indices[e])
            place[u], above[u] = found, v
            found += 1
            v = u
            if found % 16384 == 0 and not going(control, found):
                return
