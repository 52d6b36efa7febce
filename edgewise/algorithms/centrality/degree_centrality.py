"""Degree centrality: the degree of each vertex as a fraction of the other vertices [1].

centrality[v] = degree[v] / (n - 1). An undirected self-loop counts twice. In a directed graph,
in-edges and out-edges both count. Values above 1 are therefore possible. Linear work.

[1] L. Freeman. Centrality in social networks: conceptual clarification. Social Networks 1, 1978.
"""

from __future__ import annotations

from typing import Any

from edgewise.graph.foreign import GraphLike, streams, takes_graph
from edgewise.operators import ADD, compute, reduce_neighbors

__all__ = ["degree_centrality"]


@takes_graph
@streams(32)
def degree_centrality(graph: GraphLike) -> Any:
    """Return the degree centrality of each vertex: its degree over the number of other vertices.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Weights are ignored.

    Returns
    -------
    array of float64 over vertices
        1 if the graph has a single vertex.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> degree_centrality(Graph.from_edges([0, 0, 0], [1, 2, 3])).round(3).tolist()
    [1.0, 0.333, 0.333, 0.333]
    """
    n = graph.num_vertices
    if n <= 1:
        return graph.full(1.0)
    message, edges = (_one, ("in", "out")) if graph.directed else (_ends, ("in",))
    ids, kind = graph.vertex_ids(), graph.xp.float64
    ways = (
        reduce_neighbors(graph, None, message, ids, reduce=ADD, mode=way, dtype=kind)
        for way in edges
    )
    degree = next(ways)
    for other in ways:
        compute(graph, None, _add, (degree, other))
    compute(graph, None, _divide, (degree, n - 1))
    return degree


def _one():
    return 1


def _add(v, degree, other):
    degree[v] += other[v]


def _ends(source, own):
    return 2 if source == own else 1


def _divide(v, degree, others):
    degree[v] = degree[v] / others
