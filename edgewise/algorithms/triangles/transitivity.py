"""Transitivity and the mean clustering coefficient: one number for how often triples close.

transitivity = 3 triangles / paths of two edges [1]; average clustering is the mean over vertices of
the share of closed pairs of neighbors [2]. Vertices of high degree dominate the first; all vertices
count alike in the second.

[1] M. Newman, S. Strogatz, D. Watts. Random graphs with arbitrary degree distributions and their
    applications. Physical Review E 64, 2001.
[2] D. Watts, S. Strogatz. Collective dynamics of small-world networks. Nature 393, 1998.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.triangles.clustering import clustering
from edgewise.algorithms.triangles.triangle_count import triangle_count
from edgewise.base.checks import check_undirected
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, reduce_all

__all__ = ["average_clustering", "transitivity"]


@takes_graph
def transitivity(graph: GraphLike) -> float:
    """Return the transitivity: the fraction of paths of two edges that close to a triangle.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights are ignored.

    Returns
    -------
    float
        From 0 to 1; 0 if no path has two edges.

    See Also
    --------
    average_clustering : The mean of the clustering coefficients.
    triangle_count : The number of triangles.

    Notes
    -----
    O(m √m) time in the worst case.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> transitivity(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    0.6
    """
    check_undirected(graph, "transitivity")
    if graph.num_self_loops:
        graph = graph.without_self_loops()
    pairs = reduce_all(graph, graph.row_lengths(), reduce=ADD, function=_pairs, dtype=np.int64)
    return 3 * int(triangle_count(graph)) / int(pairs) if pairs else 0.0


@takes_graph
def average_clustering(graph: GraphLike) -> float:
    """Return the mean of the clustering coefficients of all vertices.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Self-loops and weights are ignored.

    Returns
    -------
    float
        From 0 to 1. Vertices with fewer than two neighbors count as 0. 0 for a graph without
        vertices.

    See Also
    --------
    clustering : The coefficient of each vertex, with an estimate by samples.
    transitivity : The fraction of paths of two edges that close.

    Notes
    -----
    O(m √m) time in the worst case.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> round(average_clustering(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])), 3)
    0.583
    """
    n = graph.num_vertices
    return float(reduce_all(graph, clustering(graph), reduce=ADD)) / n if n else 0.0


def _pairs(v, degree):
    return degree[v] * (degree[v] - 1) // 2
