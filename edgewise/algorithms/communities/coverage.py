"""Coverage and performance of a labelling [1].

Coverage is the share of the edges, by weight, that lie inside communities. Performance is the share
of the pairs of vertices that are as they should be: joined inside a community, not joined between
two. As NetworkX's ``partition_quality``, which knows no weights and counts self-loops as pairs.

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
def coverage(graph: GraphLike, communities: Any, *, weights: Any = None) -> float:
    """The share of the edges, by weight, that lie inside communities.

    Parameters
    ----------
    graph : Graph
        Directed or not.
    communities : array of int over vertices
        Equal for the members of a community.
    weights : None, "unit" or array over edges
        Finite and not negative.

    Returns
    -------
    float
        1 where no edge has any weight.

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
    """The share of the pairs of vertices that are joined inside, or not between, communities.

    Parameters
    ----------
    graph : Graph
        Directed or not; of a directed one all ordered pairs count. Weights and self-loops do not
        matter.
    communities : array of int over vertices
        Equal for the members of a community.

    Returns
    -------
    float
        1 where there are no pairs.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> performance(Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4]), [0, 0, 0, 1, 1])
    0.8
    """
    n, key = graph.num_vertices, as_labels(graph, communities)
    if n < 2:
        return 1.0
    out, apart = shares(graph, key, "unit", loop=0)
    between = reduce_all(graph, apart, reduce=ADD)
    inside = reduce_all(graph, out, reduce=ADD) - between
    sizes = gathered(graph, key, graph.full(1, np.int64))
    pairs = reduce_all(graph, sizes, reduce=ADD, function=_square) - n  # those inside
    return 1 - ((pairs - inside) + between) / (n * (n - 1))


def _square(c, sizes):
    return float(sizes[c]) * sizes[c]
