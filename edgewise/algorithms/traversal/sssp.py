"""Single-source shortest paths by delta-stepping [1].

distance[v] decreases until no edge can lower it; the operator processes vertices in buckets of
width ``delta``. The tree is found afterward: v's parent is a neighbor whose distance plus the
edge's weight is v's distance. If only edges of length zero lead to v, parents spread from the
vertices that have one. Parents therefore form a tree even with zero weights.

[1] U. Meyer, P. Sanders. Delta-stepping: a parallelizable shortest path algorithm. J. Algorithms
    49(1), 2003.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.traversal.lengths import lengths_from, metric_of
from edgewise.algorithms.traversal.paths import Paths
from edgewise.base.checks import check_vertex
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import (
    ANY,
    MAX,
    Monoid,
    compute,
    filter,
    propagate,
    reduce_all,
    reduce_neighbors,
)

__all__ = ["by_length", "sssp"]


@takes_graph
def sssp(
    graph: GraphLike, source: int | str, *, weights: Any = "weight", delta: float | None = None
) -> Paths:
    """Return shortest-path distances and predecessors from a source.

    Parameters
    ----------
    graph : Graph
        In a directed graph, paths follow the edges.
    source : int or str
        The vertex to start from, by id or label.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights are lengths and must not be negative.
    delta : float, optional
        Width of a bucket of distances, in units of length; it affects only the time.
        A larger ``delta`` takes fewer rounds and repeats more work. The default is chosen from the
        weights and degrees.

    Returns
    -------
    Paths
        ``distance`` is an array over vertices: float64 for float lengths and int64 for integer
        lengths. Unreached vertices have inf, or the type's maximum. ``parent`` is an array of
        vertex ids over vertices, with -1 for unreached vertices.

    Raises
    ------
    ValueError
        If ``source`` is not a vertex, or if a length is negative or NaN. Also if integer distances
        might exceed int64, or if finite lengths add up to more than float64 holds.

    See Also
    --------
    bfs : Shortest paths by number of edges.

    Notes
    -----
    O(m log n) expected time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 1.0])
    >>> paths = sssp(graph, 0)
    >>> paths.distance.tolist(), paths.parent.tolist()
    ([0.0, 1.0, 2.0], [0, 0, 1])
    """
    return by_length(graph, check_vertex(graph, source), weights, delta)


def by_length(graph: AnyGraph, source: int, weights: Any, delta: float | None = None) -> Paths:
    """Return the result of `sssp` for a checked source; ``weights`` are over arcs."""
    metric = metric_of(graph, weights, delta)
    distance = lengths_from(graph, source, weights, metric)
    far, dtype, xp = metric.far, metric.dtype, graph.xp
    parent = _parents(graph, source, distance, weights)
    # Edges may add no length, or so little that it is rounded off.
    if dtype is xp.float64 or metric.least == 0:
        _adopt_orphans(graph, parent, distance, far, weights)
    if dtype is xp.int32:
        narrow, distance = distance, xp.empty(graph.num_vertices, xp.int64)
        compute(graph, None, _widen, (narrow, distance, far, xp.iinfo(xp.int64).max))
    return Paths(distance, parent)


def _parents(graph: AnyGraph, source: int, distance: Any, weights: Any) -> Any:
    """For every vertex a neighbor from which an edge that adds length leads to it."""
    ids = graph.id_dtype
    parent = reduce_neighbors(
        graph, None, _shorter, distance, reduce=ANY, weights=weights, dtype=ids
    )
    parent[source] = source
    return parent


def _adopt_orphans(graph: AnyGraph, parent: Any, distance: Any, far: Any, weights: Any) -> None:
    """Let parents spread along edges that add no length, from the vertices that have one."""
    state = (parent, distance, far)
    if not reduce_all(graph, state, reduce=MAX, function=_orphaned, dtype=graph.xp.int8):
        return
    known = filter(graph, None, _has_parent, parent)
    values = (parent, distance)  # distances are final: no message is shorter
    adopt = _adopt_32_bits if distance.dtype == np.int32 else _adopt
    propagate(graph, known, adopt, values, reduce=_ADOPTED, where=_alone, weights=weights)


def _shorter(value, weight, source, own):
    return source if value < own < np.inf and value + weight == own else -1


def _orphaned(v, parent, distance, far):
    return parent[v] < 0 and distance[v] < far


def _widen(v, narrow, wide, far, farther):
    wide[v] = farther if narrow[v] == far else narrow[v]


def _has_parent(v, parent):
    return parent[v] >= 0


def _alone(value):
    return value[0] < 0


def _adopt(value, weight, source):
    length = value[1] + weight
    return source if length < np.inf else -1, length


def _adopt_32_bits(value, weight, source):
    return source, np.int32(value[1] + weight)  # only vertices with a distance send


def _nearer(old, new):
    """The lesser distance; of equal ones the one with a parent, and then the least parent."""
    if new[1] != old[1]:
        return new if new[1] < old[1] else old
    return new if old[0] < 0 or 0 <= new[0] < old[0] else old


_ADOPTED = Monoid(("missing", "highest"), _nearer, idempotent=True)
