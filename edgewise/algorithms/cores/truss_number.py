"""Truss numbers by peeling edges [1], many at a time [2].

support[e] is the number of triangles of remaining edges that contain e. All edges with support at
most level are removed, which lowers the support of the two others of each of their triangles. If
two edges of a triangle are removed at once, the one with the smaller id updates the third. When all
remaining supports are larger, the level grows to the smallest of them. An edge removed at a level
has truss number level + 2.

An edge is identified by the arc from its smaller vertex. Removed edges are cut out of the rows
whenever half of them are gone, so that later searches are shorter. O(m sqrt(m)) work at most, times
the steps of a bisection.

[1] J. Wang, J. Cheng. Truss decomposition in massive networks. VLDB 2012.
[2] H. Kabir, K. Madduri. Parallel k-truss decomposition on multicore systems. HPEC 2017.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.cores.recounting import recounted_numbers
from edgewise.algorithms.cores.support import support_of
from edgewise.base import atomic
from edgewise.base.checks import check_undirected
from edgewise.base.observe import notify
from edgewise.graph import Graph
from edgewise.graph.edges import per_edge
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.subgraphs import only_edges
from edgewise.operators import MIN, Frontier, compute, reduce_all
from edgewise.operators.engines import by_rows_or
from edgewise.operators.helpers import first_from, inner

__all__ = ["peel", "truss_number"]

_LEFT, _GOING, _GONE = 0, 1, 2


@takes_graph
def truss_number(graph: GraphLike) -> Any:
    """Return the truss number of each edge: the largest k such that it is in the k-truss.

    In the k-truss every edge is in at least k - 2 triangles.

    Parameters
    ----------
    graph : Graph
        Undirected. Weights are ignored.

    Returns
    -------
    array of int64 over edges
        In the order of ``graph.edges()``. Edges in no triangle have 2, and self-loops have 0.

    Notes
    -----
    O(m √m) time in the worst case, times a bisection. A grid counts triangles anew in each round.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> truss_number(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).tolist()
    [3, 3, 3, 2]
    """
    check_undirected(graph, "truss_number")
    return per_edge(graph, by_rows_or(graph, peel, recounted_numbers)(graph))


def peel(graph: Graph, at: int | None = None) -> Any:
    """Return the truss number of every arc; with ``at``, only 2 (below it) or ``at``.

    Self-loops have 0.
    """
    rest = _supported(graph)
    truss = graph.xp.zeros(graph.num_arcs, np.int64)
    while len(rest.edges):
        level = at - 3 if at else int(reduce_all(rest.graph, rest.support, reduce=MIN,
                                                 frontier=rest.edges))  # fmt: skip
        ids = rest.edges.ids
        doomed = ids[rest.support[ids] <= level]
        while len(doomed):
            truss[rest.origin[doomed]] = 2 if at else level + 2
            doomed = _without(rest, doomed, level)
        rest = _what_is_left(rest)
        notify(level, phase="peel", edges=len(rest.edges))
        if at:
            truss[rest.origin[rest.edges.ids]] = at
            break
    return truss[_known_as(graph)]


class Edges(NamedTuple):
    """The rows of a graph, and over its arcs the edge, its support and its state."""

    indptr: Any
    indices: Any
    edge_of: Any
    support: Any
    fate: Any


class Doomed(NamedTuple):
    """The edges whose support is now at most the level, and their number."""

    level: int
    edges: Any
    count: Any


class _Rest(NamedTuple):
    """What is left: a graph, and over its arcs the edge of each, what it was first, and how it is.

    ``edges`` are those that have not gone, ``support`` and ``fate`` are theirs.
    """

    graph: Graph
    edge_of: Any
    origin: Any
    edges: Frontier
    support: Any
    fate: Any


def _known_as(graph: Graph) -> Any:
    """The edge of every arc: the arc from its smaller vertex."""
    found = graph.xp.minimum(graph.xp.arange(graph.num_arcs), graph.reverse_arc)
    return found.astype(np.int32) if graph.num_arcs < 2**31 else found


def _edges(graph: Graph, ids: Any) -> Frontier:
    return Frontier._trusted(graph.num_arcs, ids=ids, kind="edges")


def _supported(graph: Graph) -> _Rest:
    """Everything but self-loops, and in how many triangles it is."""
    xp = graph.xp
    edge_of, arcs = _known_as(graph), xp.arange(graph.num_arcs)
    edges = _edges(graph, xp.flatnonzero((edge_of == arcs) & (graph.reverse_arc != arcs)))
    fate = xp.zeros(graph.num_arcs, np.int8)
    fate[graph.reverse_arc == arcs] = _GONE  # self-loops
    return _Rest(graph, edge_of, arcs, edges, support_of(graph, edges), fate)


def _without(rest: _Rest, doomed: Any, level: int) -> Any:
    """Take edges away; those that now have no more support than the level."""
    graph, xp = rest.graph, rest.graph.xp
    rest.fate[doomed] = _GOING
    edges = Edges(graph.indptr, graph.indices, rest.edge_of, rest.support, rest.fate)
    following = Doomed(level, xp.empty(len(rest.edges), np.int64), xp.zeros(1, np.int64))
    compute(graph, _edges(graph, doomed), _take_away, (edges, following), work=64 * len(doomed))
    rest.fate[doomed] = _GONE
    return following.edges[: int(following.count[0])]


def _what_is_left(rest: _Rest) -> _Rest:
    """The edges that have not gone; rows without the others if half of them have."""
    ids, arcs = rest.edges.ids, rest.graph.num_arcs
    ids = ids[rest.fate[ids] == _LEFT]
    if 4 * len(ids) > arcs or len(ids) == 0:
        return rest._replace(edges=_edges(rest.graph, ids))
    kept = rest.fate[rest.edge_of] == _LEFT
    graph = only_edges(rest.graph, kept)
    xp, edge_of = graph.xp, _known_as(graph)
    ids = xp.flatnonzero(edge_of == xp.arange(graph.num_arcs))
    fate = xp.zeros(graph.num_arcs, np.int8)
    return _Rest(graph, edge_of, rest.origin[kept], _edges(graph, ids), rest.support[kept], fate)


def _take_away(u, v, e, edges, following):
    """Take the edge e out of its triangles; its support is how many there are."""
    indptr, indices, edge_of, support, fate = edges
    triangles = support[e]
    if indptr[u + 1] - indptr[u] > indptr[v + 1] - indptr[v]:
        u, v = v, u
    at, end = indptr[v], indptr[v + 1]
    for f in range(indptr[u], indptr[u + 1]):
        if triangles == 0:
            break
        a = edge_of[f]
        if a == e or fate[a] == _GONE:
            continue
        at = first_from(indices, at, end, indices[f])
        if at == end:
            break
        b = edge_of[at]
        if indices[at] != indices[f] or fate[b] == _GONE:
            continue
        triangles -= 1
        if fate[a] == _LEFT and (fate[b] == _LEFT or e < b):
            _one_less(support, a, following)
        if fate[b] == _LEFT and (fate[a] == _LEFT or e < a):
            _one_less(support, b, following)


@inner
def _one_less(support, e, following):
    if atomic.add(support, e, -1) == following.level + 1:
        following.edges[atomic.add(following.count, 0, 1)] = e
