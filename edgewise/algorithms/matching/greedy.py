"""Greedy matching [1]: a 1/2-approximate maximum weight matching by sorted edges.

Edges are taken in the order of `edgewise.operators.edge_order`, so the matching is that of
`locally_dominant`. Sorting takes O(m log m) time. Then one CPU thread goes through the edges.

[1] D. Avis. A survey of heuristics for the weighted matching problem. Networks 13, 1983.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.edge_sort import ranked
from edgewise.algorithms.matching.result import Matching, finite_weights, matched
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["greedy", "join_free"]


@takes_graph
def greedy(graph: LocalGraphLike, *, weights: Any = "weight") -> Matching:
    """Return the matching of `locally_dominant`, found by sorting the edges, in host memory.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and edges of weight zero or less are never matched.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite, and the same in both directions of an edge.

    Returns
    -------
    Matching
        The matching of `locally_dominant`. It has at least half the maximum weight.

    Raises
    ------
    ValueError
        If the graph is directed, or a weight is not finite; the message names the edge.
    DeviceError
        If the graph is on a GPU.

    See Also
    --------
    locally_dominant : The same matching in parallel.
    suitor : The same matching by proposals, in parallel.

    Notes
    -----
    O(m log n) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[2.0, 3.0, 2.0])
    >>> greedy(path).mate.tolist()
    [-1, 2, 1, -1]
    """
    check_host(graph, "greedy")
    found = finite_weights(graph, weights, "greedy")
    mate = graph.full(-1, graph.id_dtype)
    low, high = _by_rank(graph, found)
    if len(low):
        sequential(_take_in_order, (low, high, mate), steps=len(low))
    return matched(graph, mate, weights)


def _by_rank(graph: Graph, weights: Any) -> tuple[np.ndarray, np.ndarray]:
    """The two ends of every edge that may be matched, the highest ranking first."""
    rows = np.repeat(np.arange(graph.num_vertices, dtype=graph.id_dtype), graph.row_lengths())
    once = rows < graph.indices
    if weights is not None:
        once &= weights > 0
    low, high = rows[once], graph.indices[once]
    order = ranked(low, high, None if weights is None else weights[once])
    return low[order], high[order]


def _take_in_order(control, low, high, mate):
    for first in range(0, len(low), 4096):
        if not going(control, first):
            return
        for i in range(first, min(first + 4096, len(low))):
            join_free(low[i], high[i], mate, mate)


@inner
def join_free(u, v, mate, mate_of_other):
    """Make u and v mates if both are free: were they? The sides of a graph may have two arrays."""
    if mate[u] >= 0 or mate_of_other[v] >= 0:
        return False
    mate[u], mate_of_other[v] = v, u
    return True
