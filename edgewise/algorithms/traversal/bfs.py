"""Breadth-first search, direction-optimizing [1].

parent[v] is the first vertex found that leads to v, and distance[v] the number of edges from the
source. Each round finds the unreached neighbors of the last frontier. The operator pushes from
small frontiers and pulls into large ones, where a scan stops at the first parent. Linear work. One
thread searches a small graph, with a queue.

[1] S. Beamer, K. Asanovic, D. Patterson. Direction-optimizing breadth-first search. SC 2012.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.traversal.paths import Paths
from edgewise.base.checks import check_count, check_vertex
from edgewise.base.observe import notify, observed
from edgewise.graph import Graph
from edgewise.graph.foreign import GraphLike, streams, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ANY, frontier, propagate
from edgewise.operators.adjacency import unsigned
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import sequential, sequential_or

__all__ = ["bfs", "hops", "search"]

#: Up to a quarter of a million arcs the queue took half to nine tenths of the time of rounds.
_ALONE = 8


@takes_graph
@streams(32, forward=True)
def bfs(graph: GraphLike, source: int | str, *, max_depth: int | None = None) -> Paths:
    """Return hop distances and predecessors of a breadth-first search from a source.

    Parameters
    ----------
    graph : Graph
        In a directed graph, the search follows the edges.
    source : int or str
        The vertex to start from, by id or label.
    max_depth : int, optional
        Largest distance to search; unlimited by default.

    Returns
    -------
    Paths
        ``distance`` is an int32 array over vertices, with the type's maximum for unreached
        vertices. ``parent`` is an array of vertex ids over vertices, with -1 for unreached
        vertices. Distances are the same in every run. If several parents are possible, the choice
        may differ.

    Raises
    ------
    ValueError
        If ``source`` is not a vertex.

    See Also
    --------
    sssp : Shortest paths by length.
    multi_source_bfs : Hop distances from many sources.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> paths = bfs(Graph.from_edges([0, 1, 1], [1, 2, 3], num_vertices=5), 0)
    >>> paths.distance.tolist()
    [0, 1, 2, 2, 2147483647]
    >>> paths.parent.tolist()
    [0, 0, 1, 1, -1]
    """
    source = check_vertex(graph, source)
    if max_depth is not None:  # nothing is farther than there are vertices
        max_depth = min(check_count(max_depth, "max_depth"), graph.num_vertices)
    return hops(graph, source, max_depth=max_depth)


def hops(graph: AnyGraph, source: int, *, mode: str = "out", max_depth: int | None = None) -> Paths:
    """Return the result of `bfs` for checked arguments; ``mode="in"`` follows edges backward."""
    one_way = _together if mode == "both" else _alone
    return sequential_or(graph, one_way, _together, source, mode, max_depth, times=_ALONE)


def _together(graph: AnyGraph, source: int, mode: str, max_depth: int | None) -> Paths:
    """The search by all threads."""
    xp = graph.xp
    parent = graph.full(-1, graph.id_dtype)
    distance = graph.full(xp.iinfo(xp.int32).max, xp.int32)
    parent[source], distance[source] = source, 0
    start = frontier(graph, source)
    propagate(
        graph, start, _sender, parent, reduce=ANY, mode=mode, depths=distance,
        max_iter=max_depth,
    )  # fmt: skip
    return Paths(distance, parent)


def _alone(graph: Graph, source: int, mode: str, max_depth: int | None) -> Paths:
    """The search on one thread."""
    n, rows = graph.num_vertices, graph.transposed if mode == "in" else graph
    indptr, indices = map(unsigned, rows.stored)
    distance, parent = np.empty(n, np.int32), np.empty(n, rows.id_dtype)
    queue = np.empty(n, indices.dtype)
    depth = n if max_depth is None else max_depth
    state = (indptr, indices, distance, parent, queue, source, depth)
    sequential(search, state, steps=n, work=len(indices))
    if observed():
        _report(distance, rows.indptr, depth)
    return Paths(distance, parent)


def _report(distance: np.ndarray, indptr: np.ndarray, max_depth: int) -> None:
    """Tell of the rounds, as if there had been some."""
    reached = np.flatnonzero(distance != _FAR)
    level, degree = distance[reached], indptr[reached + 1] - indptr[reached]
    visited = np.bincount(level, weights=degree).cumsum()
    for turn, size in enumerate(np.bincount(level)[:max_depth]):
        notify(turn, frontier=int(size), edges=int(visited[turn]), direction="push")


@inner
def search(control, indptr, indices, distance, parent, queue, source, max_depth):
    """Process the queue: append the unreached neighbors of each vertex to its end.

    For `sequential` and similar functions. Returns the number of reached vertices, which are all in
    the queue.
    """
    for v in range(len(parent)):
        distance[v], parent[v] = _FAR, -1
    queue[0], parent[source], distance[source] = source, source, 0
    head, tail = np.uint64(0), np.uint64(1)
    while head < tail:
        v = queue[head]
        head += np.uint64(1)
        depth = distance[v] + 1
        if depth > max_depth:
            break
        for e in range(indptr[v], indptr[v + np.uint64(1)]):
            u = indices[e]
            if parent[u] < 0:
                parent[u], distance[u], queue[tail] = v, depth, u
                tail += np.uint64(1)
    return tail


def _sender(source):
    return source


_FAR = np.iinfo(np.int32).max
