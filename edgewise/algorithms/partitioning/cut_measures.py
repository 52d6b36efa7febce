"""What a partition costs: cut edges, communication volume, and the vertices at the boundary [1].

A vertex is at the boundary if it has a neighbor in another part. Its value is then sent once to
each of the other parts among its neighbors; the communication volume counts these messages. Two
neighbors in one part need only one message, so that the volume is a better estimate of traffic
than the number of cut edges.

The distinct parts around a vertex are collected in windows of 62 part numbers, one bit each. The
next window begins at the first part behind the last one. One pass over the edges, and one more
over the edges of the vertices that have parts in another window.

[1] B. Hendrickson, T. Kolda. Graph partitioning models for parallel computing. Parallel Computing
    26, 2000.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.imbalance import check_parts
from edgewise.algorithms.weighting import finite_amounts
from edgewise.base.bits import count_bits
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MIN, OR, Monoid, compute, filter, reduce_all, reduce_neighbors

__all__ = ["boundary", "communication_volume", "edge_cut", "volumes"]

_WIDTH = 62  # part numbers in a window
_NONE = np.int64(2**62)  # behind every part

_PARTS_SEEN = Monoid(
    (OR.identity, MIN.identity),
    lambda a, b: (a[0] | b[0], min(a[1], b[1])),
    idempotent=True,
    parts=(OR, MIN),
)


@takes_graph
def edge_cut(graph: GraphLike, parts: Any, *, weights: Any = "weight") -> float:
    """Return the edge cut of a partition: the weight of the edges between parts.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Every edge counts once.
    parts : array of int over vertices
        The part of each vertex, from 0.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.

    Returns
    -------
    float
        The total weight of the cut edges; their number if the graph has no weights.

    See Also
    --------
    communication_volume : Counts messages instead of edges.

    Notes
    -----
    O(n + m) time and O(n) memory.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> edge_cut(grid_2d(2, 4), [0, 0, 1, 1, 0, 0, 1, 1])
    2.0
    """
    key, _ = check_parts(graph, parts)
    finite_amounts(graph, weights)
    between = reduce_neighbors(
        graph, None, _across, key, reduce=ADD, mode="out", weights=weights, dtype=np.float64
    )
    return float(reduce_all(graph, between, reduce=ADD)) / (1 if graph.directed else 2)


@takes_graph
def communication_volume(graph: GraphLike, parts: Any) -> int:
    """Return the communication volume: over all vertices, the number of other parts around each.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. In a directed graph, the parts of a vertex's successors count.
        Weights are ignored.
    parts : array of int over vertices
        The part of each vertex, from 0.

    Returns
    -------
    int
        The number of messages if the value of every vertex is sent once to each other part that
        has a neighbor of it.

    See Also
    --------
    edge_cut : Counts edges instead of messages.

    Notes
    -----
    O(n + m) time for up to 62 parts. With more parts, a vertex with neighbors in many parts takes
    up to one pass over its edges for every 62 parts. O(n) memory.

    Examples
    --------
    Vertex 0 has neighbors in parts 1 and 2, which is two messages. Each of its four neighbors has
    one message to part 0:

    >>> from edgewise.generators import star
    >>> communication_volume(star(4), [0, 1, 1, 1, 2])
    6
    """
    found = volumes(graph, check_parts(graph, parts)[0])
    return int(reduce_all(graph, found, reduce=ADD))


@takes_graph
def boundary(graph: GraphLike, parts: Any) -> Any:
    """Return the boundary of a partition: which vertices have a neighbor in another part.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. In a directed graph, predecessors and successors are neighbors.
    parts : array of int over vertices
        The part of each vertex, from 0.

    Returns
    -------
    array of bool over vertices

    Notes
    -----
    O(n + m) time and O(n) memory.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> boundary(path(5), [0, 0, 0, 1, 1]).tolist()
    [False, False, True, True, False]
    """
    key, _ = check_parts(graph, parts)
    mode = "both" if graph.directed else "out"
    return reduce_neighbors(
        graph, None, _differs, key, reduce=OR, mode=mode, weights=None, dtype=np.bool_
    )


def volumes(graph: AnyGraph, key: Any) -> Any:
    """The number of other parts among each vertex's neighbors (successors), as int64."""
    found, start = graph.full(0, np.int64), graph.full(0, np.int64)
    seen = graph.full(0, np.int64), graph.full(_NONE, np.int64)
    members = None
    while members is None or not members.empty():
        reduce_neighbors(
            graph, members, _seen, key, reduce=_PARTS_SEEN, own=(start, key), mode="out",
            weights=None, out=seen,
        )  # fmt: skip
        compute(graph, members, _count, (found, start, *seen))
        members = filter(graph, members, _goes_on, start)
    return found


def _across(value, weight, own):
    return weight * 1.0 if value != own else 0.0


def _differs(value, own):
    return value != own


def _seen(value, own):
    start, part = own
    place = value - start
    if value == part or place < 0:
        return np.int64(0), _NONE
    if place < _WIDTH:
        return np.int64(1) << place, _NONE
    return np.int64(0), value


def _count(v, found, start, bits, after):
    found[v] += count_bits(bits[v])
    start[v] = after[v]


def _goes_on(v, start):
    return start[v] < _NONE
