"""Measures over edges: how far apart the ends of edges are, in total and at most.

With p the positions: linear arrangement is the sum of |p(u) - p(v)| over the edges, log arrangement
that of the logarithms [1], bandwidth the greatest of them, and profile (the size of the envelope)
the sum over v of p(v) - min p(u) over v and its neighbors u. One reduction over every row: linear
work, in parallel, on every engine. Equal for any number of threads.

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
def linear_arrangement(graph: GraphLike, order: Any = None) -> int:
    """The sum over all edges of the distance between the positions of their ends.

    Parameters
    ----------
    graph : Graph
        An edge that goes both ways in a directed graph counts once.
    order : array of int over vertices, optional
        The position of every vertex; by default as they are stored.

    Returns
    -------
    int

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> linear_arrangement(path), linear_arrangement(path, [0, 2, 1, 3])
    (3, 5)
    """
    graph, places = _read(graph, order, "linear_arrangement")
    apart = reduce_neighbors(graph, None, _apart, places, reduce=ADD, dtype=np.int64)
    return int(reduce_all(graph, apart, reduce=ADD)) // 2


@takes_graph
def log_arrangement(graph: GraphLike, order: Any = None) -> float:
    """The sum over all edges of the base-2 logarithm of the distance between their ends.

    Loops count nothing. Parameters are those of `linear_arrangement`.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> log_arrangement(path), log_arrangement(path, [0, 2, 1, 3])
    (0.0, 2.0)
    """
    graph, places = _read(graph, order, "log_arrangement")
    apart = reduce_neighbors(graph, None, _log_apart, places, reduce=ADD, dtype=np.float64)
    return float(reduce_all(graph, apart, reduce=ADD)) / 2


@takes_graph
def bandwidth(graph: GraphLike, order: Any = None) -> int:
    """The greatest distance between the positions of an edge's ends; 0 without edges.

    Parameters are those of `linear_arrangement`.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> bandwidth(ring), bandwidth(ring, [0, 1, 3, 2])
    (3, 2)
    """
    graph, places = _read(graph, order, "bandwidth")
    apart = reduce_neighbors(graph, None, _apart, places, reduce=MAX, dtype=np.int64)
    return max(int(reduce_all(graph, apart, reduce=MAX)), 0)


@takes_graph
def profile(graph: GraphLike, order: Any = None) -> int:
    """The number of places in the matrix from each row's first entry to the diagonal.

    Parameters are those of `linear_arrangement`.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> profile(ring), profile(ring, [0, 1, 3, 2])
    (5, 5)
    """
    graph, places = _read(graph, order, "profile")
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
