"""Strongly connected components by trimming, forward-backward search and coloring [1, 2].

label[v] is the smallest vertex of v's component, or -1 until it is known.

1. Trimming: a vertex without in-edges or without out-edges is a component of its own. Trimming
   repeats on the remaining graph, but stops after one pass if a search follows.
2. Forward-backward: the vertices that reach a hub and are reached from it are one component, nearly
   always the giant one.
3. The remaining vertices: "search" is Tarjan's algorithm [3] on one CPU thread, linear work.
   "coloring" propagates random numbers to find a root for each vertex, on all engines. The vertices
   that reach their root form a component, and the others draw again: logarithmically many turns
   (`edgewise.algorithms.components.color_components`).

In small graphs, and in web graphs in crawl order, most edges lead to nearby vertices. Tarjan's
search then has few cache misses, and is used for the whole graph.

[1] L. Fleischer, B. Hendrickson, A. Pinar. On identifying strongly connected components in
    parallel. IPDPS workshops 2000.
[2] G. Slota, S. Rajamanickam, K. Madduri. BFS and coloring-based parallel algorithms for strongly
    connected components and related problems. IPDPS 2014.
[3] R. Tarjan. Depth-first search and linear graph algorithms. SIAM J. Computing 1(2), 1972.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.color_components import color_components
from edgewise.algorithms.components.tarjan import close_components
from edgewise.algorithms.partition import Components, as_components
from edgewise.base.checks import check_directed
from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import (
    ADD,
    ANY,
    ARGMAX,
    MIN,
    compute,
    filter,
    frontier,
    propagate,
    reduce_all,
)
from edgewise.operators.sequential import leads_near, method_for

__all__ = ["strong_labels", "strongly_connected_components"]


@takes_graph
def strongly_connected_components(graph: GraphLike, *, method: str = "auto") -> Components:
    """Return the strongly connected component of each vertex, named by its smallest vertex.

    Parameters
    ----------
    graph : Graph
        Directed; use `connected_components` for undirected graphs.
    method : {"auto", "search", "coloring"}
        Algorithm for the vertices left after trimming and the giant component.
        It affects only the time. The default is "search", on one thread, in host memory, and
        "coloring" elsewhere.

    Returns
    -------
    Components
        An array of labels over vertices. Two vertices reach each other if and only if their labels
        are equal.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2, 2, 3, 4], [1, 2, 0, 3, 4, 3], directed=True)
    >>> strongly_connected_components(graph).tolist()
    [0, 0, 0, 3, 3]
    """
    return as_components(strong_labels(graph, method))


def strong_labels(graph: AnyGraph, method: str) -> Any:
    """Return the smallest vertex of each vertex's component as a plain array; checks arguments."""
    check_directed(graph, "strongly_connected_components")
    if method == "auto" and leads_near(graph):
        label = graph.full(-1, graph.id_dtype)
        close_components(graph, label)
        return label
    method = method_for(graph, method, "search", "coloring")
    ids = graph.vertex_ids(graph.id_dtype)
    if graph.num_arcs == 0:
        return ids
    label, degrees = graph.full(-1, ids.dtype), (graph.column_lengths(), graph.row_lengths())
    ways = _trim(graph, label, ids, degrees, again=method == "coloring")
    busiest = (label, ids, *degrees)
    most, pivot = reduce_all(graph, busiest, reduce=ARGMAX, function=_ways, dtype=_WAYS)
    if most < 0:
        return label
    _around(graph, label, ids, int(pivot), ways)
    if method == "search":
        close_components(graph, label)
    else:
        color_components(graph, label, ids)
    return label


def _trim(
    graph: AnyGraph, label: Any, ids: Any, degrees: tuple[Any, Any], *, again: bool
) -> tuple[str, str]:
    """Settle all that have no edges in; then, of the others, all that have none out.

    Again, until there are none; the second never leaves anybody without edges in, for who is
    settled there leads to no other. A search that follows meets them as quickly, and needs it not.
    Returns along which edges to look first, and then: where fewer begin or end, less lies there.
    """
    starts = {}
    for edges, left in zip(("out", "in"), degrees, strict=True):
        start = filter(graph, None, _has_none, (left, label))
        if again:
            left = left.astype(np.int64)  # one of ours
            propagate(graph, start, _one_less, left, reduce=ADD, wake=_at_zero, mode=edges)
        compute(graph, None, _settle_alone, (left, label, ids))
        starts[edges] = len(start)
    notify(0, phase="trim")
    return ("in", "out") if starts["in"] > starts["out"] else ("out", "in")


def _around(graph: AnyGraph, label: Any, ids: Any, pivot: int, ways: tuple[str, str]) -> None:
    """Settle the component of one vertex: what it reaches, and is reached by.

    Closed to the second search is whatever the first has not reached.
    """
    first, closed = graph.full(False), graph.full(True)
    for edges, reached, before in zip(ways, (first, closed), (closed, first), strict=True):
        compute(graph, None, _close, (label, before, reached))
        reached[pivot] = True
        propagate(graph, frontier(graph, pivot), _arrive, reached, reduce=ANY, mode=edges)
    both = (label, first, closed, ids)
    least = int(reduce_all(graph, both, reduce=MIN, function=_member, dtype=np.int64))
    compute(graph, None, _name, (label, first, closed, least))
    notify(1, phase="search")


_WAYS = (np.float64, np.int64)
_NOBODY = 1 << 62


def _has_none(v, left, label):
    return left[v] == 0 and label[v] < 0


def _one_less():
    return -1


def _at_zero(value):
    return value == 0


def _settle_alone(v, left, label, ids):
    if left[v] == 0:
        label[v] = ids[v]


def _ways(v, label, ids, into, out):
    ways = np.float64(into[v]) * np.float64(out[v])
    return ways if label[v] < 0 else -1.0, ids[v]


def _close(v, label, before, reached):
    reached[v] = label[v] >= 0 or not before[v]


def _arrive():
    return True


def _member(v, label, first, second, ids):
    inside = label[v] < 0 and first[v] and second[v]
    return ids[v] if inside else _NOBODY


def _name(v, label, first, second, least):
    if label[v] < 0 and first[v] and second[v]:
        label[v] = least
