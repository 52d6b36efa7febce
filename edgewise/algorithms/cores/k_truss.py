"""The k-truss: the largest subgraph whose edges are all in at least k - 2 of its triangles [1].

Edges in fewer triangles are removed until there are none. O(m sqrt(m)) work at most, times a
bisection.

[1] J. Cohen. Trusses: cohesive subgraphs for social network analysis. 2008.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.cores.recounting import recounted_truss
from edgewise.algorithms.cores.truss_number import peel
from edgewise.base.checks import check_count, check_undirected
from edgewise.graph import Graph
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.subgraphs import named_part, only_edges
from edgewise.operators.engines import by_rows_or

__all__ = ["k_truss"]


@takes_graph
def k_truss(graph: GraphLike, *, k: int = 3) -> Any:
    """Return the k-truss as a graph, without isolated vertices.

    The k-truss is the largest subgraph in which every edge is in at least ``k - 2`` triangles.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops are removed (NetworkX rejects them); weights are kept.
    k : int
        Minimum number of triangles of an edge, plus 2. A larger k gives a smaller subgraph.

    Returns
    -------
    Graph
        The labels are those of the graph, or its vertex ids if it has none.

    See Also
    --------
    truss_number : The truss number of each edge.

    Notes
    -----
    O(m √m) time in the worst case, times a bisection. A grid counts all triangles again after
    every round of removals.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> truss = k_truss(Graph.from_edges([3, 3, 1, 2], [1, 2, 2, 0]))
    >>> truss.num_edges, truss.label([0, 1, 2]).tolist()
    (3, [1, 2, 3])
    """
    check_undirected(graph, "k_truss")
    k = min(max(check_count(k, "k"), 2), graph.num_vertices + 3)
    part = by_rows_or(graph, _by_peeling, recounted_truss)(graph, k)
    return named_part(part, part.row_lengths() > 0)


def _by_peeling(graph: Graph, k: int) -> Graph:
    return only_edges(graph, peel(graph, k) >= k)
