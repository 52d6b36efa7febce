"""The k-core: the largest subgraph in which every vertex has at least k neighbors [1].

It is the subgraph induced by the vertices of core number k or more. O(n + m) work.

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
    """Return the k-core as a graph: the largest subgraph of minimum degree k or more.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops do not count as neighbors; they and the weights are kept.
    k : int, optional
        Minimum number of neighbors; the largest core number by default. A larger k gives a smaller
        subgraph.

    Returns
    -------
    Graph
        The labels are those of the graph, or its vertex ids if it has none.

    See Also
    --------
    core_number : The core number of each vertex.

    Notes
    -----
    O(n + m) time.

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
