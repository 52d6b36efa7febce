"""The size of a clique, found greedily along the smallest-last order: a lower bound on colors.

The neighbors of v before it in the order are at most as many as the largest core number. Of these
candidates, the last one joins the clique, and those that are not before it and adjacent to it are
dropped, and so on. Vertices with too few candidates are skipped. O(w D) time per vertex, w being
the size of the clique and D the largest core number.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.ordering.bucket_order import remove_all
from edgewise.graph import Graph
from edgewise.operators.sequential import going, sequential

__all__ = ["clique_bound"]


def clique_bound(graph: Graph) -> int:
    """Return the number of vertices of a clique in an undirected graph.

    >>> from edgewise.generators import complete
    >>> clique_bound(complete(5))
    5
    """
    order, ends, earlier = remove_all(graph, "smallest_last")
    n, best = len(order), np.zeros(1, np.int64)
    place = np.empty(n, order.dtype)
    place[order] = np.arange(n, dtype=order.dtype)
    most = int(np.diff(ends).max(initial=0))
    state = (ends, earlier, place, np.full(n, -1, np.int64), np.empty(most, np.int64), best)
    sequential(_grow, state, steps=n, work=n + 4 * len(earlier), phase="clique")
    return int(best[0])


def _grow(control, ends, earlier, place, mark, left, best):
    """mark[i] is the last step in which position i was found among the earlier neighbors."""
    step = 0
    for i in range(len(place)):
        if i % 256 == 0 and not going(control, i):
            return
        size, count = 1, 0
        for e in range(ends[i], ends[i + 1]):
            at = np.int64(place[earlier[e]])
            if mark[at] != -2 - i:  # parallel edges once
                mark[at] = -2 - i
                left[count] = at
                count += 1
        while count and size + count > best[0]:
            last = 0
            for k in range(count):
                last = max(last, left[k])
            step += 1
            for e in range(ends[last], ends[last + 1]):
                mark[place[earlier[e]]] = step
            size, kept = size + 1, 0
            for k in range(count):
                if mark[left[k]] == step:
                    left[kept] = left[k]
                    kept += 1
            count = kept
        best[0] = max(best[0], size)
