"""Mycielski's construction [1]: triangle-free graphs of large chromatic number.

Each step takes a graph with n vertices to one with 2n + 1. Vertex n + v is a copy of v, adjacent to
v's neighbors. Vertex 2n is adjacent to all copies. A step adds one color and no triangle, and about
triples the number of edges.

[1] J. Mycielski. Sur le coloriage des graphes. Colloq. Math., 1955.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_count
from edgewise.generators.draws import id_type
from edgewise.graph import Graph

__all__ = ["mycielski", "mycielskian"]

_LARGEST = 24


def mycielski(k: int) -> Graph:
    """Return the triangle-free Mycielski graph with chromatic number ``k``.

    Parameters
    ----------
    k : int
        The chromatic number, from 1 to 24. The first graphs are a vertex, an edge, the 5-cycle and
        the Grotzsch graph.

    Returns
    -------
    Graph
        An undirected graph with ``3 * 2**(k-2) - 1`` vertices for k of at least 2.

    See Also
    --------
    mycielskian : The construction for any graph.

    Examples
    --------
    >>> graph = mycielski(4)
    >>> graph.num_vertices, graph.num_edges
    (11, 20)
    """
    k = check_count(k, "k", least=1)
    if k > _LARGEST:
        raise ValueError(f"k must be at most {_LARGEST}, got {k}")
    empty = np.empty(0, np.int64)
    if k == 1:
        return Graph.from_edges(empty, empty, num_vertices=1)
    return mycielskian(Graph.from_edges([0], [1], num_vertices=2), iterations=k - 2)


def mycielskian(graph: Graph, *, iterations: int = 1) -> Graph:
    """Return the Mycielskian of an undirected graph without self-loops.

    Parameters
    ----------
    graph : Graph
        An undirected graph. Its weights and labels are ignored.
    iterations : int
        The number of times to apply the construction. Each about triples the edges.

    Returns
    -------
    Graph
        An undirected, unweighted graph.

    Raises
    ------
    ValueError
        If the graph is directed or has self-loops.

    See Also
    --------
    mycielski : The Mycielski graph of a given chromatic number.

    Examples
    --------
    >>> pentagon = mycielskian(Graph.from_edges([0], [1]))
    >>> pentagon.degrees().tolist()
    [2, 2, 2, 2, 2]
    """
    iterations = check_count(iterations, "iterations")
    if graph.directed:
        raise ValueError("graph must be undirected")
    sources, targets, _ = graph.edges()
    if (sources == targets).any():
        raise ValueError("graph must have no self-loops")
    n = graph.num_vertices
    for _ in range(iterations):
        kind = id_type(2 * n + 1)
        u, v = sources.astype(kind), targets.astype(kind)
        copies = np.arange(n, 2 * n, dtype=kind)
        sources = np.concatenate([u, u, v, copies])
        targets = np.concatenate([v, v + n, u + n, np.full(n, 2 * n, kind)])
        n = 2 * n + 1
    return Graph.from_edges(sources, targets, num_vertices=n)
