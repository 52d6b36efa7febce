"""Breadth-first search, direction-optimizing [1].

parent[v] is the first vertex found that leads to v, distance[v] the number of edges from the
source. Each round finds the unreached neighbors of the last; the operator pushes from small
frontiers and pulls into large ones, where a vertex stops looking once it has a parent. Linear work.

[1] S. Beamer, K. Asanovic, D. Patterson. Direction-optimizing breadth-first search. SC 2012.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.traversal.paths import Paths
from edgewise.base.checks import check_count, check_vertex
from edgewise.graph.foreign import takes_graph
from edgewise.operators import ANY, frontier, propagate

__all__ = ["bfs", "hops"]


@takes_graph
def bfs(graph: Any, source: int | str, *, max_depth: int | None = None) -> Paths:
    """Hop distance and parent of every vertex on a shortest path from ``source``.

    Parameters
    ----------
    graph : Graph
        Directed graphs are searched along their edges.
    source : int or str
        Where to start: a position, or a label.
    max_depth : int, optional
        Go no farther than this.

    Returns
    -------
    Paths
        ``distance`` (int32; the type's maximum where unreached) and ``parent`` (-1 there). Which of
        several possible parents is given may differ from run to run; distances never do.

    Raises
    ------
    ValueError
        If ``source`` is not a vertex.

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


def hops(graph: Any, source: int, *, edges: str = "out", max_depth: int | None = None) -> Paths:
    """`bfs` of arguments that are checked; along edges backwards by ``edges="in"``."""
    xp = graph.xp
    parent = graph.full(-1, graph.indices.dtype)
    distance = graph.full(xp.iinfo(xp.int32).max, xp.int32)
    parent[source], distance[source] = source, 0
    start = frontier(graph, source)
    propagate(
        graph, start, _sender, parent, reduce=ANY, edges=edges, depths=distance,
        max_rounds=max_depth,
    )  # fmt: skip
    return Paths(distance, parent)


def _sender(source):
    return source
