"""Global minimum cuts by contraction (Nagamochi, Ono and Ibaraki [1]; Padberg and Rinaldi [2]).

The smallest weighted degree is the first upper bound. A round scans all vertices, always one that
is most strongly connected with those before it. This gives each edge a lower bound of the capacity
of any cut between its ends. Edges whose bound reaches the upper bound are contracted, because no
smaller cut separates their ends. So is the heaviest edge of a vertex if it has half of the vertex's
weighted degree. Rounds continue on the contracted graph until one vertex is left, or until many
more would be needed. Then flows finish it, see `edgewise.algorithms.flows.merging`. Mostly a few
rounds of O(m + n log n) work.

[1] H. Nagamochi, T. Ono, T. Ibaraki. Implementing an efficient minimum capacity cut algorithm.
    Mathematical Programming 67, 1994.
[2] M. Padberg, G. Rinaldi. An efficient algorithm for the minimum capacity cut problem.
    Mathematical Programming 47, 1990.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from edgewise.algorithms.flows.contraction import groups_of, new_scan
from edgewise.algorithms.flows.maximum_flow import MinimumCut
from edgewise.algorithms.flows.merging import merged
from edgewise.algorithms.flows.network import capacities
from edgewise.base.checks import check_undirected
from edgewise.base.observe import notify
from edgewise.base.ranges import check_whole, whole_sum
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host, row_ids
from edgewise.operators.sequential import sequential

__all__ = ["global_minimum_cut"]

#: Flows take about as long as so many rounds for each neighbor of a vertex; rounds do the rest of
#: graphs of so few vertices.
_PATIENCE, _SMALL = 4, 64


@takes_graph
def global_minimum_cut(graph: LocalGraphLike, *, weights: Any = "weight") -> Any:
    """Return a global minimum cut and its value: the smallest cut between any two vertices.

    Parameters
    ----------
    graph : Graph
        Undirected, with at least two vertices, in host memory.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights are the capacities, finite and not negative.

    Returns
    -------
    MinimumCut
        ``(value, side)``. ``side`` is a boolean mask over vertices, True on the smaller side. The
        edges to the other side have the total capacity ``value``.

    Raises
    ------
    ValueError
        If the graph is directed or has fewer than two vertices. Also if a capacity is negative or
        not finite, or if a sum of integer capacities might exceed int64.

    See Also
    --------
    minimum_cut : A minimum cut between two given vertices.
    edge_connectivity : The value alone, with unit capacities.

    Notes
    -----
    The time of n maximum flows at most; close to linear on most graphs.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3])
    >>> cut = global_minimum_cut(graph)
    >>> cut.value, cut.side.tolist()
    (1, [True, True, True, False, False, False])
    """
    check_host(graph, "global_minimum_cut")
    check_undirected(graph, "global_minimum_cut")
    if graph.num_vertices < 2:
        raise ValueError(f"graph must have at least two vertices, got {graph.num_vertices}")
    given = capacities(graph, weights)
    if given.dtype.kind == "i":
        check_whole(whole_sum(given), "sums")
    side = _smallest_cut(graph.with_labels(None), given)
    twice, n = 2 * np.count_nonzero(side), len(side)
    if twice > n or (twice == n and not side[0]):
        side = ~side
    crossing = side[row_ids(graph)] & ~side[graph.indices]
    return MinimumCut(given[crossing].sum().item(), side)


def _smallest_cut(graph: Graph, given: Any) -> Any:
    """A side of a minimum cut."""
    graph = graph.with_weights(Arcs(given))
    vertex, side, turn = np.arange(graph.num_vertices), None, 0
    exact = given.dtype.kind == "i"
    narrow = not exact or whole_sum(given) < 2**53  # all sums are exact in float64
    best = np.full(1, np.inf) if narrow else np.full(1, 2**62)
    while graph.num_vertices > 1 and best[0] > 0:
        n, weights = graph.num_vertices, given.astype(best.dtype, copy=False)
        scan, cut = new_scan(n, best.dtype), np.zeros(2, np.int64)
        state = (graph.indptr, graph.indices, weights, exact, scan, best, cut)
        sequential(groups_of, state, steps=n, work=4 * graph.num_arcs, phase="contract")
        if cut[1] > 0:  # the cut around one vertex, or around all that were scanned up to there
            chosen = np.zeros(n, np.bool_)
            chosen[cut[0] if cut[1] == n else scan.order[: cut[1]]] = True
            side = chosen[vertex]
        notify(turn, phase="contract", active=n, value=best[0].item())
        if best[0] <= weights.min(initial=0):
            break  # a cut of a connected graph has an edge
        graph, mapping = graph.contract(scan.group, self_loops="drop")
        given, vertex, turn = graph.weights, mapping[vertex], turn + 1
        left = graph.num_vertices
        if left > _SMALL and log(left) * left**2 > _PATIENCE * graph.num_arcs * (n - left):
            better = merged(graph, given.astype(best.dtype, copy=False), best)
            return side if better is None else better[vertex]
    return side
