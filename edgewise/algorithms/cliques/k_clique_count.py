"""Cliques of k vertices, counted without listing them.

Of two and three they are edges and triangles; of four they are counted at edges (`quads`), of more
by a tree of pivots [1] (`pivots`), whose work hardly depends on k.

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
    """The number of sets of k vertices that all know each other.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights do not matter.
    k : int
        How many vertices, at least 1; 2 counts edges, 3 triangles.

    Raises
    ------
    ValueError
        If there are more than 2**63 - 1.

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
        raise ValueError(f"k must leave less than 2**63 cliques to count, got {k}")
    return total
