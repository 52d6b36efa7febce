"""Local clustering of directed graphs: how many of a vertex's neighbors know each other.

Over the graph without directions, with m(u, v) = 1 or 2 edges between two neighbors, each triangle
counts for its vertex v

- m(v, u) m(v, w) m(u, w) of 2 (d (d - 1) - 2 r) possible ones ("fagiolo" [1]): triangles along any
  directions, where d is the number of edges at v and r that of neighbors joined both ways; or
- m(u, w) of k (k - 1) ("ldbc" [2]): edges among the k neighbors, whichever way they lead.

In undirected graphs both are `clustering_coefficient`. Self-loops do not count. For every edge the
neighbors of its ends are intersected.

[1] G. Fagiolo. Clustering in complex directed networks. Physical Review E 76, 2007.
[2] A. Iosup et al. LDBC Graphalytics: a benchmark for large-scale graph analysis. PVLDB 9, 2016.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.triangles.clustering_coefficient import clustering_coefficient
from edgewise.base.checks import check_choice
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, compute, intersect, reduce_neighbors

__all__ = ["local_clustering"]


@takes_graph
def local_clustering(graph: GraphLike, *, method: str = "fagiolo") -> Any:
    """The clustering coefficient of every vertex, of directed graphs too, from 0 to 1.

    Parameters
    ----------
    graph : Graph
        Weights do not matter.
    method : {"fagiolo", "ldbc"}
        What counts in a directed graph: triangles along any directions, as in NetworkX, or edges
        among the neighbors, as in LDBC Graphalytics.

    Returns
    -------
    array of float64

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2, 0], [1, 2, 0, 3], directed=True)
    >>> local_clustering(graph).round(3).tolist()
    [0.167, 0.5, 0.5, 0.0]
    >>> local_clustering(graph, method="ldbc").round(3).tolist()
    [0.167, 0.5, 0.5, 0.0]
    """
    check_choice(method, "method", ("fagiolo", "ldbc"))
    if not graph.directed:
        return clustering_coefficient(graph)
    if graph.num_self_loops:
        graph = graph.without_self_loops()
    between = graph.with_weights(graph.full_arcs(1, np.int64)).symmetrize()
    nothing, share = graph.full(0.0), graph.full(0.0)
    message, closed = (_product, _by_triangles) if method == "fagiolo" else (_opposite, _by_edges)
    found = intersect(between, message=message, reduce=ADD, each=False).totals
    if method == "fagiolo":
        found = found * between.weights
    sums: dict[str, Any] = {"reduce": ADD, "edges": "out"}
    total = reduce_neighbors(between, None, _weight, nothing, weights=found, **sums)
    edges = reduce_neighbors(between, None, _weight, nothing, **sums)
    compute(between, None, closed, (share, total, edges, between.degrees()))
    return share


def _product(weight_u, weight_v):
    return weight_u * weight_v


def _opposite(weight_v):
    return weight_v


def _weight(weight):
    return weight


def _by_triangles(v, share, total, edges, degree):
    if total[v] > 0:
        both = edges[v] - degree[v]
        share[v] = total[v] / (2 * (edges[v] * (edges[v] - 1) - 2 * both))


def _by_edges(v, share, total, edges, degree):
    if degree[v] > 1:
        share[v] = total[v] / (2 * degree[v] * (degree[v] - 1))
