"""The matrix of a graph in an order as a picture's worth of counts: edges by blocks of positions.

One visit of every edge, in parallel; the counts are exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.ordering.places import check_places
from edgewise.base import atomic
from edgewise.base.checks import check_count, check_one_device
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import advance

__all__ = ["spy"]


@takes_graph
def spy(graph: GraphLike, order: Any = None, *, bins: int = 256) -> Any:
    """How many edges lead from each block of positions to each: a spy plot by counting.

    Parameters
    ----------
    graph : Graph
        An undirected edge counts in both directions, a loop once.
    order : array of int over vertices, optional
        The position of every vertex; by default as they are stored.
    bins : int
        Rows and columns of the picture, up to 4,096; no more than there are vertices.

    Returns
    -------
    array of int64, bins x bins
        The counts, sources down and targets across.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> spy(path(8), bins=2).tolist()
    [[6, 1], [1, 6]]
    """
    check_one_device(graph, "spy")
    places, n = check_places(graph, order), graph.num_vertices
    bins = min(check_count(bins, "bins", 1, 4096), max(n, 1))
    counts = graph.xp.zeros(bins * bins, np.int64)
    if graph.num_arcs:
        advance(graph, None, _count, (places, counts, bins, n), output=None)
    return counts.reshape(bins, bins)


def _count(source, target, edge, places, counts, bins, n):
    row, column = np.int64(places[source]) * bins // n, np.int64(places[target]) * bins // n
    atomic.add(counts, row * bins + column, 1)
    return False
