"""The number of cliques of k vertices, counted without listing them.

For k = 2 and 3 these are edges and triangles. For k = 4 cliques are counted at edges (`quads`). For
larger k a tree of pivots counts them [1] (`pivots`); its work hardly depends on k.

[1] S. Jain, C. Seshadhri. The power of pivoting for exact clique counting. WSDM 2020.
"""

from __future__ import annotations

from edgewise.algorithms.cliques.pivots import count_by_trees
from edgewise.algorithms.cliques.quads import count_quads
from edgewise.algorithms.triangles.triangle_count import triangle_count
from edgewise.base.checks import check_count, check_one_device, check_undirected
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["k_clique_count"]

_MOST = 2**63 - 1


@takes_graph
def k_clique_count(graph: LocalGraphLike, *, k: int = 3) -> int:
    """Return the number of k-cliques: sets of k pairwise adjacent vertices.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights are ignored.
    k : int
        Number of vertices in a clique, at least 1; 2 counts edges, 3 counts triangles.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If there are more than 2**63 - 1 cliques.

    See Also
    --------
    maximal_clique_count : The number of maximal cliques of any size.

    Notes
    -----
    The time is exponential in the largest core number in the worst case.

    Examples
    --------
    >>> from edgewise.generators import complete
    >>> k_clique_count(complete(40), k=20)
    137846528820
    """
    check_one_device(graph, "k_clique_count")
    check_undirected(graph, "k_clique_count")
    k = min(check_count(k, "k", 1, 10**100), graph.num_vertices + 1)
    if k <= 3:
        known = graph.num_vertices, graph.num_edges - graph.num_self_loops
        return known[k - 1] if k < 3 else triangle_count(graph)
    found = count_quads(graph) if k == 4 else count_by_trees(graph, k)
    total = (int((found >> 32).sum()) << 32) + int((found & (2**32 - 1)).sum())
    if (graph.num_vertices and int(found.min()) < 0) or total > _MOST:
        raise ValueError(f"k must give fewer than 2**63 cliques, got {k}")
    return total
