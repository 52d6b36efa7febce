"""Harmonic centrality: the sum of the inverse distances to a vertex [1], exact or sampled [2].

harmonic[v] = sum of 1 / distance(u, v) over all other u; those that do not reach v add nothing. All
n searches are made, 512 at once; or k drawn ones, whose sum is multiplied by n / k. By hops, the
estimate is off by more than n * sqrt(ln(2 n / p) / (2 k)) at any vertex only with probability p
(Hoeffding's bound).

[1] P. Boldi, S. Vigna. Axioms for centrality. Internet Mathematics 10, 2014.
[2] D. Eppstein, J. Wang. Fast approximation of centrality. J. Graph Algorithms Appl. 8(1), 2004.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.centrality.distance_sums import distance_sums
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["harmonic_centrality"]


@takes_graph
def harmonic_centrality(
    graph: GraphLike,
    *,
    vertices: Any = None,
    k: int | None = None,
    weights: Any = "unit",
    seed: int = 0,
) -> Any:
    """The sum of the inverse distances to a vertex from all others.

    Parameters
    ----------
    graph : Graph
        In a directed graph distances are those to the vertex, as NetworkX counts.
    vertices : array of int or str, optional
        Only of these; all others have NaN.
    k : int, optional
        Estimate from ``k`` sources drawn by ``seed``; exact if not given.
    weights : "unit", None or array over edges
        Lengths: all one, the graph's own, or these. Other than "unit", a search per source.
    seed : int
        The same seed draws the same sources on every engine.

    Returns
    -------
    array of float64
        Not normalized: divided by the number of other vertices it lies between 0 and 1 by hops.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> harmonic_centrality(Graph.from_edges([0, 1], [1, 2])).tolist()
    [1.5, 2.0, 1.5]
    """
    sums = distance_sums(graph, vertices, k, weights, seed, inverse=True)
    return sums.total if k is None else sums.total * (graph.num_vertices / k)
