"""Descendants and ancestors of a vertex, and the graph around it, by breadth-first search [1].

[1] S. Beamer, K. Asanovic, D. Patterson. Direction-optimizing breadth-first search. SC 2012.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.traversal.bfs import hops
from edgewise.base.checks import check_count, check_vertex
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.subgraphs import named_part
from edgewise.operators import compute

__all__ = ["ancestors", "descendants", "ego_graph"]


@takes_graph
def descendants(graph: GraphLike, source: int | str) -> Any:
    """Return a mask of the descendants: the vertices that a path from the source leads to.

    Parameters
    ----------
    graph : Graph
        In an undirected graph, the descendants are the rest of the component.
    source : int or str
        The vertex to start from, by id or label.

    Returns
    -------
    array of bool over vertices
        False for the source itself. ``np.flatnonzero`` lists the descendants.

    See Also
    --------
    ancestors : The vertices from which a path leads to the source.
    bfs : Also their distances.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 3], [1, 2, 1], directed=True)
    >>> descendants(graph, 0).tolist()
    [False, True, True, False]
    """
    return _reached(graph, check_vertex(graph, source), "out")


@takes_graph
def ancestors(graph: GraphLike, source: int | str) -> Any:
    """Return a mask of the ancestors: the vertices from which a path leads to the source.

    Parameters
    ----------
    graph : Graph
        In an undirected graph, the ancestors are the rest of the component.
    source : int or str
        The vertex to search backward from, by id or label.

    Returns
    -------
    array of bool over vertices
        False for the source itself. ``np.flatnonzero`` lists the ancestors.

    See Also
    --------
    descendants : The vertices that a path from the source leads to.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 3], [1, 2, 1], directed=True)
    >>> ancestors(graph, 1).tolist()
    [True, False, False, True]
    """
    return _reached(graph, check_vertex(graph, source), "in")


@takes_graph
def ego_graph(graph: GraphLike, source: int | str, *, radius: int = 1) -> Any:
    """Return the ego graph of a vertex: the subgraph of all vertices within a number of hops.

    Parameters
    ----------
    graph : Graph
        In a directed graph, the search follows the edges.
    source : int or str
        The vertex in the center, by id or label.
    radius : int
        Largest number of hops from the center.

    Returns
    -------
    Graph
        The vertices keep their order and their names; the center is one of them. Without labels,
        the labels of the result are the old ids.

    See Also
    --------
    k_hop_neighborhood : The vertices within k hops of many sources.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> around = ego_graph(Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4]), 3)
    >>> around.num_vertices, around.label([0, 1, 2]).tolist()
    (3, [2, 3, 4])
    """
    source = check_vertex(graph, source)
    depth = min(check_count(radius, "radius"), graph.num_vertices)
    inside = graph.full(False)
    parent = hops(graph, source, max_depth=depth).parent
    compute(graph, None, _is_reached, (parent, inside))
    return named_part(graph, inside)


def _reached(graph: AnyGraph, source: int, mode: str) -> Any:
    """A mask of the vertices that a search reaches, except the source."""
    mode, mask = mode if graph.directed else "out", graph.full(False)
    compute(graph, None, _is_reached, (hops(graph, source, mode=mode).parent, mask))
    mask[source] = False
    return mask


def _is_reached(v, parent, mask):
    mask[v] = parent[v] >= 0
