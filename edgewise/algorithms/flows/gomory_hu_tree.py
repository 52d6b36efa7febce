"""Gomory-Hu trees by Gusfield's method [1]: n - 1 maximum flows in the same graph.

Every vertex has a parent in the tree, at first the vertex 0. A minimum cut between a vertex and its
parent decides which other children of the parent move to the vertex. Where it also separates the
parent from its own parent, the two change places.

[1] D. Gusfield. Very simple methods for all pairs network flow analysis. SIAM J. Computing 19(1),
    1990.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.flows.dinic import augment
from edgewise.algorithms.flows.flow_memory import memory_for
from edgewise.algorithms.flows.network import capacities
from edgewise.base.checks import check_undirected
from edgewise.base.observe import notify
from edgewise.base.ranges import check_whole, whole_sum
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["gomory_hu_tree"]

#: A flow is never left unfinished.
_NEVER = 2**62


@takes_graph
def gomory_hu_tree(graph: LocalGraphLike, *, weights: Any = "weight") -> Any:
    """Return a Gomory-Hu tree: a weighted tree with the minimum cuts of all pairs of vertices.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights are the capacities, finite and not negative.

    Returns
    -------
    Graph
        A tree with the vertices and labels of the graph. The smallest weight on the path between
        two vertices is the value of a minimum cut between them. The two parts of the tree without
        that edge are its sides.

    Raises
    ------
    ValueError
        If the graph is directed, if a capacity is negative or not finite, or if a flow of integer
        capacities might exceed int64.

    See Also
    --------
    minimum_cut : One cut between two given vertices.
    global_minimum_cut : The smallest of all cuts, much faster.

    Notes
    -----
    The time of n - 1 maximum flows.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2, 0, 2], [1, 2, 3, 3, 0], [3, 1, 1, 4, 1])
    >>> sources, targets, values = gomory_hu_tree(graph).edges()
    >>> sources.tolist(), targets.tolist(), values.tolist()
    ([0, 0, 0], [1, 2, 3], [4, 3, 5])
    """
    check_host(graph, "gomory_hu_tree")
    check_undirected(graph, "gomory_hu_tree")
    n, capacity = graph.num_vertices, capacities(graph, weights)
    if capacity.dtype.kind == "i":
        check_whole(whole_sum(capacity), "sums")
    residual, memory = capacity.copy(), memory_for(graph, capacity.dtype)
    parent, value = np.zeros(n, np.int64), np.zeros(n, capacity.dtype)
    for v in range(1, n):
        above = int(parent[v])
        np.copyto(residual, capacity)
        amount, side = augment(graph, residual, v, above, patience=_NEVER, memory=memory)
        notify(v, phase="flows", value=amount)
        moved = side & (parent == above)
        moved[[0, v]] = False
        parent[moved], value[v] = v, amount
        beyond = int(parent[above])
        if above != 0 and side[beyond]:
            parent[v], parent[above], value[v], value[above] = beyond, v, value[above], amount
    tree = Graph.from_edges(np.arange(1, n), parent[1:], value[1:], num_vertices=n)
    return tree if graph.labels is None else tree.with_labels(graph.labels)
