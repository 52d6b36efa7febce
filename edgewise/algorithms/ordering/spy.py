"""Edge counts between blocks of positions: the spy plot of a graph in an order.

One pass over the edges, in parallel. The counts are exact.
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
def spy(graph: GraphLike, positions: Any = None, *, bins: int = 256) -> Any:
    """Return edge counts between blocks of positions (a spy plot).

    Parameters
    ----------
    graph : Graph
        Directed or undirected. An undirected edge counts in both directions, a self-loop once.
    positions : array of int over vertices, optional
        The position of each vertex. By default the order in which the graph is stored.
    bins : int
        The number of blocks, from 1 to 4,096. It is reduced to the number of vertices if that is
        smaller.

    Returns
    -------
    array of int64, bins x bins
        The number of edges from the block of the row to the block of the column.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> spy(path(8), bins=2).tolist()
    [[6, 1], [1, 6]]
    """
    check_one_device(graph, "spy")
    places, n = check_places(graph, positions), graph.num_vertices
    bins = min(check_count(bins, "bins", 1, 4096), max(n, 1))
    counts = graph.xp.zeros(bins * bins, np.int64)
    if graph.num_arcs:
        advance(graph, None, _count, (places, counts, bins, n), output=None)
    return counts.reshape(bins, bins)


def _count(source, target, edge, places, counts, bins, n):
    row, column = np.int64(places[source]) * bins // n, np.int64(places[target]) * bins // n
    atomic.add(counts, row * bins + column, 1)
    return False
