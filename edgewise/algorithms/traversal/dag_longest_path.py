"""The longest path of a directed acyclic graph, by relaxing edges in topological order [1].

Linear work, on one CPU thread after the sort.

[1] R. Sedgewick, K. Wayne. Algorithms. Fourth edition, section 4.4, 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.topological_sort import topological_sort
from edgewise.algorithms.traversal.bellman_ford import signed_lengths
from edgewise.algorithms.traversal.paths import Paths
from edgewise.base.checks import check_directed
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.sequential import going, sequential

__all__ = ["dag_longest_path"]


@takes_graph
def dag_longest_path(graph: LocalGraphLike, *, weights: Any = "weight") -> list[int]:
    """Return the vertices of a longest path of a directed acyclic graph.

    Parameters
    ----------
    graph : Graph
        Directed, without cycles, in host memory.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights are lengths and may be negative. They must be finite.

    Returns
    -------
    list of int
        The vertices from first to last; empty for a graph without vertices. If no path has a
        positive length, it is a single vertex.

    Raises
    ------
    ValueError
        If there is a cycle; the message lists its vertices. Also if a length is not finite.

    See Also
    --------
    topological_generations : The number of edges of the longest path to each vertex.

    Notes
    -----
    O(n log n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 3.0, 1.0], directed=True)
    >>> dag_longest_path(graph), dag_longest_path(graph, weights=None)
    ([0, 2], [0, 1, 2])
    """
    check_host(graph, "dag_longest_path")
    check_directed(graph, "dag_longest_path")
    order, lengths = topological_sort(graph), signed_lengths(graph, weights, finite=True)
    if len(order) == 0:
        return []
    distance = np.zeros(len(order), np.int64 if lengths.dtype.kind == "i" else np.float64)
    parent = np.arange(len(order))
    state = (graph.indptr, graph.indices, lengths, order, distance, parent)
    sequential(_extend, state, steps=len(order), work=graph.num_arcs, phase="extend")
    return Paths(distance, parent).path_to(int(distance.argmax()))


def _extend(control, indptr, indices, lengths, order, distance, parent):
    """Extend the longest path to each vertex along its edges."""
    for i in range(len(order)):
        v = order[i]
        if i % 1024 == 0 and not going(control, i):
            return
        for e in range(indptr[v], indptr[v + 1]):
            u, length = np.int64(indices[e]), distance[v] + lengths[e]
            if length > distance[u]:
                distance[u], parent[u] = length, v
