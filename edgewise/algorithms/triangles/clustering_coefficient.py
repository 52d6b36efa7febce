"""Clustering coefficients: how many of a vertex's neighbors know each other [1].

clustering[v] = 2 triangles[v] / (degree[v] (degree[v] - 1)), 0 below two neighbors. Self-loops do
not count as neighbors.

[1] D. Watts, S. Strogatz. Collective dynamics of small-world networks. Nature 393, 1998.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.triangles.triangle_count import triangles
from edgewise.base.checks import check_one_device, check_undirected
from edgewise.graph.foreign import takes_graph
from edgewise.operators import ADD, compute, reduce_neighbors

__all__ = ["clustering_coefficient"]


@takes_graph
def clustering_coefficient(graph: Any) -> Any:
    """The clustering coefficient of every vertex, from 0 to 1.

    Parameters
    ----------
    graph : Graph
        Undirected; weights do not matter.

    Returns
    -------
    array of float64

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> clustering_coefficient(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    """
    check_one_device(graph, "clustering_coefficient")
    check_undirected(graph, "clustering_coefficient")
    found, degree = triangles(graph), graph.degrees()
    if graph.num_self_loops:
        ids = graph.xp.arange(graph.num_vertices)
        degree -= reduce_neighbors(graph, None, _is_loop, ids, reduce=ADD)
    share = graph.full(0.0)
    compute(graph, None, _closed, (share, found, degree))
    return share


def _is_loop(source, own):
    return 1 if source == own else 0


def _closed(v, share, found, degree):
    if degree[v] > 1:
        share[v] = 2 * found[v] / (degree[v] * (degree[v] - 1))
