"""Measures over edges: the distances between the positions of adjacent vertices.

Let p be the positions. The linear arrangement is the sum of |p(u) - p(v)| over the edges, and the
log arrangement the sum of their logarithms [1]. The bandwidth is the largest of these distances.
The profile (the size of the envelope) is the sum over v of p(v) - min p(u), over v and its
neighbors u. One reduction over every row: linear work, in parallel, on every engine. The results
are the same for any number of threads.

[1] F. Chierichetti, R. Kumar, S. Lattanzi, M. Mitzenmacher, A. Panconesi, P. Raghavan. On
    compressing social networks. KDD 2009.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from edgewise.algorithms.ordering.places import both_ways, check_places
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MAX, MIN, reduce_all, reduce_neighbors

__all__ = ["bandwidth", "linear_arrangement", "log_arrangement", "profile"]


@takes_graph
def linear_arrangement(graph: GraphLike, positions: Any = None) -> int:
    """Return the linear arrangement cost of an order: the sum of distances over all edges.

    Parameters
    ----------
    graph : Graph
        A directed graph counts a pair of opposite edges once.
    positions : array of int over vertices, optional
        The position of each vertex. By default the order in which the graph is stored.

    Returns
    -------
    int
        The sum of the distances between the positions of adjacent vertices. Smaller is better.

    See Also
    --------
    log_arrangement : The sum of the logarithms of the distances.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> linear_arrangement(path), linear_arrangement(path, [0, 2, 1, 3])
    (3, 5)
    """
    graph, places = _read(graph, positions, "linear_arrangement")
    apart = reduce_neighbors(graph, None, _apart, places, reduce=ADD, dtype=np.int64)
    return int(reduce_all(graph, apart, reduce=ADD)) // 2


@takes_graph
def log_arrangement(graph: GraphLike, positions: Any = None) -> float:
    """Return the log arrangement cost of an order: the sum of base-2 log distances over all edges.

    Self-loops add nothing.

    Parameters
    ----------
    graph, positions
        As for `linear_arrangement`.

    Returns
    -------
    float
        Smaller is better.

    See Also
    --------
    linear_arrangement : The sum of the distances themselves.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> log_arrangement(path), log_arrangement(path, [0, 2, 1, 3])
    (0.0, 2.0)
    """
    graph, places = _read(graph, positions, "log_arrangement")
    apart = reduce_neighbors(graph, None, _log_apart, places, reduce=ADD, dtype=np.float64)
    return float(reduce_all(graph, apart, reduce=ADD)) / 2


@takes_graph
def bandwidth(graph: GraphLike, positions: Any = None) -> int:
    """Return the bandwidth of an order: the largest distance between adjacent vertices.

    Parameters
    ----------
    graph, positions
        As for `linear_arrangement`.

    Returns
    -------
    int
        0 if the graph has no edges.

    See Also
    --------
    profile : The sum over rows instead of the maximum over edges.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> bandwidth(ring), bandwidth(ring, [0, 1, 3, 2])
    (3, 2)
    """
    graph, places = _read(graph, positions, "bandwidth")
    apart = reduce_neighbors(graph, None, _apart, places, reduce=MAX, dtype=np.int64)
    return max(int(reduce_all(graph, apart, reduce=MAX)), 0)


@takes_graph
def profile(graph: GraphLike, positions: Any = None) -> int:
    """Return the profile (envelope size) of an order.

    It counts the matrix entries from the first nonzero of each row to the diagonal.

    Parameters
    ----------
    graph, positions
        As for `linear_arrangement`.

    Returns
    -------
    int
        Smaller is better.

    See Also
    --------
    bandwidth : The maximum over edges instead of the sum over rows.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> profile(ring), profile(ring, [0, 1, 3, 2])
    (5, 5)
    """
    graph, places = _read(graph, positions, "profile")
    first = reduce_neighbors(graph, None, _place, places, reduce=MIN)
    total = reduce_all(graph, (places, first), reduce=ADD, function=_width, dtype=np.int64)
    return int(total)


def _read(graph: AnyGraph, order: Any, name: str) -> tuple[Any, Any]:
    """The graph read both ways, and the position of every vertex."""
    return both_ways(graph, name), check_places(graph, order)


def _apart(value, own):
    return abs(np.int64(value) - np.int64(own))


def _log_apart(value, own):
    return 0.0 if value == own else math.log2(abs(np.int64(value) - np.int64(own)))


def _place(value):
    return value


def _width(v, places, first):
    return np.int64(max(places[v] - first[v], 0))
