"""The constant Potts model: the weight inside communities, compared with a constant density [1].

    Q = sum over c of  L(c) - resolution * n(c) (n(c) - 1) / 2

L(c) is the weight inside community c and n(c) the number of its members. A directed graph counts
all ordered pairs of members. The best partition of a part of the graph does not depend on the rest
of the graph. One pass over the edges.

[1] V. Traag, P. Van Dooren, Y. Nesterov. Narrow scope for resolution-limit-free community
    detection. Physical Review E 84, 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.labelings import as_labels, gathered, shares
from edgewise.base.checks import check_number
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, reduce_all

__all__ = ["constant_potts"]


@takes_graph
def constant_potts(
    graph: GraphLike, communities: Any, *, weights: Any = "weight", resolution: float = 1.0
) -> float:
    """Return the constant Potts quality of a partition, in the unit of the weights.

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
        The density that communities are compared with. Larger values favor smaller communities.

    Returns
    -------
    float
        The weight inside communities, minus ``resolution`` for every pair of their members.

    See Also
    --------
    modularity : Compares with a random graph of the same degrees.

    Notes
    -----
    O(n + m) time and O(n) memory.

    Examples
    --------
    Two triangles joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> constant_potts(graph, [0, 0, 0, 1, 1, 1], resolution=0.5)
    3.0
    """
    key, resolution = as_labels(graph, communities), check_number(resolution, "resolution")
    out, apart = shares(graph, key, weights)
    inside = reduce_all(graph, out, reduce=ADD) - reduce_all(graph, apart, reduce=ADD)
    sizes = gathered(graph, key, graph.full(1, np.int64))
    pairs = reduce_all(graph, sizes, reduce=ADD, function=_pairs)
    return float((inside - resolution * pairs) * (1 if graph.directed else 0.5))


def _pairs(c, sizes):
    return float(sizes[c]) * (sizes[c] - 1)
