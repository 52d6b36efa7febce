"""Modularity: the weight inside communities, compared with a random graph of the same degrees [1].

Let m be the total edge weight, L(c) the weight inside community c, and d(c) the sum of the degrees
of its members, where a self-loop counts twice. Then

    Q = sum over c of  L(c) / m - resolution * (d(c) / 2m)^2

In a directed graph, with out-degrees and in-degrees [2]:

    Q = sum over c of  L(c) / m - resolution * out(c) in(c) / m^2

One pass over the edges, or two if the graph is directed. Small graphs take one pass on one thread.

[1] M. Newman, M. Girvan. Finding and evaluating community structure in networks. Physical Review
    E 69, 2004.
[2] E. Leicht, M. Newman. Community structure in directed networks. Physical Review Letters 100,
    2008.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.labelings import as_labels, gathered, shares
from edgewise.algorithms.weighted_rows import weighted_rows
from edgewise.algorithms.weighting import finite_amounts
from edgewise.base.checks import check_number
from edgewise.graph import Graph
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, reduce_all
from edgewise.operators.sequential import sequential, sequential_or

__all__ = ["modularity"]

#: Up to half a million arcs one thread takes no longer than two.
_ALONE = 16


@takes_graph
def modularity(
    graph: GraphLike, communities: Any, *, weights: Any = "weight", resolution: float = 1.0
) -> float:
    """Return the modularity of a partition.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    communities : array of int over vertices
        Members of the same community have equal values.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    resolution : float
        The factor of the expected weight. Larger values favor smaller communities.

    Returns
    -------
    float
        At most 1. It is 0 if the total weight is zero.

    See Also
    --------
    constant_potts : A quality function without a resolution limit.

    Notes
    -----
    O(n + m) time and O(n) memory.

    Examples
    --------
    Two triangles joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> round(modularity(graph, [0, 0, 0, 1, 1, 1]), 4)
    0.3571
    """
    key, resolution = as_labels(graph, communities), check_number(resolution, "resolution")
    return sequential_or(graph, _alone, _together, key, weights, resolution, times=_ALONE)


def _alone(graph: Graph, key: Any, weights: Any, resolution: float) -> float:
    """The modularity of a small graph, by one thread."""
    found = _tallied(graph, key, finite_amounts(graph, weights))
    return 1 - found[1] / found[0] - resolution * found[2] if found[0] else 0.0


def _together(graph: AnyGraph, key: Any, weights: Any, resolution: float) -> float:
    """The same by all threads."""
    out, apart = shares(graph, key, weights)
    entering = shares(graph, key, weights, mode="in")[0] if graph.directed else out
    total = reduce_all(graph, out, reduce=ADD)
    if total == 0:
        return 0.0
    inside = 1 - reduce_all(graph, apart, reduce=ADD) / total
    sums = gathered(graph, key, out)
    others = sums if entering is out else gathered(graph, key, entering)
    state = (sums, others, total)
    return inside - resolution * reduce_all(graph, state, reduce=ADD, function=_by_chance)


def _tallied(graph: AnyGraph, key: Any, lengths: Any) -> list[float]:
    """The weight of all edges, that between communities, and the share that chance puts inside."""
    out, found = graph.full(0.0), np.zeros(3)
    entering = graph.full(0.0) if graph.directed else out
    state = key, graph.directed, graph.num_self_loops > 0, out, entering, found
    rows = weighted_rows(graph, lengths)
    sequential(_tally, (rows, *state), steps=len(out), work=graph.num_arcs)
    return found.tolist()


def _tally(control, rows, key, directed, loops, out, entering, found):
    indptr, indices, weights, stride = rows
    for v in range(len(out)):
        own, low, high = key[v], indptr[v], indptr[v + 1]
        total, apart, others = 0.0, 0.0, 0
        if stride == 0:  # whole numbers are added up faster
            for e in range(low, high):
                others += key[indices[e]] != own
            total, apart = float(high - low), float(others)
        else:
            for e in range(low, high):
                total += weights[e]
                apart += weights[e] if key[indices[e]] != own else 0
        if directed:
            for e in range(low, high):
                entering[key[indices[e]]] += weights[e * stride]
        elif loops:
            for e in range(low, high):
                total += weights[e * stride] if indices[e] == v else 0
        out[own] += total
        found[0] += total
        found[1] += apart
    for c in range(len(out)):
        if out[c] > 0:
            found[2] += (out[c] / found[0]) * (entering[c] / found[0])


def _by_chance(c, out, entering, total):
    return (out[c] / total) * (entering[c] / total)
