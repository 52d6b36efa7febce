"""Core numbers by peeling [1].

The k-core is what is left when vertices of less than k neighbors are removed until there are none.
left[v] is how many neighbors v has left. Whoever has no more than k of them goes, and costs each
neighbor that stays one of its own; when all that are left have more, k grows to the least of it.
O(m + n) work, and as many rounds as removals come one after another.

[1] V. Batagelj, M. Zaversnik. An O(m) algorithm for cores decomposition of networks. 2003.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.checks import check_undirected
from edgewise.graph.foreign import takes_graph
from edgewise.operators import ADD, propagate, reduce_neighbors

__all__ = ["core_number"]


@takes_graph
def core_number(graph: Any) -> Any:
    """The largest k for every vertex such that it is in the k-core.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops do not count (NetworkX refuses them), weights do not matter.

    Returns
    -------
    array of int64

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> core_number(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], num_vertices=5)).tolist()
    [2, 2, 2, 1, 0]
    """
    check_undirected(graph, "core_number")
    n, xp = graph.num_vertices, graph.xp
    core, left = graph.full(0, xp.int64), graph.full(0, xp.int64)
    reduce_neighbors(graph, None, _other, xp.arange(n), reduce=ADD, out=left)
    propagate(graph, None, _one_less, left, reduce=ADD, levels=core)
    return core


def _other(source, own):
    return 1 if source != own else 0


def _one_less():
    return -1
