"""The constant Potts model: how much more weight communities have inside than a density asks [1].

    Q = sum over c of  L(c) - resolution * n(c) (n(c) - 1) / 2

where L(c) is the weight of the edges inside community c and n(c) the number of its members; in a
directed graph all ordered pairs of them count. What is best for a part of a graph by this measure
does not depend on the rest of it. One pass over the edges.

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
    graph: GraphLike, communities: Any, *, weights: Any = None, resolution: float = 1.0
) -> float:
    """The quality of a labelling by the constant Potts model, in the unit of the weights.

    Parameters
    ----------
    graph : Graph
        Directed or not.
    communities : array of int over vertices
        Equal for the members of a community.
    weights : None, "unit" or array over edges
        Finite and not negative.
    resolution : float
        The density that communities are measured against.

    Returns
    -------
    float

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
