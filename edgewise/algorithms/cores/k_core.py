"""The k-core: the largest part of a graph in which everyone has k neighbors or more [1].

It is what the vertices of core number k or more leave of the graph. O(m + n) work.

[1] S. Seidman. Network structure and minimum degree. Social Networks 5, 1983.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.cores.core_number import core_number
from edgewise.base.checks import check_count, check_undirected
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.subgraphs import named_part

__all__ = ["k_core"]


@takes_graph
def k_core(graph: GraphLike, *, k: int | None = None) -> Any:
    """The k-core as a graph of its own.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops do not count as neighbors, weights do not matter; both are kept.
    k : int, optional
        By default the largest for which there is one.

    Returns
    -------
    Graph
        Its labels are those of the graph, or the vertices' ids there if it has none.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> core = k_core(Graph.from_edges([3, 3, 1, 2], [1, 2, 2, 0]))
    >>> core.num_edges, core.label([0, 1, 2]).tolist()
    (3, [1, 2, 3])
    """
    check_undirected(graph, "k_core")
    number = core_number(graph)
    if k is None:
        k = int(number.max()) if len(number) else 0
    return named_part(graph, number >= min(check_count(k, "k"), graph.num_vertices))
