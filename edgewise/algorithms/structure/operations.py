"""Operations on two graphs: union, compose, intersection, difference, symmetric difference [1].

Sorted rows are merged. O(n + m) work, plus a sort where labels are in another order, and a build
where the result has edges of both graphs.

[1] F. Harary. Graph theory. Addison-Wesley, 1969.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.other_graph import (
    as_other,
    beside,
    beside_on_grid,
    merged,
    shared_arcs,
    vertices_of,
)
from edgewise.base.checks import check_choice
from edgewise.graph.build import DUPLICATES
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.subgraphs import only_edges
from edgewise.operators.engines import by_rows_or

__all__ = ["compose", "difference", "intersection", "symmetric_difference", "union"]


@takes_graph
def union(graph: GraphLike, other: Any) -> Any:
    """Return the disjoint union of two graphs: both beside each other.

    Parameters
    ----------
    graph, other : Graph
        Both directed or both undirected. On a grid, both without labels.

    Returns
    -------
    Graph
        Vertex v of ``other`` becomes ``graph.num_vertices + v``. Labels are kept and must be
        distinct. If only one graph has weights, the edges of the other one get weight 1. Columns of
        both are kept; values are missing where a graph has no such column.

    See Also
    --------
    compose : The union in which vertices of both graphs are merged.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> edge = Graph.from_edges([0], [1])
    >>> union(edge, edge).edges()[:2]
    (array([0, 2], dtype=int32), array([1, 3], dtype=int32))
    """
    return by_rows_or(graph, beside, beside_on_grid)(graph, other)


@takes_graph
def compose(graph: GraphLike, other: Any, *, combine: str = "last") -> Any:
    """Return the composition of two graphs: the vertices and edges of either one.

    Parameters
    ----------
    graph, other : Graph
        Both directed or both undirected. Vertices with equal labels are one vertex; without
        labels, those with equal ids. On a grid both have the same number of vertices, distribution
        and labels.
    combine : {"last", "first", "sum", "min", "max", "raise"}
        The weight of an edge of both graphs: that of ``other`` ("last"), that of ``graph``
        ("first"), or both combined.

    Returns
    -------
    Graph
        The vertices of ``graph`` keep their ids; vertices that only ``other`` has follow. If only
        one graph has weights, the edges of the other one get weight 1. Columns of both are kept,
        but not on a grid. Where both have a value, that of ``other`` counts, for
        ``combine="first"`` that of ``graph``.

    See Also
    --------
    union : Both graphs beside each other.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph, other = Graph.from_edges(["a"], ["b"]), Graph.from_edges(["b"], ["c"])
    >>> compose(graph, other).to_pandas()
      source target
    0      a      b
    1      b      c
    """
    check_choice(combine, "combine", ("last", *DUPLICATES))
    other = as_other(graph, other, "compose")
    return merged(graph, other, vertices_of(graph, other), combine)


@takes_graph
def intersection(graph: GraphLike, other: Any) -> Any:
    """Return the intersection of two graphs: the vertices and edges that both have.

    Parameters
    ----------
    graph, other : Graph
        Both directed or both undirected. Vertices with equal labels are one vertex; without
        labels, those with equal ids. On a grid both have the same number of vertices, distribution
        and labels.

    Returns
    -------
    Graph
        A part of ``graph``, with its weights.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> intersection(Graph.from_edges([0, 1], [1, 2]), Graph.from_edges([1, 2], [2, 3])).edges()[:2]
    (array([1], dtype=int32), array([2], dtype=int32))
    """
    other = as_other(graph, other, "intersection")
    found, n = vertices_of(graph, other), graph.num_vertices
    part = only_edges(graph, shared_arcs(graph, other, found))
    if found.total == n == other.num_vertices:
        return part
    common = graph.full(False)
    common[found.ids[found.ids < n]] = True
    return part if bool(common.all()) else part.subgraph(common)


@takes_graph
def difference(graph: GraphLike, other: Any) -> Any:
    """Return the difference of two graphs: the edges of the first that the other does not have.

    Parameters
    ----------
    graph, other : Graph
        Both directed or both undirected. Vertices with equal labels are one vertex; without
        labels, those with equal ids. On a grid both have the same number of vertices, distribution
        and labels.

    Returns
    -------
    Graph
        All vertices of ``graph``, with its weights.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> difference(Graph.from_edges([0, 1], [1, 2]), Graph.from_edges([1, 2], [2, 3])).edges()[:2]
    (array([0], dtype=int32), array([1], dtype=int32))
    """
    other = as_other(graph, other, "difference")
    return only_edges(graph, ~shared_arcs(graph, other, vertices_of(graph, other)))


@takes_graph
def symmetric_difference(graph: GraphLike, other: Any) -> Any:
    """Return the symmetric difference of two graphs: the edges that exactly one of them has.

    Parameters
    ----------
    graph, other : Graph
        Both directed or both undirected. Vertices with equal labels are one vertex; without
        labels, those with equal ids. On a grid both have the same number of vertices, distribution
        and labels.

    Returns
    -------
    Graph
        All vertices of both graphs: those of ``graph`` keep their ids, others follow. Edges keep
        their weights. If only one graph has weights, the edges of the other one get weight 1.
        Columns of both are kept, but not on a grid.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph, other = Graph.from_edges([0, 1], [1, 2]), Graph.from_edges([1, 2], [2, 3])
    >>> symmetric_difference(graph, other).edges()[:2]
    (array([0, 2], dtype=int32), array([1, 3], dtype=int32))
    """
    other = as_other(graph, other, "symmetric_difference")
    one, two = difference(graph, other), difference(other, graph)
    return merged(one, two, vertices_of(graph, other), "first")
