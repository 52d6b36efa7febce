"""Coverage and performance of a partition [1].

Coverage is the fraction of the edge weight that lies inside communities. Performance is the
fraction of vertex pairs that are classified correctly: adjacent pairs inside a community, and
nonadjacent pairs between two. Both agree with NetworkX's ``partition_quality``, which ignores
weights and counts self-loops as pairs.

[1] S. Fortunato. Community detection in graphs. Physics Reports 486, 2010.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.labelings import as_labels, gathered, shares
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, reduce_all

__all__ = ["coverage", "performance"]


@takes_graph
def coverage(graph: GraphLike, communities: Any, *, weights: Any = "weight") -> float:
    """Return the coverage of a partition: the fraction of edge weight inside communities.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    communities : array of int over vertices
        Members of the same community have equal values.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.

    Returns
    -------
    float
        From 0 to 1. It is 1 if the total weight is zero.

    See Also
    --------
    performance : Counts vertex pairs instead of edge weights.

    Notes
    -----
    O(n + m) time and O(n) memory.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> coverage(Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4]), [0, 0, 0, 1, 1])
    0.75
    """
    out, apart = shares(graph, as_labels(graph, communities), weights)
    total = reduce_all(graph, out, reduce=ADD)
    return 1 - reduce_all(graph, apart, reduce=ADD) / total if total > 0 else 1.0


@takes_graph
def performance(graph: GraphLike, communities: Any) -> float:
    """Return the performance of a partition: the fraction of correctly classified vertex pairs.

    A pair is correct if it is adjacent and in one community, or nonadjacent and in two.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. A directed graph counts all ordered pairs. Weights and self-loops
        are ignored.
    communities : array of int over vertices
        Members of the same community have equal values.

    Returns
    -------
    float
        From 0 to 1. It is 1 if the graph has fewer than two vertices.

    See Also
    --------
    coverage : Counts edge weights instead of vertex pairs.

    Notes
    -----
    O(n + m) time and O(n) memory.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> performance(Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4]), [0, 0, 0, 1, 1])
    0.8
    """
    n, key = graph.num_vertices, as_labels(graph, communities)
    if n < 2:
        return 1.0
    out, apart = shares(graph, key, None, loop=0)
    between = reduce_all(graph, apart, reduce=ADD)
    inside = reduce_all(graph, out, reduce=ADD) - between
    sizes = gathered(graph, key, graph.full(1, np.int64))
    pairs = reduce_all(graph, sizes, reduce=ADD, function=_square) - n  # those inside
    return 1 - ((pairs - inside) + between) / (n * (n - 1))


def _square(c, sizes):
    return float(sizes[c]) * sizes[c]
