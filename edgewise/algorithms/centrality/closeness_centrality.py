"""Closeness centrality: the inverse of the mean distance to a vertex [1], exact or sampled [2].

Let r vertices reach v, and let s be the sum of their distances to v. closeness[v] = (r - 1) / s,
times (r - 1) / (n - 1). All n searches are made, 512 at once. With k random sources, s and r are
estimated as n / k times those of the sample. Let D be the diameter of a connected graph. With
probability 1 - p, every estimated mean distance is within D * sqrt(ln(2 n / p) / (2 k)) of the
exact one (Hoeffding's bound). The relative error thus depends on the ratio of D to the mean
distance.

[1] L. Freeman. Centrality in social networks: conceptual clarification. Social Networks 1, 1978.
[2] D. Eppstein, J. Wang. Fast approximation of centrality. J. Graph Algorithms Appl. 8(1), 2004.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.centrality.distance_sums import distance_sums
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import compute

__all__ = ["closeness_centrality"]


@takes_graph
def closeness_centrality(
    graph: GraphLike,
    *,
    vertices: Any = None,
    k: int | None = None,
    wf_improved: bool = True,
    weights: Any = None,
    seed: int = 0,
) -> Any:
    """Return the closeness centrality of each vertex.

    The closeness of v is the inverse of the mean distance to v from the vertices that reach it.

    Parameters
    ----------
    graph : Graph
        In a directed graph, distances are those to the vertex, as in NetworkX.
        For distances from the vertex, pass ``graph.transposed``.
    vertices : array of int or str, optional
        Compute only these vertices (ids or labels); all others are NaN.
    k : int, optional
        Number of random sources to estimate from; exact by default.
        A larger ``k`` is more accurate and takes longer.
    wf_improved : bool
        Whether to multiply by the fraction of the other vertices that reach it (Wasserman and
        Faust).
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative. They take one search per source.
    seed : int
        Seed of the random sources. The same seed draws the same sources on every engine.

    Returns
    -------
    array of float64 over vertices
        0 for a vertex that no other vertex reaches.

    Raises
    ------
    TypeError
        If both ``k`` and ``vertices`` are given.

    See Also
    --------
    harmonic_centrality : The sum of the inverse distances to each vertex.

    Notes
    -----
    O(n + m) time per source: O(n (n + m)) exact, O(k (n + m)) with ``k``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> closeness_centrality(path).tolist()
    [0.5, 0.75, 0.75, 0.5]
    """
    n = graph.num_vertices
    total, reached = distance_sums(graph, vertices, k, weights, seed, inverse=False)
    scale = 1.0 if k is None else n / k
    others = float(n - 1) if wf_improved else 0.0
    compute(graph, None, _finish, (total, reached, scale, others))
    return total


def _finish(v, total, reached, scale, others):
    if total[v] > 0.0:
        count = scale * reached[v] - 1.0
        total[v] = count / (scale * total[v])
        if others > 0.0:
            total[v] *= count / others
