"""Path-growing [1]: a 1/2-approximate maximum weight matching by dynamic programming on paths.

A path continues along the heaviest edge to a vertex that is on no path yet. Where there is none,
the next path begins. Alternate edges of the paths already have half the maximum weight [1]. Dynamic
programming finds the heaviest matching of each path, which is at least as heavy. Finally, free
vertices are matched as in `locally_dominant`. Every row is read once: linear work, on one CPU
thread.

The paths are stored one after the other in ``order``. ``ahead[i]`` is the weight of the edge
between ``order[i]`` and ``order[i + 1]``, and zero at the end of a path.

[1] D. Drake, S. Hougardy. A simple approximation algorithm for the weighted matching problem.
    Information Processing Letters 85(4), 2003.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.locally_dominant import match_free
from edgewise.algorithms.matching.result import Matching, finite_weights, matched
from edgewise.algorithms.weighting import weight_reader
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.sequential import going, sequential

__all__ = ["path_growing"]


@takes_graph
def path_growing(graph: LocalGraphLike, *, weights: Any = "weight") -> Matching:
    """Return a 1/2-approximate maximum weight matching found by growing paths.

    Each path begins at the smallest unused id. Of equally heavy edges, it follows the one to the
    smallest id.

    Parameters
    ----------
    graph : Graph
        Undirected.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite. Edges of weight zero or less are never matched.

    Returns
    -------
    Matching
        The mate of each vertex, the total weight and the number of matched edges.

    Raises
    ------
    ValueError
        If the graph is directed, or a weight is not finite.
    DeviceError
        If the graph is on a GPU.

    See Also
    --------
    locally_dominant : Has the same guarantee and runs on all threads.

    Notes
    -----
    O(n + m) time on one CPU thread.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], weights=[3.0, 4.0, 3.0, 1.0])
    >>> found = path_growing(path)
    >>> found.mate.tolist(), found.weight
    ([1, 0, 3, 2, -1], 6.0)
    """
    check_host(graph, "path_growing")
    lengths = finite_weights(graph, weights, "path_growing")
    n = graph.num_vertices
    mate = graph.full(-1, graph.id_dtype)
    if n == 0:
        return matched(graph, mate, weights)
    order, ahead, taken = np.empty_like(mate), np.zeros(n), np.zeros(n, np.bool_)
    rows = (graph.indptr, graph.indices, *weight_reader(graph, lengths))
    sequential(_grow, (*rows, order, ahead, taken), steps=n, work=graph.num_arcs)
    sequential(_choose, (order, ahead, taken, mate), steps=2 * n)
    match_free(graph, mate, weights)
    return matched(graph, mate, weights)


def _grow(control, indptr, indices, lengths, step, order, ahead, used):
    """Lay all paths out; ``step`` is 0 where one length stands for all."""
    at = 0
    for first in range(len(order)):
        v = np.int64(first)
        while v >= 0 and not used[v]:
            if at % 256 == 0 and not going(control, at):
                return
            used[v] = True
            heaviest, following = 0.0, np.int64(-1)
            for e in range(indptr[v], indptr[v + 1]):
                u, weight = indices[e], np.float64(lengths[e * step])
                if weight > heaviest and not used[u]:
                    heaviest, following = weight, np.int64(u)
            order[at], ahead[at] = v, heaviest
            at += 1
            v = following


def _choose(control, order, ahead, taken, mate):
    """The heaviest matching of all paths, that is of one path with edges of weight zero.

    best[i] = max(best[i - 1], best[i - 2] + ahead[i]) is kept as the difference to best[i - 1],
    which does not grow: more = max(0, ahead[i] - more). So small weights are never rounded off.
    """
    more, n = 0.0, np.int64(len(order))
    for i in range(n):
        if i % 4096 == 0 and not going(control, i):
            return
        taken[i] = ahead[i] > more
        more = max(0.0, ahead[i] - more)
    i = n - 1
    while i >= 0:
        if i % 4096 == 0 and not going(control, 2 * n - i):
            return
        if taken[i]:
            u, v = order[i], order[i + 1]
            mate[u], mate[v] = v, u
            i -= 1
        i -= 1
