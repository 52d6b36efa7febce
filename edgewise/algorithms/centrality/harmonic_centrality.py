"""Harmonic centrality: the sum of the inverse distances to a vertex [1], exact or sampled [2].

harmonic[v] = sum of 1 / distance(u, v) over all other u; vertices that do not reach v add 0. All n
searches are made, 512 at once. With k random sources, their sum is multiplied by n / k. Unweighted,
all estimates are within n * sqrt(ln(2 n / p) / (2 k)) with probability 1 - p (Hoeffding's bound).

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
    weights: Any = None,
    seed: int = 0,
) -> Any:
    """Return the harmonic centrality of each vertex: the sum of the inverse distances to it.

    Parameters
    ----------
    graph : Graph
        In a directed graph, distances are those to the vertex, as in NetworkX.
    vertices : array of int or str, optional
        Compute only these vertices (ids or labels); all others are NaN.
    k : int, optional
        Number of random sources to estimate from; exact by default.
        A larger ``k`` is more accurate and takes longer.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative. They take one search per source.
    seed : int
        Seed of the random sources. The same seed draws the same sources on every engine.

    Returns
    -------
    array of float64 over vertices
        Not normalized. Unweighted, dividing by n - 1 gives values from 0 to 1.

    Raises
    ------
    TypeError
        If both ``k`` and ``vertices`` are given.

    See Also
    --------
    closeness_centrality : The inverse of the mean distance to each vertex.

    Notes
    -----
    O(n + m) time per source: O(n (n + m)) exact, O(k (n + m)) with ``k``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> harmonic_centrality(Graph.from_edges([0, 1], [1, 2])).tolist()
    [1.5, 2.0, 1.5]
    """
    sums = distance_sums(graph, vertices, k, weights, seed, inverse=True)
    return sums.total if k is None else sums.total * (graph.num_vertices / k)
