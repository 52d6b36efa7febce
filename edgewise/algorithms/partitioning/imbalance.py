"""Imbalance of a partition: how far the heaviest part is above the mean. One pass over vertices."""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.communities.labelings import as_labels, gathered
from edgewise.algorithms.partitioning.graph_levels import weight_columns
from edgewise.algorithms.weighting import amounts
from edgewise.base.checks import check_count
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MAX, reduce_all

__all__ = ["check_parts", "imbalance"]


@takes_graph
def imbalance(
    graph: GraphLike, parts: Any, *, k: int | None = None, vertex_weights: Any = None
) -> float:
    """Return the imbalance of a partition: the heaviest part's weight over the mean, minus 1.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Edges are ignored.
    parts : array of int over vertices
        The part of each vertex, from 0.
    k : int, optional
        The number of parts, empty ones included. By default ``parts.k`` of a `Parts`, or else the
        largest part number plus 1.
    vertex_weights : array over vertices, optional
        Finite and nonnegative; 1 for each vertex by default. An array with n rows and several
        columns gives several weights per vertex.

    Returns
    -------
    float
        0 if all parts weigh the same or the total weight is zero; at most k - 1. A partition with
        an imbalance of 0.03 has no part that is more than 3 percent heavier than the mean. With
        several weights per vertex, it is the largest imbalance of a column.

    Notes
    -----
    O(n) time and memory.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> imbalance(path(4), [0, 0, 0, 1])
    0.5
    >>> imbalance(path(4), [0, 0, 0, 1], vertex_weights=[1, 1, 1, 3])
    0.0
    >>> import numpy as np
    >>> both = np.array([[1, 1], [1, 1], [1, 1], [3, 1]])
    >>> imbalance(path(4), [0, 0, 0, 1], vertex_weights=both)
    0.5
    """
    key, k = check_parts(graph, parts, k)
    return max(_of_column(graph, key, k, one) for one in weight_columns(vertex_weights))


def _of_column(graph: AnyGraph, key: Any, k: int, given: Any) -> float:
    weights = amounts(graph, 1.0 if given is None else given, "vertex_weights")
    total = reduce_all(graph, weights, reduce=ADD)
    if not total > 0:
        return 0.0
    return float(reduce_all(graph, gathered(graph, key, weights), reduce=MAX)) * k / total - 1


def check_parts(graph: AnyGraph, parts: Any, k: int | None = None) -> tuple[Any, int]:
    """The parts as int64 below n, equal where the given ones are equal; and their number."""
    if k is None:
        k = getattr(parts, "k", None)
    key, given = as_labels(graph, parts, "parts"), graph.xp.asarray(parts)
    least, most = (int(given.min()), int(given.max())) if graph.num_vertices else (0, -1)
    if least < 0:
        raise ValueError(f"parts must not be negative, got {least}")
    k = most + 1 if k is None else check_count(k, "k", 1 if graph.num_vertices else 0)
    if most >= k:
        raise ValueError(f"parts must lie below k ({k}), got {most}")
    return key, k
