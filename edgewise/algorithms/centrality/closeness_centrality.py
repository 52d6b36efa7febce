"""Closeness centrality: how near a vertex is to all others [1], exact or from a sample [2].

closeness[v] = (r - 1) / (sum of the distances to v from the r vertices that reach it), times
(r - 1) / (n - 1). All n searches are made, 512 at once; or k drawn ones, from which sums and r are
estimated as n / k times what the sample gives. In a connected graph of diameter D the mean distance
1 / closeness is then off by more than D * sqrt(ln(2 n / p) / (2 k)) at any vertex only with
probability p (Hoeffding's bound): for a relative error, think of D beside the mean distance.

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
    weights: Any = "unit",
    seed: int = 0,
) -> Any:
    """The inverse of the mean distance to a vertex from those that reach it.

    Parameters
    ----------
    graph : Graph
        In a directed graph distances are those to the vertex, as NetworkX counts;
        ``graph.transposed`` gives the others.
    vertices : array of int or str, optional
        Only of these; all others have NaN.
    k : int, optional
        Estimate from ``k`` sources drawn by ``seed``; exact if not given.
    wf_improved : bool
        Multiply by the share of the other vertices that reach it (Wasserman and Faust).
    weights : "unit", None or array over edges
        Lengths: all one, the graph's own, or these. Other than "unit", a search per source.
    seed : int
        The same seed draws the same sources on every engine.

    Returns
    -------
    array of float64
        0 where nobody else reaches a vertex.

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
