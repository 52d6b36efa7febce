"""Connectivity tests: does a search from one vertex reach all others?

A directed graph is strongly connected if a search along the edges and one against them reach all
vertices [1]. It is weakly connected if a search in both directions does. Linear work.

[1] M. Sharir. A strong-connectivity algorithm and its applications in data flow analysis. Computers
    and Mathematics with Applications 7(1), 1981.
"""

from __future__ import annotations

from edgewise.algorithms.traversal.bfs import hops
from edgewise.base.checks import check_directed
from edgewise.graph.foreign import GraphLike, streams, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import MIN, reduce_all

__all__ = ["is_connected", "is_strongly_connected", "is_weakly_connected"]


@takes_graph
@streams(48)
def is_connected(graph: GraphLike) -> bool:
    """Return True if an undirected graph is connected: a path joins any two vertices.

    Parameters
    ----------
    graph : Graph
        Undirected; for directed graphs see `is_weakly_connected` and `is_strongly_connected`.

    Returns
    -------
    bool
        False for a graph without vertices.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> is_connected(Graph.from_edges([0, 1], [1, 2]))
    True
    >>> is_connected(Graph.from_edges([0, 1], [1, 2], num_vertices=4))
    False
    """
    if graph.directed:
        raise ValueError("is_connected needs an undirected graph; for this one call "
                         "is_weakly_connected or is_strongly_connected")  # fmt: skip
    return _reaches_all(graph, "out")


@takes_graph
def is_weakly_connected(graph: GraphLike) -> bool:
    """Return True if a directed graph is connected when directions are ignored.

    Parameters
    ----------
    graph : Graph
        Directed; see `is_connected` for undirected graphs.

    Returns
    -------
    bool
        False for a graph without vertices.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> is_weakly_connected(Graph.from_edges([0, 2], [1, 1], directed=True))
    True
    """
    check_directed(graph, "is_weakly_connected")
    return _reaches_all(graph, "both")


@takes_graph
def is_strongly_connected(graph: GraphLike) -> bool:
    """Return True if a directed graph has a path from every vertex to every other.

    Parameters
    ----------
    graph : Graph
        Directed; see `is_connected` for undirected graphs.

    Returns
    -------
    bool
        False for a graph without vertices.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> is_strongly_connected(Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True))
    True
    """
    check_directed(graph, "is_strongly_connected")
    return _reaches_all(graph, "out") and _reaches_all(graph, "in")


def _reaches_all(graph: AnyGraph, mode: str) -> bool:
    if graph.num_vertices == 0:
        return False
    return int(reduce_all(graph, hops(graph, 0, mode=mode).parent, reduce=MIN)) >= 0
