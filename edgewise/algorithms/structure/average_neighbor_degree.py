"""Average degree of the neighbors of each vertex [1]. Linear work.

[1] A. Barrat, M. Barthelemy, R. Pastor-Satorras, A. Vespignani. The architecture of complex
    weighted networks. PNAS 101, 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.weighting import balanced
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, compute, reduce_neighbors

__all__ = ["average_neighbor_degree"]


@takes_graph
def average_neighbor_degree(graph: GraphLike, *, weights: Any = None) -> Any:
    """Return the average degree of the neighbors of each vertex.

    Parameters
    ----------
    graph : Graph
        In a directed graph, neighbors are the targets of edges, and degrees are out-degrees. An
        undirected self-loop adds 2 to a degree.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        With weights, a neighbor counts in proportion to the weight of its edge.
        All weights must be finite and nonnegative.

    Returns
    -------
    array of float64 over vertices
        0 for vertices without neighbors.

    See Also
    --------
    degree_assortativity_coefficient : The correlation of degrees over edges.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.generators import star
    >>> average_neighbor_degree(star(4)).tolist()
    [1.0, 4.0, 4.0, 4.0, 4.0]
    """
    weights = balanced(graph, weights)[0]
    ids = graph.vertex_ids()
    message: Any = _one if graph.directed else _ends
    degree = reduce_neighbors(graph, None, message, ids, reduce=ADD, mode="out", dtype=np.float64)
    options = {"reduce": ADD, "mode": "out", "weights": weights, "dtype": np.float64}
    total = reduce_neighbors(graph, None, _amount, degree, **options)
    if weights is not None:
        message = _weight if graph.directed else _weight_of_ends
        degree = reduce_neighbors(graph, None, message, ids, **options)
    compute(graph, None, _divide, (total, degree))
    return total


def _one():
    return 1


def _ends(source, own):
    return 2 if source == own else 1


def _weight(weight):
    return 1.0 * weight


def _weight_of_ends(weight, source, own):
    return 2.0 * weight if source == own else 1.0 * weight


def _amount(value, weight):
    return value * weight


def _divide(v, total, degree):
    if degree[v] > 0:
        total[v] /= degree[v]
