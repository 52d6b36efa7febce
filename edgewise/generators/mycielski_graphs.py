"""Mycielski's construction [1]: graphs without triangles that need many colors.

Each step takes a graph with n vertices to one with 2n + 1: vertex n + v is a copy of v, joined to
v's neighbors, and vertex 2n is joined to all copies. That adds a color and no triangle. Edges
grow about threefold per step.

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
    """The triangle-free Mycielski graph with chromatic number ``k``.

    Parameters
    ----------
    k : int
        From 1 to 24: a vertex, an edge, the 5-cycle, the Grotzsch graph, and so on.

    Returns
    -------
    Graph
        With ``3 * 2**(k-2) - 1`` vertices for k of at least 2.

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
    """The Mycielskian of an undirected graph without self-loops.

    Parameters
    ----------
    graph : Graph
        Any undirected graph; its weights and labels are left behind.
    iterations : int
        How many times to apply the construction.

    Returns
    -------
    Graph

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
