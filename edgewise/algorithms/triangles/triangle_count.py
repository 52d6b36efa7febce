"""Triangles, in total and per vertex, by intersecting oriented neighbor lists [1].

Vertices are numbered so that no vertex has many smaller neighbors. A triangle is found exactly
once, at its largest vertex, as a common smaller neighbor of the two ends of an edge. Self-loops do
not count. O(m sqrt(m)) work at most.

[1] T. Schank, D. Wagner. Finding, counting and listing all triangles in large graphs. WEA 2005.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.checks import check_undirected
from edgewise.graph.foreign import GraphLike, streams, takes_graph
from edgewise.graph.orient import orient
from edgewise.operators import intersect

__all__ = ["triangle_count", "triangles"]


@takes_graph
@streams(64)
def triangle_count(graph: GraphLike) -> int:
    """Return the number of triangles in the graph.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights are ignored.

    Returns
    -------
    int

    See Also
    --------
    triangles : The number of triangles of each vertex.

    Notes
    -----
    O(m √m) time in the worst case.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> triangle_count(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    1
    """
    check_undirected(graph, "triangle_count")
    oriented = orient(graph)
    return intersect(oriented.rows, each=False, ordered=oriented.ordered).total


@takes_graph
@streams(96)
def triangles(graph: GraphLike) -> Any:
    """Return the number of triangles that each vertex is part of.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights are ignored.

    Returns
    -------
    array of int64 over vertices

    See Also
    --------
    triangle_count : The number of triangles in the graph.

    Notes
    -----
    O(m √m) time in the worst case.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> triangles(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).tolist()
    [1, 1, 1, 0]
    """
    check_undirected(graph, "triangles")
    oriented = orient(graph)
    found = intersect(oriented.rows, each=False, vertices=True, ordered=oriented.ordered)
    return oriented.by_vertex(found.vertices)
