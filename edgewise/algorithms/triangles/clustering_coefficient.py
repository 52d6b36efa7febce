"""Clustering coefficients: how many of a vertex's neighbors know each other [1].

clustering[v] = 2 triangles[v] / (degree[v] (degree[v] - 1)), 0 below two neighbors. Self-loops do
not count as neighbors.

[1] D. Watts, S. Strogatz. Collective dynamics of small-world networks. Nature 393, 1998.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.triangles.triangle_count import check_undirected, triangles

__all__ = ["clustering_coefficient"]


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
    check_undirected(graph, "clustering_coefficient")
    found = triangles(graph)
    degree = graph.without_self_loops().degrees().astype(np.float64)
    pairs = degree * (degree - 1) / 2
    return np.divide(found, pairs, out=graph.full(0.0), where=pairs > 0)
