"""Modularity: how much more weight lies inside communities than chance would put there [1].

With m the weight of all edges, L(c) of those inside community c, and d(c) the sum of the degrees
of its members (a self-loop counts twice there):

    Q = sum over c of  L(c) / m - resolution * (d(c) / 2m)^2

and in a directed graph, by degrees out and in [2]:

    Q = sum over c of  L(c) / m - resolution * out(c) in(c) / m^2

One pass over the edges, two if they are directed.

[1] M. Newman, M. Girvan. Finding and evaluating community structure in networks. Physical Review
    E 69, 2004.
[2] E. Leicht, M. Newman. Community structure in directed networks. Physical Review Letters 100,
    2008.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.communities.labels import as_labels, gathered, shares
from edgewise.base.checks import check_number
from edgewise.graph.foreign import takes_graph
from edgewise.operators import ADD, reduce_all

__all__ = ["modularity"]


@takes_graph
def modularity(
    graph: Any, communities: Any, *, weights: Any = None, resolution: float = 1.0
) -> float:
    """The modularity of a labelling, at most 1.

    Parameters
    ----------
    graph : Graph
        Directed or not.
    communities : array of int over vertices
        Equal for the members of a community.
    weights : None, "unit" or array over edges
        Finite and not negative.
    resolution : float
        How much chance counts; with more of it, smaller communities are better.

    Returns
    -------
    float
        0 where no edge has any weight.

    Examples
    --------
    Two triangles joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> round(modularity(graph, [0, 0, 0, 1, 1, 1]), 4)
    0.3571
    """
    key, resolution = as_labels(graph, communities), check_number(resolution, "resolution")
    out, apart = shares(graph, key, weights)
    entering = shares(graph, key, weights, edges="in")[0] if graph.directed else out
    total = reduce_all(graph, out, reduce=ADD)
    if total == 0:
        return 0.0
    inside = 1 - reduce_all(graph, apart, reduce=ADD) / total
    sums = gathered(graph, key, out)
    others = sums if entering is out else gathered(graph, key, entering)
    state = (sums, others, total)
    return inside - resolution * reduce_all(graph, state, reduce=ADD, function=_by_chance)


def _by_chance(c, out, entering, total):
    return (out[c] / total) * (entering[c] / total)
