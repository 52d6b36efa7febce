"""Density, reciprocity and the degree histogram of a graph [1]. Linear work.

[1] S. Wasserman, K. Faust. Social network analysis. Cambridge University Press, 1994.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_directed
from edgewise.graph.anywhere import whole, whole_xp
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, reduce_neighbors

__all__ = ["degree_histogram", "density", "reciprocity"]


@takes_graph
def density(graph: GraphLike) -> float:
    """Return the density: the number of edges over the number of pairs of vertices.

    Parameters
    ----------
    graph : Graph
        Directed or undirected; in a directed graph, pairs are ordered.

    Returns
    -------
    float
        From 0 to 1 for graphs without self-loops, which count as edges. 0 for fewer than two
        vertices.

    Notes
    -----
    O(1) time once the number of edges is known, O(n + m) before.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> density(Graph.from_edges([0, 1, 2], [1, 2, 0], num_vertices=4))
    0.5
    """
    n = graph.num_vertices
    pairs = n * (n - 1) if graph.directed else n * (n - 1) // 2
    return graph.num_edges / pairs if pairs else 0.0


@takes_graph
def reciprocity(graph: GraphLike) -> float:
    """Return the reciprocity: the fraction of edges whose reverse is also an edge.

    Parameters
    ----------
    graph : Graph
        Directed. Self-loops count as edges without a reverse, as in NetworkX.

    Returns
    -------
    float
        From 0 to 1; 0 for a graph without edges.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> reciprocity(Graph.from_edges([0, 1, 1, 2], [1, 0, 2, 0], directed=True))
    0.5
    """
    check_directed(graph, "reciprocity")
    if graph.num_edges == 0:
        return 0.0
    paired = graph.num_edges - graph.with_weights(None).to_undirected().num_edges
    return 2 * paired / graph.num_edges


@takes_graph
def degree_histogram(graph: GraphLike) -> Any:
    """Return the number of vertices of each degree, from 0 to the largest.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. A self-loop counts twice. In a directed graph, in-edges and
        out-edges both count.

    Returns
    -------
    array of int64
        Element d is the number of vertices of degree d; empty for a graph without vertices.

    See Also
    --------
    degree_centrality : The degree of each vertex over the number of others.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> degree_histogram(Graph.from_edges([0, 0, 0], [1, 2, 3], num_vertices=5)).tolist()
    [1, 3, 0, 1]
    """
    message, edges = (_one, "both") if graph.directed else (_ends, "in")
    degree = reduce_neighbors(
        graph, None, message, graph.vertex_ids(), reduce=ADD, mode=edges, dtype=np.int64
    )
    xp, degree = whole_xp(graph), whole(degree)
    return xp.bincount(degree).astype(np.int64) if len(degree) else xp.zeros(0, np.int64)


def _one():
    return 1


def _ends(source, own):
    return 2 if source == own else 1
