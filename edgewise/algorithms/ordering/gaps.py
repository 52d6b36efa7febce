"""Measures over neighborhoods: how close the neighbors of a vertex are to one another.

Let p1 < p2 < ... < pd be the sorted positions of v's neighbors, without v itself. The linear gap is
the sum over all vertices of the gaps p(i+1) - p(i), which is pd - p1. The log gap is the sum of
their base-2 logarithms [1]. Spans count the cache lines, or pages, that values at these positions
occupy. Sorted neighborhoods are the rows of the permuted graph, and permuting it is most of the
work. `linear_gap` needs no sorting and runs on every engine.

[1] M. Mandulak, R. Hu, G. Slota. Explicit ordering refinement for accelerating irregular graph
    analysis. HPEC 2022.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from edgewise.algorithms.ordering.places import both_ways, check_places, placed
from edgewise.base.checks import check_count
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MAX, MIN, reduce_all, reduce_neighbors
from edgewise.operators.helpers import inner

__all__ = ["line_span", "linear_gap", "log_gap", "page_span"]


@takes_graph
def linear_gap(graph: GraphLike, positions: Any = None) -> int:
    """Return the linear gap of an order: the sum of gaps between consecutive neighbors.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Edges of a directed graph are followed in both directions.
    positions : array of int over vertices, optional
        The position of each vertex. By default the order in which the graph is stored.

    Returns
    -------
    int
        The sum over all vertices. Smaller is better.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    The middle of a star, at position 0, has neighbors at 1, 2, 3; all others have one:

    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> linear_gap(star), linear_gap(star, [1, 0, 2, 3])
    (2, 3)
    """
    graph, places = both_ways(graph, "linear_gap"), check_places(graph, positions)
    limits = np.iinfo(places.dtype)  # what a loop's message stands back behind
    first = reduce_neighbors(graph, None, _but_own, places, reduce=MIN,
                             params={"nothing": int(limits.max)})  # fmt: skip
    last = reduce_neighbors(graph, None, _but_own, places, reduce=MAX,
                            params={"nothing": int(limits.min)})  # fmt: skip
    return int(reduce_all(graph, (first, last), reduce=ADD, function=_width, dtype=np.int64))


@takes_graph
def log_gap(graph: GraphLike, positions: Any = None) -> float:
    """Return the log gap of an order: the sum of base-2 logarithms of gaps between neighbors.

    It estimates the bits that the graph takes if its rows are stored as differences.

    Parameters
    ----------
    graph, positions
        As for `linear_gap`.

    Returns
    -------
    float
        The sum over all vertices. Smaller is better.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> log_gap(star), log_gap(star, [1, 0, 2, 3])
    (0.0, 1.0)
    """
    graph = placed(graph, positions, "log_gap")
    total = _over_rows(graph, _log_step, {}, np.float64)
    return float(reduce_all(graph, total, reduce=ADD))


@takes_graph
def line_span(graph: GraphLike, positions: Any = None, *, per_line: int = 8) -> float:
    """Return the mean number of cache lines that the neighbors of a vertex occupy.

    The mean is over vertices that have neighbors.

    Parameters
    ----------
    graph, positions
        As for `linear_gap`.
    per_line : int
        The number of elements of an array over vertices in a cache line: 8 doubles for 64 bytes.

    Returns
    -------
    float
        Smaller is better.

    Examples
    --------
    >>> from edgewise.generators import star
    >>> line_span(star(17)), line_span(star(17), per_line=4)
    (1.1111111111111112, 1.2222222222222223)
    """
    return _span(graph, positions, check_count(per_line, "per_line", 1, 2**62), "line_span")


@takes_graph
def page_span(graph: GraphLike, positions: Any = None, *, per_page: int = 512) -> float:
    """Return the mean number of memory pages that the neighbors of a vertex occupy.

    The mean is over vertices that have neighbors.

    Parameters
    ----------
    graph, positions
        As for `linear_gap`.
    per_page : int
        The number of elements of an array over vertices in a page: 512 doubles for 4,096 bytes.

    Returns
    -------
    float
        Smaller is better.

    Examples
    --------
    >>> from edgewise.generators import star
    >>> page_span(star(17))
    1.0
    """
    return _span(graph, positions, check_count(per_page, "per_page", 1, 2**62), "page_span")


def _span(graph: AnyGraph, order: Any, size: int, name: str) -> float:
    graph = placed(graph, order, name)
    found = _over_rows(graph, _new_block, {"size": size}, np.int64)
    busy = int(reduce_all(graph, found, reduce=ADD, function=_some, dtype=np.int64))
    return int(reduce_all(graph, found, reduce=ADD)) / max(busy, 1)


def _over_rows(graph: AnyGraph, message: Any, params: dict[str, Any], dtype: Any) -> Any:
    """The sum over every row of what a message makes of an entry and the one before it."""
    ids = graph.vertex_ids(graph.id_dtype)
    params = {"starts": graph.indptr, "targets": graph.indices, **params}
    return reduce_neighbors(graph, None, message, ids, reduce=ADD, mode="out", params=params,
                            weights=None, dtype=dtype)  # fmt: skip


@inner
def _before(starts, targets, v, edge):
    """The neighbor of v that comes before that of an edge, v itself left out; -1 if none does."""
    first = starts[v]
    if edge > first and targets[edge - 1] != v:
        return np.int64(targets[edge - 1])
    if edge > first + 1 and targets[edge - 1] == v:
        return np.int64(targets[edge - 2])
    return np.int64(-1)


def _log_step(source, edge, own, starts, targets):
    last = _before(starts, targets, own, edge)
    return 0.0 if last < 0 or source == own else math.log2(np.int64(source) - last)


def _new_block(source, edge, own, starts, targets, size):
    last = _before(starts, targets, own, edge)
    if source == own or (last >= 0 and last // size == np.int64(source) // size):
        return np.int64(0)
    return np.int64(1)


def _but_own(value, own, nothing):
    return nothing if value == own else np.int64(value)


def _width(v, first, last):
    return np.int64(last[v]) - np.int64(first[v]) if first[v] <= last[v] else np.int64(0)


def _some(v, found):
    return np.int64(1) if found[v] > 0 else np.int64(0)
