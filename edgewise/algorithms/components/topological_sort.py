"""Topological order and the test for cycles, by peeling (Kahn [1]). Linear work, plus a sort.

Vertices are sorted by their topological generation, and within one by id.

[1] A. Kahn. Topological sorting of large networks. Communications of the ACM 5(11), 1962.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.topological_generations import peel, topological_generations
from edgewise.graph.anywhere import whole, whole_xp
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["is_dag", "topological_sort"]


@takes_graph
def topological_sort(graph: GraphLike) -> Any:
    """Return the vertices in topological order: every edge leads to a later vertex.

    Parameters
    ----------
    graph : Graph
        Directed, without cycles.

    Returns
    -------
    array of int
        All vertices in order of their topological generation, and within one in ascending order.

    Raises
    ------
    ValueError
        If there is a cycle; the message lists its vertices.

    See Also
    --------
    topological_generations : The length of the longest path to each vertex.
    is_dag : Whether there is a topological order.

    Notes
    -----
    O(n log n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> topological_sort(Graph.from_edges([2, 2, 0], [0, 1, 1], directed=True)).tolist()
    [2, 0, 1]
    """
    level, xp, n = whole(topological_generations(graph)), whole_xp(graph), graph.num_vertices
    return xp.argsort(level.astype(np.int64) * n + xp.arange(n))


@takes_graph
def is_dag(graph: GraphLike) -> bool:
    """Return True if the graph is directed and has no cycle.

    Parameters
    ----------
    graph : Graph
        A self-loop is a cycle. Undirected graphs are no directed acyclic graphs.

    Returns
    -------
    bool

    See Also
    --------
    topological_sort : The vertices in an order that proves it, or an error that names a cycle.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> is_dag(Graph.from_edges([0, 0, 1], [1, 2, 2], directed=True))
    True
    >>> is_dag(Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True))
    False
    """
    return graph.directed and peel(graph)[1].empty()
