"""Half-approximate matching by growing paths [1], with dynamic programming on every path.

From a vertex the path goes on along the heaviest edge to a vertex that is on no path yet; where
there is none, the next path begins. Every second edge of the paths already weighs half the optimum
[1]; the heaviest matching of each path, found by dynamic programming, weighs at least that. In the
end what is still free is matched as in `locally_dominant`. Every row is read once: linear work, on
one CPU thread.

The paths stand one after the other in ``order``; ``ahead[i]`` is the weight of the edge between
``order[i]`` and ``order[i + 1]``, zero at the end of a path.

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
def path_growing(graph: LocalGraphLike, *, weights: Any = None) -> Matching:
    """A matching of at least half the greatest weight, by growing paths.

    Sequential, and on CPU only; `edgewise.matching.locally_dominant` has the same guarantee on all
    threads. Paths begin at the smallest id that is left, and of equally heavy edges follow the one
    to the smallest id.

    Parameters
    ----------
    graph : Graph
        Undirected.
    weights : None, "unit" or array over edges
        Finite; edges of weight zero or less are never matched.

    Returns
    -------
    Matching

    Raises
    ------
    ValueError
        If the graph is directed, or a weight is not finite.
    DeviceError
        If the graph is on a GPU.

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
    mate = graph.full(-1, graph.indices.dtype)
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
